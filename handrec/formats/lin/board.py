"""One board of a LIN file while it is read: what its pairs say, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from handrec.cards import FRENCH_52, UNKNOWN
from handrec.findings import Fault
from handrec.formats.boards import LONGEST
from handrec.formats.lin.pairs import HEADS, IGNORE, RANK, TAGS, Pair, squeezed, unbroken
from handrec.formats.strict import shown
from handrec.limits import MAX_FINDINGS, MAX_LIN_KEPT, MAX_LIN_VALUE, MAX_TEXT
from handrec.referee.form import FORM

SEATS = ("S", "W", "N", "E")  # as LIN goes round
BEGIN = frozenset(("qx", "st", "md", "mb", "pc", "mc"))
CARDS = 104  # twice the cards there are
PAIR = 20  # characters of a pair that is kept, besides its value
COMMENTS = 1000 - LONGEST  # besides one alert a call

CARD = re.compile(f"([SHDC?])({RANK}|[?])", IGNORE)
IN_HAND = re.compile(f"({RANK})|([SHDC])|.", IGNORE)
#: A bid, the other calls, one that nobody wrote down, and marks of an alert.
CALL = re.compile(
    r"([1-7](?:NT?|[SHDC]))|(?P<pass>p(?:ass)?)|(?P<XX>xx(?!x)|rdbl|r)|(?P<X>x|dbl|d)|(?P<unknown>^[?]$)|(?P<mark>[!?*]+)|.",
    IGNORE,
)
NUMBER = re.compile(r"(?:board *|([oc])?)0*([1-9][0-9]{0,5})(?: *,.*)?", IGNORE)
#: Which side is vulnerable, as LIN says it: `0` stands where nothing was set.
VULNERABLE = {"o": "none", "n": "NS", "e": "EW", "b": "all", "0": "none", "-": "none"}

Spot = tuple[str, int]  # a card, call or other text, and where it stands


class Note(NamedTuple):
    """A comment, after how many calls, cards and claims it stands (an alert or explanation: at which call), and where."""

    text: str
    kind: Literal["alert", "explanation"] | None
    after: int
    at: int


class Kept(NamedTuple):
    """A pair that a record has no place for, and after how many calls, cards and claims it stands; None: before the hands."""

    tag: str
    value: str
    after: int | None


class Board:
    """What a board says, as far as it has been read; `sheet` are the pairs that hold for several boards, by tag."""

    def __init__(self, count: int, sheet: Mapping[str, Pair] | None = None) -> None:
        self.count, self.sheet, self.at = count, dict(sheet or {}), 0
        self.seen: set[str] = set()
        self.number: int | None = None
        self.room: str | None = None
        self.dealer: str | None = None
        self.vulnerable: str | None = None
        self.hands: dict[str, list[Spot]] = {}
        self.calls: list[Spot] = []
        self.plays: list[Spot] = []
        self.claim: tuple[int, int, int] | None = None  # declarer's tricks, where it stands, cards played before
        self.result: Spot | None = None  # of this board alone
        self.alerts: list[Note] = []
        self.explanations: list[Note] = []
        self.comments: list[Note] = []
        self.unexplained = False  # whether the last alert may yet be explained
        self.kept: list[Kept] = []
        self.room_left = MAX_LIN_KEPT
        self.torn = self.doubtful = False  # whether the plays, or calls, that follow are not certain
        self.defects: list[tuple[int, Fault, dict[str, Any]]] = []

    @property
    def begun(self) -> bool:
        """Whether there is a card, a call, a claim or a result."""
        return bool(self.hands or self.calls or self.plays or self.claim or self.result)

    @property
    def after(self) -> int:
        """How many calls, cards and claims there were so far."""
        return len(self.calls) + len(self.plays) + bool(self.claim)

    def note(self, at: int, why: str, code: str = "FMT001") -> None:
        """Write down what cannot be read, or, with another code, what else is wrong with it."""
        self.fault(at, FORM[code], why=why)

    def fault(self, at: int, fault: Fault, **facts: Any) -> None:
        """Write down that something is wrong."""
        if len(self.defects) < MAX_FINDINGS:
            self.defects.append((at, fault, facts))

    def is_over(self, pair: Pair) -> bool:
        """Whether another board begins with this pair."""
        heads = pair.tag in ("pn", "vg") or (pair.tag == "rs" and "," in pair.value)
        opens = heads or pair.tag in ("qx", "st", "md")
        return opens and not self.seen.isdisjoint(("mb", "pc", "mc", "md" if heads else pair.tag))

    def take(self, pair: Pair) -> None:
        """Take what a pair says."""
        if pair.tag in BEGIN and self.seen.isdisjoint(BEGIN):
            self.at = pair.start
        self.seen.add(pair.tag)
        handler = HANDLERS.get(pair.tag)
        if handler is None:
            self.keep(pair)
        elif len(pair.value) > MAX_LIN_VALUE and pair.tag not in ("nt", "an"):
            self.fault(pair.at, FORM["FMT002"], what=f"the length of {pair.tag}", limit=f"{MAX_LIN_VALUE} characters")
        else:
            handler(self, pair)

    def _fits(self, text: str, at: int) -> bool:
        before, self.room_left = self.room_left, self.room_left - len(text) - PAIR
        if before >= 0 > self.room_left:
            self.fault(at, FORM["FMT002"], what="the text to be kept of a board", limit=f"{MAX_LIN_KEPT} characters")
        return self.room_left >= 0

    def keep(self, pair: Pair) -> None:
        """Keep a pair as it is, where it stands; one that says nothing only if nobody knows what it is for."""
        text = unbroken(pair.value)
        if (text or pair.tag not in TAGS) and self._fits(text, pair.at):
            self.kept.append(Kept(pair.tag, text, self.after if self.after or "md" in self.seen else None))

    def _unread(self, pair: Pair) -> None:
        self.note(pair.start, pair.value)
        if pair.tag == "!":
            self.torn = self.doubtful = True

    def _head(self, pair: Pair) -> None:
        """What holds for the boards that follow too, unless it stands within a board; with `vg` another match begins."""
        if pair.tag == "rs" and "," not in pair.value:
            text, places = squeezed(pair.value, pair.at)
            self.result = (text, places[0])
        elif self.after or "md" in self.seen:
            self.keep(pair)
        else:
            if pair.tag == "vg":
                self.sheet = {tag: each for tag, each in self.sheet.items() if tag == "pn" or tag in self.seen}
            self.sheet.pop(pair.tag, None)
            self.sheet[pair.tag] = pair

    def _name(self, pair: Pair) -> None:
        text = unbroken(pair.value)
        match = NUMBER.fullmatch(text)
        if match and (pair.tag == "qx" or "qx" not in self.seen):
            self.number = int(match[2])
        if match and match[1]:
            self.room = match[1].lower()
        if not match or pair.tag == "qx" or int(match[2]) != self.number or "," in text:
            self.keep(pair)

    def _vulnerable(self, pair: Pair) -> None:
        text, places = squeezed(pair.value.lower(), pair.at)
        if text in VULNERABLE:
            self.vulnerable = VULNERABLE[text]
        elif text:
            self.note(places[0], f"{shown(text)} does not say who is vulnerable")
            self.keep(pair)

    def _deal(self, pair: Pair) -> None:
        """Dealer and hands; one that is left out is what the others leave."""
        text, places = squeezed(pair.value, pair.at)
        digits = text[: len(text) - len(text.lstrip("0123456789"))]
        if digits not in ("", *"01234"):
            self.note(places[0], f"the dealer {shown(digits)} is no number from 0 to 4")
        self.at, self.dealer = pair.start, dict(zip("1234", SEATS, strict=True)).get(digits)
        start, parts = len(digits), text[len(digits) :].split(",")
        for turn, part in enumerate(parts):
            if turn < len(SEATS):
                self._hand(SEATS[turn], part, places[start:])
            elif part:
                self.note(places[start], "there are more than four hands")
                break
            start += len(part) + 1
        left_out = [seat for seat, part in zip(SEATS, [*parts, ""], strict=False) if not part]
        given = {card for hand in self.hands.values() for card, _ in hand}
        if len(left_out) == 1 and len(given) == 39 and all(len(hand) == 13 for hand in self.hands.values()):
            rest = FRENCH_52.names(FRENCH_52.full & ~FRENCH_52.mask(given))
            self.hands[left_out[0]] = [(card, places[-1]) for card in rest]

    def _hand(self, seat: str, text: str, places: Sequence[int]) -> None:
        """A hand, unless something in it is no card; one without cards is not given."""
        suit, cards = "", []
        for match in IN_HAND.finditer(text):
            suit = match[2] or suit
            if match[1] and suit:
                cards.append((_card(match[1], suit), places[match.start()]))
            elif not match[2]:
                self.note(places[match.start()], f"{shown(match[0])} in {seat}'s hand is no card")
                return
        if len(cards) > len(FRENCH_52):
            self.note(places[0], f"{seat}'s hand has more than {len(FRENCH_52)} cards")
        elif cards:
            self.hands[seat] = cards

    def _calls(self, pair: Pair) -> None:
        if self.doubtful:
            return
        text, places = squeezed(pair.value, pair.at)
        for match in CALL.finditer(text):
            said, at = match.lastgroup or match[0].upper(), places[match.start()]
            if said == "mark":
                if self.calls and not (self.alerts and self.alerts[-1].after == len(self.calls)):
                    self.unexplained = True
                    self.alerts.append(Note("", "alert", len(self.calls), at))
                continue
            if not match.lastindex or self.plays or len(self.calls) == LONGEST:
                late = "a call comes after the first card" if self.plays else f"there are more than {LONGEST} calls"
                self.note(at, late if match.lastindex else f"{shown(match[0])} is no call")
                self.doubtful = True
                break
            call = "?" if said == "unknown" else said + "T" if said[-1] == "N" else said
            self.calls.append((call, at))
            self.unexplained = False

    def _meaning(self, pair: Pair) -> None:
        """What a call was said to mean: the first such text belongs to the alert, if there was one."""
        text = unbroken(pair.value)
        if not self.calls or self.doubtful or len(text) > MAX_TEXT:
            self.keep(pair)
        elif self.unexplained:
            self.unexplained = False
            if self._fits(text, pair.at):
                self.alerts[-1] = self.alerts[-1]._replace(text=text)
        elif text:
            self._remark(self.explanations, Note(text, "explanation", len(self.calls), pair.at), pair)

    def _comment(self, pair: Pair) -> None:
        text = unbroken(pair.value)
        if len(text) > MAX_TEXT:
            self.keep(pair)
        elif text:
            self._remark(self.comments, Note(text, None, self.after, pair.at), pair)

    def _remark(self, among: list[Note], note: Note, pair: Pair) -> None:
        if len(self.explanations) + len(self.comments) == COMMENTS:
            self.keep(pair)
        elif self._fits(note.text, note.at):
            among.append(note)

    def _play(self, pair: Pair) -> None:
        """A card played. What is no card was a card all the same, but which one is not known."""
        if self.torn:
            return
        if len(self.plays) == CARDS:
            self.note(pair.start, f"there are more than {CARDS} cards")
            self.torn = True
            return
        text, places = squeezed(pair.value, pair.at)
        match = CARD.fullmatch(text)
        if match is None:
            turned = f" (the suit stands first: {text[::-1].upper()})" if CARD.fullmatch(text[::-1]) else ""
            self.note(places[0], f"{shown(text)} is no card{turned}")
        self.plays.append((_card(match[2], match[1]) if match else UNKNOWN, places[0]))

    def _number(self, pair: Pair, most: int, what: str) -> int | None:
        text, places = squeezed(pair.value, pair.at)
        if re.fullmatch("[0-9]{1,4}", text) and int(text) <= most:
            return int(text)
        self.note(places[0], f"{shown(text)} is no number of {what} from 0 to {most}")
        return None

    def _back(self, pair: Pair) -> None:
        """Cards taken back were not played; which they were is kept."""
        many = None if self.torn else self._number(pair, len(self.plays), "cards to be taken back")
        if many:
            cards = " ".join(card for card, _ in self.plays[-many:])
            del self.plays[-many:]
            self.claim = self.claim and (*self.claim[:2], min(self.claim[2], len(self.plays)))
            self._after_now(self.comments)
            self._after_now(self.kept)
            self.keep(pair._replace(value=cards))

    def _after_now(self, told: list[Any]) -> None:
        """What stood after cards that were taken back stands after those that are left."""
        now, place = self.after, len(told)
        while place and (told[place - 1].after or 0) > now:
            place -= 1
            told[place] = told[place]._replace(after=now)

    def _claimed(self, pair: Pair) -> None:
        tricks = None if self.torn else self._number(pair, 13, "tricks")
        if tricks is not None and self.claim and self.claim[0] != tricks:
            self.note(pair.at, f"{tricks} tricks are claimed after {self.claim[0]} were", "FMT017")
        elif tricks is not None and not self.claim:
            self.claim = tricks, pair.at, len(self.plays)


def _card(rank: str, suit: str) -> str:
    return (rank.replace("10", "T") + suit).upper()


HANDLERS: dict[str, Callable[[Board, Pair], None]] = {
    "": Board._unread,
    "!": Board._unread,
    **dict.fromkeys(HEADS, Board._head),
    **dict.fromkeys(("qx", "ah"), Board._name),
    "sv": Board._vulnerable,
    "md": Board._deal,
    "mb": Board._calls,
    "an": Board._meaning,
    "nt": Board._comment,
    "pc": Board._play,
    "up": Board._back,
    "mc": Board._claimed,
}
