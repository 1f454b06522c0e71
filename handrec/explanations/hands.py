"""Slips of hands: a card too many, missing, miswritten or in another hand; suits in wrong places; a hand misprinted.

A hand is contradicted by the cards that it plays, and by the three others: where every card of the pack is dealt, what they
leave is what it held. Both are evidence; the hand that agrees with them is taken for the hand that was dealt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from handrec.cards import UNKNOWN, bits, is_known
from handrec.explanations.acts import ACTS, misread
from handrec.explanations.written import FEW, Mark, Slip, WrittenDeal

#: The letters of suits in words.
SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}

#: So many wrong winners and revokes tell that the trump is another.
FEWEST = 2


def single(written: WrittenDeal) -> Iterator[Slip]:
    """A card of one hand, or a card given to the wrong hand."""
    written = written.as_dealt
    recorded, index = written.recorded, written.table.pack.index
    size, lying = written.table.size, written.table.pack.mask([card for card in written.aside if card in index])
    for seat in written.players:
        cards = recorded.get(written.seat(seat))
        strange = [each for each in written.foreign if each.seat == seat and each.card not in written.owners]
        if cards is None or len(strange) > 1:
            continue
        evidence = _held(written, seat) & ~lying  # a card that lies aside as well is rather miswritten in the play
        mask = sum(1 << index[card] for card in {*cards} if card in index)
        lacking = [card for card in bits(evidence & ~mask) if not written.owners.get(card) or len(cards) < size]
        suspicious = _suspicious(written, seat, cards)
        if len(cards) == size and suspicious and (lacking or len(suspicious) == 1):
            for wrong in suspicious[:3]:
                for due in lacking[:2] or _left(written, seat)[:2]:
                    yield _changed(written, seat, cards, wrong, written.name(due))
        elif len(cards) == size - 1:
            for due in lacking[:2] or _left(written, seat)[:2]:
                yield from _given(written, seat, [due])
                yield _changed(written, seat, cards, None, written.name(due))
            if not lacking:
                out, free = _shown_out(written, seat), written.all_dealt & ~written.all_played
                yield from _given(written, seat, [card for card in bits(free) if written.name(card)[1] not in out])
        elif len(cards) == size + 1 and all(len(hand) >= size for hand in recorded.values()):
            for wrong in suspicious[:3]:
                yield _changed(written, seat, cards, wrong, None)


def _held(written: WrittenDeal, seat: int) -> int:
    """What a seat must have held besides what nobody doubts: what it plays, and no other that is written down with it."""
    held = 0
    for card in bits(written.played[seat]):
        others = [other for other in written.owners.get(card, ()) if other != seat]
        if all(not written.played[other] >> card & 1 for other in others):
            held |= 1 << card
    return held


def _suspicious(written: WrittenDeal, seat: int, cards: list[str]) -> list[str]:
    """The cards of a hand that are rather not its own: none of the pack, twice, another's, or never played; likeliest first."""
    index, own = written.table.pack.index, written.own[seat]
    if own is not None and own.bit_count() == len(cards) and not written.unplayed(seat):
        return []
    strange = [card for card in cards if card not in index and is_known(card)]
    twice = [card for card in dict.fromkeys(cards) if cards.count(card) > 1]
    shared = [
        card
        for card in cards
        if card in index
        and (len(written.owners.get(index[card], [])) > 1 or card in written.aside)
        and not written.played[seat] >> index[card] & 1
    ]
    unplayed = [card for card in cards if card in index and not written.played[seat] >> index[card] & 1]
    others = [card for card in unplayed if (written.all_played >> index[card]) & 1]
    left = unplayed if written.counts[seat] >= written.table.quota[seat] or len(unplayed) == 1 else []
    return [*dict.fromkeys([*strange, *twice, *shared, *others, *left])]


def _left(written: WrittenDeal, seat: int) -> list[int]:
    """What the other hands leave of the pack, where all of it is dealt or set aside on record."""
    table, hands = written.table, written.recorded
    if any(written.seat(other) not in hands for other in written.players if other != seat):
        return []
    known = sum(len(cards) for cards in hands.values()) + sum(map(len, (written.deal.aside or {}).values()))
    if known + len([None for _, event in table.besides if event.do == "turn"]) < len(table.pack) - 2:
        return []
    return [*bits(written.nowhere)]


