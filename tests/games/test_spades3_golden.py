"""Three-player Spades: the golden cases SP-D1 to SP-D11, and what the source says in so many words."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from handrec.findings import Verdict
from handrec.game import Standings, compose
from handrec.game.views import HandView
from handrec.games.spades3 import CLUBS, DIAMONDS, GAME, HEARTS, PACK, SPADES, over, winners
from tests.tables import Data, codes, deal, drop, faults, game, insert, legal, places, put, sheet, spades_hand, verdict

SUITS = (CLUBS, DIAMONDS, HEARTS, SPADES)


def spades(*deals: Data, **fields: Any) -> Data:
    """A record of three-player Spades."""
    return game("spades3", 3, *deals, **fields)


def scores(*sheets: Data, **options: Any) -> list[dict[str, int]]:
    """The scores of a game's deals, from its sheets alone."""
    told = verdict(spades(*sheets, status="stopped", options=options))
    assert codes(told) == []
    return [result.scores for result in told.deals]


# --- SP-D1: the pack ------------------------------------------------------------------------------------------------

FOUR = {
    "hands": {"0": [*CLUBS], "1": [*DIAMONDS, "3H"], "2": [*HEARTS[1:], "3S", "4S"]},
    "aside": {"discard": [*SPADES[2:]]},
}


def test_sp_d1_pack_sp_1_sp_3() -> None:
    """52 cards: 13 clubs, 12 hearts, 12 diamonds, 15 spades with both jokers; four hands of 13 are the whole pack."""
    assert [len(suit) for suit in SUITS] == [13, 12, 12, 15]
    assert SPADES[::-1] == ("BJ", "LJ", "2S", "AS", "KS", "QS", "JS", "TS", "9S", "8S", "7S", "6S", "5S", "4S", "3S")
    assert len(PACK) == 52
    record = spades({"events": [], "status": "in_progress", **FOUR})
    assert codes(verdict(record)) == []
    for card in ("2H", "2D"):
        assert codes(verdict(put(record, "/deals/0/hands/1/0", card))) == ["DEA001"]
    assert codes(verdict(drop(record, "/deals/0/aside/discard/0"))) == ["DEA003"]
    assert codes(verdict(put(record, "/deals/0/aside/discard/0", "2C"))) == ["DEA002"]


# --- SP-D2: who wins ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "winner"),
    [
        ("KH 3S AH", "1"),
        ("2C 3C AD", "1"),
        ("AS 2S KS", "1"),
        ("2S LJ AS", "1"),
        ("AD LJ BJ", "2"),
        ("3D AC AH", "0"),
    ],
)
def test_sp_d2_winners_sp_14(cards: str, winner: str) -> None:
    """The highest spade wins, jokers above the two and the two above the ace; else the highest of the suit led."""
    plays = ", ".join(f"{seat} {card}" for seat, card in enumerate(cards.split()))
    told = verdict(spades(deal(dealer="2", plays=plays, status="in_progress")))
    assert [trick.winner for trick in told.deals[0].played] in ([winner], [])
    closed = verdict(spades(deal(dealer="2", plays=f"{plays}; {winner} 9C", status="in_progress")))
    assert closed.deals[0].played[0].winner == winner
    assert "PLY004" not in codes(closed)


# --- SP-D3: following suit ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lead", "hand", "due"),
    [
        ("5S", "BJ AH KD", "BJ"),
        ("BJ", "2C AS KD", "AS"),
        ("5H", "AS LJ KD", "AS LJ KD"),
        ("5H", "4H LJ", "4H"),
    ],
)
def test_sp_d3_following_sp_2_sp_13(lead: str, hand: str, due: str) -> None:
    """Jokers follow spades and spades jokers; who is void may play anything."""
    record = spades(deal(dealer="2", hands=f"1: {hand}", plays=f"0 {lead}, 1 {hand.split()[0]}", status="in_progress"))
    assert legal(record, 1) == set(due.split())


