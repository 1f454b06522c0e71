"""The auction of contract bridge: every rule broken and obeyed, what stands and what does not, and what is stated of it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from handrec.dealing import deal_game
from handrec.games import find
from handrec.phases.board import BOARDS, Vulnerable
from handrec.phases.contracts import Outcome
from handrec.record import Record
from handrec.referee import check, replay
from tests.games.test_bridge import HANDS, PLAYS, REST
from tests.tables import Data, codes, deal, game, insert, levels, places, put, reasons, verdict

BRIDGE = find("bridge")
assert BRIDGE is not None

#: West leads to South's spades, as in PLAYS; East deals.
SOUND = "E pass, S 1S, W pass, N 4S, E pass, S pass, W pass"


def calls(text: str) -> list[Data]:
    """`"N 1H, E X, E -X"` as calls; a call after a minus is taken back."""
    found: list[Data] = []
    for by, bid in re.findall(r"([NESW]) (\S+?)(?:,|;|$)", text):
        found.append({"do": "withdraw", "by": by, "bid": bid[1:]} if bid[0] == "-" else {"do": "bid", "by": by, "bid": bid})
    return found


def board(auction: str, plays: str = PLAYS, *, contract: str = "", options: dict[str, Any] | None = None, **fields: Any) -> Data:
    """A board: its calls, then a contract such as `"4Sx S"` if one is stated, then four tricks."""
    played = deal(hands=HANDS, plays=plays, **{"status": "claimed" if plays else "complete", "dealer": "E", **fields})
    bid, _, by = contract.partition(" ")
    stated = [{"do": "contract", **({"by": by} if by else {}), "bid": bid}] if contract else []
    played["events"] = [*calls(auction), *stated, *played["events"]]
    return game("bridge", "N E S W", played, options=options)


def found(data: Data) -> list[tuple[str, str, str | None, str]]:
    """Code, rule, seat and place within the deal of all that is wrong."""
    faults = [finding for finding in verdict(data).findings if finding.severity != "info"]
    return [(code, rule, seat, spot[8:]) for code, rule, _, _, seat, spot in places(faults)]


def came(data: Data) -> str:
    """What was played, by whom: `4Sx S`."""
    assert BRIDGE is not None
    [table] = replay(Record.model_validate(data), BRIDGE)
    outcome: Outcome | None = table.kept.get(Outcome)
    if outcome is None:
        return "?"
    return f"{outcome.level}{outcome.strain}{'x' * outcome.risk} {table.seat(outcome.declarer) or '?'}"


# --- sound auctions -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("auction", "outcome"),
    [
        (SOUND, "4S S"),
        ("E 1H, S 1S, W 2H, N 2S, E pass, S pass, W pass", "2S S"),
        ("E pass, S 1S, W X, N XX, E pass, S pass, W pass", "1Sxx S"),
        ("E pass, S 1C, W pass, N 1S, E pass, S 2S, W X, N pass, E pass, S pass", "2Sx N"),
        ("E 1H, S X, W 2H, N 2S, E X, S pass, W 3H, N pass, E pass, S pass", "3H E"),
        ("E 1NT, S pass, W pass, N X, E pass, S pass, W XX, N pass, E pass, S pass", "1NTxx E"),
    ],
)
def test_what_the_calls_come_to(auction: str, outcome: str) -> None:
    """BR-17, BR-18, BR-19, BR-22: declarer is who first named the strain for the side that made the last bid."""
    told = verdict(board(auction, "", status="stopped"))
    assert codes(told) == []
    assert came(board(auction, "", status="stopped")) == outcome
    assert levels(told)[1] == "p"


def test_a_whole_board() -> None:
    told = verdict(board(SOUND, PLAYS + REST, status="complete", contract="4S S", leader="W"))
    assert told.findings == ()
    assert levels(told) == "ppp??"
    assert told.deals[0].order == "S"
    assert told.deals[0].bids == {}


# --- each rule broken once ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("auction", "fault", "outcome"),
    [
        ("E pass, S 1S, N 4S, E pass, S pass, W pass", ("BID001", "BR-17", "N", 2), "4S S"),  # accepted: 29A
        ("E pass, W pass, S 1S, W pass, N 4S, E pass, S pass, W pass", ("BID001", "BR-17", "W", 1), "4S S"),  # 29B
        ("E pass, N 1H, S 1S, W pass, N 4S, E pass, S pass, W pass", ("BID001", "BR-17", "N", 1), "4S S"),
        ("S 1S, W pass, N 4S, E pass, S pass, W pass", ("BID033", "BR-17", None, 0), "4S S"),
        ("N 1C, E pass, S 4S, W pass, N pass, E pass", ("BID033", "BR-17", None, 0), "4S S"),
        ("E pass, S 1S, W pass, N 4S, S pass, W pass", ("BID001", "BR-17", "S", 4), "4S S"),
        ("W 1H, E pass, S 1S, W pass, N 4S, E pass, S pass, W pass", ("BID001", "BR-17", "W", 0), "4S S"),  # 28B
        ("E pass, S 1S, N pass, N 4S, E pass, S pass, W pass", ("BID001", "BR-17", "N", 2), "4S S"),  # under another seat
        ("E pass, S 1S, N 4S, W pass, E pass, S pass, W pass", ("BID001", "BR-17", "N", 2), "4S S"),  # two exchanged
        ("E pass, S 1S, W pass, N 4S, E pass, S pass, N pass", ("BID001", "BR-17", "N", 6), "4S S"),
        ("E pass, S 1S, W 1H, N 4S, E pass, S pass, W pass", ("BID023", "BR-18", "W", 2), "4S S"),  # accepted: 27A
        ("E 2S, S 1S, W pass, N pass, E pass", ("BID023", "BR-18", "S", 1), "1S S"),
        ("E 1S, S 1S, S 2S, W pass, N pass, E pass", ("BID023", "BR-18", "S", 1), "2S S"),  # mended
        ("E 1C, S 8C, S 4S, W pass, N pass, E pass", ("BID026", "BR-18", "S", 1), "4S S"),
        ("E pass, S 1S, W pass, N X, E pass, S pass, W pass", ("BID024", "BR-19a", "N", 3), "1S S"),  # 36C
        ("E pass, S 1S, W X, N X, E pass, S pass, W pass", ("BID024", "BR-19a", "N", 3), "1Sx S"),
        ("E pass, S 1S, W pass, N X, E XX, S pass, W pass, N pass", ("BID024", "BR-19a", "N", 3), "1S S"),
        ("E pass, S 1S, W pass, N XX, E pass, S pass, W pass", ("BID025", "BR-19b", "N", 3), "1S S"),
        ("E pass, S 1S, W X, N XX, E pass, S XX, W pass, N pass, E pass", ("BID025", "BR-19b", "S", 5), "1Sxx S"),
        ("E 1H, S 1S, W 1H, W -1H, W pass, N 2S, E 3H, S 3S, W pass, N pass, E pass", ("BID027", "BR-19c", "E", 6), "3S S"),
        (f"{SOUND}, N pass", ("BID016", "BR-22b", "N", 7), "4S S"),
        (f"{SOUND}, N 5S, E X, S pass, W pass", ("BID016", "BR-22b", "N", 7), "4S S"),
        ("E pass, S 1S, W pass, N 4S, E pass, S pass", ("BID006", "BR-22b", "W", 6), "4S S"),
        ("E pass, S 1S, W pass, N four, N 4S, E pass, S pass, W pass", ("BID002", "BR-18", "N", 3), "4S S"),
        (f"E pass, S -1S, {SOUND[8:]}", ("BID032", "BR-25", "S", 1), "4S S"),
        ("E pass, S 1S, W pass, S -1S, N 4S, E pass, S pass, W pass", ("BID032", "BR-25", "S", 3), "4S S"),
    ],
)
def test_one_fault_is_one_finding(auction: str, fault: tuple[str, str, str | None, int], outcome: str) -> None:
    """With a play after it: one finding, with its seat and its Law, and the play is judged by what the table played."""
    data = board(auction)
    code, rule, seat, place = fault
    part = {"BID001": "/by", "BID006": "", "BID032": "", "BID033": ""}.get(code, "/bid")
    assert found(data) == [(code, rule, seat, f"/events/{place}{part}")]
    assert came(data) == outcome


@pytest.mark.parametrize(
    ("auction", "fault"),
    [
        ("E pass, S 1S, W pass, N X, E 2H, S 1C, W pass", ("BID024", "N", "/events/3/bid")),
        ("E 1H, S XX, W 1C, N 1C", ("BID025", "S", "/events/1/bid")),
        ("E 1H, S 8C, W 1C, N 1C, E pass", ("BID026", "S", "/events/1/bid")),
        ("E pass, S 1S, W pass", ("BID006", "N", "/events/2")),
    ],
)
def test_without_a_play_what_follows_is_cancelled(auction: str, fault: tuple[str, str, str]) -> None:
    """36B, 38B: nothing in a cancelled stretch is a fault of anybody; 22: a whole deal has a whole auction."""
    assert [(code, seat, spot) for code, _, seat, spot in found(board(auction, ""))] == [fault]


def test_three_passes_one_of_them_out_of_turn() -> None:
    """34, 17D3: they do not end the auction; the player who was passed over calls."""
    begun = "E pass, S 1S, N pass, E pass, S pass"
    assert [code for code, *_ in found(board(begun))] == ["BID001"]
    told = board(f"{begun}, W 2H, N pass, E pass, S pass", "")
    assert ([code for code, *_ in found(told)], came(told)) == (["BID001"], "2H W")


@pytest.mark.parametrize(
    ("auction", "remarks"), [("E pass, S 1S, W 1H, W -1H, W 2H, N 4S, E pass, S pass, W pass", ["BID031"]),
                             ("E pass, S 1C, S -1C, S 1S, W pass, N 4S, E pass, S pass, W pass", []),
                             ("E pass, N 1C, N -1C, S 1S, W pass, N 4S, E pass, S pass, W pass", ["BID031"])],
)  # fmt: skip
def test_a_call_taken_back_was_not_made(auction: str, remarks: list[str]) -> None:
    """BR-25: what was wrong with it becomes a remark."""
    data = board(auction)
    assert (found(data), came(data)) == ([], "4S S")
    assert [finding.code for finding in verdict(data).findings] == remarks


@pytest.mark.parametrize(
    ("auction", "faults"),
    [
        ("E 1H, S 1C, S -1C, S pass, W pass, N 1S, E pass, S pass, W pass", ["N 1S"]),  # 27B2
        ("E 1H, S 1C, S -1C, S 2C, W pass, N 2S, E pass, S pass, W pass", []),  # 27B1
        ("E 1H, S 1C, S -1C, S X, S -X, S 2C, W pass, N 2S, E pass, S pass, W pass", ["N 2S"]),  # 27B3
        ("E 1H, S 1C, S -1C, S X, W pass, N 1S, E pass, S pass, W pass", []),  # it may mean as much
        ("E pass, S 1S, W pass, N X, N -X, N 2S, E pass, S 4S, W pass, N pass, E pass", ["S 4S"]),  # 36B2
        ("E pass, S 1S, W pass, N XX, N -XX, N 2S, E X, S pass, W pass, N 3S, E pass, S pass, W pass", []),
        ("E 1H, S 8C, S -8C, S pass, W pass, N 1S, E pass, S pass, W pass", ["N 1S"]),  # 38B
        ("E 1H, S 8C, S -8C, S pass, W 2H, N pass, E 3H, S X, W pass, N pass, E pass", ["S X"]),
        ("E 1H, S 8C, S -8C, S 1S, W pass, N 2S, E pass, S pass, W pass", []),  # a slip of the pen
        ("E 1H, S 1S, W X, N XX, N -XX, N pass, E pass, S 2C, W pass, N pass, E pass", []),  # which could be made
    ],
)
def test_who_must_pass_for_what_the_partner_put_right(auction: str, faults: list[str]) -> None:
    """BR-19c: the partner of who corrects a call so, and both after a bid above seven, pass until the auction is over."""
    data = board(auction, "")
    told = [finding for finding in verdict(data).findings if finding.severity != "info"]
    assert [finding.code for finding in told] == ["BID027"] * len(faults)
    assert [f"{finding.seat} {finding.facts['bid']}" for finding in told] == faults


@pytest.mark.parametrize("led", [True, False])
@pytest.mark.parametrize(
    ("auction", "faults", "outcome"),
    [
        ("E pass, S 1S, W pass, N X, E pass, N 2S, E pass, S pass, W pass", ["BID024 N"], "2S N"),
        ("E pass, S 1S, W pass, N XX, E 2C, S 3S, N 2S, E pass, S pass, W pass", ["BID025 N"], "2S S"),
        ("E pass, S 1S, W pass, N X, E pass, N X, N 2S, E pass, S pass, W pass", ["BID024 N", "BID024 N"], "2S S"),
        ("E pass, S 1S, W pass, N X, E pass, N 2S, E pass, N pass, S pass, W pass", ["BID024 N", "BID001 N"], "2S S"),
    ],
)
def test_an_auction_reverts_to_who_doubled_wrongly(auction: str, faults: list[str], outcome: str, led: bool) -> None:
    """BR-36A: what was called over a double that could not be made is cancelled with it, if that player then calls again."""
    told = [finding for finding in verdict(board(auction, *([] if led else [""]))).findings if finding.severity != "info"]
    assert [f"{finding.code} {finding.seat}" for finding in told] == faults
    assert came(board(auction, *([] if led else [""]))).startswith(outcome.split()[0])


# --- passed out -----------------------------------------------------------------------------------------------------


def test_all_pass() -> None:
    """BR-22a: nothing is played, and nothing is missing."""
    told = verdict(board("E pass, S pass, W pass, N pass", ""))
    assert (codes(told), levels(told)[:3]) == ([], "ppp")
    assert came(board("E pass, S pass, W pass, N pass", "", contract="pass")) == "0 ?"
    assert found(board("", "", contract="pass")) == []
    played = board("E pass, S pass, W pass, N pass")
    assert found(played) == [("BID030", "BR-22a", "W", "/events/4")]
    assert verdict(played).deals[0].scores == {}
    assert found(board("E pass, S pass, W pass, N pass", contract="pass")) == [("BID030", "BR-22a", "W", "/events/5")]


# --- what is stated -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("contract", "faults", "outcome"),
    [
        ("4S S", [], "4S S"),
        ("4S", [], "4S S"),
        ("S S", [], "4S S"),
        ("4Sx S", [("BID028", "BR-22c", None, "/events/7/bid")], "4S S"),
        ("4H S", [("BID028", "BR-22c", None, "/events/7/bid")], "4S S"),
        ("3NT S", [("BID028", "BR-22c", None, "/events/7/bid")], "4S S"),
        ("pass", [("BID028", "BR-22c", None, "/events/7/bid")], "4S S"),
        ("4S N", [("BID029", "BR-22c", None, "/events/7/by")], "4S S"),
        ("9S S", [("BID002", "BR-18", "S", "/events/7/bid")], "4S S"),
    ],
)
def test_the_contract_that_is_stated(contract: str, faults: list[tuple[Any, ...]], outcome: str) -> None:
    """BR-22c, BR-22c: compared with the calls; nobody is said to have led or revoked wrongly for it."""
    data = board(SOUND, contract=contract)
    assert (found(data), came(data)) == (faults, outcome)


def test_a_declarer_who_is_stated_and_whose_left_led() -> None:
    """The calls make it North's contract, by whoever wrote them down; West led to South."""
    data = board("E pass, S pass, W pass, N 1S, E pass, S 4S, W pass, N pass, E pass", contract="4S S")
    assert found(data) == [("BID029", "BR-22c", None, "/events/9/by")]
    assert came(data) == "4S S"