def _changed(written: WrittenDeal, seat: int, cards: list[str], wrong: str | None, due: str | None) -> Slip:
    """One card of a hand put right."""
    owner = written.seat(seat)
    spot = len(cards) if wrong is None else len(cards) - 1 - cards[::-1].index(wrong)
    right = [*cards[:spot], *([due] if due is not None else []), *cards[spot + 1 :]]
    what = f"has {wrong} where {due} was dealt" if wrong and due else f"has {wrong} too many" if wrong else f"lacks {due}"
    facts = {"owner": owner, "found": wrong, "due": due, "what": what}
    mark = Mark(f"/hands/{owner}" + (f"/{spot}" if wrong else ""), None, facts)
    changed = written.passed_as(seat, wrong, due) if wrong and due and wrong not in right else None
    words = f"{owner}'s hand {what}"
    return Slip(ACTS["hand-card"], (mark,), words, hands=written.with_hands({seat: right}), changed=changed or None)


def passed_on(written: WrittenDeal) -> Iterator[Slip]:
    """A card of a hand that is miswritten where it is passed as well: who took it plays another, which stands in no hand."""
    dealt = written.as_dealt
    for each in dealt.foreign if dealt is not written else ():
        for (taker, card), giver in written.came.items():
            cards = written.recorded.get(written.seat(giver), []) if giver >= 0 else []
            unplayed = taker == each.seat and not written.played[taker] >> card & 1
            if unplayed and each.card >= 0 and each.card not in dealt.owners and written.name(card) in cards:
                yield _changed(written, giver, cards, written.name(card), written.name(each.card))


def _given(written: WrittenDeal, seat: int, dues: Sequence[int]) -> Iterator[Slip]:
    """The first of some cards that another hand has too many, given to the hand that lacks it; told with the others."""
    recorded, owner = written.recorded, written.seat(seat)
    for other in written.players:
        name, theirs = written.seat(other), recorded.get(written.seat(other), [])
        cards = [card for card in map(written.name, dues) if card in theirs]
        if other == seat or not cards or len(theirs) <= written.table.size:
            continue
        card, rest = cards[0], [each for each in theirs if each != cards[0]]
        facts = {"owner": name, "found": card, "due": None, "what": f"has {card}, which is {owner}'s"}
        mark = Mark(f"/hands/{name}/{theirs.index(card)}", None, facts)
        alike = [(ACTS["hand-card"], f"{each} is") for each in cards[1:FEW]]
        alike += [
            (ACTS["suit"], f"the {SUITS[suit]} stand in each other's hand") for suit, _ in _suits_between(written, seat, other)
        ]
        hands = written.with_hands({seat: [*recorded[owner], card], other: rest})
        yield Slip(ACTS["hand-card"], (mark,), f"{card} given to {name} instead of {owner}", hands=hands).told_with(alike)


def aside_too(written: WrittenDeal) -> Iterator[Slip]:
    """A card of a hand that lacks one, set down with the cards that were not dealt."""
    deal, table = written.deal, written.table
    due = table.game.aside(table.count, table.size)
    for place, lying in (deal.aside or {}).items():
        for name, cards in (deal.hands or {}).items():
            seat = table.place_of[name]
            held = {written.name(card) for card in bits(_held(written, seat))}
            found = [card for card in lying if card in held]
            if len(lying) == due.get(place, 0) + 1 and len(cards) == table.size - 1 and len(found) == 1:
                facts = {"owner": name, "found": None, "due": found[0], "what": f"lacks {found[0]}, which stands in the {place}"}
                mark = Mark(f"/aside/{place}/{lying.index(found[0])}", None, facts)
                rest = [card for card in lying if card != found[0]]
                yield Slip(
                    ACTS["hand-card"],
                    (mark,),
                    f"{found[0]} set aside instead of given to {name}",
                    hands=written.with_hands({seat: [*cards, found[0]]}),
                    aside={**(deal.aside or {}), place: rest},
                )


