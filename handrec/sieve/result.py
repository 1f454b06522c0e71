"""Bids and points of many deals at once, by the bid rules and score lines of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from handrec.game.views import BidView, HandView
from handrec.phases.bids import Bids
from handrec.phases.guesses import Guesses
from handrec.phases.open_bids import OpenBids
from handrec.phases.secret_bids import BugSuits, SecretBids
from handrec.sieve.columns import NONE, Array, Columns
from handrec.sieve.orders import Orders


def broken_bids(deals: Columns, orders: Orders) -> Iterator[tuple[str, int, Array]]:
    """Each bid rule and seat, with the deals (n,) bool in which the seat breaks it; a seat's first rule counts."""
    game, size, seats = deals.shape.game, deals.shape.size, deals.shape.seats
    phase = game.phase_of.get("bid")
    if isinstance(phase, Bids):
        words = {word: np.array([kind == word for kind, _ in deals.words]) for word in phase.named}
    elif isinstance(phase, SecretBids):
        words = {word: np.array([word in kind for kind, _ in deals.words]) for word in (phase.place, "doublets")}
    else:
        return
    bids, total = deals.bids.astype(np.int64), deals.bids.sum(axis=1, dtype=np.int64)
    for seat in range(seats):
        last = deals.dealer == seat
        said = {word: among[deals.kinds[:, seat]] for word, among in words.items()}
        value, suits = bids[:, seat], _suits(deals, orders)
        view = BidView(value, size, total - value, last, deals.hands[:, seat], True, suits, said)
        before = np.zeros(len(deals), bool)
        for rule in (*game.checks("bid"), *game.checks("bids")):
            assert rule.check is not None
            broken = np.broadcast_to(rule.check(view), len(deals)) & (last if rule.on == "bids" else True)
            yield rule.code, seat, broken & ~(before & (rule.on == "bid"))
            before = before | broken


def _suits(deals: Columns, orders: Orders) -> tuple[Array, ...]:
    """The suits as they are when bids are made, where the card that makes trump lies open by then."""
    if deals.shape.turning is not None and deals.shape.shown(0) < deals.shape.turned:
        return ()
    order = np.maximum(orders.of(deals, 1, False), 0)
    return tuple(suit.take(order) for suit in orders.table().suits)


