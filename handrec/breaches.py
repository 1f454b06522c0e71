"""Faults of a record, one function each: it takes a faultless record as plain data and breaks exactly one thing.

Each returns False if this record offers no place for its fault. None of them asks the referee: that what they do breaks
one rule and no other follows from how they do it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

from handrec.cards import Order, bits
from handrec.game import Conduct, Game, Sight
from handrec.game.auction import Auction
from handrec.game.facing import Facing
from handrec.game.open_bids import OpenBids
from handrec.game.secret_bids import SecretBids
from handrec.game.value import never

Data = dict[str, Any]


@dataclass(frozen=True)
class Breach:
    """How a fault is planted, and in which games it can be."""

    apply: Callable[[Data, Random, Game], bool]
    suits: Callable[[Game], bool] = lambda game: True


BREACHES: dict[str, Breach] = {}

#: Faults that stand before the results are reckoned, so that the results are right for what was done.
RECKONED = frozenset({"DEA004", "PLY007", "PLY008", "CLM004", "CLM008", "SCO005"})


def _breach(code: str, suits: Callable[[Game], bool] = lambda game: True) -> Callable[[Any], Any]:
    def register(apply: Callable[[Data, Random, Game], bool]) -> Callable[[Data, Random, Game], bool]:
        BREACHES[code] = Breach(apply, suits)
        return apply

    return register


def _bids(game: Game) -> bool:
    return "bid" in game.phase_of


def _secret(game: Game) -> bool:
    """Whether bids are made all at once, before a card is turned."""
    return isinstance(game.phase_of.get("bid"), SecretBids)


def _called(game: Game) -> bool:
    """Whether there is an auction: calls, as many rounds as it takes."""
    return isinstance(game.phase_of.get("bid"), Auction)


def _in_turn(game: Game) -> bool:
    return _bids(game) and not _secret(game) and not isinstance(game.phase_of["bid"], OpenBids)


def _dealing_known(game: Game) -> bool:
    """Whether it is known who gets which card of a pack: a game with a dead hand must be told where that lies."""
    return game.placing is None or game.settings.get("d_after_seat") is not None


def _ends(game: Game) -> bool:
    """Whether a game comes to an end: by its schedule, or by its score."""
    return _ladder(game) or game.over is not never


def _scored(game: Game) -> bool:
    return bool(game.score)


def _ladder(game: Game) -> bool:
    return not isinstance(game.cards(min(game.players)), int)


def _deals(data: Data, rng: Random) -> Iterator[Data]:
    """The deals in random order."""
    yield from rng.sample(data["deals"], len(data["deals"]))


def _places(deal: Data, do: str) -> list[int]:
    return [place for place, event in enumerate(deal["events"]) if event["do"] == do]


def _other(data: Data, seat: str, rng: Random) -> str | None:
    others = [player["seat"] for player in data["players"] if player["seat"] != seat]
    return str(rng.choice(others)) if others else None


def _change(numbers: Data, rng: Random, low: int = -99) -> bool:
    """Make one of several numbers another."""
    if not numbers:
        return False
    key = rng.choice(sorted(numbers))
    numbers[key] = rng.choice([n for n in (numbers[key] - 1, numbers[key] + 1, numbers[key] + 10) if n >= low])
    return True


# --- the deal -------------------------------------------------------------------------------------------------------


@_breach("DEA001")
def foreign_card(data: Data, rng: Random, game: Game) -> bool:
    """A card that no pack has, in a hand and when it is played."""
    deal = next(_deals(data, rng))
    seat = rng.choice(sorted(deal["hands"]))
    card = rng.choice(deal["hands"][seat])
    deal["hands"][seat] = ["ZZ" if held == card else held for held in deal["hands"][seat]]
    for event in deal["events"]:
        if event.get("card") == card:
            event["card"] = "ZZ"
    return True


@_breach("DEA002")
def card_twice(data: Data, rng: Random, game: Game) -> bool:
    """A card becomes the next one of its suit, which another player holds and plays in another trick.

    No card lies between the two, so nothing else changes: not what may be played, nor who wins.
    """
    pack = game.pack(len(data["players"]))
    for deal in _deals(data, rng):
        order = _order(deal, game, len(data["players"]))
        tricks = enumerate(_tricks(data, deal, game), 1)
        trick = {deal["events"][place]["card"]: number for number, places in tricks for place in places}
        owner = {card: seat for seat, hand in deal["hands"].items() for card in hand}
        for suit in () if order is None else order.suits:
            cards = [pack.cards[place] for place in bits(suit)]
            for low, high in pairwise(cards):
                alike = "J" not in (low[1], high[1])  # jokers have rules of their own
                if alike and low in owner and high in owner and owner[low] != owner[high] and trick[low] != trick[high]:
                    ranks = _order(deal, game, len(data["players"]), trick[low])
                    if ranks is None or ranks.beats[pack.index[low]] != ranks.beats[pack.index[high]] | pack.mask([high]):
                        continue  # they are not neighbours in that trick
                    hand = deal["hands"][owner[low]]
                    hand[hand.index(low)] = high
                    deal["events"][_places(deal, "play")[list(trick).index(low)]]["card"] = high
                    return True
    return False


def _order(deal: Data, game: Game, players: int, trick: int = 1) -> Order | None:
    """Suits and ranks in a trick."""
    shown = [event for event in deal["events"] if event["do"] == "turn" or event.get("by") in game.extras]
    contracts: Any = game.phase_of.get("contract")
    contract = next((contracts.names(event["bid"]) for event in deal["events"] if event["do"] == "contract"), None)
    if _called(game):
        contract = deal["claimed"]["trump"]
    undealt = len(game.pack(players)) - players * deal["cards"]
    return game.order(Sight(tuple(event["card"] for event in shown), contract, trick, undealt, True, players))


def _tricks(data: Data, deal: Data, game: Game) -> list[list[int]]:
    """The places of the plays of each trick; who is no player joins in from the second."""
    plays, size = _places(deal, "play"), len(data["players"])
    every = size + len(game.extras)
    return [plays[:size], *(plays[spot : spot + every] for spot in range(size, len(plays), every))]


@_breach("DEA003")
def card_lacking(data: Data, rng: Random, game: Game) -> bool:
    """A hand is written down with one card too few."""
    for deal in _deals(data, rng):
        if len(deal["hands"]) > 1 and deal["cards"] > 1:
            hand = deal["hands"][rng.choice(sorted(deal["hands"]))]
            hand.remove(rng.choice(hand))
            return True
    return False


@_breach("DEA004", lambda game: max(game.players) < 64)
def too_many(data: Data, rng: Random, game: Game) -> bool:
    """One player more than the game is for."""
    data["players"] = [{"seat": f"X{place}"} for place in range(max(game.players) + 1)]
    data["deals"] = []
    data["status"] = "stopped"
    return True


@_breach("DEA007", lambda game: "turn" in game.phase_of)
def turned_twice(data: Data, rng: Random, game: Game) -> bool:
    """A second card is turned up; or, where only one is set aside, it is turned after the first lead."""
    for deal in _deals(data, rng):
        if _secret(game):
            events = deal["events"]
            events.insert(_places(deal, "play")[0], events.pop(_places(deal, "turn")[0]))
            return True
        aside, turns = deal.get("aside", {}), _places(deal, "turn")
        stock, facing = aside.get("stock"), game.phase_of["turn"]
        if isinstance(facing, Facing):  # another card lies on top than the one that is turned
            row = aside[facing.place]
            row[0], row[1] = row[1], row[0]
            return True
        if stock and turns:
            deal["events"].insert(turns[-1] + 1, {"do": "turn", "card": stock[0]})
            return True
    return False


@_breach("DEA008", _dealing_known)
def misdealt(data: Data, rng: Random, game: Game) -> bool:
    """The pack is recorded, with two cards of different hands exchanged."""
    seats = [player["seat"] for player in data["players"]]
    for deal in _deals(data, rng):
        if len(seats) < 2 or not game.dealt(seats, 0, deal["cards"]):
            break
        eldest = seats.index(deal["dealer"]) + 1
        hands = {seat: list(hand) for seat, hand in deal["hands"].items()}
        turn = [hands[seats[(eldest + step) % len(seats)]] for step in range(len(seats))]
        aside = [card for cards in deal.get("aside", {}).values() for card in cards]
        dealing = game.dealt(seats, seats.index(deal["dealer"]), deal["cards"])
        pack = [(aside if seat < 0 else turn[seat]).pop(0) for seat in dealing] + aside
        other = next(place for place, seat in enumerate(dealing) if seat not in (-1, dealing[0]))
        pack[0], pack[other] = pack[other], pack[0]
        deal["pack"] = pack
        return True
    return False


@_breach("DEA009")
def other_trump(data: Data, rng: Random, game: Game) -> bool:
    """Another trump is written down."""
    claimed = next(_deals(data, rng))["claimed"]
    claimed["trump"] = rng.choice([trump for trump in ("C", "D", "H", "S", "NT") if trump != claimed["trump"]])
    return True


@_breach("DEA010", _ends)
def misnumbered(data: Data, rng: Random, game: Game) -> bool:
    """A deal of a game has another number than its place."""
    if data["status"] == "excerpt":
        return False
    next(_deals(data, rng))["number"] += rng.choice([1, 2, 30])
    return True


@_breach("DEA011", lambda game: isinstance(game.phase_of.get("turn"), Facing))
def turned_late(data: Data, rng: Random, game: Game) -> bool:
    """A card is turned one play too late."""
    deal = next(_deals(data, rng))
    events, plays = deal["events"], _places(deal, "play")
    turns = [place for place in _places(deal, "turn") if place < plays[-1]]
    if not turns:
        return False
    place = rng.choice(turns)
    events.insert(next(play for play in plays if play > place), events.pop(place))
    return True


# --- bidding --------------------------------------------------------------------------------------------------------


@_breach("BID001", _in_turn)
def bids_exchanged(data: Data, rng: Random, game: Game) -> bool:
    """Two neighbours bid in the wrong order."""
    for deal in _deals(data, rng):
        places = _places(deal, "bid")
        if len(places) > 1:
            events, spot = deal["events"], rng.randrange(len(places) - 1)
            first, second = places[spot], places[spot + 1]
            events[first], events[second] = events[second], events[first]
            return True
    return False


@_breach("BID005", lambda game: _bids(game) and not isinstance(game.phase_of["bid"], OpenBids | Auction))
def bid_again(data: Data, rng: Random, game: Game) -> bool:
    """Somebody bids a second time."""
    deal = next(_deals(data, rng))
    places = _places(deal, "bid")
    again = {**deal["events"][rng.choice(places)], "bid": rng.randrange(deal["cards"] + 1)}
    deal["events"].insert(places[-1] + 1, again)
    return True


@_breach("BID006", _bids)
def bid_lacking(data: Data, rng: Random, game: Game) -> bool:
    """What one player bid is missing; of the calls of an auction, one."""
    for deal in _deals(data, rng):
        if _called(game):
            del deal["events"][rng.choice(_places(deal, "bid"))]
            return True
        bidders = sorted({deal["events"][place]["by"] for place in _places(deal, "bid")})
        if len(bidders) > 1:
            lacking = rng.choice(bidders)
            deal["events"] = [event for event in deal["events"] if event["do"] != "bid" or event["by"] != lacking]
            return True
    return False


@_breach("BID007", _in_turn)
def bid_late(data: Data, rng: Random, game: Game) -> bool:
    """A bid is made after the first card was led; of the calls of an auction, the last."""
    deal = next(_deals(data, rng))
    places = _places(deal, "bid")
    event = deal["events"].pop(places[-1] if _called(game) else rng.choice(places))
    deal["events"].insert(rng.choice(_places(deal, "play")) + 1, event)
    return True


@_breach("BID021", _secret)
def bid_knowing(data: Data, rng: Random, game: Game) -> bool:
    """A bid is made when the card that lay face down has been turned."""
    deal = next(_deals(data, rng))
    event = deal["events"].pop(rng.choice(_places(deal, "bid")))
    deal["events"].insert(_places(deal, "turn")[0] + 1 + rng.randrange(2), event)
    return True


# --- play -----------------------------------------------------------------------------------------------------------


@_breach("PLY001")
def card_of_another(data: Data, rng: Random, game: Game) -> bool:
    """A card is written down that another player holds, and plays later."""
    for deal in _deals(data, rng):
        plays = [deal["events"][place] for place in _places(deal, "play")]
        pairs = [(a, b) for spot, a in enumerate(plays) for b in plays[spot + 1 :] if a["by"] != b["by"]]
        if pairs:
            first, later = rng.choice(pairs)
            first["card"] = later["card"]
            return True
    return False


@_breach("PLY002")
def card_again(data: Data, rng: Random, game: Game) -> bool:
    """A player is written down with a card played before."""
    for deal in _deals(data, rng):
        plays = [deal["events"][place] for place in _places(deal, "play")]
        pairs = [(a, b) for spot, a in enumerate(plays) for b in plays[spot + 1 :] if a["by"] == b["by"]]
        if pairs:
            before, again = rng.choice(pairs)
            again["card"] = before["card"]
            return True
    return False


@_breach("PLY005")
def play_lacking(data: Data, rng: Random, game: Game) -> bool:
    """One play is missing."""
    for deal in _deals(data, rng):
        places = _places(deal, "play")
        if len(places) > 1:
            del deal["events"][rng.choice(places)]
            return True
    return False


@_breach("PLY006")
def play_after(data: Data, rng: Random, game: Game) -> bool:
    """A card is played when all are played."""
    deal = next(_deals(data, rng))
    deal["events"].append(dict(deal["events"][rng.choice(_places(deal, "play"))]))
    return True


@_breach("PLY007")
def not_of_this_game(data: Data, rng: Random, game: Game) -> bool:
    """Something is announced that the game does not know."""
    deal = next(_deals(data, rng))
    seat = rng.choice(data["players"])["seat"]
    deal["events"].insert(rng.choice(_places(deal, "play")), {"do": "announce", "by": seat, "what": "abracadabra"})
    return True


@_breach("PLY008")
def taken_back(data: Data, rng: Random, game: Game) -> bool:
    """Somebody takes back another card than the one last played."""
    deal = next(_deals(data, rng))
    place = rng.choice([place for place in _places(deal, "play") if deal["events"][place]["by"] not in game.extras])
    event = deal["events"][place]
    other = rng.choice([card for card in game.pack(len(data["players"])).cards if card != event["card"]])
    deal["events"].insert(place + 1, {"do": "withdraw", "by": event["by"], "card": other})
    return True


# --- results --------------------------------------------------------------------------------------------------------


@_breach("TRK001")
def other_winner(data: Data, rng: Random, game: Game) -> bool:
    """A trick is written down for another player."""
    winners = next(_deals(data, rng))["claimed"]["winners"]
    place = rng.randrange(len(winners))
    other = _other(data, winners[place], rng)
    winners[place] = other or winners[place]
    return other is not None


@_breach("TRK002")
def miscounted(data: Data, rng: Random, game: Game) -> bool:
    """A player's tricks are miscounted."""
    return _change(next(_deals(data, rng))["claimed"]["tricks"], rng, 0)


