"""A record while its lines are read: what each line holds, and where in the record it belongs."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any

from handrec.formats.hrt.cures import cure, line_of
from handrec.formats.hrt.events import ALIASES, DEAL, EVENT_WORDS, SIDE, events, fields, mapping, plays, put, shape
from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import NONE, TRICK, Found, LineWord, Seats, UnreadableLine, cannot, card, is_number
from handrec.formats.strict import clip
from handrec.game import Game
from handrec.games import find, names, near
from handrec.record import KINDS

Parts = dict[str, Found]
LineFault = tuple[str, int, dict[str, Any]]
#: Cards set aside of which one is missing can be named, if they are so few.
FEW = 4
#: What is looked through for lines that cannot be read: so many cards, seats of a table, and other lines in their place.
MANY, MAX_SEATS, TRIES = 2000, 64, 2000


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


def _game(line: LineReader) -> Found:
    """The key of a game; where something else stands, the game that is called so is named."""
    at, text = line.here, line.text[line.place :].strip(" =:")
    try:
        found = line.get("name")
        line.end()
    except UnreadableLine as unread:
        if unread.faults[0][0] != "FMT001" or not text:
            raise
        meant = near(text)
        hint = f"did you mean {meant}?" if meant else f"there are {', '.join(names())}"
        raise cannot(at, f"the name of a game is expected, found {clip(text, 30)} ({hint})") from None
    return found


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
        self.heads: list[Found] = []  # the first play of each row of the deal
        self.tries = TRIES
        self.short = False  # whether one of the rows lacks a card, so that where they begin is not told by their cards
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
            line.mark(":", "=")
            status = line.get("word")
            if (more := line.peek()) is not None and not more.quoted:  # "in progress"
                line.take()
                status = Found(status.at, f"{status.value}_{more.text}")
            put(self.record, "status", Found(status.at, status.value.lower()), word.at)
            line.end()
        elif key in HEADER:
            line.take()
            line.mark(":", "=")
            kind, part, name = HEADER[key]
            found = _game(line) if key == "game" else line.get(kind)
            put(_part(self.record, part, word.at) if part else self.record, name, found, word.at)
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
            self._happened([found := line.json()], word.at)
            line.end()
            if isinstance(found.value, dict) and found.value.get("do") == "play":
                by = found.value.get("by")
                self._played_in_json(by if isinstance(by, str) else None, word.at)
        else:
            self._trick(line)

    # --- what was meant ---

    def cure(self, line: LineReader, at: int) -> tuple[LineFault | None, str, str]:
        """What was probably meant by a line that could not be read from a place on, in words and as a line; nothing if unknown.

        And the fault that comes before that, if nobody may be named who does not sit at the table.
        """
        players = [found.value for found in self._players() if "name" in found.value]
        known = {player["name"].value.lower(): player["seat"].value for player in players}
        aside = [card.value for cards in self._cards_of("aside").values() for card in cards.value if len(cards.value) <= FEW]
        if len(self.seats.names) > MAX_SEATS:
            return None, "", ""
        left = self._left()
        strict = self._unread(line.text, left)
        first = strict if strict is not None and strict[1] < at - line.start else None
        spot = first[1] if first else at - line.start
        words = WORDS | self._own_words() if self.deal is None else (WORDS | self._own_words()) - {*HEADER}
        words |= {name.lower() for deal in self.deals if "aside" in deal.value for name in deal.value["aside"].value}
        meant = line_of(line.text, spot, self.seats.names, known, words, aside)
        said, due = cure(meant, lambda text: self._unread(text, left) is None, lambda text: self._unread(text, {}) is None)
        return first and (first[0], first[1] + line.start, first[2]), said, due

    def _own_words(self) -> frozenset[str]:
        """The words in which the record's game is typed."""
        game = self._game()
        return frozenset(re.findall("[a-z_]{3,}", " ".join(line for line, _ in game.notation.lines))) if game else frozenset()

    def _players(self) -> list[Found]:
        players: list[Found] = self.record["players"].value if "players" in self.record else []
        return players

    def _cards_of(self, part: str) -> Parts:
        found: Parts = self.deal[part].value if self.deal is not None and part in self.deal else {}
        return found

    def _unread(self, text: str, left: dict[str, set[str]]) -> LineFault | None:
        """Why a line cannot stand here; None if it can be read, and nobody plays a card that is none of those `left`."""
        self.tries -= 1
        if self.tries < 0:
            return "FMT001", 0, {"why": ""}
        trial = RecordBuilder()
        trial.record = {key: self.record[key] for key in ("game",) if key in self.record}
        extras = game.extras if (game := self._game()) is not None else ()
        trial.seats = Seats((*self.seats.names, *extras), all_=bool(self.seats.names))
        trial.trick, trial.played = self.trick, [*self.played]
        if self.deal is not None:
            trial.deal = {part: Found(0, dict(self._cards_of(part)), True) for part in ("hands", "aside")}
            trial.deals = [Found(0, trial.deal, True)] if text.split()[:1] != ["seats"] else []
        line = LineReader(text, 0, trial.seats)
        try:
            if line.peek() is None:
                return "FMT001", 0, {"why": ""}
            trial.read(line)
        except UnreadableLine as unread:
            return unread.faults[0]
        for event in trial.deal["events"].value if trial.deal is not None and "events" in trial.deal else ():
            said = {name: found.value for name, found in event.value.items()} if event.parts else {"do": ""}  # or is in JSON
            if said["do"] == "play" and said["card"] not in left.get(said.get("by") or "", (said["card"],)):
                return "FMT001", event.at, {"why": ""}
        return None

    def _left(self) -> dict[str, set[str]]:
        """The cards that each seat has left, of those whose hands are typed; nothing if there is very much to look through."""
        hands, happened = self._cards_of("hands"), self.deal["events"].value if self.deal and "events" in self.deal else []
        if len(happened) + sum(len(cards.value) for cards in hands.values()) > MANY:
            return {}
        left = {seat: {card.value for card in cards.value} for seat, cards in hands.items()}
        for event in (each.plain() for each in happened if each.parts):
            own, to = left.get(event.get("by"), set()), left.get(event.get("to"), set())
            if event["do"] == "play":
                own -= {event["card"]}
            elif event["do"] == "exchange":
                passed = {"??"} if "of" in event else {*event.get("cards", ("??",))}
                own -= passed
                own |= passed & {"??"}
                to |= passed
        return {seat: cards for seat, cards in left.items() if not any("?" in card for card in cards)}

    def _game(self) -> Game | None:
        name = self.record.get("game")
        return find(name.value) if name is not None else None

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
            self.deal, self.trick, self.played, self.heads, self.short = {}, None, [], [], False
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
            line.expected("a trick, or a word that a line begins with,")
        found = plays(line)
        by = [play.value["by"].value if "by" in play.value else None for play in found]
        table = len(self.seats.names)
        over = by[0] in self.played if by[0] else len(self.played) >= table
        # A line with somebody in it who has played is no end of the row before it, which lacks a card.
        again = {*by} & {*self.played} - {None} or (None in by and len(self.played) + len(by) > table)
        short = bool(self.played and again) and not over
        if over or short or (number and number.value != self.trick):
            self.trick, self.played = number.value if number else None, []
            if number:
                found[0].value["trick"] = number
        if not self.played:
            self.heads.append(found[0])
            self.short |= short
            for row, head in enumerate(self.heads, 1) if self.short else ():  # then all rows are told by their lines
                head.value.setdefault("trick", Found(head.at, row))
        self.played += by
        self._happened(found, at)

    def _played_in_json(self, by: str | None, at: int) -> None:
        """A play that is written in JSON stands in its row like any other."""
        if by in self.played or len(self.played) >= len(self.seats.names):
            self.trick, self.played = None, []
        if not self.played:
            self.heads.append(Found(at, {}, True))  # which has what number it has
        self.played.append(by)

    def _begins_trick(self, line: LineReader, word: LineWord) -> bool:
        """Whether a word is a seat or a card, with which a trick without a number begins."""
        return word.quoted or line.before(":") or self.seats.named(word) is not None or card(word.text.rstrip("!")) is not None


#: First words of lines that no kind of event can have for its own.
OTHER = frozenset([*HEADER, *DEAL_WORDS, *CLAIMS, *RecordBuilder().lines, *EVENT_WORDS, *ALIASES])
#: All words that mean something to every game, as first words or before a value.
WORDS = (OTHER - {*ALIASES}) | {*KINDS, "side", "trick"}
WORDS |= {field.mark for do in KINDS for field in (*shape(do), *SIDE) if field.mark}
