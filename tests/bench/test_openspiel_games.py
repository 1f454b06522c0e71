"""OpenSpiel plays Oh Hell and Hearts whole, by its own rules: every card that may be played, every bid, and the returns agree."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from handrec import games
from handrec.game import compose
from handrec.record import Record
from handrec.referee import check, replay
from tests.bench.spiel import card

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'handrec[bench]'")

HEARTS = {"queen_breaks": True}
#: How many seats to the left cards go, and the number of a deal in which they do.
DEALS = {"Left": (1, 1), "Right": (3, 2), "Across": (2, 3), "No Pass": (0, 4)}


def record(key: str, seats: list[str], options: dict[str, Any], deal: dict[str, Any]) -> Record:
    """A deal of a game as a record, an excerpt."""
    head = {"format": "handrec", "version": "1.1", "game": key, "options": options, "status": "excerpt"}
    return Record.model_validate({**head, "players": [{"seat": seat} for seat in seats], "deals": [deal]})


def compared(found: Record, legal: list[list[str]]) -> dict[str, int]:
    """The scores by handrec, which finds nothing wrong, and lets the same cards be played at each turn."""
    verdict = check(found, games.find)
    assert verdict.findings == ()
    game = games.find(found.game)
    assert game is not None
    (table,) = replay(found, compose(game, found.options)[0], trace=True)
    assert table.trace is not None
    assert [{*table.pack.names(seen.legal)} for seen in table.trace] == [{*cards} for cards in legal]
    return {seat: points or 0 for seat, points in verdict.deals[0].scores.items()}


def oh_hell(seed: int) -> None:
    """A deal of Oh Hell, of any size that is on the ladder."""
    rng = Random(seed)
    players, penalty = rng.choice([3, 4, 5, 6, 7]), rng.random() < 0.5
    size = rng.randrange(1, min(17, 51 // players) + 1)
    state = pyspiel.load_game(
        f"oh_hell(players={players},num_tricks_fixed={size},off_bid_penalty={str(penalty).lower()})"
    ).new_initial_state()
    seats = [f"P{place + 1}" for place in range(players)]
    steps: list[tuple[int, str, list[str]]] = []
    while not state.is_terminal():
        player = state.current_player()
        may = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        action = rng.choice(may)
        steps.append((player, state.action_to_string(player, action), [state.action_to_string(player, each) for each in may]))
        state.apply_action(action)
    dealt = [card(said) for _, said, _ in steps[2 : 2 + players * size]]
    turned = card(steps[2 + players * size][1])
    bids, plays = steps[3 + players * size : 3 + players * size + players], steps[3 + players * size + players :]
    for place, (_, _, may) in enumerate(bids):
        others = sum(int(said) for _, said, _ in bids[:place])
        assert [*map(int, may)] == [bid for bid in range(size + 1) if place < players - 1 or others + bid != size]
    events: list[dict[str, Any]] = [{"do": "turn", "card": turned}]
    events += [{"do": "bid", "by": seats[player], "bid": int(said)} for player, said, _ in bids]
    events += [{"do": "play", "by": seats[player], "card": card(said)} for player, said, _ in plays]
    hands = {seat: dealt[place::players] for place, seat in enumerate(seats)}
    options = {"longest": 17, "ladder": "up", "missed": "error" if penalty else "tricks"}
    deal = {"number": size, "dealer": seats[int(steps[1][1])], "cards": size, "hands": hands, "events": events}
    scores = compared(record("oh_hell", seats, options, deal), [[*map(card, may)] for _, _, may in plays])
    assert [scores[seat] for seat in seats] == [int(points) for points in state.returns()]


def hearts(seed: int) -> None:
    """A deal of Hearts, passed any way, under any of the options that OpenSpiel has too."""
    rng = Random(seed)
    said: dict[str, tuple[str, Any, Any]] = {
        "first_trick": ("no_pts_on_first_trick", False, "free"),
        "first_lead": ("can_lead_any_club", True, "any_club"),
        "jack_of_diamonds": ("jd_bonus", True, True),
        "no_tricks": ("avoid_all_tricks_bonus", True, True),
        "hearts_broken": ("must_break_hearts", False, False),
        "queen_alone": ("can_lead_hearts_instead_of_qs", True, "spared"),
    }
    chosen = {key: value for key, value in said.items() if seed % 2 and rng.random() < 0.4}
    given = ",".join(f"{name}={str(value).lower()}" for name, value, _ in chosen.values())
    state = pyspiel.load_game(f"hearts({given})" if given else "hearts").new_initial_state()
    steps: list[tuple[int, str, list[str]]] = []
    while not state.is_terminal():
        player = state.current_player()
        may = [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
        action = rng.choice(may)
        steps.append((player, state.action_to_string(player, action), [state.action_to_string(player, each) for each in may]))
        state.apply_action(action)
    way, number = DEALS[steps[0][1]]
    seats = ["N", "E", "S", "W"]
    dealt, plays = [card(text) for _, text, _ in steps[1:53]], steps[-52:]
    passed = steps[53:-52]
    events: list[dict[str, Any]] = [
        {
            "do": "exchange",
            "by": seats[place],
            "to": seats[(place + way) % 4],
            "cards": [card(text) for player, text, _ in passed if player == place],
        }
        for place in range(4 if way else 0)
    ]
    events += [{"do": "play", "by": seats[player], "card": card(text)} for player, text, _ in plays]
    options = {**HEARTS, **{key: value for key, (_, _, value) in chosen.items()}}
    hands = {seat: dealt[place::4] for place, seat in enumerate(seats)}
    deal = {"number": number, "dealer": "N", "hands": hands, "events": events}
    scores = compared(record("hearts", seats, options, deal), [[*map(card, may)] for _, _, may in plays])
    assert [26 - scores[seat] for seat in seats] == [int(points) for points in state.returns()]


@pytest.mark.parametrize("many", [20, pytest.param(1000, marks=pytest.mark.long)])
@pytest.mark.parametrize("play", [oh_hell, hearts])
def test_a_thousand_games(play: Any, many: int) -> None:
    for seed in range(many):
        play(seed)
