"""What the commands share: reading and refereeing inputs, writing results, deciding on colour."""

from __future__ import annotations

import difflib
import json
import locale
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from handrec import formats, games, referee
from handrec.allowance import Allowance
from handrec.api import JUDGE, checked
from handrec.cli.errors import CommandError, naming_file, reason, unknown
from handrec.cli.inputs import Source, sources
from handrec.findings import DealResult, Finding, Location, Verdict
from handrec.formats import Reading
from handrec.game import Game, Table, compose
from handrec.judging import Judge
from handrec.limits import MAX_FILE, mib
from handrec.record import Record
from handrec.report.layout import NARROWEST, WIDTH
from handrec.report.safe import safe

if TYPE_CHECKING:
    from handrec.cli.lines import Lines
    from handrec.repair import Edit, Repairs


#: What stands for the result of a deal where results are not listed.
NOT_LISTED = DealResult(number=0, cards=0, dealer=None, order=None, bids={}, tricks=None, lines={}, penalties={}, totals=None)


class Read(NamedTuple):
    """One record that was read: where from, which one of the file, and what came of it."""

    path: str
    place: int
    reading: Reading

    @property
    def name(self) -> str:
        """The record's id, or its file and place in it."""
        known = self.reading.record or self.reading.passed
        return (known.id if known and known.id else None) or f"{self.path}#{self.place}"


class Mended(NamedTuple):
    """A record as it is after the edits made to it, or that would be made; `repairs` is None if nothing was looked for."""

    read: Read
    edits: tuple[Edit, ...] = ()
    repairs: Repairs | None = None


@dataclass
class Inputs:
    """The records in the inputs; whether any was unreadable, or could not be replayed, shows when all have been read.

    `judged` counts those of which something could be checked.

    `read` makes records of bytes. Where nobody asks for more than findings, `sift`: records that are judged as they stand are not
    read.
    """

    paths: list[str]
    format: str | None = None
    stdin_name: str = "<stdin>"
    allow_empty: bool = False
    trouble: bool = False
    crashed: bool = False
    unplayable: bool = False
    count: int = 0
    judged: int = 0
    read: Callable[[bytes, str, str | None], Iterator[Reading]] = formats.read
    failures: Counter[str] = field(default_factory=Counter)
    sift: bool = False
    source: Source | None = None
    lines: Lines | None = None

    def __post_init__(self) -> None:
        self.judge, self.allowance = Judge(games.find, failed=self._failed), Allowance()

    def __iter__(self) -> Iterator[Read]:
        check_format(self.format)
        for source in sources(self.paths, self.stdin_name, whole=False):
            if source.empty and self.allow_empty:
                continue
            if source.trouble is not None:
                complain(source.name, source.trouble)
                self.trouble = True
                continue
            self.source, self.lines = source, None
            try:
                place = 1
                for reading in self._readings(source):
                    self.count += reading.many
                    self.judged += reading.judged
                    yield Read(source.name, place, reading)
                    place += reading.many
            except formats.Missing as error:
                raise CommandError(str(error)) from None
            except OSError as error:
                complain(source.name, reason(error))
                self.trouble = True

    def line(self, place: Location) -> str | None:
        """The line of text that a place in the source now read is in; None where it is in none."""
        if self.lines is None and self.source is not None:
            from handrec.cli.lines import Lines

            self.lines = Lines(self.source)
        return None if self.lines is None else self.lines(place)

    def code(self, failed: bool) -> int:
        """The exit code: 2 where an input could not be read, or none could be checked, else 1 for what `failed`."""
        return 2 if self.trouble or (self.count and not self.judged) else int(failed)

    def replayed(self) -> Iterator[tuple[Record, Verdict, list[Table]]]:
        """The records that can be replayed, with their verdicts and tables; of others, what is wrong is said and noted."""
        for read in self:
            verdict, record = judged(read), read.reading.record
            game = games.find(record.game) if record else None
            if record is None or game is None or not (verdict.deals or not record.deals):
                self.unplayable = True
                sys.stderr.writelines(map(finding_line, verdict.findings))
            else:
                yield record, verdict, referee.replay(record, compose(game, record.options)[0], trace=True)

    def checked(self, record: Record, readings: bool) -> Verdict:
        """The verdict on a record, with other readings if wanted; a fast way that fails is counted, and found the first time."""
        before = len(self.failures)
        verdict = _verdict(record, self.judge, readings, self.allowance)
        if len(self.failures) == before:
            return verdict
        new = [Finding(referee.FORM["INT002"], {"way": way}) for way in [*self.failures][before:]]
        return referee.with_form(verdict, tuple(new))

    def _failed(self, way: str, error: Exception) -> None:
        self.failures[f"{way}: {type(error).__name__}"] += 1

    def _readings(self, source: Source) -> Iterator[Reading]:
        """What a source reads as: as it comes where its format can be read so, else whole."""
        if source.path is None:
            yield from self.read(source.data, source.name, self.format)
            return
        with source.path.open("rb") as file:
            head = file.read(4096)
            file.seek(0)
            kind = formats.chosen(head, source.name, self.format)
            if kind.sift is not None and self.sift:
                yield from kind.sift(file, source.name, self._failed)
            elif kind.follow is not None:
                yield from kind.follow(file, source.name)
            elif source.path.stat().st_size > MAX_FILE:
                raise OSError(f"it is larger than {mib(MAX_FILE)}")
            else:
                yield from self.read(file.read(), source.name, self.format)


