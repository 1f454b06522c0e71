"""What deals of one game, number of seats and hand size have in common, worked out once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from handrec.cards import Pack
from handrec.game import Game, Phase, Table
from handrec.phases.tricks import Tricks, clockwise
from handrec.record import Deal

#: Hands are masks in int64, of which one bit is the sign.
MOST_CARDS = 62

#: A card in a column is a byte, and one value stands for none.
MOST_NUMBERED = 255

#: The seats in turn, by who leads.
Ring = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Shape:
    """A game under its options, how many seats there are, and how many cards a hand has."""

    game: Game
    seats: int
    size: int

    @cached_property
    def pack(self) -> Pack:
        """The pack."""
        return self.game.pack(self.seats)

    @property
    def written(self) -> bool:
        """Whether such deals can stand in columns at all."""
        cards = len(self.pack)
        return self.size > 0 and self.seats * self.size <= cards < MOST_NUMBERED and isinstance(self.tricks, Tricks)

    @property
    def judged(self) -> bool:
        """Whether the sieve can judge such deals: the pack fits into a mask, and every phase tells on columns what it tells."""
        if not self.written or len(self.pack) > MOST_CARDS or len(self.game.extras) > 1 or self.turned > MOST_CARDS:
            return False
        told = [any(phase.up_to_date(part, "facts") for part in ("said", "facts_of")) for phase in self.game.that("facts")]
        assert self.tricks is not None
        usual = all(self.tricks.up_to_date(part, "open", "take", "close") for part in ("ready", "lay"))
        return all(told) and usual and (self.turning is None or self.turning.up_to_date("lies_open", "take"))

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
    def tricks(self) -> Phase | None:
        """How tricks are played."""
        return self.game.phase_of.get("play")

    @cached_property
    def turning(self) -> Phase | None:
        """How cards are turned."""
        return self.game.phase_of.get("turn")

    def shown(self, trick: int) -> int:
        """How many cards lie open when a trick is led, those that were played included; after the last one, all."""
        undealt = len(self.pack) - self.seats * self.size
        return 0 if self.turning is None else self.turning.lies_open(trick, self.size, undealt)

    @cached_property
    def due(self) -> Mapping[int, int]:
        """By the number of a trick's first play, and at the end, how many cards have been turned if they are turned in time.

        Those that a seat plays that is no player's are not turned before.
        """
        most = 1 if self.game.extras else self.turned
        return {start: min(most, self.shown(trick)) for trick, start in enumerate(self.starts, 1)}

    @cached_property
    def turned(self) -> int:
        """How many cards lie open in the end."""
        return self.shown(self.size + 1)

    def table(self, dealer: int = -1, deal: Deal | None = None, names: tuple[str, ...] | None = None) -> Table:
        """A table for such a deal, at which nothing has happened yet; without names, seats are called by their numbers."""
        seats = names or tuple(str(seat) for seat in range(self.seats))
        table = Table(self.game, self.pack, seats, 0, deal or Deal(), 1, self.size, True)
        table.dealer = table.beside = None if dealer < 0 else dealer
        return table

    @cached_property
    def circle(self) -> bool:
        """Whether everybody plays clockwise to every trick."""
        return isinstance(self.tricks, Tricks) and self.tricks.turns is clockwise and not self.game.extras

    @cached_property
    def rings(self) -> tuple[tuple[Ring, Ring], ...]:
        """By dealer: the seats in turn in the first trick and in later ones."""
        phase, found = self.tricks, []
        assert isinstance(phase, Tricks)
        for dealer in range(self.seats):
            table = self.table(dealer)
            first = tuple(tuple(phase.turns(table, leader, 1)) for leader in range(self.seats))
            found.append((first, tuple(tuple(phase.turns(table, leader, 2)) for leader in range(self.every))))
        return tuple(found)
