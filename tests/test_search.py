"""What the search makes of planted slips and deeds: the truth comes first, and nothing false is said to be the only explanation.

Some plants of some acts every run; `pytest -m long -s tests/test_search.py -k KEY` plants forty of each act in a game, with and
without hands and claims, and prints the tables.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from itertools import islice, product
from random import Random

import pytest

from handrec import games, referee
from handrec.explanations.parts import Explanation, Part, facts
from handrec.explanations.search import BUDGET, search_in
from handrec.judging import Judge
from handrec.record import Deal, Record
from tests import planting
from tests.growth import counted as lines_of
from tests.planting import ACTS, TABLES
from tests.searching import ALIKE, UNSEEN, outcome, parts_of, share, table

#: Hands known, claims known.
MODES = [*product((True, False), repeat=2)]


def words(mode: tuple[bool, bool]) -> str:
    """A mode in words."""
    return ", ".join(("" if known else "no ") + name for known, name in zip(mode, ("hands", "claims"), strict=True))


def planted(key: str, act: str, many: int, mode: tuple[bool, bool]) -> Counter[str]:
    """The outcomes of an act planted in a game."""
    return sum((outcome(act, truth, record) for truth, record in planting.plants(key, act, many, *mode)), Counter[str]())


def counted(lines: dict[str, Counter[str]], hands: bool = True) -> Counter[str]:
    """All that can be told apart, together."""
    alike = ALIKE if hands else ALIKE + UNSEEN
    return sum((line for act, line in lines.items() if act not in alike), Counter[str]())


@pytest.mark.some(1)
@pytest.mark.parametrize("key", [pytest.param(key, marks=[pytest.mark.long] * (key == "hearts")) for key in sorted(TABLES)])
def test_the_truth_comes_first_and_nothing_false_is_the_only_explanation(key: str) -> None:
    """A plant each of some acts, with the hands known."""
    acts = Random(key).sample(sorted(ACTS), 9)
    lines = {act: planted(key, act, 1, (True, True)) for act in acts}
    told = "\n".join(table(key, lines.items()))
    assert not any(line["wrong"] for line in lines.values()), told
    whole = counted(lines)
    assert whole["first"] > 0, told
    assert whole["only"] > 0, told
    assert not whole["missed"], told
    later = 1 if key == "hearts" else 0  # that 5D was passed and written 5S is less than that the two were exchanged in the play
    assert whole["later"] == later, told


def test_what_has_others_as_cheap_is_settled_when_these_are_tried() -> None:
    """A single best one is the only one if those were tried that cost one more; of several none is, whatever costs more."""
    deal = Deal.model_validate({"status": "complete", "events": []})
    one, other = (Explanation((), deal.model_copy(update={"dealer": seat}), 3, (), ()) for seat in "NE")
    assert [Part((), [one], complete).settled for complete in (2, 3, 4)] == [False, False, True]
    assert [Part((), [one, other], complete).settled for complete in (2, 3, 4)] == [False, True, True]
    assert Part((), [one], 4).only is one
    assert Part((), [one], 3).only is None
    assert Part((), [one, other], 99).only is None
    assert not Part((), [], 99).settled
    assert [Part((), [one], 99, passed).settled for passed in (2, 3, 99)] == [False, True, True]
    assert [Part((), [one, other], 99, passed).cut_short for passed in (2, 3)] == [True, False]


@pytest.mark.some(3)
@pytest.mark.parametrize("budget", [*range(500, 600, 10), 2000])
def test_what_is_cut_short_is_not_all(budget: int) -> None:
    """Wherever the search ends, amid the candidates of its last deal too, no more is said to be complete than is."""
    (_, record) = next(planting.plants("kbabs", "plays_across", 1, True, True))
    game, (verdict, tables) = games.find("kbabs"), Judge(games.find).examined(record)
    assert game
    search = search_in(record, game, 0, verdict, tables, budget)
    (part,) = search.parts()
    assert part.best[0].cost == 3
    assert (part.only is not None) is (part.complete > 3) is (search.left > 0)


@pytest.mark.parametrize("seed", range(4))
def test_the_first_row_may_be_lost_before_a_card_that_is_turned(seed: int) -> None:
    """Where a card is turned after each trick, the lost cards fell before the second one."""
    truth = planting.dealt("bastard", seed)
    assert truth
    data = deepcopy(planting.without(truth, True, True))
    events = data["deals"][0]["events"]
    lost = planting.plays_of(data)[: len(data["players"])]
    data["deals"][0]["events"] = [event for place, event in enumerate(events) if place not in lost]
    parts = parts_of(Record.model_validate(data))
    due = facts(Record.model_validate(truth).deals[0])
    assert all(part.only is None or facts(part.only.deal) == due for part in parts)
    assert any(facts(each.deal) == due for part in parts for each in part.best)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES, ids=words)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_planted_acts(key: str, mode: tuple[bool, bool]) -> None:
    """Forty of each act: 95 % first, none falsely the only one; half are said to be the only one where the hands are known."""
    lines = {act: line for act in ACTS if (line := planted(key, act, 40, mode)).total()}
    whole = counted(lines, mode[0])
    print("\n", *table(f"{key}: {words(mode)}", [*lines.items(), ("counted", whole)]), sep="\n")
    assert not any(line["wrong"] for line in lines.values())
    assert share(whole) >= 0.95
    assert share(whole, "only") >= 0.5 or not mode[0]
    asked = [line for act, line in lines.items() if mode[0] or act not in UNSEEN]
    assert sum(line["short"] for line in asked) <= 0.05 * sum(line["plants"] for line in asked)


@pytest.mark.long
@pytest.mark.parametrize("act", ["turned", "plays_across"])
def test_a_search_takes_what_its_judgings_take(act: str) -> None:
    """In Hearts, where most is tried: no more lines than for judging the deal as often as it may be judged.

    What is judged is the deal as it is and with slips undone, so the dearer of the record and the truth is counted.
    """
    for truth, record in islice(planting.plants("hearts", act, 40, True, False), 4):
        dearest = 0
        for each in (record, Record.model_validate(truth)):
            with lines_of() as judging:
                referee.check(each, games.find)
            dearest = max(dearest, judging.total())
        with lines_of() as searching:
            parts_of(record)
        assert dearest < searching.total() <= BUDGET * dearest
