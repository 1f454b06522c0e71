"""All that a page shows, as plain data: what the referee saw and found, step by step, in words that are safe to show."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from handrec import referee
from handrec.cards import Pack
from handrec.explanations.weighed import Weighing, is_deed
from handrec.findings import LEVELS, Citation, DealResult, Finding, Verdict
from handrec.game import Game, Table
from handrec.game.hands import dealt_hands
from handrec.record import Record
from handrec.report.checked import explained, outcome
from handrec.report.events import comment_words
from handrec.report.replay import is_public, open_hands
from handrec.report.safe import MESSAGE, NAME, PLACE, safe
from handrec.report.scorecard import PARTS, Scorecard, SheetLine, scorecard
from handrec.report.weighed import if_wrong, look_at
from handrec.sides import seats_of
from handrec.view import words
from handrec.view.compare import compare
from handrec.view.known import DealKnowledge
from handrec.view.steps import at_first, auction, by_suit, steps

#: Levels of what is wrong when all is played.
AT_END = ("L5", "L6")


@dataclass(frozen=True)
class ShownRecord:
    """A record to be shown: what it is called, the referee's verdict, and its game under its options.

    With `weighing`, what players did stands beside the slips of the pen that would explain it, which are searched for.
    """

    name: str
    record: Record
    verdict: Verdict
    game: Game
    weighing: Weighing | None = None


def page_data(shown: Sequence[ShownRecord]) -> dict[str, Any]:
    """The data of a page that shows one record, or two beside each other; seats are their places, clockwise from 0."""
    records = [_record(one) for one in shown]
    apart = None
    if len(records) == 2:
        pack = shown[0].game.pack(len(shown[0].record.players))
        apart = compare([one.record for one in shown], records, lambda text: words.signed(text, pack))
    for step in (step for record in records for deal in record["deals"] for step in deal["steps"]):
        del step["event"]
    return {"records": records, "apart": apart, "suits": words.SIGNS, "suit_names": words.SUITS}


def _record(shown: ShownRecord) -> dict[str, Any]:
    record, verdict, game = shown.record, shown.verdict, shown.game
    names = {player.seat: player.name for player in record.players}
    card = scorecard(record, verdict, together=False)
    tables = referee.replay(record, game, trace=True)
    seats = [*names, *game.extras]
    known = {option.key: option.default for option in game.options}
    chosen = {key: value for key, value in game.settings.items() if value != known[key]}
    rules: dict[str, dict[str, Any]] = {}
    lines = _lines(card)
    deals = [_deal(shown, *each, rules) for each in zip(tables, verdict.deals, lines, strict=True)]
    _number(deals)
    return {
        "name": safe(shown.name),
        "game": game.title,
        "source": str(game.source.title),
        "options": [f"{key}: {safe(value).lower() if isinstance(value, bool) else safe(value)}" for key, value in chosen.items()],
        "seats": [{"seat": seat, "name": safe(names.get(seat) or "")} for seat in seats],
        "home": seats.index("S") if seats == list("NESW") else 0,
        "deals": deals,
        "cards": _faces(tables, deals),
        "findings": [
            _finding(finding, game.pack(len(names)), rules, None) | {"at_end": finding.level in AT_END}
            for finding in verdict.findings
            if finding.deal_index not in range(len(tables))
        ],
        "levels": [[level.key, LEVELS[level.key], level.status, outcome(level)] for level in verdict.levels],
        "totals": [(verdict.totals or {}).get(seat) for seat in seats],
        "ending": list(card.ending),
        "comments": _comments(record.comments or ()),
        "provenance": _provenance(record),
        "differences": [],
        "rules": rules,
    }


def _lines(card: Scorecard) -> list[tuple[SheetLine, SheetLine | None]]:
    """The line of each deal, and that of its penalties, which stands directly below it."""
    pairs = zip_longest(card.lines, card.lines[1:])
    return [(line, below if below and below.kind == "penalty" else None) for line, below in pairs if line.kind == "deal"]


def _number(deals: list[dict[str, Any]]) -> None:
    """Note of each deal which one of its number it is, and what it is called: `7`, or `7 (2 of 3)` where three are."""
    numbers = [deal["number"] for deal in deals]
    for place, (number, deal) in enumerate(zip(numbers, deals, strict=True)):
        deal["nth"], all_ = numbers[: place + 1].count(number), numbers.count(number)
        deal["title"] = str(number) if all_ == 1 else f"{number} ({deal['nth']} of {all_})"


def _deal(
    shown: ShownRecord,
    table: Table,
    result: DealResult,
    lines: tuple[SheetLine, SheetLine | None],
    rules: dict[str, dict[str, Any]],
) -> dict[str, Any]:
    deal, done = table.deal, steps(table)
    known = DealKnowledge(table, done)
    here = [finding for finding in shown.verdict.primary if finding.deal_index == table.index]
    here.sort(key=lambda finding: finding.pointer == f"/deals/{table.index}")  # what is wrong with the whole comes last
    seats = range(len(table.seats))
    leader = table.place_of.get(deal.leader or "")
    return {
        "number": table.number,
        "cards": table.size,
        "dealer": table.dealer,
        "vulnerable": _vulnerable(table),
        "leader": leader,
        "status": deal.status,
        "contract": _contract(table),
        **at_first(table),
        "ring": table.ring,
        "hands": [by_suit(table, hand) or None for hand in table.dealt],
        "gathered": [seat for seat in seats if _is_gathered(table, seat)],
        "sizes": [table.quota[seat] for seat in seats],
        "open": [table.place_of[seat] for seat in open_hands(table, result)],
        "faced": [place for place in seats if place >= table.count],
        "aside": {safe(name).replace("_", " "): list(cards) for name, cards in (deal.aside or {}).items()},
        "disclosed": known.disclosed,
        "steps": done,
        "auction": auction(table, done),
        "winners": {trick.number: table.place_of[trick.winner] for trick in result.played if trick.winner is not None},
        "told": {"public" if view == "public" else table.place_of[view]: learned for view, learned in known.learned().items()},
        "findings": [_placed(finding, known, result, rules, shown.weighing) for finding in here],
        "stopped": safe(table.stopped, MESSAGE) if table.stopped else None,
        "scores": list(_scores(table, result, *lines)),
        "comments": _comments(deal.comments or (), known),
        "differences": [],
        "others": {},
    }


def _contract(table: Table) -> str | None:
    """The contract as it was stated, or as the auction made it; None if there is none."""
    stated = next((event for event in table.deal.events if event.do == "contract"), None)
    if not table.contract or stated is None:
        return words.call(table.contract) if table.contract else None
    return words.call(stated.bid) + (f" by {stated.by}" if stated.by else "")


def _is_gathered(table: Table, seat: int) -> bool:
    """Whether some of a hand is not recorded, and known only because it was played."""
    recorded = {**dealt_hands(table), **(table.deal.hands or {})}.get(table.seats[seat], [])
    return not set(table.names(table.dealt[seat])) <= set(recorded)


def _finding(finding: Finding, pack: Pack, rules: dict[str, dict[str, Any]], weighing: Weighing | None) -> dict[str, Any]:
    """A finding in words; its rule's sentence and source go into `rules`, once."""
    weighed = weighing.of(finding) if weighing is not None and is_deed(finding) else None
    fault = finding.fault
    key = f"{fault.code} {fault.id}" if fault.id else fault.code
    citation = fault.citation
    rules.setdefault(key, {"sentence": fault.sentence, "source": _source(citation) if citation else ""})
    word = "legal" if finding.level in ("L3", "L4") else "right"
    return {
        "rule": key,
        "severity": finding.severity,
        "message": words.signed(safe(finding.message, MESSAGE) + ("" if weighed else explained(finding)), pack),
        "if_wrong": [words.signed(safe(line, MESSAGE), pack) for line in (if_wrong(weighed) if weighed else ())],
        "look_at": [words.signed(safe(line, MESSAGE), pack) for line in (look_at(weighed) if weighed else ())],
        "where": safe(finding.place, NAME),
        "could": list(finding.facts.get("could") or ()),
        "readings": f"{word} under {' or '.join(map(safe, finding.readings))}" if finding.readings else "",
    }


