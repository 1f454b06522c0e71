"""The Auction section: its words into calls, each by the seat of its column, and what they came to.

The words stand in columns, one for each seat clockwise from the one the tag names. Dashes before the first call are seats
before the dealer; a later one is a call that nobody wrote down, `?`, if another comes after it. `^S` stands for a player who
was passed over, so that the next call is out of turn; `^I` before a call marks it as insufficient. `AP` is as many passes as are
left; `*` ends an auction that is not told to its end, and `+` says that it goes on.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, NamedTuple

from handrec.formats.boards import DOUBLE, LONGEST, PASS, REDOUBLE, SEATS, auction_result
from handrec.formats.pbn.games import Tag
from handrec.formats.pbn.remarks import CALL, INSUFFICIENT, PIECE, Note, Remarked, Remarks, Said
from handrec.formats.strict import shown

#: Calls as a record has them.
PASSED, UNHEARD = "pass", "?"
_CALLS = {"PASS": PASSED, "P": PASSED, "X": DOUBLE, "XX": REDOUBLE}
_BID = re.compile("[1-7](?:[CDHS]|NT?)", re.IGNORECASE)


class Heard(NamedTuple):
    """What an auction came to: a contract such as `3NTx` (empty if all passed), and its declarer."""

    bid: str
    declarer: str | None

    @property
    def strain(self) -> str:
        """The strain of the contract."""
        return self.bid[1:].rstrip("x")


def heard(calls: Sequence[tuple[str, str]]) -> Heard | None:
    """What calls, each with its seat before it, came to.

    None if they are not told to their end, or were not made in turn, or one of them is not known or cannot be.
    """
    if not calls or not all(call in _CALLS.values() or _BID.fullmatch(call) for _, call in calls):
        return None
    first = SEATS.index(calls[0][0])
    if any(seat != SEATS[(first + place) % len(SEATS)] for place, (seat, _) in enumerate(calls)):
        return None
    said, fault = auction_result([PASS if call == PASSED else call for _, call in calls])
    if said is None or fault:
        return None
    if not said.level:
        return Heard("", None)
    return Heard(said.bid, SEATS[(first + said.declarer) % len(SEATS)])


@dataclass
class WrittenCall(Remarked):
    """A call as it is written, by the seat in whose column it stands."""

    seat: int = 0
    bid: str = ""


@dataclass
class AuctionSection:
    """An Auction section as read.

    `end` is `*`, `+` or nothing, `opening` the comments before any call. `whole` says that `calls` holds all that is written.
    """

    tag: Tag
    note: Note
    calls: list[WrittenCall] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    end: str = ""
    whole: bool = True

    def __post_init__(self) -> None:
        self.noted = Remarks(CALL, self.tag.notes, self.note)
        self._turn = SEATS.index(self.tag.value.strip().upper())
        self._dashes: list[int] = []
        self._marked = False
        self._over = False
        for word in self.tag.words:
            if word.comment:
                self._remark(word.text)
                continue
            for piece in PIECE.finditer(word.text):
                self._take(word.at + piece.start(), piece[0])

    @property
    def events(self) -> list[dict[str, Any]]:
        """The calls as events of a record."""
        return [{"do": "bid", "by": SEATS[call.seat], "bid": call.bid} for call in self.calls]

    @property
    def said(self) -> list[tuple[str, str]]:
        """The calls with their seats."""
        return [(SEATS[call.seat], call.bid) for call in self.calls]

    def unsaid(self) -> list[Said]:
        """Comments on no call, and notes to which nothing refers."""
        return [{"text": text} for text in [*self.opening, *self.noted.unused()]]

    def _remark(self, text: str) -> None:
        if text and self.calls:
            self.calls[-1].said.append({"text": text})
        elif text:
            self.opening.append(text)

    def _take(self, at: int, piece: str) -> None:
        """Take a mark, a remark, the end, or a call."""
        upper = piece.upper()
        if piece[0] in "$!?=":
            self.noted.take(at, piece, self.calls[-1] if self.calls else None)
        elif piece == "-" and self._over:
            return
        elif self._over and not (piece == "*" and not self.end):
            if self.whole:
                self.note(at, f"{shown(piece)} stands after the end of the auction")
            self.whole = False
        elif piece in ("*", "+"):
            self.end, self._over = piece, True
        elif upper == "^S":
            self._columns(1)
        elif upper == INSUFFICIENT:
            self._marked = True
        elif piece[0] == "^":
            self.note(at, f"{piece} is no mark of a call; they are ^I, an insufficient bid, and ^S, a player passed over")
        elif piece == "-":
            self._dashes.append(at)
        elif upper == "AP":
            self._all_pass(at)
        else:
            self._call(at, piece)

    def _columns(self, many: int) -> None:
        """Go on some columns; dashes before were calls, if calls came before them."""
        dashes, self._dashes = self._dashes, []
        for at in dashes:
            if self.calls:
                self.calls.append(WrittenCall(at, seat=self._turn, bid=UNHEARD))
            self._turn = (self._turn + 1) % len(SEATS)
        self._turn = (self._turn + many) % len(SEATS)

    def _call(self, at: int, piece: str) -> None:
        self._columns(0)
        if len(self.calls) >= LONGEST:
            self.note(at, f"there are more than {LONGEST} calls")
            self.whole, self._over = False, True
            return
        call = _CALLS.get(piece.upper()) or (piece.upper() if _BID.fullmatch(piece) else None)
        if call is None:
            self.note(at, f"{shown(piece)} is no call")
            self.whole, call = False, UNHEARD
        said: list[Said] = [{"text": INSUFFICIENT}] if self._marked else []
        self.calls.append(WrittenCall(at, said=said, seat=self._turn, bid=call + "T" if call[-1] == "N" else call))
        self._marked = False
        self._columns(1)

    def _all_pass(self, at: int) -> None:
        """All passes that are due, after those that are written."""
        self._columns(0)
        passes = sum(1 for _ in takewhile(lambda call: call.bid == PASSED, reversed(self.calls)))
        due = (3 if len(self.calls) > passes else 4) - passes
        for _ in range(due):
            self.calls.append(WrittenCall(at, seat=self._turn, bid=PASSED))
            self._columns(1)
        self._over = True
