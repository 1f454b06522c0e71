"""Stepping through a deal: where keys lead, what is drawn, and the command on a terminal of its own."""

from __future__ import annotations

import os
import pty
import select
import sys
from pathlib import Path
from typing import Any

import pytest

from handrec import games, referee
from handrec.dealing import deal_game
from handrec.game import compose
from handrec.report.replay import deal_view
from handrec.report.safe import columns
from handrec.report.stage import Cursor, drawn, moved, start
from handrec.writing import dumps


def views(key: str, players: int, inject: str | None = None, numbers: tuple[int, ...] = (1, 2)) -> list[dict[str, Any]]:
    """What a replay shows of some deals."""
    game = games.find(key)
    assert game is not None
    record = deal_game(game, players, 7, numbers=numbers, inject=inject)
    verdict = referee.check(record, games.find)
    tables = referee.replay(record, compose(game, record.options)[0], trace=True)
    pairs = zip(tables, verdict.deals, strict=True)
    return [deal_view(record, table, result, verdict.findings, None, None) for table, result in pairs]


def walk(shown: list[dict[str, Any]], *keys: str) -> Cursor:
    """Where the keys lead from the start."""
    at = start(shown[0])
    for key in keys:
        at = moved(shown, at, key)
    return at


def spot(at: Cursor) -> tuple[int, int]:
    """Tricks that are over, cards on the table."""
    return at.trick, at.card


def test_cards_and_tricks() -> None:
    """A card at a time over the end of a trick and back; whole tricks; the ends hold."""
    shown = views("bugami", 3)
    assert spot(walk(shown, "card+1")) == (0, 1)
    assert spot(walk(shown, *["card+1"] * 4)) == (1, 1)
    assert spot(walk(shown, *["card+1"] * 4, "card-1")) == (0, 3)
    assert spot(walk(shown, "trick+1", "trick+1")) == (1, 3)
    assert spot(walk(shown, "trick+1", "trick+1", "trick-1")) == (0, 3)
    assert spot(walk(shown, "end")) == spot(walk(shown, "end", "card+1")) == (12, 3)
    assert spot(walk(shown, "card-1")) == spot(walk(shown, "end", "start")) == (0, 0)


def test_remarks_and_deals() -> None:
    """The next remark is at the card it is about, and there it is told; a number leads to that deal."""
    shown = views("kbabs", 4, inject="REV001")
    deal = next(place for place, view in enumerate(shown) if any(each["code"] == "REV001" for each in view["findings"]))
    at = walk(shown, f"deal {shown[deal]['deal']}", "remark+1")
    told = next(each for each in shown[deal]["findings"] if each["code"] == "REV001")
    trick = shown[deal]["tricks"][at.trick]
    assert (trick["number"], trick["plays"][at.card - 1]["seat"]) == (told["trick"], told["seat"])
    assert any("REV001" in line for line in drawn(shown[deal], at, False))
    assert not any("REV001" in line for line in drawn(shown[deal], moved(shown, at, "card+1"), False))
    assert spot(moved(shown, moved(shown, at, "end"), "remark-1")) == spot(at)
    assert walk(shown, "deal 9").deal == 0


def test_hands_shrink_and_can_be_hidden() -> None:
    """A card played is no longer in hand; `hide` shows no hand at all; the last trick can be looked at again."""
    shown = views("bridge", 4, numbers=(1,))
    first = shown[0]["tricks"][0]["plays"][0]["card"]
    hand = [line for line in drawn(shown[0], walk(shown), False) if first in line]
    assert len(hand) == 1
    assert [line for line in drawn(shown[0], walk(shown, "trick+1", "card+1"), False) if first in line] == []
    assert any(f">{first}" in line for line in drawn(shown[0], walk(shown, "trick+1", "card+1", "last"), False))
    assert not any(first in line for line in drawn(shown[0], walk(shown, "hide"), False))


@pytest.mark.parametrize(
    ("key", "players"), [("kbabs", players) for players in (1, 2, 3, 5, 6, 8, 9, 26)] + [("bastard", 3), ("batarde", 7)]
)
def test_80_columns(key: str, players: int) -> None:
    """Every picture of every kind of table fits 80 columns, and shows every card on the table."""
    shown = views(key, players, numbers=(1,))
    for bottom in range(min(players, 3)):
        at = Cursor(bottom=bottom)
        for _ in range(60):
            at = moved(shown, at, "card+1")
            lines = drawn(shown[0], at, False)
            assert max(map(columns, lines)) <= 80
            text = "\n".join(lines)
            assert all(play["card"] in text for play in shown[0]["tricks"][at.trick]["plays"][: at.card])


def test_the_command_on_a_terminal(tmp_path: Path) -> None:
    """Keys as a terminal sends them, several at once too; leaving gives the first screen back."""
    game = games.find("bridge")
    assert game is not None
    file = tmp_path / "game.handrec.json"
    file.write_text(dumps(deal_game(game, 4, 1, numbers=(1,))), "utf-8")
    child, terminal = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm", "COLUMNS": "80", "LINES": "30"}
        os.execv(sys.executable, [sys.executable, "-m", "handrec", "replay", str(file), "--step"])
    seen = b""

    def until(text: bytes) -> None:
        nonlocal seen
        while text not in seen:
            assert select.select([terminal], [], [], 20)[0], seen
            seen += os.read(terminal, 65536)

    until(b"before the first card")
    os.write(terminal, b"\x1b[C\x1b[C")
    until(b"trick 1.2")
    os.write(terminal, b"\x1b[F")
    until(b"trick 13.4")
    os.write(terminal, b"q")
    until(b"\x1b[?1049l")
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    os.close(terminal)
