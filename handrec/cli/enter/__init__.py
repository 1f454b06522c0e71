"""`handrec enter`: a game taken down at the keyboard, line by line, in a file that is whole at every moment."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterable
from difflib import get_close_matches
from typing import TextIO, TypeVar

from handrec import games
from handrec.cli.common import game_called, options_of
from handrec.cli.enter import words
from handrec.cli.enter.files import GameFile
from handrec.cli.enter.lines import kinds
from handrec.cli.enter.session import Left, Session
from handrec.cli.errors import CommandError
from handrec.cli.new import players_of
from handrec.game import Game, compose
from handrec.live import LiveTable, table
from handrec.record import Deal, Record
from handrec.referee.form import check_seats
from handrec.report.safe import safe

T = TypeVar("T")


class Keyboard:
    """Lines that are typed, or come through a pipe, and lines that are shown."""

    def __init__(self, typed: TextIO, shown: TextIO) -> None:
        self.typed, self.shown = typed, shown
        self.alone = typed.isatty() and shown.isatty()
        if isinstance(typed, io.TextIOWrapper):
            typed.reconfigure(encoding="utf-8", errors="backslashreplace")

    def say(self, lines: Iterable[str]) -> None:
        """Show lines."""
        self.shown.writelines(f"{line}\n" for line in lines)
        self.shown.flush()

    def ask(self, question: str) -> str:
        """The next line that is typed, after a question. EOFError if there is none."""
        if question:
            self.say(words.lines(question))
        if self.alone:
            return input("> ")
        line = self.typed.readline()
        if not line:
            raise EOFError
        self.say(words.lines(f"> {safe(line.rstrip(), 300)}"))
        return line

    def answer(self, question: str, given: str | None, read: Callable[[str], T]) -> T:
        """What a line, or what was given instead, is read as; asked again while it is none. What is given must be one."""
        while given is None:
            try:
                return read(self.ask(question).strip())
            except CommandError as error:
                self.say(words.lines(f"{error}."))
        return read(given)


def run(file: str, game: str | None, players: str | None, option: list[str] | None) -> int:
    """Take a game down into a file, or go on with the one that is in it; gives the exit code."""
    if sys.stdin is None:
        raise CommandError("standard input is closed")
    keyboard, kept = Keyboard(sys.stdin, sys.stdout), GameFile(file)
    record = kept.read()
    try:
        if record is None:
            laid = _new(keyboard, game, players, option)
        else:
            if players is not None or option or (game is not None and game != record.game):
                raise CommandError(f"{safe(file, 300)} holds a game of {record.game} already; nothing was written")
            laid = _resumed(record)
    except ValueError as error:
        raise CommandError(safe(error, 300)) from None
    except (EOFError, KeyboardInterrupt) as end:
        keyboard.say(["", "Nothing was written."])
        return 130 if isinstance(end, KeyboardInterrupt) else 0
    return _taken_down(keyboard, Session(laid, kept, keyboard.say), record is None)


def _new(keyboard: Keyboard, game: str | None, players: str | None, option: list[str] | None) -> LiveTable:
    """A table for a new game; what was not given is asked."""
    found = keyboard.answer(f"Which game? {' '.join(games.names())}", game, _game)
    question = f"Options of {found.key}, as NAME=VALUE (handrec explain {found.key} tells them); Enter for none"
    if game is None and option is None:
        options = keyboard.answer(question, None, lambda text: options_of(found, text.split()))
    else:
        options = options_of(found, option or [])
    chosen = compose(found, options)[0]
    seated = keyboard.answer(_who(chosen), players, lambda text: players_of(chosen, text or None))
    return table(found.key, [player.model_dump(exclude_none=True) for player in seated], options)


def _who(game: Game) -> str:
    low, high = min(game.players), max(game.players)
    return f"Who plays, clockwise? Names with commas between them, or how many ({low if low == high else f'{low} to {high}'})"


def _game(text: str) -> Game:
    """The game of a name, or of the one that is nearest to it."""
    near = get_close_matches(text.lower(), games.names(), 1, 0.6)
    return game_called(text if text in games.names() or not near else near[0])


def _resumed(record: Record) -> LiveTable:
    """The table at which the game of a record goes on. ValueError if there is none.

    What says that the last deal is not over is left out: that is told anew after each line.
    """
    game = games.find(record.game)
    if game is not None and (wrong := check_seats(record, compose(game, record.options)[0])):
        raise ValueError(wrong[0].message)
    deals = record.deals
    if deals and deals[-1].status in ("in_progress", "claimed"):
        fields = {name: getattr(deals[-1], name) for name in deals[-1].model_fields_set if name != "status"}
        deals = [*deals[:-1], Deal.model_construct(_fields_set={*fields}, **fields)]
    return LiveTable(record.model_copy(update={"deals": deals}), ended=record.status in ("complete", "stopped"))


def _taken_down(keyboard: Keyboard, session: Session, new: bool) -> int:
    """Line after line until the end; gives the exit code."""
    keyboard.say(words.lines(f"{session.table.game.title}. help tells what may be typed; quit leaves."))
    if not new:
        keyboard.say(words.on_table(session.table))
    if keyboard.alone:
        _complete(session)
    code = 0
    try:
        session.save()
        while True:
            session.line(keyboard.ask(words.due(session.table, session.legal)))
    except Left as left:
        code = left.code
    except EOFError:
        keyboard.say([""])
        code = 2 if session.unsaved else int(session.waiting is not None)
    except KeyboardInterrupt:
        keyboard.say([""])
        code = 130
    if session.unsaved:
        keyboard.say(words.lines(f"NOT SAVED: {session.unsaved}."))
    else:
        name = safe(session.file.name, 300)
        keyboard.say(words.lines(f"The game is in {name}. handrec enter {name} goes on with it."))
    return code


def _complete(session: Session) -> None:
    """Have Tab complete cards that may come, and commands, where that is to be had."""
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def complete(begun: str, state: int) -> str | None:
        if state == 0:
            legal = session.legal
            known = [getattr(event, "card", None) or "" for event in (*legal.events, *legal.untold)]
            known += [what for what in kinds(legal) if len(what) > 2] + [*session.commands]
            found[:] = dict.fromkeys(f"{word} " for word in known if word and word.lower().startswith(begun.lower()))
        return found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(" \t,:")
    readline.parse_and_bind("bind ^I rl_complete" if "libedit" in (readline.__doc__ or "") else "tab: complete")
