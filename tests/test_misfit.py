"""How much a deal contradicts itself is the same counted by what a slip changes and counted afresh."""

from __future__ import annotations

from itertools import chain, islice

import pytest

from handrec import games
from handrec.explanations.misfit import Misfit
from handrec.explanations.pen import Reach, slips
from handrec.explanations.search import search_in
from handrec.explanations.written import WrittenDeal
from handrec.judging import Judge
from handrec.record import Record
from tests import planting
from tests.planting import TABLES, dealt, without

ACTS = ("card", "play_lost", "rows", "hand_card")


@pytest.mark.some(4)
@pytest.mark.parametrize("hands", [True, False])
@pytest.mark.parametrize("key", sorted(TABLES))
def test_of_a_slip_only_what_it_changes_is_counted(key: str, hands: bool) -> None:
    """Every slip that can be undone in a deal: counted as a change, and as a deal of its own."""
    counted = set()
    for _, record in chain.from_iterable(planting.plants(key, act, 1, hands, True) for act in ACTS):
        verdict, tables = Judge(games.find).examined(record)
        (deal,), (table,) = record.deals, tables
        written = WrittenDeal(deal, table, [*verdict.findings])
        everything = frozenset(range(len(deal.events)))
        where = Reach(everything, frozenset(range(len(written.rows))), frozenset(written.players), None, True, True)
        changes = Misfit(table)
        for slip in slips(written, where)[::71]:
            undone = Misfit(table).of(slip.undone(deal))
            assert changes.of(deal, slip) == undone, slip.words
            counted.add(undone)
        assert changes.of(deal) == Misfit(table).of(deal)
    assert len(counted) > 2


@pytest.mark.some(1)
@pytest.mark.parametrize("code", ["BID001", "BID003", "BID006", pytest.param("BID010", marks=pytest.mark.long)])
def test_a_slip_that_puts_calls_out_of_turn_explains_nothing(code: str) -> None:
    """Each that the search passes over for that: the referee finds something new, or all that was there."""
    passed_over = 0
    game = games.find("batarde")
    assert game
    truths = (dealt("batarde", seed, inject=code) for seed in range(40))
    for data in islice((each for each in truths if each is not None), 2):
        record = Record.model_validate(without(data, hands=True, claims=True))
        verdict, tables = Judge(games.find).examined(record)
        search = search_in(record, game, 0, verdict, tables)
        (deal,) = record.deals
        calls = Reach(frozenset(place for place, event in enumerate(deal.events) if event.do == "bid"), begun=True)
        for slip in slips(search.written, calls):
            undone = slip.undone(deal)
            if search.misfit.calls_out_of_turn(undone) > search.out_of_turn:
                passed_over += 1
                if passed_over % 7 == 0:
                    node = search._judged(search.root, slip, undone, last=False, alone=True)
                    assert node is not None
                    assert search._worse(node) or not search._gone(node), slip.words
    assert passed_over > 50
