"""Faults of form: strangers among seats and sides, wherever they stand, and who is meant by them."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import writing
from handrec.game import Game
from tests.dealing import GAMES
from tests.tables import Data, codes, faults, game, verdict
from tests.test_fast_guards import dealt


def board(**fields: Any) -> Data:
    """A board of which little is on record."""
    return game("bridge", "N E S W", {"number": 1, "events": [], **fields})


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"claimed": {"sides": {"NX": {"tricks": 3}}}}, "claimed/sides/NX"),
        ({"vulnerable": "NE"}, "vulnerable"),
        ({"claimed": {"sides": {"NX": {"tricks": 3}}}, "vulnerable": "NX"}, "vulnerable"),
    ],
)
def test_a_side_that_is_none_is_told_once(fields: Data, place: str) -> None:
    """Where it stands first."""
    assert [(each.code, each.pointer) for each in faults(verdict(board(**fields)))] == [("FMT012", f"/deals/0/{place}")]
    assert codes(verdict(board(vulnerable="NS", claimed={"sides": {"EW": {"tricks": 3}}}))) == []


@pytest.mark.parametrize("fields", [{"vulnerable": "NS"}, {"claimed": {"sides": {"NS": {"tricks": 3}}}}])
def test_a_side_whose_seats_stand_in_another_order_is_told_how_it_is_called(fields: Data) -> None:
    """Where South is named before North among the players, as in files of LIN, their side is SN."""
    (finding,) = faults(verdict(game("bridge", "S W N E", {"number": 1, "events": [], **fields})))
    assert finding.message.startswith("NS is not a seat of this record (seats: SN WE) (did you mean SN?")
    (finding,) = faults(verdict(game("bridge", "N E S W", {"number": 1, "events": [], "vulnerable": "N+S"})))
    assert finding.message.startswith("N+S is not a seat of this record (seats: NS EW) (did you mean NS?")
    (finding,) = faults(verdict(game("bridge", "S W N E", {"number": 1, "events": [], "vulnerable": "NW"})))
    assert "did you mean" not in finding.message


@pytest.mark.parametrize(
    ("name", "meant"), [("N7C", "N 7C"), ("7C", None), ("Eddi", "E"), ("eddie", "E"), ("NZZ", None), ("SBJ", "S BJ")]
)
def test_a_stranger_is_a_card_run_together_with_its_seat_or_a_player_by_name(name: str, meant: str | None) -> None:
    """A card by itself is neither."""
    record = game("whist", "N E S W", {"events": [{"do": "play", "by": name, "card": "7C"}]})
    record["players"][1]["name"] = "Eddie"
    (finding,) = faults(verdict(record))
    assert (finding.code, finding.facts.get("hint")) == ("FMT012", meant and f" (did you mean {meant}?)")


def test_a_seat_that_no_player_has_takes_part_where_cards_do() -> None:
    """The Bastard plays cards, and can be claimed to win tricks; it does nothing else."""
    claim = {"do": "claim", "by": "0", "tricks": {"0": 3, "bastard": 10}}
    taken = [
        ({"events": [claim], "status": "claimed"}, []),
        ({"events": [{"do": "play", "by": "bastard", "card": "7C"}], "status": "stopped"}, []),
        ({"events": [], "claimed": {"tricks": {"0": 3, "bastard": 10}}}, []),
        ({"events": [], "claimed": {"winners": ["bastard"]}}, []),
        ({"events": [claim | {"by": "bastard"}], "status": "claimed"}, ["FMT012"]),
        ({"events": [], "claimed": {"scores": {"bastard": 10}}}, ["FMT012"]),
        ({"events": [], "hands": {"bastard": ["7C"]}}, ["FMT012"]),
        ({"events": [{"do": "bid", "by": "bastard", "bid": 3}]}, ["FMT012"]),
    ]
    for deal, found in taken:
        assert codes(verdict(game("bastard", 3, deal, options={"nuisance": True}))) == found, deal


@pytest.mark.parametrize("played", GAMES, ids=lambda each: each.key)
@pytest.mark.parametrize("known", [True, False], ids=["hands", "no hands"])
def test_a_number_of_cards_that_nobody_holds_or_plays_is_one_slip(played: Game, known: bool) -> None:
    """The hands tell how many cards they are, or else the play, where it is as long as it has to be."""
    data = dealt(played)
    (deal,) = data["deals"]
    if not known:
        deal.pop("hands", None)
        deal.pop("aside", None)
    size = deal.pop("cards")
    assert not verdict(data).findings
    for many in (size - 1, size + 1, 20, 60):
        told = verdict(data | {"deals": [deal | {"cards": many}]}).findings
        assert [(each.code, each.pointer) for each in told] == [("DEA003", "/deals/0/cards")]


@pytest.mark.parametrize(("hands", "short"), [({"A": ["JH"], "C": ["AH", "JH"]}, "A"), ({"C": ["2C", "3C"], "B": ["4C"]}, "B")])
def test_the_order_in_which_hands_are_written_decides_nothing(hands: dict[str, list[str]], short: str) -> None:
    """Of hands of two sizes, where nothing else tells which is right, the smaller lacks a card."""
    told = []
    for stated in (hands, dict(reversed(hands.items()))):
        found = verdict(game("oh_hell", "A B C", {"hands": stated, "events": []}, status="excerpt"))
        told.append([(finding.code, finding.pointer) for finding in found.findings])
    assert told[0] == told[1]
    assert told[0][0] == ("DEA003", f"/deals/0/hands/{short}")


@pytest.mark.parametrize(("vulnerable", "due"), [("N+S", []), ("NS", ["FMT012"]), ("E+west", ["DEA012"])])
def test_sides_are_joined_alike_at_a_table_where_a_seat_is_more_than_a_letter(vulnerable: str, due: list[str]) -> None:
    """The side of North and South too, though each of these is a letter; a board's vulnerability calls it so as well."""
    fields = {"number": 2, "board": 2, "dealer": "E", "events": [], "vulnerable": vulnerable}
    assert codes(verdict(game("bridge", "N E S west", fields))) == due


def test_a_side_keeps_its_seats_whatever_these_are_called() -> None:
    """Other names, of which one is longer, make a side of the same seats, and back; what is no side stays as it is."""
    long = {"N": "N", "E": "E", "S": "S", "W": "west"}
    fields = {"number": 2, "events": [], "claimed": {"sides": {"NS": {"tricks": 3}}}, "vulnerable": "NS"}
    record = game("bridge", "N E S W", fields)
    other = writing.renamed(record, long.__getitem__)
    assert [*other["deals"][0]["claimed"]["sides"]] == ["N+S"]
    assert other["deals"][0]["vulnerable"] == "N+S"
    assert codes(verdict(other)) == codes(verdict(record))
    assert writing.renamed(other, {called: seat for seat, called in long.items()}.__getitem__) == record
    assert writing.renamed({**other, "deals": record["deals"]}, str)["deals"] == record["deals"]
