"""Cells: a text cut into lines of them, with the place of each; and what a spreadsheet must not take for a formula."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from handrec.formats.strict import clip
from handrec.limits import MAX_CELLS

#: How a cell says that there is nothing to say.
NOTHING = ("", "-", "–", "—")
#: How a cell begins that a spreadsheet takes for a formula.
FORMULA = tuple("=+-@\t\r＝＋－＠")


_BLANK = re.compile(r"[\r\n]++")
_CELL = '(?P<quoted>"(?:[^"]++|"")*+")|(?P<bare>[^{0}\r\n]*+)'


class Cell(NamedTuple):
    """A cell: where it begins, and what it says."""

    at: int
    text: str

    @property
    def value(self) -> str:
        """What the cell says, empty if it says that there is nothing."""
        text = unguarded(self.text).strip()
        return "" if text in NOTHING else text


CellRow = list[Cell]


class UnreadableCell(Exception):
    """What cannot be read: its place and why."""

    def __iter__(self) -> Iterator[Any]:
        return iter(self.args)


def guarded(text: str) -> str:
    """The text as a cell that no spreadsheet takes for a formula: such text begins with an apostrophe; numbers stay."""
    return f"'{text}" if text.lstrip().startswith(FORMULA) and not re.fullmatch("-?[0-9]{1,10}", text) else text


def unguarded(text: str) -> str:
    """What a cell says that may have been guarded."""
    return text[1:] if text[:1] == "'" and text[1:].lstrip().startswith(FORMULA) else text


def rows(text: str) -> Iterator[CellRow]:
    """The cells of each line that is not empty, whichever mark stands between them: it is the first of the possible ones."""
    mark = next(iter(re.findall("[,;\t]", text[:4096])), ",")
    cell = re.compile(_CELL.format(mark))
    row: CellRow = []
    place = cells = 0
    while place < len(text):
        if not row and (blank := _BLANK.match(text, place)):
            place = blank.end()
            continue
        cells += 1
        if cells > MAX_CELLS:
            raise UnreadableCell(place, f"a sheet has at most {MAX_CELLS:,} cells")
        match = cell.match(text, place)
        assert match is not None  # a cell may be empty
        at, place = place, match.end()
        if match["quoted"] is None and match["bare"].startswith('"'):
            raise UnreadableCell(at, "the cell that begins here has no closing quote")
        end = text[place : place + 1]
        if end not in ("", mark, "\r", "\n"):
            raise UnreadableCell(place, f"a cell ends with its closing quote, but {clip(ascii(end))} follows")
        row.append(Cell(at, match["bare"] if match["quoted"] is None else match["quoted"][1:-1].replace('""', '"')))
        place += 2 if text.startswith("\r\n", place) else 1
        if end != mark:
            yield row
            row = []
    if row:
        yield [*row, Cell(place, "")]
