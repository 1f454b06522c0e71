"""Records to score sheets."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping
from io import StringIO
from typing import Any

from handrec import writing
from handrec.formats.sheet.cells import guarded
from handrec.formats.sheet.columns import FRONT, PARTS, REMARKS
from handrec.record import FORMAT, Comment, Deal, Player, Record


def write(record: Record, delimiter: str = ",") -> str:
    """The record's score sheet: what was written down of bids, tricks, points and totals."""
    labels = {player.seat: _label(player) for player in record.players}
    seats = [player.seat for player in record.players]
    options = json.dumps(record.options, ensure_ascii=False, separators=(", ", ": "))
    status = record.status if "status" in record.model_fields_set else ""
    rows: list[list[Any]] = [[FORMAT, record.game, options, status]]
    rows.append([*FRONT, *(f"{_label(player)} {part}" for player in record.players for part in PARTS), REMARKS])
    for deal in record.deals:
        rows += _lines(deal, seats, labels)
    final = record.claimed
    winners = [labels.get(seat, seat) for seat in (final.winners if final else None) or ()]
    ending = [f"Winner{'s' if winners[1:] else ''}: {', '.join(winners)}"] if winners else []
    if final or record.comments:
        totals = {"total": (final.totals if final else None) or {}}
        rows.append(["total", "", "", "", "", *_shares(seats, totals), _remarks(record.comments, ending)])
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([_shown(value) for value in row] for row in rows)
    return out.getvalue()


def _label(player: Player) -> str:
    return player.seat if player.name is None else f"{player.name} ({player.seat})"


def _lines(deal: Deal, seats: list[str], labels: Mapping[str, str]) -> Iterator[list[Any]]:
    claimed = deal.claimed
    stated = {part: (getattr(claimed, name) if claimed else None) or {} for part, name in PARTS.items()}
    fines: dict[str, int] = {}
    fined = set()
    for place, event in enumerate(deal.events, 1):
        if event.do == "penalty":
            fines[event.of] = fines.get(event.of, 0) - event.points
            fined.add(place)
    on_deal, on_fines = ([note for note in deal.comments or () if (note.event in fined) is late] for late in (False, True))
    trump, dealer = claimed.trump if claimed else None, deal.dealer and labels.get(deal.dealer, deal.dealer)
    before = stated | {"total": {}} if fines else stated  # the totals written down are those after the penalties
    yield ["deal", deal.number, deal.cards, trump, dealer, *_shares(seats, before), _remarks(on_deal)]
    if fines:
        taken = {"points": fines, "total": stated["total"]}
        yield ["penalty", deal.number, "", "", "", *_shares(seats, taken), _remarks(on_fines)]


def _shares(seats: list[str], stated: Mapping[str, Mapping[str, Any]]) -> list[Any]:
    return [stated.get(part, {}).get(seat) for seat in seats for part in PARTS]


def _remarks(comments: list[Comment] | None, before: list[str] | None = None) -> str:
    return "; ".join([*(before or ()), *(comment.text for comment in comments or ())])


def _shown(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    return guarded("\n".join(map(writing.visible, value.split("\n"))))
