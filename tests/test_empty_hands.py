"""Hands that are recorded as empty: findings, and never a crash, whatever is asked of the record."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path

import pytest

import handrec
from handrec import games
from handrec.dealing import deal_game
from handrec.game import Game
from handrec.record import Record
from tests.commands import Handrec
from tests.tables import Data, bare, codes, verdict

GAMES = games.catalogue()
PLAYERS = {"kbabs": 4, "batarde": 4, "bridge": 4, "hearts": 4, "whist": 4}


def emptied(game: Game) -> list[Data]:
    """A deal with one hand empty, with all but one, and with all; played out or not begun."""
    players = PLAYERS.get(game.key, 3)
    numbers = [1] if isinstance(game.cards(players), int) else [3]
    dealt: Data = deal_game(game, players, 1, numbers=numbers).model_dump(mode="json", exclude_unset=True, by_alias=True)
    records = []
    seats = [player["seat"] for player in dealt["players"]]
    for empty in (seats[:1], seats[1:], seats):
        for played in (0, None):
            for status in ("complete", "stopped"):
                for only in (False, True):
                    data = deepcopy(dealt)
                    deal = data["deals"][0]
                    plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
                    deal["events"] = deal["events"] if played is None else deal["events"][: plays[played]]
                    deal["status"] = status
                    deal["hands"] = {} if only else deal["hands"]
                    deal["hands"] |= {seat: [] for seat in empty}
                    for field in ("cards", "claimed", "number") if only else ():
                        deal.pop(field, None)
                    records.append(data)
    return records


@pytest.mark.some(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_an_empty_hand_is_a_finding(game: Game) -> None:
    """One for each; the one by one and the many at once say the same."""
    records = [Record.model_validate(data) for data in emptied(game)]
    for data, record in zip(emptied(game), records, strict=True):
        empty = [cards for cards in data["deals"][0]["hands"].values() if not cards]
        told = [finding for finding in verdict(data).findings if finding.code == "DEA003" and finding.facts["found"] == 0]
        assert len(told) == len(empty)
        assert "INT001" not in codes(handrec.check(record))
    assert list(handrec.check_all(records)) == [bare(handrec.check(record)) for record in records]


@pytest.mark.some(7)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize("command", ["check", "replay", "infer", "ruling", "score", "digest", "fmt", "view", "convert"])
def test_no_command_fails_over_an_empty_hand(game: Game, command: str, handrec: Handrec, tmp_path: Path) -> None:
    """Each of them says what it can."""
    some = emptied(game)[:: 5 if command in ("view", "convert") else 3]
    for number, data in enumerate(some):
        text = Record.model_validate(data).model_dump_json(exclude_unset=True, by_alias=True)
        (tmp_path / f"{number}.handrec.json").write_text(text)
    calls = {
        "fmt": [["--check", "."]],
        "view": [[f"{number}.handrec.json", "-o", f"{number}.html"] for number in range(len(some))],
        "convert": [[f"{number}.handrec.json", "--allow-lossy", "-o", f"{number}.hrt"] for number in range(len(some))],
    }
    for call in calls.get(command, [["."]]):
        code, said, err = handrec(command, *call)
        assert code in (0, 1), err
        assert "INT001" not in said + err
        assert "internal" not in said + err


@pytest.mark.some(3)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_records_with_empty_hands_are_compared(game: Game, handrec: Handrec, tmp_path: Path) -> None:
    """An empty hand differs from one that is not."""
    data = emptied(game)
    for number in (0, 9):
        text = Record.model_validate(data[number]).model_dump_json(exclude_unset=True, by_alias=True)
        (tmp_path / f"{number}.handrec.json").write_text(text)
    code, said, err = handrec("diff", "0.handrec.json", "9.handrec.json")
    assert (code, "internal" in said + err) == (1, False)
