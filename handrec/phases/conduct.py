"""Conduct at the table: accusations, rulings, penalties."""

from __future__ import annotations

from dataclasses import dataclass

from handrec.game.value import Phase


@dataclass(frozen=True)
class Conduct(Phase):
    """Accusations, rulings and penalties; judged when all deals are replayed, since a fault may come to light late.

    `suggested` is the usual size of a penalty; with `fixed` it is the agreed one, and another is a fault.
    """

    suggested: int | None = None
    fixed: bool = False
    kinds = ("accuse", "penalty", "ruling")
