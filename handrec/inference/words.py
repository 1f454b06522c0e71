"""Proofs in words, for people who want to check them with the cards in hand."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from handrec.cards import bits
from handrec.inference.case import STOCK, DealCase
from handrec.inference.places import HallViolator, Layout
from handrec.inference.position import Denial, Position
from handrec.inference.proof import Proof

SUITS = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "J": "jokers"}


def words(case: DealCase, proof: Proof) -> str:
    """The reason of a verdict in a few sentences; empty for `consistent`, which needs none."""
    position, act = Position(case, proof.moment, proof.view), proof.act
    if proof.verdict == "impossible":
        return _contradiction(position)
    if proof.verdict == "illegal-proved":
        return _shown(position, act) if position.shown_against(act) else _illegal(position, act, ())
    if proof.verdict == "illegal-proved-if-others-legal":
        return _illegal(position, act, position.others(act))
    if proof.verdict == "legal-proved":
        return _legal(position, act)
    return ""


def place_words(case: DealCase, name: str) -> str:
    """A place as people call it: a seat, the stock, `E's ?? at 5.2`, or a part of a hand that a bid tells of."""
    owner, _, spot = name.rstrip("!").partition("#")
    if spot:
        return "the stock" if owner == STOCK else f"{owner}'s ?? at {case.when(int(spot) + 1)}"
    seat, _, part = owner.partition("/")
    return f"{seat} by its bid" if part else "the stock" if seat == STOCK else seat


def card_words(case: DealCase, cards: int, among: int) -> str:
    """Some of the unseen cards: suits of which all are meant by their names, all others one by one."""
    pack, whole, single = case.pack, list[str](), list[str]()
    for letter in dict.fromkeys(card[1] for card in reversed(pack.cards)):
        suit = sum(1 << spot for spot, card in enumerate(pack.cards) if card[1] == letter)
        if cards & suit and cards & suit == among & suit and (cards & suit).bit_count() > 1:
            whole.append(SUITS.get(letter, letter))
        else:
            single += pack.names(cards & suit)
    if cards == among and len(whole) + len(single) > 2:
        return "cards"
    return listed([*whole, *single]) if whole else " ".join(single)


def listed(parts: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    *most, end = parts
    return f"{', '.join(most)} {last} {end}" if most else end


def evidence(position: Position, place: str, card: int) -> str:
    """How it is known that a card was dealt to a place: `E showed 7H at 8.1`, `7H was turned up`, `E was dealt 7H`."""
    name, spot = position.case.pack.cards[card], _first(position, place, card)
    if spot < 0:
        return f"{place} was dealt {name}"
    when = position.case.when(spot + 1)
    at = f" at {when}" if when else ""
    return f"{name} was turned up{at}" if place == STOCK else f"{place} showed {name}{at}"


def _at(position: Position, act: int) -> str:
    return f"at {position.case.when(act + 1)}" if position.case.events[act].kind == "play" else "as dealt"


def _contradiction(position: Position) -> str:
    """Why no deal of the cards fits at all."""
    for spot in sorted(position.case.repeats):
        if spot < position.moment:
            event, when = position.case.events[spot], position.case.when(spot + 1)
            return f"{evidence(position, event.seat or STOCK, event.cards.bit_length() - 1)}, and again at {when}."
    for pair in combinations(position.dealt, 2):
        for card in bits(position.dealt[pair[0]] & position.dealt[pair[1]]):
            one, other = sorted(pair, key=lambda place: _first(position, place, card))
            return f"{evidence(position, one, card)}, and {evidence(position, other, card)}."
    for name, owner, size, _, _ in position.hidden:
        if size < 0:
            dealt = position.case.sizes.get(owner, position.case.stock)
            return f"{place_words(position.case, name)} showed {dealt - size} cards, but had {dealt}."
    layout = position.layout(())
    violator = layout.violator if layout else None
    if layout is None or violator is None or not violator.cards:
        return "There are not as many places as cards."
    return f"{_capital(_overfull(position, layout, violator, 'have'))}."


def _shown(position: Position, act: int) -> str:
    """The card, shown or known, that makes an act illegal."""
    event, seat, against = position.case.events[act], position.seat(act), position.shown_against(act)
    if event.kind == "promise":
        many = next(many for cards, many in position.case.promised(event) if against & ~cards == 0 and against.bit_count() > many)
        return f"{seat} had {' '.join(position.case.names(against))}, but its bid says {many} of them."
    first = min(bits(against), key=lambda card: (_first(position, seat, card) < 0, _first(position, seat, card)))
    return f"{evidence(position, seat, first)}, so it was in its hand {_at(position, act)}."


def _first(position: Position, place: str, card: int) -> int:
    """The event at which a place first showed a card, before all others if it is known as dealt only."""
    events = enumerate(position.case.events[: position.moment])
    shown = (spot for spot, each in events if (each.seat or STOCK) == place and each.cards >> card & 1 and not each.unseen)
    return next(shown, -1)


def _illegal(position: Position, act: int, others: list[int] | tuple[()]) -> str:
    """Why an act cannot have been legal, perhaps given that the others' were."""
    layout, seat, given = position.layout([*others, act]), position.seat(act), "if the others were legal, " if others else ""
    violator = layout.violator if layout else None
    if layout is None or violator is None:
        return ""
    at_home = any(name.split("#")[0].split("/")[0] == seat for name in violator.places)
    if at_home or not violator.cards or position.case.events[act].kind == "promise":
        return _capital(
            f"{given}{_overfull(position, layout, violator, 'would have')} if this {_deed(position, act)} was legal too."
        )
    many, room = violator.cards.bit_count(), _room(layout, violator)
    cards = card_words(position.case, violator.cards, position.unseen)
    elsewhere = f"only {sum(room.values())} can lie elsewhere ({_places(position, room)})" if room else "none can lie elsewhere"
    held = many - sum(room.values())
    least = "it" if many == 1 else f"all {many}" if not room else "one of them" if held == 1 else f"at least {held} of them"
    return _capital(f"{given}of the {many} unseen {cards} {elsewhere}: {seat} held {least} {_at(position, act)}.")


