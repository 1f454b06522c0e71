"""Untrusted files: every hostile input ends in findings with their places, never in an exception or a silent guess."""

from __future__ import annotations

import gzip
import json
import lzma
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handrec import formats
from handrec.findings import Finding
from handrec.formats import jsonl
from handrec.formats.json import FORMAT as JSON
from handrec.formats.json import load
from handrec.formats.jsonl import FORMAT as JSONL
from handrec.formats.strict import MAX_BYTES, MAX_FINDINGS
from handrec.games import find
from handrec.referee import check

some = settings(deadline=None, derandomize=True, max_examples=60)

GOOD: dict[str, Any] = {
    "format": "handrec",
    "version": "1.0",
    "game": "bridge",
    "players": [{"seat": "N"}, {"seat": "E"}],
    "deals": [{"hands": {"N": ["AS", "TD"]}, "events": [{"do": "play", "by": "N", "card": "AS"}]}],
}
LINE = json.dumps(GOOD).encode()
HEAD = LINE[:-1] + b',\n"extensions": {\n '


def places(data: bytes, kind: formats.Format = JSON) -> list[tuple[str, str]]:
    """The code and place of everything found in a file."""
    found = [reading.placed(finding) for reading in kind.read(data, "f") for finding in reading.findings]
    return [(finding.code, str(finding.location)) for finding in found]


def faults(**changes: Any) -> dict[str, Finding]:
    """What is found in the good record with some fields changed, by pointer."""
    return {finding.pointer: finding for finding in load(json.loads(json.dumps(GOOD | changes)))[1]}


def why(**changes: Any) -> str:
    (finding,) = faults(**changes).values()
    return finding.message


def test_a_good_record_is_read_without_findings() -> None:
    """A record in order has no findings, in either format."""
    for kind in (JSON, JSONL):
        (reading,) = kind.read(LINE, "f")
        assert reading.record is not None
        assert reading.findings == ()


@pytest.mark.parametrize(
    ("data", "code", "place"),
    [
        (b"", "FMT001", "f:1:1"),
        (b" \n ", "FMT001", "f:2:2"),
        (b'{"a": 1', "FMT001", "f:1:8"),
        (b'{"a":\n  "x" "b"}', "FMT001", "f:2:7"),
        (b'{"a":\n  tru}', "FMT001", "f:2:3"),
        (b"{'a': 1}", "FMT001", "f:1:2"),
        (b'{"a" 1}', "FMT001", "f:1:6"),
        (b'["\xc3\xa9\xf0\x9f\x82\xa1", nul]', "FMT001", "f:1:8"),
        (b'{"a": "b\nc"}', "FMT001", "f:1:9"),
        (b'{"a": 1}\n{"b": 2}', "FMT001", "f:2:1"),
        (LINE + b" trailing", "FMT001", f"f:1:{len(LINE) + 2}"),
        (b"[" * 100_000, "FMT002", "f:1:33"),
        (b'[{"a":' * 17 + b"1" + b"}]" * 17, "FMT002", "f:1:97"),
        (b" " * (MAX_BYTES + 1), "FMT002", "f:1:1"),
        (HEAD + b'"a": 1, "a": 1}}', "FMT003", "f:3:10"),
        (HEAD + b'"a": 1, "\\u0061": 1}}', "FMT003", "f:3:10"),
        (HEAD + b'"a": NaN}}', "FMT004", "f:3:7"),
        (HEAD + b'"a": -Infinity}}', "FMT004", "f:3:7"),
        (HEAD + b'"a": 1.5}}', "FMT004", "f:3:7"),
        (HEAD + b'"a": 1e999}}', "FMT004", "f:3:7"),
        (HEAD + b'"a": [0, ' + b"9" * 5000 + b"]}}", "FMT004", "f:3:11"),
        (HEAD + b'"a": 9007199254740992}}', "FMT004", "f:3:7"),
        (HEAD + b'"a": "\\ud800"}}', "FMT005", "f:3:7"),
        (HEAD + b'"\\udfff": 1}}', "FMT005", "f:3:2"),
        (HEAD + b'"\xc3\xa9": "\xff"}}', "FMT005", "f:3:8"),
        (b"\xef\xbb\xbf" + LINE, "FMT015", "f:1:1"),
        (b"\xff\xfe{\x00", "FMT005", "f:1:1"),
        (b"[" + LINE + b"]", "FMT006", "f:1:1"),
        (b"null", "FMT006", "f:1:1"),
        (b'{"version": "1.0"}', "FMT006", "f:1:1"),
        (b'{"format": "pbn"}', "FMT006", "f:1:12"),
        (LINE.replace(b'"1.0"', b'"2.0"'), "FMT006", "f:1:34"),
        (LINE.replace(b'"1.0"', b"1"), "FMT006", "f:1:34"),
        (LINE.replace(b'"1.0"', b'"1.7"'), "FMT014", "f:1:34"),
        (LINE.replace(b'"AS", "TD"', b'"AS",\n"10D"'), "FMT016", "f:2:1"),
        (LINE.replace(b'"AS", "TD"', b'"AS",\n 1'), "FMT007", "f:2:2"),
    ],
)
def test_every_fault_of_form_has_its_code_and_place(data: bytes, code: str, place: str) -> None:
    """A hostile or careless file gives the finding it deserves, at its line and column, and no other."""
    assert places(data) == [(code, place)]


