"""Text in UTF-16, as some editors save it: no format of ours, but recognised, so that one finding says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from handrec.findings import Finding
from handrec.formats import UTF16, Failed, Format, Reading
from handrec.formats.strict import Places
from handrec.referee.form import FORM

WHY = "it is UTF-16; save it as UTF-8"


def read(data: bytes, name: str) -> Iterator[Reading]:
    """One finding, and no record."""
    places = Places(name)
    yield Reading(None, (Finding(FORM["FMT005"], {"why": WHY}, location=places.at(0)),), places)


def follow(file: BinaryIO, name: str) -> Iterator[Reading]:
    """The same of an open file, of which no more is read."""
    return read(b"", name)


def sift(file: BinaryIO, name: str, failed: Failed) -> Iterator[Reading]:
    """The same."""
    return read(b"", name)


FORMAT = Format(UTF16, "text in UTF-16", read, lambda head: False, follow=follow, sift=sift)
