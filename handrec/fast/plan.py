"""What a game asks of every deal at certain seats, worked out once: its plays by name, and the function that takes tricks."""

from __future__ import annotations

from handrec.fast.formula import Program
from handrec.fast.in_c import InC
from handrec.fast.tricks import InPython
from handrec.game import Game, Table, Tricks

#: So many games, options and seats together are remembered.
MOST_KNOWN = 1000


class Plan:
    """A game under its options, at these seats.

    `tricks` is the phase that takes plays; `loop` numbers plays and takes tricks, in C if it can. `bit` gives a card's bit by its
    name.
    """

    def __init__(self, game: Game, seats: tuple[str, ...]) -> None:
        """Raises TypeError if a play rule cannot be traced."""
        self.game, self.seats, self.pack = game, seats, game.pack(len(seats))
        phase = game.phase_of["play"]
        assert isinstance(phase, Tricks)
        self.tricks = phase
        self.bit = {card: 1 << place for place, card in enumerate(self.pack.cards)}
        programs = Program(game.play_rules, True), Program(game.play_rules, False)
        try:
            self.loop: InC | InPython = InC(*programs, seats, self.pack.cards)
        except KeyError:
            self.loop = InPython(*programs, seats, self.pack.cards)
        self.by_dealer: dict[int | None, tuple[list[tuple[int, ...]], ...]] = {}

    def turns(self, table: Table) -> tuple[list[tuple[int, ...]], ...]:
        """The seats in turn in the first trick and in later ones, by who leads; the same list if they are the same."""
        if table.dealer not in self.by_dealer:
            seats = range(len(self.seats))
            first, later = ([tuple(self.tricks.turns(table, seat, trick)) for seat in seats] for trick in (1, 2))
            self.by_dealer[table.dealer] = first, first if first == later else later
        return self.by_dealer[table.dealer]


_known: dict[tuple[int, tuple[str, ...]], tuple[Game, Plan | None]] = {}


def plan_of(game: Game, seats: tuple[str, ...]) -> Plan | None:
    """The plan of a game at these seats; None if it has a seat that is no player's, or a play rule that cannot be traced."""
    key = id(game), seats
    if key not in _known:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        try:
            _known[key] = game, Plan(game, seats) if _taken_here(game) and not game.extras else None
        except TypeError:
            _known[key] = game, None
    return _known[key][1]


def _taken_here(game: Game) -> bool:
    """Whether the phase that takes plays says what must be so before a lead, if it takes plays in a way of its own."""
    phase = game.phase_of.get("play")
    if not isinstance(phase, Tricks):
        return False
    classes = type(phase).__mro__
    return next(each for each in classes if "take" in vars(each)) is next(each for each in classes if "ready" in vars(each))
