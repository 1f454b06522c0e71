"""Slips that would explain a revoke as well: another card of the same seat's, played or never played, may have been meant.

Whether such a slip leaves nothing wrong is seen without another replay: what the rules saw at each play is kept, so the seat's
later plays are judged again with the one card in its hand instead of the other, and the tricks must still fall to whom they fell.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy

from handrec.cards import bits
from handrec.explanations.acts import misread, price
from handrec.explanations.written import WrittenDeal
from handrec.findings import Finding, Near
from handrec.game import Table
from handrec.game.playing import Seen, legal_cards

#: A deed is told with the slips that cost at most so much more.
MARGIN = 1


def near(written: WrittenDeal, finding: Finding, cost: int) -> tuple[Near, ...]:
    """The slips that explain a revoke for at most `MARGIN` more than it costs itself; the cheapest first."""
    table, place = written.table, finding.event_index
    seen = next((each for each in table.trace or () if each.place == place and not each.withdrawn), None)
    if seen is None or seen.view is None or seen.card < 0:
        return ()
    found = sorted({*_misread(written, seen), *_exchanged(written, seen)}, key=lambda each: (each[1], each))
    return tuple(Near(act, extra, words) for act, price, words in found if (extra := price - cost) <= MARGIN)


def _misread(written: WrittenDeal, seen: Seen) -> Iterator[tuple[str, int, str]]:
    """Another card was played, which the seat never plays: one left in its hand, or one that nobody is known to have had."""
    table = written.table
    known = written.own[seen.seat] is not None
    left = written.unplayed(seen.seat) if known else written.nowhere
    if known and not left:
        return
    token = table.pack.cards[seen.card]
    best: dict[int, str] = {}
    for card in bits(left):
        act = misread(token, written.name(card))
        hand = (seen.hand & ~(1 << seen.card)) | 1 << card | (1 << seen.card if known else 0)
        cost = price(act.key, written.kind)
        if cost in best or not _legal(table, seen, hand, card):
            continue
        if _same_winner(table, seen, card):
            best[cost] = written.name(card)
    for cost, name in best.items():
        yield misread(token, name).key, cost, f"{token} for {name}"


def _legal(table: Table, seen: Seen, hand: int, card: int) -> bool:
    """Whether a card can be played from a hand at the time of another play."""
    return seen.view is not None and bool(legal_cards(table.game.play_rules, copy(seen.view), hand) >> card & 1)


def _exchanged(written: WrittenDeal, seen: Seen) -> Iterator[tuple[str, int, str]]:
    """The card, and one that the seat played later and could have played here, are written in each other's row."""
    table = written.table
    mine = [each for each in table.trace or () if each.seat == seen.seat and not each.withdrawn]
    later = mine[mine.index(seen) + 1 :]
    for spot, other in enumerate(later):
        if other.card < 0 or not seen.legal >> other.card & 1 or other.view is None:
            continue
        swap = 1 << other.card | 1 << seen.card
        between = [*later[:spot]]
        if any(each.view is None or each.card < 0 for each in between):
            continue
        if not _same_winner(table, seen, other.card) or not _same_winner(table, other, seen.card):
            continue
        legal = _legal(table, other, other.hand ^ swap, seen.card)
        if legal and all(_legal(table, each, each.hand ^ swap, each.card) for each in between):
            name = written.name(other.card)
            yield (
                "plays-across",
                price("plays-across", written.kind),
                f"{table.pack.cards[seen.card]} and {name} (trick {other.trick}) exchanged",
            )
            return


def _same_winner(table: Table, seen: Seen, card: int) -> bool:
    """Whether a trick falls to whom it fell, or is said to, with another card in a play's place; so too if it never ended."""
    played = next((trick for trick in table.tricks if trick.number == seen.trick), None)
    order = table.order(seen.trick, done=True)
    if played is None or order is None or played.winner is None:
        return played is None
    names = [name for name, _ in played.plays]
    cards = [table.pack.index.get(token, -1) for _, token in played.plays]
    if -1 in cards:
        return False
    spot = names.index(table.seats[seen.seat])
    cards[spot] = card
    winners = (table.deal.claimed and table.deal.claimed.winners) or ()
    stated = winners[seen.trick - 1] if len(winners) == table.size else played.winner
    return names[order.winner(cards)] in (played.winner, stated)
