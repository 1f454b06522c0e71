"""Inputs cut into chunks, as they are read: what one worker judges at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from handrec import formats
from handrec.findings import Finding
from handrec.formats import Reading, jsonl

#: A chunk has so many pieces, or fewer that have so many bytes together.
PIECES = 256
BYTES = 8 * 2**20

#: A file that can only be read whole may have so many bytes.
WHOLE = 2**30

Complain = Callable[[str, str], None]


class Piece(NamedTuple):
    """Bytes that are read on their own: a line of JSON Lines, some rows of an archive, a file of another format.

    `line` is where they begin in their file; `finding` is what is wrong where there is nothing to be read.
    """

    name: str
    line: int
    format: str
    data: bytes
    finding: Finding | None = None


class Chunk(NamedTuple):
    """Some pieces; chunks are numbered from 0, and `done` bytes of all inputs had been read when this one was cut."""

    number: int
    pieces: tuple[Piece, ...]
    done: int = 0


@dataclass(frozen=True)
class Input:
    """A file to be audited, or bytes under a name. `format` is the key of its format, None to tell by looking at it."""

    name: str
    path: Path | None = None
    data: bytes = b""
    format: str | None = None

    @property
    def size(self) -> int:
        """The number of its bytes."""
        return self.path.stat().st_size if self.path else len(self.data)

    @property
    def identity(self) -> list[str | int]:
        """What changes when the input does: name, size, and the time of its last change, or the hash of bytes."""
        return [ascii(self.name), self.size, self.path.stat().st_mtime_ns if self.path else sha256(self.data).hexdigest()]


def chunks(inputs: list[Input], complain: Complain) -> Iterator[Chunk]:
    """The chunks of the inputs, in order; `complain` is told the name of a file that cannot be read, and why."""
    number = size = before = 0
    held: list[Piece] = []
    for each in inputs:
        done = before
        try:
            for piece, at in _pieces(each):
                held.append(piece)
                size += len(piece.data)
                done = before + at
                if len(held) >= PIECES or size >= BYTES:
                    yield Chunk(number, tuple(held), done)
                    number, size, held = number + 1, 0, []
            before += each.size
        except OSError as error:
            complain(each.name, (error.strerror or str(error)).lower())
            before = done
    if held:
        yield Chunk(number, tuple(held), before)


def _pieces(given: Input) -> Iterator[tuple[Piece, int]]:
    """The pieces of an input, each with the number of bytes that had been read when it was whole."""
    with given.path.open("rb") if given.path else BytesIO(given.data) as file:
        head = file.read(4096)
        file.seek(0)
        kind = formats.chosen(head, given.name, given.format)
        if kind.key == "jsonl":
            for line in jsonl.lines(file, given.name):
                at = file.tell()
                if isinstance(line, Reading):
                    yield Piece(given.name, 0, kind.key, b"", line.findings[0]), at
                else:
                    yield Piece(given.name, line[0], "json", line[1]), at
        elif kind.key == "parquet":
            yield from _rows(file, given.name)
        elif given.size > WHOLE:
            raise OSError("it is larger than 1 GiB")
        else:
            data = file.read()
            yield Piece(given.name, 1, kind.key, data), len(data)


def _rows(file: BinaryIO, name: str) -> Iterator[tuple[Piece, int]]:
    """The rows of an archive, some at a time, as Arrow batches."""
    try:
        from handrec.audit import archived
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "pyarrow"):
            raise
        raise formats.Missing("an archive needs numpy and pyarrow: pip install 'handrec[archive]'") from None
    for row, data, finding in archived.cut(file, name):
        yield Piece(name, row + 1, "parquet", data, finding), file.tell() if not file.closed else 0
