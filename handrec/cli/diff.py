"""`handrec diff`: how records of the same deals disagree, and which version the rules are for."""

from __future__ import annotations

import json
import string
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from handrec import games, writing
from handrec.cli.commands.options import DiffFormat
from handrec.cli.common import Inputs, as_list, emit, finding_line
from handrec.cli.errors import CommandError
from handrec.diff import CannotSeat, Settling, compare, json_patch, merge_patch, reconcile, vote
from handrec.record import Record
from handrec.repair import plain
from handrec.report import diff as report
from handrec.report.diff import Compared
from handrec.report.safe import safe

LETTERS = string.ascii_uppercase

REPORTS: dict[str, Callable[[Sequence[tuple[str, str]], Sequence[Compared]], Iterator[str]]] = {
    "text": report.text,
    "json": report.to_json,
    "markdown": report.to_markdown,
}

#: A record in each of the files, by the file's place; a file that lacks it is not there.
Versions = dict[int, Record]


def run(files: list[str], format: DiffFormat, facts: bool, merged: bool, output: str | None, from_: str | None) -> int:
    """Compare the records of some files; returns 1 if they differ."""
    if not 2 <= len(files) <= len(LETTERS):
        raise CommandError(f"diff compares 2 to {len(LETTERS)} files, not {len(files)}")
    if files.count("-") > 1:
        raise CommandError("standard input can be read only once")
    if merged and output is None:
        raise CommandError("--reconcile needs --output FILE, where the reconciled record is written")
    read = [_records(path, from_) for path in files]
    if None in read:
        return 2
    groups = matched([records for records in read if records is not None])
    if format in ("json-patch", "merge-patch"):
        if merged:
            raise CommandError("--reconcile goes with a report, not with a patch")
        return _patch(groups, len(files), format, facts, output)
    names = [("<stdin>" if path == "-" else path) for path in files]
    compared = [_compared(name, group, names, facts, f" ({safe(name)})" if len(groups) > 1 else "") for name, group in groups]
    lettered = list(zip(LETTERS, names, strict=False))
    if merged:
        emit(_reconciled(compared, names), output)
    emit(REPORTS[format](lettered, compared), None if merged else output)
    return int(not all(one.same for one in compared))


def _records(path: str, from_: str | None) -> list[Record] | None:
    """The records of one file or directory, None if one could not be read: what is wrong with it is said."""
    inputs = Inputs([path], from_)
    records: list[Record] = []
    failed = False
    for read in inputs:
        if read.reading.record is None:
            failed = True
            sys.stderr.writelines(map(finding_line, map(read.reading.placed, read.reading.findings)))
        else:
            records.append(read.reading.record)
    if not records and not failed and not inputs.trouble:
        raise CommandError(f"there is no record in {safe(path, 300)}")
    return None if failed or inputs.trouble else records


def matched(files: Sequence[Sequence[Record]]) -> list[tuple[str, Versions]]:
    """Which records are versions of one: the only one of each file, those of one id, and of what is left the nth of each."""
    if all(len(records) == 1 for records in files):
        return [(files[0][0].id or "#1", {who: records[0] for who, records in enumerate(files)})]
    shared = Counter(record_id for records in files for record_id in {record.id for record in records})
    groups: dict[tuple[str, str | int], Versions] = {}
    for who, records in enumerate(files):
        others = 0
        for record in records:
            if record.id is not None and shared[record.id] > 1 and who not in groups.get(("id", record.id), {}):
                groups.setdefault(("id", record.id), {})[who] = record
            else:
                others += 1
                groups.setdefault(("#", others), {})[who] = record
    return [(str(key) if kind == "id" else f"#{key}", group) for (kind, key), group in groups.items()]


def _compared(name: str, group: Versions, files: Sequence[str], facts: bool, of: str) -> Compared:
    """One record in its versions; `of` is what is said after a file to name the record in it."""
    letters = tuple(LETTERS[who] for who in group)
    lacking = tuple(LETTERS[who] for who in range(len(files)) if who not in group)
    if len(group) < 2:
        return Compared(name, letters, lacking, None)
    try:
        difference = compare(list(group.values()), games.find, facts)
    except CannotSeat as error:
        one, other = (safe(files[LETTERS.index(letters[place])], 300) for place in (error.one, error.other))
        raise CommandError(error.why.format(one=f"{one}{of}", other=f"{other}{of}")) from None
    if difference.same:
        return Compared(name, letters, lacking, difference)
    return Compared(name, letters, lacking, difference, vote(difference, games.find), Settling(difference, games.find).settle())


def _patch(groups: Sequence[tuple[str, Versions]], many: int, format: DiffFormat, facts: bool, output: str | None) -> int:
    """Write what turns the record of the first file into that of the second."""
    if many != 2 or len(groups) != 1 or len(groups[0][1]) != 2:
        raise CommandError("a patch goes from one record to another: name two files with one record each")
    one, other = groups[0][1].values()
    try:
        patch = json_patch(plain(one), plain(other)) if format == "json-patch" else merge_patch(plain(one), plain(other))
    except ValueError as error:
        raise CommandError(f"{error}; --format json-patch can") from None
    emit(as_list(map(_dumped, patch)) if isinstance(patch, list) else [_dumped(patch) + "\n"], output)
    return int(not compare([one, other], games.find, facts, seats=False).same)


def _dumped(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _reconciled(compared: Sequence[Compared], names: Sequence[str]) -> Iterator[str]:
    """Each record out of its versions; one is laid out for reading, several are a line each."""
    for one in compared:
        if one.difference is None:
            raise CommandError(f"record {safe(one.name)} is only in {' '.join(one.letters)}: there is nothing to reconcile")
        record, _ = reconcile(one.difference, games.find, [names[LETTERS.index(letter)] for letter in one.letters])
        yield writing.dumps(record) if len(compared) == 1 else writing.line(record)
