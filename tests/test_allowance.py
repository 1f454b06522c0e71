"""The allowance: so much may be tried to explain what is wrong. Where it is spent, that is told; what is found is told anyway."""

from __future__ import annotations

import contextlib
import io
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from handrec import allowance, check, explanations, games, load, loads, referee
from handrec.allowance import Allowance, price
from handrec.api import JUDGE, checked
from handrec.dealing import deal_game
from handrec.explanations import SLIPS, calls
from handrec.explanations.heading import misheaded
from handrec.findings import Verdict
from handrec.game import Table
from handrec.readings import with_readings
from handrec.record import Bid, Record
from tests.commands import ROOT
from tests.conftest import Handrec
from tests.growth import DIMENSIONS, deals_of
from tests.planting import spoilt

#: A deal with slips in it, and more of the kind.
SLIPPED = "plays and claims whist alone"


def slipped(deals: int) -> Record:
    """A record of so many small deals, in each of which slips of the pen are."""
    return loads(deals_of(DIMENSIONS[SLIPPED], 4, deals))


def unlooked(verdict: Verdict) -> Counter[str]:
    """What was not looked for, by how it is said."""
    return Counter(finding.message for finding in verdict.findings if finding.code == "FMT022")


def explained(verdict: Verdict) -> set[int | None]:
    """The deals in which slips are told."""
    return {finding.deal for finding in verdict.findings if finding.code in SLIPS}


def test_what_is_met_in_practice_is_explained_in_full() -> None:
    """Whole games with slips in every deal, one record after another: nothing is left out."""
    rng, shared, many = Random("in practice"), Allowance(), 0
    while many < 20:
        if data := spoilt(rng):
            record = Record.model_validate_json(json.dumps(data))
            assert checked(record, JUDGE, shared) == check(record)
            many += 1
    assert shared.left > 0
    assert not shared.refused


def test_of_many_small_deals_that_are_all_wrong_only_some_are_explained() -> None:
    """The first ones, and others as more is earned; of each of the rest it is told that nothing was looked for."""
    verdict = check(slipped(200))
    deals = explained(verdict)
    assert 20 < len(deals) < 200
    assert {*range(1, 20)} <= deals
    whole = {finding.deal for finding in verdict.findings if finding.code == "FMT022"} - {None}
    assert whole == {*range(1, 201)} - deals
    what = [f"too much is wrong here to look for {each}" for each in ("slips of the pen", "other readings of the rules")]
    rest = ": it is judged as it is written (they are, where fewer such deals are checked at a time)"
    assert unlooked(verdict).keys() <= {each + rest for each in what}


def test_what_is_not_explained_is_judged_as_it_is_written() -> None:
    """All that the referee finds is told, whatever was spent; and the same each time."""
    record = slipped(200)
    found = {(finding.code, finding.pointer) for finding in referee.check(record, games.find).findings}
    told = check(record)
    assert found <= {(finding.code, finding.pointer) for finding in told.findings}
    assert told == check(record)


def test_some_small_deals_are_all_explained() -> None:
    """Ten of them are nothing: the start is there for these."""
    verdict = check(slipped(10))
    assert explained(verdict) == {*range(1, 11)}
    assert not unlooked(verdict)


