"""The reader of PBN: whatever the bytes, it ends soon, in records or in findings that have a place."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.games import find
from handrec.record import Record
from handrec.referee import check
from tests.pbn_games import BOARD, CLUB, FAULTS, PLAIN, read


def test_too_much() -> None:
    big = f'[Event "x"]\n{{{"x" * 2**20}}}\n\n' + PLAIN
    assert [[finding.code for finding in reading.findings] for reading in read(big)] == [["FMT002"], []]
    assert [reading.record is not None for reading in read(big)] == [False, True]
    many = read(PLAIN + "{x}" * 1001)
    assert [finding.code for finding in many[0].findings] == ["FMT002"]
    assert many[0].record
    assert len(many[0].record.deals[0].comments or []) == 1000
    long = read(PLAIN + f"{{{'x' * 2500}}}")[0].record
    assert long
    assert [len(comment.text) for comment in long.deals[0].comments or []] == [1000, 1000, 500]
    tricks = read(PLAIN.replace("*", "") + "H2 H2 H2 H2\n" * 5000)[0]
    assert tricks.record
    assert len(tricks.record.deals[0].events) < 60
    named = read(f'[West "{"x" * 1001}"]')[0].record
    assert named
    assert named.players[3].name is None
    assert len(named.extensions["pbn"]["West"]) == 1001
    assert len(read(PLAIN + "SK!!! " * 5000)[0].findings) <= 1001


HOSTILE = [
    "\n", "\n ", "[", "[A ", '[A "', '[A"\\', '"', '"\\', "{", "{\n", "{\n\n[A", "{\n \n%", "}", ";", "%\n", "SK ", "^R", "! ",
    "=", "=1=", "$1", '[Note "1:x"]', "\x00", "\xe9", "\r", "{x} SK ", "-", "+", "* ", "[A]",
]  # fmt: skip


@pytest.mark.some(10)
@pytest.mark.parametrize("part", HOSTILE, ids=ascii)
def test_hostile_text_is_read_quickly(part: str) -> None:
    """64 KiB take no second; where it went with the square of the length, nobody would wait for the end of this."""
    for before in ("", BOARD):
        data = (before + part * (2**16 // len(part))).encode("latin-1")
        assert all(reading.record or reading.findings for reading in read(data))


def settle(data: bytes) -> None:
    """Whatever the bytes, each reading has a record or says why not, and every place is in the file."""
    last = data.count(b"\n") + 1
    readings = read(data)
    assert readings
    for reading in readings:
        assert reading.record or reading.findings
        findings = list(reading.findings)
        if reading.record:
            assert Record.model_validate_json(reading.record.model_dump_json(exclude_none=True, by_alias=True)) == reading.record
            findings += check(reading.record, find).findings
        for finding in map(reading.placed, findings):
            assert finding.location
            assert 1 <= finding.location.line <= last
            assert finding.location.column >= 1
            assert finding.message.isascii()


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_end_in_readings(data: bytes) -> None:
    settle(data)
    settle(BOARD.encode() + data)


PARTS = [
    b"\n",
    b"\n\n",
    b'"',
    b"[",
    b"]",
    b"{",
    b"}",
    b";",
    b"%",
    b"^R ",
    b"^L ",
    b"- ",
    b"* ",
    b"+ ",
    b"SA ",
    b"#",
    b"9" * 30,
    b"\xff",
    b'[GameCode "x"]',
    b'[Deal ""]',
    b'[Deal "#"]',
    b'[ScoreTable "#"]',
    b'[Play "#"]',
    b'[Play "N"]\n- - SA -\n^R + - -\n',
    b'[Contract ""][Declarer ""]',
    b'\n[Play "S"]\nSA',
]


@settings(deadline=None, max_examples=40)
@given(st.sampled_from([CLUB, FAULTS]), st.integers(0, 3000), st.integers(0, 40), st.binary(max_size=6) | st.sampled_from(PARTS))
def test_any_mutation_ends_in_readings(path: Path, place: int, length: int, put: bytes) -> None:
    data = path.read_bytes()[:3000]
    settle(data[:place] + put + data[place + length :])


@settings(deadline=None)
@given(
    st.lists(
        st.sampled_from(["- - - -", "SK S4 S3 S2", "SK", "H3", "C2", "DA", "-", "*", "+", "^R", "^L", "!", "=1=", "??", "{x}"]),
        max_size=60,
    )
)
def test_any_words_of_a_play_end_in_a_record(words: list[str]) -> None:
    data = BOARD + " ".join(words)
    assert read(data)[0].record
    settle(data.encode())