def _legal(position: Position, act: int) -> str:
    """Why an act cannot have been illegal."""
    seat, denials = position.seat(act), position.denials(act)
    if not denials:
        return f"None of the cards that could be {seat}'s forbids it."
    if not any(hidden.size for hidden in position.hidden if hidden.owner == seat):
        return f"All cards of {seat} are known, and none forbids it."
    return " ".join(_denied(position, act, denial) for denial in denials if denial.cards)


def _denied(position: Position, act: int, denial: Denial) -> str:
    """Why an act was not illegal in one of the ways in which it could have been."""
    layout, seat = position.layout((), denial), position.seat(act)
    if not denial.cards & position.unseen:
        held = (position.dealt[seat] & denial.cards).bit_count() or "none"
        seen = "has" if denial.cards.bit_count() == 1 else "have all"
        return f"{seat} had {held} of {' '.join(position.case.names(denial.cards))}, which {seen} been seen."
    cards = card_words(position.case, denial.cards & position.unseen, position.unseen)
    many = "one" if denial.many == 1 else f"{denial.many} or more"
    had = f"Had {seat} held {many} of the unseen {cards} {_at(position, act)}, "
    violator = layout.violator if layout else None
    if layout is None or violator is None or not violator.cards:
        return f"{had}there would be more of its cards than it had."
    return f"{had}{_overfull(position, layout, violator, 'would have')}."


def _deed(position: Position, act: int) -> str:
    return "play" if position.case.events[act].kind == "play" else "bid"


def _overfull(position: Position, layout: Layout, violator: HallViolator, have: str) -> str:
    """`the 5 unseen hearts would have only 4 places (N 3, the stock 1)`."""
    if not violator.cards:
        return f"the {position.unseen.bit_count()} unseen cards {have} other numbers of places than there are"
    many, room = violator.cards.bit_count(), _room(layout, violator)
    size = sum(room.values())
    places = f"only {size} place{'' if size == 1 else 's'} ({_places(position, room)})" if room else "no place"
    return f"the {many} unseen {card_words(position.case, violator.cards, position.unseen)} {have} {places}"


def _room(layout: Layout, violator: HallViolator) -> dict[str, int]:
    return {place.name: place.size for place in layout.places if place.name in violator.places}


def _places(position: Position, room: dict[str, int]) -> str:
    return ", ".join(f"{place_words(position.case, name)} {many}" for name, many in room.items())


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
