"""The journal of an audit: what came of every chunk that is finished, so that an audit that was ended can go on.

A text file, only ever appended to and brought to the disk line by line. Each line is a checksum, a space and its body; the
first body is JSON and says what is audited, each other one is what came of the next chunk (JSON, packed, in base64).
"""

from __future__ import annotations

import json
import os
import zlib
from base64 import b64decode, b64encode
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator

from handrec.audit.chunks import BYTES, PIECES
from handrec.audit.pieces import Input
from handrec.audit.result import VERSION, Result
from handrec.limits import MAX_JOURNAL_LINE, MAX_RESULT, mib
from handrec.report.safe import safe


def _shown(text: str) -> str:
    """Texts of a result are safe to show as they are."""
    if safe(text, len(text)) != text:
        raise ValueError("not safe to show")
    return text


_Count = Annotated[int, Field(ge=0, lt=2**40)]
_Numbers = tuple[_Count, _Count, _Count, _Count, _Count, _Count]
_Text = Annotated[str, AfterValidator(_shown)]
_Some = _Count | None
#: As `handrec.report.audit.FINDING` has it.
_Found = tuple[_Text, _Some, _Some, _Text, _Text, _Text, _Text | None, _Text, _Text, _Some, _Some, _Text | None, _Text, _Text]
_Hash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Stated(BaseModel):
    """A `Result` as a journal must have it: the store takes whatever has this shape, and reports show it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    totals: _Numbers
    tallies: Annotated[dict[Literal["code", "game", "options", "player"], dict[_Text, _Numbers]], Field(min_length=4)]
    records: list[tuple[_Text, _Count, _Text, _Text, _Count, _Count, _Count, _Count]]
    findings: list[_Found]
    deals: list[tuple[_Text, list[_Count], list[_Count], list[_Text], list[_Hash]]]
    failures: dict[_Text, _Count]
    claims: _Count

    @field_validator("deals")
    @classmethod
    def _alike(cls, blocks: list[tuple[str, list[int], list[int], list[str], list[str]]]) -> Any:
        if any(len({len(lines), len(numbers), len(games), len(both)}) > 1 for _, lines, numbers, games, both in blocks):
            raise ValueError("columns of different lengths")
        return blocks


class Unusable(Exception):
    """A file that is not the journal of this audit; the message says why."""


def identity(inputs: list[Input], version: str) -> dict[str, Any]:
    """What must be the same for an audit to go on."""
    return {
        "format": "handrec audit",
        "version": version,
        "chunk": [PIECES, BYTES, VERSION],
        "inputs": [[*each.identity, each.format] for each in inputs],
    }


class Journal:
    """A journal that is open to go on. Raises `Unusable` if the file is that of something else, or damaged, or in use."""

    def __init__(self, path: Path, about: dict[str, Any]) -> None:
        if path.is_symlink() or (path.exists() and not path.is_file()):
            raise Unusable("it is no file of its own")
        self.file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b")
        try:
            self._lock()
            self.start = self._begin(about)
        except BaseException:
            self.file.close()
            raise

    def _begin(self, about: dict[str, Any]) -> int:
        """Write the first line, or see that it is there; where it ends."""
        due = _line(json.dumps(about, sort_keys=True).encode())
        first = self.file.readline(MAX_JOURNAL_LINE)
        if not first.endswith(b"\n") and due.startswith(first):  # new, or ended while it was begun
            self.file.seek(0)
            self.file.truncate()
            self._put(due)
        elif first != due:
            raise Unusable(_why(first, about))
        return len(due)

    def _lock(self) -> None:
        try:
            import fcntl
        except ModuleNotFoundError:  # a system without locks
            return
        try:
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Unusable("another audit is using it") from None

    def results(self) -> Iterator[Result]:
        """What came of the chunks that are finished, in order; afterwards more can be put. Raises `Unusable` if damaged."""
        end = self.file.seek(self.start)
        while line := self.file.readline(MAX_JOURNAL_LINE + 1):
            if len(line) > MAX_JOURNAL_LINE:
                raise Unusable(f"a line of it is larger than {mib(MAX_JOURNAL_LINE)}")
            body = _body(line)
            if body is None:
                if self.file.read(1):
                    raise Unusable("it is damaged; start again with another file")
                break  # the line that was being written when the audit was ended
            yield _result(body)
            end += len(line)
        self.file.seek(end)
        self.file.truncate()

    def put(self, result: Result) -> None:
        """Write what came of the next chunk; it is on the disk when this returns."""
        self._put(_line(b64encode(zlib.compress(json.dumps(result).encode(), 1))))

    def _put(self, line: bytes) -> None:
        self.file.write(line)
        self.file.flush()
        os.fsync(self.file.fileno())

    def close(self) -> None:
        """Let another audit have it."""
        with suppress(OSError):  # what could not be written has been told
            self.file.close()


def _line(body: bytes) -> bytes:
    return sha256(body).hexdigest()[:32].encode() + b" " + body + b"\n"


def _body(line: bytes) -> bytes | None:
    """The body of a line, None if it is not as it was written."""
    body = line[33:].removesuffix(b"\n")
    return body if line == _line(body) else None


def _result(body: bytes) -> Result:
    """What a body says came of a chunk. Raises `Unusable` if, for all its checksum, that is nothing of the kind, or too large."""
    unpacking = zlib.decompressobj()
    try:
        told = unpacking.decompress(b64decode(body, validate=True), MAX_RESULT)
        if unpacking.unconsumed_tail:
            raise Unusable(f"what came of a chunk is larger than {mib(MAX_RESULT)}")
        return vars(_Stated.model_validate_json(told))
    except (ValueError, zlib.error):
        raise Unusable("it is damaged; start again with another file") from None


def _why(first: bytes, about: dict[str, Any]) -> str:
    """Why a journal with this first line is not one of this audit."""
    try:
        first_line = json.loads(_body(first) or b"")
        known = {each[0]: each for each in first_line["inputs"]}
        if first_line["format"] != about["format"]:
            raise ValueError
    except (ValueError, LookupError, TypeError):
        return "it is not the state of an audit"
    if first_line["version"] != about["version"] or first_line["chunk"] != about["chunk"]:
        return f"it is of another version of handrec, {safe(first_line['version'])}"
    for each in about["inputs"]:
        if known.get(each[0]) != each:
            what = "has changed since" if each[0] in known else "was not among the inputs when"
            return f"{safe(each[0], 300)} {what} it was begun"
    return "the inputs are not those, in their order, with which it was begun"
