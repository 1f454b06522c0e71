"""Everything that a pen may have done to a deal: each slip of the table undone in every way, wherever it bears on a finding.

`sight` reads off the likely slips; a search must also know that there is no other. So nothing is weighed here: whatever act of
the table touches a place that a finding hangs on is undone, and whether that explains anything is for the referee to say.

What a finding hangs on is its *reach*. A card that its seat does not hold is wrong at its place or in a hand; a revoke hangs on
the card led, the card played, and wherever the cards stand that could have been played. A slip that touches nothing of all this
leaves the finding as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise, permutations, product
from typing import Any

from handrec.cards import is_known
from handrec.explanations import calls, rows
from handrec.explanations.acts import ACTS, misread
from handrec.explanations.hands import SUITS
from handrec.explanations.written import Events, Mark, Slip, WrittenDeal, WrittenPlay
from handrec.findings import Finding
from handrec.record import KINDS, Bid, Contract, Play, Turn

#: Acts that are done to whole rows, or undone by putting one in.
WHOLE_ROWS = ("rows", "rows-exchanged", "turned", "play-lost")

#: So many cards two hands differ by if one card of each, or one of either, was wrong.
SINGLE = 2


@dataclass(frozen=True)
class Reach:
    """What a finding hangs on: events by their places, rows, hands by their seats; whether also who began, and what is trump.

    Of hands it hangs on whether some `cards` lie in them, or, if these are None, on any.
    """

    events: frozenset[int] = frozenset()
    rows: frozenset[int] = frozenset()
    hands: frozenset[int] = frozenset()
    cards: frozenset[str] | None = frozenset()
    begun: bool = False
    trump: bool = False

    def __or__(self, other: Reach) -> Reach:
        """What either hangs on."""
        return Reach(
            self.events | other.events,
            self.rows | other.rows,
            self.hands | other.hands,
            None if self.cards is None or other.cards is None else self.cards | other.cards,
            self.begun or other.begun,
            self.trump or other.trump,
        )

    @property
    def size(self) -> int:
        """How much there is to look at, roughly in cards."""
        cards = 99 if self.cards is None else len(self.cards)
        return len(self.events) + len(self.rows) + len(self.hands) * cards

    def of(self, cards: list[str]) -> list[str]:
        """Those of some cards of which it matters where they lie."""
        return [card for card in cards if self.bears(card)]

    def bears(self, *cards: str | None) -> bool:
        """Whether it matters that some cards lie in another hand."""
        return self.cards is None or not self.cards.isdisjoint(cards)


def reach(written: WrittenDeal, finding: Finding) -> Reach:
    """What a finding hangs on."""
    place, code = finding.event_index, finding.code
    seats, everything = frozenset(written.players), frozenset(each.place for each in written.plays)
    own = seats if (seat := written.table.place_of.get(finding.seat or "")) is None else frozenset({seat})
    if code.startswith("DEA"):
        return Reach(_events_of(written, finding.facts.get("card"), place), hands=seats, cards=None, begun=True, trump=True)
    if code.startswith("BID") or code == "SCO004":
        said = frozenset(at for at, event in enumerate(written.deal.events) if type(event) is Bid)
        return Reach(said, hands=seats, cards=None if finding.level == "L3" else frozenset(), begun=True, trump=True)
    here = [each.row for each in written.plays if each.place == place] or [
        row for row, cards in enumerate(written.rows) if finding.trick is not None and written.trick(cards[0]) == finding.trick
    ]
    shown = _events_of(written, *finding.facts.get("could", ()), finding.facts.get("card"))
    here += [each.row for each in written.plays if each.place in shown]
    near = frozenset(row for each in here for row in (each - 1, each, each + 1) if 0 <= row < len(written.rows))
    if code in ("PLY005", "PLY006") or not here:
        every = frozenset(range(len(written.rows)))
        return Reach(everything | {len(written.deal.events)}, every, seats, frozenset(), begun=True)
    if code.startswith("REV"):
        could = frozenset(finding.facts.get("could", ()))
        row = frozenset(each.place for each in written.rows[here[0]])
        return Reach(row | _events_of(written, *could), near, own, could, trump=True)
    card = finding.facts.get("card")
    if code == "PLY002":
        return Reach(_events_of(written, card, place), near)
    if code == "PLY001":
        return Reach(_events_of(written, card, place), near, own, frozenset({card} if isinstance(card, str) else ()))
    return Reach(frozenset(each.place for row in near for each in written.rows[row]), near, begun=True, trump=True)


def _events_of(written: WrittenDeal, *wanted: Any) -> frozenset[int]:
    """The places of events that show these cards, and places themselves."""
    cards = {card for card in wanted if isinstance(card, str)}
    places = {place for place in wanted if isinstance(place, int)}
    return frozenset(places | {place for place, event in enumerate(written.deal.events) if getattr(event, "card", None) in cards})


def touches(written: WrittenDeal, slip: Slip, where: Reach) -> bool:
    """Whether a slip may touch what something hangs on; False if it surely leaves that as it is."""
    if slip.fields is not None:
        return where.begun
    if slip.aside is not None:
        return where.cards is None
    if slip.hands is not None:
        changed = dict[int, set[str]]()
        for name, cards in slip.hands.items():
            if (before := written.recorded.get(name)) is not cards:
                changed[written.table.place_of[name]] = {*cards} ^ {*(before or ())}
        moved = set[str]().union(*changed.values())
        return not where.hands.isdisjoint(changed) and (len(moved) > SINGLE or where.bears(*moved))
    places = {*(slip.changed or _places(written, slip.events or []))}
    if any(place < len(written.deal.events) and not _is_play(written, place) for place in places):
        return True
    changed_rows = {each.row for each in written.plays if each.place in places}
    if not places or len(changed_rows) > 2:
        return True
    if slip.act.key in WHOLE_ROWS and not changed_rows.isdisjoint(where.rows):
        return True
    if slip.changed is None:  # in another order: every card of the rows
        places |= {each.place for each in written.plays if each.row in changed_rows}
    return not places.isdisjoint(where.events)


def _places(written: WrittenDeal, events: Events) -> Iterator[int]:
    """The places at which other events stand than are written, or at which one is put in, or before which."""
    stand = [place for place, _ in events if place is not None]
    for spot, (place, event) in enumerate(events):
        if place is None:
            near = [events[other][0] for other in (spot - 1, spot + 1) if 0 <= other < len(events)]
            yield from (place for place in near if place is not None)
        elif event is not written.deal.events[place]:
            yield place
    yield from (place for place, other in zip(stand, sorted(stand), strict=True) if place != other)
    if len(stand) < len(written.deal.events):
        yield from {*range(len(written.deal.events))} - {*stand}


def slips(written: WrittenDeal, where: Reach) -> list[Slip]:
    """Every slip that touches what something hangs on; a deal that comes of several is told once for each.

    Those of which there are few come first: whole rows, suits and hands before single cards.
    """
    return [slip for some in sorted(([*way(written, where)] for way in WAYS), key=len) for slip in some]


# --- cards ----------------------------------------------------------------------------------------------------------


def miswritten(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A card played is written for another."""
    for each in _plays(written, where):
        token = written.event(each).card
        for due in written.table.pack.cards if is_known(token) else ():
            if due != token:
                mark = Mark(f"/events/{each.place}/card", written.trick(each), {"found": token, "due": due})
                changed = {each.place: {"card": due}}
                yield Slip(misread(token, due), (mark,), f"{token} written for {due}", changed=changed)


