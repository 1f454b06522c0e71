"""Where records disagree: a row for every thing that one states and another states otherwise, or not at all."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from handrec import writing
from handrec.diff.leaves import Leaf, Leaves, Path, gather, spread, under
from handrec.judging import Find
from handrec.record import Record
from handrec.repair.edits import ABSENT

#: Claims that are stated for each seat.
_BY_SEAT = ("bids", "tricks", "scores", "totals")

#: What one part of a field is called.
_ONE = {"extensions": "extension"} | {
    f"{word}s": word for word in ("bid", "score", "total", "winner", "hand", "comment", "name", "option")
}

RowStanding = Literal["majority", "only", "conflict"]

#: In this order a reader meets what records state; what is not named here stands between the deals and `NOTES`.
FIRST = ("game", "options", "players", "status", "deals", "claimed")
IN_DEAL = ("number", "dealer", "leader", "cards", "status", "pack", "hands", "aside", "events", "claimed", "comments")

#: What is no fact of the game: who played and who wrote it down, and what they noted.
NOTES = ("names", "comments", "provenance", "extensions", "id", "format", "version", "$schema")


@dataclass(frozen=True)
class DiffRow:
    """One place where records disagree.

    `leaves` are what each record states there, None where it states nothing; `votes` whether that counts: a record that
    has nothing of the kind is silent. A whole deal that only some records have is one row.
    """

    path: Path
    deal: int | None
    leaves: tuple[Leaf | None, ...]
    votes: tuple[bool, ...]

    @property
    def values(self) -> tuple[Any, ...]:
        """What each record states, `ABSENT` where nothing."""
        return tuple(ABSENT if leaf is None else leaf.value for leaf in self.leaves)

    @property
    def note(self) -> bool:
        """Whether it is no fact of the game: a name, a comment, where the record is from, a typed number of a trick, a mark."""
        if self._part[:1] == ("events",) and None not in self.leaves:
            return len({str(writing.event_facts(json.loads(leaf.meaning))) for leaf in self.leaves if leaf}) == 1
        return self.path[0] in NOTES or (len(self.path) > 2 and self.path[2] == "comments")

    @property
    def trick(self) -> int | None:
        """The trick of a play, or of a claimed winner."""
        if self._part[:2] == ("claimed", "winners") and len(self.path) > 4:
            return int(self.path[4]) + 1
        return min((leaf.trick for leaf in self.leaves if leaf and leaf.trick is not None), default=None)

    @property
    def seat(self) -> str | None:
        """The seat that it is about, if there is one and the records agree on it."""
        if self._part[:1] == ("events",):
            seats = {leaf.seat for leaf in self.leaves if leaf}
            return seats.pop() if len(seats) == 1 else None
        named = self.path[0] == "names" or self.path[-2] in ("hands", *_BY_SEAT) if len(self.path) > 1 else False
        return str(self.path[1] if self.path[0] == "names" else self.path[-1]) if named else None

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
        """The records that agree with each other here, by their places; silent ones are left out."""
        told: dict[str | None, list[int]] = {}
        for who, leaf in enumerate(self.leaves):
            if self.votes[who]:
                told.setdefault(leaf.meaning if leaf else None, []).append(who)
        return tuple(map(tuple, told.values()))

    @property
    def standing(self) -> RowStanding:
        """Whether only one record states it, more than half of those that vote agree, or neither."""
        if sum(leaf is not None for leaf in self.leaves) == 1:
            return "only"
        return "conflict" if self.majority is None else "majority"

    @property
    def majority(self) -> tuple[int, ...] | None:
        """The records that agree, if they are more than half of two or more that vote."""
        most, voters = max(self.groups, key=len), sum(self.votes)
        return most if 1 < voters < 2 * len(most) else None


@dataclass(frozen=True)
class Difference:
    """How records disagree: `rows` in reading order; `alike` counts the places that agree."""

    records: tuple[Record, ...]
    rows: tuple[DiffRow, ...]
    alike: int
    leaves: tuple[Leaves, ...]

    @property
    def same(self) -> bool:
        """Whether the records say the same."""
        return not self.rows

    @property
    def first(self) -> DiffRow | None:
        """The first divergence in what happened; if there is none, in what is noted."""
        return next((row for row in self.rows if not row.note), self.rows[0] if self.rows else None)


def compare(records: Sequence[Record], find: Find | None = None, facts: bool = False) -> Difference:
    """How two or more records of the same deals disagree.

    Deals are matched by number, hands compared as sets, events aligned by kind and seat; a comment goes with its event.
    `find` gives the game for its name: with it, the referee says in which trick a play is, and whose it is if the record
    does not; an option that is stated with its default is then no difference. With `facts`, notes are not compared:
    names, comments, provenance, extensions, ids. Raises ValueError for fewer than two records.

    `compare([a, b])` mirrors `compare([b, a])`: the same rows, each with its leaves the other way round.
    """
    if len(records) < 2:
        raise ValueError("two records are needed to compare")
    spreads = spread(records, find)
    paths = sorted({path for leaves in spreads for path in leaves}, key=_order)
    rows: list[DiffRow] = []
    alike = 0
    has = [{path[1] for path in leaves if path[0] == "deals"} for leaves in spreads]
    kinds = [{(*path[:3], leaf.value["do"]) for path, leaf in leaves.items() if path[2:3] == ("events",)} for leaves in spreads]
    told: set[str | int] = set()
    for path in paths:
        column = path[1] if path[0] == "deals" else None
        there = [column is None or column in deals for deals in has]
        number = None if column is None else _number(spreads, column)
        if column is not None and column not in told and not all(there):
            told.add(column)
            rows.append(
                DiffRow(path[:2], number, tuple(_whole_deal(leaves, path[:2]) for leaves in spreads), (True,) * len(records))
            )
        leaves = tuple(leaves.get(path) for leaves in spreads)
        if len({leaf.meaning if leaf else None for leaf, here in zip(leaves, there, strict=True) if here}) == 1:
            alike += 1
            continue
        row = DiffRow(path, number, leaves, _votes(path, leaves, there, kinds))
        if not (facts and row.note):
            rows.append(row)
    return Difference(tuple(records), tuple(rows), alike, tuple(spreads))


def _votes(
    path: Path, leaves: Sequence[Leaf | None], there: Sequence[bool], kinds: Sequence[set[tuple[str | int, ...]]]
) -> tuple[bool, ...]:
    """Whose word counts: who states something, and, for an event, who records events of its kind but not this one."""
    does = {(*path[:3], leaf.value["do"]) for leaf in leaves if leaf} if path[2:3] == ("events",) else set()
    return tuple(
        here and (leaf is not None or bool(does & known)) for leaf, here, known in zip(leaves, there, kinds, strict=True)
    )


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
