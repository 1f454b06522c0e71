"""A record while its lines are read: what each line holds, and where in the record it belongs."""

from __future__ import annotations

import re
from collections.abc import Callable
from difflib import get_close_matches
from functools import partial

from handrec.formats.hrt.events import ALIASES, DEAL, EVENT_WORDS, SIDE, events, fields, mapping, plays, put, shape
from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import NONE, TRICK, Found, LineWord, Seats, cannot, card, is_number
from handrec.games import find
from handrec.record import KINDS

Parts = dict[str, Found]


def _seats(line: LineReader) -> Found:
    """Seats in a row, to the end of the line."""
    at, found = line.here, list[Found]()
    if not line.mark(NONE):
        while line.peek() is not None or not found:
            found.append(line.get("seat"))
    line.end()
    return Found(at, found, True)


#: Lines that are comments, and of which kind.
NOTES = ("note", "alert", "explanation")
#: What a scorekeeper writes down as the outcome, and how it is read; sides have lines of their own.
CLAIMS: dict[str, Callable[[LineReader], Found]] = {
    "trump": lambda line: line.get("word"),
    "bids": lambda line: mapping(line, "bid"),
    "winners": _seats,
    "tricks": lambda line: mapping(line, "number"),
    "scores": lambda line: mapping(line, "number"),
    "totals": lambda line: mapping(line, "number"),
}
DEAL_WORDS = frozenset(field.mark for field in DEAL)
#: Lines of the record that hold one value: its kind, the part it belongs to, its name there.
HEADER = {
    "game": ("name", "", "game"),
    "id": ("text", "", "id"),
    "schema": ("text", "", "$schema"),
    "source": ("text", "provenance", "source"),
    "kind": ("word", "provenance", "kind"),
    "recorder": ("text", "provenance", "recorder"),
    "date": ("text", "provenance", "date"),
    "tool": ("text", "provenance", "tool"),
    "about": ("text", "provenance", "note"),
}


def _part(parts: Parts, name: str, at: int) -> Parts:
    """A part that has parts, made if it is not there yet."""
    part: Parts = parts.setdefault(name, Found(at, {}, True)).value
    return part


