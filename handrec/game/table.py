"""The table: one deal while it is replayed, and where faults and doubts are written down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from handrec.cards import Order, Pack
from handrec.findings import Fault, Finding, PlayedTrick, Rule
from handrec.game.value import Sight
from handrec.record import Deal, Play

if TYPE_CHECKING:
    from handrec.game.playing import Playing, Seen
    from handrec.game.value import Game


@dataclass(frozen=True)
class Made:
    """A bid that stands: as written, its kind (`number` or the game's word), its value in tricks if it has one."""

    token: str
    kind: str
    value: int | None
    place: int
    blind: bool = False
    suit: str = ""  # the suit it names, where bids name suits that are not trumps


class Vouched(NamedTuple):
    """What is made sure of already: every card is in its place, every play in turn, held and legal.

    `hands` are the hands as dealt, a mask for each seat; `plays` all plays in order, seat and card; `winners` the seats that
    took the tricks.
    """

    hands: Sequence[int]
    plays: Sequence[tuple[str, str]]
    winners: Sequence[int]


class Compared(NamedTuple):
    """What a rule of the record sees: what was found, and what is due."""

    found: Any
    due: Any


def _ring(count: int, many: int, beside: int | None) -> list[int]:
    seats = list(range(count))
    if many > count and beside is not None:
        seats[beside + 1 : beside + 1] = range(count, many)
    return seats


@lru_cache
def _clockwise(count: int, many: int, beside: int | None, first: int) -> tuple[int, ...]:
    ring = _ring(count, many, beside)
    start = ring.index(first)
    return (*ring[start:], *ring[:start])


class Table:
    """One deal while it is replayed.

    Seats are places 0 to P-1 clockwise, cards bit numbers of the pack, hands masks. `left[s]` is what seat s still holds
    of the cards known to be its own; `whole[s]` whether that is all of them; `spare[s]` how many cards it has played (or
    must have played) that cannot be told, so that as many of `left[s]` may be gone.
    """

    def __init__(
        self, game: Game, pack: Pack, seats: tuple[str, ...], index: int, deal: Deal, number: int, size: int, sized: bool
    ) -> None:
        self.game, self.pack, self.deal = game, pack, deal
        self.index, self.number, self.size, self.sized = index, number, size, sized
        self.count = len(seats)
        self.undealt = len(pack) - len(seats) * size  # how many cards are not dealt to a seat
        self.seats = (*seats, *game.extras)
        self.place_of = {seat: place for place, seat in enumerate(self.seats)}
        many = len(self.seats)
        self.dealer = self.place_of.get(deal.dealer) if deal.dealer else None
        self.beside = self.dealer  # the seat to whose left one that is no player's sits
        self.findings: list[Finding] = []
        self.doubts: dict[str, list[str]] = {}
        self.stopped: str | None = None
        self.lying: Mapping[str, Sequence[str]] = deal.aside or {}
        self.turned: list[str] = []
        self.overdue: list[int] = []  # places in `turned` of cards that nobody has turned, though they were due
        self.contract: str | None = None
        self.declarer: int | None = None
        self.bids: list[Made | None] = [None] * self.count
        self.hands: list[int] = [0] * many
        self.whole: list[bool] = [False] * many
        self.spare: list[int] = [0] * many
        self.left: list[int] = []
        self.played_by: list[int] = [0] * many
        self.unnamed = False  # some plays do not say whose they are
        self.quota: list[int] = [size] * many  # how many cards each seat plays
        self.free: frozenset[int] = frozenset(range(self.count, many))  # seats that no play rule binds
        self.won: list[int] = [0] * many
        self.tricks: list[PlayedTrick] = []
        self.counted = False
        self.claimed_rest = False
        self.twice: set[tuple[int, int]] = set()  # seat and card of plays that are written down more than once
        self.unjudged: set[tuple[int, int]] = set()  # seat and trick of plays whose legality is open
        self.sips: dict[int, int] = {}
        self.past: tuple[Table, ...] = ()  # the tables of the deals before this one
        self.kept: dict[type, Any] = {}  # what a phase keeps of this deal for itself, by its own type
        self.moved: list[int] = [0] * many  # tricks that each seat took from others after the play, by right
        self.strayed: list[int] = [0] * many  # and those that it took without
        self.trace: list[Seen] | None = None
        self.state: Playing | None = None
        self.vouched: Vouched | None = None
        self.upto = 0  # the events before this place have been taken
        self._besides: list[tuple[int, Any]] | None = None
        self._now: Any = None  # the cards turned and the contract when the order was last asked for,
        self._throughout: tuple[Order | None, ...] = ()  # and the order then, if it is the same in every trick

    # --- what is known of the deal ---

    @property
    def eldest(self) -> int | None:
        """The seat to the dealer's left."""
        return None if self.dealer is None else (self.dealer + 1) % self.count

    def order(self, trick: int, done: bool = False) -> Order | None:
        """Suits and ranks as they hold in a trick, None if the record does not tell; `done` when all have played to it."""
        now = tuple(self.turned), self.contract
        if now != self._now:
            self._now, self._throughout = now, self.game.order_throughout(*now, self.undealt, self.count, self.size)
        if self._throughout:
            return self._throughout[0]
        return self.game.order(Sight(*now, trick, self.undealt, done, self.count))

    @property
    def besides(self) -> list[tuple[int, Any]]:
        """All that happens besides the plays, which are many: the places of events, and the events."""
        if self._besides is not None:
            return self._besides
        return [(place, event) for place, event in enumerate(self.deal.events) if type(event) is not Play]

    @besides.setter
    def besides(self, events: list[tuple[int, Any]]) -> None:
        self._besides = events

    @property
    def ring(self) -> list[int]:
        """All seats clockwise; a seat that is no player's sits to the dealer's left."""
        return _ring(self.count, len(self.seats), self.beside)

    def clockwise(self, first: int) -> list[int]:
        """All seats in turn, beginning with `first`."""
        return list(_clockwise(self.count, len(self.seats), self.beside, first))

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return self.clockwise(seat)[1 % len(self.seats)]

    def short(self, seat: int) -> bool:
        """Whether fewer plays of a seat are on record than it makes."""
        return self.played_by[seat] < self.quota[seat]

    def seat(self, place: int | None) -> str | None:
        """The name of a seat."""
        return None if place is None else self.seats[place]

    def names(self, mask: int) -> list[str]:
        """The cards of a mask, from high to low, for a finding's facts."""
        return list(self.pack.names(mask))

    def sample_play(self) -> None:
        """Make ready for a deal that is being made rather than replayed: every card and bid is yet to come."""
        self.played_by = list(self.quota)

    # --- writing down ---

    def fault(
        self,
        what: str | Fault,
        /,
        event: int | None = None,
        field: str = "",
        *,
        trick: int | None = None,
        seat: Any = None,
        facts: Mapping[str, Any] | None = None,
        **more: Any,
    ) -> None:
        """Write down a finding at an event of this deal, or at a field of the deal itself."""
        fault = self.game.rule(what) if isinstance(what, str) else what
        where = f"/deals/{self.index}" + ("" if event is None else f"/events/{event}") + field
        name = self.seats[seat] if isinstance(seat, int) else seat
        self.findings.append(Finding(fault, {"seat": name, **(facts or {}), **more}, where, self.number, trick, name))

    def compare(self, what: str | Rule, found: Any, due: Any, /, event: int | None = None, field: str = "", **facts: Any) -> bool:
        """Write down a finding if the rule says that what is found is not what is due."""
        rule = self.game.rule(what) if isinstance(what, str) else what
        assert rule.check is not None
        if not rule.check(Compared(found, due)):
            return False
        self.fault(rule, event, field, found=found, due=due, **facts)
        return True

    def doubt(self, level: str, reason: str) -> None:
        """Write down that a level could not be checked in full, and why."""
        reasons = self.doubts.setdefault(level, [])
        if reason not in reasons:
            reasons.append(reason)

    def stop(self, reason: str) -> None:
        """Nothing after this can be verified in this deal."""
        self.stopped = reason
        for level in ("L3", "L4", "L5"):
            self.doubt(level, reason)
