"""The unit of work: a chunk in, what was found out; nothing else happens here, on whatever machine it runs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby, islice

from handrec import formats, games
from handrec.audit.pieces import Chunk, Piece
from handrec.audit.result import Result, broken, failure, merged, nothing, put_read, unread
from handrec.formats import Reading
from handrec.formats import json as one
from handrec.garbage import uncollected

#: So many records are held at a time.
WINDOW = 1024

#: A record as it was read, where from, and the line it begins in.
Read = tuple[str, int, Reading]


def judge(chunk: Chunk, sieve: bool = True) -> Result:
    """Judge the records of a chunk: the sieve passes what is clean, the referee has all the rest. Never fails."""
    return merged(_results(chunk.pieces, sieve))


def lost(piece: Piece) -> Result:
    """What comes of a piece over which a worker died, and died again."""
    return broken(piece.name, piece.line, failure("the process that judged it died", piece.name, piece.line))


def _results(pieces: Iterable[Piece], sieve: bool) -> Iterator[Result]:
    for rows, some in groupby(pieces, lambda piece: piece.format == "parquet" and piece.finding is None):
        judged = _judged_rows if rows else _judged
        yield from judged(some, sieve)


def _judged_rows(pieces: Iterable[Piece], sieve: bool) -> Iterator[Result]:
    for piece in pieces:
        try:
            from handrec.audit import archived

            yield from archived.judged(piece, sieve)
        except (OSError, formats.Missing) as error:
            why = f"where it was to be read, it cannot be: {getattr(error, 'strerror', None) or error}".lower()
            yield broken(piece.name, piece.line, failure(why, piece.name, piece.line))
        except Exception as error:
            yield broken(piece.name, piece.line, failure(type(error).__name__, piece.name, piece.line))


def _judged(pieces: Iterable[Piece], sieve: bool) -> Iterator[Result]:
    reads = iter(_reads(pieces))
    while True:
        result = nothing()
        with uncollected():
            window = list(islice(reads, WINDOW))
            for (name, line, reading), clean in zip(window, _clean([read[2] for read in window], sieve), strict=True):
                put_read(result, name, line, reading, clean)
        if not window:
            return
        yield result


def _reads(pieces: Iterable[Piece]) -> Iterator[Read]:
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


def _clean(readings: list[Reading], sieve: bool) -> list[bool]:
    """Which of these the sieve passes; none where it is not wanted, not installed, or fails."""
    able = [reading.record is not None and not reading.findings and sieve for reading in readings]
    if not any(able):
        return able
    try:
        from handrec.bulk import sift_records

        records = [reading.record for reading, sifted in zip(readings, able, strict=True) if reading.record and sifted]
        answers = iter([answer.clean for answer in sift_records(records, games.find)])
    except Exception:  # slower, never different: a fault of ours will show where the referee meets it
        return [False] * len(readings)
    return [sifted and next(answers) for sifted in able]
