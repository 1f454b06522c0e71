"""La Bâtarde: the golden cases LB-D1 to LB-D12, and the examples that the source works out (LB-E1 to LB-E3)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.tables import (
    Data,
    bids_of,
    by_seat,
    codes,
    cut,
    deal,
    faults,
    game,
    legal,
    legal_bids,
    places,
    plays_of,
    put,
    verdict,
)

EVENTS = "/deals/0/events"
MODES = ("AT", "S", "H", "D", "C", "NT")
MECHOUNE = {"do": "announce", "what": "mechoune"}
CHOUNE = {"do": "announce", "what": "choune"}


def auction(calls: str, players: int = 4, dealer: str = "3", cards: int = 5, then: Any = (), **options: Any) -> Data:
    """A deal as far as its calls, and what is said after them."""
    called = deal(cards=cards, dealer=dealer, bids=calls, then=then, status="in_progress")
    return game("batarde", players, called, options=options)


# --- LB-D1: schedules -----------------------------------------------------------------------------------------------

SCHEDULES = {
    3: [7, 8, 9, 10, 11, 12, 12, 11, 10, 9, 8, 7],
    4: [5, 6, 7, 8, 9, 9, 8, 7, 6, 5],
    5: [9, 10, 11, 12, 13, 14, 14, 13, 12, 11, 10, 9],
    6: [7, 8, 9, 10, 11, 12, 12, 11, 10, 9, 8, 7],
    7: [5, 6, 7, 8, 9, 10, 10, 9, 8, 7, 6, 5],
}


@pytest.mark.parametrize("players", SCHEDULES)
def test_lb_d1_schedule_lb_5(players: int) -> None:
    """Hands grow to the largest, which is dealt twice, and shrink again."""
    record = game("batarde", players, *(deal(cards=size) for size in SCHEDULES[players]), status="complete")
    assert codes(verdict(record)) == []
    assert places(faults(verdict(put(record, "/deals/3/cards", 4))))[0] == ("DEA005", "LB-5", 4, None, None, "/deals/3/cards")


def test_lb_d1_sixth_hand_lb_5() -> None:
    """The sixth hand of four players has nine cards, not eight."""
    record = game("batarde", 4, *(deal(cards=size) for size in SCHEDULES[4]), status="complete")
    wrong = verdict(put(record, "/deals/5/cards", 8))
    assert places(faults(wrong)) == [("DEA005", "LB-5", 6, None, None, "/deals/5/cards")]
    assert faults(wrong)[0].facts["due"] == 9


# --- LB-D2, D3: overcalls -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("standing", "rightly", "wrongly"),
    [
        ("2D", "3C 2H 2S 2AT 3NT", "2C 2NT 1S"),
        ("3NT", "3C 3H 3AT", "2S 2AT"),
    ],
)
def test_lb_d2_overcalls_lb_14_lb_e1(standing: str, rightly: str, wrongly: str) -> None:
    """A new mode takes more tricks, or as many in a higher mode: over two diamonds, three clubs or two spades."""
    record = auction(f"0 {standing}, 1 5AT")
    assert legal_bids(record, 1, (rightly + " " + wrongly).split()) == rightly.split()


@pytest.mark.parametrize(("call", "proposer", "highest"), [("3H", 1, 0), ("2C", 0, 0), ("2H", 1, 0), ("4H", 1, 1)])
def test_lb_d3_whose_number_lb_14(call: str, proposer: int, highest: int) -> None:
    """What must be exceeded is the number of whoever imposed the mode, or by the option the highest called in it."""
    for basis, rightly in (("proposer", proposer), ("highest", highest)):
        told = verdict(auction(f"0 2D, 1 4D, 2 {call}", overcall_basis=basis))
        assert places(faults(told)) == ([] if rightly else [("BID008", "LB-14", 1, None, "2", f"{EVENTS}/2/bid")])


# --- LB-D4, D5: whole auctions --------------------------------------------------------------------------------------

FULL = "1 2D, 2 1D, 3 2S, 0 1S, 1 0S"


def test_lb_d4_a_full_auction_lb_12_to_lb_18() -> None:
    """Everybody calls again after a new mode; the last may not make the sum; the dealer's left leads."""
    record = auction(f"{FULL}, 2 3S", dealer="0")
    assert legal_bids(record, 5, [f"{number}S" for number in range(7)]) == ["0S", "1S", "3S", "4S", "5S"]
    trumps = {"0": ["TS", "NS"], "1": ["RS", "DS"], "2": ["CS", "VS"], "3": ["FS", "MS"]}
    hands = {seat: [*cards, "??", "??", "??"] for seat, cards in trumps.items()}
    played = deal(dealer="0", bids=f"{FULL}, 2 3S", plays="1 RS", status="in_progress", cards=5)
    told = verdict(put(game("batarde", 4, played), "/deals/0/hands", hands))
    assert codes(told) == []
    assert told.deals[0].order == "S"
    assert told.deals[0].bids == {"0": "1S", "1": "0S", "2": "3S", "3": "2S"}
    assert codes(verdict(auction(f"{FULL}, 2 3S, 3 1S", dealer="0"))) == ["BID016"]


