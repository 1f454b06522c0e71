"""Seats of versions matched: by the players' names, by what they are called, by the cards; and where nothing tells."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from handrec import writing
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.diff import CannotSeat, compare, reconcile
from handrec.diff.seats import Seating, is_of_seat
from handrec.games import find
from handrec.record import Record
from handrec.referee import check
from handrec.repair.edits import value_at
from tests.differing import dealt
from tests.tables import Data, deal, game, put
from tests.test_diff import HANDS, PLAYS, small

LETTERED = {"0": "A", "1": "B", "2": "C"}
TURNED = {"0": "1", "1": "2", "2": "0"}


def named(data: Data, *names: str) -> Data:
    """The record with names for its players, in their order."""
    players = [{**player, "name": name} for player, name in zip(data["players"], names, strict=True)]
    return {**data, "players": players}


def called(data: Data, seats: dict[str, str], first: int = 0) -> Data:
    """The record with other names for its seats, and another of them first."""
    order = [seats[player["seat"]] for player in data["players"][first:] + data["players"][:first]]
    data = writing.renamed(data, seats.__getitem__, order)
    return {**data, "players": sorted(data["players"], key=lambda player: order.index(player["seat"]))}


def full() -> Data:
    """A deal in which seats are named wherever a record can name one."""
    then: list[Data] = [
        {"do": "accuse", "by": "1", "of": "0", "trick": 1},
        {"do": "ruling", "of": "0", "trick": 1, "verdict": "rejected"},
        {"do": "transfer", "by": "2", "of": "1", "tricks": 1},
        {"do": "penalty", "of": "0", "points": 10},
        {"do": "claim", "by": "0", "tricks": {"0": 0, "1": 0, "2": 0}},
    ]
    numbers = {"0": 1, "1": 2, "2": 0}
    claimed = {"bids": numbers, "winners": ["0", "1", "2"], "tricks": numbers, "scores": numbers, "totals": numbers}
    data = small(then=then, leader="1", claimed=claimed, comments=[{"text": "hm", "event": 5}])
    return {**data, "claimed": {"totals": numbers, "winners": ["0"]}, "options": {"d_after_seat": "2"}}


def compared(*versions: Data) -> Any:
    """The difference of some records."""
    return compare([Record.model_validate(data) for data in versions], find)


@pytest.mark.parametrize("seats", [LETTERED, TURNED])
@pytest.mark.parametrize("first", [0, 1, 2])
@pytest.mark.parametrize("by", ["names", "cards"])
def test_seats_that_are_called_otherwise_are_the_same(seats: dict[str, str], first: int, by: str) -> None:
    """Wherever a record can name one, in whatever order the players stand; told by names, or else by the cards."""
    right = named(full(), "Ann", "Bo", "Cy") if by == "names" else full()
    difference = compared(right, called(right, seats, first))
    assert difference.rows == ()
    (other,) = (seating for seating in difference.seatings if not seating.same)
    assert other.by == by


def test_names_are_compared_as_people_read_them() -> None:
    """Case and blanks do not matter; one name that is spelt otherwise, or is missing, is told by the others."""
    right = named(full(), "Ann", "Bo Li", "Cy")
    other = called(named(full(), "ann", " bo  li", "Sy"), LETTERED, 1)
    difference = compared(right, other)
    assert {row.what for row in difference.rows} == {"name"}
    assert {seating.by for seating in difference.seatings} == {"seats", "names"}


def test_pointers_lead_into_the_records_as_they_were_given() -> None:
    """Though the rows have common names."""
    right = named(full(), "Ann", "Bo", "Cy")
    other = called(put(put(right, "/deals/0/hands/1/0", "QH"), "/players/2/name", "Sy"), LETTERED, 1)
    other = put(other, "/deals/0/claimed/scores/A", 7)
    for one, two in ((right, other), (other, right)):
        difference = compared(one, two)
        assert {row.what for row in difference.rows} == {"hand", "name", "claimed score"}
        for row in difference.rows:
            for data, leaf in zip((one, two), row.leaves, strict=True):
                assert leaf is not None
                assert value_at(data, leaf.pointer) == leaf.value


@pytest.mark.parametrize("place", ["/claimed", "/deals/0/claimed"])
@pytest.mark.parametrize("first", range(4))
def test_pointers_to_what_is_claimed_of_a_side_lead_there(place: str, first: int) -> None:
    """A side is called after its seats, in the order of the players, so it has another name where they have."""
    board = writing.plain(deal_game(find("bridge"), 4, 1, numbers=[1]))
    for where in ("/claimed", "/deals/0/claimed"):
        board = put(board, where, {"sides": {"NS": {"score": 1}, "EW": {"score": 2}}})
    right = named(board, "Ann", "Bo", "Cy", "Di")
    other = called(right, dict(zip("NESW", "ABCD", strict=True)), first)
    side = next(side for side in ("AC", "CA") if side in other["deals"][0]["claimed"]["sides"])
    other = put(other, f"{place}/sides/{side}/score", 7)
    for one, two in ((right, other), (other, right)):
        (row,) = compared(one, two).rows
        assert (row.what, row.seat, {*row.values}) == (f"claimed {row.path[-2]} score", None, {1, 7})
        for data, leaf in zip((one, two), row.leaves, strict=True):
            assert leaf is not None
            assert value_at(data, leaf.pointer) == leaf.value


@pytest.mark.parametrize("side", ["tricks", "hands", "scores", "sides", "claimed"])
@pytest.mark.parametrize("of_deal", [False, True])
def test_a_side_may_be_called_as_a_claim_is(side: str, of_deal: bool) -> None:
    """What is claimed of a side is nothing of a seat's, whatever the side is called."""
    seats = {"0": "score", "1": "B", "2": "C"}
    right = named({**full(), "version": "1.1"}, "Ann", "Bo", "Cy")
    place = "/deals/0/claimed/sides" if of_deal else "/claimed/sides"
    one, two = (put(right, place, {side: {"score": score}}) for score in (1, 2))
    two = writing.renamed(two, lambda seat: seats.get(seat, seat))
    (row,) = compared(one, two).rows
    assert (row.place, row.what) == ("deal 16" if of_deal else "", f"claimed {side} score")
    for data, leaf in zip((one, two), row.leaves, strict=True):
        assert leaf is not None
        assert value_at(data, leaf.pointer) == leaf.value


