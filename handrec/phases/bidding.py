"""An auction of contract bridge as far as it has come, by Laws 17 to 39: what stands, whose turn it is, and what was wrong.

What a wrong call comes to hangs on who calls next. If the offender does, the call was mended and is as if it had not been made;
if the player to the left does, a call out of turn (29A), an insufficient bid (27A), or one by who had to pass (37A), stands. So
each call is taken together with those that follow it.

A call nobody knows (`?`) may have been a pass or no pass: passes are counted twice, as few and as many as there may have been.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from handrec.phases.contracts import Outcome

STRAINS = ("C", "D", "H", "S", "NT")
PASS, DOUBLE, REDOUBLE, UNKNOWN = "pass", "X", "XX", "?"
LEVELS = 7
SEATS = 4

#: All calls that there are.
CALLS = (PASS, DOUBLE, REDOUBLE, *(f"{level}{strain}" for level in range(1, LEVELS + 1) for strain in STRAINS))

#: The bids in order, and the place of each.
BIDS = CALLS[3:]
RANK = {bid: rank for rank, bid in enumerate(BIDS)}

#: What may be wrong with a call, by the code of its rule.
TURN, VALUE, LATE, LOW, HIGH, BARRED = "BID001", "BID002", "BID016", "BID023", "BID026", "BID027"
WRONG_DOUBLE, WRONG_REDOUBLE = "BID024", "BID025"

_CONTRACT = re.compile(r"([1-7])(C|D|H|S|NT?)(|x|xx|X|XX)")
_BID = re.compile(r"(0|[1-9][0-9]{0,2})(C|D|H|S|NT)")

#: A call: the place of its seat from 0, and what it says.
SeatCall = tuple[int, Any]


@lru_cache(1000)
def level_and_strain(call: str) -> tuple[int, int] | None:
    """The level of a bid, and its strain from 0 for clubs; None if it is no bid."""
    match = _BID.fullmatch(call)
    return None if match is None else (int(match[1]), STRAINS.index(match[2]))


@lru_cache(1000)
def stated_outcome(contract: str) -> Outcome | None:
    """What a contract such as `4Hx` states, or `pass`; None if it does not state a level."""
    if contract == PASS:
        return Outcome(0)
    match = _CONTRACT.fullmatch(contract)
    return None if match is None else Outcome(int(match[1]), {"N": "NT"}.get(match[2], match[2]), len(match[3]))


def written(outcome: Outcome) -> str:
    """A contract as a record has it, such as `4Sx`."""
    return f"{outcome.level}{outcome.strain}{'x' * outcome.risk}" if outcome.level else PASS


class AuctionState:
    """An auction as far as it has come; places of seats are clockwise from 0, sides 0 and 1."""

    def __init__(self, turn: int | None) -> None:
        self.turn = turn  # None: not known, so that whoever calls first began
        self.best: tuple[int, int] | None = None  # the last bid that is known
        self.owner = -1  # who made it
        self.risk = 0  # 1 doubled, 2 redoubled
        self.undoubled: int | None = None  # the side whose double of the last bid is as if not made
        self.named: dict[tuple[int, int], int | None] = {}  # who named a strain first, by strain and side; None: not known
        self.passes = self.most = 0  # passes in a row, as few and as many as there may have been
        self.hidden: frozenset[int] = frozenset()  # seats that made calls that are not known,
        self.fog = False  # one of them since the last bid
        self.missed: tuple[Any, ...] | None = None  # what stood before the first pass of these that was out of turn
        self.reverted = False  # three passes of which one was out of turn have not ended it
        self.barred: frozenset[int] = frozenset()  # seats that must pass
        self.mended: SeatCall | None = None  # who calls again, and what was wrong
        self.reverts: tuple[int, AuctionState] | None = None  # who doubled wrongly, and what stood then
        self.exchanged: SeatCall | None = None  # a call that stands before the one in whose place it was made
        self.over = self.cancelled = False
        self.hanging = False  # the last call was at fault

    def copy(self) -> AuctionState:
        """Another one just like it, which goes its own way."""
        other = AuctionState.__new__(AuctionState)
        vars(other).update(vars(self), named=dict(self.named))
        return other

    @property
    def may_be_over(self) -> bool:
        """Whether nothing is known to be missing."""
        return self.over or self.cancelled or self.reverted or self.hanging or self.most >= (3 if self.best else 4)

    def outcome(self) -> Outcome | None:
        """What it has come to so far; None if that is not known, or nothing."""
        if self.fog or (self.cancelled and not self.over):
            return None
        if self.best is None:
            return Outcome(0) if self.over and not self.hidden else None
        level, strain = self.best
        return Outcome(level, STRAINS[strain], self.risk, self.named[strain, self.owner % 2])

    def wrong(self, seat: int, call: Any) -> str | None:
        """What is wrong with a call of the seat in turn, by the code of the rule it breaks; None if nothing is."""
        bid = level_and_strain(str(call))
        if call in (PASS, UNKNOWN):
            return None
        if call not in (DOUBLE, REDOUBLE) and (bid is None or not bid[0]):
            return VALUE
        if bid is not None and bid[0] > LEVELS:
            return HIGH
        if seat in self.barred:
            return BARRED
        if bid is not None:
            return LOW if self.best is not None and bid <= self.best else None
        if self.fog:
            return None
        if call == DOUBLE:
            return None if self._doubles(seat) else WRONG_DOUBLE
        void = self.undoubled is not None and self.undoubled != seat % 2  # of a double that was not made: no new fault
        return None if void or self._redoubles(seat) else WRONG_REDOUBLE

    def _doubles(self, seat: int) -> bool:
        """Law 19A: an opponent's last bid, not doubled yet."""
        return self.best is not None and self.owner % 2 != seat % 2 and self.risk == 0

    def _redoubles(self, seat: int) -> bool:
        """Law 19B: the own side's last bid, doubled by an opponent."""
        return self.best is not None and self.owner % 2 == seat % 2 and self.risk == 1

    def take(self, seat: int, call: Any, after: Sequence[int], led: bool) -> str | None:
        """Take a call; returns what is wrong with it.

        `after` are the seats of the calls that follow, two at most, `led` whether a card was led in the end.
        """
        if self.reverts is not None and seat == self.reverts[0] and self.exchanged is None:
            if seat != self.turn:
                vars(self).update(vars(self.reverts[1]))  # 36A
            self.reverts = None
        if self.cancelled:
            self.turn = (seat + 1) % SEATS
            return None
        mended, self.mended, self.reverted = self.mended, None, False
        if self.over:
            self.cancelled, self.reverts = True, None
            return LATE
        if self.turn is None:
            self.turn = seat
        before, self.exchanged = self.exchanged, None
        if before is not None:
            after = (before[0], *after)
        if seat != self.turn:
            self._out_of_turn(seat, call, after, led)
            wrong: str | None = TURN
        else:
            if mended is not None and mended[0] == seat:
                self.barred |= _barred_by(seat, mended[1], call)
            wrong = self._in_turn(seat, call, after, led)
        self.hanging = wrong is not None
        if before is not None and not (self.cancelled or self.over):
            self._stand(*before, self.wrong(*before), led)
        return wrong

    def _out_of_turn(self, seat: int, call: Any, after: Sequence[int], led: bool) -> None:
        """A call by another seat than the one in turn."""
        due, following = self.turn or 0, after[0] if after else None
        named = following == (due + 1) % SEATS if after else self._ends(call)
        if named:  # it is the name that is wrong: the next seat goes on
            self._stand(due, call, self.wrong(due, call), led)
        elif seat == (due + 1) % SEATS and tuple(after) in ((due,), (due, (due + 2) % SEATS)):
            self.exchanged = seat, call
        elif following == (seat + 1) % SEATS != due:  # 29A
            if call == PASS and self.missed is None:
                self.missed = due, self.passes, self.most, self.hidden, self.fog
            self.most += (seat - due) % SEATS if call == PASS else 0  # who was passed over may have passed
            self._stand(seat, call, self.wrong(seat, call), led)

    def _in_turn(self, seat: int, call: Any, after: Sequence[int], led: bool) -> str | None:
        """A call of the seat in turn: it stands, or is mended at once by the same seat, or is accepted or cancelled."""
        wrong, following = self.wrong(seat, call), after[0] if after else None
        if wrong is not None and following in (seat, None):
            self.mended = seat, wrong
        elif wrong in (LOW, BARRED) and following != (seat + 1) % SEATS:
            if wrong == BARRED:
                self._put(seat, PASS)  # 37B
        else:
            stood = self.copy() if wrong in (WRONG_DOUBLE, WRONG_REDOUBLE) else None
            self._stand(seat, call, wrong, led)
            self.reverts = (seat, stood) if stood is not None else self.reverts
        return wrong

    def _stand(self, seat: int, call: Any, wrong: str | None, led: bool) -> None:
        """Let a call stand as far as the Laws do."""
        if wrong == HIGH or (wrong in (WRONG_DOUBLE, WRONG_REDOUBLE) and not led):
            self.cancelled, self.turn = True, (seat + 1) % SEATS  # 38B, 36A
        elif wrong in (WRONG_DOUBLE, WRONG_REDOUBLE):
            self.undoubled = seat % 2 if wrong == WRONG_DOUBLE else self.undoubled
            self._idle(seat)  # 36C
        else:
            most = self.most + 1 if wrong == LOW else 0  # it may be a pass that is miswritten
            self._put(seat, UNKNOWN if wrong == VALUE else call)
            self.most = max(self.most, most)

    def _put(self, seat: int, call: Any) -> None:
        """Let a call stand as it was made."""
        self.turn = (seat + 1) % SEATS
        if call == PASS:
            self.passes, self.most = self.passes + 1, self.most + 1
            self._end()
            return
        if call == UNKNOWN:
            self.hidden, self.fog = self.hidden | {seat}, True
            self._idle(seat)
            return
        bid = level_and_strain(call)
        if bid is None and not self.fog and not (self._doubles if call == DOUBLE else self._redoubles)(seat):
            self._idle(seat)
            return
        self.passes, self.most, self.missed = 0, 0, None
        if bid is not None:
            self.best, self.owner, self.risk, self.undoubled, self.fog = bid, seat, 0, None, False
            self.named.setdefault((bid[1], seat % 2), None if (seat + 2) % SEATS in self.hidden else seat)
        elif not self.fog:
            self.risk += 1

    def _idle(self, seat: int) -> None:
        """A call that may count as a pass, or as none: nobody knows it, or it is as if it had not been made."""
        self.passes, self.most, self.turn = 0, self.most + 1, (seat + 1) % SEATS

    def _end(self) -> None:
        """Law 22: three passes in a row after a bid end it, or four; 17D3: none of them out of turn."""
        if self.passes < (3 if self.best or self.hidden else 4):
            return
        if self.missed is None:
            self.over = True
        else:
            (self.turn, self.passes, self.most, self.hidden, self.fog), self.missed, self.reverted = self.missed, None, True

    def _ends(self, call: Any) -> bool:
        """Whether a call of the seat in turn is the last."""
        return call == PASS and self.passes + 1 >= (3 if self.best or self.hidden else 4) and self.missed is None


