"""The fast path: a deal in order, judged in one pass.

A deal is in order if every hand is recorded, every card lies where it should and nowhere else, and every card is played, each
by the seat in turn, held, and legal; or if nobody was to play and nobody did. So is one whose play ends early, as by a claim:
of that the whole tricks are taken here, and what is left, at most some cards of a trick and the claim, event by event as the
referee takes it. Plays that do not say whose they are, as in LIN, are those of the seats that were dealt the cards. Nothing
need be explained about such a deal, so nothing is kept for explaining. What happens besides the plays is taken by the game's
own phases. Most of it comes before the first lead, and is as it should be: of that each phase may lay down on the table what it
comes to (`Phase.lay`). Where one cannot, all events are taken as the referee has them taken, one by one. Only the cards and the
tricks always go another way, and that gives up on anything unusual; numbers typed before rows of cards are usual if they are
those of the tricks. Where it gives up, the table is of no use, and the referee judges the deal from the beginning.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from handrec.fast.plan import Plan, plan_of
from handrec.game import Table
from handrec.game.playing import Playing, play_of
from handrec.game.table import Stranger
from handrec.record import KINDS, NOTED, Play, Withdraw
from handrec.sides import sides_named

__all__ = ["Plan", "plan_of", "replayed"]

#: What else a play says than whose card it was, and that it says nothing of that either.
SAID, SILENT = attrgetter("by", "questioned", *NOTED), (None,) * (2 + len(NOTED))


def replayed(table: Table) -> bool:
    """Replay a deal at a table at which nothing has happened yet; False, and the table spoiled, if it is not in order.

    In a deal that is in order all seats that are named are the table's. One that is still being played is the referee's.
    """
    plan = plan_of(table.game, table.seats)
    if plan is None or table.unsized or table.deal.status == "in_progress":
        return False
    numbers = _numbered(table, plan)
    if numbers is None or not plan.deal_out(table):
        return False
    try:
        laid = plan.lay(table)
        if laid < 0:
            unnamed = table.unnamed
            table.clear()
            plan.deal_out(table)
            table.unnamed = unnamed
        if table.unplayed or not numbers:
            return _nobody_played(table, plan, numbers, laid)
        return _seated(table, plan, max(laid, 0)) and _events_in_order(table, plan, numbers, laid)
    except Stranger:
        return False


def _numbered(table: Table, plan: Plan) -> Any:
    """The plays by number, nothing where there are none; None if a play is unusual, or there are too many."""
    events, many, begin = table.deal.events, table.size * table.count, 0
    for event in events:
        if type(event) is Play:
            break
        begin += 1
    end = begin + many
    table.besides = [*enumerate(events[:begin]), *enumerate(events[end:], end)]
    numbers = plan.loop.numbered(events[begin:end])
    if numbers is None or any(type(event) is Play for _, event in table.besides[begin:]):
        plays = [event for event in events if type(event) is Play]
        table.besides = [(place, event) for place, event in enumerate(events) if type(event) is not Play]
        numbers = plan.loop.numbered(_named(table, plays)) if len(plays) <= many else None
    return numbers


def _named(table: Table, plays: list[Any]) -> list[Any]:
    """The plays; those of a deal that never says whose they are as of those who were dealt the cards.

    Where a card is taken back, whose the plays are hangs on more than that.
    """
    if any(SAID(play) != SILENT for play in plays) or any(type(event) is Withdraw for event in table.deal.events):
        return plays
    table.unnamed = True
    owner = {card: seat for seat, cards in (table.deal.hands or {}).items() for card in cards}
    return [play_of(owner[play.card], play.card) if play.card in owner else play for play in plays]


def _nobody_played(table: Table, plan: Plan, numbers: Any, laid: int) -> bool:
    """Whether nobody was to play and nobody did, and nothing else happened but what is laid down."""
    odd = numbers or table.deal.leader or table.deal.status != "complete"
    if odd or not table.unplayed or laid < len(table.besides) or not _seated(table, plan, laid):
        return False
    for phase in plan.closes:
        phase.close(table)
    return True


def _seated(table: Table, plan: Plan, laid: int) -> bool:
    """Whether all seats and sides that a deal names are the table's; but for those of plays, events laid down, and hands."""
    deal, claimed = table.deal, table.deal.claimed
    named = {deal.dealer, deal.leader}
    for _, event in table.besides[laid:]:
        named.update(KINDS[event.do].seats_of(event))
    if claimed is not None:
        sheets = claimed.winners, claimed.bids, claimed.tricks, claimed.scores, claimed.totals
        named.update(*[sheet for sheet in sheets if sheet])
    return table.place_of.keys() >= named - {None} and plan.sides >= {side for _, side in sides_named(deal)}


