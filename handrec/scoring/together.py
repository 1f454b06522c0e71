"""What several tables of a board come to together (Law 78): IMPs of a difference, matchpoints of the results."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from fractions import Fraction

from handrec.findings import Citation, Fault, Work

LAWS = Work("Laws of Duplicate Bridge", "World Bridge Federation", "edition of 2017")
IMPS = Fault(
    "SCO008", "imps", "L6",
    "The IMPs of a board follow from the difference between the scores of two tables: read together, by check or score.",
    "{seat} is recorded with {found} IMPs, but {scores} make {due}", id="BR-78a", citation=Citation(LAWS, "Law 78B"),
)  # fmt: skip
MATCHPOINTS = Fault(
    "SCO009", "matchpoints", "L6",
    "A side has matchpoints for each result that it beats, half as many for an equal one: all read together, by check or score.",
    "{seat} is recorded with {found} matchpoints, but {scores} make {due}", id="BR-78b", citation=Citation(LAWS, "Law 78A"),
)  # fmt: skip

#: The least difference in points that is worth 1 IMP, 2, and so on up to 24.
LEAST = (
    20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000, 3500, 4000,
)  # fmt: skip


def imps(difference: int) -> int:
    """The IMPs for a difference in points, below 0 if that is."""
    many = bisect_right(LEAST, abs(difference))
    return many if difference > 0 else -many


def matchpoints(scores: Sequence[int]) -> list[int]:
    """Two for each other score that one beats, and one for each that is equal, for every score in its place."""
    ranked = sorted(scores)
    return [bisect_left(ranked, score) + bisect_right(ranked, score) - 1 for score in scores]


def decimal(number: Fraction) -> str:
    """A number in decimals, without those that say nothing."""
    return str(number) if number.denominator == 1 else f"{float(number):.4f}".rstrip("0")
