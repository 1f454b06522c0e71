"""Deals in columns, one case a rule: what has a row and what a row can be, and which wrong deals no column passes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from struct import pack
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from handrec import digests, games
from handrec.archive import Heads, readings
from handrec.archive.rows import encode_rows
from handrec.cards import FRENCH_52, SUITS, Order, by_suit
from handrec.dealing import deal_game
from handrec.game import Game, Sight, without_rule
from handrec.game.value import Carry
from handrec.limits import MAX_EVENTS
from handrec.masks import when
from handrec.phases.tricks import Tricks
from handrec.record import Bid, Deal, DealClaims, Exchange, Play, Record, SideClaims, Turn
from handrec.referee import check
from handrec.sieve import laid
from handrec.sieve.codec import NONE, NOTHING, Codec, Foul
from handrec.sieve.columns import Columns, in_bounds, not_played, together
from handrec.sieve.laid import Scripts
from handrec.sieve.orders import Orders
from handrec.sieve.play import first_leader, free_lead
from handrec.sieve.shape import Shape
from handrec.sieve.sift import sift
from tests.dealing import GAMES, the
from tests.sieving import codec_of, compare, in_columns, sift_records
from tests.toy_hearts import GAME as HEARTS
from tests.toy_whist import GAME as WHIST
from tests.toy_whist import Shown


def columns_of(deals: list[Deal], codec: Codec, whole: bool = True) -> Columns:
    """Deals as columns, each of its own record."""
    rows = [row for deal in deals if (row := codec.row(deal)) is not None]
    assert len(rows) == len(deals)
    return together(codec, rows, [*range(len(rows))], [0] * len(rows), [whole] * len(rows))


def with_deal(record: Record, **changes: Any) -> Record:
    """The record with its first deal changed."""
    return record.model_copy(update={"deals": [record.deals[0].model_copy(update=changes), *record.deals[1:]]})


def unclaimed(record: Record) -> Record:
    """The record with nothing claimed, of its first deal or of the whole."""
    return with_deal(record, claimed=None).model_copy(update={"claimed": None})


def one(key: str, players: int, seed: int = 1, number: int = 1, **options: Any) -> Record:
    """A record of one deal in order."""
    return deal_game(the(key), players, seed, options=options, numbers=[number])


def back(record: Record) -> Record | None:
    """The record as it comes out of an archive."""
    cut = in_columns([record], games.find)
    read, findings = readings(cut, np.ones(1, bool))[0]
    assert not findings
    return read


def stands_in_columns(record: Record) -> bool:
    """Whether all of its deals do."""
    return not in_columns([record], games.find).texts


# --- what has a row -------------------------------------------------------------------------------------------------


def passed_out() -> Record:
    """Bridge, in which all have passed."""
    record = one("bridge", 4)
    seats = [player.seat for player in record.players]
    start = seats.index(record.deals[0].dealer or "")
    calls = [Bid(by=seats[(start + step) % 4], bid="pass") for step in range(4)]
    return with_deal(record, events=calls, claimed=None, leader=None)


def as_many_calls_as_a_deal_may_have() -> Record:
    """Bridge, in which nobody has played, and one passes for ever."""
    return with_deal(one("bridge", 4), events=[Bid(by="N", bid="pass")] * MAX_EVENTS, claimed=None, leader=None)


def after_first_play(record: Record, event: Any) -> Record:
    """The record with an event after the first card."""
    events = record.deals[0].events
    first = next(place for place, each in enumerate(events) if each.do == "play") + 1
    return with_deal(record, events=[*events[:first], event, *events[first:]], claimed=None)


def short_aside() -> Record:
    """A card too few lies aside."""
    record = one("kbabs", 4, number=3)
    aside = {name: cards[:-1] if len(cards) > 1 else cards for name, cards in (record.deals[0].aside or {}).items()}
    assert aside != record.deals[0].aside
    return with_deal(record, aside=aside)


@pytest.mark.parametrize(
    ("made", "fits"),
    [
        (passed_out, True),
        (as_many_calls_as_a_deal_may_have, True),
        (lambda: with_deal(one("bridge", 4), number=None, board=None, vulnerable=None), True),
        (lambda: after_first_play(one("bridge", 4), Bid(by="N", bid="pass")), True),
        (lambda: with_deal(one("bastard", 3, nuisance=True), leader="bastard"), False),
        (lambda: with_deal(one("bastard", 3, nuisance=True), dealer="bastard"), False),
        (short_aside, False),
    ],
    ids=[
        "passed out",
        "as many calls as may be",
        "no number",
        "a call amid the play",
        "nobody leads",
        "nobody deals",
        "a card aside is missing",
    ],
)
def test_what_goes_into_an_archive_comes_out(made: Callable[[], Record], fits: bool) -> None:
    """In columns, or where these do not say all of it, as a text."""
    record = made()
    assert stands_in_columns(record) is fits
    assert back(record) == record


def test_what_is_not_claimed_is_the_number_that_the_layout_says() -> None:
    """An archive says -2^62 where no score and no total is claimed."""
    batch = encode_rows([(0, with_deal(one("bridge", 4), claimed=None))], Heads(games.find))
    (deal,) = batch.to_pylist()[0]["deals"]
    assert deal["scores"] == deal["totals"] == pack("<4q", *[-(2**62)] * 4)


@pytest.mark.parametrize("board", [None, 1, 5])
def test_the_number_of_the_board_is_no_fact_of_what_was_done(board: int | None) -> None:
    """A deal has the same digests whether it says that it is that board or not."""
    record = with_deal(one("bridge", 4), number=1, board=board)
    assert [*digests.digests(record)] == [*digests.digests(with_deal(record, board=None))]


# --- what a row can be ----------------------------------------------------------------------------------------------


def bridge_columns(many: int = 2) -> Columns:
    """Bridge deals as columns."""
    record = deal_game(the("bridge"), 4, 1, numbers=range(1, many + 1))
    return columns_of([*record.deals], codec_of(record, the("bridge")))


@pytest.mark.parametrize(
    ("column", "value", "can_be"),
    [
        *((name, value, True) for name in ("scores", "totals") for value in (10**9, -(10**9), 10**9 - 1, NOTHING)),
        *((name, value, False) for name in ("scores", "totals") for value in (10**9 + 1, -(10**9) - 1)),
        *(("tricks", value, can_be) for value, can_be in ((1000, True), (1001, False), (-1, False), (NOTHING, True))),
        *(("leader", value, can_be) for value, can_be in ((-1, True), (3, True), (-2, False), (4, False))),
        *(("dealer", value, can_be) for value, can_be in ((-1, True), (3, True), (-2, False), (4, False))),
        *(("number", value, can_be) for value, can_be in ((0, True), (10**6, True), (10**6 + 1, False), (-1, False))),
        *(("hands", value, can_be) for value, can_be in ((51, True), (52, False))),
        *(("plays", value, can_be) for value, can_be in ((51, True), (52, False), (NONE, False))),
        *((name, value, can_be) for name in ("leaders", "winners") for value, can_be in ((3, True), (4, False))),
    ],
)
def test_a_number_is_one_that_a_record_can_have(column: str, value: int, can_be: bool) -> None:
    """The first beyond each end is not, and what is wrong with one deal is nothing to another."""
    deals = bridge_columns()
    cells = getattr(deals, column).reshape(2, -1)
    cells[0, 0] = value
    assert in_bounds(deals).tolist() == [can_be, True]


@pytest.mark.parametrize("column", ["aside", "shown"])
def test_a_card_aside_or_shown_is_one_of_the_pack(column: str) -> None:
    """The number after the last card's stands for none."""
    record = one("kbabs", 4, number=3)
    deals = columns_of([record.deals[0]] * 2, codec_of(record, the("kbabs")))
    getattr(deals, column)[0, 0] = len(deals.codec.shape.pack)
    assert in_bounds(deals).tolist() == [False, True]