class Points:
    """The points of deals played out, and what is carried from deal to deal."""

    def __init__(self, deals: Columns, tricks: Array, winners: Array, taken: Array | None) -> None:
        """`tricks` (n, E), `winners` (n, T) and `taken` (n, E) as they came about."""
        self.deals, self.tricks, self.winners, self.taken = deals, tricks, winners, taken
        self.game, self.seats = deals.shape.game, deals.shape.seats
        many = (len(deals), self.seats)
        self.scores = np.zeros(many, np.int64)
        self.carried = {carry.key: np.full(many, carry.start, np.int64) for carry in self.game.carries}
        self.facts = [self._facts(seat) for seat in range(self.seats)]

    def reckon(self, known: Array) -> Array:
        """Score every deal, each after the one before it; returns where (n,) the points are certain.

        `known` (n,) bool: bids and tricks of the deal are certain. After a deal that is not, what is carried is not known.
        """
        deals, row = self.deals, np.arange(len(self.deals))
        sure = known.copy()
        if not self.game.carries:
            self._score(row)
            return sure
        chained = deals.past & ~deals.first
        depth = row - np.maximum.accumulate(np.where(chained, 0, row))
        for step in range(int(depth.max(initial=-1)) + 1):
            rows = np.flatnonzero(depth == step)
            if step:
                for numbers in self.carried.values():
                    numbers[rows] = numbers[rows - 1]
                sure[rows] &= sure[rows - 1]
            else:
                sure[rows] &= deals.past[rows]
            self._score(rows)
        return sure

    def _score(self, rows: Array) -> None:
        """Score some deals. What they carry is that of the deal before, and then their own."""
        for seat in range(self.seats if self.game.score else 0):
            words = self.deals.kinds[rows, seat]
            for word in np.flatnonzero(np.bincount(words)).tolist():
                some = rows[words == word]
                view, kind = self._view(some, seat, word), self.deals.words[word][0]
                for line in self.game.score:
                    if line.kind in (None, kind):
                        self.scores[some, seat] += np.asarray(line.points(view), np.int64)
                after = [np.asarray(carry.step(view), np.int64) for carry in self.game.carries]
                for carry, numbers in zip(self.game.carries, after, strict=True):
                    self.carried[carry.key][some, seat] = numbers

    def _view(self, rows: Array, seat: int, word: int) -> HandView:
        deals, (kind, suit) = self.deals, self.deals.words[word]
        facts = {key: _at(fact, rows) for key, fact in self.facts[seat].items()}
        past = {key: numbers[rows, seat] for key, numbers in self.carried.items()}
        tricks, value = (numbers[rows, seat].astype(np.int64) for numbers in (self.tricks, deals.bids))
        return HandView(tricks, value, kind, suit, deals.blind[rows, seat], deals.shape.size, {**facts, **past})

    def _facts(self, seat: int) -> dict[str, Any]:
        """What the score needs to know of a seat beyond bid and tricks, as the phases of the game tell it."""
        facts: dict[str, Any] = {key: column[:, seat].astype(np.int64) for key, column in self.deals.facts.items()}
        for phase in self.game.phases:
            if isinstance(phase, BugSuits):
                facts["bugs"] = self._bugs(phase.place, seat)
            elif isinstance(phase, Guesses):
                facts["guessed"] = self._guessed(seat)
            elif isinstance(phase, OpenBids):
                for side, first in phase.sides.items():
                    swept = (self.winners[:, :first] == seat).all(axis=1) & (self.winners.shape[1] >= first)
                    facts[f"won_{side}"] = (swept & (facts[side] > 0)).astype(np.int64)
        return facts

    def _bugs(self, place: str, seat: int) -> dict[str, Array]:
        """The cards of each suit that a seat took; the card turned goes to the last trick, and its suit is called `place`."""
        pack = self.deals.shape.pack
        assert self.taken is not None
        turned = np.left_shift(1, self.deals.turned[:, 0].astype(np.int64))
        got = self.taken[:, seat] | np.where(self.winners[:, -1] == seat, turned, 0)
        suits = {suit: pack.suit(suit) for suit in dict.fromkeys(card[1] for card in pack.cards)}
        found = {suit: np.bitwise_count(got & mask).astype(np.int64) for suit, mask in suits.items()}
        found[place] = sum(np.where((turned & mask) != 0, found[suit], 0) for suit, mask in suits.items())
        return found

    def _guessed(self, seat: int) -> Array:
        """Whether a seat guessed the one card that nobody held and that was not turned."""
        deals = self.deals
        seen = np.bitwise_or.reduce(deals.hands, axis=1) | turned_mask(deals)
        hidden = deals.shape.pack.full & ~seen
        guess = deals.guesses[:, seat].astype(np.int64)
        return ((guess != NONE) & ((hidden >> np.minimum(guess, 62) & 1) != 0)).astype(np.int64)


def turned_mask(deals: Columns) -> Array:
    """(n,) int64: the cards turned."""
    bits = np.left_shift(1, deals.turned.astype(np.int64))
    return np.bitwise_or.reduce(bits, axis=1) if bits.shape[1] else np.zeros(len(deals), np.int64)


def _at(fact: Any, rows: Array) -> Any:
    return {key: numbers[rows] for key, numbers in fact.items()} if isinstance(fact, dict) else fact[rows]


def needs_taken(deals: Columns) -> bool:
    """Whether points hang on the cards that were taken."""
    return any(isinstance(phase, BugSuits) for phase in deals.shape.game.phases)
