"""The Python interface: read a record, write it, have it refereed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from handrec import formats, games, judging, referee, writing
from handrec.allowance import Allowance
from handrec.findings import Finding, Location, Verdict
from handrec.formats import untold
from handrec.record import Record

__all__ = ["Finding", "Record", "Unreadable", "Verdict", "check", "check_all", "dump", "dumps", "load", "loads"]


JUDGE = judging.Judge(games.find)


class Unreadable(ValueError):
    """A record that could not be read; `findings` says what is wrong, and where."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        self.findings = findings
        lines = [f"{finding.location}: {finding.code} {finding.message}" for finding in findings]
        super().__init__("\n".join(lines))


def loads(text: str | bytes, name: str = "<text>") -> Record:
    """The record in a text or in bytes.

    Raises `Unreadable` with every finding if it is no record, or if there are several.

    >>> loads('{"format": "handrec"}')
    Traceback (most recent call last):
    ...
    handrec.api.Unreadable: <text>:1:1: FMT006 "version" should be such as "1.0"
    """
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    readings = list(formats.read(data, name))
    if len(readings) != 1:
        why = f"{len(readings)} records where one is expected"
        raise Unreadable((Finding(referee.FORM["FMT001"], {"why": why}, location=Location(name)),))
    reading = readings[0]
    if reading.record is None:
        raise Unreadable(tuple(reading.placed(finding) for finding in reading.findings))
    return reading.record


def load(path: str | Path) -> Record:
    """The record in a file, in any format that can be read. Raises `Unreadable`, or OSError if there is no such file."""
    return loads(Path(path).read_bytes(), str(path))


def dumps(record: Record) -> str:
    """The record as JSON text, laid out for reading; `loads` gives the same record back."""
    return writing.dumps(record)


def dump(record: Record, path: str | Path, *, clobber: bool = False) -> None:
    """Write the record to a file, whole or not at all. Raises FileExistsError if it exists, unless `clobber`."""
    writing.write(Path(path), dumps(record), clobber=clobber)


def check(record: Record, find: judging.Find = games.find) -> Verdict:
    """Referee a record: every level checked, everything wrong found in one pass; `find` gives the game for its name.

    Slips of the pen are told as such, and each fault with the other readings of the rules under which it would be none. What
    hangs on other tables, as IMPs and matchpoints do, no record tells alone: see `handrec.matches`. A status that is not stated
    is told by the deals, as in a file, and said.
    """
    judge = JUDGE if find is games.find else judging.Judge(find)
    return _settled(record, lambda settled: checked(settled, judge), find)


def check_all(records: Iterable[Record]) -> Iterator[Verdict]:
    """Referee many records: the verdict of `check` on each, in order.

    Other readings of the rules are not tried: `readings` of every finding is empty.
    """
    from handrec import explanations  # most records have nothing to explain

    return (_settled(record, lambda settled: explanations.check(settled, JUDGE)) for record in records)


def _settled(record: Record, judged: Callable[[Record], Verdict], find: judging.Find = games.find) -> Verdict:
    """The verdict on a record with the status that its deals tell, where none is stated, and that as a remark."""
    record, remarks = untold.settled(record, find)
    verdict = judged(record)
    return referee.with_form(verdict, remarks) if remarks else verdict


def checked(record: Record, judge: judging.Judge, allowance: Allowance | None = None) -> Verdict:
    """A judge's verdict on a record, with slips told as slips, and with other readings of the rules.

    What is beyond the `allowance` is not explained, which the record adds to.
    """
    (verdict, tables), game = judge.examined(record), judge.find(record.game)
    allowance = allowance or Allowance()
    allowance.earn(record, tables, verdict.findings)
    if game is None or not verdict.findings or verdict.ok:
        return verdict
    from handrec import explanations, readings  # most records have nothing to explain

    told = explanations.at_sight(record, game, verdict, tables, allowance)
    return readings.with_readings(told, record, game, tables, allowance)
