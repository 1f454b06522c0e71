"""How often a record with edits is judged, each time whole: the trials that are left are shared by all that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

Way = TypeVar("Way")

#: So many deals are judged for trials in all.
DEALS = 2000
#: So many trials has a record in any case, however many deals it has.
LEAST = 5


class Trials:
    """How many are left, of those that a record of so many deals has."""

    def __init__(self, deals: int) -> None:
        self.left = max(LEAST, DEALS // max(1, deals))

    def of(self, ways: Iterable[Way]) -> Iterator[Way]:
        """The ways that can still be tried, of those there are."""
        for way in ways:
            if not self.left:
                return
            self.left -= 1
            yield way
