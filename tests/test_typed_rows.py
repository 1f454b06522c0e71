"""Typed rows are facts: a short one is told at its own line, one passed over where it is lacking, and nothing moves."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from handrec import Record, check, games
from handrec.dealer import deal_game

TABLES = {"kbabs": (4, 5), "bridge": (4, 1), "bugami": (3, 1), "spades3": (3, 1), "batarde": (4, 5)}


def typed(key: str, seed: int, hands: bool) -> tuple[dict[str, Any], list[list[int]]]:
    """A dealt record with a number before each row, without claims; and the places of its plays, row by row."""
    game = games.find(key)
    assert game
    players, number = TABLES[key]
    data = deal_game(game, players, seed, numbers=[number]).model_dump(mode="json", exclude_unset=True, by_alias=True)
    deal = data["deals"][0]
    data["version"] = "1.1"
    data.pop("claimed", None)
    for part in ("claimed", *(() if hands else ("hands", "aside", "pack"))):
        deal.pop(part, None)
    plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
    rows = [plays[start : start + players] for start in range(0, len(plays), players)]
    for trick, row in enumerate(rows, 1):
        deal["events"][row[0]]["trick"] = trick
    return data, rows


@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
@pytest.mark.parametrize("key", TABLES)
def test_a_card_left_out_is_told_in_its_own_row(key: str, hands: bool) -> None:
    """One fault: the trick and, as it is written, the seat whose card is lacking; typed numbers stay where they were."""
    for seed in range(12):
        data, rows = typed(key, seed, hands)
        assert check(Record.model_validate(data)).ok
        events, rng = data["deals"][0]["events"], Random(seed)
        trick = rng.randrange(len(rows))
        spot = rng.randrange(len(rows[trick]))
        gone = events.pop(rows[trick][spot])
        if spot == 0:
            events[rows[trick][0]]["trick"] = trick + 1
        (fault,) = check(Record.model_validate(data)).faults
        assert (fault.code, fault.trick) in (("PLY005", trick + 1), ("REC004", trick + 1))
        assert gone["by"] in (fault.seat, fault.facts.get("owner"))


@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
@pytest.mark.parametrize("key", TABLES)
def test_a_row_left_out_is_told_once(key: str, hands: bool) -> None:
    """The numbers say which one it was."""
    for seed in range(12):
        data, rows = typed(key, seed, hands)
        trick = Random(seed).randrange(len(rows))
        for place in reversed(rows[trick]):
            del data["deals"][0]["events"][place]
        (fault,) = check(Record.model_validate(data)).faults
        assert fault.code in ("PLY005", "REC004")
        assert fault.seat is None
        assert fault.trick == trick + 1


def test_a_card_left_out_amid_a_line_is_found_by_the_hands() -> None:
    """A line names its leader alone, so the cards after the one left out stand under the seats before their own."""
    for key in ("kbabs", "bridge", "bugami"):
        for seed in range(12):
            data, rows = typed(key, seed, True)
            events, rng = data["deals"][0]["events"], Random(seed)
            row = rng.choice(rows[:-1])
            spot = rng.randrange(1, len(row) - 1)
            seats = [events[place]["by"] for place in row]
            gone = events.pop(row[spot])
            for place, seat in zip(row[:-1], seats, strict=False):
                events[place]["by"] = seat
            (fault,) = check(Record.model_validate(data)).faults
            assert (fault.code, fault.facts["owner"], fault.facts["card"]) == ("REC004", gone["by"], gone["card"])
            assert fault.pointer == f"/deals/0/events/{row[0]}"
