"""Whose value stands where records disagree: what most of them say, else what the rules are for, else the best record's.

*Linked* rows are one choice: an exchange of two cards differs in two places, and neither version is right in one of them and
wrong in the other. Rows are linked that differ in the same card of a deal, and claimed numbers in which the same records stand
against the same others. What more than half of those who vote say is settled (`_Voters`); of what is open the choices of a deal
are judged together, each combination of them by the referee. *The rules are for* a choice if every combination with any other
in its place is worse, and a record is worse if the referee finds more wrong with it: that, and nothing subtler, is what anybody
can look up. A choice is not said to be so if there were too many combinations to try them all.

What is chosen in each place may not go together. So at last the whole is held against every source that has all cards and events
of a deal: where more is found wrong than in the best of them, that one's values stand, first for what is linked, then for the
deal, then for all. (A source without the plays is no better for it: nothing could be found wrong with them.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from typing import Any, Literal

from pydantic import ValidationError

from handrec import writing
from handrec.diff.compare import Difference, DiffRow
from handrec.diff.leaves import Leaves, Path, cards_of, field_of, gather, take
from handrec.explanations import check
from handrec.findings import Verdict
from handrec.judging import Find, Judge
from handrec.record import Record

Reason = Literal["majority", "only", "rules", "best"]

#: How many records the referee is asked about, and how many events they may have together.
LIMIT, EVENTS = 150, 300_000

#: What happened with the cards. Nothing can be found wrong with it in a record that has none of it, which is no better for that.
HAPPENED = ("hands", "aside", "events")

#: So many combinations of choices that hang together are tried.
COMBINATIONS = 64

#: Rows that are one choice.
Linked = tuple[DiffRow, ...]

#: Whose value is taken, by the path of its row.
Sources = dict[Path, int]


@dataclass(frozen=True)
class Choice:
    """Whose value stands in the reconciled record: `source` is the place of a record that has it.

    `reason`: more than half agree · only this one says anything · the rules are for it · nothing tells, and it is that of the
    record with which the least is wrong.
    """

    row: DiffRow
    source: int
    reason: Reason


def tries(difference: Difference) -> int:
    """How many records of this size the referee is asked about at most."""
    return min(LIMIT, EVENTS // max(1 + sum(len(deal.events) for deal in record.deals) for record in difference.records))


def rebuilt(leaves: Leaves) -> Record | None:
    """The record that states these leaves, None if no record can."""
    try:
        return Record.model_validate(gather(leaves))
    except ValidationError:
        return None


def linked(rows: Iterable[DiffRow]) -> list[Linked]:
    """Rows that are one choice, in reading order of the first of each."""
    rows = list(rows)
    of = {row.path: {row.path} for row in rows}
    first = dict[Any, Path]()
    for row in rows:
        for mark in _marks(row):
            together = of[row.path] | of[first.setdefault(mark, row.path)]
            for path in together:
                of[path] = together
    found: dict[frozenset[Path], list[DiffRow]] = {}
    for row in rows:
        found.setdefault(frozenset(of[row.path]), []).append(row)
    return [tuple(together) for together in found.values()]


def _marks(row: DiffRow) -> Iterator[tuple[Any, ...]]:
    """What a row has in common with those that it is linked with."""
    named = [cards_of(row.path, leaf) for leaf in row.leaves if leaf is not None]
    common = set[str]() if field_of(row.path) == "events" else set[str].intersection(*named)
    yield from (("card", row.path[1], card) for card in set[str]().union(*named) - common)
    place = 2 if row.path[0] == "deals" else 0
    if row.path[place : place + 1] == ("claimed",):
        yield "sheet", row.path[: place + 2], row.groups
        if row.path[place + 1 : place + 2] in (("scores",), ("totals",)) and row.seat is not None:
            yield "sheet", row.seat, row.groups


def meaning(row: DiffRow, who: int) -> str | None:
    """What a record states at a row, the same text for all that state the same; of an event what is written."""
    leaf = row.leaves[who]
    if leaf is None:
        return None
    return writing.canonical(leaf.value).decode("utf-8", "surrogatepass") if field_of(row.path) == "events" else leaf.meaning


class Settling:
    """The choices of a difference, made one after the other; `find` gives the game, None if there is nobody to judge."""

    def __init__(self, difference: Difference, find: Find | None) -> None:
        self.difference, self.judge, self.left = difference, Judge(find) if find else None, tries(difference)
        self.rows = [row for row in difference.rows if row.path[0] not in ("provenance", "id")]
        self.facts = [row for row in self.rows if not row.note]
        self.choices = dict[Path, Choice]()
        found = [check(record, self.judge) if self.judge else None for record in difference.records]
        self.verdicts = [verdict for verdict in found if verdict is not None]
        self.faults = [len(verdict.faults) if verdict else 0 for verdict in found]
        self.ranked = sorted(range(len(found)), key=self._rank)
        self.leaves: Leaves = dict(difference.leaves[self.ranked[0]])

    def _rank(self, who: int) -> tuple[int, int, int, int]:
        """The best record first: with the least wrong, that most agree with, that says the most; else by what it says."""
        agreed = sum(row.majority is not None and who in row.majority for row in self.rows)
        return self.faults[who], -agreed, sum(not row.votes[who] for row in self.facts), self.difference.order.index(who)

    def settle(self) -> tuple[Choice, ...]:
        """Make all choices; `leaves` are then those of the reconciled record."""
        for row in self.rows:
            if row.majority is not None:
                self._choose(row, row.majority[0], "majority")
            elif len(row.groups) == 1:
                self._choose(row, row.groups[0][0], "only")
        open_ = [row for row in self.rows if row.path not in self.choices]
        for row in open_:
            self._choose(row, self._source(row, self.ranked[0]), "best")
        if self.judge is not None:
            for together in self._clusters(linked(row for row in open_ if not row.note)):
                self._weigh(together)
        self._keep_to_the_best()
        return tuple(self.choices[row.path] for row in self.rows)

    def _choose(self, row: DiffRow, source: int, reason: Reason) -> None:
        self.choices[row.path] = Choice(row, source, reason)
        take(self.leaves, self.difference.leaves[source], row.path)

    def _source(self, row: DiffRow, who: int) -> int:
        """A record where it has a voice, else the best that has."""
        return next((each for each in (who, *self.ranked) if row.votes[each]), who)

    def _found(self, leaves: Leaves) -> Verdict | None:
        """The verdict on what some leaves state; None if it is no record, or the referee has been asked too often."""
        self.left -= 1
        record = rebuilt(leaves) if self.left >= 0 else None
        return check(record, self.judge) if record is not None and self.judge is not None else None

    # --- what the rules are for ---

    @staticmethod
    def _clusters(links: Sequence[Linked]) -> list[list[Linked]]:
        """Choices that are judged together: those of a deal, and of all deals over which a single choice goes."""
        clusters: list[tuple[set[Any], list[Linked]]] = []
        for link in links:
            deals = {row.path[1] if row.path[0] == "deals" else None for row in link}
            met = [cluster for cluster in clusters if cluster[0] & deals]
            joined = (deals.union(*(each for each, _ in met)), [other for _, others in met for other in others] + [link])
            clusters = [*(cluster for cluster in clusters if cluster not in met), joined]
        return [together for _, together in clusters]

    def _options(self, link: Linked) -> list[Sources]:
        """What can be chosen for linked rows: what each record has in all of them, each once, the best record's first."""
        found: dict[tuple[str | None, ...], Sources] = {}
        for who in self.ranked:
            if any(row.votes[who] for row in link):
                sources = {row.path: self._source(row, who) for row in link}
                found.setdefault(tuple(meaning(row, sources[row.path]) for row in link), sources)
        return [*found.values()]

    def _with(self, sources: Mapping[Path, int]) -> Leaves:
        tried = dict(self.leaves)
        for path, source in sources.items():
            take(tried, self.difference.leaves[source], path)
        return tried

    def _weigh(self, links: Sequence[Linked]) -> None:
        """Choose where the least is found wrong, and say of each choice whether the rules are for it."""
        options = [self._options(link) for link in links]
        whole = [*range(len(links))]
        many = 1
        for each in options:
            many *= len(each)
        complete = many <= min(COMBINATIONS, self.left)
        combinations: Iterable[tuple[int, ...]] = product(*(range(len(each)) for each in options))
        if not complete:  # each choice alone, all others as the best record has them
            single = ((place, other) for place in whole for other in range(1, len(options[place])))
            combinations = chain([(0,) * len(links)], (tuple(other * (at == place) for at in whole) for place, other in single))
        wrong = dict[tuple[int, ...], int]()
        for picked in combinations:
            found = self._found(self._with({path: who for place in whole for path, who in options[place][picked[place]].items()}))
            if found is not None:
                wrong[picked] = len(found.faults)
        if not wrong:
            return
        best = min(wrong, key=lambda picked: (wrong[picked], sum(map(bool, picked)), picked))
        for place, link in enumerate(links):
            others = [many for picked, many in wrong.items() if picked[place] != best[place]]
            told = complete and len(options[place]) > 1 and all(many > wrong[best] for many in others)
            for row in link:
                self._choose(row, options[place][best[place]][row.path], "rules" if told else "best")

    # --- never worse than the best of them ---

    def _keep_to_the_best(self) -> None:
        """Give up choices that do not go together for what the best record has."""
        disputed = {row.path[1] for row in self.facts if row.path[0] == "deals"}
        for place in [*(column for column in self._columns(self.leaves) if column in disputed), None]:
            rows = [row for row in self.rows if place is None or row.path[:2] == ("deals", place)]
            facts = [row for row in rows if not row.note]
            wrong = {
                who: self._wrong(verdict, self._columns(self.difference.leaves[who], stated=True), place)
                for who, verdict in enumerate(self.verdicts)
                if all(row.votes[who] for row in facts if not row.path[2:] or field_of(row.path) in HAPPENED)
            }
            least = min(wrong.values(), default=None)
            if not rows or not self._worse(self.leaves, place, least):
                continue
            best = next((who for who in self.ranked if wrong.get(who) == least), self.ranked[0])
            parts = linked(facts)[:COMBINATIONS] if place is not None else []
            fewer = (part for part in parts if not self._worse(self._with({row.path: best for row in part}), place, least))
            for row in next(fewer, rows):
                self._choose(row, best, "best")

    def _worse(self, leaves: Leaves, place: int | None, least: int | None) -> bool:
        """Whether more is found wrong in a deal, or in all (None), than the least that is; and whether it is no record at all."""
        record = rebuilt(leaves)
        if record is None or least is None or self.judge is None:
            return record is None and place is None
        return self._wrong(check(record, self.judge), self._columns(leaves), place) > least

    @staticmethod
    def _wrong(verdict: Verdict, columns: Sequence[int], place: int | None) -> int:
        """How much is found wrong in a deal, by its column, or in all; `columns` are those of the deals in their order."""
        faults = verdict.faults if place is None else [each for each in verdict.faults if each.deal_index is not None]
        return sum(place is None or columns[each.deal_index or 0] == place for each in faults)

    @staticmethod
    def _columns(leaves: Leaves, stated: bool = False) -> list[int]:
        """The columns of the deals in the order of the record that `stated` the leaves, else of one gathered from them."""
        found = {int(path[1]): leaf for path, leaf in leaves.items() if path[0] == "deals" and path[2:] == ("status",)}
        return sorted(found, key=lambda column: int(found[column].pointer.split("/")[2]) if stated else column)
