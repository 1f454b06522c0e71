"""Verdicts are data: they pickle, hash and compare by value, whatever was composed meanwhile."""

import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields, is_dataclass
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import pytest

import handrec
from handrec import games
from handrec.findings import Finding
from tests.tables import bare

BROKEN = sorted(Path(__file__).parent.parent.glob("fixtures/broken/*/*.handrec.json"))


def records() -> list[handrec.Record]:
    found = []
    for path in BROKEN:
        try:
            found.append(handrec.load(path))
        except handrec.Unreadable:
            continue
    return found


RECORDS = records()


@cache
def verdicts() -> list[handrec.Verdict]:
    return [handrec.check(record) for record in RECORDS]


def test_there_are_records_with_findings_of_every_family():
    codes = {finding.code[:3] for verdict in verdicts() for finding in verdict.findings}
    assert codes >= {"DEA", "BID", "PLY", "REV", "TRK", "SCO", "CLM"}


def test_a_verdict_survives_pickling_and_hashes_alike():
    for verdict in verdicts():
        again = pickle.loads(pickle.dumps(verdict))
        assert again == verdict
        assert hash(again) == hash(verdict)
        assert [finding.message for finding in again.findings] == [finding.message for finding in verdict.findings]
        for one, other in zip(again.findings, verdict.findings, strict=True):
            assert (one, hash(one)) == (other, hash(other))
        for one, other in zip(again.deals, verdict.deals, strict=True):
            assert (one, hash(one)) == (other, hash(other))


@pytest.mark.some(1)
@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.long)], ids=["a third", "all"])
@pytest.mark.parametrize("key", games.names())
def test_verdicts_are_equal_after_a_thousand_option_sets(key, step):
    game = games.find(key)
    mine = [record for record in RECORDS if record.game == key][::step]
    before = [handrec.check(record) for record in mine]
    assert any(verdict.findings for verdict in before)
    held = dict(game.composed)
    try:
        game.composed.clear()
        game.composed.update({f"x{number}": game for number in range(1000)})
        assert [handrec.check(record) for record in mine] == before
        assert list(handrec.check_all(mine)) == list(map(bare, before))
    finally:
        game.composed.clear()
        game.composed.update(held)


def test_records_are_checked_in_other_processes():
    mine = RECORDS[::10]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        assert list(pool.map(handrec.check, mine)) == [handrec.check(record) for record in mine]


def test_a_finding_holds_no_function():
    def plain(value) -> bool:
        if is_dataclass(value):
            return all(plain(getattr(value, each.name)) for each in fields(value))
        return all(map(plain, value)) if isinstance(value, tuple) else not callable(value)

    for verdict in verdicts():
        for finding in verdict.findings:
            assert isinstance(finding, Finding)
            assert plain(finding.fault), finding.code
