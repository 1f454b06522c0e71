"""L5: winners, tricks and scores of a deal, recomputed and compared with what is claimed.

A claimed number is a fault of its own only if it neither is right nor follows from the other numbers claimed: a score
that was reckoned correctly from a miscounted trick is the miscount's consequence, reported once, at the trick.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from handrec.findings import DealResult, Rule
from handrec.game import Table
from handrec.game.table import Made
from handrec.record import Bid, DealClaims

NOTHING = DealClaims()


def judge_deal(table: Table) -> DealResult:
    """Recompute a deal's result and compare what is claimed; findings go to the table."""
    claimed = table.deal.claimed or NOTHING
    trump = _trump(table, claimed)
    _winners(table, claimed)
    _trick_counts(table, claimed)
    sheet = _sheet_bids(table, claimed)
    bids = {seat: made for seat in range(table.count) if (made := table.bids[seat] or sheet.get(seat))}
    tricks = _tricks(table, claimed)
    lines = {}
    for seat in range(table.count):
        if seat in bids and seat in tricks and bids[seat].value is not None:
            lines[seat] = score_lines(table, bids[seat], tricks[seat])
    _scores(table, claimed, bids, tricks, lines, sheet)
    for phase in table.game.phases:
        phase.settle(table, bids, tricks)
    if table.counted and table.deal.claimed is None:
        table.doubt("L5", f"deal {table.number}: no result is recorded to compare with")
    penalties: dict[str, int] = {}
    for event in table.deal.events:
        if event.do == "penalty":
            penalties[event.of] = penalties.get(event.of, 0) + event.points
    return DealResult(
        number=table.number,
        cards=table.size,
        dealer=table.seat(table.dealer),
        order=trump,
        bids={table.seats[seat]: made.token for seat, made in bids.items()},
        tricks={table.seats[seat]: number for seat, number in tricks.items()} if len(tricks) == table.count else None,
        lines={table.seats[seat]: named for seat, named in lines.items()},
        penalties=penalties,
        totals=None,
        played=tuple(table.tricks),
    )


def score_lines(table: Table, made: Made, tricks: int) -> dict[str, int]:
    """The lines of a seat's score for a bid and a number of tricks, by name."""
    view = SimpleNamespace(value=made.value, tricks=tricks, cards=table.size, kind=made.kind)
    return {line.key: line.points(view) for line in table.game.score if line.kind in (None, made.kind)}


def _trump(table: Table, claimed: DealClaims) -> str | None:
    order = table.order(1)
    if order is None:
        if claimed.trump is not None:
            table.doubt("L2", f"deal {table.number}: what makes trump is not recorded")
        return None
    if claimed.trump is not None:
        table.compare("DEA009", claimed.trump, order.name, field="/claimed/trump")
    return order.name


def _winners(table: Table, claimed: DealClaims) -> None:
    if claimed.winners is None or not table.tricks:
        return
    if table.counted and not table.claimed_rest:
        table.compare("TRK004", len(claimed.winners), len(table.tricks), field="/claimed/winners")
    for place, (found, trick) in enumerate(zip(claimed.winners, table.tricks, strict=False)):
        if trick.winner is not None:
            card = next(card for seat, card in trick.plays if seat == trick.winner)
            table.compare(
                "TRK001", found, trick.winner, field=f"/claimed/winners/{place}", trick=trick.number, seat=found, card=card
            )


def _trick_counts(table: Table, claimed: DealClaims) -> None:
    if claimed.tricks is None:
        return
    by_winners = None
    if claimed.winners is not None and len(claimed.winners) == table.size:
        by_winners = {seat: claimed.winners.count(seat) for seat in table.seats}
    if table.counted:
        for seat, found in claimed.tricks.items():
            due = table.won[table.place_of[seat]]
            if by_winners is None or found != by_winners[seat]:
                table.compare("TRK002", found, due, field=f"/claimed/tricks/{seat}", seat=seat)
    elif len(claimed.tricks) == table.count and table.sized and table.deal.status in ("complete", "claimed"):
        table.compare("TRK004", sum(claimed.tricks.values()), table.size, field="/claimed/tricks")


def _sheet_bids(table: Table, claimed: DealClaims) -> dict[int, Made]:
    """The bids on the score sheet, compared with those made where both are recorded."""
    phase: Any = table.game.phase_of.get("bid")
    sheet: dict[int, Made] = {}
    if claimed.bids is None or phase is None:
        return sheet
    for seat, token in claimed.bids.items():
        place = table.place_of[seat]
        made, written = table.bids[place], phase.made(table, Bid(by=seat, bid=token), -1)
        if made is not None:
            table.compare("SCO004", str(token), made.token, field=f"/claimed/bids/{seat}", seat=seat)
        elif written is None:
            table.fault("BID002", field=f"/claimed/bids/{seat}", seat=seat, bid=token, allowed=phase.allowed(table))
        if written is not None:
            sheet[place] = written
    if not any(table.bids):
        phase.take_sheet(table, sheet)
    return sheet


def _tricks(table: Table, claimed: DealClaims) -> dict[int, int]:
    """The tricks of each seat: as played, or as written down where the play does not tell."""
    if table.counted:
        return dict(enumerate(table.won))
    return {table.place_of[seat]: number for seat, number in (claimed.tricks or {}).items()}


def _scores(
    table: Table,
    claimed: DealClaims,
    bids: Mapping[int, Made],
    tricks: Mapping[int, int],
    lines: Mapping[int, Mapping[str, int]],
    sheet: Mapping[int, Made],
) -> None:
    for seat, found in (claimed.scores or {}).items():
        place = table.place_of[seat]
        if place not in lines:
            table.doubt("L5", f"deal {table.number}: {seat}'s score cannot be recomputed")
            continue
        made, number = sheet.get(place, bids[place]), (claimed.tricks or {}).get(seat, tricks[place])
        due = sum(lines[place].values())
        if found != due and made.value is not None and found == sum(score_lines(table, made, number).values()):
            continue
        table.compare(
            _score_rule(table, bids[place]),
            found,
            due,
            field=f"/claimed/scores/{seat}",
            seat=seat,
            bid=bids[place].token,
            tricks=tricks[place],
            lines=" ".join(f"{key} {points:+d}" for key, points in lines[place].items() if points) or "0",
        )


def _score_rule(table: Table, made: Made) -> Rule:
    """The rule of the line that sets this kind of bid apart."""
    own = [line.rule for line in table.game.score if line.kind == made.kind]
    return own[0] if own else table.game.score[0].rule
