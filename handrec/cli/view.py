"""`handrec view`: one record, or two beside each other, as a page for the browser."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from handrec import games
from handrec.api import check
from handrec.cli.common import Inputs, Read, complain, emit, finding_line, judged
from handrec.cli.errors import CommandError
from handrec.explanations.search import BUDGET
from handrec.explanations.weighed import Weighing
from handrec.findings import Verdict
from handrec.formats import Unwritable
from handrec.game import compose
from handrec.report.safe import safe
from handrec.view import ShownRecord, page
from handrec.view.anonymous import anonymous


def run(
    files: list[str],
    output: str | None,
    record: int | None,
    open_: bool,
    anonymise: bool,
    lin_url: bool,
    from_: str | None,
    start: Callable[[Verdict], str] = lambda verdict: "",
) -> int:
    """Write the page, which opens where `start` says for the first record; or links, if these are wanted.

    Returns 1 for a record that cannot be replayed, 2 for what is no record, and then writes nothing.
    """
    if lin_url:
        return _links(files, output, record, anonymise, from_)
    if len(files) > 2:
        raise CommandError(f"a page shows one record, or two beside each other, not {len(files)}")
    if open_ and output is None:
        raise CommandError("--open needs a file to open: add -o page.html")
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
        shown.append(ShownRecord(name, one, verdict, compose(game, one.options)[0], weighing))
    if failed:
        return failed
    emit([page(shown, start(shown[0].verdict))], output)
    if open_ and output is not None:
        import webbrowser

        webbrowser.open(Path(output).resolve().as_uri())
    return 0


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
