"""What is kept of tables that are followed, in SQLite: each line that was answered, its answer, and now and then a snapshot.

A line is on the disk before its answer is given, and no number of a table is given twice. So whoever has the file can go on where
another ended; and where two processes take lines for one table, only one of them can keep the next line: the other finds that its
own copy of the table is behind, and has it again from here.

==========  =========================================================================================================
table       holds
==========  =========================================================================================================
lines       place (the name of a table), n, line and answer (JSON), taken (whether the table was changed by it)
snapshots   place, n (of the last line in it), data: written when so many lines were taken since the last as before it,
            so that no line costs more because the game is long
==========  =========================================================================================================
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

#: How SQLite knows a file as one of these, and the number of its layout.
APPLICATION, LAYOUT = 0x68726563, 1
#: The name of the file in a folder.
FILE = "tables.sqlite"
#: Seconds to wait for another process that is writing.
PATIENCE = 60

SCHEMA = f"""
CREATE TABLE lines (place TEXT, n INTEGER, line TEXT NOT NULL, answer TEXT NOT NULL, taken INTEGER NOT NULL,
                    PRIMARY KEY (place, n)) WITHOUT ROWID;
CREATE TABLE snapshots (place TEXT PRIMARY KEY, n INTEGER NOT NULL, data BLOB NOT NULL) WITHOUT ROWID;
PRAGMA application_id = {APPLICATION};
PRAGMA user_version = {LAYOUT};
"""


class Behind(Exception):
    """Another line has this number: what is known of the table here is not all."""


class NotKept(OSError):
    """The state cannot be read or written; the text says why."""


class Answered(NamedTuple):
    """A line that was answered, and its answer, as JSON; whether the table was changed by it."""

    line: str
    answer: str
    taken: bool


class KeptTable(NamedTuple):
    """What a table can be laid from: its last snapshot, the numbers of the first line kept and of the last in the snapshot, and
    the lines since that changed it."""

    snapshot: bytes | None
    since: int
    at: int
    lines: list[str]


class State:
    """The lines of all tables: in a file, or in a folder as the file `tables.sqlite`; without a path, as long as this is open.

    Everything raises `NotKept` where the file is no state, is damaged, or finds no room.
    """

    def __init__(self, path: Path | None = None) -> None:
        if path is not None and path.is_dir():
            path = path / FILE
        if path is not None and (path.is_symlink() or (path.exists() and not path.is_file())):
            raise NotKept("it is no file of its own")
        with _on_disk():
            self.base = sqlite3.connect(path or "", timeout=PATIENCE, isolation_level=None)
            try:
                self._begin(path)
            except BaseException:
                self.base.close()
                raise

    def _begin(self, path: Path | None) -> None:
        if path is None:
            self.base.executescript(f"PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; {SCHEMA}")
            return
        with self._written():  # two processes may begin it at once
            if not self._pragma("schema_version"):
                for statement in filter(str.strip, SCHEMA.split(";")):
                    self.base.execute(statement)
            if self._pragma("application_id") != APPLICATION:
                raise NotKept("it is a database of something else")
            if (layout := self._pragma("user_version")) != LAYOUT:
                raise NotKept(f"it is of another version of handrec (layout {layout}, and {LAYOUT} is known here)")
        self._keep_a_log()
        self.base.execute("PRAGMA synchronous=FULL")

    def _keep_a_log(self) -> None:
        """Have SQLite write ahead; it does not wait for another process that asks for the same just now."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                self.base.execute("PRAGMA journal_mode=WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > until:
                    raise
                time.sleep(0.01)

    def _pragma(self, name: str) -> int:
        return int(self.base.execute(f"PRAGMA {name}").fetchone()[0])

    @contextmanager
    def _written(self) -> Iterator[None]:
        """A transaction that writes."""
        self.base.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.base.execute("COMMIT")
        except BaseException:
            if self.base.in_transaction:
                self.base.execute("ROLLBACK")
            raise

    def last(self, place: str) -> int:
        """The number of the last line of a table; 0 if there is none."""
        with _on_disk():
            found = self.base.execute("SELECT n FROM lines WHERE place = ? ORDER BY n DESC LIMIT 1", [place]).fetchone()
        return found[0] if found else 0

    def answered(self, place: str, n: int) -> Answered | None:
        """A line of a table with its answer, if it is still kept."""
        with _on_disk():
            found = self.base.execute("SELECT line, answer, taken FROM lines WHERE place = ? AND n = ?", [place, n]).fetchone()
        return Answered(found[0], found[1], bool(found[2])) if found else None

    def kept(self, place: str) -> tuple[int, KeptTable]:
        """The number of the last line of a table, and what it can be laid from, as they are at one moment."""
        with _on_disk():
            self.base.execute("BEGIN")
            try:
                first, last = self.base.execute("SELECT min(n), max(n) FROM lines WHERE place = ?", [place]).fetchone()
                at, data = self.base.execute("SELECT n, data FROM snapshots WHERE place = ?", [place]).fetchone() or (0, None)
                query = "SELECT line FROM lines WHERE place = ? AND n > ? AND taken ORDER BY n"
                lines = [line for (line,) in self.base.execute(query, [place, at])]
            finally:
                self.base.execute("COMMIT")
        return last or 0, KeptTable(data, first or 0, at, lines)

    def put(self, place: str, n: int, said: Answered, *, snapshot: bytes | None = None, afresh: bool = False) -> None:
        """Keep a line and its answer, and a snapshot if there is one; `afresh` nothing of the table before it.

        It is on the disk when this returns. Raises `Behind` if the table has a line of this number.
        """
        with _on_disk(), self._written():
            try:
                self.base.execute("INSERT INTO lines VALUES (?, ?, ?, ?, ?)", [place, n, *said])
            except sqlite3.IntegrityError:
                raise Behind from None
            if afresh:
                self.base.execute("DELETE FROM lines WHERE place = ? AND n < ?", [place, n])
                self.base.execute("DELETE FROM snapshots WHERE place = ?", [place])
            if snapshot is not None:
                self.base.execute("INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?)", [place, n, snapshot])

    def places(self) -> list[str]:
        """The names of all tables, sorted."""
        with _on_disk():
            return [place for (place,) in self.base.execute("SELECT DISTINCT place FROM lines ORDER BY place")]

    def close(self) -> None:
        """Let it go."""
        self.base.close()


@contextmanager
def _on_disk() -> Iterator[None]:
    """Make it `NotKept` if the file cannot be read or written."""
    try:
        yield
    except sqlite3.Error as error:
        if isinstance(error, sqlite3.ProgrammingError):  # our own fault
            raise
        raise NotKept(str(error)) from None
