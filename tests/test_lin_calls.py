"""The reader of LIN: what calls come to, and whether claims and results can be those of the board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.lin_boards import CALLS, HANDS, ROOMS, SHORT, deal_of, judged, only, place_of, read, told

# --- the auction ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "contract"),
    [
        ("1S p 4S p p p", {"by": "S", "bid": "4S"}),
        ("1H 2C p 3C p p p", {"by": "W", "bid": "3C"}),
        ("p p 1n p 2h p 2n p 3h p p p", {"by": "S", "bid": "3H"}),  # South named hearts first
        ("1C 1D d r p p 1H d p p p", {"by": "N", "bid": "1Hx"}),
        ("1NT! dbl!? rdbl pass pass! pass", {"by": "S", "bid": "1NTxx"}),
        ("7N x xx p p p", {"by": "S", "bid": "7NTxx"}),
        ("p p p p", None),
        ("p p p 1C p p p", {"by": "E", "bid": "1C"}),
    ],
)
def test_what_an_auction_comes_to(calls: str, contract: dict[str, str] | None) -> None:
    for written in ("".join(f"mb|{call}|" for call in calls.split()), f"mb|{calls.replace(' ', '')}|", f"mb|{calls}|".upper()):
        reading = only(f"md|1{HANDS[1:]}|{written}")
        assert reading.findings == ()
        assert deal_of(reading)["events"] == ([{"do": "contract", **contract}] if contract else [])
    if contract:  # without the dealer it is not known who declares
        unknown = only(f"md|0{HANDS[1:]}|mb|{calls.replace(' ', '')}|")
        assert deal_of(unknown)["events"] == [{"do": "contract", "bid": contract["bid"]}]
        assert "dealer" not in deal_of(unknown)


@pytest.mark.parametrize(
    ("calls", "wrong", "why", "contract"),
    [
        ("1S 1H p p p", 2, "1H is no higher than 1S", None),
        ("1S 1S p p p", 2, "1S is no higher than 1S", None),
        ("1S p d p p p", 3, "X doubles no bid of the other side", None),
        ("d p p p", 1, "X doubles no bid of the other side", None),
        ("1S d d p p p", 3, "X doubles no bid of the other side", None),
        ("1S r p p p", 2, "XX redoubles no double of the other side", None),
        ("1S d p r p p p", 4, "XX redoubles no double of the other side", None),
        ("1S p p p p", 5, "P is called when the auction is over", "1S"),
        ("p p p p p", 5, "P is called when the auction is over", None),
        ("1S p p p 2H", 5, "2H is called when the auction is over", None),
        ("1S p p 8C p", 4, "'8' is no call", None),
    ],
)
def test_an_auction_that_cannot_be(calls: str, wrong: int, why: str, contract: str | None) -> None:
    words = calls.split()
    text = f"md|1{HANDS[1:]}|\n" + "".join(f"mb|{call}|" for call in words)
    column = sum(len(f"mb|{call}|") for call in words[: wrong - 1]) + 4
    assert told(read(text)) == [f"2:{column} {why}"]
    assert [event["bid"] for event in deal_of(only(text))["events"]] == ([contract] if contract else [])


def test_cards_without_a_contract() -> None:
    unended, passed = SHORT.replace(CALLS, "mb|1S|mb|p|mb|p|"), SHORT.replace(CALLS, "mb|pppp|")
    assert told(read(unended)) == [f"{place_of(unended, 'HQ|')} a card is played before the auction is over"]
    assert deal_of(only(unended))["events"][0]["bid"] == "1S"
    assert told(read(passed)) == [f"{place_of(passed, 'HQ|')} a card is played though all passed"]
    late = SHORT + "mb|p|"
    assert told(read(late)) == [f"{late.count(chr(10)) + 1}:4 a call comes after the first card"]
    stated = SHORT.replace(CALLS, "rs|4SS=|")
    assert told(read(stated)) == []
    assert deal_of(only(stated))["events"][0] == {"do": "contract", "by": "S", "bid": "4S"}


# --- claims and results ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("claim", "tricks"), [(13, {"S": 12, "W": 0}), (10, {"S": 9, "W": 3}), (1, {"S": 0, "W": 12})])
def test_any_claim_that_can_be(claim: int, tricks: dict[str, int]) -> None:
    for more in ("", "pc|SA|", "pc|SA|pc|S6|pc|S8|"):  # in the middle of a trick, that trick counts among the rest
        reading = only(f"{SHORT}{more}mc|{claim}|")
        assert reading.findings == ()
        assert deal_of(reading)["events"][-1] == {"do": "claim", "by": "S", "tricks": tricks}


def test_a_claim_that_cannot_be() -> None:
    text = SHORT + "mc|0|"
    [finding] = only(text).findings
    assert told(read(text)) == ["4:4 declarer cannot take 0 tricks in all: 1 are won and 12 are left"]
    assert (finding.code, finding.deal) == ("FMT017", 7)
    assert deal_of(only(text))["status"] == "claimed"
    assert deal_of(only(text))["events"][-1]["do"] == "play"
    assert told(read(SHORT + "mc|14|")) == ["4:4 '14' is no number of tricks from 0 to 13"]
    assert told(read(SHORT + "mc|9|mc|9|")) == []
    assert told(read(SHORT + "mc|9|mc|8|")) == ["4:9 8 tricks are claimed after 9 were"]


def test_a_claim_before_the_first_card_and_one_after_which_the_play_went_on() -> None:
    before = only(SHORT.split("pc|")[0] + "mc|11|")
    assert deal_of(before)["events"][1:] == [{"do": "claim", "by": "S", "tricks": {"S": 11, "W": 2}}]
    assert judged(before).findings == ()
    after = only(SHORT + "mc|11|pc|SA|")
    assert [finding.code for finding in judged(after).findings] == ["PLY006"]
    assert str(after.placed(judged(after).findings[0]).location) == "boards/x.lin:4:10"


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("2CW=,", "2CW+1,", "EW is recorded with 9 tricks, but won 8"),
        ("2CW=,", "3CW-1,", "the result is of 3C by W, but the auction came to 2C by W"),
        ("2CW=,", "2CE=,", "the result is of 2C by E, but the auction came to 2C by W"),
        ("2CW=,", "2CxW=,", "the result is of 2Cx by W, but the auction came to 2C by W"),
        ("2CW=,", "2CWx=,", "the result is of 2Cx by W, but the auction came to 2C by W"),
        ("2CW=,", "2CxWx=,", "'2CxWx=' is no result"),
        ("2CW=,", "2CWxxx=,", "'2CWxxx=' is no result"),
        ("2CW=,", "PASS,", "the result is of four passes, but the auction came to 2C by W"),
        (",PASS", ",1NE=", "the result is of 1NT by E, but the auction came to four passes"),
        ("2CW=,", "2CW-9,", "'2CW-9' is no result"),
        ("2CW=,", "2 hearts,", "'2hearts' is no result"),
    ],
)
def test_a_result_that_is_not_that_of_the_play(old: str, new: str, why: str) -> None:
    text = ROOMS.replace(old, new, 1)
    entry = new.strip(",")
    column = text.splitlines()[1].index(entry) + 1
    assert told(read(text)) == [f"2:{column} {why}"]


@pytest.mark.parametrize(
    ("result", "bid", "declarer", "tricks"),
    [
        ("4SWx-4", "4Sx", "W", 6), ("4SxW-4", "4Sx", "W", 6), ("5DNx-2", "5Dx", "N", 9), ("5DxN-2", "5Dx", "N", 9),
        ("1NEXX+1", "1NTxx", "E", 8), ("1nTxxe+1", "1NTxx", "E", 8), ("7CSxx=", "7Cxx", "S", 13), ("3N N =", "3NT", "N", 9),
    ],
)  # fmt: skip
def test_a_result_with_its_doubling_before_or_after_the_declarer(result: str, bid: str, declarer: str, tricks: int) -> None:
    """Broadcasts write 4SWx-4; others 4SxW-4. Both say contract, declarer and tricks."""
    text = f"md|{HANDS}|rs|{result}|" + "pc|HQ|pc|H5|pc|H2|pc|HA|"
    reading = only(text)
    assert reading.findings == ()
    assert deal_of(reading)["events"][0] == {"do": "contract", "by": declarer, "bid": bid}
    said = [finding.facts["found"] for finding in only(text + f"mc|{13 - tricks or 1}|").findings if finding.code == "TRK002"]
    assert said == ([] if tricks * 2 == 13 else [tricks])


def test_the_broadcast_is_read_with_its_results() -> None:
    """Fifteen boards in two rooms: each is read without a word, and claims what its room's result says."""
    path = Path(__file__).parents[2] / "shared/data/vugraph_30.lin"
    if not path.exists():
        pytest.skip(f"the broadcast is not at {path}")
    text = path.read_text("latin-1")
    readings = read(text)
    assert [reading.findings for reading in readings] == [()] * 30
    results = text.split("rs|")[1].split("|")[0].split(",")
    rooms = [reading.record for reading in readings if reading.record]
    assert [judged(reading).findings for reading in readings if reading.record] == [()] * 30
    for place, record in enumerate(rooms):
        stated = re.fullmatch("(.)(.)(.)(x*)(.*)", results[place])
        assert stated
        contract, *_, claim = deal_of(readings[place])["events"]
        assert contract == {"do": "contract", "by": stated[3], "bid": f"{stated[1]}{stated[2].replace('N', 'NT')}{stated[4]}"}
        assert claim["do"] == "claim"
        assert record.deals[0].number == 46 + place // 2


def test_results_that_could_be_of_any_board_are_not_compared() -> None:
    next_match = ROOMS + SHORT.replace("pn|", "vg|a,b,I,7,8,c,0,d,0|pn|", 1).replace("st||", "qx|o7|st||", 1) + "mc|11|"
    assert told(read(next_match)) == []
    for text in (
        ROOMS.replace("vg|", "zz|"),
        ROOMS.replace(",7,8,", ",7,9,"),
        ROOMS.replace("|o7|", "|7|").replace("2CW=", "7NN="),
    ):
        assert told(read(text)) == []
    one_room = SHORT.replace("pn|", "vg|a,b,P,6,8,c,0,d,0|rs|1NN=,4SS=,1NN=,|pn|", 1) + "mc|11|"
    assert told(read(one_room)) == ["1:30 NS is recorded with 10 tricks, but won 11"]
