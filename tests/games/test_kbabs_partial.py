"""Killer Back Alley Bridge Substitute: what a record leaves out, and what the players did besides playing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.kbabs_hands import (
    BARE,
    DEALT,
    EVENTS,
    GOING,
    KILLER,
    PLAYED_ONLY,
    PLAYS,
    Place,
    play,
)
from tests.tables import (
    Data,
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
    verdict,
)

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


def test_accusation_in_the_second_deal_of_a_number_kb_5_9() -> None:
    """An accusation that names no deal is about its own, whatever number another has."""
    own = then(REVOKED, do="accuse", by="3", of="0", trick=2)["deals"][0]
    record = insert(REVOKED, "/deals/0", deal(number=own["number"], dealer="0", cards=2, status="in_progress", then=[]))
    (remark,) = remarks(verdict({**record, "deals": [record["deals"][0], own]}))
    assert (remark.pointer.split("/")[2], remark.facts["upheld"]) == ("1", True)


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
