"""What a game is made of: a `Game` value, its options, its phases, and the table at which a deal is replayed."""

from handrec.game.phases import Bids, Conduct, Contracts, Sips, TurnUp
from handrec.game.table import Table
from handrec.game.tricks import Tricks
from handrec.game.value import Carry, Case, Game, Line, Option, Phase, Sight, Standings, Statement, compose, highest_total
from handrec.game.whole import Incomplete, validate

__all__ = [
    "Bids",
    "Carry",
    "Case",
    "Conduct",
    "Contracts",
    "Game",
    "Incomplete",
    "Line",
    "Option",
    "Phase",
    "Sight",
    "Sips",
    "Standings",
    "Statement",
    "Table",
    "Tricks",
    "TurnUp",
    "compose",
    "highest_total",
    "validate",
]
