"""La Bâtarde: for every rule a record that breaks it and nothing else, one that obeys it; options, gaps, properties."""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.dealing import deal_game
from handrec.game import compose
from handrec.games import find
from handrec.record import Record
from handrec.referee import replay
from tests.tables import (
    Data,
    bids_of,
    by_seat,
    codes,
    cut,
    deal,
    drop,
    faults,
    game,
    insert,
    levels,
    places,
    plays_of,
    put,
    reasons,
    sheet,
    swap,
    verdict,
)

EVENTS = "/deals/0/events"
Case = tuple[Data, tuple[Any, ...]]


def at(pointer: str, what: str, seat: Any = None, trick: Any = None) -> tuple[Any, ...]:
    """The finding expected in the one deal; `what` is its code and rule id."""
    return (*what.split(), 1, trick, seat, "/deals/0" + pointer)


def say(by: str, what: str) -> Data:
    """Méchoune or choune."""
    return {"do": "announce", "by": by, "what": what}


def auction(*parts: str | Data, players: int = 4, status: str = "in_progress", cards: int = 5, **options: Any) -> Data:
    """A deal by the last seat as far as it was called; `parts` are calls and what is said between them."""
    events = [event for part in parts for event in (bids_of(part) if isinstance(part, str) else [part])]
    called = deal(cards=cards, dealer=str(players - 1), then=events, status=status)
    return game("batarde", players, called, options=options)


PLAYS = "0 RH, 1 NH, 2 TH, 3 VH; 0 TC, 1 JC, 2 DC, 3 CD; 2 MS, 3 TD, 0 DS, 1 FS"
RESULT = {
    "trump": "S",
    "bids": {str(seat): "1S" for seat in range(4)},
    "winners": ["0", "2", "1"],
    "tricks": by_seat("1 1 1 0"),
    "scores": by_seat("0 0 0 -1"),
}
HAND = game(
    "batarde",
    4,
    deal(
        dealer="3",
        hands="0: RH DS TC | 1: NH FS JC | 2: MS TH DC | 3: VH CD TD",
        bids="0 1S, 1 1S, 2 1S, 3 1S",
        plays=PLAYS,
        claimed=RESULT,
    ),
)
BARE = drop(HAND, "/deals/0/claimed")


def hand(mode: str, hands: str, plays: str, players: int = 4, **options: Any) -> Data:
    """A few plays in a mode whose auction is not recorded."""
    events = [{"do": "contract", "bid": mode}, *plays_of(plays)]
    dealt = deal(dealer=str(players - 1), hands=hands, then=events, status="in_progress")
    return game("batarde", players, dealt, options=options)


LOCKED = ("0 2H", say("2", "mechoune"))
CLOSED = (*LOCKED, "1 1H, 2 1H, 3 0H")

