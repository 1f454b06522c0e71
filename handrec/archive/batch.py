"""A batch of an archive, cut into columns of deals that are alike, and the deals that stand in texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from handrec.archive.heads import Head, Heads
from handrec.archive.layout import DEAL, OPTIONAL, SCHEMA, widths
from handrec.limits import MAX_DEALS
from handrec.sieve.codec import NONE, NOTHING, Codec
from handrec.sieve.columns import Array, Columns, in_bounds

#: No deal shows more cards.
MOST_SHOWN = 512

#: An id has no more characters.
MOST_ID = 1000


@dataclass
class Block:
    """Deals in columns at the same table, with hands of the same size; `columns.record` is the row of the batch."""

    head: Head
    columns: Columns


class Cut:
    """A batch cut up: `parts` are deals in columns, `texts` by row and place those in texts, `broken` what is wrong with rows.

    `counts` (rows,) deals of a record; `codes` (rows,) which rows have the same head, `head_of` each of these, None for none.
    """

    def __init__(self, batch: pa.RecordBatch, heads: Heads) -> None:
        self.batch, self.heads = batch, heads
        self.broken: dict[int, str] = {}
        self.parts: list[Block] = []
        self.texts: dict[tuple[int, int], str] = {}
        lists = batch.column("deals")
        self.counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        for name in batch.schema.names:
            if not SCHEMA.field(name).nullable or name == "deals":
                self._break(np.asarray(batch.column(name).is_null()), f"{name} is missing")
        long = pc.fill_null(pc.utf8_length(batch.column("id").cast(pa.string())), 0).to_numpy(zero_copy_only=False) > MOST_ID
        self._break(long, "its id is too long")
        self._break(self.counts > MAX_DEALS, f"it has more than {MAX_DEALS} deals")
        self.head_of, self.wrong = list[Head | None](), list[str]()
        self.codes = self._heads()
        self._cut(lists.flatten())

    @property
    def in_columns(self) -> Array:
        """(rows,) bool: all deals of the record stand in columns, and nothing is wrong with the row."""
        fine = np.ones(len(self.batch), bool)
        fine[[*self.broken, *(row for row, _ in self.texts)]] = False
        return fine

    def _break(self, rows: Array, why: str) -> None:
        for row in np.flatnonzero(rows).tolist():
            self.broken.setdefault(row, why)

    def _heads(self) -> Array:
        """Which rows have the same head."""
        codes, columns = np.zeros(len(self.batch), np.int64), []
        for name in ("game", "options", "seats"):
            column = self.batch.column(name)
            column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
            columns.append(column)
            own = pc.fill_null(column.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64) + 1
            codes = np.unique(codes * (len(column.dictionary) + 1) + own, return_inverse=True)[1].reshape(-1)
        for first in np.unique(codes, return_index=True)[1].tolist() if len(codes) else ():
            told = [column[first].as_py() for column in columns]
            head = "a column is missing" if None in told else self.heads.head(*told)
            self.head_of.append(head if isinstance(head, Head) else None)
            self.wrong.append(head if isinstance(head, str) else "")
        return codes

    def _cut(self, deals: pa.StructArray) -> None:
        row = np.repeat(np.arange(len(self.batch)), self.counts)
        place = np.arange(len(row)) - np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        written = np.asarray(deals.field("text").is_valid())
        absent = np.asarray(deals.is_null())
        for name in DEAL:
            if name not in OPTIONAL:
                absent |= np.asarray(deals.field(name).is_null()) & ~written
            if name != "text":
                twice = np.asarray(deals.field(name).is_valid()) & written
                self._break_deals(twice, row, "a deal stands in columns and in a text")
        self._break_deals(absent, row, "a part of a deal is missing")
        for spot in np.flatnonzero(written).tolist():
            self.texts[int(row[spot]), int(place[spot])] = deals.field("text")[spot].as_py()
        size = pc.fill_null(deals.field("cards"), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        keys = self.codes[row] * (1 << 16) + size % (1 << 16)
        keys[written | absent] = -1
        for key in np.unique(keys[keys >= 0]).tolist():
            which = np.flatnonzero(keys == key)
            head = self.head_of[key >> 16]
            codec = None if head is None else head.codec(int(size[which[0]]))
            if head is None or codec is None:
                why = self.wrong[key >> 16] or "deals with so many cards do not stand in columns"
                self._break_deals(keys == key, row, why)
                continue
            which = self._sound(deals, which, row, codec)
            if len(which):
                columns = _columns(codec, _some(deals, which), row[which], place[which])
                foul = columns.record[~in_bounds(columns)]
                self._break(np.isin(np.arange(len(self.batch)), foul), "a number in it stands for nothing")
                self.parts.append(Block(head, columns))

    def _break_deals(self, deals: Array, row: Array, why: str) -> None:
        for each in np.unique(row[np.flatnonzero(deals)]).tolist():
            self.broken.setdefault(each, why)

    def _sound(self, deals: pa.StructArray, which: Array, row: Array, codec: Codec) -> Array:
        """Those of the deals whose columns have as many bytes as such deals have; the rows of others are broken."""
        some, fine = _some(deals, which), np.ones(len(which), bool)
        for name, (many, kind) in widths(codec.shape).items():
            fine &= _lengths(some.field(name)) == many * np.dtype(kind).itemsize
        fine &= _lengths(some.field("shown")) <= MOST_SHOWN
        self._break_deals(np.isin(np.arange(len(row)), which[~fine]), row, "a column is not as long as such deals have it")
        return which[~np.isin(row[which], list(self.broken))] if self.broken else which


def _lengths(column: Any) -> Array:
    return pc.binary_length(column).to_numpy(zero_copy_only=False)


def _some(deals: pa.StructArray, which: Array) -> pa.StructArray:
    """Some of the deals; without a copy where they stand together."""
    if int(which[-1]) - int(which[0]) + 1 == len(which):
        return deals.slice(int(which[0]), len(which))
    return deals.take(pa.array(which))


def _matrix(column: Any, many: int, kind: str) -> Array:
    """A column of bytes, all of one length, as (n, many) numbers."""
    size = many * np.dtype(kind).itemsize
    if not size:
        return np.zeros((len(column), 0), kind)
    flat = _flat(column)
    return flat.reshape(len(column), size).view(np.dtype(kind).newbyteorder("<"))


def _flat(column: Any) -> Array:
    """The bytes of a column, one cell after the other."""
    _, offsets, data = column.buffers()
    start, end = np.frombuffer(offsets, np.int32, len(column) + 1, column.offset * 4)[[0, -1]].tolist()
    return np.frombuffer(data, np.uint8, end - start, start) if end > start else np.zeros(0, np.uint8)


def _ragged(column: Any) -> Array:
    """A column of bytes as (n, most) numbers, filled up with `NONE`."""
    lengths = _lengths(column)
    found = np.full((len(column), int(lengths.max(initial=0))), NONE, np.uint8)
    found[np.arange(found.shape[1]) < lengths[:, None]] = _flat(column)
    return found


def _columns(codec: Codec, deals: pa.StructArray, row: Array, place: Array) -> Columns:
    found: dict[str, Array] = {name: _matrix(deals.field(name), *wide) for name, wide in widths(codec.shape).items()}
    for name in ("number", "dealer", "leader"):
        found[name] = deals.field(name).to_numpy(zero_copy_only=False).astype(np.int64)
    script, trump = deals.field("script").dictionary_encode(), deals.field("trump").dictionary_encode()
    tricks = found["tricks"].astype(np.int64)
    found |= {
        "sized": np.asarray(deals.field("sized")),
        "shown": _ragged(deals.field("shown")),
        "script": script.indices.to_numpy().astype(np.int64),
        "trump": pc.fill_null(trump.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64),
        "tricks": np.where(tricks == -1, NOTHING, tricks),
        "record": row,
        "place": place,
        "whole": np.zeros(len(row), bool),
    }
    return Columns(codec, **found, scripts=tuple(script.dictionary.to_pylist()), trumps=tuple(trump.dictionary.to_pylist()))