@pytest.mark.parametrize("lead", ["AS", "BJ", "2C"])
def test_sp_d3_any_lead_sp_12(lead: str) -> None:
    """Any card may be led, spades and jokers from the first trick on."""
    record = spades(deal(dealer="2", hands="0: AS BJ 2C", plays="0 AS", status="in_progress"))
    assert lead in legal(record, 0)


# --- SP-D4, D5: the bid ---------------------------------------------------------------------------------------------

OPEN = [(5, 7, 52), (5, 4, -50), (2, 3, -100), (0, 0, 200), (1, 2, -110), (3, 6, 33), (7, 9, 102), (13, 12, -130), (12, 13, 276)]
BLIND = [(3, 3, 70), (3, 4, -30), (0, 0, 500), (7, 8, -70), (6, 6, 100), (10, 10, 0), (10, 11, -100)]
#: The table of the source, row for row: the bid, made and failed openly, made and failed blind; None is an automatic win.
TABLE = [
    (0, 200, -120, 500, -120), (1, 150, -110, 300, -110), (2, 100, -100, 200, -100), (3, 30, -30, 70, -30),
    (4, 40, -40, 80, -40), (5, 50, -50, 90, -50), (6, 60, -60, 100, -60), (7, 100, -70, 200, -70),
    (8, 150, -80, 250, -80), (9, 200, -90, 300, -90), (10, 225, -100, None, -100), (11, 250, -110, None, -110),
    (12, 275, -120, None, -120), (13, None, -130, None, -130),
]  # fmt: skip


def bid_score(bid: str, tricks: int) -> tuple[int, bool]:
    """The points of a first hand of seat 0, and whether it wins the game at once."""
    rest = 13 - tricks
    told = verdict(spades(sheet(f"{bid} 4 4", f"{tricks} {rest // 2} {rest - rest // 2}"), status="stopped"))
    assert codes(told) == []
    result = told.deals[0]
    return result.scores["0"], bool(result.carried["0"]["automatic"])


@pytest.mark.parametrize(("bid", "tricks", "points"), OPEN)
def test_sp_d4_open_bids_sp_15_sp_16(bid: int, tricks: int, points: int) -> None:
    """Open bids over two may be exceeded at a point a trick; those of two or less may not."""
    assert bid_score(str(bid), tricks) == (points, False)


@pytest.mark.parametrize(("bid", "tricks", "points"), BLIND)
def test_sp_d5_blind_bids_sp_15_sp_21(bid: int, tricks: int, points: int) -> None:
    """Blind bids must be exact; ten or more of them win the game."""
    assert bid_score(f"blind{bid}", tricks) == (points, (bid, tricks) == (10, 10))


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"bid-{row[0]}")
def test_sp_3_5_the_whole_table(row: tuple[int, int | None, int, int | None, int]) -> None:
    """Every entry of the source's table of bids."""
    bid, made, failed, blind_made, blind_failed = row
    other = bid - 1 if bid else 1
    assert bid_score(str(bid), bid) == (made or 0, made is None)
    assert bid_score(str(bid), other) == (failed, False)
    assert bid_score(f"blind{bid}", bid) == (blind_made or 0, blind_made is None)
    assert bid_score(f"blind{bid}", other) == (blind_failed, False)


# --- SP-D6: Bemo ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bid", "winners", "points"),
    [
        ("4+bemo", "0000 1011 1 1222", 141),
        ("4+bemo", "0010 1101 0 1222", -9),
        ("6+big_bemo", "000000 111 2222", 260),
    ],
)
def test_sp_d6_bemo_sp_17(bid: str, winners: str, points: int) -> None:
    """Bemo is about tricks one to four, Big Bemo about one to six, whatever comes after."""
    won = list(winners.replace(" ", ""))
    claimed = {"bids": {"0": bid, "1": 4, "2": 3}, "winners": won, "tricks": {seat: won.count(seat) for seat in "012"}}
    told = verdict(spades({"events": [], "claimed": claimed}, status="stopped"))
    assert told.deals[0].scores["0"] == points


# --- SP-D7: runs of perfect bids ------------------------------------------------------------------------------------

RUN = [("4", 4), ("3", 3), ("5", 5), ("2", 2), ("4", 5), ("3", 3)]


