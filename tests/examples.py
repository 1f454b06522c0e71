"""Examples for `handrec explain`, drawn from the fixtures: for each rule a hand that breaks it and one that obeys it.

A play rule shows the smallest hand: what lay on the table, what was held and played, and what could have been. What else is told
at an event shows the events that led to it. A rule about what is written down beside the events is obeyed where it was broken, in
the record mended (`mended`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from handrec import games, load, rulebook
from handrec.dealing import deal_game
from handrec.findings import Finding, Rule
from handrec.game import Game, Table, compose
from handrec.game.playing import Seen, View
from handrec.game.table import NO_PAST
from handrec.record import Deal, Record
from handrec.referee import carried_into, check, judged, rules_of
from handrec.report.events import in_words
from tests.mended import mended, words

ROOT = Path(__file__).parents[1]
SHOWN = 8  # events that are shown at most

Example = dict[str, Any]


@cache
def fixtures(folder: str) -> tuple[tuple[Path, Record], ...]:
    """The records below a folder of fixtures, the smallest first."""
    paths = sorted((ROOT / "fixtures" / folder).rglob("*.handrec.json"), key=lambda path: (path.stat().st_size, path.name))
    return tuple((path, load(path)) for path in paths)


@cache
def obeying(key: str) -> tuple[Record, ...]:
    """Records of a game to look for what is right in: clean ones first."""
    clean = [record for _, record in fixtures("clean") if record.game == key]
    return (*clean, *(record for _, record in fixtures(f"broken/{key}")))


@cache
def clean_calls(key: str) -> tuple[Record, ...]:
    """Clean records of a game, and those in which nothing is wrong before the result."""
    broken = (record for _, record in fixtures(f"broken/{key}"))
    late = (record for record in broken if all(each.code[:3] in ("SCO", "TRK") for each in check(record, games.find).findings))
    return (*(record for _, record in fixtures("clean") if record.game == key), *late)


@cache
def dealt(key: str, players: int, options: str) -> tuple[Record, ...]:
    """A few clean deals under some options, given as JSON, for rules that only some options bring in."""
    game = games.find(key)
    assert game is not None
    return tuple(deal_game(game, players, seed, options=json.loads(options), numbers=[1]) for seed in range(5))


# --- play rules -----------------------------------------------------------------------------------------------------


@cache
def tables(key: str) -> tuple[tuple[bool, Game, Table], ...]:
    """Every deal of the records of a game as it was played, and whether its record is clean."""
    found = []
    for record in obeying(key):
        game = games.find(key)
        assert game is not None
        composed = compose(game, record.options)[0]
        verdict = check(record, games.find)
        for index, deal in enumerate(record.deals):
            if deal.hands and len(verdict.deals) > index:
                carried = carried_into(record, composed, index, verdict)
                found.append((not verdict.findings, composed, judged(record, composed, index, deal, NO_PAST, carried, True)))
    return tuple(found)


def at_play(table: Table, seen: Seen) -> Example:
    """A play, with all that its player saw."""
    order = table.order(seen.trick)
    before = [each for each in table.trace or () if each.trick == seen.trick and (each.place or 0) < (seen.place or 0)]
    return {
        "deal": table.number,
        "trick": seen.trick,
        "trump": order.name if order else None,
        "table": [f"{table.seats[each.seat]} {each.token}" for each in before],
        "seat": table.seats[seen.seat],
        "hand": table.names(seen.hand),
        "card": seen.token,
        "may": table.names(seen.legal),
    }


def narrowed(game: Game, rule: Rule, view: View, hand: int) -> bool:
    """Whether a rule took cards away from those that could be played."""
    view.hand = legal = hand
    for each in game.rules:
        if each.narrow is None:
            continue
        left = each.narrow(view, legal)
        if (each.id, each.code) == (rule.id, rule.code):
            return bool(left != legal)
        legal = left
    return False


def obeyed_in_play(key: str, rule: Rule) -> Example | None:
    """The smallest hand in which the rule took cards away and was obeyed; in a clean record, if there is one."""
    found = []
    for clean, game, table in tables(key):
        for seen in table.trace or ():
            if seen.view is None or not seen.hand or not seen.legal >> max(seen.card, 0) & 1 or seen.seat in table.free:
                continue
            if narrowed(game, rule, seen.view, seen.hand):
                found.append((not clean, seen.hand.bit_count(), len(found), table, seen))
    return at_play(*min(found, key=lambda each: each[:3])[3:]) if found else None


# --- what happens at an event ---------------------------------------------------------------------------------------


def word(event: Any) -> str:
    """An event in few words."""
    words = event.card if event.do == "play" else in_words(event)
    return f"{event.by} {words}" if getattr(event, "by", None) else words


def up_to(record: Record, deal: int, place: int) -> Example:
    """The events of a deal up to one of them, the last few."""
    events = record.deals[deal].events[: place + 1]
    shown = [word(event) for event in events[-SHOWN:]]
    return {"deal": record.deals[deal].number or deal + 1, "events": ["…"] * (len(events) > SHOWN) + shown}


def kind(event: Any) -> tuple[Any, ...]:
    """What sort of event it is: what is done, said, bid by a word, and whether blind."""
    fields = vars(event)
    bid = fields.get("bid")
    named = bid if isinstance(bid, str) and len(bid) > 2 and bid.isalpha() else None
    return event.do, fields.get("what"), named, fields.get("blind")


def calls(deal: Deal) -> int:
    """How many events stand before the first play."""
    return next((place for place, event in enumerate(deal.events) if event.do == "play"), len(deal.events))


def obeyed_at_an_event(key: str, record: Record, deal: Deal, place: int) -> Example | None:
    """Such an event where it is right, with all that was called or the first of its sort; most like the one that is wrong."""
    like, sorts = kind(deal.events[place]), {kind(event) for event in deal.events[max(0, place - SHOWN) : place + 1]}
    found = []
    under = dealt(record.game, len(record.players), json.dumps(record.options))
    for record_number, other in enumerate((*clean_calls(key), *under)):
        for number, each in enumerate(other.deals):
            places = [place for place, event in enumerate(each.events) if kind(event) == like]
            if places:
                lacking = len(sorts - {kind(event) for event in each.events})
                found.append((lacking, other.options != record.options, record_number, number, other, places))
    if not found:
        return None
    *_, number, other, places = min(found, key=lambda each: each[:4])
    last, begun = next(place for place in places if place + 1 not in places), calls(other.deals[number])
    if like[2] is not None:  # a word, which may hang on the hand
        event: Any = other.deals[number].events[places[0]]
        return {**up_to(other, number, places[0]), "held": (other.deals[number].hands or {}).get(event.by, [])}
    return up_to(other, number, begun - 1 if places[0] < begun else min(last, places[0] + SHOWN - 1))


# --- a rule ---------------------------------------------------------------------------------------------------------


def event_of(record: Record, finding: Finding) -> tuple[int, int] | None:
    """The deal and the event at which a finding is told; for a bid that is missing, the last event before the play."""
    parts = finding.pointer.split("/")
    if len(parts) > 4 and parts[3] == "events":
        return int(parts[2]), int(parts[4])
    if finding.code.startswith("BID") and len(parts) == 3:
        return int(parts[2]), calls(record.deals[int(parts[2])]) - 1
    return None


def broken(record: Record, finding: Finding) -> Example:
    """What breaks a rule."""
    parts = finding.pointer.split("/")
    if "could" in finding.facts and finding.code.startswith("REV") and finding.severity == "error":
        game = games.find(record.game)
        assert game is not None
        composed, index = compose(game, record.options)[0], int(parts[2])
        carried = carried_into(record, composed, index, check(record, games.find))
        table = judged(record, composed, index, record.deals[index], NO_PAST, carried, True)
        seen = next(each for each in table.trace or () if each.place == int(parts[4]))
        return at_play(table, seen)
    at = event_of(record, finding)
    if at is not None:
        return {**up_to(record, *at), "why": finding.message}
    return {"why": f"{finding.place}: {finding.message}" if finding.place else finding.message}


def of(key: str, rule: Rule, record: Record) -> dict[str, Example]:
    """The examples of a rule, by the record that breaks it."""
    finding = next(each for each in check(record, games.find).findings if (each.code, each.rule) == (rule.code, rule.id))
    at = event_of(record, finding)
    obeys: Example | None = None
    if rule.narrow is not None:
        obeys = obeyed_in_play(key, rule)
    elif at is not None:
        obeys = obeyed_at_an_event(key, record, record.deals[at[0]], at[1])
    return {"breaks": broken(record, finding), "obeys": obeys or obeyed(rule, record, finding)}


def obeyed(rule: Rule, record: Record, finding: Finding) -> Example:
    """The same record, or one like it, in which the rule is kept where it was broken."""
    other, pointer = mended(rule, record, finding)
    parts = pointer.split("/")
    if len(parts) > 4 and parts[3] == "events":
        shown = up_to(other, int(parts[2]), int(parts[4]))
        remark = next((each.message for each in check(other, games.find).findings if each.pointer == pointer), None)
        return {**shown, "why": remark} if remark else shown
    number = {"deal": other.deals[int(parts[2])].number or int(parts[2]) + 1} if len(parts) > 2 and parts[1] == "deals" else {}
    return {**number, "why": words(other, pointer, finding)}


def rules(key: str) -> Iterator[Rule]:
    """The rules of a game, those that only an option brings in, and those that all games share."""
    game = games.find(key)
    assert game is not None
    for option in ({}, *({o.key: choice} for o in game.options for choice in o.values)):
        yield from (rule for rule in rules_of(compose(game, option)[0]) if isinstance(rule, Rule))
    yield from rulebook.RULES.values()


def examples(keys: Iterable[str]) -> dict[str, dict[str, dict[str, Example]]]:
    """The examples of every rule of some games, by the game's key, and the rule's id and code."""
    found: dict[str, dict[str, dict[str, Example]]] = {}
    for key in keys:
        known = {path.name.removesuffix(".handrec.json"): record for path, record in fixtures(f"broken/{key}")}
        every = {f"{rule.id}-{rule.code}": rule for rule in rules(key)}
        found[key] = {name: of(key, every[name], known[name]) for name in sorted(every.keys() & known.keys())}
    return found
