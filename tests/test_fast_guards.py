"""What the fast path must not take: deals of which something that it needs is not on record, or is contradicted."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from handrec import fast
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.games import find
from handrec.phases.open_bids import OpenBids
from handrec.phases.tricks import Tricks
from handrec.record import Record
from handrec.referee import check
from tests.dealing import GAMES
from tests.tables import Data
from tests.test_fast import judged, taken

of_each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)


def dealt(game: Game, seed: int = 1) -> Data:
    """A deal of a game, as plain data."""
    record = deal_game(game, 4 if 4 in game.players else 3, seed, numbers=[2])
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    return data


def places(data: Data) -> list[int]:
    """The places of its plays."""
    return [place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] == "play"]


def both_say_the_same(data: Data) -> int:
    """The fast path without failing, and the referee; and whether the deal was taken."""
    record = Record.model_validate(data)
    judged(record)
    return taken(record)


@of_each_game
def test_nothing_tells_who_leads(game: Game) -> None:
    """Neither a dealer nor a leader; with names at the plays, without, and at the first alone."""
    data = dealt(game)
    (deal,) = data["deals"]
    for key in ("dealer", "leader", "number"):
        deal.pop(key, None)
    both_say_the_same(data)
    for place in reversed(places(data)):
        del deal["events"][place]["by"]
        if place in places(data)[:2]:
            both_say_the_same(data)
    for seat in (data["players"][0]["seat"], data["players"][-1]["seat"]):
        for named in (data, dealt(game)):
            named["deals"][0].pop("dealer", None)
            named["deals"][0]["leader"] = seat
            both_say_the_same(named)


@of_each_game
def test_plays_go_on_after_the_rest_is_claimed(game: Game) -> None:
    """After whole tricks and in the middle of one: no card is played then, however the deal is said to have ended."""
    many = len(dealt(game)["players"])
    for after in (many, 3 * many, 3 * many + 1):
        for status in ("complete", "claimed"):
            data = dealt(game)
            deal, seat = data["deals"][0], data["players"][0]["seat"]
            left = (len(places(data)) - after + many - 1) // many
            claim: dict[str, Any] = {"do": "claim", "by": seat, "tricks": {seat: left}}
            deal["events"].insert(places(data)[after], claim)
            deal["status"] = status
            assert not both_say_the_same(data)


@of_each_game
def test_one_play_alone_says_whose_it_is(game: Game) -> None:
    """And it is another's: that is not passed over because the others do not say."""
    data = dealt(game)
    events, seats = data["deals"][0]["events"], [player["seat"] for player in data["players"]]
    first = places(data)[0]
    owner = events[first]["by"]
    for place in places(data)[1:]:
        del events[place]["by"]
    for seat in seats:
        events[first]["by"] = seat
        took = both_say_the_same(data)
        assert not took or seat == owner


@of_each_game
def test_what_comes_before_the_lead_comes_after_it(game: Game) -> None:
    """Bids, calls and cards turned are taken where they stand: after a trick, in the middle of one, and at the end."""
    data = dealt(game)
    events, first = data["deals"][0]["events"], places(data)[0]
    for place in range(first):
        for after in (first, first + len(data["players"]) - 1, len(events) - 1):
            moved = [event for spot, event in enumerate(events) if spot != place]
            moved.insert(after, events[place])
            both_say_the_same(data | {"deals": [data["deals"][0] | {"events": moved}]})


@of_each_game
def test_what_the_game_does_not_know_is_not_passed_over(game: Game) -> None:
    """After the last card of a play that a claim ends."""
    data = dealt(game)
    deal, many = data["deals"][0], len(data["players"])
    end = places(data)[many + 1]
    seat, left = data["players"][0]["seat"], len(places(data)) // many - 1
    unknown = {"do": "announce", "by": seat, "what": "unheard"}
    deal["events"] = [*deal["events"][:end], unknown, {"do": "claim", "by": seat, "tricks": {seat: left}}]
    deal["status"] = "claimed"
    data.pop("claimed", None)
    deal.pop("claimed", None)
    assert not both_say_the_same(data)
    deal["events"].remove(unknown)
    assert both_say_the_same(data)


@pytest.mark.parametrize("game", [game for game in GAMES if "bid" in game.phase_of], ids=lambda game: game.key)
def test_a_bid_says_whether_its_seat_had_looked(game: Game) -> None:
    """Where that is no part of a bid it is a fault, whichever of the bids says it, and whatever it says."""
    spots = [place for place, event in enumerate(dealt(game)["deals"][0]["events"]) if event["do"] == "bid"]
    assert spots
    for spot in spots:
        for blind in (True, False):
            data = dealt(game)
            data["deals"][0]["events"][spot]["blind"] = blind
            found = [finding.pointer for finding in check(Record.model_validate(data), find).faults]
            assert type(game.phase_of["bid"]) is OpenBids or found == [f"/deals/0/events/{spot}/blind"]
            both_say_the_same(data)


def test_a_card_that_is_passed_on_unseen_leaves_two_hands_open() -> None:
    """What the hands hold then is not known, and so not who revokes."""
    hearts = find("hearts")
    assert hearts is not None
    data = deal_game(hearts, 4, 1, numbers=[1]).model_dump(mode="json", exclude_unset=True, by_alias=True)
    exchanges = [event for event in data["deals"][0]["events"] if event["do"] == "exchange"]
    assert len(exchanges) == 4
    assert both_say_the_same(deepcopy(data))
    for spot in range(3):
        exchanges[1]["cards"][spot] = "??"
        assert not both_say_the_same(deepcopy(data))
    del data["deals"][0]["hands"]
    assert not both_say_the_same(data)


def test_the_card_that_is_turned_last_decides_the_last_trick() -> None:
    """In Back End, where it lies open when all have played to it, and nobody leads after it who would tell who won."""
    bastard = find("bastard")
    assert bastard is not None
    record = deal_game(bastard, 3, 33, options={"ultra": True, "back_end": True}, numbers=[1])
    (deal,) = record.deals
    assert deal.aside is not None
    last = check(record, find).deals[0].played[-1]
    assert dict(last.plays)[str(last.winner)][0] == deal.aside["stack"][-1][0]  # by the rank that it made high
    judged(record)


@pytest.mark.parametrize("changed", ["take", "open", "close"])
def test_a_way_of_its_own_to_take_plays_is_left_to_the_referee(changed: str) -> None:
    """Unless it says what must be so before a lead, and lays down what comes before the first."""

    def own(self: Tricks, *given: Any) -> Any:
        return getattr(Tricks, changed)(self, *given)

    whist = find("whist")
    assert whist is not None
    seats = ("N", "E", "S", "W")
    parts = {"ready": Tricks.ready, "lay": Tricks.lay}
    for more, known in (({}, False), ({"ready": parts["ready"]}, False), ({"lay": parts["lay"]}, False), (parts, True)):
        kind = type("Own", (Tricks,), {changed: own, **more})
        game = replace(whist, phases=tuple(kind() if type(each) is Tricks else each for each in whist.phases))
        assert (fast.plan_of(game, seats) is not None) == known, more
