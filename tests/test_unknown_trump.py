"""A trump that nothing else on record makes: no trump of the game is a fault, any other cannot be checked. And deal numbers."""

from __future__ import annotations

import pytest

from tests.tables import Data, codes, game, levels, reasons, verdict

PLAYERS = {"kbabs": 4, "batarde": 4, "bastard": 3, "spades3": 3, "bugami": 3, "bridge": 4}
#: What can be trump, by game; where it is always the same, another one is wrong.
TRUMPS = {"kbabs": ("C", "NT"), "batarde": ("AT", "H"), "bastard": ("D", "NT"), "bridge": ("S", "NT")}


def stated(key: str, trump: str, **options: bool) -> Data:
    """A deal of which nothing is recorded but who dealt, and the trump on the sheet."""
    return game(key, PLAYERS[key], {"dealer": "0", "claimed": {"trump": trump}}, options=options)


@pytest.mark.parametrize("key", PLAYERS)
@pytest.mark.parametrize("trump", ["banana", "Hx", "X"])
def test_what_is_no_trump_of_the_game_is_a_fault_dea009(key: str, trump: str) -> None:
    """Whatever was turned or bid, it cannot be that."""
    assert codes(verdict(stated(key, trump))) == ["DEA009"]


@pytest.mark.parametrize(("key", "trump"), [(key, trump) for key, trumps in TRUMPS.items() for trump in trumps])
def test_a_trump_without_what_makes_it_is_not_checkable(key: str, trump: str) -> None:
    """It may be right, and is not said to be."""
    told = verdict(stated(key, trump))
    assert (codes(told), levels(told)[0]) == ([], "?")
    assert "what makes trump is not recorded" in reasons(told, "L2")


@pytest.mark.parametrize("options", [{"mega": True}, {"demon": True, "back_end": True}, {"nuisance": True}, {"ultimate": True}])
def test_every_variant_of_the_bastard_knows_its_trumps(options: Data) -> None:
    """Any suit; without a widow, never none."""
    assert [codes(verdict(stated("bastard", trump, **options))) for trump in "CDHS"] == [[]] * 4
    assert codes(verdict(stated("bastard", "NT", **options))) == ([] if "ultimate" in options else ["DEA009"])


def test_the_mark_of_a_pack_is_part_of_the_trump() -> None:
    """Where two packs are used."""
    deal = {"dealer": "0", "claimed": {"trump": "Hm"}}
    assert codes(verdict(game("batarde", 5, deal))) == []


@pytest.mark.parametrize(("key", "number"), [("kbabs", 27), ("batarde", 11), ("kbabs", 1000)])
@pytest.mark.parametrize("more", [{}, {"cards": 2}, {"claimed": {"tricks": {"0": 1}}}])
def test_a_deal_past_the_ladder_is_a_fault_in_an_excerpt_too(key: str, number: int, more: Data) -> None:
    """There is no such deal, whether or not its size is on record."""
    told = verdict(game(key, 4, {"number": number, "dealer": "0", "status": "stopped", **more}))
    assert codes(told) == ["DEA005" if "cards" in more else "DEA010"]
