"""Archives in an audit: which rows a worker is to read, and what comes of them. Needs numpy and pyarrow.

The unit of work is that of every engine, `handrec.archive.verdicts`: an Arrow batch in, an Arrow batch out. What a worker
sends back is the sum of its batches.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from io import BytesIO
from threading import local

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from handrec import games
from handrec.archive import Group, UnreadableArchive, batches, complete, groups, opened, rows_of, verdicts
from handrec.audit.pieces import Input, Piece, Span
from handrec.audit.result import (
    About,
    FindingRow,
    Judged,
    Result,
    both,
    broken,
    merged,
    nothing,
    put,
    put_clean,
    put_deals,
    put_failure,
)
from handrec.audit.urls import open_url
from handrec.digests import Digest
from handrec.findings import Finding, Location
from handrec.referee import FORM
from handrec.report.safe import PLACE, safe
from handrec.sieve.columns import Array

#: A worker is given so many times the rows that are unpacked at a time.
TIMES = 8


class _Mine(local):
    """What a worker keeps: the archive that it read last."""

    def __init__(self) -> None:
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
            raise UnreadableArchive("it has changed since the audit was begun")
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
    except UnreadableArchive as error:
        yield Piece(given.name, error.row + 1, "parquet", b"", _unreadable(error, given.name, error.row + 1)), given.size


def judged(piece: Piece, quick: bool) -> Iterator[Result]:
    """What comes of the rows of a piece, some thousands of deals at a time."""
    line = piece.line
    try:
        for batch in _batches(piece.data):
            failures = nothing()
            judged_rows = verdicts(batch, games.find, True, quick, partial(put_failure, failures))
            yield merged((summed(judged_rows, piece.name, line), failures))
            line += len(batch)
    except UnreadableArchive as error:
        yield broken(piece.name, line, _unreadable(error, piece.name, line))


def _unreadable(error: UnreadableArchive, name: str, line: int) -> Finding:
    return Finding(FORM["FMT001"], {"why": str(error)}, location=Location(name, line, 1))


def _batches(data: bytes | Span) -> Iterator[pa.RecordBatch]:
    return batches(BytesIO(data)) if isinstance(data, bytes) else _MINE.rows(data)


def summed(verdict_rows: pa.RecordBatch, name: str, line: int) -> Result:
    """Verdicts on the rows of a file, the first of which is that of a line, counted and kept as an audit needs them."""
    result, (abouts, which), deals = nothing(), _abouts(verdict_rows), verdict_rows["deals"].to_numpy()
    clean = pc.equal(verdict_rows["codes"], "").to_numpy(zero_copy_only=False)
    clean &= np.array([about is not None for about in abouts], bool)[which]
    records, many = (np.bincount(which[clean], weights, len(abouts)).astype(int) for weights in (None, deals[clean]))
    for about, *numbers in zip(abouts, records.tolist(), many.tolist(), strict=True):
        if about is not None and numbers[0]:
            put_clean(result, about, *numbers)
    for row in np.flatnonzero(~clean).tolist():
        findings = json.loads(verdict_rows["findings"][row].as_py())
        found = [
            FindingRow(line + row, 1, *(finding.get(key) for key in FindingRow._fields[2:]))
            for finding in findings
            if "because" not in finding
        ]
        put(result, name, line + row, Judged(abouts[which[row]], verdict_rows["id"][row].as_py(), int(deals[row]), found))
    result["claims"] += pc.sum(verdict_rows["together"], min_count=0).as_py()
    rows, digests = pc.list_parent_indices(verdict_rows["digests"]).to_numpy(), verdict_rows["digests"].flatten()
    numbers, *two = (digests.field(field).to_pylist() for field in Digest._fields)
    if numbers:
        games = [safe(about.game) if about else "" for about in abouts]
        known = [both(Digest(*each)) for each in zip(numbers, *two, strict=True)]
        put_deals(result, safe(name, PLACE), ((rows + line).tolist(), numbers, [games[each] for each in which[rows]], known))
    return result


def _abouts(verdict_rows: pa.RecordBatch) -> tuple[list[About | None], Array]:
    """All that rows are counted by, and which of that each row is."""
    texts = [verdict_rows[name].dictionary_encode() for name in ("game", "options", "players")]
    codes = np.stack([np.nan_to_num(text.indices.to_numpy(zero_copy_only=False), nan=-1) for text in texts], axis=1)
    kinds, which = np.unique(codes.astype(int), axis=0, return_inverse=True)
    words = [[*text.dictionary.to_pylist(), None] for text in texts]  # the last is what stands at -1
    return [_about(*(some[code] for some, code in zip(words, kind, strict=True))) for kind in kinds.tolist()], which.reshape(-1)


def _about(game: str | None, options: str | None, players: str | None) -> About | None:
    """What rows are counted by that have these texts; None if no record could be made of them."""
    if game is None or options is None or players is None:
        return None
    return About(game, json.loads(options), tuple((each["seat"], each.get("name")) for each in json.loads(players)))
