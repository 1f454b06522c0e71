"""Cards turned up after the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any

from handrec.cards import FRENCH_52, SUITS, UNKNOWN, Order, by_suit, is_known
from handrec.findings import Rule
from handrec.game import Game
from handrec.game.hands import check_turned
from handrec.game.phase import Phase
from handrec.game.planting import Data, Planting, any_deals, spots_of
from handrec.game.table import Table
from handrec.game.value import Sight
from handrec.record import Turn


@cache
def _ranks(trump: str) -> Order:
    return Order.of(FRENCH_52, trump, by_suit(), SUITS.index(trump))


def suit_turned(sight: Sight) -> Order | None:
    """Suits and ranks of 52 cards where the suit of the card turned is trump; None while it is not known."""
    return _ranks(sight.turned[0][1]) if sight.turned and sight.turned[0][1] in SUITS else None


@dataclass(frozen=True)
class TurnUp(Phase):
    """Cards turned face up after the deal, one if any card is left over, before the first bid."""

    place: str = "turnup"
    kinds = ("turn",)

    @property
    def plants(self) -> Mapping[str, Planting]:
        """A second card is turned."""
        return {"DEA007": Planting(_turned_twice)}

    def open(self, table: Table) -> None:
        """A card stated to lie there counts as turned if no turning is recorded."""
        stated = (table.deal.aside or {}).get(self.place, [])
        if stated and not table.begins and not any(event.do == "turn" for event in table.deal.events):
            table.turned.append(stated[0])

    def take(self, table: Table, place: int, event: Turn) -> None:
        """Turn a card; it must be due, in time, and the one that lies there."""
        if table.undealt <= 0:
            table.fault("DEA007", place, "/card", card=event.card, why="no card was left over")
            return
        if table.turned:
            table.fault("DEA007", place, "/card", card=event.card, why=f"{table.turned[0]} had been turned already")
            return
        if any(table.bids) or table.state is not None:
            table.fault("DEA007", place, "", card=event.card, why="the bidding had begun")
        stated = table.lying.get(self.place, [event.card])[:1]
        agree = check_turned(table, self.place, place, event.card) or stated == [event.card]
        table.turned.append(event.card if agree or not stated else UNKNOWN)  # one of two is wrong, and trump hangs on it

    def lay(self, table: Table, place: int) -> int:
        """The card left over is turned first, and is the one that lies there if that is recorded."""
        if table.undealt <= 0:
            return place
        event = table.deal.events[place] if place < len(table.deal.events) else None
        lying = table.lying.get(self.place)
        if type(event) is not Turn or event.by is not None or (lying and lying != [event.card]):
            return -1
        table.turned.append(event.card)
        return place + 1

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """One, before the first bid."""
        return min(1, undealt)

    def close(self, table: Table) -> None:
        """A card that is left over is turned, on record or not."""
        if table.undealt > 0 and not table.turned:
            table.doubt("L2", f"deal {table.number}: the card turned is not recorded")

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The top card of those left over, once."""
        lying = table.lying.get(self.place) or [UNKNOWN]
        return [Turn(card=lying[0])] if table.undealt > 0 and not table.turned and breaking is None else []


def _turned_twice(data: Data, rng: Random, game: Game) -> bool:
    """The card under the one that was turned is turned up too."""
    for deal in any_deals(data, rng):
        stock, turns = deal.get("aside", {}).get("stock"), spots_of(deal, "turn")
        if stock and turns:
            deal["events"].insert(turns[-1] + 1, {"do": "turn", "card": stock[0]})
            return True
    return False


@dataclass(frozen=True)
class LastDealt(Phase):
    """The last card dealt, which is one of the dealer's, is shown before the first lead, and stays in the hand."""

    kinds = ("turn",)

    @property
    def plants(self) -> Mapping[str, Planting]:
        """A card that the dealer does not hold."""
        return {"DEA007": Planting(_of_another, reckoned=True)}

    def take(self, table: Table, place: int, event: Turn) -> None:
        """Show a card: one of the dealer's, once, before the first lead."""
        if table.turned:
            table.fault("DEA007", place, "/card", card=event.card, why=f"{table.turned[0]} had been turned already")
            return
        if table.state is not None:
            table.fault("DEA007", place, "", card=event.card, why="the play had begun")
        dealer = table.dealer
        known = dealer is not None and table.whole[dealer] and is_known(event.card)
        if known and event.card not in table.names(table.hands[dealer or 0]):
            table.fault("DEA007", place, "/card", card=event.card, why="the dealer does not hold it")
        table.turned.append(event.card)

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """That one card."""
        return 1

    def close(self, table: Table) -> None:
        """A card is shown, on record or not."""
        if not table.turned:
            table.doubt("L2", f"deal {table.number}: the card turned is not recorded")

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Any card of the dealer's may have come last."""
        if table.turned or table.dealer is None or breaking is not None:
            return []
        return [Turn(card=card) for card in table.names(table.hands[table.dealer])]


def _of_another(data: Data, rng: Random, game: Game) -> bool:
    """A card of another player's is shown, of the same suit: so trump is what it was."""
    for deal in any_deals(data, rng):
        shown = deal["events"][spots_of(deal, "turn")[0]]
        others = [card for seat, hand in deal["hands"].items() if seat != deal["dealer"] for card in hand]
        if alike := [card for card in others if card[1] == shown["card"][1]]:
            shown["card"] = rng.choice(alike)
            return True
    return False
