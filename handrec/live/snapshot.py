"""A table as bytes, and back: the record, and the number of the form in which it is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from handrec import writing
from handrec.formats.json import load
from handrec.live.tables import LiveTable

if TYPE_CHECKING:
    from handrec.game import Game

#: What a snapshot says it is, and the number of its form.
SNAPSHOT, VERSION = "handrec-table", "1"


class BadSnapshot(ValueError):
    """Bytes that are no snapshot of a table; the text says why."""


def snapshot(table: LiveTable) -> bytes:
    """The table as bytes: UTF-8, one line of JSON."""
    data = {"format": SNAPSHOT, "version": VERSION, "ended": table.ended, "record": writing.plain(table.stated)}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def resume(data: bytes | str, game: Game | None = None) -> LiveTable:
    """The table of a snapshot. Raises `BadSnapshot` if it is none."""
    try:
        stated: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadSnapshot(f"no snapshot of a table: {error}") from None
    if not isinstance(stated, dict) or stated.get("format") != SNAPSHOT:
        raise BadSnapshot("no snapshot of a table")
    if stated.get("version") != VERSION:
        raise BadSnapshot(f"a snapshot of version {stated.get('version')!r}, and {VERSION!r} is known here")
    record, findings = load(stated.get("record"))
    if record is None:
        raise BadSnapshot(f"the record of the snapshot: {findings[0].message}")
    try:
        return LiveTable(record, game, ended=stated.get("ended") is True)
    except ValueError as error:
        raise BadSnapshot(str(error)) from None
