"""Typed rows are facts: a short one is told at its own line, one passed over where it is lacking, and nothing moves."""

from __future__ import annotations

import re
from copy import deepcopy
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from handrec import Record, check, games
from handrec.dealing import deal_game
from handrec.findings import Finding
from handrec.formats import hrt

TABLES = {"kbabs": (4, 5), "bridge": (4, 1), "bugami": (3, 1), "spades3": (3, 1), "batarde": (4, 5), "bastard": (3, 4)}


@cache
def dealt(key: str, seed: int) -> dict[str, Any]:
    """A dealt record as plain data, not to be changed."""
    game = games.find(key)
    assert game
    players, number = TABLES[key]
    return deal_game(game, players, seed, numbers=[number]).model_dump(mode="json", exclude_unset=True, by_alias=True)


def typed(key: str, seed: int, hands: bool) -> tuple[dict[str, Any], list[list[int]]]:
    """A dealt record with a number before each row, without claims; and the places of its plays, row by row."""
    players, _ = TABLES[key]
    data = deepcopy(dealt(key, seed))
    deal = data["deals"][0]
    data["version"] = "1.1"
    data.pop("claimed", None)
    for part in ("claimed", *(() if hands else ("hands", "aside", "pack"))):
        deal.pop(part, None)
    plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
    rows = [plays[start : start + players] for start in range(0, len(plays), players)]
    for trick, row in enumerate(rows, 1):
        deal["events"][row[0]]["trick"] = trick
    return data, rows


@pytest.mark.some(4)
@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
@pytest.mark.parametrize("key", TABLES)
def test_a_card_left_out_is_told_in_its_own_row(key: str, hands: bool) -> None:
    """One fault: the trick and, as it is written, the seat whose card is lacking; typed numbers stay where they were."""
    for seed in range(12):
        data, rows = typed(key, seed, hands)
        assert check(Record.model_validate(data)).ok
        events, rng = data["deals"][0]["events"], Random(seed)
        trick = rng.randrange(len(rows))
        spot = rng.randrange(len(rows[trick]))
        gone = events.pop(rows[trick][spot])
        if spot == 0:
            events[rows[trick][0]]["trick"] = trick + 1
        (fault,) = check(Record.model_validate(data)).faults
        assert (fault.code, fault.trick) in (("PLY005", trick + 1), ("REC004", trick + 1))
        assert gone["by"] in (fault.seat, fault.facts.get("owner"))


@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
@pytest.mark.parametrize("key", TABLES)
def test_a_row_left_out_is_told_once(key: str, hands: bool) -> None:
    """The numbers say which one it was."""
    for seed in range(12):
        data, rows = typed(key, seed, hands)
        trick = Random(seed).randrange(len(rows))
        for place in reversed(rows[trick]):
            del data["deals"][0]["events"][place]
        (fault,) = check(Record.model_validate(data)).faults
        assert fault.code in ("PLY005", "REC004")
        assert fault.seat is None
        assert fault.trick == trick + 1


@pytest.mark.parametrize("status", ["complete", "stopped"])
@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
@pytest.mark.parametrize("key", TABLES)
def test_rows_left_out_after_one_another_are_told_where_they_are_lacking(key: str, hands: bool, status: str) -> None:
    """Whoever leads afterwards may have won one of them, and may have played any card to them: nobody is accused."""
    for seed in range(6):
        data, rows = typed(key, seed, hands)
        deal = data["deals"][0]
        deal["status"] = status
        first, many = Random(seed).randrange(len(rows) - 3), 2 + seed % 2
        for row in reversed(rows[first : first + many]):
            for place in reversed(row):
                del deal["events"][place]
        (fault,) = [fault for fault in check(Record.model_validate(data)).faults if fault.level != "L5"]
        assert (fault.code, fault.trick, fault.seat) == ("PLY005", first + 1, None)
        assert fault.message.startswith(f"tricks {first + 1} to {first + many} are missing")


