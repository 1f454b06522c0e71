"""Richard's Bridge Notation (`.rbn`), deals only: who holds what, whose deal it is, and who is vulnerable.

A line is a letter, a space, and what it says; an empty line ends a deal. Of the letters three are read and written:

    B 7                                the board, here a number
    H N:AK.T92..Q8:QJ:…:               the hands clockwise from the seat named, each S.H.D.C; x is a card nobody noted
    A EZ:                              dealer, and Z none, N, E or B both vulnerable, or ?; then the calls

A fourth hand that is empty has the cards left over; `B` and `H` hold until others are named. The calls and all other lines are
kept as they stand, under `extensions`; remarks in braces and lines that begin with `%` are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from handrec.cards import FRENCH_52
from handrec.findings import Finding, Location
from handrec.formats import Format, Reading, Unwritable
from handrec.formats.boards import SEATS, excerpt
from handrec.formats.strict import shown
from handrec.limits import MAX_DDS_LINE, MAX_DEALS
from handrec.record import Deal, Record
from handrec.referee.form import FORM

SUITS, RANKS = "SHDC", "AKQJT98765432"
#: Who is vulnerable, by its letter.
VULNERABLE = {"Z": "none", "N": "NS", "E": "EW", "B": "all"}
LABEL = re.compile(r"([A-Z0-9]) (.*)")
HANDS = re.compile(r"([NESW]):(.*)")
OPENS = re.compile(r"([NESW])([ZNEB?]):")

Lines = dict[str, tuple[int, str]]  # by letter: the number of the line, and what it says


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each deal of a file as a record of its own."""
    held: Lines = {}
    for count, (lines, strange) in enumerate(_blocks(data), 1):
        held |= {letter: lines[letter] for letter in "BH" if letter in lines}
        yield _reading(name, count, held | lines, strange)


def _blocks(data: bytes) -> Iterator[tuple[Lines, list[tuple[int, str]]]]:
    """The lines of each deal, and those that are none. Latin-1 has a character for any byte, so that columns count bytes."""
    lines: Lines = {}
    strange: list[tuple[int, str]] = []
    remark = False
    for number, raw in enumerate(BytesIO(data), 1):
        text = raw.rstrip(b" \r\n").decode("latin-1")
        if remark or text.startswith("{"):
            remark = not text.endswith("}")
        elif not text and (lines or strange):
            yield lines, strange
            lines, strange = {}, []
        elif (match := LABEL.fullmatch(text[: MAX_DDS_LINE + 1])) and len(text) <= MAX_DDS_LINE and match[1] not in lines:
            lines[match[1]] = number, match[2]
        elif text and not text.startswith("%"):
            strange.append((number, text))
    if lines or strange:
        yield lines, strange


def _reading(name: str, count: int, lines: Lines, strange: list[tuple[int, str]]) -> Reading:
    """A deal as a record, and what cannot be read of its lines."""
    faults = [(number, 1, f"{shown(text)} is no line of a deal, or stands there for the second time") for number, text in strange]
    first = min([number for number, _ in lines.values()] + [number for number, _ in strange])
    deal: dict[str, Any] = {}
    if "H" in lines:
        try:
            deal["hands"] = _hands(lines["H"][1])
        except _Unread as unread:
            faults.append((lines["H"][0], unread.column + 2, str(unread)))
    else:
        faults.append((first, 1, "the deal has no line H with its hands"))
    left = {letter: text for letter, (_, text) in lines.items() if letter not in "BHA"}
    if "B" in lines:
        board = lines["B"][1]
        if re.fullmatch("[1-9][0-9]{0,3}", board) and int(board) <= MAX_DEALS:
            deal |= {"number": int(board), "board": int(board)}
        else:
            left["B"] = board
    if "A" in lines:
        opens = OPENS.match(lines["A"][1])
        if opens:
            deal["dealer"] = opens[1]
            deal |= {"vulnerable": VULNERABLE[opens[2]]} if opens[2] in VULNERABLE else {}
        if (calls := lines["A"][1][opens.end() if opens else 0 :]) != "":
            left["A"] = calls
    findings = tuple(
        Finding(FORM["FMT001"], {"why": why}, deal=count, location=Location(name, *place)) for *place, why in sorted(faults)
    )

    def locate(pointer: str) -> Location:
        return Location(name, lines["H"][0] if "/hands" in pointer else first, 1)

    record = excerpt(name, count, [Deal.model_validate(deal)], {"rbn": left} if left else {}) if "hands" in deal else None
    return Reading(record, findings, locate)


