"""What a game and its table tell: whose turn a play is, what the deals before and the options hold, what is still to come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from handrec import rulebook
from handrec.findings import Verdict
from handrec.game import Case, compose, value
from handrec.game.value import Standings
from handrec.game.views import CallView
from handrec.live import LiveTable
from handrec.masks import prefer
from handrec.phases.conduct import Conduct
from handrec.phases.open_bids import OpenBids
from handrec.readings import fit
from handrec.record import Announce, Penalty, Play, Record
from handrec.referee import check
from tests.dealing import the
from tests.tables import Data, codes, deal, faults, game, killer_hand, plays_of, put, reasons, spades_hand, verdict


def table_of(data: Data) -> LiveTable:
    """The table at which a record has come so far."""
    return LiveTable(Record.model_validate(data))


# --- whose turn a play is -----------------------------------------------------------------------------------------------

HANDS = "N: 2C 2H 2D | E: 3H 3D 3S | S: 4C 4H 4D | W: 5C 5H 5D"


def bridge(plays: str, hands: str | None = HANDS, declarer: str = "W", status: str = "stopped", row: bool = False) -> Data:
    """The beginning of a deal of Bridge at 1NT, so that declarer's left leads; of three cards each, or of one in a typed row."""
    events: list[Data] = [{"do": "contract", "bid": "1NT", "by": declarer}, *plays_of(plays)]
    if row:
        events[1]["trick"] = 1
    return game("bridge", "N E S W", {**deal(hands=hands, status=status, cards=1 if row else 3), "events": events})


def in_play(told: Verdict) -> list[tuple[str, str | None, int | None]]:
    """What is wrong with the play: code, seat, and the number of the event if it is at one."""
    return [(each.code, each.seat, each.event_index) for each in faults(told) if each.code[:3] in ("PLY", "REV")]


@pytest.mark.parametrize(
    ("data", "due"),
    {
        "two are said to hold the card": (bridge("2S", "N: 2S 2H 2D | E: 2S 3H 3D", "N"), []),
        "the last one out of turn while more is to come": (
            bridge("N 2H, S 4H", status="in_progress"),
            [("PLY003", "S", 2)],
        ),
        "by the hands it is the order that is wrong": (bridge("E 3H, S 4C, W 5C, N 2C"), [("PLY003", "E", 1)]),
        "so it is with a lead that is not the lowest card": (
            bridge("E 3H, S 4C, W 5C, N 6C", HANDS.replace("2C", "6C")),
            [("PLY003", "E", 1)],
        ),
        "a seat passed over in a row without hands": (
            bridge("N 2H, E 3H, W 5H", hands=None, status="complete", row=True),
            [("PLY005", "S", 3)],
        ),
    }.values(),
    ids=["two hold it", "still to come", "wrong order", "of higher cards", "passed over"],
)
def test_whose_turn_was_not_kept(data: Data, due: list[tuple[str, str | None, int | None]]) -> None:
    """One thing is odd, and only that is told."""
    assert in_play(verdict(data)) == due


def test_a_trick_in_the_wrong_order_is_won_as_it_was_led() -> None:
    """N's lead of the lowest card of the pack is what the others follow."""
    told = verdict(bridge("E 3H, S 4C, W 5C, N 2C"))
    assert not [code for code in codes(told) if code.startswith("REV")]
    (trick,) = told.deals[0].played
    assert (trick.winner, trick.plays[0]) == ("W", ("N", "2C"))


def test_a_wrong_lead_stands_where_trump_is_not_known() -> None:
    """No card is judged there, so nothing tells that the trick was only written down in the wrong order."""
    plays = "0 3H, 2 5H, 1 4H"
    told = verdict(game("oh_hell", 3, deal(dealer="0", cards=1, hands="0: 3H | 1: 4H | 2: 5H", plays=plays)))
    assert ("PLY004", "0", 0) in in_play(told)


def test_a_card_lacks_in_this_trick_or_a_later_one() -> None:
    """W's last card to the first trick may be its lead to the second: so who won the first stays open, and the reason is told."""
    hands = "N: AS 2H KS | E: 3S 3H 6S | S: 4S 4H 7S | W: 5S 5H 8S"
    plays = "N AS, E 3S, S 4S, W 5S; N 2H, E 3H, S 4H, W 5H; N KS, E 6S, S 7S"
    told = verdict(bridge(plays, hands, status="complete"))
    for level in ("L4", "L5"):
        assert "a card is missing from trick 1 or a later one" in reasons(told, level)
    assert told.deals[0].played[0].winner is None


