"""A toy with a kitty: three players, 51 cards (the deuce of clubs is left out), three of them set aside.

The player to the dealer's left takes the kitty, which all may see or not, and lays three cards away; then it leads. There is no
trump. Each trick is a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, islice
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52, Order, Pack, bits, by_suit, is_known
from handrec.findings import Citation, Rule, Work
from handrec.game import Game, Line, Phase, Sight, Table
from handrec.game.hands import come_unseen
from handrec.phases.tricks import Tricks
from handrec.record import Exchange

SOURCE = Work("Toy Kitty", "the tests", "made up")
HOUSE = Citation(SOURCE, "all of it", "house")
PACK = Pack("51 cards", tuple(card for card in FRENCH_52.cards if card != "2C"))
MANY = 3


@dataclass(frozen=True)
class Kitty(Phase):
    """Three cards come out of the kitty, then three of the hand go back."""

    kinds = ("exchange",)
    needs = ("PLY020",)

    @staticmethod
    def _done(table: Table) -> list[Exchange]:
        """What was exchanged in order so far."""
        done: list[Exchange] = table.kept.setdefault(Kitty, [])
        return done

    def take(self, table: Table, place: int, event: Exchange) -> None:
        """First out of the kitty, then into it, three cards by the dealer's left, before the play."""
        done, seat = self._done(table), table.place_of[event.by]
        many = event.count if event.cards is None else len(event.cards)
        due = (("kitty", None), (None, "kitty"))[len(done) : len(done) + 1]
        if [(event.of, event.into)] != [*due] or event.to or seat != table.eldest or many != MANY or table.state is not None:
            table.fault("PLY020", place, seat=seat, many=many)
            return
        done.append(event)
        if event.cards is None or not all(map(is_known, event.cards)):
            table.whole[seat] = False
            if event.into is None:
                table.hand_over(place, None, seat, come_unseen(table, seat))
            else:
                table.spare[seat] += MANY
            table.doubt("L4", f"deal {table.number}: the cards exchanged are not all recorded")
            return
        from_hand = event.into is not None
        there = table.names(table.hands[seat]) if from_hand else [*table.lying.get("kitty", event.cards)]
        for at, card in enumerate(event.cards):
            if card not in there and (table.whole[seat] if from_hand else all(map(is_known, there))):
                table.fault("PLY001", place, f"/cards/{at}", seat=seat, card=card, held=there)
        cards = table.pack.mask(card for card in event.cards if card in there)
        table.hand_over(place, *((seat, None) if from_hand else (None, seat)), cards)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The kitty; then any three cards of the hand that it has come to, or some of them."""
        done, seat = self._done(table), table.eldest
        if breaking is not None or seat is None or len(done) == 2:
            return []
        by = table.seats[seat]
        if not done:
            return [Exchange(by=by, of="kitty", cards=[*table.lying["kitty"]])]
        hand = [table.pack.cards[card] for card in bits(table.hands[seat])]
        return [Exchange(by=by, into="kitty", cards=[*cards]) for cards in islice(combinations(hand, MANY), 200)]

    def close(self, table: Table) -> None:
        """The kitty is taken and laid away, or it is not on record."""
        if len(self._done(table)) < 2:
            table.doubt("L4", f"deal {table.number}: the exchange of the kitty is not recorded")


@cache
def _ranks() -> Order:
    return Order.of(PACK, "NT", [[card for card in cards if card in PACK.index] for cards in by_suit()])


def order(sight: Sight) -> Order:
    """There are no trumps."""
    return _ranks()


TAKE = Rule(
    "PLY020", "kitty", "L3", "The dealer's left takes the three cards of the kitty, then lays three away, before the first lead.",
    "{seat} exchanged {many} cards now",
    id="TK-1", citation=HOUSE, judged_by="the exchange of the kitty",
)  # fmt: skip
POINTS = rulebook.SCORE.of("TK-2", HOUSE, "Each trick is a point.")

GAME = Game(
    key="toykitty",
    title="Toy Kitty",
    summary="The dealer's left takes a kitty of three and lays three away; each trick is a point.",
    source=SOURCE,
    players=(3,),
    pack=lambda players: PACK,
    cards=lambda players: 16,
    aside=lambda players, cards: {"kitty": MANY},
    phases=(Kitty(), Tricks()),
    order=order,
    rules=(
        rulebook.FOLLOW_SUIT,
        rulebook.WINNER,
        rulebook.WRONG_LEADER,
        rulebook.OUT_OF_TURN,
        TAKE,
    ),
    score=(Line("tricks", POINTS, lambda hand: hand.tricks),),
)
