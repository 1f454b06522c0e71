"""Suits of which a seat has no card left, if every act was legal, and what shows it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from handrec.inference.case import STOCK
from handrec.inference.position import Position


class Void(NamedTuple):
    """A seat has no card of a suit (as printed) from a moment on, shown `by` an act, or by counting alone if None."""

    seat: str
    suit: str
    since: int
    by: int | None


def voids(position: Position) -> Iterator[Void]:
    """The suits of which a seat with cards left can have none if every act was legal, though there are some nobody has seen."""
    holders = position.holders() or {}
    for name, owner, size, _, _ in position.hidden:
        if name == STOCK or name != owner or size <= 0 or not holders:
            continue
        for letter in dict.fromkeys(card[1] for card in reversed(position.case.pack.cards)):
            suit = position.case.pack.suit(letter)
            if suit & position.unseen and not suit & position.in_hand(owner) and _void(position, holders, owner, suit):
                act = _proving(position, owner, suit)
                if act is None or position.case.events[act].kind != "play":
                    yield Void(owner, letter, _since(position, owner, suit), act)
                elif _was_known(position, owner, suit, act):
                    yield Void(owner, letter, _since(position, owner, suit), None)
                else:
                    yield Void(owner, letter, act + 1, act)


def _void(position: Position, holders: dict[str, tuple[str, ...]], seat: str, suit: int) -> bool:
    return bool(holders) and not any(seat in holders[card] for card in position.case.names(suit & position.unseen))


def _proving(position: Position, seat: str, suit: int) -> int | None:
    """The first act of a seat that says by itself that it has none of the unseen cards of a suit."""
    left = suit & position.unseen
    for act in position.acts:
        event = position.case.events[act]
        full = (cards for cards, many in position.case.promised(event) if (position.dealt[seat] & cards).bit_count() == many)
        if event.seat == seat and any(not left & ~cards for cards in (event.barred, *full)):
            return act
    return None


def _since(position: Position, seat: str, suit: int) -> int:
    """The first moment from which a void can be told: it stays so, as later cards only leave fewer deals."""
    return bisect_left(range(position.moment), True, key=lambda moment: _was_known(position, seat, suit, moment))


def _was_known(position: Position, seat: str, suit: int, moment: int) -> bool:
    """Whether a void could be told at an earlier moment."""
    earlier = Position(position.case, moment, position.view)
    played_since = suit & position.dealt[seat] & ~earlier.dealt[seat]
    return not played_since and _void(earlier, earlier.holders() or {}, seat, suit & position.unseen)
