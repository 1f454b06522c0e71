"""The sieve: it never passes what the referee would not, and what it says of a deal is what the referee says."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from handrec import api, games
from handrec.api import Unreadable
from handrec.dealing import deal_game
from handrec.game import Game, compose
from handrec.phases.bids import Bids
from handrec.record import DealClaims, GameClaims, Record
from handrec.referee import check
from handrec.sieve import Columns, Odd, Plain, Shape, Sifted, fits, layout, sift
from handrec.sieve.columns import NONE, NOTHING
from handrec.sieve.play import free_lead
from tests.dealing import GAMES
from tests.sieving import batch, compare, sift_records

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
    described = (ROOT / "handrec/sieve/columns.py").read_text("utf-8")
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
