"""The reader of LIN: what it makes of sound boards, and that whatever is wrong with one is found where it stands."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import games
from handrec.cli import run
from handrec.dealer import deal_game
from handrec.findings import Verdict
from handrec.formats import Reading, format_of, lin
from handrec.record import Record
from handrec.referee import check

FIXTURES = Path(__file__).parents[1] / "fixtures/bridge"
EVENING = (FIXTURES / "club-evening.lin").read_text("utf-8")
ROOMS = (FIXTURES / "two-rooms.lin").read_text("utf-8")
ROUND = "SWNE"  # as LIN goes round
GAME = games.find("bridge")
assert GAME

#: A board with a short play, to be spoilt: East dealt, South declares, and West leads.
HANDS = "4SAKQJ5432HAKDACA2,S76HQJT9DKQJ9CKQJ,ST98H8765DT87CT98,"
CALLS = "mb|p|mb|2C|mb|p|mb|2D|mb|p|mb|2S|mb|p|mb|4S|mb|p|mb|p|mb|p|"
SHORT = f"pn|Ann,Bo,Cy,Di|st||md|{HANDS}|ah|Board 7|sv|n|\n{CALLS}\npc|HQ|pc|H5|pc|H2|pc|HA|\n"


def read(text: str | bytes) -> list[Reading]:
    return list(lin.read(text.encode() if isinstance(text, str) else text, "boards/x.lin"))


def only(text: str | bytes) -> Reading:
    [reading] = read(text)
    return reading


def told(readings: list[Reading]) -> list[str]:
    """Every finding of the reader: line:column and what it says."""
    found = [finding for reading in readings for finding in reading.findings]
    return [f"{f.location.line}:{f.location.column} {f.facts.get('why', f.message)}" for f in found if f.location]


def deal_of(reading: Reading) -> dict[str, Any]:
    assert reading.record
    return reading.record.deals[0].model_dump(exclude_none=True)


def judged(reading: Reading) -> Verdict:
    assert reading.record
    return check(reading.record, games.find)


def cards_of(reading: Reading) -> list[str]:
    return [event["card"] for event in deal_of(reading)["events"] if event["do"] == "play"]


def place_of(text: str, piece: str) -> str:
    """Line and column of a piece that stands in a text once."""
    before, found, after = text.partition(piece)
    assert found
    assert piece not in after
    return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


def tricks_of(plays: list[str], leader: str, strain: str, hands: dict[str, list[str]]) -> str:
    """Who won each whole trick, counted as at the table."""
    winners = ""
    for first in range(0, len(plays) // 4 * 4, 4):
        trick = plays[first : first + 4]

        def height(card: str, led: str = trick[0][1]) -> int:
            return "23456789TJQKA".index(card[0]) + 100 * (card[1] == strain) + 50 * (card[1] == led)

        best = max(trick, key=height)
        winners += next(seat for seat, hand in hands.items() if best in hand)
        assert trick[0] in hands[winners[-2] if winners[:-1] else leader]
    return winners


# --- sound boards ---------------------------------------------------------------------------------------------------


def test_an_evening_at_the_club() -> None:
    readings = read(EVENING)
    assert told(readings) == []
    records = [reading.record for reading in readings if reading.record]
    assert [record.id for record in records] == [f"x.lin#{count}" for count in range(1, 6)]
    assert [record.deals[0].number for record in records] == [1, 2, 3, 4, 5]
    assert [record.deals[0].status for record in records] == ["complete", "claimed", "claimed", "stopped", "complete"]
    assert [player.model_dump() for player in records[0].players] == [
        {"seat": "N", "name": "Cy"}, {"seat": "E", "name": "Di"}, {"seat": "S", "name": "Ann"}, {"seat": "W", "name": "Bo"},
    ]  # fmt: skip
    assert [deal_of(reading)["dealer"] for reading in readings] == ["S", "S", "S", "W", "W"]
    contracts = [{"by": "E", "bid": "3NT"}, {"by": "N", "bid": "2NT"}, {"by": "W", "bid": "2D"}, None, {"by": "W", "bid": "3D"}]
    for reading, contract in zip(readings, contracts, strict=True):
        event = next(iter(deal_of(reading)["events"]), None)
        assert event == (contract and {"do": "contract", **contract})
        assert judged(reading).findings == ()
    assert records[0].extensions["lin"]["auction"] == "P P P 1NT! (15 to 17) P 3NT P P P"
    assert records[0].extensions["lin"]["nt"].startswith("Three no trump, just made.")
    assert records[0].extensions["lin"]["sv"] == "o"
    assert (records[3].extensions["lin"]["auction"], deal_of(readings[3])["events"]) == ("P P P P", [])


def test_the_fourth_hand_is_what_the_others_leave() -> None:
    hands = deal_of(read(EVENING)[0])["hands"]
    assert " ".join(hands["S"]) == "QS TS 6S 4S KD TD 3D KC JC TC 8C 6C 3C"
    assert len({card for hand in hands.values() for card in hand}) == 52
    whole = ",".join(HANDS.split(",")[:3]) + ",SH432D65432C76543"
    assert " ".join(deal_of(only(f"md|{HANDS}|"))["hands"]["E"]) == "4H 3H 2H 6D 5D 4D 3D 2D 7C 6C 5C 4C 3C"
    assert deal_of(only(f"md|{HANDS}|"))["hands"] == deal_of(only(f"md|{whole}|"))["hands"]
    west_left_out = ",".join([HANDS.split(",")[0], "", HANDS.split(",")[2], "SH432D65432C76543"])
    assert sorted(deal_of(only(f"md|{west_left_out}|"))["hands"]["W"]) == sorted(deal_of(only(f"md|{HANDS}|"))["hands"]["W"])


def test_cards_taken_back_were_not_played() -> None:
    reading = read(EVENING)[4]
    assert len(cards_of(reading)) == 52
    assert reading.record
    assert reading.record.extensions["lin"]["up"] == "QS"
    spoilt = SHORT + "pc|D5|pc|D8|pc|DA|up|2|"
    assert cards_of(only(spoilt)) == ["QH", "5H", "2H", "AH", "5D"]
    assert told(read(SHORT + "up|9|"))[0].endswith("'9' is no number of cards to be taken back from 0 to 4")


@pytest.mark.parametrize(("board", "claimed"), [(1, 8), (2, 8)])
def test_a_claim_divides_the_tricks_that_are_left(board: int, claimed: int) -> None:
    deal = deal_of(read(EVENING)[board])
    contract, *plays, claim = deal["events"]
    declarer = contract["by"]
    leader = "NESW"["NESW".index(declarer) - 3]
    winners = tricks_of([play["card"] for play in plays], leader, contract["bid"][1], deal["hands"])
    won = sum(winner in ("NS" if declarer in "NS" else "EW") for winner in winners)
    assert len(winners) == (8, 7)[board - 1]
    assert claim == {
        "do": "claim",
        "by": declarer,
        "tricks": {declarer: claimed - won, leader: 13 - len(winners) - claimed + won},
    }


def test_two_rooms() -> None:
    readings = read(ROOMS)
    assert told(readings) == []
    assert [deal_of(reading)["number"] for reading in readings] == [7, 7, 8, 8]
    names = [[player.name for player in reading.record.players] for reading in readings if reading.record]
    assert names == [["Cy", "Di", "Ann", "Bo"], ["Gus", "Hal", "Ed", "Flo"]] * 2
    assert [reading.record.extensions["lin"]["qx"] for reading in readings if reading.record] == ["o7", "c7", "o8", "c8"]
    assert all(judged(reading).findings == () for reading in readings)
    nobody = only(SHORT.replace("Di", "Di,Ed,Flo,Gus,Hal")).record  # eight names, but no room
    assert nobody
    assert [player.name for player in nobody.players] == [None] * 4


def test_boards_of_which_there_are_only_hands_or_calls() -> None:
    for text, many in (
        (f"qx|o1|md|{HANDS}|rh||ah||sv|n|pg||" * 3, 3),
        (f"st||md|{HANDS}|sv|o|st||md|{HANDS}|sv|e|", 2),
        (f"md|{HANDS}|mb|p|md|{HANDS}|mb|p|", 2),
        (f"qx|o1|st||md|{HANDS}|qx|o2|md|0,,,|", 1),
        ("mb|1S|mb|p|", 1),
    ):
        readings = read(text)
        assert len(readings) == many
        assert told(readings) == []
        for reading in readings:
            assert deal_of(reading)["status"] == "stopped"
            assert judged(reading).findings == ()


def test_how_it_is_written_makes_no_difference() -> None:
    plain, known = only(SHORT), SHORT.encode("utf-8")
    assert plain.record
    for text in (
        SHORT.replace("|", "|\r\n").encode(),
        SHORT.replace("md|4SAK", "MD|4s\nak").replace("pc|H5", "\n Pc|\r\nh5").replace("T", "10").encode(),
        SHORT.replace("SAKQJ5432HAK", "HKASAQ5J4K32").encode(),
        SHORT.replace(CALLS, "mb|p2Cp2D\np2Sp4Sppp|").encode(),
        b"\xef\xbb\xbf" + known,
        SHORT.replace("pc|", "pg||zz|x|pc|").encode(),
    ):
        record = only(text).record
        assert record
        for seat in "NESW":
            assert sorted((record.deals[0].hands or {})[seat]) == sorted((plain.record.deals[0].hands or {})[seat])
        assert record.deals[0].events == plain.record.deals[0].events
        assert record.players == plain.record.players
    for data in (SHORT.replace("Bo", "Zoë").encode(), SHORT.replace("Bo", "Zoë").encode("latin-1")):
        record = only(data).record
        assert record
        assert record.players[3].name == "Zoë"


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
    assert (finding.code, finding.deal) == ("FMT001", 7)
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


# --- what is wrong --------------------------------------------------------------------------------------------------


def test_faults_at_the_table_are_found() -> None:
    found = {}
    for reading in read((FIXTURES / "faults.lin").read_text("utf-8")):
        for finding in (*reading.findings, *judged(reading).findings):
            found[finding.deal] = (finding.code, str(reading.placed(finding).location).removeprefix("boards/x.lin:"))
    assert found == {
        1: ("REV001", "3:10"),
        2: ("PLY002", "25:10"),
        3: ("TRK002", "31:103"),
        4: ("FMT001", "47:26"),
        5: ("FMT001", "69:4"),
        6: ("FMT001", "74:4"),
    }


#: what stands there, what instead, the place of what instead, what is said, and the cards that are read all the same
DEFECTS = [
    ("pc|H5|", "pc|H1|", "H1|", "'H1' is no card", 4),
    ("pc|H5|", "pc||", None, "'' is no card", 4),
    ("pc|H5|", "pc|5H|", "5H|", "'5H' is no card", 4),
    ("pc|H5|", "pcH5|", "pcH5", "'pch5' is no tag", 1),
    ("pc|H5|pc|", "pc|H5pc|", "H5pc", "'H5pc' is no card", 2),
    ("pc|H5|", "|pc|H5|", "|pc|H5", "'' is no tag", 4),
    ("|ah|", "|stray|ah|", "stray|", "'stray' is no tag", 4),
    ("md|4", "md|7", "7SAK", "the dealer '7' is no number from 0 to 4", 4),
    ("SAKQJ5", "SAKQX5", "X5432", "'X' in S's hand is no card", 4),
    ("4SAKQJ5", "4AKQJ5", "AKQJ5", "'A' in S's hand is no card", 4),
    ("CT98,|ah", "CT98,,S2|ah", "S2|", "there are more than four hands", 4),
    ("pc|HA|\n", "pc|HA", "pc|HA", "the file breaks off: no | follows the value of pc", 3),
    ("pc|HA|\n", "pc|HA|mc", "mc", "the file breaks off: no | follows 'mc'", 4),
]


@pytest.mark.parametrize(("old", "new", "place", "why", "cards"), DEFECTS, ids=[row[3] for row in DEFECTS])
def test_a_defect_is_told_with_its_place(old: str, new: str, place: str | None, why: str, cards: int) -> None:
    assert SHORT.count(old) == 1
    text = SHORT.replace(old, new)
    found = told(read(text))
    assert found[0] == f"{place_of(text, place) if place else '3:10'} {why}"
    assert all("is no tag" in more for more in found[1:])
    assert len(cards_of(only(text))) == cards
    assert told(read(SHORT.replace(old, new) + f"\n|md|{HANDS}|{CALLS}"))[: len(found)] == found or "breaks off" in why
    assert {finding.code for finding in judged(only(text)).findings} <= {"DEA003"}


def test_a_bad_board_hides_no_other() -> None:
    readings = read(SHORT.replace("SAKQJ", "SAKQZ") + EVENING)
    assert len(told(readings)) == 1
    assert len([reading for reading in readings if reading.record]) == 6


def test_files_without_boards() -> None:
    for text in ("", "\n\n", "pn|Ann,Bo,Cy,Di|", "qx|o1|qx|o2|"):
        assert told(read(text)) == ["1:1 there is no board in this file"]
    assert told(read("hello")) == ["1:1 the file breaks off: no | follows 'hello'"]
    assert told(read("\n hello|world")) == ["2:2 'hello' is no tag"]


def test_too_much_is_told_and_not_kept() -> None:
    for text, code, what in (
        (SHORT + "pc|SA|" * 200, "FMT001", "there are more than 104 cards"),
        (f"md|{HANDS}|" + "mb|p|" * 400, "FMT001", "there are more than 319 calls"),
        (f"md|{HANDS}{'x' * 20_000}|mb|p|", "FMT002", "the length of md"),
        (f"md|{HANDS}|" + f"nt|{'x' * 9000}|" * 200, "FMT002", "the text to be kept of a board"),
        (f"md|{HANDS}|" + "an|x|" * 200_000, "FMT002", "the text to be kept of a board"),
        (f"md|1S{'2' * 60}|mb|p|", "FMT001", "S's hand has more than 52 cards"),
    ):
        reading = only(text)
        assert (code, what) in [(finding.code, finding.facts.get("why") or finding.facts["what"]) for finding in reading.findings]
        assert reading.record
        assert len(reading.record.model_dump_json()) < 1_200_000


def test_places() -> None:
    text = SHORT + "mc|11|"
    reading = only(text)
    deal, lines = deal_of(reading), text.splitlines()

    def at(pointer: str) -> str:
        spot = reading.locate(pointer)
        return lines[spot.line - 1][spot.column - 1 :]

    for seat in "SWN":
        for place, card in enumerate(deal["hands"][seat]):
            assert at(f"/deals/0/hands/{seat}/{place}").startswith(card[0])
    assert at("/deals/0/hands/E").startswith("|ah|Board 7|")  # the end of the hands: East's is not written
    assert at("/deals/0/hands/S").startswith("AKQJ5432")
    assert at("/deals/0/events/0/bid").startswith("4S|mb|p|mb|p|mb|p|")
    for place, event in enumerate(deal["events"][1:5], 1):
        assert at(f"/deals/0/events/{place}/card").startswith(event["card"][1] + event["card"][0])
    assert at("/deals/0/events/5/tricks") == "11|"
    for pointer in ("", "/players/0", "/deals/0/dealer", "/deals/0/events/9"):
        assert at(pointer).startswith("md|4S")


# --- generated deals, and anything at all -----------------------------------------------------------------------------


def as_lin(record: Record, rng: Random) -> tuple[str, str]:
    """A board as it might be written, and the contract it comes to."""
    deal = record.deals[0]
    declarer, strain = deal.events[0].by, str(deal.events[0].bid)  # type: ignore[union-attr]
    dealer = rng.choice(ROUND)
    passes = (ROUND.index(str(declarer)) - ROUND.index(dealer)) % 4
    level, doubled = rng.randrange(2, 8), rng.choice(["", "d", "dr"])
    calls = ["p"] * passes + ["1" + strain[0], "p", str(level) + strain[0], *doubled, "p", "p", "p"]
    hands = []
    for seat in ROUND[: rng.choice([3, 4])]:
        suits = rng.sample("SHDC", 4)
        cards = rng.sample((deal.hands or {})[seat], 13)
        hands.append("".join(suit + "".join(card[0] for card in cards if card[1] == suit) for suit in suits))
    text = f"md|{ROUND.index(dealer) + 1}{','.join(hands)}|ah|Board {deal.number}|"
    text += f"mb|{''.join(calls)}|" if rng.random() < 0.5 else "".join(f"mb|{call}|" for call in calls)
    text += "".join(f"pc|{event.card[1]}{event.card[0]}|" for event in deal.events if event.do == "play")
    text = text.replace("T", "10") if rng.random() < 0.3 else text.lower() if rng.random() < 0.3 else text
    for _ in range(rng.randrange(6)):
        place = rng.randrange(len(text))
        text = f"{text[:place]}\n{text[place:]}"
    return text, f"{level}{strain}{'x' * len(doubled)}"


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 100_000), st.sampled_from([None, "REV001"]))
def test_a_deal_read_back_is_the_deal_that_was_written(seed: int, fault: str | None) -> None:
    assert GAME
    rng = Random(seed)
    record = deal_game(GAME, 4, seed, numbers=[rng.randrange(1, 33)], inject=fault)
    text, contract = as_lin(record, rng)
    reading = only(text)
    assert reading.record
    assert reading.findings == ()
    old, new = record.deals[0], reading.record.deals[0]
    assert {seat: sorted(hand) for seat, hand in (new.hands or {}).items()} == {
        seat: sorted(hand) for seat, hand in (old.hands or {}).items()
    }
    assert (new.number, new.status) == (old.number, "complete")
    assert new.events[0].model_dump() == {"do": "contract", "by": old.events[0].by, "bid": contract}  # type: ignore[union-attr]
    assert cards_of(reading) == [event.card for event in old.events if event.do == "play"]
    before = [(finding.code, finding.trick, finding.seat) for finding in check(record, games.find).findings]
    assert [(finding.code, finding.trick, finding.seat) for finding in judged(reading).findings] == before
    assert [code for code, _, _ in before] == ([fault] if fault else [])


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 100_000), st.integers(0, 51), st.integers(0, 13))
def test_a_claim_anywhere_is_clean_or_cannot_be(seed: int, played: int, claim: int) -> None:
    assert GAME
    record = deal_game(GAME, 4, seed, numbers=[1])
    text, _ = as_lin(record, Random(seed))
    head, *plays = text.lower().replace("\n", "").split("pc|")
    reading = only(head + "".join(f"pc|{play}" for play in plays[:played]) + f"mc|{claim}|")
    deal = deal_of(reading)
    declarer = deal["events"][0]["by"]
    leader = "NESW"["NESW".index(declarer) - 3]
    winners = tricks_of(cards_of(reading), leader, deal["events"][0]["bid"][1], deal["hands"])
    won = sum(winner in ("NS" if declarer in "NS" else "EW") for winner in winners)
    can_be = won <= claim <= 13 - len(winners) + won
    assert (reading.findings == ()) == can_be
    assert judged(reading).findings == ()
    assert ([event["do"] for event in deal["events"]][-1] == "claim") == can_be


def settle(data: bytes) -> None:
    """Whatever the bytes, each reading has a record or says why not, and every place is in the file."""
    lines = data.decode("latin-1").split("\n")
    for reading in read(data):
        assert reading.record or reading.findings
        verdict = judged(reading).findings if reading.record else ()
        for finding in (*reading.findings, *(reading.placed(finding) for finding in verdict)):
            assert finding.location
            assert 1 <= finding.location.line <= len(lines)
            assert 1 <= finding.location.column <= len(lines[finding.location.line - 1]) + 1
            assert finding.code in ("FMT001", "FMT002", "TRK002") or finding in verdict or verdict
        if reading.record:
            assert Record.model_validate_json(reading.record.model_dump_json(exclude_none=True, by_alias=True)) == reading.record


PIECES = [
    "|",
    "||",
    "md|",
    "pc|",
    "mb|",
    "mc|9|",
    "up|3|",
    "rs|4HE=|",
    "rs|,|",
    "vg|",
    "qx|c7|",
    "pn|",
    "st||",
    "\n",
    "10",
    ",",
    "!",
    "x",
]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.lists(st.sampled_from(PIECES + list("SHDCAKQT2p")), max_size=60).map("".join).map(str.encode))
def test_any_bytes_end_in_records_or_findings(data: bytes) -> None:
    settle(data)
    settle(SHORT.encode() + data)


@settings(max_examples=100, deadline=None)
@given(
    st.sampled_from([SHORT, EVENING[:800], ROOMS]),
    st.lists(
        st.tuples(st.integers(0, 4000), st.integers(0, 30), st.binary(max_size=4) | st.sampled_from(PIECES).map(str.encode)),
        min_size=1,
        max_size=4,
    ),
)
def test_any_mutation_ends_in_records_or_findings(text: str, edits: list[tuple[int, int, bytes]]) -> None:
    data = text.encode()
    for place, length, put in edits:
        place %= len(data) + 1
        data = data[:place] + put + data[place + length :]
    settle(data)


# --- as a user --------------------------------------------------------------------------------------------------------


def test_what_is_lin_is_known_by_its_beginning() -> None:
    for text in (EVENING, ROOMS, SHORT, "\n qx|o1|\nmd|1,,|"):
        assert format_of("board", text.encode()).key == "lin"
    for other in ("", "NUMBER 3", '{"format": "handrec"}', "%hrt 1", "deal,1", "md|", "a|b|c|d|", '[Event "x"]'):
        assert format_of("board", other.encode()).key != "lin"
    assert format_of("board.lin", b"nonsense").key == "lin"


def test_the_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evening, faults, output = FIXTURES / "club-evening.lin", FIXTURES / "faults.lin", tmp_path / "x.jsonl"
    assert run(["check", str(evening)]) == 0
    assert "5 clean" in capsys.readouterr().out
    assert run(["check", str(faults)]) == 1
    said = capsys.readouterr().out
    assert f"{faults}:3:10: REV001 error  deal 1, trick 1, N: N played 9D on a lead of 5C" in said
    assert f"{faults}:31:103: TRK002 error  deal 3: NS is recorded with 10 tricks, but won 9" in said
    assert run(["convert", str(evening), "-o", str(output)]) == 0
    assert [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()] == [
        f"club-evening.lin#{count}" for count in range(1, 6)
    ]
    capsys.readouterr()
    assert run(["check", str(output)]) == 0
    assert run(["convert", str(evening), "--to", "lin"]) == 2
