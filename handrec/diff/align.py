"""Which parts of several sequences belong together: alignment, the same in whatever order the sequences are given."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T")

#: What it costs to leave a part without a partner. Two parts that replace each other cost less than two left alone.
GAP = 3

#: How many pairs of parts are weighed; longer stretches that differ throughout are paired in their order.
LIMIT = 90_000

Column = dict[int, int]
Price = Callable[[T, T], int | None]
PlacePair = tuple[int | None, int | None]


def align(sequences: Sequence[Sequence[T]], meaning: Callable[[T], str], price: Price[T]) -> list[Column]:
    """Columns from left to right, each with the place that a sequence (by its number) has in it.

    `price(one, other)` is what it costs to put two parts into one column: 0 if they are alike, None if that cannot be.
    """
    order = sorted(range(len(sequences)), key=lambda number: [meaning(part) for part in sequences[number]])
    columns: list[Column] = []
    members: list[list[T]] = []
    for number in order:
        parts = sequences[number]
        pairs = _paired(members, parts, lambda held, part: _least(price(one, part) for one in held))
        columns = [(columns[i] if i is not None else {}) | ({number: j} if j is not None else {}) for i, j in pairs]
        members = [(members[i] if i is not None else []) + ([parts[j]] if j is not None else []) for i, j in pairs]
    return columns


def _least(prices: Iterable[int | None]) -> int | None:
    return min((price for price in prices if price is not None), default=None)


def _paired(rows: Sequence[list[T]], parts: Sequence[T], price: Callable[[list[T], T], int | None]) -> list[PlacePair]:
    """The cheapest pairing of columns with the parts of one more sequence; both keep their order."""
    most = min(len(rows), len(parts))
    head = tail = 0
    while head < most and price(rows[head], parts[head]) == 0:
        head += 1
    while tail < most - head and price(rows[-1 - tail], parts[-1 - tail]) == 0:
        tail += 1
    before: list[PlacePair] = [(place, place) for place in range(head)]
    after: list[PlacePair] = [(len(rows) - back, len(parts) - back) for back in range(tail, 0, -1)]
    high, wide = len(rows) - head - tail, len(parts) - head - tail

    def of(i: int, j: int) -> int | None:
        return price(rows[head + i], parts[head + j])

    between = _in_order(of, high, wide) if high * wide > LIMIT else _cheapest(of, high, wide)
    return [*before, *((_moved(i, head), _moved(j, head)) for i, j in between), *after]


def _moved(place: int | None, by: int) -> int | None:
    return None if place is None else place + by


def _in_order(of: Callable[[int, int], int | None], high: int, wide: int) -> list[PlacePair]:
    pairs: list[PlacePair] = []
    for place in range(max(high, wide)):
        if place < min(high, wide) and of(place, place) is not None:
            pairs.append((place, place))
        else:
            pairs += [(place, None)] if place < high else []
            pairs += [(None, place)] if place < wide else []
    return pairs


def _cheapest(of: Callable[[int, int], int | None], high: int, wide: int) -> list[PlacePair]:
    best = [[GAP * (high - i + wide - j) for j in range(wide + 1)] for i in range(high + 1)]
    together: dict[tuple[int, int], int] = {}
    for i in range(high - 1, -1, -1):
        for j in range(wide - 1, -1, -1):
            cost = min(best[i + 1][j], best[i][j + 1]) + GAP
            price = of(i, j)
            if price is not None:
                together[i, j] = price + best[i + 1][j + 1]
                cost = min(cost, together[i, j])
            best[i][j] = cost
    pairs: list[PlacePair] = []
    i = j = 0
    while i < high or j < wide:
        if together.get((i, j)) == best[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif i < high and best[i][j] == best[i + 1][j] + GAP:
            pairs.append((i, None))
            i += 1
        else:
            pairs.append((None, j))
            j += 1
    return pairs
