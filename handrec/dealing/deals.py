"""Faults of the deal: cards, hands, dealing, trump, numbering."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random
from typing import Any

from handrec.cards import Order, bits
from handrec.dealing.faults import dealing_is_known, ends, plants
from handrec.game import Game, Sight
from handrec.game.planting import Data, any_deals, spots_of, tricks_of


@plants("DEA001")
def foreign_card(data: Data, rng: Random, game: Game) -> bool:
    """A card that no pack has, in a hand and when it is played."""
    deal = next(any_deals(data, rng))
    seat, named = rng.choice(sorted(deal["hands"])), _named(deal)
    card = rng.choice([card for card in deal["hands"][seat] if card not in named] or deal["hands"][seat])
    deal["hands"][seat] = ["ZZ" if held == card else held for held in deal["hands"][seat]]
    for event in deal["events"]:
        if event.get("card") == card:
            event["card"] = "ZZ"
    return True


@plants("DEA002")
def card_twice(data: Data, rng: Random, game: Game) -> bool:
    """A card becomes the next one of its suit, which another player holds and plays in another trick.

    No card lies between the two, so nothing else changes: not what may be played, nor who wins.
    """
    pack = game.pack(len(data["players"]))
    for deal in any_deals(data, rng):
        order = _order(deal, game, len(data["players"]))
        tricks = enumerate(tricks_of(data, deal, game), 1)
        trick = {deal["events"][place]["card"]: number for number, places in tricks for place in places}
        named = _named(deal)
        owner = {card: seat for seat, hand in deal["hands"].items() for card in hand if card not in named}
        for suit in () if order is None else order.suits:
            cards = [pack.cards[place] for place in bits(suit)]
            for low, high in pairwise(cards):
                joker = "J" in (low[1], high[1])  # jokers have rules of their own
                alike = not joker and not any(phase.apart(low, high) for phase in game.phases)
                if alike and low in owner and high in owner and owner[low] != owner[high] and trick[low] != trick[high]:
                    ranks = _order(deal, game, len(data["players"]), trick[low])
                    if ranks is None or ranks.beats[pack.index[low]] != ranks.beats[pack.index[high]] | pack.mask([high]):
                        continue  # they are not neighbours in that trick
                    hand = deal["hands"][owner[low]]
                    hand[hand.index(low)] = high
                    deal["events"][spots_of(deal, "play")[list(trick).index(low)]]["card"] = high
                    return True
    return False


def _named(deal: Data) -> set[str]:
    """The cards that are named when they are not played: passed, turned, or taken back."""
    besides = [event for event in deal["events"] if event["do"] != "play"]
    return {card for event in besides for card in (event.get("card", ""), *event.get("cards", ()))}


def _order(deal: Data, game: Game, players: int, trick: int = 1) -> Order | None:
    """Suits and ranks in a trick."""
    shown = [event for event in deal["events"] if event["do"] == "turn" or event.get("by") in game.extras]
    contracts: Any = game.phase_of.get("contract")
    contract = next((contracts.names(event["bid"]) for event in deal["events"] if event["do"] == "contract"), None)
    if "bid" in game.phase_of and contracts is game.phase_of["bid"]:
        contract = deal["claimed"]["trump"]
    undealt = len(game.pack(players)) - players * deal["cards"]
    return game.order(Sight(tuple(event["card"] for event in shown), contract, trick, undealt, True, players))


@plants("DEA003")
def card_lacking(data: Data, rng: Random, game: Game) -> bool:
    """A hand is written down with one card too few."""
    for deal in any_deals(data, rng):
        if len(deal["hands"]) > 1 and deal["cards"] > 1:
            hand = deal["hands"][rng.choice(sorted(deal["hands"]))]
            hand.remove(rng.choice(hand))
            return True
    return False


@plants("DEA004", lambda game: max(game.players) < 64, reckoned=True)
def too_many(data: Data, rng: Random, game: Game) -> bool:
    """One player more than the game is for."""
    data["players"] = [{"seat": f"X{place}"} for place in range(max(game.players) + 1)]
    data["deals"] = []
    data["status"] = "stopped"
    return True


@plants("DEA008", dealing_is_known)
def misdealt(data: Data, rng: Random, game: Game) -> bool:
    """The pack is recorded, with two cards of different hands exchanged."""
    seats = [player["seat"] for player in data["players"]]
    deal = next(any_deals(data, rng))
    dealing = game.dealt(seats, seats.index(deal["dealer"]), deal["cards"])
    if len(seats) < 2 or not dealing:
        return False
    pack = deal["pack"] = as_it_lay(deal, seats, dealing)
    other = next(place for place, seat in enumerate(dealing) if seat not in (-1, dealing[0]))
    pack[0], pack[other] = pack[other], pack[0]
    return True


def as_it_lay(deal: Data, seats: Sequence[str], dealing: Sequence[int]) -> list[str]:
    """The pack from which the hands of a deal come, by the seats that its cards go to, counted from the dealer's left."""
    eldest = seats.index(deal["dealer"]) + 1
    turn = [list(deal["hands"][seats[(eldest + step) % len(seats)]]) for step in range(len(seats))]
    aside = [card for cards in deal.get("aside", {}).values() for card in cards]
    return [(aside if seat < 0 else turn[seat]).pop(0) for seat in dealing] + aside


@plants("DEA009")
def other_trump(data: Data, rng: Random, game: Game) -> bool:
    """Another trump is written down."""
    claimed = next(any_deals(data, rng))["claimed"]
    others = [trump for trump in ("C", "D", "H", "S", "NT") if not claimed["trump"].startswith(trump)]
    claimed["trump"] = rng.choice(others)
    return True


@plants("DEA010", ends)
def misnumbered(data: Data, rng: Random, game: Game) -> bool:
    """A deal of a game has another number than its place."""
    if data["status"] == "excerpt":
        return False
    next(any_deals(data, rng))["number"] += rng.choice([1, 2, 30])
    return True
