"""Records to text: every event as people would write it, and in JSON where that would be read as something else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from handrec import writing
from handrec.formats.hrt.building import CLAIMS, HEADER, OTHER
from handrec.formats.hrt.events import ANNOUNCED, DEAL, SIDE, Field, events, plays, shape
from handrec.formats.hrt.line import LineReader
from handrec.formats.hrt.words import NONE, TRICK, Seats, UnreadableLine, call, card
from handrec.record import Record

EventData = dict[str, Any]

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def write(record: Record) -> str:
    """The record in the typed notation; `read` gives the same record back."""
    data = json.loads(writing.line(record))
    writer = _Writer(Seats(player["seat"] for player in data["players"]))
    return "\n".join(writer.record(data)) + "\n"


def _json(value: Any) -> str:
    """A value as JSON in one line, in which everything can be seen."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)


def _option(value: Any) -> str:
    plain = isinstance(value, str) and _PLAIN.fullmatch(value) and value not in ("true", "false", "null")
    return str(value) if plain else _json(value)


def _bid(value: Any) -> str:
    """A bid; in quotes where it is a word that looks like a number, or like another call."""
    quoted = isinstance(value, str) and (re.fullmatch("-?[0-9]+", value) or call(value) not in (None, value))
    return _json(value) if quoted else str(value)


