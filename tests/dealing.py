"""Dealing for tests: random options that go together, deals that must be clean, and faults planted alone."""

from __future__ import annotations

from random import Random
from typing import Any

from handrec import check, games, referee
from handrec.dealing import CannotDeal, deal_game, injectable
from handrec.game import Game, compose
from handrec.record import Record

GAMES = games.catalogue()


def the(key: str, **options: Any) -> Game:
    """The game of a key, under options."""
    game = games.find(key)
    assert game is not None
    found, problems = compose(game, options)
    assert not problems
    return found


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

#: How many play where a fault is planted; a game that has none of these numbers is played by any of its own.
USUAL = (2, 3, 4, 5, 6, 9)
#: A ladder is shorter the more play, and only two packs have marks to be called.
PLAYERS = {**dict.fromkeys(WHOLE, (6, 9, 18)), "BID010": (5, 6)}


def everything(game: Game) -> list[dict[str, Any]]:
    """Sets of options under which every part of a game can go wrong."""
    return VARIANTS.get(game.key) or [EVERYTHING.get(game.key, {})]


#: Options of the Bastard that make it another game.
PARTS = frozenset({"mega", "ultra", "demon", "nuisance", "back_end", "ultimate"})


def any_options(game: Game, rng: Random, variant: dict[str, Any] | None = None) -> dict[str, Any]:
    """A random value for each of the game's options, or none, that go together; a variant's parts are as it says."""
    free = [option for option in game.options if option.values and (variant is None or option.key not in PARTS)]
    while True:
        options = {option.key: rng.choice(option.values) for option in free if rng.random() < 0.5} | (variant or {})
        if not compose(game, options)[1]:
            return options


def some_deals(game: Game, players: int, options: dict[str, Any], rng: Random, many: int = 3) -> list[int] | None:
    """A few neighbouring deals of a game."""
    schedule = compose(game, options)[0].cards(players)
    if isinstance(schedule, int):
        return list(range(1, many + 1))
    first = rng.randrange(1, max(2, len(schedule) - many + 2))
    return list(range(first, min(first + many, len(schedule) + 1)))


def single_deal_is_clean(game: Game, seed: int, variant: dict[str, Any] | None = None, players: int | None = None) -> None:
    """Deal one deal with random options and players; it must pass, and play and score must be checkable.

    With `variant`, options that make the game another one are as it says; with `players`, so many play.
    """
    rng = Random(seed)
    options, players = any_options(game, rng, variant), players or rng.choice(game.players)
    record = deal_game(game, players, seed, options=options, numbers=some_deals(game, players, options, rng, 1))
    verdict = check(record)
    assert verdict.findings == (), (players, options, seed)
    assert [level.status for level in verdict.levels[:6]] == ["passed"] * 6


def faulty(game: Game, code: str, seed: int) -> Record | None:
    """A record in which one fault was planted; None if it cannot come about with what the seed chose."""
    rng = Random(seed)
    able = [options for options in everything(game) if code in injectable(compose(game, options)[0])]
    options = rng.choice(able)
    counts = [count for count in PLAYERS.get(code, USUAL) if count in game.players]
    players = rng.choice(counts or list(game.players))
    numbers = None if code in WHOLE else some_deals(game, players, options, rng)
    try:
        return deal_game(game, players, seed, options=options, numbers=numbers, inject=code)
    except CannotDeal:
        return None


def planted(game: Game, code: str, seed: int) -> tuple[str, ...] | None:
    """The codes found where one fault was planted; None if it cannot come about with what the seed chose.

    Found by the referee alone: under which other readings a finding is none is not asked.
    """
    record = faulty(game, code, seed)
    if record is None:
        return None
    return tuple(finding.code for finding in referee.check(record, games.find).findings if finding.severity != "info")


FAULTS = [
    (game, code)
    for game in GAMES
    for code in sorted({code for options in everything(game) for code in injectable(compose(game, options)[0])})
]
