"""Slips of single plays: two in each other's place, one miswritten, one left out, one written twice.

What can be read off is set arithmetic. A seat that plays a card it does not hold has a card left at the end that it must have
played; a card that is played twice was played once; two seats that each play a card of the other's have changed places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, combinations
from typing import Any, NamedTuple

from handrec.cards import bits
from handrec.explanations.acts import ACTS, Act, misread
from handrec.explanations.rows import faulty, first_leader, fits, winner
from handrec.explanations.written import FEW, Events, Mark, Slip, WrittenDeal, WrittenPlay
from handrec.record import Play


def exchanged(written: WrittenDeal) -> Iterator[Slip]:
    """Two plays, each of a card of the other's seat."""
    often = Counter(each.row for each in written.foreign)
    few = [each for each in written.foreign if often[each.row] < 3]  # else the row slid, or is in another order
    for one, other in combinations(few[:12], 2):
        if one.seat == other.seat or min(one.card, other.card) < 0:
            continue
        if any(_missed(written, each, 1 << one.card | 1 << other.card) for each in (one, other)):
            continue
        if not (written.holds(one.seat, other.card) and written.holds(other.seat, one.card)):
            continue
        near = one.row == other.row
        a, b = written.name(one.card), written.name(other.card)
        changed = {one.place: {"card": b}, other.place: {"card": a}}
        facts = {"one": f"{a} (trick {written.trick(one)})", "other": f"{b} (trick {written.trick(other)})"}
        hands = f"{a} and {b} stand in each other's hand"
        yield Slip(
            ACTS["plays-in-row" if near else "plays-across"],
            (Mark(f"/events/{other.place}/card", written.trick(other), facts),),
            f"{a} and {b} exchanged",
            changed=changed,
            others=((ACTS["hand-cards"], hands),),
        )


def exchanged_unseen(written: WrittenDeal) -> Iterator[Slip]:
    """Two cards of a row in each other's place, where no hand says so: then leads are in turn, and suits are followed."""
    rows = [] if any(written.own) else [written.rows[row] for row in sorted(faulty(written))]
    for one, other in chain.from_iterable(combinations(cards, 2) for cards in rows):
        swapped = {one: one._replace(card=other.card), other: other._replace(card=one.card)}
        if fits(written, {one.row: [swapped.get(each, each) for each in written.rows[one.row]]}):
            yield _exchange(written, one, other, "plays-in-row")


def own_exchanged(written: WrittenDeal) -> Iterator[Slip]:
    """Two cards of one seat in each other's row: then another led, or won, or followed suit, than seems so."""
    rows, suspects = written.rows, [*_suspects(written)]
    pairs = {(min(one, other), max(one, other)): None for one in suspects for other in written.plays if other.seat == one.seat}
    for one, other in pairs:
        if one.row == other.row or min(one.card, other.card) < 0:
            continue
        swapped = {one: one._replace(card=other.card), other: other._replace(card=one.card)}
        if not fits(written, {row: [swapped.get(each, each) for each in rows[row]] for row in (one.row, other.row)}):
            continue
        yield _exchange(written, one, other, "plays-across")


def _exchange(written: WrittenDeal, one: WrittenPlay, other: WrittenPlay, act: str) -> Slip:
    """Two plays in each other's place, told at the first."""
    a, b = written.name(one.card), written.name(other.card)
    facts = {"one": f"{a} (trick {written.trick(one)})", "other": f"{b} (trick {written.trick(other)})"}
    mark = Mark(f"/events/{one.place}/card", written.trick(one), facts)
    return Slip(ACTS[act], (mark,), f"{a} and {b} exchanged", changed={one.place: {"card": b}, other.place: {"card": a}})


def _suspects(written: WrittenDeal) -> Iterator[WrittenPlay]:
    """In rows of which more than one thing is found: what led, what seems to win, and the cards that may not be played."""
    forbidden = {finding.event_index for finding in written.findings if finding.code.startswith("REV")}
    for row in sorted(faulty(written)):
        for each in written.rows[row]:
            wins = each.seat == written.won.get(row + 1)
            if each.seat >= 0 and (wins or each.place in forbidden or each is written.rows[row][0]):
                yield each


