"""Faults of bidding."""

from __future__ import annotations

from random import Random

from handrec.dealing.faults import (
    Data,
    any_deals,
    bids_at_once,
    bids_in_turn,
    has_auction,
    has_bids,
    plants,
    spots_of,
)
from handrec.game import Game
from handrec.phases.auction import Auction
from handrec.phases.open_bids import OpenBids


@plants("BID001", bids_in_turn)
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


@plants("BID005", lambda game: has_bids(game) and not isinstance(game.phase_of["bid"], OpenBids | Auction))
def bid_again(data: Data, rng: Random, game: Game) -> bool:
    """Somebody bids a second time."""
    deal = next(any_deals(data, rng))
    places = spots_of(deal, "bid")
    again = {**deal["events"][rng.choice(places)], "bid": rng.randrange(deal["cards"] + 1)}
    deal["events"].insert(places[-1] + 1, again)
    return True


@plants("BID006", has_bids)
def bid_lacking(data: Data, rng: Random, game: Game) -> bool:
    """What one player bid is missing; of the calls of an auction, the last, or one of a player who made no other."""
    for deal in any_deals(data, rng):
        if has_auction(game):
            calls = spots_of(deal, "bid")
            callers = [deal["events"][place]["by"] for place in calls]
            alone = [place for place, caller in zip(calls, callers, strict=True) if callers.count(caller) == 1]
            del deal["events"][rng.choice([*alone, calls[-1]])]
            return True
        bidders = sorted({deal["events"][place]["by"] for place in spots_of(deal, "bid")})
        if len(bidders) > 1:
            lacking = rng.choice(bidders)
            deal["events"] = [event for event in deal["events"] if event["do"] != "bid" or event["by"] != lacking]
            return True
    return False


@plants("BID007", bids_in_turn)
def bid_late(data: Data, rng: Random, game: Game) -> bool:
    """A bid is made after the first card was led; of the calls of an auction, the last."""
    deal = next(any_deals(data, rng))
    places = spots_of(deal, "bid")
    event = deal["events"].pop(places[-1] if has_auction(game) else rng.choice(places))
    deal["events"].insert(rng.choice(spots_of(deal, "play")) + 1, event)
    return True


@plants("BID021", bids_at_once)
def bid_knowing(data: Data, rng: Random, game: Game) -> bool:
    """A bid is made when the card that lay face down has been turned."""
    deal = next(any_deals(data, rng))
    event = deal["events"].pop(rng.choice(spots_of(deal, "bid")))
    deal["events"].insert(spots_of(deal, "turn")[0] + 1 + rng.randrange(2), event)
    return True
