"""Faults of form: what is wrong with a record before any rule of a game comes into it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import chain, islice
from operator import attrgetter
from typing import Any

from handrec.findings import Fault, Finding
from handrec.game import Game
from handrec.game.turn_order import ROW_NUMBER
from handrec.limits import MAX_STRANGERS
from handrec.record import KINDS, Deal, Play, Record
from handrec.sides import sides_named

#: A card that may have run together with the seat before it.
_CARD = re.compile("[2-9TJQKARDVCFMN][SHDC][ms]?|[BL]J")
#: Every fault of form by its code. Readers of files report FMT001 to FMT007 and FMT012 to FMT018, FMT020 and FMT021: FMT001 of what was not read, and of nothing else (and of foreign formats a result
#: that no record has a place for, under the game's rule); the referee the others.
FORM: dict[str, Fault] = {
    fault.code: fault
    for fault in (
        Fault("FMT001", "unreadable", "L0", "A record is well-formed text of its format.", "cannot be read: {why}"),
        Fault("FMT002", "too-large", "L0", "A record keeps within the reader's limits of size and depth.", "{what} is over the limit of {limit}"),
        Fault("FMT003", "duplicate-key", "L0", "No object has the same key twice.", "the key {key} stands twice in one object"),
        Fault("FMT004", "number", "L0", "Every number is a whole number of moderate size.", "{value} is not a whole number of moderate size"),
        Fault("FMT005", "text", "L0", "Text is valid Unicode in UTF-8.", "text is not valid Unicode: {why}"),
        Fault("FMT006", "version", "L1", "A record names its format, and a version this reader knows.", "{why}"),
        Fault("FMT007", "schema", "L1", "A record has the fields of the schema, and no others.", "{where}: {why}"),
        Fault("FMT008", "unknown-game", "L1", "The game of a record is one that is known here.", "not refereed here: no game {game} is known"),
        Fault("FMT009", "unknown-option", "L1", "Options of a record are those of its game.", "the game has no option {option} (it has: {known})"),
        Fault("FMT010", "option-value", "L1", "An option has one of its values.", "option {option} cannot be {value}; it can be {allowed}"),
        Fault("FMT011", "options-exclude", "L1", "Options that exclude each other are not combined, and what needs another option has it.", "{why}"),
        Fault("FMT012", "unknown-seat", "L1", "Every seat named is one of the players'.", "{found} is not a seat of this record (seats: {seats})"),
        Fault("FMT013", "seat-twice", "L1", "Every seat stands once among the players.", "seat {found} stands twice among the players"),
        Fault("FMT014", "newer-version", "L1", "A newer minor version may say more than this reader understands.", "version {found} is newer than {known}", "warning"),
        Fault("FMT015", "byte-order-mark", "L0", "A file has no byte order mark.", "the file begins with a byte order mark", "warning"),
        Fault("FMT016", "spelling", "L1", "Cards are spelled in one way.", "{found} is written {due}", "warning"),
        Fault("FMT017", "contradiction", "L1", "What a file of another format says in two places agrees.", "{why}"),
        Fault("FMT018", "habit", "L1", "A file of another format keeps to the rules of its format.", "{why}", "warning"),
        ROW_NUMBER,
        Fault("FMT020", "left-blank", "L1", "What a form leaves blank is filled in.", "still to be filled in: {blank}"),
        Fault("FMT021", "status-untold", "L1", "A record states its status, or it is told by the deals.", "taken for {taken}: {deals} (no status is stated)", "info"),
        Fault("FMT022", "too-much-wrong", "L1", "Most of a deal is in order, so that slips of the pen can be told from deeds.", "too much is wrong here to look for {what}: it is judged as it is written", "info"),
        Fault("DUP001", "recorded-twice", "L6", "A deal is recorded once.", "the same deal stands at {other}, deal {number}, too", "warning"),
        Fault("DUP002", "same-cards", "L6", "Two records of one deal agree; the same cards played at another table are another deal.", "the same cards stand at {other}, deal {number}, with another play or score", "info"),
        Fault("INT001", "internal", "L0", "The referee does not fail.", "internal error: {why} (HANDREC_DEBUG=1 handrec check shows where)"),
        Fault("LIV001", "not-now", "L3", "At a table that is being played, what happens is what is due.", "{what} cannot come now; what may come is {due}"),
        Fault("INT003", "not-checked", "L0", "What has to be checked can be checked.", "not checked, and has to be: {what} ({level}): {why}"),
        Fault("INT002", "fast-way", "L0", "No fast way of judging fails.", "a fast way of judging failed ({way}); the referee judged instead, and its verdict stands", "info"),
    )
}  # fmt: skip


#: Whose an event is, and of what kind.
BY, DO = attrgetter("by"), attrgetter("do")
NOBODY = frozenset([None])


def check_seats(record: Record, game: Game, seated: int = 0) -> list[Finding]:
    """Seats that stand twice or are nobody's; and the number of players.

    So many deals are `seated`: all seats and sides that they name have been found to be the table's, and the players in order.
    """
    if 0 < seated == len(record.deals) and record.claimed is None:
        return []
    findings, seats = [], set[str]()
    for place, player in enumerate(record.players):
        if player.seat in seats or player.seat in game.extras:
            findings.append(Finding(FORM["FMT013"], {"found": player.seat}, f"/players/{place}/seat"))
        seats.add(player.seat)
    allowed = len(record.players) in game.players
    named = chain(_strangers(record, game, seats, seated), _strange_sides(record, game, seated) if allowed else ())
    strangers = [*islice(named, MAX_STRANGERS + 1)]
    if len(strangers) > MAX_STRANGERS:
        first = strangers.pop()
        facts = {"what": "the number of names that are no seats", "limit": f"{MAX_STRANGERS} that are told"}
        strangers.append(Finding(FORM["FMT002"], facts, first.pointer, first.deal))
    findings += strangers
    if not allowed:
        low, high = min(game.players), max(game.players)
        due = f"{low} to {high}" if low != high else str(low)
        findings.append(Finding(game.rule("DEA004").fault, {"found": len(record.players), "allowed": due}, "/players"))
    return findings


def _strangers(record: Record, game: Game, seats: set[str], seated: int) -> Iterator[Finding]:
    """Seats that are named and are nobody's, each once, however often it stands there."""
    told, table = set[str](), tuple(player.seat for player in record.players)
    for place, deal in enumerate(record.deals[seated:], seated):
        for pointer, seat in () if _all_seated(deal, seats) else _seats_named(f"/deals/{place}", deal, table):
            if seat not in seats and seat not in told and not (seat in game.extras and _may_be_extra(pointer, deal)):
                told.add(seat)
                named = {player.name.lower(): player.seat for player in record.players if player.name}
                if seat.lower() in named:  # who writes one name writes them all: that is told once
                    told |= {player.name for player in record.players if player.name}
                facts = {"found": seat, "seats": sorted(seats), **_sits(named, seats, seat)}
                yield Finding(FORM["FMT012"], facts, pointer, deal.number or place + 1)
    for pointer, seat in _seats_claimed("/claimed", record.claimed) if record.claimed else ():
        if seat not in seats and seat not in told:
            told.add(seat)
            yield Finding(FORM["FMT012"], {"found": seat, "seats": sorted(seats)}, pointer)


