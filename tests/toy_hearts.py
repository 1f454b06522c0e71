"""A toy Hearts that passes its cards by the record's own `exchange`; all else is as in `toy_handover`."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from handrec.findings import Rule
from handrec.game import Table
from handrec.phases.tricks import Tricks
from handrec.record import Exchange
from tests import toy_handover


@dataclass(frozen=True)
class Passing(toy_handover.Passing):
    """The same, written down as exchanges, which might go elsewhere than to a seat, and need not name their cards."""

    kinds = ("exchange",)

    def take(self, table: Table, place: int, event: Any) -> None:
        """Three cards of its own, to the left, once, and before the play."""
        if event.to is None or event.into or event.of or event.cards is None:
            table.fault("PLY020", place, seat=event.by, many=len(event.cards or ()), to=event.to or "nobody")
        else:
            super().take(table, place, event)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Any three cards of the next seat that has not passed; with `breaking`, any of one that has."""
        return [Exchange(by=each.by, to=each.to, cards=each.cards) for each in super().offers(table, breaking)]


GAME = replace(toy_handover.GAME, key="toyhearts", title="Toy Hearts", phases=(Passing(), Tricks()))
