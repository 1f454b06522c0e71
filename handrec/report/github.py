"""Annotations of a GitHub workflow. Few are shown, so few are written, and the rest are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from handrec.findings import Finding
from handrec.report.checked import PLAIN, Checked, ReportOptions, Tally, location, message, place
from handrec.report.safe import github_data, github_property

MOST = 10  # annotations of each kind that a step shows

_COMMANDS = {"error": "error", "warning": "warning", "info": "notice"}


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """Workflow commands, then the summary."""
    tally, shown = Tally(options.settings), Counter[str]()
    for one in tally.follow(checked):
        for finding in one.verdict.primary:
            shown[finding.severity] += 1
            if shown[finding.severity] <= MOST:
                yield _annotation(one, finding)
    cut = [f"{number - MOST:,} more {_COMMANDS[kind]}s" for kind, number in sorted(shown.items()) if number > MOST]
    if cut:
        yield f"Not annotated: {', '.join(cut)}.\n"
    yield f"{tally}\n"


def _annotation(checked: Checked, finding: Finding) -> str:
    where = location(checked, finding)
    title = " ".join(filter(None, (finding.code, place(finding))))
    properties = {"file": where.path, "line": where.line, "col": where.column, "title": title}
    told = ",".join(f"{key}={github_property(str(value))}" for key, value in properties.items() if value)
    return f"::{_COMMANDS[finding.severity]} {told}::{github_data(message(finding))}\n"