def turned_otherwise(written: WrittenDeal) -> Iterator[Slip]:
    """Two cards set aside in each other's place, by the order in which they were turned."""
    deal = written.deal
    turns = [event.card for event in deal.events if event.do == "turn"]
    for place, lying in (deal.aside or {}).items() if any(each.code == "DEA007" for each in written.findings) else ():
        wrong = [spot for spot, (card, turned) in enumerate(zip(lying, turns, strict=False)) if card != turned]
        if len(wrong) == 2 and {lying[spot] for spot in wrong} == {turns[spot] for spot in wrong}:
            one, other = (lying[spot] for spot in wrong)
            mark = Mark(f"/aside/{place}/{wrong[0]}", None, {"one": one, "other": other})
            aside = {**(deal.aside or {}), place: [*turns, *lying[len(turns) :]]}
            yield Slip(ACTS["plays-in-row"], (mark,), f"{one} and {other} of the {place} exchanged", aside=aside)


def turned_up(written: WrittenDeal) -> Iterator[Slip]:
    """The dealer's last card, which is turned up, written for one of another hand: one for each suit, that of the sheet first."""
    wrong = {each.event_index for each in written.findings if each.code == "DEA007" and not written.aside}
    claimed, dealer = written.deal.claimed, written.table.dealer
    trump, hand = claimed and claimed.trump, None if dealer is None else written.own[dealer]
    for place in sorted(spot for spot in wrong if spot is not None) if hand else ():
        found = getattr(written.deal.events[place], "card", UNKNOWN)
        if written.table.pack.index.get(found) not in written.owners:  # then it is rather the hand that is wrong
            continue
        cards = sorted(map(written.name, bits(hand or 0)), key=lambda card: (card[1] != trump, misread(found, card).cost))
        for due in [card for spot, card in enumerate(cards) if card[1] not in {each[1] for each in cards[:spot]}]:
            what = f"{found} is written down as turned up, and was {due}"
            mark = Mark(f"/events/{place}/card", None, {"found": found, "due": due, "what": what})
            yield Slip(ACTS["dealers-card"], (mark,), f"{found} turned for {due}", changed={place: {"card": due}})


def turned_for_the_sheet(written: WrittenDeal) -> Iterator[Slip]:
    """The card that makes trump, written in another suit than the sheet says and the play goes by."""
    trump, found = written.deal.claimed and written.deal.claimed.trump, [finding.code for finding in written.findings]
    turns = [(place, event.card) for place, event in written.table.besides if event.do == "turn"]
    if "DEA009" not in found or len(turns) != 1 or sum(code.startswith(("TRK001", "REV")) for code in found) < FEWEST:
        return
    (place, card), holder = turns[0], written.table.dealer if "DEA007" in found else None
    if holder is not None and written.own[holder] is not None:  # the hand tells which card it was
        return
    shown = written.nowhere if holder is None else written.played[holder]
    for due in sorted(map(written.name, bits(shown)), key=lambda other: misread(card, other).cost):
        if due[1:2] == trump:
            what = f"{card} is written down as turned up, and the play goes by {trump} as trump"
            mark = Mark(f"/events/{place}/card", None, {"found": card, "due": due, "what": what})
            yield Slip(ACTS["turn-up"], (mark,), f"{card} turned for {due}", changed={place: {"card": due}})
            return


def passed_by_another(written: WrittenDeal) -> Iterator[Slip]:
    """Cards that one seat passed, written down as passed by another, which passes twice."""
    lacking = [finding.seat for finding in written.findings if finding.code == "PLY005" and finding.trick is None]
    events = written.deal.events
    passed = [(place, event) for place, event in enumerate(events) if event.do == "exchange"]
    for place, event in passed if len(lacking) == 1 else ():
        if [each.by for _, each in passed].count(event.by) > 1:
            facts = {"card": " ".join(event.cards or ()), "found": event.by, "owner": lacking[0]}
            words = f"{lacking[0]} for {event.by} at cards passed"
            yield Slip(ACTS["name"], (Mark(f"/events/{place}/by", None, facts),), words, changed={place: {"by": lacking[0]}})


