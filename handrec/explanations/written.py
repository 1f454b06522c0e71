"""A faulty deal as it is written, taken apart into sets: who is said to have played what, and whose card it is by the hands."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from handrec.cards import UNKNOWN, bits, is_known
from handrec.explanations.acts import Act
from handrec.findings import Finding
from handrec.game import Table
from handrec.game.hands import dealt_hands
from handrec.game.turn_order import ROW_NUMBER
from handrec.record import Deal, Play

#: So many cards that may have been meant are told or tried in one place.
FEW = 6


class WrittenPlay(NamedTuple):
    """A play: its place among the events, the seat and the card as written (-1: not told, or unknown), its row from 0."""

    place: int
    seat: int
    card: int
    row: int


#: Events in order, each with the place where it stands in the record, None for one that is put in.
Events = list[tuple[int | None, Any]]


class Mark(NamedTuple):
    """Where a slip is told: the pointer within the deal, the trick, and the facts."""

    pointer: str
    trick: int | None
    facts: dict[str, Any]


class Slip(NamedTuple):
    """A slip of the pen that may have happened: its act, where it is told, and the deal with it undone.

    `events`, `hands`, `aside` or other `fields` are those of the undone deal, None where they are as written; where events
    stay in their places, `changed` are the fields of those that change, by place. `words` say it in short.
    `others` are slips that would explain as much and cost no more; the same truth told in another way is none of them. A `twin`
    is the same slip in another place: one of the others, if the referee says so.
    """

    act: Act
    marks: tuple[Mark, ...]
    words: str
    events: Events | None = None
    hands: dict[str, list[str]] | None = None
    aside: dict[str, list[str]] | None = None
    others: tuple[tuple[Act, str], ...] = ()
    fields: dict[str, Any] | None = None
    changed: dict[int, dict[str, Any]] | None = None
    twin: Slip | None = None

    def undone(self, deal: Deal) -> Deal:
        """The deal with the slip undone."""
        changes: dict[str, Any] = {}
        if self.events is not None:
            changes["events"] = [event for _, event in self.events]
        if self.changed is not None:
            changes["events"] = [*deal.events]
            for place, fields in self.changed.items():
                changes["events"][place] = deal.events[place].model_copy(update=fields)
        if self.hands is not None:
            changes["hands"] = self.hands
        if self.aside is not None:
            changes["aside"] = self.aside
        changes |= self.fields or {}
        return deal.model_copy(update=changes)

    def was(self, place: int) -> int | None:
        """Where an event of the undone deal stands in the record."""
        if self.events is None:
            return place
        return self.events[place][0] if place < len(self.events) else None

    def after(self, done: Slip, deal: Deal) -> Slip:
        """A slip found in the deal with others undone, as one of the deal as it is written: undoing it undoes the others too."""
        undone = self.undone(done.undone(deal))
        places = [place for place, _ in self.events] if self.events is not None else range(len(undone.events))
        events = [(None if place is None else done.was(place), event) for place, event in zip(places, undone.events, strict=True)]
        marks = tuple(mark._replace(pointer=done.pointer_was(mark.pointer)) for mark in self.marks)
        fields = {name: getattr(undone, name) for name in {**(done.fields or {}), **(self.fields or {})}}
        return Slip(self.act, marks, self.words, events, undone.hands, undone.aside, self.others, fields)

    def pointer_was(self, pointer: str) -> str:
        """A pointer within the undone deal as one within the record; to all events, if it leads to one that is put in."""
        parts = pointer.split("/")
        if parts[1:2] != ["events"] or len(parts) < 3:
            return pointer
        place = self.was(int(parts[2]))
        return "/events" if place is None else "/".join(["", "events", str(place), *parts[3:]])

    def now(self, spots: Collection[str]) -> set[str]:
        """Events, hands and fields of the record, where they are in the undone deal: the other way round."""
        moved = {f"/events/{place}" for place, (stood, _) in enumerate(self.events or ()) if f"/events/{stood}" in spots}
        return moved | {spot for spot in spots if not spot.startswith("/events/")}

    def told_with(self, others: Iterable[tuple[Act, str]]) -> Slip:
        """The slip, told with others that are as likely."""
        return self._replace(others=tuple(dict.fromkeys(others)))


def all_of(slips: Sequence[Slip], deal: Deal) -> Slip | None:
    """Slips of one deal as one; None if two of them move events, or change the same hand, event or field."""
    changed, fields = dict[int, dict[str, Any]](), dict[str, Any]()
    dealt: dict[str, dict[str, list[str]]] = {"hands": {}, "aside": {}}
    moved = [slip.events for slip in slips if slip.events is not None]
    for slip in slips:
        changes: list[tuple[dict[Any, Any], dict[Any, Any]]] = [(changed, slip.changed or {}), (fields, slip.fields or {})]
        for what, put in dealt.items():
            was, now = getattr(deal, what) or {}, getattr(slip, what) or {}
            changes.append((put, {name: cards for name, cards in now.items() if was.get(name) != cards}))
        if len(moved) > 1 or any(known.keys() & new.keys() for known, new in changes):
            return None
        for known, new in changes:
            known.update(new)
    events: Events = [
        (place, event if place is None or place not in changed else event.model_copy(update=changed[place]))
        for place, event in (moved[0] if moved else enumerate(deal.events))
    ]
    hands, aside = ({**(getattr(deal, what) or {}), **put} if put else None for what, put in dealt.items())
    return slips[0]._replace(events=events, hands=hands, aside=aside, fields=fields, changed=None, twin=None)


@dataclass
class WrittenDeal:
    """A deal as it is written, and as the referee saw it. Seats are places at the table, cards bits, sets masks.

    `findings` are those that no slip explains yet.

    `own[seat]` is the hand as recorded, None where it is not, or not with known cards of the pack; `owner` the seats that a card
    is recorded with. Where cards go from hand to hand both are those of the play, or `before` of the deal.
    """

    deal: Deal
    table: Table
    findings: list[Finding]
    kind: str | None = None  # where the record comes from
    before: bool = False  # hands are looked at as they were dealt, before cards go from one to another
    heard: int = 0  # calls that were heard on trial to explain what is found
    own: list[int | None] = field(init=False)
    owners: dict[int, list[int]] = field(init=False)
    plays: list[WrittenPlay] = field(init=False)

    def __post_init__(self) -> None:
        table, index = self.table, self.table.pack.index
        self.own, self.owners = [None] * len(table.seats), {}
        for name, cards in {**dealt_hands(table), **self.recorded}.items():
            seat = table.place_of[name]
            known = [index[card] for card in cards if card in index]
            if len(known) == len(cards) and all(map(is_known, cards)):
                self.own[seat] = sum(1 << card for card in {*known})
            for card in known:
                self.owners.setdefault(card, []).append(seat)
        for _, giver, taker, mask in () if self.before else table.handed:  # a card is played from the hand that it came to
            for whose, keeps in ((giver, False), (taker, True)):
                if whose is not None and (held := self.own[whose]) is not None:
                    self.own[whose] = held | mask if keeps else held & ~mask
            for card in bits(mask):
                self.owners.pop(card, None)
                self.owners |= {card: [taker]} if taker is not None else {}
        self.plays = self._plays()

    @property
    def as_dealt(self) -> WrittenDeal:
        """The deal with each card that went from hand to hand counted for the seat that it was dealt to; itself if none went."""
        return replace(self, before=True) if self.table.handed else self

    @cached_property
    def came(self) -> dict[tuple[int, int], int]:
        """To whom each card that came to a seat was dealt (-1: to nobody, or it was laid away), by seat and card.

        What is named as passed counts for the hand of the seat that passed it, though it is not recorded there.
        """
        came, index = dict[tuple[int, int], int](), self.table.pack.index
        for place, giver, taker, mask in self.table.handed:
            named = getattr(self.deal.events[place], "cards", None) or [UNKNOWN]
            cards = [index[card] for card in named if card in index] if all(map(is_known, named)) else bits(mask)
            whose, owner = -1 if taker is None else taker, -1 if giver is None else giver
            came |= {(whose, card): came.get((owner, card), owner) for card in cards}
        return came

    @cached_property
    def charges(self) -> frozenset[tuple[str, int | None]]:
        """Who is accused, or ruled on, and of what trick; None is any."""
        return frozenset([(each.of, each.trick) for _, each in self.table.besides if each.do in ("accuse", "ruling")])

    def _plays(self) -> list[WrittenPlay]:
        """The plays with their rows: as typed, else as many as there are seats, or a card a seat where that does not come out."""
        table, index, many = self.table, self.table.pack.index, len(self.table.seats)
        events = [(place, event) for place, event in enumerate(self.deal.events) if type(event) is Play]
        typed = any(event.trick is not None for _, event in events)
        even = len(events) % many == 0
        seen = {each.place: each.seat for each in table.trace or () if each.place is not None}
        plays: list[WrittenPlay] = []
        row, held = 0, dict[int, int]()
        for place, event in events:
            seat = seen.get(place, -1) if event.by is None else table.place_of[event.by]
            begins = event.trick is not None if typed else len(held) == many or (seat >= 0 and seat in held.values() and not even)
            if begins and held:
                row, held = row + 1, {}
            held[place] = seat
            plays.append(WrittenPlay(place, seat, index.get(event.card, -1), row))
        return plays

    @cached_property
    def rows(self) -> list[list[WrittenPlay]]:
        """The plays row by row."""
        rows: list[list[WrittenPlay]] = []
        for each in self.plays:
            if each.row == len(rows):
                rows.append([])
            rows[-1].append(each)
        return rows

    @cached_property
    def from_hands(self) -> list[WrittenPlay]:
        """The plays, each by the seat in whose hand, as it is looked at, the card must stand."""
        if not self.before:
            return self.plays
        return [each._replace(seat=self.came.get((each.seat, each.card), each.seat)) for each in self.plays]

    @cached_property
    def played(self) -> list[int]:
        """What each seat is said to have played from its hand, or passed."""
        masks = [0] * len(self.table.seats)
        shown = [(seat, card) for (_, card), seat in self.came.items()] if self.before else []
        for seat, card in chain(shown, [(each.seat, each.card) for each in self.from_hands]):
            if seat >= 0 and card >= 0:
                masks[seat] |= 1 << card
        return masks

    @cached_property
    def counts(self) -> list[int]:
        """How many plays are said to be each seat's."""
        counts = [0] * len(self.table.seats)
        for each in self.plays:
            if each.seat >= 0:
                counts[each.seat] += 1
        return counts

    @cached_property
    def all_played(self) -> int:
        """Every card that is played."""
        mask = 0
        for one in self.played:
            mask |= one
        return mask

    @cached_property
    def all_dealt(self) -> int:
        """Every card that stands in a hand."""
        return sum(1 << card for card in self.owners)

    @cached_property
    def times(self) -> dict[int, list[WrittenPlay]]:
        """The plays of each card that is played more than once."""
        found: dict[int, list[WrittenPlay]] = {}
        for each in self.plays:
            if each.card >= 0:
                found.setdefault(each.card, []).append(each)
        return {card: plays for card, plays in found.items() if len(plays) > 1}

    @cached_property
    def foreign(self) -> list[WrittenPlay]:
        """The plays of cards that their seat does not hold, by its hand as recorded."""
        return [each for each in self.from_hands if each.seat >= 0 and not self.holds(each.seat, each.card)]

    def holds(self, seat: int, card: int) -> bool:
        """Whether a seat can have held a card, by its hand as recorded."""
        own = self.own[seat]
        return own is None or card < 0 or bool(own >> card & 1)

    def unplayed(self, seat: int) -> int:
        """The cards of a seat's recorded hand that it is not said to have played."""
        own = self.own[seat]
        return 0 if own is None else own & ~self.played[seat]

    @cached_property
    def held(self) -> list[list[int]]:
        """What the seats hold before each row: what they play from there on, and what they are known to hold and never play."""
        left = [self.unplayed(seat) for seat in range(len(self.table.seats))]
        held = list[list[int]]()
        for row in reversed(self.rows):
            for each in row:
                if each.seat >= 0 and each.card >= 0:
                    left[each.seat] |= 1 << each.card
            held.append(left[:])
        return held[::-1]

    @cached_property
    def recorded(self) -> dict[str, list[str]]:
        """The hands as recorded, by the names of seats."""
        return self.deal.hands or {}

    @cached_property
    def aside(self) -> set[str]:
        """The cards that are recorded as set aside."""
        return {card for cards in (self.deal.aside or {}).values() for card in cards}

    @cached_property
    def players(self) -> range:
        """The seats that players have."""
        return range(self.table.count)

    @cached_property
    def dealt_out(self) -> bool:
        """Whether every card of the pack is dealt to a player."""
        return self.table.undealt == 0

    @cached_property
    def nowhere(self) -> int:
        """The cards that stand in no hand and are set aside or played by nobody."""
        table, gone = self.table, self.all_played
        for own in self.own:
            gone |= own or 0
        gone |= table.pack.mask([card for card in self.aside if card in table.pack.index])
        for _, event in table.besides:
            if event.do == "turn" and event.card in table.pack.index:
                gone |= 1 << table.pack.index[event.card]
        return table.pack.full & ~gone

    def event(self, card: WrittenPlay) -> Play:
        """A play as it stands in the record."""
        event = self.deal.events[card.place]
        assert isinstance(event, Play)
        return event

    def name(self, card: int) -> str:
        """A card by name."""
        return self.table.pack.cards[card]

    def seat(self, place: int) -> str:
        """A seat by name."""
        return self.table.seats[place]

    @cached_property
    def row_of(self) -> dict[int, list[WrittenPlay]]:
        """The rows by the tricks that they are written as."""
        return {self.trick(row[0]): row for row in reversed(self.rows)}

    @cached_property
    def won(self) -> dict[int, int]:
        """Who won the tricks, as the referee saw them."""
        place_of = self.table.place_of
        return {trick.number: place_of[trick.winner] for trick in self.table.tricks if trick.winner is not None}

    def trick(self, play: WrittenPlay) -> int:
        """The number of the trick that a play is written in: the typed one, or that of its row."""
        return self.tricks[play.row]

    @cached_property
    def tricks(self) -> list[int]:
        """The tricks that the rows are: as typed, but where the number is told to be wrong, and where others go on from it."""
        due = {finding.pointer: finding.facts["due"] for finding in self.findings if finding.code == ROW_NUMBER.code}
        tricks, off = list[int](), 0
        for row, cards in enumerate(self.rows):
            typed = self.event(cards[0]).trick
            wrong = due.get(f"/deals/{self.table.index}/events/{cards[0].place}/trick")
            if typed is None or (wrong is None and tricks and typed == tricks[-1] + 1):
                off = 0
            elif wrong is not None:
                off = typed - wrong
            tricks.append(row + 1 if typed is None else typed - off)
        return tricks

    # --- the deal with something undone ---

    def events(self) -> Events:
        """The events as written."""
        return self._events[:]

    @cached_property
    def _events(self) -> Events:
        return list(enumerate(self.deal.events))

    def with_hands(self, changes: dict[int, list[str]]) -> dict[str, list[str]]:
        """The hands as recorded, but for some seats'."""
        return {**self.recorded, **{self.seat(seat): cards for seat, cards in changes.items()}}

    def passed_as(self, seat: int, found: str, due: str) -> dict[int, dict[str, Any]]:
        """The events in which a seat hands on a card that is written for another, put right, as `changed` of a slip."""
        if not self.table.handed:
            return {}
        passed = [place for place, giver, _, _ in self.table.handed if giver == seat]
        named = [(place, getattr(self.deal.events[place], "cards", None) or []) for place in passed]
        return {place: {"cards": [due if card == found else card for card in cards]} for place, cards in named if found in cards}