def _events_in_order(table: Table, plan: Plan, numbers: Any, laid: int) -> bool:
    """Whether every card is played in order; takes all that happens, but for so many events that are laid down, if they are."""
    game, events = table.game, table.deal.events
    early = len(events) - len(table.besides) < table.size * table.count
    if early and table.deal.status == "complete":  # then cards are missing, and the referee looks where
        return False
    table.played_by = table.quota[:]
    if laid >= 0:
        leader, stated = plan.tricks.leader(table), table.deal.leader
        if stated and leader is not None and stated != table.seats[leader]:
            return False
        table.state = Playing(table.place_of[stated] if stated else leader)
    else:
        for phase in game.that("open"):
            phase.open(table)
    found = len(table.findings)
    place = _taken(table, plan, numbers, laid)
    if any(finding.code.startswith("PLY") for finding in table.findings):
        return False  # cards went another way than they should have: who held them, the referee tells
    if early and place >= 0 and table.state is not None:
        plan.tricks.begin(table, table.state)
        for last in range(place, len(events)):
            take = game.taker(events[last])
            if take is None:
                return False
            take(table, last, events[last])
    elif place < len(events):
        return False
    for phase in game.that("close") if laid < 0 else plan.closes_early:
        if phase is plan.tricks and laid >= 0 and not early:
            table.counted = True  # all that there is to close
        else:
            phase.close(table)
    return not early or len(table.findings) == found


def _taken(table: Table, plan: Plan, numbers: Any, laid: int) -> int:
    """Take whole tricks, and all that happens between; returns the place of what could not be taken, -1 if it is too much."""
    events, besides, at = table.deal.events, table.besides, 0
    for before in range(max(laid, 0), len(besides) + 1):
        place = besides[before][0] if before < len(besides) else len(events)
        while at < place - before:
            ready = table.size if laid >= 0 else plan.tricks.ready(table, at + before)
            after = _tricks_taken(table, plan, numbers, at, place - before, ready)
            if after == at:
                return at + before if len(events) - len(besides) - at < table.count else -1
            at = after
        if place < len(events):
            take = table.game.taker(events[place])
            if take is None:
                return -1
            take(table, place, events[place])
    return len(events)


def _tricks_taken(table: Table, plan: Plan, plays: Any, at: int, end: int, ready: int) -> int:
    """Take the tricks from play number `at` on that are in order, up to `end`; returns how far.

    Trick number `ready` is the last that can be led before another card must be turned.
    """
    many, play = table.count, table.state or plan.tricks.begun(table)
    number, leader, order = play.number, play.leader, table.order(play.number)
    if leader is None or order is None or table.stopped or table.claimed_rest or not all(table.whole):
        return at
    first, later = plan.turns(table)
    alike = table.alike and (number > 1 or first is later)
    last = min(table.size, number + (end - at) // many - 1, ready if alike else number)
    turns, broken = first if number == 1 else later, int(play.broken)
    after, number, leader, broken = plan.loop.take(
        plays, at, number, last, leader, broken, table.left, turns, order, table.won, table.tricks
    )
    if after > at and not table.alike and table.order(number - 1, True) != order:
        return at  # the trick is decided by a card that is turned after it
    play.number, play.leader, play.broken = number, leader, bool(broken)
    return after
