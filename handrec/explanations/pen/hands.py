"""Slips of hands and of cards set aside, undone in every way."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations
from typing import Any

from handrec.cards import is_known
from handrec.explanations.acts import ACTS
from handrec.explanations.hands import SUITS
from handrec.explanations.pen.reach import Reach
from handrec.explanations.written import Mark, Slip, WrittenDeal


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
    changed = _as_in_hand(written, seat, found, due) if found and due and found not in hands[seat] else None
    return Slip(ACTS["hand-card"], (mark,), f"{owner}'s hand {what}", hands=written.with_hands(hands), changed=changed or None)


def _as_in_hand(written: WrittenDeal, seat: int, found: str, due: str) -> dict[int, dict[str, Any]]:
    """Where else a card stands as it is written in a hand, put right: what is handed on; what is played, if it is of no pack."""
    passed = written.passed_as(seat, found, due)
    if found in written.table.pack.index:
        return passed
    strange = [each.place for each in written.plays if each.seat == seat and written.event(each).card == found]
    return passed | {place: {"card": due} for place in strange}


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
                passed = written.passed_as(one, mine[left], theirs[right]) | written.passed_as(other, theirs[right], mine[left])
                mark = Mark(f"/hands/{a}/{left}", None, facts)
                yield Slip(ACTS["hand-cards"], (mark,), words, hands=written.with_hands(hands), changed=passed or None)
        for suit, name in SUITS.items():
            if not where.bears(*(card for card in (*mine, *theirs) if card[1] == suit)):
                continue
            hands = {
                one: [card for card in mine if card[1] != suit] + [card for card in theirs if card[1] == suit],
                other: [card for card in theirs if card[1] != suit] + [card for card in mine if card[1] == suit],
            }
            mark = Mark(f"/hands/{a}", None, {"suit": name, "owners": f"{a} and {b}"})
            yield Slip(ACTS["suit"], (mark,), f"the {name} of {a} and {b} exchanged", hands=written.with_hands(hands))
        mark = Mark(f"/hands/{a}", None, {"owners": [a, b], "found": [b, a]})
        words = f"the hands of {a} and {b} exchanged"
        yield Slip(ACTS["hands"], (mark,), words, hands=written.with_hands({one: theirs, other: mine}))
    if where.hands and all(written.seat(seat) in recorded for seat in written.players):
        for by in range(1, many):
            turned = {seat: recorded[written.seat((seat + by) % many)] for seat in written.players}
            names = [*map(written.seat, written.players)]
            found = [written.seat((seat + by) % many) for seat in written.players]
            mark = Mark(f"/hands/{written.seat(0)}", None, {"owners": names, "found": found})
            words = f"the hands of {' '.join(names)} stand under {' '.join(found)}"
            yield Slip(ACTS["turned"], (mark,), words, hands=written.with_hands(turned))


def whole_hands(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """The suits of a hand stand in another order; or it is misprinted as a whole, and was what the others leave."""
    written = written.as_dealt
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
