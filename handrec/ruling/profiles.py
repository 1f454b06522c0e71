"""The laws profiles that are shipped: one entry each, as `handrec.ruling.laws.Laws` describes it.

The sentences are paraphrases; the paragraphs named are the authority. Where a source has no numbers, its name stands.
"""

from __future__ import annotations

from typing import Any

BRIDGE = {
    "renege": {"at": "61A", "says": "Not following suit when able is a revoke."},
    "established": {"at": "63A", "says": "It is established when the offender or partner plays to the next trick, or claims."},
    "corrected": {"at": "62A", "says": "Until it is established a revoke must be corrected."},
    "won_by_offender": {
        "at": "64A1",
        "says": "The offender won that trick: it is transferred, and one later trick of that side.",
    },
    "penalty": {"at": "64A2", "says": "Else one trick is transferred, if that side won that trick or a later one."},
    "no_trick_won": {"at": "64B1", "says": "Nothing, if that side won neither that trick nor a later one."},
    "repeat_same_suit": {"at": "64B2", "says": "Nothing for revoking again in the same suit."},
    "open_card": {"at": "64B3", "says": "Nothing for a card of dummy's, or a penalty card."},
    "deadline": {"at": "64B4", "says": "Nothing, once the other side has called on the next deal."},
    "round_over": {"at": "64B5", "says": "Nothing, once the round is over."},
    "last_but_one": {"at": "64B6", "says": "Nothing for a revoke on the twelfth trick."},
    "both_sides": {"at": "64B7", "says": "Nothing, if both sides revoked and both revokes are established."},
    "equity": {"at": "64C", "says": "The Director restores what the adjustment leaves the other side short of."},
}

PROFILES: dict[str, dict[str, Any]] = {
    "kbabs": {
        "title": "Killer Back Alley Bridge Substitute: points, as the table decides",
        "games": ["kbabs"],
        "penalty": [{"kind": "points_off", "n": 37}],
        "choice_of": "table",
        "false_claim": [{"kind": "points_off", "n": 37}],
        "paragraphs": {
            "renege": {"at": "KB-5.9"},
            "penalty": {
                "at": "KB-5.9",
                "says": "Renege and false accusation may cost points: 37 are suggested, the table decides.",
            },
        },
    },
    "spades3": {
        "title": "Three-player Spades: up to three books, claimed before the trick is turned",
        "games": ["spades3"],
        "trick": "book",
        "duty": "follow",
        "claim_deadline": "trick_turned",
        "penalty": [{"kind": "books", "n": 3}],
        "choice_of": "claimant",
        "paragraphs": {
            "deadline": {"at": "SP-22"},
            "penalty": {"at": "SP-23", "says": "The first claimant takes up to three books the offender has, now or later."},
            "unclaimed": {"at": "SP-24", "says": "A renege that nobody claims costs nothing, nor does a false claim."},
        },
    },
    "bridge-2017": {
        "title": "Laws of Duplicate Bridge 2017, 61 to 64",
        "source": "Laws of Duplicate Bridge, 2017",
        "games": ["bridge"],
        "revoke": "revoke",
        "duty": "follow",
        "establish_on": "own_side_next",
        "correctable_until": "own_side_next",
        "claim_deadline": "next_deal",
        "penalty": [{"kind": "tricks", "n": 1, "n_if_won": 2, "cap": "won_from_revoke_on"}],
        "repeat_same_suit": "exempt",
        "both_sides": "equity",
        "equity": "director",
        "exempt": ["no_trick_won", "open_card", "deadline", "round_over", "last_but_one", "corrected"],
        "paragraphs": {**BRIDGE, "corrected": {"at": "64B8", "says": "Nothing for a revoke that was corrected."}},
    },
    "whist-classic": {
        "title": "Whist, the classic laws: three tricks, or three points either way",
        "source": "Laws of whist, 71 to 73",
        "revoke": "revoke",
        "duty": "follow",
        "establish_on": "trick_turned",
        "correctable_until": "trick_turned",
        "claim_deadline": "next_deal",
        "penalty": [{"kind": "tricks", "n": 3}, {"kind": "points_off", "n": 3}, {"kind": "points_on", "n": 3}],
        "choice_of": "adversaries",
        "both_sides": "cancel",
        "paragraphs": {
            "penalty": {
                "at": "71-72",
                "says": "The adversaries take three tricks, or three points off the offender's score or onto theirs.",
            }
        },
        "note": "The revoking side cannot win the game in that deal.",
    },
    "skat-isko": {
        "title": "International Skat Order: the game is lost",
        "source": "Internationale Skatordnung, 4.1",
        "revoke": "revoke",
        "claim_deadline": "end_of_deal",
        "penalty": [{"kind": "lose_game"}],
        "per": "hand",
        "already_decided": "stands",
        "level_cap": "simple",
        "paragraphs": {
            "penalty": {
                "at": "4.1",
                "says": "The offending party loses the game at the simple level, unless it was decided before.",
            }
        },
    },
    "spades-3books": {
        "title": "Spades, club rule: three books for a renege, and for a wrong accusation",
        "trick": "book",
        "duty": "follow",
        "establish_on": "trick_turned",
        "correctable_until": "trick_turned",
        "claim_deadline": "end_of_deal",
        "penalty": [{"kind": "tricks", "n": 3}],
        "false_claim": [{"kind": "tricks", "n": 3}],
    },
    "spades-set": {
        "title": "Spades, club rule: the offender's bid is set",
        "trick": "book",
        "duty": "follow",
        "establish_on": "trick_turned",
        "correctable_until": "trick_turned",
        "claim_deadline": "end_of_deal",
        "penalty": [{"kind": "set"}],
        "per": "hand",
    },
    "hearts-all": {
        "title": "Hearts: the offender takes every loss of the hand",
        "source": "Foster's Hoyle, Hearts 24 to 27",
        "revoke": "revoke",
        "duty": "follow",
        "establish_on": "tricks_mixed",
        "correctable_until": "tricks_mixed",
        "claim_deadline": "tricks_mixed",
        "penalty": [{"kind": "all_points"}],
        "per": "hand",
        "paragraphs": {
            "penalty": {"at": "24-27", "says": "The offender pays all losses of the hand; two offenders each pay them in full."}
        },
    },
    "euchre-2": {
        "title": "Euchre: two points to the adversaries",
        "duty": "follow",
        "establish_on": "trick_turned",
        "correctable_until": "trick_turned",
        "claim_deadline": "next_deal",
        "penalty": [{"kind": "points_on", "n": 2}],
        "both_sides": "cancel",
    },
    "none": {
        "title": "No laws: the facts only",
    },
}
