"""The fast path: a deal in order, judged in one pass.

A deal is in order if every hand is recorded, every card lies where it should and nowhere else, and every card is played, each
by the seat in turn, held, and legal. Nothing need be explained about such a deal, so nothing is kept for explaining. What
happens besides the plays (bids, cards turned, guesses …) is taken by the game's own phases, as the referee has them take it;
only the cards and the tricks go another way, and that gives up on anything unusual. Then the table is of no use, and the
referee judges the deal from the beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from handrec.cards import Order
from handrec.fast.plan import Plan, plan_of
from handrec.game import Table
from handrec.record import Play

__all__ = ["Plan", "plan_of", "replayed"]


def replayed(table: Table) -> bool:
    """Replay a deal at a table at which nothing has happened yet; False, and the table spoiled, if it is not in order."""
    known = plan_of(table.game, table.seats)
    return known is not None and known.deal_out(table) and _events_in_order(table, known)


def _events_in_order(table: Table, plan: Plan) -> bool:
    """Whether every card is played in order; takes all that happens."""
    game, events = table.game, table.deal.events
    kinds = [*map(type, events)]
    others = [place for place, kind in enumerate(kinds) if kind is not Play]
    table.besides = [(place, events[place]) for place in others]
    plays = [event for event, kind in zip(events, kinds, strict=True) if kind is Play] if others else events
    if len(plays) != table.size * table.count:
        return False
    numbered = plan.loop.numbered(plays)
    if numbered is None:
        return False
    table.played_by = table.quota[:]
    for phase in game.that("open"):
        phase.open(table)
    at = 0
    for before, place in enumerate([*others, len(events)]):
        while at < place - before:
            after = _tricks_taken(table, plan, numbered, at, place - before, before)
            if after == at:
                return False
            at = after
        if place < len(events):
            event: Any = events[place]
            take = game.taker(event)
            if take is None:
                return False
            take(table, place, event)
    for phase in game.that("close"):
        phase.close(table)
    return True


def _tricks_taken(table: Table, plan: Plan, plays: Any, at: int, end: int, before: int) -> int:
    """Take the tricks from play number `at` on that are in order, up to `end` or a card that may be turned; returns how far.

    So many events that are no plays come `before`.
    """
    phase, many = plan.tricks, table.count
    ready = phase.ready(table, at + before)
    play = phase.begun(table)
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
