"""A record without its people: what is left when names, and all text that may hold one, are taken out."""

from __future__ import annotations

import re
from typing import Any

from handrec import writing
from handrec.record import KINDS, Record

#: Seats called by a letter, a number or a point of the compass: nobody's name.
SEAT = re.compile(r"[A-Z]?[0-9]{0,3}|[NS][EW]|north|east|south|west|(player|seat)[_-]?[0-9]{1,3}", re.IGNORECASE)

#: Fields of text that anybody may have written, and those whose values, or the keys of them, are seats.
TEXTS = {"$schema", "id", "name", "reason", "comments", "provenance", "extensions"}
SEATED = {"seat", "dealer", "leader", "winners", "hands", "tricks", "bids", "scores", "totals"}


def anonymous(record: Record) -> Record:
    """The record with seats for names, and without reasons, comments, provenance, extensions, id, and who ruled.

    Where a seat may be called by somebody's name, all are called P1, P2 and so on, clockwise. Calls, announcements and
    the names of cards set aside stay as they are.
    """
    seats = [player.seat for player in record.players]
    known = all(map(SEAT.fullmatch, seats))
    called = {seat: seat if known else f"P{place}" for place, seat in enumerate(seats, 1)}
    return Record.model_validate(_nameless(writing.plain(record), called))


def _nameless(part: Any, called: dict[str, str]) -> Any:
    """A part of the record without its texts, its seats called anew; a ruling is by whoever a text says."""
    if isinstance(part, list):
        return [_nameless(each, called) for each in part]
    if not isinstance(part, dict):
        return part
    if isinstance(do := part.get("do"), str) and do in KINDS:
        kind = KINDS[do]
        part = kind.renamed(part, lambda seat: called.get(seat, seat))
        return {key: value for key, value in part.items() if key not in TEXTS and key not in kind.of("text")}
    left = {key: part[key] for key in part if key not in TEXTS}
    return {key: _renamed(value, called) if key in SEATED else _nameless(value, called) for key, value in left.items()}


def _renamed(seats: Any, called: dict[str, str]) -> Any:
    """A seat, a list of seats, or values by seat, called anew; what is no seat of a player stays."""
    if isinstance(seats, dict):
        return {called.get(seat, seat): value for seat, value in seats.items()}
    if isinstance(seats, list):
        return [called.get(seat, seat) for seat in seats]
    return called.get(seats, seats)
