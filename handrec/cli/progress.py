"""A line on the terminal that counts records while they are checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from time import monotonic
from typing import TextIO, TypeVar

T = TypeVar("T")

PATIENCE = 1.0  # seconds of work before the line is worth showing
PAUSE = 0.1  # seconds between two updates


class Progress:
    """How many records are done, said on a stream no more than ten times a second and erased at the end; or nowhere."""

    def __init__(self, stream: TextIO | None, clock: Callable[[], float] = monotonic, done: str = "checked") -> None:
        self.stream, self.clock, self.done = stream, clock, done
        self.next = clock() + PATIENCE
        self.shown = ""

    def follow(self, records: Iterable[T]) -> Iterator[T]:
        """The same records, counted as they go by."""
        for done, record in enumerate(records, 1):
            yield record
            now = self.clock()
            if now >= self.next:
                self._show(f"{done:,} record{'' if done == 1 else 's'} {self.done} …")
                self.next = now + PAUSE
        self.clear()

    def clear(self) -> None:
        """Erase the line: something else is about to be said."""
        if self.shown:
            self._show("")

    def _show(self, text: str) -> None:
        if self.stream is None:
            return
        self.stream.write(f"\r{text:{len(self.shown)}}" + ("" if text else "\r"))
        self.stream.flush()
        self.shown = text
