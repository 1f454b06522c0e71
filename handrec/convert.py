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

__all__ = ["PACKERS", "VIEWS", "Presentation", "Unwritable", "joined", "packed", "target", "targets", "written"]


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
    """The record as text of a format, and the rows in which what the text says differs from it: first it, then the text.

    Where each deal is a record of its own when it is read, these are put together again. Raises `Unwritable` if the format cannot
    hold the record, or its text cannot be read at all; ValueError if the format is only read.
    """
    if kind.write is None:
        raise ValueError(f"{kind.key} is only read")
    text = kind.write(record)
    back = list(kind.read(text.encode(), kind.key))
    read = [one.record for one in back if one.record is not None]
    if not read or len(read) < len(back):
        raise Unwritable(next((finding.message for one in back for finding in one.findings), "it is not one record"))
    found = read[0]
    if len(read) > 1:
        found = found.model_copy(update={"deals": [deal for one in read for deal in one.deals]})
    return text, () if line(found) == line(record) else compare([record, found], seats=False).rows


def joined(texts: Iterable[str], kind: Format | Presentation) -> Iterable[str]:
    """The texts of several records as those of one file."""
    return kind.joined(texts) if isinstance(kind, Format) and kind.joined else texts


def packed(texts: Iterable[str], name: str = "") -> Iterator[bytes]:
    """The bytes of a file of this name that holds some texts, packed if its suffix says so, as the texts come."""
    make = PACKERS.get(PurePath(name).suffix.lower())
    packer = make() if make else None
    for text in texts:
        yield packer.compress(text.encode()) if packer else text.encode()
    if packer:
        yield packer.flush()
