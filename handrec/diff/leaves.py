"""A record as leaves: every single thing it states, under a path that is the same in every record compared.

Seats, fields and options name themselves; deals, events and comments are numbered by the column of their alignment. So
leaves of several records can be compared, exchanged, and gathered into a record again.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby
from typing import Any

from handrec import writing
from handrec.cards import is_known
from handrec.diff.align import GAP, Column, align
from handrec.game import Game, compose
from handrec.judging import Find
from handrec.record import KINDS, Deal, Play, Record
from handrec.referee import replay
from handrec.referee.form import check_seats
from handrec.repair.edits import plain, step

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Leaf:
    """One thing that a record states: its value as it stands there, and where.

    Leaves mean the same if their `meaning` is the same text. `trick` and `seat` are those of an event, as far as they are
    known; `at` is the column of the event that a comment is about.
    """

    value: Any
    meaning: str
    pointer: str
    trick: int | None = None
    seat: str | None = None
    at: int | None = None


Leaves = dict[Path, Leaf]
Sights = dict[int, tuple[int, str | None]]


def spread(records: Sequence[Record], find: Find | None = None) -> list[Leaves]:
    """The leaves of each record, under common paths; with `find`, the referee says whose a play without a seat is."""
    data = [plain(record) for record in records]
    spreads = [dict(_whole(stated, record, find)) for stated, record in zip(data, records, strict=True)]
    told = [_events(record, stated, find) for stated, record in zip(data, records, strict=True)]
    for column, places in enumerate(_deals(records)):
        deals = {who: data[who]["deals"][place] for who, place in places.items()}
        events = {who: told[who][place] for who, place in places.items()}
        for who, deal in deals.items():
            spreads[who].update(_deal(deal, ("deals", column), f"/deals/{places[who]}"))
            deal["at"] = {}
        for number, members in enumerate(_columns(events, _event_price)):
            for who, place in members.items():
                leaf = events[who][place]
                spreads[who]["deals", column, "events", number] = leaf
                deals[who]["at"][int(leaf.pointer.split("/")[4])] = number
        _add_comments(spreads, deals, ("deals", column), {who: f"/deals/{place}" for who, place in places.items()})
    _add_comments(spreads, dict(enumerate(data)), (), dict.fromkeys(range(len(data)), ""))
    return spreads


def gather(leaves: Mapping[Path, Leaf]) -> dict[str, Any]:
    """The plain JSON values of a record that states these leaves."""
    tree: dict[Any, Any] = {}
    columns = _event_columns(leaves)
    for path, leaf in sorted(leaves.items(), key=lambda item: item[1].value in ({}, [])):  # what is empty last
        node = tree
        for key in path[:-1]:
            node = node.setdefault(key, {})
        value = leaf.value
        if leaf.at is not None:
            value = _moved_comment(value, leaf.at, columns.get(path[:-2], []))
        node.setdefault(path[-1], value)
    names = tree.pop("names", {})
    tree["players"] = [_player(seat, names) for seat in tree["players"]]
    return {"deals": [], **{key: _listed(value) for key, value in tree.items()}}


def _event_columns(leaves: Mapping[Path, Leaf]) -> dict[Path, list[int]]:
    """The columns of the events that there are, in order, by the path of their deal."""
    found: dict[Path, list[int]] = {}
    for path in leaves:
        if field_of(path) == "events":
            found.setdefault(path[:2], []).append(int(path[3]))
    return {path: sorted(columns) for path, columns in found.items()}


def _moved_comment(comment: dict[str, Any], at: int, columns: Sequence[int]) -> dict[str, Any]:
    """A comment with the number of its event among those of this record; of the one before, if it is not there."""
    number = bisect_right(columns, at)
    return {key: value for key, value in comment.items() if key != "event"} | ({"event": number} if number else {})


def _player(seat: str, names: dict[str, dict[int, str]]) -> dict[str, Any]:
    known = names.get(seat, {})
    return {"seat": seat, **({"name": known.pop(min(known))} if known else {})}


def _listed(value: Any) -> Any:
    """The value with lists where parts are numbered."""
    if not isinstance(value, dict):
        return value
    if value and all(isinstance(key, int) for key in value):
        return [_listed(value[key]) for key in sorted(value)]
    return {key: _listed(part) for key, part in value.items()}


def field_of(path: Path) -> str | int | None:
    """The field of a deal that a path leads into; None for what is of the whole game, where a seat may be called so."""
    return path[2] if path[0] == "deals" and len(path) > 2 else None


def cards_of(path: Path, leaf: Leaf) -> set[str]:
    """The cards that a leaf of a deal names."""
    if field_of(path) == "events":
        found = [leaf.value.get(field, ()) for field in KINDS[leaf.value["do"]].of("card", "cards")]
        return {card for each in found for card in ([each] if isinstance(each, str) else each)}
    return set(leaf.value) if field_of(path) in ("hands", "aside", "pack") and isinstance(leaf.value, list) else set()


def under(leaves: Mapping[Path, Leaf], path: Path) -> Leaves:
    """The leaves at a path and below it."""
    return {other: leaf for other, leaf in leaves.items() if other[: len(path)] == path}


def take(leaves: Leaves, other: Mapping[Path, Leaf], path: Path) -> None:
    """Change leaves to what another record has at a path, be that one leaf or a whole deal."""
    if path in leaves or path in other:
        leaves.pop(path, None)
        if path in other:
            leaves[path] = other[path]
        return
    for where in under(leaves, path):
        del leaves[where]
    leaves.update(under(other, path))


# --- what the leaves of a record are ---


def _leaf(value: Any, pointer: str, meaning: Any = None) -> Leaf:
    return Leaf(value, writing.canonical(value if meaning is None else meaning).decode("utf-8", "surrogatepass"), pointer)


def _parts(stated: Any, path: Path, pointer: str) -> Iterator[tuple[Path, Leaf]]:
    """Each part of an object under its key, of a list under its place; an empty one is a leaf itself."""
    keys = list(stated) if isinstance(stated, dict) else range(len(stated))
    for key in keys:
        yield (*path, key), _leaf(stated[key], f"{pointer}/{step(key)}")
    if not keys:
        yield path, _leaf(stated, pointer)


def _claimed(stated: Any, path: Path, pointer: str) -> Iterator[tuple[Path, Leaf]]:
    """Each part of what is claimed, and of what is claimed for a side each part of that."""
    if path[-1] != "sides" or not stated:
        yield from _parts(stated, path, pointer)
        return
    for side, claims in stated.items():
        yield from _parts(claims, (*path, side), f"{pointer}/{side}")


def _whole(data: dict[str, Any], record: Record, find: Find | None) -> Iterator[tuple[Path, Leaf]]:
    """What a record states of the whole game, but for its comments."""
    seats = [player["seat"] for player in data["players"]]
    yield ("game",), _leaf(data["game"], "/game")
    game = find(record.game) if find else None
    defaults = {option.key: option.default for option in game.options} if game else {}
    for key, value in data.get("options", {}).items():
        if not (key in defaults and type(value) is type(defaults[key]) and value == defaults[key]):
            yield ("options", key), _leaf(value, f"/options/{step(key)}")
    yield ("players",), _leaf(seats, "/players")
    for place, player in enumerate(data["players"]):
        if "name" in player:
            yield ("names", player["seat"], seats[:place].count(player["seat"])), _leaf(player["name"], f"/players/{place}/name")
    yield ("status",), _leaf(record.status, "/status")
    for key, value in data.get("claimed", {}).items():
        if key == "winners":
            yield ("claimed", key), _leaf(value, "/claimed/winners", sorted(value))
        else:
            yield from _claimed(value, ("claimed", key), f"/claimed/{key}")
    for part in ("provenance", "extensions"):
        for key, value in data.get(part, {}).items():
            yield (part, key), _leaf(value, f"/{part}/{step(key)}")
    for part in ("claimed", "provenance"):
        if data.get(part) == {}:
            yield (part,), _leaf({}, f"/{part}")
    for key in ("format", "version", "$schema", "id"):
        if key in data:
            yield (key,), _leaf(data[key], f"/{key}")


def _deal(deal: dict[str, Any], path: Path, pointer: str) -> Iterator[tuple[Path, Leaf]]:
    """What a record states of a deal, but for its events and comments."""
    for key in ("number", "board", "dealer", "vulnerable", "leader", "cards", "pack"):
        if key in deal:
            yield (*path, key), _leaf(deal[key], f"{pointer}/{key}")
    yield (*path, "status"), _leaf(deal.get("status", "complete"), f"{pointer}/status")
    for seat, cards in deal.get("hands", {}).items():
        yield (*path, "hands", seat), _leaf(cards, f"{pointer}/hands/{seat}", sorted(cards))
    for part in ("hands", "aside", "claimed"):
        if deal.get(part, True) == {}:
            yield (*path, part), _leaf({}, f"{pointer}/{part}")
    for name, cards in deal.get("aside", {}).items():
        yield (*path, "aside", name), _leaf(cards, f"{pointer}/aside/{name}")
    for key, value in deal.get("claimed", {}).items():
        if isinstance(value, dict | list):
            yield from _claimed(value, (*path, "claimed", key), f"{pointer}/claimed/{key}")
        else:
            yield (*path, "claimed", key), _leaf(value, f"{pointer}/claimed/{key}")


def _add_comments(spreads: list[Leaves], parts: Mapping[int, dict[str, Any]], path: Path, pointers: Mapping[int, str]) -> None:
    """The comments on a deal or a game, in columns."""
    told: dict[int, list[Leaf]] = {}
    for who, part in parts.items():
        told[who] = []
        for place, comment in enumerate(part.get("comments", [])):
            column = part.get("at", {}).get(comment.get("event", 0) - 1)
            meaning = comment if column is None else comment | {"event": ["column", column]}
            leaf = _leaf(comment, f"{pointers[who]}/comments/{place}", meaning)
            told[who].append(replace(leaf, seat=comment.get("by"), at=column))
        if part.get("comments") == []:
            spreads[who][*path, "comments"] = _leaf([], f"{pointers[who]}/comments")
    for number, column_ in enumerate(_columns(told, _comment_price)):
        for who, place in column_.items():
            spreads[who][*path, "comments", number] = told[who][place]


# --- what belongs together ---


def _columns(told: Mapping[int, Sequence[Leaf]], price: Callable[[Leaf, Leaf], int | None]) -> list[Column]:
    """The columns of some records' leaves, by record and place."""
    whose = list(told)
    columns = align([told[who] for who in whose], lambda leaf: leaf.meaning, price)
    return [{whose[number]: place for number, place in column.items()} for column in columns]


