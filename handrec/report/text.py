"""Plain text: a line for each finding, and the count at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from handrec.findings import Fault, Finding
from handrec.report.checked import PLAIN, WORDS, Checked, ReportOptions, Tally, fitted, location, name, outcome, sentence
from handrec.report.layout import CYAN, RED, YELLOW, counted, painted
from handrec.report.safe import PLACE, safe

#: So many deals of a file with the same slip are told one by one.
HABIT = 2

_COLOURS = {"error": RED, "warning": YELLOW, "info": CYAN}


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """Lines that each stand alone: findings, with `verbose` the outcome of every level, and at last the summary."""
    tally, edits, habits = Tally(options.settings), 0, Habits()
    for one in tally.follow(checked):
        yield from habits.ended(one.path)
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
    yield from habits.ended(None)
    if not options.quiet:
        yield f"{tally}\n" + (f"That is with the {counted(edits, 'edit')} shown.\n" if edits else "")
    elif options.settings:
        yield f"{tally.hidden()}\n"


class Habits:
    """What comes again and again in a file, of slips of the pen and warnings: after a few deals these are counted, and told once
    when the file ends."""

    def __init__(self) -> None:
        self.path: str | None = None
        self.deals: dict[str, int] = {}
        self.more: dict[str, int] = {}
        self.names: dict[str, str] = {}

    def first(self, one: Checked) -> Iterator[Finding]:
        """The findings of a record that are told each by itself."""
        self.path = one.path
        if not one.verdict.findings:
            return
        primary = one.verdict.primary
        deals = Counter(code for code, _ in {(finding.code, finding.deal) for finding in primary})
        slips = _slips() if primary else {}
        for finding in primary:
            again = finding.code in slips or finding.severity == "warning"
            if again and self.deals.get(finding.code, 0) >= HABIT:
                self.more[finding.code] = self.more.get(finding.code, 0) + 1
                self.names[finding.code] = finding.fault.name
            else:
                yield finding
        for code, many in deals.items():
            self.deals[code] = self.deals.get(code, 0) + many

    def ended(self, path: str | None) -> Iterator[str]:
        """What else there was of each habit, if the file is not this one any more."""
        if path == self.path:
            return
        for code, many in sorted(self.more.items()):
            deals, what = self.deals[code], "slip of the pen" if code in _slips() else "warning"
            habit = f"{many:,} more of the same {what} ({self.names[code]}), in {deals:,} deals of this file in all"
            yield f"{safe(self.path or '', PLACE)}: {code} habit  {habit} (-v shows each)\n"
        self.path, self.deals, self.more, self.names = path, {}, {}, {}


def _slips() -> dict[str, Fault]:
    """The slips of the pen by code; what knows them is loaded only where there are findings."""
    from handrec.explanations import SLIPS

    return SLIPS


def _kind(finding: Finding, colour: bool) -> str:
    return painted(f"{finding.code} {WORDS[finding.severity]}", _COLOURS[finding.severity], colour)
