"""Bids and what hangs on them, at the edges: whose a bid is, what is offered, what was seen, and what cannot be told."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from handrec import check, referee
from handrec.dealing import deal_game
from handrec.game import Line, Table
from handrec.games import find
from handrec.games.spades3 import GAME as SPADES
from handrec.judging import Judge
from handrec.live import LiveTable, table
from handrec.record import Announce, Bid, Record
from tests.dealing import planted, the
from tests.tables import (
    Data,
    by_seat,
    codes,
    deal,
    drop,
    faults,
    game,
    levels,
    places,
    plays_of,
    put,
    reasons,
    sheet,
    spades_hand,
    verdict,
)

EVENTS = "/deals/0/events"
BUGAMI: Data = json.loads((Path(__file__).parents[1] / "fixtures/clean/bugami-one-deal.handrec.json").read_text("utf-8"))


def at(key: str, *events: Data, players: int = 3, options: Data | None = None, **fields: Any) -> tuple[LiveTable, Table]:
    """A table at which a deal has come so far, and how the referee sees that deal."""
    live = table(key, players, options, status="excerpt")
    for event in ({"do": "deal", **fields}, *events):
        assert live.apply(event).ok, event
    assert live.playing is not None
    return live, live.playing


def say(by: str, what: str, **fields: Any) -> Data:
    """An announcement."""
    return {"do": "announce", "by": by, "what": what, **fields}


def bid(by: str, number: int, **fields: Any) -> Data:
    """A bid of a number."""
    return {"do": "bid", "by": by, "bid": number, **fields}


# --- one bid each, in turn ------------------------------------------------------------------------------------------


def test_a_bid_under_a_seat_named_twice_is_that_of_the_one_in_turn_whom_nothing_names() -> None:
    """The pen slipped at the name: nobody bid twice, and nobody's bid is missing."""
    told = verdict(game("kbabs", 4, deal(number=12, dealer="3", turn="TH", bids="0 1, 0 2, 2 1, 3 1", status="complete")))
    found = [finding for finding in faults(told) if finding.code.startswith("BID")]
    assert [(f.code, f.pointer, f.facts["due"]) for f in found] == [("BID001", f"{EVENTS}/2", "1")]
    assert told.deals[0].bids == {"0": "1", "1": "2", "2": "1", "3": "1"}


WORDS: list[int | str] = [0, 1, 2, 3, 4, -1, "board", "rainbow", "misere", "1"]


@pytest.mark.parametrize("dealer", ["P3", None])
def test_what_is_said_of_a_bid_without_listing_all_is_what_the_list_says(dealer: str | None) -> None:
    """Of bids by whomever, with and without a word on looking; where nobody knows who deals, none is offered."""
    stated: dict[str, Any] = {"dealer": dealer} if dealer else {}
    live, playing = at("kbabs", {"do": "turn", "card": "TH"}, cards=3, **stated)
    phase = playing.game.phase_of["bid"]
    offered = phase.offers(playing)
    assert [each for each in live.legal().events if each.do == "bid"] == offered
    assert {each.by for each in offered} == ({"P1"} if dealer else set())
    words: list[dict[str, Any]] = [{"bid": word, **more} for word in WORDS for more in ({}, {"blind": True})]
    bids = [Bid(by=seat, **said) for seat in live.seats for said in words]
    assert [each for each in bids if phase.expects(playing, each) not in (None, each in offered)] == []


BEGUN: dict[str, tuple[int, list[Data]]] = {
    "spades3": (3, [bid("P1", 4), bid("P2", 4)]),
    "bugami": (3, [{"do": "bid", "by": seat, "bid": "H"} for seat in ("P1", "P2", "P3")]),
}


@pytest.mark.parametrize("key", BEGUN)
def test_a_deal_that_is_left_while_bids_are_made_is_judged_by_fast_ways_too(key: str) -> None:
    """They leave it to the referee, without failing."""
    players, events = BEGUN[key]
    data = deal_game(the(key), players, 1, numbers=[1]).model_dump(mode="json", by_alias=True, exclude_unset=True)
    del data["deals"][0]["claimed"]
    record = Record.model_validate(put(put(data, EVENTS, events), "/deals/0/dealer", "P3"))
    failed: list[Any] = []
    told = Judge(find, failed=lambda way, error: failed.append(error)).verdict(record)
    assert (told, failed) == (referee.check(record, find), [])


