"""Deals in columns digested, to the same digests as their records (see `handrec.audit.digests`)."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from handrec.archive import Cut, Part
from handrec.archive.faith import value
from handrec.archive.parts import Broken
from handrec.audit.digests import FEW, NOBODY, TABLES, Places, about, digest, four, said
from handrec.bulk.columns import NONE, NOTHING, Array
from handrec.report.safe import safe

#: Bytes of several columns, a row for each deal; then how many bytes of a row count.
Cells = tuple[bytes, int, Array]


class Deals:
    """The deals of the rows of a batch that pass, digested; a row with a deal of which columns do not tell all passes no more."""

    def __init__(self, cut: Cut, passed: Array) -> None:
        wanted = [(part, *_lines(part)) for part in cut.parts if passed[part.columns.record].any()]
        for part, lines, codes in wanted:
            plain = np.array([line is not None for line in lines], bool)[codes] & _has_turns(part)
            passed[part.columns.record[~plain]] = False
        found: list[tuple[int, int, int, str, str]] = []
        for part, lines, codes in wanted:
            if part.columns.shape.seats * part.columns.shape.size >= FEW:
                found += _digested(part, lines, codes, passed[part.columns.record])
        found.sort()
        rows, _, self.numbers, self.games, self.digests = map(list, zip(*found, strict=True)) if found else ([],) * 5
        self.rows = np.array(rows, np.int64)

    def of(self, start: int, stop: int, line: int) -> tuple[list[Any], ...]:
        """The deals of some rows, as results have them; `line` is that of row 0."""
        first, last = np.searchsorted(self.rows, (start, stop)).tolist()
        lines = (self.rows[first:last] + line).tolist()
        return lines, self.numbers[first:last], self.games[first:last], self.digests[first:last]


def _lines(part: Part) -> tuple[list[bytes | None], Array]:
    """What is said in the deals of a part, as digests have it, None where columns do not tell all else; and which each has."""
    shape, rest = part.columns.shape, part.rest.dictionary_encode()
    places = {seat: place for place, seat in enumerate((*part.head.seats, *shape.game.extras))}
    lines = [_said(text, places, shape.size, shape.starts[-1]) for text in rest.dictionary.to_pylist()]
    return lines, rest.indices.to_numpy()


def _said(rest: str, places: Places, size: int, plays: int) -> bytes | None:
    try:
        left = value(rest)
        events, claimed = left["events"], left.get("claimed", {})
        many = sum(event if type(event) is int and event > 0 else int(event["do"] == "play") for event in events)
        plain = left.keys() <= {"events", "claimed", "cards"} and claimed.keys() <= {"bids"} and left.get("cards", size) == size
        return said(events, claimed.get("bids", {}), [], places) if plain and many == plays else None
    except (Broken, LookupError, TypeError, AttributeError):  # it is not what a rest is
        return None


def _digested(part: Part, lines: list[bytes | None], codes: Array, wanted: Array) -> list[tuple[int, int, int, str, str]]:
    """Row, place, number, game and digests of the deals wanted."""
    game, (held, wide, _), (played, long, much) = safe(part.head.key), _hands(part), _played(part)
    head = about(part.head.key, part.head.options)
    told = [head + (line or b"") for line in lines]
    trumps = [f"{trump}\n".encode() for trump in (*part.columns.trumps, "")]
    number = np.where(part.number > 0, part.number, part.place + 1)
    some = np.flatnonzero(wanted)
    columns = (part.columns.record, part.place, number, codes, part.columns.said_trump, much)
    found = []
    for spot, row, place, which, code, trump, many in zip(some.tolist(), *(each[some].tolist() for each in columns), strict=True):
        mine = told[code] + trumps[trump] + played[spot * long : spot * long + many]
        found.append((row, place, which, game, digest(held[spot * wide : (spot + 1) * wide]) + digest(mine)))
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


def _has_turns(part: Part) -> Array:
    """(n,) bool: who led is stated for every trick, or for none."""
    leaders, shape = part.columns.leaders, part.columns.shape
    return ((leaders < shape.every).all(axis=1) & (leaders[:, 0] < shape.seats)) | (leaders == NONE).all(axis=1)


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
