"""The pairs of a LIN text, `tag|value|`, and how values are looked at."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from handrec.formats.strict import shown

#: The tags that are known; others are two letters or digits all the same.
TAGS = frozenset((
    "ah", "an", "bn", "ht", "mb", "mc", "md", "mp", "nt", "pc", "pf",
    "pg", "pn", "pw", "qx", "rh", "rs", "sk", "st", "sv", "up", "vg",
))  # fmt: skip
#: Those that hold for all boards of a file, until others come.
HEADS = ("vg", "rs", "pw", "mp", "bn", "pn")
IGNORE = re.IGNORECASE | re.ASCII
RANK = "10|[AKQJT2-9]"
#: The next tag that is certain.
NEXT = re.compile(rf"\|\s*(?:{'|'.join(sorted(TAGS))})\s*(?=\|)", IGNORE)
#: A call or a card, where bars were lost.
TORN = re.compile(rf"mb|pc|\b[SHDC](?:{RANK})\b", IGNORE)


class Pair(NamedTuple):
    """A tag, its value, and where the two begin.

    What is no pair has the tag "", or "!" if a call or a card may be lost with it, and as value the reason.
    """

    tag: str
    value: str
    start: int
    at: int


def pairs(text: str) -> Iterator[Pair]:
    """The pairs but page breaks. Where a bar is lost or one too many, it goes on from the next tag that is certain."""
    place = 0
    while (bar := text.find("|", place)) >= 0:
        field, end = text[place:bar], text.find("|", bar + 1)
        tag, start = "".join(field.split()).lower(), place + len(field) - len(field.lstrip())
        value = text[bar + 1 : end] if end >= 0 else text[bar + 1 :]
        if tag not in TAGS and (not re.fullmatch("[a-z0-9]{2}", tag) or value.strip().lower() in TAGS):
            found = NEXT.search(text, bar)
            place = found.start() + 1 if found else len(text)
            yield Pair("!" if TORN.search(text, start, place) else "", f"{shown(tag)} is no tag", start, start)
            continue
        place = end + 1 if end >= 0 else len(text)
        if tag != "pg":
            why = f"the file breaks off: no | follows the value of {tag}"
            yield Pair(tag, value, start, bar + 1) if end >= 0 else Pair("!", why, start, start)
    if tail := text[place:].strip():
        yield Pair("!", f"the file breaks off: no | follows {shown(tail)}", text.index(tail, place), len(text))


def squeezed(value: str, at: int = 0) -> tuple[str, Sequence[int]]:
    """A value without space and line ends, and where each character of it stands, and where it ends."""
    text = "".join(value.split())
    if len(text) == len(value):
        return text, range(at, at + len(text) + 1)
    return text, [*(at + place for place, character in enumerate(value) if not character.isspace()), at + len(value)]


def unbroken(value: str) -> str:
    """A value without line ends, and without space around it."""
    return value.replace("\r", "").replace("\n", "").strip()
