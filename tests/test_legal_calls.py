"""A call that is said to be none that may be made makes a deed that was not there, or leaves those that were."""

from __future__ import annotations

from random import Random

import pytest

from handrec import games, referee
from handrec.explanations.costs import explicable, key_of
from handrec.explanations.legal_calls import LegalCalls
from handrec.explanations.misfit import Misfit
from handrec.explanations.pen import Reach, reach
from handrec.explanations.pen.calls import called
from handrec.explanations.written import WrittenDeal
from handrec.findings import Finding
from handrec.game import compose
from handrec.judging import Judge
from handrec.record import Bid, Deal, Record
from tests.planting import dealt

#: The games that tell which calls may be made without making them all.
BIDDING = ["bastard", "batarde", "kbabs", "oh_hell"]

#: A first lead out of turn; and where calls go round, one that is late, too low, or changes what nobody may change any more.
LATE = [*((key, "PLY004") for key in BIDDING), *(("batarde", code) for code in ("BID007", "BID008", "BID009", "BID012"))]

#: So many slips of a deal are tried, of up to six thousand.
MANY = 400


def refereed(record: Record, deal: Deal) -> list[Finding]:
    """What the referee finds in a record of this deal instead of its own, before anything is explained."""
    return [*Judge(games.find).verdict(record.model_copy(update={"deals": [deal]})).findings]


@pytest.mark.some(4)
@pytest.mark.parametrize(("key", "code", "seed"), [(*late, seed) for late in LATE for seed in range(4)])
def test_what_is_forbidden_is_found_by_the_referee(key: str, code: str, seed: int) -> None:
    """Of what may be written for a call or put in beside one, in a deal where one call is wrong, or a first lead."""
    data, game = dealt(key, seed, inject=code), games.find(key)
    assert data
    assert game
    record = Record.model_validate(data)
    verdict, tables = Judge(games.find).examined(record)
    written = WrittenDeal(record.deals[0], tables[0], [*verdict.findings])
    composed = compose(game, record.options)[0]
    wrong = [finding.event_index or 0 for finding in verdict.findings if finding.code.startswith("BID")]
    until = min(wrong, default=len(record.deals[0].events))
    calls = LegalCalls(record.deals[0], lambda place: referee.after_play(record, composed, 0, place - 1), until)
    already = {key_of(finding) for finding in verdict.findings}
    misfit = Misfit(tables[0])
    forbidden = allowed = 0
    every = [*called(written, Reach(events=frozenset(range(len(record.deals[0].events)))))]
    for slip in Random(seed).sample(every, min(MANY, len(every))):
        deal = slip.undone(record.deals[0])
        forbids = calls.forbid(deal)
        if forbids and not misfit.calls_out_of_turn(deal):  # of which the search says the same
            found = refereed(record, deal)
            assert any(explicable(each) and key_of(each) not in already for each in found) or already <= {*map(key_of, found)}
        forbidden += forbids
        allowed += not forbids
    assert forbidden or until < 2
    assert allowed


@pytest.mark.some(2)
@pytest.mark.parametrize("seed", [0, 8, 16, 24])
def test_a_call_after_the_lead_is_late_whatever_else_is_called(seed: int) -> None:
    """So of La Bâtarde's calls, of which there are hundreds, only what touches that one is tried; all that is told is found."""
    data, game = dealt("batarde", seed, inject="BID007"), games.find("batarde")
    assert data
    assert game
    record = Record.model_validate(data)
    verdict, tables = Judge(games.find).examined(record)
    (late,) = [finding for finding in verdict.findings if finding.code == "BID007"]
    written = WrittenDeal(record.deals[0], tables[0], [*verdict.findings])
    assert reach(written, late).events == {late.event_index}
    said = {place for place, event in enumerate(record.deals[0].events) if type(event) is Bid}
    every = [*called(written, Reach(events=frozenset(said - {late.event_index})))]
    for slip in Random(seed).sample(every, min(MANY // 4, len(every))):
        found = refereed(record, slip.undone(record.deals[0]))
        assert any(each.code == "BID007" or explicable(each) for each in found), slip.words


@pytest.mark.some(3)
@pytest.mark.parametrize("seed", [2, 5, 8])
@pytest.mark.parametrize("code", ["BID008", "BID009", "BID010", "BID011", "BID012"])
def test_what_is_called_later_makes_no_call_right(code: str, seed: int) -> None:
    """A call is too low, or a word between calls too late, by what was called before it; whose call is missing the next tells."""
    data, game = dealt("batarde", seed, inject=code), games.find("batarde")
    assert data
    assert game
    record = Record.model_validate(data)
    verdict, tables = Judge(games.find).examined(record)
    (wrong,) = [finding for finding in verdict.findings if finding.code == code]
    written = WrittenDeal(record.deals[0], tables[0], [*verdict.findings])
    said = {place for place, event in enumerate(record.deals[0].events) if type(event) is Bid}
    later = said - reach(written, wrong).events
    if code in ("BID008", "BID009", "BID010"):
        assert len({place for place in said - later if place > (wrong.event_index or 0)}) <= 1
        assert later
    every = [*called(written, Reach(events=frozenset(later)))]
    for slip in Random(seed).sample(every, min(MANY // 4, len(every))):
        found = refereed(record, slip.undone(record.deals[0]))
        assert any(each.code == code or explicable(each) for each in found), slip.words
