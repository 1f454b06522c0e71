"""A deal as it could be seen: cards shown one after another, and for each play what would have made it illegal.

In these games "the play was legal" says that the hand then held none of certain cards (those of `barred`), so a public
record is nothing but cards, places of known sizes, and cards that places may not hold. A case knows no game.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import or_
from typing import Any, Literal

from handrec.cards import Pack, bits
from handrec.findings import Rule
from handrec.game.playing import View, legal_cards, rule_broken
from handrec.game.value import Shared

#: The rules that a play could have broken, each with the cards that its player must then have held, most specific first.
Tiers = tuple[tuple[Rule, int], ...]
#: What a bid promises of the hand as dealt: of each group of cards, how many.
Groups = tuple[tuple[int, int], ...]

#: The name of the cards that no seat was dealt: no seat can be called so.
STOCK = "(stock)"


@dataclass(frozen=True)
class Observation:
    """Something that shows cards.

    `play`: `seat` shows the card of `cards` and it is gone. `open`: it shows cards that it keeps, as a dummy does, or one
    that was taken back. `turn`: a card of the stock (`seat` None) is faced. `promise`: a bid says how many cards of each
    of its `groups` the dealt hand has. A card played or turned that nobody could read is one of `cards`, and `unseen`.
    `tiers` of a play is None if it cannot be judged. `place` is the event's place in the record, `trick` its trick.
    """

    kind: Literal["play", "open", "turn", "promise"]
    seat: str | None = None
    cards: int = 0
    tiers: Tiers | None = None
    groups: Groups = ()
    unseen: bool = False
    place: int | None = None
    trick: int | None = None

    @cached_property
    def barred(self) -> int:
        """The cards that make this play illegal if its player then held one of them."""
        return reduce(or_, (cards for _, cards in self.tiers or ()), 0)

    @property
    def judged(self) -> bool:
        """Whether this is an act: something done that may have been legal or not."""
        return self.kind == "promise" or (self.kind == "play" and self.tiers is not None)


@dataclass(frozen=True)
class DealCase:
    """A deal as it could be seen.

    `cards` is the mask of the cards in play, `sizes` how many each seat was dealt; all others are the stock. `hands` are
    hands as dealt, as far as the record tells them: only a view that knows them uses them. `doubts` say what could not be
    brought into the case.
    """

    pack: Pack
    cards: int
    sizes: Mapping[str, int]
    events: tuple[Observation, ...]
    hands: Mapping[str, int]
    doubts: tuple[str, ...] = ()

    @property
    def stock(self) -> int:
        """How many cards no seat was dealt."""
        return self.cards.bit_count() - sum(self.sizes.values())

    @property
    def views(self) -> tuple[str, ...]:
        """The views there are: `public`, each seat whose dealt hand is known, and `open` if any is."""
        seats = (seat for seat in self.sizes if seat in self.hands and self.viewer(seat))
        return ("public", *seats, *(("open",) if self.hands else ()))

    def viewer(self, view: str) -> str | None:
        """The seat whose view it is; a seat that is called `public` or `open` has none of its own."""
        return None if view in ("public", "open") else view

    def known(self, view: str) -> Mapping[str, int]:
        """The dealt hands that a view knows. KeyError if there is no such view."""
        if view in ("public", "open"):
            return {} if view == "public" else self.hands
        return {view: self.hands[view]}

    @cached_property
    def unread_seats(self) -> frozenset[str]:
        """The seats of which some card could not be read: of a hand that is known it is open which one that was."""
        return frozenset(event.seat for event in self.events if event.seat and event.unseen)

    def may_lie(self, view: str) -> dict[str, int]:
        """For each place the cards that it can have been dealt, as far as hands that the view knows tell of those not seen."""
        hands = {seat: hand for seat, hand in self.known(view).items() if seat in self.unread_seats}
        taken = reduce(or_, hands.values(), 0)
        return {place: hands.get(place, self.cards & ~taken) for place in (*self.sizes, STOCK)}

    def acts(self, moment: int | None = None) -> list[int]:
        """The places in `events` of what was done before a moment, at all if None, that may have been legal or not."""
        return [spot for spot, event in enumerate(self.events[:moment]) if event.judged]

    @cached_property
    def gone(self) -> list[int]:
        """For each event, the cards that its seat had played before it and not taken back."""
        played: dict[str | None, int] = {}
        before = []
        for event in self.events:
            before.append(played.get(event.seat, 0))
            if event.kind == "play" and not event.unseen:
                played[event.seat] = played.get(event.seat, 0) | event.cards
        return before

    @cached_property
    def repeats(self) -> frozenset[int]:
        """The plays of a card that its seat had played before: no deal of the cards explains them."""
        plays = ((spot, event) for spot, event in enumerate(self.events) if event.kind == "play" and not event.unseen)
        return frozenset(spot for spot, event in plays if event.cards & self.gone[spot])

    def shown(self, moment: int) -> dict[str, int]:
        """The cards that each place has shown by a moment: cards it was dealt, for certain."""
        found = dict.fromkeys((*self.sizes, STOCK), 0)
        for event in self.events[:moment]:
            if not event.unseen:
                found[event.seat or STOCK] |= event.cards
        return found

    def when(self, moment: int) -> str:
        """A moment as card players say it: after `5.2`, the second card of trick five; nothing before the first card."""
        trick, number = None, 0
        for event in self.events[:moment]:
            if event.kind in ("play", "open") and event.trick is not None:
                trick, number = event.trick, number + 1 if event.trick == trick else 1
        return "" if trick is None else f"{trick}.{number}"

    def moment(self, when: str) -> int:
        """The moment after `5.2`, or after the whole of trick `5`; `0` or `end`. ValueError if there is none such."""
        if when in ("0", "start"):
            return next((spot for spot, event in enumerate(self.events) if event.kind == "play"), len(self.events))
        moments = range(1, len(self.events) + 1)
        found = [moment for moment in moments if (shown := self.when(moment)) == when or shown.split(".")[0] == when]
        if when == "end":
            return len(self.events)
        if not found:
            raise ValueError(when)
        return found[-1]

    def names(self, mask: int) -> tuple[str, ...]:
        """The cards of a mask, from high to low."""
        return self.pack.names(mask)

    def statement(self, view: str) -> dict[str, Any]:
        """The case as plain data, all that a view knows: what a proof is checked against."""
        return {
            "cards": list(self.names(self.cards)),
            "sizes": {**self.sizes, STOCK: self.stock},
            "viewer": self.viewer(view),
            "known": {seat: list(self.names(hand)) for seat, hand in self.known(view).items() if seat not in self.unread_seats},
            "may": {place: list(self.names(cards)) for place, cards in self.may_lie(view).items()},
            "events": [self._plain(spot, event) for spot, event in enumerate(self.events)],
        }

    def _plain(self, spot: int, event: Observation) -> dict[str, Any]:
        plain: dict[str, Any] = {"do": event.kind, "by": event.seat or STOCK}
        if spot in self.repeats:
            plain["hides"] = []  # a card that was none of those there are
        elif event.cards:
            plain["hides" if event.unseen else "shows"] = list(self.names(event.cards))
        if event.kind == "play" and event.judged:
            plain["barred"] = list(self.names(event.barred))
        if event.kind == "promise":
            plain["promises"] = [[list(self.names(cards)), many] for cards, many in self.promised(event)]
        return plain

    def promised(self, event: Observation) -> Groups:
        """The groups of a promise, and what is left of the hand, which is of no group; nothing for what is no promise."""
        if not event.groups or event.seat is None:
            return ()
        rest = self.cards & ~reduce(or_, (cards for cards, _ in event.groups), 0)
        return (*event.groups, (rest, self.sizes[event.seat] - sum(many for _, many in event.groups)))


def tiers(rules: tuple[Rule, ...], view: View, card: int, cards: int) -> Tiers:
    """The cards whose holder may not play `card` now, by the rule that it would break, in order of the rules.

    A play is legal if the hand holds none of them, so two cards at a time tell them all.
    """
    found: dict[Rule, int] = {}
    for other in bits(cards & ~(1 << card)):
        hand = 1 << card | 1 << other
        if not legal_cards(rules, view, hand) >> card & 1:
            rule = rule_broken(rules, view, hand, card)
            found[rule] = found.get(rule, 0) | 1 << other
    return tuple(
        (rule, found[rule]) for each in rules for rule in (each.cases if isinstance(each, Shared) else (each,)) if rule in found
    )
