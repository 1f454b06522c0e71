"""Cards that were passed and are not on record as they should be: that is told, and nobody is accused of what follows."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from handrec import check, games
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import replay
from tests.planting import Data, dealt, rows_of

#: What may be told: cards passed wrongly, cards passed that are missing, and a card that its giver had not.
TOLD = {"PLY009", "PLY005", "PLY001"}


def passes(data: Data) -> list[Data]:
    """The exchanges of a record of one deal."""
    return [event for event in data["deals"][0]["events"] if event["do"] == "exchange"]


def left_out(data: Data, rng: Random) -> int:
    """Some are missing, but not all; returns how many findings there may be."""
    gone = rng.sample(passes(data), rng.randint(1, 3))
    events = data["deals"][0]["events"]
    data["deals"][0]["events"] = [event for event in events if event not in gone]
    return len(gone)


def all_left_out(data: Data, rng: Random) -> int:
    """Nobody wrote down that cards were passed."""
    data["deals"][0]["events"] = [event for event in data["deals"][0]["events"] if event["do"] != "exchange"]
    if rng.random() < 0.5:
        data["deals"][0].pop("number")
    return 0


def one_card_more(data: Data, rng: Random) -> int:
    """Four cards instead of three."""
    event = rng.choice(passes(data))
    event["cards"].append(next(card for card in data["deals"][0]["hands"][event["by"]] if card not in event["cards"]))
    return 1


def one_card_fewer(data: Data, rng: Random) -> int:
    """Two cards instead of three."""
    rng.choice(passes(data))["cards"].pop()
    return 1


def too_late(data: Data, rng: Random) -> int:
    """Written down behind the first plays."""
    events, late = data["deals"][0]["events"], rng.choice(passes(data))
    events.remove(late)
    first = next(place for place, event in enumerate(events) if event["do"] == "play")
    events.insert(first + rng.randint(1, 6), late)
    return 1


def wrong_way(data: Data, rng: Random) -> int:
    """To somebody else than the others."""
    event = rng.choice(passes(data))
    event["to"] = rng.choice([seat for seat in "NESW" if seat not in (event["to"], event["by"])])
    return 1


def not_told(data: Data, rng: Random) -> int:
    """How many cards, and not which."""
    event = rng.choice(passes(data))
    event["count"] = len(event.pop("cards"))
    return 0


SLIPS = (left_out, all_left_out, one_card_more, one_card_fewer, too_late, wrong_way, not_told)


def truth(seed: int, rng: Random, **more: Any) -> Data | None:
    """A legal deal, or one with a fault, in which cards are passed; some are left after some tricks."""
    data = dealt("hearts", seed, **more)
    if data is None or not passes(data):
        return None
    data = deepcopy(data)
    if rng.random() < 0.4:
        rows = rows_of(data)
        data["deals"][0]["events"] = data["deals"][0]["events"][: rows[rng.randrange(4, len(rows) - 1)][-1] + 1]
        data["deals"][0]["status"] = "stopped"
    data["status"] = "excerpt"
    data.pop("claimed", None)
    data["deals"][0].pop("claimed", None)
    return data


@pytest.mark.some(3)
@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.__name__)
def test_what_is_wrong_with_cards_passed_accuses_nobody(slip: Any) -> None:
    """Of legal deals: only the passing is told, one finding for each that is wrong, and both ways of judging say the same."""
    made, rng = 0, Random(slip.__name__)
    for seed in range(40):
        data = truth(seed, rng)
        if data is None:
            continue
        most = slip(data, rng)
        record = Record.model_validate(data)
        quick, slow = (Judge(games.find, quick).verdict(record) for quick in (True, False))
        assert quick == slow
        codes = [finding.code for finding in check(record).faults]
        assert len(codes) <= most, (seed, codes)
        assert {*codes} <= TOLD, (seed, codes)
        made += 1
    assert made >= 20


@pytest.mark.parametrize("seed", range(6))
def test_what_was_passed_stands_though_it_is_written_too_late(seed: int) -> None:
    """Its cards are those of the taker from the passing on."""
    data = dealt("hearts", seed)
    assert data is not None
    data = deepcopy(data)
    game = games.find("hearts")
    assert game
    assert bool(passes(data)) is (data["deals"][0]["number"] % 4 != 0)
    data["deals"][0] |= {"events": data["deals"][0]["events"][:16], "status": "stopped"}
    data["deals"][0].pop("claimed", None)
    data |= {"status": "excerpt"}
    data.pop("claimed", None)
    before = [table.hands for table in replay(Record.model_validate(data), game)]
    if passes(data):
        too_late(data, Random(seed))
    assert [table.hands for table in replay(Record.model_validate(data), game)] == before


def test_a_revoke_shows_where_all_else_of_its_hand_does() -> None:
    """A pass of others is missing, not those of whoever revokes: it is told, where that hangs on no card of theirs."""
    shown = Counter[bool]()
    for seed in range(60):
        data = truth(seed, Random(seed), inject="REV001")
        revokes = [each for each in check(Record.model_validate(data)).faults if each.code == "REV001"] if data else []
        if data is None or not revokes:
            continue
        seat = revokes[0].seat
        mine = {each["by"] for each in passes(data) if seat in (each["by"], each["to"])}
        others = [each for each in passes(data) if each["by"] not in mine]
        if others:
            data["deals"][0]["events"].remove(others[0])
            again = [each.seat for each in check(Record.model_validate(data)).faults if each.code == "REV001"]
            assert again in ([], [seat])
            shown[again == [seat]] += 1
    assert shown[True] >= 9 * shown[False]
    assert shown.total() >= 20


def test_a_revoke_shows_where_the_plays_show_what_its_seat_passed() -> None:
    """Which cards it gave away is not written down, but all of them were played by who got them: its hand is known."""
    shown = Counter[bool]()
    for seed in range(40):
        data = truth(seed, Random(seed), inject="REV001")
        revokes = [each for each in check(Record.model_validate(data)).faults if each.code == "REV001"] if data else []
        if data is None or not revokes or data["deals"][0].get("status") == "stopped":
            continue
        event = next(each for each in passes(data) if each["by"] == revokes[0].seat)
        event["count"] = len(event.pop("cards"))
        again = [each.seat for each in check(Record.model_validate(data)).faults if each.code == "REV001"]
        assert again in ([], [revokes[0].seat])
        shown[bool(again)] += 1
    assert shown[True] >= 9 * shown[False]
    assert shown.total() >= 15


def test_hands_written_after_the_passing_are_judged_as_they_stand() -> None:
    """Nobody wrote down what was passed, and every card is played from the hand in which it is written."""
    made = [data for seed in range(9) if (data := truth(seed, Random(seed))) is not None]
    data = next(each for each in made if each["deals"][0].get("status") != "stopped")
    plays = [event for event in data["deals"][0]["events"] if event["do"] == "play"]
    hands = {seat: [event["card"] for event in plays if event["by"] == seat] for seat in "NESW"}
    data["deals"][0] |= {"hands": hands, "events": plays}
    assert check(Record.model_validate(data)).faults == ()
    rows = [plays[start : start + 4] for start in range(0, len(plays), 4)]
    here, later = next(
        (one, other)
        for row, after in pairwise(rows)
        for one in row[1:]
        for other in after
        if one["by"] == other["by"] and one["card"][1] == row[0]["card"][1] != other["card"][1]
    )
    here["card"], later["card"] = later["card"], here["card"]
    assert "REV001" in {each.code for each in Judge(games.find).verdict(Record.model_validate(data)).faults}
