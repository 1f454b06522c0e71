"""What is audited, and in what portions: inputs, pieces that are read on their own, and chunks of them."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple

from handrec.audit import urls
from handrec.findings import Finding


class Span(NamedTuple):
    """Where the rows of an archive are to be read: `source` is a path or URL, rows are those of one row group, from 0.

    `stamp` changes when the file does; `size` is that of the rows when unpacked, in bytes.
    """

    source: str
    stamp: str
    group: int
    start: int
    stop: int
    size: int


class Piece(NamedTuple):
    """What is read on its own: bytes (a line of JSON Lines, a file of another format), or rows of an archive.

    `line` is where it begins in its file, for an archive the row; `finding` is what is wrong where there is nothing to be read.
    """

    name: str
    line: int
    format: str
    data: bytes | Span
    finding: Finding | None = None

    @property
    def size(self) -> int:
        """Its bytes."""
        return self.data.size if isinstance(self.data, Span) else len(self.data)

    @property
    def halves(self) -> tuple[Piece, ...]:
        """Both halves of some rows; nothing where it cannot be divided."""
        span = self.data
        if not isinstance(span, Span) or span.stop - span.start < 2:
            return ()
        middle = (span.start + span.stop) // 2
        second = span._replace(start=middle), self.line + middle - span.start
        return self._replace(data=span._replace(stop=middle)), self._replace(data=second[0], line=second[1])


class Chunk(NamedTuple):
    """Some pieces; chunks are numbered from 0, and `done` bytes of all inputs had been read when this one was cut."""

    number: int
    pieces: tuple[Piece, ...]
    done: int = 0


@dataclass(frozen=True)
class Input:
    """A file to be audited, a URL, or bytes under a name. `format` is the key of its format, None to tell by looking at it."""

    name: str
    path: Path | None = None
    data: bytes = b""
    format: str | None = None
    url: str | None = None

    @property
    def source(self) -> str | None:
        """Where a worker finds it; None if it is only bytes."""
        return str(self.path.absolute()) if self.path else self.url

    @property
    def size(self) -> int:
        """The number of its bytes."""
        return self.path.stat().st_size if self.path else urls.size(self.url) if self.url else len(self.data)

    @property
    def identity(self) -> list[str | int]:
        """What changes when the input does: name, size, and the time of its last change, or a hash."""
        if self.path:
            stamp: str | int = self.path.stat().st_mtime_ns
        else:
            stamp = urls.stamp(self.url) if self.url else sha256(self.data).hexdigest()
        return [ascii(self.name), self.size, stamp]

    def open(self) -> BinaryIO:
        """It, open to be read."""
        return self.path.open("rb") if self.path else urls.open_url(self.url) if self.url else BytesIO(self.data)
