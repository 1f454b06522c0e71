"""Layout 1 of archives, read into rows of the layout of today.

Its deals had the columns below and, in `rest`, all else as JSON: events, in which a number stands for so many plays, and what is
claimed besides. Columns that told once more what `rest` tells (bids, cards turned, the contract, guesses) are passed over. A
record with a deal of another kind stood wholly in `text`, its `deals` null.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from handrec.archive.heads import Broken, Head, Heads, strict
from handrec.archive.layout import MAY_BE_NULL, TEXTS, schema
from handrec.archive.records import head_data
from handrec.archive.rows import HEAD, Data, encode_rows
from handrec.formats.json import load
from handrec.record import Record
from handrec.sieve.codec import NONE, NOTHING, Codec

#: The columns of a deal.
_SMALL = {"cards": pa.int16(), "number": pa.int32(), "first": pa.bool_(), "past": pa.bool_()}
_SEATS = {"dealer": pa.int8(), "leader": pa.int8(), "hands": pa.binary(64), "aside": pa.binary(), "turned": pa.binary()}
_BIDS = {
    "contract": pa.int16(),
    "declarer": pa.int8(),
    **dict.fromkeys(("bids", "kinds", "blind", "facts", "guesses"), pa.binary()),
}
_PLAYS = {"leaders": pa.binary(), "plays": pa.binary(64), "said_trump": pa.int16()}
_SAID = dict.fromkeys(("said_winners", "said_tricks", "said_scores", "said_totals"), pa.binary())
DEAL = {**_SMALL, **_SEATS, **_BIDS, **_PLAYS, **_SAID, "rest": pa.string()}

SCHEMA = schema(DEAL, (*TEXTS[:-1], "words", "text"), (*MAY_BE_NULL, "deals"))


def converted(batch: pa.RecordBatch, heads: Heads) -> pa.RecordBatch:
    """The rows of a batch of layout 1 as rows of today's layout; one that cannot be read has nothing but its number."""
    rows: list[tuple[int | None, Record | None]] = []
    for row in batch.to_pylist():
        try:
            rows.append((row["record"], _record(row, heads)))
        except (Broken, LookupError, ValueError, TypeError, AttributeError, RecursionError):
            rows.append((row["record"], None))
    return encode_rows(rows, heads)


def _record(row: Data, heads: Heads) -> Record:
    if row["deals"] is None:
        data: Data = strict(row["text"])
        if data["game"] != row["game"] or data.get("id") != row["id"]:
            raise Broken("its game or id is not that of its text")
    else:
        head = heads.head(row["game"], row["options"], row["seats"])
        if not isinstance(head, Head):
            raise Broken(head)
        trumps = strict(row["words"])["trumps"]
        said = {name: row[name] for name in (*HEAD, "seats", "text")}
        data = head_data(said) | {"deals": [_deal(deal, head, trumps) for deal in row["deals"]]}
    record, faults = load(data)
    if record is None or any(fault.severity == "error" for fault in faults):
        raise Broken("it is no record")
    return record


def _deal(deal: Data, head: Head, trumps: list[str]) -> Data:
    """A deal as plain values."""
    codec = head.codec(deal["cards"])
    if codec is None:
        raise Broken("deals with so many cards do not stand in columns")
    shape, seats, cards = codec.shape, codec.everybody, codec.shape.pack.cards
    known: Data = {"number": deal["number"]} if deal["number"] else {}
    known |= {name: seats[deal[name]] for name in ("dealer", "leader") if deal[name] >= 0}
    size, start, aside = shape.size, 0, {}
    hands = {seat: deal["hands"][place * size : (place + 1) * size] for place, seat in enumerate(codec.seats)}
    known["hands"] = {seat: [cards[card] for card in hand] for seat, hand in hands.items()}
    for name, many in shape.aside.items():
        there, start = deal["aside"][start : start + many], start + many
        if many and there != bytes([NONE]) * many:
            aside[name] = [cards[card] for card in there]
    claimed: Data = {} if deal["said_trump"] < 0 else {"trump": trumps[deal["said_trump"]]}
    if deal["said_winners"].strip(bytes([NONE])):
        claimed["winners"] = [seats[seat] for seat in deal["said_winners"]]
    for name, kind, nothing in (("tricks", "<i2", -1), ("scores", "<i8", NOTHING), ("totals", "<i8", NOTHING)):
        numbers = np.frombuffer(deal[f"said_{name}"], kind).tolist()
        stated = {seat: number for seat, number in zip(seats, numbers, strict=False) if number != nothing}
        claimed |= {name: stated} if stated else {}
    rest = strict(deal["rest"])
    stated_besides = rest.pop("claimed", {})
    if known.keys() & rest.keys() - {"aside"} or claimed.keys() & stated_besides.keys():
        raise Broken("a part of the deal stands twice")
    aside |= rest.pop("aside", {})
    claimed |= stated_besides
    rest["events"] = [*_events(rest["events"], _plays(deal, codec))]
    whole: Data = known | rest
    return whole | {name: part for name, part in (("aside", aside), ("claimed", claimed)) if part}


def _plays(deal: Data, codec: Codec) -> list[Data]:
    shape, cards = codec.shape, codec.shape.pack.cards
    plays = deal["plays"][: shape.starts[-1]]
    if not deal["leaders"].strip(bytes([NONE])):
        return [{"do": "play", "card": cards[card]} for card in plays]
    first, later = shape.rings[max(deal["dealer"], 0)]
    turns = [seat for trick, leader in enumerate(deal["leaders"]) for seat in (later if trick else first)[leader]]
    return [{"do": "play", "by": codec.everybody[seat], "card": cards[card]} for seat, card in zip(turns, plays, strict=True)]


def _events(rest: list[Any], plays: list[Data]) -> Iterator[Data]:
    """The events, numbers among them being so many of the plays; a play that is told in full stands for one, too."""
    place = 0
    for each in rest:
        if type(each) is int and each > 0:
            yield from plays[place : place + each]
            place += each
        else:
            yield each
            place += each["do"] == "play"
    if place != len(plays):
        raise Broken("its plays do not stand where they are said to")
