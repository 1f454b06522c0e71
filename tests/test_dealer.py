"""The dealer: what it deals is legal, and what it plants is found, alone."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check, games
from handrec.dealing import CannotDeal, alike, deal_game
from handrec.game import Game, compose
from tests.dealing import FAULTS, GAMES, planted, single_deal_is_clean


@pytest.mark.some(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_legal_play_is_always_accepted(game: Game, seed: int) -> None:
    """Whatever is played by the rules passes, with any number of players and any options."""
    single_deal_is_clean(game, seed)


@pytest.mark.some(3)
@pytest.mark.parametrize("players", [1, 2, 3, 4, 6, 27, 54])
def test_a_whole_ladder_is_clean(players: int) -> None:
    """A game from first to last deal passes at every level."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    verdict = check(deal_game(kbabs, players, 1))
    assert verdict.findings == ()
    assert {level.status for level in verdict.levels} == {"passed"}
    assert verdict.winners


@pytest.mark.some(50)
@pytest.mark.parametrize("many", [1, pytest.param(2, marks=pytest.mark.long)])
@pytest.mark.parametrize(("game", "code"), FAULTS, ids=lambda item: getattr(item, "key", item))
def test_a_planted_fault_is_found_alone(game: Game, code: str, many: int) -> None:
    """Each fault that can be planted is found under its own code, and nothing else is."""
    tries = (planted(game, code, seed) for seed in range(12))
    found = [*islice((codes for codes in tries if codes is not None), many)]
    assert found == [(code,)] * many


def test_the_same_seed_gives_the_same_game() -> None:
    """A seed stands for one game, whenever it is dealt."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    assert deal_game(kbabs, 4, 7) == deal_game(kbabs, 4, 7)
    assert deal_game(kbabs, 4, 7) != deal_game(kbabs, 4, 8)


def test_what_cannot_be_dealt_is_refused() -> None:
    """Too many players, an unknown option, a fault that does not exist: each is refused with a reason."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    with pytest.raises(CannotDeal, match="1 to 54"):
        deal_game(kbabs, 55, 1)
    with pytest.raises(CannotDeal, match="options"):
        deal_game(kbabs, 4, 1, options={"jokers": 3})
    with pytest.raises(CannotDeal, match="REV001"):
        deal_game(kbabs, 4, 1, inject="XYZ001")


#: Options under which rules that share their code can all be broken.
RULED: dict[str, list[dict[str, str]]] = {"batarde": [{"mechoune_by": "not_proposer"}]}

ALIKE = [
    (game, name, options) for game in GAMES for options in RULED.get(game.key, [{}]) for name in alike(compose(game, options)[0])
]


@pytest.mark.some(3)
@pytest.mark.parametrize(
    ("game", "name", "options"), ALIKE, ids=lambda item: getattr(item, "key", item) if not isinstance(item, dict) else ""
)
def test_rules_that_share_a_code_are_broken_each_by_itself(game: Game, name: str, options: dict[str, str]) -> None:
    """What is planted by id and code is found under both, alone."""
    found = set()
    for seed in range(3):
        record = deal_game(game, 3, seed, options={**options, "deal_schedule": [5]}, inject=name)
        found |= {f"{finding.rule}-{finding.code}" for finding in check(record).faults}
    assert found == {name}


def test_a_code_that_several_rules_share_breaks_any_of_them() -> None:
    """Whoever plants REV001 in La Bâtarde is not told which of its rules it will be."""
    batarde = games.find("batarde")
    assert batarde is not None
    options = {"deal_schedule": [5]}
    found = {
        finding.rule
        for seed in range(25)
        for finding in check(deal_game(batarde, 3, seed, options=options, inject="rev001")).faults
    }
    assert found == {"LB-24", "LB-25a", "LB-26", "LB-27"}