@_breach("TRK003")
def other_leader(data: Data, rng: Random, game: Game) -> bool:
    """Another seat is written down as first leader."""
    deal = next(_deals(data, rng))
    leader = deal["events"][_places(deal, "play")[0]]["by"]
    deal["leader"] = _other(data, leader, rng) or leader
    return len(data["players"]) > 1


@_breach("TRK004")
def winner_lacking(data: Data, rng: Random, game: Game) -> bool:
    """The list of winners lacks the last trick."""
    next(_deals(data, rng))["claimed"]["winners"].pop()
    return True


@_breach("SCO001", _scored)
def other_score(data: Data, rng: Random, game: Game) -> bool:
    """A player's points in a deal are wrong."""
    return _change(next(_deals(data, rng))["claimed"]["scores"], rng, -9999)


@_breach("SCO002", _scored)
def other_total(data: Data, rng: Random, game: Game) -> bool:
    """A running total is added up wrongly."""
    return _change(next(_deals(data, rng))["claimed"].get("totals", {}), rng, -9999)


@_breach("SCO003", lambda game: _scored(game) and _ends(game))
def other_champion(data: Data, rng: Random, game: Game) -> bool:
    """Somebody else is written down as winner of the game."""
    claimed = data.get("claimed", {})
    losers = [p["seat"] for p in data["players"] if p["seat"] not in claimed.get("winners", ())]
    if not losers or "winners" not in claimed:
        return False
    claimed["winners"] = [rng.choice(losers)]
    return True


