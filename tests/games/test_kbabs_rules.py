"""Killer Back Alley Bridge Substitute: for every rule a record that breaks it and nothing else, and one that obeys it.

Most records are the whole hand KB-D8 (deal 11 of its game) with one thing changed; where in it a fault stands is told by
its JSON Pointer.
"""

from __future__ import annotations

from random import Random
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from handrec.cards import FRENCH_54
from handrec.games import find
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
    killer_hand,
    levels,
    places,
    plays_of,
    put,
    reasons,
    remarks,
    sheet,
    swap,
    verdict,
)

HERE = "/deals/0"
EVENTS = "/deals/0/events"
KILLER = killer_hand()
BARE = drop(KILLER, "/deals/0/claimed")
DEALT = cut(KILLER, 5)  # dealt, turned and bid, not played

Place = tuple[Any, ...]
Case = tuple[Data, Place]


def at(pointer: str, what: str, seat: str | None = None, trick: int | None = None) -> Place:
    """The finding expected at a place of the one deal; `what` is its code and rule id, such as `REV001 KB-5.2`."""
    code, rule = what.split()
    return (code, rule, trick, seat, HERE + pointer)


def hand(bids: str = "", plays: str = "", hands: str | None = None, turn: str | None = "TH", **fields: Any) -> Data:
    """A record of one hand out of a four-player game, dealt by seat 3."""
    return game("kbabs", 4, deal(dealer="3", hands=hands, turn=turn, bids=bids, plays=plays, **fields))


def play(by: str, card: str) -> Data:
    """A play."""
    return {"do": "play", "by": by, "card": card}


# --- one rule broken, one finding -----------------------------------------------------------------------------------

FOREIGN = put(DEALT, "/deals/0/hands/0/2", "RD")
PLAYED_FOREIGN = put(BARE, f"{EVENTS}/13/card", "RD")
NOTHING_LEFT = game("kbabs", 54, deal(number=1, cards=1, dealer="0", turn="TH", status="in_progress"))
PACK = ["AH", "KD", "2C", "7C", "LJ", "4H", "9S", "BJ", "QC", "5D", "3H", "AC", "TH"]
PACK += [card for card in FRENCH_54.cards if card not in PACK]
DEALT_3 = {"0": ["AH", "LJ", "QC"], "1": ["KD", "4H", "5D"], "2": ["2C", "9S", "3H"], "3": ["7C", "BJ", "AC"]}
BY_PACK = put(put(DEALT, "/deals/0/hands", DEALT_3), "/deals/0/pack", PACK)

DEAL_CASES: dict[str, Case] = {
    "c-6a-foreign-in-hand": (FOREIGN, at("/hands/0/2", "DEA001 KB-1.3", "0")),
    "c-6a-foreign-played": (PLAYED_FOREIGN, at("/events/13/card", "DEA001 KB-1.3", "0", 3)),
    "c-6b-two-hands": (put(DEALT, "/deals/0/hands/1/2", "AH"), at("/hands/1/2", "DEA002 C-6b", ANY)),
    "c-6b-one-hand": (put(DEALT, "/deals/0/hands/1/2", "KH"), at("/hands/1/2", "DEA002 C-6b", ANY)),
    "c-6b-hand-and-turned": (put(DEALT, f"{EVENTS}/0/card", "4H"), at("/events/0/card", "DEA002 C-6b", ANY)),
    "c-6c-short-hand": (drop(DEALT, "/deals/0/hands/1/2"), at("/hands/1", "DEA003 C-6c", "1")),
    "c-6c-long-hand": (insert(DEALT, "/deals/0/hands/1/0", "2S"), at("/hands/1", "DEA003 C-6c", "1")),
    "c-6c-number-stated": (put(DEALT, "/deals/0/cards", 4), at("/cards", "DEA003 C-6c")),
    "kb-2.2-hand-not-as-dealt": (
        put(put(BY_PACK, "/deals/0/hands/0", ["AH", "LJ", "9S"]), "/deals/0/hands/2", ["2C", "QC", "3H"]),
        at("/hands/0", "DEA008 KB-2.2", ANY),
    ),
    "kb-2.2-not-the-next-turned": (put(BY_PACK, f"{EVENTS}/0/card", "2H"), at("/events/0/card", "DEA008 KB-2.2", ANY)),
    "kb-2.2-dealt-card-turned": (
        put(drop(BY_PACK, "/deals/0/hands"), f"{EVENTS}/0/card", "4H"),
        at("/events/0/card", "DEA008 KB-2.2", ANY),
    ),
    "kb-3.1-two-turned": (insert(DEALT, f"{EVENTS}/1", {"do": "turn", "card": "6H"}), at("/events/1/card", "DEA007 KB-3.1")),
    "kb-3.1-turned-late": (swap(DEALT, 0, 1), at("/events/1", "DEA007 KB-3.1")),
    "kb-3.1-other-than-lies-there": (put(DEALT, "/deals/0/aside", {"turnup": ["6H"]}), at("/events/0/card", "DEA007 KB-3.1")),
    "kb-3.1-nothing-left-over": (NOTHING_LEFT, at("/events/0/card", "DEA007 KB-3.1")),
    "kb-3.1-trump-of-another-suit": (put(KILLER, "/deals/0/claimed/trump", "S"), at("/claimed/trump", "DEA009 KB-3.1")),
    "kb-3.1-trump-though-joker-turned": (
        hand("0 1, 1 1, 2 1, 3 1", turn="BJ", cards=3, status="in_progress", claimed={"trump": "S"}),
        at("/claimed/trump", "DEA009 KB-3.1"),
    ),
}

BID_CASES: dict[str, Case] = {
    "kb-4.1-out-of-turn": (swap(BARE, 1, 2), at("/events/1", "BID001 KB-4.1", "1")),
    "kb-4.1-dealer-first": (hand("3 2, 0 1, 1 1, 2 1", cards=3, status="in_progress"), at("/events/1", "BID001 KB-4.1", "3")),
    "kb-4.1-twice": (insert(BARE, f"{EVENTS}/2", bids_of("0 2")[0]), at("/events/2", "BID005 KB-4.1", "0")),
    "kb-4.1-missing-dealers": (drop(BARE, f"{EVENTS}/4"), at("", "BID006 KB-4.1", "3")),
    "kb-4.1-missing-first": (drop(BARE, f"{EVENTS}/1"), at("", "BID006 KB-4.1", "0")),
    "kb-4.1-after-the-lead": (swap(BARE, 4, 5), at("/events/5", "BID007 KB-4.1", "3")),
    "kb-4.1-too-many": (put(DEALT, f"{EVENTS}/1/bid", 4), at("/events/1/bid", "BID002 KB-4.1", "0")),
    "kb-4.1-negative": (put(DEALT, f"{EVENTS}/1/bid", -1), at("/events/1/bid", "BID002 KB-4.1", "0")),
    "kb-4.1-unknown-word": (put(DEALT, f"{EVENTS}/1/bid", "misere"), at("/events/1/bid", "BID002 KB-4.1", "0")),
    "kb-4.1-number-as-word": (put(DEALT, f"{EVENTS}/1/bid", "1"), at("/events/1/bid", "BID002 KB-4.1", "0")),
    "kb-4.3-three-cards": (put(DEALT, f"{EVENTS}/1/bid", "rainbow"), at("/events/1/bid", "BID004 KB-4.3", "0")),
    "kb-4.3-six-cards-hand-not-recorded": (
        hand("0 rainbow", cards=6, status="in_progress"),
        at("/events/1/bid", "BID004 KB-4.3", "0"),
    ),
    "kb-4.3-uneven": (
        hand("0 rainbow", hands="0: 2C 3C 4H 7S", status="in_progress"),
        at("/events/1/bid", "BID004 KB-4.3", "0"),
    ),
    "kb-4.3-joker-without-trump": (
        hand("0 rainbow", hands="0: 2C 3D 4H LJ", turn="BJ", status="in_progress"),
        at("/events/1/bid", "BID004 KB-4.3", "0"),
    ),
    "kb-4.4-number": (put(DEALT, f"{EVENTS}/4/bid", 0), at("/events/4/bid", "BID003 KB-4.4", "3")),
    "kb-4.4-board": (hand("0 0, 1 0, 2 0, 3 board", cards=3, status="in_progress"), at("/events/4/bid", "BID003 KB-4.4", "3")),
    "kb-4.4-rainbow": (
        hand("0 1, 1 1, 2 1, 3 rainbow", hands="3: 2C 3D 4H 7S", status="in_progress"),
        at("/events/4/bid", "BID003 KB-4.4", "3"),
    ),
    "kb-4.4-board-of-another": (
        hand("0 board, 1 0, 2 0, 3 0", cards=3, status="in_progress"),
        at("/events/4/bid", "BID003 KB-4.4", "3"),
    ),
    "kb-4.4-rainbow-of-another": (
        hand("0 rainbow, 1 1, 2 1, 3 1", hands="0: 2C 3D 4H 7S", status="in_progress"),
        at("/events/4/bid", "BID003 KB-4.4", "3"),
    ),
    "kb-4.5-one-card-none-bid": (
        hand("0 0, 1 0, 2 0, 3 1", cards=1, status="in_progress"),
        at("/events/4/bid", "BID003 KB-4.4", "3"),
    ),
    "kb-4.5-one-card-one-bid": (
        hand("0 0, 1 1, 2 0, 3 0", cards=1, status="in_progress"),
        at("/events/4/bid", "BID003 KB-4.4", "3"),
    ),
    "kb-4.6-alone": (
        game("kbabs", 1, deal(cards=5, dealer="0", turn="TH", bids="0 board", status="in_progress")),
        at("/events/1/bid", "BID003 KB-4.4", "0"),
    ),
}

