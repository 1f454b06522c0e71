"""Text for people on a terminal: what was found in a sentence, the line of the file it stands in, the rule, and the cure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from handrec.findings import LEVELS, Fault, Finding, Location
from handrec.report.checked import (
    DEAL,
    EACH,
    NEAREST,
    OFTEN,
    PLAIN,
    SAME,
    WORDS,
    Checked,
    Habits,
    ReportOptions,
    Tally,
    condensed,
    fitted,
    is_partial,
    location,
)
from handrec.report.checked import name as record_name
from handrec.report.layout import BOLD, CYAN, RED, WIDTH, YELLOW, counted, painted, wrapped
from handrec.report.people import People, cure, listed
from handrec.report.safe import MESSAGE, PLACE, columns, first, last, safe

#: What each level looks at, in a word.
LOOKED_AT = dict(zip(LEVELS, ("text", "form", "cards", "bids", "plays", "scores", "the whole game"), strict=True))
#: The levels that look at what was dealt, bid, played and scored.
OF_PLAY = [*LEVELS][2:]

#: How it is said that something was checked in part, for several reasons.
ALL = " all checked"

_COLOURS = {"error": RED, "warning": YELLOW, "info": CYAN}
#: What a caret points to: a text in quotes, or what stands between blanks and marks.
_TOKEN = re.compile(r'"[^"]*"|[^\s,;:|"\[\]{}()]+')
#: How many columns before the place are shown of a line that is too long.
_BEFORE = 30


def report(checked: Iterable[Checked], options: ReportOptions = PLAIN) -> Iterator[str]:
    """A paragraph for each finding, with `verbose` what came of every level, and at last what was looked at."""
    tally, edits, habits, gaps = Tally(options.settings), 0, Habits(SAME, OFTEN), Gaps(options.signs)
    for one in tally.follow(checked):
        yield from _habits(habits, one.path, options)
        if one.was is None:  # else it was noted before
            gaps.note(one)
        edits += len(one.edits)
        mended = bool(one.edits) or one.repairs is not None
        if mended:
            from handrec.report import repair  # only check --diff and --fix have any

            yield from repair.lines(one, options.colour)
        people = None
        for finding in habits.first(one, options.verbose):
            people = people or People(one.record, options.signs)
            yield "\n".join((*_paragraph(one, finding, people, options), "", ""))
        for words in fitted(one):
            yield f"{safe(one.path, PLACE)}: {words}\n"
        if mended:
            yield from repair.left(one, options.colour)
        if options.verbose:
            yield from (f"{line}\n" for line in _levels(one, people or People(one.record, options.signs), options))
    yield from _habits(habits, None, options)
    if not options.quiet:
        yield from (f"{line}\n" for line in wrapped("", [_summary(tally, gaps)], breaks=True, width=options.width))
        yield f"That is with the {counted(edits, 'edit')} shown.\n" if edits else ""
    if (hidden := tally.hidden()) and (options.settings or not options.quiet):
        yield f"{hidden}\n"


def _paragraph(one: Checked, finding: Finding, people: People, options: ReportOptions) -> Iterator[str]:
    """A finding told: the sentence, the line of the file, the rule, other readings, and what to write instead."""
    hue = _COLOURS[finding.severity]
    kind = "" if finding.severity == "error" else f"{WORDS[finding.severity].capitalize()}: "
    sentence = people.sentence(finding)
    told = wrapped("", [kind + sentence], breaks=True, width=options.width)
    yield from (painted(line, BOLD, options.colour) for line in told)
    line = _line(one, finding)
    yield from _excerpt(location(one, finding), finding.code, line, options, hue)
    if line is None and (row := _row(one, finding)):
        yield from _part(f"Trick {finding.trick}", people.row(row), options)
    if finding.rule:
        yield from _rule(finding.fault, options.colour, options.width)
    for word, text in _besides(finding, people):
        yield from _part(word, text, options)
    if better := cure(finding, one.record):
        yield from _part("Cure", better, options)


def _besides(finding: Finding, people: People) -> Iterator[tuple[str, str]]:
    """Other readings of the rules, and how the pen may have come into it."""
    if finding.readings:
        word = "Legal" if finding.level in ("L3", "L4") else "Right"
        yield f"{word} under", " or ".join(map(safe, finding.readings))
    if finding.because is not None:
        yield "Why", f"it follows from {finding.because[0]}"
    elif finding.unexplained:
        yield "Why", "no explanation was found"
    elif finding.near:
        open_ = [near for near in finding.near if near.cost <= 0]
        words = " or ".join(people.words(near.words) for near in (open_ or finding.near)[:NEAREST])
        yield "Or", f"a slip of the pen: {words}" + (" (it cannot be told which)" if open_ else " (less likely)")


def _part(word: str, text: str, options: ReportOptions) -> Iterator[str]:
    """A line that begins with a word, such as Rule, and those that it goes on in."""
    return _laid(word, text, options.colour, options.width)


def _laid(word: str, text: str, colour: bool, width: int) -> Iterator[str]:
    lines = wrapped(f"{word}: ", [text], "", breaks=True, width=width)
    yield painted(word, CYAN, colour) + next(lines).removeprefix(word)
    yield from lines


@lru_cache
def _rule(fault: Fault, colour: bool, width: int) -> tuple[str, ...]:
    """The rule that was broken, which many findings have."""
    return tuple(_laid("Rule", f'"{safe(fault.sentence, MESSAGE)}" ({safe(fault.id)})', colour, width))


def _excerpt(place: Location, code: str, text: str | None, options: ReportOptions, hue: int) -> Iterator[str]:
    """Where it stands, and that line of the file with a caret; of a line that is too long, what is around the place."""
    colour = options.colour
    margin = " " * len(str(place.line)) if text is not None else ""
    for line in wrapped(f"{margin}--> ", [f"{place} ({code})"], breaks=True, width=options.width):
        yield painted(line, CYAN, colour)
    if text is None:
        return
    at = min(max(place.column - 1, 0), len(text))
    before, shown, width = _window(text, at, options.width - len(margin) - 3)
    bar = painted(f"{margin} |", CYAN, colour)
    yield bar
    yield f"{painted(f'{place.line} |', CYAN, colour)} {shown}"
    yield f"{bar} {' ' * before}{painted('^' * width, hue, colour)}"


def _line(one: Checked, finding: Finding) -> str | None:
    """The line of the file that a finding stands in; None where there is none, as in an archive."""
    return one.line(finding.location) if one.line and finding.location and finding.location.line else None


def _row(one: Checked, finding: Finding) -> tuple[tuple[str, str], ...]:
    """The plays of the trick that a finding is about; none if it is about none, or the trick is not known."""
    index, deals = finding.deal_index, one.verdict.deals
    if finding.trick is None or index is None or index >= len(deals):
        return ()
    return next((trick.plays for trick in deals[index].played if trick.number == finding.trick), ())


def _window(text: str, at: int, most: int) -> tuple[int, str, int]:
    """What is shown of a line around a place: the columns before the place, the text, and the columns that the caret takes."""
    token = _TOKEN.match(text, at, at + most)
    end = token.end() if token else at + 1
    left, here, right = _plain(text[max(0, at - most) : at]), _plain(text[at:end]), _plain(text[end : end + most])
    cut, before, width, after = at > most, columns(left), columns(here), columns(right)
    if before + width + after > most or cut or end + most < len(text):
        short = last(left, max(min(_BEFORE, most // 2), most - 2 * bool(right) - width - after))
        if cut or short != left:
            whole = next((spot for spot, char in enumerate(short) if columns(char)), len(short))  # no mark without its letter
            short = short[whole + 1 :]
            before, left = 1 + columns(short), f"…{short}"
        if before + width + after > most:
            right = first(right, most - 1 - before - width) + "…"
            here = first(here, most - 1 - before)
    return before, f"{left}{here}{right}", max(1, columns(here))


def _plain(text: str) -> str:
    """A part of a line, without what a terminal would obey; a tab is a space."""
    return safe(text.replace("\t", " "), 4 * WIDTH)


def _levels(one: Checked, people: People, options: ReportOptions) -> Iterator[str]:
    """What came of every level, in words."""
    name = wrapped("", [record_name(one)], breaks=True, width=options.width)
    yield from (painted(line, BOLD, options.colour) for line in name)
    for level in one.verdict.levels:
        why = "; ".join(map(people.words, condensed(level.reasons)))
        status = {"passed": "in order", "failed": "not in order", "not checkable": "not checked"}[level.status]
        if why:
            status += f": {why}" if level.status == "not checkable" else f"; in part not checked: {why}"
        yield from wrapped(f"  {level.name}: ", [status], "", 4, breaks=True, width=options.width)
    yield ""


def _habits(habits: Habits, path: str | None, options: ReportOptions) -> Iterator[str]:
    """What else there was of each habit in the file before this one."""
    file, each = safe(habits.path or "", PLACE), EACH[options.verbose]
    for code, words in habits.ended(path):
        told = wrapped(f"{file}: ", [f"{words}: {code} ({each})"], "", 4, breaks=True, width=options.width)
        yield from (f"{line}\n" for line in told)
        yield "\n"


class Gaps:
    """What could not be checked, and why, by level; kept while records go by."""

    def __init__(self, signs: bool) -> None:
        self.signs = signs
        self.records: dict[str, int] = {}
        self.reasons: dict[str, dict[str, None]] = {}
        self.deals: dict[str, tuple[list[str], int]] = {}

    def note(self, one: Checked) -> None:
        """Keep of a record what was not checked."""
        people = None
        for level in filter(is_partial, one.verdict.levels):
            self.records[level.key] = self.records.get(level.key, 0) + 1
            places = [DEAL.match(reason) for reason in level.reasons]
            numbers = [place[1] for place in places if place]
            whole = len(numbers) < len(places)
            self.deals[level.key] = ([] if whole else [*dict.fromkeys(numbers)], len(one.verdict.deals))
            known = self.reasons.setdefault(level.key, {})
            pairs = zip(places, level.reasons, strict=True)
            for reason in dict.fromkeys([reason[place.end() :] if place else reason for place, reason in pairs]):
                if len(known) <= len(LEVELS):
                    people = people or People(one.record, self.signs)
                    known[people.words(reason)] = None

    def words(self, records: int) -> Iterator[str]:
        """What was not checked, levels with the same reasons together."""
        groups: dict[tuple[str, str], list[str]] = {}
        for key in sorted(self.records):
            groups.setdefault((self._where(key, records), self._why(key)), []).append(key)
        for (where, why), keys in groups.items():
            if keys[-len(OF_PLAY) :] == OF_PLAY and where != ALL:
                yield f"nothing else checked{where} ({why})"
            else:
                yield f"{listed([LOOKED_AT[key] for key in keys])} not{where if where == ALL else f' checked{where}'} ({why})"

    def _where(self, key: str, records: int) -> str:
        if len(self.reasons[key]) > 1:
            return ALL
        if records > 1:
            return "" if self.records[key] == records else f" in {counted(self.records[key], 'record')}"
        numbers, deals = self.deals[key]
        if not numbers or len(numbers) == deals:
            return ""
        if len(numbers) > 3:
            return f" in {len(numbers):,} of {deals:,} deals"
        return f" in deal{'s' if len(numbers) > 1 else ''} {listed(numbers)}"

    def _why(self, key: str) -> str:
        first, *others = self.reasons[key] or ["no reason is known"]
        return "-v says why" if others else safe(first, MESSAGE).partition(":")[0]


def _summary(tally: Tally, gaps: Gaps) -> str:
    """What was looked at, what was found, and what was not checked."""
    if not tally.records:
        return "No record was checked."
    faulty = tally.records - tally.clean - tally.silenced
    faults = listed([counted(tally.found[kind], WORDS[kind]) for kind in ("error", "warning", "info") if tally.found[kind]])
    parts = [faults] if faults else []
    if faulty and tally.records > 1:
        parts = [f"{faults} in {counted(faulty, 'record')}"]
    if tally.clean:
        parts.insert(0, "nothing wrong found" + (f" in {tally.clean:,}" if tally.clean < tally.records else ""))
    if tally.silenced:
        parts.append("all that was found" + (f" in {tally.silenced:,}" if tally.records > 1 else "") + " was left out")
    return f"{counted(tally.records, 'record')}: {'; '.join((*parts, *gaps.words(tally.records)))}."
