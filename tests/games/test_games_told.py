"""What single rules and options of the games decide: trump, cards left over, who is dealt what, plays, points, winners."""

from __future__ import annotations

import pytest

from handrec.dealing import deal_game
from handrec.games import find
from handrec.referee import check
from tests.dealing import the
from tests.tables import Data, codes, deal, game, places, reasons, sheet, verdict

# --- trump, and what is left over -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "number", "cards"), [(53, 1, 1), (1, 2, 53)])
def test_a_single_card_left_over_is_turned_and_makes_trump_kb_3_1(players: int, number: int, cards: int) -> None:
    """Only where no card is left is there no trump for that."""
    found = []
    for trump in ("H", "NT"):
        turned = deal(number=number, cards=cards, turn="5H", claimed={"trump": trump}, status="in_progress")
        found.append(codes(verdict(game("kbabs", players, turned))))
    assert found == [[], ["DEA009"]]


@pytest.mark.parametrize(
    ("key", "players", "cards", "options", "turned"),
    [
        ("kbabs", 6, 9, {}, None),  # the whole pack is dealt
        ("kbabs", 53, 1, {}, "5H"),
        ("kbabs", 27, 2, {}, None),
        ("oh_hell", 3, 17, {"longest": 17}, "5H"),
    ],
)
def test_nothing_lies_in_the_stock_where_no_card_is_left_for_it(
    key: str, players: int, cards: int, options: Data, turned: str | None
) -> None:
    """The card turned is no part of it; none is what a record may say, and one is too many."""
    for lying, found in ((list[str](), []), (["2C"], [("DEA003", "/deals/0/aside/stock")])):
        aside = {"turnup": [turned] if turned else [], "stock": lying}
        record = game(key, players, deal(number=1, cards=cards, turn=turned, aside=aside, status="in_progress"), options=options)
        assert [(finding.code, finding.pointer) for finding in verdict(record).findings] == found


# --- who gets which card of the pack ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "options", "dealt"),
    [
        ("bugami", {}, "000111222 000011112222 t 000111222 000111222"),
        ("spades3", {"d_after_seat": "0"}, "0t12" * 13),
        ("spades3", {"d_after_seat": "1"}, "01t2" * 13),
        ("spades3", {"d_after_seat": "2"}, "t012" * 13),
        ("spades3", {}, ""),
    ],
)
def test_to_whom_the_cards_of_the_pack_go(key: str, options: Data, dealt: str) -> None:
    """Counted from the dealer's left, the dealer being the last player; -1 is the table."""
    found = the(key, **options).dealt(["0", "1", "2"], 2, 13)
    assert [*found] == [-1 if seat == "t" else int(seat) for seat in dealt.replace(" ", "")]


def test_where_the_discard_pile_sits_beside_nobody_who_plays_the_deal_is_not_known_sp_4() -> None:
    """A pack is recorded, and the option names a seat that the table does not have."""
    pack = [*the("spades3").pack(3).cards]
    told = verdict(game("spades3", 3, deal(pack=pack, dealer="2", status="in_progress"), options={"d_after_seat": "N"}))
    assert codes(told) == []
    assert reasons(told, "L2") == "deal 1: how the recorded pack was dealt is not known"


# --- plays ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "options", "broken"),
    [
        ("E QS, S 5S", {}, False),
        ("E QS, S 5S", {"queen_breaks": True}, True),
        ("E JS, S 5S", {"queen_breaks": True}, False),
        ("E JS, S 5H", {}, True),
        ("E JS, S 5H", {"queen_breaks": True}, True),
    ],
)
def test_what_breaks_hearts_he_6(second: str, options: Data, broken: bool) -> None:
    """A heart does under either rule, the queen of spades where that is agreed: then a heart may be led by who has clubs too."""
    plays = f"N 2C, E 5C, S 6C, W AC; W 3S, N 4S, {second}; E 3H, S 6H, W 4H, N KH; N 9C, E 4C"
    led = deal(plays=plays, status="in_progress")
    found = places(verdict(game("hearts", "N E S W", led, options={"passing": "none", **options})).findings)
    assert found == ([] if broken else [("REV005", "HE-6", 1, 3, "E", "/deals/0/events/8/card")])


# --- points -----------------------------------------------------------------------------------------------------------


def test_the_jack_of_diamonds_counts_ten_points_less_for_who_takes_it_he_14() -> None:
    """And nothing for the others."""
    record = deal_game(the("hearts"), 4, 5, options={"jack_of_diamonds": True}, numbers=[1])
    (result,) = check(record, find).deals
    (taker,) = [trick.winner for trick in result.played if "JD" in [card for _, card in trick.plays]]
    assert {seat: lines["jack"] for seat, lines in result.lines.items()} == {seat: -10 * (seat == taker) for seat in "NESW"}


@pytest.mark.parametrize(("score", "found"), [(40, []), (90, []), (140, []), (91, ["SCO001"]), (190, ["SCO001"])])
def test_a_perfect_bid_after_deals_that_are_not_on_record_sp_18(score: int, found: list[str]) -> None:
    """It may be the third of a first run, for which 100 are due also where no later run earns them; or a further one, or none."""
    for restart in (True, False):
        excerpt = game("spades3", 3, sheet("4 4 4", "4 5 4", f"{score} 41 40"), options={"perfect_restart": restart})
        assert codes(verdict(excerpt)) == found


def test_what_a_run_of_perfect_bids_comes_to_is_one_of_the_numbers_that_can_be_carried_sp_18() -> None:
    """However long it is."""
    told = verdict(game("spades3", 3, *[sheet("4 4 4", "4 5 4")] * 6, status="stopped"))
    known = {carry.key: carry.values for carry in the("spades3").carries}
    runs = [result.carried["0"]["run"] for result in told.deals]
    assert runs[:3] == [1, 2, 3]
    assert {*runs} <= {*known["run"]}


def test_who_wins_is_open_where_what_is_carried_is_not_known_sp_25() -> None:
    """No bid of the sheet is the one that was made, so that neither overbooks nor an automatic win follow for anybody."""
    made = deal(dealer="2", bids="0 5, 1 4, 2 4", claimed=sheet("4 5 5", "5 4 4")["claimed"], status="claimed")
    told = verdict(game("spades3", 3, made, status="complete"))
    assert told.deals[0].carried == {}
    assert (told.totals, told.winners) == ({"0": 50, "1": 40, "2": 40}, None)


@pytest.mark.parametrize("named", [["2"], ["0"]])
def test_nobody_is_said_to_have_won_where_an_automatic_win_may_be_on_the_sheet_sp_21(named: list[str]) -> None:
    """Seat 2 made thirteen as it called, and the sheet has twelve: it won, or the highest total did."""
    before = [sheet("9 0 0", "9 4 0"), sheet("9 0 0", "9 4 0")]
    last = deal(dealer="2", bids="0 0, 1 0, 2 13", claimed=sheet("0 0 12", "0 0 13")["claimed"], status="claimed")
    told = verdict(game("spades3", 3, *before, last, status="complete", claimed={"winners": named}))
    assert codes(told) == ["SCO004"]
    assert told.winners is None
