"""La Bâtarde: auctions and whole rubbers with any options, worked out once more from the events by a second referee."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check
from handrec.dealing import deal_game
from handrec.games import find
from tests.tables import Data, codes, cut, drop, faults, put, verdict

MODES = ["AT", "S", "H", "D", "C", "NT"]
CHOICES: dict[str, list[Any]] = {
    "identical_cards": ["bid", "first_played", "last_played", "marked", "simple"], "mark_change": ["forbidden", "as_new_trump"],
    "overcall_basis": ["proposer", "highest"], "zero_impose": [True, False], "mechoune_by": ["any", "not_proposer"],
    "choune_by": ["proposer", "any_bidder"], "mechoune_scope": ["hand", "rubber"], "overruff": ["must_if_able", "free"],
    "tie": ["shared", "play_off"],
}  # fmt: skip


def some_options(chance: Random) -> Data:
    """A random value for some of the options."""
    orders = {key: "".join(chance.sample("RDCVFMJNT", 9)) for key in ("normal_order", "trump_order")}
    values = {key: chance.choice(some) for key, some in CHOICES.items()} | orders
    return {k: v for k, v in {**values, "suit_hierarchy": chance.sample(MODES, 6)}.items() if chance.random() < 0.6}


def random_rubber(seed: int, sizes: tuple[int, int] = (1, 5)) -> Data:
    """A short rubber as plain data."""
    chance = Random(seed)
    batarde = find("batarde")
    assert batarde is not None
    options = {**some_options(chance), "deal_schedule": [chance.randint(*sizes) for _ in range(chance.randint(1, 4))]}
    record = deal_game(batarde, chance.randint(3, 7), seed, options=options)
    return record.model_dump(exclude_unset=True, by_alias=True, mode="json")


# --- the second referee ---------------------------------------------------------------------------------------------


class Auction:
    """The auction of a deal, call by call."""

    def __init__(self, seats: list[str], dealer: str, cards: int, options: Data) -> None:
        self.seats, self.cards, self.options = seats, cards, options
        self.turn = (seats.index(dealer) + 1) % len(seats)
        self.mode = self.mark = self.proposer = ""
        self.targets: dict[str, int] = {}
        self.mechouner = self.chouner = ""
        self.led = False

    @property
    def decides(self) -> bool:
        """Whether the pack that is named decides between twins, so that whoever brings a mode must name one."""
        return len(self.seats) > 4 and self.options.get("identical_cards", "bid") == "bid"

    @property
    def ended(self) -> bool:
        """Whether everybody has called in the same mode."""
        return len(self.targets) == len(self.seats)

    @property
    def times(self) -> int:
        """What the points of the hand are multiplied by."""
        return 4 if self.chouner else 2 if self.mechouner else 1

    def imposes(self, mode: str, mark: str) -> bool:
        """Whether a call brings a new mode."""
        return mode != self.mode or (self.mark not in ("", mark) and self.options.get("mark_change") == "as_new_trump")

    def well_formed(self, call: str) -> bool:
        """Whether the call is one of the game's, for no more tricks than there are."""
        marks = ["", "m", "s"] if len(self.seats) > 4 else [""]
        return call in {f"{n}{mode}{mark}" for n in range(self.cards + 1) for mode in MODES for mark in marks}

    def parts(self, call: str) -> tuple[int, str, str]:
        """Number, mode and mark of a call: who approves need not repeat the mark."""
        number = "".join(letter for letter in call if letter.isdigit())
        mode = call[len(number) :].rstrip("ms")
        mark = call[len(number) + len(mode) :]
        return int(number), mode, mark or (self.mark if mode == self.mode else "")

    def outbids(self, number: int, mode: str) -> bool:
        """Whether a call in a new mode is high enough."""
        if not self.mode:
            return True
        ranks = self.options.get("suit_hierarchy", MODES)
        highest = self.options.get("overcall_basis") == "highest"
        basis = max(self.targets.values()) if highest else self.targets[self.proposer]
        return number > basis or (number == basis and ranks.index(mode) < ranks.index(self.mode))

    def may_call(self, by: str, call: str) -> bool:
        """Whether this seat may make this call now."""
        if self.ended or self.led or by != self.seats[self.turn] or not self.well_formed(call):
            return False
        number, mode, mark = self.parts(call)
        if self.imposes(mode, mark):
            allowed = (number > 0 or self.options.get("zero_impose", True)) and (bool(mark) or not self.decides)
            return bool(allowed and not self.mechouner and self.outbids(number, mode))
        last = len(self.targets) == len(self.seats) - 1
        return self.mark in ("", mark) and not (last and sum(self.targets.values()) + number == self.cards)

    def may_say(self, by: str, what: str) -> bool:
        """Whether this seat may méchoune or choune now."""
        if what == "mechoune":
            barred = self.options.get("mechoune_by") == "not_proposer" and by == self.proposer
            return bool(self.mode) and not self.ended and not self.mechouner and not barred
        if not self.mechouner or self.mechouner == self.proposer or self.chouner or self.led:
            return False
        if self.options.get("choune_by") == "any_bidder":
            return by in self.targets and by != self.mechouner
        return by == self.proposer

    def allows(self, event: Data) -> bool:
        """Whether this may happen now."""
        if event["do"] == "play":
            return self.ended
        return self.may_call(event["by"], event["bid"]) if event["do"] == "bid" else self.may_say(event["by"], event["what"])

    def take(self, event: Data) -> None:
        """Go on with what happened."""
        self.led = event["do"] == "play"
        if event["do"] == "announce":
            self.chouner = event["by"] if self.mechouner else ""
            self.mechouner = self.mechouner or event["by"]
        elif event["do"] == "bid":
            number, mode, mark = self.parts(event["bid"])
            if self.imposes(mode, mark):
                self.mode, self.mark, self.proposer, self.targets = mode, mark, event["by"], {}
            self.targets[event["by"]] = number
            self.turn = (self.turn + 1) % len(self.seats)


