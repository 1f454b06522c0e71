"""How text is laid out for people: lines of 80 columns, colours, numbers with their nouns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from handrec.report.safe import columns

#: The columns that a line has at most; and those that it has at least, however narrow a terminal is.
WIDTH, NARROWEST = 80, 24

#: Codes of terminals.
BOLD, RED, GREEN, YELLOW, CYAN = 1, 31, 32, 33, 36


def painted(text: str, code: int, colour: bool = True) -> str:
    """The text in bold or in a colour, if there is to be any."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour else text


def counted(number: int, noun: str, style: str = ",") -> str:
    """So many of something: `1 deal`, `2,000 deals`; `style` is that of number formats."""
    return f"{number:{style}} {noun}{'' if number == 1 else 's'}"


def wrapped(
    start: str, parts: Iterable[str], gap: str = "  ", indent: int | None = None, *, breaks: bool = False, width: int = WIDTH
) -> Iterator[str]:
    """Parts in lines of at most so many columns, those after the first as far in as the first, if `indent` says nothing else.

    With `breaks`, a part that is too long for a line breaks where it has spaces.
    """
    line, used, empty = start, columns(start), True
    blank = " " * (used if indent is None else indent)
    for part in parts:
        long = breaks and (used if empty else len(blank)) + columns(part) > width
        for place, word in enumerate(part.split(" ") if long else [part]):
            between, size = "" if empty else " " if place else gap, columns(word)
            if not empty and used + len(between) + size > width:
                yield line.rstrip()
                line, used, between = blank, len(blank), ""
            line, used, empty = line + between + word, used + len(between) + size, False
    yield line.rstrip()
