"""Deals of one shape in columns, a row each, as numpy arrays: what `codec.Row` has, and whose deal it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from handrec.sieve.codec import NONE, NOTHING, Codec, Row

Array = Any


@dataclass
class Columns:
    """n deals; S seats, E seats that play, T tricks, P plays, A places for cards set aside, W the most cards shown in a script.

    ``record`` (n,) int64  the record a deal is of, and ``place`` (n,) int64 its place there from 0; both rise
    ``whole`` (n,) bool  what was carried into the record's first deal is known: its games are told from their beginning
    ``number`` (n,) int64  stated, 0 not
    ``sized`` (n,) bool  how many cards a hand has is stated
    ``dealer``, ``leader`` (n,) int64  seats stated, -1 not
    ``hands`` (n, S*T), ``aside`` (n, A), ``shown`` (n, W), ``plays`` (n, P) uint8  cards, `NONE` where there is none
    ``leaders`` (n, T) uint8  seats, `NONE` if plays do not say whose they are
    ``script`` (n,) int64  place in `scripts`
    ``trump`` (n,) int64  claimed: place in `trumps`, -1 nothing
    ``winners`` (n, T) uint8  claimed: seats, `NONE` nothing
    ``tricks`` (n, E), ``scores`` (n, S), ``totals`` (n, S) int64  claimed, `NOTHING` nothing

    Seats and cards are numbered from 0, seats clockwise as the record lists its players.
    """

    codec: Codec
    record: Array
    place: Array
    whole: Array
    number: Array
    sized: Array
    dealer: Array
    leader: Array
    hands: Array
    aside: Array
    shown: Array
    leaders: Array
    plays: Array
    script: Array
    trump: Array
    winners: Array
    tricks: Array
    scores: Array
    totals: Array
    scripts: tuple[str, ...]
    trumps: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.plays)

    def rows(self, which: Any) -> Columns:
        """Some of the deals: a slice, or an array of row numbers."""
        return replace(self, **{name: getattr(self, name)[which] for name in ARRAYS})

    def deals(self) -> Iterator[Row]:
        """The rows, one after the other."""
        trumps = (*self.trumps, None)
        return map(
            Row,
            self.number.tolist(),
            self.sized.tolist(),
            self.dealer.tolist(),
            self.leader.tolist(),
            rows_of(self.hands),
            rows_of(self.aside),
            (shown.rstrip(bytes([NONE])) for shown in rows_of(self.shown)),
            rows_of(self.leaders),
            rows_of(self.plays),
            (self.scripts[script] for script in self.script.tolist()),
            (trumps[trump] for trump in self.trump.tolist()),
            rows_of(self.winners),
            map(tuple, self.tricks.tolist()),
            map(tuple, self.scores.tolist()),
            map(tuple, self.totals.tolist()),
        )


ARRAYS = frozenset(each.name for each in fields(Columns)) - {"codec", "scripts", "trumps"}


def together(codec: Codec, rows: list[Row], record: list[int], place: list[int], whole: list[bool]) -> Columns:
    """Rows as columns."""
    of = dict(zip(Row._fields, zip(*rows, strict=True), strict=True))
    scripts, trumps = {text: at for at, text in enumerate(dict.fromkeys(of["script"]))}, dict.fromkeys(of["trump"])
    trumps.pop(None, None)
    numbers = {trump: at for at, trump in enumerate(trumps)} | {None: -1}
    wide = max(map(len, of["shown"]))
    arrays: dict[str, Any] = {name: _bytes(of[name]) for name in ("hands", "aside", "leaders", "plays", "winners")}
    arrays["shown"] = _bytes([shown.ljust(wide, bytes([NONE])) for shown in of["shown"]])
    arrays["script"] = np.array([scripts[text] for text in of["script"]], np.int64)
    arrays["trump"] = np.array([numbers[trump] for trump in of["trump"]], np.int64)
    for name in ("number", "dealer", "leader", "tricks", "scores", "totals"):
        arrays[name] = np.array(of[name], np.int64)
    arrays["sized"] = np.array(of["sized"], bool)
    arrays |= {"record": np.array(record, np.int64), "place": np.array(place, np.int64), "whole": np.array(whole, bool)}
    return Columns(codec, **arrays, scripts=tuple(scripts), trumps=tuple(trumps))


def rows_of(column: Array) -> list[bytes]:
    """Each row of a column of bytes."""
    data, wide = np.ascontiguousarray(column).tobytes(), column.shape[1]
    return [data[start : start + wide] for start in range(0, len(data), wide)] if wide else [b""] * len(column)


def _bytes(rows: Any) -> Array:
    return np.frombuffer(bytearray(b"".join(rows)), np.uint8).reshape(len(rows), -1 if rows[0] else 0)


def in_bounds(deals: Columns) -> Array:
    """(n,) bool: every number is one that a record can have, and stands for something."""
    shape, some = deals.codec.shape, np.ones(len(deals), bool)
    cards, big = len(shape.pack), 1_000_000_000
    low = 0 if not shape.circle else -1
    for column, least, most in (
        (deals.number, 0, 1_000_001),
        (deals.dealer, low, shape.seats),
        (deals.leader, -1, shape.seats),
        (deals.hands, 0, cards),
    ):
        some &= _between(column, least, most)
    some &= _between(deals.plays, 0, cards) | not_played(deals) & unmarked(deals.leaders != NONE)
    for column, most in ((deals.aside, cards), (deals.shown, cards), (deals.leaders, shape.every), (deals.winners, shape.every)):
        some &= unmarked((column >= most) & (column != NONE))
    for column in (deals.leaders, deals.winners):
        unsaid = column == NONE
        some &= unmarked(unsaid != unsaid[:, :1])
    if not shape.circle:
        some &= unmarked(deals.leaders == NONE)
    for column, least, most in ((deals.tricks, 0, 1001), (deals.scores, -big, big + 1), (deals.totals, -big, big + 1)):
        some &= unmarked((column != NOTHING) & ((column < least) | (column >= most)))
    return some & (deals.leaders[:, 0] % NONE < shape.seats)


def unmarked(marks: Array) -> Array:
    """(n,) bool: rows without any of the marks (n, ...); most often there are none at all, and that is seen much sooner."""
    return ~marks.reshape(len(marks), -1).any(axis=1) if marks.any() else np.ones(len(marks), bool)


def not_played(deals: Columns) -> Array:
    """(n,) bool: nobody played."""
    none = deals.plays[:, :1] == NONE
    return none[:, 0] & unmarked(deals.plays != NONE) if none.any() else none[:, 0]


def _between(column: Array, least: int, most: int) -> Array:
    """(n,) bool: every number of a row is at least the one, and less than the other."""
    flat = column.reshape(len(column), -1)
    if flat.size and (flat.min() < least or flat.max() >= most):
        return unmarked((flat < least) | (flat >= most))
    return np.ones(len(column), bool)
