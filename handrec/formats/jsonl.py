"""JSON Lines: one record a line, plain or packed with gzip or xz; blank lines are passed over.

What is wrong with a line that is no record is told of the first few; then a line that lacks a word which every record has is
only counted, for to find out more costs a hundred times as much as there is to read.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import zlib
from collections.abc import Iterator
from io import BufferedReader, BytesIO
from typing import Any, BinaryIO, cast

from handrec import writing
from handrec.findings import Finding
from handrec.formats import Format, Reading
from handrec.formats.json import reading
from handrec.formats.strict import Places
from handrec.limits import ALWAYS, MAX_BYTES, MAX_FINDINGS, MAX_RATIO, MAX_UNPACKED
from handrec.record import FORMAT as MARK
from handrec.record import Record
from handrec.referee.form import FORM

#: How a packed file begins.
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
#: A run of blank lines; after so many blank lines one is looked for at a glance.
BLANK = re.compile(rb"(?:[ \t\r\v\f]*+\n)++")
MANY = 32
#: What stands in every record, as long as no character is written by its number.
WORDS = [f'"{word}"'.encode() for word in (MARK, *(key for key, field in Record.model_fields.items() if field.is_required()))]


def read(data: bytes, name: str) -> Iterator[Reading]:
    """The records of a file's bytes."""
    return follow(BytesIO(data), name)


def follow(file: BinaryIO, name: str) -> Iterator[Reading]:
    """The records of a file, line by line. It is unpacked as it is read, and no further than it is read."""
    told = many = first = last = 0  # lines that are no records: so many are told, and so many since only counted
    for piece in lines(file, name):
        if told >= MAX_FINDINGS and not isinstance(piece, Reading) and _is_none(piece[1]):
            last = piece[0]
            first, many = first if many else last, many + 1
            continue
        if many:
            yield _counted(name, first, last, many)
            many = 0
        found = piece if isinstance(piece, Reading) else reading(piece[1], name, piece[0])
        told += found.record is None
        yield found
    if many:
        yield _counted(name, first, last, many)


def _is_none(line: bytes) -> bool:
    """Whether a line is no record, beyond doubt."""
    return b"\\u" not in line and not all(map(line.__contains__, WORDS))


def _counted(name: str, first: int, last: int, many: int) -> Reading:
    """Lines that are no records, taken together."""
    why = f"no line from here to line {last:,} is a record (lines: {many:,}; of a file {MAX_FINDINGS:,} such are told one by one)"
    return _broken(name, first, "FMT001", why=why, lines=many)._replace(many=many)


def lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes] | Reading]:
    """Each line that is not blank, with its number and no newline, still to be read; what cannot be unpacked is read as such.

    OSError where the file itself can no longer be read.
    """
    most = min(max(ALWAYS, MAX_RATIO * file.seek(0, 2)), MAX_UNPACKED)
    stream, is_packed = _unpacked(file)
    size = line = blank = 0
    ended = True
    try:
        while piece := stream.readline(MAX_BYTES + 1):
            size += len(piece)
            begins, ended = ended, piece.endswith(b"\n")
            line += begins
            is_blank = piece.isspace()
            blank = blank + 1 if is_blank else 0
            while blank > MANY and ended and not (is_packed and size > most) and (run := BLANK.match(stream.peek(1))):
                line, size = line + run[0].count(b"\n"), size + len(stream.read(run.end()))
            if is_packed and size > most:
                yield _broken(name, line, "FMT002", what="the unpacked size", limit=f"{most // 2**20} MiB for this file")
                return
            if begins and not is_blank:
                yield line, piece.removesuffix(b"\n")
    except (EOFError, gzip.BadGzipFile, zlib.error, lzma.LZMAError):
        yield _broken(name, line + 1, "FMT001", why="the packed file is damaged or cut off here")


def sniff(head: bytes) -> bool:
    """Whether a file begins like packed data, or with a line that is a whole object (or too long to tell)."""
    if head.startswith((GZIP, XZ)):
        return True
    first, newline, rest = head.lstrip().partition(b"\n")
    if not first.startswith(b"{"):
        return False
    if not rest.strip():  # a line alone; if it goes on, it is a long one
        return first.rstrip().endswith(b"}") or (not newline and len(head) >= 4096)
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _unpacked(file: BinaryIO) -> tuple[Any, bool]:
    """The file from its beginning, as what is packed in it if it is packed, so that one can peek; and whether it is packed."""
    file.seek(0)
    head = file.read(len(XZ))
    file.seek(0)
    if head.startswith(GZIP):
        return gzip.open(file), True
    if head.startswith(XZ):
        return lzma.open(file), True
    return file if hasattr(file, "peek") else BufferedReader(cast(Any, file)), False


def _broken(name: str, line: int, code: str, **facts: Any) -> Reading:
    places = Places(name, line=line)
    return Reading(None, (Finding(FORM[code], facts, location=places.at(0)),), places)


FORMAT = Format("jsonl", "JSON Lines, one record a line", read, sniff, writing.line, many=True, follow=follow)
