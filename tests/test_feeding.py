"""What a table finds while a game is played is what `check` finds when all is over: records fed event by event."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import handrec
from handrec import referee
from handrec.dealing import deal_game
from handrec.findings import PlayedTrick
from handrec.game import Game
from handrec.live import LiveTable
from handrec.record import Record
from handrec.writing import facts, plain
from tests.dealing import GAMES, any_options, some_deals
from tests.feeding import fed, resumed

PARTIAL = sorted((Path(__file__).parents[1] / "fixtures/clean/partial").glob("*.json"))

#: Seeds of records of one deal or of a few neighbouring ones; of each game more than 1,100 deals, 10,000 in all.
SEEDS = [range(2), *(pytest.param(range(first, first + 20), marks=pytest.mark.long) for first in range(2, 482, 20))]

#: Two hundred whole games, the shortest there are: how many of each, how many play, with what options.
WHOLE: dict[str, tuple[int, tuple[int, ...], dict[str, Any]]] = {
    "bastard": (50, (3,), {"game_end": {"hands": 2}}),
    "batarde": (60, (3, 4, 5), {"deal_schedule": [1, 2, 3]}),
    "bridge": (20, (4,), {}),
    "bugami": (5, (3,), {}),
    "kbabs": (60, (18, 27), {}),
    "spades3": (5, (3,), {}),
}


def the_same(table: LiveTable, record: Record) -> None:
    """The same happened in it, and the verdict is the same."""
    assert table.verdict == handrec.check(record)
    assert [facts(table.record, place) for place in range(len(record.deals))] == [
        facts(record, place) for place in range(len(record.deals))
    ]


@pytest.mark.parametrize("path", PARTIAL, ids=lambda path: path.stem)
def test_clean_records_of_a_part(path: Path) -> None:
    """Of whatever is recorded nothing is refused; `test_live` has the records of whole deals."""
    record = handrec.load(path)
    the_same(fed(record), record)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_tricks_are_told_when_they_are_over(game: Game) -> None:
    """Each once and in its turn, with its winner, as soon as that can be known."""
    for seed in range(4):
        record = some_record(game, seed, 1)
        told: list[PlayedTrick] = []
        fed(record, answered=lambda answer, told=told: told.extend([answer.trick] if answer.trick else []))
        assert tuple(told) == handrec.check(record).deals[0].played


def looked_at(table: LiveTable) -> LiveTable:
    """A table at which somebody has asked what may come next."""
    table.legal()
    return table


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_last_card_of_a_trick_is_taken_back(game: Game, asks: bool) -> None:
    """Whether or not somebody has asked what may come next, that is judged as it is in the record."""
    data = plain(some_record(game, 5, 1))
    events = data["deals"][0]["events"]
    plays = [place for place, event in enumerate(events) if event["do"] == "play"]
    place = plays[2 * len({events[spot]["by"] for spot in plays}) - 1]
    events.insert(place + 1, events[place])
    events.insert(place + 1, {**events[place], "do": "withdraw"})
    record = Record.model_validate(data)
    assert handrec.check(record).ok
    the_same(fed(record, looked_at if asks else lambda table: table), record)


def some_record(game: Game, seed: int, most: int = 4) -> Record:
    """A record without a fault, of one deal or a few, under any options, of any number of players up to seven."""
    rng = Random(seed)
    options, players = any_options(game, rng), rng.choice([many for many in game.players if many < 8])
    return deal_game(game, players, seed, options=options, numbers=some_deals(game, players, options, rng, rng.randint(1, most)))


@pytest.mark.parametrize("seeds", SEEDS)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_generated_deals(game: Game, seeds: range) -> None:
    """Deals of all games under any options."""
    for seed in seeds:
        record = some_record(game, seed)
        the_same(fed(record), record)


@pytest.mark.some(4)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_snapshot_after_each_event(game: Game) -> None:
    """A table that is taken out of its snapshot again and again is the same table."""
    record = some_record(game, 3, 1)
    the_same(fed(record, resumed), record)


def test_a_snapshot_lays_each_deal_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many events it has; and each that is over is judged once."""
    table = fed(some_record(GAMES[0], 6))
    laid: list[int] = []
    judged: list[int] = []
    for name, places in (("begun", laid), ("replayed", judged)):
        work = getattr(referee, name)
        monkeypatch.setattr(
            referee, name, lambda *given, work=work, places=places, **more: places.append(given[2]) or work(*given, **more)
        )
    again = resumed(table)
    count = len(table.stated.deals)
    assert count > 1
    assert (laid, judged) == ([*range(count)], [*range(count - 1)])
    assert again.stated == table.stated


@pytest.mark.long
@pytest.mark.parametrize(("key", "seed"), [(key, seed) for key, (many, _, _) in WHOLE.items() for seed in range(many)])
def test_snapshots_of_whole_games(key: str, seed: int) -> None:
    """A table is taken out of its snapshot after each event."""
    _, players, options = WHOLE[key]
    game = next(game for game in GAMES if game.key == key)
    record = deal_game(game, players[seed % len(players)], seed, options=options)
    the_same(fed(record, resumed), record)
