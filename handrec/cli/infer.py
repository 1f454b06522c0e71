"""`handrec infer`: what the table could know."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from handrec import inference
from handrec.cli.commands.options import Colour, PlainFormat
from handrec.cli.common import Inputs, as_list, emit, in_colour
from handrec.cli.errors import CommandError, unknown
from handrec.game import Table
from handrec.report import inference as shown
from handrec.report.json import compact
from handrec.report.safe import safe


def run(
    file: str,
    deal: int | None,
    at: str | None,
    as_: str,
    plays: bool,
    format: PlainFormat,
    output: str | None,
    color: Colour,
    from_: str | None,
) -> int:
    """Tell what could be known of the deals of a file's records.

    Returns 1 if no legal deal fits, or for a record that cannot be replayed, 2 for what is none.
    """
    inputs, colour = Inputs([file], from_), in_colour(color, sys.stdout) and output is None
    found = unfit = False

    def reports() -> Iterator[str]:
        nonlocal found, unfit
        for record, _, tables in inputs.replayed():
            chosen = [table for table in tables if deal in (None, table.number)]
            if at is not None and len(chosen) > 1:
                raise CommandError(f"--at is a moment of one deal: say which with --deal ({_range(chosen)})")
            for table in chosen:
                case = inference.observed(table)
                found = True
                moment = _moment(case, table, at)
                _check_view(case, table, as_)
                full = format == "json"
                what = shown.view(table, case, moment, as_, full)
                unfit = unfit or what["deals"]["legal"] == "0"
                name = None if record.id is None else safe(record.id)
                yield compact({"record": name, **what}) if full else shown.text(what, case, plays, colour)
        if not (found or inputs.unplayable or inputs.trouble):
            raise CommandError(f"there is no {'deal' if deal is None else f'deal {deal}'} in {safe(file, 300)}")

    emit(as_list(list(reports())) if format == "json" else reports(), output)
    return inputs.code(inputs.unplayable or unfit)


def _range(tables: list[Table]) -> str:
    numbers = [table.number for table in tables]
    return f"{numbers[0]} to {numbers[-1]}"


def _moment(case: inference.DealCase, table: Table, at: str | None) -> int:
    try:
        return case.moment(at or "end")
    except ValueError:
        whens = list(dict.fromkeys(filter(None, map(case.when, range(1, len(case.events) + 1)))))
        there = f"0, {whens[0]} to {whens[-1]}, or a whole trick" if whens else "0 only: no card is played"
        raise CommandError(f"there is no moment {safe(at)} in deal {table.number}; there is {there}") from None


def _check_view(case: inference.DealCase, table: Table, view: str) -> None:
    if view in case.views:
        return
    there = ", ".join(case.views)
    if view in table.seats:
        raise CommandError(f"what {view} held is not recorded in deal {table.number}; there is {there}")
    if view == "open":
        raise CommandError(f"no hand is recorded in deal {table.number}; there is {there}")
    raise unknown("view", view, [*table.seats, "public", "open"], f" of deal {table.number}; there is {there}")
