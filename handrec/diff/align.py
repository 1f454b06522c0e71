"""Which parts of several sequences belong together: one alignment of all of them, the same in whatever order they are given.

The problem. Several people wrote down the same events; one of them passed over a play, another wrote one twice. Which plays are
the same? A *column* holds at most one part of each sequence, and the columns keep the order of every sequence. Each pair of
sequences pays for a column in which one of them has a part and the other none (`GAP`), or for its two parts there (`price`). The
best alignment is the one for which all pairs together pay the least.

The method. To align one sequence after the other is quick and goes wrong: what the first two leave open is settled before the
third is heard. So all are aligned at once, by a shortest path: a state is how far each sequence has been read, a step reads the
next part of some of them into a column. No path from a state can cost less than its pairs would pay each for themselves, which
tables for two sequences tell beforehand; guided by these (A*), the search hardly leaves the path where versions differ little.

Sequences that are the same are taken as one that counts as often. Where more than `TOGETHER` different ones are left, or the
search grows too long, those that are most alike are joined first. Sequences are sorted by what they say before anything else,
so that ties fall the same way in whatever order they come.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from heapq import heappop, heappush
from itertools import combinations, count, product
from typing import Generic, TypeVar

T = TypeVar("T")

#: What a pair pays where one has a part and the other none. Two parts that replace each other cost less than two left alone.
GAP = 3

#: So many pairs of parts are weighed for two sequences; longer stretches that differ throughout are paired in their order.
LIMIT = 90_000

#: So many different sequences are aligned at once, in so many states at most.
TOGETHER = 5
STATES = 5_000

Column = dict[int, int]
Price = Callable[[T, T], int | None]
State = tuple[int, ...]


@dataclass(frozen=True)
class _Track(Generic[T]):
    """Sequences aligned with each other, or a single one: their columns, their parts, and how often each sequence counts."""

    columns: list[Column]
    parts: dict[int, Sequence[T]]
    weights: dict[int, int]


def align(sequences: Sequence[Sequence[T]], meaning: Callable[[T], str], price: Price[T]) -> list[Column]:
    """Columns from left to right, each with the place that a sequence (by its number) has in it.

    `price(one, other)` is what it costs to put two parts into one column: 0 if they are alike, None if that cannot be. Parts
    that cost more than two gaps meet only where a third stands between them.
    """
    same: dict[tuple[str, ...], list[int]] = {}
    for number, parts in enumerate(sequences):
        same.setdefault(tuple(map(meaning, parts)), []).append(number)
    groups = {same[text][0]: same[text] for text in sorted(same)}
    tracks = [
        _Track([{who: place} for place in range(len(sequences[who]))], {who: sequences[who]}, {who: len(group)})
        for who, group in groups.items()
    ]

    @cache
    def apart(one: int, other: int) -> tuple[bool, float]:
        return _apart(known[one], known[other], price)

    known, left = dict(enumerate(tracks)), [*range(len(tracks))]
    while len(left) > 1:
        near = left
        if len(left) > TOGETHER:
            middle = min(
                left, key=lambda one: [sum(far) for far in zip(*(apart(*sorted((one, other))) for other in left), strict=True)]
            )
            near = sorted(left, key=lambda other: (other != middle, apart(*sorted((middle, other)))))[:TOGETHER]
        joined = _together([known[one] for one in near], price)
        if joined is None:
            near = [*min(combinations(left, 2), key=lambda pair: apart(*pair))]
            joined = _together([known[one] for one in near], price)
            assert joined is not None
        left = [*(one for one in left if one not in near), len(known)]
        known[len(known)] = joined
    columns = known[left[0]].columns if left else []
    return [{who: place for first, place in column.items() for who in groups[first]} for column in columns]


def _together(tracks: Sequence[_Track[T]], price: Price[T]) -> _Track[T] | None:
    """Some tracks as one, in the best alignment; None if that is too long to be found, which of two it never is."""
    head, tail = _ends(tracks, price)
    inner = [replace(track, columns=track.columns[head : len(track.columns) - tail]) for track in tracks]
    if all(len(one.columns) * len(other.columns) <= LIMIT for one, other in combinations(inner, 2)):
        between = _cheapest(inner, price)
    else:
        between = _in_order(inner, price) if len(tracks) == 2 else None
    if between is None:
        return None
    before = [[track.columns[place] for track in tracks] for place in range(head)]
    after = [[track.columns[-back] for track in tracks] for back in range(tail, 0, -1)]
    return _Track(
        [{who: place for column in columns for who, place in column.items()} for columns in (*before, *between, *after)],
        {who: parts for track in tracks for who, parts in track.parts.items()},
        {who: weight for track in tracks for who, weight in track.weights.items()},
    )


def _ends(tracks: Sequence[_Track[T]], price: Price[T]) -> tuple[int, int]:
    """How many columns in front, and how many at the end, are alike in all sequences: they belong together in any case."""
    most = min(len(track.columns) for track in tracks)

    def differ(place: int) -> bool:
        held = [track.parts[who][at] for track in tracks for who, at in track.columns[place].items()]
        whole = len(held) == sum(len(track.parts) for track in tracks)
        return not whole or any(price(held[0], part) != 0 for part in held[1:])

    head = next((place for place in range(most) if differ(place)), most)
    tail = next((back for back in range(most - head) if differ(-1 - back)), most - head)
    return head, tail


def _apart(one: _Track[T], other: _Track[T], price: Price[T]) -> tuple[bool, float]:
    """How far two tracks are from each other: what a pair of their sequences pays at least, on average."""
    if len(one.columns) * len(other.columns) > LIMIT:
        return True, abs(len(one.columns) - len(other.columns))
    pairs = sum(one.weights.values()) * sum(other.weights.values())
    return False, _least(one, other, price)[0][0] / pairs


def _meeting(one: _Track[T], other: _Track[T], a: int, b: int, price: Price[T]) -> int | None:
    """What the sequences of two tracks pay each other where two columns become one; None if that cannot be."""
    paid = 0
    for who, weight in one.weights.items():
        for whom, times in other.weights.items():
            mine, theirs = one.columns[a].get(who), other.columns[b].get(whom)
            if mine is not None and theirs is not None:
                cost = price(one.parts[who][mine], other.parts[whom][theirs])
                if cost is None:
                    return None
                paid += cost * weight * times
            elif mine is not None or theirs is not None:
                paid += GAP * weight * times
    return paid


def _alone(one: _Track[T], other: _Track[T], a: int) -> int:
    """What they pay where the other has nothing beside a column of the one."""
    return GAP * sum(one.weights[who] for who in one.columns[a]) * sum(other.weights.values())


def _least(one: _Track[T], other: _Track[T], price: Price[T]) -> list[list[int]]:
    """What two tracks pay each other at least, from each column of the one and each of the other on."""
    high, wide = len(one.columns), len(other.columns)
    down = [_alone(one, other, i) for i in range(high)]
    along = [_alone(other, one, j) for j in range(wide)]
    rest = [[0] * (wide + 1) for _ in range(high + 1)]
    for i in range(high, -1, -1):
        for j in range(wide, -1, -1):
            costs = []
            if i < high:
                costs.append(rest[i + 1][j] + down[i])
            if j < wide:
                costs.append(rest[i][j + 1] + along[j])
            if i < high and j < wide and (met := _meeting(one, other, i, j, price)) is not None:
                costs.append(rest[i + 1][j + 1] + met)
            rest[i][j] = min(costs, default=0)
    return rest


def _cheapest(tracks: Sequence[_Track[T]], price: Price[T]) -> list[list[Column]] | None:
    """The columns that become one, in the cheapest alignment; None if three or more tracks take more than `STATES` states."""
    pairs = [(a, b, _least(tracks[a], tracks[b], price)) for a, b in combinations(range(len(tracks)), 2)]
    steps = sorted((step for step in product((0, 1), repeat=len(tracks)) if any(step)), key=sum, reverse=True)
    end = tuple(len(track.columns) for track in tracks)

    @cache
    def met(a: int, b: int, i: int, j: int) -> int | None:
        return _meeting(tracks[a], tracks[b], i, j, price)

    def paid(state: State, step: State) -> int | None:
        total = 0
        for a, b, _ in pairs:
            if step[a] and step[b]:
                cost = met(a, b, state[a], state[b])
                if cost is None:
                    return None
                total += cost
            elif step[a] or step[b]:
                one, other = (a, b) if step[a] else (b, a)
                total += _alone(tracks[one], tracks[other], state[one])
        return total

    def left(state: State) -> int:
        return sum(table[state[a]][state[b]] for a, b, table in pairs)

    start, serial = (0,) * len(tracks), count()
    known, came, done = {start: 0}, dict[State, State](), set[State]()
    heap = [(left(start), 0, next(serial), start)]
    while heap[0][-1] != end:
        state = heappop(heap)[-1]
        if state in done:
            continue
        done.add(state)
        if len(tracks) > 2 and len(done) > STATES:
            return None
        for step in steps:
            to = tuple(map(sum, zip(state, step, strict=True)))
            cost = paid(state, step) if all(place <= last for place, last in zip(to, end, strict=True)) else None
            if cost is not None and known[state] + cost < known.get(to, known[state] + cost + 1):
                known[to], came[to] = known[state] + cost, state
                heappush(heap, (known[to] + left(to), left(to), next(serial), to))
    way, state = [], end
    while state != start:
        way.append([track.columns[was] for track, was, now in zip(tracks, came[state], state, strict=True) if now > was])
        state = came[state]
    return way[::-1]


def _in_order(tracks: Sequence[_Track[T]], price: Price[T]) -> list[list[Column]]:
    """The columns of two tracks paired in their order, as far as they can be."""
    one, other = tracks
    rows: list[list[Column]] = []
    for place in range(max(len(one.columns), len(other.columns))):
        there = [track.columns[place] for track in tracks if place < len(track.columns)]
        if len(there) == 2 and _meeting(one, other, place, place, price) is None:
            rows += [[column] for column in there]
        else:
            rows.append(there)
    return rows