def test_only_warnings_leave_a_record() -> None:
    """A byte order mark, a newer minor version and a card spelled otherwise are warnings; the record is read."""
    (reading,) = JSON.read(b"\xef\xbb\xbf" + LINE.replace(b'"1.0"', b'"1.7"').replace(b"TD", b"10d"), "f")
    assert [finding.severity for finding in reading.findings] == ["warning"] * 3
    assert reading.record is not None
    assert reading.record.deals[0].hands == {"N": ["AS", "TD"]}
    (reading,) = JSON.read(HEAD + b'"a": 1, "a": 2}}', "f")
    assert reading.record is None


def test_brackets_in_texts_are_no_depth() -> None:
    """Only brackets outside texts count as depth, and 32 levels are allowed."""
    assert places(HEAD + b'"a": "' + b"[{" * 100 + b'\\"["}}') == []
    assert places(HEAD + b'"a": ' + b"[" * 30 + b"]" * 30 + b"}}") == []
    assert places(HEAD + b'"a": ' + b"[" * 31 + b"]" * 31 + b"}}") == [("FMT002", "f:3:37")]


def test_everything_wrong_with_a_text_is_said_at_once() -> None:
    """Bad numbers, double keys and faults of the schema are collected, and nothing is said twice."""
    data = (
        LINE.replace(b'"N": [', b'"N": [1.5, 1.0, ')
        .replace(b'"game": ', b'"game": "0", "game": ')
        .replace(b'"seat": "E"', b'"a": 0')
    )
    found = [finding for reading in JSON.read(data, "f") for finding in reading.findings]
    assert [(finding.code, finding.pointer) for finding in found] == [
        ("FMT003", "/game"),
        ("FMT004", "/deals/0/hands/N/0"),
        ("FMT004", "/deals/0/hands/N/1"),
        ("FMT007", "/players/1/seat"),
        ("FMT007", "/players/1/a"),
    ]


def test_what_a_finding_contradicts_is_named_where_it_is_in_another_line() -> None:
    """And not where the whole record is one line."""
    seats = [{"seat": seat} for seat in "NESW"]
    twice = GOOD | {"players": seats, "status": "excerpt", "deals": [{"hands": {"N": ["AS", "AS"]}}]}
    for indent in (None, 1):
        text = json.dumps(twice, indent=indent)
        lines = [line for line, words in enumerate(text.split("\n"), 1) if "AS" in words]
        (reading,) = JSON.read(text.encode(), "f")
        assert reading.record is not None
        (finding,) = (each for each in check(reading.record, find).findings if each.code == "DEA002")
        placed = reading.placed(finding)
        assert placed.location is not None
        assert placed.location.line == lines[-1]
        assert placed.facts.get("against_line") == (lines[0] if len(lines) > 1 else None)
        assert placed.message.endswith(f"(see line {lines[0]})") is (len(lines) > 1)


