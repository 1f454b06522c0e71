"""`handrec diff`: what it writes in each format, what it returns, and what it makes of wrong and hostile input."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import jsonpatch
import pytest

from handrec.cli import run
from handrec.report.safe import columns
from handrec.writing import line
from tests.differing import dealt
from tests.tables import deal, game
from tests.test_diff import HANDS, PLAYS, merged, record, small

RIGHT = small(claimed={"winners": ["0", "1", "2"]})
WRONG = small(plays=PLAYS.replace("2 5H", "2 TC"), claimed={"winners": ["0", "1", "2"]})


@pytest.fixture
def diff(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    """`handrec diff` of records given as data, called a.json, b.json, ...: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*records: Any, more: tuple[str, ...] = ()) -> tuple[int, str, str]:
        names = [f"{chr(97 + place)}.json" for place in range(len(records))]
        for name, data in zip(names, records, strict=True):
            Path(name).write_text(data if isinstance(data, str) else json.dumps(data), "utf-8")
        code = run(["diff", *names, *more])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_two_records_in_text(diff: Any) -> None:
    """The first difference, all of them, and the rules' vote with what the other needs."""
    code, out, _ = diff(RIGHT, WRONG)
    assert code == 1
    assert (
        out
        == """\
A  a.json
B  b.json

First difference: deal 16, trick 1, seat 2: play 5H / TC

deal 16, trick 1, seat 2: play 5H / TC

The rules are for A.
  A  nothing wrong, as far as it can be checked
  B  1 finding: deal 16, trick 1: REC003 TC stands where 5H was played
     needs deal 16, trick 1, seat 2: play 5H (as A has it)

1 difference.
"""
    )


def test_three_records_in_text(diff: Any) -> None:
    """Each difference says who agrees; of a hand, only the cards that differ are shown."""
    other = small(hands=HANDS.replace("2D", "3D"), claimed={"winners": ["0", "1", "2"]}, comments=[{"text": "hm", "by": "Ann"}])
    code, out, _ = diff(RIGHT, WRONG, other)
    assert code == 1
    assert out.split("\n\n")[2] == (
        "deal 16, seat 0: hand 2D (+2) / 2D (+2) / 3D (+2) (majority A B)\n"
        "deal 16, trick 1, seat 2: play 5H / TC / 5H (majority A C)\n"
        "deal 16: comment – / – / hm (by Ann) (only in C)"
    )


def test_the_same_is_exit_code_0(diff: Any) -> None:
    """Also where the JSON is not the same, and where only notes differ and are not asked for."""
    sorted_otherwise = small(hands="2: BJ TC 5H | 0: 2D AH 7C | 1: 9S KH 3H", claimed={"winners": ["0", "1", "2"]})
    assert diff(RIGHT, sorted_otherwise) == (0, "A  a.json\nB  b.json\n\nNo difference.\n", "")
    named = {**RIGHT, "id": "another"}
    assert diff(RIGHT, named)[0] == 1
    assert diff(RIGHT, named, more=("--facts",))[0] == 0


def test_json_is_one_document(diff: Any) -> None:
    """With place, values, pointers and the vote."""
    code, out, _ = diff(RIGHT, WRONG, more=("-f", "json"))
    told = json.loads(out)
    assert code == 1
    assert told["same"] is False
    (one,) = told["records"]
    assert one["first"] == "deal 16, trick 1, seat 2: play 5H / TC"
    (difference,) = one["differences"]
    assert difference["pointers"] == {"A": "/deals/0/events/5", "B": "/deals/0/events/5"}
    assert difference["values"]["B"] == {"do": "play", "by": "2", "card": "TC"}
    assert [version["ok"] for version in one["vote"]] == [True, False]
    assert one["vote"][1]["changes"] == [{"place": "deal 16, trick 1, seat 2: play", "from": "A", "value": "5H"}]


def test_markdown_has_a_column_for_each_file(diff: Any) -> None:
    """And the rules' vote below."""
    out = diff(RIGHT, WRONG, more=("-f", "markdown"))[1]
    assert re.search(r"^\| place +\| A +\| B +\|$", out, re.MULTILINE)
    assert re.search(r"^\| deal 16, trick 1, seat 2: play +\| 5H +\| TC +\|$", out, re.MULTILINE)


def test_patches_lead_from_the_one_file_to_the_other(diff: Any) -> None:
    """As another implementation applies them, exactly."""
    one, other = json.loads(line(dealt(1))), json.loads(line(dealt(6)))
    code, out, _ = diff(one, other, more=("-f", "json-patch"))
    assert code == 1
    assert jsonpatch.apply_patch(one, json.loads(out)) == other
    code, out, _ = diff(one, other, more=("-f", "merge-patch"))
    assert code == 1
    assert merged(one, json.loads(out)) == other
    assert diff(one, one, more=("-f", "json-patch"))[:2] == (0, "[\n]\n")