def check_format(name: str | None) -> None:
    """See that there is a format of this name, if one is named."""
    if name is not None and name not in formats.SUFFIXES:
        raise unknown("format", name, formats.SUFFIXES, f"; there are {', '.join(formats.SUFFIXES)}")


def complain(name: str, what: str) -> None:
    """Say on standard error what is the matter with a file."""
    print(f"handrec: {safe(name, 300)}: {what}", file=sys.stderr)


def finding_line(finding: Finding) -> str:
    """A finding with its place in the file, for what could not be made out as a record."""
    return f"{safe(finding.location, 300)}: {finding.code} {safe(finding.message, 300)}\n"


def judged(read: Read, inputs: Inputs | None = None, readings: bool = False) -> Verdict:
    """The verdict on a record that was read, every finding with its place, and if wanted with other `readings`.

    With `inputs`, a fault of our own becomes the finding INT001 and is noted there, so that the next record has its turn; of a
    fast way that fails again and again, INT002 is found once.
    """
    record, passed = read.reading.record, read.reading.passed
    if passed is not None:
        return Verdict(passed.id, passed.game, {}, passed.levels, (), (NOT_LISTED,) * passed.deals, None, None)
    if record is None:
        verdict = referee.unreadable(read.reading.findings)
    else:
        try:
            verdict = _verdict(record, JUDGE, readings) if inputs is None else inputs.checked(record, readings)
        except Exception as error:  # a record on which we fail must not hide those after it, nor pass
            if inputs is None or os.environ.get("HANDREC_DEBUG"):
                raise
            inputs.crashed = True
            why = f"{type(error).__name__} in record {read.name}"
            verdict = referee.unreadable((Finding(referee.FORM["INT001"], {"why": why}),))
    if record is not None and read.reading.findings:
        verdict = referee.with_form(verdict, read.reading.findings)
    return verdict._replace(findings=tuple(map(read.reading.placed, verdict.findings))) if verdict.findings else verdict


def _verdict(record: Record, judge: Judge, readings: bool, allowance: Allowance | None = None) -> Verdict:
    if readings:
        return checked(record, judge, allowance)
    from handrec import explanations  # most records have nothing to explain

    return explanations.check(record, judge, allowance)


def chosen(findings: Iterable[Finding], select: tuple[str, ...], ignore: tuple[str, ...]) -> tuple[Finding, ...]:
    """The findings whose codes begin as selected (all, if nothing is), without those ignored.

    What follows from a slip that is not among them counts by itself.
    """
    found = [
        finding for finding in findings if (not select or finding.code.startswith(select)) and not finding.code.startswith(ignore)
    ]
    there: set[tuple[str, str] | None] = {None, *((finding.code, finding.pointer) for finding in found)}
    return tuple(finding if finding.because in there else finding._replace(because=None) for finding in found)


def game_called(name: str) -> Game:
    """The game of a name that the user gave."""
    game = games.find(name)
    if game is None:
        raise unknown("game", name, games.names(), f"; there are {', '.join(games.names())}")
    return game


