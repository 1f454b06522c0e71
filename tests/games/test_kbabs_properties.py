"""Killer Back Alley Bridge Substitute: random hands, replayed by a second and simpler referee."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrec.cards import FRENCH_54
from handrec.dealing import deal_game
from handrec.games import find
from handrec.referee import replay
from tests.games.kbabs_hands import EVENTS
from tests.tables import (
    Data,
    drop,
    faults,
    game,
    insert,
    levels,
    places,
    plays_of,
    put,
    swap,
    verdict,
)

# --- properties: random hands, replayed by a second and simpler referee -----------------------------------------------

RANKS = "23456789TJQKA"
NAMES = "ABCDE"


def suit(card: str, trump: str) -> str:
    """The suit that a card plays as; jokers without a trump suit are one by themselves."""
    return trump if card[1] == "J" else card[1]


def height(card: str) -> int:
    """How high a card stands among its suit."""
    return 13 + ["LJ", "BJ"].index(card) if card[1] == "J" else RANKS.index(card[0])


def may_play(held: list[str], lead: str | None, trump: str) -> list[str]:
    """What may be played to a lead, worked out once more from the rules."""
    same = [card for card in held if lead and suit(card, trump) == suit(lead, trump)]
    return [max(same, key=height)] if lead == "BJ" and same else same or held


def takes(trick: list[tuple[str, str]], trump: str) -> str:
    """Who takes a trick of (seat, card): the highest trump, or else the highest card of the suit led."""
    trumps = [play for play in trick if suit(play[1], trump) == trump]
    led = [play for play in trick if suit(play[1], trump) == suit(trick[0][1], trump)]
    return max(trumps or led, key=lambda play: height(play[1]))[0]


class Hand:
    """A random hand, played out with some revokes; the same seed plays the same hand under other names of the seats."""

    def __init__(self, seed: int, names: str = NAMES) -> None:
        chance = Random(seed)
        players = chance.randint(1, 5)
        size = chance.randint(1, 6)
        self.seats = list(names[:players])
        pack = chance.sample(FRENCH_54.cards, 54)
        for joker in chance.sample(["LJ", "BJ"], chance.randint(0, 2)):  # jokers are more telling in a hand
            pack.remove(joker)
            pack.insert(chance.randrange(players * size), joker)
        hands = {seat: pack[place * size : (place + 1) * size] for place, seat in enumerate(self.seats)}
        turn = pack[-1]
        trump = turn[1]
        self.events: list[Data] = [{"do": "turn", "card": turn}]
        bids = {seat: chance.randint(0, size) for seat in self.seats}
        self.events += [{"do": "bid", "by": seat, "bid": bids[seat]} for seat in self.seats]
        self.revokes: list[tuple[str, set[str]]] = []
        self.winners: list[str] = []
        left, leader = {seat: list(cards) for seat, cards in hands.items()}, 0
        for _ in range(size):
            trick: list[tuple[str, str]] = []
            for seat in self.seats[leader:] + self.seats[:leader]:
                due = may_play(left[seat], trick[0][1] if trick else None, trump)
                card = chance.choice(due if chance.random() < 0.8 else left[seat])
                if card not in due:
                    self.revokes.append((f"{EVENTS}/{len(self.events)}/card", set(due)))
                self.events.append({"do": "play", "by": seat, "card": card})
                left[seat].remove(card)
                trick.append((seat, card))
            self.winners.append(takes(trick, trump))
            leader = self.seats.index(self.winners[-1])
        tricks = {seat: self.winners.count(seat) for seat in self.seats}
        points = {seat: (bids[seat], bids[seat] - tricks[seat]) for seat in self.seats}
        self.scores = {seat: -(missed**2) if missed else 10 + bid**2 for seat, (bid, missed) in points.items()}
        claimed = {"winners": self.winners, "tricks": tricks, "scores": self.scores, "bids": bids}
        rest = {"dealer": self.seats[-1], "hands": hands, "events": self.events, "claimed": claimed}
        self.record = game("kbabs", " ".join(self.seats), rest)

    def spoiled(self, seed: int) -> Data:
        """The record with a few things gone wrong: events lost, doubled or moved, numbers of the sheet changed."""
        chance, record = Random(seed), self.record
        for _ in range(chance.randint(1, 3)):
            at_event = chance.randrange(len(record["deals"][0]["events"]))
            match chance.randrange(5):
                case 0:
                    record = drop(record, f"{EVENTS}/{at_event}")
                case 1:
                    record = insert(record, f"{EVENTS}/{at_event}", record["deals"][0]["events"][at_event])
                case 2:
                    record = swap(record, at_event, at_event - 1)
                case 3:
                    record = put(record, f"/deals/0/claimed/scores/{self.seats[0]}", chance.randint(-9, 40))
                case _:
                    record = put(record, "/deals/0/claimed/winners/0", self.seats[-1])
        return record


random_hands = settings(deadline=None, max_examples=60, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
seeds = given(st.integers(0, 10**9))
two_seeds = given(st.integers(0, 10**9), st.integers(0, 10**9))


@random_hands
@seeds
def test_second_referee_agrees_kb_5_2_kb_5_3_kb_5_7_kb_6_1(seed: int) -> None:
    """Whatever is played, both referees find the same revokes, winners and scores."""
    played = Hand(seed)
    told = verdict(played.record)
    assert [(f.pointer, set(f.facts["could"])) for f in faults(told) if f.level == "L4"] == played.revokes
    assert {f.code for f in faults(told)} <= {"REV001", "REV002", "BID003"}
    assert [trick.winner for trick in told.deals[0].played] == played.winners
    assert told.deals[0].scores == played.scores


@random_hands
@two_seeds
def test_seats_have_no_favourite_c_1(seed: int, other: int) -> None:
    """Which seat stands first among the players changes nothing, nor what the seats are called."""
    played, renamed = Hand(seed), Hand(seed, "VWXYZ")
    record = played.spoiled(other)
    found = sorted(places(verdict(record).findings), key=str)
    players = record["players"]
    for turned in range(1, len(players)):
        around = verdict(put(record, "/players", players[turned:] + players[:turned]))
        assert sorted(places(around.findings), key=str) == found
        assert around.deals == verdict(record).deals
    names = str.maketrans(NAMES, "VWXYZ")
    there = [(*rest, seat and seat.translate(names), _renamed(pointer)) for *rest, seat, pointer in found]
    assert sorted(places(verdict(renamed.spoiled(other)).findings), key=str) == sorted(there, key=str)


def _renamed(pointer: str) -> str:
    return "/".join(dict(zip(NAMES, "VWXYZ", strict=True)).get(part, part) for part in pointer.split("/"))


@random_hands
@two_seeds
def test_nothing_claimed_nothing_more_found_c_6g(seed: int, other: int) -> None:
    """A score sheet can only add findings: without it nothing is found that was not found with it."""
    record = Hand(seed).spoiled(other)
    with_sheet, without = places(verdict(record).findings), places(verdict(drop(record, "/deals/0/claimed")).findings)
    assert set(without) <= set(with_sheet)
    assert all("/claimed" in pointer for *_, pointer in set(with_sheet) - set(without))


@random_hands
@seeds
def test_hands_follow_from_the_play_c_6d(seed: int) -> None:
    """Of a hand played out, the cards played are the hand: recorded or not, the verdict on every play is the same."""
    record = Hand(seed).record
    told, unseen = verdict(record), verdict(drop(record, "/deals/0/hands"))
    assert places(unseen.findings) == places(told.findings)
    assert unseen.deals == told.deals
    assert levels(unseen)[1:] == levels(told)[1:]


@random_hands
@seeds
def test_whose_card_follows_from_the_turn_kb_5_1(seed: int) -> None:
    """Where every card is played in turn, the record need not say by whom."""
    played = Hand(seed)
    events = [plays_of(event["card"])[0] if event["do"] == "play" else event for event in played.events]
    told, unnamed = verdict(played.record), verdict(put(played.record, EVENTS, events))
    assert unnamed == told


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(1, 9))
def test_invariants_of_a_hand(seed: int, players: int) -> None:
    """All tricks are won, something may always be played, and nobody takes a trick from the Big Joker that was led."""
    kbabs = find("kbabs")
    assert kbabs is not None
    record = deal_game(kbabs, players, seed, numbers=[1 + seed % (54 // players)])
    (table,) = replay(record, kbabs, trace=True)
    assert sum(table.won) == table.size
    assert table.trace is not None
    assert all(seen.legal and seen.legal & seen.hand == seen.legal for seen in table.trace)
    for trick in table.tricks:
        assert trick.plays[0][1] != "BJ" or trick.winner == trick.plays[0][0]
