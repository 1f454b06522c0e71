"""The one output border: text that comes from a record is made harmless here before anybody sees it.

`safe` first, then the escaping of the format that is written.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate
from unicodedata import category, combining, east_asian_width

#: The lengths to which text is shown: a name or an id; a place or a path; a whole message.
NAME, PLACE, MESSAGE = 80, 1000, 500

#: Letters of which not all take one column.
_OTHER = re.compile(r"[^\x00-\x7f]")

#: What XML forbids.
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_MARKDOWN = str.maketrans({char: f"\\{char}" for char in "\\`*_[]<>|#&~$"} | {"\n": " ", "\r": " "})
_DATA = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_PROPERTY = _DATA | str.maketrans({":": "%3A", ",": "%2C"})


def safe(text: object, limit: int = NAME) -> str:
    r"""The text with everything invisible shown as `\u{…}`, at most `limit` characters long.

    Invisible are control and format characters, surrogates, private and unassigned ones, and line and paragraph
    separators: whatever could move a cursor, turn the direction of writing, or hide.
    """
    text = str(text)
    if len(text) <= limit and text.isprintable():
        return text
    shown = [_show(char) for char in text[: limit + 1]]
    length = sum(map(len, shown))
    if length <= limit:
        return "".join(shown)
    while length >= limit:
        length -= len(shown.pop())
    return "".join(shown) + "…"


def _show(char: str) -> str:
    return char if char.isprintable() or category(char) == "Zs" else f"\\u{{{ord(char):x}}}"


@lru_cache(1000)
def markdown(text: str) -> str:
    """The text as plain words of Markdown, in or out of a table, with nothing invisible in it."""
    text = text.translate(_MARKDOWN)
    return text if text.isprintable() else "".join(map(_show, text))


def github_data(text: str) -> str:
    """The text as the message of a GitHub workflow command."""
    return text.translate(_DATA)


def github_property(text: str) -> str:
    """The text as a property of a GitHub workflow command."""
    return text.translate(_PROPERTY)


def xml(text: str) -> str:
    """The text as XML character data or attribute value, without the characters that XML forbids."""
    import html  # it loads a table of all its entities

    return html.escape(_NOT_XML.sub("", text))


def columns(text: str) -> int:
    """How many columns of a terminal the text takes."""
    if text.isascii():
        return len(text)
    return len(text) + sum([-1 if combining(char) else east_asian_width(char) in "WF" for char in _OTHER.findall(text)])


def first(text: str, width: int) -> str:
    """As much of the beginning of the text as takes at most this many columns."""
    if text.isascii():
        return text[: max(0, width)]
    return text[: bisect_right([*accumulate(map(columns, text))], width)]


def last(text: str, width: int) -> str:
    """As much of its end."""
    return text if columns(text) <= width else first(text[::-1], width)[::-1]


def clip(text: str, width: int) -> str:
    """The text cut to at most this many columns."""
    return text if columns(text) <= width else f"{first(text, width - 1)}…"


def fit(text: str, width: int) -> str:
    """The text filled up with spaces to this many columns."""
    return text + " " * (width - columns(text))
