"""`handrec enter`: games taken down at the keyboard, with slips, second thoughts, interruptions, and files that change."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from codecs import getincrementaldecoder
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

import handrec
from handrec import games, writing
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.record import Record
from handrec.report.safe import columns
from tests.commands import ROOT
from tests.typing_in import INTERRUPT, TABLES, beginning, line_of, one_deal, typed, with_slips

#: What begins a game of four with hands of two cards, and what is played in its first deal.
FOUR = ("--game", "kbabs", "--players", "Ann,Bo,Cy,Di")
SMALL = ["status excerpt", "deal 12 dealer W cards 2"]
TURNED = [*SMALL, "turn qd", "0 1 2 0"]
PLAYED = [*TURNED, "jc 5h 5c kd", "6d 6h jh 4s"]


class Shown:
    """What `enter` says to some lines, and the record that it leaves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys
        self.code, self.out = 0, ""

    def __call__(self, lines: list[str], *arguments: str, name: str = "game.hrt") -> str:
        """All that is said; every line of it fits 80 columns."""
        new = not arguments and not Path(name).exists()
        self.code = typed(self.monkeypatch, lines, name, *(FOUR if new else arguments))
        said = self.capsys.readouterr()
        self.out = said.out + said.err
        assert all(columns(line) <= 80 for line in said.out.splitlines())
        assert "\x1b" not in self.out
        return self.out


