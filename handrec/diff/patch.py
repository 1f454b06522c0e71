"""Patches: what turns the JSON of one record into that of another, as RFC 6902 and RFC 7386 write it."""

from __future__ import annotations

from typing import Any

from handrec import writing
from handrec.diff.align import align
from handrec.repair.edits import step

Patch = list[dict[str, Any]]

#: By these keys an object of a list is the same one in both.
_NAMES = ("do", "by", "number", "seat")


def json_patch(one: Any, other: Any, pointer: str = "") -> Patch:
    """The operations of RFC 6902 that turn one JSON value into another, exactly; they are applied one after another."""
    if _same(one, other):
        return []
    if isinstance(one, dict) and isinstance(other, dict):
        patch: Patch = []
        for key in [*one, *(key for key in other if key not in one)]:
            where = f"{pointer}/{step(key)}"
            if key not in other:
                patch.append({"op": "remove", "path": where})
            elif key not in one:
                patch.append({"op": "add", "path": where, "value": other[key]})
            else:
                patch += json_patch(one[key], other[key], where)
        return patch
    if isinstance(one, list) and isinstance(other, list) and _objects(one) and _objects(other):
        return _of_lists(one, other, pointer)
    return [{"op": "replace", "path": pointer, "value": other}]


def merge_patch(one: Any, other: Any) -> Any:
    """The document of RFC 7386 that turns one JSON object into another; lists are replaced as a whole.

    Raises ValueError if the other has a null, which such a patch cannot say.
    """
    if not (isinstance(one, dict) and isinstance(other, dict)):
        _without_null(other)
        return other
    patch: dict[str, Any] = {key: None for key in one if key not in other}
    for key, value in other.items():
        if key not in one or not _same(one[key], value):
            before = one.get(key)
            patch[key] = merge_patch(before if isinstance(before, dict) else {}, value)
    return patch


def _without_null(value: Any) -> None:
    """Refuse a null that is the value of a key; in a list, it is replaced with the list."""
    if value is None:
        raise ValueError("a merge patch cannot say null")
    if isinstance(value, dict):
        for part in value.values():
            _without_null(part)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON: true is not 1, a list in another order another list."""
    return writing.canonical(one) == writing.canonical(other)


def _objects(items: list[Any]) -> bool:
    return bool(items) and all(isinstance(item, dict) for item in items)


def _of_lists(one: list[Any], other: list[Any], pointer: str) -> Patch:
    """The operations between two lists of objects, from left to right."""

    def price(left: dict[str, Any], right: dict[str, Any]) -> int | None:
        if left == right:
            return 0
        return 2 if all(left.get(key) == right.get(key) for key in _NAMES) else None

    patch: Patch = []
    place = 0
    for column in align([one, other], lambda item: writing.canonical(item).decode("utf-8", "surrogatepass"), price):
        where = f"{pointer}/{place}"
        if 1 not in column:
            patch.append({"op": "remove", "path": where})
            continue
        if 0 in column:
            patch += json_patch(one[column[0]], other[column[1]], where)
        else:
            patch.append({"op": "add", "path": where, "value": other[column[1]]})
        place += 1
    return patch
