"""Archives in an audit: their rows as bytes that a worker can be given, and these bytes as records. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
import pyarrow as pa

from handrec import games
from handrec.archive import Cut, Heads, Unreadable, batches
from handrec.archive.records import readings
from handrec.findings import Finding
from handrec.formats import Reading
from handrec.formats.strict import Places
from handrec.referee import FORM

#: So many rows are judged at a time.
ROWS = 1024

_HEADS = Heads(games.find)


def cut(file: BinaryIO, name: str) -> Iterator[tuple[int, bytes, Finding | None]]:
    """Some rows at a time as an Arrow stream, after the number of those before; or, at the end, why there are no more."""
    row = 0
    try:
        for batch in batches(file):
            for start in range(0, len(batch), ROWS):
                some = batch.slice(start, ROWS)
                sink = pa.BufferOutputStream()
                with pa.ipc.new_stream(sink, some.schema) as stream:
                    stream.write_batch(some)
                yield row, sink.getvalue().to_pybytes(), None
                row += len(some)
    except Unreadable as error:
        place = Places(name, line=error.row + 1).at(0)
        yield error.row, b"", Finding(FORM["FMT001"], {"why": str(error)}, location=place)


def read(data: bytes, name: str, line: int) -> Iterator[tuple[Reading, int]]:
    """The records of an Arrow stream whose first row is this one of the file, each with its row."""
    with pa.ipc.open_stream(data) as stream:
        for batch in stream:
            told = readings(Cut(batch, _HEADS), np.ones(len(batch), bool))
            for row in range(len(batch)):
                yield Reading(*told[row], Places(name, line=line + row)), line + row
            line += len(batch)
