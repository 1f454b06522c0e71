"""What a referee could decide of a deal: passed or failed, and not *not checkable*.

No explanation may win by making something uncheckable: with the turned card taken out no play of the deal can be wrong any more.
What was decided of the record must be so still when its slips are undone, though it may be decided otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from handrec.cards import is_known
from handrec.findings import Verdict
from handrec.game import Table
from handrec.record import Play

#: The verdict on a record with the tables of its deals, as `referee.examined` gives them.
Examined = tuple[Verdict, list[Table]]


class Decided(NamedTuple):
    """Something passed or failed: a level in the whole deal, a trick, or a seat's card to it."""

    level: str
    seat: str | None = None
    trick: int | None = None


def decided(table: Table) -> frozenset[Decided]:
    """All that was decided of a deal."""
    return frozenset(_decided(table))


def _decided(table: Table) -> Iterator[Decided]:
    place_of, unjudged, free = table.place_of, table.unjudged, table.free
    yield from (Decided(level) for level in ("L2", "L3", "L4", "L5") if level not in table.doubts)
    for trick in table.tricks:
        if trick.winner is not None:
            yield Decided("L5", None, trick.number)
        for seat, _ in trick.plays:
            if (place_of[seat], trick.number) not in unjudged and place_of[seat] not in free:
                yield Decided("L4", seat, trick.number)


def lost(before: Table, after: Table) -> frozenset[Decided]:
    """What was decided of a deal, and is not of the same with slips undone.

    A slip can make more tricks of the plays than there were: such tricks at the end are no loss, as long as the cards are there,
    but for one that stood twice.
    """
    gone = decided(before) - decided(after)
    if not gone or _plays(before) - _plays(after) > 1:
        return gone
    last = _plays(after) // after.count  # by the cards: a replay that gives up earlier has lost what comes then
    return frozenset(each for each in gone if each.trick is None or each.trick <= last)


def _plays(table: Table) -> int:
    return sum(type(event) is Play and is_known(event.card) for event in table.deal.events)


def erases(before: Table, after: Table) -> bool:
    """Whether a deal with slips undone says less than it did; so does one of hands of another size, whatever is decided of it."""
    if before.size != after.size or not after.doubts.keys() <= before.doubts.keys():
        return True
    return not _plainly_kept(before, after) and bool(lost(before, after))


def _plainly_kept(before: Table, after: Table) -> bool:
    """Whether nothing can be lost, as it mostly is: every trick is there and whole, and no play is open that was not."""
    return (
        after.unjudged <= before.unjudged
        and len(before.tricks) <= len(after.tricks)
        and all(
            was.number == now.number and len(now.plays) == len(after.seats) and (now.winner or not was.winner)
            for was, now in zip(before.tricks, after.tricks, strict=False)
        )
    )


def less_decided(before: Examined, after: Examined) -> bool:
    """Whether less is decided of a record than was: in one of its deals, or across them."""
    if len(after[1]) < len(before[1]) or (_across(before[0]) and not _across(after[0])):
        return True
    return any(erases(was, now) for was, now in zip(before[1], after[1], strict=False))


def _across(verdict: Verdict) -> bool:
    return any(level.key == "L6" and not level.reasons for level in verdict.levels)
