"""How a fault is planted in a faultless record: what the dealer and a phase need for it.

Each is a function that takes a record as plain data and breaks exactly one thing, or returns False if there is no place for it.
None of them asks the referee: that what they do breaks one rule and no other follows from how they do it. What can be broken in
any game stands in `dealing`; a phase says in `Phase.plants` what can be in its own events.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from handrec.game.value import Game

Data = dict[str, Any]


class Planting(NamedTuple):
    """How a fault is planted; `reckoned` if the results are reckoned when it stands, so that they are right for what was done."""

    apply: Callable[[Data, Random, Game], bool]
    reckoned: bool = False


def any_deals(data: Data, rng: Random) -> Iterator[Data]:
    """The deals in random order."""
    yield from rng.sample(data["deals"], len(data["deals"]))


def spots_of(deal: Data, do: str) -> list[int]:
    """The places of a deal's events of one kind."""
    return [place for place, event in enumerate(deal["events"]) if event["do"] == do]


def another(data: Data, seat: str, rng: Random) -> str | None:
    """Another seat than this one, None if there is none."""
    others = [player["seat"] for player in data["players"] if player["seat"] != seat]
    return str(rng.choice(others)) if others else None


def change_one(numbers: Data, rng: Random, low: int = -99) -> bool:
    """Make one of several numbers another."""
    if not numbers:
        return False
    key = rng.choice(sorted(numbers))
    numbers[key] = rng.choice([n for n in (numbers[key] - 1, numbers[key] + 1, numbers[key] + 10) if n >= low])
    return True


def tricks_of(data: Data, deal: Data, game: Game) -> list[list[int]]:
    """The places of the plays of each trick; who is no player joins in from the second."""
    plays, size = spots_of(deal, "play"), len(data["players"])
    every = size + len(game.extras)
    return [plays[:size], *(plays[spot : spot + every] for spot in range(size, len(plays), every))]
