"""A line typed at the table: what it may mean there, in lines of the typed notation, and what such a line says.

The notation's own reader reads every line, after those of the deal so far: what is typed here is read as it would be in a
file, with the same cures for slips of the keys. What is added here is only whose turn it is: a card alone is played by whoever
has to play, a bid made by whoever has to bid.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from handrec import writing
from handrec.findings import Finding
from handrec.formats import hrt
from handrec.formats.hrt.events import ANNOUNCED
from handrec.formats.hrt.words import CALLED, TRICK, card
from handrec.live import Legal, LiveTable
from handrec.record import Record
from handrec.referee import FORM

#: Why a card alone is not taken where nobody is known to have the turn.
WHOSE = "whose it is cannot be told (name the seat)"
#: Why nothing is taken before a deal.
BEGINS = "none has begun; say first who deals, or type Enter"
_WORDS = re.compile(r"[\s,]+")
_JOKER = re.compile(r"\b(big|little|red|black)\s+(?=joker\b)", re.IGNORECASE)
_COMMENT = re.compile(r'^((?:[^"#]|"(?:[^"\\]|\\.)*")*?)(?:^|\s)#\s*(.*)$')
_DEAL = re.compile(r"deals?\b", re.IGNORECASE)
_STATUS = re.compile(r"^status .*\n", re.MULTILINE)
_NUMBERED = re.compile(rf"({TRICK})[.):]?\s+(?=\S)")


class Said(NamedTuple):
    """What a line says: what happened; a deal that begins, by its fields; the record with something written down besides.

    Or why it says nothing.
    """

    events: tuple[Any, ...] = ()
    deal: dict[str, Any] | None = None
    record: Record | None = None
    findings: tuple[Finding, ...] = ()


def read(table: LiveTable, line: str) -> Said:
    """What a line of the typed notation says after those of the deal on the table."""
    whole = table.stated
    known = whole.model_copy(update={"deals": whole.deals[-1:]})
    text = hrt.write(known)
    if not known.deals and line.lower().startswith("status"):
        text = _STATUS.sub("", text)  # it stands for the one there was
    found = next(hrt.read(f"{text}{line}\n".encode(), ""))
    if found.record is None:
        return Said(findings=tuple(each for each in found.findings if each.severity == "error"))
    before, after = _parts(known), _parts(found.record)
    deals = found.record.deals
    if len(deals) > len(known.deals):
        if not _DEAL.match(line):
            return Said(findings=(Finding(FORM["FMT007"], {"where": "the deal", "why": BEGINS}),))
        return Said(tuple(deals[-1].events), after[1])
    if before == after and deals:
        new = deals[-1].events[len(known.deals[-1].events) :]
        typed = _NUMBERED.match(line)
        if any(event.do == "play" and event.by is None for event in new):
            return Said(findings=(Finding(FORM["FMT007"], {"where": "the card", "why": WHOSE}),))
        number = int(typed[1]) if typed and int(typed[1]) != trick(table)[0] else None  # a number that is right says nothing new
        return Said(tuple(_numbered(event, number if not place else None) for place, event in enumerate(new)))
    return Said(record=found.record.model_copy(update={"deals": [*whole.deals[:-1], *deals]}))


def _parts(record: Record) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What a record states without its deals, and the last of them without its events."""
    data = writing.plain(record)
    deal = {key: value for key, value in data["deals"][-1].items() if key != "events"} if data["deals"] else None
    return {key: value for key, value in data.items() if key not in ("deals", "version")}, deal


def _numbered(event: Any, number: int | None) -> Any:
    """The event, of a play with the number of a trick before it or none."""
    return event if event.do != "play" or event.trick == number else event.model_copy(update={"trick": number})


def trick(table: LiveTable) -> tuple[int, list[tuple[str, str]]]:
    """The number of the trick that is being played, and the seats and cards that lie on the table."""
    playing = table.playing
    state = playing.state if playing is not None else None
    if playing is None or state is None:
        return 1, []
    if state.over:
        return state.number + 1, []
    return state.number, [(playing.seats[seat], card) for seat, card, _ in state.plays]


def commented(line: str) -> tuple[str, str]:
    """A line, and the comment that stands in it after a #."""
    match = _COMMENT.match(line)
    return (line, "") if match is None else (match[1].strip(), match[2].strip())


def note(table: LiveTable, text: str) -> str:
    """The line that writes down a comment on what happened last."""
    happened = table.deal is not None and table.deal.events
    return f"note {'@ ' if happened else ''}{json.dumps(text, ensure_ascii=False)}"


def meant(table: LiveTable, line: str) -> Iterator[tuple[str, ...]]:
    """The lines of the notation that a typed line may mean, the likeliest first: one after another, as each happens."""
    legal, line = table.legal(), _JOKER.sub(r"\1", line)
    words = _WORDS.split(line)
    if legal.deal and (not line or (len(words) == 1 and _seat(table, line := seated(table, line)))):
        yield (f"deal {'dealer ' * bool(line)}{line}",)
        return
    said = {word.lower(): word for word in _bids(table, legal)}
    if legal.deal or not all(_alone(word, said, legal) for word in words) or (len(words) > 1 and _seat(table, words[0])):
        yield _whole(table, line, legal)
        return
    for word in words:
        yield _single(word, said, table.legal())


