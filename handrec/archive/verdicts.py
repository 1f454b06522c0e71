"""Verdicts on a batch of an archive: what the sieve cannot pass is refereed. An Arrow batch in, an Arrow batch out."""

from __future__ import annotations

from collections.abc import Iterator
from threading import local
from typing import Any, NamedTuple, TypeGuard

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from handrec import explanations, games
from handrec.archive.batch import Block, Cut
from handrec.archive.digested import PlacedDigest, digested
from handrec.archive.heads import Heads
from handrec.archive.layout import SCHEMA, is_text
from handrec.archive.records import Loaded, bare_records, readings
from handrec.archive.rows import json_text
from handrec.digests import about as head_of
from handrec.digests import digests as digests_of
from handrec.findings import DealResult, Finding, Level
from handrec.game import Game, Table
from handrec.judging import Failed, Find, Judge, warned
from handrec.record import Record
from handrec.referee import FORM, levels
from handrec.referee.game import judge_game
from handrec.referee.scores import NO_RESULT, NOT_RECOMPUTED
from handrec.sides import OF_TABLES, is_claiming
from handrec.sieve.codec import NONE, NOTHING
from handrec.sieve.columns import Array, Columns
from handrec.sieve.sift import Sifted, judged, sift
from handrec.versions import minor

#: A row for each record: which one of the archive, its game, how many deals it has (0 where that cannot be read), the codes
#: of the findings with spaces between (none: it is clean), and the findings as a JSON list. Then what an audit goes by: the
#: record's id, its options and players as JSON, and, if wanted, of each deal with known hands its number and digests (see
#: `handrec.digests`). Where no record can be made of a row, these are null. Last, whether it says what hangs on other tables
#: (IMPs, matchpoints), which nobody can compare by itself.
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
        ("together", pa.bool_()),
    ]
)

#: So many records are made at a time.
ROWS = 1024


class _OfThread(local):
    """What a thread keeps: heads of records, by what finds their games."""

    def __init__(self) -> None:
        self.heads: dict[Find, Heads] = {}


_OF_THREAD = _OfThread()


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
        return _verdicts(Cut(batch, _OF_THREAD.heads.setdefault(judge.find, Heads(judge.find))), judge, digests, sieve)
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


def _verdicts(cut: Cut, judge: Judge, digests: bool, sieve: bool) -> pa.RecordBatch:
    rows = len(cut.batch)
    told, bares, which = sifted(cut, judge.failed) if sieve else Rows([None] * rows, [None], np.zeros(rows, np.int64))
    passed = np.array([each is not None for each in told], bool)
    about = [(None, None) if bare is None or bare[0] is None else _about(bare[0]) for bare in bares]
    options, players = map(list, zip(*(about[each] for each in which.tolist()), strict=True)) if rows else ([], [])
    deals, codes, findings, together = cut.counts.tolist(), [""] * rows, ["[]"] * rows, claiming(cut).tolist()
    lines = [b"" if bare is None or bare[0] is None else head_of(bare[0].game, bare[0].options) for bare in bares]
    placed = digested(cut, passed, lines, which) if digests else []
    for row, record, found in _refereed(cut, np.flatnonzero(~passed), judge):
        deals[row], codes[row] = (
            len(record.deals) if record else 0,
            " ".join(finding.code for finding in found if finding.because is None),
        )
        findings[row], together[row] = (
            json_text([_plain(finding) for finding in found]),
            record is not None and is_claiming(record),
        )
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
        pa.array(together, pa.bool_()),
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


def _listed(placed: list[PlacedDigest], known: Array) -> pa.Array:
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
    """(rows,) bool: nothing is wrong with the record, as far as the sieve can tell."""
    return np.array([each is not None for each in sifted(cut).levels], bool)


def claiming(cut: Cut) -> Array:
    """(rows,) bool: a deal of the record that stands in columns says what hangs on other tables."""
    told = np.zeros(len(cut.batch), bool)
    for columns in (part.columns for part in cut.parts):
        scripts = np.array([any(f'"{what}"' in script for what in OF_TABLES) for script in columns.scripts], bool)
        told[columns.record[scripts[columns.script]]] = True
    return told


