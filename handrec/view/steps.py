"""A deal as steps in time order: every call, every card turned, every card played, and what was said in between."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handrec.cards import Order, bits
from handrec.game import Sight, Table
from handrec.game.playing import Seen
from handrec.game.table import handed_over
from handrec.record import KINDS
from handrec.report.events import comment_words
from handrec.view import words

#: Shown in this order; jokers, which have no suit, come first.
SUITS = "JSHDC"


def steps(table: Table) -> list[dict[str, Any]]:
    """The steps of a deal that was replayed with its trace.

    Each has `do`, its name `at` (`5.2` the second card of trick five, `b3` the third step before the play, `5.2+1` the
    first after a card), the record's `event` it comes from, and as far as they apply `by` (the seat's place), `card`,
    `trick`, `legal` (what could be played), `say`, and what changed: `trump`, `ranks`.
    """
    sights, hands = _Sights(table), table.dealt
    found: list[dict[str, Any]] = []
    sights.changed(0, None, 0)
    trick, number, extra = 0, 0, 0
    for place, seen in _in_time(table):
        step = _play(table, seen) if seen else _other(table, place)
        if seen:
            trick, number, extra = seen.trick, number + 1 if seen.trick == trick else 1, 0
            step["at"] = f"{trick}.{number}"
        else:
            extra += 1
            step["at"] = f"{trick}.{number}+{extra}" if trick else f"b{extra}"
        if moved := [each for each in table.handed if each[0] == place and not seen]:
            for _, giver, taker, cards in moved:
                handed_over(hands, giver, taker, cards)
            changed = {seat for _, *both, _ in moved for seat in both if seat is not None}
            step["hands"] = {seat: by_suit(table, hands[seat]) for seat in sorted(changed)}
        if step["do"] == "turn" or (seen and seen.seat in table.free):
            sights.turn(step["card"])
        found.append({"event": place, **step, **sights.changed(trick, seen, number)})
    return found


def auction(table: Table, steps: list[dict[str, Any]]) -> dict[str, list[Any]] | None:
    """The calls as a box: `seats`, a column each, and `rows` of steps by column, None where a seat did not call.

    Columns stand clockwise from who called first; where partners play, from the dealer. None if nobody called.
    """
    calls = [(spot, step["by"]) for spot, step in enumerate(steps) if "call" in step and "by" in step]
    if not calls:
        return None
    first = table.dealer if table.game.partners and table.dealer is not None else calls[0][1]
    callers = [seat for seat in table.ring if seat < table.count]
    seats = callers[callers.index(first) :] + callers[: callers.index(first)]
    rows: list[list[int | None]] = []
    last = 0
    for spot, by in calls:
        column = seats.index(by)
        if not rows or column <= last:
            rows.append([None] * len(seats))
        rows[-1][column], last = spot, column
    return {"seats": seats, "rows": rows}


def disclosed(table: Table, steps: list[dict[str, Any]]) -> int | None:
    """The step with which all see the bids that were made in secret: the last player's bid, or the first card played.

    The number of steps if the record does not come so far; None if bids are open, or nothing is recorded but a result.
    """
    bidding = table.game.phase_of.get("bid")
    if not steps or bidding is None or not bidding.secret:
        return None
    waiting = set(range(table.count))
    for spot, step in enumerate(steps):
        waiting -= {step.get("by")} if step["do"] == "bid" else set()
        if not waiting or step["do"] == "play":
            return spot
    return len(steps)


def at_first(table: Table) -> dict[str, Any]:
    """Trump and ranks before the first step, as far as they are known then."""
    return {"trump": None, "ranks": None, **_Sights(table).changed(0, None, 0)}


def _in_time(table: Table) -> Iterator[tuple[int | None, Seen | None]]:
    """The record's events in order, each with what the table saw if it was a play that could be placed."""
    trace = table.trace or []
    placed = {seen.place for seen in trace}
    others = [place for place in range(len(table.deal.events)) if place not in placed]
    for seen in trace:
        while others and seen.place is not None and others[0] < seen.place:
            yield others.pop(0), None
        yield seen.place, seen
    yield from ((place, None) for place in others)


#: What whoever wrote a card down noted about it.
MARKED = {"revoke": "marked as a revoke by the transcriber", "lead": "marked as a lead out of turn by the transcriber"}