def test_a_merge_patch_that_cannot_be_is_refused(diff: Any) -> None:
    """A null among the extensions would take the key out."""
    code, out, err = diff(RIGHT, {**RIGHT, "extensions": {"x": None}}, more=("-f", "merge-patch"))
    assert (code, out) == (2, "")
    assert "null" in err


def test_the_reconciled_record_is_written_only_where_asked(diff: Any, tmp_path: Path) -> None:
    """To a file that does not exist yet; it then says the same as the right one."""
    code, _, err = diff(RIGHT, WRONG, RIGHT, more=("--reconcile", "-o", "agreed.json"))
    assert (code, err) == (1, "wrote agreed.json\n")
    written = (tmp_path / "agreed.json").read_text("utf-8")
    assert run(["diff", "a.json", "agreed.json", "--facts"]) == 0
    code, _, err = diff(RIGHT, WRONG, more=("--reconcile", "-o", "agreed.json"))
    assert (code, err) == (2, "handrec: agreed.json exists already; nothing was written\n")
    assert (tmp_path / "agreed.json").read_text("utf-8") == written
    assert diff(RIGHT, WRONG, more=("--reconcile",))[0] == 2


def test_several_records_in_a_file_are_matched(diff: Any) -> None:
    """By id, and by their order where there is none."""
    one, two, three = ({**small(number=number), "id": name} for number, name in ((16, "x"), (15, "y"), (14, "z")))
    lines = ["\n".join(map(json.dumps, records)) + "\n" for records in ((one, two), (two, one), (two, three))]
    assert diff(*lines[:2], more=("--from", "jsonl"))[0] == 0
    code, out, _ = diff(lines[0], lines[2], more=("--from", "jsonl"))
    assert code == 1
    assert "Record y\nNo difference.\n" in out
    assert "id: x / z" in out
    bare = [json.dumps({key: value for key, value in each.items() if key != "id"}) for each in (one, two)]
    assert diff("\n".join(bare), "\n".join(bare), more=("--from", "jsonl"))[0] == 0
    code, out, _ = diff("\n".join(bare), bare[0], more=("--from", "jsonl"))
    assert code == 1
    assert "Only A has it." in out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "Missing argument"),
        (("a.json",), "2 to 26 files, not 1"),
        (("a.json", "none.json"), "none.json: no such file"),
        (("a.json", "no.json"), "no.json:1:1: FMT006"),
        (("a.json", "empty.json"), "empty.json"),
        (("-", "-"), "only once"),
        (("a.json", "a.json", "a.json", "-f", "json-patch"), "two files"),
        (("a.json", "a.json", "-f", "yaml"), "yaml"),
        (("a.json", "."), "no.json"),
    ],
)
def test_wrong_input_is_trouble(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 2, one line on standard error, nothing on standard output."""
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text(json.dumps(RIGHT), "utf-8")
    Path("no.json").write_text('{"format": "handrec"}', "utf-8")
    Path("empty.json").write_text("", "utf-8")
    assert run(["diff", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert says in said.err
    assert "Traceback" not in said.err


def test_standard_input_is_one_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`-` in the place of a file."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps(RIGHT), "utf-8")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(json.dumps(WRONG).encode())))
    assert run(["diff", str(path), "-"]) == 1
    assert "\nB  <stdin>\n" in capsys.readouterr().out


HOSTILE = "\x1b[31m\u202eEve\u200b|<script>`*_\n::error::x\x07" + "界" * 60


@pytest.mark.parametrize("format", ["text", "json", "markdown", "json-patch", "merge-patch"])
def test_hostile_text_is_inert(diff: Any, format: str) -> None:
    """Nothing invisible gets through, no line is too wide, and Markdown stays words."""
    one = game("kbabs", 3, deal(hands=HANDS, number=16, comments=[{"text": HOSTILE, "by": HOSTILE}]), id=HOSTILE)
    other = game("kbabs", 3, deal(hands=HANDS, number=16, comments=[{"text": HOSTILE * 5}]), extensions={HOSTILE: {HOSTILE: [1]}})
    other["players"][0]["name"] = HOSTILE
    code, out, _ = diff(one, other, more=("-f", format))
    assert code == 1
    assert out.replace("\n", "").isprintable()
    if format == "text":
        assert max(map(columns, out.splitlines())) <= 80
    if format == "markdown":
        assert "<script>" not in out
        assert not re.search(r"(?<!\\)`", out)


def test_a_game_that_is_not_known_can_still_be_compared(diff: Any) -> None:
    """The referee then finds that wrong with both."""
    one, other = ({**small(plays=plays), "game": "nap"} for plays in (PLAYS, PLAYS.replace("2 5H", "2 TC")))
    code, out, _ = diff(one, other)
    assert code == 1
    assert "First difference: deal 16, trick 1, seat 2: play 5H / TC" in out
    assert "Something is wrong with every version." in out
    assert record(one).game == "nap"
