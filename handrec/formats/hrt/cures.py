"""What was probably meant by a line that cannot be read: the smallest change of a word or two after which it can.

A slip of the keys leaves a line that is almost right: two words run together, a blank too many, a name where a seat is due, a
card typed twice. So the word at which reading stopped, and those beside it, are changed in each of these ways, the likeliest
first, and the line is read again. Where the hands are typed, it must also be the cards of those who hold them that are played.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from handrec.cards import COMPASS, OTHER_RANKS, in_words
from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import CALLED, UnreadableLine, call, calls_in_words, card
from handrec.formats.strict import clip
from handrec.game.meant import NUMBERS

#: So many lines of a record are looked into, none longer than so many characters: for each, some hundred others are read.
MOST, LONGEST = 20, 300
#: So many cures that are equally likely are named.
NAMED = 2

#: What looks like a sign of the notation, or like nothing, and what is meant.
PLAIN = str.maketrans("“”„‟«»″–—;/|", '"""""""--   ', "\u200b\u200c\u200d\u2060\ufe0e\ufe0f\ufeff\u00ad")
#: Lines in which calls stand.
OF_CALLS = ("bid", "bids", "blind", "contract", "claimed", "trump")


class WordChange(NamedTuple):
    """A part of a line, from a place to another, what stands there instead, and how that is said."""

    begin: int
    end: int
    new: str
    said: str


class TypedLine(NamedTuple):
    """A line with the places of its words, and which of them is the one at which reading stopped."""

    text: str
    spans: list[tuple[int, int]]
    at: int
    seats: tuple[str, ...]
    players: dict[str, str]
    words: frozenset[str]
    lying: tuple[str, ...]

    def word(self, place: int) -> str:
        """A word; nothing where there is none."""
        return self.text[slice(*self.spans[place])] if 0 <= place < len(self.spans) else ""

    def means(self, word: str) -> bool:
        """Whether a word is a seat, a card, a number, or means something wherever it stands."""
        return word in self.seats or word.isdecimal() or card(word) is not None or word.lower() in self.words

    def instead(self, first: int, last: int, new: str, said: str = "") -> Iterator[WordChange]:
        """Something else instead of the words from one to another, if they are there."""
        if 0 <= first <= last < len(self.spans):
            yield WordChange(self.spans[first][0], self.spans[last][1], new, said or new)


def _split(line: TypedLine) -> Iterator[WordChange]:
    """Two words that run together."""
    for place in (line.at, line.at - 1):
        word = line.word(place)
        for one, other in ((word[:cut], word[cut:]) for cut in range(1, len(word))):
            single = [part for part in (one, other) if len(part) == 1 and part.islower()]
            if not single and (line.means(one) or line.means(other)):
                yield from line.instead(place, place, f"{one} {other}")


def _joined(line: TypedLine) -> Iterator[WordChange]:
    """One word with a blank in it."""
    for place in dict.fromkeys((line.at - 1, line.at, 0)):
        both = line.word(place) + line.word(place + 1)
        number = both.lstrip("-").rstrip(".)").isdecimal() or (call(both) == both and line.word(0).lower() in OF_CALLS)
        if (line.means(both) and card(both) in (None, both)) or (number and card(both) is None):
            yield from line.instead(place, place + 1, both)


def _respelled(line: TypedLine) -> Iterator[WordChange]:
    """A word that lines begin with, or that stands before a value, misspelt."""
    for place in (line.at, line.at - 1):
        if (word := line.word(place).lower()) and word not in line.words:
            for near in get_close_matches(word, sorted(line.words), 4, 0.6):
                yield from line.instead(place, place, near)


def _plain(line: TypedLine) -> Iterator[WordChange]:
    """Letters and signs that only look like those that are meant: of full width, in curled quotes, with something unseen."""
    plain = unicodedata.normalize("NFKC", line.text.translate(PLAIN))
    words = [word for word in plain.split() if word not in line.text.split()]
    yield WordChange(0, len(line.text), plain, words[0] if len(words) == 1 else clip(" ".join(plain.split()), 80))


def _named(line: TypedLine) -> Iterator[WordChange]:
    """A player's name, or that of a point of the compass, where a seat is due."""
    compass = {word.lower(): seat for seat, word in COMPASS.items() if seat in line.seats}
    for place in (line.at - 2, line.at - 1, line.at):
        if seat := compass.get(line.word(place).lower()):
            yield from line.instead(place, place, seat)
    for place in (line.at, line.at - 1):
        word = line.word(place)
        if card(word) is None and word not in line.seats:
            for near in get_close_matches(word.lower(), line.players, 1, 0.5):
                yield from line.instead(place, place, line.players[near])


