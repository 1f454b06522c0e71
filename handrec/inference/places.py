"""Unseen cards and the places where they lie: can they be there at all, how, and in how many ways?

Every question about a public record comes down to this one: some cards, some places of fixed sizes, and for each place
the cards that it may hold. It is decided exactly, by a flow between classes of cards and places; where nothing fits,
the flow leaves cards that have too few places (Hall's condition), and that is the proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from math import comb, factorial, prod
from typing import NamedTuple

from handrec.cards import bits


class Place(NamedTuple):
    """A place for unseen cards: its name, how many lie there, and a mask of those it may hold."""

    name: str
    size: int
    takes: int


class HallViolator(NamedTuple):
    """Why nothing fits: these cards have only these places, and they are too many for them (or too few places are left)."""

    cards: int
    places: tuple[str, ...]


class Layout:
    """Cards, and places of exactly as many cards in all; a deal of the cards over the places is a completion."""

    def __init__(self, cards: int, places: Sequence[Place]) -> None:
        self.cards = cards
        self.places = [place for place in places if place.size]
        self.short = sum(place.size for place in self.places) != cards.bit_count() or any(place.size < 0 for place in places)

    @cached_property
    def bound(self) -> list[Place]:
        """The places that may not hold every card."""
        return [place for place in self.places if self.cards & ~place.takes]

    @cached_property
    def feasible(self) -> bool:
        """Whether there is any completion."""
        if self.short:
            return False
        if len(self.bound) < 2:
            return all(place.size <= (self.cards & place.takes).bit_count() for place in self.bound)
        return self.violator is None

    @property
    def violator(self) -> HallViolator | None:
        """The cards for which there are too few places, None if there is a completion; none named if only sizes differ."""
        return HallViolator(0, ()) if self.short else self._flow[1]

    @cached_property
    def classes(self) -> list[int]:
        """The cards in classes that the same places may hold."""
        classes = [self.cards]
        for takes in {place.takes for place in self.bound}:
            classes = [part for one in classes for part in (one & takes, one & ~takes) if part]
        return sorted(classes)

    @cached_property
    def _flow(self) -> tuple[list[list[int]], HallViolator | None]:
        """How many cards of each class lie in each place, and a Hall violator if not all of them find one."""
        places, classes = self.places, self.classes
        homes = [[spot for spot, place in enumerate(places) if not one & ~place.takes] for one in classes]
        room = [place.size for place in places]
        lies = [[0] * len(places) for _ in classes]
        for row, one in sorted(enumerate(classes), key=lambda pair: len(homes[pair[0]])):
            left = one.bit_count()
            while left:
                path = _path(row, homes, lies, room)
                if isinstance(path, set):
                    cards = sum(one for row, one in enumerate(classes) if row in path)
                    taken = {spot for row in path for spot in homes[row]}
                    return lies, HallViolator(cards, tuple(place.name for spot, place in enumerate(places) if spot in taken))
                many = min(left, room[path[-1][1]], *(lies[other][spot] for other, spot in _moved(path)))
                for (other, _), (_, spot) in zip(path[1:], path[:-1], strict=True):
                    lies[other][spot] -= many
                for other, spot in path:
                    lies[other][spot] += many
                room[path[-1][1]] -= many
                left -= many
        return lies, None

    def completion(self) -> dict[str, int]:
        """One completion: the mask of each place's cards, by its name; the places of one name together."""
        found = {place.name: 0 for place in self.places}
        for one, row in zip(self.classes, self._flow[0], strict=True):
            cards = [1 << card for card in bits(one)]
            for place, many in zip(self.places, row, strict=True):
                found[place.name] |= sum(cards[:many])
                del cards[:many]
        return found

    def with_card(self, one: int, spot: int) -> Layout:
        """What is left when a card lies in place number `spot`."""
        place = self.places[spot]
        rest = [*self.places[:spot], Place(place.name, place.size - 1, place.takes), *self.places[spot + 1 :]]
        return Layout(self.cards & ~one, rest)

    def holders(self) -> dict[int, tuple[str, ...]]:
        """For each class of cards the places that can hold one of them in some completion."""
        found = {}
        for one in self.classes:
            card = one & -one
            spots = [spot for spot, place in enumerate(self.places) if place.takes & card]
            found[one] = tuple(dict.fromkeys(self.places[spot].name for spot in spots if self.with_card(card, spot).feasible))
        return found

    def count(self) -> int:
        """The number of completions, exactly: how many ways the cards can lie, whatever their order in a place."""
        if not self.feasible:
            return 0
        bound, classes = self.bound, self.classes
        free = [place.size for place in self.places if not self.cards & ~place.takes]
        inside = factorial(sum(free)) // prod(map(factorial, free))
        by_class = prod(place.size + 1 for place in bound) <= prod(one.bit_count() + 1 for one in classes)
        return inside * (_by_class if by_class else _by_place)(classes, bound, sum(free))


def _path(row: int, homes: list[list[int]], lies: list[list[int]], room: list[int]) -> list[tuple[int, int]] | set[int]:
    """How a card of a class finds a place, moving others on: (class, place) in turn; or the classes that have too few."""
    came: dict[int, tuple[int, int] | None] = {row: None}  # class: the class and place by which it was reached
    seen: set[int] = set()
    queue = [row]
    for one in queue:
        for spot in homes[one]:
            if spot in seen:
                continue
            seen.add(spot)
            if room[spot]:
                path, step = [(one, spot)], came[one]
                while step is not None:
                    path.insert(0, step)
                    step = came[step[0]]
                return path
            for other, there in enumerate(lies):
                if there[spot] and other not in came:
                    came[other] = (one, spot)
                    queue.append(other)
    return set(came)


def _moved(path: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The class that makes way in each place of a path but the last."""
    return [(other, spot) for (other, _), (_, spot) in zip(path[1:], path[:-1], strict=True)]


def _by_class(classes: list[int], bound: list[Place], free: int) -> int:
    """Ways to lie, a class of cards at a time; what is kept is the room left in the bound places."""
    ways: dict[tuple[int, ...], int] = {tuple(place.size for place in bound): 1}
    for one in classes:
        many = one.bit_count()
        spread = Counter({(room, many): number for room, number in ways.items()})
        for spot, place in enumerate(bound):
            if one & ~place.takes:
                continue
            step: Counter[tuple[tuple[int, ...], int]] = Counter()
            for (room, left), number in spread.items():
                for put in range(min(left, room[spot]) + 1):
                    step[(*room[:spot], room[spot] - put, *room[spot + 1 :]), left - put] += number * comb(left, put)
            spread = step
        ways = Counter()
        for (room, left), number in spread.items():
            if left <= free:
                ways[room] += number
    return ways.get((0,) * len(bound), 0)


def _by_place(classes: list[int], bound: list[Place], free: int) -> int:
    """Ways to lie, a bound place at a time; what is kept is how many cards of each class are left."""
    ways: dict[tuple[int, ...], int] = {tuple(one.bit_count() for one in classes): 1}
    for place in bound:
        spread = Counter({(left, place.size): number for left, number in ways.items()})
        for row, one in enumerate(classes):
            if one & ~place.takes:
                continue
            step: Counter[tuple[tuple[int, ...], int]] = Counter()
            for (left, room), number in spread.items():
                for put in range(min(room, left[row]) + 1):
                    step[(*left[:row], left[row] - put, *left[row + 1 :]), room - put] += number * comb(left[row], put)
            spread = step
        ways = Counter({left: number for (left, room), number in spread.items() if not room})
    return sum(number for left, number in ways.items() if sum(left) == free)
