"""Words: what each kind of word looks like, and what it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from handrec.cards import CARD_PATTERN, SELECTORS, SYMBOLS, respell
from handrec.formats.strict import clip
from handrec.game.meant import NUMBERS

SEAT = re.compile(r"[A-Za-z0-9_-]{1,16}")
_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_WORD = re.compile(r"[A-Za-z0-9_+.-]{1,32}")
_SIDE = re.compile(r"[A-Za-z0-9_+-]+")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+")
#: The cards that can stand without quotes: those of French packs and of La Bâtarde, and no seat such as P2.
_CARD = re.compile(r"[2-9TJQKARDVCFMN?][SHDC?][ms]?|[BL]J")
_SUITS = "♠♥♦♣♤♡♢♧"
_UNSEEN = str.maketrans("", "", SELECTORS)
#: A call with a suit or without trump, in any letters; and what people write for others, in small ones.
_CALL = re.compile("([0-9]{0,2})(NT|N|AT|[SHDC])(x[0-9x]?|[ms])?", re.IGNORECASE)
_CALLS = {
    **dict.fromkeys(("pass", "pass.", "p"), "pass"),
    **dict.fromkeys(("x", "dbl", "dbl.", "double"), "X"),
    **dict.fromkeys(("xx", "rdbl", "rdbl.", "redouble"), "XX"),
}
#: The number of a trick as it stands before its cards, or a seat that could be taken for one: no number of JSON is longer.
TRICK = "[0-9]{1,16}"
#: What stands for "there were really none".
NONE = "[]"


class Found(NamedTuple):
    """A value and where it begins: whole, or made of parts that were found themselves, by name or in a row."""

    at: int
    value: Any
    parts: bool = False

    def plain(self) -> Any:
        """The value without its places."""
        if not self.parts:
            return self.value
        if isinstance(self.value, dict):
            return {name: part.plain() for name, part in self.value.items()}
        return [part.plain() for part in self.value]


class UnreadableLine(Exception):
    """The line cannot be read: code, place and facts of each fault. Never leaves this room."""

    def __init__(self, *faults: tuple[str, int, dict[str, Any]]) -> None:
        self.faults = faults


def cannot(at: int, why: str) -> UnreadableLine:
    """The one fault that something cannot be read."""
    return UnreadableLine(("FMT001", at, {"why": why}))


class LineWord(NamedTuple):
    """A word of a line: as written, where, and what it says (the text itself, or what stands between the quotes)."""

    text: str
    at: int
    said: str
    quoted: bool = False

    @property
    def key(self) -> str:
        """The word as a keyword, whatever its case."""
        return "" if self.quoted else self.text.lower().replace("é", "e")


class Seats:
    """The seats of the table, clockwise; where they are `all`, no other can be named."""

    def __init__(self, names: Iterable[str] = (), *, all_: bool = False) -> None:
        self.names, self.all = tuple(names), all_
        self.places = {name: place for place, name in enumerate(self.names)}
        self.alike: dict[str, list[str]] = {}
        for name in self.places:
            self.alike.setdefault(name.lower(), []).append(name)

    def named(self, word: LineWord) -> str | None:
        """The seat that a word means: as it stands or, where that is plain, in another case."""
        if word.said in self.places:
            return word.said
        alike = [] if word.quoted else self.alike.get(word.text.lower(), [])
        return alike[0] if len(alike) == 1 else None

    def after(self, seat: str | None) -> str | None:
        """The next seat clockwise; None after one that is none of the table's."""
        place = self.places.get(seat or "")
        return None if place is None else self.names[(place + 1) % len(self.names)]

    def __str__(self) -> str:
        return clip(" ".join(self.names[:20]), 40)


@lru_cache(4096)
def card(text: str) -> str | None:
    """The card that a bare word spells, in any common way, or None."""
    text = text.translate(_UNSEEN)
    if text[:1] in _SUITS and len(text.replace("10", "T")) > 2:
        return None  # ♥RN are two cards
    due = respell(text[:5])
    return due if due is not None and _CARD.fullmatch(due) else None


@lru_cache(4096)
def call(text: str) -> str | None:
    """The call that a bare word spells, in any common way, or None: a number alone is none, nor is a word of one game."""
    text = text.translate(SYMBOLS)
    if (found := _CALL.fullmatch(text)) is None or (found[2] in "Nn" and not found[1]):
        return _CALLS.get(text.lower())
    strain = "NT" if found[2][0] in "Nn" else found[2].upper()
    return f"{found[1]}{strain}{(found[3] or '').lower()}"


