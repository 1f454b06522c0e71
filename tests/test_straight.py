"""The straight lane and the long way give the same verdict, whatever is wrong with a record."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from handrec.dealer import CannotDeal, deal_game
from handrec.game import Game, hands, tricks
from handrec.games import find
from handrec.record import Record
from handrec.referee import check
from tests.dealing import FAULTS, GAMES, WHOLE, any_options, some_deals

Events = list[dict[str, Any]]


def swapped(events: Events, place: int, rng: Random) -> None:
    """A play and the event after it in the wrong order."""
    events[place : place + 2] = reversed(events[place : place + 2])


def dropped(events: Events, place: int, rng: Random) -> None:
    """A play left out."""
    del events[place]


def doubled(events: Events, place: int, rng: Random) -> None:
    """A play written down twice."""
    events.insert(place, dict(events[place]))


def another(events: Events, place: int, rng: Random) -> None:
    """The card of another event, or one that nobody knows."""
    events[place]["card"] = rng.choice(["??", "?S", *(event["card"] for event in events if "card" in event)])


def unnamed(events: Events, place: int, rng: Random) -> None:
    """A play that does not say whose it is."""
    events[place].pop("by", None)


def misnamed(events: Events, place: int, rng: Random) -> None:
    """A play under another's name."""
    events[place]["by"] = rng.choice([event["by"] for event in events if "by" in event])


def taken_back(events: Events, place: int, rng: Random) -> None:
    """A card taken back, and played again or another instead."""
    play = events[place]
    if "by" in play:
        events[place + 1 : place + 1] = [{**play, "do": "withdraw"}, dict(rng.choice([play, rng.choice(events)]))]


def ended(events: Events, place: int, rng: Random) -> None:
    """The play breaks off."""
    del events[place:]


CHANGES: tuple[Callable[[Events, int, Random], None], ...] = (
    swapped, dropped, doubled, another, unnamed, misnamed, taken_back, ended,
)  # fmt: skip


def changed(record: Record, rng: Random) -> Record | None:
    """The record with up to two of its plays changed, None if that is no record."""
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    for _ in range(rng.randrange(1, 3)):
        deal = rng.choice(data["deals"])
        plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
        if plays:
            rng.choice(CHANGES)(deal["events"], rng.choice(plays), rng)
        if rng.random() < 0.1:
            deal["hands"].pop(rng.choice(list(deal["hands"])), None)
    try:
        return Record.model_validate(data)
    except ValidationError:
        return None


def judged(record: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways, and what they say."""
    quick = check(record, find)
    with monkeypatch.context() as patch:
        patch.setattr(tricks, "lies_plain", lambda table: False)
        patch.setattr(hands, "_as_recorded", lambda table: False)
        slow = check(record, find)
    assert quick == slow


def drawn(game: Game, rng: Random) -> Record:
    """Some deals under any options."""
    players = rng.choice([count for count in game.players if count < 8])
    options = any_options(game, rng)
    return deal_game(game, players, rng.randrange(10**6), options=options, numbers=some_deals(game, players, options, rng))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_lane_says_what_the_long_way_says(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """On clean records and on records with plays changed at random."""
    for seed in range(10):
        rng = Random(seed)
        record = drawn(game, rng)
        judged(record, monkeypatch)
        for _ in range(5):
            odd = changed(record, rng)
            if odd is not None:
                judged(odd, monkeypatch)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "code"), [pair for pair in FAULTS if pair[1] not in WHOLE], ids=lambda each: getattr(each, "key", each)
)
def test_the_lane_finds_every_fault(game: Game, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On records with one fault of the catalogue."""
    for seed in range(1):
        try:
            judged(deal_game(game, max(3, min(game.players)), seed, inject=code, numbers=[1, 2]), monkeypatch)
        except CannotDeal:
            continue
