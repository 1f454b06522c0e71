"""`handrec follow`: lines in, answers out; numbers, modes, what is kept, hostile lines, signals, kills."""

from __future__ import annotations

import json
import re
import signal
import sqlite3
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

import handrec
from handrec import formats, writing
from handrec.cli import help as topics
from handrec.cli.explain import catalogue
from handrec.limits import MAX_BYTES
from handrec.live import following
from handrec.live.following import LiveTables
from handrec.live.lines import ASK, DO, FAULTS
from handrec.live.state import FILE, NotKept, State
from handrec.referee.form import FORM
from tests.commands import Handrec
from tests.following import Followed, Line, effective, fresh, lines, lines_of, numbered, record, said

OPEN = {"do": "open", "game": "kbabs", "players": 2, "status": "excerpt"}
DEAL = {"do": "deal", "number": 26, "dealer": "P2", "cards": 2, "hands": {"P1": ["7H", "2D"], "P2": ["9S", "KH"]}}
BEGUN = (OPEN, DEAL, {"do": "turn", "card": "4C"}, {"do": "bid", "by": "P1", "bid": 1}, {"do": "bid", "by": "P2", "bid": 0})
LED = {"do": "play", "by": "P1", "card": "7H"}
REVOKE = {"do": "play", "by": "P2", "card": "9S"}
FOLLOWED = {"do": "play", "by": "P2", "card": "KH"}
NAMED = {"table": "t"}


def begun(tables: LiveTables, name: str = "t") -> None:
    """A table at which the first card has been led to a trick of two."""
    for line in (*BEGUN, LED):
        assert said(tables, {"table": name, **line})["ok"]


def kept(tables: LiveTables, name: str = "t") -> Any:
    """The record of a table."""
    return said(tables, {"table": name, "ask": "record"})["record"]


# --- what is said and answered ------------------------------------------------------------------------------------------


def test_answers_are_those_of_a_table() -> None:
    """What happens and what is asked is answered as the table of the library answers it, with the line's own marks."""
    tables, live = fresh(), handrec.table("kbabs", 2, id="t", status="excerpt")
    assert said(tables, {"table": "t", "id": 7, **OPEN}) == {"table": "t", "n": 1, "id": 7, "ok": True, "seats": ["P1", "P2"]}
    for n, line in enumerate((*BEGUN[1:], LED, REVOKE), 2):
        assert said(tables, {"table": "t", **line}) == {"table": "t", "n": n, **live.apply(line).plain()}
    begins = {"table": "t", "n": 7, "ok": True}
    assert said(tables, {"table": "t", "ask": "legal"}) == {**begins, "legal": live.legal().plain()}
    assert live.legal().cards == ("KH",)
    view = json.loads(json.dumps(live.as_seat("P2").plain()))
    assert said(tables, {"table": "t", "ask": "view", "seat": "P2"}) == {**begins, "view": view}
    assert "2D" not in json.dumps(view)
    assert kept(tables) == writing.plain(live.record)
    assert said(tables, {"table": "t", **REVOKE, "force": True}) == {"table": "t", "n": 8, **live.force(REVOKE).plain()}
    told = said(tables, {"table": "t", "ask": "verdict"})["verdict"]
    assert [finding["code"] for finding in told["findings"]] == [each.code for each in live.verdict.findings] == ["REV001"]
    (ruling,) = said(tables, {"table": "t", "ask": "ruling", "claim": "P2@1"})["ruling"]
    assert (ruling["claim"]["deal"], ruling["verdict"]) == (26, live.ruling("P2@1")[0].verdict)
    undone = said(tables, {"table": "t", "do": "undo"})
    assert undone == {"table": "t", "n": 9, "ok": True, "undone": REVOKE}
    noted = {"comments": [{"text": "he looked twice"}]}
    assert said(tables, {"table": "t", "do": "note", **noted})["ok"]
    assert said(tables, {"table": "t", "do": "end", "provenance": {"source": "club"}})["deal_over"]
    assert kept(tables)["deals"][0]["comments"] == noted["comments"]
    assert kept(tables)["provenance"] == {"source": "club"}


