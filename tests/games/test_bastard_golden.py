"""The Bastard family: the golden cases BA-D1 to BA-D13, and what the source works out."""

from __future__ import annotations

from typing import Any

import pytest

from tests.tables import Data, by_seat, codes, deal, faults, game, legal, places, put, sheet, verdict

FOUR = {"mega": True, "ultra": True, "back_end": True, "nuisance": True}


def played(plays: str, aside: str, **options: Any) -> Data:
    """The first tricks of a hand dealt by seat 0; four cards lie aside, or the first cards of the stack are known."""
    stacked = {"mega", "ultra", "demon", "nuisance"} & set(options)
    cards = aside.split() + ["??"] * (13 if stacked else 4)
    lying = {"stack": cards[:13]} if stacked else {"widow": cards[:4]}
    return game(
        "bastard",
        3,
        deal(plays=plays, dealer="0", cards=13 if stacked else 16, aside=lying, status="in_progress"),
        options=options,
    )


def winners(plays: str, aside: str, **options: Any) -> str:
    """Who wins each trick, a letter each: the seat, or B for the Bastard."""
    told = verdict(played(plays, aside, **options))
    assert told.findings == ()
    return "".join("?" if trick.winner is None else trick.winner[0].upper() for trick in told.deals[0].played)


# --- BA-D1 to BA-D3: trump, following, winner -----------------------------------------------------------------------

TRUMPS = [
    ("7H 2H KH 5C", "NT"),
    ("7H 2H KS 5C", "H"),
    ("9C 4D 4S AH", "C"),
    ("7H 2C KH 3H", "H"),
    ("AS KS QS 2S", "NT"),
    ("?H ?S ?? 2S", "H"),
    ("?H ?H ?? 2S", None),
]


@pytest.mark.parametrize(("aside", "trump"), TRUMPS)
def test_ba_d1_trump_from_the_cards_set_aside_ba_bas_2(aside: str, trump: str | None) -> None:
    """The first card makes trump, unless all three are of one suit; the fourth does not matter."""
    assert verdict(played("1 AD", aside)).deals[0].order == trump


def follow(lead: str, **options: Any) -> set[str]:
    """What seat 1 may play of 3S KD 9D AC, trump spades, if seat 0 leads a card, or if seat 1 has the lead itself."""
    hands = {"1": ["3S", "KD", "9D", "AC"]}
    plays = f"0 {lead}, 1 3S" if lead else "1 3S"
    lying = {"widow": ["7S", "2C", "KH", "5C"]}
    hand = deal(plays=plays, dealer="2" if lead else "0", cards=4, hands="1: 3S KD 9D AC", aside=lying, number=1)
    assert hand["hands"] == hands
    return legal(game("bastard", 3, hand, options=options), 1 if lead else 0)


def test_ba_d2_following_ba_8() -> None:
    """Who can follow must; who cannot, or leads, may play anything, trumps too, unless they must be broken."""
    every = {"3S", "KD", "9D", "AC"}
    assert follow("TD") == {"KD", "9D"}
    assert follow("4H") == every
    assert follow("") == every
    assert follow("", trump_break="must_be_broken") == {"KD", "9D", "AC"}


def test_ba_d3_the_trick_ba_3_ba_9() -> None:
    """The highest trump, or the highest card of the suit led."""
    assert winners("1 AH, 2 2S, 0 KH", "7S 2C KD 5C") == "2"
    assert winners("1 AH, 2 2S, 0 KH", "7S 3S 8S 5C") == "1"
    assert winners("1 QD, 2 AC, 0 KD", "7H 2C 8S 5C") == "0"


# --- BA-D4, BA-D5: scores and guesses -------------------------------------------------------------------------------

SCORES = [(5, 7, 52), (5, 5, 50), (5, 4, -50), (0, 0, 0), (0, 3, 3), (16, 16, 160), (6, 0, -60)]


@pytest.mark.parametrize(("bid", "tricks", "score"), SCORES)
def test_ba_d4_hand_score_ba_10(bid: int, tricks: int, score: int) -> None:
    """Ten for each trick bid and one for each more, or minus ten for each trick bid."""
    hand = sheet(f"{bid} 0 0", f"{tricks} {16 - tricks} 0", f"{score} {16 - tricks} 0", number=1, cards=16)
    data = game("bastard", 3, hand, options={"ultimate": True, "ultimate_guess": False})
    assert codes(verdict(data)) == []
    assert codes(verdict(put(data, "/deals/0/claimed/scores/0", score + 1))) == ["SCO001"]


