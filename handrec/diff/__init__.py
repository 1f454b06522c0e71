"""Diff: how records of the same deals disagree, which of them the rules are for, and what they say together.

`compare(records, find)` gives the rows where two or more records differ, `vote(difference, find)` the referee's verdict on
each version and the fewest changes after which it is without findings, `reconcile(difference, find)` one record out of
many. `json_patch` (RFC 6902) and `merge_patch` (RFC 7386) turn one record's JSON into another's. All are pure.

To compare what is claimed with what was recomputed, compare the record with a copy that claims the recomputation.
"""

from handrec.diff.choices import Choice, Settling
from handrec.diff.compare import Difference, DiffRow, compare
from handrec.diff.patch import json_patch, merge_patch
from handrec.diff.reconciled import reconcile
from handrec.diff.seats import CannotSeat, Seating
from handrec.diff.vote import Change, Version, vote

__all__ = [
    "CannotSeat",
    "Change",
    "Choice",
    "DiffRow",
    "Difference",
    "Seating",
    "Settling",
    "Version",
    "compare",
    "json_patch",
    "merge_patch",
    "reconcile",
    "vote",
]
