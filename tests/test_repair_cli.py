"""`check --diff`, `--fix`, `--unsafe-fixes`: what is written and what is not, what is kept, and what is refused."""

from __future__ import annotations

import gzip
import json
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from handrec import writing
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.games import find
from handrec.repair import FIXES
from tests.planting import plants

ROOT = Path(__file__).parents[1]

Handrec = Callable[..., tuple[int, str, str]]


@pytest.fixture
def handrec(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Handrec:
    """Run the command line in an empty directory; returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)

    def call(*arguments: str) -> tuple[int, str, str]:
        writing.sweep.cache_clear()  # as in a process of its own
        code = run([str(argument) for argument in arguments])
        said = capsys.readouterr()
        assert "Traceback" not in said.err
        assert "internal" not in said.err
        return code, said.out, said.err

    return call


def text_of(inject: str | None = None, seed: int = 1, line: bool = False) -> str:
    """The text of three deals of KBABS, with a fault."""
    game = find("kbabs")
    assert game is not None
    record = deal_game(game, 3, seed, numbers=[1, 2, 3], inject=inject)
    return writing.line(record) if line else writing.dumps(record)


def fixes(text: str) -> Any:
    """What a record says was mended in it."""
    return json.loads(text).get("extensions", {}).get(FIXES)


def test_diff_shows_what_fix_would_change_and_writes_nothing(handrec: Handrec) -> None:
    """A hunk for each value, exit code 1, and the file as it was."""
    Path("a.json").write_text(before := text_of("SCO001"))
    code, out, err = handrec("check", "--diff", "a.json")
    assert (code, err) == (1, "")
    head, body = out.split("@@ deal ", 1)
    assert head == "--- a.json\n+++ kbabs-3-1, as mended\n"
    assert ", score of " in body
    assert "@@ SCO001, derived\n-" in body
    assert "1 clean" in body
    assert Path("a.json").read_text() == before
    assert sorted(path.name for path in Path().iterdir()) == ["a.json"]
    assert handrec("check", "--diff", "--fix", "a.json")[:2] == (1, out)
    assert Path("a.json").read_text() == before


def test_fix_writes_it_keeps_the_original_and_says_what_it_did(handrec: Handrec) -> None:
    """Only the value changes, and the list of what was mended is added; a second run changes nothing."""
    Path("a.json").write_text(before := text_of("TRK001"))
    Path("a.json").chmod(0o640)
    code, out, err = handrec("check", "--fix", "a.json")
    after = Path("a.json").read_text()
    assert code == 0
    assert "TRK001, derived" in out
    assert err == "mended a.json; as it was: a.json.orig\n"
    assert Path("a.json.orig").read_text() == before
    assert stat.S_IMODE(Path("a.json").stat().st_mode) == 0o640
    changed = [line for line in after.splitlines() if line not in before.splitlines()]
    assert len(changed) == 2  # the winners, and the new key
    (fix,) = fixes(after)
    assert (fix["code"], fix["proof"]) == ("TRK001", "derived")
    assert {"pointer", "before", "after"} <= set(fix)
    assert handrec("check", "--fix", "a.json")[0] == 0
    assert Path("a.json").read_text() == after
    assert sorted(path.name for path in Path().iterdir()) == ["a.json", "a.json.orig"]


def test_two_runs_write_the_same_bytes(handrec: Handrec) -> None:
    """Nothing of the time or the place gets into a file."""
    for name in ("a.json", "b.json"):
        Path(name).write_text(text_of("SCO002"))
        assert handrec("check", "--fix", name)[0] == 0
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()


@pytest.mark.parametrize("option", [("--fix",), ("--fix", "--unsafe-fixes"), ("--diff",), ("--diff", "--unsafe-fixes")])
def test_a_clean_file_is_left_as_it_is(handrec: Handrec, option: tuple[str, ...]) -> None:
    """Byte for byte, whatever its layout, and though its original's name is taken."""
    data = json.dumps(json.loads(text_of()), indent=7).encode() + b"\r\n\r\n"
    Path("a.json").write_bytes(data)
    Path("a.json.orig").touch()
    code, out, err = handrec("check", *option, "a.json")
    assert (code, err) == (0, "")
    assert "edit" not in out
    assert Path("a.json").read_bytes() == data


def test_layout_comments_extensions_and_what_we_do_not_know_are_kept(handrec: Handrec) -> None:
    """Everything but the value mended stands where and as it stood."""
    data = json.loads(text_of("SCO001"))
    data["extensions"] = {"theirs": {"b": None, "a": ["\u00e9", 1]}}
    data["comments"] = [{"text": "S\u00e9bastien: \u2660 never!"}]
    text = json.dumps(dict(reversed(data.items())), indent=3, ensure_ascii=True).replace('"deals": [', '"deals":\t[')
    Path("a.json").write_bytes(b"\xef\xbb\xbf" + text.encode())
    handrec("check", "--fix", "a.json")
    after = Path("a.json").read_bytes().decode()
    assert after.startswith("\ufeff")
    mended = json.loads(after[1:])
    assert len(mended["extensions"].pop(FIXES)) == 1
    assert (mended["extensions"], mended["comments"], list(mended)) == (
        data["extensions"],
        data["comments"],
        list(json.loads(text)),
    )
    gone = set(text.splitlines()) - set(after[1:].splitlines())
    assert len(gone) <= 2


def test_lines_of_json_lines_that_need_nothing_are_left(handrec: Handrec) -> None:
    """Of several records a line each, only those at fault are written anew; what cannot be read stays too."""
    good, bad = text_of(line=True), text_of("TRK002", line=True)
    lines = [good.replace(",", " ,"), "\n", bad, '{"broken": \n', bad.replace("kbabs-3-1", "other")]
    Path("a.jsonl").write_text("".join(lines))
    code, _, _ = handrec("check", "--fix", "a.jsonl")
    assert code == 1
    after = Path("a.jsonl").read_text().splitlines(keepends=True)
    assert [after[0], after[1], after[3]] == [lines[0], lines[1], lines[3]]
    assert len(fixes(after[2])) == len(fixes(after[4])) == 1


def test_cards_are_respelled(handrec: Handrec) -> None:
    """Another spelling of a card is mended everywhere; it is the same card."""
    clean = text_of()
    card = json.loads(clean)["deals"][0]["events"][-1]["card"]
    Path("a.json").write_text(clean.replace(f'"{card}"', f'"{card.lower()}"'))
    code, out, _ = handrec("check", "--fix", "--fail-on", "warning", "a.json")
    assert code == 0
    assert "FMT016, derived" in out
    mended = json.loads(Path("a.json").read_text())
    assert mended.pop("extensions")
    assert mended == json.loads(clean)


def test_unsafe_fixes_are_offered_and_only_the_sure_ones_written(handrec: Handrec) -> None:
    """Without --fix nothing is written; with it a repair that is the only one, marked as such."""
    Path("a.json").write_text(before := text_of("PLY005"))
    code, out, _ = handrec("check", "--unsafe-fixes", "a.json")
    assert code == 1
    assert "repair 1 of 1 for PLY005" in out
    assert Path("a.json").read_text() == before
    assert handrec("check", "--fix", "a.json")[0] == 1
    assert Path("a.json").read_text() == before
    assert handrec("check", "--fix", "--unsafe-fixes", "a.json")[0] == 0
    (fix,) = fixes(Path("a.json").read_text())
    assert fix["proof"] == "only"
    assert "before" not in fix


def test_a_guess_is_never_written(handrec: Handrec) -> None:
    """Of two repairs that are equally small neither is chosen; both are shown with their number."""
    data = json.loads(text_of())
    data["deals"][0]["events"] = [event for event in data["deals"][0]["events"] if event["do"] != "bid" or event["by"] != "P1"]
    del data["deals"][0]["claimed"]["bids"], data["deals"][0]["claimed"]["scores"]
    for deal in data["deals"]:
        deal["claimed"].pop("totals", None)
    data.pop("claimed", None)
    Path("a.json").write_text(json.dumps(data))
    before = Path("a.json").read_bytes()
    code, out, _ = handrec("check", "--fix", "--unsafe-fixes", "a.json")
    assert code == 1
    assert "repair 2 of " in out
    assert ": a guess" in out
    assert Path("a.json").read_bytes() == before


def test_as_json(handrec: Handrec) -> None:
    """Edits, faults that leave something open, and repairs as data; one document."""
    Path("a.json").write_text(text_of("SCO001"))
    Path("b.json").write_text(text_of("PLY005"))
    code, out, _ = handrec("check", "--diff", "--unsafe-fixes", "-f", "json", "a.json", "b.json")
    assert code == 1
    one, other = json.loads(out)["records"]
    (edit,) = one["edits"]
    assert edit["proof"] == "derived"
    assert edit["before"] != edit["after"]
    (group,) = other["repairs"]
    assert (group["codes"], group["cut_short"]) == (["PLY005"], False)
    assert group["ways"][0][0]["proof"] == "only"
    assert other["findings"] == []


# --- in words -------------------------------------------------------------------------------------------------------

#: What is said of plants in the first deal of kbabs that is made for them: the diff, line by line.
DIFFS: dict[str, tuple[str, ...]] = {
    "hands": (
        "@@ deal 6, hand of P1 @@ PLY001, only: the hands of P1 and P3 exchanged",
        "-QS TS 3S TH 3H 2H JD 9D 7D 4D 9C 8C 6C",
        "+LJ KS JS 5S AH KH QH 6H 8D 6D QC JC 7C",
        "@@ deal 6, hand of P3 @@ PLY001, only",
        "-LJ KS JS 5S AH KH QH 6H 8D 6D QC JC 7C",
        "+QS TS 3S TH 3H 2H JD 9D 7D 4D 9C 8C 6C",
    ),
    "hand_given": (
        "@@ deal 6, hand of P1 @@ PLY001, only: 2H given to P1 instead of P3",
        "-2H",
        "@@ deal 6, hand of P3 @@ PLY001, only",
        "+2H",
    ),
    "row_lost": (
        "@@ deal 6, trick 2, P2 @@ PLY005, only: trick 2 left out",
        "+P2 3D",
        "@@ deal 6, trick 2, P3 @@ PLY005, only",
        "+P3 4D",
        "@@ deal 6, trick 2, P1 @@ PLY005, only",
        "+P1 6D",
    ),
    "play_doubled": ("@@ deal 6, trick 10, P1 @@ PLY002, only: KS written twice", "-P1 KS"),
    "rows_exchanged": (
        "@@ deal 6, trick 1, P2 @@ TRK001, guess",
        "-3D",
        "+KC",
        "@@ deal 6, trick 1, P3 @@ TRK001, guess",
        "-4D",
        "+9C",
        "@@ deal 6, trick 1, P1 @@ TRK001, guess",
        "-6D",
        "+7C",
        "@@ deal 6, trick 2, P2 @@ TRK001, guess",
        "-KC",
        "+3D",
        "@@ deal 6, trick 2, P3 @@ TRK001, guess",
        "-9C",
        "+4D",
        "@@ deal 6, trick 2, P1 @@ TRK001, guess",
        "-7C",
        "+6D",
    ),
}


@pytest.mark.parametrize("act", DIFFS)
def test_a_diff_says_in_players_words_where_and_what(act: str, handrec: Handrec) -> None:
    """A hunk for each place, the cards of a hand together, and the reason once."""
    _, record = next(plants("kbabs", act, 1, hands=True, claims=True))
    Path("a.json").write_text(writing.dumps(record))
    _, out, _ = handrec("check", "--unsafe-fixes", "--diff", "a.json")
    assert tuple(line for line in out.splitlines() if line[:1] in "@-+" and line[:3] not in ("---", "+++")) == DIFFS[act]


# --- what is refused ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("output", ["nodir/report.txt", "a.json/report.txt", f"{'x' * 300}/report.txt", "link"])
def test_nothing_is_mended_if_the_report_cannot_be_written(handrec: Handrec, output: str) -> None:
    """A report that has nowhere to go is refused first, not when the file has been written anew."""
    Path("a.json").write_text(before := text_of("SCO001"))
    Path("link").symlink_to("nowhere")
    code, out, err = handrec("check", "--fix", "-o", output, "a.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert Path("a.json").read_text() == before
    assert sorted(path.name for path in Path().iterdir()) == ["a.json", "link"]


def test_a_link_and_a_read_only_file_are_not_written(handrec: Handrec) -> None:
    """Both are said, the finding stays, and nothing has changed."""
    Path("a.json").write_text(before := text_of("SCO001"))
    Path("link.json").symlink_to("a.json")
    code, out, err = handrec("check", "--fix", "link.json")
    assert (code, err) == (2, "handrec: link.json: will not write through a symbolic link\n")
    assert "SCO001 error" in out
    Path("a.json").chmod(0o444)
    code, out, err = handrec("check", "--fix", "a.json")
    assert code == 2
    assert "read-only" in err
    assert "SCO001 error" in out
    assert Path("a.json").read_text() == before
    assert sorted(path.name for path in Path().iterdir()) == ["a.json", "link.json"]


def test_an_original_that_is_there_already_is_never_overwritten(handrec: Handrec) -> None:
    """Nothing is lost by mending twice: the second time is refused."""
    Path("a.json").write_text(before := text_of("SCO001"))
    Path("a.json.orig").write_text("mine")
    code, _, err = handrec("check", "--fix", "a.json")
    assert code == 2
    assert "a.json.orig is there already" in err
    assert (Path("a.json").read_text(), Path("a.json.orig").read_text()) == (before, "mine")


def mended_twice(handrec: Handrec, kept: str = "a.json.orig.2") -> tuple[str, str, str]:
    """A file as it was first, mended, and mended again after somebody wrote another wrong number into it."""
    Path("a.json").write_text(first := text_of("SCO001"))
    assert handrec("check", "--fix", "a.json")[0] == 0
    score = json.loads(Path("a.json").read_text())["deals"][0]["claimed"]["scores"]
    seat = min(score)
    second = Path("a.json").read_text().replace(f'"scores": {json.dumps(score)}', f'"scores": {json.dumps(score | {seat: 99})}')
    Path("a.json").write_text(second)
    code, out, err = handrec("check", "--fix", "a.json")
    assert (code, err) == (0, f"mended a.json; as it was: {kept}\n")
    assert "SCO001, derived" in out
    return first, second, Path("a.json").read_text()


def test_a_second_run_leaves_the_first_original_and_keeps_the_second(handrec: Handrec) -> None:
    """Every state of the file that was written over is there, and the list of what was mended goes on."""
    first, second, third = mended_twice(handrec)
    assert Path("a.json.orig").read_text() == first
    assert Path("a.json.orig.2").read_text() == second
    assert [fix["code"] for fix in fixes(third)] == ["SCO001", "SCO001"]
    assert sorted(path.name for path in Path().iterdir()) == ["a.json", "a.json.orig", "a.json.orig.2"]


def test_a_third_name_is_found_where_somebody_has_the_second(handrec: Handrec) -> None:
    """What stands there, be it a file or a link to nowhere, or to the file itself, stays."""
    Path("a.json.orig.2").write_text("mine")
    Path("a.json.orig.3").symlink_to("nowhere")
    Path("a.json.orig.4").symlink_to("a.json")
    _, second, _ = mended_twice(handrec, "a.json.orig.5")
    assert Path("a.json.orig.2").read_text() == "mine"
    assert [Path(f"a.json.orig.{number}").is_symlink() for number in (3, 4)] == [True, True]
    assert Path("a.json.orig.5").read_text() == second


class Killed(BaseException):
    """The process ends here."""


#: The steps of writing a file anew, in order.
STEPS = [
    (Path, "hardlink_to"),
    (tempfile, "mkstemp"),
    (os, "fsync"),
    (Path, "chmod"),
    (Path, "replace"),
]


@pytest.mark.some(3)
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS, ids=lambda step: step[1])
@pytest.mark.parametrize("again", [False, True], ids=["first run", "second run"])
def test_a_run_that_is_killed_loses_nothing_and_can_be_run_again(
    handrec: Handrec, monkeypatch: pytest.MonkeyPatch, step: tuple[Any, str], after: bool, again: bool
) -> None:
    """At every step the file is whole, as it was or mended; what is kept is what was; and the next run does what is left."""
    if again:
        mended_twice(handrec)
        Path("a.json").write_text(Path("a.json.orig.2").read_text())
        Path("a.json.orig.2").unlink()
    else:
        Path("a.json").write_text(text_of("SCO001"))
    before, kept = Path("a.json").read_text(), "a.json.orig.2" if again else "a.json.orig"
    first = Path("a.json.orig").read_text() if again else before
    real = getattr(*step)

    def killed(*given: Any, **named: Any) -> None:
        if after:
            real(*given, **named)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(*step, killed)
        with pytest.raises(Killed):
            handrec("check", "--fix", "a.json")
    written = after and step[1] == "replace"
    assert (Path("a.json").read_text() == before) is not written
    assert json.loads(Path("a.json").read_text())
    code, _, err = handrec("check", "--fix", "a.json")
    assert code == 0
    assert err == ("" if written else f"mended a.json; as it was: {kept}\n")
    assert Path("a.json.orig").read_text() == first
    assert Path(kept).read_text() == before
    assert {path.name for path in Path().iterdir()} == {"a.json", "a.json.orig", kept}


@pytest.mark.parametrize("written", [False, True])
def test_an_original_stays_if_writing_fails_when_all_was_written(
    handrec: Handrec, monkeypatch: pytest.MonkeyPatch, written: bool
) -> None:
    """A fault of the disk is told; the original is taken away only where the file still is the same."""
    Path("a.json").write_text(before := text_of("SCO001"))
    real = writing.write

    def failing(*given: Any, **named: Any) -> None:
        if written:
            real(*given, **named)
        raise OSError(5, "the disk is tired")

    monkeypatch.setattr(writing, "write", failing)
    code, _, err = handrec("check", "--fix", "a.json")
    assert code == 2
    assert "the disk is tired" in err
    assert Path("a.json.orig").exists() is written
    assert (Path("a.json.orig") if written else Path("a.json")).read_text() == before


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("check", "--fix", "-"), "standard input cannot be mended"),
        (("check", "--diff", "-f", "sarif", "a.json"), "--diff is shown as text, line, json or jsonl"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(handrec: Handrec, arguments: tuple[str, ...], why: str) -> None:
    """Nothing is read, and the exit code is 2."""
    code, out, err = handrec(*arguments)
    assert (code, out) == (2, "")
    assert why in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(("name", "inject", "code"), [("clean", None, 0), ("revoke", "REV001", 1), ("score", "SCO001", 2)])
def test_a_kind_that_is_not_written_is_refused_only_where_something_would_be(
    handrec: Handrec, name: str, inject: str | None, code: int
) -> None:
    """Typed, packed or a sheet: with nothing to mend the report and the exit code are those without --fix."""
    Path(f"{name}.json").write_text(text_of(inject))
    assert handrec("convert", f"{name}.json", "-o", f"{name}.hrt")[0] == 0
    assert handrec("convert", f"{name}.json", "-o", f"{name}.jsonl.xz")[0] == 0
    for path in (f"{name}.hrt", f"{name}.jsonl.xz"):
        before = Path(path).read_bytes()
        plain = handrec("check", path)
        assert plain[0] == min(code, 1)
        mended = handrec("check", "--fix", path)
        refused = f"handrec: {path}: only JSON and JSON Lines that are not packed are written\n"
        assert mended == (plain if code < 2 else (2, plain[1], refused))
        assert Path(path).read_bytes() == before
        assert not Path(f"{path}.orig").exists()


def test_a_directory_of_all_kinds(handrec: Handrec) -> None:
    """What can be written is; what cannot is said of each file that has something to mend, and none of them changes."""
    Path("d").mkdir()
    Path("d/a.json").write_text(text_of("TRK002"))
    Path("d/b.jsonl").write_text(text_of("SCO002", line=True))
    packed = gzip.compress(text_of("SCO001", line=True).encode(), mtime=0)
    Path("d/c.jsonl.gz").write_bytes(packed)
    Path("d/e.json").write_text("{")
    Path("deals.txt").write_bytes((ROOT / "fixtures/bridge/three-deals.txt").read_bytes())
    code, out, err = handrec("check", "--fix", "d", "deals.txt")
    assert code == 2
    assert [fixes(Path(name).read_text()) is not None for name in ("d/a.json", "d/b.jsonl")] == [True, True]
    assert Path("d/c.jsonl.gz").read_bytes() == packed
    assert Path("deals.txt").read_bytes() == (ROOT / "fixtures/bridge/three-deals.txt").read_bytes()
    refused = "only JSON and JSON Lines that are not packed are written"
    assert [line for line in err.splitlines() if refused in line] == [f"handrec: d/c.jsonl.gz: {refused}"]
    assert "d/c.jsonl.gz" in out
    assert "FMT001" in out
    assert sorted(path.name for path in Path("d").iterdir()) == [
        "a.json",
        "a.json.orig",
        "b.jsonl",
        "b.jsonl.orig",
        "c.jsonl.gz",
        "e.json",
    ]
