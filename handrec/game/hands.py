"""The cards of a deal: who was dealt what, as far as it is recorded or follows, and whether the cards add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any, NamedTuple

from handrec.cards import Pack, is_known
from handrec.game.blanks import blanks_of, fill
from handrec.game.table import Table
from handrec.game.turn_order import unsure_rows
from handrec.record import KINDS, Claim, Deal, DealClaims, Play


def dealt_hands(table: Table) -> dict[str, list[str]]:
    """The hands as the recorded order of the pack deals them; none if it or the dealer is not recorded."""
    pack, dealer = table.deal.pack, table.eldest
    hands: dict[str, list[str]] = {}
    if pack is not None and dealer is not None:
        for card, seat in zip(pack, _dealt(table), strict=False):
            if seat < 0:
                continue
            hands.setdefault(table.seats[(dealer + seat) % table.count], []).append(card)
    return hands


def _dealt(table: Table) -> Sequence[int]:
    """To which seat, counted from the dealer's left, each card of the pack goes; nothing if that is not known."""
    seats = table.seats[: table.count]
    return [] if table.dealer is None else table.game.dealt(seats, table.dealer, table.size)


def recorded_hands(table: Table) -> dict[str, list[str]]:
    """The hands that are recorded, in the order of the seats: JSON gives the fields of an object no order that could matter."""
    hands = table.deal.hands or {}
    return {seat: hands[seat] for seat in table.seats if seat in hands} | hands


def check_dealing(table: Table, told: set[str]) -> None:
    """What is dealt and set aside is what the recorded order of the pack gives; the first difference is told.

    `told` are the fields of hands and places that have been found wrong already.
    """
    dealt = dealt_hands(table)
    if not dealt:
        table.doubt("L2", f"deal {table.number}: how the recorded pack was dealt is not known")
        return
    for seat, cards in recorded_hands(table).items():
        if not all(map(is_known, (*cards, *dealt.get(seat, ())))):
            table.doubt("L2", f"deal {table.number}: {seat}'s hand is not known in full")
        elif seat in dealt and f"/hands/{seat}" not in told:
            if table.compare("DEA008", sorted(cards), sorted(dealt[seat]), field=f"/hands/{seat}", what=seat):
                return
    _check_aside(table, told)


def _check_aside(table: Table, told: set[str]) -> None:
    """The cards set aside are those of the recorded pack, in their order where they are turned one by one."""
    lying, start, row = set_aside(table), 0, getattr(table.game.phase_of.get("turn"), "place", None)
    turned = {event.card for _, event in table.besides if event.do == "turn"}
    for name, many in table.game.aside(table.count, table.size).items():
        due, start = lying[start : start + many], start + many
        cards = table.lying.get(name, due)
        if f"/aside/{name}" in told:
            continue
        if not all(map(is_known, (*cards, *due))) or len(cards) != len(due):
            table.doubt("L2", f"deal {table.number}: {name} is not known in full")
            continue
        if name != row:
            cards, due = sorted(cards), sorted(due)
        other = [card for card, there in zip(due, cards, strict=True) if card != there]
        what = name + (" (so does the card turned)" if other and other[0] in turned else "")
        if table.compare("DEA008", cards, due, field=f"/aside/{name}", what=what):
            return


def check_turned(table: Table, name: str, place: int, card: str) -> bool:
    """The card turned is the one that lies there, by the cards set aside and by the recorded pack; whether it can be trusted.

    Where the pack contradicts hands or cards set aside already, that is not told again.
    """
    stated, due = table.lying.get(name, [])[:1], set_aside(table)[:1] if dealt_hands(table) else []
    wrong = {lies for lies in (*stated, *due) if is_known(lies) and is_known(card)} - {card}
    here = f"/deals/{table.index}/events/{place}/card"
    if not wrong or any(finding.code == "DEA002" and finding.facts["card"] in wrong for finding in table.findings):
        return True  # what is said to lie there lies in a hand, too, so that the card turned is the right one
    if any(finding.code == "DEA008" or finding.pointer == here for finding in table.findings):
        return False
    if due and due[0] != card:
        what = "the table" + (f" (so does {name})" if stated == due else "")
        table.compare("DEA008", card, due[0], place, "/card", what=what)
    elif card in table.pack.index:
        table.fault("DEA007", place, "/card", card=card, why=f"{stated[0]} lies there")
    return False