def test_calls_told_from_the_dealer_on_though_passes_are_left_out() -> None:
    """South declared and West led: it was South who opened, after East's pass, which is not on record."""
    data = board("E 1S, S pass, W 4S, N pass, E pass, S pass", contract="4S S")
    assert found(data) == [("BID033", "BR-17", None, "/events/0")]
    assert came(data) == "4S S"
    for event in data["deals"][0]["events"]:
        if event["do"] == "play":
            del event["by"]
    assert found(data) == [("BID033", "BR-17", None, "/events/0")]  # by whose card was led
    assert came(data) == "4S S"


@pytest.mark.parametrize("sides", [{"NS": 13, "EW": 0}, {"NS": 0, "EW": 13}])
def test_tricks_of_a_side_are_of_a_play_that_was(sides: dict[str, int]) -> None:
    """An auction in front of them is over; where no side took any, or none is told of, it may go on."""
    claimed = {"sides": {side: {"tricks": tricks} for side, tricks in sides.items()}}
    begun = board("E pass, S 1S", "", status="stopped", claimed=claimed)
    assert found(begun) == [("BID006", "BR-22b", "W", "/events/1")]
    assert found(board("E pass, S 1S", "", status="stopped")) == []


def test_what_stands_between_a_call_and_its_withdrawal_stays_wrong() -> None:
    """The call becomes a remark, whatever was found since."""
    data = board("E 2S, S 1S, S -1S, S 3S, W pass, N pass, E pass")
    data = insert(data, "/deals/0/events/2", {"do": "exchange", "by": "N", "cards": ["SA"]})
    told = verdict(data)
    assert [(each.code, each.seat, each.pointer[8:]) for each in told.findings] == [
        ("PLY007", "N", "/events/2"),
        ("BID031", "S", "/events/3"),
    ]


