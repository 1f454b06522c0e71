"""What is found out of a deal is not found out again for its replays: whatever is remembered, the same is told."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from itertools import islice
from random import Random
from typing import Any

import pytest

from handrec import check, games, load, referee, writing
from handrec.allowance import Allowance
from handrec.dealing import CannotDeal, deal_game, injectable
from handrec.explanations.costs import FindingKey, key_of
from handrec.explanations.sight import Replayed
from handrec.findings import Finding, Verdict
from handrec.game import Game, Table, compose
from handrec.phases import out_of_turn
from handrec.phases.auction import Auction
from handrec.phases.calling import HEARD, Call, Calling
from handrec.phases.out_of_turn import EXPLAINED
from handrec.record import Deal, Record
from tests import auctions
from tests.commands import ROOT
from tests.dealing import GAMES, the
from tests.games.test_batarde_oracle import some_options
from tests.tables import Data
from tests.test_referee_whole import two_hands


def variants(seed: int) -> Iterator[Data]:
    """A deal of La Bâtarde with some things wrong in its auction, and the same with one part each otherwise."""
    chance = Random(seed)
    data = auctions.dealt(seed)
    for _ in range(chance.randint(1, 3)):
        _, _, data = chance.choice(list(auctions.planted(data)))
    yield data
    seats, deal = [player["seat"] for player in data["players"]], data["deals"][0]
    plays = [place for place, event in enumerate(deal["events"]) if event["do"] == "play"]
    first = plays[0] if plays else len(deal["events"])
    called: dict[str, Any] = {"events": deal["events"][:first]}
    parts: list[dict[str, Any]] = [{"dealer": seat} for seat in seats]
    parts += [{**called, "status": status} for status in ("complete", "stopped", "in_progress")]
    parts += [{**called, "cards": cards} for cards in range(1, 9)]
    parts += [{"events": [event | {"by": seat} if place == first else event for place, event in enumerate(deal["events"])]}
              for seat in seats]  # fmt: skip
    parts += [{**called, "hands": None, "aside": None, "cards": None}]
    for part in parts:
        yield {**data, "deals": [{key: value for key, value in {**deal, **part}.items() if value is not None}]}
    yield {**data, "deals": [deal, {**deal, "dealer": seats[0]}]}
    players = data["players"]
    yield {**data, "players": [*players[1:], players[0]]}
    yield {**data, "players": [players[1], players[0], *players[2:]]}
    for _ in range(8):
        options = {**some_options(chance), "deal_schedule": data["options"]["deal_schedule"]}
        yield {**data, "options": options}


def told(data: Data) -> list[Finding]:
    """All that is found in a record, with what explains it."""
    return [*check(Record.model_validate(data)).findings]


@pytest.mark.parametrize(("seeds", "every"), [(range(1), 3), pytest.param(range(30), 1, marks=pytest.mark.long)])
def test_what_is_remembered_of_auctions_changes_nothing(seeds: range, every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is judged with all in mind that was found out before, and then by one who remembers nothing."""
    records, anew = [data for seed in seeds for data in variants(seed)][::every], list[int]()

    def explained(auction: Auction, table: Table, calling: Calling, place: int) -> out_of_turn.Explained:
        anew.append(place)
        return out_of_turn.explained(auction, table, calling, place)

    EXPLAINED.clear()
    remembering = [told(data) for data in records]
    monkeypatch.setattr(out_of_turn, "remembered", explained)
    for data, findings in zip(records, remembering, strict=True):
        assert told(data) == findings
    assert len(anew) > 10 * len(records)


def test_so_much_is_remembered_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """When that is full, it begins anew; nothing of an auction that is too long."""
    monkeypatch.setattr(out_of_turn, "KNOWN", 5)
    EXPLAINED.clear()
    many = []
    for data in islice(variants(1), 0, None, 3):
        told(data)
        many.append(len(EXPLAINED))
    assert max(many) == 5
    EXPLAINED.clear()
    deal = data["deals"][0]
    call = {"do": "bid", "by": deal["dealer"], "bid": "0AT"}
    told({**data, "deals": [{**deal, "events": [call] * (HEARD + 1)}]})
    assert not EXPLAINED


