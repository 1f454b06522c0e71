"""The lines of a deal's events: which words each kind of event is told in, the same for reading and for writing."""

from __future__ import annotations

from typing import NamedTuple

from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import CALLED, NONE, SEAT, Found, LineWord, UnreadableLine, cannot, card, is_number, is_strain
from handrec.formats.strict import clip
from handrec.game.meant import NUMBERS
from handrec.record import KINDS


class Field(NamedTuple):
    """A field of the record: its name, the kind of its value, the word before it, and whether it must be there.

    The word before a field that must be there may be left out. Lists stand last, and what need not be there and has no such word.
    """

    name: str
    kind: str
    mark: str = ""
    due: bool = True


#: What a deal's own line says besides its number.
DEAL = (
    Field("board", "number", "board", False),
    Field("dealer", "seat", "dealer", False),
    Field("vulnerable", "side", "vulnerable", False),
    Field("leader", "seat", "leader", False),
    Field("cards", "number", "cards", False),
    Field("status", "word", "status", False),
)
#: What is written down of a side.
SIDE = (
    Field("tricks", "number", "tricks", False),
    Field("score", "number", "score", False),
    Field("imps", "decimal", "imps", False),
    Field("matchpoints", "decimal", "matchpoints", False),
)
#: Announcements that are lines by their own name; others begin with `announce`.
ANNOUNCED = ("mechoune", "choune", "bemo", "big_bemo", "guess", "look", "sips")
#: First words of lines that tell events.
EVENT_WORDS = ("bid", "blind", "announce", *ANNOUNCED)
#: Other ways to write a first word.
ALIASES = {
    "bids": "bid",
    "turns": "turn",
    "score": "scores",
    "total": "totals",
    "winner": "winners",
    "hands": "hand",
    "players": "seats",
}


def shape(do: str) -> tuple[Field, ...]:
    """How a kind of event is told in a line of its own that begins with its name; nothing if it is not."""
    kind = KINDS.get(do)
    return () if kind is None else tuple(Field(*each) for each in kind.line_fields)


def fields(line: LineReader, shape: tuple[Field, ...]) -> dict[str, Found]:
    """The fields of a shape from the words of a line, to its end."""
    found: dict[str, Found] = {}
    last = [field for field in shape if field.kind in ("cards", "shares") or not (field.due or field.mark)]
    for field in shape:
        if field.due and field not in last:
            line.mark(field.mark)
            found[field.name] = _value(line, field.kind)
    marked = {field.mark: field for field in shape if not field.due and field.mark}
    while (word := line.peek()) is not None and word.key in marked:
        field = marked[word.key]
        line.take()
        put(found, field.name, _value(line, field.kind, word.at), word.at)
    for field in last:
        if field.due or line.peek() is not None:
            line.mark(field.mark)
            found[field.name] = _value(line, field.kind)
    line.end("".join(f"{mark}, " for mark in marked) + "or " if marked else "")
    return found


def _value(line: LineReader, kind: str, at: int = 0) -> Found:
    """A value of a kind; one that is all the rest of the line, too, and one that is true where its word stands, there."""
    if kind == "shares":
        return mapping(line, "number") if line.peek() else Found(line.here, {}, True)
    return Found(at, True) if kind == "flag" else line.cards() if kind == "cards" else line.get(kind)


def put(parts: dict[str, Found], name: str, found: Found, at: int | None = None) -> None:
    """Add a part, which must not be there yet."""
    if name in parts:
        facts = {"why": f"{clip(name)} stands here for the second time", "first": parts[name].at}
        raise UnreadableLine(("FMT001", found.at if at is None else at, facts))
    parts[name] = found


def pairs(line: LineReader, kind: str) -> list[tuple[Found, Found]]:
    """Values with their seats: `N 3 E 4`, or `N: 3 4 2 5` for the seats in turn."""
    found: list[tuple[Found, Found]] = []
    while line.peek() is not None:
        seat = line.get("seat")
        in_turn = line.mark(":")
        line.mark("=")
        value = _whole(line, kind, in_turn)
        found.append((seat, value))
        while in_turn and (word := line.peek()) is not None and not line.before(":"):
            if line.seats.named(word) is not None and not word.quoted:
                line.expected(f"a value, or a seat with a colon such as {word.text}:")
            after = line.seats.after(seat.value)
            if after is None:
                line.expected(f"the seat that comes after {seat.value}, with a colon")
            value = _whole(line, kind, in_turn)
            seat = Found(value.at, after)
            found.append((seat, value))
    if not found:
        line.get("seat")
    return found