def test_a_last_bid_that_is_miswritten() -> None:
    """Who leads to the second trick and those after tells which of the two is trump: nobody is accused."""
    data = board("E pass, S 1S, W pass, N 4D, E pass, S pass, W pass", PLAYS + REST, contract="4S S", status="complete")
    assert [code for code, *_ in found(data)] == ["BID028"]
    assert came(data) == "4S S"


def test_passes_before_a_stated_contract_that_was_played() -> None:
    data = board("E pass, S pass, W pass, N pass", contract="4S S")
    assert found(data) == [("BID028", "BR-22c", None, "/events/4/bid")]
    assert came(data) == "4S S"


def test_a_faulty_auction_leaves_the_play_to_what_is_stated() -> None:
    data = board("E pass, S 1S, W pass, N 2H, E pass, S 1S, W pass, N pass, E pass", contract="4S S")
    assert [code for code, *_ in found(data)] == ["BID023"]
    assert came(data) == "4S S"


# --- calls that are not known ---------------------------------------------------------------------------------------


def test_calls_nobody_wrote_down() -> None:
    """What hangs on them cannot be checked, and is nobody's fault."""
    told = verdict(board("E ?, S 1S, W ?, N 4S, E pass, S ?, W pass"))
    assert codes(told) == []
    assert levels(told)[1] == "?"
    assert "not every call is known" in reasons(told, "L3")
    assert came(board("E pass, S 1S, W ?, N 4S, E pass, S pass, W pass")) == "4S S"
    assert came(board("E pass, S ?, W pass, N 1S, E pass, S pass, W pass")) == "1S ?"
    assert came(board("E pass, S 1S, W pass, N ?, E pass, S pass, W pass", contract="4S S")) == "4S S"
    assert [code for code, *_ in found(board("E 2S, S ?, W 1H, N 4S, E pass, S pass, W pass"))] == ["BID023"]


