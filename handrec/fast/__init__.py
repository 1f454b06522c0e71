"""The fast path: a deal in order, judged in one pass.

A deal is in order if every hand is recorded, every card lies where it should and nowhere else, and every card is played, each
by the seat in turn, held, and legal. Nothing need be explained about such a deal, so nothing is kept for explaining. What
happens besides the plays is taken by the game's own phases. Most of it comes before the first lead, and is as it should be: of
that each phase may lay down on the table what it comes to (`Phase.lay`). Where one cannot, all events are taken as the referee
has them taken, one by one. Only the cards and the tricks always go another way, and that gives up on anything unusual. Then
the table is of no use, and the referee judges the deal from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handrec.cards import Order
from handrec.fast.plan import Plan, plan_of
from handrec.game import Table
from handrec.game.playing import Playing
from handrec.game.table import Stranger
from handrec.record import KINDS, Play, is_side, sides_named

__all__ = ["Plan", "plan_of", "replayed"]


def replayed(table: Table) -> bool:
    """Replay a deal at a table at which nothing has happened yet; False, and the table spoiled, if it is not in order.

    In a deal that is in order all seats that are named are the table's.
    """
    plan = plan_of(table.game, table.seats)
    if plan is None or not plan.deal_out(table):
        return False
    plays = _numbered(table, plan)
    if plays is None:
        return False
    numbers, others = plays
    if any(event.do == "turn" and event.card not in plan.bit for _, event in table.besides):
        return False
    try:
        laid = plan.lay(table, others)
        if laid < 0:
            besides = table.besides
            table.clear()
            plan.deal_out(table)
            table.besides = besides
        return _seated(table, max(laid, 0)) and _events_in_order(table, plan, numbers, others, laid)
    except Stranger:
        return False


def _numbered(table: Table, plan: Plan) -> tuple[Any, list[int]] | None:
    """The plays by number, and the places of all other events; None if a card is not played, or a play is unusual."""
    events, many, begin = table.deal.events, table.size * table.count, 0
    for event in events:
        if type(event) is Play:
            break
        begin += 1
    plays, others = events[begin : begin + many], [*range(begin), *range(begin + many, len(events))]
    numbers = plan.loop.numbered(plays) if len(plays) == many else None
    if numbers is None and len(events) > begin + many:
        others = [place for place, event in enumerate(events) if type(event) is not Play]
        plays = [event for event in events if type(event) is Play]
        numbers = plan.loop.numbered(plays) if len(plays) == many else None
    if numbers is None or any(type(events[place]) is Play for place in others):
        return None
    table.besides = [(place, events[place]) for place in others]
    return numbers, others


def _seated(table: Table, laid: int) -> bool:
    """Whether all seats that a deal names are the table's, but for those of plays, of events laid down, and of hands."""
    deal, places = table.deal, table.place_of
    if (deal.dealer and table.dealer is None) or (deal.leader and deal.leader not in places):
        return False
    for _, event in table.besides[laid:]:
        kind = KINDS[event.do]
        if kind.shares or any(getattr(event, field) not in places for field in kind.seats if getattr(event, field) is not None):
            return False
    claimed, seats = deal.claimed, places.keys()
    if not all(is_side(side, (*table.seats[: table.count],)) for _, side in sides_named(deal)):
        return False
    if claimed is None:
        return True
    sheets = (claimed.bids, claimed.tricks, claimed.scores, claimed.totals)
    return seats >= {*(claimed.winners or ())} and all(sheet is None or sheet.keys() <= seats for sheet in sheets)


def _events_in_order(table: Table, plan: Plan, numbers: Any, others: list[int], laid: int) -> bool:
    """Whether every card is played in order; takes all that happens, but for so many events that are laid down, if they are."""
    game, events, at = table.game, table.deal.events, 0
    table.played_by = table.quota[:]
    if laid >= 0:
        leader, stated = plan.tricks.leader(table), table.deal.leader
        if stated and leader is not None and stated != table.seats[leader]:
            return False
        table.state = Playing(table.place_of[stated] if stated else leader)
    else:
        for phase in game.that("open"):
            phase.open(table)
    for before in range(max(laid, 0), len(others) + 1):
        place = others[before] if before < len(others) else len(events)
        while at < place - before:
            ready = table.size if laid >= 0 else plan.tricks.ready(table, at + before)
            after = _tricks_taken(table, plan, numbers, at, place - before, ready)
            if after == at:
                return False
            at = after
        if place < len(events):
            take = game.taker(events[place])
            if take is None:
                return False
            take(table, place, events[place])
    table.counted = laid >= 0
    for phase in plan.closes if laid >= 0 else game.that("close"):
        phase.close(table)
    return True


def _tricks_taken(table: Table, plan: Plan, plays: Any, at: int, end: int, ready: int) -> int:
    """Take the tricks from play number `at` on that are in order, up to `end`; returns how far.

    Trick number `ready` is the last that can be led before another card must be turned.
    """
    many, play = table.count, table.state or plan.tricks.begun(table)
    number, leader, order = play.number, play.leader, table.order(play.number)
    if leader is None or order is None or table.stopped or table.claimed_rest:
        return at
    first, later = plan.turns(table)
    alike = table.alike and (number > 1 or first is later)
    last = min(table.size, number + (end - at) // many - 1, ready if alike else number)
    turns, broken = first if number == 1 else later, int(play.broken)
    after, number, leader, broken = plan.loop.take(
        plays, at, number, last, leader, broken, table.left, turns, order, table.won, table.tricks
    )
    if after > at and not table.alike and (done := table.order(number - 1, True)) is not order:
        if done is None:
            return at
        leader = _taken_by(table, *plan.loop.row(plays, at, after), done)
    play.number, play.leader, play.broken = number, leader, bool(broken)
    return after


def _taken_by(table: Table, seats: Sequence[int], cards: Sequence[int], order: Order) -> int:
    """Who took the last trick, as suits and ranks are when all have played to it."""
    trick, best = table.tricks.pop(), seats[order.winner(cards)]
    table.won[table.place_of[str(trick.winner)]] -= 1
    table.won[best] += 1
    table.tricks.append(trick._replace(winner=table.seats[best]))
    return best
