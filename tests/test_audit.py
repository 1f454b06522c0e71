"""Audits: whatever does the work, and whatever becomes of it, the report is the same; nothing in an archive stops it."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from handrec import games, writing
from handrec.audit import Chunk, Input, Journal, Result, Span, Store, Unusable, chunks, judge
from handrec.audit.journal import identity
from handrec.audit.result import merged
from handrec.cli import run
from handrec.cli.audit import _Bar
from handrec.cli.inputs import sources
from handrec.dealer import deal_game
from handrec.game import Game
from handrec.record import Record
from handrec.report import audit as report
from tests.dealing import GAMES

ROOT = Path(__file__).parents[1]
FIXTURES = ROOT / "fixtures"


def complain(name: str, why: str) -> None:
    """No input of a test should be unreadable."""
    raise AssertionError((name, why))


def cut(*inputs: Input) -> list[Chunk]:
    """The chunks of inputs."""
    return list(chunks(list(inputs), complain))


def plain(result: Result) -> Any:
    """What came of a chunk, as a journal would give it back."""
    return json.loads(json.dumps(result))


def dealt(key: str, seed: int, inject: str | None = None) -> dict[str, Any]:
    """The first deal of a game, as plain values."""
    game = games.find(key)
    assert game is not None
    return writing.plain(deal_game(game, 4, seed, numbers=[1], inject=inject))


def lines(*records: dict[str, Any]) -> bytes:
    """Records as JSON Lines."""
    return "".join(map(writing.line, records)).encode()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some chunks of records: a few that can be read, with faults and without, among lines that cannot."""
    path = tmp_path_factory.mktemp("archive") / "games.jsonl"
    good = [lines(dealt("bridge", seed, "REV001" if seed % 3 == 0 else None)) for seed in range(12)]
    parts = [good[number // 250 % 12] if number % 250 == 0 else b'{"n":%d}\n' % number for number in range(3000)]
    path.write_bytes(b"".join(parts))
    return path


def audited(*arguments: str | Path, code: int = 1, **environment: str) -> str:
    """What an audit in a process of its own prints; it must end with this code."""
    done = subprocess.run(
        [sys.executable, "-m", "handrec", "audit", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, **environment},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert "\r" not in done.stderr
    return done.stdout


def rows(path: Path) -> list[dict[str, Any]]:
    """The findings of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


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
    due = Counter(
        (find["path"], find["line"], find["code"], find["message"]) for one in told["records"] for find in one["findings"]
    )
    result = merged(map(judge, cut(*(Input(str(path), path) for path in paths))))
    found = [dict(zip(report.FINDING, row, strict=True)) for row in result["findings"]]
    assert Counter((find["path"], find["line"], find["code"], find["message"]) for find in found) == due
    summary = told["summary"]
    assert result["totals"][2] == summary["records"] - summary["clean"]
    assert result["totals"][3:] == [summary["errors"], summary["warnings"], summary["notes"]]


@pytest.mark.parametrize("pack", [bytes, gzip.compress, lzma.compress], ids=["plain", "gz", "xz"])
def test_packed_lines_are_cut_alike(archive: Path, pack: Any) -> None:
    """Lines are the same pieces however they are packed; all of them come, in order, with their numbers."""
    data = archive.read_bytes()
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


archives = pytest.mark.skipif(not find_spec("pyarrow"), reason="needs the extra `archive`")


def packed(path: Path, records: list[Record]) -> Path:
    """An archive of some records."""
    from handrec.archive import write

    path.write_bytes(b"".join(write(records)))
    return path


def told(result: Result) -> Any:
    """What came of something, but for the columns of a text; rows of an archive have none."""
    return plain(result) | {"findings": [row[:2] + row[3:] for row in result["findings"]]}


def same(source: bytes, archive: Path, *sieves: bool) -> Result:
    """The result of an archive, which must be that of its lines, with the sieve and without."""
    due = merged(map(judge, cut(Input("a", data=source, format="jsonl"))))
    for sieve in sieves or (True, False):
        assert told(merged(judge(chunk, sieve) for chunk in cut(Input("a", archive)))) == told(due)
    return due


@archives
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_archives_give_what_their_lines_give(game: Game, tmp_path: Path) -> None:
    """All counts, findings and digests, from columns and from records: planted faults, random changes and options."""
    from tests.sieving import batch

    records = [each for seed in range(2) for each in batch(game, seed, 1, 5)]
    records += [deal_game(game, min(4, max(game.players)), seed) for seed in range(3)]
    result = same(lines(*map(writing.plain, records)), packed(tmp_path / "a.parquet", records))
    assert result["findings"]
    assert sum(len(block[1]) for block in result["deals"]) >= 3


@archives
def test_the_sieve_passes_most_rows_of_an_archive(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Clean deals are counted and digested from columns; records are made of no others. Names are counted too."""
    from handrec.audit import archived

    read, asked = archived.readings, []
    monkeypatch.setattr(archived, "readings", lambda made, rows: asked.append(int(rows.sum())) or read(made, rows))
    records = [dealt("bridge", seed, "REV001" if seed in (3, 7) else None) for seed in range(40)]
    for number, record in enumerate(records):
        record["players"] = [{"seat": each["seat"], "name": f"{each['seat']}{number % 3}"} for each in record["players"]]
    records[5]["deals"][0]["comments"] = [{"text": "columns do not tell it"}]
    result = same(lines(*records), packed(tmp_path / "a.parquet", [Record.model_validate(each) for each in records]), True)
    assert asked == [3]
    assert sorted(result["tallies"]["player"]) == [f"{seat}{number}" for seat in "ENSW" for number in range(3)]


@archives
@pytest.mark.parametrize("key", [game.key for game in GAMES])
def test_deals_twice_in_lines_and_in_an_archive(key: str, tmp_path: Path) -> None:
    """The same deal in a file of lines and in an archive is found; so is one with another score, under other seat names."""
    game = games.find(key)
    assert game is not None
    record = writing.plain(deal_game(game, min(4, max(game.players)), 1))
    deal = next(each for each in record["deals"] if sum(map(len, each["hands"].values())) >= 16)
    record["deals"], record["status"] = [deal], "excerpt"
    again = renamed_by({each["seat"]: f"x{each['seat']}" for each in record["players"]}, record)
    other = json.loads(json.dumps(again))
    other["deals"][0].setdefault("claimed", {})["trump"] = "Z"
    result = judge(cut(Input("a", data=lines(record)))[0])
    archive = packed(tmp_path / "b.parquet", [Record.model_validate(each) for each in (again, other, record)])
    store = Store()
    for each in (result, judge(cut(Input("b", archive))[0])):
        store.add(each)
    store.finish()
    assert [row["code"] for row in store.findings() if row["code"].startswith("DUP")] == ["DUP001", "DUP002", "DUP001"]
    store.close()


@archives
def test_large_row_groups_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row group of somebody else's making is judged some rows at a time, each with its line; halves are what the whole is."""
    import pyarrow.parquet as pq

    from handrec.audit import archived

    records = [deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed % 9 == 0 else None) for seed in range(50)]
    ours = packed(tmp_path / "ours.parquet", records)
    table = pq.read_table(ours).replace_schema_metadata(pq.read_metadata(ours).metadata)
    archive = tmp_path / "a.parquet"
    pq.write_table(table, archive, row_group_size=30)
    monkeypatch.setattr(sys.modules["handrec.archive.read"], "WINDOW", 4)
    monkeypatch.setattr(archived, "TIMES", 3)
    same(lines(*map(writing.plain, records)), archive)
    (chunk,) = cut(Input("a", archive))
    spans = [piece.data for piece in chunk.pieces]
    assert all(isinstance(span, Span) for span in spans)
    assert [(span.group, span.start, span.stop) for span in spans if isinstance(span, Span)] == [
        (0, 0, 12),
        (0, 12, 24),
        (0, 24, 30),
        (1, 0, 12),
        (1, 12, 20),
    ]
    halves = [half for piece in chunk.pieces for half in piece.halves]
    assert len(halves) == 10
    assert plain(judge(Chunk(0, tuple(halves)))) == plain(judge(chunk))


def find(key: str) -> Game:
    """A game."""
    game = games.find(key)
    assert game is not None
    return game


@archives
def test_a_damaged_archive_is_judged_where_it_can_be(tmp_path: Path) -> None:
    """What is wrong is told with its row; row groups after a damaged one, and rows after a foul one, are judged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [deal_game(find("bridge"), 4, seed, numbers=[1]) for seed in range(12)]
    ours = packed(tmp_path / "ours.parquet", records)
    table, meta = pq.read_table(ours), pq.read_metadata(ours).metadata
    rows = table.to_pylist()
    rows[9]["deals"][0]["rest"] = "{"
    rows[10]["options"] = '{"a":1,"a":1}'
    archive = tmp_path / "a.parquet"
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema.with_metadata(meta)), archive, row_group_size=4)
    data = bytearray(archive.read_bytes())
    column = pq.read_metadata(archive).row_group(1).column(0)
    start = min(filter(None, (column.dictionary_page_offset, column.data_page_offset)))
    data[start : start + column.total_compressed_size] = b"\xff" * column.total_compressed_size
    archive.write_bytes(data)
    whole = Input("a", archive), Input("a", data=bytes(data))  # as it lies there, and as it comes through a pipe
    told = [merged(map(judge, cut(each))) for each in whole]
    assert [(row[1], row[5]) for row in told[0]["findings"]] == [(5, "FMT001"), (10, "FMT001"), (11, "FMT001")]
    assert told[0]["totals"][:2] == [9, 6]
    assert [(row[1], row[5]) for row in told[1]["findings"]] == [(5, "FMT001")]
    pq.write_table(table.slice(0, 9).replace_schema_metadata(meta), archive)
    assert [(row[1], row[5]) for row in merged(map(judge, cut(Input("a", archive))))["findings"]] == [(10, "FMT001")]
    for bad in (b"PAR1", b"PAR1" + bytes(data[4:-40]), bytes(data[:-3000])):
        archive.write_bytes(bad)
        assert [row[5] for row in merged(map(judge, cut(Input("a", archive))))["findings"]] == ["FMT001"]


@archives
@pytest.mark.parametrize("where", ["sifted", "columns._lines", "columns._turns"])
def test_a_fault_of_ours_in_columns_changes_nothing(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the columns cannot be told, the records are read: slower, never different."""
    records = [deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed == 2 else None) for seed in range(5)]
    archive = packed(tmp_path / "a.parquet", records)
    due, asked = judge(cut(Input("a", archive))[0]), []
    monkeypatch.setattr(f"handrec.audit.archived.{where}", lambda *given: asked.append(given) or 1 / 0)
    assert plain(judge(cut(Input("a", archive))[0])) == plain(due)
    assert asked


@archives
def test_a_fault_of_ours_over_a_row_costs_that_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that cannot be read for a reason of ours is INT001, and the rows around it are judged."""
    from handrec.audit import archived

    def failing(made: Any, rows: Any) -> Any:
        assert 3 not in made.batch.column("record").to_pylist()
        return read(made, rows)

    read = archived.readings
    monkeypatch.setattr(archived, "readings", failing)
    archive = packed(tmp_path / "a.parquet", [deal_game(find("bridge"), 4, seed, numbers=[1]) for seed in range(7)])
    result = judge(cut(Input("a", archive))[0], sieve=False)
    assert [(row[1], row[5]) for row in result["findings"]] == [(4, "INT001")]
    assert result["totals"][:3] == [7, 6, 1]


@archives
def test_a_worker_that_cannot_find_an_archive_says_so(tmp_path: Path) -> None:
    """A file that is gone when its rows are to be read, or that has other rows, is no fault of any record."""
    archive = packed(tmp_path / "a.parquet", [deal_game(find("bridge"), 4, 1, numbers=[1])])
    gone = cut(Input("a", archive))
    archive.unlink()
    (row,) = judge(gone[0])["findings"]
    assert (row[5], row[1]) == ("INT001", 1)
    assert "no such file" in row[-1]


def regrouped(path: Path, records: list[Record], rows: int) -> None:
    """An archive with so many rows in a row group."""
    import pyarrow.parquet as pq

    packed(path, records)
    table, meta = pq.read_table(path).sort_by("record"), pq.read_metadata(path).metadata
    pq.write_table(table.replace_schema_metadata(meta), path, row_group_size=rows)


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Some chunks of deals with faults, and deals that stand twice, as lines, and as an archive of several row groups."""
    records = [deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed % 5 == 0 else None) for seed in range(16)]
    records = [
        each.model_copy(update={"extensions": {"much": str(number) * 60_000}}) for number, each in enumerate(records + records)
    ]
    folder = tmp_path_factory.mktemp("both")
    source, archive = folder / "games.jsonl", folder / "games.parquet"
    source.write_bytes(lines(*map(writing.plain, records)))
    regrouped(archive, records, 4)
    assert len(cut(Input("a", source))) > 1
    assert len(cut(Input("a", archive))) > 1
    return source, archive


