"""What the command line is given to read: files, directories, lists of files, standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

#: What a directory is searched for; a file that is named may be called anything.
SUFFIXES = (".json", ".jsonl", ".jsonl.gz", ".jsonl.xz", ".hrt", ".pbn", ".lin")
LIMIT = 1 << 30


@dataclass(frozen=True)
class Source:
    """A file's name and its bytes, or why it could not be read."""

    name: str
    data: bytes = b""
    trouble: str | None = None


def sources(paths: Iterable[str], stdin_name: str = "<stdin>") -> Iterator[Source]:
    """The sources that the paths name, in their order; directories recursively, sorted, links to directories not followed.

    `-` is standard input, and `@list` a file that names one path a line.
    """
    for path in paths:
        if path == "-":
            yield Source(stdin_name, sys.stdin.buffer.read(LIMIT))
        elif path.startswith("@") and not Path(path).exists():
            yield from _listed(path[1:])
        elif Path(path).is_dir():
            found = list(_within(Path(path)))
            if not found:
                yield Source(path, trouble="there is no record in this directory")
            yield from map(_file, found)
        else:
            yield _file(Path(path))


def _listed(path: str) -> Iterator[Source]:
    listing = _file(Path(path))
    if listing.trouble:
        yield listing
        return
    yield from sources(line for line in listing.data.decode("utf-8", "replace").splitlines() if line.strip())


def _within(folder: Path) -> Iterator[Path]:
    for entry in sorted(folder.iterdir(), key=lambda path: path.name):
        if entry.is_dir() and not entry.is_symlink() and not entry.name.startswith("."):
            yield from _within(entry)
        elif entry.is_file() and entry.name.lower().endswith(SUFFIXES):
            yield entry


def _file(path: Path) -> Source:
    try:
        if path.stat().st_size > LIMIT:
            return Source(str(path), trouble="the file is larger than 1 GiB")
        return Source(str(path), path.read_bytes())
    except OSError as error:
        return Source(str(path), trouble=(error.strerror or str(error)).lower())
