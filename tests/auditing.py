"""Inputs of audits for tests: records, lines, archives, chunks."""

from __future__ import annotations

import json
from concurrent.futures import Future
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from handrec import games, writing
from handrec.audit import Chunk, Input, Result, chunks, judge
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.record import Record

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


class Here:
    """An audit's worker in this process: what breaks there shows here."""

    width, broken = 1, ()

    def submit(self, chunk: Chunk) -> Future[Result]:
        """What comes of a chunk, at once."""
        done: Future[Result] = Future()
        done.set_result(judge(chunk))
        return done

    def close(self) -> None:
        """There is nothing to end."""


def lines(*records: dict[str, Any]) -> bytes:
    """Records as JSON Lines."""
    return "".join(map(writing.line, records)).encode()


def chunks_of_lines() -> bytes:
    """Some chunks of records: a few that can be read, with faults and without, among lines that cannot."""
    good = [lines(dealt("bridge", seed, "REV001" if seed % 3 == 0 else None)) for seed in range(12)]
    return b"".join(good[number // 250 % 12] if number % 250 == 0 else b'{"n":%d}\n' % number for number in range(3000))


def find(key: str) -> Game:
    """A game."""
    game = games.find(key)
    assert game is not None
    return game


def rows(path: Path) -> list[dict[str, Any]]:
    """The findings of a file of JSON Lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def renamed_by(seats: dict[str, str], value: Any) -> Any:
    """The same with other names of seats, its objects written in another order."""
    if isinstance(value, dict):
        kept = {key: value[key] for key in ("bid", "trump") if key in value}  # a suit, though a seat may be called so
        return {seats.get(key, key): renamed_by(seats, item) for key, item in reversed(value.items())} | kept
    if isinstance(value, list):
        return [renamed_by(seats, item) for item in value]
    return seats.get(value, value) if isinstance(value, str) else value


archives = pytest.mark.skipif(not find_spec("pyarrow"), reason="needs the extra `archive`")


def packed(path: Path, records: list[Record]) -> Path:
    """An archive of some records."""
    from handrec.archive import write

    path.write_bytes(b"".join(write(records)))
    return path


def regrouped(path: Path, records: list[Record], rows: int) -> None:
    """An archive with so many rows in a row group."""
    import pyarrow.parquet as pq

    packed(path, records)
    table, meta = pq.read_table(path).sort_by("record"), pq.read_metadata(path).metadata
    pq.write_table(table.replace_schema_metadata(meta), path, row_group_size=rows)


class Inline:
    """An engine that judges in this process: what it does is no concern of the test."""

    width, broken = 1, ()

    def __init__(self, jobs: int, quick: bool = True) -> None:
        self.quick = quick

    def submit(self, chunk: Chunk) -> Future[Result]:
        """What came of a chunk, at once."""
        future: Future[Result] = Future()
        future.set_result(judge(chunk, self.quick))
        return future

    def renew(self) -> None:
        """There is nothing that breaks."""

    def close(self) -> None:
        """There is nothing to end."""
