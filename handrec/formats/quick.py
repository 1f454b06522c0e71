"""Records in order, read quickly: what is read here the strict reader reads alike, without a finding; the rest is left to it.

What shows that bytes are in order is that the record made of them, written down again, is the same bytes but for spaces. Then no
key stands twice, for all but the last would be lost, and no number or text is spelled in an unusual way. Only where fields stand
in another order than ours are the bytes decoded once more, to see that.

Most of a record are its events, and an archive has the same few hundred of them over and over. So the lists of events are cut
out, and each event, by its text, is decoded and checked against the model once. Taking a list apart at "}," cannot mislead: if
every piece is an object, then the list is these objects, for JSON can be read in one way only. Nor can cutting the lists out:
where no character is written by its number, and `"events"` stands as often as there are deals with such a field, it stands
nowhere else.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from handrec.formats.strict import is_shallow, may_overflow
from handrec.limits import MAX_BYTES, MAX_EVENTS
from handrec.record import FIRST, LATEST, Deal, Event, Record
from handrec.versions import brought, newer

#: Spaces as JSON has them.
_SPACES = b" \t\r\n"
#: So many events are remembered, and only texts up to so many bytes; every game's plays at every seat are fewer.
_MOST_TEXTS, _LONGEST = 10_000, 200


def _refused(text: str) -> NoReturn:
    raise ValueError(text)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    return found if len(found) == len(pairs) else _refused("a key stands twice")


#: What a text says. Raises ValueError if it is not JSON, or if in it a key stands twice or a number is not whole.
_decode = json.JSONDecoder(object_pairs_hook=_unique, parse_float=_refused, parse_constant=_refused).decode


class _Events(dict[bytes, Event]):
    """Events by their texts without the last bracket; `newer` finds in deals what the version of the record does not have."""

    def __init__(self, newer: Callable[[list[Deal]], Iterator[Any]]) -> None:
        super().__init__()
        self.newer = newer

    def __missing__(self, text: bytes) -> Event:
        deal = Deal.model_validate({"events": [_decode(text.decode() + "}")]})
        if next(self.newer([deal]), None) is not None:
            raise ValueError(text)
        if len(self) >= _MOST_TEXTS:
            self.clear()
        if len(text) <= _LONGEST:
            self[text] = deal.events[0]
        return deal.events[0]


#: By version. Whether a game takes events that only games from outside have, others look.
_events = {FIRST: _Events(newer), LATEST: _Events(brought)}


def quick(data: bytes) -> Record | None:
    """The record in some bytes if they are in order beyond doubt; None if they are to be read strictly."""
    if len(data) > MAX_BYTES or b"\\u" in data:
        return None
    rest, lists = _cut(data)
    if may_overflow(rest) or not is_shallow(rest):
        return None
    try:
        record = Record.model_validate_json(rest)
        again = record.__pydantic_serializer__.to_json(record, by_alias=True, exclude_unset=True)
        if again != rest and _bare(again) != _bare(rest):
            _decode(rest.decode())
        if record.version == FIRST and next(newer(record.deals, record.claimed, record.comments), None) is not None:
            return None
        events = _events[record.version]
        deals = [deal for deal in record.deals if "events" in deal.model_fields_set]
        for deal, texts in zip(deals, lists, strict=True):
            deal.events.extend(map(events.__getitem__, texts))
    except (ValueError, KeyError, RecursionError):
        return None
    whole = _whole(record.options) and _whole(record.extensions)
    return record if whole and all(len(texts) <= MAX_EVENTS for texts in lists) else None


def _cut(data: bytes) -> tuple[bytes, list[list[bytes]]]:
    """The bytes with lists of events empty, and the texts of the events of each; nothing where that cannot be done."""
    first, *others = data.split(b'"events"')
    kept, lists = [first], []
    for part in others:
        colon, _, inside = part.partition(b"[")
        inside, _, after = inside.partition(b"]")
        events = inside.strip(_SPACES)
        if colon.strip(_SPACES) != b":" or (events and not events.endswith(b"}")):
            return b"", []
        kept.append(b":[]" + after)
        lists.append(events[:-1].split(b"},") if events else [])
    return b'"events"'.join(kept), lists


def _bare(data: bytes) -> bytes:
    return data.translate(None, _SPACES)


def _whole(value: Any) -> bool:
    """Whether there is no fraction in a value."""
    if isinstance(value, dict | list):
        return all(map(_whole, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float)
