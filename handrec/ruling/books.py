"""Books taken for a renege: every way that the laws allow, and how the whole game stands with each.

The referee judges which transfers are legal, deal by deal, and reckons the scores; a deal is replayed once for every
number of books taken in it, and the game is added up for every way of spreading them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handrec import referee
from handrec.game import Game, Table, compose
from handrec.record import Accuse, Record, Transfer
from handrec.referee.game import judge_game
from handrec.referee.scores import judge_deal, start
from handrec.ruling.scene import Time
from handrec.ruling.standings import changed, summed
from handrec.ruling.value import Move, Outcome

#: The books taken in each deal: (place of the deal, how many).
Plan = tuple[tuple[int, int], ...]


def taken(record: Record, by: str, of: str, number: int) -> Plan:
    """The books that a seat has taken of another for reneges of a deal, as recorded."""
    found: dict[int, int] = {}
    for index, deal in enumerate(record.deals):
        for event in deal.events:
            if isinstance(event, Transfer) and _is(event, by, of, number, deal.number or index + 1):
                found[index] = found.get(index, 0) + event.tricks
    return tuple((index, many) for index, many in found.items() if many)


def untaken(record: Record, by: str, of: str, number: int) -> Record:
    """The record without those books."""
    for index, deal in enumerate(record.deals):
        kept = [event for event in deal.events if not _is(event, by, of, number, deal.number or index + 1)]
        if len(kept) < len(deal.events):
            record = changed(record, index, deal.model_copy(update={"events": kept}))
    return record


def _is(event: Any, by: str, of: str, number: int, here: int) -> bool:
    return event.do == "transfer" and (event.by, event.of, event.of_deal or here) == (by, of, number)


class Instalments:
    """A renege claimed by a seat, and the ways in which it may take books; the record has none taken for it yet."""

    def __init__(self, record: Record, game: Game, by: str, of: str, time: Time, trick: int, most: int, said: bool) -> None:
        self.record = record if said else _accused(record, Accuse(by=by, of=of, trick=trick), time)
        self.game = compose(game, record.options)[0]
        self.by, self.of, self.source, self.most = by, of, time[0], most
        self.number = record.deals[self.source].number or self.source + 1
        self.tables: dict[tuple[int, int], Table] = {(i, 0): t for i, t in enumerate(referee.replay(self.record, self.game))}
        self.memo: dict[Any, Any] = {}
        for index in range(self.source, len(record.deals)):
            for many in range(1, most + 1):
                table = self._with(index, many)
                if table is None:
                    break
                self.tables[index, many] = table

    def _with(self, index: int, many: int) -> Table | None:
        """The table of a deal in which so many books are taken; None if they may not be, or if nobody can tell what it makes."""
        record = self.record
        deals = [
            deal.model_copy(update={"number": deal.number or place + 1})
            for place, deal in enumerate(record.deals)
            if place in (self.source, index)
        ]
        event = Transfer(by=self.by, of=self.of, tricks=many, of_deal=self.number)
        deals[-1] = deals[-1].model_copy(update={"events": [*deals[-1].events, event]})
        table = referee.replay(record.model_copy(update={"deals": deals}), self.game)[-1]
        place = f"/deals/{table.index}/events/{len(deals[-1].events) - 1}"
        wrong = any(f"{finding.pointer}/".startswith(f"{place}/") for finding in table.findings)
        return None if wrong or not table.counted else table

    def plans(self) -> Iterator[Plan]:
        """Every way to take books: none first, then by how many, early ones first."""
        spots = range(self.source, len(self.record.deals))
        for total in range(self.most + 1):
            yield from self._spread(total, list(spots))

    def _spread(self, total: int, spots: list[int]) -> Iterator[Plan]:
        if not total:
            yield ()
            return
        for place, index in enumerate(spots):
            for many in range(total, 0, -1):
                if (index, many) in self.tables:
                    for rest in self._spread(total - many, spots[place + 1 :]):
                        yield ((index, many), *rest)

    def outcome(self, plan: Plan, recorded: Plan) -> Outcome:
        """How the game stands with books taken so."""
        moves = tuple(Move(self.of, self.by, many, self.tables[index, many].number) for index, many in plan)
        chosen = dict(plan)
        tables = [self.tables[index, chosen.get(index, 0)] for index in range(len(self.record.deals))]
        results, carried = [], start(self.game, len(self.record.players), self._known)
        for table in tables:
            key = (id(table), repr(carried))
            if key not in self.memo:
                self.memo[key] = judge_deal(table, carried)
            result, carried = self.memo[key]
            results.append(result)
        findings, results, totals, winners = judge_game(self.record, self.game, tables, results, {})
        after = summed(self.game, results, findings, totals, winners, self.source)
        return Outcome(words(moves, self.by), moves, after=after, taken=bool(plan) and plan == recorded)

    @property
    def _known(self) -> bool:
        return self.record.status != "excerpt" or not self.game.carries


def words(moves: tuple[Move, ...], by: str) -> str:
    """Books taken, in words."""
    if not moves:
        return f"{by} takes none"
    parts = [f"{move.tricks} in deal {move.deal}" for move in moves]
    return f"{by} takes {', '.join(parts)}"


def _accused(record: Record, event: Accuse, time: Time) -> Record:
    """The record with an accusation made at a time."""
    index, place = time
    deal = record.deals[index]
    return changed(record, index, deal.model_copy(update={"events": [*deal.events[:place], event, *deal.events[place:]]}))
