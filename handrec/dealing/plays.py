"""Faults of play."""

from __future__ import annotations

from random import Random

from handrec.dealing.faults import plants
from handrec.game import Game
from handrec.game.planting import Data, any_deals, spots_of


def _two_plays(data: Data, rng: Random, game: Game, same: bool) -> tuple[Data, Data] | None:
    """An earlier and a later play of the `same` seat, or of two; of none that is no player's: its card is judged by its row."""
    for deal in any_deals(data, rng):
        plays = [deal["events"][place] for place in spots_of(deal, "play")]
        pairs = [(a, b) for spot, a in enumerate(plays) for b in plays[spot + 1 :] if (a["by"] == b["by"]) is same]
        pairs = [(a, b) for a, b in pairs if a["by"] not in game.extras]
        if pairs:
            return rng.choice(pairs)
    return None


@plants("PLY001")
def card_of_another(data: Data, rng: Random, game: Game) -> bool:
    """A card is written down that another player holds, and plays later."""
    if found := _two_plays(data, rng, game, same=False):
        found[0]["card"] = found[1]["card"]
    return found is not None


@plants("PLY002")
def card_again(data: Data, rng: Random, game: Game) -> bool:
    """A player is written down with a card played before."""
    if found := _two_plays(data, rng, game, same=True):
        found[1]["card"] = found[0]["card"]
    return found is not None


@plants("PLY005")
def play_lacking(data: Data, rng: Random, game: Game) -> bool:
    """One play is missing."""
    for deal in any_deals(data, rng):
        places = spots_of(deal, "play")
        if len(places) > 1:
            del deal["events"][rng.choice(places)]
            return True
    return False


@plants("PLY006")
def play_after(data: Data, rng: Random, game: Game) -> bool:
    """A card is played when all are played."""
    deal = next(any_deals(data, rng))
    deal["events"].append(dict(deal["events"][rng.choice(spots_of(deal, "play"))]))
    return True


@plants("PLY007", reckoned=True)
def not_of_this_game(data: Data, rng: Random, game: Game) -> bool:
    """Something is announced that the game does not know."""
    deal = next(any_deals(data, rng))
    seat = rng.choice(data["players"])["seat"]
    deal["events"].insert(rng.choice(spots_of(deal, "play")), {"do": "announce", "by": seat, "what": "abracadabra"})
    return True


@plants("PLY008", reckoned=True)
def taken_back(data: Data, rng: Random, game: Game) -> bool:
    """Somebody takes back another card than the one last played."""
    deal = next(any_deals(data, rng))
    place = rng.choice([place for place in spots_of(deal, "play") if deal["events"][place]["by"] not in game.extras])
    event = deal["events"][place]
    other = rng.choice([card for card in game.pack(len(data["players"])).cards if card != event["card"]])
    deal["events"].insert(place + 1, {"do": "withdraw", "by": event["by"], "card": other})
    return True
