"""Three-player Bugami: the golden cases BG-D1 to BG-D9, and the scores that the source works out."""

from __future__ import annotations

from typing import Any

import pytest

from handrec.game import Standings, compose
from handrec.games import find
from tests.tables import (
    Data,
    bugs_taken,
    by_seat,
    codes,
    deal,
    drop,
    faults,
    game,
    insert,
    legal,
    legal_bids,
    places,
    plays_of,
    put,
    swap,
    tricks_in_turn,
    verdict,
)

BUGAMI = find("bugami")
assert BUGAMI is not None
PACK = [rank + suit for suit in "CDHS" for rank in "AKQJT65432"]


def one(*deals: Data, **options: Any) -> Data:
    """Deals out of a three-player game."""
    return game("bugami", 3, *deals, options=options)


def points(hand: Data, **options: Any) -> int:
    """What seat 0 scores, which must be the only number that passes on the score sheet."""
    record = one(hand, **options)
    score = verdict(record).deals[0].scores["0"]
    for found in (score, score + 1, score - 1, score + 10):
        told = verdict(put(record, "/deals/0/claimed", {"scores": {"0": found}}))
        assert ("SCO001" in codes(told)) == (found != score)
    return score


# --- BG-D1, BG-D2: dealing and the pack -----------------------------------------------------------------------------

#: Positions in the pack, from 1, of the cards of the dealer's left, the next, and the dealer.
POSITIONS = {
    "0": [*range(1, 4), *range(10, 14), *range(23, 26), *range(32, 35)],
    "1": [*range(4, 7), *range(14, 18), *range(26, 29), *range(35, 38)],
    "2": [*range(7, 10), *range(18, 22), *range(29, 32), *range(38, 41)],
}
HANDS = {seat: [PACK[place - 1] for place in places] for seat, places in POSITIONS.items()}
DEALT = one({"dealer": "2", "pack": PACK, "hands": HANDS, "aside": {"turnip": [PACK[21]]}, "events": [], "status": "stopped"})


def test_bg_d1_dealing_bg_3() -> None:
    """Batches of 3, 4, one to the table, 3 and 3: the turnip is the twenty-second card."""
    assert places(verdict(DEALT).findings) == []
    turned = insert(DEALT, "/deals/0/events/0", {"do": "turn", "card": PACK[21]})
    assert codes(verdict(turned)) == []
    other = put(turned, "/deals/0/events/0/card", PACK[39])
    assert codes(verdict(other)) == codes(verdict(drop(other, "/deals/0/aside"))) == ["DEA008"]
    assert codes(verdict(drop(other, "/deals/0/pack"))) == ["DEA007"]
    assert codes(verdict(drop(drop(other, "/deals/0/pack"), "/deals/0/aside"))) == ["DEA002"]


@pytest.mark.parametrize("seat", "012")
def test_bg_d1_dealt_otherwise_bg_3(seat: str) -> None:
    """Any other place of a card in the pack is another deal."""
    other = str((int(seat) + 1) % 3)
    place = POSITIONS[seat][-1] - 1, POSITIONS[other][0] - 1
    pack = list(PACK)
    pack[place[0]], pack[place[1]] = pack[place[1]], pack[place[0]]
    assert codes(verdict(put(DEALT, "/deals/0/pack", pack))) == ["DEA008"]


@pytest.mark.parametrize("card", ["7D", "8S", "9C"])
def test_bg_d2_pack_bg_1(card: str) -> None:
    """Sevens, eights and nines are bid with, not played."""
    record = drop(DEALT, "/deals/0/pack")
    assert places(faults(verdict(put(record, "/deals/0/hands/0/2", card)))) == [
        ("DEA001", "BG-1", 1, None, "0", "/deals/0/hands/0/2")
    ]


