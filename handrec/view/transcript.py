"""The whole record as plain HTML, from the page's own data: what is read without scripts, and what is printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import Any

from handrec.report.layout import counted
from handrec.view.words import SIGNS

#: The largest table whose tricks stand in columns, one for each seat.
COLUMNS = 8


def transcript(data: dict[str, Any]) -> str:
    """Every deal of every record: hands, calls, tricks, scores, and findings as footnotes."""
    return "\n".join(line for record in data["records"] for line in _record(record))


def _record(record: dict[str, Any]) -> Iterator[str]:
    options = f" ({escape(', '.join(record['options']))})" if record["options"] else ""
    yield f"<h2>{escape(record['name'])}: {escape(record['game'])}{options}</h2>"
    for finding in record["findings"]:
        yield f"<p>{_finding(record, finding)}</p>"
    for deal in record["deals"]:
        yield from _deal(record, deal)
    if record["ending"]:
        yield f"<p>{escape('. '.join(record['ending']))}.</p>"


def _deal(record: dict[str, Any], deal: dict[str, Any]) -> Iterator[str]:
    dealer = f", dealt by {escape(_name(record, deal['dealer']))}" if deal["dealer"] is not None else ""
    contract = f", contract {escape(deal['contract'])}" if deal["contract"] else ""
    yield f"<section><h2>Deal {deal['title']}</h2>"
    vulnerable = (
        ", vulnerable " + " and ".join(escape(_name(record, seat)) for seat in deal["vulnerable"]) if deal["vulnerable"] else ""
    )
    yield f"<p>{counted(deal['cards'], 'card')} each{dealer}{vulnerable}{contract}.</p>"
    hands = [[_name(record, seat), _hand(record, deal["hands"][seat])] for seat in deal["ring"] if deal["hands"][seat]]
    if hands:
        yield "<h3>Hands</h3>" + _table([], ([escape(name), cards] for name, cards in hands))
    before = [step for step in deal["steps"] if step["do"] != "play" and step["at"].startswith("b")]
    if before:
        yield "<h3>Before the play</h3><p>" + " · ".join(_said(record, step) for step in before) + "</p>"
    notes = {id(finding): number for number, finding in enumerate(deal["findings"], 1)}
    yield from _tricks(record, deal, notes)
    yield from _scores(record, deal)
    if deal["findings"]:
        found = "".join(f"<li>{_finding(record, finding)}</li>" for finding in deal["findings"])
        yield f'<h3>Findings</h3><ol class="foot">{found}</ol>'
    if deal["stopped"]:
        yield f"<p>{escape(deal['stopped'])}</p>"
    for comment in deal["comments"]:
        yield f"<p>“{escape(comment['text'])}” {escape(comment['by'])}</p>"
    yield "</section>"


def _tricks(record: dict[str, Any], deal: dict[str, Any], notes: dict[int, int]) -> Iterator[str]:
    """A line for each trick: `▸` leads, `★` wins, numbers are footnotes; and what was said in between."""
    feet: dict[int, list[int]] = {}
    for finding in deal["findings"]:
        if finding["step"] is not None:
            feet.setdefault(finding["step"], []).append(notes[id(finding)])
    tricks: dict[int, list[tuple[int, dict[str, Any]]]] = {}
    between: dict[int, list[str]] = {}
    for place, step in enumerate(deal["steps"]):
        if step["do"] == "play":
            tricks.setdefault(step["trick"], []).append((place, step))
        elif not step["at"].startswith("b"):
            foot = "".join(f"<sup>{number}</sup>" for number in feet.get(place, ()))
            between.setdefault(int(step["at"].split(".")[0]), []).append(_said(record, step) + foot)
    if not tricks:
        return
    narrow = len(deal["ring"]) > COLUMNS
    rows = []
    for trick, plays in tricks.items():
        cells: dict[int, str] = {}
        for number, (place, step) in enumerate(plays):
            won = deal["winners"].get(trick) == step["by"]
            foot = "".join(f"<sup>{note}</sup>" for note in feet.get(place, ()))
            shown = f"{'' if number else '▸'}{_card(record, step['card'])}{'★' if won else ''}{foot}"
            cells[step["by"]] = (f"{cells[step['by']]}, " if step["by"] in cells else "") + shown
        if narrow:
            line = [", ".join(f"{escape(record['seats'][seat]['seat'])} {cell}" for seat, cell in cells.items())]
        else:
            line = [cells.get(seat, "") for seat in deal["ring"]]
        rows.append([str(trick), *line, "; ".join(between.get(trick, ()))])
    said = any(row[-1] for row in rows)
    heads = [
        "trick",
        *([""] if narrow else [escape(record["seats"][seat]["seat"]) for seat in deal["ring"]]),
        *([""] if said else []),
    ]
    yield "<h3>Tricks</h3>" + _table(heads, (row if said else row[:-1] for row in rows))


def _scores(record: dict[str, Any], deal: dict[str, Any]) -> Iterator[str]:
    parts = ["bid", "tricks", "points", "total"]
    rows = [row for row in deal["scores"] if row["seat"] is not None]
    parts = [part for part in parts if any(value is not None for row in rows for value in row[part])]
    if parts:
        lines = ([escape(_name(record, row["seat"])), *(_number(*row[part]) for part in parts)] for row in rows)
        yield "<h3>Score</h3>" + _table(["", *parts], lines)


def _number(due: Any, written: Any) -> str:
    """A number as recomputed; before it the one that is recorded, if that is another."""
    shown = "–" if due is None else escape(str(due))
    return shown if written is None or str(written) == str(due) else f"<del>{escape(str(written))}</del> → {shown}"


def _finding(record: dict[str, Any], finding: dict[str, Any]) -> str:
    rule = record["rules"][finding["rule"]]
    could = "; could have been played: " + _cards(record, finding["could"]) if finding["could"] else ""
    readings = f" ({escape(finding['readings'])})" if finding["readings"] else ""
    source = f" {escape(rule['source'])}." if rule["source"] else ""
    where = f"{escape(finding['where'])}: " if finding["where"] else ""
    found = f"<b>{escape(finding['rule'])}</b> {where}{escape(finding['message'])}{could}{readings}"
    beside = _listed("If the record is wrong", finding["if_wrong"]) + _listed("What would tell them apart", finding["look_at"])
    return f"{found}. {escape(rule['sentence'])}{source}{beside}"


def _listed(heading: str, lines: Sequence[str]) -> str:
    return f" {heading}: {escape('; '.join(lines))}." if lines else ""


def _said(record: dict[str, Any], step: dict[str, Any]) -> str:
    who = f"{escape(record['seats'][step['by']]['seat'])} " if "by" in step else ""
    return who + escape(step["say"])


def _name(record: dict[str, Any], seat: int) -> str:
    letter, name = record["seats"][seat]["seat"], record["seats"][seat]["name"]
    return f"{name} ({letter})" if name else letter


def _hand(record: dict[str, Any], hand: Sequence[str]) -> str:
    """A hand by suits, each suit's sign once."""
    suits: dict[str, list[str]] = {}
    for card in hand:
        rank, suit, mark, _ = record["cards"][card]
        suits.setdefault(suit, []).append(escape(rank + mark))
    return " ".join(f"{_sign(suit)} {' '.join(ranks)}" for suit, ranks in suits.items())


def _cards(record: dict[str, Any], cards: Iterable[str]) -> str:
    return " ".join(_card(record, card) for card in cards)


def _card(record: dict[str, Any], card: str) -> str:
    rank, suit, mark, _ = record["cards"][card]
    return f"{escape(rank)}{_sign(suit)}{escape(mark)}"


def _sign(suit: str) -> str:
    return f'<span class="suit-{suit}">{SIGNS.get(suit, "✦")}</span>' if suit in SIGNS or suit == "J" else escape(suit)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; its cells are HTML already, the first of each row a heading."""
    head = "<thead><tr>" + "".join(f"<th>{cell}</th>" for cell in heads) + "</tr></thead>" if heads else ""
    body = "".join(f"<tr><th>{row[0]}</th>" + "".join(f"<td>{cell}</td>" for cell in row[1:]) + "</tr>" for row in rows)
    return f"<table>{head}<tbody>{body}</tbody></table>"
