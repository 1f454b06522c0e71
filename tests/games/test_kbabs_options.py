"""Killer Back Alley Bridge Substitute: every option and every value of it, every number of players."""

from __future__ import annotations

from typing import Any
from unittest.mock import ANY

import pytest
from pydantic import ValidationError

from handrec.cards import FRENCH_54
from tests.games.kbabs_hands import BARE, EVENTS, KILLER
from tests.tables import (
    codes,
    deal,
    drop,
    faults,
    game,
    insert,
    levels,
    places,
    put,
    reasons,
    sheet,
    verdict,
)

# --- options --------------------------------------------------------------------------------------------------------

WRONG_OPTIONS = [
    ("house_rules", True, "FMT009"),
    ("Ladder", "full", "FMT009"),
    ("ladder", "sideways", "FMT010"),
    ("ladder", ["full"], "FMT010"),
    ("scoring", "cubic", "FMT010"),
    ("linear_miss", True, "FMT010"),
    ("ultimate", 1, "FMT010"),
    ("ultimate", 0, "FMT010"),
    ("ultimate", "true", "FMT010"),
    ("tie", "first", "FMT010"),
    ("renege_penalty", "37", "FMT010"),
    ("renege_penalty", 38, "FMT010"),
    ("renege_penalty", 37.0, "FMT010"),
    ("renege_penalty", True, "FMT010"),
    ("big_joker_forces", "lowest_trump", "FMT010"),
    ("big_joker_forces", None, "FMT010"),
    ("sips", 1, "FMT010"),
    ("sips", [1, 2], "FMT010"),
    ("sips", {"0": 1}, "FMT010"),
    ("sips", {"1": 0}, "FMT010"),
    ("sips", {"1": True}, "FMT010"),
    ("sips", {"one": 1}, "FMT010"),
    ("sips", {"²": 1}, "FMT010"),
]


@pytest.mark.parametrize(("option", "value", "code"), WRONG_OPTIONS, ids=[ascii(f"{o}={v}") for o, v, _ in WRONG_OPTIONS])
def test_options_are_never_guessed(option: str, value: Any, code: str) -> None:
    """An option or a value that the game does not have is a finding, and nothing is checked under a default instead."""
    told = verdict(put(KILLER, "/options", {option: value}))
    assert [(f.code, f.pointer) for f in faults(told)] == [(code, f"/options/{option}")]
    assert levels(told) == "?????"


@pytest.mark.parametrize(
    "chosen",
    [
        {"ladder": "full"},
        {"scoring": "square"},
        {"linear_miss": "linear"},
        {"linear_miss": "square"},
        {"ultimate": False},
        {"ultimate": True},
        {"tie": "shared"},
        {"tie": "play_off"},
        {"renege_penalty": "as_recorded"},
        {"renege_penalty": 37},
        {"big_joker_forces": "highest_trump"},
        {"ladder": "full", "ultimate": True, "tie": "play_off", "renege_penalty": 37, "linear_miss": "square"},
    ],
    ids=str,
)
def test_options_that_change_nothing_here(chosen: dict[str, Any]) -> None:
    """Options about the game, or at their default, leave a single hand as it was; the verdict says what was in force."""
    told = verdict(put(KILLER, "/options", chosen))
    assert places(told.findings) == []
    assert {key: told.options[key] for key in chosen} == chosen


@pytest.mark.parametrize(
    ("chosen", "scores"),
    [
        ({}, "19 -9 44 34"),
        ({"scoring": "square"}, "19 -9 44 34"),
        ({"linear_miss": "square"}, "19 -9 44 34"),
        ({"scoring": "linear"}, "13 -3 38 32"),
        ({"scoring": "linear", "linear_miss": "linear"}, "13 -3 38 32"),
        ({"scoring": "linear", "linear_miss": "square"}, "13 -9 38 32"),
    ],
    ids=str,
)
def test_scoring_options_kb_8_3(chosen: dict[str, Any], scores: str) -> None:
    """Linear scoring squares neither bid nor miss; by option misses stay squared."""
    cases = [(13, "3", "3"), (13, "3", "0"), (3, "board", "3"), (8, "rainbow", "2")]
    for (cards, bid, tricks), due in zip(cases, scores.split(), strict=True):
        assert verdict(game("kbabs", 4, sheet(bid, tricks, cards=cards), options=chosen)).deals[0].scores == {"0": int(due)}


@pytest.mark.parametrize(
    ("ladder", "number", "cards"),
    [("full", 11, 3), ("full", 16, 3), ("down", 11, 3), ("up", 3, 3), ("down", 1, 13), ("up", 13, 13), ("full", 26, 13)],
)
def test_ladder_option_kb_8_4(ladder: str, number: int, cards: int) -> None:
    """A numbered deal out of a game has the size that the ladder gives it at that place."""
    one = deal(number=number, cards=cards, status="in_progress")
    assert codes(verdict(game("kbabs", 4, one, options={"ladder": ladder}))) == []
    assert codes(verdict(game("kbabs", 4, put(one, "/cards", cards % 13 + 1), options={"ladder": ladder}))) == ["DEA005"]


