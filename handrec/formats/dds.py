"""The lists of deals that come with the double-dummy solver DDS (`list1000.txt`), and lists of deals to be solved.

`NUMBER n`, then seven lines for each deal. Two of them tell what happened: `PBN dealer vulnerability trump leader
"N:S.H.D.C …"`, the hands clockwise from the seat named, all else in numbers; and `PLAY n "CTC4CA…"`, the cards in order, two
characters each, without their players. A play list that ends early is a claim. The other five are the solver's; of these
`TRACE` has one number more than there are cards played, but no more than 49 (the last trick plays itself), and so bears
witness to the length of the play list.

A list of deals to be solved has none of the solver's lines; so it is written. It needs all four hands, dealer, vulnerability,
trump and who leads; calls, the level of the contract, names and whatever else a record says have no place in it.

A deal is read if its PBN and its PLAY line are; whatever else is wrong with it is said, and reading goes on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import BytesIO
from itertools import chain
from typing import Any, NamedTuple

from handrec.cards import UNKNOWN
from handrec.findings import Finding, Location
from handrec.formats import Format, Reading, Unwritable
from handrec.formats.boards import SEATS, excerpt
from handrec.formats.strict import shown
from handrec.limits import MAX_DDS_LINE, MAX_DEALS
from handrec.phases.bidding import came_to
from handrec.record import Deal, Record
from handrec.referee.form import FORM

SUITS = ("S", "H", "D", "C")
RANKS = "AKQJT98765432"
#: What the numbers of a PBN line count out, in their order.
NUMBERS = {"dealer": SEATS, "vulnerability": ("none", "both", "NS", "EW"), "trump": (*SUITS, "NT"), "leader": SEATS}

NUMBER = re.compile(r"NUMBER +([0-9]+)")
CARD = re.compile(f"[SHDC][{RANKS}]")
#: The lines of a deal in their order: what each looks like, to us and in words.
LINES = {
    "PBN": (re.compile("PBN" + ' +([^ "]+)' * 4 + ' +"([^"]*)"'), 'PBN dealer vulnerability trump leader "hands"'),
    "FUT": (re.compile(r"FUT +([0-9]+)((?: +[0-9]+)*)"), "FUT n and numbers"),
    "TABLE": (re.compile(r"TABLE(?: +[0-9]+){20}"), "TABLE and 20 numbers"),
    "PAR": (re.compile(r'PAR(?: +"[ !#-~]*")+'), "PAR and texts in quotation marks"),
    "PAR2": (re.compile(r'PAR2(?: +"[ !#-~]*")+'), "PAR2 and texts in quotation marks"),
    "PLAY": (re.compile(r'PLAY +([0-9]+) +"([^"]*)"'), 'PLAY n "cards"'),
    "TRACE": (re.compile(r"TRACE +([0-9]+)((?: +[0-9]+)*)"), "TRACE n and n numbers"),
}
KINDS = tuple(LINES)
#: What only a deal that was solved has.
SOLVED = [kind for kind in KINDS if kind not in ("PBN", "PLAY")]
#: What the list calls it if all are vulnerable, and we.
BOTH, ALL = "both", "all"


class DdsLine(NamedTuple):
    """A line of the file, without the space at its end."""

    number: int
    kind: str
    text: str


Hand = list[tuple[str, int]]  # each card with its column


class Opening(NamedTuple):
    """A PBN line as read."""

    dealer: str | None
    vulnerability: str | None
    trump: str
    leader: str
    hands: dict[str, Hand]


def read(data: bytes, name: str) -> Iterator[Reading]:
    """Each deal of a list as a record of its own, in the order of the file."""
    lines = _lines(data)
    first = next(lines, DdsLine(1, "", ""))
    stated = NUMBER.fullmatch(first.text[:MAX_DDS_LINE])
    if stated is None:
        yield _loose(name, first, 1, "the file does not begin with NUMBER and the number of its deals")
        lines = chain([first] if first.kind in KINDS else [], lines)
    count = 0
    for block in _blocks(lines):
        if any(line.kind in KINDS for line in block):
            count += 1
            yield _Deal(name, count, block).reading()
        else:
            yield _loose(name, block[0], 1, f"{shown(block[0].kind)} is no line of a deal")
    if stated is not None and int(stated[1]) != count:
        yield _loose(name, first, stated.start(1) + 1, f"NUMBER says {stated[1]} deals, but there are {count}")


def _loose(name: str, line: DdsLine, column: int, why: str) -> Reading:
    """A defect that is no deal's."""
    location = Location(name, line.number, column)
    return Reading(None, (Finding(FORM["FMT001"], {"why": why}, location=location),), lambda pointer: location)