def test_pointers_lead_to_places() -> None:
    """A pointer leads to its value; one that leads nowhere, to the nearest value around."""
    text = b'{"a/b": [1,\n  {"~": "x"}],\n "c": {}}'
    (reading,) = JSON.read(text, "f")
    expected = {
        "": "1:1",
        "/a~1b": "1:9",
        "/a~1b/0": "1:10",
        "/a~1b/1": "2:3",
        "/a~1b/1/~0": "2:9",
        "/a~1b/2": "1:9",
        "/a~1b/7": "1:9",
        "/a~1b/\u0661": "1:9",  # a number elsewhere, and a square: JSON Pointer has neither
        "/a~1b/\u00b2": "1:9",
        "/a~1b/x": "1:9",
        "/a~1b/0/0": "1:10",
        "/c/d/e": "3:7",
        "nonsense": "1:1",
        "/a~1b/" + "9" * 5000: "1:9",
    }
    assert {pointer: str(reading.locate(pointer)) for pointer in expected} == {
        pointer: f"f:{place}" for pointer, place in expected.items()
    }
    (reading,) = JSON.read(b'{"a": [}', "f")
    assert str(reading.locate("/a/0")) == "f:1:1"


def test_faults_of_the_schema_are_told_in_plain_words() -> None:
    """Each kind of difference from the schema has a message that says what should stand there."""
    assert why(gmae=1) == '/gmae: no such field (did you mean "game"?)'
    assert why(events=1).startswith("/events: no such field (there are: format, version, $schema, ")
    assert why(game="no spaces") == '/game: "no spaces" is not a name (1 to 64 of A-Z a-z 0-9 _, no digit first)'
    assert why(players=[]) == "/players: should hold 1 or more"
    assert why(players=[{}]) == "/players/0/seat: is missing"
    assert why(deals={}) == "/deals: should be a list, not an object"
    assert why(id=None) == "/id: should be text, not null (what was not recorded is left out)"
    assert why(id="x" * 1001) == "/id: should hold 1000 characters or fewer"
    assert why(status="done") == "/status: should be 'complete', 'stopped', 'in_progress' or 'excerpt', not \"done\""
    assert (
        why(claimed={"sides": {"claimed": {"trick": 1}}})
        == '/claimed/sides/claimed/trick: no such field (did you mean "tricks"?)'
    )
    assert why(deals=[{"claimed": {"sides": {"NS": {"x": 1}}}}]).startswith(
        "/deals/0/claimed/sides/NS/x: no such field (there are: tri"
    )
    assert why(claimed={"sides": {"a b": {}}}).startswith(
        '/claimed/sides/a b: "a b" is not the name of a side (its seats, such as NS or P1+P3)'
    )
    assert why(deals=[{"vulnerable": "N S"}]).startswith('/deals/0/vulnerable: "N S" is not ')
    assert why(deals=[{"board": 0}]) == "/deals/0/board: should be at least 1, not 0"
    assert why(claimed={"sides": {"NS": {"imps": "2,5"}}}).startswith(
        '/claimed/sides/NS/imps: "2,5" is not a number such as 12.5'
    )
    assert why(claimed={"trick": 1}) == "/claimed/trick: no such field (there are: totals, winners, sides)"
    assert why(deals=[{"claimed": {"trick": 1}}]) == '/deals/0/claimed/trick: no such field (did you mean "tricks"?)'
    found = faults(players=[{"seat": "N", "events": []}])["/players/0/events"].message
    assert found == "/players/0/events: no such field (there are: seat, name)"
    assert why(deals=[{"hands": {"N N": []}}]).startswith('/deals/0/hands/N N: "N N" is not the name of a seat')
    assert why(deals=[{"hands": {"N": ["🂡"]}}]) == '/deals/0/hands/N/0: "🂡" is not a card, such as AS, TD or ??'
    assert why(provenance={"date": "May"}).startswith('/provenance/date: "May" is not of the form ^')


