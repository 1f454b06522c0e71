"""The search against an oracle: all slips and pairs of slips in deals of nine cards, enumerated on plain data."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from handrec.explanations.parts import Part
from handrec.explanations.search import explained
from handrec.judging import Judge
from handrec.record import Deal
from tests.small_slips import GAME, SEATS, Stated, as_record, dealt, explanations, normal, spoilt

#: Explanations up to this cost are enumerated, with the hands known and without: then two slips have too many ways.
MOST = {True: 4, False: 3}
PLENTY = 10**6


def stated(deal: Deal) -> Stated:
    """What a deal states."""
    hands = None if deal.hands is None else tuple(tuple(deal.hands[seat]) for seat in SEATS)
    return normal(Stated(hands, tuple((event.by, event.card) for event in deal.events)))  # type: ignore[union-attr]


def searched(written: Stated, most: int) -> list[Part]:
    """What the search finds that costs no more than so much."""
    record = as_record(written)
    verdict, tables = Judge(lambda key: GAME).examined(record)
    return explained(record, GAME, 0, verdict, tables, PLENTY, most)


def compared(seed: int, hands: bool) -> str:
    """How a random case comes out: `clean`, `parts` (apart), `dear`, `same`; AssertionError if the search says otherwise.

    `more` if it finds all and another: a habit goes through more rows there. `fewer` if it lacks one, and does not say that there
    is no other: where a play is lost of a row that slid as well, it does not know whose.
    """
    rng, most = Random(f"{seed} {hands}"), MOST[hands]
    written = spoilt(dealt(rng, hands), rng)
    parts = searched(written, most)
    if not parts:
        return "clean"
    due = explanations(written, most)
    if len(parts) > 1:
        together = sum(part.best[0].cost if part.explanations else PLENTY for part in parts)
        assert together > most or min(due.values(), default=PLENTY) <= together, (seed, hands, written, due, {})
        return "parts"
    (part,) = parts
    found = {stated(each.deal): each.cost for each in part.explanations}
    if not due:
        assert all(cost > most for cost in found.values()), (seed, hands, written, due, found)
        return "dear"
    best, cheapest = min(due.values()), min(found.values(), default=PLENTY)
    mine = {deal for deal, cost in found.items() if cost == cheapest}
    cheap = {deal for deal, cost in due.items() if cost <= best + 1}
    if best < cheapest or not {deal for deal, cost in due.items() if cost == best} <= mine:
        assert part.only is None, (seed, hands, written, due, found)
        return "fewer"
    assert best == cheapest, (seed, hands, written, due, found)
    if best + 1 <= most:
        within = {deal for deal, cost in found.items() if cost <= best + 1}
        assert (part.only is not None) == (len(cheap | within) == 1), (seed, hands, written, due, found)
    return "same" if mine <= cheap else "more"


@pytest.mark.some(1)
@pytest.mark.parametrize("hands", [True, False])
@pytest.mark.parametrize("seeds", [range(5), pytest.param(range(12, 1012), marks=pytest.mark.long)], ids=["few", "all"])
def test_the_search_finds_what_there_is(seeds: range, hands: bool) -> None:
    """The same best explanations, and the same word on whether there is another."""
    outcomes = Counter(compared(seed, hands) for seed in seeds)
    print(outcomes)
    assert outcomes["same"] > len(seeds) / 2
    assert outcomes["more"] + outcomes["fewer"] <= len(seeds) / 100
