"""The Auction section: its words into calls, each by the seat of its column, and what they came to.

The words stand in columns, one for each seat clockwise from the one the tag names. Dashes before the first call are seats
before the dealer; a later one is a call that nobody wrote down, `?`, if another comes after it. `^S` stands for a player who
was passed over, so that the next call is out of turn; `^I` before a call marks it as insufficient. `AP` is as many passes as are
left; `*` ends an auction that is not told to its end, and `+` says that it goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import cycle, islice, takewhile
from typing import NamedTuple

from handrec.formats.boards import LONGEST, SEATS
from handrec.formats.pbn.games import Tag
from handrec.formats.pbn.remarks import CALL, INSUFFICIENT, PIECE, Note, Remarks, Said
from handrec.formats.pbn.words import Spots, leading
from handrec.formats.strict import shown
from handrec.phases.bidding import CALLS, DOUBLE, PASS, REDOUBLE, UNKNOWN, came_to
from handrec.record import Bid

#: The calls by how they are written, in capitals.
_WRITTEN = {call.upper(): call for call in CALLS} | {f"{level}N": f"{level}NT" for level in range(1, 8)} | {"P": PASS}
#: How high each bid is.
_HEIGHT = {call: height for height, call in enumerate(CALLS) if call[0].isdigit()}
_RISKS = ("", DOUBLE.lower(), REDOUBLE.lower())


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
    first = SEATS.index(calls[0][0]) if calls else 0
    if any(seat != SEATS[(first + place) % len(SEATS)] for place, (seat, _) in enumerate(calls)):
        return None
    outcome = came_to(tuple([call for _, call in calls]))
    if outcome is None or not outcome.level:
        return outcome and Heard("", None)
    bid = f"{outcome.level}{outcome.strain}{_RISKS[outcome.risk]}"
    return Heard(bid, SEATS[(first + (outcome.declarer or 0)) % len(SEATS)])


@cache  # of four times the calls that there are
def called(seat: str, call: str) -> Bid:
    """The event of a call."""
    return Bid.model_validate({"do": "bid", "by": seat, "bid": call})


class AuctionSection:
    """An Auction section as read.

    `calls` are those that are written, each by the seat in whose column it stands, and `spots` tells their places. `end` is `*`,
    `+` or nothing, `opening` the comments before any call. `whole` says that `calls` holds all that is written.
    """

    def __init__(self, tag: Tag, note: Note) -> None:
        self.tag, self.note = tag, note
        self.calls: list[tuple[str, str]] = []
        self.spots = Spots()
        self.opening: list[str] = []
        self.end, self.whole = "", True
        self.noted = Remarks(CALL, tag.notes or (), note)
        self._turn = SEATS.index(tag.value.strip().upper())
        self._dashes: list[int] = []
        self._marked = False
        self._over = False
        for text in tag.words or ():
            if text.comment:
                self._remark(text.text)
                continue
            for piece in PIECE.finditer(text.text, self._calls(text.at, text.text)):
                self._take(text.at + piece.start(), piece[0])

    @property
    def events(self) -> list[Bid]:
        """The calls as events of a record."""
        return [called(seat, call) for seat, call in self.calls]

    def unsaid(self) -> list[Said]:
        """Comments on no call, and notes to which nothing refers."""
        return [{"text": text} for text in [*self.opening, *self.noted.unused()]]

    def _calls(self, at: int, text: str) -> int:
        """Take all words at the beginning of a text that are calls, and nothing else; the place of what follows."""
        calls, after = leading(text, _WRITTEN)
        if self._over or self._dashes or self._marked or len(self.calls) + len(calls) > LONGEST:
            return 0
        self.spots.add(len(self.calls), at, text)
        self.calls += zip(islice(cycle(SEATS), self._turn, None), calls, strict=False)
        self._turn = (self._turn + len(calls)) % len(SEATS)
        return after

    def _remark(self, text: str) -> None:
        if text and self.calls:
            self.noted.say(len(self.calls) - 1, {"text": text})
        elif text:
            self.opening.append(text)

    def _take(self, at: int, piece: str) -> None:
        """Take a call, a mark, a remark, or the end."""
        upper = piece.upper()
        if upper in _WRITTEN and not self._over:
            self._call(at, _WRITTEN[upper])
        elif piece[0] in "$!?=":
            self.noted.take(at, piece, len(self.calls) - 1)
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
        elif self._call(at, UNKNOWN):
            self.note(at, f"{shown(piece)} is no call")
            self.whole = False

    def _columns(self, many: int) -> None:
        """Go on some columns; dashes before were calls, if calls came before them."""
        dashes, self._dashes = self._dashes, []
        for at in dashes:
            if self.calls:
                self._put(at, UNKNOWN)
            else:
                self._turn = (self._turn + 1) % len(SEATS)
        self._turn = (self._turn + many) % len(SEATS)

    def _put(self, at: int, call: str) -> None:
        self.spots.add(len(self.calls), at)
        self.calls.append((SEATS[self._turn], call))
        self._turn = (self._turn + 1) % len(SEATS)

    def _call(self, at: int, call: str) -> bool:
        """Take a call; whether there are not too many."""
        if self._dashes:
            self._columns(0)
        if len(self.calls) >= LONGEST:
            self.note(at, f"there are more than {LONGEST} calls")
            self.whole, self._over = False, True
            return False
        if self._marked:
            self._insufficient(at, call)
            self.noted.say(len(self.calls), {"text": INSUFFICIENT})
            self._marked = False
        self._put(at, call)
        return True

    def _insufficient(self, at: int, call: str) -> None:
        """See that a call marked as an insufficient bid can be one: some bid before it is as high."""
        before = [bid for _, bid in self.calls]
        highest = max((_HEIGHT.get(bid, 0) for bid in before), default=0)
        if UNKNOWN not in (call, *before) and not 0 < _HEIGHT.get(call, 0) <= highest:
            why = "it is higher than every bid before it" if call in _HEIGHT else f"{shown(call)} is no bid"
            self.note(at, f"^I marks an insufficient bid, but {why}", "FMT017")

    def _all_pass(self, at: int) -> None:
        """All passes that are due, after those that are written."""
        self._columns(0)
        passes = sum(1 for _ in takewhile(lambda call: call[1] == PASS, reversed(self.calls)))
        due = (3 if len(self.calls) > passes else 4) - passes
        for _ in range(due):
            self._put(at, PASS)
        self._over = True
