"""Slips of rows: cards that stand in other columns than their own, in another order than they were played, under another name.

With the hands known, each card of a row has an owner. A row whose cards belong to as many different seats as it has cards was a
trick; where the owners are not the seats it is written under, the row slid. Whose cards they are is then read off the hands,
and in which order they fell follows from who led; so do the rows after it that were put in order from the wrong winner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from handrec.cards import UNKNOWN
from handrec.explanations.acts import ACTS
from handrec.explanations.written import Events, Mark, Slip, WrittenDeal, WrittenPlay
from handrec.game import Table
from handrec.record import Play

#: A play as it was: the card as written, and whose it was.
Owned = tuple[WrittenPlay, int]


def turned(written: WrittenDeal) -> Iterator[Slip]:
    """All hands, or two of them, under other seats than those that play their cards."""
    written = written.as_dealt
    table = written.table
    if not written.foreign:
        return
    tally: dict[int, Counter[int]] = {seat: Counter() for seat in written.players}
    for each in written.from_hands:
        if each.seat in tally and each.card >= 0:
            tally[each.seat].update(written.owners.get(each.card, ())[:1])
    if not all(tally.values()):
        return
    whose = {seat: max(sorted(tally[seat]), key=lambda owner: tally[seat][owner]) for seat in tally}
    moved = [seat for seat in whose if whose[seat] != seat]
    if not moved or len({*whose.values()}) < len(whose) or not {*whose.values()} <= {*written.players}:
        return
    against = sum(tally[seat].total() - tally[seat][whose[seat]] for seat in tally)
    if against * 4 > sum(tally[seat].total() for seat in moved):
        return
    around = {(whose[seat] - seat) % table.count for seat in whose}
    if len(moved) != 2 and len(around) != 1:
        return
    recorded = {seat: written.recorded.get(written.seat(whose[seat])) for seat in moved}
    if any(cards is None for cards in recorded.values()):
        return
    names = [written.seat(seat) for seat in moved]
    found = [written.seat(whose[seat]) for seat in moved]
    act = ACTS["hands" if len(moved) == 2 else "turned"]
    yield Slip(
        act,
        (Mark(f"/hands/{names[0]}", None, {"owners": names, "found": found}),),
        f"the hands of {' and '.join(names)} exchanged"
        if len(names) == 2
        else f"the hands of {' '.join(names)} stand under {' '.join(found)}",
        hands=written.with_hands({seat: list(cards or ()) for seat, cards in recorded.items()}),
        others=((ACTS["turned"], "all rows are written from another seat"),)
        if len(around) == 1 and len(moved) == table.count
        else (),
    )


def slid(written: WrittenDeal) -> Iterator[Slip]:
    """Rows whose cards belong to other seats than those they are written under, all of them together."""
    strayed = {each.row for each in written.plays if written.owners.get(each.card, [each.seat])[0] != each.seat}
    off = {row: owners for row in sorted(strayed) if (owners := _owners(written, written.rows[row]))}
    if off:
        marks = tuple(_mark(written, row, owners) for row, owners in off.items())
        yield Slip(ACTS["rows"], marks, _words(marks), events=_righted(written, off))


def _words(marks: Sequence[Mark]) -> str:
    tricks = [str(mark.trick) for mark in marks]
    shown = ", ".join(tricks[:4]) + (f" and {len(tricks) - 4} more" if len(tricks) > 4 else "")
    return f"the cards of trick {shown} written in other columns"


def _owners(written: WrittenDeal, cards: Sequence[WrittenPlay]) -> list[int] | None:
    """Whose the cards of a row are, if they stand under other seats, by the hands; else None.

    A card of a seat that no hand is recorded of is taken as that seat's. Cards that are not known go with the others if these
    stand off by one number of columns. Two cards in each other's place, or one that does not fit, are no row that slid.
    """
    found: list[int | None] = []
    for each in cards:
        owners = written.owners.get(each.card, [])
        if each.seat < 0 or written.event(each).by is None or len(owners) > 1:
            return None
        unrecorded = each.card >= 0 and not owners and written.own[each.seat] is None
        found.append(owners[0] if owners else each.seat if unrecorded else None)
    known = [(each.seat, owner) for each, owner in zip(cards, found, strict=True) if owner is not None]
    off = [owner for seat, owner in known if owner != seat]
    columns = {(owner - seat) % written.table.count for seat, owner in known}
    if len({owner for _, owner in known}) < len(known) or not off:
        return None
    if len(known) == len(cards) and len(off) > min(2, len(cards) - 1):
        return [owner for owner in found if owner is not None]
    if len(columns) == 1 and len(known) == len(off) and all(_unseen(written, each) for each in cards if each.card < 0):
        return [(each.seat + min(columns)) % written.table.count for each in cards]
    return None


def _unseen(written: WrittenDeal, card: WrittenPlay) -> bool:
    return "?" in written.event(card).card


def _mark(written: WrittenDeal, row: int, owners: Sequence[int]) -> Mark:
    cards = written.rows[row]
    shown = ", ".join(f"{written.event(each).card} {written.seat(owner)}'s" for each, owner in zip(cards, owners, strict=True))
    shift = {(owner - each.seat) % written.table.count for each, owner in zip(cards, owners, strict=True)}
    facts = {"owners": shown, "columns": shift.pop() if len(shift) == 1 else None}
    return Mark(f"/events/{cards[0].place}", written.trick(cards[0]), facts)


def by_owners(written: WrittenDeal) -> Iterator[Slip]:
    """All rows whose cards stand under other seats than their owners', some columns on or backwards.

    In columns a row has no order; where nothing tells who led first, it may have been anybody.
    """
    off = dict[int, list[int]]()
    for row, cards in enumerate(written.rows):
        seats, found = [each.seat for each in cards], [written.owners.get(each.card, []) for each in cards]
        owners = [each[0] for each in found if len(each) == 1]
        turns = [seats[by:] + seats[:by] for by in range(1, len(seats))]
        if len(owners) == len(seats) and owners != seats and owners in (*turns, seats[::-1]):
            off[row] = owners
    known = first_leader(written.table)
    lead = written.rows[0][0].seat if off and 0 not in off else -1
    first = (lead,) if lead >= 0 else written.players if off else ()
    for leader in () if not off else first if known is None else (known,):
        marks = tuple(_mark(written, row, owners) for row, owners in off.items())
        yield Slip(ACTS["rows"], marks, _words(marks), events=_righted(written, off, leader))


def _righted(written: WrittenDeal, off: dict[int, list[int]], leader: int | None = None) -> Events:
    """The events with these rows' cards given to their owners, in turn, and the rows that followed from them put in order."""
    table, events = written.table, written.events()
    before = None  # who won the row before as it is written; the leader is who leads in truth
    leader = first_leader(table) if leader is None else leader
    for row, cards in enumerate(written.rows):
        owners = off.get(row) or [each.seat for each in cards]
        truth: list[Owned] = list(zip(cards, owners, strict=True))
        follows = cards[0].seat == before and leader not in (None, before)
        if leader is not None and (row in off or follows):
            truth = in_turn(table, truth, leader, row + 1)
        _put(events, cards, truth, written)
        if (row in off or follows) and row + 1 == len(written.rows):  # what was not seen in the last row may be no card
            gone = {each.place for each in cards if each.card < 0}
            events = [spot for spot in events if spot[0] not in gone]
        before = _winner(written, cards, row + 1)
        leader = winner(table, truth, row + 1)
    return events


