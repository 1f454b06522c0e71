"""Files in, records out: one module per format, each bytes ↔ record and nothing else.

A reader yields one `Reading` per record it comes upon. What cannot be read is a finding with its place, not an
exception: a bad record never hides the good ones after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import BinaryIO

from handrec.findings import Finding, Location
from handrec.record import Record


class Missing(ImportError):
    """What a format needs is not installed; the message says how to get it."""


@dataclass(frozen=True)
class Reading:
    """A record as it was found in a file: the record (None if it could not be made out) and what is wrong with its form.

    `locate` turns a JSON Pointer into the record, such as `/deals/0/events/3/card`, into a place of the file.
    """

    record: Record | None
    findings: tuple[Finding, ...]
    locate: Callable[[str], Location]

    def placed(self, finding: Finding) -> Finding:
        """The finding with its place in the file."""
        return finding if finding.location else replace(finding, location=self.locate(finding.pointer))


@dataclass(frozen=True)
class Format:
    """A way to write records down. `sniff` recognises its beginning, for files whose name says nothing.

    `write` gives the text of a record, None where the format is only read; where a file holds `many`, the texts of several
    are put one after another. `follow` reads an open file, which can be sought in, as it comes; `pack` gives the bytes of
    many records, as they come, where they cannot be written one by one.
    """

    key: str
    title: str
    suffixes: tuple[str, ...]
    read: Callable[[bytes, str], Iterator[Reading]]
    sniff: Callable[[bytes], bool]
    write: Callable[[Record], str] | None = None
    many: bool = False
    follow: Callable[[BinaryIO, str], Iterator[Reading]] | None = None
    pack: Callable[[Iterable[Record]], Iterator[bytes]] | None = None


#: The formats in the order in which they are asked whether a file is theirs.
NAMES = ("jsonl", "dds", "pbn", "lin", "hrt", "csv", "tsv", "parquet", "json")


@cache
def formats() -> tuple[Format, ...]:
    """Every format."""
    return tuple(import_module(f"handrec.formats.{name}").FORMAT for name in NAMES)


def format_of(name: str, data: bytes) -> Format:
    """The format of a file: by its beginning where that is telling, then by its name, JSON if nothing else."""
    kinds, last, head = formats(), PurePath(name).name.lower(), data[:4096]
    named = [kind for kind in kinds if last.endswith(kind.suffixes)]
    among = kinds if last.endswith(".txt") else named or kinds  # any text may be called so
    sniffed = (kind for kind in among if kind.sniff(head))
    return next(sniffed, named[0] if named else kinds[-1])


def read(data: bytes, name: str, format: str | None = None) -> Iterator[Reading]:
    """The records in a file's bytes; `name` is the file's, for places and for telling the format."""
    return chosen(data, name, format).read(data, name)


def chosen(data: bytes, name: str, format: str | None) -> Format:
    """The format of a file, by its key if that is given. Raises StopIteration if there is none of this key."""
    return format_of(name, data) if format is None else next(kind for kind in formats() if kind.key == format)
