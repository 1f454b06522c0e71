"""Slips in auctions of bridge: each is one finding, the truth is among the cheapest explanations, and no deed is rewritten.

A plant of each slip every run; `pytest -m long -s tests/test_calling_slips.py` plants many and prints the figures.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from handrec import check, games
from handrec.dealing import CannotDeal, deal_game
from handrec.explanations.parts import facts
from handrec.explanations.search import search_in
from handrec.findings import Finding, Verdict
from handrec.judging import Judge
from handrec.phases.bidding import CALLS, AuctionState, came_to
from handrec.phases.contracts import Outcome
from handrec.record import Record
from tests.calling_slips import LINES, SLIPS, board, plants
from tests.searching import parts_of

#: Findings at the line that contradicts the rest, and accuse nobody.
STATED = ("BID028", "BID029", "BID033", "DEA006", "DEA012")


def outcome(kind: str, truth: dict[str, Any], record: Record) -> Counter[str]:
    """What becomes of a plant: how many findings, whether a cure is offered at sight, and where the search has the truth."""
    faults = check(record).faults
    line = Counter(plants=1, one=len(faults) == 1)
    if not faults:
        return line + Counter(clean=1)
    line["offered"] += all(fault.near or fault.code in STATED or fault.code.startswith("REC") for fault in faults)
    parts = parts_of(record)
    due = facts(Record.model_validate(truth).deals[0])
    costs = [(each.cost, part.best[0].cost) for part in parts for each in part.explanations if facts(each.deal) == due]
    line["first" if any(cost == best for cost, best in costs) else "later" if costs else "missed"] += 1
    said = [facts(part.only.deal) for part in parts if part.only and part.only.slips]
    line["only"] += due in said
    line["wrong"] += any(each != due for each in said)
    return line


def figures(kind: str, many: int) -> Counter[str]:
    """The outcomes of so many plants of a slip."""
    return sum((outcome(kind, truth, record) for truth, record in plants(kind, many)), Counter[str]())


@pytest.mark.some(5)
@pytest.mark.parametrize("kind", SLIPS)
@pytest.mark.parametrize("many", [1, pytest.param(2, marks=pytest.mark.long)])
def test_a_slip_is_one_finding_and_the_truth_comes_first(kind: str, many: int) -> None:
    """A board of each slip, or two."""
    line = figures(kind, many)
    assert line["one"] + line["clean"] == line["offered"] + line["clean"] == many, line
    assert line["first"] + line["clean"] == many, line
    assert not line["wrong"]


@pytest.mark.long
@pytest.mark.parametrize("kind", SLIPS)
def test_many_slips(kind: str) -> None:
    """A hundred and fifty boards of each slip."""
    line = figures(kind, 150)
    print(f"\n{kind:20}", dict(line))
    assert not line["wrong"]
    assert line["one"] + line["clean"] == 150
    assert line["first"] >= 0.95 * (150 - line["clean"])


@pytest.mark.parametrize("kind", sorted(LINES))
def test_the_line_that_contradicts_the_rest_is_where_a_slip_is_told(kind: str) -> None:
    """A wrong contract, declarer, dealer or vulnerability is told at its own line."""
    for _, record in plants(kind, 10):
        (finding,) = check(record).faults
        assert finding.pointer.endswith(LINES[kind])


def test_a_call_is_blamed_where_everything_else_bears_the_contract_out() -> None:
    """The contract stated is that of the play and of the score: if the calls came to another, one of them is miswritten."""
    for seed in range(12):
        data = deepcopy(board(seed))
        deal = data["deals"][0]
        stated = next(event for event in deal["events"] if event["do"] == "contract")
        last = [event for event in deal["events"] if event["do"] == "bid" and event["bid"][0].isdigit()][-1]
        if "x" in stated["bid"] or last["bid"][0] == "7":
            continue
        last["bid"] = f"{int(last['bid'][0]) + 1}{last['bid'][1:]}"
        assert [finding.code for finding in check(Record.model_validate(data)).faults] == ["REC011"], seed


def test_a_pass_and_a_double_that_clubs_leave_out_are_told_as_such() -> None:
    """Each is a small slip: both together cost no more than one that would explain both, two calls in the wrong order."""
    calls = [{"do": "bid", "by": by, "bid": bid} for by, bid in zip("WNESWN", ["1H", "4S", "X", *["pass"] * 3], strict=True)]
    play = [{"do": "contract", "bid": "4S", "by": "E"}, {"do": "play", "by": "S", "card": "2C"}]
    data = {**board(0), "status": "excerpt", "deals": [{"status": "stopped", "number": 1, "dealer": "W", "events": calls + play}]}
    assert [finding.code for finding in check(Record.model_validate(data)).faults] == ["BID033", "BID028"]


DEEDS = ("BID001", "BID016", "BID023", "BID024", "BID025", "BID026", "BID027")


def deeds(code: str, many: int) -> list[Record]:
    """Boards in which a player called against a rule."""
    found = list[Record]()
    for seed in range(many * 4):
        try:
            found.append(deal_game(games.find("bridge"), 4, seed, numbers=[1 + seed % 32], inject=code))
        except CannotDeal:
            continue
    return found[:many]


def rewritten(record: Record, code: str) -> bool:
    """Whether a deed is told as a slip, or a slip is said to be the only explanation of it."""
    told = [finding.code for finding in check(record).faults]
    return code not in told or any(part.only and part.only.slips for part in parts_of(record))


@pytest.mark.some(3)
@pytest.mark.parametrize("code", DEEDS)
@pytest.mark.parametrize("many", [1, pytest.param(200, marks=pytest.mark.long)])
def test_no_deed_is_rewritten(code: str, many: int) -> None:
    """A call against a rule is told as it was made, however cheap a slip would be that explains it."""
    found = deeds(code, many)
    assert found
    assert not [record.id for record in found if rewritten(record, code)]


def by_the_laws(words: list[str]) -> Outcome | None:
    """What calls in turn came to, by all the Laws; None if anything is wrong or missing."""
    bidding = AuctionState(0)
    wrong = [bidding.take(place % 4, word, (), False) for place, word in enumerate(words)]
    return bidding.outcome() if bidding.over and not any(wrong) else None


def test_what_calls_come_to_is_what_the_referee_says() -> None:
    """The short way to the contract of a right auction agrees with the auction by all the Laws."""
    rng = Random(18)
    for seed in range(150):
        words = [event["bid"] for event in board(seed)["deals"][0]["events"] if event["do"] == "bid"]
        for _ in range(4):
            assert came_to(tuple(words)) == by_the_laws(words), words
            words[rng.randrange(len(words))] = rng.choice(CALLS)


CHANGES = ("drop", "double", "swap", "seat", "call", "dealer", "board", "vulnerable", "contract")


def distorted(seed: int, changes: list[tuple[str, int, int]]) -> Record:
    """A board whose auction and heading are changed at random places, whatever comes of it."""
    data = deepcopy(board(seed))
    deal = data["deals"][0]
    events = deal["events"]
    for kind, one, other in changes:
        calls = [place for place, event in enumerate(events) if event["do"] in ("bid", "contract")]
        if not calls:
            break
        at, to = calls[one % len(calls)], calls[other % len(calls)]
        if kind == "drop":
            events.pop(at)
        elif kind == "double":
            events.insert(to, deepcopy(events[at]))
        elif kind == "swap":
            events[at], events[to] = events[to], events[at]
        elif kind == "seat":
            events[at]["by"] = "NESW"[other % 4]
        elif kind == "call":
            words = (*CALLS, "8C", "0NT", "double", "4Hx", *(["?"] if events[at]["do"] == "bid" else []))  # no contract is "?"
            events[at]["bid"] = words[other % len(words)]
        elif kind == "contract":
            events[at] = {"do": "contract", "bid": ("pass", "4S", "7NTxx", "H")[other % 4]}
        elif kind == "dealer":
            deal["dealer"] = "NESW"[other % 4]
        elif kind == "board":
            deal["board"] = 1 + other
        else:
            deal["vulnerable"] = ("none", "all", "NS", "EW")[other % 4]
    return Record.model_validate(data)


@example(seed=11, changes=[("call", 6, 38)], budget=20)
@given(
    seed=st.integers(0, 30),
    changes=st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 60), st.integers(0, 60)), max_size=6),
    budget=st.sampled_from((20, 100)),
)
@settings(max_examples=15, deadline=None)
def test_a_distorted_auction_is_searched_within_bounds(seed: int, changes: list[tuple[str, int, int]], budget: int) -> None:
    """Whatever is written, check ends in a verdict, and the search keeps to its budget and says so."""
    record = distorted(seed, changes)
    told: Verdict = check(record)
    places = {(finding.code, finding.pointer) for finding in told.primary}
    assert all(finding.because is None or finding.because in places for finding in told.findings)
    assert all(isinstance(finding, Finding) and finding.message for finding in told.findings)
    verdict, tables = Judge(games.find).examined(record)
    search = search_in(record, games.find("bridge"), 0, verdict, tables, budget)  # type: ignore[arg-type]
    parts = search.parts()
    assert search.left > -len(verdict.findings) - 40
    assert all(part.only is None or part.settled for part in parts)
