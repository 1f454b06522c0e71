"""Numbers and heads of deals that nothing else in a record tells: what the findings say is due is tried, one edit at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from pydantic import ValidationError

from handrec.explanations.costs import key_of
from handrec.findings import Finding, Verdict
from handrec.game import Game
from handrec.record import Record
from handrec.referee import check
from handrec.repair.edits import ABSENT, Edit, applied, plain, value_at
from handrec.repair.trials import Trials

#: So many edits are tried for what is wrong with one deal, or with the game.
TRIES = 40


def numbered(
    record: Record, game: Game, verdict: Verdict, findings: Sequence[Finding], trials: Trials
) -> Iterator[tuple[int | None, tuple[Finding, ...], tuple[tuple[Edit, ...], ...]]]:
    """Findings by their deals (from 0; None: of the game), each with the edits that leave nothing of them, and nothing new."""
    by_deal: dict[int | None, list[Finding]] = {}
    for finding in findings:
        by_deal.setdefault(finding.deal_index, []).append(finding)
    faults, data = {key_of(finding) for finding in verdict.faults}, plain(record)
    for deal, mine in by_deal.items():
        allowed, ways = faults - {key_of(finding) for finding in mine}, list[tuple[Edit, ...]]()
        edits = [*islice(_due(record, data, mine), TRIES + 1)]
        for edit in trials.of(edits[:TRIES]):
            try:
                after = check(Record.model_validate(applied(data, [edit])), lambda key: game)
            except ValidationError:
                continue  # what is due is nothing that a record can say, as no cards in each hand
            if {key_of(finding) for finding in after.faults} <= allowed:
                ways.append((edit,))
        if len(ways) == 1 and trials.left and len(edits) <= TRIES:  # all were tried
            ways = [tuple(replace(edit, proof="only") for edit in ways[0])]
        yield deal, tuple(mine), tuple(ways)


def _due(record: Record, data: Any, findings: Sequence[Finding]) -> Iterator[Edit]:
    """What may stand instead where something is found."""
    seats = [player.seat for player in record.players]
    for finding in findings:
        where, due = finding.pointer, finding.facts.get("due")
        found = value_at(data, where)

        def to(pointer: str, before: Any, after: Any, finding: Finding = finding) -> Edit:
            return Edit(pointer, before, after, "guess", finding.code, f"{after} for {before}", finding.place or "game")

        for value in due if isinstance(due, list) and not isinstance(found, list) else [due]:
            if found is not ABSENT and type(value) is type(found) and value != found:
                yield to(where, found, value)
        if isinstance(found, str) and finding.code in ("FMT012", "DEA006"):
            yield from (to(where, found, seat) for seat in seats if seat not in (found, due))
            other = str(finding.facts.get("against"))  # the deal before may be the one with the wrong dealer
            dealer = value_at(data, other) if finding.code == "DEA006" else ABSENT
            if isinstance(dealer, str):
                deal = int(other.split("/")[2])
                told = f"deal {record.deals[deal].number or deal + 1}, {dealer}"
                yield from (replace(to(other, dealer, seat), place=told) for seat in seats if seat != dealer)
        numbers = isinstance(found, dict) and all(type(number) is int for number in found.values())
        if numbers and isinstance(due, int) and isinstance(finding.facts.get("found"), int):
            more = due - finding.facts["found"]  # a sum that is wrong: any of its parts
            yield from (to(f"{where}/{key}", number, number + more) for key, number in found.items() if number + more >= 0)
        if "/claimed/totals/" in where and isinstance(due, int) and finding.seat is not None and finding.deal_index is not None:
            other = f"/deals/{finding.deal_index}/claimed/scores/{finding.seat}"
            score = value_at(data, other)
            if isinstance(score, int) and isinstance(found, int):
                yield to(other, score, score + found - due)
