"""`handrec replay`: deals trick by trick, with the referee's remarks."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from handrec import games, referee
from handrec.cli.app import Colour, PlainFormat
from handrec.cli.common import Inputs, Trouble, as_list, emit, finding_line, in_colour, judged, unknown
from handrec.game import compose
from handrec.record import Record
from handrec.report import replay as shown
from handrec.report.json import compact, plain


def run(
    file: str,
    deal: int | None,
    trick: int | None,
    seat: str | None,
    format: PlainFormat,
    exit_code: bool,
    color: Colour,
    from_: str | None,
    step: bool = False,
) -> int:
    """Show the deals of a file's records, with `step` card by card.

    Returns 1 for what is no record, and, if asked for, if a fault was shown.
    """
    inputs = Inputs([file], from_)
    found = faulty = unplayable = False

    def views() -> Iterator[dict[str, Any]]:
        nonlocal found, faulty, unplayable
        for read in inputs:
            verdict, record = judged(read), read.reading.record
            game = games.find(record.game) if record else None
            if record is None or game is None or not (verdict.deals or not record.deals):
                unplayable = True
                sys.stderr.writelines(map(finding_line, verdict.findings))
                continue
            _check_seat(record, seat)
            tables = referee.replay(record, compose(game, record.options)[0], trace=True)
            for table, result in zip(tables, verdict.deals, strict=True):
                if deal is not None and table.number != deal:
                    continue
                view = shown.deal_view(record, table, result, verdict.findings, seat, trick)
                if trick is not None and not view["tricks"] and not view["findings"]:
                    continue
                found = True
                faulty = faulty or any(remark["severity"] != "info" for remark in view["findings"])
                yield view

    colour = in_colour(color, sys.stdout)
    if step:
        from handrec.cli import step as stepping

        deals = list(views())
        if deals:
            stepping.run(deals, colour)
    elif format is PlainFormat.JSON:
        emit(as_list(compact(plain(view)) for view in views()), None)
    else:
        emit((shown.text(view, colour) for view in views()), None)
    if not (found or unplayable or inputs.trouble):
        what = "deal" if deal is None else f"deal {deal}"
        raise Trouble(f"there is no {what if trick is None else f'trick {trick} in {what}'} to replay")
    return 2 if inputs.trouble else int(unplayable or (faulty and exit_code))


def _check_seat(record: Record, seat: str | None) -> None:
    seats = [player.seat for player in record.players]
    if seat is not None and seat not in seats:
        raise unknown("seat", seat, seats, f" in this record ({', '.join(seats)})")
