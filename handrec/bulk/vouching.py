"""Whole verdicts on very many records: the sieve judges the plays, and the referee, to whom it vouches for them, all else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from handrec import referee
from handrec.bulk.plain import Odd, Plain
from handrec.bulk.records import WINDOW, Find, Held, Sorter, claims_seated, in_windows
from handrec.findings import Verdict
from handrec.game import Game, Tricks
from handrec.record import Record
from handrec.referee import Vouched

#: So many records are replayed before they are scored: each drives the other's code from the processor's cache.
STAGE = 32


def verdicts(records: Iterable[Record], find: Find, window: int = WINDOW) -> Iterator[Verdict]:
    """The referee's verdict on each record, in order; `find` gives the game for its name. Holds `window` deals at a time.

    They are those of `referee.check`, come by more quickly where every play of a record is legal.
    """

    def tell(sifted: list[Held]) -> list[Verdict]:
        stages = (sifted[start : start + STAGE] for start in range(0, len(sifted), STAGE))
        return [verdict for stage in stages for verdict in _verdicts(stage, find)]

    return in_windows(records, Vouching(find), window, tell)


class Vouching(Sorter):
    """Sorts the deals whose plays can be vouched for; nothing is gained by sifting others."""

    def plain(self, record: Record, game: Game, options: str, seats: tuple[str, ...], size: int) -> Plain:
        """What turns deals of a shape into rows. Raises `Odd` if they do not fit, or cards are turned amid the play."""
        plain = super().plain(record, game, options, seats, size)
        if type(plain.shape.tricks) is not Tricks:
            raise Odd("cards are turned amid the play")
        return plain


def _verdicts(held: Sequence[Held], find: Find) -> list[Verdict]:
    replayed = []
    for each in held:
        vouched = _vouched(each)
        tables = None if vouched is None or each.game is None else referee.replay(each.record, each.game, vouched=vouched)
        replayed.append((each, each.game, tables))
    return [
        referee.check(each.record, find) if game is None or tables is None else referee.verdict(each.record, game, tables)
        for each, game, tables in replayed
    ]


def _vouched(held: Held) -> list[Vouched] | None:
    """What the sieve vouches for in each deal of a record; None if there is one that it does not pass."""
    if held.refer is not None or not claims_seated(held.record, held.seats):
        return None
    vouched = []
    for group, row in held.spots:
        word = group.vouched[row]
        if word is None:
            return None
        vouched.append(word)
    return vouched
