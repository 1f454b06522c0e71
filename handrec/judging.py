"""One stream from records to verdicts: each deal is replayed by the fast path if it is in order, else by the referee.

Both ways give the same verdict; the referee explains what the fast path cannot. When the fast path fails, which is a fault of
ours, the referee judges the deal, and the failure is handed on to be told: nothing falls back in silence.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from handrec import fast, referee
from handrec.findings import Verdict
from handrec.game import Game, Look, Table
from handrec.record import Record

#: Gives the game for its name, or None if there is no such game.
Find = Callable[[str], Game | None]

#: Is told that a fast way failed: which, and with what.
Failed = Callable[[str, Exception], None]


def warned(way: str, error: Exception) -> None:
    """Warn that a fast way failed, as Python programs do."""
    told = f"the {way} failed ({type(error).__name__}: {error}); the referee judged instead, and its verdict stands"
    warnings.warn(told, RuntimeWarning, stacklevel=2)


@dataclass(frozen=True)
class Judge:
    """Gives verdicts on records of the games that `find` finds.

    `quick` whether fast ways are tried at all; `failed` is told when one of them fails: which, and with what.
    """

    find: Find
    quick: bool = True
    failed: Failed = warned

    def verdict(self, record: Record, look: Look | None = None) -> Verdict:
        """The verdict on a record; `look` as in `referee.check`."""
        return referee.check(record, self.find, self.replayed if self.quick else None, look)

    def examined(self, record: Record) -> tuple[Verdict, list[Table]]:
        """The verdict on a record, with the tables of its deals if they could tell more; see `referee.examined`."""
        return referee.examined(record, self.find, self.replayed if self.quick else None)

    def verdicts(self, records: Iterable[Record]) -> Iterator[Verdict]:
        """The verdict on each record, in order."""
        return map(self.verdict, records)

    def replayed(self, table: Table) -> bool:
        """Replay a deal by the fast path, at a table where nothing has happened yet; False, and it is spoiled, if it cannot."""
        try:
            return fast.replayed(table)
        except Exception as error:
            self.failed("fast path", error)
            return False
