"""What the columns of a score sheet are called."""

from __future__ import annotations

#: A player's columns, with the claims that they hold.
PARTS = {"bid": "bids", "tricks": "tricks", "points": "scores", "total": "totals"}
#: The columns of a deal, before and behind those of the players.
FRONT = ("line", "deal", "cards", "trump", "dealer")
REMARKS = "remarks"
#: What stands in a line of each kind, besides what kind it is.
LINES = {
    "deal": (*FRONT, *PARTS, REMARKS),
    "penalty": ("deal", "points", "total", REMARKS),
    "total": ("total", REMARKS),
}
#: What else columns and lines are called.
SYNONYMS = {"score": "points", "books": "tricks", "sum": "total", "totals": "total", "penalties": "penalty", "no": "deal"}
