"""The layout of an archive: which columns its Parquet file has, and what stands in them.

A row is a record. What the sieve judges of its deals stands in columns, everything else in JSON texts, and no part of a
record in both, but bids and cards turned, of which the columns say what came of the events (a file in which the two differ
is refused where its records are read). A record with a deal that is not plain (see `handrec.sieve`) stands wholly in `text`.

=========  ==============  ==========================================================================================
column     type            holds
=========  ==============  ==========================================================================================
record     int64           place of the record in the archive, from 0
game       string          the game's key; a row group holds records of one game (those of unknown games share theirs)
options    string          options in force, as JSON
seats      string          the seats clockwise, with a space between them
status     string          status of the record
id         string          id of the record; null if there is none
claimed    string          `claimed` of the record, as JSON; null if there is none
words      string          what numbers stand for, as JSON: lists `contracts`, `trumps`, `kinds` (kind, suit), and `facts`
text       string          all else of the record, as JSON; the whole record where `deals` is null
deals      list of struct  the deals, in order; null if they are not plain
=========  ==============  ==========================================================================================

Each deal has the columns of `handrec.sieve.columns`, which says what they hold: those with one number as such, those with
several as bytes (binary, numbers little-endian, one after another), `facts` under all names together. So all deals of one
shape have the same number of bytes. These are different, or more:

============  ======================  ===============================================================================
column        type                    holds
============  ======================  ===============================================================================
cards         int16                   cards in each hand
number        int32                   the number stated, 0 none
hands         fixed_size_binary(64)   a byte a card: its number in the pack, seat by seat, in the order recorded; then 255
plays         fixed_size_binary(64)   a byte a card, in the order of play; then 255
aside         binary                  a byte a card, place by place; all 255 at a place that is not stated
said_totals   binary                  claimed: (S,) int64, points in all, `NOTHING` nothing
rest          string                  all else of the deal, as JSON; of its events, a number stands for so many plays
============  ======================  ===============================================================================

The file's metadata has `handrec`: a JSON object with `format`, `layout` (the number of this layout), `records`, `deals`, and
`games`, a list of game and options. A layout of a higher number is refused; one of this number does not change.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from handrec.sieve import Shape, layout

LAYOUT = 1
FORMAT = "handrec archive"
META = b"handrec"

#: A byte a card has room for so many cards.
ROOM = 64

_CARDS = pa.binary(ROOM)
_BYTES = pa.binary()

#: The columns of a deal.
DEAL = {
    "cards": pa.int16(),
    "number": pa.int32(),
    "first": pa.bool_(),
    "past": pa.bool_(),
    "dealer": pa.int8(),
    "leader": pa.int8(),
    "hands": _CARDS,
    "aside": _BYTES,
    "turned": _BYTES,
    "contract": pa.int16(),
    "declarer": pa.int8(),
    "bids": _BYTES,
    "kinds": _BYTES,
    "blind": _BYTES,
    "facts": _BYTES,
    "guesses": _BYTES,
    "leaders": _BYTES,
    "plays": _CARDS,
    "said_trump": pa.int16(),
    "said_winners": _BYTES,
    "said_tricks": _BYTES,
    "said_scores": _BYTES,
    "said_totals": _BYTES,
    "rest": pa.string(),
}

#: The columns of a record that hold a text, and which of them may be null.
TEXTS = ("game", "options", "seats", "status", "id", "claimed", "words", "text")
MAY_BE_NULL = ("id", "claimed", "deals")

SCHEMA = pa.schema(
    [
        pa.field("record", pa.int64(), False),
        *(pa.field(name, pa.string(), name in MAY_BE_NULL) for name in TEXTS),
        pa.field("deals", pa.list_(pa.field("element", pa.struct(list(DEAL.items()))))),
    ]
)

Widths = dict[str, tuple[int, str]]


def widths(shape: Shape, facts: int) -> Widths:
    """How many numbers a deal of a shape has in each column of bytes, and their dtype."""
    usual = {name: (width[0], dtype) for name, (width, dtype) in layout(shape).items() if width}
    return usual | {
        "hands": (shape.seats * shape.size, "uint8"),
        "aside": (sum(shape.aside.values()), "uint8"),
        "facts": (facts * shape.seats, "int16"),
        "said_totals": (shape.seats, "int64"),
    }


def has_room(shape: Shape) -> bool:
    """Whether the cards of such a deal fit into the bytes that there are for them."""
    return max(shape.seats * shape.size, shape.starts[-1]) <= ROOM


def is_text(kind: Any) -> bool:
    """Whether a column holds texts, encoded in whatever way."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind)) or (
        pa.types.is_dictionary(kind) and is_text(kind.value_type)
    )
