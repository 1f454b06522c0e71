"""An oracle for public proof: small deals judged by trying every deal of the cards that nobody has seen.

Strings, sets and itertools, and nothing of handrec: the rules of play and the verdicts are written down a second time,
as players say them. Cards are `AS`, jokers `LJ` and `BJ`, twins of two packs `ASm` and `ASs`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import combinations
from math import factorial, prod
from typing import Any

PUBLIC, OPEN, STOCK = "public", "open", "stock"
VERDICTS = ("impossible", "illegal-proved", "illegal-proved-if-others-legal", "legal-proved", "consistent")
Hand = frozenset[str]
Faults = tuple[tuple[int, str], ...]  # what a seat did wrong with a hand: the event, and the rule


@dataclass(frozen=True)
class Laws:
    """What may be played. Of each trick (the last stands for all later ones): `trump` is a suit, `NT`, or `AT` for all
    suits; `ranks` and `trump_ranks` go from high to low. `twins` says which of two twins is higher: `m`, `s`, the `first`
    or the `last` played. `rise` is over trumps, `always` or only on a lead of `trumps`.
    """

    trump: tuple[str, ...] = ("NT",)
    ranks: tuple[str, ...] = ("AKQJT98765432",)
    trump_ranks: tuple[str, ...] = ("AKQJT98765432",)
    twins: str = ""
    must_trump: bool = False
    rise: str = ""
    big_joker: bool = False
    unbroken: int = 0  # from this trick on trumps are not led before they are broken; 0: at any time

    def trump_in(self, trick: int) -> str:
        """What is trump in a trick."""
        return self.trump[min(trick, len(self.trump)) - 1]


@dataclass(frozen=True)
class Act:
    """What was seen: `play`, `withdrawn` (put down and at once taken back), `turn` (of the stock), `open` (laid down, still
    held), or a `promise` heard.
    """

    do: str
    seat: str | None
    cards: tuple[str, ...] = ()
    promised: tuple[tuple[Hand, int], ...] = ()  # so many of each of these cards in the dealt hand


def suit(card: str, trump: str) -> str:
    """The suit a card plays as: jokers are trumps, and without a trump suit a suit of their own."""
    return card[1] if card[1] != "J" else trump if trump in "SHDC" else "J"


def is_trump(card: str, trump: str) -> bool:
    """Whether a card is a trump; jokers always are, and at all trumps everything is."""
    return trump == "AT" or card[1] in (trump, "J")


def higher(laws: Laws, trick: int, card: str, other: str) -> bool:
    """Whether a card in hand is higher than one of its suit on the table."""
    trump = laws.trump_in(trick)
    ranks = (laws.trump_ranks if is_trump(card, trump) else laws.ranks)[min(trick, len(laws.ranks)) - 1]

    def place(one: str) -> int:
        return ["BJ", "LJ"].index(one) if one[1] == "J" else 2 + ranks.index(one[0])

    if place(card) == place(other):
        return laws.twins == "last" or laws.twins == card[2:]
    return place(card) < place(other)


def narrowed(laws: Laws, trick: int, table: Sequence[str], broken: bool, hand: Hand) -> list[tuple[str, Hand]]:
    """The cards that may be played, rule after rule, each with its code; the last set is what is legal."""
    trump = laws.trump_in(trick)
    trumps = {card for card in hand if is_trump(card, trump)}
    if not table:
        barred = trumps if 0 < laws.unbroken <= trick and not broken else set()
        return [("REV005", frozenset(hand - barred or hand))]
    lead = table[0]
    led = suit(lead, trump)
    own = frozenset(card for card in hand if suit(card, trump) == led)
    legal = own or hand
    steps = [("REV001", legal)]
    if laws.must_trump and not own:
        legal = frozenset(trumps) or hand
        steps.append(("REV003", legal))
    if laws.big_joker and lead == "BJ" and own:
        legal = frozenset(card for card in own if not any(higher(laws, trick, other, card) for other in own - {card}))
        steps.append(("REV002", legal))
    if laws.rise == "always" or (laws.rise == "trumps" and is_trump(lead, trump)):
        fought = led if is_trump(lead, trump) else "J" if trump == "NT" else trump
        before = [card for card in table if suit(card, trump) == fought]
        mine = [card for card in legal if suit(card, trump) == fought]
        if before:
            legal = frozenset(card for card in mine if all(higher(laws, trick, card, other) for other in before)) or legal
        steps.append(("REV004", legal))
    return steps


@dataclass(frozen=True)
class Spot:
    """The table when an event came about: trick, cards played to it, whether trumps are broken, cards the seat had played."""

    trick: int
    table: tuple[str, ...]
    broken: bool
    gone: Hand


@dataclass
class Answer:
    """All that can be told at a moment, in a view."""

    verdicts: dict[int, str]
    suspects: set[Hand]
    guilty: set[str]
    holders: dict[bool, dict[str, set[str]] | None]  # True: in the completions in which every act was legal
    counts: dict[bool, int]
    clauses: dict[int, set[str]]  # in all completions
    clauses_if: dict[int, set[str]]  # in those in which the others' acts were legal


@dataclass
class World:
    """Completions in which the same was done wrong (event: rule): how many, and the unseen cards of each place, by number."""

    wrong: dict[int, str]
    count: int = 0
    lying: set[tuple[str, tuple[int, ...]]] = field(default_factory=set)


@dataclass
class Deal:
    """A small deal as its table saw it. A trick is over when as many cards as `turns` says have been played to it."""

    laws: Laws
    cards: tuple[str, ...]
    sizes: Mapping[str, int]
    acts: Sequence[Act]
    hands: Mapping[str, Hand] = field(default_factory=dict)
    free: Hand = frozenset()
    turns: tuple[int, ...] = ()  # of each trick, the last stands for all later ones; none: one of each seat

    def __post_init__(self) -> None:
        self._faults: dict[tuple[str, Hand], Faults] = {}

    @property
    def views(self) -> list[str]:
        """The views there are."""
        return [PUBLIC, *self.hands, *([OPEN] if self.hands else [])]

    def length(self, trick: int) -> int:
        """How many cards a trick has."""
        return self.turns[min(trick, len(self.turns)) - 1] if self.turns else len(self.sizes)

    @cached_property
    def spots(self) -> list[Spot]:
        """The table before each event."""
        trick, table, broken, found = 1, list[str](), False, list[Spot]()
        gone: dict[str | None, set[str]] = {seat: set() for seat in (*self.sizes, None)}
        for act in self.acts:
            if act.do == "play" and len(table) == self.length(trick):
                trump = self.laws.trump_in(trick)
                broken = broken or any(is_trump(card, trump) for card in table)
                trick, table = trick + 1, []
            found.append(Spot(trick, tuple(table), broken, frozenset(gone[act.seat])))
            if act.do == "play":
                table.append(act.cards[0])
                gone[act.seat].add(act.cards[0])
        return found

    @property
    def judged(self) -> list[int]:
        """The events that may have been legal or not; a card taken back was not played."""
        return [place for place, act in enumerate(self.acts) if act.do in ("play", "promise")]

    def fault(self, place: int, dealt: Hand) -> str:
        """The rule that an act broke if its seat had been dealt this hand, none if it was legal."""
        act, spot = self.acts[place], self.spots[place]
        if act.do == "promise":
            return "" if all(len(dealt & group) == number for group, number in act.promised) else "promise"
        if act.seat in self.free:
            return ""
        steps = narrowed(self.laws, spot.trick, spot.table, spot.broken, dealt - spot.gone)
        return next((code for code, legal in steps if act.cards[0] not in legal), "")

    def faults(self, seat: str, dealt: Hand) -> Faults:
        """All that a seat did wrong, at any time, if it had been dealt this hand."""
        if (seat, dealt) not in self._faults:
            mine = [place for place in self.judged if self.acts[place].seat == seat and set(self.acts[place].cards) <= dealt]
            self._faults[seat, dealt] = tuple((place, code) for place in mine if (code := self.fault(place, dealt)))
        return self._faults[seat, dealt]

    def shown(self, moment: int) -> dict[str | None, set[str]]:
        """The cards that each seat, and the stock, have shown."""
        shown: dict[str | None, set[str]] = {seat: set() for seat in (*self.sizes, None)}
        for act in self.acts[:moment]:
            shown[act.seat].update(act.cards)
        return shown

    def first_shown(self, act: int) -> int | None:
        """The first moment at which its seat had shown, from then on, a card that makes a play illegal."""
        shown = set[str]()
        for moment, after in enumerate(self.acts[act:], act + 1):
            shown |= set(after.cards) if after.seat == self.acts[act].seat else set()
            if self.acts[act].do == "play" and self.fault(act, frozenset(shown)):
                return moment
        return None

    def places(self, moment: int, view: str) -> tuple[list[str], dict[str, Hand], dict[str, int]] | None:
        """The unseen cards, what lies at each place for certain, and how many more; None if the record contradicts itself."""
        known = self.hands if view == OPEN else {seat: hand for seat, hand in self.hands.items() if seat == view}
        shown = self.shown(moment)
        sure = {seat: frozenset(shown[seat] | known.get(seat, set())) for seat in self.sizes}
        sure[STOCK] = frozenset(shown[None])
        sizes = dict(self.sizes) | {STOCK: len(self.cards) - sum(self.sizes.values())}
        room = {place: sizes[place] - len(held) for place, held in sure.items()}
        twice = sum(map(len, sure.values())) > len(frozenset[str]().union(*sure.values()))
        again = any(act.seat and self.spots[place].gone & set(act.cards) for place, act in enumerate(self.acts[:moment]))
        strange = any(len(hand) != self.sizes[seat] for seat, hand in known.items())
        if twice or again or strange or min(room.values()) < 0:
            return None
        seen = frozenset[str]().union(*sure.values())
        return [card for card in self.cards if card not in seen], sure, room

    def total(self, moment: int, view: str) -> int:
        """How many completions there are."""
        found = self.places(moment, view)
        return 0 if found is None else factorial(len(found[0])) // prod(factorial(left) for left in found[2].values())

    def worlds(self, moment: int, view: str) -> list[World]:
        """Every way in which the unseen cards can lie, put together where the same was done wrong in them."""
        found = self.places(moment, view)
        if found is None:
            return []
        unseen, sure, room = found
        wrong: dict[tuple[str, tuple[int, ...]], Faults] = {}  # of each place and the unseen cards there
        for place in sure:
            for added in combinations(range(len(unseen)), room[place]):
                faults = () if place == STOCK else self.faults(place, sure[place] | {unseen[card] for card in added})
                wrong[place, added] = tuple(one for one in faults if one[0] < moment)
        worlds: dict[tuple[Faults, ...], World] = {}
        for lying in layouts(len(unseen), tuple(room.values())):
            there = tuple(zip(sure, lying, strict=True))
            key = tuple(wrong[one] for one in there)
            if key not in worlds:
                worlds[key] = World({act: code for faults in key for act, code in faults})
            worlds[key].count += 1
            worlds[key].lying.update(there)
        return list(worlds.values())

    def answer(self, moment: int, view: str) -> Answer:
        """Everything that can be told at a moment, in a view, by looking at every completion."""
        worlds = self.worlds(moment, view)
        seat_of = {act: str(self.acts[act].seat) for act in self.judged if act < moment}
        wrongs = [world.wrong for world in worlds]
        guilt = {frozenset(seat_of[act] for act in wrong) for wrong in wrongs}
        trusting = {seat: [wrong for wrong in wrongs if {seat_of[act] for act in wrong} <= {seat, view}] for seat in self.sizes}
        legal = [world for world in worlds if not world.wrong]
        return Answer(
            {act: verdict(act, wrongs, trusting[seat]) for act, seat in seat_of.items()},
            {seats for seats in guilt if not any(other < seats for other in guilt)},
            set(frozenset.intersection(*guilt)) if guilt else set(),
            {True: self.holders(moment, view, legal), False: self.holders(moment, view, worlds)},
            {True: sum(world.count for world in legal), False: sum(world.count for world in worlds)},
            {act: {wrong[act] for wrong in wrongs if act in wrong} for act in seat_of},
            {act: {wrong[act] for wrong in trusting[seat] if act in wrong} for act, seat in seat_of.items()},
        )

    def holders(self, moment: int, view: str, worlds: Sequence[World]) -> dict[str, set[str]] | None:
        """Where each unseen card lies in some of these completions; None if there are none."""
        found = self.places(moment, view)
        if found is None or not worlds:
            return None
        lying = set[tuple[str, tuple[int, ...]]]().union(*(world.lying for world in worlds))
        return {card: {place for place, cards in lying if number in cards} for number, card in enumerate(found[0])}

    def told(self) -> str:
        """The deal in full, to look at."""
        lines = [
            f"{self.laws}",
            f"cards {' '.join(self.cards)}",
            f"sizes {dict(self.sizes)} free {sorted(self.free)} turns {self.turns}",
        ]
        lines += [f"hand of {seat}: {' '.join(sorted(hand))}" for seat, hand in self.hands.items()]
        for place, (act, spot) in enumerate(zip(self.acts, self.spots, strict=True)):
            promised = " ".join(f"{number} of {','.join(sorted(group))}" for group, number in act.promised)
            lines.append(f"{place:3} {spot.trick}.{len(spot.table) + 1} {act.do} {act.seat} {' '.join(act.cards)}{promised}")
        return "\n".join(lines)


def verdict(act: int, wrongs: Sequence[Mapping[int, Any]], trusting: Sequence[Mapping[int, Any]]) -> str:
    """The first of the five that applies, by what is wrong in each completion, and in those where the others were right."""
    if not wrongs:
        return "impossible"
    if all(act in wrong for wrong in wrongs):
        return "illegal-proved"
    if trusting and all(act in wrong for wrong in trusting):
        return "illegal-proved-if-others-legal"
    return "consistent" if any(act in wrong for wrong in wrongs) else "legal-proved"


@cache
def layouts(many: int, sizes: tuple[int, ...]) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Every way to lay so many cards, by number, in places of these sizes, which hold them all."""
    return tuple(spread(tuple(range(many)), sizes))


def spread(cards: tuple[int, ...], sizes: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Every way to lay cards in places of these sizes, which hold them all."""
    if len(sizes) == 1:
        yield (cards,)
        return
    for first in combinations(cards, sizes[0]):
        for rest in spread(tuple(card for card in cards if card not in first), sizes[1:]):
            yield (first, *rest)