def test_where_not_all_play_clockwise_plays_say_whose_they_are() -> None:
    """Nobody's are taken for somebody's."""
    record = one("bastard", 3, nuisance=True)
    deals = columns_of([record.deals[0]] * 2, codec_of(record, the("bastard", nuisance=True)))
    deals.leaders[0] = NONE
    assert in_bounds(deals).tolist() == [False, True]


def test_only_where_there_is_no_card_at_all_has_nobody_played() -> None:
    """A first card that is missing is not the same."""
    deals = bridge_columns(3)
    deals.plays[0, 0], deals.leaders[0] = NONE, NONE
    deals.plays[1], deals.leaders[1] = NONE, NONE
    assert not_played(deals).tolist() == [False, True, False]
    assert in_bounds(deals).tolist() == [False, True, True]


def many_calls(many: int) -> str:
    """A script with so many calls."""
    calls = ",".join(['{"bid":"pass","by":"#0","do":"bid"}'] * many)
    return f'{{"events":[{calls},52]}}'


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"script": '{"doubts":1,"events":[52]}'}, "its script is none"),
        ({"script": "[]"}, "its script is none"),
        ({"script": many_calls(MAX_EVENTS - 51)}, "events"),
        ({"trump": "x" * 33}, "no word"),
        ({"trump": "no trumps"}, "no word"),
        ({"number": 0, "script": '{"board":true,"events":[52]}'}, "no number"),
    ],
)
def test_what_no_deal_can_be_is_no_row(changes: dict[str, Any], why: str) -> None:
    """Nothing in it is passed over, and nothing gets into a record that it could not hold."""
    record = one("bridge", 4)
    codec = codec_of(record, the("bridge"))
    row = codec.row(with_deal(record, board=None, vulnerable=None).deals[0])
    assert row is not None
    assert codec.deal(row._replace(trump="NT", script=many_calls(3), shown=b"")).claimed is not None
    with pytest.raises(Foul, match=why):
        codec.deal(row._replace(**{"shown": b"", "script": many_calls(3), **changes}))


