"""A deal in columns and the same deal as plain JSON values: what the columns tell, and what is left to be said."""

from __future__ import annotations

from typing import Any, NamedTuple

from handrec.sieve import Plain
from handrec.sieve.columns import NONE, NOTHING

Data = dict[str, Any]


class Told(NamedTuple):
    """What columns tell of a deal: see `handrec.archive.layout`."""

    number: int
    dealer: int
    leader: int
    hands: bytes
    aside: bytes
    leaders: bytes
    plays: bytes
    said_trump: int
    said_winners: bytes
    said_tricks: list[int]
    said_scores: list[int]
    said_totals: list[int]


def told(row: Told, plain: Plain, trumps: tuple[str, ...]) -> Data:
    """The parts of a deal that columns tell, its events being the plays alone. LookupError if a number stands for nothing."""
    shape, cards = plain.shape, plain.shape.pack.cards
    seats = (*plain.seats, *shape.game.extras)
    deal: Data = {"number": row.number} if row.number else {}
    deal |= {name: seats[place] for name, place in (("dealer", row.dealer), ("leader", row.leader)) if place >= 0}
    deal["hands"] = {
        seat: [cards[card] for card in row.hands[place * shape.size : (place + 1) * shape.size]]
        for place, seat in enumerate(plain.seats)
    }
    aside, start = {}, 0
    for name, many in shape.aside.items():
        there = row.aside[start : start + many]
        start += many
        if many and there != bytes([NONE]) * many:
            aside[name] = [cards[card] for card in there]
    deal["events"] = _plays(row, plain, seats)
    claimed: Data = {} if row.said_trump < 0 else {"trump": trumps[row.said_trump]}
    if row.said_winners.strip(bytes([NONE])):
        claimed["winners"] = [seats[seat] for seat in row.said_winners]
    for name, numbers, nothing in (
        ("tricks", row.said_tricks, -1),
        ("scores", row.said_scores, NOTHING),
        ("totals", row.said_totals, NOTHING),
    ):
        stated = {seat: number for seat, number in zip(seats, numbers, strict=False) if number != nothing}
        claimed |= {name: stated} if stated else {}
    return deal | {name: part for name, part in (("aside", aside), ("claimed", claimed)) if part}


def _plays(row: Told, plain: Plain, seats: tuple[str, ...]) -> list[Data]:
    cards = plain.shape.pack.cards
    if not row.leaders.strip(bytes([NONE])):
        return [{"do": "play", "card": cards[card]} for card in row.plays]
    turns = zip(plain.in_turn(row.leaders, row.dealer), row.plays, strict=True)
    return [{"do": "play", "by": seats[seat], "card": cards[card]} for seat, card in turns]


def left(deal: Data, known: Data) -> Data:
    """What is left to be said of a deal, when columns tell what is known."""
    rest: Data = {}
    for name, part in deal.items():
        if name == "events":
            rest[name] = _counted(part, known[name])
        elif name not in known or known[name] != part:
            both = isinstance(part, dict) and name in known
            rest[name] = {key: value for key, value in part.items() if known[name].get(key) != value} if both else part
    return rest


def whole(known: Data, rest: Data) -> Data:
    """The deal again. ValueError if both say the same part, or not as many plays are left to be said as there are."""
    deal = dict(known)
    for name, part in rest.items():
        if name == "events":
            deal[name] = _counted_out(part, known[name])
        elif name not in deal:
            deal[name] = part
        elif isinstance(part, dict) and isinstance(deal[name], dict) and not part.keys() & deal[name].keys():
            deal[name] = deal[name] | part
        else:
            raise ValueError(f"{name} stands twice")
    if "events" not in rest:
        raise ValueError("its events are missing")
    return deal


def _counted(events: list[Data], plays: list[Data]) -> list[Any]:
    """Events, in which a number stands for so many of the plays, in their order."""
    rest: list[Any] = []
    coming = iter(plays)
    for event in events:
        if event["do"] != "play" or event != next(coming, None):
            rest.append(event)
        elif rest and isinstance(rest[-1], int):
            rest[-1] += 1
        else:
            rest.append(1)
    return rest


def _counted_out(rest: list[Any], plays: list[Data]) -> list[Data]:
    events: list[Data] = []
    place = 0
    for each in rest:
        if type(each) is int and each > 0:
            events += plays[place : place + each]
            place += each
        else:
            events.append(each)
            place += isinstance(each, dict) and each.get("do") == "play"
    if place != len(plays):
        raise ValueError("its plays do not stand where they are said to")
    return events
