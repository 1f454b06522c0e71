"""A level that could not be looked at in full never says that it passed."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from handrec import games
from handrec.dealing import deal_game
from tests.tables import Data, codes, drop, game, levels, put, reasons, sheet, verdict


def dealt(key: str, players: int, **more: Any) -> Data:
    """A clean deal of a game, or a whole game."""
    record = deal_game(games.find(key), players, 1, **more)  # type: ignore[arg-type]
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    return data


@pytest.mark.parametrize(("key", "players"), [("bastard", 3), ("spades3", 3), ("bugami", 3), ("bridge", 4)])
def test_a_sheet_without_results_has_nothing_to_compare_l5(key: str, players: int) -> None:
    """Trump alone, or bids alone, are no result."""
    data = dealt(key, players, numbers=[1])
    data.pop("claimed", None)
    told = verdict(put(data, "/deals/0/claimed", {"trump": data["deals"][0]["claimed"]["trump"]}))
    assert (codes(told), levels(told)[3]) == ([], "?")
    assert "no result is recorded" in reasons(told, "L5")


def test_a_dealer_who_is_not_recorded_l6() -> None:
    """Whether the deal passed to the left cannot be told; where anybody may deal, there is nothing to tell."""
    data = dealt("bastard", 3, options={"game_end": {"hands": 3}})
    assert levels(verdict(data))[4] == "p"
    data = drop(data, "/deals/1/dealer")
    assert "deal 2: the dealer is not recorded" in reasons(verdict(data), "L6")
    data["options"]["dealer_rotation"] = "any"
    assert "the dealer" not in reasons(verdict(data), "L6")


def test_a_size_that_is_not_recorded_l6() -> None:
    """Whether a deal has the size of its place on the ladder cannot be told by the ladder alone."""
    scores = [sheet("0 1 0", "0 0 1", dealer=str(number % 3)) for number in range(36)]
    told = verdict(game("kbabs", 3, *scores, status="stopped"))
    assert "deal 7: how many cards were dealt is not recorded" in reasons(told, "L6")


def test_a_card_turned_that_is_not_recorded_l2() -> None:
    """A card is left over, and which one was turned is not told."""
    data = dealt("kbabs", 4, numbers=[12])
    assert levels(verdict(data))[0] == "p"
    told = verdict(drop(drop(data, "/deals/0/events/0"), "/deals/0/aside"))
    assert (levels(told)[0], "the card turned is not recorded" in reasons(told, "L2")) == ("?", True)


@pytest.mark.parametrize("ruled", [{"do": "ruling", "verdict": "upheld"}, {"do": "accuse", "by": "E"}])
def test_an_accusation_that_cannot_be_decided_l4(ruled: Data) -> None:
    """Of a deal that is not in the record, nobody can say whether it was right."""
    data = deepcopy(dealt("kbabs", 4, numbers=[12]))
    assert levels(verdict(data))[2] == "p"
    data["deals"][0]["events"].append({**ruled, "of": "N", "trick": 1, "of_deal": 11})
    told = verdict(data)
    assert levels(told)[2] == "?"
    assert "whether N played as the rules demand cannot be told" in reasons(told, "L4")