def _event_price(one: Leaf, other: Leaf) -> int | None:
    """Events may stand for each other that are of one kind and by one seat, or of one card or bid, or as a third is of both."""
    if one.value["do"] != other.value["do"]:
        return None
    apart = int(one.trick != other.trick)  # as each record counts them, which a play that is left out puts wrong
    if one.meaning == other.meaning:
        return apart
    card = one.value.get("card")
    if card is not None and card == other.value.get("card"):  # which is played once, so it can hardly be another
        return 2 + apart
    called = one.value.get("bid") is not None and one.value["bid"] == other.value.get("bid")
    return apart + (GAP + 1 if called or one.seat == other.seat or None in (one.seat, other.seat) else 2 * GAP + 1)


def _comment_price(one: Leaf, other: Leaf) -> int | None:
    if one.meaning == other.meaning:
        return 0
    return 2 if (one.seat, one.at) == (other.seat, other.at) else None


def _deals(records: Sequence[Record]) -> list[Column]:
    """Which deals are the same: those of one number; where numbers lack or stand twice, those of the same facts or place."""
    numbers = [[deal.number for deal in record.deals] for record in records]
    if all(None not in told and len(set(told)) == len(told) for told in numbers):
        every = sorted({number for told in numbers for number in told if number is not None})
        columns = [{who: told.index(number) for who, told in enumerate(numbers) if number in told} for number in every]
        return _misnumbered(records, columns)
    named = [
        [(number, writing.digest(record, place)) for place, number in enumerate(told)]
        for record, told in zip(records, numbers, strict=True)
    ]

    def price(one: tuple[int | None, str], other: tuple[int | None, str]) -> int | None:
        if one[0] is not None and other[0] is not None:
            return 0 if one[0] == other[0] else None
        return 0 if one[1] == other[1] else 2

    return align(named, lambda name: f"{name[0] or 0:08} {name[1]}", price)


