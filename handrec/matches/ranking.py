"""Who is ahead: what teams or pairs have from all boards together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from handrec.matches.boards import Form, MatchBoard, TableResult


@dataclass(frozen=True)
class Standing:
    """A team or pair, in how many boards it was compared, and what it has; `percent` of all it could have, at matchpoints."""

    name: str
    form: Form
    boards: int
    points: Fraction
    percent: Fraction | None = None


def ranking(boards: Iterable[MatchBoard]) -> list[Standing]:
    """Teams by IMPs, pairs by matchpoints or by points in all, the best first; those with as many in the order of their names."""
    counted: dict[tuple[Form, str], list[tuple[Fraction, Fraction]]] = {}
    for board in boards:
        if board.form is None:
            continue
        worth = {id(each): share for each, share in zip(board.results, board.shares, strict=True)}
        named = _teams(board)[:1] if board.form == "imps" else map(_pairs, board.tables)  # the other table says the same again
        for table, names in zip(board.tables, named, strict=False):
            for name, points in zip(names, worth[id(table)], strict=True):
                counted.setdefault((board.form, name), []).append((points, board.most))
    found = [_standing(form, name, each) for (form, name), each in counted.items()]
    return sorted(found, key=lambda each: (each.form, -(each.percent or each.points), -each.points, each.name))


def _standing(form: Form, name: str, counted: list[tuple[Fraction, Fraction]]) -> Standing:
    points, most = (sum(column, Fraction(0)) for column in zip(*counted, strict=True))
    return Standing(name, form, len(counted), points, 100 * points / most if most else None)


def _teams(board: MatchBoard) -> list[tuple[str, str]]:
    """Who sits first and second at both tables: the team that is first in one room is second in the other."""
    one, other = board.tables
    home, visit = one.teams if all(one.teams) else other.teams
    if not (home and visit):
        home, visit = "first in the open room", "second in the open room"
    swapped = one.room == "closed" or other.room == "open"
    return [(visit, home), (home, visit)] if swapped else [(home, visit), (visit, home)]


def _pairs(result: TableResult) -> tuple[str, str]:
    """The players of both sides, or, if they have no names, the side and the record."""
    first, second = (pair or f"{side}, {result.name}" for pair, side in zip(result.players, result.sides, strict=True))
    return first, second
