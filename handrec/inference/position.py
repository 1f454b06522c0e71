"""What can be told at a moment of a case, in a view: which plays were legal, who may be at fault, who can hold what.

The definitions are exact. W are all completions; W(X) those in which every act of seats other than X, and other than the
viewer, was legal. A verdict on an act of X is the first of `VERDICTS` that applies.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Literal, NamedTuple

from handrec.cards import bits
from handrec.findings import Rule
from handrec.inference.case import STOCK, DealCase
from handrec.inference.places import Layout, Place

ActVerdict = Literal["impossible", "illegal-proved", "illegal-proved-if-others-legal", "legal-proved", "consistent"]

#: What is said of an act, the first that applies: the record contradicts itself; illegal in all of W; W(X) is not empty
#: and the act illegal in all of it; legal in all of W; it cannot be told yet.
VERDICTS: tuple[ActVerdict, ...] = (
    "impossible",
    "illegal-proved",
    "illegal-proved-if-others-legal",
    "legal-proved",
    "consistent",
)


class Hidden(NamedTuple):
    """Cards of an owner that cannot be seen: those still held, or one that was played unread at event `until`."""

    name: str
    owner: str
    size: int
    takes: int
    until: int


class Denial(NamedTuple):
    """A way in which an act was illegal: at least so many of these cards lie in this hidden place."""

    spot: int
    many: int
    cards: int


class Position:
    """A case after its first `moment` events, in a view. KeyError if the case has no such view."""

    def __init__(self, case: DealCase, moment: int, view: str = "public") -> None:
        self.case, self.moment, self.view = case, moment, view
        self.acts = case.acts(moment)
        self.dealt = case.shown(moment)
        for seat, hand in case.known(view).items():
            self.dealt[seat] |= hand if seat not in case.unread_seats else 0
        self.unseen = case.cards
        for cards in self.dealt.values():
            self.unseen &= ~cards
        self.hidden = list(self._hidden())

    def _hidden(self) -> Iterator[Hidden]:
        events, may = self.case.events, self.case.may_lie(self.view)
        lacking = {**self.case.sizes, STOCK: self.case.stock}
        for spot, event in enumerate(events[: self.moment]):
            owner = event.seat or STOCK
            repeats = spot in self.case.repeats
            if repeats or event.unseen:
                lacking[owner] -= 1
                yield Hidden(f"{owner}#{spot}", owner, 1, 0 if repeats else event.cards & may[owner], spot)
        for owner, many in lacking.items():
            yield Hidden(owner, owner, many - self.dealt[owner].bit_count(), may[owner], len(events))

    def in_hand(self, seat: str) -> int:
        """The cards that a seat holds for certain: shown or known, and not played."""
        gone = 0
        for event in self.case.events[: self.moment]:
            gone |= event.cards if event.kind == "play" and event.seat == seat and not event.unseen else 0
        return self.dealt[seat] & ~gone

    # --- what acts ask of a hand ---

    def seat(self, act: int) -> str:
        """Whose act it is."""
        return self.case.events[act].seat or STOCK

    def shown_against(self, act: int) -> int:
        """Cards that its player is known to have held then and that make an act illegal: any at all, or more than promised."""
        event, dealt = self.case.events[act], self.dealt[self.seat(act)]
        over = (dealt & cards for cards, many in self.case.promised(event) if (dealt & cards).bit_count() > many)
        return next(over, 0) if event.groups else event.barred & dealt & ~self.case.gone[act]

    def layout(self, legal: Iterable[int], denial: Denial | None = None, without: tuple[int, int] = (0, 0)) -> Layout | None:
        """The unseen cards and their places where these acts were legal, and perhaps one was not; None if that is plainly not so.

        `without` are an act and cards that its player did not hold then.
        """
        events, legal = self.case.events, list(legal)
        if any(self.shown_against(act) for act in legal):
            return None
        bans = [(self.seat(act), act, events[act].barred) for act in legal if not events[act].groups]
        bans += [(self.seat(without[0]), *without)] if without[1] else []
        promises = {self.seat(act): self.case.promised(events[act]) for act in legal if events[act].groups}
        places = []
        for spot, (name, owner, size, takes, until) in enumerate(self.hidden):
            for seat, act, cards in bans:
                if seat == owner and act <= until:
                    takes &= ~cards
            if denial is not None and denial.spot == spot:
                if denial.many > size:
                    return None
                many = max(denial.many, 0)  # more of them are shown than that, where it is less
                size -= many
                places.append(Place(f"{name}!", many, takes & denial.cards))
            for number, (cards, many) in enumerate(promises.get(name, ())):
                lacking = many - (self.dealt[owner] & cards).bit_count()
                size -= lacking
                places.append(Place(f"{name}/{number}", lacking, takes & cards))
            places.append(Place(name, size, takes))
        return Layout(self.unseen, places)

    def possible(self, legal: Iterable[int], denial: Denial | None = None, without: tuple[int, int] = (0, 0)) -> bool:
        """Whether there is a completion in which these acts were legal, and perhaps one was not."""
        layout = self.layout(legal, denial, without)
        return layout is not None and layout.feasible

    def denials(self, act: int) -> list[Denial]:
        """The ways in which an act was illegal, if nothing that is shown makes it so."""
        event, dealt = self.case.events[act], self.dealt[self.seat(act)]
        held = [spot for spot, hidden in enumerate(self.hidden) if hidden.owner == event.seat and act <= hidden.until]
        if event.groups:
            promised = self.case.promised(event)
            return [Denial(held[-1], many + 1 - (dealt & cards).bit_count(), cards) for cards, many in promised]
        return [Denial(spot, 1, event.barred) for spot in held if event.barred & self.unseen]

    def others(self, act: int) -> list[int]:
        """The acts of seats other than this act's and other than the viewer."""
        return [other for other in self.acts if self.seat(other) not in (self.seat(act), self.case.viewer(self.view))]

    # --- verdicts ---

    @cached_property
    def contradictory(self) -> bool:
        """Whether there is no completion at all: the record contradicts itself."""
        return not self.possible(())

    @cached_property
    def all_legal(self) -> bool:
        """Whether there is a completion in which every act was legal."""
        return self.possible(self.acts)

    def may_be_illegal(self, act: int) -> bool:
        """Whether an act is illegal in some completion."""
        return bool(self.shown_against(act)) or any(self.possible((), denial) for denial in self.denials(act))

    def verdict(self, act: int) -> ActVerdict:
        """What can be told of an act: the first of `VERDICTS` that applies."""
        if self.contradictory:
            return "impossible"
        if not self.all_legal:
            if not self.possible((act,)):
                return "illegal-proved"
            others = self.others(act)
            if self.possible(others) and not self.possible((*others, act)):
                return "illegal-proved-if-others-legal"
        return "consistent" if self.may_be_illegal(act) else "legal-proved"

    def clauses(self, act: int, legal: Iterable[int] = ()) -> tuple[Rule, ...]:
        """The rules that a play may have been the first to break, in the completions in which these acts were legal."""
        broken: list[Rule] = []
        before, legal = 0, list(legal)
        held = self.dealt[self.seat(act)] & ~self.case.gone[act]
        ways = [denial.spot for denial in self.denials(act)]
        for rule, cards in self.case.events[act].tiers or ():
            if held & cards:
                return (*broken, rule) if self.possible(legal, None, (act, before)) else tuple(broken)
            if any(self.possible(legal, Denial(spot, 1, cards), (act, before)) for spot in ways):
                broken.append(rule)
            before |= cards
        return tuple(broken)

    # --- who may be at fault ---

    def suspects(self) -> tuple[frozenset[str], ...]:
        """All smallest sets of seats such that every act of the others may have been legal; none if nothing fits at all.

        The empty set alone says that everybody may have been legal.
        """
        if self.contradictory:
            return ()
        found: list[frozenset[str]] = []
        queue: list[frozenset[str]] = [frozenset()]
        for some in queue:  # in order of size: whatever contains a set that was found is not smallest
            if any(each <= some for each in found):
                continue
            crossed = self._suspected([act for act in self.acts if self.seat(act) not in some])
            if not crossed:
                found.append(some)
            queue += [more for seat in crossed if (more := some | {seat}) not in queue]
        return tuple(sorted(found, key=lambda seats: (len(seats), sorted(seats))))

    def _suspected(self, legal: list[int]) -> list[str]:
        """Seats of which one at least did something illegal among these acts; none if all of them may have been legal."""
        shown = [self.seat(act) for act in legal if self.shown_against(act)]
        if shown:
            return shown[:1]
        layout = self.layout(legal)
        violator = layout.violator if layout else None
        if violator is None:
            return []
        promised = {self.seat(act) for act in legal if self.case.events[act].groups}
        barring = {self.seat(act) for act in legal if self.case.events[act].barred & violator.cards}
        return sorted(promised | {seat for seat in barring if seat not in violator.places})

    def guilty(self) -> tuple[str, ...]:
        """The seats that certainly did something illegal, though it may not be known what: those in every set of suspects."""
        seats = dict.fromkeys(map(self.seat, self.acts))
        return tuple(
            seat
            for seat in seats
            if not self.contradictory and not self.possible([act for act in self.acts if self.seat(act) == seat])
        )

    # --- who can hold what ---

    def holders(self, legal: bool = True) -> dict[str, tuple[str, ...]] | None:
        """For each unseen card the places that can hold it: seats, `STOCK`, or `E#12` for what E played unread at event 12.

        With `legal`, in the completions in which every act was legal, otherwise in all; None if there are no such.
        """
        layout = self.layout(self.acts if legal else ())
        if layout is None or not layout.feasible:
            return None
        found: dict[int, tuple[str, ...]] = {}
        for cards, places in layout.holders().items():
            found |= dict.fromkeys(bits(cards), tuple(dict.fromkeys(name.split("/")[0] for name in places)))
        return {self.case.pack.cards[card]: found[card] for card in sorted(found, reverse=True)}

    def count(self, legal: bool = True) -> int:
        """How many completions there are in which every act was legal, or in all."""
        layout = self.layout(self.acts if legal else ())
        return 0 if layout is None else layout.count()

    def witness(self, legal: bool = True) -> dict[str, tuple[str, ...]] | None:
        """One completion in which every act was legal, or any at all: the unseen cards of each place; None if there is none."""
        layout = self.layout(self.acts if legal else ())
        if layout is None or not layout.feasible:
            return None
        found: dict[str, int] = {hidden.name: 0 for hidden in self.hidden}
        for name, cards in layout.completion().items():
            found[name.split("/")[0]] |= cards
        return {name: self.case.names(cards) for name, cards in found.items()}
