"""What a report is made of: checked records, how they are counted, and the words that all formats share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import TYPE_CHECKING, Any, NamedTuple

from handrec.findings import Fault, Finding, Level, Location, Verdict
from handrec.report.layout import WIDTH, counted
from handrec.report.safe import MESSAGE, NAME, PLACE, safe

if TYPE_CHECKING:
    from handrec.record import Record
    from handrec.repair import Edit, Repairs

#: A remark is called a note wherever people read it.
WORDS = {"error": "error", "warning": "warning", "info": "note"}

NEAREST = 2  # slips that would explain a finding as well are named

EXAMPLES = 3  # reasons of one shape that are told in full

#: How a reason begins that something could not be checked: the deal, and the trick if it is of one.
DEAL = re.compile(r"deal (?P<deal>\d+)(?:, trick (?P<trick>\d+))?: ")

HABIT = 2  # deals of a file with the same slip that are told one by one

UNLOOKED = "FMT022"  # it says no more of one deal than of another

SAME = 10  # findings of one kind in a deal that are told one by one to people
OFTEN = 100  # and in a file: who has read so many wants to know how many more there are

EACH = ("-v shows each", "-f line -v shows each")  # where the others are told, without -v and with it


class Was(NamedTuple):
    """How a record was counted: as clean, as silenced, and which levels as not checkable throughout."""

    ok: bool
    silenced: bool
    partial: frozenset[str]

    @classmethod
    def of(cls, checked: Checked) -> Was:
        """How this one is counted."""
        return cls(checked.ok, checked.silenced, frozenset(each.key for each in checked.verdict.levels if is_partial(each)))


class Checked(NamedTuple):
    """One record that was checked: its id (or `file#n`), the file it is from, and the verdict.

    `fit` are the sets of option values under which it would have no findings, None if that was not asked for. `edits` are
    those made to it, or that would be; the verdict is that on the record after them. `repairs` is all that can be mended.
    `left_out` are the findings that somebody does not want to be told of: they are not in the verdict. `was` is there where this
    is what else was found of a record that went by before, and says how that was counted. `record` is what was checked, None if
    it could not be made out; `line` gives the line of text that a place is in, None where there is none. `many` are the records
    that it stands for, where the same was found of several and is told of them together.
    """

    name: str
    path: str
    verdict: Verdict
    fit: list[dict[str, Any]] | None = None
    edits: tuple[Edit, ...] = ()
    repairs: Repairs | None = None
    left_out: tuple[Finding, ...] = ()
    was: Was | None = None
    record: Record | None = None
    line: Callable[[Location], str | None] | None = None
    many: int = 1

    @property
    def ok(self) -> bool:
        """Whether it is clean: nothing wrong was found, and nothing wrong left out."""
        return self.verdict.ok and not self.silenced

    @property
    def silenced(self) -> bool:
        """Whether it would be clean only because of what was left out."""
        return any(finding.severity != "info" for finding in self.left_out) and self.verdict.ok


class ReportOptions(NamedTuple):
    """How to report: every level of every record, nothing but findings, in colour, suits as signs, in so many columns.

    A format heeds what it can.
    `settings` say in words what is set somewhere, and not in this call, that may hide findings: every format tells that.
    """

    verbose: bool = False
    quiet: bool = False
    colour: bool = False
    signs: bool = True
    settings: tuple[str, ...] = ()
    width: int = WIDTH


PLAIN = ReportOptions()


@dataclass
class Tally:
    """The count of records, deals and findings, kept while records go by; `settings` as in the options of the report."""

    settings: tuple[str, ...] = ()
    records: int = 0
    deals: int = 0
    clean: int = 0
    silenced: int = 0
    left_out: int = 0
    found: Counter[str] = field(default_factory=Counter)
    unchecked: Counter[str] = field(default_factory=Counter)

    def follow(self, checked: Iterable[Checked]) -> Iterator[Checked]:
        """The same records, counted as they go by."""
        for one in checked:
            verdict, was = one.verdict, one.was
            self.records += one.many * (was is None)
            self.deals += len(verdict.deals)
            if was is None:
                self.clean += one.ok * one.many
                self.silenced += one.silenced * one.many
            elif not one.ok:  # it counts no longer as it did
                self.clean -= was.ok
                self.silenced += (was.ok and one.silenced) - (was.silenced and not one.silenced)
            self.left_out += len(one.left_out) * one.many
            if verdict.findings:
                for finding in verdict.primary:
                    self.found[finding.severity] += one.many
            for level in verdict.levels:
                if is_partial(level) and not (was and level.key in was.partial):
                    self.unchecked[level.key] += one.many
            yield one

    def __str__(self) -> str:
        """The last lines of a report: what was checked, and which levels could not be checked throughout."""
        return "\n".join(filter(None, (self._counted(), self.hidden(), self._gaps())))

    def hidden(self) -> str:
        """How many findings were left out, and what is set that may leave some out; nothing if neither."""
        if not self.left_out and not self.settings:
            return ""
        why = f" ({'; '.join(self.settings)})" if self.settings else ""
        return f"Left out: {counted(self.left_out, 'finding')}{why}."

    def _counted(self) -> str:
        if not self.records:
            return "No record was checked."
        line = f"Checked {counted(self.records, 'record')} ({counted(self.deals, 'deal')}): {self.clean:,} clean"
        if faulty := self.records - self.clean - self.silenced:
            faults = [counted(self.found[kind], WORDS[kind]) for kind in ("error", "warning") if self.found[kind]]
            line += f", {faulty:,} with findings ({', '.join(faults)})"
        if self.silenced:
            line += f", {self.silenced:,} whose findings were all left out"
        if self.found["info"]:
            line += f"; {counted(self.found['info'], 'note')}"
        return f"{line}."

    def _gaps(self) -> str:
        if not self.unchecked:
            return ""
        (first, number), *others = sorted(self.unchecked.items())
        parts = [f"{first} in {counted(number, 'record')}", *(f"{key} in {number:,}" for key, number in others)]
        return f"Not checkable in part: {', '.join(parts)} (-v says why)."


@dataclass
class Habit:
    """How often something came in a file: the findings told, and those that were not; in how many deals, in how many records."""

    fault: Fault
    told: int = 0
    more: int = 0
    deals: int = 0
    records: int = 0
    of_deals: bool = True

    def __str__(self) -> str:
        """What else there was of it, in words."""
        what = "slip of the pen" if self.fault.code in _slips() else WORDS[self.fault.severity]
        where = counted(self.deals, "deal") if self.of_deals else counted(self.records, "record")
        return f"{self.more:,} more of the same {what} ({self.fault.name}), in {where} of this file in all"


class Habits:
    """What comes again and again in a file, of slips of the pen and warnings: after a few deals these are counted, and told once
    when the file ends. So is what comes more than `most` times in one deal, or `often` in the file, whatever it is."""

    def __init__(self, most: float = inf, often: float = inf) -> None:
        self.most, self.often = most, often
        self.path: str | None = None
        self.met: dict[str, Habit] = {}

    def first(self, one: Checked, every: bool = False) -> Iterator[Finding]:
        """The findings of a record that are told each by itself.

        With `every` that is each of them, but that something was not looked for, where it is often so in a file.
        """
        self.path = one.path
        if not one.verdict.findings:
            return
        found = one.verdict.findings if every else one.verdict.primary
        slips, here = _slips() if found else {}, Counter[tuple[str, int | None]]()
        for finding in found:
            if every and finding.code != UNLOOKED:
                yield finding
                continue
            habit = self.met.setdefault(finding.code, Habit(finding.fault))
            again = finding.code in slips or finding.severity == "warning" or finding.code == UNLOOKED
            here[finding.code, finding.deal] += 1
            many = here[finding.code, finding.deal] > self.most or habit.told >= self.often
            if many or (again and habit.deals >= HABIT and not every):
                habit.more += 1
            else:
                habit.told += 1
                yield finding
        for code, deal in here:
            self.met[code].deals += 1
            self.met[code].of_deals &= deal is not None
        for code in {code for code, _ in here}:
            self.met[code].records += 1

    def ended(self, path: str | None) -> Iterator[tuple[str, str]]:
        """What else there was of each habit, by its code and in words, if the file is not this one any more."""
        if path == self.path:
            return
        yield from ((code, str(habit)) for code, habit in sorted(self.met.items()) if habit.more)
        self.path, self.met = path, {}


def _slips() -> dict[str, Fault]:
    """The slips of the pen by code; what knows them is loaded only where there are findings."""
    from handrec.explanations import SLIPS

    return SLIPS


def summary(checked: Iterable[Checked]) -> str:
    """The last lines of a report on these records."""
    tally = Tally()
    for _ in tally.follow(checked):
        pass
    return str(tally)


def is_partial(level: Level) -> bool:
    """Whether a level could not be checked, or not throughout."""
    return level.status == "not checkable" or bool(level.reasons)


def outcome(level: Level) -> str:
    """The outcome of a level in words, with the reasons why something could not be checked."""
    reasons = "; ".join(safe(reason, MESSAGE) for reason in condensed(level.reasons))
    if not reasons:
        return level.status
    return (
        f"{level.status}: {reasons}" if level.status == "not checkable" else f"{level.status}; not checkable in part: {reasons}"
    )


def condensed(reasons: Iterable[str]) -> list[str]:
    """The reasons, those that differ only in numbers and whose they are told by three examples."""
    shapes: dict[tuple[str | None, str], list[str]] = {}
    known: dict[str, str] = {}  # the same words come in deal after deal
    for reason in reasons:
        place = DEAL.match(reason)
        words = reason[place.end() :] if place else reason
        if (shape := known.get(words)) is None:
            shape = known[words] = re.sub(r"\d+|\S+'s", "#", words)
        of = place and place.lastgroup  # a deal, a trick, or neither
        shapes.setdefault((of, shape), []).append(reason)
    told: list[str] = []
    for alike in shapes.values():
        told += alike[:EXAMPLES]
        if len(alike) > EXAMPLES:
            told[-1] += f", and {len(alike) - EXAMPLES:,} more"
    return told


def name(checked: Checked) -> str:
    """The record's name, made safe."""
    return safe(checked.name, NAME)


