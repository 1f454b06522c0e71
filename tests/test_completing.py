"""Completion: what the shell is given when somebody presses Tab."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stdout

import pytest

from handrec import games
from handrec.cli import run
from handrec.ruling.laws import LAWS


def completed(line: str, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What bash is given to go on with, after a line whose last word is begun, or is yet to begin."""
    for name, value in (("COMP_WORDS", line), ("COMP_CWORD", str(line.count(" "))), ("_HANDREC_COMPLETE", "complete_bash")):
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "argv", ["handrec"])
    with redirect_stdout(io.StringIO()) as said, pytest.raises(SystemExit) as ended:
        run()
    assert ended.value.code == 0
    return said.getvalue().split()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("handrec deal ", list(games.names())),
        ("handrec deal kb", ["kbabs"]),
        ("handrec deal kbabs --inject REV", ["REV001", "REV002"]),
        ("handrec deal kbabs --option ladder=d", ["ladder=down"]),
        ("handrec deal nosuch --inject ", []),
        ("handrec convert a.csv --game spa", ["spades3"]),
        ("handrec convert a.json --to m", ["markdown"]),
        ("handrec check --from j", ["jsonl", "json"]),
        ("handrec check --select REV001,PLY00", [f"REV001,PLY00{n}" for n in range(1, 10)]),
        ("handrec ruling --laws ", list(LAWS)),
        ("handrec explain KB-5.1", ["KB-5.1"]),
        ("handrec help sett", ["settings"]),
        ("handrec check --stati", ["--statistics"]),
    ],
)
def test_what_is_known_is_completed(line: str, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Commands and options, and what they are given: games, codes, laws, options of a game, formats, topics."""
    assert completed(line, monkeypatch) == words
