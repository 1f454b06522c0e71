"""Slips of single calls: one is written for another, and the sheet has the right one, or those after it seem wrong.

In an auction of numbers and modes one miswritten call can make many others look too low, too late or missing, another suit
trump, and every score wrong. So each call that can bear on the first found at fault is taken for another in turn, and the auction
is heard on trial. Those that leave the least to be found, and fit the sheet best, are tried on the whole deal.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from copy import copy
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from handrec.explanations.acts import ACTS
from handrec.explanations.written import FEW, Mark, Slip, WrittenDeal
from handrec.game import Table
from handrec.record import Bid

if TYPE_CHECKING:  # auctions are loaded by the games that have them
    from handrec.phases.auction import Auction
    from handrec.phases.calling import Call

#: Of numbers without support so many are tried: with one of them the numbers may add up to the tricks.
LOWEST = 2
#: Where more is found in the auction with another call than this, that is no explanation.
LEFT = 16


#: To begin a hearing takes as long as to hear so many calls.
TRIAL = 4


class _Meant(NamedTuple):
    """A call that may have been made in another's place.

    How much is found in the auction then, how many calls of it the sheet does not have, and in how many parts (number, mode,
    mark) the two differ: the fewer the likelier. `sure` if its number is that of the call as written or on the sheet.
    """

    found: int
    unlike: int
    differ: int
    place: int
    token: str
    sure: bool
    outcome: tuple[Any, ...]

    @property
    def rank(self) -> tuple[int, int, int]:
        """How likely it is; less is likelier."""
        return self[:3]


def miswritten(written: WrittenDeal) -> Iterator[Slip]:
    """One call is written for another; of those that come to the same the likeliest is tried, and the others told with it."""
    auction = written.table.game.phase_of.get("bid")
    faults = sum(finding.code.startswith("BID") for finding in written.findings)
    if not faults or len(written.findings) < 2:
        return
    from handrec.phases.auction import Auction

    if not isinstance(auction, Auction):
        yield from _of_silent_seat(written)
        yield from _on_sheet_alone(written)
        return
    tried = set()
    meant = sorted(_meant(auction, written, min(faults - 1, LEFT)), key=lambda each: each.rank)
    for each in meant:
        if each.outcome in tried:
            continue
        tried.add(each.outcome)
        alike = {other.place: other for other in meant if other.outcome == each.outcome and other.rank == each.rank}
        slip, *others = [_slip(written, other, meant) for other in alike.values()]
        yield slip.told_with([(other.act, other.words) for other in others[:FEW]])


def _meant(auction: Auction, written: WrittenDeal, most: int) -> Iterator[_Meant]:
    """The calls that leave no more than `most` to be found, and no more than any before them; those least unlike come first."""
    others = [
        (differ, sure, call, event, table)
        for table, place, event in _before(auction, written)
        for call, differ, sure in _others(auction, table, event, place)
    ]
    calls = sum(type(event) is Bid for event in written.deal.events)
    for differ, sure, call, event, table in sorted(others, key=lambda each: each[:1]):
        trial = _heard(auction, table, event, call, most)
        written.heard += TRIAL + calls
        if len(trial.findings) <= most:
            most = len(trial.findings)
            calling = auction.begun(trial)
            outcome = (*auction.outcome(trial).items(), calling.locker, calling.answered)
            yield _Meant(most, _unlike_sheet(trial), differ, call.place, call.token, sure, outcome)


def _before(auction: Auction, written: WrittenDeal) -> list[tuple[Table, int, Bid]]:
    """The calls that can explain what is found, with the table before each.

    None after the first at fault; and none before the call that would have been approved by the last that imposed a mode: what is
    imposed by right cancels all before it.
    """
    table, found = _afresh(auction, written.table), list[tuple[Table, int, Bid]]()
    for place, event in enumerate(written.deal.events):
        if event.do == "play" or table.findings:
            break
        if not auction.takes(table, event):
            continue
        if type(event) is Bid:
            found.append((auction.trial(table), place, event))
        auction.take(table, place, cast(Any, event))
        if not table.findings and [made.place for made in auction.begun(table).bids.values()] == [place]:
            found = found[-2:]
    return found


def _afresh(auction: Auction, table: Table) -> Table:
    """A table of the same deal at which nobody has called."""
    from handrec.phases.calling import Calling

    table = copy(table)
    table.kept = {kind: kept for kind, kept in table.kept.items() if kind is not Calling}
    table.dealer, table.bids = table.place_of.get(table.deal.dealer or ""), [None] * table.count
    table.contract = table.state = None
    return auction.trial(table)


def _heard(auction: Auction, table: Table, event: Bid, call: Call, most: int) -> Table:
    """A table at which the auction is heard with another call in an event's place."""
    trial, events = auction.trial(table), list(table.deal.events)
    events[call.place] = event.model_copy(update={"bid": call.token})
    trial.deal = table.deal.model_copy(update={"events": events})
    auction.hear(trial, call.place, most)
    return trial


