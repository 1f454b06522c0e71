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
from dataclasses import dataclass, field
from typing import Any, Literal

from handrec.cards import FRENCH_52, RANKS, UNKNOWN, Order
from handrec.formats.boards import SEATS
from handrec.formats.pbn.games import Tag
from handrec.formats.pbn.remarks import CARD, PIECE, Note, Remarked, Remarks, Said
from handrec.formats.strict import shown

TRICKS = 13
SUITS = "SHDC"
#: The ranks as they are written, in capitals, and the cards.
WRITTEN = {"10": "T"} | {rank: rank for rank in RANKS}
_CARDS = {suit + mark: rank + suit for suit in SUITS for mark, rank in WRITTEN.items()}

#: What the marks of a card mean in a record.
MARKS: dict[str, Literal["revoke", "lead"]] = {"R": "revoke", "L": "lead"}

Hands = Mapping[int, Sequence[str]]


@dataclass
class CardColumn(Remarked):
    """What stands in a column: a card (None for a dash), its marks, and what is said of it."""

    card: str | None = None
    marks: str = ""


@dataclass
class PlaySection:
    """A Play section as read, then its tricks put in order.

    `end` is `*`, `+` or nothing. `events` are those of a record, each with its place in `spots`; `remarks` are the comments
    on them by number, `opening` those before any card, `closing` those after the end.
    `won` counts the tricks whose winner is certain, by seat: each card is
    known, and stands in the column of whoever held it. `whole` says that the events hold every card that is written down.
    """

    tag: Tag
    note: Note
    end: str = ""
    end_at: int = 0
    columns: list[CardColumn] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)
    spots: list[int] = field(default_factory=list)
    remarks: list[tuple[int, Said]] = field(default_factory=list)
    opening: list[str] = field(default_factory=list)
    closing: list[Said] = field(default_factory=list)
    won: list[int] = field(default_factory=lambda: [0] * len(SEATS))
    whole: bool = True

    def __post_init__(self) -> None:
        self.noted = Remarks(CARD, self.tag.notes, self.note)
        self.plus = CardColumn(-1)
        self._marks: list[str] = []
        self._late = False
        for word in self.tag.words:
            if word.comment:
                self._remark(word.text)
                continue
            for piece in PIECE.finditer(word.text):
                self._take(word.at + piece.start(), piece[0])
        if self._marks:
            self.note(self.end_at or self.tag.at, f"^{self._marks[-1]} stands before no card")

    def _remark(self, text: str) -> None:
        if text and self.end == "*":
            self.closing.append({"text": text})
        elif text and self.columns:
            self.columns[-1].said.append({"text": text})
        elif text:
            self.opening.append(text)

    def _take(self, at: int, piece: str) -> None:
        """Take a mark, a remark, the end, or a card."""
        if piece[0] == "^":
            self._mark(at, piece[1:].upper())
        elif piece[0] in "$!?=":
            self.noted.take(at, piece, self.columns[-1] if self.columns else None)
        elif piece in ("*", "+") and self.end:
            self.note(at, f"the play is ended by {self.end} already")
        elif piece == "*":
            self.end, self.end_at = piece, at
        elif self.end == "*" or (self.end and len(self.columns) % len(SEATS) == 0):
            if not self._late and piece != "-":
                self.note(at, f"{shown(piece)} stands after the end of the play")
                self._late, self.whole = True, False
        else:
            self._column(at, piece)

    def _column(self, at: int, piece: str) -> None:
        column = CardColumn(at, card=_CARDS.get(piece.upper()), marks="".join(self._marks))
        if piece == "+":
            self.end, self.end_at, self.plus = piece, at, column
        elif column.card is None and piece != "-":
            self.note(at, f"{shown(piece)} is no card")
            self.whole = False
            column.card = UNKNOWN if piece.strip("-") else None
        if self._marks and column.card is None:
            self.note(at, f"^{self._marks[-1]} stands before no card")
        self._marks = []
        self.columns.append(column)

    def _mark(self, at: int, mark: str) -> None:
        if mark not in ("R", "L"):
            self.note(at, f"^{mark} is no mark of a card; they are ^R, a revoke, and ^L, a lead out of turn")
        elif self._marks:
            self.note(at, f"^{mark} stands after ^{self._marks[-1]} at the same card")
        else:
            self._marks.append(mark)

    def unsaid(self) -> list[Said]:
        """Remarks on no card that is an event, and notes to which nothing refers."""
        rest = [said for column in self.columns for said in column.said]
        return [*({"text": text} for text in self.opening), *rest, *({"text": text} for text in self.noted.unused())]

    @property
    def begun(self) -> bool:
        """Whether a card is written down."""
        return any(column.card for column in self.columns)

    # --- in order of play ---

    def rows(self) -> list[list[CardColumn]]:
        """The columns trick by trick, up to the last card."""
        last = max((place for place, column in enumerate(self.columns, 1) if column.card), default=0)
        rows = [self.columns[start : start + len(SEATS)] for start in range(0, last, len(SEATS))]
        if len(rows) > TRICKS:
            self.note(rows[TRICKS][0].at, f"there are more than {TRICKS} tricks")
            self.whole = False
        return rows[:TRICKS]

    def order(self, first: int, leader: int, order: Order | None, hands: Hands) -> None:
        """Put the tricks in order; `first` is the seat of the first column, `leader` the one with the first lead.

        `hands` are those that are known in full.
        """
        rows, due, waiting = self.rows(), [leader], [leader]
        for number, row in enumerate(rows, 1):
            table = {(first + place) % len(SEATS): column for place, column in enumerate(row)}
            marked = self._marked(number, table)
            leads = marked or due
            if marked == due:
                self.note(table[due[0]].at, f"^L marks a lead out of turn, but it was {SEATS[due[0]]}'s lead", "FMT017")
            known = len(leads) == 1
            turns = [((leads[0] if known else first) + step) % len(SEATS) for step in range(len(SEATS))]
            plays = [(seat, table[seat]) for seat in turns if seat in table and table[seat] is not self.plus]
            while number == len(rows) and plays and not plays[-1][1].card:
                plays.pop()
            if number == len(rows) and not known:
                plays = [(seat, column) for seat, column in plays if column.card]
            self._row(number, plays, known, hands)
            due = self.winners(dict(plays), leads, order)
            if len(due) == 1 and all(column.card in hands.get(seat, (column.card,)) for seat, column in plays):
                self.won[due[0]] += 1
            waiting = [seat for seat in turns if seat not in dict(plays)] if known else []
        if self.end == "+" and (waiting or len(due) == 1):
            self._goes_on((waiting or due)[0], first, len(rows) - bool(rows and waiting))

    def _marked(self, number: int, table: dict[int, CardColumn]) -> list[int]:
        """The seat whose card is marked as led out of turn, if there is one."""
        marked = [seat for seat, column in table.items() if "L" in column.marks]
        for seat in marked[1:]:
            self.note(table[seat].at, f"trick {number} has two leads marked as out of turn", "FMT017")
        return marked[:1]

    def _goes_on(self, seat: int, first: int, row: int) -> None:
        """See that the mark + stands where the next card is due, or alone in a row."""
        place = next(place for place, column in enumerate(self.columns) if column is self.plus)
        alone = place % len(SEATS) == 0 and len(self.columns) == place + 1
        if not alone and place != row * len(SEATS) + (seat - first) % len(SEATS):
            self.note(self.end_at, f"+ does not stand where {SEATS[seat]} is to play", "FMT017")

    def _row(self, number: int, plays: list[tuple[int, CardColumn]], ordered: bool, hands: Hands) -> None:
        """The cards of a row as events, with what was noted of them."""
        if ordered and plays:
            self._revokes(plays, hands)
        for place, (seat, column) in enumerate(plays):
            noted: dict[str, Any] = {} if place else {"trick": number}
            noted |= {} if place or ordered else {"unordered": True}
            noted |= {"marked": MARKS[column.marks[0]]} if column.marks and column.card else {}
            self.events.append({"do": "play", "by": SEATS[seat], "card": column.card or UNKNOWN, **noted})
            self.spots.append(column.at)
            self.remarks += [(len(self.events), said) for said in column.said]
            column.said = []

    def _revokes(self, plays: list[tuple[int, CardColumn]], hands: Hands) -> None:
        """See that a card marked as a revoke can be one: it does not follow suit, and its seat could have."""
        led = plays[0][1].card or UNKNOWN
        for place, (seat, column) in enumerate(plays):
            if not column.marks.startswith("R") or not column.card or UNKNOWN in (led, column.card):
                continue
            gone = {event["card"] for event in self.events if event["by"] == SEATS[seat]}
            could = [card for card in hands.get(seat, (led,)) if card[1] == led[1] and card not in gone]
            why = "it was led" if not place else "it follows suit" if column.card[1] == led[1] else ""
            if why or not could:
                why = why or f"{SEATS[seat]} had no card of the suit led"
                self.note(column.at, f"^R marks a revoke, but {why}", "FMT017")

    @staticmethod
    def winners(row: dict[int, CardColumn], leads: list[int], order: Order | None) -> list[int]:
        """The seats that may have won a trick, if one of some seats led; all where that cannot be told."""
        seats = range(len(SEATS))
        cards = [row[seat].card for seat in seats if seat in row]
        bits = [FRENCH_52.index[card] for card in cards if card in FRENCH_52.index]
        if order is None or len(bits) < len(SEATS):
            return [*seats]
        return sorted({(lead + order.winner(bits[lead:] + bits[:lead])) % len(SEATS) for lead in leads})