# --- books and accusations ------------------------------------------------------------------------------------------


def say_renege(by: str, of: str) -> Data:
    """A claim that somebody reneged."""
    return {"do": "accuse", "by": by, "of": of}


def take_books(by: str, of: str, tricks: int) -> Data:
    """Books taken from somebody."""
    return {"do": "transfer", "by": by, "of": of, "tricks": tricks}


def test_books_that_change_hands_are_noted_of_both() -> None:
    """SP-23: of who took them, and of who gave them up."""
    data = spades_hand(say_renege("0", "2"), take_books("0", "2", 2))
    assert verdict(drop(data, "/deals/0/claimed")).deals[0].notes == {"0": {"books": "+2"}, "2": {"books": "-2"}}


def test_whether_somebody_reneged_cannot_be_told_after_the_play_has_lost_its_order() -> None:
    """Nothing after the first trick can be verified, and so no claim is said to be wrong, nor the books for it."""
    lost = deal(number=1, dealer="2", plays="0 KC, 0 9C, 1 3C, 2 4C", status="stopped")
    lost["events"] += [say_renege("0", "2"), take_books("0", "2", 1)]
    told = verdict(game("spades3", 3, lost))
    assert [finding.code for finding in told.findings] == ["PLY003"]
    assert "whether 2 reneged cannot be told" in reasons(told, "L4")


@pytest.mark.parametrize("code", ["CLM003", "CLM004"])
def test_what_is_wrong_with_a_ruling_or_a_penalty_can_be_planted_kb_5_9(code: str) -> None:
    """There is a place for it in any deal, where a size is agreed on for penalties."""
    assert planted(the("kbabs"), code, 1) == (code,)


# --- guesses --------------------------------------------------------------------------------------------------------

HANDS = (
    "0: TS 9S 7S 2S 6H 4H AD KD 9D 5D 3D 2D AC 5C 4C 2C | 1: KS QS JS 6S AH KH QH 8H 5H 8D 4D KC 9C 7C 6C 3C"
    " | 2: AS 8S 5S 4S 3S JH TH 9H 3H 2H QD JD TD JC TC 8C"
)
WIDOW = ["6D", "7D", "QC", "7H"]


def guessed(card: str | None, turned: bool = True, **fields: Any) -> Data:
    """A hand of Basic whose play a claim ended after three tricks; then seat 0, the first, guesses a card. Seat 2 dealt."""
    turns = [{"do": "turn", "card": each} for each in WIDOW[:3]] if turned else []
    tricks = plays_of("0 4C, 1 KC, 2 TC; 1 AH, 2 TH, 0 6H; 1 4D, 2 JD, 0 AD")
    claim = {"do": "claim", "by": "0", "tricks": by_seat("5 2 6")}
    then = [*turns, *tricks, claim, *([say("0", "guess", card=card)] if card else [])]
    stated = {"bids": "0 8, 1 6, 2 3", "dealer": "2", **fields}
    return game("bastard", 3, deal(hands=HANDS, aside={"widow": WIDOW}, status="claimed", then=then, **stated))


@pytest.mark.parametrize(
    ("card", "turned", "seen"),
    [
        pytest.param("7H", True, False, id="the-hidden-one"),
        pytest.param("KC", True, True, id="played-by-another"),
        pytest.param("TH", True, True, id="discarded-by-another"),
        pytest.param("4C", True, True, id="played-by-itself"),
        pytest.param("9D", True, True, id="still-held"),
        pytest.param("7D", True, True, id="turned"),
        pytest.param("7D", False, True, id="turned-though-nobody-wrote-down-when"),
        pytest.param("7C", True, None, id="perhaps-shown-at-the-claim"),
    ],
)
def test_a_guess_of_a_card_that_was_seen_ba_a4(card: str, turned: bool, seen: bool | None) -> None:
    """Where that is forbidden: one's own, turned, or played by anybody; None where the record does not tell."""
    told = verdict(put(guessed(card, turned), "/options", {"guess_seen_card": "forbidden"}))
    assert codes(told) == ["BID015"] * (seen is True)
    assert levels(told)[1] == {True: "F", False: "p", None: "?"}[seen]


