"""The README: every command it shows is run, every output it shows is what comes out, every example is good.

`pytest -n 0 tests/test_readme.py --update` writes the outputs anew.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import handrec
from handrec.cli import run
from handrec.cli.app import app

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
TEXT = README.read_text("utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `handrec` is this one, and nothing speaks for a terminal."""
    script = tmp_path / "handrec"
    script.write_text(f'#!/bin/sh\nexec {sys.executable} -m handrec "$@"\n')
    script.chmod(0o755)
    kept = {key: value for key, value in os.environ.items() if key in ("HOME", "LANG", "PYTHONPATH")}
    return {**kept, "PATH": f"{tmp_path}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}


@pytest.mark.parametrize("block", blocks("console"), ids=lambda block: block.splitlines()[0][2:])
def test_a_session_shown_is_a_session_had(block: str, shell: dict[str, str], request: pytest.FixtureRequest) -> None:
    """What stands below a command is what it prints."""
    shown = ""
    for part in re.split(r"^(?=\$ )", block, flags=re.MULTILINE):
        if part:
            command = part.splitlines()[0]
            ran = subprocess.run(["sh", "-c", command[2:]], cwd=ROOT, env=shell, capture_output=True, text=True, check=False)
            assert ran.returncode in (0, 1), ran.stderr
            shown += f"{command}\n{ran.stdout}".rstrip("\n") + "\n"
    if request.config.getoption("--update"):
        README.write_text(README.read_text("utf-8").replace(block, shown), "utf-8")
        return
    assert block == shown


def test_the_two_commands_come_first_and_do_what_they_say() -> None:
    """One checks the clean fixtures, the other runs the tests; both stand alone."""
    first, second = [line for line in blocks("sh")[0].splitlines() if line.startswith("python3")]
    assert first.endswith(".venv/bin/handrec check fixtures/clean")
    assert second.endswith(".venv/bin/python -m pytest -q")
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert run(["check", str(ROOT / "fixtures/clean")]) == 0
    assert "clean." in said.getvalue()


def test_the_record_shown_is_clean() -> None:
    """The example of a record can be copied as it stands."""
    assert handrec.check(handrec.loads(blocks("json")[0])).findings == ()


def test_the_python_shown_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Every Python example runs; the first prints findings, the second who is suspected. (Blocks of `py`: test_engines.)"""
    monkeypatch.chdir(ROOT)
    *examples, pattern, event = blocks("python")
    compile(pattern, "README.md", "exec")  # this shows how a rule is written, with dots where the game's own words go
    assert event in (ROOT / "tests/toy_handover.py").read_text("utf-8")
    for block, shown in zip(examples, ("REV001", "illegal-proved"), strict=True):
        exec(compile(block, "README.md", "exec"), {})
        assert shown in capsys.readouterr().out


def test_every_command_is_in_the_table() -> None:
    """The table of commands names every command there is, with options that exist."""
    rows = dict(re.findall(r"^\| `handrec (\w+)[^`]*` \| (.*) \|$", TEXT, re.MULTILINE))
    commands = {command.name or command.callback.__name__ for command in app.registered_commands if not command.hidden}
    assert set(rows) == commands
    for name, row in rows.items():
        with contextlib.redirect_stdout(io.StringIO()) as said:
            run([name, "--help"])
        for option in re.findall(r"`(--?[a-z-]+)", row):
            assert option in said.getvalue(), (name, option)
