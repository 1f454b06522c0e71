"""Records fed to a table event by event, as if they were being played."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import handrec
from handrec.live import LiveTable
from handrec.record import Record

#: What is done with a table after each event: it goes on with the table that this answers.
After = Callable[[LiveTable], LiveTable]

#: Of a record, and of a deal, what is known when it is over.
AT_THE_END = ("status", "claimed", "comments", "provenance", "extensions")
LATER = ("status", "claimed", "comments")


def stated(part: Any, *without: str) -> dict[str, Any]:
    """What a record or a deal states, as plain values, but for some of its fields."""
    return part.model_dump(mode="json", exclude_unset=True, exclude={*without}, by_alias=True)  # type: ignore[no-any-return]


def opened(record: Record) -> LiveTable:
    """The table of a record, at which no deal has begun."""
    head = stated(record)
    status = "excerpt" if record.status == "excerpt" else None
    return handrec.table(record.game, head["players"], head.get("options"), id=record.id, status=status)


def fed(record: Record, after: After = lambda table: table, answered: Callable[[Any], None] = lambda answer: None) -> LiveTable:
    """The table at which all of a record has happened, one event at a time; nothing may be refused.

    Where deals were left before they were played, the next is begun by force. `answered` is shown what the table answers to
    each event.
    """
    table = opened(record)
    for deal in record.deals:
        begin = table.force if left_unplayed(record) else table.apply
        taken(begin({"do": "deal", **stated(deal, "events", *LATER)}))
        for event in deal.events:
            answer = table.apply(event)
            taken(answer)
            answered(answer)
            table = after(table)
        if notes := {name: value for name, value in stated(deal, "events").items() if name in LATER}:
            taken(table.note(**notes))
    taken(table.end(**{name: value for name, value in stated(record).items() if name in AT_THE_END}))
    return table


def left_unplayed(record: Record) -> bool:
    """Whether a deal of a record that is not the last is not played to its end: nobody can say so before the next one begins."""
    return any(not any(event.do == "play" for event in deal.events) for deal in record.deals[:-1])


def taken(answer: Any) -> None:
    """Nothing is refused."""
    assert answer.ok, answer.message


def resumed(table: LiveTable) -> LiveTable:
    """The same table, out of its snapshot."""
    return handrec.resume(table.snapshot())
