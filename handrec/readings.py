"""Readings: where the rules can be read in more than one way, under which reading would a record be right?

Every documented reading is a value of an option. A finding is told together with the single changes under which it would
not arise; `fit` looks for sets of option values under which a record has no findings at all, fewest changes first: a
table that always played a house rule should be told which.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product, zip_longest
from typing import Any

from handrec.explanations import SLIPS
from handrec.findings import Finding, Verdict
from handrec.game import Game, compose
from handrec.game.value import Sight
from handrec.record import Deal, Record
from handrec.referee import carried_into, check, judged

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
    """The verdict, with the readings under which each fault would not arise, nor another in its place.

    Only options that touch what a fault hangs on are tried, and only on the deals where faults stand.
    """
    faults = [finding for finding in verdict.faults if finding.code not in SLIPS]
    if not faults or not verdict.deals:
        return verdict
    base, lifted = compose(game, record.options)[0], dict[Any, list[str]]()
    concerns = {option.key: option.concerns for option in game.options}
    alone = {_deal_of(finding, base) for finding in faults}
    deals = range(len(record.deals)) if None in alone else [index for index in alone if index is not None]
    for key, value in other_values(game, record.options):
        options = {**record.options, key: value}
        other, problems = compose(game, options)
        concerned = any(concerns[key](record.deals[index]) for index in deals)
        changed = [] if problems or not concerned else _changed(base, other, record)
        about = [finding for finding in faults if _bears(changed, finding)]
        if not about:
            continue
        read = record.model_copy(update={"options": options})
        for index in {_deal_of(finding, base) for finding in about}:
            places = _places(read, game, other, index, verdict)
            for finding in about:
                if _deal_of(finding, base) == index and finding.pointer not in places:
                    lifted.setdefault(_key(finding), []).append(f"{key}: {_word(value)}")
    findings = tuple(replace(finding, readings=tuple(lifted.get(_key(finding), ()))) for finding in verdict.findings)
    return verdict._replace(findings=findings)


#: The parts of a game that faults of a family hang on, besides their own rule; phases by the kinds of event they take.
PARTS: dict[str, tuple[str, ...]] = {
    "DEA": ("pack", "cards", "aside", "dealing", "placing", "order", "extras", "turn", "bid"),
    "BID": ("pack", "cards", "order", "bid", "announce:mechoune", "announce:look", "announce:guess", "turn"),
    "PLY": ("pack", "order", "extras", "play", "turn", "contract"),
    "REV": ("pack", "order", "extras", "play", "turn", "contract"),
    "TRK": ("pack", "order", "extras", "play", "turn", "contract"),
    "SCO": ("score", "carries", "over", "winners", "final", "cards", "order", "play", "bid", "turn", "announce", "transfer"),
    "CLM": ("play", "transfer", "penalty", "accuse", "announce", "REV"),
}  # fmt: skip


def _changed(base: Game, other: Game, record: Record) -> list[str]:
    """What differs between two readings of a game: its parts, the kinds of event of its phases, the codes of its rules."""
    fields = ("pack", "cards", "aside", "dealing", "placing", "order", "extras", "score", "carries", "over", "winners", "final")
    changed = [name for name in fields if getattr(base, name) is not getattr(other, name)]
    if "order" in changed and all(_order_alike(base, other, deal, len(record.players)) for deal in record.deals):
        changed.remove("order")
    pairs = zip_longest(base.phases, other.phases)
    kinds = [kind for one, two in pairs if one != two for phase in (one, two) if phase for kind in phase.kinds]
    rules = {id(rule): rule for rule in (*base.rules, *other.rules)}
    common = {id(rule) for rule in base.rules} & {id(rule) for rule in other.rules}
    found = [*changed, *kinds, *(rule.code for key, rule in rules.items() if key not in common)]
    return found or ["settings"]  # what only the checks across deals ask for


def _order_alike(base: Game, other: Game, deal: Deal, players: int) -> bool:
    """Whether suits and ranks are the same under two readings, in every trick of a deal whose cards turned make them."""
    if any(event.do in ("bid", "contract") and isinstance(event.bid, str) for event in deal.events):
        return False  # then it is what was called that makes them, and that may be read in another way too
    turned = [event.card for event in deal.events if event.do == "turn"]
    undealt = len(base.pack(players)) - players * (deal.cards or max(map(len, (deal.hands or {"": []}).values())))
    sights = [
        Sight(tuple(turned[:many]), None, trick, undealt, done, players)
        for many in range(len(turned) + 1)
        for trick in {max(1, many), many + 1}
        for done in (False, True)
    ]
    return all(base.order(sight) == other.order(sight) for sight in sights)


def _bears(changed: list[str], finding: Finding) -> bool:
    """Whether a fault may hang on one of these changes."""
    parts = (finding.code, *PARTS.get(finding.code[:3], ()), *(("settings",) if finding.level == "L6" else ()))
    return any(each.startswith(parts) for each in changed)


def _deal_of(finding: Finding, game: Game) -> int | None:
    """The deal that a fault is of by itself; None if it hangs on others too: on what is carried, claimed or added up."""
    parts = finding.pointer.split("/")
    alone = finding.level != "L6" and not finding.code.startswith("CLM")
    if parts[1:2] != ["deals"] or not alone or (game.carries and finding.code.startswith("SCO")):
        return None
    return int(parts[2])


def _places(record: Record, game: Game, other: Game, index: int | None, verdict: Verdict) -> set[str]:
    """Where faults stand under another reading: in one deal, or in the whole record."""
    if index is None:
        return {finding.pointer for finding in check(record, lambda key: game).findings}
    table = judged(record, other, index, record.deals[index], (), carried_into(record, other, index, verdict))
    return {finding.pointer for finding in table.findings}


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
