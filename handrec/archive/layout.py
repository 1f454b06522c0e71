"""The layout of an archive: which columns its Parquet file has, and what stands in them.

A row is a record, its deals a list. A deal stands in columns, which the sieve judges, or as JSON in `text`; never in both.

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
text       string          all else of the record, as JSON
deals      list of struct  the deals, in order
=========  ==============  ==========================================================================================

The columns of a deal; S seats, E seats that play (S, and one more where the game has a seat that is no player's), T tricks, which
are as many as a hand has cards, A cards set aside. Cards and seats are numbers, of the pack and clockwise from 0, in binary
columns a byte each; 255 is none. All but `text` are null where the deal stands in that.

=========  ======  ====================================================================================================
column     type    holds
=========  ======  ====================================================================================================
cards      int16   how many cards a hand has
sized      bool    whether the record states that
number     int32   the number stated, 0 none
dealer     int8    seat, -1 not stated
leader     int8    seat stated to lead first, -1 not stated
hands      binary  S*T cards, seat by seat, in the order recorded
aside      binary  A cards, place by place in the order of the game; all 255 at a place that is not stated
shown      binary  the cards that events besides plays name, in their order
leaders    binary  T seats: who led to each trick; all 255 if plays do not say whose they are
plays      binary  cards, in the order of play; all 255, as leaders are, if nobody played
script     string  what happens besides, as JSON: `events`, in which a seat is `#` and its number, a number stands for so many
                   plays and `*` for a card that is in `shown`; and `bids`, those claimed; `board` (true, if the number is
                   that of the board), `vulnerable`, and `sides`, those claimed, each `#` and the numbers of its seats: #0+#2
trump      string  claimed; null if it is not
winners    binary  claimed: T seats; all 255 if there are none
tricks     binary  claimed: E numbers (int16, little-endian), -1 not stated
scores     binary  claimed: S numbers (int64), -2^62 not stated
totals     binary  claimed: S numbers (int64), -2^62 not stated
text       string  the deal as JSON, where it does not stand in columns
=========  ======  ====================================================================================================

The file's metadata has `handrec`: a JSON object with `format`, `layout` (the number of this layout), `records`, `deals`, and
`games`, a list of game and options. A layout of a higher number is refused; one of this number does not change. Layout 3, where
deals in which nobody played were texts, and layout 2, whose scripts had only `bids` and `events`, are read too; and layout 1,
which had other columns for deals (`layout1`).
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from handrec.sieve.shape import Shape

LAYOUT = 4
FORMAT = "handrec archive"
META = b"handrec"

#: The columns of a deal.
DEAL = {
    "cards": pa.int16(),
    "sized": pa.bool_(),
    "number": pa.int32(),
    "dealer": pa.int8(),
    "leader": pa.int8(),
    "hands": pa.binary(),
    "aside": pa.binary(),
    "shown": pa.binary(),
    "leaders": pa.binary(),
    "plays": pa.binary(),
    "script": pa.string(),
    "trump": pa.string(),
    "winners": pa.binary(),
    "tricks": pa.binary(),
    "scores": pa.binary(),
    "totals": pa.binary(),
    "text": pa.string(),
}

#: Those of them that may be null where the deal stands in columns.
OPTIONAL = ("trump", "text")

#: The columns of a record that hold a text, and which of them may be null.
TEXTS = ("game", "options", "seats", "status", "id", "claimed", "text")
MAY_BE_NULL = ("id", "claimed")


def schema(deal: dict[str, Any], texts: tuple[str, ...], nullable: tuple[str, ...]) -> pa.Schema:
    """The schema of a layout."""
    return pa.schema(
        [
            pa.field("record", pa.int64(), False),
            *(pa.field(name, pa.string(), name in nullable) for name in texts),
            pa.field("deals", pa.list_(pa.field("element", pa.struct(list(deal.items())))), "deals" in nullable),
        ]
    )


SCHEMA = schema(DEAL, TEXTS, MAY_BE_NULL)


def widths(shape: Shape) -> dict[str, tuple[int, str]]:
    """How many numbers a deal of a shape has in each column of bytes, but for `shown`, and their dtype."""
    return {
        "hands": (shape.seats * shape.size, "uint8"),
        "aside": (sum(shape.aside.values()), "uint8"),
        "leaders": (shape.size, "uint8"),
        "plays": (shape.starts[-1], "uint8"),
        "winners": (shape.size, "uint8"),
        "tricks": (shape.every, "int16"),
        "scores": (shape.seats, "int64"),
        "totals": (shape.seats, "int64"),
    }


def is_text(kind: Any) -> bool:
    """Whether a column holds texts, encoded in whatever way."""
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind)) or (
        pa.types.is_dictionary(kind) and is_text(kind.value_type)
    )
