"""`handrec check`: referee every record in the inputs and report."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from handrec import games, report
from handrec.cli.commands.options import Colour, FailOn, ReportFormat
from handrec.cli.common import Inputs, Mended, Read, chosen, emit, in_colour, judged, writable
from handrec.cli.errors import CommandError, unknown
from handrec.cli.progress import Progress
from handrec.findings import Finding, Verdict
from handrec.report import FORMATS, Checked

if TYPE_CHECKING:
    from handrec.cli.mend import Mending

#: The findings that make the exit code 1, by what was asked for.
SEVERITIES: dict[FailOn, frozenset[str]] = {
    "error": frozenset({"error"}),
    "warning": frozenset({"error", "warning"}),
    "never": frozenset(),
}


#: The formats that list the results of deals.
LISTING = ("json", "jsonl")


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
    stdin_filename: str,
    allow_empty: bool,
    no_progress: bool,
    fit: bool,
    diff: bool,
    fix: bool,
    unsafe_fixes: bool,
    baseline: str | None,
    write_baseline: str | None,
    settings: tuple[str, ...],
) -> int:
    """Check all records; returns the exit code."""
    inputs = Inputs(paths, from_, stdin_filename, allow_empty)
    inputs.sift = format not in LISTING and not (diff or fix or unsafe_fixes)
    selected, ignored = prefixes(select), prefixes(ignore)
    mending: Mending | None = None
    if diff or fix or unsafe_fixes:
        from handrec.cli.mend import Mending

        mending = Mending(diff, fix, unsafe_fixes, select=selected, ignore=ignored)
        mending.begin(paths, format)
    if baseline or write_baseline:
        from handrec.cli import baseline as baselines
    shown = not no_progress and format == "text" and not quiet and sys.stderr.isatty()
    progress = Progress(sys.stderr if shown else None)
    known = baselines.load(baseline) if baseline else None
    if write_baseline:
        writable(write_baseline)
    entries: list[str] = []
    failed = False

    def left(name: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What of the findings of a record is not in the baseline."""
        primary = [finding for finding in findings if finding.because is None]
        if write_baseline:
            entries.extend(baselines.entry(name, finding) for finding in primary)
        if not known:
            return findings
        others = known.others(name, primary)
        causes, kept = {(finding.code, finding.pointer) for finding in others}, set(map(id, others))
        return tuple(finding for finding in findings if id(finding) in kept or finding.because in causes)

    def checked() -> Iterator[Checked]:
        nonlocal failed
        reads = (mending.mend(read, inputs) if mending else Mended(read) for read in inputs)
        verdicts = ((mended, judged(mended.read, inputs, not quiet)) for mended in reads)
        for mended, verdict in progress.follow(verdicts):
            read = mended.read
            left_out: tuple[Finding, ...] = ()
            if verdict.findings:
                before = verdict.primary
                verdict = verdict._replace(findings=left(read.name, chosen(verdict.findings, selected, ignored)))
                left_out = without(before, verdict.primary)
                failed = failed or any(finding.severity in SEVERITIES[fail_on] for finding in verdict.primary)
            if verdict.findings or verbose:
                progress.clear()
            readings = fitting(read, verdict) if fit else None
            yield Checked(read.name, read.path, verdict, readings, mended.edits, mended.repairs, left_out)
        if mending:
            mending.finish()

    colour = output is None and in_colour(color, sys.stdout)
    how = report.ReportOptions(verbose=verbose, quiet=quiet > 0, colour=colour, settings=settings)
    chunks = FORMATS[format](checked(), how)
    try:
        if quiet > 1:
            for _ in chunks:
                pass
        else:
            emit(chunks, output)
    finally:
        progress.clear()
    for way, times in inputs.failures.items() if quiet < 2 else ():
        print(f"handrec: a fast way of judging failed {times:,} times ({way}); the referee judged instead", file=sys.stderr)
    if known and quiet < 2:
        known.say()
    if write_baseline:
        emit(baselines.written(entries), write_baseline)
    if not inputs.count and not inputs.trouble and not allow_empty:
        raise CommandError("there was no record to check (--allow-empty makes that no error)")
    if inputs.crashed:
        return 3
    if mending and mending.trouble:
        return 2
    return inputs.code(failed or bool(mending and mending.would_change and fail_on != "never"))


def without(findings: Iterable[Finding], told: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings of which nothing is told."""
    left = Counter((each.code, each.pointer, each.trick, each.seat) for each in told)
    out = []
    for each in findings:
        key = each.code, each.pointer, each.trick, each.seat
        if left[key]:
            left[key] -= 1
        else:
            out.append(each)
    return tuple(out)


def fitting(read: Read, verdict: Verdict) -> list[dict[str, Any]] | None:
    """The readings of the rules under which a record with findings has none; None for a record without."""
    record = read.reading.record
    game = games.find(record.game) if record else None
    if verdict.ok or record is None or game is None:
        return None
    from handrec.readings import fit

    return fit(record, game)


def prefixes(text: str) -> tuple[str, ...]:
    """The beginnings of codes in a list with commas; one that begins no code is the user's mistake."""
    parts = tuple(part.strip().upper() for part in text.split(",") if part.strip())
    if parts:
        from handrec.cli.explain import codes

        known = codes()
        for part in parts:
            if not any(code.startswith(part) for code in known):
                raise unknown("code beginning with", part, sorted({*known, *(code[:3] for code in known)}))
    return parts
