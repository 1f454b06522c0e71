"""The hands that the tests of Killer Back Alley Bridge Substitute start from."""

from __future__ import annotations

from typing import Any

from tests.tables import (
    Data,
    cut,
    deal,
    drop,
    game,
    killer_hand,
    put,
    sheet,
)

HERE = "/deals/0"
EVENTS = "/deals/0/events"
KILLER = killer_hand()
BARE = drop(KILLER, "/deals/0/claimed")
DEALT = cut(KILLER, 5)  # dealt, turned and bid, not played
PLAYS = range(5, 17)
PLAYED_ONLY = put(BARE, EVENTS, [BARE["deals"][0]["events"][0], *BARE["deals"][0]["events"][5:]])

SCORED = [
    ("3 4 3 2", "3 4 3 3", "19 26 19 -1", "19 26 19 -1"),
    ("3 3 2 3", "3 3 3 3", "19 19 -1 19", "38 45 18 18"),
    ("3 2 3 2", "3 2 3 3", "19 14 19 -1", "57 59 37 17"),
    ("2 2 2 3", "3 2 2 3", "-1 14 14 19", "56 73 51 36"),
]
GOING = game(
    "kbabs",
    4,
    *(sheet(*row, cards=13 - at, number=at + 1, dealer=str(at)) for at, row in enumerate(SCORED)),
    status="in_progress",
)

Place = tuple[Any, ...]
Case = tuple[Data, Place]


def at(pointer: str, what: str, seat: str | None = None, trick: int | None = None) -> Place:
    """The finding expected at a place of the one deal; `what` is its code and rule id, such as `REV001 KB-5.2`."""
    code, rule = what.split()
    return (code, rule, trick, seat, HERE + pointer)


def hand(bids: str = "", plays: str = "", hands: str | None = None, turn: str | None = "TH", **fields: Any) -> Data:
    """A record of one hand out of a four-player game, dealt by seat 3."""
    return game("kbabs", 4, deal(dealer="3", hands=hands, turn=turn, bids=bids, plays=plays, **fields))


def play(by: str, card: str) -> Data:
    """A play."""
    return {"do": "play", "by": by, "card": card}
