"""The tags of PBN 2.1: their order, and what those that a record holds say there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}

#: These stand in every game, in this order.
MANDATORY = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring", "Declarer",
    "Contract", "Result",
)  # fmt: skip

#: And these, where there is something to say, in the order of the standard: of the game, its score, the players, the event,
#: dates and times, time control, and the rest.
SUPPLEMENTAL = (
    "Competition", "DealId", "Description", "FrenchMP", "Generator", "Hidden", "Room", "Termination",
    "OptimumScore", "ParContract", "Score", "ScoreIMP", "ScoreMP", "ScorePercentage", "ScoreRubber",
    "BidSystemEW", "BidSystemNS", "PairEW", "PairNS",
    "WestNA", "NorthNA", "EastNA", "SouthNA", "WestType", "NorthType", "EastType", "SouthType",
    "EventDate", "EventSponsor", "HomeTeam", "Round", "Section", "Stage", "Table", "VisitTeam",
    "Time", "UTCDate", "UTCTime", "TimeControl", "TimeCall", "TimeCard", "Annotator", "AnnotatorNA", "Application", "Mode",
)  # fmt: skip

#: Tags of our own: which of the others say only what follows from the calls and the play, and were stated by nobody; and, as
#: JSON, what else PBN has no tag for.
DERIVED, REST = "RecordDerived", "Record"
#: What the last may hold of a record and, in `deal`, of its deal.
OF_RECORD = ("$schema", "id", "options", "status", "claimed", "comments", "provenance", "extensions")
OF_DEAL = ("number", "board", "dealer", "vulnerable", "leader", "cards", "status", "pack", "aside", "claimed", "comments")

#: How the tags that are known are spelled, whatever their capitals.
SPELLED = {name.lower(): name for name in (*MANDATORY, *SUPPLEMENTAL, DERIVED, REST)}

#: Who is vulnerable: as a record says it, and as the standard does. It has other words too, which are read.
VULNERABLE = {"none": "None", "NS": "NS", "EW": "EW", "all": "All"}
VULNERABLE_READ = {written.lower(): said for said, written in VULNERABLE.items()} | {
    "love": "none", "-": "none", "both": "all", "n-s": "NS", "e-w": "EW",
}  # fmt: skip

#: What of the Scoring tag is an option of the game: boards of these have numbers that say nothing about dealer and vulnerability.
OPTIONS = {name: {"scoring": name, "boards": "free"} for name in ("rubber", "chicago")}

#: The tags of what a side scored, with the names that these numbers have in a record.
SCORES = {"Score": "score", "ScoreIMP": "imps", "ScoreMP": "matchpoints"}

OTHER = {"NS": "EW", "EW": "NS"}

_NUMBER = r"([+-]?[0-9]{1,9}(?:\.[0-9]*)?)"
_SIDED = re.compile(rf"(NS|EW)\s*{_NUMBER}(?:\s+(?!\1)(NS|EW)\s*{_NUMBER})?|{_NUMBER}", re.IGNORECASE)


def side_of(seat: str) -> str:
    """The side of a seat."""
    return "NS" if seat in "NS" else "EW"


@lru_cache(10_000)
def sided(text: str, declarer: str | None) -> dict[str, str] | None:
    """The numbers in a text such as `9`, which is the declarer's, `NS 9` or `NS 9 EW 4`, by side ("" if it is not known whose).

    None if it is no such text.
    """
    match = _SIDED.fullmatch(text.strip())
    if match is None:
        return None
    if match[5] is not None:
        return {side_of(declarer) if declarer else "": match[5]}
    return {side.upper(): number for side, number in ((match[1], match[2]), (match[3], match[4])) if side}


def in_sides(numbers: Mapping[str, int | str]) -> str:
    """Numbers of sides, as `sided` reads them."""
    return " ".join(f"{side} {numbers[side]}" for side in OTHER if side in numbers)


@lru_cache(10_000)
def amount(text: str, decimals: bool) -> int | str | None:
    """A number as a record has it: an int or, where `decimals` may be, its text; None if it can be neither."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return int(text)
    return text if decimals and re.fullmatch(r"-?[0-9]{1,9}\.[0-9]{1,4}", text) else None


def quoted(text: str) -> str:
    """A value in quotes, on one line."""
    return '"' + re.sub(r'([\\"])', r"\\\1", text.replace("\n", " ")) + '"'
