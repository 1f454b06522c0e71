"""How a fault is planted in a faultless record, and where there is a place for it; the faults themselves stand beside.

Each is a function that takes a record as plain data and breaks exactly one thing, or returns False if there is no place for it.
None of them asks the referee: that what they do breaks one rule and no other follows from how they do it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from handrec.game import Game
from handrec.game.value import never
from handrec.phases.auction import Auction
from handrec.phases.open_bids import OpenBids
from handrec.phases.secret_bids import SecretBids

Data = dict[str, Any]


@dataclass(frozen=True)
class Planting:
    """How a fault is planted, and in which games it can be."""

    apply: Callable[[Data, Random, Game], bool]
    suits: Callable[[Game], bool] = lambda game: True


FAULTS: dict[str, Planting] = {}

#: Faults that stand before the results are reckoned, so that the results are right for what was done.
RECKONED = frozenset({"DEA004", "PLY007", "PLY008", "CLM004", "CLM008", "SCO005"})


def plants(code: str, suits: Callable[[Game], bool] = lambda game: True) -> Callable[[Any], Any]:
    """Register a function as the planting of a code, in games that it suits."""

    def register(apply: Callable[[Data, Random, Game], bool]) -> Callable[[Data, Random, Game], bool]:
        FAULTS[code] = Planting(apply, suits)
        return apply

    return register


def has_bids(game: Game) -> bool:
    """Whether players bid."""
    return "bid" in game.phase_of


def bids_at_once(game: Game) -> bool:
    """Whether bids are made all at once, before a card is turned."""
    return isinstance(game.phase_of.get("bid"), SecretBids)


def has_auction(game: Game) -> bool:
    """Whether there is an auction: calls, as many rounds as it takes."""
    return isinstance(game.phase_of.get("bid"), Auction)


def bids_in_turn(game: Game) -> bool:
    """Whether each player bids once, in turn."""
    return has_bids(game) and not bids_at_once(game) and not isinstance(game.phase_of["bid"], OpenBids)


def dealing_is_known(game: Game) -> bool:
    """Whether it is known who gets which card of a pack: a game with a dead hand must be told where that lies."""
    return game.placing is None or game.settings.get("d_after_seat") is not None


def ends(game: Game) -> bool:
    """Whether a game comes to an end: by its schedule, or by its score."""
    return has_ladder(game) or game.over is not never


def is_scored(game: Game) -> bool:
    """Whether hands are scored."""
    return bool(game.score)


def has_ladder(game: Game) -> bool:
    """Whether the number of cards follows a schedule."""
    return not isinstance(game.cards(min(game.players)), int)


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
