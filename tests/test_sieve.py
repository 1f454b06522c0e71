"""The sieve: it never passes what the referee would not, and what it says of a deal is what the referee says."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import combinations, count
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrec import api, games, writing
from handrec.api import Unreadable
from handrec.archive import verdicts
from handrec.archive.rows import encode
from handrec.dealing import deal_game
from handrec.game import Game, compose
from handrec.game.table import Table
from handrec.phases.secret_bids import BugSuits
from handrec.record import Announce, DealClaims, GameClaims, Penalty, Record
from handrec.referee import check
from handrec.sieve.codec import NONE, NOTHING, Codec, Row
from handrec.sieve.columns import ARRAYS, Columns, together
from handrec.sieve.laid import Scripts
from handrec.sieve.play import free_lead
from handrec.sieve.shape import Shape
from handrec.sieve.sift import _parts, judged, sift
from tests.dealing import GAMES, the
from tests.sieving import batch, codec_of, compare, mutated, sift_records
from tests.toy_hearts import GAME as HEARTS
from tests.toy_oh_hell import GAME as OH_HELL
from tests.toy_whist import GAME as WHIST

ROOT = Path(__file__).parents[1]
FIXTURES = sorted((ROOT / "fixtures").rglob("*.json"))


def judgeable(shape: Shape) -> bool:
    """Whether deals of a shape can be judged in columns."""
    return judged(Codec(shape, tuple(f"P{seat}" for seat in range(shape.seats))))


def columns_of(record: Record, game: Game) -> Columns:
    """The deals of a record, which all have as many cards, as columns of a game told from its beginning."""
    codec = codec_of(record, game)
    rows = [row for deal in record.deals if (row := codec.row(deal)) is not None]
    assert len(rows) == len(record.deals)
    many = range(len(rows))
    return together(codec, rows, [0 for _ in many], [*many], [True for _ in many])


def bridge(many: int = 8) -> Columns:
    """Bridge deals as columns, each of its own record."""
    record = deal_game(the("bridge"), 4, 1, numbers=range(1, many + 1))
    deals = columns_of(record, the("bridge"))
    deals.record, deals.place = np.arange(many), np.zeros(many, np.int64)
    return deals


@pytest.mark.some(3)
@pytest.mark.parametrize("key", ["spades3", "bugami", "hearts"])
@pytest.mark.parametrize("many", [1, 3])
def test_deals_in_parts_are_what_they_are_all_at_once(key: str, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more deals come at once than are judged together, a game stays whole: its scores go on from deal to deal."""
    dealt = [deal_game(the(key), max(3, min(the(key).players)), seed) for seed in range(4)]
    codec, rows, record, place = codec_of(dealt[0], the(key)), list[Row](), list[int](), list[int]()
    for number, each in enumerate(dealt):
        for at, deal in enumerate(each.deals):
            row = codec.row(deal)
            assert row is not None
            rows, record, place = [*rows, row], [*record, number], [*place, at]
    columns = together(codec, rows, record, place, [True] * len(rows))
    columns.scores[len(dealt[0].deals) + 1, 0] += 1  # of the second game
    whole = sift(columns)
    assert Counter(whole.fine.tolist())[False] == 1
    monkeypatch.setattr("handrec.sieve.sift.CHUNK", many)
    parts = [*_parts(columns.record)]
    assert [len({*columns.record[part].tolist()}) for part in parts] == [1] * 4
    found = sift(columns)
    for one, other in zip(found.carried.values(), whole.carried.values(), strict=True):
        assert np.array_equal(one, other)
    for name in vars(whole).keys() - {"carried"}:
        assert np.array_equal(getattr(found, name), getattr(whole, name)), name


# --- referee and sieve ----------------------------------------------------------------------------------------------


