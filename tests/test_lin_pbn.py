"""LIN to PBN and back: the facts of each board are the same after it."""

from __future__ import annotations

import pytest

from handrec import games
from handrec.convert import written
from handrec.diff import compare
from handrec.formats import pbn
from handrec.formats.lin.writer import write
from handrec.record import Record
from tests.lin_boards import EVENING, ROOMS, SHORT
from tests.test_lin_written import FAULTS, broadcast, records_of

TEXTS = {"evening": EVENING, "rooms": ROOMS, "faults": FAULTS, "short": SHORT, "claim": SHORT + "pc|SA|mc|11|"}


def through_pbn(record: Record) -> Record:
    assert pbn.FORMAT.write
    [reading] = pbn.read(pbn.FORMAT.write(record).encode(), "x.pbn")
    assert reading.record
    return reading.record


@pytest.mark.some(2)
@pytest.mark.parametrize("text", [*(pytest.param(text, id=name) for name, text in TEXTS.items()), *broadcast()])
def test_lin_to_pbn_and_back(text: str) -> None:
    """All facts come back, and names and remarks where they stood; of a board with faults, or its loss was named before."""
    for record in records_of(text):
        [again] = records_of(write(through_pbn(record)))
        lost = [row for row in written(record, pbn.FORMAT, games.find)[1] if not row.note] if text == FAULTS else []
        assert lost or compare([record, again], games.find, facts=True).rows == ()
        assert [each.name for each in again.players] == [each.name for each in record.players]
        assert _remarks(again) == _remarks(record)


def _remarks(record: Record) -> list[tuple[int, bool, str]]:
    """What was said at which event, and whether of a call; PBN does not say whether a call was alerted."""
    return sorted((each.event or 0, bool(each.kind), each.text) for each in record.deals[0].comments or ())
