"""The state of an auction, and calls that do not fit: out of turn, missing, passed over.

A record that is wrong in one place must not look wrong in ten: before a call is found at fault, it is asked whether one
that is missing before it explains it.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING

from handrec.game.table import Made, Table
from handrec.record import Bid

if TYPE_CHECKING:
    from handrec.game.auction import Auction


@dataclass(frozen=True)
class Call:
    """A call: by which seat, how many tricks, in which mode, with which mark if one is named."""

    seat: int
    value: int
    mode: str
    mark: str
    place: int

    @property
    def token(self) -> str:
        """The call as it is written."""
        return f"{self.value}{self.mode}{self.mark}"


class Calling:
    """An auction as far as it has come."""

    def __init__(self, turn: int | None) -> None:
        self.turn = turn  # None: not known
        self.mode = self.mark = ""
        self.imposer: int | None = None
        self.number = -1  # called by the imposer
        self.sure = True  # who imposed the mode is certain
        self.bids: dict[int, Made] = {}  # what each seat called in the mode
        self.unknown: set[int] = set()  # seats that have called in the mode, nobody knows what
        self.perhaps: set[int] = set()  # seats whose missing call may have been the one that imposed the mode
        self.gap: set[int] = set()  # seats whose calls are missing just before
        self.ahead: set[int] = set()  # seats that called before their turn
        self.before: Calling | None = None  # as it was before a call at fault that imposed a mode
        self.instead: dict[int, tuple[int, Bid]] = {}  # calls written down in each other's place
        self.mended = False  # the seat that called last calls again, for its call was at fault
        self.stated = self.unrecorded = False  # the outcome is stated instead; there are no calls at all
        self.locker: int | None = None
        self.owner: int | None = None  # who had imposed the mode that was locked
        self.owned: set[int] = set()  # who may have
        self.void = False  # a méchoune was made that does not count
        self.answered: int | None = None

    def closed(self, players: int, seat: int | None = None) -> bool:
        """Whether everybody has called in the mode, or will have when this seat has."""
        called = self.bids.keys() | self.unknown | ({seat} if seat is not None else set())
        return len(called) == players and (seat is None or seat not in self.bids)

    def may_have_imposed(self) -> set[int]:
        """The seats that may have imposed the mode."""
        return self.perhaps | ({self.imposer} if self.imposer is not None else set())

    def enter(self, call: Call) -> None:
        """Let a call in the standing mode stand."""
        self.mark = self.mark or call.mark
        self.bids[call.seat] = Made(f"{call.value}{self.mode}{self.mark}", "number", call.value, call.place)
        self.unknown.discard(call.seat)

    def put(self, call: Call, imposes: bool, faulty: bool) -> None:
        """Let a call stand; one that imposes a mode cancels all before it."""
        if imposes:
            self.before = None
            self.before = deepcopy(self) if faulty else None
            self.sure, self.perhaps, self.unknown, self.ahead = not self.gap, set(self.gap), set(), set()
            self.mode, self.mark, self.bids = call.mode, call.mark, {}
            self.imposer, self.number = call.seat, call.value
        self.gap = set()
        self.enter(call)

    def guess(self, seats: set[int]) -> None:
        """Seats have called, but nobody knows what: they may have approved the mode, or imposed another."""
        self.gap |= seats
        self.unknown |= seats if self.mode else set()

    def explained(self, call: Call) -> bool:
        """A call that cannot stand by itself approves the mode that the call missing before it must have imposed."""
        if call.mode == self.mode:
            if not self.gap | self.unknown or call.mark in ("", self.mark):
                return False
            self.perhaps = self.gap | self.unknown | {call.seat}  # it came back, with the other mark
            self.mark, self.bids, self.unknown, self.gap, self.imposer, self.sure = call.mark, {}, set(), set(), None, False
            return True
        if not self.gap:
            return False
        self.mode, self.mark, self.bids, self.unknown, self.ahead = call.mode, call.mark, {}, set(self.gap), set()
        self.imposer = next(iter(self.gap)) if len(self.gap) == 1 else None
        self.perhaps, self.number, self.sure, self.gap = set(self.gap), -1, False, set()
        if self.locker is not None:
            self.owner, self.owned = self.imposer, set(self.perhaps)
        return True

    def passed_over(self, call: Call) -> bool:
        """A call in the mode before shows that the one at fault, which imposed this mode, was passed over by all."""
        before = self.before
        if before is None or call.mode != before.mode:
            return False
        turn, caller, instead = self.turn, self.imposer, self.instead
        self.__dict__.update(before.__dict__)
        self.turn, self.instead, self.before = turn, instead, None
        if caller is not None:
            self.unknown.add(caller)
        return True

    def go_on(self, table: Table, seat: int) -> None:
        """It is the turn of the next seat that has not called before its turn."""
        if self.mended:
            self.mended = False
            return
        if self.turn not in (None, seat):  # it called before its turn: that of the seat passed over is still to come
            self.ahead.add(seat)
            return
        self.turn = table.left_of(seat)
        while self.turn in self.ahead:
            self.ahead.discard(self.turn)
            self.turn = table.left_of(self.turn)


def strays(auction: Auction, table: Table, calling: Calling, place: int, event: Bid) -> bool:
    """A call by a seat whose turn it is not: find out why. False if the call has been dealt with.

    It was written down in the wrong order if the seat due calls next, and the calls are as good in the right order; made
    out of turn if the seat due calls before it would be due again; the auction goes on from the wrong seat if several seats
    are passed over that call later; otherwise calls before it are missing.
    """
    seat, due = table.place_of[event.by], calling.turn
    assert due is not None
    calls = [(spot, e) for spot, e in enumerate(table.deal.events) if spot > place and e.do == "bid"]
    again = next((step for step, (_, later) in enumerate(calls) if later.by == table.seats[due]), None)
    late = again is None or again >= (due - seat) % table.count - 1
    if late and again is not None and table.left_of(due) != seat:
        table.fault("BID001", place, seat=seat, bid=event.bid, due=table.seats[due])
        calling.turn = seat
        return True
    if late or again is None:
        while due != seat:
            table.fault("BID006", place, seat=due)
            calling.guess({due})
            due = table.left_of(due)
        calling.turn = seat
        return True
    table.fault("BID001", place, seat=seat, bid=event.bid, due=table.seats[due])
    spot, other = calls[again]
    if again == 0 and table.left_of(due) == seat:
        right = _faults(auction, table, calling, [(spot, other), (place, event)])
        if right <= _faults(auction, table, calling, [(place, event), (spot, other)]):
            calling.instead[spot] = (place, event)
            auction.call(table, calling, spot, other)
            return False
    return True


def _faults(auction: Auction, table: Table, calling: Calling, calls: list[tuple[int, Bid]]) -> int:
    """How many of some calls break a rule if they are made in this order."""
    trial, faults = deepcopy(calling), 0
    for place, event in calls:
        call = auction.read(table, event, place)
        if call is None:
            faults += 1
            continue
        faults += auction.broken(table, trial, call) is not None
        trial.put(call, auction.imposes(trial, call), False)
    return faults
