"""How many cards a hand has: what else on record tells it, and what is not judged where nothing does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from handrec import games, referee, writing
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.game.table import UNSIZED
from handrec.judging import Judge
from handrec.record import Record
from tests.tables import Data, reasons

#: Games of which each deal has hands of another size.
GROWING = ("kbabs", "batarde", "oh_hell")


def known(name: str) -> Game:
    """The game of this name."""
    game = games.find(name)
    assert game is not None
    return game


def codes(data: Data) -> list[str]:
    """What is found, by the fast path and by the referee."""
    record = Record.model_validate(data)
    quick, slow = (Judge(games.find, quick).verdict(record) for quick in (True, False))
    assert quick == slow
    return [finding.code for finding in slow.findings]


def unsized(game: str, seed: int, rng: Random) -> Data:
    """A deal out of a game, of which neither number nor hands nor cards tell how many cards a hand has; the rest by chance."""
    schedule = known(game).cards(players := rng.choice([each for each in known(game).players if each <= 6]))
    assert isinstance(schedule, tuple)
    data = writing.plain(deal_game(known(game), players, seed, numbers=[rng.randint(1, len(schedule))]))
    data |= {"status": "excerpt"}
    data.pop("claimed", None)
    (deal,) = data["deals"]
    for key in ("number", "hands", "cards", "pack"):
        deal.pop(key, None)
    if rng.random() < 0.5:
        deal.pop("aside", None)
    sheet = deal.get("claimed", {})
    for key in [each for each in sheet if rng.random() < 0.5]:
        sheet.pop(key)
    events, how = deal["events"], rng.choice(("whole", "stopped", "in_progress", "sheet"))
    if how in ("stopped", "in_progress"):
        deal |= {"status": how, "events": events[: rng.randint(0, len(events) - 1)]}
        deal.pop("claimed", None)
    elif how == "sheet":
        deal["events"] = [event for event in events if event["do"] == "turn"]
    return data


@pytest.mark.parametrize("game", GROWING)
def test_nobody_is_at_fault_where_the_size_of_hands_is_not_told(game: str) -> None:
    """Legal deals, of which parts are not on record: no bid is too high, no sum is met, no claim divides too many tricks."""
    rng = Random(game)
    deals = [unsized(game, seed, rng) for seed in range(60)]
    assert {tuple(codes(deal)) for deal in deals} == {()}
    assert len({(deal["deals"][0].get("status"), "aside" in deal["deals"][0]) for deal in deals}) >= 5


def kbabs(**deal: Any) -> Data:
    """A deal out of a game of four, of whose hands nothing is told."""
    seats = [{"seat": seat} for seat in "NESW"]
    head = {"format": "handrec", "version": "1.0", "game": "kbabs", "players": seats, "status": "excerpt"}
    return {**head, "deals": [{"dealer": "W", **deal}]}


def bids(*numbers: Any) -> list[Data]:
    """The bids of a deal, in turn."""
    return [{"do": "bid", "by": seat, "bid": bid} for seat, bid in zip("NESW", numbers, strict=False)]


TURN = {"do": "turn", "card": "4C"}
ROW = [{"do": "play", "by": seat, "card": card} for seat, card in zip("NESW", ("2H", "3H", "4H", "5H"), strict=True)]


@pytest.mark.parametrize("status", ["stopped", "in_progress", "claimed"])
def test_a_bid_is_too_high_only_if_no_deal_has_so_many_cards(status: str) -> None:
    """Of four who share 54 cards nobody has more than 13."""
    assert codes(kbabs(status=status, events=[TURN, *bids(3, 13, "board", "rainbow")])) == []
    assert codes(kbabs(status=status, events=[TURN, *bids(3, 14, 0, 4)])) == ["BID002"]


def test_whether_bids_make_the_tricks_is_not_told_before_the_size_is() -> None:
    """By the sheet's tricks there are eight, by the winners two; without either, nobody knows."""
    sheet = {"bids": {"N": 0, "E": 0, "S": 0, "W": 1}}
    assert codes(kbabs(claimed=sheet)) == []
    assert codes(kbabs(claimed=sheet | {"tricks": {"N": 2, "E": 0, "S": 1, "W": 5}})) == []
    assert codes(kbabs(claimed=sheet | {"tricks": {"N": 1, "E": 0, "S": 0, "W": 0}})) == ["BID003"]
    assert codes(kbabs(claimed=sheet | {"winners": ["N", "N"]})) == []
    assert codes(kbabs(claimed=sheet | {"winners": ["N"]})) == ["BID003"]


