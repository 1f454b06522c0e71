"""A table of results that a board brings with it, compared row by row with the scores and matchpoints it comes to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

import handrec
from handrec import games
from handrec.cli import run
from handrec.formats import pbn
from handrec.judging import Judge
from handrec.scoring.tables import tabled
from tests.auditing import archives
from tests.pbn_games import DEAL

TABLE = (
    DEAL + '\n[Vulnerable "NS"]\n[ScoreTable "PairId_NS\\2R;Contract\\4L;Declarer\\1R;Result\\2R;Lead\\3L;'
    'Score_NS\\6R;Score_EW\\6R;MP_NS\\4R;MP_EW\\4R"]\n'
)
ROWS = [
    ' 1 2HX S 8 S6 "670" - 6.0 0.0',
    ' 2 2S E 5 DQ "150" - 4.0 2.0',
    ' 3 2H S 8 DA "110" - 2.0 4.0',
    ' 4 4H S -1 S6 "-100" "100" 0.0 6.0',
]


def tables(rows: Sequence[str]) -> list[tuple[str, str | None, Any, Any]]:
    """What is found in a table of these rows."""
    [reading] = pbn.read((TABLE + "\n".join(rows) + "\n").encode(), "club.pbn")
    assert reading.findings == ()
    found = tabled(reading.record)
    assert all(reading.locate(finding.pointer).line == 3 for finding in found)
    return [(finding.code, finding.seat, finding.facts["found"], finding.facts["due"]) for finding in found]


@pytest.mark.parametrize(
    ("row", "written", "due"),
    [
        (0, '1 2HX S 8 S6 "670" - 6.0 0.0', []),
        (0, '1 2HX S 8 S6 "470" - 6.0 0.0', [("SCO010", "NS", "470", 670)]),
        (3, "4 4H S 9 S6 - 50 0 6", [("SCO010", "EW", "50", 100)]),
        (1, '2 2S E = DQ "-110" - 0.0 6.0', []),
        (2, "3 2H S 8 DA 110 - 3.0 4.0", [("SCO009", "NS in row 3", "3", "2")]),
        (2, "3 2H S 8 DA 110 - 2.0 5.0", [("SCO009", "EW in row 3", "5", "4")]),
        (2, "3 2H S 8 110 - 3.0 4.0", []),  # a value is missing, and nobody knows which
        (2, "3 A50 - - - - - 3.0 3.0", []),  # an average: what the others have is not known
        (3, "4 Pass - - - 0 0 0.0 6.0", []),
    ],
)
def test_a_table_of_results_is_compared_row_by_row(row: int, written: str, due: list[Any]) -> None:
    """Scores by contract and tricks, matchpoints where every score is known."""
    assert tables([*ROWS[:row], written, *ROWS[row + 1 :]]) == due


@pytest.mark.parametrize(
    ("row", "due"),
    [
        ("1 2 2HX S 8 670 - Ann Lee-Bo Di Cy-Ed", []),
        ("1 2 2HX S 8 470 - Ann Lee-Bo Di Cy-Ed", [("SCO010", "NS", "470", 670)]),
        ("1 2 4H S 9 - 50 Ann-Bo Cy-Di", [("SCO010", "EW", "50", 100)]),
        ("1 2 4H S 9 100 Ann-Bo Cy-Di", []),  # a cell is empty, so that the number stands in another column
        ("1 2 4H S 9 - 100", []),  # there are no names
    ],
)
def test_names_of_several_words_hide_no_score(row: str, due: list[Any]) -> None:
    heading = "PairId_NS\\2R;PairId_EW\\2R;Contract\\4L;Declarer;Result\\2R;Score_NS\\3R;Score_EW\\3R;Names_NS\\13;Names_EW"
    text = f'{DEAL}\n[Vulnerable "NS"]\n[ScoreTable "{heading}"]\n{row}\n'
    [reading] = pbn.read(text.encode(), "club.pbn")
    found = tabled(reading.record)
    assert [(finding.code, finding.seat, finding.facts["found"], finding.facts["due"]) for finding in found] == due


def test_a_table_of_several_boards_is_nobodys() -> None:
    """It is not said which board it is of."""
    [reading] = pbn.read((TABLE + ROWS[0].replace("670", "680") + "\n").encode(), "club.pbn")
    assert reading.record
    assert len(tabled(reading.record)) == 1
    assert tabled(reading.record.model_copy(update={"deals": reading.record.deals * 2})) == ()


def test_what_is_of_no_deal_comes_first() -> None:
    """Of a board whose table and whose play are both wrong."""
    [reading] = pbn.read((TABLE + ROWS[0].replace("670", "680") + "\n").encode(), "club.pbn")
    assert reading.record
    wrong = reading.record.deals[0].model_copy(update={"board": 2, "number": 2, "dealer": "S", "vulnerable": "EW"})
    found = handrec.check(reading.record.model_copy(update={"deals": [wrong]})).findings
    assert len(found) > 1
    assert [each.deal_index for each in found[:2]] == [None, 0]


def test_matchpoints_of_more_tables_than_are_listed_are_not_compared() -> None:
    """Nor those on a scale of their own; those that count one for a result beaten are."""
    assert tables([f"{row[:-8]} 9{row[-7:]}" for row in ROWS]) == []
    halves = [re.sub(r"([0-9])\.0 ([0-9])\.0$", lambda m: f"{int(m[1]) / 2} {int(m[2]) / 2}", row) for row in ROWS]
    assert tables(halves) == []
    assert tables([halves[0].replace(" 3.0 ", " 2.0 "), *halves[1:]]) == [("SCO009", "NS in row 1", "2", "3")]


@pytest.mark.parametrize(
    ("contract", "declarer", "result", "due"),
    [
        ("3NT", "N", "9", 600), ("3N", "E", "=", -400), ("4S", "S", "+1", 650), ("6NT", "N", "12", 1440),
        ("7NTXX", "S", "13", 2980), ("2SX", "W", "8", -470), ("1CXX", "E", "+1", -430), ("1NTX", "N", "-3", -800),
        ("5DX", "W", "7", 800), ("7CXX", "N", "0", -7600),
    ],
)  # fmt: skip
def test_scores_as_they_are_printed(contract: str, declarer: str, result: str, due: int) -> None:
    """Of North and South vulnerable, and East and West not: one number is right, and another is not."""
    row = f"1 {contract} {declarer} {result} S6 {due} - - -"
    assert tables([row]) == []
    assert [each[3] for each in tables([row.replace(f" {due} ", f" {due + 10} ")])] == [due]


def test_check_and_audit_say_the_same_of_a_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The finding stands at the table in the file."""
    path = tmp_path / "club.pbn"
    path.write_text(TABLE + "\n".join([ROWS[0].replace("670", "470"), *ROWS[1:]]) + "\n", "utf-8")
    assert run(["check", str(path)]) == 1
    assert f"{path}:3:14: SCO010 error" in capsys.readouterr().out
    assert run(["audit", str(path), "--jobs", "1", "-o", str(tmp_path / "found.jsonl")]) == 1
    assert '"code":"SCO010"' in (tmp_path / "found.jsonl").read_text("utf-8")


@pytest.mark.parametrize("form", ["jsonl", pytest.param("parquet", marks=archives)])
def test_a_table_is_looked_at_in_every_way_of_judging(form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of lines and columns, one record at a time, checked and audited: one finding each."""
    source, path = tmp_path / "club.pbn", tmp_path / f"club.{form}"
    source.write_text(TABLE + "\n".join([ROWS[0].replace("670", "470"), *ROWS[1:]]) + "\n", "utf-8")
    assert run(["convert", str(source), "-o", str(path)]) == 0
    capsys.readouterr()
    assert run(["check", str(path)]) == 1
    assert "SCO010 error" in capsys.readouterr().out
    assert run(["audit", str(path), "--jobs", "1", "-o", str(tmp_path / "found.jsonl")]) == 1
    assert (tmp_path / "found.jsonl").read_text("utf-8").count('"code":"SCO010"') == 1
    [reading] = pbn.read(source.read_bytes(), "club.pbn")
    record = reading.record
    assert record is not None
    for quick in True, False:
        [finding] = Judge(games.find, quick).verdict(record).findings
        assert (finding.code, finding.seat) == ("SCO010", "NS")
    assert [finding.code for finding in handrec.check(record).findings] == ["SCO010"]