def test_whose_turn_it_was_to_guess_cannot_be_told_without_the_dealer() -> None:
    """That is a doubt by itself, where no bid is on record for which it would be one."""
    unknown: dict[str, Any] = {"bids": "", "dealer": None}
    guess, none = (drop(guessed(card, **unknown), "/deals/0/dealer") for card in ("7H", None))
    assert "the dealer is not recorded" in reasons(verdict(guess), "L3")
    assert "the dealer is not recorded" not in reasons(verdict(none), "L3")


# --- open and blind bids --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "stands"),
    [
        pytest.param([bid("0", 4, blind=True), bid("0", 5)], "blind5", id="blind-raised"),
        pytest.param([bid("0", 4), bid("0", 5)], "5", id="open-raised"),
        pytest.param([bid("0", 14, blind=True), bid("0", 5)], "5", id="no-bid-then-a-first-one"),
        pytest.param([bid("0", 14, blind=True), bid("0", 5, blind=True)], "blind5", id="no-bid-then-a-blind-one"),
    ],
)
def test_only_a_blind_bid_that_is_raised_stays_blind_sp_10(said: list[Data], stands: str) -> None:
    """Where the table has it so: an open one does not become blind, nor does the first number after one that is no bid."""
    dealt = deal(number=1, dealer="2", then=said, status="in_progress")
    told = verdict(game("spades3", 3, dealt, options={"blind_raise": "stays_blind"}))
    assert told.deals[0].bids == {"0": stands}


def test_to_look_is_offered_to_whoever_has_not_looked() -> None:
    """And with it blind bids, until somebody bids openly."""
    looked = say("P2", "look")
    live, _ = at("spades3", looked, dealer="P3", number=1)
    legal = live.legal().events
    assert [event.by for event in legal if event == Announce(by=event.by, what="look")] == ["P1", "P3"]
    assert {event.by for event in legal if event.do == "bid" and event.blind} == {"P1", "P3"}


def test_nobody_who_wants_to_win_is_thought_to_bid_blind() -> None:
    """Of all that may be said, only looks and open first bids are sensible."""
    live, playing = at("spades3", dealer="P3", number=1)
    sensible = playing.game.phase_of["bid"].sensible(playing, list(live.legal().events))
    assert {event.what for event in sensible if event.do == "announce"} == {"look"}
    bids = [event for event in sensible if event.do == "bid"]
    assert [(event.by, event.blind) for event in bids] == [("P1", None)]


@pytest.mark.parametrize("stands", [0, 1, 4, 13])
def test_all_numbers_that_are_no_raise_can_be_planted_sp_9(stands: int) -> None:
    """Those that the referee calls no increase, and no others."""
    _, playing = at("spades3", bid("P1", stands), dealer="P3", number=1)
    phase, rule = playing.game.phase_of["bid"], playing.game.rule("BID017")
    begun = deal(number=1, dealer="P3", status="in_progress")
    lowered = [
        number
        for number in range(15)
        if codes(verdict(game("spades3", "P1 P2 P3", {**begun, "events": [bid("P1", stands), bid("P1", number)]}))) == ["BID017"]
    ]
    assert [event.bid for event in phase.offers(playing, rule)] == lowered == [*range(stands + 1)]


@pytest.mark.parametrize(("points", "wrong"), [(50, []), (150, []), (250, ["SCO001"])])
def test_whether_a_side_bid_was_won_is_yes_or_no_where_nobody_knows(points: int, wrong: list[str]) -> None:
    """A game from outside may count it, as a number: once, or not at all."""
    bemo = next(line for line in SPADES.score if line.key == "bemo")
    counted = Line("bemo", bemo.rule, lambda hand: 100 * hand.won_bemo)
    other = replace(SPADES, score=tuple(counted if line is bemo else line for line in SPADES.score), carries=())
    other = replace(other, score=tuple(line for line in other.score if line.key in ("bid", "bemo")))
    data = game("spades3", 3, sheet("5+bemo 4 4", "5 4 4", number=1))
    told = referee.check(Record.model_validate(put(data, "/deals/0/claimed/scores", {"0": points})), lambda key: other)
    assert codes(told) == wrong


