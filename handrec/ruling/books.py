"""Books taken for a renege: every way that the laws allow, and how the whole game stands with each.

The referee judges which transfers are legal, for each deal and for each number of books in all, and reckons the scores; a
deal is replayed once for every number of books taken in it, and the game is added up for every way of spreading them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from handrec import referee
from handrec.game import Game, Table, compose
from handrec.record import Accuse, Record, Transfer
from handrec.referee.game import judge_game
from handrec.referee.scores import judge_deal, start
from handrec.ruling.replayed import Time, about
from handrec.ruling.standings import changed, summed
from handrec.ruling.value import Move, RulingOutcome

#: The books taken in each deal: (place of the deal, how many).
BookPlan = tuple[tuple[int, int], ...]

#: How many deals are added up at most for a seat that may take books, shared by the claims of a record: eight claims of
#: three books each can be spread over fifteen deals in every way.
LIMIT = 100_000


def taken(record: Record, by: str, of: str, source: int | None) -> BookPlan:
    """The books that a seat has taken of another for reneges of a deal (by its place), as recorded."""
    found: dict[int, int] = {}
    for index, deal in enumerate(record.deals):
        for event in deal.events:
            if isinstance(event, Transfer) and _is(event, record, index, by, of, source):
                found[index] = found.get(index, 0) + event.tricks
    return tuple((index, many) for index, many in found.items() if many)


def untaken(record: Record, by: str, of: str, source: int | None) -> Record:
    """The record without those books."""
    for index, deal in enumerate(record.deals):
        kept = [event for event in deal.events if not _is(event, record, index, by, of, source)]
        if len(kept) < len(deal.events):
            record = changed(record, index, deal.model_copy(update={"events": kept}))
    return record


def _is(event: Any, record: Record, index: int, by: str, of: str, source: int | None) -> bool:
    mine = event.do == "transfer" and (event.by, event.of) == (by, of)
    return mine and about(record, index, event.of_deal) == source


class Instalments:
    """A renege claimed by a seat, and the ways in which it may take books; the record has none taken for it yet.

    Books are taken in its own deal and in later ones, but for those that have its number as well: a transfer there could not
    say for which of the two it is.
    """

    def __init__(self, record: Record, game: Game, by: str, of: str, time: Time, trick: int, most: int, said: bool) -> None:
        self.record = record if said else _accused(record, Accuse(by=by, of=of, trick=trick), time)
        self.game = compose(game, record.options)[0]
        self.by, self.of, self.source = by, of, time[0]
        self.number = record.deals[self.source].number or self.source + 1
        self.tables: dict[tuple[int, int], Table] = {(i, 0): t for i, t in enumerate(referee.replay(self.record, self.game))}
        self.memo: dict[Any, Any] = {}
        self.held: dict[int, int] = {}  # the deals in which books can be taken, and how many at most
        later = range(self.source + 1, len(record.deals))
        self.unsaid = any(self._number(index) == self.number for index in later)
        for index in [self.source, *(index for index in later if self._number(index) != self.number)]:
            for many in range(1, most + 1):
                tables = self._with(((index, many),))
                if tables is None:
                    break
                self.tables[index, many] = tables[-1]
                self.held[index] = many
        self.most = 0  # in all, as far as the renege gives a right to them
        while self.most < min(most, sum(self.held.values())):
            plan = self._first(self.most + 1)
            if len(plan) > 1 and self._with(plan) is None:
                break
            self.most += 1

    def _number(self, index: int) -> int:
        return self.record.deals[index].number or index + 1

    def _with(self, plan: BookPlan) -> list[Table] | None:
        """The tables of the deals with books taken so; None if they may not be, or if nobody can tell what it makes."""
        chosen, deals = dict(plan), []
        places = sorted({self.source, *chosen})
        for index in places:
            deal = self.record.deals[index]
            taking = [Transfer(by=self.by, of=self.of, tricks=chosen[index], of_deal=self.number)] if index in chosen else []
            deals.append(deal.model_copy(update={"number": self._number(index), "events": [*deal.events, *taking]}))
        tables = referee.replay(self.record.model_copy(update={"deals": deals}), self.game)
        for table, index in zip(tables, places, strict=True):
            place = f"/deals/{table.index}/events/{len(table.deal.events) - 1}/"
            wrong = any(f"{finding.pointer}/".startswith(place) for finding in table.findings)
            if index in chosen and (wrong or not table.counted):
                return None
        return tables

    def plans(self, claims: int) -> tuple[list[BookPlan], bool]:
        """The ways to take books: none first, then by how many, early ones first; and whether that is all of them.

        `claims` is how many are ruled on together. If not all, then the earliest way to take the most is among them.
        """
        most = max(2, LIMIT // len(self.record.deals) // claims)
        every = (plan for total in range(self.most + 1) for plan in self._spread(total, list(self.held)))
        found = list(islice(every, most + 1))
        if len(found) <= most:
            return found, not self.unsaid
        best = self._first(self.most)
        return found[:most] if best in found[:most] else [*found[: most - 1], best], False

    def _first(self, total: int) -> BookPlan:
        return next(self._spread(total, list(self.held)))

    def _spread(self, total: int, spots: list[int]) -> Iterator[BookPlan]:
        """Every way to take so many books in some deals."""
        if not total:
            yield ()
        elif total <= sum(self.held[index] for index in spots):
            for place, index in enumerate(spots):
                for many in range(min(total, self.held[index]), 0, -1):
                    for rest in self._spread(total - many, spots[place + 1 :]):
                        yield ((index, many), *rest)

    def outcome(self, plan: BookPlan, recorded: BookPlan) -> RulingOutcome:
        """How the game stands with books taken so."""
        moves = tuple(Move(self.of, self.by, many, self._number(index)) for index, many in plan)
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
        return RulingOutcome(words(moves, self.by), moves, after=after, taken=bool(plan) and plan == recorded)

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
