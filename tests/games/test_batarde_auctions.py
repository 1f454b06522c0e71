"""La Bâtarde: whatever single thing is wrong with an auction, one thing is found, and no call is told that was not made."""

from __future__ import annotations

from collections import Counter

import pytest

from handrec import games, referee
from handrec.record import Record
from tests.auctions import KINDS, dealt, planted
from tests.games.test_batarde_rules import at, auction, say
from tests.tables import Data, drop, faults, levels, places, put, reasons, verdict

TWELVE = range(12)


def judged(record: Data) -> tuple[list[str], str | None, dict[str, str]]:
    """The codes of what is found by the referee alone, what is played, and the calls told."""
    told = referee.check(Record.model_validate(record), games.find)
    return [finding.code for finding in told.faults], told.deals[0].order, dict(told.deals[0].bids)


@pytest.mark.some(4)
@pytest.mark.parametrize("seed", TWELVE)
def test_one_thing_wrong_is_one_finding(seed: int) -> None:
    """At every place, with and without the play: one finding at most, none where the auction is legal by itself."""
    whole = dealt(seed)
    (deal,) = whole["deals"]
    calls_only = [event for event in deal["events"] if event["do"] != "play"]
    found: Counter[tuple[str, int]] = Counter()
    for record in (whole, {**whole, "deals": [{**deal, "events": calls_only, "status": "in_progress"}]}):
        clean, order, bids = judged(record)
        assert clean == []
        bids = {seat: bid.rstrip("ms") for seat, bid in bids.items()}  # a mark may have been told by the call that is missing
        for kind, place, data in planted(record):
            codes, other_order, other_bids = judged(data)
            found[kind, len(codes)] += 1
            assert len(codes) <= 1, (kind, place)
            if codes:  # what is told of the calls is what was called, as far as it can be told
                assert other_order in (None, order), (kind, place)
                assert {seat: bid.rstrip("ms") for seat, bid in other_bids.items()}.items() <= bids.items(), (kind, place)
    assert {kind for kind, many in found if many == 1} == set(KINDS)
    assert {kind for kind, many in found if many == 0} <= {"left out"}  # the last call, while the auction goes on


@pytest.mark.some(4)
@pytest.mark.parametrize("seed", TWELVE)
def test_nobody_who_calls_is_said_to_have_made_no_bid(seed: int) -> None:
    """A call left out by a seat that calls elsewhere is told where the next one is out of turn."""
    for _, _, data in planted(dealt(seed)):
        callers = {event["by"] for event in data["deals"][0]["events"] if event["do"] == "bid"}
        for finding in referee.check(Record.model_validate(data), games.find).faults:
            assert finding.seat not in callers or "no bid" not in finding.message


FIVE = {"deal_schedule": [5]}

NAMED = {
    "auction-first-two-swapped": (auction("1 1NT, 0 2NT, 2 1NT", players=3, **FIVE), "BID001 LB-12", "1"),
    "auction-wrong-first-caller": (auction("2 1NT, 1 2NT, 2 1NT", players=3, **FIVE), "BID001 LB-12", "2"),
    "auction-wrong-first-caller4": (auction("2 1NT, 1 2NT, 2 1NT, 3 0NT", players=4, **FIVE), "BID001 LB-12", "2"),
    "call-left-out-of-a-seat-that-calls-again": (auction("0 1D, 2 2S, 3 0S, 0 0S, 1 0S"), "BID001 LB-12", "2"),
    "call-doubled": (auction("0 1D, 0 1D, 1 0D, 2 1D, 3 0D"), "BID005 LB-16", "0"),
    "call-out-of-turn-that-does-not-count": (auction("0 1D, 3 5S, 1 0D, 2 1D, 3 0D"), "BID001 LB-12", "3"),
    "call-far-too-late": (auction("0 1D, 2 1D, 3 0D, 1 0D"), "BID001 LB-12", "2"),
    "left-out-call-overcalled-in-the-old-mode": (auction("0 2D, 1 1D, 3 4D, 0 2D, 1 0D, 2 0D"), "BID001 LB-12", "3"),
}


@pytest.mark.parametrize("name", NAMED)
def test_named_faults(name: str) -> None:
    """Each at its place, once."""
    record, what, seat = NAMED[name]
    (found,) = places(faults(verdict(record)))
    assert (f"{found[0]} {found[1]}", found[4]) == (what, seat)


def test_a_dealer_whom_calls_and_lead_contradict_is_the_dealer_written_wrong() -> None:
    """Nobody called or led out of turn."""
    record = auction("1 1D, 2 1D, 3 0D, 0 0D", {"do": "play", "by": "1", "card": "RD"})
    assert places(faults(verdict(record))) == [at("/dealer", "DEA006 LB-4", "3")]


def test_where_two_things_explain_it_alike_the_calls_are_not_known() -> None:
    """Whether 2 called for 1, or 1's call is missing, only the rest of the auction could tell."""
    told = verdict(auction("0 1S, 1 2D, 3 1D", status="stopped"))
    assert [finding.code for finding in faults(told)] == ["BID006"]
    assert told.deals[0].bids == {"1": "2D"}
    assert levels(told)[1] == "F"


def test_a_missing_call_may_have_imposed_what_its_seat_then_may_not_mechoune() -> None:
    """LB-20: 0 méchounes what 1 has imposed, though that call is not on record."""
    record = auction("0 1D", say("0", "mechoune"), "2 1NT, 3 1NT, 0 1NT", cards=4, mechoune_by="not_proposer")
    assert places(faults(verdict(record))) == [at("/events/2", "BID006 LB-16", "1")]


def test_numbers_are_not_too_high_for_hands_of_which_nobody_knows_the_size() -> None:
    """Nor do they add up to it: LB-12 and LB-17 cannot be checked, but for what no hand of the pack can win."""
    for status in ("in_progress", "complete"):
        record = drop(auction("0 2D, 1 1D, 2 1D, 3 1D", status=status), "/deals/0/cards")
        assert faults(verdict(record)) == []
        assert levels(verdict(record))[1] == "?"
        assert "how many cards" in reasons(verdict(record), "L3")
    high = drop(auction("0 2D, 1 10D"), "/deals/0/cards")
    assert places(faults(verdict(high))) == [at("/events/1/bid", "BID002 LB-12", "1")]
    numbered = drop(put(auction("0 2D, 1 6D"), "/deals/0/number", 1), "/deals/0/cards")
    assert places(faults(verdict(numbered))) == [at("/events/1/bid", "BID002 LB-12", "1")]


def test_an_auction_out_of_turn_without_end_is_not_searched_without_end() -> None:
    """After some calls out of turn the others are only told."""
    called = ", ".join(f"{seat} {number}S" for seat, number in zip("02143" * 400, "12345" * 400, strict=True))
    found = faults(verdict(auction(called, players=5)))
    assert {finding.code for finding in found} <= {"BID001", "BID005", "BID006", "BID010", "BID016"}
    assert reasons(verdict(auction(called, players=5)), "L5")
