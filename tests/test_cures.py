"""What was probably meant by a line that cannot be read: told where it stands, once, and never made up."""

from __future__ import annotations

import pytest

from handrec.formats import hrt
from handrec.report.checked import message
from tests.typed_slips import found, typed

DEAL = """%hrt 1
game spades3
seats N=Ann E=Bo S=Cy
status excerpt

deal 1 dealer N status stopped
hand N QS 9S 6S AH TH 8H 6H 3D TC 8C 7C 4C 3C
hand E KS JS KH 9H 4H 3H KD 9D 7D 4D QC JC 9C
hand S LJ 2S AS 8S 7S 5S 4S QH JH JD 8D 6D AC
"""


def told(text: str) -> list[str]:
    """What is found in a text, as line, code and words."""
    return [f"{each.location.line if each.location else 0} {each.code} {message(each)}" for each in found(text.split("\n"))]


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("bidE 4  S 5  N 6", "(did you mean bid E?)"),
        ("bi d E 4  S 5  N 6", "(did you mean bid?)"),
        ("bdi E 4  S 5  N 6", "(did you mean bid?)"),
        ("E bid 4  S 5  N 6", "(did you mean bid E?)"),
        ("bid E four  S 5  N 6", "(did you mean 4?)"),
        ("bid Bo 4  S 5  N 6", "(did you mean E?)"),
        ("scores N 1O  E 4  S 5", "(did you mean 10?)"),
        ("scores N 1  N 4  S 5", "(did you mean E?)"),
        ("1 E 3HJH AH", "(did you mean 3H JH?)"),
        ("1 E 3 H JH AH", "(did you mean 3H?)"),
        ("1 E 3H JH JH AH", "(is JH too much?)"),
        ("1 E 3H JH AH 2C", "(is 2C too much?)"),
        ("1 bo 3H JH AH", "(did you mean E?)"),
        ("1 Q 3H JH AH", "(did you mean E?)"),
        ("1 3H E JH AH", "(did you mean E 3H?)"),
        ("1 S joker TC JC", "(did you mean LJ?)"),
        ("1 S Little Joker TC JC", "(did you mean LJ?)"),
        ("1 S AC 1C JC", "(did you mean AC?)"),
        ("hand N 2C", "(see line 7)"),
    ],
)
def test_a_line_is_told_with_what_was_meant(line: str, meant: str) -> None:
    """One error, at the line."""
    (said,) = told(f"{DEAL}{line}\n")
    assert said.startswith("10 ")
    assert meant in said


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        ("seats N=Ann Lee E=Bo S=Cy W=Di", '(did you mean "Ann Lee"?)'),
        ('seats N="Ann E=Bo S=Cy W=Di', '(did you mean "Ann"?)'),
        ("seats N= E=Bo S=Cy W=Di", "(did you mean a name after N="),
        ("seats N=Ann E=Bo S=CyW=Di", "(did you mean Cy W?)"),
        ("seats Ann E=Bo S=Cy W=Di", "(did you mean N=Ann?)"),
    ],
)
def test_a_wrong_line_of_players_is_told_once(line: str, meant: str) -> None:
    """And not again at each of the hundreds of lines that name a seat."""
    lines = typed("kbabs")
    place = next(at for at, text in enumerate(lines) if text.startswith("seats"))
    (error,) = found([*lines[:place], line, *lines[place + 1 :]])
    assert error.location is not None
    assert error.location.line == place + 1
    assert meant in message(error)


@pytest.mark.parametrize(
    ("key", "line", "slip", "meant"),
    [
        ("whist", "turn JC", "turn JH", "was JC"),
        ("whist", "trump C", "trump N T", "did you mean NT?"),
        ("whist", "tricks N 4", "trick s N 4", "did you mean tricks?"),
        ("whist", "seats", "sea ts", "did you mean seats?"),
        ("oh_hell", "hand S ", "hand S", "did you mean S "),
        ("kbabs", "play N 4H KS LJ 6H", "play N 4H KS LJ", "it was 6H"),
        ("hearts", "play S 3S AS 4S 3D", "play S 3S AS 4S 3D 5S", "is 5S too much?"),
        ("hearts", "exchange W to S 4C", "exchange E to S 4C", "is W's"),
        ("spades3", "play N AD 7H 3H", "play N AD 7H 3C", "(see line 50)"),
        ("bastard", "guess N JH", "guess E JH", "is it N's?"),
    ],
)
def test_a_slip_in_a_game_is_one_error_with_what_was_meant(key: str, line: str, slip: str, meant: str) -> None:
    """At its line, or with its line named."""
    lines = typed(key)
    place = next(at for at, text in enumerate(lines) if text.startswith(line))
    (error,) = found([*lines[:place], slip + lines[place][len(line) :], *lines[place + 1 :]])
    assert error.location is not None
    assert error.location.line == place + 1 or f"see line {place + 1}" in message(error)
    assert meant in message(error)


def test_a_line_of_players_with_no_cure_ends_the_reading() -> None:
    """Nobody can tell who sits where; that is said, and nothing else."""
    assert [each[:9] for each in told(DEAL.replace("seats N=Ann E=Bo S=Cy", "seats = = ="))] == ["3 FMT001 "]


def test_nothing_is_made_up() -> None:
    """Where no small change makes a line of it, or too many do, nothing is offered."""
    for line in ("what is this line about", "1 E ?! ?! ?!", "scores up down", "hand"):
        (said,) = told(f"{DEAL}{line}\n")
        assert "did you mean" not in said
        assert "too much" not in said


def test_names_of_several_seats_are_hinted_where_a_line_is_read() -> None:
    """A player's name is a seat that nobody has: where it stands, with the seat."""
    said = told(f"{DEAL}bid Ann 4  E 5\n")
    assert [each for each in said if "FMT012" in each] == [
        "10 FMT012 Ann is not a seat of this record (seats: E N S) (did you mean N?)"
    ]


def test_very_many_lines_that_cannot_be_read_take_no_longer_than_they_should() -> None:
    """Only the first few are looked into, and none that is very long."""
    text = DEAL + "1 E 3HJH AH\n" * 500 + "1 E " + "3HJH " * 2000 + "\n"
    (reading,) = hrt.read(text.encode(), "g.hrt")
    assert sum("did you mean" in finding.message for finding in reading.findings) == 20