def _play(table: Table, seen: Seen) -> dict[str, Any]:
    step: dict[str, Any] = {"do": "play", "by": seen.seat, "card": seen.token, "trick": seen.trick}
    if seen.place is not None and (card := getattr(table.deal.events[seen.place], "card", seen.token)) != seen.token:
        step |= {"card": card, "held": seen.token, "say": f"taken as {seen.token}, which lies there"}
    elif seen.place is None:
        step["say"] = "a card that is not recorded"
    elif getattr(table.deal.events[seen.place], "questioned", None):
        step["say"] = "questioned at the table"
    elif marked := getattr(table.deal.events[seen.place], "marked", None):
        step["say"] = MARKED[marked]
    return step | ({"legal": list(table.names(seen.legal))} if seen.legal and seen.legal != seen.hand else {})


def _other(table: Table, place: int | None) -> dict[str, Any]:
    """An event that is no play, or a play that could not be placed in a trick."""
    assert place is not None
    event = table.deal.events[place]
    step: dict[str, Any] = {"do": "stray" if event.do == "play" else event.do}
    by = table.place_of.get(getattr(event, "by", None) or "")
    if by is not None:
        step["by"] = by
    kind = KINDS[event.do]
    if cards := kind.cards_of(event):
        step |= {"card": cards[0]} if kind.of("card") else {"cards": cards}
    step["say"] = words.event(event, table.pack) + (", in no trick that can be told" if event.do == "play" else "")
    step["say"] += "".join(
        f"; {comment_words(each)}" for each in table.deal.comments or () if each.kind and each.event == place + 1
    )
    if kind.hides(event):
        seen_by = {getattr(event, field) for field in kind.seats}
        step |= {"unseen": words.event(event, table.pack, hidden=True), "seen_by": [*map(table.place_of.get, seen_by - {None})]}
    if event.do == "bid":
        step["call"] = words.call(event.bid) + (" blind" if event.blind else "")
    return step


class _Sights:
    """Trump and ranks as they can be seen while the deal goes on; only changes are told."""

    def __init__(self, table: Table) -> None:
        self.table = table
        turns = any(event.do == "turn" for event in table.deal.events)
        self.turned: list[str] = [] if turns else list(table.turned)
        self.last: tuple[Order, bool] | None = None

    def turn(self, card: str) -> None:
        """A card is turned; where the cards that lie there are on record, play goes by them."""
        row = self.table.turned
        self.turned.append(row[len(self.turned)] if len(self.turned) < len(row) else card)

    def changed(self, trick: int, seen: Seen | None, number: int) -> dict[str, Any]:
        table = self.table
        # a trick is settled by the cards that are turned when all have played to it
        done = number == len(table.seats) if seen else bool(trick)
        order = table.game.order(
            Sight(tuple(self.turned), table.contract if trick else None, max(trick, 1), table.undealt, done, table.count)
        )
        if order is None:
            return {}
        settled = table.order(trick, done=True) if trick and not done else None
        later = settled is not None and settled.name != order.name
        if (order, later) == self.last:
            return {}
        self.last = order, later
        return {"trump": "decided when all have played" if later else words.trump(order.name), "ranks": ranks(order)}


def ranks(order: Order) -> list[tuple[str, str]]:
    """The ranks of the suits from high to low, suits that rank alike together, trumps first."""
    alike: dict[str, list[str]] = {}
    for suit in sorted(order.suits, key=lambda suit: not suit & order.trumps):
        strongest = sorted(bits(suit), key=lambda card: (order.beats[card] & suit).bit_count())
        cards = [order.pack.cards[card] for card in strongest]
        shown = " ".join(dict.fromkeys(words.rank(card, order.pack) for card in cards))
        alike.setdefault(shown, []).append(order.suit_name(strongest[-1]))
    return [
        ("".join(words.SIGNS.get(suit, suit) for suit in sorted(suits, key=SUITS.index)), shown) for shown, suits in alike.items()
    ]


def by_suit(table: Table, hand: int) -> list[str]:
    """The cards of a hand, jokers first, then by suit, each from high to low."""
    return sorted(table.names(hand), key=lambda card: SUITS.index(card[1]))
