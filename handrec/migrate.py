"""Records of earlier versions of the format brought forward, a version at a time, as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handrec.record import VERSION

Data = dict[str, Any]
Migrations = dict[str, Callable[[Data], Data]]

#: What makes the next version of a record of each version but the last: plain JSON values in and out, nothing else.
#: 1.0 is the first version that was published, so there is none yet.
MIGRATIONS: Migrations = {}


def versions(migrations: Migrations = MIGRATIONS) -> tuple[str, ...]:
    """All published versions, the last one ours."""
    return (*migrations, VERSION)


def migrated(data: Data, to: str = VERSION, migrations: Migrations = MIGRATIONS) -> Data:
    """The record at another version, as far as the migrations lead there; the argument stays as it is."""
    while data.get("version") != to and isinstance(data.get("version"), str) and data["version"] in migrations:
        data = migrations[data["version"]](data)
    return data
