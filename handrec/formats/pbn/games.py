"""Text to games: tags with the words of their sections, comments apart, and what is wrong with the writing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from io import BytesIO
from operator import itemgetter
from typing import Any, NamedTuple

from handrec.findings import Fault
from handrec.formats.strict import clip, shown
from handrec.limits import MAX_FINDINGS, MAX_GAME, MAX_KEPT
from handrec.referee.form import FORM

#: Values that say nothing.
UNTOLD = ("", "?", "-")

_BLANK = r"[ \t\r\f\v\x1a]"
_LETTER = r"[^\s{;\[\"\x1a]"
#: Whatever may stand anywhere: of words, as many as follow one another. A brace that is not closed ends where an empty line and
#: then another game seem to follow.
_TOKEN = re.compile(
    rf"""(?P<tag>\[\s*+(?P<name>\w++)\s*+"(?P<value>(?:[^"\\\n]++|\\.)*+)"\s*+\](?:\n(?=\[))?+)
    |(?P<bad>\[[^\n]*+)
    |(?P<gap>\n\s*\n)
    |(?P<space>\n|{_BLANK}++)
    |(?P<escape>^%[^\n]*+)
    |(?P<rest>;[^\n]*+)
    |(?P<braces>\{{(?:[^}}\n]++|\n(?!{_BLANK}*+\n(?:%|{_BLANK}*+\[{_BLANK}*+\w++{_BLANK}*+")))*+\}}?)
    |(?P<words>{_LETTER}++(?:(?:{_BLANK}++|{_BLANK}*+\n(?!%){_BLANK}*+){_LETTER}++)*+)
    |(?P<quoted>"(?:[^"\n]*+")?+{_LETTER}*+)""",
    re.VERBOSE | re.MULTILINE | re.ASCII,
)
_ESCAPED = re.compile(r'\\(["\\])')
_FIRST_WORD = re.compile(rf"{_LETTER}+", re.ASCII)
#: A second tag of these begins another game, whether or not there is an empty line.
_FIRST = ("event", "board", "deal")


#: A line of a comment that is too long for PBN is broken after a space, which stays at the end of the line.
FLOWED = 125
_FLOWED = re.compile(rf"^([^\n]{{{FLOWED},}} )\r?\n", re.MULTILINE)


class SectionText(NamedTuple):
    """Words of a section with what is between them, or a comment there, and where it stands; `fresh` if it begins a line."""

    at: int
    text: str
    comment: bool = False
    fresh: bool = False


class Tag(NamedTuple):
    """A tag, its name in small letters, where its value begins and, where they may follow, the words and the notes on them."""

    name: str
    key: str
    value: str
    at: int
    words: list[SectionText] | None = None
    notes: list[SectionText] | None = None

    @property
    def section(self) -> bool:
        """Whether words may follow."""
        return self.words is not None


@dataclass
class PbnGame:
    """A game as it is written: its tags by key, comments outside of calls and play, and what is wrong: where, what, the facts.

    A comment goes with the key of the tag before it, empty if it is the first.

    `habits` are ways to write that are told once of a file, by their names: where, and what is to be said.
    """

    start: int = -1
    tags: dict[str, Tag] = field(default_factory=dict)
    comments: list[tuple[str, str]] = field(default_factory=list)
    faults: list[tuple[int, Fault, Mapping[str, Any]]] = field(default_factory=list)
    habits: dict[str, tuple[int, str]] = field(default_factory=dict)
    whole: bool = True

    def fault(self, at: int, why: str, code: str = "FMT001") -> None:
        """Note that something cannot be read, or, with another code, what else is wrong with it."""
        if len(self.faults) < MAX_FINDINGS:
            self.faults.append((at, FORM[code], {"why": why}))

    def value(self, key: str) -> str:
        """The value of a tag, empty if it is not there."""
        tag = self.tags.get(key)
        return "" if tag is None else tag.value.strip()

    def at(self, key: str) -> int:
        """Where the value of a tag stands, or the game if there is none."""
        return self.tags[key].at if key in self.tags else self.start


def decoded(data: bytes) -> str:
    """The text of a file in UTF-8; of a file that is not, each line in UTF-8 or else in Latin-1."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return "".join(map(_line, BytesIO(data)))


def _line(raw: bytes) -> str:
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("latin-1")


def tidied(text: str) -> str:
    """A comment without the space around it; of one in several lines, the first may be indented as the others are."""
    bare = text.strip()
    return re.sub(r"\A\s*\n", "", text).rstrip() if "\n" in bare else bare


def games(text: str) -> Iterator[PbnGame]:
    """The games of a file, with the tags that they take from those before."""
    before, kept = PbnGame(), dict[str, Tag]()
    for game in _cut(text):
        for key, tag in game.tags.items():
            if not tag.value.startswith("#"):
                continue
            if tag.value == "#":
                game.tags[key] = _taken(game, tag, before.tags.get(key))
            elif tag.value.startswith("##"):
                game.tags[key] = tag._replace(value=tag.value[2:], at=tag.at + 2)
                if not tag.section and (key in kept or len(kept) < MAX_KEPT):
                    kept[key] = game.tags[key]
        if game.tags:
            for key, tag in kept.items():
                game.tags.setdefault(key, tag)
            _further(game, before)
            _auctions_notes(game)
            before = game
        yield game


def _taken(game: PbnGame, tag: Tag, before: Tag | None) -> Tag:
    """The tag as the game before has it; the words of a section are its own, if it has any."""
    if before is None:
        game.fault(tag.at, f"{tag.name} cannot be that of the game before")
        return tag._replace(value="")
    return before._replace(words=tag.words, notes=tag.notes) if tag.words else before


def _further(game: PbnGame, before: PbnGame) -> None:
    """Give a further table of a board what is left out there because it stands at the one before."""
    if "deal" in game.tags or before.value("deal") in UNTOLD:
        return
    same = _board(before) and ("board" not in game.tags or _board(game) == _board(before))
    sections = game.tags.keys() & {"play", "auction", "contract", "result"}
    other = "event" in game.tags and game.value("event") != before.value("event")
    if not (same and sections) or other:
        return
    for key in ("board", "dealer", "vulnerable", "deal"):
        if key in before.tags:
            game.tags.setdefault(key, before.tags[key])
    game.habits["deal"] = game.start, f"there is no Deal: it is that of board {_board(before)} at the table before"


def _board(game: PbnGame) -> str:
    return game.value("board").lstrip("0")


def _cut(text: str) -> Iterator[PbnGame]:
    """The games as they stand in the text. What stands between them without being a tag is a game without tags."""
    game, last, fresh = PbnGame(), None, True
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "gap" and (game.tags or game.faults):
            yield game
            game, last = PbnGame(), None
        if kind in ("space", "escape", "gap"):
            fresh = fresh or "\n" in match[0]
            continue
        start, end = match.span()
        if game.start < 0:
            game.start = start
        tag = _tag(match) if kind == "tag" else None
        if tag and tag.key in game.tags and _begins(game, tag):
            yield game
            game, last = PbnGame(start), None
            game.fault(start, "an empty line should stand before this game", "FMT018")
        if game.whole and end - game.start > MAX_GAME:
            game.whole = False
            game.faults.append((game.start, FORM["FMT002"], {"what": "the size of a game", "limit": f"{MAX_GAME} characters"}))
        if game.whole:
            last = _take_tag(game, last, tag) if tag else _take(game, last, match, fresh)
        fresh = False
    if game.tags or game.faults:
        yield game


def _begins(game: PbnGame, tag: Tag) -> bool:
    """Whether a tag that stands there already begins another game, and not only says nothing."""
    if tag.key not in _FIRST:
        return False
    says = game.value(tag.key) in UNTOLD and tag.value.strip() not in UNTOLD and not game.tags.keys() & {"auction", "play"}
    return not says


def _auctions_notes(game: PbnGame) -> None:
    """Give the auction its notes where some programs write them, after the play, in which nothing refers to them."""
    auction, play = game.tags.get("auction"), game.tags.get("play")
    if auction is None or play is None or auction.notes or not play.notes:
        return
    if not any("=" in text.text for text in play.words or () if not text.comment):
        game.tags["auction"], game.tags["play"] = auction._replace(notes=play.notes), play._replace(notes=[])


#: What follows a tag that could not be read, or words that belong to none, is not read either.
_NOWHERE = Tag("Table", "table", "", -1)


def _take(game: PbnGame, last: Tag | None, match: re.Match[str], fresh: bool) -> Tag | None:
    """Take what is no tag into the game; the tag to which words that follow belong."""
    at, kind, token = match.start(), match.lastgroup, match[0]
    if kind == "bad":
        game.fault(at, 'a tag is not of the form [Name "value"]')
        return last if re.match(r"\[\s*note\b", token, re.IGNORECASE) else _NOWHERE
    if kind in ("rest", "braces"):
        if kind == "braces" and not token.endswith("}"):
            game.fault(at, "the comment that begins here has no closing brace")
        said = tidied(_FLOWED.sub(r"\1", token[1:].removesuffix("}")) if kind == "braces" else token[1:])
        if last is not None and last.words is not None and last.key in ("auction", "play") and not last.notes:
            last.words.append(SectionText(at, said, True))
        elif said:
            game.comments.append((last.key if last and not last.notes else "", said))
    elif last is not None and last.words is not None:
        last.words.append(SectionText(at, token, fresh=fresh))
    elif last is not _NOWHERE:
        game.fault(at, f"{shown(_FIRST_WORD.findall(token)[0] if kind == 'words' else token)} is neither a tag nor of a section")
        return _NOWHERE
    return last


@lru_cache(1000)
def _named(name: str) -> tuple[str, bool]:
    """The name of a tag in small letters, and whether words may follow it."""
    key = name.lower()
    return key, key in ("auction", "play") or (key.endswith("table") and key != "table")


def _tag(match: re.Match[str]) -> Tag:
    """The tag that was matched."""
    name, value = match.group("name", "value")
    key, section = _named(name)
    if "\\" in value:
        value = _ESCAPED.sub(itemgetter(1), value)
    return Tag(name, key, value, match.start("value"), [], []) if section else Tag(name, key, value, match.start("value"))


def _take_tag(game: PbnGame, last: Tag | None, tag: Tag) -> Tag | None:
    """Take a tag; a note belongs to the section before it."""
    if tag.key == "note":
        if last is None or last.notes is None:
            game.fault(tag.at, "a note stands after no section")
        else:
            last.notes.append(SectionText(tag.at, tag.value))
        return last
    if tag.key in game.tags:
        first = game.tags[tag.key]
        says = first.value.strip() in UNTOLD and not first.words and tag.value.strip() not in UNTOLD
        which = "second" if says else "first"
        game.habits.setdefault("twice", (tag.at, f"the tag {clip(tag.name, 30)} stands twice in this game: the {which} counts"))
        if not says:
            return _NOWHERE
    game.tags[tag.key] = tag
    return tag