def _others(auction: Auction, table: Table, event: Bid, place: int) -> Iterator[tuple[Call, int, bool]]:
    """The calls that a seat could make instead, in how many parts each differs, and whether its number has support.

    Of numbers without support the lowest do: whatever stands after a higher one stands after them.
    """
    from handrec.phases.calling import Call

    calling, seat, own = auction.begun(table), table.place_of[event.by], auction.read(table, event, place)
    parts = (own.value, own.mode, own.mark) if own else (None, None, None)
    supported = {value for value in (parts[0], _on_sheet(table, seat)) if value is not None}
    stands = max([calling.number, *(made.value or 0 for made in calling.bids.values())])
    numbers = {0, 1, calling.number, calling.number + 1, stands, stands + 1, *supported}
    marks = {*auction.marks(table.count), own.mark if own else ""} | (set() if auction.decides else {""})
    for mode, mark in product(auction.modes, sorted(marks)):
        lowest = 0
        for value in sorted(numbers):
            if value not in supported and lowest == LOWEST:
                continue
            call = Call(seat, value, mode, mark, place)
            differ = sum(one != other for one, other in zip(parts, (value, mode, mark), strict=True))
            if differ and auction.broken(table, calling, call) is None:
                lowest += value not in supported
                yield call, differ, value in supported


def _on_sheet(table: Table, seat: int) -> int | None:
    """The number that the sheet has for a seat, if it has one."""
    claimed = table.deal.claimed
    bid = re.match("[0-9]+", str(((claimed and claimed.bids) or {}).get(table.seats[seat], "")))
    return int(bid[0]) if bid else None


def _unlike_sheet(table: Table) -> int:
    """How much of the sheet is not what an auction has come to: numbers called, and what is played."""
    numbers = [(_on_sheet(table, seat), made and made.value) for seat, made in enumerate(table.bids)]
    claimed = table.deal.claimed
    trump = claimed.trump.rstrip("ms") if claimed and claimed.trump else None
    return sum(number not in (None, value) for number, value in numbers) + (
        trump not in (None, (table.contract or "").rstrip("ms"))
    )


def _slip(written: WrittenDeal, one: _Meant, meant: list[_Meant]) -> Slip:
    """A call told as another: exactly where nothing else would do as well, else by its mode, if that is known."""
    alike = {each.token for each in meant if each.place == one.place and each.rank == one.rank}
    modes = {token.lstrip("0123456789") for token in alike}
    exact = one.sure and len(alike) == 1
    vague = f"one in {modes.pop()}" if len(modes) == 1 else "another"
    return _instead(written, one.place, one.token, None if exact else vague)


def _of_silent_seat(written: WrittenDeal) -> Iterator[Slip]:
    """The bid of a seat that made none stands under one that bid twice: by the turns, or whichever of the two."""
    silent = [finding.seat for finding in written.findings if finding.code == "BID006"]
    bids = [(place, event) for place, event in enumerate(written.deal.events) if type(event) is Bid]
    if len(silent) != 1:
        return
    often, dealer = Counter(event.by for _, event in bids), written.table.place_of.get(written.deal.dealer or "")
    twice = [(spot, place, event) for spot, (place, event) in enumerate(bids) if often[event.by] == 2]
    turn = None if dealer is None else (written.table.place_of[str(silent[0])] - dealer - 1) % written.table.count
    slips = []
    for _, place, event in sorted(twice, key=lambda each: each[0] != turn):
        words = f"{event.bid} is written down as {event.by}'s call, and was {silent[0]}'s"
        mark = Mark(f"/events/{place}/by", None, {"found": event.by, "due": silent[0], "by": event.by, "what": words})
        slips.append(Slip(ACTS["call"], (mark,), words, changed={place: {"by": silent[0]}}))
    for slip in slips:
        in_turn = any(spot == turn for spot, _, _ in twice)
        yield slip.told_with([] if in_turn else [(other.act, other.words) for other in slips if other is not slip])


def _on_sheet_alone(written: WrittenDeal) -> Iterator[Slip]:
    """A bid in a game in which each is made once: the one that the sheet has."""
    sheet = (written.deal.claimed and written.deal.claimed.bids) or {}
    unlike = {finding.seat for finding in written.findings if finding.code == "SCO004"}
    for place, event in enumerate(written.deal.events):
        if type(event) is Bid and event.by in unlike and event.by in sheet:
            yield _instead(written, place, sheet[event.by])


def _instead(written: WrittenDeal, place: int, bid: int | str, due: str | None = None) -> Slip:
    """A bid in another's place, told as `due` if what it was is not known."""
    event: Any = written.deal.events[place]
    events = written.events()
    events[place] = place, event.model_copy(update={"bid": bid})
    what = f"{event.by}'s call is written down as {event.bid}, and was {due or bid}"
    mark = Mark(f"/events/{place}/bid", None, {"found": event.bid, "due": due or bid, "by": event.by, "what": what})
    return Slip(ACTS["call"], (mark,), f"{due or bid} for {event.by}'s {event.bid}", events=events)