def test_as_many_events_as_a_deal_can_have_are_a_row() -> None:
    """And not one of them less."""
    codec = codec_of(one("bridge", 4), the("bridge"))
    assert len(codec.script(many_calls(MAX_EVENTS - 52)).parts) == MAX_EVENTS - 51


@pytest.mark.parametrize("change", [{"vulnerable": "none"}, {"number": 1, "board": 1}])
def test_what_a_version_does_not_have_no_column_says_for_it(change: dict[str, Any]) -> None:
    """The first version has neither boards nor who is vulnerable: the sieve says of a deal in order whether it has."""
    for changes in ({}, change):
        record = with_deal(one("bridge", 4), **{"board": None, "vulnerable": None, "claimed": None, **changes})
        found = sift(columns_of(record.deals, codec_of(record, the("bridge"))))
        assert found.fine.all()
        assert found.first.all() == (not changes)


@pytest.mark.parametrize("script", ['{"board":true,"events":[52]}', '{"b\\u006fard":true,"events":[52]}'])
def test_a_key_that_a_script_has_is_seen_however_it_is_spelled(script: str) -> None:
    """A script whose text has no such key is not read; one that has it and is none says nothing."""
    codec = codec_of(one("bridge", 4), the("bridge"))
    assert codec.script_with("sides", '{"events":[52]}') is None
    assert not codec.scripts
    found = codec.script_with("board", script)
    assert found is not None
    assert found.board
    assert codec.script_with("events", '{"events":[52') is None


# --- what can be judged ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Open(Shown):
    """Cards of which so many lie open when a trick is led."""

    many: Callable[[int], int] = lambda trick: 1

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """So many."""
        return self.many(trick)


class OwnTricks(Tricks):
    """Tricks that are taken in a way of their own, and laid down in the usual way."""

    def take(self, table: Any, place: int, event: Any) -> None:
        """Take it."""
        super().take(table, place, event)


def whist(many: Callable[[int], int] = lambda trick: 1, **changes: Any) -> Shape:
    """The shape of toy whist, changed; so many cards lie open."""
    return Shape(replace(WHIST, **{"phases": (Open(many), Tricks()), **changes}), 4, 13)


def test_a_shape_that_cannot_stand_in_columns() -> None:
    """There are cards, and they are played to tricks."""
    assert whist().written
    assert not replace(whist(), size=0).written
    without = whist(phases=(Shown(),))
    assert not without.written
    assert not without.circle


def test_a_shape_that_the_sieve_does_not_judge() -> None:
    """Tricks in a way of their own, more cards turned than a mask holds, more than one seat that is no player's."""
    assert whist().judged
    assert not whist(phases=(Shown(), OwnTricks())).judged
    assert not whist(lambda trick: 63).judged
    nuisance = the("bastard", nuisance=True)
    assert Shape(nuisance, 3, 13).judged
    assert not Shape(replace(nuisance, extras=("bastard", "other")), 3, 10).judged


