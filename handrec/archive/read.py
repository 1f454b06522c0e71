"""Archives read: batch by batch, whatever the file says of itself, and every row that is none with its place."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from io import SEEK_SET, RawIOBase
from typing import Any, BinaryIO, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from handrec import games
from handrec.archive import layout1
from handrec.archive.batch import Cut
from handrec.archive.heads import Heads
from handrec.archive.layout import FORMAT, LAYOUT, META, SCHEMA, TEXTS, is_text
from handrec.archive.records import readings
from handrec.archive.verdicts import claiming, sifted
from handrec.archive.write import WINDOW
from handrec.findings import Finding, Level
from handrec.formats import Failed, Passed, Reading
from handrec.formats.strict import Places
from handrec.judging import Find
from handrec.limits import ALWAYS, MAX_GROUP_BYTES, MAX_GROUP_ROWS, MAX_GROUPS, MAX_RATIO, MAX_ROWS, mib
from handrec.referee.form import FORM

#: So many bytes of a row group are unpacked at a time, about.
AT_A_TIME = 4 << 20

#: Records that stand out of order are held until those before them have come, so many at the most.
MOST_HELD = 16 * WINDOW

Source: TypeAlias = str | BinaryIO | pa.NativeFile

_FAULTS = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError, RecursionError, TypeError)


class UnreadableArchive(Exception):
    """A file that is no archive, or no longer one from the row `row` on (from 0); the message says why."""

    def __init__(self, why: str, row: int = 0) -> None:
        super().__init__(why)
        self.row = row


class Group(NamedTuple):
    """A row group: its number in the file, its first row there, how many rows it has, its bytes when unpacked, and packed."""

    number: int
    row: int
    rows: int
    size: int
    packed: int

    @property
    def many(self) -> int:
        """So many rows are unpacked at a time."""
        return max(1, min(WINDOW, AT_A_TIME * self.rows // max(1, self.size)))

    @property
    def large(self) -> str:
        """Why it is too large, if it is."""
        most = min(MAX_GROUP_BYTES, max(ALWAYS, MAX_RATIO * self.packed))
        if self.size > most:
            return f"row group {self.number} has more than {mib(most)} unpacked, the limit for its {self.packed:,} bytes"
        return f"row group {self.number} has more than {MAX_GROUP_ROWS:,} rows" if self.rows > MAX_GROUP_ROWS else ""


def opened(source: Source) -> pq.ParquetFile:
    """An archive, to be read group by group. Raises `UnreadableArchive` if it is none."""
    try:
        file = pq.ParquetFile(source)
        _check(file)
        return pq.ParquetFile(
            source, metadata=file.metadata, read_dictionary=list(TEXTS), pre_buffer=False, page_checksum_verification=True
        )
    except ConnectionError:  # that is no fault of the archive
        raise
    except _FAULTS as error:
        raise UnreadableArchive(_why(error)) from None


class _Untouched(Exception):
    """The data of a file were about to be read."""


class _Shut(RawIOBase):
    """A file whose data nobody may read."""

    place = 0

    def readable(self) -> bool:
        """As a file is."""
        return True

    def seekable(self) -> bool:
        """Anywhere."""
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        """The end lies where every place that a file tells of is before it."""
        self.place = offset if whence == SEEK_SET else sys.maxsize
        return self.place

    def tell(self) -> int:
        """Where it is."""
        return self.place

    def read(self, size: int = -1) -> bytes:
        """What nobody may."""
        raise _Untouched


def _sound(shut: pq.ParquetFile, number: int, names: list[str]) -> None:
    """Have each column of a row group opened, by a way that raises what is wrong with what the file tells of it.

    Asked for that directly, the library ends the process.
    """
    for name in names:
        try:
            next(shut.iter_batches(1, row_groups=[number], columns=[name], use_threads=False), None)
        except _Untouched as untouched:
            untouched.__traceback__ = None  # the library never lets an error go, nor then the frames through which it went


def groups(file: pq.ParquetFile) -> Iterator[Group]:
    """The row groups of an archive, as the file tells of them. Raises `UnreadableArchive`."""
    row = 0
    try:
        shut = pq.ParquetFile(pa.PythonFile(_Shut(), "r"), metadata=file.metadata)
        for number in range(file.num_row_groups):
            _sound(shut, number, file.schema_arrow.names)
            told = file.metadata.row_group(number)
            columns = [told.column(column) for column in range(told.num_columns)]
            size = max(told.total_byte_size, sum(column.total_uncompressed_size for column in columns))
            packed = sum(column.total_compressed_size for column in columns)
            yield Group(number, row, told.num_rows, size, packed)
            row += told.num_rows
    except _FAULTS as error:
        raise UnreadableArchive(_why(error), row) from None


def rows_of(file: pq.ParquetFile, group: Group, start: int = 0, stop: int | None = None) -> Iterator[pa.RecordBatch]:
    """Rows of a group (counted in it), some thousands of deals at a time. Raises `UnreadableArchive`, with its row."""
    row, stop = 0, group.rows if stop is None else stop
    try:
        if group.large:
            raise UnreadableArchive(group.large, group.row + start)
        if start >= stop:
            return
        old = _meta(file)["layout"] == 1
        names = layout1.SCHEMA.names if old else SCHEMA.names
        for batch in file.iter_batches(group.many, row_groups=[group.number], use_threads=False, columns=names):
            wanted = batch.slice(max(0, start - row), max(0, stop - max(start, row)))
            if len(wanted):
                batch.validate(full=True)
                yield layout1.converted(wanted, Heads(games.find)) if old else wanted
            row += len(batch)
            if row >= stop:
                return
        raise UnreadableArchive(f"row group {group.number} has fewer rows than it says", group.row + max(start, row))
    except ConnectionError:  # that is no fault of the archive
        raise
    except _FAULTS as error:
        raise UnreadableArchive(_why(error), group.row + max(start, row)) from None


def batches(source: Source) -> Iterator[pa.RecordBatch]:
    """The rows of an archive, some thousands of deals at a time, as Arrow batches. Raises `UnreadableArchive`."""
    file = opened(source)
    for group in groups(file):
        yield from rows_of(file, group)
    complete(file)


def complete(file: pq.ParquetFile) -> None:
    """Raises `UnreadableArchive` if an archive does not have as many records as it says."""
    stated, rows = _meta(file).get("records"), file.metadata.num_rows
    if stated != rows:
        raise UnreadableArchive(f"it has {rows} records, but says that they are {str(stated)[:20]}", rows)


def _why(error: BaseException) -> str:
    return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0][:200]}"


def _meta(file: pq.ParquetFile) -> dict[str, Any]:
    """What an archive says of itself."""
    meta = json.loads((file.metadata.metadata or {}).get(META, b"null"))
    if not isinstance(meta, dict) or meta.get("format") != FORMAT:
        raise UnreadableArchive('its metadata does not say that it is a "handrec archive"')
    return meta


def _check(file: pq.ParquetFile) -> None:
    """Refuse what is no archive of this layout."""
    meta = _meta(file)
    layout = meta.get("layout")
    if type(layout) is not int or not 1 <= layout <= LAYOUT:
        raise UnreadableArchive(f"layout {str(layout)[:20]} is not known here, only 1 to {LAYOUT}")
    if file.metadata.num_row_groups > MAX_GROUPS or not 0 <= file.metadata.num_rows <= MAX_ROWS:
        raise UnreadableArchive("it has too many rows")
    for field in layout1.SCHEMA if layout == 1 else SCHEMA:
        places = file.schema_arrow.get_all_field_indices(field.name)
        if len(places) != 1:
            raise UnreadableArchive(f"column {field.name} is {'missing' if not places else 'there twice'}")
        kind = file.schema_arrow.field(places[0]).type
        if not (kind.equals(field.type) or (is_text(kind) and is_text(field.type))):
            raise UnreadableArchive(f"column {field.name} is of another type: {str(kind)[:60]}")


def read(source: Source, name: str, find: Find = games.find, failed: Failed | None = None) -> Iterator[Reading]:
    """The records of an archive in their order, each row in place of a line; a file that cannot be read ends in a finding.

    With `failed`, which is told when the sieve fails, records that the sieve passes are told as such, and not read.
    """
    held: dict[int, Reading] = {}
    due = row = 0
    heads = Heads(find)
    try:
        for batch in batches(source):
            for reading, number in _readings(batch, name, row, heads, failed):
                if number < due or number in held:
                    yield _broken(name, row, "the number of its record stands twice")
                    continue
                held[number] = reading
                while due in held:
                    yield held.pop(due)
                    due += 1
                if len(held) > MOST_HELD:
                    raise UnreadableArchive("its records are too far out of order", row)
            row += len(batch)
    except UnreadableArchive as error:
        yield from (held[number] for number in sorted(held))
        yield _broken(name, error.row, str(error))
        return
    yield from (held[number] for number in sorted(held))
    if held:
        yield _broken(name, row, f"record {due} is missing")


def _readings(batch: pa.RecordBatch, name: str, start: int, heads: Heads, failed: Failed | None) -> Iterator[tuple[Reading, int]]:
    """What each row of a batch reads as, and the number of its record."""
    cut = Cut(batch, heads)
    levels = _levels(cut, failed) if failed else [None] * len(batch)
    told = readings(cut, np.array([each is None for each in levels], bool))
    names = batch.column("id").to_pylist() if failed else []
    for row, number in enumerate(batch.column("record").to_pylist()):
        places, passed = Places(name, line=start + row + 1), levels[row]
        if passed is None:
            reading = Reading(*told[row], places)
        else:
            game = batch.column("game")[row].as_py()
            reading = Reading(None, (), places, Passed(names[row], game, int(cut.counts[row]), passed))
        yield reading, start + row if number is None else number


def _levels(cut: Cut, failed: Failed) -> list[tuple[Level, ...] | None]:
    """The levels of the rows that the sieve passes; where we fail over it, it passes none.

    Nor those that say what tables have together: that is compared when the records of all of them have been read.
    """
    try:
        levels = sifted(cut, failed).levels
    except Exception as error:
        failed("sieve", error)
        return [None] * len(cut.batch)
    return [None if together else told for told, together in zip(levels, claiming(cut).tolist(), strict=True)]


def _broken(name: str, row: int, why: str) -> Reading:
    places = Places(name, line=row + 1)
    return Reading(None, (Finding(FORM["FMT001"], {"why": why}, location=places.at(0)),), places)
