"""What a game is made of: a `Game` value, its options, its phases, and the table at which a deal is replayed.

A game is data. It names its pack, says how many cards a hand has and what is set aside, what suits and ranks are in a trick
(`order`), its rules, the lines of its score, and the phases that a deal goes through. Options are functions from game to game;
`compose` gives the game under those of a record. Nothing in a game file replays anything.

A *phase* is a part of a deal: turning a card, bidding, playing to tricks, guessing. It names the kinds of event that it takes.
Every event of a deal goes to the phase that takes its kind, in the order in which it was recorded (`take`); before the first,
each phase takes up what the deal itself states (`open`), and after the last says what is missing (`close`).

The *table* is one deal while that goes on: who sits where and deals, what is known of each hand, what was bid, turned and
played. A phase writes on it what happened, what is wrong with it (a finding: the code of a rule, and facts) and what cannot be
told (a doubt). Nothing is refused: a card that could not be played was played all the same, and the replay goes on from there.

A *rule* is decided in one of three ways. One of play narrows the cards that may be played (`narrow`); the first after which the
card played is gone is the one that was broken. One of bids or trump is a check on a view of what was said (`check`). Any other
is judged by the phase whose business it is (`judged_by`).

The phases themselves stand in `handrec.phases`; the parts of the table that all of them share stand here: `table`, `hands`
(what is known of each, and whether the cards add up), `playing` (the trick that is being played), `turn_order` (whose a card
is, where the record does not say so, or not rightly), `views` (what rules see).
"""

from handrec.game.phase import Phase
from handrec.game.table import BrokenOff, Look, Table
from handrec.game.value import (
    Carry,
    Case,
    Enclosed,
    Game,
    Line,
    Notation,
    Option,
    Sight,
    Standings,
    Statement,
    compose,
    highest_total,
    lowest_total,
    nobody,
    reached,
    with_phase,
    with_rule,
    without_rule,
)
from handrec.game.whole import Incomplete, validate

__all__ = [
    "BrokenOff",
    "Carry",
    "Case",
    "Enclosed",
    "Game",
    "Incomplete",
    "Line",
    "Look",
    "Notation",
    "Option",
    "Phase",
    "Sight",
    "Standings",
    "Statement",
    "Table",
    "compose",
    "highest_total",
    "lowest_total",
    "nobody",
    "reached",
    "validate",
    "with_phase",
    "with_rule",
    "without_rule",
]