def test_ba_d4_a_sheet_alone_does_not_tell_who_guessed_ba_bas_5() -> None:
    """Five points more may have been a right guess; six cannot be."""
    hand = sheet("5 0 0", "7 9 0", "52 9 0", number=1, cards=16)
    data = game("bastard", 3, hand)
    for score, found in ((52, []), (57, []), (58, ["SCO001"])):
        assert codes(verdict(put(data, "/deals/0/claimed/scores/0", score))) == found


def guessed(*guesses: tuple[str, str | None]) -> Data:
    """The hand BA-D5 as a score sheet: the bids, the guesses, the tricks and the points."""
    said = [{"do": "announce", "by": by, "what": "guess"} | ({"card": card} if card else {}) for by, card in guesses]
    claimed = {"tricks": by_seat("5 5 6"), "scores": by_seat("41 -60 56")}
    hand = deal(bids="1 6, 2 5, 0 4", then=said, number=1, dealer="0", cards=16, aside={"widow": ["7S", "2C", "KH", "8D"]})
    return game("bastard", 3, {**hand, "claimed": claimed})


def test_ba_d5_the_guess_ba_bas_4() -> None:
    """In turn, each another card; the right one is worth five points."""
    assert codes(verdict(guessed(("1", "QC"), ("2", "8D"), ("0", "3H")))) == []
    told = verdict(guessed(("1", "QC"), ("2", "8D"), ("0", "8D")))
    assert places(faults(told)) == [("BID014", "BA-BAS-4", 1, None, "0", "/deals/0/events/5/card")]
    told = verdict(guessed(("2", "8D"), ("1", "QC"), ("0", "3H")))
    assert places(faults(told)) == [("BID013", "BA-BAS-4", 1, None, "2", "/deals/0/events/3")]
    assert dict(told.deals[0].scores) == {"0": 41, "1": -60, "2": 56}
    assert codes(verdict(guessed(("1", None), ("2", "8D")))) == []
    assert dict(verdict(guessed(("1", "QC"), ("2", "8D"))).deals[0].notes["2"]) == {"guess": "8D right"}


# --- BA-D6 to BA-D8, BA-D10 to BA-D12: what is trump, high or low ---------------------------------------------------


def test_ba_d6_mega_ba_meg_1() -> None:
    """Each card makes trump for its trick."""
    assert winners("1 KH, 2 3C, 0 AH; 2 9S, 0 2D, 1 AS", "4C JD", mega=True) == "20"


@pytest.mark.parametrize(("third", "winner"), [("0 7D, 1 AD", "0"), ("0 7D, 1 2H", "1"), ("0 7C, 1 AD", "1")])
def test_ba_d7_ultra_ba_ult_1_ba_ult_2(third: str, winner: str) -> None:
    """The first card's suit is trump for the hand; sevens are high in the second trick, inside their suits."""
    assert winners(f"1 7S, 2 AS, 0 KS; 2 KD, {third}", "5H 7?", ultra=True) == "2" + winner


@pytest.mark.parametrize(("second", "winner"), [("0 2D, 1 KD, 2 3D", "2"), ("0 2D, 1 KD, 2 KC", "0")])
def test_ba_d8_demon_ba_dem_1(second: str, winner: str) -> None:
    """A king turned makes kings the lowest cards of their suits."""
    assert winners(f"1 7S, 2 QS, 0 AS; {second}", "5H KS", demon=True) == "0" + winner


@pytest.mark.parametrize(("first", "winner"), [("9C", "0"), ("9D", "1")])
def test_ba_d10_back_end_mega_ba_be_1_ba_be_2(first: str, winner: str) -> None:
    """The card turned after the trick decides it."""
    data = played("1 AH, 2 3H, 0 5C", "", mega=True, back_end=True)
    data["deals"][0]["events"].append({"do": "turn", "card": first})
    told = verdict(data)
    assert (told.findings, told.deals[0].played[0].winner) == ((), winner)


ULTIMATES = [
    ("6S T? 3D", "1 AD, 2 TD, 0 KD", {}, "2"),
    ("6S T? 3D", "1 3H, 2 2H, 0 3C", {}, "2"),
    ("6S T? 3D", "1 TH, 2 3S, 0 AH", {}, "2"),
    ("6S TS 3S", "1 TH, 2 4S, 0 AH", {}, "1"),
    ("6S T? TD", "1 TH, 2 AH, 0 KH", {}, "2"),
    ("6S T? TD", "1 TH, 2 AH, 0 KH", {"ultimate_same_rank": "high"}, "1"),
    ("6S T? TD", "1 TH, 2 AH, 0 KH", {"ultimate_same_rank": "low"}, "2"),
    ("6S T? TD", "1 TH, 2 2H, 0 KD", {"ultimate_same_rank": "low"}, "2"),
]