def set_aside(table: Table) -> list[str]:
    """The cards not dealt to a seat, in the order of the recorded pack."""
    pack = table.deal.pack or []
    seats = _dealt(table)
    return [card for card, seat in zip(pack, seats, strict=False) if seat < 0] + pack[len(seats) :]


def take_hands(table: Table) -> None:
    """Work out every seat's hand from the hands recorded, the pack's order if recorded, and the cards played.

    A hand that is not recorded is made of the cards its seat plays, as far as nobody else is recorded with them. Unknown
    cards of a hand (`??`, `?S`, `T?`) are filled with cards it plays that are not listed, where they fit.
    """
    _work_out(table)
    table.left = list(table.hands)


def _handed(table: Table) -> list[tuple[str | None, str | None, str]]:
    """The cards that go from hand to hand, in order: giver, taker, card; None is no hand, but cards set aside."""
    moving = table.game.moving
    events = [event for _, event in table.besides if event.do in moving] if moving else []
    return [(*KINDS[event.do].between(event), card) for event in events for card in KINDS[event.do].cards_of(event)]


def come_unseen(table: Table, seat: int) -> int:
    """The cards that a seat plays and nobody is known to have been dealt: of those that came to it unseen, all that showed."""
    cards = [play.card for play in table.plays[1] if play.by == table.seats[seat] and play.card in table.pack.index]
    return table.pack.mask({*cards}) & ~reduce(or_, table.hands)


def _work_out(table: Table) -> None:
    """Work out the hands, what is known of them, and who plays how many cards."""
    pack, deal = table.pack, table.deal
    listed: dict[int, list[str]] = {}
    owner: dict[str, str] = {}
    for seat, cards in {**dealt_hands(table), **recorded_hands(table)}.items():
        listed[table.place_of[seat]] = cards
        owner.update(dict.fromkeys(cards, seat))
    for name, cards in sorted((deal.aside or {}).items()):
        owner.update({card: name for card in cards if card not in owner})
    for event in deal.events:
        if event.do == "turn" and event.card not in owner and table.undealt > 0:
            owner[event.card] = "turned"
    played: list[list[str]] = [[] for _ in table.seats]
    listed_owner = dict(owner)
    if any(event.do == "play" and event.trick is not None for event in deal.events):
        table.unsure = unsure_rows(table, owner)
    first: dict[tuple[str | None, str], str | None] = {}  # to whom a card was dealt that a seat has by the hand of another
    taken: dict[str, str | None] = {}  # who has a card at last that went from hand to hand
    for giver, taker, card in _handed(table):
        taken[card] = taker
        first[taker, card] = dealt = first.get((giver, card), giver)
        if dealt is not None and card in pack.index and owner.setdefault(card, dealt) == dealt:
            played[table.place_of[dealt]].append(card)
    plays = [(spot, event.by, event.card) for spot, event in enumerate(deal.events) if event.do == "play"]
    named = {(by, card) for _, by, card in plays}
    place_of, unsure = table.place_of, table.unsure
    for spot, by, card in plays:
        if by is None:
            table.unnamed = True
            continue
        dealt = first.get((by, card), by) if first else by
        if dealt is None:  # it lay aside
            table.played_by[place_of[by]] += 1
            continue
        # Whoever plays a card that was dealt to it means itself, also where it should have passed it on.
        holder = taken.get(card) or listed_owner.get(card, by)
        misnamed = by not in (holder, listed_owner.get(card)) and holder in place_of and (holder, card) not in named
        table.played_by[place_of[holder if misnamed else by]] += 1
        if spot in unsure and card not in owner:  # whose it is, is not known
            continue
        if card in pack.index and owner.setdefault(card, dealt) == dealt:
            played[place_of[dealt]].append(card)
    for place in range(len(table.seats)):
        known = {card for card in listed.get(place, ()) if card in pack.index}
        if place in listed:
            blanks = blanks_of(listed[place], table.size)
            known |= fill(blanks, [card for card in dict.fromkeys(played[place]) if card not in known])
        else:
            known |= set(played[place])
        table.hands[place] = pack.mask(known)
        table.whole[place] = len(known) >= table.size
        table.spare[place] = max(0, len(known) - table.size)


