"""Cards of a hand that nobody wrote down (`??`, `?S`, `T?`), and which cards can be those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from handrec.cards import UNKNOWN, fits, is_known

if TYPE_CHECKING:
    from handrec.game.table import Table


def blanks_of(cards: Sequence[str], size: int) -> list[str]:
    """The cards of a hand of this size that are not known: those written as such, and those not written at all."""
    return [card for card in cards if not is_known(card)] + [UNKNOWN] * (size - len(cards))


def fill(blanks: list[str], cards: list[str]) -> set[str]:
    """Those of the cards that can stand for unknown cards of a hand, as many as fit (augmenting paths)."""
    taken: dict[int, str] = {}
    for card in cards:
        _assigned(card, blanks, taken, set())
    return set(taken.values())


def _assigned(card: str, blanks: list[str], taken: dict[int, str], tried: set[int]) -> bool:
    """Whether a card can stand for one of the blanks, and those taken so far still for others; then it does."""
    for blank, token in enumerate(blanks):
        if blank not in tried and fits(card, token):
            tried.add(blank)
            if blank not in taken or _assigned(taken[blank], blanks, taken, tried):
                taken[blank] = card
                return True
    return False


def may_hold(table: Table, seat: int, card: int) -> bool:
    """Whether a card that nobody is known to hold can be one of a seat's, whose hand is recorded in part or not at all."""
    listed = (table.deal.hands or {}).get(table.seats[seat])
    if listed is None:
        return True
    if table.handed:  # the hand is no longer what was dealt
        return False
    filled = [name for name in table.names(table.hands[seat]) if name not in listed]
    return len(fill(blanks_of(listed, table.size), [*filled, table.pack.cards[card]])) > len(filled)
