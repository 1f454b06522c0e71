"""When each play of a case could be told to be illegal, or legal, in a view."""

from __future__ import annotations

from dataclasses import dataclass

from handrec.inference.case import DealCase
from handrec.inference.position import ActVerdict, Position


@dataclass
class Dates:
    """The moments of an act, in one view: counts of events, None for what did not come about.

    `committed` it was done; `shown` its seat first showed a card that made it illegal; `conditional` it was first proved
    illegal if the others were legal, `withdrawn` when that ended without proof; `illegal`, `legal`, `impossible` the final
    verdict was first reached. `verdict` is the one at the end.
    """

    act: int
    committed: int
    verdict: ActVerdict = "consistent"
    shown: int | None = None
    conditional: int | None = None
    withdrawn: int | None = None
    illegal: int | None = None
    legal: int | None = None
    impossible: int | None = None


def dates(case: DealCase, view: str = "public") -> list[Dates]:
    """The dates of every act of a case, in order."""
    found: dict[int, Dates] = {}
    open_: list[Dates] = []  # those whose verdict later cards may change
    for moment in range(1, len(case.events) + 1):
        if case.events[moment - 1].judged:
            found[moment - 1] = Dates(moment - 1, moment)
            open_.append(found[moment - 1])
        position = Position(case, moment, view)
        if position.contradictory:
            for each in found.values():
                each.verdict, each.impossible = "impossible", each.impossible or moment
                if each.conditional and each.illegal is None:
                    each.withdrawn = each.withdrawn or moment
            open_ = []
            continue
        open_ = [each for each in open_ if not _settled(each, position)]
    _shown(case, found)
    return list(found.values())


def _settled(each: Dates, position: Position) -> bool:
    """Take down the verdict at a moment; whether it is final."""
    each.verdict = position.verdict(each.act)
    if each.verdict == "illegal-proved-if-others-legal":
        each.conditional = each.conditional or position.moment
    elif each.verdict == "illegal-proved":
        each.illegal = position.moment
    else:
        if each.conditional and each.withdrawn is None:
            each.withdrawn = position.moment
        each.legal = position.moment if each.verdict == "legal-proved" else None
    return each.verdict in ("illegal-proved", "legal-proved")


def _shown(case: DealCase, found: dict[int, Dates]) -> None:
    """When a seat first showed a card that it should have played."""
    for act, each in found.items():
        event = case.events[act]
        later = (spot for spot in range(act, len(case.events)) if case.events[spot].seat == event.seat)
        first = next((spot for spot in later if case.events[spot].cards & event.barred and not case.events[spot].unseen), None)
        each.shown = None if first is None else first + 1