@archives
@pytest.mark.skipif(not find_spec("fsspec"), reason="needs the extra `dask`")
def test_every_way_to_an_archive_gives_the_same_bytes(both: tuple[Path, Path], tmp_path: Path) -> None:
    """Lines and archive, as a file and as a URL, by one worker and two, resumed: the same, to the byte, but for its name.

    Rows have no columns of text.
    """
    source, archive = both
    url, state = archive.as_uri(), tmp_path / "state"
    told, found = [], []
    for number, (path, *rest) in enumerate(
        [(source, "--jobs", "1"), (archive, "--jobs", "2", "--resume", state), (archive, "--resume", state), (url, "--jobs", "1")]
    ):
        out = tmp_path / f"{number}.jsonl"
        told.append(audited(path, *rest, "-o", out))
        found.append(re.sub('"column":[0-9]+', '"column":1', out.read_text("utf-8").replace(str(path), "games")))
    assert told[1] == told[2]
    assert len({text.split("Worst")[0] for text in told}) == 1
    assert found[0] == found[1] == found[2] == found[3]
    assert Counter(json.loads(line)["code"] for line in found[0].splitlines()) == {"REV001": 8, "DUP001": 16}


@archives
@pytest.mark.skipif(not find_spec("fsspec"), reason="needs the extra `dask`")
def test_urls_are_read_as_files_are(both: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever fsspec opens is cut and judged; what changes in it changes its identity; what is not there is told in a line."""
    import fsspec

    _, archive = both
    memory = fsspec.filesystem("memory")
    memory.pipe("/games/a.parquet", archive.read_bytes())
    memory.pipe("/games/b.jsonl", lines(dealt("bridge", 1)))
    found = [Input(each.url, url=each.url) for each in sources(["memory://games/"], whole=False) if each.url]
    assert [each.name for each in found] == ["memory:///games/a.parquet", "memory:///games/b.jsonl"]
    url = found[0]
    assert url.size == archive.stat().st_size
    assert told_without_names(merged(map(judge, cut(url)))) == told_without_names(merged(map(judge, cut(Input("a", archive)))))
    assert judge(cut(found[1])[0])["totals"][0] == 1
    before = url.identity
    assert url.identity == before
    memory.pipe("/games/a.parquet", b"PAR1")
    assert url.identity != before
    assert [row[5] for row in judge(cut(url)[0])["findings"]] == ["FMT001"]
    memory.rm("/games", recursive=True)
    for path, why in (
        ("memory://games/a.parquet", "no such file or directory"),
        ("memory://none/", "there is no record in this directory"),
        ((tmp_path / "no.parquet").as_uri(), "no such file or directory"),
        ("strange://x/a.parquet", "protocol not known"),
    ):
        assert run(["audit", path]) == 2
        said = capsys.readouterr().err
        assert said.startswith(f"handrec: {path}: {why}")
        assert said.count("\n") == 1


def told_without_names(result: Result) -> Any:
    """What came of something, but for the file's name."""
    shown = [row[3:-1] for row in result["findings"]]
    return [result["totals"], result["tallies"], shown, [block[1:] for block in result["deals"]]]


@pytest.mark.parametrize(("missing", "url"), [("fsspec", "s3://x/a.parquet"), ("s3fs", "s3://x/a.parquet")])
def test_what_a_url_needs_is_named(
    missing: str, url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line says which package is not installed."""
    for name in [name for name in sys.modules if name.split(".")[0] == missing]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, missing, None)
    assert run(["audit", url]) == 2
    said = capsys.readouterr().err
    assert "fsspec" in said if missing == "fsspec" or not find_spec("fsspec") else "s3fs" in said
    assert said.count("\n") == 1


def test_jobs_sieve_and_kills_change_no_byte(archive: Path, tmp_path: Path) -> None:
    """One worker, two, none but the referee, and an audit killed three times and resumed: the same, to the byte."""
    state = tmp_path / "audit.state"
    once = audited(archive, "--jobs", "1", "--out", tmp_path / "1.jsonl", "--db", tmp_path / "1.sqlite")
    twice = audited(archive, "--jobs", "2", "--no-sieve", "--out", tmp_path / "2.jsonl", "--db", tmp_path / "2.sqlite")
    for reached in (2, 5, 8):
        kill_at(reached, state, archive)
    again = audited(archive, "--jobs", "2", "--resume", state, "--out", tmp_path / "3.jsonl", "--db", tmp_path / "3.sqlite")
    assert once == twice == again
    for kind in ("jsonl", "sqlite"):
        assert len({(tmp_path / f"{which}.{kind}").read_bytes() for which in "123"}) == 1
    with archive.open("ab") as file:
        file.write(b"{}\n")
    audited(archive, "--resume", state, code=2)


def kill_at(reached: int, state: Path, archive: Path) -> None:
    """Begin or resume an audit, and kill it when so many chunks are in its journal."""
    command = [sys.executable, "-m", "handrec", "audit", str(archive), "--jobs", "1", "--resume", str(state)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not (state.exists() and state.read_bytes().count(b"\n") > reached):
        time.sleep(0.002)
    process.kill()
    assert process.wait() == -signal.SIGKILL
    assert reached <= state.read_bytes().count(b"\n") - 1 < 12


def test_a_record_over_which_a_worker_dies_stops_nothing(tmp_path: Path) -> None:
    """A game whose rules fail, and one that kills whoever looks at it: a finding each, and exit code 3; no other row is lost."""
    folder = tmp_path / "installed"
    (folder / "traps-1.dist-info").mkdir(parents=True)
    (folder / "traps-1.dist-info" / "METADATA").write_text("Name: traps\nVersion: 1\n")
    points = "[handrec.games]\nfailing = failing:GAME\ndeadly = deadly:GAME\n"
    (folder / "traps-1.dist-info" / "entry_points.txt").write_text(points)
    (folder / "failing.py").write_text("raise ValueError('a bug')")
    (folder / "deadly.py").write_text("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)")
    good, bad = dealt("bridge", 1), dealt("bridge", 2, "REV001")
    games = [good, {**good, "game": "failing"}, bad, {**good, "game": "deadly"}, dealt("bridge", 3)]
    path = tmp_path / "games.jsonl"
    path.write_bytes(lines(*games))
    paths = [path]
    if find_spec("pyarrow"):  # all rows in one group
        paths.append(tmp_path / "games.parquet")
        regrouped(paths[1], [Record.model_validate(each) for each in games], len(games))
    traps = {"PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"}
    for each in paths:
        told = audited(each, "--jobs", "2", "-o", tmp_path / f"{each.name}.jsonl", code=3, **traps)
        found = [(one["line"], one["code"]) for one in rows(tmp_path / f"{each.name}.jsonl")]
        assert found == [(2, "INT001"), (3, "REV001"), (4, "INT001"), (2, "DUP002")]
        assert "Audited 5 records" in told


def renamed_by(seats: dict[str, str], value: Any) -> Any:
    """The same with other names of seats, its objects written in another order."""
    if isinstance(value, dict):
        kept = {key: value[key] for key in ("bid", "trump") if key in value}  # a suit, though a seat may be called so
        return {seats.get(key, key): renamed_by(seats, item) for key, item in reversed(value.items())} | kept
    if isinstance(value, list):
        return [renamed_by(seats, item) for item in value]
    return seats.get(value, value) if isinstance(value, str) else value


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


def test_lines_that_are_no_records() -> None:
    """Broken lines are findings with their places, and those after them are judged."""
    good = lines(dealt("bridge", 1))
    data = b"\xff\xfe\n" + good + b'{"a":1,"a":2}\n\n[[[\n' + b"[" * 100_000 + b"\n" + good[:-20] + b"\n" + good
    result = judge(cut(Input("x.jsonl", data=data))[0])
    assert result["totals"][:3] == [7, 2, 5]
    assert {row[1] for row in result["findings"]} == {1, 3, 5, 6, 7}
    torn = judge(cut(Input("x.jsonl.gz", data=gzip.compress(data)[:-30]))[0])
    assert any("damaged or cut off" in row[-1] for row in torn["findings"])


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


def test_a_closed_pipe_ends_it_quietly() -> None:
    """As with every command, the exit code is that of a closed pipe."""
    reading, writing_ = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "handrec", "audit", str(sorted((FIXTURES / "clean").rglob("*.json"))[0])]
    done = subprocess.run(command, stdout=writing_, stderr=subprocess.PIPE, check=False, cwd=ROOT)
    os.close(writing_)
    assert done.returncode in (-signal.SIGPIPE, 141)
    assert b"Traceback" not in done.stderr


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


@pytest.mark.long
@pytest.mark.skipif(not (find_spec("distributed") and find_spec("pyarrow")), reason="needs the extras `dask` and `archive`")
@pytest.mark.parametrize("kind", ["lines", "file", "url"])
def test_dask_changes_no_byte(kind: str, archive: Path, tmp_path: Path) -> None:
    """A cluster of this machine, also when one of its workers is killed in mid-run; each worker opens an archive itself."""
    path: str | Path = archive
    if kind != "lines":
        path = tmp_path / "games.parquet"
        records = [
            deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed % 5 == 0 else None) for seed in range(50)
        ]
        regrouped(path, records * 22, 1)
        path = path.as_uri() if kind == "url" else path
    alone = audited(path, "--out", tmp_path / "1.jsonl")
    assert audited(path, "--engine", "dask", "--jobs", "2", "--out", tmp_path / "2.jsonl") == alone
    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    state = tmp_path / "state"
    command = [sys.executable, "-m", "handrec", "audit", str(path), "--engine", "dask", "--jobs", "2", "--resume", str(state)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and not (state.exists() and state.read_bytes().count(b"\n") > 2):
        time.sleep(0.002)
    workers = [each for child in children(process.pid) for each in children(child)] or children(process.pid)
    assert process.poll() is None
    assert workers
    os.kill(workers[0], signal.SIGKILL)
    said, _ = process.communicate(timeout=600)
    assert process.returncode == 1
    assert said == alone


def children(process: int) -> list[int]:
    """The processes that a process has begun and that run Dask's workers."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(path.read_text().rsplit(")", 1)[1].split()[1])
            if parent == process and b"spawn_main" in (path.parent / "cmdline").read_bytes():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found