def test_refuse_or_note() -> None:
    """What is illegal is refused, and the table is as it was; with `note` it is taken, and told."""
    refusing, noting = fresh(), fresh(note=True)
    begun(refusing)
    begun(noting)
    refused, noted = (said(tables, {"table": "t", **REVOKE}) for tables in (refusing, noting))
    assert (refused["ok"], refused["code"], refused["rule"]) == (False, "REV001", "KB-5.2")
    assert [event["card"] for event in refused["legal"]["events"]] == ["KH"]
    assert (noted["ok"], noted["findings"][0]["code"], noted["trick"]) == (True, "REV001", {"number": 1, "winner": "P1"})
    assert [len(kept(tables)["deals"][0]["events"]) for tables in (refusing, noting)] == [4, 5]


def test_a_game_is_opened_from_a_record_or_a_snapshot() -> None:
    """Both go on where they ended; and when it is closed, another is opened at the table, whose lines are numbered on."""
    tables = fresh()
    begun(tables)
    snapshot = said(tables, {"table": "t", "ask": "snapshot"})["snapshot"]
    for name, stated in (("u", {"snapshot": snapshot}), ("v", {"record": kept(tables)})):
        assert said(tables, {"table": name, "do": "open", **stated})["ok"]
        assert said(tables, {"table": name, **REVOKE})["code"] == "REV001"
        assert said(tables, {"table": name, **FOLLOWED})["ok"]
    assert said(tables, {"table": "t", "do": "close"}) == {"table": "t", "n": 7, "ok": True}
    assert said(tables, {"table": "t", **LED})["code"] == "TAB001"
    assert said(tables, {"table": "t", "n": 7, "do": "close"}) == {"table": "t", "n": 7, "ok": True}
    assert said(tables, {"table": "t", "n": 8, **OPEN})["ok"]
    assert said(tables, {"table": "t", "n": 6, **LED})["code"] == "TAB004"
    assert kept(tables)["deals"] == []


