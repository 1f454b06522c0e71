"""Conversion: a record as text of any format there is to write, and what of it that format does not hold.

What is lost is not declared but found: what was written is read again, and compared with the record.
"""

from __future__ import annotations

import lzma
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePath

from handrec.diff import DiffRow, compare
from handrec.findings import Verdict
from handrec.formats import Format, Unwritable, formats
from handrec.game import Game
from handrec.judging import Find
from handrec.record import Provenance, Record
from handrec.report.story import story
from handrec.versions import minor
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


def written(record: Record, kind: Format, find: Find | None = None, after: int = 0) -> tuple[str, tuple[DiffRow, ...]]:
    """The record as text of a format, and the rows in which the text does not say what it says: first it, then the text.

    Where the text says the same and more, as the number of a row, nothing is lost. With `find`, a play is no other for being
    written without the seat whose turn it was. The text is to stand `after` so many deals of the same file. Raises `Unwritable`
    if the format cannot hold the record or the text cannot be read at all, ValueError if the format is only read.
    """
    if kind.write is None:
        raise ValueError(f"{kind.key} is only read")
    text = kind.write(record)
    back = list(kind.read(text.encode(), kind.key))
    found = _as_one([one.record for one in back if one.record], len(record.deals)) if all(one.record for one in back) else None
    if found is None:
        raise Unwritable(next((finding.message for one in back for finding in one.findings), "it is not one record"))
    found = _numbered(found, after) if kind.by_place and after else found
    if line(found) == line(record):
        return text, ()
    told = [_by_event(_unsourced(each)) for each in (record, found)]
    return text, tuple(filter(_lost, compare(told, find, seats=False).rows))


def _numbered(record: Record, after: int) -> Record:
    """The record with the numbers that its deals have after so many others."""
    return record.model_copy(
        update={"deals": [deal.model_copy(update={"number": (deal.number or 0) + after}) for deal in record.deals]}
    )


def _lost(row: DiffRow) -> bool:
    """Whether a record states something that another does not state as well.

    A later version says no less. In which trick a card was played, and by whom, may follow from where it stands.
    """
    one, other = (leaf.value if leaf else None for leaf in row.leaves)
    if isinstance(one, dict) and isinstance(other, dict):
        follows = {"trick": row.leaves[1].trick, "by": row.leaves[1].seat} if row.leaves[1] else {}
        return not one.items() <= (follows | other).items()
    return one is not None and not (row.path == ("version",) and minor(str(one)) < minor(str(other)))


def _by_event(record: Record) -> Record:
    """The record with the comments on each deal in the order of their events: in which they are listed says nothing."""
    deals = [
        deal.model_copy(update={"comments": sorted(deal.comments, key=lambda said: said.event or 0)}) if deal.comments else deal
        for deal in record.deals
    ]
    return record.model_copy(update={"deals": deals})


def _as_one(records: list[Record], deals: int) -> Record | None:
    """The one record there is, or the record of all deals where a format has a record for each."""
    if len(records) > 1 and len(records) == deals:
        return records[0].model_copy(update={"deals": [deal for record in records for deal in record.deals]})
    return records[0] if len(records) == 1 else None


def _unsourced(record: Record) -> Record:
    """The record without id and provenance, if they say only which file it was read from: the next file is another."""
    source = record.provenance.source if record.provenance else None
    told = source is not None and re.fullmatch(re.escape(source) + "#[0-9]+", record.id or "")
    if not told or record.provenance != Provenance(source=source, kind="archive"):
        return record
    return record.model_copy(update={"id": None, "provenance": None})


def joined(texts: Iterable[str], kind: Format | Presentation) -> Iterable[str]:
    """The texts of several records as those of one file."""
    return kind.join(texts) if isinstance(kind, Format) and kind.join else texts


def packed(texts: Iterable[str], name: str = "") -> Iterator[bytes]:
    """The bytes of a file of this name that holds some texts, packed if its suffix says so, as the texts come."""
    make = PACKERS.get(PurePath(name).suffix.lower())
    packer = make() if make else None
    for text in texts:
        yield packer.compress(text.encode()) if packer else text.encode()
    if packer:
        yield packer.flush()