class Rows(NamedTuple):
    """What the sieve says of rows: the `levels` of each that it passes, else None; and `bares`, of which each row has `which`."""

    levels: list[tuple[Level, ...] | None]
    bares: list[Loaded | None]
    which: Array


def sifted(cut: Cut, failed: Failed = warned) -> Rows:
    """Put the rows of a batch through the sieve. The verdict on a record that it passes has no findings, and these levels."""
    clean = cut.in_columns
    bares, which = bare_records(cut, clean)
    usable = np.array([bare is not None and _stated(bare[0]) and not bare[1] for bare in bares], bool)
    clean &= usable[which] if len(usable) else clean
    whole = np.array([bare is not None and _stated(bare[0]) and bare[0].status != "excerpt" for bare in bares], bool)
    first = np.array([bare is not None and bare[0] is not None and not minor(bare[0].version) for bare in bares], bool)
    done = []
    for part in cut.parts:
        columns, game = part.columns, part.head.game
        if game.enclosed:
            enclosing = np.array([_encloses(bare, game) for bare in bares], bool)
            clean[columns.record[enclosing[which[columns.record]]]] = False
        columns.whole = whole[which[columns.record]] | (not game.carries)
        try:
            found = sift(columns) if judged(columns.codec) else None
        except Exception as error:
            failed("sieve", error)
            found = None
        if found is None:
            clean[columns.record] = False
            continue
        clean[columns.record[~found.fine | first[which[columns.record]] & ~found.first]] = False
        done.append(Done(part, found, _has_result(columns)))
    told: list[tuple[Level, ...] | None] = [None] * len(clean)
    lone = ~whole[which] & (cut.counts == 1) if len(which) else clean
    for rows, spots in _groups(cut, done, clean, lone, which):
        bare = bares[which[rows[0]]]
        outcome = together(bare[0], spots) if bare is not None and bare[0] is not None else None
        for row in rows:
            told[row] = outcome
    return Rows(told, bares, which)


def _encloses(bare: Loaded | None, game: Game) -> bool:
    """Whether a record brings something with it that is to be looked at besides its deals."""
    return bare is not None and bare[0] is not None and any(enclosed.there(bare[0]) for enclosed in game.enclosed)


def _stated(bare: Record | None) -> TypeGuard[Record]:
    """Whether a record without its deals states its status: where it does not, its deals tell it."""
    return bare is not None and "status" in bare.model_fields_set


class Done(NamedTuple):
    """Deals that have been through the sieve, and which (n,) have a result claimed."""

    part: Block
    found: Sifted
    has_result: Array


#: A deal among those.
Spot = tuple[Done, int]


def _groups(cut: Cut, done: list[Done], clean: Array, lone: Array, which: Array) -> Iterator[tuple[list[int], list[Spot]]]:
    """Rows and the deals of one of them, by which all of these rows can be judged.

    Of single deals out of games, whether the game has such a deal hangs on number and size alone; all others are by themselves.
    """
    spots: dict[int, list[Any]] = {row: [None] * int(cut.counts[row]) for row in np.flatnonzero(clean & ~lone).tolist()}
    for some in done:
        part, rows = some.part, some.part.columns.record
        alone = (clean & lone)[rows] & ~some.found.unsure.any(axis=1)
        mine = np.flatnonzero(alone)
        kinds = (which[rows[mine]] << 32) + (part.columns.number[mine] << 2) + (some.has_result[mine] << 1)
        kinds += part.columns.sized[mine]
        for kind in np.unique(kinds).tolist():
            same = mine[kinds == kind]
            yield rows[same].tolist(), [(some, int(same[0]))]
        for spot in np.flatnonzero(clean[rows] & ~alone).tolist():
            spots.setdefault(int(rows[spot]), [None])[int(part.columns.place[spot])] = (some, spot)
    for row, several in spots.items():
        yield [row], several


