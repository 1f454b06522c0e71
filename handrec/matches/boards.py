"""The results of tables, put together by boards; and what each board comes to."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import zip_longest
from sys import intern
from typing import Any, Literal, NamedTuple

from handrec.cards import FRENCH_52
from handrec.findings import Location, Verdict
from handrec.record import Bid, Deal, Play, Record
from handrec.scoring.together import imps, matchpoints
from handrec.sides import OF_TABLES

#: What may be written down of a side that hangs on its score.
CLAIMS = "score", *OF_TABLES

#: How tables are compared.
Form = Literal["imps", "matchpoints", "total"]

#: So many cards played tell two tables apart.
TELLING = 16

#: Gives the place in a file for a pointer into a record.
Locate = Callable[[str], Location]


@dataclass(frozen=True, slots=True)
class TableResult:
    """What a table made of a board; `score` is that of its first side, of two, None if it cannot be told.

    `name` is the record's, `index` the deal's place in it, `deal` its number, and `number` that of the board. `players` are both
    sides in words ("" not told), `teams` the one that sits first in the open room, and the other. `dealt` are the hands, where
    all are known; `match` and `matchpoints` the options of these names, "" if the record says nothing; `claims` what is written
    down, by side and what it is; `places` where that stands in the file, by pointer. `table` tells tables of one board apart: who
    sat there, or else what was played.
    """

    name: str
    index: int
    deal: int
    number: int
    sides: tuple[str, str]
    score: int | None
    stakes: str
    tricks: tuple[int | None, int | None]
    claims: Mapping[tuple[str, str], Any]
    match: str = ""
    matchpoints: str = ""
    event: str = ""
    section: str = ""
    room: str = ""
    players: tuple[str, str] = ("", "")
    teams: tuple[str, str] = ("", "")
    dealt: bytes = b""
    table: Hashable = None
    places: Mapping[str, Location] = field(default_factory=dict)

    @property
    def key(self) -> tuple[int, str, str]:
        """By what boards are sorted."""
        return self.number, self.event, self.section

    @property
    def marks(self) -> tuple[Hashable, ...]:
        """What tells it from a result of another board of this number; what is not told is false."""
        return self.event, self.section, self.dealt, all(self.teams) and tuple(sorted(self.teams))


def results_of(record: Record, verdict: Verdict, name: str, locate: Locate | None = None) -> Iterator[TableResult]:
    """The results of a record that can be compared with those of other tables: of numbered boards, scored each by itself.

    `locate` tells where in the file a pointer into the record leads.
    """
    if not any(result.sides for result in verdict.deals) or verdict.options.get("scoring", "duplicate") != "duplicate":
        return
    seats, said = {player.seat: player.name or "" for player in record.players}, _said(record)
    teams = said("HomeTeam"), said("VisitTeam")
    titles = said("vg").split(",")
    if not all(teams) and len(titles) >= 8:
        teams = titles[5].strip(), titles[7].strip()
    event = ", ".join(word for word in (said("Event"), said("Stage"), *map(str.strip, titles[:2])) if word)
    named = {key: value for key, value in verdict.options.items() if key in record.options}
    for index, (deal, result) in enumerate(zip(record.deals, verdict.deals, strict=False)):
        if deal.board is None or len(result.sides) != 2:
            continue
        (first, one), (second, other) = result.sides.items()
        claims = _claims(deal)
        yield TableResult(
            name,
            index,
            result.number,
            deal.board,
            (first, second),
            one.score,
            result.stakes,
            (one.tricks, other.tricks),
            claims,
            str(named.get("match", "")),
            str(named.get("matchpoints", "")),
            intern(event),
            intern(said("Section")),
            _room(said),
            (_pair([*seats.values()][0::2]), _pair([*seats.values()][1::2])),
            (intern(teams[0]), intern(teams[1])),
            _cards(deal, [*seats]),
            tuple(seats.values()) if all(seats.values()) else _played(deal),
            {place: locate(place) for place in (pointer_to(index, *key) for key in claims if key[1] != "score")}
            if locate
            else {},
        )


def _claims(deal: Deal) -> dict[tuple[str, str], Any]:
    """The scores, IMPs and matchpoints that are written down."""
    sides = (deal.claimed and deal.claimed.sides) or {}
    stated = {(side, what): getattr(said, what) for side, said in sides.items() for what in CLAIMS}
    return {key: number for key, number in stated.items() if number is not None}


def pointer_to(index: int, side: str, what: str) -> str:
    """Where in a record it is claimed what a side has."""
    return f"/deals/{index}/claimed/sides/{side}/{what}"


def _said(record: Record) -> Any:
    """What a record says under a name of PBN's or LIN's, as text; "" if nothing."""
    kept: dict[str, Any] = {}
    for form in ("pbn", "lin"):
        stated = record.extensions.get(form)
        pairs = [*stated.items()] if isinstance(stated, dict) else stated if isinstance(stated, list) else []
        for pair in pairs:  # tags, of which the first of a name counts
            match pair:
                case (str(key), value):
                    kept.setdefault(key.lower(), value)

    def said(key: str) -> str:
        value = kept.get(key.lower(), "")
        if isinstance(value, list) and value:
            value = value[0]
        return value.strip() if isinstance(value, str) else ""

    return said


def _room(said: Any) -> str:
    word = (said("Room") or said("room")).lower()
    match = re.match("[oc](?=[0-9])", said("qx").lower())
    return {"o": "open", "c": "closed"}.get(word[:1] or (match[0] if match else ""), "")


def _pair(names: list[str]) -> str:
    return " & ".join(names) if all(names) else ""


def _cards(deal: Deal, seats: list[str]) -> bytes:
    """The hands as masks of eight bytes; nothing unless all are known."""
    try:
        masks = [FRENCH_52.mask((deal.hands or {})[seat]) for seat in seats]
    except KeyError:
        return b""
    return b"".join(mask.to_bytes(8, "big") for mask in masks) if all(mask.bit_count() == 13 for mask in masks) else b""


def _played(deal: Deal) -> int | None:
    """A number for what was called and played, other if that is other; None if too little to be told from another table's."""
    events = tuple(
        (event.by, event.card if isinstance(event, Play) else event.bid) for event in deal.events if isinstance(event, Play | Bid)
    )
    return hash(events) if sum(isinstance(event, Play) for event in deal.events) >= TELLING else None


