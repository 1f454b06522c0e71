"""Whether a game has all that it needs, asked when it is loaded.

What it lacks would else show in the middle of a deal; or never, as where no rule says what may be played.
"""

from __future__ import annotations

from collections.abc import Iterator

from handrec import rulebook
from handrec.findings import Rule
from handrec.game.value import Game


class Incomplete(ValueError):
    """A game lacks something that it cannot do without."""


def lacking(game: Game) -> Iterator[str]:
    """What a game lacks, in words: a phase in which cards are played, or rules by which its phases judge."""
    stated = {rule.code for rule in game.rules}
    if "play" not in game.phase_of:
        yield "a phase in which cards are played (Tricks)"
    if not game.play_rules:
        yield "a rule of which cards may be played (such as rulebook.FOLLOW_SUIT, REV001)"
    for phase in game.phases:
        for code in phase.needs:
            if code not in stated:
                yield f"a rule {named(code)}, by which its phase {type(phase).__name__} judges"


def named(code: str) -> str:
    """A code, with the rule of the rulebook that is usual for it."""
    usual = {rule.code: name for name, rule in vars(rulebook).items() if isinstance(rule, Rule)}
    return f"{code} (such as rulebook.{usual[code]})" if code in usual else code


def validate(game: Game) -> Game:
    """The game itself; raises `Incomplete` naming all that it lacks."""
    if lacks := list(lacking(game)):
        raise Incomplete(f"the game {game.key} lacks {'; '.join(lacks)}")
    return game
