"""The state of an auction, and calls that do not fit: missing, or passed over by all.

A record that is wrong in one place must not look wrong in ten: before a call is found at fault, it is asked whether one
that is missing before it explains it. Calls by another seat than the one in turn are the matter of `out_of_turn`.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from handrec.game.table import Made, Table
from handrec.record import Bid

#: A call of the record: its place among the events, and the event.
PlacedBid = tuple[int, Bid]

#: What is played, under None, and the call of each seat.
Called = dict[int | None, str | None]

#: So many events are heard to explain a call: more is no auction.
HEARD = 100
#: So many calls an event are heard on trial in an auction to explain those out of turn: what a slip or two make of the shortest
#: auction takes five. Calls after that are told as they are, and nothing else is tried to explain the deal.
AN_EVENT = 6
#: Nor is it where so many were heard in a long one: what a slip or two make of an auction takes some fifty.
TANGLED = 150


class Call(NamedTuple):
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

    def __init__(self, turn: int | None, marked: bool = True) -> None:
        self.turn = turn  # None: not known
        self.mode = self.mark = ""
        self.marked = marked  # every mode is called with a mark: if that call is missing, whoever names one tells it
        self.imposer: int | None = None
        self.number = -1  # called by the imposer
        self.sure = True  # who imposed the mode is certain
        self.bids: dict[int, Made] = {}  # what each seat called in the mode
        self.unknown: set[int] = set()  # seats that have called in the mode, nobody knows what
        self.perhaps: set[int] = set()  # seats whose missing call may have been the one that imposed the mode
        self.gap: set[int] = set()  # seats whose calls are missing just before
        self.before: Calling | None = None  # as it was before a call at fault that imposed a mode
        self.instead: dict[int, PlacedBid | None] = {}  # what was called where another call is written down; None: nothing
        self.open: set[int | None] = set()  # seats whose call could be another, or what is played (None), by what strays
        self.callers: set[str] = set()  # the seats of all calls, once that is asked
        self.silent: set[int] = set()  # seats of which it is told that they made no bid
        self.record: tuple[Hashable, ...] | None = None  # what the record has of it, under its rules, once that is asked
        self.strayed = 0  # calls out of turn that were explained so far
        self.heard = 0  # calls that were heard on trial so far, to explain those out of turn
        self.mended = False  # the seat that called last calls again, for its call was at fault
        self.stated = self.unrecorded = False  # the outcome is stated instead; there are no calls at all
        self.locker: int | None = None
        self.owner: int | None = None  # who had imposed the mode that was locked
        self.owned: set[int] = set()  # who may have
        self.void = False  # a méchoune was made that does not count
        self.answered: int | None = None

    def copy(self) -> Calling:
        """Another one just like it, which goes its own way."""
        other = object.__new__(Calling)
        other.__dict__ = {name: part.copy() if isinstance(part, COPIED) else part for name, part in self.__dict__.items()}
        return other

    def closed(self, players: int, seat: int | None = None) -> bool:
        """Whether everybody has called in the mode, or will have when this seat has."""
        called = self.bids.keys() | self.unknown | ({seat} if seat is not None else set())
        return len(called) == players and (seat is None or seat not in self.bids)

    def may_go_on(self, seat: int, call: Call | None) -> bool:
        """Whether a seat may call when everybody has: a call not known may be this one, or have imposed what this one exceeds."""
        return bool(self.unknown) and (seat in self.unknown or call is None or call.mode != self.mode or call.value > self.number)

    def may_have_imposed(self) -> set[int]:
        """The seats that may have imposed the mode."""
        return self.perhaps | ({self.imposer} if self.imposer is not None else set())

    def enter(self, call: Call) -> None:
        """Let a call in the standing mode stand."""
        self.mark = self.mark or (call.mark if self.marked else "")
        self.bids[call.seat] = Made(f"{call.value}{self.mode}{self.mark}", "number", call.value, call.place)
        self.unknown.discard(call.seat)

    def put(self, call: Call, imposes: bool, faulty: bool) -> None:
        """Let a call stand; one that imposes a mode cancels all before it."""
        if imposes:
            self.before = None
            self.before = self.copy() if faulty else None
            self.sure, self.perhaps, self.unknown = not self.gap, set(self.gap), set()
            self.mode, self.mark, self.bids = call.mode, call.mark if self.marked or self.sure else "", {}
            self.imposer, self.number = call.seat, call.value
        self.gap = set()
        self.enter(call)

    def guess(self, seats: set[int]) -> None:
        """Seats have called, but nobody knows what: they may have approved the mode, or imposed another."""
        self.gap |= seats
        self.unknown |= seats if self.mode else set()

    def forget(self) -> None:
        """A mode was imposed that is not known, and stands."""
        self.mode, self.mark, self.bids, self.unknown, self.imposer, self.number = "", "", {}, set(), None, -1

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
        self.mode, self.mark, self.bids, self.unknown = call.mode, call.mark if self.marked else "", {}, set(self.gap)
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
        caller, told = (
            self.imposer,
            ("turn", "instead", "open", "heard", "strayed", "locker", "owner", "owned", "void", "answered"),
        )
        self.__dict__.update(before.__dict__, **{name: self.__dict__[name] for name in told})
        if self.locker is not None and before.locker is None:  # what was méchouned is what stands
            self.owner, self.owned = self.imposer, self.may_have_imposed()
        self.before = None
        if caller is not None:
            self.unknown.add(caller)
        return True

    def go_on(self, table: Table, seat: int) -> None:
        """It is the turn of the next seat."""
        if not self.mended:
            self.turn = table.left_of(seat)
        self.mended = False


#: What of an auction goes its own way when it is copied.
COPIED = (set, dict, Calling)
