"""Sides: what they are called, and what a record says of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from handrec.record import Deal, Record

#: Where a side may stand, what says that none is meant, or all.
NO_SIDE = ("none", "all")
#: What is claimed of a side that hangs on other tables.
OF_TABLES = ("imps", "matchpoints")


def seats_of(side: str, seats: Sequence[str]) -> list[str]:
    """The seats that a side's name is made of, of those at the table in their order; if it is of none such, the name itself."""
    parts = [side] if side in seats else side.split("+") if joint(seats) else [*side]
    places = [seats.index(part) if part in seats else -1 for part in parts]
    return parts if places[0] >= 0 and all(one < other for one, other in pairwise(places)) else [side]


def is_claiming(record: Record) -> bool:
    """Whether anything is written down that hangs on other tables."""
    claimed = (deal.claimed.sides for deal in record.deals if deal.claimed and deal.claimed.sides)
    return any(getattr(side, what) is not None for sides in claimed for side in sides.values() for what in OF_TABLES)


def sides_named(deal: Deal) -> list[tuple[str, str]]:
    """The sides that a deal names, each after its JSON Pointer into the deal."""
    claimed = (deal.claimed and deal.claimed.sides) or ()
    stated = [] if deal.vulnerable in (None, *NO_SIDE) else [("/vulnerable", str(deal.vulnerable))]
    return stated + [(f"/claimed/sides/{side}", side) for side in claimed]


def side_of(seats: Iterable[str], order: Sequence[str]) -> str:
    """The name of a side: its seats in the order of the players, then any that are not among them."""
    return joint(order).join(sorted(seats, key=lambda seat: order.index(seat) if seat in order else len(order)))


def joint(seats: Sequence[str]) -> str:
    """What stands between the seats of a side: nothing at a table where each seat is a letter."""
    return "" if all(len(seat) == 1 for seat in seats) else "+"
