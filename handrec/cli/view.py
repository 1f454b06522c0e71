"""`handrec view`: one record, or two beside each other, as a page for the browser."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

from handrec import games, writing
from handrec.api import check
from handrec.cli.common import Inputs, Read, complain, emit, finding_line, judged, writable
from handrec.cli.errors import CommandError, naming_file
from handrec.cli.inputs import SUFFIXES, is_
from handrec.explanations.search import BUDGET
from handrec.explanations.weighed import Weighing
from handrec.findings import Verdict
from handrec.formats import Unwritable
from handrec.game import compose
from handrec.report.safe import safe
from handrec.view import ShownRecord, is_page, page
from handrec.view.anonymous import anonymous

#: How long a watched file is left alone before it is looked at again, in seconds.
PACE = 0.5
#: What a page says while the file it shows cannot be shown.
WAITING = "As it stands now the file cannot be shown; below is what could be shown last."


def run(
    files: list[str],
    output: str | None,
    record: int | None = None,
    open_: bool = False,
    watch: bool = False,
    anonymise: bool = False,
    lin_url: bool = False,
    from_: str | None = None,
    start: Callable[[Verdict], str] = lambda verdict: "",
) -> int:
    """Write the page, which opens where `start` says for the first record; or links, if these are wanted.

    Returns 1 for a record that cannot be replayed, 2 for what is no record, and then writes nothing.
    """
    if lin_url:
        if watch:
            raise CommandError("--watch does not go with --lin-url: there is no page to write anew")
        return _links(files, None if output == "-" else output, record, anonymise, from_)
    if len(files) > 2:
        raise CommandError(f"a page shows one record, or two beside each other, not {len(files)}")
    if watch and not all(is_("is_file", path) for path in files):
        raise CommandError("--watch needs files to look at")
    before = _stamps(files)
    shown = _shown(files, record, anonymise, from_)
    if isinstance(shown, int):
        return shown
    target = _beside([path for path, _ in shown], record) if output is None else None if output == "-" else Path(output)
    if target is None and (open_ or watch):
        raise CommandError(f"{'--open' if open_ else '--watch'} needs a file to write: add -o page.html")
    records = [one for _, one in shown]
    at = start(records[0].verdict)
    if target is None:
        emit([page(records, at)], None)
        return 0
    _standing(target)
    _write(target, page(records, at, watched=watch))
    print(f"wrote {safe(target, 300)}", file=sys.stderr)
    if open_:
        import webbrowser

        webbrowser.open(target.resolve().as_uri())
    if watch:
        _watch(files, before, target, records, lambda: _shown(files, record, anonymise, from_))
    return 0


def _shown(files: list[str], record: int | None, anonymise: bool, from_: str | None) -> list[tuple[str, ShownRecord]] | int:
    """The records to show, each with the path it was read from; an exit code where one cannot be, which has been said."""
    shown, failed = [], 0
    for path in files:
        inputs = Inputs([path], from_)
        read = _chosen(path, list(inputs), record, inputs.trouble)
        if read is None:
            return 2
        verdict, one = judged(read, readings=True), read.reading.record
        game = games.find(one.game) if one else None
        if one is None or game is None or len(verdict.deals) != len(one.deals):
            sys.stderr.writelines(map(finding_line, verdict.findings))
            failed = max(failed, inputs.code(True))
            continue
        name = one.id or Path(read.path).name
        if anonymise:
            name, one = "record", anonymous(one)
            verdict = check(one)  # findings quote the record that was judged
        faulty = len({finding.deal_index for finding in verdict.faults})
        weighing = Weighing(one, game, BUDGET // max(1, faulty))
        shown.append((read.path, ShownRecord(name, one, verdict, compose(game, one.options)[0], weighing)))
    return failed or shown


def _beside(paths: list[str], record: int | None) -> Path | None:
    """Where the page of records stands if nobody says: beside the first; None where that is no file."""
    if not is_("is_file", paths[0]):
        return None
    stem = "-and-".join(map(_stem, paths)) + (f"-{record}" if record else "")
    return Path(paths[0]).with_name(f"{stem}.html")


def _stem(path: str) -> str:
    """The name of a file without what says that it is a record."""
    name = Path(path).name
    suffix = max((suffix for suffix in SUFFIXES if name.lower().endswith(suffix)), key=len, default="")
    return name.removesuffix(name[len(name) - len(suffix) :]).removesuffix(".handrec") or name


def _standing(target: Path) -> bytes | None:
    """The page that a new one may replace, None if nothing stands there; trouble if anything else does."""
    if target.is_file() and not target.is_symlink():
        with naming_file(str(target)), target.open("rb") as file:
            head = file.read(1024)
            if is_page(head):
                return head + file.read()
    writable(str(target))
    return None


def _write(target: Path, text: str) -> None:
    """Write a page where nothing stands, or a page."""
    was = _standing(target)
    with naming_file(str(target)):
        writing.write(target, text, clobber=was is not None, was=was)


def _stamps(files: list[str]) -> list[tuple[int, int] | None]:
    """When files were last written, and their sizes; None for one that is not there."""
    return [(path.stat().st_mtime_ns, path.stat().st_size) if path.is_file() else None for path in map(Path, files)]


def _watch(
    files: list[str],
    before: list[tuple[int, int] | None],
    target: Path,
    records: list[ShownRecord],
    again: Callable[[], list[tuple[str, ShownRecord]] | int],
) -> None:
    """Write the page anew whenever a file has changed, until interrupted; the last one loads itself no more.

    While a file cannot be shown, the page says why above what could be shown last.
    """
    print(f"watching {' and '.join(safe(path, 300) for path in files)}; Ctrl-C ends it", file=sys.stderr)
    notice: list[str] = []
    try:
        while True:
            time.sleep(PACE)
            if (now := _stamps(files)) == before:
                continue
            before, said = now, StringIO()
            with redirect_stderr(said):
                try:
                    found = again()
                except (CommandError, OSError) as error:
                    found = 2
                    print(error, file=said)
            notice = []
            if isinstance(found, int):
                sys.stderr.write(said.getvalue())
                notice = [WAITING, *said.getvalue().splitlines()]
            else:
                records = [one for _, one in found]
            _write(target, page(records, watched=True, notice=notice))
    except KeyboardInterrupt:
        _write(target, page(records, notice=notice))
        print(f"\n{safe(target, 300)} stays as it is", file=sys.stderr)


def _links(files: list[str], output: str | None, number: int | None, anonymise: bool, from_: str | None) -> int:
    """Write a link for each board of the records, or of those of one number; returns 1 for a record that has none."""
    from handrec.formats.lin.writer import urls

    found, inputs = [], Inputs(files, from_)
    failed = False
    for read in inputs:
        sys.stderr.writelines(map(finding_line, map(read.reading.placed, read.reading.findings)))
        one = read.reading.record
        if one is None or number not in (None, read.place):
            failed |= one is None
            continue
        try:
            found += urls(anonymous(one) if anonymise else one)
        except Unwritable as error:
            complain(read.name, str(error))
            failed = True
    if inputs.count and not (found or failed):
        raise CommandError(f"there is no record {number} in {safe(files[0], 300)}")
    if found:
        emit((f"{each}\n" for each in found), output)
    return inputs.code(failed)


def _chosen(path: str, reads: list[Read], number: int | None, trouble: bool) -> Read | None:
    """The record to show of a file; None if it could not be read, which has been said."""
    if trouble and not reads:
        return None
    if number is None and len(reads) > 1:
        raise CommandError(f"{safe(path, 300)} holds {len(reads):,} records: choose one with handrec view --record N")
    if not reads or len(reads) < (number or 1):
        raise CommandError(f"there is no record {number or 1} in {safe(path, 300)}")
    return reads[(number or 1) - 1]
