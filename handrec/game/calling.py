"""The state of an auction, and calls that do not fit: out of turn, missing, passed over.

A record that is wrong in one place must not look wrong in ten. Where a call is not made by the seat in turn, one of a few
single things has happened (`readings`), each of which says what was called instead of what is written. The auction goes on
under each of them, on trial, and the one stands that leaves least to be found. A call that is too low is first asked whether
one missing before it explains it.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from handrec.game.table import Made, Table
from handrec.record import Bid, Play

if TYPE_CHECKING:
    from handrec.game.auction import Auction


#: A call of the record: its place among the events, and the event.
Placed = tuple[int, Bid]

#: So many calls of an auction are explained, and so many events are heard for each: more is no auction.
SEARCHES, HEARD = 8, 100


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
        self.before: Calling | None = None  # as it was before a call at fault that imposed a mode
        self.instead: dict[int, Placed | None] = {}  # what was called where another call is written down; None: nothing
        self.open: set[int | None] = set()  # seats whose call could be another, or what is played (None), by what strays
        self.callers: set[str] = set()  # the seats of all calls, once that is asked
        self.searches = 0  # calls out of turn that were explained so far
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

    def may_go_on(self, seat: int, call: Call | None) -> bool:
        """Whether a seat may call when everybody has: a call not known may be this one, or have imposed what this one exceeds."""
        return bool(self.unknown) and (seat in self.unknown or call is None or call.mode != self.mode or call.value > self.number)

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
            self.sure, self.perhaps, self.unknown = not self.gap, set(self.gap), set()
            self.mode, self.mark, self.bids = call.mode, call.mark, {}
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
        self.mode, self.mark, self.bids, self.unknown = call.mode, call.mark, {}, set(self.gap)
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
        """It is the turn of the next seat."""
        if not self.mended:
            self.turn = table.left_of(seat)
        self.mended = False


@dataclass(frozen=True)
class Reading:
    """One thing that may have happened where a call is not made by the seat in turn.

    `found` are its findings, as code and seat. `instead` says what was called in some places of the record, nothing where it
    says None; or the calls of the seats `missing` are not on record, of which one may have imposed a mode that stood no longer
    when this call was made (`cancels`); or the auction `begins` with another seat than it should, be it that the dealer is wrong.
    """

    found: tuple[tuple[str, int], ...]
    instead: dict[int, Placed | None] = field(default_factory=dict)
    missing: tuple[int, ...] = ()
    cancels: bool = False
    begins: bool = False


def readings(table: Table, calling: Calling, place: int, event: Bid, due: int) -> Iterator[Reading]:
    """What may have happened where a call is not made by the seat in turn; of equals the first is told.

    Calls exchanged, or one written down too early or too late; another seat's call; a call written down twice, or made out of
    turn so that it does not count; an auction that begins with the wrong seat; calls left out, which leave most unknown.
    """
    seat, seats = table.place_of[event.by], table.seats
    out_of_turn = (("BID001", seat),)
    skipped = [due]
    while (after := table.left_of(skipped[-1])) != seat:
        skipped.append(after)
    if not calling.callers:
        calling.callers = {call.by for _, call in _calls(table, 0)}
    silent = tuple(("BID006", each) for each in skipped if seats[each] not in calling.callers)
    lost = Reading(silent or out_of_turn, missing=tuple(skipped))
    if silent:
        yield lost
    calls = [(place, event), *islice(_calls(table, place + 1), table.count)]
    for step in range(1, len(calls)):
        spots = [spot for spot, _ in calls[: step + 1]]
        for moved in ([*calls[1 : step + 1], calls[0]], [calls[step], *calls[:step]]):
            if moved[0][1].by == seats[due]:
                yield Reading(out_of_turn, dict(zip(spots, moved, strict=True)))
    yield Reading(out_of_turn, {place: (place, event.model_copy(update={"by": seats[due]}))})
    made = calling.bids.get(seat)
    twice = made is not None and table.left_of(seat) == due and table.deal.events[made.place] == event
    yield Reading((("BID005", seat),) if twice else out_of_turn, {place: None})
    if not (calling.mode or calling.gap or calling.instead):
        yield Reading(out_of_turn, begins=True)
    if not silent:
        yield lost
    if calling.mode and calling.locker is None:
        yield replace(lost, cancels=True)


def _calls(table: Table, place: int) -> Iterator[Placed]:
    """The calls of a deal from an event on."""
    for spot in range(place, len(table.deal.events)):
        if (event := table.deal.events[spot]).do == "bid":
            yield spot, event


def turns(table: Table, place: int) -> Iterator[Bid | Play]:
    """What is called or played, each in its turn, from an event on."""
    for spot in range(place, len(table.deal.events)):
        if (event := table.deal.events[spot]).do in ("bid", "play"):
            yield cast(Any, event)


def _led_by(table: Table) -> str | None:
    """The seat of the first play, as it is written down."""
    return next((event.by for event in table.deal.events if event.do == "play"), None)


def strays(auction: Auction, table: Table, calling: Calling, place: int, event: Bid) -> bool:
    """A call by a seat whose turn it is not: find out why. False if the call has been dealt with."""
    assert calling.turn is not None
    possible = [*readings(table, calling, place, event, calling.turn)]
    if calling.searches == SEARCHES:
        return _follow(auction, table, calling, place, event, next(each for each in possible if each.missing))
    calling.searches += 1
    heard = [_hear(auction, table, place, each) for each in possible]
    least, best = min(heard, key=lambda each: each[0])
    for odds, outcome in heard:
        if odds == least:
            calling.open |= {part for part in best if best[part] != outcome[part]}
    return _follow(auction, table, calling, place, event, possible[heard.index((least, best))])


def _follow(auction: Auction, table: Table, calling: Calling, place: int, event: Bid, reading: Reading) -> bool:
    """Let the auction go on as a reading has it. False if the call has been dealt with."""
    seat, due = table.place_of[event.by], table.seat(calling.turn)
    if reading.begins and _led_by(table) == event.by:
        dealer = (seat - 1) % table.count
        table.fault("DEA006", field="/dealer", seat=table.dealer, found=table.seat(table.dealer), due=table.seats[dealer])
        table.dealer = dealer
    else:
        for code, who in reading.found:
            table.fault(code, place, seat=who, bid=event.bid, due=due, before=event.bid, did="made no bid")
    calling.instead |= reading.instead
    if place in calling.instead:
        instead = calling.instead.pop(place)
        if instead is not None:
            auction.call(table, calling, *instead)
        return False
    calling.guess(set(reading.missing))
    if reading.cancels:
        calling.forget()
    calling.turn = seat
    return True


def _hear(auction: Auction, table: Table, place: int, reading: Reading) -> tuple[int, dict[int | None, str | None]]:
    """How much there is to be found in the auction, and in who leads after it, under a reading: the less the better.

    Then what comes of it: what is played (by None), and the call of each seat.
    """
    trial = copy(table)
    trial.findings, trial.doubts, trial.bids, trial.kept = [], {}, list(table.bids), deepcopy(table.kept)
    calling = auction.begun(trial)
    calling.searches = SEARCHES  # what strays later is not explained on trial
    until = min(place + HEARD, len(table.deal.events))
    for spot in range(place, until):
        event = cast(Any, table.deal.events[spot])
        if event.do == "play":
            trial.state = event  # the auction is over
            break
        if spot > place and table.game.phase_of.get(event.do if event.do != "announce" else f"announce:{event.what}") is auction:
            auction.take(trial, spot, event)
        elif spot == place and _follow(auction, trial, calling, place, event, reading):
            auction.call(trial, calling, place, event)
    if until == len(table.deal.events) or trial.state is not None:
        auction.close(trial)
    auction.write(trial, calling)
    odds = len(trial.findings) + len(reading.missing[1:]) + (_led_by(table) not in (None, trial.seat(trial.eldest)))
    return odds, {None: trial.contract, **{seat: made.token if made else None for seat, made in enumerate(trial.bids)}}
