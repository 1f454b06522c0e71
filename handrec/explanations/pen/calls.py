"""Slips of what was called, undone in every way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from handrec.explanations import calls
from handrec.explanations.acts import ACTS
from handrec.explanations.pen.reach import Reach, words_of
from handrec.explanations.written import Events, Mark, Slip, WrittenDeal
from handrec.record import Bid


def called(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A call is written for another, or under another seat's name, or twice, or not at all; or two are exchanged."""
    yield from calls.miswritten(written)
    said = {place: event for place, event in enumerate(written.deal.events) if type(event) is Bid}
    near = sorted(where.events & said.keys())
    if not near:
        return
    tokens, names = words_of(written), written.table.seats[: written.table.count]
    round_ = bool(written.table.game.that("calls_out_of_turn"))  # calls go round the table
    for place in near:
        event = said[place]
        for bid in tokens:
            if bid != event.bid:
                yield _call(written, place, {"bid": bid}, f"{bid} for {event.by}'s {event.bid}")
        for seat in names:
            if seat != event.by:
                yield _call(written, place, {"by": seat}, f"{seat}'s {event.bid} written as {event.by}'s")
        kept = [each for each in written.events() if each[0] != place]
        words = f"{event.by}'s {event.bid} written twice"
        yield _events(place, words, kept)
        if round_:
            yield _events(place, words, _moved(written, kept, place, -1))
    for one, other in pairwise(said):
        if not where.events.isdisjoint((one, other)):
            yield from _exchanged(one, other, said)
    since = dict(zip(said, [0, *(each + 1 for each in said)], strict=False))  # behind the call before: words may stand between
    for place in sorted({*near, *(each + 1 for each in near), *(since[each] for each in near)}):
        for seat in _turns(names, said, place) if round_ else names:
            for bid in tokens:
                events: Events = [*written.events()[:place], (None, Bid(by=seat, bid=bid)), *written.events()[place:]]
                yield _events(place, f"{seat}'s {bid} left out", events)
        for seat in [said[place].by] if round_ and place in said else ():
            rest = _moved(written, written.events(), place, 1)
            for bid in tokens:
                yield _events(place, f"{seat}'s {bid} left out", [*rest[:place], (None, Bid(by=seat, bid=bid)), *rest[place:]])


def _turns(names: Sequence[str], said: dict[int, Bid], place: int) -> list[str]:
    """Who may have called before an event, where calls go round the table: the seat after the last call, or before the next."""
    before = [event.by for at, event in said.items() if at < place][-1:]
    after = [event.by for at, event in said.items() if at >= place][:1]
    found = [(names.index(by) + 1) % len(names) for by in before] + [(names.index(by) - 1) % len(names) for by in after]
    return [names[seat] for seat in dict.fromkeys(found)]


def _moved(written: WrittenDeal, events: Events, first: int, by: int) -> Events:
    """Events of which the calls from one on are some seats further on."""
    names, places = written.table.seats, written.table.place_of

    def moved(event: Any) -> Any:
        return event.model_copy(update={"by": names[(places[event.by] + by) % written.table.count]})

    return [(place, moved(event)) if type(event) is Bid and (place or 0) >= first else (place, event) for place, event in events]


def _exchanged(one: int, other: int, said: dict[int, Bid]) -> Iterator[Slip]:
    """Two calls that follow each other are written in the other order, or each under the other's name."""
    mine, theirs = said[one], said[other]
    words = f"{mine.by}'s {mine.bid} and {theirs.by}'s {theirs.bid} exchanged"
    mark = Mark(f"/events/{one}", None, {})
    if mine.bid != theirs.bid:
        yield Slip(ACTS["call"], (mark,), words, changed={one: {"bid": theirs.bid}, other: {"bid": mine.bid}})
    if mine.by != theirs.by:
        changed = {one: {"by": theirs.by, "bid": theirs.bid}, other: {"by": mine.by, "bid": mine.bid}}
        yield Slip(ACTS["call"], (mark,), words, changed=changed)


def _call(written: WrittenDeal, place: int, change: dict[str, Any], words: str) -> Slip:
    return Slip(ACTS["call"], (Mark(f"/events/{place}/{next(iter(change))}", None, {}),), words, changed={place: change})


def _events(place: int, words: str, events: Events) -> Slip:
    return Slip(ACTS["call"], (Mark(f"/events/{place}", None, {}),), words, events=events)
