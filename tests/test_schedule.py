"""What a game and a deal's place in it say: which game it is, how many cards a hand has, what the seats bring with them."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import referee
from handrec.game import Game
from handrec.games import catalogue, find, near
from handrec.record import Record
from tests import tables
from tests.tables import Data, faults, verdict

SCHEDULED: Any = find("kbabs")
SCHEDULE = SCHEDULED.cards(4)
ONE_TRICK = [{"do": "play", "by": seat, "card": f"{rank}H"} for seat, rank in zip("NESW", "2345", strict=True)]


def record(game: str, status: str, *deals: dict[str, Any]) -> Record:
    """Deals of a game for four, of each of which one trick is on record."""
    players = [{"seat": seat} for seat in "NESW"]
    data = {"format": "handrec", "version": "1.0", "game": game, "players": players, "status": status}
    return Record.model_validate(data | {"deals": [{"events": ONE_TRICK} | deal for deal in deals]})


@pytest.mark.parametrize(
    ("status", "numbers", "due"),
    [
        ("stopped", [None, None, None], SCHEDULE[:3]),
        ("excerpt", [None, None, None], (1, 1, 1)),
        ("excerpt", [2, len(SCHEDULE), len(SCHEDULE) + 1], (SCHEDULE[1], SCHEDULE[-1], 1)),
    ],
)
def test_a_hand_has_the_cards_due_in_the_game(status: str, numbers: list[int | None], due: tuple[int, ...]) -> None:
    """By its number, or by its place where the record begins with the first; in an excerpt there may be any."""
    deals = [{} if number is None else {"number": number} for number in numbers]
    assert tuple(deal.cards for deal in referee.check(record("kbabs", status, *deals), find).deals) == tuple(due)


@pytest.mark.parametrize("game", catalogue(), ids=lambda game: game.key)
def test_the_first_deal_begins_with_nothing_unless_it_is_of_an_excerpt(game: Game) -> None:
    """Of which nobody knows what went before, if the game carries anything on."""
    nothing = {carry.key: carry.start for carry in game.carries}
    for status, carried in (("stopped", nothing), ("excerpt", None if nothing else {})):
        begun = record(game.key, status, {})
        assert referee.carried_into(begun, game, 0, referee.check(begun, find)) == dict.fromkeys(range(4), carried)


def test_a_game_is_known_by_its_name_however_that_is_set_off() -> None:
    """Case, accents, and signs between the letters do not matter."""
    for name, key in (("--- kbabs --- !!!", "kbabs"), ("W-h-i-s-t-!-!-!-!", "whist"), ("LA BÂTARDE", "batarde"), ("go", None)):
        assert near(name) == key


def sizes(key: str, seats: str, *deals: Data, **fields: Any) -> list[tuple[str, str]]:
    """What is found of the sizes and numbers of deals: where, and in words."""
    return [(each.pointer, each.message) for each in faults(verdict(tables.game(key, seats, *deals, **fields)))]


@pytest.mark.parametrize("many", [12, 13, 14])
def test_a_hand_of_another_size_is_told_once(many: int) -> None:
    """Where all deals are alike, whether the number is stated or the hands are; more than the pack has is not told besides."""
    due = [("/deals/0", f"each hand holds {many} cards instead of 13")] if many != 13 else []
    hands = {seat: ["??"] * many for seat in "NESW"}
    assert sizes("bridge", "N E S W", {"number": 1, "hands": hands, "events": []}) == due
    assert sizes("bridge", "N E S W", {"number": 1, "cards": many, "events": []}) == due


def test_a_hand_that_is_not_of_its_deal() -> None:
    """By the number of the deal, which in a game is that of its place; more cards than there are, where no number tells."""
    of = "3 cards a hand, but deal {} of 26 has {}"
    for number, due in ((1, 13), (14, 1), (27, 0)):
        excerpt = [("/deals/0/cards", of.format(number, due))]
        assert sizes("kbabs", "0 1 2 3", {"number": number, "cards": 3, "events": []}) == excerpt
    assert sizes("kbabs", "0 1 2 3", {"number": 14, "cards": 3, "events": []}, status="stopped") == [
        ("/deals/0/cards", of.format(1, 13)),
        ("/deals/0/number", "deal numbered 14 stands where deal 1 is due"),
    ]
    assert sizes("kbabs", "0 1 2 3", {"number": 27, "events": []}) == [
        ("/deals/0/number", "deal numbered 27 stands where deal 26 is due")
    ]
    hands = {str(seat): ["??"] * 14 for seat in range(4)}
    assert sizes("kbabs", "0 1 2 3", {"hands": hands, "events": []}) == [("/deals/0", "each hand holds 14 cards instead of 13")]


def test_deals_too_many_are_told_once_for_all_of_them() -> None:
    """They have no size that is due."""
    sizes_dealt = (*range(13, 0, -1), *range(1, 14), 5, 5)
    deals = [{"number": number, "cards": size, "events": []} for number, size in enumerate(sizes_dealt, 1)]
    assert [pointer for pointer, _ in sizes("kbabs", "0 1 2 3", *deals, status="stopped")] == ["/deals"]
