"""Faults planted in the auction of a board of bridge, and in what its number says."""

from __future__ import annotations

from random import Random

from handrec.game import Game
from handrec.game.planting import Data, any_deals, spots_of
from handrec.phases.bidding import CALLS, PASS, level_and_strain


def last_left_out(data: Data, rng: Random, game: Game) -> bool:
    """The last call of an auction is missing."""
    deal = next(any_deals(data, rng))
    del deal["events"][spots_of(deal, "bid")[-1]]
    return True


def first_left_out(data: Data, rng: Random, game: Game) -> bool:
    """The passes in front are left out, or some of them."""
    for deal in any_deals(data, rng):
        places = spots_of(deal, "bid")
        opened = next(at for at, place in enumerate(places) if deal["events"][place]["bid"] != PASS)
        if opened:
            del deal["events"][places[0] : places[rng.randrange(1, opened + 1)]]
            return True
    return False


def called_though_barred(data: Data, rng: Random, game: Game) -> bool:
    """A player takes back an insufficient bid and passes, and the partner bids, doubles or redoubles later, once."""
    for deal in any_deals(data, rng):
        places = spots_of(deal, "bid")
        calls = [deal["events"][place]["bid"] for place in places]
        fitting = []
        for at, call in enumerate(calls):
            later = sum(each != PASS for each in calls[at + 2 :: 4])
            last = next((each for each in reversed(calls[:at]) if level_and_strain(each)), None)
            if call == PASS and later == 1 and last is not None:
                fitting.append((at, last))
        if fitting:
            at, last = rng.choice(fitting)
            event = deal["events"][places[at]]
            deal["events"][places[at] : places[at]] = [
                {"do": "bid", "by": event["by"], "bid": last},
                {"do": "withdraw", "by": event["by"], "bid": last},
            ]
            return True
    return False


def all_pass(data: Data, rng: Random, game: Game) -> bool:
    """Four passes are written down in front of a play."""
    deal = next(any_deals(data, rng))
    seats = [player["seat"] for player in data["players"]]
    first = seats.index(deal["dealer"])
    passes = [{"do": "bid", "by": seats[(first + step) % 4], "bid": PASS} for step in range(4)]
    deal["events"] = [*passes, *(event for event in deal["events"] if event["do"] not in ("bid", "contract"))]
    return True


def taken_back_late(data: Data, rng: Random, game: Game) -> bool:
    """A call is taken back when the next seat has called over it."""
    deal = next(any_deals(data, rng))
    places = spots_of(deal, "bid")
    at = rng.randrange(len(places) - 1)
    event = deal["events"][places[at]]
    deal["events"].insert(places[at + 1] + 1, {"do": "withdraw", "by": event["by"], "bid": event["bid"]})
    return True


def other_dealer(data: Data, rng: Random, game: Game) -> bool:
    """Another dealer is written down than the board's number gives."""
    deal = next(any_deals(data, rng))
    deal["dealer"] = rng.choice([player["seat"] for player in data["players"] if player["seat"] != deal["dealer"]])
    return True


def other_vulnerability(data: Data, rng: Random, game: Game) -> bool:
    """Another vulnerability is written down than the board's number gives."""
    deal = next(any_deals(data, rng))
    deal["vulnerable"] = rng.choice([sides for sides in ("none", "NS", "EW", "all") if sides != deal["vulnerable"]])
    return True


def _stated_otherwise(data: Data, rng: Random, declarer: bool) -> bool:
    """The contract that is stated after the calls is another."""
    deal, seats = rng.choice(data["deals"]), [player["seat"] for player in data["players"]]
    event = next(event for event in deal["events"] if event["do"] == "contract")
    bids = (*CALLS[3:], *(f"{call}x" for call in CALLS[3:]), PASS)
    key, others = ("by", seats) if declarer else ("bid", bids)
    event[key] = rng.choice([other for other in others if other != event[key]])
    return True


def other_contract(data: Data, rng: Random, game: Game) -> bool:
    """Another contract is stated than the calls came to."""
    return _stated_otherwise(data, rng, False)


def other_declarer(data: Data, rng: Random, game: Game) -> bool:
    """Another declarer is stated than the calls came to."""
    return _stated_otherwise(data, rng, True)
