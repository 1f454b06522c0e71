"""What comes of some records: counted, and kept as rows for the report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from operator import add
from typing import Any

from handrec import games, referee
from handrec.audit.digests import digests
from handrec.findings import Finding, Location, Verdict
from handrec.formats import Reading
from handrec.record import Record
from handrec.report.safe import MESSAGE, PLACE, safe

#: What came of a chunk, as JSON has it. `totals` and each of `tallies[kind][key]` are numbers in the order of `NUMBERS`;
#: `records` (those with findings) and `findings` are rows as `handrec.audit.store` describes them. `deals` are blocks, each
#: a path and four lists, an item for each deal: line, number, game, and both digests one after another.
Result = dict[str, Any]

#: The number of this kind of result, and of what is digested: what was journalled under another is of no use.
VERSION = 2

NUMBERS = ("records", "deals", "faulty", "errors", "warnings", "notes")
KINDS = ("code", "game", "options", "player")


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
        for rows in ("records", "findings"):
            whole[rows] += result[rows]
        for path, *columns in result["deals"]:
            put_deals(whole, path, columns)
    return whole


def put_deals(result: Result, path: str, columns: Iterable[list[Any]]) -> None:
    """Put deals after those that are there: their lines, numbers, games and digests."""
    if not result["deals"] or result["deals"][-1][0] != path:
        result["deals"].append([path, [], [], [], []])
    for mine, more in zip(result["deals"][-1][1:], columns, strict=True):
        mine += more


def put(result: Result, name: str, line: int, reading: Reading, found: tuple[Finding, ...] | None) -> None:
    """Count a record with its findings (None: those of its form), and keep what the report needs of it."""
    record, path = reading.record, safe(name, PLACE)
    findings = reading.findings if found is None else found
    deals = len(record.deals) if record else 0
    severities = Counter(finding.severity for finding in findings)
    weights = [severities[severity] for severity in ("error", "warning", "info")]
    numbers = [1, deals, int(weights[0] + weights[1] > 0), *weights]
    result["totals"] = list(map(add, result["totals"], numbers))
    game = safe(record.game) if record else ""
    if record:
        put_record(result, record, numbers, findings)
    for code in {finding.code for finding in findings}:
        _count(result["tallies"]["code"], code, _numbers(finding for finding in findings if finding.code == code))
    shown = safe(record.id) if record and record.id else f"{path}:{line}" if line else path
    if findings:
        result["records"].append([path, line, shown, game, deals, *weights])
        result["findings"] += [_row(path, shown, game, finding) for finding in findings]
    if record and (told := list(digests(record))):
        many = len(told)
        put_deals(result, path, ([line] * many, [one for one, _ in told], [game] * many, [both for _, both in told]))


def put_clean(result: Result, record: Record, records: int, deals: int) -> None:
    """Count so many clean records with so many deals, which are like this one in all else."""
    numbers = [records, deals, 0, 0, 0, 0]
    result["totals"] = list(map(add, result["totals"], numbers))
    put_record(result, record, numbers, ())


def put_record(result: Result, record: Record, numbers: list[int], findings: Iterable[Finding]) -> None:
    """Count by game, by options, and for each player that has a name, with the findings at their seat."""
    tallies, game = result["tallies"], safe(record.game)
    _count(tallies["game"], game, numbers)
    _count(tallies["options"], f"{game}, {_options(record)}", numbers)
    for player in record.players:
        if player.name:
            own = _numbers(finding for finding in findings if finding.seat == player.seat)
            _count(tallies["player"], safe(player.name), [*numbers[:2], *own[2:]])


def _count(tallies: dict[str, list[int]], key: str, numbers: list[int]) -> None:
    tallies[key] = list(map(add, tallies[key], numbers)) if key in tallies else numbers


def _numbers(some: Iterable[Finding]) -> list[int]:
    """The numbers of one record that has these findings: the deals are those in which they stand."""
    findings = list(some)
    weights = Counter(finding.severity for finding in findings)
    deals = len({finding.deal for finding in findings} - {None})
    return [1, deals, int(bool(weights["error"] or weights["warning"])), weights["error"], weights["warning"], weights["info"]]


def _options(record: Record) -> str:
    words = (
        f"{key} {value if isinstance(value, str) else json.dumps(value, sort_keys=True)}"
        for key, value in sorted(record.options.items())
    )
    return safe(", ".join(words) or "no option", PLACE)


def _row(path: str, record: str, game: str, finding: Finding) -> list[Any]:
    place = finding.location or Location(path)
    told = [finding.code, finding.rule, finding.severity, finding.level, finding.deal, finding.trick]
    words = [finding.seat and safe(finding.seat), safe(finding.pointer, PLACE), safe(finding.message, MESSAGE)]
    return [path, place.line or None, place.column or None, record, game, *told, *words]


def failure(why: str, name: str, line: int) -> Finding:
    """That we failed over what stands there."""
    return Finding(referee.FORM["INT001"], {"why": why}, location=Location(name, line, 1))


def unread(finding: Finding) -> Reading:
    """A place where there is this finding, and no record."""
    place = finding.location or Location("")
    return Reading(None, (finding,), lambda pointer: place)


def broken(name: str, line: int, finding: Finding) -> Result:
    """What comes of such a place."""
    result = nothing()
    put(result, name, line, unread(finding), None)
    return result


def found(name: str, line: int, reading: Reading) -> tuple[Finding, ...] | None:
    """The referee's findings, with their places; None if it failed."""
    try:
        verdict = _verdict(reading)
        return tuple(map(reading.placed, verdict.findings))
    except Exception as error:  # as in every command: it becomes a finding, and the next record has its turn
        why = f"{type(error).__name__} in the record"
        return (
            *map(reading.placed, reading.findings),
            failure(why, name, line),
        )


def _verdict(reading: Reading) -> Verdict:
    if reading.record is None:
        return referee.unreadable(reading.findings)
    verdict = referee.check(reading.record, games.find)
    return referee.with_form(verdict, reading.findings) if reading.findings else verdict
