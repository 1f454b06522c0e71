"""The toy games from outside: all ways to judge agree on them, and their phases say what can be planted in them."""

from __future__ import annotations

from importlib import import_module
from random import Random

import pytest

from handrec import fast, games, referee
from handrec.cli import run
from handrec.dealing import CannotDeal, deal_game, injectable
from handrec.game import Game
from handrec.judging import Judge
from handrec.record import Record
from tests.conftest import TOYS
from tests.test_fast import changed, raised

pytestmark = pytest.mark.usefixtures("toys")
GAMES: list[Game] = [import_module(module).GAME for module in TOYS.values()]

#: The faults of a toy's own phases.
OWN = {
    "toywhist": {"DEA007"},
    "toyhandover": {"PLY020"},
    "toyhearts": {"PLY020"},
    "toykitty": set(),
    "toyohhell": {"BID003", "DEA007"},
}


def dealt(game: Game, seed: int, inject: str | None = None) -> Record:
    """A whole game where it has an end, else two deals."""
    return deal_game(
        game,
        max(players for players in game.players if players < 5),
        seed,
        numbers=[1, 2] if isinstance(game.cards(4), int) else None,
        inject=inject,
    )


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_is_dealt_is_clean_and_taken_by_the_fast_path(game: Game) -> None:
    for seed in range(5):
        record, taken = dealt(game, seed), list[bool]()
        assert referee.check(record, games.find).findings == ()
        referee.check(record, games.find, lambda table, taken=taken: taken.append(fast.replayed(table)) or taken[-1])
        assert taken == [True] * len(record.deals)


@pytest.mark.some(1)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_judges_say_the_same_of_broken_records(game: Game) -> None:
    judge, seen = Judge(games.find, failed=raised), set()
    for seed in range(30):
        record = changed(dealt(game, seed % 5), Random(seed))
        if record is not None:
            found = referee.check(record, games.find)
            assert judge.verdict(record) == found
            seen |= {finding.code for finding in found.findings}
    assert len(seen - {"INT001"}) > 3
    assert "INT001" not in seen


@pytest.mark.some(25)
@pytest.mark.parametrize("many", [1, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize(("game", "code"), [(game, code) for game in GAMES for code in injectable(game)], ids=str)
def test_a_fault_planted_is_found_and_nothing_else(game: Game, code: str, many: int) -> None:
    """Of what a game knows nothing, such as rulings, nothing is offered."""
    for seed in range(many):
        record = dealt(game, seed, code)
        found = referee.check(record, games.find)
        assert [finding.code for finding in found.findings] == [code]
        assert Judge(games.find, failed=raised).verdict(record) == found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_its_own_phases_break_can_be_planted_and_what_others_do_cannot(game: Game) -> None:
    assert {*injectable(game)} >= OWN[game.key]
    for code in {"CLM003", "CLM004", "CLM008", "BID021", *OWN["toyhearts"], *OWN["toyohhell"]} - OWN[game.key]:
        assert code not in injectable(game)
        with pytest.raises(CannotDeal, match=f"{code} cannot be planted in {game.key}"):
            dealt(game, 1, code)


@pytest.mark.parametrize(("key", "code"), [(key, code) for key, codes in OWN.items() for code in sorted(codes)])
def test_the_command_plants_it(key: str, code: str, tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    path = f"{tmp_path}/a.handrec.json"
    assert run(["deal", key, "--deals", "2", "--inject", code, "-o", path]) == 0
    capsys.readouterr()
    assert run(["check", path]) == 1
    assert capsys.readouterr().out.count(" error ") == 1
    run(["check", "-v", path])  # a slip of the pen may have come of it, of which it is told as the consequence
    assert f" {code} error " in capsys.readouterr().out
