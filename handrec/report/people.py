"""Findings as people at the table say them: players by their names with the seat, cards in signs, and how to put it right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from handrec import games
from handrec.cards import COMPASS, Pack
from handrec.findings import Fault, Finding
from handrec.record import Record
from handrec.report.safe import MESSAGE, NAME, safe

SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
JOKERS = {"BJ": "the Big Joker", "LJ": "the Little Joker"}

#: Facts that name a seat whatever is found, and those that do in findings of some codes.
SEATS = {"seat", "owner", "owners", "of", "by", "locker", "first"}
SEATS_OF = {
    **dict.fromkeys(("BID001", "PLY003", "PLY004"), ("due",)),
    **dict.fromkeys(("BID029", "BID033", "DEA006", "TRK001", "TRK003", "SCO003"), ("found", "due")),
    "DEA008": ("what",),
    "DEA012": ("found", "due"),
    "REC006": ("found",),
    "REC008": ("found",),
}
#: Facts that say a bid, a contract or a trump; and those that say how one is written.
CALLS = {"bid", "before", "standing", "found", "due", "mode"}
WRITTEN = {"allowed"}

#: How the rulebooks' words are said at a table, in findings of must-play duties.
SAID = ((" on a lead of ", " on "), (" while holding ", ", but held "))

#: What one of is no several.
_ONE = re.compile(r"(?<![\w.+-])1 (card|trick|deal|player|point|sip|book|row)s\b( are\b)?")

#: A seat while a sentence is made: no text that has been made safe holds these characters.
_MARK = re.compile("\ue000(.*?)\ue001")
_CARD = re.compile(r"(?<![\w'])[2-9A-Z]{2}[a-z]?(?!\w)")
_CALL = re.compile(r"(?<![\w'])(\d{1,2})([SHDC])(?=x{0,2}(?!\w))")
_STRAIN = re.compile(r"([SHDC])(?=(?:x\d)?$)")


class People:
    """Who sits where in a record, and its pack, for words about it; `signs` whether suits are shown as signs.

    `first` is what a seat, or a side, is called where it is named first, `again` what it is called after that.
    """

    def __init__(self, record: Record | None, signs: bool = True) -> None:
        self.record, self.signs = record, signs
        self.pack: Pack | None = None
        self.first: dict[str, str] = {}
        self.again: dict[str, str] = {}
        self.patterns: dict[str, re.Pattern[str]] = {}  # what finds seats in words, by what stands before one
        self.said: dict[tuple[Fault, int | None, str], str] = {}  # what was found, often the same in deal after deal
        if record is None:
            return
        players, game = record.players, games.find(record.game)
        all_seats = {player.seat for player in players}
        seats = {seat: _seat(seat, all_seats) for seat in (player.seat for player in players)}
        names = {player.seat: safe(player.name or "").strip() for player in players}
        for seat, words in seats.items():
            named = names[seat] not in ("", seat)
            self.first[seat] = f"{names[seat]} ({words})" if named else words
            self.again[seat] = names[seat] if named and [*names.values()].count(names[seat]) == 1 else self.first[seat]
        if game is None or len(seats) not in game.players:
            return
        self.pack = game.pack(len(seats))
        for side, places in game.sides([*seats]).items():
            partners = [players[place].seat for place in places]
            self.first[side] = self.again[side] = f"the side of {listed([names[seat] or seats[seat] for seat in partners])}"

    def sentence(self, finding: Finding) -> str:
        """What was found, where in the game and in a whole sentence, made safe."""
        facts = {name: fact for name, fact in finding.facts.items() if name != "against"}  # of which nothing is said
        key = finding.fault, finding.trick, str(facts)
        if (said := self.said.get(key)) is None:
            said = self.said[key] = self._said(finding)
        sentence = self._named(f"{self._place(finding, said)}{said}")
        return f"{sentence[:1].upper()}{sentence[1:]}{'' if sentence.endswith(('.', '?', '…')) else '.'}"

    def _said(self, finding: Finding) -> str:
        """What was found, made safe, with seats marked."""
        form = finding.code.startswith("FMT")
        facts = {key: self._fact(finding.code, key, value, form) for key, value in _different(finding).items()}
        said = finding._replace(facts=facts).message
        if finding.code.startswith("REV") and finding.severity == "error":
            for rulebook, table in SAID:
                said = said.replace(rulebook, table)
        return _ONE.sub(lambda found: f"1 {found[1]}{' is' if found[2] else ''}", said.replace(" (meant: none)", ""))

    def words(self, text: str) -> str:
        """Free text about the record, made safe: seats and cards in it as people say them."""
        return self._named(self._free(text))

    def row(self, plays: Iterable[tuple[str, str]]) -> str:
        """Who played which card, one after another."""
        return self._named(", ".join(f"{_mark(seat)} {self.card(card)}" for seat, card in plays))

    def card(self, token: str) -> str:
        """A card as people say it."""
        if self.pack is None or token not in self.pack.index:
            return safe(token)
        if token in JOKERS:
            return JOKERS[token]
        rank = "10" if token[0] == "T" and f"Q{token[1]}" in self.pack.index else token[0]
        return f"{rank}{SIGNS.get(token[1], token[1])}{token[2:]}" if self.signs else token

    def _place(self, finding: Finding, said: str) -> str:
        """The deal and the trick; and whose it is, unless the sentence names somebody."""
        number = finding.deal
        if number is None and self.record is None and finding.deal_index is not None:
            number = finding.deal_index + 1
        parts = [f"deal {number}"] if number is not None else []
        if finding.trick is not None and not re.search(rf"\btrick {finding.trick}\b", said):
            parts.append(f"trick {finding.trick}")
        if finding.seat and finding.seat in self.first and not _MARK.search(said):
            parts.append(_mark(finding.seat))
        return f"{', '.join(parts)}: " if parts else ""

    def _fact(self, code: str, key: str, value: Any, form: bool) -> Any:
        """A fact in words, with seats marked; numbers stay as they are."""
        if form:
            return _form(key, value)
        if isinstance(value, list | tuple):
            words = [str(self._fact(code, key, item, form)) for item in value]
            return (
                listed(words) if all(isinstance(item, str) and item in self.first for item in value) else ", ".join(words)
            ) or "none"
        if not isinstance(value, str) or key in WRITTEN:
            return value if isinstance(value, int | None) else safe(value, MESSAGE)
        if value in self.first and (key in SEATS or key in SEATS_OF.get(code, ())):
            return _mark(value)
        if self.pack is not None and value in self.pack.index:
            return self.card(value)
        if key in CALLS and (blind := re.fullmatch("blind([0-9]+)", value)):
            return f"{blind[1]} blind"
        if key in CALLS and self.signs and _STRAIN.match(value):
            return _STRAIN.sub(lambda found: SIGNS[found[1]], value)
        if key == "totals":
            return ", ".join(self._total(*each.partition(" ")) for each in safe(value, MESSAGE).split(", "))
        return self._free(value, r"(?<=\bby )" if key in CALLS and key not in SEATS_OF.get(code, ()) else "")

    def _total(self, seat: str, gap: str, points: str) -> str:
        return f"{_mark(seat) if seat in self.first else seat}{gap}{points}"

    def _free(self, text: str, before: str = "") -> str:
        """Free text made safe, cards and bids in it in signs and seats marked; `before` is what stands before a seat."""
        text = _CARD.sub(lambda found: self.card(found[0]), safe(text, MESSAGE))
        text = _CALL.sub(lambda found: f"{found[1]}{SIGNS[found[2]]}", text) if self.signs else text
        return self._seats(text, before)

    def _seats(self, text: str, before: str) -> str:
        """The text with the seats in it marked; a number is one only where somebody does something."""
        if not self.first:
            return text
        if before not in self.patterns:
            words = "|".join(map(re.escape, self.first))
            acts = r"(?:(?='s\b)|(?= (?:had|has|played|plays|did|was|made|who)\b))" if any(map(str.isdigit, self.first)) else ""
            self.patterns[before] = re.compile(rf"(?<![\w'+-]){before}({words})(?![\w+-]){acts}")
        return self.patterns[before].sub(lambda found: _mark(found[1]), text)

    def _named(self, text: str) -> str:
        """The text with names for the seats marked: with the seat where one stands first."""
        seen: set[str] = set()

        def name(found: re.Match[str]) -> str:
            known = self.again if found[1] in seen else self.first
            seen.add(found[1])
            return known.get(found[1], found[1])

        return _MARK.sub(name, text)


def listed(words: list[str]) -> str:
    """Words one after another, the last after "and"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def _different(finding: Finding) -> Mapping[str, Any]:
    """The facts of a finding, of the cards that the pack gives only those that do not lie there."""
    found, due = finding.facts.get("found"), finding.facts.get("due")
    if finding.code != "DEA008" or not isinstance(found, list) or not isinstance(due, list) or {*found} == {*due}:
        return finding.facts
    return {
        **finding.facts,
        "found": [card for card in found if card not in due],
        "due": [card for card in due if card not in found],
    }


