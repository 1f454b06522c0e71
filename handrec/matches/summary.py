"""Boards and ranking summed up: as text, and as plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from handrec.matches.boards import MatchBoard, Share, TableResult, short
from handrec.matches.claims import WORDS, compared
from handrec.matches.ranking import Standing
from handrec.report.layout import counted
from handrec.report.safe import clip, columns, fit, safe
from handrec.scoring.together import decimal

UNKNOWN = "–"


def text(boards: Sequence[MatchBoard], standings: Sequence[Standing]) -> Iterator[str]:
    """A table for each board, and the ranking, in lines."""
    for board in boards:
        yield from _board(board)
    form = None
    for place, each in enumerate(standings, 1):
        if each.form != form:
            form, first = each.form, place
            yield f"Ranking by {WORDS[each.form]}\n"
        share = "" if each.percent is None else f"  {float(each.percent):.2f} %"
        rank = 1 + sum(other.form == form and _better(other, each) for other in standings[first - 1 :])
        name, many = fit(clip(safe(each.name), 40), 40), counted(each.boards, "board", "")
        yield f"  {rank:>3}  {name}  {decimal(each.points):>8}{share}  ({many})\n"


def _better(one: Standing, other: Standing) -> bool:
    return (one.percent or one.points) > (other.percent or other.points)


def _board(board: MatchBoard) -> Iterator[str]:
    of = ", ".join(safe(word, 60) for word in (board.event, board.section) if word)
    yield f"Board {board.number}" + (f" ({of})" if of else "") + (f": {WORDS[board.form]}" if board.form else "") + "\n"
    shares: Sequence[Share | None] = board.shares or [None] * len(board.results)
    rows = [["table", "contract", "tricks", *board.sides, *(board.sides if board.form not in (None, "total") else ())]]
    rows += [_row(board, result, share) for result, share in zip(board.results, shares, strict=True)]
    widths = [max(columns(cell) for cell in column) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = [fit(cell, w) if at < 2 else cell.rjust(w) for at, (cell, w) in enumerate(zip(row, widths, strict=True))]
        yield "  " + "  ".join(cells).rstrip() + "\n"
    if board.why_not and len(board.results) > 1:
        yield f"  not compared: {safe(board.why_not, 200)}\n"
    for result, finding in compared(board).findings:
        yield f"  {finding.code}  {safe(short(result.name), 60)}: {safe(finding.message, 300)}\n"


def _row(board: MatchBoard, result: TableResult, share: Share | None) -> list[str]:
    table = safe(" ".join(word for word in (short(result.name), result.room) if word), 40)
    tricks = UNKNOWN if None in result.tricks else "-".join(map(str, result.tricks))
    scores = [UNKNOWN] * 2 if result.score is None else [f"{result.score:d}", f"{-result.score:d}"]
    more = [] if share is None or board.form == "total" else [decimal(share.first), decimal(share.second)]
    return [table, safe(result.stakes, 30) or UNKNOWN, tricks, *scores, *more]


def data(boards: Sequence[MatchBoard], standings: Sequence[Standing]) -> dict[str, Any]:
    """The same as plain data; numbers that may have decimals are text."""
    return {
        "boards": [
            {
                "number": board.number,
                "event": safe(board.event),
                "section": safe(board.section),
                "form": board.form,
                "not_compared": safe(board.why_not) or None,
                "results": [
                    {
                        "name": safe(result.name),
                        "room": result.room or None,
                        "stakes": safe(result.stakes),
                        "tricks": dict(zip(result.sides, result.tricks, strict=True)),
                        "scores": None
                        if result.score is None
                        else dict(zip(result.sides, (result.score, -result.score), strict=True)),
                        "shares": dict(zip(result.sides, map(decimal, board.shares[place]), strict=True))
                        if board.shares
                        else None,
                    }
                    for place, result in enumerate(board.results)
                ],
                "findings": [
                    {
                        "code": found.code,
                        "rule": found.rule,
                        "name": safe(result.name),
                        "pointer": found.pointer,
                        "message": safe(found.message),
                    }
                    for result, found in compared(board).findings
                ],
            }
            for board in boards
        ],
        "ranking": [
            {
                "name": safe(each.name),
                "form": each.form,
                "boards": each.boards,
                "points": decimal(each.points),
                "percent": None if each.percent is None else f"{float(each.percent):.2f}",
            }
            for each in standings
        ],
    }
