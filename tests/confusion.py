"""What is told of planted slips and deeds: the confusion table of the acts.

A plant that leaves nothing to find is `clean`. One of which the referee sees irregular plays, or one irregular call, and nothing
else is the same record as that of a deed (`deed`): nobody can tell it for a slip, and it has a column of its own. Of the others,
`told` are those told as the slip that was planted, or as a tie that holds it; `other` are told as another slip, `accused` as
deeds, `open` are left as the referee found them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from handrec import check, games, referee
from handrec.findings import Finding, Verdict
from handrec.record import Record
from tests.planting import TOLD

#: What a deed leaves: plays that a rule forbids, and plays and leads out of turn.
IRREGULAR = ("REV", "PLY003", "PLY004")
#: What says of a player that it played what it may not, or what it has not.
ACCUSING = (*IRREGULAR, "PLY001", "PLY002")
#: The columns of the table of slips.
COLUMNS = ("told", "tie", "other", "accused", "open", "deed", "clean")


def slips(verdict: Verdict) -> list[Finding]:
    """The slips that are told."""
    return [finding for finding in verdict.faults if finding.code.startswith("REC")]


def accusations(verdict: Verdict) -> list[Finding]:
    """The counted findings that accuse a player, where no slip is as likely."""
    tied = {finding for finding in verdict.faults if any(near.cost <= 0 for near in finding.near)}
    return [finding for finding in verdict.faults if finding.code.startswith(ACCUSING) and finding not in tied]


def as_deed(record: Record) -> bool:
    """Whether the referee sees irregular plays in a record, or one call, and nothing else: somebody may have done so."""
    faults = referee.check(record, games.find).faults
    called = len(faults) == 1 and faults[0].code.startswith("BID")
    return called or all(finding.code.startswith(IRREGULAR) for finding in faults)


def outcome(act: str, record: Record) -> str:
    """The column to which a planted slip belongs."""
    verdict, wanted = check(record), TOLD[act]
    if verdict.ok:
        return "clean"
    told = {finding.facts["act"] for finding in slips(verdict)}.union(*(finding.facts["or"] for finding in slips(verdict)))
    deeds = [finding for finding in verdict.faults if finding.code.startswith(IRREGULAR)]
    tied = [finding for finding in deeds if wanted & {near.act for near in finding.near}]
    if as_deed(record) and not told & wanted:
        return "deed"
    if told & wanted or any(finding.code.startswith(tuple(wanted)) for finding in verdict.faults):
        return "told" if len(tied) == len(deeds) else "accused"
    if tied:
        return "tie"
    return "other" if told else "accused" if deeds else "open"


def deed(planted: Finding, record: Record) -> str:
    """How a planted deed is told: as it is written, as a tie, or not as a deed (`slip`, `clean`).

    Where hands are not known, what shows of a play may be that it broke another rule: it is that player's play all the same.
    """
    verdict = check(record)
    play = planted.pointer.removesuffix("/card"), planted.seat
    irregular = [finding for finding in verdict.faults if finding.code.startswith(IRREGULAR)]
    mine = [each for each in irregular if each.code == planted.code or (each.pointer.removesuffix("/card"), each.seat) == play]
    if not mine:
        return "slip" if slips(verdict) else "clean" if verdict.ok else "other"
    return "tie" if any(near.cost <= 0 for finding in mine for near in finding.near) else "deed"


def share(line: Counter[str]) -> float:
    """How many of the plants that show, and are not the record of a deed, are told for what they are."""
    counted = line.total() - line["clean"] - line["deed"]
    return (line["told"] + line["tie"]) / counted if counted else 1.0


def table(title: str, lines: Iterable[tuple[str, Counter[str]]], columns: Iterable[str] = COLUMNS) -> Iterator[str]:
    """A confusion table as text."""
    columns = [*columns]
    yield f"{title:22}" + "".join(f"{column:>9}" for column in columns)
    for act, line in lines:
        yield f"{act:22}" + "".join(f"{line[column] or '.':>9}" for column in columns)