def test_faults_of_events_are_told_in_plain_words() -> None:
    """Faults of events point at the event's own fields, and name the kinds of event there are."""

    def told(**event: Any) -> str:
        return why(deals=[{"events": [event]}]).removeprefix("/deals/0/events/0")

    assert told(do="plya", card="AS") == ': no event "plya" is known (did you mean "play"?)'
    assert told(do="shuffle").startswith(': no event "shuffle" is known (there are: bid, announce, contract, ')
    assert told(do=[]).startswith(': does not say what was done in a word: "do" is one of bid, announce, ')
    assert told(card="AS").startswith(': does not say what was done: "do" is one of bid, announce, ')
    assert told(do="bid", bid=3) == "/by: is missing"
    assert told(do="bid", by="N", bid=5000) == "/bid: should be at most 1000, not 5000"
    assert told(do="bid", by="N", bid="3 H") == '/bid: "3 H" is not a word (1 to 32 of A-Z a-z 0-9 _ + . -)'
    assert told(do="bid", by="N", bid=True) == "/bid: should be a whole number or text, not true"
    assert told(do="play", card="AS", crad="TD") == '/crad: no such field (did you mean "card"?)'
    assert told(do="claim", by="N", tricks={"N": "x"}) == '/tricks/N: should be a whole number, not "x"'
    assert told(do="transfer", by="N", of="E", tricks=-1) == "/tricks: should be at least 0, not -1 (did you mean 1?)"
    assert why(deals=[{"events": [3]}]) == "/deals/0/events/0: should be an object, not 3"


def test_a_card_spelled_otherwise_is_told_once() -> None:
    """Cards in another spelling are read as ours; each spelling is one warning, where it first stands."""
    record, found = load(json.loads(json.dumps(GOOD | {"deals": [{"pack": ["10D", "♠A", "10D", "as"]}]})))
    assert record is not None
    assert record.deals[0].pack == ["TD", "AS", "TD", "AS"]
    assert [(finding.pointer, finding.message) for finding in found] == [
        ("/deals/0/pack/0", "10D is written TD"),
        ("/deals/0/pack/1", "♠A is written AS"),
        ("/deals/0/pack/3", "as is written AS"),
    ]


def test_messages_stay_short_and_findings_few() -> None:
    """However much is wrong, facts are short, and no more than a thousand findings are told, with the number of the rest."""
    long = "k" * 100_000
    (reading,) = JSON.read(HEAD + f'"{long}": 1, "{long}": [1.{long.replace("k", "1")}]}}}}'.encode(), "f")
    (unknown,) = faults(**{long: long}).values()
    (word,) = faults(deals=[{"events": [{"do": "bid", "by": "N", "bid": long}]}]).values()
    for finding in (*reading.findings, unknown, word):
        assert len(finding.message) < 400
        assert len(finding.pointer) < 200
    found = load(GOOD | {str(number): 0 for number in range(3000)})[1]
    assert len(found) == MAX_FINDINGS + 1
    assert found[-1].message == "the number of faults of form (3000) is over the limit of 1000 that are told"


def test_a_bad_line_never_hides_the_next() -> None:
    """In JSON Lines each line stands for itself, blank lines count, and every finding has its line."""
    overlong = b'"' + b" " * (2 * MAX_BYTES)
    data = b"\n".join([b"\xef\xbb\xbf" + LINE, b"", b"{", LINE, b'{"a": "\xff"}\r', overlong, b" \t\r", LINE + b"]", LINE])
    readings = list(JSONL.read(data, "f"))
    assert [reading.record is not None for reading in readings] == [True, False, True, False, False, False, True]
    assert places(data, JSONL) == [
        ("FMT015", "f:1:1"),
        ("FMT001", "f:3:2"),
        ("FMT005", "f:5:8"),
        ("FMT002", "f:6:1"),
        ("FMT001", f"f:8:{len(LINE) + 1}"),
    ]
    assert str(readings[2].locate("/deals/0/events/0/card")).startswith("f:4:1")
    assert list(JSONL.read(b"\n\n", "f")) == []


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_packed_lines_are_read_as_if_they_were_not(pack: Any) -> None:
    """Packed files are told by their beginning; one that is cut off gives its whole lines, then a finding."""
    data = b"".join(LINE.replace(b'"AS"', b'"%dS"' % (2 + number % 8)) + b"\n" for number in range(300))
    packed = pack(data)
    assert [reading.record for reading in JSONL.read(packed, "f")] == [reading.record for reading in JSONL.read(data, "f")]
    assert formats.format_of("-", packed).key == "jsonl"
    *_, last = JSONL.read(packed[:-20], "f")
    assert [finding.code for finding in last.findings] == ["FMT001"]
    assert last.findings[0].location is not None


