"""What people really type: it works, or one error names what to write."""

from __future__ import annotations

import pytest

from handrec.cli.common import Read, judged
from handrec.findings import Finding
from handrec.formats import hrt

KBABS = """%hrt 1
game kbabs
seats N=Ann, E=Bo, S=Cy, W=Di
status excerpt

deal 11 dealer W
turn QD
bid N: 1 1 0 0
1 N KC 8C 5C 9C
2 N AH 2H 3H TH
3 N 4C TC 6C 7C
score N -1, E 11, S 10, W 10
"""
BRIDGE = """%hrt 1
game bridge
seats N=Ann, E=Bo, S=Cy, W=Di
status excerpt

deal 1 dealer N status stopped
bid N: 1NT pass pass pass
1 E 4C 5C 6C 7C
"""
WIDE = {ord(char): ord(char) + 0xFEE0 for char in map(chr, range(0x21, 0x7F))}


def told(text: str) -> list[Finding]:
    """What is wrong with a text."""
    verdicts = [judged(Read("a.hrt", place, reading)) for place, reading in enumerate(hrt.read(text.encode(), "a.hrt"), 1)]
    return [finding for verdict in verdicts for finding in verdict.primary if finding.severity == "error"]


@pytest.mark.parametrize("text", [KBABS, BRIDGE])
@pytest.mark.parametrize(
    ("one", "other"),
    [("\n", "\r\n"), ("\n", "\r"), (" ", "\t"), (" ", "\u00a0"), (" ", "\u2009"), ("%hrt", "\ufeff%hrt"), ("seats", "players")],
)
def test_other_signs_of_the_keyboard_and_of_editors_are_read(text: str, one: str, other: str) -> None:
    assert told(text) == []
    assert told(text.replace(one, other)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("KC", "♣K"),
        ("TH", "10♥"),
        ("TH", "♥\ufe0f10"),
        ("AH", "A♥\ufe0e"),
        ("-1", "−1"),
        ("1NT", "1♥"),
        ("1NT", "1♥\ufe0f"),
        ("1NT", "1h"),
        ("1NT", "1nt"),
        ("1NT", "1N"),
        ("1NT pass pass pass", "1NT p Pass PASS."),
        ("1NT pass", "1NT dbl rdbl pass"),
        ("1NT pass", "1NT Double Redouble pass"),
    ],
)
def test_other_ways_to_write_cards_and_bids_are_read(one: str, other: str) -> None:
    text = KBABS if one in KBABS else BRIDGE
    assert told(text.replace(one, other, 1)) == []


@pytest.mark.parametrize(
    ("one", "other", "meant"),
    [
        ("AH", "A H", "AH"),
        ("AH", "10 of hearts", "TH"),
        ("AH", "10 hearts", "TH"),
        ("AH", "ace of hearts", "AH"),
        ("AH", "Queen of Spades", "QS"),
        ("AH", "1h", "AH"),
        ("AH", "hA", "AH"),
        ("AH", "🂱", "AH"),
        ("TH", "10 H", "TH"),
        ("TH", "T h", "TH"),
        ("TH", "H 10", "TH"),
        ("TH", "h10", "TH"),
        ("TH", "1OH", "TH"),
        ("TH", "TH.", "TH"),
        ("TH", "T/H", "TH"),
        ("TH", "T\u200bH", "TH"),
        ("AH", "joker", "BJ or LJ"),
        ("AH", "Big Joker", "BJ"),
        ("AH", "joker little", "LJ"),
        ("KC", "ＫＣ", "KC"),
        ("KC", "KC;", "KC"),
        ("8C", "BC", "JC"),
        ("N -1", "N –1", "-1"),
        ("E=Bo", "E=“Bo Li”", 'E="Bo Li"'),
        ("turn QD", "turn\u200b QD", "turn"),
        ("1 N", "1 Ann", "N"),
        ("1 N", "1 North", "N"),
        ("bid N: 1 1 0 0", "bid Ann 1 Bo 1 Cy 0 Di 0", "N"),
        ("score N -1, E 11, S 10, W 10", "score Ann -1, Bo 11, Cy 10, Di 10", "N"),
        ("seats N=Ann, E=Bo, S=Cy, W=Di", "seats Ann Bo Cy Di", "N=Ann E=Bo S=Cy W=Di"),
        ("game kbabs", "game K-Babs", "kbabs"),
        ("game kbabs", "game La Bâtarde", "batarde"),
        ("bid N: 1", "bid N: one", "1"),
        ("bid N: 1 1 0", "bid N: 1 1 nil", "0"),
        ("1NT", "1 NT", "1NT"),
        ("1NT", "1 ♥", "1H"),
        ("1NT", "1 S", "1S"),
        ("1NT", "1 spade", "1S"),
        ("1NT", "two hearts", "2H"),
        ("1NT", "3 no trump", "3NT"),
        ("1NT pass pass pass", "1 C pass 2 clubs pass pass pass", "1C"),
        ("1NT", "１ＮＴ", "1NT"),
        ("1NT", "1sa", "1NT"),
        ("1NT", "nt1", "1NT"),
        ("1NT", "1notrump", "1NT"),
        ("pass pass pass", "- - -", "pass"),
        ("1NT pass", "1NT db", "X"),
        ("%hrt 1", "hrt 1", "%hrt 1"),
        ("%hrt 1", "%hrt1", "%hrt 1"),
        ("%hrt 1", "%hrt 1".translate(WIDE), "%hrt 1"),
    ],
)
def test_what_is_meant_is_named_in_one_error(one: str, other: str, meant: str) -> None:
    (error,) = told((KBABS if one in KBABS else BRIDGE).replace(one, other, 1))
    assert "did you mean " in error.message
    assert "cannot be told" not in error.message
    assert meant in error.message.partition("did you mean ")[2]


@pytest.mark.parametrize(("letter", "meant"), [("D", "QC"), ("R", "KC"), ("V", "JC")])
def test_court_cards_of_other_packs_are_understood(letter: str, meant: str) -> None:
    """They are cards of La Bâtarde, and so are read; the pack of the game has others."""
    (error,) = told(KBABS.replace("KC", f"{letter}C").replace("8C", "2C"))
    assert error.code == "REC003"
    assert f"where {meant} was played" in error.message


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("game kbabs", "game gin rummy", "there are bastard, batarde"),
        ("%hrt 1", "%hrt", "the version, 1, is expected"),
    ],
)
def test_what_nobody_can_guess_is_told_in_one_error(one: str, other: str, said: str) -> None:
    (error,) = told(KBABS.replace(one, other, 1))
    assert said in error.message


def test_a_line_of_players_that_is_no_text_is_one_error() -> None:
    """In the letters of another code page: what names the players is not missed as well."""
    (reading,) = hrt.read(BRIDGE.replace("Bo", "Bö").encode("latin-1"), "a.hrt")
    assert [finding.code for finding in reading.findings] == ["FMT005"]