def test_a_seat_that_is_nobodys_does_not_become_somebodys() -> None:
    """B's record has a play by "0", whom it does not seat: that is not A's "0"."""
    right = named(full(), "Ann", "Bo", "Cy")
    other = put(called(right, LETTERED), "/deals/0/events/6/by", "0")
    (row,) = compared(right, other, right).rows
    assert [leaf.seat for leaf in row.leaves] == ["0", "not-0", "0"]


def test_one_faulty_record_leads_no_other_astray() -> None:
    """Its hands are turned as the table of another is, which has all else turned, too: that is matched with the third."""
    right = full()
    faulty = put(right, "/deals/0/hands", called(right, TURNED)["deals"][0]["hands"])
    for versions in permutations((right, faulty, called(right, TURNED))):
        rows = compared(*versions).rows
        assert [row.what for row in rows] == ["hand"] * 3
        assert {versions.index(faulty) not in row.majority for row in rows} == {True}


def test_two_against_one_decide() -> None:
    """Names that stand at other seats than in the other record are not followed where seats and cards say the same."""
    right = named(full(), "Ann", "Bo", "Cy")
    difference = compared(right, named(full(), "Bo", "Cy", "Ann"))
    assert {row.what for row in difference.rows} == {"name"}
    assert "names" in {seating.doubt for seating in difference.seatings}
    turned = {seat: right["deals"][0]["hands"][to] for seat, to in TURNED.items()}
    difference = compared(right, put(right, "/deals/0/hands", turned))
    assert {row.what for row in difference.rows} == {"hand"}


def sheet(*seats: str) -> Data:
    """A record of totals alone."""
    data = game("kbabs", " ".join(seats))
    return {**data, "claimed": {"totals": dict.fromkeys(seats, 1)}}


@pytest.mark.parametrize(
    ("one", "other", "says"),
    [
        (sheet("0", "1", "2"), sheet("A", "B", "C"), "neither the players' names nor the cards tell"),
        (
            named(full(), "Ann", "Bo", "Cy"),
            called(named(full(), "Bo", "Cy", "Ann"), LETTERED),
            "say one thing and the cards another",
        ),
        (named(sheet("0", "1", "2"), "Ann", "Ann", ""), named(sheet("A", "B", "C"), "Ann", "", ""), "neither the players' names"),
        (sheet("0", "1", "2"), sheet("0", "1", "2", "3"), "{one} has 3 players and {other} 4"),
        (sheet("0", "1", "2"), {**sheet("0", "1", "2"), "game": "bugami"}, "{one} is of kbabs and {other} of bugami"),
    ],
)
def test_where_nothing_tells_nothing_is_guessed(one: Data, other: Data, says: str) -> None:
    """It is said of the records in their order, whichever comes first."""
    with pytest.raises(CannotSeat) as told:
        compared(one, other)
    assert says in told.value.why
    assert (told.value.one, told.value.other) == (0, 1)
    with pytest.raises(CannotSeat) as told:
        compared(one, one, other)
    assert (told.value.one, told.value.other) in ((0, 2), (1, 2))
    assert "record 3" in str(told.value)


def test_names_that_stand_twice_tell_nothing_and_are_told() -> None:
    """The others still do."""
    difference = compared(named(full(), "Ann", "Bo", "Cy"), called(named(full(), "Ann", "Bo", "Bo"), LETTERED))
    assert {row.what for row in difference.rows} == {"name"}
    assert sorted(seating.twice for seating in difference.seatings) == [(), ("Bo",)]


