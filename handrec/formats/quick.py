"""Records read at a glance: bytes that are their own compact form but for spaces, each key once, need no second look.

What is read here is what the strict reader reads, without a finding; everything else is left to it. Most of a record are
plays, and an archive has the same few hundred of them over and over: each is read once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from pydantic import ValidationError

from handrec.formats.strict import MAX_BYTES, is_shallow, may_overflow
from handrec.record import DRAFT, MOST_EVENTS, VERSION, Event, Play, Record, brought, drafted

#: A play as it is usually written, and as many of them in a row as there are.
_PLAY = rb'\{"do":"play","by":"[A-Za-z0-9_-]++","card":"[^"\\]++"\}'
_RUN = re.compile(rb"%s(?:,%s)*+" % (_PLAY, _PLAY))

#: What stands for such a row meanwhile: a play by a seat that is nobody's.
_NOBODY = b"_-_-_-_-_-_-_-_-"
_MARK = b'{"do":"play","by":"%s","card":"??"}' % _NOBODY

#: Something that only a space keeps from the next thing. Between strings, which a zero stands for, there is more.
_APART = re.compile(rb"[^\s,:\[\]{}\0]\s+[^\s,:\[\]{}\0]")

#: So many plays are remembered; every game's at every seat are fewer.
_MOST_PLAYS = 10_000
#: In a longer text, spaces are not looked for: its pieces would take too much room.
_MOST_SPACED = 2**20


class _Plays(dict[bytes, Play]):
    """Plays by their texts without brackets."""

    def __missing__(self, text: bytes) -> Play:
        play = Play.model_validate_json(b"{%s}" % text)
        if len(self) >= _MOST_PLAYS:
            self.clear()
        self[text] = play
        return play


_plays = _Plays()


@cache
def _again() -> Callable[[bytes], bytes]:
    """Reads JSON, and writes it down again in its compact form."""
    try:
        import orjson
    except ModuleNotFoundError:
        return lambda data: json.dumps(json.loads(data), ensure_ascii=False, separators=(",", ":")).encode()
    return lambda data: orjson.dumps(orjson.loads(data))


def quick(data: bytes) -> Record | None:
    """The record in some bytes if they are in order beyond doubt; None if they are to be read strictly.

    Written down again they are the same bytes: so no key stands twice, nothing is spelled in two ways, and no text is
    broken. Fractions, which could stand where the model takes anything, are looked for there.
    """
    if len(data) > MAX_BYTES or _NOBODY in data:
        return None
    if b"\r" in data or b"\n" in data or b'": ' in data[:64]:
        data = _squeezed(data)
    runs: list[bytes] = []

    def cut(run: re.Match[bytes]) -> bytes:
        runs.append(run[0])
        return _MARK

    short = _RUN.sub(cut, data)
    if may_overflow(short) or not is_shallow(short):
        return None
    try:
        if _again()(short) != short:
            return None
        record = Record.model_validate_json(short)
        rows = iter([[*map(_plays.__getitem__, run[1:-1].split(b"},{"))] for run in runs])
    except (ValueError, ValidationError, RecursionError):
        return None
    newer = brought(record.deals) if record.version == DRAFT else drafted(record.deals)
    known = record.version in (VERSION, DRAFT) and next(newer, None) is None  # whether the game takes them, others look
    whole = known and _whole(record.options) and _whole(record.extensions)
    return record if whole and _filled(record, rows) else None


def _squeezed(data: bytes) -> bytes:
    """The bytes without spaces between strings; nothing where it is not sure what these are."""
    if len(data) > _MOST_SPACED or b"\\" in data or b"\0" in data:
        return b""
    parts = data.split(b'"')
    outside = b"\0".join(parts[::2])
    if _APART.search(outside):
        return b""
    parts[::2] = outside.translate(None, b" \t\r\n").split(b"\0")
    return b'"'.join(parts)


def _filled(record: Record, rows: Iterator[list[Play]]) -> bool:
    """Put the plays where marks stand for them; whether each mark stands among the events of a deal."""
    nobody = _NOBODY.decode()
    for deal in record.deals:
        events: list[Event] = []
        for event in deal.events:
            events += next(rows) if event.do == "play" and event.by == nobody else [event]
        if len(events) > MOST_EVENTS:
            return False
        deal.events[:] = events
    return next(rows, None) is None


def _whole(value: Any) -> bool:
    """Whether there is no fraction in a value."""
    if isinstance(value, dict | list):
        return all(map(_whole, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float)
