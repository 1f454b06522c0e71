"""Records written down: for people, one a line, and as canonical bytes whose hash is a deal's digest."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import stat
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from handrec.record import KINDS, Deal, Record
from handrec.sides import NO_SIDE, seats_of, side_of
from handrec.versions import minor, version_of

try:
    import fcntl
except ModuleNotFoundError:  # a system without locks
    fcntl = None  # type: ignore[assignment]

#: Fields whose values, or the keys of them, are seats; and those that name none, whatever they hold.
SEATED = {"seat", "dealer", "leader", "winners", "hands", "tricks", "bids", "scores", "totals"}
UNSEATED = {"options", "pack", "aside", "comments", "provenance", "extensions"}

#: What is opened over several lines, a line for each part (`*`: the items of a list); all the rest stands on one line.
OPENED = {"", "players", "deals", "deals*", "hands", "aside", "events", "claimed", "comments", "provenance", "extensions"}

#: How the names of files begin that are to take the place of others: a mark of the other's name follows, and what is free.
TEMPORARY = ".handrec-"
_LEFT = re.compile(rf"{re.escape(TEMPORARY)}([0-9a-f]{{8}}-)?[a-z0-9_]{{8}}")


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
    if "vulnerable" in stated:
        known["vulnerable"] = _side_renamed(stated["vulnerable"], place, [*places])
    if "hands" in stated:
        known["hands"] = {place(seat): sorted(cards) for seat, cards in stated["hands"].items()}
    events = [KINDS[event["do"]].renamed(event_facts(event), place) for event in _events(deal, stated)]
    return known | {"game": record.game, "options": record.options, "players": len(record.players), "events": events}


def renamed(data: dict[str, Any], name: Callable[[str], str], order: Sequence[str] = ()) -> dict[str, Any]:
    """A record, as plain values, with other names for the seats; an option names one if its key ends with "seat".

    Sides are named by their seats in the order of the players, or in another if one is given.
    """
    seats = [player["seat"] for player in data["players"]]
    options = {
        key: name(value) if key.endswith("seat") and value in seats else value for key, value in data.get("options", {}).items()
    }

    def side(called: str) -> str:
        return _side_renamed(called, name, seats, order)

    stated: dict[str, Any] = _renamed(data, name, side)
    return stated | ({"options": options} if "options" in data else {})


def _side_renamed(side: str, name: Callable[[str], str], seats: Sequence[str], order: Sequence[str] = ()) -> str:
    """A side, or what says that none or all are, with other names for its seats, in another order of them if one is given."""
    if side in NO_SIDE and side not in seats:
        return side
    return side_of(map(name, seats_of(side, seats)), order or [*map(name, seats)])


def _renamed(part: Any, name: Callable[[str], str], side: Callable[[str], str], seats: bool = False) -> Any:
    """A part of a record with other names for the seats; `seats` if it is a seat, a list of them, or values by seat."""
    if isinstance(part, list):
        return [_renamed(each, name, side, seats) for each in part]
    if seats:
        return {name(seat): value for seat, value in part.items()} if isinstance(part, dict) else name(part)
    if not isinstance(part, dict):
        return part
    if isinstance(do := part.get("do"), str) and do in KINDS:
        return KINDS[do].renamed(part, name)
    return {key: _field(key, value, name, side) for key, value in part.items()}


def _field(key: str, value: Any, name: Callable[[str], str], side: Callable[[str], str]) -> Any:
    """A field of an object of a record, with other names for the seats."""
    if key == "vulnerable":
        return side(value)
    if key == "sides":
        return {side(each): stated for each, stated in value.items()}
    return value if key in UNSEATED else _renamed(value, name, side, key in SEATED)


def event_facts(event: dict[str, Any]) -> dict[str, Any]:
    """An event, as plain values, without what was only noted about it."""
    noted = KINDS[event["do"]].noted
    return {field: value for field, value in event.items() if field not in noted} if noted else event


def digest(record: Record, index: int) -> str:
    """The name of a deal (counted from 0) by its facts: `hr1:` and the sha256 of their canonical JSON."""
    return "hr1:" + hashlib.sha256(canonical(facts(record, index))).hexdigest()


def write(path: Path, text: str | Iterable[bytes], *, clobber: bool = True, was: bytes | None = None) -> None:
    """Write a file whole or not at all, also where its parts fail to come; raises as `placed` does."""
    with placed(path, clobber=clobber, was=was) as temporary, temporary.open("wb") as file:
        for chunk in [text.encode()] if isinstance(text, str) else text:
            file.write(chunk)


@contextmanager
def placed(path: Path, *, clobber: bool = True, was: bytes | None = None, mode: int | None = None) -> Iterator[Path]:
    """An empty file beside the path, to be filled; then it takes its place, whole or not at all.

    A file that is there keeps its mode, unless another is said. FileExistsError if something is there and `clobber` is false;
    OSError if what is there is not to be written (see `hindrance`), or is not any more what it `was`.
    """
    why = hindrance(path) if clobber else None
    if why is not None:
        raise OSError(errno.EPERM, why, str(path))
    sweep(path.parent.absolute())
    if mode is None:
        mode = path.stat().st_mode & 0o7777 if clobber and path.exists() else 0o666 & ~_umask()
    handle, temporary = _temporary(path)
    try:
        yield temporary
        os.fsync(handle)
        temporary.chmod(mode)
        if fcntl is None:
            os.close(handle)  # such a system renames no file that is open
        if was is not None and path.read_bytes() != was:
            raise OSError(errno.EBUSY, "it has changed since it was read", str(path))
        if clobber:
            temporary.replace(path)
        else:
            _named(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)
        if fcntl is not None:
            os.close(handle)


def hindrance(path: Path) -> str | None:
    """Why a file cannot be written anew, if it cannot."""
    if path.is_symlink():
        return "will not write through a symbolic link"
    if not path.exists():
        around = next((folder for folder in path.parents if folder.is_file()), None)
        return None if around is None else "it stands in an archive, which is not written anew"
    if not path.is_file():
        return "it is no ordinary file, and is not written"
    return None if path.stat().st_mode & 0o222 else "it is read-only, and is not written"


def keep(path: Path, kept: Path) -> None:
    """Have a file stay under a second name when it is written anew. FileExistsError if something has that name."""
    try:
        kept.hardlink_to(path)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError):  # a system without hard links
        with placed(kept, clobber=False, mode=path.stat().st_mode & 0o7777) as temporary:
            temporary.write_bytes(path.read_bytes())


def is_kept(path: Path, kept: Path) -> bool:
    """Whether a file stands under another name too, or all that is in it."""
    return not kept.is_symlink() and kept.is_file() and (kept.samefile(path) or kept.read_bytes() == path.read_bytes())


def _named(temporary: Path, path: Path) -> None:
    """Give a file its name, where nothing has it yet."""
    try:
        path.hardlink_to(temporary)  # unlike a rename, it fails where something stands
    except FileExistsError:
        raise
    except (
        OSError,
        NotImplementedError,
    ):  # a system without hard links: an empty file takes the name, and is then written over
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
        try:
            temporary.replace(path)
        except BaseException:
            if not path.stat().st_size:
                path.unlink()
            raise


def _temporary(path: Path) -> tuple[int, Path]:
    """A new file beside another that is to be written, and the handle by which this process holds it."""
    while True:
        handle, name = tempfile.mkstemp(prefix=f"{TEMPORARY}{_mark(path.name)}-", dir=path.parent)
        if fcntl is not None:
            with suppress(OSError):  # not every file system has locks
                fcntl.flock(handle, fcntl.LOCK_EX)
        if os.fstat(handle).st_nlink:  # else another process swept before it was held
            return handle, Path(name)
        os.close(handle)


def _mark(name: str) -> str:
    """What of a file's name stands in the names of its temporaries."""
    return f"{zlib.crc32(os.fsencode(name)):08x}"