def test_a_card_is_turned_if_any_is_left_over() -> None:
    """Where all are dealt, none lies open."""
    assert [Shape(the("kbabs"), 3, size).turned for size in (17, 18)] == [1, 0]


@pytest.mark.parametrize("many", [lambda trick: min(trick, 5), lambda trick: 1 if trick < 14 else 4])
def test_orders_that_hang_on_many_cards_do_not_fit(many: Callable[[int], int]) -> None:
    """Not even where only later tricks do, or when the last one is settled."""
    assert Orders(whist()).fits()
    assert not Orders(whist(many)).fits()


def test_a_rule_that_cannot_be_written_down_may_bind_who_leads() -> None:
    """It is not known to leave every hand as it is."""
    (rule,) = [rule for rule in the("hearts").play_rules if rule.code == "REV005"]
    own = replace(rule, narrow=lambda view, legal: legal if view.broken or not view.leading else legal & ~1)
    assert free_lead(whist())
    assert not free_lead(whist(rules=(*WHIST.rules, own)))


@pytest.mark.parametrize(("due", "stated", "said", "leads"), [(-1, 0, NONE, 0), (-1, 0, 2, 0), (-1, -1, 2, 2), (3, 0, 2, 3)])
def test_who_leads_first(due: int, stated: int, said: int, leads: int) -> None:
    """By the rules, else as stated, else as it happened."""
    assert first_leader(*(np.array([seat]) for seat in (due, stated, said))).tolist() == [leads]


# --- orders ---------------------------------------------------------------------------------------------------------


RANKS = {suit: Order.of(FRENCH_52, suit, by_suit(), SUITS.index(suit)) for suit in SUITS}


@pytest.mark.parametrize(
    "order",
    [
        lambda sight: RANKS["SH"[sight.trick % 2]],
        lambda sight: RANKS["SH"[sight.trick == 13]],
        lambda sight: RANKS["SH"[sight.done]],
    ],
    ids=["every other trick", "the last trick", "when all have played"],
)
def test_trumps_may_change_from_trick_to_trick(order: Callable[[Sight], Order]) -> None:
    """Whatever the order hangs on, tricks go to whom the referee gives them."""
    game = replace(WHIST, order=order)
    record = deal_game(game, 4, 1, numbers=[1, 2, 3])
    deals = [deal.model_copy(update={"claimed": None}) for deal in record.deals]
    verdict = check(record.model_copy(update={"deals": deals}), lambda key: game)
    codec = codec_of(record, game)
    sifted = sift(columns_of(deals, codec))
    assert sifted.fine.all()
    told = [[trick.winner for trick in deal.played] for deal in verdict.deals]
    assert [[codec.seats[seat] for seat in row] for row in sifted.winners.tolist()] == told


class ByLast:
    """The suit of the card that lies open last is trump, S before H in tricks of even numbers."""

    def __call__(self, sight: Sight) -> Order:
        """It is S where nothing lies open."""
        return RANKS["CDHS"[("CDHS".index(sight.turned[-1][1]) + sight.trick + 2 * sight.done) % 4]]


class ByLastDecided(ByLast):
    """The same, and it says so."""

    def decided_by(self, trick: int, done: bool) -> tuple[tuple[int, ...], int]:
        """By any of three cards, as far as they lie open."""
        return (0, 1, 2), 2 * trick + done


@pytest.mark.parametrize("order", [ByLast(), ByLastDecided()], ids=["any card", "those that it names"])
def test_an_order_hangs_on_the_cards_that_lie_open(order: Any) -> None:
    """In every trick, before it and when all have played."""
    shape = whist(lambda trick: min(trick, 2), order=order)
    orders = Orders(shape)
    turned = np.array([[0, 13], [13, 0], [26, 39], [0, 51]], np.uint8)
    deals = SimpleNamespace(contract=np.full(4, -1), contracts=(), turned=turned)
    for trick in range(1, 14):
        for done in (False, True):
            some = [tuple(shape.pack.cards[card] for card in row[: min(trick + done, 2)]) for row in turned.tolist()]
            due = [order(Sight(cards, None, trick, 0, done, 4)).name for cards in some]
            assert [orders.orders[number].name for number in orders.of(deals, trick, done)] == due


