"""Which seat of one record is which of another: by the players' names, by what the seats are called, by whose the cards are.

Two scorekeepers may have the same players at N, E, S, W and at A, B, C, D, or one of them may have turned the table. Before
records are compared, their seats are given common names. Who is called the same is the same player; where no names tell, seats
that are called the same are the same; else, since seats stand clockwise, the table is turned as the cards say: so that most of
them are held, and played, by the same player.

Any of these may be wrong. Where cards contradict names, the seats decide if they agree with one of both, and what says otherwise
is told (`Seating.doubt`); if they agree with neither, nothing is guessed (`CannotSeat`). Nor is it where nothing tells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from handrec import writing
from handrec.cards import is_known
from handrec.judging import Find, Judge
from handrec.record import Deal, Play, Record
from handrec.sides import seats_of, side_of

#: The seats of a record, with those of another that they are.
Seats = dict[str, str]

Teller = Literal["seats", "names", "cards"]

#: Claims that are stated for each seat.
BY_SEAT = ("bids", "tricks", "scores", "totals")

CANNOT = "it cannot be told which seats of {one} and {other} are the same: "
NOTHING_TELLS = CANNOT + (
    "they are called otherwise, and neither the players' names nor the cards tell; give the players the same names in both"
)
CONTRADICTION = CANNOT + (
    "the players' names say one thing and the cards another; correct the names in one of them, or leave them out"
)
NO_VERSIONS = "they are no versions of one record"


class CannotSeat(ValueError):
    """Nothing says which seats of two records, by their places, are the same; `why` is a sentence about {one} and {other}."""

    def __init__(self, one: int, other: int, why: str) -> None:
        super().__init__(why.format(one=f"record {one + 1}", other=f"record {other + 1}"))
        self.one, self.other, self.why = one, other, why


@dataclass(frozen=True)
class Seating:
    """What the seats of a record, by its own names and in its own order, are called among those compared, and what told it.

    `doubt` is what says otherwise; `twice` are names that stand at several seats, and so tell nothing; `sure` is how much more
    says so than otherwise.
    """

    called: Seats
    by: Teller = "seats"
    doubt: Teller | None = None
    twice: tuple[str, ...] = ()
    sure: int = 0

    @property
    def same(self) -> bool:
        """Whether all its seats are called as they are."""
        return all(own == common for own, common in self.called.items())

    def own(self, pointer: str, record: Record) -> str:
        """A pointer into the record with common names (`record`) as one into the record as it was."""
        parts = pointer.split("/")
        start = 3 if parts[1] == "deals" else 1
        names = {common: seat for seat, common in self.called.items()}
        match parts[start:]:
            case "players", place, *_:
                parts[start + 1] = str([*self.called].index(names[record.players[int(place)].seat]))
            case "claimed", "sides", side, *_:
                there = seats_of(side, [player.seat for player in record.players])
                parts[start + 2] = side_of([names.get(seat, seat) for seat in there], [*self.called])
            case part if is_of_seat(part):
                parts[-1] = names.get(parts[-1], parts[-1])
        return "/".join(parts)


def is_of_seat(part: Sequence[str | int]) -> bool:
    """Whether a path within a deal, or within what is stated of the whole game, leads to what is one seat's, its last step."""
    return len(part) > 1 and (part[0] == "hands" or (part[0] == "claimed" and part[1] in BY_SEAT and len(part) == 3))


