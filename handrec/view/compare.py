"""Two records beside each other: which deals belong together, and where they say different things."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from handrec import diff, games
from handrec.diff import CannotSeat, Difference, DiffRow
from handrec.record import Record
from handrec.report.diff import label, shown
from handrec.report.safe import MESSAGE, safe

#: What is written down when a deal has been played; all else but its events is known before.
AFTERWARDS = {"claimed", "status"}


def compare(stated: Sequence[Record], records: Sequence[dict[str, Any]], signed: Callable[[str], str]) -> str | None:
    """Note in the data of two records what differs, as `diff` finds it; returns why that cannot be told, if it cannot.

    Each deal has the `mate` of its number in the other, the second of a number going with the second. It lists its
    `differences`, each with what stands here and in the other, and after how many steps it is reached; steps that are part of
    one say `differs`; `others` are the cards of a hand that the other record does not have there, by seat. What is of the
    game as a whole stands among the record's own `differences`.
    """
    for here, there in (records, records[::-1]):
        mates = {(deal["number"], deal["nth"]): place for place, deal in enumerate(there["deals"])}
        for deal in here["deals"]:
            deal["mate"] = mates.get((deal["number"], deal["nth"]))
    try:
        found = diff.compare(stated, games.find, facts=True)
    except CannotSeat as error:
        return safe(error.why.format(one="A", other="B"), MESSAGE)
    for row in found.rows:
        _note(found, row, records, signed)
    return None


def _note(found: Difference, row: DiffRow, records: Sequence[dict[str, Any]], signed: Callable[[str], str]) -> None:
    what, words = label(row), [signed(each) for each in shown(row)]
    for who, (record, place) in enumerate(zip(records, _deals(row, records), strict=True)):
        said = {"what": what, "here": words[who], "other": words[1 - who]}
        if row.path[0] != "deals":
            record["differences"].append(said)
        elif place is not None and len(row.path) > 2:
            deal = record["deals"][place]
            deal["differences"].append({**said, "after": _after(found, row, who, deal)})
            _mark(row, who, record["seats"], deal)


def _deals(row: DiffRow, records: Sequence[dict[str, Any]]) -> Iterator[int | None]:
    """The deal of a row in each record, by its place; where one states nothing of it, its mate of the other's."""
    own = [int(leaf.pointer.split("/")[2]) if leaf and row.path[0] == "deals" else None for leaf in row.leaves]
    for place, other, there in zip(own, own[::-1], records[::-1], strict=True):
        yield place if place is not None or other is None else there["deals"][other]["mate"]


def _after(found: Difference, row: DiffRow, who: int, deal: dict[str, Any]) -> int:
    """After how many steps of a record's deal a row is reached; where it lacks an event, after what comes before."""
    if row.path[2] != "events":
        return len(deal["steps"]) if row.path[2] in AFTERWARDS else 0
    until = [
        int(leaf.pointer.split("/")[4])
        for path, leaf in found.leaves[who].items()
        if path[:3] == row.path[:3] and int(path[3]) <= int(row.path[3])
    ]
    return max((spot for spot, step in enumerate(deal["steps"], 1) if step["event"] in until), default=0)


def _mark(row: DiffRow, who: int, seats: Sequence[dict[str, Any]], deal: dict[str, Any]) -> None:
    """Mark the step that a row is about, or the cards of a hand that only one record has there."""
    mine, theirs = row.leaves[who], row.leaves[1 - who]
    if mine is None:
        return
    _, _, _, field, *more = mine.pointer.split("/")
    if field == "events":
        for step in deal["steps"]:
            if step["event"] == int(more[0]):
                step["differs"] = True
    elif field == "hands" and isinstance(mine.value, list) and theirs is not None:
        seat = next((place for place, each in enumerate(seats) if each["seat"] == more[0]), None)
        if seat is not None:
            deal["others"][seat] = [card for card in mine.value if card not in theirs.value]