def winner(trick: list[tuple[str, str]], auction: Auction) -> str:
    """Who takes a trick of (seat, card)."""
    kind = auction.options.get("identical_cards", "bid")
    normal = auction.options.get("normal_order", "RDCVFMJNT")
    trump = auction.options.get("trump_order", "FMJRDCVNT")
    trumps = [card for _, card in trick if card[1] == auction.mode]
    suit = auction.mode if trumps else trick[0][1][1]

    def strength(place: int) -> tuple[int, int]:
        card = trick[place][1]
        order = trump if auction.mode in ("AT", card[1]) else normal
        preferred = {"bid": auction.mark, "marked": "m", "simple": "s"}.get(kind)
        twin = int(card[2:] == preferred) if preferred is not None else place if kind == "last_played" else -place
        return -order.index(card[0]), twin

    return trick[max((place for place in range(len(trick)) if trick[place][1][1] == suit), key=strength)][0]


def sheet_of(deal: Data, auction: Auction, seats: list[str]) -> Data:
    """The score sheet of a deal whose events are all there."""
    trick: list[tuple[str, str]] = []
    won = []
    for event in deal["events"]:
        assert auction.allows(event), event
        auction.take(event)
        trick += [(event["by"], event["card"])] if event["do"] == "play" else []
        if len(trick) == len(seats):
            won.append(winner(trick, auction))
            trick = []
    fixed = {"marked": "m", "simple": "s"}.get(auction.options.get("identical_cards", "bid"), "") if len(seats) > 4 else ""
    times = auction.times if auction.options.get("mechoune_scope") != "rubber" else 1
    tricks = {seat: won.count(seat) for seat in seats}
    return {
        "trump": auction.mode + (auction.mark if auction.decides else fixed),
        "bids": {seat: f"{auction.targets[seat]}{auction.mode}{auction.mark}" for seat in seats},
        "winners": won,
        "tricks": tricks,
        "scores": {seat: -abs(tricks[seat] - auction.targets[seat]) * times for seat in seats},
    }


few = settings(deadline=None, max_examples=12, derandomize=True)


