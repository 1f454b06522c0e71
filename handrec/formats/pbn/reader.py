"""Games to records: the tags that say what was dealt and played, and everything else as it was."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from pathlib import PurePath
from typing import Any

from handrec.cards import UNKNOWN
from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.pbn.calls import compare
from handrec.formats.pbn.games import Game, Tag, decoded, games
from handrec.formats.pbn.play import SEATS, SUITS, TRICKS, WRITTEN, Play
from handrec.formats.strict import MAX_FINDINGS, Places, clip, shown
from handrec.game import Sight
from handrec.games import bridge
from handrec.record import VERSION, Deal, Player, Provenance, Record
from handrec.referee.form import FORM

NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}
UNTOLD = ("", "?", "-")
MAX_TEXT = 1000  # characters of a text, and comments of a deal

_RANK = re.compile("10|.", re.DOTALL)
_PASSED = re.compile(r"(all)?pass(ed)?(out)?", re.IGNORECASE)
_TRICKS = "(NS|EW)?\\s*([0-9]{1,2})"
_RESULT = re.compile(r"[0-9]{1,2}|(NS|EW)\s*[0-9]{1,2}(\s+(?!\1)(NS|EW)\s*[0-9]{1,2})?", re.IGNORECASE)


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each game of a file as a record of its own, in the order of the file."""
    text = decoded(data)
    places, count, game = Places(name, text), 0, None
    for game in games(text):
        count += bool(game.tags)
        yield _Board(name, count, game, places).reading()
    if game is None:
        finding = Finding(FORM["FMT001"], {"why": "there is no game in this file"}, location=places.at(0))
        yield Reading(None, (finding,), places)


