"""The play of many deals by machine code: the same rule functions, compiled by numba, and the loop over plays around them.

Only what the fast path needs: who won, and whether anything at all is wrong with hands, leads, plays or claims. Where
something is, the sieve judges the deal anew, and names it.
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
from handrec.bulk.play import SIGN, Player, first_leader

#: Columns of which no number is trusted.
CHECKED = frozenset({"hands", "plays", "leaders", "said_winners", "said_tricks"})

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


def _choose(card: Any, yes: Any, no: Any) -> Any:
    """`yes` if there is a card, else `no`: by bits, as which it is cannot be foreseen, and a branch guessed wrong costs more."""
    return no ^ (no ^ yes) & -card >> SIGN


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
def player(rules: tuple[Callable[..., Any], ...], free_lead: bool, seats: int, one_order: bool) -> Callable[..., None]:
    """The loop over deals and plays for these rules; with `one_order` each deal has the same one throughout.

    It finds `winners` (n, T), `tricks` (n, S), and whether a deal is `fine` (n,): who leads first is known, all cards held,
    each by one seat, are those that could be played when they were, and nothing else is claimed. A number that is no card
    stands for another one until the deal is found not to be fine.
    """
    njit = _njit()
    narrow, due, count, choose = _all_of(rules, njit), njit(first_leader), njit(_count), njit(_choose)
    one, none, last = map(np.int64, (1, 0, ROOM - 1))

    def play(given: tuple[Array, ...], known: tuple[Array, ...], full: int, found: tuple[Array, ...]) -> None:
        plays, hands, leaders, leader, dealer, declarer, said_winners, said_tricks = given
        leads, look, done, suit, beats, trumps = known
        winners, tricks, fine = found
        for deal in range(len(plays)):
            held = twice = gone = legally = broken = most = none
            for each in range(seats):
                twice |= held & hands[deal, each]
                held |= hands[deal, each]
                tricks[deal, each] = 0
            lead = np.int64(due(leads[dealer[deal] + 1, declarer[deal] + 1], leader[deal], leaders[deal, 0]))
            sure = (lead < seats) & ((leader[deal] < 0) | (leader[deal] == lead))
            lead %= seats
            for trick in range(winners.shape[1]):
                moment = 0 if one_order else trick
                sure &= (leaders[deal, trick] == lead) | (leaders[deal, trick] == NONE)
                sure &= (look[moment, deal] >= 0) & (done[moment, deal] >= 0)
                order = max(look[moment, deal], none)
                end = order if one_order else max(done[moment, deal], none)
                base, decided, before = order * ROOM, end * ROOM, gone
                led_by = led = rising = taking = none
                winner = seat = lead
                for spot in range(seats):
                    card = np.int64(plays[deal, trick * seats + spot])
                    most |= card
                    card &= last
                    bit = one << card
                    legal = hand = hands[deal, seat] & ~gone
                    if spot or not free_lead:
                        leading, first = np.int64(spot == 0), np.int64(trick == 0)
                        legal = narrow(View(hand, led_by, led, rising, trumps[order], leading, broken, first), hand)
                    legally |= legal & bit
                    gone |= bit
                    if spot == 0:
                        led_by, led, rising, taking = bit, suit[base + card], beats[base + card], beats[decided + card]
                    else:
                        winner = choose(taking & bit, seat, winner)
                        taking = choose(taking & bit, beats[decided + card], taking)
                        rising = taking if one_order else choose(rising & bit, beats[base + card], rising)
                    seat = (seat + 1) % seats
                if trumps[end] & (gone ^ before):
                    broken = one
                sure &= (said_winners[deal, trick] == winner) | (said_winners[deal, trick] == NONE)
                winners[deal, trick] = lead = winner
                tricks[deal, winner] += 1
            for each in range(seats):
                sure &= (said_tricks[deal, each] == tricks[deal, each]) | (said_tricks[deal, each] < 0)
            whole = (twice == 0) & (held & ~full == 0) & (count(held) == plays.shape[1])
            fine[deal] = sure & whole & (legally == held) & (most <= last)

    compiled: Callable[..., None] = njit(play, nogil=True)
    return compiled


def _rows(*arrays: Array) -> tuple[Array, ...]:
    return tuple(np.ascontiguousarray(array) for array in arrays)


class Compiled(Player):
    """Plays deals of a shape in which everybody plays clockwise to every trick."""

    def fine(self, deals: Columns, winners: Array, tricks: Array) -> Array:
        """Fill in who won (n, T) and how many tricks (n, S); returns in which deals (n,) bool that is certain, and nothing wrong.

        All numbers must be in range but those of the columns CHECKED here.
        """
        shape, first = self.shape, self.orders.of(deals, 1, False)
        asked = range(1, shape.size + 1 if self.orders.may_vary else 2)
        look, done = ([self.orders.of(deals, trick, done) for trick in asked] for done in (False, True))
        one_order = all(number is first for number in (*look, *done))
        moments = [first[None]] * 2 if one_order else [np.stack(some) for some in (look, done)]
        tables, fine = self.orders.table(), np.empty(len(deals), bool)
        seats, claims = (deals.leaders, deals.leader, deals.dealer, deals.declarer), (deals.said_winners, deals.said_tricks)
        known = shape.first_leads, *moments, tables.suit, tables.beats, tables.trumps
        play = player(tuple(self.rules), self.free_lead, shape.seats, one_order)
        play(_rows(deals.plays, deals.hands, *seats, *claims), _rows(*known), np.int64(shape.pack.full), (winners, tricks, fine))
        return fine
