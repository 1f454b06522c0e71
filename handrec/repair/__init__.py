"""Repair: what a record should say instead, with the proof of every edit; a repair never says more than it can prove.

`derivable` is safe: claimed values that follow from cards, bids and plays. `legal` looks for the smallest edits of these
themselves. Pure: nothing is read or written here.
"""

from __future__ import annotations

from handrec.explanations.search import BUDGET
from handrec.repair.edits import ABSENT, PROOFS, Edit, ProofKind, applied, plain
from handrec.repair.mend import DEEDS, SEVERAL, RepairGroup, Repairs, derivable, following, legal, repairs, safe_repairs
from handrec.repair.splice import FIXES, respelled, spliced

__all__ = [
    "ABSENT",
    "BUDGET",
    "DEEDS",
    "FIXES",
    "PROOFS",
    "SEVERAL",
    "Edit",
    "ProofKind",
    "RepairGroup",
    "Repairs",
    "applied",
    "derivable",
    "following",
    "legal",
    "plain",
    "repairs",
    "respelled",
    "safe_repairs",
    "spliced",
]