def _misnumbered(records: Sequence[Record], columns: list[Column]) -> list[Column]:
    """The columns of deals, two of them as one where some records have the one, and others the other, with the same cards."""
    if all(len(column) == len(records) for column in columns):
        return columns
    held = [{who: _held(records[who].deals[place]) for who, place in column.items()} for column in columns]
    for one, other in combinations(range(len(columns)), 2):
        if columns[one] and columns[other] and not columns[one].keys() & columns[other].keys():
            cards, others = (set[tuple[str, str]]().union(*held[place].values()) for place in (one, other))
            if 2 * len(cards & others) > min(len(cards), len(others)):
                more, fewer = sorted((one, other), key=lambda place: (-len(columns[place]), place))
                columns[more], columns[fewer] = columns[more] | columns[fewer], {}
    return [column for column in columns if column]


def _held(deal: Deal) -> set[tuple[str, str]]:
    """Each card of a deal that is known, and who held it, or played it if no hands are known."""
    hands = {(card, seat) for seat, cards in (deal.hands or {}).items() for card in cards if is_known(card)}
    return hands or {(play.card, play.by) for play in deal.events if type(play) is Play and play.by and is_known(play.card)}


def _events(record: Record, data: dict[str, Any], find: Find | None) -> list[list[Leaf]]:
    """The events of each deal; bids that are made at the same moment, or in any order, stand in the order of the seats."""
    game = _playable(record, find)
    sights = _sights(record, game)
    free = game is not None and not all(phase.in_turn for phase in game.phases)
    seats = [player.seat for player in record.players]
    told = []
    for index, deal in enumerate(data["deals"]):
        leaves = [
            _event(event, f"/deals/{index}/events/{place}", sights[index].get(place))
            for place, event in enumerate(deal.get("events", []))
        ]
        runs = groupby(leaves, key=lambda leaf: bool(leaf.value["do"] == "bid"))
        told.append(
            [
                leaf
                for bids, run in runs
                for leaf in (sorted(run, key=lambda bid: seats.index(str(bid.seat))) if bids and free else run)
            ]
        )
    return told


