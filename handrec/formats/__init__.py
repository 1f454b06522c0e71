"""Files in, records out: one module per format, each bytes ↔ record and nothing else.

A reader yields one `Reading` per record it comes upon. What cannot be read is a finding with its place, not an
exception: a bad record never hides the good ones after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import PurePath
from typing import BinaryIO, NamedTuple

from handrec.findings import Finding, Level, Location
from handrec.record import Record

#: Is told that a fast way of judging failed: which, and with what.
Failed = Callable[[str, Exception], None]

#: Where nothing else is found, what stands there is no record that could be checked.
UNREADABLE = frozenset({"FMT001", "FMT002", "FMT005", "FMT006", "FMT015"})


class Missing(ImportError):
    """What a format needs is not installed; the message says how to get it."""


class Unwritable(ValueError):
    """A record that a format cannot hold at all; the text says why."""


class Passed(NamedTuple):
    """What is known of a record in which nothing is wrong, without its being read: its id, game, number of deals, and levels."""

    id: str | None
    game: str
    deals: int
    levels: tuple[Level, ...]


class Reading(NamedTuple):
    """A record as it was found in a file: the record (None if it could not be made out) and what is wrong with its form.

    `locate` turns a JSON Pointer into the record, such as `/deals/0/events/3/card`, into a place of the file. `passed` is there
    instead of a record that was judged as it stood; `many` are the records that it stands for, where several are told together.
    """

    record: Record | None
    findings: tuple[Finding, ...]
    locate: Callable[[str], Location]
    passed: Passed | None = None
    many: int = 1

    @property
    def judged(self) -> bool:
        """Whether anything could be checked of it, if only against the schema."""
        return not (self.record is None and self.passed is None and UNREADABLE.issuperset(each.code for each in self.findings))

    def placed(self, finding: Finding) -> Finding:
        """The finding with its place in the file, and the line of what it contradicts, if that is another."""
        if finding.location:
            return finding
        place, against = self.locate(finding.pointer), finding.facts.get("against")
        line = self.locate(against).line if isinstance(against, str) else 0
        if not line or line == place.line:
            return finding._replace(location=place)
        return finding._replace(location=place, facts={**finding.facts, "against_line": line})


class Format(NamedTuple):
    """A way to write records down. `sniff` recognises its beginning, for files whose name says nothing.

    `write` gives the text of a record, None where the format is only read, and raises `Unwritable` for one that it cannot hold;
    where a file holds `many`, the texts of several are put one after another, or as `join` puts them together. `follow` reads an
    open file, which can be sought in, as it comes; `pack` gives the bytes of many records, as they come, where they cannot be
    written one by one. `sift` follows a file likewise, but of records in which nothing is wrong it may tell no more than that; it
    is given what to tell if a fast way of judging fails. The number of a deal may be its place in the file, `by_place`.
    """

    key: str
    title: str
    read: Callable[[bytes, str], Iterator[Reading]]
    sniff: Callable[[bytes], bool]
    write: Callable[[Record], str] | None = None
    many: bool = False
    follow: Callable[[BinaryIO, str], Iterator[Reading]] | None = None
    pack: Callable[[Iterable[Record]], Iterator[bytes]] | None = None
    sift: Callable[[BinaryIO, str, Failed], Iterator[Reading]] | None = None
    join: Callable[[Iterable[str]], Iterator[str]] | None = None
    by_place: bool = False

    @property
    def suffixes(self) -> tuple[str, ...]:
        """How the names of its files end."""
        return SUFFIXES[self.key]


#: How files are called, by format, in the order in which these are asked whether a file is theirs: so that the name of a file
#: tells its format before any is loaded.
SUFFIXES: dict[str, tuple[str, ...]] = {
    "jsonl": (".jsonl", ".jsonl.gz", ".jsonl.xz"),
    "dds": (".txt",),
    "pbn": (".pbn", ".ptn"),
    "lin": (".lin",),
    "rbn": (".rbn",),
    "hrt": (".hrt",),
    "csv": (".csv",),
    "tsv": (".tsv",),
    "parquet": (".parquet",),
    "json": (".json",),
}

#: What is no format of ours, but is recognised, so that somebody can be told what to do: text of two bytes a letter.
UTF16 = "utf16"
BYTE_ORDER_MARKS = b"\xff\xfe", b"\xfe\xff"


@cache
def by_key(key: str) -> Format:
    """The format of this key, loaded when it is first asked for. Raises KeyError if there is none."""
    if key not in (*SUFFIXES, UTF16):
        raise KeyError(key)
    kind = import_module(f"handrec.formats.{key}").FORMAT
    assert isinstance(kind, Format)
    return kind


def formats() -> tuple[Format, ...]:
    """Every format."""
    return tuple(map(by_key, SUFFIXES))


def format_of(name: str, data: bytes) -> Format:
    """The format of a file: by its beginning where that is telling, then by its name, JSON if nothing else."""
    return _text(_format_of(name, data), data)


def _text(kind: Format, data: bytes) -> Format:
    """The format of a file, or the one that says why it cannot be read: only sheets may be in UTF-16."""
    marked = data.startswith(BYTE_ORDER_MARKS) and b"\0" in data[:4096]
    wide = marked or [not byte for byte in data[:4]] in ([0, 1, 0, 1], [1, 0, 1, 0])
    return by_key(UTF16) if wide and kind.key not in ("csv", "tsv") else kind


def _format_of(name: str, data: bytes) -> Format:
    last, head = PurePath(name).name.lower(), data[:4096]
    named = [key for key, suffixes in SUFFIXES.items() if last.endswith(suffixes)]
    among = SUFFIXES if last.endswith(".txt") else named or SUFFIXES  # any text may be called so
    sniffed = (kind for kind in map(by_key, among) if kind.sniff(head))
    return next(sniffed, None) or by_key(named[0] if named else "json")


def read(data: bytes, name: str, format: str | None = None) -> Iterator[Reading]:
    """The records in a file's bytes; `name` is the file's, for places and for telling the format."""
    return chosen(data, name, format).read(data, name)


def chosen(data: bytes, name: str, format: str | None) -> Format:
    """The format of a file, by its key if that is given. Raises KeyError if there is none of this key."""
    return format_of(name, data) if format is None else _text(by_key(format), data)