CALL_CASES: dict[str, Case] = {
    "lb-12-neighbours-exchanged": (auction("0 2D, 2 1D, 1 3S"), at("/events/1", "BID001 LB-12", "2")),
    "lb-12-before-its-turn": (auction("0 2D, 2 3S, 1 4H, 2 0H, 3 0H, 0 0H"), at("/events/1", "BID001 LB-12", "2")),
    "lb-12-dealer-first": (auction("3 1D, 0 2D, 1 1D, 2 0D"), at("/events/0", "BID001 LB-12", "3")),
    "lb-12-too-many": (auction("0 6S"), at("/events/0/bid", "BID002 LB-12", "0")),
    "lb-12-number-alone": (auction("0 2"), at("/events/0/bid", "BID002 LB-12", "0")),
    "lb-12-unknown-word": (auction("0 pass"), at("/events/0/bid", "BID002 LB-12", "0")),
    "lb-12-mark-with-one-pack": (auction("0 2Sm"), at("/events/0/bid", "BID002 LB-12", "0")),
    "lb-12-unknown-call-then-others": (auction("0 2S, 1 xyz, 2 1S, 3 0S"), at("/events/1/bid", "BID002 LB-12", "1")),
    "lb-a18-zero": (auction("0 0S", zero_impose=False), at("/events/0/bid", "BID002 LB-12", "0")),
    "lb-13-mark-missing": (auction("0 2S", players=5), at("/events/0/bid", "BID010 LB-13", "0")),
    "lb-13-mark-changed": (auction("0 2Sm, 1 3Ss", players=5), at("/events/1/bid", "BID010 LB-13", "1")),
    "lb-13-mark-as-new-trump": (
        auction("0 2Sm, 1 2Ss", players=5, mark_change="as_new_trump"),
        at("/events/1/bid", "BID008 LB-14", "1"),
    ),
    "lb-13-mark-as-new-trump-beside-the-highest": (
        auction("0 2Sm, 1 2Ss", players=5, mark_change="as_new_trump", overcall_basis="highest"),
        at("/events/1/bid", "BID008 LB-14", "1"),
    ),
    "lb-13-mark-changed-where-it-decides-nothing": (
        auction("0 2Sm, 1 1S, 2 3Ss", players=5, identical_cards="marked"),
        at("/events/2/bid", "BID010 LB-13", "2"),
    ),
    "lb-13-mark-as-new-trump-where-it-decides-nothing": (
        auction("0 2Sm, 1 1S, 2 2Ss", players=5, identical_cards="last_played", mark_change="as_new_trump"),
        at("/events/2/bid", "BID008 LB-14", "2"),
    ),
    "lb-14-too-low": (auction("0 2D, 1 2C"), at("/events/1/bid", "BID008 LB-14", "1")),
    "lb-14-mended-at-once": (auction("0 3D, 1 2C, 1 1D, 2 1D, 3 1D"), at("/events/1/bid", "BID008 LB-14", "1")),
    "lb-14-passed-over-by-all": (auction("0 3D, 1 2C, 2 1D, 3 1D, 1 2D"), at("/events/1/bid", "BID008 LB-14", "1")),
    "lb-14-hierarchy": (
        auction("0 2S, 1 2AT", suit_hierarchy=["S", "H", "D", "C", "NT", "AT"]),
        at("/events/1/bid", "BID008 LB-14", "1"),
    ),
    "lb-16-missing-last": (auction("0 1S, 1 1S, 2 1S", status="claimed"), at("", "BID006 LB-16", "3")),
    "lb-16-missing-approval": (auction("0 1S, 2 1S, 3 1S", status="claimed"), at("/events/1", "BID006 LB-16", "1")),
    "lb-16-missing-call-that-imposed": (auction("0 2D, 2 1S, 3 0S, 0 0S"), at("/events/1", "BID006 LB-16", "1")),
    "lb-16-missing-call-that-was-locked": (
        auction("0 2D", say("3", "mechoune"), "2 1S, 3 0S"),
        at("/events/2", "BID006 LB-16", "1"),
    ),
    "lb-16-missing-first": (auction("1 2D, 2 1D, 3 0D"), at("/events/0", "BID006 LB-16", "0")),
    "lb-16-after-the-lead": (swap(BARE, 3, 4), at("/events/4", "BID007 LB-16", "3")),
    "lb-16-when-all-have-called": (auction("0 1S, 1 1S, 2 1S, 3 1S, 0 2S"), at("/events/4", "BID016 LB-16", "0")),
    "lb-16-new-mode-when-all-have-called": (auction("0 1S, 1 1S, 2 1S, 3 1S, 0 2AT"), at("/events/4", "BID016 LB-16", "0")),
    "lb-16-two-targets": (
        auction({"do": "contract", "bid": "S"}, "0 1S, 1 1S, 0 2S"),
        at("/events/3", "BID005 LB-16", "0"),
    ),
    "lb-16-target-in-another-mode": (auction({"do": "contract", "bid": "S"}, "0 1H"), at("/events/1", "BID016 LB-16", "0")),
    "lb-17-sum": (auction("0 2S, 1 1S, 2 1S, 3 1S"), at("/events/3/bid", "BID003 LB-17", "3")),
    "lb-17-after-a-mechoune": (auction(*LOCKED, "1 1H, 2 1H, 3 1H"), at("/events/4/bid", "BID003 LB-17", "3")),
    "lb-17-beside-a-contract": (
        auction({"do": "contract", "by": "1", "bid": "S"}, "0 2S, 1 1S, 2 1S, 3 1S"),
        at("/events/1/bid", "BID003 LB-17", "0"),
    ),
    "lb-17-beside-a-contract-of-nobody": (
        auction({"do": "contract", "bid": "S"}, "0 2S, 1 1S, 2 1S, 3 1S"),
        at("", "BID003 LB-17"),
    ),
    "lb-19-locked": (auction(*LOCKED, "1 5AT"), at("/events/2/bid", "BID009 LB-19", "1")),
    "lb-19-locked-and-passed-over": (auction(*LOCKED, "1 3S, 2 1H, 3 1H, 1 0H"), at("/events/2/bid", "BID009 LB-19", "1")),
    "lb-19-twice": (auction(*LOCKED, say("1", "mechoune")), at("/events/2", "BID011 LB-19", "1")),
    "lb-19-too-early": (auction(say("1", "mechoune"), "0 1S"), at("/events/0", "BID012 LB-19", "1")),
    "lb-20-too-late": (auction("0 1S, 1 1S, 2 1S, 3 1S", say("1", "mechoune")), at("/events/4", "BID012 LB-20", "1")),
    "lb-20-void-then-choune": (
        auction("0 1S, 1 1S, 2 1S, 3 1S", say("1", "mechoune"), say("0", "choune")),
        at("/events/4", "BID012 LB-20", "1"),
    ),
    "lb-20-own-mode": (
        auction("0 2H", say("0", "mechoune"), mechoune_by="not_proposer"),
        at("/events/1", "BID011 LB-20", "0"),
    ),
    "lb-21-another": (auction(*CLOSED, say("1", "choune")), at("/events/5", "BID011 LB-21", "1")),
    "lb-21-own-mechoune": (auction("0 2H", say("0", "mechoune"), say("0", "choune")), at("/events/2", "BID011 LB-21", "0")),
    "lb-21-own-mechoune-any-bidder": (
        auction("0 2H, 1 1H", say("0", "mechoune"), say("1", "choune"), choune_by="any_bidder"),
        at("/events/3", "BID011 LB-21", "1"),
    ),
    "lb-21-mechouner": (auction(*CLOSED, say("2", "choune"), choune_by="any_bidder"), at("/events/5", "BID011 LB-21", "2")),
    "lb-21-twice": (auction(*CLOSED, say("0", "choune"), say("0", "choune")), at("/events/6", "BID011 LB-21", "0")),
    "lb-21-without-mechoune": (auction("0 2H", say("0", "choune")), at("/events/1", "BID012 LB-21", "0")),
    "lb-21-after-the-lead": (
        insert(insert(BARE, f"{EVENTS}/5", say("0", "choune")), f"{EVENTS}/1", say("1", "mechoune")),
        at("/events/6", "BID012 LB-21", "0"),
    ),
    "c-6g-contract-of-another-mode": (
        insert(BARE, f"{EVENTS}/4", {"do": "contract", "bid": "H"}),
        at("/events/4/bid", "DEA009 C-6g"),
    ),
    "c-6e-contract-unknown": (auction({"do": "contract", "bid": "X"}), at("/events/0/bid", "BID002 LB-12")),
    "c-6e-blind": (auction({"do": "bid", "by": "0", "bid": "1S", "blind": True}), at("/events/0/blind", "PLY007 C-6e", "0")),
}

