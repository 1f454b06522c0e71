"""Text to records: a file is cut at its `%hrt` lines, each line is read by itself, and what cannot be read is told by line."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import cached_property
from typing import Any
from unicodedata import normalize

from handrec.findings import Finding
from handrec.formats import Reading
from handrec.formats.hrt.building import LineFault, RecordBuilder
from handrec.formats.hrt.cures import LONGEST, MOST
from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import Found, UnreadableLine
from handrec.formats.json import load
from handrec.formats.strict import Node, Places, clip, not_utf8
from handrec.limits import MAX_BYTES, MAX_FINDINGS, MAX_WORDS, mib
from handrec.record import FIRST, LATEST, Record
from handrec.referee.form import FORM
from handrec.versions import version_of

#: A longer record is not read again for a seat that was left out.
MANY_LINES = 5000
#: A line, or all the empty lines that follow one another: there may be millions.
LINES = re.compile(rb"\n+|[^\n]+\n?")
OPENS = re.compile(rb"\s*%hrt\b", re.IGNORECASE)


def read(data: bytes, name: str) -> Iterator[Reading]:
    """The records of a file, one for each line `%hrt`."""
    lines, first, opened = list[bytes](), 1, False
    if b"\r" in data and b"\n" not in data:  # as old machines ended lines
        data = data.replace(b"\r", b"\n")
    number = first
    for raw in LINES.findall(data):
        if opened and OPENS.match(raw):
            yield _reading(lines, name, first)
            lines, first, opened = [], number, False
        lines.append(raw)
        number += raw.count(b"\n")
        opened = opened or raw.removeprefix(BOM_UTF8).strip()[:1] not in (b"", b"#")
    yield _reading(lines, name, first)


def _reading(lines: list[bytes], name: str, first: int) -> Reading:
    """What the lines of one record say, of which the first has a certain number in the file."""
    if sum(map(len, lines)) > MAX_BYTES:
        places = Places(name, line=first)
        facts = {"what": "the size of a record", "limit": mib(MAX_BYTES)}
        return Reading(None, (Finding(FORM["FMT002"], facts, location=places.at(0)),), places)
    faults: list[LineFault] = []
    texts = list(_texts(lines, faults))
    building, unread = RecordBuilder(), [*faults]
    opened = _build(building, texts, unread)
    if len(unread) > len(faults) + 1 and (other := _reseated(building, texts)) is not None:
        building, unread = other[0], [*faults, other[1]]
    places = _TextPlaces(name, "\n".join(texts), first)
    parts = {"format": Found(0, "handrec"), **building.record, "deals": Found(0, building.deals, True)}
    places.top = Found(opened, parts, True)
    findings = [_finding(code, at, facts, places) for code, at, facts in unread[: MAX_FINDINGS + 1]]
    broken = any(finding.severity == "error" for finding in findings)
    record, amiss = _loaded(places.top.plain()) if "version" in parts else (None, [])
    if any(finding.code == "FMT006" for finding in amiss):
        return Reading(None, tuple(amiss), places)
    known = {finding.location.line for finding in findings if finding.location}  # of which one fault is told
    findings += [
        finding
        for finding in amiss
        if not broken
        or (finding.severity != "info" and places.holds(finding.pointer) and places(finding.pointer).line not in known)
    ]
    findings.sort(key=lambda finding: _order(finding, places))
    if len(findings) > MAX_FINDINGS:
        facts = {"what": "the number of faults of form", "limit": f"{MAX_FINDINGS} that are told"}
        findings = [*findings[:MAX_FINDINGS], Finding(FORM["FMT002"], facts)]
    return Reading(None if broken else record, tuple(findings), places)


def _finding(code: str, at: int, facts: dict[str, Any], places: Places) -> Finding:
    """A fault of a line as a finding; what stands somewhere for the second time is told with the line of the first."""
    place = places.at(at)
    told = {name: value for name, value in facts.items() if name != "first"}
    line = places.at(facts["first"]).line if "first" in facts else place.line
    return Finding(FORM[code], told if line == place.line else told | {"against_line": line}, location=place)


def _loaded(data: Any) -> tuple[Record | None, list[Finding]]:
    """The record, and what is wrong with it; what says the first version is of the first that has all that is typed."""
    says = data["version"]
    first = re.fullmatch(f"{FIRST}0*", says) is not None
    record, amiss = load(data | {"version": LATEST} if first else data)
    if first and record is not None and version_of(record.deals, record.claimed, record.comments) == FIRST:
        record = record.model_copy(update={"version": says})
    return record, amiss


def _order(finding: Finding, places: Places) -> tuple[int, int]:
    """Where a finding stands in the file."""
    place = finding.location or places(finding.pointer)
    return place.line or 0, place.column or 0


def _texts(lines: list[bytes], faults: list[LineFault]) -> Iterator[str]:
    """The lines as text; of one that is no text, as much as is."""
    start = 0
    for number, raw in enumerate(lines):
        if raw.startswith(b"\n"):
            yield raw[1:].decode()
            start += len(raw)
            continue
        raw = raw.rstrip(b"\r\n")
        if number == 0 and raw.startswith(BOM_UTF8):
            faults.append(("FMT015", 0, {}))
            raw = raw.removeprefix(BOM_UTF8)
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            text = " " * len(raw[: error.start].decode())  # nothing of it is read
            faults.append(("FMT005", start + len(text), {"why": not_utf8(error)}))
        yield text
        start += len(text) + 1


def _build(building: RecordBuilder, texts: list[str], faults: list[LineFault], trial: bool = False) -> int:
    """Read the lines into a record, and note what is wrong with them; where the record begins. A trial ends at a fault."""
    start, opened, left = 0, None, MAX_WORDS
    for text in texts:
        if not text.strip("\n") and not faults:
            start += len(text) + 1
            continue
        line = LineReader(text, start, building.seats, left)
        start += len(text) + 1
        try:
            word = line.peek()
            if word is not None and opened is None:
                opened = word.at
                _open(building, line)
            elif word is not None:
                building.read(line)
        except UnreadableLine as unread:
            if trial:
                faults += unread.faults
                break
            told, due = _with_cures(building, line, unread.faults) if len(faults) < MOST else ([*unread.faults], "")
            faults += told
            if not building.deals and line.text.lower().lstrip().startswith("seats"):  # all else hangs on it
                if not due:
                    break
                building.record.pop("players", None)
                building.read(LineReader(due, line.start))
            elif due.startswith("deal ") or (due.startswith("seats ") and "players" not in building.record):
                # what stands below hangs on it
                building.read(LineReader(due, line.start, building.seats))
        if building.deals and "players" not in building.record:  # no line below can be understood
            why = "the line seats is expected before the first deal (such as seats N=Ann E=Bo S=Cy W=Di)"
            faults += [("FMT001", line.start, {"why": why})] * all(code != "FMT005" for code, *_ in faults)
            break
        left = line.left
        if left < 0 or len(faults) > MAX_FINDINGS:
            break
        if "version" not in building.record and any(code != "FMT015" and at < start for code, at, _ in faults):
            return opened or 0  # this is hardly a record in this notation
    if opened is None:
        faults.append(("FMT001", max(start - 1, 0), {"why": "%hrt 1 is expected, but there is nothing here"}))
    return opened or 0


def _reseated(building: RecordBuilder, texts: list[str]) -> tuple[RecordBuilder, LineFault] | None:
    """What is read if a player's name stands where the seat was left out, so that every line that names the seat seems wrong."""
    start = 0
    for place, text in enumerate(texts):
        if re.match(r"\s*seats\b", text, re.IGNORECASE) and len(text) <= LONGEST:
            names = [*re.finditer(r"(?<=\s)[A-Z][a-z]+(?=\s|$)", text)]
            if names and "=" not in text and not any(seat in building.seats.names for seat in "NESW"):
                return _all_reseated(names, texts, place, start)
            for name in names if len(names) == 1 and len(texts) <= MANY_LINES else ():
                for seat in (each for each in "NESW" if each not in building.seats.names):
                    faults: list[LineFault] = []
                    due = f"{text[: name.start()]}{seat}={text[name.start() :]}"
                    other = RecordBuilder()
                    _build(other, [*texts[:place], due, *texts[place + 1 :]], faults, trial=True)
                    if not faults:
                        why = f"SEAT=NAME is expected, found {name[0]} (did you mean {seat}={name[0]}?)"
                        return other, ("FMT001", start + name.start(), {"why": why})
            return _with_another(building, texts, place, start) if len(texts) <= MANY_LINES else None
        start += len(text) + 1
    return None


