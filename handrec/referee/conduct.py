"""Accusations, rulings and penalties, judged by what the replay of all deals has shown."""

from __future__ import annotations

from typing import Any

from handrec.findings import Finding
from handrec.game import Conduct, Game, Table
from handrec.record import Record


def judge_conduct(record: Record, game: Game, tables: list[Table]) -> list[Finding]:
    """Remarks on accusations, and findings on rulings and penalties that do not agree with the record."""
    conduct = next((phase for phase in game.phases if isinstance(phase, Conduct)), None)
    if conduct is None:
        return []
    for table in tables:
        for place, event in enumerate(table.deal.events):
            if event.do in ("accuse", "ruling"):
                _accused(tables, table, place, event)
            elif event.do == "penalty" and conduct.suggested is not None and event.points != conduct.suggested:
                code = "CLM004" if conduct.fixed else "CLM005"
                table.compare(code, event.points, conduct.suggested, place, "/points", seat=event.of)
    return []


def _accused(tables: list[Table], table: Table, place: int, event: Any) -> None:
    """Say of an accusation whether the record bears it out; a ruling must agree."""
    number = event.of_deal or table.number
    accused = next((other for other in tables if other.number == number), None)
    where = f"deal {number}" + (f", trick {event.trick}" if event.trick else "")
    if accused is None:
        table.fault("CLM002", place, seat=getattr(event, "by", None), of=event.of, outcome=f"{where} is not in this record")
        return
    faults = [
        finding
        for finding in accused.findings
        if finding.level == "L4" and finding.code.startswith("REV") and finding.code != "REV009" and finding.seat == event.of
        if event.trick in (None, finding.trick)
    ]
    open_question = "L4" in accused.doubts or accused.stopped
    if faults:
        outcome = f"{where}: {event.of} played {faults[0].facts['card']} while holding {' '.join(faults[0].facts['could'])}"
    elif open_question:
        outcome = f"{where}: it cannot be decided from this record"
    else:
        outcome = f"{where}: every card {event.of} played was legal"
    if event.do == "accuse":
        table.fault("CLM002", place, seat=event.by, of=event.of, outcome=outcome, upheld=bool(faults))
    elif faults or not open_question:
        due = "upheld" if faults else "rejected"
        if event.verdict != "undecided":
            table.compare("CLM003", event.verdict, due, place, "/verdict", of=event.of, outcome=outcome)