@pytest.mark.some(2)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_sieve_and_referee_agree(game: Game) -> None:
    """Deals of every game with random options, most of them changed at random: whatever the sieve says, the referee says."""
    counted: Counter[str] = Counter()
    for seed in count():
        counted += compare(batch(game, seed, 1, 12))
        if counted["deals"] >= 150:
            break
    assert counted["passed"] > 5
    assert counted["referred"] > 20
    assert counted["winners and tricks compared"] > 25


@pytest.mark.long
def test_sieve_and_referee_agree_on_every_fixture() -> None:
    """Every record among the fixtures that can be read, clean or broken."""
    records = []
    for path in FIXTURES:
        try:
            records.append(api.load(path))
        except Unreadable:
            continue
    counted = compare(records)
    assert counted["records"] > 250
    assert counted["passed"] >= 20


@pytest.mark.some(2)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_is_dealt_passes(game: Game) -> None:
    """Excerpts of games by the usual rules, and whole games, which are judged across their deals."""
    players = min(4, max(game.players))
    records = [deal_game(game, players, seed, numbers=[1, 2]) for seed in range(10)]
    records += [deal_game(game, players, seed) for seed in range(3)]
    assert sift_records(records, games.find) == [True] * 13


def test_where_no_status_is_stated_it_is_not_known_what_was_carried_in() -> None:
    """A deal of a rubber by itself, which is an excerpt, since it has no number: what goes on from it hangs on those before."""
    record = api.load(ROOT / "fixtures/hostile/rubber-of-no-stated-status.handrec.json")
    assert "status" not in record.model_fields_set
    counted = compare([record])
    assert (counted["winners and tricks compared"], counted["scores compared"]) == (1, 0)


def test_what_is_judged_when_the_deal_is_over_is_the_referees() -> None:
    """Drinks and penalties, before the play and after it, hang on what comes out, or on other deals."""
    record = deal_game(the("kbabs"), 4, 7, numbers=[3])
    deal = record.deals[0]
    late = [Announce(by="N", what="sips", count=1), Penalty(of="N", points=37, reason="renege")]
    events = [[*deal.events[:5], event, *deal.events[5:]] for event in late] + [[*deal.events, event] for event in late]
    records = [record.model_copy(update={"deals": [deal.model_copy(update={"events": some})]}) for some in events]
    assert sift_records([record, *records], games.find) == [True, *[False] * 4]
    compare(records)


def test_a_card_turned_while_there_is_bidding_goes_to_the_referee() -> None:
    """It is turned for the first lead, and the bids come before."""
    record = deal_game(the("bastard"), 3, 2, numbers=[1])
    deal = record.deals[0]
    places = [place for place, event in enumerate(deal.events) if event.do in ("bid", "turn")]
    changed = []
    for one, other in combinations(places[:5], 2):
        events = [*deal.events]
        events[one], events[other] = events[other], events[one]
        changed.append(record.model_copy(update={"deals": [deal.model_copy(update={"events": events})]}))
    counted = compare(changed)
    assert counted["referred"] > 5


def test_scores_that_hang_on_deals_before_leave_open_what_they_do() -> None:
    """Single deals out of games that carry something: any score that can be passes, and what cannot be told is said."""
    game = the("spades3")
    whole = [deal_game(game, 3, seed) for seed in range(3)]
    single = {"status": "excerpt", "claimed": None}
    records = [record.model_copy(update={**single, "deals": [deal]}) for record in whole for deal in record.deals[1:]]
    counted = compare(records)
    assert counted["passed"] == len(records) > 20
    told = [level for record in records for level in check(record, games.find).levels if level.key == "L5"]
    assert {level.status for level in told} == {"not checkable"}


@pytest.mark.some(1)
@pytest.mark.parametrize("part", ["dealer", "claimed", "aside"])
def test_what_is_not_recorded_leaves_the_same_open(part: str) -> None:
    """Deals of which something is not stated: what the sieve passes has the referee's levels."""
    records = []
    for game in GAMES:
        record = deal_game(game, min(4, max(game.players)), 7, numbers=[1, 2])
        for place, deal in enumerate(record.deals):
            deals = [*record.deals]
            deals[place] = deal.model_copy(update={part: None})
            records.append(record.model_copy(update={"deals": deals, "claimed": None}))
    counted = compare(records)
    assert counted["passed"] > 1


