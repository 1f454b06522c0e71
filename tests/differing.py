"""Records that differ: legal games dealt, and random changes made to them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

from handrec.dealing import deal_game
from handrec.record import Record
from handrec.repair import plain
from tests.dealing import GAMES, some_deals

Data = dict[str, Any]


@cache
def dealt(seed: int, many: int = 2) -> Record:
    """A game of any kind, with as many deals as it allows."""
    rng = Random(seed)
    game = GAMES[seed % len(GAMES)]
    players = rng.choice([count for count in game.players if 2 < count <= 6])
    return deal_game(game, players, seed, numbers=some_deals(game, players, {}, rng, many))


def copied(record: Record) -> Data:
    """The plain values of a record, free to be changed."""
    data: Data = json.loads(json.dumps(plain(record)))
    return data


def a_play(deal: Data, rng: Random) -> int:
    """The place of any play of a deal."""
    return rng.choice([place for place, event in enumerate(deal["events"]) if event["do"] == "play"])


def other_card(deal: Data, rng: Random) -> None:
    """A play is of another card of the pack."""
    event = deal["events"][a_play(deal, rng)]
    event["card"] = rng.choice(sorted({card for hand in deal["hands"].values() for card in hand} - {event["card"]}))


def no_play(deal: Data, rng: Random) -> None:
    """A play is left out."""
    del deal["events"][a_play(deal, rng)]


def play_twice(deal: Data, rng: Random) -> None:
    """A play stands once more somewhere."""
    deal["events"].insert(rng.randrange(len(deal["events"]) + 1), dict(deal["events"][a_play(deal, rng)]))


def other_player(deal: Data, rng: Random) -> None:
    """A play is by another seat."""
    event = deal["events"][a_play(deal, rng)]
    event["by"] = rng.choice([seat for seat in deal["hands"] if seat != event["by"]])


def hands_exchanged(deal: Data, rng: Random) -> None:
    """Two seats have each other's first card."""
    one, other = rng.sample(sorted(deal["hands"]), 2)
    hands = deal["hands"]
    hands[one][0], hands[other][0] = hands[other][0], hands[one][0]


def other_dealer(deal: Data, rng: Random) -> None:
    """Another seat deals."""
    deal["dealer"] = rng.choice([seat for seat in deal["hands"] if seat != deal["dealer"]])


def other_claim(deal: Data, rng: Random) -> None:
    """A number on the sheet is another."""
    claims = [field for field in ("tricks", "scores", "totals") if deal.get("claimed", {}).get(field)]
    if claims:
        numbers = deal["claimed"][rng.choice(claims)]
        numbers[rng.choice(sorted(numbers))] += rng.randrange(1, 9)
    else:
        other_card(deal, rng)


OF_ANY_DEAL: list[Callable[[Data, Random], None]] = [hands_exchanged, other_dealer]
OF_PLAYS = [other_card, no_play, play_twice, other_player, other_claim]


def change_a_fact(data: Data, rng: Random) -> None:
    """One thing of one deal is another; a board passed out has no play to change."""
    deal = rng.choice(data["deals"])
    played = any(event["do"] == "play" for event in deal["events"])
    rng.choice(OF_ANY_DEAL + OF_PLAYS * played)(deal, rng)


def _renamed(data: Data, rng: Random) -> None:
    rng.choice(data["players"])["name"] = rng.choice(["Ann", "Bo", "a/b~c"])


def _deal_gone(data: Data, rng: Random) -> None:
    del data["deals"][rng.randrange(len(data["deals"]))]


def _no_numbers(data: Data, rng: Random) -> None:
    for deal in data["deals"]:
        deal.pop("number", None)


def _comment(data: Data, rng: Random) -> None:
    data["deals"][0].setdefault("comments", []).append({"text": f"{rng.random()}", "event": rng.randrange(1, 9)})


def _no_claims(data: Data, rng: Random) -> None:
    rng.choice([data, *data["deals"]]).pop("claimed", None)


def _extended(data: Data, rng: Random) -> None:
    data["extensions"] = {"a/b": rng.choice([True, 1, "1", [1], {}, {"c": {"d~": []}}])}


def _sorted_hands(data: Data, rng: Random) -> None:
    for deal in data["deals"]:
        for cards in deal["hands"].values():
            rng.shuffle(cards)


def _no_options(data: Data, rng: Random) -> None:
    data.pop("options", None)


NOTES = [_renamed, _deal_gone, _no_numbers, _comment, _no_claims, _extended, _sorted_hands, _no_options]


def mutated(record: Record, seed: int) -> Record:
    """The record with up to four things changed, of any kind."""
    rng, data = Random(seed), copied(record)
    for _ in range(rng.randrange(5)):
        if not data["deals"]:
            break
        if rng.random() < 0.5:
            change_a_fact(data, rng)
        else:
            rng.choice(NOTES)(data, rng)
    return Record.model_validate(data)