def _barred_by(seat: int, wrong: str, call: Any) -> frozenset[int]:
    """Who must pass from now on, when a seat has put another call in place of a wrong one.

    Whether a bid or a double in place of an insufficient bid means as much as that did, which bars nobody, no record tells. What
    stands in place of a bid above seven, and is no pass, puts right a slip of the pen: nobody bids that at a table.
    """
    partner = (seat + 2) % SEATS
    if wrong in (WRONG_DOUBLE, WRONG_REDOUBLE):
        return frozenset((partner,))  # 36B2
    by_pass = {LOW: (partner,), HIGH: (seat, partner)}  # 27B2, 38B
    return frozenset(by_pass.get(wrong, ()) if call == PASS else ())


@lru_cache(10_000)
def came_to(calls: tuple[Any, ...]) -> Outcome | None:
    """What calls came to, the dealer's first, and declarer in places from there.

    None if anything is wrong, missing or not known. It tells only right auctions, but of many; `AuctionState` follows every law.
    """
    best, owner, risk, passes, named = -1, 0, 0, 0, dict[tuple[int, int], int]()
    for place, call in enumerate(calls):
        if passes >= (SEATS - 1 if best >= 0 else SEATS):
            return None
        if call == PASS:
            passes += 1
            continue
        rank = RANK.get(call, -1)
        if rank > best:
            best, owner, risk = rank, place, 0
            named.setdefault((rank % len(STRAINS), place % 2), place % SEATS)
        elif (call, risk, (place - owner) % 2) in ((DOUBLE, 0, 1), (REDOUBLE, 1, 0)) and best >= 0:
            risk += 1
        else:
            return None
        passes = 0
    if passes < (SEATS - 1 if best >= 0 else SEATS):
        return None
    if best < 0:
        return Outcome(0)
    level, strain = divmod(best, len(STRAINS))
    return Outcome(level + 1, STRAINS[strain], risk, named[strain, owner % 2])


def right_up_to(calls: Sequence[Any]) -> int:
    """How many calls in turn, the dealer's first, are right and known before one is not."""
    state = AuctionState(0)
    for place, call in enumerate(calls):
        seat = place % SEATS
        if state.over or call == UNKNOWN or state.take(seat, call, (), False) is not None:
            return place
    return len(calls)
