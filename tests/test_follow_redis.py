"""The recipe of `handrec help live`: two workers, tables shared out by a real Redis server, one worker killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from handrec import writing
from handrec.live.following import LiveTables
from handrec.live.state import State
from tests.following import effective, fresh, numbered, record, said

ROOT = Path(__file__).parents[1]
SCRIPT = ROOT / "tests/follow_redis.py"
NAMES = [f"t{number}" for number in range(8)]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """The address of a server of its own, at a socket of this machine."""
    program = shutil.which("redis-server") or shutil.which("valkey-server")
    if program is None:
        pytest.skip("no Redis server is installed (Debian: redis-server)")
    pytest.importorskip("redis", reason="the client of Redis is not installed (pip install 'handrec[test]')")
    socket = tmp_path / "socket"
    command = [program, "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(tmp_path)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        for _ in range(600):
            if socket.exists():
                break
            time.sleep(0.05)
        yield f"unix://{socket}"
    finally:
        process.terminate()
        process.wait()


def worker(url: str, state: Path) -> subprocess.Popen[bytes]:
    """A worker, with the process that it follows tables with, in a group of their own."""
    follow = [sys.executable, "-m", "handrec", "follow", "--state", str(state)]
    return subprocess.Popen([sys.executable, str(SCRIPT), url, *follow], cwd=ROOT, start_new_session=True)


def sent(base: Any, names: list[str]) -> int:
    """Send the lines of a game to each table, tables at random; how many lines there are."""
    random, left = Random(0), {name: iter(numbered(name, "kbabs", 0, 1)) for name in names}
    count = 0
    while left:
        name = random.choice([*left])
        if (line := next(left[name], None)) is None:
            del left[name]
        else:
            count += 1
            base.xadd(f"lines:{zlib.crc32(name.encode()) % 8}", {"line": json.dumps(line)})
    return count


def answered(base: Any, count: int, patience: float = 120) -> list[Any]:
    """The answers, as soon as there are those to so many lines."""
    ends = time.monotonic() + patience
    while True:
        answers = [json.loads(fields[b"answer"]) for _, fields in base.xrange("answers")]
        if len({(answer["table"], answer["n"]) for answer in answers}) >= count or time.monotonic() > ends:
            return answers
        time.sleep(0.05)


def owners(base: Any) -> list[bytes]:
    """Which worker has each stream."""
    return [owner for number in range(8) if (owner := base.get(f"lines:{number}:owner"))]


def test_two_workers_one_of_them_killed(server: str, tmp_path: Path) -> None:
    """Every line has its answer, as one process would have given it, and no table lost anything."""
    import redis

    base: Any = redis.Redis.from_url(server)
    state = tmp_path / "tables.sqlite"
    workers = [worker(server, state) for _ in range(2)]
    try:
        ends = time.monotonic() + 60
        while (owned := sorted(Counter(owners(base)).values())) != [4, 4] and time.monotonic() < ends:
            time.sleep(0.1)
        assert owned == [4, 4]
        count = sent(base, NAMES)
        assert count // 4 <= len(answered(base, count // 4)) < count
        os.killpg(workers[0].pid, signal.SIGKILL)
        answers = answered(base, count)
    finally:
        for each in workers:
            with suppress(ProcessLookupError):
                os.killpg(each.pid, signal.SIGKILL)
            each.wait()
        base.close()
    told = {(answer["table"], answer["n"]): answer for answer in answers}
    assert all(told[answer["table"], answer["n"]] == answer for answer in answers)
    whole, again = fresh(), LiveTables(State(state))
    for name in NAMES:
        for line in numbered(name, "kbabs", 0, 1):
            assert told.pop((name, line["n"])) == said(whole, line)
        assert effective(said(again, {"table": name, "ask": "record"})["record"]) == effective(
            writing.plain(record("kbabs", 0, 1))
        )
    assert not told


def test_the_recipe_shown_is_the_one_tried() -> None:
    """Word for word."""
    shown = (ROOT / "handrec/help/live.md").read_text("utf-8").split("```python\n")[1].split("```")[0]
    assert shown in SCRIPT.read_text("utf-8")
    assert "xreadgroup" in shown
