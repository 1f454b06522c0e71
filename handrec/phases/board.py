"""What the number of a board of bridge says: who deals, and who is vulnerable (Law 2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from handrec.phases.bidding import SEATS
from handrec.sides import side_of

#: The vulnerable sides of boards 1 to 16, after which they come again: 0 is North's and South's.
BOARDS = tuple(frozenset(map(int, sides.strip("-"))) for sides in "- 0 1 01 0 1 01 - 1 01 - 0 01 - 0 1".split())  # noqa: SIM905
#: The same where North is second or fourth of the seats.
TURNED = tuple(frozenset(1 - side for side in sides) for sides in BOARDS)


class Vulnerable(NamedTuple):
    """Which sides are vulnerable, kept at the table by its own type: `table.kept[Vulnerable]`; None: not known.

    Side 0 is that of the first seat and the third, side 1 that of the others.
    """

    sides: frozenset[int] | None = None

    def of(self, seat: int | None) -> bool | None:
        """Whether the side of a seat is vulnerable; None if that is not known, or not whose seat."""
        return None if self.sides is None or seat is None else seat % 2 in self.sides


def dealer_of(board: int, seats: Sequence[str]) -> int:
    """The place of the dealer of a board, from 0."""
    return (board - 1 + _north(seats)) % SEATS


def vulnerable_on(board: int, seats: Sequence[str]) -> frozenset[int]:
    """The sides that are vulnerable on a board, by the parity of their places."""
    return (TURNED if _north(seats) % 2 else BOARDS)[(board - 1) % len(BOARDS)]


def _north(seats: Sequence[str]) -> int:
    """The place of North: where it is named so, else the first."""
    return seats.index("N") if "N" in seats else 0


@lru_cache
def names_of_sides(seats: tuple[str, ...]) -> tuple[str, str]:
    """The sides by the names of their seats."""
    return side_of(seats[0::2], seats), side_of(seats[1::2], seats)


@lru_cache
def all_vulnerable(seats: tuple[str, ...]) -> dict[str | None, frozenset[int]]:
    """All that a record may say of who is vulnerable, and the sides that are."""
    return {vulnerability(frozenset(sides), seats): frozenset(sides) for sides in ((), (0,), (1,), (0, 1))}


def vulnerability(sides: frozenset[int], seats: tuple[str, ...]) -> str:
    """Vulnerable sides as a record has them: "none", "all", or a side."""
    return ("none", *names_of_sides(seats), "all")[sum(side + 1 for side in sides)]
