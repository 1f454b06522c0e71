"""What the fast path asks of a game and of its deals, of games from outside too: it says what the referee says, or leaves it."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import pytest

from handrec import fast, referee, rulebook
from handrec.cards import Order, Pack
from handrec.dealing import deal_game
from handrec.fast import in_c
from handrec.fast import plan as plans
from handrec.fast.formula import Program
from handrec.findings import Rule, Verdict
from handrec.game import Game, Phase, Sight, Table, compose
from handrec.judging import Judge
from handrec.masks import pick, prefer, when
from handrec.phases.conduct import Conduct
from handrec.phases.tricks import Tricks
from handrec.phases.turn_up import LastDealt
from handrec.record import Record
from handrec.referee import check
from tests.dealing import the
from tests.tables import Data, codes
from tests.test_fast import raised

WHIST, SEATS = the("whist"), ("N", "E", "S", "W")


@pytest.fixture(params=["c", "python"], autouse=True)
def loop(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Everything here is tried with the loop in C, where it could be built, and with the loop in Python."""
    if request.param == "c" and vars(in_c)["_tricks"] is None:
        pytest.skip("the loop in C was not built: there is no compiler")
    if request.param == "python":
        monkeypatch.setattr(in_c, "_tricks", None)
    monkeypatch.setattr(plans, "_known", {})
    return str(request.param)


def written(game: Game, players: int = 4, number: int = 1, seed: int = 1) -> Data:
    """One clean deal of a game, as plain data."""
    record = deal_game(game, players, seed, numbers=[number])
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    return data


def told(game: Game, data: Data) -> tuple[Verdict, bool]:
    """What both ways say of a record of one deal, which must be the same, and whether the fast path takes the deal."""
    record, took = Record.model_validate(data), list[bool]()

    def counted(table: Table) -> bool:
        took.append(fast.replayed(table))
        return took[-1]

    due = check(record, lambda key: game)
    assert check(record, lambda key: game, counted) == due
    assert Judge(lambda key: game, failed=raised).verdict(record) == due
    (taken,) = took
    return due, taken


def first_lead(data: Data) -> int:
    """The place of the first play."""
    return next(place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] == "play")


# --- the cards ------------------------------------------------------------------------------------------------------


def test_hands_that_the_recorded_pack_does_not_deal_are_left_to_the_referee() -> None:
    """The hands by themselves are as they should be."""
    data = written(WHIST)
    assert told(WHIST, deepcopy(data))[1]
    data["deals"][0]["pack"] = sorted(card for hand in data["deals"][0]["hands"].values() for card in hand)
    verdict, taken = told(WHIST, data)
    assert codes(verdict) == ["DEA008"]
    assert not taken


def test_the_hand_of_a_stranger_is_left_to_the_referee() -> None:
    """Though all hands of the table are there besides."""
    data = written(WHIST)
    for seats, due in (([], True), (["X"], False)):
        data["deals"][0]["hands"] |= {seat: [] for seat in seats}
        record = Record.model_validate(data)
        assert fast.replayed(referee._set(record, WHIST, 0, record.deals[0])) == due


def test_the_one_card_left_over_is_turned_and_held() -> None:
    """Nothing else is left over, and where the card lies is not recorded: that it is there twice is told all the same."""
    killer = the("kbabs")
    data = written(killer, players=1, number=2)
    deal = data["deals"][0]
    del deal["aside"]
    assert told(killer, deepcopy(data))[1]
    held = next(iter(deal["hands"].values()))
    turned = next(event for event in deal["events"] if event["do"] == "turn")
    turned["card"] = held[0]
    verdict, taken = told(killer, data)
    assert "DEA002" in codes(verdict)
    assert not taken


@pytest.mark.parametrize(
    ("size", "due", "lying"),
    [(12, {"stock": 4}, ["stock"]), (13, {"stock": 0, "widow": 0}, ["widow"])],
    ids=["four cards left over", "places for none"],
)
def test_a_card_that_is_shown_and_stays_in_the_hand_is_there_once(size: int, due: dict[str, int], lying: list[str]) -> None:
    """Also where other cards are set aside, or might be: such a deal is taken."""
    game = replace(WHIST, cards=lambda players: size, aside=lambda players, cards: due)
    data = written(game)
    deal = data["deals"][0]
    held = {card for hand in deal["hands"].values() for card in hand}
    left = [card for card in game.pack(4).cards if card not in held]
    deal["aside"] = dict.fromkeys(lying, left)
    verdict, taken = told(game, data)
    assert not codes(verdict)
    assert taken


# --- what happens before and after the first lead -------------------------------------------------------------------


