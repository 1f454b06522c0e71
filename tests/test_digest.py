"""The specification: every rule id of it is in its game, and in a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from handrec import games
from handrec.game import compose
from handrec.referee import rules_of

TESTS = Path(__file__).parent

#: The rule ids of each game's specification.
IDS = {
    "bastard": """
        BA-1 BA-2 BA-3 BA-4 BA-5 BA-6 BA-7 BA-8 BA-9 BA-10 BA-11 BA-12 BA-BAS-1 BA-BAS-2 BA-BAS-3 BA-BAS-4 BA-BAS-5
        BA-STK-1 BA-MEG-1 BA-ULT-1 BA-ULT-2 BA-DEM-1 BA-NUI-1 BA-NUI-2 BA-NUI-3 BA-NUI-4 BA-NUI-5 BA-NUI-6 BA-BE-1
        BA-BE-2 BA-COM-1 BA-COM-2 BA-COM-3 BA-COM-4 BA-COM-5 BA-COM-6 BA-COM-7 BA-ULTM-1 BA-ULTM-2 BA-ULTM-3 BA-ULTM-4
    """,
    "batarde": " ".join("LB-25a LB-25b" if number == 25 else f"LB-{number}" for number in range(1, 32)),
    "spades3": " ".join(f"SP-{number}" for number in range(1, 26)),
    "bugami": " ".join(f"BG-{number}" for number in range(1, 13)),
    "kbabs": """
        KB-1.2 KB-1.3 KB-1.4 KB-2.1 KB-2.2 KB-2.3 KB-3.1 KB-3.2 KB-4.1 KB-4.2 KB-4.3 KB-4.4 KB-4.5 KB-4.6 KB-5.1 KB-5.2
        KB-5.3 KB-5.4 KB-5.5 KB-5.6 KB-5.7 KB-5.8 KB-5.9 KB-6.1 KB-6.2 KB-6.3 KB-6.4 KB-7 KB-8.1 KB-8.2 KB-8.3 KB-8.4
    """,
}


@pytest.mark.parametrize("key", IDS)
def test_every_rule_of_the_specification_is_in_its_game(key: str) -> None:
    """Each id is that of a rule or of a statement, with whatever options."""
    game = games.find(key)
    assert game is not None
    single = [{option.key: choice} for option in game.options for choice in option.values]
    variants = [{}, *single, *(one | two for one in single for two in single)]
    composed = [compose(game, options)[0] for options in variants]
    there = {rule.id for each in composed for rule in rules_of(each)} | {s.id for each in composed for s in each.definitions}
    assert set(IDS[key].split()) - there == set()


@pytest.mark.parametrize("key", IDS)
def test_every_rule_of_the_specification_is_named_by_a_test(key: str) -> None:
    """Each id stands in a test of its game, as it is or in a test's name, or in the name of a fixture that breaks it."""
    broken = (TESTS.parent / "fixtures/broken" / key).glob("*.json")
    text = "\n".join([path.read_text("utf-8") for path in (TESTS / "games").glob("*.py")] + [path.name for path in broken])
    spelled = {rule: rule.lower().replace("-", "_").replace(".", "_") for rule in IDS[key].split()}
    assert [rule for rule, name in spelled.items() if rule not in text and name not in text] == []