def test_a_card_left_out_amid_a_line_is_found_by_the_hands() -> None:
    """A line names its leader alone, so the cards after the one left out stand under the seats before their own."""
    for key in ("kbabs", "bridge", "bugami"):
        for seed in range(12):
            data, rows = typed(key, seed, True)
            events, rng = data["deals"][0]["events"], Random(seed)
            row = rng.choice(rows[:-1])
            spot = rng.randrange(1, len(row) - 1)
            seats = [events[place]["by"] for place in row]
            gone = events.pop(row[spot])
            for place, seat in zip(row[:-1], seats, strict=False):
                events[place]["by"] = seat
            (fault,) = check(Record.model_validate(data)).faults
            assert (fault.code, fault.facts["owner"], fault.facts["card"]) == ("REC004", gone["by"], gone["card"])
            assert fault.pointer == f"/deals/0/events/{row[0]}"


#: Where the number before a row of so many can be wrong, and by how much: any row, the first and the last above all.
WRONG = (1, -1, 2)


@pytest.mark.some(2)
@pytest.mark.parametrize("cut", [False, True], ids=["complete", "cut"])
@pytest.mark.parametrize("named", [True, False], ids=["seats", "no seats"])
@pytest.mark.parametrize("hands", [True, False], ids=["hands", "no hands"])
@pytest.mark.parametrize("key", [key if key == "bastard" else pytest.param(key, marks=pytest.mark.long) for key in TABLES])
def test_a_wrong_number_is_told_at_its_line(key: str, hands: bool, named: bool, cut: bool) -> None:
    """One number wrong, in any row, or all from a row on: told once, before the row that it stands before, and of nobody."""
    data, rows = typed(key, 7, hands)
    deal = data["deals"][0]
    if cut:
        many = Random(key).randrange(1, len(rows))
        rows, deal["status"] = rows[:many], "stopped"
        del deal["events"][rows[-1][-1] + 1 :]
    for row in rows if not named else ():
        for place in row:
            deal["events"][place].pop("by", None)
    lines = hrt.write(Record.model_validate(data)).splitlines()
    places = [place for place, line in enumerate(lines) if re.match(r"\d+ ", line)]
    assert [int(lines[place].split()[0]) for place in places] == [*range(1, len(rows) + 1)]
    assert told_of(lines) == []
    for row, off, on in product(range(len(rows)), WRONG, (False, True)):
        wrong = [*lines]
        for place in places[row:] if on else places[row : row + 1]:
            number, rest = wrong[place].split(" ", 1)
            wrong[place] = f"{int(number) + off} {rest}"
        told = told_of(wrong)
        assert [(line, seat) for line, _, seat in told] == [(places[row] + 1, None)], (row, off, on)
        codes = {code for _, code, _ in told}
        missing = cut and off > 0 and (on or row + 1 == len(rows))  # then rows may be left out, and no row says another
        assert codes <= ({"FMT019", "FMT007", "PLY005", "REC004"} if missing else {"FMT019", "FMT007"})


def found_in(lines: list[str]) -> list[tuple[int, Finding]]:
    """Whatever is found in a typed record, and follows from nothing else that is, each with its line."""
    (reading,) = hrt.read("\n".join(lines).encode(), "rows.hrt")
    found = [*reading.findings, *(check(reading.record).primary if reading.record is not None else ())]
    placed = [(reading.placed(finding).location, finding) for finding in found]
    return [(location.line if location else 0, finding) for location, finding in placed]


def told_of(lines: list[str]) -> list[tuple[int, str, str | None]]:
    """Line, code and seat of each."""
    return [(line, finding.code, finding.seat) for line, finding in found_in(lines)]


