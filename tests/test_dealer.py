"""The dealer: what it deals is legal, and what it plants is found, alone."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check, games
from handrec.dealer import CannotDeal, deal_game, injectable
from handrec.game import Game, compose

GAMES = games.catalogue()

#: Options under which every part of a game can go wrong.
EVERYTHING: dict[str, dict[str, Any]] = {
    "kbabs": {"renege_penalty": 37, "sips": {"1": 1, "2": 3}},
    "spades3": {"d_after_seat": "P2", "blind_raise": "forbidden", "bemo_mode": "standalone", "spades_broken": True},
}

#: More such options, for a game whose parts exclude each other.
VARIANTS: dict[str, list[dict[str, Any]]] = {
    "bastard": [
        {"guess_pass": False, "game_end": {"hands": 3}, "trump_break": "must_be_broken"},
        {"guess_seen_card": "forbidden", "game_end": {"target": 20}, "sandbags": {"every": 3, "penalty": 20}, "bid_min": 1},
        {"ultimate": True, "game_end": {"hands": 2}, "trump_break": "must_be_broken"},
        {"mega": True, "ultra": True, "game_end": {"hands": 3}},
        {"demon": True, "back_end": True, "game_end": {"hands": 3}, "trump_break": "must_be_broken"},
        {"nuisance": True, "game_end": {"hands": 3}, "trump_break": "must_be_broken"},
        {"mega": True, "nuisance": True, "back_end": True, "game_end": {"hands": 3}},
    ],
}

#: Faults that need a whole game.
WHOLE = {"SCO002", "SCO003", "SCO005", "DEA010"}


def everything(game: Game) -> list[dict[str, Any]]:
    """Sets of options under which every part of a game can go wrong."""
    return VARIANTS.get(game.key) or [EVERYTHING.get(game.key, {})]


def any_options(game: Game, rng: Random) -> dict[str, Any]:
    """A random value for each of the game's options, or none, that go together."""
    while True:
        options = {option.key: rng.choice(option.choices) for option in game.options if option.choices and rng.random() < 0.5}
        if not compose(game, options)[1]:
            return options


def some_deals(game: Game, players: int, options: dict[str, Any], rng: Random, many: int = 3) -> list[int] | None:
    """A few neighbouring deals of a game."""
    schedule = compose(game, options)[0].cards(players)
    if isinstance(schedule, int):
        return list(range(1, many + 1))
    first = rng.randrange(1, max(2, len(schedule) - many + 2))
    return list(range(first, min(first + many, len(schedule) + 1)))


def single_deal_is_clean(game: Game, seed: int) -> None:
    """Deal one deal with random options and players; it must pass, and play and score must be checkable."""
    rng = Random(seed)
    options, players = any_options(game, rng), rng.choice(game.players)
    record = deal_game(game, players, seed, options=options, numbers=some_deals(game, players, options, rng, 1))
    verdict = check(record)
    assert verdict.findings == (), (players, options, seed)
    assert [level.status for level in verdict.levels[:6]] == ["passed"] * 6


def planted(game: Game, code: str, seed: int) -> tuple[str, ...] | None:
    """The codes found where one fault was planted; None if it cannot come about with what the seed chose."""
    rng = Random(seed)
    able = [options for options in everything(game) if code in injectable(compose(game, options)[0])]
    options = rng.choice(able)
    counts = [count for count in ((6, 9, 18) if code in WHOLE else (2, 3, 4, 5, 6, 9)) if count in game.players]
    players = rng.choice(counts or list(game.players))
    numbers = None if code in WHOLE else some_deals(game, players, options, rng)
    try:
        record = deal_game(game, players, seed, options=options, numbers=numbers, inject=code)
    except CannotDeal:
        return None
    return tuple(finding.code for finding in check(record).findings if finding.severity != "info")


FAULTS = [
    (game, code)
    for game in GAMES
    for code in sorted({code for options in everything(game) for code in injectable(compose(game, options)[0])})
]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_legal_play_is_always_accepted(game: Game, seed: int) -> None:
    """Whatever is played by the rules passes, with any number of players and any options."""
    single_deal_is_clean(game, seed)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 6, 27, 54])
def test_a_whole_ladder_is_clean(players: int) -> None:
    """A game from first to last deal passes at every level."""
    kbabs = games.find("kbabs")
    assert kbabs is not None
    verdict = check(deal_game(kbabs, players, 1))
    assert verdict.findings == ()
    assert {level.status for level in verdict.levels} == {"passed"}
    assert verdict.winners


@pytest.mark.parametrize(("game", "code"), FAULTS, ids=lambda item: getattr(item, "key", item))
def test_a_planted_fault_is_found_alone(game: Game, code: str) -> None:
    """Each fault that can be planted is found under its own code, and nothing else is."""
    found = Counter(planted(game, code, seed) for seed in range(6))
    assert set(found) - {None} == {(code,)}


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


@pytest.mark.long
def test_500_whole_games_are_clean() -> None:
    """500 whole games of all numbers of players and all options pass."""
    for game in GAMES:
        for seed in range(500 if game.key == "kbabs" else 50):
            rng = Random(seed)
            players, options = rng.choice(game.players), any_options(game, rng)
            assert check(deal_game(game, players, seed, options=options)).findings == (), (game.key, players, options, seed)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_20_000_single_deals_are_clean(game: Game) -> None:
    """20,000 deals over all numbers of players and all options pass."""
    for seed in range(20_000):
        single_deal_is_clean(game, seed)


@pytest.mark.long
@pytest.mark.parametrize(("game", "code"), FAULTS, ids=lambda item: getattr(item, "key", item))
def test_1_000_planted_faults_are_found_alone(game: Game, code: str) -> None:
    """Of each fault, 1,000 plantings are found under its code, with no other finding."""
    found: Counter[tuple[str, ...]] = Counter()
    seed = 0
    while found.total() < 1000:
        codes = planted(game, code, seed)
        seed += 1
        assert seed < 20_000, f"{code} came about only {found.total()} times"
        if codes is not None:
            found[codes] += 1
    assert found == {(code,): 1000}
