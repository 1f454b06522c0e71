"""A dealer miswritten in one of several deals: told of the deal in which it is, and of two where nobody can tell which."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import check, games, writing
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.record import Record
from handrec.repair import repairs
from tests.dealing import GAMES

ROTATING = [game for game in GAMES if game.rotates]


def wrong_dealer(game: Game, seed: int, deals: int, place: int, by: int) -> tuple[Record, str]:
    """An excerpt of so many deals from the first on, the dealer of one of which sits elsewhere; and who dealt it."""
    players = max(number for number in game.players if number < 5)
    options = {"target": 9} if game.key == "whist" else {}  # so that no game is over so soon
    dealt = deal_game(game, players, seed, options=options, numbers=range(1, deals + 1))
    data: Any = writing.plain(dealt) | {"status": "excerpt"}
    data.pop("claimed", None)
    seats, deal = [player["seat"] for player in data["players"]], data["deals"][place]
    due = deal["dealer"]
    deal["dealer"] = seats[(seats.index(due) + by) % players]
    return Record.model_validate(data), due


@pytest.mark.some(8)
@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("game", ROTATING, ids=lambda game: game.key)
def test_of_three_deals_the_one_is_told(game: Game, place: int) -> None:
    """Whether its turns tell it, or the deals before and after alone; it is one finding, and it names who is due."""
    for seed, by in ((0, 1), (1, 2), (2, 1)):
        record, due = wrong_dealer(game, seed, 3, place, by)
        faults = check(record).faults
        assert [finding.pointer for finding in faults] == [f"/deals/{place}/dealer"], [finding.message for finding in faults]
        assert faults[0].code in ("DEA006", "REC012")
        assert due in faults[0].message


@pytest.mark.parametrize("place", [0, 1])
def test_of_two_deals_either_may_be_wrong(place: int) -> None:
    """In Hearts nothing else hangs on the dealer: both are told, and neither is the only repair."""
    game = games.find("hearts")
    assert game is not None
    record, due = wrong_dealer(game, 3, 2, place, 1)
    [finding] = check(record).faults
    assert [(near.act, near.cost) for near in finding.near] == [("dealer", 0)]
    told = f"{finding.message} {finding.near[0].words}"
    assert f"it was {due}'s turn" in told or f"{due} for {record.deals[place].dealer}" in told
    edits = [edit for group in repairs(record, game).groups for way in group.ways for edit in way]
    assert {(edit.pointer, edit.proof) for edit in edits} == {(f"/deals/{deal}/dealer", "guess") for deal in (0, 1)}
