"""A game told in Markdown: who played, the scorecard, what is wrong, and every trick of every deal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from handrec.findings import Verdict
from handrec.game import Game
from handrec.record import Record
from handrec.referee import replay
from handrec.report.checked import WORDS, message
from handrec.report.events import comment_words
from handrec.report.markdown import table
from handrec.report.replay import deal_view, title
from handrec.report.safe import MESSAGE, NAME, markdown, safe
from handrec.report.sheet import sheet_markdown


def story(name: str, record: Record, verdict: Verdict, game: Game) -> str:
    """The whole record, for reading; `game` is that of the record, under its options."""
    return "\n".join(_parts(name, record, verdict, game))


def _parts(name: str, record: Record, verdict: Verdict, game: Game) -> Iterator[str]:
    yield f"# {markdown(safe(name))}\n"
    options = [f"{key}: {value if isinstance(value, str) else json.dumps(value)}" for key, value in record.options.items()]
    facts = [game.title, *options, *([] if record.status == "complete" else [record.status.replace("_", " ")])]
    yield markdown(safe(", ".join(facts), MESSAGE)) + "\n"
    yield table(["seat", "player"], [[player.seat, safe(player.name or "")] for player in record.players])
    yield from (f"> {_said(comment)}\n" for comment in record.comments or ())
    yield "## Scorecard\n"
    yield sheet_markdown(record, verdict)
    yield "## Findings\n"
    found = [[one.place, one.code, WORDS[one.severity], message(one), one.rule or ""] for one in verdict.primary]
    yield table(["place", "code", "severity", "finding", "rule"], found) if found else "Nothing is wrong.\n"
    for played, result in zip(replay(record, game, trace=True), verdict.deals, strict=True):
        yield from _deal(deal_view(record, played, result, verdict.primary, None, None))
        yield from (f"> {_said(comment)}\n" for comment in played.deal.comments or ())


def _said(comment: Any) -> str:
    said = comment_words(comment)
    return markdown(safe(f"{comment.by}: {said}" if comment.by else said, MESSAGE))


def _deal(view: dict[str, Any]) -> Iterator[str]:
    """A deal: what was held, bid and won, then a line for each trick."""
    head, _, *facts = title(view)
    yield f"## {markdown(head)}\n"
    yield markdown(", ".join(facts)) + "\n"
    seats = [player["seat"] for player in view["players"]]
    won, scores, hands = view["won"] or {}, view["scores"] or {}, view["hands"]
    rows = [
        [seat, safe(view["bids"].get(seat, ""), NAME), *(str(part.get(seat, "")) for part in (won, scores)), _cards(hands[seat])]
        for seat in seats
    ]
    yield table(["seat", "bid", "tricks", "points", "hand"], rows)
    played = [play["seat"] for trick in view["tricks"] for play in trick["plays"]]
    actors = list(dict.fromkeys([*seats, *played]))
    if view["tricks"]:
        yield table(["trick", "led by", *actors, "won by"], [_trick(trick, actors) for trick in view["tricks"]])
    if view["stopped"]:
        yield markdown(safe(view["stopped"], MESSAGE)) + "\n"


def _cards(hand: list[str] | None) -> str:
    return " ".join(hand) if hand else ""


def _trick(trick: dict[str, Any], actors: list[str]) -> list[str]:
    cards = {seat: " ".join(play["card"] for play in trick["plays"] if play["seat"] == seat) for seat in actors}
    leader = trick["plays"][0]["seat"] if trick["plays"] else ""
    return [str(trick["number"]), leader, *cards.values(), trick["winner"] or ""]
