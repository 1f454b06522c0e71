"""Games to records: the tags that say what was dealt and played, and everything else as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from functools import cached_property, lru_cache
from typing import Any

from pydantic import ValidationError

from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.boards import SEATS, excerpt, nearest, numbered
from handrec.formats.pbn.board import PbnBoard
from handrec.formats.pbn.games import UNTOLD, PbnGame, Tag, decoded, games
from handrec.formats.pbn.tags import DERIVED, MANDATORY, NAMES, OF_DEAL, OF_RECORD, OPTIONS, REST, SPELLED, quoted
from handrec.formats.strict import Places, decode
from handrec.limits import MAX_FINDINGS, MAX_TEXT
from handrec.record import Deal, Player, Record
from handrec.referee.form import FORM
from handrec.versions import version_of

#: The seats at tables of so many in PTN, which is PBN for other games.
TABLES = {
    2: ("S", "N"), 3: ("S", "W", "E"), 4: SEATS, 5: ("S", "SW", "NW", "NE", "SE"), 6: ("S", "SW", "NW", "N", "NE", "SE"),
}  # fmt: skip

#: So many games of a file must show what may be a slip of one, before it is a habit of the file.
MANY = {"passes": 3, "double": 3}

_SPACE = re.compile(r"[\s\x1a]+", re.ASCII)
#: The tags of the players, in small letters, in their order.
_PLAYERS = {seat: NAMES[seat].lower() for seat in SEATS}
_MANDATORY = frozenset(map(str.lower, MANDATORY))


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each game of a file as a record of its own, in the order of the file."""
    return numbered(_games(data, name))


def _games(data: bytes, name: str) -> Iterator[Reading]:
    text = decoded(data)
    places, count, game, met = Places(name, text), 0, None, Counter[str]()
    for game in games(text):
        count += bool(game.tags)
        yield _Read(name, count, game, places, met).reading()
    if game is None:
        finding = Finding(FORM["FMT001"], {"why": "there is no game in this file"}, location=places.at(0))
        yield Reading(None, (finding,), places)


