"""Which calls may be made in a deal, up to the first that is wrong: asked first, since most words are no legal call."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from handrec.game import Table
from handrec.record import Bid, Deal


class LegalCalls:
    """The calls of a deal, of which those before event number `until` are right; `before` is the table before an event.

    A game that does not say which calls may be made forbids none.
    """

    def __init__(self, deal: Deal, before: Callable[[int], Table], until: int) -> None:
        self.deal, self.before, self.until, self.tables = deal, before, until, dict[int, Table]()

    def forbid(self, other: Deal) -> bool:
        """Whether the first event in which another deal differs from this is a call that may not be made there."""
        pairs = enumerate(zip(other.events, self.deal.events, strict=False))
        place = next((place for place, (event, was) in pairs if event is not was), len(self.deal.events))
        if place >= len(other.events) or place > self.until:
            return False
        call = other.events[place]
        return type(call) is Bid and self._known and self._expected(place, call) is False

    @cached_property
    def _known(self) -> bool:
        """Whether all these calls of the deal are among those that may be made, as they are if nothing is wrong with them."""
        right = enumerate(self.deal.events[: max(0, self.until)])
        return all(self._expected(place, event) for place, event in right if type(event) is Bid)

    def _expected(self, place: int, call: Bid) -> bool | None:
        if place not in self.tables:
            self.tables[place] = self.before(place)
        phase = self.tables[place].game.taking(call)
        return phase.expects(self.tables[place], call) if phase else None