AROUND = {"N": "E", "E": "S", "S": "W", "W": "N"}


@pytest.mark.some(8)
@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize("many", [1, 2])
@pytest.mark.parametrize("place", [0, 1])
def test_seats_are_called_as_in_most_and_as_the_board_says(seed: int, many: int, place: int) -> None:
    """A board of bridge, and one with the table turned: the number of the board says who deals, so nothing else comes of both."""
    board = writing.plain(deal_game(find("bridge"), 4, seed, numbers=[1 + seed]))
    turned = writing.renamed(board, AROUND.__getitem__, [*AROUND])
    versions = [board] * many
    versions.insert(place, turned)
    agreed, _ = reconcile(compared(*versions), find)
    assert check(Record.model_validate(turned), find).faults
    assert not check(agreed, find).faults
    assert agreed.deals[0].hands == Record.model_validate(board).deals[0].hands


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("seed", range(6))
def test_a_record_is_judged_as_it_was_with_its_own_seats(seed: int, first: int) -> None:
    """Common names and another first player bring no fault and hide none; the reconciled record has them.

    But the number of a board speaks of the first player, North, whoever that is.
    """
    right = writing.plain(dealt(seed))
    seats = [player["seat"] for player in right["players"]]
    other = called(right, {seat: f"x{place}" for place, seat in enumerate(seats)}, first)
    dealer = seats.index(right["deals"][0]["dealer"])
    wrong = put(other, "/deals/0/dealer", f"x{(dealer + 1) % len(seats)}")
    for data in (other, wrong):
        records = [Record.model_validate(each) for each in (right, right, data)]
        difference = compare(records, find)
        if not (first and right["game"] == "bridge"):
            assert len(check(difference.records[2], find).faults) == len(check(records[2], find).faults)
        agreed, _ = reconcile(difference, find)
        assert check(agreed, find).ok
        assert compare([agreed, records[0]], find, facts=True).same


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("place", [0, 1])
def test_north_is_north_where_one_of_two_names_it(first: int, place: int) -> None:
    """The number of a board says that North deals: under other names that would be whoever stands first."""
    right = named(writing.plain(deal_game(find("bridge"), 4, 1, numbers=[1])), "Ann", "Bo", "Cy", "Di")
    versions = [called(right, dict(zip("NESW", "ABCD", strict=True)), first)]
    versions.insert(place, right)
    difference = compared(*versions)
    assert [check(each, find).faults for each in difference.records] == [(), ()]
    assert difference.same


def test_the_command_says_whose_seats_are_whose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a sentence before the differences; where it cannot be told, exit code 2 and a sentence on standard error."""
    monkeypatch.chdir(tmp_path)
    right = named(full(), "Ann", "Bo", "Cy")
    versions = {
        "a": right,
        "b": called(right, LETTERED),
        "contrary": called(named(full(), "Bo", "Cy", "Ann"), LETTERED),
        "twice": named(full(), "Bo", "Bo", "Ann"),
        "deal": {**sheet("0", "1", "2"), "deals": [deal(hands=HANDS, plays=PLAYS)]},
    }
    for name, data in versions.items():
        Path(f"{name}.json").write_text(json.dumps(data), "utf-8")

    def said(*names: str) -> tuple[int, str, str]:
        code = run(["diff", *(f"{name}.json" for name in names)])
        text = capsys.readouterr()
        return code, text.out, text.err

    code, out, _ = said("a", "b")
    assert (code, out) == (
        0,
        "A  a.json\nB  b.json\n\nA's seats 0 1 2 are called A B C here (told by the players' names).\n\nNo difference.\n",
    )
    code, out, err = said("contrary", "a")
    assert (code, out) == (2, "")
    assert err.startswith("handrec: it cannot be told which seats of contrary.json and a.json are the same: ")
    assert "B has several players called Bo" in said("a", "twice")[1]
    assert run(["diff", "a.json", "b.json", "-f", "json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)["records"]
    assert one["seats"] == ["A's seats 0 1 2 are called A B C here (told by the players' names)."]


def test_the_pointer_of_a_seat_that_has_no_common_name_is_its_own() -> None:
    """As one that nobody has; a field that is named as a seat may be is no seat."""
    seating = Seating({"a": "N", "b": "E", "c": "S", "scores": "W"})
    record = Record.model_validate(full())
    pointers = ("/deals/0/hands/N", "/deals/0/hands/X", "/deals/0/claimed/scores", "/claimed/totals/W")
    found = ["/deals/0/hands/a", "/deals/0/hands/X", "/deals/0/claimed/scores", "/claimed/totals/scores"]
    assert [seating.own(each, record) for each in pointers] == found
    assert is_of_seat(("claimed", "scores", "N"))
    assert not is_of_seat(("claimed", "scores"))
    assert not is_of_seat(("claimed", "winners", 0))
