"""Cards of the Bastard, or of the widow, turned too soon, too late or in each other's place: one fault, in every variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from handrec import games
from handrec.dealing import deal_game
from tests.games.bastard_hands import VARIANTS
from tests.tables import Data, codes, levels, reasons, verdict

Events = list[Data]


@cache
def dealt(variant: frozenset[str], seed: int) -> Data:
    """A clean deal of a variant, with its sheet."""
    record = deal_game(games.find("bastard"), 3, seed, options=dict.fromkeys(variant, True), numbers=[1])
    return record.model_dump(mode="json", exclude_unset=True, by_alias=True)


def faced(events: Events) -> list[int]:
    """The places where a card of the row is shown: turned, or played by the Bastard."""
    return [place for place, event in enumerate(events) if event["do"] == "turn" or event.get("by") == "bastard"]


def turned(events: Events) -> list[int]:
    """The places where a card is turned."""
    return [place for place, event in enumerate(events) if event["do"] == "turn"]


def exchanged(apart: int) -> Callable[[Events], Iterator[Events]]:
    """Two cards are shown in each other's place."""

    def plants(events: Events) -> Iterator[Events]:
        places = faced(events)
        for one, two in zip(places, places[apart:], strict=False):
            told = deepcopy(events)
            told[one]["card"], told[two]["card"] = events[two]["card"], events[one]["card"]
            yield told

    return plants


def in_another_order(events: Events) -> Iterator[Events]:
    """The first three cards are turned in any other order."""
    for order in ((0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)):
        told, places = deepcopy(events), faced(events)[:3]
        for place, other in zip(places, order, strict=True):
            told[place]["card"] = events[places[other]]["card"]
        yield told


def moved(plays: int) -> Callable[[Events], Iterator[Events]]:
    """A card is turned so many plays later, or earlier; then it stands before that play."""

    def plants(events: Events) -> Iterator[Events]:
        played = [place for place, event in enumerate(events) if event["do"] == "play"]
        for place in turned(events):
            there = [p for p in played if p > place][plays:][:1] if plays > 0 else [p for p in played if p < place][plays:][:1]
            if there and len([p for p in played if p < place]) >= -plays:
                told = deepcopy(events)
                told.insert(there[0] - (plays > 0), told.pop(place))
                yield told

    return plants


def beside_the_one_before(events: Events) -> Iterator[Events]:
    """A card is turned together with the one before it, in front of it or behind it."""
    places = turned(events)
    for before, place in pairwise(places):
        for there in (before, before + 1):
            told = deepcopy(events)
            told.insert(there, told.pop(place))
            if told != events:
                yield told


def before_the_bids(events: Events) -> Iterator[Events]:
    """A card is turned when only one has bid."""
    for place in turned(events):
        told = deepcopy(events)
        told.insert(1, told.pop(place))
        yield told


def miswritten(events: Events) -> Iterator[Events]:
    """A card that was, or will be, turned at another time is written down; or one that is dealt; or it is turned twice."""
    places = turned(events)
    hand = next(event["card"] for event in events if event["do"] == "play")
    for place in places:
        for card in {events[places[0]]["card"], events[places[-1]]["card"], hand} - {events[place]["card"]}:
            told = deepcopy(events)
            told[place]["card"] = card
            yield told
        yield [*deepcopy(events[: place + 1]), dict(events[place]), *deepcopy(events[place + 1 :])]


PLANTS: dict[str, Callable[[Events], Iterator[Events]]] = {
    "exchanged with the next": exchanged(1),
    "exchanged with a later one": exchanged(3),
    "in another order": in_another_order,
    "one play late": moved(1),
    "one play early": moved(-1),
    "a trick late": moved(3),
    "a trick early": moved(-3),
    "three tricks early": moved(-9),
    "beside the one before": beside_the_one_before,
    "before the bids": before_the_bids,
    "miswritten": miswritten,
}


@pytest.mark.some(33)
@pytest.mark.parametrize("plants", PLANTS.values(), ids=PLANTS)
@pytest.mark.parametrize("variant", VARIANTS, ids=lambda some: "+".join(sorted(some)) or "basic")
def test_a_card_turned_out_of_its_place_is_one_fault(variant: set[str], plants: Callable[[Events], Iterator[Events]]) -> None:
    """The row says what lies there: play follows it, and nothing but the turning is told, once."""
    data = dealt(frozenset(variant), 3)
    for events in plants(data["deals"][0]["events"]):
        told = verdict({**data, "deals": [{**data["deals"][0], "events": events}]})
        assert len(told.findings) == 1, [(finding.place, finding.message) for finding in told.findings]
        assert told.findings[0].code in ("DEA007", "DEA011")
        assert levels(told)[2:4] == "pp"


def test_a_row_that_is_not_on_record_is_what_was_turned() -> None:
    """Then a card turned too late is late, and whatever was turned lay there."""
    data = deepcopy(dealt(frozenset({"mega"}), 3))
    del data["deals"][0]["aside"]
    events = data["deals"][0]["events"]
    assert codes(verdict(data)) == []
    spots = turned(events)
    events.insert(spots[4] + 1, events.pop(spots[4]))
    assert codes(verdict(data)) == ["DEA011"]
    events[spots[7]]["card"] = events[spots[2]]["card"]
    assert codes(verdict(data)) == ["DEA011", "DEA002"]
    assert "trump is not known" in reasons(verdict(data), "L5")


def test_a_half_known_row_is_filled_by_the_turns() -> None:
    """Cards of the row that are not known are those turned; the others are compared."""
    data: dict[str, Any] = deepcopy(dealt(frozenset({"ultra"}), 3))
    row = data["deals"][0]["aside"]["stack"]
    row[3], row[6] = "??", f"?{row[6][1]}"
    assert codes(verdict(data)) == []
    events = data["deals"][0]["events"]
    place = turned(events)[6]
    events[place]["card"] = next(event["card"] for event in events if event["do"] == "play" and event["card"][1] != row[6][1])
    assert codes(verdict(data)) == ["DEA002"]  # and not that another card lies there, too
