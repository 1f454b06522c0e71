"""The harness itself: what it changes, and that a change which a test notices is told from one that none does."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutation import __main__ as command
from tests.mutation.covering import ROOT, Covered
from tests.mutation.mutants import OPERATORS, mutants

SOURCE = '''
def most(cards: list[int], least: int = 2) -> int | None:
    """How many."""
    many = 0
    for card in cards:
        if card < least and not card == 7:
            continue
        many += card & 3
    return max(many, 1) if cards else None


def names(cards):
    return [f"{card + 1}" for card in cards if card]
'''


def changed(text: str) -> dict[str, set[str]]:
    """What is changed in a text, by operator."""
    found: dict[str, set[str]] = {name: set() for name in OPERATORS}
    for mutant in mutants(text.encode()):
        found[mutant.operator].add(mutant.words)
    return found


def test_each_operator_changes_what_it_names() -> None:
    """Operators, conditions, numbers, calls, statements and results; types and texts stay."""
    assert changed(SOURCE) == {
        "comparison": {"card < least -> (card <= least)", "card == 7 -> (card != 7)"},
        "arithmetic": {"many += card & 3 -> many -= card & 3", "card & 3 -> (card | 3)"},
        "logic": {
            "card < least and not card == 7 -> (card < least or not card == 7)",
            "card < least and not card == 7 -> (not card == 7)",
            "card < least and not card == 7 -> (card < least)",
            "not card == 7 -> (card == 7)",
        },
        "condition": {
            "max(many, 1) if cards else None -> (None if cards else max(many, 1))",
            "[f\"{card + 1}\" for card in cards if card] -> ([f'{card + 1}' for card in cards])",
        },
        "constant": {"0 -> (1)", "1 -> (2)", "2 -> (3)", "3 -> (4)", "7 -> (8)"},
        "call": {"max(many, 1) -> (min(many, 1))"},
        "statement": {"continue -> pass", "many += card & 3 -> pass"},
        "result": {
            "return max(many, 1) if cards else None -> return None",
            'return [f"{card + 1}" for card in cards if card] -> return None',
        },
    }


@pytest.mark.parametrize("path", ["masks.py", "cards.py", "fast/plan.py", "games/bugami.py"])
def test_every_mutant_is_a_program_and_another_one(path: str) -> None:
    """A file of ours gives many, no two of them the same text, each of which Python can read."""
    source = (ROOT / "handrec" / path).read_bytes()
    found = [mutant.source for mutant in mutants(source)]
    assert len(found) > 40
    assert source not in found
    for each in found:
        compile(each, path, "exec")


def test_what_was_written_after_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that is changed and one that is new; none that only moved, or stood there before."""
    path = tmp_path / "cards.py"
    monkeypatch.setattr(command, "ROOT", tmp_path)

    def git(*words: str) -> str:
        named = ["git", "-c", "user.name=handrec", "-c", "user.email=handrec@example.org", *words]
        return subprocess.run(named, cwd=tmp_path, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "-q")
    for text in ("a = 1\nb = 2\nc = 3\n", "new = 0\na = 1\nb = 4\nc = 3\n"):
        path.write_text(text)
        git("add", ".")
        git("commit", "-qm", "more")
    assert command.written_after(git("rev-parse", "HEAD~1"), path) == {1, 3}
    assert command.written_after(git("rev-parse", "HEAD"), path) == set()
    assert [(mutant.first, mutant.operator) for _, _, mutant in command.drawn(path, None, 1, git("rev-parse", "HEAD~1"))] == [
        (1, "constant"),
        (3, "constant"),
    ]


