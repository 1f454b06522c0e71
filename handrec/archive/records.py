"""Rows as records again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from handrec import writing
from handrec.archive.batch import Cut
from handrec.archive.heads import Broken, strict
from handrec.archive.rows import HEAD, Data, json_text
from handrec.findings import Finding
from handrec.formats.json import as_stated
from handrec.formats.untold import settled
from handrec.limits import MAX_FINDINGS
from handrec.record import Deal, Record
from handrec.referee.form import FORM
from handrec.sieve.codec import Foul
from handrec.sieve.columns import Array
from handrec.versions import minor, newer

#: A record, or none, and what is wrong with its form.
Loaded = tuple[Record | None, tuple[Finding, ...]]


def readings(cut: Cut, rows: Array) -> dict[int, Loaded]:
    """By row, for the rows wanted (a mask): the record, None if it is none, and what is wrong with its form."""
    deals = _deals(cut, rows)
    told: dict[int, Loaded] = {}
    bares, which = bare_records(cut, rows)
    for row in np.flatnonzero(rows).tolist():
        told[row] = _read(cut, row, deals[row], bares[which[row]])
    return told


def _deals(cut: Cut, rows: Array) -> dict[int, dict[int, Deal]]:
    """By row and place, the deals that stand in columns; a row of which one cannot be read is broken."""
    found: dict[int, dict[int, Deal]] = {row: {} for row in np.flatnonzero(rows).tolist()}
    for part in cut.parts:
        columns = part.columns.rows(np.flatnonzero(rows[part.columns.record]))
        for row, place, cells in zip(columns.record.tolist(), columns.place.tolist(), columns.deals(), strict=True):
            if row in cut.broken:
                continue
            try:
                found[row][place] = columns.codec.deal(cells)
            except Foul as foul:
                cut.broken.setdefault(row, f"deal {place + 1}: {foul}")
    return found


def _read(cut: Cut, row: int, deals: dict[int, Deal], bare: Loaded | None) -> Loaded:
    try:
        if row in cut.broken:
            raise Broken(cut.broken[row])
        if bare is None or len(deals) < cut.counts[row]:
            said = {name: cut.batch.column(name)[row].as_py() for name in (*HEAD, "seats", "text")}
            every = [deals.get(place) or strict(cut.texts[row, place]) for place in range(cut.counts[row])]
            stated = [writing.plain_deal(deal) if isinstance(deal, Deal) else deal for deal in every]
            record, faults = _load(said, stated)
            record, remarks = (None, ()) if record is None else settled(record)
            faults += remarks
            return (None if any(fault.severity == "error" for fault in faults) else record), tuple(faults[:MAX_FINDINGS])
        record, faults_of_form = bare
        name = cut.batch.column("id")[row].as_py()
        several = [deals[place] for place in range(len(deals))]
        if record is None:
            return bare
        if not minor(record.version) and next(newer(several), None) is not None:
            raise Broken("it has what its version has not")
        more: dict[str, Any] = {"deals": several} | ({} if name is None else {"id": name})
        record, remarks = settled(record.model_copy(update=more))
        return record, (*faults_of_form, *remarks)
    except Broken as broken:
        return None, (Finding(FORM["FMT001"], {"why": str(broken)}),)


def bare_records(cut: Cut, wanted: Array) -> tuple[list[Loaded | None], Array]:
    """Records without their deals and ids, None where something is the matter; and which of them each row has."""
    names = [name for name in (*HEAD, "seats", "text") if name != "id"]
    which = np.zeros(len(cut.batch), np.int64)
    for name in names:
        column = cut.batch.column(name)
        codes = (column if pa.types.is_dictionary(column.type) else column.dictionary_encode()).indices
        own = np.nan_to_num(codes.to_numpy(zero_copy_only=False), nan=-1).astype(np.int64) + 1
        which = np.unique(which * (int(own.max(initial=0)) + 1) + own, return_inverse=True)[1].reshape(-1)
    used = np.bincount(which[wanted], minlength=int(which.max(initial=-1)) + 1).tolist()
    firsts = np.unique(which, return_index=True)[1].tolist() if len(which) else []
    return [_bare(cut, row, names) if many else None for row, many in zip(firsts, used, strict=True)], which


def _bare(cut: Cut, row: int, names: list[str]) -> Loaded | None:
    try:
        said = {name: cut.batch.column(name)[row].as_py() for name in names}
        record, faults = _load({**said, "id": None}, [])
    except (Broken, AttributeError, TypeError):
        return None
    return None if any(fault.severity == "error" for fault in faults) else (record, tuple(faults))


def _load(said: Data, deals: list[Any]) -> tuple[Record | None, list[Finding]]:
    """The record of a row, with these deals. Raises `Broken` if its columns, by which deals are judged, tell of another one."""
    record, faults = as_stated(head_data(said) | {"deals": deals})
    if record is not None:
        seats = " ".join(player.seat for player in record.players)
        stated = {"options": json_text(strict(said["options"])), "seats": said["seats"], "status": said["status"]}
        differ = stated.items() - {"options": json_text(record.options), "seats": seats, "status": record.status}.items()
        if differ:
            raise Broken(f"its text does not have the {min(differ)[0]} of its columns")
    return record, faults


def head_data(said: Data) -> Data:
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
