"""Hearts: which way cards are passed, and what a hand scores whatever was taken, from the rules."""

from __future__ import annotations

from itertools import product

import pytest

from handrec.dealing import deal_game
from handrec.game import compose
from handrec.game.views import HandView
from handrec.games import find
from handrec.referee import check
from tests.dealing import planted


def score(points: int, tricks: int, jack: int, moon: bool, options: dict[str, bool]) -> int:
    """HE-10: points taken; HE-11: of all, 26 for everybody else; HE-14: the jack; HE-15: no trick, but where one took all."""
    found = points if not moon else 0 if points == 26 else 26
    found -= 10 * jack if options["jack_of_diamonds"] else 0
    return found - (5 if options["no_tricks"] and not tricks and not moon else 0)


@pytest.mark.parametrize("with_jack", [False, True])
@pytest.mark.parametrize("no_tricks", [False, True])
def test_what_a_hand_scores(with_jack: bool, no_tricks: bool) -> None:
    """By the points and tricks taken, whether one took all points, and under each option."""
    hearts = find("hearts")
    assert hearts is not None
    options = {"jack_of_diamonds": with_jack, "no_tricks": no_tricks}
    lines = compose(hearts, options)[0].score
    for moon, jack, tricks in product([False, True], [0, 1], range(14)):
        for points in (0, 26) if moon and tricks else (0,) if not tricks else range(26):
            if tricks or not jack:
                told = {"points": points, "all_points": int(moon), "jack": jack, "all_jack": jack}
                view = HandView(tricks, 0, "none", "", False, 13, told)
                assert sum(line.points(view) for line in lines) == score(points, tricks, jack, moon, options), told


@pytest.mark.parametrize(
    ("passing", "ways"), [("left_right_across_none", "EWS-EWS-"), ("left", "EEEEEEEE"), ("none", "--------")]
)
def test_which_way_cards_are_passed(passing: str, ways: str) -> None:
    """HE-4: North's cards go to the left, to the right, across, and nowhere; then from the beginning."""
    hearts = find("hearts")
    assert hearts is not None
    record = deal_game(hearts, 4, 1, options={"passing": passing}, numbers=range(1, 9))
    assert check(record, find).findings == ()
    passed = [[event for event in deal.events if event.do == "exchange"] for deal in record.deals]
    assert [next((event.to for event in each if event.by == "N"), "-") for each in passed] == [*ways]
    assert {len(each) for each in passed} <= {0, 4}


@pytest.mark.parametrize("seed", [13, 186])
def test_a_card_that_was_passed_is_that_of_who_has_it_now(seed: int) -> None:
    """Somebody plays it from another hand: that, and not that a card of theirs is missing, nor one of its giver too many."""
    hearts = find("hearts")
    assert hearts is not None
    assert planted(hearts, "PLY001", seed) == ("PLY001",)
