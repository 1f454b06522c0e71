"""Archives: very many records in the columns of a Parquet file. What they are made of is loaded where there is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from io import BytesIO
from typing import Any, BinaryIO

from handrec.formats import Failed, Format, Missing, Reading
from handrec.record import Record


def read(data: bytes, name: str) -> Iterator[Reading]:
    """The records of an archive."""
    return follow(BytesIO(data), name)


def follow(file: BinaryIO, name: str) -> Iterator[Reading]:
    """The records of an archive, as they come."""
    found: Iterator[Reading] = _archive().read(file, name)
    return found


def sift(file: BinaryIO, name: str, failed: Failed) -> Iterator[Reading]:
    """The records of an archive, as they come; those that the sieve passes are not read."""
    found: Iterator[Reading] = _archive().read(file, name, failed=failed)
    return found


def pack(records: Iterable[Record]) -> Iterator[bytes]:
    """The bytes of an archive of some records, as they come."""
    made: Iterator[bytes] = _archive().write(records)
    return made


def sniff(head: bytes) -> bool:
    """Whether a file begins as Parquet does."""
    return head.startswith(b"PAR1")


def _archive() -> Any:
    """The room of archives: it stands above this one, on the sieve and its columns, and is found when it is wanted."""
    try:
        return import_module("handrec.archive")
    except ModuleNotFoundError as error:
        if error.name not in ("numpy", "pyarrow"):
            raise
        raise Missing("an archive needs numpy and pyarrow: pip install 'handrec[archive]'") from None


FORMAT = Format("parquet", "Parquet archive, many records", read, sniff, many=True, follow=follow, pack=pack, sift=sift)