class RecordBuilder:
    """A record in the making, line by line; `Unread` is raised for a line that cannot be read, and the next can follow."""

    def __init__(self) -> None:
        self.record: Parts = {}
        self.deals: list[Found] = []
        self.deal: Parts | None = None  # the one that is open
        self.seats = Seats()
        self.trick: int | None = None  # the number typed before the row that is being read, if it has one
        self.played: list[str | None] = []  # who has played to it
        self.lines: dict[str, Callable[[LineReader, int], None]] = {
            "seats": self._seats,
            "options": self._options,
            "provenance": self._provenance,
            "extension": self._extension,
            "final": lambda line, at: self._claimed(self.record, line, at),
            "deal": self._deal,
            "pack": lambda line, at: put(self.open(at), "pack", line.cards(), at),
            "hand": lambda line, at: self._cards("hands", "seat", line, at),
            "aside": lambda line, at: self._cards("aside", "name", line, at),
            "claimed": lambda line, at: self._claimed(self.open(at), line, at),
            "side": lambda line, at: self._side(self.open(at), line, at),
            "events": self._no_events,
            **{word: partial(self._note, word) for word in NOTES},
        }

    def read(self, line: LineReader) -> None:
        """Put what a line holds where it belongs."""
        word = line.peek()
        assert word is not None
        key = ALIASES.get(word.key, word.key)
        if key in DEAL_WORDS and not (key == "status" and self.deal is None):
            for name, found in fields(line, DEAL).items():
                put(self.open(word.at), name, found, word.at)
        elif key == "status":
            line.take()
            put(self.record, "status", line.get("word"), word.at)
            line.end()
        elif key in HEADER:
            line.take()
            kind, part, name = HEADER[key]
            put(_part(self.record, part, word.at) if part else self.record, name, line.get(kind), word.at)
            line.end()
        elif key in CLAIMS:
            self._claim(self.open(word.at), line, word.at)
        elif key in self.lines:
            line.take()
            self.lines[key](line, word.at)
        elif key in EVENT_WORDS or shape(key) or (not self._begins_trick(line, word) and self._brought(key)):
            line.take()
            happened = events(line, key, word.at)
            if key == "withdraw" and "card" in happened[0].value and (by := happened[0].value["by"].value) in self.played:
                self.played.remove(by)
            self._happened(happened, word.at)
        elif word.text.startswith("{"):
            self._happened([line.json()], word.at)
            line.end()
        else:
            self._trick(line)

    def _brought(self, key: str) -> bool:
        """Whether a word is a kind of event that the record's game brings, which may not have been looked for yet."""
        game = self.record.get("game")
        return key.isidentifier() and game is not None and find(game.value) is not None and bool(shape(key))

    # --- the record ---

    def _seats(self, line: LineReader, at: int) -> None:
        if self.deals:
            raise cannot(at, "the line seats is expected before the first deal")
        players = list[Found]()
        put(self.record, "players", Found(at, players, True), at)
        unquoted = False  # whether the name before stands without quotes, so that it may go on
        try:
            while line.peek() is not None or not players:
                seat = line.get("newcomer")
                parts = {"seat": seat}
                players.append(Found(seat.at, parts, True))
                word = line.peek()
                if line.mark("=", ":") or (word is not None and word.quoted):
                    word = line.peek()
                    parts["name"] = line.get("anything")
                    unquoted = word is not None and not word.quoted
                elif unquoted:
                    why = f"SEAT=NAME is expected, found {seat.value} (a name of several words stands in quotes)"
                    raise cannot(seat.at, why)
        finally:
            self.seats = Seats(player.value["seat"].value for player in players)

    def _options(self, line: LineReader, at: int) -> None:
        parts = _part(self.record, "options", at)
        if line.mark(NONE):
            line.end()
        while line.peek() is not None:
            name = line.get("name")
            put(parts, name.value, line.json() if line.mark("=", ":") else Found(name.at, True), name.at)

    def _provenance(self, line: LineReader, at: int) -> None:
        put(self.record, "provenance", Found(at, {}, True), at)
        if not line.mark(NONE):
            line.expected(NONE)
        line.end()

    def _extension(self, line: LineReader, at: int) -> None:
        parts = _part(self.record, "extensions", at)
        if not line.mark(NONE):
            name = line.get("anything")
            put(parts, name.value, line.json(), name.at)
        line.end()

    # --- deals ---

    def open(self, at: int) -> Parts:
        """The deal that is open; any line that belongs to a deal opens the first."""
        if self.deal is None:
            self.deal, self.trick, self.played = {}, None, []
            self.deals.append(Found(at, self.deal, True))
        return self.deal

    def _deal(self, line: LineReader, at: int) -> None:
        self.deal = None
        deal = self.open(at)
        if (word := line.peek()) is not None and is_number(word):
            deal["number"] = line.get("number")
        line.mark(":")
        deal |= fields(line, DEAL)

    def _cards(self, part: str, kind: str, line: LineReader, at: int) -> None:
        parts = _part(self.open(at), part, at)
        if line.mark(NONE):
            line.end()
            return
        whose = line.get(kind)
        line.mark(":", "=")
        put(parts, whose.value, line.cards(), whose.at)

    def _claimed(self, parts: Parts, line: LineReader, at: int) -> None:
        if line.mark(NONE):
            _part(parts, "claimed", at)
            line.end()
        elif line.mark("side"):
            self._side(parts, line, at)
        else:
            self._claim(parts, line, at)

    def _claim(self, parts: Parts, line: LineReader, at: int) -> None:
        word = line.peek()
        key = "" if word is None else word.key if word.key in CLAIMS else ALIASES.get(word.key, "")
        if word is None or key not in CLAIMS:
            line.expected(f"{', '.join(CLAIMS)} or side")
        line.take()
        line.mark(":", "=")
        put(_part(parts, "claimed", at), key, CLAIMS[key](line), word.at)
        line.end()

    def _side(self, parts: Parts, line: LineReader, at: int) -> None:
        """What was written down of a side, or that nothing was of any."""
        sides = _part(_part(parts, "claimed", at), "sides", at)
        if line.mark(NONE):
            line.end()
            return
        side = line.get("side")
        line.mark(":")
        put(sides, side.value, Found(side.at, fields(line, SIDE), True), side.at)

    def _no_events(self, line: LineReader, at: int) -> None:
        put(self.open(at), "events", Found(at, [], True), at)
        if not line.mark(NONE):
            line.expected(f"{NONE} (for a deal in which nothing happened)")
        line.end()

    def _happened(self, found: list[Found], at: int) -> None:
        self.open(at).setdefault("events", Found(at, [], True)).value.extend(found)

    def _note(self, key: str, line: LineReader, at: int) -> None:
        parts = self.record if self.deal is None else self.deal
        notes = parts.setdefault("comments", Found(at, [], True)).value
        word = line.peek()
        if word is not None and word.text == NONE and line.last():
            return
        note: Parts = {}
        if word is not None and (match := re.fullmatch("@([0-9]{0,16})", word.key)):
            line.take()
            last = len(parts["events"].value) if "events" in parts else 0
            note["event"] = Found(word.at, int(match[1] or last))
        if line.before('"') and line.mark("by"):
            note["by"] = line.get("anything")
        if key != "note":
            note["kind"] = Found(at, key)
        silent = key == "alert" and line.peek() is None
        notes.append(Found(at, {"text": Found(at, "") if silent else line.words(), **note}, True))
        line.end()

    def _trick(self, line: LineReader) -> None:
        """The number of a trick, if it has one, and its cards in turn."""
        at, named = line.here, line.mark("trick", "play")
        word = line.peek()
        match = re.fullmatch(rf"({TRICK})[.)]?", word.text) if word is not None else None
        number = None
        if match:
            number = Found(line.here, int(match[1]))
            line.take()
            line.mark(":")
        elif word is not None and not (named or self._begins_trick(line, word)):
            known = [*HEADER, *DEAL_WORDS, *CLAIMS, *self.lines, *EVENT_WORDS, *KINDS, *ALIASES]
            near = get_close_matches(word.key, known, 1)
            line.expected("a trick, or a word that a line begins with,", f" (did you mean {near[0]}?)" if near else "")
        found = plays(line)
        by = [play.value["by"].value if "by" in play.value else None for play in found]
        over = by[0] in self.played if by[0] else len(self.played) >= len(self.seats.names)
        if over or (number and number.value != self.trick):
            self.trick, self.played = number.value if number else None, []
            if number:
                found[0].value["trick"] = number
        self.played += by
        self._happened(found, at)

    def _begins_trick(self, line: LineReader, word: LineWord) -> bool:
        """Whether a word is a seat or a card, with which a trick without a number begins."""
        return word.quoted or line.before(":") or self.seats.named(word) is not None or card(word.text.rstrip("!")) is not None


#: First words of lines that no kind of event can have for its own.
OTHER = frozenset([*HEADER, *DEAL_WORDS, *CLAIMS, *RecordBuilder().lines, *EVENT_WORDS, *ALIASES])
