"""The sieve: it never passes what the referee would not, and what it says of a deal is what the referee says."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from importlib.util import find_spec
from itertools import combinations, count, cycle, islice, product
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from handrec import api, games, masks
from handrec.api import Unreadable
from handrec.bulk import Columns, Odd, Plain, Shape, Sifted, fits, layout, sift, sift_records, verdicts
from handrec.bulk.columns import NONE, NOTHING
from handrec.bulk.compiled import WORDS, Compiled
from handrec.bulk.orders import Orders
from handrec.bulk.play import free_lead
from handrec.cli import run
from handrec.cli.common import Inputs, Read, judged_all
from handrec.dealer import deal_game
from handrec.formats import Reading
from handrec.formats.strict import Places
from handrec.game import Bids, Game, compose
from handrec.record import DealClaims, GameClaims, Record
from handrec.referee import check
from handrec.writing import line
from tests.dealing import GAMES
from tests.sieving import batch, compare
from tests.tables import bare

ROOT = Path(__file__).parents[1]
FIXTURES = sorted((ROOT / "fixtures").rglob("*.json"))


def the(key: str, **options: Any) -> Game:
    """A game under options."""
    game = games.find(key)
    assert game is not None
    return compose(game, options)[0]


def bridge(many: int) -> tuple[Plain, list[Any]]:
    """Bridge deals as rows."""
    plain, rows = Plain(Shape(the("bridge"), 4, 13), ("N", "E", "S", "W")), []
    for seed in range(many):
        record = deal_game(the("bridge"), 4, seed, numbers=[1])
        rows.append(plain.row(record.deals[0], seed, True, True))
    return plain, rows


def some(many: int = 8) -> Columns:
    """Bridge deals as columns."""
    plain, rows = bridge(many)
    return plain.columns(rows)


def codes(sifted: Sifted) -> list[str]:
    """What the sieve says of each deal."""
    return [sifted.codes[number] for number in sifted.fault]


# --- referee and sieve ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_sieve_and_referee_agree(game: Game) -> None:
    """Deals of every game with random options, most of them changed at random: whatever the sieve says, the referee says."""
    counted: Counter[str] = Counter()
    for seed in count():
        counted += compare(batch(game, seed, 1, 12))
        if counted["deals"] >= 335:
            break
    assert counted["clean"] > 20
    assert counted["flagged"] > 50
    assert counted["winners and tricks compared"] > 60


@pytest.mark.long
@pytest.mark.parametrize("half", range(2))
def test_sieve_and_referee_agree_over_a_million_deals(half: int) -> None:
    """The same, over a million deals of all games."""
    counted: Counter[str] = Counter()
    for number in count(500):
        counted += compare(batch(GAMES[number % len(GAMES)], 2 * number + half, 3, 20))
        if counted["deals"] >= 500_000:
            break
    print(counted)
    assert counted["named"] > 5_000


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
    assert counted["clean"] >= 20
    assert counted["faults named"] >= 10


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_most_of_what_is_dealt_passes(game: Game) -> None:
    """Of games by the usual rules the sieve passes nearly all, so that it is of some use."""
    players = min(4, max(game.players))
    records = [deal_game(game, players, seed, numbers=[1, 2]) for seed in range(10)]
    assert [answer.clean for answer in sift_records(records, games.find)] == [True] * 10


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
            changed.append(record.model_copy(update={"deals": [deal.model_copy(update={"events": events})]}))
    counted = compare(changed[:: max(1, len(changed) // 150)])
    assert counted["records"] >= 60
    assert counted["named"] > 5


# --- records --------------------------------------------------------------------------------------------------------


def test_answers_come_in_order_whatever_is_held_at_a_time() -> None:
    """However many deals are held at once, each record gets the same answer, in its place."""
    records = batch(GAMES[0], 5, 2, 6) + batch(GAMES[-1], 6, 2, 6)
    Random(1).shuffle(records)
    answers = list(sift_records(records, games.find))
    assert [answer.record for answer in answers] == records
    assert list(sift_records(iter(records), games.find, window=3)) == answers


def test_records_are_taken_as_they_are_wanted() -> None:
    """No more than a window of deals is read before the first answer: memory does not grow with the archive."""
    record = deal_game(the("bridge"), 4, 1, numbers=[1])
    taken = []

    def endless() -> Any:
        for number in count():
            taken.append(number)
            yield record

    answers = sift_records(endless(), games.find, window=50)
    assert next(answers).clean
    assert len(taken) == 50


def test_a_record_of_no_game_goes_to_the_referee() -> None:
    """A game that is not known, an option that it does not have, a seat too many: reasons, and no traceback."""
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
    assert [answer.clean for answer in sift_records(changed, games.find)] == [False] * 6 + [True]
    assert [not check(each, games.find).findings for each in changed] == [False] * 6 + [True]


def test_a_fault_is_named_with_its_place() -> None:
    """A revoke in the third trick is found there, and the seat that made it."""
    record = deal_game(the("bridge"), 4, 3, numbers=[1, 2], inject="REV001")
    finding = next(f for f in check(record, games.find).findings if f.code == "REV001")
    (answer,) = sift_records([record], games.find)
    assert (answer.code, answer.deal + 1, answer.trick, answer.seat) == ("REV001", finding.deal, finding.trick, finding.seat)


@pytest.mark.parametrize("field", ["hands", "dealer", "leader"])
def test_the_seat_of_nobody_where_a_player_sits(field: str) -> None:
    """The seat that is no player's, in a game that has one, holds no hand, does not deal and leads nothing: no traceback."""
    record = deal_game(GAMES[games.names().index("bastard")], 3, 1, options={"nuisance": True}, numbers=[1])
    deal = record.deals[0]
    (_, cards), *others = (deal.hands or {}).items()
    value: Any = {**dict(others), "bastard": cards} if field == "hands" else "bastard"
    changed = record.model_copy(update={"deals": [deal.model_copy(update={field: value})]})
    assert [answer.clean for answer in sift_records([record, changed], games.find)] == [True, False]
    assert list(verdicts([changed], games.find)) == [check(changed, games.find)]


