"""A whole trick that is missing, and its count with it: one finding, the trick; the count is its consequence."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

import pytest

from handrec import games
from handrec.dealing import deal_game
from tests.tables import Data, codes, drop, levels, put, verdict

CASES: list[tuple[str, int, Data, int]] = [
    ("kbabs", 4, {}, 8),
    ("batarde", 4, {}, 3),
    ("bastard", 3, {}, 1),
    ("bastard", 3, {"ultra": True}, 1),
    ("bastard", 3, {"mega": True, "back_end": True}, 1),
    ("spades3", 3, {}, 1),
    ("bugami", 3, {}, 1),
    ("bridge", 4, {}, 1),
]


def cut(key: str, players: int, options: Data, number: int, seed: int) -> Data:
    """A deal without its last trick, which is not counted either; points stand as they were."""
    data: Data = deal_game(games.find(key), players, seed, options=options, numbers=[number]).model_dump(  # type: ignore[arg-type]
        mode="json", exclude_unset=True, by_alias=True
    )
    deal = data["deals"][0]
    plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
    last = plays[-players]
    start = last - 1 if deal["events"][last - 1]["do"] == "turn" and "back_end" not in options else last
    deal["events"] = deal["events"][:start]
    deal["claimed"]["tricks"][deal["claimed"]["winners"].pop()] -= 1
    return data


@pytest.mark.some(32)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join([case[0], *case[2]]))
@pytest.mark.parametrize("hands", [True, False])
def test_a_trick_that_is_missing_with_its_count_is_one_fault(case: Any, seed: int, hands: bool) -> None:
    """Points reckoned with it are not wrong either."""
    data = cut(*case, seed)
    if not hands:
        del data["deals"][0]["hands"]
    told = verdict(data)
    assert codes(told) == ["PLY005"]
    assert levels(told)[3] == "?"


def without(case: Any, seed: int, number: int, turned: bool, claims: bool = False) -> Data:
    """A deal without a trick amid it, with or without the card that was turned before that, and what is claimed."""
    key, players, options, deal = case
    data: Data = deal_game(games.find(key), players, seed, options=options, numbers=[deal]).model_dump(  # type: ignore[arg-type]
        mode="json", exclude_unset=True, by_alias=True
    )
    events = data["deals"][0]["events"]
    plays = [place for place, event in enumerate(events) if event["do"] == "play"][(number - 1) * players : number * players]
    first = plays[0] - (turned and events[plays[0] - 1]["do"] == "turn")
    del events[first : plays[-1] + 1], data["deals"][0]["hands"]
    if not claims:
        del data["deals"][0]["claimed"]
        data.pop("claimed", None)
    return data


@pytest.mark.some(32)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("number", [1, 2, 4])
@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join([case[0], *case[2]]))
@pytest.mark.parametrize("turned", [True, False])
def test_a_trick_that_is_missing_amid_the_play_is_one_fault(case: Any, seed: int, number: int, turned: bool) -> None:
    """It is named where another seat leads the next than won the one before, or where a card is turned that is not due yet.

    Where a card is lost with it that would have made trump, another trick may be the one at which it is seen.
    """
    told = verdict(without(case, seed, number, turned))
    assert codes(told) == ["PLY005"]
    found, trick = told.faults[0], told.faults[0].trick
    one_by_one = any(key in case[2] for key in ("ultra", "back_end"))
    if one_by_one and not turned:
        words = f"trick {number} is missing, or .. is turned a trick too early and the play ends early"
        assert re.fullmatch(words, found.message)
    elif not found.message.startswith("the play ends in trick "):
        assert found.message.startswith(f"trick {trick} is missing")
        assert trick == number or one_by_one


@pytest.mark.parametrize("key", ["kbabs", "spades3", "bugami", "bridge"])
def test_what_is_claimed_of_the_other_tricks_is_not_wrong(key: str) -> None:
    """Whether the winner of the one that is missing is written down or not."""
    case = next(case for case in CASES if case[0] == key)
    named = 0
    for seed in range(12):
        data = without(case, seed, 3, False, claims=True)
        if verdict(drop(data, "/deals/0/claimed")).faults[0].message.startswith("trick 3 is missing"):
            named += 1
            assert codes(verdict(data)) == ["PLY005"]
            short = drop(drop(data, "/deals/0/claimed/winners/2"), "/deals/0/claimed/tricks")
            assert codes(verdict(short)) == ["PLY005"]
    assert named


def test_a_lead_out_of_turn_is_one_where_no_trick_is_missing() -> None:
    """A card of everybody that is still to come explains nothing."""
    data = without(("spades3", 3, {}, 1), 5, 2, False)
    assert verdict(data).faults[0].message == "trick 2 is missing, or P3 leads out of turn and the play ends early"
    data["deals"][0]["status"] = "stopped"
    assert [finding.code for finding in verdict(data).faults][:1] == ["PLY004"]


def test_a_count_that_is_short_by_itself_is_a_fault() -> None:
    """With every card on record, or with more missing from the count than from the play."""
    whole: Data = deal_game(games.find("spades3"), 3, 1, numbers=[1]).model_dump(  # type: ignore[arg-type]
        mode="json", exclude_unset=True, by_alias=True
    )
    tricks = whole["deals"][0]["claimed"]["tricks"]
    seat = max(tricks, key=tricks.__getitem__)
    short = deepcopy(drop(drop(whole, "/deals/0/claimed/scores"), "/deals/0/claimed/totals"))
    short = put(drop(short, "/claimed"), f"/deals/0/claimed/tricks/{seat}", tricks[seat] - 1)
    assert "TRK002" in codes(verdict(drop(short, "/deals/0/claimed/winners")))
    two = cut("spades3", 3, {}, 1, 1)
    tricks = two["deals"][0]["claimed"]["tricks"]
    seat = max(tricks, key=tricks.__getitem__)
    assert "TRK004" in codes(verdict(put(two, f"/deals/0/claimed/tricks/{seat}", tricks[seat] - 1)))
