"""The results of tables, put together by boards; and what each board comes to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal, NamedTuple

from handrec.cards import FRENCH_52
from handrec.findings import Citation, Fault, Finding, Verdict, Work
from handrec.matches.points import imps, matchpoints
from handrec.record import Deal, Record, SideClaims

#: How tables are compared.
Form = Literal["imps", "matchpoints", "total"]

LAWS = Work("Laws of Duplicate Bridge", "World Bridge Federation", "edition of 2017")
IMPS = Fault(
    "SCO008", "imps", "L6", "The IMPs of a board follow from the difference between the scores of two tables.",
    "{seat} is recorded with {found} IMPs, but {scores} make {due}", id="BR-78a", citation=Citation(LAWS, "Law 78B"),
)  # fmt: skip
MATCHPOINTS = Fault(
    "SCO009", "matchpoints", "L6", "A side has matchpoints for each result that it beats, half as many for an equal one.",
    "{seat} is recorded with {found} matchpoints, but {scores} make {due}", id="BR-78b", citation=Citation(LAWS, "Law 78A"),
)  # fmt: skip


@dataclass(frozen=True)
class TableResult:
    """What a table made of a board; `score` is that of its first side, of two, None if it cannot be told.

    `name` is the record's, `index` the deal's place in it. `players` are both sides in words ("" not told), `teams` the one that
    sits first in the open room, and the other. `dealt` are the hands as masks, where all are known; `claims` what is written
    down by side.
    """

    name: str
    index: int
    number: int
    sides: tuple[str, str]
    score: int | None
    stakes: str
    tricks: tuple[int | None, int | None]
    claims: Mapping[str, SideClaims]
    options: Mapping[str, Any]
    event: str = ""
    section: str = ""
    room: str = ""
    players: tuple[str, str] = ("", "")
    teams: tuple[str, str] = ("", "")
    dealt: tuple[int, ...] = ()

    @property
    def key(self) -> tuple[int, str, str]:
        """By what boards are sorted."""
        return self.number, self.event, self.section


def results_of(record: Record, verdict: Verdict, name: str) -> Iterator[TableResult]:
    """The results of a record that can be compared with those of other tables: of numbered boards, scored each by itself."""
    if verdict.options.get("scoring", "duplicate") != "duplicate":
        return
    seats, said = {player.seat: player.name or "" for player in record.players}, _said(record)
    teams = said("HomeTeam"), said("VisitTeam")
    titles = said("vg").split(",")
    if not all(teams) and len(titles) >= 8:
        teams = titles[5].strip(), titles[7].strip()
    for index, (deal, result) in enumerate(zip(record.deals, verdict.deals, strict=False)):
        number = deal.board or deal.number
        if number is None or len(result.sides) != 2:
            continue
        (first, one), (second, other) = result.sides.items()
        yield TableResult(
            name,
            index,
            number,
            (first, second),
            one.score,
            result.stakes,
            (one.tricks, other.tricks),
            (deal.claimed and deal.claimed.sides) or {},
            verdict.options,
            said("Event") or titles[0].strip(),
            said("Section"),
            _room(said),
            (_pair([*seats.values()][0::2]), _pair([*seats.values()][1::2])),
            teams,
            _cards(deal, [*seats]),
        )


def _said(record: Record) -> Any:
    """What a record says under a name of PBN's or LIN's, as text; "" if nothing."""
    kept: dict[str, Any] = {}
    for form in ("pbn", "lin"):
        stated = record.extensions.get(form)
        kept |= {key.lower(): value for key, value in stated.items()} if isinstance(stated, dict) else {}

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


def _cards(deal: Deal, seats: list[str]) -> tuple[int, ...]:
    """The hands as masks; nothing unless all are known."""
    try:
        masks = [FRENCH_52.mask((deal.hands or {})[seat]) for seat in seats]
    except KeyError:
        return ()
    return tuple(masks) if all(mask.bit_count() == 13 for mask in masks) else ()


class Share(NamedTuple):
    """What a result is worth to both sides, in the form of its board."""

    first: Fraction
    second: Fraction


@dataclass
class MatchBoard:
    """The results of one board, in the order in which they were read."""

    results: list[TableResult] = field(default_factory=list)

    def takes(self, result: TableResult) -> bool:
        """Whether a result can be of this board: nothing tells them apart."""
        stated = [(each.event, each.section, each.dealt) for each in self.results]
        mine = result.event, result.section, result.dealt
        return all(not (a and b and a != b) for other in stated for a, b in zip(mine, other, strict=True))

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
        """How its tables are to be compared, by what their records say."""
        many: Form = "imps" if len(self.results) == 2 else "matchpoints"
        chosen = {each.options.get("match", "by_tables") for each in self.results}
        return {many if form == "by_tables" else form for form in chosen}

    @property
    def why_not(self) -> str:
        """Why its tables cannot be compared; "" if they can."""
        if len(self.results) < 2:
            return "it was played at one table"
        if len(self.forms) > 1 or len({each.options.get("matchpoints", "two_one") for each in self.results}) > 1:
            return "its tables are to be compared in different ways"
        unknown = [each.name.rpartition("/")[2] for each in self.results if each.score is None]
        if unknown:
            return f"the score of {unknown[0]} is not known"
        if self.forms == {"imps"} and len(self.results) > 2:
            return "IMPs are between two tables, and it was played at more"
        return ""

    @property
    def form(self) -> Form | None:
        """How its tables are compared; None if they cannot be."""
        return None if self.why_not else next(iter(self.forms))

    @cached_property
    def shares(self) -> list[Share]:
        """What each result is worth, in their order; nothing if they cannot be compared."""
        scores = [each.score or 0 for each in self.results]
        if self.form == "imps":
            won = Fraction(imps(scores[0] - scores[1]))
            return [Share(won, -won), Share(-won, won)]
        if self.form == "matchpoints":
            unit = Fraction(1, 2 if self.results[0].options.get("matchpoints") == "one_half" else 1)
            top = 2 * (len(scores) - 1)
            return [Share(points * unit, (top - points) * unit) for points in matchpoints(scores)]
        return [Share(Fraction(score), Fraction(-score)) for score in scores] if self.form == "total" else []

    @property
    def most(self) -> Fraction:
        """The matchpoints that a result can have here."""
        return sum(self.shares[0], Fraction()) if self.form == "matchpoints" else Fraction()

    @property
    def findings(self) -> list[tuple[TableResult, Finding]]:
        """The IMPs and matchpoints that are written down and not right: of both sides of a table the first."""
        fault = {"imps": IMPS, "matchpoints": MATCHPOINTS}.get(self.form or "")
        if fault is None:
            return []
        claims = [
            [
                (side, Fraction(said))
                for side in each.sides
                if (said := getattr(each.claims.get(side), fault.name, None)) is not None
            ]
            for each in self.results
        ]
        if fault is MATCHPOINTS and any(not 0 <= found <= self.most for table in claims for _, found in table):
            return []  # more tables played it than are here
        told, scores = [], ", ".join(f"{each.score:+d}" for each in self.results[:10]) + " …" * (len(self.results) > 10)
        for result, share, table in zip(self.results, self.shares, claims, strict=True):
            for side, found in table:
                due = share[result.sides.index(side)]
                if found != due:
                    facts = {"seat": side, "found": decimal(found), "due": decimal(due), "scores": scores}
                    place = f"/deals/{result.index}/claimed/sides/{side}/{fault.name}"
                    told.append((result, Finding(fault, facts, place, result.number, seat=side)))
                    break
        return told


def decimal(number: Fraction) -> str:
    """A number in decimals, without those that say nothing."""
    return str(number) if number.denominator == 1 else f"{float(number):.4f}".rstrip("0")


def boards_of(results: Iterable[TableResult]) -> list[MatchBoard]:
    """The boards of some results, in order of their numbers."""
    by_number: dict[int, list[MatchBoard]] = {}
    for result in results:
        known = by_number.setdefault(result.number, [])
        board = next((each for each in known if each.takes(result)), None)
        if board is None:
            known.append(board := MatchBoard())
        board.results.append(result)
    boards = [board for known in by_number.values() for board in known]
    return sorted(boards, key=lambda board: board.results[0].key)
