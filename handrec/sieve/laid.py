"""What a script amounts to: the phases of the game take it, once, at a table without cards.

Scripts of deals that are not repeated differ in little but the bids. Where nothing else hangs on these, and everybody bids once,
scripts that are alike but for the bids are taken once as a whole; of the others, their bids alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

from handrec.fast.plan import Plan, plan_of
from handrec.game import Table
from handrec.game.playing import Playing
from handrec.game.table import Made
from handrec.phases.tricks import Tricks
from handrec.record import KINDS, Bid, Play
from handrec.sieve.codec import NOTHING, Codec, Foul, Script, ScriptEvent, decode
from handrec.sieve.shape import Shape

UNSEEN = Play(card="??")

#: So many scripts are remembered with what they amount to, and so many that are not alike.
MOST_LAID = 100_000
MOST_ALIKE = 1000

#: What is bid, in the text of a script; and what stands between the bids claimed and the events.
BID = re.compile(r'(?<="bid":)(-?[0-9]+|"[^"\\]*")(?=[,}])')
EVENTS = '},"events":'


class Laid(NamedTuple):
    """What is known of all deals of a script, dealt by the same seat; cards are told by where they stand among those shown.

    `cards` are shown; `leader` who leads first by the rules, -1 if they do not tell; `contract`; the `bids` that stand, none in
    games without; by seat what it had `said`; the cards `turned`, in order; the cards `handed` on, each with giver and taker;
    and by the places of events the `spots` of their first cards. `sides`: by seat the tricks and the points that are claimed for
    its side, `NOTHING` where they are not; none if nothing is claimed for sides. `first` whether the first version has all this.
    """

    cards: int
    leader: int
    contract: str | None
    bids: tuple[Made, ...]
    said: tuple[dict[str, int], ...]
    turned: tuple[int, ...]
    handed: tuple[tuple[int, int, int], ...]
    spots: dict[int, int]
    sides: tuple[tuple[int, ...], ...] = ()
    first: bool = True


class Scripts:
    """What the scripts of deals of one shape amount to; `contracts` by number, -1 for none."""

    def __init__(self, codec: Codec) -> None:
        self.codec = codec
        self.contracts: dict[str | None, int] = {None: -1}
        self.known: dict[tuple[str, int, int], Laid | None] = {}
        self.alike: dict[tuple[Any, ...], Bidding] = {}
        phase = codec.shape.game.phase_of.get("bid")
        self.independent = phase is not None and phase.independent

    @classmethod
    def of(cls, codec: Codec) -> Scripts:
        """Those that are kept with what reads them."""
        if cls not in codec.kept:
            codec.kept[cls] = cls(codec)
        found: Scripts = codec.kept[cls]
        return found

    def laid(self, text: str, dealer: int, number: int = 0) -> Laid | None:
        """What the script of a deal amounts to; None if it is not in order, or says what only the referee judges.

        `number` is that of the deal, 0 where nothing hangs on it.
        """
        key = text, dealer, number
        if key not in self.known:
            if len(self.known) >= MOST_LAID:
                self.known.clear()
            self.known[key] = self._lay(text, dealer, number)
        return self.known[key]

    def numbered(self, text: str) -> bool:
        """Whether anything hangs on the deal's number: the game says so, or the script that it is that of its board."""
        script = self.codec.script_with("board", text)
        return bool(self.codec.shape.game.that("numbered")) or (script is not None and script.board)

    def _lay(self, text: str, dealer: int, number: int) -> Laid | None:
        if not self.independent or number:
            script = _Script.read(self.codec, text, dealer, number)
            return None if script is None else script.laid()
        claims, _, events = text.rpartition(EVENTS)
        pieces = BID.split(events)
        frame, bids = (dealer, bool(claims), *pieces[::2]), pieces[1::2]
        bidding = self.alike.get(frame)
        laid = None if bidding is None else bidding.laid(bids, claims)
        if laid is not None:
            return laid
        script = _Script.read(self.codec, text, dealer)
        laid = None if script is None else script.laid()
        if script is not None and laid is not None and bidding is None and (bidding := script.bidding(laid, len(bids))):
            if len(self.alike) >= MOST_ALIKE:
                self.alike.clear()
            self.alike[frame] = bidding
        return laid


