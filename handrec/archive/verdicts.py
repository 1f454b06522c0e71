"""Verdicts on a batch of an archive: what the sieve cannot pass is refereed. An Arrow batch in, an Arrow batch out.

What columns and the texts beside them both tell is compared, since an archive may come from a stranger.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from handrec import explanations, games
from handrec.archive.digested import Placed, digested
from handrec.archive.faith import doubtful
from handrec.archive.layout import SCHEMA, is_text
from handrec.archive.parts import Broken, Cut, Head, Heads, Part
from handrec.archive.records import bare, readings
from handrec.archive.rows import HEAD, json_text
from handrec.digests import digests as digests_of
from handrec.findings import Finding
from handrec.formats.json import load
from handrec.judging import Failed, Find, Judge, warned
from handrec.record import Deal, DealClaims, Record
from handrec.referee import FORM
from handrec.sieve import Sifted, sift
from handrec.sieve.columns import NOTHING, Array
from handrec.sieve.records import Group, Held, judge

#: A row for each record: which one of the archive, its game, how many deals it has (0 where that cannot be read), the codes
#: of the findings with spaces between (none: it is clean), and the findings as a JSON list. Then what an audit goes by: the
#: record's id, its options and players as JSON, and, if wanted, of each deal with known hands its number and digests (see
#: `handrec.digests`). Where no record can be made of a row, these are null.
VERDICTS = pa.schema(
    [
        ("record", pa.int64()),
        ("game", pa.string()),
        ("deals", pa.int32()),
        ("codes", pa.string()),
        ("findings", pa.string()),
        ("id", pa.string()),
        ("options", pa.string()),
        ("players", pa.string()),
        ("digests", pa.list_(pa.struct([("number", pa.int32()), ("hands", pa.binary()), ("played", pa.binary())]))),
    ]
)

#: So many records are made at a time.
ROWS = 1024

_HEADS: dict[Find, Heads] = {}


def verdicts(
    batch: pa.RecordBatch, find: Find = games.find, digests: bool = False, quick: bool = True, failed: Failed = warned
) -> pa.RecordBatch:
    """The verdicts on the records of a batch, in rows of `VERDICTS`; `find` gives the game for its name.

    With `digests`, deals are digested; unless `quick`, all goes to the referee. `failed` is told when a fast way fails. Where we
    fail, it is tried without the sieve, then in halves: so one row alone is lost, and its finding is INT001. Other columns than
    those of an archive are passed over. ValueError if one of these is missing or of another type.
    """
    return _judged(_usual(batch), Judge(find, quick, failed), digests, quick)


def _judged(batch: pa.RecordBatch, judge: Judge, digests: bool, sieve: bool) -> pa.RecordBatch:
    try:
        return _told(Cut(batch, _HEADS.setdefault(judge.find, Heads(judge.find))), judge, digests, sieve)
    except Exception as error:
        if sieve:
            judge.failed("sieve", error)
            return _judged(batch, judge, digests, False)
        if len(batch) < 2:
            return _lost(batch, error)
        half = len(batch) // 2
        halves = [_judged(part, judge, digests, False) for part in (batch.slice(0, half), batch.slice(half))]
        return pa.Table.from_batches(halves).combine_chunks().to_batches()[0]


def _lost(batch: pa.RecordBatch, error: Exception) -> pa.RecordBatch:
    """What is said of a row over which we fail."""
    finding = Finding(FORM["INT001"], {"why": type(error).__name__})
    told = {"deals": 0, "codes": finding.code, "findings": json_text([_plain(finding)])}
    return pa.RecordBatch.from_pylist([row | told for row in batch.select(["record", "game"]).to_pylist()], VERDICTS)


def _told(cut: Cut, judge: Judge, digests: bool, sieve: bool) -> pa.RecordBatch:
    rows = len(cut.batch)
    passed, bares, which = sifted(cut, judge.failed) if sieve else (np.zeros(rows, bool), [None], np.zeros(rows, np.int64))
    about = [(None, None) if bare is None else _about(bare) for bare in bares]
    options, players = map(list, zip(*(about[each] for each in which.tolist()), strict=True)) if rows else ([], [])
    deals, codes, findings = cut.counts.tolist(), [""] * rows, ["[]"] * rows
    placed = digested(cut, passed) if digests else []
    for row, record, found in _refereed(cut, np.flatnonzero(~passed), judge):
        deals[row], codes[row] = (
            len(record.deals) if record else 0,
            " ".join(finding.code for finding in found if finding.because is None),
        )
        findings[row] = json_text([_plain(finding) for finding in found])
        options[row], players[row] = _about(record) if record else (None, None)
        placed += [(row, place, digest) for place, digest in enumerate(digests_of(record))] if digests and record else []
    known = pa.array([text is not None for text in options], pa.bool_())
    columns = [
        cut.batch.column("record"),
        cut.batch.column("game").cast(pa.string()),
        pa.array(deals, pa.int32()),
        pa.array(codes, pa.string()),
        pa.array(findings, pa.string()),
        pc.if_else(known, cut.batch.column("id").cast(pa.string()), pa.scalar(None, pa.string())),
        pa.array(options, pa.string()),
        pa.array(players, pa.string()),
        _listed(placed, np.array(known, bool) & digests),
    ]
    return pa.RecordBatch.from_arrays(columns, schema=VERDICTS)


def _refereed(cut: Cut, rows: Array, judge: Judge) -> Iterator[tuple[int, Record | None, tuple[Finding, ...]]]:
    """Rows, their records, and what the referee finds; some rows at a time."""
    for start in range(0, len(rows), ROWS):
        some = np.zeros(len(cut.batch), bool)
        some[rows[start : start + ROWS]] = True
        for row, (record, form) in readings(cut, some).items():
            yield row, record, explanations.found(record, form, judge)


def _about(record: Record) -> tuple[str, str]:
    """Options and players, as JSON."""
    return json_text(record.options), json_text([player.model_dump(exclude_none=True) for player in record.players])


def _listed(placed: list[Placed], known: Array) -> pa.Array:
    """A list of digests for each row that is known, in the order of the deals."""
    placed.sort(key=lambda each: each[:2])
    many = np.bincount(np.array([row for row, _, _ in placed], np.int64), minlength=len(known))
    ends = np.concatenate([[0], np.cumsum(many)]).tolist()
    offsets = [start if there else None for start, there in zip(ends[:-1], known.tolist(), strict=True)]
    kind = VERDICTS.field("digests").type
    parts = zip(*(digest for _, _, digest in placed), strict=True) if placed else ((), (), ())
    arrays = [pa.array(list(part), field.type) for part, field in zip(parts, kind.value_type, strict=True)]
    deals = pa.StructArray.from_arrays(arrays, fields=list(kind.value_type))
    return pa.ListArray.from_arrays(pa.array([*offsets, ends[-1]], pa.int32()), deals, kind)


def _usual(batch: pa.RecordBatch) -> pa.RecordBatch:
    """The batch with the columns of an archive, of their own types; engines have others for texts and bytes."""
    missing = [name for name in SCHEMA.names if name not in batch.schema.names]
    if missing:
        raise ValueError(f"column {missing[0]} of an archive is missing")
    columns = []
    for field in SCHEMA:
        column = batch.column(field.name)
        same = column.type.equals(field.type) or (pa.types.is_dictionary(column.type) and is_text(column.type))
        columns.append(column if same else column.cast(field.type))
    return pa.RecordBatch.from_arrays(columns, SCHEMA.names)


def _plain(finding: Finding) -> dict[str, Any]:
    """A finding as plain values; what is not known of its place is left out."""
    place = {"deal": finding.deal, "trick": finding.trick, "seat": finding.seat}
    told = {"code": finding.code, "rule": finding.rule, "severity": finding.severity, "level": finding.level}
    return (
        told
        | {"message": finding.message, "pointer": finding.pointer}
        | {name: value for name, value in place.items() if value is not None}
        | ({} if finding.because is None else {"because": finding.because})
    )


def clean(cut: Cut) -> Array:
    """(rows,) bool: nothing is wrong with the record."""
    return sifted(cut)[0]


def sifted(cut: Cut, failed: Failed = warned) -> tuple[Array, list[Record | None], Array]:
    """`clean`; records without their deals and ids (None where something is the matter), and which of them each row has."""
    clean = ~cut.texts
    clean[list(cut.broken)] = False
    bares, which = _bares(cut, clean)
    clean &= np.array([each is not None for each in bares], bool)[which] if bares else clean
    deals = []
    for part in cut.parts:
        try:
            deals.append((part, sift(part.columns)))
        except Exception as error:
            failed("sieve", error)
            clean[part.columns.record] = False
    for part, found in deals:
        clean[part.columns.record[(found.fault != 0) | (part.number < 0)]] = False
    lone = np.array([each is not None and each.status == "excerpt" for each in bares], bool)[which] & (cut.counts == 1)
    for part, found in deals:
        for row in _out_of_order(part, found, lone & clean, bares, which):
            clean[row] = False
    for row, held in _held(cut, deals, clean & ~lone, bares, which):
        clean[row] = judge(held).clean
    clean[list(doubtful(cut, clean, bares, which))] = False
    return clean, bares, which


def _bares(cut: Cut, wanted: Array) -> tuple[list[Record | None], Array]:
    """Records without their deals and ids, None where something is the matter; and which of them each row has."""
    names = [name for name in (*HEAD, "seats", "text") if name != "id"]
    which = np.zeros(len(cut.batch), np.int64)
    for name in names:
        column = cut.batch.column(name)
        codes = (column if pa.types.is_dictionary(column.type) else column.dictionary_encode()).indices
        own = np.nan_to_num(codes.to_numpy(zero_copy_only=False), nan=-1).astype(np.int64) + 1
        which = np.unique(which * (int(own.max(initial=0)) + 1) + own, return_inverse=True)[1]
    bares: list[Record | None] = []
    for row in np.unique(which, return_index=True)[1].tolist() if len(which) else ():
        said = {name: cut.batch.column(name)[row].as_py() for name in names}
        try:
            usable = wanted[which == which[row]].any()
            record, faults = load(bare({**said, "id": None}) | {"deals": []}) if usable else (None, [])
        except Broken:
            record, faults = None, []
        bares.append(None if faults else record)
    return bares, which


def _out_of_order(part: Part, found: Sifted, lone: Array, bares: list[Record | None], which: Array) -> Iterator[int]:
    """The rows of single deals out of games whose number or size is not one that the game has: it hangs on nothing else."""
    mine = np.flatnonzero(lone[part.columns.record])
    rows = part.columns.record[mine]
    kinds = which[rows] * (1 << 32) + part.number[mine]
    for kind in np.unique(kinds).tolist():
        same = rows[kinds == kind]
        spot = int(mine[kinds == kind][0])
        record = bares[which[same[0]]]
        if record is None or not judge(_held_of(record, part.head, [(part, found, spot)])).clean:
            yield from same.tolist()


def _held(
    cut: Cut, sifted: list[tuple[Part, Sifted]], wanted: Array, bares: list[Record | None], which: Array
) -> Iterator[tuple[int, Held]]:
    """The records of several deals that are wanted, as the checks across deals need them."""
    spots: dict[int, list[Any]] = {row: [None] * int(cut.counts[row]) for row in np.flatnonzero(wanted).tolist()}
    for part, found in sifted:
        for spot in np.flatnonzero(wanted[part.columns.record]).tolist():
            spots[int(part.columns.record[spot])][int(part.place[spot])] = (part, found, spot)
    for row, mine in spots.items():
        record, head = bares[which[row]], cut.head_of[cut.codes[row]]
        if record is not None and head is not None:
            yield row, _held_of(record, head, mine)


def _held_of(record: Record, head: Head, spots: list[tuple[Part, Sifted, int]]) -> Held:
    deals, groups = [], []
    for part, found, spot in spots:
        columns, seats = part.columns, head.seats
        scores, totals = (
            {seat: points for seat, points in zip(seats, said[spot].tolist(), strict=True) if points != NOTHING}
            for said in (columns.said_scores, part.said_totals)
        )
        dealer, number = int(columns.dealer[spot]), int(part.number[spot])
        deals.append(
            Deal.model_construct(
                number=number or None,
                dealer=seats[dealer] if dealer >= 0 else None,
                claimed=DealClaims.model_construct(scores=scores or None, totals=totals or None),
            )
        )
        groups.append((Group(cast(Any, SimpleNamespace(shape=columns.shape)), sifted=found), spot))
    return Held(record.model_copy(update={"deals": deals}), head.game, head.seats, groups)
