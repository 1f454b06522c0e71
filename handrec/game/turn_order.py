"""Whose turn a play is where the record leaves it open: no seat is named, or it is not the seat whose turn it is.

The replay cannot go on without an answer: who plays decides who wins, and so who leads. These functions only put each card
in its trick, under a seat; what slip of the pen explains a finding is another question, and is asked when the deal has been
replayed.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from itertools import islice

from handrec.findings import Fault
from handrec.game.blanks import may_hold
from handrec.game.playing import PlacedPlay, Playing, coming, in_row, legal_cards
from handrec.game.table import Table
from handrec.record import Play

#: What is wrong with a number typed before a row; a fault of form, as numbers are noted and are no facts of the play.
ROW_NUMBER = Fault(
    "FMT019", "row-number", "L1", "A number typed before a row is that of its trick.",
    "the number {due} is due before this row, not {found}", "warning",
)  # fmt: skip


def owner(table: Table, event: Play) -> int:
    """Whose card a play is: the seat named, or the only one that holds it; -1 if that is not known."""
    if event.by:
        return table.place_of[event.by]
    holders = _holders(table, table.pack.index.get(event.card, -1))
    return holders[0] if len(holders) == 1 else -1


def _holders(table: Table, card: int) -> list[int]:
    return [seat for seat in range(len(table.seats)) if card >= 0 and table.left[seat] >> card & 1]


def take_as(table: Table, play: Playing, seat: int, card: int) -> bool:
    """Let a card that nobody is known to hold be a seat's, if its hand is not recorded in full; whether that can be."""
    lies = seat not in table.free and any(table.pack.cards[card] in cards for cards in table.lying.values())
    if card >= 0 and card not in play.seen and not lies and not _holders(table, card) and may_hold(table, seat, card):
        table.left[seat] |= 1 << card
        table.hands[seat] |= 1 << card
        return True
    return False


def whose(table: Table, play: Playing, place: int, card: int) -> int:
    """Whose card an unnamed play is: the seat's in turn, unless it lacks the card and the next play shows another's.

    If the next card is that of the left of the seat in turn, this one is the seat's in turn, miswritten; else it is its
    holder's, who led or played out of turn.
    """
    holders = _holders(table, card)
    if not play.waiting:
        return holders[0] if len(holders) == 1 else -1
    due = play.waiting[0]
    if take_as(table, play, due, card):
        return due
    others = [seat for seat in holders if seat in play.waiting]
    if due in holders or not others:
        return due
    after = next((owner(table, event) for _, event in coming(table, place)), -1)
    return due if after == table.left_of(due) else others[0]


def unsure_rows(table: Table, recorded: Container[str]) -> dict[int, Sequence[int]]:
    """The typed rows that lack a card, nobody knows whose: the places of each row, by the place of each of its cards.

    A line names its leader, or nobody, and its cards stand for the seats in turn; so where one is left out, those after it stand
    under the seats before their own. A seat that is passed over shows whose it is, as do hands that all cards stand in. The last
    row of a deal that is not played out may be short for good reason.
    """
    rows: list[list[int]] = []
    events = table.deal.events
    for place, event in enumerate(events):
        if event.do == "play":
            if event.trick is not None:
                rows.append([])
            if rows:
                rows[-1].append(place)
        elif event.do == "withdraw" and event.card is not None and rows and rows[-1]:
            rows[-1].pop()
    if table.deal.status != "complete":
        del rows[-1:]
    found: dict[int, Sequence[int]] = {}
    for number, row in enumerate(rows):
        plays = [event for place in row if (event := events[place]).do == "play"]
        seats = [table.place_of[event.by] if event.by else None for event in plays]
        turns = [seat if seat is None else (seat + 1) % table.count for seat in seats]
        due = len(table.seats) if number else table.count  # a seat that no player has misses the first trick
        if len(row) < due and turns[:-1] == seats[1:] and not all(event.card in recorded for event in plays):
            found.update(dict.fromkeys(row, row))
    return found


