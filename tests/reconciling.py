"""Versions of one truth, with slips planted in some, and what comes of comparing and reconciling them, counted.

Every event and deal of the truth carries a number that goes along with it through the planting, so that it is known of each
event of a version which one of the truth it is, whatever becomes of it. So true majorities are known without any alignment.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from itertools import count
from random import Random
from typing import Any

from handrec import games, writing
from handrec.dealing import CannotDeal, deal_game
from handrec.dealing.faults import plantings
from handrec.diff import CannotSeat, Difference, DiffRow, compare, reconcile
from handrec.explanations import check
from handrec.game import compose
from handrec.judging import Judge
from handrec.record import Record
from handrec.sides import seats_of, side_of
from tests import planting

Data = dict[str, Any]
Item = tuple[Any, ...]

#: How an event or deal is numbered; no field of a record is called so.
TAG = "#"

NAMES = ("Ann", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ivy", "Jo", "Kim", "Lee")

#: So many of a hundred truths are whole games, not single deals.
WHOLE = 5


@cache
def truth(key: str, seed: int, whole: bool) -> str:
    """A game that was played by the rules, or a single deal, as JSON; every event and deal has its number."""
    players, number, options = planting.TABLES[key][seed % len(planting.TABLES[key])]
    for tried in count(seed, 1000):
        try:
            record = deal_game(games.find(key), players, tried, options=options, numbers=None if whole else [number])
        except CannotDeal:
            record = deal_game(games.find(key), players, tried, options=options, numbers=[number])
        if any(event.do == "play" for event in record.deals[0].events):
            break  # and not one that was passed out, in which there is nothing to slip in
    data = writing.plain(record)
    for place, deal in enumerate(data["deals"]):
        deal[TAG] = place
        deal.pop("pack", None)
        for spot, event in enumerate(deal["events"]):
            event[TAG] = spot
    data.pop("id", None)
    return json.dumps(data)


def slipped(right: Data, rng: Random, at: int | None = None) -> Data:
    """A copy with one slip of the pen, in one of its deals: an act of the table, or now and then a fault of another kind."""
    while True:
        place = rng.randrange(len(right["deals"])) if at is None else at
        deal = deepcopy(right["deals"][place])
        single = {**right, "deals": [deal]}
        played = sum(event["do"] == "play" for event in deal["events"]) > 1
        if played and rng.random() < 0.1:
            game = compose(games.find(right["game"]), right.get("options", {}))[0]
            plain = {code: each for code, each in plantings(game).items() if not each.reckoned}
            done = bool(plain) and plain[rng.choice(sorted(plain))].apply(single, rng, game)
        else:
            done = played and planting.ACTS[rng.choice(sorted(planting.ACTS))](single, rng)
        if done and len(single["deals"]) == 1 and (deal := single["deals"][0]) != right["deals"][place] and is_record(single):
            return {**right, "deals": [*right["deals"][:place], deal, *right["deals"][place + 1 :]]}


def untagged(value: Any) -> Any:
    """The plain values of a record."""
    if isinstance(value, dict):
        return {key: untagged(part) for key, part in value.items() if key != TAG}
    return [untagged(part) for part in value] if isinstance(value, list) else value


def is_record(data: Data) -> bool:
    """Whether these are values of a record, with as many deals as before, each of them numbered."""
    try:
        Record.model_validate(untagged(data))
    except ValueError:
        return False
    return all(TAG in deal and all(TAG in event for event in deal["events"]) for deal in data["deals"])


def items(data: Data, order: bool = False) -> dict[Item, Any]:
    """What a version states, place by place; with `order` an event is also what stands before and after it."""
    found: dict[Item, Any] = {}
    for deal in data["deals"]:
        tag, events = deal[TAG], deal["events"]
        tags = [None, *(event[TAG] for event in events), None]
        for place, event in enumerate(events):
            said = untagged(event), *([tags[place], tags[place + 2]] if order else [])
            found.setdefault((tag, "events", event[TAG]), writing.canonical(said))
            if tags.count(event[TAG]) > 1:
                found[tag, "twice", event[TAG]] = True
        found |= {(tag, "hands", seat): sorted(cards) for seat, cards in deal.get("hands", {}).items()}
        found |= {(tag, field): deal[field] for field in ("board", "dealer", "vulnerable", "leader") if field in deal}
        found |= {(tag, *item): value for item, value in _claimed(deal)}
    return found | dict(_claimed(data))


def _claimed(part: Data) -> Iterator[tuple[Item, Any]]:
    for field, value in part.get("claimed", {}).items():
        if field == "sides":
            yield from ((("claimed", field, side, name), number) for side, each in value.items() for name, number in each.items())
        elif isinstance(value, dict):
            yield from ((("claimed", field, seat), number) for seat, number in value.items())
        elif isinstance(value, list) and "events" in part:
            yield from ((("claimed", field, str(place)), seat) for place, seat in enumerate(value))


def changed(right: Data, *versions: Data) -> Iterator[Data]:
    """The truth and its versions with those deals alone in which any of them is another."""
    places = [place for place, deal in enumerate(right["deals"]) if any(data["deals"][place] is not deal for data in versions)]
    return ({**data, "deals": [data["deals"][place] for place in places]} for data in (right, *versions))


def touched(right: Data, data: Data) -> set[Item]:
    """The places in which a version is not right, and those beside them."""
    one, other = (items(each, order=True) for each in changed(right, data))
    return {item for item in one.keys() | other.keys() if one.get(item) != other.get(item)}


def moved(data: Data) -> set[Item]:
    """The events of a version that do not stand in the order of the truth."""
    found = set[Item]()
    for deal in data["deals"]:
        tags = [event[TAG] for event in deal["events"]]
        found |= {
            (deal[TAG], "events", tag) for at, tag in enumerate(tags) if max(tags[:at], default=-1) > tag or min(tags[at:]) < tag
        }
    return found


def shared(right: Data, one: Data, other: Data) -> bool:
    """Whether two versions have the same error anywhere, or say the same that did not happen: then most do say so."""
    due, mine, theirs = map(items, changed(right, one, other))
    wrong = {item for item in due.keys() | mine.keys() if due.get(item) != mine.get(item)}
    said, others, happened = (_said(told) for told in (mine, theirs, due))
    return any(mine.get(item) == theirs.get(item) for item in wrong) or bool((said & others) - happened)


def _said(told: dict[Item, Any]) -> set[Item]:
    """What is said to have happened, and at which place in a deal."""
    events = [(item[0], value) for item, value in told.items() if item[1] == "events"]
    return {*events, *((place, *event) for place, event in enumerate(events))}


def pair(right: Data, rng: Random, together: bool) -> tuple[Data, Data]:
    """Two versions with a slip each, in the same place or in different ones, and never the same slip."""
    played = [place for place, deal in enumerate(right["deals"]) if any(event["do"] == "play" for event in deal["events"])]
    while True:
        place = rng.choice(played)
        one = slipped(right, rng, place)
        for _ in range(100):
            other = slipped(right, rng, place if together or rng.random() < 0.5 else None)
            if bool(touched(right, one) & touched(right, other)) == together and not shared(right, one, other):
                return one, other


def partial(right: Data, rng: Random) -> Data:
    """A copy that says less: without hands, without some deals, or without the last tricks of a deal."""
    data = deepcopy(right)
    what = rng.choice(("hands", "deals", "tricks"))
    if what == "deals" and len(data["deals"]) > 1:
        gone = rng.sample(range(len(data["deals"])), rng.randrange(1, len(data["deals"])))
        data["deals"] = [deal for place, deal in enumerate(data["deals"]) if place not in gone]
        data.pop("claimed", None)
        data["status"] = "excerpt"
        return data
    for deal in rng.sample(data["deals"], rng.randrange(1, 1 + len(data["deals"]))):
        if what == "hands":
            deal.pop("hands", None)
        else:
            rows = planting.rows_of({**data, "deals": [deal]}) if planting.plays_of({**data, "deals": [deal]}) else []
            if len(rows) > 2:
                deal["events"] = deal["events"][: rows[rng.randrange(1, len(rows) - 1)][0]]
                deal["status"] = "stopped"
                for field in ("tricks", "winners", "scores", "totals"):
                    deal.get("claimed", {}).pop(field, None)
    return data


def renamed(data: Data, rng: Random) -> tuple[Data, dict[str, str]]:
    """A copy in which the seats are called otherwise, or the table is turned; and its seats with those of the truth."""
    seats = planting.seats_of(data)
    new = rng.choice(
        (seats, [str(place) for place in range(len(seats))], [f"Seat-{place}" for place in "ABCDEFGHIJKL"[: len(seats)]])
    )
    turn, first = rng.randrange(1, len(seats)), rng.randrange(len(seats))
    called = {seat: new[(place + turn) % len(seats)] for place, seat in enumerate(seats)}
    order = [called[seat] for seat in seats[first:] + seats[:first]]
    other = writing.renamed(data, called.__getitem__, order)
    other["players"] = other["players"][first:] + other["players"][:first]
    return other, {theirs: own for own, theirs in called.items()}


@dataclass
class Case:
    """A truth and its versions, each with its own seats by those of the truth."""

    right: Data
    versions: list[Data]
    seats: list[dict[str, str]]

    @property
    def records(self) -> list[Record]:
        """The versions as records."""
        return [Record.model_validate(untagged(data)) for data in self.versions]


KINDS = ("one", "apart", "together", "partial", "seats", "order")


def case(kind: str, key: str, seed: int) -> Case:
    """The versions of one truth: three, in order "apart" sometimes four."""
    rng = Random(f"{kind} {key} {seed}")
    right: Data = json.loads(truth(key, seed, seed % 100 < WHOLE))
    if kind == "seats" and rng.random() < 0.5:
        for player, name in zip(right["players"], NAMES, strict=False):
            player["name"] = name
    if kind in ("apart", "together"):
        versions = [right, *pair(right, rng, kind == "together")]
    elif kind == "partial":
        versions = [right, slipped(right, rng), partial(right, rng)]
    elif kind == "order":
        versions = [right, *pair(right, rng, rng.random() < 0.5)]
        while rng.random() < 0.5 and len(versions) == 3:
            other = slipped(right, rng)
            versions += [other] if not any(shared(right, other, each) for each in versions[1:]) else []
    else:
        versions = [right, right, slipped(right, rng)]
    rng.shuffle(versions)
    called = [{seat: seat for seat in planting.seats_of(right)} for _ in versions]
    if kind == "seats":
        turned = rng.randrange(3)
        versions[turned], called[turned] = renamed(versions[turned], rng)
    return Case(right, versions, called)


# --- what comes of it ---


def item_of(one: Case, who: int, pointer: str) -> Item:
    """The place in the truth that a pointer into a version leads to."""
    parts, data = pointer.split("/")[1:], one.versions[who]
    if "sides" in parts:
        side, common = parts.index("sides") + 1, one.seats[who]
        there = (common.get(seat, seat) for seat in seats_of(parts[side], planting.seats_of(data)))
        parts[side] = side_of(there, planting.seats_of(one.right))
    elif parts[-2] != "winners":
        parts[-1] = one.seats[who].get(parts[-1], parts[-1])
    if parts[0] != "deals":
        return tuple(parts)
    deal = data["deals"][int(parts[1])]
    if len(parts) > 3 and parts[2] == "events":
        return deal[TAG], "events", deal["events"][int(pointer.split("/")[4])][TAG]
    return deal[TAG], *parts[2:]


def back(one: Case, who: int) -> Data:
    """A version with the seats of the truth."""
    return writing.renamed(one.versions[who], lambda seat: one.seats[who].get(seat, seat), planting.seats_of(one.right))


def outcome(one: Case) -> Counter[str]:
    """What is found: true majorities, those among them that are seen, false ones; records worse than their best source."""
    found: Counter[str] = Counter(cases=1)
    records = one.records
    try:
        difference = compare(records, games.find)
    except CannotSeat:
        return found + Counter(refused=1)
    told = [items(back(one, who)) for who in range(len(records))]
    due = items(one.right)
    astray = [moved(data) for data in one.versions]
    seen, false = _majorities(one, difference, told)
    for item in sorted({item for mine in told for item in mine} | due.keys(), key=str):
        able = [who for who in range(len(records)) if _speaks(one.versions[who], item)]
        agreeing = [who for who in able if told[who].get(item) == due.get(item)]
        carriers = [who for who in agreeing if item not in astray[who]]
        if item in due and 2 * len(carriers) > len(able) > len(agreeing) and len(carriers) > 1:
            found["true"] += 1
            found["found"] += all((item, who) in seen for who in carriers)
    found["false"] += false
    judge = Judge(games.find)
    agreed, _ = reconcile(difference, games.find)
    found["worse"] += len(check(agreed, judge).faults) > min(len(check(record, judge).faults) for record in records)
    found["right"] += all(row.note for row in compare([agreed, Record.model_validate(untagged(one.right))], games.find).rows)
    return found


def _speaks(data: Data, item: Item) -> bool:
    """Whether a version could say what stands in a place: it has the deal, the hands, the sheet, and goes on as far."""
    if not isinstance(item[0], int):
        return "claimed" in data
    deal = next((deal for deal in data["deals"] if deal[TAG] == item[0]), None)
    if deal is None or item[1] not in ("events", "twice"):
        return deal is not None and item[1] in deal and (item[1] != "claimed" or item[2] in deal["claimed"])
    return deal.get("status") != "stopped" or item[2] <= max(event[TAG] for event in deal["events"])


def _majorities(one: Case, difference: Difference, told: list[dict[Item, Any]]) -> tuple[set[tuple[Item, int]], int]:
    """The places in which a majority has the version's value, by version; and how many majorities are false."""
    seen, false, due = set[tuple[Item, int]](), 0, items(one.right)
    for row in difference.rows:
        if (
            row.majority is None
            or row.note
            or row.path[2:3] not in (("events",), ("hands",), ("claimed",), ("dealer",), ("leader",))
        ):
            continue
        leaves = [(who, leaf) for who in row.majority if (leaf := row.leaves[who]) is not None]
        places = {item_of(one, who, leaf.pointer) for who, leaf in leaves}
        seen |= {(place, who) for place in places for who, _ in leaves}
        false += len(places) > 1 or any(told[who].get(place) != due.get(place) for place in places for who, _ in leaves)
        if not leaves:
            false += _denied(one, row, difference)
    return seen, false


def _denied(one: Case, row: DiffRow, difference: Difference) -> bool:
    """Whether most deny an event that most have: it stands nowhere else either."""
    for who, leaf in enumerate(row.leaves):
        if leaf is not None and row.votes[who]:
            _, _, tag = place = item_of(one, who, leaf.pointer)
            kept = False
            for other, leaves in enumerate(difference.leaves):
                for path, found in leaves.items():
                    if path[:3] == row.path[:3] and path != row.path and item_of(one, other, found.pointer) == place:
                        against = next((each for each in difference.rows if each.path == path), None)
                        kept |= against is None or against.majority is None or other in against.majority
            held = sum(
                any(event[TAG] == tag for deal in data["deals"] for event in deal["events"] if deal[TAG] == place[0])
                for data in one.versions
            )
            if not kept and 2 * held > len(one.versions):
                return True
    return False
