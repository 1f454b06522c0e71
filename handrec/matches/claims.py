"""IMPs and matchpoints that records have written down, compared with what their tables come to."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from handrec.findings import Finding
from handrec.matches.boards import MatchBoard, Share, TableResult, pointer_to
from handrec.scoring.together import IMPS, MATCHPOINTS, decimal

FAULTS = {"imps": IMPS, "matchpoints": MATCHPOINTS}
WORDS = {"imps": "IMPs", "matchpoints": "matchpoints", "total": "points in all"}

#: So many scores are named in a finding.
MANY = 10


class Together(NamedTuple):
    """What is written down of a board and not right; or `why_not` it could not be compared, "" if it was, or nothing is."""

    findings: list[tuple[TableResult, Finding]]
    why_not: str = ""


class _Wrong(NamedTuple):
    place: int
    side: str
    found: Fraction
    due: Fraction


def claims(result: TableResult) -> bool:
    """Whether IMPs or matchpoints are written down."""
    return any(what in FAULTS for _, what in result.claims)


def compared(board: MatchBoard) -> Together:
    """The IMPs and matchpoints of a board that are written down and not right: of both sides of a table the first.

    Where no record says which scale of matchpoints they have, it is the one in which more are right. Those that follow from the
    scores as these are written down are right: what is wrong with a score is found there.
    """
    stated = {what for each in board.results for _, what in each.claims} & FAULTS.keys()
    if not stated or board.why_not:
        return Together([], board.why_not if stated else "")
    form = str(board.form)
    if other := next(iter(sorted(stated - {form})), ""):
        return Together([], f"its tables are compared by {WORDS[form]}, and {WORDS[other]} are written down")
    named = form == "imps" or any(each.matchpoints for each in board.results)
    scores, as_stated = [each.score or 0 for each in board.tables], [_as_stated(each) for each in board.tables]
    scales = (board.scale,) if named else (1, 2)
    scale = min(scales, key=lambda scale: len(_wrong(board, form, board.worth(scores, scale))))
    shares = board.worth(scores, scale)
    wrong = _wrong(board, form, shares)
    if form == "matchpoints" and not _whole(board, shares, wrong):
        return Together([], "more tables played it than are here")
    still = {each[:2] for each in _wrong(board, form, board.worth(as_stated, scale))}
    told = ", ".join(f"{score:+d}" for score in scores[:MANY]) + " …" * (len(scores) > MANY)
    first: dict[int, tuple[TableResult, Finding]] = {}
    for place, side, found, due in wrong:
        if (place, side) in still and place not in first:
            result = board.results[place]
            facts = {"seat": side, "found": decimal(found), "due": decimal(due), "scores": told}
            pointer = pointer_to(result.index, side, form)
            where = result.places.get(pointer)
            first[place] = result, Finding(FAULTS[form], facts, pointer, result.deal, seat=side, location=where)
    return Together([*first.values()])


def _wrong(board: MatchBoard, form: str, shares: Sequence[Share]) -> list[_Wrong]:
    return [
        _Wrong(place, side, found, due)
        for place, (result, share) in enumerate(zip(board.results, shares, strict=True))
        for side, due in zip(result.sides, share, strict=True)
        if (side, form) in result.claims and (found := Fraction(result.claims[side, form])) != due
    ]


def _whole(board: MatchBoard, shares: Sequence[Share], wrong: Sequence[_Wrong]) -> bool:
    """Whether the matchpoints written down can be of the tables that are here.

    None is more than there are, both of one table make that, and where several are written down not all are wrong.
    """
    most = sum(shares[0], Fraction())
    stated = [
        [Fraction(each.claims[side, "matchpoints"]) for side in each.sides if (side, "matchpoints") in each.claims]
        for each in board.results
    ]
    stated = [table for table in stated if table]
    if any(not 0 <= points <= most for table in stated for points in table):
        return False
    if len(stated) > 1:
        return len({each.place for each in wrong}) < len(stated)
    return all(len(table) < 2 or sum(table) == most for table in stated)


def _as_stated(result: TableResult) -> int:
    """The score of a table as it is written down, the recomputed one if it is not."""
    first, second = result.sides
    score = result.claims.get((first, "score"))
    other = result.claims.get((second, "score"))
    return int(score) if score is not None else -int(other) if other is not None else result.score or 0
