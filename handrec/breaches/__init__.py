"""Faults of a record, one function each: it takes a faultless record as plain data and breaks exactly one thing.

Each returns False if this record offers no place for its fault. None of them asks the referee: that what they do breaks
one rule and no other follows from how they do it.
"""

from __future__ import annotations

from handrec.breaches import bids, deals, plays, results
from handrec.breaches.base import BREACHES, RECKONED, Breach

__all__ = ["BREACHES", "RECKONED", "Breach", "bids", "deals", "plays", "results"]
