"""Games to records: the tags that say what was dealt and played, and everything else as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any

from handrec.cards import UNKNOWN
from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.boards import SEATS, excerpt, nearest
from handrec.formats.pbn.calls import Heard, compare, heard
from handrec.formats.pbn.games import UNTOLD, PbnGame, Tag, decoded, games
from handrec.formats.pbn.play import SUITS, TRICKS, WRITTEN, PlaySection
from handrec.formats.strict import Places, shown
from handrec.game import Sight
from handrec.games import bridge
from handrec.limits import MAX_FINDINGS, MAX_TEXT
from handrec.record import Deal, Player, Record
from handrec.referee.form import FORM

NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}

#: The seats at tables of so many in PTN, which is PBN for other games.
TABLES = {
    2: ("S", "N"), 3: ("S", "W", "E"), 4: SEATS, 5: ("S", "SW", "NW", "NE", "SE"), 6: ("S", "SW", "NW", "N", "NE", "SE"),
}  # fmt: skip

_RANK = re.compile("10|.", re.DOTALL)
_PASSED = re.compile(r"(all)?pass(ed)?(out)?", re.IGNORECASE)
_TRICKS = "(NS|EW)?\\s*([0-9]{1,2})"
_RESULT = re.compile(r"[0-9]{1,2}|(NS|EW)\s*[0-9]{1,2}(\s+(?!\1)(NS|EW)\s*[0-9]{1,2})?", re.IGNORECASE)


#: So many games of a file must show what may be a slip of one, before it is a habit of the file.
MANY = {"passes": 3, "double": 3}


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each game of a file as a record of its own, in the order of the file."""
    text = decoded(data)
    places, count, game, met = Places(name, text), 0, None, Counter[str]()
    for game in games(text):
        count += bool(game.tags)
        yield _Board(name, count, game, places, met).reading()
    if game is None:
        finding = Finding(FORM["FMT001"], {"why": "there is no game in this file"}, location=places.at(0))
        yield Reading(None, (finding,), places)


