"""The reader of DDS lists: what it makes of a sound list, and that every defect is found where it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import load, writing
from handrec.convert import joined, written
from handrec.findings import Location
from handrec.formats import Reading, Unwritable, dds
from handrec.games import find
from handrec.record import Record
from handrec.referee import check

PATH = Path(__file__).parents[1] / "fixtures/bridge/three-deals.txt"
DATA = PATH.read_bytes()
LINES = DATA.decode("ascii").splitlines()  # line 2 is the first deal's PBN, line 7 its PLAY, line 8 its TRACE


def read(data: bytes | list[str]) -> list[Reading]:
    return list(dds.read(data if isinstance(data, bytes) else "\n".join(data).encode("latin-1"), "lists/three.txt"))


def defects(readings: list[Reading]) -> list[tuple[str, int | None, str]]:
    """Code, deal and line:column of every finding."""
    found = [finding for reading in readings for finding in reading.findings]
    return [(f.code, f.deal, f"{f.location.line}:{f.location.column}") for f in found if f.location]


def edited(line: int, old: str, new: str) -> list[str]:
    """The list with one change in a line, which counts from 1."""
    assert old in LINES[line - 1]
    return [*LINES[: line - 1], LINES[line - 1].replace(old, new, 1), *LINES[line:]]


def test_a_sound_list() -> None:
    readings = read(DATA)
    assert defects(readings) == []
    records = [reading.record for reading in readings if reading.record]
    assert [record.id for record in records] == ["three.txt#1", "three.txt#2", "three.txt#3"]
    assert [record.deals[0].status for record in records] == ["complete", "complete", "claimed"]
    assert [record.deals[0].vulnerable for record in records] == ["none", "NS", "EW"]
    assert [record.version for record in records] == ["1.1"] * 3
    first, second, third = (record.deals[0] for record in records)
    assert (first.number, first.dealer, first.leader) == (1, "N", "E")
    assert " ".join((first.hands or {})["N"]) == "AS 9S 6S 3S AH KH 3H 2H JD 4D KC JC 6C"
    assert " ".join((second.hands or {})["E"][:4]) == "QS 8S 5S KH"  # the second deal's hands begin with East's
    contracts = [deal.events[0].model_dump(exclude_none=True) for deal in (first, second, third)]
    assert contracts == [{"do": "contract", "by": by, "bid": bid} for by, bid in (("N", "H"), ("E", "NT"), ("S", "S"))]
    assert first.events[1].model_dump(exclude_none=True) == {"do": "play", "card": "AD"}
    assert [len(deal.events) for deal in (first, second, third)] == [53, 53, 35]


def test_the_referee_finds_nothing_in_it() -> None:
    for reading in read(DATA):
        assert reading.record
        verdict = check(reading.record, find)
        assert verdict.findings == ()
        assert {level.key: level.status for level in verdict.levels}["L4"] == "passed"


def test_places() -> None:
    reading = read(DATA)[1]
    assert reading.record
    deal = reading.record.deals[0]
    for seat, hand in (deal.hands or {}).items():
        for place, card in enumerate(hand):
            spot = reading.locate(f"/deals/0/hands/{seat}/{place}")
            assert (spot.path, spot.line, LINES[8][spot.column - 1]) == ("lists/three.txt", 9, card[0])
    for place, event in enumerate(deal.events[1:], 1):
        spot = reading.locate(f"/deals/0/events/{place}/card")
        assert event.do == "play"
        assert (spot.line, LINES[13][spot.column - 1 : spot.column + 1]) == (14, event.card[1] + event.card[0])
    for pointer in ("", "/players/0", "/deals/0/events/0", "/deals/0/events/53/card", "/deals/0/hands/X/1", "/deals/0/dealer"):
        assert reading.locate(pointer) == Location("lists/three.txt", 9, 1)


def test_windows_line_ends_no_end_and_empty_lines_are_all_the_same() -> None:
    plain = [reading.record for reading in read(DATA)]
    for data in (DATA.replace(b" \n", b"\r\n"), DATA.rstrip(), DATA.replace(b"\n", b"\n\n")):
        assert [reading.record for reading in read(data)] == plain
        assert defects(read(data)) == []


#: what is wrong, (line, what stands there, what instead), the finding's deal and place, whether the deal is read
DEFECTS = [
    ("too few deals", (1, "3", "4"), None, "1:8", True),
    ("too many deals", (1, "3", "2"), None, "1:8", True),
    ("no number of deals", (1, "NUMBER 3", "NUMBER three"), None, "1:1", True),
    ("unknown line", (11, "TABLE", "TABEL"), 2, "11:1", True),
    ("spoilt PBN keyword", (9, "PBN", "PBM"), 2, "9:1", False),
    ("spoilt PLAY keyword", (14, "PLAY", "PLAX"), 2, "14:1", False),
    ("a line twice", (11, "TABLE", "FUT"), 2, "11:1", True),
    ("dealer", (9, "PBN 1", "PBN 4"), 2, "9:5", True),
    ("vulnerability", (9, "1 2 4 2", "1 9 4 2"), 2, "9:7", True),
    ("trump", (9, "1 2 4 2", "1 2 5 2"), 2, "9:9", False),
    ("leader", (9, "1 2 4 2", "1 2 4 S"), 2, "9:11", False),
    ("no leader", (9, "1 2 4 2", "1 2 4"), 2, "9:1", False),
    ("first hand's seat", (9, '"E:', '"X:'), 2, "9:14", False),
    ("three suits", (9, ".QT962", "QT962"), 2, "9:16", False),
    ("three hands", (9, "QT962 ", "QT962"), 2, "9:14", False),
    ("ten as 1", (9, "QT962", "Q1962"), 2, "9:28", False),
    ("FUT too short", (10, "FUT 7", "FUT 8"), 2, "10:5", True),
    ("FUT with a word", (10, "FUT 7", "FUT x"), 2, "10:1", True),
    ("TABLE too long", (11, "TABLE", "TABLE 1"), 2, "11:1", True),
    ("PAR without quotation marks", (12, '"', ""), 2, "12:1", True),
    ("PAR2 without text", (13, '"-400" "3N-EW"', ""), 2, "13:1", True),
    ("PLAY count", (14, "PLAY 52", "PLAY 51"), 2, "14:6", True),
    ("PLAY not a count", (14, "PLAY 52", "PLAY -1"), 2, "14:1", False),
    ("a character lost", (14, "H4H6", "H46"), 2, "14:12", True),
    ("a character lost at the end", (14, 'T"', '"'), 2, "14:112", True),
    ("no card", (14, "H4H6", "H4X6"), 2, "14:12", True),
    ("rank before suit", (14, "H4H6", "4HH6"), 2, "14:10", True),
    ("TRACE for another list", (15, "TRACE 49 6", "TRACE 48"), 2, "15:7", True),
    ("TRACE miscounts", (15, "TRACE 49", "TRACE 48"), 2, "15:7", True),
    ("line too long", (12, "PAR ", "PAR" + " " * 1000), 2, "12:1001", True),
    ("PLAY line too long", (14, "H4", "H4" * 500), 2, "14:1001", False),
    ("not ASCII", (12, "NS -400", "NS \xe9-400"), 2, "12:9", True),
    ("not ASCII in a hand", (9, "QT962", "Q\xe9962"), 2, "9:28", False),
    ("not ASCII in the play", (14, "H4H6", "H4H\xe9"), 2, "14:12", True),
    ("control character", (11, "TABLE 6", "TABLE \x006"), 2, "11:7", True),
]


@pytest.mark.parametrize(("edit", "deal", "place", "readable"), [row[1:] for row in DEFECTS], ids=[row[0] for row in DEFECTS])
def test_a_defect_is_found_once_and_where_it_stands(edit: tuple[int, str, str], deal: int, place: str, readable: bool) -> None:
    readings = read(edited(*edit))
    assert defects(readings) == [("FMT001", deal, place)]
    assert all(finding.message.startswith("cannot be read: ") for reading in readings for finding in reading.findings)
    deals = [reading for reading in readings if reading.record or any(finding.deal for finding in reading.findings)]
    assert [reading.record is not None for reading in deals] == [True, readable, True]


def test_what_is_no_card_is_a_card_unknown() -> None:
    record = read(edited(14, "H4H6", "H4X6"))[1].record
    assert record
    assert [event.card for event in record.deals[0].events[1:4] if event.do == "play"] == ["4H", "??", "JH"]
    assert check(record, find).findings == ()


def test_a_lost_character_leaves_the_cards_before_it() -> None:
    record = read(edited(14, "HJHTD3", "HJTD3"))[1].record
    assert record
    assert [event.card for event in record.deals[0].events[1:] if event.do == "play"] == ["4H", "6H", "JH"]


@pytest.mark.parametrize(
    ("gone", "place", "readable"),
    [
        ([9], "9:1", False), ([10], "10:1", True), ([10, 11], "10:1", True), ([14], "14:1", False),
        ([15], f"14:{len(LINES[13])}", True), ([10, 11, 12, 13, 14, 15], f"9:{len(LINES[8])}", False),
    ],
)  # fmt: skip
def test_missing_lines_are_one_finding(gone: list[int], place: str, readable: bool) -> None:
    readings = read([line for number, line in enumerate(LINES, 1) if number not in gone])
    assert defects(readings) == [("FMT001", 2, place)]
    assert [reading.record is not None for reading in readings] == [True, readable, True]
    assert readings[1].record or readings[1].locate("") == Location("lists/three.txt", 9, 1)


def test_lines_in_another_order() -> None:
    lines = [*LINES]
    lines[9:13] = lines[10:13] + lines[9:10]
    assert defects(read(lines)) == [("FMT001", 2, "13:1")]


@pytest.mark.parametrize("line", range(16, 23))
def test_a_file_that_breaks_off_within_a_line(line: int) -> None:
    readings = read([*LINES[: line - 1], LINES[line - 1][:9]])
    [(code, deal, place)] = defects(readings)
    assert (code, deal, place.split(":")[0]) == ("FMT001", 3, str(line))
    assert [reading.record is not None for reading in readings] == [True, True, line == 22]


def test_two_faults_of_one_deal_are_two_findings() -> None:
    lines = edited(9, "PBN 1 2", "PBN 7 8")
    lines[13] = lines[13].replace("PLAY 52", "PLAY 53")
    assert defects(read(lines)) == [("FMT001", 2, "9:5"), ("FMT001", 2, "9:7"), ("FMT001", 2, "14:6")]


def test_a_play_list_cut_short_is_betrayed_by_the_trace() -> None:
    cut = re.sub(r'PLAY 34 "(.*)...."', r'PLAY 32 "\1"', LINES[20])
    assert defects(read([*LINES[:20], cut, *LINES[21:]])) == [("FMT001", 3, "22:7")]


def test_absurd_cards_are_left_to_the_referee() -> None:
    readings = read(edited(9, "Q85", "J85"))  # two jacks of spades, no queen
    assert defects(readings) == []
    record = readings[1].record
    assert record
    found = {finding.code: readings[1].placed(finding).location for finding in check(record, find).findings}
    assert found["DEA002"] in (Location("lists/three.txt", 9, 16), Location("lists/three.txt", 9, 34))


def test_files_that_are_no_lists() -> None:
    assert defects(read(b"")) == [("FMT001", None, "1:1")]
    assert defects(read(b"\n\nhello\nworld\n")) == [("FMT001", None, "3:1"), ("FMT001", None, "4:1")]
    assert defects(read(b"NUMBER 0\n")) == []
    assert [reading.record is not None for reading in read(LINES[1:])] == [False, True, True, True]
    assert dds.FORMAT.sniff(DATA)
    assert not any(map(dds.FORMAT.sniff, (b"", b"NUMBER", b"NUMBERS 3", b'{"format": "handrec"}', b"PBN 0")))


def test_deals_beyond_the_last_number_of_a_record() -> None:
    *_, last, beyond = read(["NUMBER 4097", *["TRACE 0"] * 4095, *LINES[1:8] * 2])  # all but two of next to nothing
    assert defects([last, beyond]) == []
    assert last.record
    assert beyond.record
    assert (last.record.deals[0].number, beyond.record.deals[0].number) == (4096, None)
    assert beyond.record.id == "three.txt#4097"


def settle(data: bytes) -> None:
    """Whatever the bytes, each reading has a record or says why not, and every place is in the file."""
    last = data.count(b"\n") + 1
    for reading in read(data):
        assert reading.record or reading.findings
        for finding in reading.findings:
            assert finding.location
            assert 1 <= finding.location.line <= last
            assert finding.location.column >= 1
            assert finding.message.isascii()
        if reading.record:
            for finding in check(reading.record, find).findings:
                assert 1 <= reading.locate(finding.pointer).line <= last


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_end_in_readings(data: bytes) -> None:
    settle(data)
    settle(b"NUMBER 1\nPBN " + data)


@settings(deadline=None)
@given(
    st.integers(0, len(DATA)),
    st.integers(0, 40),
    st.binary(max_size=6) | st.sampled_from([b"\n", b'"', b" ", b"PBN ", b"9" * 30]),
)
def test_any_mutation_ends_in_readings(place: int, length: int, put: bytes) -> None:
    settle(DATA[:place] + put + DATA[place + length :])


@settings(deadline=None)
@given(st.permutations(LINES[1:]))
def test_any_order_of_lines_ends_in_readings(lines: list[str]) -> None:
    settle("\n".join([LINES[0], *lines]).encode())


def test_a_file_may_have_a_very_long_name() -> None:
    """It is cut where a record could not hold it."""
    records = [reading.record for reading in dds.FORMAT.read(DATA, "a" * 1100 + ".txt")]
    assert len(records) == 3
    assert all(record and len(record.id or "") < 300 for record in records)


# --- written ------------------------------------------------------------------------------------------------------------


def as_data(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(writing.line(record))
    return data


def test_deals_to_be_solved_have_no_lines_of_the_solver() -> None:
    """Nor is one missing; but a deal that has some of them has them all."""
    bare = [line for line in LINES if line.startswith(("NUMBER", "PBN", "PLAY"))]
    assert defects(read(bare)) == []
    assert [reading.record for reading in read(bare)] == [reading.record for reading in read(DATA)]
    assert defects(read([*bare[:2], "FUT 0", *bare[2:]])) == [("FMT001", 1, "4:1")]


def test_a_list_is_written_as_it_was_read() -> None:
    records = [reading.record for reading in read(DATA) if reading.record]
    texts = []
    for place, record in enumerate(records):
        text, lost = written(record, dds.FORMAT, after=place)
        assert {row.what for row in lost} <= {"id", "provenance source"}
        assert {row.what for row in written(record, dds.FORMAT, after=place + 1)[1]} > {row.what for row in lost}
        texts.append(text)
    again = "".join(joined(texts, dds.FORMAT))
    assert again.splitlines() == [line.rstrip() for line in LINES if line.startswith(("NUMBER", "PBN", "PLAY"))][:1] + [
        pbn_from_north(line.rstrip()) for line in LINES if line.startswith(("PBN", "PLAY"))
    ]
    assert [reading.record for reading in read(again.encode())] == records


def pbn_from_north(line: str) -> str:
    """A PBN line whose hands begin with North's."""
    if not line.startswith("PBN"):
        return line
    head, held, _ = line.split('"')
    hands, first = held[2:].split(" "), "NESW".index(held[0])
    return f'{head}"N:{" ".join(hands[-first:] + hands[:-first])}"'


