"""One contradiction between two places of a record is told once, and names both of them."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from handrec import games
from handrec.dealing import deal_game
from handrec.game import compose
from tests.tables import Data, faults, verdict

CASES: list[tuple[str, int, Data, int]] = [
    ("kbabs", 4, {}, 12),
    ("bugami", 3, {}, 1),
    ("bastard", 3, {}, 1),
    ("bastard", 3, {"mega": True}, 1),
    ("bastard", 3, {"ultra": True, "nuisance": True}, 1),
    ("spades3", 3, {"d_after_seat": "P2"}, 1),
    ("batarde", 4, {}, 3),
]


@cache
def bidden(case: int) -> Data:
    """A deal with its pack, up to the first lead; clean."""
    key, players, options, number = CASES[case]
    game = games.find(key)
    assert game is not None
    record = deal_game(game, players, 1, options=options, numbers=[number])
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    deal, seats = data["deals"][0], [player["seat"] for player in data["players"]]
    hands, aside = deepcopy(deal["hands"]), [card for cards in deal.get("aside", {}).values() for card in cards]
    dealer = seats.index(deal["dealer"])
    round_ = [*seats[dealer + 1 :], *seats[: dealer + 1]]
    dealing = compose(game, options)[0].dealt(seats, dealer, deal["cards"])
    pack = [(aside if seat < 0 else hands[round_[seat]]).pop(0) for seat in dealing] + aside
    deal["pack"] = pack + [card for card in game.pack(players).cards if card not in pack]
    lead = next(place for place, event in enumerate(deal["events"]) if event["do"] == "play")
    data["deals"] = [{**deal, "events": deal["events"][:lead], "status": "stopped"}]
    del data["deals"][0]["claimed"]
    assert list(faults(verdict(data))) == []
    return data


def turned(deal: Data, seats: list[str]) -> bool:
    """A dealt card is turned."""
    turns = [event for event in deal["events"] if event["do"] == "turn"]
    if turns:
        turns[-1]["card"] = deal["hands"][seats[0]][0]
    return bool(turns)


def lying(deal: Data, seats: list[str]) -> bool:
    """A dealt card is said to lie there."""
    place = next(iter(deal.get("aside", ())), None)
    if place:
        deal["aside"][place][0] = deal["hands"][seats[0]][0]
    return place is not None


def in_another_order(deal: Data, seats: list[str]) -> bool:
    """The first two cards that are turned one by one lie there in each other's place."""
    row = deal.get("aside", {}).get("stack") or deal.get("aside", {}).get("widow")
    if row:
        row[0], row[1] = row[1], row[0]
    return bool(row)


def of_another(deal: Data, seats: list[str]) -> bool:
    """A hand has a card of another's in the place of its own."""
    deal["hands"][seats[0]][0] = deal["hands"][seats[1]][0]
    return True


def lost(deal: Data, seats: list[str]) -> bool:
    """A hand lacks a card."""
    del deal["hands"][seats[0]][0]
    return True


def foreign(deal: Data, seats: list[str]) -> bool:
    """A hand has a card of no pack."""
    deal["hands"][seats[0]][0] = "XX"
    return True


def exchanged(deal: Data, seats: list[str]) -> bool:
    """Two hands stand in each other's place."""
    hands = deal["hands"]
    hands[seats[0]], hands[seats[1]] = hands[seats[1]], hands[seats[0]]
    return True


@pytest.mark.parametrize("plant", [turned, lying, in_another_order, of_another, lost, foreign, exchanged])
@pytest.mark.parametrize("case", range(len(CASES)), ids=["-".join([key, *options]) for key, _, options, _ in CASES])
@pytest.mark.parametrize("by_pack", [True, False])
def test_a_contradiction_is_told_once(case: int, plant: Any, by_pack: bool) -> None:
    """Of hands, cards set aside, cards turned and the pack, one differs: one finding; the pack is named where it speaks."""
    data = deepcopy(bidden(case))
    deal, seats = data["deals"][0], [player["seat"] for player in data["players"]]
    if not by_pack:
        del deal["pack"]
    if not plant(deal, seats):
        return
    found = faults(verdict(data))
    if plant is exchanged and not by_pack:
        assert list(found) == []
        return
    assert len(found) == 1, [finding.message for finding in found]
    assert not by_pack or plant is foreign or "recorded pack" in found[0].message


def test_the_card_turned_is_trusted_where_what_lies_there_lies_in_a_hand_too() -> None:
    """Then trump is known, and the play can be judged."""
    game = games.find("kbabs")
    assert game is not None
    record = deal_game(game, 4, 1, numbers=[12])
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    data["deals"][0]["aside"]["turnup"] = [data["deals"][0]["hands"]["N"][0]]
    told = verdict(data)
    assert [finding.code for finding in faults(told)] == ["DEA002"]
    assert [level.status for level in told.levels[4:6]] == ["passed", "passed"]
