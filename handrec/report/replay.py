"""A deal as it was played: what each seat held, every trick, and the referee's remarks where they belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from handrec.findings import DealResult, Finding
from handrec.game import Table
from handrec.record import Record
from handrec.report.safe import safe

RED, BOLD, PLAIN = "\x1b[31m", "\x1b[1m", "\x1b[0m"
WIDTH = 80


def deal_view(
    record: Record, table: Table, result: DealResult, findings: Iterable[Finding], seat: str | None, trick: int | None
) -> dict[str, Any]:
    """Everything a replay shows of a deal, as plain data; with `seat`, only what that seat could see.

    `table` must have been replayed with its trace. With `trick`, only that trick and its remarks.
    """
    names = {player.seat: player.name for player in record.players}
    here = [finding for finding in findings if finding.pointer.startswith(f"/deals/{table.index}/")]
    if trick is not None:
        here = [finding for finding in here if finding.trick == trick]
    trace = table.trace or {}
    places = iter(_play_places(table))
    tricks = []
    for played in result.played:
        plays = []
        for player, card in played.plays:
            held, legal = trace.get(next(places, -1), (0, 0))
            visible = seat is None or seat == player
            plays.append(
                {
                    "seat": player,
                    "card": card,
                    "legal": table.names(legal) if visible and legal else None,
                    "held": table.names(held) if visible and held else None,
                }
            )
        if trick in (None, played.number):
            tricks.append({"number": played.number, "plays": plays, "winner": played.winner})
    return {
        "record": record.id,
        "game": record.game,
        "deal": table.number,
        "cards": table.size,
        "dealer": result.dealer,
        "trump": result.order,
        "turned": list(table.turned),
        "contract": table.contract,
        "as": seat,
        "players": [{"seat": player, "name": names[player]} for player in table.seats],
        "hands": {
            player: table.names(table.hands[place]) if table.hands[place] and seat in (None, player) else None
            for place, player in enumerate(table.seats)
        },
        "bids": dict(result.bids),
        "tricks": tricks,
        "won": dict(result.tricks) if result.tricks else None,
        "scores": result.scores,
        "findings": [_remark(finding) for finding in here],
    }


def _play_places(table: Table) -> list[int]:
    """The events that are plays in tricks, in order; a card taken back does not count."""
    places: list[int] = []
    for place, event in enumerate(table.deal.events):
        if event.do == "play":
            places.append(place)
        elif event.do == "withdraw" and places:
            places.pop()
    return places


def _remark(finding: Finding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "message": finding.message,
        "trick": finding.trick,
        "seat": finding.seat,
        "sentence": finding.fault.sentence,
    }


def text(view: dict[str, Any], colour: bool) -> str:
    """The deal in at most 80 columns: hands, bids, tricks (`>` leads, `*` wins), remarks under their trick, results."""
    return "\n".join(_lines(view, colour)) + "\n\n"


def _lines(view: dict[str, Any], colour: bool) -> Iterator[str]:
    trump = {None: "trump not known", "NT": "no trump"}.get(view["trump"], f"trump {view['trump']}")
    head = [f"Deal {view['deal']}", safe(view["game"]), f"{view['cards']} cards", f"dealer {view['dealer'] or '?'}", trump]
    if view["turned"]:
        head.append("turned " + " ".join(view["turned"]))
    if view["as"]:
        head.append(f"as {view['as']} saw it")
    line = " · ".join(head)
    yield f"{BOLD}{line}{PLAIN}" if colour else line
    width = max(len(player["seat"]) for player in view["players"])
    for player in view["players"]:
        yield from _hand(view, player, width)
    remarks = view["findings"]
    yield from (remark for finding in remarks if finding["trick"] is None for remark in _finding(finding, colour))
    for trick in view["tricks"]:
        yield from _trick(trick, width)
        yield from (remark for found in remarks if found["trick"] == trick["number"] for remark in _finding(found, colour))
    shown = {trick["number"] for trick in view["tricks"]} | {None}
    yield from (remark for finding in remarks if finding["trick"] not in shown for remark in _finding(finding, colour))
    if view["won"]:
        results = [f"{seat} {won}" + _points(view["scores"].get(seat)) for seat, won in view["won"].items()]
        yield from _wrapped("  tricks ", results)


def _points(points: int | None) -> str:
    return "" if points is None else f" ({points:+d})"


def _hand(view: dict[str, Any], player: dict[str, Any], width: int) -> Iterator[str]:
    seat, bid = player["seat"], view["bids"].get(player["seat"])
    name = f" {safe(player['name'], 30)}" if player["name"] else ""
    yield f"  {seat:<{width}}{name}" + (f"  bid {safe(bid)}" if bid is not None else "")
    hand = view["hands"][seat]
    if hand is None:
        return
    suits: dict[str, list[str]] = {}
    for card in hand:
        suits.setdefault(card[1], []).append(card)
    yield from _wrapped(" " * (width + 4), [" ".join(cards) for cards in suits.values()])


def _trick(trick: dict[str, Any], width: int) -> Iterator[str]:
    plays = [
        f"{'>' if place == 0 else ' '}{play['seat']:<{width}} {play['card']}{'*' if play['seat'] == trick['winner'] else ' '}"
        for place, play in enumerate(trick["plays"])
    ]
    yield from _wrapped(f"  {trick['number']:>3} ", plays)


def _finding(finding: dict[str, Any], colour: bool) -> Iterator[str]:
    mark = {"error": "✗", "warning": "!", "info": "·"}[finding["severity"]]
    rule = f" [{finding['rule']}]" if finding["rule"] else ""
    words = f"{finding['code']} {safe(finding['message'], 400)}{rule}".split()
    for line in _wrapped(f"      {mark} ", words, " "):
        yield f"{RED}{line}{PLAIN}" if colour and finding["severity"] == "error" else line


def _wrapped(start: str, parts: list[str], gap: str = "  ") -> Iterator[str]:
    """Parts in lines of at most 80 columns, those after the first indented as far as the first."""
    line, empty = start, True
    for part in parts:
        if not empty and len(line) + len(gap) + len(part) > WIDTH:
            yield line.rstrip()
            line, empty = " " * len(start), True
        line += part if empty else gap + part
        empty = False
    yield line.rstrip()
