"""Tables of one board compared: IMPs, matchpoints, ranking, and what is written down of them."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest

from handrec import check, dumps
from handrec.cli import run
from handrec.matches import MatchBoard, TableResult, boards_of, compared, ranking, results_of
from handrec.record import Record
from handrec.scoring.together import imps, matchpoints
from tests.auditing import archives
from tests.games.test_bridge_score import honours, rubber
from tests.tables import Data, game

#: The scale as it is printed: from, to, IMPs.
SCALE = """
0 10 0 | 20 40 1 | 50 80 2 | 90 120 3 | 130 160 4 | 170 210 5 | 220 260 6 | 270 310 7 | 320 360 8 | 370 420 9 | 430 490 10
500 590 11 | 600 740 12 | 750 890 13 | 900 1090 14 | 1100 1290 15 | 1300 1490 16 | 1500 1740 17 | 1750 1990 18 | 2000 2240 19
2250 2490 20 | 2500 2990 21 | 3000 3490 22 | 3500 3990 23 | 4000 15200 24
"""


def test_the_imp_scale() -> None:
    rows = [list(map(int, row.split())) for row in SCALE.replace("\n", "|").split("|") if row.strip()]
    assert [row[2] for row in rows] == list(range(25))
    for low, high, due in rows:
        for difference in range(low, high + 10, 10):
            assert (imps(difference), imps(-difference)) == (due, -due), difference


@pytest.mark.parametrize("seed", range(20))
def test_matchpoints_pair_by_pair(seed: int) -> None:
    rng = Random(seed)
    scores = [rng.choice([-100, 50, 110, 140, 420, 620]) for _ in range(rng.randrange(1, 15))]
    due = []
    for place, score in enumerate(scores):
        others = scores[:place] + scores[place + 1 :]
        due.append(2 * sum(score > other for other in others) + sum(score == other for other in others))
    assert matchpoints(scores) == due
    assert sum(due) == len(scores) * (len(scores) - 1)


def table(
    score: int | None, number: int = 1, names: str = "", options: Data | None = None, claims: Data | None = None, **kept: Any
) -> Record:
    """A record of a board at a table: 3NT by South, not vulnerable, with the result that makes this score."""
    tricks = {400: 9, 430: 10, 460: 11, -50: 8, -100: 7, -150: 6}
    board: Data = {"number": number, "board": number, "vulnerable": "none", "status": "claimed"}
    board["dealer"] = "NESW"[(number - 1) % 4]
    board["events"] = [{"do": "contract", "by": "S", "bid": "3NT"}]
    ours = {} if score is None else {"tricks": tricks[score], "score": score}
    board["claimed"] = {"sides": {"NS": {**ours, **(claims or {}).get("NS", {})}, "EW": (claims or {}).get("EW", {})}}
    if deal := kept.pop("hands", None):
        board["hands"] = deal
    data = game("bridge", "N E S W", board) | {"version": "1.1", "options": options or {}, "extensions": {"pbn": kept}}
    for player, name in zip(data["players"], names.split(), strict=False):
        player["name"] = name
    return Record.model_validate(data)


def results(*records: Record) -> list[TableResult]:
    return [result for place, record in enumerate(records) for result in results_of(record, check(record), f"table {place + 1}")]


def boards(*records: Record) -> list[MatchBoard]:
    return boards_of(results(*records))


def shares(board: MatchBoard) -> list[tuple[Fraction, Fraction]]:
    return [tuple(share) for share in board.shares]


def test_two_tables_have_imps() -> None:
    [board] = boards(table(400), table(-50))
    assert (board.form, shares(board)) == ("imps", [(10, -10), (-10, 10)])


def test_more_tables_have_matchpoints() -> None:
    [board] = boards(table(400), table(-50), table(430), table(400))
    assert (board.form, shares(board)) == ("matchpoints", [(3, 3), (0, 6), (6, 0), (3, 3)])
    [board] = boards(*(table(score, options={"matchpoints": "one_half"}) for score in (400, -50, 430, 400)))
    assert shares(board) == [(Fraction(3, 2), Fraction(3, 2)), (0, 3), (3, 0), (Fraction(3, 2), Fraction(3, 2))]


def test_the_form_that_was_agreed() -> None:
    [board] = boards(*(table(score, options={"match": "matchpoints"}) for score in (400, -50)))
    assert shares(board) == [(2, 0), (0, 2)]
    [board] = boards(*(table(score, options={"match": "total"}) for score in (400, -50)))
    assert shares(board) == [(400, -400), (-50, 50)]


@pytest.mark.parametrize(
    ("records", "why"),
    [
        ([table(400)], "it was played at one table"),
        ([table(400), table(None)], "the score of table 2 is not known"),
        ([table(400, options={"match": "total"}), table(400)], "its tables are to be compared in different ways"),
        ([table(400, options={"match": "imps"})] * 3, "IMPs are between two tables, and it was played at more"),
    ],
)
def test_what_cannot_be_compared(records: list[Record], why: str) -> None:
    [board] = boards(*records)
    assert (board.form, board.why_not, board.shares, compared(board).findings) == (None, why, [], [])


HANDS = {seat: [rank + suit for rank in "23456789TJQKA"] for seat, suit in zip("NESW", "CDHS", strict=True)}


def test_results_are_of_one_board_unless_something_tells_them_apart() -> None:
    turned = dict(zip("ESWN", HANDS.values(), strict=True))
    for one, other, many in [
        (table(400, 1), table(400, 2), 2),
        (table(400, Event="Cup"), table(400, Event="Cup"), 1),
        (table(400, Event="Cup"), table(400), 1),  # which it is of is not told
        (table(400, Event="Cup"), table(400, Event="League"), 2),
        (table(400, Section="A"), table(400, Section="B"), 2),
        (table(400, hands=HANDS), table(400, hands=HANDS), 1),
        (table(400, hands=HANDS), table(400), 1),
        (table(400, hands=HANDS), table(400, hands=turned), 2),
    ]:
        assert len(boards(one, other)) == many


def test_rubbers_are_not_compared() -> None:
    assert boards(table(None, options={"scoring": "rubber"})) == []


# --- what is written down ---------------------------------------------------------------------------------------------


def wrong(*records: Record) -> list[tuple[Any, ...]]:
    return [
        (found.code, result.name, found.seat, found.facts["found"], found.facts["due"], found.pointer)
        for board in boards(*records)
        for result, found in compared(board).findings
    ]


def test_imps_claimed_are_compared() -> None:
    right = {"NS": {"imps": 10}, "EW": {"imps": -10}}
    assert wrong(table(400, claims=right), table(-50, claims={"EW": {"imps": 10}})) == []
    off = {"NS": {"imps": 9}, "EW": {"imps": -9}}
    place = "/deals/0/claimed/sides/NS/imps"
    assert wrong(table(400, claims=off), table(-50)) == [("SCO008", "table 1", "NS", "9", "10", place)]
    assert wrong(table(400, claims=off)) == []  # there is nothing to compare it with


def test_matchpoints_claimed_are_compared() -> None:
    tables = [table(400), table(430), table(430)]
    assert wrong(table(400, claims={"NS": {"matchpoints": "1.0"}}), *tables) == []
    assert wrong(table(400, claims={"EW": {"matchpoints": "4.5"}}), *tables) == [
        ("SCO009", "table 1", "EW", "4.5", "5", "/deals/0/claimed/sides/EW/matchpoints")
    ]
    assert wrong(table(400, claims={"EW": {"matchpoints": 23}}), *tables) == []  # of more tables than are here


def test_a_scale_that_nobody_names_is_the_one_that_fits() -> None:
    halves = [{"NS": {"matchpoints": points}} for points in ("1.5", 0, 3, "1.5")]
    scores = (400, -50, 430, 400)
    assert wrong(*(table(score, claims=each) for score, each in zip(scores, halves, strict=True))) == []
    named = [table(score, options={"matchpoints": "two_one"}, claims=each) for score, each in zip(scores, halves, strict=True)]
    assert [found[3:5] for found in wrong(*named)] == [("1.5", "3"), ("3", "6"), ("1.5", "3")]
    halves[2] = {"NS": {"matchpoints": "2.5"}}
    assert [found[3:5] for found in wrong(*map(table, scores, [1] * 4, [""] * 4, [None] * 4, halves))] == [("2.5", "3")]


def test_a_wrong_score_is_not_told_again_as_wrong_imps() -> None:
    """430 is written down for what is 400: the IMPs of 430 follow from that slip, those of 400 are right as well."""
    for imps_ in (-10, 10, -11, 9):
        tables = table(400, claims={"NS": {"score": 430, "imps": imps_}}), table(-50)
        assert [found[3] for found in wrong(*tables)] == ([] if imps_ == 10 else [str(imps_)])
    tables = table(400, claims={"NS": {"score": 600, "imps": 12}}), table(-50)  # as if vulnerable
    assert wrong(*tables) == []


def test_what_is_written_down_and_not_compared() -> None:
    two, one = {"NS": {"imps": 3}}, {"NS": {"matchpoints": 3}}
    split = {"NS": {"matchpoints": 1}, "EW": {"matchpoints": 5}}
    by, more = "its tables are compared by {}, and {} are written down", "more tables played it than are here"
    for tables, why in [
        ([table(400, claims=two)], "it was played at one table"),
        ([table(400, claims=two), table(400), table(-50)], by.format("matchpoints", "IMPs")),
        ([table(400, claims=two | {"EW": {"matchpoints": 1}}), table(-50)], by.format("IMPs", "matchpoints")),
        ([table(400, claims={"NS": {"matchpoints": 23}}), table(-50)], more),
        ([table(400, claims=split), table(-50)], more),
        ([table(400, claims=one), table(-50, claims=one), table(430, claims=one)], more),
        ([table(400, claims=two, Room="Open"), table(-50, Room="Open")], "both tables are of the open room"),
        ([table(400, claims=two, names="A B C D"), table(-50, names="A B C D"), table(50 * 8, names="E F G H")],
         "table 2 is of a table of which another record has another score"),
    ]:  # fmt: skip
        [board] = boards(*tables)
        assert compared(board) == ([], why)
    [board] = boards(table(400), table(-50))
    assert compared(board) == ([], "")


def test_a_table_that_is_there_twice_counts_once() -> None:
    claims = {"NS": {"imps": 10}}
    one, other = table(400, names="A B C D", claims=claims), table(-50, names="E F G H")
    [board] = boards(one, one, other, other)
    assert (board.form, len(board.tables), shares(board)) == ("imps", 2, [(10, -10), (10, -10), (-10, 10), (-10, 10)])
    assert wrong(one, one, other, other) == []
    assert told(one, one, other, other) == told(one, other)
    [board] = boards(one, one)
    assert compared(board).why_not == "it was played at one table"


def test_matches_of_one_event_are_told_apart_by_their_teams() -> None:
    teams = [{"Event": "Cup", "HomeTeam": home, "VisitTeam": visit} for home, visit in ("AB", "BA", "CD")]
    assert [len(board.results) for board in boards(*(table(400, **each) for each in teams))] == [2, 1]


def test_the_work_grows_with_the_results_and_not_with_their_square() -> None:
    """As many boards of one number as there are results, of three kinds: each is found by what it tells."""
    sample = results(table(400))[0]
    many = [
        replace(
            sample, event=f"{place // 3}" if place % 3 else "", section="A" if place % 3 == 1 else "", dealt=b"%d" % (place // 3)
        )
        for place in range(12_000)
    ]
    began = process_time()
    found = boards_of(many)
    assert process_time() - began < 3  # each against each other: minutes
    assert [len(board.results) for board in found] == [3] * 4000


# --- the ranking ------------------------------------------------------------------------------------------------------


def told(*records: Record) -> list[tuple[str, str, Any, int]]:
    return [(each.name, each.form, each.points, each.boards) for each in ranking(boards(*records))]


def test_teams_change_seats_between_the_rooms() -> None:
    teams = {"HomeTeam": "Hearts", "VisitTeam": "Spades"}
    one = [table(400, 1, Room="Open", **teams), table(-50, 1, Room="Closed", **teams)]
    two = [table(430, 2, Room="Closed", **teams), table(400, 2, Room="Open", **teams)]
    assert told(*one, *two) == [("Hearts", "imps", 9, 2), ("Spades", "imps", -9, 2)]
    assert told(table(400), table(-50)) == [
        ("first in the open room", "imps", 10, 1),
        ("second in the open room", "imps", -10, 1),
    ]


def test_pairs_by_their_names() -> None:
    records = [table(400, 1, "A B C D"), table(-50, 1, "E F G H"), table(430, 1, "I K L M"), table(430, 2, "A F C H"),
               table(400, 2, "E B G D"), table(400, 2, "I K L M")]  # fmt: skip
    assert told(*records) == [
        ("A & C", "matchpoints", 6, 2),
        ("B & D", "matchpoints", 5, 2),
        ("I & L", "matchpoints", 5, 2),
        ("F & H", "matchpoints", 4, 2),
        ("K & M", "matchpoints", 3, 2),
        ("E & G", "matchpoints", 1, 2),
    ]


# --- the command ------------------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Path:
    teams = {"HomeTeam": "Hearts", "VisitTeam": "Spades"}
    for name, record in {
        "1-closed": table(-50, 1, Room="Closed", claims={"NS": {"imps": -11}}, **teams),
        "1-open": table(400, 1, Room="Open", **teams),
        "8-open": table(460, 8, Room="Open", **teams),
    }.items():
        (tmp_path / f"{name}.handrec.json").write_text(dumps(record), "utf-8")
    return tmp_path


def test_score_over_a_folder(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", str(evening)]) == 1
    said = capsys.readouterr().out
    assert said[said.index("Board") :].splitlines()[0] == "Board 1: IMPs"
    assert "SCO008  1-closed.handrec.json#1: NS is recorded with -11 IMPs, but -50, +400 make -10\n" in said
    assert said.endswith(
        "Ranking by IMPs\n"
        "    1  Hearts                                          10  (1 board)\n"
        "    2  Spades                                         -10  (1 board)\n"
    )


def test_score_over_a_folder_as_json(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "-f", "json", str(evening)]) == 1
    document = json.loads(capsys.readouterr().out)
    match = document[-1]["match"]
    assert [each["name"] for each in match["ranking"]] == ["Hearts", "Spades"]
    assert [row["shares"] for row in match["boards"][0]["results"]] == [{"NS": "-10", "EW": "10"}, {"NS": "10", "EW": "-10"}]
    assert [finding["code"] for finding in match["boards"][0]["findings"]] == ["SCO008"]


@archives
def test_audit_compares_the_tables_of_a_board_in_columns_too(
    evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An archive says of itself that there is something to compare."""
    archive, found = tmp_path / "evening.parquet", tmp_path / "found.jsonl"
    assert run(["convert", *map(str, sorted(evening.glob("*.json"))), "-o", str(archive)]) == 0
    assert run(["audit", str(archive), "--jobs", "1", "-q", "-o", str(found)]) == 1
    assert [json.loads(line)["code"] for line in found.read_text("utf-8").splitlines()] == ["SCO008"]


