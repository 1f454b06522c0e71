"""Records of which parts are not written down: what is left is judged by itself, and nobody for what is not there."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import check, games
from handrec.judging import Judge
from handrec.record import Record
from tests.tables import Data


def record(game: str, seats: str, options: Data | None = None, **deal: Any) -> Record:
    """A deal out of a game; seats are letters."""
    head = {"format": "handrec", "version": "1.0", "game": game, "options": options or {}, "status": "excerpt"}
    return Record.model_validate({**head, "players": [{"seat": seat} for seat in seats], "deals": [deal]})


def found(one: Record) -> list[tuple[str, str]]:
    """Codes and places within the deal, by both ways of judging."""
    quick, slow = (Judge(games.find, quick).verdict(one) for quick in (True, False))
    assert quick == slow
    return [(each.code, each.pointer.removeprefix("/deals/0")) for each in check(one).findings]


def sheet(trump: str | None, *bids: Any, seats: str = "NESW", options: Data | None = None, **more: Any) -> Record:
    """A sheet of La Bâtarde; without more, of five cards a hand."""
    claimed = {"bids": dict(zip(seats, bids, strict=True))} | ({"trump": trump} if trump else {})
    return record("batarde", seats, options, dealer=seats[-1], **{"cards": 5, "claimed": claimed} | more)


@pytest.mark.parametrize(
    ("how", "trump"),
    [
        *(("bid", trump) for trump in ("S", "Sm", "Ss", "AT", "NT", "Cm")),
        *((how, trump) for how in ("marked", "simple", "first_played") for trump in ("S", "AT", "NT")),
        ("marked", "Sm"),
        ("simple", "Ss"),
    ],
)
def test_trump_of_a_sheet_needs_no_calls_where_there_are_two_packs(how: str, trump: str) -> None:
    """With the pack that is the stronger, or without."""
    options = {"identical_cards": how}
    assert found(sheet(trump, 2, 2, 2, 1, 1, seats="ABCDE", options=options, cards=9)) == []
    assert found(sheet(f"{trump}x", 2, 2, 2, 1, 1, seats="ABCDE", options=options, cards=9)) == [("DEA009", "/claimed/trump")]


@pytest.mark.parametrize(
    ("trump", "bids", "due"),
    [
        ("S", ("2S", "2S", "0S", "3S"), []),
        ("S", (2, 2, "0S", 3), []),
        (None, ("2S", "2S", "0S", "3S"), []),
        ("S", ("2S", "2S", "0H", "3S"), [("SCO004", "/claimed/bids/S")]),
        (None, ("2S", "2S", "0H", "3S"), [("SCO004", "/claimed/bids/S")]),
        ("S", ("2H", "2H", "0H", "3H"), [("DEA009", "/claimed/trump")]),
        ("AT", ("2AT", 2, "0NT", 3), [("SCO004", "/claimed/bids/S")]),
        ("S", ("2S", "2H", "0H", 3), [("SCO004", "/claimed/bids/E"), ("SCO004", "/claimed/bids/S")]),  # as often; trump decides
        ("S", ("2S", "2H", "0H", "3H"), [("DEA009", "/claimed/trump"), ("SCO004", "/claimed/bids/N")]),
    ],
)
def test_a_sheet_is_of_one_mode(trump: str | None, bids: tuple[Any, ...], due: list[tuple[str, str]]) -> None:
    """Everybody calls in the mode that stands at last; what is odd among bids and trump is told."""
    assert sorted(found(sheet(trump, *bids))) == due


def test_a_stated_mode_is_that_of_the_sheet() -> None:
    """The mode that the calls came to is on record; the sheet's bids are not in it."""
    one = sheet(None, "2H", "2H", "0H", "3H", events=[{"do": "contract", "bid": "S", "by": "N"}], status="stopped")
    assert [place for _, place in found(one)] == [f"/claimed/bids/{seat}" for seat in "ENSW"]


def test_a_contract_of_the_batarde_has_no_number() -> None:
    """Whoever writes one is told how it is written."""
    one = record("batarde", "NESW", dealer="W", cards=5, status="stopped", events=[{"do": "contract", "bid": "3AT", "by": "N"}])
    [finding] = check(one).findings
    assert finding.code == "BID002"
    assert finding.message.endswith("(did you mean AT? a contract has no number)")


def bids(*numbers: Any) -> list[Data]:
    """Bids in turn."""
    return [{"do": "bid", "by": seat, "bid": bid} for seat, bid in zip("NESW", numbers, strict=True)]


@pytest.mark.parametrize("game", ["kbabs", "oh_hell"])
def test_bids_may_not_make_the_tricks_whoever_dealt(game: str) -> None:
    """The dealer is not on record, but somebody dealt; of a bid that is missing it cannot be told."""
    turn = {"do": "turn", "card": "4C"}
    made = record(game, "NESW", cards=10, status="stopped", events=[turn, *bids(5, 3, 1, 1)])
    [finding] = check(made).findings
    assert (finding.code, finding.seat) == ("BID003", None)
    assert finding.message == "somebody dealt and bid a number, which with the other bids makes exactly 10"
    assert found(record(game, "NESW", cards=10, status="stopped", events=[turn, *bids(5, 3, 1, 2)])) == []
    assert found(record(game, "NESW", cards=10, status="stopped", events=[turn, *bids(5, 3, 1, 1)[:3]])) == []
    stated = dict(zip("NESW", (5, 3, 1, 1), strict=True))
    assert found(record(game, "NESW", cards=10, claimed={"bids": stated})) == [("BID003", "/claimed/bids")]
    assert found(record(game, "NESW", cards=10, claimed={"bids": stated | {"W": 2}})) == []


def unnamed(hand: list[str] | None, card: str, stock: list[str]) -> Record:
    """Two tricks of two players, of which some plays do not say whose they are."""
    plays = [{"do": "play", "by": "N", "card": "2C"}, {"do": "play", "card": card}]
    plays += [{"do": "play", "by": "E", "card": "4C"}, {"do": "play", "card": "3C"}]
    said = [{"do": "turn", "card": "9H"}, {"do": "bid", "by": "N", "bid": 0}, {"do": "bid", "by": "E", "bid": 1}]
    hands = {"N": ["2C", "3C"]} | ({} if hand is None else {"E": hand})
    aside = {"turnup": ["9H"], "stock": stock + ["??"] * (49 - len(stock))}
    return record("kbabs", "NE", dealer="E", cards=2, hands=hands, aside=aside, events=[*said, *plays])


@pytest.mark.parametrize("hand", [None, ["4C", "??"], ["4C", "?C"], ["4C", "5?"], ["??", "??"], ["??", "5C"]])
def test_a_card_that_is_nowhere_may_be_one_that_nobody_wrote_down(hand: list[str] | None) -> None:
    """Of a hand that is known in part, as of one that is not known at all."""
    assert found(unnamed(hand, "5C", [])) == []


@pytest.mark.parametrize(
    ("hand", "card", "stock"),
    [
        (["4C", "?S"], "5C", []),  # what is not known of the hand is a spade
        (["4C", "6C"], "5C", []),
        (["4C", "??"], "5C", ["5C"]),  # it was not dealt
        (None, "5C", ["5C"]),
    ],
)
def test_a_card_that_cannot_be_in_the_hand_is_told(hand: list[str] | None, card: str, stock: list[str]) -> None:
    """The play is of whoever's turn it is; the card is wrong."""
    assert "PLY001" in {code for code, _ in found(unnamed(hand, card, stock))} | {
        each.code for each in Judge(games.find).verdict(unnamed(hand, card, stock)).findings
    }