@pytest.mark.parametrize(("ladder", "number"), [("full", 27), ("down", 14), ("up", 14)])
def test_no_deal_after_the_last_kb_2_3(ladder: str, number: int) -> None:
    """A deal numbered beyond the end of the ladder is none of that game."""
    told = verdict(game("kbabs", 4, deal(number=number, cards=1, status="in_progress"), options={"ladder": ladder}))
    assert [(f.code, f.deal) for f in faults(told)] == [(ANY, number)]


@pytest.mark.parametrize(
    ("agreed", "drunk", "due"),
    [
        (None, 0, 1),
        (None, 1, None),
        ({}, 0, 1),
        ({"1": 2}, 1, 2),
        ({"1": 2}, 2, None),
        ({"1": 2}, 5, None),
        ({"2": 3}, 0, 1),
        ({"2": 3}, 1, None),
    ],
    ids=str,
)
def test_sips_kb_8_2(agreed: dict[str, int] | None, drunk: int, due: int | None) -> None:
    """Who misses drinks at least what was agreed for a miss of that size, and at least once; more is always allowed."""
    drinks = [{"do": "announce", "by": seat, "what": "sips", "count": count} for seat, count in (("0", 1), ("1", drunk))]
    record = insert(insert(KILLER, f"{EVENTS}/17", drinks[0]), f"{EVENTS}/18", drinks[1])
    told = verdict(put(record, "/options", {} if agreed is None else {"sips": agreed}))
    assert [(f.code, f.seat, f.facts["due"]) for f in faults(told)] == ([] if due is None else [("SCO006", "1", due)])


def test_sips_agreed_but_not_recorded_are_not_checkable_kb_8_2() -> None:
    """Sips that nobody wrote down are not checked, and not passed over."""
    told = verdict(put(KILLER, "/options", {"sips": {"1": 1}}))
    assert codes(told) == []
    assert levels(told)[3] == "?"
    assert "sips" in reasons(told, "L5")


# --- players and seats ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 37, 54])
def test_players_kb_1_2(players: int) -> None:
    """From one to 54 may play."""
    assert codes(verdict(game("kbabs", players))) == []


def test_too_many_players_kb_1_2() -> None:
    """The fifty-fifth would get no card."""
    told = verdict(game("kbabs", 55))
    assert places(faults(told)) == [("DEA004", "KB-1.2", None, None, None, "/players")]
    assert levels(told) == "F????"


def test_no_players_kb_1_2() -> None:
    """A record without players is no record."""
    with pytest.raises(ValidationError):
        verdict(game("kbabs", 0))


def test_one_player_plays_a_hand_kb_4_6() -> None:
    """Alone one leads to every trick, wins it, and misses."""
    one = deal(
        number=107,
        dealer="0",
        hands="0: " + " ".join(FRENCH_54.cards[:53]),
        turn="BJ",
        bids="0 52",
        plays=", ".join(f"0 {card}" for card in FRENCH_54.cards[:53]),
        claimed={"trump": "NT", "tricks": {"0": 53}, "scores": {"0": -1}},
    )
    told = verdict(game("kbabs", 1, one))
    assert told.findings == ()
    assert levels(told) == "pppp?"
    assert codes(verdict(game("kbabs", 1, put(drop(one, "/claimed"), "/events/1/bid", 53)))) == ["BID003"]


def test_fifty_four_players_kb_2_3_kb_3_1() -> None:
    """With 54 players nothing is left over, so there is no trump; there are two hands, and a joker wins each."""
    cards = FRENCH_54.cards[4:] + FRENCH_54.cards[:4]
    deals = []
    for dealer in (0, 1):
        order = [(dealer + 1 + step) % 54 for step in range(54)]
        deals.append(
            deal(
                dealer=str(dealer),
                hands=" | ".join(f"{seat}: {card}" for seat, card in zip(order, cards, strict=True)),
                bids=", ".join(f"{seat} 0" for seat in order),
                plays=", ".join(f"{seat} {card}" for seat, card in zip(order, cards, strict=True)),
                claimed={"winners": [str(order[cards.index("BJ")])]},
            )
        )
    told = verdict(game("kbabs", 54, *deals, status="complete"))
    assert codes(told) == []
    assert levels(told) == "ppppp"
    assert told.winners is not None
    assert len(told.winners) == 52
    assert codes(verdict(game("kbabs", 54, put(deals[0], "/events/53/bid", 1), deals[1], status="complete"))) == ["BID003"]


@pytest.mark.parametrize(
    ("pointer", "value", "code"),
    [
        ("/players/1/seat", "0", "FMT013"),
        ("/deals/0/dealer", "9", "FMT012"),
        ("/deals/0/events/5/by", "9", "FMT012"),
        ("/deals/0/claimed/winners/0", "9", "FMT012"),
        ("/deals/0/claimed/scores/9", 0, "FMT012"),
    ],
)
def test_seats_are_the_players_c_1(pointer: str, value: Any, code: str) -> None:
    """Seats stand once among the players, and nobody else does anything."""
    record = BARE if code == "FMT013" else KILLER
    told = verdict(put(record, pointer, value))
    assert (code, pointer) in [(f.code, f.pointer) for f in faults(told)]
    assert {f.code for f in faults(told)} <= {"FMT012", "FMT013"}
    assert levels(told) == "?????"
