"""Two slips in different parts of a deal: each is explained as if it stood there alone, or less is said of it.

Where one part cannot have happened, the other is looked at with that left as it is; so more may be thought of there than if the
rest were right, and the search of one deal may end before the second part is through. Then it is not said to be the only one.
Now and then one slip would make the same record as the two, and is the simpler story: then they are explained together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from copy import deepcopy
from random import Random
from typing import Any

import pytest

from handrec import games, referee
from handrec.explanations.costs import FindingKey, key_of
from handrec.explanations.parts import Part
from handrec.record import Deal, Record
from tests.planting import ACTS, TABLES, Data, dealt, plays_of, without
from tests.searching import parts_of


def carried_over(truth: Any, one: Any, both: Any) -> Any:
    """The truth with what `both` has otherwise than `one`; None if one of them has more in a place."""
    if type(truth) is dict and type(one) is dict and type(both) is dict and one != both:
        if not truth.keys() == one.keys() == both.keys():
            return None
        found = {key: carried_over(truth[key], one[key], both[key]) for key in truth}
        return None if any(found[key] is None and truth[key] is not None for key in found) else found
    if type(truth) is list and type(one) is list and type(both) is list and one != both:
        if not len(truth) == len(one) == len(both):
            return None
        each = [carried_over(*three) for three in zip(truth, one, both, strict=True)]
        return None if None in each else each
    return truth if one == both else both


def faults(data: Data) -> frozenset[FindingKey]:
    """What the referee finds."""
    return frozenset(key_of(finding) for finding in referee.check(Record.model_validate(data), games.find).faults)


def best(data: Data, part: Part) -> list[tuple[int, str]]:
    """The best explanations: what they cost, and what they put where."""
    written = stated(Record.model_validate(data).deals[0])
    return sorted((each.cost, str(differing(written, stated(each.deal)))) for each in part.best)


def stated(deal: Deal) -> Data:
    """What a deal states."""
    return deal.model_dump(mode="json", exclude_none=True)


def differing(one: Any, other: Any) -> Any:
    """What stands otherwise in other values; of lists of other lengths all from where they part to where they meet again."""
    if type(one) is dict and type(other) is dict:
        return {key: differing(one.get(key), other.get(key)) for key in sorted({*one, *other}) if one.get(key) != other.get(key)}
    if type(one) is list and type(other) is list and len(one) == len(other):
        return [(place, differing(*pair)) for place, pair in enumerate(zip(one, other, strict=True)) if pair[0] != pair[1]]
    if type(one) is list and type(other) is list:
        short = min(len(one), len(other))
        front = next((at for at in range(short) if one[at] != other[at]), short)
        back = next((at for at in range(short - front) if one[-1 - at] != other[-1 - at]), short - front)
        return front, other[front : len(other) - back]
    return other


def compared(key: str, seed: int) -> Counter[str]:
    """Two slips planted in a deal: parts explained as alone (`same`), less surely (`less`), or together (`joined`)."""
    rng, truth = Random(f"{key} {seed}"), dealt(key, seed)
    if truth is None or not plays_of(truth):
        return Counter()
    truth = without(truth, True, seed % 2 == 0)
    first, second = rng.sample(sorted(ACTS), 2)
    one = deepcopy(truth)
    if not ACTS[first](one, rng):
        return Counter()
    both = deepcopy(one)
    if not ACTS[second](both, rng):
        return Counter()
    other = carried_over(truth, one, both)
    if other is None or truth in (one, other):
        return Counter()
    found = faults(one), faults(other)
    if not all(found) or found[0] & found[1] or faults(both) != found[0] | found[1]:
        return Counter()
    parts = [(data, part) for data in (one, other) for part in parts_of(Record.model_validate(data))]
    alone = {frozenset(map(key_of, part.findings)): (best(data, part), part) for data, part in parts}
    line = Counter[str]()
    for part in parts_of(Record.model_validate(both)):
        same = alone.get(frozenset(map(key_of, part.findings)))
        if same is None:
            line["joined"] += 1
            continue
        due, by_itself = same
        told = best(both, part) == due and bool(part.only) == bool(by_itself.only)
        assert told or part.only is None, (key, seed, first, second, best(both, part), due)
        line["same" if told else "less"] += 1
    return line


def counted(keys: Iterable[str], seeds: range) -> Counter[str]:
    """What comes of many deals."""
    return sum((compared(key, seed) for key in keys for seed in seeds), Counter[str]())


def holds(line: Counter[str]) -> bool:
    """Whether four of five are explained as if alone."""
    return line["same"] > 0 and line["less"] + line["joined"] <= max(2, line.total() / 5)


BESIDE = [
    ("whist", 25, 2),  # a dealer whose card is not the one turned: impossible, and no contradiction of the cards
    ("whist", 80, 2),
    ("hearts", 110, 2),  # cards are passed: that a seat did not hold one is no contradiction that is counted
    ("batarde", 252, 1),  # a dealer out of turn, which is found across the deals and in its own
    ("batarde", 72, 2),  # hands exchanged, of which much is found, beside a wrong number
    ("bugami", 66, 2),  # that two cards may be exchanged is seen only where the rows are right
]


@pytest.mark.some(1)
@pytest.mark.parametrize(("key", "seed", "parts"), BESIDE)
def test_one_is_told_as_surely_beside_the_other(key: str, seed: int, parts: int) -> None:
    """Whatever the other is; a dealer alone is no part of its deal."""
    assert compared(key, seed) == {"same": parts}


@pytest.mark.long
def test_each_of_two_is_explained_as_if_alone() -> None:
    """In all games: mostly, and never more surely. Every day `test_planted.py` shows what is told of two."""
    line = counted(sorted(TABLES), range(1))
    assert holds(line), line


@pytest.mark.long
@pytest.mark.parametrize("key", sorted(TABLES))
def test_each_of_many_twos_is_explained_as_if_alone(key: str) -> None:
    """In three hundred deals of a game."""
    line = counted([key], range(4, 304))
    print(key, line)
    assert holds(line), line
