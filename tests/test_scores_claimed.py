"""The sheet of a deal against the deal: what is told of winners, tricks, bids and scores, and what is left as a doubt."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.test_bridge_score import scored
from tests.tables import (
    Data,
    bids_of,
    by_seat,
    codes,
    deal,
    faults,
    game,
    killer_hand,
    places,
    put,
    reasons,
    sheet,
    tricks_in_turn,
    verdict,
)

CLAIMED = "/deals/0/claimed"


def told(data: Data, family: str = "") -> list[tuple[str, str]]:
    """Code and place of what is wrong, of some codes."""
    return [(each.code, each.pointer) for each in faults(verdict(data)) if each.code.startswith(family)]


# --- winners --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("winners", "together"), [("032", 2), ("320", 3), ("203", None)])
def test_only_winners_side_by_side_are_written_in_each_others_place(winners: str, together: int | None) -> None:
    """Two tricks apart that have each other's winner are two slips, and neither speaks of the next trick."""
    found = faults(verdict(put(killer_hand(), f"{CLAIMED}/winners", [*winners])))
    assert [each.code for each in found] == ["TRK001", "TRK001"]
    hinted = [each.message.split("(and trick ")[1][0] for each in found if "the other way round" in each.message]
    assert hinted == ([] if together is None else [str(together)])
    assert [each.because is not None for each in found] == [False, together is not None]


@pytest.mark.parametrize(("first", "hangs"), [("3", False), ("1", True), ("0", True)])
def test_a_winner_that_hangs_on_a_card_played_twice_is_a_doubt(first: str, hangs: bool) -> None:
    """One of the two plays was of another card, so that the sheet may be right about the trick."""
    data = put(put(killer_hand(), "/deals/0/events/12/card", "9S"), CLAIMED, {"winners": [first, "0", "2"]})
    assert codes(verdict(data)) == ["PLY002"]
    assert ("deal 11, trick 1: who won it hangs on 9S, which is played twice" in reasons(verdict(data), "L5")) == hangs


# --- tricks ---------------------------------------------------------------------------------------------------------


def claimed_after_one(divided: dict[str, int], **claimed: Any) -> Data:
    """The first trick, which seat 3 wins; then it claims the other two to be divided so."""
    data = killer_hand()
    data["deals"][0]["events"][9:] = [{"do": "claim", "by": "3", "tricks": divided}]
    return put(data, CLAIMED, claimed)


@pytest.mark.parametrize(("tricks", "wrong"), [("1 0 1 1", ""), ("0 0 0 1", "02"), ("1 0 0 1", "2"), ("2 0 0 1", "02")])
def test_tricks_that_were_claimed_count(tricks: str, wrong: str) -> None:
    """Winners are written down of the trick that was played: a sheet that has only those tricks lacks the claimed ones."""
    data = claimed_after_one({"0": 1, "2": 1}, winners=["3"], tricks=by_seat(tricks))
    assert told(data) == [("TRK002", f"{CLAIMED}/tricks/{seat}") for seat in wrong]


def test_no_trick_is_missing_where_the_rest_was_claimed() -> None:
    """Nobody played the tricks that a claim forgets, and a sheet that adds up to fewer than the deal has is wrong by itself."""
    data = claimed_after_one({"0": 1}, tricks=by_seat("1 0 0 0"))
    assert sorted(told(data)) == [("CLM001", "/deals/0/events/9/tricks"), ("TRK004", f"{CLAIMED}/tricks")]
    assert "missing" not in reasons(verdict(data), "L5")


@pytest.mark.parametrize(("tricks", "due"), [("1 0 0 1", 3), ("1 1 1 1", 3), ("1 0 1 1", None), ("1 0 - 1", None)])
def test_the_tricks_of_all_players_add_up_to_the_deals(tricks: str, due: int | None) -> None:
    """No fewer and no more, where nothing but the sheet is left; of a sheet without a seat nothing is told."""
    data = game("kbabs", 4, sheet("1 1 1 1", tricks, number=11, dealer="3", cards=3))
    assert [(each.code, each.facts["due"]) for each in faults(verdict(data))] == ([] if due is None else [("TRK004", due)])


@pytest.mark.parametrize(
    ("players", "bastard", "due"),
    [("5 3 2", None, None), ("6 5 2", None, None), ("6 5 3", None, 13), ("5 3 2", 3, None), ("5 3 2", 1, 13), ("5 3 2", 4, 13)],
)
def test_what_players_have_not_won_may_be_the_bastards(players: str, bastard: int | None, due: int | None) -> None:
    """In Nuisance it wins tricks too: without its number they may have fewer than all, with it the sum is the deal's."""
    data = game("bastard", 3, sheet("4 4 4", players, number=1, dealer="2", cards=13), options={"nuisance": True})
    if bastard is not None:
        data["deals"][0]["claimed"]["tricks"]["bastard"] = bastard
    assert [(each.code, each.facts["due"]) for each in faults(verdict(data))] == ([] if due is None else [("TRK004", due)])


# --- bids on the sheet ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bids", [{}, {"S": "4S"}])
def test_bids_on_the_sheet_of_a_game_without_bids_of_tricks_are_a_doubt(bids: dict[str, str]) -> None:
    """A board has one contract, which no seat's bid is compared with."""
    data = put(scored("4S", "S", {"NS": {"tricks": 10}}), f"{CLAIMED}/bids", bids)
    assert codes(verdict(data)) == []
    assert ("bids on the sheet cannot be compared with a contract" in reasons(verdict(data), "L5")) == bool(bids)


