"""La Bâtarde: a miswritten call is told once, at that call, and what it makes look wrong follows from it; deeds stay deeds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from handrec import check, games, load, referee
from handrec.findings import Finding, Verdict
from handrec.record import Record
from tests import auctions
from tests.games.test_batarde_rules import auction, say
from tests.planting import ACTS, TABLES, dealt, without
from tests.tables import Data
from tests.test_mutations import change_bid

ROOT = Path(__file__).parents[2]

#: What is done to one call: another mode, or the call of another seat.
MISWRITTEN = {"call": ACTS["call"], "bid": change_bid}


def told(data: Data) -> Verdict:
    """The verdict on a record in plain data."""
    return check(Record.model_validate(data))


def codes(verdict: Verdict) -> list[str]:
    """The codes of what is counted."""
    return [finding.code for finding in verdict.faults]


def miswritten(act: str, many: int, known: bool, options: bool = False) -> Iterator[tuple[Data, Data]]:
    """So many records with one call miswritten, each after the truth; with hands and sheet, or without; by any options."""
    rng, made = Random(f"{act} {known} {options}"), 0
    for seed in range(many * 4):
        truth = auctions.dealt(seed) if options else dealt("batarde", seed)
        if truth is None or made == many:
            continue
        truth = without(truth, known, known)
        data = deepcopy(truth)
        if MISWRITTEN[act](data, rng) and data != truth:
            made += 1
            yield truth, data


def place(finding: Finding) -> int:
    """The place of the event of a finding."""
    return int(finding.pointer.split("/")[4])


def figures(many: int, known: bool, options: bool) -> tuple[Counter[int], Counter[str]]:
    """How many findings are counted of miswritten calls, and where the slip is told: at the call, beside another, elsewhere."""
    counted, where = Counter[int](), Counter[str]()
    for act in MISWRITTEN:
        for truth, data in miswritten(act, many, known, options):
            verdict = told(data)
            counted[len(verdict.faults)] += 1
            events, right = data["deals"][0]["events"], truth["deals"][0]["events"]
            spot = next(spot for spot, event in enumerate(events) if event != right[spot])
            for slip in [finding for finding in verdict.faults if finding.code == "REC011"]:
                beside = f"for {events[spot]['by']}'s {events[spot]['bid']}" in slip.message
                where["at" if place(slip) == spot else "beside" if beside else "elsewhere"] += 1
    return counted, where


def right(counted: Counter[int], where: Counter[str]) -> bool:
    """Whether 98 of a hundred that show are one finding, and 98 of a hundred slips name the call that was miswritten."""
    shown = counted.total() - counted[0]
    return counted[1] >= 0.98 * shown > 0 and where["elsewhere"] <= 0.02 * where.total()


#: Whether hands and sheet are known, and whether options are any; a deal by any options is made without a sheet.
MISWRITING = pytest.mark.parametrize(
    ("known", "options"),
    [(True, False), (False, False), (False, True)],
    ids=["with sheet", "calls and plays alone", "calls and plays alone by any options"],
)


@pytest.mark.some(1)
@MISWRITING
def test_a_miswritten_call_is_one_finding(known: bool, options: bool) -> None:
    """Hands and sheet known or not: one thing is counted, and told at the call, or with it beside."""
    counted, where = figures(20, known, options)
    assert right(counted, where), (counted, where)
    assert where["at"] >= 10


@pytest.mark.long
@MISWRITING
def test_the_figures_of_miswritten_calls(known: bool, options: bool) -> None:
    """Five hundred of each; prints how many findings are counted, and where they are told."""
    counted, where = figures(500, known, options)
    print(sorted(counted.items()), where)
    assert right(counted, where)


#: Auctions with what is told of them: two things that no one call explains, and what one call explains.
NAMED = {
    "two-independent": (auction("0 1D, 1 9D, 2 1D, 3 9D"), ["BID002", "BID002"]),
    "too-low-twice": (auction("0 3D, 1 1C, 2 1D, 3 2H, 0 1D"), ["BID008", "BID008"]),
    "too-low": (auction("0 3D, 1 1C, 2 1D, 3 0D"), ["BID008"]),
    "too-high-to-be-exceeded": (auction("0 1D, 1 9H, 2 3S, 3 0S, 0 0S, 1 1S"), ["REC011"]),
    "closed-too-early": (auction("0 1D, 1 0D, 2 1D, 3 1D, 0 2S, 1 0S, 2 0S, 3 0S"), ["REC011"]),
}


@pytest.mark.parametrize("name", NAMED)
def test_what_one_call_explains_is_one_and_what_it_does_not_is_two(name: str) -> None:
    """Faults of players are told as written; where one call explains all of them, that is the smaller change."""
    record, expected = NAMED[name]
    assert codes(told(record)) == expected


#: Seeds of tables at which a rule can be broken, if it cannot at all of them: only two packs have marks to be called.
MARKED = {"BID010": [seed for seed in range(72) if TABLES["batarde"][seed % len(TABLES["batarde"])][0] > 4]}

CODES = ("BID001", "BID002", "BID003", "BID006", "BID008", "BID009", "BID010", "BID011", "BID012", "BID016")


@pytest.mark.some(5)
@pytest.mark.parametrize("many", [4, pytest.param(24, marks=pytest.mark.long)])
@pytest.mark.parametrize("code", CODES)
def test_a_fault_of_a_player_is_told_as_it_is_written(code: str, many: int) -> None:
    """One player breaks one rule of the auction, at a table that plays on: nobody is said to have written a call wrong."""
    found = 0
    for seed in MARKED.get(code, range(many))[:many]:
        truth = dealt("batarde", seed, code)
        for known in (True, False):
            if truth is not None:
                assert codes(told(without(truth, known, known))) == [code]
                found += 1
    assert found > 5


@pytest.mark.parametrize("seed", range(6))
def test_what_follows_from_a_miswritten_call_is_gone_with_it(seed: int) -> None:
    """Every consequence is a finding of the referee's, and none of them is left when the call told is the one made."""
    for truth, data in list(miswritten("call", 12, True))[seed * 2 : seed * 2 + 2]:
        verdict = told(data)
        raw = referee.check(Record.model_validate(data), games.find)
        for slip in [finding for finding in verdict.faults if finding.code == "REC011"]:
            mine = {(each.code, each.pointer) for each in verdict.findings if each.because == (slip.code, slip.pointer)}
            assert mine
            assert mine <= {(each.code, each.pointer) for each in raw.findings}
            righted = deepcopy(data)
            righted["deals"][0]["events"][place(slip)] = truth["deals"][0]["events"][place(slip)]
            left = referee.check(Record.model_validate(righted), games.find)
            assert not mine & {(each.code, each.pointer) for each in left.findings}