def first_leader(table: Table) -> int | None:
    """Who leads to the first trick by the rules, or as recorded."""
    phase: Any = table.game.phase_of["play"]
    leader: int | None = phase.leader(table)
    return table.place_of.get(table.deal.leader) if leader is None and table.deal.leader else leader


def in_turn(table: Table, cards: Sequence[Owned], leader: int, trick: int) -> list[Owned]:
    """The cards of a row in the order in which they fell if a seat led; those of seats that have no turn come last."""
    phase: Any = table.game.phase_of["play"]
    turns: list[int] = phase.turns(table, leader, trick)
    return sorted(cards, key=lambda owned: turns.index(owned[1]) if owned[1] in turns else len(turns))


def winner(table: Table, cards: Sequence[Owned], trick: int) -> int | None:
    """Who won a row of cards in this order; None if a card is missing or unknown, or whose the one that wins was."""
    order = table.order(trick, done=True)
    if order is None or len(cards) < len(table.seats) or any(each.card < 0 for each, _ in cards):
        return None
    won = cards[order.winner([each.card for each, _ in cards])][1]
    return won if won >= 0 else None


def _put(events: Events, cards: Sequence[WrittenPlay], truth: Sequence[Owned], written: WrittenDeal) -> None:
    """Put the cards of a row where the row stands, in their order; the typed number stays at its head."""
    number = written.event(cards[0]).trick
    for place, (spot, (each, owner)) in enumerate(zip(cards, truth, strict=True)):
        if each is spot and owner == each.seat:
            continue
        changes = {"by": written.seat(owner), "trick": None if place else number}
        events[spot.place] = (each.place, written.event(each).model_copy(update=changes))


