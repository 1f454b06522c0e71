"""What the table could know: since when a fault was proved, and to whom; who was shown to have no card of a suit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from handrec.findings import Finding
from handrec.game import Table
from handrec.inference import STOCK, Dates, Position, dates, observed
from handrec.view.steps import disclosed

#: At larger tables a seat view shows what all could see, without what follows from the seat's own cards.
SEATS = 8


class DealKnowledge:
    """The knowledge of one deal, by views: `public` and each seat whose hand is known."""

    def __init__(self, table: Table, steps: list[dict[str, Any]]) -> None:
        self.table, self.steps = table, steps
        self.case = observed(table)
        self.step_of = {step["event"]: spot for spot, step in enumerate(steps) if step["event"] is not None}
        self.views = [view for view in self.case.views if view != "open"]
        if len(table.seats) > SEATS:
            self.views = ["public"]

    @cached_property
    def disclosed(self) -> int | None:
        """The step with which bids made in secret are shown; None if bids are open."""
        return disclosed(self.table, self.steps)

    def shows_from(self, finding: Finding, spot: int | None) -> int | None:
        """The step from which on others can see a finding at a step or on the sheet: not before secret bids are shown."""
        of_bid = "/claimed/" in finding.pointer if spot is None else self.steps[spot]["do"] == "bid"
        return max(spot or 0, self.disclosed) if of_bid and self.disclosed is not None else spot

    def step(self, moment: int | None) -> int | None:
        """The step that a moment of the case comes with."""
        places = [event.place for event in self.case.events[:moment]] if moment else []
        return next((self.step_of[place] for place in reversed(places) if place in self.step_of), None)

    def learned(self) -> dict[str, list[list[Any]]]:
        """By view, what came to be known: [step, seat, suits it is proved to lack, cards it is proved to hold].

        Each entry replaces the seat's before it; [step] alone says that not all plays can have been legal, so that nothing
        is told from then on.
        """
        return {view: list(self._learned(view)) for view in self.views}

    def _learned(self, view: str) -> Iterator[list[Any]]:
        last: dict[str, tuple[str, list[str]]] = {}
        suits = {suit: self.table.pack.suit(suit) for suit in sorted({card[1] for card in self.table.pack.cards})}
        for moment in self._telling():
            seen = Position(self.case, moment, view)
            spot = self.step(moment)
            found = seen.holders()
            if found is None:
                yield [spot]
                return
            may: dict[str, int] = {}
            sure: dict[str, int] = {}
            for card, places in found.items():
                bit = 1 << self.table.pack.index[card]
                for place in places:
                    may[place] = may.get(place, 0) | bit
                if len(places) == 1:
                    sure[places[0]] = sure.get(places[0], 0) | bit
            for hidden in seen.hidden:
                seat = hidden.owner
                if seat in (STOCK, view) or not hidden.size:
                    continue
                void = "".join(suit for suit, cards in suits.items() if not may.get(seat, 0) & cards)
                now = (void, list(self.table.names(sure.get(seat, 0))))
                if last.get(seat, ("", [])) != now:
                    last[seat] = now
                    yield [spot, self.table.place_of[seat], *now]

    def _telling(self) -> Iterable[int]:
        """The moments at which something can follow: a card that may have broken a rule, a promise, the end of a trick."""
        events = self.case.events
        for moment, event in enumerate(events, 1):
            after = events[moment].trick if moment < len(events) else None
            if event.kind != "turn" and (event.barred or event.groups or event.trick != after):
                yield moment

    @cached_property
    def dates(self) -> dict[str, dict[int | None, Dates]]:
        """By view, the dates of every act by its event in the record."""
        return {view: {self.case.events[each.act].place: each for each in dates(self.case, view)} for view in self.views}

    def proved(self, event: int, view: str) -> int | None:
        """The step at which a view could first be sure that what was done at an event broke a rule."""
        found = self.dates.get(view, {}).get(event)
        return self.step(found.illegal) if found else None

    def supposed(self, event: int) -> int | None:
        """The step at which all could be sure of it, if they took for granted that the others played by the rules."""
        found = self.dates["public"].get(event)
        return self.step(found.conditional) if found and found.illegal is None and found.withdrawn is None else None

    def established(self, finding: Finding, event: int) -> int | None:
        """The step at which the offender's side played to a later trick, so that the fault could no longer be put right."""
        if finding.trick is None or finding.seat is None:
            return None
        table, seat = self.table, self.table.place_of[finding.seat]
        side = {seat, (seat + 2) % table.count} if table.game.partners else {seat}
        later = range(self.step_of.get(event, 0), len(self.steps))
        return next(
            (spot for spot in later if self.steps[spot].get("trick", 0) > finding.trick and self.steps[spot].get("by") in side),
            None,
        )
