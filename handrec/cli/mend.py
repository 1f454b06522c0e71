"""`check --diff`, `--fix` and `--unsafe-fixes`: what can be mended in the records that are checked, and writing it.

A file is written once, when all its records have been seen: whole or not at all, and only if it still is what was read. As
it was, it stays beside the new one under its name with `.orig`. Nothing that is kept so is ever written over or taken away: a
file that lists what was mended in it before stays with `.orig.2`, or the next number that is free; beside any other, what stands
there is somebody else's, and nothing is written.
"""

from __future__ import annotations

import json
import os
import sys
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import Any

from handrec import games, writing
from handrec.cli.common import Inputs, Mended, Read, complain
from handrec.cli.errors import CommandError, reason
from handrec.formats import Reading
from handrec.formats.json import reading
from handrec.formats.strict import Places
from handrec.repair import (
    FIXES,
    Edit,
    RepairGroup,
    applied,
    following,
    plain,
    repairs,
    respelled,
    safe_repairs,
    spliced,
)
from handrec.report.safe import safe

ORIG = ".orig"


@dataclass
class Mending:
    """What is to be mended, and how far it has come; `would_change` if something is only shown that could be written."""

    diff: bool
    fix: bool
    unsafe: bool
    trouble: bool = False
    would_change: bool = False
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    path: str = ""
    refused: bool = False
    texts: dict[int, tuple[str, str]] = field(default_factory=dict)  # line -> the record's text there, before and after

    @property
    def writes(self) -> bool:
        """Whether files are written: a diff only shows."""
        return self.fix and not self.diff

    def begin(self, paths: Iterable[str], format: str) -> None:
        """Refuse what cannot be done at all."""
        if self.diff and format not in ("text", "line", "json", "jsonl"):
            raise CommandError(f"--diff is shown as text, line, json or jsonl, not as {format}")
        if self.writes and "-" in paths:
            raise CommandError("standard input cannot be mended; --diff shows what would change")

    def mend(self, read: Read, inputs: Inputs) -> Mended:
        """Work out what can be mended in a record, and make the edits that are sure; a fault of our own is noted in `inputs`."""
        if read.path != self.path:
            self.finish()
            self.path, self.refused = read.path, False
        try:
            return self._mended(read)
        except Exception as error:  # a record on which we fail must not keep those after it from being checked
            if os.environ.get("HANDREC_DEBUG"):
                raise
            inputs.crashed = True
            complain(read.path, f"internal error: {type(error).__name__}; the record is not mended")
            return Mended(read)

    def _mended(self, read: Read) -> Mended:
        places, record = read.reading.locate, read.reading.record
        game = games.find(record.game) if record else None
        if record is None or game is None:
            return Mended(read)
        found = repairs(record, game) if self.unsafe else safe_repairs(record, game)
        misspelt = _is_json(places) and any(finding.code == "FMT016" for finding in read.reading.findings)
        spelt = self._chosen(respelled(places.text, record)) if isinstance(places, Places) and misspelt else ()
        found = replace(found, derived=spelt + self._chosen(found.derived), groups=tuple(filter(self._wanted, found.groups)))
        edits = found.sure if self.diff or self.fix else ()
        if self.unsafe:
            edits += _apart(self._chosen(following(record, game, edits[len(spelt) :])), edits) if edits else ()
        if edits and self.writes and not self.texts and not self.refused:
            self.refused = not (self._has_text(read) and self._may_write())
        if not edits or self.refused or not isinstance(places, Places) or not _is_json(places):
            return Mended(read, (), found)
        text = spliced(places.text, edits)
        after = reading(text.encode(), read.path, places.line)
        if after.record is None or not _same(plain(after.record), applied(plain(record), edits[len(spelt) :])):
            raise AssertionError("a text that was mended does not say what it should")
        if self.writes:
            self.texts[places.line] = (places.text, text)
            return Mended(read._replace(reading=after), edits, found)
        self.would_change = True  # places are those of the file, which stays as it is
        return Mended(read._replace(reading=Reading(after.record, after.findings, places)), edits, found)

    def _chosen(self, edits: tuple[Edit, ...]) -> tuple[Edit, ...]:
        return tuple(edit for edit in edits if self._is_chosen(edit.code))

    def _wanted(self, group: RepairGroup) -> bool:
        return all(self._is_chosen(finding.code) for finding in group.findings)

    def _is_chosen(self, code: str) -> bool:
        return (not self.select or code.startswith(self.select)) and not code.startswith(self.ignore)

    def _has_text(self, read: Read) -> bool:
        """Whether a file is of a kind that is written; says so if not."""
        packed = read.path.lower().endswith((".gz", ".xz"))
        if _is_json(read.reading.locate) and not packed:
            return True
        return self._complain(read.path, "only JSON and JSON Lines that are not packed are written")

    def _may_write(self) -> bool:
        """Whether the file can be written; says why not."""
        why = hindrance(Path(self.path))
        return why is None or self._complain(self.path, why)

    def _complain(self, path: str, why: str) -> bool:
        complain(path, why)
        self.trouble = True
        return False

    def finish(self) -> None:
        """Write the file whose records have all been seen, if anything in it was mended."""
        texts, self.texts = self.texts, {}
        if not texts:
            return
        path = Path(self.path)
        try:
            was = path.read_bytes()
            new = _rewritten(was, texts)
            if new is None:
                self._complain(self.path, "it has changed since it was read; nothing was written")
                return
            orig = replaced(path, new, was)
        except (OSError, UnicodeDecodeError) as error:
            self._complain(self.path, f"{reason(error)}; nothing was written")
            return
        print(f"mended {safe(self.path, 300)}; as it was: {safe(str(orig), 300)}", file=sys.stderr)


