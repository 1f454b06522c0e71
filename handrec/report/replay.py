"""A deal as it was played: what each seat held, every trick, and the referee's remarks where they belong."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from handrec.findings import DealResult, Finding, PlayedTrick
from handrec.game import Table
from handrec.record import KINDS, Record
from handrec.report.checked import explained
from handrec.report.events import in_words
from handrec.report.layout import BOLD, RED, WIDTH, counted, painted, wrapped
from handrec.report.safe import clip, columns, fit, safe


def deal_view(
    record: Record, table: Table, result: DealResult, findings: Iterable[Finding], seat: str | None, trick: int | None
) -> dict[str, Any]:
    """Everything a replay shows of a deal, as plain data.

    `table` must have been replayed with its trace. With `trick`, only that trick, its remarks, and the hands before it. With
    `seat`, only what that seat could see then: its own hand, an open dummy's, and no remark that rests on other hands.
    """
    names = {player.seat: player.name for player in record.players}
    primary = (finding for finding in findings if finding.because is None)
    here = [finding for finding in primary if finding.pointer.startswith(f"/deals/{table.index}/")]
    if trick is not None:
        here = [finding for finding in here if finding.trick == trick]
    seen = set(table.seats) if seat is None else {seat, *open_hands(table, result)}
    tricks = [played for played in all_tricks(table, result) if trick in (None, played.number)]
    over = trick is None or seat is None
    return {
        "record": record.id,
        "game": record.game,
        "deal": table.number,
        "cards": table.size,
        "dealer": result.dealer,
        "trump": result.order,
        "turned": _turned(table, result, trick),
        "contract": table.contract,
        "as": seat,
        "trick": trick,
        "players": [{"seat": player, "name": names.get(player)} for player in table.seats],
        "hands": {player: _hand(table, result, player, trick) if player in seen else None for player in table.seats},
        "bids": dict(result.bids),
        "calls": list(_calls(table)),
        "said": list(_said(table, seat)),
        "tricks": [
            {"number": played.number, "plays": list(_plays(table, played.plays, seen)), "winner": played.winner}
            for played in tricks
        ],
        "won": dict(result.tricks) if result.tricks and over else None,
        "scores": result.scores if over else None,
        "stopped": table.stopped,
        "findings": [_remark(finding) for finding in here if seat is None or is_public(finding, seen)],
    }


def _said(table: Table, seat: str | None) -> Iterator[dict[str, Any]]:
    """What happened besides, in words: who, and what; of a secret, as much as `seat` knows."""
    for _, event in table.besides:
        kind = KINDS[event.do]
        if kind.shown:
            hidden = kind.hides(event) and seat is not None and seat not in [getattr(event, field) for field in kind.seats]
            yield {"seat": getattr(event, "by", None), "what": in_words(event, hidden=hidden)}


def _calls(table: Table) -> Iterator[dict[str, Any]]:
    """An auction in which the seats do not bid each for itself, call by call, and what is stated of it."""
    phase = table.game.phase_of.get("bid")
    for _, event in table.besides if phase is not None and not phase.per_seat else ():
        if event.do in ("bid", "contract") or (event.do == "withdraw" and event.bid is not None):
            yield {"do": event.do, "seat": event.by, "call": event.bid}


def open_hands(table: Table, result: DealResult) -> Iterator[str]:
    """The seats whose hand lies open once the first card is led."""
    proxy = table.game.proxy(table) if table.trace or result.played else None
    if proxy is not None:
        yield table.seats[proxy[1]]


def all_tricks(table: Table, result: DealResult) -> list[PlayedTrick]:
    """The tricks of a deal replayed with its trace, in order; one that was not played to its end has the cards that it has."""
    over = {played.number for played in result.played}
    begun: dict[int, list[tuple[str, str]]] = {}
    for seen in table.trace or ():
        if seen.trick not in over and not seen.withdrawn and seen.place is not None:
            begun.setdefault(seen.trick, []).append((table.seats[seen.seat], seen.token))
    return [*result.played, *(PlayedTrick(number, tuple(plays), None) for number, plays in sorted(begun.items()))]


def is_public(finding: Finding, seen: set[str]) -> bool:
    """Whether a fault shows to one who sees only the hands of `seen`."""
    if finding.seat in seen and finding.code.startswith(("BID", "PLY", "REV")):
        return True
    bid_by_hand = finding.fault.needs_hand
    return finding.level not in ("L2", "L4") and not bid_by_hand


def _hand(table: Table, result: DealResult, seat: str, trick: int | None) -> list[str] | None:
    """A hand as it was dealt, or as it was before a trick; None if it is not known."""
    dealt = (table.dealt if trick is None else table.hands)[table.place_of[seat]]
    if not dealt:
        return None
    before = [played.plays for played in result.played if trick is not None and played.number < trick]
    gone = {card for plays in before for player, card in plays if player == seat}
    return [card for card in table.names(dealt) if card not in gone]


def _turned(table: Table, result: DealResult, trick: int | None) -> list[str]:
    """The cards turned up, by the end of a trick if one is asked for."""
    if trick is None:
        return list(table.turned)
    played = {card for one in all_tricks(table, result) if one.number <= trick for _, card in one.plays}
    events = table.deal.events
    last = max((place for place, event in enumerate(events) if event.do == "play" and event.card in played), default=0)
    early = [event.card for event in events[: last + 1] if event.do == "turn"]
    return [card for card in table.turned if card in early]


def _plays(table: Table, plays: tuple[tuple[str, str], ...], seen: set[str]) -> Iterator[dict[str, Any]]:
    shown = {(table.seats[each.seat], each.token): each for each in table.trace or ()}
    for seat, card in plays:
        each = shown.get((seat, card))
        held, legal = (each.hand, each.legal) if each else (0, 0)
        yield {
            "seat": seat,
            "card": card,
            "legal": table.names(legal) if seat in seen and legal else None,
            "held": table.names(held) if seat in seen and held else None,
        }


def _remark(finding: Finding) -> dict[str, Any]:
    could = finding.facts.get("could")
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "message": f"{finding.message}{explained(finding)}",
        "trick": finding.trick,
        "seat": finding.seat,
        "sentence": finding.fault.sentence,
        "could": list(could) if could else None,
    }


def text(view: dict[str, Any], colour: bool) -> str:
    """The deal in at most 80 columns: hands, bids, tricks (`>` leads, `*` wins), remarks under their trick, results."""
    return "\n".join(_lines(view, colour)) + "\n\n"


def _lines(view: dict[str, Any], colour: bool) -> Iterator[str]:
    for line in wrapped("", title(view), " · "):
        yield painted(line, BOLD, colour)
    yield from players_lines(view)
    if view["calls"]:
        yield from wrapped("  calls ", map(_call, view["calls"]))
    if view["as"]:
        yield "      · remarks that rest on other hands are withheld"
    remarks = view["findings"]
    yield from (remark for finding in remarks if finding["trick"] is None for remark in finding_lines(finding, colour))
    for each in view["said"]:
        yield from wrapped("  ", [*filter(None, [each["seat"]]), *each["what"].split()], " ")
    width = max(len(player["seat"]) for player in view["players"])
    for trick in view["tricks"]:
        yield from _trick(trick, width)
        yield from (remark for found in remarks if found["trick"] == trick["number"] for remark in finding_lines(found, colour))
    shown = {trick["number"] for trick in view["tricks"]} | {None}
    yield from (remark for finding in remarks if finding["trick"] not in shown for remark in finding_lines(finding, colour))
    if view["stopped"]:
        yield from wrapped("      · ", safe(view["stopped"], 400).split(), " ")
    if view["won"]:
        results = [f"{seat} {won}" + _points(view["scores"].get(seat)) for seat, won in view["won"].items()]
        yield from wrapped("  tricks ", results)


def title(view: dict[str, Any]) -> list[str]:
    """What a deal is, in a few words each."""
    trump = {None: "trump not known", "NT": "no trump"}.get(view["trump"], f"trump {view['trump']}")
    cards = counted(view["cards"], "card")
    words = [f"Deal {view['deal']}", safe(view["game"]), cards, f"dealer {view['dealer'] or '?'}", trump]
    if view["turned"]:
        words.append("turned " + " ".join(view["turned"]))
    if view["as"]:
        words.append(f"as {view['as']} saw it")
    if view["trick"]:
        words.append(f"hands before trick {view['trick']}")
    return words


def _call(call: dict[str, Any]) -> str:
    said = safe(call["call"])
    if call["do"] == "contract":
        return f"contract {said}" + (f" by {call['seat']}" if call["seat"] else "")
    return f"{call['seat']} takes back {said}" if call["do"] == "withdraw" else f"{call['seat']} {said}"


def _points(points: int | None) -> str:
    return "" if points is None else f" ({points:+d})"


def players_lines(view: dict[str, Any]) -> Iterator[str]:
    """Seat, name, bid and hand: a line for each player if that fits, else the hand below."""
    seats = [player["seat"] for player in view["players"]]
    bids = {seat: f"bid {safe(view['bids'][seat])}" for seat in seats if seat in view["bids"]}
    table = [
        [player["seat"], clip(safe(player["name"] or "", 30), 30), bids.get(player["seat"], "")] for player in view["players"]
    ]
    widths = [max(map(columns, column)) for column in zip(*table, strict=True)]
    heads = ["  ".join(fit(cell, width) for cell, width in zip(row, widths, strict=True) if width) for row in table]
    hands = [_suits(view["hands"][seat] or ()) for seat in seats]
    lines = [f"  {head}  {'  '.join(hand)}".rstrip() for head, hand in zip(heads, hands, strict=True)]
    if max(map(columns, lines)) <= WIDTH:
        yield from lines
        return
    for head, hand in zip(heads, hands, strict=True):
        yield f"  {head}".rstrip()
        if hand:
            yield from wrapped(" " * (widths[0] + 4), hand)


def _suits(hand: Iterable[str]) -> list[str]:
    suits: dict[str, list[str]] = {}
    for card in hand:
        suits.setdefault(card[1], []).append(card)
    return [" ".join(cards) for cards in suits.values()]


def _trick(trick: dict[str, Any], width: int) -> Iterator[str]:
    plays = [
        f"{'>' if place == 0 else ' '}{play['seat']:<{width}} {play['card']}{'*' if play['seat'] == trick['winner'] else ' '}"
        for place, play in enumerate(trick["plays"])
    ]
    yield from wrapped(f"  {trick['number']:>3} ", plays)


def finding_lines(finding: dict[str, Any], colour: bool) -> Iterator[str]:
    """A remark of the referee, below the trick that it is about."""
    mark = {"error": "✗", "warning": "!", "info": "·"}[finding["severity"]]
    rule = f" [{finding['rule']}]" if finding["rule"] else ""
    words = f"{finding['code']} {safe(finding['message'], 400)}{rule}".split()
    lines = [*wrapped(f"      {mark} ", words, " ")]
    if finding["could"]:
        lines += wrapped("        could have been played: ", finding["could"], " ")
    for line in lines:
        yield painted(line, RED, colour and finding["severity"] == "error")
