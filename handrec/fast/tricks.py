"""The play of whole tricks as one straight function, written for the rules of a game and its number of seats.

The function takes tricks one after the other as long as every card is played by the seat in turn, held, and legal, and stops
at the first that is not. What may be played is asked of the program that the game's rules give; who wins, of the tables of the
order. Of all plays of a deal it is given the seats, the cards, their bits, and the pairs of names that tell them in a verdict.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter, itemgetter
from typing import Any

from handrec.fast.formula import Program
from handrec.findings import PlayedTrick
from handrec.record import NOTED

#: The number typed before a play, and all else that it says that bears on how the deal goes on, of its fields.
TYPED, *_OTHERS = NOTED
NUMBER, SAID = itemgetter(TYPED), itemgetter("by", "card", *_OTHERS)
#: The fields of an event, which stand there and nowhere else; to ask a model for each by itself takes longer.
FIELDS = attrgetter("__dict__")

#: Of all plays of a deal: seats, cards, their bits, and the pairs of names that tell them.
Plays = list[tuple[Any, ...]]

#: (plays, at, number, last, leader, broken, left, turns, order, won, tricks) -> (at, number, leader, broken) after them.
Taking = Callable[..., tuple[int, int, int, int]]

HEAD = """\
def take(plays, at, number, last, leader, broken, left, turns, order, won, tricks):
    seats, cards, bits, pairs = plays
    suit, beats, trumps = order.suit, order.beats, order.trumps
    gone = 0
    while number <= last:
        end, turn = at + {many}, turns[leader]
        if seats[at:end] != turn:
            break
        {seats} = turn
        {bits} = bits[at:end]"""

LEAD = """\
        hand = left[s0] & ~gone
{lines}
        if not b0 & {legal}:
            break
        card, lead, win = cards[at], b0, s0
        led, rising = suit[card], beats[card]"""

FOLLOW = """\
        hand = left[s{place}] & ~gone
{lines}
        if not b{place} & {legal}:
            break
        if rising & b{place}:
            rising, win = beats[cards[at + {place}]], s{place}"""

BROKEN = """\
        broken = broken or trumps & ({mask}) != 0"""

TAIL = """\
        gone |= {mask}
        won[win] += 1
        tricks.append(trick(PlayedTrick, (number, pairs[at:end], names[win])))
        at, number, leader = end, number + 1, win
    left[:] = [hand & ~gone for hand in left]
    return at, number, leader, broken
"""


def written(lead: Program, follow: Program, many: int) -> str:
    """The text of the function that takes tricks of so many cards."""
    bits, seats = (" ".join(f"{name}{place}," for place in range(many)) for name in "bs")
    mask = " | ".join(f"b{place}" for place in range(many))
    parts = [
        HEAD.format(seats=seats, bits=bits, many=many),
        *(["        first = number == 1"] if lead.uses("first") or follow.uses("first") else []),
        LEAD.format(lines=_indented(lead), legal=lead.python()[-1]),
        *(FOLLOW.format(place=place, lines=_indented(follow), legal=follow.python()[-1]) for place in range(1, many)),
        *([BROKEN.format(mask=mask)] if _breaks(lead, follow) else []),
        TAIL.format(mask=mask),
    ]
    return "\n".join(line for part in parts for line in part.split("\n") if line.strip()) + "\n"


def _breaks(*programs: Program) -> bool:
    return any(program.uses("broken") for program in programs)


def _indented(program: Program) -> str:
    return "\n".join(f"        {line}" for line in program.python()[:-1])


class InPython:
    """The loop of a game's tricks at certain seats, in Python."""

    def __init__(self, lead: Program, follow: Program, seats: tuple[str, ...], cards: tuple[str, ...]) -> None:
        self.known = {
            (seat, card, None, None): (number, place, 1 << place, (seat, card))
            for number, seat in enumerate(seats)
            for place, card in enumerate(cards)
        }
        self.many = len(seats)
        space: dict[str, Any] = {"trick": tuple.__new__, "PlayedTrick": PlayedTrick, "names": seats}
        exec(written(lead, follow, len(seats)), space)
        self.take: Taking = space["take"]

    def numbered(self, events: list[Any]) -> Plays | None:
        """The plays by number; None if one says anything unusual, or names a seat or a card that is not there."""
        try:
            told = [*map(FIELDS, events)]
            numbers = [*map(NUMBER, told)]
            if numbers.count(None) < len(numbers) and not self._of_tricks(numbers):
                return None
            return [*zip(*map(self.known.__getitem__, map(SAID, told)), strict=True)]
        except KeyError:  # only a play has all that `SAID` asks for
            return None

    def _of_tricks(self, numbers: list[Any]) -> bool:
        """Whether numbers typed before plays are those of the tricks that these begin."""
        typed = ((place, number) for place, number in enumerate(numbers) if number is not None)
        return all((number - 1) * self.many == place for place, number in typed)
