"""What the bench makes and runs, with a handful of deals: nothing about speed, but that there is something to be timed."""

from __future__ import annotations

import re
from argparse import Namespace
from math import prod
from pathlib import Path
from random import Random

import pytest

from handrec import check, formats, games
from handrec.referee import check as referee
from tests.bench import bench, inputs, race
from tests.dealing import GAMES


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files and compiled modules, made once."""
    return tmp_path_factory.mktemp("bench")


@pytest.fixture
def asked(folder: Path) -> Namespace:
    """A few deals of one game, this checkout beside itself."""
    words = ["--deals", "2", "--rounds", "1", "--games", "kbabs", "--shares", "100", "--folder", str(folder)]
    return bench.parsed([*words, "--other", str(bench.ROOT)])


def rows(text: str) -> list[str]:
    """The lines of a table without its head, and without notes."""
    return [line for line in text.splitlines()[2:] if line and not line.startswith("  ")]


def test_every_game_is_there() -> None:
    """A game that is added is measured, too."""
    assert {*inputs.PLAYERS} == {game.key for game in GAMES}


@pytest.mark.some(6)
@pytest.mark.parametrize("kind", inputs.KINDS)
@pytest.mark.parametrize("key", inputs.PLAYERS)
def test_records(key: str, kind: str) -> None:
    """Clean records are clean and all different, complete games are complete, and what is made faulty is faulty."""
    records = [*inputs.dealt(key, kind, 3)]
    assert sum(len(record.deals) for record in records) >= 3
    assert len({str(record.deals[0].hands) for record in records}) == len(records)
    assert all(check(record).ok for record in records)
    if kind == "deals":
        assert {len(record.deals) for record in records} == {1}
    else:
        assert {record.status for record in records} == {"excerpt" if key == "bridge" else "complete"}
    for record in records:
        other = inputs.faulty(record, Random(1))
        assert not referee(other, games.find).ok
        assert len(other.deals) == len(record.deals)


@pytest.mark.parametrize("key", inputs.PLAYERS)
def test_records_under_any_options(key: str) -> None:
    """They differ in their options, and are clean."""
    records = [*inputs.dealt(key, "deals", 8, usual=False)]
    sets = prod(len(option.values) for option in inputs.game(key).options)  # that there can be, and the usual one is one
    assert len({str(record.options) for record in records}) >= min(4, sets - 1)
    assert all(referee(record, games.find).ok for record in records)


def test_shares() -> None:
    """So many of a hundred are faulty; of a few, one."""
    assert [inputs.wrong(many, 5) for many in (0, 1, 20, 21, 100)] == [0, 1, 1, 2, 5]
    records = [*inputs.dealt("bridge", "deals", 25)]
    for share, wrong in ((0, 0), (5, 2), (100, 25)):
        assert sum(not referee(record, games.find).ok for record in inputs.mixed(records, share)) == wrong


def test_the_worst() -> None:
    """Each is there for some game, is as long as it says, and full of faults; texts are no records."""
    for name in inputs.WORST:
        found = {key: inputs.worst(key, name)[:1] for key in ("bridge", "batarde")}
        assert found["batarde"]
        for record in (record for some in found.values() for record in some):
            assert len(record.deals[0].events) >= (57 if "57" in name else 2000)
            assert not referee(record, games.find).ok
    for text in inputs.texts().values():
        assert all(reading.record is None and reading.findings for reading in formats.read(text, "a.json"))


@pytest.mark.long
def test_an_older_checkout_that_judges_otherwise_is_left_out(asked: Namespace, tmp_path: Path) -> None:
    """It may not know a game; nor may it find clean what is, or read it at all."""
    path = inputs.file(asked.folder, "kbabs", "deals", asked.deals)
    assert [*bench.checkouts(asked, path)] == ["now", "before"]
    for judging in ("def check(record): return None", "def loads(line): raise ValueError"):
        asked.other = tmp_path / judging.split()[1].partition("(")[0]
        (asked.other / "handrec").mkdir(parents=True)
        (asked.other / "handrec" / "__init__.py").write_text(judging)
        assert [*bench.checkouts(asked, path)] == ["now"]


@pytest.mark.long
def test_one_record_at_a_time(asked: Namespace) -> None:
    """Single deals and complete games, in C and in Python, now and before."""
    (text,) = bench.check(asked)
    assert [line.split()[:2] for line in rows(text)] == [["kbabs,", "deals"], ["kbabs,", "games"]]
    assert all(len(re.findall(r"\d[\d.,]*", line)) == 5 for line in rows(text))


def test_event_by_event(asked: Namespace) -> None:
    """The replay, the table and their ratio; and what is slower at the end of a game."""
    (text,) = bench.live(asked)
    (row,) = rows(text)
    assert len(re.findall(r"\d[\d.,]*", row)) == 4


def test_shares_kept(asked: Namespace) -> None:
    """A share of each kind of records, by both."""
    (text,) = bench.shares(asked)
    assert [len(re.findall(r"[\d.]+%", line)) for line in rows(text)] == [2 if bench.MISSING else 4] * 2


@pytest.mark.long
def test_the_worst_is_timed(asked: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record, and a text that is none."""
    monkeypatch.setattr(inputs, "WORST", {"57 events at random": inputs.WORST["57 events at random"]})
    monkeypatch.setattr(inputs, "texts", lambda: {"brackets": b"[" * 100})
    asked.other = None
    (text,) = bench.worst(asked)
    assert [line.split()[0] for line in rows(text)] == ["kbabs:", "brackets,"]


@pytest.mark.long
def test_commands(asked: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whole processes must come to the number of clean records that there is."""
    monkeypatch.setattr(bench, "COMMANDS", (("check", "jsonl"), ("check", "parquet")))
    monkeypatch.setattr(inputs, "KINDS", ("deals",))
    asked.other = None
    (text,) = bench.commands(asked)
    assert len(rows(text)) == len(bench.able(bench.COMMANDS))
    path = inputs.file(asked.folder, "kbabs", "deals", asked.deals, 100)
    with pytest.raises(AssertionError):
        bench.command(bench.ROOT, asked.folder, "check", path, 2)()


def test_what_it_takes_to_tell(asked: Namespace, monkeypatch: pytest.MonkeyPatch) -> None:
    """A share of the budget for each way to tell; of so few deals it says nothing."""
    monkeypatch.setattr(bench, "REPORTS", [("json",), ("text", "-v")])
    monkeypatch.setattr(bench, "JUNK_DEALS", 10)
    (text,) = bench.reports(asked)
    (row,) = rows(text)
    assert re.fullmatch(r"kbabs(\s+-?\d+\.\d\d){2}", row)


@pytest.mark.some(1)
@pytest.mark.parametrize("name", ["spiel", "chess", "reading", "proofs", "sieve"])
def test_rivals(name: str, asked: Namespace) -> None:
    """Each race has somebody in it, or a note on who is not installed."""
    asked.other, asked.games = None, []
    for text in bench.TABLES[name](asked):
        assert rows(text) or "not installed" in text
        print(text)


def test_a_kernel_that_fails_is_told(asked: Namespace) -> None:
    """A process that ends is an error, not a number."""
    with pytest.raises(ChildProcessError), race.kernel(bench.ROOT, asked.folder, "check", str(asked.folder / "none")):
        pass
