"""A whole trick that is missing, and its count with it: one finding, the trick; the count is its consequence."""

from __future__ import annotations

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