def traded(written: WrittenDeal) -> Iterator[Slip]:
    """One card each, or a whole suit, of two hands in each other's place."""
    written = written.as_dealt
    recorded, size = written.recorded, written.table.size
    foreign: dict[tuple[int, int], int] = {}
    for each in written.foreign:
        holders = written.owners.get(each.card, [])
        if len(holders) == 1 and each.seat in written.players:
            key = each.seat, holders[0]
            foreign[key] = foreign.get(key, 0) | 1 << each.card
    for one, other in combinations(written.players, 2):
        hands = recorded.get(written.seat(one)), recorded.get(written.seat(other))
        if hands[0] is None or hands[1] is None:
            continue
        there, here = foreign.get((one, other), 0), foreign.get((other, one), 0)
        longer = abs(len(hands[0]) - size)
        if longer > 1 or (longer and there and here) or (there | here).bit_count() > 2:
            yield from _suit(written, one, other)
        elif there.bit_count() == here.bit_count() == 1:
            yield _exchanged(written, one, other, there.bit_length() - 1, here.bit_length() - 1)
        elif (there | here).bit_count() == 1 and not longer:
            giver, taker = (one, other) if here else (other, one)
            if written.counts[taker] < written.table.quota[taker]:  # what the taker had instead was not played
                yield from _half_exchanged(written, taker, giver, (there | here).bit_length() - 1)


def _suit(written: WrittenDeal, one: int, other: int) -> Iterator[Slip]:
    """A suit of two hands exchanged, told with the other suits that it may have been."""
    names = f"{written.seat(one)} and {written.seat(other)}"
    swaps = _suits_between(written, one, other)
    for suit, swapped in swaps[:1]:
        mark = Mark(f"/hands/{written.seat(one)}", None, {"suit": SUITS[suit], "owners": names})
        words = f"the {SUITS[suit]} of {names} exchanged"
        hands = written.with_hands(dict(zip((one, other), swapped, strict=True)))
        alike = [(ACTS["suit"], f"the {SUITS[each]}") for each, _ in swaps[1:]]
        yield Slip(ACTS["suit"], (mark,), words, hands=hands).told_with(alike)


def _suits_between(written: WrittenDeal, one: int, other: int) -> list[tuple[str, tuple[list[str], list[str]]]]:
    """The suits that two hands may have exchanged: put back, each has its size and holds what it plays of the two."""
    recorded, pack = written.recorded, written.table.pack
    hands = recorded[written.seat(one)], recorded[written.seat(other)]
    if not all(card in pack.index for hand in hands for card in hand):
        return []
    both, found = pack.mask([*{*hands[0], *hands[1]}]), []
    for suit in SUITS:
        swapped = _suit_swapped(*hands, suit)
        right = all(len(hand) == written.table.size == len({*hand}) for hand in swapped)
        seats = zip((one, other), swapped, strict=True)
        if swapped != hands and right and not any(written.played[seat] & both & ~pack.mask(hand) for seat, hand in seats):
            found.append((suit, swapped))
    return found


def _suit_swapped(one: list[str], other: list[str], suit: str) -> tuple[list[str], list[str]]:
    mine, theirs = [card for card in one if card[1] == suit], [card for card in other if card[1] == suit]
    return (
        [card for card in one if card[1] != suit] + theirs,
        [card for card in other if card[1] != suit] + mine,
    )


def _exchanged(written: WrittenDeal, one: int, other: int, here: int, there: int) -> Slip:
    """A card of one seat that stands in another's hand, and one of that seat's in its own, put back."""
    recorded, a, b = written.recorded, written.name(here), written.name(there)
    hands = recorded[written.seat(one)], recorded[written.seat(other)]
    changed = {
        one: [a if card == b else card for card in hands[0]],
        other: [b if card == a else card for card in hands[1]],
    }
    what = f"has {b} and {written.seat(other)}'s {a}, each of which is the other's"
    facts = {"owner": written.seat(one), "found": b, "due": a, "what": what}
    mark = Mark(f"/hands/{written.seat(one)}/{hands[0].index(b)}", None, facts)
    others = ((ACTS["plays-across"], f"{a} and {b} exchanged in the play"),)
    words = f"{a} and {b} in each other's hand"
    return Slip(ACTS["hand-cards"], (mark,), words, hands=written.with_hands(changed), others=others)


