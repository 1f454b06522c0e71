"""Audits: nothing in an archive stops one, and what it says is what `check` says."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import sqlite3
from collections import Counter
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from handrec.audit import Chunk, Input, Journal, Store, Unusable, chunks, judge
from handrec.audit.journal import identity
from handrec.audit.result import merged
from handrec.cli import audit as audit_command
from handrec.cli import run
from handrec.cli.audit import _Bar
from handrec.report import audit as report
from tests.auditing import FIXTURES, Here, chunks_of_lines, complain, cut, dealt, lines, plain, renamed_by, rows
from tests.commands import CLEAN, Handrec, fixture

# --- lines ----------------------------------------------------------------------------------------------------------


def test_the_sieve_and_the_cuts_change_nothing() -> None:
    """All fixtures, with the sieve and without, in one chunk and in many."""
    whole = cut(*(Input(str(path), path) for path in sorted(FIXTURES.rglob("*.json"))[::6]))
    pieces = [Chunk(0, (piece,)) for chunk in whole for piece in chunk.pieces]
    told = [merged(judge(chunk, sieve) for chunk in parts) for parts, sieve in ((whole, True), (whole, False), (pieces, False))]
    assert told[0]["findings"]
    assert told[0]["totals"][0] >= 40
    assert plain(told[0]) == plain(told[1]) == plain(told[2])


def test_findings_are_those_of_check(capsys: pytest.CaptureFixture[str]) -> None:
    """What `check` finds in the fixtures, an audit counts."""
    paths = [*sorted((FIXTURES / "broken").rglob("*.json"))[::9], *sorted((FIXTURES / "clean").rglob("*.json"))[::9]]
    run(["check", "-f", "json", *map(str, paths)])
    told = json.loads(capsys.readouterr().out)
    primary = [find for one in told["records"] for find in one["findings"] if not find["because"]]
    due = Counter((find["path"], find["line"], find["code"], find["message"]) for find in primary)
    result = merged(map(judge, cut(*(Input(str(path), path) for path in paths))))
    found = [dict(zip(report.FINDING, row, strict=True)) for row in result["findings"]]
    assert Counter((find["path"], find["line"], find["code"], find["message"]) for find in found) == due
    summary = told["summary"]
    assert result["totals"][2] == summary["records"] - summary["clean"]
    assert result["totals"][3:] == [summary["errors"], summary["warnings"], summary["notes"]]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gz", "xz"])
def test_packed_lines_are_cut_alike(pack: Any) -> None:
    """Lines are the same pieces however they are packed; all of them come, in order, with their numbers."""
    data = chunks_of_lines()
    found = cut(Input("x.jsonl", data=pack(data)))
    assert [chunk.number for chunk in found] == list(range(12))
    pieces = [piece for chunk in found for piece in chunk.pieces]
    assert [piece.line for piece in pieces] == list(range(1, 3001))
    assert b"".join(piece.data + b"\n" for piece in pieces) == data


def test_other_formats(tmp_path: Path) -> None:
    """A file of another format is one piece, whose records have their own lines."""
    record = FIXTURES / "clean"
    source = sorted(record.rglob("*.json"))[0]
    out = tmp_path / "game.hrt"
    assert run(["convert", str(source), "-o", str(out)]) == 0
    result = judge(cut(Input(str(out), out))[0])
    assert result["totals"][0] == 1
    assert result["totals"][3] == 0


def test_lines_that_are_no_records() -> None:
    """Broken lines are findings with their places, and those after them are judged."""
    good = lines(dealt("bridge", 1))
    data = b"\xff\xfe\n" + good + b'{"a":1,"a":2}\n\n[[[\n' + b"[" * 100_000 + b"\n" + good[:-20] + b"\n" + good
    result = judge(cut(Input("x.jsonl", data=data))[0])
    assert result["totals"][:3] == [7, 2, 5]
    assert {row[1] for row in result["findings"]} == {1, 3, 5, 6, 7}
    torn = judge(cut(Input("x.jsonl.gz", data=gzip.compress(data)[:-30]))[0])
    assert any("damaged or cut off" in row[-1] for row in torn["findings"])


def test_deals_that_stand_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The same deal under other seat names is the same; with another card played or score claimed, the cards are."""
    deal = dealt("kbabs", 1)
    seats = {player["seat"]: f"x{player['seat']}" for player in deal["players"]}
    renamed = renamed_by(seats, deal)
    rescored, replayed = json.loads(json.dumps(deal)), json.loads(json.dumps(deal))
    seat = next(iter(seats))
    rescored["deals"][0]["claimed"]["scores"][seat] += 10
    replayed["deals"][0]["events"].pop()
    (tmp_path / "a.jsonl").write_bytes(lines(deal, dealt("bridge", 2)))
    (tmp_path / "b.jsonl").write_bytes(lines(rescored, renamed, replayed))
    out = tmp_path / "out.jsonl"
    assert run(["audit", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "-o", str(out), "--by", "code"]) == 1
    twice = [(one["code"], Path(one["path"]).name, one["line"]) for one in rows(out) if one["code"].startswith("DUP")]
    assert twice == [("DUP002", "b.jsonl", 1), ("DUP001", "b.jsonl", 2), ("DUP002", "b.jsonl", 3)]
    assert all("a.jsonl:1, deal 1" in one["message"] for one in rows(out) if one["code"].startswith("DUP"))
    assert "3 deals had the cards of an earlier one" in capsys.readouterr().out
    assert run(["explain", "DUP001", "DUP002"]) == 0


