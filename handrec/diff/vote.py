"""The rules' vote: which version of a record is legal and agrees with itself, and what the others need to become so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from handrec.diff.choices import linked, meaning, rebuilt, tries
from handrec.diff.compare import Difference, DiffRow
from handrec.diff.leaves import take
from handrec.explanations import check
from handrec.findings import Verdict
from handrec.judging import Find, Judge
from handrec.record import Record
from handrec.repair import Edit, legal

#: How many deals the referee is asked about, in search of edits that no other version has.
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


def vote(difference: Difference, find: Find) -> tuple[Version, ...]:
    """The referee's verdict on each version, and what it needs; `find` gives the game for its name."""
    verdicts = [check(record, Judge(find)) for record in difference.records]
    versions = []
    for who, verdict in enumerate(verdicts):
        if verdict.ok:
            versions.append(Version(verdict, (), ()))
            continue
        changes = _changes(difference, verdicts, who, find)
        record = difference.records[who]
        mendable = changes is None and verdict.deals and all(len(deal.events) <= LONG for deal in record.deals)
        game = find(record.game) if mendable else None
        versions.append(Version(verdict, changes, legal(record, game, BUDGET) if game else ()))
    return tuple(versions)


def changed(difference: Difference, who: int, changes: Iterable[Change]) -> Record | None:
    """A version with some changes made, None if that is no record."""
    leaves = dict(difference.leaves[who])
    for change in changes:
        take(leaves, difference.leaves[change.source], change.row.path)
    return rebuilt(leaves)


def _changes(difference: Difference, verdicts: Sequence[Verdict], who: int, find: Find) -> tuple[Change, ...] | None:
    """The smallest set of changes found after which nothing is wrong with a version: one choice, two, or a whole other version.

    No more than `tries` records are judged: beyond that, the set may not be the smallest.
    """
    limit = left = tries(difference)

    def clean(changes: Sequence[Change]) -> bool:
        nonlocal left
        left -= 1
        record = changed(difference, who, changes)
        return record is not None and check(record, Judge(find)).ok

    def needed(changes: tuple[Change, ...]) -> tuple[Change, ...]:
        for change in changes:
            fewer = tuple(other for other in changes if other is not change)
            if fewer and left > 0 and clean(fewer):
                changes = fewer
        return changes

    candidates = sorted(_candidates(difference, who), key=lambda part: (not _suspected(part, verdicts[who]), len(part)))
    for few in chain(((part,) for part in candidates), combinations(candidates, 2)):
        if left <= limit // 3:
            break
        if clean(together := tuple(chain(*few))):
            return needed(together)
    for source in difference.order:
        whole = tuple(
            Change(row, source) for row in difference.rows if not row.note and meaning(row, source) != meaning(row, who)
        )
        if verdicts[source].ok and clean(whole):
            return needed(whole)
    return None


def _candidates(difference: Difference, who: int) -> list[tuple[Change, ...]]:
    """What another version has otherwise in rows that are one choice, each once."""
    found = []
    for link in linked(row for row in difference.rows if not row.note):
        seen = {tuple(meaning(row, who) for row in link)}
        for source in difference.order:
            told = tuple(meaning(row, source) for row in link)
            if told not in seen:
                seen.add(told)
                found.append(tuple(Change(row, source) for row in link if meaning(row, source) != meaning(row, who)))
    return found


def _suspected(changes: Sequence[Change], verdict: Verdict) -> bool:
    """Whether a fault was found in the deal of a change."""
    return any(finding.deal == change.row.deal for finding in verdict.faults for change in changes)