PLAY_CASES: dict[str, Case] = {
    "lb-2-foreign": (put(BARE, "/deals/0/hands/0/0", "AH"), at("/hands/0/0", "DEA001 LB-2", "0")),
    "lb-2-other-pack": (put(BARE, "/deals/0/hands/0/0", "RHm"), at("/hands/0/0", "DEA001 LB-2", "0")),
    "lb-5-ladder": (put(BARE, "/deals/0/number", 1), at("", "DEA005 LB-5")),
    "lb-6-turned": (insert(BARE, f"{EVENTS}/0", {"do": "turn", "card": "RS"}), at("/events/0", "PLY007 C-6e")),
    "lb-18-imposer-leads": (
        put(BARE, EVENTS, [*bids_of("0 1H, 1 2S, 2 1S, 3 1S, 0 2S"), *plays_of("1 NH, 2 TH, 3 VH, 0 RH" + PLAYS[22:])]),
        at("/events/5/by", "PLY004 LB-18", "1", 1),
    ),
    "lb-18-leader-stated": (put(BARE, "/deals/0/leader", "1"), at("/leader", "TRK003 LB-18", ANY)),
    "lb-18-out-of-turn": (swap(BARE, 5, 6), at("/events/5/by", "PLY003 LB-18", "2", 1)),
    "lb-24-revoke-nt": (hand("NT", "1: TD RS", "0 RD, 1 RS"), at("/events/2/card", "REV001 LB-24", "1", 1)),
    "lb-25a-revoke": (hand("S", "1: TD RS", "0 RD, 1 RS"), at("/events/2/card", "REV001 LB-25a", "1", 1)),
    "lb-26-revoke": (hand("S", "1: TS RD", "0 RS, 1 RD"), at("/events/2/card", "REV001 LB-26", "1", 1)),
    "lb-27-revoke": (hand("AT", "1: TS RD", "0 RS, 1 RD"), at("/events/2/card", "REV001 LB-27", "1", 1)),
    "lb-25b-no-ruff": (hand("S", "1: TS RD", "0 RH, 1 RD"), at("/events/2/card", "REV003 LB-25b", "1", 1)),
    "lb-25b-no-lower-ruff": (hand("S", "1: FS TD | 2: TS RD", "0 RH, 1 FS, 2 RD"), at("/events/3/card", "REV003 LB-25b", "2", 1)),
    "lb-25b-undertrumps": (hand("S", "1: RS TD | 2: TS FS", "0 RH, 1 RS, 2 TS"), at("/events/3/card", "REV004 LB-25b", "2", 1)),
    "lb-26-low": (hand("S", "1: TS FS", "0 RS, 1 TS"), at("/events/2/card", "REV004 LB-26", "1", 1)),
    "lb-26-free-ruff": (hand("S", "1: TS FS", "0 RS, 1 TS", overruff="free"), at("/events/2/card", "REV004 LB-26", "1", 1)),
    "lb-27-free-ruff": (hand("AT", "1: TS FS", "0 RS, 1 TS", overruff="free"), at("/events/2/card", "REV004 LB-27", "1", 1)),
    "lb-27-low": (hand("AT", "1: TS FS", "0 RS, 1 TS"), at("/events/2/card", "REV004 LB-27", "1", 1)),
    "lb-28-twin": (hand("Ss", "1: RSs TSm", "0 RSm, 1 TSm", players=5), at("/events/2/card", "REV004 LB-26", "1", 1)),
    "lb-10-last-played-twin": (
        hand("S", "1: RSm TSm", "0 RSs, 1 TSm", players=5, identical_cards="last_played"),
        at("/events/2/card", "REV004 LB-26", "1", 1),
    ),
    "lb-29-winner": (put(HAND, "/deals/0/claimed/winners/1", "1"), at("/claimed/winners/1", "TRK001 LB-29", ANY, 2)),
    "lb-30-surplus": (put(HAND, "/deals/0/claimed/scores/0", -1), at("/claimed/scores/0", "SCO001 LB-30", "0")),
    "lb-30-not-doubled": (
        insert(HAND, f"{EVENTS}/2", say("1", "mechoune")),
        at("/claimed/scores/3", "SCO001 LB-30", "3"),
    ),
    "c-6g-mode": (put(HAND, "/deals/0/claimed/trump", "AT"), at("/claimed/trump", "DEA009 C-6g")),
    "c-6g-call-on-the-sheet": (put(HAND, "/deals/0/claimed/bids/1", 2), at("/claimed/bids/1", "SCO004 C-6g", "1")),
}

