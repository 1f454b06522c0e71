"""Where records disagree: a row for every thing that one states and another states otherwise, or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

from handrec import writing
from handrec.diff.leaves import Leaf, Leaves, Path, cards_of, field_of, gather, spread, under
from handrec.diff.seats import Seating, is_of_seat, seated
from handrec.judging import Find
from handrec.record import Record
from handrec.repair.edits import ABSENT

#: What one part of a field is called.
_ONE = {"extensions": "extension"} | {
    f"{word}s": word for word in ("bid", "score", "total", "winner", "hand", "comment", "name", "option")
}

RowStanding = Literal["majority", "only", "conflict"]

#: In this order a reader meets what records state; what is not named here stands between the deals and `NOTES`.
FIRST = ("game", "options", "players", "status", "deals", "claimed")
IN_DEAL = (
    "number",
    "board",
    "dealer",
    "vulnerable",
    "leader",
    "cards",
    "status",
    "pack",
    "hands",
    "aside",
    "events",
    "claimed",
    "comments",
)

#: What is no fact of the game: who played and who wrote it down, and what they noted.
NOTES = ("names", "comments", "provenance", "extensions", "id", "format", "version", "$schema")


@dataclass(frozen=True)
class DiffRow:
    """One place where records disagree.

    `leaves` are what each record states there, None where it states nothing; `votes` whether that counts: a record that
    has nothing of the kind is silent. `elsewhere` are the columns in which those who leave a card or a call out here have it
    instead; `plays` is how many plays each has in the deal. A whole deal that only some records have is one row.
    """

    path: Path
    deal: int | None
    leaves: tuple[Leaf | None, ...]
    votes: tuple[bool, ...]
    elsewhere: tuple[frozenset[int], ...] = ()
    plays: tuple[int, ...] = ()

    @property
    def values(self) -> tuple[Any, ...]:
        """What each record states, `ABSENT` where nothing."""
        return tuple(ABSENT if leaf is None else leaf.value for leaf in self.leaves)

    @property
    def note(self) -> bool:
        """Whether it is no fact of the game: a name, a comment, where the record is from, a typed number of a trick, a mark."""
        if field_of(self.path) == "events" and None not in self.leaves:
            return len({str(writing.event_facts(json.loads(leaf.meaning))) for leaf in self.leaves if leaf}) == 1
        return self.path[0] in NOTES or field_of(self.path) == "comments"

    @property
    def trick(self) -> int | None:
        """The trick of a play, or of a claimed winner."""
        if self._part[:2] == ("claimed", "winners") and len(self.path) > 4:
            return int(self.path[4]) + 1
        return min((leaf.trick for leaf in self.leaves if leaf and leaf.trick is not None), default=None)

    @property
    def seat(self) -> str | None:
        """The seat that it is about, if there is one and the records agree on it."""
        if field_of(self.path) == "events":
            seats = {leaf.seat for leaf in self.leaves if leaf}
            return seats.pop() if len(seats) == 1 else None
        if self.path[0] == "names":
            return str(self.path[1])
        return str(self.path[-1]) if is_of_seat(self._part or self.path) else None

    @property
    def place(self) -> str:
        """Where it is, as card players say it: "deal 7, trick 5, E"; empty for the game as a whole."""
        seat = f"seat {self.seat}" if self.seat and self.seat.isdigit() else self.seat
        parts = [word and f"{kind}{word}" for kind, word in (("deal ", self.deal), ("trick ", self.trick), ("", seat))]
        return ", ".join(part for part in parts if part)

    @property
    def what(self) -> str:
        """What it is, in a few words: "play", "hand", "claimed score", "option ladder"."""
        field, *more = self._part or self.path
        if field == "events":
            return str(next(leaf for leaf in self.leaves if leaf).value["do"])
        if field == "claimed" and more[:1] == ["sides"] and len(more) > 1:
            return f"claimed {' '.join(map(str, more[1:]))}"
        if field == "claimed" and more:
            return f"claimed {_ONE.get(str(more[0]), more[0])}" if len(more) > 1 else f"claimed {more[0]}"
        words = [_ONE.get(str(field), field), *(more if field in ("options", "aside", "provenance", "extensions") else [])]
        return " ".join(map(str, words))

    @property
    def _part(self) -> Path:
        """The path within a deal; empty for what is of the whole game."""
        return (self.path[2:] or ("deal",)) if self.path[0] == "deals" else ()

    @property
    def groups(self) -> tuple[tuple[int, ...], ...]:
        """The records that agree with each other here, by their places; silent ones are left out.

        Who has a card in another place and who has it nowhere both leave it out here, and do not agree. Nor do those who have
        it in different tricks, unless one of them lacks plays, or has too many, so that its tricks are miscounted.
        """
        told: dict[Any, list[int]] = {}
        for who, leaf in enumerate(self.leaves):
            if self.votes[who]:
                absent = self.elsewhere[who] if self.elsewhere else None
                told.setdefault(leaf.meaning if leaf else absent, []).append(who)
        return tuple(part for group in told.values() for part in self._by_trick(group))

    def _by_trick(self, group: list[int]) -> list[tuple[int, ...]]:
        """The records that state the same, apart if they have as many plays and do not state it in the same trick."""
        tricks = {who: leaf.trick for who in group if (leaf := self.leaves[who]) is not None}
        counted = {(self.plays[who], trick) for who, trick in tricks.items()} if self.plays else set()
        if len(counted) == len({many for many, _ in counted}):
            return [tuple(group)]
        return [tuple(who for who in group if tricks[who] == trick) for trick in dict.fromkeys(tricks.values())]

    @property
    def standing(self) -> RowStanding:
        """Whether only one record states it, more than half of those that vote agree, or neither."""
        if self.majority is not None:
            return "majority"
        return "only" if sum(leaf is not None for leaf in self.leaves) == 1 else "conflict"

    @property
    def majority(self) -> tuple[int, ...] | None:
        """The records that agree, if they are more than half of two or more that vote."""
        most, voters = max(self.groups, key=len), sum(self.votes)
        return most if 1 < voters < 2 * len(most) else None


@dataclass(frozen=True)
class Difference:
    """How records disagree: `rows` in reading order; `alike` counts the places that agree.

    `records` have common names for their seats, and so have the rows; `seatings` tell how each record came by them.
    """

    records: tuple[Record, ...]
    rows: tuple[DiffRow, ...]
    alike: int
    leaves: tuple[Leaves, ...]
    seatings: tuple[Seating, ...] = ()

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The records by what they say, so that nothing hangs on the order in which they come."""
        return tuple(sorted(range(len(self.records)), key=lambda who: writing.line(self.records[who])))

    @property
    def same(self) -> bool:
        """Whether the records say the same."""
        return not self.rows

    @property
    def first(self) -> DiffRow | None:
        """The first divergence in what happened; if there is none, in what is noted."""
        return next((row for row in self.rows if not row.note), self.rows[0] if self.rows else None)