class _Read:
    """One game while its record is made; `used` are the tags of which nothing is left.

    `met` is how often each habit of the file was met in the games before.
    """

    def __init__(self, name: str, place: int, game: PbnGame, places: Places, met: Counter[str]) -> None:
        self.name, self.place, self.game, self.places, self.met = name, place, game, places, met
        self.used = {DERIVED.lower(), REST.lower()}
        self.board: PbnBoard | None = None
        self.beside: dict[str, Any] = {}  # what the file says of the record for which PBN has no tag

    def reading(self) -> Reading:
        """The record of the game, and everything wrong with it."""
        game = self.game
        record = self.record() if game.tags and game.whole else None
        for habit, (at, why) in game.habits.items():
            self.met[habit] += 1
            if self.met[habit] == MANY.get(habit, 1):
                game.fault(at, f"{why} (told once of a file)", "FMT018")
        if len(game.faults) > MAX_FINDINGS:
            limit = {"what": "the number of faults of form", "limit": f"{MAX_FINDINGS} that are told"}
            game.faults[MAX_FINDINGS:] = [(game.start, FORM["FMT002"], limit)]
        number = self.board.deal.get("number") if self.board else None
        findings = [
            Finding(fault, facts, deal=number, location=self.places.at(at))
            for at, fault, facts in sorted(game.faults, key=lambda fault: fault[0])
        ]
        return Reading(record, tuple(findings), self.locate)

    def locate(self, pointer: str) -> Location:
        """The place of a part of the record, or of what it is a part of."""
        return self.places.at(nearest(pointer, self.spots) or 0)

    @cached_property
    def spots(self) -> dict[str, int]:
        """The places of all parts of the record."""
        game = self.game
        found = {"": game.start} | (self.board.spots() if self.board else {})
        found |= {f"/extensions/pbn/{tag.name}": tag.at for tag in game.tags.values() if tag.section}
        parts = {"/options": "scoring", "/game": "gamecode"}
        parts |= {f"/players/{place}": key for place, key in enumerate(_PLAYERS.values())}
        return found | {part: game.tags[key].at for part, key in parts.items() if key in game.tags}

    def record(self) -> Record:
        """The record, whatever could be read of it."""
        self.beside = self.more()
        if (code := self.game.value("gamecode")).lower() not in ("", "bridge"):
            return self.foreign(code)
        players = [self.player(*each) for each in _PLAYERS.items()]
        self.board = PbnBoard(self.game, self.beside.get("deal", {}))
        self.used |= self.board.used
        return self.about("bridge", players)

    def about(self, game: str, players: list[Player]) -> Record:
        """The record of a game, with what it came from and what is nowhere else in it."""
        kept = {"pbn": rest} if (rest := self.rest()) else {}
        try:
            return self.stated(game, players, kept, self.beside)
        except ValidationError:
            if not self.beside:
                raise
        self.game.fault(self.game.at(REST.lower()), f"what {REST} says is not of a record")
        return self.stated(game, players, kept, {})

    def stated(self, game: str, players: list[Player], kept: dict[str, Any], more: dict[str, Any]) -> Record:
        """The record, with what there is more of it and of its deal."""
        deals = [self.deal(self.board, more.get("deal", {}))] if self.board else []
        record = excerpt(self.name, self.place, deals, kept, players, game)
        if game == "bridge" and (options := OPTIONS.get(self.game.value("scoring").lower())):
            record = record.model_copy(update={"options": options})
        if not more:
            return record
        data = {field: getattr(record, field) for field in record.model_fields_set}
        data = _with(data, more | {"extensions": kept | more.get("extensions", {})}, OF_RECORD)
        record = Record.model_validate(data)
        return record.model_copy(update={"version": version_of(record.deals, record.claimed)})

    @staticmethod
    def deal(board: PbnBoard, more: dict[str, Any]) -> Deal:
        """The deal, with what there is more of it; hands and events are those of a record already."""
        made = Deal.model_validate({"events": []} | ({"hands": {}} if board.hands else {}) | _with(board.deal, more, OF_DEAL))
        made.events.extend(board.events)
        if made.hands is not None:
            made.hands.update(board.hands)
        return made

    def more(self) -> dict[str, Any]:
        """What the file says of the record for which PBN has no tag: an object, with one for the deal in it."""
        if REST.lower() not in self.game.tags:
            return {}
        decoded = decode(self.game.value(REST.lower()).encode("utf-8", "replace"), "")
        value = None if decoded.findings else decoded.value
        if isinstance(value, dict) and all(isinstance(value.get(key, {}), dict) for key in ("deal", "extensions")):
            return value
        self.game.fault(self.game.at(REST.lower()), f"what {REST} says is no object in JSON")
        return {}

    def foreign(self, code: str) -> Record:
        """The record of a game of another kind, of which only the tags are kept; what is wrong with it is not known."""
        self.game.faults.clear()
        hands = len(self.game.value("deal").partition(":")[2].split())
        key = re.sub("[^A-Za-z0-9_]", "_", f"_{code}" if code[0].isdigit() else code).lower()[:64]
        return self.about(key, [Player(seat=seat) for seat in TABLES.get(hands, SEATS)])

    def player(self, seat: str, key: str) -> Player:
        """Who sat there."""
        name = self.game.value(key)
        if name in UNTOLD or len(name) > MAX_TEXT:
            return _player(seat, None)
        self.used.add(key)
        return _player(seat, name)

    def rest(self) -> dict[str, str]:
        """The tags that are nowhere else in the record, with the words of their sections; mandatory ones if they say anything."""
        kept = [(key, tag) for key, tag in self.game.tags.items() if key not in self.used]
        return {SPELLED.get(key, tag.name): _text(tag) for key, tag in kept if key not in _MANDATORY or tag.value or tag.words}


@lru_cache(1000)
def _player(seat: str, name: str | None) -> Player:
    return Player(seat=seat) if name is None else Player(seat=seat, name=name)


def _with(data: dict[str, Any], more: dict[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """Data with more of these fields; what is null there was not recorded, whatever the data say."""
    if not more:
        return data
    data = data | {field: value for field, value in more.items() if field in fields}
    return {field: value for field, value in data.items() if value is not None and value != {}}


def _text(tag: Tag) -> str:
    """A tag's value, and the words and notes of its section, in their lines."""
    if tag.words is None:
        return tag.value
    said = (f"{{{text.text}}}" if text.comment else _SPACE.sub(_between, text.text) for text in tag.words)
    words = "".join(("\n" if text.fresh else " ") + each for text, each in zip(tag.words, said, strict=True)).strip()
    return "\n".join([tag.value, *([words] if words else []), *(f"[Note {quoted(note.text)}]" for note in tag.notes or ())])


def _between(space: re.Match[str]) -> str:
    return "\n" if "\n" in space[0] else " "
