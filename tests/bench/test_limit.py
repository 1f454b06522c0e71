"""The C that the sieve is raced with comes to the same, also where deals are not in order."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

from handrec.bulk import Columns, layout, sift
from tests.bench.contestants import bridge, bridge_columns
from tests.bench.limit import FAULTS, Kernels, kernels

DEALS = 100
COPIES = 12


@pytest.fixture(scope="module")
def limit() -> Kernels:
    """The functions in C."""
    made = kernels()
    return made if isinstance(made, Kernels) else pytest.skip(made)


def exchanged(deals: Columns, row: int, rng: Random) -> None:
    """Two cards of one seat, or any two, played in each other's place."""
    hand, plays = int(deals.hands[row, rng.randrange(4)]), deals.plays[row]
    own = [place for place in range(52) if hand >> int(plays[place]) & 1]
    one, other = rng.sample(own if len(own) > 1 and rng.random() < 0.8 else range(52), 2)
    plays[[one, other]] = plays[[other, one]]


def spoilt(deals: Columns, row: int, rng: Random) -> None:
    """One number of a row changed to one that may be anything."""
    name = rng.choice(sorted({*layout(deals.shape)} - {"record", "first", "past", "said_scores", "aside", "turned", "blind"}))
    column: Any = getattr(deals, name).reshape(len(deals), -1)
    limits = np.iinfo(column.dtype)
    near = max(limits.min, min(limits.max, int(column[row, 0]) + rng.randrange(-2, 3)))
    column[row, rng.randrange(column.shape[1])] = rng.choice([near, rng.randrange(4), limits.min, limits.max])


def spoiling(seed: int) -> Columns:
    """Deals, the first of them in order, most others not."""
    rng, deals = Random(seed), bridge_columns([bridge(number) for number in range(DEALS)], COPIES)
    for row in range(DEALS, len(deals)):
        for change in rng.choices((exchanged, spoilt), k=rng.choice([0, 1, 1, 2])):
            change(deals, row, rng)
    return deals


def told(codes: tuple[str, ...], fault: Any) -> list[str]:
    """The codes of faults."""
    return [codes[number] for number in fault.tolist()]


@pytest.mark.parametrize("compiled", [False, True])
def test_the_same_answers(compiled: bool, limit: Kernels) -> None:
    """Fault, trick, seat, winners and tricks of deals of which most are spoilt in their plays, claims or any other column."""
    if compiled:
        pytest.importorskip("numba", reason="numba is not installed: pip install 'handrec[fast]'")
    deals = spoiling(1)
    sifted, found = sift(deals, compiled=compiled), limit.sift(deals)
    codes = told(sifted.codes, sifted.fault)
    assert set(codes) == {*FAULTS}
    assert codes == told(FAULTS, found["fault"])
    certain = sifted.fault != sifted.codes.index("referee")
    for name in ("trick", "seat"):
        assert found[name].tolist() == getattr(sifted, name).tolist()
    for name in ("winners", "tricks"):
        assert found[name][certain].tolist() == getattr(sifted, name)[certain].tolist()