class _Board:
    """One game while its record is made; `spots` are the places of its parts, `used` the tags of which nothing is left."""

    def __init__(self, name: str, place: int, game: Game, places: Places) -> None:
        self.name, self.place, self.game, self.places = name, place, game, places
        self.spots = {"": game.start}
        self.used: set[str] = set()
        self.ending = False  # the hands are those of an end position
        self.deal: dict[str, Any] = {"status": "stopped", "events": []}
        self.comments: list[dict[str, Any]] = []

    def reading(self) -> Reading:
        """The record of the game, and everything wrong with it."""
        game = self.game
        record = self.record() if game.tags and game.whole else None
        if len(game.faults) > MAX_FINDINGS:
            limit = {"what": "the number of faults of form", "limit": f"{MAX_FINDINGS} that are told"}
            game.faults[MAX_FINDINGS:] = [(game.start, FORM["FMT002"], limit)]
        number = self.deal.get("number")
        findings = [
            Finding(fault, facts, deal=number, location=self.places.at(at))
            for at, fault, facts in sorted(game.faults, key=lambda fault: fault[0])
        ]
        return Reading(record, tuple(findings), self.locate)

    def locate(self, pointer: str) -> Location:
        """The place of a part of the record, or of what it is a part of."""
        while pointer not in self.spots:
            pointer = pointer.rpartition("/")[0]
        return self.places.at(self.spots[pointer])

    def record(self) -> Record:
        """The record, whatever could be read of it."""
        players = [self.player(seat) for seat in SEATS]
        self.number()
        dealer = self.seat("dealer")
        if dealer:
            self.deal["dealer"] = dealer
            self.used.add("dealer")
            self.spots["/deals/0/dealer"] = self.game.at("dealer")
        self.hands()
        contract, declarer, passed = self.contract()
        bid = next((event["bid"] for event in self.deal["events"]), None)
        compare(self.game, bid, declarer, passed)
        play = self.play(contract, declarer, passed)
        if passed and not self.deal["events"]:
            self.deal["status"] = "complete"
        self.result(play, declarer, passed)
        self.comment(play)
        source = clip(PurePath(self.name).name, 200)
        return Record(
            format="handrec",
            version=VERSION,
            id=f"{source}#{self.place}",
            game="bridge",
            players=players,
            status="excerpt",
            deals=[Deal.model_validate(self.deal)],
            provenance=Provenance(source=source, kind="archive"),
            extensions={"pbn": rest} if (rest := self.rest()) else {},
        )

    def player(self, seat: str) -> Player:
        """Who sat there."""
        key, name = NAMES[seat], self.game.value(NAMES[seat])
        if name in UNTOLD or len(name) > MAX_TEXT:
            return Player(seat=seat)
        self.used.add(key)
        self.spots[f"/players/{SEATS.index(seat)}"] = self.game.at(key)
        return Player(seat=seat, name=name)

    def number(self) -> None:
        """The board's number, if it has one that a deal may have; others are kept as they are."""
        board = self.game.value("board")
        if re.fullmatch("[1-9][0-9]{0,6}", board) and int(board) <= 1_000_000:
            self.deal["number"] = int(board)
            self.used.add("board")

    def seat(self, key: str) -> str | None:
        """The seat that a tag names."""
        text = self.game.value(key)
        seat = text.removeprefix("^").upper() if key == "declarer" else text.upper()
        if seat in SEATS:
            return seat
        if text not in UNTOLD:
            self.game.fault(self.game.at(key), f"{shown(text)} is no seat; the seats are {' '.join(SEATS)}")
        return None

    def hands(self) -> None:
        """The hands that are known."""
        tag = self.game.tags.get("deal")
        if tag is None or tag.value.strip() in UNTOLD:
            return
        match = re.fullmatch(r"\s*([NESW])\s*:(.*)", tag.value, re.IGNORECASE | re.DOTALL)
        found = list(re.finditer(r"\S+", match[2])) if match else []
        if match is None or len(found) != len(SEATS):
            self.game.fault(tag.at, "the deal is not a seat, a colon and four hands")
            return
        first, hands = SEATS.index(match[1].upper()), {}
        for turn, hand in enumerate(found, first):
            cards = self.hand(hand[0], tag.at + match.start(2) + hand.start(), SEATS[turn % len(SEATS)])
            if cards is not None:
                hands[SEATS[turn % len(SEATS)]] = cards
        if hands:
            self.deal["hands"] = hands
        sizes = {len(cards) for cards in hands.values()}
        self.ending = len(hands) > 1 and len(sizes) == 1 and max(sizes) < TRICKS
        for cards in hands.values() if self.ending else ():
            cards += [UNKNOWN] * (TRICKS - len(cards))  # those that were played before
        if len(hands) == len(SEATS) - sum(hand[0] == "-" for hand in found):
            self.used.add("deal")
        self.spots.setdefault("/deals/0/hands", tag.at)

    def hand(self, text: str, at: int, seat: str) -> list[str] | None:
        """The cards of a hand; None if they are not told, or cannot all be read."""
        if text == "-":
            return None
        suits = text.split(".")
        if len(suits) != len(SUITS) or len(text) > 256:
            self.game.fault(at, f"{seat}'s hand {shown(text)} is not four suits with dots between")
            return None
        cards: list[str] = []
        spots = {f"/deals/0/hands/{seat}": at}
        for suit, ranks in zip(SUITS, suits, strict=True):
            for rank in _RANK.finditer(ranks):
                if rank[0].upper() not in WRITTEN:
                    self.game.fault(at + rank.start(), f"{shown(rank[0])} in {seat}'s hand is no rank")
                    return None
                spots[f"/deals/0/hands/{seat}/{len(cards)}"] = at + rank.start()
                cards.append(WRITTEN[rank[0].upper()] + suit)
            at += len(ranks) + 1
        self.spots |= spots
        return cards

    def contract(self) -> tuple[str | None, str | None, bool]:
        """The strain of the contract and who declares, as far as they are known; whether the deal was passed out."""
        game = self.game
        text, declarer = re.sub(r"\s", "", game.value("contract")), self.seat("declarer")
        if text in UNTOLD or _PASSED.fullmatch(text):
            return None, declarer, text not in UNTOLD
        bid = re.sub("X+$", lambda doubled: doubled[0].lower(), text.upper())
        strain = bridge.strain(bid)
        if strain is None:
            game.fault(game.at("contract"), f"{shown(text)} is no contract, such as 4H, 3NTX or Pass")
            return None, declarer, False
        event = {"do": "contract", "bid": bid} | ({"by": declarer} if declarer else {})
        self.deal["events"].append(event)
        self.spots |= {"/deals/0/events/0": game.at("contract"), "/deals/0/events/0/by": game.at("declarer")}
        self.used |= {"contract"} | ({"declarer"} if game.value("declarer").upper() == declarer else set())
        return strain, declarer, False

    def play(self, contract: str | None, declarer: str | None, passed: bool) -> Play | None:
        """The play, in its order."""
        tag = self.game.tags.get("play")
        if tag is None:
            return None
        play = Play(tag, self.game.fault)
        first = self.seat("play")
        if play.columns and first is None and tag.value.strip() in UNTOLD:
            self.game.fault(tag.at, "the play does not say whose the first column is")
        lacking = [name for name in ("Deal", "Declarer", "Contract") if self.game.value(name.lower()) in UNTOLD]
        if passed and play.columns:
            self.game.fault(tag.at, "cards are played, but the deal was passed out")
        elif lacking and (first or play.columns) and not passed:
            self.game.fault(tag.at, f"the play has no {' and no '.join(lacking)}")
        if first is not None:
            self.ordered(play, SEATS.index(first), contract, declarer)
        return play

    def ordered(self, play: Play, first: int, contract: str | None, declarer: str | None) -> None:
        """Take the play into the deal."""
        events, first = self.deal["events"], self.columns(play, first)
        leader = first if declarer is None else (SEATS.index(declarer) + 1) % len(SEATS)
        if not (events and declarer):
            self.deal["leader"] = SEATS[leader]
            self.spots["/deals/0/leader"] = play.tag.at
        play.order(first, leader, bridge.order(Sight((), contract, 1, 0)))
        self.spots |= {f"/deals/0/events/{place}": at for place, at in enumerate(play.spots, len(events))}
        self.comments += [{"event": number + len(events), "text": text} for number, text in play.remarks]
        events += play.events
        over = play.cards == len(SEATS) * TRICKS
        self.deal["status"] = "complete" if over else {"*": "claimed", "+": "in_progress"}.get(play.end, "stopped")
        if play.whole:
            self.used.add("play")

    def columns(self, play: Play, first: int) -> int:
        """The seat of the first column: the one named, unless only from another every card is in its player's hand."""
        hands = [self.deal.get("hands", {}).get(seat, ()) for seat in SEATS]
        cards = [(place, column.card) for place, column in enumerate(play.columns) if column.card]
        turns = [first, *(other for other in range(len(SEATS)) if other != first)]
        fits = (start for start in turns if all(card in hands[(start + place) % len(SEATS)] for place, card in cards))
        found = next(fits, first) if all(hands) else first
        if found != first:
            self.game.fault(play.tag.at, f"the first column is said to be {SEATS[first]}'s, but the cards are {SEATS[found]}'s")
        return found

    def result(self, play: Play | None, declarer: str | None, passed: bool) -> None:
        """Read the result, and see whether it can be so."""
        text, at = self.game.value("result"), self.game.at("result")
        stated = text.removeprefix("^").strip()
        sides = {side.upper(): int(tricks) for side, tricks in re.findall(_TRICKS, stated, re.IGNORECASE)}
        if text in UNTOLD:
            return
        if not _RESULT.fullmatch(stated):
            self.game.fault(at, f"{shown(text)} is no result, such as 9 or NS 9 EW 4")
        elif passed and any(sides.values()):
            self.game.fault(at, f"the result is {shown(text)}, but the deal was passed out")
        elif len(sides) == 2 and sum(sides.values()) != TRICKS:
            self.differs("TRK004", at, found=sum(sides.values()), due=TRICKS)
        elif declarer and not self.ending and text == stated:  # one with ^ was given by somebody, whatever was played
            self.tricks(play, declarer, sides)

    def tricks(self, play: Play | None, declarer: str, sides: dict[str, int]) -> None:
        """Compare the declarer's tricks with those taken, and let them divide the rest if that was claimed."""
        side, other = ("NS", "EW") if declarer in "NS" else ("EW", "NS")
        stated = sides[other] if other in sides else TRICKS - sides.get(side, sides.get("", 0))
        won = dict(zip(SEATS, play.won if play else [0] * 4, strict=True))
        least, most = sum(won[seat] for seat in side), TRICKS - sum(won[seat] for seat in other)
        if not least <= TRICKS - stated <= most:
            due = str(least) if least == most else f"{least} to {most}"
            self.differs("TRK002", self.game.at("result"), seat=side, found=TRICKS - stated, due=due)
        elif play and play.whole and self.deal["status"] == "claimed" and sum(play.won) == play.cards // len(SEATS):
            left = {declarer: TRICKS - stated - least, SEATS[(SEATS.index(declarer) + 1) % 4]: stated - (TRICKS - most)}
            self.spots[f"/deals/0/events/{len(self.deal['events'])}"] = play.end_at
            self.deal["events"].append({"do": "claim", "by": declarer, "tricks": left})

    def differs(self, code: str, at: int, **facts: Any) -> None:
        """Note a number that is not what it should be, under the rule that says so."""
        self.game.faults.append((at, bridge.GAME.rule(code), facts))

    def comment(self, play: Play | None) -> None:
        """All that was said, in pieces that a comment can hold."""
        for text in chain(self.game.comments, play.unsaid() if play else ()):
            self.comments.append({"text": text})
        whole = [comment | {"text": text} for comment in self.comments for text in _pieces(comment["text"])]
        if len(whole) > MAX_TEXT:
            self.game.faults.append((self.game.start, FORM["FMT002"], {"what": "the number of comments", "limit": MAX_TEXT}))
        if whole:
            self.deal["comments"] = sorted(whole[:MAX_TEXT], key=lambda comment: int(comment.get("event", 0)))

    def rest(self) -> dict[str, str]:
        """The tags that are nowhere else in the record, with the words of their sections."""
        return {tag.name: _text(tag) for key, tag in self.game.tags.items() if key not in self.used}


def _pieces(text: str) -> list[str]:
    return [text[start : start + MAX_TEXT] for start in range(0, len(text), MAX_TEXT)]


def _text(tag: Tag) -> str:
    """A tag's value, and the words and notes of its section."""
    words = " ".join(f"{{{word.text}}}" if word.comment else word.text for word in tag.words)
    return "\n".join([tag.value, *([words] if words else []), *(note.text for note in tag.notes)])
