"""What a game asks of every deal at certain seats, worked out once: its plays by name, and the function that takes tricks."""

from __future__ import annotations

from handrec.fast.formula import Program
from handrec.fast.in_c import InC
from handrec.fast.tricks import InPython
from handrec.game import Game, Phase, Table
from handrec.phases.tricks import Tricks
from handrec.record import Claim, Turn

#: What a phase's own way to lay down what it takes stands for.
STANDS_FOR = ("take", "open", "close")

#: So many games, options and seats together are remembered.
MOST_KNOWN = 1000


class Plan:
    """A game under its options, at these seats.

    `tricks` is the phase that takes plays. `lays` is how each phase lays down what it takes before the first lead; those that
    have no way of their own are among `opens` and `closes` if they do anything then (`closes_early` if the play ends early); the
    others are `done` when they have laid it down. `loop` numbers plays and takes tricks, in C if it can; `bit` gives a card's bit
    by its name; `sides` are the names of the sides.
    """

    def __init__(self, game: Game, seats: tuple[str, ...]) -> None:
        """Raises TypeError if a play rule cannot be traced."""
        self.game, self.seats, self.pack = game, seats, game.pack(len(seats))
        phase = game.phase_of["play"]
        assert isinstance(phase, Tricks)
        self.tricks, self.sides = phase, game.sides(seats).keys()
        self.bit = {card: 1 << place for place, card in enumerate(self.pack.cards)}
        programs = Program(game.play_rules, True), Program(game.play_rules, False)
        try:
            self.loop: InC | InPython = InC(*programs, seats, self.pack.cards)
        except KeyError:
            self.loop = InPython(*programs, seats, self.pack.cards)
        takers = [each for each in game.phases if any(each in game.that(part) for part in STANDS_FOR)]
        self.lays = [(each, type(each).lay if each.up_to_date("lay", *STANDS_FOR) else Phase.lay) for each in takers]
        others = [each for each, lay in self.lays if lay is Phase.lay]
        self.opens = [each for each in others if each in game.that("open")]
        self.closes_early = [each for each in game.that("close") if each in others or each is phase]
        self.closes = [each for each in self.closes_early if each in others]
        self.done = [each for each, lay in self.lays if lay is not Phase.lay]
        self.by_dealer: dict[int | None, tuple[list[tuple[int, ...]], ...]] = {}

    def deal_out(self, table: Table) -> bool:
        """Whether every card of the deal is recorded and in its place; deals out the hands."""
        deal, bit, size, game = table.deal, self.bit.__getitem__, table.size, table.game
        stated = deal.hands
        if deal.pack is not None or stated is None or len(stated) != table.count or deal.cards not in (None, size):
            return False
        turned = [event.card for _, event in table.besides if type(event) is Turn]
        try:
            dealt = [stated[seat] for seat in table.seats]
            if [*map(len, dealt)] != table.quota:
                return False
            hands = [sum(map(bit, cards)) for cards in dealt]
            seen, many = sum(hands), size * table.count
            if table.undealt > 0 or deal.aside:
                aside, due = deal.aside or {}, game.aside(table.count, size)
                for place, lying in aside.items():
                    if len(lying) != due.get(place):
                        return False
                    seen += sum(map(bit, lying))
                    many += len(lying)
                if due.keys() != aside.keys() and any(due.values()):
                    loose = [card for card in turned if not any(card in lying for lying in aside.values())]
                    seen, many = seen + sum(map(bit, loose)), many + len(loose)
        except KeyError:
            return False
        if seen.bit_count() != many or not self.bit.keys() >= {*turned}:  # of so many powers of two, if none is there twice
            return False
        table.hands, table.left, table.whole = hands, hands[:], [True] * table.count
        return True

    def lay(self, table: Table) -> int:
        """Lay down what happens before the first lead, where nothing unusual does; -1, and the table spoiled, if not.

        Returns how many of the events besides the plays have been laid down.
        """
        if table.deal.status not in ("complete", "claimed"):
            return -1
        for phase in self.opens:
            phase.open(table)
        at = 0
        for phase, lay in self.lays:
            at = lay(phase, table, at)
            if at < 0:
                return -1
        after = table.besides[at:]
        if after and after[0][0] == at:
            return -1
        return -1 if any(type(event) is not Claim and self.game.taking(event) in self.done for _, event in after) else at

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
    return isinstance(phase, Tricks) and all(phase.up_to_date(part, *STANDS_FOR) for part in ("ready", "lay"))
