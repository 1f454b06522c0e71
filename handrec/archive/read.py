"""Archives read: batch by batch, whatever the file says of itself, and every row that is none with its place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handrec import games
from handrec.archive.layout import FORMAT, LAYOUT, META, SCHEMA, TEXTS, is_text
from handrec.archive.parts import Cut, Heads
from handrec.archive.records import readings
from handrec.archive.write import WINDOW
from handrec.bulk.records import Find
from handrec.findings import Finding
from handrec.formats import Reading
from handrec.formats.strict import Places
from handrec.referee.form import FORM

#: What an archive may have: row groups, rows in all, and bytes of a row group when unpacked.
MOST_GROUPS = 1_000_000
MOST_ROWS = 1 << 40
MOST_UNPACKED = 1 << 30

#: So many bytes of a row group are unpacked at a time, about.
AT_A_TIME = 4 << 20

#: Records that stand out of order are held until those before them have come, so many at the most.
MOST_HELD = 16 * WINDOW

_FAULTS = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError, RecursionError, TypeError)


class Unreadable(Exception):
    """A file that is no archive, or no longer one from the row `row` on (from 0); the message says why."""

    def __init__(self, why: str, row: int = 0) -> None:
        super().__init__(why)
        self.row = row


def batches(source: str | BinaryIO | pa.NativeFile) -> Iterator[pa.RecordBatch]:
    """The rows of an archive, some thousands of deals at a time, as Arrow batches. Raises `Unreadable`."""
    row = 0
    try:
        file = pq.ParquetFile(source)
        stated = _check(file)
        file = pq.ParquetFile(
            source, metadata=file.metadata, read_dictionary=list(TEXTS), pre_buffer=False, page_checksum_verification=True
        )
        for group in range(file.num_row_groups):
            told = file.metadata.row_group(group)
            if told.total_byte_size > MOST_UNPACKED:
                raise Unreadable(f"row group {group} has more than {MOST_UNPACKED >> 20} MiB", row)
            many = max(1, min(WINDOW, AT_A_TIME * told.num_rows // max(1, told.total_byte_size)))
            for batch in file.iter_batches(many, row_groups=[group], use_threads=False, columns=SCHEMA.names):
                batch.validate(full=True)
                yield batch
                row += len(batch)
        if stated != row:
            raise Unreadable(f"it has {row} records, but says that they are {str(stated)[:20]}", row)
    except _FAULTS as error:
        raise Unreadable(f"{type(error).__name__}: {_first_line(error)}", row) from None


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [""])[0][:200]


def _check(file: pq.ParquetFile) -> object:
    """Refuse what is no archive of this layout; returns how many records it says it has."""
    meta = json.loads((file.metadata.metadata or {}).get(META, b"null"))
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise Unreadable('its metadata does not say that it is a "handrec archive"')
    if meta.get("layout") != LAYOUT:
        raise Unreadable(f"layout {str(meta.get('layout'))[:20]} is not known here, only {LAYOUT}")
    if file.metadata.num_row_groups > MOST_GROUPS or not 0 <= file.metadata.num_rows <= MOST_ROWS:
        raise Unreadable("it has too many rows")
    for field in SCHEMA:
        places = file.schema_arrow.get_all_field_indices(field.name)
        if len(places) != 1:
            raise Unreadable(f"column {field.name} is {'missing' if not places else 'there twice'}")
        kind = file.schema_arrow.field(places[0]).type
        if not (kind.equals(field.type) or (is_text(kind) and is_text(field.type))):
            raise Unreadable(f"column {field.name} is of another type: {str(kind)[:60]}")
    return meta.get("records")


def read(source: str | BinaryIO | pa.NativeFile, name: str, find: Find = games.find) -> Iterator[Reading]:
    """The records of an archive in their order, each row in place of a line; a file that cannot be read ends in a finding."""
    held: dict[int, Reading] = {}
    due = row = 0
    heads = Heads(find)
    try:
        for batch in batches(source):
            for reading, number in _readings(batch, name, row, heads):
                if number < due or number in held:
                    yield _broken(name, row, "the number of its record stands twice")
                    continue
                held[number] = reading
                while due in held:
                    yield held.pop(due)
                    due += 1
                if len(held) > MOST_HELD:
                    raise Unreadable("its records are too far out of order", row)
            row += len(batch)
    except Unreadable as error:
        yield from (held[number] for number in sorted(held))
        yield _broken(name, error.row, str(error))
        return
    yield from (held[number] for number in sorted(held))
    if held:
        yield _broken(name, row, f"record {due} is missing")


def _readings(batch: pa.RecordBatch, name: str, start: int, heads: Heads) -> Iterator[tuple[Reading, int]]:
    """What each row of a batch reads as, and the number of its record."""
    told = readings(Cut(batch, heads), np.ones(len(batch), bool))
    for row, number in enumerate(batch.column("record").to_pylist()):
        yield Reading(*told[row], Places(name, line=start + row + 1)), start + row if number is None else number


def _broken(name: str, row: int, why: str) -> Reading:
    places = Places(name, line=row + 1)
    return Reading(None, (Finding(FORM["FMT001"], {"why": why}, location=places.at(0)),), places)
