"""The unit of work: a chunk in, what was found out; nothing else happens here, on whatever machine it runs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from itertools import islice
from operator import add
from typing import Any

from handrec import formats, games, referee
from handrec.audit.chunks import Chunk, Piece
from handrec.findings import Finding, Location, Verdict
from handrec.formats import Reading
from handrec.formats import json as one
from handrec.record import Deal, Record
from handrec.report.safe import MESSAGE, PLACE, safe

#: What came of a chunk, as JSON has it. `totals` and each of `tallies[kind][key]` are numbers in the order of `NUMBERS`;
#: `records` (those with findings), `findings` and `deals` are rows as `handrec.audit.store` describes them.
Result = dict[str, Any]

NUMBERS = ("records", "deals", "faulty", "errors", "warnings", "notes")
KINDS = ("code", "game", "options", "player")

#: Deals of fewer cards than these can be alike by chance.
FEW = 16

#: So many records are held at a time.
WINDOW = 1024

#: A record as it was read, where from, and the line it begins in.
Read = tuple[str, int, Reading]


def judge(chunk: Chunk, sieve: bool = True) -> Result:
    """Judge the records of a chunk: the sieve passes what is clean, the referee has all the rest. Never fails."""
    result = nothing()
    reads = iter(_reads(chunk.pieces))
    while window := list(islice(reads, WINDOW)):
        for (name, line, reading), clean in zip(window, _clean([read[2] for read in window], sieve), strict=True):
            _add(result, name, line, reading, () if clean else _found(name, line, reading))
    return result


def lost(piece: Piece) -> Result:
    """What comes of a piece over which a worker died, and died again."""
    result = nothing()
    _add(result, piece.name, piece.line, _failed(piece, "the process that judged it died"), None)
    return result


def nothing() -> Result:
    """What comes of no records."""
    return {"totals": [0] * len(NUMBERS), "tallies": {kind: {} for kind in KINDS}, "records": [], "findings": [], "deals": []}


def merged(results: Iterable[Result]) -> Result:
    """What came of several chunks, as if they had been one."""
    whole = nothing()
    for result in results:
        whole["totals"] = list(map(add, whole["totals"], result["totals"]))
        for kind, tallies in result["tallies"].items():
            for key, numbers in tallies.items():
                _count(whole["tallies"][kind], key, numbers)
        for rows in ("records", "findings", "deals"):
            whole[rows] += result[rows]
    return whole


def _reads(pieces: Iterable[Piece]) -> Iterator[Read]:
    for piece in pieces:
        try:
            for reading, line in _readings(piece):
                yield piece.name, line, reading
        except Exception as error:  # what we fail over must not hide what comes after it
            yield piece.name, piece.line, _failed(piece, type(error).__name__)


def _readings(piece: Piece) -> Iterator[tuple[Reading, int]]:
    if piece.finding is not None:
        place = piece.finding.location or Location(piece.name)
        yield Reading(None, (piece.finding,), lambda pointer: place), place.line
    elif piece.format == "json":
        yield one.reading(piece.data, piece.name, piece.line), piece.line
    elif piece.format == "parquet":
        from handrec.audit import archived

        yield from archived.read(piece.data, piece.name, piece.line)
    else:
        for reading in formats.read(piece.data, piece.name, piece.format):
            yield reading, reading.locate("").line


def _failed(piece: Piece, why: str) -> Reading:
    place = Location(piece.name, piece.line, 1)
    finding = Finding(referee.FORM["INT001"], {"why": why}, location=place)
    return Reading(None, (finding,), lambda pointer: place)


def _clean(readings: list[Reading], sieve: bool) -> list[bool]:
    """Which of these the sieve passes; none where it is not wanted, not installed, or fails."""
    able = [reading.record is not None and not reading.findings and sieve for reading in readings]
    if not any(able):
        return able
    try:
        from handrec.bulk import sift_records

        records = [reading.record for reading, sifted in zip(readings, able, strict=True) if reading.record and sifted]
        answers = iter([answer.clean for answer in sift_records(records, games.find)])
    except Exception:  # slower, never different: a fault of ours will show where the referee meets it
        return [False] * len(readings)
    return [sifted and next(answers) for sifted in able]


def _found(name: str, line: int, reading: Reading) -> tuple[Finding, ...] | None:
    """The referee's findings, with their places; None if it failed."""
    try:
        verdict = _verdict(reading)
        return tuple(map(reading.placed, verdict.findings))
    except Exception as error:  # as in every command: it becomes a finding, and the next record has its turn
        why = f"{type(error).__name__} in the record"
        return (
            *map(reading.placed, reading.findings),
            Finding(referee.FORM["INT001"], {"why": why}, location=Location(name, line, 1)),
        )


