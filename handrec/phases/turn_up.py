"""Cards turned up after the deal."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from handrec.cards import UNKNOWN
from handrec.findings import Rule
from handrec.game import Game
from handrec.game.hands import check_turned
from handrec.game.planting import Data, Planting, any_deals, spots_of
from handrec.game.table import Table
from handrec.game.value import Phase
from handrec.record import Turn


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
        if stated and not any(event.do == "turn" for event in table.deal.events):
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
        lying = table.lying.get(self.place, ())
        return [Turn(card=lying[0])] if lying and not table.turned and breaking is None else []


def _turned_twice(data: Data, rng: Random, game: Game) -> bool:
    """The card under the one that was turned is turned up too."""
    for deal in any_deals(data, rng):
        stock, turns = deal.get("aside", {}).get("stock"), spots_of(deal, "turn")
        if stock and turns:
            deal["events"].insert(turns[-1] + 1, {"do": "turn", "card": stock[0]})
            return True
    return False
