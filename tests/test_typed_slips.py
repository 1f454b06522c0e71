"""Sixty slips of one line in a whole typed game of each kind: each is one error at its line, and most are told with the cure.

See `typed_slips` for what is slipped and how; it prints the figures and what is told otherwise.
"""

from __future__ import annotations

import pytest

from tests.typed_slips import EACH, GAMES, KINDS, told


@pytest.mark.some(1)
@pytest.mark.parametrize("key", [pytest.param(key, marks=[pytest.mark.long] * (key == "hearts")) for key in GAMES])
def test_a_slip_is_one_error_at_its_line_with_the_cure(key: str) -> None:
    every = [*told(key)]
    assert len(every) == EACH * (len(KINDS) - (key in ("hearts", "whist")))  # in which nobody bids
    assert [each.slip for each in every if not each.one] == []
    assert [each.slip for each in every if not each.placed] == []
    assert [each.slip for each in every if each.blamed] == []
    assert sum(each.cured for each in every) >= 50
