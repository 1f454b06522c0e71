"""Killer Back Alley Bridge Substitute: the golden cases KB-D1 to KB-D11, and the examples that the source works out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from handrec.cards import FRENCH_54
from tests.tables import (
    Data,
    by_seat,
    codes,
    deal,
    faults,
    game,
    insert,
    killer_hand,
    legal,
    legal_bids,
    levels,
    places,
    put,
    sheet,
    verdict,
)

# --- KB-D1: ladders -------------------------------------------------------------------------------------------------

#: players, cards of the largest hand, hands of a full game, cards left over at the largest hand
LADDERS = [
    (1, 54, 108, 0),
    (2, 27, 54, 0),
    (3, 18, 36, 0),
    (4, 13, 26, 2),
    (5, 10, 20, 4),
    (6, 9, 18, 0),
    (7, 7, 14, 5),
    (9, 6, 12, 0),
    (27, 2, 4, 0),
    (28, 1, 2, 26),
    (54, 1, 2, 0),
]
down_to_one = pytest.mark.parametrize(("players", "most", "deals", "left"), LADDERS, ids=[f"P{row[0]}" for row in LADDERS])


def ladder(players: int, sizes: Iterable[int], **fields: Any) -> Data:
    """A complete game of which only the number of cards of each hand is known."""
    return game("kbabs", players, *(deal(cards=size) for size in sizes), status="complete", **fields)


@down_to_one
def test_kb_d1_ladder_kb_2_3(players: int, most: int, deals: int, left: int) -> None:
    """The first hand is as large as can be; hands shrink to one card, and from one grow back to the first size."""
    down = list(range(most, 0, -1))
    whole = down + down[::-1]
    assert len(whole) == deals
    assert codes(verdict(ladder(players, whole))) == []
    assert codes(verdict(ladder(players, whole[:-1]))) == ["SCO005"]
    for place in {0, deals // 2, deals - 1}:
        wrong = put(ladder(players, whole), f"/deals/{place}/cards", whole[place] % 54 + 1)
        assert places(faults(verdict(wrong))) == [("DEA005", "KB-2.3", place + 1, None, None, f"/deals/{place}/cards")]


@down_to_one
def test_kb_d1_leftover_kb_3_1(players: int, most: int, deals: int, left: int) -> None:
    """A card is turned if the deal leaves one over; if it leaves none, nothing can be turned."""
    record = game("kbabs", players, deal(number=1, cards=most, dealer="0", turn="7H", status="in_progress"))
    assert codes(verdict(record)) == ([] if left else ["DEA007"])


# --- KB-D2, D3, D9: bids --------------------------------------------------------------------------------------------

EVERY_BID = [*range(14), "board"]


@pytest.mark.parametrize(
    ("others", "illegal"),
    [("3 5 0", [5]), ("0 0 0", [13, "board"]), ("board 0 0", [0]), ("7 7 0", [])],
)
def test_kb_d2_dealer_restriction_kb_4_4(others: str, illegal: list[int | str]) -> None:
    """The dealer may not make the bids add up to the tricks, in whatever form; above the tricks, nothing is barred."""
    bids = ", ".join(f"{seat} {bid}" for seat, bid in enumerate([*others.split(), "1"]))
    record = game("kbabs", 4, deal(cards=13, dealer="3", turn="TH", bids=bids))
    assert legal_bids(record, 4, EVERY_BID) == [bid for bid in EVERY_BID if bid not in illegal]


RAINBOW = "2C 9C 3D KD 4H AH 7S"
EVEN = RAINBOW + " 8S"
ONE_JOKER = RAINBOW + " LJ"


@pytest.mark.parametrize(
    ("hand", "turn", "rightly"),
    [
        pytest.param(ONE_JOKER, "TS", True, id="joker-trump-S"),
        pytest.param(ONE_JOKER, "TH", False, id="joker-trump-H"),
        pytest.param(ONE_JOKER, "BJ", False, id="joker-no-trump"),
        *(pytest.param(EVEN, turn, True, id=f"even-{turn}") for turn in ("TC", "TD", "TH", "TS", "BJ")),
        pytest.param("2C 9C 3D 4H AH 7S", "TS", False, id="six-cards"),
        pytest.param("2C 9C 3D 4D 4H 7S", "TS", False, id="six-cards-2-2-1-1"),
        pytest.param("2C 3D 4H 7S", "TS", True, id="four-cards"),
    ],
)
def test_kb_d3_rainbow_kb_4_3(hand: str, turn: str, rightly: bool) -> None:
    """Rainbow takes a hand with the same number of cards of each suit, jokers being trumps, or no suit without trump."""
    record = game("kbabs", 4, deal(hands=f"0: {hand}", dealer="3", turn=turn, bids="0 rainbow", status="in_progress"))
    assert places(faults(verdict(record))) == ([] if rightly else [("BID004", "KB-4.3", 1, None, "0", "/deals/0/events/1/bid")])


def test_kb_d3_rainbow_value_kb_4_2() -> None:
    """A rainbow is worth a quarter of the cards when bids are added up: 2 of 8."""
    record = game("kbabs", 4, deal(hands=f"0: {ONE_JOKER}", dealer="3", turn="TS", bids="0 rainbow, 1 1, 2 1, 3 1"))
    assert legal_bids(record, 4, [*range(9), "board"]) == [0, 1, 2, 3, 5, 6, 7, 8, "board"]


@pytest.mark.parametrize(
    ("cards", "allowed", "scores"),
    [(5, [0, 1, 2, 3, 4], [-25, -16, -9, -4, -1]), (1, [0], [-1])],
)
def test_kb_d9_one_player_kb_4_6(cards: int, allowed: list[int | str], scores: list[int]) -> None:
    """Alone one deals, so all the tricks may not be bid, but all are won: every bid misses."""
    record = game("kbabs", 1, deal(cards=cards, dealer="0", turn="TH", bids="0 0"))
    assert legal_bids(record, 1, [*range(cards + 1), "board"]) == allowed
    for bid, points in zip(allowed, scores, strict=True):
        alone = verdict(game("kbabs", 1, sheet(str(bid), str(cards), str(points), cards=cards)))
        assert alone.deals[0].scores == {"0": points}
        assert codes(alone) == []


# --- KB-D4, D5: what may be played ----------------------------------------------------------------------------------


def answers(lead: str, hand: str, trump: str) -> set[str]:
    """The cards of a hand that may be played to a lead, under a trump suit or none ("NT")."""
    cards = hand.split()
    free = [card for card in FRENCH_54.cards if card not in (lead, *cards)]
    # No trump: as many players as leave no card over; what the others hold does not matter.
    players = 2 if trump != "NT" else 54 // len(cards)
    turn = None if trump == "NT" else next(card for card in free if card[1] == trump)
    rest = " ".join([card for card in free if card != turn][: len(cards) - 1])
    hands = f"1: {lead} {rest} | {2 % players}: {hand}"
    events = f"1 {lead}, {2 % players} {cards[0]}"
    return legal(game("kbabs", players, deal(hands=hands, dealer="0", turn=turn, plays=events)), 2 if turn else 1)


@pytest.mark.parametrize(
    ("trump", "hand", "due"),
    [
        ("H", "AH 2H LJ KS", "LJ"),
        ("H", "AH 2H KS", "AH"),
        ("H", "AC KS", "AC KS"),
        ("NT", "LJ AS AH", "LJ"),
    ],
)
def test_kb_d4_big_joker_kb_5_3(trump: str, hand: str, due: str) -> None:
    """The Big Joker led takes everybody's highest trump; who has none plays anything."""
    assert answers("BJ", hand, trump) == set(due.split())


