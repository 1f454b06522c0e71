"""How much may be tried to explain what is wrong: one allowance for all records that are checked in one go.

What is wrong with a deal is explained by replaying it as it may have been meant, up to twenty times however little happens in
it, and what is wrong with a record as a whole by replaying all of it. So many small deals, all of them wrong, would take five
times as long as a check may. Therefore each deal earns something by its events, and each replay costs something: of that, and of
what is there from the start, everything is explained that people write down. What is beyond is judged as it is written, and said
to be (`FMT022`).

It is reckoned in microseconds of a processor on which the referee takes 8 for an event, but by what is to be replayed and not by
a clock: so it comes to the same everywhere, and every time. The figures are fitted to what checks take (`tests/README.md`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from handrec.findings import Finding
from handrec.game import Table
from handrec.record import Bid, Deal, Record

#: What is there from the start: about as much as it takes to start the program.
START = 250_000.0
#: What a deal earns by itself, and for each event.
DEAL, EVENT = 60, 110
#: What a replay of a deal costs by itself, for each event, and besides for each bid, which may have to be explained by itself.
REPLAY, TAKEN, CALL = 200, 10, 12
#: What it costs to hear a call on trial, and to tell a finding.
HEARD, TOLD = 8, 60


@dataclass
class Allowance:
    """What is left to be spent; below 0 nothing. How often something was `refused` shows that not everything was tried."""

    left: float = field(default_factory=lambda: START)
    refused: int = 0

    def earn(self, record: Record, tables: Sequence[Table], findings: Sequence[Finding]) -> None:
        """Count what the deals of a record earn, but for what is spent anyway, to hear calls out of turn and to tell findings."""
        self.left += DEAL * len(record.deals) + EVENT * sum([len(deal.events) for deal in record.deals])
        self.left -= HEARD * sum([table.heard for table in tables]) + TOLD * len(findings)

    def charge(self, deal: Deal, heard: int = 0) -> None:
        """Spend a replay of a deal, or what takes as long, whether or not so much is left; and that calls were heard on trial."""
        self.left -= price(deal) + HEARD * heard

    def any_left(self) -> bool:
        """Whether anything is left to be spent; else it is refused."""
        self.refused += self.left <= 0
        return self.left > 0

    def affords(self, deals: Sequence[Deal], replays: float = 1) -> bool:
        """Spend so many replays of some deals, if so much is left; otherwise it is refused."""
        cost = replays * sum(map(price, deals))
        if cost > self.left:
            self.refused += 1
            return False
        self.left -= cost
        return True


def price(deal: Deal) -> int:
    """What a replay of a deal costs."""
    return REPLAY + TAKEN * len(deal.events) + CALL * sum([type(event) is Bid for event in deal.events])
