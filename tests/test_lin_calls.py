"""The reader of LIN: what calls come to, and whether claims and results can be those of the board."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.formats.boards import excerpt
from handrec.formats.lin.reading import PASSED, LinContract, came_to
from handrec.games.bridge import GAME
from handrec.phases.contracts import Outcome
from handrec.record import Deal
from handrec.referee import replay
from tests.lin_boards import CALLS, HANDS, ROOMS, SHORT, bids_of, deal_of, judged, only, read, rest_of, told

# --- the auction ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("calls", "heard", "contract"),
    [
        ("1S p 4S p p p", "1S pass 4S pass pass pass", LinContract("4S", "S")),
        ("1H 2C p 3C p p p", "1H 2C pass 3C pass pass pass", LinContract("3C", "W")),
        ("p p 1n p 2h p 2n p 3h p p p", "pass pass 1NT pass 2H pass 2NT pass 3H pass pass pass", LinContract("3H", "S")),
        ("1C 1D d r p p 1H d p p p", "1C 1D X XX pass pass 1H X pass pass pass", LinContract("1Hx", "N")),
        ("1NT! dbl!? rdbl pass pass! pass", "1NT X XX pass pass pass", LinContract("1NTxx", "S")),
        ("7N x xx p p p", "7NT X XX pass pass pass", LinContract("7NTxx", "S")),
        ("p p p p", "pass pass pass pass", LinContract("pass", None)),
        ("p p p 1C p p p", "pass pass pass 1C pass pass pass", LinContract("1C", "E")),
    ],
)
def test_what_an_auction_comes_to(calls: str, heard: str, contract: LinContract) -> None:
    for written in ("".join(f"mb|{call}|" for call in calls.split()), f"mb|{calls.replace(' ', '')}|", f"mb|{calls}|".upper()):
        reading = only(f"md|1{HANDS[1:]}|{written}")
        assert reading.findings == ()
        assert judged(reading).findings == ()
        assert bids_of(reading) == f"S: {heard}"
        assert rest_of(reading) == []
        assert came_to(heard.split(), "S") == contract
    # without the dealer it is not known who called, nor who declares
    unknown = only(f"md|0{HANDS[1:]}|mb|{calls.replace(' ', '')}|")
    assert deal_of(unknown)["events"] == ([{"do": "contract", "bid": contract.bid}] if contract.by else [])
    assert "dealer" not in deal_of(unknown)
    assert unknown.record
    assert "".join(call for tag, call, _ in unknown.record.extensions["lin"] if tag == "mb") == re.sub(
        "NT", "N", heard.replace("pass", "p").replace("XX", "r").replace("X", "d").replace(" ", "")
    ).replace("1Nd", "1N!d!" if "!" in calls else "1Nd").replace("rpp", "rpp!" if "!" in calls else "rpp")


def test_alerts_and_what_calls_were_said_to_mean() -> None:
    calls = "mb|1N!|an|15 to 17|mb|p!|nt|a remark|mb|2C|an|Stayman|an|or not|mb|d!!|an||an|for the lead|mb|p|an||mb|?|mb|p|an|x|"
    reading = only(f"nt|Welcome|md|1{HANDS[1:]}|{calls}")
    assert reading.findings == ()
    assert bids_of(reading) == "S: 1NT pass 2C X pass ? pass"
    assert deal_of(reading)["comments"] == [
        {"text": "Welcome"},
        {"text": "15 to 17", "event": 1, "kind": "alert"},
        {"text": "", "event": 2, "kind": "alert"},
        {"text": "a remark", "event": 2},
        {"text": "Stayman", "event": 3, "kind": "explanation"},
        {"text": "or not", "event": 3, "kind": "explanation"},
        {"text": "", "event": 4, "kind": "alert"},
        {"text": "for the lead", "event": 4, "kind": "explanation"},
        {"text": "x", "event": 7, "kind": "explanation"},
    ]


#: calls, which of them cannot be, what the referee says of it, and the contract they come to as they stand
IMPOSSIBLE = [
    ("1S 1H p p p", 2, "BID023", "1H"),
    ("1S 1S p p p", 2, "BID023", "1S"),
    ("1S p d p p p", 3, "BID024", "1Sx"),
    ("d p p p", 1, "BID024", None),
    ("1S d d p p p", 3, "BID024", "1Sx"),
    ("1S r p p p", 2, "BID025", "1Sxx"),
    ("1S d p r p p p", 4, "BID025", "1Sxx"),
    ("1S p p p p", 5, "BID016", "1S"),
    ("p p p p p", 5, "BID016", "pass"),
    ("1S p p p 2H", 5, "BID016", "1S"),
]


@pytest.mark.parametrize(("calls", "wrong", "code", "contract"), IMPOSSIBLE, ids=[row[0] for row in IMPOSSIBLE])
def test_an_auction_that_cannot_be_is_for_the_referee(calls: str, wrong: int, code: str, contract: str | None) -> None:
    """It is read as it stands, and found where it stands."""
    words = calls.split()
    text = f"md|1{HANDS[1:]}|\n" + "".join(f"mb|{call}|" for call in words)
    column = sum(len(f"mb|{call}|") for call in words[: wrong - 1]) + 4
    reading = only(text)
    assert reading.findings == ()
    heard = bids_of(reading).split()[1:]
    assert len(heard) == len(words)
    assert (came_to(heard, "S") or LinContract("", None)).bid == (contract or "")
    [finding] = judged(reading).findings
    assert (finding.code, str(reading.placed(finding).location)) == (code, f"boards/x.lin:2:{column}")


def test_what_is_no_call_is_told_and_what_follows_is_not_certain() -> None:
    reading = only(f"md|1{HANDS[1:]}|\nmb|1S|mb|p|mb|p|mb|8C|mb|p|an|of what?|")
    assert told([reading]) == ["2:20 '8' is no call"]
    assert bids_of(reading) == "S: 1S pass pass"
    assert reading.record
    assert reading.record.extensions["lin"] == [["an", "of what?", 3]]


def test_cards_without_a_contract() -> None:
    for calls, code in (("mb|p|mb|1S|mb|p|mb|p|", "BID006"), ("mb|pppp|", "BID030")):
        reading = only(SHORT.replace(CALLS, calls))
        assert reading.findings == ()
        assert [event["do"] for event in rest_of(reading)] == ["play"] * 4
        assert [finding.code for finding in judged(reading).findings] == [code]
    late = SHORT + "mb|p|"
    assert told(read(late)) == [f"{late.count(chr(10)) + 1}:4 a call comes after the first card"]
    stated = SHORT.replace(CALLS, "rs|4SS=|")
    assert told(read(stated)) == []
    assert deal_of(only(stated))["events"][0] == {"do": "contract", "by": "S", "bid": "4S"}
    assert deal_of(only(stated))["claimed"] == {"sides": {"NS": {"tricks": 10}}}


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
    assert (finding.code, finding.deal) == ("FMT017", 2)
    assert deal_of(only(text))["status"] == "claimed"
    assert deal_of(only(text))["events"][-1]["do"] == "play"
    assert told(read(SHORT + "mc|14|")) == ["4:4 '14' is no number of tricks from 0 to 13"]
    assert told(read(SHORT + "mc|9|mc|9|")) == []
    assert told(read(SHORT + "mc|9|mc|8|")) == ["4:9 8 tricks are claimed after 9 were"]


def test_a_claim_before_the_first_card_and_one_after_which_the_play_went_on() -> None:
    before = only(SHORT.split("pc|")[0] + "mc|11|")
    assert rest_of(before) == [{"do": "claim", "by": "S", "tricks": {"S": 11, "W": 2}}]
    assert judged(before).findings == ()
    after = only(SHORT + "mc|11|pc|SA|")
    assert [finding.code for finding in judged(after).findings] == ["PLY006"]
    assert str(after.placed(judged(after).findings[0]).location) == "boards/x.lin:4:10"


#: a result of the first board's open room, or of the last board's closed room, and what the referee says of it
RESULTS = [
    ("2CS=,", "2CS+1,", "TRK002 NS is recorded with 9 tricks, but won 8"),
    ("2CS=,", "3CS-1,", "BID028 3C"),
    ("2CS=,", "2CN=,", "BID029 N"),
    ("2CS=,", "2CxS=,", "BID028 2Cx"),
    ("2CS=,", "2CSx=,", "BID028 2Cx"),
    ("2CS=,", "2CxSx=,", "FMT001 '2CxSx='"),
    ("2CS=,", "2CSxxx=,", "FMT001 '2CSxxx='"),
    ("2CS=,", "PASS,", "BID028 pass"),
    (",PASS", ",1NE=", "BID028 1NT"),
    ("2CS=,", "2CS-9,", "FMT001 '2CS-9'"),
    ("2CS=,", "2 hearts,", "FMT001 '2hearts'"),
]


@pytest.mark.parametrize(("old", "new", "said"), RESULTS, ids=[row[1] for row in RESULTS])
def test_a_result_that_is_not_that_of_the_play(old: str, new: str, said: str) -> None:
    """What is no result is told by the reader, and what another result is by the referee: where it stands."""
    assert old in ROOMS
    text = ROOMS.replace(old, new, 1)
    column = text.splitlines()[1].index(new.strip(",")) + 1
    readings = read(text)
    found = [reading.placed(one) for reading in readings for one in (*reading.findings, *judged(reading).findings)]
    assert [str(one.location) for one in found] == [f"boards/x.lin:2:{column}"]
    code, what = said.split(" ", 1)
    assert found[0].code == code
    assert what in found[0].message


@pytest.mark.parametrize("given", ["ADJ", "Ave+", "A50", "60%", "average", "not played", "N/P", "??", "-", "0"])
def test_a_score_that_was_given_is_no_result_and_nothing_is_wrong_with_it(given: str) -> None:
    """Nothing of the play is compared with it; it stays as it is written."""
    assert "2CS=," in ROOMS
    readings = read(ROOMS.replace("2CS=,", f"{given},", 1))
    assert [one for reading in readings for one in (*reading.findings, *judged(reading).findings)] == []
    kept = readings[0].record
    assert kept
    assert any(tag == "rs" and value.startswith(given) for tag, value, *_ in kept.extensions["lin"])


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
    assert deal_of(reading)["claimed"] == {"sides": {"NS" if declarer in "NS" else "EW": {"tricks": tricks}}}
    other = judged(only(text + f"mc|{13 - tricks or 1}|")).findings
    assert [finding.facts["found"] for finding in other if finding.code == "TRK002"] == [tricks]


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
        contract, *_, claim = rest_of(readings[place])
        assert contract == {"do": "contract", "by": stated[3], "bid": f"{stated[1]}{stated[2].replace('N', 'NT')}{stated[4]}"}
        assert claim["do"] == "claim"
        assert record.deals[0].number == 46 + place // 2


def test_results_that_could_be_of_any_board_are_not_compared() -> None:
    next_match = ROOMS + SHORT.replace("pn|", "vg|a,b,I,7,8,c,0,d,0|pn|", 1).replace("st||", "qx|o7|st||", 1) + "mc|11|"
    assert told(read(next_match)) == []
    for text in (
        ROOMS.replace("vg|", "zz|"),
        ROOMS.replace(",7,8,", ",7,9,"),
        ROOMS.replace("|o7|", "|7|").replace("2CS=", "7NN="),
    ):
        first = read(text)[0]
        assert told([first]) == []
        assert [event["do"] for event in rest_of(first)] == ["play"] * 52
        assert "claimed" not in deal_of(first)
    one_room = only(SHORT.replace("pn|", "vg|a,b,P,1,3,c,0,d,0|rs|1NN=,4SS=,1NN=,|pn|", 1) + "mc|11|")
    [finding] = judged(one_room).findings
    assert (finding.code, str(one_room.placed(finding).location)) == ("TRK002", "boards/x.lin:1:30")


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(["pass", "pass", "X", "XX", "1C", "1D", "2C", "3NT", "7NT"]), max_size=12), st.sampled_from("NESW")
)
def test_what_calls_come_to_is_what_the_referee_makes_of_them_where_all_may_be_made(calls: list[str], dealer: str) -> None:
    """The reader needs the declarer for claims; it takes calls as they stand, so where they may be made both must agree."""
    turn, calls = "NESW".index(dealer), [*calls, *["pass"] * (3 if set(calls) - {"pass"} else 4 - len(calls))]
    bids = [{"do": "bid", "by": "NESW"[(turn + place) % 4], "bid": call} for place, call in enumerate(calls)]
    deal = Deal.model_validate({"dealer": dealer, "status": "stopped", "events": bids})
    table = replay(excerpt("x", 1, [deal], {}), GAME)[0]
    outcome = table.kept.get(Outcome)
    if table.findings or not isinstance(outcome, Outcome):
        return
    found = came_to(calls, dealer)
    if outcome.level == 0:
        assert found == PASSED
    else:
        declarer = table.seats[outcome.declarer] if outcome.declarer is not None else None
        assert found == LinContract(f"{outcome.level}{outcome.strain}{'x' * outcome.risk}", declarer)
