"""Readings: a finding says under which other reading it is none, and `fit` names the house rules a table played."""

from __future__ import annotations

import pytest

from handrec import Record, check, games
from handrec.dealer import deal_game
from handrec.game import Game
from handrec.readings import fit


def found_game(key: str) -> Game:
    """A game that must be there."""
    game = games.find(key)
    assert game is not None
    return game


def unsaid(record: Record) -> Record:
    """The record of a table that did not write its options down."""
    return record.model_copy(update={"options": {}})


@pytest.mark.parametrize("options", [{"scoring": "linear"}, {"ladder": "up"}, {"ladder": "up", "scoring": "linear"}, {}])
def test_fit_finds_the_options_that_were_played(options: dict[str, str]) -> None:
    """The fewest changes under which nothing is wrong are those the table played by."""
    game = found_game("kbabs")
    assert options in fit(unsaid(deal_game(game, 6, 5, options=options)), game)


def test_fit_holds_no_set_within_another() -> None:
    """A set of changes is listed only if no part of it is enough."""
    game = found_game("kbabs")
    sets = fit(unsaid(deal_game(game, 9, 2, options={"ladder": "down"})), game)
    assert sets
    assert not any(one is not two and one.items() <= two.items() for one in sets for two in sets)


def test_fit_has_no_excuse_for_a_revoke() -> None:
    """Where no reading helps, none is offered."""
    game = found_game("kbabs")
    assert fit(deal_game(game, 4, 1, numbers=[5, 6], inject="REV001"), game) == []


def test_a_finding_names_the_reading_under_which_it_is_none() -> None:
    """A score reckoned the linear way is right under linear scoring, and says so."""
    record = unsaid(deal_game(found_game("kbabs"), 6, 5, options={"scoring": "linear"}))
    findings = check(record).findings
    assert findings
    assert {finding.readings for finding in findings} == {("scoring: linear",)}


def test_a_revoke_names_none() -> None:
    """Following suit is read in one way only."""
    record = deal_game(found_game("kbabs"), 4, 1, numbers=[5, 6], inject="REV001")
    assert [finding.readings for finding in check(record).findings] == [()]