def test_a_claim_tells_how_many_tricks_there_were() -> None:
    """After one trick twelve are divided: the hands had thirteen cards. A claim that did not end the deal tells nothing."""
    claim = {"do": "claim", "by": "N", "tricks": {"N": 3, "E": 5, "S": 0, "W": 4}}
    assert codes(kbabs(status="claimed", events=[TURN, *bids(3, 5, 0, 4), *ROW, claim])) == []
    assert codes(kbabs(status="claimed", events=[TURN, *bids(3, 5, 0, 5), *ROW, claim])) == ["BID003"]
    more = {"do": "claim", "by": "N", "tricks": {"N": 3, "E": 5, "S": 1, "W": 4}}
    assert codes(kbabs(status="stopped", events=[TURN, *bids(3, 5, 0, 4), *ROW, more])) == ["CLM001"]
    assert codes(kbabs(status="stopped", events=[TURN, *bids(3, 5, 0, 4), *ROW, claim])) == []
    told = referee.check(Record.model_validate(kbabs(status="stopped", events=[TURN, *bids(3, 5, 0, 4), *ROW, claim])), known)
    assert f"deal 1: {UNSIZED}" in reasons(told, "L3")


def test_cards_set_aside_tell_the_size_of_hands() -> None:
    """One card turned and 41 that nobody has: of 54, twelve are dealt, three to each of four."""
    aside = {"turnup": ["4C"], "stock": ["??"] * 41}
    assert codes(kbabs(aside=aside, status="stopped", events=[TURN, *bids(3, 3, 0, 1)])) == []
    assert codes(kbabs(aside=aside, status="stopped", events=[TURN, *bids(4, 3, 0, 1)])) == ["BID002"]
    assert codes(kbabs(aside=aside, status="stopped", events=[TURN, *bids(1, 1, 0, 1)])) == ["BID003"]


def test_deals_that_are_all_alike_need_no_number() -> None:
    """Of a game of three deals each has sixteen cards for each player."""
    data = kbabs() | {"game": "bastard", "options": {"game_end": {"hands": 3}}, "players": [{"seat": seat} for seat in "NES"]}
    data["deals"] = [{"dealer": "S", "claimed": {"bids": {"N": 5, "E": 6, "S": 6}}}]
    assert codes(data) == []
    data["deals"][0]["claimed"]["bids"]["E"] = 17
    assert codes(data) == ["BID002"]


def test_a_deal_too_many_accuses_nobody() -> None:
    """It has no size in the game, and its own plays tell one."""
    data = writing.plain(deal_game(known("kbabs"), 4, 1, options={"ladder": "down"}))
    again = data["deals"][1]  # four deals in a row are dealt by others, so that it is this dealer's turn
    data["deals"].append({"dealer": again["dealer"], "events": again["events"]})
    data.pop("claimed", None)
    assert codes(data) == ["SCO005"]


def test_nobody_deals_more_cards_than_there_are() -> None:
    """Four hands of twenty are more than 54."""
    assert codes(kbabs(cards=20, status="stopped")) == ["DEA003"]
    assert codes(kbabs(cards=13, status="stopped", events=[TURN])) == []
    lying = kbabs(hands={"N": ["??"] * 14}, aside={"turnup": ["4C"]}, status="stopped")
    assert codes(lying) == ["DEA003"]  # of 56 cards none would be left to turn up, which the game does all the same
    nine = writing.plain(deal_game(known("batarde"), 3, 1, options={"deal_schedule": [9]}))
    nine["options"]["deal_schedule"] = [13]  # three players have 36 cards
    nine["deals"] = [{"number": 1, "cards": 13, "dealer": nine["deals"][0]["dealer"], "status": "stopped"}]
    assert codes(nine | {"status": "stopped"}) == ["DEA003"]