class _Script:
    """A script that is taken: the `events` with cards that stand for those shown, and those `before` and `after` the play."""

    def __init__(self, codec: Codec, script: Script, dealer: int, number: int) -> None:
        self.codec, self.shape, self.dealer, self.claims = codec, codec.shape, dealer, script.claims.get("bids")
        self.events, self.turned, self.handed = list[Any](), list[int](), list[tuple[int, int, int]]()
        self.spots, self.cards = dict[int, int](), script.cards
        self.before, self.after = list[tuple[int, Any]](), list[tuple[int, Any]]()
        self.number, self.board, self.vulnerable = number or None, number if script.board else None, script.vulnerable
        self.sides, self.first = script.claims.get("sides") or {}, script.first
        plain = self.sides.keys() <= codec.shape.game.sides(codec.seats).keys() and (number > 0 or not script.board)
        self.in_order = plain and self._walk(script) and _turned_in_time(self.shape, script.parts, bool(self.turned))

    @classmethod
    def read(cls, codec: Codec, text: str, dealer: int, number: int = 0) -> _Script | None:
        """A script by its text; None if it is none, or not in order."""
        try:
            found = cls(codec, codec.script(text), dealer, number)
        except Foul:
            return None
        return found if found.in_order else None

    def _walk(self, script: Script) -> bool:
        """Whether all that happens comes before or after the play, but for cards that are turned, and all is known of it."""
        shape, plays, many = self.shape, 0, 0
        cards = iter(shape.pack.cards)  # all different, and all of the pack
        for part in script.parts:
            if isinstance(part, int):
                self.events += [UNSEEN] * part
                plays += part
                continue
            if part.unknown:
                return False
            event: Any = part.made(cards)
            named = range(many, many + part.cards)
            if part.turns:
                self.turned += named
            elif part.hands is not None:
                if None in part.hands:
                    return False
                giver, taker = (self.codec.place_of[seat] for seat in part.hands)
                self.handed += [(giver, taker, spot) for spot in named]
            if shape.game.phase_of.get(event.do) is not shape.tricks:
                if any(seat in shape.game.extras for seat in KINDS[event.do].seats_of(event)):
                    return False  # a seat that no player has plays cards, and does nothing else
                if 0 < plays < shape.starts[-1] or (self.turned and not plays and shape.turning is shape.tricks):
                    return False  # amid the play; or a card that is turned for the first lead was turned before
                (self.after if plays else self.before).append((len(self.events), event))
            elif not part.turns:
                return False
            self.spots[len(self.events)], many = many, named.stop
            self.events.append(event)
        return plays > 0

    def _table(self) -> Table:
        """A table at which nothing has happened yet, and nobody's cards are known."""
        shape, seats = self.shape, self.codec.seats
        aside = None if self.turned else {name: ["??"] * many for name, many in shape.aside.items()}
        claimed = SimpleNamespace(bids=self.claims, trump=None, winners=None, tricks=None, scores=None, totals=None, sides=None)
        deal: Any = SimpleNamespace(
            dealer=None if self.dealer < 0 else seats[self.dealer],
            leader=None,
            number=self.number,
            board=self.board,
            vulnerable=self.vulnerable,
            aside=aside,
            events=self.events,
            claimed=claimed,
            status="complete",
            hands=None,
            pack=None,
        )
        table = shape.table(self.dealer, deal, seats)
        table.cardless, table.left, table.besides = True, [0] * len(table.seats), [*self.before, *self.after]
        return table

    @property
    def _plan(self) -> Plan | None:
        """How phases lay down what they take, where nothing is left open."""
        return plan_of(self.shape.game, self.codec.seats) if self.dealer >= 0 else None

    def laid(self) -> Laid | None:
        """What comes of it, as the phases have it; None if it is not in order."""
        game, play, plan, table = self.shape.game, self.shape.tricks, self._plan, self._table()
        assert isinstance(play, Tricks)
        takers = {place: game.taking(event) for place, event in table.besides}
        if any(its is None or its.judged_late for its in takers.values()):
            return None
        laid = -1 if plan is None else plan.lay(table)
        if laid < 0:
            table = self._table()
            for phase in game.that("open"):
                if phase is not play:
                    phase.open(table)
        closing = plan.closes if plan is not None and laid >= 0 else game.that("close")
        for some in (self.before[max(laid, 0) :], self.after):
            for place, event in some:
                its = takers[place]
                assert its is not None
                its.take(table, place, event)
            table.state, table.counted = _over(self.shape), True
        leader = play.leader(table)
        for phase in closing:
            if phase is not play:
                phase.close(table)
        for phase in game.that("settle"):
            phase.settle(table, {}, {})
        bids = tuple(bid for bid in table.bids if bid is not None and bid.value is not None)
        if table.findings or table.doubts or not _as_claimed(bids, self.claims or {}, table):
            return None
        said = list[dict[str, int]]()
        for seat in range(len(self.codec.seats)):
            heard = [phase.said(table, seat) for phase in game.that("said")]
            if None in heard:
                return None
            said.append({key: value for each in heard if each for key, value in each.items()})
        return Laid(
            self.cards,
            -1 if leader is None else leader,
            table.contract,
            bids,
            tuple(said),
            tuple(self.turned),
            tuple(self.handed),
            self.spots,
            self._claimed(),
            self.first,
        )

    def _claimed(self) -> tuple[tuple[int, ...], ...]:
        """What is claimed for the side of each seat."""
        found: list[tuple[int, ...]] = [(NOTHING, NOTHING)] * len(self.codec.seats)
        for side, places in self.shape.game.sides(self.codec.seats).items() if self.sides else ():
            if (said := self.sides.get(side)) is not None:
                for place in places:
                    found[place] = tuple(NOTHING if number is None else number for number in (said.tricks, said.score))
        return tuple(found) if self.sides else ()

    def bidding(self, laid: Laid, many: int) -> Bidding | None:
        """How others with as `many` bids are taken that differ in these alone; None if more hangs on these than that."""
        phase, plan, at = self.shape.game.phase_of["bid"], self._plan, 0
        if plan is None or many != len(self.codec.seats):
            return None
        table = self._table()
        for opens in plan.opens:
            opens.open(table)
        for each, lay in plan.lays:
            if each is phase:
                found = Bidding(laid, partial(lay, phase, table), table, at, self.codec.names)
                return found if found.alone else None
            at = lay(each, table, at)
            if at < 0:
                return None
        return None