@pytest.mark.parametrize(
    ("lead", "trump", "hand", "due"),
    [
        ("LJ", "NT", "BJ AS", "BJ"),
        ("LJ", "H", "BJ 2H KH 3C", "BJ 2H KH"),
        ("2S", "NT", "LJ AH", "LJ AH"),
        ("2S", "S", "LJ AH", "LJ"),
    ],
)
def test_kb_d5_other_leads_kb_5_2_kb_5_4(lead: str, trump: str, hand: str, due: str) -> None:
    """The Little Joker led is followed like any trump, and jokers follow the trump suit, or only each other."""
    assert answers(lead, hand, trump) == set(due.split())


# --- KB-D6: winners -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "plays", "winner"),
    [
        pytest.param("9C", "1 KD, 2 AD, 3 2C, 0 LJ", "0", id="little-joker-trump-C"),
        pytest.param("BJ", "1 KD, 2 AD, 3 2C, 0 LJ", "0", id="little-joker-NT"),
        pytest.param("9C", "1 KD, 2 AD, 3 2C, 0 5H", "3", id="ruff"),
        pytest.param("BJ", "1 KD, 2 AS, 3 QD, 0 AC", "1", id="suit-led-NT"),
        pytest.param("9S", "1 3S, 2 LJ, 3 4D, 0 AS", "2", id="little-joker-over-ace"),
    ],
)
def test_kb_d6_winner_kb_5_7(turn: str, plays: str, winner: str) -> None:
    """The highest trump wins, jokers being trumps even without a trump suit; failing trumps, the best of the suit led."""
    record = game("kbabs", 4, deal(cards=1, dealer="0", turn=turn, plays=plays))
    told = verdict(record)
    assert [trick.winner for trick in told.deals[0].played] == [winner]
    for seat in "0123":
        claim = verdict(put(record, "/deals/0/claimed", {"winners": [seat]}))
        assert codes(claim) == ([] if seat == winner else ["TRK001"])


