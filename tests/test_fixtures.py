"""The fixtures: clean ones are clean, each broken one breaks exactly what its name says.

Beside every broken record lies what `handrec check` says of it. `pytest tests/test_fixtures.py --update` writes that anew;
read the difference before you keep it.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrec import check, dumps, games, load, loads
from handrec.cli import run
from handrec.findings import Rule
from handrec.game import compose
from handrec.referee import FORM, rules_of

ROOT = Path(__file__).parents[1]
CLEAN = sorted((ROOT / "fixtures/clean").rglob("*.json"))
BROKEN = sorted(path for path in (ROOT / "fixtures/broken").rglob("*") if path.suffix in (".json", ".pbn", ".hrt"))

#: What is found where nothing of a record could be checked, so that the exit code is 2.
NOTHING_CHECKED = ("FMT001", "FMT002", "FMT005", "FMT006")


def name(path: Path) -> str:
    """A fixture's path for people."""
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", CLEAN, ids=name)
def test_a_clean_record_is_clean(path: Path) -> None:
    """Nothing is found, and what is written is what was read."""
    record = load(path)
    assert check(record).findings == ()
    assert dumps(record) == path.read_text("utf-8")
    assert loads(dumps(record)) == record


@pytest.mark.parametrize("path", BROKEN, ids=name)
def test_a_broken_record_breaks_what_its_name_says(
    path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Exactly the code and the rule in the name are found, at the place written down beside it."""
    monkeypatch.chdir(ROOT)
    code = run(["check", name(path)])
    said = capsys.readouterr().out
    expected = path.with_suffix("").with_suffix(".txt")
    if request.config.getoption("--update"):
        expected.write_text(said, "utf-8")
    assert said == expected.read_text("utf-8")
    told = [line for line in said.splitlines() if re.search(r": [A-Z]{3}\d{3} (error|warning|note) ", line)]
    findings = [line for line in told if len(told) == 1 or not re.search(r": [A-Z]{3}\d{3} note ", line)]
    assert len(findings) == 1
    planted = re.search(r"[A-Z]{3}\d{3}", path.name)
    assert planted is not None
    rule = re.match(r"([A-Z]+-[0-9A-Za-z.]+)-[A-Z]{3}\d{3}", path.name)
    assert code == (2 if planted[0] in NOTHING_CHECKED else 1 if " error " in findings[0] else 0)
    if path.parent.name == "slips":
        assert f": {planted[0]} error " in findings[0]
        return
    if ": REC" in findings[0]:  # told as a slip of the pen, from which follows what the referee finds
        found = [finding for finding in check(load(path)).findings if finding.because]
        assert [finding.code for finding in found] == [planted[0]]
        assert path.name.startswith(f"{found[0].rule}-{planted[0]}")
        return
    assert f": {planted[0]} " in findings[0]
    assert rule is None or f"[{rule[1]}]" in findings[0]


def broken_by(folder: str) -> set[str]:
    """What the fixtures of a folder break: rule id and code, or code alone."""
    return {path.name.split(".handrec")[0].split(".json")[0] for path in BROKEN if path.parent.name == folder}


@pytest.mark.parametrize("game", games.catalogue(), ids=lambda game: game.key)
def test_every_rule_has_a_hand_that_breaks_it(game: object) -> None:
    """A rule without a broken fixture is not a rule of this house."""
    assert hasattr(game, "options")
    composed = [compose(game, {o.key: choice})[0] for o in game.options for choice in o.values] or [game]
    rules = {f"{rule.id}-{rule.code}" for each in composed for rule in rules_of(each) if isinstance(rule, Rule)}
    assert rules - broken_by(game.key) == set()


def test_every_fault_of_form_has_a_record_that_shows_it() -> None:
    """Faults of form have their fixtures too, but for what no game or file can show yet, or is never alone."""
    shown = {path.name[:6] for path in BROKEN if path.parent.name == "form"}
    assert set(FORM) - shown == {"DUP001", "DUP002", "INT001", "INT002", "INT003", "LIV001", "FMT022"}
