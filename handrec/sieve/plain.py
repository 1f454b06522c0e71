"""Which deals are plain, and their columns: what goes into the sieve, and why the rest goes to the referee.

What columns cannot hold is judged here, deal by deal: that events stand in their usual order, and the bidding of games
whose bids are no list of one a seat (an auction; bids that may be blind, raised, or made on the side), which the phases of
the game themselves replay.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from handrec.game import Phase, Table
from handrec.phases.auction import Auction
from handrec.phases.bids import Bids
from handrec.phases.contracts import Contracts
from handrec.phases.facing import Facing
from handrec.phases.guesses import Guesses
from handrec.phases.open_bids import OpenBids
from handrec.phases.secret_bids import SecretBids
from handrec.phases.turn_up import TurnUp
from handrec.record import Bid, Deal, DealClaims, Play
from handrec.sieve.columns import NONE, NOTHING, REPLAYED, Columns, Shape, layout

NO_CLAIMS = DealClaims()

#: Numbers stand for so many words of a kind at the most.
MOST_WORDS = 1000


#: The columns that tell what happens besides the plays, in the order of the layout.
SAID = ("turned", "contract", "declarer", "bids", "kinds", "blind", "guesses")
Said = tuple[Sequence[int], int, int, Sequence[int], Sequence[int], Sequence[bool], Sequence[int]]


class Odd(Exception):
    """A deal that is not plain; the message says what about it is not."""


class Row(NamedTuple):
    """One deal: a value for each column (`hands` as the numbers of the cards, seat by seat), facts, and who plays each card."""

    record: int
    first: bool
    past: bool
    dealer: int
    leader: int
    hands: bytes
    aside: Sequence[int]
    turned: Sequence[int]
    contract: int
    declarer: int
    bids: Sequence[int]
    kinds: Sequence[int]
    blind: Sequence[bool]
    guesses: Sequence[int]
    leaders: bytes
    plays: bytes
    said_trump: int
    said_winners: bytes
    said_tricks: Sequence[int]
    said_scores: Sequence[int]
    facts: dict[str, list[int]]
    by: bytes


class Words:
    """Words as numbers, in the order in which they come up."""

    def __init__(self, *known: Any) -> None:
        self.number: dict[Any, int] = {word: place for place, word in enumerate(known)}

    def __call__(self, word: Any) -> int:
        """The number of a word, a new one if it has none yet. Raises `Odd` when there are too many."""
        if len(self.number) >= MOST_WORDS and word not in self.number:
            raise Odd("too many words for numbers to stand for")
        return self.number.setdefault(word, len(self.number))


class Plain:
    """Turns deals of one shape, at tables of the same seat names, into rows."""

    def __init__(self, shape: Shape, seats: tuple[str, ...]) -> None:
        self.shape, self.game, self.seats = shape, shape.game, seats
        self.place_of = {seat: place for place, seat in enumerate((*seats, *shape.game.extras))}
        self.index = shape.pack.index
        self.bit = {card: 1 << place for card, place in self.index.items()}
        self.contracts, self.trumps = Words(), Words()
        self.words = Words(("none", ""))
        self.bids: dict[Any, tuple[int, int, str]] = {}
        self.strains: dict[str, int] = {}
        self.met: list[Play] = []
        self.spots: dict[int, int] = {}
        self.by, self.card, self.number = bytearray(256), bytearray(256), bytearray(256)

    @cached_property
    def bidding(self) -> Phase | None:
        """The phase that takes bids, or a contract."""
        return self.game.phase_of.get("bid") or self.game.phase_of.get("contract")

    @cached_property
    def guessing(self) -> Guesses | None:
        """The phase that takes guesses."""
        return next((phase for phase in self.game.phases if isinstance(phase, Guesses)), None)

    @cached_property
    def rings(self) -> list[tuple[dict[int, bytes], list[bytes]]]:
        """By dealer: the seats in turn in the first trick, by who leads, and those in each turn of later ones, likewise."""
        shape, rings = self.shape, []
        for dealer in shape.turns.tolist():
            first = {turns[0]: bytes(turns[: shape.seats]) for turns in dealer[0][: shape.seats]}
            later = {turns[0]: turns for turns in dealer[1]}
            if len(first) < shape.seats or len(later) < shape.every:
                raise Odd("who leads does not tell who plays after")
            tables = zip(*(later[leader] for leader in range(shape.every)), strict=True)
            rings.append((first, [bytes(table).ljust(256, bytes([NONE])) for table in tables]))
        return rings

    def row(self, deal: Deal, record: int, first: bool, past: bool) -> Row:
        """A deal's row; raises `Odd` if it is not plain."""
        try:
            return self._row(deal, record, first, past)
        except (LookupError, ValueError) as missing:
            raise Odd(f"not a seat, a card or a play that can be told: {missing}") from None

    def _row(self, deal: Deal, record: int, first: bool, past: bool) -> Row:
        shape, place_of = self.shape, self.place_of
        if deal.status != "complete":
            raise Odd("the deal is not complete")
        if deal.pack is not None:
            raise Odd("the order of the pack is recorded")
        if deal.cards not in (None, shape.size):
            raise Odd("the number of cards stated is not that of the hands")
        dealer = place_of[deal.dealer] if deal.dealer else -1
        hands, aside = self._hands(deal), self._aside(deal)
        said, facts, played = self._said(deal, dealer)
        by, cards = self._told(played)
        claimed = deal.claimed or NO_CLAIMS
        if claimed.totals and not claimed.totals.keys() <= {*self.seats}:
            raise Odd("a total is claimed for a seat that is not in the record")
        leader, leaders = place_of[deal.leader] if deal.leader else -1, self._leaders(by, dealer)
        trump = -1 if claimed.trump is None else self.trumps(claimed.trump)
        tricks, scores = self._numbers(claimed.tricks, shape.every, -1), self._numbers(claimed.scores, shape.seats, NOTHING)
        sheet = trump, self._winners(claimed), tricks, scores
        return Row(record, first, past, dealer, leader, hands, aside, *said, leaders, cards, *sheet, facts, by)

    def said(self, deal: Deal) -> dict[str, Any]:
        """The columns that tell of what happens besides the plays, which need not be the deal's; raises `Odd` as `row` does."""
        try:
            told, facts, _ = self._said(deal, self.place_of[deal.dealer] if deal.dealer else -1)
            lists = (each if isinstance(each, int) else list(each) for each in told)
            return dict(zip(SAID, lists, strict=True)) | {"facts": facts}
        except (LookupError, ValueError) as missing:
            raise Odd(f"not a seat, a card or a play that can be told: {missing}") from None

    def _said(self, deal: Deal, dealer: int) -> tuple[Said, dict[str, list[int]], list[Play]]:
        """The values of the columns SAID, facts, and the plays."""
        begin = next((place for place, event in enumerate(deal.events) if event.do == "play"), 0)
        opening, rest = deal.events[:begin], deal.events[begin:]
        bids, kinds, blind, facts, contract, declarer, opening = self._bidding(deal, opening, dealer)
        turned, plays, closing = self._turned(deal, opening, rest)
        guesses = self._guesses(closing, dealer)
        self._sheet(deal, deal.claimed or NO_CLAIMS, bids, kinds)
        return (turned, contract, declarer, bids, kinds, blind, guesses), facts, plays

    # --- cards ---

    def _hands(self, deal: Deal) -> bytes:
        hands, size, cards = deal.hands, self.shape.size, list[str]()
        if hands is None or len(hands) != self.shape.seats:
            raise Odd("not every hand is recorded")
        for seat in self.seats:
            hand = hands[seat]
            if len(hand) != size:
                raise Odd("the hands are not of one size")
            cards += hand
        return bytes([*map(self.index.__getitem__, cards)])

    def _aside(self, deal: Deal) -> Sequence[int]:
        """The cards set aside, by place; a sum in which a card stands twice has too few bits, as the sieve will see."""
        stated = deal.aside or {}
        if not stated and not self.shape.aside:
            return ()
        if not stated.keys() <= self.shape.aside.keys():
            raise Odd("cards are set aside in a place that the game does not have")
        masks = []
        for name, many in self.shape.aside.items():
            cards = stated.get(name, ())
            if name in stated and len(cards) != many:
                raise Odd(f"not every card of the {name} is recorded, or too many are")
            masks.append(sum(map(self.bit.__getitem__, cards)))
        return masks

    def _turned(self, deal: Deal, opening: list[Any], rest: list[Any]) -> tuple[Sequence[int], list[Play], list[Any]]:
        """The cards turned, the plays, and what comes after them; cards must be turned when they are due."""
        shape, phase = self.shape, self.shape.turning
        many = shape.starts[-1]
        if not isinstance(phase, Facing):
            plays, closing, shown = rest[:many], rest[many:], opening
        else:
            shown, plays, closing = list(opening), [], list(rest)
            due, own = [shape.shown(trick) for trick in range(1, shape.size + 2)], bool(self.game.extras)
            recorded = any(event.do == "turn" for event in deal.events)
            if recorded and len(shown) != min(due[0], 1 if own else due[0]):
                raise Odd("cards are not turned when they are due")
            for trick in range(shape.size):
                many = shape.starts[trick + 1] - shape.starts[trick]
                plays += closing[:many]
                turns = due[trick + 1] - due[trick] if recorded and not (own and due[trick]) else 0
                shown += closing[many : many + turns]
                del closing[: many + turns]
        if len(plays) != shape.starts[-1]:
            raise Odd("plays are missing")
        for event in shown:
            if event.do != "turn" or (event.by is not None and event.by not in self.seats):
                raise Odd("something else than bidding and turning comes before the play")
        return self._row_turned(deal, [event.card for event in shown]), plays, closing

    def _row_turned(self, deal: Deal, shown: list[str]) -> Sequence[int]:
        """The numbers of the cards turned: those shown, which must be those that lie there, or else those that lie there."""
        shape, phase = self.shape, self.shape.turning
        if phase is None or not shape.turned:
            if shown:
                raise Odd("a card is turned though none is due")
            return ()
        lying = (deal.aside or {}).get(phase.place, [])
        if lying and shown != lying[: len(shown)]:
            raise Odd("the card turned is not the one that lies there")
        if len(shown) < shape.turned:
            if (shown and not self.game.extras) or len(lying) < shape.turned:
                raise Odd("not every card turned is recorded")
            shown = lying[: shape.turned]
        elif len(shown) > shape.turned:
            raise Odd("too many cards are turned")
        return [self.index[card] for card in shown]

    # --- bidding ---

    def _bidding(self, deal: Deal, opening: list[Any], dealer: int) -> tuple[Any, ...]:
        """Bids, kinds, blind ones, facts, contract, declarer; and what else comes before the play."""
        seats, phase = self.shape.seats, self.bidding
        none, zero = (False,) * seats, (0,) * seats
        if isinstance(phase, Contracts):
            called = opening[0] if opening and opening[0].do == "contract" else None
            if called is None:
                raise Odd("there is no contract")
            declarer = self.place_of[called.by] if called.by else -1
            return zero, zero, none, {}, self._strain(phase, str(called.bid)), declarer, opening[1:]
        if isinstance(phase, REPLAYED):
            return self._replayed(deal, phase, opening)
        if phase is None:
            return zero, zero, none, {}, -1, -1, opening
        if not isinstance(phase, Bids | SecretBids):
            raise Odd("bidding of this kind is not known here")
        turned = opening[:1] if isinstance(self.shape.turning, TurnUp) and opening[:1] and opening[0].do == "turn" else []
        made = opening[len(turned) : len(turned) + seats]
        bids, kinds = list(zero), [-1] * seats
        for spot, event in enumerate(made):
            if event.do != "bid" or event.blind is not None:
                raise Odd("not everybody bids in turn")
            seat = self.place_of[event.by]
            if isinstance(phase, Bids) and (dealer < 0 or seat != (dealer + 1 + spot) % seats):
                raise Odd("not everybody bids in turn")
            bids[seat], kinds[seat], _ = self._bid(phase, event)
        if -1 in kinds:
            raise Odd("not everybody bids once")
        return bids, kinds, none, {}, -1, -1, [*turned, *opening[len(turned) + seats :]]

    def _strain(self, phase: Contracts, token: str) -> int:
        """The number of a contract's strain."""
        if token not in self.strains:
            strain = phase.names(token)
            if strain is None:
                raise Odd("there is no contract")
            self.strains[token] = self.contracts(strain)
        return self.strains[token]

    def _bid(self, phase: Bids | SecretBids, event: Bid) -> tuple[int, int, str]:
        """The value of a bid, its number among the kinds, and how it is written."""
        key = (type(event.bid), event.bid)
        if key not in self.bids:
            made = phase.made(self.shape.table(), event, 0)
            if made is None or made.value is None or not -1000 <= made.value <= 1000:
                raise Odd("a bid that the game does not have, or not with so many cards")
            self.bids[key] = made.value, self.words((made.kind, made.suit)), made.token
        return self.bids[key]

    def _replayed(self, deal: Deal, phase: Auction | OpenBids, opening: list[Any]) -> tuple[Any, ...]:
        """The bidding as the game's own phase sees it; it must find nothing wrong, and leave nothing open."""
        table = Table(self.game, self.shape.pack, self.seats, 0, deal, 1, self.shape.size, True)
        for place, event in enumerate(opening):
            kind = f"announce:{event.what}" if event.do == "announce" else event.do
            if self.game.phase_of.get(kind) is not phase:
                raise Odd("something else than bidding comes before the play")
            phase.take(table, place, event)
        phase.close(table)
        made = table.bids
        if table.findings or table.doubts or any(bid is None or bid.value is None for bid in made):
            raise Odd("the bidding is not faultless, or not known in full")
        claimed = (deal.claimed or NO_CLAIMS).bids or {}
        for seat, token in claimed.items():
            stands = made[self.place_of[seat]]
            if stands is None or (phase.made(table, Bid(by=seat, bid=token), -1) != stands and str(token) != stands.token):
                raise Odd("the sheet has another bid")
        told = [phase.facts(table, seat) for seat in range(self.shape.seats)]
        keys = tuple(phase.sides) if isinstance(phase, OpenBids) else ("times",)
        if any(type(each[key]) is not int for each in told for key in keys):
            raise Odd("what was said in bidding is not known in full")
        facts = {key: [each[key] for each in told] for key in keys}
        kinds = [self.words((bid.kind, bid.suit)) for bid in made if bid]
        contract = -1 if table.contract is None else self.contracts(table.contract)
        return [bid.value for bid in made if bid], kinds, [bid.blind for bid in made if bid], facts, contract, -1, []

    def _guesses(self, closing: list[Any], dealer: int) -> Sequence[int]:
        """The cards guessed, by seat: one each, from the dealer's left, all different."""
        seats, phase = self.shape.seats, self.guessing
        if phase is None:
            if closing:
                raise Odd("something happens after the play")
            return (NONE,) * seats
        guesses, turns = [NONE] * seats, []
        if closing and len(self.shape.pack) - self.shape.seats * self.shape.size - self.shape.turned != 1:
            raise Odd("more than one card lies hidden")
        for event in closing:
            if event.do != "announce" or event.what != "guess" or not phase.seen or event.count is not None:
                raise Odd("something else than guesses comes after the play, or guesses are bound by a house rule")
            seat = self.place_of[event.by]
            turns.append((seat - dealer - 1) % seats)
            guesses[seat] = NONE if event.card is None else self.index[event.card]
        named = [card for card in guesses if card != NONE]
        if dealer < 0 or turns != sorted(set(turns)) or len(named) != len(set(named)):
            raise Odd("guesses are out of turn, or repeated")
        if not phase.passing and len(named) < seats:
            raise Odd("not everybody guesses")
        return guesses

    # --- plays, and what is claimed ---

    def _told(self, plays: list[Any]) -> tuple[bytes, bytes]:
        """Who played (`NONE` not stated), and the numbers of the cards."""
        try:
            spots = bytes([*map(self.spots.__getitem__, map(id, plays))])  # records that were read share what is alike
        except KeyError:
            self._meet(plays)
            spots = bytes([*map(self.spots.__getitem__, map(id, plays))])
        numbers = spots.translate(self.number)
        if numbers.count(0) < len(numbers):
            self._numbered(numbers)
        return spots.translate(self.by), spots.translate(self.card)

    def _numbered(self, numbers: bytes) -> None:
        """See that tricks begin where they are typed to."""
        due = {start: trick for trick, start in enumerate(self.shape.starts[:-1], 1)}
        if any(number != due.get(spot) for spot, number in enumerate(numbers) if number):
            raise Odd("a trick does not begin where it is typed to")

    def _meet(self, plays: list[Any]) -> None:
        """Give a number to plays not met before. They are kept, so that no other can come to stand where they do."""
        new = {id(play): play for play in plays if id(play) not in self.spots}
        if len(self.met) + len(new) > len(self.by):
            self.spots.clear()
            self.met.clear()
            new = {id(play): play for play in plays}
        for play in new.values():
            if play.do != "play":
                raise Odd("something else than plays happens while cards are played")
            if play.marked or play.unordered or (play.trick or 0) > 255:
                raise Odd("a card is marked, or a row is not in order or has a number that no trick has")
            spot, who, card = len(self.met), NONE if play.by is None else self.place_of[play.by], self.index[play.card]
            self.by[spot], self.card[spot], self.number[spot], self.spots[id(play)] = who, card, play.trick or 0, spot
            self.met.append(play)

    def _leaders(self, seats: bytes, dealer: int) -> bytes:
        """Who led to each trick; the others must have played in turn."""
        shape = self.shape
        if NONE in seats:
            if seats.count(NONE) < len(seats):
                raise Odd("some plays do not say whose they are")
            if not shape.circle:
                raise Odd("plays do not say whose they are")
            return bytes([NONE]) * shape.size
        if dealer < 0 and not shape.circle:
            raise Odd("who sits where is not known")
        leaders = seats[:1] + seats[shape.seats :: shape.every]
        if self.in_turn(leaders, dealer) != seats:
            raise Odd("somebody plays out of turn")
        return leaders

    def in_turn(self, leaders: bytes, dealer: int) -> bytearray:
        """The seats that play the cards, by who leads to each trick; KeyError if nobody could lead to the first."""
        shape, (first, later) = self.shape, self.rings[dealer]
        seats = bytearray(shape.starts[-1])
        seats[: shape.seats], leaders = first[leaders[0]], leaders[1:]
        for spot, turn in enumerate(later, shape.seats):
            seats[spot :: shape.every] = leaders.translate(turn)
        return seats

    def _sheet(self, deal: Deal, claimed: DealClaims, bids: Sequence[int], kinds: Sequence[int]) -> None:
        """The bids on the score sheet must be those that were made."""
        phase = self.bidding
        if claimed.bids is None:
            return
        if not set(claimed.bids) <= set(self.seats):
            raise Odd("a bid is claimed for a seat that is not in the record")
        if not isinstance(phase, Bids | SecretBids):
            return
        made = {event.by: self._bid(phase, event)[2] for event in deal.events if event.do == "bid"}
        if any(made[seat] != str(token) for seat, token in claimed.bids.items()):
            raise Odd("the sheet has another bid")

    def _winners(self, claimed: DealClaims) -> bytes:
        if claimed.winners is None:
            return bytes([NONE]) * self.shape.size
        if len(claimed.winners) != self.shape.size:
            raise Odd("not every trick has a winner on the sheet")
        return bytes([self.place_of[seat] for seat in claimed.winners])

    def _numbers(self, claimed: dict[str, int] | None, many: int, nothing: int) -> Sequence[int]:
        if not claimed:
            return (nothing,) * many
        numbers = [nothing] * many
        for seat, number in claimed.items():
            place = self.place_of[seat]
            if place >= many:
                raise Odd("points are claimed for a seat that scores none")
            numbers[place] = number
        return numbers

    def columns(self, rows: Iterable[Row]) -> Columns:
        """Rows as columns."""
        together = dict(zip(Row._fields, zip(*rows, strict=True), strict=True))
        arrays: dict[str, Any] = {}
        for name, (width, dtype) in layout(self.shape).items():
            values = together[name]
            flat = np.frombuffer(bytearray(b"".join(values)), np.uint8) if type(values[0]) is bytes else np.array(values, dtype)
            arrays[name] = flat.reshape(len(values), *width, *[-1] * (name == "hands"))
        # A hand in which a card stands twice has too few bits, as the sieve will see.
        arrays["hands"] = np.bitwise_or.reduce(np.left_shift(1, arrays["hands"], dtype=np.int64), axis=2)
        told = together["facts"]
        facts = {key: np.array([each[key] for each in told], np.int16) for key in told[0]}
        words: dict[str, Any] = {"contracts": tuple(self.contracts.number), "trumps": tuple(self.trumps.number)}
        return Columns(self.shape, **arrays, facts=facts, words=tuple(self.words.number), **words)
