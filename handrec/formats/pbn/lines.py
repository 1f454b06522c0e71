"""How tags, comments and sections of PBN are laid out: no line is longer than 255 characters where it can be broken."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from handrec.formats.pbn.games import FLOWED, tidied
from handrec.formats.pbn.remarks import CALL, INSUFFICIENT, NOTES, RemarkKind, as_note
from handrec.formats.pbn.tags import quoted
from handrec.record import Comment

LINE = 255
#: What would end a comment for a reader that looks for the next game: an empty line, and a tag or an escape after it.
_ENDING = re.compile(r"\n\s*\n(?=\s*[\[%])")
#: A line of a section: no other tag but a note.
_WORDS = re.compile(r'\s*(?:\[Note "|[^\s\[%])')


def tags_of(tags: dict[str, str]) -> str:
    """Tags, each with the words of its section after it."""
    return "".join(map(tag_of, tags, tags.values()))


def tag_of(name: str, text: str) -> str:
    """A tag, its value and what follows in the lines of a text; words stand only after tags of sections."""
    value, *lines = text.split("\n")
    if not re.fullmatch("auction|play|.+table", name, re.IGNORECASE):
        value, lines = text, []
    lines = [line for line in lines if _WORDS.match(line)]
    if lines and (last := "".join(lines)).rfind("{") > last.rfind("}"):
        lines[-1] += "}"  # what closed a comment stood in a line that cannot be written
    value = f" {value}" if value.startswith("#") else value  # alone, it would mean the value of the game before
    return "\n".join([f"[{name} {quoted(value)}]", *lines]) + "\n"


def braced(text: str) -> str:
    """A comment in braces, in lines that are not too long; to the end of the line if it has a brace itself."""
    text = tidied(text)
    if "}" in text and "\n" not in text:
        return f"; {text}\n"
    safe = _ENDING.sub("\n", text.replace("}", ")"))
    if not safe.strip():
        return ""
    lines = "\n".join(map(_flowed, safe.split("\n")))
    return f"{{\n{lines}\n}}" if "\n" in safe else f"{{{lines}}}"


def _flowed(line: str) -> str:
    parts = []
    while len(line) >= LINE - 1 and (end := line.rfind(" ", FLOWED, LINE - 2)) >= 0:
        parts.append(line[: end + 1])
        line = line[end + 1 :]
    return "\n".join([*parts, line])


def _joined(tokens: Iterable[str]) -> str:
    text = ""
    for token in tokens:
        text += (" " if text and not text.endswith("\n") else "") + token
    return text


def _row(cells: Sequence[Sequence[str]], width: int) -> str:
    """Cells of a row, each of some words, one under another if they stand alone; each word in a line if they are too long."""
    row = _joined(_joined(cell).ljust(width) if len(cell) == 1 else _joined(cell) for cell in cells).rstrip()
    if max(map(len, row.split("\n"))) > LINE:
        row = "\n".join(token.rstrip("\n") for cell in cells for token in cell)
    return row + "\n"


class Section:
    """A section while it is written: its calls or cards with what was said of them, and the notes after it."""

    def __init__(self, kind: RemarkKind, said: dict[int, list[Comment]]) -> None:
        self.kind, self.said = kind, said
        self.notes: dict[str, int] = {}

    def cell(self, number: int | None, *words: str) -> list[str]:
        """A call or card, the event of this number, with its remarks in their order."""
        before, after, judged, noted = list[str](), list[str](), False, False
        for place, comment in enumerate(self.said.get(number, ()) if number else ()):
            text = comment.text
            judges = self.kind.judging.fullmatch(text) is not None
            if comment.kind and not noted and (note := self.note(as_note(text, comment.kind))):
                after.append(f"={note}=")
                noted = True
            elif comment.kind is None and text == INSUFFICIENT and self.kind is CALL:
                (after if place else before).append(braced(text) if place else text)
            elif comment.kind is None and self.kind.bare(text) and not (judges and judged):
                after.append(text)
                judged = judged or judges
            elif said := braced(text):
                after.append(said)
        return [*before, *words, *after]

    def note(self, text: str) -> int | None:
        """The number of a note, None if there are too many."""
        if text not in self.notes and len(self.notes) == NOTES:
            return None
        return self.notes.setdefault(text, len(self.notes) + 1)

    def text(self, tag: str, seat: str, rows: Iterable[Sequence[Sequence[str]]], width: int) -> str:
        """The section."""
        body = "".join(_row(row, width) for row in rows)
        notes = (f"[Note {quoted(f'{number}:{text}')}]\n" for text, number in self.notes.items())
        return f'[{tag} "{seat}"]\n{body}{"".join(notes)}'
