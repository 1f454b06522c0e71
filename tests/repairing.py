"""Every repair in the suite is looked at: what was passed or failed before is so still, whoever offers it and whoever writes it.

What a referee decided is read here from the verdict and from what the table saw of each play, not from what repair goes by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from handrec import games, loads, referee
from handrec.game import Game, compose
from handrec.record import Record
from handrec.repair import Edit, Repairs, applied, mend

#: Level, deal (from 0; None: of the record), seat, trick.
Decided = tuple[str, int | None, str | None, int | None]


def decided(record: Record, game: Game | None = None) -> set[Decided]:
    """All that is passed or failed in a record; `game` without options, the one it names if it is not given."""
    game = game or games.find(record.game)
    verdict = referee.check(record, lambda key: game)
    found: set[Decided] = {(level.key, None, None, None) for level in verdict.levels if not level.reasons}
    if not verdict.deals:
        return found
    assert game is not None
    for index, table in enumerate(referee.replay(record, compose(game, record.options)[0], trace=True)):
        found |= {(level, index, None, None) for level in ("L2", "L3") if level not in table.doubts}
        found |= {("L5", index, None, trick.number) for trick in table.tricks if trick.winner}
        found |= {
            ("L4", index, table.seats[seen.seat], seen.trick)
            for seen in table.trace or ()
            if seen.legal and (seen.seat, seen.trick) not in table.unjudged
        }
    return found


def undecided(before: Record, after: Record, game: Game | None = None) -> set[Decided]:
    """What was decided in a record and is not after a repair; tricks at the end of a deal that only a slip made do not count."""
    gone = decided(before, game) - decided(after, game)
    plays = [
        [sum(event.do == "play" and "?" not in event.card for event in deal.events) for deal in record.deals]
        for record in (before, after)
    ]
    last = {index: many / len(after.players) for index, many in enumerate(plays[1])}
    whole = {index for index, (was, now) in enumerate(zip(*plays, strict=True)) if was - now <= 1}
    return {each for each in gone if each[3] is None or each[1] not in whole or each[3] <= last[each[1] or 0]}


def asserted(record: Record, edits: Iterable[Edit], game: Game | None = None) -> None:
    """Fails if a repair makes anything uncheckable."""
    edits = list(edits)
    gone = undecided(record, applied(record, edits), game)
    assert not gone, f"no more decided: {sorted(gone, key=str)[:5]}, after {edits}"


def watched(repairs: Callable[..., Repairs]) -> Callable[..., Repairs]:
    """`repairs`, with every way that it offers, and all that it is sure of, looked at."""

    def looked_at(record: Record, game: Game, *more: Any, **named: Any) -> Repairs:
        found = repairs(record, game, *more, **named)
        asserted(record, found.sure, game)
        for way in [way for group in found.groups for way in group.ways]:
            asserted(record, (*found.derived, *way), game)
        return found

    return looked_at


def watched_text(spliced: Callable[..., str]) -> Callable[..., str]:
    """`spliced`, with the record that it writes looked at."""

    def looked_at(text: str, edits: Sequence[Edit]) -> str:
        after = spliced(text, edits)
        before, mended = (loads(each) for each in (text, after))
        gone = undecided(before, mended)
        assert not gone, f"no more decided: {sorted(gone, key=str)[:5]}, after {list(edits)}"
        return after

    return looked_at


repairs = watched(mend.repairs)
