"""What a finding hangs on, which slips touch it, and whose the cards of a faulty deal are as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from handrec import check, games
from handrec.explanations.acts import ACTS
from handrec.explanations.costs import costs
from handrec.explanations.pen import Reach, left_out, reach, slips, touches
from handrec.explanations.search import Search, search_in
from handrec.explanations.written import Slip, WrittenDeal
from handrec.findings import Finding
from handrec.judging import Judge
from handrec.record import Record
from tests.planting import dealt, without
from tests.tables import deal, drop, game, killer_hand, put
from tests.test_explanations import short

Data = dict[str, Any]

#: Hands of three cards of which clubs are led twice, and hearts last: 0 leads and wins all three.
HANDS = "0: AC KC 2H | 1: 2C 5C 3H | 2: 3C 6C 4H | 3: 4D 5D 7D"
#: The same with a club that 3 does not play on a club.
CLUB = "0: AC KC 2H | 1: 2C 6D 3H | 2: 3C 6C 4H | 3: 4D 5D 7C"
REVOKE = "0 AC, 1 2C, 2 3C, 3 4D; 0 KC, 1 6D, 2 6C, 3 7C; 0 2H, 1 3H, 2 4H, 3 5D"
PLAYS = "0 AC, 1 2C, 2 3C, 3 4D; 0 KC, 1 5C, 2 6C, 3 5D; 0 2H, 1 3H, 2 4H, 3 7D"
#: 0 has hearts and shows a club on the heart that 1 leads; had 0 led it, as is due, everybody followed or had no club.
WRONG_ORDER = (
    "1 2H, 2 3C, 3 4C, 0 5C; 0 2D, 1 3D, 2 4D, 3 5D; 3 6D, 0 3H, 1 7D, 2 8D; 2 9D, 3 TD, 0 4H, 1 JD; 1 QD, 2 KD, 3 AD, 0 6H"
)


def three_tricks(plays: str = PLAYS, hands: str = HANDS) -> Data:
    """A whole deal of three tricks by four players, spades trump; the plays begin with event 5."""
    bids = "0 1, 1 1, 2 1, 3 1"
    return game("kbabs", 4, deal(number=11, dealer="3", turn="KS", bids=bids, hands=hands, plays=plays, status="complete"))


def search_of(data: Data) -> Search:
    """The search for what explains a record of one deal, not begun."""
    record = Record.model_validate(data)
    known = games.find(record.game)
    assert known
    told, tables = Judge(games.find).examined(record)
    return search_in(record, known, 0, told, tables)


def written_of(data: Data) -> WrittenDeal:
    """A deal with all that is found in it."""
    return search_of(data).written


def hangs(data: Data, code: str) -> tuple[WrittenDeal, Finding, Reach]:
    """A deal, its first finding of a code, and what that hangs on."""
    written = written_of(data)
    finding = next(each for each in written.findings if each.code == code)
    return written, finding, reach(written, finding)


def everything(written: WrittenDeal) -> Reach:
    """All of a deal."""
    events, rows = range(len(written.deal.events) + 1), range(len(written.rows))
    return Reach(frozenset(events), frozenset(rows), frozenset(written.players), None, begun=True, trump=True)


def every_slip(written: WrittenDeal, words: str) -> Iterator[Slip]:
    """The slips that are told in these words."""
    return (slip for slip in slips(written, everything(written)) if slip.words == words)


def places_of(written: WrittenDeal, *rows: int) -> set[int]:
    """The places of the plays of some rows."""
    return {each.place for each in written.plays if each.row in rows}


def injected(key: str, code: str, seed: int = 0) -> Data:
    """A deal in which something was done against a rule."""
    data = dealt(key, seed, inject=code)
    assert data
    return without(data, hands=True, claims=False)


# --- what a finding hangs on ------------------------------------------------------------------------------------------

#: A card of 3's that 0 played to the first trick.
PLAYED_TWICE = put(killer_hand(), "/deals/0/events/9/card", "7C")


def test_what_either_hangs_on_is_what_both_hang_on_together() -> None:
    """Two findings are reached through whatever reaches one of them."""
    one = Reach(frozenset({1}), frozenset({0}), frozenset({2}), frozenset({"AH"}), begun=True)
    other = Reach(frozenset({5}), frozenset({1}), frozenset({3}), frozenset({"KH"}), trump=True)
    both = Reach(frozenset({1, 5}), frozenset({0, 1}), frozenset({2, 3}), frozenset({"AH", "KH"}), begun=True, trump=True)
    assert one | other == other | one == both
    assert (one | replace(other, cards=None)).cards is None


def test_whatever_is_trump_a_card_is_played_twice() -> None:
    """No other card turned up would make it one card."""
    written, _, where = hangs(PLAYED_TWICE, "PLY002")
    found = {slip.act.key for slip in slips(written, where)}
    assert "card" in found
    assert "turn-up" not in found


def test_a_revoke_hangs_on_the_hand_and_on_that_from_which_cards_came_to_it() -> None:
    """Cards are passed to the left: what N and W were dealt says nothing of what S could have played."""
    written, finding, where = hangs(injected("hearts", "REV001"), "REV001")
    assert finding.seat == "S"
    assert {written.seat(seat) for seat in where.hands} == {"S", "E"}


@pytest.mark.parametrize(("key", "code", "seed"), [("batarde", "BID001", 0), ("batarde", "BID003", 0), ("bridge", "BID028", 0)])
def test_no_card_bears_on_a_call(key: str, code: str, seed: int) -> None:
    """Where calls go round the table they hang on calls, on what is stated of them, and on who began."""
    written, _, where = hangs(injected(key, code, seed), code)
    assert not where.hands
    assert where.begun
    assert not where.events & places_of(written, *range(len(written.rows)))


def test_who_leads_to_the_first_trick_hangs_on_the_calls_and_on_that_trick() -> None:
    """What is played later says nothing of who declared."""
    written, _, where = hangs(injected("batarde", "PLY004"), "PLY004")
    assert where.events == {*range(min(places_of(written, 0)))} | places_of(written, 0)


def test_a_finding_at_a_card_that_is_put_in_hangs_on_its_trick() -> None:
    """Such a card has no place in the record, and stands in the row of its trick all the same."""
    revoked = "0 AC, 1 2C, 2 3C, 3 4D; 0 KC, 1 5C, 2 4H, 3 5D; 0 2H, 1 3H, 2 6C, 3 7D"
    written, finding, where = hangs(three_tricks(revoked), "REV001")
    assert finding.trick == 2
    assert reach(written, finding._replace(pointer="/deals/0/events/-/card")) == where


# --- what touches it --------------------------------------------------------------------------------------------------


def led_by_another() -> Data:
    """A deal without its first trick, of which the dealer is misread: so it seems that others should have led."""
    data = without(dealt("whist", 0) or {}, hands=False, claims=False)
    del data["deals"][0]["events"][1:5]
    return put(data, "/deals/0/dealer", "E")


#: By a name: a record, the code of a finding in it, and a slip that makes this finding go away.
REMOVED: dict[str, tuple[Data, str, str]] = {
    "a card of a hand": (three_tricks(REVOKE, CLUB), "REV001", "3's hand has 7C where 7D was dealt"),
    "a suit of two hands": (three_tricks(REVOKE, CLUB), "REV001", "the diamonds of 1 and 3 exchanged"),
    "a card left out in the row before": (
        three_tricks("AC, 2C, 4D; KC, 5C, 6C, 5D; 2H, 3H, 4H, 7D", HANDS),
        "PLY001",
        "2's 3C left out",
    ),
    "a card written twice in the row": (
        three_tricks("AC, 2C, 3C, 4D; KC, KC, 5C, 6C, 5D; 2H, 3H, 4H, 7D", HANDS),
        "PLY001",
        "KC written twice",
    ),
    "who dealt": (led_by_another(), "PLY005", "E for W as dealer"),
    "many rows": (short(WRONG_ORDER), "PLY003", "all rows from trick 3 on written from another seat"),
}


@pytest.mark.parametrize("case", REMOVED)
def test_a_slip_without_which_a_finding_is_none_touches_what_it_hangs_on(case: str) -> None:
    """Wherever it is made: in a hand, before the card, far from it."""
    data, code, words = REMOVED[case]
    search = search_of(data)
    written = search.written
    seen = 0
    for slip in every_slip(written, words):
        found = search.judge(slip.undone(written.deal), None).findings
        places = [None if each.event_index is None else slip.was(each.event_index) for each in found]
        left = {(each.code, each.seat, place) for each, place in zip(found, places, strict=True)}
        for finding in written.findings:
            if finding.code == code and (code, finding.seat, finding.event_index) not in left:
                seen += 1
                assert touches(written, slip, reach(written, finding))
    assert seen


@pytest.mark.parametrize(
    "words",
    [
        "KC written for QC",
        "2H written for 8H",
        "0 for 1 at KC",
        "KC and 6C exchanged",
        "the hearts of 1 and 2 exchanged",
        "2's hand has 3C where 8C was dealt",
    ],
)
def test_a_slip_that_changes_no_card_of_a_revoke_does_not_touch_it(words: str) -> None:
    """Neither cards of other tricks, though it be the next one, nor hands of others."""
    written, _, where = hangs(three_tricks(REVOKE, CLUB), "REV001")
    found = [*every_slip(written, words)]
    assert found
    assert not any(touches(written, slip, where) for slip in found)


# --- the slips that are looked for ------------------------------------------------------------------------------------


def test_each_card_that_a_finding_hangs_on_may_be_anybody_elses() -> None:
    """The names at those cards, and at no other."""
    written, _, where = hangs(three_tricks(REVOKE, CLUB), "REV001")
    cards = [(each.place, written.event(each).by) for each in written.plays if each.place in where.events]
    due = {(f"/events/{place}/by", seat) for place, by in cards for seat in written.table.seats if seat != by}
    marks = [slip.marks[0] for slip in slips(written, where) if slip.act is ACTS["name"]]
    assert {(mark.pointer, mark.facts["owner"]) for mark in marks} == due


def test_of_two_cards_that_are_exchanged_a_finding_hangs_on_one() -> None:
    """Two cards that are no part of it may change places as they will."""
    written, _, where = hangs(three_tricks(REVOKE, CLUB), "REV001")
    exchanged = [slip for slip in slips(written, where) if slip.act.key in ("plays-in-row", "plays-across") and slip.changed]
    assert exchanged
    assert not [slip.words for slip in exchanged if where.events.isdisjoint(slip.changed or ())]


@pytest.mark.parametrize("hands", [HANDS, None])
def test_the_card_that_a_seat_is_said_to_lack_is_that_seats(hands: str | None) -> None:
    """One of its hand, or of all that nobody has shown: and of no other seat."""
    data = three_tricks(PLAYS)
    if hands is None:
        data = drop(data, "/deals/0/hands")
    written, finding, _ = hangs(drop(data, "/deals/0/events/16"), "PLY005")
    assert finding.seat == "3"
    found = [*left_out(written)]
    assert found
    assert {slip.marks[0].facts["owner"] for slip in found} == {"3"}
    assert "3's 7D left out" in [slip.words for slip in found]


def test_a_card_that_nobody_is_said_to_lack_may_be_any_seats() -> None:
    """More than one card is missing: that of each seat is tried."""
    data = three_tricks(PLAYS)
    data["deals"][0]["events"] = data["deals"][0]["events"][:14]
    written, finding, _ = hangs(data, "PLY005")
    assert finding.seat is None
    assert {slip.words for slip in left_out(written)} >= {"1's 3H left out", "2's 4H left out", "3's 7D left out"}


def test_revokes_of_a_seat_in_a_suit_cost_less_from_the_second_on() -> None:
    """It is one mistake about the hand; another seat's, or in another suit, is a mistake of its own."""
    twice = three_tricks("0 AC, 1 2C, 2 3C, 3 4D; 0 KC, 1 6D, 2 6C, 3 5D; 0 2H, 1 3H, 2 4H, 3 7C", CLUB)
    once = three_tricks(REVOKE, CLUB)
    first, again = ACTS["revoke"].cost, ACTS["revoke-again"].cost
    assert again < first
    for data, cost in ((once, first), (twice, first + again)):
        written = written_of(data)
        assert {finding.code for finding in written.findings} == {"REV001"}
        assert sum(costs(written, written.findings)) == cost


