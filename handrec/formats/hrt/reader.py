"""Text to records: a file is cut at its `%hrt` lines, each line is read by itself, and what cannot be read is told by line."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator
from functools import cached_property
from io import BytesIO
from typing import Any

from handrec.findings import Finding
from handrec.formats import Reading
from handrec.formats.hrt.building import RecordBuilder
from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import Found, UnreadableLine
from handrec.formats.json import load
from handrec.formats.strict import Node, Places, clip, not_utf8
from handrec.limits import MAX_BYTES, MAX_FINDINGS, MAX_WORDS, mib
from handrec.record import FIRST, LATEST, Record, version_of
from handrec.referee.form import FORM

OPENS = re.compile(rb"\s*%hrt\b", re.IGNORECASE)

LineFault = tuple[str, int, dict[str, Any]]


def read(data: bytes, name: str) -> Iterator[Reading]:
    """The records of a file, one for each line `%hrt`."""
    lines, first, opened = list[bytes](), 1, False
    for number, raw in enumerate(BytesIO(data), 1):
        if raw == b"\n":  # there may be millions
            lines.append(raw)
            continue
        if opened and OPENS.match(raw):
            yield _reading(lines, name, first)
            lines, first, opened = [], number, False
        lines.append(raw)
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
    building = RecordBuilder()
    opened = _build(building, texts, faults)
    places = _TextPlaces(name, "\n".join(texts), first)
    parts = {"format": Found(0, "handrec"), **building.record, "deals": Found(0, building.deals, True)}
    places.top = Found(opened, parts, True)
    findings = [Finding(FORM[code], facts, location=places.at(at)) for code, at, facts in faults[: MAX_FINDINGS + 1]]
    broken = any(finding.severity == "error" for finding in findings)
    record, amiss = _loaded(places.top.plain()) if "version" in parts else (None, [])
    if any(finding.code == "FMT006" for finding in amiss):
        return Reading(None, tuple(amiss), places)
    findings += [finding for finding in amiss if not broken or places.holds(finding.pointer)]
    findings.sort(key=lambda finding: _order(finding, places))
    if len(findings) > MAX_FINDINGS:
        facts = {"what": "the number of faults of form", "limit": f"{MAX_FINDINGS} that are told"}
        findings = [*findings[:MAX_FINDINGS], Finding(FORM["FMT002"], facts)]
    return Reading(None if broken else record, tuple(findings), places)


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
        if raw == b"\n":
            yield ""
            start += 1
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


def _build(building: RecordBuilder, texts: list[str], faults: list[LineFault]) -> int:
    """Read the lines into a record, and note what is wrong with them; where the record begins."""
    start, opened, left = 0, None, MAX_WORDS
    for text in texts:
        if not text and not faults:
            start += 1
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
            faults += unread.faults
        left = line.left
        if left < 0 or len(faults) > MAX_FINDINGS:
            break
        if "version" not in building.record and any(code != "FMT015" and at < start for code, at, _ in faults):
            return opened or 0  # this is hardly a record in this notation
    if opened is None:
        faults.append(("FMT001", max(start - 1, 0), {"why": "%hrt 1 is expected, but there is nothing here"}))
    return opened or 0


def _open(building: RecordBuilder, line: LineReader) -> None:
    """The first line, which says that a record begins, and of which version."""
    if not line.mark("%hrt"):
        line.expected("%hrt 1")
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
