"""The official scorecard: a worked deal, what was written otherwise, every width of table; and sheets that are read."""

from __future__ import annotations

import csv
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.convert import written
from handrec.findings import DealResult, Verdict
from handrec.formats import sheet
from handrec.formats.csv import FORMAT as CSV
from handrec.games import find
from handrec.record import DealClaims, GameClaims, Player, Record
from handrec.referee import check
from handrec.report import losses
from handrec.report.safe import columns
from handrec.report.sheet import sheet_csv, sheet_json, sheet_markdown, sheet_text

SEATS = ("0", "1", "2", "3")
HANDS = {"0": ["AH", "7C", "2D"], "1": ["LJ", "KH", "9S"], "2": ["BJ", "4H", "QC"], "3": ["3H", "AC", "5D"]}
PLAYS = "0 7C, 1 9S, 2 QC, 3 AC, 3 3H, 0 AH, 1 KH, 2 4H, 0 2D, 1 LJ, 2 BJ, 3 5D"


def worked(*more: dict[str, Any], names: tuple[str, ...] = ("Ann", "Bo", "Cy", "Di"), **claimed: dict[str, int]) -> Record:
    """The whole hand KB-D8: bids of one trick each, tricks 1, 0, 1, 1, so 11, -1, 11 and 11 points."""
    bids = [{"do": "bid", "by": seat, "bid": 1} for seat in SEATS]
    plays = [{"do": "play", "by": by, "card": card} for by, card in (play.split() for play in PLAYS.split(", "))]
    deal = {"cards": 3, "dealer": "3", "hands": HANDS, "events": [{"do": "turn", "card": "TH"}, *bids, *plays, *more]}
    players = [{"seat": seat, "name": name} if name else {"seat": seat} for seat, name in zip(SEATS, names, strict=True)]
    fields = {"format": "handrec", "version": "1.0", "game": "kbabs", "status": "in_progress"}
    return Record.model_validate({**fields, "players": players, "deals": [deal | ({"claimed": claimed} if claimed else {})]})


def judged(record: Record) -> tuple[Record, Verdict]:
    return record, check(record, find)


def test_the_worked_deal_has_a_line_with_bids_tricks_points_and_totals() -> None:
    assert sheet_text(*judged(worked())) == (
        "Each player: bid/tricks, points, running total.\n"
        "deal cards dealer  Ann         Bo         Cy          Di\n"
        "   1  3 H  Di      1/1 +11 11  1/0 -1 -1  1/1 +11 11  1/1 +11 11\n"
        "           total           11         -1          11          11\n"
    )


def test_a_penalty_is_a_line_of_its_own_and_the_total_after_it_is_the_one_written() -> None:
    fined = worked({"do": "penalty", "of": "1", "points": 37}, totals={"1": -38})
    assert sheet_text(*judged(fined)).splitlines()[2:] == [
        "   1  3 H  Di       1/1 +11 11  1/0  -1  -1  1/1 +11 11  1/1 +11 11",
        "   1       penalty          11      -37 -38          11          11",
        "           total            11          -38          11          11",
    ]


def test_a_total_after_a_penalty_is_right_whatever_was_wrong_with_the_one_before() -> None:
    first, then = worked(totals={"1": 0}), worked({"do": "penalty", "of": "1", "points": 37}, totals={"0": 99, "1": -39})
    _, verdict = judged(first.model_copy(update={"deals": [*first.deals, *then.deals]}))
    assert [(found.deal_index, found.seat) for found in verdict.faults if found.code == "SCO002"] == [(0, "1"), (1, "0")]
    _, verdict = judged(then)
    assert [(found.seat, found.facts["due"]) for found in verdict.faults if found.code == "SCO002"] == [("0", 11), ("1", -38)]


def test_what_was_written_otherwise_stands_before_the_recomputed_number() -> None:
    record, verdict = judged(worked(scores={"2": 12}, bids={"0": 1}))
    assert "1/1 +12→+11 11" in sheet_text(record, verdict)
    assert "→" not in sheet_text(record, verdict, claims=False)
    assert "12→11" in sheet_markdown(record, verdict)
    deal, total = csv.DictReader(sheet_csv(record, verdict).splitlines())
    assert (deal["Cy points"], deal["remarks"], total["remarks"]) == ("11", "Cy points 12→11", "")


