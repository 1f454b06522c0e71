"""What follows from the rest of a record: winners, trick counts, scores, totals.

A value that may be written is never what another is derived from. So the claims are taken away, all but the bids on the
sheet, and the referee fills them in from cards, bids and plays alone. Where these are themselves at fault, nobody can tell
what follows from them, and what is claimed stays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from handrec.findings import DealResult, Finding, Verdict
from handrec.game import Game
from handrec.record import DealClaims, Record
from handrec.referee import check
from handrec.repair.edits import ABSENT, Edit, applied, plain, value_at

#: What is claimed of a deal and follows from it, each with what it follows from before it.
FIELDS = ("trump", "winners", "tricks", "scores", "totals")

#: What still follows where a fault of these codes stands in a deal. After any other, nothing does: a revoke may be a card
#: written down wrongly, and then nobody knows who won which trick.
STILL: dict[str, frozenset[str]] = {
    **dict.fromkeys(("DEA005", "DEA006", "TRK003", "CLM003", "SCO006"), frozenset(FIELDS)),
    **dict.fromkeys(("CLM004", "DEA010"), frozenset(FIELDS) - {"totals"}),
    "SCO004": frozenset({"trump", "winners", "tricks"}),
}


@dataclass(frozen=True)
class Derived:
    """The edits that follow, and the faults that leave open what else would."""

    edits: tuple[Edit, ...]
    doubts: tuple[Finding, ...]


@dataclass(frozen=True)
class _Recomputed:
    """The recomputation, and which fields of each deal are certain; `game` if that of the whole game is."""

    verdict: Verdict
    sure: tuple[frozenset[str], ...]
    game: bool


def derived(record: Record, game: Game, verdict: Verdict | None = None) -> Derived:
    """The edits of claimed values that follow from the rest of the record; never of a card, a hand, a bid or an event.

    `verdict` is that on the record, if it is known. The options are believed.
    """
    found = verdict or check(record, lambda key: game)
    if not any("/claimed" in finding.pointer for finding in found.findings):
        return Derived((), ())
    bare = check(_without_claims(record), lambda key: game)
    if not bare.deals:
        return Derived((), bare.faults)
    known, data, edits = _known(bare), plain(record), list[Edit]()
    for layer in LAYERS:
        new = list(layer(data, found, known))
        if new:
            data = applied(data, new)
            found = check(Record.model_validate(data), lambda key: game)
            edits += new
    return Derived(tuple(edits), bare.faults)


def _without_claims(record: Record) -> Record:
    def bids(claimed: DealClaims | None) -> DealClaims | None:
        return None if claimed is None or claimed.bids is None else DealClaims(bids=claimed.bids)

    deals = [deal.model_copy(update={"claimed": bids(deal.claimed)}) for deal in record.deals]
    return record.model_copy(update={"deals": deals, "claimed": None})


def _known(bare: Verdict) -> _Recomputed:
    sure = [frozenset(FIELDS)] * len(bare.deals)
    for finding in bare.faults:
        parts = finding.pointer.split("/")
        if finding.deal is not None and parts[1] == "deals":
            sure[int(parts[2])] &= STILL.get(finding.code, frozenset())
    whole = True
    for place, fields in enumerate(sure):
        whole = whole and {"scores", "totals"} <= fields
        sure[place] = fields if whole else fields - {"totals"}
    return _Recomputed(bare, tuple(sure), whole and all(finding.deal is not None for finding in bare.faults))


def _edit(data: Any, finding: Finding, pointer: str, due: Any, place: str) -> Iterator[Edit]:
    before = value_at(data, pointer)
    if before != due:
        yield Edit(pointer, before, due, "derived", finding.code, "follows from the rest of the record", place)


def _of(field: str) -> Callable[[Any, Verdict, _Recomputed], Iterator[Edit]]:
    """The edits of one claimed field of all deals, wherever the referee finds fault with it."""

    def layer(data: Any, found: Verdict, known: _Recomputed) -> Iterator[Edit]:
        done: set[str] = set()
        for finding in found.findings:
            parts = finding.pointer.split("/")
            if parts[1:2] != ["deals"] or parts[3:5] != ["claimed", field]:
                continue
            index = int(parts[2])
            if field == "totals":  # what was added up from a wrong total is wrong as well
                spots = [(later, parts[5]) for later in range(index, len(known.sure))]
            else:
                spots = [(index, key) for key in parts[5:] or [""]]
            for where, key in spots:
                result, pointer = known.verdict.deals[where], f"/deals/{where}/claimed/{field}" + (f"/{key}" if key else "")
                due = _due(result, field, key, finding) if field in known.sure[where] else None
                around = value_at(data, f"/deals/{where}/claimed/{field}")
                there = not key or (isinstance(around, dict) and key in around) or isinstance(around, list)
                if due is not None and there and not {pointer, pointer.rpartition("/")[0]} & done:
                    done.add(pointer)
                    yield from _edit(data, finding, pointer, due, _place(result.number, field, key))

    return layer


def _due(result: DealResult, field: str, key: str, finding: Finding) -> Any:
    """What a field of a deal, or its part for a seat or trick, is by the recomputation; None if that is not known."""
    if field == "trump":
        return result.order
    if field == "winners":
        winners = [trick.winner for trick in result.played]
        if key:
            return winners[int(key)] if int(key) < len(winners) else None
        return None if None in winners else winners
    if field == "tricks":  # also those of a seat that is no player's, which only the finding knows
        return finding.facts.get("due") if result.tricks is not None and key else None
    return ((result.scores if field == "scores" else result.totals) or {}).get(key)


def _place(number: int, field: str, key: str) -> str:
    what = {"winners": f"winner of trick {int(key) + 1}" if key.isdigit() else "winners", "scores": "score", "totals": "total"}
    return f"deal {number}, " + what.get(field, field) + (f" of {key}" if key and field != "winners" else "")


def _of_sides(what: str, field: str) -> Callable[[Any, Verdict, _Recomputed], Iterator[Edit]]:
    """The edits of what is claimed for the sides of a deal, wherever the referee finds fault with it for one of them."""

    def layer(data: Any, found: Verdict, known: _Recomputed) -> Iterator[Edit]:
        first: dict[int, Finding] = {}
        for finding in found.findings:
            parts = finding.pointer.split("/")
            if parts[1:2] == ["deals"] and parts[3:5] == ["claimed", "sides"]:
                first.setdefault(int(parts[2]), finding)
        for index, finding in first.items():
            result = known.verdict.deals[index]
            for side, each in result.sides.items() if field in known.sure[index] else ():
                pointer, due = f"/deals/{index}/claimed/sides/{side}/{what}", getattr(each, what)
                if due is not None and value_at(data, pointer) is not ABSENT:
                    yield from _edit(data, finding, pointer, due, f"deal {result.number}, {what} of {side}")

    return layer


def _game_totals(data: Any, found: Verdict, known: _Recomputed) -> Iterator[Edit]:
    totals = known.verdict.totals if known.game else None
    for finding in found.findings:
        seat = finding.pointer.removeprefix("/claimed/totals/")
        if seat != finding.pointer and totals is not None and seat in totals:  # nothing is due to a stranger
            yield from _edit(data, finding, finding.pointer, totals[seat], f"game, total of {seat}")


def _game_winners(data: Any, found: Verdict, known: _Recomputed) -> Iterator[Edit]:
    for finding in found.findings:
        if finding.pointer == "/claimed/winners" and known.game and known.verdict.winners is not None:
            yield from _edit(data, finding, finding.pointer, list(known.verdict.winners), "game, winners")


#: One after another: what was reckoned rightly from a wrong number shows only when that number is right.
LAYERS = (*map(_of, FIELDS), _of_sides("tricks", "tricks"), _of_sides("score", "scores"), _game_totals, _game_winners)