class Bidding:
    """Scripts that are alike but for what is bid, once by each seat: only that is taken, by `lay`, from event `start` on.

    `laid` is what the first of them came to; the `table` is as it is before the first bid; `names` are the seats as scripts name
    them.
    """

    def __init__(self, laid: Laid, lay: Callable[[int], int], table: Table, start: int, names: Mapping[str, str]) -> None:
        self.first, self.lay, self.table, self.start, self.names = laid, lay, table, start, names
        self.events, self.turned = table.deal.events, [*table.turned]
        self.end = lay(start)
        self.places = [place for place, event in enumerate(self.events) if type(event) is Bid]
        self.made: dict[tuple[int, str], Bid] = {}

    @property
    def alone(self) -> bool:
        """Whether everybody bids once, and nothing else is laid down but with these bids."""
        seats = [self.events[place].by for place in self.places]
        return len({*seats}) == len(seats) == self.table.count and self.start <= min(self.places) <= max(self.places) < self.end

    def laid(self, bids: list[str], claims: str) -> Laid | None:
        """What comes of other bids, and of those claimed, as they stand in a script; None if anything is not in order."""
        table = self.table
        try:
            for place, bid in zip(self.places, bids, strict=True):
                self.events[place] = self._bid(place, bid)
            stated = decode(claims + "}}") if claims else {"bids": {}}
            if stated.keys() != {"bids"}:
                return None
            claimed = {self.names[seat]: bid for seat, bid in stated["bids"].items()}
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            return None
        table.bids, table.turned = [None] * table.count, [*self.turned]
        fine = self.lay(self.start) == self.end and not table.findings and not table.doubts
        table.findings, table.doubts = [], {}
        made = tuple(bid for bid in table.bids if bid is not None and bid.value is not None)
        return self.first._replace(bids=made) if fine and _as_claimed(made, claimed, table) else None

    def _bid(self, place: int, text: str) -> Bid:
        if (place, text) not in self.made:
            if len(self.made) >= MOST_ALIKE:
                self.made.clear()
            stated = self.events[place].model_dump(exclude_unset=True)
            self.made[place, text] = Bid.model_validate(stated | {"bid": decode(text)})
        return self.made[place, text]


def _as_claimed(bids: tuple[Made, ...], claimed: Mapping[str, Any], table: Table) -> bool:
    """Whether all bids are known, and those claimed are those that stand."""
    if table.game.bidding is not None and len(bids) < table.count:
        return False
    places = {seat: table.place_of[seat] for seat in claimed}
    return all(place < len(bids) and bids[place].token == str(claimed[seat]) for seat, place in places.items())


def _turned_in_time(shape: Shape, parts: tuple[int | ScriptEvent, ...], turned: bool) -> bool:
    """Whether as many cards are turned before each lead as are to lie open, or none at all; one that is played is turned so."""
    if not turned:
        return True
    due = shape.due
    found, plays, open_ = dict.fromkeys(due, -1), 0, 0
    for part in parts:
        if isinstance(part, int):
            found |= {start: open_ for start in due if plays <= start < plays + part}
            plays += part
        elif part.turns:
            if plays not in due:
                return False
            open_ += 1
    found[shape.starts[-1]] = open_
    return found == due


def _over(shape: Shape) -> Playing:
    """The play when it is over."""
    play = Playing(None)
    play.number = shape.size + 1
    return play
