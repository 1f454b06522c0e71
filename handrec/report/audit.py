"""What an audit found, told: as text of 80 columns, JSON, Markdown, and a page; and its findings as rows.

All texts have been made safe where they were found; here they get the escapes of each format.
"""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from handrec import __version__
from handrec.report.json import compact
from handrec.report.layout import WIDTH, counted
from handrec.report.safe import columns
from handrec.report.safe import markdown as escaped

#: The columns of a finding.
FINDING = (
    *("path", "line", "column", "record", "game", "code", "rule", "severity", "level"),
    *("deal", "trick", "seat", "pointer", "message"),
)

#: Columns of numbers, which stand to the right.
RIGHT = {"records", "deals", "faulty", "errors", "warnings", "notes", "deal", "its deal"}

#: Columns of places: their ends tell most.
PLACES = {"place", "first at"}

TITLES = {
    "code": "Findings by code",
    "game": "By game",
    "options": "By game and options",
    "player": "By player (findings at their seat)",
}

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem}"
    "table{border-collapse:collapse;margin:0 0 1.5rem}th,td{padding:.15rem .7rem;border-bottom:1px solid #8886;text-align:left;"
    "overflow-wrap:anywhere;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}"
    ":root{color-scheme:light dark}"
)


@dataclass(frozen=True)
class AuditTable:
    """Rows with the names of their columns; `count` is how many there would be, were all of them shown."""

    heads: tuple[str, ...]
    rows: Sequence[Sequence[Any]]
    count: int

    @property
    def more(self) -> int:
        """How many rows are not shown."""
        return self.count - len(self.rows)


@dataclass(frozen=True)
class Audit:
    """What there is to be told: numbers, tables (the first column of each says by what), worst records, duplicates.

    `failures` says how often a fast way of judging failed, by which and with what error; `settings` in words what is set
    somewhere that may hide faults.
    """

    totals: dict[str, int]
    tallies: tuple[AuditTable, ...]
    worst: AuditTable
    duplicates: AuditTable
    failures: dict[str, int] = field(default_factory=dict)
    settings: tuple[str, ...] = ()

    @property
    def tables(self) -> list[tuple[str, AuditTable]]:
        """The tables that have rows, with their titles."""
        titled = [(TITLES[table.heads[0]], table) for table in self.tallies]
        titled += [("Worst records", self.worst), ("Deals recorded more than once", self.duplicates)]
        return [(title, table) for title, table in titled if table.rows]


def summary(audit: Audit) -> str:
    """The audit in a sentence or two."""
    total = audit.totals
    if not total["records"]:
        return "No record was audited." + _set(audit)
    line = f"Audited {counted(total['records'], 'record')} ({counted(total['deals'], 'deal')}): "
    line += f"{total['records'] - total['faulty']:,} clean"
    if total["faulty"]:
        line += f", {total['faulty']:,} with findings"
    weights = [counted(total[f"{kind}s"], kind) for kind in ("error", "warning", "note") if total[f"{kind}s"]]
    line += f"; {', '.join(weights)}." if weights else "."
    if total["duplicates"]:
        line += f"\n{counted(total['duplicates'], 'deal')} had the cards of an earlier one."
    for way, times in audit.failures.items():
        line += f"\n{fallen_back(way, times)}"
    return line + _set(audit)


def _set(audit: Audit) -> str:
    return f"\nSet elsewhere: {'; '.join(audit.settings)}." if audit.settings else ""


def fallen_back(way: str, times: int) -> str:
    """That a fast way of judging failed, which is a fault of ours and no fault of a record."""
    return f"A fast way of judging failed {counted(times, 'time')} ({way}); the referee judged instead, and its verdicts stand."


def text(audit: Audit) -> Iterator[str]:
    """The summary, and tables that fit a terminal."""
    yield f"{summary(audit)}\n"
    for title, table in audit.tables:
        yield f"\n{title}\n"
        rows = [table.heads, *([_cell(value) for value in row] for row in table.rows)]
        widths = _widths(table.heads, rows)
        for row in rows:
            cells = [_fit(cell, width, head) for cell, width, head in zip(row, widths, table.heads, strict=True)]
            yield "  " + "  ".join(cells).rstrip() + "\n"
        if table.more:
            yield f"  … and {table.more:,} more\n"


