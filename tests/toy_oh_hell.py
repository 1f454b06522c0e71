"""A toy Oh Hell, written as somebody outside the package would write it: phases that the package has, and one rule of its own.

Three to five players; hands of four cards, of three, of two, of one. A card is turned for trump. Everybody bids in turn, and the
last bid may not make the bids add up to the tricks. A bid made exactly scores ten and the bid.
"""

from __future__ import annotations

from functools import cache

from handrec import rulebook
from handrec.cards import FRENCH_52, SUITS, Order, by_suit
from handrec.findings import Citation, Rule, Work
from handrec.game import Game, Line, Sight
from handrec.masks import pick
from handrec.phases.bids import Bids
from handrec.phases.tricks import Tricks
from handrec.phases.turn_up import TurnUp

SOURCE = Work("Toy Oh Hell", "the tests", "made up")
HOUSE = Citation(SOURCE, "all of it", "house")


@cache
def _ranks(trump: str) -> Order:
    return Order.of(FRENCH_52, trump, by_suit(), SUITS.index(trump))


def order(sight: Sight) -> Order | None:
    """The suit of the card turned is trump."""
    return _ranks(sight.turned[0][1]) if sight.turned and sight.turned[0][1] in SUITS else None


HOOK = Rule(
    "BID003", "bid-sum", "L3", "The last bid does not make the bids add up to the tricks.",
    "{seat} bid {bid}, which with the other bids of {others} makes exactly {cards}",
    id="TO-1", citation=HOUSE, on="bids", check=lambda bid: bid.value + bid.others == bid.cards,
)  # fmt: skip
POINTS = rulebook.SCORE.of("TO-2", HOUSE, "A bid made exactly scores ten and the bid.")

GAME = Game(
    key="toyohhell",
    title="Toy Oh Hell",
    summary="Bid your tricks exactly, in hands from four cards down to one.",
    source=SOURCE,
    players=(3, 4, 5),
    pack=lambda players: FRENCH_52,
    cards=lambda players: (4, 3, 2, 1),
    aside=lambda players, cards: {"turnup": 1, "stock": 51 - players * cards},
    phases=(TurnUp(), Bids(), Tricks()),
    order=order,
    rules=(
        *(rulebook.BID_VALUE, HOOK),
        *(rulebook.FOLLOW_SUIT, rulebook.WINNER, rulebook.WRONG_LEADER, rulebook.OUT_OF_TURN),
    ),
    score=(Line("made", POINTS, lambda hand: pick(hand.tricks == hand.value, 10 + hand.value, 0)),),
)