def _half_exchanged(written: WrittenDeal, taker: int, giver: int, card: int) -> Iterator[Slip]:
    """A card that its seat plays stands in another's hand, which has for it a card that was not played."""
    name = written.name(card)
    left = [each for each in bits(written.unplayed(taker)) if written.owners.get(each) == [taker]]
    missed = {token for finding in written.findings if finding.code.startswith("REV") for token in finding.facts.get("could", ())}
    left = [each for each in left if written.name(each)[1] not in _shown_out(written, giver)]
    left.sort(key=lambda each: written.name(each) not in missed)
    for due in left[:1]:
        slip = _exchanged(written, taker, giver, card, due)
        alike = [(ACTS["hand-cards"], f"{name} and {written.name(each)}") for each in left[1:FEW]]
        yield slip.told_with([*alike, (ACTS["card-both"], f"{name} written for another card")])


def _shown_out(written: WrittenDeal, seat: int) -> set[str]:
    """The suits that a seat did not follow."""
    out = set()
    for row in written.rows:
        mine = [each for each in row if each.seat == seat]
        if mine and min(mine[0].card, row[0].card) >= 0:
            led, played = written.name(row[0].card)[1], written.name(mine[0].card)[1]
            out |= {led} - {played}
    return out


def _moved(to: dict[str, str]) -> list[str]:
    """The suits that stand in another's place, in words."""
    return [f"{SUITS[suit]} as {SUITS[other]}" for suit, other in to.items() if suit != other]


def misplaced(written: WrittenDeal) -> Iterator[Slip]:
    """The suits of one hand in each other's places, or a hand unlike all that is known of it."""
    written = written.as_dealt
    recorded, table = written.recorded, written.table
    index = table.pack.index
    for seat in written.players:
        cards = recorded.get(written.seat(seat))
        if cards is None or len(cards) != table.size or not all(card in index for card in cards):
            continue
        others = 0
        for other in written.players:
            others |= (written.own[other] or 0) if other != seat else 0
        lying = table.pack.mask([card for card in written.aside if card in index])
        whole = written.dealt_out and all(written.own[other] is not None for other in written.players)
        rest = table.pack.full & ~others
        played = written.played[seat]
        out = played if played.bit_count() == table.size else 0
        exact = rest if whole and rest.bit_count() == table.size else out
        mask = written.own[seat] or 0
        against = (mask & (others | lying)).bit_count() + (played & ~mask).bit_count()
        if against < 2:
            continue
        fits: dict[int, tuple[dict[str, str], list[str]]] = {}
        letters = sorted({card[1] for card in cards if card[1] in SUITS})
        for order in permutations(SUITS, len(letters)):
            to = dict(zip(letters, order, strict=True))
            changed = [card[0] + to.get(card[1], card[1]) + card[2:] for card in cards]
            if not all(card in index for card in changed):
                continue
            now = table.pack.mask(changed)
            if (now & ~mask).bit_count() > 1 and not played & ~now and not now & others and (not exact or now == exact):
                fits[now] = min(fits.get(now, (to, changed)), (to, changed), key=lambda fit: len(_moved(fit[0])))
        if len(fits) == 1:
            to, changed = fits.popitem()[1]
            moved = ", ".join(_moved(to))
            mark = Mark(f"/hands/{written.seat(seat)}", None, {"owner": written.seat(seat), "suits": moved})
            words = f"the suits of {written.seat(seat)}'s hand in wrong places"
            yield Slip(ACTS["suits"], (mark,), words, hands=written.with_hands({seat: changed}))
        elif exact and not played & ~exact and against > 2 and (exact & ~mask).bit_count() > 2:
            right = list(table.pack.names(exact))
            what = f"is misprinted: it was {' '.join(right)}"
            facts = {"owner": written.seat(seat), "found": cards, "due": right, "what": what}
            mark = Mark(f"/hands/{written.seat(seat)}", None, facts)
            yield Slip(ACTS["hand"], (mark,), f"{written.seat(seat)}'s hand misprinted", hands=written.with_hands({seat: right}))
