"""`handrec explain`: codes, rules, games and options in words, with their source and standing."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from functools import cache
from pathlib import Path
from typing import Any

from handrec import games, rulebook
from handrec.cli.commands.options import PlainFormat
from handrec.cli.errors import unknown
from handrec.explanations import SLIPS
from handrec.findings import LEVELS, Fault, Rule
from handrec.game import Game, Option, compose
from handrec.live.lines import FAULTS
from handrec.referee import FORM, rules_of
from handrec.scoring.tables import COMPARED

CatalogueEntry = dict[str, Any]

#: The words and numbers of a name, by which SP-2 stands before SP-10.
WORD = re.compile(r"([A-Za-z]+)|(\d+)")


def run(what: list[str] | None, list_: bool, format: PlainFormat) -> int:
    """Explain each thing asked for; with nothing asked for, the games and how to ask."""
    known = catalogue()
    if list_:
        entries = [entry for found in known.values() for entry in found[:1]]
        return _print(entries, format, brief=True)
    if not what:
        entries = [entry for found in known.values() for entry in found if entry["kind"] in ("game", "level")]
        _print(entries, format, brief=True)
        if format == "text":
            print("\nhandrec explain NAME... tells more; --list shows every name.")
        return 0
    found = []
    for name in what:
        key = next((key for key in known if key.lower() == name.lower()), None)
        if key is None:
            raise unknown("code, rule, game or option", name, known, " (--list shows everything)")
        found += known[key]
    return _print(found, format, brief=False)


def catalogue() -> dict[str, list[CatalogueEntry]]:
    """Everything that can be explained, by the name it is asked for."""
    known: dict[str, list[CatalogueEntry]] = {}
    for game in games.catalogue():
        known.setdefault(game.key, []).append(_game(game))
        for option in game.options:
            known.setdefault(f"{game.key}.{option.key}", []).append(_option(game, option))
            known.setdefault(option.key, []).append(_option(game, option))
        for entry in _statements(game):
            known.setdefault(entry["name"], []).append(entry)
    for fault in (*FORM.values(), *SLIPS.values(), *COMPARED.values(), *FAULTS.values(), *rulebook.RULES.values()):
        known.setdefault(fault.code, []).append(_fault(fault))
    for game in games.catalogue():
        for rule in _all_rules(game):
            known.setdefault(rule.code, []).append(_fault(rule, game))
    for level, title in LEVELS.items():
        known[level] = [{"kind": "level", "name": level, "sentence": title}]
    return known


def codes() -> set[str]:
    """Every code that a finding can have."""
    shared = {*FORM, *SLIPS, *COMPARED, *rulebook.RULES}
    return shared.union(*({rule.code for rule in _all_rules(game)} for game in games.catalogue()))


def _all_rules(game: Game) -> list[Rule]:
    """The rules of a game, also those that only an option brings in."""
    rules = {(rule.code, rule.id): rule for rule in rules_of(game) if isinstance(rule, Rule)}
    for option in game.options:
        for choice in option.values:
            for rule in rules_of(compose(game, {option.key: choice})[0]):
                if isinstance(rule, Rule):
                    rules.setdefault((rule.code, rule.id), rule)
    return list(rules.values())


def _game(game: Game) -> CatalogueEntry:
    low, high = min(game.players), max(game.players)
    return {
        "kind": "game",
        "name": game.key,
        "title": game.title,
        "sentence": game.summary,
        "players": str(low) if low == high else f"{low} to {high}",
        "source": f"{game.source.title}, {game.source.author} ({game.source.note})",
        "typed": [{"line": line, "says": says} for line, says in game.notation.lines],
        "example": example(game).splitlines(),
        "options": [f"{game.key}.{option.key}: {option.allowed} (default {_value(option.default)})" for option in game.options],
        "rules": [
            f"{entry['name']}: {entry['sentence']} ({entry.get('decided', 'a definition')})" for entry in _statements(game)
        ],
    }


def example(game: Game) -> str:
    """A small record of a game as it is typed: the one it gives itself, or else a deal of few cards that is dealt."""
    if game.notation.example:
        return game.notation.example
    from handrec.dealing import deal_game
    from handrec.formats import hrt
    from handrec.record import Record
    from handrec.writing import plain

    players = 4 if 4 in game.players else min(game.players)
    schedule = game.cards(players)
    number = 1 if isinstance(schedule, int) else 1 + min(range(len(schedule)), key=lambda place: abs(schedule[place] - 3))
    data = plain(deal_game(game, players, 0, numbers=[number]))
    (deal,) = data["deals"]
    sheet = {key: value for key, value in deal["claimed"].items() if key in ("tricks", "scores", "sides")}
    dealt = {key: deal[key] for key in ("number", "dealer", "hands", "events")} | {"claimed": sheet}
    head = {key: data[key] for key in ("format", "version", "game", "players")}
    return hrt.write(Record.model_validate({**head, "status": "excerpt", "deals": [dealt]}))


def _statements(game: Game) -> list[CatalogueEntry]:
    entries = [_fault(rule, game, rule.id) for rule in _all_rules(game)]
    entries += [
        {"kind": "rule", "name": s.id, "game": game.key, "sentence": s.sentence, "source": str(s.citation), "code": None}
        for s in game.definitions
    ]
    return sorted(entries, key=lambda entry: [(word, int(digits or 0)) for word, digits in WORD.findall(entry["name"])])


def _fault(fault: Fault, game: Game | None = None, name: str | None = None) -> CatalogueEntry:
    entry: CatalogueEntry = {"kind": "rule" if name else "code", "name": name or fault.code, "title": fault.name}
    if game is not None:
        entry["game"] = game.key
    entry |= {"code": fault.code, "level": f"{fault.level} {LEVELS[fault.level]}", "severity": fault.severity}
    entry["sentence"] = fault.sentence
    entry["reported as"] = fault.says
    if isinstance(fault, Rule):
        entry["rule"], entry["source"], entry["decided"] = fault.id, str(fault.citation), fault.decided
        entry |= _examples(game, f"{fault.id}-{fault.code}")
    return entry


@cache
def _recorded_examples() -> dict[str, dict[str, dict[str, CatalogueEntry]]]:
    """Examples of rules that are broken and obeyed, by game and rule; drawn from fixtures, which are not installed."""
    found: dict[str, dict[str, dict[str, CatalogueEntry]]] = json.loads(
        Path(__file__).with_name("examples.json").read_text("utf-8")
    )
    return found


def _examples(game: Game | None, name: str) -> dict[str, CatalogueEntry]:
    """What breaks a rule and what obeys it; of one that all games share, in the first game that has it."""
    among = [_recorded_examples().get(game.key, {})] if game is not None else list(_recorded_examples().values())
    return next((examples[name] for examples in among if name in examples), {})


def _shown(example: CatalogueEntry) -> str:
    """An example in a line: a play as its player saw it, or the events that led to it, and what is found wrong."""
    where = f"deal {example['deal']}: " if "deal" in example else ""
    if "hand" in example:
        where = f"deal {example['deal']}, trick {example['trick']}" + (
            f", trump {example['trump']}: " if example["trump"] else ": "
        )
        before = f"after {', '.join(example['table'])}, " if example["table"] else "to lead, "
        held, may = " ".join(example["hand"]), " ".join(example["may"])
        return f"{where}{before}{example['seat']}, holding {held}, plays {example['card']}; may play: {may}"
    if "events" not in example:
        return str(example["why"])
    held = f", holding {' '.join(example['held'])}" if example.get("held") else ""
    return where + ", ".join(example["events"]) + held + (f". {example['why']}" if "why" in example else "")


def _option(game: Game, option: Option) -> CatalogueEntry:
    return {
        "kind": "option",
        "name": f"{game.key}.{option.key}",
        "sentence": option.sentence,
        "values": option.allowed,
        "default": _value(option.default),
        "source": str(option.citation),
    }


def _value(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _print(entries: list[CatalogueEntry], format: PlainFormat, brief: bool) -> int:
    if format == "json":
        sys.stdout.write(json.dumps(entries, ensure_ascii=False, indent=2) + "\n")
        return 0
    for entry in entries:
        title = entry.get("title") or entry.get("sentence", "")
        if brief:
            print(textwrap.shorten(f"{entry['name']:<22} {title}", 80, placeholder="…"))
            continue
        where = f"  ({entry['game']})" if "game" in entry else ""
        print(entry["name"] + (f"  {entry['title']}" if "title" in entry else "") + where)
        print(textwrap.fill(entry["sentence"], 78, initial_indent="  ", subsequent_indent="  "))
        for key, value in entry.items():
            if key in ("kind", "name", "title", "sentence", "game") or value in (None, [], entry["name"]):
                continue
            if key == "decided":
                print(f"  {value}")
            elif key in ("breaks", "obeys"):
                print(textwrap.fill(f"{key} it: {_shown(value)}", 78, initial_indent="  ", subsequent_indent="    "))
            elif isinstance(value, list):
                print(f"  {key}")
                for line in value:
                    if isinstance(line, dict):
                        print(f"    {line['line']}")
                        print(textwrap.fill(line["says"], 78, initial_indent="        ", subsequent_indent="        "))
                    else:
                        print(textwrap.fill(line, 78, initial_indent="    ", subsequent_indent="      "))
            else:
                print(textwrap.fill(f"{key}: {value}", 78, initial_indent="  ", subsequent_indent="    "))
        print()
    return 0