def test_deals_of_a_whole_record_come_back_with_their_cards() -> None:
    """Of a game of several deals, hands, dealers, leaders and plays; what else there was is listed."""
    path = PATH.parents[1] / "clean/bridge-4-deals.handrec.json"
    data = as_data(load(path)) | {"version": "1.1"}
    for deal in data["deals"]:
        deal["vulnerable"] = "all"
    record = Record.model_validate(data)
    text, lost = written(record, dds.FORMAT)
    back = [reading.record for reading in read(text.encode())]
    assert [len(one.deals) for one in back if one] == [1] * len(record.deals)
    for deal, one in zip(record.deals, back, strict=True):
        assert one is not None
        (other,) = one.deals
        assert {seat: {*hand} for seat, hand in (other.hands or {}).items()} == {s: {*h} for s, h in (deal.hands or {}).items()}
        assert (other.dealer, other.vulnerable) == (deal.dealer, "all")
        assert [event.card for event in other.events if event.do == "play"] == [
            event.card for event in deal.events if event.do == "play"
        ]
    assert {"id", "play"} <= {row.what for row in lost}  # a list says of no card whose it was


def test_the_strain_and_the_leader_follow_from_the_calls() -> None:
    record = next(reading.record for reading in read(DATA) if reading.record)
    data = as_data(record)
    plays = data["deals"][0]["events"][1:]
    calls = [("N", "1H"), ("E", "X"), ("S", "XX"), ("W", "pass"), ("N", "pass"), ("E", "pass")]
    data["deals"][0]["events"] = [{"do": "bid", "by": by, "bid": bid} for by, bid in calls] + plays
    del data["deals"][0]["leader"]
    assert dds.write(Record.model_validate(data)) == dds.write(record)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda deal: deal.pop("hands"), "not all four hands of a deal are known"),
        (lambda deal: deal["hands"]["N"].__setitem__(0, "??"), "not all four hands of a deal are known"),
        (lambda deal: deal.pop("dealer"), "no dealer that"),
        (lambda deal: deal.pop("vulnerable"), "no vulnerability that"),
        (lambda deal: deal["events"].pop(0), "no trump that"),
        (lambda deal: deal["events"].__setitem__(0, {"do": "bid", "by": "N", "bid": "?"}), "no trump that"),
        (lambda deal: deal.update(events=[], leader="X"), "no trump and no leader that"),
    ],
)
def test_a_deal_that_lacks_what_a_list_needs_is_not_written(change: Any, why: str) -> None:
    record = next(reading.record for reading in read(DATA) if reading.record)
    data = as_data(record)
    change(data["deals"][0])
    with pytest.raises(Unwritable, match=why):
        written(Record.model_validate(data), dds.FORMAT)


