"""How each game is typed: the lines that `explain` shows are read, and its example is judged as the sheet in it says."""

from __future__ import annotations

import re
from typing import Any

import pytest

from handrec import check, games
from handrec.cli.explain import example
from handrec.findings import Verdict
from handrec.formats import hrt
from handrec.game import compose
from handrec.record import Record
from tests.commands import Handrec

GAMES = games.catalogue()
LINES = [(game, line) for game in GAMES for line, _ in game.notation.lines]


def read(text: str) -> Record:
    """The record in a text, in which nothing is wrong as far as its form goes."""
    (reading,) = hrt.read(text.encode(), "g.hrt")
    assert [(finding.message, reading.placed(finding).location) for finding in reading.findings] == []
    assert reading.record is not None
    return reading.record


def judged(text: str) -> Verdict:
    return check(read(text))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_game_says_how_bids_tricks_and_sheets_are_typed(game: Any) -> None:
    words = {line.split()[0] for line, _ in game.notation.lines}
    assert {"1"} | ({"bid", "accuse", "exchange"} & game.phase_of.keys()) <= words
    assert words & {"tricks", "side"}
    assert any("sheet" in says for _, says in game.notation.lines)


@pytest.mark.parametrize(("game", "line"), LINES, ids=lambda item: getattr(item, "key", item))
def test_a_line_is_read_and_is_of_the_game(game: Any, line: str) -> None:
    """Each line stands in a deal of the example's players, tells what the game has, and names nobody who does not sit there."""
    head = example(game).partition("\n\n")[0]
    deal = read(f"{head}\n\n{line}\n" if line.startswith("deal") else f"{head}\n\ndeal 1\n{line}\n").deals[0]
    told = {name for name in ("events", "aside", "claimed", "comments", "board") if getattr(deal, name)}
    assert told
    chosen = [{option.key: value} for option in game.options for value in option.values]
    kinds = set(game.phase_of).union(*(compose(game, options)[0].phase_of for options in chosen))
    for event in deal.events:
        assert (event.do if event.do != "announce" else f"announce:{event.what}") in kinds


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_the_example_is_judged_as_its_sheet_says(game: Any) -> None:
    """It is clean, its score was recomputed, and a number changed in the sheet is one error, at that line."""
    text = example(game)
    verdict = judged(text)
    assert verdict.findings == ()
    assert {level.key: level.status for level in verdict.levels}["L4"] == "passed"
    assert {level.key: level.status for level in verdict.levels}["L5"] == "passed"
    line, *_ = re.findall(r"^(?:scores|side) .*", text, re.MULTILINE)
    number = re.findall(r"-?\d+", line)[-1]
    wrong = line[: line.rindex(number)] + str(int(number) + 1)
    (fault,) = judged(text.replace(line, wrong)).faults
    assert fault.code == "SCO001"


def test_explain_shows_both(handrec: Handrec) -> None:
    said = handrec("explain", "spades3")[1]
    assert "    blind N 5\n        a bid before looking at the cards\n" in said
    for line in games.find("spades3").notation.example.splitlines():  # type: ignore[union-attr]
        assert f"\n    {line}".rstrip() in said