def run(word: LineWord) -> list[Found]:
    """The cards of a word that holds several: a suit and its ranks, or the ranks of spades, hearts, diamonds and clubs."""
    text = word.text.translate(_UNSEEN)
    if text[0] in _SUITS and card(text) is None:
        if (small := re.search("[a-z]", text)) is not None:  # it could be the mark of a pack
            raise cannot(word.at + small.start(), f"a rank in capitals is expected, found {small[0]}")
        suits, begin = [(text[0], text[1:])], 1
    elif text.count(".") == 3:
        suits, begin = list(zip("SHDC", text.split("."), strict=True)), 0
    else:
        return []
    found = []
    for suit, ranks in suits:
        for match in re.finditer("10|.", "" if ranks == "-" else ranks):
            at = word.at + begin + match.start()
            known = card(("?" if match[0] in "xX" else match[0]) + suit)
            if known is None:
                raise cannot(at, f"a rank is expected, found {match[0]}")
            found.append(Found(at, known))
        begin += len(ranks) + 1
    return found


#: What people call cards that are written otherwise.
_BIG, _LITTLE = ("big", "red", "high", "large"), ("little", "black", "low", "small")
CALLED = {
    "joker": ("BJ", "LJ"),
    "jk": ("BJ", "LJ"),
    **{both: ("BJ",) for word in _BIG for both in (word, f"{word}joker", f"joker{word}")},
    **{both: ("LJ",) for word in _LITTLE for both in (word, f"{word}joker", f"joker{word}")},
}


#: A call that stands in several words, or in words: `1 NT`, `3 no trump`, `two hearts`.
_STRAIN = f"no[ -]*trumps?|nt|sa|at|spades?|hearts?|diamonds?|clubs?|[shdcn{_SUITS}]"
_IN_WORDS = re.compile(rf"(?<!\S)([0-9]{{1,2}}|{'|'.join(NUMBERS)})[ -]*({_STRAIN})(?= *(?:[,;]|\s|$))", re.IGNORECASE)
_STRAIN_WORD = re.compile(f"no|{_STRAIN}", re.IGNORECASE)


def calls_in_words(text: str, seats: Iterable[str]) -> str:
    """A line with the calls in it that are written in several words, or in words, as they are spelled."""

    def spelled(found: re.Match[str]) -> str:
        number, strain = found[1].lower(), found[2].translate(SYMBOLS).lower()
        suit = "NT" if strain[0] == "n" or strain == "sa" else strain.upper() if strain == "at" else strain[0].upper()
        apart = found[0] != found[1] + found[2]
        return found[0] if apart and found[2] in seats else f"{NUMBERS.index(number) if number in NUMBERS else number}{suit}"

    return _IN_WORDS.sub(spelled, text)


def is_strain(word: LineWord) -> bool:
    """Whether a word is a suit, or no trump, as calls name it."""
    return not word.quoted and _STRAIN_WORD.fullmatch(word.text) is not None


def is_number(word: LineWord) -> bool:
    """Whether a word is a whole number."""
    return not word.quoted and re.fullmatch("[+−-]?[0-9]+", word.text) is not None


def _number(word: LineWord, _: Seats) -> int | None:
    if not is_number(word):
        return None
    if len(word.text) > 17:
        raise UnreadableLine(("FMT004", word.at, {"value": clip(word.text)}))
    return int(word.text.replace("−", "-"))


def _seat(word: LineWord, seats: Seats) -> str | None:
    seat = seats.named(word)
    if seat is not None or seats.all or not SEAT.fullmatch(word.said):
        return seat
    if word.quoted or (word.text[0].isalpha() and card(word.text) is None):
        return word.said  # one that is none of the table's; the referee will say so, or knows it
    return seat


def _bid(word: LineWord, _: Seats) -> int | str | None:
    if not word.quoted and re.fullmatch("-?[0-9]{1,17}", word.text):
        return int(word.text)
    said = (None if word.quoted else call(word.text)) or word.said.translate(SYMBOLS)
    return said if said == "?" or _WORD.fullmatch(said) else None


def _decimal(word: LineWord, seats: Seats) -> int | str | None:
    return word.said if _DECIMAL.fullmatch(word.said) else _number(word, seats)


def _card(word: LineWord, _: Seats) -> str | None:
    if word.quoted:
        return word.said if re.fullmatch(CARD_PATTERN, word.said) else None
    return card(word.text)


def _like(pattern: re.Pattern[str]) -> Callable[[LineWord, Seats], str | None]:
    return lambda word, _: word.said if pattern.fullmatch(word.said) else None


#: What a word is read as, and what is said to be expected where it cannot be.
KINDS: dict[str, tuple[Callable[[LineWord, Seats], Any], str]] = {
    "seat": (_seat, "a seat"),
    "newcomer": (_like(SEAT), "the name of a seat such as N or P1"),
    "card": (_card, "a card such as AS"),
    "number": (_number, "a whole number"),
    "bid": (_bid, "a bid such as 3 or 4H"),
    "decimal": (_decimal, "a number such as 3 or 12.5"),
    "side": (_like(_SIDE), "a side such as NS"),
    "word": (_like(_WORD), "a word"),
    "anything": (lambda word, _: None if word.text in ("=", ":") else word.said, "a name"),
    "name": (_like(_KEY), "a name of letters, digits and _"),
}
