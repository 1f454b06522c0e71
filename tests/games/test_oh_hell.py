"""Oh Hell: how many cards each deal has, and what a bid scores, made or missed."""

from __future__ import annotations

import pytest

from handrec.game import Game, compose
from handrec.game.views import HandView
from handrec.games import find

#: The cards of the longest deal, by players: as many as the pack has beside the card turned up, and at most ten.
LONGEST = {3: 10, 4: 10, 5: 10, 6: 8, 7: 7}
#: The same where up to seventeen are agreed.
AGREED = {3: 17, 4: 12, 5: 10, 6: 8, 7: 7}


def composed(**options: object) -> Game:
    """The game under these options."""
    known = find("oh_hell")
    assert known is not None
    found, problems = compose(known, options)
    assert not problems
    return found


@pytest.mark.parametrize("players", LONGEST)
def test_the_ladder(players: int) -> None:
    """Down to one card and up again, with one deal of one; or as agreed."""
    for longest, options in ((LONGEST[players], {}), (AGREED[players], {"longest": 17}), (3, {"longest": 3})):
        up, down = [*range(1, longest + 1)], [*range(longest, 0, -1)]
        ways = {"down_up": down + up[1:], "up_down": up + down[1:], "down": down, "up": up}
        for ladder, due in ways.items():
            cards = composed(**options, ladder=ladder).cards
            assert not isinstance(cards, int)
            found = cards(players)
            assert found == tuple(due), ladder


@pytest.mark.parametrize("missed", ["nothing", "tricks", "error"])
def test_what_a_bid_scores(missed: str) -> None:
    """Ten and its tricks if it is made; else nothing, or the tricks, or as much less as it is off."""
    lines = composed(missed=missed).score
    for bid in range(11):
        for tricks in range(11):
            hand = HandView(tricks, bid, "number", "", False, 10, {})
            due = 10 + tricks if tricks == bid else {"nothing": 0, "tricks": tricks, "error": -abs(tricks - bid)}[missed]
            assert sum(line.points(hand) for line in lines) == due, (bid, tricks)
