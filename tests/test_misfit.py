"""How much a deal contradicts itself is the same counted by what a slip changes and counted afresh."""

from __future__ import annotations

from itertools import chain

import pytest

from handrec import games
from handrec.explanations.misfit import Misfit
from handrec.explanations.pen import Reach, slips
from handrec.explanations.written import WrittenDeal
from handrec.judging import Judge
from tests import planting
from tests.planting import TABLES

ACTS = ("card", "play_lost", "rows", "hand_card")


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
        for slip in slips(written, where)[::23]:
            undone = Misfit(table).of(slip.undone(deal))
            assert changes.of(deal, slip) == undone, slip.words
            counted.add(undone)
        assert changes.of(deal) == Misfit(table).of(deal)
    assert len(counted) > 2