# --- whose the cards are ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_a_card_that_was_passed_is_that_of_whom_it_came_to(seed: int) -> None:
    """To the left, to the right, and across."""
    data = without(dealt("hearts", seed) or {}, hands=True, claims=False)
    written = written_of(data)
    passed = [event for event in data["deals"][0]["events"] if event["do"] == "exchange"]
    index, place_of = written.table.pack.index, written.table.place_of
    assert passed
    for event in passed:
        for card in event["cards"]:
            assert written.owners[index[card]] == [place_of[event["to"]]]
            assert written.as_dealt.owners[index[card]] == [place_of[event["by"]]]
            assert written.came[place_of[event["to"]], index[card]] == place_of[event["by"]]


def test_cards_that_are_passed_without_a_name_came_from_whom_they_were_dealt_to() -> None:
    """The play shows which they were."""
    data = without(dealt("hearts", 0) or {}, hands=True, claims=False)
    named = written_of(data).came
    for event in data["deals"][0]["events"]:
        if event["do"] == "exchange":
            event["count"] = len(event.pop("cards"))
    assert written_of(data).came == named


@pytest.mark.parametrize(
    ("hands", "slip"),
    [
        ("0: AC KC 3H | 1: 2C 5C 2H | 2: 3C 6C 4H | 3: 4D 5D 7D", "the hearts of 0 and 1 exchanged"),
        ("0: 2C 5C 3H | 1: AC KC 2H | 2: 3C 6C 4H | 3: 4D 5D 7D", "the hands of 0 and 1 exchanged"),
        ("0: AC KC 2H | 1: 3C 6C 4H | 2: 2C 5C 3H | 3: 4D 5D 7D", "the hands of 1 and 2 exchanged"),
    ],
)
def test_whose_a_card_without_a_name_is_hangs_on_the_hands(hands: str, slip: str) -> None:
    """So hands in each other's place explain all that is played out of turn at once, and nothing explains it for less."""
    data = three_tricks(re.sub("[0-3] ", "", PLAYS), hands)
    (part,) = search_of(data).parts()
    assert slip in ["; ".join(each.words for each in found.slips) for found in part.best]


