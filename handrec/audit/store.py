"""What an audit found, folded into an SQLite database on disk, so that memory does not grow with the archive.

With `audit --db` the database is kept. Texts in it are safe to show: what cannot be seen is written as an escape.

=========  ==================================================================================================================
table      holds
=========  ==================================================================================================================
about      name, value: `layout` (the number of this layout) and `handrec` (the version that wrote it)
totals     one row: records, deals, faulty (records with errors or warnings), errors, warnings, notes, duplicates
tallies    kind (code, game, options, player), key, and the numbers of `totals`: for a code those of the records and deals in
           which it was found; for a player, records and deals in which they sat, and the findings at their seat
records    a row for each record with findings: path, line, record (its id, or its place), game, deals, errors, warnings, notes
           (of what is found by comparing records only where nothing else was found)
findings   path, line, column, record, game, code, rule, severity, level, deal, trick, seat, pointer, message
failures   way (fast path, sieve, and with what error), times: how often a fast way of judging failed, so that the referee judged
deals      a row for each deal with known hands: path, line, number, game, hands (digest of the cards of every seat, 16
           bytes), played (digest of what was done and written down, 16 bytes)
=========  ==================================================================================================================
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from handrec import __version__
from handrec.audit.result import KINDS, NUMBERS, Result
from handrec.findings import Finding
from handrec.formats import UNREADABLE
from handrec.referee import FORM
from handrec.report.audit import FINDING, Audit, AuditTable
from handrec.writing import placed

LAYOUT = 4

_COUNTS = ", ".join(f"{name} INTEGER NOT NULL" for name in NUMBERS)
SCHEMA = f"""
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE totals ({_COUNTS}, duplicates INTEGER NOT NULL);
CREATE TABLE tallies (kind TEXT, key TEXT, {_COUNTS}, PRIMARY KEY (kind, key)) WITHOUT ROWID;
CREATE TABLE failures (way TEXT PRIMARY KEY, times INTEGER NOT NULL);
CREATE TABLE records (id INTEGER PRIMARY KEY, path TEXT, line INTEGER, record TEXT, game TEXT, deals INTEGER, errors INTEGER,
                      warnings INTEGER, notes INTEGER);
CREATE TABLE findings (id INTEGER PRIMARY KEY, path TEXT, line INTEGER, "column" INTEGER, record TEXT, game TEXT, code TEXT,
                       rule TEXT, severity TEXT, level TEXT, deal INTEGER, trick INTEGER, seat TEXT, pointer TEXT, message TEXT);
CREATE TABLE deals (id INTEGER PRIMARY KEY, path TEXT, line INTEGER, number INTEGER, game TEXT, hands BLOB, played BLOB);
"""

#: Every deal whose cards came before, with the deal it repeats: the first of the same play and score, else the first of all.
AGAIN = """
CREATE TEMP TABLE again AS SELECT *, iif(same < id, 'DUP001', 'DUP002') AS code, iif(same < id, same, first) AS before FROM (
  SELECT *, min(id) OVER (PARTITION BY hands, played) AS same, min(id) OVER (PARTITION BY hands) AS first FROM deals
  WHERE hands IN (SELECT hands FROM deals GROUP BY hands HAVING count(*) > 1))
