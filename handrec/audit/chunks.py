"""Inputs cut into chunks, as they are read: what one worker judges at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from handrec import formats
from handrec.audit.pieces import Chunk, Input, Piece
from handrec.formats import Reading, jsonl
from handrec.limits import MAX_FILE, mib

#: A chunk has so many pieces, or fewer that have so many bytes together.
PIECES = 256
BYTES = 2 * 2**20

Complain = Callable[[str, str], None]


def chunks(inputs: list[Input], complain: Complain) -> Iterator[Chunk]:
    """The chunks of the inputs, in order; `complain` is told the name of a file that cannot be read, and why."""
    number = size = before = 0
    held: list[Piece] = []
    for each in inputs:
        done = before
        try:
            for piece, at in _pieces(each):
                held.append(piece)
                size += piece.size
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
    with given.open() as file:
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
            yield from _rows(given)
        elif given.size > MAX_FILE:
            raise OSError(f"it is larger than {mib(MAX_FILE)}")
        else:
            data = file.read()
            yield Piece(given.name, 1, kind.key, data), len(data)


def _rows(given: Input) -> Iterator[tuple[Piece, int]]:
    """The rows of an archive, some at a time: where they are to be read."""
    try:
        from handrec.audit import archived
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "pyarrow"):
            raise
        raise formats.Missing("an archive needs numpy and pyarrow: pip install 'handrec[archive]'") from None
    yield from archived.cut(given)