def test_without_a_start_what_is_earned_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deal earns by its events, so that of small ones few can be explained, and of whole games most."""
    monkeypatch.setattr(allowance, "START", 0)
    few = explained(check(slipped(100)))
    assert 1 <= len(few) < 50
    rng, told, left_out = Random("whole"), 0, 0
    shared = Allowance()
    for _ in range(150):
        if data := spoilt(rng):
            verdict = checked(Record.model_validate_json(json.dumps(data)), JUDGE, shared)
            told, left_out = told + bool(explained(verdict)), left_out + bool(unlooked(verdict))
    assert left_out <= 20 < told


@pytest.mark.parametrize("many", [1, 300])
def test_all_records_of_one_run_share_it(many: int, tmp_path: Path, handrec: Handrec) -> None:
    """A file of small records costs no more than one large record; and nobody is told of it where there are few."""
    lines = [json.dumps(json.loads(deals_of(DIMENSIONS[SLIPPED], 4, 1)) | {"id": f"r{number}"}) for number in range(many)]
    (tmp_path / "many.jsonl").write_text("\n".join(lines) + "\n")
    code, out, _ = handrec("check", "--format", "json", str(tmp_path / "many.jsonl"))
    told = json.loads(out)["records"]
    whole = [record for record in told if any(finding["code"] == "FMT022" for finding in record["findings"])]
    assert code == 1
    assert len(told) == many
    assert bool(whole) is (many > 1)
    assert told[0] not in whole


@pytest.mark.parametrize("judge", [checked, explanations.check])
def test_a_clean_record_earns_for_those_after_it(judge: Any) -> None:
    """What is right costs nothing to explain, so that more of what is wrong can be."""
    clean, shared = deal_game(games.find("whist"), 4, 0, numbers=[1, 2]), Allowance()
    judge(clean, JUDGE, shared)
    events = sum(len(deal.events) for deal in clean.deals)
    assert shared.left == allowance.START + 2 * allowance.DEAL + allowance.EVENT * events


def test_what_is_spent_anyway_is_no_earning() -> None:
    """To hear the calls that come out of turn in an auction, in La Bâtarde, and to tell what is found."""
    record, shared = loads(deals_of(DIMENSIONS["calls batarde alone"], 4, 1)), Allowance(0)
    verdict, (table,) = referee.examined(record, games.find)
    shared.earn(record, [table], verdict.findings)
    assert table.heard > 0
    earned = allowance.DEAL + allowance.EVENT * len(record.deals[0].events)
    assert shared.left == earned - allowance.HEARD * table.heard - allowance.TOLD * len(verdict.findings)


def test_what_is_refused_costs_nothing() -> None:
    """Of what is left something cheaper may still be tried, down to the last of it."""
    deals = slipped(3).deals
    some = Allowance(left=2.5 * price(deals[0]))
    assert some.affords(deals) is False
    assert some.affords(deals[:2])
    assert (some.left, some.refused) == (0.5 * price(deals[0]), 1)
    some.charge(deals[0], heard=5)
    assert some.left == -0.5 * price(deals[0]) - 5 * allowance.HEARD
    some.charge(deals[0])
    assert some.left == -1.5 * price(deals[0]) - 5 * allowance.HEARD
    assert Allowance(left=price(deals[0])).affords(deals[:1])


@pytest.mark.parametrize(("left", "some"), [(-1, False), (0, False), (1, True)])
def test_where_nothing_is_left_that_is_counted(left: int, some: bool) -> None:
    """So that it is told once that not everything was tried."""
    shared = Allowance(left)
    assert shared.any_left() is some
    assert shared.refused == (not some)
    shared.any_left()
    assert shared.refused == 2 * (not some)


def test_a_bid_costs_more_to_replay_than_a_play() -> None:
    """It may have to be explained by itself; an event costs something besides the deal."""
    played = slipped(1).deals[0]
    bid = played.model_copy(update={"events": [Bid(do="bid", by="N", bid=1), *played.events[1:]]})
    none = played.model_copy(update={"events": []})
    assert price(none) < price(played) < price(bid)
    assert price(bid) - price(played) == allowance.CALL


@pytest.mark.parametrize("judge", [checked, explanations.check])
def test_whoever_judges_spends_what_is_shared(judge: Any) -> None:
    """Where others have spent it all, nothing is explained; and where it is, that costs."""
    record = slipped(1)
    assert not explained(judge(record, JUDGE, Allowance(-1e6)))
    rich = Allowance(1e6)
    assert explained(judge(record, JUDGE, rich))
    assert rich.left < 1e6
    game, (verdict, tables) = games.find(record.game), JUDGE.examined(record)
    assert game is not None
    assert explanations.at_sight(record, game, verdict, tables) == explanations.check(record, JUDGE)  # who shares nothing has all


def test_no_reading_is_tried_where_nothing_is_left() -> None:
    """Nor are some and others not: it is told that they were not looked for."""
    record = load(ROOT / "fixtures/broken/bastard/BA-7-REV005.handrec.json")
    assert any(finding.readings for finding in checked(record, JUDGE, Allowance()).findings)
    verdict = checked(record, JUDGE, Allowance(-1e6))
    assert not any(finding.readings for finding in verdict.findings)
    assert sum("other readings" in message for message in unlooked(verdict)) == 1
    game, (bare, tables) = games.find(record.game), JUDGE.examined(record)
    assert game is not None
    little = with_readings(bare, record, game, tables, Allowance(1))
    assert not any(finding.readings for finding in little.findings)
    assert any(finding.readings for finding in with_readings(bare, record, game, tables).findings)


def test_a_heading_is_tried_on_the_whole_record_only_if_there_is_enough_for_that() -> None:
    """On one deal it is tried before; that this would fit does not say what becomes of the others."""
    record = load(ROOT / "fixtures/hostile/searches/players-exchanged-in-a-long-game.handrec.json")
    game, (verdict, _) = games.find(record.game), JUDGE.examined(record)
    assert game is not None
    whole = sum(map(price, record.deals))
    enough, short = Allowance(2 * whole), Allowance(whole - 1)
    told = misheaded(record, game, verdict, verdict, enough)
    assert told is not None
    assert "REC013" in {finding.code for finding in told.findings}
    assert misheaded(record, game, verdict, verdict, short) is None
    assert (enough.refused, short.refused) == (0, 1)
    assert 0 < short.left < whole - 1


def test_calls_that_are_heard_on_trial_to_find_what_was_meant_are_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """In La Bâtarde a call that may not be made is tried as each other call, with all the calls of the deal."""
    record, heard = load(ROOT / "fixtures/broken/slips/REC011-call-miswritten.handrec.json"), list[int]()
    trial = calls._heard

    def counted(*arguments: Any) -> Table:
        heard.append(sum(event.do == "bid" for event in record.deals[0].events) + calls.TRIAL)
        return trial(*arguments)

    monkeypatch.setattr(calls, "_heard", counted)
    left = []
    for cost in (0, 1):
        monkeypatch.setattr(allowance, "HEARD", cost)
        heard.clear()
        shared = Allowance(1e6)
        explanations.check(record, JUDGE, shared)
        left.append(shared.left)
    assert heard
    (table,) = JUDGE.examined(record)[1]
    assert left[0] - left[1] == sum(heard) + table.heard


def test_a_deal_that_nothing_is_left_for_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing from the start and nothing earned, nothing is looked for anywhere, and what is said is said in each place."""
    for name in ("START", "DEAL", "EVENT"):
        monkeypatch.setattr(allowance, name, 0)
    verdict = check(slipped(3))
    said = [finding.pointer for finding in verdict.findings if finding.code == "FMT022"]
    assert sorted(said) == [*["/deals"] * (len(said) - 3), "/deals/0", "/deals/1", "/deals/2"]
    assert not explained(verdict)
    assert not any(finding.readings or finding.because for finding in verdict.findings)


def test_that_something_was_not_looked_for_is_shown_in_the_text(tmp_path: Path) -> None:
    """On the terminal as a note, which counts as no fault: with -v of a hundred deals, and how many more there are."""
    from handrec.cli import run

    (tmp_path / "deals.json").write_bytes(deals_of(DIMENSIONS[SLIPPED], 4, 300))
    told = {}
    for how in (("text", "-v"), ("line", "-v"), ("json",)):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            run(["check", "--format", *how, str(tmp_path / "deals.json")])
        told[how[0]] = out.getvalue()
    (record,) = json.loads(told["json"])["records"]
    many = sum(finding["code"] == "FMT022" for finding in record["findings"])
    words, said = " ".join(told["text"].split()), "too much is wrong here to look for"
    assert words.lower().count(said) == 100
    assert f": {many - 100} more of the same note (too-much-wrong), in " in words
    assert "of this file in all: FMT022 (-f line -v shows each)" in words
    assert told["line"].count(said) == many
    others = [finding["pointer"] for finding in record["findings"] if finding["code"] != "FMT022"]
    assert len(others) == words.count(" --> ") - 100  # all else, however much it is, and what follows from it