def location(checked: Checked, finding: Finding) -> Location:
    """The place of a finding in a file, made safe; the file alone where no more is known."""
    place = finding.location or Location(checked.path)
    return Location(safe(place.path, PLACE), place.line, place.column)


def place(finding: Finding) -> str:
    """The place of a finding as card players say it, made safe."""
    return safe(finding.place, NAME)


def message(finding: Finding) -> str:
    """What was found, made safe, with the game's rule, and what would make it none: other readings, slips of the pen."""
    text = safe(finding.message, MESSAGE)
    if finding.rule:
        text += f" [{safe(finding.rule)}]"
    if finding.readings:
        word = "legal" if finding.level in ("L3", "L4") else "right"
        text += f" ({word} under {' or '.join(map(safe, finding.readings))})"
    return f"{text}{explained(finding)}"


def explained(finding: Finding) -> str:
    """How the pen may have come into it, in words."""
    if finding.because is not None:
        return f" (follows from {finding.because[0]})"
    if finding.unexplained:
        return " (no single slip explains this)"
    open_ = [near for near in finding.near if near.cost <= 0]
    chosen = open_ or finding.near
    if not chosen:
        return ""
    words = " or ".join(safe(near.words) for near in chosen[:NEAREST])
    return f" (one slip would explain it: {words}: cannot be told)" if open_ else f" (would be none if {words})"


def fitted(checked: Checked) -> list[str]:
    """Each set of option values under which the record would have no findings, in words."""
    if checked.fit is None:
        return []
    if not checked.fit:
        return ["no reading of the rules leaves it without findings"]
    words = (", ".join(f"{key}: {str(value).lower()}" for key, value in reading.items()) for reading in checked.fit)
    return [f"without findings under {safe(text, MESSAGE)}" for text in words]


def sentence(finding: Finding) -> str:
    """Where in the deal, and what was found."""
    return f"{place(finding)}: {message(finding)}" if finding.place else message(finding)