def check_cards(table: Table, due: Mapping[str, int]) -> None:
    """L2: every card of the deal in the pack, none in two places, every place of its size."""
    deal = table.deal
    hands, aside = recorded_hands(table), sorted((deal.aside or {}).items())
    groups = [_Group(f"{seat}'s hand", f"/hands/{seat}", cards, table.size, seat) for seat, cards in hands.items()]
    groups += [_Group(name, f"/aside/{name}", cards, due.get(name, -1)) for name, cards in aside]
    turns = [(place, event.card) for place, event in table.besides if event.do == "turn"]
    if table.undealt <= 0 or _aside_recorded(table, due) or dealt_hands(table):
        turns = [(place, card) for place, card in turns if card not in table.pack.index]  # no card of its own: a phase judges it
    told = set[str]() if _all_in_place(table, groups, [card for _, card in turns]) else _sort_out(table, groups, turns)
    if deal.pack is not None:
        table.compare("DEA003", len(deal.pack), len(table.pack), field="/pack", what="the pack")
        check_dealing(table, told)
    else:
        lacking = [seat for seat in table.seats[: table.count] if seat not in (deal.hands or {})]
        if lacking:
            whose = f"{lacking[0]}'s hand is" if len(lacking) == 1 else f"the hands of {', '.join(lacking)} are"
            table.doubt("L2", f"deal {table.number}: {'hands are' if len(lacking) == table.count else whose} not recorded")


def _aside_recorded(table: Table, due: Mapping[str, int]) -> bool:
    """Whether every card that was not dealt to a seat is written down where it lies."""
    aside = table.deal.aside or {}
    return any(due.values()) and all(sum(map(is_known, aside.get(name, ()))) == many for name, many in due.items())


@dataclass(frozen=True)
class _Group:
    """Cards that lie together: a hand, or a place for cards set aside (size -1: the game has no such place)."""

    what: str
    field: str
    cards: list[str]
    size: int
    seat: str | None = None


def _all_in_place(table: Table, groups: list[_Group], turned: list[str]) -> bool:
    """Whether all is well at first sight: known cards of the pack, each once, in groups of the right size."""
    index, seen, count = table.pack.index, 0, 0
    aside: set[str] = set()
    for group in groups:
        if len(group.cards) != group.size:
            return False
        count += group.size
        for card in group.cards:
            place = index.get(card)
            if place is None:
                return False
            seen |= 1 << place
        if group.seat is None:
            aside.update(group.cards)
    for card in turned:
        if card not in aside:
            if card not in index:
                return False
            seen |= 1 << index[card]
            count += 1
    return seen.bit_count() == count


def _sort_out(table: Table, groups: list[_Group], turns: list[tuple[int, str]]) -> set[str]:
    """Say what is wrong with the cards, and of what the recorded pack contradicts that too; returns the fields concerned."""
    index, wrong = table.pack.index, set[str]()
    places: dict[str, list[tuple[str, str, str | None]]] = {}
    dealt = {f"/hands/{seat}": cards for seat, cards in dealt_hands(table).items()}
    owner = {card: seat for seat, cards in dealt_hands(table).items() for card in cards}
    known = Counter(card for group in groups for card in group.cards if is_known(card))
    missing = [card for card in table.pack.cards if card not in known]
    # Where all cards lie in their places, the one that lies nowhere is the one that was meant.
    whole = sum(group.size for group in groups) == len(table.pack) and known.total() == sum(len(group.cards) for group in groups)
    gone: dict[str, Any] = {"hint": f" ({missing[0]} is nowhere)"} if whole and len(missing) == 1 else {}
    last = set[str]()  # places that hold cards too many, of which one is told there
    for group in groups:
        if group.size < 0:
            table.fault("PLY007", field=group.field, what=f"cards set aside as {group.what}")
            continue
        lacking = [card for card in dealt.get(group.field, ()) if card not in group.cards]
        what = group.what + (f", to which the recorded pack gives {' '.join(lacking)} too," if lacking else "")
        more = len(group.cards) - group.size
        if more > 0 and more == sum(known[card] > 1 or card not in index for card in {*group.cards} if is_known(card)):
            wrong.add(group.field)  # each card too many lies elsewhere, too, and that is said of it
            last.add(group.field)
        elif table.compare("DEA003", len(group.cards), group.size, field=group.field, seat=group.seat, what=what, **gone):
            wrong.add(group.field)
        for spot, card in enumerate(group.cards):
            if not is_known(card):
                continue
            if card in index:
                places.setdefault(card, []).append((group.what, f"{group.field}/{spot}", group.seat))
                continue
            meant = lacking[0] if len(lacking) == 1 else table.pack.suggest(card)
            table.fault("DEA001", field=f"{group.field}/{spot}", seat=group.seat, card=card, meant=meant)
            table.stop(f"deal {table.number}: {group.what} holds a card that is not in the pack")
            wrong.add(group.field)
    aside = {card for group in groups if group.seat is None for card in group.cards}
    for place, card in turns:
        if card in index and card not in aside:
            places.setdefault(card, []).append(("the card turned", f"/events/{place}/card", None))
        elif is_known(card) and card not in aside:
            table.fault("DEA001", place, "/card", card=card, meant=table.pack.suggest(card))
    for card, found in places.items():
        spots = sorted(found, key=lambda spot: spot[1].rpartition("/")[0] in last)
        what = ", ".join(what for what, _, _ in spots) + (
            f"; by the recorded pack it is {owner[card]}'s" if card in owner else ""
        )
        against = f"/deals/{table.index}{spots[0][1]}"
        facts: dict[str, Any] = {"card": card, "places": what, "against": against, **gone}
        if table.compare("DEA002", len(spots), 1, field=spots[-1][1], seat=spots[-1][2], **facts):
            wrong.update(field.rpartition("/")[0] for _, field, _ in spots)
    return wrong


