"""What was passed or failed is so after a repair: what makes a record uncheckable is caught, wherever it comes from."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from handrec import Record, games, load
from handrec.cards import FRENCH_52
from handrec.explanations.acts import ACTS
from handrec.explanations.decided import decided, erases, less_decided, lost
from handrec.explanations.parts import Explanation, Part
from handrec.explanations.written import Slip
from handrec.findings import Verdict
from handrec.game import Table
from handrec.judging import Judge
from handrec.repair import ABSENT, Edit, RepairGroup, Repairs, applied, mend, plain, spliced
from handrec.writing import dumps
from tests import planting, repairing
from tests.commands import fixture

#: Ways to make faults go away by leaving nothing to be checked: the game, and the edits of a record of one deal.
ERASED: dict[str, tuple[str, Callable[[Any], list[Edit]]]] = {
    "the turned card": ("kbabs", lambda deal: [gone(deal, "turn")]),
    "the contract": ("bridge", lambda deal: [taken(deal, place) for place in reversed(range(led(deal)))]),
    "a card played": ("bastard", lambda deal: [blotted(deal, 20)]),
    "two cards of a hand": ("bugami", lambda deal: [hidden(deal, place) for place in (0, 1)]),
    "a row": ("bridge", lambda deal: [taken(deal, place) for place in reversed(range(40, 44))]),
    "the play": ("batarde", lambda deal: [taken(deal, place) for place in reversed(range(10, len(deal["events"])))]),
}


def led(deal: Any) -> int:
    """The place of the first play, before which stand the calls and what they came to."""
    return next(place for place, event in enumerate(deal["events"]) if event["do"] == "play")


def gone(deal: Any, do: str) -> Edit:
    """An event is taken out, the last of its kind."""
    return taken(deal, max(place for place, event in enumerate(deal["events"]) if event["do"] == do))


def hidden(deal: Any, place: int) -> Edit:
    """A card of a hand is not known."""
    return Edit(f"/deals/0/hands/P1/{place}", deal["hands"]["P1"][place], "??", "only", "", "")


def taken(deal: Any, place: int) -> Edit:
    """An event is taken out."""
    return Edit(f"/deals/0/events/{place}", deal["events"][place], ABSENT, "only", "", "")


def blotted(deal: Any, place: int) -> Edit:
    """A card played is not known."""
    return Edit(f"/deals/0/events/{place}/card", deal["events"][place]["card"], "??", "only", "", "")


def examined(record: Record) -> tuple[Verdict, list[Table]]:
    """The verdict on a record with its tables."""
    return Judge(games.find).examined(record)


@pytest.fixture(params=ERASED)
def erased(request: pytest.FixtureRequest) -> tuple[Record, list[Edit]]:
    """A right record, and edits that leave less of it to be checked."""
    key, edits = ERASED[request.param]
    hands = request.param != "the turned card"  # which the cards set aside may show
    data = planting.without(planting.dealt(key, 0) or {}, hands=hands, claims=False)
    if request.param == "two cards of a hand":  # which the play shows, if it is whole
        data = planting.cut(data, Random(1))
    return Record.model_validate(data), edits(data["deals"][0])


def test_what_is_erased_is_missed_by_both_measures(erased: tuple[Record, list[Edit]]) -> None:
    """That of the repairs, and that of the suite, which goes another way about it."""
    record, edits = erased
    before, after = examined(record), examined(applied(record, edits))
    assert less_decided(before, after)
    assert lost(before[1][0], after[1][0])
    assert not less_decided(before, before)
    assert repairing.undecided(record, applied(record, edits))
    assert not repairing.undecided(record, record)


def test_the_suite_fails_on_a_repair_that_erases(erased: tuple[Record, list[Edit]]) -> None:
    """Whether it is offered, proved, or written."""
    record, edits = erased
    group = RepairGroup(0, (), (tuple(edits),))
    guess = Repairs((), (), (group,))
    sure = Repairs(tuple(edits), (), ())
    for found in (guess, sure):
        with pytest.raises(AssertionError, match="no more decided"):
            repairing.watched(lambda record, game, found=found: found)(record, games.find(record.game))
    with pytest.raises(AssertionError, match="no more decided"):
        repairing.watched_text(spliced)(dumps(record), edits)


def test_both_are_watched_throughout_the_suite() -> None:
    """The functions that tests and commands come to are the ones that look."""
    from handrec.cli import mend as written

    assert mend.repairs is written.repairs is repairing.repairs
    assert written.spliced.__qualname__.startswith("watched_text")


def test_an_explanation_that_erases_is_never_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the turned card taken out nothing is wrong, since nothing can be: the next best is told instead."""
    record = load(fixture("repairs/erased-turn.handrec.json"))
    deal = record.deals[0]
    turn = next(place for place, event in enumerate(deal.events) if event.do == "turn")
    findings = examined(record)[0].faults
    without = [(place, event) for place, event in enumerate(deal.events) if place != turn]
    slips = (Slip(ACTS["call"], (), "no card turned", events=without),)
    erased = Explanation(slips, slips[0].undone(deal), 1, (), tuple(place for place, _ in without))
    edits = [Edit(f"/deals/0/events/{turn}", plain(record)["deals"][0]["events"][turn], ABSENT, "guess", "", "")]
    assert examined(applied(record, edits))[0].ok
    monkeypatch.setattr(mend, "explained", lambda *given: [Part(findings, [erased], complete=9)])
    (group,) = mend.repairs(record, games.find(record.game)).groups
    assert (group.ways, group.sure) == ((), None)


