"""Slips of the pen and deeds of players: what of a faulty record the writer did, and what somebody at the table.

A record with faults has explanations. A *slip* is an edit that turns what happened into what is written; a *deed* is something
that a player did against a rule, and needs no edit. What cannot have happened (a card nobody held, a card played twice) only
slips explain. What is irregular (a revoke, a lead out of turn) a deed explains as it stands, though a slip may. A wrong number
is a slip of the sheet, unless it follows from another. The table of acts (`acts`) says what each costs: the cheapest
explanation is the likeliest.

`at_sight` reads off what can be read in time linear in the deal: rows in wrong columns, hands under wrong seats, the one card
that is left over. Each candidate is undone and the referee asked again, a few times at most; it counts if findings go away,
none comes, and nothing that was judged is no longer. A slip is then told as one finding (`REC…`), and what went away is listed
as its consequence, also what is found across deals. A miswritten call is told only where it explains more than one deed would:
somebody may have called out of turn or too low. A deed stays as the referee found it, with the slips that would explain it for
about as little: where they cost no more, nobody can tell which it was.
"""

from handrec.explanations.acts import ACTS, SLIPS, Act
from handrec.explanations.sight import at_sight, check, found

__all__ = ["ACTS", "SLIPS", "Act", "at_sight", "check", "found"]
