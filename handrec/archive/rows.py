"""Records as rows: columns of their deals, and texts for the rest."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from struct import pack
from typing import Any

import pyarrow as pa

from handrec import writing
from handrec.archive.heads import Head, Heads
from handrec.archive.layout import DEAL, SCHEMA
from handrec.judging import Find
from handrec.record import Deal, Record
from handrec.sieve.codec import NOTHING, Codec, Row

#: What the row of a record says apart from its text.
HEAD = ("game", "options", "status", "id", "claimed")

#: Records with their places in the archive.
Numbered = tuple[int, Record]

Data = dict[str, Any]


def json_text(value: Any) -> str:
    """A value as canonical JSON text."""
    return writing.canonical(value).decode()


def as_it_stands(value: Any) -> str:
    """A value as JSON text in the order in which it stands."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def encode(records: Iterable[Numbered], find: Find) -> Iterator[pa.RecordBatch]:
    """Records as rows, in a batch for each game, in the order in which the games come up."""
    games: dict[str, list[Numbered]] = {}
    for number, record in records:
        games.setdefault(record.game if find(record.game) else "", []).append((number, record))
    heads = Heads(find)
    for some in games.values():
        yield encode_rows(some, heads)


def encode_rows(records: Iterable[tuple[int | None, Record | None]], heads: Heads) -> pa.RecordBatch:
    """Records as rows of one batch; None becomes a row with nothing in it."""
    rows, deals, starts = list[Data](), list[Data](), list[int | None]()
    for number, record in records:
        starts.append(None if record is None else len(deals))
        if record is None:
            rows.append({"record": number})
            continue
        options, seats = json_text(record.options), " ".join(player.seat for player in record.players)
        head, stated = heads.head(record.game, options, seats), writing.plain(record)
        rows.append(_row(number, stated, record, options, seats))
        known = head if isinstance(head, Head) else None
        deals += [_deal(deal, plain, known) for deal, plain in zip(record.deals, stated["deals"], strict=True)]
    columns = [pa.array([row.get(name) for row in rows], SCHEMA.field(name).type) for name in SCHEMA.names[:-1]]
    parts = [pa.array([deal.get(name) for deal in deals], kind) for name, kind in DEAL.items()]
    kind = SCHEMA.field("deals").type
    together = pa.ListArray.from_arrays(
        pa.array([*starts, len(deals)], pa.int32()), pa.StructArray.from_arrays(parts, fields=list(kind.value_type)), kind
    )
    return pa.RecordBatch.from_arrays([*columns, together], schema=SCHEMA)


def _row(number: int | None, stated: Data, record: Record, options: str, seats: str) -> Data:
    """The row of a record but for its deals. What is not stated is null in its text."""
    rest = {name: part for name, part in stated.items() if name not in (*HEAD, "deals")}
    rest |= {name: None for name in ("options", "status") if name not in stated}
    if stated["players"] == [{"seat": seat} for seat in seats.split(" ")]:
        del rest["players"]
    claimed = as_it_stands(stated["claimed"]) if "claimed" in stated else None
    status = stated.get("status", Record.model_fields["status"].default)
    known = {"game": record.game, "options": options, "seats": seats, "status": status, "id": record.id}
    return {"record": number, **known, "claimed": claimed, "text": as_it_stands(rest)}


def _deal(deal: Deal, stated: Data, head: Head | None) -> Data:
    """The cells of a deal: columns if it can be had back from them, else its text."""
    codec = None if head is None or not deal.hands else head.codec(len(next(iter(deal.hands.values()))))
    row = None if codec is None else codec.row(deal)
    if codec is None or row is None or codec.deal(row) != deal:
        return {"text": as_it_stands(stated)}
    return _cells(row, codec)


def _cells(row: Row, codec: Codec) -> Data:
    tricks = [-1 if many == NOTHING else many for many in row.tricks]
    return {
        **row._asdict(),
        "cards": codec.shape.size,
        "tricks": pack(f"<{len(tricks)}h", *tricks),
        "scores": pack(f"<{len(row.scores)}q", *row.scores),
        "totals": pack(f"<{len(row.totals)}q", *row.totals),
    }