LATE_TRICKS = "0 7C, 1 9S, 2 QC, 3 AC; 3 3H, 0 2D, 1 KH, 2 4H; 1 LJ, 2 BJ, 3 5D, 0 AH"
BIG_LED = hand(
    hands="0: BJ 7C 2D | 1: LJ KH 9S | 2: AH 4H QC | 3: 3H AC 5D",
    plays="0 BJ, 1 LJ, 2 AH, 3 3H; 0 7C, 1 9S, 2 QC, 3 AC; 3 5D, 0 2D, 1 KH, 2 4H",
)
KING_ON_BIG = put(put(BIG_LED, f"{EVENTS}/2/card", "KH"), f"{EVENTS}/11/card", "LJ")

PLAY_CASES: dict[str, Case] = {
    "c-6d-nobodys-card": (put(BARE, f"{EVENTS}/7/card", "KS"), at("/events/7/card", "PLY001 C-6d", "2", 1)),
    "c-6d-anothers-card": (put(BARE, f"{EVENTS}/7/card", "5D"), at("/events/7/card", "PLY001 C-6d", "2", 1)),
    "c-6d-twice": (put(BARE, f"{EVENTS}/13/card", "7C"), at("/events/13/card", "PLY002 C-6d", "0", 3)),
    "kb-5.1-wrong-first-leader": (
        put(
            BARE,
            EVENTS,
            BARE["deals"][0]["events"][:5] + plays_of("1 9S, 2 QC, 3 AC, 0 7C; 1 KH, 2 4H, 3 3H, 0 AH; 0 2D, 1 LJ, 2 BJ, 3 5D"),
        ),
        at("/events/5/by", "PLY004 KB-5.1", "1", 1),
    ),
    "kb-5.1-loser-leads": (
        put(BARE, EVENTS, BARE["deals"][0]["events"][:9] + plays_of("0 AH, 1 KH, 2 4H, 3 3H; 0 2D, 1 LJ, 2 BJ, 3 5D")),
        at("/events/9/by", "PLY004 KB-5.1", "0", 2),
    ),
    "kb-5.1-out-of-turn": (swap(BARE, 6, 7), at("/events/6/by", "PLY003 KB-5.1", "2", 1)),
    "kb-5.1-leader-stated": (put(BARE, "/deals/0/leader", "1"), at("/leader", "TRK003 KB-5.1", ANY)),
    "kb-5.2-revoke": (
        put(BARE, EVENTS, BARE["deals"][0]["events"][:5] + plays_of(LATE_TRICKS)),
        at("/events/10/card", "REV001 KB-5.2", "0", 2),
    ),
    "kb-5.2-joker-is-a-trump": (
        hand(hands="0: 3H 2C | 1: LJ 2D | 2: 4H 2S", plays="0 3H, 1 2D, 2 4H", status="in_progress"),
        at("/events/2/card", "REV001 KB-5.2", "1", 1),
    ),
    "kb-5.2-joker-is-no-spade-without-trump": (
        hand(hands="1: LJ 2S", plays="0 3S, 1 LJ", turn="BJ", status="in_progress", cards=2),
        at("/events/2/card", "REV001 KB-5.2", "1", 1),
    ),
    "kb-5.3-lower-trump": (KING_ON_BIG, at("/events/2/card", "REV002 KB-5.3", "1", 1)),
    "kb-5.3-ace-kept-back": (
        put(put(BIG_LED, f"{EVENTS}/3/card", "4H"), f"{EVENTS}/12/card", "AH"),
        at("/events/3/card", "REV002 KB-5.3", "2", 1),
    ),
    "kb-5.3-no-trump": (
        game("kbabs", 18, deal(dealer="0", hands="1: BJ 2C 3C | 2: LJ AS AH", plays="1 BJ, 2 AS", status="in_progress")),
        at("/events/1/card", "REV001 KB-5.2", "2", 1),
    ),
    "kb-5.4-little-joker-led": (
        hand(hands="0: LJ 2C | 1: 2H 3C", plays="0 LJ, 1 3C", status="in_progress"),
        at("/events/2/card", "REV001 KB-5.2", "1", 1),
    ),
    "kb-5.4-little-joker-led-no-trump": (
        game("kbabs", 27, deal(dealer="0", hands="1: LJ 2C | 2: BJ AS", plays="1 LJ, 2 AS", status="in_progress")),
        at("/events/1/card", "REV001 KB-5.2", "2", 1),
    ),
    "c-6e-missing-card": (drop(BARE, f"{EVENTS}/6"), at("/events/6", "PLY005 C-6e", "1", 1)),
    "c-6e-missing-last-card": (drop(BARE, f"{EVENTS}/16"), at("", "PLY005 C-6e", "3", 3)),
    "c-6e-play-ends-early": (put(cut(BARE, 13), "/deals/0/status", "complete"), at("", "PLY005 C-6e", None, 3)),
    "c-6e-after-the-end": (insert(BARE, f"{EVENTS}/17", play("2", "KS")), at("/events/17", "PLY006 C-6e", "2")),
    "c-6e-transfer": (
        insert(BARE, f"{EVENTS}/17", {"do": "transfer", "by": "0", "of": "1", "tricks": 0}),
        at("/events/17", "PLY007 C-6e", "0"),
    ),
    "c-6e-bemo": (
        insert(BARE, f"{EVENTS}/5", {"do": "announce", "by": "0", "what": "bemo"}),
        at("/events/5", "PLY007 C-6e", "0"),
    ),
    "c-6e-widow": (put(DEALT, "/deals/0/aside", {"widow": ["2C"]}), at("/aside/widow", "PLY007 C-6e")),
    "c-6e-takes-back-old-card": (
        insert(BARE, f"{EVENTS}/7", {"do": "withdraw", "by": "0", "card": "7C"}),
        at("/events/7", "PLY008 C-6e", "0", ANY),
    ),
}

PLAYED = BARE["deals"][0]["events"][:13]
REST = {"do": "claim", "by": "2", "tricks": {"2": 1}}
CLAIMED = put(put(BARE, EVENTS, [*PLAYED, REST]), "/deals/0/status", "claimed")