# --- KB-D7, D11: scores ---------------------------------------------------------------------------------------------

SCORES = [
    (13, "3", 3, 19, "KB-6.1"),
    (13, "0", 0, 10, "KB-6.1"),
    (13, "4", 2, -4, "KB-6.1"),
    (13, "4", 6, -4, "KB-6.1"),
    (13, "13", 13, 179, "KB-6.1"),
    (13, "board", 13, 204, "KB-6.2"),
    (13, "board", 12, -26, "KB-6.2"),
    (3, "board", 3, 44, "KB-6.2"),
    (3, "board", 1, -29, "KB-6.2"),
    (1, "board", 1, 36, "KB-6.2"),
    (1, "board", 0, -26, "KB-6.2"),
    (8, "rainbow", 2, 34, "KB-6.3"),
    (8, "rainbow", 1, -1, "KB-6.3"),
    (8, "rainbow", 3, -1, "KB-6.3"),
    (12, "rainbow", 3, 39, "KB-6.3"),
    (12, "rainbow", 0, -9, "KB-6.3"),
]
LINEAR = [
    (13, "3", 3, 13, "KB-6.1"),
    (13, "4", 2, -2, "KB-6.1"),
    (3, "board", 3, 38, "KB-6.2"),
    (3, "board", 1, -27, "KB-6.2"),
    (8, "rainbow", 2, 32, "KB-6.3"),
]


def scored(cards: int, bid: str, tricks: int, points: int, rule: str, **options: object) -> None:
    """The points are right for this bid and these tricks, and any others are wrong by the rule."""
    record = game("kbabs", 4, sheet(bid, str(tricks), str(points), cards=cards), options=options)
    told = verdict(record)
    assert told.deals[0].scores == {"0": points}
    assert codes(told) == []
    for wrong in (points + 1, points - 1, -points):
        place = "/deals/0/claimed/scores/0"
        assert places(faults(verdict(put(record, place, wrong)))) == [("SCO001", rule, 1, None, "0", place)]


@pytest.mark.parametrize(("cards", "bid", "tricks", "points", "rule"), SCORES, ids=[f"{r[1]}-of-{r[0]}-{r[2]}" for r in SCORES])
def test_kb_d7_scores_kb_6_1_to_kb_6_3(cards: int, bid: str, tricks: int, points: int, rule: str) -> None:
    """Made: ten and the square of the bid. Missed: the square of the miss is lost. Board 25 either way, rainbow 20 if made."""
    scored(cards, bid, tricks, points, rule)


@pytest.mark.parametrize(("cards", "bid", "tricks", "points", "rule"), LINEAR, ids=[f"{r[1]}-of-{r[0]}-{r[2]}" for r in LINEAR])
def test_kb_d11_linear_kb_8_3(cards: int, bid: str, tricks: int, points: int, rule: str) -> None:
    """Without squares the bid and the miss count as they are; board and rainbow are worth what they were."""
    scored(cards, bid, tricks, points, rule, scoring="linear")


@pytest.mark.parametrize(("way", "sizes"), [("down", range(13, 0, -1)), ("up", range(1, 14))])
def test_kb_d11_half_game_kb_8_4(way: str, sizes: range) -> None:
    """Half a game only goes down the ladder, or only up: 13 hands for four players."""
    assert codes(verdict(ladder(4, sizes, options={"ladder": way}))) == []
    assert set(codes(verdict(ladder(4, sizes[::-1], options={"ladder": way})))) == {"DEA005"}
    assert codes(verdict(ladder(4, [*sizes, sizes[-1]], options={"ladder": way}))) == ["SCO005"]
    assert "SCO005" in codes(verdict(ladder(4, sizes)))


# --- KB-D8: a whole hand --------------------------------------------------------------------------------------------