def misnamed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """The name at a card is another seat's."""
    for each in _plays(written, where):
        event = written.event(each)
        for seat in written.table.seats if event.by is not None else ():
            if seat != event.by:
                facts = {"card": event.card, "found": event.by, "owner": seat}
                mark = Mark(f"/events/{each.place}/by", written.trick(each), facts)
                words = f"{event.by} for {seat} at {event.card}"
                yield Slip(ACTS["name"], (mark,), words, changed={each.place: {"by": seat}})


def exchanged(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Two cards played stand in each other's place."""
    mine = {each.place for each in _plays(written, where)}
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
    mine = {each.place for each in _plays(written, where)}
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
        events[spot.place] = each.place, _numbered(written.event(each), written.event(spot).trick)
    token, row = written.event(moved).card, " ".join(written.event(each).card for each in order)
    facts = {"one": f"{token} (trick {written.trick(moved)})", "other": f"another card of {row}"}
    mark = Mark(f"/events/{moved.place}", written.trick(moved), facts)
    return Slip(ACTS["transposed"], (mark,), f"{token} written before or after its turn: {row}", events=events)


def _exchange(events: Events, one: int, other: int) -> None:
    """Two plays in each other's place; the typed number stays at the head of the row."""
    (first, a), (second, b) = events[one], events[other]
    events[one] = second, _numbered(b, a.trick)
    events[other] = first, _numbered(a, b.trick)


def _numbered(event: Play, trick: int | None) -> Play:
    """A play with this typed number."""
    return event if event.trick == trick else event.model_copy(update={"trick": trick})


def lost(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A play is not written down."""
    table = written.table
    for place in sorted({*where.events, *(each + 1 for each in where.events)}):
        before = [each for each in written.plays if each.place < place]
        if place > len(written.deal.events) or (place < len(written.deal.events) and not before and not _is_play(written, place)):
            continue
        for seat in range(len(table.seats)):
            for card in _free(written, seat):
                yield _put_in(written, place, table.seats[seat], card, len(before))


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
            for card in _free(written, named[spot]):
                slip = _put_in(written, place, written.seat(named[spot]), card, before)
                moved = [(at, each.model_copy(update=later[at]) if at in later else each) for at, each in slip.events or ()]
                yield slip._replace(events=moved)


def left_out(written: WrittenDeal) -> Iterator[Slip]:
    """The cards that may stand where the referee says that one is missing."""
    for finding in written.findings:
        seat, place = written.table.place_of.get(finding.seat or ""), finding.event_index
        for each in () if finding.code != "PLY005" else range(len(written.table.seats)) if seat is None else (seat,):
            at = len(written.deal.events) if place is None else place
            before = sum(play.place < at for play in written.plays)
            yield from (_put_in(written, at, written.seat(each), card, before) for card in _free(written, each))


def _free(written: WrittenDeal, seat: int) -> list[str]:
    """The cards that a seat may have played without a word of it: of its hand, or of nobody's, and not played elsewhere."""
    left = written.nowhere if written.own[seat] is None else written.unplayed(seat) & ~written.all_played
    return [written.name(card) for card in range(len(written.table.pack)) if left >> card & 1]


def _is_play(written: WrittenDeal, place: int) -> bool:
    return type(written.deal.events[place]) is Play


def _put_in(written: WrittenDeal, place: int, seat: str, card: str, before: int) -> Slip:
    events: Events = [*written.events()[:place], (None, Play(by=seat, card=card)), *written.events()[place:]]
    trick = before // len(written.table.seats) + 1
    mark = Mark(f"/events/{place}" if place < len(written.deal.events) else "", trick, {"owner": seat, "card": card})
    return Slip(ACTS["play-lost"], (mark,), f"{seat}'s {card} left out", events=events)


def doubled(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A play is written down twice."""
    for each in _plays(written, where):
        unnamed = written.event(each).by is None  # then whose a card is hangs on how many stand before it
        again = [other for other in written.times.get(each.card, ()) if unnamed or other.seat == each.seat]
        if len(again) > 1:
            events: Events = [(place, event) for place, event in written.events() if place != each.place]
            tricks = " and ".join(str(written.trick(other)) for other in again)
            facts = {"owner": written.seat(each.seat), "card": written.name(each.card), "tricks": tricks}
            mark = Mark(f"/events/{each.place}", written.trick(each), facts)
            yield Slip(ACTS["play-doubled"], (mark,), f"{written.name(each.card)} written twice", events=events)


def _plays(written: WrittenDeal, where: Reach) -> list[WrittenPlay]:
    return [each for each in written.plays if each.place in where.events]


# --- rows -----------------------------------------------------------------------------------------------------------


def shifted(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """The cards of a row stand some columns on, or backwards; or of all from a row on; or of several, if the hands tell whose.

    In columns a row has no order, and may have been led by any of its seats.
    """
    yield from rows.slid(written)
    yield from rows.by_owners(written)
    yield from rows.led(written)
    for row in sorted(where.rows):
        yield from _one_row(written, written.rows[row])
    names, named = written.table.seats[: written.table.count], [each for each in written.plays if written.event(each).by]
    for first in {each.row for each in named} if where.rows and all(each.seat in written.players for each in named) else ():
        later = [each for each in named if each.row >= first]
        for by in range(1, len(names)):
            changed = {each.place: {"by": names[(each.seat + by) % len(names)]} for each in later}
            mark = Mark(f"/events/{later[0].place}/by", written.trick(later[0]), {"owners": " ".join(names), "columns": None})
            words = f"all rows from trick {written.trick(later[0])} on written from another seat"
            yield Slip(ACTS["turned" if first == 0 else "rows"], (mark,), words, changed=changed)


def _one_row(written: WrittenDeal, cards: list[WrittenPlay]) -> Iterator[Slip]:
    """The cards of one row stand some columns on, or backwards."""
    tokens, names = [written.event(each).card for each in cards], [written.event(each).by for each in cards]
    around = range(len(cards))
    turns = {tuple(tokens[by:] + tokens[:by]): None for by in around[1:]} | {tuple(tokens[::-1]): None}
    named = None not in names and len({*names}) == len(names)
    for other in turns:
        for first in around if named else around[:1]:
            plays = [*zip(names, other, strict=True)]
            if other != tuple(tokens):
                order = plays[first:] + plays[:first]
                changes = {each.place: {"by": by, "card": card} for each, (by, card) in zip(cards, order, strict=True)}
                yield _row(written, cards, changes)


def _row(written: WrittenDeal, cards: list[WrittenPlay], changes: dict[int, dict[str, Any]]) -> Slip:
    owners = " ".join(f"{each['by'] or '?'} {each['card']}" for each in changes.values())
    mark = Mark(f"/events/{cards[0].place}", written.trick(cards[0]), {"owners": owners, "columns": None})
    words = f"the cards of trick {written.trick(cards[0])} written in other columns"
    return Slip(ACTS["rows"], (mark,), words, changed=changes)


def rows_exchanged(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Two rows stand in each other's place."""
    for one, other in combinations(range(len(written.rows)), 2):
        first, second = written.rows[one], written.rows[other]
        if not where.rows & {one, other} or len(first) != len(second):
            continue
        events = written.events()
        for a, b in zip(first, second, strict=True):
            _exchange(events, a.place, b.place)
        facts = {"one": f"the cards of trick {one + 1}", "other": f"those of trick {other + 1}"}
        mark = Mark(f"/events/{first[0].place}", one + 1, facts)
        yield Slip(ACTS["rows-exchanged"], (mark,), f"tricks {one + 1} and {other + 1} exchanged", events=events)


def row_lost(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A whole row is not written down: the card that is left of each seat; or a row lacks a card amid it."""
    yield from rows.short(written)
    table, seats = written.table, range(len(written.table.seats))
    left = [[*_free(written, seat)] for seat in seats]
    if not _lacks_a_row(written) or any(len(cards) != 1 for cards in left):
        return
    for row in sorted({*where.rows, *(row + 1 for row in where.rows)}):
        begin = written.rows[row - 1][-1].place + 1 if row else written.rows[0][0].place
        end = written.rows[row][0].place if row < len(written.rows) else len(written.deal.events)
        for leader, place in product(seats, range(begin, end + 1)):  # before or after a card that is turned
            plays = [Play(by=table.seats[seat], card=left[seat][0]) for seat in table.clockwise(leader)]
            events: Events = [*written.events()[:place], *((None, play) for play in plays), *written.events()[place:]]
            mark = Mark(
                f"/events/{place}" if place < len(written.deal.events) else "",
                row + 1,
                {"owner": "everybody", "card": " ".join(play.card for play in plays)},
            )
            yield Slip(ACTS["play-lost"], (mark,), f"trick {row + 1} left out", events=events)


def _lacks_a_row(written: WrittenDeal) -> bool:
    """Whether each seat has a card fewer than it plays."""
    return all(written.table.quota[seat] == written.counts[seat] + 1 for seat in range(len(written.table.seats)))


def lost_unseen(written: WrittenDeal) -> bool:
    """Whether a row may be lost of which nothing tells the cards: that cannot be undone, and what else there is is not all."""
    return _lacks_a_row(written) and any(len(_free(written, seat)) != 1 for seat in range(len(written.table.seats)))


# --- hands ----------------------------------------------------------------------------------------------------------


def cards_of_hands(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A card of a hand is written for another, left out, one too many, or given to another hand."""
    recorded, pack = written.recorded, written.table.pack.cards
    for seat in sorted(where.hands):
        owner = written.seat(seat)
        if owner not in recorded:
            continue
        cards = recorded[owner]
        for spot, found in enumerate(cards):
            for due in pack:
                if due not in cards and where.bears(found, due):
                    yield _hand(written, seat, spot, found, due, {seat: [*cards[:spot], due, *cards[spot + 1 :]]})
            if not where.bears(found):
                continue
            rest = [*cards[:spot], *cards[spot + 1 :]]
            yield _hand(written, seat, spot, found, None, {seat: rest})
            for other in written.players:
                if other != seat and written.seat(other) in recorded:
                    theirs = [*recorded[written.seat(other)], found]
                    yield _hand(written, seat, spot, found, None, {seat: rest, other: theirs}, f"has {found}, which is another's")
        for due in pack:
            if due not in cards and where.bears(due):
                yield _hand(written, seat, None, None, due, {seat: [*cards, due]})
                for other in written.players:
                    theirs = recorded.get(written.seat(other), [])
                    if other != seat and due in theirs and other not in where.hands:
                        rest = [card for card in theirs if card != due]
                        yield _hand(written, seat, None, None, due, {seat: [*cards, due], other: rest})


def _hand(
    written: WrittenDeal,
    seat: int,
    spot: int | None,
    found: str | None,
    due: str | None,
    hands: dict[int, list[str]],
    what: str = "",
) -> Slip:
    owner = written.seat(seat)
    what = what or (
        f"has {found} where {due} was dealt" if found and due else f"has {found} too many" if found else f"lacks {due}"
    )
    mark = Mark(
        f"/hands/{owner}" + ("" if spot is None else f"/{spot}"), None, {"owner": owner, "found": found, "due": due, "what": what}
    )
    return Slip(ACTS["hand-card"], (mark,), f"{owner}'s hand {what}", hands=written.with_hands(hands))


def set_aside(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A card set aside is written for another, or is one of a hand's."""
    for name, lying in (written.deal.aside or {}).items() if where.cards is None else ():
        for spot, found in enumerate(lying):
            for owner, cards in written.recorded.items():
                if found not in cards and len(cards) < written.table.size:
                    facts = {"owner": name, "found": found, "due": None, "what": f"has {found}, which is {owner}'s"}
                    aside = {**(written.deal.aside or {}), name: [*lying[:spot], *lying[spot + 1 :]]}
                    hands = {**written.recorded, owner: [*cards, found]}
                    mark = Mark(f"/aside/{name}/{spot}", None, facts)
                    yield Slip(ACTS["hand-card"], (mark,), f"{found} in the {name} for {owner}'s hand", hands=hands, aside=aside)
            for due in written.table.pack.cards if is_known(found) else ():
                if due not in lying:
                    facts = {"owner": name, "found": found, "due": due, "what": f"has {found} where {due} lay"}
                    aside = {**(written.deal.aside or {}), name: [*lying[:spot], due, *lying[spot + 1 :]]}
                    mark = Mark(f"/aside/{name}/{spot}", None, facts)
                    yield Slip(ACTS["hand-card"], (mark,), f"{found} in the {name} for {due}", aside=aside)


def between_hands(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A card each, a suit, or all cards of two hands stand in each other's; or all hands stand some seats on."""
    recorded, many = written.recorded, written.table.count
    for one, other in combinations(written.players, 2):
        a, b = written.seat(one), written.seat(other)
        if not where.hands & {one, other} or a not in recorded or b not in recorded:
            continue
        mine, theirs = recorded[a], recorded[b]
        for left in range(len(mine)):
            for right in range(len(theirs)) if where.bears(mine[left]) else map(theirs.index, where.of(theirs)):
                hands = {
                    one: [*mine[:left], theirs[right], *mine[left + 1 :]],
                    other: [*theirs[:right], mine[left], *theirs[right + 1 :]],
                }
                what = f"has {mine[left]} and {b}'s {theirs[right]}, each of which is the other's"
                facts = {"owner": a, "found": mine[left], "due": theirs[right], "what": what}
                words = f"{mine[left]} and {theirs[right]} in each other's hand"
                yield Slip(ACTS["hand-cards"], (Mark(f"/hands/{a}/{left}", None, facts),), words, hands=written.with_hands(hands))
        for suit, name in SUITS.items():
            if not where.bears(*(card for card in (*mine, *theirs) if card[1] == suit)):
                continue
            hands = {
                one: [card for card in mine if card[1] != suit] + [card for card in theirs if card[1] == suit],
                other: [card for card in theirs if card[1] != suit] + [card for card in mine if card[1] == suit],
            }
            mark = Mark(f"/hands/{a}", None, {"suit": name, "owners": f"{a} and {b}"})
            yield Slip(ACTS["suit"], (mark,), f"the {name} of {a} and {b} exchanged", hands=written.with_hands(hands))
        mark = Mark(f"/hands/{a}", None, {"owners": f"{a} {b}", "found": f"{b} {a}"})
        words = f"the hands of {a} and {b} exchanged"
        yield Slip(ACTS["hands"], (mark,), words, hands=written.with_hands({one: theirs, other: mine}))
    if where.hands and all(written.seat(seat) in recorded for seat in written.players):
        for by in range(1, many):
            turned = {seat: recorded[written.seat((seat + by) % many)] for seat in written.players}
            names = " ".join(map(written.seat, written.players))
            found = " ".join(written.seat((seat + by) % many) for seat in written.players)
            mark = Mark(f"/hands/{written.seat(0)}", None, {"owners": names, "found": found})
            yield Slip(ACTS["turned"], (mark,), f"the hands of {names} stand under {found}", hands=written.with_hands(turned))


def whole_hands(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """The suits of a hand stand in another order; or it is misprinted as a whole, and was what the others leave."""
    recorded, table = written.recorded, written.table
    for seat in sorted(where.hands):
        owner = written.seat(seat)
        cards = recorded.get(owner)
        if cards is None:
            continue
        for order in permutations(SUITS):
            to = dict(zip(SUITS, order, strict=True))
            changed = [card[0] + to.get(card[1], card[1]) + card[2:] for card in cards]
            if changed != cards:
                moved = ", ".join(f"{SUITS[suit]} as {SUITS[other]}" for suit, other in to.items() if suit != other)
                mark = Mark(f"/hands/{owner}", None, {"owner": owner, "suits": moved})
                words = f"the suits of {owner}'s hand in wrong places"
                yield Slip(ACTS["suits"], (mark,), words, hands=written.with_hands({seat: changed}))
        others = [written.own[other] for other in written.players if other != seat]
        if written.dealt_out and None not in others:
            rest = table.pack.full & ~sum(mask for mask in others if mask)
            right = list(table.pack.names(rest))
            if len(right) == table.size and {*right} != {*cards}:
                facts = {"owner": owner, "found": cards, "due": right, "what": f"is misprinted: it was {' '.join(right)}"}
                mark = Mark(f"/hands/{owner}", None, facts)
                yield Slip(ACTS["hand"], (mark,), f"{owner}'s hand misprinted", hands=written.with_hands({seat: right}))


# --- what was said, who began, and what is trump --------------------------------------------------------------------


def called(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """A call is written for another, or under another seat's name, or twice, or not at all."""
    yield from calls.miswritten(written)
    said = {place: event for place, event in enumerate(written.deal.events) if type(event) is Bid}
    near = sorted(where.events & said.keys())
    tokens, names = _tokens(written, said.values()) if near else (), written.table.seats[: written.table.count]
    for place in near:
        event = said[place]
        for bid in tokens:
            if bid != event.bid:
                yield _call(written, place, {"bid": bid}, event.by, event.bid, bid)
        for seat in names:
            if seat != event.by:
                yield _call(written, place, {"by": seat}, event.by, event.by, seat)
        mark = Mark(f"/events/{place}", None, {"by": event.by, "found": event.bid, "due": None})
        kept = [each for each in written.events() if each[0] != place]
        yield Slip(ACTS["call"], (mark,), f"{event.by}'s {event.bid} written twice", events=kept)
    for place in sorted({*near, *(each + 1 for each in near)}):
        for seat in names:
            for bid in tokens:
                events: Events = [*written.events()[:place], (None, Bid(by=seat, bid=bid)), *written.events()[place:]]
                mark = Mark(f"/events/{place}" if place < len(written.deal.events) else "", None, {"by": seat, "due": bid})
                yield Slip(ACTS["call"], (mark,), f"{seat}'s {bid} left out", events=events)


def _tokens(written: WrittenDeal, said: Iterable[Bid]) -> tuple[int | str, ...]:
    """All that may be called in a game in which some calls are made, as they are written."""
    phase, numbers = written.table.game.phase_of.get("bid"), range(written.table.size + 1)
    modes, marks = getattr(phase, "modes", ()), getattr(phase, "marks", lambda many: ())(written.table.count)
    calls = {f"{number}{mode}{mark}": None for number in numbers for mode in modes for mark in dict.fromkeys(("", *marks))}
    whole = numbers if any(isinstance(event.bid, int) for event in said) else ()
    return (*calls, *whole, *getattr(phase, "tokens", ()))


def _call(written: WrittenDeal, place: int, change: dict[str, Any], by: str, found: Any, due: Any) -> Slip:
    mark = Mark(f"/events/{place}/{next(iter(change))}", None, {"by": by, "found": found, "due": due})
    return Slip(ACTS["call"], (mark,), f"{by}'s {found} written for {due}", changed={place: change})


def headed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Dealer, leader, or contract are written for others; so is the card that makes trump."""
    contracts = written.table.game.phase_of.get("contract")
    deal, names = written.deal, written.table.seats[: written.table.count]
    for act, field in (("dealer", "dealer"), ("heading", "leader")) if where.begun else ():
        found = getattr(deal, field)
        for seat in names if found is not None else ():
            if seat != found:
                mark = Mark(f"/{field}", None, {"found": found, "due": seat})
                yield Slip(ACTS[act], (mark,), f"{found} for {seat} as {field}", fields={field: seat})
    for place, event in enumerate(deal.events):
        if not where.trump and place not in where.events:
            continue
        if type(event) is Contract:
            for seat in names if event.by is not None else ():
                if seat != event.by:
                    yield _contract(written, place, {"by": seat}, event.by, seat)
            token, strain = str(event.bid), written.table.contract
            for choice in getattr(contracts, "choices", ()):
                due = token.replace(strain, choice) if strain and strain in token else choice
                if choice != strain:
                    yield _contract(written, place, {"bid": due}, token, due)
        elif type(event) is Turn and is_known(event.card):
            for card in written.table.pack.cards:
                if card != event.card:
                    mark = Mark(f"/events/{place}/card", None, {"found": event.card, "due": card})
                    words = f"{event.card} turned for {card}"
                    yield Slip(ACTS["turn-up"], (mark,), words, changed={place: {"card": card}})


def _contract(written: WrittenDeal, place: int, change: dict[str, Any], found: Any, due: Any) -> Slip:
    mark = Mark(f"/events/{place}/{next(iter(change))}", None, {"found": found, "due": due})
    return Slip(ACTS["contract"], (mark,), f"{due} for {found} in the contract", changed={place: change})


def handed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Where cards go from hand to hand, whose they were, or whose they became, is written wrong."""
    for place, event in enumerate(written.deal.events):
        kind = KINDS[event.do]
        for field in kind.of("seat") if kind.moves else ():
            for seat in written.table.seats[: written.table.count]:
                found = getattr(event, field)
                if found not in (None, seat):
                    mark = Mark(f"/events/{place}/{field}", None, {"found": found, "owner": seat, "card": ""})
                    changed = {place: {field: seat}}
                    yield Slip(ACTS["name"], (mark,), f"{found} written for {seat}", changed=changed)


def cards_handed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Where cards go from hand to hand, one is written for another."""
    for place, event in enumerate(written.deal.events):
        kind = KINDS[event.do]
        for field in kind.of("cards") if kind.moves else ():
            cards = getattr(event, field)
            for spot, found in enumerate(cards):
                for due in written.table.pack.cards:
                    if due not in cards and is_known(found):
                        mark = Mark(f"/events/{place}/{field}/{spot}", None, {"found": found, "due": due})
                        changed = {place: {field: [*cards[:spot], due, *cards[spot + 1 :]]}}
                        yield Slip(misread(found, due), (mark,), f"{found} written for {due}", changed=changed)


#: Every way to look for slips.
WAYS: tuple[Callable[[WrittenDeal, Reach], Iterable[Slip]], ...] = (
    shifted,
    miswritten,
    misnamed,
    exchanged,
    transposed,
    doubled,
    lost,
    lost_amid,
    row_lost,
    rows_exchanged,
    cards_of_hands,
    set_aside,
    between_hands,
    whole_hands,
    called,
    headed,
    handed,
    cards_handed,
)
