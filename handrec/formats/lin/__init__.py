"""LIN, the format of Bridge Base: each board of a file is a record of contract bridge.

A file is pairs `tag|value|`, in capitals or not; line ends mean nothing anywhere. `pn` names the players, `md` holds dealer
and hands, `sv` who is vulnerable, `ah` or `qx` the board's number, `mb` calls, with `!` where one was alerted and `an` for what
it means, `pc` cards in the order of play, without their players; `up` takes cards back, `mc` is a claim of so many tricks for
declarer in all, `nt` a comment, `rs` the result, by board and room where `vg` says which boards there are. All other pairs are
kept as `extensions.lin`: a list of `[tag, value]` for those before the hands, of `[tag, value, n]` for those after `n` events.

What a file states stands in the record, and whether it agrees is for the referee. What cannot be read is said, and so are a call
after the first card and a claim that cannot be.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterator

from handrec.formats import Format, Reading
from handrec.formats.boards import numbered
from handrec.formats.lin.board import Board
from handrec.formats.lin.links import links_in, sniff
from handrec.formats.lin.pairs import TAGS, pairs
from handrec.formats.lin.reading import reading
from handrec.formats.lin.writer import joined, write
from handrec.formats.strict import Places

__all__ = ["FORMAT", "read", "write"]


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each board of a file, or of the links in it, as a record of its own, in the order of the file."""
    return numbered(_read(data, name))


def _read(data: bytes, name: str) -> Iterator[Reading]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if not sniff(text[:HEAD]):
        yield from _boards(text, Places(name, text), Board(1))
        return
    count = 1
    for each in links_in(text):
        board = Board(count)
        for at, why in each.defects:
            board.note(at, why)
        for found in _boards(each.text, each.places(name, text), board):
            count += found.record is not None
            yield found


def _boards(text: str, places: Places, board: Board) -> Iterator[Reading]:
    """The boards of a text, the first of which has been begun."""
    first = board.count
    for pair in pairs(text):
        if board.is_over(pair):
            yield from reading(board, places)
            board = Board(board.count + board.begun, board.sheet)
        board.take(pair)
    if not (board.begun or board.defects) and board.count == first:
        board.note(0, "there is no board in this file")
    yield from reading(board, places)


#: So much of a file tells what it is.
HEAD = 4096

#: Two pairs with tags that are known.
OPENS = re.compile(rf"(?:\xef\xbb\xbf)?(?:\s*(?:{'|'.join(sorted(TAGS))})\|[^|]*\|){{2}}".encode("latin-1"), re.IGNORECASE)


def _sniff(head: bytes) -> bool:
    return OPENS.match(head) is not None or sniff(head[:HEAD].removeprefix(BOM_UTF8).decode("latin-1"))


FORMAT = Format("lin", "LIN, the format of Bridge Base", read, _sniff, write, many=True, join=joined)