class StatedClaims(NamedTuple):
    """What is claimed of a deal that bears on the game as a whole."""

    scores: dict[str, int] | None
    totals: dict[str, int] | None
    trump: None = None
    bids: None = None
    winners: None = None
    tricks: None = None


class Stated(NamedTuple):
    """What is stated of a deal that bears on the game as a whole."""

    number: int | None
    cards: int | None
    dealer: str | None
    claimed: StatedClaims
    aside: None = None
    leader: None = None
    events: tuple[Any, ...] = ()
    status: str = "complete"


def _has_result(deals: Columns) -> Array:
    """(n,) bool: winners, tricks or scores are claimed, of seats or sides."""
    numbers = np.concatenate([deals.tricks, deals.scores], axis=1)
    sides = np.array([_claims_sides(deals, text) for text in deals.scripts], bool)[deals.script]
    return (numbers != NOTHING).any(axis=1) | (deals.winners[:, 0] != NONE) | sides


def _claims_sides(deals: Columns, text: str) -> bool:
    """Whether a script says what sides are said to have."""
    script = deals.codec.script_with("sides", text)
    return script is not None and bool(script.claims.get("sides"))


def together(record: Record, spots: list[Spot]) -> tuple[Level, ...] | None:
    """The levels of a record whose deals are fine, each by itself; None if something is wrong with them as a whole."""
    tables, results = list[Table](), list[DealResult]()
    deals = []
    for place, ((part, found, _), spot) in enumerate(spots):
        columns, seats, game, shape = part.columns, part.head.seats, part.head.game, part.columns.codec.shape
        scores, totals = (
            {seat: points for seat, points in zip(seats, said[spot].tolist(), strict=True) if points != NOTHING}
            for said in (columns.scores, columns.totals)
        )
        dealer, number = int(columns.dealer[spot]), int(columns.number[spot])
        cards, who = shape.size if columns.sized[spot] else None, seats[dealer] if dealer >= 0 else None
        deal: Any = Stated(number or None, cards, who, StatedClaims(scores or None, totals or None))
        if game.score and not found.scored[spot] and record.status != "excerpt":
            return None
        deals.append(deal)
        tables.append(Table(game, shape.pack, seats, place, deal, number or place + 1, shape.size, True))
        if record.status != "excerpt":
            results.append(_result(tables[-1], found, spot))
    claimed = record.claimed
    named = () if claimed is None else (*(claimed.totals or ()), *(claimed.winners or ()))
    of_sides = claimed is not None and claimed.sides is not None
    if not spots or of_sides or not {*named} <= {player.seat for player in record.players}:
        return None
    doubts: dict[str, list[str]] = {}
    findings, *_ = judge_game(record.model_copy(update={"deals": deals}), spots[0][0].part.head.game, tables, results, doubts)
    if findings or any(table.findings for table in tables):
        return None
    for table, (done, spot) in zip(tables, spots, strict=True):
        for place in np.flatnonzero(done.found.unsure[spot]).tolist():
            doubts.setdefault("L5", []).append(f"deal {table.number}: {NOT_RECOMPUTED.format(table.seats[place])}")
        if not done.has_result[spot]:
            doubts.setdefault("L5", []).append(f"deal {table.number}: {NO_RESULT}")
        for level, reasons in table.doubts.items():
            doubts.setdefault(level, []).extend(reasons)
    return levels([], doubts)


def _result(table: Table, found: Sifted, spot: int) -> DealResult:
    """What the checks across deals need of a deal's result."""
    game, names = table.game, table.seats[: table.count]
    lines = {seat: {"points": points} for seat, points in zip(names, found.scores[spot].tolist(), strict=True)}
    numbers = {key: column[spot].tolist() for key, column in found.carried.items()}
    carried = {seat: {key: values[place] for key, values in numbers.items()} for place, seat in enumerate(names)}
    return DealResult(
        number=table.number,
        cards=table.size,
        dealer=table.seat(table.dealer),
        order=None,
        bids={},
        tricks=None,
        lines=lines if game.score else {},
        penalties={},
        totals=None,
        carried={seat: values for seat, values in carried.items() if values},
    )