class Share(NamedTuple):
    """What a result is worth to both sides, in the form of its board."""

    first: Fraction
    second: Fraction


@dataclass
class MatchBoard:
    """The results of one board, in the order in which they were read."""

    results: list[TableResult] = field(default_factory=list)

    marks: list[Hashable] = field(default_factory=list)

    def takes(self, result: TableResult) -> bool:
        """Whether a result can be of this board: nothing tells them apart."""
        return all(not (a and b and a != b) for a, b in zip(self.marks, result.marks, strict=False))

    def add(self, result: TableResult) -> None:
        """Add a result, and what it tells of the board."""
        self.results.append(result)
        self.marks = [a or b for a, b in zip_longest(self.marks, result.marks)]

    @cached_property
    def tables(self) -> list[TableResult]:
        """The result of each table, as its first record has it."""
        first = {_table(each): each for each in reversed(self.results)}
        return [each for each in self.results if first[_table(each)] is each]

    @property
    def number(self) -> int:
        """Its number."""
        return self.results[0].number

    @property
    def sides(self) -> tuple[str, str]:
        """What its sides are called, as the first table has them."""
        return self.results[0].sides

    @property
    def event(self) -> str:
        """The event that a result names."""
        return next((each.event for each in self.results if each.event), "")

    @property
    def section(self) -> str:
        """The section that a result names."""
        return next((each.section for each in self.results if each.section), "")

    @cached_property
    def forms(self) -> set[Form]:
        """How its tables are to be compared, by what their records say and have written down."""
        claimed = {what for each in self.results for _, what in each.claims}
        two = len(self.tables) == 2 and ("imps" in claimed or "matchpoints" not in claimed)
        by_tables: Form = "imps" if two else "matchpoints"
        chosen: set[Any] = {each.match or "by_tables" for each in self.results}
        return {by_tables if form == "by_tables" else form for form in chosen}

    @cached_property
    def why_not(self) -> str:
        """Why its tables cannot be compared; "" if they can."""
        if len(self.tables) < 2:
            return "it was played at one table"
        if len(self.forms) > 1 or len({each.matchpoints or "two_one" for each in self.results}) > 1:
            return "its tables are to be compared in different ways"
        unknown = [short(each.name) for each in self.results if each.score is None]
        if unknown:
            return f"the score of {unknown[0]} is not known"
        scores = {_table(each): each.score for each in self.tables}
        twice = [short(each.name) for each in self.results if each.score != scores[_table(each)]]
        if twice:
            return f"{twice[0]} is of a table of which another record has another score"
        if self.forms == {"imps"} and len(self.tables) > 2:
            return "IMPs are between two tables, and it was played at more"
        rooms = [each.room for each in self.tables]
        if self.forms == {"imps"} and rooms[0] and rooms[0] == rooms[1]:
            return f"both tables are of the {rooms[0]} room"
        return ""

    @property
    def form(self) -> Form | None:
        """How its tables are compared; None if they cannot be."""
        return None if self.why_not else next(iter(self.forms))

    @property
    def scale(self) -> int:
        """By what matchpoints are divided: 2 where a result beaten counts one and an equal one a half."""
        return 2 if self.results[0].matchpoints == "one_half" else 1

    @cached_property
    def shares(self) -> list[Share]:
        """What each result is worth, in their order; nothing if they cannot be compared."""
        return self.worth([each.score or 0 for each in self.tables], self.scale)

    def worth(self, scores: list[int], scale: int) -> list[Share]:
        """What each result would be worth if the tables had these scores; nothing if they cannot be compared."""
        if self.form is None:
            return []
        shares = [Share(Fraction(score), Fraction(-score)) for score in scores]
        if self.form == "imps":
            won = Fraction(imps(scores[0] - scores[1]))
            shares = [Share(won, -won), Share(-won, won)]
        elif self.form == "matchpoints":
            top = 2 * (len(scores) - 1)
            shares = [Share(Fraction(points, scale), Fraction(top - points, scale)) for points in matchpoints(scores)]
        by_table = dict(zip(map(_table, self.tables), shares, strict=True))
        return [by_table[_table(each)] for each in self.results]

    @property
    def most(self) -> Fraction:
        """The matchpoints that a result can have here."""
        return sum(self.shares[0], Fraction()) if self.form == "matchpoints" else Fraction()


