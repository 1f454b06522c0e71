"""Slips of the pen and deeds of players: what of a faulty record the writer did, and what somebody at the table.

The problem. A record is what somebody wrote down of what happened, and both can go wrong: a player may revoke, and a writer may
put a card into the wrong column. The referee sees only the record, and one slip can look like a dozen offences: when a row of
four cards slides by a column, four players seem to play cards they never held, and whoever leads next seems out of turn. To
accuse an innocent player is the worst that a referee can do.

The model. An *explanation* of a faulty record is a set of *acts* that lead from what was dealt to what is written. A *slip* is an
act of the pen: an edit that turns what happened into what is written. A *deed* is an act of a player, against a rule; it
happened, and needs no edit. Each act has a cost (the table in `acts`): roughly, how seldom it is met, on a scale of logarithms,
so that costs add up where likelihoods multiply. The cheapest explanation is the likeliest, and where two cost the same nobody
can tell. What cannot have happened (a card nobody held, a card played twice) only slips explain. What is irregular (a revoke, a
lead out of turn) a deed explains as it stands, though a slip may. A wrong number is a slip of the sheet, unless it follows from
another.

A check is no search: `sight` reads off what can be read in time linear in the deal. A faulty deal is taken apart into sets
(`written`): who is said to have played what, and whose card it is by the hands. From these `rows`, `cards`, `hands` and `calls`
propose slips, the cheap ones first: rows in wrong columns, hands under wrong seats, the one card that is left over. Each is
undone and the referee asked again, a few times at most and within the allowance of the check (`handrec.allowance`); it counts
if findings go away, none comes, and nothing that was judged is no longer.

Where much of a record does not fit what stands above it, one slip there may have done it: another game's name, two players in
each other's place (`heading`). The record is judged under each heading that is one slip away, and told so if nearly nothing is
wrong under one.

What is reported. A slip is one finding (`REC…`), and what went away with it is listed as its consequence, also what is found
across deals. A miswritten call is reported only where it explains more than one deed would: somebody may have called out of turn
or too low. A deed stays as the referee found it, with the slips that would explain it for about as little (`near`).

Who must be sure searches (`search`): all slips of the table, undone wherever they bear on a finding (`pen`). `weighed` then puts
a deed beside the slips that would explain it, and says where to look to tell them apart.
"""

from handrec.explanations.acts import ACTS, SLIPS, Act
from handrec.explanations.sight import at_sight, check, found, unlooked

__all__ = ["ACTS", "SLIPS", "Act", "at_sight", "check", "found", "unlooked"]
