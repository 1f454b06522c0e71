"""Columns: plain deals of one game, option set, number of seats and hand size, a row each, as numpy arrays.

A deal is plain if it is complete, every card of it is known, and its events are those of the game in their usual order.
The layout (VERSION 1); n deals, S seats, T tricks (= cards a hand), E seats that play (S, and one more where the game has
a seat that is no player's), P plays, K cards that are turned, A places for cards set aside:

=============  ======  ========  ====================================================================================
column         shape   dtype     holds
=============  ======  ========  ====================================================================================
record         (n,)    int64     the record that a deal is of: equal numbers stand together, deals in their order
first          (n,)    bool      the first deal of a game: nobody carries anything into it
past           (n,)    bool      what was carried into the deal is known: it is the first, or follows the row above
dealer         (n,)    int8      seat, -1 not recorded
leader         (n,)    int8      seat stated to lead first, -1 not stated
hands          (n,S)   int64     the hands as dealt: a mask, bit c for card number c of the pack
aside          (n,A)   int64     cards at each place of `Game.aside`, in its order: a mask, 0 not stated
turned         (n,K)   uint8     card numbers, in the order in which the cards are turned
contract       (n,)    int16     place in `contracts`, -1 none
declarer       (n,)    int8      seat, -1 none
bids           (n,S)   int16     tricks bid
kinds          (n,S)   uint8     place in `kinds` (kind of bid, suit it names)
blind          (n,S)   bool      the bid is blind
facts          (n,S)   int16     under each name: what was said besides, such as `times` or `bemo`
guesses        (n,S)   uint8     card guessed at the end, 255 none
leaders        (n,T)   uint8     seat that led to each trick, 255 if plays do not say whose they are
plays          (n,P)   uint8     card numbers, in the order of play
said_trump     (n,)    int16     claimed: place in `trumps`, -1 nothing
said_winners   (n,T)   uint8     claimed: seat, 255 nothing
said_tricks    (n,E)   int16     claimed: tricks, -1 nothing
said_scores    (n,S)   int64     claimed: points, NOTHING nothing
=============  ======  ========  ====================================================================================

Seats and cards are numbered from 0, seats clockwise as the record lists its players. What no column can hold (bids out of
turn, cards taken back, unknown cards, accusations …) is not plain, and goes to the referee.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

import numpy as np

from handrec.cards import Pack
from handrec.game import Game, Table
from handrec.phases.auction import Auction
from handrec.phases.bids import Bids
from handrec.phases.books import Books, Rulings
from handrec.phases.conduct import Conduct
from handrec.phases.contracts import Contracts
from handrec.phases.facing import Facing
from handrec.phases.guesses import Guesses
from handrec.phases.open_bids import OpenBids
from handrec.phases.secret_bids import BugSuits, SecretBids
from handrec.phases.sips import Sips
from handrec.phases.tricks import Tricks, clockwise
from handrec.phases.turn_up import TurnUp
from handrec.record import Deal

VERSION = 1

#: Marks of what is absent.
NONE = 255
NOTHING = -(1 << 62)

#: Masks are int64, and one bit is the sign.
MOST_CARDS = 62

#: The phases that the sieve knows the meaning of; a game with a phase of its own goes to the referee.
PHASES = {
    Auction,
    Bids,
    Books,
    BugSuits,
    Conduct,
    Contracts,
    Facing,
    Guesses,
    OpenBids,
    Rulings,
    SecretBids,
    Sips,
    Tricks,
    TurnUp,
}

#: Those of them whose bids are replayed deal by deal, before they become columns: none that stands there is beyond the tricks.
REPLAYED = (Auction, OpenBids)

Array = Any


@dataclass(frozen=True)
class Shape:
    """What all deals of a set of columns have in common: the game under its options, seats, and cards a hand."""

    game: Game
    seats: int
    size: int

    @cached_property
    def pack(self) -> Pack:
        """The pack."""
        return self.game.pack(self.seats)

    @property
    def fits(self) -> bool:
        """Whether such deals fit into columns: the pack into a mask, the cards into the pack, the phases among those known."""
        if not {type(phase) for phase in self.game.phases} <= PHASES:
            return False
        small = len(self.pack) <= MOST_CARDS and self.seats * self.size <= len(self.pack)
        return self.game.bulk and small and len(self.game.extras) <= 1 and self.turned <= 62

    @cached_property
    def every(self) -> int:
        """How many seats play."""
        return self.seats + len(self.game.extras)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The number of the first play of each trick, and how many there are; a seat that is no player's misses the first."""
        return (0, *(self.seats + trick * self.every for trick in range(self.size)))

    @cached_property
    def aside(self) -> Mapping[str, int]:
        """The places for cards set aside, and how many lie there."""
        return self.game.aside(self.seats, self.size)

    @cached_property
    def tricks(self) -> Tricks:
        """How tricks are played."""
        return next(phase for phase in self.game.phases if isinstance(phase, Tricks))

    @cached_property
    def turning(self) -> Facing | TurnUp | SecretBids | None:
        """How cards are turned."""
        return next((phase for phase in self.game.phases if isinstance(phase, Facing | TurnUp | SecretBids)), None)

    @cached_property
    def turned(self) -> int:
        """How many cards are turned up in the end, those that are played included."""
        if isinstance(self.turning, Facing):
            return self.turning.due(self.size + 1, self.size)
        return min(1, len(self.pack) - self.seats * self.size) if self.turning is not None else 0

    def shown(self, trick: int) -> int:
        """How many cards lie open when a trick is led."""
        return self.turning.due(trick, self.size) if isinstance(self.turning, Facing) else self.turned

    @property
    def named(self) -> bool:
        """Whether a contract alone says what is trump."""
        return any(isinstance(phase, Contracts) for phase in self.game.phases)

    def table(self, dealer: int = -1, deal: Deal | None = None, index: int = 0, number: int = 1) -> Table:
        """A table for such a deal, at which nothing has happened yet."""
        names = tuple(str(seat) for seat in range(self.seats))
        table = Table(self.game, self.pack, names, index, deal or Deal(), number, self.size, True)
        table.dealer = table.beside = None if dealer < 0 else dealer
        return table

    @cached_property
    def first_leads(self) -> Array:
        """(S+1, S+1) int64: who leads first, by dealer and declarer, both counted from 1 (0 not known); -1 not known."""
        found = np.full((self.seats + 1, self.seats + 1), -1, np.int64)
        for dealer in range(-1, self.seats):
            table = self.table(dealer)
            for declarer in range(-1, self.seats):
                table.declarer = None if declarer < 0 else declarer
                leader = self.tricks.leader(table)
                found[dealer + 1, declarer + 1] = -1 if leader is None else leader
        return found

    @cached_property
    def circle(self) -> bool:
        """Whether everybody plays clockwise to every trick."""
        return self.tricks.turns is clockwise and not self.game.extras

    @cached_property
    def turns(self) -> Array:
        """(S, 2, E, E) int64: the seats in turn by dealer, first trick or later, and who won the trick before."""
        found = np.zeros((self.seats, 2, self.every, self.every), np.int64)
        for dealer in range(self.seats):
            table = self.table(dealer)
            for later in (0, 1):
                for winner in range(self.every if later else self.seats):
                    seats = self.tricks.turns(table, winner, later + 1)
                    found[dealer, later, winner, : len(seats)] = seats
        return found