def test_a_card_taken_back_before_any_row_is_no_part_of_one() -> None:
    """A lead that stands in no row is withdrawn, and the row after it is whole."""
    data = bridge("N 2H, N 2H, E 3H, S 4H, W 5H")
    events = data["deals"][0]["events"]
    events.insert(2, {"do": "withdraw", "by": "N", "card": "2H"})
    events[3]["trick"] = 1
    assert in_play(verdict(data)) == []


# --- the table ------------------------------------------------------------------------------------------------------------


def test_books_are_taken_for_a_renege_of_an_earlier_deal() -> None:
    """The claim was made in time in the first deal, and the books are taken in the second."""
    first = spades_hand({"do": "accuse", "by": "0", "of": "2", "trick": 4})["deals"][0]
    first.pop("claimed")
    second = spades_hand()["deals"][0]
    second.pop("claimed")
    second |= {"number": 2, "dealer": "0"}
    second["events"].append({"do": "transfer", "by": "0", "of": "2", "tricks": 2, "of_deal": 1})
    told = verdict(game("spades3", 3, first, second))
    assert not [code for code in codes(told) if code.startswith("CLM")]
    assert told.deals[1].tricks == {"0": 6, "1": 4, "2": 3}


def oh_hell(*plays: str) -> Data:
    """A deal of Oh Hell of one card each that is being played: the card turned is stated, and that it was turned is not."""
    events = [{"do": "bid", "by": seat, "bid": 0} for seat in "120"] + plays_of(", ".join(plays))
    lying = {"turnup": ["2S"]}
    begun = deal(dealer="0", number=10, cards=1, hands="0: 3H | 1: 4H | 2: 5H", aside=lying, status="in_progress")
    return game("oh_hell", 3, {**begun, "events": events}, status="in_progress")


def test_a_card_stated_to_lie_there_was_turned_once_a_card_is_led() -> None:
    """Before that it may still be turned."""
    for plays, turned in ((["1 4H"], ["2S"]), ([], [])):
        playing = table_of(oh_hell(*plays)).playing
        assert playing is not None
        assert playing.turned == turned


def test_the_plays_of_a_table_are_those_that_there_are_by_now() -> None:
    live = table_of(bridge("", status="in_progress"))
    for number, play in enumerate(plays_of("N 2H, E 3H, S 4H"), 1):
        live.force(play)
        assert live.playing is not None
        assert live.playing.plays[0] == [*range(1, number + 1)]


@pytest.mark.parametrize(("key", "options", "alike"), [("whist", {}, True), ("bastard", {"mega": True}, False)])
def test_whether_the_order_holds_in_every_trick(key: str, options: Data, alike: bool) -> None:
    """Not where a card turned for each trick makes trump of it."""
    live = table_of(game(key, the(key).players[0], {**deal(dealer="0", turn="2H"), "status": "in_progress"}, options=options))
    assert live.playing is not None
    live.playing.order(1)
    assert live.playing.alike is alike


def test_one_suit_turned_for_every_trick_is_trump_in_all() -> None:
    """The order is the same throughout, though no card is turned after the last trick."""
    mega = compose(the("bastard"), {"mega": True})[0]
    hearts = tuple(rank + "H" for rank in "23456789TJQKA")
    assert [order and order.name for order in mega.order_throughout(hearts, None, 13, 3, 13)] == ["H"]
    assert mega.order_throughout(("2S", *hearts[1:]), None, 13, 3, 13) == ()


def test_dummy_lies_open_when_a_card_is_led() -> None:
    assert table_of(bridge("N 2H", status="in_progress")).as_seat("N").open == {"E": ("3S", "3H", "3D")}


# --- the game -------------------------------------------------------------------------------------------------------------


