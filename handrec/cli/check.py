"""`handrec check`: referee every record in the inputs and report."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from handrec import games, report
from handrec.cli.commands.options import Colour, FailOn, ReportFormat
from handrec.cli.common import Inputs, Mended, Read, chosen, emit, in_colour, judged, writable
from handrec.cli.progress import Progress
from handrec.cli.trouble import Trouble, unknown
from handrec.findings import Finding, Verdict
from handrec.report import FORMATS, Checked

if TYPE_CHECKING:
    from handrec.cli.mend import Mending

SEVERITIES = {
    FailOn.ERROR: frozenset({"error"}),
    FailOn.WARNING: frozenset({"error", "warning"}),
    FailOn.NEVER: frozenset[str](),
}


class Options(NamedTuple):
    """What the command was asked for, as its help says it."""

    format: ReportFormat
    output: str | None
    select: str
    ignore: str
    fail_on: FailOn
    verbose: bool
    quiet: int
    color: Colour
    from_: str | None
    stdin_name: str
    allow_empty: bool
    progress: bool
    fit: bool
    mending: Mending | None = None
    baseline: str | None = None
    write_baseline: str | None = None


def run(paths: list[str], options: Options) -> int:
    """Check all records; returns the exit code."""
    inputs = Inputs(paths, options.from_, options.stdin_name, options.allow_empty)
    select, ignore = prefixes(options.select), prefixes(options.ignore)
    mending = options.mending
    if mending:
        mending.begin(paths, options.format.value, select, ignore)
    if options.baseline or options.write_baseline:
        from handrec.cli import baseline
    told = options.progress and options.format is ReportFormat.TEXT and not options.quiet and sys.stderr.isatty()
    progress = Progress(sys.stderr) if told else None
    known = baseline.load(options.baseline) if options.baseline else None
    if options.write_baseline:
        writable(options.write_baseline)
    entries: list[str] = []
    failed = False

    def left(name: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What of the findings of a record is not in the baseline."""
        primary = [finding for finding in findings if finding.because is None]
        if options.write_baseline:
            entries.extend(baseline.entry(name, finding) for finding in primary)
        if not known:
            return findings
        others = known.others(name, primary)
        causes = {(finding.code, finding.pointer) for finding in others}
        return tuple(finding for finding in findings if finding in others or finding.because in causes)

    def checked() -> Iterator[Checked]:
        nonlocal failed
        reads = (mending.mend(read, inputs) if mending else Mended(read) for read in inputs)
        told = ((mended, judged(mended.read, inputs, not options.quiet)) for mended in reads)
        for mended, verdict in progress.follow(told) if progress else told:
            read = mended.read
            if verdict.findings:
                verdict = verdict._replace(findings=left(read.name, chosen(verdict.findings, select, ignore)))
                failed = failed or any(finding.severity in SEVERITIES[options.fail_on] for finding in verdict.primary)
            if progress and (verdict.findings or options.verbose):
                progress.clear()
            fit = fitting(read, verdict) if options.fit else None
            yield Checked(read.name, read.path, verdict, fit, mended.edits, mended.repairs)
        if mending:
            mending.finish()

    colour = options.output is None and in_colour(options.color, sys.stdout)
    how = report.Options(verbose=options.verbose, quiet=options.quiet > 0, colour=colour)
    chunks = FORMATS[options.format](checked(), how)
    try:
        if options.quiet > 1:
            for _ in chunks:
                pass
        else:
            emit(chunks, options.output)
    finally:
        if progress:
            progress.clear()
    for way, times in inputs.failures.items() if options.quiet < 2 else ():
        print(f"handrec: a fast way of judging failed {times:,} times ({way}); the referee judged instead", file=sys.stderr)
    if known and options.quiet < 2:
        known.say()
    if options.write_baseline:
        emit(baseline.written(entries), options.write_baseline)
    if not inputs.count and not inputs.trouble and not options.allow_empty:
        raise Trouble("there was no record to check (--allow-empty makes that no error)")
    if inputs.crashed:
        return 3
    if inputs.trouble or (mending and mending.trouble):
        return 2
    return int(failed or bool(mending and mending.would_change and options.fail_on is not FailOn.NEVER))


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