CLAIM_CASES: dict[str, Case] = {
    "kb-1.4-bid": (put(KILLER, "/deals/0/claimed/bids/0", 2), at("/claimed/bids/0", "SCO004 KB-1.4", "0")),
    "kb-1.4-kind-of-bid": (put(KILLER, "/deals/0/claimed/bids/0", "board"), at("/claimed/bids/0", "SCO004 KB-1.4", "0")),
    "kb-1.4-tricks": (put(KILLER, "/deals/0/claimed/tricks/0", 2), at("/claimed/tricks/0", "TRK002 KB-1.4", "0")),
    "kb-5.7-winner": (put(KILLER, "/deals/0/claimed/winners/1", "3"), at("/claimed/winners/1", "TRK001 KB-5.7", ANY, 2)),
    "c-6g-winner-missing": (drop(KILLER, "/deals/0/claimed/winners/2"), at("/claimed/winners", "TRK004 C-6g")),
    "c-6g-tricks-do-not-add-up": (
        game("kbabs", 4, sheet("1 1 1 1", "1 0 1 2", cards=3)),
        at("/claimed/tricks", "TRK004 C-6g"),
    ),
    "kb-6.1-made": (put(KILLER, "/deals/0/claimed/scores/0", 10), at("/claimed/scores/0", "SCO001 KB-6.1", "0")),
    "kb-6.1-missed": (put(KILLER, "/deals/0/claimed/scores/1", 1), at("/claimed/scores/1", "SCO001 KB-6.1", "1")),
    "kb-6.2-board": (
        game("kbabs", 4, sheet("board 0 0 1", "3 0 0 0", "19 10 10 -1", cards=3)),
        at("/claimed/scores/0", "SCO001 KB-6.2", "0"),
    ),
    "kb-6.3-rainbow": (
        game("kbabs", 4, sheet("rainbow 0 0 0", "1 0 0 3", "31 10 10 -29", cards=4)),
        at("/claimed/scores/3", "SCO001 KB-6.1", "3"),
    ),
    "kb-6.3-rainbow-itself": (
        game("kbabs", 4, sheet("rainbow 0 0 0", "1 0 0 3", "11 10 10 -9", cards=4)),
        at("/claimed/scores/0", "SCO001 KB-6.3", "0"),
    ),
    "c-6g-claim": (put(CLAIMED, f"{EVENTS}/13/tricks", {"0": 1, "2": 1}), at("/events/13/tricks", "CLM001 C-6g", "2", ANY)),
    "c-6g-claim-said-complete": (
        put(put(BARE, EVENTS, [*PLAYED, {**REST, "tricks": {"0": 1, "2": 1}}]), "/deals/0/status", "complete"),
        at("/events/13/tricks", "CLM001 C-6g", "2", ANY),
    ),
    "kb-8.2-missed-without-a-sip": (
        insert(KILLER, f"{EVENTS}/17", {"do": "announce", "by": "0", "what": "sips", "count": 2}),
        at("", "SCO006 KB-8.2", "1"),
    ),
}

BROKEN = {**DEAL_CASES, **BID_CASES, **PLAY_CASES, **CLAIM_CASES}


@pytest.mark.parametrize("name", BROKEN)
def test_one_rule_broken_is_one_finding(name: str) -> None:
    """One thing wrong is one finding: of the right kind and rule, at the right place, for machines and for people."""
    record, (code, rule, *rest) = BROKEN[name]
    assert places(faults(verdict(record))) == [(code, rule, record["deals"][0].get("number", 1), *rest)]


def test_every_rule_has_a_hand_that_breaks_it() -> None:
    """No rule of the game without a record that breaks it."""
    elsewhere = {"DEA004", "SCO003", "CLM002", "CLM003", "CLM004", "CLM005"}  # below: players, ties, accusations, penalties
    killer = find("kbabs")
    assert killer is not None
    rules = {(rule.code, rule.id) for rule in (*killer.rules, *(line.rule for line in killer.score))}
    broken = {(place[0], place[1]) for _, place in (*BROKEN.values(), *GAME_CASES.values())}
    assert {rule for rule in rules - broken if rule[0] not in elsewhere} == set()


# --- and the same rules obeyed --------------------------------------------------------------------------------------

OBEYED: dict[str, Data] = {
    "kb-d8": KILLER,
    "kb-1.2-one-player": game("kbabs", 1, deal(cards=1, dealer="0", turn="2H", bids="0 0", plays="0 AS")),
    "kb-2.2-pack": BY_PACK,
    "kb-2.2-pack-instead-of-hands": drop(BY_PACK, "/deals/0/hands"),
    "kb-3.1-turnup-without-turning": put(drop(DEALT, f"{EVENTS}/0"), "/deals/0/aside", {"turnup": ["TH"], "stock": ["??"] * 41}),
    "kb-3.1-turned-as-it-lies": put(DEALT, "/deals/0/aside", {"turnup": ["TH"]}),
    "kb-3.1-joker-turned-is-no-trump": hand(turn="LJ", cards=3, status="in_progress", claimed={"trump": "NT"}),
    "kb-3.1-nothing-left-over-is-no-trump": game(
        "kbabs", 54, deal(number=1, cards=1, dealer="0", status="in_progress", claimed={"trump": "NT"})
    ),
    "kb-4.3-rainbow": hand("0 rainbow", hands="0: 2C 3D 4H 7S", status="in_progress"),
    "kb-4.3-rainbow-with-joker": hand("0 rainbow", hands="0: 2C 3D LJ 7S", status="in_progress"),
    "kb-4.4-above-the-tricks": hand("0 2, 1 2, 2 0, 3 0", cards=3, status="in_progress"),
    "kb-4.4-only-the-dealer": hand("0 0, 1 0, 2 3, 3 1", cards=3, status="in_progress"),
    "kb-5.1-leader-stated": put(KILLER, "/deals/0/leader", "0"),
    "kb-5.3-highest-trumps": BIG_LED,
    "kb-5.3-void": hand(hands="0: BJ 2C | 1: AC KS", plays="0 BJ, 1 KS", status="in_progress"),
    "kb-5.3-big-joker-followed-forces-nothing": hand(
        hands="0: 2H 2C | 1: BJ 3C | 2: 3H AH", plays="0 2H, 1 BJ, 2 3H", status="in_progress"
    ),
    "kb-5.4-little-joker-led-low-trump": hand(hands="0: LJ 2C | 1: 2H AH", plays="0 LJ, 1 2H", status="in_progress"),
    "kb-5.4-little-joker-led-high-trump": hand(hands="0: LJ 2C | 1: 2H AH", plays="0 LJ, 1 AH", status="in_progress"),
    "kb-5.4-big-joker-need-not-beat": hand(hands="0: LJ 2C | 1: 2H BJ", plays="0 LJ, 1 2H", status="in_progress"),
    "kb-5.5-no-duty-to-beat": hand(hands="0: 9H 2C | 1: 2H AH", plays="0 9H, 1 2H", status="in_progress"),
    "kb-5.6-no-duty-to-ruff": hand(hands="0: 9C 2C | 1: 2H 3D", plays="0 9C, 1 3D", status="in_progress"),
    "kb-5.6-may-ruff": hand(hands="0: 9C 2C | 1: 2H 3D", plays="0 9C, 1 2H", status="in_progress"),
    "kb-6.2-board": game("kbabs", 4, sheet("board 0 0 1", "3 0 0 0", "44 10 10 -1", cards=3)),
    "kb-6.3-rainbow": game("kbabs", 4, sheet("rainbow 0 0 0", "1 0 0 3", "31 10 10 -9", cards=4)),
    "c-6g-claim": CLAIMED,
    "c-6g-claim-said-complete": put(CLAIMED, "/deals/0/status", "complete"),
    "kb-8.2-sips": insert(KILLER, f"{EVENTS}/17", {"do": "announce", "by": "1", "what": "sips", "count": 1}),
}


@pytest.mark.parametrize("name", OBEYED)
def test_obeyed(name: str) -> None:
    """Nothing wrong, nothing found."""
    assert places(faults(verdict(OBEYED[name]))) == []


# --- no cascades: one fault anywhere in the play is one finding ------------------------------------------------------

PLAYS = range(5, 17)
PLAYED_ONLY = put(BARE, EVENTS, [BARE["deals"][0]["events"][0], *BARE["deals"][0]["events"][5:]])
TURNS = [(5, 6), (6, 7), (7, 8), (9, 10), (10, 11), (11, 12), (13, 14), (14, 15), (15, 16)]