@dataclass(frozen=True)
class Asking(Phase):
    """A phase that begins every deal with a remark, and has no way of its own to lay that down."""

    def open(self, table: Table) -> None:
        """Before the first event."""
        table.doubt("L3", f"deal {table.number}: whether all had looked at their cards was not asked")


def test_what_a_phase_says_when_the_deal_begins_is_said() -> None:
    """Also by one that does nothing else."""
    game = replace(WHIST, phases=(*WHIST.phases, Asking()))
    verdict, taken = told(game, written(game))
    assert taken
    assert "was not asked" in "".join(next(level for level in verdict.levels if level.key == "L3").reasons)


def test_a_board_that_was_passed_out_is_taken_though_another_phase_comes_before_the_calls() -> None:
    """That phase takes no event, so the calls are the first that there is to lay down."""
    bridge = the("bridge")
    game = replace(bridge, phases=(Asking(), *bridge.phases))
    data = written(game)
    deal = data["deals"][0]
    deal["events"] = [{"do": "bid", "by": seat, "bid": "pass"} for seat in "NESW"]
    for claim in ("claimed", "leader"):
        deal.pop(claim, None)
    verdict, taken = told(game, data)
    assert not codes(verdict)
    assert taken


def test_events_before_the_first_lead_may_come_in_another_order_than_phases() -> None:
    """An accusation before the card is shown: the card is shown in time."""
    game = replace(WHIST, phases=(LastDealt(), Tricks(), Conduct()))
    data = written(game)
    data["deals"][0]["events"].insert(0, {"do": "accuse", "by": "N", "of": "E"})
    verdict, taken = told(game, data)
    assert not codes(verdict)
    assert taken


def turned_again(events: list[Data]) -> Data:
    """The card that was turned first."""
    return dict(next(event for event in events if event["do"] == "turn"))


def another_contract(events: list[Data]) -> Data:
    """One that the calls did not come to, of the same strain: so it bears on the score, and on no trick."""
    stated = next(event for event in events if event["do"] == "contract")
    level, strain = stated["bid"][0], stated["bid"][1:]
    return {**stated, "bid": ("2" if level == "1" else "1") + strain}


def bid_again(events: list[Data]) -> Data:
    """The first bid."""
    return dict(next(event for event in events if event["do"] == "bid"))


@pytest.mark.parametrize(
    ("key", "late", "code"),
    [
        ("bastard", turned_again, "DEA007"),
        ("oh_hell", turned_again, "DEA007"),
        ("bridge", another_contract, "BID028"),
        ("bridge", bid_again, "BID016"),
        ("oh_hell", bid_again, "BID005"),
        ("batarde", bid_again, "BID007"),
    ],
)
def test_what_belongs_before_the_first_lead_comes_once_more_after_a_trick(
    key: str, late: Callable[[list[Data]], Data], code: str
) -> None:
    """What there was before bears on what is wrong with it, and both ways know that."""
    game = the(key)
    many = 4 if 4 in game.players else 3
    data = written(game, many, number=3)
    events = data["deals"][0]["events"]
    events.insert(first_lead(data) + many, late(events))
    verdict, _ = told(game, data)
    assert code in codes(verdict)


# --- the play -------------------------------------------------------------------------------------------------------


def other_way_round(table: Table, leader: int, trick: int) -> list[int]:
    """To the first trick they play anticlockwise, to the others clockwise."""
    first, *others = table.clockwise(leader)
    return [first, *(others if trick > 1 else reversed(others))]


def test_turns_in_the_first_trick_may_be_others_than_later() -> None:
    """A game in which they are is taken, and whoever plays out of turn is found."""
    game = replace(WHIST, phases=(LastDealt(), Tricks(turns=other_way_round)))
    data = written(game)
    verdict, taken = told(game, deepcopy(data))
    assert not codes(verdict)
    assert taken
    assert not told(WHIST, data)[1]


def ruled(narrow: Callable[[Any, Any], Any]) -> Game:
    """Whist in which what may be played is narrowed down further."""
    rule = replace(rulebook.FOLLOW_SUIT, id="own", narrow=narrow)
    return replace(WHIST, rules=(*WHIST.rules, rule))


def no_trump_at_first(view: Any, legal: Any) -> Any:
    """Nobody who can do otherwise trumps the first lead."""
    return when(view.leading, legal, prefer(when(view.first, legal & ~view.trumps, legal), legal))


def not_what_was_led(view: Any, legal: Any) -> Any:
    """Nobody plays the card that was led, for it lies on the table."""
    return legal & ~view.lead


