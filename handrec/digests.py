"""Digests by which deals that stand twice are found: equal for the same deal, whether it comes as a record or in columns.

Seats are their places in clockwise order, so that it does not matter what they are called; cards are four bytes each, their
name filled up with zeros. What is digested, with blake2b:

hands
    for each seat its cards in the order of their names, then four zeros
played
    a line of JSON: game and options; a line of JSON: events other than plays, with the number of plays between them, and
    what was claimed of bids, and of seats that are none; a line: the trump claimed. Then bytes: who played each card, each
    card, the tricks, scores and totals claimed for each seat (int64, `NOTHING` nothing), and who is claimed to have won
    each trick; for seats, their places, `NOBODY` not stated, `STRANGER` none of the table

A doubt that was marked is not digested, nor is what a transcriber typed before a row or at a card: the deal is the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from hashlib import blake2b
from itertools import groupby
from struct import pack
from typing import Any, NamedTuple

from handrec import games, writing
from handrec.game import compose
from handrec.record import KINDS, Deal, DealClaims, Play, Record
from handrec.referee import replay
from handrec.referee.form import check_seats

#: Deals of fewer cards than these can be alike by chance.
FEW = 16

NOTHING = -(1 << 62)
NOBODY, STRANGER = 255, 254

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
    places = {seat: place for place, seat in enumerate((*seats, *_extras(record.game, head)))}
    for index, deal in enumerate(record.deals):
        hands = deal.hands or {}
        cards = [sorted(hands.get(seat, ())) for seat in seats]
        held = b"".join([four(card) for hand in cards for card in (*hand, "")])
        if sum(map(len, hands.values())) >= FEW and all(cards) and b"?" not in held:
            yield Digest(deal.number or index + 1, digest(held), digest(head + _played(deal, places)))


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
def _extras(game: str, head: bytes) -> tuple[str, ...]:
    """The seats of a game that are no players'; none where the game cannot be told."""
    try:
        found = games.find(game)
        composed, problems = (None, []) if found is None else compose(found, json.loads(head)[1])
    except Exception:  # a game that fails is found to do so by the referee
        return ()
    return composed.extras if composed and not problems else ()


@lru_cache(4096)
def four(card: str) -> bytes:
    """A card."""
    return card.encode().ljust(4, b"\0")


def digest(data: bytes) -> bytes:
    """A digest."""
    return blake2b(data, digest_size=16).digest()


def said(events: Iterable[Any], bids: Mapping[str, Any], others: list[Any], places: SeatPlaces) -> bytes:
    """The line of what was said: events (a number stands for so many plays), bids claimed, and what is said of strangers."""
    entries: list[Any] = []
    for is_play, some in groupby(events, lambda event: isinstance(event, int) or event["do"] == "play"):
        if is_play:
            entries.append(sum(event if isinstance(event, int) else 1 for event in some))
        else:
            entries += [KINDS[event["do"]].renamed(event, lambda seat: _name(seat, places)) for event in some]
    line = [entries, {_name(seat, places): bid for seat, bid in bids.items()}, others]
    return _json(line).encode() + b"\n"


def _name(seat: str, places: SeatPlaces) -> str:
    """What a seat is called here; no seat in a record can be called so."""
    return f"#{places[seat]}" if seat in places else seat


def _played(deal: Deal, places: SeatPlaces) -> bytes:
    plays = [event for event in deal.events if event.do == "play"]
    claimed = deal.claimed or DealClaims()
    tables = {name: getattr(claimed, name) or {} for name in TABLES}
    winners = claimed.winners or []
    by = [play.by for play in plays]
    others = [
        *(["by", seat] for seat in by if seat and seat not in places),
        *([name, *each] for name, table in tables.items() for each in sorted(table.items()) if each[0] not in places),
        *(["winners", seat] for seat in winners if seat not in places),
    ]
    numbers = [tables[name].get(seat, NOTHING) for name in TABLES for seat in places]
    return b"".join(
        (
            said(_events(deal), claimed.bids or {}, others, places),
            (claimed.trump or "").encode() + b"\n",
            bytes([places.get(seat, STRANGER) if seat else NOBODY for seat in by]),
            *map(four, [play.card for play in plays]),
            pack(f"<{len(numbers)}q", *numbers),
            bytes([places.get(seat, STRANGER) for seat in winners]),
        )
    )


def _events(deal: Deal) -> Iterator[Any]:
    """The events of a deal, a number for so many plays."""
    for is_play, some in groupby(deal.events, lambda event: event.do == "play"):
        together = [*some]
        yield from [len(together)] if is_play else (event.model_dump(exclude_none=True) for event in together)
