"""Conversion: a record as text of any format there is to write, and what of it that format does not hold.

What is lost is not declared but found: what was written is read again, and compared with the record.
"""

from __future__ import annotations

import lzma
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from handrec.diff import DiffRow, compare
from handrec.findings import Verdict
from handrec.formats import Format, Unwritable, formats
from handrec.game import Game
from handrec.record import Record
from handrec.report.story import story
from handrec.writing import line


@dataclass(frozen=True)
class Presentation:
    """A way to show records, which cannot be read again: `write` takes a name, the record, its verdict, and its game."""

    key: str
    suffixes: tuple[str, ...]
    write: Callable[[str, Record, Verdict, Game], str]
    many: bool = False


def _page(name: str, record: Record, verdict: Verdict, game: Game) -> str:
    from handrec.view import ShownRecord, page  # only where a page is written

    return page([ShownRecord(name, record, verdict, game)])


VIEWS = (Presentation("markdown", (".md", ".markdown"), story, many=True), Presentation("html", (".html", ".htm"), _page))

#: What packs a file of this suffix; neither writes down a time or a name, so the same records give the same bytes.
PACKERS: dict[str, Callable[[], lzma.LZMACompressor | zlib._Compress]] = {
    ".gz": lambda: zlib.compressobj(6, zlib.DEFLATED, 31),
    ".xz": lzma.LZMACompressor,
}


def targets() -> dict[str, Format | Presentation]:
    """Everything that a record can be converted to, by key."""
    kinds: list[Format | Presentation] = [*formats(), *VIEWS]
    return {kind.key: kind for kind in kinds if kind.write is not None or (isinstance(kind, Format) and kind.pack)}


def target(name: str) -> Format | Presentation | None:
    """What a file of this name is to hold, None if the name does not tell."""
    return next((kind for kind in targets().values() if name.lower().endswith(kind.suffixes)), None)


def written(record: Record, kind: Format) -> tuple[str, tuple[DiffRow, ...]]:
    """The record as text of a format, and the rows in which the text does not say what it says: first it, then the text.

    Where the text says the same and more, as whose card it is that the record has in order of play, nothing is lost. Raises
    `Unwritable` if there is no such text, or it cannot be read, ValueError if the format is only read.
    """
    if kind.write is None:
        raise ValueError(f"{kind.key} is only read")
    text = kind.write(record)
    back = list(kind.read(text.encode(), kind.key))
    found = back[0].record if len(back) == 1 else None
    if found is None:
        raise Unwritable(next((finding.message for one in back for finding in one.findings), "it is not one record"))
    return text, () if line(found) == line(record) else tuple(filter(_lost, compare([record, found], seats=False).rows))


def _lost(row: DiffRow) -> bool:
    """Whether a record states something, other than its version, that another does not state as well."""
    one, other = (leaf and leaf.value for leaf in row.leaves)
    if isinstance(one, dict) and isinstance(other, dict):
        return not one.items() <= other.items()
    return row.leaves[0] is not None and row.path != ("version",)


def packed(texts: Iterable[str], name: str = "") -> Iterator[bytes]:
    """The bytes of a file of this name that holds some texts, packed if its suffix says so, as the texts come."""
    make = PACKERS.get(PurePath(name).suffix.lower())
    packer = make() if make else None
    for text in texts:
        yield packer.compress(text.encode()) if packer else text.encode()
    if packer:
        yield packer.flush()
