"""The games: one file each, found by being here, or through the entry-point group `handrec.games`."""

from __future__ import annotations

import unicodedata
import warnings
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from handrec.game import Game, Incomplete, validate
from handrec.record import BadKind

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint, EntryPoints


@cache
def names() -> tuple[str, ...]:
    """The keys of all games, sorted."""
    here = {module.name for module in iter_modules(__path__)}
    return tuple(sorted(here | {point.name for point in _points()}))


@cache
def find(key: str) -> Game | None:
    """The game of this key, None if there is no such game."""
    if key in {module.name for module in iter_modules(__path__)}:
        game = import_module(f"{__name__}.{key}").GAME
    else:
        point = next((point for point in _points() if point.name == key), None)
        return None if point is None else _offered(point)
    assert isinstance(game, Game)
    return game


def _points() -> EntryPoints:
    """The games that other packages offer; to look through all that is installed takes a while."""
    from importlib.metadata import entry_points

    return entry_points(group="handrec.games")


def _offered(point: EntryPoint) -> Game | None:
    """The game behind an entry point; a warning and None if there is none, or if it lacks what no game can do without."""
    try:
        game = point.load()
    except (ImportError, AttributeError, BadKind) as error:
        game = error
    if isinstance(game, Game) and game.key == point.name:
        try:
            return validate(game)
        except Incomplete as error:
            warnings.warn(f"the entry point {point.name} = {point.value} is refused: {error}", RuntimeWarning, 2)
            return None
    warnings.warn(f"the entry point {point.name} = {point.value} leads to no game of that key: {game!r:.80}", RuntimeWarning, 2)
    return None


def near(name: str) -> str | None:
    """The key of the game that is called so, or nearly so, by its key or its title; None if none is."""
    from difflib import get_close_matches

    known = {_letters(word): game.key for game in catalogue() for word in (game.title, game.key)}
    close = get_close_matches(_letters(name), known, 1, 0.6)
    return known[close[0]] if close else None


def _letters(text: str) -> str:
    """The letters and digits of a name, without case and accents."""
    return "".join(char for char in unicodedata.normalize("NFKD", text[:80]).lower() if char.isalnum())


def forget() -> None:
    """Look for games anew, as after another package was installed."""
    names.cache_clear()
    find.cache_clear()


def catalogue() -> tuple[Game, ...]:
    """All games, sorted by key."""
    return tuple(game for game in map(find, names()) if game is not None)
