"""The reader of LIN: whatever is wrong with a board is found where it stands, whatever the bytes."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.record import Record
from tests.lin_boards import CALLS, EVENING, FIXTURES, HANDS, ROOMS, SHORT, cards_of, judged, only, place_of, read, told

# --- what is wrong --------------------------------------------------------------------------------------------------


def test_faults_at_the_table_are_found() -> None:
    found = {}
    for reading in read((FIXTURES / "faults.lin").read_text("utf-8")):
        for finding in (*reading.findings, *judged(reading).findings):
            found[finding.deal] = (finding.code, str(reading.placed(finding).location).removeprefix("boards/x.lin:"))
    assert found == {
        1: ("REV001", "3:10"),
        2: ("PLY002", "25:10"),
        3: ("TRK002", "31:103"),
        4: ("BID023", "47:26"),
        5: ("FMT017", "69:4"),
        6: ("FMT001", "74:4"),
    }


#: what stands there, what instead, the place of what instead, what is said, and the cards that are read all the same
DEFECTS = [
    ("pc|H5|", "pc|H1|", "H1|", "'H1' is no card", 4),
    ("pc|H5|", "pc||", None, "'' is no card", 4),
    ("pc|H5|", "pc|5H|", "5H|", "'5H' is no card (the suit stands first: H5)", 4),
    ("pc|H5|", "pcH5|", "pcH5", "'pch5' is no tag", 1),
    ("pc|H5|pc|", "pc|H5pc|", "H5pc", "'H5pc' is no card", 2),
    ("pc|H5|", "|pc|H5|", "|pc|H5", "'' is no tag", 4),
    ("|ah|", "|stray|ah|", "stray|", "'stray' is no tag", 4),
    ("md|4", "md|7", "7SAK", "the dealer '7' is no number from 0 to 4", 4),
    ("SAKQJ5", "SAKQX5", "X5432", "'X' in S's hand is no card", 4),
    ("4SAKQJ5", "4AKQJ5", "AKQJ5", "'A' in S's hand is no card", 4),
    ("CT98,|ah", "CT98,,S2|ah", "S2|", "there are more than four hands", 4),
    ("pc|HA|\n", "pc|HA", "pc|HA", "the file breaks off: no | follows the value of pc", 3),
    ("pc|HA|\n", "pc|HA|mc", "mc", "the file breaks off: no | follows 'mc'", 4),
]


@pytest.mark.parametrize(("old", "new", "place", "why", "cards"), DEFECTS, ids=[row[3] for row in DEFECTS])
def test_a_defect_is_told_with_its_place(old: str, new: str, place: str | None, why: str, cards: int) -> None:
    assert SHORT.count(old) == 1
    text = SHORT.replace(old, new)
    found = told(read(text))
    assert found[0] == f"{place_of(text, place) if place else '3:10'} {why}"
    assert all("is no tag" in more for more in found[1:])
    assert len(cards_of(only(text))) == cards
    assert told(read(SHORT.replace(old, new) + f"\n|md|{HANDS}|{CALLS}"))[: len(found)] == found or "breaks off" in why
    assert {finding.code for finding in judged(only(text)).findings} <= {"DEA003"}


def test_a_bad_board_hides_no_other() -> None:
    readings = read(SHORT.replace("SAKQJ", "SAKQZ") + EVENING)
    assert len(told(readings)) == 1
    assert len([reading for reading in readings if reading.record]) == 6


def test_files_without_boards() -> None:
    for text in ("", "\n\n", "pn|Ann,Bo,Cy,Di|", "qx|o1|qx|o2|"):
        assert told(read(text)) == ["1:1 there is no board in this file"]
    assert told(read("hello")) == ["1:1 the file breaks off: no | follows 'hello'"]
    assert told(read("\n hello|world")) == ["2:2 'hello' is no tag"]


def test_too_much_is_told_and_not_kept() -> None:
    for text, code, what in (
        (SHORT + "pc|SA|" * 200, "FMT001", "there are more than 104 cards"),
        (f"md|{HANDS}|" + "mb|p|" * 400, "FMT001", "there are more than 319 calls"),
        (f"md|{HANDS}{'x' * 20_000}|mb|p|", "FMT002", "the length of md"),
        (f"md|{HANDS}|" + f"nt|{'x' * 9000}|" * 200, "FMT002", "the text to be kept of a board"),
        (f"md|{HANDS}|" + "an|x|" * 200_000, "FMT002", "the text to be kept of a board"),
        (f"md|1S{'2' * 60}|mb|p|", "FMT001", "S's hand has more than 52 cards"),
    ):
        reading = only(text)
        assert (code, what) in [(finding.code, finding.facts.get("why") or finding.facts["what"]) for finding in reading.findings]
        assert reading.record
        assert len(reading.record.model_dump_json()) < 1_200_000


# --- anything at all ------------------------------------------------------------------------------------------------


def settle(data: bytes) -> None:
    """Whatever the bytes, each reading has a record or says why not, and every place is in the file."""
    lines = data.decode("latin-1").split("\n")
    for reading in read(data):
        assert reading.record or reading.findings
        verdict = judged(reading).findings if reading.record else ()
        assert {finding.code for finding in reading.findings} <= {"FMT001", "FMT002", "FMT017"}
        for finding in (*reading.findings, *(reading.placed(finding) for finding in verdict)):
            assert finding.location
            assert 1 <= finding.location.line <= len(lines)
            assert 1 <= finding.location.column <= len(lines[finding.location.line - 1]) + 1
        if reading.record:
            assert Record.model_validate_json(reading.record.model_dump_json(exclude_none=True, by_alias=True)) == reading.record


PIECES = [
    "|",
    "||",
    "md|",
    "pc|",
    "mb|",
    "mc|9|",
    "up|3|",
    "rs|4HE=|",
    "rs|4HEx=|",
    "rs|,|",
    "vg|",
    "qx|c7|",
    "pn|",
    "st||",
    "\n",
    "10",
    ",",
    "!",
    "x",
]


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES + list("SHDCAKQT2p")), max_size=60).map("".join).map(str.encode))
def test_any_bytes_end_in_records_or_findings(data: bytes) -> None:
    settle(data)
    settle(SHORT.encode() + data)


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from([SHORT, EVENING[:800], ROOMS]),
    st.lists(
        st.tuples(st.integers(0, 4000), st.integers(0, 30), st.binary(max_size=4) | st.sampled_from(PIECES).map(str.encode)),
        min_size=1,
        max_size=4,
    ),
)
def test_any_mutation_ends_in_records_or_findings(text: str, edits: list[tuple[int, int, bytes]]) -> None:
    data = text.encode()
    for place, length, put in edits:
        place %= len(data) + 1
        data = data[:place] + put + data[place + length :]
    settle(data)
