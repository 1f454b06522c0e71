"""The Play section: rows of cards into events.

A card is played by the seat of its column, whatever else is known. The first card of each row has the number of the row,
so that whoever looks for rows in wrong columns finds them as they stand. Within a row the cards stand in order of play, from
the seat that led: to the first trick the one that follows from the declarer (in an end position, and where there is none, the
seat of the first column), to a later one the seat marked as leading, else the winner of the row before. Where it is not
certain who that is, since a card before is not known or there is no contract, the cards stand in the order of their columns,
and the first says that they are `unordered`; the winner of such a row is known all the same where it is one whoever led.

A dash is a card that was not recorded, `??`, if in its row somebody plays after it; in the last row, it may also be no card.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal

from handrec.cards import FRENCH_52, RANKS, UNKNOWN, Order
from handrec.formats.boards import SEATS
from handrec.formats.pbn.games import Tag
from handrec.formats.pbn.remarks import CARD, PIECE, Note, Remarks, Said
from handrec.formats.pbn.words import Spots, leading
from handrec.formats.strict import shown
from handrec.record import Play

TRICKS = 13
SUITS = "SHDC"
#: The ranks as they are written, in capitals, and the cards.
WRITTEN = {"10": "T"} | {rank: rank for rank in RANKS}
_CARDS = {suit + mark: rank + suit for suit in SUITS for mark, rank in WRITTEN.items()}

#: The bits of the cards, -1 where one is not known.
_BITS = FRENCH_52.index | {UNKNOWN: -1, None: -1}

#: What the marks of a card mean in a record.
MARKS: dict[str, Literal["revoke", "lead"]] = {"R": "revoke", "L": "lead"}

#: The seats in turn, by who is first.
TURNS = tuple(tuple((first + step) % len(SEATS) for step in range(len(SEATS))) for first in range(len(SEATS)))

Hands = Mapping[int, Sequence[str]]

#: The columns of each row, and these in order of play, by which of them led.
ROWS = tuple(range(row * len(SEATS), (row + 1) * len(SEATS)) for row in range(TRICKS))
COLUMNS = tuple(tuple(tuple(row * len(SEATS) + place for place in turn) for turn in TURNS) for row in range(TRICKS))


@lru_cache(10_000)
def _played(seat: int, card: str | None, trick: int = 0, unordered: bool = False, mark: str = "") -> Play:
    """The event of a card, with the number of its trick if it is the first of it, else 0, and its mark."""
    noted = {"trick": trick, "unordered": unordered, "marked": MARKS.get(mark)}
    said = {"do": "play", "by": SEATS[seat], "card": card or UNKNOWN, **{name: value for name, value in noted.items() if value}}
    return Play.model_validate(said)


class PlaySection:
    """A Play section as read, then its tricks put in order.

    `cards` stand in its columns, in their order (None for a dash), some with `marks`; `plus` is the column of the mark `+`, and
    `spots` tells where a column stands. `end` is `*`, `+` or nothing. `events` are those of a record, each with its column in
    `places`; `remarks` are the comments on them by number, `opening` those before any card, `closing` those after the end.
    `won` counts the tricks whose winner is certain, by seat: each card is known, and stands in the column of whoever held it.
    `whole` says that the events hold every card that is written down.
    """

    def __init__(self, tag: Tag, note: Note) -> None:
        self.tag, self.note = tag, note
        self.end, self.end_at, self.whole = "", 0, True
        self.cards: list[str | None] = []
        self.marks: dict[int, str] = {}
        self.spots = Spots()
        self.events: list[Play] = []
        self.places: list[int] = []
        self.remarks: list[tuple[int, Said]] = []
        self.opening: list[str] = []
        self.closing: list[Said] = []
        self.won = [0] * len(SEATS)
        self.noted = Remarks(CARD, tag.notes or (), note)
        self.plus = -1
        self._seats: tuple[int, ...] = ()
        self._mark = ""
        self._late = False
        for text in tag.words or ():
            if text.comment:
                self._remark(text.text)
                continue
            for piece in PIECE.finditer(text.text, self._cards(text.at, text.text)):
                self._take(text.at + piece.start(), piece[0])
        if self._mark:
            self.note(self.end_at or self.tag.at, f"^{self._mark} stands before no card")

    def _cards(self, at: int, text: str) -> int:
        """Take all words at the beginning of a text that are cards, and nothing else; the place of what follows."""
        if self.end or self._mark:
            return 0
        cards, after = leading(text, _CARDS)
        self.spots.add(len(self.cards), at, text)
        self.cards += cards
        return after

    def _remark(self, text: str) -> None:
        if text and self.end == "*":
            self.closing.append({"text": text})
        elif text and self.cards:
            self.noted.say(len(self.cards) - 1, {"text": text})
        elif text:
            self.opening.append(text)

    def _take(self, at: int, piece: str) -> None:
        """Take a card, a mark, a remark, or the end."""
        card = _CARDS.get(piece.upper())
        if card and not self.end:
            self._column(at, piece, card)
        elif piece[0] == "^":
            self._marked(at, piece[1:].upper())
        elif piece[0] in "$!?=":
            self.noted.take(at, piece, len(self.cards) - 1)
        elif piece in ("*", "+") and self.end:
            self.note(at, f"the play is ended by {self.end} already")
        elif piece == "*":
            self.end, self.end_at = piece, at
        elif self.end == "*" or (self.end and len(self.cards) % len(SEATS) == 0):
            if not self._late and piece != "-":
                self.note(at, f"{shown(piece)} stands after the end of the play")
                self._late, self.whole = True, False
        else:
            self._column(at, piece, card)

    def _column(self, at: int, piece: str, card: str | None) -> None:
        if piece == "+":
            self.end, self.end_at, self.plus = piece, at, len(self.cards)
        elif card is None and piece != "-":
            turned = f" (the suit stands first: {piece[::-1].upper()})" if piece[::-1].upper() in _CARDS else ""
            self.note(at, f"{shown(piece)} is no card{turned}")
            self.whole = False
            card = UNKNOWN if piece.strip("-") else None
        if self._mark and card is None:
            self.note(at, f"^{self._mark} stands before no card")
        if self._mark:
            self.marks[len(self.cards)], self._mark = self._mark, ""
        self.spots.add(len(self.cards), at)
        self.cards.append(card)

    def _marked(self, at: int, mark: str) -> None:
        if mark not in MARKS:
            self.note(at, f"^{mark} is no mark of a card; they are ^R, a revoke, and ^L, a lead out of turn")
        elif self._mark:
            self.note(at, f"^{mark} stands after ^{self._mark} at the same card")
        else:
            self._mark = mark

    def unsaid(self) -> list[Said]:
        """Remarks on no card that is an event, and notes to which nothing refers."""
        rest = [said for _, remarks in sorted(self.noted.said.items()) for said in remarks]
        return [*({"text": text} for text in self.opening), *rest, *({"text": text} for text in self.noted.unused())]

    @property
    def begun(self) -> bool:
        """Whether a card is written down."""
        return any(self.cards)

    # --- in order of play ---

    def rows(self) -> list[range]:
        """The columns trick by trick, up to the last card."""
        last = len(self.cards)
        while last and not self.cards[last - 1]:
            last -= 1
        many = -(-last // len(SEATS))
        if many > TRICKS:
            self.note(self.spots.at(len(SEATS) * TRICKS), f"there are more than {TRICKS} tricks")
            self.whole = False
        rows = [*ROWS[:many]]
        if len(self.cards) < len(SEATS) * len(rows):
            rows[-1] = range(rows[-1].start, len(self.cards))
        return rows

    def order(self, first: int, leader: int, order: Order | None, hands: Hands) -> None:
        """Put the tricks in order; `first` is the seat of the first column, `leader` the one with the first lead.

        `hands` are those that are known in full.
        """
        rows, due, waiting = self.rows(), [leader], [leader]
        self._seats, cards = TURNS[first] * len(rows), self.cards[: len(rows) * len(SEATS)]
        sure = self._sure(first, cards, hands)
        bits = [_BITS[card] for card in cards]
        played = [*map(_played, self._seats, cards)]
        for number, row in enumerate(rows, 1):
            leads = self._leads(number, row, due) if self.marks else due
            known = len(leads) == 1
            columns: Sequence[int] = COLUMNS[number - 1][(leads[0] - first) % len(SEATS) if known else 0]
            if number == len(rows) or self.plus in row:
                columns = self._played([column for column in columns if column in row], known, number == len(rows))
            if self.marks and known and columns:
                self._revokes(columns, hands)
            self._row(number, columns, known, played)
            due = winners(bits[row.start : row.stop], first, leads, order)
            if len(due) == 1 and (sure is None or all(sure[row.start : row.stop])):
                self.won[due[0]] += 1
            short = known and len(columns) < len(SEATS)
            waiting = [seat for seat in TURNS[leads[0]] if all(self._seats[at] != seat for at in columns)] if short else []
        if self.end == "+" and (waiting or len(due) == 1):
            self._goes_on((waiting or due)[0], first, len(rows) - bool(rows and waiting))

    @staticmethod
    def _sure(first: int, cards: Sequence[str | None], hands: Hands) -> list[bool] | None:
        """Which cards stand in the columns of who held them, as far as hands are known; None if all do."""
        may = [frozenset(hands.get(seat, FRENCH_52.cards)) for seat in TURNS[first]]
        if all(held.issuperset(cards[place :: len(SEATS)]) for place, held in enumerate(may)):
            return None
        return [card in may[place % len(SEATS)] for place, card in enumerate(cards)]

    def _played(self, columns: list[int], known: bool, last: bool) -> list[int]:
        """The columns of a row, in order of play, but for those in which nobody played yet."""
        columns = [column for column in columns if column != self.plus]
        while last and columns and not self.cards[columns[-1]]:
            columns.pop()
        return [column for column in columns if not last or known or self.cards[column]]

    def _leads(self, number: int, row: range, due: list[int]) -> list[int]:
        """The seats that may have led to a row: that whose card is marked as led out of turn, if there is one, else those due."""
        marked = [column for column in row if self.marks.get(column) == "L"]
        for column in marked[1:]:
            self.note(self.spots.at(column), f"trick {number} has two leads marked as out of turn", "FMT017")
        leads = [self._seats[column] for column in marked[:1]]
        if leads == due:
            self.note(self.spots.at(marked[0]), f"^L marks a lead out of turn, but it was {SEATS[due[0]]}'s lead", "FMT017")
        return leads or due

    def _goes_on(self, seat: int, first: int, row: int) -> None:
        """See that the mark + stands where the next card is due, or alone in a row."""
        alone = self.plus % len(SEATS) == 0 and len(self.cards) == self.plus + 1
        if not alone and self.plus != row * len(SEATS) + (seat - first) % len(SEATS):
            self.note(self.end_at, f"+ does not stand where {SEATS[seat]} is to play", "FMT017")

    def _row(self, number: int, columns: Sequence[int], ordered: bool, played: Sequence[Play]) -> None:
        """The cards of a row as events, with what was noted of them; `played` are the events of all columns, without that."""
        seats, cards, said, marks = self._seats, self.cards, self.noted.said, self.marks
        events = [played[column] for column in columns]
        if columns:
            first = columns[0]
            events[0] = _played(seats[first], cards[first], number, not ordered, marks.get(first, "") if cards[first] else "")
        for place, column in enumerate(columns[1:] if marks else (), 1):
            if cards[column] and column in marks:
                events[place] = _played(seats[column], cards[column], 0, False, marks[column])
        for column in columns if said else ():
            self.remarks += [(len(self.places) + 1 + columns.index(column), each) for each in said.pop(column, ())]
        self.events += events
        self.places += columns

    def _revokes(self, columns: Sequence[int], hands: Hands) -> None:
        """See that a card marked as a revoke can be one: it does not follow suit, and its seat could have."""
        led = self.cards[columns[0]] or UNKNOWN
        for place, column in enumerate(columns):
            card, seat = self.cards[column], self._seats[column]
            if self.marks.get(column) != "R" or not card or UNKNOWN in (led, card):
                continue
            gone = {event.card for event in self.events if event.by == SEATS[seat]}
            could = [held for held in hands.get(seat, (led,)) if held[1] == led[1] and held not in gone]
            why = "it was led" if not place else "it follows suit" if card[1] == led[1] else ""
            if why or not could:
                why = why or f"{SEATS[seat]} had no card of the suit led"
                self.note(self.spots.at(column), f"^R marks a revoke, but {why}", "FMT017")


def winners(cards: list[int], first: int, leads: list[int], order: Order | None) -> list[int]:
    """The seats that may have won a trick if one of some seats led; all where that cannot be told.

    The cards are bits, -1 where one is not known, of the seat `first` and then of those after it.
    """
    if order is None or len(cards) < len(SEATS) or -1 in cards:
        return [*TURNS[0]]
    won = []
    for lead in leads:
        turn = (lead - first) % len(SEATS)
        won.append((lead + order.winner(cards[turn:] + cards[:turn])) % len(SEATS))
    return won if len(won) == 1 else sorted({*won})
