"""Every rule is decided by what it says decides it: no check could be left out, no duty names a judge that never judges it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from handrec import games, load, referee, rulebook
from handrec.findings import Finding, Rule
from handrec.game import Game, compose
from handrec.record import Record
from handrec.referee import rules_of

ROOT = Path(__file__).parents[1]


@cache
def record(path: Path) -> Record:
    """A fixture, read once."""
    return load(path)


def of(game: str, rule: Rule) -> Record:
    """The fixture that breaks a rule of a game."""
    return record(ROOT / f"fixtures/broken/{game}/{rule.id}-{rule.code}.handrec.json")


@cache
def clean(game: str) -> tuple[Record, ...]:
    """The fixtures of a game in which nothing is wrong, the smallest first."""
    paths = sorted((ROOT / "fixtures/clean").rglob("*.handrec.json"), key=lambda path: path.stat().st_size)
    return tuple(each for each in map(record, paths) if each.game == game)


@cache
def broken(game: str) -> tuple[Record, ...]:
    """The fixtures of a game in which something is."""
    return tuple(map(record, sorted((ROOT / f"fixtures/broken/{game}").glob("*.handrec.json"))))


def rules() -> Iterator[tuple[str, Rule, dict[str, Any]]]:
    """Every rule of every game, and those that an option brings in or decides otherwise, with that option."""
    for game in games.catalogue():
        known: dict[tuple[str, str], set[Any]] = {}
        for option in ({}, *({o.key: choice} for o in game.options for choice in o.values)):
            for rule in rules_of(compose(game, option)[0]):
                checks = known.setdefault((rule.id, rule.code), set())
                if isinstance(rule, Rule) and not any(alike(rule.check, check) for check in checks):
                    checks.add(rule.check)
                    yield game.key, rule, option if len(checks) > 1 else {}


def alike(one: Any, other: Any) -> bool:
    """Whether two checks are the same, or made anew by the same option with the same value."""
    parts = [(getattr(check, "__code__", check), getattr(check, "__closure__", None)) for check in (one, other)]
    return parts[0] == parts[1]


RULES = [
    pytest.param(*each, id="-".join((each[0], each[1].id, each[1].code, *(f"{k}={v}" for k, v in each[2].items()))))
    for each in rules()
]
CHECKED = [each for each in RULES if each.values[1].check is not None and not each.values[2]]
CHECKED_OTHERWISE = [each for each in RULES if each.values[1].check is not None and each.values[2]]
SHARED = [
    (path.parent.name, rule)
    for rule in rulebook.RULES.values()
    for path in sorted((ROOT / "fixtures/broken").glob(f"*/{rule.id}-{rule.code}.handrec.json"))
]
DUTIES = [(game, rule) for game, rule in (*(each.values[:2] for each in RULES), *SHARED) if rule.judged_by]


def found(record: Record) -> list[tuple[str, str, str]]:
    """What the referee finds in a record."""
    return [(each.code, each.fault.id, each.pointer) for each in referee.check(record, games.find).findings]


def righted(record: Record) -> Record:
    """A record in which the trump written down is the one by which the deal was played."""
    data = record.model_dump(exclude_none=True)
    for each in referee.check(record, games.find).findings:
        if each.code == "DEA009" and each.pointer.endswith("/claimed/trump"):
            data["deals"][int(each.pointer.split("/")[2])]["claimed"]["trump"] = each.facts["due"]
    return Record.model_validate(data)


def as_if(monkeypatch: pytest.MonkeyPatch, broken: Rule, check: Callable[[Any], Any]) -> None:
    """Let a rule be decided by another check, whatever options are in force."""

    def changed(game: Game, options: Any) -> Any:
        composed, faults = compose(game, options)
        swapped = [replace(rule, check=check) if is_it(rule) else rule for rule in composed.rules]
        return replace(composed, rules=tuple(swapped)), faults

    def is_it(rule: Rule) -> bool:
        return (rule.code, rule.id) == (broken.code, broken.id)

    monkeypatch.setattr(referee, "compose", changed)


def never(view: Any) -> Any:
    """A check that finds nothing."""
    return False


def always(view: Any) -> Any:
    """A check that finds fault with everything."""
    return True


@pytest.mark.parametrize(("game", "rule", "option"), CHECKED)
def test_no_check_could_be_left_out(game: str, rule: Rule, option: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check that is never true does not find what breaks the rule; one that always is finds it where the rule is obeyed."""
    broken = of(game, rule)
    told = found(broken)
    assert (rule.code, rule.id) in [each[:2] for each in told]
    obeyed = [each for each in (righted(broken), *clean(game)) if rule.code not in [code for code, *_ in found(each)]]
    as_if(monkeypatch, rule, never)
    assert (rule.code, rule.id) not in [each[:2] for each in found(broken)]
    as_if(monkeypatch, rule, always)
    assert any((rule.code, rule.id) in [each[:2] for each in found(each)] for each in obeyed)


