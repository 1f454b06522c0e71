"""What is told of one slip of each act in each game, word for word: whatever changes is seen, and whether for the better.

A line is an act, as it was planted, how it is told (see `tests/confusion.py`: by the truth, whatever is expected here), and the
findings that no other explains, with how many follow from them. `pytest tests/test_planted.py --update` writes it anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from handrec import check
from handrec.findings import Finding
from handrec.record import Record
from tests.confusion import outcome
from tests.planting import ACTS, TABLES, Data, plants, plays_of

KEPT = Path(__file__).with_name("planted")


def nameless(data: Data) -> Data:
    """The record as it would be without the names of those who played."""
    for place in plays_of(data):
        data["deals"][0]["events"][place].pop("by", None)
    return data


def lines(key: str) -> Iterator[str]:
    """A line for each act where all is known, and one where hands, or names, are not."""
    for number, act in enumerate(ACTS):
        known = [("whole", record) for _, record in plants(key, act, 1, True, True)]
        if number % 2:
            known += [("no hands", record) for _, record in plants(key, act, 1, False, True)]
        else:
            bare = [nameless(record.model_dump(mode="json", exclude_unset=True, by_alias=True)) for _, record in known]
            known += [("no names", Record.model_validate(each)) for each in bare]
        for how, record in known:
            yield f"{key}, {act}, {how}: {outcome(act, record)}{''.join(told(record))}"


def told(record: Record) -> Iterator[str]:
    """The faults that nothing explains, each on a line, with how many it explains and what comes near."""
    faults = check(record).faults
    for finding in faults:
        if finding.because is None:
            follow = sum(other.because == (finding.code, finding.pointer) for other in faults)
            near = "".join(f" | {each.words}" for each in finding.near)
            yield f"\n    {place(finding)}: {finding.message}{f' (+{follow})' if follow else ''}{near}"


def place(finding: Finding) -> str:
    """Its code and where it is, by trick or pointer."""
    return f"{finding.code} {finding.pointer.removeprefix('/deals/0')}"


@pytest.mark.parametrize("key", sorted(TABLES))
def test_what_is_told_of_one_slip_of_each_act(key: str, request: pytest.FixtureRequest) -> None:
    """As it was told before."""
    path, now = KEPT / f"{key}.txt", "".join(f"{line}\n" for line in lines(key))
    if request.config.getoption("--update"):
        path.write_text(now, "utf-8")
    assert now == path.read_text("utf-8")
