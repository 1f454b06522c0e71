"""Several tables that played one board, compared: IMPs, matchpoints, points in all (Law 78), and who is ahead by them.

A *result* is what one table made of a board (`results_of`); results with the same number are of one board unless they differ in
event, section, teams or cards (`boards_of`); a board that was played at two tables or more has its IMPs or matchpoints
(`MatchBoard.shares`); `ranking` adds them up, by teams for IMPs, else by pairs. What was written down is compared with that
(`compared`). A table that is there twice counts once. (A table of results that a board brings with it is compared with itself
when the board is judged: `scoring.tables`.)

Between two tables, the team that sits North and South in the open room sits East and West in the closed one. Which room a
record is of, and who plays, it says under `extensions` as PBN and LIN have it; where rooms are not told, the first table is the
open one.
"""

from handrec.matches.boards import MatchBoard, TableResult, boards_of, results_of
from handrec.matches.claims import compared
from handrec.matches.ranking import Standing, ranking

__all__ = ["MatchBoard", "Standing", "TableResult", "boards_of", "compared", "ranking", "results_of"]