def out_of_order(written: WrittenDeal) -> Iterator[Slip]:
    """A row whose cards stand in another order than they were played in, or, where no hand says whose they are, slid."""
    table = written.table
    for finding in written.findings:
        if finding.code not in ("PLY003", "PLY004", "TRK003") or finding.trick is None:
            continue
        cards = written.row_of.get(finding.trick, [])
        seats = [each.seat for each in cards]
        leader = first_leader(table) if finding.trick == 1 else written.won.get(finding.trick - 1)
        if leader is None or len(cards) != len(table.seats) or len({*seats}) < len(seats) or -1 in seats:
            continue
        name = f"the cards of trick {finding.trick}"
        truth = in_turn(table, [(each, each.seat) for each in cards], leader, finding.trick)
        after = written.row_of.get(finding.trick + 1)
        won = winner(table, truth, finding.trick)
        if [each for each, _ in truth] != cards and (after is None or won in (None, after[0].seat)):
            events = written.events()
            _put(events, cards, truth, written)
            facts = {"one": name, "other": "their order of play"}
            mark = Mark(f"/events/{cards[0].place}", finding.trick, facts)
            yield Slip(ACTS["transposed"], (mark,), f"{name} written in another order", events=events)


def led_by_another(written: WrittenDeal) -> Iterator[Slip]:
    """Where no hand says whose the cards are: rows that begin with another seat than the one that had the lead, each slid."""
    table = written.table
    if any(written.own) or not any(finding.code in ("PLY003", "PLY004") for finding in written.findings):
        return
    off, leader = dict[int, list[int]](), first_leader(table)
    for row, cards in enumerate(written.rows):
        seats = [each.seat for each in cards]
        truth: list[Owned] = list(zip(cards, seats, strict=True))
        if (
            leader is not None
            and seats[0] not in (-1, leader)
            and [seat for _, seat in in_turn(table, truth, seats[0], row + 1)] == seats
        ):
            off[row] = [owner for _, owner in in_turn(table, truth, leader, row + 1)]
            truth = list(zip(cards, off[row], strict=True))
        leader = winner(table, truth, row + 1)
    if off:
        events = written.events()
        for row, owners in off.items():
            _put(events, written.rows[row], list(zip(written.rows[row], owners, strict=True)), written)
        marks = tuple(_mark(written, row, owners) for row, owners in off.items())
        yield Slip(ACTS["rows"], marks, _words(marks), events=events)


def reversed_unseen(written: WrittenDeal) -> Iterator[Slip]:
    """A row in reverse under its seats, where no hand says so: then leads are in turn, and suits are followed."""
    for row in [] if any(written.own) else sorted(faulty(written)):
        cards = written.rows[row]
        other = [each._replace(card=instead.card) for each, instead in zip(cards, reversed(cards), strict=True)]
        if fits(written, {row: other}):
            changed = {each.place: {"card": written.name(each.card)} for each in other}
            mark = _mark(written, row, [each.seat for each in reversed(cards)])
            yield Slip(ACTS["rows"], (mark,), _words([mark]), changed=changed)


def led(written: WrittenDeal) -> Iterator[Slip]:
    """Where no hand says whose the cards are: all rows under other names, each led by whoever won the one before."""
    table, names = written.table, [[each.seat for each in cards] for cards in written.rows]
    if any(written.own) or any(-1 in seats or len({*seats}) < len(table.seats) for seats in names):
        return
    known = first_leader(table)
    for first in written.players if known is None else (known,):
        leader: int | None = first
        events, off = written.events(), dict[int, list[int]]()
        for row, cards in enumerate(written.rows):
            turned = [(cards[0], seat) for seat in names[row]]
            owners = names[row] if leader is None else [seat for _, seat in in_turn(table, turned, leader, row + 1)]
            truth: list[Owned] = list(zip(cards, owners, strict=True))
            if owners != names[row]:
                off[row] = owners
                _put(events, cards, truth, written)
            leader = winner(table, truth, row + 1)
        if off:
            marks = tuple(_mark(written, row, owners) for row, owners in off.items())
            yield Slip(ACTS["rows"], marks, _words(marks), events=events)