# --- whole verdicts -------------------------------------------------------------------------------------------------


def never(*given: Any) -> Any:
    """What must not be called."""
    raise AssertionError


@pytest.mark.parametrize("key", ["bridge", "kbabs", "batarde", "spades3", "bugami"])
def test_the_referee_takes_the_word_of_the_sieve(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where every play is legal no play is judged again, and the verdict is the same, tricks, lines and notes and all."""
    records = [deal_game(the(key), 3 if key in ("spades3", "bugami") else 4, seed, numbers=[1, 2]) for seed in range(5)]
    due = [check(record, games.find) for record in records]
    monkeypatch.setattr("handrec.referee.check", never)
    assert list(verdicts(records, games.find)) == due


def test_plays_of_which_nobody_knows_whose_they_are_are_judged_one_by_one() -> None:
    """Records whose plays name no seat, and a game whose cards are turned amid the play, get their verdicts as well."""
    record = deal_game(the("bridge"), 4, 1, numbers=[1])
    events = [event.model_copy(update={"by": None}) if event.do == "play" else event for event in record.deals[0].events]
    nameless = record.model_copy(update={"deals": [record.deals[0].model_copy(update={"events": events})]})
    records = [nameless, deal_game(the("bastard"), 3, 1, numbers=[1]), record]
    assert list(verdicts(records, games.find)) == [check(each, games.find) for each in records]


def test_more_plays_than_a_byte_can_number() -> None:
    """Plays that are no object of any other record are met anew each time, and told apart."""
    records = [deal_game(the("bridge"), 4, seed, numbers=[1]) for seed in range(20)]
    assert all(verdict.ok for verdict in verdicts(records * 2, games.find))
    assert [answer.clean for answer in sift_records(records, games.find)] == [True] * 20


@pytest.mark.parametrize("numpy", [True, False])
def test_check_all_is_check(numpy: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether numpy is installed or not: the verdicts in order, but for the readings under which there would be no fault."""
    if not numpy:
        monkeypatch.setitem(sys.modules, "handrec.bulk", None)
    records = batch(GAMES[games.names().index("spades3")], 1, 2, 8)
    told = list(api.check_all(iter(records)))
    alone = [api.check(record) for record in records]
    assert told == list(map(bare, alone))
    assert any(finding.readings for verdict in alone for finding in verdict.findings)


def test_a_file_is_checked_alike_one_by_one_and_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first records of a file are judged one by one, the others together, also where that fails: it does not show."""
    path = tmp_path / "many.jsonl"
    lines = [line(record) for record in batch(GAMES[games.names().index("spades3")], 1, 2, 8)]
    path.write_text("".join([*lines[:5], "{}\n", *lines[5:]]), "utf-8")
    shown = []
    for few, many in ((1000, 1), (0, 10**6), (2, 300), (0, 10**6)):
        monkeypatch.setattr("handrec.cli.common.FEW", few)
        monkeypatch.setattr("handrec.cli.common.MANY", many)
        if len(shown) == 3:
            monkeypatch.setattr("handrec.bulk.verdicts", never)
        assert run(["check", "-v", str(path)]) == 1
        shown.append(capsys.readouterr().out)
    assert len(set(shown)) == 1
    assert len(shown[0].splitlines()) > len(lines)


def test_no_more_of_a_file_is_held_than_so_many_events(monkeypatch: pytest.MonkeyPatch) -> None:
    """Records of whole games are taken a few at a time: memory does not grow with what a record holds."""
    monkeypatch.setattr("handrec.cli.common.FEW", 0)
    monkeypatch.setattr("handrec.cli.common.MANY", 1000)
    record = deal_game(the("bridge"), 4, 1, numbers=[1, 2, 3])
    taken = []

    def endless() -> Iterator[Read]:
        for number in count():
            taken.append(number)
            yield Read("endless.jsonl", number, Reading(record, (), Places("endless.jsonl")))

    told = judged_all(endless(), lambda read: read, Inputs([]))
    assert next(told)[1].ok
    assert len(taken) == 5


# --- columns --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_columns_are_as_the_layout_says(game: Game) -> None:
    """Every column has the width and dtype of the layout, and is described at the head of its file."""
    players = min(4, max(game.players))
    record = deal_game(game, players, 1, numbers=[1])
    plain = Plain(
        Shape(game, players, len(next(iter((record.deals[0].hands or {}).values())))), tuple(p.seat for p in record.players)
    )
    deals = plain.columns([plain.row(record.deals[0], 0, True, True)] * 3)
    described = (ROOT / "handrec/bulk/columns.py").read_text("utf-8")
    for name, (width, dtype) in layout(plain.shape).items():
        assert getattr(deals, name).shape == (3, *width)
        assert getattr(deals, name).dtype == dtype
        assert f"\n{name} " in described
        assert f" {dtype} " in described.split(f"\n{name} ")[1].splitlines()[0]


def test_chunks_and_rows_are_the_deals_themselves() -> None:
    """Whatever part of the columns is judged, its deals get the same answers."""
    deals = some(20)
    deals.plays[3, [8, 20]] = deals.plays[3, [20, 8]]
    whole = sift(deals)
    parts = [sift(part) for part in deals.chunks(7)]
    assert [code for part in parts for code in codes(part)] == codes(whole)
    assert np.concatenate([part.tricks for part in parts]).tolist() == whole.tricks.tolist()
    back = sift(deals.rows(np.arange(20)[::-1]))
    assert codes(back) == codes(whole)[::-1]


#: Columns in which bridge has nothing that could be wrong.
FREE = {"record", "first", "past", "bids", "blind", "aside", "turned", "said_scores"}


@pytest.mark.parametrize("column", sorted({*layout(Shape(the("bridge"), 4, 13))} - FREE))
def test_impossible_numbers_are_referred_and_harm_no_other_deal(column: str) -> None:
    """A column from a foreign hand may hold anything: that deal goes to the referee, the others are judged."""
    deals = some(6)
    values = getattr(deals, column)
    values[2] = np.iinfo(values.dtype).max - (values.dtype == np.uint8)
    found = codes(sift(deals))
    assert found[2] != ""
    assert found[:2] + found[3:] == [""] * 5


@pytest.mark.parametrize("value", [0, 12, 51, 52, 63, 64, 200, 255])
def test_a_wrong_card_never_passes(value: int) -> None:
    """Any card put in the place of another is found, wherever it stands."""
    deals = some(1).rows(np.zeros(52, int))
    before = deals.plays[0].copy()
    deals.plays[np.arange(52), np.arange(52)] = value
    assert [code != "" for code in codes(sift(deals))] == (before != value).tolist()


def test_a_card_in_two_places_never_passes() -> None:
    """Hands that overlap, or lack a card; a card that is turned or set aside and also held: all go to the referee."""
    record = deal_game(GAMES[games.names().index("kbabs")], 4, 1, numbers=[3])
    plain = Plain(Shape(the("kbabs"), 4, 11), ("N", "E", "S", "W"))
    deals = plain.columns([plain.row(record.deals[0], 0, True, True)] * 8)
    held = int(deals.hands[0, 0]) & -int(deals.hands[0, 0])
    other = int(deals.hands[0, 1]) & -int(deals.hands[0, 1])
    deals.hands[1, 1] |= held
    deals.hands[2, 1] = (deals.hands[2, 1] | held) & ~other
    deals.hands[3, 1] &= ~other
    deals.aside[4, 1] |= held
    deals.aside[5, 1] = (deals.aside[5, 1] & (deals.aside[5, 1] - 1)) | held
    deals.turned[6, 0] = held.bit_length() - 1
    deals.aside[7] = 0
    assert codes(sift(deals)) == ["", *["referee"] * 6, ""]


def test_claims_are_compared() -> None:
    """Winners, tricks and trump that were written down wrongly are named as the referee names them."""
    deals = some(5)
    deals.said_winners[1, 4] = (deals.said_winners[1, 4] + 1) % 4
    deals.said_tricks[2, 3] += 1
    deals.said_winners[3], deals.said_tricks[3] = NONE, -1
    sifted = sift(deals)
    assert codes(sifted) == ["", "TRK001", "TRK002", "", ""]
    assert sifted.trick.tolist() == [0, 5, 0, 0, 0]
    assert sifted.seat.tolist() == [-1, deals.said_winners[1, 4], 3, -1, -1]


def test_points_are_compared_and_carried() -> None:
    """What a game carries goes from deal to deal; after a deal that is uncertain, points are not told."""
    game = the("spades3")
    record = next(r for r in (deal_game(game, 3, seed) for seed in range(50)) if len(r.deals) > 3)
    plain = Plain(Shape(game, 3, 13), ("P1", "P2", "P3"))
    deals = plain.columns([plain.row(deal, 0, place == 0, True) for place, deal in enumerate(record.deals)])
    told = check(record, games.find)
    sifted = sift(deals)
    assert sifted.scored.all()
    assert [dict(zip(plain.seats, row, strict=True)) for row in sifted.scores.tolist()] == [
        result.scores for result in told.deals
    ]
    deals.said_scores[3, 1] += 5
    assert codes(sift(deals))[3] == "SCO001"
    deals.plays[1, 0] = deals.plays[1, 1]
    assert sift(deals).scored.tolist() == [True] + [False] * (len(deals) - 1)
    assert codes(sift(deals))[2] == "referee"
    deals.said_scores[2:] = NOTHING
    assert codes(sift(deals))[2:] == [""] * (len(deals) - 2)


# --- compiled -------------------------------------------------------------------------------------------------------


def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where numba is not installed: the same loop, run as it is written."""
    numba, extending = ModuleType("numba"), ModuleType("numba.extending")
    numba.njit = lambda function, **how: function  # type: ignore[attr-defined]
    extending.overload = lambda word, **how: lambda meaning: meaning  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "numba", numba)
    monkeypatch.setitem(sys.modules, "numba.extending", extending)


