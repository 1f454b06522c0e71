"""What the table could know: which plays are proved legal or illegal, since when, by whom, and who can hold what.

`observed(table)` makes a `Case` of a replayed deal, `small(...)` of any pack, seats, hands and rules; a `Moment` of a case
answers for a view (`public`, a seat, `open`) after so many events; `dates` says when each play could first be told;
`prove` gives a verdict with steps that `checker.accepts` can verify.
"""

from handrec.inference.case import STOCK, Case, Event
from handrec.inference.checker import accepts
from handrec.inference.dates import Dates, dates
from handrec.inference.moment import VERDICTS, Moment, Verdict
from handrec.inference.observed import by_game, observed, small
from handrec.inference.proof import Proof, prove

__all__ = [
    "STOCK",
    "VERDICTS",
    "Case",
    "Dates",
    "Event",
    "Moment",
    "Proof",
    "Verdict",
    "accepts",
    "by_game",
    "dates",
    "observed",
    "prove",
    "small",
]
