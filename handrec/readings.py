"""Readings: where the rules can be read in more than one way, under which reading would a record be right?

Every documented reading is a value of an option. A finding is told together with the single changes under which it would
not arise; `fit` looks for sets of option values under which a record has no findings at all, fewest changes first: a
table that always played a house rule should be told which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product
from typing import Any

from handrec.findings import Finding, Verdict
from handrec.game import Game, compose
from handrec.record import Record
from handrec.referee import check

#: How many readings are tried before `fit` gives up.
LIMIT = 3000

Reading = dict[str, Any]


def other_values(game: Game, options: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every option of a game with each named value that is not the one in force."""
    for option in game.options:
        for choice in () if option.variant else option.choices:
            if not _same(choice, options.get(option.key, option.default)):
                yield option.key, choice


def with_readings(verdict: Verdict, record: Record, game: Game) -> Verdict:
    """The verdict, with the readings under which each finding would not arise, nor another in its place."""
    if verdict.ok or not verdict.deals:
        return verdict
    lifted: dict[Any, list[str]] = {}
    for key, value in other_values(game, record.options):
        other = _under(record, game, {key: value})
        if other is None:
            continue
        places = {finding.pointer for finding in other.findings}
        for finding in verdict.faults:
            if finding.pointer not in places:
                lifted.setdefault(_key(finding), []).append(f"{key}: {_word(value)}")
    findings = tuple(replace(finding, readings=tuple(lifted.get(_key(finding), ()))) for finding in verdict.findings)
    return verdict._replace(findings=findings)


def fit(record: Record, game: Game, most: int = 3) -> list[Reading]:
    """The smallest sets of option values under which a record has no findings, fewest changes first.

    None contains another; at most `most` options are changed. Empty if there is none, and [{}] if nothing need change.
    """
    if check(record, lambda key: game).ok:
        return [{}]
    found: list[Reading] = []
    choices: dict[str, list[Any]] = {}
    for key, value in other_values(game, record.options):
        choices.setdefault(key, []).append(value)
    tried = 0
    for many in range(1, most + 1):
        for keys in combinations(choices, many):
            for values in product(*(choices[key] for key in keys)):
                reading = dict(zip(keys, values, strict=True))
                if any(smaller.items() <= reading.items() for smaller in found):
                    continue
                tried += 1
                if tried > LIMIT:
                    return found
                verdict = _under(record, game, reading)
                if verdict is not None and verdict.ok:
                    found.append(reading)
    return found


def _under(record: Record, game: Game, changes: Reading) -> Verdict | None:
    """The verdict on the record read in another way; None if the options do not go together."""
    options = {**record.options, **changes}
    if compose(game, options)[1]:
        return None
    return check(record.model_copy(update={"options": options}), lambda key: game)


def _key(finding: Finding) -> Any:
    return finding.code, finding.pointer, finding.seat


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _word(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