def test_rules_of_several_demands_are_all_minded() -> None:
    """Cases of another demand are no cases of the one before, though they stand side by side."""
    whist = the("whist")
    follow = rulebook.FOLLOW_SUIT
    rise = replace(follow, code="REV004", name="must-rise", id="X-1")
    cases = (
        replace(follow, narrow=Case(lambda view, legal: prefer(legal & view.led, legal), lambda view: view.led != 0)),
        replace(rise, narrow=Case(lambda view, legal: prefer(legal & view.rising, legal), lambda view: view.led != 0)),
    )
    strict = replace(whist, rules=(*(rule for rule in whist.rules if rule.code != "REV001"), *cases), options=())
    hands = "0: 4H 2C 3C | 1: 3H 5H 4C | 2: 2S 3S 4S | 3: 5S 6S 7S"
    data = game("whist", 4, deal(dealer="3", hands=hands, turn="?D", plays="0 4H, 1 3H", status="stopped"))
    assert [code for code in codes(check(Record.model_validate(data), lambda _: strict)) if code.startswith("REV")] == ["REV004"]


@pytest.mark.parametrize(("written", "allowed"), [("maybe", "false, true"), (1, "false, true")])
def test_what_an_option_may_be_is_told(written: Any, allowed: str) -> None:
    """Where it has no form of its own, by its choices."""
    (fault,) = [each for each in faults(verdict(game("hearts", 4, options={"queen_breaks": written}))) if each.code == "FMT010"]
    assert fault.facts["allowed"] == allowed


def test_a_one_is_neither_true_nor_false() -> None:
    """Where it is written for an option that is either, both values mend the record."""
    record = Record.model_validate(game("hearts", 4, deal(), options={"queen_breaks": 1}))
    assert fit(record, the("hearts"), 1) == [{"queen_breaks": False}, {"queen_breaks": True}]


def test_the_fewest_points_win_at_hearts() -> None:
    """Equal totals share."""
    totals, winners = {"0": 104, "1": 0, "2": 0, "3": 0}, ("1", "2", "3")
    hearts = the("hearts")
    standing = Standings(tuple(totals.values()), {}, 4)
    assert tuple(str(place) for place in hearts.winners(standing)) == winners


def test_totals_count_as_they_are_and_no_score_ends_a_game_that_says_nothing_else() -> None:
    standing = Standings((300, 2, 1), {}, 1)
    assert the("oh_hell").final(standing) == (300, 2, 1)
    assert the("oh_hell").over(standing) is False


def test_another_trump_on_the_sheet_is_found() -> None:
    assert "DEA009" in codes(verdict(put(killer_hand(), "/deals/0/claimed/trump", "S")))
    assert "DEA009" not in codes(verdict(killer_hand()))


@pytest.mark.parametrize(("trump", "found"), [("Hm", False), ("H", False), ("Hs", True), ("D", True)])
def test_the_sheet_need_not_name_the_stronger_pack(trump: str, found: bool) -> None:
    """At La Bâtarde with two packs; another pack, or another suit, is wrong."""
    called = deal(dealer="4", number=1, bids="0 3Hm, 1 2H, 2 1H, 3 1H, 4 1H", claimed={"trump": trump})
    assert ("DEA009" in codes(verdict(game("batarde", 5, called)))) == found


def test_a_table_may_play_without_the_hook() -> None:
    """The dealer's bid makes the bids add up to the tricks."""
    for hook, found in ((True, True), (False, False)):
        data = game("oh_hell", 3, deal(dealer="0", cards=1, turn="2S", bids="1 0, 2 0, 0 1", number=10), options={"hook": hook})
        assert ("BID003" in codes(verdict(data))) == found


def test_which_phase_takes_an_event_and_plays_a_part() -> None:
    """None takes what the game does not have; a part that means nothing to a phase is not asked of it."""
    spades, bugami = the("spades3"), the("bugami")
    assert isinstance(spades.taking(Announce(by="0", what="look")), OpenBids)
    assert spades.taking(Play(by="0", card="2S")) is spades.phase_of["play"]
    assert the("whist").taking(Penalty(of="0", points=1)) is None
    assert [type(phase) for phase in bugami.that("look_back")] == [Conduct]


def test_what_is_remembered_is_no_more_than_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last bids that broke no rule, up to a number; and the games under options."""
    monkeypatch.setattr(value, "MOST_FAIR", 3)
    whist = replace(the("whist"))
    for bid in range(9):
        whist.add_fair(bid)
        assert bid in whist.fair
        assert len(whist.fair) <= 3
    assert compose(whist, {"target": 7})[0] is compose(whist, {"target": 7})[0]


def test_nothing_stands_above_a_call_of_the_sheet() -> None:
    """Of a call of which nothing else is known, no number was called before."""
    call = CallView(3, 7)
    assert (call.proposed, call.highest) == (-1, -1)
