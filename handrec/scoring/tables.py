"""A table of the results of a board, as PBN keeps it (`ScoreTable`), compared with what its rows come to.

The heading names the columns, with their widths, which nobody keeps to: the values of a row are told apart by the space between.
Each row has the contract, declarer and tricks of a table; the score follows from them (Law 77), and from the scores of all rows
the matchpoints (Law 78A). Of a row that does not have as many values as there are columns, or of a contract that is none, nothing
is told; matchpoints are compared only where every score is known and most of them are right, so that no other table is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from handrec.findings import Citation, Fault, Finding
from handrec.game.views import HandView
from handrec.record import Deal, Record
from handrec.scoring.bridge import DUPLICATE, STRAINS, duplicate
from handrec.scoring.together import IMPS, LAWS, MATCHPOINTS, decimal, matchpoints

SCORE = Fault(
    "SCO010", "table-score", "L5",
    "In a table of results the score of a row follows from its contract, its tricks and who is vulnerable.",
    "{row}: {seat} is recorded with {found}, but {contract} by {declarer} with {tricks} tricks is {due}",
    id="BR-77t", citation=Citation(LAWS, "Law 77"),
)  # fmt: skip

#: What can be wrong of what tables have together, by code.
COMPARED = {fault.code: fault for fault in (IMPS, MATCHPOINTS, SCORE)}

POINTER = "/extensions/pbn/ScoreTable"
#: A value, or one in quotes.
_VALUE = re.compile(r'"([^"]*)"|(\S+)')
_CONTRACT = re.compile("(?P<level>[1-7])(?P<strain>NT?|[CDHS])(?P<risk>X{0,2})|pass", re.IGNORECASE)
_TRICKS = re.compile(r"(1[0-3]|[0-9])|=|([+-][0-9]{1,2})")
_NUMBER = re.compile(r"[+-]?[0-9]{1,6}(?:\.[0-9]{1,4})?")
#: What stands in a column of numbers.
_PRINTED = re.compile(rf"-|{_NUMBER.pattern}")
VULNERABLE = {"none": "", "NS": "NS", "EW": "EW", "all": "NESW"}


class TableRow(NamedTuple):
    """A row of which the score is known, that of North and South; `number` from 1, `values` by column in small letters."""

    number: int
    values: Mapping[str, str]
    score: int
    stated: Mapping[str, str | int]


def table_of(record: Record) -> str | None:
    """The table of results that a board brings with it."""
    kept = record.extensions.get("pbn")
    text = kept.get("ScoreTable") if isinstance(kept, dict) else None
    return text if isinstance(text, str) else None


def tabled(record: Record) -> tuple[Finding, ...]:
    """What is wrong with that table; of a record of several boards nothing is told, as it is not said whose it is."""
    text = table_of(record)
    if text is None or len(record.deals) != 1:
        return ()
    deal, (heading, *lines) = record.deals[0], text.split("\n")
    columns = [column.partition("\\")[0].strip().lower() for column in heading.split(";")]
    rows = [*_rows(deal, columns, lines)]
    whole = len(rows) == sum(bool(line.strip()) for line in lines) and "multiplicity" not in columns
    found = [*_scores(rows), *(_matchpoints(rows) if whole else ())]
    return tuple([Finding(fault, facts, POINTER, deal.number, seat=str(facts["seat"])) for fault, facts in found])


def _rows(deal: Deal, columns: Sequence[str], lines: Sequence[str]) -> Iterator[TableRow]:
    """The rows of which the score is known; names may be of several words: they are not read, nor what stands after them."""
    named = next((place for place, column in enumerate(columns) if column.startswith("names")), len(columns))
    counted = [column for column in columns[:named] if column.startswith(("score_", "mp_"))]
    for number, line in enumerate(lines, 1):
        values = [quoted or bare for quoted, bare in _VALUE.findall(line)]
        row = dict(zip(columns[:named], values, strict=False))
        whole = len(values) > named if named < len(columns) else len(values) == len(columns)
        whole = whole and all(_PRINTED.fullmatch(row[column]) for column in counted)
        bid = _CONTRACT.fullmatch(row.get("contract", ""))
        tricks, declarer = _TRICKS.fullmatch(row.get("result", "")), row.get("declarer", "").upper()
        if not whole or bid is None or deal.vulnerable not in VULNERABLE:
            continue
        if not bid["level"]:
            yield TableRow(number, row, 0, {})
        elif tricks and declarer in ("N", "E", "S", "W"):
            level, strain = int(bid["level"]), STRAINS.index({"N": "NT"}.get(bid["strain"].upper(), bid["strain"].upper()))
            taken = int(tricks[1]) if tricks[1] else level + 6 + int(tricks[2] or 0)
            if 0 <= taken <= 13:
                points = score(level, strain, len(bid["risk"]), declarer in VULNERABLE[deal.vulnerable], taken)
                told = {"contract": bid[0].upper(), "declarer": declarer, "tricks": taken}
                yield TableRow(number, row, points if declarer in "NS" else -points, told)


@lru_cache(10_000)
def score(level: int, strain: int, risk: int, vulnerable: bool, tricks: int) -> int:
    """What a contract with so many tricks is worth to the side that declares, at duplicate."""
    told = {"level": level, "strain": strain, "risk": risk, "declares": 1, "vulnerable": int(vulnerable)}
    hand = HandView(tricks, 0, "", "", 0, 13, told)
    return sum(duplicate(part)(hand) for part in DUPLICATE)


def _said(row: TableRow, column: str) -> Fraction | None:
    """A number in a column, None if none is there."""
    text = row.values.get(column, "")
    return Fraction(text) if _NUMBER.fullmatch(text) else None


def _scores(rows: Sequence[TableRow]) -> Iterator[tuple[Fault, dict[str, Any]]]:
    """The scores that are not right: of both sides of a row the first."""
    for row in rows:
        for side, due in (("NS", row.score), ("EW", -row.score)):
            found = _said(row, f"score_{side.lower()}")
            if found is not None and found != due and row.stated:
                yield SCORE, {"row": f"row {row.number}", "seat": side, "found": decimal(found), "due": due, **row.stated}
                break


def _matchpoints(rows: Sequence[TableRow]) -> Iterator[tuple[Fault, dict[str, Any]]]:
    """The matchpoints that are not right, on the scale on which more are."""
    if len(rows) < 2:
        return
    points, top = matchpoints([row.score for row in rows]), 2 * (len(rows) - 1)
    wrong = min((_off(rows, points, top, scale) for scale in (1, 2)), key=len)
    if 2 * len(wrong) < len(rows):
        told = ", ".join(f"{row.score:+d}" for row in rows[:10]) + " …" * (len(rows) > 10)
        for row, side, found, due in wrong:
            facts = {"seat": f"{side} in row {row.number}", "found": decimal(found), "due": decimal(due), "scores": told}
            yield MATCHPOINTS, facts


def _off(rows: Sequence[TableRow], points: Sequence[int], top: int, scale: int) -> list[tuple[TableRow, str, Fraction, Fraction]]:
    """The rows whose matchpoints are not these, with the first side of which they are not, what is said, and what is due."""
    wrong = []
    for row, many in zip(rows, points, strict=True):
        for side, due in (("NS", Fraction(many, scale)), ("EW", Fraction(top - many, scale))):
            found = _said(row, f"mp_{side.lower()}")
            if found is not None and found != due:
                wrong.append((row, side, found, due))
                break
    return wrong
