"""Deals in columns digested, to the same digests as their records (see `handrec.digests`)."""

from __future__ import annotations

import numpy as np

from handrec.archive.batch import Block, Cut
from handrec.digests import FEW, Digest, digest, four, of_row
from handrec.sieve.codec import NONE, NUMBERED
from handrec.sieve.columns import Array, Columns, rows_of

#: The row and the place in its record of a deal, and its digests.
PlacedDigest = tuple[int, int, Digest]


def digested(cut: Cut, wanted: Array, heads: list[bytes], which: Array) -> list[PlacedDigest]:
    """The deals of the rows wanted (a mask), in no order. `heads` are the lines of game and options that the rows have."""
    found: list[PlacedDigest] = []
    for part in cut.parts:
        shape = part.columns.codec.shape
        mine = np.flatnonzero(wanted[part.columns.record])
        if len(mine) and shape.seats * shape.size >= FEW:
            found += _digested(part, mine, heads, which)
    return found


def _digested(part: Block, some: Array, heads: list[bytes], which: Array) -> list[PlacedDigest]:
    deals = part.columns.rows(some)
    held, wide = _hands(deals)
    numbers = np.concatenate([deals.tricks, deals.scores, deals.totals], axis=1).astype("<i8")
    cells = np.concatenate([deals.leaders, deals.plays, numbers.view(np.uint8), deals.winners], axis=1)
    together, long = cells.tobytes(), cells.shape[1]
    found = []
    trumps, lists = (
        (*deals.trumps, None),
        (deals.record, deals.place, deals.number, deals.script, deals.trump, which[deals.record]),
    )
    scripts = [script.replace(NUMBERED, "", 1) for script in deals.scripts]
    shown = [cards.rstrip(bytes([NONE])) for cards in rows_of(deals.shown)]
    for spot, (row, place, number, script, trump, head) in enumerate(zip(*(each.tolist() for each in lists), strict=True)):
        mine = of_row(scripts[script], trumps[trump], shown[spot], together[spot * long : (spot + 1) * long])
        both = digest(held[spot * wide : (spot + 1) * wide]), digest(heads[head] + mine)
        found.append((row, place, Digest(number or place + 1, *both)))
    return found


def _hands(deals: Columns) -> tuple[bytes, int]:
    """The hands, each with its cards in the order of their names, and how many bytes those of a deal have."""
    shape = deals.codec.shape
    names = np.array([int.from_bytes(four(card), "big") for card in shape.pack.cards], np.uint32)
    cards = np.zeros((len(deals), shape.seats, shape.size + 1), ">u4")
    cards[:, :, :-1] = np.sort(names[deals.hands].reshape(len(deals), shape.seats, shape.size), axis=2)
    return cards.tobytes(), shape.seats * (shape.size + 1) * 4