def _lines(data: bytes) -> Iterator[DdsLine]:
    """The lines that are not empty. Latin-1 has a character for any byte, so that columns count bytes."""
    for number, raw in enumerate(BytesIO(data), 1):
        text = raw.rstrip(b" \r\n")[: MAX_DDS_LINE + 1].decode("latin-1")
        if text:
            yield DdsLine(number, text.partition(" ")[0], text)


def _blocks(lines: Iterator[DdsLine]) -> Iterator[list[DdsLine]]:
    """The lines deal by deal. What follows a TRACE line is another deal even where its PBN line is spoilt."""
    block: list[DdsLine] = []
    for line in lines:
        if block and (line.kind == "PBN" or block[-1].kind == "TRACE"):
            yield block
            block = []
        block.append(line)
    if block:
        yield block


class _Deal:
    """One deal while it is read: its lines by kind, and those of them that have their form."""

    def __init__(self, name: str, number: int, block: list[DdsLine]) -> None:
        self.name, self.number, self.block = name, number, block
        self.defects: list[tuple[int, int, str]] = []
        self.lines = self.arranged()
        self.matches = {kind: match for kind, line in self.lines.items() if (match := self.matched(line))}

    def note(self, line: DdsLine, column: int, why: str) -> None:
        """Write down a defect."""
        self.defects.append((line.number, column, why))

    def reading(self) -> Reading:
        """The deal's record, if it can be made out, and everything wrong with its lines."""
        opening = self.opening() if "PBN" in self.matches else None
        cards = self.cards() if "PLAY" in self.matches else None
        self.counts(cards)
        self.missing()
        findings = tuple(
            Finding(FORM["FMT001"], {"why": why}, deal=self.number, location=Location(self.name, line, column))
            for line, column, why in sorted(self.defects)
        )
        if opening is None or cards is None:
            return Reading(None, findings, lambda pointer: Location(self.name, self.block[0].number, 1))
        hands, plays = opening.hands, range(len(cards))

        def locate(pointer: str) -> Location:
            pbn, play, first = self.lines["PBN"].number, self.lines["PLAY"].number, self.matches["PLAY"].start(2) + 1
            places = {f"/deals/0/events/{place + 1}": (play, first + 2 * place) for place in plays}
            for seat, hand in hands.items():
                places |= {f"/deals/0/hands/{seat}/{place}": (pbn, column) for place, (_, column) in enumerate(hand)}
            return Location(self.name, *(places.get(pointer) or places.get(pointer.rpartition("/")[0]) or (pbn, 1)))

        return Reading(self.record(opening, cards), findings, locate)

    def arranged(self) -> dict[str, DdsLine]:
        """The lines that stand in their order; others are one defect where they stand together."""
        lines: dict[str, DdsLine] = {}
        misplaced, last = False, -1
        for line in self.block:
            place = KINDS.index(line.kind) if line.kind in KINDS else -1
            if place > last:
                lines[line.kind], misplaced, last = line, False, place
            elif not misplaced:
                what = f"the {line.kind} line is out of place" if place >= 0 else f"{shown(line.kind)} is no line of a deal"
                self.note(line, 1, what)
                misplaced = True
        return lines

    def matched(self, line: DdsLine) -> re.Match[str] | None:
        """The line as its kind should look, or None."""
        pattern, form = LINES[line.kind]
        match, strange = pattern.fullmatch(line.text), re.search(r"[^ -~]", line.text)
        if len(line.text) > MAX_DDS_LINE:
            self.note(line, MAX_DDS_LINE + 1, f"the line is longer than {MAX_DDS_LINE} characters")
            return None
        if match is None and strange:
            self.note(line, strange.start() + 1, f"byte 0x{ord(strange[0]):02X} is no printable ASCII")
        elif match is None:
            self.note(line, 1, f"the line is not of the form {form}")
        return match

    def missing(self) -> None:
        """Say which lines are missing, unless a line that is out of place, misspelt or torn off accounts for that."""
        missing, last = [kind for kind in KINDS if kind not in self.lines], self.block[-1]
        missing = [] if missing == SOLVED else missing
        torn = any(line == last.number for line, _, _ in self.defects)
        if not missing or torn or len(self.lines) < len(self.block):
            return
        what = f"no {' and no '.join(missing)} line"
        later = [self.lines[kind] for kind in KINDS[KINDS.index(missing[0]) :] if kind in self.lines]
        if later:
            self.note(later[0], 1, f"the deal has {what}")
        else:
            self.note(last, len(last.text) + 1, f"the deal is cut off: it has {what}")

    def counts(self, cards: list[str] | None) -> None:
        """Compare what the solver's lines say with the numbers that follow, and TRACE with the play."""
        for kind, times in (("FUT", 4), ("TRACE", 1)):
            if kind not in self.matches:
                continue
            line, match = self.lines[kind], self.matches[kind]
            stated, found = int(match[1]), len(match[2].split())
            if found != stated * times:
                why = f"{kind} says {stated}: {stated * times} numbers should follow, not {found}"
                self.note(line, match.start(1) + 1, why)
            elif kind == "TRACE" and cards is not None:
                # If PLAY misstates its count, that was said; the trace may then fit either.
                due = [min(played + 1, 49) for played in (len(cards), int(self.matches["PLAY"][1]))]
                if stated not in due:
                    why = f"TRACE has {stated} numbers, but {len(cards)} cards played make {due[0]}"
                    self.note(line, match.start(1) + 1, why)

    def opening(self) -> Opening | None:
        """What the PBN line says; None without trump, leader or hands. Dealer and vulnerability can be done without."""
        line, match = self.lines["PBN"], self.matches["PBN"]
        values = []
        for group, (what, words) in enumerate(NUMBERS.items(), 1):
            values.append(dict(zip("01234", words, strict=False)).get(match[group]))
            if values[-1] is None:
                why = f"{what} {shown(match[group])} is no number from 0 to {len(words) - 1}"
                self.note(line, match.start(group) + 1, why)
        dealer, vulnerability, trump, leader = values
        hands = self.hands(line, match[5], match.start(5) + 1)
        return None if hands is None or not trump or not leader else Opening(dealer, vulnerability, trump, leader, hands)

    def hands(self, line: DdsLine, text: str, column: int) -> dict[str, Hand] | None:
        """The hands; None if not all of them can be read."""
        first, hands, before = text[:1], text[2:].split(" "), len(self.defects)
        if first not in SEATS or text[1:2] != ":" or len(hands) != len(SEATS):
            self.note(line, column, "the hands are not a seat, a colon and four hands")
            return None
        read: dict[str, Hand] = {seat: [] for seat in SEATS}
        column += 2
        for turn, hand in enumerate(hands, SEATS.index(first)):
            seat, suits = SEATS[turn % len(SEATS)], hand.split(".")
            if len(suits) != len(SUITS):
                self.note(line, column, f"{seat}'s hand {shown(hand)} is not four suits with dots between")
                suits = []
            marks = [mark + suit for suit, ranks in zip(SUITS, suits, strict=False) for mark in ranks + "."]
            for place, card in enumerate(marks, column):
                if card[0] in RANKS:
                    read[seat].append((card, place))
                elif card[0] != ".":
                    self.note(line, place, f"{shown(card[0])} in {seat}'s hand is no rank")
            column += len(hand) + 1
        return read if len(self.defects) == before else None

    def cards(self) -> list[str]:
        """The cards played. What is no card was a card all the same, but which one is not known."""
        line, match = self.lines["PLAY"], self.matches["PLAY"]
        text, column = match[2], match.start(2) + 1
        tokens = [text[place : place + 2] for place in range(0, len(text) - 1, 2)]
        wrong = [place for place, token in enumerate(tokens) if not CARD.fullmatch(token)]
        if len(text) % 2:
            # A character is lost, or one too many: from the first token that is no card on, nothing can be told.
            tokens = tokens[: wrong[0]] if wrong else tokens
            self.note(line, column + 2 * len(tokens), f"the cards make an odd number of characters, {len(text)}")
            wrong = []
        elif int(match[1]) != len(tokens):
            self.note(line, match.start(1) + 1, f"PLAY says {match[1]} cards, but there are {len(tokens)}")
        for place in wrong:
            self.note(line, column + 2 * place, f"{shown(tokens[place])} is no card")
        return [UNKNOWN if place in wrong else token[1] + token[0] for place, token in enumerate(tokens)]

    def record(self, opening: Opening, cards: list[str]) -> Record:
        """The record of the deal."""
        deal: dict[str, Any] = {
            "leader": opening.leader,
            "status": "complete" if len(cards) >= 52 else "claimed",
            "hands": {seat: [card for card, _ in hand] for seat, hand in opening.hands.items()},
            "events": [
                {"do": "contract", "by": SEATS[SEATS.index(opening.leader) - 1], "bid": opening.trump},
                *({"do": "play", "card": card} for card in cards),
            ],
        }
        if self.number <= MAX_DEALS:
            deal["number"] = self.number
        if opening.dealer:
            deal["dealer"] = opening.dealer
        if opening.vulnerability:
            deal["vulnerable"] = ALL if opening.vulnerability == BOTH else opening.vulnerability
        return excerpt(self.name, self.number, [Deal.model_validate(deal)], {})