@_breach("SCO004", _bids)
def other_bid(data: Data, rng: Random, game: Game) -> bool:
    """A bid is written down wrongly on the score sheet."""
    deal = next(_deals(data, rng))
    bids = deal["claimed"]["bids"]
    seat = rng.choice(sorted(bids))
    secret = game.phase_of["bid"]
    tokens = secret.tokens if isinstance(secret, SecretBids) else range(deal["cards"] + 1)
    written = (bids[seat], *re.findall("[0-9]+|[^0-9]+", str(bids[seat])))
    bids[seat] = rng.choice([bid for bid in tokens if bid not in written and str(bid) not in written])
    return True


@_breach("SCO005", _ends)
def deal_lacking(data: Data, rng: Random, game: Game) -> bool:
    """A game said to be complete lacks its last deal."""
    if data["status"] != "complete" or len(data["deals"]) < 2:
        return False
    data["deals"].pop()
    return True


# --- claims, rulings, penalties -------------------------------------------------------------------------------------


@_breach("CLM001")
def overclaimed(data: Data, rng: Random, game: Game) -> bool:
    """The last tricks are claimed instead of played, one more than there are."""
    deal = next(_deals(data, rng))
    if "status" in deal or "winners" not in deal["claimed"]:
        return False
    played = rng.randrange(deal["cards"])
    rest = deal["claimed"]["winners"][played:]
    gone = [place for places in _tricks(data, deal, game)[played:] for place in places]
    gone += [place for place in _places(deal, "turn") if place > gone[0]]
    for place in sorted(gone, reverse=True):
        del deal["events"][place]
    shares = {seat: rest.count(seat) for seat in sorted(set(rest))}
    shares[rng.choice(sorted(shares))] += 1
    claimer = rest[0] if rest[0] not in game.extras else data["players"][0]["seat"]
    deal["events"].append({"do": "claim", "by": claimer, "tricks": shares})
    deal["status"] = "claimed"
    return True


