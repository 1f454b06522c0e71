"""What a finding hangs on, and which slips touch it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from handrec.explanations.acts import STATED
from handrec.explanations.written import Events, Slip, WrittenDeal
from handrec.findings import Finding
from handrec.record import Announce, Bid, Contract, Play

#: Acts that are done to whole rows, or undone by putting one in.
WHOLE_ROWS = ("rows", "rows-exchanged", "turned", "play-lost")

#: So many cards two hands differ by if one card of each, or one of either, was wrong.
SINGLE = 2


@dataclass(frozen=True)
class Reach:
    """What a finding hangs on: events by their places, rows, hands by their seats; whether also who began, and what is trump.

    Of hands it hangs on whether some `cards` lie in them, or, if these are None, on any.
    """

    events: frozenset[int] = frozenset()
    rows: frozenset[int] = frozenset()
    hands: frozenset[int] = frozenset()
    cards: frozenset[str] | None = frozenset()
    begun: bool = False
    trump: bool = False

    def __or__(self, other: Reach) -> Reach:
        """What either hangs on."""
        return Reach(
            self.events | other.events,
            self.rows | other.rows,
            self.hands | other.hands,
            None if self.cards is None or other.cards is None else self.cards | other.cards,
            self.begun or other.begun,
            self.trump or other.trump,
        )

    @property
    def size(self) -> int:
        """How much there is to look at, roughly in cards."""
        cards = 99 if self.cards is None else len(self.cards)
        return len(self.events) + len(self.rows) + len(self.hands) * cards

    def of(self, cards: list[str]) -> list[str]:
        """Those of some cards of which it matters where they lie."""
        return [card for card in cards if self.bears(card)]

    def bears(self, *cards: str | None) -> bool:
        """Whether it matters that some cards lie in another hand."""
        return self.cards is None or not self.cards.isdisjoint(cards)


def reach(written: WrittenDeal, finding: Finding) -> Reach:
    """What a finding hangs on."""
    place, code = finding.event_index, finding.code
    seats, everything = frozenset(written.players), frozenset(each.place for each in written.plays)
    own = seats if (seat := written.table.place_of.get(finding.seat or "")) is None else frozenset({seat})
    own |= {giver for (taker, _), giver in written.came.items() if taker in own and giver >= 0}
    called = frozenset(at for at, event in enumerate(written.deal.events) if type(event) is Bid)
    if code == "BID002" and place in called and finding.facts.get("bid") not in words_of(written):
        called = frozenset({place})  # it is no word of the game, whatever else is called
    lead = min(everything, default=len(written.deal.events))
    round_ = bool(written.table.game.that("calls_out_of_turn"))
    if round_ and place in called and (place or 0) > lead:
        called = frozenset({place})  # a call after the lead is late, whatever else is called
    if round_ and place is not None and all(_by_what_stood(written, each) for each in written.findings):
        called &= {*range(1 + next((at for at in sorted(called) if at > place), place))}  # the next tells whose call is missing
    if round_ and (code.startswith("BID") or code in STATED):
        stated = called | {at for at, event in enumerate(written.deal.events) if type(event) is Contract}
        return Reach(frozenset() if code.startswith("DEA") else stated, begun=True)  # no card bears on a call
    if round_ and code == "PLY004" and finding.trick == 1:  # who declares, the calls say
        row = frozenset(each.place for each in written.plays if each.row == 0)
        return Reach(
            row | called | {at for at, event in enumerate(written.deal.events) if type(event) is Contract},
            frozenset({0, 1} & {*range(len(written.rows))}),
            begun=True,
        )
    if code.startswith("DEA"):
        return Reach(_events_of(written, finding.facts.get("card"), place), hands=seats, cards=None, begun=True, trump=True)
    if code.startswith("BID") or code == "SCO004":
        return Reach(called, hands=seats, cards=None if finding.level == "L3" else frozenset(), begun=True, trump=True)
    here = [each.row for each in written.plays if each.place == place] or [
        row for row, cards in enumerate(written.rows) if finding.trick is not None and written.trick(cards[0]) == finding.trick
    ]
    shown = _events_of(written, *finding.facts.get("could", ()), finding.facts.get("card"))
    here += [each.row for each in written.plays if each.place in shown]
    near = frozenset(row for each in here for row in (each - 1, each, each + 1) if 0 <= row < len(written.rows))
    if code in ("PLY005", "PLY006") or not here:
        every = frozenset(range(len(written.rows)))
        return Reach(everything | {len(written.deal.events)}, every, seats, frozenset(), begun=True)
    if code.startswith("REV"):
        could = frozenset(finding.facts.get("could", ()))
        row = frozenset(each.place for each in written.rows[here[0]])
        return Reach(row | _events_of(written, *could), near, own, could, trump=True)
    card = finding.facts.get("card")
    if code == "PLY002":
        return Reach(_events_of(written, card, place), near)
    if code == "PLY001":
        return Reach(_events_of(written, card, place), near, own, frozenset({card} if isinstance(card, str) else ()))
    beside = Reach(frozenset(each.place for row in near for each in written.rows[row]), near, begun=True, trump=True)
    return beside | Reach(hands=seats, cards=None) if written.table.unnamed else beside  # hands say whose a nameless card is


def _by_what_stood(written: WrittenDeal, finding: Finding) -> bool:
    """Whether what was called before decides a finding about the calls: of one call by itself, or of a word between calls."""
    if not finding.code.startswith("BID"):
        return True
    rules = [rule for rule in written.table.game.rules_of(finding.code) if rule.check is not None and rule.on == "bid"]
    place = finding.event_index
    return bool(rules) or (place is not None and type(written.deal.events[place]) is Announce)


def words_of(written: WrittenDeal) -> tuple[int | str, ...]:
    """All that may be called in a game in which some calls are made, as they are written."""
    said = [event.bid for event in written.deal.events if type(event) is Bid]
    phase, numbers = written.table.game.phase_of.get("bid"), range(written.table.size + 1)
    modes, marks = getattr(phase, "modes", ()), getattr(phase, "marks", lambda many: ())(written.table.count)
    calls = {f"{number}{mode}{mark}": None for number in numbers for mode in modes for mark in dict.fromkeys(("", *marks))}
    whole = numbers if any(isinstance(bid, int) for bid in said) else ()
    return (*calls, *whole, *getattr(phase, "tokens", ()))


def _events_of(written: WrittenDeal, *wanted: Any) -> frozenset[int]:
    """The places of events that show these cards, and places themselves."""
    cards = {card for card in wanted if isinstance(card, str)}
    places = {place for place in wanted if isinstance(place, int)}
    return frozenset(places | {place for place, event in enumerate(written.deal.events) if getattr(event, "card", None) in cards})


def touches(written: WrittenDeal, slip: Slip, where: Reach) -> bool:
    """Whether a slip may touch what something hangs on; False if it surely leaves that as it is."""
    if slip.fields is not None:
        return where.begun
    if slip.aside is not None:
        return where.cards is None
    if slip.hands is not None:
        changed = dict[int, set[str]]()
        for name, cards in slip.hands.items():
            if (before := written.recorded.get(name)) is not cards:
                changed[written.table.place_of[name]] = {*cards} ^ {*(before or ())}
        moved = set[str]().union(*changed.values())
        return not where.hands.isdisjoint(changed) and (len(moved) > SINGLE or where.bears(*moved))
    places = {*(slip.changed or _places(written, slip.events or []))}
    if any(place < len(written.deal.events) and not is_play(written, place) for place in places):
        return True
    changed_rows = {each.row for each in written.plays if each.place in places}
    if not places or len(changed_rows) > 2:
        return True
    if slip.act.key in WHOLE_ROWS and not changed_rows.isdisjoint(where.rows):
        return True
    if slip.changed is None:  # in another order: every card of the rows
        places |= {each.place for each in written.plays if each.row in changed_rows}
    return not places.isdisjoint(where.events)


def _places(written: WrittenDeal, events: Events) -> Iterator[int]:
    """The places at which other events stand than are written, or at which one is put in, or before which."""
    stand = [place for place, _ in events if place is not None]
    for spot, (place, event) in enumerate(events):
        if place is None:
            near = [events[other][0] for other in (spot - 1, spot + 1) if 0 <= other < len(events)]
            yield from (place for place in near if place is not None)
        elif event is not written.deal.events[place]:
            yield place
    yield from (place for place, other in zip(stand, sorted(stand), strict=True) if place != other)
    if len(stand) < len(written.deal.events):
        yield from {*range(len(written.deal.events))} - {*stand}


def is_play(written: WrittenDeal, place: int) -> bool:
    """Whether a card is played in this place."""
    return type(written.deal.events[place]) is Play
