"""The Deal tag: a seat, a colon, and the hands clockwise from there, each four suits (S H D C) with dots between."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

from handrec.cards import UNKNOWN
from handrec.formats.boards import SEATS
from handrec.formats.pbn.games import PbnGame
from handrec.formats.pbn.play import SUITS, TRICKS, TURNS, WRITTEN
from handrec.formats.strict import shown

_DEAL = re.compile(r"\s*([NESWnesw])\s*:\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+)\s*")
_RANK = re.compile("10|.", re.DOTALL)
#: A hand that nobody wrote down, and a longer text than any hand.
_NONE, _LONG = "-", 256


class Dealt(NamedTuple):
    """The hands that are known, by seat; whether they are those of an end position, and hold all that is written."""

    hands: dict[str, list[str]]
    ending: bool
    whole: bool


def dealt(game: PbnGame) -> Dealt | None:
    """What the tag says; None if it says nothing that can be read."""
    tag = game.tags["deal"]
    match = _DEAL.fullmatch(tag.value)
    if match is None:
        game.fault(tag.at, "the deal is not a seat, a colon and four hands")
        return None
    hands = dict[str, list[str]]()
    for turn, place in enumerate(TURNS[SEATS.index(match[1].upper())], 2):
        cards = _hand(game, match[turn], tag.at + match.start(turn), SEATS[place])
        if cards is not None:
            hands[SEATS[place]] = cards
    sizes = {*map(len, hands.values())}
    ending = max(sizes, default=TRICKS) < TRICKS
    if ending and len(sizes) > 1:
        game.habits["part"] = tag.at, "hands in part have as many cards each in PBN, and here they have not"
    for cards in hands.values() if ending else ():
        cards += [UNKNOWN] * (TRICKS - len(cards))  # those that were played before
    return Dealt(hands, ending, len(hands) == len(SEATS) - match.groups().count(_NONE))


def _hand(game: PbnGame, text: str, at: int, seat: str) -> list[str] | None:
    """The cards of a hand; None if they are not told, or cannot all be read."""
    if text == _NONE:
        return None
    suits = text.split(".")
    if "-" in suits:
        game.habits["void"] = at, "a suit of which a hand has no card is empty in PBN, and here '-'"
        suits = ["" if suit == "-" else suit for suit in suits]
    if len(suits) != len(SUITS) or len(text) > _LONG:
        game.fault(at, f"{seat}'s hand {shown(text)} is not four suits with dots between")
        return None
    held = [*map(_holding, SUITS, suits)]
    if None in held:
        bad = next(rank for rank in _RANK.finditer(text) if rank[0] != "." and rank[0].upper() not in WRITTEN)
        game.fault(at + bad.start(), f"{shown(bad[0])} in {seat}'s hand is no rank")
        return None
    return [*chain.from_iterable(filter(None, held))]


@lru_cache(40_000)  # there are 32,768
def _holding(suit: str, ranks: str) -> tuple[str, ...] | None:
    """The cards of a suit in a hand; None if one is none."""
    found = [WRITTEN.get(rank.upper()) for rank in _RANK.findall(ranks)]
    return None if None in found else tuple([f"{rank}{suit}" for rank in found])


def spots(game: PbnGame) -> dict[str, int]:
    """Where hands and cards stand, by their JSON Pointers."""
    tag = game.tags.get("deal")
    match = _DEAL.fullmatch(tag.value) if tag is not None else None
    if tag is None or match is None:
        return {}
    found = {"/deals/0/hands": tag.at}
    for turn, place in enumerate(TURNS[SEATS.index(match[1].upper())], 2):
        ranks = (rank.start() for rank in _RANK.finditer(match[turn]) if rank[0] not in ".-")
        hand, at = f"/deals/0/hands/{SEATS[place]}", tag.at + match.start(turn)
        found |= {hand: at} | {f"{hand}/{card}": at + start for card, start in enumerate(ranks)}
    return found