@pytest.mark.parametrize(
    ("numbers", "told"),
    [
        ("1 2 3", []),
        ("1 3 3", [2]),
        ("1 2 2", [3]),
        ("1 2 4", [3]),
        ("14 15 16", [1]),
        ("1 - 3", []),
        ("1 - 2", [3]),
        ("- - 3", []),
    ],
)
def test_numbers_are_told_where_nothing_else_can_be_verified(numbers: str, told: list[int]) -> None:
    """No hands, no seats, no contract: it is not known who won the first trick, so that the play cannot be followed."""
    cards = ("AS KS QS JS", "AH KH QH JH", "AC KC QC JC")
    rows = [f"{number} {row}".replace("-", "play") for number, row in zip(numbers.split(), cards, strict=True)]
    lines = ["%hrt 1", "game bridge", "seats N E S W", "status excerpt", "deal status stopped", *rows]
    assert told_of(lines) == [(5 + row, "FMT019", None) for row in told]


def test_each_wrong_number_is_told_for_itself() -> None:
    """Two rows off by as much, with right ones in between; rows that go on from a wrong number are told with it."""
    data, rows = typed("bridge", 7, True)
    lines = hrt.write(Record.model_validate(data)).splitlines()
    places = [place for place, line in enumerate(lines) if re.match(r"\d+ ", line)]

    def told(numbers: dict[int, int]) -> list[int]:
        wrong = [*lines]
        for row, number in numbers.items():
            wrong[places[row - 1]] = re.sub(r"^\d+", str(number), wrong[places[row - 1]])
        return [places.index(line - 1) + 1 for line, _, _ in told_of(wrong)]

    assert len(rows) == 13
    assert told({3: 5, 8: 10}) == [3, 8]
    assert told({3: 5, 4: 6, 8: 10}) == [3, 8]
    assert told({3: 5, 4: 7, 5: 6}) == [3, 4, 5]
    assert told({13: 12}) == [13]


def test_slips_are_told_in_the_rows_where_they_are_though_a_number_is_wrong() -> None:
    """A row whose number is wrong is the row it is: what is found in it, or in the one whose number it has, is told there."""
    for seed in range(6):
        data, rows = typed("bridge", seed, True)
        events = data["deals"][0]["events"]
        one, other = rows[4][1], rows[4][2]
        events[one]["card"], events[other]["card"] = events[other]["card"], events[one]["card"]
        (slip,) = check(Record.model_validate(data)).faults
        assert (slip.code, slip.trick) == ("REC002", 5)
        for row, number in ((4, 7), (6, 5), (2, 5)):
            before, events[rows[row][0]]["trick"] = events[rows[row][0]]["trick"], number
            faults = check(Record.model_validate(data)).faults
            assert [(each.code, each.pointer) for each in faults if each.code != "FMT019"] == [(slip.code, slip.pointer)]
            assert [each.trick for each in faults] == sorted([5, row + 1])
            events[rows[row][0]]["trick"] = before


def without_one(key: str, seed: int, hands: bool, style: str, row: int, spot: int) -> tuple[list[str], int, int]:
    """The lines of a deal with a card left out of a row that names its leader alone, or nobody; the row's line, and its cards."""
    data, rows = typed(key, seed, hands)
    events = data["deals"][0]["events"]
    seats = [events[place]["by"] for place in rows[row]]
    cards = [events[place]["card"] for place in rows[row] if place != rows[row][spot]]
    for place in (place for each in rows for place in each) if style == "no seats" else ():
        del events[place]["by"]
    lines = hrt.write(Record.model_validate(data)).splitlines()
    line = next(place for place, text in enumerate(lines) if text.startswith(f"{row + 1} "))
    leader = [] if style == "no seats" else [seats[1] if spot == 0 else seats[0]]
    lines[line] = " ".join([str(row + 1), *leader, *cards])
    return lines, line + 1, len(cards)


#: How many deals rows are cut short in.
DEALS = pytest.mark.parametrize("deals", [3, pytest.param(5, marks=pytest.mark.long)])