def seated(records: Sequence[Record], find: Find | None = None) -> tuple[tuple[Record, ...], tuple[Seating, ...]]:
    """The records with common names for their seats, and how each came by them; the order of the records does not matter.

    Seats are called as in most of them, of as many as where North has its name; if some have turned the table and as many have
    not, as in the one with the fewest faults, which `find`, the game for its name, can tell. Raises `CannotSeat` if it cannot be
    told which are the same.
    """
    order = sorted(range(len(records)), key=lambda who: writing.line(records[who]))
    labels = [_labels(record) for record in records]
    called = Counter(map(frozenset, labels))
    tables = [frozenset((player.seat, _name(player.name)) for player in record.players) for record in records]

    def common(who: int) -> tuple[int, bool, bool, int, int, int]:
        named, text = sum(bool(name) for _, name in tables[who]), "".join(labels[who])
        compass = {*labels[who]} == {*"NESW"}  # a board's number says who deals by these
        return called[frozenset(labels[who])], compass, text.isalpha(), named, tables.count(tables[who]), -order.index(who)

    base = max(order, key=common)
    found = _seatings(records, base, order)
    alike = Counter(frozenset(each.called.items()) for each in found.values())
    if len(alike) > 1 and find is not None:  # with the same names for seats, some may have turned the table
        judge = Judge(find)
        among = [who for who in order if {*labels[who]} == {*labels[base]}]
        faults = {who: len(judge.verdict(records[who]).faults) for who in among}
        most = max(among, key=lambda who: (alike[frozenset(found[who].called.items())], -faults[who], who == base, common(who)))
        if found[most].called != found[base].called:
            base, found = most, _seatings(records, most, order)
    seatings = tuple(found[who] for who in range(len(records)))
    return tuple(_called(record, seating, labels[base]) for record, seating in zip(records, seatings, strict=True)), seatings


def _seatings(records: Sequence[Record], base: int, order: Sequence[int]) -> dict[int, Seating]:
    """What the seats of each record are called in one of them. Raises `CannotSeat`."""
    found = {base: Seating(_alike(_labels(records[base])), twice=_twice(records[base]))}
    matches = dict[tuple[int, int], Seating | CannotSeat]()
    while len(found) < len(records):
        pairs = [(who, whom) for who in order if who not in found for whom in order if whom in found]
        matches |= {pair: _tried(records, *pair) for pair in pairs if pair not in matches}
        failed = [match for pair in pairs if isinstance(match := matches[pair], CannotSeat)]
        told = [(pair, match) for pair in pairs if not isinstance(match := matches[pair], CannotSeat)]
        if not told:
            raise failed[0]
        # The surest first: so one faulty record leads no other astray.
        (who, whom), match = max(told, key=lambda each: each[1].sure)
        seats = {own: found[whom].called[theirs] for own, theirs in match.called.items()}
        found[who] = replace(match, called=seats, by=found[whom].by if match.by == "seats" else match.by)
    return found


def _tried(records: Sequence[Record], who: int, whom: int) -> Seating | CannotSeat:
    """A match, or why there is none."""
    try:
        return _matched(records, who, whom)
    except CannotSeat as failed:
        return failed


def _labels(record: Record) -> list[str]:
    return [player.seat for player in record.players]


def _alike(seats: Sequence[str]) -> Seats:
    return {seat: seat for seat in seats}


def _turned(one: Sequence[str], other: Sequence[str], by: int) -> Seats:
    """Seats with those of another table that stand so many places on."""
    return {seat: other[(place + by) % len(other)] for place, seat in enumerate(one)}


def _matched(records: Sequence[Record], who: int, whom: int) -> Seating:
    """What the seats of one record are called in another. Raises `CannotSeat`."""
    one, other = records[who], records[whom]
    mine, theirs = _labels(one), _labels(other)
    places = min(who, whom), max(who, whom)
    if len(mine) != len(theirs):
        some, more = (len(records[place].players) for place in places)
        raise CannotSeat(*places, f"{{one}} has {some} players and {{other}} {more}: {NO_VERSIONS}")
    hands, plays = _by_cards(one, other, "hands"), _by_cards(one, other, "plays")
    if one.game != other.game and not (hands or plays):
        first, second = (records[place].game for place in places)
        raise CannotSeat(
            *places, f"{{one}} is of {first} and {{other}} of {second}, and the cards are not the same: {NO_VERSIONS}"
        )
    cards = None if hands and plays and hands != plays else hands or plays
    names, seats = _by_names(one, other), _alike(mine) if {*mine} == {*theirs} else None
    if names is None and seats is None and cards is None:
        raise CannotSeat(*places, NOTHING_TELLS)
    by: Teller = "seats"
    if names is None:  # a whole table is turned only if what was played says so too
        match = cards if seats is None or (plays and plays == cards) else seats
        by = "seats" if match == seats else "cards"
    elif names == seats or cards in (None, names):
        match, by = names, "seats" if names == seats else "names"
    elif cards == seats:
        match = seats
    else:
        raise CannotSeat(*places, CONTRADICTION)
    doubt: Teller | None = "names" if names not in (None, match) else "cards" if cards not in (None, match) else None
    tellers = (names, seats, hands, plays, plays)  # plays count twice: all hands are turned with a single slip
    sure = sum(1 if told == match else -1 for told in tellers if told is not None)
    return Seating(match or {}, by, doubt, _twice(one), sure)