def compare(records: Sequence[Record], find: Find | None = None, facts: bool = False, seats: bool = True) -> Difference:
    """How two or more records of the same deals disagree.

    Seats are matched as `seats.seated` says, or not at all without `seats`; deals by number; hands are compared as sets, events
    aligned by kind, seat and card; a comment goes with its event. `find` gives the game for its name: with it, the referee says
    in which trick a play is, and whose it is if the record does not; an option that is stated with its default is then no
    difference. With `facts`, notes are not compared: names, comments, provenance, extensions, ids. Raises ValueError for fewer
    than two records, `CannotSeat` if it cannot be told which seats are the same.

    The order of the records does not matter: the same rows come of it, with their leaves in that order.
    """
    if len(records) < 2:
        raise ValueError("two records are needed to compare")
    seatings = tuple[Seating, ...]()
    if seats:
        records, seatings = seated(records, find)
    spreads = spread(records, find)
    for leaves, record, seating in zip(spreads, records, seatings, strict=bool(seats)):
        if not seating.same or [*seating.called] != [player.seat for player in record.players]:
            leaves |= {path: replace(leaf, pointer=seating.own(leaf.pointer, record)) for path, leaf in leaves.items()}
    voters = _Voters(spreads, len(records[0].players))
    rows: list[DiffRow] = []
    alike = 0
    told: set[str | int] = set()
    for path in sorted({path for leaves in spreads for path in leaves}, key=_order):
        column = path[1] if path[0] == "deals" else None
        there = voters.have(column)
        number = None if column is None else _number(spreads, column)
        if column is not None and column not in told and not all(there):
            told.add(column)
            rows.append(DiffRow(path[:2], number, tuple(_whole_deal(leaves, path[:2]) for leaves in spreads), there))
        found = tuple(leaves.get(path) for leaves in spreads)
        if len({leaf.meaning if leaf else None for leaf, here in zip(found, there, strict=True) if here}) == 1:
            alike += 1
            continue
        row = DiffRow(path, number, found, voters.on(path, found), *voters.around(path, found))
        if not (facts and row.note):
            rows.append(row)
    return Difference(tuple(records), tuple(rows), alike, tuple(spreads), seatings)


