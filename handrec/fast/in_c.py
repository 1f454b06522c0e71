"""The same loop in C, where it could be built: `_tricks.c`, with the rules as `rules.h` has them written down.

`rules.h` is made of the rules of all games under each of their options; a test sees that it is up to date, and with `--update`
makes it so. A game with other rules, or with more cards than a word has bits, is taken by the loop in Python.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator
from typing import Any

from handrec.cards import Order
from handrec.fast.formula import Program
from handrec.findings import PlayedTrick
from handrec.game import Game, compose
from handrec.record import NOTED, Play

try:
    from handrec.fast import _tricks  # type: ignore[attr-defined]  # it may not have been built
except ImportError:
    _tricks = None

#: So many bits has a word.
MOST_CARDS = 64

#: So many orders are remembered.
MOST_ORDERS = 10_000


class InC:
    """The loop of a game's tricks at certain seats, in C."""

    def __init__(self, lead: Program, follow: Program, seats: tuple[str, ...], cards: tuple[str, ...]) -> None:
        """Raises KeyError if a program, or so many cards, are not among those that were compiled."""
        if _tricks is None or len(cards) > MOST_CARDS:
            raise KeyError("not compiled")
        self.lead, self.follow = (_tricks.PROGRAMS[text(program)] for program in (lead, follow))
        self.seats = {seat: place for place, seat in enumerate(seats)}
        self.cards = {card: place for place, card in enumerate(cards)}
        self.pairs = tuple((seat, card) for seat in seats for card in cards)
        self.names = seats
        self.ranks: dict[int, tuple[Order, bytes]] = {}

    def numbered(self, events: list[Any]) -> bytes | None:
        """The plays by number; None if one says anything unusual, or names a seat or a card that is not there."""
        found: bytes | None = _tricks.numbered(events, Play, self.seats, self.cards, "by", "card", NOTED)
        return found

    def take(
        self,
        plays: bytes,
        at: int,
        number: int,
        last: int,
        leader: int,
        broken: int,
        left: list[int],
        turns: list[tuple[int, ...]],
        order: Order,
        won: list[int],
        tricks: list[PlayedTrick],
    ) -> tuple[int, int, int, int]:
        """Take tricks, as the loop in Python does."""
        known = self.ranks.get(id(order))
        if known is None:
            if len(self.ranks) >= MOST_ORDERS:
                self.ranks.clear()
            known = self.ranks[id(order)] = order, array("Q", order.suit + order.beats).tobytes()
        table = known[1], order.trumps
        rules = self.lead, self.follow, self.pairs, self.names, PlayedTrick
        taken: tuple[int, int, int, int] = _tricks.take(
            plays, at, number, last, leader, broken, left, turns, *table, won, tricks, *rules
        )
        return taken


def text(program: Program) -> str:
    """A program as C has it."""
    return "; ".join(program.c())


def header(games: Iterable[Game]) -> Iterator[str]:
    """The lines of `rules.h`, for the rules of these games."""
    programs: dict[str, Program] = {}
    for game in games:
        values = [{option.key: value} for option in game.options for value in option.values if value != option.default]
        for options in ({}, *values):
            for leading in (True, False):
                program = Program(compose(game, options)[0].play_rules, leading)
                programs.setdefault(text(program), program)
    seen = "mask hand, mask lead, mask led, mask rising, mask trumps, mask leading, mask broken, mask first"
    yield "/* The play rules of all games under each of their options, as `formula.py` writes them down. */"
    yield ""
    for place, program in enumerate(programs.values()):
        *steps, result = program.c()
        yield f"static mask program_{place}({seen})"
        yield "{"
        yield from (f"    mask {step};" for step in steps)
        yield f"    return {result.removeprefix('legal = ')};"
        yield "}"
        yield ""
    yield f"#define MANY_PROGRAMS {len(programs)}"
    names = ", ".join(f"program_{place}" for place in range(len(programs)))
    yield "static mask (*const PROGRAMS[])(mask, mask, mask, mask, mask, mask, mask, mask) = {" + names + "};"
    yield "static const char *const TEXTS[] = {"
    yield from (f'    "{known}",' for known in programs)
    yield "};"
