"""Calls of La Bâtarde and of bridge: what stands, what may be said, what is stated of them, and what is only half on record."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import check
from handrec.game import Phase, Table
from handrec.game.table import NO_PAST
from handrec.games import find
from handrec.judging import Judge
from handrec.phases.calling import Calling
from handrec.record import Announce, Bid, Record
from handrec.referee import begun, laid
from tests.dealing import the
from tests.games.test_batarde_rules import at, auction, say
from tests.games.test_bridge_auction import SOUND, board, came, found
from tests.tables import Data, by_seat, codes, deal, faults, game, insert, put, reasons, verdict


def one_fault(data: Data) -> tuple[Any, ...]:
    """The only finding, as `at` has it; nothing if there is none."""
    told = [(f.code, f.rule, f.deal, f.trick, f.seat, f.pointer) for f in faults(verdict(data))]
    assert len(told) <= 1, told
    return told[0] if told else ()


def at_the_table(data: Data) -> tuple[Phase, Table]:
    """The table of a deal that is being called, and the phase that takes its calls."""
    record = Record.model_validate(data)
    played = the(record.game, **record.options)
    return played.phase_of["bid"], begun(record, played, 0, record.deals[0], NO_PAST)


# --- La Bâtarde: single calls, and what is said between them --------------------------------------------------------


@pytest.mark.parametrize(("cards", "fault"), [(1, at("/events/1/bid", "BID002 LB-12", "1")), (2, ())])
def test_a_hand_that_is_said_to_be_of_one_card_wins_one_trick(cards: int, fault: tuple[Any, ...]) -> None:
    """LB-12: that a card is to be dealt is known before one is played."""
    assert one_fault(auction("0 1S, 1 2S", cards=cards)) == fault


@pytest.mark.parametrize(
    ("players", "contract", "fault"),
    [
        (4, "S", ()),
        (4, "Sm", at("/events/0/bid", "BID002 LB-12")),  # one pack has no marks
        (5, "Sm", ()),
        (5, "Sx", at("/events/0/bid", "BID002 LB-12")),
        (5, "ATs", ()),
        (5, "X", at("/events/0/bid", "BID002 LB-12")),
    ],
)
def test_a_mode_that_is_stated_has_a_mark_of_the_packs(players: int, contract: str, fault: tuple[Any, ...]) -> None:
    stated = deal(dealer="0", cards=4, then=[{"do": "contract", "bid": contract}], status="stopped")
    assert one_fault(game("batarde", players, stated)) == fault


def test_a_contract_of_which_nobody_is_named_was_called_by_somebody() -> None:
    """A message names a seat, or says that it was somebody."""
    (wrong,) = faults(
        verdict(game("batarde", 4, deal(dealer="3", cards=4, then=[{"do": "contract", "bid": "Sm"}], status="stopped")))
    )
    assert wrong.message.startswith("somebody bid Sm, but")


@pytest.mark.parametrize(
    ("calls_made", "fault"),
    [
        ("0 2NT, 1 1NT, 2 2H", ()),  # which opens the auction anew
        ("0 2NT, 1 1NT, 2 2NT", at("/events/2/bid", "BID003 LB-17", "2")),
    ],
)
def test_only_who_ends_the_auction_may_not_make_the_numbers_add_up(calls_made: str, fault: tuple[Any, ...]) -> None:
    assert one_fault(auction(calls_made, players=3, cards=5)) == fault


@pytest.mark.parametrize(("sheet", "wrong"), [("1Sm", []), ("1S", []), (1, []), ("1Ss", ["SCO004"]), ("0S", ["SCO004"])])
def test_a_score_sheet_may_leave_out_the_mark_but_not_change_it(sheet: str | int, wrong: list[str]) -> None:
    called = auction("0 1Sm, 1 1Sm, 2 1Sm, 3 0Sm, 4 0Sm", players=5, cards=4, status="stopped")
    assert codes(verdict(put(called, "/deals/0/claimed", {"bids": {"0": sheet}}))) == wrong


def test_a_number_that_no_hand_wins_makes_no_sum_whatever_the_hand() -> None:
    """LB-17: that the size of the hand is not known leaves nothing open then."""
    told = {}
    for numbers in ("2 2 3 2", "10 1 1 1"):
        claimed = {"bids": by_seat(numbers), "trump": "S"}
        told[numbers] = verdict(game("batarde", 4, deal(dealer="3", claimed=claimed)))
    assert [codes(each) for each in told.values()] == [[], ["BID002"]]
    assert ["how many cards" in reasons(each, "L3") for each in told.values()] == [True, False]


# --- La Bâtarde: calls that are missing or nobody knows -------------------------------------------------------------


def test_who_may_only_have_imposed_a_mode_may_mechoune_it() -> None:
    """LB-20: the call of 1 that is missing may have been the one that imposed spades."""
    missing = ("0 1D, 2 2S", say("2", "mechoune"), "3 1S, 0 1S")
    assert one_fault(auction(*missing, mechoune_by="not_proposer"))[:2] == ("BID006", "LB-16")
    own = ("0 1D, 1 1D, 2 2S", say("2", "mechoune"), "3 1S, 0 1S, 1 0S")
    assert one_fault(auction(*own, mechoune_by="not_proposer"))[:2] == ("BID011", "LB-20")


@pytest.mark.parametrize(("seat", "wrong"), [("1", ["BID006"]), ("0", ["BID006", "BID011"])])
def test_only_who_must_have_imposed_a_mode_may_choune(seat: str, wrong: list[str]) -> None:
    """LB-21: no tricks in spades impose nothing over a trick in diamonds, so it was 1, whose call is missing, and not 0."""
    called = auction("0 1D, 2 0S", say("3", "mechoune"), "3 1S, 0 1S", say(seat, "choune"))
    assert codes(verdict(called)) == wrong


@pytest.mark.parametrize(
    ("calls_made", "seats"),
    [
        ("0 1D, 1 2S, 2 0S", "023"),
        ("0 1D, 2 0S, 3 1S", "023"),  # only 1 can have imposed spades
        ("0 1D, 1 ?, 2 ?, 3 0S", "0123"),  # 1 or 2 has
    ],
)
def test_mechoune_is_offered_to_all_but_who_must_have_imposed_the_mode(calls_made: str, seats: str) -> None:
    """LB-20."""
    phase, table = at_the_table(auction(calls_made, mechoune_by="not_proposer"))
    assert phase.may(table) == [Announce(by=seat, what="mechoune") for seat in seats]


def test_a_number_too_high_cancels_no_call_beside_one_that_is_not_known() -> None:
    """LB-16: what was called in spades before stands."""
    told = verdict(auction("0 1S, 1 ?, 2 9S, 3 0S"))
    assert codes(told) == ["BID002", "BID002"]
    assert told.deals[0].bids == {"0": "1S", "2": "9S", "3": "0S"}


def test_a_last_call_under_another_seat_is_that_of_the_seat_whose_turn_it_was() -> None:
    """LB-16: if it were no call at all, 3 would have made none when the first card is led, which would be one thing more."""
    led: list[Data] = [{"do": "play", "by": "0", "card": "RD"}, {"do": "play", "by": "1", "card": "DD"}]
    told = verdict(auction("0 1D, 1 1D, 2 1D, 2 1D", *led))
    assert codes(told) == ["BID001"]
    assert told.deals[0].bids == dict.fromkeys("0123", "1D")


MODES = ("NT", "C", "D", "H", "S", "AT")


def with_exchanges(many: int) -> Data:
    """Calls each of which imposes a mode, of which so many are written down after the next one."""
    called = [f"{place % 4} {place // 6}{MODES[place % 6]}" for place in range(54)]
    for spot in range(1, 3 * many, 3):
        called[spot], called[spot + 1] = called[spot + 1], called[spot]
    return auction(", ".join(called), cards=9)


@pytest.mark.parametrize("many", [1, 3, 4, 12])
def test_some_calls_out_of_turn_are_explained(many: int) -> None:
    """LB-12: each of four exchanges is one finding; of those after them every call that is not in turn is told."""
    told = codes(verdict(with_exchanges(many)))
    assert {*told} == {"BID001"}
    assert len(told) == many if many <= 4 else len(told) > many


def test_who_never_calls_is_told_of_once() -> None:
    """LB-16: one seat calls again and again: of each of the others it is said once that it made no bid, not for every round."""
    told = verdict(auction(", ".join(["1 8"] * 8))).findings
    silent = [finding.seat for finding in told if finding.code == "BID006"]
    assert sorted(silent) == ["0", "2", "3"]


def test_a_call_out_of_turn_that_is_not_explained_any_more_is_told_as_one() -> None:
    """LB-12, LB-16: 1 and 2 call in turns, and 0, whose turn it is first, never; of which it is said no more than once."""
    told = verdict(auction(", ".join(["1 2S", "2 2S"] * 4))).findings
    assert [(finding.code, finding.seat) for finding in told if finding.code != "BID016"] == [
        ("BID006", "0"),
        ("BID001", "1"),
        ("BID001", "2"),
    ]


def test_of_twenty_calls_that_are_none_it_is_said_what_was_meant() -> None:
    """Of more of them it is not looked for; each is told nevertheless."""
    words = [f"{number}{mode}z" for number in range(1, 6) for mode in ("S", "H", "D", "C", "NT")]
    told = faults(verdict(auction(", ".join(f"{place % 4} {word}" for place, word in enumerate(words)))))
    assert [finding.facts["bid"] for finding in told] == words
    meant = [f" (did you mean {word[:-1]}?)" for word in words[:20]]
    assert [finding.facts.get("hint", "") for finding in told] == [*meant, *[""] * 5]


def test_a_contract_with_a_number_is_told_what_it_lacks() -> None:
    """LB-11: the mode alone is meant, and not the call that looks like it."""
    data = auction("0 3H")
    data["deals"][0]["events"].append({"do": "contract", "by": "0", "bid": "3H"})
    (finding,) = faults(verdict(data))
    assert finding.message.endswith(" (did you mean H? a contract has no number)")


def test_where_much_was_tried_nothing_else_is() -> None:
    """Sixty calls that are none: each is told, with no reading of the rules, and that no slip was looked for."""
    found = check(Record.model_validate(auction(", ".join(["1 8"] * 60)))).findings
    assert sum(finding.code == "BID002" for finding in found) == 60
    assert [finding.pointer for finding in found if finding.code == "FMT022"] == ["/deals/0"]
    assert not any(finding.readings for finding in found)


@pytest.mark.parametrize(
    ("calls", "plays", "heard", "tangled"),
    [(1, 0, 4, False), (4, 0, 22, False), (5, 0, 31, True), (5, 1, 35, False), (60, 0, 414, True), (60, 500, 3375, True)],
)
def test_how_much_is_much_hangs_on_the_events(calls: int, plays: int, heard: int, tangled: bool) -> None:
    """Six calls an event are heard on trial; where as many were, or 150, nothing else is tried."""
    data = auction(", ".join(["1 8"] * calls))
    data["deals"][0]["events"] += [{"do": "play", "by": data["players"][0]["seat"], "card": "2S"}] * plays
    _, table = at_the_table(data)
    assert (table.kept[Calling].heard, table.tangled) == (heard, tangled)


def test_on_trial_what_is_found_is_only_counted() -> None:
    """As often as it would be told: calls that are none once for a word that somebody says for each of them."""
    told, counts = at_the_table(auction("1 8"))[1], list[int]()
    told.on_trial, told.findings = True, []
    for code, bid in (("BID001", "8"), ("BID001", "8"), ("BID002", "8"), ("BID002", "8"), ("BID002", "np"), ("BID002", "np")):
        told.fault(code, 0, seat=0, bid=bid, due=None, allowed="")
        counts.append(len(told.findings))
    assert counts == [1, 2, 3, 4, 5, 5]


# --- what is expected -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "happened", "open_to"),
    [
        (4, [], "0"),
        (4, ["0 1D, 1 2S"], "2"),
        (4, ["0 1D, 1 0D, 2 1D, 3 1D"], ""),
        (4, ["0 1D, 1 0D, 2 1D, 3 1D", {"do": "play", "by": "0", "card": "RD"}], ""),
        (4, [{"do": "contract", "bid": "D"}], ""),
        (5, ["0 1Dm"], "1"),
        (5, ["0 1Dm, 1 0Dm, 2 1Dm, 3 1Dm"], "4"),
    ],
)
def test_a_call_is_expected_if_it_is_offered(players: int, happened: list[Any], open_to: str) -> None:
    """To none when all have called or a card is led; where it is not told at once, it may be either."""
    phase, table = at_the_table(auction(*happened, players=players))
    offered = phase.offers(table)
    assert {event.by for event in offered} == {*open_to}
    marks = ("", "m", "s") if players > 4 else ("",)
    words = [f"{number}{mode}{mark}" for number in (0, 2, 5, 6) for mode in MODES for mark in marks]
    for event in [Bid(by=str(seat), bid=word) for seat in range(players) for word in words]:
        assert phase.expects(table, event) in (None, event in offered), event


def test_a_call_without_the_mark_is_not_one_of_those_expected() -> None:
    """LB-13: whether it may approve is not told at once, for it is none of those that are offered."""
    phase, table = at_the_table(auction("0 1Dm", players=5))
    assert phase.expects(table, Bid(by="1", bid="1D")) is None
    assert phase.expects(table, Bid(by="1", bid="1Dm")) is True


# --- bridge: calls --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("instead", ["S pass", "S -1C, S pass"])
def test_a_pass_in_place_of_a_bid_too_low_binds_the_partner(instead: str) -> None:
    """27B2: whether the bid is taken back in so many words or the right call just follows it."""
    data = board(f"E 1H, S 1C, {instead}, W pass, N 1S, E pass, S pass, W pass", "")
    [late] = [finding for finding in faults(verdict(data)) if finding.code == "BID027"]
    assert (late.rule, late.seat, late.facts["bid"]) == ("BR-19c", "N", "1S")


@pytest.mark.parametrize(
    ("corrected", "barred"),
    [("S 2C, S -2C, S 3C", False), ("S X, S -X, S 3C", True), ("S 3C", False)],
)
def test_of_what_is_taken_back_only_a_double_binds_the_partner(corrected: str, barred: bool) -> None:
    """27B3: whoever puts a bid right by a bid, and that by another, binds nobody."""
    data = board(f"E 1H, S 1C, S -1C, {corrected}, W pass, N 3S, E pass, S pass, W pass", "")
    assert [code for code, *_ in found(data)] == ["BID027"] * barred
    assert came(data) == "3S N"


def test_three_passes_end_an_auction_only_if_no_call_between_them_is_unknown() -> None:
    """BR-22a: North may have doubled; so South calls in time, and a pass by North would have been the last call."""
    start = "E 1S, S pass, W pass"
    assert found(board(f"{start}, N ?, E pass, S 2H, W pass, N pass, E pass", "")) == []
    assert [fault[0] for fault in found(board(f"{start}, N pass, E pass", ""))] == ["BID016"]


def test_no_call_is_taken_back_when_a_card_is_led() -> None:
    """BR-25: neither the last one."""
    last = {"do": "withdraw", "by": "W", "bid": "pass"}
    assert found(insert(board(SOUND), "/deals/0/events/8", last)) == [("BID032", "BR-25", "W", "/events/8")]
    again = insert(board(SOUND), "/deals/0/events/7", {"do": "bid", "by": "W", "bid": "pass"})
    assert found(insert(again, "/deals/0/events/7", last)) == []


@pytest.mark.parametrize(
    ("dealer", "called"),
    [("N", "N 1S, E pass, S 4S, W pass, N pass, E pass"), ("E", "E 1S, S pass, W 4S, N pass, E pass, S pass")],
)
def test_who_began_if_the_passes_in_front_are_left_out(dealer: str, called: str) -> None:
    """BR-17: South declared and West led, so it was South who opened."""
    [finding] = faults(verdict(board(called, contract="4S S", dealer=dealer)))
    assert (finding.code, finding.pointer) == ("BID033", "/deals/0/events/0")
    assert finding.message.startswith(f"the calls begin with S's 1S, and it was {dealer}'s turn")


@pytest.mark.parametrize(
    ("called", "status", "wrong"),
    [
        ("W pass", "complete", "BID033"),  # nobody bid
        ("W pass", "in_progress", "BID001"),
        ("S 1S, W pass, N pass, E pass", "in_progress", "BID033"),
        ("S 1S, W pass, N pass", "in_progress", "BID001"),
    ],
)
def test_passes_in_front_are_left_out_where_something_shows_it(called: str, status: str, wrong: str) -> None:
    """BR-17: a first call that is the last thing in a deal that goes on is out of turn; if others follow it need not be."""
    assert [finding.code for finding in faults(verdict(board(called, "", dealer="N", status=status)))] == [wrong]


@pytest.mark.parametrize(
    ("called", "front"),
    [
        ("E pass, S 1S, W pass, N 4S, E pass, S pass, W pass", False),  # four passes: the deal would be passed out
        ("E 1S, S pass, W 4S, N pass, E pass, S pass", True),
    ],
)
def test_no_four_passes_are_in_front_of_a_bid_br_22a(called: str, front: bool) -> None:
    """Of calls that begin too late those in front may be left out, but none of a deal that these would pass out."""
    wrong = codes(verdict(board(called, dealer="S")))
    assert ("BID033" in wrong) is front
    assert wrong


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({}, {"BID001": ["S for E as dealer"]}),
        ({"board": 2, "vulnerable": "NS"}, {"DEA006": []}),  # the board tells who dealt
    ],
)
def test_the_dealer_may_be_miswritten_where_all_call_in_turn_from_another_seat(stated: Data, told: dict[str, list[str]]) -> None:
    """BR-17: whoever began is not said to have called out of turn as if nothing else could be."""
    data = board("E pass, S 1S, W pass, N 4S, E pass, S pass, W pass", dealer="S", **stated)
    wrong = check(Record.model_validate(data)).faults
    assert {finding.code: [near.words for near in finding.near] for finding in wrong} == told


# --- bridge: the board ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "vulnerable", "codes_found", "hint"),
    [
        (2, "NS", [], False),
        (2, "EW", ["DEA012"], False),  # the dealer is right
        (3, "EW", ["DEA006"], False),  # the same are vulnerable
        (3, None, ["DEA006"], False),  # nobody says who is
        (3, "NS", ["DEA006"], True),
        (3, "none", ["DEA006"], True),
    ],
)
def test_another_board(number: int, vulnerable: str | None, codes_found: list[str], hint: bool) -> None:
    """BR-2: what neither dealer nor vulnerability agrees with is another board's number, and that is one finding."""
    stated: dict[str, Any] = {} if vulnerable is None else {"vulnerable": vulnerable}
    told = faults(verdict(board(SOUND, board=number, **stated)))
    assert [finding.code for finding in told] == codes_found
    assert ["another board" in finding.message for finding in told] == [hint] * len(told)


