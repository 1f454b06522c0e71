"""The unit of work: a chunk in, what was found out; nothing else happens here, on whatever machine it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from handrec import formats
from handrec.audit.pieces import Chunk, Piece
from handrec.audit.result import Result, broken, failure, merged, nothing, put_read, unread
from handrec.collector import paused
from handrec.formats import Reading
from handrec.formats import json as one

#: So many records are held at a time.
WINDOW = 1024

#: A record as it was read, where from, and the line it begins in.
PlacedReading = tuple[str, int, Reading]


def judge(chunk: Chunk, quick: bool = True) -> Result:
    """Judge the records of a chunk, by the fast ways if `quick`, else by the referee alone. Never fails."""
    return merged(_results(chunk.pieces, quick))


def lost(piece: Piece) -> Result:
    """What comes of a piece over which a worker died, and died again."""
    return broken(piece.name, piece.line, failure("the process that judged it died", piece.name, piece.line))


def _results(pieces: Iterable[Piece], quick: bool) -> Iterator[Result]:
    for rows, some in groupby(pieces, lambda piece: piece.format == "parquet" and piece.finding is None):
        judged = _judged_rows if rows else _judged
        yield from judged(some, quick)


def _judged_rows(pieces: Iterable[Piece], quick: bool) -> Iterator[Result]:
    for piece in pieces:
        try:
            from handrec.audit import archived

            yield from archived.judged(piece, quick)
        except (OSError, formats.Missing) as error:
            why = f"where it was to be read, it cannot be: {getattr(error, 'strerror', None) or error}".lower()
            yield broken(piece.name, piece.line, failure(why, piece.name, piece.line))
        except Exception as error:
            yield broken(piece.name, piece.line, failure(type(error).__name__, piece.name, piece.line))


def _judged(pieces: Iterable[Piece], quick: bool) -> Iterator[Result]:
    reads = iter(_reads(pieces))
    while True:
        result = nothing()
        with paused():
            window = list(islice(reads, WINDOW))
            for name, line, reading in window:
                put_read(result, name, line, reading, quick)
        if not window:
            return
        yield result


def _reads(pieces: Iterable[Piece]) -> Iterator[PlacedReading]:
    for piece in pieces:
        try:
            for reading, line in _readings(piece):
                yield piece.name, line, reading
        except Exception as error:  # what we fail over must not hide what comes after it
            yield piece.name, piece.line, unread(failure(type(error).__name__, piece.name, piece.line))


def _readings(piece: Piece) -> Iterator[tuple[Reading, int]]:
    assert isinstance(piece.data, bytes)
    if piece.finding is not None:
        yield unread(piece.finding), piece.line
    elif piece.format == "json":
        yield one.reading(piece.data, piece.name, piece.line), piece.line
    else:
        for reading in formats.read(piece.data, piece.name, piece.format):
            yield reading, reading.locate("").line
