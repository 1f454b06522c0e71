"""OpenSpiel and handrec agree on whole boards of bridge: every call that may be made, the contract, and what the sides score."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from handrec.findings import Verdict
from handrec.games import find
from handrec.record import Record
from handrec.referee import check
from tests.bench.spiel import SEATS, card, plain

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'handrec[bench]'")

CALLS = {"Pass": "pass", "Dbl": "X", "RDbl": "XX"}


def board(seed: int) -> tuple[Record, list[float]]:
    """A board that OpenSpiel has played at random, and what each seat has of it; to OpenSpiel, player 0 always deals."""
    rng = Random(seed)
    dealer, own, others = rng.randrange(4), rng.random() < 0.5, rng.random() < 0.5
    flags = ",".join(f"{key}={str(value).lower()}" for key, value in (("dealer_vul", own), ("non_dealer_vul", others)))
    state = pyspiel.load_game(f"bridge(use_double_dummy_result=false,{flags})").new_initial_state()
    seats = [SEATS[(dealer + place) % 4] for place in range(4)]
    hands: dict[str, list[str]] = {seat: [] for seat in SEATS}
    events: list[dict[str, Any]] = []
    eager, many = rng.choice([0.2, 0.5, 0.9]), 0
    while not state.is_terminal():
        many += 1
        if state.is_chance_node():
            action = rng.choice([action for action, _ in state.chance_outcomes()])
            hands[seats[(many - 1) % 4]].append(card(state.action_to_string(state.current_player(), action)))
        else:
            player, legal = state.current_player(), state.legal_actions()
            spelt = {each: plain(state.action_to_string(player, each)) for each in legal}
            calls = {each: CALLS.get(word, word) for each, word in spelt.items()}
            if "pass" in calls.values():
                action = _call(calls, rng, eager)
                events.append({"do": "bid", "by": seats[player], "bid": calls[action]})
            else:
                action = rng.choice(legal)
                events.append({"do": "play", "card": card(state.action_to_string(player, action))})
        state.apply_action(action)
    sides = (own, others) if dealer % 2 == 0 else (others, own)
    word = {(False, False): "none", (True, True): "all", (True, False): "NS", (False, True): "EW"}[sides]
    returns = state.returns()
    points = {seat: int(returns[place]) for place, seat in enumerate(seats)}
    claimed = {"sides": {"NS": {"score": points["N"]}, "EW": {"score": points["E"]}}}
    deal = {"number": 1, "dealer": SEATS[dealer], "vulnerable": word, "hands": hands, "events": events, "claimed": claimed}
    head = {"format": "handrec", "version": "1.1", "game": "bridge", "players": [{"seat": seat} for seat in SEATS]}
    return Record.model_validate({**head, "status": "excerpt", "deals": [deal]}), [points[seat] for seat in SEATS]


def _call(calls: dict[int, str], rng: Random, eager: float) -> int:
    """A call: doubles as often as they may be, bids mostly a little higher than the last, or else a pass."""
    risks = [each for each, call in calls.items() if call in ("X", "XX")]
    if risks and rng.random() < 0.5:
        return rng.choice(risks)
    bids = [each for each, call in calls.items() if call[0].isdigit()]
    if bids and rng.random() < eager:
        return rng.choice(bids[: rng.choice([3, 8, 35])])
    return next(each for each, call in calls.items() if call == "pass")


def judged(record: Record) -> Verdict:
    return check(record, find)


@pytest.mark.parametrize("many", [200, pytest.param(10_000, marks=pytest.mark.long)])
def test_returns_of_random_boards(many: int) -> None:
    """Nothing is wrong with a board, and the sides score what OpenSpiel says; among them doubled and passed-out ones."""
    met = set()
    for seed in range(many):
        record, points = board(seed)
        verdict = judged(record)
        assert [finding.message for finding in verdict.faults] == [], seed
        result = verdict.deals[0]
        assert [result.scores.get(seat) for seat in SEATS] == points, (seed, result.stakes)
        met.add(result.stakes.partition(" ")[0].lstrip("1234567CDHSNT"))
    assert met >= {"", "x", "xx", "passed"}
