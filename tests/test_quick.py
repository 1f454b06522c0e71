"""The quick reader: it reads what the strict reader reads, and leaves to it whatever is not in order beyond doubt."""

from __future__ import annotations

import json
import pickle
import re
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from handrec import api, writing
from handrec.api import Unreadable
from handrec.formats import Reading
from handrec.formats import json as format_json
from handrec.formats.quick import quick
from handrec.formats.strict import MAX_BYTES
from handrec.formats.untold import settled
from handrec.record import KINDS
from tests import toy_handover

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
ONE = min((line for line in LINES if b'"version":"1.0"' in line), key=len)

#: How else a record may be laid out.
LAYOUTS = {
    "as it is": bytes,
    "with spaces": lambda data: json.dumps(json.loads(data), ensure_ascii=False).encode(),
    "with tabs": lambda data: json.dumps(json.loads(data), ensure_ascii=False, indent="\t").encode(),
    "as we lay it out": lambda data: writing.dumps(json.loads(data)).encode(),
    "from Windows": lambda data: data + b"\r",
    "in another order": lambda data: json.dumps(backwards(json.loads(data)), ensure_ascii=False).encode(),
}


def backwards(value: Any) -> Any:
    """The same, every object with its keys from last to first."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [*map(backwards, value)] if isinstance(value, list) else value


def parts(value: Any) -> Any:
    """A value of the model as all that it is made of: the classes of its parts, which fields they state, and all of these."""
    if isinstance(value, BaseModel):
        inside = {name: parts(each) for name, each in vars(value).items()}
        beside = value.__pydantic_extra__, value.__pydantic_private__
        return type(value), [*inside.items()], value.model_fields_set, beside
    if isinstance(value, dict):
        return dict, [(key, parts(each)) for key, each in value.items()]
    return [*map(parts, value)] if isinstance(value, list) else (type(value), value)


def strict(data: bytes, monkeypatch: pytest.MonkeyPatch) -> Reading:
    """What the strict reader says."""
    with monkeypatch.context() as patch:
        patch.setattr(format_json, "quick", lambda _: None)
        return format_json.reading(data, "a.jsonl", 3)


def with_part(part: str) -> bytes:
    """A line with one more part, as text."""
    return ONE[:-1] + b"," + part.encode() + b"}"


@pytest.mark.some(2)
@pytest.mark.parametrize("layout", LAYOUTS.values(), ids=LAYOUTS)
def test_what_is_in_order_is_read_quickly(layout: Callable[[bytes], bytes]) -> None:
    """Nearly every fixture is in order at a glance, however it is laid out."""
    assert sum(quick(layout(line)) is not None for line in LINES) > 0.9 * len(LINES)


@pytest.mark.some(2)
@pytest.mark.parametrize("step", [7, pytest.param(1, marks=pytest.mark.long)], ids=["a seventh", "all"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_both_readers_say_the_same(name: str, step: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same record in every respect, the same findings, and the same places; each fixture in two layouts, or in all."""
    for line in map(LAYOUTS[name], LINES[[*LAYOUTS].index(name) % step :: step]):
        slow = strict(line, monkeypatch)
        fast = format_json.reading(line, "a.jsonl", 3)
        assert fast.findings == slow.findings
        assert fast.locate("/players/0/seat") == slow.locate("/players/0/seat")
        assert parts(fast.record) == parts(slow.record)
        if fast.record is not None and slow.record is not None:
            assert writing.line(fast.record) == writing.line(slow.record)
            assert pickle.loads(pickle.dumps(fast.record)) == deepcopy(fast.record) == slow.record


