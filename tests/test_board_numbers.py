"""The numbers of a file's boards: where they only count the boards, nobody is found to have dealt out of turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from handrec.formats import Format, Reading, lin, pbn
from handrec.games import find
from handrec.referee import check
from tests.lin_boards import HANDS
from tests.pbn_games import DEAL

#: The seat that deals each of five boards, as their numbers say, and a few that do not.
BY_NUMBER, PRACTICE, SLIPS = "NESWN", "SSSSS", "NESEW"


def in_pbn(dealers: str) -> str:
    return "\n\n".join(f'[Board "{number}"]\n[Dealer "{seat}"]\n{DEAL}' for number, seat in enumerate(dealers, 1)) + "\n"


def in_lin(dealers: str) -> str:
    boards = ((number, "SWNE".index(seat) + 1) for number, seat in enumerate(dealers, 1))
    return "\n".join(f"qx|o{number}|st||md|{dealer}{HANDS[1:]}|ah|Board {number}|pg||" for number, dealer in boards)


FORMATS = pytest.mark.parametrize(("form", "text"), [(pbn.FORMAT, in_pbn), (lin.FORMAT, in_lin)], ids=["pbn", "lin"])


def found(readings: Iterator[Reading]) -> list[list[str]]:
    """What is wrong with each board, as the reader and as the referee say."""
    return [
        [finding.code for finding in (*reading.findings, *check(reading.record, find).findings)]
        for reading in readings
        if reading.record
    ]


@FORMATS
def test_boards_that_go_by_their_numbers(form: Format, text: Callable[[str], str]) -> None:
    assert found(form.read(text(BY_NUMBER).encode(), "a")) == [[]] * 5


@FORMATS
def test_boards_that_are_only_counted_are_told_once(form: Format, text: Callable[[str], str]) -> None:
    data = text(PRACTICE).encode()
    assert found(form.read(data, "a")) == [["FMT018"], [], [], [], []]
    for number, reading in enumerate(form.read(data, "a"), 1):
        assert reading.record
        deal = reading.record.deals[0]
        assert (deal.number, deal.board, deal.dealer) == (number, None, "S")
        assert "board" not in deal.model_fields_set


@FORMATS
def test_two_slips_of_five_are_slips(form: Format, text: Callable[[str], str]) -> None:
    assert found(form.read(text(SLIPS).encode(), "a")) == [[], [], [], ["DEA006"], ["DEA006"]]
