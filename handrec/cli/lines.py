"""The lines of what is read, found again by their numbers, so that a finding can be shown where it stands."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

from handrec.cli.inputs import Source
from handrec.findings import Location
from handrec.formats import BYTE_ORDER_MARKS, Reading
from handrec.limits import MAX_BYTES


class Lines:
    """The lines of one source. They are read on as they are asked for; the last of them are kept."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.shown = (0, "")
        self._begin()

    def __call__(self, place: Location) -> str | None:
        """The line of text that a place is in; None where it is in none, or can no longer be read."""
        if place.path != self.source.name or not place.line:
            return None
        if self.shown[0] != place.line:
            line = self._find(place.line)
            if line is None:
                return None
            self.shown = place.line, _text(line)
        return self.shown[1]

    def _begin(self) -> None:
        self.numbers: list[int] = []
        self.lines: list[bytes] = []
        self.size = 0
        self.rest = self._read()

    def _find(self, number: int) -> bytes | None:
        if self.numbers and number < self.numbers[0]:
            self._begin()
        while not self.numbers or self.numbers[-1] < number:
            known, line = next(self.rest, (0, b""))
            if not known:
                return None
            if self.size > 2 * MAX_BYTES:  # no record is as large: what stands before it is done with
                self.numbers, self.lines, self.size = self.numbers[-1:], self.lines[-1:], 0
            self.numbers.append(known)
            self.lines.append(line)
            self.size += len(line) + 1
        at = bisect_left(self.numbers, number)
        return self.lines[at] if at < len(self.numbers) and self.numbers[at] == number else None

    def _read(self) -> Iterator[tuple[int, bytes]]:
        """Every line that is not blank, with its number; of what is an archive none."""
        from handrec.formats.jsonl import lines

        try:
            with Path(self.source.path).open("rb") if self.source.path else BytesIO(self.source.data) as file:
                head = file.read(4)
                if head == b"PAR1":
                    return
                if head.startswith(BYTE_ORDER_MARKS):
                    text = (head + file.read(MAX_BYTES)).decode("utf-16", "replace")
                    yield from ((number, line.encode()) for number, line in enumerate(text.split("\n"), 1))
                    return
                yield from (piece for piece in lines(file, self.source.name) if not isinstance(piece, Reading))
        except OSError:
            return


def _text(line: bytes) -> str:
    """A line as text: UTF-8, or Latin-1 where it is none, as old programs write."""
    line = line.removesuffix(b"\r").removeprefix(b"\xef\xbb\xbf")
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")
