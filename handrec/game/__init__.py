"""What a game is made of: a `Game` value, its options, its phases, and the table at which a deal is replayed."""

from handrec.game.table import Table
from handrec.game.value import (
    Carry,
    Case,
    Game,
    Line,
    Option,
    Phase,
    Sight,
    Standings,
    Statement,
    compose,
    highest_total,
    with_phase,
    with_rule,
)
from handrec.game.whole import Incomplete, validate

__all__ = [
    "Carry",
    "Case",
    "Game",
    "Incomplete",
    "Line",
    "Option",
    "Phase",
    "Sight",
    "Standings",
    "Statement",
    "Table",
    "compose",
    "highest_total",
    "validate",
    "with_phase",
    "with_rule",
]
