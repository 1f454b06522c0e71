"""The table: one deal while it is replayed, and where faults and doubts are written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, cast, overload

from handrec.cards import Order, Pack
from handrec.findings import Fault, Finding, PlayedTrick, Rule
from handrec.game.value import Sight
from handrec.limits import MAX_EVENTS
from handrec.record import Deal, Play

if TYPE_CHECKING:
    from handrec.game.playing import Playing, Seen
    from handrec.game.value import Game


#: In a deal with so many findings none tells any more which bid was meant: each looks through all that is said in the deal.
MOST_MEANT = 20

#: Stands for each finding at a table on trial, where they are only counted.
TRIED = Finding(Fault("", "", "", "", ""))


class Made(NamedTuple):
    """A bid that stands: as written, its kind (`number` or the game's word), its value in tricks if it has one."""

    token: str
    kind: str
    value: int | None
    place: int
    blind: bool = False
    suit: str = ""  # the suit it names, where bids name suits that are not trumps


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


class Stranger(KeyError):
    """A seat is named that is none of the table's; a record that names one is faulty in its form, and is not replayed."""


class _Places(dict[str, int]):
    """The place of each seat."""

    def __missing__(self, seat: str) -> int:
        raise Stranger(seat)


@lru_cache
def _seated(seats: tuple[str, ...], count: int) -> tuple[Mapping[str, int], frozenset[int], list[int]]:
    """The place of each seat, those that no player has, and a zero for each."""
    return _Places((seat, place) for place, seat in enumerate(seats)), frozenset(range(count, len(seats))), [0] * len(seats)


#: Looks at a finding.
Look = Callable[[Finding], None]


def handed_over(hands: list[int], giver: int | None, taker: int | None, cards: int) -> None:
    """Take cards out of one hand and put them into another; None is no hand."""
    if giver is not None:
        hands[giver] &= ~cards
    if taker is not None:
        hands[taker] |= cards


class BrokenOff(BaseException):
    """What looks on has seen enough. No `Exception`, since nothing has failed: the fast path lets it pass."""


class Watched(list[Finding]):
    """Findings, each of which is shown as it is written down."""

    def __init__(self, look: Look) -> None:
        super().__init__()
        self.look = look

    def append(self, finding: Finding) -> None:
        """Write down a finding, and show it."""
        super().append(finding)
        self.look(finding)


class Past(Sequence["Table"]):
    """The tables of the deals before one: the first `end` of a list that all deals of a record share.

    `kept` is what phases keep of the whole list for themselves, by their own type: it need not be found anew for every deal.
    """

    __slots__ = ("end", "kept", "tables")

    def __init__(self, tables: Sequence[Table] = (), end: int | None = None, kept: dict[type, Any] | None = None) -> None:
        self.tables, self.end, self.kept = tables, len(tables) if end is None else end, {} if kept is None else kept

    def upto(self, end: int) -> Past:
        """Those of the same list before a deal."""
        return Past(self.tables, end, self.kept)

    def __len__(self) -> int:
        return self.end

    @overload
    def __getitem__(self, place: int) -> Table: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Table]: ...
    def __getitem__(self, place: int | slice) -> Table | Sequence[Table]:
        return self.tables[: self.end][place] if isinstance(place, slice) else self.tables[range(self.end)[place]]


#: Why what hangs on the size of the hands cannot be judged.
UNSIZED = "how many cards a hand has is not recorded"

#: No deal comes before.
NO_PAST = Past()


