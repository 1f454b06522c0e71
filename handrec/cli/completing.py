"""What the shell is told when somebody presses Tab: names of games, codes, laws, options, formats, topics.

Each function gives all words that can stand there, of which those are shown that go on as the one that was begun. What knows them
is loaded when it is asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from handrec.game import Game


def _game(ctx: typer.Context) -> Game | None:
    """The game that is named before; an option that still lacks its value leaves it among the words that were not taken in."""
    from handrec.games import find, names

    named = [word for word in (ctx.params.get("game"), *ctx.args) if word in names()]
    return find(named[0]) if named else None


def games() -> list[str]:
    """The keys of games."""
    from handrec.games import names

    return [*names()]


def options(ctx: typer.Context) -> list[str]:
    """The options of the game that is named before, each with each of its values."""
    game = _game(ctx)
    return [f"{option.key}={str(value).lower()}" for option in game.options for value in option.values] if game else []


def injected(ctx: typer.Context) -> list[str]:
    """The codes of the rules of the game that is named before."""
    from handrec.referee import rules_of

    game = _game(ctx)
    return sorted({rule.code for rule in rules_of(game)}) if game else []


def codes(incomplete: str) -> list[str]:
    """Codes of findings, the last of some with commas."""
    from handrec.cli.explain import codes as known

    before, comma, _ = incomplete.rpartition(",")
    return [before + comma + code for code in sorted(known())]


def explained() -> list[str]:
    """Whatever can be explained."""
    from handrec.cli.explain import catalogue

    return [*catalogue()]


def laws() -> list[str]:
    """The profiles of laws."""
    from handrec.ruling.laws import LAWS

    return [*LAWS]


def read() -> list[str]:
    """The formats that are read."""
    from handrec.formats import SUFFIXES

    return [*SUFFIXES]


def written() -> list[str]:
    """The formats that are written."""
    from handrec.convert import targets

    return [*targets()]


def topics() -> list[str]:
    """The topics of help."""
    from handrec.cli.help import topics as known

    return [*known()]
