"""Portable Bridge Notation (PBN 1.0 to 2.1): archives of bridge clubs and platforms, a record for each game; written as 2.1.

A game is tag pairs `[Name "value"]` up to an empty line. After the tags Auction and Play, and those of tables, more words
follow. Comments stand in braces or after a semicolon, anywhere; a line that begins with % is not read.

The words of both sections stand in columns, one for each seat clockwise from the one the tag names. Of the Play, each row is
a trick, led by the winner of the row before (see `handrec.formats.pbn.play`, and `handrec.formats.pbn.calls` for the calls). `-`
is no card, or one that is not known; `*` ends the play, the rest being claimed or conceded, and `+` says that it goes on.
`^R` before a card marks a revoke, `^L` a lead out of turn: marks of the transcriber, by whom nobody is accused.

The calls are events, each by its seat; a contract that a tag states is one more, after them, and whether the two agree is the
referee's to say. So it is with the result and the scores of sides. What is said of a call or a card is a comment there
(`handrec.formats.pbn.remarks`). A further table of a board may leave out what stands at the table before it: its Deal above all.

A game is a record whatever is wrong with it, unless there is too much of it; what cannot be read is said with its place, and
so is what was read and contradicts the rest. Of a game of another kind (`GameCode`), written so in PTN, the tags are kept.
How records are written, `handrec.formats.pbn.writer` says; what is written of what was read says the same, tags that are not
known included.
"""

from __future__ import annotations

import re

from handrec.formats import Format
from handrec.formats.pbn.reader import read
from handrec.formats.pbn.writer import join, write

__all__ = ["FORMAT", "read", "write"]

#: Escape lines, comments and empty lines may stand before the first tag; some files say in them what they are.
_BEGINS = re.compile(
    rb'(?:\xef\xbb\xbf)?(?:(?:[%;][^\n]*+\n|\s|\{[^}]*+\})*+\[\s*+[A-Za-z0-9_]++\s*+"|% ?PBN\b)',
    re.IGNORECASE,
)


def sniff(head: bytes) -> bool:
    """Whether a file begins like PBN."""
    return _BEGINS.match(head) is not None


FORMAT = Format("pbn", "Portable Bridge Notation", read, sniff, write, many=True, join=join)
