"""LIN, the format of Bridge Base, read only: each board of a file is a record of contract bridge.

A file is pairs `tag|value|`, in capitals or not; line ends mean nothing anywhere. `pn` names the players, `md` holds dealer
and hands, `mb` calls, `pc` cards in the order of play, without their players; `up` takes cards back, `mc` is a claim of so
many tricks for declarer in all, `rs` the result, by board and room where `vg` says which boards there are. What a record
has no place for, such as the calls, is kept as text in its extensions.

Wherever the file contradicts itself (an auction, a claim or a result that cannot be), that is said, and nothing is put into
the record that is not certain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from handrec.formats import Format, Reading
from handrec.formats.lin.board import Board
from handrec.formats.lin.pairs import TAGS, pairs
from handrec.formats.lin.reading import reading
from handrec.formats.lin.writer import joined, write
from handrec.formats.strict import Places

__all__ = ["FORMAT", "read", "write"]


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each board of a file as a record of its own, in the order of the file."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    places, board = Places(name, text), Board(1)
    for pair in pairs(text):
        if board.is_over(pair):
            yield from reading(board, places)
            board = Board(board.count + board.begun, board.sheet)
        board.take(pair)
    if not (board.begun or board.defects) and board.count == 1:
        board.note(0, "there is no board in this file")
    yield from reading(board, places)


#: Two pairs with tags that are known.
OPENS = re.compile(rf"(?:\xef\xbb\xbf)?(?:\s*(?:{'|'.join(sorted(TAGS))})\|[^|]*\|){{2}}".encode("latin-1"), re.IGNORECASE)

FORMAT = Format(
    "lin", "LIN, the format of Bridge Base", read, lambda head: OPENS.match(head) is not None, write, many=True, join=joined
)
