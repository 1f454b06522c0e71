"""Edits of a record: one value of it replaced, or put into a list or taken out, with the proof that it is right."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, Final, Literal, overload

from handrec import writing
from handrec.record import Deal, Record

#: Why an edit is right: it follows from the rest of the record · every other explanation is clearly dearer · it may be.
ProofKind = Literal["derived", "only", "guess"]
PROOFS: tuple[ProofKind, ...] = ("derived", "only", "guess")


class Absent(Enum):
    """What stands where nothing stands."""

    ABSENT = "absent"


ABSENT: Final = Absent.ABSENT


@dataclass(frozen=True)
class Edit:
    """One value of a record changed.

    `pointer` is its JSON Pointer at the moment of the edit: edits are made one after another. `before` is `ABSENT` if
    the value is put into a list, before what stands there, or under a new key; `after` if it is taken out of a list.
    `code` is that of the finding that it mends, `place` where it stands in players' words, `why` the reason in a few words.
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


def between(before: Any, after: Deal, origin: Sequence[int | None]) -> Iterator[Edit]:
    """The edits that make one deal out of another; `origin` tells of each event of the other where it stands in the first."""
    told = writing.plain_deal(after)
    yield from _listed("/events", before.get("events", []), told.get("events", []), origin)
    for name, cards in told.get("hands", {}).items():
        yield from _hand(f"/hands/{name}", before["hands"][name], cards)
    for name, cards in told.get("aside", {}).items():
        yield from _hand(f"/aside/{name}", before["aside"][name], cards)
    for field in ("board", "dealer", "vulnerable", "leader"):
        if before.get(field) != told.get(field):
            yield Edit(f"/{field}", before.get(field, ABSENT), told.get(field, ABSENT), "guess", "", "")


def _listed(where: str, before: list[Any], after: list[Any], origin: Sequence[int | None]) -> Iterator[Edit]:
    """Events taken out, the last first; put in, the first first; and what is left of each place, field by field."""
    now, kept = [*before], {place for place in origin if place is not None}
    for place in reversed(range(len(before))):
        if place not in kept:
            yield Edit(f"{where}/{place}", now.pop(place), ABSENT, "guess", "", "")
    for place, (event, was) in enumerate(zip(after, origin, strict=True)):
        if was is None:
            now.insert(place, event)
            yield Edit(f"{where}/{place}", ABSENT, event, "guess", "", "")
    for place, (found, due) in enumerate(zip(now, after, strict=True)):
        changed = [key for key in due if key not in found or found[key] != due[key]]
        if found.keys() != due.keys() or len(changed) > 1:
            yield Edit(f"{where}/{place}", found, due, "guess", "", "")
        else:
            yield from (Edit(f"{where}/{place}/{key}", found[key], due[key], "guess", "", "") for key in changed)


def _hand(where: str, before: list[str], after: list[str]) -> Iterator[Edit]:
    """Cards of a hand changed each in its place; or taken out and put in."""
    if len(before) == len(after):
        gone = [place for place, card in enumerate(before) if card not in after]
        come = [card for card in after if card not in before]
        if len(gone) == len(come):
            yield from (
                Edit(f"{where}/{place}", before[place], card, "guess", "", "") for place, card in zip(gone, come, strict=True)
            )
            return
    now = [*before]
    for place in reversed(range(len(before))):
        if now.count(now[place]) > after.count(now[place]):
            yield Edit(f"{where}/{place}", now.pop(place), ABSENT, "guess", "", "")
    for card in after:
        if now.count(card) < after.count(card):
            yield Edit(f"{where}/{len(now)}", ABSENT, card, "guess", "", "")
            now.append(card)


def joined(first: Iterable[Edit], more: Iterable[Edit]) -> tuple[Edit, ...] | None:
    """Some edits and others of the same record after them, of which none that is made already.

    None if both are about one value, each otherwise: it is changed by both, or by one and taken out by the other. Of values that
    both put in at one place those of the first come first.
    """
    told, new = tuple(first), list[Edit]()
    made = [*told]
    for edit in more:
        for place, done in enumerate(made):
            if _of_one_value(edit, done):
                if done.after is ABSENT or (edit.pointer, edit.after) != (done.pointer, done.after):
                    return None
                break  # it is made already
            made[place], edit = _past(done, edit, before=True), _past(edit, done, before=False)
        else:
            new.append(edit)
    return (*told, *new)


def _is_put_in(edit: Edit) -> bool:
    """Whether an edit puts a value into a list."""
    return edit.before is ABSENT and edit.pointer.rpartition("/")[2].isdecimal()


def _of_one_value(one: Edit, other: Edit) -> bool:
    """Whether two edits of one record are about the same value, or of one within the other; what is put in is new."""
    a, b = f"{one.pointer}/", f"{other.pointer}/"
    if a == b:
        return not _is_put_in(one) and not _is_put_in(other)
    return (a.startswith(b) and not _is_put_in(other)) or (b.startswith(a) and not _is_put_in(one))


def _past(edit: Edit, other: Edit, before: bool) -> Edit:
    """An edit as it must be made after another of the same record, which has put a value into a list, or taken one out.

    Of two that put something in at one place the value of this one comes `before` the other's, or after it.
    """
    by = 1 if _is_put_in(other) else -1 if other.after is ABSENT else 0
    parent, _, place = other.pointer.rpartition("/")
    at, *rest = edit.pointer.removeprefix(f"{parent}/").split("/")
    if not by or not place.isdecimal() or not at.isdecimal():  # `at` is empty where the pointer leads elsewhere
        return edit
    first = before and not rest and _is_put_in(edit)
    moves = int(at) > int(place) or (at == place and by > 0 and not first)
    return replace(edit, pointer="/".join([parent, str(int(at) + by), *rest])) if moves else edit


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
    elif len(path) == 1 and key is None and isinstance(new, dict) and edit.before is ABSENT:
        new[path[0]] = edit.after
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
