"""Digests by which deals that stand twice are found: equal for the same deal, whether it comes as a record or in columns.

Seats are their places in clockwise order, so that it does not matter what they are called; cards are four bytes each, their
name filled up with zeros. What is digested, with blake2b:

hands
    for each seat its cards in the order of their names, then four zeros
played
    a line of JSON: game and options; then of a deal that has a row (see `handrec.sieve.codec`) its script, the trump claimed, and
    the bytes of cards shown, leaders, plays, claimed tricks, scores and totals (int64), and claimed winners; of any other deal
    events and claims as JSON

A doubt that was marked is not digested, nor is what a transcriber typed before a row or at a card: the deal is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from struct import pack
from typing import Any, NamedTuple

from handrec import games, writing
from handrec.game import Game, compose
from handrec.record import KINDS, Deal, DealClaims, Play, Record
from handrec.referee import replay
from handrec.referee.form import check_seats
from handrec.sides import seats_of
from handrec.sieve.codec import Codec
from handrec.sieve.shape import Shape

#: Deals of fewer cards than these can be alike by chance.
FEW = 16

#: The tables of numbers that are claimed of a deal.
TABLES = ("tricks", "scores", "totals")

SeatPlaces = Mapping[str, int]

_json = json.JSONEncoder(sort_keys=True).encode


class Digest(NamedTuple):
    """The number of a deal, and the digests of its hands and of what was done, 16 bytes each."""

    number: int
    hands: bytes
    played: bytes


def digests(record: Record) -> Iterator[Digest]:
    """The digests of each deal whose hands are known."""
    seats = [player.seat for player in record.players]
    head = about(record.game, record.options)
    game = _game(record.game, head)
    places = {seat: place for place, seat in enumerate((*seats, *(game.extras if game else ())))}
    for index, deal in enumerate(record.deals):
        hands = deal.hands or {}
        cards = [sorted(hands.get(seat, ())) for seat in seats]
        held = b"".join([four(card) for hand in cards for card in (*hand, "")])
        if sum(map(len, hands.values())) >= FEW and all(cards) and b"?" not in held:
            codec = _codec(record.game, head, tuple(seats), len(cards[0]))
            yield Digest(deal.number or index + 1, digest(held), digest(head + _played(deal, codec, places)))


def names(record: Record) -> Iterator[str]:
    """The names of a record's deals (see `handrec.writing.digest`), in which each play is by the seat that played it.

    A play that does not say whose it was is by the seat in turn, as the referee has it: formats that give cards in order of
    play and formats that give them by seats tell the same facts. Where that cannot be told, nobody is named.
    """
    named = _named(record)
    return (writing.digest(named, index) for index in range(len(named.deals)))


def _named(record: Record) -> Record:
    """The record with the seats of its plays, as far as they follow."""
    game = games.find(record.game)
    composed, problems = (None, []) if game is None else compose(game, record.options)
    nameless = any(type(event) is Play and event.by is None for deal in record.deals for event in deal.events)
    if not nameless or composed is None or problems or check_seats(record, composed):
        return record
    deals = []
    for deal, table in zip(record.deals, replay(record, composed, trace=True), strict=True):
        events = [*deal.events]
        for seen in table.trace or ():
            event = None if seen.place is None else events[seen.place]
            if seen.place is not None and type(event) is Play and event.by is None:
                events[seen.place] = event.model_copy(update={"by": table.seats[seen.seat]})
        deals.append(deal.model_copy(update={"events": events}))
    return record.model_copy(update={"deals": deals})


def about(game: str, options: Any) -> bytes:
    """The line of game and options."""
    return _json([game, options]).encode() + b"\n"


@lru_cache(1024)
def _game(key: str, head: bytes) -> Game | None:
    """A game under options; None where it cannot be told."""
    try:
        found = games.find(key)
        composed, problems = (None, []) if found is None else compose(found, json.loads(head)[1])
    except Exception:  # a game that fails is found to do so by the referee
        return None
    return None if problems else composed


@lru_cache(1024)
def _codec(key: str, head: bytes, seats: tuple[str, ...], size: int) -> Codec | None:
    """What gives deals of a game rows; None where they cannot have any."""
    game = _game(key, head)
    try:
        if game is None or len(seats) not in game.players or len({*seats, *game.extras}) < len(seats) + len(game.extras):
            return None
        shape = Shape(game, len(seats), size)
        return Codec(shape, seats) if shape.written else None
    except Exception:  # likewise
        return None


@lru_cache(4096)
def four(card: str) -> bytes:
    """A card."""
    return card.encode().ljust(4, b"\0")


def digest(data: bytes) -> bytes:
    """A digest."""
    return blake2b(data, digest_size=16).digest()


def of_row(script: str, trump: str | None, shown: bytes, cells: bytes) -> bytes:
    """What was done in a deal that has a row; `cells` are its leaders, plays, tables of numbers, and winners."""
    return b"\n".join((script.encode(), (trump or "").encode(), shown + cells))


def _played(deal: Deal, codec: Codec | None, places: SeatPlaces) -> bytes:
    """What was done in a deal."""
    row = None if codec is None else codec.row(deal, noted=True)
    if row is None:
        found = [[*_events(deal, places)], _claims(deal.claimed or DealClaims(), places)]
        return _json([*found, _side(deal.vulnerable, places)] if deal.vulnerable else found).encode()
    numbers = (*row.tricks, *row.scores, *row.totals)
    return of_row(row.script, row.trump, row.shown, row.leaders + row.plays + pack(f"<{len(numbers)}q", *numbers) + row.winners)


def _name(seat: str, places: SeatPlaces) -> str:
    """What a seat is called here; no seat in a record can be called so."""
    return f"#{places[seat]}" if seat in places else seat


def _events(deal: Deal, places: SeatPlaces) -> Iterator[Any]:
    for event in deal.events:
        if type(event) is Play:
            yield [event.by and _name(event.by, places), event.card]
        else:
            yield KINDS[event.do].renamed(event.model_dump(exclude_none=True), lambda seat: _name(seat, places))


def _claims(claimed: DealClaims, places: SeatPlaces) -> Any:
    tables = {
        table: {_name(seat, places): value for seat, value in getattr(claimed, table).items()}
        for table in ("bids", *TABLES)
        if getattr(claimed, table)
    }
    found = [claimed.trump, [_name(seat, places) for seat in claimed.winners or ()], tables]
    sides = {_side(side, places): each.model_dump(exclude_none=True) for side, each in (claimed.sides or {}).items()}
    return [*found, sides] if sides else found


def _side(side: str, places: SeatPlaces) -> str:
    return "+".join(_name(seat, places) for seat in seats_of(side, (*places,)))
