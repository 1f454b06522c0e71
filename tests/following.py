"""What tests of `follow` have in common: records as lines, and lines through a process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from handrec import dealing, games, writing
from handrec.live.following import LiveTables
from handrec.live.state import State
from handrec.live.tables import AT_THE_END, LATER
from handrec.record import Record

Line = dict[str, Any]
ROOT = Path(__file__).parents[1]


def lines_of(record: Record, force: bool = True) -> Iterator[Line]:
    """What happens in a recorded game, line by line; what was written down of it comes when it is over."""
    data = writing.plain(record)
    deals, status = data["deals"], data.get("status", "complete")
    head = {key: value for key, value in data.items() if key not in ("deals", *AT_THE_END)}
    yield {"do": "open", "record": {**head, "status": "excerpt" if status == "excerpt" else "in_progress"}}
    forced = {"force": True} if force else {}
    for deal in deals:
        yield {"do": "deal", **{key: value for key, value in deal.items() if key not in ("events", *LATER)}, **forced}
        yield from ({**event, **forced} for event in deal.get("events", ()))
        yield {"do": "note", "status": "complete", **{key: deal[key] for key in LATER if key in deal}}
    yield {"do": "end", **{key: data[key] for key in AT_THE_END if key in data}, "status": status}


@cache
def record(game: str = "kbabs", seed: int = 0, deals: int = 2) -> Record:
    found = games.find(game)
    assert found is not None
    players = 4 if 4 in found.players else min(found.players)
    return dealing.deal_game(found, players, seed, numbers=range(1, deals + 1))


@cache
def lines(game: str = "kbabs", seed: int = 0, deals: int = 2) -> tuple[Line, ...]:
    return tuple(lines_of(record(game, seed, deals), force=False))


def numbered(name: str, *cases: Any) -> list[Line]:
    return [{"table": name, "n": n, **line} for n, line in enumerate(lines(*cases), 1)]


def effective(data: Line) -> Line:
    """A record with what it means where it states nothing; a version says no more than what is in it."""
    deals = [{"status": "complete", "events": [], **deal} for deal in data["deals"]]
    return {"status": "complete", **data, "deals": deals, "version": ""}


def said(tables: LiveTables, line: Any) -> Line:
    """The answer to a line."""
    answer = tables.answer(line if isinstance(line, bytes) else json.dumps(line).encode())
    assert answer.endswith("\n")
    assert answer.count("\n") == 1
    found: Line = json.loads(answer)
    return found


def fresh(**given: Any) -> LiveTables:
    """Tables of which nothing is known yet."""
    return LiveTables(State(), **given)


class Followed:
    """A process of `handrec follow`: each answer is read before the next line is sent."""

    def __init__(self, *arguments: str) -> None:
        command = [sys.executable, "-m", "handrec", "follow", *arguments]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT)

    def __call__(self, line: Line) -> Line:
        """The answer to a line; EOFError if none comes."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(json.dumps(line).encode() + b"\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer.endswith(b"\n"):
            raise EOFError
        found: Line = json.loads(answer)
        return found

    def ended(self) -> tuple[int, bytes]:
        """The exit code, when no more lines come, and what was said on standard error."""
        for stream in (self.process.stdin, self.process.stdout):
            with suppress(BrokenPipeError):
                assert stream is not None
                stream.close()
        assert self.process.stderr is not None
        with self.process.stderr as stream:
            errors = stream.read()
        return self.process.wait(), errors
