"""Differences told: as text of 80 columns, as Markdown, as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from handrec import __version__
from handrec.diff import Change, Choice, Difference, DiffRow, Version
from handrec.diff.leaves import field_of
from handrec.findings import Finding
from handrec.repair import ABSENT, Edit
from handrec.report.checked import is_partial, message
from handrec.report.json import compact, plain
from handrec.report.layout import WIDTH, counted
from handrec.report.safe import MESSAGE, NAME, PLACE, columns, markdown, safe

NOTHING = "–"  # stands where a record states nothing

SOME = 6  # changes of a version that are listed; JSON has them all

#: Values of an event that need no name before them.
_NAMELESS = ("bid", "what", "card", "cards", "verdict")


@dataclass(frozen=True)
class Compared:
    """One record in its versions: which files have it, by their letters, which lack it, and what came of comparing.

    `difference` is None if only one file has it; `versions` and `choices` are empty where nothing differs.
    """

    name: str
    letters: tuple[str, ...]
    lacking: tuple[str, ...]
    difference: Difference | None
    versions: tuple[Version, ...] = ()
    choices: tuple[Choice, ...] = ()

    @property
    def same(self) -> bool:
        """Whether all files have it, and say the same."""
        return not self.lacking and self.difference is not None and self.difference.same

    @property
    def rows(self) -> tuple[DiffRow, ...]:
        """Where the versions disagree."""
        return self.difference.rows if self.difference else ()


# --- words ---


def label(row: DiffRow) -> str:
    """Where it is, and what it is, made safe."""
    return safe(": ".join(filter(None, (row.place, row.what))), PLACE)


def shown(row: DiffRow) -> list[str]:
    """What each record states at a row, made safe; of cards, only those that not all have."""
    values = row.values
    alike = 0
    if field_of(row.path) in ("hands", "aside", "pack"):
        counts = [Counter(value) for value in values if isinstance(value, list)]
        common = reduce(lambda one, other: one & other, counts, counts[0] if counts else Counter())
        if len(counts) > 1 and any(count != common for count in counts):
            alike = common.total()
            values = tuple(_without(value, common) if isinstance(value, list) else value for value in values)
    return [_words(value, row, alike) for value in values]


def _without(cards: list[str], common: Counter[str]) -> list[str]:
    left = Counter(common)
    kept = []
    for card in cards:
        if left[card]:
            left[card] -= 1
        else:
            kept.append(card)
    return kept


def _words(value: Any, row: DiffRow, alike: int) -> str:
    if value is ABSENT:
        return NOTHING
    if row.path[0] == "deals" and len(row.path) == 2:
        return f"{len(value.get('events', []))} events"
    if isinstance(value, dict) and "do" in value:
        text = _event(value, row.seat)
    elif isinstance(value, dict) and "text" in value:
        text = " ".join([value["text"], *(f"({key} {value[key]})" for key in ("by", "event", "kind") if key in value)])
    elif isinstance(value, list) and all(isinstance(part, str) for part in value):
        text = (" ".join(value) or "none") + (f" (+{alike})" if alike else "")
    else:
        text = value or "(empty)" if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return safe(text, MESSAGE)


def _event(event: dict[str, Any], seat: str | None) -> str:
    """An event in a few words; who did it only where that is not the seat of the row."""
    words = [" ".join(found) if isinstance(found := event[key], list) else str(found) for key in _NAMELESS if key in event]
    for key, value in event.items():
        if key == "by" and value != seat:
            words.append(f"by {value}")
        elif key not in ("do", "by", *_NAMELESS):
            counts = " ".join(f"{who} {many}" for who, many in value.items()) if isinstance(value, dict) else value
            words.append(key.replace("_", " ") + ("" if value is True else f" {counts}"))
    return " ".join(words) or "it is there"


def standing(row: DiffRow, one: Compared) -> str:
    """At a row: who agrees, if there are three records or more; and whom the rules are for, if that is not one throughout."""
    words = []
    if len(one.letters) > 2 and row.standing == "only":
        words.append("only in " + next(letter for letter, leaf in zip(one.letters, row.leaves, strict=True) if leaf))
    elif len(one.letters) > 2:
        words.append("conflict" if row.majority is None else "majority " + " ".join(one.letters[who] for who in row.majority))
    if not _throughout(one) and (mine := favoured(row, one)):
        words.append("the rules are for " + " ".join(mine))
    return "; ".join(words)


def favoured(row: DiffRow, one: Compared) -> list[str]:
    """Whom the rules are for at a row; nobody if they do not tell, or the records settle it among themselves."""
    choice = next((choice for choice in one.choices if choice.row.path == row.path and choice.reason == "rules"), None)
    group = next((group for group in row.groups if choice and choice.source in group), ())
    return [one.letters[who] for who in group]


def _throughout(one: Compared) -> set[str]:
    """The versions with which nothing is wrong, and for which the rules are wherever there is something to choose."""
    right = {letter for letter, version in zip(one.letters, one.versions, strict=True) if version.verdict.ok}
    open_ = [choice.row for choice in one.choices if choice.reason in ("rules", "best") and not choice.row.note]
    return right.intersection(*(favoured(row, one) for row in open_)) if open_ else set()


def ruled(one: Compared) -> str:
    """Which versions the rules are for."""
    right = [letter for letter, version in zip(one.letters, one.versions, strict=True) if version.verdict.ok]
    if not right:
        return "Something is wrong with every version."
    if len(right) == len(one.letters):
        return "The rules do not tell them apart: nothing is wrong with any."
    throughout = [letter for letter in right if letter in _throughout(one)]
    return f"The rules are for {' and '.join(throughout)}." if throughout else f"Nothing is wrong with {' and '.join(right)}."


#: What told which seats are the same, and what says otherwise, in words.
_TOLD = {"names": "told by the players' names", "cards": "told by the cards", "seats": "told by what they are called"}
_DOUBT = {
    "names": "the players' names stand at other seats than in the others; seats and cards are followed",
    "cards": "going by the cards, the players sit at other seats than they are called",
}


def seats(one: Compared) -> Iterator[str]:
    """Which seats are the same, where they are called otherwise, and what doubts there are: sentences, made safe."""
    for letter, seating in zip(one.letters, one.difference.seatings if one.difference else (), strict=bool(one.difference)):
        if not seating.same:
            own, common = (safe(" ".join(names), PLACE) for names in (seating.called, seating.called.values()))
            yield f"{letter}'s seats {own} are called {common} here ({_TOLD[seating.by]})."
        if seating.doubt:
            yield f"{letter}: {_DOUBT[seating.doubt]}."
        for name in seating.twice:
            yield f"{letter} has several players called {safe(name, NAME)}: that name tells no seats apart."


def judged(version: Version, letters: Sequence[str]) -> Iterator[str]:
    """What the referee says of a version, and what it needs, made safe, a sentence each."""
    faults = version.verdict.faults
    if not faults:
        part = any(is_partial(level) for level in version.verdict.levels)
        yield "nothing wrong" + (", as far as it can be checked" if part else "")
        return
    yield (f"{len(faults)} findings, first: " if len(faults) > 1 else "1 finding: ") + _finding(faults[0])
    if version.changes is not None:
        some = "; ".join(_change(change, letters) for change in version.changes[:SOME])
        more = len(version.changes) - SOME
        yield f"needs {some}" + (f"; and {more} other changes of the kind" if more > 0 else "")
    elif version.edits:
        yield "needs " + "; ".join(map(_edit, version.edits[0]))
        if len(version.edits) > 1:
            yield f"or another of {len(version.edits)} sets of edits as small"
    else:
        yield "no small change was found that mends it"


def _finding(finding: Finding) -> str:
    return ": ".join(filter(None, (safe(finding.place, NAME), f"{finding.code} {message(finding)}")))


def _change(change: Change, letters: Sequence[str]) -> str:
    return f"{label(change.row)} {shown(change.row)[change.source]} (as {letters[change.source]} has it)"


def _edit(edit: Edit) -> str:
    before, after = (
        NOTHING if value is ABSENT else safe(value if isinstance(value, str) else json.dumps(value), MESSAGE)
        for value in (edit.before, edit.after)
    )
    return f"{safe(edit.place or edit.pointer)}: {after} for {before} ({edit.proof})"


def total(one: Compared) -> str:
    """How many differences there are."""
    many = len(one.rows)
    if one.difference is None:
        return f"Only {' '.join(one.letters)} has it."
    words = counted(many, "difference") if many else "No difference"
    lacking = f" {' '.join(one.lacking)} lack{'s' if len(one.lacking) == 1 else ''} it." if one.lacking else ""
    return f"{words}.{lacking}"


# --- formats ---


def text(files: Sequence[tuple[str, str]], compared: Sequence[Compared]) -> Iterator[str]:
    """Plain text of at most 80 columns: the first difference, all of them, and the rules' vote."""
    for letter, path in files:
        yield from _hanging(f"{letter}  ", safe(path, PLACE))
    for one in compared:
        yield "\n"
        if len(compared) > 1:
            yield from _hanging("", f"Record {safe(one.name, NAME)}")
        for sentence in seats(one):
            yield from _hanging("", sentence)
        if [*seats(one)]:
            yield "\n"
        if one.rows:
            yield from _hanging("", f"First difference: {first(one)}")
            yield "\n"
            for row in one.rows:
                yield from _row(row, one)
            yield "\n"
        if one.versions:
            yield ruled(one) + "\n"
            for letter, version in zip(one.letters, one.versions, strict=True):
                for place, words in enumerate(judged(version, one.letters)):
                    yield from _hanging(f"  {letter if not place else ' '}  ", words)
            yield "\n"
        yield total(one) + "\n"


