"""What the commands share: reading and refereeing inputs, writing results, deciding on colour."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from handrec import formats, games, referee
from handrec.cli.inputs import sources
from handrec.findings import Finding, Verdict
from handrec.formats import Reading
from handrec.report.safe import safe


class Trouble(Exception):
    """The command cannot do what it was asked: said in one line, exit code 2."""


@dataclass
class Read:
    """One record that was read: where from, which one of the file, and what came of it."""

    path: str
    place: int
    reading: Reading

    @property
    def name(self) -> str:
        """The record's id, or its file and place in it."""
        record = self.reading.record
        return (record.id if record and record.id else None) or f"{self.path}#{self.place}"


@dataclass
class Inputs:
    """The records in the inputs; whether any was unreadable shows when all have been read."""

    paths: list[str]
    format: str | None = None
    stdin_name: str = "<stdin>"
    trouble: bool = False
    count: int = 0

    def __iter__(self) -> Iterator[Read]:
        known = [kind.key for kind in formats.formats()]
        if self.format is not None and self.format not in known:
            raise Trouble(f"no format {safe(self.format)} is known; there are {', '.join(known)}")
        for source in sources(self.paths, self.stdin_name):
            if source.trouble is not None:
                print(f"handrec: {safe(source.name, 300)}: {source.trouble}", file=sys.stderr)
                self.trouble = True
                continue
            for place, reading in enumerate(formats.read(source.data, source.name, self.format), 1):
                self.count += 1
                yield Read(source.name, place, reading)


def judged(read: Read) -> Verdict:
    """The referee's verdict on a record that was read, every finding with its place in the file."""
    record = read.reading.record
    verdict = referee.unreadable(read.reading.findings) if record is None else referee.check(record, games.find)
    if record is not None and read.reading.findings:
        verdict = referee.with_form(verdict, read.reading.findings)
    return replace(verdict, findings=tuple(map(read.reading.placed, verdict.findings)))


def chosen(findings: Iterable[Finding], select: str, ignore: str) -> tuple[Finding, ...]:
    """The findings whose codes begin as selected, without those ignored."""
    wanted, unwanted = (tuple(part.strip() for part in text.split(",") if part.strip()) for text in (select, ignore))
    return tuple(
        finding
        for finding in findings
        if (not wanted or finding.code.startswith(wanted)) and not (unwanted and finding.code.startswith(unwanted))
    )


def in_colour(choice: str, stream: IO[str]) -> bool:
    """Whether to colour: the option, then NO_COLOR, FORCE_COLOR, TERM, and whether the stream is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def emit(chunks: Iterable[str], output: str | None) -> None:
    """Write text to standard output, or whole to a file that does not exist yet."""
    if output is None:
        for chunk in chunks:
            sys.stdout.write(chunk)
        return
    from handrec import writing

    text = "".join(chunks)
    try:
        writing.write(Path(output), text, clobber=False)
    except FileExistsError:
        raise Trouble(f"{safe(output, 300)} exists already; nothing was written") from None
    except OSError as error:
        raise Trouble(f"{safe(output, 300)}: {(error.strerror or str(error)).lower()}") from None
    print(f"wrote {safe(output, 300)}", file=sys.stderr)