def _mark(seat: str) -> str:
    return f"\ue000{seat}\ue001"


def _seat(seat: str, seats: set[str]) -> str:
    if seats <= COMPASS.keys():
        return COMPASS[seat]
    return f"seat {seat}" if seat.isdigit() else seat


def _form(key: str, value: Any) -> Any:
    """A fact about the form of a record: as it is, and a pointer without the deal, which is told before."""
    if key == "where" and isinstance(value, str):
        return safe(re.sub(r"^/(?:deals/\d+/)?", "", value)) or safe(value)
    return [safe(item) for item in value] if isinstance(value, list | tuple) else safe(value, MESSAGE)


def cure(finding: Finding, record: Record | None) -> str:
    """What to write instead, where that can be said; nothing elsewhere. Made safe."""
    find = CURES.get(finding.code)
    return safe(find(finding.facts, record), MESSAGE) if find else ""


def _near(word: object, known: list[str]) -> str:
    by_lower = {name.lower(): name for name in known}
    close = get_close_matches(str(word).lower()[:NAME], by_lower, 1, 0.6)
    return by_lower[close[0]] if close else ""


def _meant(facts: Mapping[str, Any], record: Record | None) -> str:
    return f"write {facts['meant']}" if facts.get("meant") else ""


def _instead(facts: Mapping[str, Any], record: Record | None) -> str:
    """The card that was played, where no other slip is as likely."""
    return "" if facts.get("others") else f"write {facts['due']}"