def first(one: Compared) -> str:
    """The first divergence in words, made safe; what the records state only if that is short."""
    assert one.difference is not None
    row = one.difference.first
    assert row is not None
    line = _line(row, one)
    return line if columns(line) <= 2 * WIDTH else label(row)


def _line(row: DiffRow, one: Compared) -> str:
    note = standing(row, one)
    return f"{label(row)}{' ' if row.place else ': '}{' / '.join(shown(row))}" + (f" ({note})" if note else "")


def _row(row: DiffRow, one: Compared) -> Iterator[str]:
    line = _line(row, one)
    if columns(line) <= WIDTH:
        yield line + "\n"
        return
    note = standing(row, one)
    yield from _hanging("", label(row) + (f" ({note})" if note else ""))
    for letter, words in zip(one.letters, shown(row), strict=True):
        yield from _hanging(f"  {letter}  ", words)


def _hanging(head: str, words: str) -> Iterator[str]:
    """Words in lines of at most 80 columns, those after the first set in below what follows the head."""
    line, blank = head, head
    for word in words.split(" "):
        if line != blank and columns(line) + 1 + columns(word) > WIDTH:
            yield line.rstrip() + "\n"
            line = blank = " " * max(len(head), 2)
        line += word if line == blank else f" {word}"
        while columns(line) > WIDTH:
            cut = next(place for place in range(len(line), 0, -1) if columns(line[:place]) <= WIDTH)
            yield line[:cut] + "\n"
            blank = " " * max(len(head), 2)
            line = blank + line[cut:]
    yield line.rstrip() + "\n"


