"""IMPs of a difference, and matchpoints of the results of a board (Law 78)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

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