def exchanged(written: WrittenDeal) -> Iterator[Slip]:
    """Two rows in each other's place: then each trick is led by the winner of the one before, and suits are followed."""
    rows, wrong = written.rows, faulty(written)
    if written.foreign or not wrong or first_leader(written.table) is None:
        return
    leads = _led_out_of_turn(written)
    for first, other in combinations(range(len(rows)), 2):
        if not leads <= {first, first + 1, other, other + 1} or not (leads or {first, other} & wrong):
            continue
        if len(rows[first]) != len(rows[other]) or not fits(written, {first: rows[other], other: rows[first]}):
            continue
        events = written.events()
        for place, row in ((first, other), (other, first)):
            number = written.event(rows[place][0]).trick
            for spot, each in zip(rows[place], rows[row], strict=True):
                event = written.event(each).model_copy(update={"trick": number if each is rows[row][0] else None})
                events[spot.place] = (each.place, event)
        facts = {"one": f"the cards of trick {first + 1}", "other": f"those of trick {other + 1}"}
        mark = Mark(f"/events/{rows[first][0].place}", first + 1, facts)
        yield Slip(ACTS["rows-exchanged"], (mark,), f"tricks {first + 1} and {other + 1} exchanged", events=events)


def _led_out_of_turn(written: WrittenDeal) -> set[int]:
    """The rows that are not led by the winner of the one before."""
    return {row for row, cards in enumerate(written.rows) if _leader(written, row) not in (None, cards[0].seat)}


def faulty(written: WrittenDeal) -> set[int]:
    """The rows with a wrong lead, a wrong winner, or a card that may not be played.

    None if one thing alone is found in them, or if there are more rows than tricks.
    """
    found = [f.trick for f in written.findings if f.code.startswith(("REV", "PLY004", "TRK001")) and f.trick]
    if len(found) < 2 or len(written.rows) > written.table.size:
        return set()
    return {trick - 1 for trick in found if trick <= len(written.rows)}


def fits(written: WrittenDeal, other: Mapping[int, Sequence[WrittenPlay]]) -> bool:
    """Whether rows, with others in their place, are each led by the winner of the one before, and whoever can follows suit.

    Where a seat plays other cards in them than are written, it held these from the first row on.
    """
    table, rows, last = written.table, written.rows, max(other)
    gone, come = ([(each.seat, each.card) for row in other for each in which[row]] for which in (rows, other))
    if min(min(play) for play in (*gone, *come)) < 0:
        return False
    first = min(other) if {*gone} == {*come} else 0
    leader, left = _leader(written, first), written.held[first][:]
    for seat, card in gone:
        left[seat] &= ~(1 << card)
    for seat, card in come:
        left[seat] |= 1 << card
    for row in range(first, last + 1):
        cards, order = other.get(row, rows[row]), table.order(row + 1, done=True)
        if order is None or leader not in (None, cards[0].seat) or any(min(each.seat, each.card) < 0 for each in cards):
            return False
        led = order.suit[cards[0].card]
        for each in cards:
            if left[each.seat] & led and not led >> each.card & 1:
                return False
            left[each.seat] &= ~(1 << each.card)
        leader = _winner(written, cards, row + 1)
    return last + 1 == len(rows) or leader in (None, rows[last + 1][0].seat)


def misnamed(written: WrittenDeal) -> Iterator[Slip]:
    """A card under the name of a seat that plays another to the same trick, instead of the seat whose turn it was."""
    table = written.table
    for cards in written.rows:
        seats = [each.seat for each in cards]
        absent = [seat for seat in range(len(table.seats)) if seat not in seats]
        if len(cards) != len(table.seats) or len(absent) != 1 or -1 in seats:
            continue
        due = absent[0]
        for spot, each in enumerate(cards):
            if seats.count(each.seat) != 2 or not written.holds(due, each.card):
                continue
            right = [*seats[:spot], due, *seats[spot + 1 :]]
            turns = table.clockwise(right[0])
            if right != turns or (each.card in written.owners and due not in written.owners[each.card]):
                continue
            owner, card = written.seat(due), written.event(each).card
            facts = {"card": card, "found": written.seat(each.seat), "owner": owner}
            mark = Mark(f"/events/{each.place}/by", written.trick(each), facts)
            words = f"{written.seat(each.seat)} for {owner} at {card}"
            yield Slip(ACTS["name"], (mark,), words, changed={each.place: {"by": owner}})