def to_markdown(files: Sequence[tuple[str, str]], compared: Sequence[Compared]) -> Iterator[str]:
    """Markdown with GitHub's tables: for each record the differences, and the rules' vote."""
    from handrec.report.markdown import table

    yield table(["", "file"], [[letter, safe(path, PLACE)] for letter, path in files])
    for one in compared:
        if len(compared) > 1:
            yield f"\n### {markdown(safe(one.name, NAME))}\n"
        for sentence in seats(one):
            yield f"\n{markdown(sentence)}\n"
        if one.rows:
            yield f"\nFirst difference: {markdown(first(one))}\n\n"
            notes = [standing(row, one) for row in one.rows]
            extra = ["among them"] if any(notes) else []
            rows = [[label(row), *shown(row), *([note] if extra else [])] for row, note in zip(one.rows, notes, strict=True)]
            yield table(["place", *one.letters, *extra], rows)
        if one.versions:
            yield f"\n{markdown(ruled(one))}\n\n"
            rows = [[a, " · ".join(judged(b, one.letters))] for a, b in zip(one.letters, one.versions, strict=True)]
            yield table(["", "by the rules"], rows)
        yield f"\n{markdown(total(one))}\n"


def to_json(files: Sequence[tuple[str, str]], compared: Iterable[Compared]) -> Iterator[str]:
    """Exactly one JSON document; a value that a record does not state is missing."""
    records = [_data(one) for one in compared]
    document = {
        "same": all(one["same"] for one in records),
        "files": [{"label": letter, "path": safe(path, PLACE)} for letter, path in files],
        "records": records,
        "tool": "handrec",
        "version": __version__,
    }
    yield compact(document) + "\n"


def _data(one: Compared) -> dict[str, Any]:
    rows = [_row_data(row, one) for row in one.rows]
    return {
        "name": safe(one.name, NAME),
        "same": one.same,
        "in": list(one.letters),
        "lacking": list(one.lacking),
        "seats": [*seats(one)],
        "first": first(one) if one.rows else None,
        "differences": rows,
        "alike": one.difference.alike if one.difference else 0,
        "vote": [_vote(letter, version, one.letters) for letter, version in zip(one.letters, one.versions, strict=True)]
        if one.versions
        else [],
    }


def _row_data(row: DiffRow, one: Compared) -> dict[str, Any]:
    letters = one.letters
    stating = [(letter, leaf) for letter, leaf in zip(letters, row.leaves, strict=True) if leaf]
    return {
        "place": safe(row.place, PLACE),
        "what": safe(row.what, PLACE),
        "deal": row.deal,
        "trick": row.trick,
        "seat": plain(row.seat),
        "note": row.note,
        "standing": row.standing,
        "majority": None if row.majority is None else [letters[who] for who in row.majority],
        "rules": favoured(row, one) or None,
        "silent": [letter for letter, voting in zip(letters, row.votes, strict=True) if not voting],
        "values": {letter: plain(leaf.value) for letter, leaf in stating},
        "pointers": {letter: plain(leaf.pointer) for letter, leaf in stating},
    }


def _vote(letter: str, version: Version, letters: Sequence[str]) -> dict[str, Any]:
    changes = version.changes
    return {
        "label": letter,
        "ok": version.verdict.ok,
        "findings": [
            {"code": finding.code, "severity": finding.severity, "place": safe(finding.place, NAME), "message": message(finding)}
            for finding in version.verdict.findings
        ],
        "changes": None
        if changes is None
        else [
            {"place": label(change.row), "from": letters[change.source], "value": shown(change.row)[change.source]}
            for change in changes
        ],
        "edits": [list(map(_edit, edits)) for edits in version.edits],
    }
