"""`handrec check`: referee every record in the inputs and report."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from handrec import games, report
from handrec.cli.commands.options import Colour, FailOn, ReportFormat
from handrec.cli.common import Inputs, Mended, Read, chosen, emit, in_colour, judged, shows_signs, width, writable
from handrec.cli.errors import CommandError, unknown
from handrec.cli.matched import Matched
from handrec.cli.progress import Progress
from handrec.findings import LEVELS, Finding, Verdict
from handrec.referee.form import FORM
from handrec.report import FORMATS, STATISTICS, Checked
from handrec.report.checked import condensed, is_partial
from handrec.report.layout import WIDTH
from handrec.report.safe import safe

if TYPE_CHECKING:
    from handrec.cli.baseline import Baseline
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
    format: ReportFormat | None,
    output: str | None,
    select: str,
    ignore: str,
    fail_on: FailOn,
    verbose: bool,
    quiet: int,
    statistics: bool,
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
    require: str = "",
) -> int:
    """Check all records; returns the exit code."""
    form = format or ("text" if output is None and sys.stdout.isatty() else "line")
    if statistics and form not in ("text", "line"):
        raise CommandError(f"--statistics is shown as text, not as {form}")
    inputs = Inputs(paths, from_, stdin_filename, allow_empty)
    mended = diff or fix or unsafe_fixes
    inputs.sift = form not in LISTING and not mended
    wanted = Wanted(prefixes(select), prefixes(ignore), levels(require), SEVERITIES[fail_on], fit)
    mending = _mending(paths, form, diff, fix, unsafe_fixes, wanted) if mended else None
    known = _baseline(baseline) if baseline else None
    if write_baseline:
        writable(write_baseline)
    shown = not no_progress and form in ("text", "line") and not quiet and sys.stderr.isatty()
    progress = Progress(sys.stderr if shown else None)
    checking = Checking(inputs, wanted, progress, known, [] if write_baseline else None, mending, Matched("-" not in paths))
    how = report.ReportOptions(
        verbose=verbose,
        quiet=quiet > 0,
        colour=output is None and in_colour(color, sys.stdout),
        signs=output is not None or shows_signs(sys.stdout),
        settings=settings,
        width=width(sys.stdout) if output is None else WIDTH,
    )
    checked = checking.follow(not quiet, verbose, Inputs(paths, from_, stdin_filename, allow_empty))
    chunks = (STATISTICS if statistics else FORMATS[form])(checked, how)
    try:
        emit(chunks if quiet < 2 else _unsaid(chunks), output if quiet < 2 else None)
    finally:
        progress.clear()
    checking.say(quiet, write_baseline)
    return checking.code(allow_empty)


@dataclass(frozen=True)
class Wanted:
    """What is asked: codes to be told or not, levels that have to be checked, what makes the exit code 1, other readings."""

    select: tuple[str, ...]
    ignore: tuple[str, ...]
    require: tuple[str, ...]
    severities: frozenset[str]
    fit: bool


@dataclass
class Checking:
    """Records while they are checked, and what has come of it.

    `known` are the findings that are not told, `entries` those for a baseline to be written, None if none is.
    """

    inputs: Inputs
    wanted: Wanted
    progress: Progress
    known: Baseline | None
    entries: list[str] | None
    mending: Mending | None
    matched: Matched
    failed: bool = False

    def follow(self, readings: bool, verbose: bool, again: Inputs) -> Iterator[Checked]:
        """Each record as it is to be told, with other `readings` if wanted; then what boards tell together, read `again`."""
        reads = (self.mending.mend(read, self.inputs) if self.mending else Mended(read) for read in self.inputs)
        verdicts = ((mended, judged(mended.read, self.inputs, readings)) for mended in reads)
        for mended, verdict in self.progress.follow(verdicts):
            one = self._required(mended, verdict)
            if one.verdict.findings or verbose:
                self.progress.clear()
            self.matched.add(mended.read, verdict, one)
            line = None if mended.edits else self.inputs.line  # what was edited does not stand in the file
            fit = fitting(mended.read, one.verdict) if self.wanted.fit else None
            yield one._replace(fit=fit, record=mended.read.reading.record, line=line, many=mended.read.reading.many)
        for one in self.matched.checked(again):
            self.progress.clear()
            yield self._chosen_findings(one)
        if self.mending:
            self.mending.finish()

    def _required(self, mended: Mended, verdict: Verdict) -> Checked:
        """A record with the findings that are to be told, and those of levels that have to be checked and could not be."""
        read = mended.read
        one = self._chosen_findings(Checked(read.name, read.path, verdict, None, mended.edits, mended.repairs))
        missed = unchecked(verdict, self.wanted.require, read) if self.wanted.require else []
        if not missed:
            return one
        self.failed = self.failed or bool(self.wanted.severities)
        return one._replace(verdict=one.verdict._replace(findings=(*one.verdict.findings, *missed)))

    def _chosen_findings(self, one: Checked) -> Checked:
        """A record with the findings that are to be told."""
        if not one.verdict.findings:
            return one
        findings = self._left(one.name, chosen(one.verdict.findings, self.wanted.select, self.wanted.ignore))
        verdict = one.verdict._replace(findings=findings)
        self.failed = self.failed or any(finding.severity in self.wanted.severities for finding in verdict.primary)
        if findings == one.verdict.findings:
            return one
        return one._replace(verdict=verdict, left_out=without(one.verdict.primary, verdict.primary))

    def _left(self, name: str, findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
        """What of the findings of a record is not in the baseline."""
        primary = [finding for finding in findings if finding.because is None]
        if self.entries is not None:
            from handrec.cli.baseline import entry

            self.entries += [entry(name, finding) for finding in primary]
        if not self.known:
            return findings
        others = self.known.others(name, primary)
        causes, kept = {(finding.code, finding.pointer) for finding in others}, set(map(id, others))
        return tuple(finding for finding in findings if id(finding) in kept or finding.because in causes)

    def say(self, quiet: int, write_baseline: str | None) -> None:
        """When all is told: which fast ways failed, what was known; and write the baseline."""
        for way, times in self.inputs.failures.items() if quiet < 2 else ():
            print(f"handrec: a fast way of judging failed {times:,} times ({way}); the referee judged instead", file=sys.stderr)
        if self.known and quiet < 2:
            self.known.say()
        if write_baseline:
            from handrec.cli.baseline import written

            emit(written(self.entries or ()), write_baseline)

    def code(self, allow_empty: bool) -> int:
        """The exit code."""
        if not self.inputs.count and not self.inputs.trouble and not allow_empty:
            raise CommandError("there was no record to check (--allow-empty makes that no error)")
        if self.inputs.crashed:
            return 3
        if self.mending and self.mending.trouble:
            return 2
        return self.inputs.code(self.failed or bool(self.mending and self.mending.would_change and self.wanted.severities))


def _mending(paths: list[str], form: str, diff: bool, fix: bool, unsafe_fixes: bool, wanted: Wanted) -> Mending:
    from handrec.cli.mend import Mending  # most calls mend nothing

    mending = Mending(diff, fix, unsafe_fixes, select=wanted.select, ignore=wanted.ignore)
    mending.begin(paths, form)
    return mending


def _baseline(name: str) -> Baseline:
    from handrec.cli.baseline import load  # most calls have none

    return load(name)


def _unsaid(chunks: Iterable[str]) -> Iterator[str]:
    """Nothing of a report, which is made all the same."""
    for _ in chunks:
        pass
    yield from ()


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


def levels(text: str) -> tuple[str, ...]:
    """The levels in a list with commas; what is none is the user's mistake."""
    parts = tuple(part.strip().upper() for part in text.split(",") if part.strip())
    for part in parts:
        if part not in LEVELS:
            raise CommandError(f"there is no level {safe(part)}; there are {', '.join(LEVELS)}")
    return parts


def unchecked(verdict: Verdict, required: tuple[str, ...], read: Read) -> list[Finding]:
    """A finding for each level that has to be checked and could not be, with why; none of a record that fails as a whole."""
    if not verdict.deals and not verdict.ok:
        return []
    found = [level for level in verdict.levels if level.key in required and is_partial(level)]
    return [
        read.reading.placed(
            Finding(
                replace(FORM["INT003"], level=level.key),
                {"what": level.name, "level": level.key, "why": "; ".join(condensed(level.reasons))},
            )
        )
        for level in found
    ]


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
