"""Slips of single plays: two in each other's place, one miswritten, one left out, one written twice.

What can be read off is set arithmetic. A seat that plays a card it does not hold has a card left at the end that it must have
played; a card that is played twice was played once; two seats that each play a card of the other's have changed places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from handrec.cards import bits
from handrec.explanations.acts import ACTS, misread
from handrec.explanations.written import Card, Events, Mark, Slip, Written
from handrec.record import Play

#: So many cards that may have been meant are tried in one place.
FEW = 6


def exchanged(written: Written) -> Iterator[Slip]:
    """Two plays, each of a card of the other's seat."""
    for one, other in combinations(written.foreign[:12], 2):
        if one.seat == other.seat or min(one.card, other.card) < 0:
            continue
        if not (written.holds(one.seat, other.card) and written.holds(other.seat, one.card)):
            continue
        near = one.row == other.row
        a, b = written.name(one.card), written.name(other.card)
        events = written.with_plays({one.place: {"card": b}, other.place: {"card": a}})
        facts = {"one": f"{a} (trick {written.trick(one)})", "other": f"{b} (trick {written.trick(other)})"}
        hands = f"{a} and {b} stand in each other's hand"
        yield Slip(
            ACTS["plays-in-row" if near else "plays-across"],
            (Mark(f"/events/{other.place}/card", written.trick(other), facts),),
            f"{a} and {b} exchanged",
            events=events,
            others=((ACTS["hand-cards"], hands),),
        )


def miswritten(written: Written) -> Iterator[Slip]:
    """A card that its seat cannot have played, or that is played twice: another is meant."""
    for spot, meant in _doubtful(written):
        cards = [card for card in bits(meant & ~written.all_played) if written.holds(spot.seat, card)]
        token = written.event(spot).card
        cards.sort(key=lambda card: (misread(token, written.name(card)).cost, card))
        slips = [_instead(written, spot, token, written.name(card)) for card in cards[:FEW]]
        for place, slip in enumerate(slips):
            alike = [(other.act, other.words) for other in slips if other is not slip and other.act.cost <= slip.act.cost]
            yield slip.told_with(alike) if place < 2 else slip


def _doubtful(written: Written) -> Iterator[tuple[Card, int]]:
    """Plays whose card may be miswritten, with the cards that may be meant."""
    plays = {each.place: each for each in written.plays}
    often = Counter(each.seat for each in written.foreign)
    for each in written.foreign:
        if often[each.seat] > 2:  # then it is rather the hand that is wrong
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
        if each.card < 0 and each.seat >= 0 and each not in written.foreign:
            token = written.event(each).card
            if "?" not in token:  # a card that is none of the pack
                known = written.own[each.seat] is not None
                yield each, written.unplayed(each.seat) if known else written.nowhere
    for finding in written.findings:  # three who did not follow: rather is the card led another
        if finding.code.startswith("REV") and finding.trick is not None:
            again = [other for other in written.findings if other.code.startswith("REV") and other.trick == finding.trick]
            if len(again) > 1 and finding is again[0]:
                row = plays[int(finding.pointer.split("/")[4])].row
                lead = written.rows[row][0]
                known = lead.seat >= 0 and written.own[lead.seat] is not None
                yield lead, written.unplayed(lead.seat) if known else written.nowhere


def _instead(written: Written, spot: Card, token: str, due: str) -> Slip:
    mark = Mark(f"/events/{spot.place}/card", written.trick(spot), {"found": token, "due": due})
    return Slip(
        misread(token, due), (mark,), f"{token} written for {due}", events=written.with_plays({spot.place: {"card": due}})
    )


def doubled(written: Written) -> Iterator[Slip]:
    """A play written down twice, by a seat that plays one card too many."""
    for card, spots in written.times.items():
        for seat in {each.seat for each in spots}:
            again = [each for each in spots if each.seat == seat]
            if seat < 0 or len(again) < 2 or written.counts[seat] <= written.table.quota[seat]:
                continue
            tricks = " and ".join(str(written.trick(each)) for each in again)
            facts = {"owner": written.seat(seat), "card": written.name(card), "tricks": tricks}
            for each in (again[-1], again[0]):
                events: Events = [(place, event) for place, event in written.events() if place != each.place]
                _head(written, events, each)
                mark = Mark(f"/events/{each.place}", written.trick(each), facts)
                yield Slip(ACTS["play-doubled"], (mark,), f"{written.name(card)} written twice", events=events)


def _head(written: Written, events: Events, gone: Card) -> None:
    """Where the head of a typed row is taken out, the next card of the row takes its number."""
    number = written.event(gone).trick
    rest = [each for each in written.rows[gone.row] if each is not gone]
    if number is None or not rest:
        return
    for spot, (place, event) in enumerate(events):
        if place == rest[0].place:
            events[spot] = (place, event.model_copy(update={"trick": number}))


def lost(written: Written) -> Iterator[Slip]:
    """A play that is not written down, by a seat that has one card left; where the referee misses it, or anywhere before."""
    for finding in written.findings:
        seat = written.table.place_of.get(finding.seat or "", -1)
        if finding.code != "PLY005" or seat < 0 or finding.trick is None:
            continue
        left = [*bits(written.unplayed(seat))]
        if len(left) != 1 or written.counts[seat] != written.table.quota[seat] - 1:
            continue
        card = written.name(left[0])
        place = _after(written, finding.trick, seat)
        event = Play(by=written.seat(seat), card=card)
        events: Events = [*written.events()[:place], (None, event), *written.events()[place:]]
        last = finding.trick == written.table.size
        facts = {"owner": written.seat(seat), "card": card}
        where = finding.pointer.split("/", 3)[3:]
        mark = Mark(f"/{where[0]}" if where else "", finding.trick, facts)
        yield Slip(ACTS["last-row" if last else "play-lost"], (mark,), f"{card} left out", events=events)


def _after(written: Written, trick: int, seat: int) -> int:
    """Where among the events a seat's card to a trick belongs: after those of the trick that were played before it."""
    played = next((each for each in written.table.tricks if each.number == trick), None)
    names = [name for name, _ in played.plays] if played else []
    seats = [written.table.place_of[name] for name in names]
    if not seats:
        state = written.table.state
        seats = [each for each, _, _ in state.plays] if state is not None and state.number == trick else []
    turns = written.table.clockwise(seats[0]) if seats and seats[0] != seat else [seat]
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