def _whole(line: LineReader, kind: str, in_turn: bool) -> Found:
    """A value, of which no part stands apart as if it were the next one, or its seat: `1 NT`."""
    value, word = line.get(kind), line.peek()
    number = isinstance(value.value, int) or value.value in NUMBERS
    if kind == "bid" and number and word and is_strain(word) and line.seats.named(word) is None:
        seated = len(word.text) > 1 or line.second() in ("", *line.seats.names)  # else it is a seat, mistyped, with its bid
        if in_turn or seated:
            line.expected("a bid in one word")
    return value


def mapping(line: LineReader, kind: str) -> Found:
    """A value for each of some seats."""
    at = line.here
    parts: dict[str, Found] = {}
    if line.mark(NONE):
        line.end()
    else:
        for seat, value in pairs(line, kind):
            put(parts, seat.value, value, seat.at)
    return Found(at, parts, True)


def event(at: int, do: str, parts: dict[str, Found]) -> Found:
    """An event as a part of the record."""
    return Found(at, {"do": Found(at, do), **parts}, True)


def events(line: LineReader, key: str, at: int) -> list[Found]:
    """The events of a line that begins with a first word, which is done with."""
    if shape(key) and key not in EVENT_WORDS:
        return [event(at, key, fields(line, shape(key)))]
    if key in ("bid", "blind"):
        blind = {"blind": Found(at, True)} if key == "blind" else {}
        return [event(seat.at, "bid", {"by": seat, "bid": value, **blind}) for seat, value in pairs(line, "bid")]
    return _announcements(line, line.get("word") if key == "announce" else Found(at, key))


def _announcements(line: LineReader, what: Found) -> list[Found]:
    """One event for each seat, with the card and the count that follow it."""
    found: list[Found] = []
    while not found or line.peek() is not None:
        by = line.get("seat")
        parts = {"by": by, "what": what}
        if (word := line.peek()) is not None and line.seats.named(word) is None and not word.quoted and card(word.text):
            parts["card"] = line.get("card")
        if (word := line.peek()) is not None and line.seats.named(word) is None and is_number(word):
            parts["count"] = line.get("number")
        found.append(event(by.at, "announce", parts))
    return found


def plays(line: LineReader) -> list[Found]:
    """The cards of a line in turn. The first word may be the leader; a seat between the cards has a colon, or is plainly one."""
    found: list[Found] = []
    by: Found | None = None  # whose the next card is
    last: str | None = None  # the last of the table's seats that played
    seen: set[str] = set()
    asked = True  # a seat was named, and its card is due
    while (word := line.peek()) is not None or asked:
        if word is not None and _is_seat(line, word, first=not found and by is None):
            if (by is not None and asked) or (found and by is None and not line.before(":")):
                line.expected("a card such as AS")
            by, asked = line.get("seat"), True
            line.mark(":")
            continue
        if word is not None and word.text == "!" and found:
            found[-1].value["questioned"] = Found(word.at, True)
            line.take()
            continue
        if by is not None and not asked:
            by = _turn(line, by, last)
        found.append(_play(line, by))
        asked = False
        if by is not None:
            if by.value in seen:
                raise cannot(found[-1].at, f"{by.value} has played in this line already; a line is one trick at most")
            seen.add(by.value)
            last = by.value if by.value in line.seats.places else last
    return found


def _is_seat(line: LineReader, word: LineWord, *, first: bool) -> bool:
    """Whether a word among cards names a seat: one with a colon, one of the table, or one that is too long for a card."""
    if line.before(":"):
        return True
    if word.quoted:
        return False
    if line.seats.named(word) is None:
        return len(word.text) > 4 and word.key not in CALLED and word.text[0].isalpha() and SEAT.fullmatch(word.text) is not None
    if card(word.text) is not None and not first:
        line.expected(f"a card such as AS, or a seat with a colon such as {word.text}:", " (which may be either)")
    return True


def _turn(line: LineReader, by: Found, last: str | None) -> Found | None:
    """Whose turn it is after a seat has played; None where the seats of the table could not be read."""
    seat = line.seats.after(by.value) or line.seats.after(last)
    if seat is None and line.seats.names:
        line.expected(f"the seat that comes after {by.value}, with a colon")
    return None if seat is None else Found(line.here, seat)


def _play(line: LineReader, by: Found | None) -> Found:
    """One card, perhaps questioned."""
    word = line.peek()
    parts = {} if by is None else {"by": by}
    if word is not None and not word.quoted and word.text.endswith("!") and (known := card(word.text.rstrip("!"))):
        line.take()
        parts["card"] = Found(word.at, known)
        parts["questioned"] = Found(word.at + len(word.text) - 1, True)
    else:
        if word is None or (not word.quoted and card(word.text) is None):
            line.get("card")  # says what is expected
        parts["card"] = line.get("card")
    return event(parts["by"].at if by is not None and by.at < parts["card"].at else parts["card"].at, "play", parts)