# --- what is told ---------------------------------------------------------------------------------------------------


def test_hostile_names_and_the_database(tmp_path: Path) -> None:
    """What records and files are called reaches no terminal, page or table unescaped; database and lines hold the same."""
    name = "\x1b]0;owned\x07<b>|Ann`\u202e"
    bad = dealt("bridge", 2, "REV001")
    bad["id"] = name
    bad["players"][0]["name"] = name
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/<i>\x1b\xff|.jsonl"))
    path.write_bytes(lines(bad, dealt("bridge", 5)))
    store, shown = Store(), []
    store.add(judge(cut(Input(str(path), path))[0]))
    store.finish()
    for kind in ("text", "markdown", "html", "json"):
        shown.append("".join(report.FORMATS[kind](store.audit(None, 10))))
        assert not set(shown[-1]) & {"\x1b", "\x07", "\u202e", "\udcff"}
    store.close()
    text, markdown, html, data = shown
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\\<b\\>\\|Ann" in markdown
    assert "<b>" not in html
    assert "<i>" not in html
    assert "&lt;b&gt;|Ann" in html
    assert json.loads(data)["totals"]["records"] == 2
    assert run(["audit", str(path), "-q", "-o", str(tmp_path / "o.jsonl"), "--db", str(tmp_path / "o.sqlite")]) == 1
    base = sqlite3.connect(tmp_path / "o.sqlite")
    base.row_factory = sqlite3.Row
    stored = [
        dict(row) for row in base.execute(f"SELECT {', '.join(map('`{}`'.format, report.FINDING))} FROM findings ORDER BY id")
    ]
    assert stored == rows(tmp_path / "o.jsonl") != []
    assert base.execute("SELECT records, deals, errors FROM totals").fetchone()[:] == (2, 2, len(stored))
    assert base.execute("SELECT count(*), sum(length(hands)) FROM deals").fetchone()[:] == (2, 32)
    base.close()
    for option in ("-o", "--db"):
        kept = (tmp_path / "o.jsonl").read_bytes()
        assert run(["audit", str(path), option, str(tmp_path / "o.jsonl")]) == 2
        assert (tmp_path / "o.jsonl").read_bytes() == kept


@pytest.mark.skipif(not find_spec("pyarrow"), reason="needs the extra `archive`")
def test_findings_as_parquet() -> None:
    """The rows of the Parquet file are those of the store, in more than one group."""
    import pyarrow.parquet as pq

    store = Store()
    store.add(judge(cut(Input("x.jsonl", data=b"{}\n[]\n" * 20))[0]))
    sink = io.BytesIO()
    report.parquet(store.findings(), sink, many=7)
    assert pq.read_table(sink).to_pylist() == list(store.findings())
    store.close()