def _game(facts: Mapping[str, Any], record: Record | None) -> str:
    near = games.near(str(facts["game"]))
    return f"write {near}" if near else f"the games are {', '.join(games.names())}"


def _option(facts: Mapping[str, Any], record: Record | None) -> str:
    near = _near(facts["option"], [*facts["known"]])
    return f"write {near}" if near else ""


def _player(facts: Mapping[str, Any], record: Record | None) -> str:
    """A seat for what names none: that of the player who is called so, or nearly so."""
    seats = {seat.lower(): seat for seat in facts["seats"]}
    words = {word.lower(): seats[seat.lower()] for seat, word in COMPASS.items() if seat.lower() in seats}
    names = {player.name.lower(): player.seat for player in record.players if player.name} if record else {}
    for known in (seats, words, names):
        if near := _near(facts["found"], [*known]):
            return f"write {known[near]}"
    return ""


def _end(facts: Mapping[str, Any], record: Record | None) -> str:
    found, due = facts["found"], facts["due"]
    if due != "more" and not (isinstance(due, int) and found < due):
        return ""
    return "if play stopped there, write: status stopped; if these are only some of the deals: status excerpt"


#: How to put right what is found, by its code.
CURES: dict[str, Callable[[Mapping[str, Any], Record | None], str]] = {
    "DEA001": _meant,
    "FMT008": _game,
    "FMT009": _option,
    "FMT012": _player,
    "REC003": _instead,
    "REC013": _meant,
    "SCO005": _end,
}
