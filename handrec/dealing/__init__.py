"""Dealing: legal games of any kind from a seed, whole or in part, and games with exactly one fault planted."""

from handrec.dealing import bids, deals, plays, results
from handrec.dealing.dealer import CannotDeal, alike, deal_game, injectable, reckon, seats_for
from handrec.dealing.faults import FAULTS, RECKONED

__all__ = [
    "FAULTS",
    "RECKONED",
    "CannotDeal",
    "alike",
    "bids",
    "deal_game",
    "deals",
    "injectable",
    "plays",
    "reckon",
    "results",
    "seats_for",
]
