"""`handrec check`: referee every record in the inputs and report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from handrec.cli.app import Colour, FailOn, ReportFormat
from handrec.cli.common import Inputs, Trouble, chosen, emit, in_colour, judged
from handrec.report import FORMATS, Checked, Options


def run(
    paths: list[str],
    format: ReportFormat,
    output: str | None,
    select: str,
    ignore: str,
    fail_on: FailOn,
    verbose: bool,
    quiet: int,
    color: Colour,
    from_: str | None,
    stdin_name: str,
    allow_empty: bool,
) -> int:
    """Check all records; returns the exit code."""
    inputs = Inputs(paths, from_, stdin_name)
    severities = {"error": {"error"}, "warning": {"error", "warning"}, "never": set()}[fail_on]
    failed = False

    def checked() -> Iterator[Checked]:
        nonlocal failed
        for read in inputs:
            verdict = judged(read)
            verdict = replace(verdict, findings=chosen(verdict.findings, select, ignore))
            failed = failed or any(finding.severity in severities for finding in verdict.findings)
            yield Checked(read.name, read.path, verdict)

    colour = output is None and in_colour(color, sys.stdout)
    chunks = FORMATS[format](checked(), Options(verbose=verbose, quiet=quiet > 0, colour=colour))
    if quiet > 1:
        for _ in chunks:
            pass
    else:
        emit(chunks, output)
    if not inputs.count and not allow_empty:
        if inputs.trouble:
            return 2
        raise Trouble("there was no record to check (--allow-empty makes that no error)")
    return 2 if inputs.trouble else int(failed)
