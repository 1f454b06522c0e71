"""Records through the sieve: which are clean, and which need the referee, in the order in which they come."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple

from handrec.findings import DealResult
from handrec.game import Game, Table, compose
from handrec.record import Record
from handrec.referee.game import judge_game
from handrec.sieve.columns import Columns, Shape
from handrec.sieve.plain import Odd, Plain, Row
from handrec.sieve.sift import CLEAN, REFERRED, Sifted, fits, sift

#: So many games, options and seats together are remembered.
MOST_KNOWN = 1000

Find = Callable[[str], Game | None]

SEAT = attrgetter("seat")

_text = json.JSONEncoder(sort_keys=True).encode


class Answer(NamedTuple):
    """What the sieve says of a record: `clean`, or why it goes to the referee, at which deal, and what the first fault there is.

    `code`, `trick` (0 none) and `seat` are given where a fault was named; `deal` counts from 0, -1 if it is no one deal.
    """

    record: Record
    clean: bool
    reason: str = ""
    deal: int = -1
    code: str = ""
    trick: int = 0
    seat: str | None = None


@dataclass
class Group:
    """Deals of one shape and the same seat names, and what the sieve made of them."""

    plain: Plain
    rows: list[Row] = field(default_factory=list)
    columns: Columns | None = None
    sifted: Sifted | None = None

    def sift(self) -> None:
        """Sift all deals."""
        self.columns = self.plain.columns(self.rows)
        self.sifted = sift(self.columns)


@dataclass
class Held:
    """A record that waits for its deals to be sifted: where each of its deals is, or why it is not to be sifted."""

    record: Record
    game: Game | None = None
    seats: tuple[str, ...] = ()
    spots: list[tuple[Group, int]] = field(default_factory=list)
    refer: Answer | None = None


class Sorter:
    """Sorts the deals of records into groups, and says which records are not to be sifted."""

    def __init__(self, find: Find) -> None:
        self.find = find
        self.games: dict[tuple[Any, ...], Game | None] = {}
        self.shapes: dict[tuple[Any, ...], Shape | None] = {}
        self.groups: dict[tuple[Any, ...], Group] = {}

    def take(self, record: Record, number: int) -> Held:
        """Put a record's deals among those to be sifted, if all of them are plain."""
        options, seats = _text(record.options) if record.options else "{}", tuple(map(SEAT, record.players))
        game = self._game(record, options, seats)
        if game is None:
            return Held(record, refer=Answer(record, False, "the game cannot be replayed as it is described"))
        held = Held(record, game, seats)
        before: Group | None = None
        rows: list[tuple[Group, Row]] = []
        first = past = record.status != "excerpt" or not game.carries
        for place, deal in enumerate(record.deals):
            try:
                group = self._group(record, game, options, seats, len(next(iter(deal.hands.values()))) if deal.hands else 0)
                past = past and (first or group is before)
                rows.append((group, group.plain.row(deal, number, first, past)))
            except Odd as odd:
                held.refer = Answer(record, False, str(odd), place)
                return held
            before, first = group, False
        for group, row in rows:
            held.spots.append((group, len(group.rows)))
            group.rows.append(row)
        return held

    def _game(self, record: Record, options: str, seats: tuple[str, ...]) -> Game | None:
        """The game under the record's options; None if there is none, or these seats cannot play it."""
        key = record.game, options, seats
        if len(self.games) > MOST_KNOWN:
            self.games.clear()
            self.shapes.clear()
        if key not in self.games:
            game = self.find(record.game)
            composed, problems = (None, []) if game is None else compose(game, record.options)
            self.games[key] = None if problems or composed is None or not seated(composed, seats) else composed
        return self.games[key]

    def _group(self, record: Record, game: Game, options: str, seats: tuple[str, ...], size: int) -> Group:
        key = record.game, options, seats, size
        group = self.groups.get(key)
        if group is None:
            group = self.groups[key] = Group(self.plain(record, game, options, seats, size))
        return group

    def plain(self, record: Record, game: Game, options: str, seats: tuple[str, ...], size: int) -> Plain:
        """What turns deals of a shape into rows. Raises `Odd` if they do not fit."""
        key = record.game, options, len(seats), size
        if key not in self.shapes:
            shape = Shape(game, len(seats), size)
            self.shapes[key] = shape if size > 0 and fits(shape) else None
        shaped = self.shapes[key]
        if shaped is None:
            raise Odd("such deals do not fit")
        return Plain(shaped, seats)

    def sift(self) -> None:
        """Sift what has been taken, and begin anew."""
        for group in self.groups.values():
            if group.rows:
                group.sift()
        self.groups.clear()


def seated(game: Game, seats: tuple[str, ...]) -> bool:
    """Whether as many play as can, each at a seat of its own."""
    return len(seats) in game.players and len({*seats, *game.extras}) == len(seats) + len(game.extras)


def claims_seated(record: Record, seats: tuple[str, ...]) -> bool:
    """Whether what is claimed of the game as a whole is claimed for seats that players have."""
    claimed = record.claimed
    return claimed is None or {*(claimed.totals or ()), *(claimed.winners or ())} <= set(seats)


def judge(held: Held) -> Answer:
    """Answer for a record whose deals have all been sifted."""
    record, game = held.record, held.game
    assert game is not None
    if not claims_seated(record, held.seats):
        return Answer(record, False, "points are claimed for a seat that is not in the record")
    tables, results = [], []
    for place, (deal, (group, row)) in enumerate(zip(record.deals, held.spots, strict=True)):
        sifted, shape = group.sifted, group.plain.shape
        assert sifted is not None
        code = sifted.codes[sifted.fault[row]]
        if code != CLEAN:
            if code == REFERRED:
                return Answer(record, False, "something is not as it should be", place)
            seat = int(sifted.seat[row])
            names = (*held.seats, *game.extras)
            return Answer(record, False, "a fault", place, code, int(sifted.trick[row]), names[seat] if seat >= 0 else None)
        if game.score and not sifted.scored[row] and record.status != "excerpt":
            return Answer(record, False, "what is carried from the deals before is not known", place)
        table = Table(game, shape.pack, held.seats, place, deal, deal.number or place + 1, shape.size, True)
        tables.append(table)
        if record.status != "excerpt":
            results.append(_result(table, sifted, row, game))
    findings, *_ = judge_game(record, game, tables, results, {})
    if findings or any(table.findings for table in tables):
        return Answer(record, False, "the deals do not go together")
    return Answer(record, True)


def _result(table: Table, sifted: Sifted, row: int, game: Game) -> DealResult:
    """What the checks across deals need of a deal's result."""
    names = table.seats[: table.count]
    scores, told = sifted.scores[row].tolist(), bool(game.score) and bool(sifted.scored[row])
    lines = {seat: {"points": points} for seat, points in zip(names, scores, strict=True)} if told else {}
    numbers = {key: column[row].tolist() for key, column in sifted.carried.items()} if told else {}
    carried = {seat: {key: values[place] for key, values in numbers.items()} for place, seat in enumerate(names)}
    return DealResult(
        number=table.number,
        cards=table.size,
        dealer=table.seat(table.dealer),
        order=None,
        bids={},
        tricks=None,
        lines=lines,
        penalties={},
        totals=None,
        carried={seat: values for seat, values in carried.items() if values},
    )
