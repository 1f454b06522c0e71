"""Records as rows: the columns of their deals, and texts for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from handrec import writing
from handrec.archive.layout import DEAL, ROOM, SCHEMA, has_room, widths
from handrec.archive.told import Data, Told, left, told, whole
from handrec.game import Game
from handrec.record import Record
from handrec.sieve import Odd, Plain
from handrec.sieve.columns import NONE, NOTHING, Array
from handrec.sieve.plain import Row, Words
from handrec.sieve.records import Find, Group, Sorter

#: The lists of words that numbers stand for, with those that come first.
WORDS: dict[str, tuple[Any, ...]] = {"contracts": (), "trumps": (), "kinds": (("none", ""),)}

#: What the row of a record says apart from its text.
HEAD = ("game", "options", "status", "id", "claimed")

#: Records with their places in the archive.
Numbered = tuple[int, Record]


def json_text(value: Any) -> str:
    """A value as canonical JSON text."""
    return writing.canonical(value).decode()


def in_order(value: Any) -> str:
    """A value as JSON text in the order in which it stands."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


class Rows(Sorter):
    """Sorts records into those of which every deal is plain and has room in the columns, and the rest."""

    def __init__(self, find: Find) -> None:
        super().__init__(find)
        self.shared: dict[str, dict[str, Words]] = {}

    def words(self, options: str) -> dict[str, Words]:
        """The words of a game's option set; those of a record have them in common, whatever the size of its hands."""
        return self.shared.setdefault(options, {name: Words(*some) for name, some in WORDS.items()})

    def plain(self, record: Record, game: Game, options: str, seats: tuple[str, ...], size: int) -> Plain:
        """What turns deals of a shape into rows. Raises `Odd` if they do not fit, or have no room."""
        plain, words = super().plain(record, game, options, seats, size), self.words(json_text(record.options))
        if not has_room(plain.shape):
            raise Odd("such deals have no room in an archive")
        plain.contracts, plain.trumps, plain.words = words["contracts"], words["trumps"], words["kinds"]
        return plain


def encode(records: Iterable[Numbered], find: Find) -> Iterator[pa.RecordBatch]:
    """Records as rows, in a batch for each game, in the order in which the games come up."""
    games: dict[str, list[Numbered]] = {}
    for number, record in records:
        games.setdefault(record.game if find(record.game) else "", []).append((number, record))
    for some in games.values():
        yield _encode(some, Rows(find))


def _encode(records: list[Numbered], rows: Rows) -> pa.RecordBatch:
    held = [rows.take(record, place) for place, (_, record) in enumerate(records)]
    cells = {id(group): _Cells(group) for group in rows.groups.values() if group.rows}
    heads: list[Data] = []
    spots: list[tuple[_Cells, int]] = []
    starts: list[int | None] = []
    for (number, record), each in zip(records, held, strict=True):
        stated = writing.plain(record)
        mine = [(cells[id(group)], spot) for group, spot in each.spots]
        fits = each.refer is None
        for (cell, spot), deal in zip(mine, stated["deals"], strict=True) if fits else ():
            fits = fits and cell.tell(spot, deal)
        heads.append(_head(number, record, stated, fits, rows, mine))
        starts.append(len(spots) if fits else None)
        spots += mine if fits else []
    columns = [pa.array([head[name] for head in heads], SCHEMA.field(name).type) for name in SCHEMA.names[:-1]]
    deals = pa.StructArray.from_arrays(
        [pa.array([cell.cells[name][spot] for cell, spot in spots], kind) for name, kind in DEAL.items()],
        fields=list(SCHEMA.field("deals").type.value_type),
    )
    offsets = pa.array([*starts, len(spots)], pa.int32())
    together = pa.ListArray.from_arrays(offsets, deals, SCHEMA.field("deals").type)
    return pa.RecordBatch.from_arrays([*columns, together], schema=SCHEMA)


