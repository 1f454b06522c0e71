"""Score sheets, CSV and TSV: what a scorekeeper keeps, a line for each deal; what is not written down is an empty cell.

    handrec,kbabs,"{""ladder"": ""down""}",complete     game, options, status; the line, or its end, may be missing
    line,deal,cards,trump,dealer,Ann (N) bid,Ann (N) tricks,Ann (N) points,Ann (N) total,…,remarks
    deal,1,13,S,Ann (N),3,4,-1,-1,…                     a player is NAME (SEAT), or only one of the two
    penalty,1,,,,,,-10,-11,…                            points taken in that deal, and the totals after them
    total,,,,,,,,-11,…,Winner: Bo (E)                   the whole game

Columns stand in any order, those that nobody filled may be missing, `line` too. Commas, semicolons and tabs are all read.
A dealer or winner is called as in the headings, by the seat, or by a name that nobody else has.
All numbers of a sheet are claims: they are what was written down, and are checked, not trusted.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_LE

from handrec.formats.sheet.cells import guarded
from handrec.formats.sheet.reader import read
from handrec.formats.sheet.writer import write

__all__ = ["guarded", "read", "sniff", "write"]


def sniff(head: bytes, tabs: bool = False) -> bool:
    """Whether a file begins like a sheet: with its first line or with headings."""
    if head.startswith(BOM_UTF16_LE):
        head = head.decode("utf-16", "replace").encode("utf-8", "replace")
    first = next((line for line in head.removeprefix(BOM_UTF8).splitlines() if line.strip(b",;\t\r ")), b"")
    return re.match(rb'"?(handrec|line|deal|sep=)"?[,;\t]', first, re.IGNORECASE) is not None and (b"\t" in first) == tabs
