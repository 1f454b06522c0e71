"""Other engines over archives: the recipes of `handrec help engines`, run as they stand, say what the referee says.

Spark and Ray take long to start, so theirs run with `-m long`, where they are installed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install 'handrec[archive]'")

from handrec import games, writing
from handrec.archive import batches, verdicts, write
from handrec.dealing import deal_game
from handrec.digests import Digest, digests
from handrec.record import Record
from handrec.referee import check

ROOT = Path(__file__).parents[1]
RECIPES = re.findall(r"^```py\n(.*?)^```$", (ROOT / "handrec/help/engines.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)

#: For each engine, what its recipe imports, and how all the rows are got that the recipe tells.
ENGINES = {
    "pyarrow": ("import batches", "[row for batch in judged for row in batch.to_pylist()]"),
    "pyspark": ("from pyspark", "[row.asDict() for row in judged.collect()]"),
    "ray": ("import ray", "judged.take_all()"),
}


def engine(name: str) -> object:
    """A test of an engine: long, and only where it is installed."""
    install = {"pyspark": "pyspark[sql]", "ray": "ray[data]"}[name]  # with what they read tables by
    missing = pytest.mark.skipif(
        not (find_spec(name) and find_spec("pandas")), reason=f"{name} is not installed: pip install '{install}'"
    )
    return pytest.param(name, marks=[pytest.mark.long, missing])


def records(seed: int) -> list[Record]:
    """Records of several games, one of them with a fault and one that does not stand in columns."""
    some = [(key, fault) for key in ("bridge", "kbabs", "bugami") for fault in (None, "REV001")]
    dealt = []
    for key, fault in some:
        game = games.find(key)
        assert game is not None
        dealt.append(deal_game(game, 4 if 4 in game.players else 3, seed, numbers=[1, 2], inject=fault))
    odd = dealt[0].model_dump(mode="json", exclude_unset=True, by_alias=True)
    odd["deals"][0]["events"][-1]["card"] = "??"
    return [*dealt, Record.model_validate(odd)]


@pytest.mark.parametrize("name", ["pyarrow", engine("pyspark"), engine("ray")])
def test_a_recipe_says_what_the_referee_says(name: str, tmp_path: Path) -> None:
    """Row for row: of a lone archive without an engine, of a folder of archives with one."""
    mark, rows = ENGINES[name]
    assert len(RECIPES) == len(ENGINES)
    (recipe,) = [block for block in RECIPES if mark in block]
    names = ["games.parquet"] if name == "pyarrow" else [f"archive/{seed}.parquet" for seed in (1, 2, 3)]
    files = {file: records(seed) for seed, file in enumerate(names)}
    (tmp_path / "archive").mkdir()
    for file, some in files.items():
        (tmp_path / file).write_bytes(b"".join(write(some)))
    script = f"{recipe}\nimport json\nprint('ROWS', json.dumps({rows}))\n"
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYSPARK_PYTHON": sys.executable},  # of its workers
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert "REV001" in ran.stdout.split("ROWS ")[0]
    told = [
        (Path(row.get("file", "games.parquet")).name, row["record"], row["codes"].split())
        for row in json.loads(ran.stdout.split("ROWS ")[1].splitlines()[0])
    ]
    due = [
        (Path(file).name, number, [finding.code for finding in check(record, games.find).findings])
        for file, some in files.items()
        for number, record in enumerate(some)
    ]
    assert sorted(told) == sorted(due)


def test_the_unit_tells_all_that_an_audit_needs() -> None:
    """Of every row: deals, findings, id, options, players and digests are those of its record, from columns and from texts."""
    some = records(5)
    kept = [record.model_copy(update={"id": str(place) if place % 2 else None}) for place, record in enumerate(some)]
    told = judged(kept, digests=True)
    for row, record in zip(told, kept, strict=True):
        verdict = check(record, games.find)
        findings = json.loads(row["findings"])
        assert [each["message"] for each in findings] == [each.message for each in verdict.findings]
        assert [each["level"] for each in findings] == [each.level for each in verdict.findings]
        assert (row["game"], row["id"], row["deals"]) == (record.game, record.id, len(record.deals))
        assert json.loads(row["options"]) == record.options
        assert json.loads(row["players"]) == writing.plain(record)["players"]
        assert [Digest(**each) for each in row["digests"]] == list(digests(record))
    assert sum(len(row["digests"]) for row in told) > len(told)
    assert {row["digests"] for row in judged(kept)} == {None}


def judged(some: list[Record], **how: bool) -> list[dict[str, Any]]:
    """The verdicts on records in an archive, in their order."""
    rows = [row for batch in batches(BytesIO(b"".join(write(some)))) for row in verdicts(batch, **how).to_pylist()]
    return sorted(rows, key=lambda row: int(row["record"]))


def test_a_row_over_which_we_fail_is_told_and_alone_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine's job does not end because of one record: what is wrong with it is that we failed."""
    unit, some = import_module("handrec.archive.verdicts"), records(6)
    due = judged(some)

    def failing(cut: Any, rows: Any) -> Any:
        if 3 in cut.batch.column("record").to_pylist():
            raise KeyError
        return read(cut, rows)

    read = unit.readings
    monkeypatch.setattr(unit, "readings", failing)
    with pytest.warns(RuntimeWarning, match="the sieve failed"):
        told = judged(some)
    assert (told[3]["codes"], told[3]["deals"], told[3]["options"]) == ("INT001", 0, None)
    assert told[:3] + told[4:] == due[:3] + due[4:]


def test_a_referee_that_fails_over_a_record_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """The record keeps what it is counted by, and its finding is INT001."""
    some, spoilt = records(7), import_module("handrec.referee")
    due, rule = judged(some), spoilt.verdict
    monkeypatch.setattr(spoilt, "verdict", lambda record, *rest: 1 / 0 if record.game == "kbabs" else rule(record, *rest))
    told = judged(some)
    lost = [row for row in told if "INT001" in row["codes"]]
    assert {row["game"] for row in lost} == {"kbabs"}
    assert all(row["options"] is not None for row in lost)
    assert [row for row in told if row not in lost] == [
        row for row in due if row["record"] not in {row["record"] for row in lost}
    ]