# --- scripts --------------------------------------------------------------------------------------------------------


def last_bid(record: Record, bid: Any) -> Record:
    """The record with another bid by the last who bids, and nothing claimed."""
    events = [*record.deals[0].events]
    place = max(place for place, event in enumerate(events) if event.do == "bid")
    events[place] = events[place].model_copy(update={"bid": bid})
    return with_deal(unclaimed(record), events=events)


@pytest.mark.parametrize(
    ("key", "number", "bid"),
    [("kbabs", 3, 40), ("kbabs", 3, -1), ("kbabs", 3, "turnip"), ("kbabs", 2, "rainbow"), ("spades3", 1, 14)],
)
def test_a_wrong_last_bid_is_found_beside_deals_that_are_right(key: str, number: int, bid: Any) -> None:
    """Whatever is known of deals that differ from it in nothing but the bids."""
    record = one(key, 3, number=number)
    right = unclaimed(record)
    changed = last_bid(record, bid)
    assert not check(right, games.find).findings
    assert check(changed, games.find).findings
    assert sift_records([right, changed, right], games.find) == [True, False, True]


def test_a_wrong_secret_bid_is_found_though_the_card_is_not_turned() -> None:
    """The card that is set aside lies there all the same."""
    record = one("bugami", 3)
    events = [event for event in record.deals[0].events if event.do != "turn"]
    right = with_deal(unclaimed(record), events=events)
    records = [right, last_bid(right, "turnip"), last_bid(right, "turnipx2")]
    assert [[finding.code for finding in check(each, games.find).findings] for each in records] == [[], [], ["BID022"]]
    assert sift_records(records, games.find) == [True, True, False]


def test_a_bid_of_no_value_is_no_bid_that_stands() -> None:
    """A rainbow of 17 cards is none, whether others like that deal have been seen before or not."""
    record, game = one("kbabs", 3, number=2), without_rule(the("kbabs"), "BID003")
    codec = codec_of(record, game)
    right, rainbow = (codec.row(each.deals[0]) for each in (unclaimed(record), last_bid(record, "rainbow")))
    assert right is not None
    assert rainbow is not None
    scripts = Scripts(codec)
    assert scripts.laid(right.script, right.dealer) is not None
    assert scripts.laid(rainbow.script, rainbow.dealer) is None is Scripts(codec).laid(rainbow.script, rainbow.dealer)


def test_only_so_many_bids_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are in an archive."""
    monkeypatch.setattr(laid, "MOST_ALIKE", 5)
    record = one("kbabs", 3, number=2)
    codec = codec_of(record, the("kbabs"))
    scripts = Scripts(codec)
    for bid in range(15):
        row = codec.row(last_bid(record, bid).deals[0])
        assert row is not None
        scripts.laid(row.script, row.dealer)
    assert scripts.alike
    assert all(len(bidding.made) <= 5 for bidding in scripts.alike.values())


@pytest.mark.parametrize(("key", "players"), [("kbabs", 4), ("spades3", 3), ("bugami", 3)])
def test_a_bid_that_is_claimed_is_the_one_that_stands(key: str, players: int) -> None:
    """In the first deal of its kind as well as in later ones."""
    record = one(key, players)
    claims = record.deals[0].claimed
    assert claims is not None
    assert claims.bids
    assert sift_records([with_deal(record, claimed=DealClaims(bids=claims.bids))], games.find) == [True]
    for seat, bid in claims.bids.items():
        other = next((each for each in claims.bids.values() if each != bid), 1 if bid != 1 else 2)
        claimed = DealClaims(bids={**claims.bids, seat: other})
        assert sift_records([with_deal(record, claimed=claimed)], games.find) == [False]


def test_a_board_without_its_number_is_no_deal() -> None:
    """Where nothing else hangs on the number, too."""
    record = with_deal(one("kbabs", 4), number=1, board=1)
    deals = columns_of([record.deals[0]] * 2, codec_of(record, the("kbabs")))
    row = next(deals.deals())
    assert Scripts(deals.codec).laid(row.script, row.dealer, 1) is not None
    assert Scripts(deals.codec).laid(row.script, row.dealer) is None


def test_claims_for_sides_that_a_game_does_not_have_are_the_referees() -> None:
    """Nobody has a partner there."""
    record = with_deal(one("hearts", 4), claimed=DealClaims(sides={"N+S": SideClaims(tricks=5)}))
    counted = compare([record])
    assert counted["passed"] == 0


@pytest.mark.parametrize("key", ["whist", "bridge"])
@pytest.mark.parametrize("more", [0, 1])
def test_tricks_that_a_side_claims_are_those_of_its_seats(key: str, more: int) -> None:
    """One more than both have won is the referee's to find."""
    record = one(key, 4)
    won = Counter(trick.winner for trick in check(record, games.find).deals[0].played)
    pairs = {each.seat: sum(won[other.seat] for other in record.players[at::2]) for at, each in enumerate(record.players[:2])}
    seats = tuple(player.seat for player in record.players)
    sides = {side: SideClaims(tricks=pairs[seats[places[0]]] + more) for side, places in the(key).sides(seats).items()}
    counted = compare([with_deal(record, claimed=DealClaims(sides=sides))])
    assert counted["passed"] == (not more)


