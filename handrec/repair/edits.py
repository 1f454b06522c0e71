"""Edits of a record: one value of it replaced, or put into a list or taken out, with the proof that it is right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Literal, overload

from handrec import writing
from handrec.record import Record

#: Why an edit is right: it follows from the rest of the record · nothing else can have stood there · no other edit as
#: small leaves the record without findings · one of several that do.
ProofKind = Literal["derived", "forced", "only", "guess"]
PROOFS: tuple[ProofKind, ...] = ("derived", "forced", "only", "guess")


class Absent(Enum):
    """What stands where nothing stands."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True)
class Edit:
    """One value of a record changed.

    `pointer` is its JSON Pointer at the moment of the edit: edits are made one after another. `before` is `ABSENT` if
    the value is put into a list, before what stands there, `after` if it is taken out of one. `code` is that of the finding
    that it mends, `place` where it stands in players' words, `why` the reason in a few words.
    """

    pointer: str
    before: Any
    after: Any
    proof: ProofKind
    code: str
    why: str
    place: str = ""


def plain(record: Record) -> Any:
    """The record as plain JSON values: what it states, and no defaults that it does not."""
    return json.loads(writing.line(record))


@overload
def applied(record: Record, edits: Iterable[Edit]) -> Record: ...
@overload
def applied(record: Any, edits: Iterable[Edit]) -> Any: ...
def applied(record: Any, edits: Iterable[Edit]) -> Any:
    """A record, or its plain JSON values, after some edits; the argument stays as it is.

    Raises ValueError where an edit does not find what it says it does.
    """
    if isinstance(record, Record):
        return Record.model_validate(applied(plain(record), edits))
    for edit in edits:
        record = _put(record, steps(edit.pointer), edit)
    return record


def step(key: object) -> str:
    """A key or place as a part of a JSON Pointer."""
    return str(key).replace("~", "~0").replace("/", "~1")


def steps(pointer: str) -> list[str]:
    """The keys and places that a JSON Pointer consists of."""
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")[1:]]


def value_at(data: Any, pointer: str) -> Any:
    """What stands at a JSON Pointer in plain values; `ABSENT` if nothing does."""
    for name in steps(pointer):
        key = _key(data, name)
        if key is None:
            return ABSENT
        data = data[key]
    return data


def _key(data: Any, name: str) -> Any:
    """The key or place of that name in an object or list, None if there is nothing."""
    if isinstance(data, dict):
        return name if name in data else None
    return int(name) if isinstance(data, list) and name.isdecimal() and int(name) < len(data) else None


def _put(data: Any, path: Sequence[str], edit: Edit) -> Any:
    """The data with the edit made; everything that it does not touch is shared, not copied."""
    if not path:
        return edit.after
    new: Any = data.copy() if isinstance(data, dict | list) else None
    key = _key(data, path[0])
    if len(path) > 1 and key is not None:
        new[key] = _put(data[key], path[1:], edit)
    elif len(path) > 1 or new is None or (ABSENT in (edit.before, edit.after) and not isinstance(new, list)):
        raise ValueError(f"nothing can be edited at {edit.pointer}")
    elif edit.before is ABSENT:
        new.insert(int(path[0]), edit.after)
    elif key is None or new[key] != edit.before:
        raise ValueError(f"what stands at {edit.pointer} is not what the edit is for")
    elif edit.after is ABSENT:
        del new[key]
    else:
        new[key] = edit.after
    return new