def _source(citation: Citation) -> str:
    author = f" by {citation.work.author}" if citation.work.author else ""
    return f"{citation.work.title}{author}: {citation.section} ({citation.standing})"


def _placed(
    finding: Finding, known: DealKnowledge, result: DealResult, rules: dict[str, dict[str, Any]], weighing: Weighing | None
) -> dict[str, Any]:
    """A finding of a deal: at which step, after how many it is seen, whose card is marked, and when it shows to each view."""
    table, event = known.table, finding.event_index
    step = mark = known.step_of.get(event)
    entry = finding.code == "TRK001"  # somebody is recorded who won nothing: what is wrong is the entry, not a play
    if step is None and finding.trick is not None:
        trick = {each["by"]: spot for spot, each in enumerate(known.steps) if each.get("trick") == finding.trick}
        if entry:  # who is recorded as the winner is known to be wrong when all have played
            step, mark = max(trick.values(), default=None), trick.get(table.place_of.get(str(finding.facts["found"])))
        else:
            step = mark = min(trick.values(), default=None)
    found = {
        **_finding(finding, table.pack, rules, weighing),
        "step": step,
        "after": _after(known, finding) if step is None else step + 1,
        "mark": mark,
        "entry": entry,
        "seat": table.place_of.get(finding.seat or ""),
    }
    shows: dict[Any, int | None] = {}
    opened = set(open_hands(table, result))
    for view in ("public", *table.seats[: table.count]):
        if is_public(finding, opened | {view}):
            shows["public" if view == "public" else table.place_of[view]] = (
                step if view == finding.seat else known.shows_from(finding, step)
            )
    if event is not None and finding.level == "L4" and finding.severity == "error":
        for view in known.views:
            proved = known.proved(event, view)
            if proved is not None:
                shows.setdefault("public" if view == "public" else table.place_of[view], proved)
        found["provable"] = known.proved(event, "public")
        found["supposed"] = known.supposed(event)
        found["to"] = [
            [table.place_of[view], spot] for view in known.views if view != "public" and (spot := known.proved(event, view))
        ]
        found["established"] = known.established(finding, event)
    return {**found, "shows": shows}