class _Board:
    """One game while its record is made; `spots` are the places of its parts, `used` the tags of which nothing is left.

    `met` is how often each habit of the file was met in the games before.
    """

    def __init__(self, name: str, place: int, game: PbnGame, places: Places, met: Counter[str]) -> None:
        self.name, self.place, self.game, self.places, self.met = name, place, game, places, met
        self.spots = {"": game.start}
        self.used: set[str] = set()
        self.ending = False  # the hands are those of an end position
        self.deal: dict[str, Any] = {"status": "stopped", "events": []}
        self.comments: list[dict[str, Any]] = []

    def reading(self) -> Reading:
        """The record of the game, and everything wrong with it."""
        game = self.game
        record = self.record() if game.tags and game.whole else None
        for habit, (at, why, otherwise) in game.habits.items():
            self.met[habit] += 1
            if self.met[habit] < MANY.get(habit, 1):
                game.fault(at, f"{otherwise} (unless {why})", "FMT017")
            elif self.met[habit] == MANY.get(habit, 1):
                game.fault(at, f"{why} (told once of a file)", "FMT018")
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
        return self.places.at(nearest(pointer, self.spots) or 0)

    def record(self) -> Record:
        """The record, whatever could be read of it."""
        if (code := self.game.value("gamecode")).lower() not in ("", "bridge"):
            return self.foreign(code)
        players = [self.player(seat) for seat in SEATS]
        self.number()
        dealer = self.seat("dealer")
        if dealer:
            self.deal["dealer"] = dealer
            self.used.add("dealer")
            self.spots["/deals/0/dealer"] = self.game.at("dealer")
        self.hands()
        contract, declarer, passed = self.contract(heard(self.game))
        play = self.play(contract, declarer, passed)
        if passed and not self.deal["events"]:
            self.deal["status"] = "complete"
        self.result(play, declarer, passed)
        self.comment(play)
        return self.about("bridge", players, [Deal.model_validate(self.deal)])

    def about(self, game: str, players: list[Player], deals: list[Deal]) -> Record:
        """The record of a game, with what it came from and what is nowhere else in it."""
        kept = {"pbn": rest} if (rest := self.rest()) else {}
        return excerpt(self.name, self.place, deals, kept, players, game)

    def foreign(self, code: str) -> Record:
        """The record of a game of another kind, of which only the tags are kept; what is wrong with it is not known."""
        self.game.faults.clear()
        self.spots["/game"] = self.game.at("gamecode")
        hands = len(self.game.value("deal").partition(":")[2].split())
        key = re.sub("[^A-Za-z0-9_]", "_", f"_{code}" if code[0].isdigit() else code).lower()[:64]
        return self.about(key, [Player(seat=seat) for seat in TABLES.get(hands, SEATS)], [])

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
        if re.fullmatch("0*[1-9][0-9]{0,6}", board, re.ASCII) and int(board) <= 1_000_000:
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
        self.ending = len(sizes) == 1 and max(sizes) < TRICKS
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

    def contract(self, said: Heard | None) -> tuple[str | None, str | None, bool]:
        """The strain of the contract and who declares, as far as they are known; whether the deal was passed out.

        What no tag says is taken from the auction.
        """
        game = self.game
        text, declarer = re.sub(r"\s", "", game.value("contract")), self.seat("declarer")
        stated, passed = text not in UNTOLD, bool(_PASSED.fullmatch(text))
        bid = re.sub("X+$", lambda doubled: doubled[0].lower(), text.upper()) if stated and not passed else None
        strain = bridge.strain(bid) if bid else None
        if bid and strain is None:
            game.fault(game.at("contract"), f"{shown(text)} is no contract, such as 4H, 3NTX or Pass")
            return None, declarer, False
        if said:
            compare(game, said, bid, declarer, passed)
        if said and not stated:
            bid, passed = said.bid, not said.bid
            strain = bridge.strain(bid) if bid else None
        if passed or not bid:
            return None, declarer, passed
        spots = {"": said.at if said and not stated else game.at("contract"), "/by": game.at("declarer")}
        if said and said.strain == strain and game.value("declarer") in UNTOLD:
            declarer, spots["/by"] = said.declarer, said.at
        by = None if self.ending and self.led_from(declarer) else declarer
        self.deal["events"].append({"do": "contract", "bid": bid} | ({"by": by} if by else {}))
        self.spots |= {f"/deals/0/events/0{part}": at for part, at in spots.items()}
        self.used |= {"contract"} if stated else set()
        self.used |= {"declarer"} if by and game.value("declarer").upper() == by else set()
        return strain, by, False

    def led_from(self, declarer: str | None) -> bool:
        """Whether somebody else is on lead, as in an end position, than the player to the left of the declarer."""
        first = self.game.value("play").upper()
        return declarer is not None and first in SEATS and SEATS.index(first) != (SEATS.index(declarer) + 1) % len(SEATS)

    def play(self, contract: str | None, declarer: str | None, passed: bool) -> PlaySection | None:
        """The play, in its order."""
        tag = self.game.tags.get("play")
        if tag is None:
            return None
        play = PlaySection(tag, self.game.fault)
        first = self.seat("play")
        if play.begun and first is None and tag.value.strip() in UNTOLD:
            self.game.fault(tag.at, "the play does not say whose the first column is")
        known = {"Deal": self.deal.get("hands"), "Declarer": declarer, "Contract": contract}
        lacking = [name for name, there in known.items() if not there and self.game.value(name.lower()) in UNTOLD]
        if passed and play.begun:
            self.game.fault(tag.at, "cards are played, but the deal was passed out", "FMT017")
        elif lacking and (first or play.begun) and not passed:
            self.game.fault(tag.at, f"the play has no {' and no '.join(lacking)}", "FMT018")
        if first is not None:
            self.ordered(play, SEATS.index(first), contract, declarer)
        return play

    def ordered(self, play: PlaySection, first: int, contract: str | None, declarer: str | None) -> None:
        """Take the play into the deal."""
        events = self.deal["events"]
        leader = first if declarer is None else (SEATS.index(declarer) + 1) % len(SEATS)
        if not (events and declarer):
            self.deal["leader"] = SEATS[leader]
            self.spots["/deals/0/leader"] = play.tag.at
        hands = self.deal.get("hands", {})
        whole = {place: hands[seat] for place, seat in enumerate(SEATS) if seat in hands and UNKNOWN not in hands[seat]}
        play.order(first, leader, bridge.order(Sight((), contract, 1, 0)), whole)
        self.spots |= {f"/deals/0/events/{place}": at for place, at in enumerate(play.spots, len(events))}
        self.comments += [{"event": number + len(events), "text": text} for number, text in play.remarks]
        events += play.events
        over = len(play.events) == len(SEATS) * TRICKS
        self.deal["status"] = "complete" if over else {"*": "claimed", "+": "in_progress"}.get(play.end, "stopped")
        if play.whole:
            self.used.add("play")

    def result(self, play: PlaySection | None, declarer: str | None, passed: bool) -> None:
        """Read the result, and see whether it can be so."""
        text, at = self.game.value("result"), self.game.at("result")
        stated = text.removeprefix("^").strip()
        sides = {side.upper(): int(tricks) for side, tricks in re.findall(_TRICKS, stated, re.IGNORECASE)}
        if text in UNTOLD:
            return
        if not _RESULT.fullmatch(stated):
            self.game.fault(at, f"{shown(text)} is no result, such as 9 or NS 9 EW 4")
        elif passed and any(sides.values()):
            self.game.fault(at, f"the result is {shown(text)}, but the deal was passed out", "FMT017")
        elif len(sides) == 2 and sum(sides.values()) != TRICKS:
            self.differs("TRK004", at, found=sum(sides.values()), due=TRICKS)
        elif declarer and not self.ending and text == stated:  # one with ^ was given by somebody, whatever was played
            self.tricks(play, declarer, sides)

    def tricks(self, play: PlaySection | None, declarer: str, sides: dict[str, int]) -> None:
        """Compare the declarer's tricks with those taken, and let them divide the rest if that was claimed."""
        side, other = ("NS", "EW") if declarer in "NS" else ("EW", "NS")
        stated = sides[other] if other in sides else TRICKS - sides.get(side, sides.get("", 0))
        won = dict(zip(SEATS, play.won if play else [0] * 4, strict=True))
        least, most = sum(won[seat] for seat in side), TRICKS - sum(won[seat] for seat in other)
        if not least <= TRICKS - stated <= most:
            due = str(least) if least == most else f"{least} to {most}"
            self.differs("TRK002", self.game.at("result"), seat=side, found=TRICKS - stated, due=due)
        elif play and play.whole and self.deal["status"] == "claimed" and sum(play.won) == len(play.events) // len(SEATS):
            left = {declarer: TRICKS - stated - least, SEATS[(SEATS.index(declarer) + 1) % 4]: stated - (TRICKS - most)}
            self.spots[f"/deals/0/events/{len(self.deal['events'])}"] = play.end_at
            self.deal["events"].append({"do": "claim", "by": declarer, "tricks": left})

    def differs(self, code: str, at: int, **facts: Any) -> None:
        """Note a number that is not what it should be, under the rule that says so."""
        self.game.faults.append((at, bridge.GAME.rule(code), facts))

    def comment(self, play: PlaySection | None) -> None:
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
