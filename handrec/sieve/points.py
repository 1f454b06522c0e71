"""Points of many deals at once, by the score lines of the game; and what is carried from deal to deal."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from handrec.game import Game
from handrec.game.table import Made
from handrec.game.views import HandView
from handrec.sieve.columns import Array

#: What stands for a bid in games that have none.
NO_BID = Made("none", "none", 0, -1)


class BidArrays(NamedTuple):
    """The bids of n deals, by seat (n, S): values, whether blind, and what each is besides, a place in `words` (kind, suit)."""

    value: Array
    blind: Array
    word: Array
    words: tuple[tuple[str, str], ...]


class Scored(NamedTuple):
    """(n, S) int64 `scores`, and by key what is `carried` on; certain where (n,) `sure`."""

    scores: Array
    carried: dict[str, Array]
    sure: Array


def score(
    game: Game, size: int, bids: BidArrays, tricks: Array, facts: list[dict[str, Any]], first: Array, chained: Array
) -> Scored:
    """Score deals with `tricks` (n, S), each after the one before it where they are `chained`.

    `facts` by seat; `first` (n,) whether nothing is carried into the deal. After a deal of which it is not known what was carried
    into it, it is not known either; nor, of partners, where a fact says that what they play for is not `known`.
    """
    many = len(tricks), len(facts)
    scores = np.zeros(many, np.int64)
    carried = {carry.key: np.full(many, carry.start, np.int64) for carry in game.carries}
    row = np.arange(many[0])
    if not game.score and not game.carries:
        return Scored(scores, carried, np.ones(many[0], bool))
    known = np.ones(many[0], bool)
    if game.partners:
        known = np.array(facts[0].get("known", np.ones(many[0], np.int64)), bool)
        tricks = tricks + np.roll(tricks, many[1] // 2, axis=1)
    if not game.carries:
        _score(game, size, bids, tricks, facts, np.flatnonzero(known), scores, carried)
        return Scored(scores, carried, known)
    depth, sure = row - np.maximum.accumulate(np.where(chained, 0, row)), first & known
    for step in range(int(depth.max(initial=-1)) + 1):
        rows = np.flatnonzero(depth == step)
        if step:
            for numbers in carried.values():
                numbers[rows] = numbers[rows - 1]
            sure[rows] = sure[rows - 1] & known[rows]
        _score(game, size, bids, tricks, facts, rows, scores, carried)
    return Scored(scores, carried, sure)


def _score(
    game: Game,
    size: int,
    bids: BidArrays,
    tricks: Array,
    facts: list[dict[str, Any]],
    rows: Array,
    scores: Array,
    carried: dict[str, Array],
) -> None:
    """Score some deals. What they carry is that of the deal before, and then their own."""
    for seat, told in enumerate(facts):
        words = bids.word[rows, seat]
        for word in np.flatnonzero(np.bincount(words)).tolist():
            mine = rows[words == word]
            kind, suit = bids.words[word]
            past = {key: numbers[mine, seat] for key, numbers in carried.items()}
            seen = {**{key: _at(fact, mine) for key, fact in told.items()}, **past}
            hand = HandView(tricks[mine, seat], bids.value[mine, seat], kind, suit, bids.blind[mine, seat], size, seen)
            scores[mine, seat] = sum(line.points(hand) for line in game.score if line.kind in (None, kind))
            after = {carry.key: carry.step(hand) for carry in game.carries}
            for key, numbers in after.items():
                carried[key][mine, seat] = numbers


def _at(fact: Any, rows: Array) -> Any:
    return {key: numbers[rows] for key, numbers in fact.items()} if isinstance(fact, dict) else fact[rows]
