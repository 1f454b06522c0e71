"""One record out of many: versions of games with slips planted in them, of which it is known what is true.

A few truths of each kind and game show every run that true majorities are found, and nothing else; `pytest -m long -rP
tests/test_reconcile.py` takes six hundred of each kind and prints the figures. Some of the truths are whole games.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from random import Random
from typing import Any

import pytest

from handrec.diff import Difference, compare, reconcile, vote
from handrec.games import find
from handrec.repair import plain
from tests.planting import TABLES
from tests.reconciling import KINDS, Case, case, outcome

GAMES = sorted(TABLES)


# --- with slips planted ---


def counted(kind: str, key: str, seeds: range) -> Counter[str]:
    """What comes of many truths of one kind."""
    return sum((outcome(case(kind, key, seed)) for seed in seeds), Counter())


def holds(found: Counter[str]) -> bool:
    """Whether 95 in 100 true majorities are found, none that is false, and no record is worse than its best source."""
    return 20 * found["found"] >= 19 * found["true"] > 0 == found["false"] + found["worse"]


@pytest.mark.parametrize("kind", KINDS)
def test_true_majorities_are_found(kind: str) -> None:
    """In six games, a whole one among them."""
    found = sum((counted(kind, key, range(4 if key == "bugami" else 5, 8)) for key in GAMES), Counter())
    assert holds(found), found
    assert not found["refused"]
    assert found["right"] >= 0.95 * found["cases"]


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_true_majorities_are_found_in_many(kind: str, key: str) -> None:
    """In a hundred truths, five of them whole games: six hundred of each kind."""
    found = counted(kind, key, range(100))
    print(
        f"{kind:9}{key:9}",
        *(f"{what} {found[what]}" for what in ("cases", "true", "found", "false", "worse", "right", "refused")),
    )
    assert holds(found), found
    assert found["refused"] <= 0.05 * found["cases"]


# --- in whatever order they come ---


def told(difference: Difference, order: tuple[int, ...]) -> Any:
    """All that is said of some records, in terms of the order in which they were first given."""
    at = [order.index(who) for who in range(len(order))]
    lines = [
        (
            row.path,
            row.place,
            row.what,
            [row.values[who] for who in at],
            sorted(order[who] for who in row.majority or ()),
            [row.votes[who] for who in at],
        )
        for row in difference.rows
    ]
    versions = vote(difference, find)
    needs = [
        [
            version.verdict.faults,
            None if version.changes is None else [(c.row.path, c.row.values[c.source]) for c in version.changes],
            version.edits,
        ]
        for version in (versions[who] for who in at)
    ]
    agreed, choices = reconcile(difference, find)
    made = [(choice.row.path, choice.row.values[choice.source], choice.reason) for choice in choices]
    bare = {key: value for key, value in plain(agreed).items() if key != "extensions"}
    return lines, needs, made, bare


def the_order_does_not_matter(one: Case, orders: int) -> None:
    """The same is said of all shuffled versions, but for their letters."""
    records, many = one.records, len(one.versions)
    first = told(compare(records, find), tuple(range(many)))
    others = [*permutations(range(many))][1:]
    for order in Random(many).sample(others, min(orders, len(others))):
        assert told(compare([records[who] for who in order], find), order) == first, order


@pytest.mark.parametrize("key", GAMES)
def test_the_order_of_the_records_does_not_matter(key: str) -> None:
    """Of single deals: rows, votes, what each version needs, and the reconciled record."""
    for seed in range(10, 12):
        the_order_does_not_matter(case("order", key, seed), 2)
    the_order_does_not_matter(case("seats", key, 15), 2)


@pytest.mark.long
@pytest.mark.parametrize("key", GAMES)
def test_the_order_of_many_records_does_not_matter(key: str) -> None:
    """The same of more, in every order, some of them whole games."""
    for seed in range(4, 54):
        the_order_does_not_matter(case("order", key, seed), 23)
        the_order_does_not_matter(case("seats", key, seed), 5)
