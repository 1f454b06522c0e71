"""What is said of a call or a card: notes to which it refers, judgements of it, glyphs, marks and comments.

In a record each is a comment at the event. A note is an explanation, or an alert if it says so; of the others the text tells
what they are: `!` to `??` and `$0` to `$255` judge, `^I` marks a call as insufficient, and all else stands in braces.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from handrec.formats.pbn.games import SectionText
from handrec.formats.strict import shown

_APART = r"\s\x1a"
PIECE = re.compile(
    rf"""\^[A-Za-z]?|\$[0-9A-Za-z]*|[!?]+|=[^={_APART}]*=?|[*+]|(?:[^\^$!?=*+"{_APART}]++|"(?:[^"^$!?=*+]*")?)+""", re.ASCII
)
NOTES = 32
_SUFFIX = re.compile(r"[!?]{1,2}")
_NOTE = re.compile(r"=([1-9]|[12][0-9]|3[0-2])=")
_NOTED = re.compile(r"([1-9]|[12][0-9]|3[0-2]):\s*(.*)", re.DOTALL)
INSUFFICIENT = "^I"
#: An alert, and what was said: "Alert" alone, or "Alert: " and the words. Other notes that begin so are alerts, as they stand.
_ALERT = re.compile(r"alert(s|ed|able)?\s*([-:;,.!]|$)", re.IGNORECASE)
_ALERT_ALONE, _ALERTED = "Alert", "Alert: "

Note = Callable[..., None]  # where, what and, if it was read, the code of what is wrong with it
Said = dict[str, str]


@dataclass(frozen=True)
class RemarkKind:
    """What is remarked on: a call or a card, and the glyphs that it may have; some of which judge, as ! and ? do."""

    name: str
    glyphs: re.Pattern[str]
    judging: re.Pattern[str]

    def bare(self, text: str) -> bool:
        """Whether a text stands by itself, as a judgement, a glyph or a mark, and in no braces."""
        marked = self is CALL and text == INSUFFICIENT
        return marked or _SUFFIX.fullmatch(text) is not None or self.glyphs.fullmatch(text) is not None


#: Glyphs up to 6 judge calls, 7 to 12 cards; 13 and 14 say that a call or a card was corrected by hand.
CALL = RemarkKind(
    "call", re.compile(r"\$([0-6]|13|1[5-9]|[2-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"), re.compile(r"[!?].*|\$[1-6]")
)
CARD = RemarkKind(
    "card", re.compile(r"\$(0|[7-9]|1[0-24-9]|[2-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])"), re.compile(r"[!?].*|\$([7-9]|1[0-2])")
)


def explained(text: str) -> Said:
    """A note as a comment."""
    if text == _ALERT_ALONE or text.startswith(_ALERTED):
        return {"text": text[len(_ALERTED) :], "kind": "alert"}
    return {"text": text, "kind": "alert" if _ALERT.match(text) else "explanation"}


def as_note(text: str, kind: str) -> str:
    """The note that `explained` makes into this comment, but for space around it."""
    text = text.strip()
    if kind != "alert" or explained(text) == {"text": text, "kind": kind}:
        return text
    return _ALERTED + text if text else _ALERT_ALONE


class Remarks:
    """The remarks of a section: the notes after it, those of them that were referred to, and what was said of what.

    Calls and cards are told by their places in the section, from 0; `said` holds only those of which something was said.
    """

    def __init__(self, kind: RemarkKind, notes: Iterable[SectionText], note: Note) -> None:
        self.kind, self.note = kind, note
        self.notes: dict[str, str] = {}
        self.used: set[str] = set()
        self.said: dict[int, list[Said]] = {}
        self.glyphs: dict[int, list[str]] = {}
        for at, text, *_ in notes:
            match = _NOTED.fullmatch(text.strip())
            if match is None:
                note(at, f"{shown(text)} is not a number from 1 to 32, a colon and a text")
            elif match[1] in self.notes:
                note(at, f"there are two notes {match[1]}; the first stands")
            else:
                self.notes[match[1]] = match[2]

    def say(self, of: int, said: Said) -> None:
        """Take what was said of a call or card."""
        self.said.setdefault(of, []).append(said)

    def take(self, at: int, piece: str, of: int) -> None:
        """Take a judgement of a call or card, a glyph, or a reference to a note; none stands before the first, at -1."""
        judging, glyphs = self.kind.judging.fullmatch, self.glyphs.get(of, [])
        number = _NOTE.fullmatch(piece)
        if of < 0:
            self.note(at, f"{shown(piece)} stands before the first {self.kind.name}")
        elif not (number or self.kind.bare(piece)):
            self.note(at, f"{shown(piece)} is no remark on a {self.kind.name}")
        elif any(map(_NOTE.fullmatch if number else judging, glyphs)) and (number or judging(piece)):
            self.note(at, f"{piece} is one remark too many on this {self.kind.name}")
        else:
            self.glyphs[of] = [*glyphs, piece]
            if number and number[1] not in self.notes:
                self.note(at, f"there is no note for {piece}")
            elif number:
                self.used.add(number[1])
                self.say(of, explained(self.notes[number[1]]))
            else:
                self.say(of, {"text": piece})

    def unused(self) -> list[str]:
        """Notes to which nothing refers."""
        return [text for number, text in self.notes.items() if number not in self.used]
