"""The Bastard family judged a second time, from its rules alone: what may be played, who wins, and what it scores."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from tests.tables import Data

RANKS, SUITS = "23456789TJQKA", "CDHS"
STACKED = ("mega", "ultra", "demon", "nuisance", "back_end")
SETS = [set(some) for many in range(6) for some in combinations(STACKED, many)]
VARIANTS = [some for some in SETS if not {"ultra", "demon"} <= some and some != {"back_end"}] + [{"ultimate"}]
USUAL = {
    "mega_rank_trick1": True,
    "nuisance_trump": "first_card_for_hand",
    "back_end_nuisance_lead": "flip_to_lead",
    "bastard_self_effect": True,
    "ultimate_same_rank": "cancel",
    "ultimate_guess": True,
    "trump_break": "none",
    "bid_min": 0,
    "guess_seen_card": "allowed",
    "guess_pass": True,
    **dict.fromkeys((*STACKED, "ultimate"), False),
}


class Hand:
    """One deal read from its record: tricks as recorded, three cards to the first, with the Bastard seated four to the others."""

    def __init__(self, record: Data, deal: Data) -> None:
        self.o = USUAL | record["options"]
        self.stack = any(self.o[key] for key in STACKED)
        seats = [player["seat"] for player in record["players"]]
        dealer = seats.index(deal["dealer"])
        self.round = seats[dealer + 1 :] + seats[: dealer + 1]
        self.aside, self.hands, self.events = deal["aside"]["stack" if self.stack else "widow"], deal["hands"], deal["events"]
        plays = [(place, event) for place, event in enumerate(self.events) if event["do"] == "play"]
        more = 4 if self.o["nuisance"] else 3
        starts = [0, *range(3, len(plays), more)]
        self.tricks: list[list[tuple[int, Data]]] = []
        self.could: dict[int, set[str]] = {}
        self.winners: list[str] = []
        for start in starts:
            self.add(plays[start : start + (more if start else 3)])
        self.won = {seat: self.winners.count(seat) for seat in seats}
        self.bids = {event["by"]: event["bid"] for event in reversed(self.events) if event["do"] == "bid"}
        self.most = 13 if self.stack else 16
        self.guessing = not self.stack and (not self.o["ultimate"] or self.o["ultimate_guess"])
        self.guesses = [event for event in self.events if event["do"] == "announce"]

    def plain(self) -> bool:
        """Whether nothing but the Nuisance says which suit is trump."""
        return bool(self.o["nuisance"]) and not (self.o["mega"] or self.o["ultra"] or self.o["demon"])

    def trump(self, number: int) -> str | None:
        """The trump suit of a trick."""
        if not self.stack:
            return None if len({card[1] for card in self.aside[:3]}) == 1 else str(self.aside[0][1])
        choice = self.o["nuisance_trump"] if self.plain() else ""
        if self.o["mega"] or choice == "every_card":
            return str(self.aside[number - 1][1])
        return None if choice == "first_trick_only" and number > 1 else str(self.aside[0][1])

    def height(self, number: int, card: str, bastard: bool) -> int:
        """How high a card stands in its suit in a trick."""
        high = low = ""
        if self.o["ultimate"]:
            high, low = self.aside[1][0], self.aside[2][0]
            if high == low:
                keep = self.o["ultimate_same_rank"]
                high, low = high if keep == "high" else "", low if keep == "low" else ""
        elif (self.o["ultra"] or self.o["demon"]) and (number > 1 or (self.o["mega"] and self.o["mega_rank_trick1"])):
            rank = self.aside[number - 1][0]
            high, low = (rank, "") if self.o["ultra"] else ("", rank)
        if bastard and not self.o["bastard_self_effect"]:
            high = low = ""
        return 99 if card[0] == high else -1 if card[0] == low else RANKS.index(card[0])

    def wins(self, number: int, trick: list[tuple[int, Data]]) -> str:
        """Who wins a trick."""
        cards = [(event["card"], event["by"]) for _, event in trick]
        trumps = [play for play in cards if play[0][1] == self.trump(number)]
        led = [play for play in cards if play[0][1] == cards[0][0][1]]
        winner: str = max(trumps or led, key=lambda play: self.height(number, play[0], play[1] == "bastard"))[1]
        return winner

    def dues(self, number: int, trick: list[tuple[int, Data]]) -> dict[int, set[str]]:
        """For every play of a player to a trick, by its place, the cards that could have been played."""
        trump, known = self.trump(number), dict[int, set[str]]()
        gone = {event["card"] for before in self.tricks for _, event in before}
        broken = any(event["card"][1] == self.trump(1) for before in self.tricks for _, event in before)
        fixed = not self.o["mega"] and not (self.plain() and self.o["nuisance_trump"] != "first_card_for_hand")
        for place, event in trick:
            held = due = {card for card in self.hands.get(event["by"], []) if card not in gone}
            if place != trick[0][0]:
                due = {card for card in held if card[1] == trick[0][1]["card"][1]} or held
            elif self.o["trump_break"] == "must_be_broken" and fixed and not broken and (number > 1 or not self.o["back_end"]):
                due = {card for card in held if card[1] != trump} or held
            if event["by"] != "bastard":
                known[place] = due
        return known

    def add(self, trick: list[tuple[int, Data]]) -> None:
        """The next trick; one with the wrong lead was written down in the wrong order if fewer cards are faults otherwise."""
        number, seats = len(self.tricks) + 1, [event["by"] for _, event in trick]
        right = self.order(number, self.winners[-1] if self.winners else self.round[0])
        if seats[0] != right[0] and sorted(seats) == sorted(right):
            other = [trick[seats.index(seat)] for seat in right]
            more = seats != self.order(number, seats[0])
            trick = other if len(self.faulty(number, other)) < len(self.faulty(number, trick)) + more else trick
        self.could |= self.dues(number, trick)
        self.winners.append(self.wins(number, trick))
        self.tricks.append(trick)

    def faulty(self, number: int, trick: list[tuple[int, Data]]) -> list[int]:
        """The places of a trick's cards that could not be played."""
        return [place for place, due in self.dues(number, trick).items() if self.events[place]["card"] not in due]

    def order(self, number: int, leader: str) -> list[str]:
        """Who plays to a trick, in turn, if the lead is the leader's."""
        sits = self.o["nuisance"] and number > 1
        around = ["bastard", *self.round] if sits else self.round
        if sits and self.o["back_end"] and (leader != "bastard" or self.o["back_end_nuisance_lead"] == "next_player_leads"):
            at = 0 if leader == "bastard" else self.round.index(leader)
            return [*self.round[at:], *self.round[:at], "bastard"]
        at = around.index(leader)
        return around[at:] + around[:at]

    def revokes(self) -> set[int]:
        """The places of the cards that could not be played."""
        return {place for place, due in self.could.items() if self.events[place]["card"] not in due}

    def course(self) -> list[tuple[str, str | None, str | None]]:
        """What has to happen, in order: kind, actor, and the card where there is no choice, given who won the tricks."""
        due: list[tuple[str, str | None, str | None]] = [("bid", seat, None) for seat in self.round]
        due += [] if self.stack else [("turn", None, card) for card in self.aside[:3]]
        leader = self.round[0]
        for number, winner in enumerate(self.winners, 1):
            card = self.aside[number - 1] if self.stack else None
            sits, order = self.o["nuisance"] and number > 1, self.order(number, leader)
            plays = [("play", seat, card if seat == "bastard" else None) for seat in order]
            turn: list[tuple[str, str | None, str | None]] = [("turn", None, card)] if card and not sits else []
            due += [*plays, *turn] if self.o["back_end"] else [*turn, *plays]
            leader = winner
        return due + ([("announce", seat, None) for seat in self.round] if self.guessing else [])

    def wrong_guesses(self) -> int:
        """How many guesses are not allowed for what they name."""
        seen = {card for card in (rank + suit for rank in RANKS for suit in SUITS) if card != self.aside[-1]}
        wrong, named = 0, list[Any]()
        for event in self.guesses:
            card = event.get("card")
            forbidden = self.o["guess_seen_card"] == "forbidden" and card in seen
            wrong += not self.o["guess_pass"] if card is None else card in named or forbidden
            named.append(card)
        return wrong

    def is_legal(self) -> bool:
        """Whether all of it is as it should be."""
        due = self.course()
        if len(due) != len(self.events) or not all(self.o["bid_min"] <= bid <= self.most for bid in self.bids.values()):
            return False
        for event, (do, by, card) in zip(self.events, due, strict=True):
            if (event["do"], event.get("by")) != (do, by) or (card and event["card"] != card):
                return False
        return not self.revokes() and not self.wrong_guesses()

    def points(self, bags: dict[str, int]) -> dict[str, int]:
        """Every player's points; `bags` are the extra tricks so far, and are counted on."""
        last, points = self.aside[-1], {}
        right = next((event["by"] for event in self.guesses if event.get("card") == last), None) if self.guessing else None
        for seat, won in self.won.items():
            bid, more = self.bids[seat], won - self.bids[seat]
            points[seat] = (10 * bid + more if more >= 0 else -10 * bid) + 5 * (seat == right)
            if (sandbags := self.o.get("sandbags")) and more > 0:
                points[seat] -= sandbags["penalty"] * ((bags[seat] + more) // sandbags["every"] - bags[seat] // sandbags["every"])
                bags[seat] += more
        return points