def test_lb_d5_last_bidder_lb_17_lb_e2() -> None:
    """After three and none of five tricks, two may not be called without trumps; any other number ends the auction."""
    record = auction("1 3NT, 2 0NT, 0 1NT", players=3, dealer="0", deal_schedule=[5])
    numbers = [f"{number}NT" for number in range(6)]
    assert legal_bids(record, 2, [*numbers, "3H"]) == ["0NT", "1NT", "3NT", "4NT", "5NT", "3H"]
    assert places(faults(verdict(put(record, f"{EVENTS}/2/bid", "2NT")))) == [
        ("BID003", "LB-17", 1, None, "0", f"{EVENTS}/2/bid")
    ]
    reopened = auction("1 3NT, 2 0NT, 0 3H, 1 0H, 2 0H", players=3, dealer="0", deal_schedule=[5])
    assert codes(verdict(reopened)) == []
    assert codes(verdict(cut(reopened, 4, status="claimed"))) == ["BID006"]


# --- LB-D6, D12: méchoune, choune, points ---------------------------------------------------------------------------

LOCKED = [*bids_of("0 2H, 1 1H"), {**MECHOUNE, "by": "3"}]


@pytest.mark.parametrize(
    ("calls", "expected"),
    [
        ("2 1H", None),
        ("2 3S", ("BID009", "LB-19", "2", 3)),
        ("2 1H, 3 1H", ("BID003", "LB-17", "3", 4)),
        ("2 1H, 3 0H", None),
    ],
)
def test_lb_d6_locked_lb_19(calls: str, expected: Any) -> None:
    """After a méchoune the mode stays; the last caller is still bound by the sum."""
    found = faults(verdict(auction("", then=[*LOCKED, *bids_of(calls)])))
    assert [(f.code, f.rule, f.seat, int(f.pointer.split("/")[4])) for f in found] == ([expected] if expected else [])


@pytest.mark.parametrize("said", [(), ("mechoune",), ("mechoune", "choune")], ids=["plain", "mechoune", "choune"])
def test_lb_d6_points_lb_22_lb_30(said: tuple[str, ...]) -> None:
    """Points count twice after a méchoune, four times after a choune."""
    times = 2 ** len(said)
    words = [{"do": "announce", "by": "3", "what": "mechoune"}] * bool(said)
    words += [*bids_of("2 1H, 3 0H"), *[{**CHOUNE, "by": "0"}] * (len(said) > 1)]
    claimed = {"tricks": by_seat("3 1 0 1"), "scores": {s: -times * p for s, p in by_seat("1 0 1 1").items()}}
    played = deal(cards=5, dealer="3", then=[*bids_of("0 2H, 1 1H"), *words], claimed=claimed)
    told = verdict(game("batarde", 4, played))
    assert codes(told) == []
    assert told.deals[0].scores == claimed["scores"]


def test_lb_d6_who_may_choune_lb_21() -> None:
    """Choune is for the player who imposed the mode."""
    ended = [*LOCKED, *bids_of("2 1H, 3 0H")]
    assert codes(verdict(auction("", then=[*ended, {**CHOUNE, "by": "0"}]))) == []
    wrong = verdict(auction("", then=[*ended, {**CHOUNE, "by": "1"}]))
    assert places(faults(wrong)) == [("BID011", "LB-21", 1, None, "1", f"{EVENTS}/5")]


@pytest.mark.parametrize("times", [1, 2, 4])
def test_lb_d12_counting_points_lb_30_lb_e3(times: int) -> None:
    """The example of the source: 2, 2, 0 and 3 called, 1, 2, 1 and 1 won."""
    words = [{**MECHOUNE, "by": "E"}] * (times > 1)
    chouned = [{**CHOUNE, "by": "N"}] * (times > 2)
    calls = [*bids_of("N 2S"), *words, *bids_of("E 2S, S 0S, W 3S"), *chouned]
    due = {seat: -times * points for seat, points in {"N": 1, "E": 0, "S": 1, "W": 2}.items()}
    tricks = {"N": 1, "E": 2, "S": 1, "W": 1}
    told = verdict(game("batarde", "N E S W", deal(cards=5, dealer="W", then=calls, claimed={"tricks": tricks, "scores": due})))
    assert codes(told) == []
    assert told.deals[0].scores == due


# --- LB-D7 to D9, D11: what may be played ---------------------------------------------------------------------------