@pytest.mark.parametrize("claims", [False, True], ids=["bare", "with-sheet"])
@pytest.mark.parametrize("event", PLAYS)
def test_missing_play_is_one_finding_c_6e(event: int, claims: bool) -> None:
    """A card left out of the record is missed once, at the seat that played it, and nothing else is wrong."""
    record = KILLER if claims else BARE
    by = record["deals"][0]["events"][event]["by"]
    found = faults(verdict(drop(record, f"{EVENTS}/{event}")))
    assert [(f.code, f.trick, f.seat) for f in found] == [("PLY005", (event - 1) // 4, by)]


@pytest.mark.parametrize("claims", [False, True], ids=["bare", "with-sheet"])
@pytest.mark.parametrize("event", PLAYS)
def test_duplicated_play_is_one_finding_c_6d(event: int, claims: bool) -> None:
    """A play that stands twice is a card played twice, and nothing after it is out of order."""
    record = KILLER if claims else BARE
    told = verdict(insert(record, f"{EVENTS}/{event}", record["deals"][0]["events"][event]))
    found = [(f.code, f.seat) for f in faults(told)]
    by = record["deals"][0]["events"][event]["by"]
    assert found == [("PLY002", by)] or (event == PLAYS[-1] and found == [("PLY006", by)])


@pytest.mark.parametrize("claims", [False, True], ids=["bare", "with-sheet"])
@pytest.mark.parametrize(("first", "second"), TURNS)
def test_transposed_plays_are_one_finding_kb_5_1(first: int, second: int, claims: bool) -> None:
    """Two plays of a trick in each other's place: one card out of turn."""
    record = KILLER if claims else BARE
    assert codes(verdict(swap(record, first, second))) == ["PLY003"]


@pytest.mark.parametrize("event", PLAYS)
def test_card_not_held_is_one_finding_c_6d(event: int) -> None:
    """A card that its player never held is one fault; what hangs on it is not checkable, and its sheet is not called wrong."""
    told = verdict(put(KILLER, f"{EVENTS}/{event}/card", "KS"))
    by = KILLER["deals"][0]["events"][event]["by"]
    trick = (event - 1) // 4
    assert places(faults(told)) == [("PLY001", "C-6d", 11, trick, by, f"{EVENTS}/{event}/card")]
    assert levels(told)[3] == "?"
    assert f"trick {trick}" in reasons(told, "L5")


@pytest.mark.parametrize("event", PLAYS)
def test_play_is_checked_without_bids_c_6d(event: int) -> None:
    """Without any bids on record the play is checked all the same, and the bidding is not called right."""
    told = verdict(put(PLAYED_ONLY, f"{EVENTS}/{event - 4}/card", "KS"))
    assert codes(told) == ["PLY001"]
    assert levels(told)[1] == "?"


@pytest.mark.parametrize(
    ("plays", "revokes", "winners"),
    [
        pytest.param(
            "0 7C, 1 9S, 2 4H, 3 AC; 2 QC, 3 5D, 0 2D, 1 KH; 1 LJ, 2 BJ, 3 3H, 0 AH", [("2", 1, ["QC"])], "212", id="ruffs"
        ),
        pytest.param(
            "0 7C, 1 9S, 2 QC, 3 AC; 3 3H, 0 2D, 1 KH, 2 4H; 1 LJ, 2 BJ, 3 5D, 0 AH", [("0", 2, ["AH"])], "312", id="discards"
        ),
        pytest.param(
            "0 7C, 1 9S, 2 4H, 3 5D; 2 QC, 3 AC, 0 2D, 1 KH; 1 LJ, 2 BJ, 3 3H, 0 AH",
            [("2", 1, ["QC"]), ("3", 1, ["AC"])],
            "212",
            id="two-in-a-trick",
        ),
        pytest.param(
            "0 7C, 1 9S, 2 4H, 3 AC; 2 BJ, 3 3H, 0 2D, 1 KH; 2 QC, 3 5D, 0 AH, 1 LJ",
            [("2", 1, ["QC"]), ("0", 2, ["AH"]), ("1", 2, ["LJ"])],
            "221",
            id="two-tricks",
        ),
    ],
)
def test_replay_goes_on_after_a_revoke_c_7(plays: str, revokes: list[Place], winners: str) -> None:
    """A revoke stands as played and may win the trick; the next one is found as well, with what could have been played."""
    told = verdict(put(BARE, EVENTS, BARE["deals"][0]["events"][:5] + plays_of(plays)))
    assert [(f.seat, f.trick, f.facts["could"]) for f in faults(told)] == revokes
    assert [trick.winner for trick in told.deals[0].played] == [*winners]


# --- options --------------------------------------------------------------------------------------------------------

WRONG_OPTIONS = [
    ("house_rules", True, "FMT009"),
    ("Ladder", "full", "FMT009"),
    ("ladder", "sideways", "FMT010"),
    ("ladder", ["full"], "FMT010"),
    ("scoring", "cubic", "FMT010"),
    ("linear_miss", True, "FMT010"),
    ("ultimate", 1, "FMT010"),
    ("ultimate", 0, "FMT010"),
    ("ultimate", "true", "FMT010"),
    ("tie", "first", "FMT010"),
    ("renege_penalty", "37", "FMT010"),
    ("renege_penalty", 38, "FMT010"),
    ("renege_penalty", 37.0, "FMT010"),
    ("renege_penalty", True, "FMT010"),
    ("big_joker_forces", "lowest_trump", "FMT010"),
    ("big_joker_forces", None, "FMT010"),
    ("sips", 1, "FMT010"),
    ("sips", [1, 2], "FMT010"),
    ("sips", {"0": 1}, "FMT010"),
    ("sips", {"1": 0}, "FMT010"),
    ("sips", {"1": True}, "FMT010"),
    ("sips", {"one": 1}, "FMT010"),
    ("sips", {"²": 1}, "FMT010"),
]


@pytest.mark.parametrize(("option", "value", "code"), WRONG_OPTIONS, ids=[ascii(f"{o}={v}") for o, v, _ in WRONG_OPTIONS])
def test_options_are_never_guessed(option: str, value: Any, code: str) -> None:
    """An option or a value that the game does not have is a finding, and nothing is checked under a default instead."""
    told = verdict(put(KILLER, "/options", {option: value}))
    assert [(f.code, f.pointer) for f in faults(told)] == [(code, f"/options/{option}")]
    assert levels(told) == "?????"


@pytest.mark.parametrize(
    "chosen",
    [
        {"ladder": "full"},
        {"scoring": "square"},
        {"linear_miss": "linear"},
        {"linear_miss": "square"},
        {"ultimate": False},
        {"ultimate": True},
        {"tie": "shared"},
        {"tie": "play_off"},
        {"renege_penalty": "as_recorded"},
        {"renege_penalty": 37},
        {"big_joker_forces": "highest_trump"},
        {"ladder": "full", "ultimate": True, "tie": "play_off", "renege_penalty": 37, "linear_miss": "square"},
    ],
    ids=str,
)
def test_options_that_change_nothing_here(chosen: dict[str, Any]) -> None:
    """Options about the game, or at their default, leave a single hand as it was; the verdict says what was in force."""
    told = verdict(put(KILLER, "/options", chosen))
    assert places(told.findings) == []
    assert {key: told.options[key] for key in chosen} == chosen


@pytest.mark.parametrize(
    ("chosen", "scores"),
    [
        ({}, "19 -9 44 34"),
        ({"scoring": "square"}, "19 -9 44 34"),
        ({"linear_miss": "square"}, "19 -9 44 34"),
        ({"scoring": "linear"}, "13 -3 38 32"),
        ({"scoring": "linear", "linear_miss": "linear"}, "13 -3 38 32"),
        ({"scoring": "linear", "linear_miss": "square"}, "13 -9 38 32"),
    ],
    ids=str,
)
def test_scoring_options_kb_8_3(chosen: dict[str, Any], scores: str) -> None:
    """Linear scoring squares neither bid nor miss; by option misses stay squared."""
    cases = [(13, "3", "3"), (13, "3", "0"), (3, "board", "3"), (8, "rainbow", "2")]
    for (cards, bid, tricks), due in zip(cases, scores.split(), strict=True):
        assert verdict(game("kbabs", 4, sheet(bid, tricks, cards=cards), options=chosen)).deals[0].scores == {"0": int(due)}


@pytest.mark.parametrize(
    ("ladder", "number", "cards"),
    [("full", 11, 3), ("full", 16, 3), ("down", 11, 3), ("up", 3, 3), ("down", 1, 13), ("up", 13, 13), ("full", 26, 13)],
)
def test_ladder_option_kb_8_4(ladder: str, number: int, cards: int) -> None:
    """A numbered deal out of a game has the size that the ladder gives it at that place."""
    one = deal(number=number, cards=cards, status="in_progress")
    assert codes(verdict(game("kbabs", 4, one, options={"ladder": ladder}))) == []
    assert codes(verdict(game("kbabs", 4, put(one, "/cards", cards % 13 + 1), options={"ladder": ladder}))) == ["DEA005"]


@pytest.mark.parametrize(("ladder", "number"), [("full", 27), ("down", 14), ("up", 14)])
def test_no_deal_after_the_last_kb_2_3(ladder: str, number: int) -> None:
    """A deal numbered beyond the end of the ladder is none of that game."""
    told = verdict(game("kbabs", 4, deal(number=number, cards=1, status="in_progress"), options={"ladder": ladder}))
    assert [(f.code, f.deal) for f in faults(told)] == [(ANY, number)]


@pytest.mark.parametrize(
    ("agreed", "drunk", "due"),
    [
        (None, 0, 1),
        (None, 1, None),
        ({}, 0, 1),
        ({"1": 2}, 1, 2),
        ({"1": 2}, 2, None),
        ({"1": 2}, 5, None),
        ({"2": 3}, 0, 1),
        ({"2": 3}, 1, None),
    ],
    ids=str,
)
def test_sips_kb_8_2(agreed: dict[str, int] | None, drunk: int, due: int | None) -> None:
    """Who misses drinks at least what was agreed for a miss of that size, and at least once; more is always allowed."""
    drinks = [{"do": "announce", "by": seat, "what": "sips", "count": count} for seat, count in (("0", 1), ("1", drunk))]
    record = insert(insert(KILLER, f"{EVENTS}/17", drinks[0]), f"{EVENTS}/18", drinks[1])
    told = verdict(put(record, "/options", {} if agreed is None else {"sips": agreed}))
    assert [(f.code, f.seat, f.facts["due"]) for f in faults(told)] == ([] if due is None else [("SCO006", "1", due)])


def test_sips_agreed_but_not_recorded_are_not_checkable_kb_8_2() -> None:
    """Sips that nobody wrote down are not checked, and not passed over."""
    told = verdict(put(KILLER, "/options", {"sips": {"1": 1}}))
    assert codes(told) == []
    assert levels(told)[3] == "?"
    assert "sips" in reasons(told, "L5")


# --- players and seats ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 37, 54])
def test_players_kb_1_2(players: int) -> None:
    """From one to 54 may play."""
    assert codes(verdict(game("kbabs", players))) == []


def test_too_many_players_kb_1_2() -> None:
    """The fifty-fifth would get no card."""
    told = verdict(game("kbabs", 55))
    assert places(faults(told)) == [("DEA004", "KB-1.2", None, None, None, "/players")]
    assert levels(told) == "F????"


def test_no_players_kb_1_2() -> None:
    """A record without players is no record."""
    with pytest.raises(ValidationError):
        verdict(game("kbabs", 0))


def test_one_player_plays_a_hand_kb_4_6() -> None:
    """Alone one leads to every trick, wins it, and misses."""
    one = deal(
        number=107,
        dealer="0",
        hands="0: " + " ".join(FRENCH_54.cards[:53]),
        turn="BJ",
        bids="0 52",
        plays=", ".join(f"0 {card}" for card in FRENCH_54.cards[:53]),
        claimed={"trump": "NT", "tricks": {"0": 53}, "scores": {"0": -1}},
    )
    told = verdict(game("kbabs", 1, one))
    assert told.findings == ()
    assert levels(told) == "pppp?"
    assert codes(verdict(game("kbabs", 1, put(drop(one, "/claimed"), "/events/1/bid", 53)))) == ["BID003"]


def test_fifty_four_players_kb_2_3_kb_3_1() -> None:
    """With 54 players nothing is left over, so there is no trump; there are two hands, and a joker wins each."""
    cards = FRENCH_54.cards[4:] + FRENCH_54.cards[:4]
    deals = []
    for dealer in (0, 1):
        order = [(dealer + 1 + step) % 54 for step in range(54)]
        deals.append(
            deal(
                dealer=str(dealer),
                hands=" | ".join(f"{seat}: {card}" for seat, card in zip(order, cards, strict=True)),
                bids=", ".join(f"{seat} 0" for seat in order),
                plays=", ".join(f"{seat} {card}" for seat, card in zip(order, cards, strict=True)),
                claimed={"winners": [str(order[cards.index("BJ")])]},
            )
        )
    told = verdict(game("kbabs", 54, *deals, status="complete"))
    assert codes(told) == []
    assert levels(told) == "ppppp"
    assert told.winners is not None
    assert len(told.winners) == 52
    assert codes(verdict(game("kbabs", 54, put(deals[0], "/events/53/bid", 1), deals[1], status="complete"))) == ["BID003"]


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("/players/1/seat", "0", "FMT013"),
        ("/deals/0/dealer", "9", "FMT012"),
        ("/deals/0/events/5/by", "9", "FMT012"),
        ("/deals/0/claimed/winners/0", "9", "FMT012"),
        ("/deals/0/claimed/scores/9", 0, "FMT012"),
    ],
)
def test_seats_are_the_players_c_1(pointer: str, value: Any, code: str) -> None:
    """Seats stand once among the players, and nobody else does anything."""
    record = BARE if code == "FMT013" else KILLER
    told = verdict(put(record, pointer, value))
    assert (code, pointer) in [(f.code, f.pointer) for f in faults(told)]
    assert {f.code for f in faults(told)} <= {"FMT012", "FMT013"}
    assert levels(told) == "?????"


