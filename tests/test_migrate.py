"""Migration: versions are brought forward one after another, files are kept as they were, and what is unknown is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from handrec import check, load
from handrec.cli import run
from handrec.migrate import MIGRATIONS, migrated, versions
from handrec.record import VERSION, Record
from tests.differing import copied

ROOT = Path(__file__).parents[1]
CLEAN = sorted((ROOT / "fixtures/clean").rglob("*.json"))
SCORES = ROOT / "fixtures/clean/partial/score-sheet-only.handrec.json"
Data = dict[str, Any]


def from_0_8(data: Data) -> Data:
    """In the made-up version 0.8, players were a list of seats."""
    return {**data, "version": "0.9", "players": [{"seat": seat} for seat in data["players"]]}


def from_0_9(data: Data) -> Data:
    """In the made-up version 0.9, the game had another field."""
    rest = {key: value for key, value in data.items() if key != "rules"}
    return {**rest, "version": "1.0", "game": data["rules"]}


@pytest.fixture
def earlier(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two versions before ours, and an empty directory."""
    monkeypatch.chdir(tmp_path)
    for version, step in (("0.8", from_0_8), ("0.9", from_0_9)):
        monkeypatch.setitem(MIGRATIONS, version, step)


def older(path: Path, version: str) -> Data:
    """A fixture as it would have been in an earlier version."""
    data = copied(load(path)) | {"version": version}
    data["rules"] = data.pop("game")
    if version == "0.8":
        data["players"] = [player["seat"] for player in data["players"]]
    return data


def handrec(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = run(["migrate", *map(str, arguments)])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return code, said.out, said.err


def test_every_published_version_has_a_fixture_that_migrates_and_checks_the_same() -> None:
    """Whatever was published once can still be read, and the referee says of it what it said."""
    known = set()
    for path in CLEAN:
        data = json.loads(path.read_text("utf-8"))
        known.add(data["version"])
        assert check(Record.model_validate(migrated(data))).findings == ()
    assert known >= set(versions())
    assert versions()[-1] == VERSION


def test_steps_are_chained_and_the_argument_stays(earlier: None) -> None:
    data = older(SCORES, "0.8")
    before = json.dumps(data)
    record = load(SCORES)
    assert Record.model_validate(migrated(data)) == record
    assert json.dumps(data) == before
    assert migrated(data, "0.9")["version"] == "0.9"
    assert migrated({"version": "7.0"}) == {"version": "7.0"}


def test_a_file_is_migrated_and_kept_as_it_was(earlier: None, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(older(SCORES, "0.8"))
    Path("a.json").write_text(text, "utf-8")
    code, out, err = handrec(capsys, "--diff", "a.json")
    assert code == 1
    assert '+  "version": "1.0",' in out
    assert err == "1 of 1 record would be brought to version 1.0\n"
    assert [path.name for path in Path().iterdir()] == ["a.json"]
    code, out, err = handrec(capsys, "a.json")
    assert (code, out) == (0, "")
    assert err == "migrated a.json; as it was: a.json.orig\n1 of 1 record brought to version 1.0\n"
    assert load("a.json") == load(SCORES)
    assert Path("a.json.orig").read_text("utf-8") == text
    assert handrec(capsys, "a.json") == (0, "", "0 of 1 record brought to version 1.0\n")


def test_nothing_is_written_where_the_old_file_could_not_be_kept(earlier: None, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(older(SCORES, "0.9"))
    for name in ("a.json", "b.json"):
        Path(name).write_text(text, "utf-8")
    Path("a.json.orig").write_text("mine", "utf-8")
    Path("c.json").symlink_to("b.json")
    code, _, err = handrec(capsys, "a.json", "c.json")
    assert code == 2
    assert "a.json.orig is there already" in err
    assert "symbolic link" in err
    assert Path("a.json").read_text("utf-8") == Path("b.json").read_text("utf-8") == text
    assert Path("a.json.orig").read_text("utf-8") == "mine"


def test_lines_that_stay_are_the_same_bytes(earlier: None, capsys: pytest.CaptureFixture[str]) -> None:
    """Of a JSON Lines file only the old records are written anew; one that is no record is told, and stays."""
    now = json.dumps(copied(load(SCORES)), indent=None, separators=(", ", " : ")).encode() + b"\n"
    old = json.dumps(older(SCORES, "0.9")).encode() + b"\n"
    Path("a.jsonl").write_bytes(now + b"\n{oops\n" + old + now.strip())
    code, _, err = handrec(capsys, "a.jsonl")
    assert code == 1
    assert err.startswith("a.jsonl:3:2: FMT001 ")
    first, blank, bad, new, last = Path("a.jsonl").read_bytes().split(b"\n")
    assert (first + b"\n", blank, bad, last) == (now, b"", b"{oops", now.strip())
    assert Record.model_validate_json(new) == load(SCORES)


def test_standard_input_goes_to_standard_output(
    earlier: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(older(SCORES, "0.9")).encode())))
    code, out, _ = handrec(capsys, "-")
    assert code == 0
    assert Record.model_validate_json(out) == load(SCORES)


def test_versions_that_are_not_known(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Another major version is refused, a newer minor one is left as it is, with a warning."""
    monkeypatch.chdir(tmp_path)
    for version, code, words in (("2.0", 2, "FMT006 version 2.0"), ("0.9", 2, "FMT006 version 0.9"), ("1.7", 0, "FMT014 ")):
        text = json.dumps(copied(load(SCORES)) | {"version": version})
        Path("a.json").write_text(text, "utf-8")
        found, _, err = handrec(capsys, "a.json")
        assert found == code
        assert words in err
        assert Path("a.json").read_text("utf-8") == text
    code, _, err = handrec(capsys, "--to", "1.1", "a.json")
    assert (code, "there is no version 1.1" in err) == (2, True)


@pytest.mark.parametrize("version", [[], {}, 1, None])
def test_a_version_that_is_no_text_keeps_no_other_file_from_its_turn(
    earlier: None, capsys: pytest.CaptureFixture[str], version: Any
) -> None:
    assert migrated({"version": version}) == {"version": version}
    text = json.dumps({"format": "handrec", "version": version})
    Path("a.json").write_text(text, "utf-8")
    Path("b.json").write_text(json.dumps(older(SCORES, "0.9")), "utf-8")
    code, _, err = handrec(capsys, "a.json", "b.json")
    assert (code, err.startswith("a.json:1:34: FMT006 ")) == (1, True)
    assert Path("a.json").read_text("utf-8") == text
    assert load("b.json") == load(SCORES)


def test_what_is_not_migrated_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.hrt").write_text("%hrt 1\n", "utf-8")
    code, _, err = handrec(capsys, "a.hrt", "nofile")
    assert code == 2
    assert "only JSON and JSON Lines" in err
    assert "no such file" in err


def test_a_migration_that_makes_no_record_writes_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(MIGRATIONS, "0.9", lambda data: {**data, "version": "1.0", "players": []})
    text = json.dumps(older(SCORES, "0.9"))
    Path("a.json").write_text(text, "utf-8")
    code, _, err = handrec(capsys, "a.json")
    assert code == 1
    assert "FMT007" in err
    assert [path.read_text("utf-8") for path in Path().iterdir()] == [text]