def test_records_share_nothing_that_can_be_changed() -> None:
    """What is remembered of one record, its events, is frozen: lists are its own."""
    first, second = quick(LINES[3]), quick(LINES[3])
    assert first is not None
    assert second is not None
    assert first.deals[0].events
    for one, other in zip(first.deals, second.deals, strict=True):
        assert one.events is not other.events
        assert all(mine is yours for mine, yours in zip(one.events, other.events, strict=True))
    first.deals[0].events.clear()
    assert second.deals[0].events


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
        (with_part('"extensions":{"a b":1,"ab":1,"a b":1}'), "FMT003"),
        (with_part('"id":"a","id":"b"'), "FMT003"),
        (with_part('"$schema":"a","$schema":"a"'), "FMT003"),
        (with_part('"id":"a\x00"'), "FMT001"),
        (with_part('"extensions":{"a":' + '{"a":' * 5000 + "1" + "}" * 5000 + "}"), "FMT002"),
        (with_part('"extensions":{"a":' + "9" * 5000 + "}"), "FMT004"),
        (with_part('"extensions":{"a":1e5}'), "FMT004"),
        (with_part('"extensions":{"a":-Infinity}'), "FMT004"),
        (with_part('"provenance":{"date":"2020-01-01\\n"}'), "FMT007"),
        (with_part('"provenance":{"date":"２０２０"}'), "FMT007"),
        (with_part('"id":"' + "x" * 1001 + '"'), "FMT007"),
        (with_part('"id":null'), "FMT007"),
        (with_part('"id":1'), "FMT007"),
        (with_part('"comments":[{"text":"a","event":true}]'), "FMT007"),
        (with_part('"comments":[{"text":"a","event":0}]'), "FMT007"),
        (with_part('"comments":[{"text":"a","event":1.0}]'), "FMT004"),
        (with_part('"claimed":{"totals":{"a b":1}}'), "FMT007"),
        (with_part('"claimed":{"totals":{"N":1000000001}}'), "FMT007"),
        (with_part('"claimed":{"winners":["N","N "]}'), "FMT007"),
        (ONE.replace(b'"stopped"', b'"over"'), "FMT007"),
        (ONE.replace(b"{", b"{ \x0c", 1), "FMT001"),
        (ONE.decode().encode("utf-16"), "FMT005"),
        (ONE + b" " * MAX_BYTES, "FMT002"),
    ],
)
def test_what_is_not_in_order_is_left_to_the_strict_reader(data: bytes, code: str) -> None:
    """Keys that stand twice, fractions, depth, broken text and the rest are found as ever."""
    assert quick(data) is None
    assert code in {finding.code for finding in format_json.reading(data, "a.jsonl").findings}


@settings(max_examples=240, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_changed_lines_are_read_alike(seed: int) -> None:
    """Bytes changed, doubled and left out at random: quick or strict, it comes to the same."""
    rng = Random(seed)
    data = bytearray(rng.choice([*LAYOUTS.values()])(rng.choice(LINES)))
    for _ in range(rng.randrange(1, 3)):
        spot, many = rng.randrange(len(data)), rng.choice([0, 1, 1, 7, 60])
        if rng.random() < 0.5:  # near the end of something
            spot = data.find(rng.choice([b"}", b"]", b'"', b",", b":", b'"events"']), spot) + rng.randrange(2)
        part = data[spot : spot + rng.choice([0, 1, 12, 60])]
        data[spot : spot + many] = rng.choice([part, bytes([rng.randrange(256)]), *INSERTED])
    alike(bytes(data))


INSERTED = [
    b'"',
    b",",
    b"0",
    b".5",
    b'"a":1,',
    b" ",
    b"\n",
    b"1 2",
    b"}",
    b"]",
    b"{}",
    b"},{",
    b'"events":[],',
    b'"events"',
    b"\\",
]


def alike(data: bytes) -> None:
    """What is read quickly is what is read strictly."""
    found = quick(data)
    if found is not None:
        with pytest.MonkeyPatch.context() as patch:
            told = strict(data, patch)
        assert {finding.code for finding in told.findings} <= {"FMT021"}
        assert parts(settled(found)[0]) == parts(told.record)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4) | st.sampled_from(["events", "N", "AS", "N\n"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | st.just("events"), inner, max_size=3),
    max_leaves=6,
)


@settings(max_examples=120, deadline=None)
@given(seed=st.integers(0, 10**9), value=VALUES, compact=st.booleans(), only_ascii=st.booleans())
def test_values_changed_are_read_alike(seed: int, value: Any, compact: bool, only_ascii: bool) -> None:
    """Another value somewhere in a record, of any type: quick or strict, it comes to the same."""
    rng = Random(seed)
    data = json.loads(rng.choice(LINES))
    holder: Any = data
    while True:
        key = rng.choice([*holder]) if isinstance(holder, dict) else rng.randrange(len(holder))
        if not isinstance(holder[key], dict | list) or not holder[key] or rng.random() < 0.2:
            break
        holder = holder[key]
    holder[key] = value
    if isinstance(holder, dict) and rng.random() < 0.3:
        holder[rng.choice(["events", "extensions", "options", "x"])] = value
    text = json.dumps(data, ensure_ascii=only_ascii, separators=(",", ":") if compact else None)
    alike(text.encode("utf-8", "surrogatepass"))


SHORT = {"format": "handrec", "version": "1.0", "game": "kbabs", "players": [{"seat": "N"}]}
TURN = '{"do":"turn","card":"AS"}'


