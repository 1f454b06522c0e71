"""Rows as deals: a batch of an archive, cut into columns for the sieve."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from handrec.archive.layout import DEAL, ROOM, SCHEMA, has_room, widths
from handrec.archive.rows import WORDS
from handrec.archive.told import Data
from handrec.formats.strict import decode
from handrec.game import Game, compose
from handrec.sieve import Columns, Shape, fits
from handrec.sieve.columns import MOST_CARDS, NONE, Array
from handrec.sieve.plain import MOST_WORDS
from handrec.sieve.records import Find, seated

#: No record has more deals.
MOST_DEALS = 4096

#: A card's number, or what stands for no card, as a mask.
BITS = np.array([1 << card if card < MOST_CARDS else 0 for card in range(256)], np.int64)

#: So many heads are kept at a time.
MOST_HEADS = 1000


class Broken(Exception):
    """A row that cannot be what an archive's row is; the message says why."""


@dataclass(frozen=True)
class Head:
    """What the rows of some records have in common: game under its options, seats, and words for numbers."""

    key: str
    game: Game
    options: Data
    seats: tuple[str, ...]
    words: Data
    alike: dict[tuple[int, bytes, str], bool] = field(default_factory=dict)  # see `handrec.archive.faith`

    @property
    def facts(self) -> list[str]:
        """The names of what was said besides bids."""
        return list(self.words.get("facts", []))


@dataclass
class Part:
    """Deals of one shape and head: `columns` as the sieve wants them, and by deal, `place` in its record.

    `columns.record` is the row of the batch. `cards` has (n, S*T) uint8 `hands`, (n, A) uint8 `aside`, and (n, S) int64
    `said_totals`; `number` (n,) int32 what number is stated, 0 none.
    """

    head: Head
    columns: Columns
    place: Array
    number: Array
    hands: Array
    aside: Array
    said_totals: Array
    rest: Any

    def __len__(self) -> int:
        return len(self.place)


class Heads:
    """Games and shapes as they are met; they are kept, since every batch has the same ones."""

    def __init__(self, find: Find) -> None:
        self.find = find
        self.known: dict[tuple[str, ...], Head | str] = {}
        self.shapes: dict[tuple[str, str, int, int], Shape | None] = {}

    def head(self, key: str, options: str, seats: str, words: str) -> Head | str:
        """The head that four columns tell, or what is wrong with them."""
        wanted = key, options, seats, words
        if wanted not in self.known:
            if len(self.known) >= MOST_HEADS:
                self.known.clear()
                self.shapes.clear()
            try:
                found: Head | str = self._head(*wanted)
            except (Broken, ValueError, TypeError, RecursionError) as error:
                found = str(error) if isinstance(error, Broken) else "its game, options or words cannot be read"
            self.known[wanted] = found
            return found
        return self.known[wanted]

    def _head(self, key: str, options: str, seats: str, words: str) -> Head:
        stated, known = strict(options), strict(words)
        game = self.find(key)
        if game is None or not isinstance(stated, dict) or not isinstance(known, dict):
            raise Broken("there is no such game")
        composed, problems = compose(game, stated)
        if problems:
            raise Broken("there is no such game with these options")
        several = tuple(seats.split(" "))
        if not seated(composed, several):
            raise Broken("so many do not play this game")
        lists = {name: _tuples(known.get(name, [])) for name in (*WORDS, "facts")}
        if any(list(some[: len(WORDS.get(name, ()))]) != list(WORDS.get(name, ())) for name, some in lists.items()):
            raise Broken("its words are not those of an archive")
        if any(len(kind) != 2 for kind in lists["kinds"]):
            raise Broken("its kinds of bids are not those of an archive")
        if any(len(set(some)) < len(some) or len(some) > MOST_WORDS for some in lists.values()):
            raise Broken("its words stand twice, or are too many")
        return Head(key, composed, stated, several, lists)

    def shape(self, head: Head, size: int) -> Shape | None:
        """The shape of deals with so many cards a hand, None if such deals do not stand in columns."""
        wanted = head.key, json.dumps(head.options, sort_keys=True), len(head.seats), size
        if wanted not in self.shapes:
            shape = Shape(head.game, len(head.seats), size)
            self.shapes[wanted] = shape if size > 0 and fits(shape) and has_room(shape) else None
        return self.shapes[wanted]


def _tuples(words: Any) -> tuple[Any, ...]:
    found = tuple(tuple(word) if isinstance(word, list) else word for word in words)
    if not all(isinstance(part, str) for word in found for part in (word if isinstance(word, tuple) else (word,))):
        raise Broken("its words are no words")
    return found


def strict(text: str | None) -> Any:
    """The value of a JSON text, read strictly. Raises `Broken`."""
    decoded = decode((text or "").encode(), "")
    if decoded.findings:
        raise Broken(decoded.findings[0].message)
    return decoded.value


