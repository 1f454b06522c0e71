"""Baselines: findings that are known already are left out, and nothing else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from handrec.cli import run

BROKEN = Path(__file__).parents[1] / "fixtures" / "broken"
REVOKE = BROKEN / "kbabs" / "KB-5.2-REV001.handrec.json"

Check = Callable[..., tuple[int, str, str]]


@pytest.fixture
def check(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Check:
    """Run `handrec check` in an empty directory; returns exit code, standard output and standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str | Path) -> tuple[int, str, str]:
        code = run(["check", *map(str, arguments)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return call


def test_what_is_listed_is_left_out(check: Check) -> None:
    """Nothing is left, also of files that hold no record; the report is the same whether the baseline is written or not."""
    code, found, _ = check(BROKEN / "form", "--fail-on", "warning")
    assert check(BROKEN / "form", "--fail-on", "warning", "--write-baseline", "known.json")[:2] == (code, found)
    code, out, said = check(BROKEN / "form", "--fail-on", "warning", "-q", "--baseline", "known.json")
    assert (code, out) == (0, "")
    listed = json.loads(Path("known.json").read_text("utf-8"))["findings"]
    assert listed
    assert said.startswith(f"known.json: {len(listed)} known findings left out\n")


def test_a_finding_is_left_out_as_often_as_it_is_listed(check: Check) -> None:
    """A second record of the same name has findings of its own."""
    shutil.copy(REVOKE, "a.json")
    check("a.json", "--write-baseline", "known.json")
    shutil.copy(REVOKE, "b.json")
    code, out, said = check("a.json", "b.json", "-q", "--baseline", "known.json")
    assert (code, out.count("\n")) == (1, 1)
    assert out.startswith("b.json")
    assert said == "known.json: 1 known finding left out\n"


def test_what_is_not_listed_is_found(check: Check) -> None:
    """A new record's findings are told as ever; those that are gone are counted."""
    check(REVOKE, "--write-baseline", "known.json")
    due = check(BROKEN / "bugami")
    code, out, said = check(BROKEN / "bugami", "--baseline", "known.json")
    assert (code, out) == due[:2]
    assert said == "known.json: 0 known findings left out; 1 that it lists were not found\n"


def test_a_record_is_known_wherever_it_lies(check: Check) -> None:
    """By its id; and a second fault in it is a new one."""
    shutil.copy(REVOKE, "a.json")
    check("a.json", "--write-baseline", "known.json")
    Path("deeper").mkdir()
    Path("deeper", "b.json").write_text(REVOKE.read_text("utf-8").replace('"N": 11,', '"N": 12,', 1), "utf-8")
    code, out, _ = check("deeper", "-q", "--baseline", "known.json")
    assert (code, "SCO" in out, "REV" in out) == (1, True, False)
    shutil.copy(REVOKE, Path("deeper", "b.json"))
    assert check("deeper", "--baseline", "known.json")[0] == 0


def test_selected_findings_only_are_listed(check: Check) -> None:
    """What is ignored is not known."""
    check(BROKEN / "kbabs", "--select", "SCO", "--write-baseline", "known.json")
    listed = json.loads(Path("known.json").read_text("utf-8"))["findings"]
    assert {finding["code"][:3] for finding in listed} == {"SCO"}
    assert check(BROKEN / "kbabs", "--baseline", "known.json")[0] == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "no such file or directory"),
        ("", "is no baseline"),
        ("[]", "is no baseline"),
        ('{"format": "handrec.baseline", "version": 1}', "is no baseline"),
        ('{"format": "handrec.baseline", "version": 2, "findings": []}', "of another version"),
        ("[" * 100_000, "is no baseline"),
        ("\udcff", "is no baseline"),
    ],
)
def test_what_is_no_baseline(check: Check, text: str | None, said: str) -> None:
    """Said in one line; nothing is checked."""
    if text is not None:
        Path("known.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    code, out, err = check(BROKEN / "kbabs", "--baseline", "known.json")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_baseline_is_never_overwritten(check: Check) -> None:
    """It is refused before anything is checked."""
    Path("known.json").write_text("mine", "utf-8")
    code, out, err = check(BROKEN / "kbabs", "--write-baseline", "known.json")
    assert (code, out, err) == (2, "", "handrec: known.json exists already; nothing was written\n")
    assert Path("known.json").read_text("utf-8") == "mine"


def test_a_baseline_is_a_file(check: Check) -> None:
    """Standard output has the report."""
    assert check(BROKEN / "kbabs", "--write-baseline", "-") == (2, "", "handrec: - is standard output, and this needs a file\n")
    assert not Path("-").exists()


def test_quiet_is_quiet(check: Check) -> None:
    """With -qq nothing is said of what was left out either."""
    check(REVOKE, "--write-baseline", "known.json")
    assert check(REVOKE, "-qq", "--baseline", "known.json") == (0, "", "")


def test_what_follows_from_a_known_slip_is_known_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A baseline lists the slips; with them what follows from them is left out, and nothing is left to fail for."""
    monkeypatch.chdir(Path(__file__).parents[1])
    listed, slid = str(tmp_path / "known.json"), "fixtures/bridge/slid-rows.pbn"
    assert run(["check", slid, "--write-baseline", listed]) == 1
    assert Path(listed).read_text("utf-8").count("REC001") == Path(listed).read_text("utf-8").count('"code"') == 6
    capsys.readouterr()
    assert run(["check", "-v", slid, "--baseline", listed]) == 0
    assert "follows from" not in capsys.readouterr().out


def test_what_follows_from_a_slip_that_is_not_selected_counts_by_itself(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever selects cards not held has them told, and the check fails for them, as it does for the slip."""
    slid = str(Path(__file__).parents[1] / "fixtures/bridge/slid-rows.pbn")
    for select, codes in (("PLY", {"PLY001"}), ("REC", {"REC001"})):
        assert run(["check", slid, "--select", select]) == 1
        said = capsys.readouterr().out
        assert {code for code in ("PLY001", "REC001") if f": {code} error" in said} == codes
    assert run(["check", slid, "--select", "SCO"]) == 0
