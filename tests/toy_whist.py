"""A toy whist, written as somebody outside the package would write it: one file, and nothing else of handrec touched.

Four players, 52 cards; the last card dealt, which is the dealer's, is shown and makes trump. A point for each trick above six.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52, SUITS, Order, bits, by_suit
from handrec.findings import Citation, Rule, Work
from handrec.game import Game, Line, Phase, Sight, Table
from handrec.game.planting import Data, Planting, any_deals, spots_of
from handrec.masks import pick
from handrec.phases.tricks import Tricks
from handrec.record import Turn

SOURCE = Work("Toy whist", "the tests", "made up")
HOUSE = Citation(SOURCE, "all of it", "house")


@dataclass(frozen=True)
class Shown(Phase):
    """The dealer shows the last card dealt, before the first lead."""

    kinds = ("turn",)

    def take(self, table: Table, place: int, event: Turn) -> None:
        """It is one of the dealer's."""
        table.turned.append(event.card)
        held = table.dealer is None or event.card in table.pack.names(table.hands[table.dealer])
        if not held and table.dealer is not None and table.whole[table.dealer]:
            table.fault("DEA007", place, "/card", card=event.card, why="the dealer does not hold it")

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """That one card."""
        return 1

    @property
    def plants(self) -> Mapping[str, Planting]:
        """A card that the dealer does not hold."""
        return {"DEA007": Planting(_of_another, reckoned=True)}

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Any card of the dealer's may be the last."""
        if table.turned or table.dealer is None or breaking is not None:
            return []
        return [Turn(card=table.pack.cards[card]) for card in bits(table.hands[table.dealer])]


def _of_another(data: Data, rng: Random, game: Game) -> bool:
    """A card of another player's is shown, of the same suit: so trump is what it was."""
    for deal in any_deals(data, rng):
        shown = deal["events"][spots_of(deal, "turn")[0]]
        others = [card for seat, hand in deal["hands"].items() for card in hand if seat != deal["dealer"]]
        alike = [card for card in others if card[1] == shown["card"][1]]
        if alike:
            shown["card"] = rng.choice(alike)
            return True
    return False


def order(sight: Sight) -> Order | None:
    """The suit of the card shown is trump."""
    return Order.of(FRENCH_52, sight.turned[0][1], by_suit(), SUITS.index(sight.turned[0][1])) if sight.turned else None


POINTS = rulebook.SCORE.of("TW-2", HOUSE, "Each trick above six scores a point.")

GAME = Game(
    key="toywhist",
    title="Toy whist",
    summary="The last card dealt makes trump; a point for each trick above six.",
    source=SOURCE,
    players=(4,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 13,
    aside=lambda players, cards: {},
    phases=(Shown(), Tricks()),
    order=order,
    rules=(
        rulebook.FOLLOW_SUIT.of("TW-1", HOUSE, "Follow suit if you can."),
        rulebook.WINNER.of("TW-3", HOUSE, "The highest trump wins, or else the highest card of the suit led."),
        rulebook.WRONG_LEADER.of("TW-4", HOUSE, "The dealer's left leads first, then the winner of each trick."),
        rulebook.OUT_OF_TURN.of("TW-5", HOUSE, "Everybody plays a card in turn, clockwise."),
    ),
    score=(Line("above six", POINTS, lambda hand: pick(hand.tricks > 6, hand.tricks - 6, 0)),),
)
