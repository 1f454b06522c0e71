"""The file of a game that is being taken down: written whole after each line, and only while it is what was last written."""

from __future__ import annotations

from pathlib import Path

from handrec import formats, games, writing
from handrec.cli.common import writable
from handrec.cli.errors import CommandError, reason
from handrec.cli.mend import hindrance, replaced
from handrec.convert import Unwritable, target, written
from handrec.formats import Format
from handrec.record import Record
from handrec.report.safe import safe

#: Formats that hold all of any record, so that what was written need not be read again to see that nothing is lost.
WHOLE = ("hrt", "json", "jsonl")


class NotSaved(Exception):
    """What has been typed is not in the file; the text says why."""


class GameFile:
    """A file that holds one game, and what was last read from it or written to it; None if it is still to be made."""

    def __init__(self, name: str) -> None:
        """A file of a format that can be written and read. Raises `CommandError` if there is none for its name."""
        self.name, self.path = name, Path(name)
        kind = target(name)
        if not isinstance(kind, Format) or kind.write is None:
            raise CommandError(f"{safe(name, 300)}: a game is taken down in NAME.hrt (or .json)")
        self.kind: Format = kind
        self.was: bytes | None = None
        self.ours = True  # whether it holds nothing but what we would write

    def read(self) -> Record | None:
        """The game in the file; None if there is no file. Raises `CommandError` if it holds anything else."""
        if not self.path.exists():
            writable(self.name)
            return None
        if why := writing.hindrance(self.path):
            raise CommandError(f"{safe(self.name, 300)}: {why}")
        try:
            data = self.path.read_bytes()
        except OSError as error:
            raise CommandError(f"{safe(self.name, 300)}: {reason(error)}") from None
        readings = list(formats.read(data, self.name))
        record = readings[0].record if len(readings) == 1 else None
        if record is None:
            found = [reading.placed(finding).message for reading in readings for finding in reading.findings]
            why = f"it holds {len(readings)} records" if len(readings) > 1 else found[0] if found else "it holds no record"
            raise CommandError(f"{safe(self.name, 300)}: no game to go on with ({safe(why, 300)}); nothing was written")
        try:
            self.was, self.ours = data, self._text(record).encode() == data
        except NotSaved as error:
            raise CommandError(f"{safe(self.name, 300)}: {error}") from None
        if not self.ours and (why := hindrance(self.path)):
            raise CommandError(f"{safe(self.name, 300)}: {why}")
        return record

    def save(self, record: Record) -> str:
        """Write the game; gives the name under which a file that was typed otherwise stays, if any. Raises `NotSaved`."""
        try:
            text = self._text(record)
            kept = ""
            if text.encode() == self.was:
                return ""
            if self.was is not None and not self.ours:
                kept = str(replaced(self.path, text, self.was))
            else:
                writing.write(self.path, text, clobber=self.was is not None, was=self.was)
        except FileExistsError:
            raise NotSaved(f"{safe(self.name, 300)} is there already, and is not overwritten") from None
        except OSError as error:
            raise NotSaved(f"{safe(self.name, 300)} was not written: {reason(error)}") from None
        self.was, self.ours = text.encode(), True
        return kept

    def _text(self, record: Record) -> str:
        if self.kind.key in WHOLE and self.kind.write is not None:
            return self.kind.write(record)
        try:
            text, lost = written(record, self.kind, games.find)
        except Unwritable as error:
            raise NotSaved(f"{self.kind.key} cannot hold this game: {safe(error, 300)}") from None
        if lost:
            raise NotSaved(f"{self.kind.key} does not hold all of this game ({safe(lost[0].what)}); it was not written")
        return text
