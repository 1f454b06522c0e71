"""Calls of an auction that are not made by the seat in turn: which one thing explains them.

A slip of whoever wrote, or something that a player did, puts one call where it does not belong; taken as they are written,
all calls after it would be wrong as well. So every single thing that may have happened (`explanations`) is taken for true in
turn, the rest of the auction is heard on trial, and the one stands that leaves the fewest findings. What others, that leave
no more, would have differently is not known then.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple, cast

from handrec.game.table import TRIED, Table
from handrec.phases.calling import AN_EVENT, HEARD, TANGLED, Called, Calling, PlacedBid
from handrec.record import Bid

if TYPE_CHECKING:
    from handrec.phases.auction import Auction

#: So many explanations are remembered: a deal is replayed some twenty times, with the same calls in most of them.
KNOWN = 1024


class Irregularity(NamedTuple):
    """One thing that may have happened where a call is not made by the seat in turn.

    `found` are its findings, as code and seat. `instead` says what was called in some places of the record, nothing where it
    says None; or the calls of the seats `missing` are not on record, of which one may have imposed a mode that stood no longer
    after this call (`cancels`); or the auction `begins` with another seat than it should, be it that the dealer is wrong.
    """

    found: tuple[tuple[str, int], ...]
    instead: Mapping[int, PlacedBid | None] = {}
    missing: tuple[int, ...] = ()
    cancels: bool = False
    begins: bool = False


class Explained(NamedTuple):
    """What explains a call out of turn best, what others that are as good have differently, and what that took."""

    by: Irregularity
    unsure: frozenset[int | None]
    heard: int


#: Explanations, by all that they hang on.
EXPLAINED: dict[Hashable, Explained] = {}


def strays(auction: Auction, table: Table, calling: Calling, place: int, event: Bid) -> bool:
    """A call by a seat whose turn it is not: find out why. False if the call has been dealt with."""
    assert calling.turn is not None
    enough = AN_EVENT * len(table.deal.events)
    if table.on_trial or calling.heard >= enough:
        lost = _lost(table, calling, place, event, calling.turn)
        told = lost if table.on_trial else lost._replace(found=(("BID001", table.place_of[event.by]),))
        return _follow(auction, table, calling, place, event, told)
    best = remembered(auction, table, calling, place)
    calling.strayed, calling.heard = calling.strayed + 1, calling.heard + best.heard
    table.heard = calling.heard
    table.tangled = calling.heard >= min(TANGLED, enough)
    calling.open |= best.unsure
    return _follow(auction, table, calling, place, event, best.by)


def remembered(auction: Auction, table: Table, calling: Calling, place: int) -> Explained:
    """What explains the next call out of turn, found once for all replays of a deal that have the same auction."""
    if calling.record is None:
        calling.record = _record_of(auction, table)
    if not calling.record:
        return explained(auction, table, calling, place)
    asked = calling.strayed, calling.record
    known = EXPLAINED.get(asked)
    if known is None:
        known = explained(auction, table, calling, place)
        if len(EXPLAINED) >= KNOWN:
            EXPLAINED.clear()
        EXPLAINED[asked] = known
    return known


def _record_of(auction: Auction, table: Table) -> tuple[Hashable, ...]:
    """All that what an auction comes to hangs on: the calls, who led when, and the rules about calls.

    Nothing if it is not to be remembered: it is very long, or goes on, so that what was explained before hung on fewer calls. It
    hangs on nothing of other deals; which deal it is belongs to it nevertheless, so that alike deals cost what others do.
    """
    events, deal = table.deal.events, table.deal
    calls = tuple([placed for placed in table.besides if auction.takes(table, placed[1])])
    if table.to_come(0) or len(calls) > HEARD:
        return ()
    first = next((spot for spot, each in enumerate(events) if each.do == "play"), len(events))
    seats = table.index, table.seats, deal.dealer, first, _led_by(table)
    size = table.size, table.unsized, table.open_from, deal.status
    marks = auction.marks(table.count)
    marked = (marks, auction.decides, auction.remark) if marks else ()
    words = (auction.by_imposer, auction.answered_by) if any(event.do == "announce" for _, event in calls) else ()
    rules = tuple([(rule.code, rule.check) for on in ("bid", "bids") for rule in table.game.checks(on)])
    return seats, size, auction.modes, marked, words, rules, calls


def explained(auction: Auction, table: Table, calling: Calling, place: int) -> Explained:
    """Hear the rest of the auction under all that may explain a call, the likeliest first."""
    assert calling.turn is not None
    calls = [*islice(_calls(table, place), HEARD)]
    bounds = [
        (_least(table, calling.turn, calls, each), each.cancels, rank, each)
        for rank, each in enumerate(explanations(table, calling, calls, calling.turn))
    ]
    found, best, outcome, unsure = (len(table.deal.events) + 1, False), bounds[0], Called(), set[int | None]()
    heard = 0
    for bound in sorted(bounds, key=lambda bound: bound[:3]):
        if bound[:2] > found or calling.heard + heard >= AN_EVENT * len(table.deal.events):
            break
        heard += len(calls)
        odds, other = _hear(auction, table, place, bound[3], found[0])
        if (odds, bound[1]) < found:
            found, best, outcome, unsure = (odds, bound[1]), bound, other, set()
        if (odds, bound[1]) == found:
            unsure |= {part for part in outcome if outcome[part] != other[part]}
    return Explained(best[3], frozenset(unsure), heard)


def explanations(table: Table, calling: Calling, calls: Sequence[PlacedBid], due: int) -> Iterator[Irregularity]:
    """What may have happened where the first of these calls is not made by the seat in turn; of equals the first is told.

    Calls left out, if their seats never call; calls exchanged, or one written down too early or too late; another seat's call;
    a call written down twice, or made out of turn so that it does not count; an auction that begins with the wrong seat; calls
    left out of seats that call elsewhere.
    """
    place, event = calls[0]
    seat, seats = table.place_of[event.by], table.seats
    out_of_turn = (("BID001", seat),)
    lost = _lost(table, calling, place, event, due)
    if lost.found != out_of_turn:
        yield lost
    near = calls[: table.count + 1]
    for step in range(1, len(near)):
        spots = [spot for spot, _ in near[: step + 1]]
        for moved in ([*near[1 : step + 1], near[0]], [near[step], *near[:step]])[: min(step, 2)]:
            if moved[0][1].by == seats[due]:
                yield Irregularity(out_of_turn, dict(zip(spots, moved, strict=True)))
    yield Irregularity(out_of_turn, {place: (place, event.model_copy(update={"by": seats[due]}))})
    made = calling.bids.get(seat)
    twice = made is not None and table.left_of(seat) == due and table.deal.events[made.place] == event
    yield Irregularity((("BID005", seat),) if twice else out_of_turn, {place: None})
    if not (calling.mode or calling.gap or calling.instead):
        yield Irregularity(out_of_turn, begins=True)
    if lost.found == out_of_turn:
        yield lost
    if calling.mode and calling.locker is None:
        yield lost._replace(cancels=True)


def _lost(table: Table, calling: Calling, place: int, event: Bid, due: int) -> Irregularity:
    """The calls of the seats passed over are not on record. Nobody who called, or still may, is said to have made no bid."""
    seat, skipped = table.place_of[event.by], [due]
    while (after := table.left_of(skipped[-1])) != seat:
        skipped.append(after)
    if not calling.callers:
        calling.callers = {call.by for _, call in _calls(table, 0)}
    silent = tuple(("BID006", each) for each in skipped if not table.to_come(place) and table.seats[each] not in calling.callers)
    return Irregularity(silent or (("BID001", seat),), missing=tuple(skipped))


def _calls(table: Table, place: int) -> Iterator[PlacedBid]:
    """The calls of a deal from an event on."""
    for spot in range(place, len(table.deal.events)):
        if (event := table.deal.events[spot]).do == "bid":
            yield spot, event


def _least(table: Table, turn: int, calls: Sequence[PlacedBid], explanation: Irregularity) -> int:
    """How much is found at least under an explanation: its own findings, and calls that are not in turn even so."""
    found = len(explanation.found) + len(explanation.missing[1:])
    if explanation.missing or explanation.begins:
        turn = table.place_of[calls[0][1].by]
    for placed in (explanation.instead.get(call[0], call) for call in calls):
        if placed is not None:
            seat = table.place_of[placed[1].by]
            found += seat != turn
            turn = (seat + 1) % table.count
    return found


def _led_by(table: Table) -> str | None:
    """The seat of the first play, as it is written down."""
    return next((event.by for event in table.deal.events if event.do == "play"), None)


def _follow(auction: Auction, table: Table, calling: Calling, place: int, event: Bid, explanation: Irregularity) -> bool:
    """Let the auction go on as it is explained. False if the call has been dealt with."""
    seat, due = table.place_of[event.by], table.seat(calling.turn)
    if explanation.begins and _led_by(table) == event.by:
        dealer = (seat - 1) % table.count
        table.fault("DEA006", field="/dealer", seat=table.dealer, found=table.seat(table.dealer), due=table.seats[dealer])
        table.dealer = dealer
    elif table.on_trial:
        table.findings += [TRIED] * len(explanation.found)
    else:
        for code, who in explanation.found:
            if code == "BID006" and who in calling.silent:  # who never calls is told of once
                continue
            calling.silent |= {who} if code == "BID006" else set()
            table.fault(code, place, seat=who, bid=event.bid, due=due, before=event.bid, did="made no bid")
    calling.instead |= explanation.instead
    if place in calling.instead:
        instead = calling.instead.pop(place)
        if instead is not None:
            auction.call(table, calling, *instead)
        return False
    calling.guess(set(explanation.missing))
    if explanation.cancels:
        calling.forget()
    calling.turn = seat
    return True


def _hear(auction: Auction, table: Table, place: int, explanation: Irregularity, most: int) -> tuple[int, Called]:
    """How much there is to be found in the auction, and in who leads after it, under an explanation; and what comes of it.

    If it is more than the `most` that matters, there may be still more.
    """
    trial, more = auction.trial(table), len(explanation.missing[1:])
    calling, event = auction.begun(trial), cast(Bid, table.deal.events[place])
    if _follow(auction, trial, calling, place, event, explanation):
        auction.call(trial, calling, place, event)
    auction.hear(trial, place + 1, most - more)
    more += _led_by(table) not in (None, trial.seat(trial.eldest))
    return len(trial.findings) + more, auction.outcome(trial)
