"""Records read at a glance: bytes that are their own compact form, each key once, need no second look. Needs orjson.

What is read here is what the strict reader reads, without a finding; everything else is left to it.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from pydantic import ValidationError

from handrec.formats.strict import MAX_BYTES, is_shallow, may_overflow
from handrec.record import VERSION, Record


@cache
def _orjson() -> Any:
    """The fast JSON library, None where it is not installed."""
    try:
        import orjson
    except ModuleNotFoundError:
        return None
    return orjson


def quick(data: bytes) -> Record | None:
    """The record in some bytes if they are in order beyond doubt; None if they are to be read strictly.

    Written down again they are the same bytes: so no key stands twice, nothing is spelled in two ways, and no text is
    broken. Fractions, which could stand where the model takes anything, are looked for there.
    """
    orjson = _orjson()
    if orjson is None or len(data) > MAX_BYTES or may_overflow(data) or not is_shallow(data):
        return None
    try:
        value = orjson.loads(data)
        if not isinstance(value, dict) or orjson.dumps(value) != data or value.get("version") != VERSION:
            return None
        record = Record.model_validate_json(data)
    except (ValueError, ValidationError, RecursionError):
        return None
    return record if _whole(record.options) and _whole(record.extensions) else None


def _whole(value: Any) -> bool:
    """Whether there is no fraction in a value."""
    if isinstance(value, dict | list):
        return all(map(_whole, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float)