def test_another_game_is_not_written() -> None:
    with pytest.raises(Unwritable, match="no record of bridge"):
        written(load(PATH.parents[1] / "clean/kbabs-1-player.handrec.json"), dds.FORMAT)


def test_cards_after_one_that_nobody_saw_are_lost_and_those_taken_back_are_none() -> None:
    record = next(reading.record for reading in read(DATA) if reading.record)
    data = as_data(record)
    events = data["deals"][0]["events"]
    events[3:3] = [{"do": "play", "card": "2C"}, {"do": "withdraw", "by": "S", "card": "2C"}]
    assert dds.write(Record.model_validate(data)) == dds.write(record)
    events[10]["card"] = "??"
    assert "\nPLAY 7 " in dds.write(Record.model_validate(data))


def test_the_command_writes_a_list_of_many(handrec: Any) -> None:
    assert handrec("convert", PATH, "-o", "deals.jsonl")[0] == 0
    assert handrec("convert", "deals.jsonl", "-o", "again.txt")[0] == 0  # numbers are places, and stay
    assert handrec("convert", "deals.jsonl", "-o", "each/", "--to", "json")[0] == 0
    assert handrec("convert", "each/", "-o", "each-again/", "--to", "dds")[0] == 1  # two of three lists would begin with 1
    code, _, err = handrec("convert", "each/deals-3.json", "each/deals-2.json", "-o", "turned.txt")
    assert (code, "number: 3 becomes 1" in err, "number: 2" in err) == (1, True, False)
    assert Path("again.txt").read_text("ascii").startswith("NUMBER 3\nPBN 0 0 1 1 ")
    assert handrec("diff", "--facts", "deals.jsonl", "again.txt")[0] in (0, 1)
    assert "3 clean" in handrec("check", "again.txt")[1]