def _after(known: DealKnowledge, finding: Finding) -> int:
    """After how many steps a finding that is at none of them is seen: at the first lead, at the end, or before all."""
    if finding.level == "L3" or finding.pointer.endswith("/leader"):
        led = (spot for spot, step in enumerate(known.steps) if step["do"] == "play")
        return next(led, len(known.steps) - 1) + 1
    return len(known.steps) if finding.level == "L5" or "/claimed/" in finding.pointer else 0


def _scores(table: Table, result: DealResult, line: SheetLine, fined: SheetLine | None) -> Iterator[dict[str, Any]]:
    """A line for each seat: each part as recomputed and as recorded (None if it is not)."""
    claims = table.deal.claimed
    for seat in line.shares:
        yield {
            "seat": table.place_of[seat],
            **dict(_entries(line, fined, seat)),
            "lines": {safe(key).replace("_", " "): points for key, points in result.lines.get(seat, {}).items()},
            "fine": result.penalties.get(seat, 0),
            "notes": [f"{safe(key, 20)} {safe(value, 40)}" for key, value in line.notes.get(seat, {}).items()],
        }
    if claims and claims.trump is not None and line.trump.differs:
        yield {"seat": None, "trump": [line.trump.due, safe(claims.trump)]}


def _entries(line: SheetLine, fined: SheetLine | None, seat: str) -> Iterator[tuple[str, list[Any]]]:
    """The parts of a seat's line as recomputed and as recorded; with penalties, the total is the one after them."""
    for part, entry in zip(PARTS, line.shares[seat], strict=True):
        learned = fined.shares[seat][3] if fined is not None and part == "total" else entry
        pair = [learned.due if learned.due != "" else None, learned.written]
        yield part, [words.call(value) if isinstance(value, str) else value for value in pair]


def _vulnerable(table: Table) -> list[int]:
    """The seats that are vulnerable, as far as they are known."""
    who, seats = table.deal.vulnerable or "none", table.seats[: table.count]
    return [*range(table.count)] if who == "all" else [table.place_of[seat] for seat in seats_of(who, seats) if seat in seats]


def _comments(comments: Any, known: DealKnowledge | None = None) -> list[dict[str, Any]]:
    return [
        {
            "text": comment_words(comment, PLACE),
            "by": safe(comment.by or ""),
            "step": known.step_of.get(comment.event - 1) if known and comment.event else None,
        }
        for comment in comments
    ]


def _provenance(record: Record) -> list[str]:
    stated = record.provenance.model_dump(exclude_none=True) if record.provenance else {}
    return [f"{key}: {safe(value, PLACE)}" for key, value in stated.items()]


def _faces(tables: Sequence[Table], deals: Sequence[dict[str, Any]]) -> dict[str, words.Face]:
    """Every card that a record's deals name, as it is drawn and spoken: one name is another card in another game."""
    faces: dict[str, words.Face] = {}
    for table, deal in zip(tables, deals, strict=True):
        named = [card for hand in deal["hands"] for card in hand or ()]
        named += [card for cards in deal["aside"].values() for card in cards]
        named += [card for step in deal["steps"] for card in step.get("cards", [step.get("card")]) if card]
        named += [card for finding in deal["findings"] for card in finding["could"]]
        named += [card for learned in deal["told"].values() for entry in learned if len(entry) > 1 for card in entry[3]]
        faces.update((card, words.face(card, table.pack)) for card in named if card not in faces)
    return faces
