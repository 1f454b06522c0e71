"""`handrec ruling`: disputes settled as far as a record allows."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from handrec import games, referee
from handrec.cli.commands.options import Colour, RulingFormat
from handrec.cli.common import Inputs, as_list, emit, finding_line, in_colour
from handrec.cli.errors import CommandError
from handrec.record import Record
from handrec.report import ruling as shown
from handrec.report.json import compact
from handrec.report.safe import safe
from handrec.ruling import NoSuch, RevokeClaim, RevokeRuling, asked, rule

#: What --exit-code makes of a ruling; of several, the first of these that there is.
CODES = {"upheld": 1, "cannot be decided": 4, "rejected": 0}


def run(
    file: str,
    claim: list[str] | None,
    deal: int | None,
    noticed: str | None,
    laws: str | None,
    format: RulingFormat,
    output: str | None,
    exit_code: bool,
    color: Colour,
    from_: str | None,
) -> int:
    """Rule on the claims of a file's records, or on those asked for.

    Returns 1 for a record that cannot be replayed, 2 for what is none.
    """
    if noticed is not None and not claim:
        raise CommandError("--noticed says when a --claim was made; which one?")
    inputs = Inputs([file], from_)
    unplayable = False

    def rulings() -> Iterator[RevokeRuling]:
        nonlocal unplayable
        for read in inputs:
            record = read.reading.record
            game = games.find(record.game) if record else None
            if record is not None and game is not None:
                verdict = referee.check(record, games.find)
                if verdict.deals or verdict.ok:
                    try:
                        several = rule(record, game, _wanted(record, claim or [], deal, noticed), laws)
                    except NoSuch as error:
                        raise CommandError(safe(error, 300)) from None
                    for each in several:
                        if claim or deal in (None, each.claim.deal):
                            yield each
                    continue
                findings = verdict.findings
            else:
                findings = read.reading.findings or (referee.check(record, games.find).findings if record else ())
            unplayable = True
            sys.stderr.writelines(finding_line(read.reading.placed(finding)) for finding in findings)

    found = list(rulings())  # before anything is written
    emit(_written(found, format, in_colour(color, sys.stdout)), output)
    told = {ruling.verdict for ruling in found}
    if not (told or unplayable or inputs.trouble):
        what = "" if deal is None else f" of deal {deal}"
        print(f"nothing to rule on: no accusation{what}, and nothing played that the laws call a renege", file=sys.stderr)
    return inputs.code(unplayable) or (next((CODES[verdict] for verdict in CODES if verdict in told), 0) if exit_code else 0)


def _wanted(record: Record, claims: list[str], deal: int | None, noticed: str | None) -> list[RevokeClaim] | None:
    if deal is not None and deal not in [each.number or place + 1 for place, each in enumerate(record.deals)]:
        raise NoSuch(f"there is no deal {deal} in this record")
    return [asked(record, claim, deal, noticed) for claim in claims] or None


def _written(rulings: list[RevokeRuling], format: RulingFormat, colour: bool) -> Iterator[str]:
    if format == "json":
        return as_list(compact(shown.view(ruling)) for ruling in rulings)
    if format == "markdown":
        return (shown.markdown_text(ruling) for ruling in rulings)
    return (shown.text(ruling, colour) for ruling in rulings)