def miswritten(written: WrittenDeal) -> Iterator[Slip]:
    """A card that its seat cannot have played, or that is played twice: another is meant."""
    for spot, meant in _doubtful(written):
        cards = [card for card in bits(meant & ~written.all_played) if written.holds(spot.seat, card)]
        token = written.event(spot).card
        cards.sort(key=lambda card: (misread(token, written.name(card)).cost, card))
        slips = [_instead(written, spot, token, written.name(card)) for card in cards[:FEW]]
        for slip, card in zip(slips, cards, strict=False):
            alike = [(other.act, other.words) for other in slips if other is not slip and other.act.cost <= slip.act.cost]
            alike += _in_hands(written, spot)
            others = (each for each in written.times.get(spot.card, ()) if each.place != spot.place)
            again = (each for each in others if written.holds(each.seat, card))
            twins = (_instead(written, each, token, written.name(card), f" in trick {written.trick(each)}") for each in again)
            yield slip.told_with(alike)._replace(twin=next(twins, None))


def _in_hands(written: WrittenDeal, spot: WrittenPlay) -> list[tuple[Act, str]]:
    """The hands that may be wrong instead: nobody is known to have had the card, or its holder on record may still play it."""
    if spot not in written.foreign or spot.card in written.times or spot.card < 0:
        return []
    card, owner = written.name(spot.card), written.seat(spot.seat)
    if spot.card not in written.owners:
        return [] if card in written.aside else [(ACTS["hand-card"], f"{card} left out of {owner}'s hand")]
    cut = written.counts[spot.seat] < written.table.quota[spot.seat]
    return [(ACTS["hand-cards"], f"{card} written in another hand than {owner}'s")] if cut else []


def _doubtful(written: WrittenDeal) -> Iterator[tuple[WrittenPlay, int]]:
    """Plays whose card may be miswritten, with the cards that may be meant."""
    plays = {each.place: each for each in written.plays}
    often = Counter(each.seat for each in written.foreign if not _crossed(written, each))
    for each in written.foreign:
        if often[each.seat] > 2 or _missed(
            written, each, written.unplayed(each.seat) | 1 << max(each.card, 0)
        ):  # then it is rather the hand that is wrong
            continue
        holders = [seat for seat in written.owners.get(each.card, []) if written.counts[seat] >= written.table.quota[seat]]
        if not holders or each.card in written.times:  # else its holder played out without it: the two changed places
            yield each, written.unplayed(each.seat)
    for spots in written.times.values():
        for each in spots:
            if each.seat >= 0 and each not in written.foreign:
                known = written.own[each.seat] is not None
                yield each, written.unplayed(each.seat) if known else written.nowhere
    for each in written.plays:
        if each.card < 0 and each.seat >= 0:
            token = written.event(each).card
            if "?" not in token:  # a card that is none of the pack
                known = written.own[each.seat] is not None
                left, likely = written.unplayed(each.seat) if known else written.nowhere, written.table.pack.suggest(token)
                yield each, left & written.table.pack.mask([likely]) or left if likely else left
    for finding in written.findings:  # three who did not follow: rather is the card led another
        if finding.code.startswith("REV") and finding.trick is not None:
            again = [other for other in written.findings if other.code.startswith("REV") and other.trick == finding.trick]
            if len(again) > 1 and finding is again[0]:
                row = plays[finding.event_index or 0].row
                lead = written.rows[row][0]
                known = lead.seat >= 0 and written.own[lead.seat] is not None
                yield lead, _followed(written, row, written.unplayed(lead.seat) if known else written.nowhere)


def _crossed(written: WrittenDeal, one: WrittenPlay) -> bool:
    """Whether another seat shows this seat's card in the row where this one shows the other's."""
    return any(
        other.row == one.row
        and other.seat != one.seat
        and written.holds(one.seat, other.card)
        and written.holds(other.seat, one.card)
        for other in written.foreign
    )


def _followed(written: WrittenDeal, row: int, meant: int) -> int:
    """Those of the cards that are of the suit which most others of a row show."""
    shown = [written.name(each.card)[1] for each in written.rows[row][1:] if each.card >= 0]
    suit = max(shown, key=shown.count, default="")
    return sum(1 << card for card in bits(meant) if written.name(card)[1] == suit)