def test_without_a_dealer_whoever_calls_first_began() -> None:
    data = board(SOUND)
    del data["deals"][0]["dealer"]
    told = verdict(data)
    assert (codes(told), levels(told)[1]) == ([], "?")
    assert "the dealer is not recorded" in reasons(told, "L3")


# --- the board ------------------------------------------------------------------------------------------------------


def test_the_dealer_by_the_number_of_the_board() -> None:
    """BR-2a."""
    assert found(board(SOUND, board=2)) == []
    assert found(board(SOUND, board=3)) == [("DEA006", "BR-2a", None, "/dealer")]
    assert found(put(board(SOUND, board=2), "/deals/0/dealer", "N")) == [("DEA006", "BR-2a", None, "/dealer")]
    absent = board(SOUND, board=2)
    del absent["deals"][0]["dealer"]
    assert (found(absent), levels(verdict(absent))[1]) == ([], "p")
    assert verdict(absent).deals[0].dealer == "E"


def test_vulnerability_by_the_number_of_the_board() -> None:
    """BR-2b: the sixteen boards, and then again."""
    told = ["none", "NS", "EW", "all", "NS", "EW", "all", "none", "EW", "all", "none", "NS", "all", "none", "NS", "EW"]
    assert [{"": "none", "0": "NS", "1": "EW", "01": "all"}["".join(map(str, sorted(sides)))] for sides in BOARDS] == told
    assert found(board(SOUND, board=2, vulnerable="NS")) == []
    assert found(board(SOUND, board=18, vulnerable="EW")) == [("DEA012", "BR-2b", None, "/vulnerable")]
    assert found(board(SOUND, vulnerable="SW")) == [("FMT012", None, None, "/vulnerable")]
    assert [
        finding.severity for finding in verdict(board(SOUND, board=18, vulnerable="EW", options={"boards": "free"})).findings
    ] == ["warning"]


