"""Plain text: a line for each finding, and the count at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handrec.findings import Finding
from handrec.report import repair
from handrec.report.checked import PLAIN, WORDS, Checked, Options, Tally, fitted, location, name, outcome, sentence
from handrec.report.safe import PLACE, safe

_COLOURS = {"error": "31", "warning": "33", "info": "36"}


def report(checked: Iterable[Checked], options: Options = PLAIN) -> Iterator[str]:
    """Lines that each stand alone: findings, with `verbose` the outcome of every level, and at last the summary."""
    tally, edits = Tally(), 0
    for one in tally.follow(checked):
        edits += len(one.edits)
        yield from repair.lines(one, options.colour)
        for finding in one.verdict.findings:
            yield f"{location(one, finding)}: {_kind(finding, options.colour)}  {sentence(finding)}\n"
        for words in fitted(one):
            yield f"{safe(one.path, PLACE)}: {name(one)}: {words}\n"
        yield from repair.left(one, options.colour)
        if options.verbose:
            for level in one.verdict.levels:
                yield f"{safe(one.path, PLACE)}: {name(one)}: {level.key} {level.name}: {outcome(level)}\n"
    if not options.quiet:
        yield f"{tally}\n" + (f"That is with the {edits:,} edit{'s' * (edits > 1)} shown.\n" if edits else "")


def _kind(finding: Finding, colour: bool) -> str:
    words = f"{finding.code} {WORDS[finding.severity]}"
    return f"\x1b[{_COLOURS[finding.severity]}m{words}\x1b[0m" if colour else words