def _head(number: int, record: Record, stated: Data, fits: bool, rows: Rows, mine: list[tuple[_Cells, int]]) -> Data:
    """The row of a record but for its deals."""
    options, seats = json_text(record.options), [player.seat for player in record.players]
    claimed = in_order(stated["claimed"]) if "claimed" in stated else None
    words = {name: list(some.number) for name, some in rows.words(options).items()} if fits else {}
    if mine and fits:
        words["facts"] = list(mine[0][0].columns.facts)
    rest = stated
    if fits:
        rest = {name: part for name, part in stated.items() if name not in (*HEAD, "deals")}
        rest |= {name: None for name, default in (("options", {}), ("status", "complete")) if name not in stated}
        if stated["players"] == [{"seat": seat} for seat in seats]:
            del rest["players"]
    known = {"game": record.game, "options": options, "seats": " ".join(seats), "status": record.status, "id": record.id}
    return {"record": number, **known, "claimed": claimed, "words": json_text(words), "text": in_order(rest)}


class _Cells:
    """The cells of a group of deals, column by column; a deal's `rest` is known when it has been told."""

    def __init__(self, group: Group) -> None:
        self.plain, self.rows = group.plain, group.rows
        self.columns = self.plain.columns(group.rows)
        self.trumps = tuple(self.plain.trumps.number)
        many, wide = len(group.rows), widths(self.plain.shape, len(self.columns.facts))
        self.cells: dict[str, list[Any]] = {}
        for name in DEAL:
            column = getattr(self.columns, name, None)
            if name == "facts":
                column = np.stack([*self.columns.facts.values()], axis=1) if self.columns.facts else np.zeros((many, 0), np.int16)
            if column is not None and name not in ("hands", "aside"):
                self.cells[name] = _bytes(column, wide[name]) if name in wide else column.tolist()
        self.cells["plays"] = [plays.ljust(ROOM, bytes([NONE])) for plays in self.cells["plays"]]
        self.cells["cards"] = [self.plain.shape.size] * many
        for name in ("number", "hands", "aside", "said_totals", "rest"):
            self.cells[name] = [None] * many

    def tell(self, spot: int, deal: Data) -> bool:
        """Fill in the cells that hold more than the sieve wants; false if they do not give the deal back."""
        shape, row, index = self.plain.shape, self.rows[spot], self.plain.index
        lying = {name: [index[card] for card in cards] for name, cards in deal.get("aside", {}).items()}
        aside = bytes([card for name, many in shape.aside.items() for card in lying.get(name, [NONE] * many)])
        totals = deal.get("claimed", {}).get("totals", {})
        said_totals = [totals.get(seat, NOTHING) for seat in self.plain.seats]
        number = deal.get("number", 0)
        row_told = _told(row, number, aside, said_totals)
        known = told(row_told, self.plain, self.trumps)
        rest = left(deal, known)
        if whole(known, rest) != deal:
            return False
        cells = {"number": number, "hands": row.hands.ljust(ROOM, bytes([NONE])), "aside": aside, "rest": in_order(rest)}
        for name, value in (cells | {"said_totals": np.array(said_totals, "<i8").tobytes()}).items():
            self.cells[name][spot] = value
        return True


def _told(row: Row, number: int, aside: bytes, totals: list[int]) -> Told:
    tricks, scores = list(row.said_tricks), list(row.said_scores)
    said = (row.said_trump, row.said_winners, tricks, scores, totals)
    return Told(number, row.dealer, row.leader, row.hands, aside, row.leaders, row.plays, *said)


def _bytes(column: Array, width: tuple[int, str]) -> list[bytes]:
    """Each row of a column as bytes, little-endian."""
    many, kind = width
    flat = np.ascontiguousarray(column.reshape(len(column), many), np.dtype(kind).newbyteorder("<"))
    size = many * flat.dtype.itemsize
    data = flat.tobytes()
    return [data[start : start + size] for start in range(0, size * len(column), size)] if size else [b""] * len(column)
