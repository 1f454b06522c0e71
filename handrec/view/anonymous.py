"""A record without its people: what is left when names, and all text that may hold one, are taken out."""

from __future__ import annotations

from typing import Any

from handrec.record import Deal, Player, Record


def anonymous(record: Record) -> Record:
    """The record with seats for names, and without id, comments, provenance, extensions, and who ruled."""
    players = [Player(seat=player.seat) for player in record.players]
    without: dict[str, Any] = {"id": None, "comments": None, "provenance": None, "extensions": {}}
    return record.model_copy(update={**without, "players": players, "deals": [_nameless(deal) for deal in record.deals]})


def _nameless(deal: Deal) -> Deal:
    events = [event.model_copy(update={"by": None}) if event.do == "ruling" else event for event in deal.events]
    return deal.model_copy(update={"comments": None, "events": events})
