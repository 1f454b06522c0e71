"""One record out of many, in which each disputed value says where it is from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handrec.diff.choices import Choice, Settling
from handrec.diff.compare import Difference
from handrec.diff.leaves import Leaf, Leaves, Path, gather
from handrec.judging import Find
from handrec.record import Record
from handrec.repair.edits import plain, step

#: The key under a record's `extensions` where it says what it was reconciled from.
RECONCILED = "handrec.reconciled"


def reconcile(
    difference: Difference, find: Find | None = None, names: Sequence[str] | None = None
) -> tuple[Record, tuple[Choice, ...]]:
    """One record out of those compared, and whose value stands in each place where they disagree; see `choices`.

    The record says so itself: `provenance.note` that it was reconciled, and `extensions["handrec.reconciled"]` from which
    records (by `names`, with their own ids and provenance) and, for every disputed place, its `pointer` in this record
    (absent if nothing stands there), the `place` in words, the `reason`, who is `for` it, and what the `others` state.
    """
    settling = Settling(difference, find)
    made = settling.settle()
    return _signed(difference, settling.leaves, made, names or [str(who + 1) for who in range(len(difference.records))]), made


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
    told = {"from": sources, "choices": [_source_of(choice, kept, names) for choice in choices]}
    extensions = data.setdefault("extensions", {})
    key = next(key for key in (RECONCILED, *(f"{RECONCILED}.{n}" for n in range(2, 9999))) if key not in extensions)
    extensions[key] = told
    data["provenance"] = {"kind": "other", "tool": "handrec", "note": f'reconciled from {len(names)} records: extensions "{key}"'}
    return Record.model_validate(data)


def _source_of(choice: Choice, leaves: Leaves, names: Sequence[str]) -> dict[str, Any]:
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
