"""The official scorecard as data: every deal's bids, tricks, points and running totals, recomputed.

Beside each number stands what the scorekeeper wrote, where the record tells. A deal's penalties are a line of their own
below it, and the total that was written after the deal is the one after them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from handrec.findings import DealResult, Verdict
from handrec.record import DealClaims, GameClaims, Record, SideClaims
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
    return UNKNOWN if value is None else safe(value, 26) if isinstance(value, str) else format(value, f"{sign}d")


BLANK = Entry("")


@dataclass(frozen=True)
class SheetLine:
    """A line of the sheet: a deal, its penalties, or the final totals.

    `shares` has the entries of PARTS by seat, `notes` what the game's own columns say of a seat, by the column's name, `stakes`
    what was played for, in words.
    """

    kind: Literal["deal", "penalty", "total"]
    shares: Mapping[str, tuple[Entry, Entry, Entry, Entry]]
    deal: int | None = None
    cards: int | None = None
    trump: Entry = BLANK
    dealer: str | None = None
    notes: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    stakes: str = ""

    @property
    def played(self) -> Entry:
        """What stands in the column of trumps for people to read: the contract, where there is one."""
        return Entry(self.stakes) if self.stakes else self.trump


@dataclass(frozen=True)
class Scorecard:
    """The whole sheet. Players are named by seat, or partners together by side; winners are None if they cannot be told."""

    players: Mapping[str, str]
    lines: tuple[SheetLine, ...]
    winners: tuple[str, ...] | None
    written: tuple[str, ...] | None
    sides: bool = False  # whether partners have a column together

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


def scorecard(record: Record, verdict: Verdict, claims: bool = True, together: bool = True) -> Scorecard:
    """The scorecard of a record; without `claims`, only what was recomputed; partners `together` in a column, or each alone."""
    sides = _sides(record, verdict) if together else {player.seat: [player.seat] for player in record.players}
    lines: list[SheetLine] = []
    for place, deal in enumerate(record.deals):
        unplayed = DealResult(deal.number or place + 1, deal.cards or 0, deal.dealer, None, {}, None, {}, {}, None)
        result = verdict.deals[place] if place < len(verdict.deals) else unplayed
        lines += _lines(sides, result, (deal.claimed if claims else None) or DealClaims())
    final = (record.claimed if claims else None) or GameClaims()
    totals, written = verdict.totals or {}, final.totals or {}
    if totals or written:
        shares = {side: (BLANK, BLANK, BLANK, Entry(totals.get(seat), written.get(seat))) for side, (seat, *_) in sides.items()}
        lines.append(SheetLine("total", shares))
    winners = None if verdict.winners is None else _called(sides, verdict.winners)
    stated = None if final.winners is None else _called(sides, final.winners)
    return Scorecard(_named(record, sides), tuple(lines), winners, stated, len(sides) < len(record.players))


#: The seats that have a column together, by what the column is of: a seat by itself, or a side.
Columns = Mapping[str, Sequence[str]]


def _sides(record: Record, verdict: Verdict) -> Columns:
    """Who has a column: partners together, who have one score; else everybody."""
    seats = [player.seat for player in record.players]
    sides = [*next((result.sides for result in verdict.deals), ())]
    if not sides:
        return {seat: [seat] for seat in seats}
    return {side: seats[place :: len(sides)] for place, side in enumerate(sides)}


def _called(sides: Columns, seats: Iterable[str]) -> tuple[str, ...]:
    """Seats as they are called on the sheet: a side where all of it are named."""
    named = [*seats]
    whole = [side for side, members in sides.items() if {*members} <= {*named}]
    return (*whole, *(seat for seat in named if not any(seat in sides[side] for side in whole)))


def _named(record: Record, sides: Columns) -> dict[str, str]:
    """What stands above each column; sides are called by their players' names if all have one."""
    names = _names(record)
    told = {player.seat for player in record.players if player.name}
    return {
        side: " & ".join(names[seat] for seat in seats) if told >= {*seats} or seats == [side] else safe(side)
        for side, seats in sides.items()
    }


def _names(record: Record) -> dict[str, str]:
    """What the players are called: by name if it is recorded, and the seat too where two have the same name."""
    names = {player.seat: safe(player.name or "", 32).strip() or safe(player.seat, 32) for player in record.players}
    called = list(names.values())
    return {seat: f"{name} ({safe(seat, NAME)})" if called.count(name) > 1 else name for seat, name in names.items()}


def _lines(sides: Columns, result: DealResult, claims: DealClaims) -> Iterator[SheetLine]:
    """A deal's line, and one for its penalties; only the last running total is the one that was written."""
    scores, fines, tricks, totals = result.scores, result.penalties, result.tricks or {}, result.totals or {}
    shares, fined = {}, {}
    for side, (seat, *_) in sides.items():
        total = Entry(totals.get(seat), (claims.totals or {}).get(seat))
        before = Entry(totals[seat] + fines.get(seat, 0) if seat in totals else None)
        fined[side] = (BLANK, BLANK, Entry(-fines[seat]) if seat in fines else BLANK, total)
        after = before if fines else total
        if side in result.sides:
            said, due = (claims.sides or {}).get(side, SideClaims()), result.sides[side]
            shares[side] = (BLANK, Entry(due.tricks, said.tricks), Entry(due.score, said.score), after)
            continue
        shares[side] = (
            Entry(result.bids.get(seat), (claims.bids or {}).get(seat)),
            Entry(tricks.get(seat), (claims.tricks or {}).get(seat)),
            Entry(scores.get(seat), (claims.scores or {}).get(seat)),
            after,
        )
    trump = Entry(result.order, claims.trump)
    yield SheetLine("deal", shares, result.number, result.cards or None, trump, result.dealer, result.notes, result.stakes)
    if fines:
        yield SheetLine("penalty", fined, result.number)
