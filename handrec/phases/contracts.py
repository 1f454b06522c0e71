"""The outcome of an auction whose calls are not on record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from handrec.findings import Rule
from handrec.game.phase import Phase
from handrec.game.table import Table
from handrec.record import Contract


class Outcome(NamedTuple):
    """What an auction of bridge came to, kept at the table by its own type: `table.kept[Outcome]`.

    Level (0: passed out), strain, `risk` 1 or 2 if doubled or redoubled, and the declarer's place (None: not known).
    """

    level: int
    strain: str = ""
    risk: int = 0
    declarer: int | None = None


@dataclass(frozen=True)
class Contracts(Phase):
    """The outcome of an auction that the record does not hold: who declares, and what is trump."""

    form: str = "a contract"
    names: Callable[[str], str | None] = str
    choices: tuple[str, ...] = ()
    kinds = ("contract",)

    def contracts(self, table: Table, trump: str) -> tuple[str, ...]:
        """The contracts, as they stand at the table, that make this trump."""
        strain = self.names(trump)
        return () if strain is None else (strain,)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Any contract by any seat, once."""
        if table.contract is not None or breaking is not None:
            return []
        return [Contract(by=seat, bid=choice) for seat in table.seats for choice in self.choices]

    def take(self, table: Table, place: int, event: Contract) -> None:
        """Take the contract; the game must know its name."""
        strain = self.names(str(event.bid))
        if strain is None:
            table.fault("BID002", place, "/bid", seat=event.by, bid=event.bid, allowed=self.form)
            return
        table.contract = strain
        table.declarer = table.place_of[event.by] if event.by else None

    def lay(self, table: Table, place: int) -> int:
        """The contract comes first, and says who declares."""
        event = table.deal.events[place] if place < len(table.deal.events) else None
        if type(event) is not Contract or event.by not in table.place_of:
            return -1
        table.contract, table.declarer = self.names(str(event.bid)), table.place_of[str(event.by)]
        return -1 if table.contract is None else place + 1

    def close(self, table: Table) -> None:
        """Without a contract, trump is not known."""
        if table.contract is None:
            table.doubt("L3", f"deal {table.number}: the contract is not recorded")
