"""The rules' vote: which version of a record is legal and agrees with itself, and what the others need to become so."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from pydantic import ValidationError

from handrec.diff.compare import Difference, DiffRow
from handrec.diff.leaves import Leaves, gather, take
from handrec.explanations import check
from handrec.findings import Verdict
from handrec.judging import Find, Judge
from handrec.record import Record
from handrec.repair import Edit, legal

#: How many records the referee is asked about for one version, and how many events they may have together.
LIMIT, EVENTS = 150, 300_000

#: And how many deals, in search of edits that no other version has.
BUDGET = 300

#: No edits are sought for a record with a deal of more events than this: no game has so many.
LONG = 400


@dataclass(frozen=True)
class Change:
    """What a version would need: the value of another one (`source`, by its place) at a row."""

    row: DiffRow
    source: int


@dataclass(frozen=True)
class Version:
    """One version before the referee.

    `changes` is the smallest set found of values to take from other versions so that nothing is wrong with it, None if
    there is none; only then are `edits` looked for, the smallest sets of edits that need no other version, best proof
    first. Both are empty for a version with which nothing is wrong.
    """

    verdict: Verdict
    changes: tuple[Change, ...] | None
    edits: tuple[tuple[Edit, ...], ...]


def vote(difference: Difference, find: Find, limit: int = LIMIT) -> tuple[Version, ...]:
    """The referee's verdict on each version, and what it needs; `find` gives the game for its name.

    `limit` is how many records the referee is asked about for each version: beyond, a set of changes may not be the
    smallest.
    """
    verdicts = [check(record, Judge(find)) for record in difference.records]
    limit = min(limit, tries(difference))
    versions = []
    for who, verdict in enumerate(verdicts):
        if verdict.ok:
            versions.append(Version(verdict, (), ()))
            continue
        changes = _changes(difference, verdicts, who, find, limit)
        record = difference.records[who]
        mendable = changes is None and verdict.deals and all(len(deal.events) <= LONG for deal in record.deals)
        game = find(record.game) if mendable else None
        versions.append(Version(verdict, changes, legal(record, game, BUDGET) if game else ()))
    return tuple(versions)


def tries(difference: Difference) -> int:
    """How many records of this size the referee is asked about at most."""
    return min(LIMIT, EVENTS // max(1 + sum(len(deal.events) for deal in record.deals) for record in difference.records))


def rebuilt(leaves: Leaves) -> Record | None:
    """The record that states these leaves, None if no record can."""
    try:
        return Record.model_validate(gather(leaves))
    except ValidationError:
        return None


def changed(difference: Difference, who: int, changes: Iterable[Change]) -> Record | None:
    """A version with some changes made, None if that is no record."""
    leaves = dict(difference.leaves[who])
    for change in changes:
        take(leaves, difference.leaves[change.source], change.row.path)
    return rebuilt(leaves)


def _changes(difference: Difference, verdicts: Sequence[Verdict], who: int, find: Find, limit: int) -> tuple[Change, ...] | None:
    """The smallest set of changes found after which nothing is wrong with a version."""
    left = limit

    def clean(changes: Sequence[Change]) -> bool:
        nonlocal left
        left -= 1
        record = changed(difference, who, changes)
        return record is not None and check(record, Judge(find)).ok

    candidates = sorted(_candidates(difference, who), key=lambda change: not _suspected(change.row, verdicts[who]))
    small: Iterator[tuple[Change, ...]] = (few for size in (1, 2) for few in combinations(candidates, size))
    for few in small:
        if left <= limit // 3:
            break
        if clean(few):
            return few
    for source, verdict in enumerate(verdicts):
        whole = [Change(change.row, source) for change in candidates if change.row.leaves[source] != change.row.leaves[who]]
        if verdict.ok and clean(whole):
            for change in list(whole):
                fewer = [other for other in whole if other is not change]
                if left > 0 and clean(fewer):
                    whole = fewer
            places = {row.path: place for place, row in enumerate(difference.rows)}
            return tuple(sorted(whole, key=lambda change: places[change.row.path]))
    return None


def _candidates(difference: Difference, who: int) -> Iterator[Change]:
    """Every value that another version has otherwise, once."""
    for row in difference.rows:
        if row.note:
            continue
        mine, seen = row.leaves[who], set()
        for source, leaf in enumerate(row.leaves):
            meaning = leaf.meaning if leaf else None
            if meaning != (mine.meaning if mine else None) and meaning not in seen:
                seen.add(meaning)
                yield Change(row, source)


def _suspected(row: DiffRow, verdict: Verdict) -> bool:
    """Whether a fault was found in the deal of a row."""
    return any(finding.deal == row.deal for finding in verdict.faults)