class _Voters:
    """Who votes on a place where records disagree: those who could say it, and nobody else.

    A record that has not the deal does not vote on it, nor on anything in it. On an event those vote who have events of its kind
    in that deal, also by leaving it out; on all else, those who state it. Silent is moreover

    - on a play, a record that begins later or breaks off earlier, by a whole trick or more, and has not the card elsewhere;
    - on how a deal or the game ended, one that breaks off, or lacks deals, and says so;
    - on cards, one that has not seen them all (`"??"`), if another has.

    A majority is more than half of those who vote. Who is silent neither supports nor blocks it.
    """

    def __init__(self, spreads: Sequence[Leaves], players: int) -> None:
        self.deals = [{path[1] for path in leaves if path[0] == "deals"} for leaves in spreads]
        self.kinds: list[set[tuple[str | int, str]]] = []
        self.plays: list[dict[str | int, dict[int, set[str]]]] = []
        self.places: list[dict[tuple[str | int, str], set[int]]] = []
        for leaves in spreads:
            events = [(path, leaf) for path, leaf in leaves.items() if field_of(path) == "events"]
            self.kinds.append({(path[1], leaf.value["do"]) for path, leaf in events})
            self.plays.append({})
            self.places.append({})
            for path, leaf in events:
                for mark in cards_of(path, leaf) or {leaf.meaning}:
                    self.places[-1].setdefault((path[1], mark), set()).add(int(path[3]))
                if leaf.value["do"] == "play":
                    self.plays[-1].setdefault(path[1], {})[int(path[3])] = cards_of(path, leaf)
        self.players = players

    def have(self, deal: str | int | None) -> tuple[bool, ...]:
        """Which records have a deal; all have what is of the whole game."""
        return tuple(deal is None or deal in deals for deals in self.deals)

    def on(self, path: Path, leaves: Sequence[Leaf | None]) -> tuple[bool, ...]:
        """Which records vote on a place."""
        deal = path[1] if path[0] == "deals" else None
        votes = list(self.have(deal))
        does = {leaf.value["do"] for leaf in leaves if leaf} if field_of(path) == "events" else set()
        for who, leaf in enumerate(leaves):
            if leaf is None:
                votes[who] = (
                    votes[who] and any((deal, do) in self.kinds[who] for do in does) and not self._beyond(who, path, leaves)
                )
            elif "status" in (field_of(path), path[0]) and leaf.value not in ("complete", "claimed"):
                votes[who] = not self._breaks_off(who, deal)
        seen = [leaf is not None and not any("?" in card for card in cards_of(path, leaf)) for leaf in leaves]
        if any(seen):
            votes = [voting and (sees or leaf is None) for voting, sees, leaf in zip(votes, seen, leaves, strict=True)]
        return tuple(votes)

    def around(self, path: Path, leaves: Sequence[Leaf | None]) -> tuple[tuple[frozenset[int], ...], tuple[int, ...]]:
        """Of an event: where else each record has its cards, or it without cards, and others have not; how many plays it has."""
        if field_of(path) != "events":
            return (), ()
        stating = [who for who, leaf in enumerate(leaves) if leaf is not None]
        marks = {mark for leaf in leaves if leaf is not None for mark in cards_of(path, leaf) or {leaf.meaning}}
        columns = [{column for mark in marks for column in held.get((path[1], mark), ())} for held in self.places]
        known = set[int]().union(*(columns[who] for who in stating))
        elsewhere = (frozenset[int]() if who in stating else frozenset(mine - known) for who, mine in enumerate(columns))
        return tuple(elsewhere), tuple(len(plays.get(path[1], ())) for plays in self.plays)

    def _beyond(self, who: int, path: Path, leaves: Sequence[Leaf | None]) -> bool:
        """Whether a play is outside of those that a record has, by a whole trick or more, and not among them."""
        mine, column = self.plays[who].get(path[1], {}), int(path[3])
        cards = {card for leaf in leaves if leaf and leaf.value["do"] == "play" for card in cards_of(path, leaf)}
        if not mine or min(mine) < column < max(mine) or any(cards & known for known in mine.values()):
            return False
        return len(self._outside(who, path[1], column > max(mine))) >= self.players

    def _outside(self, who: int, deal: str | int, after: bool) -> set[int]:
        """The plays that others have after the last of a record, or before its first."""
        mine = self.plays[who].get(deal, {})
        others = {column for plays in self.plays for column in plays.get(deal, {})}
        return {column for column in others if (column > max(mine) if after else column < min(mine))} if mine else others

    def _breaks_off(self, who: int, deal: str | int | None) -> bool:
        """Whether others go on where a record ends."""
        if deal is None:
            return any(deals - self.deals[who] for deals in self.deals)
        return bool(self._outside(who, deal, True))


def _order(path: Path) -> tuple[Any, ...]:
    """Paths in the order in which a reader meets what they name."""
    rank = FIRST.index(path[0]) if path[0] in FIRST else len(FIRST) + NOTES.index(str(path[0]))
    if path[0] == "deals":
        return (rank, path[1], IN_DEAL.index(str(path[2])), *(_sorted(step) for step in path[3:]))
    return (rank, 0, 0, *(_sorted(step) for step in path[1:]))


def _sorted(step: str | int) -> tuple[int, str]:
    return (step, "") if isinstance(step, int) else (0, step)


def _number(spreads: Sequence[Leaves], column: str | int) -> int:
    """A deal's number: the one stated, else its place in the record."""
    numbers = []
    for leaves in spreads:
        status = leaves.get(("deals", column, "status"))
        if status is not None:
            stated = leaves.get(("deals", column, "number"))
            numbers.append(stated.value if stated else int(status.pointer.split("/")[2]) + 1)
    return min(numbers)


def _whole_deal(leaves: Leaves, path: Path) -> Leaf | None:
    """A deal as one leaf."""
    parts = under(leaves, path)
    if not parts:
        return None
    pointer = "/".join(parts[*path, "status"].pointer.split("/")[:3])
    deal = gather({**parts, ("players",): Leaf([], "", "")})["deals"][0]
    return Leaf(deal, "the deal", pointer)