# --- cards passed ---------------------------------------------------------------------------------------------------

LEFT, RIGHT, ACROSS = "ESWN", "WNES", "SWNE"


def passed(passing: str, ways: Sequence[str], numbers: Sequence[int]) -> Data:
    """Deals of hearts of which the cards passed are on record, and where each seat's went."""
    record = deal_game(the("hearts"), 4, 1, options={"passing": "left"}, numbers=range(1, len(ways) + 1))
    data: Data = record.model_dump(mode="json", by_alias=True, exclude_unset=True)
    data["options"] = {"passing": passing}
    for each, way, number in zip(data["deals"], ways, numbers, strict=True):
        del each["claimed"]
        each["number"], each["status"] = number, "stopped"
        each["events"] = [event for event in each["events"] if event["do"] == "exchange"]
        for event in each["events"]:
            event["to"] = way["NESW".index(event["by"])]
    return data


@pytest.mark.parametrize(
    ("passing", "ways", "wrong"),
    [
        pytest.param("left_right_across_none", (LEFT, RIGHT, ACROSS), [], id="one-of-the-ways"),
        pytest.param("left", (LEFT, RIGHT, LEFT), ["/deals/1/events/0"], id="not-one-of-the-ways"),
        pytest.param("left", (LEFT, LEFT, LEFT), [], id="the-only-way"),
    ],
)
def test_a_wrong_number_excuses_only_a_way_that_is_one_of_those_in_turn_he_4(
    passing: str, ways: Sequence[str], wrong: list[str]
) -> None:
    """All passed the right way for another number; but where cards only go to the left, no number makes it right."""
    told = faults(verdict(passed(passing, ways, [1, 7, 3])))
    assert [finding.pointer for finding in told if finding.code == "PLY009"] == wrong
    assert [finding.pointer for finding in told if finding.code != "PLY009"] == ["/deals/1/number"]


# --- Bugami ---------------------------------------------------------------------------------------------------------


def test_a_card_turned_that_also_lies_in_a_hand_hides_no_score() -> None:
    """Who took what is known all the same, and the score is compared."""
    data = put(drop(BUGAMI, "/deals/0/aside"), f"{EVENTS}/3/card", "AH")
    told = verdict(data)
    assert codes(told) == ["DEA002"]
    assert told.deals[0].scores == {"P1": 20, "P2": 7, "P3": 40}
    assert codes(verdict(put(data, "/deals/0/claimed/scores/P2", 8))) == ["SCO001", "DEA002"]


def test_where_another_card_lies_there_than_is_turned_the_suit_to_be_avoided_is_open() -> None:
    """Either may be the turnip: no suit is noted of who left it to the card."""
    assert verdict(BUGAMI).deals[0].notes["P1"]["suit"] == "S"
    told = verdict(put(BUGAMI, f"{EVENTS}/3/card", "AH"))
    assert codes(told) == ["DEA007"]
    assert "suit" not in told.deals[0].notes["P1"]


def test_a_wrong_score_is_told_though_no_tricks_are_written_down() -> None:
    """Also where it is asked under which other readings of the rules it would be right."""
    claimed = {"scores": {"P1": 20, "P2": 8, "P3": 40}}
    told = check(Record.model_validate(put(drop(BUGAMI, "/claimed"), "/deals/0/claimed", claimed)))
    assert places(faults(told)) == [("SCO001", "BG-9", 1, None, "P2", "/deals/0/claimed/scores/P2")]


def test_a_bid_too_late_is_planted_right_after_the_card_too() -> None:
    """Some such bids come when the card has been faced, some when the first card has been led."""
    found = set()
    for seed in range(12):
        record = deal_game(the("bugami"), 3, seed, numbers=[1], inject="BID021")
        (fault,) = referee.check(record, find).faults
        found.add(fault.facts["after"])
    assert found == {"the turnip was faced", "the first card was led"}


# --- sips -----------------------------------------------------------------------------------------------------------