@dataclass
class Columns:
    """Deals of one shape; see the head of this file. `contracts`, `kinds` and `trumps` are the words that numbers stand for."""

    shape: Shape
    record: Array
    first: Array
    past: Array
    dealer: Array
    leader: Array
    hands: Array
    aside: Array
    turned: Array
    contract: Array
    declarer: Array
    bids: Array
    kinds: Array
    blind: Array
    guesses: Array
    leaders: Array
    plays: Array
    said_trump: Array
    said_winners: Array
    said_tricks: Array
    said_scores: Array
    facts: dict[str, Array] = field(default_factory=dict)
    contracts: tuple[str, ...] = ()
    words: tuple[tuple[str, str], ...] = (("none", ""),)
    trumps: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.plays)

    def rows(self, which: Any) -> Columns:
        """Some of the deals: a slice, or an array of row numbers."""
        some = {each.name: getattr(self, each.name)[which] for each in fields(self) if each.name in COLUMNS}
        return replace(self, **some, facts={key: column[which] for key, column in self.facts.items()})

    def chunks(self, many: int) -> Iterator[Columns]:
        """The deals, so many at a time."""
        for start in range(0, len(self), many):
            yield self.rows(slice(start, start + many))


def layout(shape: Shape) -> dict[str, tuple[tuple[int, ...], str]]:
    """Each column's width and dtype."""
    seats, size = shape.seats, shape.size
    return {
        "record": ((), "int64"),
        "first": ((), "bool"),
        "past": ((), "bool"),
        "dealer": ((), "int8"),
        "leader": ((), "int8"),
        "hands": ((seats,), "int64"),
        "aside": ((len(shape.aside),), "int64"),
        "turned": ((shape.turned,), "uint8"),
        "contract": ((), "int16"),
        "declarer": ((), "int8"),
        "bids": ((seats,), "int16"),
        "kinds": ((seats,), "uint8"),
        "blind": ((seats,), "bool"),
        "guesses": ((seats,), "uint8"),
        "leaders": ((size,), "uint8"),
        "plays": ((shape.starts[-1],), "uint8"),
        "said_trump": ((), "int16"),
        "said_winners": ((size,), "uint8"),
        "said_tricks": ((shape.every,), "int16"),
        "said_scores": ((seats,), "int64"),
    }


COLUMNS = frozenset(each.name for each in fields(Columns)) - {"shape", "facts", "contracts", "words", "trumps"}