def test_what_cannot_be_recomputed_is_a_dash() -> None:
    record = worked(scores={"0": 11})
    deal = record.deals[0].model_copy(update={"events": [], "claimed": DealClaims(scores={"0": 11})})
    text = sheet_text(*judged(record.model_copy(update={"deals": [deal]})))
    assert "–/– +11→– –" in text
    assert "–/– – –" in text


def test_a_record_of_an_unknown_game_still_has_a_sheet() -> None:
    text = sheet_text(*judged(worked(scores={"0": 11}).model_copy(update={"game": "nothing"})))
    assert "+11→–" in text


def test_winners_and_who_was_written_down() -> None:
    record, verdict = judged(worked().model_copy(update={"status": "complete", "claimed": GameClaims(winners=["1"])}))
    assert sheet_text(record, verdict).splitlines()[-2:] == ["Winners: Ann, Cy, Di", "Written down as winner: Bo"]
    assert json.loads(sheet_json(record, verdict))["winners"] == ["0", "2", "3"]


def test_players_are_called_by_name_by_seat_and_by_both_where_names_are_the_same() -> None:
    heads = sheet_csv(*judged(worked(names=("Ann", "", " ", "Ann")))).splitlines()[0].split(",")
    assert [head for head in heads if head.endswith(" bid")] == ["Ann (0) bid", "1 bid", "2 bid", "Ann (3) bid"]


def test_json_has_the_numbers_by_seat() -> None:
    fined = worked({"do": "penalty", "of": "1", "points": 37}, scores={"1": 1})
    deal, penalty, total = json.loads(sheet_json(*judged(fined)))["lines"]
    assert deal["players"]["1"] == {"bid": "1", "tricks": 0, "points": -1, "total": -1, "written": {"points": 1}}
    assert (deal["trump"], deal["dealer"], deal["cards"]) == ("H", "3", 3)
    assert penalty["players"]["1"] == {"points": -37, "total": -38}
    assert total["players"]["0"] == {"total": 11}


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1+1", "@x", " =x", "＝1", "－1", "\t=x", "\r=x"])
def test_no_name_is_a_formula_and_no_number_is_touched(name: str) -> None:
    rows = list(
        csv.reader(sheet_csv(*judged(worked(names=(name, "Bo", "Cy", name + "x"))), delimiter=";").splitlines(), delimiter=";")
    )
    heads, deal = rows[0], rows[1]
    assert "-1" in deal
    assert all(not cell.lstrip().startswith(tuple("=+@\t\r＝－")) and (cell[:1] != "-" or cell == "-1") for cell in heads + deal)


@pytest.mark.parametrize(("players", "points"), [(1, 3), (4, 300), (5, 10**9), (54, 10**13)])
def test_eighty_columns_are_enough(players: int, points: int) -> None:
    seats = [f"seat-{number:011}" for number in range(players)]
    by_seat = dict.fromkeys(seats, points)
    claims = DealClaims(
        scores=dict.fromkeys(seats, -1), totals=dict.fromkeys(seats, -(10**9)), bids=dict.fromkeys(seats, "b" * 32)
    )
    lines = {seat: {"made": points} for seat in seats}
    result = DealResult(1, 13, seats[0], "NT", dict.fromkeys(seats, "board"), dict.fromkeys(seats, 13), lines, by_seat, by_seat)
    record = worked(scores={"0": 1}).model_copy(
        update={
            "players": [Player(seat=seat, name="漢字" * 20) for seat in seats],
            "deals": [worked(scores={"0": 1}).deals[0].model_copy(update={"claimed": claims})],
        }
    )
    text = sheet_text(record, Verdict(None, "kbabs", {}, (), (), (result,), by_seat, tuple(seats)))
    assert max(map(columns, text.splitlines())) <= 80