def test_bg_d2_other_ranks_bg_1() -> None:
    """With tens, nines and eights out, sevens are played and tens are not."""
    hands = {seat: [card.replace("T", "7") for card in cards] for seat, cards in HANDS.items()}
    record = put(drop(drop(DEALT, "/deals/0/pack"), "/deals/0/aside"), "/deals/0/hands", hands)
    assert codes(verdict({**record, "options": {"removed_ranks": ["T", "9", "8"]}})) == []
    tens = drop(drop(DEALT, "/deals/0/pack"), "/deals/0/aside")
    assert set(codes(verdict({**tens, "options": {"removed_ranks": ["T", "9", "8"]}}))) == {"DEA001"}


# --- BG-D3 to BG-D5: scores -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tricks", "bugs", "due"),
    [(4, 1, 40), (4, 2, 20), (4, 3, 13), (4, 0, 80), (3, 0, 60), (7, 4, 17), (0, 0, 0), (13, 10, 13)],
)
def test_bg_d3_scores_bg_9(tricks: int, bugs: int, due: int) -> None:
    """Ten for a trick, divided by the bugs; twenty if there are none."""
    assert points(bugs_taken(tricks, bugs)) == due


@pytest.mark.parametrize(
    ("bid", "tricks", "bugs", "due", "options"),
    [
        ("turnip", 4, 0, 160, {}),
        ("turnip", 5, 3, 32, {}),
        ("turnip", 5, 3, 33, {"double_rounding": "before_floor"}),
        ("turnip", 4, 0, 160, {"double_rounding": "before_floor"}),
        ("turnip", 0, 0, 0, {}),
        ("Hx2", 4, 0, 160, {}),
        ("Hx2", 4, 1, 0, {}),
        ("Hx2", 0, 0, 0, {}),
        ("turnipx2", 4, 0, 320, {"turnip_doublets": True}),
        ("turnipx2", 4, 1, 0, {"turnip_doublets": True}),
    ],
)
def test_bg_d4_turnip_and_doublets_bg_10(bid: str, tricks: int, bugs: int, due: int, options: dict[str, Any]) -> None:
    """Turnip doubles whatever is scored, Doublets what is scored clean; with hearts turned, Turnip avoids hearts."""
    assert points(bugs_taken(tricks, bugs, bid, turnip="5H"), **options) == due


@pytest.mark.parametrize(
    ("bid", "turnip", "last", "due"),
    [("H", "5H", True, 30), ("H", "5H", False, 60), ("H", "5C", True, 60), ("Hx2", "5H", True, 0), ("turnip", "5H", True, 60)],
)
def test_bg_d5_turnip_in_the_last_trick_bg_8(bid: str, turnip: str, last: bool, due: int) -> None:
    """The turnip counts against whoever wins the last trick, if it is of that player's bug suit."""
    assert points(bugs_taken(3, 0, bid, turnip, last)) == due


# --- BG-D6: play ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("lead", "due"), [("5D", "KD 3D"), ("5C", "AS KD 3D")])
def test_bg_d6_following_bg_7(lead: str, due: str) -> None:
    """Follow suit if you can, else play anything."""
    record = one(deal(dealer="2", hands=f"0: {lead} 2H 4H | 1: AS KD 3D", plays=f"0 {lead}, 1 AS", status="in_progress"))
    assert legal(record, 1) == set(due.split())


def test_bg_d6_winner_bg_7() -> None:
    """There is no trump: an ace of another suit wins nothing."""
    hand = deal(dealer="2", cards=13, plays="0 4C, 1 AS, 2 6C", status="in_progress")
    assert [trick.winner for trick in verdict(one(hand)).deals[0].played] == ["2"]


# --- BG-D7: a deal's total ------------------------------------------------------------------------------------------


def test_bg_d7_a_deal() -> None:
    """Five tricks with four spades, four without a heart and doubled, four with three spades and doubled."""
    blocks = (
        ("0", "AS KS QS JS AC KC QC JC TC 6C AH KH QH JH TH"),
        ("1", "TS 6S 5S AD KD QD JD TD 6D 5D 4D 3D"),
        ("2", "3S 2S 5C 4C 3C 2C 6H 5H 4H 3H 2H 2D"),
    )
    hand = deal(dealer="2", bids="0 S, 1 Hx2, 2 turnip", plays=tricks_in_turn(*blocks))
    hand["events"].insert(3, {"do": "turn", "card": "4S"})
    told = verdict(one(hand)).deals[0]
    assert told.tricks == by_seat("5 4 4")
    assert told.scores == by_seat("12 160 26")
    assert told.notes == {"0": {"bugs": "4"}, "1": {"bugs": "0"}, "2": {"suit": "S", "bugs": "3"}}


