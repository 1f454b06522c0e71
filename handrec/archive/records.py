"""Rows as records again; a row whose columns say something else than its record is refused."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import numpy as np
import pyarrow as pa

from handrec.archive.parts import Broken, Cut, Part, strict
from handrec.archive.rows import HEAD, WORDS, Rows, json_text
from handrec.archive.told import Data, Told, told, whole
from handrec.findings import Finding
from handrec.formats.json import load
from handrec.formats.strict import MAX_FINDINGS
from handrec.record import Record
from handrec.referee.form import FORM
from handrec.sieve import Columns, Odd, Plain
from handrec.sieve.columns import COLUMNS, Array
from handrec.sieve.plain import Words
from handrec.sieve.records import Find

#: Columns that need no comparing: the record was made of them, or of the bytes that they were made of.
ALONE = {"record", "hands", "aside"}


def plain_of(part: Part) -> Plain:
    """What turns the deals of a part into rows and back."""
    plain = Plain(part.columns.shape, part.head.seats)
    plain.contracts, plain.trumps, plain.words = (Words(*part.head.words[name]) for name in WORDS)
    return plain


def deals_of(part: Part, wanted: Array) -> Iterator[tuple[int, int, Data | str]]:
    """Row, place, and the deal as plain values (or what is wrong with it), of those deals of a part that are wanted."""
    columns, plain = part.columns, plain_of(part)
    lists = (
        part.number[wanted].tolist(),
        columns.dealer[wanted].tolist(),
        columns.leader[wanted].tolist(),
        *([line.tobytes() for line in each[wanted]] for each in (part.hands, part.aside, columns.leaders, columns.plays)),
        columns.said_trump[wanted].tolist(),
        [line.tobytes() for line in columns.said_winners[wanted]],
        *(each[wanted].tolist() for each in (columns.said_tricks, columns.said_scores, part.said_totals)),
    )
    rests = part.rest.take(pa.array(np.flatnonzero(wanted))).to_pylist()
    rows, places = columns.record[wanted].tolist(), part.place[wanted].tolist()
    for row, place, rest, values in zip(rows, places, rests, zip(*lists, strict=True), strict=True):
        try:
            left = strict(rest)
            if not isinstance(left, dict) or not isinstance(left.get("events"), list):
                raise Broken("its rest is not that of a deal")
            yield row, place, whole(told(Told(*values), plain, columns.trumps), left)
        except (ValueError, Broken) as error:
            yield row, place, f"deal {place + 1}: {error}"
        except (LookupError, TypeError, Odd):
            yield row, place, f"deal {place + 1}: a number in it stands for nothing"


def records(cut: Cut, rows: Array) -> Iterator[tuple[int, Any]]:
    """The wanted rows (a mask) as plain values of a record, or as `Broken`; in no order."""
    deals: dict[int, list[Data]] = {row: [] for row in np.flatnonzero(rows & ~cut.texts).tolist() if row not in cut.broken}
    found: dict[int, dict[int, Data]] = {row: {} for row in deals}
    for part in cut.parts:
        for row, place, deal in deals_of(part, rows[part.columns.record]):
            if row not in found:  # another deal of it is broken
                continue
            if isinstance(deal, str):
                cut.broken.setdefault(row, deal)
            else:
                found[row][place] = deal
    for row in np.flatnonzero(rows).tolist():
        try:
            if row in cut.broken:
                raise Broken(cut.broken[row])
            yield row, _record(cut, row, None if cut.texts[row] else [found[row][place] for place in range(len(found[row]))])
        except Broken as broken:
            yield row, broken


def _record(cut: Cut, row: int, deals: list[Data] | None) -> Data:
    said = {name: cut.batch.column(name)[row].as_py() for name in (*HEAD, "seats", "text")}
    if deals is not None:
        return {**bare(said), "deals": deals}
    whole = strict(said["text"])
    if not isinstance(whole, dict):
        raise Broken("its text is not that of a record")
    if whole.get("game") != said["game"] or whole.get("id") != said["id"]:
        raise Broken("its game or id is not that of its text")
    return whole


def bare(said: Data) -> Data:
    """A record without its deals, from the texts of its row. Raises `Broken`."""
    rest = strict(said["text"])
    if not isinstance(rest, dict):
        raise Broken("its text is not that of a record")
    head: Data = {"game": said["game"], "options": strict(said["options"]), "status": said["status"]}
    head |= {} if said["id"] is None else {"id": said["id"]}
    head |= {} if said["claimed"] is None else {"claimed": strict(said["claimed"])}
    for name in ("options", "status"):
        if rest.get(name, "") is None:
            del head[name], rest[name]
    if "players" not in rest:
        head["players"] = [{"seat": seat} for seat in said["seats"].split(" ")]
    if head.keys() & rest.keys() or "deals" in rest:
        raise Broken("a part of the record stands twice")
    return rest | head


def readings(cut: Cut, rows: Array) -> dict[int, tuple[Record | None, tuple[Finding, ...]]]:
    """By row, for the rows wanted (a mask): the record, None if it is none, and what is wrong with its form."""
    found: dict[int, Record] = {}
    told: dict[int, tuple[Record | None, tuple[Finding, ...]]] = {}
    for row, data in records(cut, rows):
        if isinstance(data, Broken):
            told[row] = None, (Finding(FORM["FMT001"], {"why": str(data)}),)
            continue
        record, faults = load(data)
        if record is not None and not any(finding.severity == "error" for finding in faults):
            found[row] = record
        told[row] = found.get(row), tuple(faults[:MAX_FINDINGS])
    for row, why in differing(cut, found, cut.heads.find):
        told[row] = None, (Finding(FORM["FMT001"], {"why": why}),)
    return told


def differing(cut: Cut, found: dict[int, Record], find: Find) -> Iterator[tuple[int, str]]:
    """The rows whose columns say something else than their records, which are given."""
    for code in {cut.codes[row] for row in found}:
        rows = Rows(find)
        mine = [(row, found[row]) for row in sorted(found) if cut.codes[row] == code and not cut.texts[row]]
        head = cut.head_of[code]
        if not mine or head is None:
            continue
        key = json_text(head.options)
        rows.shared[key] = {name: Words(*head.words[name]) for name in WORDS}
        taken = {row for row, record in mine if rows.take(record, row).refer is None}
        yield from ((row, "its deals are not such as stand in columns") for row, _ in mine if row not in taken)
        sizes = {group.plain.shape.size: group for group in rows.groups.values() if group.rows}
        for part in cut.parts:
            if part.head is not head:
                continue
            kept = np.isin(part.columns.record, list(taken))
            if kept.any():
                group = sizes[part.columns.shape.size]
                yield from _unlike(part.columns.rows(kept), group.plain.columns(group.rows))


def _unlike(one: Columns, other: Columns) -> Iterator[tuple[int, str]]:
    pairs = [(each.name, getattr(one, each.name), getattr(other, each.name)) for each in fields(Columns) if each.name in COLUMNS]
    pairs += [(name, one.facts[name], column) for name, column in other.facts.items() if name in one.facts]
    for name, mine, due in pairs:
        if name not in ALONE:
            unlike = (mine != due).reshape(len(one), -1).any(axis=1)
            yield from ((row, f"{name} is not what its deals say") for row in one.record[unlike].tolist())
    if one.facts.keys() != other.facts.keys():
        yield from ((row, "facts are not what its deals say") for row in one.record.tolist())
