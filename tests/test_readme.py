"""README and topics of help: every command shown is run, every output is what comes out, every example is good.

`pytest -n 0 tests/test_readme.py --update` writes the outputs anew.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

import handrec
from handrec.cli import help as topics
from handrec.cli import run
from handrec.cli.app import app
from handrec.cli.inputs import SUFFIXES

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
PAGES = (README, *sorted(topics.FOLDER.glob("*.md")))


def blocks(page: Path, language: str) -> list[str]:
    """The fenced blocks of a language on a page."""
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)


def printed(command: str) -> str:
    """What a command prints, in a pipe the last one; none may end in trouble. What is typed may come from a file."""
    said = b""
    for part in command.split(" | "):
        part, _, typed = part.partition(" < ")
        said = Path(typed).read_bytes() if typed else said
        program, *arguments = shlex.split(part)
        assert program == "handrec"
        out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
        with (
            pytest.MonkeyPatch.context() as patch,
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(io.StringIO()) as err,
        ):
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(said)))
            assert run(arguments) in (0, 1), err.getvalue()
        said = out.buffer.getvalue()  # type: ignore[attr-defined]
    return said.decode()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_session_shown_is_a_session_had(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """What stands below a command is what it prints; a block of notation with a name is the file that the commands read."""
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "GITHUB_ACTIONS"):
        monkeypatch.delenv(name, raising=False)
    text = page.read_text("utf-8")
    for name, content in re.findall(r"^```hrt (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        Path(name).write_text(content, "utf-8")

    def had(block: re.Match[str]) -> str:
        commands = [line for line in block[1].splitlines() if line.startswith("$ ")]
        shown = (f"{command}\n{printed(command[2:])}".rstrip("\n") + "\n" for command in commands)
        return f"```console\n{''.join(shown)}```"

    new = re.sub(r"^```console\n(.*?)^```$", had, text, flags=re.MULTILINE | re.DOTALL)
    if request.config.getoption("--update"):
        page.write_text(new, "utf-8")
    else:
        assert text == new


def test_the_two_commands_come_first_and_do_what_they_say(capsys: pytest.CaptureFixture[str]) -> None:
    """One checks the clean fixtures, the other runs the tests; both stand alone."""
    first, second = [line for line in blocks(README, "sh")[0].splitlines() if line.startswith("python3")]
    assert first.endswith(".venv/bin/handrec check fixtures/clean")
    assert second.endswith(".venv/bin/python -m pytest -q")
    assert run(["check", str(ROOT / "fixtures/clean")]) == 0


def test_the_record_shown_is_clean() -> None:
    """The example of a record can be copied as it stands."""
    assert handrec.check(handrec.loads(blocks(README, "json")[0])).findings == ()


def test_the_python_shown_runs(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """They print findings, what is refused, scores, who is suspected; the last is that of the tests. (`py`: elsewhere.)"""
    monkeypatch.chdir(ROOT)
    *examples, event = blocks(topics.FOLDER / "python.md", "python")
    assert event in (ROOT / "tests/toy_handover.py").read_text("utf-8")
    printed = ("REV001", "('P2',) ('KH',)\nFalse KB-5.2 P2 played 9S", "True {'P1':", "illegal-proved")
    for block, shown in zip(examples, printed, strict=True):
        exec(compile(block, "python.md", "exec"), {})
        assert shown in capsys.readouterr().out


def commands() -> dict[str, Any]:
    """Every command by its name."""
    from typer.main import get_command

    return dict(get_command(app).commands)  # type: ignore[attr-defined]


def test_every_command_is_in_the_table() -> None:
    """The README's table of commands names every command there is."""
    rows = re.findall(r"^\| `handrec (\w+)", README.read_text("utf-8"), re.MULTILINE)
    assert set(rows) == {name for name, command in commands().items() if not command.hidden}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_named_is_one(page: Path) -> None:
    """Commands, options and topics that the text names are there."""
    known = commands()
    text = re.sub(r"\s+", " ", page.read_text("utf-8"))
    for name, rest in re.findall(r"`handrec ([a-z]+)([^`]*)`", text):
        assert name in known, name
        options = {option for each in known[name].params for option in (*each.opts, *each.secondary_opts)} | {"--help"}
        assert set(re.findall(r"(?<= )--?[a-z][a-z-]*", rest)) <= options, (name, rest)
    for topic in re.findall(r"`handrec help ([a-z]+)`", text):
        assert topic in topics.topics(), topic


def test_help_lists_topics_and_knows_commands(capsys: pytest.CaptureFixture[str]) -> None:
    """Each topic in a line; a topic as it stands; a command's own help; what is misspelt is guessed."""
    assert run(["help"]) == 0
    listed = capsys.readouterr().out.split("\n\n")[0].splitlines()
    assert [line.split()[0] for line in listed] == topics.topics()
    assert run(["help", "Notation"]) == 0
    assert capsys.readouterr().out == topics.text("notation")
    assert run(["help", "check"]) == 0
    assert capsys.readouterr().out.startswith("Usage: handrec check")
    assert run(["help", "notatoin"]) == 2
    assert "did you mean notation?" in capsys.readouterr().err


def test_public_functions_say_what_they_take_and_give() -> None:
    """No `Any` in a signature, and every name is known to type checkers."""
    for name in handrec.__all__:
        each = getattr(handrec, name)
        if inspect.isfunction(each):
            hints = inspect.get_annotations(each)
            assert set(hints) == {*inspect.signature(each).parameters, "return"}, name
            assert not any("Any" in str(hint) for hint in hints.values()), name
    assert (ROOT / "handrec/py.typed").exists()


def test_hooks_take_every_format_that_a_name_tells() -> None:
    """What a directory is searched for is taken by the hook; other JSON and archives only if they are called so."""
    hooks = dict(
        re.findall(r"^- id: (\S+)\n(?:  .*\n)*?  files: (.*)$", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.M)
    )
    assert hooks.keys() == {"handrec-check", "handrec-fmt"}
    for suffix in SUFFIXES:
        own = f".handrec{suffix}" if suffix in (".json", ".parquet") else suffix
        assert re.search(hooks["handrec-check"], f"games/a{own}"), suffix
    for name in ("package.json", "a.csv", "a.parquet", "notes.txt", "a.hrt.bak"):
        assert not re.search(hooks["handrec-check"], name)
