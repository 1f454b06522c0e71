"""The sieve: which of very many plain deals are faultless, and what the first fault of each other one is.

The rules are those of the referee, the same functions run on arrays. Three things come of a deal: nothing is wrong with it;
or its first fault is named, with trick and seat; or it is *referred*: something is not as it should be, and what it is
takes the referee, who looks ahead and back. In bids, plays and results, in this order, the sieve names the first.

==================  =====================================================  ==============================================
part                in bulk                                                deal by deal
==================  =====================================================  ==============================================
cards               all games of up to 62 cards: each once, hands, places   recorded order of the pack; unknown cards
bids                kbabs, bastard, bugami; bridge: the contract            batarde, spades3 (made plain by their phases)
play                all games                                               withdrawals, claims, accusations, cards missing
winners, tricks     all games                                               –
scores              all games; what is carried, from deal to deal of a      deals after one that is not plain, where
                    game                                                    something is carried; excerpts likewise
guesses             bastard: in turn, none twice                            under house rules on what may be guessed
across deals        –                                                       numbering, dealers, totals, end and winner
==================  =====================================================  ==============================================

La Bâtarde with five players and more, with 72 cards, goes to the referee altogether.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from handrec.sieve.columns import NONE, NOTHING, REPLAYED, Array, Columns, Shape
from handrec.sieve.orders import Orders
from handrec.sieve.play import NOT_HELD, Player
from handrec.sieve.result import Points, broken_bids, needs_taken, turned_mask

#: So many deals at a time: the arrays of a step then stay in the processor's cache.
CHUNK = 1 << 13

#: Not faults but answers: nothing found; something that the referee must look at.
CLEAN, REFERRED = "", "referee"


@dataclass
class Sifted:
    """What the sieve found in n deals.

    `fault` (n,) uint8, a place in `codes`; `trick` (n,) int16, 0 none; `seat` (n,) int8, -1 none. Where a deal is not referred,
    `winners` (n, T) uint8 and `tricks` (n, E) int16 are certain; `scores` (n, S) int64 and `carried` (n, S) int64, by key,
    where `scored` (n,) bool says so.
    """

    codes: tuple[str, ...]
    fault: Array
    trick: Array
    seat: Array
    winners: Array
    tricks: Array
    scores: Array
    scored: Array
    carried: dict[str, Array]


def sift(deals: Columns) -> Sifted:
    """Judge deals in bulk. Their shape must fit (`fits`)."""
    return _Sieve(deals).sift()


def fits(shape: Shape) -> bool:
    """Whether deals of a shape can be judged in bulk."""
    return shape.fits and Orders(shape).fits()


class _Sieve:
    def __init__(self, deals: Columns) -> None:
        shape, many = deals.shape, len(deals)
        self.shape, self.orders = shape, Orders(shape)
        self.player = Player(shape, self.orders)
        rules = (*(rule.code for rule in shape.game.rules), "DEA009", "TRK001", "TRK002", "SCO001")
        self.codes = (CLEAN, REFERRED, *dict.fromkeys(rules))
        self.number = {code: number for number, code in enumerate(self.codes)}
        self.trick, self.seat = np.zeros(many, np.int16), np.full(many, -1, np.int8)
        self.winners = np.empty((many, shape.size), np.uint8)
        self.tricks = np.empty((many, shape.every), np.int16)
        self.taken = np.empty((many, shape.every), np.int64) if needs_taken(deals) else None
        odd = ~in_range(deals)
        self.deals = _without(deals, odd) if odd.any() else deals
        self.fault = np.where(odd, np.uint8(self.number[REFERRED]), np.uint8(0))

    def sift(self) -> Sifted:
        self.judge()
        points = Points(self.deals, self.tricks, self.winners, self.taken)
        scored = points.reckon(self.fault != self.number[REFERRED])
        self._compare_scores(points.scores, scored)
        found = (self.codes, self.fault, self.trick, self.seat, self.winners, self.tricks)
        return Sifted(*found, points.scores, scored, points.carried)

    def judge(self) -> None:
        """Judge everything but points."""
        for start in range(0, len(self.deals), CHUNK):
            part = slice(start, start + CHUNK)
            deals = self.deals.rows(part)
            self._chunk(deals, part)
            self._trump(deals, part)
        self._compare()

    def _name(self, code: str, where: Array, trick: Array | int = 0, seat: Array | int = -1, part: slice = slice(None)) -> None:
        """Name a fault in the deals in which no other was named before."""
        where = where & (self.fault[part] == 0)
        if where.any():
            for column, value in ((self.fault, self.number[code]), (self.trick, trick), (self.seat, seat)):
                column[part][where] = value[where] if isinstance(value, np.ndarray) else value

    def _chunk(self, deals: Columns, part: slice) -> None:
        played = self.player.play(deals, taking=self.taken is not None)
        self._name(REFERRED, played.referred | ~in_place(deals), part=part)
        self.winners[part] = played.winners.T
        for seat in range(self.shape.every):
            self.tricks[part, seat] = np.add.reduce((played.winners == seat).view(np.uint8), axis=0, dtype=np.uint8)
        if self.taken is not None and played.taken is not None:
            self.taken[part] = played.taken.T
        rows = np.flatnonzero(played.illegal & (self.fault[part] == 0))
        again = self.player.play(deals.rows(rows), naming=True) if len(rows) else None
        if again is not None and again.broken is not None:
            lost = np.zeros(len(deals), bool)
            lost[rows] = again.referred | (again.broken == NOT_HELD).any(axis=0)
            self._name(REFERRED, lost, part=part)
        self._bids(deals, part)
        if again is not None and again.broken is not None and again.seats is not None:
            self._illegal(again.broken, again.seats, rows, len(deals), part)

    def _bids(self, deals: Columns, part: slice) -> None:
        for code, seat, broken in broken_bids(deals, self.orders):
            self._name(code, broken, seat=seat, part=part)

    def _illegal(self, broken: Array, seats: Array, rows: Array, many: int, part: slice) -> None:
        """Name the first card of each deal that could not be played."""
        first, which = (broken != 0).argmax(axis=0), np.arange(len(rows))
        trick, seat, rule = np.zeros(many, np.int16), np.zeros(many, np.int8), np.zeros(many, np.uint8)
        trick[rows] = np.searchsorted(self.shape.starts, first, side="right")
        seat[rows], rule[rows] = seats[first, which], broken[first, which]
        for number, each in enumerate(self.shape.game.play_rules, 1):
            self._name(each.code, rule == number, trick, seat, part)

    def _compare(self) -> None:
        """Winners and tricks claimed, compared with those that came about."""
        deals = self.deals
        wrong = deals.said_winners != self.winners
        if wrong.any() and (wrong := wrong & (deals.said_winners != NONE)).any():
            first = wrong.argmax(axis=1)
            self._name("TRK001", wrong.any(axis=1), first + 1, deals.said_winners[np.arange(len(deals)), first])
        wrong = deals.said_tricks != self.tricks
        if wrong.any() and (wrong := wrong & (deals.said_tricks >= 0)).any():
            self._name("TRK002", wrong.any(axis=1), 0, wrong.argmax(axis=1))

    def _compare_scores(self, scores: Array, scored: Array) -> None:
        for seat in range(self.shape.seats if self.shape.game.score else 0):
            said = self.deals.said_scores[:, seat]
            self._name(REFERRED, (said != NOTHING) & ~scored)
            self._name("SCO001", (said != NOTHING) & (said != scores[:, seat]), 0, seat)

    def _trump(self, deals: Columns, part: slice) -> None:
        if (deals.said_trump < 0).all():
            return
        order = self.orders.of(deals, 1, True)
        names = self.orders.table().names
        told = [[self.shape.game.other_trump(said, due) for due in names] for said in deals.trumps]
        wrong = np.array(told, bool).ravel().take(deals.said_trump * np.int64(len(names)) + order, mode="clip")
        self._name("DEA009", (deals.said_trump >= 0) & wrong, part=part)


def in_range(deals: Columns) -> Array:
    """(n,) bool: every number of a row is one that its column can hold."""
    shape = deals.shape
    seats, every, cards = shape.seats, shape.every, len(shape.pack)
    limits = {
        "dealer": (-1 if shape.circle else 0, seats),
        "leader": (-1, seats),
        "declarer": (-1, seats),
        "contract": (-1, len(deals.contracts)),
        "said_trump": (-1, len(deals.trumps)),
        "kinds": (0, len(deals.words)),
        "turned": (0, cards),
        "plays": (0, cards),
    }
    if isinstance(shape.game.phase_of.get("bid"), REPLAYED):
        limits["bids"] = 0, shape.size + 1
    maybe = {"leaders": every, "said_winners": every, "guesses": cards}
    fine = np.ones(len(deals), bool)
    for name, (low, high) in limits.items():
        column = getattr(deals, name).reshape(len(deals), -1)
        if column.size and (column.max() >= high or (column.dtype.kind == "i" and column.min() < low)):
            fine &= ((column >= low) & (column < high)).all(axis=1)
    for name, high in maybe.items():
        column = getattr(deals, name)
        if column.size and (column + np.uint8(1)).max() > high:  # what is absent becomes 0
            fine &= ((column < high) | (column == NONE)).all(axis=1)
    for name in ("hands", "aside"):
        column = getattr(deals, name)
        if column.min(initial=0) < 0:
            fine &= (column >= 0).all(axis=1)
    return fine


def _without(deals: Columns, odd: Array) -> Columns:
    """The deals, with harmless numbers in rows that hold impossible ones."""
    calm = deals.rows(slice(None))
    for name in (
        "dealer",
        "leader",
        "declarer",
        "contract",
        "said_trump",
        "kinds",
        "bids",
        "turned",
        "plays",
        "leaders",
        "guesses",
    ):
        column = getattr(calm, name).copy()
        column[odd] = 0
        setattr(calm, name, column)
    for name, value in (("contract", -1), ("said_trump", -1), ("said_winners", NONE)):
        column = getattr(calm, name).copy()
        column[odd] = value
        setattr(calm, name, column)
    return calm


def in_place(deals: Columns) -> Array:
    """(n,) bool: every card is in one place, and every hand and place has as many as it should."""
    shape, many = deals.shape, len(deals)
    held, lies, fine = np.zeros(many, np.int64), np.zeros(many, np.int64), np.ones(many, bool)
    for hand in np.ascontiguousarray(deals.hands.T):
        held |= hand
        fine &= np.bitwise_count(hand) == shape.size
    fine &= np.bitwise_count(held) == shape.size * shape.seats
    if not shape.aside and not shape.turned:
        return fine & (held <= shape.pack.full)
    count = np.zeros(many, np.int64)
    for place, due in enumerate(shape.aside.values()):
        here = np.bitwise_count(deals.aside[:, place])
        fine &= (here == 0) | (here == due)
        lies, count = lies | deals.aside[:, place], count + here
    turned = turned_mask(deals)
    fine &= (np.bitwise_count(lies) == count) & (held & (lies | turned) == 0)
    fine &= (np.bitwise_count(turned) == shape.turned) & ((held | lies | turned) <= shape.pack.full)
    if shape.turning is not None and shape.turned:
        own = deals.aside[:, list(shape.aside).index(shape.turning.place)]
        fine &= np.where(own != 0, turned & ~own == 0, turned & lies == 0)
    return fine
