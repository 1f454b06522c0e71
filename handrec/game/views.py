"""What rules see: one small class for bids, one for the calls of an auction, one for trump, one for hands that are scored.

Every field may hold a value of one deal (the referee, the fast path) or an array, a value for each of many (the sieve); a rule
is the same text for both. What a rule of play sees stands in `playing.View`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from handrec.cards import Pack


@dataclass(slots=True)
class BidView:
    """What a rule of bids sees.

    `value` in tricks (None: not known), and the `cards` of a hand; the sum of the `others` (None: not known, or not all are
    made); whether the bid is the `last` of all; the mask of the `hand`, whether it is known in `whole`, and the masks of the
    `suits` (none: not known); by each of the game's `words` whether the bid is, or has, that word; whether it is `unknown`, no
    bid that the game has.
    """

    value: Any
    cards: int
    others: Any = None
    last: Any = False
    hand: Any = 0
    whole: Any = False
    suits: tuple[Any, ...] = ()
    words: Mapping[str, Any] = field(default_factory=dict)
    unknown: Any = False


@dataclass(slots=True)
class CallView:
    """What a rule sees of a call of an auction.

    Its `value` in tricks, and the `cards` of a hand; the sum of the `others` where this is the `last` call. Whether it `imposes`
    a mode, or is the `first` to; the `rank` of its mode and of the `standing` one (more is higher). Of what stands, `proposed` is
    the number of whoever imposed it and `highest` the highest called in it, -1 where nothing stands or it is not known. Whether
    the mode is `locked`, a mark that the call needs is missing (`unmarked`), or it names another than the one that stands
    (`remarked`).
    """

    value: Any
    cards: int
    others: Any = None
    last: bool = False
    imposes: bool = False
    first: bool = False
    rank: int = 0
    standing: int = -1
    proposed: int = -1
    highest: int = -1
    locked: bool = False
    unmarked: bool = False
    remarked: bool = False


@dataclass(slots=True)
class TrumpView:
    """What the rule of trump sees: the trump that is written down (`found`), and the one by which the deal was played (`due`)."""

    found: str
    due: str


@dataclass(slots=True)
class OverView:
    """What a phase sees of deals that are over and in order, to tell what became of the cards (arrays, a value for each deal).

    By seat what it had `said` (see `Phase.said`), and the mask of the cards in the tricks it has `taken`; by trick who won it
    (`winners`, seats as numbers); the masks of the cards `turned`, one after the other, and of those that are `hidden`, held by
    nobody and not turned; and by the place of an event the mask of its `card`, none of a place below 0. The `pack` says which
    card is which.
    """

    pack: Pack
    said: Sequence[Mapping[str, Any]]
    taken: Sequence[Any]
    winners: Sequence[Any]
    turned: Sequence[Any]
    hidden: Any
    card: Callable[[Any], Any]


class HandView:
    """What a line of the score sees of a hand that is over, and a number that is carried on.

    The `tricks` taken; of the bid its `value` in tricks, its `kind` and the `suit` it names, and whether it was `blind`; the
    `cards` of a hand. Besides, under their own names, the facts that the game's phases tell, and the numbers carried so far.
    """

    __slots__ = ("blind", "cards", "facts", "kind", "suit", "tricks", "value")

    def __init__(self, tricks: Any, value: Any, kind: str, suit: str, blind: Any, cards: int, facts: Mapping[str, Any]) -> None:
        self.tricks, self.value, self.kind, self.suit, self.blind = tricks, value, kind, suit, blind
        self.cards, self.facts = cards, facts

    def __getattr__(self, name: str) -> Any:
        try:
            return self.facts[name]
        except KeyError:
            raise AttributeError(f"no phase of the game tells {name}, and nothing of that name is carried") from None
