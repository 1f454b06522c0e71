"""Cards of a row that are turned up one by one, and whether each was turned when it was due.

Play follows the row as far as it is on record, whatever was turned: so a card turned too soon, too late or in another's
place is a fault of the turning alone. When the deal is over, every card turned is set beside the place in the row where
it lies. Cards that took each other's places, and those that moved because another one did, are one fault.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from handrec.cards import UNKNOWN, is_known
from handrec.game.table import Table


@dataclass
class Shown:
    """A card that was turned: where the record has it, before or (`amid`) during which trick, and its `spot` in the row.

    `spot` is None for a card that does not lie in the row, or was turned before. `why` says what it came too early for.
    """

    place: int
    card: str
    trick: int
    amid: bool = False
    spot: int | None = None
    seat: int | None = None  # who plays it, if it is turned by playing it
    why: str = ""
    last: bool = False  # it is the hidden card, and all is over


@dataclass
class FacedRow:
    """The cards that lie there, the first on top; which were shown, and which had not been when they were due.

    `pack` are the cards that lie there by the recorded pack, if it is on record.
    """

    cards: list[str]
    pack: list[str] = field(default_factory=list)
    shown: list[Shown] = field(default_factory=list)
    overdue: dict[int, tuple[int | None, int]] = field(default_factory=dict)  # spot: the event by which, the trick for which
    bids: int = -1  # the last bid before the first play
    spots: set[int] = field(default_factory=set)  # the places whose cards have been shown
    plain: bool = True  # each card was turned when it was due, as far as the row has come

    def at(self, spot: int) -> str:
        """The card that lies there, as far as it is known; also where hands are larger than the row is long."""
        return self.cards[spot] if spot < len(self.cards) else UNKNOWN

    def lies(self, spot: int) -> str:
        """What lies there, in words, and what says so."""
        return f"{self.cards[spot]} lies there" + (", by the recorded pack too" if self.cards[spot] in self.pack else "")

    @property
    def late(self) -> list[int]:
        """The places of cards that were due and have not been shown."""
        return [spot for spot in self.overdue if spot not in self.spots]

    def meant(self, card: str, window: range) -> int | None:
        """Where the card turned lies: where it is written, or a place not known, best one of the window."""
        again = is_known(card) and any(shown.card == card for shown in self.shown)
        free = [] if again else [spot for spot in range(len(self.cards)) if spot not in self.spots]
        same = [spot for spot in free if self.cards[spot] == card and is_known(card)]
        blank = [spot for spot in free if _may_be(self.cards[spot], card)]
        likely = [spot for spot in blank if spot in window] or blank
        return next(iter(same or likely), None)

    def show(self, shown: Shown) -> None:
        """A card is turned; where it was not known which lies there, it is this one."""
        self.shown.append(shown)
        if shown.spot is not None:
            self.spots.add(shown.spot)
            if not is_known(self.cards[shown.spot]) and is_known(shown.card):
                self.cards[shown.spot] = shown.card


def _may_be(lies: str, card: str) -> bool:
    """Whether two tokens, one of them not fully known, can stand for the same card."""
    half = not (is_known(lies) and is_known(card))
    return half and all(one == other or "?" in (one, other) for one, other in zip(lies, card, strict=False))


def judge(table: Table, row: FacedRow, window: Callable[[Shown], range]) -> None:
    """Say what was wrong with the turning; `window` gives the places in the row whose cards are due when one was shown."""
    windows = [window(shown) for shown in row.shown]
    beside = dict[tuple[int, range], list[Shown]]()
    for shown, places in zip(row.shown, windows, strict=True):
        beside.setdefault((shown.trick, places), []).append(shown)
    stands = [_stands(shown, places, beside[shown.trick, places]) for shown, places in zip(row.shown, windows, strict=True)]
    for one, stray in enumerate(row.shown):
        for other, shown in enumerate(row.shown if stray.spot is None else ()):
            if shown.card == stray.card and shown.spot == stands[one] != stands[other]:
                shown.spot, stray.spot = None, shown.spot  # of a card shown twice, the one that was due is right
    moved = [(shown, there) for shown, there in zip(row.shown, stands, strict=True) if not shown.last]
    touched = _moved(table, row, [(shown, there) for shown, there in moved if shown.spot not in (None, there)])
    gone = set(range(len(row.cards))) - row.spots - touched
    for shown, there in moved:
        if shown.spot is None and (shown.card in table.pack.index or not is_known(shown.card)):
            known = isinstance(there, int) and there in gone and is_known(row.cards[there])
            again = any(other.card == shown.card for other in row.shown if other.spot is not None)
            why = "it had been turned already" if again else "it does not lie there" if row.late else "no card was left"
            _wrong(table, shown, row.lies(there) if isinstance(there, int) and known else why)
        gone -= {there} if shown.spot is None else set()  # a card that is none of the pack has been told already
        if table.to_come(shown.place):  # those that are due before it may come, but not after it
            above = [spot for spot in window(shown) if spot in gone and spot < (shown.spot or 0) and spot not in row.overdue]
            if above:
                _wrong(table, shown, row.lies(above[0]))
    missing: dict[tuple[int | None, int], list[str]] = {}
    for spot, due in row.overdue.items():
        if spot in gone:
            missing.setdefault(due, []).append(row.cards[spot])
    for (place, trick), cards in missing.items():
        _late(table, place, trick, cards)


def _stands(shown: Shown, due: range, beside: list[Shown]) -> Hashable:
    """The place in the row for which a card was turned: by its order, if several are due; else a mark for when it was.

    `due` are the places that were due with it, `beside` the cards shown for these, itself among them.
    """
    if shown.spot is not None and not due:
        return shown.trick, shown.amid, shown.why
    if len(beside) == len(due):
        return due[beside.index(shown)]
    timely = [other for other in beside if other.spot in due]
    if shown in timely:
        return sorted(other.spot for other in timely if other.spot is not None)[timely.index(shown)]
    free = [spot for spot in due if spot not in [other.spot for other in timely]]
    return next(iter(free or due), None)


def _moved(table: Table, row: FacedRow, moved: list[tuple[Shown, Hashable]]) -> set[Hashable]:
    """Report cards turned in other places than their own, those that go together once; returns the places concerned."""
    groups: list[list[tuple[Shown, Hashable]]] = []
    for shown, there in moved:
        joined = [group for group in groups if {shown.spot, there} & _places(group)]
        groups = [group for group in groups if group not in joined]
        groups.append([*(each for group in joined for each in group), (shown, there)])
    for group in groups:
        first, there = min(group, key=lambda each: each[0].place)
        spots = {shown.spot for shown, _ in group}
        if _places(group) == spots or first.seat is not None:
            assert isinstance(there, int)
            _wrong(table, first, row.lies(there))
        elif first.spot in row.overdue:
            _late(table, *row.overdue[first.spot], [row.cards[spot] for spot in row.overdue if spot in spots])
        else:
            trick = first.trick if table.state is not None and (first.trick > 1 or first.amid) else None
            table.fault("DEA011", first.place, trick=trick, card=first.card, why=first.why)
    return {place for group in groups for place in _places(group)}


def _places(group: list[tuple[Shown, Hashable]]) -> set[Hashable]:
    return {place for shown, there in group for place in (shown.spot, there)}


def _wrong(table: Table, shown: Shown, why: str) -> None:
    """Another card was turned than lies there; one that lies elsewhere too has been reported there."""
    where = f"/deals/{table.index}/events/{shown.place}/card"
    if any(finding.pointer == where for finding in table.findings):
        return
    trick = None if shown.seat is None else shown.trick
    table.fault("DEA007", shown.place, "/card", trick=trick, seat=shown.seat, card=shown.card, why=why)


def _late(table: Table, place: int | None, trick: int, cards: list[str]) -> None:
    shown = " ".join(cards).replace(UNKNOWN, "a card")
    table.fault("DEA011", place, trick=trick, card=shown, why="was due to be turned by then, and was not")