# --- a game of several deals ----------------------------------------------------------------------------------------

SCORED = [
    ("3 4 3 2", "3 4 3 3", "19 26 19 -1", "19 26 19 -1"),
    ("3 3 2 3", "3 3 3 3", "19 19 -1 19", "38 45 18 18"),
    ("3 2 3 2", "3 2 3 3", "19 14 19 -1", "57 59 37 17"),
    ("2 2 2 3", "3 2 2 3", "-1 14 14 19", "56 73 51 36"),
]
GOING = game(
    "kbabs",
    4,
    *(sheet(*row, cards=13 - at, number=at + 1, dealer=str(at)) for at, row in enumerate(SCORED)),
    status="in_progress",
)
MISSCORED = GOING
for _at, _total in enumerate(("40", "59", "58")):
    MISSCORED = put(MISSCORED, f"/deals/{_at + 1}/claimed/totals/0", int(_total))

GAME_CASES: dict[str, Case] = {
    "kb-2.1-dealer": (put(GOING, "/deals/1/dealer", "3"), ("DEA006", "KB-2.1", 2, None, "3", "/deals/1/dealer")),
    "kb-2.1-dealers-from-there-on": (
        put(put(put(GOING, "/deals/1/dealer", "2"), "/deals/2/dealer", "3"), "/deals/3/dealer", "0"),
        ("DEA006", "KB-2.1", 2, None, "2", "/deals/1/dealer"),
    ),
    "kb-2.1-deals-twice": (put(GOING, "/deals/3/dealer", "2"), ("DEA006", "KB-2.1", 4, None, "2", "/deals/3/dealer")),
    "kb-2.3-cards": (
        drop(put(GOING, "/deals/3/cards", 9), "/deals/3/claimed"),
        ("DEA005", "KB-2.3", 4, None, None, "/deals/3/cards"),
    ),
    "c-6h-number": (put(GOING, "/deals/1/number", 3), ("DEA010", "C-6h", 3, None, None, "/deals/1/number")),
    "kb-1.4-total": (
        put(GOING, "/deals/1/claimed/totals/0", 40),
        ("SCO002", "KB-1.4", 2, None, "0", "/deals/1/claimed/totals/0"),
    ),
    "kb-1.4-total-carried-on": (MISSCORED, ("SCO002", "KB-1.4", 2, None, "0", "/deals/1/claimed/totals/0")),
    "kb-6.1-score-carried-on": (
        put(MISSCORED, "/deals/1/claimed/scores/0", 21),
        ("SCO001", "KB-6.1", 2, None, "0", "/deals/1/claimed/scores/0"),
    ),
    "kb-6.1-score-not-carried-on": (
        put(GOING, "/deals/1/claimed/scores/0", 21),
        ("SCO001", "KB-6.1", 2, None, "0", "/deals/1/claimed/scores/0"),
    ),
    "kb-1.4-final-total": (
        put(GOING, "/claimed", {"totals": by_seat("56 73 51 35")}),
        ("SCO002", "KB-1.4", None, None, "3", "/claimed/totals/3"),
    ),
    "kb-2.3-too-early": (put(GOING, "/status", "complete"), ("SCO005", "KB-2.3", None, None, None, "/deals")),
    "kb-1.4-penalty-not-taken-off": (
        put(GOING, "/deals/1/events", [{"do": "penalty", "of": "0", "points": 37, "reason": "renege"}]),
        ("SCO002", "KB-1.4", 2, None, "0", "/deals/1/claimed/totals/0"),
    ),
}