def same(one: Sifted, other: Sifted) -> None:
    """Two sieves' answers are the same in all that is certain."""
    assert codes(other) == codes(one)
    certain = one.fault != one.codes.index("referee")
    for column, rows in (
        ("trick", slice(None)),
        ("seat", slice(None)),
        ("scored", slice(None)),
        ("winners", certain),
        ("tricks", certain),
    ):
        assert getattr(other, column)[rows].tolist() == getattr(one, column)[rows].tolist()
    assert other.scores[one.scored].tolist() == one.scores[one.scored].tolist()
    assert {key: column[one.scored].tolist() for key, column in other.carried.items()} == {
        key: column[one.scored].tolist() for key, column in one.carried.items()
    }


#: Games that the machine code plays: players, the number of a deal, options.
COMPILED: list[tuple[str, int, int, dict[str, Any]]] = [
    ("bridge", 4, 1, {}),
    ("batarde", 4, 1, {}),
    ("spades3", 3, 1, {"spades_broken": True}),
    ("kbabs", 5, 4, {}),
    ("kbabs", 4, 8, {}),
    ("batarde", 3, 2, {"overruff": "free"}),
    ("bastard", 3, 1, {"mega": True, "back_end": True}),
    ("bastard", 3, 1, {"ultimate": True, "trump_break": "must_be_broken"}),
]