def _call(line: TypedLine) -> Iterator[WordChange]:
    """A call in several words, or in words, and all others that are written so."""
    if line.word(0).lower() in OF_CALLS:
        new = calls_in_words(line.text, line.seats)
        words = [word for word in new.split() if word not in line.text.split()]
        yield WordChange(0, len(line.text), new, words[0] if words else "")


def _card(line: TypedLine) -> Iterator[WordChange]:
    """A card in other words: suit before rank, a one for an ace, a joker by name."""
    word = line.word(line.at)
    bare = re.sub("^[1lI][0Oo]", "10", word.rstrip(".:)").replace("/", ""))
    for text in (
        bare,
        bare[1::-1] + bare[2:],
        f"{bare[1:]}{bare[:1]}",
        re.sub("^1(?!0)", "A", bare),
        re.sub("^[Oo0]", "T", bare),
    ):
        if text != word and (known := card(text)) and known == text.upper().replace("10", "T"):
            yield from line.instead(line.at, line.at, known)
    rank = line.word(line.at + 1)
    if len(word) == 1 and card(rank) is None and (known := card(f"{rank}{word}")):
        yield from line.instead(line.at, line.at + 1, known)
    for first, last in ((line.at + begin, line.at + end) for begin in (-2, -1, 0) for end in (2, 1, 0) if begin <= end):
        words = [line.word(place) for place in range(first, last + 1)]
        for known in CALLED.get("".join(words).lower(), ()) or filter(None, [in_words(" ".join(words))]):
            yield from line.instead(first, last, known)
    if len(word) == 2 and word[0].isalpha() and word[0] in OTHER_RANKS and card(word) is None:
        yield from line.instead(line.at, line.at, f"{OTHER_RANKS[word[0]]}{word[1].upper()}")


def _number(line: TypedLine) -> Iterator[WordChange]:
    """A number in letters, or with letters that look like digits."""
    word = line.word(line.at).lower()
    if word in NUMBERS:
        yield from line.instead(line.at, line.at, str(NUMBERS.index(word)))
    if (digits := word.translate(str.maketrans("lio", "110"))) != word and digits.lstrip("-").isdecimal():
        yield from line.instead(line.at, line.at, digits)


def _swapped(line: TypedLine) -> Iterator[WordChange]:
    """Two words in each other's place."""
    for place in (line.at - 1, line.at):
        if line.word(place) and line.word(place + 1):
            yield from line.instead(place, place + 1, f"{line.word(place + 1)} {line.word(place)}")


def _seat(line: TypedLine) -> Iterator[WordChange]:
    """Another seat: that at which reading stopped, or one that stands in the line before it."""
    for place in (line.at, *range(line.at)):
        word = line.word(place)
        if word in line.seats or (place == line.at and len(word) <= 2 and word.isalpha() and card(word) is None):
            for seat in line.seats:
                yield from line.instead(place, place, seat)


def _dropped(line: TypedLine) -> Iterator[WordChange]:
    """A word too many."""
    for place in (line.at, *range(line.at - 1, 0, -1)):
        word = line.word(place)
        if card(word) is not None or (not word[:1].isalpha() and call(word) is None):
            yield from line.instead(place, place, "", f"{word} left out")


def _run_together(line: TypedLine) -> Iterator[WordChange]:
    """A name, and the seat after it."""
    before = line.word(line.at - 1)
    if line.word(line.at) == "=" and len(before) > 2 and before[-1] in "NESW":
        yield from line.instead(line.at - 1, line.at - 1, f"{before[:-1]} {before[-1]}")