@pytest.mark.parametrize("name", GAME_CASES)
def test_one_fault_in_a_game_is_one_finding(name: str) -> None:
    """What is wrong once is found once, though later deals were reckoned on from it."""
    record, expected = GAME_CASES[name]
    assert places(faults(verdict(record))) == [expected]


def test_game_in_progress_kb_1_4() -> None:
    """Totals of a game that goes on are checked; its end and winner cannot be."""
    told = verdict(GOING)
    assert told.findings == ()
    assert told.totals == by_seat("56 73 51 36")
    assert levels(told)[4] == "?"
    assert "not over" in reasons(told, "L6")


def test_penalty_taken_off_kb_5_9() -> None:
    """A penalty is subtracted from the running total, and from all totals after it."""
    record = put(GOING, "/deals/1/events", [{"do": "penalty", "of": "1", "points": 37, "reason": "renege"}])
    for at, total in ((1, 8), (2, 22), (3, 36)):
        record = put(record, f"/deals/{at}/claimed/totals/1", total)
    told = verdict(record)
    assert told.findings == ()
    assert told.totals == by_seat("56 36 51 36")


@pytest.mark.parametrize(
    ("tie", "winners", "right"),
    [
        ("shared", "0 1", True),
        ("shared", "1 0", True),
        ("shared", "0", False),
        ("play_off", "0", True),
        ("play_off", "1", True),
        ("play_off", "2", False),
    ],
)
def test_ties_kb_7(tie: str, winners: str, right: bool) -> None:
    """Equal highest totals share the game, or the record names which of them won the play-off."""
    seats = [str(seat) for seat in range(28)]
    deals = []
    for taker in ("0", "1"):  # who takes the one trick; seat 9 bids it too and misses, so that bids are two
        bids = {seat: int(seat in (taker, "9")) for seat in seats}
        deals.append(deal(cards=1, claimed={"bids": bids, "tricks": {seat: int(seat == taker) for seat in seats}}))
    record = game("kbabs", 28, *deals, status="complete", options={"tie": tie}, claimed={"winners": winners.split()})
    told = verdict(record)
    assert told.winners == ("0", "1")
    assert codes(told) == ([] if right else ["SCO003"])


# --- what a record leaves out ---------------------------------------------------------------------------------------

SHEET = put(put(killer_hand(), EVENTS, []), "/deals/0/cards", 3)
SHEET = drop(drop(SHEET, "/deals/0/hands"), "/deals/0/claimed/winners")
UNSEEN = drop(KILLER, "/deals/0/hands")


@pytest.mark.parametrize(
    ("record", "told", "level", "because"),
    [
        pytest.param(KILLER, "pppp?", "L6", "excerpt", id="excerpt"),
        pytest.param(drop(KILLER, "/deals/0/number"), "pppp?", "L6", "excerpt", id="excerpt-without-number"),
        pytest.param(BARE, "ppp??", "L5", "no result is recorded", id="no-sheet"),
        pytest.param(UNSEEN, "?ppp?", "L2", "hands are not recorded", id="hands-not-recorded"),
        pytest.param(drop(KILLER, "/deals/0/hands/1"), "?ppp?", "L2", "hand", id="one-hand-not-recorded"),
        pytest.param(drop(DEALT, "/deals/0/hands/1"), "?p???", "L2", "hand", id="one-hand-not-recorded-nor-played"),
        pytest.param(drop(KILLER, "/deals/0/dealer"), "p?pp?", "L3", "dealer", id="dealer-not-recorded"),
        pytest.param(PLAYED_ONLY, "p?p??", "L3", "bids are not recorded", id="no-bids"),
        pytest.param(drop(PLAYED_ONLY, "/deals/0/hands"), "??p??", "L2", "hands", id="play-only"),
        pytest.param(drop(KILLER, f"{EVENTS}/0"), "?p???", "L4", "trump", id="turn-up-not-recorded"),
        pytest.param(cut(UNSEEN, 5, status="stopped"), "?p???", "L4", "play is not recorded", id="bids-only"),
        pytest.param(cut(KILLER, 1, status="stopped"), "p????", "L3", "bids are not recorded", id="dealt-only"),
        pytest.param(SHEET, "?????", "L4", "play is not recorded", id="sheet-only"),
        pytest.param(cut(KILLER, 11), "ppp??", "L5", "2 of 3 tricks", id="in-progress"),
        pytest.param(cut(KILLER, 11, status="stopped"), "ppp??", "L5", "2 of 3 tricks", id="stopped"),
        pytest.param(cut(KILLER, 3), "pp???", "L4", "play is not recorded", id="in-progress-bidding"),
        pytest.param(cut(UNSEEN, 11), "?p???", "L4", "hand is not known", id="in-progress-hands-not-recorded"),
    ],
)
def test_what_is_left_out_is_not_called_right_kb_1_4(record: Data, told: str, level: str, because: str) -> None:
    """A level passes only if everything it needs is on record; otherwise it is not checkable, and says why."""
    result = verdict(record)
    assert codes(result) == []
    assert levels(result) == told
    assert because in reasons(result, level)


def test_totals_that_do_not_follow_kb_1_4() -> None:
    """Where a deal's points are not on record, the totals after it cannot be recomputed, and are not called right."""
    told = verdict(drop(GOING, "/deals/1/claimed"))
    assert codes(told) == []
    assert told.totals is None
    assert levels(told)[4] == "?"
    assert "deal 3" in reasons(told, "L6")


def test_tricks_so_far_of_a_stopped_deal_c_6g() -> None:
    """What was won until play stopped may be written down: it need not be all the tricks of the hand."""
    record = put(cut(KILLER, 9, status="stopped"), "/deals/0/claimed", {"tricks": by_seat("0 0 0 1"), "winners": ["3"]})
    assert codes(verdict(record)) == []
    assert codes(verdict(put(record, "/deals/0/claimed/winners", ["2"]))) == ["TRK001"]