def _verdict(reading: Reading) -> Verdict:
    if reading.record is None:
        return referee.unreadable(reading.findings)
    verdict = referee.check(reading.record, games.find)
    return referee.with_form(verdict, reading.findings) if reading.findings else verdict


def _add(result: Result, name: str, line: int, reading: Reading, found: tuple[Finding, ...] | None) -> None:
    """Count a record with its findings (None: those of its form), and keep what the report needs of it."""
    record, path = reading.record, safe(name, PLACE)
    findings = reading.findings if found is None else found
    deals = len(record.deals) if record else 0
    severities = Counter(finding.severity for finding in findings)
    weights = [severities[severity] for severity in ("error", "warning", "info")]
    numbers = [1, deals, int(weights[0] + weights[1] > 0), *weights]
    result["totals"] = list(map(add, result["totals"], numbers))
    tallies = result["tallies"]
    game = safe(record.game) if record else ""
    if record:
        _count(tallies["game"], game, numbers)
        _count(tallies["options"], f"{game}, {_options(record)}", numbers)
        _count_players(tallies["player"], record, findings)
    for code in {finding.code for finding in findings}:
        _count(tallies["code"], code, _numbers(finding for finding in findings if finding.code == code))
    shown = safe(record.id) if record and record.id else f"{path}:{line}" if line else path
    if findings:
        result["records"].append([path, line, shown, game, deals, *weights])
        result["findings"] += [_row(path, shown, game, finding) for finding in findings]
    if record:
        result["deals"] += [[path, line, number, game, *told] for number, *told in _digests(record)]


def _count(tallies: dict[str, list[int]], key: str, numbers: list[int]) -> None:
    tallies[key] = list(map(add, tallies[key], numbers)) if key in tallies else numbers


def _numbers(some: Iterable[Finding]) -> list[int]:
    """The numbers of one record that has these findings: the deals are those in which they stand."""
    findings = list(some)
    weights = Counter(finding.severity for finding in findings)
    deals = len({finding.deal for finding in findings} - {None})
    return [1, deals, int(bool(weights["error"] or weights["warning"])), weights["error"], weights["warning"], weights["info"]]


def _count_players(tallies: dict[str, list[int]], record: Record, findings: Iterable[Finding]) -> None:
    """Count for each player that has a name the findings at their seat."""
    for player in record.players:
        if player.name:
            own = _numbers(finding for finding in findings if finding.seat == player.seat)
            _count(tallies, safe(player.name), [1, len(record.deals), *own[2:]])


def _options(record: Record) -> str:
    words = (f"{key} {value if isinstance(value, str) else json.dumps(value)}" for key, value in sorted(record.options.items()))
    return safe(", ".join(words) or "no option", PLACE)


def _row(path: str, record: str, game: str, finding: Finding) -> list[Any]:
    place = finding.location or Location(path)
    told = [finding.code, finding.rule, finding.severity, finding.level, finding.deal, finding.trick]
    words = [finding.seat and safe(finding.seat), safe(finding.pointer, PLACE), safe(finding.message, MESSAGE)]
    return [path, place.line or None, place.column or None, record, game, *told, *words]


def _digests(record: Record) -> Iterator[tuple[int, str, str]]:
    """Of each deal whose hands are known: its number, the digest of its hands, and that of what was done and written down.

    Seats are their places in clockwise order, so that it does not matter what they are called.
    """
    places = {player.seat: str(place) for place, player in enumerate(record.players)}
    for index, deal in enumerate(record.deals):
        hands = deal.hands or {}
        cards = [",".join(sorted(hands.get(seat, ()))) for seat in places]
        if sum(map(len, hands.values())) < FEW or not all(cards) or any("?" in hand for hand in cards):
            continue
        done = [
            (places.get(event.by or "", event.by), event.card, event.questioned) if event.do == "play" else _said(event, places)
            for event in deal.events
        ]
        played = record.game, sorted(record.options.items()), done, _claimed(deal, places)
        yield deal.number or index + 1, _digest("/".join(cards)), _digest(repr(played))


def _said(event: Any, places: dict[str, str]) -> list[Any]:
    """What an event says, by places."""
    told = (sorted(value.items()) if isinstance(value, dict) else value for value in vars(event).values())
    return [event.do, *(places.get(value, value) if isinstance(value, str) else value for value in told)]


def _claimed(deal: Deal, places: dict[str, str]) -> Any:
    """What was written down of a deal, by places."""
    if deal.claimed is None:
        return None
    tables = (deal.claimed.bids, deal.claimed.tricks, deal.claimed.scores, deal.claimed.totals)
    told = [sorted((places.get(seat, seat), value) for seat, value in table.items()) if table else None for table in tables]
    return told, [places.get(seat, seat) for seat in deal.claimed.winners or ()], deal.claimed.trump


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
