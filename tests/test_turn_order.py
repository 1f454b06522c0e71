"""Whose an unnamed card is: the seat's in turn, or its holder's where the cards after it follow from that seat."""

from __future__ import annotations

from typing import Any

import pytest

from handrec import Record, referee
from handrec.games.bridge import GAME

#: 1NT by N, so that E leads; three cards each that matter, and nobody's else.
HANDS = {"N": "2D 4D 6C", "E": "2S 3S KC", "S": "AH 3H 5C", "W": "AC 2C 8C"}


def found(cards: str, trick: int | None = None) -> list[tuple[str, str | None, str]]:
    """What the referee finds in the first cards of a deal, played by nobody that is named: code, seat and card.

    With `trick`, they stand in a row of that number.
    """
    record: dict[str, Any] = {"format": "handrec", "version": "1.0", "game": "bridge", "status": "excerpt"}
    record["players"] = [{"seat": seat} for seat in "NESW"]
    deal: dict[str, Any] = {"status": "stopped", "cards": 3, "hands": {seat: hand.split() for seat, hand in HANDS.items()}}
    deal["events"] = [{"do": "contract", "bid": "1NT", "by": "N"}, *({"do": "play", "card": card} for card in cards.split())]
    if trick is not None:
        deal["events"][1]["trick"] = trick
    verdict = referee.check(Record.model_validate(record | {"deals": [deal]}), lambda _: GAME)
    faults = [fault for fault in verdict.faults if not fault.code.startswith("DEA")]
    return [(fault.code, fault.seat, str(fault.facts.get("card"))) for fault in faults]


@pytest.mark.parametrize(
    ("cards", "due"),
    {
        "in turn": ("2S 3H AC 2D", []),
        "S led for E, and W, N and E follow": ("AH AC 2D 2S", [("PLY004", "S", "AH")]),
        "so did N": ("2D 2S AH AC", [("PLY004", "N", "2D")]),
        "E's lead is miswritten, for S follows": ("AH 3H AC 2D", [("PLY001", "E", "AH")]),
        "one card": ("AH", [("PLY004", "S", "AH")]),
        "W before S": ("2S AC 3H 2D", [("PLY003", "W", "AC")]),
        "S's second card is miswritten, for W follows": ("2S 2D AC 4D", [("PLY001", "S", "2D")]),
    }.values(),
)  # fmt: skip
def test_whose_a_card_is(cards: str, due: list[tuple[str, str, str]]) -> None:
    """One card is odd, and only that is told, of the seat that the cards after it show."""
    assert found(cards) == due


def test_nobody_is_passed_over_in_a_row_of_as_many_cards_as_seats() -> None:
    """One of its cards is miswritten, and nobody's is missing, though none of the cards is S's."""
    assert found("2S AC 4D 2D", 1) == found("2S AC 4D 2D")
    assert all(code != "PLY005" for code, _, _ in found("2S AC 4D 2D", 1))


def test_an_unnamed_card_that_nobody_is_known_to_hold_comes_to_the_hand_in_turn() -> None:
    """Of E's hand one card was not read: it is the king that E leads, and is known of it from then on."""
    hands = {seat: hand.replace("KC", "??").split() for seat, hand in HANDS.items()}
    events = [{"do": "contract", "bid": "1NT", "by": "N"}, {"do": "play", "card": "KC"}]
    deal = {"status": "stopped", "cards": 3, "hands": hands, "events": events}
    record = {"format": "handrec", "version": "1.0", "game": "bridge", "status": "excerpt", "deals": [deal]}
    (table,) = referee.replay(Record.model_validate(record | {"players": [{"seat": seat} for seat in "NESW"]}), GAME)
    assert {*table.names(table.hands[1])} == {"2S", "3S", "KC"}
    assert {*table.names(table.left[1])} == {"2S", "3S"}
