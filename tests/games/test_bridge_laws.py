"""The auction of bridge: any calls are judged as somebody judges them who reads the Laws anew for every call."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st

from handrec.game import Table
from handrec.games import find
from handrec.phases.contracts import Outcome
from handrec.record import Record
from handrec.referee import replay
from tests.laws import ORDER, judged
from tests.tables import Data, deal, game

SEATS = "NESW"


def board(calls: list[tuple[int, str]], dealer: int | None, led: bool) -> Data:
    events = [{"do": "bid", "by": SEATS[seat], "bid": call} for seat, call in calls]
    plays = [{"do": "play", "card": "2C"}] if led else []
    stated = {} if dealer is None else {"dealer": SEATS[dealer]}
    return game("bridge", "N E S W", {**deal(**stated, status="stopped"), "events": [*events, *plays]})


def refereed(calls: list[tuple[int, str]], dealer: int, led: bool) -> tuple[list[tuple[int, str]], str | None]:
    """What the referee finds, by the places of calls, and what it says they came to."""
    record = Record.model_validate(board(calls, dealer, led))
    bridge = find("bridge")
    assert bridge is not None
    [table] = replay(record, bridge)
    places = [
        (-1 if finding.code == "BID006" else finding.event_index, finding.code)
        for finding in table.findings
        if finding.code.startswith("BID") and finding.code != "BID030"
    ]
    return sorted((place if place is not None else -2, code) for place, code in places), came_to(table)


def came_to(table: Table) -> str | None:
    from handrec.phases.calls import CallsHeard

    heard: Any = table.kept[CallsHeard]
    came: Outcome | None = heard.bidding.outcome()
    if came is None:
        return None
    if not came.level:
        return "pass"
    return f"{came.level}{came.strain}{'x' * came.risk} {'?' if came.declarer is None else came.declarer}"


STEP = st.sampled_from([1] * 12 + [2, 3, 0])
LOW = st.sampled_from(ORDER[:12])
CALL = st.one_of(
    st.just("pass"),
    st.just("pass"),
    st.just("pass"),
    LOW,
    LOW,
    st.sampled_from(["X", "XX"]),
    st.sampled_from([*ORDER, "?", "8C", "5"]),
)
AUCTIONS = st.lists(st.tuples(STEP, CALL), max_size=16)


@given(AUCTIONS, st.integers(0, 3), st.booleans())
@settings(max_examples=120, deadline=None)
@example([(1, "1H"), (1, "pass"), (2, "pass"), (1, "pass")], 0, True)
@example([(1, "?"), (1, "pass"), (1, "pass"), (1, "pass")], 1, True)
@example([(1, "1H"), (1, "pass"), (1, "X"), (1, "XX"), (1, "pass"), (1, "pass")], 1, True)
@example([(1, "1H"), (2, "2H"), (3, "1S"), (2, "pass"), (1, "pass"), (1, "pass")], 3, True)
def test_any_calls_are_judged_as_the_laws_say(steps: list[tuple[int, str]], dealer: int, led: bool) -> None:
    calls, seat = [], dealer - 1
    for step, call in steps:
        seat = (seat + step) % 4
        calls.append((seat, call))
    if not calls:
        return
    found, came = judged(calls, dealer, led)
    assert refereed(calls, dealer, led) == (sorted(found), came)