def _origs(path: Path) -> Iterator[Path]:
    """The names under which a file may stay as it was, the first first."""
    yield path.with_name(path.name + ORIG)
    if _was_mended(path):
        yield from (path.with_name(f"{path.name}{ORIG}.{number}") for number in count(2))


def _was_mended(path: Path) -> bool:
    """Whether a file lists what was mended in it, and so has stood beside an original of its own."""
    return json.dumps(FIXES).encode() in path.read_bytes()


def _free(path: Path) -> Path | None:
    """The first of these names at which nothing stands, or this very file, kept by a run that was killed before it wrote."""
    writing.sweep(path.parent.absolute())
    return next((orig for orig in _origs(path) if not os.path.lexists(orig) or writing.is_kept(path, orig)), None)


def hindrance(path: Path) -> str | None:
    """Why a file cannot be replaced, if it cannot."""
    why = writing.hindrance(path)
    if why is None and _free(path) is None:
        return f"{safe(path.name + ORIG, 300)} is there already, and is not ours; nothing is written"
    return why


def replaced(path: Path, new: str | Iterable[bytes], was: bytes) -> Path:
    """Write a file anew, whole or not at all; gives the name under which it stays as it was.

    OSError if that fails, or if the file is not any more what it `was`.
    """
    orig = _free(path) or path.with_name(path.name + ORIG)
    made = not os.path.lexists(orig)
    if made:
        writing.keep(path, orig)
    try:
        writing.write(path, new, was=was)
    except BaseException:
        if made and writing.is_kept(path, orig):  # nothing was written
            orig.unlink()
        raise
    return orig


def _rewritten(data: bytes, texts: dict[int, tuple[str, str]]) -> str | None:
    """The text of a file with the texts of its records replaced; None if they are not what stands there."""
    mark = "\ufeff" if data.startswith(BOM_UTF8) else ""
    text = data.decode().removeprefix(mark)
    if texts.keys() == {1} and texts[1][0] == text:
        return mark + texts[1][1]
    lines = text.split("\n")
    for line, (before, after) in texts.items():
        if line > len(lines) or lines[line - 1] != before:
            return None
        lines[line - 1] = after
    return mark + "\n".join(lines)


def _apart(more: Iterable[Edit], edits: Sequence[Edit]) -> tuple[Edit, ...]:
    """Those of some edits that write nothing anew of which a part is mended: a text takes one of the two, and then the other."""
    return tuple(edit for edit in more if not any(part.pointer.startswith(f"{edit.pointer}/") for part in edits))


def _same(after: Any, due: Any) -> bool:
    """Whether two records differ in nothing but the list of what was mended."""

    def rest(data: Any) -> Any:
        kept = {key: value for key, value in data.get("extensions", {}).items() if not key.startswith(FIXES)}
        return {**data, "extensions": kept}

    return bool(rest(after) == rest(due))


def _is_json(places: object) -> bool:
    """Whether places are those of a JSON text, in which values can be replaced."""
    return isinstance(places, Places) and places.text.lstrip("\ufeff \t\r\n").startswith("{")
