"""Which of very many deals are faultless, and what came of these."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from handrec.game.views import BidView, OverView
from handrec.masks import Mask
from handrec.phases.tricks import HolderOf
from handrec.referee.scores import reckoned
from handrec.sieve.codec import NONE, NOTHING, Codec
from handrec.sieve.columns import Array, Columns, in_bounds, not_played, unmarked
from handrec.sieve.laid import Laid, Scripts
from handrec.sieve.orders import Orders
from handrec.sieve.play import ArrayPlay
from handrec.sieve.points import NO_BID, BidArrays, score
from handrec.sieve.shape import MOST_CARDS, Shape

#: So many deals at a time: the arrays of a step then stay in the processor's cache, and small enough that memory is used again.
CHUNK = 20_000

#: A card's number, or what stands for no card, as a mask.
BITS = np.array([1 << card if card < MOST_CARDS else 0 for card in range(256)], np.int64)


@dataclass
class Sifted:
    """What came of n deals: which are `fine` (n,), and of these the `tricks` (n, E) and, where `scored` (n,), `scores` (n, S).

    `carried` by key (n, S) is what goes on into the next deal; `unsure` (n, S) which scores claimed hang on what is not known;
    `first` (n,) whether the first version of the record has all that there is in the deal.
    Whatever is not fine goes to the referee, for whatever reason.
    """

    fine: Array
    winners: Array
    tricks: Array
    scores: Array
    scored: Array
    carried: dict[str, Array]
    unsure: Array
    first: Array


@dataclass
class Deals:
    """Deals on their way through the sieve; the arrays stand for what `play` and `orders` ask of them.

    `hands` (n, S) and `aside` (n, places) int64 masks; `turned` (n, K) cards; `due` (n,) who leads by the rules, -1 not known;
    `contract` (n,) a place in `contracts`, -1 none.
    """

    hands: Array
    aside: Array
    turned: Array
    dealer: Array
    leader: Array
    due: Array
    leaders: Array
    plays: Array
    contract: Array
    contracts: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.plays)

    def rows(self, which: Any) -> Deals:
        """Some of the deals."""
        some = {name: value[which] for name, value in vars(self).items() if name != "contracts"}
        return Deals(**some, contracts=self.contracts)


def judged(codec: Codec) -> bool:
    """Whether deals can be judged here."""
    return orders_of(codec) is not None


def orders_of(codec: Codec) -> Orders | None:
    """The orders of some deals, which are kept with what reads them; None if the deals cannot be judged here."""
    if Orders not in codec.kept:
        orders = Orders(codec.shape) if codec.shape.judged else None
        codec.kept[Orders] = orders if orders is not None and orders.fits() else None
    found: Orders | None = codec.kept[Orders]
    return found


def sift(columns: Columns) -> Sifted:
    """Judge deals, whose shape must be one that can be judged here; of one in which nobody played only the referee tells."""
    shape, many = columns.codec.shape, len(columns)
    out = Sifted(
        np.zeros(many, bool),
        np.zeros((many, shape.size), np.uint8),
        np.zeros((many, shape.every), np.int64),
        np.zeros((many, shape.seats), np.int64),
        np.zeros(many, bool),
        {carry.key: np.zeros((many, shape.seats), np.int64) for carry in shape.game.carries},
        np.zeros((many, shape.seats), bool),
        np.ones(many, bool),
    )
    known = np.flatnonzero(in_bounds(columns) & ~not_played(columns))
    some = _only(columns, known)
    scripts, which = _scripts(some)
    laid = np.array([each is not None for each in scripts], bool)[which] if len(known) else np.zeros(0, bool)
    if laid.any():
        some, known, which = _only(some, np.flatnonzero(laid)), known[laid], which[laid]
        for part in _parts(some.record):
            found, here = _Sieve(some.rows(part), scripts, which[part]).sift(), part if len(known) == many else known[part]
            for name in ("fine", "winners", "tricks", "scores", "scored", "unsure", "first"):
                getattr(out, name)[here] = getattr(found, name)
            for key, numbers in found.carried.items():
                out.carried[key][here] = numbers
    return out


def _parts(record: Array) -> list[slice]:
    """The deals in parts of `CHUNK` or a little more: those of one record stay together, as scores go on from deal to deal."""
    ends = np.append(np.flatnonzero(np.diff(record)) + 1, len(record))
    due = np.searchsorted(ends, np.arange(CHUNK, len(record) + CHUNK, CHUNK))
    return [slice(*part) for part in pairwise([0, *np.unique(ends.take(due, mode="clip")).tolist()])]


def _only(columns: Columns, rows: Array) -> Columns:
    """Some of the deals, which are copied if they are not all."""
    return columns if len(rows) == len(columns) else columns.rows(rows)


def _scripts(columns: Columns) -> tuple[list[Laid | None], Array]:
    """What the scripts amount to, by who dealt and the number of the deal, and which of that each deal has."""
    scripts, seats, numbers = Scripts.of(columns.codec), columns.codec.shape.seats, int(columns.number.max(initial=0)) + 1
    numbered = np.array([scripts.numbered(text) for text in columns.scripts], bool)[columns.script]
    key = (columns.script * (seats + 1) + columns.dealer + 1) * numbers + np.where(numbered, columns.number, 0)
    found, which = np.unique(key, return_inverse=True)
    keys = [(*divmod(rest, seats + 1), board) for rest, board in (divmod(each, numbers) for each in found.tolist())]
    laid = [scripts.laid(columns.scripts[script], dealer - 1, board) for script, dealer, board in keys]
    return laid, which.reshape(-1)


class _Sieve:
    """Deals whose numbers are within their bounds and whose scripts are in order."""

    def __init__(self, columns: Columns, scripts: list[Laid | None], which: Array) -> None:
        self.columns, self.shape = columns, columns.codec.shape
        used, self.which = np.unique(which, return_inverse=True)
        self.laid = [each for number in used.tolist() if (each := scripts[number]) is not None]
        orders = orders_of(columns.codec)
        assert orders is not None
        self.orders = orders
        self.fine, self.unsure = np.ones(len(columns), bool), np.zeros((len(columns), self.shape.seats), bool)
        self.dealt = self._dealt()
        self.deals = self._deals()

    def _of_laid(self, values: Any, kind: Any = np.int64) -> Array:
        """A column of what hangs on the script."""
        return np.array([values(each) for each in self.laid], kind)[self.which]

    def _dealt(self) -> Array:
        """(n, S) int64: the hands as recorded. So many cards are put together sooner card by card than deal by deal."""
        shape = self.shape
        cards = np.ascontiguousarray(self.columns.hands.T).astype(np.int64)
        np.left_shift(1, cards, out=cards)
        hands = cards.reshape(shape.seats, shape.size, len(self.columns))
        return np.ascontiguousarray(np.bitwise_or.reduce(hands, axis=1).T)

    def _deals(self) -> Deals:
        columns, shape = self.columns, self.shape
        many = len(columns)
        number = Scripts.of(columns.codec).contracts
        for each in self.laid:
            number.setdefault(each.contract, len(number) - 1)
        masks, start = np.zeros((many, len(shape.aside)), np.int64), 0
        for place, cards in enumerate(shape.aside.values()):
            masks[:, place] = np.bitwise_or.reduce(BITS[columns.aside[:, start : start + cards]], axis=1)
            start += cards
        hands, leader = self._handed(self.dealt), getattr(shape.tricks, "leader", None)
        by_card = leader.of_many(shape.pack, hands) if isinstance(leader, HolderOf) else None
        return Deals(
            hands=hands,
            aside=masks,
            turned=self._turned(),
            dealer=columns.dealer,
            leader=columns.leader,
            due=self._of_laid(lambda each: each.leader) if by_card is None else by_card,
            leaders=columns.leaders,
            plays=columns.plays,
            contract=self._of_laid(lambda each: number[each.contract]),
            contracts=tuple(contract for contract in number if contract is not None),
        )

    def _handed(self, dealt: Array) -> Array:
        """(n, S) int64: the hands when cards have been handed on, each by a seat to which it was dealt."""
        hands, row = dealt.copy(), np.arange(len(dealt))
        got = np.zeros_like(dealt)
        most = max(len(each.handed) for each in self.laid)
        for step in range(most):
            giver, taker, spot = self._of_laid(
                lambda each, step=step: each.handed[step] if step < len(each.handed) else (-1, -1, -1)
            ).T
            some = np.flatnonzero(giver >= 0)
            bit = BITS[self.columns.shown[row[some], spot[some]]]
            self.fine[some] &= dealt[some, giver[some]] & bit != 0
            hands[some, giver[some]] &= ~bit
            got[some, taker[some]] |= bit
        return hands | got

    def _turned(self) -> Array:
        """(n, K) uint8: the cards that are turned: those shown, which must be those that lie there, then those that lie there."""
        columns, shape, most = self.columns, self.shape, self.shape.turned
        turned = np.zeros((len(columns), most), np.uint8)
        if not most:
            return turned
        lying = np.full((len(columns), most), NONE, np.uint8)
        start = 0
        for name, cards in shape.aside.items():
            if name == getattr(shape.turning, "place", None):
                there = columns.aside[:, start : start + cards][:, :most]
                lying[:, : there.shape[1]] = there
            start += cards
        turned[:] = lying
        shown = self._of_laid(lambda each: len(each.turned))
        for spot in range(int(shown.max(initial=0))):
            place = self._of_laid(lambda each, spot=spot: each.turned[spot] if spot < len(each.turned) else 0)
            card = columns.shown[np.arange(len(columns)), place]
            mine = shown > spot
            self.fine &= ~mine | (lying[:, spot] == NONE) | (lying[:, spot] == card)
            turned[mine, spot] = card[mine]
        self.fine &= unmarked(turned == NONE)
        turned[turned == NONE] = 0
        return turned

    # --- judging ---

    def sift(self) -> Sifted:
        columns, shape, many = self.columns, self.shape, len(self.columns)
        self._play()
        self._trump()
        self.fine &= in_place(shape, self.dealt, self.deals)
        self._shown_once()
        bids = self._bids()
        self._hands_hold(bids)
        self._compare()
        facts = self._facts()
        first = (columns.place == 0) & columns.whole
        chained = np.zeros(many, bool)
        chained[1:] = (columns.record[1:] == columns.record[:-1]) & (columns.place[1:] == columns.place[:-1] + 1) & ~first[1:]
        chained[1:] &= self.fine[:-1]
        scored = score(shape.game, shape.size, bids, self.tricks[:, : shape.seats], facts, first, chained)
        sure = scored.sure & self.fine
        said = columns.scores
        if not shape.game.score:  # a score is claimed in a game that has none
            self.unsure = self.fine[:, None] & (said != NOTHING)
        elif shape.game.partners:
            self._sides(scored.scores, sure)
        else:
            self.fine &= unmarked((said != NOTHING) & (said != scored.scores) & sure[:, None])
            self._unsure(np.flatnonzero(self.fine & ~sure & (said != NOTHING).any(axis=1)), chained, bids, facts)
        told = self.fine, self.winners, self.tricks, scored.scores, sure & self.fine, scored.carried, self.unsure
        return Sifted(*told, self._of_laid(lambda each: each.first, bool))

    def _play(self) -> None:
        shape = self.shape
        played = ArrayPlay(shape, self.orders).play(self.deals, taking=bool(shape.game.that("facts_of")))
        self.fine &= ~(played.referred | played.illegal)
        self.winners, self.taken = played.winners.T, played.taken
        self.tricks = np.empty((len(self.columns), shape.every), np.int64)
        for seat in range(shape.every):
            self.tricks[:, seat] = np.add.reduce((played.winners == seat).view(np.uint8), axis=0, dtype=np.uint8)

    def _trump(self) -> None:
        """The trump claimed is that by which the deal was played."""
        columns, stated = self.columns, self.columns.trump
        if (stated < 0).all():
            return
        order = self.orders.of(self.deals, 1, True)
        names = self.orders.table().names
        if not names:  # in no deal is it known what is trump
            self.fine &= stated < 0
            return
        wrong = np.array([[self.shape.game.other_trump(said, due) for due in names] for said in columns.trumps], bool)
        self.fine &= (stated < 0) | ~wrong[np.maximum(stated, 0), np.maximum(order, 0)]

    def _shown_once(self) -> None:
        """As many cards are shown as the script says; no two are the same, those that are turned apart."""
        self.fine &= (self.columns.shown != NONE).sum(axis=1) == self._of_laid(lambda each: each.cards)
        wide = self.columns.shown.shape[1]
        turned = self._of_laid(lambda each: [spot in each.turned for spot in range(wide)], bool)
        shown = np.sort(np.where(turned, np.uint8(NONE), self.columns.shown), axis=1)
        self.fine &= unmarked((shown[:, 1:] == shown[:, :-1]) & (shown[:, 1:] != NONE))

    def _bids(self) -> BidArrays:
        made = [each.bids or (NO_BID,) * self.shape.seats for each in self.laid]
        words = {word: place for place, word in enumerate(dict.fromkeys((bid.kind, bid.suit) for bids in made for bid in bids))}
        value, blind, word = (
            np.array([[what(bid) for bid in bids] for bids in made])[self.which]
            for what in (lambda bid: bid.value, lambda bid: bid.blind, lambda bid: words[bid.kind, bid.suit])
        )
        return BidArrays(value.astype(np.int64), blind, word, tuple(words))

    def _hands_hold(self, bids: BidArrays) -> None:
        """Bids that only some hands allow."""
        shape = self.shape
        for rule in shape.game.checks("bid"):
            wanted = np.array([kind in rule.needs_hand for kind, _ in bids.words], bool)[bids.word]
            for seat in np.flatnonzero(wanted.any(axis=0)).tolist():
                rows = np.flatnonzero(wanted[:, seat])
                order = np.maximum(self.orders.of(self.deals.rows(rows), 1, False), 0)
                suits: tuple[Mask, ...] = tuple(suit.take(order) for suit in self.orders.table().suits)
                for word in np.unique(bids.word[rows, seat]).tolist():
                    mine = bids.word[rows, seat] == word
                    said = defaultdict(bool, {bids.words[word][0]: True})
                    view = BidView(
                        bids.value[rows, seat][mine],
                        shape.size,
                        hand=self.dealt[rows, seat][mine],
                        whole=np.ones(int(mine.sum()), bool),
                        suits=tuple(suit[mine] for suit in suits),
                        words=said,
                    )
                    assert rule.check is not None
                    self.fine[rows[mine]] &= ~np.broadcast_to(rule.check(view), int(mine.sum()))

    def _sides(self, scores: Array, sure: Array) -> None:
        """What is claimed of partners, each alone or together, is what came about; where that is not known, the referee asks."""
        seats, points = self.shape.seats, [self.columns.scores]
        if any(each.sides for each in self.laid):
            nothing = [(NOTHING, NOTHING)] * seats
            tricks, score = np.moveaxis(self._of_laid(lambda each: each.sides or nothing), 2, 0)
            together = self.tricks[:, :seats] + np.roll(self.tricks[:, :seats], seats // 2, axis=1)
            self.fine &= unmarked((tricks != NOTHING) & (tricks != together))
            points.append(score)
        for said in points:
            self.fine &= unmarked((said != NOTHING) & ((said != scores) | ~sure[:, None]))

    def _unsure(self, rows: Array, chained: Array, bids: BidArrays, facts: list[dict[str, Any]]) -> None:
        """Scores claimed in deals of which it is not known what was carried into them are among those that can be.

        In a deal after another one of the same excerpt, more may be known of that: such deals go to the referee.
        """
        shape, columns = self.shape, self.columns
        self.fine[rows[chained[rows] | (columns.place[rows] > 0)]] = False
        for row in rows[self.fine[rows]].tolist():
            for seat, bid in enumerate(self.laid[self.which[row]].bids or (NO_BID,) * shape.seats):
                told = {key: _one(fact, row) for key, fact in facts[seat].items()}
                points = int(columns.scores[row, seat])
                hand = reckoned(shape.game, bid, int(self.tricks[row, seat]), shape.size, told, None)
                self.fine[row] &= points == NOTHING or points in hand.possible
                self.unsure[row, seat] = points != NOTHING and hand.lines is None

    def _compare(self) -> None:
        """Winners and tricks claimed are those that came about."""
        columns = self.columns
        self.fine &= unmarked((columns.winners != NONE) & (columns.winners != self.winners))
        self.fine &= unmarked((columns.tricks != NOTHING) & (columns.tricks != self.tricks))

    def _facts(self) -> list[dict[str, Any]]:
        """What the score needs to know of each seat beyond bid and tricks."""
        shape, seats = self.shape, range(self.shape.seats)
        said: list[dict[str, Any]] = [
            {key: self._of_laid(lambda each, key=key, seat=seat: each.said[seat][key]) for key in self.laid[0].said[seat]}
            for seat in seats
        ]
        phases = shape.game.that("facts_of")
        if not phases or self.taken is None:
            return said
        deals = self.deals
        turned: Any = BITS[deals.turned].T
        seen = np.bitwise_or.reduce(deals.hands, axis=1) | np.bitwise_or.reduce(turned, axis=0)
        over = OverView(shape.pack, said, [*self.taken], [*self.winners.T], [*turned], shape.pack.full & ~seen, self._card)
        facts = [{**said[seat]} for seat in seats]
        for seat in seats:
            for phase in phases:
                facts[seat] |= phase.facts_of(over, seat)
        for known in facts:
            for key, fact in known.items():
                if not isinstance(fact, dict) and key not in said[0]:
                    self.fine &= fact >= 0
        return facts

    def _card(self, places: Array) -> Array:
        """(n,) int64: the mask of the card that the event at a place shows, none below 0."""
        found, rows = np.zeros(len(self.columns), np.int64), np.flatnonzero(places >= 0)
        spots = [
            self.laid[number].spots[place] for number, place in zip(self.which[rows].tolist(), places[rows].tolist(), strict=True)
        ]
        found[rows] = BITS[self.columns.shown[rows, np.array(spots, np.int64)]]
        return found


def _one(fact: Any, row: int) -> Any:
    """A fact of one deal."""
    return {key: int(numbers[row]) for key, numbers in fact.items()} if isinstance(fact, dict) else int(fact[row])


def in_place(shape: Shape, hands: Array, deals: Deals) -> Array:
    """(n,) bool: every card is in one place, hands (n, S) and places have as many as they should, what is turned lies there."""
    many = len(deals)
    held, lies, fine = np.zeros(many, np.int64), np.zeros(many, np.int64), np.ones(many, bool)
    for hand in np.ascontiguousarray(hands.T):
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
    turned = np.bitwise_or.reduce(BITS[deals.turned], axis=1) if shape.turned else np.zeros(many, np.int64)
    fine &= (np.bitwise_count(lies) == count) & (held & lies == 0) & ((held | lies | turned) <= shape.pack.full)
    fine &= np.bitwise_count(turned) == shape.turned
    name = getattr(shape.turning, "place", "")
    if shape.turned and not name:
        return fine & (deals.dealer >= 0) & (turned & ~hands[np.arange(many), deals.dealer] == 0)
    if shape.turned and name in shape.aside:
        own = deals.aside[:, [*shape.aside].index(name)]
        fine &= np.where(own != 0, turned & ~own == 0, turned & lies == 0)
    return fine & (held & turned == 0)
