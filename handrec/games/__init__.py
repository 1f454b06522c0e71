"""The games: one file each, found by being here, or through the entry-point group `handrec.games`."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pkgutil import iter_modules

from handrec.game import Game


@cache
def names() -> tuple[str, ...]:
    """The keys of all games, sorted."""
    here = {module.name for module in iter_modules(__path__)}
    return tuple(sorted(here | {point.name for point in entry_points(group="handrec.games")}))


@cache
def find(key: str) -> Game | None:
    """The game of this key, None if there is no such game."""
    if key in {module.name for module in iter_modules(__path__)}:
        game = import_module(f"{__name__}.{key}").GAME
    else:
        point = next((point for point in entry_points(group="handrec.games") if point.name == key), None)
        if point is None:
            return None
        game = point.load()
    assert isinstance(game, Game)
    return game


def catalogue() -> tuple[Game, ...]:
    """All games, sorted by key."""
    return tuple(game for game in map(find, names()) if game is not None)