def test_more_players_than_columns_have_a_block_for_each_deal() -> None:
    names = ("Bartholomew", "Cornelia Maria", "Dorothea", "Emmerich")
    text = sheet_text(*judged(worked(names=names, scores=dict.fromkeys(SEATS, 10**9))))
    assert text.splitlines()[:3] == [
        "Deal 1: cards 3, trump H, dealer Emmerich",
        "                  bid  tricks           points  total",
        "  Bartholomew       1       1  +1000000000→+11     11",
    ]


@settings(deadline=None)
@given(names=st.tuples(*[st.text() for _ in SEATS]), order=st.text() | st.none())
def test_every_sheet_is_clean_whatever_the_names(names: tuple[str, str, str, str], order: str | None) -> None:
    record = worked()
    players = [Player.model_construct(seat=seat, name=name) for seat, name in zip(SEATS, names, strict=True)]
    record = record.model_copy(update={"players": players})
    scores = {seat: {"made": 1} for seat in SEATS}
    result = DealResult(1, 3, "3", order, {"0": order or "1"}, None, scores, {}, None)
    verdict = Verdict(None, "kbabs", {}, (), (), (result,), None, ("0", order or "1"))
    sheets = [make(record, verdict) for make in (sheet_text, sheet_markdown, sheet_csv, sheet_json)]
    for text in sheets:
        assert text.encode()
        assert not {char for char in text if ord(char) < 32 or ord(char) == 127} - {"\n", "\t"}
    assert len({len(row) for row in csv.reader(sheets[2].splitlines())}) == 1
    json.loads(sheets[3])


# --- sheets that are read -----------------------------------------------------------------------------------------------

TYPED = "line,deal,dealer,Ann (N) bid,Ann (N) points,Ann (N) total,Bo (E) points,Bo (E) total,remarks\n"
DEALS = "deal,1,N,2,3,3,4,4,\ndeal,2,E,2,3,6,4,8,late\n"


def read(text: str) -> Record:
    """The record of a sheet of a game of kbabs in which nothing is wrong."""
    (reading,) = sheet.read(text.encode(), "s", "kbabs")
    assert reading.record is not None, [finding.message for finding in reading.findings]
    return reading.record


def faults(text: str) -> list[str]:
    """What is wrong with a sheet that is no record: line, column, and why."""
    (reading,) = sheet.read(text.encode(), "s", "kbabs")
    assert reading.record is None
    placed = map(reading.placed, reading.findings)
    return [f"{finding.location}: {finding.message.removeprefix('cannot be read: ')}" for finding in placed]


def test_a_name_that_two_players_have_is_no_player() -> None:
    """Who dealt or won is told by the seat where the name does not tell it; nobody is chosen."""
    heads = "deal,dealer,Ann (N) bid,Bo (E) bid,Ann (S) bid,remarks\n"
    assert faults(f"{heads}1,Ann,2,3,4") == ["s:2:3: Ann may be any of N, S: write it as in the headings"]
    assert faults(f"{heads}total,,,,,Winner: Ann") == ["s:2:11: Ann may be any of N, S: write it as in the headings"]
    assert faults(f'{heads}total,,,,,"Winners: Bo, Ann"') == ["s:2:11: Ann may be any of N, S: write it as in the headings"]
    for said in ("Ann (S)", "S"):
        record = read(f'{heads}1,{said},2,3,4,\ntotal,,,,,"Winners: Bo, {said}"')
        assert record.deals[0].dealer == "S"
        assert record.claimed is not None
        assert record.claimed.winners == ["E", "S"]


def test_a_seat_or_a_heading_goes_before_a_name() -> None:
    """Whoever else is called so: a cell that is a seat is that seat, and one that is a heading its player."""
    heads = "deal,dealer,E (N) bid,N (E) bid,A (B) (S) bid,A (B) bid\n"
    said = {"E": "E", "N": "N", "E (N)": "N", "A (B)": "B", "A (B) (S)": "S", "A": "B"}
    assert {cell: read(f"{heads}1,{cell},2,3,4,5").deals[0].dealer for cell in said} == said
    unsaid = "deal,dealer,Ann Lee bid,P1 (E) bid\n"  # Ann Lee is at P1, but nobody has written that
    assert faults(f"{unsaid}1,P1,2,3") == ["s:2:3: P1 may be any of P1, E: write it as in the headings"]
    assert [read(f"{unsaid}1,{cell},2,3").deals[0].dealer for cell in ("Ann Lee", "E", "P1 (E)")] == ["P1", "E", "E"]


