"""`handrec replay`: deals trick by trick, with the referee's remarks."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from handrec.cli.commands.options import Colour, ReplayFormat
from handrec.cli.common import Inputs, as_list, emit, in_colour
from handrec.cli.errors import CommandError, unknown
from handrec.findings import Verdict
from handrec.record import Record
from handrec.report import replay as shown
from handrec.report.json import compact, plain

#: Why options do not go together.
WHY = {
    "-f html": "the page shows everything, and what to look at is chosen in it",
    "--step": "it draws on the terminal",
}


def run(
    file: str,
    deal: int | None,
    trick: int | None,
    as_: str | None,
    format: ReplayFormat,
    output: str | None,
    step: bool,
    exit_code: bool,
    color: Colour,
    from_: str | None,
) -> int:
    """Show the deals of a file's records, with `step` card by card.

    Returns 1 for a record that cannot be replayed, 2 for what is none, and, if asked for, 1 if a fault was shown.
    """
    if format == "html":
        _refuse("-f html", {"--as": as_, "--step": step, "--exit-code": exit_code, "--color": color != "auto"})
        from handrec.cli import view  # only where a page is made

        return view.run(
            [file], output or "-", None, False, False, False, False, from_, lambda verdict: _start(verdict, deal, trick)
        )
    if step:
        _refuse("--step", {"-f json": format == "json", "-o": output})
    inputs = Inputs([file], from_)
    found = faulty = False

    def views() -> Iterator[dict[str, Any]]:
        nonlocal found, faulty
        for record, verdict, tables in inputs.replayed():
            _check_seat(record, as_)
            for table, result in zip(tables, verdict.deals, strict=True):
                if deal is not None and table.number != deal:
                    continue
                view = shown.deal_view(record, table, result, verdict.findings, as_, trick)
                if trick is not None and not view["tricks"] and not view["findings"]:
                    continue
                found = True
                faulty = faulty or any(remark["severity"] != "info" for remark in view["findings"])
                yield view

    colour = in_colour(color, sys.stdout) and output is None
    deals: Iterable[dict[str, Any]] = views()
    if step or output is not None:
        deals = list(deals)  # no file is written, and no screen drawn, where there is nothing to show
    if step and deals:
        from handrec.cli import step as stepping

        stepping.run(list(deals), colour)
    elif deals:
        in_json = format == "json"
        emit(as_list(compact(plain(view)) for view in deals) if in_json else (shown.text(view, colour) for view in deals), output)
    if not (found or inputs.unplayable or inputs.trouble):
        raise _nothing(deal, trick)
    return inputs.code(inputs.unplayable or (faulty and exit_code))


def _refuse(what: str, options: dict[str, Any]) -> None:
    """Trouble where options are given that would be passed over."""
    given = [option for option, value in options.items() if value]
    if given:
        raise CommandError(f"{what} does not go with {', '.join(given)}: {WHY[what]}")


def _start(verdict: Verdict, deal: int | None, trick: int | None) -> str:
    """The link to the first deal of a number that has a trick, and to the end of that trick."""
    from handrec.view import link

    numbers = [result.number for result in verdict.deals]
    for place, result in enumerate(verdict.deals):
        if deal in (None, result.number) and trick in (None, *(played.number for played in result.played)):
            return link(result.number, numbers[: place + 1].count(result.number), trick)
    raise _nothing(deal, trick)


def _nothing(deal: int | None, trick: int | None) -> CommandError:
    which = "deal" if deal is None else f"deal {deal}"
    if trick is not None:
        which = f"trick {trick}" if deal is None else f"trick {trick} in deal {deal}"
    return CommandError(f"there is no {which} to replay")


def _check_seat(record: Record, seat: str | None) -> None:
    seats = [player.seat for player in record.players]
    if seat is not None and seat not in seats:
        raise unknown("seat", seat, seats, f" in this record ({', '.join(seats)})")
