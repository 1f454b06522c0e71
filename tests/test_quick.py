"""The quick reader: it reads what the strict reader reads, and leaves to it whatever is not in order beyond doubt."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import api, writing
from handrec.api import Unreadable
from handrec.formats import Reading
from handrec.formats import json as format_json
from handrec.formats.quick import _again, quick
from handrec.record import Record

pytest.importorskip("orjson", reason="orjson is not installed: pip install 'handrec[fast]'")

ROOT = Path(__file__).parents[1]


def fixture_lines() -> list[bytes]:
    """Every fixture that can be read, as a line."""
    found = []
    for path in sorted((ROOT / "fixtures").rglob("*.json")):
        try:
            found.append(writing.line(api.load(path)).encode().rstrip(b"\n"))
        except Unreadable:
            continue
    return found


LINES = fixture_lines()
ONE = min(LINES, key=len)

#: How else a record may be laid out.
LAYOUTS = {
    "as it is": bytes,
    "with spaces": lambda data: json.dumps(json.loads(data), ensure_ascii=False).encode(),
    "with tabs": lambda data: json.dumps(json.loads(data), ensure_ascii=False, indent="\t").encode(),
    "as we lay it out": lambda data: writing.dumps(json.loads(data)).encode(),
    "from Windows": lambda data: data + b"\r",
}


def strict(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Reading:
    """What the strict reader says."""
    with monkeypatch.context() as patch:
        patch.setattr(format_json, "quick", lambda _: None)
        return format_json.reading(data, "a.jsonl", 3)


def with_part(part: str) -> bytes:
    """A line with one more part, as text."""
    return ONE[:-1] + b"," + part.encode() + b"}"


@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_what_is_in_order_is_read_quickly(layout: Callable[[bytes], bytes]) -> None:
    """Nearly every fixture is in order at a glance, however it is laid out."""
    assert sum(quick(layout(line)) is not None for line in LINES) > 0.9 * len(LINES)


@pytest.mark.parametrize("name", LAYOUTS)
def test_both_readers_say_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same record, the same findings, and the same places."""
    for line in map(LAYOUTS[name], LINES):
        fast, slow = format_json.reading(line, "a.jsonl", 3), strict(line, monkeypatch)
        assert fast.record == slow.record
        assert fast.findings == slow.findings
        assert fast.locate("/players/0/seat") == slow.locate("/players/0/seat")
        assert fast.record is None or slow.record is None or writing.line(fast.record) == writing.line(slow.record)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (with_part('"game":"bridge"'), "FMT003"),
        (with_part('"extensions":{"a":1,"a":1}'), "FMT003"),
        (with_part('"extensions":{"a":{"b":[{"c":1,"d":2,"c":1}]}}'), "FMT003"),
        (with_part('"extensions":{"a":1.5}'), "FMT004"),
        (with_part('"extensions":{"a":[{"b":1.5}]}'), "FMT004"),
        (with_part('"extensions":{"a":NaN}'), "FMT004"),
        (with_part('"extensions":{"a":-0.0}'), "FMT004"),
        (with_part('"extensions":{"a":9007199254740992}'), "FMT004"),
        (with_part('"extensions":{"a":' + "[" * 40 + "]" * 40 + "}"), "FMT002"),
        (with_part('"extensions":{"a":"\\ud800"}'), "FMT005"),
        (ONE[:-1] + b',"extensions":{"a":"\xff"}}', "FMT005"),
        (b"\xef\xbb\xbf" + ONE, "FMT015"),
        (ONE.replace(b'"1.0"', b'"1.7"'), "FMT014"),
        (ONE.replace(b'"1.0"', b'"2.0"'), "FMT006"),
        (with_part('"colour":1'), "FMT007"),
        (ONE[:-1], "FMT001"),
        (ONE + b"}", "FMT001"),
        (b"", "FMT001"),
        (b"[]", "FMT006"),
        (with_part('"extensions":{"a": 1 2}\n'), "FMT001"),
        (with_part('"extensions":{"a": - 1}\n'), "FMT001"),
        (with_part('"extensions":{"a": tr ue}\n'), "FMT001"),
        (with_part('"extensions":{"a": "b" "c"}\n'), "FMT001"),
        (with_part('"extensions":{"a": 1 "c"}\n'), "FMT001"),
        (with_part('"extensions":{"a": "b" 1}\n'), "FMT001"),
        (with_part('"extensions":{"a": "b\nc"}\n'), "FMT001"),
        (with_part('"extensions":{"a": "b\tc"}\n'), "FMT001"),
        (with_part('"extensions":{"a":\x0b1}\n'), "FMT001"),
        (with_part('"extensions":{"a": 1, "a": 1}\n'), "FMT003"),
    ],
)
def test_what_is_not_in_order_is_left_to_the_strict_reader(data: bytes, code: str) -> None:
    """Keys that stand twice, fractions, depth, broken text and the rest are found as ever."""
    assert quick(data) is None
    assert code in {finding.code for finding in format_json.reading(data, "a.jsonl").findings}