def _missed(written: WrittenDeal, each: WrittenPlay, cards: int) -> bool:
    """Whether a seat revokes elsewhere for not playing some of these cards, and no other: then a hand is wrong."""
    seats = {written.seat(seat) for seat in (*written.owners.get(each.card, ()), each.seat)}
    names = {written.name(card) for card in bits(cards)}
    revokes = [finding for finding in written.findings if finding.code.startswith("REV") and finding.seat in seats]
    return any({*finding.facts.get("could", ())} <= names for finding in revokes)


def _instead(written: WrittenDeal, spot: WrittenPlay, token: str, due: str, where: str = "") -> Slip:
    facts: dict[str, Any] = {"found": token, "due": due}
    other = next((each for each in reversed(written.times.get(spot.card, [])) if each.place != spot.place), None)
    if other is not None:
        facts["against"] = f"/deals/{written.table.index}/events/{other.place}"
    mark = Mark(f"/events/{spot.place}/card", written.trick(spot), facts)
    return Slip(misread(token, due), (mark,), f"{token} written for {due}{where}", changed={spot.place: {"card": due}})


def doubled(written: WrittenDeal) -> Iterator[Slip]:
    """A play written down twice, by a seat that plays one card too many."""
    fewest = min(written.counts[seat] for seat in written.players)
    for card, spots in written.times.items():
        for seat in {each.seat for each in spots}:
            again = [each for each in spots if each.seat == seat]
            if seat < 0 or len(again) < 2 or written.counts[seat] <= min(written.table.quota[seat], fewest):
                continue
            tricks = " and ".join(str(written.trick(each)) for each in again)
            facts = {"owner": written.seat(seat), "card": written.name(card), "tricks": tricks}
            for each in (again[-1], again[0]):
                events: Events = [(place, event) for place, event in written.events() if place != each.place]
                _head(written, events, each)
                mark = Mark(f"/events/{each.place}", written.trick(each), facts)
                yield Slip(ACTS["play-doubled"], (mark,), f"{written.name(card)} written twice", events=events)


def _head(written: WrittenDeal, events: Events, gone: WrittenPlay) -> None:
    """Where the head of a typed row is taken out, the next card of the row takes its number."""
    number = written.event(gone).trick
    rest = [each for each in written.rows[gone.row] if each is not gone]
    if number is None or not rest:
        return
    for spot, (place, event) in enumerate(events):
        if place == rest[0].place:
            events[spot] = (place, event.model_copy(update={"trick": number}))


def lost(written: WrittenDeal) -> Iterator[Slip]:
    """A play that is not written down, by a seat that plays one card fewer than others: where its turn is passed over."""
    if written.table.unnamed and len(written.plays) < sum(written.table.quota):
        written = _by_hands(written)
    table, most = written.table, max(written.counts)
    if not any(finding.code.startswith("PLY00") and finding.code > "PLY002" for finding in written.findings):
        return  # nobody's turn is passed over
    for seat in written.players:
        left, gaps = [*bits(written.unplayed(seat))], [*_gaps(written, seat)]
        whole = len(left) == 1 and written.counts[seat] == table.quota[seat] - 1
        for gap in gaps if left and (whole or written.counts[seat] < most) else []:
            if whole or gap.next is not None:
                yield from _fitting(written, gap, seat, left)
        if whole and not gaps:
            for finding in written.findings:
                if finding.code == "PLY005" and finding.seat == written.seat(seat) and finding.trick is not None:
                    yield _put_in(written, seat, left, finding.trick, _after(written, finding.trick, seat))


def _by_hands(written: WrittenDeal) -> WrittenDeal:
    """The deal with each play that has no name counted for the seat that holds its card: the turns are those of too few plays."""
    other = replace(written)
    for spot, each in enumerate(other.plays):
        holders = written.owners.get(each.card, ())
        if written.event(each).by is None and len(holders) == 1:
            other.plays[spot] = each._replace(seat=holders[0])
    return other


def _fitting(written: WrittenDeal, gap: _Gap, seat: int, left: Sequence[int]) -> Iterator[Slip]:
    """Each of the likeliest cards that may have been left out, told with the others."""
    cards = [card for card in left if gap.next is None or _falls_to(written, gap, seat, card) in (gap.next, None)]
    suits = [written.name(each.card)[1] for each in (*gap.before, *gap.after) if each.card >= 0]
    cards.sort(key=lambda card: written.name(card)[1] not in suits[:1])
    for spot, card in enumerate(cards[:2]):
        yield _put_in(written, seat, [card, *cards[:spot], *cards[spot + 1 : FEW]], gap.trick, gap.place)


