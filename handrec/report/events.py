"""What happened in words: an event as people say it, by the table of its kinds."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import Formatter
from typing import Any

from handrec.record import KINDS
from handrec.report.layout import counted
from handrec.report.safe import MESSAGE, safe

#: Calls that are no bids, as people say them.
CALLED = {"pass": "passes", "X": "doubles", "XX": "redoubles"}


def comment_words(comment: Any, limit: int = MESSAGE) -> str:
    """What a comment says, made safe, after what kind it is of: that a call was alerted may be all."""
    return safe(": ".join(filter(None, (comment.kind, comment.text))), limit)


def in_words(event: Any, card: Callable[[str], str] = str, call: Callable[[Any], str] = safe, *, hidden: bool = False) -> str:
    """An event as said after the name of who did it, made safe; with `hidden`, only how many cards it names.

    `card` and `call` give cards and bids as they are shown.
    """
    if event.do == "bid" and event.bid in CALLED:
        return CALLED[event.bid]
    kind = KINDS[event.do]

    def value(field: str, noun: str) -> str:
        found, what = getattr(event, field), kind.values[field]
        if what in ("card", "cards"):
            cards = [found] if what == "card" else found
            return counted(len(cards), "card") if hidden else " ".join(map(card, cards))
        if what == "shares":
            return ", ".join(f"{seat} {many}" for seat, many in found.items())
        if what == "number":
            return counted(found, noun, "") if noun else str(found)
        return field if what == "flag" else call(found) if what == "bid" else safe(found).replace("_", " ")

    def part(words: str, perhaps: bool) -> str:
        parts = [*Formatter().parse(words)]
        there = [getattr(event, field) for _, field, _, _ in parts if field]
        if perhaps and any(found is None or found is False for found in there):
            return ""
        return "".join(before + (value(field, noun or "") if field else "") for before, field, noun, _ in parts)

    parts = re.split(r"[\[\]]", kind.words)  # every other one is said only if its fields are there
    return "".join(part(words, place % 2 == 1) for place, words in enumerate(parts)) or safe(event.do)
