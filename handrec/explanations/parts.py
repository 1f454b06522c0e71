"""What a search finds: explanations of the findings of a deal, part by part, and how sure each is."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from handrec.cards import is_known
from handrec.explanations.acts import ACTS
from handrec.explanations.written import Slip
from handrec.findings import Finding
from handrec.record import Deal, Play

#: An explanation is the only one if the next costs so much more.
CLEARLY = 2

#: No slip costs less.
LEAST = 2

#: Nothing so dear is ever wanted.
DEAR = 99

#: So many explanations of a part are kept.
MOST = 40


class Explanation(NamedTuple):
    """Slips undone one after the other, the deal that comes of it, what it costs, and what is still found in it."""

    slips: tuple[Slip, ...]
    deal: Deal
    cost: int
    left: tuple[Finding, ...]
    origin: tuple[int | None, ...]

    @property
    def truth(self) -> Hashable:
        """What happened, if this is so: two ways to the same are one explanation."""
        return facts(self.deal)


@dataclass
class Part:
    """Findings that are explained together: their explanations, cheapest first, all of them up to a cost (`complete`).

    What leaves less decided than the record is no explanation; but one may have happened, so nothing dearer than the cheapest of
    these (`passed_over`) is sure.
    """

    findings: tuple[Finding, ...]
    explanations: list[Explanation] = field(default_factory=list)
    complete: int = 0
    passed_over: int = DEAR

    @property
    def best(self) -> list[Explanation]:
        """The cheapest; several if nobody can tell them apart."""
        return [each for each in self.explanations if each.cost == self.explanations[0].cost]

    @property
    def cut_short(self) -> bool:
        """Whether not even all explanations were tried that could be as cheap as the cheapest, or one was passed over."""
        cheapest = self.explanations[0].cost if self.explanations else LEAST
        return min(self.complete, self.passed_over) < cheapest

    @property
    def settled(self) -> bool:
        """Whether all explanations were tried that matter beside the best: others as cheap, and if there is none, the next."""
        if not self.explanations or self.cut_short:
            return False
        return len(self.best) > 1 or self.complete >= self.best[0].cost + CLEARLY - 1

    @property
    def only(self) -> Explanation | None:
        """The one that is cheaper than all others by so much that no other need be thought of; None if there is none."""
        if len(self.best) != 1 or not self.settled:
            return None
        dearer = self.explanations[1:2]
        return None if dearer and dearer[0].cost < self.best[0].cost + CLEARLY else self.best[0]

    def add(self, found: Explanation) -> None:
        """Keep an explanation, unless another that is no dearer comes to the same."""
        same = next((each for each in self.explanations if each.truth == found.truth), None)
        if same is None or found.cost < same.cost:
            self.explanations = sorted([*(each for each in self.explanations if each is not same), found], key=lambda e: e.cost)
            del self.explanations[MOST:]


def facts(deal: Deal) -> Hashable:
    """All that a deal states of what happened; a play of a card that nobody saw states nothing."""
    hands, aside = (
        tuple((name, *sorted(cards)) for name, cards in sorted((lists or {}).items())) for lists in (deal.hands, deal.aside)
    )
    events = [
        (event.by, event.card) if type(event) is Play else _stated(event)
        for event in deal.events
        if type(event) is not Play or is_known(event.card)
    ]
    return hands, aside, tuple(events), deal.dealer, deal.leader, deal.board, deal.vulnerable


def _stated(event: Any) -> Hashable:
    said = vars(event)
    cards = said.get("card") or tuple(said.get("cards") or ())
    return said["do"], said.get("by"), cards, said.get("bid") or said.get("to")


assert min(act.cost for act in ACTS.values() if act.fault) >= LEAST
