"""One record out of many: what most of them say, then what the rules are for, each disputed value with where it is from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from handrec.diff.compare import Difference, DiffRow
from handrec.diff.leaves import Leaf, Leaves, Path, gather, take
from handrec.diff.vote import rebuilt, tries
from handrec.judging import Find
from handrec.record import Record
from handrec.referee import check
from handrec.repair.edits import plain, step

#: The key under a record's `extensions` where it says what it was reconciled from.
RECONCILED = "handrec.reconciled"

Reason = Literal["majority", "only", "rules", "first"]


@dataclass(frozen=True)
class Choice:
    """Whose value stands in the reconciled record: `source` is the place of a record that has it.

    `reason`: more than half agree · only this one says anything · the rules are for it · it is the first, and nothing
    tells them apart.
    """

    row: DiffRow
    source: int
    reason: Reason


def reconcile(
    difference: Difference, find: Find | None = None, names: Sequence[str] | None = None
) -> tuple[Record, tuple[Choice, ...]]:
    """One record out of those compared, and whose value stands in each place where they disagree.

    The record says so itself: `provenance.note` that it was reconciled, and `extensions["handrec.reconciled"]` from which
    records (by `names`, with their own ids and provenance) and, for every disputed place, its `pointer` in this record
    (absent if nothing stands there), the `place` in words, the `reason`, who is `for` it, and what the `others` state.
    Raises ValueError if what they say together is no record.
    """
    rows = [row for row in difference.rows if row.path[0] not in ("provenance", "id")]
    choices = {row.path: _settled(row) for row in rows}
    leaves = dict(difference.leaves[0])
    for path, choice in choices.items():
        if choice is not None:
            take(leaves, difference.leaves[choice.source], path)
    open_rows = [row for row in rows if choices[row.path] is None]
    leaves = _by_rules(difference, open_rows, leaves, find, choices)
    made = tuple(choice for choice in choices.values() if choice is not None)
    return _signed(difference, leaves, made, names or [str(who + 1) for who in range(len(difference.records))]), made


def _settled(row: DiffRow) -> Choice | None:
    """What the records settle among themselves: by majority, or because the others are silent."""
    if row.majority is not None:
        return Choice(row, row.majority[0], "majority")
    if len(row.groups) == 1:
        return Choice(row, row.groups[0][0], "only")
    return None


def _by_rules(
    difference: Difference, rows: list[DiffRow], leaves: Leaves, find: Find | None, choices: dict[Path, Choice | None]
) -> Leaves:
    """Settle what is open: begin with the version that has the fewest faults, then try each other value in its place."""
    left = tries(difference)

    def wrong(sources: dict[Path, int]) -> int | None:
        """How many faults there are with these sources, None if that is not known."""
        nonlocal left
        if find is None or left <= 0:
            return None
        left -= 1
        record = rebuilt(with_(sources))
        return None if record is None else len(check(record, find).faults)

    def with_(sources: dict[Path, int]) -> Leaves:
        tried = dict(leaves)
        for path, source in sources.items():
            take(tried, difference.leaves[source], path)
        return tried

    def from_(who: int) -> dict[Path, int]:
        """This record's word wherever it has one, else that of the first who has."""
        return {row.path: next(each for each in (who, *range(len(row.votes))) if row.votes[each]) for row in rows}

    counts = [(wrong(from_(who)), who) for who in range(len(difference.records))] if rows else []
    best, base = min(((count, who) for count, who in counts if count is not None), default=(None, 0))
    sources = from_(base)
    for row in rows:
        others = [group[0] for group in row.groups if sources[row.path] not in group]
        found = [(wrong({**sources, row.path: other}), other) for other in others]
        told = best is not None and all(count not in (None, best) for count, _ in found)
        for count, other in found:
            if best is not None and count is not None and count < best:
                best, sources[row.path] = count, other
        choices[row.path] = Choice(row, sources[row.path], "rules" if told else "first")
    return with_(sources)


def _signed(difference: Difference, leaves: Leaves, choices: tuple[Choice, ...], names: Sequence[str]) -> Record:
    """The record, saying what it was reconciled from, and how."""
    kept = {path: leaf for path, leaf in leaves.items() if path[0] not in ("provenance", "id")}
    ids = {record.id for record in difference.records}
    data = gather(kept)
    if len(ids) == 1 and None not in ids:
        data["id"] = ids.pop()
    sources = []
    for name, record in zip(names, difference.records, strict=True):
        stated = plain(record)
        sources.append({"name": name, **{key: stated[key] for key in ("id", "provenance") if key in stated}})
    told = {"from": sources, "choices": [_told(choice, kept, names) for choice in choices]}
    extensions = data.setdefault("extensions", {})
    key = next(key for key in (RECONCILED, *(f"{RECONCILED}.{n}" for n in range(2, 9999))) if key not in extensions)
    extensions[key] = told
    data["provenance"] = {"kind": "other", "tool": "handrec", "note": f'reconciled from {len(names)} records: extensions "{key}"'}
    return Record.model_validate(data)


def _told(choice: Choice, leaves: Leaves, names: Sequence[str]) -> dict[str, Any]:
    row = choice.row
    mine = row.leaves[choice.source]

    def agrees(leaf: Leaf | None) -> bool:
        return (leaf.meaning if leaf else None) == (mine.meaning if mine else None)

    place = {"pointer": _pointer(leaves, row.path)} if mine is not None else {}
    return {
        **place,
        "place": ": ".join(filter(None, (row.place, row.what))),
        "reason": choice.reason,
        "for": [names[who] for who, leaf in enumerate(row.leaves) if row.votes[who] and agrees(leaf)],
        "others": {
            names[who]: {"value": leaf.value} if leaf else {}
            for who, leaf in enumerate(row.leaves)
            if row.votes[who] and not agrees(leaf)
        },
    }


def _pointer(leaves: Leaves, path: Path) -> str:
    """Where a path stands in the record that states the leaves."""
    if path[0] == "names":
        seats = leaves["players",].value
        return f"/players/{seats.index(path[1])}/name" if path[1] in seats else ""
    steps = []
    for depth, key in enumerate(path):
        if isinstance(key, int):
            before = {other[depth] for other in leaves if other[:depth] == path[:depth] and len(other) > depth}
            key = sum(isinstance(other, int) and other < key for other in before)
        steps.append(step(key))
    return "/" + "/".join(steps)
