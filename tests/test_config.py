"""Settings: what handrec.toml and the environment say, what weighs more, and what is no setting."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from handrec.cli import run

BROKEN = Path(__file__).parents[1] / "fixtures/broken/kbabs/KB-5.2-REV001.handrec.json"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory in another, in which settings can lie."""
    inner = tmp_path / "club" / "evening"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    return inner


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """Exit code, and what was printed, errors last."""
    code = run([*arguments])
    out, err = capsys.readouterr()
    return code, out + err


def test_a_file_sets_options_and_the_command_line_has_the_last_word(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A key at the top counts for every command that has the option, one in a table for that command."""
    (here / "handrec.toml").write_text('format = "json"\n[check]\nselect = ["SCO", "TRK"]\nverbose = true\n', "utf-8")
    code, text = said(capsys, "check", str(BROKEN))
    assert (code, text.startswith("{"), '"REV001"' in text) == (0, True, False)
    code, text = said(capsys, "check", "--format", "line", "--select", "REV", str(BROKEN))
    assert (code, "REV001" in text, "L4 legality" in text) == (1, True, True)
    assert said(capsys, "verify", str(BROKEN)) == said(capsys, "check", str(BROKEN))
    assert json.loads(said(capsys, "explain", "REV001")[1])
    assert "REV001" in said(capsys, "--no-config", "check", str(BROKEN))[1]


def test_the_environment_weighs_more_than_the_file(
    here: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Words, truth values and numbers; what is empty, or no option that can be set, is nothing."""
    (here / "handrec.toml").write_text('[check]\nselect = "SCO"\n', "utf-8")
    monkeypatch.setenv("HANDREC_SELECT", "REV")
    monkeypatch.setenv("HANDREC_VERBOSE", "1")
    monkeypatch.setenv("HANDREC_FORMAT", "")
    monkeypatch.setenv("HANDREC_OUTPUT", str(here / "never"))
    monkeypatch.setenv("HANDREC_TOP", "3")
    code, text = said(capsys, "check", str(BROKEN))
    assert (code, "REV001" in text, "L4 legality" in text) == (1, True, True)
    assert not (here / "never").exists()
    assert said(capsys, "--show-config") == (
        0,
        "check --select REV  (HANDREC_SELECT)\ncheck --verbose 1  (HANDREC_VERBOSE)\naudit --top 3  (HANDREC_TOP)\n",
    )


def test_the_nearest_file_counts_alone(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Further up lie others: of a project's own file only a table [tool.handrec] is read, and of a folder handrec.toml first."""
    (here.parent.parent / "handrec.toml").write_text("[check]\nverbose = true\n", "utf-8")
    (here.parent / "pyproject.toml").write_text('[tool.handrec.check]\nselect = "SCO"\n', "utf-8")
    (here / "pyproject.toml").write_text('[project]\nname = "club"\n', "utf-8")
    assert said(capsys, "--show-config") == (0, f"check --select SCO  ({here.parent / 'pyproject.toml'})\n")
    (here.parent / "pyproject.toml").write_text('tool = {handrec = {check = {select = "TRK"}}}', "utf-8")
    assert "--select TRK" in said(capsys, "--show-config")[1]
    for text in ("tool = 1 # tool.handrec", 'dependencies = ["handrec"]'):
        (here / "pyproject.toml").write_text(text, "utf-8")
        assert "--select TRK" in said(capsys, "--show-config")[1]
    (here / "pyproject.toml").write_text("[tool]\nhandrec = 1", "utf-8")
    assert "tool.handrec is no table" in said(capsys, "--show-config")[1]
    (here / "pyproject.toml").unlink()
    (here.parent / "handrec.toml").write_text("", "utf-8")
    assert "Nothing is set" in said(capsys, "--show-config")[1]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('colour = "never"', "there is no option colour; did you mean color?"),
        ("[chekc]\nfit = true", "there is no command chekc; did you mean check?"),
        ('[check]\nselct = "REV"', "there is no option of check selct; did you mean select?"),
        ('[check]\noutput = "x"', "there is no option of check output"),
        ("[check]\nfix = true", "there is no option of check fix"),
        ('[check]\nfail-on = "loud"', "fail-on of check: 'loud' is not one of"),
        ('[check]\nverbose = "yes"', "verbose of check is true or false"),
        ("[check]\nselect = true", "select of check is neither true nor false"),
        ("[audit]\ntop = 0", "top of audit: "),
        ('[audit]\ntop = "many"', "top of audit: "),
        ("[check]\nselect = 2026-01-01", "select of check is neither text nor a whole number"),
        ("[check.select]\nfirst = true", "select of check is neither text nor a whole number"),
        ("[audit]\ntop = 1.5", "top of audit is neither text nor a whole number"),
        ("[[check]]\nfit = true", "there is no option check"),
        ("# " + "x" * (1 << 20), "it is larger than 1 MiB"),
        ("[check\n", "it is no TOML"),
        ("x = " + "[" * 5000, "it is no TOML"),
    ],
)
def test_what_is_no_setting_is_said_with_its_file(here: Path, capsys: pytest.CaptureFixture[str], text: str, why: str) -> None:
    """A word that no option has, a value that it cannot have, what writes files, what is no TOML: one line, exit code 2."""
    (here / "handrec.toml").write_text(text, "utf-8")
    code, told = said(capsys, "check", str(BROKEN))
    assert (code, len(told.splitlines())) == (2, 1)
    assert why in told
    assert "handrec.toml" in told
    assert said(capsys, "--no-config", "check", str(BROKEN))[0] == 1
    assert said(capsys, "check", "--help")[0] == 0


def test_files_that_are_none_are_passed_over(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A directory of that name; bytes that are no text in a project's file that does not speak of us."""
    (here / "handrec.toml").mkdir()
    os.mkfifo(here / "pyproject.toml")
    (here.parent / "pyproject.toml").write_bytes(b"\xff\xfe not ours")
    assert said(capsys, "check", str(BROKEN))[0] == 1
    (here.parent / "pyproject.toml").write_bytes(b"[tool.handrec]\n# \xff")
    assert "it is no TOML" in said(capsys, "check", str(BROKEN))[1]


def test_every_option_can_be_set_or_writes(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Setting every option that has a default to that default is no error, and changes nothing."""
    import typer

    from handrec.cli.app import app
    from handrec.cli.config import options

    command = typer.main.get_command(app)
    lines = []
    for name, each in command.commands.items():  # type: ignore[attr-defined]
        lines.append(f"[{name}]") if name != "verify" else None
        for key, option in options(each).items() if name != "verify" else ():
            default = getattr(option.default, "value", option.default)
            if default is not None:
                lines.append(f"{key} = {str(default).lower() if isinstance(default, bool) else repr(default)}")
    before = said(capsys, "check", str(BROKEN))
    (here / "handrec.toml").write_text("\n".join(lines), "utf-8")
    assert len(lines) > 40
    assert said(capsys, "check", str(BROKEN)) == before