class Table:
    """One deal while it is replayed.

    Seats are places 0 to P-1 clockwise, cards bit numbers of the pack, hands masks. `left[s]` is what seat s still holds
    of the cards known to be its own; `whole[s]` whether that is all of them; `spare[s]` how many cards it has played (or
    must have played) that cannot be told, so that as many of `left[s]` may be gone.
    """

    game: Game
    pack: Pack
    deal: Deal
    index: int
    number: int
    size: int
    sized: bool  # whether the record states it
    unsized: bool  # whether nothing tells it: then `size` is the most that there can be
    count: int
    undealt: int  # how many cards are not dealt to a seat
    seats: tuple[str, ...]
    place_of: Mapping[str, int]
    dealer: int | None
    beside: int | None  # the seat to whose left one that is no player's sits
    findings: list[Finding]
    doubts: dict[str, dict[str, None]]  # by level the reasons, each once, in their order
    stopped: str | None
    lying: Mapping[str, Sequence[str]]
    turned: list[str]
    contract: str | None
    declarer: int | None
    bids: list[Made | None]
    hands: list[int]
    whole: list[bool]
    spare: list[int]
    left: list[int]
    handed: list[tuple[int, int | None, int | None, int]]  # cards that went from hand to hand: event, giver, taker, cards
    played_by: list[int]
    unnamed: bool  # some plays do not say whose they are
    unsure: dict[int, Sequence[int]]  # plays of typed rows that lack a card, nobody knows whose: their rows, as places of events
    quota: list[int]  # how many cards each seat plays
    free: frozenset[int]  # seats that no play rule binds
    won: list[int]
    tricks: list[PlayedTrick]
    counted: bool
    claimed_rest: bool
    unplayed: bool  # nobody was to play: the bidding came to nothing
    heard: int  # how many calls were heard on trial to explain those out of turn
    on_trial: bool  # what happens at it is only tried: findings are only counted, and nobody is told what was meant
    tangled: bool  # its calls were heard so often to explain them that nothing else is tried for this deal
    unjudged: set[tuple[int, int]]  # seat and trick of plays whose legality is open
    past: Past  # the tables of the deals before this one, while it is replayed
    kept: dict[type, Any]  # what a phase keeps of this deal for itself, by its own type
    moved: list[int]  # tricks that each seat took from others after the play, by right
    strayed: list[int]  # and those that it took without
    trace: list[Seen] | None
    open_from: int  # from this event on nothing has been left out of the record: what is not there is still to come
    cardless: bool  # nobody's cards are known here, and what hangs on them is judged elsewhere
    from_fault: bool  # whether a trace is begun at the first play that breaks a rule
    state: Playing | None
    _besides: tuple[int, list[tuple[int, Any]]] | None  # by the number of events
    _plays: tuple[int, tuple[list[int], list[Play]]] | None
    _typed: tuple[int, bool] | None
    _now: Any  # the cards turned and the contract when the order was last asked for,
    _throughout: tuple[Order | None, ...]  # and the order then, if it is the same in every trick

    __slots__ = tuple(__annotations__)

    def __init__(
        self,
        game: Game,
        pack: Pack,
        seats: tuple[str, ...],
        index: int,
        deal: Deal,
        number: int,
        size: int,
        sized: bool,
        known: bool = True,
    ) -> None:
        self.game, self.pack, self.deal = game, pack, deal
        self.index, self.number, self.size, self.sized, self.unsized = index, number, size, sized, not known
        self.count = count = len(seats)
        self.undealt = len(pack) - count * size if known else max(1, len(pack) - count * size)
        self.seats = seats = (*seats, *game.extras)
        self.place_of, self.free, zeros = _seated(seats, count)
        self.dealer = self.beside = self.place_of.get(deal.dealer) if deal.dealer else None
        self.lying = deal.aside or {}
        self.findings, self.turned, self.left, self.tricks, self.handed = [], [], [], [], []
        self.doubts, self.kept, self.unsure, self.unjudged = {}, {}, {}, set()
        self.hands, self.spare, self.played_by = zeros[:], zeros[:], zeros[:]
        self.won, self.moved, self.strayed = zeros[:], zeros[:], zeros[:]
        self.bids, self.whole, self.quota = [None] * count, [False] * len(seats), [size] * len(seats)
        self.stopped = self.contract = self.declarer = self.trace = self.state = self._now = None
        self._besides = self._plays = self._typed = None
        self.open_from = MAX_EVENTS
        self.cardless = self.unnamed = self.counted = self.claimed_rest = self.unplayed = self.from_fault = False
        self.tangled = self.on_trial = False
        self.heard = 0
        self.past, self._throughout = NO_PAST, ()

    def __copy__(self) -> Table:
        """Another one just like it; what is a list or a set is the same."""
        other = object.__new__(Table)
        for name in Table.__slots__:
            setattr(other, name, getattr(self, name))
        return other

    def clear(self) -> None:
        """Make it again a table at which nothing has happened yet; who looks on, stays."""
        past, findings = self.past, self.findings
        self.__init__(  # type: ignore[misc]  # every part anew
            self.game,
            self.pack,
            self.seats[: self.count],
            self.index,
            self.deal,
            self.number,
            self.size,
            self.sized,
            not self.unsized,
        )
        self.past = past
        if isinstance(findings, Watched):
            self.findings = Watched(findings.look)

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
    def alike(self) -> bool:
        """Whether the order last asked for holds in every trick of the deal, as far as cards are turned by now."""
        return bool(self._throughout)

    @property
    def besides(self) -> list[tuple[int, Any]]:
        """All that happens besides the plays, which are many: the places of events, and the events."""
        events, known = self.deal.events, self._besides
        if known is None or known[0] != len(events):  # events have come to the table
            known = self._besides = len(events), [(place, event) for place, event in enumerate(events) if type(event) is not Play]
        return known[1]

    @besides.setter
    def besides(self, events: list[tuple[int, Any]]) -> None:
        self._besides = len(self.deal.events), events

    @property
    def plays(self) -> tuple[list[int], list[Play]]:
        """The plays, and their places among the events."""
        events = self.deal.events
        if self._plays is None or self._plays[0] != len(events):
            places = [place for place, event in enumerate(events) if type(event) is Play]
            self._plays = len(events), (places, [cast(Play, events[place]) for place in places])
        return self._plays[1]

    @property
    def typed(self) -> bool:
        """Whether plays stand in typed rows."""
        if self._typed is None or self._typed[0] != len(self.deal.events):
            self._typed = len(self.deal.events), any(play.trick is not None for play in self.plays[1])
        return self._typed[1]

    def to_come(self, place: int) -> bool:
        """Whether what the record lacks at an event is still to come, and has not been left out."""
        return place >= self.open_from

    @property
    def begins(self) -> bool:
        """Whether the deal is being played, and no card has been led."""
        return not self.open_from and not self.plays[0]

    @property
    def ring(self) -> list[int]:
        """All seats clockwise; a seat that is no player's sits to the dealer's left."""
        return _ring(self.count, len(self.seats), self.beside)

    def clockwise(self, first: int) -> list[int]:
        """All seats in turn, beginning with `first`."""
        return list(_clockwise(self.count, len(self.seats), self.beside, first))

    def left_of(self, seat: int) -> int:
        """The next seat clockwise."""
        return _clockwise(self.count, len(self.seats), self.beside, seat)[1 % len(self.seats)]

    @property
    def dealt(self) -> list[int]:
        """The hands as they were dealt, before cards went from hand to hand."""
        hands = self.hands[:]
        for _, giver, taker, cards in reversed(self.handed):
            handed_over(hands, taker, giver, cards)
        return hands

    def hand_over(self, place: int, giver: int | None, taker: int | None, cards: int) -> None:
        """Cards of a hand go to another, as event number `place` tells; None is no hand, but cards set aside."""
        for hands in (self.hands, self.left):
            handed_over(hands, giver, taker, cards)
        self.handed.append((place, giver, taker, cards))

    def short(self, seat: int) -> bool:
        """Whether fewer plays of a seat are on record than it makes."""
        return self.played_by[seat] < self.quota[seat]

    def seat(self, place: int | None) -> str | None:
        """The name of a seat."""
        return None if place is None else self.seats[place]

    def names(self, mask: int) -> list[str]:
        """The cards of a mask, from high to low, for a finding's facts."""
        return list(self.pack.names(mask))

    def play_on(self) -> None:
        """Make ready for a deal that is being played rather than replayed: what is not on record is still to come."""
        self.open_from, self.played_by = 0, list(self.quota)

    def doubled(self) -> set[str]:
        """Cards that the tricks show more than once: some play of them was of another card, and nothing tells which."""
        cards = Counter(card for trick in self.tricks for _, card in trick.plays)
        return {card for card, times in cards.items() if times > 1}

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
        if self.on_trial and what != "BID002":
            self.findings.append(TRIED)
            return
        code = what if isinstance(what, str) else what.code
        if code == "BID002" and "hint" not in more and len(self.findings) < MOST_MEANT:
            from handrec.game.meant import SPOKEN, meant_bid  # asked for where something is wrong

            bid = more.get("bid")
            if str(bid).lower() in SPOKEN and any(each.facts.get("bid") == bid for each in self.findings):
                return  # who writes one call so writes all so: that is told once
            if not self.on_trial and (hint := meant_bid(self, seat, bid)):
                more["hint"] = hint
        if self.on_trial:  # it matters only which call it is of
            self.findings.append(Finding(TRIED.fault, more))
            return
        rule = self.game.rule(what) if isinstance(what, str) else what
        fault = rule.fault if isinstance(rule, Rule) else rule
        where = f"/deals/{self.index}" + ("" if event is None else f"/events/{event}") + field
        name = self.seats[seat] if isinstance(seat, int) else seat
        self.findings.append(Finding(fault, {"seat": name, **(facts or {}), **more}, where, self.number, trick, name))

    def compare(self, what: str | Rule, found: Any, due: Any, /, event: int | None = None, field: str = "", **facts: Any) -> bool:
        """Write down a finding if what is found is not what is due, and say whether it is not."""
        if found == due:
            return False
        self.fault(what, event, field, found=found, due=due, **facts)
        return True

    def doubt(self, level: str, reason: str) -> None:
        """Write down that a level could not be checked in full, and why."""
        self.doubts.setdefault(level, {})[reason] = None

    def stop(self, reason: str) -> None:
        """Nothing after this can be verified in this deal."""
        self.stopped = reason
        for level in ("L3", "L4", "L5"):
            self.doubt(level, reason)