class _Writer:
    """Writes the records of one table."""

    def __init__(self, seats: Seats) -> None:
        self.seats = seats

    # --- words ---

    def word(self, kind: str, value: Any) -> str:
        """A value of a kind, so that it is read as itself."""
        if kind == "seat":
            return value if value in self.seats.places else _json(value)
        if kind == "card":
            return value if card(value) == value else _json(value)
        if kind == "bid":
            return _bid(value)
        if kind == "cards":
            return self.cards(value)
        if kind == "shares":
            return f" {self.mapping(value)}"
        if kind == "flag":
            return ""
        return _json(value) if kind == "text" else str(value)

    def cards(self, cards: list[str]) -> str:
        """Cards in a row."""
        return " ".join(self.word("card", card) for card in cards) or NONE

    def mapping(self, values: dict[str, Any]) -> str:
        """Values with their seats."""
        return "  ".join(f"{self.word('seat', seat)} {_bid(value)}" for seat, value in values.items()) or NONE

    def fields(self, shape: tuple[Field, ...], values: dict[str, Any]) -> str:
        """The fields of a shape that are there."""
        there = [field for field in shape if field.name in values]
        return " ".join(word for field in there for word in (field.mark, self.word(field.kind, values[field.name])) if word)

    # --- the record ---

    def record(self, data: dict[str, Any]) -> Iterator[str]:
        """The lines of a record."""
        major, _, minor = data["version"].partition(".")
        yield f"%hrt {major if minor == '0' else data['version']}"
        values = {"": data, "provenance": data.get("provenance", {})}
        lines = {key: self.word(kind, values[part][name]) for key, (kind, part, name) in HEADER.items() if name in values[part]}
        yield f"game {lines.pop('game')}"
        if "options" in data:
            yield "options " + (" ".join(f"{name}={_option(value)}" for name, value in data["options"].items()) or NONE)
        yield "seats " + " ".join(
            player["seat"] + (f"={_json(player['name'])}" if "name" in player else "") for player in data["players"]
        )
        yield from (f"{key} {value}" for key, value in lines.items())
        if "status" in data:
            yield f"status {data['status']}"
        if data.get("provenance") == {}:
            yield f"provenance {NONE}"
        for name, value in data.get("extensions", {}).items():
            yield f"extension {_json(name)} {_json(value)}"
        if data.get("extensions") == {}:
            yield f"extension {NONE}"
        yield from self.notes(data)
        for deal in data["deals"]:
            yield ""
            yield from self.deal(deal)
        if "claimed" in data:
            yield ""
            yield from self.claims("final ", data["claimed"], "final ")

    def notes(self, part: dict[str, Any]) -> Iterator[str]:
        """Comments on the record or on a deal."""
        for note in part.get("comments", []):
            event = f"@{note['event']} " if "event" in note else ""
            by = f"by {_json(note['by'])} " if "by" in note else ""
            yield f"{note.get('kind', 'note')} {event}{by}{_json(note['text'])}"
        if part.get("comments") == []:
            yield f"note {NONE}"

    def claims(self, start: str, claimed: dict[str, Any], empty: str) -> Iterator[str]:
        """What the scorekeeper wrote down as the outcome."""
        for name in CLAIMS:
            if name in claimed:
                value, prefix = claimed[name], "claimed " if name == "bids" and not start else start
                if isinstance(value, dict):
                    text = self.mapping(value)
                else:
                    text = value if isinstance(value, str) else " ".join(self.word("seat", seat) for seat in value) or NONE
                yield f"{prefix}{name} {text}"
        for side, stated in claimed.get("sides", {}).items():
            yield f"{start}side {side} {self.fields(SIDE, stated)}".rstrip()
        if claimed.get("sides") == {}:
            yield f"{start}side {NONE}"
        if not claimed:
            yield f"{empty}{NONE}"

    # --- deals ---

    def deal(self, deal: dict[str, Any]) -> Iterator[str]:
        """The lines of a deal."""
        number = str(deal["number"]) if "number" in deal else ""
        yield " ".join(filter(None, ("deal", number, self.fields(DEAL, deal))))
        if "pack" in deal:
            yield f"pack {self.cards(deal['pack'])}"
        for key, part, kind in (("hand", "hands", "seat"), ("aside", "aside", "name")):
            for name, cards in deal.get(part, {}).items():
                yield f"{key} {self.word(kind, name)} {self.cards(cards)}"
            if deal.get(part) == {}:
                yield f"{key} {NONE}"
        if deal.get("events") == []:
            yield f"events {NONE}"
        yield from self.events(deal.get("events", []))
        if "claimed" in deal:
            yield from self.claims("", deal["claimed"], "claimed ")
        yield from self.notes(deal)

    def events(self, happened: list[EventData]) -> Iterator[str]:
        """The lines of what happened: a trick a line, a round of bids a line, all else an event a line."""
        seen = list[str | None]()
        group: list[EventData] = []
        for event in happened:
            fresh = event["do"] == "play" and ("trick" in event or self.begins_trick(event.get("by"), seen))
            if group and (fresh or not self.together(group, event)):
                yield from self.lines(group)
                group = []
            if event["do"] == "play":
                seen = [] if fresh else seen
                seen.append(event.get("by"))
            elif event["do"] == "withdraw" and "card" in event and event["by"] in seen:
                seen.remove(event["by"])
            group.append(event)
        yield from self.lines(group)

    def begins_trick(self, by: str | None, seen: list[str | None]) -> bool:
        """Whether a play begins another trick: its seat has played to this one, or everybody has."""
        return by in seen if by is not None else len(seen) >= len(self.seats.names)

    def together(self, group: list[EventData], event: EventData) -> bool:
        """Whether an event goes on the same line as those before it."""
        last = group[-1]
        if last["do"] == event["do"] == "play":
            return ("by" in last) == ("by" in event)
        same = all(last.get(name) == event.get(name) for name in ("do", "what", "blind"))
        return same and event["do"] in ("bid", "announce") and len(group) < len(self.seats.names)

    def lines(self, group: list[EventData]) -> Iterator[str]:
        """Some events on one line if that says just this, else on a line each, else as JSON."""
        if not group:
            return
        first = {field: said for field, said in group[0].items() if field != "trick" or group[0]["do"] != "play"}
        text = self.line([first, *group[1:]])
        if self.says(text, [first, *group[1:]]):
            yield f"{group[0]['trick']} {text}" if first != group[0] else f"play {text}" if first["do"] == "play" else text
        elif len(group) > 1:
            for event in group:
                yield from self.lines([event])
        else:
            yield _json(group[0])

    def line(self, group: list[EventData]) -> str:
        """Some events that go together in the words of people."""
        event = group[0]
        if event["do"] == "play":
            return self.trick(group)
        if event["do"] == "bid":
            pairs = "  ".join(f"{self.word('seat', bid['by'])} {_bid(bid['bid'])}" for bid in group)
            return f"{'blind' if event.get('blind') else 'bid'} {pairs}"
        if event["do"] == "announce":
            what = event["what"] if event["what"] in ANNOUNCED else f"announce {event['what']}"
            parts = (Field("by", "seat"), Field("card", "card"), Field("count", "number"))
            return f"{what} " + "  ".join(self.fields(parts, said) for said in group)
        told = shape(event["do"])
        return f"{event['do']} {self.fields(told, event)}" if told and event["do"] not in OTHER else ""

    def trick(self, group: list[EventData]) -> str:
        """The leader and the cards in turn; other seats where it is not their turn."""
        words: list[str] = []
        due = last = None
        for play in group:
            by = play.get("by")
            if by is not None and by != due:
                named = _json(by) if not words and re.fullmatch(TRICK, by) else self.word("seat", by)
                words.append(named + (":" if words or by not in self.seats.places or named[0] == '"' else ""))
            words.append(self.word("card", play["card"]) + ("!" if play.get("questioned") else ""))
            last = by if by in self.seats.places else last
            due = self.seats.after(last)
        return " ".join(words)

    def says(self, text: str, group: list[EventData]) -> bool:
        """Whether a line is read as these events and no others."""
        line = LineReader(text, 0, self.seats)
        try:
            if group[0]["do"] == "play":
                found = plays(line)
            else:
                word = line.take()
                found = events(line, word.key if word else "", 0)
        except UnreadableLine:
            return False
        return [event.plain() for event in found] == group