def _with_another(building: RecordBuilder, texts: list[str], place: int, start: int) -> tuple[RecordBuilder, LineFault] | None:
    """What is read if one seat is left out of the line of players, which the lines below it name."""
    words = texts[place].split()
    for seat in (each for each in "NESW" if each not in building.seats.names):
        for before in range(len(words), 1, -1):
            due = " ".join([*words[:before], f'{seat}="?"' if "=" in texts[place] else seat, *words[before:]])
            faults, other = list[LineFault](), RecordBuilder()
            _build(other, [*texts[:place], due, *texts[place + 1 :]], faults, trial=True)
            if not faults:
                why = f"{seat} is named below, and is not among the players (did you mean {due}?)"
                return other, ("FMT001", start, {"why": why})
    return None


def _all_reseated(names: list[re.Match[str]], texts: list[str], place: int, start: int) -> tuple[RecordBuilder, LineFault] | None:
    """What is read if the line of players names nobody's seat, and all others name them by the points of the compass."""
    seats = [f"{seat}={name[0]}" for seat, name in zip("NESW", names, strict=False)]
    faults, other, due = list[LineFault](), RecordBuilder(), f"seats {' '.join(seats)}"
    _build(other, [*texts[:place], due, *texts[place + 1 :]], faults, trial=True)
    why = f"SEAT=NAME is expected, found {names[0][0]} (did you mean {' '.join(seats)}?)"
    return None if faults else (other, ("FMT001", start + names[0].start(), {"why": why}))


