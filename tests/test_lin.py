"""The reader of LIN: what it makes of sound boards, and of boards that were dealt."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import games
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.digests import names
from handrec.formats import format_of
from handrec.formats.lin.reading import came_to
from handrec.record import Record
from handrec.referee import check
from tests.lin_boards import (
    CALLS,
    EVENING,
    FIXTURES,
    HANDS,
    ROOMS,
    SHORT,
    bids_of,
    cards_of,
    deal_of,
    judged,
    only,
    read,
    rest_of,
    told,
    tricks_of,
)

# --- sound boards ---------------------------------------------------------------------------------------------------


def test_an_evening_at_the_club() -> None:
    readings = read(EVENING)
    assert told(readings) == []
    records = [reading.record for reading in readings if reading.record]
    assert [record.id for record in records] == [f"x.lin#{count}" for count in range(1, 6)]
    assert [record.deals[0].number for record in records] == [1, 2, 3, 4, 5]
    assert [record.deals[0].status for record in records] == ["complete", "claimed", "claimed", "complete", "complete"]
    assert [player.model_dump() for player in records[0].players] == [
        {"seat": "N", "name": "Cy"}, {"seat": "E", "name": "Di"}, {"seat": "S", "name": "Ann"}, {"seat": "W", "name": "Bo"},
    ]  # fmt: skip
    assert [record.deals[0].board for record in records] == [1, 2, 3, 4, 5]
    assert [deal_of(reading)["dealer"] for reading in readings] == ["N", "E", "S", "W", "N"]
    assert [deal_of(reading)["vulnerable"] for reading in readings] == ["none", "NS", "EW", "all", "NS"]
    assert [bids_of(reading) for reading in readings] == [
        "N: pass pass pass 1NT pass 3NT pass pass pass",
        "E: pass pass 1NT pass 2NT pass pass pass",
        "S: pass 1D pass 2D pass pass pass",
        "W: pass pass pass pass",
        "N: 1D pass 3D pass pass pass",
    ]
    assert all(judged(reading).findings == () for reading in readings)
    assert deal_of(readings[0])["comments"] == [
        {"kind": "alert", "text": "15 to 17", "event": 4},
        {"text": "Three no trump, just made. Ann and Cy had five spades.", "event": 9 + 52},
    ]
    assert [record.extensions for record in records] == [{}, {}, {}, {}, {"lin": [["up", "QS", 18]]}]


def test_the_fourth_hand_is_what_the_others_leave() -> None:
    hands = deal_of(read(EVENING)[0])["hands"]
    assert " ".join(hands["E"]) == "8S 3S TH 8H 2H JD 9D 7D 6D 4D 2D 9C 5C"
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
    assert reading.record.extensions["lin"] == [["up", "QS", 6 + 12]]
    spoilt = SHORT + "pc|D5|pc|D8|pc|DA|up|2|"
    assert cards_of(only(spoilt)) == ["QH", "5H", "2H", "AH", "5D"]
    assert told(read(SHORT + "up|9|"))[0].endswith("'9' is no number of cards to be taken back from 0 to 4")


@pytest.mark.parametrize(("board", "claimed"), [(1, 8), (2, 8)])
def test_a_claim_divides_the_tricks_that_are_left(board: int, claimed: int) -> None:
    reading, declarer, strain = read(EVENING)[board], ("W", "W")[board - 1], "ND"[board - 1]
    deal = deal_of(reading)
    *plays, claim = rest_of(reading)
    leader = "NESW"["NESW".index(declarer) - 3]
    winners = tricks_of([play["card"] for play in plays], leader, strain, deal["hands"])
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
    title, results = ROOMS.split("|")[1], ROOMS.split("|")[3]
    assert [reading.record.extensions["lin"] for reading in readings if reading.record] == [
        [["vg", title], ["rs", results], ["pn", "Ann,Bo,Cy,Di,Ed,Flo,Gus,Hal"], ["qx", room]] for room in ("o7", "c7", "o8", "c8")
    ]
    assert all(judged(reading).findings == () for reading in readings)
    nobody = only(SHORT.replace("Di", "Di,Ed,Flo,Gus,Hal")).record  # eight names, but no room
    assert nobody
    assert [player.name for player in nobody.players] == [None] * 4


def test_boards_of_which_there_are_only_hands_or_calls() -> None:
    for text, many in (
        (f"qx|o2|md|{HANDS}|rh||ah||sv|n|pg||" * 3, 3),
        (f"st||md|{HANDS}|sv|o|st||md|{HANDS}|sv|e|", 2),
        (f"md|{HANDS}|mb|p|md|{HANDS}|mb|p|", 2),
        (f"qx|o2|st||md|{HANDS}|qx|o3|md|0,,,|", 1),
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


def test_places() -> None:
    text = SHORT + "mc|11|\nnt|one trick is lost|"
    reading = only(text)
    deal, lines = deal_of(reading), text.splitlines()

    def at(pointer: str) -> str:
        spot = reading.locate(pointer)
        return lines[spot.line - 1][spot.column - 1 :]

    for seat in "SWN":
        for place, card in enumerate(deal["hands"][seat]):
            assert at(f"/deals/0/hands/{seat}/{place}").startswith(card[0])
    assert at("/deals/0/hands/E").startswith("|ah|Board 2|")  # the end of the hands: East's is not written
    assert at("/deals/0/hands/S").startswith("AKQJ5432")
    assert at("/deals/0/events/7/bid").startswith("4S|mb|p|mb|p|mb|p|")
    for place, event in enumerate(deal["events"][11:15], 11):
        assert at(f"/deals/0/events/{place}/card").startswith(event["card"][1] + event["card"][0])
    assert at("/deals/0/events/15/tricks") == "11|"
    assert at("/deals/0/comments/0/text") == "one trick is lost|"
    for pointer in ("", "/players/0", "/deals/0/dealer", "/deals/0/events/19"):
        assert at(pointer).startswith("md|4S")


# --- generated deals ------------------------------------------------------------------------------------------------

ROUND = "SWNE"  # as LIN goes round
VULNERABLE = {"none": "o", "NS": "n", "EW": "e", "all": "b"}
GAME = games.find("bridge")
assert GAME


def as_lin(record: Record, rng: Random) -> str:
    """A board as it might be written."""
    deal = record.deals[0]
    said = {"pass": ["p", "Pass"], "X": ["d", "x", "dbl"], "XX": ["r", "xx", "rdbl"]}
    bids = [str(event.bid) for event in deal.events if event.do == "bid"]
    calls = [rng.choice(said.get(bid) or [bid, bid.replace("NT", "N")]) for bid in bids]
    hands = []
    for seat in ROUND[: rng.choice([3, 4])]:
        suits = rng.sample("SHDC", 4)
        cards = rng.sample((deal.hands or {})[seat], 13)
        hands.append("".join(suit + "".join(card[0] for card in cards if card[1] == suit) for suit in suits))
    text = (
        f"md|{ROUND.index(str(deal.dealer)) + 1}{','.join(hands)}|ah|Board {deal.number}|sv|{VULNERABLE[str(deal.vulnerable)]}|"
    )
    text += f"mb|{''.join(call[0] if call in said else call for call in calls)}|" if rng.random() < 0.5 else ""
    text += "" if "mb|" in text else "".join(f"mb|{call}|" for call in calls)
    text += "".join(f"pc|{event.card[1]}{event.card[0]}|" for event in deal.events if event.do == "play")
    text = text.replace("T", "10").replace("N10", "NT") if rng.random() < 0.3 else text.lower() if rng.random() < 0.3 else text
    for _ in range(rng.randrange(6)):
        place = rng.randrange(len(text))
        text = f"{text[:place]}\n{text[place:]}"
    return text


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 100_000), st.sampled_from([None, "REV001"]))
def test_a_deal_read_back_is_the_deal_that_was_written(seed: int, fault: str | None) -> None:
    assert GAME
    rng = Random(seed)
    record = deal_game(GAME, 4, seed, numbers=[rng.randrange(1, 33)], inject=fault)
    reading = only(as_lin(record, rng))
    assert reading.record
    assert reading.findings == ()
    old, new = record.deals[0], reading.record.deals[0]
    assert {seat: sorted(hand) for seat, hand in (new.hands or {}).items()} == {
        seat: sorted(hand) for seat, hand in (old.hands or {}).items()
    }
    assert (new.number, new.status) == (old.number, old.status)
    assert (new.board, new.dealer, new.vulnerable) == (old.board, old.dealer, old.vulnerable)
    assert [event for event in new.events if event.do == "bid"] == [event for event in old.events if event.do == "bid"]
    assert cards_of(reading) == [event.card for event in old.events if event.do == "play"]
    plays = [event for event in old.events if event.do == "play"]
    by_seat = new.model_copy(update={"events": [*(event for event in new.events if event.do == "bid"), *plays]})
    assert [*names(reading.record)] == [*names(reading.record.model_copy(update={"deals": [by_seat]}))]
    before = [(finding.code, finding.trick, finding.seat) for finding in check(record, games.find).findings]
    assert [(finding.code, finding.trick, finding.seat) for finding in judged(reading).findings] == before
    assert [code for code, _, _ in before] == ([fault] if fault else [])


@settings(max_examples=25, deadline=None, derandomize=True)
@given(st.integers(0, 100_000), st.integers(0, 51), st.integers(0, 13))
def test_a_claim_anywhere_is_clean_or_cannot_be(seed: int, played: int, claim: int) -> None:
    assert GAME
    record = deal_game(GAME, 4, seed, numbers=[1])
    text = as_lin(record, Random(seed))
    head, *plays = text.lower().replace("\n", "").split("pc|")
    reading = only(head + "".join(f"pc|{play}" for play in plays[:played]) + f"mc|{claim}|")
    deal = deal_of(reading)
    came = came_to(bids_of(reading).split()[1:], deal["dealer"])
    if came is None or came.by is None:
        assert came is not None
        assert cards_of(reading) == []
        return  # passed out
    declarer = came.by
    leader = "NESW"["NESW".index(declarer) - 3]
    winners = tricks_of(cards_of(reading), leader, came.bid[1], deal["hands"])
    won = sum(winner in ("NS" if declarer in "NS" else "EW") for winner in winners)
    can_be = won <= claim <= 13 - len(winners) + won
    assert (reading.findings == ()) == can_be
    assert judged(reading).findings == ()
    assert ([event["do"] for event in deal["events"]][-1] == "claim") == can_be


# --- as a user ------------------------------------------------------------------------------------------------------


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
    assert f"{faults}:31:103: TRK002 error  deal 3, NS: NS is recorded with 10 tricks, but won 9" in said
    assert run(["convert", str(evening), "-o", str(output)]) == 0
    assert [json.loads(line)["id"] for line in output.read_text("utf-8").splitlines()] == [
        f"club-evening.lin#{count}" for count in range(1, 6)
    ]
    capsys.readouterr()
    assert run(["check", str(output)]) == 0
    assert run(["convert", str(output), "--to", "lin"]) == 0
    assert [cards_of(reading) for reading in read(capsys.readouterr().out)] == [cards_of(reading) for reading in read(EVENING)]