@pytest.mark.some(40)
@pytest.mark.parametrize("act", planting.ACTS)
@pytest.mark.parametrize("key", planting.TABLES)
@pytest.mark.parametrize(("many", "known"), [(1, (True,)), pytest.param(10, (True, False), marks=pytest.mark.long)])
def test_a_slip_undone_leaves_nothing_undecided(many: int, known: tuple[bool, ...], key: str, act: str) -> None:
    """The truth behind every slip that can be planted is never taken for an erasure."""
    for hands in known:
        for truth, record in planting.plants(key, act, many, hands, claims=hands):
            before, after = examined(record), examined(Record.model_validate(truth))
            assert not less_decided(before, after)
            assert not repairing.undecided(record, Record.model_validate(truth))


@pytest.mark.some(4)
@pytest.mark.parametrize("key", planting.TABLES)
def test_the_quick_answer_is_that_of_the_sets(key: str) -> None:
    """From any slip to the truth, back, and to another slip: nothing is erased where nothing is lost."""
    tables = [
        table
        for act in [*planting.ACTS][::3]
        for truth, record in planting.plants(key, act, 1, hands=False, claims=False)
        for each in (record, Record.model_validate(truth))
        for table in examined(each)[1]
    ]
    answers = {(erases(one, other), bool(lost(one, other)) or one.size != other.size) for one in tables for other in tables}
    assert answers == {(False, False), (True, True)}


def test_all_of_a_right_deal_is_decided() -> None:
    """Every level, every trick and every play."""
    data = planting.dealt("kbabs", 0)
    assert data
    (table,) = examined(Record.model_validate(data))[1]
    found = decided(table)
    assert {each.level for each in found if each.seat is each.trick is None} == {"L2", "L3", "L4", "L5"}
    assert len([each for each in found if each.level == "L4" and each.trick]) == len(planting.plays_of(data))
    assert len([each for each in found if each.level == "L5" and each.trick]) == len(planting.rows_of(data))


def test_where_the_replay_gives_up_earlier_less_is_decided() -> None:
    """A trick that is no more replayed is lost, though every card of it is there."""
    record = load(fixture("hostile/replay-that-gives-up.handrec.json"))
    data = plain(record)
    deal = data["deals"][0]
    others = {*deal["hands"]["P2"], *(event["card"] for event in deal["events"])}
    deal["hands"]["P3"] = [
        "2H",
        *[card for card in FRENCH_52.cards if card not in others][:15],
    ]  # in full, so that it has no other
    deal["events"][5]["card"], deal["events"][7]["card"] = deal["events"][7]["card"], deal["events"][5]["card"]
    before, after = examined(record), examined(Record.model_validate(data))
    assert [len(tables[0].tricks) for _, tables in (before, after)] == [2, 1]
    assert less_decided(before, after)