@few
@given(st.integers(0, 10**9))
def test_scores_and_winner_lb_22_lb_29_to_lb_31(seed: int) -> None:
    """Winners, tricks, scores, totals and the winner of the rubber are the same for both referees."""
    record = random_rubber(seed)
    seats = [player["seat"] for player in record["players"]]
    totals, most = dict.fromkeys(seats, 0), 1
    for deal in record["deals"]:
        auction = Auction(seats, deal["dealer"], deal["cards"], record["options"])
        sheet = sheet_of(deal, auction, seats)
        assert {key: deal["claimed"][key] for key in sheet} == sheet
        totals = {seat: total + sheet["scores"][seat] for seat, total in totals.items()}
        assert deal["claimed"]["totals"] == totals
        most = max(most, auction.times)
    if record["options"].get("mechoune_scope") == "rubber":
        totals = {seat: total * most for seat, total in totals.items()}
    assert record["claimed"] == {"totals": totals, "winners": [s for s in seats if totals[s] == max(totals.values())]}
    assert codes(verdict(record)) == []


def candidate(chance: Random, auction: Auction) -> Data:
    """Something that could be said next, more often than not nearly right."""
    seats = auction.seats
    by = seats[auction.turn] if chance.random() < 0.85 else chance.choice(seats)
    if auction.mode and chance.random() < 0.25:
        by = chance.choice([seat for seat in (auction.proposer, auction.mechouner, *seats) if seat])
        return {"do": "announce", "by": by, "what": chance.choice(["mechoune", "choune"])}
    number = chance.choice([*range(auction.cards + 2), *auction.targets.values()])
    mode = auction.mode if auction.mode and chance.random() < 0.5 else chance.choice(MODES)
    mark = auction.mark if auction.mode and chance.random() < 0.6 else chance.choice(["m", "s"] if len(seats) > 4 else [""])
    mark = chance.choice(["", "m", "s"]) if chance.random() < 0.1 else mark
    return {"do": "bid", "by": by, "bid": f"{number}{mode}{mark}"}


@few
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_every_call_lb_11_to_lb_21(seed: int, other: int) -> None:
    """After any legal beginning of an auction, both referees agree whether a call may come next."""
    record, chance = random_rubber(seed), Random(other)
    seats = [player["seat"] for player in record["players"]]
    record = cut(drop({**record, "status": "excerpt", "deals": record["deals"][:1]}, "/claimed"), 0)
    auction = Auction(seats, record["deals"][0]["dealer"], record["deals"][0]["cards"], record["options"])
    said: list[Any] = []
    lead = seats[auction.turn]
    card = chance.choice(record["deals"][0]["hands"][seats[auction.turn]])
    for _ in range(25):
        event = candidate(chance, auction)
        event = {"do": "play", "by": lead, "card": card} if auction.ended and not auction.led and chance.random() < 0.2 else event
        start = put(record, "/deals/0/events", [*said, event])
        allowed = auction.allows(event)
        pointers = {"/".join(f.pointer.split("/")[:5]) for f in faults(verdict(start))}
        assert (f"/deals/0/events/{len(said)}" in pointers) != allowed, (said, event, auction.options)
        if allowed:
            auction.take(event)
            said.append(event)


@few
@given(st.integers(0, 10**9))
def test_sheet_without_marks_lb_13(seed: int) -> None:
    """A score sheet need not name the stronger pack, but it may not name the other one, nor another mode."""
    record = random_rubber(seed)
    claimed = record["deals"][0]["claimed"]
    trump, mode = claimed["trump"], claimed["trump"].rstrip("ms")
    claimed["bids"] = {seat: bid.rstrip("ms") for seat, bid in claimed["bids"].items()}
    for name in (trump, mode):
        assert codes(verdict(put(record, "/deals/0/claimed/trump", name))) == []
    for name in {*MODES, mode + "m", mode + "s"} - {trump, mode}:
        assert codes(verdict(put(record, "/deals/0/claimed/trump", name))) == ["DEA009"]


@pytest.mark.parametrize("players", [4, 6])
@pytest.mark.parametrize("trump", ["3NTs", "2H", "03Sm"])
def test_a_call_on_the_sheet_is_no_trump(players: int, trump: str) -> None:
    """Where nobody's calls are on record either, and the sheet alone could tell the mode."""
    record = deal_game(find("batarde"), players, 3, numbers=[3])
    deal = record.deals[0]
    events = [event for event in deal.events if event.do != "bid"]
    assert deal.claimed
    stated = deal.claimed.model_copy(update={"trump": trump})
    other = record.model_copy(update={"deals": [deal.model_copy(update={"events": events, "claimed": stated})]})
    assert [finding.code for finding in check(other).faults if finding.code == "DEA009"] == ["DEA009"]
