"""Dealing: legal games of any kind from a seed, whole or in part, and games with exactly one fault planted."""

from handrec.dealing import deals, plays, results
from handrec.dealing.dealer import CannotDeal, alike, deal_game, injectable, reckon
from handrec.dealing.faults import plantings, seats_for

__all__ = [
    "CannotDeal",
    "alike",
    "deal_game",
    "deals",
    "injectable",
    "plantings",
    "plays",
    "reckon",
    "results",
    "seats_for",
]
