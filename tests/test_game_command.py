"""`handrec game`: a game in order is said to be; what a newcomer gets wrong is told in the words of the game's own rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from handrec import games
from handrec.cli import help as topics
from handrec.cli import trial
from handrec.game import Game
from tests.commands import ROOT, Handrec

OH_HELL = (ROOT / "handrec/games/oh_hell.py").read_text("utf-8")
FOLLOWS = '    rulebook.FOLLOW_SUIT.of("OH-8", stands("play"), "Follow the suit led if you can; otherwise play any card."),\n'
HOOK = 'OH-6 BID003 "The dealer, who bids last, may not make the bids add up to the number of tricks."'
MADE = 'the line made of the score, OH-10 SCO001 "A bid made exactly scores ten points and one for each trick."'
EXACT = "lambda hand: pick(hand.tricks == hand.value, 10 + hand.tricks, 0)"

#: What stands in a whole game, what a newcomer writes for it, the exit code, and what is said.
MISTAKES = [
    ("HOOK = Rule(", "HOOK = Rule((", 2, "this is no Python: '(' was never closed"),
    ("import rulebook", "import rulesbook", 2, "line 12: running the file failed: ImportError: cannot import name 'rulesbook'"),
    ('stands("bidding"), on=', 'stand("bidding"), on=', 2, "running the file failed: NameError: name 'stand' is not defined"),
    ("GAME = Game(", "raise SystemExit(0)\nGAME = Game(", 2, "running the file failed: SystemExit: 0"),
    ("GAME = Game(", "while True:\n    pass\nGAME = Game(", 2, "running the file failed: it was not done after 1 seconds"),
    ("GAME = Game(", "OTHER = Game(", 2, "mine.py: the file has no GAME"),
    ("GAME = Game(", "GAME = dict(", 2, "mine.py: GAME is no Game, but dict"),
    (FOLLOWS, "", 1, "the game oh_hell lacks a rule of which cards may be played (such as rulebook.FOLLOW_SUIT, REV001)"),
    ("rulebook.BID_VALUE.of(", "rulebook.SIPS.of(", 1, "lacks a rule BID002 (such as rulebook.BID_VALUE), by which its phase"),
    ("rulebook.WINNER.of(", "rulebook.TOTAL.of(", 1, "lacks a rule TRK001 (such as rulebook.WINNER), by which its phase Tricks"),
    ("rulebook.BID_MISSING.of(", "rulebook.BID_LATE.of(", 1, "lacks a rule BID006 (such as rulebook.BID_MISSING), in"),
    ("rulebook.DEALER.of(", "rulebook.SIPS.of(", 1, "it lacks a rule DEA006 (such as rulebook.DEALER), in its own words"),
    ("BID_TWICE.of(", "SIPS.of(", 1, 'lacks a rule BID005 (such as rulebook.BID_TWICE), in its own words: "Each player bids'),
    ("    rulebook.GAME_END", "    # rulebook.GAME_END", 1, "it lacks a rule SCO005 (such as rulebook.GAME_END), in its own"),
    ('citation=stands("bidding"), ', "", 1, f"{HOOK[5:]} lacks a citation"),
    ("    HOOK,\n", "    HOOK,\n    HOOK,\n", 1, f"{HOOK} stands there 2 times"),
    ("(TurnUp(), Bids(), Tricks())", "(TurnUp(), Tricks())", 1, f"{HOOK} is about bids, but the game has no phase in which"),
    ("score=(EXACT,),", "score=(),", 1, 'equal totals share." is about scores, but no line of the score ever'),
    ("bid.others ==", "bid.other ==", 1, f"line 46: {HOOK} failed: AttributeError: 'BidView' object has no attribute 'other'"),
    ("bid.others == bid.cards", "bid.others > 99", 1, f"{HOOK}: nobody could break it, so it decides nothing"),
    ("10 + hand.tricks,", "10 + hand.trick,", 1, f"{MADE} failed: AttributeError: no phase of the game tells trick"),
    (EXACT, "lambda hand: None", 1, f"{MADE} gives None, which is no whole number"),
    (EXACT, "lambda hand: hand.tricks / 2", 1, "of the score, OH-10 SCO001"),
    (EXACT, "lambda hand: 10 if hand.tricks == hand.value else 0", 1, f"failed on {MADE} (ValueError"),
    ("51 - players * cards", "50 - players * cards", 1, "3 hands of 10 cards and what is set aside come to 51 cards"),
    ("order=suit_turned", "order=lambda sight: None", 1, "L4 cannot be checked: deal 1: trump is not known"),
    ("order=suit_turned", "order=lambda sight: sight.trump", 1, "its order failed: AttributeError: 'Sight' object has no"),
    ("players=(3, 4, 5, 6, 7)", "players=()", 1, "it is for no number of players: players is empty"),
    ("range(1, min(", "range(9, min(", 1, "its cards for 6 players are no deal at all"),
    ('"hook", True', '"ladder", True', 1, "the option ladder stands there 2 times"),
    ('key="oh_hell"', 'key="oh hell"', 1, "its key 'oh hell' is no word of letters, digits and _"),
    ('"ladder", "down_up"', '"ladder", "both"', 1, "the option ladder has a default that is none of its values: 'both'"),
]  # fmt: skip


@pytest.mark.some(16)
@pytest.mark.parametrize(("right", "wrong", "code", "words"), MISTAKES, ids=[f"{wrong[:30]}" for _, wrong, *_ in MISTAKES])
def test_a_mistake_is_told(
    right: str, wrong: str, code: int, words: str, handrec: Handrec, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a line each, with the rule or the part of the game that it concerns; never as an exception of ours."""
    monkeypatch.setattr(trial, "LONGEST", 1 if "while" in wrong else 30)
    assert OH_HELL.count(right)
    Path("mine.py").write_text(OH_HELL.replace(right, wrong, 1), "utf-8")
    found, out, err = handrec("game", "mine.py", "--games", "3")
    assert words in out + err
    assert found == code
    assert all("mine.py: " in line for line in (out + err).splitlines())
    assert not re.search("Traceback|internal error", out + err)


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b'{"format": "handrec"}', "dé = 1\n".encode("latin-1")])
def test_what_is_no_game_is_said_to_be_none(content: bytes, handrec: Handrec) -> None:
    Path("mine.py").write_bytes(content)
    code, _, err = handrec("game", "mine.py")
    assert code == 2
    assert re.fullmatch(
        r"handrec: mine\.py: (?:line 1: )?(?:the file has no GAME \(see handrec help game\)|this is no Python: .*)\n", err
    )


