"""Suits and ranks as tables: which order holds in each trick of each deal, by number, and what it says of every card."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np

from handrec.cards import Order
from handrec.game import Sight
from handrec.sieve.columns import Array
from handrec.sieve.shape import MOST_CARDS, Shape

#: A table has room for so many cards: card c of order o stands at o * ROOM + c.
ROOM = 64

#: Keys up to this number have a place in a table; a game whose orders hang on more cards at once does not fit.
MOST_KEYS = 1 << 22


class Orders:
    """The orders that a shape's deals can have, and which one holds when.

    An order hangs on the contract and on cards turned: on all that lie open, unless the game's `order` has a method
    `decided_by(trick, done)`. That gives the places of those cards, and a number; at moments for which it says the same,
    the same order holds.
    """

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.orders: list[Order] = []
        self.number: dict[int, int] = {}
        self.decided: Callable[[int, bool], tuple[tuple[int, ...], int]] | None = getattr(shape.game.order, "decided_by", None)
        self.known: dict[tuple[tuple[int, ...], Any], Array] = {}
        self.contracts: tuple[str, ...] = ()
        self.varying = len({self._shown(trick, done) for trick in range(1, shape.size + 1) for done in (False, True)}) > 1
        self.last: tuple[Any, ...] = (None, None, None, None)
        self.tables = Tables(self.orders)

    def fits(self) -> bool:
        """Whether the cards that decide are few enough."""
        tricks = range(1, self.shape.size + 1)
        return all(ROOM ** len(self._spots(trick, done)[0]) <= MOST_KEYS >> 4 for trick, done in product(tricks, (False, True)))

    def _shown(self, trick: int, done: bool) -> int:
        return min(self.shape.shown(trick + done), self.shape.turned)

    def _spots(self, trick: int, done: bool) -> tuple[tuple[int, ...], Any]:
        """The places of the cards that decide, of those that lie open; and what tells this moment from others."""
        shown = self._shown(trick, done)
        if self.decided is None:
            return tuple(range(shown)), (trick, done) if self.varying else None
        spots, moment = self.decided(trick, done)
        return tuple(sorted({spot for spot in spots if spot < shown})), moment

    def of(self, deals: Any, trick: int, done: bool) -> Array:
        """(n,) int64: the number of the order in each deal at a moment, -1 where it is not known."""
        spots, moment = self._spots(trick, done)
        if self.last[0] is deals and self.last[1:3] == (spots, moment):
            return self.last[3]
        if self.contracts != deals.contracts:
            self.known, self.contracts = {}, deals.contracts
        key = deals.contract.astype(np.int64) + 1
        for spot in spots:
            key = key * ROOM + deals.turned[:, spot]
        keys = (len(self.contracts) + 1) * ROOM ** len(spots)
        known = self.known.setdefault((spots, moment), np.full(keys, -2, np.int64))
        found = known.take(key)
        if found.min(initial=0) == -2:
            rows = np.flatnonzero(found == -2)
            example = np.full(keys, -1, np.int64)
            example[key[rows]] = rows
            for value in np.flatnonzero(example >= 0).tolist():
                row = int(example[value])
                known[value] = self._find(deals, row, trick, done)
                if moment is None and self._varies(deals, row, int(known[value])):
                    self.varying = True
                    return self.of(deals, trick, done)
            found = known.take(key)
        self.last = deals, spots, moment, found
        return found

    def _varies(self, deals: Any, row: int, number: int) -> bool:
        """Whether the order of a deal is another one at another moment."""
        tricks = range(1, self.shape.size + 1)
        return any(self._find(deals, row, trick, done) != number for trick in tricks for done in (False, True))

    def _find(self, deals: Any, row: int, trick: int, done: bool) -> int:
        pack = self.shape.pack.cards
        turned = tuple(pack[card] for card in deals.turned[row, : self._shown(trick, done)].tolist())
        contract = deals.contract[row]
        named = None if contract < 0 else deals.contracts[contract]
        undealt = len(pack) - self.shape.seats * self.shape.size
        order = self.shape.game.order(Sight(turned, named, trick, undealt, done, self.shape.seats))
        if order is None:
            return -1
        if id(order) not in self.number:
            self.number[id(order)] = len(self.orders)
            self.orders.append(order)
        return self.number[id(order)]

    def table(self) -> Tables:
        """What the orders that have come up so far say of every card."""
        if len(self.tables.names) != len(self.orders):
            self.tables = Tables(self.orders)
        return self.tables


class Tables:
    """Orders as flat tables: `suit` and `beats` (o * ROOM + c), `trumps` and `suits` (o), all masks in int64."""

    def __init__(self, orders: list[Order]) -> None:
        room = np.zeros((2, max(1, len(orders)), ROOM), np.int64)  # a place to look up in vain, if there is none
        for number, order in enumerate(orders):
            room[0, number, : len(order.suit)] = order.suit
            room[1, number, : len(order.beats)] = order.beats
        self.suit, self.beats = room[0].ravel(), room[1].ravel()
        self.trumps = np.array([order.trumps for order in orders] or [0], np.int64)
        most = max([len(order.suits) for order in orders], default=0)
        self.suits = np.array([[*order.suits, *[0] * (most - len(order.suits))] for order in orders], np.int64).T.copy()
        self.names = [order.name for order in orders]


assert MOST_CARDS < ROOM