def test_what_was_said_of_a_mutant_last_counts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One that survived the first tests and was killed again is no survivor."""
    one = {"room": "a", "file": "a/b.py", "line": 1, "operator": "call", "words": "min -> max", "tests": 1}
    lines = [one | {"at": at, "outcome": said} for at, said in enumerate(("killed", "survived", "survived", "timeout"))]
    (tmp_path / "results.1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "results.again.jsonl").write_text(json.dumps(lines[1] | {"outcome": "killed", "again": True}) + "\n")
    command.table(tmp_path)
    told = capsys.readouterr().out
    assert "| `a` | 4 | 2 | 1 | 1 | 1 | 0 | 75.0% |" in told
    assert told.count("(survived, 1 tests)") == 1


def test_a_file_whose_own_doctest_is_asked_is_the_mutant_too(tmp_path: Path) -> None:
    """Else it would be loaded as it lies on the disk, and no test could notice a change in it."""
    path, test = tmp_path / "handrec_toy.py", tmp_path / "test_toy.py"
    path.write_text('def add(a, b):\n    """\n    >>> add(0, 0)\n    0\n    """\n    return a + b\n')
    test.write_text("from handrec_toy import add\n\ndef test_add():\n    assert add(2, 3) == 5\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = --doctest-modules\n")
    program = f"""
import sys
from pathlib import Path
sys.path[:0] = [{str(ROOT)!r}, {str(tmp_path)!r}]
from tests.mutation.running import outcome
path, asked = Path({str(path)!r}), {[f"{path}::handrec_toy.add", f"{test}::test_add"]!r}
for sign in "+-*":
    source = path.read_text().replace("+", sign).encode()
    print(outcome(path, path.parent, source, asked, dict.fromkeys(asked, 1.0), 9)[:2])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines() == ["('survived', 2)", "('killed', 2)", "('killed', 2)"]


@pytest.mark.long
def test_which_test_runs_which_lines(tmp_path: Path) -> None:
    """One process gives the tests to others, which alone run any lines: that is no failure, and each line has its tests."""
    pytest.importorskip("coverage")
    place = ROOT / "handrec" / "masks.py"
    one_bit = 1 + next(at for at, line in enumerate(place.read_text().splitlines()) if "mask.bit_length()" in line)
    run = [sys.executable, "-m", "tests.mutation", "cover", "tests/test_masks.py", "--folder", str(tmp_path)]
    subprocess.run(run, cwd=ROOT, capture_output=True, check=True)
    covered = Covered(tmp_path)
    assert 0 < len(covered.tests(place, [one_bit])) < len(covered.seconds)


@pytest.mark.long
def test_what_a_test_notices_is_killed(tmp_path: Path) -> None:
    """In a process of its own: of two changes a test notices one, the last of some the other; nothing of it stays on the disk."""
    program = f"""
import sys
from pathlib import Path
sys.path.insert(0, {str(ROOT)!r})
from tests.mutation.running import Unsound, load_all_else, outcome
load_all_else()
path = Path({str(tmp_path)!r}) / "handrec_toy.py"
path.write_text("def add(a, b):\\n    return a + b\\n")
sys.path.insert(0, str(path.parent))
test = path.with_name("test_toy.py")
test.write_text("from handrec_toy import add\\n\\ndef test_add():\\n    assert add(2, 2) == 4\\n")
for source in (b"def add(a, b):\\n    return a - b\\n", b"def add(a, b):\\n    return a * b\\n", b"while True: pass"):
    print(outcome(path, path.parent, source, [str(test) + "::test_add"], {{}}, more=3)[:2])
print(path.read_text())
test.write_text(test.read_text() + "\\ntest_again = test_add\\n\\ndef test_of_three():\\n    assert add(1, 2) == 3\\n")
asked = [str(test) + "::test_" + name for name in ("add", "again", "of_three")]
for every in (False, True):
    print(outcome(path, path.parent, b"def add(a, b):\\n    return a * b\\n", asked, dict.fromkeys(asked, 99), 3, every)[:2])
test.write_text(test.read_text() + "\\ndef test_nothing():\\n    assert not add(1, 1)\\n")
try:
    print(outcome(path, path.parent, b"def add(a, b):\\n    return 2\\n", [str(test) + "::test_nothing"], {{}}))
except Unsound as error:
    print("unsound", error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stdout.splitlines()[:3] == ["('killed', 1)", "('survived', 1)", "('timeout', 1)"]
    assert "a + b" in done.stdout
    assert done.stdout.splitlines()[-3:-1] == ["('survived', 2)", "('killed', 3)"]
    assert done.stdout.splitlines()[-1].startswith("unsound ")
