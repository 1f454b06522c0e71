"""Open and blind bids: everybody names a number of tricks, with or without having looked, and may raise it.

Besides the number there are side bids on the first tricks. All of it happens before the first card is led.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from handrec.findings import Rule
from handrec.game.phase import Phase
from handrec.game.table import Made, Table
from handrec.game.value import Perhaps
from handrec.game.views import BidView, OverView
from handrec.masks import pick
from handrec.phases import wrong_bids
from handrec.record import Announce, Bid

#: What a score sheet says of a bid: `5`, `blind5`, `5+bemo`; a side bid alone where it stands for the number.
_SHEET = re.compile(r"(?P<blind>blind)?(?P<number>[0-9]+)?(?P<sides>(?:\+?[a-z_]+)*)")


class Spoken:
    """What the seats have done besides naming numbers."""

    def __init__(self) -> None:
        self.looked: set[int] = set()
        self.sides: dict[int, list[str]] = {}


@dataclass(frozen=True)
class OpenBids(Phase):
    """A number each, blind or open; open ones in turn from the dealer's left, raises and blind ones at any time.

    `sides` are the side bids, lowest first, with the number of first tricks that each means to win. `alone` makes them
    stand for the number; `both` lets one seat make several. `blind_raise` is what becomes of a blind bid that is raised
    after a look.
    """

    in_turn: bool = True
    blind_raise: Literal["converts_to_open", "forbidden", "stays_blind"] = "converts_to_open"
    sides: Mapping[str, int] = field(default_factory=dict)
    alone: bool = False
    both: bool = False
    anytime = ("announce:look",)
    plants = wrong_bids.OPEN
    independent = True

    @property
    def kinds(self) -> tuple[str, ...]:
        """Bids, looks, and the side bids."""
        return ("bid", "announce:look", *(f"announce:{side}" for side in self.sides))

    @property
    def needs(self) -> tuple[str, ...]:
        """A rule for numbers, for those lowered, for blind ones, for side bids, and for raises if the table forbids some."""
        choices = {"BID019": bool(self.sides), "BID020": self.blind_raise == "forbidden"}
        return ("BID002", "BID017", "BID018", *(code for code, can in choices.items() if can))

    @property
    def breakable(self) -> tuple[str, ...]:
        """What can go wrong in bidding: turn, time, a lowered bid, a blind one after the look, a side bid."""
        choices = {"BID001": self.in_turn, "BID005": self.alone, "BID020": self.blind_raise == "forbidden"}
        return ("BID007", "BID017", "BID018", "BID019", *(code for code, can in choices.items() if can))

    # --- bids as written ---

    def made(self, table: Table, event: Bid, place: int) -> Made | None:
        """The bid as the game understands it, None if it has no such bid; a mere number on the sheet fits a bid of it."""
        if isinstance(event.bid, int):
            stands = table.bids[table.place_of[event.by]]
            if place < 0 and stands is not None and stands.kind == "number" and stands.value == event.bid:
                return stands
            return self._number(table, event.bid, bool(event.blind), [], place)
        match = _SHEET.fullmatch(event.bid)
        sides = [side for side in (match["sides"] if match else "").split("+") if side]
        if match is None or place >= 0 or not set(sides) <= set(self.sides):
            return None
        if match["number"]:
            return self._number(table, int(match["number"]), bool(match["blind"]), sides, place)
        return _side(sides, place) if sides and self.alone else None

    def _number(self, table: Table, number: int, blind: bool, sides: list[str], place: int) -> Made | None:
        view = BidView(number, table.size)
        if any(rule.check is not None and rule.check(view) for rule in table.game.checks("bid")):
            return None
        return Made("+".join([f"blind{number}" if blind else str(number), *sides]), "number", number, place, blind)

    def sayable(self, table: Table) -> Iterable[Any]:
        """The bids there are."""
        return range(table.size + 1)

    def all_sayable(self, table: Table) -> Iterable[Any]:
        """Bids, blind or open, and what is announced."""
        return [*(self._bid(table, 0, number, True) for number in self.sayable(table)), *super().all_sayable(table)]

    def allowed(self, table: Table) -> str:
        """The bids the game knows, in words."""
        return f"a number from 0 to {table.size}"

    def take_sheet(self, table: Table, sheet: Mapping[int, Made]) -> None:
        """Take bids that stand only on the score sheet as if they had been made."""
        for seat, made in sheet.items():
            table.bids[seat] = made
            spoken(table).sides[seat] = [side for side in made.token.split("+") if side in self.sides]

    # --- taking what happens ---

    def take(self, table: Table, place: int, event: Bid | Announce) -> None:
        """Take a bid, a look or a side bid."""
        seat = table.place_of[event.by]
        if event.do == "announce":
            if event.what == "look":
                spoken(table).looked.add(seat)
            else:
                self._side_bid(table, place, seat, event.what)
            return
        before, sides = table.bids[seat], spoken(table).sides.get(seat, [])
        made = self.made(table, event, place)
        if made is None:
            table.fault("BID002", place, "/bid", seat=seat, bid=event.bid, allowed=self.allowed(table))
            table.bids[seat] = before or Made(str(event.bid), "unknown", None, place, bool(event.blind))
            return
        if before is None:
            self._first(table, place, seat, event)
        elif before.kind != "unknown" and not self._raised(table, place, seat, event, before):
            return
        known_blind = before is not None and before.kind == "number" and before.blind
        blind = made.blind or (known_blind and self._stays_blind(table, seat, place))
        table.bids[seat] = self._number(table, made.value or 0, blind, sides, place)
        if not blind:
            spoken(table).looked.add(seat)

    def lay(self, table: Table, place: int) -> int:
        """Everybody bids a number in turn, openly, and that is all."""
        events, count, dealer = table.deal.events, table.count, table.dealer
        if dealer is None or place + count > len(events):
            return -1
        for step in range(1, count + 1):
            seat, event = (dealer + step) % count, events[place]
            if type(event) is not Bid or event.by != table.seats[seat] or event.blind is not None:
                return -1
            number, fair = event.bid, table.game.fair
            if (number, table.size) in fair:
                table.bids[seat] = Made(str(number), "number", int(number), place)
            elif isinstance(number, int) and (made := self.made(table, event, place)) is not None:
                table.bids[seat] = made
                table.game.add_fair((number, table.size))
            else:
                return -1
            place += 1
        return place

    def _first(self, table: Table, place: int, seat: int, event: Bid) -> None:
        """A seat's first number: in time, in turn, and called blind if the seat has not looked, and only then."""
        blind, looked = bool(event.blind), seat in spoken(table).looked
        if table.state is not None:
            table.fault("BID007", place, seat=seat, bid=event.bid)
        elif blind and looked:
            table.fault("BID018", place, "/blind", seat=seat, bid=event.bid, how="blind", when="after looking")
        elif not blind and not looked and _looks_later(table, seat, place):
            table.fault("BID018", place, seat=seat, bid=event.bid, how="openly", when="before looking")
        else:
            self._turn(table, place, seat, event.bid, blind)

    def _turn(self, table: Table, place: int, seat: int, bid: Any, blind: bool) -> None:
        """Open bids go clockwise, and no blind one comes after them."""
        if not self.in_turn:
            return
        if blind:
            if self._opened(table):
                table.fault("BID001", place, seat=seat, bid=bid, why="an open bid had been made already")
            return
        waiting = self._waiting(table, place)
        if waiting and waiting[0] != seat:
            due = table.seat(waiting[0])
            table.fault("BID001", place, seat=seat, bid=bid, due=due, why=f"it was {due}'s turn to bid")

    def _waiting(self, table: Table, place: int) -> list[int]:
        """The seats that make an open bid before the first lead and have not yet, in their turn."""
        if table.to_come(place):
            return self._unbid(table)
        first: dict[str, Any] = {}
        for event in table.deal.events:
            if event.do == "play":
                break
            if event.do == "bid" or (self.alone and event.do == "announce" and event.what in self.sides):
                first.setdefault(event.by, event)
        bidders = {seat for seat, event in first.items() if not getattr(event, "blind", None)}
        return [seat for seat in self._unbid(table) if table.seats[seat] in bidders]

    def _unbid(self, table: Table) -> list[int]:
        """The seats without a bid, in turn from the dealer's left."""
        return [] if table.eldest is None else [seat for seat in table.clockwise(table.eldest) if table.bids[seat] is None]

    def _raised(self, table: Table, place: int, seat: int, event: Bid, before: Made) -> bool:
        """Whether a later number counts: it comes in time, is higher, and is as blind as it can be."""
        looked = seat in spoken(table).looked
        if table.state is not None:
            table.fault("BID007", place, seat=seat, bid=event.bid)
            return False
        if before.kind == "side":
            table.fault("BID005", place, seat=seat, bid=event.bid, before=before.token)
            return False
        assert before.value is not None
        if int(event.bid) <= before.value:
            table.fault("BID017", place, "/bid", seat=seat, bid=event.bid, before=before.token)
            return False
        if event.blind and looked and not (before.blind and self.blind_raise == "stays_blind"):
            table.fault("BID018", place, "/blind", seat=seat, bid=event.bid, how="blind", when="after looking")
            return True
        has_looked = looked or not (event.blind or _looks_later(table, seat, place))
        if before.blind and self.blind_raise == "forbidden" and has_looked:
            spoken(table).looked.add(seat)
            table.fault("BID020", place, "/bid", seat=seat, bid=event.bid, before=before.token)
            return False
        return True

    def _stays_blind(self, table: Table, seat: int, place: int) -> bool:
        """Whether a blind bid that is raised without a word on it stays blind."""
        unseen = seat not in spoken(table).looked and _looks_later(table, seat, place)
        return unseen or self.blind_raise == "stays_blind"

    def _side_bid(self, table: Table, place: int, seat: int, side: str) -> None:
        """Take a side bid; one that cannot stand leaves those before it as they are."""
        said, before = spoken(table), table.bids[seat]
        sides, ranks = said.sides.get(seat, []), list(self.sides)
        lower = bool(sides) and not self.both and ranks.index(side) < ranks.index(sides[0])
        why = (
            "after the first card was led"
            if table.state is not None
            else "a second time"
            if side in sides
            else f"after {sides[0]}"
            if lower
            else f"having bid {before.token}"
            if self.alone and before is not None and before.kind == "number"
            else None
        )
        if why is not None:
            table.fault("BID019", place, seat=seat, what=side, why=why)
            return
        if seat not in said.looked and _looks_later(table, seat, place):
            table.fault("BID019", place, seat=seat, what=side, why="before looking")
        else:
            said.looked.add(seat)
        if self.alone and before is None:
            self._turn(table, place, seat, side, False)
        said.sides[seat] = [*sides, side] if self.both else [side]
        if self.alone:
            table.bids[seat] = _side(said.sides[seat], place)
        elif before is not None and before.value is not None:
            table.bids[seat] = self._number(table, before.value, before.blind, said.sides[seat], before.place)

    def close(self, table: Table) -> None:
        """Report bids that are missing."""
        number = f"deal {table.number}"
        if not any(table.bids):
            what = "the order of the bids is" if table.deal.claimed and table.deal.claimed.bids else "bids are"
            table.doubt("L3", f"{number}: {what} not recorded")
            return
        if table.dealer is None and self.in_turn:
            table.doubt("L3", f"{number}: the dealer is not recorded")
        if table.state is not None or table.deal.status in ("complete", "claimed"):
            for seat, made in enumerate(table.bids):
                if made is None:
                    table.fault("BID006", seat=seat)

    # --- telling the score ---

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """For each side bid whether the seat made it (1 or 0), and as `won_…` whether its tricks were won."""
        sides = spoken(table).sides.get(seat)
        if not sides:
            return dict(self._none)
        won = {f"won_{side}": _swept(table, seat, first) if side in sides else 0 for side, first in self.sides.items()}
        return {**{side: int(side in sides) for side in self.sides}, **won}

    @cached_property
    def _none(self) -> dict[str, int]:
        """The facts of a seat without a side bid."""
        return {**dict.fromkeys(self.sides, 0), **{f"won_{side}": 0 for side in self.sides}}

    def said(self, table: Table, seat: int) -> dict[str, int]:
        """Which side bids a seat made (1 or 0)."""
        return {side: int(side in spoken(table).sides.get(seat, ())) for side in self.sides}

    def facts_of(self, over: OverView, seat: int) -> dict[str, Any]:
        """Whether the tricks of a side bid were won."""
        return {f"won_{side}": _won_first(over, seat, side, first) for side, first in self.sides.items()}

    def notes(self, table: Table, seat: int) -> dict[str, str]:
        """Whether a side bid was made or missed."""
        if not spoken(table).sides.get(seat):
            return {}
        words = {0: "missed", 1: "made"}
        facts = self.facts(table, seat)
        return {side: words.get(facts[f"won_{side}"], "open") for side in self.sides if facts[side]}

    # --- dealing ---

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The open bids of the seat in turn; with `breaking`, what breaks this rule first."""
        waiting = self._unbid(table)
        if breaking is not None:
            return self._faulty(table, breaking.code, waiting)
        if table.state is not None:
            return []
        return [self._bid(table, seat, number) for seat in waiting[:1] for number in range(table.size + 1)]

    def may(self, table: Table) -> list[Any]:
        """What anybody may do of free will: look, bid blind while nobody has bid openly, raise, make a side bid."""
        if table.state is not None or table.eldest is None:
            return []
        said = spoken(table)
        found: list[Any] = []
        for seat, made in enumerate(table.bids):
            if seat not in said.looked:
                found.append(Announce(by=table.seats[seat], what="look"))
                if made is None and not self._opened(table):
                    found += [self._bid(table, seat, number, True) for number in range(table.size + 1)]
            if made and made.value is not None and made.kind == "number" and made.value < table.size:
                if not (made.blind and self.blind_raise == "forbidden"):
                    found.append(self._bid(table, seat, made.value + 1))
            if (made is None) == self.alone and seat not in said.sides and (not self.alone or self._unbid(table)[0] == seat):
                found += [Announce(by=table.seats[seat], what=side) for side in self.sides]
        return found

    def unseen(self, table: Table, seat: int) -> bool:
        """Before the first lead, until it says that it looks, or bids openly."""
        return table.state is None and seat not in spoken(table).looked

    def more(self, table: Table) -> list[Any]:
        """What is legal, and seldom done: raises by more than one, or that stay blind; side bids raised, or made before a number.

        Where bids have no turns, those of the others too.
        """
        found: list[Any] = []
        if table.state is not None or table.eldest is None:
            return found
        looked, opened, numbers = spoken(table).looked, self._opened(table), range(table.size + 1)
        for seat, made in enumerate(table.bids):
            if made and made.value is not None and made.kind == "number":
                if not (made.blind and self.blind_raise == "forbidden"):
                    found += [self._bid(table, seat, number) for number in numbers[made.value + 2 :]]
                if made.blind and (seat not in looked or self.blind_raise == "stays_blind"):
                    found += [self._bid(table, seat, number, True) for number in numbers[made.value + 1 :]]
            if (had := spoken(table).sides.get(seat)) or (made is None and not self.alone):
                higher = [*self.sides][0 if self.both or not had else [*self.sides].index(had[0]) :]
                found += [Announce(by=table.seats[seat], what=side) for side in higher if side not in (had or ())]
        for place, seat in enumerate(() if self.in_turn else self._unbid(table)):
            if place:
                found += [self._bid(table, seat, number) for number in numbers]
                found += [Announce(by=table.seats[seat], what=side) for side in self.sides if self.alone]
            if opened and seat not in looked:
                found += [self._bid(table, seat, number, True) for number in numbers]
        return found

    @staticmethod
    def _opened(table: Table) -> bool:
        """Whether an open bid has been made."""
        return any(made is not None and not made.blind for made in table.bids)

    def sensible(self, table: Table, events: list[Any]) -> list[Any]:
        """Open bids of a fair share of the tricks, or one fewer with few trumps; no blind ones, no raises, no side bids."""
        order, share = table.order(1), table.size // table.count
        found = []
        for event in events:
            seat = table.place_of[event.by]
            few = order is None or (table.hands[seat] & order.trumps).bit_count() <= share
            usual = event.do == "bid" and not event.blind and table.bids[seat] is None and event.bid == share - few
            if usual or (event.do == "announce" and event.what == "look"):
                found.append(event)
        return found

    @staticmethod
    def _bid(table: Table, seat: int, number: int, blind: bool = False) -> Bid:
        return Bid(by=table.seats[seat], bid=number, blind=True) if blind else Bid(by=table.seats[seat], bid=number)

    def _faulty(self, table: Table, code: str, waiting: list[int]) -> list[Any]:
        """Events that break the rule of a code, and no other."""
        begun, said, size = table.state is not None, spoken(table), table.size
        stands = [(seat, made.value, made) for seat, made in enumerate(table.bids) if made and made.value is not None]
        numbers = [(seat, value, made) for seat, value, made in stands if made.kind == "number"]
        bid = self._bid
        if begun:
            late = [bid(table, seat, number) for seat, value, _ in numbers for number in range(value + 1, size + 1)]
            sides = [Announce(by=table.seats[seat], what=side) for seat in range(table.count) for side in self.sides]
            return late if code == "BID007" else sides if code == "BID019" else []
        raises = [(seat, number, made) for seat, value, made in numbers for number in range(value + 1, size + 1)]
        faulty: dict[str, list[Any]] = {
            "BID001": [bid(table, seat, number) for seat in waiting[1:] for number in range(size + 1) if self.in_turn],
            "BID002": [bid(table, seat, size + 1) for seat in waiting[:1]],
            "BID005": [bid(table, seat, number) for seat, _, made in stands if made.kind == "side" for number in range(size + 1)],
            "BID017": [bid(table, seat, number) for seat, value, _ in numbers for number in range(value + 1)],
            "BID018": [bid(table, seat, number, True) for seat, number, made in raises if not made.blind],
            "BID019": [Announce(by=table.seats[seat], what=side) for seat, sides in said.sides.items() for side in sides],
            "BID020": [bid(table, seat, number) for seat, number, made in raises if made.blind],
        }
        return faulty.get(code, [])


def spoken(table: Table) -> Spoken:
    """What the seats of a table have said and done."""
    if Spoken not in table.kept:
        table.kept[Spoken] = Spoken()
    kept: Spoken = table.kept[Spoken]
    return kept


def _side(sides: list[str], place: int) -> Made:
    return Made("+".join(sides), "side", 0, place)


def _looks_later(table: Table, seat: int, place: int) -> bool:
    """Whether the record says that a seat looks at its cards only after an event."""
    name = table.seats[seat]
    return any(
        type(event) is Announce and event.what == "look" and event.by == name for spot, event in table.besides if spot > place
    )


def _won_first(over: OverView, seat: int, side: str, first: int) -> Any:
    won: Any = over.said[seat][side] > 0
    for winner in over.winners[:first]:
        won = won & (winner == seat)
    return pick(won & (len(over.winners) >= first), 1, 0)


def _swept(table: Table, seat: int, first: int) -> int | Perhaps:
    """Whether a seat won the first tricks as they were played, or by the sheet if no play is recorded."""
    claims = table.deal.claimed
    winners = [trick.winner for trick in table.tricks[:first]]
    if not table.tricks and claims is not None and claims.winners is not None:
        winners = list(claims.winners[:first])
    if any(winner not in (None, table.seats[seat]) for winner in winners):
        return 0
    return 1 if len(winners) == first and None not in winners else Perhaps((0, 1))
