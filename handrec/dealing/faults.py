"""The faults that can be planted in a record of any game, and with those of its phases all that can be in one of a game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from handrec.game import Game
from handrec.game.planting import Data, Planting
from handrec.game.value import never

#: The faults of any game: which games each suits, and how it is planted.
FAULTS: dict[str, tuple[Callable[[Game], bool], Planting]] = {}


def plants(code: str, suits: Callable[[Game], bool] = lambda game: True, reckoned: bool = False) -> Callable[[Any], Any]:
    """Register a function as the planting of a code, in games that it suits."""

    def register(apply: Callable[[Data, Random, Game], bool]) -> Callable[[Data, Random, Game], bool]:
        FAULTS[code] = suits, Planting(apply, reckoned)
        return apply

    return register


def plantings(game: Game) -> dict[str, Planting]:
    """How each fault is planted in the records of a game, by code."""
    found = {code: planting for code, (suits, planting) in FAULTS.items() if suits(game)}
    return found | {code: planting for phase in game.phases for code, planting in phase.plants.items()}


def seats_for(players: int) -> tuple[str, ...]:
    """Seat names for a number of players: the four compass points, else P1, P2, …"""
    return ("N", "E", "S", "W") if players == 4 else tuple(f"P{place + 1}" for place in range(players))


def usual_players(game: Game) -> int:
    """How many play if nobody says so."""
    return 4 if 4 in game.players else min(game.players)


def dealing_is_known(game: Game) -> bool:
    """Whether it is known who gets which card of a pack."""
    seats = seats_for(min(game.players))
    cards = game.cards(len(seats))
    return bool(game.dealt(seats, 0, cards if isinstance(cards, int) else cards[0]))


def ends(game: Game) -> bool:
    """Whether a game comes to an end: by its schedule, or by its score."""
    return has_ladder(game) or game.over is not never


def is_scored(game: Game) -> bool:
    """Whether hands are scored."""
    return bool(game.score)


def has_ladder(game: Game) -> bool:
    """Whether the number of cards follows a schedule."""
    return not isinstance(game.cards(min(game.players)), int)
