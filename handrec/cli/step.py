"""`handrec replay --step`: a deal card by card, by keys, on the terminal's second screen."""

from __future__ import annotations

import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from handrec.cli.errors import CommandError
from handrec.report.stage import drawn, moved, start

#: What a key does, by the bytes that a terminal sends for it.
KEYS = {
    "\x1b[C": "card+1", "\x1bOC": "card+1", " ": "card+1", "\x1b[D": "card-1", "\x1bOD": "card-1",
    "\x1b[B": "trick+1", "\x1bOB": "trick+1", "\x1b[6~": "trick+1", "\r": "trick+1", "\n": "trick+1",
    "\x1b[A": "trick-1", "\x1bOA": "trick-1", "\x1b[5~": "trick-1",
    "\x1b[1;2C": "remark+1", "n": "remark+1", "\x1b[1;2D": "remark-1", "N": "remark-1",
    "\x1b[H": "start", "\x1b[1~": "start", "\x1bOH": "start", "\x1b[F": "end", "\x1b[4~": "end", "\x1bOF": "end",
    "f": "turn", "h": "hide", "l": "last", "?": "help", "p": "play",
    **dict.fromkeys(("q", "\x03", "\x04", "\x1b"), "leave"),
    **{str(number): f"deal {number}" for number in range(1, 10)},
}  # fmt: skip
ONE_KEY = re.compile(r"\x1b(?:\[[0-9;]*[A-Za-z~]|O[A-Za-z])?|[^\x1b]", re.DOTALL)
SECOND_SCREEN, FIRST_SCREEN = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
PACE = 1.0  # seconds from card to card when it plays by itself


def run(views: list[dict[str, Any]], colour: bool) -> None:
    """Show the deals until the user leaves."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        raise CommandError("--step needs a terminal to read keys from and to draw on")
    at, playing, keys = start(views[0]), False, _Keys(sys.stdin.fileno())
    with _raw(keys.descriptor):
        while True:
            _show(drawn(views[at.deal], at, colour))
            key = keys.next(PACE if playing else None)
            if key == "leave":
                return
            playing = key is None or (key == "play" and not playing)
            after = moved(views, at, key or "card+1")
            playing = playing and (key is not None or after != at)
            at = after


def _show(lines: list[str]) -> None:
    """Draw over what is there, no further down than the terminal reaches."""
    most = max(os.get_terminal_size().lines - 1, 3)
    last = "" if len(lines) <= most else "…"
    shown = lines[: most - bool(last)] + [last] * bool(last)
    sys.stdout.write("\x1b[H" + "".join(f"{line}\x1b[K\r\n" for line in shown) + "\x1b[J  ? keys   q leave\x1b[K")
    sys.stdout.flush()


class _Keys:
    """Keys as they are pressed; several may arrive at once."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor
        self.waiting: list[str] = []

    def next(self, wait: float | None) -> str | None:
        """What the next key does, `nothing` for one that does nothing; None if none was pressed in time."""
        if not self.waiting:
            if not select.select([self.descriptor], [], [], wait)[0]:
                return None
            pressed = os.read(self.descriptor, 64).decode("latin-1")
            self.waiting = ONE_KEY.findall(pressed) or ["q"]  # nothing at all: the terminal is gone
        return KEYS.get(self.waiting.pop(0), "nothing")


@contextmanager
def _raw(descriptor: int) -> Iterator[None]:
    """Keys one by one and unseen, on a screen of its own; all as before when it is over, whatever happens."""
    try:
        import termios
        import tty
    except ImportError:
        raise CommandError("--step reads keys in a way that this system does not have") from None
    before = termios.tcgetattr(descriptor)
    try:
        tty.setraw(descriptor)
        sys.stdout.write(SECOND_SCREEN)
        yield
    finally:
        sys.stdout.write(FIRST_SCREEN)
        sys.stdout.flush()
        termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