def test_nothing_to_audit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No record at all is an error, unless it is allowed; so are files that are not there, and options that make no sense."""
    empty = tmp_path / "empty.jsonl"
    empty.touch()
    assert run(["audit", str(empty)]) == 2
    assert run(["audit", str(empty), "--allow-empty"]) == 0
    assert "No record was audited." in capsys.readouterr().out
    for wrong in (
        ["no such"],
        [str(empty), "-o", "x.doc"],
        [str(empty), "--scheduler", "tcp://x:1"],
        [str(empty), "--from", "pgn"],
    ):
        assert run(["audit", *wrong]) == 2
        said = capsys.readouterr().err
        assert said.startswith("handrec: ")
        assert said.count("\n") == 1


def test_progress_tells_rate_and_time_left() -> None:
    """What was there from before counts as done, but not towards the rate."""
    stream, now = io.StringIO(), [0.0]
    bar = _Bar(1000, stream, lambda: now[0])
    bar.tell(200, 2000)
    now[0] = 10.0
    bar.tell(400, 4000)
    assert stream.getvalue() == "\r4,000 records, 200 a second, about 31 s left …"
    bar.clear()
    assert stream.getvalue().endswith("\r")


# --- journals -------------------------------------------------------------------------------------------------------


def test_journals_know_what_they_are_of(tmp_path: Path) -> None:
    """A journal whose last line was being written goes on; one that is damaged, or of something else, is refused and kept."""
    data, path = [Input("x.jsonl", data=b"{}\n" * 600)], tmp_path / "state"
    results = [judge(chunk) for chunk in chunks(data, complain)]
    journal = Journal(path, identity(data, "1"))
    assert list(journal.results()) == []
    for result in results:
        journal.put(result)
    with pytest.raises(Unusable, match="another audit"):
        Journal(path, identity(data, "1"))
    journal.close()
    whole = path.read_bytes()
    for size in (5, 100, len(whole) - 1, len(whole) - 30, len(whole)):
        path.write_bytes(whole[:size])
        journal = Journal(path, identity(data, "1"))
        done = list(journal.results())
        for result in results[len(done) :]:
            journal.put(result)
        journal.close()
        assert path.read_bytes() == whole
    changed = [Input("x.jsonl", data=b"{}\n" * 601)]
    middle = whole.index(b"\n") + 60
    for content, inputs, why in (
        (whole, changed, "x.jsonl' has changed"),
        (whole, [*data, Input("y", data=b"")], "'y' was not among"),
        (b"my diary\n", data, "not the state"),
        (whole[:middle] + b"#" + whole[middle + 1 :], data, "damaged"),
    ):
        path.write_bytes(content)
        with pytest.raises(Unusable, match=why), closing(Journal(path, identity(inputs, "1"))) as opened:
            list(opened.results())
        assert path.read_bytes() == content


WRONG_BODIES: dict[str, Any] = {
    "no result": [],
    "a number too few": {"totals": [0] * 5},
    "text for a number": {"totals": ["1"] * 6},
    "a number that no database holds": {"failures": {"sieve": 2**63}},
    "a row too short": {"records": [["a.jsonl", 1]]},
    "columns of different lengths": {"deals": [["a.jsonl", [1], [1, 2], ["kbabs"], ["0" * 64]]]},
    "a digest that is none": {"deals": [["a.jsonl", [1], [1], ["kbabs"], ["x"]]]},
    "a text that would rule the terminal": {"failures": {"\x1b[31m": 1}},
    "something else too": {"more": 1},
}


@pytest.mark.parametrize("wrong", WRONG_BODIES)
def test_a_journal_with_a_right_checksum_and_a_wrong_body_is_refused(wrong: str, tmp_path: Path) -> None:
    """Whatever the body says instead of what came of a chunk; and the file stays as it is."""
    data, path = [Input("x.jsonl", data=b"{}\n")], tmp_path / "state"
    changes, result = WRONG_BODIES[wrong], plain(judge(cut(*data)[0]))
    for body in (result | changes if isinstance(changes, dict) else changes), result:
        path.unlink(missing_ok=True)
        with closing(Journal(path, identity(data, "1"))) as journal:
            journal.put(body)
        content = path.read_bytes()
        with closing(Journal(path, identity(data, "1"))) as journal:
            if body == result:
                assert [plain(each) for each in journal.results()] == [result]
            else:
                with pytest.raises(Unusable, match="damaged"):
                    list(journal.results())
        assert path.read_bytes() == content


@pytest.mark.skipif(not find_spec("resource"), reason="limits are set in another way here")
def test_a_full_disk_is_said_and_leaves_nothing(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    """A database that does not fit is not there, not even in part."""
    import resource

    monkeypatch.setattr(audit_command, "_engine", lambda options: Here())
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (8192, limits[1]))
    try:
        code, out, err = handrec("audit", fixture(CLEAN), "--db", "out.sqlite")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (code, out) == (2, "")
    assert err.startswith("handrec: out.sqlite: ")
    assert err.count("\n") == 1
    assert [*Path.cwd().iterdir()] == []