class _Unread(ValueError):
    """What stands at a column, from 1, cannot be read."""

    def __init__(self, column: int, why: str) -> None:
        super().__init__(why)
        self.column = column


def _hands(text: str) -> dict[str, list[str]]:
    """The hands that are known."""
    match = HANDS.fullmatch(text)
    if match is None:
        raise _Unread(1, "the hands are not a seat, a colon and hands with colons between")
    hands = match[2].split(":")
    if len(hands) > len(SEATS):
        raise _Unread(1, f"these are {len(hands)} hands")
    found: dict[str, list[str]] = {}
    column = match.start(2) + 1
    for turn, hand in enumerate(hands, SEATS.index(match[1])):
        suits = hand.split(".")
        if len(suits) > len(SUITS):
            raise _Unread(column, f"{shown(hand)} is more than four suits")
        for place, mark in enumerate(hand):
            if mark not in RANKS + "x.":
                raise _Unread(column + place, f"{shown(mark)} is no rank")
        cards = [("?" if rank == "x" else rank) + suit for suit, ranks in zip(SUITS, suits, strict=False) for rank in ranks]
        if cards:
            found[SEATS[turn % len(SEATS)]] = cards
        column += len(hand) + 1
    if len(hands) == len(SEATS) and not hands[3] and [len(cards) for cards in found.values()] == [13] * 3:
        dealt = {card for cards in found.values() for card in cards}
        last = SEATS[(SEATS.index(match[1]) + 3) % len(SEATS)]
        found[last] = [rank + suit for suit in SUITS for rank in RANKS if rank + suit not in dealt]
    return {seat: found[seat] for seat in SEATS if seat in found}


def write(record: Record) -> str:
    """The deals of a record. Raises `Unwritable` if it is not of bridge, or no hand of a deal is known."""
    if record.game != "bridge" or [player.seat for player in record.players] != [*SEATS]:
        raise Unwritable("it is no record of bridge with the seats N E S W")
    return "".join(map(_written, record.deals))


def _written(deal: Deal) -> str:
    """The lines of a deal; hands that are not known are empty, and none follow the last that is."""
    hands = ["" if not (deal.hands or {}).get(seat) else _hand((deal.hands or {})[seat]) for seat in SEATS]
    while hands and not hands[-1]:
        hands.pop()
    if not hands:
        raise Unwritable("no hand of a deal is known")
    letters = {who: letter for letter, who in VULNERABLE.items()}
    lines = [] if deal.board is None else [f"B {deal.board}"]
    lines.append(f"H N:{':'.join(hands)}")
    if deal.dealer in SEATS:
        lines.append(f"A {deal.dealer}{letters.get(deal.vulnerable or '', '?')}:")
    return "\n".join(lines) + "\n\n"


def _hand(cards: list[str]) -> str:
    """A hand, suit by suit."""
    if not all(card in FRENCH_52.index or (card[0] == "?" and card[1:] in SUITS) for card in cards):
        raise Unwritable("of a card it is not known what suit it is, or only that")
    ranked = sorted(cards, key=lambda card: (RANKS + "?").index(card[0]))
    return ".".join("".join("x" if card[0] == "?" else card[0] for card in ranked if card[1] == suit) for suit in SUITS)


FORMAT = Format(
    key="rbn",
    title="Richard's Bridge Notation, deals only",
    read=read,
    write=write,
    many=True,
    sniff=lambda data: re.match(rb"% RBN\b|B [0-9]+\r?\nH [NESW]:|H [NESW]:", data) is not None,
)
