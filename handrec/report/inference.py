"""What the table could know of a deal: plays proved legal or illegal, who can hold what, how many deals fit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from handrec.cards import UNKNOWN
from handrec.findings import Rule
from handrec.game import Table
from handrec.inference import STOCK, Dates, DealCase, Position, dates, prove
from handrec.inference.voids import voids
from handrec.inference.words import listed, place_words, words
from handrec.report.layout import BOLD, RED, painted, wrapped
from handrec.report.safe import columns, safe

#: How many sets of suspects text shows; all of them are in the JSON.
SHOWN = 12

GLYPHS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣", "J": "jokers"}
VERDICTS = {
    "impossible": "the record contradicts itself",
    "illegal-proved": "proved illegal",
    "illegal-proved-if-others-legal": "illegal if all others were legal",
    "legal-proved": "proved legal",
    "consistent": "cannot be told",
}
MARKS = {
    "impossible": "!",
    "illegal-proved": "✗",
    "illegal-proved-if-others-legal": "✗?",
    "legal-proved": "✓",
    "consistent": "?",
}
NAMED = ("shown", "conditional", "withdrawn", "illegal", "legal", "impossible")


def view(table: Table, whole: DealCase, moment: int, name: str = "public", full: bool = True) -> dict[str, Any]:
    """Everything that can be told after `moment` events of a deal, in a view, as plain data; nothing of what came later.

    * `deal`, `game`, `view`, `at` (`5.2`, the second card of trick 5; empty before the first), `ended` (nothing is
      recorded after it), `sizes` (cards dealt to each seat, and to `(stock)`: nobody);
    * `acts`, every play and every bid that promises cards, in order: `act` (its place among the statement's events), `event`
      (its place in the record's deal), `seat`, `said` (card or bid), `done`, `verdict`, the dates `shown` (its seat first
      showed a card that makes it illegal), `conditional`, `withdrawn`, `illegal`, `legal`, `impossible` (as `at`; null if it
      did not come about), `rules` that it may have broken (id, code, sentence), `why` in words, and the `certificate`;
    * `suspects`, all smallest sets of seats that explain the record if they alone did something illegal (one empty set: all
      may have been legal; no set: the record contradicts itself), and `guilty`, the seats in each of them;
    * `held`, the cards known to be in a hand still; `holders`, `deals` and `witness`, each under `legal` (if every act was
      legal) and `any` (whatever was played): the places that can hold each unseen card, the number of deals that fit (its
      digits as a text), one of these deals (its unseen cards); null, 0, null if there is none;
    * `forced`, unseen cards that only one place can hold, and `voids` (`seat`, `suit`, `since`, `by`: the act that proved it,
      null if counting did), both if every act was legal;
    * `doubts`, what could not be judged, and why; `statement`, the case that every certificate speaks of:
      `handrec.inference.accepts(statement, certificate)` checks a proof.

    Without `full`, no statement and no certificates. KeyError if the case has no such view.
    """
    case = replace(whole, events=whole.events[:moment])
    position, dated = Position(case, moment, name), dates(case, name)
    holders = {"legal": position.holders(), "any": position.holders(legal=False)}
    found: dict[str, Any] = {
        "deal": table.number,
        "game": table.game.key,
        "view": name,
        "at": case.when(moment),
        "ended": moment == len(whole.events),
        "sizes": {**case.sizes, STOCK: case.stock},
        "acts": [_act(table, position, each, full) for each in dated],
        "suspects": [sorted(seats) for seats in position.suspects()],
        "guilty": list(position.guilty()),
        "held": {seat: list(case.names(cards)) for seat in case.sizes if (cards := position.in_hand(seat))},
        "holders": {key: found and {card: list(places) for card, places in found.items()} for key, found in holders.items()},
        "forced": {card: places[0] for card, places in (holders["legal"] or {}).items() if len(places) == 1},
        "voids": [{**void._asdict(), "since": case.when(void.since)} for void in voids(position)],
        "deals": {"legal": str(position.count()), "any": str(position.count(legal=False))},
        "witness": {"legal": _lists(position.witness()), "any": _lists(position.witness(legal=False))},
        "doubts": list(case.doubts),
    }
    return {**found, "statement": case.statement(name)} if full else found


def _lists(deal: Mapping[str, tuple[str, ...]] | None) -> dict[str, list[str]] | None:
    return None if deal is None else {place: list(cards) for place, cards in deal.items() if cards}


def _act(table: Table, position: Position, dated: Dates, full: bool) -> dict[str, Any]:
    case, event = position.case, position.case.events[dated.act]
    recorded = None if event.place is None else table.deal.events[event.place]
    since = next(
        filter(None, (dated.impossible, dated.illegal, dated.legal)), position.moment
    )  # a final verdict is proved from there on
    proof = prove(case, dated.act, since, position.view)
    said = str(getattr(recorded, "card", None) or getattr(recorded, "bid", None) or UNKNOWN)
    open_ = dated.verdict.startswith("illegal")
    found = {
        "act": dated.act,
        "event": event.place,
        "kind": event.kind,
        "seat": event.seat,
        "trick": event.trick,
        "said": said,
        "done": case.when(dated.committed),
        "verdict": dated.verdict,
        **{name: None if (when := getattr(dated, name)) is None else case.when(when) for name in NAMED},
        "rules": [_rule(rule) for rule in (_clauses(table, position, dated, said) if open_ else ())],
        "why": words(case, proof) if full or open_ or dated.verdict == "impossible" else "",
    }
    return {**found, "certificate": proof.certificate} if full else found


def _clauses(table: Table, position: Position, dated: Dates, said: str) -> tuple[Rule, ...]:
    if position.case.events[dated.act].kind == "promise":
        return tuple(rule for rule in table.game.rules if isinstance(rule, Rule) and said in rule.needs_hand)
    return position.clauses(dated.act, () if dated.verdict == "illegal-proved" else position.others(dated.act))


def _rule(rule: Rule) -> dict[str, str]:
    return {"id": rule.id, "code": rule.code, "sentence": rule.sentence}


# --- text ---


def text(data: Mapping[str, Any], case: DealCase, plays: bool, colour: bool) -> str:
    """A view in lines of at most 80 columns, and an empty line after it; `plays` lists every play with its verdict."""
    lines: list[str] = []
    for start, parts, gap in _lines(data, case, plays):
        lines += wrapped(start, parts, gap, min(columns(start), 8), breaks=True)
    lines[0] = painted(lines[0], BOLD, colour)
    lines = [painted(line, RED, colour and line.startswith("✗")) for line in lines]
    return "\n".join(lines) + "\n\n"


#: How a line begins, its parts, and what stands between them.
TextLine = tuple[str, Iterable[str], str]


def _lines(data: Mapping[str, Any], case: DealCase, plays: bool) -> Iterator[TextLine]:
    at = "before the first card" if not data["at"] else f"after {data['at']}"
    end = ", the end of what is recorded" if data["ended"] and data["at"] else ""
    yield "", [f"Deal {data['deal']}", safe(data["game"]), at + end, _whose(data["view"])], " · "
    yield from _judged(data)
    if plays:
        yield from _plays(data["acts"])
    yield from _cards(data, case)
    yield from _deals(data, case)
    for doubt in data["doubts"]:
        yield "  In doubt: ", safe(doubt, 400).split(), " "


def _whose(view: str) -> str:
    return {"public": "what all could know", "open": "with all hands open"}.get(view, f"what {view} could know")


def _judged(data: Mapping[str, Any]) -> Iterator[TextLine]:
    acts, many = data["acts"], dict.fromkeys(VERDICTS, 0)
    for act in acts:
        many[act["verdict"]] += 1
    if many["impossible"] or not data["suspects"]:
        first = acts[0] if acts else {"impossible": None, "why": ""}
        since = f" since {first['impossible']}" if first["impossible"] else ""
        yield "✗ ", f"The record contradicts itself{since}: no deal of the cards fits. {first['why']}".split(), " "
        return
    yield "  Plays: ", [f"{number} {VERDICTS[verdict]}" for verdict, number in many.items() if number] or ["none"], " · "
    explained: set[str] = set()
    for act in acts:
        if act["verdict"].startswith("illegal") or act["withdrawn"]:
            yield from _suspect(data, act, explained)
            explained |= {rule["id"] for rule in act["rules"]}
    yield from _suspects(data)


def _suspect(data: Mapping[str, Any], act: Mapping[str, Any], explained: set[str]) -> Iterator[TextLine]:
    """An act that is, or was, proved illegal, perhaps only if others were legal: dates, rules that it may have broken, proof."""
    did = (
        f"{act['done']} {act['seat']} {safe(act['said'])}" if act["kind"] == "play" else f"{act['seat']} bid {safe(act['said'])}"
    )
    said = VERDICTS[act["verdict"]]
    if act["verdict"] == "illegal-proved-if-others-legal":
        alone = [act["seat"]] in data["suspects"]
        said += f": {act['seat']} alone would explain the record" if alone else f", what {data['view']} played apart"
    mark = {"illegal-proved": "✗", "legal-proved": "✓"}.get(act["verdict"], "?")
    yield f"{mark} ", f"{did}: {said}".split(" "), " "
    when = {name: each or "before 1.1" for name in ("done", *NAMED) if (each := act[name]) is not None}
    stages = {"done": "done", "shown": "first shown", "illegal": "provable", "legal": "proved legal"}
    dates = [f"{stages[name]} {when[name]}" for name in stages if name in when]
    if "conditional" in when:
        until = f" until {when['withdrawn']}" if "withdrawn" in when else ""
        dates.append(f"provable if others were legal {when['conditional']}{until}")
    yield "    ", dates, " · "
    for place, rule in enumerate(act["rules"]):
        words = "as above" if rule["id"] in explained else rule["sentence"]
        yield ("    or " if place else "    "), f"{rule['id']}: {words}".split(), " "
    if act["why"]:
        yield "    ", re.split(r" (?!\d+[,)])", act["why"]), " "


def _suspects(data: Mapping[str, Any]) -> Iterator[TextLine]:
    sets = data["suspects"]
    if sets == [[]]:
        yield "  ", ["Everybody may have played legally."], " "
        return
    shown = [" with ".join(seats) for seats in sets[:SHOWN]]
    more = f"; and {len(sets) - SHOWN} more: -f json has them all" if len(sets) > SHOWN else ""
    yield "  Somebody did not play legally: ", f"{listed(shown, 'or')}{more}.".split(), " "
    if data["guilty"]:
        yield "  For certain: ", [f"{listed(data['guilty'])}."], " "
    else:
        yield "  ", ["Nobody for certain."], " "


def _plays(acts: list[dict[str, Any]]) -> Iterator[TextLine]:
    """A line for each trick, as in a replay: every play with a mark, and when it was proved if not at once."""
    tricks: dict[int | None, list[str]] = {}
    for act in acts:
        since = next((act[name] for name in ("impossible", "illegal", "legal", "conditional") if act[name] is not None), "")
        mark = MARKS[act["verdict"]] + (since if since != act["done"] else "")
        tricks.setdefault(act["trick"], []).append(f"{act['seat']} {safe(act['said'])} {mark}")
    for trick, plays in tricks.items():
        yield f"  {trick or 'bid':>3} ", plays, "  "
    verdicts = {act["verdict"] for act in acts}
    if tricks:
        yield "      ", [f"{mark} {VERDICTS[verdict]}" for verdict, mark in MARKS.items() if verdict in verdicts], ", "


def _cards(data: Mapping[str, Any], case: DealCase) -> Iterator[TextLine]:
    holders, legal = data["holders"]["legal"], data["holders"]["legal"] is not None
    holders = holders if legal else data["holders"]["any"]
    for seat, cards in data["held"].items():
        yield f"  {seat} holds: ", list(_suits(cards)), " · "
    if holders is None:
        return
    what = "if every play was legal" if legal else "no legal completion; whatever was played"
    yield "  ", [f"Who can hold what ({what}):" if holders else "Every card has been seen."], " "
    places = list(dict.fromkeys(place for each in holders.values() for place in each))
    if len(holders) > 1 and len(set(map(tuple, holders.values()))) == 1:
        yield "    ", [f"each of the {len(holders)} unseen cards: {_holders(case, tuple(places), places)}"], " "
        return
    for letter in dict.fromkeys(card[1] for card in holders):
        groups: dict[tuple[str, ...], list[str]] = {}
        for card, able in holders.items():
            if card[1] == letter:
                groups.setdefault(tuple(able), []).append(card)
        parts = [f"{' '.join(map(_short, cards))}: {_holders(case, able, places)}" for able, cards in groups.items()]
        yield f"    {GLYPHS.get(letter, letter)} ", parts, " · "
    for void in data["voids"]:
        act = next((act for act in data["acts"] if act["act"] == void["by"]), None)
        by = "by counting" if act is None else "by its bid" if act["kind"] == "promise" else f"{act['said']} at {act['done']}"
        by += "" if act and act["kind"] == "play" else f", since {void['since'] or 'before 1.1'}"
        yield "    ", [f"{void['seat']} has no {GLYPHS.get(void['suit'], void['suit'])}: {by}"], " "


def _short(card: str) -> str:
    return card if card[1] == "J" else card[0] + card[2:]


def _suits(cards: Iterable[str]) -> Iterator[str]:
    suits: dict[str, list[str]] = {}
    for card in cards:
        suits.setdefault(card[1], []).append(_short(card))
    for letter, ranks in suits.items():
        yield " ".join(ranks if letter == "J" else [GLYPHS.get(letter, letter), *ranks])


def _holders(case: DealCase, able: tuple[str, ...], places: list[str]) -> str:
    """The places that can hold a card, or those few that cannot."""
    others = tuple(place for place in places if place not in able)
    if len(able) == 1:
        return f"only {place_words(case, able[0])}"
    if len(places) > 4 and len(others) * 2 < len(able):
        return f"all but {_several(case, others, 'and')}" if others else "anywhere"
    return _several(case, able, "or")


def _several(case: DealCase, places: tuple[str, ...], last: str) -> str:
    """Seats as a row, then what else there is in words."""
    seats = " ".join(place for place in places if place in case.sizes)
    others = [place_words(case, place) for place in places if place not in case.sizes]
    return f" {last} ".join([seats, *others] if seats else others)


def _deals(data: Mapping[str, Any], case: DealCase) -> Iterator[TextLine]:
    legal, any_ = (int(data["deals"][key]) for key in ("legal", "any"))
    if not any_:
        return
    said = f"{legal:,} if every play was legal; {any_:,} whatever was played."
    said = f"{any_:,}, and in each of them every play was legal." if legal == any_ else said
    yield "  Deals that fit: ", re.split(r"(?<=[ ,])", said), ""  # a long number breaks where its commas are
    deal = data["witness"]["legal"] or data["witness"]["any"]
    if any_ == 1 and len(deal) <= 1:
        return
    yield "  ", ["One of them (unseen cards" + ("):" if legal else "; not all legal):")], " "
    for place, cards in deal.items():
        yield f"    {place_words(case, place)}: ", list(_suits(cards)), " · "