BROKEN = {**CALL_CASES, **PLAY_CASES}


@pytest.mark.parametrize("name", BROKEN)
def test_one_rule_broken_is_one_finding(name: str) -> None:
    """One thing wrong is one finding: of the right kind and rule, at the right place."""
    record, expected = BROKEN[name]
    assert places(faults(verdict(record))) == [expected]


OBEYED: dict[str, Data] = {
    "whole": HAND,
    "lb-12-dealer-not-known": drop(HAND, "/deals/0/dealer"),
    "lb-13-approval-without-mark": auction("0 2Sm, 1 1S, 2 3Sm", players=5),
    "lb-13-mark-as-new-trump": auction("0 2Sm, 1 3Ss, 2 1Ss", players=5, mark_change="as_new_trump"),
    "lb-10-marks-mean-nothing": auction("0 2S, 1 1Sm, 2 1Ss", players=5, identical_cards="marked"),
    "lb-13-no-mark-where-it-decides-nothing": auction("0 2S, 1 3H, 2 1H", players=5, identical_cards="first_played"),
    "lb-13-no-mark-keeps-the-standing-one": auction(
        "0 2Sm, 1 1S, 2 3Ss, 3 1S, 4 1Ss", players=5, identical_cards="simple", mark_change="as_new_trump"
    ),
    "lb-14-hierarchy": auction("0 2AT, 1 2S", suit_hierarchy=["S", "H", "D", "C", "NT", "AT"]),
    "lb-17-above-the-tricks": auction("0 4S, 1 2S, 2 1S, 3 0S"),
    "lb-17-sum-not-last": auction("0 4S, 1 1S, 2 0S, 3 1S"),
    "lb-19-between": auction(*LOCKED, "1 5H"),
    "lb-20-own-mode": auction("0 2H", say("0", "mechoune"), "1 1H"),
    "lb-21-before-the-end": auction(*LOCKED, say("0", "choune"), "1 1H"),
    "lb-21-any-bidder": auction(*CLOSED, say("1", "choune"), choune_by="any_bidder"),
    "lb-21-no-auction": auction({"do": "contract", "bid": "S"}, say("1", "mechoune"), say("0", "choune")),
    "lb-16-contract-agrees": insert(BARE, f"{EVENTS}/4", {"do": "contract", "bid": "S"}),
    "lb-23-lead": hand("S", "0: RH FS", "0 FS"),
    "lb-25a-no-beating": hand("S", "2: RD TD", "0 DD, 1 FS, 2 TD"),
    "lb-24-no-beating-no-ruffing": hand("NT", "1: TD RD | 2: TS FS", "0 DD, 1 TD, 2 TS"),
    "lb-25a-follows-a-ruffed-trick": hand("S", "2: TD FS", "0 RD, 1 TS, 2 TD"),
    "lb-25b-lower-ruff-if-none-beats": hand("S", "2: TS TD", "0 RH, 1 FS, 2 TS"),
    "lb-26-lower-trump-if-none-beats": hand("S", "1: TS RD", "0 FS, 1 TS"),
    "lb-27-lower-card-if-none-beats": hand("AT", "1: TS FD", "0 FS, 1 TS"),
    "lb-25-free-ruff": hand("S", "2: TS FS", "0 RH, 1 RS, 2 TS", overruff="free"),
    "lb-27-discard": hand("AT", "1: TD FS", "0 RH, 1 TD"),
    "lb-28-weaker-twin": hand("Sm", "1: RSs TSm", "0 RSm, 1 TSm", players=5),
    "lb-10-first-played-twin": hand("S", "1: RSm TSm", "0 RSs, 1 TSm", players=5, identical_cards="first_played"),
    "lb-9-trump-order": hand("S", "1: TS FS", "0 RS, 1 TS", trump_order="RDCVFMJNT"),
    "c-6g-number-on-the-sheet": put(HAND, "/deals/0/claimed/bids/1", 1),
    "lb-30-mechoune": put(insert(HAND, f"{EVENTS}/2", say("1", "mechoune")), "/deals/0/claimed/scores/3", -2),
}