class Cut:
    """A batch cut into parts: `parts`; by row, `broken` says why it cannot be read; `texts` are the rows without deals."""

    def __init__(self, batch: pa.RecordBatch, heads: Heads) -> None:
        self.batch, self.heads = batch, heads
        self.broken: dict[int, str] = {}
        self.parts: list[Part] = []
        lists = batch.column("deals")
        self.counts = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        self.texts = np.asarray(lists.is_null())
        for name in batch.schema.names:
            if not SCHEMA.field(name).nullable:
                self._break(np.asarray(batch.column(name).is_null()), f"{name} is missing")
        self._break(self.counts > MOST_DEALS, f"it has more than {MOST_DEALS} deals")
        self.head_of = self._heads()
        self._cut(lists.flatten())

    def _break(self, rows: Array, why: str) -> None:
        for row in np.flatnonzero(rows).tolist():
            self.broken.setdefault(row, why)

    def _heads(self) -> list[Head | None]:
        """The head of each row, None where there is none."""
        codes, columns = np.zeros(len(self.batch), np.int64), []
        for name in ("game", "options", "seats", "words"):
            column = self.batch.column(name)
            column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
            columns.append(column)
            own = pc.fill_null(column.indices, -1).to_numpy(zero_copy_only=False).astype(np.int64) + 1
            codes = np.unique(codes * (len(column.dictionary) + 1) + own, return_inverse=True)[1]
        self.codes, found = codes, []
        for first in np.unique(codes, return_index=True)[1].tolist() if len(codes) else ():
            head = self._find_head(columns, first)
            if isinstance(head, str):
                self._break((codes == codes[first]) & ~self.texts, head)
            found.append(head if isinstance(head, Head) else None)
        return found

    def _find_head(self, columns: list[Any], row: int) -> Head | str:
        told = [column[row].as_py() for column in columns]
        return self.heads.head(*told) if None not in told else "a column is missing"

    def _cut(self, deals: pa.StructArray) -> None:
        row = np.repeat(np.arange(len(self.batch)), self.counts)
        place = np.arange(len(row)) - np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        for name in DEAL:
            if deals.field(name).null_count:
                self._break_deals(np.asarray(deals.field(name).is_null()), row, f"{name} is missing")
        if deals.null_count:
            self._break_deals(np.asarray(deals.is_null()), row, "a deal is missing")
        size = pc.fill_null(deals.field("cards"), 0).to_numpy(zero_copy_only=False).astype(np.int64)
        keys = self.codes[row] * (1 << 16) + size % (1 << 16)
        for key in np.unique(keys).tolist():
            which = np.flatnonzero(keys == key)
            head = self.head_of[key >> 16]
            if head is None:
                continue
            shape = self.heads.shape(head, int(size[which[0]]))
            if shape is None:
                self._break_deals(keys == key, row, "deals with so many cards do not stand in columns")
                continue
            wide = widths(shape, len(head.facts))
            self._lengths(deals, which, row, wide)
            which = which[~np.isin(row[which], list(self.broken))] if self.broken else which
            if len(which):
                self.parts.append(_part(head, shape, wide, _some(deals, which), row[which], place[which]))

    def _break_deals(self, deals: Array, row: Array, why: str) -> None:
        for each in np.unique(row[np.flatnonzero(deals)]).tolist():
            self.broken.setdefault(each, why)

    def _lengths(self, deals: pa.StructArray, which: Array, row: Array, wide: dict[str, tuple[int, str]]) -> None:
        """Break rows in which a column does not have as many bytes as such deals have."""
        some = _some(deals, which)
        for name, (many, kind) in wide.items():
            if DEAL[name] == pa.binary():
                lengths = pc.fill_null(pc.binary_length(some.field(name)), -1).to_numpy(zero_copy_only=False)
                fine = lengths == many * np.dtype(kind).itemsize
            else:
                fine = (_matrix(some.field(name), ROOM, "uint8")[:, many:] == NONE).all(axis=1)
            if not fine.all():
                self._break_deals(np.isin(np.arange(len(row)), which[~fine]), row, f"{name} is not as long as such deals have it")


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
    buffers = column.buffers()
    if pa.types.is_fixed_size_binary(column.type):
        start, data = column.offset * column.type.byte_width, buffers[1]
        size = column.type.byte_width
    else:
        start, data = int(np.frombuffer(buffers[1], np.int32, 1, column.offset * 4)[0]), buffers[2]
    flat = np.frombuffer(data, np.uint8, len(column) * size, start).reshape(len(column), size)
    return flat[:, :many] if size != many * np.dtype(kind).itemsize else flat.view(np.dtype(kind).newbyteorder("<"))


def _part(head: Head, shape: Shape, wide: dict[str, tuple[int, str]], deals: pa.StructArray, row: Array, place: Array) -> Part:
    found: dict[str, Array] = {}
    for name in DEAL:
        if name in wide:
            found[name] = _matrix(deals.field(name), *wide[name])
        elif name != "rest":
            found[name] = deals.field(name).to_numpy(zero_copy_only=False)
    hands, aside, number, totals = found["hands"], found["aside"], found.pop("number"), found.pop("said_totals")
    found["hands"] = np.bitwise_or.reduce(BITS[hands].reshape(len(row), shape.seats, shape.size), axis=2)
    masks, start = np.zeros((len(row), len(shape.aside)), np.int64), 0
    for place_, many in enumerate(shape.aside.values()):
        masks[:, place_] = np.bitwise_or.reduce(BITS[aside[:, start : start + many]], axis=1)
        start += many
    told_facts = found.pop("facts").reshape(len(row), len(head.facts), shape.seats)
    facts = {name: told_facts[:, spot] for spot, name in enumerate(head.facts)}
    del found["cards"]
    found |= {"aside": masks, "blind": found["blind"] != 0, "record": row}
    words = {"contracts": head.words["contracts"], "trumps": head.words["trumps"], "words": head.words["kinds"]}
    columns = Columns(shape, **found, facts=facts, **words)
    return Part(head, columns, place, number, hands, aside, totals, deals.field("rest"))