def test_kb_d8_whole_hand() -> None:
    """The hand is legal as it stands: trump, winners, tricks and scores are as the case says."""
    told = verdict(killer_hand())
    result = told.deals[0]
    assert told.findings == ()
    assert levels(told) == "pppp?"
    assert (result.number, result.cards, result.order) == (11, 3, "H")
    assert [trick.winner for trick in result.played] == ["3", "0", "2"]
    assert result.tricks == by_seat("1 0 1 1")
    assert result.scores == by_seat("11 -1 11 11")


def test_kb_d8_dealer_may_not_bid_none_kb_4_4() -> None:
    """Three bids of one make three of three: the dealer may bid anything but none."""
    assert legal_bids(killer_hand(), 4, [0, 1, 2, 3, "board"]) == [1, 2, 3, "board"]


@pytest.mark.parametrize(
    ("event", "due"),
    [
        pytest.param(5, "AH 7C 2D", id="leader-anything"),
        pytest.param(6, "LJ KH 9S", id="void-little-joker-is-a-heart"),
        pytest.param(7, "QC", id="follows"),
        pytest.param(8, "AC", id="follows-too"),
        pytest.param(10, "AH", id="not-2D"),
        pytest.param(11, "KH LJ", id="little-joker-too"),
        pytest.param(12, "4H BJ", id="big-joker-too"),
        pytest.param(14, "LJ", id="last-card"),
    ],
)
def test_kb_d8_legal_cards_kb_5_2(event: int, due: str) -> None:
    """A trump lead is followed by any trump, jokers included; other leads by their suit, or by anything."""
    assert legal(killer_hand(), event) == set(due.split())


@pytest.mark.parametrize(
    ("dealer", "cards", "code"),
    [("0", 2, []), ("1", 2, ["DEA006"]), ("3", 2, ["DEA006"]), ("0", 3, ["DEA005"]), ("0", 4, ["DEA005"])],
)
def test_kb_d8_next_hand_kb_2_1_kb_2_3(dealer: str, cards: int, code: list[str]) -> None:
    """After deal 11 of a four-player game, the dealer's left deals two cards each."""
    following = deal(number=12, dealer=dealer, cards=cards, status="in_progress")
    assert codes(verdict(insert(killer_hand(), "/deals/1", following))) == code


# --- KB-D10: the end of the game ------------------------------------------------------------------------------------

#: Tricks of the 13 hands of half a game, in the order of the seats, and for each seat bids that bring it to a total.
TRICKS = ["4333", "3333", "3233", "3223", "3222", "2222", "2122", "2112", "2111", "1111", "1011", "1001", "1000"]
SEAT_0_TO_120 = "4374332221211"
SEAT_1_TO_37 = "2612100211100"
SEAT_1_TO_74 = "7140221111000"
SEAT_2_TO_55 = "1524352111100"
SEAT_3_TO_37 = "3543324404101"
SEAT_3_TO_17 = "2543324404101"


def half_game(bids: list[str], ultimate: bool, penalty: int = 0) -> Data:
    """A complete game going down the ladder, of which bids and tricks are left; seat 1 may be fined in the last hand."""
    rows = zip(zip(*bids, strict=True), TRICKS, strict=True)
    deals = [sheet(" ".join(row), " ".join(tricks), cards=13 - at) for at, (row, tricks) in enumerate(rows)]
    if penalty:
        deals[-1]["events"] = [{"do": "penalty", "of": "1", "points": penalty, "reason": "renege"}]
    return game("kbabs", 4, *deals, status="complete", options={"ladder": "down", "ultimate": ultimate})


AS_BID = [SEAT_0_TO_120, SEAT_1_TO_37, SEAT_2_TO_55, SEAT_3_TO_37]
FINED = [SEAT_0_TO_120, SEAT_1_TO_74, SEAT_2_TO_55, SEAT_3_TO_17]


