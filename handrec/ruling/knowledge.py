"""What could be proved of a play, since when, and to whom: all that a ruling asks of the room `inference`."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from handrec.game import Table
from handrec.game.playing import Seen
from handrec.inference import ActVerdict, DealCase, Position, observed


@dataclass(frozen=True)
class PlayKnowledge:
    """What the cards tell of a play: at the end to somebody who sees every recorded hand, and since when to each view.

    `since` is by view ("all", then seats), None where it is not proved illegal to it; `alone` that this play being
    illegal would explain everything, to all, but others are possible; `suspects` the sets of seats that may be at fault.
    `telling` are the cards nobody has seen of which one in that hand would make it illegal.
    """

    verdict: ActVerdict
    public: ActVerdict
    since: dict[str, str | None]
    suspects: tuple[tuple[str, ...], ...]
    telling: tuple[str, ...]

    @property
    def alone(self) -> bool:
        """Whether, if all the others had played legally, this play had not been legal."""
        return self.public == "illegal-proved-if-others-legal"


class Knowledge:
    """A deal as its table could see it."""

    def __init__(self, table: Table) -> None:
        self.table = table

    @cached_property
    def case(self) -> DealCase:
        """The deal as a case."""
        return observed(self.table)

    def of(self, seen: Seen) -> PlayKnowledge | None:
        """What the cards tell of a play; None if it is not one that can be judged."""
        case = self.case
        acts = [act for act in case.acts() if case.events[act].place == seen.place and case.events[act].kind == "play"]
        if seen.place is None or not acts:
            return None
        act, end = acts[0], len(case.events)
        last = Position(case, end)
        views = [view for view in case.views if view != "open"]
        since = {"all" if view == "public" else view: _since(case, act, view) for view in views}
        suspects = tuple(tuple(sorted(each)) for each in last.suspects())
        telling = case.names(case.events[act].barred & self._last().unseen)
        return PlayKnowledge(self._last().verdict(act), last.verdict(act), since, suspects, telling)

    def proved(self, seats: Sequence[str]) -> list[tuple[str, int]]:
        """Seat and trick of every play of some seats that is proved illegal by the end, with every recorded hand known."""
        case, last = self.case, self._last()
        if last.all_legal:
            return []
        acts = [act for act in case.acts() if case.events[act].kind == "play" and last.seat(act) in seats]
        return [(last.seat(act), case.events[act].trick or 0) for act in acts if last.verdict(act) == "illegal-proved"]

    def _last(self) -> Position:
        return Position(self.case, len(self.case.events), "open" if self.case.hands else "public")


def _since(case: DealCase, act: int, view: str) -> str | None:
    """When a view could first prove an act illegal, which is then final; None if it never could."""

    def proved(moment: int) -> bool:
        return Position(case, moment, view).verdict(act) == "illegal-proved"

    moments = range(len(case.events) + 1)
    return case.when(bisect_left(moments, True, act + 1, len(case.events), key=proved)) if proved(moments[-1]) else None
