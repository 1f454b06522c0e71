"""Faults of what is written down, and of claims."""

from __future__ import annotations

from random import Random

from handrec.dealing.faults import ends, is_scored, plants
from handrec.game import Game
from handrec.game.planting import Data, another, any_deals, change_one, spots_of, tricks_of


@plants("TRK001")
def other_winner(data: Data, rng: Random, game: Game) -> bool:
    """A trick is written down for another player."""
    winners = next(any_deals(data, rng))["claimed"]["winners"]
    place = rng.randrange(len(winners))
    other = another(data, winners[place], rng)
    winners[place] = other or winners[place]
    return other is not None


@plants("TRK002")
def miscounted(data: Data, rng: Random, game: Game) -> bool:
    """A player's tricks are miscounted."""
    return change_one(next(any_deals(data, rng))["claimed"]["tricks"], rng, 0)


@plants("TRK003")
def other_leader(data: Data, rng: Random, game: Game) -> bool:
    """Another seat is written down as first leader."""
    deal = next(any_deals(data, rng))
    leader = deal["events"][spots_of(deal, "play")[0]]["by"]
    deal["leader"] = another(data, leader, rng) or leader
    return len(data["players"]) > 1


@plants("TRK004")
def winner_lacking(data: Data, rng: Random, game: Game) -> bool:
    """The list of winners lacks the last trick."""
    next(any_deals(data, rng))["claimed"]["winners"].pop()
    return True


@plants("SCO001", is_scored)
def other_score(data: Data, rng: Random, game: Game) -> bool:
    """A player's points in a deal are wrong."""
    claimed = next(any_deals(data, rng))["claimed"]
    if "sides" not in claimed:
        return change_one(claimed["scores"], rng, -9999)
    side = rng.choice([*claimed["sides"].values()])
    side["score"] += rng.choice([-10, 10])
    return True


@plants("SCO002", lambda game: is_scored(game) and ends(game))
def other_total(data: Data, rng: Random, game: Game) -> bool:
    """A running total is added up wrongly."""
    return change_one(next(any_deals(data, rng))["claimed"].get("totals", {}), rng, -9999)


@plants("SCO003", lambda game: is_scored(game) and ends(game))
def other_champion(data: Data, rng: Random, game: Game) -> bool:
    """Somebody else is written down as winner of the game."""
    claimed = data.get("claimed", {})
    losers = [p["seat"] for p in data["players"] if p["seat"] not in claimed.get("winners", ())]
    if not losers or "winners" not in claimed:
        return False
    claimed["winners"] = [rng.choice(losers)]
    return True


@plants("SCO005", ends, reckoned=True)
def deal_lacking(data: Data, rng: Random, game: Game) -> bool:
    """A game said to be complete lacks its last deal."""
    if data["status"] != "complete" or len(data["deals"]) < 2:
        return False
    data["deals"].pop()
    return True


@plants("CLM001")
def overclaimed(data: Data, rng: Random, game: Game) -> bool:
    """The last tricks are claimed instead of played, one more than there are."""
    deal = next(any_deals(data, rng))
    if "status" in deal or "winners" not in deal["claimed"]:
        return False
    played = rng.randrange(deal["cards"])
    rest = deal["claimed"]["winners"][played:]
    gone = [place for places in tricks_of(data, deal, game)[played:] for place in places]
    gone += [place for place in spots_of(deal, "turn") if place > gone[0]]
    for place in sorted(gone, reverse=True):
        del deal["events"][place]
    shares = {seat: rest.count(seat) for seat in sorted(set(rest))}
    shares[rng.choice(sorted(shares))] += 1
    claimer = rest[0] if rest[0] not in game.extras else data["players"][0]["seat"]
    deal["events"].append({"do": "claim", "by": claimer, "tricks": shares})
    deal["status"] = "claimed"
    return True
