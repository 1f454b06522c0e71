"""Archives written, as records come: some thousands of deals at a time, in row groups of one game each."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.parquet as pq

from handrec import games
from handrec.archive.layout import FORMAT, LAYOUT, META, SCHEMA
from handrec.archive.rows import Numbered, encode, json_text
from handrec.collector import paused
from handrec.judging import Find
from handrec.record import Record

#: So many deals, or records, are held before they are written.
WINDOW = 4096

#: The file's own words name so many games and option sets at most.
MOST_KINDS = 100

#: Columns in which little repeats: a dictionary of their values would only take time.
LOOSE = ("record", "id", "deals.list.element.hands", "deals.list.element.plays")


class _Sink:
    """A file that hands on what is written to it."""

    closed = False

    def __init__(self) -> None:
        self.parts: list[bytes] = []
        self.size = 0

    def write(self, part: bytes) -> int:
        self.parts.append(bytes(part))
        self.size += len(part)
        return len(part)

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        """Nothing is held back."""

    def close(self) -> None:
        self.closed = True

    def taken(self) -> bytes:
        """What was written since this was last asked."""
        data, self.parts = b"".join(self.parts), []
        return data


def write(records: Iterable[Record], find: Find = games.find) -> Iterator[bytes]:
    """The bytes of an archive of records, as they come; `find` gives the game for its name.

    The same records give the same bytes. A window of deals is held at a time.
    """
    sink = _Sink()
    plain = dict.fromkeys(LOOSE, False)
    names = [each for each in _leaves() if each not in plain]
    meta = {"format": FORMAT, "layout": LAYOUT}
    kinds: set[str] = set()
    many = deals = 0
    writer = pq.ParquetWriter(
        pa.PythonFile(sink, "w"),
        SCHEMA,
        compression="zstd",
        use_dictionary=names,
        write_statistics=["game", "options", "record"],
        write_page_checksum=True,
    )
    for window in _windows(records):
        for batch in encode(window, find):
            writer.write_table(pa.Table.from_batches([batch]), row_group_size=len(batch))
            yield sink.taken()
        many, deals = many + len(window), deals + sum(len(record.deals) for _, record in window)
        kinds |= {json_text([record.game, record.options]) for _, record in window}
    told = {**meta, "records": many, "deals": deals, "games": [json.loads(kind) for kind in sorted(kinds)[:MOST_KINDS]]}
    writer.add_key_value_metadata({META.decode(): json_text(told)})
    writer.close()
    yield sink.taken()


def _windows(records: Iterable[Record]) -> Iterator[list[Numbered]]:
    coming = enumerate(records)
    while window := _window(coming):
        yield window


def _window(coming: Iterator[Numbered]) -> list[Numbered]:
    """The next records, which have so many deals or more; none if there are no more."""
    window: list[Numbered] = []
    deals = 0
    with paused():
        for number, record in coming:
            window.append((number, record))
            deals += 1 + len(record.deals)
            if deals >= WINDOW:
                break
    return window


def _leaves() -> Iterator[str]:
    """The paths of the columns in the file."""
    for each in SCHEMA:
        inside = each.type.value_type if pa.types.is_list(each.type) else []
        yield from [f"{each.name}.list.element.{part.name}" for part in inside] or [each.name]
