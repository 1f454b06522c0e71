"""What the tags of a game say of its deal: the board, who held and called and played what, and what came of it."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from handrec.cards import UNKNOWN
from handrec.formats.boards import SEATS
from handrec.formats.pbn import hands
from handrec.formats.pbn.calls import AuctionSection, Heard, heard
from handrec.formats.pbn.games import UNTOLD, PbnGame, tidied
from handrec.formats.pbn.play import TRICKS, PlaySection
from handrec.formats.pbn.tags import DERIVED, OTHER, SCORES, SPELLED, VULNERABLE_READ, amount, side_of, sided
from handrec.formats.strict import shown
from handrec.game import Sight
from handrec.games import bridge
from handrec.limits import MAX_TEXT
from handrec.phases.bidding import PASS
from handrec.record import Claim, Contract, Event
from handrec.referee.form import FORM

_PASSED = re.compile(r"(all)?pass(ed)?(out)?", re.IGNORECASE)
_NUMBER = re.compile("0*([1-9][0-9]{0,6})", re.ASCII)
_TRICKS = re.compile("[0-9]{1,2}", re.ASCII)
_SPACES, _DOUBLES, _NO_TRUMP = re.compile(r"\s+"), re.compile("X+$"), re.compile("(?<=[1-7])N(?!T)")

#: The tags of what sides took and scored, by its name in a record.
_CLAIMED = {"tricks": "result"} | {name: tag.lower() for tag, name in SCORES.items()}
#: The tags of the other parts of a deal.
_PARTS = {
    "/deals/0/number": "board", "/deals/0/board": "board", "/deals/0/dealer": "dealer", "/deals/0/vulnerable": "vulnerable",
    "/deals/0/leader": "play",
}  # fmt: skip


class PbnBoard:
    """The deal of a game while it is read.

    `deal` holds its fields but for `hands`, `events` and what the sides claim, `used` the tags of which nothing is left. `beside`
    is what the file says of the deal for which PBN has no tag.
    """

    def __init__(self, game: PbnGame, beside: dict[str, Any]) -> None:
        self.game, self.beside = game, beside
        self.used: set[str] = set()
        self.ending = False  # the hands are those of an end position
        self.deal: dict[str, Any] = {"status": "stopped"}
        self.hands: dict[str, list[str]] = {}
        self.events: list[Event] = []
        self.comments: list[dict[str, Any]] = []
        self.sides: dict[str, dict[str, Any]] = {}
        self.derived = frozenset(game.value(DERIVED.lower()).split())  # tags that say what follows from the rest
        self._places: list[Callable[[], list[int]]] = []  # of events that came together
        self._read()

    def _read(self) -> None:
        self._heading()
        self._hands()
        auction = self._auction()
        contract, declarer, passed = self._contract(heard(auction.calls) if auction else None)
        play = self._play(contract, declarer, passed)
        if passed and not (play and play.events):
            self.deal["status"] = "complete"
        elif auction and auction.end == "+" and not (play and play.begun):
            self.deal["status"] = "in_progress"
        self._result(play, declarer, passed)
        self._scores(declarer)
        if self.sides:
            self.deal["claimed"] = {"sides": self.sides}
        self._comment(auction, play)

    def spots(self) -> dict[str, int]:
        """The places of all parts of the deal."""
        game = self.game
        events = (at for places in self._places for at in places())
        found = {f"/deals/0/events/{place}": at for place, at in enumerate(events)} | hands.spots(game)
        found |= {part: game.tags[key].at for part, key in _PARTS.items() if key in game.tags}
        found |= {f"/deals/0/events/{n}/by": game.at("declarer") for n, event in enumerate(self.events) if event.do == "contract"}
        for side, numbers in self.sides.items():
            for name in numbers:
                at = game.at(_CLAIMED[name])
                found[f"/deals/0/claimed/sides/{side}/{name}"] = at
                found.setdefault("/deals/0/claimed", at)
        return found

    def _heading(self) -> None:
        """The board's number, if it has one that a deal may have, its dealer and who is vulnerable; all else is kept as it is."""
        match = _NUMBER.fullmatch(self.game.value("board"))
        if match and (number := int(match[1])) <= 1_000_000:
            self.deal |= {"number": number, "board": number}
            self.used.add("board")
        if dealer := self._seat("dealer"):
            self.deal["dealer"] = dealer
            self.used.add("dealer")
        vulnerable = self.game.value("vulnerable")
        if said := VULNERABLE_READ.get(vulnerable.lower()):
            self.deal["vulnerable"] = said
            self.used.add("vulnerable")
        elif vulnerable not in UNTOLD:
            self.game.fault(self.game.at("vulnerable"), f"{shown(vulnerable)} is not None, NS, EW or All")

    def _seat(self, key: str) -> str | None:
        """The seat that a tag names."""
        text = self.game.value(key)
        seat = text.removeprefix("^").upper() if key == "declarer" else text.upper()
        if seat in SEATS:
            return seat
        if text not in UNTOLD:
            self.game.fault(self.game.at(key), f"{shown(text)} is no seat; the seats are {' '.join(SEATS)}")
        return None

    def _hands(self) -> None:
        """The hands that are known."""
        if self.game.value("deal") not in UNTOLD and (dealt := hands.dealt(self.game)):
            self.hands, self.ending = dealt.hands, dealt.ending
            if dealt.whole:
                self.used.add("deal")

    def _auction(self) -> AuctionSection | None:
        """The calls, if it is known whose they are."""
        tag = self.game.tags.get("auction")
        if tag is None or tag.value.strip().upper() not in SEATS:
            return None
        auction = AuctionSection(tag, self.game.fault)
        self.events += auction.events
        self._places.append(lambda: [*map(auction.spots.at, range(len(auction.calls)))])
        self.comments += [{"event": place + 1, **said} for place, remarks in auction.noted.said.items() for said in remarks]
        if auction.whole and (auction.calls or not tag.words):
            self.used.add("auction")
        return auction

    # --- the contract ---

    def _contract(self, said: Heard | None) -> tuple[str | None, str | None, bool]:
        """The strain of the contract and who declares, as far as they are known; whether the deal was passed out.

        What no tag says is taken from the calls, and is then no event.
        """
        game = self.game
        text, declarer = game.value("contract"), self._seat("declarer")
        bid, strain, passed = _bid(text)
        stated = text not in UNTOLD
        if stated and not passed and strain is None:
            game.fault(game.at("contract"), f"{shown(text)} is no contract, such as 4H, 3NTX or Pass")
            return None, declarer, False
        if stated:
            self.used.add("contract")
        if said and self._follows("Contract", bid, said.bid or PASS):
            stated = False
        if said and self._follows("Declarer", declarer or "", said.declarer or ""):
            declarer = None
            self.used.add("declarer")
        if not stated:
            strain, passed = (said.strain or None, not said.bid) if said else (None, False)
            return strain, declarer or (said.declarer if said else None), passed
        by = None if passed or (self.ending and self._led_from(declarer)) or self._irregular(said, declarer) else declarer
        self._take(_contract(bid, by), game.at("contract"))
        if by and game.value("declarer").upper() == by:
            self.used.add("declarer")
        if by is None and said and said.strain == strain and declarer is None:
            by = said.declarer
        return strain, by, passed

    def _take(self, event: Event, at: int) -> None:
        """Take an event that is no call and no card."""
        self.events.append(event)
        self._places.append(lambda: [at])

    def _follows(self, tag: str, stated: str, due: str) -> bool:
        """Whether a tag is one that was stated by nobody: the file says so, and it says what follows from the rest."""
        return tag in self.derived and stated == due

    def _irregular(self, said: Heard | None, declarer: str | None) -> bool:
        """Whether somebody else declares than would after the calls, and the file says that it is so (`^`)."""
        marked = declarer is not None and self.game.value("declarer").startswith("^")
        return marked and said is not None and said.declarer != declarer

    def _led_from(self, declarer: str | None) -> bool:
        """Whether somebody else is on lead, as in an end position, than the player to the left of the declarer."""
        first = self.game.value("play").upper()
        return declarer is not None and first in SEATS and SEATS.index(first) != (SEATS.index(declarer) + 1) % len(SEATS)

    # --- the play ---

    def _play(self, contract: str | None, declarer: str | None, passed: bool) -> PlaySection | None:
        """The play, in its order."""
        tag = self.game.tags.get("play")
        if tag is None:
            return None
        play = PlaySection(tag, self.game.fault)
        first = self._seat("play")
        if play.begun and first is None and tag.value.strip() in UNTOLD:
            self.game.fault(tag.at, "the play does not say whose the first column is")
        known = {"Deal": self.hands, "Declarer": declarer, "Contract": contract}
        lacking = [name for name, there in known.items() if not there and self.game.value(name.lower()) in UNTOLD]
        if lacking and (first or play.begun) and not passed:
            self.game.fault(tag.at, f"the play has no {' and no '.join(lacking)}", "FMT018")
        if first is not None:
            self._ordered(play, SEATS.index(first), contract, declarer)
        return play

    def _ordered(self, play: PlaySection, first: int, contract: str | None, declarer: str | None) -> None:
        """Take the play into the deal."""
        leader = first if declarer is None else (SEATS.index(declarer) + 1) % len(SEATS)
        if declarer is None:
            self.deal["leader"] = SEATS[leader]
        whole = {SEATS.index(seat): cards for seat, cards in self.hands.items() if UNKNOWN not in cards}
        play.order(first, leader, bridge.order(Sight((), contract, 1, 0)), whole)
        self._places.append(lambda: [*map(play.spots.at, play.places)])
        if play.remarks:
            self.comments += [{"event": number + len(self.events), **said} for number, said in play.remarks]
        self.events += play.events
        over = len(play.events) == len(SEATS) * TRICKS
        self.deal["status"] = "complete" if over else {"*": "claimed", "+": "in_progress"}.get(play.end, "stopped")
        if play.whole:
            self.used.add("play")

    # --- what came of it ---

    def _result(self, play: PlaySection | None, declarer: str | None, passed: bool) -> None:
        """Read the result, and see whether it can be so."""
        text, at = self.game.value("result"), self.game.at("result")
        if text in UNTOLD:
            return
        numbers = sided(text.removeprefix("^"), declarer)
        if numbers is None or not all(map(_TRICKS.fullmatch, numbers.values())):
            self.game.fault(at, f"{shown(text)} is no result, such as 9 or NS 9 EW 4")
            return
        tricks = {side: int(number) for side, number in numbers.items()}
        if passed and any(tricks.values()):
            self.game.fault(at, f"the result is {shown(text)}, but the deal was passed out", "FMT017")
        if text.startswith("^") or "" in tricks:  # it was given by somebody, whatever was played; or it is not known whose it is
            return
        agree = len(tricks) == 1 or sum(tricks.values()) == TRICKS
        follows = declarer and not self.ending and agree and self._tricks(play, declarer, tricks)
        self.used.add("result")
        if not (follows and "Result" in self.derived):
            for side, many in tricks.items():
                self._claims(side, "tricks", many)

    def _tricks(self, play: PlaySection | None, declarer: str, tricks: dict[str, int]) -> bool:
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
            self._take(Claim(do="claim", by=declarer, tricks=left), play.end_at)
        return least == most or self.deal["status"] == "claimed"

    def _scores(self, declarer: str | None) -> None:
        """What the sides scored; what is no number of a record is kept as it is."""
        for tag, name in SCORES.items():
            key = tag.lower()
            text = self.game.value(key)
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
                    self._claims(side, name, each)

    def _claims(self, side: str, name: str, value: Any) -> None:
        """Take down what a tag says of a side, unless the file says besides that nobody said that of it: then the tag is kept."""
        if "claimed" in self.beside and _within(self.beside, "claimed", "sides", side, name) != value:
            key = _CLAIMED[name]
            self.used -= {key} if SPELLED[key] not in self.derived else set()
            return
        self.sides.setdefault(side, {})[name] = value

    def _comment(self, auction: AuctionSection | None, play: PlaySection | None) -> None:
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