def _quoted(line: TypedLine) -> Iterator[WordChange]:
    """A player's name of several words without quotes, or without the second one, or without the sign before it."""
    word = line.word(line.at)
    for place in range(len(line.spans)):
        if line.word(place) == line.word(place + 2) == "=" and place < line.at:
            yield from line.instead(place, place, '="?"', f"a name after {line.word(place - 1)}=")
        if line.word(place) == line.word(place - 2) == "=" and place <= line.at:
            yield from line.instead(place, place + 1, "", f"{line.word(place)}{line.word(place + 1)} left out")
    if word.count('"') == 1:
        begin = line.spans[line.at][0]
        name = re.match(r'"[^ =]*', word)
        yield WordChange(begin, begin + (name.end() if name else 0), f'{name[0] if name else ""}"', f'{name[0] if name else ""}"')
    for place in (line.at, line.at + 1):
        seat, name_ = line.word(place - 1), line.word(place)
        if re.fullmatch("[A-Z0-9]+", seat) and re.fullmatch(r"\w+", name_) and name_ not in "NESW":
            yield from line.instead(place - 1, place, f"{seat}={name_}")
    if not {"=", ":"} & {line.word(line.at - 1), word}:
        yield from line.instead(line.at - 1, line.at, json.dumps(f"{line.word(line.at - 1)} {word}", ensure_ascii=False))


def _seated(line: TypedLine) -> Iterator[WordChange]:
    """A player's name without the seat."""
    for seat in "NESW":
        if line.word(line.at) and not re.search(rf"\b{seat}\b", line.text):
            yield from line.instead(line.at, line.at, f"{seat}={line.word(line.at)}")
            return


def _lying(line: TypedLine) -> Iterator[WordChange]:
    """A card that is not there, and lies on the table."""
    if line.at == len(line.spans) and line.spans:
        end = line.spans[-1][1]
        yield from (WordChange(end, end, f" {each}", each) for each in line.lying)


#: The ways in which a line goes wrong, the likeliest first; and those of the line that names the players.
WAYS: tuple[Callable[[TypedLine], Iterator[WordChange]], ...] = (
    _plain, _call, _split, _joined, _card, _named, _swapped, _respelled, _number, _seat, _dropped, _lying,
)  # fmt: skip
OF_PLAYERS = (_plain, _run_together, _quoted, _seated, _dropped)


def cure(line: TypedLine, *reads: Callable[[str], bool]) -> tuple[str, str]:
    """What was probably meant, in words, and the line as it should be; nothing where that cannot be told.

    `reads` say whether a line can stand here: the first that does for some change, decides.
    """
    return next((found for each in reads if (found := _cure(line, each))[0]), ("", ""))


def _cure(line: TypedLine, reads: Callable[[str], bool]) -> tuple[str, str]:
    for way in OF_PLAYERS if line.word(0).lower() == "seats" else WAYS:
        found: dict[str, str] = {}
        for begin, end, new, said in way(line):
            text = line.text[:begin] + new + line.text[end:]
            if said not in found and text != line.text and reads(text):
                found[said] = text
        if found and (len(found) <= NAMED or way is _seat):
            named = [*found][:NAMED]
            left = all(each.endswith(" left out") for each in named)
            words = " or ".join(each.removesuffix(" left out") for each in named)
            return (f" (is {words} too much?)" if left else f" (did you mean {words}?)"), found[named[0]]
    return "", ""


def line_of(
    text: str, at: int, seats: Iterable[str], players: dict[str, str], words: frozenset[str], lying: Iterable[str]
) -> TypedLine:
    """A line with its words, of which reading stopped at the one that begins at a place, or at its end."""
    spans: list[tuple[int, int]] = []
    reader = LineReader(text)
    try:
        while (word := reader.take()) is not None:
            spans.append((word.at, word.at + len(word.text)))
    except UnreadableLine as unread:
        spans.append((unread.faults[0][1], len(text)))
    stopped = next((place for place, (_, end) in enumerate(spans) if at < end), len(spans))
    return TypedLine(text, spans, stopped, tuple(seats), players, words, tuple(lying))
