"""Every record that one slip of the pen may have turned into another, by the table of acts alone: nothing here knows the search.

The acts are those that leave the cards of the hands where they are: in a deal played out with its hands known every card stands
where its owner played it, and no other card can stand for it. Each is undone at every place, whatever it may explain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, combinations, pairwise, permutations
from typing import Any

from handrec import games, referee
from handrec.findings import Finding
from handrec.game import BrokenOff, Game, compose
from handrec.game.table import NO_PAST
from handrec.judging import Judge
from handrec.record import Record
from tests.planting import Data, rows_of, seats_of

#: Findings that are wrong numbers, each of which costs 1.
NUMBERS = ("TRK", "SCO", "DEA009", "CLM")

#: Remarks on a call or a card that was wrong and taken back: a deed of its own.
TAKEN_BACK = ("BID031", "REV009")

#: The calls of bridge.
CALLS = ("pass", "X", "XX", *(f"{level}{strain}" for level in range(1, 8) for strain in ("C", "D", "H", "S", "NT")))

Undone = Iterator[tuple[int, Data]]


def _changed(data: Data, change: Callable[[list[Data]], Any]) -> Data:
    """The record with something changed in the events of its deal."""
    deal = data["deals"][0]
    events = [dict(event) for event in deal["events"]]
    change(events)
    return {**data, "deals": [{**deal, "events": events}]}


def plays(data: Data, cost: int) -> Undone:
    """A play before or after its turn, a name misread, a row in other columns or begun elsewhere; plays or rows exchanged."""
    events, rows, seats = data["deals"][0]["events"], rows_of(data), seats_of(data)
    for row in rows:
        for one, other in permutations(row, 2):
            yield 2, _changed(data, lambda e, a=one, b=other: e.insert(b, e.pop(a)))
        for place in row:
            for seat in seats:
                yield 2, _changed(data, lambda e, p=place, s=seat: e[p].update(by=s))
        names = [events[place]["by"] for place in row]
        for order in (*(row[by:] + row[:by] for by in range(1, len(row))), row[::-1]):
            yield 2, _changed(data, lambda e, r=row, o=order: _put(e, r, [e[place] for place in o]))
        for by in range(1, len(row)):
            yield 2, _changed(data, lambda e, r=row, n=names[by:] + names[:by]: _name(e, r, n))
    for seat in seats:
        yield 2, {**data, "deals": [{**data["deals"][0], "leader": seat}]}
    for one, other in combinations(rows, 2) if cost > 2 else ():
        if len(one) == len(other):
            yield 3, _changed(data, lambda e, a=one, b=other: [_swap(e, x, y) for x, y in zip(a, b, strict=True)])
        for a in one:
            for b in other:
                if events[a]["by"] == events[b]["by"]:
                    yield 3, _changed(data, lambda e, a=a, b=b: _cards(e, a, b))


def _swap(events: list[Data], one: int, other: int) -> None:
    events[one], events[other] = events[other], events[one]


def _put(events: list[Data], places: list[int], what: list[Data]) -> None:
    for place, event in zip(places, what, strict=True):
        events[place] = event


def _name(events: list[Data], places: list[int], names: list[str]) -> None:
    for place, name in zip(places, names, strict=True):
        events[place]["by"] = name


def _cards(events: list[Data], one: int, other: int) -> None:
    events[one]["card"], events[other]["card"] = events[other]["card"], events[one]["card"]


def calls(data: Data, cost: int) -> Undone:
    """A call lost, doubled, miswritten, or by the wrong seat, or exchanged with the next; dealer or declarer misread.

    A lost one is put back before the second card: behind it a call is late, whatever is called.
    """
    deal, seats = data["deals"][0], seats_of(data)
    events = deal["events"]
    said = [place for place, event in enumerate(events) if event["do"] == "bid"]
    values = _values(data)
    for place in said:
        yield 2, _changed(data, lambda e, p=place: e.pop(p))
        for seat in seats:
            yield 2, _changed(data, lambda e, p=place, s=seat: e[p].update(by=s))
        for value in values:
            yield 2, _changed(data, lambda e, p=place, v=value: e[p].update(bid=v))
    for one, other in pairwise(said):
        yield 2, _changed(data, lambda e, a=one, b=other: _swap(e, a, b))
    second = next((place + 1 for place, event in enumerate(events) if event["do"] == "play"), len(events))
    for place in range(min(max(said, default=-1) + 2, second + 1)):
        for seat in seats:
            for value in values:
                yield 2, _changed(data, lambda e, p=place, s=seat, v=value: e.insert(p, {"do": "bid", "by": s, "bid": v}))
    for seat in seats:
        yield 2, {**data, "deals": [{**deal, "dealer": seat}]}
        for place, event in enumerate(events):
            if event["do"] == "contract" and "by" in event:
                yield 2, _changed(data, lambda e, p=place, s=seat: e[p].update(by=s))


def _values(data: Data) -> list[Any]:
    """The calls that may have been meant: those made in the record, numbers, and the words of the game."""
    game = compose(games.find(data["game"]), data.get("options", {}))[0]
    made = [event["bid"] for event in data["deals"][0]["events"] if event["do"] == "bid"]
    size = len(rows_of(data))
    numbers = [*range(size + 1)] if any(isinstance(bid, int) for bid in made) else []
    phase = game.phase_of.get("bid")
    ends = ("", *getattr(phase, "marks", lambda many: ())(len(seats_of(data))))
    words = [f"{number}{mode}{end}" for number in range(size + 1) for mode in getattr(phase, "modes", ()) for end in ends]
    calls = [*CALLS] if game.key == "bridge" else []
    return [*dict.fromkeys([*made, *numbers, *getattr(phase, "tokens", ()), *words, *calls])]


def is_a_slip_too(data: Data, code: str, cost: int) -> bool:
    """Whether one slip turns a record without offences into this one, for no more than the deed costs, wrong numbers counted.

    One in which more was wrong and taken back than here is none without offences.
    """
    game = games.find(data["game"])
    assert game
    judge = Judge(lambda key: game)

    def taken_back(record: Record) -> int:
        return sum(finding.code in TAKEN_BACK for finding in judge.verdict(record).findings)

    here = taken_back(Record.model_validate(data))
    acts = [calls] if code.startswith("BID") else [plays, calls] if code == "PLY004" else [plays]  # who leads the calls may say
    for price, other in chain.from_iterable(undone(data, cost) for undone in acts):
        if other == data:
            continue
        record = Record.model_validate(other)
        if _offends(record, game):
            continue
        findings = judge.verdict(record).faults
        numbers = all(finding.code.startswith(NUMBERS) for finding in findings)
        if numbers and price + len(findings) <= cost and taken_back(record) <= here:
            return True
    return False


def _offends(record: Record, game: Game) -> bool:
    """Whether anything but a wrong number is found in a deal, which the referee is asked no further than it takes to see that.

    Where calls or cards are taken back, what was found may be lifted: nothing is said of such a deal.
    """
    if any(event.do == "withdraw" for event in record.deals[0].events):
        return False

    def look(finding: Finding) -> None:
        if finding.severity != "info" and not finding.code.startswith(NUMBERS):
            raise BrokenOff

    try:
        composed = compose(game, record.options)[0]
        referee.replayed(record, composed, 0, record.deals[0], NO_PAST, look=look)
    except BrokenOff:
        return True
    return False
