"""Three-player Bugami: for every rule a record that breaks it and nothing else, and one that obeys it.

Most records are one fully played deal with one thing changed: P1 deals; events 0 to 2 bid, 3 faces QS, 4 to 42 play. P1
bids Turnip and wins six tricks, the last among them; P2 and P3 avoid hearts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.cards import SUITS
from handrec.dealing import deal_game
from handrec.findings import Verdict
from handrec.game import compose
from handrec.games import find
from handrec.record import Record
from tests.tables import (
    Data,
    bugs_taken,
    codes,
    cut,
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

BUGAMI = find("bugami")
assert BUGAMI is not None
EVENTS = "/deals/0/events"
SCORES = "/deals/0/claimed/scores"

DEAL: Data = json.loads((Path(__file__).parents[2] / "fixtures/clean/bugami-one-deal.handrec.json").read_text("utf-8"))
BARE = drop(drop(DEAL, "/deals/0/claimed"), "/claimed")
DEALT = cut(BARE, 4)
BIDS = DEAL["deals"][0]["events"][:3]
TURN = {"do": "turn", "card": "QS"}


def with_events(record: Data, *events: Data) -> Data:
    """The record with other events."""
    return put(record, EVENTS, list(events))


def two_deals(**second: Any) -> Data:
    """A game of which the second deal has only begun."""
    return insert(DEAL, "/deals/1", {"events": [], "status": "in_progress", **second})


# --- one rule broken, one finding -----------------------------------------------------------------------------------

REVOKED = put(put(BARE, f"{EVENTS}/5/card", "4C"), f"{EVENTS}/38/card", "5S")
TWO_LATE = with_events(DEALT, BIDS[0], TURN, *BIDS[1:])
SPECIAL = [{"when": "no_tricks", "points": 50, "mode": "instead"}]

#: The record; then code and rule id, and trick, seat and place within the deal of the one finding.
BROKEN: dict[str, tuple[Data, str, int | None, str | None, str]] = {
    "bg-1-seven-in-hand": (put(DEALT, "/deals/0/hands/P1/0", "7S"), "DEA001 BG-1", None, "P1", "/hands/P1/0"),
    "bg-1-eight-turned": (
        drop(put(DEALT, f"{EVENTS}/3/card", "8S"), "/deals/0/aside"), "DEA001 BG-1", None, None, "/events/3/card",
    ),
    "bg-1-nine-played": (put(BARE, f"{EVENTS}/42/card", "9S"), "DEA001 BG-1", 13, "P3", "/events/42/card"),
    "bg-3-twelve-cards": (drop(DEALT, "/deals/0/hands/P1/0"), "DEA003 BG-3", None, "P1", "/hands/P1"),
    "bg-3-two-turnips": (put(DEALT, "/deals/0/aside/turnip", ["QS", "??"]), "DEA003 BG-3", None, None, "/aside/turnip"),
    "bg-3-no-turnip": (put(DEALT, "/deals/0/aside/turnip", []), "DEA003 BG-3", None, None, "/aside/turnip"),
    "bg-3-number-stated": (put(DEALT, "/deals/0/cards", 12), "DEA003 BG-3", None, None, "/cards"),
    "c-6b-two-hands": (put(DEALT, "/deals/0/hands/P1/0", "AS"), "DEA002 C-6b", None, ANY, ANY),
    "c-6b-turnip-in-a-hand": (
        put(put(DEALT, "/deals/0/aside/turnip", ["AS"]), f"{EVENTS}/3/card", "AS"), "DEA002 C-6b", None, ANY, "/aside/turnip/0",
    ),
    "bg-5-number": (put(DEALT, f"{EVENTS}/0/bid", 3), "BID002 BG-5", None, "P1", "/events/0/bid"),
    "bg-5-no-trump": (put(DEALT, f"{EVENTS}/1/bid", "NT"), "BID002 BG-5", None, "P3", "/events/1/bid"),
    "bg-5-misere": (put(DEALT, f"{EVENTS}/1/bid", "misere"), "BID002 BG-5", None, "P3", "/events/1/bid"),
    "bg-5-twice": (insert(BARE, f"{EVENTS}/3", {**BIDS[0], "bid": "C"}), "BID005 BG-5", None, "P1", "/events/3"),
    "bg-5-twice-after-the-turnip": (insert(BARE, f"{EVENTS}/4", BIDS[1]), "BID005 BG-5", None, "P3", "/events/4"),
    "bg-5-missing": (drop(BARE, f"{EVENTS}/1"), "BID006 BG-5", None, "P3", ""),
    "bg-5-missing-when-the-turnip-is-faced": (drop(DEALT, f"{EVENTS}/1"), "BID006 BG-5", None, "P3", ""),
    "bg-5-turnip-with-doublets": (put(BARE, f"{EVENTS}/0/bid", "turnipx2"), "BID022 BG-5", None, "P1", "/events/0/bid"),
    "bg-5-bid-after-the-turnip": (swap(BARE, 2, 3), "BID021 BG-5", None, "P2", "/events/3"),
    "bg-5-bid-after-the-lead": (
        insert(drop(BARE, f"{EVENTS}/2"), f"{EVENTS}/4", BIDS[2]), "BID021 BG-5", None, "P2", "/events/4",
    ),
    "bg-5-bid-after-the-lead-turning-not-recorded": (
        insert(drop(drop(BARE, f"{EVENTS}/3"), f"{EVENTS}/2"), f"{EVENTS}/5", BIDS[2]), "BID021 BG-5", None, "P2", "/events/5",
    ),
    "bg-6-turned-before-the-bids": (with_events(DEALT, TURN, *BIDS), "DEA007 BG-6", None, None, "/events/0"),
    "bg-6-turned-before-two-bids": (TWO_LATE, "DEA007 BG-6", None, None, "/events/1"),
    "bg-6-turned-after-the-lead": (swap(BARE, 3, 4), "DEA007 BG-6", None, None, "/events/4"),
    "bg-6-turned-twice": (insert(BARE, f"{EVENTS}/4", TURN), "DEA007 BG-6", None, None, "/events/4/card"),
    "bg-6-another-turned": (put(DEALT, f"{EVENTS}/3/card", "AS"), "DEA007 BG-6", None, None, "/events/3/card"),
    "bg-7-first-leader-stated": (put(DEAL, "/deals/0/leader", "P1"), "TRK003 BG-7", None, ANY, "/leader"),
    "bg-7-dealer-leads": (
        with_events(DEALT, *BIDS, TURN, *plays_of("P1 JS, P2 TS, P3 5S")), "PLY004 BG-7", 1, "P1", "/events/4/by",
    ),
    "bg-7-loser-leads": (
        with_events(DEALT, *BARE["deals"][0]["events"][:7], *plays_of("P2 TC, P3 QC, P1 3C")),
        "PLY004 BG-7", 2, "P2", "/events/7/by",
    ),
    "bg-7-out-of-turn": (swap(BARE, 5, 6), "PLY003 BG-7", 1, "P1", "/events/5/by"),
    "bg-7-revoke": (REVOKED, "REV001 BG-7", 1, "P3", "/events/5/card"),
    "bg-7-winner": (put(DEAL, "/deals/0/claimed/winners/2", "P1"), "TRK001 BG-7", 3, "P1", "/claimed/winners/2"),
    "bg-7-turnip-wins-nothing": (put(DEAL, "/deals/0/claimed/winners/12", "P3"), "TRK001 BG-7", 13, "P3", "/claimed/winners/12"),
    "bg-7-trump": (put(DEAL, "/deals/0/claimed/trump", "S"), "DEA009 BG-7", None, None, "/claimed/trump"),
    "bg-9-not-divided": (put(DEAL, f"{SCORES}/P2", 30), "SCO001 BG-9", None, "P2", "/claimed/scores/P2"),
    "bg-9-rounded-up": (put(DEAL, f"{SCORES}/P2", 8), "SCO001 BG-9", None, "P2", "/claimed/scores/P2"),
    "bg-9-bug-overlooked": (put(DEAL, f"{SCORES}/P3", 80), "SCO001 BG-9", None, "P3", "/claimed/scores/P3"),
    "bg-8-turnip-not-counted": (put(DEAL, f"{SCORES}/P1", 24), "SCO001 BG-10", None, "P1", "/claimed/scores/P1"),
    "bg-10-not-doubled": (put(DEAL, f"{SCORES}/P1", 10), "SCO001 BG-10", None, "P1", "/claimed/scores/P1"),
    "bg-11-special-forgotten": (
        game("bugami", 3, sheet("H", "0", "0"), options={"special_scores": SPECIAL}),
        "SCO001 BG-11", None, "0", "/claimed/scores/0",
    ),
    "c-6g-bid-on-the-sheet": (put(DEAL, "/deals/0/claimed/bids/P2", "D"), "SCO004 C-6g", None, "P2", "/claimed/bids/P2"),
    "c-6g-tricks": (put(DEAL, "/deals/0/claimed/tricks/P2", 4), "TRK002 C-6g", None, "P2", "/claimed/tricks/P2"),
    "c-6d-card-of-another": (put(BARE, f"{EVENTS}/4/card", "KS"), "PLY001 C-6d", 1, "P2", "/events/4/card"),
    "c-6d-turnip-played": (put(BARE, f"{EVENTS}/42/card", "QS"), "PLY001 C-6d", 13, "P3", "/events/42/card"),
    "c-6e-bids-are-not-blind": (put(DEALT, f"{EVENTS}/0/blind", True), "PLY007 C-6e", None, "P1", "/events/0/blind"),
    "c-6e-bemo": (
        insert(BARE, f"{EVENTS}/3", {"do": "announce", "by": "P1", "what": "bemo"}), "PLY007 C-6e", None, "P1", "/events/3",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_one_rule_broken_is_one_finding(name: str) -> None:
    """One thing wrong is one finding: of the right kind and rule, at the right place, for machines and for people."""
    record, what, trick, seat, pointer = BROKEN[name]
    where = pointer if pointer is ANY else f"/deals/0{pointer}"
    assert places(faults(verdict(record))) == [(*what.split(), 1, trick, seat, where)]


GAME_CASES: dict[str, tuple[Data, tuple[Any, ...]]] = {
    "bg-1-four-players": (game("bugami", 4), ("DEA004", "BG-1", None, None, None, "/players")),
    "bg-1-two-players": (game("bugami", 2), ("DEA004", "BG-1", None, None, None, "/players")),
    "bg-4-deals-twice": (two_deals(dealer="P1"), ("DEA006", "BG-4", 2, None, "P1", "/deals/1/dealer")),
    "c-6h-number": (two_deals(number=3), ("DEA010", "C-6h", 3, None, None, "/deals/1/number")),
    "bg-12-over-too-early": (put(DEAL, "/status", "complete"), ("SCO005", "BG-12", None, None, None, "/deals")),
    "bg-12-played-on": (
        {**two_deals(dealer="P2"), "options": {"target": 40}},
        ("SCO005", "BG-12", None, None, None, "/deals/1"),
    ),
    "bg-12-winner": (
        {**DEAL, "status": "complete", "options": {"target": 40}, "claimed": {"winners": ["P1"]}},
        ("SCO003", "BG-12", None, None, None, "/claimed/winners"),
    ),
    "c-6g-total": (put(DEAL, "/deals/0/claimed/totals/P2", 8), ("SCO002", "C-6g", 1, None, "P2", "/deals/0/claimed/totals/P2")),
}  # fmt: skip


@pytest.mark.parametrize("name", GAME_CASES)
def test_one_fault_in_a_game_is_one_finding(name: str) -> None:
    """The same for what concerns the game as a whole."""
    record, expected = GAME_CASES[name]
    assert places(faults(verdict(record))) == [expected]


def test_every_rule_has_a_record_that_breaks_it() -> None:
    """No rule of the game without its case here; how cards are dealt is broken among the golden cases."""
    assert BUGAMI is not None
    rules = {f"{rule.code} {rule.id}" for rule in (*BUGAMI.rules, *(line.rule for line in BUGAMI.score))}
    broken = {case[1] for case in BROKEN.values()} | {f"{place[0]} {place[1]}" for _, place in GAME_CASES.values()}
    assert rules - broken == {"DEA008 BG-3"}


# --- and the same rules obeyed --------------------------------------------------------------------------------------

OBEYED: dict[str, Data] = {
    "a-deal": DEAL,
    "bg-2-two-bid-the-same": DEALT,
    "bg-4-deal-passes-left": two_deals(dealer="P2"),
    "bg-5-any-order": with_events(DEALT, BIDS[2], BIDS[0], BIDS[1], TURN),
    "bg-5-doublets": put(DEALT, f"{EVENTS}/1/bid", "Dx2"),
    "bg-5-turnip-with-doublets": {**put(DEALT, f"{EVENTS}/1/bid", "turnipx2"), "options": {"turnip_doublets": True}},
    "bg-6-turning-not-recorded": drop(BARE, f"{EVENTS}/3"),
    "bg-6-turning-alone-recorded": drop(BARE, "/deals/0/aside"),
    "bg-6-half-known": put(put(BARE, f"{EVENTS}/3/card", "?S"), "/deals/0/aside/turnip", ["??"]),
    "bg-7-first-leader-stated": put(DEAL, "/deals/0/leader", "P2"),
    "bg-12-over": {**DEAL, "status": "complete", "options": {"target": 40}, "claimed": {"winners": ["P3"]}},
    "bg-12-not-over": {**DEAL, "status": "in_progress", "options": {"target": 41}},
}


@pytest.mark.parametrize("name", OBEYED)
def test_obeyed(name: str) -> None:
    """Nothing wrong, nothing found."""
    assert places(verdict(OBEYED[name]).findings) == []


# --- options --------------------------------------------------------------------------------------------------------

NIL = {"when": "no_tricks", "points": 50, "mode": "instead"}
WRONG_OPTIONS = [
    ("misere", True, "FMT009"),
    ("removed_ranks", ["9", "8"], "FMT010"),
    ("removed_ranks", ["9", "8", "8"], "FMT010"),
    ("removed_ranks", ["9", "8", 7], "FMT010"),
    ("removed_ranks", ["10", "9", "8"], "FMT010"),
    ("removed_ranks", "987", "FMT010"),
    ("turnip_doublets", "yes", "FMT010"),
    ("turnip_doublets", 1, "FMT010"),
    ("double_rounding", "before", "FMT010"),
    ("special_scores", None, "FMT010"),
    ("special_scores", NIL, "FMT010"),
    ("special_scores", [{**NIL, "when": "last_trick"}], "FMT010"),
    ("special_scores", [{**NIL, "when": ["no_tricks"]}], "FMT010"),
    ("special_scores", [{**NIL, "points": "50"}], "FMT010"),
    ("special_scores", [{**NIL, "points": True}], "FMT010"),
    ("special_scores", [{**NIL, "mode": "times"}], "FMT010"),
    ("special_scores", [{**NIL, "note": ""}], "FMT010"),
    ("special_scores", [{"when": "no_tricks", "points": 50}], "FMT010"),
    ("target", 0, "FMT010"),
    ("target", "500", "FMT010"),
    ("target", True, "FMT010"),
    ("tie", "play_off", "FMT010"),
]


@pytest.mark.parametrize(("option", "value", "code"), WRONG_OPTIONS, ids=[ascii(f"{o}={v}") for o, v, _ in WRONG_OPTIONS])
def test_options_are_never_guessed(option: str, value: Any, code: str) -> None:
    """An option or a value that the game does not have is a finding, and nothing is checked under a default instead."""
    told = verdict(put(DEAL, "/options", {option: value}))
    assert [(f.code, f.pointer) for f in faults(told)] == [(code, f"/options/{option}")]
    assert levels(told) == "?????"


@pytest.mark.parametrize(
    "chosen",
    [
        {"removed_ranks": ["9", "8", "7"]},
        {"removed_ranks": ["7", "9", "8"]},
        {"turnip_doublets": True},
        {"turnip_doublets": False},
        {"double_rounding": "after_floor"},
        {"double_rounding": "before_floor"},  # 2 x 60/6 either way
        {"special_scores": []},
        {"special_scores": [NIL]},
        {"target": 500},
        {"target": 41},
        {"tie": "shared"},
        {"tie": "play_on"},
    ],
    ids=str,
)
def test_options_that_change_nothing_here(chosen: dict[str, Any]) -> None:
    """Options at their default, or about what did not happen, leave a deal as it was; the verdict says what was in force."""
    told = verdict(put(DEAL, "/options", chosen))
    assert places(told.findings) == []
    assert {key: told.options[key] for key in chosen} == chosen


ALL = {"when": "all_tricks", "points": 200, "mode": "instead"}
BUGS = {"when": "all_bugs", "points": 100, "mode": "plus"}
FAILED = {"when": "doublets_failed", "points": -40, "mode": "plus"}


@pytest.mark.parametrize(
    ("tricks", "bugs", "bid", "scores", "due"),
    [
        (0, 0, "H", [NIL], 50),
        (0, 0, "Hx2", [NIL], 50),  # never doubled
        (0, 0, "turnip", [{**NIL, "mode": "plus"}], 50),
        (1, 0, "H", [NIL], 20),
        (13, 9, "H", [ALL], 200),
        (13, 9, "H", [ALL, BUGS], 300),  # the turnip is the tenth heart
        (13, 9, "H", [BUGS, ALL], 200),
        (4, 9, "H", [BUGS], 4),
        (4, 1, "Hx2", [FAILED], -40),
        (4, 1, "H", [FAILED], 40),
        (4, 0, "Hx2", [FAILED], 160),
        (4, 1, "turnip", [FAILED], 80),
    ],
)
def test_special_scores_bg_11(tricks: int, bugs: int, bid: str, scores: list[Any], due: int) -> None:
    """What is declared counts, in its order: instead of what stands, or on top of it. Hearts are avoided, 5H is the turnip."""
    record = game("bugami", 3, bugs_taken(tricks, bugs, bid, turnip="5H", last=tricks == 13), options={"special_scores": scores})
    assert verdict(record).deals[0].scores["0"] == due


# --- what a record leaves out ---------------------------------------------------------------------------------------

UNTURNED = drop(drop(DEAL, f"{EVENTS}/3"), "/deals/0/aside")
UNSEEN = drop(UNTURNED, "/deals/0/hands")
UNKNOWN = put(put(DEAL, f"{EVENTS}/3/card", "??"), "/deals/0/aside/turnip", ["??"])


def claim_all_but(tricks: int) -> Data:
    """The deal with all tricks after the first few claimed, as they would have been won."""
    rest = DEAL["deals"][0]["claimed"]["winners"][tricks:]
    claim = {"do": "claim", "by": "P1", "tricks": {seat: rest.count(seat) for seat in sorted(set(rest))}}
    record = with_events(DEAL, *DEAL["deals"][0]["events"][: 4 + 3 * tricks], claim)
    return put(record, "/deals/0/status", "claimed")


@pytest.mark.parametrize("record", [UNTURNED, UNKNOWN, UNSEEN], ids=["not-turned", "unknown", "no-hands"])
def test_the_turnip_is_the_card_that_no_hand_holds_bg_5(record: Data) -> None:
    """Where it is not recorded, but all other cards are known, it is known too."""
    told = verdict(record)
    assert places(told.findings) == []
    assert told.deals[0].scores == {"P1": 20, "P2": 7, "P3": 40}


def test_the_turnip_that_cannot_be_known_is_a_doubt_bg_10() -> None:
    """Without the turnip, and with a card of the play unseen, nobody can say what Turnip scored; what can be passes."""
    hidden = drop(UNSEEN, f"{EVENTS}/8")  # P3's QC: either this card or QS is the turnip
    told = verdict(drop(hidden, "/deals/0/claimed/winners"))
    assert told.deals[0].scores == {"P2": 7, "P3": 40}
    assert codes(told) == ["PLY005"]
    assert "P1's score cannot be recomputed" in reasons(told, "L5")


def test_a_suit_bid_does_not_depend_on_the_turnip_bg_9() -> None:
    """Who did not win the last trick is scored without it; who did is not, if it could be a bug."""
    hand = bugs_taken(4, 1)
    hand["events"].pop(3)
    hidden = put(game("bugami", 3, hand), "/deals/0/hands", {seat: ["??"] * 13 for seat in "012"})
    told = verdict(hidden)
    assert told.deals[0].scores["0"] == 40
    last = bugs_taken(4, 1, last=True)
    last["events"] = [event for event in last["events"] if event["do"] != "turn"]
    assert verdict(game("bugami", 3, last)).deals[0].scores["0"] == 40
    next(event for event in last["events"] if event.get("card", "")[1:] == "H")["card"] = "??"  # this heart or 4S is the turnip
    for points, right in ((40, True), (20, True), (30, False), (80, False)):
        told = verdict(put(game("bugami", 3, last), "/deals/0/claimed", {"tricks": {"0": 4}, "scores": {"0": points}}))
        assert "0" not in told.deals[0].scores
        assert ("SCO001" in codes(told)) == (not right)


def test_a_score_sheet_alone_bg_9() -> None:
    """The bugs are on no sheet: a score is wrong only if no number of bugs can give it."""
    for bid, tricks, points, right in (
        ("H", 4, 80, True), ("H", 4, 13, True), ("H", 4, 41, False), ("H", 4, 160, False), ("Hx2", 4, 160, True),
        ("Hx2", 4, 40, False), ("turnip", 4, 26, True), ("turnip", 4, 13, False), ("H", 0, 0, True), ("H", 0, 20, False),
        ("H", 1, 1, False), ("H", 13, 13, True), ("H", 13, 260, False),
    ):  # fmt: skip
        told = verdict(game("bugami", 3, sheet(bid, str(tricks), str(points))))
        assert places(faults(told)) == ([] if right else [("SCO001", ANY, 1, None, "0", f"{SCORES}/0")]), (bid, tricks, points)
        assert levels(told)[3] == ("?" if right else "F")


def test_bids_on_the_sheet_are_judged_bg_5() -> None:
    """Where no bids are recorded, those of the sheet are the bids."""
    record = drop(drop(drop(DEAL, f"{EVENTS}/0"), f"{EVENTS}/0"), f"{EVENTS}/0")
    assert places(verdict(record).findings) == []
    wrong = put(record, "/deals/0/claimed/bids/P1", "turnipx2")
    assert places(faults(verdict(drop(wrong, SCORES))))[0][:2] == ("BID022", "BG-5")
    assert codes(verdict(put(record, "/deals/0/claimed/bids/P1", "NT"))) == ["BID002"]


def test_a_score_that_follows_from_a_wrong_bid_of_the_sheet_is_no_second_fault_c_6g() -> None:
    """P2, written down with spades instead of hearts, took three of them in three tricks."""
    record = put(DEAL, "/deals/0/claimed/bids/P2", "S")
    taken = sum(card[1] == "S" for trick in _played(DEAL) if trick.winner == "P2" for _, card in trick.plays)
    followed = put(put(put(record, f"{SCORES}/P2", 30 // taken), "/deals/0/claimed/totals/P2", 30 // taken), "/claimed", {})
    assert codes(verdict(followed)) == ["SCO004"]


def _played(record: Data) -> Any:
    return verdict(record).deals[0].played


@pytest.mark.parametrize("tricks", range(13))
def test_claimed_tricks_hide_no_more_bugs_than_they_can_c_6g(tricks: int) -> None:
    """What was claimed instead of played can hide bugs: what is written down passes if it can be, what cannot be does not."""
    record = claim_all_but(tricks)
    told = verdict(drop(record, "/deals/0/claimed/winners"))
    assert codes(told) == []
    assert codes(verdict(put(drop(record, "/deals/0/claimed/winners"), f"{SCORES}/P2", 31))) == ["SCO001"]
    if tricks == 12:
        assert told.deals[0].scores == {"P1": 20, "P2": 7, "P3": 40}  # the last trick is all that P1 could get


@pytest.mark.parametrize(
    ("record", "told", "level", "because"),
    [
        pytest.param({**DEAL, "status": "excerpt"}, "pppp?", "L6", "excerpt", id="excerpt"),
        pytest.param(BARE, "ppp??", "L5", "no result is recorded", id="no-sheet"),
        pytest.param(UNSEEN, "?ppp?", "L2", "hands are not recorded", id="hands-not-recorded"),
        pytest.param(drop(BARE, "/deals/0/dealer"), "p?p??", "L3", "dealer", id="dealer-not-recorded"),
        pytest.param(drop(drop(drop(BARE, f"{EVENTS}/0"), f"{EVENTS}/0"), f"{EVENTS}/0"), "p?p??", "L3", "bids", id="no-bids"),
        pytest.param(DEALT, "pp???", "L4", "play is not recorded", id="bids-only"),
        pytest.param(cut(BARE, 2), "pp???", "L4", "play is not recorded", id="two-bids"),
        pytest.param(cut(BARE, 0), "p????", "L3", "bids are not recorded", id="dealt-only"),
        pytest.param(cut(BARE, 20), "ppp??", "L5", "tricks were not played out", id="in-progress"),
    ],
)
def test_what_is_left_out_is_not_called_right(record: Data, told: str, level: str, because: str) -> None:
    """A level passes only if everything it needs is on record; otherwise it is not checkable, and says why."""
    result = verdict(record)
    assert codes(result) == []
    assert levels(result) == told
    assert because in reasons(result, level)


# --- invariants -----------------------------------------------------------------------------------------------------


def check_dealt(seed: int, options: dict[str, Any]) -> tuple[Record, Verdict]:
    """A deal that the dealer makes, refereed; nothing is wrong with it."""
    assert BUGAMI is not None
    record = deal_game(BUGAMI, 3, seed, options=options, numbers=[1])
    told = verdict(record.model_dump(exclude_unset=True, by_alias=True))
    assert places(told.findings) == []
    return record, told


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), ranks=st.permutations("23456789TJQKA"), tie=st.sampled_from(["shared", "play_on"]))
def test_invariants_of_a_deal(seed: int, ranks: list[str], tie: str) -> None:
    """All 13 tricks are won, each suit's ten cards are somebody's, and a score is the floor that the rules give."""
    record, told = check_dealt(seed, {"removed_ranks": ranks[:3], "tie": tie})
    result = told.deals[0]
    assert result.tricks is not None
    assert sum(result.tricks.values()) == 13
    [turnip] = (record.deals[0].aside or {})["turnip"]
    taken = {seat: [card for trick in result.played if trick.winner == seat for _, card in trick.plays] for seat in result.tricks}
    taken[result.played[-1].winner or ""].append(turnip)
    for suit in SUITS:
        assert sum(card[1] == suit for cards in taken.values() for card in cards) == 10
    for seat, tricks in result.tricks.items():
        bid = result.bids[seat]
        bugs = sum(card[1] == (turnip[1] if bid == "turnip" else bid[0]) for card in taken[seat])
        score, rest = result.lines[seat]["tricks"], 10 * tricks
        assert result.notes[seat]["bugs"] == str(bugs)
        assert score == 20 * tricks if bugs == 0 else 0 <= rest - bugs * score < bugs
        clean = 2 * score if bugs == 0 else 0
        assert result.scores[seat] == {"turnip": 2 * score}.get(bid, clean if bid.endswith("x2") else score)
        assert result.scores[seat] >= 0


def test_options_apply_in_any_order() -> None:
    """Whatever order the options are given in, the game is scored alike."""
    assert BUGAMI is not None
    options: dict[str, Any] = {"special_scores": [NIL], "double_rounding": "before_floor", "target": 40, "tie": "play_on"}
    games = compose(BUGAMI, options)[0], compose(BUGAMI, dict(reversed(options.items())))[0]
    assert [line.key for line in games[0].score] == [line.key for line in games[1].score]
    assert games[0].settings == games[1].settings