def test_a_bid_on_the_sheet_that_has_no_number_explains_no_score() -> None:
    """A rainbow of three cards is none: the sheet's bid is wrong, and so is a score that the bid made does not give."""
    data = put(killer_hand(), f"{CLAIMED}/bids/0", "rainbow")
    assert told(data) == [("SCO004", f"{CLAIMED}/bids/0")]
    assert told(put(data, f"{CLAIMED}/scores/0", 12)) == [("SCO004", f"{CLAIMED}/bids/0"), ("SCO001", f"{CLAIMED}/scores/0")]


@pytest.mark.parametrize(("written", "score", "wrong"), [("3", 130, 0), ("3", 30, 1), ("4", 130, 0), ("4", 30, 0), ("4", 31, 1)])
def test_nobody_knows_what_is_carried_on_from_a_bid_that_is_written_down_otherwise(written: str, score: int, wrong: int) -> None:
    """Three tricks bid and won three times running are 100 more, if it was three that was bid the second time."""
    first, second, third = (sheet("3 4 5", "3 4 6", number=number, dealer=str((number + 1) % 3)) for number in (1, 2, 3))
    second["events"] = bids_of("1 4, 2 5, 0 3")
    second["claimed"]["bids"] = by_seat(f"{written} 4 5")
    third["claimed"]["scores"] = {"0": score}
    found = faults(verdict(game("spades3", 3, first, second, third, status="stopped")))
    due = [("SCO004", "SP-9", 2, None, "0", "/deals/1/claimed/bids/0")] if written == "4" else []
    assert [each for each in places(found) if each[0] != "SCO001"] == due
    assert [each.pointer for each in found if each.code == "SCO001"] == ["/deals/2/claimed/scores/0"] * wrong


# --- scores ---------------------------------------------------------------------------------------------------------


def test_hands_that_are_alike_score_by_what_was_carried_into_them() -> None:
    """Of one overtrick in every hand each second one costs the penalty: two make a sandbag."""
    hands = [
        sheet("4 4 4", "5 4 4", f"{score} - -", number=n, dealer=str((n + 1) % 3)) for n, score in enumerate((41, 21, 41, 21), 1)
    ]
    data = game("bastard", 3, *hands, status="stopped", options={"ultra": True, "sandbags": {"every": 2, "penalty": 20}})
    assert told(data) == []
    for place, other in enumerate((21, 41, 21, 41)):
        pointer = f"/deals/{place}/claimed/scores/0"
        assert told(put(data, pointer, other)) == [("SCO001", pointer)]


def test_a_score_is_not_recomputed_where_a_whole_trick_is_lost() -> None:
    """The sheet's tricks lack the one that the record lacks, and its scores need not."""
    data = killer_hand()
    del data["deals"][0]["events"][-4:]
    data = put(data, CLAIMED, {"tricks": by_seat("1 0 0 1"), "scores": by_seat("11 -1 11 11")})
    assert codes(verdict(data)) == ["PLY005"]
    assert "2's score cannot be recomputed" in reasons(verdict(data), "L5")


@pytest.mark.parametrize(("score", "wrong"), [(420, False), (520, False), (720, False), (120, True)])
def test_known_tricks_are_scored_in_every_way_that_there_is(score: int, wrong: bool) -> None:
    """Four-deal bridge, of which neither dealer, earlier deals nor what honours count is on record: a game scores 300 or 500."""
    data = scored("4S", "S", {"NS": {"tricks": 10, "score": score}}, options={"scoring": "chicago"})
    data["deals"][0]["events"].append({"do": "announce", "what": "honours", "by": "S"})
    assert told(data) == ([("SCO001", f"{CLAIMED}/sides/NS/score")] if wrong else [])


@pytest.mark.parametrize("score", [120, 125])
def test_unknown_tricks_in_a_rubber_of_which_nothing_is_known_leave_a_doubt(score: int) -> None:
    """So many ways there are to score such a hand that nothing is told of it, whatever is claimed."""
    data = scored("4S", "S", {"NS": {"score": score}}, options={"scoring": "rubber"})
    assert told(data) == []
    assert "NS's score cannot be recomputed" in reasons(verdict(data), "L5")


@pytest.mark.parametrize("score", [5, 11, 13])
def test_of_a_hand_whose_facts_contradict_each_other_no_score_is_wrong(score: int) -> None:
    """Bugami: the card turned is a heart by all that was played, and is written as a spade."""
    left = {"2H", "3H", "4H", "5H"}
    cards = " ".join(card for suit in "SCDH" for rank in "AKQJT65432" if (card := rank + suit) not in left)
    then = [{"do": "claim", "by": "0", "tricks": {"0": 1}}]
    data = deal(bids="0 H, 1 S, 2 S", plays=tricks_in_turn(("0", cards), first="0"), dealer="2", status="claimed", then=then)
    data["events"].insert(3, {"do": "turn", "card": "?S"})
    record = game("bugami", 3, {**data, "claimed": {"scores": {"0": score}}})
    assert told(record, "SCO") == []
    assert "0's score cannot be recomputed" in reasons(verdict(record), "L5")