WRONG: list[tuple[Any, str, str]] = [
    (b"", "FMT001", ""),
    (b"play 7H", "FMT001", ""),
    (b'{"table": "t"', "FMT001", ""),
    (b"[" * 100_000, "FMT002", ""),
    (b'{"table": "t", "table": "u", "ask": "legal"}', "FMT003", "/table"),
    (b'{"table": "t", "ask": "legal", "n": 1.5}', "FMT004", "/n"),
    (b'{"table": "t\xff"}', "FMT005", ""),
    (b'{"table": "\\ud800"}', "FMT005", "/table"),
    (b"[]", "FMT007", ""),
    (b"null", "FMT007", ""),
    (b" " * (MAX_BYTES + 1), "FMT002", ""),
    ({"ask": "legal"}, "FMT007", "/table"),
    ({"table": "../t", "ask": "legal"}, "FMT007", "/table"),
    ({"table": "", "ask": "legal"}, "FMT007", "/table"),
    ({"table": ".t", "ask": "legal"}, "FMT007", "/table"),
    ({"table": "t\n", "ask": "legal"}, "FMT007", "/table"),
    ({"table": "t" * 81, "ask": "legal"}, "FMT007", "/table"),
    ({"table": 1, "ask": "legal"}, "FMT007", "/table"),
    ({**NAMED, "ask": "legal", "id": {}}, "FMT007", "/id"),
    ({**NAMED, "do": "undo", "n": 0}, "FMT007", "/n"),
    ({**NAMED, "do": "undo", "n": True}, "FMT007", "/n"),
    ({**NAMED, "do": "undo", "n": "7"}, "FMT007", "/n"),
    ({**NAMED, "ask": "legal", "n": 7}, "FMT007", "/n"),
    (NAMED, "FMT007", ""),
    ({**NAMED, "do": "undo", "ask": "legal"}, "FMT007", ""),
    ({**NAMED, "ask": "leagl"}, "FMT007", "/ask"),
    ({**NAMED, "ask": "play"}, "FMT007", "/ask"),
    ({**NAMED, "ask": None}, "FMT007", "/ask"),
    ({**NAMED, "ask": "legal", "seat": "P1"}, "FMT007", "/seat"),
    ({**NAMED, "ask": "view"}, "FMT012", "/seat"),
    ({**NAMED, "ask": "view", "seat": ["P1"]}, "FMT012", "/seat"),
    ({**NAMED, "ask": "ruling", "claim": "Q@1"}, "FMT007", ""),
    ({**NAMED, "ask": "ruling", "claim": 1}, "FMT007", ""),
    ({**NAMED, "ask": "ruling", "claim": "P2@1", "deal": 3}, "FMT007", ""),
    ({**NAMED, "ask": "ruling", "laws": "of the jungle"}, "FMT007", ""),
    ({**NAMED, "do": "paly", "by": "P1", "card": "7H"}, "FMT007", "/do"),
    ({**NAMED, "do": ["play"]}, "FMT007", "/do"),
    ({**NAMED, "do": "undo", "by": "P1"}, "FMT007", "/by"),
    ({**NAMED, "do": "play", "by": "P2", "card": "7"}, "FMT007", "/deals/0/events/0/card"),
    ({**NAMED, "do": "play", "by": "Q", "card": "KH"}, "FMT012", "/deals/0/events/0/by"),
    ({**NAMED, "do": "play", "by": "P2", "card": "KH", "force": 1}, "FMT007", "/force"),
    ({**NAMED, "do": "deal"}, "PLY005", "/deals/1"),
    ({**NAMED, "do": "note", "claimed": 7}, "FMT007", "/deals/0/claimed"),
    ({**NAMED, "do": "end", "claimed": 7}, "FMT007", "/claimed"),
    ({**NAMED, **OPEN}, "TAB002", ""),
    ({"table": "u", "ask": "legal"}, "TAB001", ""),
    ({"table": "u", "do": "undo"}, "TAB001", ""),
    ({"table": "u", "do": "open"}, "FMT007", "/game"),
    ({"table": "u", **OPEN, "game": "whist"}, "TAB005", ""),
    ({"table": "u", **OPEN, "options": {"ladder": "up", "laddr": "up"}}, "TAB005", ""),
    ({"table": "u", **OPEN, "players": 10**9}, "FMT007", "/players"),
    ({"table": "u", **OPEN, "players": 0}, "FMT007", "/players"),
    ({"table": "u", **OPEN, "players": 60}, "TAB005", ""),
    ({"table": "u", **OPEN, "players": ["Ann", 7]}, "FMT007", "/players/0"),
    ({"table": "u", **OPEN, "seats": 2}, "FMT007", "/seats"),
    ({"table": "u", "do": "open", "record": []}, "FMT006", ""),
    ({"table": "u", "do": "open", "record": {}, "game": "kbabs"}, "FMT007", "/record"),
    ({"table": "u", "do": "open", "snapshot": {}}, "TAB005", ""),
    ({**NAMED, "do": "undo", "n": 9}, "TAB003", "/n"),
    ({**NAMED, "do": "undo", "n": 6}, "TAB004", "/n"),
]


@pytest.mark.parametrize(("line", "code", "pointer"), WRONG, ids=lambda each: str(each)[:60])
def test_what_is_wrong_is_answered(line: Any, code: str, pointer: str) -> None:
    """By a code and the place in the line; the table is as it was, and so are others."""
    tables = fresh()
    for name in ("t", "other"):
        begun(tables, name)
    before = kept(tables), kept(tables, "other")
    answer = said(tables, line)
    assert (answer["ok"], answer["code"], answer["pointer"]) == (False, code, pointer)
    assert answer["message"]
    happens = isinstance(line, dict) and "do" in line and "ask" not in line and pointer not in ("/id", "/n")
    counted = happens and line.get("table") == "t" and not code.startswith("TAB")
    assert tables.state.last("t") == len(BEGUN) + 1 + counted
    assert (kept(tables), kept(tables, "other")) == before
    assert said(tables, {"table": "other", **FOLLOWED})["ok"]