def test_a_game_that_never_ends_is_told(handrec: Handrec) -> None:
    """By its score, which is looked at; or within a function, which is broken off."""
    hearts = (ROOT / "handrec/games/hearts.py").read_text("utf-8")
    Path("mine.py").write_text(hearts.replace("over=reached(100)", "over=lambda standing: False"), "utf-8")
    code, out, _ = handrec("game", "mine.py", "--games", "1")
    assert (code, out) == (1, "mine.py: after 100 deals it was not over, and `over` may never say that it is\n")


def test_a_function_that_never_returns_is_broken_off(handrec: Handrec, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "LONGEST", 1)
    Path("mine.py").write_text(OH_HELL.replace("order=suit_turned", "order=lambda sight: max(0 for _ in iter(int, 1))"), "utf-8")
    code, out, _ = handrec("game", "mine.py", "--games", "1")
    assert code == 1
    assert re.fullmatch(r"mine\.py: line \d+: its order failed: it was not done after 1 seconds, and may never be\n", out)


@pytest.mark.parametrize("game", games.catalogue(), ids=lambda game: game.key)
def test_the_games_of_the_house_state_what_they_need(game: Game) -> None:
    assert [*trial._stated(game)] == []


@pytest.mark.long
@pytest.mark.parametrize("key", ["oh_hell", "whist", "hearts", "bugami", "bridge"])
def test_a_game_in_order_is_said_to_be(key: str, handrec: Handrec) -> None:
    code, out, _ = handrec("game", str(ROOT / f"handrec/games/{key}.py"), "--games", "100")
    assert out.endswith(": 100 games dealt, judged in every way alike, every fault planted was found.\n")
    assert code == 0


def test_a_key_that_another_game_has_is_told(handrec: Handrec) -> None:
    """The game is in order; but beside the other it could not be found by its key."""
    for key, told in (("oh_hell", True), ("ours", False)):
        Path("mine.py").write_text(OH_HELL.replace('key="oh_hell"', f'key="{key}"'), "utf-8")
        found, out, _ = handrec("game", "mine.py", "--games", "3")
        assert (found, f"There is a game {key} already" in out) == (0, told)


def test_a_file_that_is_not_there(handrec: Handrec) -> None:
    code, _, err = handrec("game", "none.py")
    assert code == 2
    assert "none.py" in err


def test_the_topic_shows_the_whole_game(request: pytest.FixtureRequest) -> None:
    """It is the game of the house to the letter; `--update` makes it so."""
    path = topics.FOLDER / "game.md"
    begin, shown, end = re.split(r"^```python\n(.*?)^```$", path.read_text("utf-8"), maxsplit=1, flags=re.MULTILINE | re.DOTALL)
    if request.config.getoption("--update"):
        path.write_text(f"{begin}```python\n{OH_HELL}```{end}", "utf-8")
    assert shown == OH_HELL
