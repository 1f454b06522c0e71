"""What a game and a deal's place in it say: which game it is, how many cards a hand has, what the seats bring with them."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import referee
from handrec.game import Game
from handrec.games import catalogue, find, near
from handrec.record import Record

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
