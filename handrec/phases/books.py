"""Books taken for a renege: an opponent claims it before the trick is turned over, and then takes tricks, now or later.

Claims are judged when the deal is over, and books then change hands: they count for success and score of the deal in
which they are taken, not for who led or who won the first tricks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from handrec.findings import Finding, Rule
from handrec.game import Game
from handrec.game.phase import Phase
from handrec.game.planting import Data, Planting, any_deals, spots_of
from handrec.game.table import Table
from handrec.phases.conduct import Conduct
from handrec.record import Accuse, Transfer


@dataclass(frozen=True)
class Rulings(Conduct):
    """Rulings alone: claims of a renege are settled in books, and points are not taken."""

    kinds = ("ruling",)  # type: ignore[assignment]  # fewer than it was


@dataclass(frozen=True)
class Claimed:
    """A claim that somebody reneged; `trick` 0 if none was being played, `late` if it was turned over."""

    place: int
    by: int
    of: int
    trick: int
    late: bool


#: What books are taken for: the place of the deal of the reneges, taker, offender, and whether it is known that these had them.
Taking = tuple[int, int, int, bool]


@dataclass
class Ledger:
    """The claims of a deal, the transfers asked for, and the books that were moved in it.

    `taken` are the books moved, by the deal of the reneges, taker, offender, and whether it is known that the offender had them.
    `late` are claimant, offender and deal of claims that came too late, and the same with no deal. As the claims are gone through
    (`heard` so many), `first` are those who claimed first, by offender; `right` counts by (claimant, offender) the reneges that
    they claimed first, `open` those that may be such.
    """

    claims: list[Claimed] = field(default_factory=list)
    taken: Counter[Taking] = field(default_factory=Counter)
    transfers: list[tuple[int, Transfer]] = field(default_factory=list)
    late: set[tuple[int, int, int | None]] = field(default_factory=set)
    heard: int = 0
    tricks: set[tuple[int, int]] = field(default_factory=set)
    first: dict[int, int] = field(default_factory=dict)
    right: Counter[tuple[int, int]] = field(default_factory=Counter)
    open: Counter[tuple[int, int]] = field(default_factory=Counter)
    #: By seat and trick, revokes among the findings and their numbers there, of so many findings.
    revokes: dict[tuple[str | None, int | None], list[tuple[int, Finding]]] = field(default_factory=dict)
    seen: int = 0

    def hear(self, table: Table, place: int) -> None:
        """Go on to the claims made before an event of the deal."""
        while self.heard < len(self.claims) and (claim := self.claims[self.heard]).place < place:
            self.heard += 1
            if claim.of == claim.by or claim.late or (claim.of, claim.trick) in self.tricks:
                continue
            renege = _renege(table, claim.of, claim.trick, claim.place)
            if renege is not False:
                self.tricks.add((claim.of, claim.trick))
                self.first.setdefault(claim.of, claim.by)
                (self.right if renege else self.open)[claim.by, claim.of] += 1


@dataclass
class Earlier:
    """What there is to know of all deals before one: by number, which have it; who claimed too late in which, the first.

    `late` is by claimant, offender and deal, and by claimant and offender alone. `taken` are the deals in which books were taken
    for the same, and how many in all before each of these and after the last.
    """

    numbered: dict[int, list[int]] = field(default_factory=dict)
    late: dict[tuple[int, int, int | None], int] = field(default_factory=dict)
    taken: dict[Taking, tuple[list[int], list[int]]] = field(default_factory=dict)
    seen: int = 0

    @classmethod
    def than(cls, table: Table) -> Earlier:
        """What there is to know of the deals before one, and perhaps of later ones."""
        known: Earlier = table.past.kept.setdefault(cls, cls())
        for index in range(known.seen, len(table.past)):
            known.numbered.setdefault(table.past[index].number, []).append(index)
            for late in ledger(table.past[index]).late:
                known.late.setdefault(late, index)
            for taking, many in ledger(table.past[index]).taken.items():
                deals, sums = known.taken.setdefault(taking, ([], [0]))
                deals.append(index)
                sums.append(sums[-1] + many)
        known.seen = max(known.seen, len(table.past))
        return known


def ledger(table: Table) -> Ledger:
    """What a table keeps of its claims and books."""
    if Ledger not in table.kept:
        table.kept[Ledger] = Ledger()
    kept: Ledger = table.kept[Ledger]
    return kept


@dataclass(frozen=True)
class Books(Phase):
    """Claims of a renege and the books taken for them: at most `most` for each, in a later deal too if `later` allows."""

    most: int = 3
    later: bool = True
    judged_late = True
    kinds = ("accuse", "transfer")
    anytime = kinds
    needs = ("CLM006", "CLM007", "CLM008")
    breakable = ("CLM006", "CLM007")

    @property
    def plants(self) -> Mapping[str, Planting]:
        """Books taken for a renege that another claimed first."""
        return {"CLM008": Planting(_of_another, reckoned=True)}

    def take(self, table: Table, place: int, event: Accuse | Transfer) -> None:
        """Keep a transfer for the end of the deal; see whether a claim comes in time."""
        if event.do == "transfer":
            ledger(table).transfers.append((place, event))
            return
        now = _trick_now(table)
        of, deal = table.place_of[event.of], event.of_deal or table.number
        trick = event.trick or now
        here = deal == table.number
        if here and event.trick is None and _renege(table, of, trick, place) is False:
            trick = next((t for t in range(1, now) if _renege(table, of, t, place)), now)
        late = not here or trick < now
        if late:
            when = f"trick {trick}" + ("" if here else f" of deal {deal}")
            table.fault("CLM006", place, trick=now or None, seat=event.by, of=event.of, when=when)
            ledger(table).late |= {(table.place_of[event.by], of, each) for each in (deal, None)}
        ledger(table).claims.append(Claimed(place, table.place_of[event.by], of, trick, late))

    def close(self, table: Table) -> None:
        """The deal is over: say which claims were right, and move the books."""
        for claim in ledger(table).claims:
            if not claim.late:
                _outcome(table, claim)
        for place, event in ledger(table).transfers:
            self._move(table, place, event)

    def _move(self, table: Table, place: int, event: Transfer) -> None:
        """Move books as far as the taker has a right to them and the offender has them."""
        taker, offender, number = table.place_of[event.by], table.place_of[event.of], event.of_deal or table.number
        source = table if number == table.number else _earlier(table, number)
        where, many = f"deal {table.number}", event.tricks
        if not many:
            return
        right, why = many, ""
        if source is None and number < table.number:
            table.doubt("L5", f"{where}: deal {number}, for which {event.by} took books of {event.of}, is not in this record")
        elif source is None or (source is not table and not self.later):
            right, why = 0, f"deal {number} gives no right to any here"
        else:
            right, why = self._right(table, source, place, event)
        if table.counted and right > table.won[offender]:
            right, why = table.won[offender], why or f"{event.of} had {table.won[offender]}"
        if why:
            table.fault("CLM007", place, "/tricks", seat=event.by, of=event.of, tricks=many, why=why)
        if source is not None:
            ledger(table).taken[source.index, taker, offender, table.counted] += right
        if table.counted:
            table.moved[taker] += right
            table.moved[offender] -= right
            table.won[taker] += right
            table.won[offender] -= right
        elif table.deal.claimed is None or table.deal.claimed.tricks is None:
            table.doubt("L5", f"{where}: how many books {event.of} had cannot be told")
        table.strayed[taker] += many - right
        table.strayed[offender] -= many - right

    def _right(self, table: Table, source: Table, place: int, event: Transfer) -> tuple[int, str]:
        """How many of the books asked for the taker may have at most, and why not all if that has not been told."""
        taker, offender = table.place_of[event.by], table.place_of[event.of]
        here = place if source is table else len(source.deal.events)
        claims = ledger(source)
        claims.hear(source, here)
        right, open_ = claims.right[taker, offender], claims.open[taker, offender]
        gone = _taken(table, (source.index, taker, offender, True))
        surely = self.most * right - gone - _taken(table, (source.index, taker, offender, False))
        perhaps = self.most * (right + open_) - gone
        if surely < min(event.tricks, perhaps):
            table.doubt("L5", f"deal {table.number}: how many books of {event.of} could be taken cannot be told")
        if event.tricks <= perhaps:
            return event.tricks, ""
        if right + open_:
            return perhaps, f"{perhaps} were left of {self.most} for each renege"
        if offender in claims.first:
            other = table.seats[claims.first[offender]]
            table.fault("CLM008", place, "/by", seat=event.by, of=event.of, tricks=event.tricks, first=other)
        elif not _claimed_late(table, taker, offender, source.number):
            return 0, f"{event.of} was not found to have reneged before"
        return 0, ""

    def notes(self, table: Table, seat: int) -> dict[str, str]:
        """Books taken or given up."""
        return {"books": f"{table.moved[seat]:+d}"} if table.moved[seat] else {}

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """Nothing, as nobody reneges; with `breaking`, a claim of an old trick, or books taken for nothing."""
        if breaking is None or table.state is None:
            return []
        now = _trick_now(table)
        pairs = [(by, of) for by in table.seats for of in table.seats if by != of]
        if breaking.code == "CLM006":
            return [Accuse(by=by, of=of, trick=trick) for by, of in pairs for trick in range(1, now)]
        if breaking.code == "CLM007":
            return [Transfer(by=by, of=of, tricks=tricks) for by, of in pairs for tricks in range(1, self.most + 1)]
        return []


def _trick_now(table: Table) -> int:
    """The trick last played to, which lies open until the next lead; 0 before the first."""
    play = table.state
    return 0 if play is None else play.number if play.plays else play.number - 1


def _reneged(table: Table, seat: int, trick: int, place: int) -> Finding | None:
    """The finding that a seat had failed to follow suit in a trick, before an event."""
    known, findings = ledger(table), table.findings
    for number in range(known.seen, len(findings)):
        if (new := findings[number]).code == "REV001":
            known.revokes.setdefault((new.seat, new.trick), []).append((number, new))
    known.seen = len(findings)
    stand = [
        (number, each)
        for number, each in known.revokes.get((table.seats[seat], trick), ())
        if number < len(findings) and findings[number] is each  # a card that is taken back was no revoke
    ]
    known.revokes[table.seats[seat], trick] = stand
    return next((each for _, each in stand if each.event_index is not None and each.event_index < place), None)


def _renege(table: Table, seat: int, trick: int, place: int) -> bool | None:
    """Whether a seat had reneged in a trick before an event; None if the record leaves it open."""
    if _reneged(table, seat, trick, place):
        return True
    play: Any = table.state
    if play is None or table.stopped or (seat, trick) in table.unjudged:
        return None
    return False


def _outcome(table: Table, claim: Claimed) -> None:
    """Say of a claim whether the record bears it out."""
    of, where = table.seats[claim.of], f"deal {table.number}, trick {claim.trick}"
    finding = _reneged(table, claim.of, claim.trick, claim.place)
    upheld = _renege(table, claim.of, claim.trick, claim.place)
    if upheld is None:
        table.doubt("L4", f"{where}: whether {of} reneged cannot be told")
        return
    outcome = f"{where}: {of} had not failed to follow suit"
    if finding is not None:
        outcome = f"{where}: {of} played {finding.facts['card']} while holding {' '.join(finding.facts['could'])}"
    table.fault("CLM002", claim.place, seat=claim.by, of=of, trick=claim.trick or None, outcome=outcome, upheld=upheld)


def _earlier(table: Table, number: int) -> Table | None:
    """The last deal before one that has a number."""
    places = Earlier.than(table).numbered.get(number, [])
    last = bisect_left(places, len(table.past)) - 1
    return table.past[places[last]] if last >= 0 else None


def _taken(table: Table, taking: Taking) -> int:
    """How many books were taken for the same already, in this deal and in those before it."""
    deals, sums = Earlier.than(table).taken.get(taking, ([], [0]))
    return ledger(table).taken[taking] + sums[bisect_left(deals, len(table.past))]


def _claimed_late(table: Table, taker: int, offender: int, number: int) -> bool:
    """Whether the taker goes by a claim that came too late, which has been reported."""
    deal = None if number == table.number else number
    late = taker, offender, deal
    return late in ledger(table).late or Earlier.than(table).late.get(late, len(table.past)) < len(table.past)


def _of_another(data: Data, rng: Random, game: Game) -> bool:
    """Two claim a renege that cannot be settled, for a card is not known; the second takes a book for it."""
    deal = next(any_deals(data, rng))
    seats = [player["seat"] for player in data["players"]]
    offender, first, second = rng.sample(seats, 3)
    trick = rng.randrange(deal["cards"])
    places = spots_of(deal, "play")[trick * len(seats) :][: len(seats)]
    unseen = next(deal["events"][place] for place in places if deal["events"][place]["by"] == offender)
    unseen["card"] = "??"
    claims = [{"do": "accuse", "by": seat, "of": offender, "trick": trick + 1} for seat in (first, second)]
    deal["events"][places[-1] + 1 : places[-1] + 1] = [*claims, {"do": "transfer", "by": second, "of": offender, "tricks": 1}]
    return True