def skipped(table: Table, place: int, due: int, seat: int, waiting: int) -> bool:
    """Whether the seat whose turn it is has no card in this trick, rather than one later in it."""
    if table.to_come(place):
        return False
    row = in_row(table, place)
    if row is not None:  # a typed row says which cards are of one trick
        owners = [owner(table, event) for _, event in row]
        return due not in owners and (not table.unnamed or (-1 not in owners and len(row) + 1 < waiting))
    if table.unnamed:
        return False
    if table.deal.status == "complete":
        return table.short(due) and table.played_by[seat] >= table.played_by[due]
    return table.seats[due] not in [event.by for _, event in islice(coming(table, place), waiting - 1)]


def lack(table: Table, many: int) -> bool:
    """Whether so many cards of everybody are not on record."""
    seats = range(len(table.seats))
    if table.unnamed:
        return sum(table.quota) - len(table.plays[0]) >= many * len(seats)
    return all(table.quota[seat] - table.played_by[seat] >= many for seat in seats)


def leads_next(table: Table, play: Playing, place: int, seat: int, card: int, after: list[int]) -> bool:
    """The last seat of a trick has a card too few on record: is this rather its lead to the next trick?

    It is if the card is illegal here, or if the play goes on with the seats `after` it although the next would not have won
    this trick either, and no whole trick is missing. Where both can be, the card stands in this trick, and what follows stays
    open.
    """
    following = next((event for _, event in coming(table, place)), None)
    if table.typed:
        return False
    if table.deal.status != "complete" or table.unnamed or following is None or card < 0 or not after:
        return False
    order, left = table.order(play.number, done=True), after[0]
    if following.by != table.seats[left] or order is None or not play.clear:
        return False
    taker = order.winner([*(bit for _, _, bit in play.plays), card])
    winner = [*(other for other, _, _ in play.plays), seat][taker]
    legal = table.left[seat] if seat in table.free else legal_cards(table.game.play_rules, play.view, table.left[seat])
    if not legal >> card & 1:
        return True
    if lack(table, 1):
        return False  # rather a whole trick is not on record
    if winner not in (left, seat):
        return True
    play.clear, play.adrift = False, True
    reason = f"deal {table.number}: a card is missing from trick {play.number} or a later one"
    table.doubt("L4", reason)
    table.doubt("L5", reason)
    return False


def in_order(table: Table, play: Playing, place: int, event: Play, turns: list[int]) -> list[tuple[int, PlacedPlay]]:
    """The plays of a trick in their right order, if the wrong lead is rather one written down in the wrong order.

    It is if every seat plays once, and the cards break fewer rules when led by the seat whose lead it was. `turns` are
    those after the lead as it is written down.
    """
    trick: list[PlacedPlay] = [(place, event), *islice(coming(table, place), len(play.waiting) - 1)]
    seats = [owner(table, written) for _, written in trick]
    if sorted(seats) != sorted(play.waiting) or play.order is None:
        return []
    plays = dict(zip(seats, trick, strict=True))
    right = [(seat, plays[seat]) for seat in play.waiting]
    written = list(zip(seats, trick, strict=True))
    out_of_turn = int(seats != turns)
    return right if _faults(table, play, right) < out_of_turn + _faults(table, play, written) else []


def _faults(table: Table, play: Playing, plays: list[tuple[int, PlacedPlay]]) -> int:
    """How many cards of a trick break a rule if they are played in this order."""
    trial = Playing(None)
    trial.number, trial.broken, trial.order = play.number, play.broken, play.order
    trial.clear_view()
    trial.view.trumps = play.view.trumps
    faults = 0
    for seat, (_, event) in plays:
        card = table.pack.index.get(event.card, -1)
        if card >= 0:
            legal = table.left[seat] if seat in table.free else legal_cards(table.game.play_rules, trial.view, table.left[seat])
            faults += not legal >> card & 1
            trial.put(card)
    return faults
