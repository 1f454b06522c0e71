"""How much a deal contradicts itself: counted before the referee is asked, since most slips undone make it worse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import or_
from typing import Any

from handrec.cards import is_known
from handrec.explanations.written import Slip
from handrec.game import Table
from handrec.record import KINDS, Deal, Play, Withdraw

#: What cannot be as it is written, and is not counted: the card turned is not the dealer's, a contract was not called for.
UNCOUNTED = ("DEA007", "BID030")
#: Nor are cards that a seat did not hold, where they go from hand to hand.
NOT_HELD = ("PLY001", "PLY003")


class Misfit:
    """How often deals contradict themselves: cards that stand twice, cards not held, hands and plays of a wrong number.

    Where cards go from hand to hand, any seat may hold any card. The deals are of one table, and most of what stands in
    one stands in all: of a slip only the plays are counted that it changes, and hands of the record are read once.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.callers = table.game.that("calls_out_of_turn")
        self.moved = any(KINDS[event.do].moves for event in table.deal.events)
        self.known = {id(cards): self._cards(cards) for cards in (*_lists(table.deal.hands), *_lists(table.deal.aside))}
        self.tally = _PlayCount(table, ())
        self.hands: tuple[Any, Any, tuple[int, list[int]]] = (self, self, (0, []))  # the last that were read

    def counts(self, code: str) -> bool:
        """Whether what is found under this code is counted, if it is a contradiction."""
        return code not in UNCOUNTED and not (self.moved and code in NOT_HELD)

    def of(self, deal: Deal, slip: Slip | None = None) -> int:
        """How often a deal contradicts itself, or would with a slip undone."""
        if self.tally.events is not deal.events:
            self.tally = _PlayCount(self.table, deal.events)
        if self.hands[0] is not deal.hands or self.hands[1] is not deal.aside:
            self.hands = deal.hands, deal.aside, self._dealt(deal.hands, deal.aside)
        tally, (wrong, held) = self.tally, self.hands[2]
        plays = list[tuple[str | None, str, int]]()
        if slip is not None:
            if slip.hands is not None or slip.aside is not None:
                wrong, held = self._dealt(slip.hands or deal.hands, slip.aside or deal.aside)
            if slip.events is not None or slip.changed is not None:
                if tally.back:
                    tally = _PlayCount(self.table, slip.undone(deal).events)
                else:
                    plays = [*_changed(deal.events, slip)]
        for by, card, times in plays:
            tally.count(by, card, times)
        wrong += tally.wrong(held, deal.status == "complete")
        for by, card, times in plays:
            tally.count(by, card, -times)
        return wrong

    def calls_out_of_turn(self, deal: Deal) -> int:
        """How many calls of a deal are not in turn."""
        return sum([phase.calls_out_of_turn(self.table, deal) for phase in self.callers])

    def _dealt(self, hands: dict[str, list[str]] | None, aside: dict[str, list[str]] | None) -> tuple[int, list[int]]:
        """How often what is dealt contradicts itself, and what each seat may hold: its hand, or anything if it is not known."""
        table = self.table
        wrong, total, dealt, held = 0, 0, 0, [table.pack.full] * len(table.seats)
        for name, cards in (hands or {}).items():
            mask, many, strange = self.known.get(id(cards)) or self._cards(cards)
            wrong, total, dealt = wrong + strange + abs(len(cards) - table.size), total + many, dealt | mask
            if many == len(cards) and not self.moved:
                held[table.place_of[name]] = mask
        for cards in _lists(aside):
            mask, many, _ = self.known.get(id(cards)) or self._cards(cards)
            total, dealt = total + many, dealt | mask
        return wrong + total - dealt.bit_count(), held

    def _cards(self, cards: list[str]) -> tuple[int, int, int]:
        """Some cards as a mask, how many of them are of the pack, and how many are cards, and not of it."""
        index, mask, many, strange = self.table.pack.index, 0, 0, 0
        for card in cards:
            if card in index:
                mask, many = mask | 1 << index[card], many + 1
            else:
                strange += is_known(card)
        return mask, many, strange


class _PlayCount:
    """What the plays of a deal add up to: how often each seat plays each card, and how many cards it plays.

    The last seat is for plays without a name.
    """

    def __init__(self, table: Table, events: Sequence[Any]) -> None:
        self.table, self.events = table, events
        self.pack, self.place_of, self.many = table.pack.index, table.place_of, len(table.seats)
        self.plays = [0] * (self.many + 1)
        self.times = [[0] * len(self.pack) for _ in self.plays]
        self.shown = [0] * (self.many + 1)
        self.total, self.strange = 0, 0
        self.back = any(type(event) is Withdraw for event in events)
        for event in _stood(events) if self.back else events:
            if type(event) is Play:
                self.count(event.by, event.card, 1)

    def count(self, by: str | None, token: str, times: int) -> None:
        """Count a play in (1), or out again (-1)."""
        seat = self.many if by is None else self.place_of[by]
        self.plays[seat] += times
        card = self.pack.get(token)
        if card is None:
            self.strange += times * is_known(token)
            return
        self.total += times
        self.times[seat][card] += times
        if self.times[seat][card] == (times > 0):
            self.shown[seat] ^= 1 << card

    def wrong(self, held: list[int], complete: bool) -> int:
        """How often the plays contradict themselves, and what each seat may hold."""
        distinct = reduce(or_, self.shown).bit_count()
        wrong = self.strange + self.total - distinct
        for shown, cards in zip(self.shown, held, strict=False):
            wrong += (shown & ~cards).bit_count()
        *named, unnamed = self.plays
        if complete and any(named):
            over = [plays - quota for quota, plays in zip(self.table.quota, named, strict=True)]
            wrong += sum([max(0, many) if unnamed else abs(many) for many in over])  # who lacks a card may have played it there
        return wrong


def _lists(lists: dict[str, list[str]] | None) -> Iterable[list[str]]:
    return (lists or {}).values()


def _changed(events: Sequence[Any], slip: Slip) -> Iterator[tuple[str | None, str, int]]:
    """Which plays are gone (-1), and which have come (1), with a slip of events undone: whose, and their cards."""
    for at, fields in (slip.changed or {}).items():
        was = events[at]
        if type(was) is Play:
            yield was.by, was.card, -1
            yield fields.get("by", was.by), fields.get("card", was.card), 1
    gone, come = list[Any](), list[Any]()  # of events that do not all stay in their places
    for place, event in slip.events or ():
        if place is None:
            come.append(event)
        elif event is not events[place]:
            gone.append(events[place])
            come.append(event)
    if slip.events is not None and len(slip.events) - len(events) != len(come) - len(gone):
        places = {place for place, _ in slip.events}
        gone += [event for place, event in enumerate(events) if place not in places]
    yield from ((event.by, event.card, -1) for event in gone if type(event) is Play)
    yield from ((event.by, event.card, 1) for event in come if type(event) is Play)


def _stood(events: Iterable[Any]) -> list[Any]:
    """Events without the plays that are taken back."""
    kept = list[Any]()
    for event in events:
        if type(event) is not Withdraw:
            kept.append(event)
        for spot in range(len(kept) - 1, -1, -1) if type(event) is Withdraw else ():
            if type(kept[spot]) is Play and (kept[spot].by, kept[spot].card) == (event.by, event.card):
                del kept[spot]
                break
    return kept