class _Gap(NamedTuple):
    """Where a seat's turn is passed over: the trick, what was played to it before, who plays after it, who leads next."""

    place: int
    trick: int
    before: Sequence[WrittenPlay]
    after: Sequence[WrittenPlay]
    next: int | None


def _gaps(written: WrittenDeal, seat: int) -> Iterator[_Gap]:
    """The first trick in which not a seat whose turn it is plays, but the one after it; none if turns are broken otherwise.

    A seat that won the trick without its last card, and led to the next, is passed over where it seems to have played.
    """
    table, plays, spot, leader = written.table, written.plays, 0, first_leader(written.table)
    phase: Any = table.game.phase_of["play"]
    before = list[WrittenPlay]()
    for trick in range(1, table.size + 1):
        if leader is None or leader < 0:
            return
        turns: list[int] = phase.turns(table, leader, trick)
        cards = plays[spot : spot + len(turns)]
        seats = [each.seat for each in cards]
        if seats != turns:
            if before and before[-1].seat == seat:
                yield _Gap(before[-1].place, trick - 1, before[:-1], (), seat)
            rest = [each for each in turns if each != seat]
            if seat in turns and seats[: len(rest)] == rest:
                at = turns.index(seat)
                place = cards[at].place if at < len(cards) else len(written.deal.events)
                leads = cards[len(rest)].seat if len(rest) < len(cards) else None
                yield _Gap(place, trick, cards[:at], cards[at : len(rest)], leads)
            return
        before, spot = cards, spot + len(turns)
        leader = winner(table, [(each, each.seat) for each in cards], trick)


def _falls_to(written: WrittenDeal, gap: _Gap, seat: int, card: int) -> int | None:
    """Who wins the trick with a card put in."""
    row = [*gap.before, WrittenPlay(-1, seat, card, -1), *gap.after]
    return winner(written.table, [(each, each.seat) for each in row], gap.trick)


def _put_in(written: WrittenDeal, seat: int, cards: Sequence[int], trick: int, place: int) -> Slip:
    """The first of some cards put in where it was left out, told with the others."""
    card, *others = map(written.name, cards)
    event = Play(by=written.seat(seat), card=card)
    events: Events = [*written.events()[:place], (None, event), *written.events()[place:]]
    facts = {"owner": written.seat(seat), "card": card}
    row = [each.place for each in written.row_of.get(trick, ())]  # the line in which it is missing, if any of it is written
    beside = place - 1 if place - 1 in row else place
    mark = Mark(f"/events/{beside}" if beside < len(written.deal.events) else "", trick, facts)
    act = ACTS["play-lost"]
    return Slip(act, (mark,), f"{card} left out", events=events).told_with((act, f"{other} left out") for other in others)


def _after(written: WrittenDeal, trick: int, seat: int) -> int:
    """Where among the events a seat's card to a trick belongs: after those of the trick that were played before it."""
    played = next((each for each in written.table.tricks if each.number == trick), None)
    names = [name for name, _ in played.plays] if played else []
    seats = [written.table.place_of[name] for name in names]
    if not seats:
        state = written.table.state
        seats = [each for each, _, _ in state.plays] if state is not None and state.number == trick else []
    lead = written.won.get(trick - 1, seats[0] if seats else seat)  # who won the trick before, whoever seems to lead this one
    turns = written.table.clockwise(lead) if seats and lead != seat else [seat]
    before = turns[: turns.index(seat)] if seat in turns else []
    index = written.table.pack.index
    cards = [index.get(card, -1) for name, card in (played.plays if played else ()) if written.table.place_of[name] in before]
    if not played and written.table.state is not None:
        cards = [card for each, _, card in written.table.state.plays if each in before]
    spots = [each.place for each in written.plays if each.card >= 0 and each.card in cards]
    if spots:
        return max(spots) + 1
    others = [index.get(card, -1) for _, card in (played.plays if played else ())]
    first = [each.place for each in written.plays if each.card >= 0 and each.card in others]
    return min(first) if first else len(written.deal.events)
