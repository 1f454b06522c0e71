"""The laws profiles that are shipped: one entry each, as `handrec.ruling.laws.Laws` describes it.

The sentences are paraphrases; the paragraphs named are the authority. Where a source has no numbers, its name stands.
"""

from __future__ import annotations

from typing import Any

#: What the Laws of Duplicate Bridge say in 2017 and in 2007 alike.
BRIDGE = {
    "renege": {"at": "61A", "says": "Not following suit when able is a revoke."},
    "unestablished": {"at": "62A", "says": "If attention is drawn to it before it is established, it must be corrected."},
    "penalty_card": {"at": "62B1", "says": "The card withdrawn from a defender's hand becomes a major penalty card."},
    "others_withdraw": {"at": "62C1", "says": "The other side may take back cards that it played after the revoke."},
    "own_side_withdraws": {
        "at": "62C2",
        "says": "Then the next of the offending side may take back a card too; a defender's becomes a penalty card.",
    },
    "hands_not_back": {
        "at": "62D",
        "says": "On trick twelve it is corrected even if established, until all four hands are back in the board.",
    },
    "own_side_next": {"at": "63A1", "says": "It is established when the offender or partner leads or plays to the next trick."},
    "card_named": {"at": "63A2", "says": "It is established when the offender or partner names a card of the next trick."},
    "own_side_claims": {"at": "63A3", "says": "It is established when the offending side claims or concedes."},
    "won_by_offender": {
        "at": "64A1",
        "says": "The offender won that trick: it is transferred, and one later trick of that side if there is one.",
    },
    "penalty": {
        "at": "64A2",
        "says": "Another player won it: one trick is transferred, if that side won that trick or a later one.",
    },
    "no_trick_won": {"at": "64B1", "says": "Nothing, if that side won neither that trick nor a later one."},
    "repeat_same_suit": {"at": "64B2", "says": "Nothing for revoking again in the same suit, the first being established."},
    "open_card": {"at": "64B3", "says": "Nothing for a card of dummy's, or a penalty card."},
    "deadline": {"at": "64B4", "says": "Nothing, if it is first noticed when the other side has called on the next deal."},
    "round_over": {"at": "64B5", "says": "Nothing, if it is first noticed after the round."},
    "last_but_one": {"at": "64B6", "says": "Nothing for a revoke on the twelfth trick."},
    "equity": {"at": "64C", "says": "The Director restores what the other side is left short of."},
}
#: How both rule on a revoke.
DUPLICATE = {
    "games": ["bridge"],
    "revoke": "revoke",
    "duty": "follow",
    "claim_deadline": "next_deal",
    "penalty": [{"kind": "tricks", "n": 1, "n_if_won": 2, "cap": "won_from_revoke_on"}],
    "equity": "director",
}
#: The exemptions of 64B that both have, in their order.
EXEMPT = ["no_trick_won", "repeat_same_suit", "open_card", "deadline", "round_over", "last_but_one"]

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
        **DUPLICATE,
        "establish_on": ["own_side_next", "card_named", "own_side_claims", "claim_agreed"],
        "correct": ["both_in_trick", "hands_not_back"],
        "exempt": [*EXEMPT, "both_sides", "corrected"],
        "paragraphs": {
            **BRIDGE,
            "both_in_trick": {
                "at": "62C3",
                "says": "Both sides revoked in a trick and only one has played to the next: both are corrected.",
            },
            "claim_agreed": {
                "at": "63A4",
                "says": "It is established when the offending side has called on a later board, or the round has ended, "
                "without objecting to a claim.",
            },
            "equity_repeated": {
                "at": "64C2a",
                "says": "The Director adjusts the score if the other side is likely to have lost tricks by the later revoke.",
            },
            "equity_both_sides": {
                "at": "64C2b",
                "says": "The Director adjusts the score to what was likely if neither side had revoked.",
            },
            "both_sides": {"at": "64B7", "says": "Nothing, if both sides revoked and both revokes are established."},
            "corrected": {
                "at": "64B8",
                "says": "Nothing for a revoke that is corrected because both sides revoked in the trick.",
            },
        },
    },
    "bridge-2007": {
        "title": "Laws of Duplicate Bridge 2007, 61 to 64",
        "source": "Laws of Duplicate Bridge, 2007",
        **DUPLICATE,
        "establish_on": ["own_side_next", "card_named", "own_side_claims", "own_side_agrees"],
        "correct": ["hands_not_back"],
        "exempt": [*EXEMPT, "both_sides_reneged"],
        "paragraphs": {
            **BRIDGE,
            "own_side_agrees": {
                "at": "63A3",
                "says": "It is established when the offending side agrees to a claim or concession.",
            },
            "both_sides_reneged": {"at": "64B7", "says": "Nothing, if both sides revoked on the board."},
        },
    },
    "whist-classic": {
        "title": "Whist, the classic laws: three tricks, or three points either way",
        "source": "Laws of whist, 71 to 82",
        "revoke": "revoke",
        "duty": "follow",
        "establish_on": ["trick_turned", "own_side_next"],
        "claim_deadline": "cards_cut",
        "penalty": [{"kind": "tricks", "n": 3}, {"kind": "points_off", "n": 3}, {"kind": "points_on", "n": 3}],
        "choice_of": "adversaries",
        "besides": ["neither_can_win", "cannot_win"],
        "paragraphs": {
            "renege": {"at": "71", "says": "Not following suit when able is a revoke."},
            "established": {
                "at": "73",
                "says": "It is established when the trick is turned, or when the offender or partner has played again.",
            },
            "unestablished": {
                "at": "76",
                "says": "Found in time, the card is changed, and those played after it may be; the adversaries may call it.",
            },
            "deadline": {"at": "78", "says": "It cannot be claimed once the cards have been cut for the next deal."},
            "penalty": {
                "at": "72",
                "says": "For each, the adversaries take three tricks, or three points off that side's score or onto theirs, "
                "undivided and before any other score.",
            },
            "neither_can_win": {"at": "81", "says": "Both sides revoked: each is punished, and neither can win the game."},
            "cannot_win": {"at": "82", "says": "The revoking side cannot win the game by that hand, whatever the penalty."},
        },
    },
    "skat-isko": {
        "title": "International Skat Order: the game is lost",
        "source": "Internationale Skatordnung, 4.1",
        "revoke": "revoke",
        "claim_deadline": "end_of_deal",
        "exempt": ["once"],
        "penalty": [{"kind": "lose_game"}],
        "already_decided": "stands",
        "level_cap": "simple",
        "paragraphs": {
            "established": {"at": "4.1.2", "says": "A card played is not taken back, unless the other party has the play go on."},
            "penalty": {
                "at": "4.1.4",
                "says": "The offending party loses the game at the simple level; a game that was decided before stands (4.1.3).",
            },
        },
    },
    "spades-3books": {
        "title": "Spades, club rule: three books for a renege, and for a wrong accusation",
        "trick": "book",
        "duty": "follow",
        "establish_on": ["trick_turned"],
        "claim_deadline": "end_of_deal",
        "penalty": [{"kind": "tricks", "n": 3}],
        "false_claim": [{"kind": "tricks", "n": 3}],
    },
    "spades-set": {
        "title": "Spades, club rule: the offender's bid is set",
        "trick": "book",
        "duty": "follow",
        "establish_on": ["trick_turned"],
        "claim_deadline": "end_of_deal",
        "exempt": ["once"],
        "penalty": [{"kind": "set"}],
    },
    "hearts-all": {
        "title": "Hearts: the offender takes every loss of the hand",
        "source": "Foster's Hoyle, Hearts 24 to 27",
        "revoke": "revoke",
        "duty": "follow",
        "establish_on": ["trick_turned"],
        "claim_deadline": "tricks_mixed",
        "exempt": ["once"],
        "penalty": [{"kind": "all_points"}],
        "paragraphs": {
            "deadline": {"at": "26", "says": "It must be claimed before the tricks have been mixed."},
            "penalty": {"at": "24", "says": "Whoever revokes pays all losses of the hand; two who do each pay them in full."},
        },
    },
    "euchre-2": {
        "title": "Euchre: two points to the adversaries",
        "duty": "follow",
        "establish_on": ["trick_turned", "own_side_next"],
        "claim_deadline": "cards_cut",
        "exempt": ["cancelled"],
        "penalty": [{"kind": "points_on", "n": 2}],
    },
    "none": {
        "title": "No laws: the facts only",
    },
}
