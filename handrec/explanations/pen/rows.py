"""Slips of rows: shifted, exchanged and lost ones undone in every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import Any

from handrec.explanations import rows
from handrec.explanations.acts import ACTS
from handrec.explanations.pen.plays import exchange, free
from handrec.explanations.pen.reach import Reach
from handrec.explanations.written import Events, Mark, Slip, WrittenDeal, WrittenPlay
from handrec.record import Play


def shifted(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """The cards of a row stand some columns on, or backwards; or of all from a row on; or of several, if the hands tell whose.

    In columns a row has no order, and may have been led by any of its seats.
    """
    yield from rows.slid(written)
    yield from rows.by_owners(written)
    yield from rows.led(written)
    for row in sorted(where.rows):
        yield from _one_row(written, written.rows[row])
    names, named = written.table.seats[: written.table.count], [each for each in written.plays if written.event(each).by]
    for first in {each.row for each in named} if where.rows and all(each.seat in written.players for each in named) else ():
        later = [each for each in named if each.row >= first]
        for by in range(1, len(names)):
            changed = {each.place: {"by": names[(each.seat + by) % len(names)]} for each in later}
            mark = Mark(f"/events/{later[0].place}/by", written.trick(later[0]), {"owners": " ".join(names), "columns": None})
            words = f"all rows from trick {written.trick(later[0])} on written from another seat"
            yield Slip(ACTS["turned" if first == 0 else "rows"], (mark,), words, changed=changed)


def _one_row(written: WrittenDeal, cards: list[WrittenPlay]) -> Iterator[Slip]:
    """The cards of one row stand some columns on, or backwards."""
    tokens, names = [written.event(each).card for each in cards], [written.event(each).by for each in cards]
    around = range(len(cards))
    turns = {tuple(tokens[by:] + tokens[:by]): None for by in around[1:]} | {tuple(tokens[::-1]): None}
    named = None not in names and len({*names}) == len(names)
    for other in turns:
        for first in around if named else around[:1]:
            plays = [*zip(names, other, strict=True)]
            if other != tuple(tokens):
                order = plays[first:] + plays[:first]
                changes = {each.place: {"by": by, "card": card} for each, (by, card) in zip(cards, order, strict=True)}
                yield _row(written, cards, changes)


def _row(written: WrittenDeal, cards: list[WrittenPlay], changes: dict[int, dict[str, Any]]) -> Slip:
    owners = " ".join(f"{each['by'] or '?'} {each['card']}" for each in changes.values())
    mark = Mark(f"/events/{cards[0].place}", written.trick(cards[0]), {"owners": owners, "columns": None})
    words = f"the cards of trick {written.trick(cards[0])} written in other columns"
    return Slip(ACTS["rows"], (mark,), words, changed=changes)


def rows_exchanged(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Two rows stand in each other's place."""
    for one, other in combinations(range(len(written.rows)), 2):
        first, second = written.rows[one], written.rows[other]
        if not where.rows & {one, other} or len(first) != len(second):
            continue
        events = written.events()
        for a, b in zip(first, second, strict=True):
            exchange(events, a.place, b.place)
        facts = {"one": f"the cards of trick {one + 1}", "other": f"those of trick {other + 1}"}
        mark = Mark(f"/events/{first[0].place}", one + 1, facts)
        yield Slip(ACTS["rows-exchanged"], (mark,), f"tricks {one + 1} and {other + 1} exchanged", events=events)


def row_lost(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A whole row is not written down: the card that is left of each seat; or a row lacks a card amid it."""
    yield from rows.short(written)
    table, seats = written.table, range(len(written.table.seats))
    left = [[*free(written, seat)] for seat in seats]
    if not _lacks_a_row(written) or any(len(cards) != 1 for cards in left):
        return
    for row in sorted({*where.rows, *(row + 1 for row in where.rows)}):
        begin = written.rows[row - 1][-1].place + 1 if row else _begun(written)
        end = written.rows[row][0].place if row < len(written.rows) else len(written.deal.events)
        for leader, place in product(seats, range(begin, end + 1)):  # before or after a card that is turned
            plays = [Play(by=table.seats[seat], card=left[seat][0]) for seat in table.clockwise(leader)]
            events: Events = [*written.events()[:place], *((None, play) for play in plays), *written.events()[place:]]
            mark = Mark(
                f"/events/{place}" if place < len(written.deal.events) else "",
                row + 1,
                {"owner": "everybody", "card": " ".join(play.card for play in plays)},
            )
            yield Slip(ACTS["play-lost"], (mark,), f"trick {row + 1} left out", events=events)


def _begun(written: WrittenDeal) -> int:
    """The first place at which a card may have been played: after the calls, perhaps before a card that is turned."""
    first = written.plays[0].place
    return max((place + 1 for place, event in enumerate(written.deal.events[:first]) if event.do != "turn"), default=0)


def _lacks_a_row(written: WrittenDeal) -> bool:
    """Whether each seat has a card fewer than it plays."""
    return all(written.table.quota[seat] == written.counts[seat] + 1 for seat in range(len(written.table.seats)))


def lost_unseen(written: WrittenDeal) -> bool:
    """Whether a row may be lost of which nothing tells the cards: that cannot be undone, and what else there is is not all."""
    return _lacks_a_row(written) and any(len(free(written, seat)) != 1 for seat in range(len(written.table.seats)))
