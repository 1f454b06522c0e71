"""`handrec migrate`: records brought to another version of the format; a file as it was stays beside the new one."""

from __future__ import annotations

import copy
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from handrec import writing
from handrec.cli.common import complain, differences, finding_line, is_another, not_json
from handrec.cli.errors import CommandError, reason, unknown
from handrec.cli.inputs import Source, sources
from handrec.cli.mend import hindrance, replaced
from handrec.findings import Finding
from handrec.formats import Reading, format_of
from handrec.formats.json import load
from handrec.formats.strict import Decoded, decode
from handrec.migrate import first, lost, migrated, versions
from handrec.record import FIRST, LATEST
from handrec.referee import FORM
from handrec.report.layout import counted
from handrec.report.safe import safe

#: So many things that would be lost are told of a record one by one.
MOST = 20
LOSSY = "; such records stay as they are (--allow-lossy leaves it out)"


@dataclass
class _Tally:
    """How many records were seen, how many could be checked, how many are migrated; whether something is no record, or could not
    be written; what would be lost, by kind, and whether it may be."""

    lossy: bool = False
    lost: Counter[str] = field(default_factory=Counter)
    records: int = 0
    judged: int = 0
    changed: int = 0
    failed: bool = False
    trouble: bool = False


def run(paths: list[str], to: str | None, diff: bool, lossy: bool) -> int:
    """Migrate files; returns 1 if one holds what is no record (2 if all do) or would lose something; for a diff, if one would
    change."""
    to = to or LATEST
    if to not in versions():
        raise unknown("version", to, versions(), f"; there are {', '.join(versions())}")
    tally = _Tally(lossy)
    for source in sources(paths):
        if is_another(source):
            continue
        why = source.trouble or not_json(source, "migrated")
        if why is not None:
            complain(source.name, why)
            tally.trouble = True
            continue
        before = tally.changed
        new = b"".join(_parts(source, to, tally))
        if source.name == "<stdin>" and not diff:
            sys.stdout.write(new.decode("utf-8", "backslashreplace"))
        elif tally.changed > before and diff:
            old, text = (data.decode("utf-8", "backslashreplace") for data in (source.data, new))
            sys.stdout.writelines(differences(source.name, old, text))
        elif tally.changed > before and not _put(source, new):
            tally.changed, tally.trouble = before, True
    if not tally.records and not tally.failed and not tally.trouble:
        raise CommandError("there was no record to migrate")
    if tally.lost:
        kinds = ", ".join(f"{many:,} × {what}" for what, many in sorted(tally.lost.items()))
        print(f"handrec: version {to} does not have: {kinds}" + ("" if lossy else LOSSY), file=sys.stderr)
    records = f"{tally.changed:,} of {counted(tally.records, 'record')}"
    print(f"{records} {'would be ' if diff else ''}brought to version {to}", file=sys.stderr)
    if tally.trouble or (tally.failed and not tally.judged):
        return 2
    return int(tally.failed or (diff and tally.changed > 0))


def _parts(source: Source, to: str, tally: _Tally) -> Iterator[bytes]:
    """A file's records at another version; one that is there already, or is no record, stays byte for byte."""
    if format_of(source.name, source.data).key == "json":
        new = _record(decode(source.data, source.name), to, tally)
        yield source.data if new is None else writing.dumps(new).encode()
        return
    for line, text in enumerate(re.findall(rb"[^\n]*\n|[^\n]+", source.data), 1):
        new = _record(decode(text.removesuffix(b"\n"), source.name, line), to, tally) if text.strip() else None
        yield text if new is None else writing.line(new).encode()


def _record(decoded: Decoded, to: str, tally: _Tally) -> dict[str, Any] | None:
    """The plain values of a record at another version, None if it stays as it is; what is wrong with it is said."""
    findings, new = list(decoded.findings), None
    if isinstance(decoded.value, dict):
        new = migrated(copy.deepcopy(decoded.value), to)
    if new is not None and to == FIRST and new.get("version") == LATEST and decoded.places.parsed:
        new = _first(decoded, new, findings, tally)
    elif decoded.places.parsed and (to in (FIRST, LATEST) or new is None):
        findings += load(copy.deepcopy(decoded.value if new is None else new))[1]
    elif new is not None and new.get("version") != to:
        findings.append(Finding(FORM["FMT006"], {"why": f"it cannot be brought to version {to}"}, "/version"))
    reading = Reading(None, tuple(findings), decoded.places)
    tally.judged += not findings or reading.judged
    sys.stderr.writelines(map(finding_line, map(reading.placed, findings)))
    if any(finding.severity == "error" for finding in findings):
        tally.failed = True
        return None
    assert new is not None
    tally.records += 1
    if new["version"] == decoded.value["version"]:
        return None
    tally.changed += 1
    return new


def _first(decoded: Decoded, data: dict[str, Any], findings: list[Finding], tally: _Tally) -> dict[str, Any]:
    """A record of the last version as one of the first, as it is where it would lose something and may not; that is said."""
    record, found = load(copy.deepcopy(data))
    findings += found
    pointers = [] if record is None else lost(record)
    for pointer in pointers[:MOST]:
        does = "is left out" if tally.lossy else "would be lost"
        print(f"{safe(decoded.places(pointer), 300)}: {safe(pointer)} {does}", file=sys.stderr)
    if len(pointers) > MOST:
        print(f"{safe(decoded.places.path, 300)}: and {len(pointers) - MOST:,} things more", file=sys.stderr)
    tally.lost.update(_kind(data, pointer) for pointer in pointers)
    if record is None or (pointers and not tally.lossy):
        tally.failed |= bool(pointers)
        return data
    return first(data, pointers)


def _kind(data: dict[str, Any], pointer: str) -> str:
    """What a thing is that would be lost: the name of its field, or of the event."""
    *_, part, name = pointer.split("/")
    return str(data["deals"][int(pointer.split("/")[2])]["events"][int(name)]["do"]) if part == "events" else name


def _put(source: Source, new: bytes) -> bool:
    """Write a file anew and keep it as it was; whether that went well."""
    path = Path(source.name)
    try:
        why = hindrance(path)
        orig = replaced(path, [new], source.data) if why is None else None
    except OSError as error:
        why = f"{reason(error)}; nothing was written"
    if why is not None:
        complain(source.name, why)
        return False
    print(f"migrated {safe(source.name, 300)}; as it was: {safe(str(orig), 300)}", file=sys.stderr)
    return True
