"""Findings told to people and to programs: one module per format, none loaded before it is used.

A format takes checked records as they come and yields pieces of text. What records say is made safe on the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module

from handrec.report.checked import PLAIN, Checked, ReportOptions, Tally, Was, summary

__all__ = ["FORMATS", "PLAIN", "STATISTICS", "Checked", "Report", "ReportOptions", "Tally", "Was", "summary"]

Report = Callable[[Iterable[Checked], ReportOptions], Iterator[str]]


def _format(name: str) -> Report:
    def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
        chunks: Iterator[str] = import_module(f"handrec.report.{name}").report(checked, options)
        return chunks

    return report


#: Every format of a report, by name.
FORMATS: dict[str, Report] = {
    name: _format(name) for name in ("text", "line", "json", "jsonl", "sarif", "github", "junit", "markdown")
}

#: Text in which findings are counted, not told.
STATISTICS = _format("statistics")
