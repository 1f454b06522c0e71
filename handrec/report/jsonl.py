"""JSON lines: a record to a line, the same objects as in the JSON document."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handrec.report.checked import PLAIN, Checked, ReportOptions
from handrec.report.json import compact, plain, record


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """One JSON object a line."""
    settings = {"settings": plain(options.settings)} if options.settings else {}
    for one in checked:
        yield compact(record(one) | settings) + "\n"