@pytest.mark.parametrize("name", OBEYED)
def test_obeyed(name: str) -> None:
    """Nothing is found."""
    assert places(verdict(OBEYED[name]).findings) == []


# --- options --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("deal_schedule", "short"),
        ("deal_schedule", []),
        ("deal_schedule", [0]),
        ("deal_schedule", [True]),
        ("normal_order", "RDCVFMJN"),
        ("trump_order", "RDCVFMJNR"),
        ("suit_hierarchy", ["AT", "S", "H", "D", "C"]),
        ("suit_hierarchy", "AT S H D C NT"),
        *((key, "other") for key in ("identical_cards", "mark_change", "overcall_basis", "zero_impose", "mechoune_by")),
        *((key, "other") for key in ("choune_by", "mechoune_scope", "overruff", "tie")),
    ],
)
def test_unknown_values_of_options(key: str, value: Any) -> None:
    """A value that an option does not have is reported, never passed over."""
    assert codes(verdict(put(HAND, "/options", {key: value}))) == ["FMT010"]


@pytest.mark.parametrize(
    ("options", "mode", "cards", "winner"),
    [
        ({}, "NT", "RD DD TD", "0"),
        ({"normal_order": "TNJMFVCDR"}, "NT", "RD DD TD", "2"),
        ({"normal_order": "TNJMFVCDR"}, "D", "RD FD TD", "1"),
        ({"trump_order": "TNVCDRJMF"}, "D", "RD FD TD", "2"),
        ({"trump_order": "TNVCDRJMF"}, "AT", "RD FD TD", "2"),
        ({"trump_order": "TNVCDRJMF"}, "NT", "RD FD TD", "0"),
        ({"identical_cards": "bid"}, "NTm", "RDs RDm DDm DDs TDs", "1"),
        ({"identical_cards": "bid"}, "NTs", "RDs RDm DDm DDs TDs", "0"),
        ({"identical_cards": "first_played"}, "NT", "RDs RDm DDm DDs TDs", "0"),
        ({"identical_cards": "last_played"}, "NT", "RDs RDm DDm DDs TDs", "1"),
        ({"identical_cards": "last_played"}, "NT", "RDm RDs DDm DDs TDs", "1"),
        ({"identical_cards": "marked"}, "NT", "RDs RDm DDm DDs TDs", "1"),
        ({"identical_cards": "simple"}, "NT", "RDs RDm DDm DDs TDs", "0"),
        ({}, "NT", "RDs RDm DDm DDs TDs", None),
    ],
)
def test_orders_and_twins_lb_8_lb_9_lb_10(options: Data, mode: str, cards: str, winner: str | None) -> None:
    """Who wins by which order, and which of two twins; without the mark that was called, it cannot be told."""
    trick = cards.split()
    plays = ", ".join(f"{seat} {card}" for seat, card in enumerate(trick))
    record = hand(mode, " | ".join(f"{seat}: {card}" for seat, card in enumerate(trick)), plays, len(trick), **options)
    assert verdict(record).deals[0].played[0].winner == winner


