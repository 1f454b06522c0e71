"""One event of a dealt game changed at random: how many findings are counted of it, by kind of change and game.

One fault is one finding; what else the referee sees falls with it. What a change brings about in truth, such as a card of another
seat's between two of its own, may be two things. The floors are what was measured over 100 changes of each kind in each game,
less a margin; `pytest -m long -s tests/test_mutations.py` prints the figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from handrec import check
from handrec.record import Record
from tests.planting import TABLES, dealt, pack_of, seats_of, without

Data = dict[str, Any]
Mutation = Callable[[Data, Random], bool]


def _places(data: Data, *kinds: str) -> list[int]:
    return [place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] in kinds]


def change_card(data: Data, rng: Random) -> bool:
    """Another card of the pack is played."""
    event = data["deals"][0]["events"][rng.choice(_places(data, "play"))]
    event["card"] = rng.choice([card for card in pack_of(data) if card != event["card"]])
    return True


def drop_play(data: Data, rng: Random) -> bool:
    """A play is left out."""
    del data["deals"][0]["events"][rng.choice(_places(data, "play"))]
    return True


def double_play(data: Data, rng: Random) -> bool:
    """A play is written twice."""
    events, place = data["deals"][0]["events"], rng.choice(_places(data, "play"))
    events.insert(place, deepcopy(events[place]))
    return True


def exchange_neighbours(data: Data, rng: Random) -> bool:
    """A play and the one after it change places."""
    events, plays = data["deals"][0]["events"], _places(data, "play")
    place = rng.choice(plays[:-1])
    events[place], events[place + 1] = events[place + 1], events[place]
    return True


def change_seat(data: Data, rng: Random) -> bool:
    """A play is set to another seat."""
    event = data["deals"][0]["events"][rng.choice(_places(data, "play"))]
    event["by"] = rng.choice([seat for seat in seats_of(data) if seat != event["by"]])
    return True


def change_turn(data: Data, rng: Random) -> bool:
    """Another card is turned."""
    places = _places(data, "turn")
    if not places:
        return False
    event = data["deals"][0]["events"][rng.choice(places)]
    event["card"] = rng.choice([card for card in pack_of(data) if card != event["card"]])
    return True


def change_bid(data: Data, rng: Random) -> bool:
    """A bid is one that another seat made, or one more."""
    events, places = data["deals"][0]["events"], _places(data, "bid", "call")
    if not places:
        return False
    event, said = events[rng.choice(places)], "bid" if "bid" in events[places[0]] else "call"
    bids = sorted({str(events[place].get(said)) for place in places} - {str(event.get(said))})
    if isinstance(event.get(said), int):
        event[said] += 1
    elif bids:
        event[said] = rng.choice(bids)
    else:
        return False
    return True


def change_number(data: Data, rng: Random) -> bool:
    """A number of the sheet is one more."""
    claimed = data["deals"][0].get("claimed", {})
    kinds = [kind for kind in ("tricks", "scores", "bids") if any(type(each) is int for each in claimed.get(kind, {}).values())]
    if not kinds:
        return False
    numbers = claimed[rng.choice(kinds)]
    numbers[rng.choice([seat for seat in sorted(numbers) if type(numbers[seat]) is int])] += 1
    return True


#: Each kind of change with the share of changes that show of which at most one finding is counted.
FLOORS: dict[Mutation, float] = {
    change_card: 0.98,
    drop_play: 0.98,
    double_play: 0.98,
    exchange_neighbours: 0.88,  # one of either side of the end of a trick
    change_seat: 0.98,
    change_turn: 0.94,  # in whist another card of the dealer's hand makes another trump, and no card contradicts it
    change_bid: 0.98,
    change_number: 0.98,
}


def changed(key: str, mutation: Mutation, many: int) -> Iterator[Record]:
    """So many records of a game with one thing changed."""
    rng, made = Random(f"{key} {mutation.__name__}"), 0
    for seed in range(many * 4):
        truth = dealt(key, seed)
        if truth is None or made == many or not _places(truth, "play"):  # a board may be passed out
            continue
        data = without(truth, hands=True, claims=True)
        if mutation(data, rng):
            made += 1
            yield Record.model_validate(data)


def figures(key: str, mutation: Mutation, many: int) -> Counter[int]:
    """How many records there are with so many counted findings."""
    return Counter(len(check(record).faults) for record in changed(key, mutation, many))


def one(counted: Counter[int]) -> float:
    """The share of the records with findings that have one."""
    shown = counted.total() - counted[0]
    return counted[1] / shown if shown else 1.0


@pytest.mark.some(2)
@pytest.mark.parametrize("mutation", FLOORS, ids=lambda mutation: mutation.__name__)
def test_one_change_is_one_finding(mutation: Mutation) -> None:
    """One event changed is one finding, or consequences that fall with it: as many as were measured, over all games."""
    line = sum((figures(key, mutation, 8) for key in sorted(TABLES)), Counter[int]())
    assert one(line) >= FLOORS[mutation], line


@pytest.mark.long
@pytest.mark.parametrize("mutation", FLOORS, ids=lambda mutation: mutation.__name__)
def test_the_figures_of_changes(mutation: Mutation) -> None:
    """A hundred changes of each kind in each game; prints how many findings are counted."""
    lines = {key: figures(key, mutation, 100) for key in sorted(TABLES)}
    for key, line in lines.items():
        more = sum(many for findings, many in line.items() if findings > 1)
        print(f"{mutation.__name__:20} {key:9} none {line[0]:3}  one {line[1]:3}  more {more:3}  most {max(line, default=0)}")
    assert one(sum(lines.values(), Counter[int]())) >= FLOORS[mutation]
