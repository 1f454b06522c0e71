"""A record without its people: what is left when names, and all text that may hold one, are taken out."""

from __future__ import annotations

import re
from typing import Any

from handrec import writing
from handrec.record import KINDS, Record

#: Seats called by a letter, a number or a point of the compass: nobody's name.
SEAT = re.compile(r"[A-Z]?[0-9]{0,3}|[NS][EW]|north|east|south|west|(player|seat)[_-]?[0-9]{1,3}", re.IGNORECASE)

#: Fields of text that anybody may have written.
TEXTS = {"$schema", "id", "name", "reason", "comments", "provenance", "extensions"}


def anonymous(record: Record) -> Record:
    """The record with seats for names, and without reasons, comments, provenance, extensions, id, and who ruled.

    Where a seat may be called by somebody's name, all are called P1, P2 and so on, clockwise. Calls, announcements,
    the names of cards set aside, and options whose key does not end with "seat" stay as they are.
    """
    seats = [player.seat for player in record.players]
    known = all(map(SEAT.fullmatch, seats))
    called = {seat: seat if known else f"P{place}" for place, seat in enumerate(seats, 1)}
    return Record.model_validate(_nameless(writing.renamed(writing.plain(record), lambda seat: called.get(seat, seat))))


def _nameless(part: Any) -> Any:
    """A part of the record without its texts; a ruling is by whoever a text says."""
    if isinstance(part, list):
        return [_nameless(each) for each in part]
    if not isinstance(part, dict):
        return part
    if isinstance(do := part.get("do"), str) and do in KINDS:
        return {key: value for key, value in part.items() if key not in TEXTS and key not in KINDS[do].of("text")}
    left = {key: value for key, value in part.items() if key not in TEXTS}
    return {key: value if key in writing.SEATED else _nameless(value) for key, value in left.items()}
