"""Every slip and every two of them in deals of nine cards, on plain data: the oracle of the search.

Three seats, three cards each, no trumps, follow suit. What a deal states is `Stated`: the hands, or None, and the plays in order.
The acts are those of the table of acts, written down here once more from the other side: `undone` gives whatever a deal may have
been before one slip. It is possible if every card is there once, each of its own hand. How a deal that is possible was played,
whether somebody revoked or played out of turn, is asked of the referee: it is the search that is tried here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import combinations, pairwise, permutations, product
from random import Random
from typing import NamedTuple

from handrec import referee, rulebook
from handrec.cards import Order, Pack
from handrec.findings import Citation, Work
from handrec.game import Game
from handrec.phases.tricks import Tricks
from handrec.record import Record

SEATS = "NES"
RANKS, SUITS = "234", "CDH"
PACK = Pack("nine cards", tuple(rank + suit for suit in SUITS for rank in RANKS))
CARDS = PACK.cards
SIZE = 3
SOURCE = Work("Nine cards", "the tests", "made up")
HOUSE = Citation(SOURCE, "all of it", "house")
NO_TRUMP = Order.of(PACK, "no trump", [[rank + suit for rank in RANKS] for suit in SUITS])

GAME = Game(
    key="ninecards",
    title="Nine cards",
    summary="Three tricks, no trumps.",
    source=SOURCE,
    players=(3,),
    pack=lambda players: PACK,
    cards=lambda players: SIZE,
    aside=lambda players, cards: {},
    phases=(Tricks(leader=lambda table: None),),
    order=lambda sight: NO_TRUMP,
    rules=(
        rulebook.PLAYERS.of("N-1", HOUSE, "Three play."),
        rulebook.CARD_FOREIGN.of("N-2", HOUSE, "Nine cards."),
        rulebook.HAND_SIZE.of("N-3", HOUSE, "Three each."),
        rulebook.OUT_OF_TURN.of("N-4", HOUSE, "Clockwise."),
        rulebook.FOLLOW_SUIT.of("N-5", HOUSE, "Follow suit."),
        rulebook.WINNER.of("N-6", HOUSE, "The highest of the suit led wins."),
        rulebook.WRONG_LEADER.of("N-7", HOUSE, "The winner leads."),
    ),
)

Hands = tuple[frozenset[str], ...]
Plays = tuple[tuple[str, str], ...]


class Stated(NamedTuple):
    """What a deal states: hands by seats, or None, and plays."""

    hands: tuple[tuple[str, ...], ...] | None
    plays: Plays


#: What a deal may have been, what the slip cost, and where its plays stand in what is written.
Undone = tuple[Stated, int, tuple[int | None, ...]]


def as_record(stated: Stated) -> Record:
    """A deal as a record of one deal."""
    deal: dict[str, object] = {
        "number": 1,
        "status": "complete",
        "events": [{"do": "play", "by": seat, "card": card} for seat, card in stated.plays],
    }
    if stated.hands is not None:
        deal["hands"] = {seat: [*cards] for seat, cards in zip(SEATS, stated.hands, strict=True)}
    return Record.model_validate(
        {
            "format": "handrec",
            "version": "1.0",
            "game": GAME.key,
            "status": "excerpt",
            "players": [{"seat": seat} for seat in SEATS],
            "deals": [deal],
        }
    )


def dealt(rng: Random, hands: bool) -> Stated:
    """A deal played out; now and then somebody plays what comes to hand."""
    cards = rng.sample(CARDS, len(CARDS))
    held = {seat: cards[spot * SIZE : spot * SIZE + SIZE] for spot, seat in enumerate(SEATS)}
    known = tuple(tuple(held[seat]) for seat in SEATS)
    plays, leader, careless = list[tuple[str, str]](), rng.choice(SEATS), rng.random() < 0.3
    for _ in range(SIZE):
        row = list[tuple[str, str]]()
        for seat in _round(leader):
            follow = [card for card in held[seat] if row and card[1] == row[0][1][1]]
            card = rng.choice(held[seat] if careless or not follow else follow)
            held[seat].remove(card)
            row.append((seat, card))
        leader = _winner(tuple(row), range(len(SEATS)))
        plays += row
    return Stated(known if hands else None, tuple(plays))


def _round(first: str) -> str:
    spot = SEATS.index(first)
    return SEATS[spot:] + SEATS[:spot]


def possible(stated: Stated) -> bool:
    """Whether a deal can have been: every card once, three to a seat, each played from its own hand."""
    hands, plays = stated
    if sorted(card for _, card in plays) != sorted(CARDS):
        return False
    if hands is None:
        return all(sum(by == seat for by, _ in plays) == SIZE for seat in SEATS)
    return all({card for by, card in plays if by == seat} == {*cards} for seat, cards in zip(SEATS, hands, strict=True)) and all(
        len(cards) == SIZE for cards in hands
    )


def _rows(plays: Plays) -> list[range]:
    """The rows: three cards each, or a card a seat where that does not come out."""
    if len(plays) % SIZE == 0:
        return [range(at, at + SIZE) for at in range(0, len(plays), SIZE)]
    rows, begin = list[range](), 0
    for at in range(1, len(plays) + 1):
        seats = [by for by, _ in plays[begin:at]]
        if at == len(plays) or len(seats) == SIZE or plays[at][0] in seats:
            rows.append(range(begin, at))
            begin = at
    return rows


def misread(one: str, other: str) -> int:
    """What it costs to write a card for another."""
    return 2 if one[0] == other[0] or one[1] == other[1] else 3


def undone(stated: Stated, last: bool = False) -> Iterator[Undone]:
    """All that a deal may have been before one slip; if it is the `last`, what is not possible may be left out."""
    whole = sorted(card for _, card in stated.plays) == sorted(CARDS)
    dealt_out = stated.hands is None or sorted(card for cards in stated.hands for card in cards) == sorted(CARDS)
    if dealt_out or not last:
        yield from of_plays(stated, last)
    if stated.hands is not None and (whole or not last):
        for hands, cost in of_hands(stated.hands).items():
            yield Stated(hands, stated.plays), cost, tuple(range(len(stated.plays)))


def of_plays(stated: Stated, last: bool) -> Iterator[Undone]:
    """The slips of plays."""
    hands, plays = stated
    here = tuple(range(len(plays)))
    played = {card for _, card in plays}
    many, whole = len(plays) - len(CARDS), len(played) == len(CARDS)

    def put(changes: dict[int, tuple[str, str]]) -> Stated:
        return Stated(hands, tuple(changes.get(at, play) for at, play in enumerate(plays)))

    for at, (seat, card) in enumerate(plays):
        for due in CARDS if not last or (many == 0 and not whole) else ():
            if due != card and not (last and due in played):
                yield put({at: (seat, due)}), misread(card, due), here
        for other in SEATS if not last or (many == 0 and whole) else ():
            if other != seat:
                yield put({at: (other, card)}), 2, here
        if plays.count((seat, card)) > 1 and (not last or many == 1):
            yield Stated(hands, plays[:at] + plays[at + 1 :]), 2, here[:at] + here[at + 1 :]
    if not last or many == -1:
        yield from _play_lost(stated)
    if not last or many == -SIZE:
        yield from _row_lost(stated)
    if last and (many or not whole):
        return
    rows = _rows(plays)
    row_of = {at: number for number, row in enumerate(rows) for at in row}
    for one, other in combinations(here, 2):
        (a, first), (b, second) = plays[one], plays[other]
        if first != second:
            yield put({one: (a, second), other: (b, first)}), 2 if row_of[one] == row_of[other] else 3, here
    within = {(one, other) for row in rows for one, other in permutations(row, 2)}
    for one, other in within | {(row.stop - 1, row.stop) for row, _ in pairwise(rows)}:
        order = [at for at in here if at != one]
        order.insert(other, one)
        yield Stated(hands, tuple(plays[at] for at in order)), 2, tuple(order)
    for one, other in combinations(rows, 2):
        if len(one) == len(other):
            order = [*here[: one.start], *other, *here[one.stop : other.start], *one, *here[other.stop :]]
            yield Stated(hands, tuple(plays[at] for at in order)), 3, tuple(order)
    for by, row in product((1, 2), rows):
        yield put({at: (_round(plays[at][0])[by], plays[at][1]) for at in here[row.start :]}), 2, here
    if hands is None and all(len({plays[at][0] for at in row}) == SIZE for row in rows):
        yield from ((put(led), 2, here) for led in _led(plays, rows))
    columns = last, hands is not None
    fits = [[way for way in _turned(plays, row, *columns) if not last or _owned(hands, plays, row, way)] for row in rows]
    for changed in product(*fits):
        if any(changed) and (hands is not None or sum(map(bool, changed)) == 1):  # the hands tell whose the cards of rows are
            slid = put({at: play for some in changed for at, play in some.items()})
            yield slid, 2, here
            order = _in_order(plays, slid.plays, rows, changed)
            if hands is not None and order != here:
                yield Stated(hands, tuple(slid.plays[at] for at in order)), 2, order


def _in_order(plays: Plays, slid: Plays, rows: list[range], changed: Sequence[object]) -> tuple[int, ...]:
    """The order of plays where rows slid, and those after them were begun with who seemed to have won."""
    order = list[int]()
    for number, row in enumerate(rows):
        turn = [*row]
        if number and not changed[number] and plays[row.start][0] == _winner(plays, rows[number - 1]):
            won = _winner(slid, order[-len(rows[number - 1]) :])
            first = next((spot for spot, at in enumerate(turn) if plays[at][0] == won), 0)
            turn = turn[first:] + turn[:first]
        order += turn
    return tuple(order)


def _winner(plays: Plays, row: Sequence[int]) -> str:
    """Whose card wins a row."""
    led = plays[row[0]][1][1]
    return max((RANKS.index(card[0]), seat) for seat, card in (plays[at] for at in row) if card[1] == led)[1]


def _owned(hands: tuple[tuple[str, ...], ...] | None, plays: Plays, row: range, way: dict[int, tuple[str, str]]) -> bool:
    """Whether every card of a row comes from the hand that it is in."""
    after = [way.get(at, plays[at]) for at in row]
    return hands is None or all(card in hands[SEATS.index(seat)] for seat, card in after)


def _play_lost(stated: Stated) -> Iterator[Undone]:
    """A play is passed over."""
    hands, plays = stated
    here, played = tuple(range(len(plays))), {card for _, card in plays}
    lost = [card for card in CARDS if card not in played]
    for card, seat, at in product(lost, SEATS, range(len(plays) + 1)):
        yield Stated(hands, (*plays[:at], (seat, card), *plays[at:])), 2, (*here[:at], None, *here[at:])
    short = [row for row in _rows(plays) if len(row) == SIZE - 1]
    for card, row in product(lost, short):  # what came after it in its row stands one column too early
        for at in range(row.start + 1, row.stop):
            after = [(_round(seat)[1], other) for seat, other in plays[at : row.stop]]
            put = (*plays[:at], (plays[at][0], card), *after, *plays[row.stop :])
            yield Stated(hands, put), 2, (*here[:at], None, *here[at:])


def _row_lost(stated: Stated) -> Iterator[Undone]:
    """A whole row is passed over: the last card of each hand."""
    hands, plays = stated
    left = [card for card in CARDS if card not in {card for _, card in plays}]
    if hands is None or len(left) != SIZE or len(plays) != len(CARDS) - SIZE:
        return
    owned = {seat: [card for card in left if card in hands[SEATS.index(seat)]] for seat in SEATS}
    if any(len(cards) != 1 for cards in owned.values()):
        return
    here = tuple(range(len(plays)))
    for at, leader in product(range(0, len(plays) + 1, SIZE), SEATS):
        row = tuple((seat, owned[seat][0]) for seat in _round(leader))
        yield Stated(hands, (*plays[:at], *row, *plays[at:])), 2, (*here[:at], *[None] * SIZE, *here[at:])


def _turned(plays: Plays, row: range, last: bool, owned: bool) -> Iterator[dict[int, tuple[str, str]]]:
    """A row as it is, its cards some columns on, its cards backwards; led by any of its seats, if it is the `last`.

    If its cards have owners it may have been written the other way round, too.
    """
    yield {}
    seats, cards = [plays[at][0] for at in row], [plays[at][1] for at in row]
    for turned in (*(cards[by:] + cards[:by] for by in range(1, len(row))), cards[::-1]):
        columns = [*zip(seats, turned, strict=True)]
        ways = (columns, columns[::-1])[: 1 + owned] if last and len({*seats}) == len(seats) else ()
        orders = [way[first:] + way[:first] for way in ways for first in range(len(row))]
        for order in orders or [columns]:
            if turned != cards:
                yield dict(zip(row, order, strict=True))


def _led(plays: Plays, rows: list[range]) -> Iterator[dict[int, tuple[str, str]]]:
    """The cards of all rows under other names, so that each is led by whoever won the one before."""
    for leader in SEATS:
        changed: dict[int, tuple[str, str]] = {}
        for row in rows:
            named = [*zip(_round(leader), (plays[at][1] for at in row), strict=True)]
            changed |= dict(zip(row, named, strict=True))
            leader = _winner(tuple(named), range(len(row)))
        yield changed


@cache
def of_hands(hands: tuple[tuple[str, ...], ...]) -> dict[tuple[tuple[str, ...], ...], int]:
    """All that hands may have been before one slip, each with its cost; cards in order."""
    found: dict[tuple[tuple[str, ...], ...], int] = {}

    def put(changes: dict[int, list[str]], cost: int) -> None:
        due = tuple(tuple(sorted(changes.get(seat, [*cards]))) for seat, cards in enumerate(hands))
        if due != tuple(tuple(sorted(cards)) for cards in hands):
            found[due] = min(cost, found.get(due, cost))

    for seat, cards in enumerate(hands):
        others = [card for card in CARDS if card not in cards]
        for at in range(len(cards)):
            rest = [*cards[:at], *cards[at + 1 :]]
            put({seat: rest}, 2)
            for due in others:
                put({seat: [*rest, due]}, 2)
            for other in range(len(hands)):
                if other != seat:
                    put({seat: rest, other: [*hands[other], cards[at]]}, 2)
        for due in others:
            put({seat: [*cards, due]}, 2)
        for order in permutations(SUITS):
            to = dict(zip(SUITS, order, strict=True))
            put({seat: [card[0] + to[card[1]] for card in cards]}, 2)
        elsewhere = {card for other, theirs in enumerate(hands) if other != seat for card in theirs}
        put({seat: [card for card in CARDS if card not in elsewhere]}, 3)
    for one, other in combinations(range(len(hands)), 2):
        put({one: [*hands[other]], other: [*hands[one]]}, 2)
        for suit in SUITS:
            mine, theirs = ([card for card in hands[seat] if card[1] == suit] for seat in (one, other))
            put(
                {
                    one: [card for card in hands[one] if card not in mine] + theirs,
                    other: [card for card in hands[other] if card not in theirs] + mine,
                },
                2,
            )
        for a, b in product(range(len(hands[one])), range(len(hands[other]))):
            put(
                {
                    one: [*hands[one][:a], hands[other][b], *hands[one][a + 1 :]],
                    other: [*hands[other][:b], hands[one][a], *hands[other][b + 1 :]],
                },
                3,
            )
    for by in (1, 2):
        put({seat: [*hands[(seat + by) % SIZE]] for seat in range(SIZE)}, 2)
    return found


Key = tuple[str, int | None, str | None]


def deeds(stated: Stated) -> dict[Key, int] | None:
    """The deeds in a deal, by code, place of the play, and seat, with what each costs; None if anything else is found."""
    found: dict[Key, int] = {}
    again = set[tuple[str | None, str]]()
    for finding in referee.check(as_record(stated), lambda key: GAME).findings:
        key = (finding.code, finding.event_index, finding.seat)
        if finding.code.startswith("REV"):
            same = (finding.seat, str(finding.facts["led"])[1:])
            found[key] = 1 if same in again else 2
            again.add(same)
        elif finding.code in ("PLY003", "PLY004"):
            found[key] = 3
        else:
            return None
    return found


def explanations(written: Stated, most: int) -> dict[Stated, int]:
    """All explanations of a deal that cost no more than so much: what it may have been, and the cost."""
    was = referee.check(as_record(written), lambda key: GAME).findings
    known = {(finding.code, finding.event_index, finding.seat) for finding in was}
    found: dict[Stated, int] = {}
    told = cache(deeds)

    def explain(stated: Stated, cost: int, origin: tuple[int | None, ...]) -> None:
        if cost > most or not possible(stated):
            return
        did = told(stated)
        if did is None:
            return
        there = {(code, None if at is None else origin[at], seat) for code, at, seat in did}
        if there <= known and (there < known or not cost):
            total = cost + sum(did.values())
            if total <= most:
                same = normal(stated)
                found[same] = min(total, found.get(same, total))

    here = tuple(range(len(written.plays)))
    explain(written, 0, here)
    for stated, cost, origin in undone(written, last=True):
        explain(stated, cost, origin)
    singles = [*undone(written)]
    for stated, cost, origin in singles:
        explain(stated, cost, origin)
    seen = dict[Stated, int]()
    for stated, cost, origin in singles:
        if cost + 2 > most or seen.get(stated, 99) <= cost:
            continue
        seen[stated] = cost
        for before, more, now in undone(stated, last=True):
            explain(before, cost + more, tuple(None if at is None else origin[at] for at in now))
    return found


def normal(stated: Stated) -> Stated:
    """The same deal, with the cards of hands in order."""
    return stated if stated.hands is None else Stated(tuple(tuple(sorted(cards)) for cards in stated.hands), stated.plays)


#: How a deal is spoilt.
Spoil = Callable[[Stated, Random], Stated]


def spoilt(stated: Stated, rng: Random) -> Stated:
    """A deal with one or two slips made in it."""
    for _ in range(rng.choice((1, 1, 1, 2))):
        ways = [*undone(stated)]
        at = rng.randrange(len(stated.plays))
        lost = Stated(stated.hands, stated.plays[:at] + stated.plays[at + 1 :])
        twice = Stated(stated.hands, (*stated.plays[:at], stated.plays[at], *stated.plays[at:]))
        kinds = {cost: [some for some, price, _ in ways if price == cost] for cost in (2, 3)}
        stated = rng.choice([lost, twice, rng.choice(kinds[2]), rng.choice(kinds[2]), rng.choice(kinds[3])])
    return stated
