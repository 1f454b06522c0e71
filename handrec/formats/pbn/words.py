"""The words of a section: calls or cards are taken many at once, and where one stands is worked out when it is asked."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from itertools import islice
from operator import itemgetter

_WORD = re.compile(r"[^\s\x1a]+", re.ASCII)


def leading(text: str, known: Mapping[str, str]) -> tuple[list[str], int]:
    """The words at the beginning of a text that are known in capitals, as what they mean, and where the others begin."""
    found = [known.get(word, "") for word in _WORD.findall(text.upper())]
    if all(found):
        return found, len(text)
    many = found.index("")
    return found[:many], start(text, many)


def start(text: str, number: int) -> int:
    """Where a word of a text begins, counted from 0."""
    return next(islice(_WORD.finditer(text), number, None)).start()


class Spots:
    """Where the calls or cards of a section stand, which have numbers from 0."""

    def __init__(self) -> None:
        self._pieces: list[tuple[int, int, str]] = []  # the number of its first word, where it stands, and the text

    def add(self, first: int, at: int, text: str = "-") -> None:
        """Take down where a text stands, whose words have numbers from the first one."""
        self._pieces.append((first, at, text))

    def at(self, number: int) -> int:
        """Where a call or card stands."""
        first, at, text = self._pieces[bisect_right(self._pieces, number, key=itemgetter(0)) - 1]
        return at + start(text, number - first)
