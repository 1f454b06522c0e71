"""Deals in columns digested, to the same digests as their records (see `handrec.digests`)."""

from __future__ import annotations

from itertools import repeat

import numpy as np
import pyarrow as pa

from handrec.archive.faith import value
from handrec.archive.parts import Cut, Part
from handrec.digests import FEW, NOBODY, TABLES, Digest, about, digest, four, said
from handrec.sieve.columns import NONE, NOTHING, Array

#: Bytes of several columns, a row for each deal; then how many bytes of a row count.
Cells = tuple[bytes, int, Array]


#: The row and the place in its record of a deal, and its digests.
Placed = tuple[int, int, Digest]


def digested(cut: Cut, wanted: Array) -> list[Placed]:
    """The deals of the rows wanted (a mask), in no order; their columns and texts must be faultless."""
    found: list[Placed] = []
    for part in cut.parts:
        mine = wanted[part.columns.record]
        if mine.any() and part.columns.shape.seats * part.columns.shape.size >= FEW:
            found += _digested(part, mine)
    return found


def _lines(part: Part, some: Array) -> tuple[list[bytes], list[int]]:
    """What is said in some deals of a part, as digests have it, and which of that each has; columns tell all the rest of them."""
    rest = part.rest.take(pa.array(some)).dictionary_encode()
    places = {seat: place for place, seat in enumerate((*part.head.seats, *part.columns.shape.game.extras))}
    head, lines = about(part.head.key, part.head.options), []
    for text in rest.dictionary.to_pylist():
        left = value(text)
        lines.append(head + said(left["events"], left.get("claimed", {}).get("bids", {}), [], places))
    return lines, rest.indices.to_pylist()


def _digested(part: Part, wanted: Array) -> list[Placed]:
    (held, wide, _), (played, long, much) = _hands(part), _played(part)
    some = np.flatnonzero(wanted)
    told, codes = _lines(part, some)
    trumps = [f"{trump}\n".encode() for trump in (*part.columns.trumps, "")]
    number = np.where(part.number > 0, part.number, part.place + 1)
    columns = (part.columns.record, part.place, number, part.columns.said_trump, much)
    found = []
    for spot, code, row, place, which, trump, many in zip(
        some.tolist(), codes, *(each[some].tolist() for each in columns), strict=True
    ):
        mine = told[code] + trumps[trump] + played[spot * long : spot * long + many]
        found.append((row, place, Digest(which, digest(held[spot * wide : (spot + 1) * wide]), digest(mine))))
    return found


def _cards(part: Part) -> Array:
    """(256,) uint32: the four bytes of each card of the pack, as a number in whose order their names stand."""
    codes = [int.from_bytes(four(card), "big") for card in part.columns.shape.pack.cards]
    return np.array([*codes, *repeat(0, 256 - len(codes))], np.uint32)


def _hands(part: Part) -> Cells:
    shape = part.columns.shape
    cards = np.zeros((len(part), shape.seats, shape.size + 1), ">u4")
    cards[:, :, :-1] = np.sort(_cards(part)[part.hands].reshape(len(part), shape.seats, shape.size), axis=2)
    return cards.tobytes(), cards[0].nbytes, np.full(len(part), cards[0].nbytes)


def _played(part: Part) -> Cells:
    columns, shape = part.columns, part.columns.shape
    tables = np.full((len(part), len(TABLES), shape.every), NOTHING, "<i8")
    tables[:, 0] = np.where(columns.said_tricks < 0, NOTHING, columns.said_tricks.astype(np.int64))
    tables[:, 1, : shape.seats], tables[:, 2, : shape.seats] = columns.said_scores, part.said_totals
    cards = _cards(part).astype(">u4")[columns.plays]
    cells = [each.reshape(len(part), -1).view(np.uint8) for each in (_turns(part), cards, tables, columns.said_winners)]
    together = np.concatenate(cells, axis=1)
    won = (columns.said_winners != NONE).any(axis=1)
    wide = together.shape[1]
    return together.tobytes(), wide, np.where(won, wide, wide - shape.size)


def _turns(part: Part) -> Array:
    """(n, P) uint8: who played each card, `NOBODY` where it is not stated."""
    columns, shape = part.columns, part.columns.shape
    stated = (columns.leaders < shape.every).all(axis=1)
    leaders, turns = np.where(stated[:, None], columns.leaders, 0), shape.turns.astype(np.uint8)
    dealer = columns.dealer % shape.seats  # where it is not known, all play clockwise
    first = turns[dealer, 0, leaders[:, 0] % shape.seats, : shape.seats]
    later = turns[dealer[:, None], 1, leaders[:, 1:]].reshape(len(part), -1)
    seats = np.concatenate([first, later], axis=1)
    seats[~stated] = NOBODY
    return seats
