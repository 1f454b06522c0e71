"""What is judged: records of every game, single deals and complete games, right and faulty; and the worst that is known."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from copy import deepcopy
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from handrec import games, loads
from handrec.dealing import deal_game, seats_for
from handrec.game import Game, compose
from handrec.record import Record
from handrec.referee import check as referee
from handrec.writing import line
from tests.dealing import any_options
from tests.planting import ACTS

#: Games, and how many play.
PLAYERS = {"bridge": 4, "kbabs": 4, "spades3": 3, "batarde": 4, "bastard": 3, "bugami": 3, "hearts": 4, "oh_hell": 4, "whist": 4}

#: What records hold: a deal out of a game each, or a complete game.
KINDS = ("deals", "games")

#: What makes a game end that has no end of its own.
ENDS: dict[str, dict[str, Any]] = {"bastard": {"game_end": {"hands": 6}}}

#: Bridge is known deal by deal: so many in one record stand for a game.
BOARDS = range(1, 25)

#: A single deal is one of the first so many, where deals are all of a size.
FIRST = 8

#: What is done to a deal to make it faulty: slips of the pen, plays against the rules, and wrong results.
SLIPS = ("card", "name", "plays_across", "own_plays_across", "play_doubled", "transposed", "rows", "hand_card", "sheet")


def game(key: str) -> Game:
    """A game by its key."""
    found = games.find(key)
    assert found is not None
    return found


def dealt(key: str, kind: str, many: int, usual: bool = True) -> Iterator[Record]:
    """Records without a fault until they hold so many deals, all of them different.

    By the usual rules; or else under options at random, of any number of players up to seven.
    """
    deals = 0
    for seed in count():
        if deals >= many:
            return
        rng, players, options = Random(seed), PLAYERS[key], dict[str, Any]()
        if not usual:
            players, options = rng.choice([seats for seats in game(key).players if seats < 8]), any_options(game(key), rng)
        schedule = compose(game(key), options)[0].cards(players)
        if kind == "deals":
            numbers = [1 + seed % (FIRST if isinstance(schedule, int) else len(schedule))]
        else:
            numbers, options = BOARDS if key == "bridge" else None, {**ENDS.get(key, {}), **options}
        record = deal_game(game(key), players, seed, options=options, numbers=numbers)
        deals += len(record.deals)
        yield record


def faulty(record: Record, rng: Random) -> Record:
    """The record with one deal of it changed, so that the referee finds a fault."""
    data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    for _ in range(1000):
        place = rng.randrange(len(record.deals))
        changed = {**data, "deals": [deepcopy(data["deals"][place])]}
        if ACTS[rng.choice(SLIPS)](changed, rng):
            deals = [*data["deals"]]
            deals[place : place + 1] = changed["deals"]
            found = Record.model_validate({**data, "deals": deals})
            if not referee(found, games.find).ok:
                return found
    raise ValueError(f"nothing makes {record.id} faulty")


def mixed(records: Iterable[Record], share: int) -> Iterator[Record]:
    """The records, so many of a hundred of them made faulty; of a few, one."""
    for number, record in enumerate(records):
        yield faulty(record, Random(number)) if wrong(number + 1, share) > wrong(number, share) else record


def wrong(many: int, share: int) -> int:
    """How many of so many records are made faulty."""
    return -(-many * share // 100)


def file(folder: Path, key: str, kind: str, many: int, share: int = 0) -> Path:
    """A file of such records, a line each; one that is there is used again."""
    path = folder / f"{key}-{kind}-{many}-{share}.jsonl"
    if not path.exists():
        records = dealt(key, kind, many) if not share else map(loads, file(folder, key, kind, many).read_bytes().splitlines())
        written(path, mixed(records, share))
    return path


def written(path: Path, records: Iterable[Record]) -> Path:
    """Write records to a file, a line each; it is there when all of it is."""
    part = path.with_suffix(".part")
    with part.open("w", encoding="utf-8") as out:
        out.writelines(map(line, records))
    return part.replace(path)


# --- the worst ------------------------------------------------------------------------------------------------------

Data = dict[str, Any]


def over_and_over(data: Data, do: str, many: int) -> None:
    """All events of a kind come again and again, so many in all."""
    events = data["deals"][0]["events"]
    mine = [event for event in events if event["do"] == do]
    place = events.index(mine[-1]) + 1
    events[place:place] = [dict(mine[number % len(mine)]) for number in range(many)]


def at_random(data: Data, rng: Random, many: int = 57) -> None:
    """Events of any sort by anybody, so many."""
    deal = data["deals"][0]
    seats, bids = [player["seat"] for player in data["players"]], [event for event in deal["events"] if event["do"] != "play"]
    cards = compose(game(data["game"]), {})[0].pack(len(seats)).cards
    plays = [{"do": "play", "by": rng.choice(seats), "card": rng.choice(cards)} for _ in range(many)]
    deal["events"] = [dict(rng.choice(bids)) if bids and rng.random() < 0.1 else play for play in plays]


def nonsense(data: Data, rng: Random, many: int = 2000) -> None:
    """Objects in objects where events should be, and numbers where texts should be."""
    deep: Any = {}
    for _ in range(20):
        deep = {"do": deep, "by": [deep]} if rng.random() < 0.2 else {"card": deep}
    data["deals"][0]["events"] = [deep for _ in range(many)]


#: The worst that is known, by name: what it does to the data of a record of one deal that was right, and to how many.
WORST: dict[str, tuple[Callable[[Data, Random], None], int]] = {
    "2,000 plays too many": (lambda data, rng: over_and_over(data, "play", 2000), 1),
    "2,000 bids too many": (lambda data, rng: over_and_over(data, "bid", 2000), 1),
    "57 events at random": (at_random, 20),
}


def worst(key: str, name: str) -> list[Record]:
    """Records of a game that are as bad as that; none where there is no such event in the game."""
    change, many = WORST[name]
    found = []
    for seed in range(many):
        record = deal_game(game(key), PLAYERS[key], seed, numbers=[6 if key == "batarde" else 1])  # whose first deals are short
        data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
        if name != "2,000 bids too many" or any(event["do"] == "bid" for event in data["deals"][0]["events"]):
            change(data, Random(seed))
            found.append(Record.model_validate(data))
    return found


def texts() -> dict[str, bytes]:
    """Texts that are no records: deep, long and senseless."""
    record = deal_game(game("bridge"), PLAYERS["bridge"], 1, numbers=[1]).model_dump(
        mode="json", exclude_unset=True, by_alias=True
    )
    nonsense(record, Random(1))
    wide = {**record, "deals": [], "players": [{"seat": name, "nick": name} for name in seats_for(4)] * 5000}
    return {
        "brackets, 100,000 deep": b"[" * 100_000,
        "objects, 100,000 deep": b'{"deals":' * 100_000,
        "2,000 senseless events, 20 deep": json.dumps(record).encode(),
        "20,000 players with a field too many": json.dumps(wide).encode(),
    }