def rubber(*words: str, scope: str = "hand", **fields: Any) -> Data:
    """Two deals of one card each for three, seats 0 and 2 called none and won none, seat 1 called none and won one."""
    called = [*bids_of("1 0S"), *([say("2", "mechoune")] if words else []), *bids_of("2 0S, 0 0S")]
    called += [say("1", "choune")] * ("choune" in words)
    first = deal(dealer="0", cards=1, then=called, claimed={"tricks": {"0": 0, "1": 1, "2": 0}})
    second = deal(dealer="1", cards=1, bids="2 0S, 0 0S, 1 0S", claimed={"tricks": {"0": 0, "1": 0, "2": 1}})
    options = {"deal_schedule": [1, 1], "mechoune_scope": scope}
    return game("batarde", 3, first, second, options=options, status="complete", **fields)


@pytest.mark.parametrize(
    ("words", "scope", "totals"),
    [
        ((), "hand", [0, -1, -1]),
        (("mechoune",), "hand", [0, -2, -1]),
        (("mechoune", "choune"), "hand", [0, -4, -1]),
        ((), "rubber", [0, -1, -1]),
        (("mechoune",), "rubber", [0, -2, -2]),
        (("mechoune", "choune"), "rubber", [0, -4, -4]),
    ],
)
def test_what_a_mechoune_doubles_lb_22(words: tuple[str, ...], scope: str, totals: list[int]) -> None:
    """The hand's points, or in the end all of them, by the largest factor of the rubber."""
    written = {str(seat): total for seat, total in enumerate(totals)}
    told = verdict(rubber(*words, scope=scope, claimed={"totals": written, "winners": ["0"]}))
    assert codes(told) == []
    assert told.totals == written
    assert told.winners == ("0",)
    wrong = verdict(rubber(*words, scope=scope, claimed={"totals": {**written, "1": -9}}))
    rule = "C-6g" if scope == "hand" else "LB-22"
    assert places(faults(wrong)) == [("SCO002", rule, None, None, "1", "/claimed/totals/1")]


@pytest.mark.parametrize(
    ("tie", "winners", "right"), [("shared", "0 2", 1), ("shared", "0", 0), ("play_off", "2", 1), ("play_off", "1", 0)]
)
def test_ties_lb_31(tie: str, winners: str, right: int) -> None:
    """Equal totals share the rubber, or one of them has won the play-off."""
    record = rubber(claimed={"winners": winners.split()})
    record = put(put(record, "/deals/1/claimed/tricks", {"0": 0, "1": 1, "2": 0}), "/options/tie", tie)
    told = verdict(record)
    assert told.winners == ("0", "2")
    assert codes(told) == ([] if right else ["SCO003"])