@pytest.mark.parametrize(
    ("bids", "penalty", "totals", "ultimate", "winners"),
    [
        pytest.param(AS_BID, 0, "120 37 55 37", False, "0", id="base"),
        pytest.param(AS_BID, 0, "120 37 55 37", True, "1 3", id="ultimate-two-share"),
        pytest.param(FINED, 37, "120 37 55 17", False, "0", id="penalty-base"),
        pytest.param(FINED, 37, "120 37 55 17", True, "1", id="penalty-makes-37"),
        pytest.param(FINED, 0, "120 74 55 17", True, "0", id="ultimate-nobody-at-37"),
    ],
)
def test_kb_d10_end_kb_7_kb_8_1(bids: list[str], penalty: int, totals: str, ultimate: bool, winners: str) -> None:
    """The highest total wins; in Ultimate whoever ends with exactly 37, penalties taken off, wins instead."""
    record = half_game(bids, ultimate, penalty)
    told = verdict(record)
    assert told.totals == by_seat(totals)
    assert told.winners == tuple(winners.split())
    for claim in ("0", "1", "1 3", "2"):
        said = verdict(put(record, "/claimed", {"totals": by_seat(totals), "winners": claim.split()}))
        wrong = [] if claim == winners else [("SCO003", "KB-8.1" if ultimate else "KB-7", None, None, None, "/claimed/winners")]
        assert places(faults(said)) == wrong


# --- the source's own examples --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "others", "illegal"),
    [
        pytest.param(13, "3 5 0", [5], id="3-5-0-of-13"),
        pytest.param(13, "0 0 0", [13, "board"], id="board-is-13"),
        pytest.param(8, "1 1 4", [2, "rainbow"], id="rainbow-is-2-of-8"),
    ],
)
def test_source_section_4_dealers_bid(cards: int, others: str, illegal: list[int | str]) -> None:
    """What the dealer may not bid is barred as a number, as board and as rainbow alike."""
    bids = ", ".join(f"{seat} {bid}" for seat, bid in enumerate([*others.split(), "1"]))
    hands = f"3: {EVEN}" if cards == 8 else None
    record = game("kbabs", 4, deal(cards=cards, hands=hands, dealer="3", turn="TH", bids=bids))
    every = [*range(cards + 1), "board", *(["rainbow"] if cards == 8 else [])]
    assert legal_bids(record, 4, every) == [bid for bid in every if bid not in illegal]


@pytest.mark.parametrize("trump", ["C", "D", "H", "S"])
def test_source_section_4_3_joker_in_a_rainbow(trump: str) -> None:
    """Two clubs, two diamonds, two hearts, one spade and a joker are a rainbow if, and only if, spades are trump."""
    record = game("kbabs", 4, deal(hands=f"0: {ONE_JOKER}", dealer="3", turn=f"T{trump}", bids="0 0"))
    assert legal_bids(record, 1, ["rainbow"]) == (["rainbow"] if trump == "S" else [])


def test_source_section_2_four_players() -> None:
    """Four players play 26 hands, from thirteen cards to one and back; the first leaves two cards, of which one is turned."""
    sizes = [13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]
    assert codes(verdict(ladder(4, sizes))) == []
    first = deal(number=1, cards=13, dealer="0", aside={"turnup": ["7H"], "stock": ["??"]}, status="in_progress")
    assert codes(verdict(game("kbabs", 4, first))) == []
    assert codes(verdict(game("kbabs", 4, put(first, "/aside/stock", ["??", "??"])))) == ["DEA003"]


@pytest.mark.parametrize(
    ("cards", "bid", "tricks", "points"),
    [
        (13, "3", 3, 10 + 3 * 3),
        (13, "0", 0, 10 + 0 * 0),
        (13, "4", 2, -2 * 2),
        (13, "4", 6, -2 * 2),
        (3, "board", 3, 10 + 3 * 3 + 25),
        (3, "board", 1, -2 * 2 - 25),
        (8, "rainbow", 2, 10 + 2 * 2 + 20),
        (8, "rainbow", 1, -1 * 1),
        (8, "rainbow", 3, -1 * 1),
    ],
)
def test_source_section_6_scores(cards: int, bid: str, tricks: int, points: int) -> None:
    """The scores that the source reckons itself."""
    told = verdict(game("kbabs", 4, sheet(bid, str(tricks), cards=cards)))
    assert told.deals[0].scores == {"0": points}


def test_source_section_8_3_linear() -> None:
    """Without squares, three bid and made are worth 13 points instead of 19."""
    record = game("kbabs", 4, sheet("3", "3", cards=13))
    assert verdict(record).deals[0].scores == {"0": 19}
    assert verdict({**record, "options": {"scoring": "linear"}}).deals[0].scores == {"0": 13}


@pytest.mark.parametrize("hand", ["2S AH", "LJ AH", "BJ LJ"])
def test_source_section_5_leader_plays_anything(hand: str) -> None:
    """Whoever leads may lead any card."""
    record = game("kbabs", 4, deal(hands=f"0: {hand}", dealer="3", turn="TH", plays=f"0 {hand.split()[0]}"))
    assert legal(record, 1) == set(hand.split())
