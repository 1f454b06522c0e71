"""The referee, the fast path in C and in Python, and the sieve say the same of every deal, of a million and of the fixtures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random

import pytest

from handrec import formats, games
from handrec.dealer import deal_game
from handrec.fast import in_c
from handrec.fast import plan as plans
from handrec.findings import Verdict
from handrec.game import Game
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import check
from tests.dealing import GAMES, any_options
from tests.sieving import batch, compare, mutated

ROOT = Path(__file__).parents[1]
FIXTURES = sorted(path for path in (ROOT / "fixtures").rglob("*") if path.suffix in (".json", ".jsonl", ".hrt", ".pbn", ".lin"))


def raised(way: str, error: Exception) -> None:
    """A fast way that fails is an error here."""
    raise error


class Ways:
    """The fast path with either loop, each with the plans that it made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch
        self.ways = [(loop, {}) for loop in dict.fromkeys((in_c._tricks, None))]

    def verdicts(self, records: list[Record]) -> Iterator[list[Verdict]]:
        """The verdicts on some records, by each of the ways."""
        for loop, known in self.ways:
            self.patch.setattr(in_c, "_tricks", loop)
            self.patch.setattr(plans, "_known", known)
            yield [*Judge(games.find, failed=raised).verdicts(records)]

    def agree(self, records: list[Record]) -> Counter[str]:
        """All ways must say the same, the sieve too where deals fit into columns; counts what was compared."""
        due = [check(record, games.find) for record in records]
        for found in self.verdicts(records):
            for record, one, other in zip(records, found, due, strict=True):
                assert one == other, record
        counted = compare(records, due)
        counted["in whole games"] = sum(len(record.deals) for record in records if record.status == "complete")
        counted["as dealt"] = sum(len(record.deals) for record, verdict in zip(records, due, strict=True) if verdict.ok)
        return counted


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


def test_all_ways_agree_on_every_fixture(ways: Ways) -> None:
    """Whatever there is to be found in one."""
    records = [reading.record for path in FIXTURES for reading in formats.read(path.read_bytes(), path.name)]
    assert ways.agree([record for record in records if record is not None])["records"] > 250


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_all_ways_agree(game: Game, ways: Ways) -> None:
    """Deals of a game under any options, whole games too, as they were dealt and with one thing changed."""
    counted: Counter[str] = Counter()
    for seed in range(2):
        counted += ways.agree([*batch(game, seed, 2, 4), *whole(game, seed)])
    assert counted["in whole games"] or game.key == "bridge"  # of which a record has as many deals as one likes
    assert counted["as dealt"]


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
    assert counted["named"] > 200
