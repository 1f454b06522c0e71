"""`handrec score`: recomputed scores against those recorded, or the whole scorecard."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial

from handrec.cli.commands.options import SheetFormat
from handrec.cli.common import Inputs, as_list, emit, finding_line, judged
from handrec.cli.errors import CommandError
from handrec.findings import Verdict
from handrec.matches import TableResult, boards_of, compared, ranking, results_of, summary
from handrec.matches.pad import is_kept, pad
from handrec.record import Record
from handrec.report import sheet as sheets
from handrec.report.json import compact
from handrec.report.layout import counted
from handrec.report.safe import safe

#: Codes that say that a recorded number differs from the recomputed one.
NUMBERS = ("SCO", "TRK002", "TRK004")

SHEETS: dict[SheetFormat, Callable[[Record, Verdict], str]] = {
    "text": sheets.sheet_text,
    "markdown": sheets.sheet_markdown,
    "csv": sheets.sheet_csv,
    "tsv": partial(sheets.sheet_csv, delimiter="\t"),
    "json": sheets.sheet_json,
}


def run(paths: list[str], sheet: bool, format: SheetFormat, output: str | None, from_: str | None) -> int:
    """Write the scores of every record; returns 1 if a recorded number differs from the recomputed one."""
    inputs = Inputs(paths, from_)
    failed, played = False, list[TableResult]()

    def texts() -> Iterator[str]:
        nonlocal failed
        for read in inputs:
            verdict, record = judged(read), read.reading.record
            failed = failed or record is None or any(finding.code.startswith(NUMBERS) for finding in verdict.findings)
            played.extend(results_of(record, verdict, read.name) if record is not None else ())
            if record is None or not verdict.deals:
                lines = [*map(finding_line, verdict.findings)]
                if format == "text":
                    yield from lines
                else:
                    sys.stderr.writelines(lines)
            elif format != "text":
                yield SHEETS[format](record, verdict)
            elif sheet:
                yield f"{_title(read.name, verdict)}{SHEETS[format](record, verdict)}\n"
                if is_kept(verdict):
                    yield "".join(pad(verdict)) + "\n"
            else:
                yield _title(read.name, verdict) + "".join(_compared(record, verdict))
        boards = [board for board in boards_of(played) if len(board.results) > 1]
        failed = failed or any(compared(board).findings for board in boards)
        if boards and format == "text":
            yield from summary.text(boards, ranking(boards))
        elif boards and format == "json":
            yield compact({"match": summary.data(boards, ranking(boards))}) + "\n"

    emit(as_list(texts()) if format == "json" else texts(), output)
    if not inputs.count and not inputs.trouble:
        raise CommandError("there was no record to score")
    return inputs.code(failed)


def _title(name: str, verdict: Verdict) -> str:
    return f"{safe(name)}: {verdict.game}, {counted(len(verdict.deals), 'deal', '')}\n"


def _compared(record: Record, verdict: Verdict) -> Iterator[str]:
    """Totals and winners as recomputed, and every recorded number that differs."""
    if verdict.totals is not None:
        yield "  totals  " + "  ".join(f"{seat} {total}" for seat, total in verdict.totals.items()) + "\n"
    if verdict.winners:
        yield f"  won by  {' '.join(verdict.winners)}\n"
    differing = [finding for finding in verdict.findings if finding.code.startswith(NUMBERS)]
    for finding in differing:
        yield f"  {finding.code}  {finding.place or 'game'}: {safe(finding.message, 300)}\n"
    unknown = [reason for level in verdict.levels if level.key == "L5" for reason in level.reasons]
    if unknown:
        yield f"  not checkable in part: {safe(unknown[0], 200)}" + (f" (and {len(unknown) - 1} more)\n" if unknown[1:] else "\n")
    elif not (record.claimed or any(deal.claimed for deal in record.deals)):
        yield "  no number is recorded to compare with\n"
    elif not differing:
        yield "  every number recorded agrees\n"