def write(record: Record) -> str:
    """A list of the deals of a record. Raises `Unwritable` if one of them lacks what a list needs."""
    if record.game != "bridge" or [player.seat for player in record.players] != [*SEATS]:
        raise Unwritable("it is no record of bridge with the seats N E S W")
    return f"NUMBER {len(record.deals)}\n" + "".join(map(_written, record.deals))


def joined(texts: Iterable[str]) -> Iterator[str]:
    """Several lists as one: the number of all deals stands first."""
    parts = [text.partition("\n") for text in texts]
    yield f"NUMBER {sum(int(head.split()[1]) for head, _, _ in parts)}\n"
    yield from (rest for _, _, rest in parts)


def _written(deal: Deal) -> str:
    """The two lines of a deal."""
    contract, cards = _contract(deal), _played(deal)
    vulnerability = BOTH if deal.vulnerable == ALL else deal.vulnerable
    opening = {"dealer": deal.dealer, "vulnerability": vulnerability, "trump": contract[0], "leader": deal.leader or contract[1]}
    hands = [deal.hands.get(seat, []) for seat in SEATS] if deal.hands else []
    if [len({*hand}) for hand in hands] != [13] * 4 or any("?" in card for hand in hands for card in hand):
        raise Unwritable("not all four hands of a deal are known")
    lacking = [what for what, said in opening.items() if said not in NUMBERS[what]]
    if lacking:
        raise Unwritable(f"a deal has no {' and no '.join(lacking)} that a list could state")
    numbers = " ".join(str(NUMBERS[what].index(str(said))) for what, said in opening.items())
    held = " ".join(".".join("".join(sorted(_ranks(hand, suit), key=RANKS.index)) for suit in SUITS) for hand in hands)
    return f'PBN {numbers} "N:{held}"\nPLAY {len(cards)} "{"".join(card[1] + card[0] for card in cards)}"\n'


