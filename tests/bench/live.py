"""What a game costs that is taken event by event, beside the referee's replay of it, and at its end beside its beginning."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from statistics import median
from time import process_time
from typing import Any

from handrec import referee
from handrec.record import Record
from tests.bench import inputs
from tests.bench.race import Run, clock, timed
from tests.feeding import LATER, opened, stated, taken


def replayed(records: Sequence[Record]) -> Run:
    """The referee replays the deals, as it does whatever is odd about them."""
    games = [opened(record).game for record in records]

    def work() -> None:
        for record, game in zip(records, games, strict=True):
            referee.replay(record, game)

    return timed(work)


def stepped(records: Sequence[Record]) -> Run:
    """Tables take the same deals event by event; they are laid, and what is taken is made, before the clock runs."""
    many = [[*happening(record)] for record in records]

    def run() -> float:
        tables = [opened(record) for record in records]
        before = clock()
        for table, events in zip(tables, many, strict=True):
            for event in events:
                taken(table.apply(event))
        return clock() - before

    return run


def happening(record: Record) -> Iterator[Any]:
    """All that happens in a record: the beginning of each deal, and its events."""
    for deal in record.deals:
        yield {"do": "deal", **stated(deal, "events", *LATER)}
        yield from deal.events


def late_beside_early(records: Sequence[Record]) -> dict[str, float]:
    """Of each kind of event: how many times as long it takes in the last deal of a game as in the first, in the middle.

    Of the beginning of a deal: as in the second, since none has to be judged before the first.
    """
    early, late = defaultdict[str, list[float]](list), defaultdict[str, list[float]](list)
    for record in records:
        table, number = opened(record), 0
        for event in happening(record):
            before = process_time()
            answer = table.apply(event)
            seconds = process_time() - before
            taken(answer)
            begins = isinstance(event, dict)
            number += begins
            if number == 1 + begins:
                early["deal" if begins else event.do].append(seconds)
            elif number == len(record.deals):
                late["deal" if begins else event.do].append(seconds)
    return {kind: median(late[kind]) / median(early[kind]) for kind in late if kind in early}


def whole_games(key: str, many: int) -> list[Record]:
    """Whole games of at least three deals."""
    return [record for record in inputs.dealt(key, "games", many * 20) if len(record.deals) > 2][:many]