def test_a_vulnerable_side_that_there_is_not_is_told_and_fails_no_fast_way() -> None:
    """BR-2b: without the number of a board there is none that it could contradict."""
    nowhere = board(SOUND, vulnerable="SW")
    failures: list[str] = []
    judge = Judge(find, failed=lambda way, error: failures.append(f"{way}: {error!r}"))
    assert [finding.code for finding in judge.verdict(Record.model_validate(nowhere)).findings] == ["FMT012"]
    assert failures == []


# --- what is laid down at once --------------------------------------------------------------------------------------


def laid_down(data: Data) -> int:
    """How far a phase lays down its calls at once."""
    record = Record.model_validate(data)
    played = the(record.game, **record.options)
    seats = tuple(player.seat for player in record.players)
    table = laid(played, played.pack(len(seats)), seats, 0, record.deals[0], record, played.cards(len(seats)))
    return played.phase_of["bid"].lay(table, 0)


@pytest.mark.parametrize(
    ("data", "events"),
    [
        (auction("0 1S, 1 1S, 2 1S, 3 1S", status="complete"), 4),
        (auction("0 1D, 1 1S, 2 1S, 3 1S, 0 1S", status="complete"), 5),
        (auction("0 1S, 1 1S", say("3", "mechoune"), "2 1S, 3 1S", status="complete"), 5),
        (auction("0 1S, 1 1S, 2 1S, 3 1S", say("3", "mechoune"), status="complete"), -1),  # too late
        (auction("0 1S, 1 1S, 2 1S, 3 2S", status="complete"), -1),  # the numbers add up
        (auction("0 1S, 1 1S, 2 1S", status="complete"), -1),
        (auction("0 1S, 2 1S, 3 1S", status="complete"), -1),
        (board(SOUND), 7),
        (board(SOUND, contract="4S S"), 8),
        (board(SOUND, contract="4S"), 8),
        (board(SOUND, contract="4Sx S"), -1),
        (board(SOUND, contract="4S N"), -1),
        (board(SOUND, board=2, vulnerable="NS"), 7),
        (board(SOUND, board=2, vulnerable="EW"), -1),
        (board("E pass, S 1S, W 1H, N 4S, E pass, S pass, W pass"), -1),
        (board("E pass, S 1S, W pass, S 4S, E pass, S pass, W pass"), -1),
        (board("E pass, S 1S, W pass, N 4S, E pass, S pass"), -1),
    ],
)
def test_calls_are_laid_down_at_once_if_nothing_is_wrong_with_them(data: Data, events: int) -> None:
    """All of them up to the first lead, with what is said or stated of them; otherwise none."""
    assert laid_down(data) == events


# --- bridge: boards that are made up --------------------------------------------------------------------------------


def passes_among_sensible_calls(called: str) -> int:
    """How many times a pass is among the calls of which one is chosen."""
    phase, table = at_the_table(board(called, "", status="in_progress"))
    offered = phase.offers(table)
    assert Bid(by=offered[0].by, bid="pass") in offered
    return [event.bid for event in phase.sensible(table, offered)].count("pass")


def test_a_deal_is_seldom_passed_out() -> None:
    """A fourth pass is chosen less often than those before it, and passes more often the higher the bidding has come."""
    passes = ["E pass", "S pass", "W pass"]
    *before, last = [passes_among_sensible_calls(", ".join(passes[:many])) for many in range(4)]
    assert all(0 < last < each for each in before)
    assert max(before) < passes_among_sensible_calls("E 2S") < passes_among_sensible_calls("E 4S")