@pytest.mark.parametrize("missing", [1, 2, 3, 5, 6, 7, 9, 10, 11])
def test_a_row_ends_before_the_second_card_of_a_seat_if_a_card_is_missing(missing: int) -> None:
    """So the row of the missing card is short, and the others are whole."""
    data = drop(three_tricks(), f"/deals/0/events/{5 + missing}")
    assert [len(row) for row in written_of(data).rows] == [4 - (row == missing // 4) for row in range(3)]


def test_a_play_of_nobody_is_not_of_a_card_that_somebody_does_not_hold() -> None:
    """Whose it is nobody tells."""
    data = three_tricks("AC, 2C, 3C, 4D; KC, KC, 5C, 6C, 5D; 2H, 3H, 4H, 7D")
    record = Record.model_validate(data)
    told, tables = Judge(games.find).examined(record)
    written = WrittenDeal(record.deals[0], tables[0], [*told.findings])
    assert [each.place for each in written.plays if each.seat < 0]
    assert all(each.seat >= 0 for each in written.foreign)


def test_a_hand_unlike_what_the_others_leave_of_the_pack_is_misprinted() -> None:
    """Where every card is dealt, the other hands tell what it was, though the play was stopped early."""
    data = without(dealt("whist", 0) or {}, hands=True, claims=False)
    played = data["deals"][0]
    played["events"], played["status"], data["status"] = played["events"][:21], "stopped", "excerpt"
    hands = played["hands"]
    right, hands["E"] = hands["E"], [*hands["N"][:5], *hands["S"][:5], *hands["E"][:3]]
    (finding,) = check(Record.model_validate(data)).faults
    assert (finding.code, finding.facts["act"], finding.facts["owner"]) == ("REC007", "hand", "E")
    assert {*finding.facts["due"]} == {*right}


def test_the_numbers_of_rows_go_on_from_one_that_is_wrong() -> None:
    """Where a row has no number, and the next has the number that this one should have."""
    data = three_tricks()
    for place, number in ((5, 1), (13, 2)):
        data["deals"][0]["events"][place]["trick"] = number
    written = written_of(data)
    assert [finding.code for finding in written.findings] == ["FMT019"]
    assert written.tricks == [1, 3]