def answers(mode: str, trick: str, hand: str, players: int = 4, **options: Any) -> set[str]:
    """The cards of a hand that may be played to the cards of a trick so far, in a mode."""
    cards, seat = trick.split(), str(len(trick.split()))
    plays = plays_of(", ".join(f"{place} {card}" for place, card in enumerate([*cards, hand.split()[0]])))
    contract = {"do": "contract", "bid": mode}
    dealt = deal(dealer=str(players - 1), hands=f"{seat}: {hand}", then=[contract, *plays], status="in_progress")
    return legal(game("batarde", players, dealt, options=options), len(plays))


ANSWERS = [
    ("d7-rise", "S", "DS", "RS VS FH", "RS"),
    ("d7-cannot-rise", "S", "DS", "VS NS FH", "VS NS"),
    ("d7-void", "S", "DS", "FH TD", "FH TD"),
    ("d7-artist-led", "S", "MS", "RS JS VS", "RS JS VS"),
    ("d7-fool-over-musician", "S", "MS", "RS FS VS", "FS"),
    ("d8-overruff", "S", "RH JS", "DS FS TC", "FS"),
    ("d8-undertrump", "S", "RH JS", "DS TC", "DS"),
    ("d8-follow", "S", "RH JS", "NH FS", "NH"),
    ("d8-discard", "S", "RH JS", "TC RD", "TC RD"),
    ("d8-plain-suit", "S", "DH", "RH NH", "RH NH"),
    ("d9-rise", "AT", "RC", "DC FC TS", "FC"),
    ("d9-void", "AT", "RC", "FS TH", "FS TH"),
    ("d9-cannot-rise", "AT", "FC", "DC TC RS", "DC TC"),
    ("d9-not-over-a-discard", "AT", "RC FH", "JC DC", "JC"),
    ("no-trumps", "NT", "DH", "RH NH FS", "RH NH"),
    ("no-trumps-void", "NT", "DH", "FS TC", "FS TC"),
]


@pytest.mark.parametrize(("mode", "trick", "hand", "due"), [pytest.param(*row[1:], id=row[0]) for row in ANSWERS])
def test_lb_d7_d8_d9_what_may_be_played_lb_24_to_lb_27(mode: str, trick: str, hand: str, due: str) -> None:
    """Follow; if not, trump; and rise, as the mode has it."""
    assert answers(mode, trick, hand) == set(due.split())


def test_lb_d8_free_ruff_lb_25() -> None:
    """By the option, any trump may be played over a ruff; on a lead of trumps one still rises."""
    assert answers("S", "RH JS", "DS FS TC", overruff="free") == {"DS", "FS"}
    assert answers("S", "DS", "RS VS FH", overruff="free") == {"RS"}
    assert answers("AT", "RC", "DC FC TS", overruff="free") == {"FC"}


@pytest.mark.parametrize(("contract", "due"), [("Ss", "RSs"), ("Sm", "RSs DSs")])
def test_lb_d11_twins_lb_28(contract: str, due: str) -> None:
    """The twin of the pack that was called is higher, and must be played."""
    assert answers(contract, "RSm", "RSs DSs", players=5) == set(due.split())


# --- LB-D9 to D11: winners ------------------------------------------------------------------------------------------

WINNERS = [
    ("AT", "RC FH MC", 2),
    ("NT", "VD FD RS", 0),
    ("S", "VD FD RS", 2),
    ("S", "RS JS DS", 1),
    ("S", "RH VS JS DS", 2),
    ("S", "FD VD TD", 1),
    ("Ss", "RSm RSs DSs", 1),
    ("Sm", "RSm RSs DSs", 0),
    ("NTm", "RHs RHm DHm", 1),
]


@pytest.mark.parametrize(("mode", "cards", "winner"), WINNERS)
def test_lb_d9_d10_d11_winners_lb_29(mode: str, cards: str, winner: int) -> None:
    """Who takes a trick in which mode."""
    two_packs = mode[-1] in "ms"
    trick = [*cards.split(), *["TDs", "NDs"] * two_packs]
    players = 5 if two_packs else len(trick)
    plays = ", ".join(f"{seat} {card}" for seat, card in enumerate(trick))
    contract = {"do": "contract", "bid": mode}
    dealt = deal(dealer=str(players - 1), then=[contract, *plays_of(plays)], status="in_progress", cards=5)
    assert verdict(game("batarde", players, dealt)).deals[0].played[0].winner == str(winner)


def test_lb_2_two_packs_have_each_card_twice() -> None:
    """Seventy-two cards, each of thirty-six marked and simple."""
    from handrec.games.batarde import ONE_PACK, TWO_PACKS

    assert len(ONE_PACK) == 36
    assert set(TWO_PACKS.cards) == {rank + suit + mark for rank, suit, mark in product("RDCVFMJNT", "SHDC", "ms")}
