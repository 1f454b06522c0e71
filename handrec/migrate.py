"""Records brought to another version of the format, a version at a time: forward as plain JSON values, back with what is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from handrec.record import FIRST, LATEST, Record
from handrec.versions import newer

Data = dict[str, Any]
Migrations = dict[str, Callable[[Data], Data]]

#: What makes the next version of a record of each version but the last: plain JSON values in and out, nothing else.
#: Whatever 1.0 has, 1.1 has too.
MIGRATIONS: Migrations = {FIRST: lambda data: data | {"version": LATEST}}


def versions(migrations: Migrations = MIGRATIONS) -> tuple[str, ...]:
    """All published versions, the last one ours."""
    return (*migrations, LATEST)


def migrated(data: Data, to: str = LATEST, migrations: Migrations = MIGRATIONS) -> Data:
    """The record at another version, as far as the migrations lead there; the argument stays as it is."""
    while data.get("version") != to and isinstance(data.get("version"), str) and data["version"] in migrations:
        data = migrations[data["version"]](data)
    return data


def lost(record: Record) -> list[str]:
    """What the first version does not have of a record, as JSON Pointers into it."""
    return [*newer(record.deals, record.claimed, record.comments)]


def first(data: Data, pointers: Iterable[str]) -> Data:
    """The record at the first version: without what it does not have, which is changed in place.

    A call that nobody wrote down, and a call taken back, are no events of it; comments on events that are left out are comments
    on the deal, and those on later events go with these.
    """
    gone: dict[int, set[int]] = {}
    for pointer in pointers:
        *path, name = pointer.split("/")[1:]
        part: Any = data
        for step in path:
            part = part[int(step) if isinstance(part, list) else step]
        if path[2:3] == ["events"] and name == "bid":
            path, name = path[:3], path[3]
        if path[2:] == ["events"]:
            gone.setdefault(int(path[1]), set()).add(int(name))
        else:
            part.pop(name, None)
    for place, events in gone.items():
        _without(data["deals"][place], events)
    return data | {"version": FIRST}


def _without(deal: Data, gone: set[int]) -> None:
    """Leave out some events of a deal."""
    deal["events"] = [event for place, event in enumerate(deal["events"]) if place not in gone]
    for comment in deal.get("comments", ()):
        if "event" in comment:
            left = comment["event"] - sum(place < comment["event"] for place in gone)
            if comment["event"] - 1 in gone:
                del comment["event"]
            else:
                comment["event"] = left