@pytest.mark.parametrize(("game", "rule", "option"), CHECKED_OTHERWISE)
def test_an_option_that_changes_a_check_changes_what_is_found(
    game: str, rule: Rule, option: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is checked otherwise is found otherwise, in a game like those of the fixtures; and that check decides too."""
    usual = next(
        one for key, one, _ in (each.values for each in CHECKED) if (key, one.id, one.code) == (game, rule.id, rule.code)
    )
    records = [each.model_copy(update={"options": {**each.options, **option}}) for each in (*clean(game), *broken(game))]
    told = [found(each) for each in records]
    assert usual.check is not None
    for check in (usual.check, never, always):
        as_if(monkeypatch, rule, check)
        assert any(found(each) != before for each, before in zip(records, told, strict=True))
        monkeypatch.undo()


#: The modules in which each judge sits: the judge is a plain name, for people.
JUDGES = {
    "the count of the cards": "game/hands",
    "the form of the record": "referee/form",
    "the deals taken together": "referee/game",
    "the turning of cards": "phases/turn_up phases/secret_bids phases/turning",
    "the dealing of the recorded pack": "game/hands",
    "the passing of cards": "phases/passing",
    "the bidding": "phases/auction phases/open_bids phases/bids phases/out_of_turn phases/secret_bids",
    "the auction": "phases/auction",
    "the calls": "phases/calls",
    "the heading of the board": "phases/calls",
    "the guessing": "phases/guesses",
    "the play of the cards": "phases/tricks",
    "the phases of the game": "referee/__init__",
    "the count of tricks and points": "referee/scores",
    "the look back at accusations and penalties": "phases/books phases/conduct",
    "the sips": "phases/sips",
    "what is played for": "phases/stakes",
    "the books taken for a renege": "phases/books",
}


@pytest.fixture
def judges(monkeypatch: pytest.MonkeyPatch) -> dict[tuple[str, str], set[str]]:
    """Where findings are written, by code and rule: the modules, without `handrec/` and `.py`."""
    seen: dict[tuple[str, str], set[str]] = {}
    usual = Finding.__new__

    def noted(kind: type[Finding], *parts: Any, **named: Any) -> Finding:
        finding = usual(kind, *parts, **named)
        frame: Any = sys._getframe(1)
        while not (name := module(frame.f_code.co_filename)) or name == "game/table":
            frame = frame.f_back
        seen.setdefault((finding.code, finding.fault.id), set()).add(name)
        return finding

    monkeypatch.setattr(Finding, "__new__", staticmethod(noted))
    return seen


def module(path: str) -> str:
    """The module of a file, if it is one of the game's or the referee's."""
    parts = Path(path).with_suffix("").parts
    return "/".join(parts[-2:]) if parts[-2:-1] in (("game",), ("phases",), ("referee",)) else ""


def test_a_duty_is_judged_where_it_says(judges: dict[tuple[str, str], set[str]]) -> None:
    """What breaks a duty is written down by the judge that it names."""
    assert DUTIES
    for game, rule in DUTIES:
        judges.clear()
        referee.check(of(game, rule), games.find)
        assert judges[rule.code, rule.id] <= set(JUDGES[rule.judged_by].split()), (game, rule.id, rule.code)
