"""A whole record in order: its verdict in one pass, from cards, bids, plays and what is claimed, all of them as they should be.

Most records are right, and of those most hold nothing unusual: a hand for each seat, bids in turn, every card played, claims that
agree. For these the verdict is put together here, with nothing kept that would explain a fault. Whatever is not so, however
small, ends the attempt, and the record goes the usual way. What the deals are together is judged as the referee judges it.
"""

from __future__ import annotations

from typing import Any

from handrec.fast import Plan, plan_of
from handrec.findings import DealResult, Verdict
from handrec.game import Game, Table
from handrec.game.playing import Playing
from handrec.game.table import Made, Stranger
from handrec.game.value import Perhaps
from handrec.record import Announce, Deal, DealClaims, Play, Record
from handrec.referee import laid, levels
from handrec.referee.game import judge_game
from handrec.referee.scores import NO_BID, Reckoned, notes, reckoned

NO_CLAIMS = DealClaims()

#: What is noted of a deal in which nothing can be compared.
NO_RESULT = "deal {}: no result is recorded to compare with"

Carried = list[dict[str, int]]


def verdict(record: Record, game: Game) -> Verdict | None:
    """The verdict on a record under its game's options, None if anything in it is unusual."""
    seats = tuple([player.seat for player in record.players])
    if len(seats) not in game.players or len({*seats}) < len(seats) or not record.deals:
        return None
    plan = plan_of(game, seats)
    claimed = record.claimed
    if plan is None or (claimed and not {*(claimed.totals or ()), *(claimed.winners or ())} <= {*seats}):
        return None
    whole = record.status != "excerpt" or not game.carries
    if not whole:
        return None
    schedule, carried = game.cards(len(seats)), [{carry.key: carry.start for carry in game.carries} for _ in seats]
    tables: list[Table] = []
    results: list[DealResult] = []
    doubts: dict[str, list[str]] = {}
    for index, deal in enumerate(record.deals):
        table = laid(game, plan.pack, seats, index, deal, record, schedule)
        table.past = tuple(tables)
        try:
            result = _deal(table, plan, deal, carried, doubts)
        except Stranger:
            return None
        if result is None or table.findings or table.doubts:
            return None
        tables.append(table)
        results.append(result)
    findings, results, totals, winners = judge_game(record, game, tables, results, doubts)
    if findings or any(table.findings or table.doubts for table in tables):
        return None
    told = levels([], doubts)
    return Verdict(record.id, record.game, dict(game.settings), told, (), tuple(results), totals, winners)


def _deal(table: Table, plan: Plan, deal: Deal, carried: Carried, doubts: dict[str, list[str]]) -> DealResult | None:
    """A deal's result, None if anything in it is unusual; `carried` becomes what the seats carry on."""
    if deal.status != "complete" or (deal.dealer and table.dealer is None) or not plan.deal_out(table):
        return None
    events = deal.events
    begin = next((place for place, event in enumerate(events) if type(event) is Play), len(events))
    end = begin + table.size * table.count
    table.besides = [*enumerate(events[:begin]), *enumerate(events[end:], end)]
    for phase in plan.opens:
        phase.open(table)
    at = 0
    for phase, lay in plan.lays:
        at = lay(phase, table, at)
        if at < 0:
            return None
    leader = plan.tricks.leader(table)
    order = table.order(1)
    if leader is None or order is None or not table.alike or (deal.leader and deal.leader != table.seats[leader]):
        return None
    if at != begin or len(events) < end:
        return None
    plays: Any = plan.loop.numbered(events[begin:end])
    first, turns = plan.turns(table)
    if plays is None or first is not turns:
        return None
    taken = plan.loop.take(plays, 0, 1, table.size, leader, 0, table.left, turns, order, table.won, table.tricks)
    if taken[1] <= table.size:
        return None
    table.counted, table.played_by = True, table.quota
    if not _closed(table, plan, end):
        return None
    claimed = deal.claimed or NO_CLAIMS
    if not (claimed.winners or claimed.tricks or claimed.scores):
        doubts.setdefault("L5", []).append(NO_RESULT.format(table.number))
    hands = _hands(table, plan, carried)
    if hands is None or not _as_claimed(table, claimed, hands, order.name):
        return None
    made = {seat: bid for seat, bid in enumerate(table.bids) if bid}
    for phase in table.game.that("settle"):
        phase.settle(table, made, dict(enumerate(table.won)))
    seats, bids = table.seats, {seat: made.token for seat, made in zip(table.seats, table.bids, strict=True) if made}
    after = {seat: dict(hand[1]) for seat, hand in zip(seats, hands, strict=True)} if table.game.carries else {}
    carried[:] = after.values() if after else carried
    return DealResult(
        number=table.number,
        cards=table.size,
        dealer=deal.dealer,
        order=order.name,
        bids=bids,
        tricks=dict(zip(seats, table.won, strict=True)),
        lines={seat: dict(hand[0]) for seat, hand in zip(seats, hands, strict=True)} if hands else {},
        penalties={},
        totals=None,
        played=tuple(table.tricks),
        notes=notes(table),
        carried=after,
    )


def _closed(table: Table, plan: Plan, end: int) -> bool:
    """Whether what comes after the play, from event `end` on, are announcements; they are taken, and the phases close."""
    takers, events = table.game.takers, table.deal.events
    table.state = Playing(None)
    table.state.number = table.size + 1
    for place in range(end, len(events)):
        event = events[place]
        take = takers.get(f"announce:{event.what}") if type(event) is Announce else None
        if take is None:
            return False
        take(table, place, event)
    for phase in plan.closes:
        phase.close(table)
    return True


def _hands(table: Table, plan: Plan, carried: Carried) -> list[Reckoned] | None:
    """What each seat scores, if the game has scores; None if anything that it hangs on is not known."""
    game, found = table.game, list[Reckoned]()
    for seat, made in enumerate(table.bids if game.score else ()):
        bid: Made | None = made if plan.bids else NO_BID
        if bid is None or bid.value is None:
            return None
        facts: dict[str, Any] = {}
        for phase in game.that("facts"):
            facts.update(phase.facts(table, seat))
        if facts and any(isinstance(fact, Perhaps) for fact in facts.values()):
            return None
        found.append(reckoned(game, bid, table.won[seat], table.size, facts, carried[seat]))
    return found


def _as_claimed(table: Table, claimed: DealClaims, hands: list[Reckoned], trump: str) -> bool:
    """Whether all that is claimed of a deal is so."""
    places = table.place_of
    if claimed.trump not in (None, trump) or (claimed.totals and not claimed.totals.keys() <= places.keys()):
        return False
    if claimed.winners is not None and claimed.winners != [trick.winner for trick in table.tricks]:
        return False
    for seat, tricks in (claimed.tricks or {}).items():
        if seat not in places or tricks != table.won[places[seat]]:
            return False
    for seat, points in (claimed.scores or {}).items():
        if seat not in places or not hands or points != hands[places[seat]][2]:
            return False
    for seat, token in (claimed.bids or {}).items():
        made = table.bids[places[seat]] if seat in places else None
        if made is None or made.kind == "unknown" or made.token != str(token):
            return False
    return claimed.bids is None or any(table.bids)
