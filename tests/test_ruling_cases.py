"""The table of rulings, case by case: asked about, and as an accusation on record, in every case the same."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from handrec.ruling import RevokeRuling
from tests.ruling_cases import ASSUMED, CASES, HANDS, SEATS, Case, cards, played, record
from tests.tables import verdict
from tests.test_ruling import only, ruled


def told(case: Case, accused: bool) -> RevokeRuling:
    """The ruling on a case."""
    data = record(case, accused)
    if not accused:
        return only(data, case.claim, laws=case.laws, noticed=case.noticed, **({"of": 1} if case.next_deal else {}))
    return next(each for each in ruled(data, laws=case.laws) if each.claim.source == "accusation")


def ways() -> list[object]:
    """Each case in the ways in which it can be put: asked about, or claimed on record."""
    found = []
    for case in CASES:
        if not case.next_deal:
            found.append(pytest.param(case, False, id=f"{case.laws}: {case.name}, asked"))
        if case.next_deal or (case.noticed and "." in case.noticed):
            found.append(pytest.param(case, True, id=f"{case.laws}: {case.name}, accused"))
    return found


@pytest.mark.some(27)
@pytest.mark.parametrize(("case", "accused"), ways())
def test_the_laws_say(case: Case, accused: bool) -> None:
    """The paragraphs that apply, the tricks that move, how they stand then, and what is assumed."""
    ruling = told(case, accused)
    assert ruling.verdict == case.verdict
    assert sorted(step.at or step.topic for step in ruling.steps if step.applies) == sorted(case.steps.split())
    first = ruling.outcomes[0] if ruling.outcomes else None
    assert sum(move.tricks for move in (first.moves if first else ())) == case.moved
    if case.in_all is not None:
        assert f"{case.in_all} in all" in (first.words if first else ruling.reason)
    if case.after is not None:
        assert first is not None
        assert first.after is not None
        assert first.after.tricks == {"N/S": case.after[0], "E/W": case.after[1]}
    if case.choices:
        assert tuple(each.words for each in ruling.outcomes) == case.choices
    if case.wins is not None:
        assert first is not None
        assert ("hangs on" in first.words) is (case.wins == "?")
        assert case.wins == "?" or f"{case.wins} wins trick {ruling.claim.trick}" in first.words
    equity = "63A" in case.steps if case.equity is None else case.equity
    assert ruling.equity.startswith("64C") is equity
    assumed = " ".join(ruling.assumed)
    assert [each for each in ASSUMED if each in assumed] == [each for each in ASSUMED if each in case.assumed]


def test_the_hands_of_the_table_are_hands() -> None:
    """Each is a whole pack, and nothing is wrong with it but revokes."""
    for case in CASES:
        pack = Counter(card for text in case.hands.values() for card in cards(text))
        assert len(pack) == 52, case.name
        assert set(Counter(map(len, map(cards, case.hands.values())))) == {13}, case.name
        assert {seat for seat, _ in played(case)} == set(SEATS), case.name
        found = verdict(record(case))
        assert {finding.code for finding in found.findings if finding.severity == "error"} <= {"REV001"}, case.name


def test_both_outcomes_of_every_sentence() -> None:
    """Every paragraph applies in some case, and in another of the same laws it does not; and there are enough of them."""
    assert len(CASES) >= 60
    assert len({(case.name, case.claim) for case in CASES}) == len(CASES)
    for laws in ("bridge-2017", "bridge-2007", "whist-classic"):
        applied = [set(case.steps.split()) for case in CASES if case.laws == laws]
        for paragraph in set().union(*applied):
            assert any(paragraph not in each for each in applied), paragraph
    applied = [set(case.steps.split()) for case in CASES if case.laws == "bridge-2017"]
    wanted = "62A 62C3 62D 63A1 63A3 63A4 64A1 64A2 " + " ".join(f"64B{number}" for number in range(1, 9))
    assert set(wanted.split()) <= set().union(*applied)


def test_what_is_assumed_would_change_the_ruling_if_it_were_known() -> None:
    """Every assumption of the table that the caller can mend names the flag that does it."""
    for case in CASES:
        if HANDS in case.assumed:
            assert re.search(r"--noticed over", " ".join(told(case, False).assumed))


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("64A2: W won the trick, and S won one later", "64C:"),
        ("64B2: again, with more tricks won later", "64C2a:"),
        ("64B7: both sides, both established: S's", "64C2b:"),
        ("64B7 of 2007: both established", "64C:"),
        ("62A: noticed in the trick", ""),
        ("72: no more tricks than there are", ""),
    ],
)
def test_equity_is_named_and_never_a_number(name: str, at: str) -> None:
    """Where an established revoke is ruled on by the laws of bridge; a card put right in time is another matter."""
    equity = told(next(case for case in CASES if case.name == name), False).equity
    assert equity.startswith(at)
    assert bool(equity) is bool(at)
    assert not re.search(r"[0-9] tricks?", equity)
