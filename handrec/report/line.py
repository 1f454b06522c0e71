"""A line for each finding, and the count at the end: stable, for tools and for `grep`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handrec.findings import Finding
from handrec.report.checked import (
    EACH,
    PLAIN,
    WORDS,
    Checked,
    Habits,
    ReportOptions,
    Tally,
    fitted,
    location,
    name,
    outcome,
    sentence,
)
from handrec.report.layout import CYAN, RED, YELLOW, counted, painted
from handrec.report.safe import PLACE, safe

_COLOURS = {"error": RED, "warning": YELLOW, "info": CYAN}


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """Lines that each stand alone: findings, with `verbose` the outcome of every level, and at last the summary."""
    tally, edits, habits = Tally(options.settings), 0, Habits()
    for one in tally.follow(checked):
        yield from _habits(habits, one.path)
        edits += len(one.edits)
        mended = bool(one.edits) or one.repairs is not None
        if mended:
            from handrec.report import repair  # only check --diff and --fix have any

            yield from repair.lines(one, options.colour)
        for finding in one.verdict.findings if options.verbose else habits.first(one):
            yield f"{location(one, finding)}: {_kind(finding, options.colour)}  {sentence(finding)}\n"
        for words in fitted(one):
            yield f"{safe(one.path, PLACE)}: {name(one)}: {words}\n"
        if mended:
            yield from repair.left(one, options.colour)
        if options.verbose:
            for level in one.verdict.levels:
                yield f"{safe(one.path, PLACE)}: {name(one)}: {level.key} {level.name}: {outcome(level)}\n"
    yield from _habits(habits, None)
    if not options.quiet:
        yield f"{tally}\n" + (f"That is with the {counted(edits, 'edit')} shown.\n" if edits else "")
    elif options.settings:
        yield f"{tally.hidden()}\n"


def _habits(habits: Habits, path: str | None) -> Iterator[str]:
    """What else there was of each habit in the file before this one."""
    file = safe(habits.path or "", PLACE)
    yield from (f"{file}: {code} habit  {words} ({EACH[False]})\n" for code, words in habits.ended(path))


def _kind(finding: Finding, colour: bool) -> str:
    return painted(f"{finding.code} {WORDS[finding.severity]}", _COLOURS[finding.severity], colour)