@pytest.mark.parametrize("event", [6, 12, 15])
@pytest.mark.parametrize("card", ["??", "?S", "?H", "9?"])
def test_unknown_card_played_c_6(event: int, card: str) -> None:
    """A card that nobody could read is no fault, but hides whether it was legal and who won."""
    told = verdict(put(BARE, f"{EVENTS}/{event}/card", card))
    assert codes(told) == []
    assert levels(told) == "pp???"
    assert f"trick {(event - 1) // 4}" in reasons(told, "L4")
    assert told.deals[0].played[(event - 5) // 4].winner is None


@pytest.mark.parametrize("blank", ["??", "?S", "9?"])
def test_unknown_card_in_hand_is_filled_by_the_play_c_6(blank: str) -> None:
    """A card of a hand that was not seen is the one that its seat plays and that is not listed, if it can be."""
    told = verdict(put(KILLER, "/deals/0/hands/1/2", blank))
    assert codes(told) == []
    assert levels(told) == "pppp?"


@pytest.mark.parametrize("blank", ["?C", "8?"])
def test_unknown_card_in_hand_that_does_not_fit_c_6d(blank: str) -> None:
    """A half-known card cannot stand for one of another suit or rank."""
    told = verdict(put(KILLER, "/deals/0/hands/1/2", blank))
    assert places(faults(told)) == [("PLY001", "C-6d", 11, 1, "1", f"{EVENTS}/6/card")]


def test_half_known_turn_up_kb_3_1() -> None:
    """Of the card turned only its suit matters."""
    assert places(verdict(put(KILLER, f"{EVENTS}/0/card", "?H")).findings) == []
    assert codes(verdict(put(KILLER, f"{EVENTS}/0/card", "?S"))) != []
    hidden = verdict(put(BARE, f"{EVENTS}/0/card", "??"))
    assert codes(hidden) == []
    assert levels(hidden)[2] == "?"


def test_revoke_is_seen_without_hands_kb_5_2() -> None:
    """A revoke shows from the cards played later, though no hand was recorded."""
    plays = "0 7C, 1 9S, 2 QC, 3 AC; 3 3H, 0 2D, 1 KH, 2 4H; 1 LJ, 2 BJ, 3 5D, 0 AH"
    record = drop(put(BARE, EVENTS, BARE["deals"][0]["events"][:5] + plays_of(plays)), "/deals/0/hands")
    assert places(faults(verdict(record))) == [("REV001", "KB-5.2", 11, 2, "0", f"{EVENTS}/10/card")]


def test_plays_without_names_kb_5_1() -> None:
    """Where nobody is named, each card was played by whoever's turn it was."""
    record = KILLER
    for event in PLAYS:
        record = drop(record, f"{EVENTS}/{event}/by")
    told = verdict(record)
    assert told.findings == ()
    assert levels(told) == "pppp?"
    assert told.deals[0] == verdict(KILLER).deals[0]


@pytest.mark.parametrize(
    ("pointer", "value", "expected"),
    [
        ("scores/0", 12, [("SCO001", "KB-6.1", 11, None, "0", "/deals/0/claimed/scores/0")]),
        ("tricks/1", 1, [("TRK004", "C-6g", 11, None, None, "/deals/0/claimed/tricks")]),
        ("bids/0", "misere", [("BID002", "KB-4.1", 11, None, "0", "/deals/0/claimed/bids/0")]),
        ("bids/0", 4, [("BID002", "KB-4.1", 11, None, "0", "/deals/0/claimed/bids/0")]),
        ("bids/0", "rainbow", [("BID004", "KB-4.3", 11, None, "0", "/deals/0/claimed/bids/0")]),
        ("bids/3", 0, [("BID003", "KB-4.4", 11, None, "3", "/deals/0/claimed/bids/3")]),
    ],
    ids=["score", "trick-sum", "unknown-bid", "bid-too-high", "rainbow-of-3", "dealers-bid"],
)
def test_sheet_by_itself_kb_1_4(pointer: str, value: Any, expected: list[Place]) -> None:
    """A score sheet without any play is checked against itself: its bids by the rules, its points by its bids and tricks."""
    record = put(SHEET, f"/deals/0/claimed/{pointer}", value)
    if not pointer.startswith("scores"):
        record = drop(record, "/deals/0/claimed/scores")
    assert places(faults(verdict(record))) == expected


def test_sheet_of_totals_only_kb_7() -> None:
    """Where only final totals and winner were written down, the winner still has to be the one with the highest total."""
    record = game("kbabs", 4, claimed={"totals": by_seat("120 37 55 37"), "winners": ["2"]}, status="complete")
    told = verdict(record)
    assert "SCO003" in codes(told)


# --- conduct --------------------------------------------------------------------------------------------------------

REVOKED = put(
    BARE,
    EVENTS,
    BARE["deals"][0]["events"][:5] + plays_of("0 7C, 1 9S, 2 QC, 3 AC; 3 3H, 0 2D, 1 KH, 2 4H; 1 LJ, 2 BJ, 3 5D, 0 AH"),
)


HIDDEN = put(BARE, f"{EVENTS}/6/card", "??")


def then(record: Data, **event: Any) -> Data:
    """The record with an event more at the end of its deal."""
    return put(record, EVENTS, [*record["deals"][0]["events"], event])


@pytest.mark.parametrize(
    ("record", "accusation", "words", "upheld"),
    [
        pytest.param(REVOKED, {"of": "0", "trick": 2}, "0 played 2D while holding AH", True, id="true"),
        pytest.param(REVOKED, {"of": "0"}, "0 played 2D while holding AH", True, id="true-any-trick"),
        pytest.param(REVOKED, {"of": "0", "trick": 1}, "was legal", False, id="false-other-trick"),
        pytest.param(REVOKED, {"of": "1", "trick": 2}, "was legal", False, id="false-other-seat"),
        pytest.param(BARE, {"of": "0", "trick": 2}, "was legal", False, id="false"),
        pytest.param(REVOKED, {"of": "0", "trick": 2, "of_deal": 11}, "0 played 2D while holding AH", True, id="deal-named"),
        pytest.param(cut(UNSEEN, 11), {"of": "0", "trick": 2}, "cannot be decided", None, id="undecidable"),
        pytest.param(HIDDEN, {"of": "1", "trick": 1}, "cannot be decided", None, id="card-not-known"),
        pytest.param(HIDDEN, {"of": "0", "trick": 2}, "was legal", False, id="false-though-another-card-is-not-known"),
        pytest.param(SHEET, {"of": "0", "trick": 2}, "cannot be decided", None, id="no-play-recorded"),
        pytest.param(BARE, {"of": "0", "trick": 2, "of_deal": 3}, "not in this record", None, id="another-deal"),
    ],
)
def test_accusation_kb_5_9(record: Data, accusation: Data, words: str, upheld: bool | None) -> None:
    """Of every accusation the referee says whether the play was illegal, or that the record does not tell: a remark."""
    accused = then(record, do="accuse", by="3", **accusation)
    (remark,) = remarks(verdict(accused))
    assert (remark.code, remark.seat, remark.pointer) == ("CLM002", "3", f"{EVENTS}/{len(accused['deals'][0]['events']) - 1}")
    assert words in remark.message
    assert remark.facts.get("upheld") is upheld
    assert codes(verdict(accused)) == codes(verdict(record))


def test_accusation_before_the_fact_kb_5_9() -> None:
    """An accusation is about what was played before it: a later revoke does not make it true."""
    (remark,) = remarks(verdict(insert(REVOKED, f"{EVENTS}/6", {"do": "accuse", "by": "3", "of": "0"})))
    assert remark.facts.get("upheld") is False


def test_accusation_in_a_later_deal_kb_5_9() -> None:
    """A revoke may come to light after its hand: the accusation then names the deal."""
    accusation = {"do": "accuse", "by": "3", "of": "0", "trick": 2, "of_deal": 11}
    record = insert(REVOKED, "/deals/1", deal(number=12, dealer="0", cards=2, status="in_progress", then=[accusation]))
    (remark,) = remarks(verdict(record))
    assert (remark.deal, remark.pointer, remark.facts["upheld"]) == (12, "/deals/1/events/0", True)


@pytest.mark.parametrize("verdict_given", ["upheld", "rejected", "undecided"])
@pytest.mark.parametrize(
    ("record", "due"), [(REVOKED, "upheld"), (BARE, "rejected"), (cut(UNSEEN, 11), None)], ids=["true", "false", "undecidable"]
)
def test_ruling_kb_5_9(record: Data, due: str | None, verdict_given: str) -> None:
    """A ruling at the table that the record contradicts is a finding; one it cannot judge is not."""
    ruled = then(record, do="ruling", of="0", trick=2, verdict=verdict_given)
    place = f"{EVENTS}/{len(ruled['deals'][0]['events']) - 1}/verdict"
    wrong = due is not None and verdict_given not in (due, "undecided")
    assert [f.pointer for f in faults(verdict(ruled)) if f.code == "CLM003"] == ([place] if wrong else [])


@pytest.mark.parametrize(
    ("option", "points", "code", "severity"),
    [
        ("as_recorded", 37, None, None),
        ("as_recorded", 10, "CLM005", "info"),
        ("as_recorded", 0, "CLM005", "info"),
        (37, 37, None, None),
        (37, 36, "CLM004", "error"),
    ],
)
@pytest.mark.parametrize("reason", ["renege", "false_accusation"])
def test_penalty_kb_5_9(option: Any, points: int, code: str | None, severity: str | None, reason: str) -> None:
    """Penalties may be of any size, with a remark if not 37; where 37 was agreed, another is wrong."""
    record = then(put(BARE, "/options", {"renege_penalty": option}), do="penalty", of="0", points=points, reason=reason)
    told = verdict(record)
    expected = [] if code is None else [(code, "KB-5.9", 11, None, "0", f"{EVENTS}/17/points")]
    assert places(told.findings) == expected
    assert [finding.severity for finding in told.findings] == [severity] * len(expected)
    assert told.deals[0].penalties == {"0": points}
    assert told.deals[0].scores == by_seat("11 -1 11 11")


def test_accusation_is_cited_kb_5_9() -> None:
    """Accusations and rulings stand under the game's own rule about reneging."""
    record = then(then(BARE, do="accuse", by="3", of="0", trick=2), do="ruling", of="0", trick=2, verdict="upheld")
    assert [(f.code, f.rule) for f in verdict(record).findings] == [("CLM002", "KB-5.9"), ("CLM003", "KB-5.9")]


def test_renege_taken_back_c_7() -> None:
    """A card taken back before the next one was not played: a remark is left, no fault, and the play goes on."""
    wrong, back = play("0", "2D"), {"do": "withdraw", "by": "0", "card": "2D"}
    told = verdict(insert(insert(KILLER, f"{EVENTS}/10", back), f"{EVENTS}/10", wrong))
    assert faults(told) == []
    assert places(told.findings) == [("REV009", "C-7", 11, 2, "0", f"{EVENTS}/11")]
    assert levels(told) == "pppp?"


def test_legal_card_taken_back_c_7() -> None:
    """A legal card taken back leaves nothing behind."""
    other, back = play("1", "LJ"), {"do": "withdraw", "by": "1", "card": "LJ"}
    told = verdict(insert(insert(KILLER, f"{EVENTS}/11", back), f"{EVENTS}/11", other))
    assert told.findings == ()
    assert told.deals[0].scores == by_seat("11 -1 11 11")


def test_penalty_leaves_the_score_alone_kb_5_9() -> None:
    """A penalty leaves the hand's score alone and only touches the total."""
    record = then(KILLER, do="penalty", of="0", points=37, reason="renege")
    assert places(verdict(record).findings) == []


# --- properties: random hands, replayed by a second and simpler referee -----------------------------------------------

RANKS = "23456789TJQKA"
NAMES = "ABCDE"


def suit(card: str, trump: str) -> str:
    """The suit that a card plays as; jokers without a trump suit are one by themselves."""
    return trump if card[1] == "J" else card[1]


def height(card: str) -> int:
    """How high a card stands among its suit."""
    return 13 + ["LJ", "BJ"].index(card) if card[1] == "J" else RANKS.index(card[0])


def may_play(held: list[str], lead: str | None, trump: str) -> list[str]:
    """What may be played to a lead, worked out once more from the rules."""
    same = [card for card in held if lead and suit(card, trump) == suit(lead, trump)]
    return [max(same, key=height)] if lead == "BJ" and same else same or held


def takes(trick: list[tuple[str, str]], trump: str) -> str:
    """Who takes a trick of (seat, card): the highest trump, or else the highest card of the suit led."""
    trumps = [play for play in trick if suit(play[1], trump) == trump]
    led = [play for play in trick if suit(play[1], trump) == suit(trick[0][1], trump)]
    return max(trumps or led, key=lambda play: height(play[1]))[0]


class Hand:
    """A random hand, played out with some revokes; the same seed plays the same hand under other names of the seats."""

    def __init__(self, seed: int, names: str = NAMES) -> None:
        chance = Random(seed)
        players = chance.randint(1, 5)
        size = chance.randint(1, 6)
        self.seats = list(names[:players])
        pack = chance.sample(FRENCH_54.cards, 54)
        for joker in chance.sample(["LJ", "BJ"], chance.randint(0, 2)):  # jokers are more telling in a hand
            pack.remove(joker)
            pack.insert(chance.randrange(players * size), joker)
        hands = {seat: pack[place * size : (place + 1) * size] for place, seat in enumerate(self.seats)}
        turn = pack[-1]
        trump = turn[1]
        self.events: list[Data] = [{"do": "turn", "card": turn}]
        bids = {seat: chance.randint(0, size) for seat in self.seats}
        self.events += [{"do": "bid", "by": seat, "bid": bids[seat]} for seat in self.seats]
        self.revokes: list[tuple[str, set[str]]] = []
        self.winners: list[str] = []
        left, leader = {seat: list(cards) for seat, cards in hands.items()}, 0
        for _ in range(size):
            trick: list[tuple[str, str]] = []
            for seat in self.seats[leader:] + self.seats[:leader]:
                due = may_play(left[seat], trick[0][1] if trick else None, trump)
                card = chance.choice(due if chance.random() < 0.8 else left[seat])
                if card not in due:
                    self.revokes.append((f"{EVENTS}/{len(self.events)}/card", set(due)))
                self.events.append({"do": "play", "by": seat, "card": card})
                left[seat].remove(card)
                trick.append((seat, card))
            self.winners.append(takes(trick, trump))
            leader = self.seats.index(self.winners[-1])
        tricks = {seat: self.winners.count(seat) for seat in self.seats}
        points = {seat: (bids[seat], bids[seat] - tricks[seat]) for seat in self.seats}
        self.scores = {seat: -(missed**2) if missed else 10 + bid**2 for seat, (bid, missed) in points.items()}
        claimed = {"winners": self.winners, "tricks": tricks, "scores": self.scores, "bids": bids}
        rest = {"dealer": self.seats[-1], "hands": hands, "events": self.events, "claimed": claimed}
        self.record = game("kbabs", " ".join(self.seats), rest)

    def spoiled(self, seed: int) -> Data:
        """The record with a few things gone wrong: events lost, doubled or moved, numbers of the sheet changed."""
        chance, record = Random(seed), self.record
        for _ in range(chance.randint(1, 3)):
            at_event = chance.randrange(len(record["deals"][0]["events"]))
            match chance.randrange(5):
                case 0:
                    record = drop(record, f"{EVENTS}/{at_event}")
                case 1:
                    record = insert(record, f"{EVENTS}/{at_event}", record["deals"][0]["events"][at_event])
                case 2:
                    record = swap(record, at_event, at_event - 1)
                case 3:
                    record = put(record, f"/deals/0/claimed/scores/{self.seats[0]}", chance.randint(-9, 40))
                case _:
                    record = put(record, "/deals/0/claimed/winners/0", self.seats[-1])
        return record


random_hands = settings(deadline=None, max_examples=150, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
seeds = given(st.integers(0, 10**9))
two_seeds = given(st.integers(0, 10**9), st.integers(0, 10**9))


@random_hands
@seeds
def test_second_referee_agrees_kb_5_2_kb_5_3_kb_5_7_kb_6_1(seed: int) -> None:
    """Whatever is played, both referees find the same revokes, winners and scores."""
    played = Hand(seed)
    told = verdict(played.record)
    assert [(f.pointer, set(f.facts["could"])) for f in faults(told) if f.level == "L4"] == played.revokes
    assert {f.code for f in faults(told)} <= {"REV001", "REV002", "BID003"}
    assert [trick.winner for trick in told.deals[0].played] == played.winners
    assert told.deals[0].scores == played.scores


@random_hands
@two_seeds
def test_seats_have_no_favourite_c_1(seed: int, other: int) -> None:
    """Which seat stands first among the players changes nothing, nor what the seats are called."""
    played, renamed = Hand(seed), Hand(seed, "VWXYZ")
    record = played.spoiled(other)
    found = sorted(places(verdict(record).findings), key=str)
    players = record["players"]
    for turned in range(1, len(players)):
        around = verdict(put(record, "/players", players[turned:] + players[:turned]))
        assert sorted(places(around.findings), key=str) == found
        assert around.deals == verdict(record).deals
    names = str.maketrans(NAMES, "VWXYZ")
    there = [(*rest, seat and seat.translate(names), _renamed(pointer)) for *rest, seat, pointer in found]
    assert sorted(places(verdict(renamed.spoiled(other)).findings), key=str) == sorted(there, key=str)


def _renamed(pointer: str) -> str:
    return "/".join(dict(zip(NAMES, "VWXYZ", strict=True)).get(part, part) for part in pointer.split("/"))


@random_hands
@two_seeds
def test_nothing_claimed_nothing_more_found_c_6g(seed: int, other: int) -> None:
    """A score sheet can only add findings: without it nothing is found that was not found with it."""
    record = Hand(seed).spoiled(other)
    with_sheet, without = places(verdict(record).findings), places(verdict(drop(record, "/deals/0/claimed")).findings)
    assert set(without) <= set(with_sheet)
    assert all("/claimed" in pointer for *_, pointer in set(with_sheet) - set(without))


@random_hands
@seeds
def test_hands_follow_from_the_play_c_6d(seed: int) -> None:
    """Of a hand played out, the cards played are the hand: recorded or not, the verdict on every play is the same."""
    record = Hand(seed).record
    told, unseen = verdict(record), verdict(drop(record, "/deals/0/hands"))
    assert places(unseen.findings) == places(told.findings)
    assert unseen.deals == told.deals
    assert levels(unseen)[1:] == levels(told)[1:]


@random_hands
@seeds
def test_whose_card_follows_from_the_turn_kb_5_1(seed: int) -> None:
    """Where every card is played in turn, the record need not say by whom."""
    played = Hand(seed)
    events = [plays_of(event["card"])[0] if event["do"] == "play" else event for event in played.events]
    told, unnamed = verdict(played.record), verdict(put(played.record, EVENTS, events))
    assert unnamed == told