def test_every_fault_of_lines_is_met_and_explained() -> None:
    """All but those of the state, which have tests of their own, are among the wrong lines; `explain` knows each."""
    assert {code for _, code, _ in WRONG} >= {*FAULTS} - {"TAB006", "TAB007"}
    assert not FAULTS.keys() & FORM.keys()
    assert {*FAULTS} <= {*catalogue()}


@pytest.mark.some(10)
@pytest.mark.parametrize("seed", range(200))
def test_any_line_gets_one_answer(seed: int) -> None:
    """Lines spoilt at random never end the process, and never change another table."""
    random = Random(seed)
    tables = fresh(note=random.random() < 0.5)
    begun(tables, "other")
    before = kept(tables, "other")
    values: list[Any] = [None, True, 0, -1, 10**18, "", "P1", "7H", [], ["7H"], {}, {"P1": 1}, {"do": "play"}, "\U0001f0a1\u202e"]
    for line in lines()[:12]:
        spoilt = {"table": "t", **line}
        for _ in range(random.randrange(3)):
            spoilt[random.choice([*spoilt, *(field for fields in DO.values() for field in fields)])] = random.choice(values)
        data = json.dumps(spoilt).encode()
        if random.random() < 0.3:
            cut = random.randrange(len(data))
            data = data[:cut] + bytes([random.randrange(256)]) * random.randrange(3) + data[cut + random.randrange(3) :]
        answer = said(tables, data)
        assert answer["ok"] in (True, False)
        assert answer.get("code") != "INT001", (data, answer)
        for word in ASK:
            assert said(tables, {"table": "t", "ask": word, **({"seat": "N"} if word == "view" else {})}).get("code") != "INT001"
    assert kept(tables, "other") == before