@pytest.mark.parametrize("narrow", [no_trump_at_first, not_what_was_led])
@pytest.mark.parametrize("seed", [1, 6, 9])  # in the last two the lowest card of the pack is led
def test_rules_may_look_at_what_only_some_plays_have(narrow: Callable[[Any, Any], Any], seed: int) -> None:
    """At the first trick where only those who follow are bound, and at a lead that whoever leads does not see."""
    game = ruled(narrow)
    verdict, taken = told(game, written(game, seed=seed))
    assert not codes(verdict)
    assert taken


@pytest.mark.parametrize(
    ("narrow", "leading", "seen"),
    [
        (lambda view, legal: prefer(legal & view.led, legal), False, {"led"}),
        (lambda view, legal: prefer(legal & view.led, legal), True, set()),
        (lambda view, legal: when(view.first, legal, legal), True, {"first"}),
        (lambda view, legal: pick(view.broken, legal, legal & ~view.trumps), True, {"broken", "trumps"}),
        (lambda view, legal: view.led, False, {"led"}),
    ],
)
def test_a_program_tells_what_it_looks_at(narrow: Callable[[Any, Any], Any], leading: bool, seen: set[str]) -> None:
    """In a step on the way, or as what is left in the end."""
    rule: Rule = replace(rulebook.FOLLOW_SUIT, narrow=narrow)
    program = Program([rule], leading)
    assert {name for name in ("lead", "led", "rising", "trumps", "leading", "broken", "first") if program.uses(name)} == seen


# --- what is taken at all, and what is remembered -------------------------------------------------------------------


def test_a_seat_that_no_player_has_has_no_plan() -> None:
    """Its cards are not dealt to it, and whoever deals decides where it sits: that is the referee's."""
    nuisance = compose(the("bastard"), {"nuisance": True})[0]
    assert nuisance.extras
    assert fast.plan_of(nuisance, SEATS) is None


@dataclass(frozen=True)
class Showing(Phase):
    """Cards are put on the table, and nobody takes tricks."""

    kinds = ("play", "withdraw", "claim")


def test_plays_that_are_taken_by_a_phase_of_another_kind_are_left_to_the_referee() -> None:
    """Without any failure: such a game has no plan."""
    game = replace(WHIST, phases=(LastDealt(), Showing()))
    assert fast.plan_of(game, SEATS) is None
    assert not told(game, written(WHIST))[1]


@pytest.mark.parametrize("more", [12, 13])
def test_a_pack_may_have_more_cards_than_a_word_has_bits(more: int, loop: str) -> None:
    """One of 64 cards is taken by the loop in C, and one of 65 in Python; both are taken."""
    suits = [[rank + suit for rank in "23456789TJQKA"] for suit in "CDHS"]
    suits.append([f"{rank}R" for rank in "23456789TJQKA"[:more]])
    pack = Pack(f"{52 + more} cards", tuple(card for cards in suits for card in cards))
    orders = {suit: Order.of(pack, suit, suits, place) for place, suit in enumerate("CDHSR")}

    def order(sight: Sight) -> Order | None:
        return orders[sight.turned[0][1]] if sight.turned else None

    players = 4 if more == 12 else 5
    size = len(pack) // players
    game = replace(WHIST, players=(players,), pack=lambda _: pack, cards=lambda _: size, order=order, partners=False)
    data = written(game, players)
    verdict, taken = told(game, data)
    assert not codes(verdict)
    assert taken
    known = fast.plan_of(game, tuple(player["seat"] for player in data["players"]))
    assert known is not None
    assert isinstance(known.loop, in_c.InC) == (loop == "c" and more == 12)


def test_only_so_many_games_and_seats_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever judges records of ever other seats does not fill the memory with them."""
    monkeypatch.setattr(plans, "MOST_KNOWN", 3)
    for number in range(10):
        seats = tuple(f"{seat}{number}" for seat in SEATS)
        known = fast.plan_of(WHIST, seats)
        assert known is not None
        assert known.seats == seats
        assert len(plans._known) <= 3


def test_only_so_many_orders_are_remembered(monkeypatch: pytest.MonkeyPatch, loop: str) -> None:
    """Deals with ever other trumps are taken all the same."""
    monkeypatch.setattr(in_c, "MOST_ORDERS", 2)
    for seed in range(12):
        assert told(WHIST, written(WHIST, seed=seed))[1]
    loops = [known.loop for _, known in plans._known.values() if known is not None]
    many = [len(each.ranks) for each in loops if isinstance(each, in_c.InC)]
    assert bool(many) == (loop == "c")
    assert all(0 < each <= 2 for each in many)
