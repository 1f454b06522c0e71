"""Conduct at the table: accusations, rulings, penalties."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from handrec.findings import Finding
from handrec.game import Game
from handrec.game.phase import Phase
from handrec.game.planting import Data, Planting, any_deals
from handrec.game.table import Table


@dataclass(frozen=True)
class Conduct(Phase):
    """Accusations, rulings and penalties; judged when all deals are replayed, since a fault may come to light late.

    `suggested` is the usual size of a penalty; with `fixed` it is the agreed one, and another is a fault.
    """

    suggested: int | None = None
    fixed: bool = False
    judged_late = True
    kinds = ("accuse", "penalty", "ruling")
    anytime = kinds

    @property
    def plants(self) -> Mapping[str, Planting]:
        """A wrong ruling, and where its size is agreed on, a wrong penalty."""
        return {"CLM003": Planting(_misruled)} | ({"CLM004": Planting(_other_penalty, reckoned=True)} if self.fixed else {})

    def look_back(self, tables: Sequence[Table]) -> None:
        """Write down remarks on accusations, and findings on rulings and penalties that do not agree with the record."""
        judged = [(table, place, event) for table in tables for place, event in table.besides if event.do in self.kinds]
        charged = {table.index: Charged(table) for table in tables} if judged else {}
        numbered = {each.table.number: each for each in reversed(charged.values())}  # of two with a number the first is meant
        for table, place, event in judged:
            if event.do != "penalty":
                _accused(charged[table.index] if event.of_deal is None else numbered.get(event.of_deal), table, place, event)
            elif self.suggested is not None and event.points != self.suggested:
                code = "CLM004" if self.fixed else "CLM005"
                table.compare(code, event.points, self.suggested, place, "/points", seat=event.of)


class Charged:
    """A deal as those see it who look for a fault of play in it; read once, for there may be many."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.illegal: dict[tuple[str | None, int | None], Finding] = {}  # by seat and trick, and by seat: the first
        for finding in table.findings:
            if finding.code.startswith("REV") and finding.severity == "error":
                for trick in (finding.trick, None):
                    first = self.illegal.setdefault((finding.seat, trick), finding)
                    if _event(finding) < _event(first):
                        self.illegal[finding.seat, trick] = finding
        self.played = {trick.number for trick in table.tricks}
        self.unjudged = {seat for seat, _ in table.unjudged}

    def fault(self, table: Table, place: int, event: Any) -> Finding | None:
        """The illegal play that the accused had made by an event of a deal, in the trick named if one is."""
        first = self.illegal.get((event.of, event.trick))
        return first if first is not None and (table is not self.table or _event(first) < place) else None

    def open(self, event: Any) -> bool:
        """Whether the record leaves open what the accused could have played."""
        seat = self.table.place_of[event.of]
        if event.trick is None:
            return self.table.stopped is not None or not self.played or seat in self.unjudged
        return event.trick not in self.played or (seat, event.trick) in self.table.unjudged


def _event(finding: Finding) -> int:
    return -1 if finding.event_index is None else finding.event_index


def _accused(accused: Charged | None, table: Table, place: int, event: Any) -> None:
    """Say of an accusation whether the record bears it out; a ruling must agree."""
    where = f"deal {event.of_deal or table.number}" + (f", trick {event.trick}" if event.trick else "")
    fault = None if accused is None else accused.fault(table, place, event)
    if accused is None:
        upheld, outcome = None, f"{where} is not in this record"
    elif fault is not None:
        could = " ".join(fault.facts["could"])
        upheld, outcome = True, f"{where}: {event.of} played {fault.facts['card']} while holding {could}"
    elif accused.open(event):
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


def _misruled(data: Data, rng: Random, game: Game) -> bool:
    """An accusation is upheld though every card was legal."""
    deal = next(any_deals(data, rng))
    seat, trick = rng.choice(data["players"])["seat"], rng.randrange(deal["cards"]) + 1
    deal["events"].append({"do": "ruling", "of": seat, "trick": trick, "verdict": "upheld"})
    return True


def _other_penalty(data: Data, rng: Random, game: Game) -> bool:
    """A penalty is of another size than agreed."""
    deal = next(any_deals(data, rng))
    seat = rng.choice(data["players"])["seat"]
    deal["events"].append({"do": "penalty", "of": seat, "points": rng.choice([1, 10, 36, 38, 100]), "reason": "renege"})
    return True
