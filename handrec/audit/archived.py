"""Archives in an audit: which rows a worker is to read, and what comes of them. Needs numpy and pyarrow.

Rows that the sieve passes are counted and digested as columns; of all others the records are read, and refereed.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from threading import local

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handrec import games
from handrec.archive import Cut, Group, Heads, Unreadable, batches, complete, groups, opened, readings, rows_of, sifted
from handrec.audit import columns
from handrec.audit.pieces import Input, Piece, Span
from handrec.audit.result import Result, broken, failure, found, merged, nothing, put, put_clean, put_deals
from handrec.audit.urls import open_url
from handrec.bulk.columns import Array
from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.strict import Places
from handrec.record import Record
from handrec.referee import FORM
from handrec.report.safe import PLACE, safe

#: A worker is given so many times the rows that are unpacked at a time, and makes so many records at a time.
TIMES = 8
ROWS = 1024


class _Mine(local):
    """What a worker keeps: games and shapes, and the archive that it read last."""

    def __init__(self) -> None:
        self.heads = Heads(games.find)
        self.key: tuple[str, str] | None = None
        self.file: pq.ParquetFile | None = None
        self.groups: list[Group] = []

    def rows(self, span: Span) -> Iterator[pa.RecordBatch]:
        """The rows of a span. The archive is opened anew where it is another one than the last, or was changed."""
        if self.key != (span.source, span.stamp):
            self.key = None
            self.file = opened(open_url(span.source) if "://" in span.source else pa.OSFile(span.source))
            self.key, self.groups = (span.source, span.stamp), list(groups(self.file))
        if span.group >= len(self.groups):
            raise Unreadable("it has changed since the audit was begun")
        return rows_of(self.file, self.groups[span.group], span.start, span.stop)


_MINE = _Mine()


def cut(given: Input) -> Iterator[tuple[Piece, int]]:
    """The pieces of an archive, each with the number of bytes of the file that lie before its end."""
    try:
        if given.source is None:  # it came through a pipe, and lies nowhere else
            yield Piece(given.name, 1, "parquet", given.data), given.size
            return
        with given.open() as source:
            file, stamp = opened(source), str(given.identity)
            every = max(1, file.metadata.num_rows)
            for group in groups(file):
                many = group.rows if group.large else TIMES * group.many
                for start in range(0, group.rows, max(1, many)):
                    stop = min(start + many, group.rows)
                    span = Span(given.source, stamp, group.number, start, stop, group.size * (stop - start) // group.rows)
                    done = given.size * (group.row + stop) // every
                    yield Piece(given.name, group.row + start + 1, "parquet", span), done
            complete(file)
    except Unreadable as error:
        yield Piece(given.name, error.row + 1, "parquet", b"", _unreadable(error, given.name, error.row + 1)), given.size


def judged(piece: Piece, sieve: bool) -> Iterator[Result]:
    """What comes of the rows of a piece, some thousands of deals at a time."""
    line = piece.line
    try:
        for batch in _batches(piece.data):
            yield _judged(batch, piece.name, line, sieve)
            line += len(batch)
    except Unreadable as error:
        yield broken(piece.name, line, _unreadable(error, piece.name, line))


def _unreadable(error: Unreadable, name: str, line: int) -> Finding:
    return Finding(FORM["FMT001"], {"why": str(error)}, location=Location(name, line, 1))


def _batches(data: bytes | Span) -> Iterator[pa.RecordBatch]:
    return batches(BytesIO(data)) if isinstance(data, bytes) else _MINE.rows(data)


def _judged(batch: pa.RecordBatch, name: str, line: int, sieve: bool) -> Result:
    """What comes of a batch. Where we fail, it is tried without the sieve, then in halves: so one row alone is lost."""
    try:
        return _told(batch, name, line, sieve)
    except Exception as error:
        if sieve:
            return _judged(batch, name, line, False)
        if len(batch) == 1:
            return broken(name, line, failure(type(error).__name__, name, line))
        half = len(batch) // 2
        parts = (batch.slice(0, half), line), (batch.slice(half), line + half)
        return merged(_judged(part, name, at, False) for part, at in parts)


def _told(batch: pa.RecordBatch, name: str, line: int, sieve: bool) -> Result:
    result, made = nothing(), Cut(batch, _MINE.heads)
    passed, bares, which = sifted(made) if sieve else _none(len(batch))
    deals = columns.Deals(made, passed)
    records, many = (np.bincount(which[passed], weights, len(bares)).astype(int) for weights in (None, made.counts[passed]))
    for record, *numbers in zip(bares, records.tolist(), many.tolist(), strict=True):
        if record is not None and numbers[0]:
            put_clean(result, record, *numbers)
    path, before = safe(name, PLACE), 0
    others = np.flatnonzero(~passed)
    for start in range(0, len(others), ROWS):
        some = np.zeros(len(batch), bool)
        some[others[start : start + ROWS]] = True
        for row, told in sorted(readings(made, some).items()):
            put_deals(result, path, deals.of(before, row, line))
            reading = Reading(*told, Places(name, line=line + row))
            put(result, name, line + row, reading, found(name, line + row, reading))
            before = row + 1
    put_deals(result, path, deals.of(before, len(batch), line))
    return result


def _none(rows: int) -> tuple[Array, list[Record | None], Array]:
    """That the sieve passes none of so many rows."""
    return np.zeros(rows, bool), [], np.zeros(rows, int)
