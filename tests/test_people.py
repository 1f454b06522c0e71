"""Text for people: sentences with names, the line of the file with a caret, what was not checked, and `--require`."""

from __future__ import annotations

import fcntl
import json
import os
import struct
import termios
from dataclasses import replace
from pathlib import Path

import pytest

from handrec.cli import run
from handrec.cli.common import width
from handrec.explanations import SLIPS
from handrec.findings import Finding
from handrec.record import Record
from handrec.report.layout import wrapped
from handrec.report.people import People, _mark
from handrec.report.safe import columns
from tests.tables import game

ROOT = Path(__file__).parents[1]
REVOKE = "fixtures/broken/kbabs/KB-5.2-REV001.handrec.json"
BIDS_ONLY = "fixtures/clean/partial/bids-only.handrec.json"


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    code = run(["--no-config", "check", *words])
    return code, capsys.readouterr().out


@pytest.fixture(autouse=True)
def _at_the_top(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_names_stand_with_their_seats_and_the_caret_under_the_card(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    data = json.loads(Path(REVOKE).read_text("utf-8"))
    for player, name in zip(data["players"], ("Ann", "\x1b[31mBo", "Cy", "Di"), strict=False):
        player["name"] = name
    path = tmp_path / "a.json"
    for indent in (2, None):
        path.write_text(json.dumps(data, indent=indent), "utf-8")
        code, text = said(capsys, "-f", "text", str(path))
        assert code == 1
        assert "\x1b" not in text
        assert any(name in text for name in ("Ann (", "Bo (", "Cy (", "Di ("))
        assert ", but held " in text
        assert "(KB-5.2)" in text
        lines = text.splitlines()
        assert all(columns(line) <= 80 or str(tmp_path) in line for line in lines)
        (caret,) = [place for place, line in enumerate(lines) if line.endswith("^")]
        begin = lines[caret].index("^")
        assert lines[caret - 1][begin : len(lines[caret])].count('"') == 2


def test_what_was_not_checked_is_not_called_clean(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "-f", "text", BIDS_ONLY)[1]
    assert text.startswith("1 record: nothing wrong found; plays and scores not checked (the play is not")


@pytest.mark.parametrize("format", ["text", "line", "json", "sarif", "junit"])
def test_what_has_to_be_checked_and_cannot_be_fails(format: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, text = said(capsys, "-f", format, "--require", "l4", BIDS_ONLY)
    assert (code, "INT003" in text, "L4" in text) == (1, True, True)
    assert said(capsys, "--require", "L3", BIDS_ONLY)[0] == 0
    assert said(capsys, "--require", "L9", BIDS_ONLY)[0] == 2


def test_a_level_can_be_required_by_a_file(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "handrec.toml").write_text('[check]\nrequire = ["L4", "L5"]\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["check", str(ROOT / BIDS_ONLY)]) == 1
    assert capsys.readouterr().out.count("INT003") == 2


@pytest.mark.parametrize(
    ("field", "value", "cure"),
    [
        (("deals", 0, "events", -1, "card"), "Big Joker", "write BJ for the Big Joker"),
        (("deals", 0, "events", -1, "card"), "joker", "LJ for the Little Joker"),
        (("deals", 0, "events", -1, "card"), "1h", "AH for an ace"),
        (("deals", 0, "events", -1, "by"), "Bo", "Cure: write E"),
        (("deals", 0, "dealer"), "West", "Cure: write W"),
        (("game",), "kbab", "Cure: write kbabs"),
    ],
)
def test_what_people_type_is_answered_with_what_to_write(
    field: tuple[str | int, ...], value: str, cure: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    data = json.loads(Path(REVOKE).read_text("utf-8"))
    for player, name in zip(data["players"], ("Ann", "Bo", "Cy", "Di"), strict=False):
        player["name"] = name
    part = data
    for step in field[:-1]:
        part = part[step]
    part[field[-1]] = value
    path = tmp_path / "a.json"
    path.write_text(json.dumps(data, indent=1), "utf-8")
    code, text = said(capsys, "-f", "text", str(path))
    assert code == 1
    assert cure in " ".join(text.split())
    assert text.count("-->") == 1


def test_what_was_not_checked_names_players_by_their_seats(capsys: pytest.CaptureFixture[str]) -> None:
    text = " ".join(said(capsys, "-f", "text", "fixtures/broken/kbabs/C-6d-PLY001.handrec.json")[1].split())
    assert "plays not checked in deal 11 (South's card is not certain)" in text
    assert "Cure: write 3C" in text


def test_where_no_line_shows_it_the_trick_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """An archive has no lines of text: who played what stands there instead."""
    pytest.importorskip("pyarrow")
    archive = str(tmp_path / "a.parquet")
    assert run(["--no-config", "convert", REVOKE, "-o", archive]) == 0
    capsys.readouterr()
    assert "Trick 1: West A♣, North 4♣, East 8♠, South 6♦" in said(capsys, "-f", "text", archive)[1]
    assert "Trick 1:" not in said(capsys, "-f", "text", REVOKE)[1]


def test_of_a_hand_that_the_pack_contradicts_only_the_difference_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "-f", "text", "fixtures/broken/bridge/C-6c-DEA008.handrec.json")[1]
    assert "the recorded pack gives South K♠, not J♠." in text


def test_a_wrong_game_is_told_with_the_right_one(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "-f", "text", "fixtures/broken/slips/REC013-heading-miswritten.handrec.json")[1]
    assert "Cure: write bridge" in text
    assert text.count("-->") == 1


@pytest.mark.parametrize(("shown", "due"), [(200, 80), (60, 60), (40, 40), (5, 24), (0, 80)])
def test_a_line_is_as_long_as_the_terminal_is_wide(shown: int, due: int) -> None:
    """But never longer than usual, nor too short for anything."""
    master, slave = os.openpty()
    try:
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("4H", 50, shown, 0, 0))
        with open(slave, "w", closefd=False) as stream:
            assert width(stream) == due
        with Path(os.devnull).open("w") as stream:
            assert width(stream) == 80
    finally:
        os.close(master)
        os.close(slave)


@pytest.mark.parametrize("many", [80, 60, 40])
@pytest.mark.parametrize("indent", [2, None])
def test_the_caret_stands_under_the_word_on_a_narrow_terminal(
    many: int, indent: int | None, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the line of the file fits or is cut on both sides; letters that take two columns stand before it."""
    data = json.loads(Path(REVOKE).read_text("utf-8"))
    data["players"][0]["name"] = "王小明"
    path = tmp_path / "a.json"
    path.write_text(json.dumps(data, indent=indent, ensure_ascii=False), "utf-8")
    monkeypatch.setattr("handrec.cli.check.width", lambda stream: many)
    lines = said(capsys, "-f", "text", str(path))[1].splitlines()
    assert all(columns(line) <= many or str(tmp_path) in line for line in lines)
    (caret,) = [place for place, line in enumerate(lines) if line.endswith("^")]
    assert lines[caret - 1][lines[caret].index("^") : len(lines[caret])] == '"8S"'


def test_a_part_that_may_not_break_stands_in_a_line_whole() -> None:
    """In the first one, if it comes first, though it does not fit there; what may break is not broken if it just fits."""
    assert [*wrapped("", ["one two three", "four"], width=8)] == ["one two three", "four"]
    assert [*wrapped("", ["one two three", "four"], breaks=True, width=8)] == ["one two", "three", "four"]
    assert [*wrapped("a: ", ["seven"], width=8)] == ["a: seven"]
    assert [*wrapped("", ["twelve", "a b"], breaks=True, width=9)] == ["twelve", "a b"]


@pytest.mark.parametrize(
    ("seats", "said", "shown"),
    [
        ("N E S W", "won by N, 3 cards", "won by |N|, 3 cards"),
        ("0 1 2 3", "deal 3 of 3: 3 has 3 cards, 2's tricks", "deal 3 of 3: |3| has 3 cards, |2|'s tricks"),
        ("A 1 2 3", "A and 3 played 3 cards", "A and |3| played 3 cards"),
    ],
)
def test_a_number_is_a_seat_where_it_does_something(seats: str, said: str, shown: str) -> None:
    """A letter is one wherever it stands by itself, but where other seats are numbers."""
    people = People(Record.model_validate(game("kbabs", seats)))
    marks = people._seats(said, "")
    for seat in seats.split():
        marks = marks.replace(_mark(seat), f"|{seat}|")
    assert marks == shown


def test_a_sentence_is_that_of_the_fault_the_trick_and_the_facts() -> None:
    """What is said once is remembered: of the same fault, which need not be the same for a code, and of the same facts."""
    people, fault = People(Record.model_validate(game("kbabs", "N E S W"))), SLIPS["REC001"]
    other = replace(fault, says="{what} in row {trick}")
    told = [
        people.sentence(Finding(kind, {"what": what, "against": against}, "/deals/0", 1, trick))
        for kind, what, trick, against in (
            (fault, "a", 2, "/a"),
            (other, "a", 2, "/a"),
            (other, "a", 3, "/a"),
            (other, "b", 3, "/a"),
            (other, "b", 3, "/b"),
        )
    ]
    assert told[1:] == ["Deal 1, trick 2: a in row 2.", "Deal 1, trick 3: a in row 3.", *["Deal 1, trick 3: b in row 3."] * 2]
    assert told[0] not in told[1:]


@pytest.mark.parametrize("start", ["", "a: ", "turn order and bidding: not checked: "])
@pytest.mark.parametrize(
    "parts", [["deal 1: how many cards a hand has is not recorded"], ["one two " * 20], ["x " * 30, "y " * 50]]
)
def test_no_line_is_longer_than_it_may_be(start: str, parts: list[str]) -> None:
    """The first part breaks as well, if it does not fit behind what stands before it; nothing but spaces is lost."""
    lines = [*wrapped(start, [part.strip() for part in parts], "; ", 4, breaks=True, width=60)]
    assert max(map(len, lines)) <= 60
    assert " ".join(lines).replace(";", " ").split() == f"{start}{' '.join(parts)}".split()
