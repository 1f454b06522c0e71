"""Games taken down at the keyboard: what a player of a game would type, with slips of the keys, and a keyboard to type it on."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

import pytest

from handrec import games
from handrec.cli import run
from handrec.dealing import deal_game
from handrec.record import Record

#: Every game, with the number of players at a usual table; that with the shortest deals first.
TABLES = {
    "batarde": 4,
    "kbabs": 4,
    "bastard": 3,
    "spades3": 3,
    "bugami": 3,
    "bridge": 4,
    "whist": 4,
    "oh_hell": 4,
    "hearts": 4,
}

#: What stands for Ctrl-C among the lines that are typed.
INTERRUPT = "\x03"


class Typed(io.StringIO):
    """Lines as they come through a pipe; one of them may be an interruption."""

    def readline(self, size: int | None = -1, /) -> str:
        """The next line."""
        line = super().readline(-1 if size is None else size)
        if line == f"{INTERRUPT}\n":
            raise KeyboardInterrupt
        return line


def typed(monkeypatch: pytest.MonkeyPatch, lines: Sequence[str], *arguments: str) -> int:
    """Type lines at `handrec enter`; gives the exit code."""
    monkeypatch.setattr(sys, "stdin", Typed("".join(f"{line}\n" for line in lines)))
    return run(["enter", *arguments])


def one_deal(key: str, seed: int = 3) -> Record:
    """A legal deal of a game, whole."""
    game = games.find(key)
    assert game is not None
    return deal_game(game, TABLES[key], seed, numbers=[1])


def beginning(record: Record, hands: bool) -> list[str]:
    """The lines before the first event: the deal, and the cards that are known."""
    deal = record.deals[0]
    lines = [f"deal {deal.number} dealer {deal.dealer}"]
    if hands:
        lines += [f"hand {seat} {' '.join(cards)}" for seat, cards in (deal.hands or {}).items()]
        lines += [f"aside {name} {' '.join(cards)}" for name, cards in (deal.aside or {}).items()]
    return lines


def line_of(event: Any, in_any_order: bool = False) -> str:
    """An event as it is typed by somebody who leaves out what can be left out."""
    match event.do:
        case "play":
            return str(event.card).lower()
        case "turn":
            return f"turn {event.card}"
        case "bid" if event.blind:
            return f"blind {event.by} {event.bid}"
        case "bid":
            return f"{event.by} {event.bid}" if in_any_order else str(event.bid)
        case "announce":
            return f"{event.what} {event.by} {event.card or ''} {event.count or ''}".strip()
        case "exchange":
            return f"exchange {event.by} to {event.to} {' '.join(event.cards)}"
        case "contract":
            return f"contract {event.bid} by {event.by}"
    raise AssertionError(event)


def slips(record: Record, place: int) -> Iterator[str]:
    """Lines that somebody might type by mistake before an event, none of which says what may happen then."""
    deal = record.deals[0]
    event, seats = deal.events[place], [player.seat for player in record.players]
    yield from (
        "zz",
        "nz 9",
        "999",
        "hand",
        "play",
        "yes",
        f"{seats[0]}",
        f"tunr {line_of(event)}",
        "bid",
        "accuse of",
        '"',
        "\x1b[A",
    )
    if event.do != "play":
        return
    after = seats[(seats.index(event.by) + 1) % len(seats)]
    yield from (f"{after} {event.card}", f"99 {event.card}", f"{event.by} {event.card} {event.card}")
    played = [each.card for each in deal.events[:place] if each.do == "play"]
    yield from played[-1:]
    held = [card for card in (deal.hands or {})[after] if card not in played]
    yield from (f"{event.by} {event.card} {after}: {card} {after}: {card}" for card in held[:1])


def with_slips(record: Record, hands: bool, count: int, seed: int) -> list[str]:
    """The lines of a deal, with as many slips among them, a card too many that is taken back, and one Ctrl-C in the middle."""
    random, events = Random(seed), record.deals[0].events
    wrong: dict[int, list[str]] = {}
    for place in random.choices(range(len(events)), k=count):
        wrong.setdefault(place, []).append(random.choice([*slips(record, place)]))
    lines = beginning(record, hands)
    for place, event in enumerate(events):
        line = line_of(event, record.game == "bugami")
        lines += [*wrong.get(place, ()), line]
        if place == len(events) // 2:
            lines += ["undo", INTERRUPT, line]
    return lines
