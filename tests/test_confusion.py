"""The confusion table, act by act: what is told of slips and deeds that are planted one at a time, over all games.

Eight plants of each show every run that the bars are met; `pytest -m long -s tests/test_confusion.py` plants a hundred of each,
with and without hands and claims, whole deals and deals broken off, and prints the tables.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from tests import planting
from tests.confusion import deed, outcome, share, table
from tests.planting import ACTS, AT_SIGHT, TABLES

#: Hands known, claims known, played to the last card.
Mode = tuple[bool, bool, bool]
MODES: list[Mode] = [*product((True, False), repeat=3)]

#: The modes in words.
NAMES = ("hands", "claims", "whole")


def words(mode: Mode) -> str:
    """A mode in words."""
    return ", ".join(("" if known else "no ") + name for known, name in zip(mode, NAMES, strict=True))


def told(key: str, act: str, many: int, mode: Mode) -> Counter[str]:
    """The outcomes of an act planted in a game."""
    return Counter(outcome(act, record) for _, record in planting.plants(key, act, many, *mode))


def deeds_told(key: str, many: int, mode: Mode) -> Counter[str]:
    """The outcomes of deeds planted in a game."""
    return Counter(deed(planted, record) for planted, record in planting.deeds(key, many, *mode))


@pytest.mark.some(1)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_acts_that_can_be_read_at_sight_are_told(key: str) -> None:
    """With the hands known, nine of ten plants that show, and are not the record of a deed, are told for what they are."""
    lines = {act: told(key, act, 2, (True, True, True)) for act in AT_SIGHT}
    assert all(share(line) >= 0.9 for line in lines.values()), "\n".join(table(key, lines.items()))
    lines = {act: told(key, act, 1, (True, False, False)) for act in AT_SIGHT if act != "sheet"}
    assert share(sum(lines.values(), Counter())) >= 0.9, "\n".join(table(key, lines.items()))


@pytest.mark.some(2)
@pytest.mark.parametrize("mode", [mode for mode in MODES if mode[2]], ids=words)
def test_rows_in_each_others_place_accuse_nobody(mode: Mode) -> None:
    """Whether hands and claims are known or not: leads that are out of turn and suits not followed are one slip."""
    line = sum((told(key, "rows_exchanged", 4, mode) for key in sorted(TABLES)), Counter())
    assert share(line) >= 0.9, line
    assert not line["accused"], line


@pytest.mark.some(1)
@pytest.mark.parametrize("act", ["plays_in_row", "row_reversed"])
def test_a_row_that_is_wrong_accuses_few_where_no_hand_is_known(act: str) -> None:
    """Most show by the winner alone, who is a wrong number; of those that others seem to have revoked in few are left to them."""
    line = sum((told(key, act, 8, (False, True, True)) for key in sorted(TABLES)), Counter())
    assert line["told"] + line["tie"] >= max(1, 4 * line["accused"]), line


@pytest.mark.some(2)
@pytest.mark.parametrize("key", sorted(TABLES))
def test_deeds_are_told_as_deeds(key: str) -> None:
    """A planted deed is told as it is written or as a tie; none is told as a slip alone."""
    for mode in MODES:
        line = deeds_told(key, 4, mode)
        assert not line["slip"], (mode, line)
        assert line["deed"] + line["tie"] == line.total() - line["clean"], (mode, line)


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES, ids=words)
def test_the_confusion_table_of_slips(mode: Mode) -> None:
    """A hundred plants of each act in each game; with the hands known, nine of ten that can be read at sight are told."""
    lines: dict[str, Counter[str]] = {}
    for key in sorted(TABLES):
        mine = {act: line for act in ACTS if (line := told(key, act, 100, mode)).total()}
        print("\n", *table(f"{key}: {words(mode)}", mine.items()), sep="\n")
        for act, line in mine.items():
            lines.setdefault(act, Counter()).update(line)
    print("\n", *table(f"all: {words(mode)}", lines.items()), sep="\n")
    if mode[0]:
        assert {act: share(lines[act]) for act in AT_SIGHT if act in lines and share(lines[act]) < 0.9} == {}


@pytest.mark.long
@pytest.mark.parametrize("mode", MODES, ids=words)
def test_the_confusion_table_of_deeds(mode: Mode) -> None:
    """A hundred deeds in each game: 98 of those that show are told as deeds or as ties, none as a slip alone."""
    lines = {key: deeds_told(key, 100, mode) for key in sorted(TABLES)}
    print("\n", *table(f"deeds: {words(mode)}", lines.items(), ("deed", "tie", "slip", "other", "clean")), sep="\n")
    for line in lines.values():
        assert not line["slip"]
        assert line["deed"] + line["tie"] >= 0.98 * (line.total() - line["clean"])