@pytest.mark.parametrize(("aside", "trick", "options", "winner"), ULTIMATES)
def test_ba_d11_ultimate_ba_ultm_1_ba_ultm_2_ba_ultm_3_ba_ultm_4(aside: str, trick: str, options: Data, winner: str) -> None:
    """The second card's rank is high, the third's low, unless they are the same; a suit that does not matter is left open."""
    assert winners(trick, aside, ultimate=True, **options) == winner


def test_ba_d12_ultra_mega_ba_com_2() -> None:
    """Each card gives trump and the high rank, from the first trick on, unless agreed otherwise."""
    assert winners("1 AH, 2 8H, 0 2C", "8C", mega=True, ultra=True) == "0"
    assert winners("1 AH, 2 8H, 0 2D", "8C", mega=True, ultra=True) == "2"
    assert winners("1 AH, 2 8H, 0 2D", "8C", mega=True, ultra=True, mega_rank_trick1=False) == "1"


# --- BA-D9: Nuisance ------------------------------------------------------------------------------------------------

NUISANCE = "1 5D, 2 TD, 0 2D; 2 8D, 0 JD, bastard 9D, 1 3D; 0 KD, bastard AD, 1 4D, 2 7D; bastard 4C, 1 KC, 2 6C, 0 2S"


def test_ba_d9_nuisance_ba_nui_1_ba_nui_6() -> None:
    """The Bastard plays from the second trick on, wins and leads."""
    assert winners(NUISANCE, "QS 9D AD 4C", nuisance=True) == "20B0"
    assert winners(NUISANCE, "QS 9D AD 4C", nuisance=True, nuisance_trump="first_trick_only") == "20B1"
    assert winners(NUISANCE, "QS 9D AD 4C", nuisance=True, nuisance_trump="every_card") == "20B1"


def test_ba_d9_the_bastards_lead_is_followed_ba_8() -> None:
    """Who can follow the Bastard's lead must; the Bastard itself follows nobody."""
    data = played(NUISANCE, "QS 9D AD 4C", nuisance=True)
    hand = data["deals"][0]
    hand["hands"] = {"1": ["5D", "3D", "4D", "KC", "AH", *["??"] * 8]}
    place = next(place for place, event in enumerate(hand["events"]) if event["card"] == "KC")
    assert codes(verdict(data)) == []
    assert codes(verdict(put(data, f"/deals/0/events/{place}/card", "AH"))) == ["REV001"]


def test_ba_com_5_the_bastards_own_card() -> None:
    """A card of the Bastard is high itself, unless the table decided otherwise."""
    plays = "1 5D, 2 TD, 0 2D; 2 8D, 0 JD, bastard 9D, 1 9S"
    assert winners(plays, "QC 9D", nuisance=True, ultra=True) == "2B"
    assert winners(plays, "QC 9D", nuisance=True, ultra=True, bastard_self_effect=False) == "20"
    assert winners("1 5D, 2 TD, 0 2D; 2 8S, 0 JS, bastard 9D, 1 9S", "QC 9D", nuisance=True, ultra=True) == "21"


def test_ba_com_6_back_end_nuisance() -> None:
    """The Bastard's card comes last, unless it leads; or the next player leads in its place."""
    options = {"nuisance": True, "back_end": True}
    start = "1 5D, 2 TD, 0 2D; 2 8D, 0 JD, 1 3D, bastard AD"
    assert winners(f"{start}; bastard 4C, 1 KC, 2 6C, 0 2S", "QS AD 4C", **options) == "2B0"
    assert (
        winners(f"{start}; 1 KC, 2 6C, 0 2H, bastard 4C", "QS AD 4C", **options, back_end_nuisance_lead="next_player_leads")
        == "2B1"
    )


# --- BA-D13: variants -----------------------------------------------------------------------------------------------


def variant(*names: str) -> Data:
    """A record without deals under some variants."""
    return game("bastard", 3, options=dict.fromkeys(names, True), status="stopped")


def test_ba_d13_what_combines_ba_com_1() -> None:
    """Ultra and Demon exclude each other, Ultimate everything, and Back End needs another."""
    for names in (("ultra", "demon"), ("ultimate", "mega"), ("ultimate", "back_end"), ("back_end",)):
        assert "FMT011" in codes(verdict(variant(*names)))
    assert codes(verdict(variant(*FOUR))) == []


def test_ba_d13_there_are_24_variants_ba_com_1() -> None:
    """22 combinations, Basic and Ultimate."""
    names = ("mega", "ultra", "demon", "nuisance", "back_end", "ultimate")
    sets = [[name for place, name in enumerate(names) if number >> place & 1] for number in range(64)]
    assert sum(codes(verdict(variant(*chosen))) == [] for chosen in sets) == 24
