"""How often each code was found, the most frequent first, and the count at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from handrec.report.checked import PLAIN, WORDS, Checked, ReportOptions, Tally
from handrec.report.layout import counted


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """A line for each code: how often it was found, how much it weighs, what it is called, in how many records; the summary."""
    tally, times, records = Tally(options.settings), Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
    for one in tally.follow(checked):
        found = [(each.code, WORDS[each.severity], each.fault.name) for each in one.verdict.primary]
        times.update(found)
        records.update(set(found))
    rows = sorted(times.items(), key=lambda row: (-row[1], row[0]))
    width = max((len(f"{number:,}") for _, number in rows), default=0)
    for kind, number in rows:
        code, word, name = kind
        yield f"{number:>{width},}  {code} {word:<7}  {name}, in {counted(records[kind], 'record')}\n"
    if not options.quiet:
        yield f"{tally}\n"
    elif options.settings:
        yield f"{tally.hidden()}\n"
