"""The status of a record that does not state it: told by its deals, in one way for all formats, and said.

A scorekeeper who types three deals of an evening says nothing of the rest. To take them for a whole game would find it too short,
and to take a whole game for an excerpt would leave its end unchecked. So a game is taken for complete if it has all its deals, or
if who won is written down, or the totals in the end are such that it is over; for one in progress if its deals are the first;
else for an excerpt. What is taken for granted is not written into the record: only its own writer can state it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from handrec import games
from handrec.findings import Finding
from handrec.game import Game, Standings, compose
from handrec.record import Deal, Record
from handrec.referee.form import FORM

#: What a record is taken for, in words; one that is taken for complete needs none: it is checked as a whole.
TAKEN = {"excerpt": "an excerpt", "in_progress": "a game in progress"}


def settled(record: Record, find: Callable[[str], Game | None] = games.find) -> tuple[Record, tuple[Finding, ...]]:
    """The record with the status that its deals tell, and that as a remark; as it is where the status is stated.

    A record that is settled already stays as it is, with the same remark.
    """
    if "status" in record.model_fields_set or (found := find(record.game)) is None:
        return record, ()
    game = compose(found, record.options)[0]
    if len(record.players) not in game.players:
        return record, ()
    schedule = game.cards(len(record.players))
    many, of = len(record.deals), 0 if isinstance(schedule, int) else len(schedule)
    status = _status(record, game, of)
    if status != record.status:
        record = record.model_copy(update={"status": status})
        record.model_fields_set.remove("status")  # it is still not stated
    if status not in TAKEN:
        return record, ()
    first = "the first " if status == "in_progress" and many and of else ""
    deals = f"{first}{many} of {of} deals".replace("first 1 of", "first of") if of else f"{many} deal{'s' * (many != 1)}"
    return record, (Finding(FORM["FMT021"], {"taken": TAKEN[status], "deals": deals, "status": status}),)


def _status(record: Record, game: Game, of: int) -> str:
    won = record.claimed is not None and record.claimed.winners is not None
    if won or (of and len(record.deals) >= of):
        return "complete"
    if not _from_the_first(record.deals):
        return "excerpt"
    return "complete" if not of and _over(record, game) else "in_progress"


def _from_the_first(deals: Sequence[Deal]) -> bool:
    """Whether the deals are the first of a game: by their numbers or, without these, by totals that begin with a score."""
    if any(deal.number not in (None, place) for place, deal in enumerate(deals, 1)):
        return False
    if not deals or deals[0].number is not None:
        return True
    claimed = deals[0].claimed
    return claimed is not None and claimed.totals is not None and claimed.totals == claimed.scores


def _over(record: Record, game: Game) -> bool:
    """Whether the totals that are written down in the end are such that the game is over."""
    last = record.deals[-1].claimed if record.deals else None
    totals = (record.claimed and record.claimed.totals) or (last and last.totals) or {}
    seats = [player.seat for player in record.players]
    if set(totals) != set(seats):
        return False
    carried = {carry.key: (carry.start,) * len(seats) for carry in game.carries}
    return game.over(Standings(tuple(totals[seat] for seat in seats), carried, len(record.deals)))