@pytest.fixture
def enter(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Shown:
    """Lines typed in an empty directory."""
    monkeypatch.chdir(tmp_path)
    return Shown(monkeypatch, capsys)


def record_of(name: str = "game.hrt") -> Record:
    """The record in the file."""
    return handrec.load(name)


def events(name: str = "game.hrt") -> list[str]:
    """What happened in the last deal, shortly."""
    happened = record_of(name).deals[-1].events
    return [
        " ".join(filter(None, (event.by, str(getattr(event, "bid", getattr(event, "card", event.do)))))) for event in happened
    ]


# --- whole deals ------------------------------------------------------------------------------------------------------


def begun(record: Record) -> tuple[str, ...]:
    """What is asked for on the command line for the game of a record."""
    return ("--game", record.game, "--players", str(len(record.players)))


def same_deal(name: str, record: Record, hands: bool) -> None:
    """The file says what the record says of the deal, and nothing is wrong in it."""
    found = record_of(name)
    assert found.deals[0].events == record.deals[0].events
    assert not hands or found.deals[0].hands == record.deals[0].hands
    assert handrec.check(found).findings == ()


@pytest.mark.some(2)
@pytest.mark.parametrize(("key", "hands"), [*product(TABLES, (True, False))])
def test_a_whole_deal_with_slips(enter: Shown, key: str, hands: bool) -> None:
    """Ten slips of the keys, an undo, and Ctrl-C with a resume: what is left is the deal."""
    record = one_deal(key)
    lines = with_slips(record, hands, 10, 5)
    pause = lines.index(INTERRUPT)
    enter(lines[: pause + 1], *begun(record))
    assert enter.code == 130
    assert "handrec enter game.hrt goes on with it" in enter.out
    out = enter(lines[pause + 1 :])
    assert enter.code == 0
    assert f"Deal {record.deals[0].number} is over." in out
    same_deal("game.hrt", record, hands)


#: A process that says nothing for so many seconds hangs.
HANGS = 300
#: One that says nothing for so many seconds may have missed a signal.
SILENT = 10


class Terminal:
    """`handrec enter` at a terminal of its own."""

    def __init__(self, *arguments: str) -> None:
        self.child, self.terminal = pty.fork()
        if self.child == 0:  # pragma: no cover - another process
            os.environ.update(TERM="dumb", PYTHONPATH=str(ROOT), COLUMNS="80")
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # what a shell runs in the background ignores it, and so would this
            os.execv(sys.executable, [sys.executable, "-m", "handrec", "enter", *arguments])
        self.lines: list[str] = []
        self.until_asked()

    def until_asked(self, heeded: bool = True) -> None:
        """Wait for the prompt, which stands at the beginning of a line, or for the end.

        Ctrl-C between the prompt and the waiting for a key is heeded with the next key only: one presses it again.
        """
        shown, decoder, patience = "", getincrementaldecoder("utf-8")(), HANGS
        while not shown.endswith("\n> "):
            if not select.select([self.terminal], [], [], HANGS if heeded or shown else SILENT)[0]:
                patience -= SILENT
                assert not heeded, shown
                assert patience > 0, shown
                os.write(self.terminal, INTERRUPT.encode())
                continue
            try:
                shown += decoder.decode(os.read(self.terminal, 65536)).removeprefix("^C")
            except OSError:  # the other end is closed
                break
        self.lines += [line.rstrip("\r") for line in shown.split("\n")[1:]]

    def type(self, line: str) -> None:
        """Type a line, and wait for the answer."""
        os.write(self.terminal, line.encode() if line == INTERRUPT else f"{line}\n".encode())
        self.until_asked(heeded=line != INTERRUPT)

    def left(self) -> int:
        """Wait for the end; gives the exit code."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        os.close(self.terminal)
        return code


@pytest.mark.some(1)
@pytest.mark.parametrize("key", TABLES)
def test_at_a_terminal(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with a terminal at both ends, where lines can be edited, and Ctrl-C is a signal; nothing is wider than that."""
    monkeypatch.chdir(tmp_path)
    record = one_deal(key)
    lines = [line for line in with_slips(record, True, 10, 7) if line != "\x1b[A"]
    pause = lines.index(INTERRUPT)
    shown: list[str] = []
    for part, arguments, code in ((lines[: pause + 1], begun(record), 130), ([*lines[pause + 1 :], "quit"], (), 0)):
        terminal = Terminal("game.hrt", *arguments)
        for line in part:
            terminal.type(line)
        assert terminal.left() == code
        shown += terminal.lines
    assert max(map(len, shown)) <= 80
    same_deal("game.hrt", record, True)


def test_a_card_is_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tab goes on with the one card held that begins so."""
    pytest.importorskip("readline")
    monkeypatch.chdir(tmp_path)
    terminal = Terminal("game.hrt", *FOUR)
    for line in (*SMALL, "hand N JC 6H", "hand E 5H JH", "turn qd", "0 1 2 0", "j\t", "quit"):
        terminal.type(line)
    assert terminal.left() == 0
    assert events()[-1] == "N JC"


# --- what is typed ----------------------------------------------------------------------------------------------------


def test_a_new_game_is_asked_for(enter: Shown) -> None:
    """What is none is said, and asked again; a name that is nearly right will do."""
    lines = ["chess", "kbab", "ladder=sideways", "ladder=down", "Ann,,Di", "Ann,Bo,Cy,Di", "Bo"]
    assert typed(enter.monkeypatch, lines, "x.hrt") == 0
    out = enter.capsys.readouterr().out
    assert out.count("Which game? ") == 2
    assert out.count("Options of kbabs") == 2
    assert out.count("Who plays, clockwise?") == 2
    record = record_of("x.hrt")
    assert (record.game, record.options) == ("kbabs", {"ladder": "down"})
    assert [player.name for player in record.players] == ["Ann", "Bo", "Cy", "Di"]
    assert (record.deals[0].number, record.deals[0].dealer) == (1, "E")


def test_a_card_alone_is_of_whoevers_turn_it_is(enter: Shown) -> None:
    """Cards and bids in a row go on over the end of a trick, to whoever took it; other ways to write a card are understood."""
    out = enter([*SMALL, "qd", "0 1, 2 0", "Jc ♥5 5c kd 6d", "6h W: ??", "quit"])
    assert "West is recorded" not in out
    assert events()[:9] == ["QD", "N 0", "E 1", "S 2", "W 0", "N JC", "E 5H", "S 5C", "W KD"]
    assert "Trick 1 goes to Di (West)." in out
    assert "Ann (North) to play to trick 2, led: 6D" in out


def test_what_names_seats_is_typed_as_in_a_file(enter: Shown) -> None:
    """With the seat, the player's name, the number of the trick, or a word first."""
    enter(
        [*SMALL, "turn QD", "N 0 E 1", "bid S: 2 0", "1 N jc", "bo 5h", "S: 5c", "play W kd", "2 6d", "claim W  N 0 W 1", "quit"]
    )
    record = record_of()
    assert [event.do for event in record.deals[-1].events].count("bid") == 4
    assert events()[5:9] == ["N JC", "E 5H", "S 5C", "W KD"]
    assert all(event.trick is None for event in record.deals[-1].events if event.do == "play")


def test_where_nobody_is_known_to_have_the_turn_the_seat_is_named(enter: Shown) -> None:
    """As where nobody knows who dealt; from the first card on it is known."""
    out = enter(["status excerpt", "deal 12 cards 2", "turn qd", "jc", "bo jc", "5c", "quit"])
    assert "whose it is cannot be told (name the seat)" in out
    assert events() == ["QD", "E JC", "S 5C"]


def test_a_joker_is_called_so_where_only_one_can_be_meant(enter: Shown) -> None:
    """Of two that may both come it is asked which."""
    out = enter([*TURNED, "joker", "little joker", "joker", "quit"])
    assert "did you mean BJ or LJ?" in out
    assert events()[-2:] == ["N LJ", "E BJ"]


def test_what_is_wrong_is_asked_about(enter: Shown) -> None:
    """Nothing of the line is taken: it is typed again, or yes writes all of it down; told as check tells it."""
    hands = ["hand N JC 6H", "hand E 5H JH", "hand S 5C 4S", "hand W KD 6D"]
    out = enter([*SMALL, *hands, "turn qd", "0 1 2 0", "6h jh 4s 6d", "kd 6h", "quit"])
    assert "Deal 12, trick 2: Di (West) led KD, but" not in out
    assert 'Rule: "' in out
    assert "Nothing of it was taken." in out
    kept = Path("game.hrt").read_bytes()
    out = enter(["N 4s", "yes", "quit"])
    assert "Written down." in out
    assert Path("game.hrt").read_bytes() != kept
    found = [finding.code for finding in handrec.check(record_of()).findings]
    assert found


def test_yes_is_said_to_nothing_else(enter: Shown) -> None:
    """Another line in between is the answer no; what cannot be read cannot be written down."""
    out = enter([*TURNED, "yes", "E 5h", "?", "yes", "N 9", "yes", "quit"])
    assert out.count("There is nothing to say yes to.") == 3
    assert events() == ["QD", "N 0", "E 1", "S 2", "W 0"]


def test_doubts_and_comments(enter: Shown) -> None:
    """An exclamation mark after a card or later, a text after it; a comment on what happened last."""
    out = enter(
        ["# friendly game", *TURNED, "jc! 5h", "! was slow", "5c # wanted to lead", "# says so", "! ", "kd", "undo", "quit"]
    )
    assert "Doubted: Bo (East)" in out
    record = record_of()
    deal = record.deals[-1]
    assert [event.questioned for event in deal.events if event.do == "play"] == [True, True, True]
    assert [comment.text for comment in record.comments or ()] == ["friendly game"]
    assert [(comment.event, comment.text) for comment in deal.comments or ()] == [
        (7, "was slow"), (8, "wanted to lead"), (8, "says so"),
    ]  # fmt: skip


def test_undo_again_and_again(enter: Shown) -> None:
    """Back to the beginning, also what was typed before the program was left; what was said of a card goes with it."""
    enter([*PLAYED[:-1], "tricks N 1", "undo", "# why", "quit"])
    assert len(events()) == 9
    assert [comment.text for comment in record_of().deals[-1].comments or ()] == ["why"]
    out = enter(["undo", "table", "undo", "undo", *["undo"] * 7, "undo", "quit"])
    assert "Taken back: Di (West) plays KD" in out
    assert "Trick 1: Ann (North) JC, Bo (East) 5H, Cy (South) 5C" in out
    assert "Taken back: deal 12" in out
    assert out.count("There is nothing to take back.") == 1
    assert record_of().deals == []


def test_what_may_come(enter: Shown) -> None:
    """Legal cards where the hand is known, else which it cannot be told of; bids; and the trick, the bids, the help."""
    out = enter(
        [*SMALL, "hand N JC 6H", "hand E 5H JH", "qd", "?", "0 1 2 0", "?", "6h", "?", "5h", "?", "help", "score", "quit"]
    )
    assert "Ann (North): bid 0 1 2 board" in out.replace("\n    ", " ")
    assert "Ann (North): play 6H JC" in out or "Ann (North): play JC 6H" in out
    assert "Bo (East): play 5H" in out
    assert "Cy (South): play perhaps one of these, the hand is not recorded: " in out
    assert "At any time: withdraw, claim, accuse, penalty, ruling, sips" in out
    assert "handrec explain kbabs" in out
    assert "Each player: bid/tricks, points, running total." in out


def test_scores_stand_after_each_deal_and_the_next_is_known(enter: Shown) -> None:
    """What was won, and the total; who deals next, and how many cards; what the sheet says is compared at once."""
    out = enter([*PLAYED, "scores N 11", "scores N 10  E -1  S -4  W -4", "", "quit"])
    assert "Deal 12 is over." in out
    assert "Di (West): bid 0, tricks 2, points -4, total " in out
    assert "Ann (North) is recorded with 11 points" in out
    assert "Deal 13, 1 card each, dealt by Ann (North): Enter" in out
    record = record_of()
    assert [(deal.number, deal.dealer) for deal in record.deals] == [(12, "W"), (13, "N")]
    assert record.deals[0].claimed is not None
    assert record.deals[0].claimed.scores == {"N": 10, "E": -1, "S": -4, "W": -4}


def test_the_game_ends(enter: Shown) -> None:
    """When all deals are played, or when it is said so; something may still happen, and be taken back."""
    game = games.find("kbabs")
    assert game is not None
    record = deal_game(game, 26, 1, options={"ladder": "down"})
    Path("game.json").write_text(handrec.dumps(record.model_copy(update={"claimed": None})), "utf-8")
    out = enter(["undo", "undo", "quit"], name="game.json")
    assert "The game is over." in out
    first, *_ = (event.card.lower() for event in record.deals[-1].events[-2:])
    assert record_of("game.json").status == "in_progress"
    assert "The game is over." in enter(
        [first, record.deals[-1].events[-1].card, "penalty P1 5 for renege", "quit"], name="game.json"
    )
    assert record_of("game.json").status == "complete"
    enter([*TURNED, "end", "quit"])
    assert (record_of().status, record_of().deals[-1].status) == ("excerpt", "stopped")


# --- the file ---------------------------------------------------------------------------------------------------------


def test_each_line_is_in_the_file_before_the_next_is_read(enter: Shown) -> None:
    """As somebody sees who looks at it meanwhile; a process that is killed has written all that was answered."""
    ask = subprocess.Popen(
        [sys.executable, "-m", "handrec", "enter", "game.hrt", *FOUR],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert ask.stdin is not None
    assert ask.stdout is not None
    for line in [*TURNED, "jc 5h"]:
        ask.stdin.write(f"{line}\n".encode())
        ask.stdin.flush()
    while b"Cy (South) to play to trick 1" not in ask.stdout.readline():
        pass
    ask.send_signal(signal.SIGKILL)
    ask.communicate()
    assert events()[-2:] == ["N JC", "E 5H"]
    assert "Cy (South) to play to trick 1, led: JC" in enter(["quit"])


@pytest.mark.long
def test_killed_at_any_moment(enter: Shown) -> None:
    """What was answered is in the file, which is whole; the rest can be typed after it, and nothing lies about."""
    record = one_deal("batarde")
    lines = [line_of(event) for event in record.deals[0].events]
    for shown in range(1, 25, 3):
        Path("game.hrt").unlink(missing_ok=True)
        with Path("said").open("wb") as said:
            ask = subprocess.Popen(
                [sys.executable, "-m", "handrec", "enter", "game.hrt", *begun(record)],
                stdin=subprocess.PIPE, stdout=said, env={**os.environ, "PYTHONPATH": str(ROOT)},
            )  # fmt: skip
            assert ask.stdin is not None
            ask.stdin.write("\n".join([*beginning(record, False), *lines, ""]).encode())
            ask.stdin.flush()
            while Path("said").read_text().count("\n> ") < shown:
                time.sleep(0.01)
            ask.kill()
            ask.communicate()
        answered = Path("said").read_text().count("\n> ") - 2  # the next is shown when that is in the file
        written = len(record_of().deals[0].events) if record_of().deals else 0
        writing.sweep.cache_clear()  # as in another process
        assert written >= answered
        enter([*([] if record_of().deals else beginning(record, False)), *lines[written:]])
        same_deal("game.hrt", record, False)
        assert {path.name for path in Path().iterdir()} == {"game.hrt", "said"}


def test_nothing_else_is_overwritten(enter: Shown) -> None:
    """Neither what is no game, nor what came into being or was changed meanwhile; it is said, and another file can be named."""
    for name, content in (("a.hrt", "shopping list"), ("b.jsonl", ""), ("c.json", "{}")):
        Path(name).write_text(content)
        assert "nothing was written" in enter(["quit"], name=name)
        assert enter.code == 2
        assert Path(name).read_text() == content
    enter([*TURNED, "quit"])
    two = Path("game.hrt").read_text() * 2
    Path("two.hrt").write_text(two)
    assert "it holds 2 records" in enter(["quit"], name="two.hrt")
    Path("link.hrt").symlink_to("game.hrt")
    assert "symbolic link" in enter(["quit"], name="link.hrt")
    assert "holds a game of kbabs already" in enter(["quit"], "--game", "bridge")
    assert "taken down in NAME.hrt" in enter(["quit"], name="game.txt.gz")


def test_a_file_that_changed_meanwhile_is_left_alone(enter: Shown) -> None:
    """It is said once; the typing can go on, in another file."""
    enter([*TURNED, "quit"])

    lines = iter(["jc", "5h", "5c", "quit", "save game.hrt", "save other.hrt", "kd", "quit"])

    class Meanwhile:
        """Before the second line somebody else writes the file."""

        def isatty(self) -> bool:
            return False

        def readline(self) -> str:
            line = next(lines)
            if line == "5h":
                with Path("game.hrt").open("a") as file:
                    file.write("# mine\n")
            return f"{line}\n"

    enter.monkeypatch.setattr(sys, "stdin", Meanwhile())
    assert run(["enter", "game.hrt"]) == 0
    out = enter.capsys.readouterr().out
    assert out.count("NOT SAVED: game.hrt was not written: it has changed since it was read") == 1
    assert "Leave all the same?" in out
    assert "game.hrt is there already, and is not overwritten" in out
    assert Path("game.hrt").read_text().endswith("# mine\n")
    assert events()[-1] == "N JC"
    assert events("other.hrt")[-4:] == ["N JC", "E 5H", "S 5C", "W KD"]


def test_a_file_typed_by_hand_stays_as_it_was(enter: Shown) -> None:
    """What stands in it and in no record, as remarks, is kept beside the new one; one that we wrote is not."""
    enter([*TURNED, "quit"])
    assert not Path("game.hrt.orig").exists()
    by_hand = Path("game.hrt").read_text().replace("game kbabs", "game kbabs  # at Cy's")
    Path("game.hrt").write_text(by_hand)
    assert "stays as game.hrt.orig" in enter(["jc", "quit"])
    assert Path("game.hrt.orig").read_text() == by_hand
    assert events()[-1] == "N JC"


def test_other_formats(enter: Shown) -> None:
    """JSON holds all; what a format does not hold is not written to it."""
    typed(enter.monkeypatch, [*PLAYED, "quit"], "game.json", *FOUR)
    assert json.loads(Path("game.json").read_text())["deals"][0]["number"] == 12
    assert handrec.check(record_of("game.json")).findings == ()
    enter.capsys.readouterr()
    typed(enter.monkeypatch, ["", "1c", "quit", "yes"], "game.pbn", "--game", "bridge", "--players", "4")
    assert "NOT SAVED" in enter.capsys.readouterr().out


def test_a_file_that_cannot_be_written_is_not_gone_on_in(enter: Shown) -> None:
    """The game stays in the one it was in."""
    out = enter([*TURNED, "save game.pbn", "jc", "quit"])
    assert out.count("NOT SAVED") == 1
    assert enter.code == 0
    assert events()[-1] == "N JC"
    assert not Path("game.pbn").exists()


def test_a_word_that_says_nothing(enter: Shown) -> None:
    """It is told where to look, or which word is near."""
    out = enter([*TURNED, "exit", "qiut", "E 7x", "quit"])
    assert out.count("help tells what may be typed.") == 2
    assert "Did you mean quit?" in out


def test_the_end_of_the_input(enter: Shown) -> None:
    """What was refused and not settled is exit code 1, through a pipe too; with nothing begun there is no file."""
    enter([*TURNED, "jc"])
    assert enter.code == 0
    enter(["N 5h"])
    assert enter.code == 1
    assert events()[-1] == "N JC"
    assert typed(enter.monkeypatch, [], "none.hrt") == 0
    assert typed(enter.monkeypatch, ["kbabs", INTERRUPT], "none.hrt") == 130
    assert "Nothing was written." in enter.capsys.readouterr().out
    assert not Path("none.hrt").exists()


def test_long_names_and_many_players(enter: Shown) -> None:
    """80 columns all the same."""
    names = ",".join(["A" * 80, "Müller-" * 11, "漢字" * 20])
    lines = ["", "qd", "0 1 2", "jc", "?", "table", "score", "x" * 5000, "y " * 200, "\x1b[31m", "quit"]
    typed(enter.monkeypatch, lines, "a.hrt", "--game", "kbabs", "--players", names)
    typed(enter.monkeypatch, ["P1", "qd", "table", "score", "?", "quit"], "b.hrt", "--game", "kbabs", "--players", "26")
    out = enter.capsys.readouterr().out
    assert max(map(columns, out.splitlines())) <= 80
    assert "\x1b" not in out


def fixtures() -> Iterator[Path]:
    """Records of every kind, in every format that is written."""
    for path in sorted((ROOT / "fixtures").rglob("*")):
        if path.suffix in (".json", ".hrt", ".jsonl", ".pbn", ".lin") and path.stat().st_size < 300_000:
            yield path


@pytest.mark.some(3)
@pytest.mark.parametrize("path", [*fixtures()], ids=lambda path: path.name)
def test_any_file(enter: Shown, path: Path) -> None:
    """Whatever it holds, it can be gone on with, or it is said why not and stays as it was."""
    was = path.read_bytes()
    for lines in (["table", "score", "?", "undo", "undo", "9c", "undo"], ["# hello", "! no", "end", "N 9C", "yes"]):
        Path(path.name).write_bytes(was)
        enter(lines, name=path.name)
        assert enter.code in (0, 1, 2)
        if enter.code == 2 and "NOT SAVED" not in enter.out:
            assert Path(path.name).read_bytes() == was
        for left in Path().iterdir():
            left.unlink()
