"""Slips of single plays: cards, names and order undone in every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from typing import Any

from handrec.cards import is_known
from handrec.explanations.acts import ACTS, misread
from handrec.explanations.pen.reach import Reach, is_play
from handrec.explanations.written import Events, Mark, Slip, WrittenDeal, WrittenPlay
from handrec.record import Play


def miswritten(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A card played is written for another."""
    for each in reached(written, where):
        token = written.event(each).card
        for due in written.table.pack.cards if is_known(token) else ():
            if due != token:
                mark = Mark(f"/events/{each.place}/card", written.trick(each), {"found": token, "due": due})
                changed = {each.place: {"card": due}}
                yield Slip(misread(token, due), (mark,), f"{token} written for {due}", changed=changed)


def misnamed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """The name at a card is another seat's."""
    for each in reached(written, where):
        event = written.event(each)
        for seat in written.table.seats if event.by is not None else ():
            if seat != event.by:
                facts = {"card": event.card, "found": event.by, "owner": seat}
                mark = Mark(f"/events/{each.place}/by", written.trick(each), facts)
                words = f"{event.by} for {seat} at {event.card}"
                yield Slip(ACTS["name"], (mark,), words, changed={each.place: {"by": seat}})


def exchanged(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Two cards played stand in each other's place."""
    mine = {each.place for each in reached(written, where)}
    for one, other in combinations(written.plays, 2):
        if not mine & {one.place, other.place}:
            continue
        a, b = written.event(one).card, written.event(other).card
        if a != b:
            act = ACTS["plays-in-row" if one.row == other.row else "plays-across"]
            facts = {"one": f"{a} (trick {written.trick(one)})", "other": f"{b} (trick {written.trick(other)})"}
            mark = Mark(f"/events/{other.place}/card", written.trick(other), facts)
            changed = {one.place: {"card": b}, other.place: {"card": a}}
            yield Slip(act, (mark,), f"{a} and {b} exchanged", changed=changed)


def transposed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A card, with its name, is written before or after its turn: elsewhere in its row, or across its edge."""
    mine = {each.place for each in reached(written, where)}
    for cards in written.rows:
        for one, other in permutations(range(len(cards)), 2):
            if abs(one - other) > 1 or one < other:  # else the same as the other way round
                order = [*cards[:one], *cards[one + 1 :]]
                order.insert(other, cards[one])
                if mine & {each.place for each in cards}:
                    yield _moved(written, cards, order, cards[one])
    for before, after in pairwise(written.rows):
        edge = [before[-1], after[0]]
        if mine & {each.place for each in edge} and edge[1].place == edge[0].place + 1:
            yield _moved(written, edge, edge[::-1], edge[0])


def _moved(written: WrittenDeal, cards: list[WrittenPlay], order: list[WrittenPlay], moved: WrittenPlay) -> Slip:
    """Plays in another order, for one of them was not where it is written; typed numbers stay where they are."""
    events = written.events()
    for spot, each in zip(cards, order, strict=True):
        events[spot.place] = each.place, numbered(written.event(each), written.event(spot).trick)
    token, row = written.event(moved).card, " ".join(written.event(each).card for each in order)
    facts = {"one": f"{token} (trick {written.trick(moved)})", "other": f"another card of {row}"}
    mark = Mark(f"/events/{moved.place}", written.trick(moved), facts)
    return Slip(ACTS["transposed"], (mark,), f"{token} written before or after its turn: {row}", events=events)


def exchange(events: Events, one: int, other: int) -> None:
    """Two plays in each other's place; the typed number stays at the head of the row."""
    (first, a), (second, b) = events[one], events[other]
    events[one] = second, numbered(b, a.trick)
    events[other] = first, numbered(a, b.trick)


def numbered(event: Play, trick: int | None) -> Play:
    """A play with this typed number."""
    return event if event.trick == trick else event.model_copy(update={"trick": trick})


def lost(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A play is not written down."""
    table = written.table
    for place in sorted({*where.events, *(each + 1 for each in where.events)}):
        before = [each for each in written.plays if each.place < place]
        if place > len(written.deal.events) or (place < len(written.deal.events) and not before and not is_play(written, place)):
            continue
        for seat in range(len(table.seats)):
            for card in free(written, seat):
                yield put_in(written, place, table.seats[seat], card, len(before))


def lost_amid(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A play of a row is not written down, and what came after it in the row stands one seat too early."""
    seats = range(len(written.table.seats))
    for cards in written.rows:
        named = [each.seat for each in cards]
        if len(cards) != len(seats) - 1 or -1 in named or not where.events & {each.place for each in cards}:
            continue
        for spot in range(1, len(cards)):
            later: dict[int | None, dict[str, Any]] = {
                each.place: {"by": written.seat(written.table.left_of(each.seat))} for each in cards[spot:]
            }
            place, before = cards[spot].place, sum(each.place < cards[spot].place for each in written.plays)
            for card in free(written, named[spot]):
                slip = put_in(written, place, written.seat(named[spot]), card, before)
                moved = [(at, each.model_copy(update=later[at]) if at in later else each) for at, each in slip.events or ()]
                yield slip._replace(events=moved)


def left_out(written: WrittenDeal) -> Iterator[Slip]:
    """The cards that may stand where the referee says that one is missing."""
    for finding in written.findings:
        seat, place = written.table.place_of.get(finding.seat or ""), finding.event_index
        for each in () if finding.code != "PLY005" else range(len(written.table.seats)) if seat is None else (seat,):
            at = len(written.deal.events) if place is None else place
            before = sum(play.place < at for play in written.plays)
            yield from (put_in(written, at, written.seat(each), card, before) for card in free(written, each))


def free(written: WrittenDeal, seat: int) -> list[str]:
    """The cards that a seat may have played without a word of it: of its hand, or of nobody's, and not played elsewhere."""
    left = written.nowhere if written.own[seat] is None else written.unplayed(seat) & ~written.all_played
    return [written.name(card) for card in range(len(written.table.pack)) if left >> card & 1]


def put_in(written: WrittenDeal, place: int, seat: str, card: str, before: int) -> Slip:
    """A play of this card put in at a place, before which so many plays stand."""
    events: Events = [*written.events()[:place], (None, Play(by=seat, card=card)), *written.events()[place:]]
    trick = before // len(written.table.seats) + 1
    mark = Mark(f"/events/{place}" if place < len(written.deal.events) else "", trick, {"owner": seat, "card": card})
    return Slip(ACTS["play-lost"], (mark,), f"{seat}'s {card} left out", events=events)


def doubled(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A play is written down twice."""
    for each in reached(written, where):
        unnamed = written.event(each).by is None  # then whose a card is hangs on how many stand before it
        again = [other for other in written.times.get(each.card, ()) if unnamed or other.seat == each.seat]
        if len(again) > 1:
            events: Events = [(place, event) for place, event in written.events() if place != each.place]
            tricks = " and ".join(str(written.trick(other)) for other in again)
            facts = {"owner": written.seat(each.seat), "card": written.name(each.card), "tricks": tricks}
            mark = Mark(f"/events/{each.place}", written.trick(each), facts)
            yield Slip(ACTS["play-doubled"], (mark,), f"{written.name(each.card)} written twice", events=events)


def reached(written: WrittenDeal, where: Reach) -> list[WrittenPlay]:
    """The plays that something hangs on."""
    return [each for each in written.plays if each.place in where.events]
