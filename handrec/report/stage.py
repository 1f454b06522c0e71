"""A deal card by card on a terminal: the seats around the table, what lies on it, hands, and the remark on the card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import cos, pi, sin
from typing import Any

from handrec.report.layout import BOLD, WIDTH, painted, wrapped
from handrec.report.replay import finding_lines, players_lines, title
from handrec.report.safe import columns

#: The rows of the table, and how far its seats stand from the middle.
ROWS, ACROSS, DOWN = 8, 30, 4
#: With more seats than this a table is too small: they stand in a list.
ROUND = 8

HELP = (
    "→ ←  next, last card          ↓ ↑ PgDn PgUp Enter  next, last trick",
    "n N or Shift+→ ←  next, last remark          Home End  first, last card",
    "f  another seat at the bottom     h  hide or show hands     l  last trick",
    "1-9  deal of this number     p  play by itself     q  leave     ?  these keys",
)


@dataclass(frozen=True)
class Cursor:
    """Where the show stands: deal, how many tricks are over, how many cards lie on the table; and how it is shown."""

    deal: int = 0
    trick: int = 0
    card: int = 0
    bottom: int = 0
    hidden: bool = False
    last: bool = False
    help: bool = False


def start(view: dict[str, Any]) -> Cursor:
    """Before the first card, with South at the bottom if there is one."""
    seats = [player["seat"] for player in view["players"]]
    return Cursor(bottom=seats.index("S") if "S" in seats else 0)


def moved(views: list[dict[str, Any]], at: Cursor, key: str) -> Cursor:
    """Where a key leads: `card+1`, `trick-1`, `remark+1`, `start`, `end`, `deal 3`, `turn`, `hide`, `last`, `help`."""
    tricks = views[at.deal]["tricks"]
    spots = [(trick, card) for trick, each in enumerate(tricks) for card in range(1, len(each["plays"]) + 1)]
    here = (at.trick, at.card)
    spots = [(0, 0), *spots]
    faults = {(each["trick"], each["seat"]) for each in views[at.deal]["findings"] if each["trick"] is not None}
    marked = [
        (trick, card)
        for trick, card in spots[1:]
        if (tricks[trick]["number"], tricks[trick]["plays"][card - 1]["seat"]) in faults
    ]
    ends = [(trick, len(each["plays"])) for trick, each in enumerate(tricks)]
    goals = {"card": spots, "trick": [(0, 0), *ends], "remark": marked}
    what, _, step = key.partition("+" if "+" in key else "-")
    if what in goals and step:
        ahead = (
            [spot for spot in goals[what] if spot > here] if "+" in key else [spot for spot in goals[what] if spot < here][::-1]
        )
        here = ahead[0] if ahead else here
        return replace(at, trick=here[0], card=here[1], last=False, help=False)
    if key in ("start", "end"):
        trick, card = spots[0 if key == "start" else -1]
        return replace(at, trick=trick, card=card, last=False)
    if key.startswith("deal "):
        found = [place for place, view in enumerate(views) if str(view["deal"]) == key[5:]]
        return replace(at, deal=found[0], trick=0, card=0, last=False) if found else at
    changes: Mapping[str, dict[str, Any]] = {
        "turn": {"bottom": (at.bottom + 1) % len(views[at.deal]["players"])},
        "hide": {"hidden": not at.hidden},
        "last": {"last": not at.last},
        "help": {"help": not at.help},
    }
    return replace(at, **changes.get(key, {}))


def drawn(view: dict[str, Any], at: Cursor, colour: bool) -> list[str]:
    """The picture at a stand: lines of at most 80 columns."""
    return [line for line in _lines(view, at, colour) if line is not None]


def _lines(view: dict[str, Any], at: Cursor, colour: bool) -> Iterator[str]:
    tricks = view["tricks"]
    trick: dict[str, Any] = tricks[at.trick] if tricks else {"number": 0, "plays": [], "winner": None}
    shown = at.card
    if at.last and at.trick > 0:
        trick = tricks[at.trick - 1]
        shown = len(trick["plays"])
    over = shown == len(trick["plays"]) and shown > 0
    spot = f"trick {trick['number']}.{shown}" if shown else "before the first card"
    for line in wrapped("", [*title(view), "last trick" if at.last and at.trick > 0 else spot], " · "):
        yield painted(line, BOLD, colour)
    yield ""
    won = _won(tricks, at)
    plays = trick["plays"][:shown]
    cards = {play["seat"]: _mark(place, play, trick, over) for place, play in enumerate(plays)}
    seats = [player["seat"] for player in view["players"]]
    heads = {seat: f"{seat} ({won[seat]})" if view["tricks"] else seat for seat in seats}
    yield from (_table if len(seats) <= ROUND else _list)(seats, heads, cards, at.bottom)
    yield ""
    yield from _hands(view, at)
    yield from _said(view, trick, plays, colour)
    if at.help:
        yield ""
        yield from HELP


def _won(tricks: list[dict[str, Any]], at: Cursor) -> Counter[str]:
    """The tricks of each seat so far, that on the table counted when it is over."""
    over = [
        each for place, each in enumerate(tricks) if place < at.trick or (place == at.trick and at.card >= len(each["plays"]))
    ]
    return Counter(each["winner"] for each in over if each["winner"])


def _mark(place: int, play: dict[str, Any], trick: dict[str, Any], over: bool) -> str:
    return f"{'>' if place == 0 else ' '}{play['card']}{'*' if over and play['seat'] == trick['winner'] else ' '}"


def _table(seats: list[str], heads: Mapping[str, str], cards: Mapping[str, str], bottom: int) -> Iterator[str]:
    """Seats around the table, clockwise; the card of each between it and the middle."""
    canvas = [[" "] * WIDTH for _ in range(ROWS + 1)]
    for place, seat in enumerate(seats):
        angle = pi / 2 + 2 * pi * ((place - bottom) % len(seats)) / len(seats)
        _write(canvas, heads[seat], cos(angle) * ACROSS, sin(angle) * DOWN)
        if seat in cards:
            _write(canvas, cards[seat], cos(angle) * ACROSS * 0.45, sin(angle) * DOWN * 0.5)
    yield from ("".join(row).rstrip() for row in canvas)


def _write(canvas: list[list[str]], text: str, across: float, down: float) -> None:
    row = round(ROWS / 2 + down)
    start = min(max(0, round(WIDTH / 2 + across - columns(text) / 2)), WIDTH - len(text))
    canvas[row][start : start + len(text)] = text


def _list(seats: list[str], heads: Mapping[str, str], cards: Mapping[str, str], bottom: int) -> Iterator[str]:
    """Too many for a table: seats and cards in turn."""
    turned = seats[bottom:] + seats[:bottom]
    width = max(map(len, heads.values()))
    yield from wrapped("  ", [f"{heads[seat]:<{width}} {cards.get(seat, ''):<4}" for seat in turned])


def _hands(view: dict[str, Any], at: Cursor) -> Iterator[str]:
    """What each seat still holds; nothing of it if hands are hidden."""
    gone: dict[str, list[str]] = {}
    for place, each in enumerate(view["tricks"][: at.trick + 1]):
        for play in each["plays"][: at.card if place == at.trick else None]:
            gone.setdefault(play["seat"], []).append(play["card"])
    hands = {seat: hand and [card for card in hand if card not in gone.get(seat, ())] for seat, hand in view["hands"].items()}
    yield from players_lines({**view, "hands": dict.fromkeys(hands) if at.hidden else hands})


def _said(view: dict[str, Any], trick: dict[str, Any], plays: list[dict[str, Any]], colour: bool) -> Iterator[str]:
    """The remarks on the card that was played last, or on the deal before the first."""
    if not plays:
        found = [each for each in view["findings"] if each["trick"] is None]
    else:
        found = [each for each in view["findings"] if (each["trick"], each["seat"]) == (trick["number"], plays[-1]["seat"])]
    for each in found:
        yield from finding_lines(each, colour)