def _sits(named: dict[str, str], seats: set[str], name: str) -> dict[str, str]:
    """Where a player sits who is named where a seat is due, `named` are all; or the seat that ran together with a card."""
    near = [named[word] for word in get_close_matches(name.lower(), named, 1, 0.6)]
    near += [
        f"{seat} {card[0]}" for seat in sorted(seats) if (card := _CARD.fullmatch(name.removeprefix(seat))) and card[0] != name
    ]
    return {"hint": f" (did you mean {near[0]}?)"} if near else {}


def _strange_sides(record: Record, game: Game, seated: int) -> Iterator[Finding]:
    """Sides that something is claimed for, or that are vulnerable, which are none of the game's."""
    named: list[tuple[str, str, int | None]] = []
    for place, deal in enumerate(record.deals[seated:], seated):
        named += [(f"/deals/{place}{pointer}", side, deal.number or place + 1) for pointer, side in sides_named(deal)]
    if record.claimed is not None:
        named += [(f"/claimed/sides/{side}", side, None) for side in record.claimed.sides or ()]
    if named:
        sides, told = [*game.sides([player.seat for player in record.players])], set[str]()
        order = {_letters(side): side for side in sides}
        for pointer, side, spot in named:
            if side not in sides and side not in told:
                told.add(side)
                due = order.get(_letters(side))
                hint = {"hint": f" (did you mean {due}? a side's seats stand in the order of the players)"} if due else {}
                yield Finding(FORM["FMT012"], {"found": side, "seats": sides, **hint}, pointer, spot)


def _letters(side: str) -> frozenset[str]:
    """What a side's name is made of, in whatever order and however joined."""
    return frozenset(side) - {"+"}


def _may_be_extra(pointer: str, deal: Any) -> bool:
    """Whether a seat that no player has can stand here: it plays cards and wins tricks, and does nothing else."""
    _, _, _, part, *rest = pointer.split("/")
    if part == "claimed":
        return rest[0] in ("winners", "tricks")
    return part == "events" and (deal.events[int(rest[0])].do == "play" or rest[1] == "tricks")


def _all_seated(deal: Deal, seats: set[str]) -> bool:
    """Whether every seat that a deal names is one of these, at a glance; False also where that takes a closer look."""
    claimed, events = deal.claimed, deal.events
    kinds = [KINDS[do] for do in {*map(DO, events)}]
    if any(kind.seats != ("by",) or kind.shares for kind in kinds):
        return False
    named = {*map(BY, events), deal.dealer, deal.leader, *(deal.hands or ())} - NOBODY
    if not named <= seats:
        return False
    if claimed is None:
        return True
    sheets = (claimed.bids, claimed.tricks, claimed.scores, claimed.totals)
    return seats.issuperset(claimed.winners or ()) and all(sheet is None or sheet.keys() <= seats for sheet in sheets)


def _seats_named(pointer: str, deal: Any, seats: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """Every seat that a deal names, and where; of the plays, which are many, only those by others than these seats."""
    for field in ("dealer", "leader"):
        if getattr(deal, field):
            yield f"{pointer}/{field}", getattr(deal, field)
    for seat in deal.hands or ():
        yield f"{pointer}/hands/{seat}", seat
    for place, event in enumerate(deal.events):
        if type(event) is Play:
            if event.by not in seats and event.by is not None:
                yield f"{pointer}/events/{place}/by", event.by
            continue
        kind = KINDS[event.do]
        for field in kind.seats:
            seat = getattr(event, field)
            if seat is not None:
                yield f"{pointer}/events/{place}/{field}", seat
        for field in kind.shares:
            for seat in getattr(event, field) or ():
                yield f"{pointer}/events/{place}/{field}/{seat}", seat
    if deal.claimed:
        yield from _seats_claimed(f"{pointer}/claimed", deal.claimed)


def _seats_claimed(pointer: str, claimed: Any) -> Iterator[tuple[str, str]]:
    for field, value in claimed:
        if isinstance(value, dict) and field != "sides":
            for seat in value:
                yield f"{pointer}/{field}/{seat}", seat
        elif isinstance(value, list):
            for place, seat in enumerate(value):
                yield f"{pointer}/{field}/{place}", seat