WHERE id > first
"""
PAIRS = """
SELECT again.code, again.game, again.path, again.line, again.number, deals.path, deals.line, deals.number
FROM again JOIN deals ON deals.id = before ORDER BY
"""


@contextmanager
def _on_disk() -> Iterator[None]:
    """Make it an OSError if there is no room for a database, or its disk fails."""
    try:
        yield
    except sqlite3.OperationalError as error:
        kind = error.sqlite_errorname
        if kind == "SQLITE_FULL":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)) from None
        if kind.startswith(("SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_READONLY")):
            raise OSError(errno.EIO, str(error)) from None
        raise


class Store:
    """What has been found so far, in a temporary file of SQLite's, which is gone when it is closed or its process ends.

    What takes room on a disk raises OSError where there is none.
    """

    def __init__(self) -> None:
        self.claims = 0  # how many records say what hangs on other tables
        self.base = sqlite3.connect("", isolation_level=None)
        self.base.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-16384;" + SCHEMA)
        self.base.executemany("INSERT INTO about VALUES (?, ?)", [("layout", str(LAYOUT)), ("handrec", __version__)])
        self.base.execute(f"INSERT INTO totals VALUES ({', '.join('0' for _ in NUMBERS)}, 0)")

    @_on_disk()
    def add(self, result: Result) -> None:
        """Take what came of the next chunk."""
        self.claims += result["claims"]
        self.base.execute("BEGIN")
        self.base.execute(f"UPDATE totals SET {', '.join(f'{name} = {name} + ?' for name in NUMBERS)}", result["totals"])
        self._tally((kind, key, *numbers) for kind in KINDS for key, numbers in result["tallies"][kind].items())
        more = "ON CONFLICT (way) DO UPDATE SET times = times + excluded.times"
        self.base.executemany(f"INSERT INTO failures VALUES (?, ?) {more}", result["failures"].items())
        self._rows("records", result["records"])
        self._rows("findings", result["findings"])
        for path, lines, numbers, games, digests in result["deals"]:
            both = map(bytes.fromhex, digests)
            self._rows(
                "deals", ((path, *told, two[:16], two[16:]) for *told, two in zip(lines, numbers, games, both, strict=True))
            )
        self.base.execute("COMMIT")

    def _tally(self, rows: Any) -> None:
        marks = ", ".join("?" for _ in NUMBERS)
        more = ", ".join(f"{name} = {name} + excluded.{name}" for name in NUMBERS)
        self.base.executemany(f"INSERT INTO tallies VALUES (?, ?, {marks}) ON CONFLICT (kind, key) DO UPDATE SET {more}", rows)

    def _rows(self, table: str, rows: Any) -> None:
        wide = {"records": 8, "findings": len(FINDING), "deals": 6}[table]
        self.base.executemany(f"INSERT INTO {table} VALUES (NULL, {', '.join('?' * wide)})", rows)

    @_on_disk()
    def finish(self) -> None:
        """Find deals that stand twice: once, when all has been taken. Digests are compared on disk."""
        self.base.execute("CREATE INDEX by_hands ON deals (hands, played)")
        self.base.execute("BEGIN")
        self.base.execute(AGAIN)
        for code, game, path, line, number, other, at, which in self.base.execute(f"{PAIRS} again.id"):
            found = Finding(FORM[code], {"other": _place(other, at), "number": which}, deal=number)
            told = [code, None, found.severity, found.level, number, None, None, "", found.message]
            self._rows("findings", [[path, line or None, None, _place(path, line), game, *told]])
            weights = [found.severity == kind for kind in ("error", "warning", "info")]
            self._tally([("code", code, 1, 1, int(not weights[2]), *map(int, weights))])
            counts = dict(zip(("errors", "warnings", "notes"), weights, strict=True))
            more = ", ".join(f"{name} = {name} + {int(many)}" for name, many in counts.items())
            self.base.execute(f"UPDATE totals SET duplicates = duplicates + 1, {more}")
        self.base.execute("COMMIT")

    @property
    def totals(self) -> dict[str, int]:
        """The numbers of all records together."""
        row = self.base.execute("SELECT * FROM totals").fetchone()
        return dict(zip((*NUMBERS, "duplicates"), row, strict=True))

    @property
    def crashed(self) -> bool:
        """Whether we failed over a record."""
        return self.base.execute("SELECT 1 FROM tallies WHERE kind = 'code' AND key = 'INT001'").fetchone() is not None

    @property
    def judged(self) -> bool:
        """Whether anything could be checked of any record."""
        found = self.base.execute("SELECT kind, key FROM tallies WHERE kind IN ('game', 'code')")
        return any(kind == "game" or key not in UNREADABLE for kind, key in found)

    def findings(self) -> Iterator[dict[str, Any]]:
        """Every finding, as it stands in the table."""
        for row in self.base.execute("SELECT * FROM findings ORDER BY id"):
            yield dict(zip(FINDING, row[1:], strict=True))

    @_on_disk()
    def audit(self, by: str | None, top: int) -> Audit:
        """What a report shows: of each table so many rows, all of that one which is asked for."""
        kinds = KINDS if by is None else (by,)
        tallies = [self._table(kind, top if by is None else -1) for kind in kinds]
        worst = self.base.execute(
            "SELECT record, path, line, game, errors, warnings FROM records WHERE errors + warnings > 0"
            " ORDER BY errors DESC, warnings DESC, id LIMIT ?",
            [top],
        ).fetchall()
        twice = self.base.execute(f"{PAIRS} again.code, again.id LIMIT ?", [top]).fetchall()
        faulty = self.totals["faulty"]
        return Audit(
            self.totals,
            tuple(tallies),
            AuditTable(
                ("record", "place", "game", "errors", "warnings"), [(r, _place(p, n), *rest) for r, p, n, *rest in worst], faulty
            ),
            AuditTable(
                ("code", "place", "deal", "first at", "its deal"),
                [(code, _place(path, line), deal, _place(*other), which) for code, _, path, line, deal, *other, which in twice],
                self.totals["duplicates"],
            ),
            dict(self.base.execute("SELECT way, times FROM failures ORDER BY way").fetchall()),
        )

    def _table(self, kind: str, top: int) -> AuditTable:
        count = self.base.execute("SELECT count(*) FROM tallies WHERE kind = ?", [kind]).fetchone()[0]
        rows = self.base.execute(
            f"SELECT key, {', '.join(NUMBERS)} FROM tallies WHERE kind = ?"
            " ORDER BY errors DESC, warnings DESC, notes DESC, records DESC, key LIMIT ?",
            [kind, top],
        ).fetchall()
        return AuditTable((kind, *NUMBERS), rows, count)

    @_on_disk()
    def keep(self, path: Path) -> None:
        """Put the database in place, whole or not at all. FileExistsError if there is something already."""
        with placed(path, clobber=False) as made:
            self.base.execute("VACUUM INTO ?", [str(made)])

    def close(self) -> None:
        """Let it go."""
        self.base.close()


def _place(path: str, line: int | None) -> str:
    return f"{path}:{line}" if line else path
