"""What the table could know: which plays are proved legal or illegal, since when, by whom, and who can hold what.

The question. East discards on a heart. Nobody saw East's hand, so nobody can say whether that was legal; but if East plays a
heart five tricks later, it was not, and often it can be counted out before: the hearts that nobody has seen may be more than
the other hands have room for.

The model. In these games "this play was legal" says no more than "the hand held none of certain cards then" (`barred`: of a
discard, the suit led). So a deal as the table saw it is a `DealCase`: the cards there are, places of known sizes (each seat's
hand, and the stock that nobody was dealt), cards that were shown, and for each place cards that it may not hold. A *completion*
is one way to deal the unseen cards to the places. W are all completions; what is true in all of them is proved, and what is true
in some of them only cannot be told. A *view* is what somebody knows besides: `public` nothing, a seat its own hand, `open`
every recorded hand.

The method. Whether there is a completion at all, with some acts taken as legal, is a question of matching cards with places. It
is decided exactly, by a flow between classes of alike cards and places (`places.Layout`). Where no flow fits, there are cards
that have fewer places than there are cards (a violator of Hall's condition), and naming these is the whole proof: anybody can
count them. So a verdict comes with a certificate, made of completions and such counts, which `checker.accepts` verifies
without any of the code that found it.

The verdicts. An act is *illegal-proved* if it is illegal in all of W; *illegal-proved-if-others-legal* if it is illegal wherever
all the others played legally (which is suspicion: the others may not have); *legal-proved* if it is legal in all of W; else
*consistent*. If W is empty, the record contradicts itself.

Where things are. `observed(table)` makes a `DealCase` of a replayed deal, `small(...)` of any pack, seats, hands and rules; a
`Position` is a case after so many of its events in a view, and answers; `dates` says when each act could first be told; `prove`
gives a verdict with its certificate; `voids` and `words` put it for people.
"""

from handrec.inference.case import STOCK, DealCase, Observation
from handrec.inference.checker import accepts
from handrec.inference.dates import Dates, dates
from handrec.inference.observed import by_game, observed, small
from handrec.inference.position import VERDICTS, ActVerdict, Position
from handrec.inference.proof import Proof, prove

__all__ = [
    "STOCK",
    "VERDICTS",
    "ActVerdict",
    "Dates",
    "DealCase",
    "Observation",
    "Position",
    "Proof",
    "accepts",
    "by_game",
    "dates",
    "observed",
    "prove",
    "small",
]