@cache
def sweep(folder: Path) -> None:
    """Take away what processes that were killed left in a folder: temporaries that none holds, and names taken for them.

    A process does so once for each folder.
    """
    if fcntl is None:
        return
    with suppress(OSError):
        names = [path.name for path in folder.iterdir()]
        for left in filter(_LEFT.fullmatch, names):
            with suppress(OSError):
                _swept(folder, left, names)


def _swept(folder: Path, left: str, names: list[str]) -> None:
    """Take a temporary away. OSError if it is held, or is none of ours."""
    handle = os.open(folder / left, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        about = os.fstat(handle)
        if not stat.S_ISREG(about.st_mode) or about.st_uid != os.geteuid():
            return
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        for taken in (folder / name for name in names if left.startswith(f"{TEMPORARY}{_mark(name)}-")):
            if taken.is_file() and not taken.stat().st_size:
                taken.unlink()
        (folder / left).unlink()
    finally:
        os.close(handle)


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
    if not minor(record.version) and minor(due := version_of(record.deals, record.claimed, record.comments)):
        data["version"] = due
    for deal, stated in zip(record.deals, data["deals"], strict=True):
        if "events" in stated:
            stated["events"] = _events(deal, stated)
    return data


def plain_deal(deal: Deal) -> dict[str, Any]:
    """A deal as plain values, as `plain` has it."""
    stated = _dump(deal)
    return {**stated, "events": _events(deal, stated)} if "events" in stated else stated


def plain_event(event: Any) -> dict[str, Any]:
    """An event as plain values, as `plain` has it."""
    return {"do": event.do, **_dump(event)}


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