#: The cards that are not dealt, by where they lie: how many, for so many players and cards of a hand.
Aside = Callable[[int, int], Mapping[str, int]]


class HandSize(NamedTuple):
    """How many cards a hand of a deal has; whether it is `stated`, by number or by hands, and else whether anything tells it."""

    cards: int
    stated: bool
    known: bool = True


def expected_size(
    deal: Deal, players: int, schedule: Sequence[int] | int, number: int | None, pack: Pack, aside: Aside
) -> HandSize:
    """How many cards a hand of this deal has, which is number so many of the game, if that is known.

    Hands all of one size decide; then the number of cards stated, unless just as many cards are played as the schedule has; then
    the schedule; then the size that most hands have, of several the largest; then what else on record comes to a size. Where
    nothing does, it is the most that there can be. An empty hand tells nothing: nobody is dealt no cards.
    """
    due = _scheduled(schedule, number)
    sizes = [len(hand) for hand in (deal.hands or {}).values() if hand]
    if len({*sizes}) == 1:
        return HandSize(sizes[0], True)
    if deal.cards is not None:
        played = due is not None and sum(type(event) is Play for event in deal.events) == due * players
        return HandSize(due if due and played else deal.cards, True)
    if due is not None:
        return HandSize(due, False)
    if sizes:
        return HandSize(max((many, size) for size, many in Counter(sizes).items())[1], True)
    most = len(pack) // players
    told = Counter([size for size in _sizes_told(deal, players, aside, most) if 0 < size <= most]).most_common(1)
    return HandSize(told[0][0], False) if told else HandSize(max(1, most), False, False)


def _scheduled(schedule: Sequence[int] | int, number: int | None) -> int | None:
    """The cards of a hand in the deal of this number; where that is not known, in all deals, if these are alike."""
    if isinstance(schedule, int):
        return schedule
    if number is None:
        return schedule[0] if len({*schedule}) == 1 else None
    return schedule[number - 1] if number <= len(schedule) else None


def _sizes_told(deal: Deal, players: int, aside: Aside, most: int) -> Iterator[int]:
    """The sizes of a hand that follow from cards set aside, tricks written down, or cards played; the surest first."""
    lying = {name: len(cards) for name, cards in (deal.aside or {}).items()}
    fitting = [size for size in range(1, most + 1) if lying.items() <= aside(players, size).items()] if lying else []
    yield from fitting if len(fitting) == 1 else ()
    if deal.status not in ("complete", "claimed"):
        return
    claimed = deal.claimed or DealClaims()
    yield len(claimed.winners or ())
    yield sum(claimed.tricks.values()) if claimed.tricks and len(claimed.tricks) >= players else 0
    rows = -(-sum(type(event) is Play for event in deal.events) // players)
    rest = next((sum(event.tricks.values()) for event in reversed(deal.events) if type(event) is Claim), 0)
    yield rows + rest if rest or deal.status == "complete" else 0
