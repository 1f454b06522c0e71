"""Conversion of many files: into one, or each into one of its name; all or nothing, and nothing is overwritten."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from handrec import formats, load, writing
from handrec.dealing import deal_game
from handrec.games import find
from handrec.record import Record

ROOT = Path(__file__).parents[1]


def a_game(seed: int) -> Record:
    game = find("kbabs")
    assert game is not None
    return deal_game(game, 3, seed, numbers=[1])


@pytest.fixture
def folder(handrec: Any) -> Path:
    """A folder with one below it: five games in four files."""
    games = Path("games")
    (games / "old").mkdir(parents=True)
    (games / "a.handrec.json").write_text(writing.dumps(a_game(1)), "utf-8")
    (games / "b.jsonl").write_text(writing.line(a_game(2)) + writing.line(a_game(3)), "utf-8")
    (games / "c.hrt").write_text(formats.by_key("hrt").write(a_game(4)), "utf-8")  # type: ignore[misc]
    (games / "old" / "a.json").write_text(writing.dumps(a_game(5)), "utf-8")
    return games


def names(folder: str) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*") if path.is_file())


def records(path: str) -> list[Record | None]:
    return [reading.record for reading in formats.read(Path(path).read_bytes(), path)]


def test_a_folder_goes_into_one_file(handrec: Any, folder: Path) -> None:
    assert handrec("convert", folder, "-o", "all.hrt") == (0, "", "wrote all.hrt\n")
    assert records("all.hrt") == [a_game(seed) for seed in (1, 2, 3, 4, 5)]


def test_each_file_keeps_its_name_and_its_folder(handrec: Any, folder: Path) -> None:
    assert handrec("convert", folder, "-o", "out/", "--to", "hrt") == (0, "", "wrote out/ (4 files)\n")
    assert names("out") == ["a.hrt", "b.hrt", "c.hrt", "old/a.hrt"]
    assert records("out/b.hrt") == [a_game(2), a_game(3)]
    assert records("out/old/a.hrt") == [a_game(5)]


def test_where_a_file_holds_one_record_several_are_numbered(handrec: Any, folder: Path) -> None:
    assert handrec("convert", folder, "-o", "out/", "--to", "json")[0] == 0
    assert names("out") == ["a.handrec.json", "b-1.json", "b-2.json", "c.json", "old/a.json"]
    assert load("out/b-2.json") == a_game(3)
    assert Path("out/old/a.json").read_bytes() == (folder / "old/a.json").read_bytes()


def test_pages_and_archives_go_into_a_folder_too(handrec: Any, folder: Path) -> None:
    pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'handrec[archive]'")
    assert handrec("convert", folder, "-o", "pages/", "--to", "html")[0] == 0
    assert names("pages") == ["a.html", "b-1.html", "b-2.html", "c.html", "old/a.html"]
    assert handrec("convert", folder, "-o", "packed/", "--to", "parquet")[0] == 0
    assert names("packed") == ["a.parquet", "b.parquet", "c.parquet", "old/a.parquet"]
    assert handrec("convert", "packed", "-o", "again/", "--to", "jsonl")[0] == 0
    assert records("again/b.jsonl") == [a_game(2), a_game(3)]


def test_two_files_of_one_name_are_refused_before_anything_is_written(handrec: Any, folder: Path) -> None:
    (folder / "A.json").write_text(writing.dumps(a_game(6)), "utf-8")
    for paths in ([folder], [folder / "a.handrec.json", folder / "old" / "a.json"]):
        code, out, err = handrec("convert", *paths, "-o", "out/", "--to", "hrt")
        assert (code, out) == (2, "")
        assert "would both become out/" in err
        assert "nothing was written" in err
        assert not Path("out").exists()
    (folder / "b-1.json").write_text(writing.dumps(a_game(7)), "utf-8")
    code, _, err = handrec("convert", folder / "b-1.json", folder / "b.jsonl", "-o", "out/", "--to", "json")
    assert (code, err) == (2, "handrec: games/b-1.json and games/b.jsonl would both become out/b-1.json; nothing was written\n")


def test_a_file_that_is_there_is_never_overwritten(handrec: Any, folder: Path) -> None:
    (Path("out") / "old").mkdir(parents=True)
    Path("out/old/a.hrt").write_text("mine", "utf-8")
    code, _, err = handrec("convert", folder, "-o", "out", "--to", "hrt")
    assert (code, err) == (2, "handrec: out/old/a.hrt exists already; nothing was written\n")
    assert names("out") == ["old/a.hrt"]
    Path("out/old/a.hrt").unlink()
    assert handrec("convert", folder, "-o", "out", "--to", "hrt")[0] == 0
    assert len(names("out")) == 4


def test_what_cannot_be_put_in_its_place_leaves_nothing_behind(handrec: Any, folder: Path) -> None:
    """The third cannot be written: the first two are taken away again."""
    Path("out").mkdir()
    Path("out/old").symlink_to("nowhere")
    code, _, err = handrec("convert", folder, "-o", "out", "--to", "hrt")
    assert code == 2
    assert "Traceback" not in err
    assert [path.name for path in Path("out").iterdir()] == ["old"]


def test_nothing_is_written_where_something_would_be_lost_and_the_sum_of_it_is_told(handrec: Any, folder: Path) -> None:
    code, out, err = handrec("convert", folder, "-o", "out/", "--to", "csv")
    assert (code, out, Path("out").exists()) == (1, "", False)
    lost = [line for line in err.splitlines() if line.startswith("handrec: csv does not hold, in 5 of 5 records: ")]
    assert len(lost) == 1
    assert "5 × id" in lost[0]
    code, _, err = handrec("convert", folder, "-o", "out/", "--to", "csv", "--allow-lossy", "--report", "lost.json")
    assert code == 0
    assert names("out") == ["a.csv", "b-1.csv", "b-2.csv", "c.csv", "old/a.csv"]
    report = json.loads(Path("lost.json").read_text("utf-8"))
    assert report["written"]
    assert len([each for each in report["losses"] if each["what"] == "id"]) == 5


def test_of_many_records_only_some_are_told_one_by_one(handrec: Any) -> None:
    Path("many.jsonl").write_text("".join(writing.line(a_game(seed)) for seed in range(30)), "utf-8")
    code, _, err = handrec("convert", "many.jsonl", "-o", "out/", "--to", "csv", "--allow-lossy")
    assert code == 0
    assert err.count("csv does not hold ") == 20
    assert "handrec: csv does not hold, in 30 of 30 records: " in err
    assert len(names("out")) == 30


def test_of_many_records_that_a_format_cannot_hold_only_some_are_named(handrec: Any) -> None:
    Path("many.jsonl").write_text("".join(writing.line(a_game(seed)) for seed in range(30)), "utf-8")
    code, _, err = handrec("convert", "many.jsonl", "-o", "a.rbn", "--allow-lossy")
    assert (code, Path("a.rbn").exists()) == (1, False)
    assert err.count("not written: rbn cannot hold kbabs-3-") == 20
    assert err.splitlines()[20:] == ["handrec: not written: rbn cannot hold 30 of 30 records"]


def test_what_is_no_record_keeps_all_from_being_written(handrec: Any, folder: Path) -> None:
    (folder / "d.json").write_text("{", "utf-8")
    code, _, err = handrec("convert", folder, "-o", "out/", "--to", "hrt")
    assert (code, Path("out").exists()) == (1, False)
    assert "games/d.json:1:" in err


def test_a_folder_is_searched_for_all_that_holds_records(handrec: Any) -> None:
    Path("games").mkdir()
    Path("games/a.rbn").write_text("B 1\nH N:AK.QJ..\n", "ascii")
    Path("games/b.ptn").write_text('% PTN\n[GameCode "Bridge"]\n[Board "2"]\n[Deal "N:AK.QJ.. - - -"]\n', "ascii")
    Path("games/c.md").write_text("no record", "ascii")
    assert handrec("convert", "games", "-o", "out/", "--to", "jsonl")[0] == 0
    assert names("out") == ["a.jsonl", "b.jsonl"]
    assert [record.game for path in ("a", "b") for record in records(f"out/{path}.jsonl") if record] == ["bridge", "bridge"]


def test_standard_input_has_a_name_too(handrec: Any) -> None:
    assert handrec("convert", "-", "-o", "out/", "--to", "hrt", stdin=writing.dumps(a_game(1)).encode())[0] == 0
    assert names("out") == ["stdin.hrt"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-o", "out/"), "a folder does not tell the format: say which with --to"),
        (("-o", "no/out/", "--to", "hrt"), "no/out: no such file or directory"),
        (("-o", "games/c.hrt/", "--to", "hrt"), "games/c.hrt is no folder"),
    ],
)
def test_wrong_use_is_said_in_one_line(handrec: Any, folder: Path, arguments: tuple[str, ...], said: str) -> None:
    before = names(".")
    code, out, err = handrec("convert", folder, *arguments)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert names(".") == before


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_told_before_the_work(handrec: Any, folder: Path) -> None:
    Path("out").mkdir(mode=0o500)
    assert handrec("convert", folder, "-o", "out", "--to", "hrt")[2] == "handrec: out: permission denied\n"
