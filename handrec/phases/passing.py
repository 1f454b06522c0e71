"""Cards passed before the play, from everybody to a neighbour at once; and what the cards that a seat takes are worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import or_
from typing import Any, NamedTuple

from handrec.cards import bits, is_known
from handrec.findings import Finding, Rule
from handrec.game.phase import Phase
from handrec.game.table import Table
from handrec.game.value import Perhaps
from handrec.game.views import OverView
from handrec.masks import count
from handrec.record import Exchange


class GivenAway(NamedTuple):
    """What a seat has passed: at which event, to whom, and which cards of its hand, as far as they are known."""

    place: int
    taker: int
    cards: int


@dataclass(frozen=True)
class Passing(Phase):
    """Everybody passes `many` cards to another, and sees what comes only after having passed.

    `ways` says how many seats to the left they go, deal by deal and round again; in a deal of 0 nobody passes.
    """

    many: int = 3
    ways: tuple[int, ...] = (1,)
    kinds = ("exchange",)
    needs = ("PLY009",)
    breakable = ("PLY009",)
    numbered = True

    def due(self, table: Table) -> int | None:
        """How many seats to the left cards go by the deal's number; None if it has none."""
        return None if table.deal.number is None else self.ways[(table.deal.number - 1) % len(self.ways)]

    def way(self, table: Table) -> int | None:
        """How many seats to the left they go: as all went that are recorded, else by the number, else as they went first.

        Of one that went another way than the others the seat is miswritten: no hand can be of sixteen cards.
        """
        exchanges = [event for _, event in table.besides[: table.count] if type(event) is Exchange and event.to in table.place_of]
        went = [(table.place_of[each.to or ""] - table.place_of[each.by]) % table.count for each in exchanges]
        went = [way for way in went if way]
        return went[0] if went and (len({*went}) == 1 or not self.due(table)) else self.due(table)

    @staticmethod
    def _passed(table: Table) -> dict[int, GivenAway]:
        """What each seat has passed so far."""
        passed: dict[int, GivenAway] = table.kept.setdefault(Passing, {})
        return passed

    def take(self, table: Table, place: int, event: Exchange) -> None:
        """So many cards of its own, the right way, once, and before the play."""
        passed, seat, taker = self._passed(table), table.place_of[event.by], table.place_of[event.to] if event.to else None
        known = {card for card in event.cards or () if is_known(card)}
        many = event.count if event.cards is None else len(known) + sum(not is_known(card) for card in event.cards)
        way = self.way(table)
        first = self.due(table) if not passed else way  # where all go a wrong way that is told once, of the first
        places = [where for where in (event.to, event.into, event.of) if where]
        right = taker is not None and (taker - seat) % table.count == way and first in (None, way) and len(places) == 1
        late = seat in passed or table.state is not None
        lost = not way or taker is None or late or many != self.many
        if lost or not right:
            none = late or first == 0
            due = "none" if none else f"{self.many} to {table.seats[(seat + (first or way or 1)) % table.count]}"
            table.fault("PLY009", place, seat=seat, many=many or 0, to=" and ".join(places) or None, due=due)
        if lost or not way:
            return
        taker = (seat + way) % table.count
        hand = table.names(table.hands[seat])
        for at, card in enumerate(event.cards or ()):
            if card in known and card not in hand and table.whole[seat]:
                table.fault("PLY001", place, f"/cards/{at}", seat=seat, card=card, why=f" (held: {' '.join(hand)})")
        if len(known) < self.many:
            table.doubt("L4", f"deal {table.number}: the cards passed are not all recorded")
        passed[seat] = GivenAway(place, taker, table.pack.mask(known & {*hand}))
        if len(passed) == table.count:
            self._change_hands(table, passed)

    def before_play(self, table: Table) -> None:
        """A card is led: what has not been passed as it should was passed all the same, as far as what is written shows it.

        Where no cards passed are written down, the hands may be those after the passing: then the plays fit them.
        """
        passed, seats = self._passed(table), table.seats
        if len(passed) == table.count:
            return
        written = {
            table.place_of[event.by]: (place, event) for place, event in reversed(table.besides) if type(event) is Exchange
        }
        way = self.way(table) if written else self._way_shown(table)
        if not way:
            return
        table.doubt("L4", f"deal {table.number}: the cards passed are not all recorded")
        for seat in [seat for seat in range(table.count) if seat not in passed]:
            place, event = written.get(seat, (table.plays[0][0], None))
            known = table.pack.mask({*((event and event.cards) or ())} & {*table.names(table.hands[seat])})
            passed[seat] = GivenAway(place, (seat + way) % len(seats), known if known.bit_count() == self.many else 0)
        self._change_hands(table, passed)

    def _way_shown(self, table: Table) -> int | None:
        """How many seats to the left cards went by the plays alone: several are of the hand from which they come that way."""
        ways = [self.due(table)] if table.deal.number is not None else [*self.ways]
        strange = [(table.place_of[play.by], bit) for play in table.plays[1] if play.by and (bit := _bit(table, play.card))]
        strange = [(seat, bit) for seat, bit in strange if table.whole[seat] and not table.hands[seat] & bit]
        shown = [way for way in ways if way and all(table.hands[(seat - way) % table.count] & bit for seat, bit in strange)]
        return shown[0] if len(strange) > 1 and len(shown) == 1 else None

    def _change_hands(self, table: Table, passed: Mapping[int, GivenAway]) -> None:
        """All have passed: of cards not recorded, those came that the taker plays and the giver was dealt."""
        dealt = list(table.hands)
        for giver, (place, taker, cards) in passed.items():
            if cards.bit_count() < self.many:
                plays = {play.card for play in table.plays[1] if play.by == table.seats[taker]}
                cards |= table.pack.mask(plays & table.pack.index.keys()) & dealt[giver]
                table.whole[giver] = table.whole[taker] = False
                table.spare[giver] += max(0, self.many - cards.bit_count())
            table.hand_over(place, giver, taker, cards)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Any cards of the next seat that has not passed; with `breaking`, of one that has."""
        passed = self._passed(table)
        if breaking not in (None, table.game.rule("PLY009")):
            return []
        return self._passes(table, [seat for seat in range(table.count) if (seat in passed) == (breaking is not None)][:1])

    def more(self, table: Table) -> list[Any]:
        """Those of the others that have not passed, for nobody waits for anybody."""
        return self._passes(table, [seat for seat in range(table.count) if seat not in self._passed(table)][1:])

    def _passes(self, table: Table, seats: Sequence[int]) -> list[Any]:
        way = self.way(table)
        if not way or table.state is not None:
            return []
        return [
            Exchange(by=table.seats[seat], to=table.seats[(seat + way) % table.count], cards=[*cards])
            for seat in seats
            for cards in combinations([table.pack.cards[card] for card in bits(table.hands[seat])], self.many)
        ]

    def close(self, table: Table) -> None:
        """Everybody passed, or it is not on record that anybody did."""
        passed = self._passed(table)
        if not passed and self.due(table) == 0:
            return
        if not passed:
            table.doubt("L4", f"deal {table.number}: the cards passed are not recorded")
            return
        done = table.state is not None or table.deal.status in ("complete", "claimed")
        written = {event.by for _, event in table.besides if type(event) is Exchange}
        for seat in range(table.count):
            if table.seats[seat] not in written and written and done:
                table.fault("PLY005", seat=seat, what=f"the cards that {table.seats[seat]} passed are missing")

    def look_back(self, tables: Sequence[Table]) -> None:
        """Where the number of a deal is wrong, they passed the right way all the same, if it is one of those in turn."""
        for table in tables:
            if any(finding.code == "DEA010" for finding in table.findings):
                table.findings[:] = [finding for finding in table.findings if not self._by_number(table, finding)]

    def _by_number(self, table: Table, finding: Finding) -> bool:
        """Whether it is found for the number alone that all passed the wrong way, which is told of the first."""
        giver, first = next(iter(self._passed(table).items()), (0, None))
        if first is None or finding.code != "PLY009" or finding.pointer != f"/deals/{table.index}/events/{first.place}":
            return False
        way = (first.taker - giver) % table.count
        return way in self.ways and finding.facts["to"] == table.seats[first.taker]


def _bit(table: Table, card: str) -> int:
    """A card as a mask, 0 if the pack has none such."""
    return table.pack.mask([card]) if card in table.pack.index else 0


@dataclass(frozen=True)
class Taken(Phase):
    """What the cards taken in tricks are worth: under `key` a seat's own, under `all_` and the key whether one has taken all.

    `worth` gives the points of each card that has any.
    """

    key: str
    worth: Mapping[str, int]

    @property
    def whole(self) -> int:
        """What all of them are worth together."""
        return sum(self.worth.values())

    def apart(self, one: str, other: str) -> bool:
        """Whether one is worth more than the other."""
        return self.worth.get(one, 0) != self.worth.get(other, 0)

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """The points of a seat, of which all that can be, where not every card and who took it is known."""
        if not table.counted or len(table.tricks) < table.size or any(table.spare):
            return {self.key: Perhaps(tuple(range(self.whole + 1))), f"all_{self.key}": Perhaps((0, 1))}
        taken = dict.fromkeys(table.seats, 0)
        for trick in table.tricks:
            taken[str(trick.winner)] += sum([self.worth.get(card, 0) for _, card in trick.plays])
        return {self.key: taken[table.seats[seat]], f"all_{self.key}": int(self.whole in taken.values())}

    def facts_of(self, over: OverView, seat: int) -> dict[str, Any]:
        """The same of many deals."""
        points = [self._points(over, cards) for cards in over.taken]
        return {self.key: points[seat], f"all_{self.key}": reduce(or_, [each == self.whole for each in points])}

    def _points(self, over: OverView, cards: Any) -> Any:
        kinds = {points: [card for card in self.worth if self.worth[card] == points] for points in {*self.worth.values()}}
        return sum(points * count(cards & over.pack.mask(some)) for points, some in kinds.items())