def _widths(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> list[int]:
    """Columns as wide as their cells; the widest words give way where a line would be too long."""
    widths = [max(columns(row[place]) for row in rows) for place in range(len(heads))]
    words = [place for place, head in enumerate(heads) if head not in RIGHT]
    while sum(widths) + 2 * len(widths) > WIDTH:
        widest = max(words, key=lambda place: widths[place])
        if widths[widest] <= 8:
            break
        widths[widest] -= 1
    return widths


def _fit(cell: str, width: int, head: str) -> str:
    """A cell as wide as its column; of a place the beginning is cut."""
    if columns(cell) > width:
        kept = cell
        while columns(kept) >= width:
            kept = kept[1:] if head in PLACES else kept[:-1]
        cell = f"…{kept}" if head in PLACES else f"{kept}…"
    blank = " " * (width - columns(cell))
    return blank + cell if head in RIGHT else cell + blank


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def data(audit: Audit) -> Iterator[str]:
    """One JSON document: the numbers and tables, keys sorted, a row to a line."""
    plain: dict[str, Any] = {"tool": "handrec", "version": __version__, "totals": audit.totals}
    plain |= {f"by_{table.heads[0]}": _plain(table) for table in audit.tallies}
    plain |= {"worst": _plain(audit.worst), "duplicates": _plain(audit.duplicates), "failures": audit.failures}
    plain |= {"settings": audit.settings}
    yield "{"
    for place, key in enumerate(sorted(plain)):
        yield (",\n" if place else "\n") + f"{json.dumps(key)}:"
        yield compact(plain[key])
    yield "\n}\n"


def _plain(table: AuditTable) -> dict[str, Any]:
    return {"rows": [dict(zip(table.heads, row, strict=True)) for row in table.rows], "count": table.count}


def markdown(audit: Audit) -> Iterator[str]:
    """The summary, and GitHub's tables."""
    yield "".join(f"{escaped(line)}\n" for line in summary(audit).splitlines())
    for title, table in audit.tables:
        yield f"\n### {title}\n\n"
        sides = ("--:" if head in RIGHT else ":--" for head in table.heads)
        yield f"| {' | '.join(table.heads)} |\n| {' | '.join(sides)} |\n"
        for row in table.rows:
            yield f"| {' | '.join(escaped(_cell(value)) for value in row)} |\n"
        if table.more:
            yield f"\n… and {table.more:,} more\n"


def page(audit: Audit) -> Iterator[str]:
    """One page that needs nothing but itself: no script, and nothing from anywhere."""
    policy = f"default-src 'none'; style-src 'sha256-{b64encode(sha256(STYLE.encode()).digest()).decode()}'"
    yield '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
    yield f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">\n<title>Audit – handrec</title>\n'
    yield f"<style>{STYLE}</style>\n<h1>Audit</h1>\n"
    yield "".join(f"<p>{html.escape(line)}</p>\n" for line in summary(audit).splitlines())
    for title, table in audit.tables:
        yield f"<h2>{html.escape(title)}</h2>\n<table>\n"
        yield _html_row(table.heads, table.heads, "th")
        for row in table.rows:
            yield _html_row(table.heads, row, "td")
        yield "</table>\n" + (f"<p>… and {table.more:,} more</p>\n" if table.more else "")
    yield "</html>\n"


def _html_row(heads: Sequence[str], row: Sequence[Any], tag: str) -> str:
    cells = (
        f"<{tag}{' class=n' if head in RIGHT else ''}>{html.escape(_cell(value))}</{tag}>"
        for head, value in zip(heads, row, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>\n"


#: The ways to report, by name.
FORMATS: dict[str, Callable[[Audit], Iterator[str]]] = {"text": text, "json": data, "markdown": markdown, "html": page}


def jsonl(findings: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Findings as JSON Lines."""
    for finding in findings:
        yield f"{compact(finding)}\n".encode()


def parquet(findings: Iterable[dict[str, Any]], sink: Any, many: int = 10_000) -> None:
    """Findings as the rows of a Parquet file, written to an open file. Needs pyarrow."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    numbers = {"line", "column", "deal", "trick"}
    schema = pa.schema([(name, pa.int64() if name in numbers else pa.string()) for name in FINDING])
    with pq.ParquetWriter(sink, schema, compression="zstd") as writer:
        held: list[dict[str, Any]] = []
        for finding in findings:
            held.append(finding)
            if len(held) == many:
                writer.write_table(pa.Table.from_pylist(held, schema))
                held = []
        writer.write_table(pa.Table.from_pylist(held, schema))