def short(written: WrittenDeal) -> Iterator[Slip]:
    """A typed row that lacks a card amid it, so that the cards after it stand under the seats before their own."""
    table = written.table
    for cards in written.rows:
        owners = [seats[0] if len(seats := written.owners.get(each.card, [])) == 1 else -1 for each in cards]
        if len(cards) != len(table.seats) - 1 or -1 in owners or owners == [each.seat for each in cards]:
            continue
        lacking = [seat for seat in range(len(table.seats)) if seat not in owners]
        turns = table.clockwise(lacking[0] if cards[0].seat == lacking[0] else owners[0])
        if len(lacking) != 1 or [seat for seat in turns if seat != lacking[0]] != owners:
            continue
        gone, spot = lacking[0], turns.index(lacking[0])
        own = written.own[gone] or 0
        played = sum(1 << each.card for each in written.plays if each.seat == gone and each not in cards and each.card >= 0)
        left = own & ~played
        card = written.name(left.bit_length() - 1) if left.bit_count() == 1 else UNKNOWN
        events = written.events()
        number = written.event(cards[0]).trick  # which stands at the head of the row
        for place, (each, owner) in enumerate(zip(cards, owners, strict=True)):
            changes = {"by": written.seat(owner), "trick": None if place or not spot else number}
            events[each.place] = (each.place, written.event(each).model_copy(update=changes))
        at = cards[spot].place if spot < len(cards) else cards[-1].place + 1
        left_out = Play(by=written.seat(gone), card=card).model_copy(update={"trick": None if spot else number})
        events.insert(at, (None, left_out))
        trick = written.trick(cards[0])
        mark = Mark(f"/events/{cards[0].place}", trick, {"owner": written.seat(gone), "card": card})
        yield Slip(ACTS["play-lost"], (mark,), f"{written.seat(gone)}'s card to trick {trick} left out", events=events)


def lost_row(written: WrittenDeal) -> Iterator[Slip]:
    """A whole row that is not written down, where the hands say which card of each seat is left over."""
    table, seats = written.table, range(len(written.table.seats))
    left = [written.unplayed(seat) for seat in seats]
    lacks = [table.quota[seat] - written.counts[seat] for seat in seats]
    if {*lacks} != {1} or any(mask.bit_count() != 1 for mask in left) or not any(f.code == "PLY005" for f in written.findings):
        return
    cards = {seat: written.name(left[seat].bit_length() - 1) for seat in seats}
    gaps = [f.trick for f in written.findings if f.code == "PLY005" and f.trick and f.seat is None and "/events/" in f.pointer]
    wrong = sorted({f.trick - 1 for f in written.findings if f.trick is not None and f.code != "PLY005"})
    places = [*wrong[:2], len(written.rows)]
    if len(written.rows) < table.size and not gaps:
        places = [*_where_it_fits(written, left, min(places)), *places]
    for row in [gaps[0] - 1] if gaps else dict.fromkeys(places):
        turns = _turns(written, row)
        plays = [Play(by=written.seat(seat), card=cards[seat]) for seat in turns]
        if not turns:
            continue
        place = written.rows[row][0].place if row < len(written.rows) else len(written.deal.events)
        events: Events = [*written.events()[:place], *((None, play) for play in plays), *written.events()[place:]]
        shown = " ".join(play.card for play in plays)
        pointer = f"/events/{place}" if row < len(written.rows) else ""
        mark = Mark(pointer, row + 1, {"owner": "everybody", "card": shown})
        yield Slip(ACTS["play-lost"], (mark,), f"trick {row + 1} left out", events=events)


def _where_it_fits(written: WrittenDeal, left: Sequence[int], last: int) -> Iterator[int]:
    """Before which rows, the last first, the cards left over can have been: all leads are in turn then.

    Not after the first row in which something is wrong, as it is if a card that is still to be played does not follow suit.
    """
    table, rows, leads = written.table, written.rows, _led_out_of_turn(written)
    for row in range(last, -1, -1):
        cards = [(WrittenPlay(-1, seat, left[seat].bit_length() - 1, row), seat) for seat in _turns(written, row)]
        if cards and leads <= {row} and (row == len(rows) or winner(table, cards, row + 1) == rows[row][0].seat):
            yield row


def _turns(written: WrittenDeal, row: int) -> list[int]:
    """The seats in turn in a row, led by the winner of the one before; none if nobody knows who that is."""
    leader = _leader(written, row) if row <= len(written.rows) else None
    phase: Any = written.table.game.phase_of["play"]
    return [] if leader is None else [*phase.turns(written.table, leader, row + 1)]


def _leader(written: WrittenDeal, row: int) -> int | None:
    """Who leads a row by the rules, as those before it are written."""
    return _winner(written, written.rows[row - 1], row) if row else first_leader(written.table)


def _winner(written: WrittenDeal, cards: Sequence[WrittenPlay], trick: int) -> int | None:
    """Who won a row, each card by the seat that it is written under."""
    return winner(written.table, [(each, each.seat) for each in cards], trick)
