"""Markdown with GitHub's tables, for issues and club pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from handrec.report.checked import (
    EACH,
    OFTEN,
    PLAIN,
    SAME,
    WORDS,
    Checked,
    Habits,
    ReportOptions,
    Tally,
    is_partial,
    location,
    message,
    name,
    outcome,
    place,
)
from handrec.report.safe import PLACE, markdown, safe


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """The summary, a table of findings, and one of what could not be checked."""
    tally, habits = Tally(options.settings), Habits(SAME, OFTEN)
    findings, gaps = list[list[str]](), []
    for one in tally.follow(checked):
        findings += _habits(habits, one.path, options.verbose)
        record = name(one)
        for finding in habits.first(one, options.verbose):
            where = (str(location(one, finding)), record, place(finding))
            findings.append([*where, finding.code, WORDS[finding.severity], message(finding)])
        gaps += [[record, f"{level.key} {level.name}", outcome(level)] for level in one.verdict.levels if is_partial(level)]
    findings += _habits(habits, None, options.verbose)
    first, *second = str(tally).splitlines()
    yield f"{first}\n"
    if findings:
        yield "\n" + table(["file", "record", "place", "code", "severity", "finding"], findings)
    if hidden := tally.hidden():
        yield f"\n{markdown(hidden)}\n"
        second.remove(hidden)
    if second and options.verbose:
        yield "\n" + table(["record", "level", "outcome"], gaps)
    elif second:
        yield "\n" + "\n".join(second) + "\n"


def _habits(habits: Habits, path: str | None, verbose: bool) -> list[list[str]]:
    """What else there was of each habit in the file before this one."""
    file, each = safe(habits.path or "", PLACE), EACH[verbose]
    return [[file, "", "", code, "habit", f"{words} ({each})"] for code, words in habits.ended(path)]


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], left: int | None = None) -> str:
    """A Markdown table of cells made safe before; columns from `left` on, if given, are set to the right."""
    from tabulate import tabulate  # only where a table is drawn: it would slow every other command's start

    sides = ["left" if left is None or place < left else "right" for place in range(len(headers))]
    cells = [[markdown(cell) for cell in row] for row in rows]
    drawn: str = tabulate(
        cells, [markdown(cell) for cell in headers], tablefmt="pipe", disable_numparse=True, colalign=sides if rows else None
    )
    return drawn + "\n"
