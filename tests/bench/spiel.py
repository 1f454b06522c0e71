"""Deals that OpenSpiel and handrec both replay: four games played at random by OpenSpiel, written down as records.

Each is the card play of bridge under other rules, as a game file would say it; bids lie outside what is compared. That a
card may be played, and who wins a trick, is worked out twice, by code that shares nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from random import Random
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52, RANKS, SUITS, Order
from handrec.game import Game, Sight
from handrec.games import find
from handrec.masks import prefer, when
from handrec.record import Record

SEATS = ("N", "E", "S", "W")
PASS, LEAST = 52, 55  # OpenSpiel's numbers for a pass and for a bid of one club
DEUCE = FRENCH_52.mask(["2C"])


def bridge() -> Game:
    """The game of which the others are variants."""
    game = find("bridge")
    assert game is not None
    return game


@cache
def plain_suits() -> Order | None:
    """No suit beats another; hearts are what must be broken before they are led."""
    plain = bridge().order(Sight((), "NT", 1, 0))
    return None if plain is None else replace(plain, trumps=FRENCH_52.suit("H"))


DEUCE_LEADS = replace(
    rulebook.TRUMPS_BROKEN, narrow=lambda v, legal: when(v.leading & v.first, prefer(legal & DEUCE, legal), legal)
)
# OpenSpiel 2.0.2 never takes spades to be broken: they are led when nothing else is held, however many were played.
NEVER_BROKEN = replace(rulebook.TRUMPS_BROKEN, narrow=lambda v, legal: when(v.leading, prefer(legal & ~v.trumps, legal), legal))


@dataclass(frozen=True)
class Likeness:
    """A game of OpenSpiel's and what is the same to handrec: `trump` finds trump in the actions before the play."""

    name: str
    game: Game
    cards: int
    trump: Callable[[list[str]], str]


def last_suit(said: list[str]) -> str:
    """The suit of the card dealt last, which is turned up before four bids."""
    return card(said[-5])[1]


def strain(said: list[str]) -> str:
    """The suit of the last bid of an auction; no trump if nobody bid."""
    bids = [spelt for spelt in said[52:] if re.match(r"\d", spelt)]
    return plain(bids[-1]).strip("1234567") or "NT" if bids else "NT"


def likenesses() -> dict[str, Likeness]:
    """The games that both play."""
    base = bridge()
    spades = replace(base, rules=(*base.rules, NEVER_BROKEN))
    hearts = replace(base, rules=(*base.rules, DEUCE_LEADS, rulebook.TRUMPS_BROKEN), order=lambda sight: plain_suits())
    tens = replace(base, cards=lambda players: 10)
    return {
        "bridge": Likeness("bridge(use_double_dummy_result=false)", base, 13, strain),
        "spades": Likeness("spades(num_tricks=13,use_mercy_rule=false)", spades, 13, lambda said: "S"),
        "hearts": Likeness("hearts(no_pts_on_first_trick=false,qs_breaks_hearts=false)", hearts, 13, lambda said: "NT"),
        "oh_hell": Likeness("oh_hell(players=4,num_tricks_fixed=10)", tens, 10, last_suit),
    }


def plain(text: str) -> str:
    """OpenSpiel's words with letters for suits, and one letter for a ten."""
    return text.translate(str.maketrans("♣♦♥♠", "CDHS")).replace("10", "T")


def card(text: str) -> str:
    """A card as handrec writes it."""
    letters = plain(text)
    return next(mark for mark in letters if mark in RANKS) + next(mark for mark in letters if mark in SUITS)


@dataclass
class Played:
    """A deal that OpenSpiel has played: its state before the first card, its actions, and the record of the same."""

    like: Likeness
    before: Any
    history: list[int]
    actions: list[int]
    plays: list[tuple[str, str]]  # seat, card
    legal: list[list[str]]  # the cards that could be played at each
    trump: str
    told: str  # OpenSpiel's own account of it

    def hands(self) -> dict[str, list[str]]:
        """The hands, which are all the cards that each seat has played in the end."""
        return {seat: [card for other, card in self.plays if other == seat] for seat in SEATS}

    def record(self, plays: list[tuple[str, str]] | None = None) -> Record:
        """The record, or that of a deal that took another course from some play on, and was left there."""
        events = [{"do": "contract", "bid": self.trump}]
        events += [{"do": "play", "by": seat, "card": card} for seat, card in plays or self.plays]
        deal = {"number": 1, "leader": self.plays[0][0], "hands": self.hands(), "events": events}
        status = {} if plays is None else {"status": "in_progress"}
        players = [{"seat": seat} for seat in SEATS]
        head = {"format": "handrec", "version": "1.0", "game": "bridge", "players": players, "status": "excerpt"}
        return Record.model_validate({**head, "deals": [{**deal, **status}]})


def played(like: Likeness, seed: int) -> Played:
    """A deal played at random by OpenSpiel's rules."""
    import pyspiel

    rng = Random(seed)
    state = pyspiel.load_game(like.name).new_initial_state()
    auction = "bridge" in like.name
    calls = [PASS] * rng.randrange(4) + [rng.randrange(LEAST, LEAST + 35)] + [PASS] * 3
    said: list[str] = []
    steps: list[tuple[Any, int, int, list[int]]] = []
    while not state.is_terminal():
        player = state.current_player()
        choices = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        action = calls.pop(0) if auction and calls and player >= 0 else rng.choice(choices)
        said.append(state.action_to_string(player, action))
        steps.append((state.clone(), player, action, choices))
        state.apply_action(action)
    first = len(steps) - 4 * like.cards
    owner = {card(spelt): SEATS[place % 4] for place, spelt in enumerate(said[:52])} if auction else {}
    plays = [
        (owner.get(card(spelt), SEATS[player]), card(spelt))
        for spelt, (_, player, _, _) in zip(said[first:], steps[first:], strict=True)
    ]
    legal = [[card(at.action_to_string(who, each)) for each in choices] for at, who, _, choices in steps[first:]]
    history = [action for _, _, action, _ in steps]
    return Played(like, steps[first][0], history, history[first:], plays, legal, like.trump(said[:first]), plain(str(state)))
