"""OpenSpiel and a table agree in every position of a game: on all that may be called or played next, and on whose turn it is.

A game is compared once it stands in `PARITIES`: how both begin, and how an action of OpenSpiel's is called here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import Any

import pytest

import handrec
from handrec.live import LiveTable
from tests.bench.spiel import SEATS, card, plain
from tests.bench.test_openspiel_games import DEALS, HEARTS
from tests.feeding import taken

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'handrec[bench]'")

CALLS = {"Pass": "pass", "Dbl": "X", "RDbl": "XX"}


@dataclass(frozen=True)
class Parity:
    """A game that both play: `begin` deals the same cards to both and says who sits where; `called` is an action as we call it.

    `choose` takes one of the actions, by what they are called.
    """

    begin: Callable[[Random], tuple[Any, LiveTable, list[str]]]
    called: Callable[[str], str]
    choose: Callable[[dict[str, int], Random], str]


def begin_bridge(rng: Random) -> tuple[Any, LiveTable, list[str]]:
    """A board; to OpenSpiel player 0 always deals, so that the seats go round with the dealer."""
    state, dealer = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state(), rng.randrange(4)
    seats = [SEATS[(dealer + place) % 4] for place in range(4)]
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    while state.is_chance_node():
        action = rng.choice(state.legal_actions())
        hands[seats[sum(map(len, hands.values())) % 4]].append(card(state.action_to_string(state.current_player(), action)))
        state.apply_action(action)
    table = handrec.table("bridge", 4, status="excerpt")
    taken(table.apply({"do": "deal", "dealer": seats[0], "vulnerable": "none", "hands": hands}))
    return state, table, seats


def called_at_bridge(spelt: str) -> str:
    """A call, or a card."""
    word = plain(spelt)
    return CALLS.get(word) or (word if word[0].isdigit() and word[1:] in ("C", "D", "H", "S", "NT") else card(spelt))


def choose_at_bridge(actions: dict[str, int], rng: Random) -> str:
    """Of calls a double half of the time, else a pass or one of the next few bids; any card."""
    risks = [word for word in actions if word in ("X", "XX")]
    bids = [word for word in actions if word[0].isdigit()][: rng.choice([1, 3, 8, 35])]
    if "pass" not in actions:
        return rng.choice([*actions])
    if risks and rng.random() < 0.5:
        return rng.choice(risks)
    return rng.choice(bids) if bids and rng.random() < 0.5 else "pass"


def begin_oh_hell(rng: Random) -> tuple[Any, LiveTable, list[str]]:
    """A deal of any size that is on the ladder, its trump turned up."""
    players, size = (many := rng.choice([3, 4, 5, 6, 7])), rng.randrange(1, min(17, 51 // many) + 1)
    state = pyspiel.load_game(f"oh_hell(players={players},num_tricks_fixed={size})").new_initial_state()
    seats, said = [f"P{place + 1}" for place in range(players)], []
    while state.is_chance_node():
        action = rng.choice([action for action, _ in state.chance_outcomes()])
        said.append(state.action_to_string(state.current_player(), action))
        state.apply_action(action)
    dealt = [card(each) for each in said[2 : 2 + players * size]]
    hands = {seat: dealt[place::players] for place, seat in enumerate(seats)}
    named = [{"seat": seat} for seat in seats]
    table = handrec.table("oh_hell", named, {"longest": 17, "ladder": "up"}, status="excerpt")
    taken(table.apply({"do": "deal", "number": size, "dealer": seats[int(said[1])], "cards": size, "hands": hands}))
    taken(table.apply({"do": "turn", "card": card(said[-1])}))
    return state, table, seats


def begin_hearts(rng: Random) -> tuple[Any, LiveTable, list[str]]:
    """A deal, passed any way."""
    state, said = pyspiel.load_game("hearts").new_initial_state(), []
    while state.is_chance_node():
        action = rng.choice([action for action, _ in state.chance_outcomes()])
        said.append(state.action_to_string(state.current_player(), action))
        state.apply_action(action)
    way, number = DEALS[said[0]]
    dealt = [card(each) for each in said[1:]]
    table = handrec.table("hearts", 4, HEARTS, status="excerpt")
    hands = {seat: dealt[place::4] for place, seat in enumerate(SEATS)}
    taken(table.apply({"do": "deal", "number": number, "dealer": "N", "hands": hands}))
    passed: list[list[str]] = [[], [], [], []]
    for _ in range(12 if way else 0):
        player = state.current_player()
        theirs = {card(state.action_to_string(player, each)): each for each in state.legal_actions()}
        assert {*theirs} == {*hands[SEATS[player]]} - {*passed[player]}
        passed[player].append(rng.choice([*theirs]))
        state.apply_action(theirs[passed[player][-1]])
    for place in range(4 if way else 0):
        may = {frozenset(event.cards) for event in table.legal().events if event.by == SEATS[place]}
        assert may == {frozenset(cards) for cards in combinations(hands[SEATS[place]], 3)}
        taken(table.apply({"do": "exchange", "by": SEATS[place], "to": SEATS[(place + way) % 4], "cards": passed[place]}))
    return state, table, [*SEATS]


def called(spelt: str) -> str:
    """A number of tricks, or a card."""
    return spelt if spelt.isdigit() else card(spelt)


def choose_any(actions: dict[str, int], rng: Random) -> str:
    """Any of them."""
    return rng.choice([*actions])


PARITIES = {
    "bridge": Parity(begin_bridge, called_at_bridge, choose_at_bridge),
    "oh_hell": Parity(begin_oh_hell, called, choose_any),
    "hearts": Parity(begin_hearts, called, choose_any),
}


def positions(parity: Parity, seed: int) -> int:
    """Play a game with both at random, comparing them in every position; how many there were."""
    rng, seen = Random(seed), 0
    state, table, seats = parity.begin(rng)
    while not state.is_terminal():
        seen += 1
        player = state.current_player()
        theirs = {parity.called(state.action_to_string(player, each)): each for each in state.legal_actions()}
        legal = table.legal()
        mine = [event for event in legal.events if event.do in ("play", "bid")]
        ours = {event.card if event.do == "play" else str(event.bid): event for event in mine}
        assert {*ours} == {*theirs}, (seed, seen)
        assert table.playing is not None
        partners = table.game.proxy(table.playing) is not None  # one of whom plays the cards of both
        assert [*legal.turn] == (held_by(table, theirs) if partners else [seats[player]]), (seed, seen)
        word = parity.choose(theirs, rng)
        taken(table.apply(ours[word]))
        state.apply_action(theirs[word])
        contract = [event for event in table.legal().events if event.do == "contract"]
        if contract and not state.is_terminal():
            taken(table.apply(contract[0]))
    assert not table.legal().turn
    assert table.verdict.ok
    return seen


def held_by(table: LiveTable, cards: dict[str, int]) -> list[str]:
    """Whose cards they are, by the hands as they were dealt."""
    assert table.deal is not None
    hands = table.deal.hands or {}
    return [seat for seat in table.seats if {*cards} <= {*hands[seat]}]


@pytest.mark.parametrize("many", [8, pytest.param(1_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", PARITIES)
def test_all_that_may_happen_next(name: str, many: int) -> None:
    """In every position of random games, to their ends."""
    seen = sum(positions(PARITIES[name], seed) for seed in range(many))
    assert seen > many * 10
