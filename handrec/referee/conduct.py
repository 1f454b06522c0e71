"""Accusations, rulings and penalties, judged by what the replay of all deals has shown."""

from __future__ import annotations

from typing import Any

from handrec.findings import Finding
from handrec.game import Game, Table
from handrec.phases.conduct import Conduct


def judge_conduct(game: Game, tables: list[Table]) -> None:
    """Write down remarks on accusations, and findings on rulings and penalties that do not agree with the record."""
    for table in tables:
        for place, event in table.besides:
            conduct = game.phase_of.get(event.do)
            if not isinstance(conduct, Conduct):
                continue
            if event.do in ("accuse", "ruling"):
                _accused(tables, table, place, event)
            elif event.do == "penalty" and conduct.suggested is not None and event.points != conduct.suggested:
                code = "CLM004" if conduct.fixed else "CLM005"
                table.compare(code, event.points, conduct.suggested, place, "/points", seat=event.of)


def _accused(tables: list[Table], table: Table, place: int, event: Any) -> None:
    """Say of an accusation whether the record bears it out; a ruling must agree."""
    number = event.of_deal or table.number
    accused = table if event.of_deal is None else next((other for other in tables if other.number == number), None)
    where = f"deal {number}" + (f", trick {event.trick}" if event.trick else "")
    fault = None if accused is None else _fault_of(accused, table, place, event)
    if accused is None:
        upheld, outcome = None, f"{where} is not in this record"
    elif fault is not None:
        could = " ".join(fault.facts["could"])
        upheld, outcome = True, f"{where}: {event.of} played {fault.facts['card']} while holding {could}"
    elif _open(accused, event):
        upheld, outcome = None, f"{where}: it cannot be decided from this record"
    else:
        upheld, outcome = False, f"{where}: every card {event.of} played was legal"
    if upheld is None:
        table.doubt("L4", f"deal {table.number}: whether {event.of} played as the rules demand cannot be told")
    if event.do == "accuse":
        table.fault("CLM002", place, seat=event.by, of=event.of, outcome=outcome, upheld=upheld)
    elif upheld is not None and event.verdict != "undecided":
        due = "upheld" if upheld else "rejected"
        table.compare("CLM003", event.verdict, due, place, "/verdict", of=event.of, outcome=outcome)


def _fault_of(accused: Table, table: Table, place: int, event: Any) -> Finding | None:
    """The illegal play that the accused had made by then, in the trick named if one is."""
    for finding in accused.findings:
        illegal = finding.code.startswith("REV") and finding.severity == "error"
        made = accused is not table or int(finding.pointer.split("/")[4]) < place if illegal else False
        if made and finding.seat == event.of and event.trick in (None, finding.trick):
            return finding
    return None


def _open(accused: Table, event: Any) -> bool:
    """Whether the record leaves open what the accused could have played."""
    seat = accused.place_of[event.of]
    if event.trick is None:
        return accused.stopped is not None or not accused.tricks or any(who == seat for who, _ in accused.unjudged)
    played = any(trick.number == event.trick for trick in accused.tricks)
    return not played or (seat, event.trick) in accused.unjudged
