"""`handrec follow`: lines of JSON on standard input, each answered on standard output before the next one is read."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO

from handrec import writing
from handrec.cli.common import complain
from handrec.cli.errors import CommandError, reason
from handrec.cli.folder import ready
from handrec.limits import MAX_BYTES
from handrec.live.following import LiveTables
from handrec.live.lines import No
from handrec.live.state import NotKept, State
from handrec.record import Record
from handrec.report.safe import safe

_PIECE = 2**16


def run(note: bool, state: str | None, output: str | None) -> int:
    """Follow tables until the input ends; returns 2 where a record could not be written, 128 and a signal's number after one."""
    folder = None if output is None else Path(output)
    if folder is not None:
        ready(folder)
    try:
        kept = State(None if state is None else Path(state))
    except NotKept as error:
        raise CommandError(f"{safe(state, 300)}: {error}") from None
    with closing(kept):
        tables = LiveTables(kept, note=note, closed=None if folder is None else partial(_put, folder))
        code = _followed(tables)
        trouble = folder is not None and _written(tables, folder)
        return code or (2 if trouble else 0)


class _Ended(Exception):
    """A signal says that this is the end."""


class _Ends:
    """What ends the reading: a signal while a line is awaited does at once, any other when its line has been answered."""

    def __init__(self) -> None:
        self.number, self.awaited = 0, False

    def __call__(self, number: int, frame: Any) -> None:
        self.number = number
        if self.awaited:
            raise _Ended

    def lines(self, stream: BinaryIO) -> Iterator[bytes]:
        """The lines of a stream, each without its end; of one that is too long, no more than shows it."""
        with suppress(_Ended):
            while True:
                self.awaited = True
                line = b"" if self.number else stream.readline(MAX_BYTES + 2)
                if len(line) > MAX_BYTES + 1:
                    while (more := stream.readline(_PIECE)) and not more.endswith(b"\n"):
                        pass
                self.awaited = False
                if not line:
                    return
                yield line.removesuffix(b"\n")


def _followed(tables: LiveTables) -> int:
    """Answer line by line, until there are no more or nobody takes the answers; the exit code."""
    ends = _Ends()
    before = {number: signal.signal(number, ends) for number in (signal.SIGTERM, signal.SIGINT)}
    if hasattr(signal, "SIGPIPE"):  # records are still to be written
        before[signal.SIGPIPE] = signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    try:
        for line in ends.lines(sys.stdin.buffer):
            sys.stdout.write(tables.answer(line))
            sys.stdout.flush()
    except BrokenPipeError:  # told as others do, when the records are written
        ends.number = signal.SIGPIPE
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return 128 + ends.number if ends.number else 0


def _put(folder: Path, name: str, since: int, record: Record) -> None:
    """Write a record under the name of its table, and from the table's second game on the number of the line that opened it.

    One that is there already, just so, is left. Raises OSError.
    """
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}{'' if since == 1 else f'@{since}'}.handrec.json"
    text = writing.dumps(record)
    if not (path.is_file() and not path.is_symlink() and path.read_bytes() == text.encode()):
        writing.write(path, text, clobber=False)


def _written(tables: LiveTables, folder: Path) -> bool:
    """Write the records of all games that are open; whether one could not be."""
    trouble = False
    for name in tables.names():
        try:
            if (found := tables.record(name)) is not None:
                _put(folder, name, *found)
        except (OSError, No) as error:
            complain(name, f"{reason(error)}; its record was not written")
            trouble = True
    return trouble
