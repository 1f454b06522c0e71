"""`handrec audit`: very many records judged by many workers, and what was found summed up."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, redirect_stderr
from dataclasses import dataclass, replace
from io import StringIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryFile
from time import monotonic
from typing import Any, TextIO

from handrec import __version__, audit, formats, writing
from handrec.audit.engines import Engine
from handrec.audit.journal import identity
from handrec.cli.commands.options import AuditFormat, By, EngineName, FailOn
from handrec.cli.common import Inputs, check_format, complain, emit, judged, writable
from handrec.cli.errors import CommandError, naming_file, reason
from handrec.cli.inputs import sources
from handrec.cli.progress import PAUSE, Progress
from handrec.report import Checked
from handrec.report import audit as report
from handrec.report.layout import counted
from handrec.report.safe import safe

#: What --out writes, by the end of its name; all else is the report in one of its formats.
OUT = {".jsonl": "jsonl", ".parquet": "parquet", ".html": "html", ".md": "markdown", ".json": "json", ".txt": "text"}

#: What the store is called where it finds no room.
TEMPORARY = "the temporary database of the audit"


@dataclass(frozen=True)
class AuditOptions:
    """What the command was asked for, as its help says it."""

    format: AuditFormat
    out: str | None
    db: str | None
    by: By | None
    top: int
    jobs: int | None
    engine: EngineName
    scheduler: str | None
    resume: str | None
    no_sieve: bool
    fail_on: FailOn
    from_: str | None
    allow_empty: bool
    no_progress: bool
    quiet: bool
    settings: tuple[str, ...]


def run(paths: list[str], **given: Any) -> int:
    """Audit, as `AuditOptions` are given; returns the exit code."""
    options = AuditOptions(**given)
    started = monotonic()
    _ready(options)
    troubles: list[str] = []

    def trouble(name: str, why: str) -> None:
        troubles.append(name)
        complain(name, why)

    inputs = list(_inputs(paths, options, trouble))
    with closing(audit.Store()) as store:
        _fill(store, inputs, options, trouble)
        if store.claims:
            _compare(store, [path for path in paths if "://" not in path], options)
        with naming_file(TEMPORARY):
            store.finish()
            found = replace(store.audit(options.by, options.top), settings=options.settings)
        return _reported(store, found, options, troubles, monotonic() - started)


def _fill(store: audit.Store, inputs: list[audit.Input], options: AuditOptions, trouble: Callable[[str, str], None]) -> None:
    """Have everything judged, and put what comes of it into the store."""
    progress = _Bar(sum(each.size for each in inputs), sys.stderr) if not options.no_progress and sys.stderr.isatty() else None
    with ExitStack() as stack:
        if progress:
            stack.callback(progress.clear)
        if hasattr(signal, "SIGPIPE"):  # a worker that dies must not take us along
            stack.callback(signal.signal, signal.SIGPIPE, signal.signal(signal.SIGPIPE, signal.SIG_IGN))
        try:
            for chunk, result in _results(inputs, options, trouble, stack):
                with naming_file(TEMPORARY):
                    store.add(result)
                if progress:
                    progress.tell(chunk.done, store.totals["records"])
        except formats.Missing as error:
            raise CommandError(str(error)) from None


def _compare(store: audit.Store, paths: list[str], options: AuditOptions) -> None:
    """Compare what tables of one board have together, as `check` does: read all again, and put what is found into the store."""
    from handrec.cli.matched import Matched

    matched, result = Matched("-" not in paths), audit.nothing()
    with redirect_stderr(StringIO()):  # what is the matter with a file has been told
        for read in (again := Inputs(paths, options.from_, allow_empty=True)):
            verdict = judged(read, again)
            matched.add(read, verdict, Checked(read.name, read.path, verdict))
        for one in matched.checked(Inputs(paths, options.from_, allow_empty=True)):
            clean = one.was is not None and one.was.ok
            audit.put_besides(result, one.path, one.name, one.verdict.game or "", clean, one.verdict.findings)
    with naming_file(TEMPORARY):
        store.add(result)


def _ready(options: AuditOptions) -> None:
    """Say before the work what would hinder it after."""
    check_format(options.from_)
    if options.scheduler and options.engine != "dask":
        raise CommandError("--scheduler goes with --engine dask")
    for name in filter(None, (options.out, options.db)):
        writable(name)
    if options.out and Path(options.out).suffix not in OUT:
        raise CommandError(f"the name {safe(options.out, 300)} does not tell the format: it can end in {', '.join(OUT)}")
    if options.out and options.out.endswith(".parquet"):
        try:
            import pyarrow  # noqa: F401
        except ImportError:
            raise CommandError("a Parquet file needs pyarrow: pip install 'handrec[archive]'") from None


def _inputs(paths: list[str], options: AuditOptions, trouble: Callable[[str, str], None]) -> Iterator[audit.Input]:
    for source in sources(paths, whole=False, remote=True):
        if source.trouble is None:
            yield audit.Input(source.name, source.path, source.data, options.from_, source.url)
        elif not (source.empty and options.allow_empty):
            trouble(source.name, source.trouble)


def _results(
    inputs: list[audit.Input], options: AuditOptions, trouble: Callable[[str, str], None], stack: ExitStack
) -> Iterator[tuple[audit.Chunk, audit.Result]]:
    """What comes of every chunk, in order: first of those that a journal has, then of the others, each journalled."""
    chunks = audit.chunks(inputs, trouble)
    journal = None
    if options.resume is not None:
        try:
            journal = audit.Journal(Path(options.resume), identity(inputs, __version__))
            stack.callback(journal.close)
            for result in journal.results():
                yield next(chunks), result
        except (audit.Unusable, StopIteration) as error:
            raise CommandError(f"{safe(options.resume, 300)}: {error or 'it is not the state of this audit'}") from None
        except OSError as error:
            raise CommandError(f"{safe(options.resume, 300)}: {reason(error)}") from None
    head = list(islice(chunks, 1))
    if not head:
        return
    engine = _engine(options)
    stack.callback(engine.close)

    def all_of_them() -> Iterator[audit.Chunk]:
        yield from head
        yield from chunks

    for chunk, result in audit.run(all_of_them(), engine):
        if journal:
            with naming_file(options.resume):
                journal.put(result)
        yield chunk, result


def _engine(options: AuditOptions) -> Engine:
    jobs = options.jobs or len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1))
    if options.engine == "processes":
        return audit.Local(jobs, not options.no_sieve)
    try:
        return audit.Dask(options.scheduler, jobs, not options.no_sieve)
    except ModuleNotFoundError:
        raise CommandError("--engine dask needs Dask: pip install 'handrec[dask]'") from None
    except OSError as error:
        where = safe(options.scheduler or "the cluster of this machine", 300)
        raise CommandError(f"no Dask scheduler answers at {where} ({safe(error, 100)})") from None


def _reported(store: audit.Store, found: report.Audit, options: AuditOptions, troubles: list[str], seconds: float) -> int:
    """Report; returns the exit code."""
    totals = store.totals
    if not totals["records"] and not troubles and not options.allow_empty:
        raise CommandError("there was no record to audit (--allow-empty makes that no error)")
    if options.db:
        _put(options.db, store.keep)
    if options.out:
        _put(options.out, lambda path: _write(path, store, found))
    if not options.quiet:
        emit(report.FORMATS[options.format](found), None)
        sys.stdout.flush()
        if totals["records"]:
            rate = totals["records"] / max(seconds, 1e-3)
            print(f"{counted(totals['records'], 'record')} in {seconds:,.1f} s, {rate:,.0f} a second", file=sys.stderr)
    if store.crashed:
        return 3
    if troubles or (totals["records"] and not store.judged):
        return 2
    weights = {"error": ("errors",), "warning": ("errors", "warnings"), "never": ()}[options.fail_on]
    return int(any(totals[weight] for weight in weights))


def _put(name: str, write: Callable[[Path], Any]) -> None:
    """Write a file that is not there yet, and say so."""
    with naming_file(name):
        write(Path(name))
    print(f"wrote {safe(name, 300)}", file=sys.stderr)


def _write(path: Path, store: audit.Store, found: report.Audit) -> None:
    kind = OUT[path.suffix]
    if kind == "parquet":
        with TemporaryFile() as file:
            report.parquet(store.findings(), file)
            file.seek(0)
            writing.write(path, iter(lambda: file.read(2**20), b""), clobber=False)
    elif kind == "jsonl":
        writing.write(path, report.jsonl(store.findings()), clobber=False)
    else:
        writing.write(path, (piece.encode() for piece in report.FORMATS[kind](found)), clobber=False)


class _Bar(Progress):
    """How many records are judged, how fast, and how long the rest may take."""

    def __init__(self, size: int, stream: TextIO, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(stream, clock)
        self.size, self.began = size, self.clock()
        self.first: tuple[int, int] | None = None

    def tell(self, done: int, records: int) -> None:
        """So many bytes and records are done."""
        now = self.clock()
        if self.first is None:  # what a journal had is no measure of the rate
            self.first, self.began = (done, records), now
        elif now >= self.next and now > self.began:
            self.next = now + PAUSE
            rate = (records - self.first[1]) / (now - self.began)
            left = (self.size - done) * (now - self.began) / max(1, done - self.first[0])
            self._show(f"{records:,} records, {rate:,.0f} a second, about {_time(left)} left …")


def _time(seconds: float) -> str:
    minutes, seconds = divmod(int(seconds) + 1, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {seconds} s" if minutes else f"{seconds} s"
