"""The referee on deals together: which numbers and dealers are due, what the whole game says of sides, what stands first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from handrec import check, load
from tests.games.test_bridge_auction import SOUND, board
from tests.tables import Data, faults, game, levels, reasons, verdict

NOT_RECORDED = "deal {}: the dealer is not recorded"


def deals(*told: tuple[int | None, str | None], status: str = "excerpt", key: str = "kbabs", **fields: Any) -> Data:
    """Deals of which number and dealer are on record, and no more."""
    each = [{"number": number, "dealer": dealer, "events": []} for number, dealer in told]
    known = [{name: value for name, value in deal.items() if value is not None} for deal in each]
    return game(key, "N E S W", *known, status=status, **fields)


def found(data: Data) -> list[tuple[str, str]]:
    """Codes and places of what is wrong."""
    return [(finding.code, finding.pointer) for finding in faults(verdict(data))]


@pytest.mark.parametrize(
    ("numbers", "wrong"),
    [
        ((3, 14, 5, 6), [1]),  # 4, miswritten
        ((3, 14, 4, 5), [1]),  # 14 is from elsewhere
        ((3, 4, 14, 7, 8), [2]),
        ((3, 14, 15), []),  # deals may be left out of an excerpt
        ((3, 14, 16, 15), [2]),
        ((14, 1, 2), [0]),
    ],
)
def test_one_number_that_is_too_high_throws_out_none_after_it(numbers: tuple[int, ...], wrong: list[int]) -> None:
    """In an excerpt, where any may follow that are higher."""
    assert found(deals(*((number, None) for number in numbers))) == [("DEA010", f"/deals/{place}/number") for place in wrong]


@pytest.mark.parametrize(
    ("told", "wrong"),
    [
        (((3, "N"), (4, "E")), []),
        (((3, "N"), (4, "N")), [1]),
        (((3, "N"), (5, "N")), []),  # who dealt the fourth is not on record
        (((3, "N"), (4, None), (5, "S")), []),
        (((3, "N"), (4, None), (5, "N")), [2]),
        (((1, "N"), (5, None), (6, "N")), []),
        (((None, "N"), (None, "N")), []),
    ],
)
def test_who_deals_follows_from_the_deal_before_if_that_is_on_record(told: Any, wrong: list[int]) -> None:
    """In an excerpt the one before is that of the number before."""
    assert found(deals(*told)) == [("DEA006", f"/deals/{place}/dealer") for place in wrong]


@pytest.mark.parametrize(
    ("told", "key", "doubted"),
    [
        (((3, None),), "kbabs", []),
        (((3, "N"), (4, "E")), "kbabs", []),
        (((3, "N"), (4, None)), "kbabs", [4]),
        (((3, None), (4, None)), "bridge", []),  # there a board's number tells
    ],
)
def test_a_dealer_who_is_not_recorded_is_doubted_where_dealers_follow(told: Any, key: str, doubted: list[int]) -> None:
    """Not of a deal that stands alone."""
    said = reasons(verdict(deals(*told, key=key)), "L6")
    assert [number for number in range(1, 10) if NOT_RECORDED.format(number) in said] == doubted


def rubber(**claimed: int) -> Data:
    """A rubber that North and South win in two games, of which these totals are claimed."""
    sides = [{"NS": {"tricks": 10, "score": score}, "EW": {"tricks": 3, "score": 0}} for score in (120, 820)]
    contract = {"do": "contract", "by": "N", "bid": "4S"}
    both = [{"dealer": "NE"[place], "events": [contract], "claimed": {"sides": side}} for place, side in enumerate(sides)]
    record = game("bridge", "N E S W", *both, options={"scoring": "rubber"}, status="complete")
    return record | {"claimed": {"sides": {side: {"score": score} for side, score in claimed.items()}}}


def test_the_total_of_a_side_is_the_sum_of_its_deals() -> None:
    """Of the whole game, as it is claimed."""
    assert found(rubber(NS=940, EW=0)) == []
    assert found(rubber(NS=930, EW=0)) == [("SCO002", "/claimed/sides/NS/score")]
    assert found(rubber(NS=940, EW=10)) == [("SCO002", "/claimed/sides/EW/score")]


def test_findings_stand_in_the_order_of_the_record() -> None:
    """Deal by deal and place by place, the tenth event after the second; what is of the whole record first."""
    plays = [{"do": "play", "by": "NESW"[place % 4], "card": f"{rank}{suit}"} for place, (suit, rank) in enumerate(
        (suit, rank) for rank in "23456" for suit in "CDHS")]  # fmt: skip
    events = [*plays[:2], {"do": "play", "by": "S", "card": "ZZ"}, *plays[3:10], {"do": "play", "by": "S", "card": "YY"}]
    second = {"dealer": "N", "events": [{"do": "play", "by": "N", "card": "XX"}], "claimed": {"trump": "H"}}
    told = verdict(game("whist", "N E S W", {"dealer": "N", "events": events}, second, status="stopped"))
    cards = [finding.pointer for finding in told.findings if finding.code == "DEA001"]
    assert cards == ["/deals/0/events/2/card", "/deals/0/events/10/card", "/deals/1/events/0/card"]
    whole = [finding.deal or 0 for finding in told.findings]
    assert whole == sorted(whole)


def test_a_warning_fails_no_level() -> None:
    """Who is vulnerable on boards whose numbers bind nobody is worth a word; else it is wrong."""
    for options, severity in (({"boards": "free"}, "warning"), ({}, "error")):
        told = verdict(board(SOUND, board=18, vulnerable="EW", options=options))
        assert [(finding.code, finding.severity) for finding in told.findings] == [("DEA012", severity)]
        assert ("F" in levels(told)) == (severity == "error")


def test_what_only_follows_from_a_slip_fails_no_level() -> None:
    """Of the fixtures of slips: a level fails by what is wrong by itself; with consequences alone it cannot be checked."""
    open_, paths = 0, sorted((Path(__file__).parents[1] / "fixtures/broken/slips").glob("*.json"))
    assert len(paths) > 10
    for path in paths:
        told = check(load(path))
        errors = [finding for finding in told.findings if finding.severity == "error"]
        roots = {finding.level for finding in errors if finding.because is None}
        follow = {finding.level for finding in errors if finding.because is not None} - roots - {"L2"}
        status = {level.key: level.status for level in told.levels}
        assert {key for key in status if status[key] == "failed"} == roots, path.name
        assert {status[key] for key in follow} <= {"not checkable"}, path.name
        open_ += len(follow)
    assert open_ > 3
