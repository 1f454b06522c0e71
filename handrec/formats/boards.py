"""What the formats of contract bridge share: the record of a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any

from handrec.formats.strict import clip
from handrec.record import Deal, Player, Provenance, Record
from handrec.versions import version_of

#: The seats as records have them, clockwise.
SEATS = ("N", "E", "S", "W")

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
    source = clip(PurePath(name).name, 200)
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


def nearest(pointer: str, spots: Mapping[str, int]) -> int | None:
    """Where a part of a record stands, or the nearest around it that stands anywhere."""
    while pointer and pointer not in spots:
        pointer = pointer.rpartition("/")[0]
    return spots.get(pointer)