def _event(event: dict[str, Any], pointer: str, seen: tuple[int, str | None] | None) -> Leaf:
    """An event as a leaf; a play without a seat is by the one whose turn it was."""
    trick, seat = seen or (None, None)
    said = {**event, "by": seat} if event["do"] == "play" and "by" not in event and seat else event
    return replace(_leaf(event, pointer, said), trick=trick, seat=said.get("by"))


def _playable(record: Record, find: Find | None) -> Game | None:
    """The game under the record's options, None if it cannot be replayed as it is described."""
    game = find(record.game) if find else None
    composed, faults = compose(game, record.options) if game else (None, [])
    return None if composed is None or faults or check_seats(record, composed) else composed


def _sights(record: Record, game: Game | None) -> list[Sights]:
    """For each deal, the trick and the seat of its plays, by their place among the events.

    As the referee's replay has them; where it cannot, tricks are counted, and nobody is named who is not.
    """
    counted = [_counted(deal.events, len(record.players)) for deal in record.deals]
    if game is None:
        return counted
    tables = replay(record, game, trace=True)
    return [
        told | {seen.place: (seen.trick, table.seats[seen.seat]) for seen in table.trace or () if seen.place is not None}
        for told, table in zip(counted, tables, strict=True)
    ]


def _counted(events: Sequence[Any], seats: int) -> Sights:
    told: Sights = {}
    plays = 0
    for place, event in enumerate(events):
        if event.do == "play":
            told[place] = (plays // seats + 1, event.by)
            plays += 1
        elif event.do == "withdraw" and event.card is not None:
            plays -= 1
            told[place] = (plays // seats + 1, event.by)
    return told
