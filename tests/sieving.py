"""Two referees side by side: the sieve's answers must be the referee's, deal for deal, whatever is wrong with a record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from random import Random
from typing import Any

import numpy as np
import pytest
from pydantic import ValidationError

from handrec import games
from handrec.archive import Block, Cut, Heads, clean, sifted
from handrec.archive.rows import encode_rows
from handrec.dealing import CannotDeal, deal_game
from handrec.fast import in_c
from handrec.fast import plan as plans
from handrec.findings import Verdict
from handrec.game import Game
from handrec.judging import Find, Judge
from handrec.record import Record
from handrec.referee import check
from handrec.sieve.codec import Codec
from handrec.sieve.shape import Shape
from handrec.sieve.sift import judged, sift
from tests.dealing import FAULTS, WHOLE, any_options, everything, some_deals

Data = dict[str, Any]


def codec_of(record: Record, game: Game) -> Codec:
    """What gives the deals of a record rows."""
    seats = tuple(player.seat for player in record.players)
    return Codec(Shape(game, len(seats), len((record.deals[0].hands or {})[seats[0]])), seats)


# --- records, right and wrong ---------------------------------------------------------------------------------------


def dealt(game: Game, seed: int, options: Data, players: int) -> Record:
    """A few deals of a game; now and then a whole one, where that is short."""
    rng = Random(seed)
    whole = isinstance(game.cards(players), int) and rng.random() < 0.05
    numbers = None if whole else some_deals(game, players, options, rng, rng.randrange(1, 5))
    return deal_game(game, players, seed, options=options, numbers=numbers)


def planted(game: Game, seed: int) -> Record | None:
    """A record with one fault of the catalogue, None if this seed has no place for it."""
    rng = Random(seed)
    code = rng.choice([code for other, code in FAULTS if other is game and code not in WHOLE])
    options, players = rng.choice(everything(game)), rng.choice([count for count in game.players if count < 8])
    try:
        return deal_game(game, players, seed, options=options, numbers=some_deals(game, players, options, rng), inject=code)
    except CannotDeal:
        return None


def mutated(record: Record, rng: Random) -> Record | None:
    """The record with one thing in it changed at random, None if that makes it no record."""
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    deal = rng.choice(data["deals"])
    played = any(event["do"] == "play" for event in deal["events"])
    rng.choice(CHANGES if played else [change for change in CHANGES if change not in OF_PLAYS])(data, deal, rng)
    try:
        return Record.model_validate(data)
    except ValidationError:
        return None


def _some(things: list[Any], rng: Random) -> int:
    return rng.randrange(len(things))


def _delete(data: Data, deal: Data, rng: Random) -> None:
    del deal["events"][_some(deal["events"], rng)]


def _double(data: Data, deal: Data, rng: Random) -> None:
    event = deepcopy(rng.choice(deal["events"]))
    deal["events"].insert(_some(deal["events"], rng), event)


def _swap(data: Data, deal: Data, rng: Random) -> None:
    events = deal["events"]
    one = _some(events, rng)
    other = min(one + 1, len(events) - 1) if rng.random() < 0.5 else _some(events, rng)
    events[one], events[other] = events[other], events[one]


def _swap_cards(data: Data, deal: Data, rng: Random) -> None:
    """Two cards of one seat, so that the play may break no rule but one of those of play."""
    plays = [event for event in deal["events"] if event["do"] == "play"]
    own = [event for event in plays if event.get("by") == rng.choice(plays).get("by")]
    one, other = rng.choice(own or plays), rng.choice(own or plays)
    one["card"], other["card"] = other["card"], one["card"]


def _card(data: Data, deal: Data, rng: Random) -> None:
    cards = [event for event in deal["events"] if "card" in event]
    rng.choice(cards)["card"] = rng.choice([rng.choice(cards)["card"], "AS", "2C", "??", "?S", "XX", "RS"])


def _seat(data: Data, deal: Data, rng: Random) -> None:
    event = rng.choice(deal["events"])
    event["by"] = rng.choice(data["players"])["seat"]


def _bid(data: Data, deal: Data, rng: Random) -> None:
    bids = [event for event in deal["events"] if "bid" in event] or [{}]
    rng.choice(bids)["bid"] = rng.choice(
        [0, 1, 2, 3, 14, 17, -1, "board", "rainbow", "S", "Hx2", "turnip", "turnipx2", "2H", "NT"]
    )


def _unnamed(data: Data, deal: Data, rng: Random) -> None:
    """Plays that do not say whose they are: all of them, or one."""
    plays = [event for event in deal["events"] if event["do"] == "play"]
    for event in plays if rng.random() < 0.7 else [rng.choice(plays)]:
        event.pop("by", None)


def _hand(data: Data, deal: Data, rng: Random) -> None:
    seats = sorted(deal["hands"])
    one, other = deal["hands"][rng.choice(seats)], deal["hands"][rng.choice(seats)]
    if rng.random() < 0.3:
        one.pop()
    else:
        first, second = _some(one, rng), _some(other, rng)
        one[first], other[second] = (other[second], one[first]) if rng.random() < 0.6 else (one[first], one[first])


def _aside(data: Data, deal: Data, rng: Random) -> None:
    aside = deal.get("aside") or {}
    for name in rng.sample(sorted(aside), min(1, len(aside))):
        cards = aside[name]
        what = rng.randrange(4)
        if what == 0:
            del aside[name]
        elif what == 1 and cards:
            cards[_some(cards, rng)] = rng.choice(["??", cards[0], deal["hands"][sorted(deal["hands"])[0]][0]])
        elif what == 2:
            rng.shuffle(cards)
        else:
            aside[rng.choice(["turnup", "stock", "widow", "stack", "discard", "turnip"])] = aside.pop(name)


def _dealer(data: Data, deal: Data, rng: Random) -> None:
    seats = [player["seat"] for player in data["players"]]
    what = rng.choice(["dealer", "leader", "number", "cards", "status", "turns"])
    if what == "turns":
        deal["events"] = [event for event in deal["events"] if event["do"] != "turn"]
    elif what == "status":
        deal["status"] = rng.choice(["stopped", "claimed"])
    elif what in ("number", "cards"):
        deal[what] = rng.choice([1, 2, 3, deal.get(what, 1) + 1])
    elif what in deal and rng.random() < 0.3:
        del deal[what]
    else:
        deal[what] = rng.choice(seats)


def _claim(data: Data, deal: Data, rng: Random) -> None:
    claimed = deal.get("claimed", {})
    part = rng.choice(sorted(claimed) or [""])
    value = claimed.get(part)
    if part == "trump":
        claimed[part] = rng.choice(["S", "NT", "H", "AT"])
    elif isinstance(value, list) and value:
        value[_some(value, rng)] = rng.choice([rng.choice(data["players"])["seat"], "bastard"])
    elif isinstance(value, dict) and value:
        seat = rng.choice(sorted(value))
        if rng.random() < 0.2:
            del value[seat]
        else:
            value[seat] = (
                value[seat] + rng.choice([-1, 1, 10]) if isinstance(value[seat], int) else rng.choice(["1", "5H", "board"])
            )


def _unclaimed(data: Data, deal: Data, rng: Random) -> None:
    deal.pop("claimed", None)


def _announce(data: Data, deal: Data, rng: Random) -> None:
    seat = rng.choice(data["players"])["seat"]
    what = rng.choice(["guess", "look", "sips", "bemo", "mechoune", "choune"])
    event = {"do": "announce", "by": seat, "what": what} | ({"card": "AS"} if what == "guess" else {})
    deal["events"].insert(rng.randrange(len(deal["events"]) + 1), event)


def _blind(data: Data, deal: Data, rng: Random) -> None:
    bids = [event for event in deal["events"] if event["do"] == "bid"] or [{}]
    rng.choice(bids)["blind"] = rng.random() < 0.8


def _order(data: Data, deal: Data, rng: Random) -> None:
    what = rng.randrange(3)
    if what == 0:
        rng.shuffle(data["deals"])
    elif what == 1:
        data["status"] = rng.choice(["complete", "excerpt", "stopped"])
    elif data.get("claimed", {}).get("totals"):
        data["claimed"]["totals"][data["players"][0]["seat"]] += 1


def _foreign(data: Data, deal: Data, rng: Random) -> None:
    """A claim for a seat that nobody has."""
    whose = rng.choice([deal, data])
    claims = whose.setdefault("claimed", {})
    part = rng.choice(["totals", "winners", "bids", "tricks", "scores"] if whose is deal else ["totals", "winners"])
    if part == "winners":
        claims.setdefault(part, []).append("ZZ")
    else:
        claims.setdefault(part, {})["ZZ"] = 1


#: The changes; those that leave most of a record standing come more often.
CHANGES = (
    *(_delete, _double, _swap, _card, _seat, _bid, _unnamed, _hand, _aside, _dealer, _unclaimed, _announce, _blind),
    *(_order, _foreign, _swap_cards, _swap_cards, _swap_cards, _swap_cards, _swap_cards, _claim, _claim, _aside),
)

#: Those that need a card that was played.
OF_PLAYS = (_swap_cards, _card, _unnamed)


# --- the comparison -------------------------------------------------------------------------------------------------


def in_columns(records: Iterable[Record], find: Find) -> Cut:
    """Records as they stand in an archive."""
    heads = Heads(find)
    return Cut(encode_rows(enumerate(records), heads), heads)


def sift_records(records: Iterable[Record], find: Find) -> list[bool]:
    """Which records the sieve passes."""
    passed: list[bool] = clean(in_columns(records, find)).tolist()
    return passed


def compare(records: Iterable[Record], verdicts: Iterable[Verdict] | None = None) -> Counter[str]:
    """Put records through both; AssertionError where they do not agree. Counts what was compared."""
    records = list(records)
    verdicts = [check(record, games.find) for record in records] if verdicts is None else list(verdicts)
    counted: Counter[str] = Counter()
    cut = in_columns(records, games.find)
    for levels, record, verdict in zip(sifted(cut).levels, records, verdicts, strict=True):
        passed = levels is not None
        counted["records"] += 1
        counted["deals"] += len(record.deals)
        counted["passed" if passed else "referred"] += 1
        counted["referred though clean"] += not passed and not verdict.findings
        assert not (passed and verdict.findings), (record, verdict.findings)
        assert not passed or levels == verdict.levels, record
    for part in cut.parts:
        if judged(part.columns.codec):
            _same_results(part, records, verdicts, counted)
    return counted


def _same_results(part: Block, records: list[Record], verdicts: list[Verdict], counted: Counter[str]) -> None:
    """Winners, tricks and scores of each deal that is fine, also in records that are not clean."""
    columns, shape, seats = part.columns, part.columns.codec.shape, part.head.seats
    sifted, names = sift(columns), part.columns.codec.everybody
    for spot in np.flatnonzero(sifted.fine).tolist():
        record, place = records[columns.record[spot]], int(columns.place[spot])
        if not verdicts[columns.record[spot]].deals:  # the record as a whole cannot be replayed
            continue
        result = verdicts[columns.record[spot]].deals[place]
        counted["winners and tricks compared"] += 1
        assert [names[seat] for seat in sifted.winners[spot]] == [trick.winner for trick in result.played], record
        assert dict(zip(seats, sifted.tricks[spot].tolist(), strict=False)) == result.tricks, record
        if sifted.scored[spot] and shape.game.score:
            counted["scores compared"] += 1
            assert dict(zip(seats, sifted.scores[spot].tolist(), strict=True)) == result.scores, record
            carried = {key: numbers[spot].tolist() for key, numbers in sifted.carried.items()}
            told = {seat: {key: numbers[place] for key, numbers in carried.items()} for place, seat in enumerate(seats)}
            assert {seat: numbers for seat, numbers in told.items() if numbers} == result.carried, record


def raised(way: str, error: Exception) -> None:
    """A fast way that fails is an error here."""
    raise error


class Ways:
    """The fast path with either loop, each with the plans that it made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.patch = monkeypatch
        self.ways = [(loop, {}) for loop in dict.fromkeys((in_c._tricks, None))]

    def verdicts(self, records: list[Record]) -> Iterator[list[Verdict]]:
        """The verdicts on some records, by each of the ways."""
        for loop, known in self.ways:
            self.patch.setattr(in_c, "_tricks", loop)
            self.patch.setattr(plans, "_known", known)
            yield [*Judge(games.find, failed=raised).verdicts(records)]

    def agree(self, records: list[Record]) -> Counter[str]:
        """All ways must say the same, the sieve too where deals fit into columns; counts what was compared."""
        due = [check(record, games.find) for record in records]
        for found in self.verdicts(records):
            for record, one, other in zip(records, found, due, strict=True):
                assert one == other, record
        counted = compare(records, due)
        counted["in whole games"] = sum(len(record.deals) for record in records if record.status == "complete")
        counted["as dealt"] = sum(len(record.deals) for record, verdict in zip(records, due, strict=True) if verdict.ok)
        return counted


def batch(game: Game, seed: int, games_dealt: int, changes: int) -> list[Record]:
    """Records of one seed: games of one kind as they were dealt, each with changed forms of it, and one planted fault."""
    rng = Random(seed)
    options, players = any_options(game, rng), rng.choice(game.players)
    if game.key == "kbabs" and rng.random() < 0.7:
        players = rng.choice([2, 3, 4, 5, 6])
        options.pop("sips", None)
    if game.key == "batarde" and rng.random() < 0.8:
        players = rng.choice([3, 4])
    records = []
    for number in range(games_dealt):
        record = dealt(game, seed * 1000 + number, options, players)
        records += [record, *(other for _ in range(changes) if (other := mutated(record, rng)) is not None)]
    fault = planted(game, seed)
    return records if fault is None else [*records, fault]