def test_a_fault_of_our_own_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The table is laid again as it was, and goes on."""
    tables = fresh()
    begun(tables)
    before = kept(tables)
    monkeypatch.setattr(following.LiveTable, "undo", lambda self: self._deals.clear() or 1 / 0)
    assert said(tables, {"table": "t", "do": "undo"})["code"] == "INT001"
    assert kept(tables) == before
    assert said(tables, {"table": "t", "n": 7, **FOLLOWED})["ok"]


def within(part: Any, whole: Any) -> bool:
    """Whether what is shown is part of what is there: of objects some keys, of lists all items."""
    if isinstance(part, dict):
        return isinstance(whole, dict) and all(key in whole and within(value, whole[key]) for key, value in part.items())
    if isinstance(part, list):
        return isinstance(whole, list) and len(part) == len(whole) and all(map(within, part, whole))
    return bool(part == whole)


def test_the_lines_shown_are_answered_so() -> None:
    """In `handrec help live`, line by line; every word of `do` and `ask`, and every code, stands in its tables."""
    text = topics.text("live")
    tables, words = fresh(), set[str]()
    for block in re.findall(r"^```follow\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        shown = block.splitlines()
        assert [line[:2] for line in shown] == ["> ", "< "] * (len(shown) // 2)
        for sent_line, answer in zip(shown[::2], shown[1::2], strict=True):
            line = json.loads(sent_line[2:])
            words |= {line.get("do"), line.get("ask")}
            found = said(tables, sent_line[2:].encode())
            assert within(json.loads(answer[2:]), found), (sent_line, found)
    assert words >= {*DO}
    rows = "\n".join(line for line in text.splitlines() if line.startswith("| `"))
    for word in (*DO, *ASK, *FAULTS):
        assert f"`{word}`" in rows, word
    for fields in (*DO.values(), *ASK.values()):
        assert all(f"`{field}`" in rows for field in fields)


# --- records ------------------------------------------------------------------------------------------------------------

#: What keeps a record from being a table's: nobody could sit down at it, or it names who does not.
NO_TABLE = {"FMT008", "FMT009", "FMT010", "FMT011", "FMT012", "FMT013", "DEA004"}
RECORDS = sorted(path for path in (Path(__file__).parents[1] / "fixtures").rglob("*.json") if "searches" not in path.parts)


@pytest.mark.some(24)
@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.name)
def test_fixtures_come_back(path: Path) -> None:
    """A record told line by line is the record that is asked for; where it is none of a table, that is said."""
    for reading in formats.read(path.read_bytes(), path.name):
        if (stated := reading.record) is None:
            continue
        tables = fresh()
        answers = [said(tables, {"table": "t", **line}) for line in lines_of(stated)]
        if {answer["code"] for answer in answers if not answer["ok"]}:
            assert NO_TABLE & {finding.code for finding in handrec.check(stated).findings}
        else:
            assert effective(kept(tables)) == effective(writing.plain(stated))


# --- what is kept -------------------------------------------------------------------------------------------------------


def test_a_line_that_comes_again_is_answered_again_and_not_taken_again(tmp_path: Path) -> None:
    """Also by another process that goes on from the same state, and whatever the answer was; the mark is the new line's."""
    first = LiveTables(State(tmp_path / "s.sqlite"))
    begun(first)
    refused = said(first, {"table": "t", "n": 7, "id": "a", **REVOKE})
    for tables in (first, LiveTables(State(tmp_path / "s.sqlite"))):
        before = kept(tables)
        assert said(tables, {"table": "t", "n": 7, "id": "b", **REVOKE}) == refused | {"id": "b"}
        assert said(tables, {"table": "t", "n": 6, **LED}) == {
            "table": "t",
            "n": 6,
            "ok": True,
            "findings": [],
            "deal_over": False,
        }
        assert kept(tables) == before


def test_two_processes_hand_a_table_to_each_other(tmp_path: Path) -> None:
    """Whoever takes the next line has the table as it is; a line that both are given is taken once."""
    path = tmp_path / "s.sqlite"
    pair = [LiveTables(State(path)), LiveTables(State(path))]
    random = Random(1)
    for line in numbered("t"):
        one, other = random.sample(pair, 2)
        answer = said(one, line)
        assert answer["ok"]
        if random.random() < 0.3:
            assert said(other, line) == answer
    assert kept(pair[0]) == kept(pair[1])
    assert effective(kept(pair[0])) == effective(writing.plain(record()))