@_breach("CLM003")
def misruled(data: Data, rng: Random, game: Game) -> bool:
    """An accusation is upheld though every card was legal."""
    deal = next(_deals(data, rng))
    seat, trick = rng.choice(data["players"])["seat"], rng.randrange(deal["cards"]) + 1
    deal["events"].append({"do": "ruling", "of": seat, "trick": trick, "verdict": "upheld"})
    return True


@_breach("CLM004", lambda game: any(isinstance(phase, Conduct) and phase.fixed for phase in game.phases))
def other_penalty(data: Data, rng: Random, game: Game) -> bool:
    """A penalty is of another size than agreed."""
    deal = next(_deals(data, rng))
    seat = rng.choice(data["players"])["seat"]
    deal["events"].append({"do": "penalty", "of": seat, "points": rng.choice([1, 10, 36, 38, 100]), "reason": "renege"})
    return True


@_breach("CLM008", lambda game: "transfer" in game.phase_of)
def books_of_another(data: Data, rng: Random, game: Game) -> bool:
    """Two claim a renege that cannot be settled, for a card is not known; the second takes a book for it."""
    deal = next(_deals(data, rng))
    seats = [player["seat"] for player in data["players"]]
    offender, first, second = rng.sample(seats, 3)
    trick = rng.randrange(deal["cards"])
    places = _places(deal, "play")[trick * len(seats) :][: len(seats)]
    unseen = next(deal["events"][place] for place in places if deal["events"][place]["by"] == offender)
    unseen["card"] = "??"
    claims = [{"do": "accuse", "by": seat, "of": offender, "trick": trick + 1} for seat in (first, second)]
    deal["events"][places[-1] + 1 : places[-1] + 1] = [*claims, {"do": "transfer", "by": second, "of": offender, "tricks": 1}]
    return True