@pytest.mark.some(2)
@pytest.mark.parametrize(("key", "players"), [("bridge", 4), ("batarde", 3), ("kbabs", 5)])
def test_any_two_cards_of_a_seat_exchanged(key: str, players: int) -> None:
    """One deal, every two cards of each seat played in each other's trick: every play is judged as the referee judges it."""
    game = games.find(key)
    assert game is not None
    (deal,) = (record := deal_game(game, players, 2, numbers=[1])).deals
    plays = [place for place, event in enumerate(deal.events) if event.do == "play"]
    changed = []
    for one, other in combinations(plays, 2):
        first, second = deal.events[one], deal.events[other]
        if first.do == second.do == "play" and first.by == second.by:
            events = list(deal.events)
            events[one] = first.model_copy(update={"card": second.card})
            events[other] = second.model_copy(update={"card": first.card})
            changed.append(record.model_copy(update={"deals": [deal.model_copy(update={"events": events, "claimed": None})]}))
    some = changed[:: max(1, len(changed) // 150)]
    counted = compare(some)
    assert counted["records"] >= 60
    assert counted["referred though clean"] == sum(not check(record, games.find).findings for record in some) - counted["passed"]
    assert counted["passed"] > 0


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("game", [WHIST, HEARTS, OH_HELL], ids=lambda game: game.key)
def test_games_from_outside_are_judged(game: Game) -> None:
    """Kinds of events and phases that the package has never heard of: the deals have rows, and are judged as others are."""
    records = list[Record]()
    for seed in range(6):
        rng, record = Random(seed), deal_game(game, max(game.players), seed, numbers=[1, 2, 3] if game is not OH_HELL else None)
        records += [record, *(other for _ in range(6) if (other := mutated(record, rng)) is not None)]
    counted = compare(records)
    assert counted["passed"] >= 6
    assert counted["referred"] > 12
    assert counted["scores compared"] > 12


@pytest.mark.usefixtures("toys")
@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_kinds_of_events_that_a_version_does_not_have_are_the_referees(version: str) -> None:
    """Whether a row may have them is not looked at in the columns of its deals."""
    record = deal_game(HEARTS, 4, 3, numbers=[1])
    (batch,) = encode([(0, record)], games.find)
    rows = batch.to_pylist()
    rows[0]["text"] = rows[0]["text"].replace('"version":"1.1"', f'"version":"{version}"')
    told = verdicts(pa.RecordBatch.from_pylist(rows, batch.schema)).to_pylist()
    assert told[0]["codes"] == ("FMT001" if version == "1.0" else "")


# --- records --------------------------------------------------------------------------------------------------------


def test_a_record_of_no_game_goes_to_the_referee() -> None:
    """A game that is not known, an option that it does not have, a seat too many, nothing at all: no traceback."""
    record = deal_game(the("bridge"), 4, 1, numbers=[1])
    changed = [
        record.model_copy(update={"game": "poker"}),
        record.model_copy(update={"options": {"speed": "high"}}),
        record.model_copy(update={"players": record.players[:3]}),
        record.model_copy(update={"players": [*record.players[:3], record.players[0]]}),
        record.model_copy(update={"claimed": GameClaims(totals={"ZZ": 5})}),
        record.model_copy(update={"deals": [record.deals[0].model_copy(update={"claimed": DealClaims(bids={"ZZ": 1})})]}),
        record.model_copy(update={"deals": []}),
    ]
    assert sift_records(changed, games.find) == [False] * 7
    assert [not check(each, games.find).findings for each in changed] == [False] * 6 + [True]


@pytest.mark.parametrize("field", ["hands", "dealer", "leader"])
def test_the_seat_of_nobody_where_a_player_sits(field: str) -> None:
    """The seat that is no player's, in a game that has one, holds no hand, does not deal and leads nothing: no traceback."""
    record = deal_game(GAMES[games.names().index("bastard")], 3, 1, options={"nuisance": True}, numbers=[1])
    deal = record.deals[0]
    (_, cards), *others = (deal.hands or {}).items()
    value: Any = {**dict(others), "bastard": cards} if field == "hands" else "bastard"
    changed = record.model_copy(update={"deals": [deal.model_copy(update={field: value})]})
    assert sift_records([record, changed], games.find) == [True, False]


# --- rows -----------------------------------------------------------------------------------------------------------


@pytest.mark.some(2)
@settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@given(seed=st.integers(0, 10**6))
def test_a_row_is_the_deal(game: Game, seed: int) -> None:
    """Whatever has a row comes back from it as it was, dealt or changed."""
    found = 0
    for record in batch(game, seed, 1, 5):
        composed, problems = compose(game, record.options)
        for deal in record.deals if not problems else ():
            seats, sizes = tuple(player.seat for player in record.players), [len(hand) for hand in (deal.hands or {}).values()]
            shape = Shape(composed, len(seats), max(sizes, default=0))
            row = Codec(shape, seats).row(deal) if len(seats) in composed.players and shape.written else None
            if row is not None:
                found += 1
                assert writing.plain_deal(Codec(shape, seats).deal(row)) == writing.plain_deal(deal)
    assert found


@pytest.mark.parametrize(
    "change",
    [
        {"status": "stopped"},
        {"pack": ["AS"]},
        {"cards": 12},
        {"hands": None},
        {"events": []},
        {"comments": []},
        {"dealer": "ZZ"},
        {"aside": {"stack": ["AS"]}},
        {"claimed": DealClaims(tricks={})},
        {"claimed": DealClaims(winners=["N"])},
        {"claimed": DealClaims(scores={"ZZ": 1})},
    ],
)
def test_what_has_no_row(change: dict[str, Any]) -> None:
    """What columns do not say is not left out: such a deal has no row."""
    record = deal_game(the("bridge"), 4, 1, numbers=[1])
    codec = codec_of(record, the("bridge"))
    assert codec.row(record.deals[0]) is not None
    assert codec.row(record.deals[0].model_copy(update=change)) is None


def test_every_column_is_described() -> None:
    """At the head of its class."""
    for name in ARRAYS:
        assert f"``{name}``" in str(Columns.__doc__)
    for name in Row._fields:
        assert f"`{name}`" in str(Row.__doc__)


# --- columns --------------------------------------------------------------------------------------------------------


def test_rows_are_the_deals_themselves() -> None:
    """Whatever part of the columns is judged, its deals get the same answers."""
    deals = bridge(20)
    deals.plays[3, [8, 20]] = deals.plays[3, [20, 8]]
    whole = sift(deals)
    assert whole.fine.tolist() == [place != 3 for place in range(20)]
    parts = [sift(deals.rows(slice(start, start + 7))) for start in range(0, 20, 7)]
    assert np.concatenate([part.fine for part in parts]).tolist() == whole.fine.tolist()
    assert np.concatenate([part.tricks for part in parts]).tolist() == whole.tricks.tolist()
    assert sift(deals.rows(np.arange(20)[::-1])).fine.tolist() == whole.fine[::-1].tolist()


#: Columns in which bridge has nothing that could be wrong.
FREE = {"record", "place", "whole", "sized", "number", "aside", "shown", "script", "trump", "scores", "totals"}


@pytest.mark.parametrize("column", sorted(ARRAYS - FREE))
def test_impossible_numbers_are_referred_and_harm_no_other_deal(column: str) -> None:
    """A column from a foreign hand may hold anything: that deal goes to the referee, the others are judged."""
    deals = bridge(6)
    values = getattr(deals, column)
    values[2] = np.iinfo(values.dtype).max - (values.dtype == np.uint8)
    assert sift(deals).fine.tolist() == [True, True, False, True, True, True]


@pytest.mark.parametrize("value", [0, 12, 51, 52, 63, 64, 200, 255])
def test_a_wrong_card_never_passes(value: int) -> None:
    """Any card put in the place of another is found, wherever it stands."""
    deals = bridge(1).rows(np.zeros(52, int))
    deals.place = deals.record = np.arange(52)
    before = deals.plays[0].copy()
    deals.plays[np.arange(52), np.arange(52)] = value
    assert (~sift(deals).fine).tolist() == (before != value).tolist()


def test_a_card_in_two_places_never_passes() -> None:
    """A card that two hold; one that is turned or set aside and also held; one set aside twice: all go to the referee."""
    record = deal_game(the("kbabs"), 4, 1, numbers=[3])
    deals = columns_of(record, the("kbabs")).rows(np.zeros(6, int))
    deals.record, deals.place = np.arange(6), np.zeros(6, np.int64)
    size = deals.codec.shape.size
    held, other = deals.hands[0, 0], deals.hands[0, size]
    deals.hands[1, size] = held
    deals.aside[2, -1] = held
    deals.aside[3, -1] = deals.aside[3, -2]
    deals.shown[4, 0] = other
    deals.aside[5] = NONE
    assert sift(deals).fine.tolist() == [True, False, False, False, False, True]


def test_claims_are_compared() -> None:
    """Winners, tricks and trump that were written down wrongly go to the referee; what is not claimed does not."""
    deals = bridge(6)
    deals.winners[1, 4] = (deals.winners[1, 4] + 1) % 4
    deals.tricks[2, 3] += 1
    deals.winners[3], deals.tricks[3], deals.trump[3] = NONE, NOTHING, -1
    deals.trump[4] = len(deals.trumps)
    deals.trumps = (*deals.trumps, "XX")
    assert sift(deals).fine.tolist() == [True, False, False, True, False, True]


def test_points_are_compared_and_carried() -> None:
    """What a game carries goes from deal to deal; after a deal that is uncertain, points are not told."""
    game = the("spades3")
    record = next(r for r in (deal_game(game, 3, seed) for seed in range(50)) if len(r.deals) > 3)
    deals, told = columns_of(record, game), check(record, games.find)
    sifted, seats = sift(deals), deals.codec.seats
    assert sifted.scored.all()
    assert [dict(zip(seats, row, strict=True)) for row in sifted.scores.tolist()] == [result.scores for result in told.deals]
    deals.scores[3, 1] += 5
    assert not sift(deals).fine[3]
    deals.plays[1, 0] = deals.plays[1, 1]
    assert sift(deals).scored.tolist() == [True] + [False] * (len(deals) - 1)
    assert not sift(deals).fine[2]
    deals.scores[2:] = NOTHING
    assert sift(deals).fine[2:].all()


# --- scripts --------------------------------------------------------------------------------------------------------


def test_a_script_is_taken_by_the_phases() -> None:
    """Bids out of turn, a card turned too late, one that nobody shows, plays too few: not in order."""
    record = deal_game(the("kbabs"), 4, 1, numbers=[3])
    codec, deal = codec_of(record, the("kbabs")), record.deals[0]
    row = codec.row(deal)
    assert row is not None
    laid = Scripts(codec).laid(row.script, row.dealer)
    assert laid is not None
    assert [bid.token for bid in laid.bids] == [str(((deal.claimed and deal.claimed.bids) or {})[seat]) for seat in codec.seats]
    assert Scripts(codec).laid(row.script, (row.dealer + 1) % 4) is None
    for other in ('{"events":[]}', "[]", "7", "", '{"events":[{"do":"fly"}]}', row.script.replace("}", "", 1), row.script + " x"):
        assert Scripts(codec).laid(other, row.dealer) is None
    turn = '{"card":"*","do":"turn"},'
    assert turn in row.script
    assert Scripts(codec).laid(row.script.replace(turn, ""), row.dealer) is not None  # the card set aside lies there
    last = row.script.rindex(str(codec.shape.starts[-1]))
    assert Scripts(codec).laid(row.script.replace(turn, "")[: last - len(turn)] + turn + row.script[last:], row.dealer) is None


@pytest.mark.some(2)
@pytest.mark.parametrize("key", ["kbabs", "bastard", "bugami", "spades3"])
def test_bids_taken_alone_come_to_what_the_whole_script_does(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scripts that differ in their bids, legal or not: the same, whether others like them have been taken before or none."""
    game = the(key)
    players, read = max(many for many in game.players if many < 5), list[str]()
    records = [deal_game(game, players, seed, numbers=[1]) for seed in range(40)]
    codec = codec_of(records[0], game)
    rows = [row for record in records if (row := codec.row(record.deals[0])) is not None]
    texts = [(row.script, row.dealer) for row in rows]
    texts += [
        (re.sub(r'("bid":)[^,}]+', rf"\g<1>{bid}", row.script, count=1), row.dealer)
        for row in rows
        for bid in ("0", "99", '"C"', "[]")
    ]
    due = [Scripts(codec).laid(*each) for each in texts]
    usual = Codec.script
    monkeypatch.setattr(Codec, "script", lambda self, text: read.append(text) or usual(self, text))
    scripts = Scripts(codec)
    assert [scripts.laid(*each) for each in texts] == due
    assert sum(laid is not None for laid in due) > 40 > len(set(read) & {text for text, _ in texts[: len(rows)]})
    assert None in due


# --- what can be judged ---------------------------------------------------------------------------------------------


def test_what_cannot_be_judged() -> None:
    """Two packs of 36 are more cards than a mask holds; all else that can be dealt is judged."""
    assert not judgeable(Shape(the("batarde"), 5, 9))
    assert Shape(the("batarde"), 5, 9).written
    assert judgeable(Shape(the("batarde"), 4, 9))
    assert not Shape(the("kbabs"), 6, 10).written
    for game in GAMES:
        players = min(game.players)
        sizes = game.cards(players)
        assert judgeable(Shape(game, players, sizes if isinstance(sizes, int) else sizes[0]))


def test_who_leads_is_bound_by_rules_only_where_trumps_must_be_broken() -> None:
    """Reckoned without a hand: following suit and the rest bind no leader, a ban on leading trumps does, as on hearts."""
    assert all(free_lead(Shape(game, max(game.players), 1)) is (game.key != "hearts") for game in GAMES)
    assert not free_lead(Shape(the("spades3", spades_broken=True), 3, 13))
    assert not free_lead(Shape(the("bastard", trump_break="must_be_broken"), 3, 16))


class OwnBugs(BugSuits):
    """Facts told in a way of their own, on single deals only."""

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """Twice as many."""
        return {"bugs": {suit: 2 * many for suit, many in super().facts(table, seat)["bugs"].items()}}


def test_a_phase_that_tells_facts_of_single_deals_only_is_not_judged_in_columns() -> None:
    """What it would tell of many is not what it tells of one."""
    bugami = the("bugami")
    phases = tuple(OwnBugs(phase.place) if isinstance(phase, BugSuits) else phase for phase in bugami.phases)
    assert not judgeable(Shape(replace(bugami, phases=phases), 3, 17))


def test_deals_read_from_rows_share_nothing_that_can_be_changed() -> None:
    """Whoever changes what is claimed of one deal changes no other that was read by the same script."""
    record = deal_game(the("kbabs"), 4, 1, numbers=[3])
    codec = codec_of(record, the("kbabs"))
    row = codec.row(record.deals[0])
    assert row is not None
    one, other = codec.deal(row), codec.deal(row)
    assert one == other == record.deals[0]
    assert one.claimed is not None
    assert one.claimed.bids is not None
    one.claimed.bids.clear()
    (one.hands or {}).clear()
    one.events.clear()
    assert other == codec.deal(row) == record.deals[0]
