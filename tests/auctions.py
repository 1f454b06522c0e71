"""Auctions of La Bâtarde with one thing wrong: another caller, two calls exchanged, one left out, one doubled, another dealer."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from handrec.dealing import deal_game
from handrec.games import find
from tests.games.test_batarde_oracle import some_options
from tests.tables import Data

#: What is done to an auction, each in one place.
KINDS = ("by another seat", "exchanged", "left out", "doubled", "another dealer")


def dealt(seed: int) -> Data:
    """A deal by the rules as plain data, without its score sheet: three to seven players, any options."""
    chance = Random(seed)
    batarde = find("batarde")
    assert batarde is not None
    options = {**some_options(chance), "deal_schedule": [chance.randint(2, 6)]}
    record = deal_game(batarde, chance.randint(3, 7), seed, options=options)
    data: Data = record.model_dump(exclude_unset=True, by_alias=True, mode="json")
    del data["claimed"], data["deals"][0]["claimed"]
    return {**data, "status": "excerpt"}


def planted(record: Data) -> Iterator[tuple[str, int, Data]]:
    """Every single thing that can be wrong with the auction of a deal: its kind, the place of the call, the record with it."""
    (deal,) = record["deals"]
    events, seats = deal["events"], [player["seat"] for player in record["players"]]
    calls = [place for place, event in enumerate(events) if event["do"] == "bid"]

    def with_events(changed: list[Data], **fields: Any) -> Data:
        return {**record, "deals": [{**deal, **fields, "events": changed}]}

    for step, place in enumerate(calls):
        call = events[place]
        for seat in seats:
            if seat != call["by"]:
                yield "by another seat", place, with_events([*events[:place], {**call, "by": seat}, *events[place + 1 :]])
        yield "left out", place, with_events([*events[:place], *events[place + 1 :]])
        yield "doubled", place, with_events([*events[:place], call, *events[place:]])
        if step + 1 < len(calls):
            changed, after = list(events), calls[step + 1]
            changed[place], changed[after] = changed[after], changed[place]
            yield "exchanged", place, with_events(changed)
    for seat in seats:
        if seat != deal["dealer"]:
            yield "another dealer", calls[0], with_events(events, dealer=seat)
