"""`handrec new`: a form that is read, names its blanks until they are filled in, and then is a record like any other."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from handrec import check, games
from handrec.dealing import deal_game, seats_for
from handrec.formats import hrt
from tests.commands import Handrec, written

GAMES = games.catalogue()

#: Lines that a form does not have, as few deals do.
RARE = re.compile(r"^(mechoune|choune|blind|look|bemo|big_bemo) ", re.MULTILINE)


def typed(game: Any, players: int, seed: int) -> str:
    """A first deal of a game, its rows all with the number 1."""
    return re.sub("^play ", "1 ", hrt.write(deal_game(game, players, seed, numbers=[1])), flags=re.MULTILINE)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_form_names_its_blanks_and_is_a_record_when_they_are_filled_in(game: Any, handrec: Handrec) -> None:
    """Filled in with the lines of a dealt game, whose first words are those of the form."""
    players = 4 if 4 in game.players else min(game.players)
    assert handrec("new", game.key, "-p", str(players), "-o", "game.hrt")[0] == 0
    lines = Path("game.hrt").read_text("utf-8").splitlines()
    blank = {number: line for number, line in enumerate(lines, 1) if "<" in line and not line.startswith("#")}
    code, out, _ = handrec("check", "game.hrt")
    assert code == 1
    told = re.findall(r"^game\.hrt:(\d+):\d+: (\w+) error  still to be filled in: [a-zA-Z0-9 ]+$", out, re.MULTILINE)
    assert told == [(str(number), "FMT020") for number in blank]
    dealt = next(text for text in (typed(game, players, seed) for seed in range(20)) if not re.search(RARE, text)).splitlines()
    words = {number: re.match(r"(hand|aside|side|exchange) \S+|\S+", line) for number, line in blank.items()}
    filled: list[str] = []
    for number, line in enumerate(lines, 1):
        start = words.get(number)
        found = [each for each in dealt if start and each.startswith(f"{start[0]} ")]
        assert found or not start or start[0] == "totals"  # of which an excerpt has none
        numbered = [f"{place} {each[2:]}" for place, each in enumerate(found, 1)] if start and start[0] == "1" else found
        filled += numbered if start else [line]
    (reading,) = hrt.read("\n".join(filled).encode(), "g.hrt")
    assert {finding.code for finding in reading.findings} <= {"FMT021"}
    assert reading.record is not None
    assert check(reading.record).faults == ()


def test_players_and_options_stand_in_the_form(handrec: Handrec) -> None:
    """Whatever they are called; what is read back are the same names."""
    code, out, err = handrec("new", "kbabs", "--players", 'Ann, Bo Li,C"y,#x,Dée', "--option", "ladder=down")
    assert (code, err) == (0, "")
    (reading,) = hrt.read(re.sub(r"(?m)^.*<.*\n", "", out).encode(), "g.hrt")
    assert {finding.code for finding in reading.findings} <= {"FMT021"}
    assert reading.record is not None
    assert [player.name for player in reading.record.players] == ["Ann", "Bo Li", 'C"y', "#x", "Dée"]
    assert tuple(player.seat for player in reading.record.players) == seats_for(5)
    assert reading.record.options == {"ladder": "down"}
    assert "# cards a hand, deal by deal: 10 9 8 7 6 5 4 3 2 1\n" in out


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("kbab", "there is no game kbab; did you mean kbabs?"),
        ("whatever", "there is no game whatever; there are bastard, "),
        ("bridge -p Ann,Bo", "bridge is for 4 players, not 2\n"),
        ("kbabs -p 55", "kbabs is for 1 to 54 players, not 55\n"),
        ("kbabs -p 0", "kbabs is for 1 to 54 players, not 0\n"),
        ("spades3 -p Ann;Bo;Cy", "(names stand with commas between them: --players Ann,Bo)"),
        ("kbabs -p Ann,,Bo", "a player has no name"),
        ("kbabs -p Ann,B\x1bo", "is no name that fits a scorecard"),
        ("kbabs --option lader=down", "there is no option of kbabs called lader; did you mean ladder?"),
        ("kbabs --option ladder=sideways", "option ladder cannot be sideways; it can be full, down, up"),
        ("kbabs -o game.json", "game.json: a typed record is called NAME.hrt"),
        ("kbabs -o there.hrt", "there.hrt exists already; nothing was written"),
        ("kbabs -o nowhere/game.hrt", "no such file or directory"),
    ],
)
def test_what_cannot_be_is_said_with_a_hint(handrec: Handrec, asked: str, said: str) -> None:
    """One line, exit code 2, and nothing is written."""
    there = Path(written("there.hrt", "mine"))
    code, out, err = handrec("new", *asked.split(" "))
    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert there.read_text() == "mine"
    assert [path.name for path in Path().iterdir()] == ["there.hrt"]
