"""OpenSpiel and handrec agree on auctions of bridge: which calls may be made at every turn, and when no more are."""

from __future__ import annotations

from random import Random

import pytest

from handrec.game import Table
from handrec.game.value import Game
from handrec.games import find
from handrec.phases.calls import Calls
from handrec.phases.contracts import Outcome
from handrec.record import Bid, Deal
from tests.bench.spiel import SEATS, plain

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed: pip install 'handrec[bench]'")

CALLS = {"Pass": "pass", "Dbl": "X", "RDbl": "XX"}


def opened(game: Game, dealer: int) -> tuple[Calls, Table]:
    """The phase of the calls, and a table at which nobody has called."""
    deal = Deal(dealer=SEATS[dealer])
    table = Table(game, game.pack(4), SEATS, 0, deal, 1, 13, True)
    phase = game.phase_of["bid"]
    assert isinstance(phase, Calls)
    return phase, table


@pytest.mark.parametrize("many", [300, pytest.param(10_000, marks=pytest.mark.long)])
def test_the_calls_that_may_be_made(many: int) -> None:
    """To OpenSpiel player 0 always deals: its seats go round with the dealer. Both end the auction at the same call."""
    game, met = find("bridge"), 0
    assert game is not None
    for seed in range(many):
        rng = Random(seed)
        dealer, eager = rng.randrange(4), rng.choice([0.2, 0.5, 0.9])
        state = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
        while state.is_chance_node():
            state.apply_action(rng.choice(state.legal_actions()))
        phase, table = opened(game, dealer)
        last: list[str] = []
        while not state.is_terminal():
            player = state.current_player()
            spelt = {plain(state.action_to_string(player, each)): each for each in state.legal_actions()}
            calls = {CALLS.get(word, word): each for word, each in spelt.items()}
            offers = [event for event in phase.offers(table) if type(event) is Bid]
            if "pass" not in calls:
                break
            assert {(event.by, event.bid) for event in offers} == {(SEATS[(player + dealer) % 4], call) for call in calls}
            met += len(calls)
            risks = [call for call in calls if call in ("X", "XX")]
            bids = [call for call in calls if call[0].isdigit()][: rng.choice([3, 8, 35])]
            call = (
                rng.choice(risks)
                if risks and rng.random() < 0.5
                else rng.choice(bids)
                if bids and rng.random() < eager
                else "pass"
            )
            table.deal.events.append(Bid(by=SEATS[(player + dealer) % 4], bid=call))
            phase.take(table, len(table.deal.events) - 1, table.deal.events[-1])
            state.apply_action(calls[call])
            last = [*last[-3:], call]
        assert [event for event in phase.offers(table) if type(event) is Bid] == []
        assert table.findings == []
        assert (table.kept[Outcome].level == 0) == (last == ["pass"] * 4)
    assert met > many * 50
