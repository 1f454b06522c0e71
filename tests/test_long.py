"""The long run, `pytest -m long`: tens of thousands of deals, and every fault planted hundreds of times."""

from __future__ import annotations

from collections import Counter
from itertools import chain, combinations
from random import Random
from typing import Any

import pytest

from handrec import check, games
from handrec.dealing import deal_game
from handrec.game import Game, compose
from tests.dealing import FAULTS, GAMES, any_options, planted, single_deal_is_clean

pytestmark = pytest.mark.long

DEALS = 1000
PLANTINGS = {"kbabs": 1000, "bridge": 1000}


def variants(game: Game) -> list[dict[str, Any]]:
    """What a game can be: one thing, but for the Bastard, which is every set of its parts that goes together."""
    parts = ("mega", "ultra", "demon", "nuisance", "back_end", "ultimate")
    if game.key != "bastard":
        return [{}]
    sets = chain.from_iterable(combinations(parts, many) for many in range(len(parts) + 1))
    chosen = [dict.fromkeys(keys, True) for keys in sets]
    return [options for options in chosen if not compose(game, options)[1]]


KINDS = [(game, options, players) for game in GAMES for options in variants(game) for players in game.players]


def test_the_bastard_has_24_variants() -> None:
    """22 sets of its parts that go together, Basic, and Ultimate."""
    bastard = games.find("bastard")
    assert bastard is not None
    assert len(variants(bastard)) == 24


def shown(item: Any) -> str:
    """A parameter in a test's name."""
    return item.key if isinstance(item, Game) else "+".join(item) or "plain" if isinstance(item, dict) else str(item)


@pytest.mark.parametrize(("game", "options", "players"), KINDS, ids=shown)
def test_1_000_deals_of_each_kind_are_clean(game: Game, options: dict[str, Any], players: int) -> None:
    """Every game, variant and number of players: 1,000 deals by the rules are found to be so, whatever else is chosen."""
    for seed in range(DEALS):
        single_deal_is_clean(game, seed, options, players)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_500_whole_games_are_clean(game: Game) -> None:
    """Whole games of all numbers of players and all options pass: 500 of the first game, 100 of each other."""
    for seed in range(500 if game.key == "kbabs" else 100):
        rng = Random(seed)
        players, options = rng.choice(game.players), any_options(game, rng)
        assert check(deal_game(game, players, seed, options=options)).findings == (), (game.key, players, options, seed)


@pytest.mark.parametrize(("game", "code"), FAULTS, ids=lambda item: getattr(item, "key", item))
def test_planted_faults_are_found_alone(game: Game, code: str) -> None:
    """Of each fault 200 plantings (1,000 of the first two games') are found under its code, with no other finding."""
    wanted = PLANTINGS.get(game.key, 200)
    found: Counter[tuple[str, ...]] = Counter()
    seed = 0
    while found.total() < wanted:
        codes = planted(game, code, seed)
        seed += 1
        assert seed < 20 * wanted, f"{code} came about only {found.total()} times"
        if codes is not None:
            found[codes] += 1
    assert found == {(code,): wanted}
