"""`Phase`: a part of a deal, and all that a phase may say of itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from handrec.findings import PlayedTrick, Rule
from handrec.game.planting import Planting
from handrec.game.views import OverView
from handrec.record import KINDS, Announce, Bid, Deal

if TYPE_CHECKING:
    from handrec.game.table import Made, Table


class Otherwise(NamedTuple):
    """Facts for the score that are not those of the deal: which, and `as` what they are taken, in words.

    Without words the record itself states them, beside others: then that is where the fault is, and not in the score.
    """

    facts: Mapping[str, Any]
    words: str = ""


class Phase:
    """A part of a deal: takes the events of its kinds as they come; what is missing shows when the deal is over.

    `in_turn` whether each seat acts in its turn; `secret` whether nobody hears what is bid before all have bid; `independent`
    whether nothing but its own rules and the score hangs on what is bid; `per_seat` whether each seat bids for itself, and is
    scored by that; `endless` whether bids go on as long as players like; `numbered` whether what may be done hangs on the number
    that a deal states; `fixed` whether the table has agreed on the size of its penalties. Of its kinds of event those `anytime`
    may come at any time, and are judged by what they say.
    """

    in_turn: bool = True
    secret: bool = False
    independent: bool = False
    numbered: bool = False
    fixed: bool = False
    per_seat: bool = True
    endless: bool = False
    anytime: tuple[str, ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of event it takes: the event's `do`, or `announce:` and what is announced."""
        return ()

    @property
    def needs(self) -> tuple[str, ...]:
        """The codes of the rules by which it judges that a game must state itself, in its own words."""
        return ()

    @property
    def breakable(self) -> tuple[str, ...]:
        """The codes, besides those of play and bid rules, that `offers` can break when asked to."""
        return ()

    @property
    def plants(self) -> Mapping[str, Planting]:
        """How other faults are planted in the written record of its events, by code; see `game.planting`."""
        return {}

    def open(self, table: Table) -> None:
        """Before the first event: take up what the deal itself states."""
        return None

    def take(self, table: Table, place: int, event: Any) -> None:
        """Take event number `place` of the deal; write down on the table what is wrong with it."""
        return None

    def take_back(self, table: Table, place: int, event: Any) -> None:
        """Take back a bid, as event number `place` says, if the game has that."""
        table.fault("PLY007", place, seat=event.by, what="bid that is taken back")

    def heading(self, number: int, seats: Sequence[str]) -> dict[str, Any]:
        """What the number of a deal says of it besides, as fields of the deal that is dealt."""
        return {}

    def lay(self, table: Table, place: int) -> int:
        """For the fast path: take all that this phase takes before the first lead, from event `place` on; the place after it.

        A phase that has a way of its own, which must then be all of it, opening and closing included, returns -1 if anything is
        unusual.
        """
        events = table.deal.events
        while place < len(events):
            event = events[place]
            if table.game.taking(event) is not self:
                break
            if not table.place_of.keys() >= {*KINDS[event.do].seats_of(event)}:
                return -1  # a seat that is none of the table's; `take` need not look at who it was
            self.take(table, place, event)
            place += 1
        return place

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The events that may legally come next here; with `breaking`, those that break this rule and no other first."""
        return []

    def may(self, table: Table) -> list[Any]:
        """The events that may come next here, but need not."""
        return []

    def expects(self, table: Table, event: Any) -> bool | None:
        """Whether an event is one of those that `offers` gives, where that is told without making them all; else None."""
        return None

    def unseen(self, table: Table, seat: int) -> bool:
        """Whether a seat has not looked at its cards yet."""
        return False

    def turn_unseen(self, table: Table) -> bool:
        """Whether only the seat knows whose turn it is here, by a card in its hand."""
        return False

    def more(self, table: Table) -> list[Any]:
        """Other events that are as legal here as those offered, but that nobody who deals games needs."""
        return []

    def calls_out_of_turn(self, table: Table, deal: Deal) -> int:
        """How many of a deal's calls are not made by the seat after the one before; 0 where seats need not take turns."""
        return 0

    def sensible(self, table: Table, events: list[Any]) -> list[Any]:
        """Those of the events that somebody who wants to win would choose from; a game without them might never end."""
        return events

    def sayable(self, table: Table) -> Iterable[Any]:
        """The bids there are, as they are written, legal or not: of these one is meant by a bid that the game does not know."""
        return ()

    def played_out(self, table: Table) -> PlayedTrick | None:
        """The trick to which all have played, while it lies there, if no more is needed to tell who won it."""
        return None

    def all_sayable(self, table: Table) -> Iterable[Any]:
        """All that may ever be bid or announced in deals as large as this one, at whatever moment, as if by the first seat."""
        seat = table.seats[0]
        announced = [kind.removeprefix("announce:") for kind in self.kinds if kind.startswith("announce:")]
        bids = [Bid(by=seat, bid=bid) for bid in self.sayable(table)] if "bid" in self.kinds else []
        return [*bids, *(Announce(by=seat, what=what) for what in announced)]

    def apart(self, one: str, other: str) -> bool:
        """Whether a card has a rule of its own here that another of its suit has not."""
        return False

    def before_play(self, table: Table) -> None:
        """Before the first card that is played, by whomever: what is written of all that came before it is here."""
        return None

    def close(self, table: Table) -> None:
        """After the last event: write down what is missing."""
        return None

    def look_back(self, tables: Sequence[Table]) -> None:
        """When all deals of a record are replayed: judge what may hang on a fault that came to light late."""
        return None

    def proxy(self, table: Table, /) -> tuple[int, int] | None:
        """A seat and another, whose cards lie open and are played by it, as a declarer plays dummy's; None if there are none."""
        return None

    def lying_open(self, table: Table, trick: int) -> int:
        """How many of the cards that are turned up lie open before a trick is led."""
        return 1

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """What the score needs to know of a seat beyond bid and tricks, by name; `Perhaps` where it is not known."""
        return {}

    def staked(self, table: Table) -> str:
        """What a deal is played for, in words, where partners play for it together: a contract, and whose it is."""
        return ""

    def otherwise(self, table: Table, seat: int) -> Iterable[Otherwise]:
        """Other `facts` by which somebody may have reckoned the score."""
        return ()

    def promised(self, table: Table, event: Any) -> tuple[tuple[int, int], ...]:
        """What an event promises of the hand as it was dealt: groups of cards that hold all, and how many of each; or nothing."""
        return ()

    def notes(self, table: Table, seat: int) -> dict[str, str]:
        """What a scorecard shows of a seat beyond bid and tricks, in words."""
        return {}

    def settle(self, table: Table, bids: Mapping[int, Made], tricks: Mapping[int, int]) -> None:
        """When the deal is scored: judge what depends on the result."""
        return None

    judged_late = False  # whether its events are judged only when the deal, or the game, is over

    # --- deals in columns, very many at once: see `handrec.sieve` ---

    def said(self, table: Table, seat: int) -> dict[str, int] | None:
        """What is known of a seat before a card is played, or hangs on no card, as numbers by name; None if that cannot be told.

        The rest is `facts_of`.
        """
        return {}

    def facts_of(self, over: OverView, seat: int) -> dict[str, Any]:
        """The `facts` that hang on cards, of very many deals that are over; a number below 0 where it cannot be told."""
        return {}

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """How many cards lie open when a trick is led, one after the last meaning the end.

        They lie at `place` among those set aside, or, if the phase has no such place, in the dealer's hand.
        """
        return 0

    def up_to_date(self, part: str, *others: str) -> bool:
        """Whether a part of this phase that stands for others is no older than they are: none of them was changed below it."""
        classes = type(self).__mro__
        newest = {name: next(place for place, each in enumerate(classes) if name in vars(each)) for name in (part, *others)}
        return all(newest[part] <= newest[name] for name in others)
