"""A toy Hearts, written as somebody outside the package would write it, with a kind of event that no other game has.

Four players, 52 cards, no trumps. Before the first lead each player passes three cards to the left, all at once: nobody sees
what comes before having passed. The dealer's left leads. Each heart taken costs a point.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import Any, Literal

from handrec import rulebook
from handrec.cards import FRENCH_52, Order, bits, by_suit, is_known
from handrec.findings import Citation, Rule, Work
from handrec.game import Game, Line, Phase, Sight, Table
from handrec.game.value import Perhaps
from handrec.game.views import OverView
from handrec.masks import count
from handrec.phases.tricks import Tricks
from handrec.record import Cards, Closed, Seat, kind

SOURCE = Work("Toy Handover", "the tests", "made up")
HOUSE = Citation(SOURCE, "all of it", "house")
MANY = 3


@kind("{by} to {to} {cards}", "passes {cards} to {to}", secret=True, moves=True)
class Handover(Closed):
    """Cards go from one hand to another."""

    do: Literal["handover"] = "handover"
    by: Seat
    to: Seat
    cards: Cards


@dataclass(frozen=True)
class Passing(Phase):
    """Each seat passes three cards to the left before the first lead; the cards change hands when all have passed."""

    kinds = ("handover",)
    needs = ("PLY020",)
    breakable = ("PLY020",)

    @staticmethod
    def _passed(table: Table) -> dict[int, tuple[int, int]]:
        """At which event each seat has passed, and which cards of its hand."""
        passed: dict[int, tuple[int, int]] = table.kept.setdefault(Passing, {})
        return passed

    def take(self, table: Table, place: int, event: Handover) -> None:
        """Three cards of its own, to the left, once, and before the play."""
        passed, seat, names = self._passed(table), table.place_of[event.by], event.cards
        hand = table.names(table.hands[seat])
        if seat in passed or table.state is not None or table.place_of[event.to] != table.left_of(seat) or len(names) != MANY:
            table.fault("PLY020", place, seat=seat, many=len(names), to=event.to)
            return
        for at, card in enumerate(names):
            if is_known(card) and card not in hand and table.whole[seat]:
                table.fault("PLY001", place, f"/cards/{at}", seat=seat, card=card, held=hand)
        passed[seat] = place, table.pack.mask(card for card in names if card in hand)
        if len(passed) == table.count:
            for giver, (spot, cards) in passed.items():
                table.hand_over(spot, giver, table.left_of(giver), cards)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Any three cards of the next seat that has not passed; with `breaking`, any of one that has."""
        passed = self._passed(table)
        seats = [seat for seat in range(table.count) if (seat in passed) == (breaking is PASS)][:1]
        if breaking not in (None, PASS):
            return []
        return [
            Handover(by=table.seats[seat], to=table.seats[table.left_of(seat)], cards=[*cards])
            for seat in seats
            for cards in combinations([table.pack.cards[card] for card in bits(table.hands[seat])], MANY)
        ]

    def close(self, table: Table) -> None:
        """Everybody passed, or it is not on record that anybody did."""
        passed = self._passed(table)
        if not passed:
            table.doubt("L4", f"deal {table.number}: the cards passed are not recorded")
        for seat in range(table.count):
            if passed and seat not in passed:
                table.fault("PLY005", seat=seat, what=f"the cards that {table.seats[seat]} passed are missing")

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """The hearts taken."""
        if not table.counted:
            return {"hearts": Perhaps(tuple(range(14)))}
        taken = [card for trick in table.tricks if trick.winner == table.seats[seat] for _, card in trick.plays]
        return {"hearts": sum(card[1] == "H" for card in taken)}

    def facts_of(self, over: OverView, seat: int) -> dict[str, Any]:
        """The same of many deals."""
        return {"hearts": count(over.taken[seat] & over.pack.suit("H"))}


@cache
def _ranks() -> Order:
    return Order.of(FRENCH_52, "NT", by_suit())


def order(sight: Sight) -> Order:
    """There are no trumps."""
    return _ranks()


PASS = Rule(
    "PLY020", "pass", "L3", "Each player passes three cards to the left, once, before the first lead.",
    "{seat} passed {many} cards to {to} now",
    id="TH-6", citation=HOUSE, judged_by="the passing of cards",
)  # fmt: skip
POINTS = rulebook.SCORE.of("TH-2", HOUSE, "Each heart taken costs a point.")

GAME = Game(
    key="toyhandover",
    title="Toy Handover",
    summary="Three cards are passed to the left; each heart taken costs a point.",
    source=SOURCE,
    players=(4,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 13,
    aside=lambda players, cards: {},
    phases=(Passing(), Tricks()),
    order=order,
    rules=(
        rulebook.FOLLOW_SUIT,
        rulebook.WINNER,
        rulebook.WRONG_LEADER,
        rulebook.OUT_OF_TURN,
        PASS,
    ),
    score=(Line("hearts", POINTS, lambda hand: -hand.hearts),),
)
