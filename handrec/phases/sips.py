"""Drinks for missed bids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from handrec.findings import Rule
from handrec.game.phase import Phase
from handrec.game.table import Made, Table
from handrec.record import Announce


@dataclass(frozen=True)
class Sips(Phase):
    """Drinks taken after a missed bid. `agreed` gives the sips due by how many tricks the bid was missed."""

    agreed: Mapping[str, int] = field(default_factory=dict)
    judged_late = True
    kinds = ("announce:sips",)
    anytime = kinds

    @property
    def breakable(self) -> tuple[str, ...]:
        """Too few sips, where sips are agreed on."""
        return ("SCO006",) if self.agreed else ()

    def take(self, table: Table, place: int, event: Announce) -> None:
        """Count the sips."""
        seat, drunk = table.place_of[event.by], self._drunk(table)
        drunk[seat] = drunk.get(seat, 0) + (event.count or 0)

    @staticmethod
    def _drunk(table: Table) -> dict[int, int]:
        """How many sips each seat has drunk, of those that have."""
        drunk: dict[int, int] = table.kept.setdefault(Sips, {})
        return drunk

    def settle(self, table: Table, bids: Mapping[int, Made], tricks: Mapping[int, int]) -> None:
        """Whoever missed drank what was agreed, and at least one sip. A deal without any drink on record is not judged."""
        drunk = self._drunk(table)
        if not drunk:
            if self.agreed:
                table.doubt("L5", f"deal {table.number}: sips are not recorded")
            return
        for seat, made in bids.items():
            if seat in tricks and made.value is not None and tricks[seat] != made.value:
                due, found = max(1, self.agreed.get(str(abs(tricks[seat] - made.value)), 1)), drunk.get(seat, 0)
                if found < due:
                    table.fault("SCO006", seat=table.seats[seat], found=found, due=due)

    def all_sayable(self, table: Table) -> Iterable[Any]:
        """So many sips as may be due."""
        return [Announce(by=table.seats[0], what="sips", count=count) for count in sorted({1, *self.agreed.values()})]

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """When the play is over: what whoever missed must drink; with `breaking`, one sip less."""
        if not self.agreed or sum(table.won) < table.size or (breaking and breaking.code != "SCO006"):
            return []
        for seat, made in enumerate(table.bids):
            if seat not in self._drunk(table) and made and made.value is not None and made.value != table.won[seat]:
                due = max(1, self.agreed.get(str(abs(table.won[seat] - made.value)), 1))
                return [Announce(by=table.seats[seat], what="sips", count=due - (breaking is not None))]
        return []
