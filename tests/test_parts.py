"""The parts of the long tests: every test is in one, and each part is told in the table of the README here."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrec import games
from tests.parts import BY_GAME, NAMES, PARTS, parts_of

HERE = Path(__file__).parent


def test_every_long_test_is_in_the_first_part_that_has_it() -> None:
    """Whatever no other part names is in the rest."""
    tests = [
        "tests/test_search.py::test_planted_acts[oh_hell-hands, claims]",
        "tests/test_deeds.py::test_100_deeds_of_each_kind_and_game[bridge-REV001]",
        "tests/test_live.py::test_a_seat_sees_nothing_that_is_hidden_in_many_games[kbabs]",
        "tests/test_live.py::test_what_happened_anyway_is_judged_as_in_the_record[BR-18-BID023.handrec.json]",
        "tests/games/test_whist_oracle.py::test_whole_games_with_and_without_revokes",
        "tests/bench/test_bench.py::test_commands",
        "tests/test_that_is_written_tomorrow.py::test_it",
    ]
    assert parts_of(tests) == ["search-oh_hell", "deeds-bridge", "live-kbabs", "tables", "games", "rest", "rest"]


def test_what_takes_several_runs_is_dealt_out_to_them() -> None:
    """In turn, whatever stands between."""
    tests = ["tests/test_agreement.py::test_it", "tests/test_kills.py::test_it"] * 4
    assert parts_of(tests)[::2] == ["agreement-1", "agreement-2", "agreement-3", "agreement-1"]
    assert parts_of(tests)[1::2] == ["kills"] * 4


@pytest.mark.parametrize("part", PARTS)
def test_a_part_is_of_files_that_are_there(part: str) -> None:
    """A file that is renamed would go to the rest unseen."""
    pattern = PARTS[part].pattern.partition(".*")[0]
    files = [path for path in HERE.rglob("test_*.py") if re.search(pattern, f"tests/{path.relative_to(HERE).as_posix()}")]
    named = re.search(r"\((.*)\)", pattern)
    assert len(files) >= (len(named[1].split("|")) if named else 1)
    what, _, key = part.partition("-")
    if what in BY_GAME and key in games.names():
        assert re.search(rf"^def test_\w*{BY_GAME[what]}", files[0].read_text("utf-8"), re.MULTILINE)


def test_the_table_of_long_runs_has_every_part() -> None:
    """A row each, in the order in which they are taken."""
    text = (HERE / "README.md").read_text("utf-8").partition("\n## Long runs\n")[2]
    assert re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE) == NAMES
