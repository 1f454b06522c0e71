"""Faults planted in what is bid, for the phases in which players bid."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from handrec.game import Game
from handrec.game.planting import Data, Planting, any_deals, spots_of


def bids_exchanged(data: Data, rng: Random, game: Game) -> bool:
    """Two neighbours bid in the wrong order."""
    for deal in any_deals(data, rng):
        places = spots_of(deal, "bid")
        if len(places) > 1:
            events, spot = deal["events"], rng.randrange(len(places) - 1)
            first, second = places[spot], places[spot + 1]
            events[first], events[second] = events[second], events[first]
            return True
    return False


def bid_again(data: Data, rng: Random, game: Game) -> bool:
    """Somebody bids a second time."""
    deal = next(any_deals(data, rng))
    places = spots_of(deal, "bid")
    again = {**deal["events"][rng.choice(places)], "bid": rng.randrange(deal["cards"] + 1)}
    deal["events"].insert(places[-1] + 1, again)
    return True


def bids_lacking(data: Data, rng: Random, game: Game) -> bool:
    """All that one player bid is missing."""
    for deal in any_deals(data, rng):
        bidders = sorted({deal["events"][place]["by"] for place in spots_of(deal, "bid")})
        if len(bidders) > 1:
            lacking = rng.choice(bidders)
            deal["events"] = [event for event in deal["events"] if event["do"] != "bid" or event["by"] != lacking]
            return True
    return False


def call_lacking(data: Data, rng: Random, game: Game) -> bool:
    """The last call of an auction is missing, or one of a player who made no other."""
    deal = next(any_deals(data, rng))
    calls = spots_of(deal, "bid")
    callers = [deal["events"][place]["by"] for place in calls]
    alone = [place for place, caller in zip(calls, callers, strict=True) if callers.count(caller) == 1]
    del deal["events"][rng.choice([*alone, calls[-1]])]
    return True


def bid_late(data: Data, rng: Random, game: Game) -> bool:
    """A bid is made after the first card was led."""
    deal = next(any_deals(data, rng))
    return _after_lead(deal, rng.choice(spots_of(deal, "bid")), rng)


def call_late(data: Data, rng: Random, game: Game) -> bool:
    """The last call of an auction is made after the first card was led."""
    deal = next(any_deals(data, rng))
    return _after_lead(deal, spots_of(deal, "bid")[-1], rng)


def _after_lead(deal: Data, place: int, rng: Random) -> bool:
    event = deal["events"].pop(place)
    deal["events"].insert(rng.choice(spots_of(deal, "play")) + 1, event)
    return True


def other_bid(data: Data, rng: Random, game: Game) -> bool:
    """A number is written down as a bid on the score sheet that was not bid."""
    deal = next(any_deals(data, rng))
    return written_otherwise(deal, range(deal["cards"] + 1), rng)


def written_otherwise(deal: Data, bids: Any, rng: Random) -> bool:
    """Another of the bids that there are is written down on the score sheet."""
    written = deal["claimed"]["bids"]
    seat = rng.choice(sorted(written))
    parts = (written[seat], *re.findall("[0-9]+|[^0-9]+", str(written[seat])))
    written[seat] = rng.choice([bid for bid in bids if bid not in parts and str(bid) not in parts])
    return True


#: Where each player bids once, in turn.
IN_TURN = {
    "BID001": Planting(bids_exchanged),
    "BID005": Planting(bid_again),
    "BID006": Planting(bids_lacking),
    "BID007": Planting(bid_late),
    "SCO004": Planting(other_bid),
}
#: Where each raises at will.
OPEN = {"BID006": Planting(bids_lacking), "SCO004": Planting(other_bid)}
#: Where calls are made as often as it takes.
CALLS = {
    "BID001": Planting(bids_exchanged),
    "BID006": Planting(call_lacking),
    "BID007": Planting(call_late),
    "SCO004": Planting(other_bid),
}
