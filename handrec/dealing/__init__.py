"""Dealing: legal games of any kind from a seed, whole or in part, and games with exactly one fault planted."""

from handrec.dealing import deals, plays, results
from handrec.dealing.dealer import CannotDeal, alike, deal_game, injectable, laid_out, reckon
from handrec.dealing.faults import plantings, seats_for, usual_players
from handrec.dealing.players import POLICIES, Policy

__all__ = [
    "POLICIES",
    "CannotDeal",
    "Policy",
    "alike",
    "deal_game",
    "deals",
    "injectable",
    "laid_out",
    "plantings",
    "plays",
    "reckon",
    "results",
    "seats_for",
    "usual_players",
]