def test_audit_compares_the_tables_of_a_board(evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As check does: the same finding at the same place, and a record that is clean no more."""
    found = tmp_path / "found.jsonl"
    assert run(["audit", str(evening), "--jobs", "1", "-o", str(found), "-f", "json"]) == 1
    (row,) = map(json.loads, found.read_text("utf-8").splitlines())
    place = f"{evening}/1-closed.handrec.json"
    told = "NS is recorded with -11 IMPs, but -50, +400 make -10"
    assert (row["path"], row["line"], row["column"], row["code"], row["message"]) == (place, 24, 61, "SCO008", told)
    totals = json.loads(capsys.readouterr().out)["totals"]
    assert (totals["records"], totals["faulty"], totals["errors"]) == (3, 1, 1)


def test_check_compares_the_tables_of_a_board(evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """At the record that claims it, with its place in the file; the record was clean, and counts as clean no more."""
    assert run(["check", str(evening)]) == 1
    said = capsys.readouterr().out.splitlines()
    place = f"{evening}/1-closed.handrec.json:24:61"
    assert said[:2] == [
        f"{place}: SCO008 error  deal 1, NS: NS is recorded with -11 IMPs, but -50, +400 make -10 [BR-78a]",
        "Checked 3 records (3 deals): 2 clean, 1 with findings (1 error).",
    ]
    assert run(["check", str(evening), "--ignore", "SCO008"]) == 0
    assert "2 clean, 1 whose findings were all left out" in capsys.readouterr().out
    assert run(["check", f"{evening}/1-closed.handrec.json", "-v"]) == 0
    why = "L6 across deals: not checkable: deal 1: the IMPs written down are not compared: it was played at one table"
    assert why in capsys.readouterr().out


@pytest.mark.parametrize("format", ["json", "jsonl", "sarif", "github", "junit", "markdown"])
def test_check_tells_it_in_every_format(format: str, evening: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["check", "-f", format, str(evening)]) == 1
    said = capsys.readouterr().out
    assert said.count("-11 IMPs") == (2 if format == "junit" else 1)
    if format == "json":
        document = json.loads(said)
        assert [(each["path"][-20:], each["levels"], each["again"]) for each in document["records"] if "again" in each] == [
            (
                "-closed.handrec.json",
                [{"level": "L6", "name": "across deals", "reasons": [], "status": "failed"}],
                True,
            )
        ]
        assert [document["summary"][key] for key in ("records", "clean", "errors")] == [3, 2, 1]


def test_a_baseline_holds_what_tables_have_together(evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = str(tmp_path / "known.baseline")
    assert run(["check", str(evening), "--write-baseline", known]) == 1
    assert run(["check", str(evening), "--baseline", known]) == 0
    assert "Left out: 1 finding" in capsys.readouterr().out


def test_an_archive_is_compared_as_its_records_are(evening: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Though the sieve passes the record of the open room, which claims nothing."""
    pytest.importorskip("pyarrow")
    packed = tmp_path / "evening.parquet"
    assert run(["convert", str(evening), "-o", str(packed)]) == 0
    capsys.readouterr()
    assert run(["check", str(packed)]) == 1
    assert f"{packed}:1:1: SCO008 error  deal 1, NS: NS is recorded with -11 IMPs" in capsys.readouterr().out


# --- the pad of a rubber ----------------------------------------------------------------------------------------------


def test_the_pad_of_a_rubber(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Below the line what counts for game, a line under each; above it all else, the latest on top; then the sums."""
    data = rubber([("2S", "N", 9), ("1NT", "S", 7), ("3NTx", "E", 10, honours("W", 150)), ("2H", "W", 8)], status="stopped")
    path = tmp_path / "rubber.handrec.json"
    path.write_text(dumps(Record.model_validate(data)), "utf-8")
    assert run(["score", "--sheet", str(path)]) == 0
    pad = capsys.readouterr().out.split("\n\n")[1]
    assert [line.split() for line in pad.splitlines()] == [
        ["NS", "|", "EW"],
        ["---------+---------"],
        ["|", "100"],  # the only part score, in a rubber that is left
        ["|", "150"],
        ["|", "50"],
        ["|", "100"],
        ["30", "|"],
        ["=========+========="],
        ["60", "|"],
        ["40", "|"],
        ["---------+---------"],
        ["|", "200"],
        ["---------+---------"],
        ["|", "60"],
        ["---------+---------"],
        ["130", "|", "660"],
    ]