@pytest.mark.parametrize("board", range(1, 17))
def test_a_board_tells_who_deals(board: int) -> None:
    """A deal passes with the number of every board that the referee takes it for, and no other."""
    record = with_deal(one("bridge", 4), number=board, board=board, vulnerable=None, claimed=None)
    (passed,) = sift_records([record], games.find)
    assert passed is (not check(record, games.find).findings)


# --- play -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_who_is_stated_to_lead_does(game: Game) -> None:
    """Whom the rules have lead, and no other."""
    record = deal_game(game, min(4, max(game.players)), 1, numbers=[1])
    leads = next(event.by for event in record.deals[0].events if type(event) is Play)
    for player in record.players:
        changed = with_deal(record, leader=player.seat)
        assert bool(check(changed, games.find).findings) is (player.seat != leads)
        assert sift_records([changed], games.find) == [player.seat == leads]


def test_several_deals_with_a_seat_that_is_no_players() -> None:
    """Each is played with its own hands."""
    records = [one("bastard", 3, seed, nuisance=True) for seed in range(4)]
    assert sift_records(records, games.find) == [True] * 4


@pytest.mark.parametrize(("key", "players", "options"), [("hearts", 4, {}), ("spades3", 3, {"spades_broken": True})])
def test_trumps_are_not_led_before_they_are_broken(key: str, players: int, options: dict[str, Any]) -> None:
    """A trick without them does not break them."""
    for seed in range(6):
        record = deal_game(the(key), players, seed, options=options, numbers=[1], inject="REV005")
        assert "REV005" in [finding.code for finding in check(record, games.find).findings]
        right = deal_game(the(key), players, seed, options=options, numbers=[1])
        assert sift_records([with_deal(record, claimed=None), right], games.find) == [False, True]


@pytest.mark.usefixtures("toys")
def test_a_card_turned_is_its_holders() -> None:
    """One that another than the dealer holds never passes."""
    record = deal_game(WHIST, 4, 1, numbers=[1])
    hands, events = record.deals[0].hands or {}, record.deals[0].events
    (place,) = (place for place, event in enumerate(events) if event.do == "turn")
    shown = str(getattr(events[place], "card", ""))
    records = [record]
    for cards in hands.values():
        for card in cards:
            if card[1] == shown[1]:  # so that trump is what it was
                records.append(with_deal(record, events=[*events[:place], Turn(card=card), *events[place + 1 :]], claimed=None))
    assert compare(records)["passed"] >= 1


def test_where_one_deal_shows_a_card_and_another_does_not() -> None:
    """Both are judged: the card of the other lies there."""
    record = one("kbabs", 4, number=3)
    events = [event for event in record.deals[0].events if event.do != "turn"]
    other = with_deal(record, events=events)
    assert not check(other, games.find).findings
    assert sift_records([record, other], games.find) == [True, True]


