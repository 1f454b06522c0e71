"""What rows of an archive have in common: the game under its options, the seats, and how their deals are read from columns."""

from __future__ import annotations

from typing import Any

from handrec.formats.strict import decode
from handrec.game import Game, compose
from handrec.judging import Find
from handrec.sieve.codec import Codec
from handrec.sieve.shape import Shape

#: So many heads are kept at a time.
MOST_HEADS = 1000

#: No hand has more cards.
MOST_CARDS = 256


class Broken(Exception):
    """A row that cannot be what an archive's row is; the message says why."""


class Head:
    """A game under its options, at certain seats."""

    def __init__(self, game: Game, seats: tuple[str, ...]) -> None:
        self.game, self.seats = game, seats
        self.codecs: dict[int, Codec | None] = {}

    def codec(self, size: int) -> Codec | None:
        """What reads and writes deals with so many cards a hand; None if such deals cannot stand in columns."""
        if size not in self.codecs:
            shape = Shape(self.game, len(self.seats), size)
            self.codecs[size] = Codec(shape, self.seats) if 0 < size <= MOST_CARDS and shape.written else None
        return self.codecs[size]


class Heads:
    """Heads as they are met; they are kept, since every batch has the same ones."""

    def __init__(self, find: Find) -> None:
        self.find = find
        self.known: dict[tuple[str, ...], Head | str] = {}

    def head(self, key: str, options: str, seats: str) -> Head | str:
        """The head that three columns tell, or what is wrong with them."""
        wanted = key, options, seats
        if wanted not in self.known:
            if len(self.known) >= MOST_HEADS:
                self.known.clear()
            try:
                found: Head | str = self._head(*wanted)
            except (Broken, ValueError, TypeError, RecursionError) as error:
                found = str(error) if isinstance(error, Broken) else "its game or options cannot be read"
            self.known[wanted] = found
        return self.known[wanted]

    def _head(self, key: str, options: str, seats: str) -> Head:
        stated, game = strict(options), self.find(key)
        if game is None or not isinstance(stated, dict):
            raise Broken("there is no such game")
        composed, problems = compose(game, stated)
        if problems:
            raise Broken("there is no such game with these options")
        several = tuple(seats.split(" "))
        if len(several) not in game.players or len({*several, *composed.extras}) < len(several) + len(composed.extras):
            raise Broken("so many do not play this game")
        return Head(composed, several)


def strict(text: str) -> Any:
    """The value of a JSON text, read strictly. Raises `Broken`."""
    decoded = decode(text.encode(), "")
    if not decoded.places.parsed or any(finding.severity == "error" for finding in decoded.findings):
        raise Broken(f"a text cannot be read: {decoded.findings[0].message}")
    return decoded.value