def test_a_bomb_is_put_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """A packed file that unpacks to far more than records do is read no further."""
    monkeypatch.setattr(jsonl, "ALWAYS", 2**20)
    (reading,) = JSONL.read(gzip.compress((b" " * 65_535 + b"\n") * 64), "f")
    assert reading.record is None
    assert reading.findings[0].code == "FMT002"
    assert str(reading.findings[0].location) == "f:17:1"


def test_a_nameless_file_is_told_by_its_beginning() -> None:
    """Without a telling name, a whole object on the first line means JSON Lines, anything else that is JSON, JSON."""
    pretty = json.dumps(GOOD, indent=1).encode()
    kinds = {LINE: "jsonl", LINE + b"\n" + LINE: "jsonl", pretty: "json", b"[]": "json", b"\xef\xbb\xbf" + pretty: "json"}
    assert {data: formats.format_of("-", data).key for data in kinds} == kinds
    assert formats.format_of("a.handrec.json", LINE).key == "json"
    assert formats.format_of("-", b'{"id": "' + b"x" * 5000).key == "jsonl"
    assert not JSONL.sniff(b"[" * 4096)
    assert not JSONL.sniff(b'{"a":' * 800 + b"\n")


def is_told(data: bytes) -> None:
    for kind in (JSON, JSONL):
        for reading in kind.read(data, "f"):
            assert reading.record is not None or any(finding.severity == "error" for finding in reading.findings)
            for finding in map(reading.placed, reading.findings):
                assert finding.location is not None
                assert finding.location.line >= 1
                assert finding.location.column >= 1
                finding.message.encode()
                assert len(finding.message) < 1000
    formats.format_of("-", data)


@some
@given(st.binary(max_size=200))
@example(gzip.compress(LINE)[:-9])
@example(lzma.compress(LINE)[:40])
@example(b"\x1f\x8b")
def test_any_bytes_end_in_readings(data: bytes) -> None:
    """Whatever the bytes, reading ends in records or findings with places, never in an exception."""
    is_told(data)


PIECES = [
    b'"',
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"null",
    b"1.5",
    b"-",
    b"\xff",
    b"\n",
    b"\\ud800",
    b'"do":',
    b"9" * 20,
    b"NaN",
]


@some
@given(st.lists(st.tuples(st.integers(0, len(LINE)), st.integers(0, 12), st.sampled_from([*PIECES, b""])), max_size=4))
def test_any_mutilated_record_ends_in_readings(cuts: list[tuple[int, int, bytes]]) -> None:
    """A good record with pieces cut out and others put in is read or told, never an exception."""
    data = LINE
    for start, length, piece in cuts:
        data = data[:start] + piece + data[start + length :]
    is_told(data)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["play", "AS", "10s", "N", "1.0"]),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["do", "by", "card", "bid", "[key]", "x"]), inner)
    ),
    max_leaves=6,
)


@some
@given(st.dictionaries(st.sampled_from([*GOOD, "claimed", "options", "comments", "provenance", "x"]), VALUES), VALUES, VALUES)
def test_any_json_ends_in_readings(fields: dict[str, Any], deal: Any, event: Any) -> None:
    """Whatever values stand in a record's fields, reading it is told, never an exception."""
    is_told(json.dumps(GOOD | fields).encode())
    is_told(
        json.dumps(
            GOOD | {"deals": [deal, {"hands": deal, "claimed": event, "events": [event, {"do": "bid", "bid": deal}]}]}
        ).encode()
    )
