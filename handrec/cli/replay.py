"""`handrec replay`: deals trick by trick, with the referee's remarks."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from handrec import games, referee
from handrec.cli.app import Colour, PlainFormat
from handrec.cli.common import Inputs, Trouble, emit, in_colour, judged
from handrec.game import compose
from handrec.report import replay as shown
from handrec.report.safe import safe


def run(
    file: str,
    deal: int | None,
    trick: int | None,
    seat: str | None,
    format: PlainFormat,
    exit_code: bool,
    color: Colour,
    from_: str | None,
) -> int:
    """Show the deals of a file's records; returns 1 if a fault was shown and that was asked for."""
    inputs = Inputs([file], from_)
    failed = found = False

    def texts() -> Iterator[str]:
        nonlocal failed, found
        for read in inputs:
            verdict, record = judged(read), read.reading.record
            game = games.find(record.game) if record else None
            if record is None or game is None or not verdict.deals:
                failed = found = True
                yield from (f"{finding.location}: {finding.code} {safe(finding.message, 300)}\n" for finding in verdict.findings)
                continue
            if seat is not None and seat not in {player.seat for player in record.players}:
                raise Trouble(f"{safe(seat)} is no seat of this record ({', '.join(p.seat for p in record.players)})")
            tables = referee.replay(record, compose(game, record.options)[0], trace=True)
            for table, result in zip(tables, verdict.deals, strict=True):
                if deal is not None and table.number != deal:
                    continue
                found = True
                view = shown.deal_view(record, table, result, verdict.findings, seat, trick)
                failed = failed or bool(view["findings"])
                if format is PlainFormat.JSON:
                    yield json.dumps(view, ensure_ascii=False, sort_keys=True, indent=2) + "\n"
                else:
                    yield shown.text(view, in_colour(color, sys.stdout))

    emit(texts(), None)
    if not found and not inputs.trouble:
        raise Trouble(f"there is no deal {deal} in this file" if deal else "there is no deal to replay")
    return 2 if inputs.trouble else int(failed and exit_code)
