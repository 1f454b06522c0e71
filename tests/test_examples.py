"""What `handrec explain` shows of a rule: a hand that breaks it and one that obeys it, drawn from the fixtures.

`pytest tests/test_examples.py --update` draws them anew.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from handrec import games
from tests import examples
from tests.commands import Handrec

KEPT = Path(__file__).parents[1] / "handrec/cli/examples.json"
PLAYS = ("REV001", "REV002", "REV003", "REV004", "REV005")


@cache
def kept() -> dict[str, dict[str, dict[str, Any]]]:
    """The examples in the package."""
    found: dict[str, dict[str, dict[str, Any]]] = json.loads(KEPT.read_text("utf-8"))
    return found


@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.long)])
def test_examples_are_those_of_the_fixtures(every: int, request: pytest.FixtureRequest) -> None:
    """A line a rule, so that a difference can be read; in the usual suite those of every third game."""
    update = request.config.getoption("--update")
    now = examples.examples(games.names()[:: 1 if update else every])
    lines = [
        f" {json.dumps(key)}: {{\n"
        + ",\n".join(f"  {json.dumps(name)}: {json.dumps(each, ensure_ascii=False)}" for name, each in rules.items())
        + "\n }"
        for key, rules in (now if now.keys() == {*games.names()} else kept() | now).items()
    ]
    drawn = "{\n" + ",\n".join(lines) + "\n}\n"
    if update:
        KEPT.write_text(drawn, "utf-8")
    assert drawn == KEPT.read_text("utf-8")


@pytest.mark.parametrize("key", games.names())
def test_every_rule_is_shown_broken_and_obeyed(key: str) -> None:
    """Without an exception: whatever can be done wrong can be done right."""
    for rule in examples.rules(key):
        shown = kept()[key].get(f"{rule.id}-{rule.code}")
        if shown is None:  # shared by all games, and this one has its own
            assert rule.id.startswith("C-")
            continue
        assert shown.keys() == {"breaks", "obeys"}, (rule.id, rule.code)
        assert all(shown.values())


def test_a_play_shown_is_what_its_label_says() -> None:
    """What obeys may be played, what breaks may not though it is held; and something that is held may not be played."""
    seen = 0
    for rules in kept().values():
        for name, shown in rules.items():
            for label, example in shown.items():
                if "hand" in example:
                    seen += 1
                    assert (example["card"] in example["may"]) == (label == "obeys"), name
                    assert set(example["may"]) < set(example["hand"]) >= {example["card"]}, name
                    assert not name.endswith("REV001") or example["table"], name
    assert seen > 30


def test_explain_shows_how_a_rule_is_decided_and_examples_of_it(handrec: Handrec) -> None:
    """A play rule by a hand, a bid rule by what was bid, a duty by what happened; a definition cannot be broken."""
    said = handrec("explain", "KB-5.3")[1]
    assert "\n  narrows the cards that may be played\n" in said
    assert "breaks it: deal 10, trick 1, trump C: after W BJ, N JC, E, holding LJ TH 9D" in said
    assert "    9C, plays 9C; may play: LJ\n  obeys it: " in said
    said = handrec("explain", "KB-4.4")[1]
    assert "\n  checked: the last bid, together with all the others\n" in said
    assert "S bids 1, W bids 1, N bids 2. N dealt" in " ".join(said.split())
    assert "\n  judged by: the play of the cards\n" in handrec("explain", "PLY001")[1]
    said = " ".join(handrec("explain", "kbabs")[1].split())
    assert "otherwise play any card. (narrows the cards that may be played)" in said
    assert "The dealer's left bids first, then clockwise; the dealer bids last. (judged by: the bidding)" in said
    assert "it counts as the number of cards. (a definition)" in said
    assert json.loads(handrec("explain", "KB-5.3", "-f", "json")[1])[0]["breaks"]["may"] == ["LJ"]