def options_of(game: Game, texts: list[str]) -> dict[str, Any]:
    """Options given as NAME=VALUE, the value as JSON where it is JSON, else as a word; one that the game has not is trouble."""
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise CommandError(f"an option is given as NAME=VALUE, not {safe(text)}")
        if name in options:
            raise CommandError(f"option {safe(name)} is given twice")
        try:
            options[name] = json.loads(value)
        except (ValueError, RecursionError):
            options[name] = value
    for code, facts in compose(game, options)[1]:
        if code == "FMT009":
            known = facts["known"]
            raise unknown(f"option of {game.key} called", facts["option"], known, f" (it has: {', '.join(known) or 'none'})")
        raise CommandError(safe(Finding(referee.FORM[code], facts).message, 300))
    return options


def in_colour(choice: str, stream: IO[str]) -> bool:
    """Whether to colour: the option, then NO_COLOR, FORCE_COLOR, TERM, and whether the stream is a terminal."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return os.environ.get("TERM") != "dumb" and stream.isatty()


def shows_signs(stream: IO[str]) -> bool:
    """Whether suits can be shown as signs: not on a terminal whose letters are not Unicode's."""
    try:
        "♠♥♦♣".encode(locale.getencoding() if stream.isatty() else "utf-8")
    except (LookupError, UnicodeEncodeError):
        return False
    return True


def width(stream: IO[str]) -> int:
    """How many columns a line has: as many as the terminal, if these are fewer than usual."""
    try:
        shown = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else WIDTH
    except OSError:
        shown = WIDTH
    return max(NARROWEST, min(shown or WIDTH, WIDTH))


def writable(output: str) -> None:
    """See that a file can be written: said before the work, which may write as well, not after it."""
    if output == "-":
        raise CommandError("- is standard output, and this needs a file")
    from handrec import writing

    writing.sweep(Path(output).parent.absolute())
    if os.path.lexists(output):
        there = " exists already; nothing was written" if Path(output).exists() else ": will not write through a symbolic link"
        raise CommandError(f"{safe(output, 300)}{there}")
    for mode, why in ((os.F_OK, "no such file or directory"), (os.W_OK, "permission denied")):
        if not os.access(f"{Path(output).parent}/.", mode):
            raise CommandError(f"{safe(output, 300)}: {why}")


def emit(chunks: Iterable[str], output: str | None) -> None:
    """Write text to standard output, or whole to a file that does not exist yet."""
    if output is None:
        for chunk in chunks:
            sys.stdout.write(chunk)
        return
    from handrec import writing

    writable(output)
    text = "".join(chunks)
    with naming_file(output):
        writing.write(Path(output), text, clobber=False)
    print(f"wrote {safe(output, 300)}", file=sys.stderr)


def as_list(documents: Iterable[str]) -> Iterator[str]:
    """JSON documents as one: a list, an element to a line."""
    yield "["
    for place, document in enumerate(documents):
        yield (",\n" if place else "\n") + document.rstrip("\n")
    yield "\n]\n"


def differences(name: str, old: str, new: str) -> Iterator[str]:
    """The lines in which a file would change."""
    lines = difflib.unified_diff(old.splitlines(), new.splitlines(), name, name, lineterm="")
    return (safe(line, 400) + "\n" for line in lines)


def is_another(source: Source) -> bool:
    """Whether a file that was found in a directory is of another format than JSON, or a JSON document that is no record."""
    if not source.found or source.trouble is not None:
        return False
    if not source.name.lower().endswith((".json", ".jsonl")):
        return True
    try:
        document = json.loads(source.data)
    except (ValueError, RecursionError):  # lines of records, or a record in which something is wrong
        return False
    return not isinstance(document, dict) or not isinstance(document.get("format"), str)


def not_json(source: Source, done: str) -> str | None:
    """Why a file cannot be written anew whatever is in it, if it cannot; `done` is what would be done to it."""
    from handrec.formats.jsonl import GZIP, XZ

    kind = formats.format_of(source.name, source.data).key
    if kind == formats.UTF16:
        from handrec.formats import utf16

        return utf16.WHY
    packed = source.name.lower().endswith((".gz", ".xz")) or source.data.startswith((GZIP, XZ))
    return None if kind in ("json", "jsonl") and not packed else f"only JSON and JSON Lines that are not packed are {done}"