def test_rubber_and_dealer_lb_4_lb_31() -> None:
    """The deal passes to the left, and the rubber has all its hands."""
    again = put(put(rubber(), "/deals/1/dealer", "0"), "/deals/1/events", bids_of("1 0S, 2 0S, 0 0S"))
    assert places(faults(verdict(again))) == [("DEA006", "LB-4", 2, None, "0", "/deals/1/dealer")]
    assert places(faults(verdict(drop(rubber(), "/deals/1")))) == [("SCO005", "LB-31", None, None, None, "/deals")]
    assert codes(verdict(put(rubber(claimed={"winners": ["1"]}), "/status", "complete"))) == ["SCO003"]


# --- what a record leaves out ---------------------------------------------------------------------------------------

ONLY_PLAYED = put(BARE, EVENTS, BARE["deals"][0]["events"][4:])
CONTRACT = insert(ONLY_PLAYED, f"{EVENTS}/0", {"do": "contract", "bid": "S"})


@pytest.mark.parametrize(
    ("record", "told", "level", "because"),
    [
        pytest.param(HAND, "pppp?", "L6", "excerpt", id="excerpt"),
        pytest.param(ONLY_PLAYED, "p????", "L3", "calls are not recorded", id="no-calls"),
        pytest.param(CONTRACT, "p?p??", "L3", "only its outcome", id="contract"),
        pytest.param(cut(HAND, 3), "pp???", "L4", "play is not recorded", id="in-progress"),
        pytest.param(drop(HAND, "/deals/0/dealer"), "p?pp?", "L3", "dealer", id="no-dealer"),
        pytest.param(hand("S", "1: TS FS", "0 ??, 1 TS"), "?????", "L4", "not certain what was led", id="lead-not-known"),
        pytest.param(
            hand("S", "2: TS FS", "0 JS, 1 ??, 2 TS"), "?????", "L4", "whether 2 had to play higher", id="card-not-known"
        ),
        pytest.param(auction("0 2Dm, 2 3Sm, 3 3H", players=5), "?F???", "L3", "not every call", id="missing-call"),
        pytest.param(auction("0 2S, 1 xyz, 2 1S, 3 1S"), "?F???", "L3", "not every call is known", id="unreadable-call"),
    ],
)
def test_what_is_left_out_is_not_called_right(record: Data, told: str, level: str, because: str) -> None:
    """A level passes only if everything it needs is on record."""
    result = verdict(record)
    assert [finding for finding in faults(result) if finding.code.startswith("REV")] == []
    assert levels(result) == told
    assert because in reasons(result, level)


@pytest.mark.parametrize(
    ("trick", "code"),
    [("0 RS, 1 ??, 2 TS", None), ("0 RH, 1 ??, 2 TS", None), ("0 RH, 1 ??, 2 TD", "REV003"), ("0 RS, 1 ??, 2 TD", "REV001")],
)
def test_a_card_not_known_may_be_higher_lb_26(trick: str, code: str | None) -> None:
    """Nobody is charged with not rising over a card that is not known; with not trumping or not following, one is."""
    assert codes(verdict(hand("S", "2: TS FS TD", trick))) == ([code] if code else [])


@pytest.mark.parametrize(("scores", "found"), [("0 0 0 -1", []), ("0 0 0 -2", []), ("0 0 0 -4", []), ("0 0 0 -3", ["SCO001"])])
def test_sheet_by_itself_lb_30(scores: str, found: list[str]) -> None:
    """A sheet does not tell whether the hand was méchouned: any of the three is possible, and nothing else."""
    told = verdict(game("batarde", 4, sheet("1S 1S 1S 1S", "1 1 1 0", scores, cards=3)))
    assert codes(told) == found
    assert levels(told)[3] in "?F"


@pytest.mark.parametrize("bids", ["1S 1S 1S 0S", "1 1 1 0"])
def test_sum_on_the_sheet_lb_17(bids: str) -> None:
    """Calls that stand only on the sheet may not add up to the tricks either."""
    told = verdict(game("batarde", 4, sheet(bids, "1 1 1 0", cards=3)))
    assert places(faults(told)) == [("BID003", "LB-17", 1, None, None, "/deals/0/claimed/bids")]


# --- properties: what is dealt, by a second and simpler referee ---------------------------------------------------------

NORMAL, ARTISTS = "RDCVFMJNT", "FMJRDCVNT"
seeds = given(st.integers(0, 10**9), st.sampled_from([3, 4, 5, 6, 7]), st.sampled_from(["must_if_able", "free"]))


