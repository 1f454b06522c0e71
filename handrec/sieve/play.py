"""The play of many deals at once: one step for each card, all deals together, by the rule functions of the game.

Nothing here knows a rule. A card must be among those that the game's `narrow` functions leave of the hand; what takes a
trick stands in the tables of its order.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from handrec.fast.formula import Program
from handrec.masks import pick
from handrec.sieve.codec import NONE
from handrec.sieve.columns import Array
from handrec.sieve.orders import ROOM, Orders, Tables
from handrec.sieve.shape import Shape

ONE = np.int64(1)
SIGN = np.int64(63)
YES, NO = np.bool_(True), np.bool_(False)


@dataclass
class Played:
    """What came of the play of n deals.

    `winners` (T, n) uint8 seats; `referred` (n,) bool: turns, leads or trumps are not what they should be, so that nothing else
    here is certain; `illegal` (n,) bool: some card could not be played. `taken` (E, n) int64, if asked for: the cards in each
    seat's tricks.
    """

    winners: Array
    referred: Array
    illegal: Array
    taken: Array | None = None


def free_lead(shape: Shape) -> bool:
    """Whether no rule binds whoever leads: each leaves a hand, whatever it is, as it is where nothing is led yet."""
    try:
        return Program(shape.game.play_rules, leading=True).result == "hand"
    except TypeError:
        return False


def first_leader(due: Any, stated: Any, said: Any) -> Any:
    """Who leads first: by the rules, else as stated (both -1 where not known), else as it happened (NONE where not known)."""
    return pick(due < 0, pick(stated < 0, said, stated), due)


def _padded(ring: Any, many: int) -> list[tuple[int, ...]]:
    """The seats in turn by who leads, all rows of one length; a seat that cannot lead has none."""
    return [(*turn, *(0,) * (many - len(turn))) for turn in (*ring, *((),) * (many - len(ring)))]


class ArrayPlay:
    """Plays deals of one shape."""

    def __init__(self, shape: Shape, orders: Orders) -> None:
        self.shape, self.orders = shape, orders
        self.rules = shape.game.narrows
        self.turns = np.array([[_padded(ring, shape.every) for ring in dealer] for dealer in shape.rings], np.int64)
        self.breaking = any(rule.code == "REV005" for rule in shape.game.rules)
        self.free_lead = free_lead(shape)
        self.round = np.arange(2 * shape.seats) % shape.seats

    def start(self, deals: Any) -> Played:
        """Begin with some deals; what will come of them."""
        many = len(deals)
        self.deals, self.certain = deals, None
        self.view = SimpleNamespace(broken=np.zeros(many, bool))
        self.out = Played(np.empty((self.shape.size, many), np.uint8), np.zeros(many, bool), np.zeros(many, bool))
        return self.out

    def play(self, deals: Any, taking: bool = False) -> Played:
        """Play all deals (see `sift.Deals`) to the end."""
        shape, many, out = self.shape, len(deals), self.start(deals)
        self.many = many
        self.row = np.arange(many)
        self.hands = self._dealt(deals)
        self.cards = np.ascontiguousarray(deals.plays.T)
        self.left = np.full(many, -1)
        self.none = np.zeros(many, np.int64)
        self.least = np.full(many, 1 << 62)
        if taking:
            out.taken = np.zeros((shape.every, many), np.int64)
        said = np.ascontiguousarray(deals.leaders.T)
        leads = np.empty_like(said)
        leader = self._first_leader(said[0])
        for trick in range(shape.size):
            leader = self._trick(trick, leader, leads[trick])
        out.illegal = self.least == 0
        out.referred |= np.bitwise_or.reduce((said != leads) & (said != NONE), axis=0)
        return out

    def _dealt(self, deals: Any) -> Array:
        """The hands as dealt, seat by seat and twice over, so that the seats after any seat stand behind it."""
        hands = list(deals.hands.T)
        if self.shape.every > self.shape.seats:
            hands.append(np.bitwise_or.reduce(ONE << deals.turned[:, 1:].astype(np.int64), axis=1))
        return np.concatenate([*hands, *hands])

    def _first_leader(self, said: Array) -> Array:
        """Who leads first, as far as anything tells."""
        deals = self.deals
        leader = first_leader(deals.due, deals.leader, said)
        self.out.referred |= (deals.leader >= 0) & (leader != deals.leader) | (leader == NONE)
        return np.where(leader == NONE, 0, leader)

    def _trick(self, trick: int, leader: Array, leads: Array) -> Array:
        """Play one trick; returns its winner."""
        shape, view, many = self.shape, self.view, self.many
        first, after = shape.starts[trick], shape.starts[trick + 1]
        at = seats = None
        if shape.circle:
            at = leader * many + self.row
        else:
            seats = self.turns[self.deals.dealer, int(trick > 0), leader]
            leader = seats[:, 0]
        leads[:] = leader
        look, base, tables = self._order(trick, False)
        before, winner = self.left, self.none
        view.first = YES if trick == 0 else NO
        for spot in range(after - first):
            card = self.cards[first + spot].astype(np.int64)
            bit = ONE << card
            if seats is None:
                hand = self.hands[spot * many :].take(at, mode="clip")
            else:
                hand = self.hands.take(seats[:, spot] * many + self.row, mode="clip")
            hand &= self.left
            if spot == 0:
                view.lead = view.led = view.rising = self.none
            view.leading = YES if spot == 0 else NO
            self._judge(first + spot, trick, hand, bit, None if seats is None else seats[:, spot])
            self.left = self.left ^ bit  # a card that is gone already has just been found not to be held
            if spot == 0:
                card += base
                view.lead, view.led, view.rising = bit, tables.suit.take(card, mode="clip"), tables.beats.take(card, mode="clip")
                continue
            higher = -(view.rising & bit) >> SIGN
            if first + spot + 1 < after:
                card += base
                beats = tables.beats.take(card, mode="clip")
                beats ^= view.rising
                beats &= higher
                view.rising = view.rising ^ beats
            higher &= spot
            winner = np.maximum(winner, higher)
        return self._settle(trick, winner, leader, seats, before ^ self.left, look)

    def _order(self, trick: int, done: bool) -> tuple[Array, Array, Tables]:
        """The number of each deal's order at a moment, where its tables begin, and the tables."""
        number = self.orders.of(self.deals, trick + 1, done)
        if number is not self.certain:
            self.certain = number
            self.out.referred |= number < 0
            self.number = np.maximum(number, 0)
            self.base = self.number * ROOM
            self.view.trumps = self.orders.table().trumps.take(self.number)
        return self.number, self.base, self.orders.table()

    def _judge(self, play: int, trick: int, hand: Array, bit: Array, seat: Array | None) -> None:
        """Whether a card is among those that could be played; `seat` (n,) is who plays it, None where that does not matter."""
        view = self.view
        view.hand = legal = hand
        for narrow in self.rules if not (view.leading and self.free_lead) else ():
            legal = narrow(view, legal)
        fits = legal & bit
        if seat is not None and trick and self.shape.every > self.shape.seats:
            self._free(play, trick, hand & bit, fits, seat >= self.shape.seats)
        np.minimum(self.least, fits, out=self.least)

    def _free(self, play: int, trick: int, held: Array, fits: Array, own: Array) -> None:
        """A seat that is no player's is bound by no rule: it plays the card that is turned in this trick."""
        wrong = self.cards[play] != self.deals.turned[:, trick]
        held[wrong] = 0
        fits[own] = held[own]

    def _settle(self, trick: int, winner: Array, leader: Array, seats: Array | None, cards: Array, look: Array) -> Array:
        """Who won, as suits and ranks are when all have played; `cards` (n,) are those of the trick."""
        out, view = self.out, self.view
        done, base, tables = self._order(trick, True)
        if done is not look and not np.array_equal(done, look):
            winner = self._winner(trick, base, tables.beats)
        if self.breaking:
            view.broken = view.broken | ((view.trumps & cards) != 0)
        leader = self.round.take(leader + winner, mode="clip") if seats is None else seats[self.row, winner]
        out.winners[trick] = leader
        if out.taken is not None:
            out.taken[leader, self.row] |= cards
        return leader

    def _winner(self, trick: int, base: Array, beats: Array) -> Array:
        """The place in a trick of the card that takes it, under a certain order."""
        cards = self.cards[self.shape.starts[trick] : self.shape.starts[trick + 1]].astype(np.int64)
        rising, winner = beats.take(base + cards[0]), self.none
        for spot, card in enumerate(cards[1:], 1):
            higher = -(rising & ONE << card) >> SIGN
            rising = rising ^ (rising ^ beats.take(base + card)) & higher
            winner = np.maximum(winner, higher & spot)
        return winner