def hands(*pairs: tuple[str, int], others: str = "3 3") -> list[Data]:
    """Deals in which seat 0 bids and takes so much."""
    return [sheet(f"{bid} {others}", f"{took} {(13 - took) // 2} {13 - took - (13 - took) // 2}") for bid, took in pairs]


def test_sp_d7_perfect_run_sp_18() -> None:
    """The third perfect bid in a row earns 100, the fourth 50; an overtrick ends the run."""
    found = [points["0"] for points in scores(*hands(*RUN))]
    assert found == [40, 30, 150, 150, 41, 30]
    assert sum(found) == 441


# --- SP-D8: overbooks -----------------------------------------------------------------------------------------------

TO_EIGHT = [("3", 7), ("3", 7)]


@pytest.mark.parametrize(("option", "last"), [("cumulative", -69), ("separate", -169)])
def test_sp_d8_overbooks_sp_19_sp_20(option: str, last: int) -> None:
    """100 is lost when the tenth overtrick comes, and 100 or 200 more at the twentieth."""
    found = scores(*hands(*TO_EIGHT, ("5", 8), ("3", 11), ("3", 4)), overtrick_penalty=option)
    assert [points["0"] for points in found] == [34, 34, -47, 38, last]


@pytest.mark.parametrize("failed", [False, True])
@pytest.mark.parametrize("second", ["cumulative", "separate"])
@pytest.mark.parametrize("beyond", ["none", "per_ten"])
def test_what_overtricks_cost_whenever_they_come_sp_19(failed: bool, second: str, beyond: str) -> None:
    """For each ten that is reached in a hand, whatever the overtricks were before it."""
    options = {"failed_exact_overtricks": failed, "overtrick_penalty": second, "overtrick_beyond_20": beyond}
    (line,) = [line for line in compose(GAME, options)[0].score if line.key == "overbooks"]
    costs = {10: 100, 20: 200 if second == "separate" else 100}
    for before, bid, tricks in product(range(45), (0, 2, 3, 5), range(14)):
        more = max(0, tricks - bid) if bid > 2 or failed else 0
        reached = [ten for ten in range(10, 60, 10) if before < ten <= before + more]
        due = sum(costs.get(ten, 100 if beyond == "per_ten" else 0) for ten in reached)
        hand = HandView(tricks, bid, "number", "", False, 13, {"overbooks": before})
        assert line.points(hand) == -due, (before, bid, tricks)


# --- SP-D9: raises --------------------------------------------------------------------------------------------------


def said(text: str) -> list[Data]:
    """`"0 blind 5, 0 look, 0 6, 1 bemo"` as events."""
    events: list[Data] = []
    for part in text.split(","):
        by, *words = part.split()
        number = words[-1].lstrip("-").isdigit()
        event = {"do": "bid", "by": by, "bid": int(words[-1])} if number else {"do": "announce", "by": by, "what": words[-1]}
        events.append(event | ({"blind": True} if words[0] == "blind" else {}))
    return events


def bidding(text: str, plays: str = "", **options: Any) -> Verdict:
    """The verdict on some bidding; seat 2 dealt."""
    events = said(text)
    return verdict(spades(deal(dealer="2", plays=plays, then=events, status="in_progress"), options=options))


@pytest.mark.parametrize(
    ("text", "code", "stands"),
    [
        ("0 4, 1 3, 2 4, 0 6", [], "6"),
        ("0 6, 1 3, 2 4, 0 5", ["BID017"], "6"),
        ("0 blind 5, 0 look, 1 3, 2 4, 0 6", [], "6"),
        ("0 blind 5, 0 look, 1 3, 2 4, 0 5", ["BID017"], "blind5"),
        ("0 blind 5, 0 blind 6, 0 look, 1 3, 2 4", [], "blind6"),
    ],
)
def test_sp_d9_raises_sp_9_sp_10(text: str, code: list[str], stands: str) -> None:
    """A bid may be raised, never lowered; a blind one that is raised after looking becomes open."""
    told = bidding(text)
    assert codes(told) == code
    assert told.deals[0].bids["0"] == stands


