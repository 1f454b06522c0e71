"""No command that writes loses anything, however it ends: the table of `tests.killing`, a sample of it, and all."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from handrec.audit import Store
from tests import killing
from tests.auditing import Inline
from tests.commands import REVOKE, ROOT, Handrec, fixture

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are those of POSIX")

#: Commands whose writing differs from that of all others.
SAMPLE = ("fmt .", "--db found.sqlite -o found.html", "--fix . (no hard links)")


def killed(program: str, *arguments: str) -> list[dict[str, Any]]:
    """What `tests.killing` finds, in a process of its own."""
    command = [sys.executable, "-c", program, *arguments, "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout.splitlines()[-1])
    return found


RUN = "import sys; from tests import killing; sys.exit(killing.main(sys.argv[1:]))"
#: The same where files are written as one would think, and not as `writing` does it.
CARELESS = """
import sys; from contextlib import contextmanager; from handrec import writing; from tests import killing
@contextmanager
def placed(path, **how):
    yield path
writing.placed = placed
sys.exit(killing.main(sys.argv[1:]))
"""


def test_a_sample_of_ends_loses_nothing() -> None:
    """Killed, by a closed pipe, ended, interrupted and by a full disk, at steps that a seed chooses."""
    found = killed(RUN, "--kills", "1", "--how", *killing.CODES, "--only", *SAMPLE)
    assert [each for each in found if each["wrong"]] == []
    assert len(found) == 5 * len([each for each in killing.COMMANDS if each.name.endswith(SAMPLE)])
    assert all(each["kills"] == 1 and each["steps"] > 3 for each in found)


def test_careless_writing_would_be_found() -> None:
    """Files written where they stand are lost when it is killed between the halves."""
    found = killed(CARELESS, "--kills", "4", "--only", "fmt .")
    assert "neither what it was nor what it was to be" in str(found)


@pytest.mark.long
def test_fifty_kills_of_every_command_lose_nothing() -> None:
    """`pytest -m long tests/test_kills.py`; `python -m tests.killing` prints the table."""
    found = killed(RUN, "--kills", "50")
    assert [each for each in found if each["wrong"]] == []
    assert all(each["kills"] == 50 for each in found)
    assert len(found) == len(killing.COMMANDS)


@pytest.mark.long
def test_no_other_end_of_any_command_loses_anything() -> None:
    """Every step once, by a closed pipe, SIGTERM, Ctrl-C and a full disk, up to twenty of each command."""
    found = killed(RUN, "--kills", "20", "--how", "pipe", "term", "int", "full")
    assert [each for each in found if each["wrong"]] == []


# --- no room for a database -------------------------------------------------------------------------------------------


@pytest.fixture
def inline(monkeypatch: pytest.MonkeyPatch) -> None:
    """Audits need no other process."""
    monkeypatch.setattr("handrec.audit.Local", Inline)


@pytest.mark.parametrize("where", ["store", "database"])
def test_a_database_without_room_is_said(handrec: Handrec, monkeypatch: pytest.MonkeyPatch, inline: None, where: str) -> None:
    """A full disk is trouble that names the file, no fault of ours, and nothing is left."""

    class Cramped(Store):
        def __init__(self) -> None:
            super().__init__()
            if where == "store":
                self.base.execute("PRAGMA max_page_count=1")

    monkeypatch.setattr("handrec.audit.Store", Cramped)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if where == "database":
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        code, _, err = handrec("audit", "--jobs", "1", "--db", "found.sqlite", fixture(REVOKE))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    said = "the temporary database of the audit: no space left on device" if where == "store" else "found.sqlite: disk i/o error"
    assert (code, err) == (2, f"handrec: {said}\n")
    assert [*Path().iterdir()] == []
