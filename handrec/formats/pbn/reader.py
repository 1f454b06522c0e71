"""Games to records: the tags that say what was dealt and played, and everything else as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator
from functools import cached_property, lru_cache
from typing import Any

from pydantic import ValidationError

from handrec.cards import UNKNOWN
from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.formats.boards import SEATS, excerpt, nearest
from handrec.formats.pbn.calls import AuctionSection, Heard, heard
from handrec.formats.pbn.games import UNTOLD, PbnGame, Tag, decoded, games, tidied
from handrec.formats.pbn.play import SUITS, TRICKS, WRITTEN, PlaySection
from handrec.formats.pbn.tags import (
    DERIVED,
    MANDATORY,
    NAMES,
    OF_DEAL,
    OF_RECORD,
    OPTIONS,
    OTHER,
    REST,
    SCORES,
    SPELLED,
    VULNERABLE_READ,
    amount,
    quoted,
    side_of,
    sided,
)
from handrec.formats.strict import Places, decode, shown
from handrec.game import Sight
from handrec.games import bridge
from handrec.limits import MAX_FINDINGS, MAX_TEXT
from handrec.phases.bidding import PASS
from handrec.record import Deal, Event, Player, Record
from handrec.referee.form import FORM
from handrec.versions import version_of

#: The seats at tables of so many in PTN, which is PBN for other games.
TABLES = {
    2: ("S", "N"), 3: ("S", "W", "E"), 4: SEATS, 5: ("S", "SW", "NW", "NE", "SE"), 6: ("S", "SW", "NW", "N", "NE", "SE"),
}  # fmt: skip

_RANK = re.compile("10|.", re.DOTALL)
_SPACE = re.compile(r"[\s\x1a]+", re.ASCII)
_PASSED = re.compile(r"(all)?pass(ed)?(out)?", re.IGNORECASE)

#: So many games of a file must show what may be a slip of one, before it is a habit of the file.
MANY = {"passes": 3, "double": 3}

Claims = dict[str, dict[str, Any]]


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
        self.event_spots: list[Callable[[], list[int]]] = []  # of events that came together
        self.hand_spots: dict[str, tuple[int, str]] = {}
        self.used: set[str] = set()
        self.ending = False  # the hands are those of an end position
        self.deal: dict[str, Any] = {"status": "stopped", "events": []}
        self.events: list[Event] = []
        self.comments: list[dict[str, Any]] = []
        self.sides: Claims = {}
        self.derived = frozenset(game.value(DERIVED.lower()).split())  # tags that say what follows from the rest
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
        number = self.deal.get("number")
        findings = [
            Finding(fault, facts, deal=number, location=self.places.at(at))
            for at, fault, facts in sorted(game.faults, key=lambda fault: fault[0])
        ]
        return Reading(record, tuple(findings), self.locate)

    def locate(self, pointer: str) -> Location:
        """The place of a part of the record, or of what it is a part of."""
        return self.places.at(nearest(pointer, self.all_spots) or 0)

    @cached_property
    def all_spots(self) -> dict[str, int]:
        """The places of all parts, cards of hands and events among them."""
        events = (at for places in self.event_spots for at in places())
        spots = self.spots | {f"/deals/0/events/{place}": at for place, at in enumerate(events)}
        for seat, (at, text) in self.hand_spots.items():
            ranks = enumerate(rank.start() for rank in _RANK.finditer(text) if rank[0] not in ".-")
            spots |= {f"/deals/0/hands/{seat}": at} | {f"/deals/0/hands/{seat}/{place}": at + start for place, start in ranks}
        return spots

    def record(self) -> Record:
        """The record, whatever could be read of it."""
        self.beside = self.more()
        if (code := self.game.value("gamecode")).lower() not in ("", "bridge"):
            return self.foreign(code)
        players = [self.player(seat) for seat in SEATS]
        self.board()
        self.hands()
        auction = self.auction()
        contract, declarer, passed = self.contract(heard(auction.calls) if auction else None)
        play = self.play(contract, declarer, passed)
        if passed and not any(event.do == "play" for event in self.events):
            self.deal["status"] = "complete"
        elif auction and auction.end == "+" and not (play and play.begun):
            self.deal["status"] = "in_progress"
        self.result(play, declarer, passed)
        self.scores(declarer)
        if self.sides:
            self.deal["claimed"] = {"sides": self.sides}
        self.comment(auction, play)
        return self.about("bridge", players, self.deal)

    def about(self, game: str, players: list[Player], deal: dict[str, Any] | None) -> Record:
        """The record of a game, with what it came from and what is nowhere else in it."""
        kept = {"pbn": rest} if (rest := self.rest()) else {}
        try:
            return self.stated(game, players, deal, kept, self.beside)
        except ValidationError:
            if not self.beside:
                raise
        self.game.fault(self.game.at(REST.lower()), f"what {REST} says is not of a record")
        return self.stated(game, players, deal, kept, {})

    def stated(
        self, game: str, players: list[Player], deal: dict[str, Any] | None, kept: dict[str, Any], more: dict[str, Any]
    ) -> Record:
        """The record, with what there is more of it and of its deal."""
        deals = [] if deal is None else [Deal.model_validate(_with(deal, more.get("deal", {}), OF_DEAL))]
        for made in deals:
            made.events.extend(self.events)
        record = excerpt(self.name, self.place, deals, kept, players, game)
        if game == "bridge" and (options := OPTIONS.get(self.game.value("scoring").lower())):
            record = record.model_copy(update={"options": options})
            self.spots["/options"] = self.game.at("scoring")
        if not more:
            return record
        data = {field: getattr(record, field) for field in record.model_fields_set}
        data = _with(data, more | {"extensions": kept | more.get("extensions", {})}, OF_RECORD)
        record = Record.model_validate(data)
        return record.model_copy(update={"version": version_of(record.deals, record.claimed)})

    def more(self) -> dict[str, Any]:
        """What the file says of the record for which PBN has no tag: an object, with one for the deal in it."""
        self.used |= {DERIVED.lower(), REST.lower()}
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
        self.spots["/game"] = self.game.at("gamecode")
        hands = len(self.game.value("deal").partition(":")[2].split())
        key = re.sub("[^A-Za-z0-9_]", "_", f"_{code}" if code[0].isdigit() else code).lower()[:64]
        return self.about(key, [Player(seat=seat) for seat in TABLES.get(hands, SEATS)], None)

    def player(self, seat: str) -> Player:
        """Who sat there."""
        key = NAMES[seat].lower()
        name = self.game.value(key)
        if name in UNTOLD or len(name) > MAX_TEXT:
            return _player(seat, None)
        self.used.add(key)
        self.spots[f"/players/{SEATS.index(seat)}"] = self.game.at(key)
        return _player(seat, name)

    def board(self) -> None:
        """The board's number, if it has one that a deal may have, its dealer and who is vulnerable; all else is kept as it is."""
        board = self.game.value("board")
        if re.fullmatch("0*[1-9][0-9]{0,6}", board, re.ASCII) and int(board) <= 1_000_000:
            self.deal |= {"number": int(board), "board": int(board)}
            self.used.add("board")
        if dealer := self.seat("dealer"):
            self.deal["dealer"] = dealer
            self.used.add("dealer")
        vulnerable = self.game.value("vulnerable")
        if said := VULNERABLE_READ.get(vulnerable.lower()):
            self.deal["vulnerable"] = said
            self.used.add("vulnerable")
        elif vulnerable not in UNTOLD:
            self.game.fault(self.game.at("vulnerable"), f"{shown(vulnerable)} is not None, NS, EW or All")
        self.spots |= {f"/deals/0/{key}": self.game.at(key) for key in ("number", "board", "dealer", "vulnerable")}

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
        if "-" in suits:
            self.game.habits["void"] = at, "a suit of which a hand has no card is empty in PBN, and here '-'"
            suits = ["" if suit == "-" else suit for suit in suits]
        if len(suits) != len(SUITS) or len(text) > 256:
            self.game.fault(at, f"{seat}'s hand {shown(text)} is not four suits with dots between")
            return None
        held = [*map(_holding, SUITS, suits)]
        if None in held:
            bad = next(rank for rank in _RANK.finditer(text) if rank[0] != "." and rank[0].upper() not in WRITTEN)
            self.game.fault(at + bad.start(), f"{shown(bad[0])} in {seat}'s hand is no rank")
            return None
        self.hand_spots[seat] = at, text
        return [card for cards in held for card in cards or ()]

    def auction(self) -> AuctionSection | None:
        """The calls, if it is known whose they are."""
        tag = self.game.tags.get("auction")
        if tag is None or tag.value.strip().upper() not in SEATS:
            return None
        auction = AuctionSection(tag, self.game.fault)
        self.events += auction.events
        self.event_spots.append(lambda: auction.spots)
        self.comments += [{"event": place + 1, **said} for place, remarks in auction.noted.said.items() for said in remarks]
        if auction.whole and (auction.calls or not tag.words):
            self.used.add("auction")
        return auction

    def contract(self, said: Heard | None) -> tuple[str | None, str | None, bool]:
        """The strain of the contract and who declares, as far as they are known; whether the deal was passed out.

        What no tag says is taken from the calls, and is then no event.
        """
        game = self.game
        text, declarer = re.sub(r"\s", "", game.value("contract")), self.seat("declarer")
        stated, passed = text not in UNTOLD, bool(_PASSED.fullmatch(text))
        bid = re.sub("(?<=[1-7])N(?!T)", "NT", re.sub("X+$", lambda risk: risk[0].lower(), text.upper()))
        strain = bridge.strain(bid) if stated and not passed else None
        if stated and not passed and strain is None:
            game.fault(game.at("contract"), f"{shown(text)} is no contract, such as 4H, 3NTX or Pass")
            return None, declarer, False
        self.used |= {"contract"} if stated else set()
        if said and self.follows("Contract", PASS if passed else bid, said.bid or PASS):
            stated = False
        if said and self.follows("Declarer", declarer or "", said.declarer or ""):
            declarer = None
            self.used.add("declarer")
        if not stated:
            strain, passed = (said.strain or None, not said.bid) if said else (None, False)
            return strain, declarer or (said.declarer if said else None), passed
        by = None if passed or (self.ending and self.led_from(declarer)) or self.irregular(said, declarer) else declarer
        self.spots[f"/deals/0/events/{len(self.events)}/by"] = game.at("declarer")
        self.take({"do": "contract", "bid": PASS if passed else bid} | ({"by": by} if by else {}), game.at("contract"))
        self.used |= {"declarer"} if by and game.value("declarer").upper() == by else set()
        if by is None and said and said.strain == strain and declarer is None:
            by = said.declarer
        return strain, by, passed

    def take(self, event: dict[str, Any], at: int) -> None:
        """Take an event that is no call and no card."""
        self.events += Deal.model_validate({"events": [event]}).events
        self.event_spots.append(lambda: [at])

    def follows(self, tag: str, stated: str, due: str) -> bool:
        """Whether a tag is one that was stated by nobody: the file says so, and it says what follows from the rest."""
        return tag in self.derived and stated == due

    def irregular(self, said: Heard | None, declarer: str | None) -> bool:
        """Whether somebody else declares than would after the calls, and the file says that it is so (`^`)."""
        return (
            declarer is not None
            and self.game.value("declarer").startswith("^")
            and said is not None
            and said.declarer != declarer
        )

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
        if lacking and (first or play.begun) and not passed:
            self.game.fault(tag.at, f"the play has no {' and no '.join(lacking)}", "FMT018")
        if first is not None:
            self.ordered(play, SEATS.index(first), contract, declarer)
        return play

    def ordered(self, play: PlaySection, first: int, contract: str | None, declarer: str | None) -> None:
        """Take the play into the deal."""
        events = self.events
        leader = first if declarer is None else (SEATS.index(declarer) + 1) % len(SEATS)
        if declarer is None:
            self.deal["leader"] = SEATS[leader]
            self.spots["/deals/0/leader"] = play.tag.at
        hands = self.deal.get("hands", {})
        whole = {place: hands[seat] for place, seat in enumerate(SEATS) if seat in hands and UNKNOWN not in hands[seat]}
        play.order(first, leader, bridge.order(Sight((), contract, 1, 0)), whole)
        self.event_spots.append(lambda: play.spots)
        self.comments += [{"event": number + len(events), **said} for number, said in play.remarks]
        events += play.events
        over = len(play.events) == len(SEATS) * TRICKS
        self.deal["status"] = "complete" if over else {"*": "claimed", "+": "in_progress"}.get(play.end, "stopped")
        if play.whole:
            self.used.add("play")

    def result(self, play: PlaySection | None, declarer: str | None, passed: bool) -> None:
        """Read the result, and see whether it can be so."""
        text, at = self.game.value("result"), self.game.at("result")
        numbers = sided(text.removeprefix("^"), declarer)
        if text in UNTOLD:
            return
        if numbers is None or not all(re.fullmatch("[0-9]{1,2}", number) for number in numbers.values()):
            self.game.fault(at, f"{shown(text)} is no result, such as 9 or NS 9 EW 4")
            return
        tricks = {side: int(number) for side, number in numbers.items()}
        if passed and any(tricks.values()):
            self.game.fault(at, f"the result is {shown(text)}, but the deal was passed out", "FMT017")
        if text.startswith("^") or "" in tricks:  # it was given by somebody, whatever was played; or it is not known whose it is
            return
        agree = len(tricks) == 1 or sum(tricks.values()) == TRICKS
        follows = declarer and not self.ending and agree and self.tricks(play, declarer, tricks)
        self.used.add("result")
        if not (follows and "Result" in self.derived):
            for side, many in tricks.items():
                self.claims(side, "tricks", many, "result")

    def tricks(self, play: PlaySection | None, declarer: str, tricks: dict[str, int]) -> bool:
        """Let the declarer's tricks divide the rest if that was claimed; whether no other result could be.

        Of play that is recorded to its end, whether they are those that were taken is the referee's to say.
        """
        side = side_of(declarer)
        other = OTHER[side]
        stated = tricks.get(other, TRICKS - tricks.get(side, 0))
        won = dict(zip(SEATS, play.won if play else [0] * 4, strict=True))
        least, most = sum(won[seat] for seat in side), TRICKS - sum(won[seat] for seat in other)
        if not least <= TRICKS - stated <= most and not (play and len(play.events) == len(SEATS) * TRICKS):
            due = str(least) if least == most else f"{least} to {most}"
            facts = {"seat": side, "found": TRICKS - stated, "due": due}
            self.game.faults.append((self.game.at("result"), bridge.GAME.rule("TRK002"), facts))
        if not (play and play.whole and least <= TRICKS - stated <= most and sum(play.won) == len(play.events) // len(SEATS)):
            return False
        if self.deal["status"] == "claimed":
            left = {declarer: TRICKS - stated - least, SEATS[(SEATS.index(declarer) + 1) % 4]: stated - (TRICKS - most)}
            self.take({"do": "claim", "by": declarer, "tricks": left}, play.end_at)
        return least == most or self.deal["status"] == "claimed"

    def scores(self, declarer: str | None) -> None:
        """What the sides scored; what is no number of a record is kept as it is."""
        for tag, name in SCORES.items():
            text, key = self.game.value(tag.lower()), tag.lower()
            if text in UNTOLD:
                continue
            numbers = sided(text, declarer)
            if numbers is None:
                self.game.fault(self.game.at(key), f"{shown(text)} is no score, such as NS 420 or -50")
                continue
            found = {side: amount(each, decimals=name != "score") for side, each in numbers.items()}
            if "" not in found and None not in found.values():
                self.used.add(key)
                for side, each in found.items():
                    self.claims(side, name, each, key)

    def claims(self, side: str, name: str, value: Any, key: str) -> None:
        """Take down what a tag says of a side, unless the file says besides that nobody said that of it: then the tag is kept."""
        beside = self.beside.get("deal", {})
        if "claimed" in beside and _within(beside, "claimed", "sides", side, name) != value:
            self.used -= {key} if SPELLED[key] not in self.derived else set()
            return
        self.sides.setdefault(side, {})[name] = value
        self.spots[f"/deals/0/claimed/sides/{side}/{name}"] = self.game.at(key)
        self.spots.setdefault("/deals/0/claimed", self.game.at(key))

    def comment(self, auction: AuctionSection | None, play: PlaySection | None) -> None:
        """All that was said, in pieces that a comment can hold."""
        told = self.game.comments or (play and play.closing)
        where: dict[str, int] = {event.do: number for number, event in enumerate(self.events, 1)} if told else {}
        for key, text in self.game.comments:
            self.comments.append({"text": text} | ({"event": where["contract"]} if key == "contract" in where else {}))
        self.comments += [*(auction.unsaid() if auction else ()), *(play.unsaid() if play else ())]
        if play and play.closing:
            last = where.get("claim") or where.get("play")
            self.comments += [said | ({"event": last} if last else {}) for said in play.closing]
        whole = [piece for comment in self.comments for piece in _pieces(comment)]
        if len(whole) > MAX_TEXT:
            self.game.faults.append((self.game.start, FORM["FMT002"], {"what": "the number of comments", "limit": MAX_TEXT}))
        if whole:
            self.deal["comments"] = sorted(whole[:MAX_TEXT], key=lambda comment: int(comment.get("event", 0)))

    def rest(self) -> dict[str, str]:
        """The tags that are nowhere else in the record, with the words of their sections; mandatory ones if they say anything."""
        kept = [(key, tag, _text(tag)) for key, tag in self.game.tags.items() if key not in self.used]
        self.spots |= {f"/extensions/pbn/{tag.name}": tag.at for _, tag, _ in kept if tag.section}
        return {SPELLED.get(key, tag.name): text for key, tag, text in kept if text or SPELLED.get(key) not in MANDATORY}


@lru_cache(1000)
def _player(seat: str, name: str | None) -> Player:
    return Player(seat=seat) if name is None else Player(seat=seat, name=name)


@lru_cache(10_000)
def _holding(suit: str, ranks: str) -> tuple[str, ...] | None:
    """The cards of a suit in a hand; None if one is none."""
    found = [WRITTEN.get(rank.upper()) for rank in _RANK.findall(ranks)]
    return None if None in found else tuple([f"{rank}{suit}" for rank in found])


def _within(data: Any, *keys: str) -> Any:
    """What stands under these keys, each within the one before; None if nothing does."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _with(data: dict[str, Any], more: dict[str, Any], fields: Collection[str]) -> dict[str, Any]:
    """Data with more of these fields; what is null there was not recorded, whatever the data say."""
    data = data | {field: value for field, value in more.items() if field in fields}
    return {field: value for field, value in data.items() if value is not None and value != {}} if more else data


def _pieces(comment: dict[str, Any]) -> list[dict[str, Any]]:
    """A comment, and what of it is too long as further ones, which are no notes."""
    text = comment["text"]
    further = {key: value for key, value in comment.items() if key != "kind"}
    rest = [further | {"text": tidied(text[start : start + MAX_TEXT])} for start in range(MAX_TEXT, len(text), MAX_TEXT)]
    return [comment | {"text": tidied(text[:MAX_TEXT])}, *(piece for piece in rest if piece["text"])]


def _text(tag: Tag) -> str:
    """A tag's value, and the words and notes of its section, in their lines."""
    said = (f"{{{text.text}}}" if text.comment else _SPACE.sub(_between, text.text) for text in tag.words or ())
    words = "".join(("\n" if text.fresh else " ") + each for text, each in zip(tag.words or (), said, strict=True)).strip()
    return "\n".join([tag.value, *([words] if words else []), *(f"[Note {quoted(note.text)}]" for note in tag.notes or ())])


def _between(space: re.Match[str]) -> str:
    return "\n" if "\n" in space[0] else " "