def test_a_penalty_keeps_its_remark() -> None:
    """It is a comment on the penalty, beside the deal's own, and comes back on the penalty's line."""
    record = read(f"{TYPED}{DEALS}penalty,2,,,-10,-4,,,revoke")
    (event,) = record.deals[1].events
    assert event.model_dump(exclude_unset=True) == {"do": "penalty", "of": "N", "points": 10}
    comments = record.deals[1].comments or []
    assert [(comment.text, comment.event) for comment in comments] == [("late", None), ("revoke", 1)]
    text, rows = written(record, CSV)
    assert rows == ()
    assert [line.rpartition(",")[2] for line in text.splitlines()[2:]] == ["", "late", "revoke"]
    told = read(f"{TYPED}{DEALS}penalty,,,,,5,,,warned").deals[1].comments or []
    assert [(comment.text, comment.event) for comment in told] == [("late", None), ("warned", None)]


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("penalty,1,,,-10,-4,,,", ["s:4:9: a penalty stands below its deal, but this is below deal 2, not 1"]),
        ("penalty,x,,,-10,-4,,,", ["s:4:9: a penalty stands below its deal, but this is below deal 2, not x"]),
        ("penalty,2,,5,-10,,,,", ["s:4:12: a penalty line has no bid (it has: deal, points, total, remarks)"]),
        ("penalty,2,E,,-10,,,,", ["s:4:11: a penalty line has no dealer (it has: deal, points, total, remarks)"]),
        ("total,7,,,,6,,8,", ["s:4:7: a total line has no deal (it has: total, remarks)"]),
        ("total,,E,,,6,,8,", ["s:4:8: a total line has no dealer (it has: total, remarks)"]),
        ("total,,,,6,,8,,", [f"s:4:{at}: a total line has no points (it has: total, remarks)" for at in (10, 13)]),
        ("total,,,,,6,,8,one\ntotal,,,,,7,,9,two", ["s:5:1: the total stands here for the second time"]),
        ("total,,,,,,,,\ntotal,,,,,7,,9,", ["s:5:1: the total stands here for the second time"]),
    ],
)
def test_what_a_line_has_no_place_for_is_told(line: str, found: list[str]) -> None:
    """Nothing that stands in a sheet is passed over or put elsewhere."""
    assert faults(f"{TYPED}{DEALS}{line}") == found


def test_lines_that_say_in_the_deal_column_what_they_are() -> None:
    """Without a column `line`, a penalty and the total have no number, and no fault in that."""
    heads = "deal,Ann (N) points,Ann (N) total,Bo (E) total\n"
    record = read(f"{heads}1,3,3,4\npenalties,-10,-7,\nTotals,,-7,4")
    assert [event.do for event in record.deals[0].events] == ["penalty"]
    assert record.claimed is not None
    assert record.claimed.totals == {"N": -7, "E": 4}
    assert read(f"{heads}7,3,3,4").deals[0].number == 7
    found = faults("deal,Ann bid,Ann points\n1,2,3\npenalty,5,")
    assert found == ["s:3:9: a penalty line has no bid (it has: deal, points, total, remarks)"]


def test_the_first_line_ends_with_the_status() -> None:
    assert read(f"handrec,kbabs,{{}},excerpt,,\n{TYPED}{DEALS}").status == "excerpt"
    assert faults(f"handrec,kbabs,{{}},excerpt,,x\n{TYPED}{DEALS}") == ["s:1:27: the first line ends with the status"]


def test_a_loss_of_no_cards_is_told() -> None:
    """Hands of which none is known are lost as an empty object, in words and as data."""
    record = worked(scores={"0": 1})
    bare = Record.model_validate(record.model_dump(exclude_unset=True) | {"deals": [{"aside": {}}]})
    _, rows = written(bare, CSV)
    assert [*losses.text(rows)] == ["  deal 1: aside: {} is lost\n"]
    assert losses.data("g", rows) == [{"record": "g", "pointer": "/deals/0/aside", "what": "aside", "deal": 1, "value": {}}]
