"""Killer Back Alley Bridge Substitute: for every rule a record that breaks it and nothing else, and one that obeys it.

Most records are the whole hand KB-D8 (deal 11 of its game) with one thing changed; where in it a fault stands is told by
its JSON Pointer.
"""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from handrec.cards import FRENCH_54
from handrec.games import find
from tests.games.kbabs_hands import (
    BARE,
    DEALT,
    EVENTS,
    GOING,
    KILLER,
    PLAYED_ONLY,
    PLAYS,
    Case,
    Place,
    at,
    hand,
    play,
)
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


# --- a game of several deals ----------------------------------------------------------------------------------------

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
    for place, total in ((1, 8), (2, 22), (3, 36)):
        record = put(record, f"/deals/{place}/claimed/totals/1", total)
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