def _with_cures(building: RecordBuilder, line: LineReader, faults: tuple[LineFault, ...]) -> tuple[list[LineFault], str]:
    """The faults of a line, with what was probably meant; and the line as it should be, if that is known."""
    code, at, facts = faults[0]
    if len(faults) > 1 or code != "FMT001" or len(line.text) > LONGEST or "version" not in building.record:
        return [*faults], ""
    first, meant, due = building.cure(line, at)
    code, at, facts = first if first is not None and meant and first[2]["why"] else faults[0]
    return [(code, at, facts | {"why": facts["why"] + ("" if "did you mean" in facts["why"] else meant)})], due


def _open(building: RecordBuilder, line: LineReader) -> None:
    """The first line, which says that a record begins, and of which version."""
    if not line.mark("%hrt"):
        plain = "".join(filter(str.isprintable, normalize("NFKC", line.text))).lower()
        line.expected("%hrt 1", " (did you mean %hrt 1?)" if re.match(r"\s*%?\s*hrt\s*1?\b", plain) else "")
    if line.peek() is None:
        line.expected("the version, 1,")
    version = line.get("word")
    building.record["version"] = Found(version.at, version.value if "." in version.value else f"{version.value}.0")
    line.end()


class _TextPlaces(Places):
    """Where the parts of a record stand in a text."""

    top: Found

    @cached_property
    def _tree(self) -> Node:
        return _node(self.top)

    def holds(self, pointer: str) -> bool:
        """Whether the text has a place of its own for what is pointed to."""
        found = self.top
        for step in pointer.split("/")[1:]:
            inside = found.value if found.parts else ()
            if isinstance(inside, dict) and step in inside:
                found = inside[step]
            elif isinstance(inside, list) and step.isdecimal() and int(step) < len(inside):
                found = inside[int(step)]
            else:
                return False
        return True


def _node(found: Found) -> Node:
    if not found.parts:
        return found.at
    if isinstance(found.value, dict):
        return found.at, {clip(name, 80): _node(part) for name, part in found.value.items()}
    return found.at, [_node(part) for part in found.value]