@pytest.mark.parametrize(
    ("fields", "options", "sides"),
    [({"board": 2}, {}, {0}), ({"board": 2}, {"boards": "free"}, None), ({"vulnerable": "EW"}, {}, {1}), ({}, {}, None),
     ({"board": 2, "vulnerable": "all"}, {}, {0, 1})],
)  # fmt: skip
def test_who_is_vulnerable(fields: dict[str, Any], options: dict[str, Any], sides: set[int] | None) -> None:
    from handrec.game import compose

    assert BRIDGE is not None
    [table] = replay(Record.model_validate(board(SOUND, **fields)), compose(BRIDGE, options)[0])
    assert table.kept[Vulnerable] == Vulnerable(None if sides is None else frozenset(sides))


# --- hostile --------------------------------------------------------------------------------------------------------


def test_calls_in_places_where_nobody_calls() -> None:
    """After the first lead, by strangers' words, twice stated, taken back from nobody: findings, and no failure."""
    late = insert(board(SOUND), "/deals/0/events/9", {"do": "bid", "by": "N", "bid": "5S"})
    assert found(late) == [("BID016", "BR-22b", "N", "/events/9/bid")]
    for bid in (7, -1, 0, "S1", "0C", "007C", "1s", "Pass", "XXX", "9" * 32):
        odd = insert(board(SOUND), "/deals/0/events/1", {"do": "bid", "by": "S", "bid": bid})
        assert [code for code, *_ in found(odd)] == ["BID002"]
    twice = insert(board(SOUND, contract="4S S"), "/deals/0/events/7", {"do": "contract", "by": "N", "bid": "1C"})
    assert [fault[:2] for fault in found(twice)] == [("BID028", "BR-22c")]
    blind = put(board(SOUND), "/deals/0/events/1/blind", True)
    assert [code for code, *_ in found(blind)] == ["PLY007"]


