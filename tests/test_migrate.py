"""Migration: versions are brought forward one after another, files are kept as they were, and what is unknown is refused."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from handrec import check, load
from handrec.cli import run
from handrec.migrate import MIGRATIONS, first, lost, migrated, versions
from handrec.record import LATEST, Record
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


def now() -> Record:
    """The fixture as a record of the last version."""
    return load(SCORES).model_copy(update={"version": LATEST})


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
    assert versions()[-1] == LATEST


def test_steps_are_chained_and_the_argument_stays(earlier: None) -> None:
    data = older(SCORES, "0.8")
    before = json.dumps(data)
    assert Record.model_validate(migrated(data)) == now()
    assert json.dumps(data) == before
    assert migrated(data, "0.9")["version"] == "0.9"
    assert migrated({"version": "7.0"}) == {"version": "7.0"}


def test_a_file_is_migrated_and_kept_as_it_was(earlier: None, capsys: pytest.CaptureFixture[str]) -> None:
    text = json.dumps(older(SCORES, "0.8"))
    Path("a.json").write_text(text, "utf-8")
    code, out, err = handrec(capsys, "--diff", "a.json")
    assert code == 1
    assert '+  "version": "1.1",' in out
    assert err == "1 of 1 record would be brought to version 1.1\n"
    assert [path.name for path in Path().iterdir()] == ["a.json"]
    code, out, err = handrec(capsys, "a.json")
    assert (code, out) == (0, "")
    assert err == "migrated a.json; as it was: a.json.orig\n1 of 1 record brought to version 1.1\n"
    assert load("a.json") == now()
    assert Path("a.json.orig").read_text("utf-8") == text
    assert handrec(capsys, "a.json") == (0, "", "0 of 1 record brought to version 1.1\n")


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
    kept = json.dumps(copied(now()), indent=None, separators=(", ", " : ")).encode() + b"\n"
    old = json.dumps(older(SCORES, "0.9")).encode() + b"\n"
    Path("a.jsonl").write_bytes(kept + b"\n{oops\n" + old + kept.strip())
    code, _, err = handrec(capsys, "a.jsonl")
    assert code == 1
    assert err.startswith("a.jsonl:3:2: FMT001 ")
    first, blank, bad, new, last = Path("a.jsonl").read_bytes().split(b"\n")
    assert (first + b"\n", blank, bad, last) == (kept, b"", b"{oops", kept.strip())
    assert Record.model_validate_json(new) == now()


def test_standard_input_goes_to_standard_output(
    earlier: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(json.dumps(older(SCORES, "0.9")).encode())))
    code, out, _ = handrec(capsys, "-")
    assert code == 0
    assert Record.model_validate_json(out) == now()


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
    code, _, err = handrec(capsys, "--to", "1.2", "a.json")
    assert (code, "there is no version 1.2" in err) == (2, True)


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
    assert load("b.json") == now()


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


# --- back -------------------------------------------------------------------------------------------------------------


def board() -> Data:
    """A record with something of each kind that 1.0 does not have."""
    data: Data = json.loads((ROOT / "fixtures/clean/partial/bridge-board.handrec.json").read_text("utf-8"))
    events = [
        {"do": "bid", "by": "S", "bid": "?"},
        {"do": "bid", "by": "W", "bid": "1H"},
        {"do": "withdraw", "by": "W", "bid": "1H"},
        {"do": "exchange", "by": "N", "to": "S", "count": 1},
        {"do": "transfer", "by": "N", "of": "E", "tricks": 1, "of_trick": 2},
    ]
    plays = data["deals"][0]["events"][1:]
    data["deals"][0]["events"] = [*events, *plays]
    data["deals"][0]["comments"] = [
        {"text": "a", "event": 1}, {"text": "b", "event": 2, "kind": "alert"}, {"text": "c", "event": 3},
        {"text": "d", "event": 5}, {"text": "e", "event": 6}, {"text": "f"},
    ]  # fmt: skip
    return data


def test_what_the_first_version_does_not_have_is_left_out_and_nothing_else() -> None:
    """Comments stay at their events; those on an event that is left out are on the deal."""
    data = board()
    record = Record.model_validate(data)
    pointers = lost(record)
    assert [pointer.removeprefix("/deals/0/") for pointer in pointers if "trick" not in pointer.split("/")[-1]] == [
        "board", "vulnerable", "claimed/sides", "comments/1/kind", "events/0/bid", "events/2/bid", "events/3",
    ]  # fmt: skip
    back = first(json.loads(json.dumps(data)), pointers)
    assert back["version"] == "1.0"
    deal = back["deals"][0]
    assert [event["do"] for event in deal["events"][:3]] == ["bid", "transfer", "play"]
    assert deal["events"][1] == {"do": "transfer", "by": "N", "of": "E", "tricks": 1}
    assert [(comment["text"], comment.get("event"), comment.get("kind")) for comment in deal["comments"]] == [
        ("a", None, None), ("b", 1, None), ("c", None, None), ("d", 2, None), ("e", 3, None), ("f", None, None),
    ]  # fmt: skip
    assert lost(Record.model_validate(back)) == []
    assert [event["card"] for event in deal["events"][2:]] == [event["card"] for event in data["deals"][0]["events"][5:]]


def test_going_back_is_refused_with_the_place_of_all_that_would_be_lost(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    text = json.dumps(board())
    Path("a.json").write_text(text, "utf-8")
    code, out, err = handrec(capsys, "--to", "1.0", "a.json")
    assert (code, out, Path("a.json").read_text("utf-8")) == (1, "", text)
    lines = err.splitlines()
    column = text.index('"board": 3') + len('"board": ') + 1
    assert lines[0] == f"a.json:1:{column}: /deals/0/board would be lost"
    assert lines[20] == "a.json: and 1 things more"
    assert lines[21] == (
        "handrec: version 1.0 does not have: 2 × bid, 1 × board, 1 × exchange, 1 × kind, 1 × of_trick, 1 × sides, 13 × trick, "
        "1 × vulnerable; such records stay as they are (--allow-lossy leaves it out)"
    )
    assert lines[22:] == ["0 of 1 record brought to version 1.0"]
    assert handrec(capsys, "--to", "1.0", "--diff", "a.json")[0] == 1
    code, _, err = handrec(capsys, "--to", "1.0", "--allow-lossy", "a.json")
    assert (code, "/deals/0/board is left out" in err) == (0, True)
    record = load("a.json")
    assert (record.version, lost(record)) == ("1.0", [])
    assert Path("a.json.orig").read_text("utf-8") == text


def test_there_and_back_is_the_same(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Whatever 1.0 has, 1.1 has too: nothing is lost on the way, and the bytes of a file laid out are those that were."""
    monkeypatch.chdir(tmp_path)
    text = SCORES.read_text("utf-8")
    Path("a.json").write_text(text, "utf-8")
    assert handrec(capsys, "a.json")[0] == 0
    assert load("a.json") == now()
    Path("a.json.orig").unlink()
    assert handrec(capsys, "--to", "1.0", "a.json")[0] == 0
    assert Path("a.json").read_text("utf-8") == text