def test_a_line_that_another_process_was_first_to_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking and keeping: the copy that is behind is laid again, and the line is answered from what is kept."""
    path = tmp_path / "s.sqlite"
    one, other = LiveTables(State(path)), LiveTables(State(path))
    begun(one)
    kept(other)
    answers = []
    put = State.put

    def late(state: State, *given: Any, **named: Any) -> None:
        if state is one.state and not answers:
            answers.append(said(other, {"table": "t", "n": 7, **FOLLOWED}))
        put(state, *given, **named)

    monkeypatch.setattr(State, "put", late)
    assert said(one, {"table": "t", "n": 7, **FOLLOWED}) == answers[0]
    assert answers[0]["ok"]
    assert kept(one) == kept(other)
    assert len(kept(one)["deals"][0]["events"]) == 5


def test_tables_that_are_put_away_are_laid_again() -> None:
    """With room for two tables, of five that take turns each is as with room for all."""
    roomy, narrow = fresh(), fresh(ready=2 * following.TABLE)
    names = [f"t{number}" for number in range(5)]
    for n in range(len(lines("kbabs", 3, 1))):
        for name in names:
            line = numbered(name, "kbabs", 3, 1)[n]
            assert said(roomy, line) == said(narrow, line)
    assert len(roomy.ready) == 5
    assert len(narrow.ready) <= 2
    assert [kept(roomy, name) for name in names] == [kept(narrow, name) for name in names]
    assert roomy.weight == sum(table.weight for table in roomy.ready.values())


def test_what_is_kept_of_a_line_does_not_grow_with_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """A snapshot is written when the lines have doubled; so all snapshots together are about as long as the last, twice."""
    sizes: list[int] = []
    put = State.put

    def counted(state: State, *given: Any, snapshot: bytes | None = None, **named: Any) -> None:
        sizes.extend([len(snapshot)] if snapshot else [])
        put(state, *given, snapshot=snapshot, **named)

    monkeypatch.setattr(State, "put", counted)
    tables = fresh()
    for line in numbered("t", "kbabs", 0, 8):
        assert said(tables, line)["ok"]
    assert len(lines("kbabs", 0, 8)) > 2 * following.EARLIEST
    assert 2 <= len(sizes) <= 4
    assert all(2 * one > other for one, other in zip(sizes[1:], sizes, strict=False))


def test_processes_that_begin_a_state_at_once(tmp_path: Path) -> None:
    """One of them lays it out; the others find it."""

    def begin(number: int) -> Line:
        with closing(State(tmp_path / "s.sqlite")) as state:
            return said(LiveTables(state), {"table": f"t{number}", **OPEN})

    with ThreadPoolExecutor(8) as pool:
        assert all(answer["ok"] for answer in pool.map(begin, range(8)))
    with closing(State(tmp_path)) as other, closing(State(tmp_path / "s.sqlite")) as state:
        assert (other.places(), state.places()) == ([], [f"t{number}" for number in range(8)])


@pytest.mark.parametrize("spoil", ["text", "other", "layout", "link", "folder"])
def test_what_is_no_state_is_left_alone(handrec: Handrec, spoil: str) -> None:
    """A file of something else is not written to; a folder holds the state in a file."""
    path = Path("s.sqlite")
    if spoil == "text":
        path.write_text("evening")
    elif spoil == "link":
        path.symlink_to("elsewhere")
    elif spoil == "folder":
        path.mkdir()
        assert handrec("follow", "--state", "s.sqlite", stdin=b"") == (0, "", "")
        assert (path / FILE).exists()
        return
    else:
        with closing(sqlite3.connect(path)) as base:
            base.execute("CREATE TABLE mine (x)" if spoil == "other" else "CREATE TABLE lines (x)")
            if spoil == "layout":
                base.execute(f"PRAGMA application_id = {0x68726563}")
                base.execute("PRAGMA user_version = 99")
    before = None if spoil == "link" else path.read_bytes()
    code, out, err = handrec("follow", "--state", "s.sqlite", stdin=b"")
    assert (code, out) == (2, "")
    assert err.startswith("handrec: s.sqlite: ")
    assert spoil == "link" or path.read_bytes() == before


def test_what_is_damaged_is_told(tmp_path: Path) -> None:
    """Of one table that cannot be laid again; the others go on."""
    state = State(tmp_path / "s.sqlite")
    tables = LiveTables(state)
    for name in ("t", "u", "v"):
        begun(tables, name)
    state.base.execute("UPDATE lines SET line = '{}' WHERE place = 't' AND n = 2")
    state.base.execute("INSERT INTO snapshots VALUES ('u', 6, '[1]')")
    again = LiveTables(State(tmp_path / "s.sqlite"))
    for name in ("t", "u"):
        answer = said(again, {"table": name, **REVOKE})
        assert (answer["ok"], answer["code"]) == (False, "TAB007")
    assert said(again, {"table": "v", **FOLLOWED})["ok"]


def test_what_cannot_be_kept_is_not_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the disk is full that is the answer; when there is room again, the same line is taken."""
    tables = fresh()
    begun(tables)

    def full(*given: Any, **named: Any) -> None:
        raise NotKept("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(State, "put", full)
        answer = said(tables, {"table": "t", "n": 7, **FOLLOWED})
        assert (answer["ok"], answer["code"]) == (False, "TAB006")
        assert "full" in answer["message"]
    assert len(kept(tables)["deals"][0]["events"]) == 4
    assert said(tables, {"table": "t", "n": 7, **FOLLOWED})["ok"]


def test_the_disk_is_full(tmp_path: Path) -> None:
    """As SQLite says it."""
    state = State(tmp_path / "s.sqlite")
    tables = LiveTables(state)
    begun(tables)
    state.base.execute("PRAGMA max_page_count = 1")
    answers = [said(tables, {"table": f"t{number}", **OPEN, "id": "x" * 900}) for number in range(60)]
    answers += [said(tables, {"table": "t", "do": "note", "comments": [{"text": "x" * 900}]}) for _ in range(20)]
    assert {answer.get("code") for answer in answers} == {None, "TAB006"}
    assert said(tables, {"table": "t", "ask": "legal"})["ok"]


# --- the command --------------------------------------------------------------------------------------------------------


def sent(*given: Line) -> bytes:
    return b"".join(json.dumps(line).encode() + b"\n" for line in given)


def test_records_are_written_at_the_end_and_when_a_game_is_closed(handrec: Handrec) -> None:
    """Each under its table's name, a second game of a table beside the first; nothing is overwritten."""
    both = [{"table": name, **line} for line in BEGUN for name in ("t", "u")]
    again = [{"table": "t", "do": "close"}, {"table": "t", **OPEN}]
    code, out, err = handrec("follow", "-o", "records", stdin=sent(*both, *again))
    assert (code, err, len(out.splitlines())) == (0, "", 12)
    assert sorted(path.name for path in Path("records").iterdir()) == [f"{name}.handrec.json" for name in ("t", "t@7", "u")]
    assert handrec("check", "-q", "records/t.handrec.json", "records/u.handrec.json")[0] == 0
    before = Path("records/t.handrec.json").read_bytes()
    assert handrec("follow", "-o", "records", stdin=sent(*both)) == (0, "".join(out.splitlines(True)[:10]), "")
    other = [{"table": "t", **OPEN, "players": 3}, {"table": "t", "do": "close"}]
    code, out, err = handrec("follow", "-o", "records", stdin=sent(*other))
    assert (code, json.loads(out.splitlines()[1])["code"]) == (2, "TAB006")
    assert err == "handrec: t: file exists; its record was not written\n"
    assert Path("records/t.handrec.json").read_bytes() == before
    assert handrec("follow", "-o", "nowhere/records", stdin=b"")[0] == 2


def test_a_line_that_is_too_long_is_passed_over(handrec: Handrec) -> None:
    """It gets one answer, and the next line is read as ever; the last line need not end."""
    long = b'{"table": "' + b"t" * (MAX_BYTES + 70_000) + b'"}\n'
    code, out, _ = handrec("follow", stdin=long + sent({"table": "t", **OPEN}).strip())
    first, second = map(json.loads, out.splitlines())
    assert (code, first["code"], second["ok"]) == (0, "FMT002", True)


def test_each_answer_is_there_before_the_next_line() -> None:
    """Through a pipe that stays open; at the end of the input all is well."""
    followed = Followed()
    tables = fresh()
    for line in numbered("t", "spades3", 1, 1):
        assert followed(line) == said(tables, line)
    assert followed.ended() == (0, b"")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_ends_it_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    """While a line is awaited: the records are written, and the exit code says which signal it was."""
    followed = Followed("-o", str(tmp_path / "records"))
    for line in BEGUN:
        assert followed({"table": "t", **line})["ok"]
    followed.process.send_signal(number)
    followed.process.wait(60)
    assert followed.ended() == (128 + number, b"")
    assert len(handrec.load(tmp_path / "records/t.handrec.json").deals[0].events) == 3


def test_a_closed_pipe_ends_it_cleanly(tmp_path: Path) -> None:
    """When nobody takes the answers: the records are written all the same."""
    followed = Followed("-o", str(tmp_path / "records"))
    assert followed({"table": "t", **OPEN})["ok"]
    assert followed.process.stdout is not None
    assert followed.process.stdin is not None
    followed.process.stdout.close()
    followed.process.stdin.write(sent({"table": "t", **DEAL}))
    followed.process.stdin.flush()
    followed.process.wait(60)
    assert followed.ended() == (141, b"")
    assert len(handrec.load(tmp_path / "records/t.handrec.json").deals) == 1


# --- kills --------------------------------------------------------------------------------------------------------------


def interleaved(names: int, deals: int, random: Random) -> list[Line]:
    """The lines of several games, table by table in order, tables at random."""
    left: list[Iterator[Line]] = [iter(numbered(f"t{number}", "kbabs", number % 3, deals)) for number in range(names)]
    found = []
    while left:
        source = random.choice(left)
        if (line := next(source, None)) is None:
            left.remove(source)
        else:
            found.append(line)
    return found


def killed(path: Path, kills: int, names: int, deals: int) -> None:
    """Kill a process at random so many times; who sends the lines sends again what was not answered."""
    random = Random(kills)
    all_lines = interleaved(names, deals, random)
    whole = fresh()
    points = {*random.sample(range(len(all_lines)), kills)}
    followed = Followed("--state", str(path))
    for place, line in enumerate(all_lines):
        due = said(whole, line)
        if place in points:
            with suppress(BrokenPipeError):
                assert followed.process.stdin is not None
                followed.process.stdin.write(sent(line))
                followed.process.stdin.flush()
                time.sleep(random.random() * 0.01)
            followed.process.kill()
            followed.ended()
            followed = Followed("--state", str(path))
        assert followed(line) == due
    for number in range(names):
        assert followed({"table": f"t{number}", "ask": "record"})["record"] == kept(whole, f"t{number}")
    assert followed.ended() == (0, b"")


def test_killed_twice_nothing_is_lost(tmp_path: Path) -> None:
    """Every line gets the answer that it would have had, once the process is there again; the records are the same."""
    killed(tmp_path / "s.sqlite", 2, 2, 1)


@pytest.mark.long
def test_killed_fifty_times_nothing_is_lost(tmp_path: Path) -> None:
    """The same, fifty times."""
    killed(tmp_path / "s.sqlite", 50, 5, 3)


# --- many tables --------------------------------------------------------------------------------------------------------

MANY = """
import json, sys
from tests.following import fresh, numbered
tables, count = fresh(), 0
game = [json.dumps({**line, "table": "?"}) for line in numbered("?", "kbabs", 0, 2)][: int(sys.argv[2])]
for line in game:
    for number in range(int(sys.argv[1])):
        count += '"ok":true' in tables.answer(line.replace("?", f"t{number}").encode())
most = next(line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM"))  # its own, not its parent's
print(count, most)
"""


@pytest.mark.long
def test_ten_thousand_tables_take_less_than_a_gigabyte() -> None:
    """Tables of kbabs that take turns, a line each: every line is taken, and memory stays below what help says."""
    command = [sys.executable, "-c", MANY, "10000", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[1])
    count, kilobytes = map(int, done.stdout.split())
    print(f"{kilobytes // 1024} MB")
    assert count == 200_000
    assert kilobytes < 600 * 1024


def test_memory_is_bounded_by_what_tables_weigh() -> None:
    """A table weighs about what it takes, at its beginning and when much has been played; so the bound is one of bytes."""
    for deals in (1, 8):
        game = numbered("?", "kbabs", 0, deals)[:-1]
        tables = fresh()
        for line in game:  # what all tables share
            said(tables, {**line, "table": "first"})
        before = tables.weight
        tracemalloc.start()
        for number in range(2):
            for line in game:
                said(tables, {**line, "table": f"t{number}"})
        taken, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert 0.4 < taken / (tables.weight - before) < 1.5