def _ranks(hand: list[str], suit: str) -> list[str]:
    return [card[0] for card in hand if card[1] == suit]


def _contract(deal: Deal) -> tuple[str, str | None]:
    """The strain of a deal's contract, and who leads against it; nothing where that is not recorded."""
    stated = next((event for event in deal.events if event.do == "contract"), None)
    if stated is not None:
        strain = str(stated.bid).lstrip("1234567").rstrip("x")
        return strain, None if stated.by not in SEATS else SEATS[(SEATS.index(stated.by) + 1) % 4]
    found = came_to(tuple(event.bid for event in deal.events if event.do == "bid")) if deal.dealer in SEATS else None
    if found is None or found.declarer is None:
        return "", None
    return found.strain, SEATS[(SEATS.index(str(deal.dealer)) + found.declarer + 1) % 4]


def _played(deal: Deal) -> list[str]:
    """The cards played in their order, as far as all are known, without those that were taken back."""
    cards: list[str] = []
    for event in deal.events:
        if event.do == "withdraw" and cards and cards[-1] == event.card:
            cards.pop()
        elif event.do == "play":
            cards.append(event.card)
    unknown = next((place for place, card in enumerate(cards) if not CARD.fullmatch(card[::-1])), len(cards))
    return cards[:unknown]


FORMAT = Format(
    key="dds",
    title="List of deals of the double-dummy solver DDS",
    read=read,
    write=write,
    many=True,
    join=joined,
    by_place=True,
    sniff=lambda data: re.match(rb"NUMBER +[0-9]", data) is not None,
)