def _name(name: str | None) -> str:
    """A player's name as it is compared."""
    return " ".join((name or "").split()).casefold()


def _twice(record: Record) -> tuple[str, ...]:
    """The names that stand at several seats."""
    counts = Counter(_name(player.name) for player in record.players)
    return tuple(sorted({player.name.strip() for player in record.players if player.name and counts[_name(player.name)] > 1}))


def _by_names(one: Record, other: Record) -> Seats | None:
    """Seats matched by the names that stand once in each record: all of them, or the one turn of the table that most agree on."""
    mine, theirs = ([_name(player.name) for player in record.players] for record in (one, other))
    shared = [name for name in mine if name and mine.count(name) == 1 == theirs.count(name)]
    if not shared:
        return None
    labels, others = _labels(one), _labels(other)
    if len(shared) >= len(labels) - 1:
        left = [labels[mine.index(name)] for name in shared], [others[theirs.index(name)] for name in shared]
        free = ([seat for seat in all_ if seat not in known] for all_, known in zip((labels, others), left, strict=True))
        return dict(zip(*left, strict=True)) | dict(zip(*free, strict=True))
    turns = Counter((theirs.index(name) - mine.index(name)) % len(mine) for name in shared)
    turn, many = max(turns.items(), key=lambda item: (item[1], -item[0]))
    against = sum(bool(name and (met := theirs[(place + turn) % len(mine)])) and name != met for place, name in enumerate(mine))
    return _turned(labels, others, turn) if many > against else None


def _by_cards(one: Record, other: Record, kind: Literal["hands", "plays"]) -> Seats | None:
    """The one turn of the table after which most of the cards are of the same players in both records."""
    mine, theirs = _labels(one), _labels(other)
    turns = Counter[int]()
    for deal, same in _deals(one, other):
        owners = dict(_owners(same, kind))
        for card, seat in _owners(deal, kind):
            if card in owners and seat in mine and owners[card] in theirs:
                turns[(theirs.index(owners[card]) - mine.index(seat)) % len(mine)] += 1
    turn, many = max(turns.items(), key=lambda item: (item[1], -item[0]), default=(0, 0))
    return _turned(mine, theirs, turn) if 2 * many > turns.total() else None


def _deals(one: Record, other: Record) -> Iterator[tuple[Deal, Deal]]:
    """The deals of two records that are the same by their numbers, or else by their places."""
    numbers = [[deal.number for deal in record.deals] for record in (one, other)]
    if all(None not in told and len({*told}) == len(told) for told in numbers):
        known = {deal.number: deal for deal in other.deals}
        yield from ((deal, known[deal.number]) for deal in one.deals if deal.number in known)
    else:
        yield from zip(one.deals, other.deals, strict=False)


def _owners(deal: Deal, kind: Literal["hands", "plays"]) -> Iterator[tuple[str, str]]:
    """Each card that is seen, and who held or played it."""
    if kind == "hands":
        yield from ((card, seat) for seat, cards in (deal.hands or {}).items() for card in cards if is_known(card))
    else:
        yield from ((play.card, play.by) for play in deal.events if type(play) is Play and play.by and is_known(play.card))


def _called(record: Record, seating: Seating, order: Sequence[str]) -> Record:
    """The record with the common names for its seats, its players in the common order if that is the same way round."""
    seats = [seating.called.get(seat, seat) for seat in _labels(record)]
    if seating.same and seats == [*order]:
        return record
    strange = {
        seat: f"not-{seat}"[:16] for seat in order if seat not in seating.called
    }  # nobody's seat there becomes none's here
    data = writing.renamed(writing.plain(record), lambda seat: seating.called.get(seat, strange.get(seat, seat)), order)
    if order[0] in seats:
        start = seats.index(order[0])
        if [*seats[start:], *seats[:start]] == [*order]:
            data["players"] = [*data["players"][start:], *data["players"][:start]]
    return Record.model_validate(data)