@settings(max_examples=300, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_changed_lines_are_read_alike(seed: int) -> None:
    """Bytes changed, doubled and left out at random: quick or strict, it comes to the same."""
    rng = Random(seed)
    data = bytearray(rng.choice([*LAYOUTS.values()])(rng.choice(LINES)))
    for _ in range(rng.randrange(1, 3)):
        spot, many = rng.randrange(len(data)), rng.choice([0, 1, 1, 7, 60])
        part = data[spot : spot + rng.choice([0, 1, 12, 60])]
        data[spot : spot + many] = rng.choice(
            [part, bytes([rng.randrange(256)]), b'"', b",", b"0", b".5", b'"a":1,', b" ", b"\n", b"1 2"]
        )
    found = quick(bytes(data))
    if found is not None:
        slow: Any = json.loads(data)
        assert writing.canonical(writing.plain(found)) == writing.canonical(slow)
        with pytest.MonkeyPatch.context() as patch:
            told = strict(bytes(data), patch)
        assert told.findings == ()
        assert told.record == found


def test_lines_are_read_without_orjson_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """It only makes it quicker."""
    monkeypatch.setitem(sys.modules, "orjson", None)
    again = _again.__wrapped__()
    monkeypatch.setattr("handrec.formats.quick._again", lambda: again)
    assert "orjson" not in again.__code__.co_names + again.__code__.co_freevars
    assert all(quick(line) == Record.model_validate_json(line) for line in LINES if quick(line) is not None)
    assert sum(quick(line) is not None for line in LINES) > 0.9 * len(LINES)
    assert quick(with_part('"extensions":{"a":1,"a":1}')) is None
    assert quick(with_part('"extensions":{"a":"\\ud800"}')) is None


PLAY = '{"do":"play","by":"N","card":"AS"}'
MARK = PLAY.replace('"N"', '"_-_-_-_-_-_-_-_-"').replace("AS", "??")


@pytest.mark.parametrize(
    "part",
    [
        f'"extensions":{{"a":[{PLAY},{PLAY}]}}',
        f'"extensions":{{"a":{MARK}}}',
        f'"options":{{"a":{PLAY}}}',
        f'"id":"x,{PLAY},y"',
        f'"id":{json.dumps(PLAY)}',
        f'"comments":[{PLAY}]',
    ],
)
def test_plays_where_there_are_none(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like a play, and stands elsewhere, is what it is."""
    data = with_part(part)
    fast, slow = format_json.reading(data, "a.jsonl", 3), strict(data, monkeypatch)
    assert (fast.record, fast.findings) == (slow.record, slow.findings)


@pytest.mark.parametrize(
    "changed",
    [
        PLAY + "," + MARK,
        MARK,
        MARK[:-1] + ',"questioned":true}',
        PLAY[:-1] + ',"questioned":true},' + PLAY,
        PLAY + "," + '{"do":"bid","by":"N","bid":1},' + PLAY,
        PLAY.replace('"N"', '"01234567890123456"'),
        PLAY.replace("AS", "10S"),
        PLAY.replace("AS", ""),
        PLAY.replace("AS", "ä"),
        PLAY.replace(',"card":"AS"', ""),
        PLAY + PLAY,
        PLAY + ",",
        ",".join([PLAY] * 20_001),
    ],
)
def test_plays_of_every_kind(changed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever stands among the plays, both readers say the same."""
    spot = next(line for line in LINES if line.count(b'"do":"play"') > 4)
    data = re.sub(rb'\{"do":"play"[^}]*\}', lambda _: changed.encode(), spot, count=1)
    fast, slow = format_json.reading(data, "a.jsonl", 3), strict(data, monkeypatch)
    assert (fast.record, fast.findings) == (slow.record, slow.findings)
