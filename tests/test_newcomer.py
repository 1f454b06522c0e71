"""A game that comes from outside: one file behind an entry point, and every command knows it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path
from typing import Any

import pytest

from handrec import games
from handrec.cli import run
from handrec.game import Incomplete, validate
from tests import toy_whist

pytestmark = pytest.mark.usefixtures("toys")


def dealt(tmp_path: Path, *arguments: str) -> Path:
    """A game of it, dealt by the command."""
    path = tmp_path / "whist.handrec.json"
    assert run(["deal", "toywhist", *arguments, "-o", str(path)]) == 0
    return path


def test_it_is_a_game_like_the_others() -> None:
    assert "toywhist" in games.names()
    assert "toywhist" in [game.key for game in games.catalogue()]


def test_what_is_dealt_is_clean(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for seed in range(5):
        folder = tmp_path / str(seed)
        folder.mkdir()
        path = dealt(folder, "--seed", str(seed), "--deals", "3")
        assert run(["check", str(path)]) == 0
        assert "1 clean" in capsys.readouterr().out


def test_replay_shows_its_tricks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dealt(tmp_path, "--deals", "1")
    record = json.loads(path.read_text("utf-8"))
    assert run(["replay", str(path)]) == 0
    shown = capsys.readouterr().out
    assert "13" in shown
    assert record["deals"][0]["claimed"]["trump"] in shown


def test_its_score_is_recomputed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dealt(tmp_path, "--deals", "2")
    assert run(["score", str(path)]) == 0
    assert run(["score", str(path), "--sheet"]) == 0
    capsys.readouterr()
    record: dict[str, Any] = json.loads(path.read_text("utf-8"))
    claimed = record["deals"][0]["claimed"]
    assert claimed["scores"] == {seat: max(0, tricks - 6) for seat, tricks in claimed["tricks"].items()}
    claimed["scores"]["N"] += 5
    path.write_text(json.dumps(record), "utf-8")
    assert run(["score", str(path)]) == 1
    assert "SCO001" in capsys.readouterr().out


def test_its_rules_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    for name, words in (("toywhist", "Toy whist"), ("TW-1", "Follow suit if you can."), ("TW-2", "above six")):
        assert run(["explain", name]) == 0
        assert words in capsys.readouterr().out


def test_a_revoke_in_it_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = dealt(tmp_path, "--deals", "2", "--inject", "REV001")
    assert run(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert said.count(" error ") == 1
    assert "REV001" in said
    assert "[TW-1]" in said


def test_a_file_elsewhere_is_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """The same game from a module that lies in no package."""
    source = Path(__file__).with_name("toy_whist.py").read_text("utf-8")
    (tmp_path / "whist_of_mine.py").write_text(source.replace('"toywhist"', '"mywhist"'), "utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    mine = EntryPoint("mywhist", "whist_of_mine:GAME", "handrec.games")
    monkeypatch.setattr(games, "_points", lambda: EntryPoints([mine]))
    games.forget()
    assert run(["deal", "mywhist", "--deals", "1", "-o", str(tmp_path / "mine.handrec.json")]) == 0
    assert run(["check", str(tmp_path / "mine.handrec.json")]) == 0


@pytest.mark.parametrize(
    ("left_out", "named"),
    [
        ("REV001", "which cards may be played (such as rulebook.FOLLOW_SUIT, REV001)"),
        ("TRK001", "TRK001 (such as rulebook.WINNER), by which its phase Tricks judges"),
        ("PLY003", "PLY003 (such as rulebook.OUT_OF_TURN)"),
        ("PLY004", "PLY004 (such as rulebook.WRONG_LEADER)"),
    ],
)
def test_a_game_that_lacks_a_rule_is_refused(
    left_out: str, named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is told which, when the game is loaded; the other games go on."""
    lacking = replace(toy_whist.GAME, rules=tuple(rule for rule in toy_whist.GAME.rules if rule.code != left_out))
    monkeypatch.setattr(toy_whist, "GAME", lacking)
    games.forget()
    with pytest.warns(RuntimeWarning, match=re.escape(named)) as told:
        assert games.find("toywhist") is None
    assert len(told) == 1
    assert "toywhist" not in [game.key for game in games.catalogue()]
    assert games.find("kbabs") is not None


def test_all_that_is_lacking_is_named_at_once() -> None:
    nothing = replace(toy_whist.GAME, rules=(), phases=())
    with pytest.raises(Incomplete, match=r"toywhist lacks a phase.*; a rule of which cards may be played"):
        validate(nothing)


@pytest.mark.parametrize(
    "value", ["tests.toy_whist:SOURCE", "tests.toy_whist:NOTHING", "no_such_module:GAME", "tests.toy_whist:GAME"]
)
def test_what_is_no_game_is_said_to_be_none(
    value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An entry point that leads to no game, or to one of another key, is named, and the other games go on."""
    broken = EntryPoint("broken", value, "handrec.games")
    monkeypatch.setattr(games, "_points", lambda: EntryPoints([broken]))
    games.forget()
    with pytest.warns(RuntimeWarning, match=r"broken.*no game"):
        assert games.find("broken") is None
    assert [game.key for game in games.catalogue()] == [key for key in games.names() if key != "broken"]
