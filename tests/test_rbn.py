"""Richard's Bridge Notation, deals only: read where it is sound, told where it is not, and written so that deals come back."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check, load, writing
from handrec.convert import written
from handrec.dealing import deal_game
from handrec.formats import Reading, Unwritable, format_of, rbn
from handrec.games import find
from handrec.record import Record

TEXT = """% RBN 2 records 2 deals
E Any Event
N Ann+Bo:Cy+Di
B 1
H W:KJ94.J9543.J6.JT:AT8.T82.942.A862:652.Q7.KT.K97543:
A NZ:PP1DP:1NA
C 1N:N
P SKA2Q:D4
R 9

{A remark,
over two lines}
A EN:1HA

B 2:C
H S:AK.xx..x
"""
PATH = Path(__file__).parents[1] / "fixtures/clean/partial/bridge-board.handrec.json"


def read(text: str | bytes) -> list[Reading]:
    return list(rbn.read(text if isinstance(text, bytes) else text.encode("latin-1"), "a.rbn"))


def as_data(record: Record) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(writing.line(record))
    return data


def faults(text: str) -> list[str]:
    return [f"{finding.location}: {finding.message}" for reading in read(text) for finding in reading.findings]


def test_deals_are_read_and_all_else_is_kept() -> None:
    first, second, third = (reading.record for reading in read(TEXT))
    assert faults(TEXT) == []
    assert first is not None
    assert second is not None
    assert third is not None
    (deal,) = first.deals
    assert (deal.number, deal.board, deal.dealer, deal.vulnerable) == (1, 1, "N", "none")
    assert " ".join((deal.hands or {})["W"]) == "KS JS 9S 4S JH 9H 5H 4H 3H JD 6D JC TC"
    assert " ".join((deal.hands or {})["S"]) == "QS 7S 3S AH KH 6H AD QD 8D 7D 5D 3D QC"
    assert first.extensions == {
        "rbn": {"E": "Any Event", "N": "Ann+Bo:Cy+Di", "A": "PP1DP:1NA", "C": "1N:N", "P": "SKA2Q:D4", "R": "9"}
    }
    assert check(first).findings == ()
    assert second.deals[0].hands == deal.hands  # another table: the board holds until another is named
    assert (second.deals[0].board, second.deals[0].dealer, second.deals[0].vulnerable) == (1, "E", "NS")
    assert third.deals[0].hands == {"S": ["AS", "KS", "?H", "?H", "?C"]}
    assert (third.deals[0].board, third.extensions) == (None, {"rbn": {"B": "2:C"}})
    assert format_of("a.rbn", b"").key == format_of("a", TEXT.encode()).key == "rbn"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("B 1\n", "a.rbn:1:1: cannot be read: the deal has no line H with its hands"),
        ("H X:AK", "a.rbn:1:3: cannot be read: the hands are not a seat, a colon and hands with colons between"),
        ("H N:AK:::::", "a.rbn:1:3: cannot be read: these are 6 hands"),
        ("H N:AK.....", "a.rbn:1:5: cannot be read: 'AK.....' is more than four suits"),
        ("H N:A.1K", "a.rbn:1:7: cannot be read: '1' is no rank"),
        ("H N:AK\nwibble", "a.rbn:2:1: cannot be read: 'wibble' is no line of a deal, or stands there for the second time"),
        ("H N:AK\nH N:AK", "a.rbn:2:1: cannot be read: 'H N:AK' is no line of a deal, or stands there for the second time"),
        ("H N:" + "A" * 2000, "a.rbn:1:1: cannot be read: "),
    ],
)
def test_what_cannot_be_read_is_told_where_it_stands(text: str, told: str) -> None:
    assert faults(text)[0].replace('"', "'").startswith(told)


def test_a_board_comes_back_with_its_cards() -> None:
    """And what has no place there is listed: whoever bid and played what."""
    record = load(PATH)
    text, lost = written(record, rbn.FORMAT)
    assert text.startswith("B 3\nH N:.AKQ3.AK96432.43:AK94.98754.5.QT5:")
    assert text.endswith("\nA SE:\n\n")
    (back,) = [reading.record for reading in read(text)]
    assert back is not None
    mine, theirs = record.deals[0], back.deals[0]
    assert {seat: {*hand} for seat, hand in (theirs.hands or {}).items()} == {s: {*h} for s, h in (mine.hands or {}).items()}
    assert (theirs.board, theirs.dealer, theirs.vulnerable) == (mine.board, mine.dealer, mine.vulnerable)
    assert {"play", "contract", "id"} <= {row.what for row in lost}
    assert not {"hand", "board", "dealer", "vulnerable"} & {row.what for row in lost}


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 10_000))
def test_deals_of_all_kinds_come_back(seed: int) -> None:
    """Hands known, in part or not at all; dealer and vulnerability known or not."""
    rng, game = Random(seed), find("bridge")
    assert game is not None
    data = as_data(deal_game(game, 4, seed, numbers=[1]))
    deal: dict[str, Any] = {"hands": data["deals"][0]["hands"]}
    for seat in rng.sample("NESW", rng.randrange(4)):
        del deal["hands"][seat]
    for hand in deal["hands"].values():
        for place in rng.sample(range(13), rng.choice([0, 0, 3])):
            hand[place] = "?" + hand[place][1]
    deal |= {"dealer": rng.choice("NESW")} if rng.random() < 0.8 else {}
    deal |= {"vulnerable": rng.choice(["none", "NS", "EW", "all"])} if "dealer" in deal and rng.random() < 0.8 else {}
    deal |= {"number": 7, "board": 7} if rng.random() < 0.8 else {}
    text, lost = written(Record.model_validate(data | {"version": "1.1", "deals": [deal]}), rbn.FORMAT)
    assert {row.what for row in lost} <= {
        "id",
        "provenance kind",
        "provenance tool",
        "provenance source",
        "version",
        "claimed",
        "options",
    }
    assert faults(text) == []


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda data: data["deals"][0].pop("hands"), "no hand of a deal is known"),
        (lambda data: data["deals"][0]["hands"]["N"].__setitem__(0, "??"), "of a card it is not known"),
        (lambda data: data.update(game="kbabs"), "no record of bridge"),
    ],
)
def test_what_it_cannot_hold_is_said(change: Any, why: str) -> None:
    data = as_data(load(PATH))
    change(data)
    with pytest.raises(Unwritable, match=why):
        written(Record.model_validate(data), rbn.FORMAT)


def test_any_bytes_are_a_record_or_a_located_finding() -> None:
    rng = Random(1)
    sound = TEXT.encode()
    for _ in range(500):
        data = bytearray(sound)
        for _ in range(rng.randrange(1, 5)):
            place = rng.randrange(len(data) + 1)
            data[place : place + rng.randrange(4)] = rng.choice([b"", b"\n", b":", b".", b"{", b"}", rng.randbytes(2)])
        for reading in read(bytes(data)):
            assert reading.record is not None or reading.findings
            if reading.record is not None:
                check(reading.record)
                reading.locate("/deals/0/hands/N/0")
                reading.locate("")


def test_the_command_writes_deals_of_many(handrec: Any) -> None:
    assert handrec("convert", PATH, PATH, "-o", "a.rbn", "--allow-lossy")[0] == 0
    assert Path("a.rbn").read_text("ascii").count("H N:") == 2
    assert handrec("check", "a.rbn")[0] == 0
