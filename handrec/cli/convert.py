"""`handrec convert`: records from one format into another; what that does not hold is said before anything is written."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path, PurePath
from tempfile import SpooledTemporaryFile
from typing import Any

from handrec import formats, games, writing
from handrec.cli.common import Inputs, Read, emit, finding_line, game_called, judged, options_of, writable
from handrec.cli.errors import CommandError, naming_file, unknown
from handrec.cli.folder import put_each, ready
from handrec.cli.inputs import is_
from handrec.cli.progress import Progress
from handrec.convert import PACKERS, Presentation, joined, packed, target, targets, written
from handrec.formats import Format, Reading, Unwritable, sheet
from handrec.game import compose
from handrec.report import losses as loss_report
from handrec.report.json import compact
from handrec.report.layout import counted
from handrec.report.safe import safe

#: What goes to standard output is held back until all of it is there: so much of it in memory.
HELD = 2**20

#: Of so many records it is told one by one what is lost; of all, by kind.
TOLD = 20


@dataclass
class ConvertOptions:
    """What the command was asked for, as its help says it."""

    output: str | None
    from_: str | None
    to: str | None
    lossy: bool
    report: str | None
    game: str | None
    option: list[str] | None
    no_progress: bool


class _Refused(Exception):
    """Nothing is to be written: the reason has been said."""


def run(paths: list[str], **given: Any) -> int:
    """Convert, as `ConvertOptions` are given; returns 1 if nothing was written: something would be lost, or was no record."""
    options = ConvertOptions(**given)
    output, report = options.output, None if options.report == "-" else options.report
    folder = None if output is None or not _is_folder(output) else Path(output)
    kind = _target(None if folder else output, options.to, folder)
    _ready(kind, output, report, options.report is not None, folder)
    inputs = Inputs(paths, options.from_, read=partial(_read, **_unsaid(options)))
    shown = not options.no_progress and sys.stderr.isatty()
    progress = Progress(sys.stderr if shown else None, done="converted")
    work = _Work(kind, inputs, options.lossy, options.report is None, one=folder is None)
    made, files = work.made(progress.follow(inputs)), 0
    try:
        if folder is None:
            _put((text for _, text in made), output, kind)
        else:
            files = put_each(made, folder, kind, paths)
    except _Refused:
        pass
    except formats.Missing as error:
        raise CommandError(str(error)) from None
    finally:
        progress.clear()
    if output is not None and not work.refused:
        print(f"wrote {safe(output, 300)}" + (f" ({counted(files, 'file')})" if folder else ""), file=sys.stderr)
    if options.report is not None:
        outcome = {"written": not work.refused, "losses": work.losses}
        document = {"format": kind.key, "view": isinstance(kind, Presentation), **outcome}
        emit([compact(document) + "\n"], report)
    if not inputs.count and not inputs.trouble:
        raise CommandError("there was no record to convert")
    return inputs.code(work.refused)


def _is_folder(output: str) -> bool:
    """Whether a folder is meant, in which each file becomes one of its name: it is there, or its name ends in a slash."""
    return output.endswith(("/", os.sep)) or is_("is_dir", output)


def _target(output: str | None, to: str | None, folder: Path | None) -> Format | Presentation:
    known = targets()
    if to is not None:
        if to not in known:
            raise unknown("format to convert to called", to, known, f"; there are {', '.join(known)}")
        return known[to]
    kind = target(output) if output else None
    if kind is None:
        where = f"the name {safe(output, 300)} does not tell the format" if output else "standard output has no name"
        where = "a folder does not tell the format" if folder else where
        fitting = known if output or folder else [key for key, each in known.items() if each.write is not None]
        raise CommandError(f"{where}: say which with --to ({', '.join(fitting)})")
    return kind


def _ready(kind: Format | Presentation, output: str | None, report: str | None, reports: bool, folder: Path | None) -> None:
    """Say before the work what would hinder it after."""
    if folder is not None:
        ready(folder)
        output = None if report is None else output
    if output is None and folder is None and isinstance(kind, Format) and kind.pack:
        raise CommandError(f"{kind.key} is no text: name a file with -o")
    if output is not None and kind.key != "jsonl" and PurePath(output).suffix.lower() in PACKERS:
        raise CommandError(f"{safe(output, 300)}: only jsonl is packed, {kind.key} is not")
    for name in filter(None, (None if folder else output, report)):
        writable(name)
    if reports and len({name and os.path.realpath(name) for name in (output, report)}) == 1:
        raise CommandError("the records and the report of what is lost cannot go to the same place")


def _unsaid(options: ConvertOptions) -> dict[str, Any]:
    """The game and options of sheets that do not say."""
    if options.game is None:
        if options.option:
            raise CommandError("--option goes with --game GAME")
        return {"game": None, "options": {}}
    game = game_called(options.game)
    return {"game": game.key, "options": options_of(game, options.option or [])}


def _read(data: bytes, name: str, format: str | None, game: str | None, options: dict[str, Any]) -> Iterator[Reading]:
    kind = formats.chosen(data, name, format)
    return sheet.read(data, name, game, options) if kind.key in ("csv", "tsv") else kind.read(data, name)


@dataclass
class _Work:
    """The records on their way.

    `losses` are what is lost as data, if a report of it is asked for; `words` in words, unless one is; `lost` by kind, in so many
    records (`lossy_records`); `unheld` are records that the format cannot hold. `one` if all go to one file. `refused` if nothing
    may be written. `deals` have been written so far, by the file that becomes one, "" where all do.
    """

    kind: Format | Presentation
    inputs: Inputs
    lossy: bool
    aloud: bool
    one: bool = True
    losses: list[dict[str, Any]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    lost: Counter[str] = field(default_factory=Counter)
    deals: Counter[str] = field(default_factory=Counter)
    lossy_records: int = 0
    unheld: int = 0
    refused: bool = False

    def made(self, reads: Iterator[Read]) -> Iterator[tuple[Read, Any]]:
        """What was read, with its text in the format, or the record as it is if the format packs records itself.

        Raises `_Refused` at the end if one of them may not be written.
        """
        count = unread = 0
        for read in reads:
            sys.stderr.writelines(map(finding_line, map(read.reading.placed, read.reading.findings)))
            if read.reading.record is None:
                unread += 1
                continue
            count += 1
            if count > 1 and self.one and not self.kind.many:
                raise CommandError(f"{self.kind.key} holds one record, and there are more: name a .jsonl file, which holds many")
            text = self.view(read) if isinstance(self.kind, Presentation) else self.record(read, self.kind)
            if text is None:
                self.refused = True
            elif not self.refused:
                yield read, text
        sys.stderr.writelines(self.words)
        if self.lossy_records > 1:
            kinds = ", ".join(f"{many:,} × {what}" for what, many in self.lost.most_common())
            self.say(f"{self.kind.key} does not hold, in {self.lossy_records:,} of {count:,} records: {safe(kinds, 1000)}")
        if self.unheld > TOLD:
            self.say(f"not written: {self.kind.key} cannot hold {self.unheld:,} of {count:,} records")
        if unread:
            records = "1 record" if unread == 1 else f"{unread:,} records"
            self.say(f"not written: {records} of the input could not be read")
        if isinstance(self.kind, Presentation) and count and not self.refused:
            self.say(f"{self.kind.key} is for reading only: it cannot be converted back")
        if self.lossy_records and not self.lossy:
            self.say("not written: that would be lost (--allow-lossy writes the rest)")
        if unread or self.refused or self.inputs.trouble or not count:
            self.refused = True
            raise _Refused

    def record(self, read: Read, kind: Format) -> Any:
        """The text of a record, None if it may not be written: that, and what is lost, is said."""
        record = read.reading.record
        assert record is not None
        if kind.pack:  # it looks itself whether records come back unchanged
            return record
        try:
            place = "" if self.one else read.path
            text, rows = written(record, kind, games.find, self.deals[place])
            self.deals[place] += len(record.deals)
        except Unwritable as error:
            self.unheld += 1
            if self.unheld <= TOLD:
                self.say(f"not written: {kind.key} cannot hold {safe(read.name)}: {safe(error, 300)}")
            return None
        if not rows:
            return text
        self.lossy_records += 1
        self.lost.update(row.what for row in rows)
        if not self.aloud:
            self.losses += loss_report.data(read.name, rows)
        if self.lossy_records <= TOLD:
            things = "1 thing" if len(rows) == 1 else f"{len(rows):,} things"
            self.words.append(f"handrec: {safe(read.name)}: {kind.key} does not hold {things}" + (":\n" if self.aloud else "\n"))
            self.words += loss_report.text(rows) if self.aloud else ()
        return text if self.lossy else None

    def view(self, read: Read) -> str | None:
        """The record as it is shown, None if it cannot be replayed."""
        assert isinstance(self.kind, Presentation)
        verdict, record = judged(read, readings=True), read.reading.record
        game = games.find(record.game) if record else None
        if record is None or game is None or len(verdict.deals) != len(record.deals):
            sys.stderr.writelines(finding_line(finding) for finding in verdict.findings[len(read.reading.findings) :])
            self.say(f"not written: {safe(read.name)} cannot be replayed")
            return None
        return self.kind.write(record.id or Path(read.path).name, record, verdict, compose(game, record.options)[0])

    def say(self, words: str) -> None:
        """Say what becomes of the records."""
        print(f"handrec: {words}", file=sys.stderr)


def _put(texts: Iterator[Any], output: str | None, kind: Format | Presentation) -> None:
    """Write all texts, or none if they do not come to their end."""
    if output is None:
        with SpooledTemporaryFile(HELD, "w+", encoding="utf-8", newline="") as held:
            held.writelines(joined(texts, kind))
            held.seek(0)
            shutil.copyfileobj(held, sys.stdout)
        return
    with naming_file(output):
        parts = kind.pack(texts) if isinstance(kind, Format) and kind.pack else packed(joined(texts, kind), output)
        writing.write(Path(output), parts, clobber=False)