@lru_cache(1000)
def _bid(text: str) -> tuple[str, str | None, bool]:
    """A contract as a record has it, its strain (None if it is no contract), and whether all passed."""
    bare = _SPACES.sub("", text)
    if _PASSED.fullmatch(bare):
        return PASS, None, True
    bid = _NO_TRUMP.sub("NT", _DOUBLES.sub(lambda risk: risk[0].lower(), bare.upper()))
    return bid, bridge.strain(bid), False


@lru_cache(1000)
def _contract(bid: str, by: str | None) -> Contract:
    return Contract(do="contract", bid=bid, by=by) if by else Contract(do="contract", bid=bid)


def _within(data: Any, *keys: str) -> Any:
    """What stands under these keys, each within the one before; None if nothing does."""
    for key in keys:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _pieces(comment: dict[str, Any]) -> list[dict[str, Any]]:
    """A comment, and what of it is too long as further ones, which are no notes."""
    text = comment["text"]
    further = {key: value for key, value in comment.items() if key != "kind"}
    rest = [further | {"text": tidied(text[start : start + MAX_TEXT])} for start in range(MAX_TEXT, len(text), MAX_TEXT)]
    return [comment | {"text": tidied(text[:MAX_TEXT])}, *(piece for piece in rest if piece["text"])]
