"""The table while the game is played: what may happen next, each event judged as it comes, and what everybody may see.

A `LiveTable` is a record in the making. Each event is taken by the same replay that judges a record when all is over, at the
table of the deal that is being played, on which is noted that what has not happened is still to come (`game.Table.live`). So
there is one referee, asked earlier.

What happens is an event as a record has it, or the beginning of a deal. `apply` takes it, or refuses it: then the table is as it
was, and the refusal says by which rule, in which words, and what could have been done. `force` takes what happened anyway, if it
can be written down. Faults of the past that an event brings to light (a revoke is seen when the suit is played later, by a
hand that nobody recorded) are no reason to refuse it; they are told with it.

Where all hands are known, an event costs about as much as the replay of it. Where some are not, what a card shows may throw light
on all before, and the deal is replayed at each event. Across deals only scores, dealers and numbers are carried.

`snapshot` is the record itself with a number for its form, so that nothing that can be read off the record may contradict it.
"""

from handrec.live.answers import Applied, Legal, Refused
from handrec.live.sampling import sample
from handrec.live.snapshot import BadSnapshot, resume
from handrec.live.tables import CannotPlay, LiveTable, table

__all__ = ["Applied", "BadSnapshot", "CannotPlay", "Legal", "LiveTable", "Refused", "resume", "sample", "table"]
