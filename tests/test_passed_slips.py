"""Slips in hands of which cards are passed on: told for what they are, and nobody is accused of what follows from them."""

from __future__ import annotations

from copy import deepcopy
from random import Random

import pytest

from handrec import check
from handrec.explanations.parts import facts
from handrec.record import Record
from tests.confusion import accusations, slips
from tests.planting import Data, dealt, pack_of, without
from tests.searching import parts_of


def copied(truth: Data, rng: Random) -> Data:
    """A card that is passed on misread in its hand and where it is passed; what is written for it lies in a third hand."""
    data = deepcopy(truth)
    deal = data["deals"][0]
    event = rng.choice([event for event in deal["events"] if event["do"] == "exchange"])
    hand, cards, card = deal["hands"][event["by"]], event["cards"], rng.choice(event["cards"])
    known = {*hand, *deal["hands"][event["to"]]}
    near = [other for other in pack_of(data) if (other[0] == card[0]) != (other[1] == card[1])]
    wrong = rng.choice([other for other in near if other not in known])
    hand[hand.index(card)] = cards[cards.index(card)] = wrong
    return data


@pytest.mark.parametrize("seed", [0, 1, 2, 4, 5, 6])
def test_a_card_misread_in_a_hand_and_where_it_is_passed_is_one_slip(seed: int) -> None:
    """To the left, to the right, and across: the hand is told, and nothing else is counted."""
    truth = without(dealt("hearts", seed) or {}, True, True)
    verdict = check(Record.model_validate(copied(truth, Random(seed))))
    assert [finding.facts["act"] for finding in slips(verdict)] == ["hand-card"]
    assert len(verdict.faults) == 1
    assert not accusations(verdict)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_search_puts_the_hand_and_what_was_passed_right_together(seed: int) -> None:
    """The truth is among the cheapest explanations, by one slip, and nothing false is the only one."""
    truth = without(dealt("hearts", seed) or {}, True, True)
    due = facts(Record.model_validate(truth).deals[0])
    (part,) = parts_of(Record.model_validate(copied(truth, Random(seed))))
    assert [len(each.slips) for each in part.best if facts(each.deal) == due] == [1]
    assert part.only is None or facts(part.only.deal) == due
