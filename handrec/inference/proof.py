"""Proofs of verdicts: steps that anybody can check with the cards in hand, as plain data.

A step either names a deal of the unseen cards that fits what is assumed, or says why there is none: more cards than there
are places left that can hold them (or nothing at all to say, where what is shown or the numbers of cards speak already).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from handrec.inference.case import DealCase
from handrec.inference.position import ActVerdict, Denial, Position


@dataclass(frozen=True)
class Proof:
    """A verdict on an act of a case, at a moment, in a view, and the steps that show it; none for `consistent`."""

    verdict: ActVerdict
    act: int
    moment: int
    view: str
    because: tuple[dict[str, Any], ...]

    @property
    def certificate(self) -> dict[str, Any]:
        """The proof as plain data, for `checker.accepts` together with the case's statement for its view."""
        return {**vars(self), "because": list(self.because)}


def prove(case: DealCase, act: int, moment: int | None = None, view: str = "public") -> Proof:
    """The verdict on an act at a moment (the end if None), with its proof."""
    position = Position(case, len(case.events) if moment is None else moment, view)
    verdict = position.verdict(act)
    return Proof(verdict, act, position.moment, view, tuple(_steps(position, act, verdict)))


def _steps(position: Position, act: int, verdict: ActVerdict) -> list[dict[str, Any]]:
    """What shows a verdict, in the order in which the checker asks for it."""
    if verdict == "impossible":
        return [_none(position, ())]
    if verdict == "illegal-proved":
        return [_deal(position, ()), _none(position, [act])]
    if verdict == "illegal-proved-if-others-legal":
        others = position.others(act)
        return [_deal(position, [act]), _deal(position, others), _none(position, [*others, act])]
    if verdict == "legal-proved":
        return [_deal(position, ()), *(_none(position, (), denial) for denial in position.denials(act))]
    return []


def _deal(position: Position, legal: Iterable[int]) -> dict[str, Any]:
    layout = position.layout(legal)
    assert layout is not None
    return {"deal": {name: list(position.case.names(cards)) for name, cards in layout.completion().items()}}


def _none(position: Position, legal: Iterable[int], denial: Denial | None = None) -> dict[str, Any]:
    layout = position.layout(legal, denial)
    violator = layout.violator if layout is not None else None
    if violator is None:
        return {"none": {"cards": [], "places": []}}
    return {"none": {"cards": list(position.case.names(violator.cards)), "places": list(violator.places)}}
