"""What the formats of contract bridge share: the record of a board, and what an auction came to.

Some of them record the calls; the referee sees only the contract.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from handrec.formats.strict import clip
from handrec.record import Deal, Player, Provenance, Record, version_of

#: The seats as records have them, clockwise.
SEATS = ("N", "E", "S", "W")

STRAINS = ("C", "D", "H", "S", "NT")
PASS, DOUBLE, REDOUBLE = "P", "X", "XX"
LONGEST = 319  # calls: three passes, then seven times five bids, each passed twice, doubled, passed twice, redoubled


class AuctionResult(NamedTuple):
    """A contract: level, strain, `x` or `xx` if doubled, and declarer in places from the dealer; level 0 if all passed."""

    level: int
    strain: str = ""
    risk: str = ""
    declarer: int = -1

    @property
    def bid(self) -> str:
        """The contract as a record has it, such as `3NTx`."""
        return f"{self.level}{self.strain}{self.risk}"


def auction_result(calls: Sequence[str]) -> tuple[AuctionResult | None, tuple[int, str] | None]:
    """What the calls came to, and the place of the first that cannot be, with the reason.

    Calls are `P`, `X`, `XX` and bids such as `4H` or `3NT`, the dealer's first. There is no outcome if the auction is not
    over or a call cannot be, but for a pass too many.
    """
    best, risk, owner, passes = (0, -1), "", 0, 0
    first: dict[tuple[int, int], int] = {}  # who named a strain first, by strain and side
    for place, call in enumerate(calls):
        if passes == (3 if best[0] else 4):
            why = f"{call} is called when the auction is over"
            return _result(best, risk, owner, first) if call == PASS else None, (place, why)
        if call == PASS:
            passes += 1
            continue
        opponent = (place - owner) % 2 == 1
        if call == DOUBLE and not (best[0] and opponent and not risk):
            return None, (place, "X doubles no bid of the other side")
        if call == REDOUBLE and not (risk == "x" and not opponent):
            return None, (place, "XX redoubles no double of the other side")
        passes = 0
        if call in (DOUBLE, REDOUBLE):
            risk = call.lower()
            continue
        bid = int(call[0]), STRAINS.index(call[1:])
        if bid <= best:
            return None, (place, f"{call} is no higher than {best[0]}{STRAINS[best[1]]}")
        best, risk, owner = bid, "", place
        first.setdefault((bid[1], place % 2), place)
    over = passes == (3 if best[0] else 4)
    return _result(best, risk, owner, first) if over else None, None


def _result(best: tuple[int, int], risk: str, owner: int, first: dict[tuple[int, int], int]) -> AuctionResult:
    if not best[0]:
        return AuctionResult(0)
    return AuctionResult(best[0], STRAINS[best[1]], risk, first[best[1], owner % 2] % 4)


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
