"""Audits of archives: columns say what their lines say, and what is foul in a file costs nothing else in it."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from handrec import games, writing
from handrec.audit import Chunk, Input, Result, Span, Store, judge
from handrec.audit.result import merged
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.record import Record
from tests.auditing import archives, cut, dealt, find, lines, packed, plain, renamed_by
from tests.dealing import GAMES


def told(result: Result) -> Any:
    """What came of something, but for the columns of a text; rows of an archive have none."""
    return plain(result) | {"findings": [row[:2] + row[3:] for row in result["findings"]]}


def unit_of_work() -> Any:
    """The module of `verdicts`, which every engine runs."""
    return import_module("handrec.archive.verdicts")


def same(source: bytes, archive: Path, *sieves: bool) -> Result:
    """The result of an archive, which must be that of its lines, with the sieve and without."""
    due = merged(map(judge, cut(Input("a", data=source, format="jsonl"))))
    for sieve in sieves or (True, False):
        assert told(merged(judge(chunk, sieve) for chunk in cut(Input("a", archive)))) == told(due)
    return due


@pytest.mark.some(1)
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
    unit, asked = unit_of_work(), []
    read = unit.readings
    monkeypatch.setattr(unit, "readings", lambda made, rows: asked.append(int(rows.sum())) or read(made, rows))
    records = [dealt("bridge", seed, "REV001" if seed in (3, 7) else None) for seed in range(40)]
    for number, record in enumerate(records):
        record["players"] = [{"seat": each["seat"], "name": f"{each['seat']}{number % 3}"} for each in record["players"]]
    records[5]["deals"][0]["comments"] = [{"text": "columns do not tell it"}]
    result = same(lines(*records), packed(tmp_path / "a.parquet", [Record.model_validate(each) for each in records]), True)
    assert asked == [3]
    assert sorted(result["tallies"]["player"]) == [f"{seat}{number}" for seat in "ENSW" for number in range(3)]


@pytest.mark.some(4)
@archives
@pytest.mark.parametrize("key", [game.key for game in GAMES])
def test_deals_twice_in_lines_and_in_an_archive(key: str, tmp_path: Path) -> None:
    """The same deal in a file of lines and in an archive is found; so is one with another score, under other seat names."""
    game = games.find(key)
    assert game is not None
    record = writing.plain(deal_game(game, min(4, max(game.players)), 1))
    deal = next(each for each in record["deals"] if sum(map(len, each["hands"].values())) >= 16)
    record["deals"], record["status"] = [deal], "excerpt"
    seats = [each["seat"] for each in record["players"]]
    sides = {f"{one}{two}": f"x{one}+x{two}" for one, two in (seats[0::2], seats[1::2])} if game.partners else {}
    again = renamed_by({seat: f"x{seat}" for seat in seats} | sides, record)
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


@archives
def test_a_damaged_archive_is_judged_where_it_can_be(tmp_path: Path) -> None:
    """What is wrong is told with its row; row groups after a damaged one, and rows after a foul one, are judged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    records = [deal_game(find("bridge"), 4, seed, numbers=[1]) for seed in range(12)]
    ours = packed(tmp_path / "ours.parquet", records)
    table, meta = pq.read_table(ours), pq.read_metadata(ours).metadata
    rows = table.to_pylist()
    rows[9]["deals"][0]["script"] = "{"
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
@pytest.mark.parametrize("where", ["verdicts sifted", "verdicts sift", "digested _hands"])
def test_a_fault_of_ours_in_columns_changes_nothing(where: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the columns cannot be told, the records are read: slower, never different, and it is told."""
    records = [deal_game(find("bridge"), 4, seed, numbers=[1], inject="REV001" if seed == 2 else None) for seed in range(5)]
    archive = packed(tmp_path / "a.parquet", records)
    due, asked = judge(cut(Input("a", archive))[0]), []
    module, name = where.split()
    monkeypatch.setattr(import_module(f"handrec.archive.{module}"), name, lambda *given: asked.append(given) or 1 / 0)
    result = judge(cut(Input("a", archive))[0])
    assert result.pop("failures") == {"sieve: ZeroDivisionError": 1}
    assert due.pop("failures") == {}
    assert plain(result) == plain(due)
    assert asked


@archives
def test_a_fault_of_ours_over_a_row_costs_that_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that cannot be read for a reason of ours is INT001, and the rows around it are judged."""
    unit = unit_of_work()

    def failing(made: Any, rows: Any) -> Any:
        assert 3 not in made.batch.column("record").to_pylist()
        return read(made, rows)

    read = unit.readings
    monkeypatch.setattr(unit, "readings", failing)
    archive = packed(tmp_path / "a.parquet", [deal_game(find("bridge"), 4, seed, numbers=[1]) for seed in range(7)])
    result = judge(cut(Input("a", archive))[0], quick=False)
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