def kinds(legal: Legal) -> dict[str, Any]:
    """What may happen next, an event of each kind: by what it does, of announcements by what is announced."""
    offered: dict[str, Any] = {}
    for event in (*legal.events, *legal.untold):
        offered.setdefault(event.what if event.do == "announce" else event.do, event)
    return offered


def joker(word: str, legal: Legal) -> str:
    """The card that is called so, if only one of those that are may come next; else the word."""
    may = {getattr(event, "card", None) for event in (*legal.events, *legal.untold)}
    called = [known for known in CALLED.get(word.rstrip("!").lower(), ()) if known in may]
    return called[0] + "!" * word.endswith("!") if len(called) == 1 else word


def next_deal(table: LiveTable, number: int | None = None) -> dict[str, Any]:
    """What is known of the next deal before anybody says it: its number, its dealer, and what else goes by its number."""
    last = table.deal
    if number is None and table.stated.status != "excerpt":
        number = 1 if last is None else (last.number or len(table.stated.deals)) + 1
    elif number is None and last is not None and last.number is not None:
        number = last.number + 1
    found: dict[str, Any] = {}
    if number is not None:
        found = {"number": number}
        for phase in table.game.phases:
            found |= phase.heading(number, table.seats)
    if last is not None and last.dealer in table.seats:
        found.setdefault("dealer", table.seats[(table.seats.index(last.dealer) + 1) % len(table.seats)])
    return found


def named(seat: str) -> str:
    """A seat, so that no line takes it for the number of a trick."""
    return json.dumps(seat) if re.fullmatch(TRICK, seat) else seat


def seated(table: LiveTable, line: str) -> str:
    """The line with the seat of a player for the name, where it begins with that or says who deals."""
    seats = {player.name.lower(): named(player.seat) for player in table.stated.players if player.name}
    for pattern in (rf"(?:{TRICK}\s+)?(\S+?)(?=[\s:]|$)", r"deal\b.*\bdealer\s+(\S+)"):
        match = re.match(pattern, line, re.IGNORECASE)
        if match and match[1].lower() in seats and not _seat(table, match[1]):
            return f"{line[: match.start(1)]}{seats[match[1].lower()]}{line[match.end(1) :]}"
    return line


def _seat(table: LiveTable, word: str) -> bool:
    """Whether a word names a seat of the table, with a colon or without."""
    word = word.rstrip(":").strip('"').lower()
    return any(word == seat.lower() for seat in table.seats)


def _bids(table: LiveTable, legal: Legal) -> list[str]:
    """The bids there are, if one may be made now."""
    playing = table.playing
    if playing is None or "bid" not in kinds(legal):
        return []
    return [str(bid) for phase in table.game.phases for bid in phase.sayable(playing)] + ["pass"]


def _alone(word: str, bids: dict[str, str], legal: Legal) -> bool:
    """Whether a word can stand without a seat: a card, or where a bid is due, a bid."""
    number = bool(bids) and re.fullmatch("[0-9]+", word) is not None
    return number or word.lower() in bids or card(word.rstrip("!")) is not None or joker(word, legal) != word


def _single(word: str, bids: dict[str, str], legal: Legal) -> tuple[str, ...]:
    """What a card or a bid alone may mean."""
    seat = named(legal.turn[0]) if legal.turn else ""
    found: list[str] = []
    with_card = _with_card(legal)
    for what, event in kinds(legal).items():
        if event.do == "play" and seat:
            found.append(f"play {seat}: {joker(word, legal)}")
        elif event.do == "bid" and seat:
            found.append(f"bid {seat} {bids.get(word.lower(), word)}")
        elif event.do == "turn":
            found.append(f"turn {joker(word, legal)}")
        elif what in with_card and seat:
            found.append(f"{_announced(what)} {seat} {word}")
    return tuple(found) or (f"play {word}",)


def _whole(table: LiveTable, line: str, legal: Legal) -> tuple[str, ...]:
    """What a line that names seats, or begins with a word of the notation, may mean."""
    line = seated(table, line)
    first, *others = _WORDS.split(line)
    found: list[str] = []
    if _seat(table, first) and others:
        offered = kinds(legal)
        found = [f"{_announced(what)} {line}" for what in offered if what == "bid" or what in _with_card(legal)]
        found += [f"bid {line}"] if not offered.keys() - {"turn"} and "bid" in table.game.phase_of else []
        if "play" in offered or not offered:
            found.insert(0 if card(others[0].rstrip("!")) else len(found), line)
        return tuple(found)
    if legal.turn and (match := _NUMBERED.match(line)) and card(line[match.end() :].split()[0].rstrip("!")):
        return (f"{match[1]} {named(legal.turn[0])}: {line[match.end() :]}",)
    return (line,)


def _with_card(legal: Legal) -> set[str]:
    """What may be announced now that names a card."""
    return {event.what for event in legal.events if event.do == "announce" and event.card is not None}


def _announced(what: str) -> str:
    return what if what in (*ANNOUNCED, "bid") else f"announce {what}"
