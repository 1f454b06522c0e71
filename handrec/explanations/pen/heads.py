"""Slips of what is stated of a deal, and of what goes from hand to hand, undone in every way."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from handrec.cards import is_known
from handrec.explanations import auctions
from handrec.explanations.acts import ACTS, misread
from handrec.explanations.pen.reach import Reach
from handrec.explanations.written import Mark, Slip, WrittenDeal
from handrec.record import KINDS, Contract, Turn


def headed(written: WrittenDeal, where: Reach) -> Iterator[Slip]:
    """Dealer, leader, board, vulnerability, or contract are written for others; so is the card that makes trump."""
    deal, names = written.deal, written.table.seats[: written.table.count]
    for act, field in (("dealer", "dealer"), ("heading", "leader")) if where.begun else ():
        found = getattr(deal, field)
        for seat in names if found is not None else ():
            if seat != found:
                mark = Mark(f"/{field}", None, {"found": found, "due": seat})
                yield Slip(ACTS[act], (mark,), f"{found} for {seat} as {field}", fields={field: seat})
    if where.begun and auctions.is_of_bridge(written):
        yield from auctions.other_numbers(written)
        yield from auctions.vulnerabilities(written)
    for place, event in enumerate(deal.events):
        if not where.trump and place not in where.events:
            continue
        if type(event) is Contract:
            for seat in names if event.by is not None else ():
                if seat != event.by:
                    yield _contract(written, place, {"by": seat}, event.by, seat)
            for due in _contracts(written, str(event.bid)):
                yield _contract(written, place, {"bid": due}, event.bid, due)
        elif type(event) is Turn and is_known(event.card):
            for card in written.table.pack.cards:
                if card != event.card:
                    mark = Mark(f"/events/{place}/card", None, {"found": event.card, "due": card})
                    words = f"{event.card} turned for {card}"
                    yield Slip(ACTS["turn-up"], (mark,), words, changed={place: {"card": card}})


def _contracts(written: WrittenDeal, stated: str) -> Iterator[str]:
    """What a contract may be written for: one of another strain, with or without its double; or what the calls came to."""
    phase = written.table.game.phase_of.get("contract")
    strain, choices = getattr(phase, "names", str)(stated), getattr(phase, "choices", ())
    bare = stated.rstrip("xX")
    for choice in choices:
        yield stated.replace(strain, choice) if strain and strain in stated else choice
    if auctions.is_of_bridge(written):
        yield from (bare + risk for risk in ("", "x", "xx") if bare not in choices)
        yield from auctions.come_to(written)


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