def dealt(key: str, players: int, number: int, options: dict[str, Any], copies: int, seeds: int = 4) -> Columns:
    """Some deals as they were dealt, so many times over."""
    base = games.find(key)
    assert base is not None
    records = [deal_game(base, players, seed, numbers=[number], options=options) for seed in range(seeds)]
    size = len(next(iter((records[0].deals[0].hands or {}).values())))
    plain = Plain(Shape(the(key, **options), players, size), tuple(player.seat for player in records[0].players))
    return plain.columns([plain.row(record.deals[0], seed, False, False) for seed, record in enumerate(records)] * copies)


def without_claims(deals: Columns, rows: slice) -> None:
    """Strike out what could show a wrong winner."""
    deals.said_winners[rows], deals.said_tricks[rows], deals.leaders[rows, 1:] = NONE, -1, NONE


@pytest.mark.parametrize(("key", "players", "number", "options"), COMPILED)
def test_compiled_or_not_the_answers_are_the_same(
    key: str, players: int, number: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deals as they were dealt, and with two cards of a seat exchanged: same faults, winners, tricks, points."""
    if find_spec("numba") is None:
        stand_in(monkeypatch)
    deals = dealt(key, players, number, options, 12)
    without_claims(deals, slice(24, None))
    rng, starts = Random(key), deals.shape.starts
    for row in range(4, len(deals)):
        one, other = (starts[trick] + rng.randrange(players) for trick in rng.sample(range(deals.shape.size), 2))
        deals.plays[row, [one, other]] = deals.plays[row, [other, one]]
    lowest = deals.hands & -deals.hands
    deals.hands[0::8, 0] |= lowest[0::8, 1]  # a card in two hands
    deals.hands[1::8, 0] ^= lowest[1::8, 0]  # in none
    deals.hands[2::8] ^= np.roll(lowest[2::8], 1, axis=1) ^ lowest[2::8]  # in another one
    slow, fast = sift(deals), sift(deals, compiled=True)
    assert len(set(codes(slow))) > 1
    same(slow, fast)


@pytest.mark.parametrize(("key", "players", "number", "options"), COMPILED)
def test_machine_code_passes_what_is_in_order(
    key: str, players: int, number: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Deals as they were dealt, with claims and without, need not be judged again."""
    if find_spec("numba") is None:
        stand_in(monkeypatch)
    deals = dealt(key, players, number, options, 2, seeds=10)
    without_claims(deals, slice(10, None))
    winners, tricks = np.empty((20, deals.shape.size), np.uint8), np.empty((20, players), np.int16)
    assert Compiled(deals.shape, Orders(deals.shape)).fine(deals, winners, tricks).all()
    slow = sift(deals)
    assert (winners.tolist(), tricks.tolist()) == (slow.winners.tolist(), slow.tricks.tolist())


def test_compiled_or_not_who_leads_must_be_known_and_cards_be_of_the_pack(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing tells who leads first, whoever it was; a hand holds a number that is no card, and plays it: all are referred."""
    if find_spec("numba") is None:
        stand_in(monkeypatch)
    leaderless, wild = some(24), some(1).rows(np.zeros(10, int))
    assert {*leaderless.leaders[:, 0].tolist()} == {0, 1, 2, 3}
    leaderless.leader[:], leaderless.declarer[:], leaderless.leaders[:] = -1, -1, NONE
    for row, number in enumerate(range(52, 62)):
        seat = row % 4
        card = next(card for card in wild.plays[row, ::-1].tolist() if wild.hands[row, seat] >> card & 1)
        wild.hands[row, seat] ^= 1 << card | 1 << number
        wild.plays[row][wild.plays[row] == card] = number
    for deals in (leaderless, wild):
        slow, fast = sift(deals), sift(deals, compiled=True)
        assert codes(slow) == ["referee"] * len(deals)
        same(slow, fast)


@pytest.mark.parametrize(("key", "players", "number", "options"), COMPILED[:4])
def test_compiled_or_not_any_number_in_any_column_is_judged_alike(
    key: str, players: int, number: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A number of each column changed to its neighbours, to the ends of its type, and to what is near the ends of a table."""
    if find_spec("numba") is None:
        stand_in(monkeypatch)
    values = (-2, -1, 0, 1, players, 51, 52, 53, 61, 62, 63, 64, 127, 128, 254, 255, 1 << 62, -(1 << 63), (1 << 63) - 1)
    for column in sorted({*layout(dealt(key, players, number, options, 1).shape)} - {"record", "first", "past", "blind"}):
        deals = dealt(key, players, number, options, len(values) * 5)
        numbers = getattr(deals, column).reshape(len(deals), -1)
        if numbers.shape[1]:
            limits, width = np.iinfo(numbers.dtype), numbers.shape[1]
            for row, value in enumerate(islice(cycle(values), 4, len(deals))):
                place = row % width
                near = int(numbers[row, place]) + value if row % 2 and abs(value) < 2 else value
                numbers[row, place] = min(limits.max, max(limits.min, near))
        with np.errstate(over="ignore"):  # numbers of the stand-in warn of what those of machine code and arrays do not
            same(sift(deals), sift(deals, compiled=True))


@pytest.mark.parametrize(("key", "players", "number", "options"), COMPILED[:4])
def test_compiled_or_not_claims_are_compared_alike(
    key: str, players: int, number: int, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each winner, leader and number of tricks said to be another one, and then left out: the same faults, at the same places."""
    if find_spec("numba") is None:
        stand_in(monkeypatch)
    for column, absent in (("said_winners", NONE), ("leaders", NONE), ("said_tricks", -1)):
        deals = dealt(key, players, number, options, 12)
        numbers = getattr(deals, column)
        for row in range(4, len(deals)):
            place = row % numbers.shape[1]
            numbers[row, place] = absent if row % 3 == 0 else (int(numbers[row, place]) + 1) % players
        slow, fast = sift(deals), sift(deals, compiled=True)
        assert {"said_winners": "TRK001", "leaders": "referee", "said_tricks": "TRK002"}[column] in codes(slow)
        same(slow, fast)


def test_words_mean_the_same_compiled() -> None:
    """What the compiler is taught of `masks` is what `masks` does with ints."""
    numbers = [0, 1, 5, 1 << 53, (1 << 54) - 1, 0b101100]
    for one, other in product(numbers, numbers):
        assert WORDS[masks.prefer](one, other) == masks.prefer(one, other)
        for condition in (0, 1):
            assert WORDS[masks.when](condition, one, other) == masks.when(condition, one, other)
            assert WORDS[masks.pick](condition, one, other) == masks.pick(condition, one, other)
        assert WORDS[masks.highest](one) == masks.highest(one)
        assert WORDS[masks.count](one) == masks.count(one)


# --- what fits ------------------------------------------------------------------------------------------------------


def test_what_does_not_fit() -> None:
    """Two packs of 36 are more cards than a mask holds; all else that can be dealt fits."""
    assert not fits(Shape(the("batarde"), 5, 9))
    assert fits(Shape(the("batarde"), 4, 9))
    assert not fits(Shape(the("kbabs"), 6, 10))
    for game in GAMES:
        players = min(game.players)
        sizes = game.cards(players)
        assert fits(Shape(game, players, sizes if isinstance(sizes, int) else sizes[0]))


def test_who_leads_is_bound_by_rules_only_where_trumps_must_be_broken() -> None:
    """Reckoned without a hand: following suit and the rest bind no leader, a ban on leading trumps does."""
    assert all(free_lead(Shape(game, max(game.players), 1)) for game in GAMES)
    assert not free_lead(Shape(the("spades3", spades_broken=True), 3, 13))
    assert not free_lead(Shape(the("bastard", trump_break="must_be_broken"), 3, 16))


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"status": "stopped"}, "not complete"),
        ({"pack": ["AS"]}, "order of the pack"),
        ({"cards": 12}, "number of cards"),
        ({"hands": None}, "not every hand"),
        ({"events": []}, "contract"),
    ],
)
def test_what_is_not_plain_says_why(change: dict[str, Any], why: str) -> None:
    """A deal that columns cannot hold is handed back with the reason."""
    record: Record = deal_game(the("bridge"), 4, 1, numbers=[1])
    plain = Plain(Shape(the("bridge"), 4, 13), ("N", "E", "S", "W"))
    with pytest.raises(Odd, match=why):
        plain.row(record.deals[0].model_copy(update=change), 0, True, True)


def test_a_game_may_say_that_it_does_not_fit() -> None:
    """A game with `bulk=False` goes to the referee, deal by deal."""
    assert not fits(Shape(replace(the("bridge"), bulk=False), 4, 13))


class OwnBids(Bids):
    """Bids as a newcomer has them."""


def test_a_game_with_a_phase_of_its_own_does_not_fit() -> None:
    """What a phase means that the sieve has never heard of, only the referee can tell."""
    kbabs = the("kbabs")
    phases = tuple(OwnBids(named=phase.named) if isinstance(phase, Bids) else phase for phase in kbabs.phases)
    assert not fits(Shape(replace(kbabs, phases=phases), 4, 5))
