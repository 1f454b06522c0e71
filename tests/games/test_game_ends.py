"""Who can play a game, what ends it and how it then counts: the rule that says so, and what is done."""

from __future__ import annotations

from itertools import product

import pytest

from handrec.game import Standings
from handrec.game.views import HandView
from handrec.games import catalogue
from tests.dealing import the
from tests.tables import Data, codes, game, verdict

#: The points that end a game unless something else is agreed.
TARGETS = {"bugami": 500, "hearts": 100, "spades3": 500, "whist": 5}


#: How many can play.
PLAYERS = {"bastard": [3], "batarde": [3, 4, 5, 6, 7], "bridge": [4], "bugami": [3], "hearts": [4], "kbabs": [*range(1, 55)],
           "oh_hell": [3, 4, 5, 6, 7], "spades3": [3], "whist": [4]}  # fmt: skip


def test_how_many_can_play() -> None:
    """Each number once."""
    assert {known.key: [*known.players] for known in catalogue()} == PLAYERS


@pytest.mark.parametrize(("key", "usual"), TARGETS.items())
def test_a_game_ends_with_the_points_that_its_rule_names(key: str, usual: int) -> None:
    """And not with a point less."""
    players = the(key).players[0]
    for target in (usual, 7) if key != "spades3" else (usual,):
        known = the(key, **({} if target == usual else {"target": target}))
        assert f"{target} points" in known.rule("SCO005").sentence
        carried = {carry.key: (carry.start,) * players for carry in known.carries}
        ends = [known.over(Standings((most, *[0] * (players - 1)), carried, 3)) for most in (target - 1, target, target + 1)]
        assert ends == [False, True, True]


def test_a_rubber_of_la_batarde_counts_as_its_highest_hand_lb_22() -> None:
    """Once, twice if any hand was méchouned, four times if one was chouned; and not a hand by itself."""
    known = the("batarde", mechoune_scope="rubber")
    (most,) = known.carries
    assert ({*most.values}, most.start) == ({1, 2, 4}, 1)
    for before, times in product((1, 2, 4), repeat=2):
        hand = HandView(3, 5, "call", "", False, 9, {"times": times, "times_most": before})
        assert most.step(hand) == max(before, times)
        assert sum(line.points(hand) for line in known.score) == -2
    for carried, times in (((1, 1, 1), 1), ((1, 2, 1), 2), ((2, 4, 4), 4)):
        assert known.final(Standings((-3, 0, -5), {"times_most": carried}, 9)) == (-3 * times, 0, -5 * times)


@pytest.mark.parametrize(("scoring", "words"), [("rubber", "two games"), ("chicago", "four deals")])
def test_rubber_and_chicago_end_as_their_rule_says(scoring: str, words: str) -> None:
    """By games won, or by deals played for a contract."""
    known = the("bridge", scoring=scoring)
    assert words in known.rule("SCO005").sentence
    many = {"rubber": "games", "chicago": "deal"}[scoring]
    last = 2 if scoring == "rubber" else 4
    ends = [known.over(Standings((0,) * 4, {many: (count, 0) * 2}, 9)) for count in (last - 1, last)]
    assert ends == [False, True]


def left(scoring: str, *bids: str, **claimed: int) -> Data:
    """A game of bridge that was left after these contracts, all of North's and made, with a total for North and South."""
    deals: list[Data] = []
    for place, bid in enumerate(bids):
        tricks = {"NS": {"tricks": 6 + int(bid[0])}, "EW": {"tricks": 7 - int(bid[0])}}
        contract = {"do": "contract", "by": "N", "bid": bid}
        deals.append({"dealer": "NESW"[place % 4], "events": [contract], "claimed": {"sides": tricks}})
    record = game("bridge", "N E S W", *deals, options={"scoring": scoring}, status="stopped")
    return record | {"claimed": {"sides": {"NS": {"score": claimed["total"]}}}}


@pytest.mark.parametrize(
    ("scoring", "bids", "total"),
    [
        ("rubber", ["2S"], 160),  # 60, and 100 for the only part score
        ("rubber", ["4S"], 420),  # 120, and 300 for the only game
        ("rubber", ["4S", "2S"], 580),
        ("rubber", ["4S", "4S"], 940),  # 240 and 700: it is finished, and nothing comes on top
        ("chicago", ["2S"], 60),
        ("chicago", ["4S"], 420),  # 120 and 300 for the game, as it was made
    ],
)
def test_what_a_side_gets_for_a_game_that_was_left(scoring: str, bids: list[str], total: int) -> None:
    """At rubber 300 for the only game and 100 for the only part score; at Chicago nothing."""
    assert codes(verdict(left(scoring, *bids, total=total))) == []
    assert codes(verdict(left(scoring, *bids, total=total + 100))) == ["SCO002"]


@pytest.mark.parametrize("key", sorted(TARGETS))
def test_whether_a_game_of_which_no_score_is_known_is_over_is_not_told(key: str) -> None:
    """It is said to be complete, and may be."""
    players = the(key).players[0]
    told = verdict(game(key, players, {"number": 1, "dealer": "0", "events": []}, status="complete"))
    assert "SCO005" not in codes(told)
    assert {level.key: level.status for level in told.levels}["L6"] == "not checkable"
