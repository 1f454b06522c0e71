"""Edits made in the text of a record: what they do not touch stays as it is, to the last blank.

Every text changed tells so itself: under `extensions`, the key `handrec.fixes` lists the edits made, with what stood there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from handrec.formats.strict import pointer, walk
from handrec.record import Record
from handrec.repair.edits import ABSENT, Edit, plain, steps, value_at

#: The key under a record's `extensions` where the edits made to it are listed.
FIXES = "handrec.fixes"


def respelled(text: str, record: Record) -> tuple[Edit, ...]:
    """The edits that spell the cards in a record's text in the one canonical way."""
    raw, due = json.loads(text), plain(record)
    return tuple(
        Edit(where, before, after, "derived", "FMT016", "the same card", _place(where, record))
        for where, before, after in _differing(raw, due, [])
    )


def _differing(raw: Any, due: Any, path: list[str | int]) -> Iterable[tuple[str, str, str]]:
    """Every text that stands otherwise in the one than in the other, and where."""
    if isinstance(raw, dict | list):
        for key in raw if isinstance(raw, dict) else range(len(raw)):
            yield from _differing(raw[key], due[key], [*path, key])
    elif isinstance(raw, str) and raw != due:
        yield pointer(path), raw, due


def _place(where: str, record: Record) -> str:
    _, _, index, part, *rest = where.split("/")
    number = record.deals[int(index)].number or int(index) + 1
    return f"deal {number}, " + (f"event {int(rest[0]) + 1}" if part == "events" else " ".join([part, *rest[:-1]]))


def spliced(text: str, edits: Sequence[Edit]) -> str:
    """The text of a record with the edits made in it, and listed under its `extensions`."""
    if not edits:
        return text
    data = json.loads(text)
    start = 0
    while start < len(edits):  # values replaced go together, however many; what moves others goes alone
        end = start
        while end < len(edits) and ABSENT not in (edits[end].before, edits[end].after):
            end += 1
        together = {edit.pointer: edit for edit in edits[start:end]}
        if together:
            text = _replaced(text, {where: edit.after for where, edit in together.items()})
        if end < len(edits):
            text = _moved(text, edits[end])
        start = end + 1
    known = data.get("extensions", {})
    notes = [_note(edit) for edit in edits]
    if "extensions" not in data:
        return _added(text, "", "extensions", {FIXES: notes})
    if not isinstance(known.get(FIXES), list):
        key = FIXES if FIXES not in known else next(f"{FIXES}.{n}" for n in range(2, 99) if f"{FIXES}.{n}" not in known)
        return _added(text, "/extensions", key, notes)
    for note in notes:
        text = _added(text, f"/extensions/{FIXES}", None, note)
    return text


def _note(edit: Edit) -> dict[str, Any]:
    values = {"before": edit.before, "after": edit.after}
    said = {key: value for key, value in values.items() if value is not ABSENT}
    return {"pointer": edit.pointer, **said, "proof": edit.proof, "code": edit.code}


def _spans(text: str, wanted: Iterable[str]) -> dict[str, tuple[int, int]]:
    """Where some values stand in a text: their beginning and end, by JSON Pointer."""
    wanted, found, decoder = set(wanted), {}, json.JSONDecoder()
    for path, offset, token, is_key in walk(text):
        if is_key:
            continue
        where = pointer(path)
        if where in wanted:
            end = decoder.raw_decode(text, offset)[1] if token in "[{" else offset + len(token)
            found[where] = (offset, end)
            if len(found) == len(wanted):
                break
    return found


def _replaced(text: str, values: dict[str, Any]) -> str:
    spans = sorted((span, where) for where, span in _spans(text, values).items())
    pieces, last = [], 0
    for (start, end), where in spans:
        pieces += [text[last:start], _json(values[where])]
        last = end
    return "".join([*pieces, text[last:]])


def _moved(text: str, edit: Edit) -> str:
    """The text with one value put into a list or under a new key, or taken out of a list."""
    around, _, place = edit.pointer.rpartition("/")
    there = value_at(json.loads(text), around)
    if isinstance(there, dict):
        return _added(text, around, steps(edit.pointer)[-1], edit.after)
    many = len(there)
    if edit.before is ABSENT and int(place) == many:
        return _added(text, around, None, edit.after)
    start, end = _spans(text, [edit.pointer])[edit.pointer]
    if edit.before is ABSENT:
        blank = re.search(r"\s*\Z", text[:start])
        return text[:start] + _json(edit.after) + "," + (blank[0] if blank and blank[0] else " ") + text[start:]
    if int(place):  # with the comma before it
        comma = text.rindex(",", 0, start)
        return text[:comma] + text[end:]
    after = re.match(r"\s*,?\s*", text[end:])
    return text[:start] + text[end + (after.end() if after and many > 1 else 0) :]


def _added(text: str, around: str, key: str | None, value: Any) -> str:
    """The text with a value put last into an object under a key, or into a list, laid out as the others there are."""
    start, end = _spans(text, [around])[around] if around else (text.index("{"), text.rindex("}") + 1)
    inside = text[start + 1 : end - 1].rstrip()
    tail = text[start + 1 + len(inside) : end - 1]
    lead = re.match(r"\s*", inside)
    blank = (lead[0] if lead else "") or ("" if not inside else " " if ", " in inside else "")
    new = (f"{json.dumps(key)}: " if key is not None else "") + _json(value)
    return text[: start + 1] + inside + ("," if inside else "") + blank + new + tail + text[end - 1 :]


def _json(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if text.isprintable() else json.dumps(value)
