"""What the formats of contract bridge share: the record of a board, and whether the numbers of a file's boards say anything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from pathlib import PurePath
from typing import Any

from handrec.findings import Finding
from handrec.formats import Reading
from handrec.formats.strict import clip
from handrec.phases.board import dealer_of, vulnerability, vulnerable_on
from handrec.record import Deal, Player, Provenance, Record
from handrec.referee.form import FORM
from handrec.versions import version_of

#: The seats as records have them, clockwise.
SEATS = ("N", "E", "S", "W")

#: So many boards of a file are looked at for whether their numbers say anything, and so many must contradict them.
AHEAD, FEW = 50, 3
COUNTED = "the boards are numbered whoever deals and is vulnerable: the numbers say nothing of that (told once of a file)"

LONGEST = 319  # calls: three passes, then seven times five bids, each passed twice, doubled, passed twice, redoubled


def excerpt(
    name: str,
    number: int,
    deals: Sequence[Deal],
    extensions: Mapping[str, Any],
    players: Sequence[Player] = (),
    game: str = "bridge",
) -> Record:
    """The record of a board: the `number`th of the file of this name, with its deal, and what has no place in one."""
    source = _source(name)
    return Record(
        format="handrec",
        version=version_of([*deals]),
        id=f"{source}#{number}",
        game=game,
        players=[*players] or [Player(seat=seat) for seat in SEATS],
        status="excerpt",
        deals=[*deals],
        provenance=Provenance(source=source, kind="archive"),
        extensions={**extensions},
    )


@lru_cache(10)
def _source(name: str) -> str:
    return clip(PurePath(name).name, 200)


def numbered(readings: Iterator[Reading]) -> Iterator[Reading]:
    """The readings of a file; where its boards are only counted, their numbers say nothing of dealer and vulnerability.

    Hands for practice are numbered from 1, whoever deals. A slip is of one board or two: where more contradict their numbers than
    not, of those that come first, it is no slip. Then each has its number as a deal, and none as a board; that is told once.
    """
    ahead = [*islice(readings, AHEAD)]
    odd = [differs for reading in ahead if (differs := _differs(reading.record)) is not None]
    free = sum(odd) >= FEW and 2 * sum(odd) > len(odd)
    for reading in chain(ahead, readings):
        record = reading.record
        if not free or record is None or _differs(record) is None:
            yield reading
            continue
        deal, findings = record.deals[0].model_copy(update={"board": None}), reading.findings
        deal.model_fields_set.remove("board")
        if odd and _differs(record):
            odd, where = [], reading.locate("/deals/0/board")
            findings = (*findings, Finding(FORM["FMT018"], {"why": COUNTED}, deal=deal.number, location=where))
        counted = record.model_copy(update={"deals": [deal], "version": version_of([deal], record.claimed, record.comments)})
        yield reading._replace(record=counted, findings=findings)


def _differs(record: Record | None) -> bool | None:
    """Whether the dealer or the vulnerability is another than the number of the board says; None where it says nothing."""
    if record is None or record.game != "bridge" or len(record.deals) != 1:
        return None
    board, dealer, vulnerable = (deal := record.deals[0]).board, deal.dealer, deal.vulnerable
    if board is None or dealer is None:
        return None
    return dealer != SEATS[dealer_of(board, SEATS)] or vulnerable not in (None, vulnerability(vulnerable_on(board, SEATS), SEATS))


def nearest(pointer: str, spots: Mapping[str, int]) -> int | None:
    """Where a part of a record stands, or the nearest around it that stands anywhere."""
    while pointer and pointer not in spots:
        pointer = pointer.rpartition("/")[0]
    return spots.get(pointer)