@pytest.mark.some(2)
@DEALS
@pytest.mark.parametrize("style", ["leader", "no seats"])
@pytest.mark.parametrize("key", TABLES)
def test_of_a_short_line_nobody_is_said_to_lack_the_card(key: str, style: str, deals: int) -> None:
    """Its cards stand for the seats in turn, so that the ones after the gap are other seats': one finding, and of nobody."""
    for seed in range(deals):
        rows = typed(key, seed, False)[1]
        for row, spot in product({0, 2, len(rows) - 1}, range(len(rows[0]))):
            lines, line, many = without_one(key, seed, False, style, row, spot)
            ((at, fault),) = found_in(lines)
            assert (at, fault.code, fault.seat) == (line, "PLY005", None), (seed, row, spot)
            assert fault.message.startswith(f"trick {row + 1} has {many} of {many + 1} cards")
            assert ("stand under their own seats)" in fault.message) is (style == "leader")


@pytest.mark.some(2)
@DEALS
@pytest.mark.parametrize("style", ["leader", "no seats"])
@pytest.mark.parametrize("key", TABLES)
def test_hands_say_whose_card_a_short_line_lacks(key: str, style: str, deals: int) -> None:
    """And nobody led or played out of turn because of it."""
    for seed in range(deals):
        data, rows = typed(key, seed, True)
        for row, spot in product({0, 2, len(rows) - 1}, range(len(rows[0]))):
            gone = data["deals"][0]["events"][rows[row][spot]]
            lines, _, _ = without_one(key, seed, True, style, row, spot)
            (fault,) = (finding for _, finding in found_in(lines) if finding.severity != "info")
            assert (fault.code, fault.trick) in (("PLY005", row + 1), ("REC004", row + 1))
            assert gone["by"] in (fault.seat, fault.facts.get("owner"))


def test_a_short_line_is_no_fault_where_it_goes_on_or_the_play_ends() -> None:
    """A card taken back, a trick that goes on in another line, and the last row of a deal broken off."""
    head = ["%hrt 1", "game bridge", "seats N E S W", "status excerpt", "deal leader N status stopped", "contract 1NT by W"]
    whole = ["1 N AS 3S", "withdraw E 3S", "1 E 2S 4S 5S", "2 N KS 6S", "S: 7S 8S", "3 N QS 9S"]
    assert told_of([*head, *whole]) == []
    assert told_of([*head, *whole, "4 N JS TS"]) == [(12, "PLY005", None)]
    again = ["1 N AS 3S", "withdraw E 3S", "1 E 2S 4S", "2 N KS 6S 7S 8S"]
    assert told_of([*head, *again]) == [(7, "PLY005", None)]
    assert told_of([*head[:-1], "hand E 2S 3S 4H 5H 6H 7H 8H 9H TH JH QH KH AH", head[-1], "1 N AS 4H"]) == [(8, "REV001", "E")]


def test_an_unnamed_card_that_is_played_twice_is_told() -> None:
    """Whoever plays it: no hand is known, and still nobody holds it any more."""
    lines = ["%hrt 1", "game bridge", "seats N E S W", "status excerpt", "deal leader N status stopped", "contract 1NT by W"]
    assert [code for _, code, _ in told_of([*lines, "1 AS 2S 3S 4S", "2 KS 2S 5S 6S"])] == ["REC003"]
    (reading,) = hrt.read("\n".join([*lines, "1 AS 2S 3S 4S", "2 KS 2S 5S 6S"]).encode(), "rows.hrt")
    assert reading.record is not None
    assert [finding.code for finding in check(reading.record).findings if finding.because] == ["PLY002"]


def test_a_card_lacking_of_a_play_without_seats_and_rows_is_nobodys() -> None:
    """It may have been left out of any trick."""
    data, rows = typed("kbabs", 0, False)
    events = data["deals"][0]["events"]
    for place in (place for row in rows for place in row):
        events[place].pop("trick", None)
        del events[place]["by"]
    del events[rows[2][1]]
    (fault,) = check(Record.model_validate(data)).faults
    assert (fault.code, fault.seat) == ("PLY005", None)
    assert fault.message == "the play ends in trick 9 of 9, a card early (if it was left there: status stopped)"