@pytest.mark.parametrize(
    "rest",
    [
        f'"deals":[{{"events":[{TURN},]}}]',
        f'"deals":[{{"events":[,{TURN}]}}]',
        f'"deals":[{{"events":[{TURN[:-1]}]}}]',
        f'"deals":[{{"events":[{TURN}}}]}}]',
        f'"deals":[{{"events":[{TURN} {TURN}]}}]',
        f'"deals":[{{"events":[{TURN}],"events":[{TURN}]}}]',
        f'"deals":[{{"events":[{TURN}],"\\u0065vents":[]}}]',
        f'"deals":[{{"\\u0065vents":[]}}],"extensions":{{"events":[{TURN}]}}',
        f'"deals":[{{}}],"extensions":{{"events":[{TURN}]}}',
        f'"deals":[{{"events":[]}}],"extensions":{{"events":[{TURN}]}}',
        f'"extensions":{{"events":[{TURN}]}},"deals":[{{"events":[]}}]',
        f'"extensions":{{"a\\"events":[{TURN}]}},"deals":[{{"events":[]}}]',
        f'"id":"events","deals":[{{"events":[{TURN}]}}]',
        f'"id":"\\"events\\":[]","deals":[{{"events":[{TURN}]}}]',
        f'"deals":[{{"comments":[{{"text":"events"}}],"events":[{TURN}]}},{{"events":[]}}]',
        f'"deals":[{{"events"\n: [\t{TURN} ,\r\n {TURN}\t] }}]',
        f'"deals":[{{"events":\x0b[{TURN}]}}]',
        f'"deals":[{{"events":[{TURN}\x0b]}}]',
        f'"deals":[{{"events":[{TURN}\xa0]}}]',
        f'"deals":[{{"events":[\ufeff{TURN}]}}]',
        '"deals":[{"events":null}]',
        '"deals":[{"events":[null]}]',
        '"deals":[{"events":[{}]}]',
        '"deals":[{"events":{}}]',
        '"deals":[{"events":"[]"}]',
        '"deals":[{"events":[[{}]]}]',
        '"deals":[{"events":[{"do":"turn","card":"AS","card":"AS"}]}]',
        '"deals":[{"events":[{"do":"turn","card":"AS","do":"turn"}]}]',
        '"deals":[{"events":[{"do":"bid","by":"N","bid":1.0}]}]',
        '"deals":[{"events":[{"do":"bid","by":"N","bid":-0}]}]',
        '"deals":[{"events":[{"do":"bid","by":"N","bid":1e0}]}]',
        '"deals":[{"events":[{"do":"bid","by":"N","bid":NaN}]}]',
        f'"deals":[{{"events":[{{"do":"bid","by":"N","bid":{"9" * 5000}}}]}}]',
        '"deals":[{"events":[' + '{"a":' * 30_000 + "1" + "}" * 30_000 + "]}]",
        '"deals":[{"events":[{"do":"claim","by":"N","tricks":{"N":1,"E":2}},{"do":"turn","card":"AS"}]}]',
        '"deals":[{"events":[{"do":"claim","tricks":{"N":1,"E":2},"by":"N"},{"do":"turn","card":"AS"}]}]',
        '"deals":[{"events":[{"do":"ruling","by":"},{","of":"N","verdict":"upheld"}]}]',
        '"deals":[{"events":[{"do":"ruling","by":"]","of":"N","verdict":"upheld"}]}]',
        '"deals":[{"events":[{"do":"handover","by":"N","to":"E","cards":["AS"]}]}]',
        '"deals":[{"events":[{"do":"turn","card":"10S"}]}]',
        '"deals":[{"hands":{"N":["10S"]}}]',
        '"deals":[{"claimed":{"bids":{"N":true}}}]',
        '"deals":[{"claimed":{"bids":{"N":1001}}}]',
        '"deals":[{"claimed":{"bids":{"N":"a b"}}}]',
        '"deals":[{"claimed":{"bids":{"N":"a","E":-1000}}}]',
        '"deals":[{"claimed":{"tricks":{"N":-1}}}]',
        '"deals":[{"aside":{"1":["AS"]}}]',
        '"deals":[{"dealer":"N\\n"}]',
        '"deals":[{"dealer":""}]',
        '"deals":[{"number":0}]',
        '"deals":[]',
        '"deals":{}',
    ],
)
def test_what_could_mislead(rest: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that are no lists of events, events where there are none, values just beside what is in order."""
    data = f"{json.dumps(SHORT)[:-1]},{rest}}}".encode()
    alike(data)
    fast, slow = format_json.reading(data, "a.jsonl", 3), strict(data, monkeypatch)
    assert (fast.record, fast.findings) == (slow.record, slow.findings)


def test_events_from_outside_are_left_to_the_strict_reader() -> None:
    """Also when the same text has been read before: whether a game takes them, a glance does not tell."""
    assert KINDS["handover"].model is toy_handover.Handover
    for version in ("1.0", "1.1"):
        events = '[{"do":"handover","by":"N","to":"E","cards":"AS"},{"do":"handover","by":"N","to":"E","cards":["AS"]}]'
        for event in json.loads(events):
            assert quick(json.dumps({**SHORT, "version": version, "deals": [{"events": [event]}]}).encode()) is None


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