def test_other_games_know_no_bid_that_is_taken_back() -> None:
    kbabs = game("kbabs", 2, deal(events=[]))
    kbabs["deals"][0]["events"] = [{"do": "bid", "by": "0", "bid": 1}, {"do": "withdraw", "by": "0", "bid": 1}]
    assert "PLY007" in codes(verdict(kbabs))


# --- dealt boards ---------------------------------------------------------------------------------------------------


def test_dealt_boards_have_sound_auctions() -> None:
    """They end, not always alike, and their headings are those of their numbers."""
    contracts = set()
    for seed in range(40):
        record = deal_game(BRIDGE, 4, seed, numbers=[seed + 1])
        assert record.version == "1.1"
        assert check(record, find).findings == ()
        contracts.add(came(record.model_dump(mode="json", exclude_unset=True)))
    assert len(contracts) > 20


AUCTION_FAULTS = [rule for rule in BRIDGE.rules if rule.code.startswith("BID") and rule.severity != "info"]


@pytest.mark.parametrize("rule", AUCTION_FAULTS, ids=lambda rule: f"{rule.id}-{rule.code}")
@pytest.mark.parametrize("many", [8, pytest.param(200, marks=pytest.mark.long)])
def test_every_fault_of_the_auction_is_found_where_it_is_planted(rule: Any, many: int) -> None:
    """One finding, of the rule that was broken, with its Law, by the seat that broke it."""
    for seed in range(many):
        record = deal_game(BRIDGE, 4, seed, numbers=[seed % 16 + 1], inject=rule.code)
        [finding] = [each for each in check(record, find).findings if each.severity != "info"]
        assert (finding.code, finding.rule) == (rule.code, rule.id)
        assert finding.fault.citation == rule.citation
        event = record.deals[0].events[finding.event_index or 0]
        if rule.code not in ("BID006", "BID028", "BID029", "BID033"):
            assert finding.seat == event.by
