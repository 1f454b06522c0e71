"""The official scorecard as data: every deal's bids, tricks, points and running totals, recomputed.

Beside each number stands what the scorekeeper wrote, where the record tells. A deal's penalties are a line of their own
below it, and the total that was written after the deal is the one after them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from handrec.findings import DealResult, Verdict
from handrec.record import DealClaims, GameClaims, Record
from handrec.report.safe import NAME, safe

#: What a player's part of a line consists of.
PARTS = ("bid", "tricks", "points", "total")

UNKNOWN = "–"

Value = int | str | None


@dataclass(frozen=True)
class Entry:
    """A number or word of the sheet as recomputed (None: it cannot be), and as written down (None: it was not)."""

    due: Value
    written: Value = None

    @property
    def differs(self) -> bool:
        """Whether something else was written than is due."""
        return self.written is not None and str(self.written) != str(self.due)

    def show(self, sign: str = "") -> str:
        """The entry in words, `12→11` for what was written as 12 and is 11; `sign` is that of number formats."""
        due = _show(self.due, sign)
        return f"{_show(self.written, sign)}→{due}" if self.differs else due


def _show(value: Value, sign: str) -> str:
    return UNKNOWN if value is None else safe(value, 12) if isinstance(value, str) else format(value, f"{sign}d")


BLANK = Entry("")


@dataclass(frozen=True)
class SheetLine:
    """A line of the sheet: a deal, its penalties, or the final totals.

    `shares` has the entries of PARTS by seat, `notes` what the game's own columns say of a seat, by the column's name.
    """

    kind: Literal["deal", "penalty", "total"]
    shares: Mapping[str, tuple[Entry, Entry, Entry, Entry]]
    deal: int | None = None
    cards: int | None = None
    trump: Entry = BLANK
    dealer: str | None = None
    notes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Scorecard:
    """The whole sheet. Players are named by seat; winners are seats, None if they cannot be told."""

    players: Mapping[str, str]
    lines: tuple[SheetLine, ...]
    winners: tuple[str, ...] | None
    written: tuple[str, ...] | None

    def name(self, seat: str | None) -> str:
        """What the player of a seat is called."""
        return UNKNOWN if seat is None else self.players.get(seat, safe(seat))

    @property
    def ending(self) -> Iterator[str]:
        """Who won, and who is written down as the winner if that is somebody else."""
        if self.winners is not None:
            yield f"Winner{self._called(self.winners)}"
        if self.written is not None and set(self.written) != set(self.winners or ()):
            yield f"Written down as winner{self._called(self.written)}"

    def noted(self, line: SheetLine) -> list[str]:
        """The notes of a line, a player each: `Ann guess 8D, right`."""
        return [
            f"{self.name(seat)} " + ", ".join(f"{safe(key, 20)} {safe(value, 40)}" for key, value in notes.items())
            for seat, notes in line.notes.items()
        ]

    def _called(self, seats: tuple[str, ...]) -> str:
        return f"{'' if len(seats) == 1 else 's'}: {', '.join(map(self.name, seats)) or UNKNOWN}"


def scorecard(record: Record, verdict: Verdict, claims: bool = True) -> Scorecard:
    """The scorecard of a record; without `claims`, only what was recomputed."""
    seats = [player.seat for player in record.players]
    lines: list[SheetLine] = []
    for place, deal in enumerate(record.deals):
        unplayed = DealResult(deal.number or place + 1, deal.cards or 0, deal.dealer, None, {}, None, {}, {}, None)
        result = verdict.deals[place] if place < len(verdict.deals) else unplayed
        lines += _lines(seats, result, (deal.claimed if claims else None) or DealClaims())
    final = (record.claimed if claims else None) or GameClaims()
    totals, written = verdict.totals or {}, final.totals or {}
    if totals or written:
        lines.append(
            SheetLine("total", {seat: (BLANK, BLANK, BLANK, Entry(totals.get(seat), written.get(seat))) for seat in seats})
        )
    winners = None if final.winners is None else tuple(final.winners)
    return Scorecard(_names(record), tuple(lines), verdict.winners, winners)


def _names(record: Record) -> dict[str, str]:
    """What the players are called: by name if it is recorded, and the seat too where two have the same name."""
    names = {player.seat: safe(player.name or "", 32).strip() or safe(player.seat, 32) for player in record.players}
    called = list(names.values())
    return {seat: f"{name} ({safe(seat, NAME)})" if called.count(name) > 1 else name for seat, name in names.items()}


def _lines(seats: list[str], result: DealResult, claims: DealClaims) -> Iterator[SheetLine]:
    """A deal's line, and one for its penalties; only the last running total is the one that was written."""
    scores, fines, tricks, totals = result.scores, result.penalties, result.tricks or {}, result.totals or {}
    shares, fined = {}, {}
    for seat in seats:
        total = Entry(totals.get(seat), (claims.totals or {}).get(seat))
        before = Entry(totals[seat] + fines.get(seat, 0) if seat in totals else None)
        fined[seat] = (BLANK, BLANK, Entry(-fines[seat]) if seat in fines else BLANK, total)
        shares[seat] = (
            Entry(result.bids.get(seat), (claims.bids or {}).get(seat)),
            Entry(tricks.get(seat), (claims.tricks or {}).get(seat)),
            Entry(scores.get(seat), (claims.scores or {}).get(seat)),
            before if fines else total,
        )
    trump = Entry(result.order, claims.trump)
    yield SheetLine("deal", shares, result.number, result.cards or None, trump, result.dealer, result.notes)
    if fines:
        yield SheetLine("penalty", fined, result.number)