def test_a_mechoune_stays_when_the_call_before_it_is_passed_over() -> None:
    """LB-19: the mode that all go on to call in is the one that is méchouned, and its imposer may choune."""
    record = auction("0 3D, 1 1C", say("0", "mechoune"), "2 1D, 3 0D", say("0", "choune"))
    verdict = told(record)
    assert codes(verdict) == ["BID008", "BID011"]  # 0 méchouned the mode that is 0's own
    assert verdict.deals[0].notes["0"]["auction"] == "imposed, méchoune"
    other = told(auction("0 3D, 1 1C", say("2", "mechoune"), "2 1D, 3 0D", say("0", "choune")))
    assert codes(other) == ["BID008"]
    assert other.deals[0].notes["0"]["auction"] == "imposed, choune"


def test_totals_that_hang_on_a_miswritten_call_follow_from_it() -> None:
    """Where one choune of the rubber counts in the totals, a call that bars it makes them all look wrong, and no total is."""
    data = load(ROOT / "fixtures/clean/batarde-6-players-rubber.handrec.json").model_dump(
        mode="json", exclude_unset=True, by_alias=True
    )
    events = data["deals"][2]["events"]
    (spot,) = [spot for spot, event in enumerate(events) if event.get("bid") == "3AT"]
    events[spot]["bid"] = "3D"
    verdict = told(data)
    assert codes(verdict) == ["REC011"]
    assert verdict.faults[0].facts["due"] == "3AT"
    assert {"SCO002"} <= {
        finding.code for finding in verdict.findings if finding.because == ("REC011", verdict.faults[0].pointer)
    }