# --- BG-D8: bidding -------------------------------------------------------------------------------------------------

BID = one(deal(dealer="2", cards=13, bids="0 S, 1 S, 2 turnip", then=[{"do": "turn", "card": "4S"}], status="in_progress"))
EVERY_BID = ["C", "D", "H", "S", "Cx2", "Dx2", "Hx2", "Sx2", "turnip", "turnipx2"]


def test_bg_d8_bids_bg_5() -> None:
    """All four suits, each with Doublets or without, and Turnip; two may bid the same; not Turnip with Doublets."""
    assert legal_bids(BID, 1, EVERY_BID) == EVERY_BID[:-1]
    assert legal_bids({**BID, "options": {"turnip_doublets": True}}, 1, EVERY_BID) == EVERY_BID
    assert legal_bids(BID, 1, ["NT", "h", "H2", "x2", "Turnip", 0, 4, "turnip_x2", "pass"]) == []


def test_bg_d8_any_order_bg_5() -> None:
    """Nobody bids first: bids are written down in any order."""
    for record in (swap(BID, 0, 2), swap(BID, 0, 1), swap(BID, 1, 2)):
        assert codes(verdict(record)) == []


def test_bg_d8_after_the_turnip_bg_5() -> None:
    """A bid that comes when the turnip is known is no secret bid."""
    assert places(faults(verdict(swap(BID, 2, 3)))) == [("BID021", "BG-5", 1, None, "2", "/deals/0/events/3")]


def test_bg_d8_turnip_with_doublets_bg_5() -> None:
    """One finding, and the play goes on."""
    record = put(BID, "/deals/0/events/2/bid", "turnipx2")
    assert places(faults(verdict(record))) == [("BID022", "BG-5", 1, None, "2", "/deals/0/events/2/bid")]


# --- BG-D9: the end -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("totals", "over", "winners", "options"),
    [
        ((480, 512, 505), True, (1,), {}),
        ((500, 500, 10), True, (0, 1), {}),
        ((499, 0, 0), False, (0,), {}),
        ((500, 500, 10), False, (0, 1), {"tie": "play_on"}),
        ((500, 501, 10), True, (1,), {"tie": "play_on"}),
        ((499, 300, 300), True, (0,), {"target": 400}),
        ((400, 400, 300), False, (0, 1), {"target": 400, "tie": "play_on"}),
        ((500, 0, 0), False, (0,), {"target": 501}),
    ],
)
def test_bg_d9_end_bg_12(totals: tuple[int, ...], over: bool, winners: tuple[int, ...], options: dict[str, Any]) -> None:
    """500 points end the game after a deal; the highest total wins, equal ones share or play on."""
    assert BUGAMI is not None
    composed = compose(BUGAMI, options)[0]
    standing = Standings(totals, {}, 9)
    assert (composed.over(standing), composed.winners(standing)) == (over, winners)


@pytest.mark.parametrize(("bugs", "bid", "due"), [(1, "H", 40), (2, "H", 20), (3, "H", 13), (0, "H", 80), (0, "Hx2", 160)])
def test_examples_of_the_source_bg_9_bg_10(bugs: int, bid: str, due: int) -> None:
    """Four tricks, with as many bugs."""
    assert points(bugs_taken(4, bugs, bid)) == due


def test_plays_are_without_trump_bg_7() -> None:
    """Trump is recorded as none."""
    record = put(BID, "/deals/0/claimed", {"trump": "NT"})
    record["deals"][0]["events"] += plays_of("0 4C")
    assert codes(verdict(record)) == []
    assert codes(verdict(put(record, "/deals/0/claimed/trump", "S"))) == ["DEA009"]