def in_several_deals(game: Game, seed: int) -> Record | None:
    """A game with a fault in it, and now and then a dealer or a number of the sheet otherwise; None if it has no such fault."""
    chance, codes = Random(seed), injectable(game)
    players = max(number for number in game.players if number < 5)
    options = {"target": 9} if game.key == "whist" else {}
    try:
        record = deal_game(game, players, seed, options=options, inject=codes[seed % len(codes)])
    except CannotDeal:
        return None
    data: Data = deepcopy(writing.plain(record))
    seats = [player["seat"] for player in data["players"]]
    for deal in data["deals"]:
        if chance.random() < 0.2 and "dealer" in deal:
            deal["dealer"] = chance.choice(seats)
        for claimed in ("scores", "totals"):
            if chance.random() < 0.1 and claimed in deal.get("claimed", {}):
                deal["claimed"][claimed][chance.choice(seats)] = chance.randint(-9, 99)
    try:
        return Record.model_validate(data)
    except ValueError:
        return None


def refereed(record: Record, game: Game) -> tuple[Verdict, Replayed]:
    """The verdict on a record, and the record with the tables of its deals."""
    verdict, tables = referee.examined(record, games.find)
    return verdict, Replayed(record, game, {*map(key_of, verdict.findings)}, tables, Allowance())


def without(deal: Deal, gone: int) -> Deal:
    """A deal without one of its events."""
    return deal.model_copy(update={"events": [event for place, event in enumerate(deal.events) if place != gone]})


def in_whole(record: Record, index: int, other: Deal) -> set[FindingKey]:
    """What the referee finds in the whole record with another deal in one's place."""
    deals = [other if place == index else each for place, each in enumerate(record.deals)]
    return {*map(key_of, referee.check(record.model_copy(update={"deals": deals}), games.find).findings)}


@pytest.mark.some(4)
@pytest.mark.parametrize("seeds", [range(2), pytest.param(range(2, 80), marks=pytest.mark.long)])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_one_deal_is_judged_in_another_place_as_if_the_whole_record_were(game: Game, seeds: range) -> None:
    """With another dealer, a play or a bid left out, or none of its numbers, in any deal of whole games, faulty ones too."""
    tried = 0
    for record in [in_several_deals(game, seed) for seed in seeds]:
        if record is None:
            continue
        chance, composed = Random(f"{record.id}"), compose(game, record.options)[0]
        verdict, replayed = refereed(record, composed)
        for index in chance.sample(range(len(record.deals)), min(3, len(record.deals))):
            deal = record.deals[index]
            others = [
                deal.model_copy(update={"dealer": chance.choice(record.players).seat}),
                without(deal, chance.randrange(len(deal.events))),
                deal.model_copy(update={"claimed": None}),
            ]
            for other in others:
                assert replayed.found_with(index, other) == in_whole(record, index, other)
                tried += 1
        assert referee.check(record, games.find) == verdict
    assert tried >= len(seeds)


def test_books_that_are_taken_in_a_later_deal_are_judged_anew() -> None:
    """Without what they are for: a revoke, or its accusation."""
    record, differ = Record.model_validate(two_hands()), 0
    verdict, replayed = refereed(record, compose(the("spades3"), {})[0])
    for gone in range(len(record.deals[0].events)):
        other = without(record.deals[0], gone)
        found = replayed.found_with(0, other)
        assert found == in_whole(record, 0, other)
        differ += not {key for key in found if key[1].startswith("/deals/1/")} <= {*map(key_of, verdict.findings)}
    assert differ


def test_a_mode_that_was_passed_over_on_trial_leaves_no_trace() -> None:
    """2 imposes a mode too low, and 3 goes on in the one before: an auction on trial goes back to that one too, by itself."""
    calling = Calling(0)
    calling.put(Call(0, 2, "S", "", 0), True, False)
    calling.put(Call(1, 1, "H", "", 1), True, True)
    trial = calling.copy()
    call = Call(2, 3, "S", "", 2)
    assert trial.passed_over(call)
    trial.enter(call)
    trial.unknown.add(3)
    assert {*trial.bids} == {0, 2}
    assert calling.before is not None
    assert ({*calling.before.bids}, calling.before.unknown) == ({0}, set())
    assert ({*calling.bids}, calling.mode) == ({1}, "H")


def test_what_is_found_of_a_record_is_found_again() -> None:
    """The calls of this one come out of turn, and one of them is too low and passed over: found so in a game that was fuzzed."""
    record = load(ROOT / "fixtures/hostile/a-mode-passed-over-on-trial.handrec.json")
    EXPLAINED.clear()
    first, again = (referee.check(record, games.find) for _ in range(2))
    assert first == again
    assert "BID016" not in {finding.code for finding in first.findings}
