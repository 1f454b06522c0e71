"""The referee, the fast path in C and in Python, and the sieve say the same of every deal, of a million and of the fixtures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from handrec import formats, games
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.record import KINDS, Deal, Record
from handrec.referee import check
from tests.dealing import GAMES, any_options
from tests.sieving import Ways, batch, mutated

ROOT = Path(__file__).parents[1]
FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("*") if path.suffix in (".json", ".jsonl", ".hrt", ".pbn", ".lin"))


@pytest.fixture
def ways(monkeypatch: pytest.MonkeyPatch) -> Ways:
    """All ways there are here."""
    return Ways(monkeypatch)


def whole(game: Game, seed: int) -> list[Record]:
    """A whole game under any options, and one with something in it changed."""
    rng = Random(seed)
    players = rng.choice([many for many in game.players if many < 8])
    record = deal_game(game, players, seed, options=any_options(game, rng))
    other = mutated(record, rng)
    return [record] if other is None else [record, other]


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_all_ways_agree_on_every_fixture(ways: Ways, every: int) -> None:
    """Whatever there is to be found in one; in the usual suite in every third."""
    records = [reading.record for path in FIXTURES[::every] for reading in formats.read(path.read_bytes(), path.name)]
    assert ways.agree([record for record in records if record is not None])["records"] > 250 / every


@pytest.mark.some(2)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_all_ways_agree(game: Game, ways: Ways) -> None:
    """Deals of a game under any options, whole games too, as they were dealt and with one thing changed."""
    counted: Counter[str] = Counter()
    for seed in range(2):
        counted += ways.agree([*batch(game, seed, 2, 4), *whole(game, seed)])
    assert counted["in whole games"] or game.key == "bridge"  # of which a record has as many deals as one likes
    assert counted["as dealt"]


@pytest.mark.some(2)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_stranger_is_no_failure_of_the_fast_path(game: Game, ways: Ways) -> None:
    """Whatever is done, dealt or claimed by a seat that is none of the table's: the same verdict, and nothing fails."""
    counted = 0
    for record in (deal_game(game, max(many for many in game.players if many < 8), seed) for seed in range(3)):
        changed = [*with_strangers(record.model_dump(mode="json", by_alias=True, exclude_none=True))]
        due = [check(one, games.find) for one in changed]
        for found in ways.verdicts(changed):
            assert found == due
        counted += sum(finding.code == "FMT012" for verdict in due for finding in verdict.findings)
    assert counted > 20


def test_a_card_of_no_pack_that_is_turned_is_found(ways: Ways) -> None:
    """Also where the cards that lie there are on record, so that play can follow them."""
    record = deal_game(the("bastard"), 3, 2, numbers=[1])
    deal, changed = record.deals[0], []
    for place, event in enumerate(deal.events):
        if event.do == "turn":
            events = [*deal.events]
            events[place] = event.model_copy(update={"card": "RS"})
            changed.append(record.model_copy(update={"deals": [deal.model_copy(update={"events": events})]}))
    assert changed
    due = [check(one, games.find) for one in changed]
    assert {finding.code for verdict in due for finding in verdict.findings} >= {"DEA001"}
    for found in ways.verdicts(changed):
        assert found == due


def the(key: str) -> Game:
    """A game."""
    game = games.find(key)
    assert game is not None
    return game


def with_strangers(data: dict[str, Any]) -> Iterator[Record]:
    """The record with another seat's name in one place, for each place of its first deal that names a seat."""
    first, rest = data["deals"][0], Record.model_validate(data).deals[1:]
    parts = [first, *first["events"], *(part for part in first.get("claimed", {}).values() if isinstance(part, dict))]
    for part in parts:
        named = KINDS[part["do"]].seats if "do" in part else ("dealer", "leader") if part is first else ()
        for field in sorted({*named, *(key for key, value in part.items() if key == value)}):
            yield _with(data, rest, part, lambda part, field=field: part.update({field: "Stranger"}))
    seats = {player["seat"] for player in data["players"]}
    for part in (first["hands"], *parts):
        for seat in part.keys() & seats:
            yield _with(data, rest, part, lambda part, seat=seat: part.update(Stranger=part.pop(seat)))


def _with(data: dict[str, Any], rest: Sequence[Deal], part: dict[str, Any], change: Callable[[dict[str, Any]], None]) -> Record:
    before = dict(part)
    change(part)
    record = Record.model_validate({**data, "deals": data["deals"][:1]})
    part.clear()
    part.update(before)
    return record.model_copy(update={"deals": [*record.deals, *rest]})


@pytest.mark.long
@pytest.mark.parametrize("part", range(8))
def test_all_ways_agree_over_a_million_deals(part: int, ways: Ways) -> None:
    """The same over 125,000 deals a part, half of them changed, a tenth and more in whole games."""
    counted: Counter[str] = Counter()
    for number in count(10_000):
        game, seed = GAMES[number % len(GAMES)], 8 * number + part
        counted += ways.agree([*batch(game, seed, 6, 1), *whole(game, seed)])
        if counted["deals"] >= 125_000:
            break
    print(dict(counted))
    assert counted["in whole games"] > 12_500
    assert 0.2 < counted["as dealt"] / counted["deals"] < 0.8
