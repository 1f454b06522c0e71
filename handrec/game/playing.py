"""The state of the play: the trick on the table, whose turn it is, what the rules get to see."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import takewhile
from operator import or_
from typing import Any

from handrec.cards import bits
from handrec.findings import Rule
from handrec.game.table import Table
from handrec.game.value import Shared
from handrec.record import Play

#: A play of the record: its place among the events, and the event.
PlacedPlay = tuple[int, Play]


class View:
    """What a play rule sees; every set is a mask of cards.

    `hand` of the player; `lead` the card led and `led` its suit, both 0 for the leader; `rising` what would take the
    trick from the best card so far; `trumps`; `leading` whether this is the lead, `broken` whether a trump was played
    to an earlier trick, `first` whether this is the first trick.
    """

    __slots__ = ("broken", "first", "hand", "lead", "leading", "led", "rising", "trumps")

    hand: int
    lead: int
    led: int
    rising: int
    trumps: int
    leading: bool
    broken: bool
    first: bool


@dataclass
class Seen:
    """A play as the table saw it: who played what, when, and what the rules saw then (`view` None if that is not certain).

    `hand` and `legal` are the hand at that time and the cards of it that could be played, as far as they are known.
    `place` is None for a play that is missing from the record; `withdrawn` if it was taken back.
    """

    place: int | None
    seat: int
    trick: int
    token: str
    card: int
    view: View | None
    hand: int = 0
    legal: int = 0
    withdrawn: bool = False


class Playing:
    """The play of one deal as far as it has come."""

    leader: int | None
    number: int
    row: int | None  # the number typed last before a row
    row_due: int  # and the one that was due there; before any row the first
    waiting: list[int]  # the seats still to play to this trick, in turn
    plays: list[tuple[int, str, int]]  # seat, card as written, bit number (-1: not certain)
    places: list[int]
    marks: list[int]  # how many findings there were before each play
    order: Any  # suits and ranks as the players know them
    best: int
    clear: bool  # nothing in this trick hides who won it
    unordered: bool  # who led to this trick is not known
    short: bool  # that its row lacks a card has been told
    adrift: bool  # a card is missing, and it is open from which trick
    broken: bool
    divided: bool  # a claim has given away the tricks that were left
    seen: dict[int, tuple[int, int]]  # card -> seat that played it, trick
    done: set[int]  # events of a trick written down in the wrong order, taken in the right one
    view: View

    __slots__ = tuple(__annotations__)

    def __init__(self, leader: int | None) -> None:
        self.leader, self.number, self.row, self.row_due, self.order, self.best = leader, 1, None, 1, None, -1
        self.waiting, self.plays, self.places, self.marks, self.seen, self.done = [], [], [], [], {}, set()
        self.adrift = self.broken = self.divided = False
        self.clear, self.unordered, self.short, self.view = True, False, False, View()

    def open(self, turns: list[int]) -> None:
        """Make ready for a trick to which the seats play in these turns; none are known if the leader is not."""
        self.plays, self.places, self.marks, self.waiting = [], [], [], turns
        self.clear, self.unordered, self.short = not self.adrift, False, False
        self.clear_view()

    def look(self, table: Table) -> None:
        """See suits and ranks as they are when a trick begins: a card may have been turned since the last one."""
        self.order = table.order(self.number)
        self.view.trumps = self.order.trumps if self.order else 0

    def see(self, place: int | None, seat: int, token: str, card: int) -> Seen:
        """The next play, as the table sees it."""
        told = self.order is not None and self.clear
        return Seen(place, seat, self.number, token, card, copy(self.view) if told else None)

    def clear_view(self) -> None:
        """Nothing is led yet."""
        view, self.best = self.view, -1
        view.lead = view.led = view.rising = 0
        view.leading, view.first, view.broken = True, self.number == 1, self.broken

    def put(self, card: int) -> None:
        """A certain card on the table: what is led, and what beats the best card so far."""
        order, view = self.order, self.view
        if order is None or (view.leading and not self.clear):
            return
        if self.best < 0 or order.beats[self.best] >> card & 1:
            self.best = card
        if view.leading:
            view.lead, view.led, view.leading = 1 << card, order.suit[card], False
        view.rising = order.beats[self.best]

    @property
    def over(self) -> bool:
        """Whether everybody has played to this trick."""
        return bool(self.plays) and not self.waiting


@lru_cache(10_000)
def play_of(seat: str, card: str) -> Play:
    """A play of which nothing was noted; those that are alike are one and the same."""
    return Play(by=seat, card=card)


def legal_cards(rules: tuple[Rule, ...], view: View, hand: int) -> int:
    """The cards of a hand that may be played."""
    view.hand = legal = hand
    for rule in rules:
        legal = rule.narrow(view, legal)  # type: ignore[misc]  # play rules are those with a narrow
    return legal


def rule_broken(rules: tuple[Rule, ...], view: View, hand: int, card: int) -> Rule:
    """The first rule after which an illegal card is no longer among those that may be played."""
    broken = next(rule for place, rule in enumerate(rules) if not legal_cards(rules[: place + 1], view, hand) >> card & 1)
    return broken.case(view) if isinstance(broken, Shared) else broken


def perhaps_legal_cards(table: Table, play: Playing, seat: int, legal: int) -> int:
    """The legal cards, and those that are if the card of the trick that is not certain is higher than any that is."""
    view, rising, hand = play.view, play.view.rising, table.left[seat]
    legals = {legal}
    for above in (0, *(play.order.beats[card] for card in bits(hand))):
        view.rising = rising & above
        legals.add(legal_cards(table.game.play_rules, view, hand))
    view.rising = rising
    if len(legals) > 1:
        table.unjudged.add((seat, play.number))
        where = f"deal {table.number}, trick {play.number}"
        table.doubt("L4", f"{where}: whether {table.seats[seat]} had to play higher cannot be told")
    return reduce(or_, legals)


def legal_without(table: Table, play: Playing, seat: int, card: int) -> bool:
    """Whether a play is legal if some other card of the hand had been played before, unrecorded."""
    if table.spare[seat] > 1:
        return True
    hand, rules = table.left[seat], table.game.play_rules
    gone = (1 << other for other in range(len(table.pack)) if hand >> other & 1 and other != card)
    return any(legal_cards(rules, play.view, hand & ~other) >> card & 1 for other in gone)


def coming(table: Table, place: int) -> Iterator[PlacedPlay]:
    """The plays after an event."""
    places, plays = table.plays
    return ((places[spot], plays[spot]) for spot in range(bisect_right(places, place), len(places)))


def in_row(table: Table, place: int) -> list[PlacedPlay] | None:
    """The plays after an event in the same typed row; None where rows are not typed."""
    if not table.typed:
        return None
    return list(takewhile(lambda placed: placed[1].trick is None, coming(table, place)))