def strength(card: str, mode: str, mark: str) -> tuple[int, int]:
    """How high a card stands among its suit; of twins the one of the pack called stands higher."""
    ranks = ARTISTS if mode in ("AT", card[1]) else NORMAL
    return -ranks.index(card[0]), int(card[2:] == mark)


def may_play(held: list[str], trick: list[str], mode: str, mark: str, free: bool) -> set[str]:
    """What may be played, worked out once more from the sentences of the rules."""
    if not trick:
        return set(held)
    led = trick[0][1]
    following = [card for card in held if card[1] == led]
    trumps = [card for card in held if card[1] == mode]
    rising = led if mode == "AT" else mode
    played = [strength(card, mode, mark) for card in trick if card[1] == rising]
    cards = following or (trumps if mode != "AT" else []) or held
    bound = mode != "NT" and cards is not held and cards[0][1] == rising and not (free and mode not in ("AT", led))
    higher = [card for card in cards if bound and played and strength(card, mode, mark) > max(played)]
    return set(higher or cards)


@settings(deadline=None, max_examples=30, derandomize=True)
@seeds
def test_second_referee_agrees_lb_24_to_lb_29(seed: int, players: int, overruff: str) -> None:
    """In whatever is dealt, both referees let the same cards pass, and give the tricks to the same seats."""
    batarde = find("batarde")
    assert batarde is not None
    chance = Random(seed)
    record = deal_game(batarde, players, seed, options={"overruff": overruff}, numbers=[chance.randint(1, 10)])
    composed = compose(batarde, record.options)[0]
    (table,) = replay(Record.model_validate(record.model_dump(exclude_unset=True, by_alias=True)), composed, trace=True)
    mode, mark = (table.contract or "").rstrip("ms"), (table.contract or "").lstrip("ATSHDCN")
    assert table.trace is not None
    trick: list[str] = []
    for seen in table.trace:
        trick = [] if len(trick) == players else trick
        due = may_play(list(table.pack.names(seen.hand)), trick, mode, mark, overruff == "free")
        assert set(table.pack.names(seen.legal)) == due
        assert due
        trick.append(seen.token)
    for played in table.tricks:
        trumps = [play for play in played.plays if play[1][1] == mode]
        led = [play for play in played.plays if play[1][1] == played.plays[0][1][1]]
        assert played.winner == max(trumps or led, key=lambda play: strength(play[1], mode, mark))[0]


@settings(deadline=None, max_examples=30, derandomize=True)
@seeds
def test_somebody_misses_lb_17(seed: int, players: int, overruff: str) -> None:
    """Targets never add up to the tricks, so somebody misses, by at least the difference and of its parity."""
    batarde = find("batarde")
    assert batarde is not None
    record = deal_game(batarde, players, seed, numbers=[Random(seed).randint(1, 10)])
    told = verdict(record.model_dump(exclude_unset=True, by_alias=True)).deals[0]
    targets = {seat: int("".join(filter(str.isdigit, token))) for seat, token in told.bids.items()}
    assert told.tricks is not None
    missed = sum(abs(told.tricks[seat] - targets[seat]) for seat in targets)
    short = told.cards - sum(targets.values())
    assert short != 0
    assert missed >= abs(short)
    assert (missed - short) % 2 == 0
    assert -sum(told.scores.values()) in (missed, 2 * missed, 4 * missed)


def test_a_rubber_without_its_auctions_does_not_tell_how_often_it_counts() -> None:
    """LB-22: whether a hand was méchouned is not on a score sheet, so its final totals may be twice, or four times, the sum."""
    sizes = (*range(7, 13), *range(12, 6, -1))
    for times in (1, 2, 4):
        deals = [
            deal(
                number=number,
                cards=size,
                claimed={
                    "bids": dict.fromkeys("012", "1S"),
                    "tricks": {"0": 1, "1": 1, "2": size - 2},
                    "scores": {"0": 0, "1": 0, "2": 3 - size},
                },
            )
            for number, size in enumerate(sizes, 1)
        ]
        totals = {"0": 0, "1": 0, "2": times * sum(3 - size for size in sizes)}
        record = game("batarde", 3, *deals, status="complete", claimed={"totals": totals})
        assert codes(verdict(record)) == []
        assert "as they count in the end" in reasons(verdict(record), "L6")