def short(name: str) -> str:
    """A record's name without the folders before it."""
    return name.rpartition("/")[2]


def _table(result: TableResult) -> Hashable:
    """By what results of one table are told: nothing tells that two of nobody knows whom are."""
    return id(result) if result.table is None else result.table


def boards_of(results: Iterable[TableResult]) -> list[MatchBoard]:
    """The boards of some results, in order of their numbers.

    A result is of the latest board of its number of which nothing tells it apart. A board is found by what it tells in common
    with each kind of result that there is, so that the work grows with the results, and not with their square.
    """
    results = [*results]
    kinds: dict[int, set[int]] = {}
    for result in results:
        kinds.setdefault(result.number, set()).add(_kind(result))
    boards: list[MatchBoard] = []
    latest: dict[Hashable, int] = {}
    for result in results:
        mine, others = _kind(result), kinds[result.number]
        found = {latest.get((result.number, kind, _common(result, kind & mine)), -1) for kind in others}
        place = next((each for each in sorted(found - {-1}, reverse=True) if boards[each].takes(result)), len(boards))
        if place == len(boards):
            boards.append(MatchBoard())
        boards[place].add(result)
        latest.update({(result.number, mine, _common(result, kind & mine)): place for kind in others})
    return sorted(boards, key=lambda board: board.results[0].key)


def _kind(result: TableResult) -> int:
    """Which of what may tell a result apart is told, a bit each."""
    return sum(bool(each) << place for place, each in enumerate(result.marks))


def _common(result: TableResult, kind: int) -> Hashable:
    """What a result tells of these."""
    return tuple(each for place, each in enumerate(result.marks) if kind >> place & 1)
