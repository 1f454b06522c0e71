"""Records written down: for people, one a line, and as canonical bytes whose hash is a deal's digest."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from handrec.record import KINDS, Deal, Record, minor, version_of

#: Fields whose values, or the keys of them, are seats; and those that name none, whatever they hold.
SEATED = {"seat", "dealer", "leader", "winners", "hands", "tricks", "bids", "scores", "totals"}
UNSEATED = {"options", "pack", "aside", "comments", "provenance", "extensions"}

#: What is opened over several lines, a line for each part (`*`: the items of a list); all the rest stands on one line.
OPENED = {"", "players", "deals", "deals*", "hands", "aside", "events", "claimed", "comments", "provenance", "extensions"}


def dumps(record: Record | dict[str, Any]) -> str:
    """The record, or its plain values, as JSON for people: every event, player, comment and hand on one line."""
    return _lay_out(plain(record)) + "\n"


def line(record: Record | dict[str, Any]) -> str:
    """The record, or its plain values, as one line of JSON Lines, with its newline."""
    return visible(json.dumps(plain(record), ensure_ascii=False, separators=(",", ":"))) + "\n"


def canonical(value: Any) -> bytes:
    """Canonical JSON (RFC 8785) of a value that has whole numbers up to 2^53 and ASCII keys, as records do."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def facts(record: Record, index: int) -> dict[str, Any]:
    """What happened in a deal (counted from 0), and nothing else: the same for whoever wrote it down.

    Seats are their places in clockwise order, from "0"; hands are sorted. Names, comments, claims, provenance, extensions,
    typed numbers of tricks, transcribers' marks and who ruled are no facts. An actor who is none of the players keeps its
    name, after a "?".
    """
    deal = record.deals[index]
    stated = _dump(deal)
    places = {player.seat: str(place) for place, player in enumerate(record.players)}

    def place(seat: str) -> str:
        return places.get(seat, f"?{seat}")

    known: dict[str, Any] = {field: stated[field] for field in ("cards", "pack", "aside") if field in stated}
    known |= {field: place(stated[field]) for field in ("dealer", "leader") if field in stated}
    if "hands" in stated:
        known["hands"] = {place(seat): sorted(cards) for seat, cards in stated["hands"].items()}
    events = [KINDS[event["do"]].renamed(event_facts(event), place) for event in _events(deal, stated)]
    return known | {"game": record.game, "options": record.options, "players": len(record.players), "events": events}


def renamed(data: dict[str, Any], name: Callable[[str], str]) -> dict[str, Any]:
    """A record, as plain values, with other names for the seats; an option whose value is the seat of a player names it too."""
    seats = [player["seat"] for player in data["players"]]
    options = {key: name(value) if value in seats else value for key, value in data.get("options", {}).items()}
    stated: dict[str, Any] = _renamed(data, name)
    return stated | ({"options": options} if "options" in data else {})


def _renamed(part: Any, name: Callable[[str], str], seats: bool = False) -> Any:
    """A part of a record with other names for the seats; `seats` if it is a seat, a list of them, or values by seat."""
    if isinstance(part, list):
        return [_renamed(each, name, seats) for each in part]
    if seats:
        return {name(seat): value for seat, value in part.items()} if isinstance(part, dict) else name(part)
    if not isinstance(part, dict):
        return part
    if isinstance(do := part.get("do"), str) and do in KINDS:
        return KINDS[do].renamed(part, name)
    return {key: value if key in UNSEATED else _renamed(value, name, key in SEATED) for key, value in part.items()}


def event_facts(event: dict[str, Any]) -> dict[str, Any]:
    """An event, as plain values, without what was only noted about it."""
    noted = KINDS[event["do"]].noted
    return {field: value for field, value in event.items() if field not in noted} if noted else event


def digest(record: Record, index: int) -> str:
    """The name of a deal (counted from 0) by its facts: `hr1:` and the sha256 of their canonical JSON."""
    return "hr1:" + hashlib.sha256(canonical(facts(record, index))).hexdigest()


def write(path: Path, text: str | Iterable[bytes], *, clobber: bool = True) -> None:
    """Write a file whole or not at all, also where its parts fail to come; an existing file keeps its mode.

    FileExistsError if the file is there and `clobber` is false; OSError if the path is a symbolic link.
    """
    chunks = [text.encode()] if isinstance(text, str) else text
    if path.is_symlink():
        raise OSError(errno.ELOOP, "will not write through a symbolic link", str(path))
    mode = path.stat().st_mode & 0o7777 if path.exists() else 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=".handrec-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            for chunk in chunks:
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
        temporary = Path(name)
        temporary.chmod(mode)
        if clobber:
            temporary.replace(path)
        else:
            path.hardlink_to(temporary)  # unlike a rename, it fails where something stands
    finally:
        Path(name).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _dump(part: BaseModel) -> dict[str, Any]:
    return part.model_dump(by_alias=True, exclude_unset=True, exclude_none=True)


def plain(record: Record | dict[str, Any]) -> dict[str, Any]:
    """The record as plain values, in the order of the model: what it states, and no defaults that it does not.

    One that says 1.0 and holds what only a later version has, as one made in Python may, says that version instead.
    """
    if isinstance(record, dict):
        return record
    data = _dump(record)
    if not minor(record.version) and minor(due := version_of(record.deals)):
        data["version"] = due
    for deal, stated in zip(record.deals, data["deals"], strict=True):
        if "events" in stated:
            stated["events"] = _events(deal, stated)
    return data


def plain_deal(deal: Deal) -> dict[str, Any]:
    """A deal as plain values, as `plain` has it."""
    stated = _dump(deal)
    return {**stated, "events": _events(deal, stated)} if "events" in stated else stated


def _events(deal: Deal, stated: dict[str, Any]) -> list[dict[str, Any]]:
    # An event made in Python need not say what it does: that is the default of its class.
    return [{"do": event.do, **said} for event, said in zip(deal.events, stated.get("events", []), strict=True)]


def visible(text: str) -> str:
    """JSON text with what cannot be seen, or would rule a terminal, written as escapes: the same JSON."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    return json.dumps(char)[1:-1]


def _lay_out(value: Any, name: str = "", indent: str = "\n") -> str:
    if name not in OPENED or not value or not isinstance(value, dict | list):
        return visible(json.dumps(value, ensure_ascii=False))
    inner = indent + "  "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key, ensure_ascii=False)}: {_lay_out(part, key, inner)}" for key, part in value.items()]
        return "{" + inner + f",{inner}".join(parts) + indent + "}"
    return "[" + inner + f",{inner}".join(_lay_out(part, f"{name}*", inner) for part in value) + indent + "]"
