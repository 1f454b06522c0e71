"""The official scorecard written out: as text of 80 columns, as Markdown, CSV and JSON.

`12→11` was written down as 12 and is 11; `–` cannot be recomputed.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import Any

from handrec.findings import Verdict
from handrec.formats.sheet import guarded
from handrec.record import Record
from handrec.report.json import compact, plain
from handrec.report.layout import WIDTH, wrapped
from handrec.report.safe import clip, columns, fit, markdown, safe
from handrec.report.scorecard import PARTS, UNKNOWN, Scorecard, SheetLine, Value, scorecard


def sheet_text(record: Record, verdict: Verdict, claims: bool = True) -> str:
    """The scorecard as plain text: a line for each deal, or, where that takes more than 80 columns, a block."""
    card = scorecard(record, verdict, claims)
    for size in (16, 7):
        drawn = _wide(card, size)
        if max(map(columns, drawn)) <= WIDTH:
            break
    else:
        drawn = list(_blocks(card))
    return "".join(f"{line.rstrip()}\n" for text in (*drawn, *_notes(card), *card.ending) for line in _fitting(text))


def _notes(card: Scorecard) -> list[str]:
    """The notes of all deals, a line each."""
    return [f"Deal {line.deal}: " + "; ".join(card.noted(line)) for line in card.lines if line.notes]


def _cells(line: SheetLine, seat: str) -> list[str]:
    bid, tricks, points, total = line.shares[seat]
    return [bid.show(), tricks.show(), points.show("+"), total.show()]


def _wide(card: Scorecard, size: int) -> list[str]:
    """A line for each deal, with a column for each player; names take at least `size` columns before they are cut."""
    columns_of = [["deal"], ["cards"], ["dealer"]]
    for line in card.lines:
        is_deal = line.kind == "deal"
        columns_of[0].append("" if line.deal is None else f"{line.deal:4}")
        columns_of[1].append(f"{line.cards or UNKNOWN:>2} {line.played.show()}" if is_deal else "")
        columns_of[2].append(clip(card.name(line.dealer), size) if is_deal else line.kind)
    for seat, name in card.players.items():
        told = [
            (f"{bid}/{tricks}" if bid else tricks, *rest) for bid, tricks, *rest in (_cells(line, seat) for line in card.lines)
        ]
        widths = [max(map(columns, column)) for column in zip(*told, strict=True)]
        cells = [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in told]
        columns_of.append([f" {cell}" for cell in (clip(name, max([size, *map(columns, cells)])), *cells)])
    drawn = [[fit(cell, max(map(columns, column))) for cell in column] for column in columns_of]
    head = "Each side: tricks, points, running total." if card.sides else "Each player: bid/tricks, points, running total."
    return [head, *(" ".join(row) for row in zip(*drawn, strict=True))]


def _blocks(card: Scorecard) -> Iterator[str]:
    """A block for each deal, with a line for each player."""
    for line in card.lines:
        if line.kind == "deal":
            cards, dealer = line.cards or UNKNOWN, clip(card.name(line.dealer), 32)
            yield f"Deal {line.deal}: cards {cards}, trump {line.played.show()}, dealer {dealer}"
        else:
            yield "Final totals" if line.kind == "total" else f"Penalties after deal {line.deal}"
        rows = [["", *PARTS], *([name, *_cells(line, seat)] for seat, name in card.players.items())]
        kept = [column for column in zip(*rows, strict=True) if any(column[1:])]
        names, *others = kept
        widths = [max(map(columns, column)) for column in others]
        size = min(max(map(columns, names)), 24)
        for name, *cells in zip(*kept, strict=True):
            yield (
                "  "
                + fit(clip(name, size), size)
                + "".join("  " + cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
            )
        yield ""


def _fitting(text: str) -> Iterable[str]:
    """The text in lines of at most 80 columns."""
    return [text] if columns(text.rstrip()) <= WIDTH else wrapped("", text.split(), " ", 4)


def _heads(card: Scorecard) -> list[str]:
    return ["deal", "cards", "trump", "dealer", *(f"{name} {part}" for name in card.players.values() for part in PARTS)]


def sheet_markdown(record: Record, verdict: Verdict, claims: bool = True) -> str:
    """The scorecard as a table of Markdown."""
    from handrec.report.markdown import table

    card = scorecard(record, verdict, claims)
    rows = []
    for line in card.lines:
        front = [str(line.deal or ""), line.kind, "", ""]
        if line.kind == "deal":
            front[1:] = [str(line.cards or UNKNOWN), line.played.show(), card.name(line.dealer)]
        rows.append([*front, *(entry.show() for share in line.shares.values() for entry in share)])
    below = [*_notes(card), *card.ending]
    return table(_heads(card), rows, left=4) + "".join(f"\n{markdown(words)}\n" for words in below)


def sheet_csv(record: Record, verdict: Verdict, delimiter: str = ",", claims: bool = True) -> str:
    """The scorecard as CSV: what was recomputed, and in the last column what was written down otherwise.

    Text that a spreadsheet would take for a formula begins with an apostrophe; numbers are left alone.
    """
    card = scorecard(record, verdict, claims, together=False)  # a column for each player, as sheets are read
    rows: list[list[Value]] = [["line", *_heads(card), "remarks"]]
    for line in card.lines:
        remarks = card.noted(line) + ([f"trump {line.trump.show()}"] if line.trump.differs else [])
        remarks += [safe(line.stakes)] if line.stakes else []
        row: list[Value] = [line.kind, line.deal or "", "", "", ""]
        if line.kind == "deal":
            row[2:] = [line.cards, line.trump.due, card.name(line.dealer)]
        for seat, share in line.shares.items():
            row += [entry.due for entry in share]
            remarks += [
                f"{card.name(seat)} {part} {entry.show()}" for part, entry in zip(PARTS, share, strict=True) if entry.differs
            ]
        rows.append([*row, "; ".join(remarks)])
    if card.lines:
        rows[-1][-1] = "; ".join(filter(None, [str(rows[-1][-1]), *card.ending]))
    out = StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: Value) -> int | str:
    """A cell of CSV: numbers as they are, text safe and without formulas."""
    if isinstance(value, int):
        return value
    text = UNKNOWN if value is None else safe(value, 1000)
    return guarded(text)


def sheet_json(record: Record, verdict: Verdict, claims: bool = True) -> str:
    """The scorecard as one JSON document; null where something cannot be recomputed."""
    card = scorecard(record, verdict, claims)
    document = {
        "players": [{"seat": plain(seat), "name": name} for seat, name in card.players.items()],
        "lines": [_data(line) for line in card.lines],
        "winners": plain(card.winners),
        "written_winners": plain(card.written),
    }
    return compact(document) + "\n"


def _data(line: SheetLine) -> dict[str, Any]:
    players = {}
    for seat, share in line.shares.items():
        entries = [(part, entry) for part, entry in zip(PARTS, share, strict=True) if entry.due != ""]
        written = {part: plain(entry.written) for part, entry in entries if entry.differs}
        players[safe(seat)] = {part: plain(entry.due) for part, entry in entries} | ({"written": written} if written else {})
    for seat, notes in line.notes.items():
        players[safe(seat)]["notes"] = plain(notes)
    data: dict[str, Any] = {"line": line.kind, "players": players}
    if line.deal is not None:
        data["deal"] = line.deal
    if line.kind == "deal":
        data |= {"cards": line.cards, "trump": plain(line.trump.due), "dealer": plain(line.dealer)}
        if line.trump.differs:
            data["written_trump"] = plain(line.trump.written)
        data |= {"stakes": plain(line.stakes)} if line.stakes else {}
    return data
