"""Everything that a pen may have done to a deal: each slip of the table undone in every way, wherever it bears on a finding.

`sight` reads off the likely slips; a search must also know that there is no other. So nothing is weighed here: whatever act of
the table touches a place that a finding hangs on is undone, and whether that explains anything is for the referee to say.

What a finding hangs on is its *reach*. A card that its seat does not hold is wrong at its place or in a hand; a revoke hangs on
the card led, the card played, and wherever the cards stand that could have been played. A slip that touches nothing of all this
leaves the finding as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from handrec.explanations.pen.calls import called
from handrec.explanations.pen.hands import between_hands, cards_of_hands, set_aside, whole_hands
from handrec.explanations.pen.heads import cards_handed, handed, headed
from handrec.explanations.pen.plays import doubled, exchanged, left_out, lost, lost_amid, misnamed, miswritten, transposed
from handrec.explanations.pen.reach import Reach, reach, touches
from handrec.explanations.pen.rows import lost_unseen, row_lost, rows_exchanged, shifted
from handrec.explanations.written import Slip, WrittenDeal

__all__ = ["WAYS", "Reach", "left_out", "lost_unseen", "reach", "slips", "touches"]

#: Every way to look for slips.
WAYS: tuple[Callable[[WrittenDeal, Reach], Iterable[Slip]], ...] = (
    shifted,
    miswritten,
    misnamed,
    exchanged,
    transposed,
    doubled,
    lost,
    lost_amid,
    row_lost,
    rows_exchanged,
    cards_of_hands,
    set_aside,
    between_hands,
    whole_hands,
    called,
    headed,
    handed,
    cards_handed,
)


def slips(written: WrittenDeal, where: Reach) -> list[Slip]:
    """Every slip that touches what something hangs on; a deal that comes of several is told once for each.

    Those of which there are few come first: whole rows, suits and hands before single cards.
    """
    return [slip for some in sorted(([*way(written, where)] for way in WAYS), key=len) for slip in some]
