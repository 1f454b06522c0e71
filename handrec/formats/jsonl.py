"""JSON Lines: one record a line, plain or packed with gzip or xz; blank lines are passed over."""

from __future__ import annotations

import gzip
import json
import lzma
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import BinaryIO, cast

from handrec import writing
from handrec.findings import Finding
from handrec.formats import Format, Reading
from handrec.formats.json import reading
from handrec.formats.strict import MAX_BYTES, Places
from handrec.referee.form import FORM

#: How a packed file begins.
GZIP, XZ = b"\x1f\x8b", b"\xfd7zXZ\x00"
#: Unpacked, a file may have this many times the bytes it has packed (records have about 10), and 10 MiB in any case.
MAX_RATIO = 200
ALWAYS = 10 * 2**20
MAX_UNPACKED = 16 * 2**30


def read(data: bytes, name: str) -> Iterator[Reading]:
    """The records of a file's bytes."""
    return follow(BytesIO(data), name)


def follow(file: BinaryIO, name: str) -> Iterator[Reading]:
    """The records of a file, line by line. It is unpacked as it is read, and no further than it is read."""
    for piece in lines(file, name):
        yield piece if isinstance(piece, Reading) else reading(piece[1], name, piece[0])


def lines(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes] | Reading]:
    """Each line that is not blank, with its number and no newline, still to be read; what cannot be unpacked is read as such.

    OSError where the file itself can no longer be read.
    """
    most = min(max(ALWAYS, MAX_RATIO * file.seek(0, 2)), MAX_UNPACKED)
    stream, is_packed = _unpacked(file)
    size = line = 0
    ended = True
    try:
        while piece := stream.readline(MAX_BYTES + 1):
            size += len(piece)
            begins, ended = ended, piece.endswith(b"\n")
            line += begins
            if is_packed and size > most:
                yield _broken(name, line, "FMT002", what="the unpacked size", limit=f"{most // 2**20} MiB for this file")
                return
            if begins and piece.strip():
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


def _unpacked(file: BinaryIO) -> tuple[BinaryIO, bool]:
    """The file from its beginning, as what is packed in it if it is packed; and whether it is."""
    file.seek(0)
    head = file.read(len(XZ))
    file.seek(0)
    if head.startswith(GZIP):
        return cast(BinaryIO, gzip.open(file)), True
    return (cast(BinaryIO, lzma.open(file)), True) if head.startswith(XZ) else (file, False)


def _broken(name: str, line: int, code: str, **facts: str) -> Reading:
    places = Places(name, line=line)
    return Reading(None, (Finding(FORM[code], facts, location=places.at(0)),), places)


FORMAT = Format("jsonl", "JSON Lines, one record a line", read, sniff, writing.line, many=True, follow=follow)
