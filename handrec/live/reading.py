"""Reading what happens at a table: an event, or the beginning of a deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from handrec.findings import Finding
from handrec.formats import json as form
from handrec.game import Game
from handrec.record import KINDS, Deal, Record
from handrec.referee.form import FORM, check_seats


def read_event(event: Any, head: Record, game: Game, seats: tuple[str, ...]) -> tuple[Any, Iterable[Finding]]:
    """An event of a table with this record's head; else what is wrong with its form."""
    kind = KINDS.get(getattr(event, "do", ""))
    if kind is None or type(event) is not kind.model:
        if not isinstance(event, Mapping):
            return None, [Finding(FORM["FMT007"], {"where": "the event", "why": "it is none"})]
        try:
            event = Deal.model_validate({"events": [event]}).events[0]
        except ValidationError:
            record, wrong = _record(head, {"events": [{**event}]})
            if record is None:
                return None, [finding for finding in wrong if finding.severity == "error"]
            event = record.deals[0].events[0]  # a card spelled in another way
        kind = KINDS[event.do]
    if kind.seats == ("by",) and not kind.shares and (event.by is None or event.by in seats):
        return event, ()
    trial = head.model_copy(update={"deals": [Deal.model_construct(_fields_set={"events"}, events=[event])]})
    wrong = check_seats(trial, game)
    return (None, wrong) if wrong else (event, ())


def read_deal(fields: dict[str, Any], head: Record, game: Game) -> tuple[Deal | None, list[Finding]]:
    """A deal without events, of a table with this record's head; else what is wrong with its form."""
    if fields.get("events"):
        return None, [Finding(FORM["FMT007"], {"where": "/events", "why": "events come one at a time"}, "/events")]
    record, wrong = _record(head, {**fields, "events": []})
    errors = [finding for finding in wrong if finding.severity == "error"]
    if record is None or errors:
        return None, errors
    if strange := check_seats(record, game):
        return None, strange
    return record.deals[0], []


def _record(head: Record, deal: dict[str, Any]) -> tuple[Record | None, list[Finding]]:
    """The record of a single deal."""
    return form.load(form_of(head) | {"version": "1.1", "deals": [deal]})


def form_of(part: Record | Deal) -> dict[str, Any]:
    """What a record, or a deal, states besides its deals and events."""
    stated: dict[str, Any] = part.model_dump(by_alias=True, exclude_unset=True, exclude_none=True, exclude={"deals", "events"})
    return stated
