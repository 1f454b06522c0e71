"""Slips of what was said, of who began, what is trump, and what goes from hand to hand, undone in every way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from handrec.cards import is_known
from handrec.explanations import calls
from handrec.explanations.acts import ACTS, misread
from handrec.explanations.pen.reach import Reach
from handrec.explanations.written import Events, Mark, Slip, WrittenDeal
from handrec.record import KINDS, Bid, Contract, Turn


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
            cards = getattr(event, field) or []
            for spot, found in enumerate(cards):
                for due in written.table.pack.cards:
                    if due not in cards and is_known(found):
                        mark = Mark(f"/events/{place}/{field}/{spot}", None, {"found": found, "due": due})
                        changed = {place: {field: [*cards[:spot], due, *cards[spot + 1 :]]}}
                        yield Slip(misread(found, due), (mark,), f"{found} written for {due}", changed=changed)