def test_one_sip_may_be_due_whatever_is_agreed() -> None:
    """KB-8.2: whoever missed by so much that nothing is agreed drinks one; so that can be said at any such table."""
    sips = {"1": 2}
    missed = [say("0", "sips", count=0), say("1", "sips", count=0)]
    data = game("kbabs", 4, {**sheet("2 0 0 0", "0 1 1 0", cards=2), "events": missed}, options={"sips": sips})
    due = {finding.seat: finding.facts["due"] for finding in faults(verdict(data)) if finding.code == "SCO006"}
    assert due == {"0": 1, "1": 2, "2": 2}
    _, playing = at("kbabs", players=4, options={"sips": sips}, cards=2, dealer="W")
    said = {event.count for event in playing.game.phase_of["announce:sips"].all_sayable(playing)}
    assert said == set(due.values())


# --- bridge ---------------------------------------------------------------------------------------------------------


def contract(
    bid: str,
    by: str | None = None,
    sides: Data | None = None,
    honours: Data | None = None,
    scoring: str = "duplicate",
    **fields: Any,
) -> Data:
    """A deal of which only the contract, perhaps honours, and what the sides have is recorded."""
    event = {"do": "contract", "bid": bid} | ({"by": by} if by else {})
    board = {"number": 1, "dealer": "N", "events": [event, *([honours] if honours else [])], "status": "claimed", **fields}
    claimed = {"claimed": {"sides": sides}} if sides else {}
    return game("bridge", "N E S W", {**board, **claimed}, options={"scoring": scoring}) | {"version": "1.1"}


@pytest.mark.parametrize(
    ("bid", "by", "stakes"),
    [("4H", "N", "4H by N"), ("3NTx", "E", "3NTx by E"), ("4H", None, "4H"), ("pass", None, "passed out")],
)
def test_what_a_deal_is_played_for_names_the_declarer(bid: str, by: str | None, stakes: str) -> None:
    """As far as it is known."""
    assert verdict(contract(bid, by)).deals[0].stakes == stakes


@pytest.mark.parametrize(("points", "wrong"), [(0, []), (50, ["SCO001"])])
def test_a_deal_that_was_passed_out_scores_nothing_br_77(points: int, wrong: list[str]) -> None:
    """Nobody declares, and so nothing about it is unknown."""
    told = verdict(contract("pass", sides={"NS": {"score": points}}))
    assert codes(told) == wrong
    assert {side: result.score for side, result in told.deals[0].sides.items()} == {"NS": 0, "EW": 0}


ACES = "AS AH AD AC 2S 3S 4S 5S 6S 7S 8S 9S TS"
SPADE_HONOURS = "AS KS QS JS TS 2H 3H 4H 5H 6H 7H 8H 9H"


@pytest.mark.parametrize(
    ("bid", "hand", "due"),
    [
        pytest.param("1NT", ACES, 150, id="four-aces-at-no-trump"),
        pytest.param("1NT", ACES.replace("AC", "KC"), 0, id="three-aces-at-no-trump"),
        pytest.param("1S", ACES, 0, id="four-aces-at-a-suit"),
        pytest.param("1S", SPADE_HONOURS, 150, id="five-trump-honours"),
        pytest.param("1S", SPADE_HONOURS.replace("TS", "9S"), 100, id="four-trump-honours"),
        pytest.param("1NT", SPADE_HONOURS, 0, id="a-long-suit-at-no-trump"),
    ],
)
def test_what_honours_count_br_81(bid: str, hand: str, due: int) -> None:
    """Four of the five highest trumps 100, all five 150; at no trump only four aces, 150."""
    for count in (0, 100, 150):
        honours = say("N", "honours", count=count)
        told = verdict(contract(bid, "S", {"NS": {"tricks": 7}}, honours, "rubber", hands={"N": hand.split()}))
        found = [(finding.code, finding.facts["due"]) for finding in faults(told)]
        assert found == ([] if count == due else [("SCO007", due)])


@pytest.mark.parametrize(("points", "wrong"), [(60, []), (160, []), (210, []), (211, ["SCO001"]), (110, ["SCO001"])])
def test_honours_of_a_hand_that_is_not_on_record_may_be_any_br_81(points: int, wrong: list[str]) -> None:
    """Nothing, 100 or 150 beside the tricks, and nothing else."""
    told = verdict(contract("2S", "N", {"NS": {"tricks": 8, "score": points}}, say("N", "honours"), "rubber"))
    assert codes(told) == wrong
    assert wrong or "score cannot be recomputed" in reasons(told, "L5")