def test_sp_d9_raise_after_the_lead_sp_9() -> None:
    """A raise after the first card of the first trick comes too late, and the earlier bid stands."""
    record = spades(deal(dealer="2", plays="0 4C", status="in_progress"))
    record["deals"][0]["events"] = [*said("0 4, 1 3, 2 4"), *record["deals"][0]["events"], *said("0 5")]
    told = verdict(record)
    assert places(faults(told)) == [("BID007", "SP-9", 1, None, "0", "/deals/0/events/4")]
    assert told.deals[0].bids["0"] == "4"


def test_sp_d9_raised_blind_bid_scores_as_open_sp_10() -> None:
    """Six, raised from blind five after looking: with seven tricks it is made, and one over."""
    record = spades(
        {"dealer": "2", "events": said("0 blind 5, 0 look, 1 3, 2 4, 0 6"), "claimed": {"tricks": {"0": 7, "1": 3, "2": 3}}}
    )
    assert verdict(put(record, "/status", "stopped")).deals[0].scores["0"] == 61


# --- SP-D10: the end ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "overbooks", "automatic", "ends", "won"),
    [
        ((510, 505, 300), (0, 0, 0), (0, 0, 0), True, (0,)),
        ((500, 500, 120), (3, 5, 0), (0, 0, 0), True, (0,)),
        ((500, 500, 120), (4, 4, 0), (0, 0, 0), True, (0, 1)),
        ((499, 480, 470), (0, 0, 0), (0, 0, 0), False, (0,)),
        ((600, 0, -50), (0, 0, 0), (0, 0, 1), True, (2,)),
    ],
)
def test_sp_d10_end_sp_21_sp_25(
    totals: tuple[int, ...], overbooks: tuple[int, ...], automatic: tuple[int, ...], ends: bool, won: tuple[int, ...]
) -> None:
    """500 points or an automatic win end the game; the automatic win, the total, the fewest overbooks decide."""
    standing = Standings(totals, {"overbooks": overbooks, "automatic": automatic}, 9)
    assert over(standing) == ends
    assert winners(standing) == won


def test_sp_d10_automatic_win_in_a_record_sp_21() -> None:
    """Thirteen made wins at once, against any total."""
    deals = [sheet("9 0 0", "9 4 0"), sheet("9 0 0", "9 4 0"), sheet("0 0 13", "0 0 13")]
    told = verdict(spades(*deals, status="complete"))
    assert told.totals == {"0": 700, "1": -40, "2": 500}
    assert told.winners == ("2",)


# --- SP-D11: a renege -----------------------------------------------------------------------------------------------


CLAIM = {"do": "accuse", "by": "0", "of": "2"}


def books(tricks: int) -> Data:
    """Seat 0 takes books of seat 2."""
    return {"do": "transfer", "by": "0", "of": "2", "tricks": tricks}


def unclaimed(record: Data) -> Data:
    """The record without its score sheet."""
    return drop(record, "/deals/0/claimed")


def test_sp_d11_renege_sp_22_sp_23() -> None:
    """Two books are taken for a renege claimed in the same trick: 6, 4 and 3 tricks, and so 60, 40 and -50."""
    told = verdict(unclaimed(spades_hand(CLAIM, books(2), status="stopped")))
    assert codes(told) == ["REV001"]
    assert told.deals[0].tricks == {"0": 6, "1": 4, "2": 3}
    assert told.deals[0].scores == {"0": 60, "1": 40, "2": -50}


def test_sp_d11_four_books_sp_23() -> None:
    """A renege is worth three books at most."""
    told = verdict(unclaimed(spades_hand(CLAIM, books(4), status="stopped")))
    assert codes(told) == ["REV001", "CLM007"]


def test_sp_d11_late_claim_sp_22() -> None:
    """A claim in trick 6 is void, and so are books taken on it."""
    record = insert(unclaimed(spades_hand(status="stopped")), "/deals/0/events/20", {**CLAIM, "trick": 4})
    told = verdict(insert(record, "/deals/0/events/43", books(2)))
    assert codes(told) == ["REV001", "CLM006"]
    assert told.deals[0].tricks == {"0": 4, "1": 4, "2": 5}
