"""The referee on what a deal comes to: which numbers of the sheet follow from others, and what is known where little is."""

from __future__ import annotations

from typing import Any

from tests.games.test_bastard_rules import guesses
from tests.games.test_bridge_score import played, reckoned, scored
from tests.games.test_spades3_rules import books
from tests.tables import Data, by_seat, codes, faults, game, killer_hand, levels, put, reasons, sheet, spades_hand, verdict

NO_RESULT = "no result is recorded to compare with"


def found(data: Data) -> list[tuple[str, str]]:
    """Codes and places of what is wrong with the first deal."""
    return [(finding.code, finding.pointer.removeprefix("/deals/0/claimed/")) for finding in faults(verdict(data))]


def test_any_result_is_one_to_compare_with() -> None:
    """Winners, tricks or scores; a trump is none."""
    whole = killer_hand()
    for key, value in whole["deals"][0]["claimed"].items():
        told = verdict(put(whole, "/deals/0/claimed", {key: value}))
        assert codes(told) == []
        assert (NO_RESULT in reasons(told, "L5")) == (key not in ("winners", "tricks", "scores")), key
    board = played({"NS": {"tricks": 9}})
    assert [NO_RESULT in reasons(verdict(each), "L5") for each in (board, played({}))] == [False, True]


def test_two_winners_in_each_others_place_are_one_slip() -> None:
    """Side by side, and each where the other is due; otherwise each is wrong by itself."""
    for winners, wrong in (("032", [None, "winners/0"]), ("320", [None, "winners/1"]), ("023", [None] * 3), ("132", [None] * 2)):
        told = faults(verdict(put(killer_hand(), "/deals/0/claimed/winners", [*winners])))
        assert [each.because and each.because[1].removeprefix("/deals/0/claimed/") for each in told] == wrong, winners


def test_what_a_scorecard_shows_besides() -> None:
    """Guesses, and whether they were right; nothing of who did not guess."""
    data = guesses((0, "right"), (1, "own"))
    right, own = (event for event in data["deals"][0]["events"] if event["do"] == "announce")
    notes = {right["by"]: {"guess": f"{right['card']} right"}, own["by"]: {"guess": own["card"]}}
    assert verdict(data).deals[0].notes == notes


def test_a_score_that_hangs_on_deals_before_is_one_of_all_that_it_can_be() -> None:
    """In an excerpt: of a rubber, and of three-player Spades."""
    for score, wrong in ((120, False), (620, False), (820, False), (125, True)):
        data = scored("4S", "S", {"NS": {"score": score, "tricks": 10}}, options={"scoring": "rubber"})
        assert found(data) == ([("SCO001", "sides/NS/score")] if wrong else []), score
    hand = {"dealer": "2", "number": 4, "cards": 13}
    # Three tricks bid and made are 30; 100 or 50 more for the third in a row or a further one.
    for score, wrong in ((30, False), (130, False), (80, False), (230, True), (31, True)):
        data = game("spades3", 3, sheet("3 4 5", "3 4 6", f"{score} - -", **hand))
        assert found(data) == ([("SCO001", "scores/0")] if wrong else []), score


def test_a_score_of_tricks_that_are_not_known_is_one_of_any_number_of_them() -> None:
    """Four spades, not vulnerable: from ten down to three over, and no further."""
    for score, wrong in ((420, False), (450, False), (510, False), (540, True), (-50, False), (-500, False), (-550, True)):
        data = scored("4S", "S", {"NS": {"score": score}})
        assert found(data) == ([("SCO001", "sides/NS/score")] if wrong else []), score


def test_a_total_of_a_score_that_is_wrong_is_not_recomputed() -> None:
    """Where nothing tells the right one, since the deal before does not say how it went; whatever else is wrong with the deal."""
    before = sheet("3 4 5", "", "30 40 50", "30 40 50", dealer="2", cards=13)
    after = sheet("3 4 5", "3 4 6", "31 - -", "61 - -", dealer="0", cards=13)
    data = game("spades3", 3, before, after, status="stopped")
    for trump, wrong in (("S", ["SCO001"]), ("H", ["SCO001", "DEA009"])):
        told = verdict(put(data, "/deals/1/claimed/trump", trump))
        assert codes(told) == wrong
        assert "deal 2: 0's total cannot be recomputed" in reasons(told, "L6")


def lost(tricks: int, **fields: Any) -> Data:
    """A sheet of which North and South are said to have some tricks of three spades, not vulnerable, and their score."""
    return played({"NS": {"tricks": tricks, "score": reckoned(3, "S", 0, tricks, False)}}, **fields)


def test_a_score_that_follows_from_the_tricks_of_the_sheet_is_no_second_fault() -> None:
    """From any number of them."""
    for tricks in range(14):
        assert found(lost(tricks)) == ([("TRK002", "sides/NS/tricks")] if tricks != 9 else []), tricks


def test_tricks_that_moved_for_a_revoke_are_few_and_the_same_for_both_sides() -> None:
    """Up to two, from one to the other; whatever else is off is a miscount."""
    revoke = put(put(played({}), "/deals/0/events/6/card", "5D"), "/deals/0/events/16/card", "7S")
    for north, east, wrong in ((10, 3, []), (11, 2, []), (12, 1, ["NS"]), (12, 5, ["EW", "NS"])):
        data = put(revoke, "/deals/0/claimed/sides", {"NS": {"tricks": north}, "EW": {"tricks": east}})
        due = [("TRK002", f"sides/{side}/tricks") for side in wrong]
        assert [each for each in found(data) if each[0].startswith("TRK")] == due, (north, east)


def test_books_taken_without_right_are_told_where_they_were_taken() -> None:
    """A sheet that counts them is not wrong again; one that counts them the other way round is."""
    record = spades_hand(books("0", "2", 2), status="stopped")
    record = put(record, "/deals/0/claimed", {"tricks": by_seat("6 4 3")})
    assert codes(verdict(record)) == ["REV001", "CLM007"]
    other = verdict(put(record, "/deals/0/claimed/tricks", by_seat("2 4 7")))
    assert sorted(codes(other)) == ["CLM007", "REV001", "TRK002", "TRK002"]


def test_a_count_is_lost_with_its_trick_only_where_the_deal_is_said_to_be_whole() -> None:
    """A claim names the tricks that nobody played."""
    whole = killer_hand(status="excerpt")
    del whole["deals"][0]["events"][-4:], whole["deals"][0]["claimed"]
    one = put(whole, "/deals/0/claimed", {"tricks": by_seat("1 0 0 1")})
    told = verdict(one)
    assert (codes(told), "a whole trick is missing" in reasons(told, "L5")) == (["PLY005"], True)
    stopped = verdict(put(one, "/deals/0/status", "stopped"))
    assert (codes(stopped), "a whole trick is missing" in reasons(stopped, "L5")) == ([], False)
    assert levels(stopped)[1] == "p"
