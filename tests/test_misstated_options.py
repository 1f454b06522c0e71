"""An option that the heading misstates, planted: nothing is rewritten to fit the heading, and the option is among the guesses."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import check, games
from handrec.dealing import CannotDeal, deal_game
from handrec.record import Record
from handrec.repair import applied, derivable, repairs, safe_repairs
from handrec.repair.derive import derived
from tests.planting import TABLES, without

GAMES = [each for each in games.catalogue() if each.key in TABLES]
VALUES = [(game.key, key, value) for game in GAMES for key, value in game.other_values({}, variants=True)]


def misstated(key: str, option: str, value: Any, seed: int, whole: bool) -> Record | None:
    """A deal, or a whole game, played under an option and written as one without; None if nothing is wrong with it so."""
    players, number, options = TABLES[key][seed % len(TABLES[key])]
    if options:
        return None
    try:
        played = deal_game(games.find(key), players, seed, options={option: value}, numbers=None if whole else [number])  # type: ignore[arg-type]
    except CannotDeal:
        return None
    data = without(played.model_dump(mode="json", exclude_unset=True, by_alias=True), hands=True, claims=True)
    data.pop("options", None)
    record = Record.model_validate(data)
    verdict = check(record)
    return record if verdict.faults and verdict.deals else None


def figures(key: str, option: str, value: Any, many: int, whole: bool = False) -> dict[str, int]:
    """Of so many seeds: how many leave something to find, in how many groups, and what is told of these."""
    game, found = games.find(key), dict.fromkeys(("records", "groups", "rewritten", "told"), 0)
    assert game
    for seed in range(many):
        record = misstated(key, option, value, seed, whole)
        if record is None:
            continue
        groups = repairs(record, game).groups
        found["records"] += 1
        found["groups"] += len(groups)
        found["rewritten"] += sum(group.sure is not None for group in groups)
        meant = [applied(record, way).options.get(option) for group in groups for way in group.ways if _is_option(way)]
        found["told"] += meant.count(value)
    return found


def _is_option(way: Any) -> bool:
    return way[0].pointer.startswith("/options")


@pytest.mark.some(1)
@pytest.mark.parametrize(
    ("key", "option", "value"),
    [
        ("hearts", "first_lead", "any_club"),
        ("batarde", "identical_cards", "marked"),
        ("kbabs", "ladder", "up"),
        ("spades3", "two_of_clubs", "high"),
    ],
)
def test_an_option_misstated_is_told_and_nothing_is_rewritten(key: str, option: str, value: Any) -> None:
    """In each group of findings: they are all gone under the option."""
    found = figures(key, option, value, 6)
    assert found["groups"]
    assert found["rewritten"] == 0
    assert found["told"] == found["groups"]


@pytest.mark.long
def test_scores_that_an_option_explains_are_not_rewritten_as_if_they_followed() -> None:
    """Three scores of a game, right where overtricks cost apart; one of them alone is a slip of the sheet, and follows."""
    game, record = games.find("spades3"), misstated("spades3", "overtrick_penalty", "separate", 0, whole=True)
    assert game
    assert record
    assert {finding.code for finding in check(record).faults} == {"SCO001", "SCO005"}
    found = safe_repairs(record, game)
    assert found.derived == derivable(record, game) == ()
    (group,) = found.groups
    assert group.sure is None
    assert group.deal == group.findings[0].deal_index != group.findings[1].deal_index
    assert [applied(record, way).options for way in group.ways] == [{"overtrick_penalty": "separate"}]
    assert {finding.code for finding in group.findings} == {"SCO001", "SCO005"}
    believed = derived(record, game).edits
    one = applied(record, [edit for edit in believed if edit.pointer != "/deals/12/claimed/scores/P2"])
    (slip,) = safe_repairs(one, game).derived
    assert (slip.pointer, slip.before, slip.after) == ("/deals/12/claimed/scores/P2", -153, -53)


@pytest.mark.long
@pytest.mark.parametrize("whole", [False, True], ids=["deals", "games"])
@pytest.mark.parametrize("key", sorted({key for key, _, _ in VALUES}))
def test_every_option_misstated(key: str, whole: bool) -> None:
    """Forty deals, or a game, of each value of each option."""
    found = dict.fromkeys(("records", "groups", "rewritten", "told"), 0)
    for _, option, value in [each for each in VALUES if each[0] == key]:
        one = figures(key, option, value, 1 if whole else 40, whole)
        print(key, option, value, one)
        found = {name: found[name] + one[name] for name in found}
    print(key, "games" if whole else "deals", found)
    assert found["records"]
    assert found["rewritten"] == 0
    assert found["told"] == found["groups"]
