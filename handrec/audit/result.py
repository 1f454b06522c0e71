"""What comes of some records: counted, and kept as rows for the report."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from operator import add
from typing import Any, NamedTuple

from handrec import explanations, games, referee
from handrec.digests import Digest, digests
from handrec.findings import Finding, Location
from handrec.formats import Reading
from handrec.judging import Judge
from handrec.record import Record
from handrec.report.safe import MESSAGE, PLACE, safe
from handrec.sides import is_claiming

#: What came of a chunk, as JSON has it. `totals` and each of `tallies[kind][key]` are numbers in the order of `NUMBERS`;
#: `records` (those with findings) and `findings` are rows as `handrec.audit.store` describes them. `deals` are blocks, each
#: a path and four lists, an item for each deal: line, number, game, and both digests one after another. `failures` says how often
#: a fast way of judging failed, by which and with what error; `claims` how many records say what hangs on other tables.
Result = dict[str, Any]

#: The number of this kind of result, and of what is digested: what was journalled under another is of no use.
VERSION = 5

NUMBERS = ("records", "deals", "faulty", "errors", "warnings", "notes")
KINDS = ("code", "game", "options", "player")


def nothing() -> Result:
    """What comes of no records."""
    return {
        "totals": [0] * len(NUMBERS),
        "tallies": {kind: {} for kind in KINDS},
        "records": [],
        "findings": [],
        "deals": [],
        "failures": {},
        "claims": 0,
    }


def merged(results: Iterable[Result]) -> Result:
    """What came of several chunks, as if they had been one."""
    whole = nothing()
    for result in results:
        whole["totals"] = list(map(add, whole["totals"], result["totals"]))
        for kind, tallies in result["tallies"].items():
            for key, numbers in tallies.items():
                _count(whole["tallies"][kind], key, numbers)
        for way, many in result["failures"].items():
            whole["failures"][way] = whole["failures"].get(way, 0) + many
        for rows in ("records", "findings", "claims"):
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


class About(NamedTuple):
    """What records are counted by: their game, the options in force, and the players, seat and name (None unknown)."""

    game: str
    options: Mapping[str, Any]
    players: tuple[tuple[str, str | None], ...]

    @classmethod
    def of(cls, record: Record) -> About:
        """That of a record."""
        return cls(record.game, record.options, tuple([(player.seat, player.name) for player in record.players]))


class FindingRow(NamedTuple):
    """A finding as the report needs it; `line` and `column` are None where a file has no such place."""

    line: int | None
    column: int | None
    code: str
    rule: str | None
    severity: str
    level: str
    deal: int | None
    trick: int | None
    seat: str | None
    pointer: str
    message: str

    @classmethod
    def of(cls, finding: Finding) -> FindingRow:
        """That of a finding."""
        place = finding.location or Location("")
        facts = (finding.code, finding.rule, finding.severity, finding.level, finding.deal, finding.trick, finding.seat)
        return cls(place.line or None, place.column or None, *facts, finding.pointer, finding.message)


class Judged(NamedTuple):
    """A record that was judged: what it is counted by (None: it could not be made out), its id, deals, and what was found."""

    about: About | None
    id: str | None
    deals: int
    found: list[FindingRow]


def put(result: Result, name: str, line: int, judged: Judged) -> None:
    """Count a record with its findings, and keep what the report needs of it."""
    path, about, found = safe(name, PLACE), judged.about, judged.found
    numbers = [1, judged.deals, *_numbers(found)[2:]]
    result["totals"] = list(map(add, result["totals"], numbers))
    game = safe(about.game) if about else ""
    if about:
        put_record(result, about, numbers, found)
    for code in {each.code for each in found}:
        _count(result["tallies"]["code"], code, _numbers([each for each in found if each.code == code]))
    if found:
        shown = safe(judged.id) if judged.id else f"{path}:{line}" if line else path
        result["records"].append([path, line, shown, game, judged.deals, *numbers[3:]])
        result["findings"] += [_row(path, shown, game, each) for each in found]


def put_besides(result: Result, name: str, record: str, game: str, clean: bool, findings: Iterable[Finding]) -> None:
    """Take what was found of a record that is counted already, as `clean` or not, when it was compared with others."""
    rows, path, shown, key = [FindingRow.of(finding) for finding in findings], safe(name, PLACE), safe(record), safe(game)
    numbers = [0, 0, int(clean and bool(rows)), *_numbers(rows)[3:]]
    result["totals"] = list(map(add, result["totals"], numbers))
    _count(result["tallies"]["game"], key, numbers)
    for code in {each.code for each in rows}:
        _count(result["tallies"]["code"], code, _numbers([each for each in rows if each.code == code]))
    if clean and rows:
        result["records"].append([path, rows[0].line, shown, key, 1, *numbers[3:]])
    result["findings"] += [_row(path, shown, key, each) for each in rows]


def put_clean(result: Result, about: About, records: int, deals: int) -> None:
    """Count so many clean records with so many deals."""
    numbers = [records, deals, 0, 0, 0, 0]
    result["totals"] = list(map(add, result["totals"], numbers))
    put_record(result, about, numbers, [])


def put_record(result: Result, about: About, numbers: list[int], found: list[FindingRow]) -> None:
    """Count by game, by options, and for each player that has a name, with the findings at their seat."""
    tallies, game = result["tallies"], safe(about.game)
    _count(tallies["game"], game, numbers)
    _count(tallies["options"], f"{game}, {_options(about.options)}", numbers)
    for seat, name in about.players:
        if name:
            own = _numbers([each for each in found if each.seat == seat])
            _count(tallies["player"], safe(name), [*numbers[:2], *own[2:]])


def _count(tallies: dict[str, list[int]], key: str, numbers: list[int]) -> None:
    tallies[key] = list(map(add, tallies[key], numbers)) if key in tallies else numbers


def _numbers(found: list[FindingRow]) -> list[int]:
    """The numbers of one record that has these findings: the deals are those in which they stand."""
    weights = Counter(each.severity for each in found)
    deals = len({each.deal for each in found} - {None})
    return [1, deals, int(bool(weights["error"] or weights["warning"])), weights["error"], weights["warning"], weights["info"]]


def _options(options: Mapping[str, Any]) -> str:
    words = (
        f"{key} {value if isinstance(value, str) else json.dumps(value, sort_keys=True)}"
        for key, value in sorted(options.items())
    )
    return safe(", ".join(words) or "no option", PLACE)


def _row(path: str, record: str, game: str, found: FindingRow) -> list[Any]:
    facts = [found.code, found.rule, found.severity, found.level, found.deal, found.trick]
    words = [found.seat and safe(found.seat), safe(found.pointer, PLACE), safe(found.message, MESSAGE)]
    return [path, found.line, found.column, record, game, *facts, *words]


def put_read(result: Result, name: str, line: int, reading: Reading, quick: bool) -> None:
    """Have a record judged, by the fast ways if `quick`, count it, and digest its deals."""
    judge = Judge(games.find, quick, lambda way, error: put_failure(result, way, error))
    record, found = reading.record, explanations.found(reading.record, reading.findings, judge)
    findings = [FindingRow.of(reading.placed(finding)) for finding in found if finding.because is None]
    about = About.of(record) if record else None
    put(result, name, line, Judged(about, record.id if record else None, len(record.deals) if record else 0, findings))
    result["claims"] += int(record is not None and is_claiming(record))
    if record and (known := list(digests(record))):
        columns = [line] * len(known), [each.number for each in known], [safe(record.game)] * len(known), list(map(both, known))
        put_deals(result, safe(name, PLACE), columns)


def put_failure(result: Result, way: str, error: Exception) -> None:
    """Count that a fast way failed, so that the referee had to judge."""
    failed_way = f"{way}: {type(error).__name__}"
    result["failures"][failed_way] = result["failures"].get(failed_way, 0) + 1


def both(digest: Digest) -> str:
    """Both digests of a deal, as hex digits."""
    return (digest.hands + digest.played).hex()


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
    put(result, name, line, Judged(None, None, 0, [FindingRow.of(finding)]))
    return result
