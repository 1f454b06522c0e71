"""The play of many deals by machine code: the same rule functions, compiled by numba, and the loop over plays around them.

Only what the fast path needs: who won, whether all was legal, whether turns were kept. What it flags is played again by
`Player`, which names the fault. Games in which a seat is no player's are left to `Player` altogether.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from handrec import masks
from handrec.bulk.columns import NONE, Array, Columns
from handrec.bulk.orders import ROOM
from handrec.bulk.play import Played, Player

#: What a rule sees; numbers all, so that `~` means the same for truth values as on masks.
View = namedtuple("View", ("hand", "lead", "led", "rising", "trumps", "leading", "broken", "first"))


def _highest(mask: Any) -> Any:
    for shift in (1, 2, 4, 8, 16, 32):
        mask = mask | mask >> shift
    return mask ^ mask >> 1


def _count(mask: Any) -> Any:
    many = 0
    while mask:
        mask &= mask - 1
        many += 1
    return many


#: The words of `masks` for one machine number; the rules themselves need no other text.
WORDS: dict[Callable[..., Any], Callable[..., Any]] = {
    masks.pick: lambda condition, yes, no: yes if condition != 0 else no,
    masks.prefer: lambda these, those: these if these != 0 else those,
    masks.when: lambda condition, narrowed, legal: narrowed if condition != 0 else legal,
    masks.highest: _highest,
    masks.count: _count,
}


@cache
def _njit() -> Callable[..., Any]:
    """Numba's compiler, taught the words."""
    from numba import njit
    from numba.extending import overload

    for word, meaning in WORDS.items():
        overload(word, strict=False)(_always(meaning))
    compiler: Callable[..., Any] = njit
    return compiler


def _always(meaning: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *types: meaning


def _all_of(rules: tuple[Callable[..., Any], ...], njit: Callable[..., Any]) -> Callable[..., Any]:
    """The rules one after the other, as one function."""
    if not rules:
        nothing: Callable[..., Any] = njit(lambda view, legal: legal)
        return nothing
    first, rest = njit(rules[0]), _all_of(rules[1:], njit)
    chained: Callable[..., Any] = njit(lambda view, legal: rest(view, first(view, legal)))
    return chained


@cache
def loop(rules: tuple[Callable[..., Any], ...], free_lead: bool, seats: int, one_order: bool) -> Callable[..., None]:
    """The loop over deals and plays for these rules; with `one_order` each deal has the same one throughout."""
    njit = _njit()
    narrow, one, none = _all_of(rules, njit), np.int64(1), np.int64(0)

    def play(
        plays: Array,
        hands: Array,
        leaders: Array,
        leader: Array,
        look: Array,
        done: Array,
        suit: Array,
        beats: Array,
        trumps: Array,
        winners: Array,
        tricks: Array,
        astray: Array,
        illegal: Array,
        tidy: Array,
    ) -> None:
        for deal in range(len(plays)):
            lead, broken, gone, bad = leader[deal], none, none, False
            held = twice = none
            for seat in range(seats):
                twice |= held & hands[deal, seat]
                held |= hands[deal, seat]
            for trick in range(leaders.shape[1]):
                said = leaders[deal, trick]
                astray[deal] |= said != NONE and said != lead
                moment = 0 if one_order else trick
                known, end = look[moment, deal], done[moment, deal]
                base, decided, own = known * ROOM, end * ROOM, trumps[known]
                led_by = led = rising = taking = cards = none
                winner = seat = lead
                for spot in range(seats):
                    card = np.int64(plays[deal, trick * seats + spot])
                    bit = one << card
                    hand = hands[deal, seat] & ~gone
                    legal = hand
                    if spot or not free_lead:
                        leads, first = np.int64(spot == 0), np.int64(trick == 0)
                        legal = narrow(View(hand, led_by, led, rising, own, leads, broken, first), hand)
                    bad |= legal & bit == 0
                    if spot == 0:
                        led_by, led, rising = bit, suit[base + card], beats[base + card]
                        taking = rising if one_order else beats[decided + card]
                    elif one_order:
                        if rising & bit:
                            rising, winner = beats[base + card], seat
                    else:
                        if rising & bit:
                            rising = beats[base + card]
                        if taking & bit:
                            taking, winner = beats[decided + card], seat
                    cards |= bit
                    seat = seat + 1 if seat + 1 < seats else 0
                gone |= cards
                if trumps[end] & cards:
                    broken = one
                winners[deal, trick] = lead = winner
                tricks[deal, winner] += 1
            illegal[deal] = bad
            tidy[deal] = twice == 0 and held == gone

    compiled: Callable[..., None] = njit(play, nogil=True)
    return compiled


class Compiled(Player):
    """Plays deals of a shape in which everybody plays clockwise to every trick."""

    def play(self, deals: Columns, naming: bool = False, taking: bool = False) -> Played:
        """Play all deals to the end; what is wrong is found, and not named."""
        shape, out = self.shape, self.start(deals)
        first = self._order(0, False)[0]
        asked = range(shape.size if self.orders.may_vary else 1)
        moments = [[self._order(trick, done)[0] for trick in asked] for done in (False, True)]
        one_order = all(number is first for some in moments for number in some)
        look, after = (first[None], first[None]) if one_order else map(np.stack, moments)
        tables = self.orders.table()
        leader = self._first_leader(deals.leaders[:, 0])
        given = deals.plays, deals.hands, deals.leaders, leader, look, after, tables.suit, tables.beats, tables.trumps
        run = loop(tuple(self.rules), self.free_lead, shape.seats, one_order)
        winners, tricks = np.empty((len(deals), shape.size), np.uint8), np.zeros((len(deals), shape.seats), np.int16)
        out.tidy = np.empty(len(deals), bool)
        run(*map(np.ascontiguousarray, given), winners, tricks, out.astray, out.illegal, out.tidy)
        out.winners, out.tricks = winners.T, tricks.T
        return out