@pytest.mark.usefixtures("toys")
def test_only_cards_that_were_dealt_to_a_seat_are_passed_on() -> None:
    """Not one that it has just been given, though everything after it fits."""
    found = only = 0
    for seed in range(40):
        record = deal_game(HEARTS, 4, seed, numbers=[1])
        given: dict[Any, Any] = {event.by: event for event in record.deals[0].events if event.do == "exchange"}
        first = next(iter(given.values()))
        second = given[first.to]
        third = second.to
        plays = [event for event in record.deals[0].events if type(event) is Play]
        by = {event.card: event.by for event in plays}
        pairs = [
            (got, own)
            for got in first.cards
            for own in second.cards
            if got[1] == own[1] and by[got] == second.by and by[own] == third
        ]
        for got, own in pairs:
            swapped = {got: own, own: got}
            events: list[Any] = []
            for event in record.deals[0].events:
                if event is second:
                    event = event.model_copy(update={"cards": [got if card == own else card for card in event.cards]})
                elif type(event) is Play and event.card in swapped:
                    event = event.model_copy(update={"card": swapped[event.card]})
                events.append(event)
            changed = with_deal(unclaimed(record), events=events)
            codes = {finding.code for finding in check(changed, games.find).findings}
            assert codes
            only += codes == {"PLY001"}
            assert sift_records([changed], games.find) == [False]
            found += 1
    assert only, found


def test_a_card_that_lies_aside_is_not_passed_on() -> None:
    """Not even if whoever is said to have been given it has played it."""
    game = replace(HEARTS, cards=lambda players: 12, aside=lambda players, cards: {"kitty": 4})
    told = list[set[str]]()
    for seed in range(12):
        record = unclaimed(deal_game(game, 4, seed, numbers=[1]))
        deal = record.deals[0]
        spot, passed = next((spot, event) for spot, event in enumerate(deal.events) if type(event) is Exchange)
        by = {event.card: event.by for event in deal.events if type(event) is Play}
        lying = [card for cards in (deal.aside or {}).values() for card in cards]
        for own in [card for card in passed.cards or () if by[card] == passed.to]:
            for other in [card for card in lying if card[1] == own[1]]:
                swap = {own: other}
                events: list[Any] = [
                    event.model_copy(update={"card": swap.get(event.card, event.card)}) if type(event) is Play else event
                    for event in deal.events
                ]
                events[spot] = passed.model_copy(update={"cards": [swap.get(card, card) for card in passed.cards or ()]})
                changed = with_deal(record, events=events)
                told.append({finding.code for finding in check(changed, lambda key: game).findings})
                assert not sift(columns_of([deal, changed.deals[0]], codec_of(record, game))).fine[1]
                assert told[-1]
    assert {"PLY001"} in told


# --- scores ---------------------------------------------------------------------------------------------------------


def test_one_score_of_an_excerpt_may_be_claimed_alone() -> None:
    """What is not claimed of the others is nothing that could be wrong."""
    game = the("spades3")
    whole = next(record for seed in range(20) if len((record := deal_game(game, 3, seed)).deals) > 2)
    deal = whole.deals[2]
    assert deal.claimed is not None
    records = []
    for seat, points in (deal.claimed.scores or {}).items():
        claimed = DealClaims(scores={seat: points})
        records.append(
            whole.model_copy(
                update={"status": "excerpt", "claimed": None, "deals": [deal.model_copy(update={"claimed": claimed})]}
            )
        )
    assert len(records) == 3
    assert compare(records)["passed"] == 3


def test_a_game_without_bids_may_carry_something() -> None:
    """Of a deal by itself every score passes that can be, and no other."""
    carry = Carry("late", lambda hand: when(hand.tricks > 3, 1, 0), (0, 1))
    line = replace(WHIST.score[0], points=lambda hand: hand.tricks + hand.value + 10 * hand.late)
    game = replace(WHIST, carries=(carry,), score=(line,))
    record = deal_game(game, 4, 1, numbers=[1, 2])
    deal = record.deals[1].model_copy(update={"claimed": None})
    codec = codec_of(record, game)
    (tricks,) = sift(columns_of([deal], codec)).tricks.tolist()
    claims = [DealClaims(scores=dict(zip(codec.seats, [many + more for many in tricks], strict=True))) for more in (0, 10, 1, 11)]
    deals = [deal.model_copy(update={"claimed": each}) for each in claims]
    due = []
    for each in deals:
        alone = record.model_copy(update={"status": "excerpt", "claimed": None, "deals": [each]})
        due.append(not check(alone, lambda key: game).findings)
    assert due == [True, True, False, False]
    assert sift(columns_of(deals, codec, whole=False)).fine.tolist() == due
