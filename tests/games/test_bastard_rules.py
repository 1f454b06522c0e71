"""The Bastard family: every rule broken and obeyed, every option, records of which something is missing, invariants."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.cards import FRENCH_52
from handrec.dealing import deal_game
from handrec.game import Sight, compose
from handrec.games import find
from handrec.judging import Judge
from handrec.record import Record
from handrec.referee import replay
from tests.sieving import compare
from tests.tables import Data, codes, cut, drop, faults, game, insert, levels, places, put, reasons, verdict

BASTARD = find("bastard")
assert BASTARD is not None

VARIANTS = [
    {
        name: True
        for place, name in enumerate(("mega", "ultra", "demon", "nuisance", "back_end", "ultimate"))
        if number >> place & 1
    }
    for number in range(64)
]
VARIANTS = [options for options in VARIANTS if not compose(BASTARD, options)[1]]


def dealt(seed: int = 1, deals: int = 1, **options: Any) -> Data:
    """Some deals of a game, played by the rules, with its sheet."""
    assert BASTARD is not None
    numbers = None if options.get("game_end") else list(range(1, deals + 1))
    return deal_game(BASTARD, 3, seed, options=options, numbers=numbers).model_dump(
        mode="json", by_alias=True, exclude_unset=True
    )


def bare(data: Data) -> Data:
    """The record without anything that follows from it."""
    for hand in data["deals"]:
        hand.pop("claimed", None)
    data.pop("claimed", None)
    return data


def spots(data: Data, do: str) -> list[int]:
    """The places of the events of a kind."""
    return [place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] == do]


def moved(data: Data, start: int, end: int) -> Data:
    """A copy of the record with an event in another place."""
    event = data["deals"][0]["events"][start]
    return insert(drop(data, f"/deals/0/events/{start}"), f"/deals/0/events/{end}", event)


def only(data: Data) -> tuple[Any, ...]:
    """The one thing that is wrong: code, rule, trick, seat."""
    found = places(faults(verdict(data)))
    assert len(found) == 1, found
    code, rule, _, trick, seat, _ = found[0]
    return code, rule, trick, seat


# --- cards that are turned ------------------------------------------------------------------------------------------

#: options, which turn is moved, the play (counted from 1) before which it stands then, what is found
UNTIMELY: list[tuple[Data, int, int, tuple[Any, ...] | None]] = [
    ({}, 2, 2, ("DEA011", "BA-BAS-2", 1, None)),
    ({}, 0, 4, ("DEA011", "BA-BAS-2", 1, None)),
    ({}, 2, 1, None),
    ({"mega": True}, 3, 11, ("DEA011", "BA-MEG-1", 4, None)),
    ({"mega": True}, 3, 9, ("DEA011", "BA-MEG-1", 3, None)),
    ({"ultra": True}, 5, 20, ("DEA011", "BA-ULT-1", 6, None)),
    ({"demon": True}, 0, 2, ("DEA011", "BA-DEM-1", 1, None)),
    ({"nuisance": True}, 0, 3, ("DEA011", "BA-NUI-2", 1, None)),
    ({"mega": True, "back_end": True}, 1, 8, ("DEA011", "BA-BE-1", 2, None)),
    ({"mega": True, "back_end": True}, 1, 6, ("DEA011", "BA-BE-1", 2, None)),
    ({"ultra": True, "nuisance": True, "back_end": True}, 0, 6, ("DEA011", "BA-BE-1", 1, None)),
]


@pytest.mark.parametrize(("options", "turn", "play", "found"), UNTIMELY)
def test_cards_are_turned_in_time_dea011(options: Data, turn: int, play: int, found: tuple[Any, ...] | None) -> None:
    """A card turned too soon or too late is one fault, whatever follows from it."""
    data = dealt(**options)
    start, end = spots(data, "turn")[turn], spots(data, "play")[play - 1]
    told = moved(data, start, end - (end > start))
    assert only(told) == found if found else codes(verdict(told)) == []


@pytest.mark.parametrize("options", [{}, {"mega": True}, {"demon": True, "back_end": True}])
@pytest.mark.parametrize("turn", [0, 1, 2])
def test_a_turn_that_is_missing_is_said_once_dea011(options: Data, turn: int) -> None:
    """The card that lies there counts as turned."""
    data = dealt(**options)
    assert only(drop(data, f"/deals/0/events/{spots(data, 'turn')[turn]}"))[0] == "DEA011"


def test_the_last_turn_of_back_end_is_missing_ba_be_1() -> None:
    """Nothing decides the last trick but the card that lies there."""
    data = dealt(mega=True, back_end=True)
    assert only(drop(data, f"/deals/0/events/{spots(data, 'turn')[-1]}")) == ("DEA011", "BA-BE-1", 13, None)


@pytest.mark.parametrize(
    "options", [{}, {"ultimate": True}, {"ultra": True}, {"nuisance": True}, {"mega": True, "back_end": True}]
)
def test_no_turn_on_record_is_no_fault(options: Data) -> None:
    """Where the cards set aside are written down and no turning is, they count as turned."""
    data = dealt(**options)
    for place in reversed(spots(data, "turn")):
        del data["deals"][0]["events"][place]
    assert codes(verdict(data)) == []
    assert levels(verdict(data))[:4] == "pppp"


@pytest.mark.parametrize(
    ("options", "lying"), [({}, "widow"), ({"mega": True}, "stack"), ({"ultra": True, "back_end": True}, "stack")]
)
def test_cards_set_aside_need_not_be_listed_where_they_are_turned(options: Data, lying: str) -> None:
    """The turns tell as much."""
    data = drop(dealt(**options), f"/deals/0/aside/{lying}")
    assert codes(verdict(data)) == []


def test_without_the_cards_turned_nobody_knows_who_won() -> None:
    """Neither list nor turns: following suit can be checked, the winners cannot."""
    data = drop(dealt(mega=True), "/deals/0/aside")
    for place in reversed(spots(data, "turn")):
        del data["deals"][0]["events"][place]
    told = verdict(data)
    assert (codes(told), levels(told)[2:4]) == ([], "p?")
    assert "trump is not known" in reasons(told, "L5")


def test_another_card_than_the_top_one_dea007() -> None:
    """The card turned is the one on top; one that was turned is not turned again."""
    data = dealt(mega=True)
    one, two = (data["deals"][0]["events"][place] for place in spots(data, "turn")[4:6])
    one["card"], two["card"] = two["card"], one["card"]
    assert only(data)[:2] == ("DEA007", "BA-STK-1")
    data = dealt()
    again = data["deals"][0]["events"][spots(data, "turn")[0]]
    assert only(insert(data, f"/deals/0/events/{spots(data, 'turn')[2] + 1}", again))[:2] == ("DEA007", "BA-BAS-3")


def test_the_fourth_card_stays_hidden_until_the_guesses_ba_bas_3() -> None:
    """It may be shown when all have guessed, not before."""
    data = dealt()
    fourth = {"do": "turn", "card": data["deals"][0]["aside"]["widow"][3]}
    events = data["deals"][0]["events"]
    assert codes(verdict(insert(data, f"/deals/0/events/{len(events)}", fourth))) == []
    assert only(insert(data, f"/deals/0/events/{spots(data, 'announce')[0]}", fourth))[0] == "DEA011"


@pytest.mark.parametrize("options", [{"mega": True}, {"mega": True, "back_end": True}, {"nuisance": True, "ultra": True}])
def test_a_claim_ends_the_turning_clm001(options: Data) -> None:
    """Whoever claims the rest need not turn the next card; the cards of the tricks played must lie open."""
    data = bare(dealt(**options))
    hand, seats = data["deals"][0], 4 if "nuisance" in options else 3
    last = spots(data, "play")[3 + 4 * seats - 1] + ("back_end" in options)
    claim = {"do": "claim", "by": "P1", "tricks": {"P1": 8}}
    hand["events"], hand["status"] = [*hand["events"][: last + 1], claim], "claimed"
    assert codes(verdict(data)) == []
    if "back_end" in options:
        assert only(drop(data, f"/deals/0/events/{last}"))[:2] == ("DEA011", "BA-BE-1")
    elif "nuisance" not in options:  # the card of the trick that nobody led may have been turned already; the next not
        turns = [{"do": "turn", "card": card} for card in hand["aside"]["stack"][5:7]]
        hand["events"].append(turns[0])
        assert codes(verdict(data)) == []
        hand["events"].append(turns[1])
        assert only(data)[:2] == ("DEA011", "BA-MEG-1")


# --- guesses --------------------------------------------------------------------------------------------------------


def guesses(*said: tuple[int, str | None], **options: Any) -> Data:
    """A hand with other guesses: how far from the dealer's left the player sits, and a card, `own`, `right` or none."""
    data = bare(dealt(**options))
    hand = data["deals"][0]
    for place in reversed(spots(data, "announce")):
        del hand["events"][place]
    eldest = (["P1", "P2", "P3"].index(hand["dealer"]) + 1) % 3
    for step, card in said:
        seat = f"P{(eldest + step) % 3 + 1}"
        named = {"right": hand["aside"].get("widow", [None])[-1], "own": hand["hands"][seat][0]}.get(card or "", card)
        hand["events"].append({"do": "announce", "by": seat, "what": "guess"} | ({"card": named} if named else {}))
    return data


GUESSES: list[tuple[list[tuple[int, str | None]], Data, list[str]]] = [
    ([(0, "own"), (1, "right"), (2, None)], {}, []),
    ([(1, "right")], {}, []),
    ([], {}, []),
    ([(1, "right"), (0, "own")], {}, ["BID013"]),
    ([(0, "right"), (1, "right")], {}, ["BID014"]),
    ([(0, "own"), (0, "right")], {}, ["BID014"]),
    ([(0, None), (0, "right")], {}, ["BID014"]),
    ([(0, "own")], {"guess_seen_card": "forbidden"}, ["BID015"]),
    ([(0, "right"), (1, None), (2, None)], {"guess_seen_card": "forbidden"}, []),
    ([(0, "own"), (1, None), (2, "right")], {"guess_pass": False}, ["BID015"]),
    ([(0, "own"), (1, "right")], {"guess_pass": False}, ["BID015"]),
    ([(0, "own"), (1, "right"), (2, "own")], {"guess_pass": False}, []),
    ([(0, "ZZ")], {}, ["DEA001"]),
    ([(0, "?S")], {}, []),
    ([(0, "right")], {"ultimate": True, "ultimate_guess": False}, ["PLY007"]),
    ([(0, "own")], {"mega": True}, ["PLY007"]),
]


@pytest.mark.parametrize(("said", "options", "found"), GUESSES)
def test_guesses_ba_bas_4(said: list[tuple[int, str | None]], options: Data, found: list[str]) -> None:
    """In turn, once, no card twice; seen cards and declining as agreed."""
    assert codes(verdict(guesses(*said, **options))) == found


def test_of_guesses_that_are_not_known_any_may_be_right() -> None:
    """Though they look alike; and of none on record, where everybody has to guess."""
    for card in ("??", "?S"):
        data = guesses((0, card), (1, card))
        told = verdict(data)
        assert Judge(find).verdict(Record.model_validate(data)) == told
        assert compare([Record.model_validate(data)])["passed"] == 0
        assert (codes(told), {*told.deals[0].scores}) == ([], {"P1"})
        assert "guess is not known" in reasons(told, "L3")
    assert verdict(guesses()).deals[0].scores.keys() == {"P1", "P2", "P3"}
    assert verdict(guesses(guess_pass=False)).deals[0].scores == {}


def test_a_card_named_before_is_no_right_guess_where_the_card_is_not_known() -> None:
    """Nobody can tell whether the first was right; the second is not said to be."""
    data = drop(guesses((0, "5H"), (1, "5H")), "/deals/0/hands")
    deal = data["deals"][0]
    deal |= {"aside": {}, "events": [event for event in deal["events"] if event["do"] != "turn"]}
    assert BASTARD is not None
    [table] = replay(Record.model_validate(data), BASTARD)
    notes = table.game.phase_of["announce:guess"].notes
    assert [notes(table, table.place_of[event["by"]]) for event in deal["events"][-2:]] == [{"guess": "5H"}] * 2


def test_a_guess_is_paid_once_ba_bas_5() -> None:
    """A repeat earns nothing; a right guess out of turn does."""
    told = verdict(guesses((1, "right"), (0, "right")))
    assert codes(told) == ["BID013", "BID014"]
    assert sum(lines.get("guess", 0) for lines in told.deals[0].lines.values()) == 5


def test_the_fourth_of_the_widow_is_guessed_ba_a3() -> None:
    """Also where five are on record, or where the fourth is not."""
    data = guesses((0, "right"))
    widow = data["deals"][0]["aside"]["widow"]
    sheet = {"scores": verdict(data).deals[0].scores}
    data = put(data, "/deals/0/claimed", sheet)
    assert codes(verdict(data)) == []
    card = data["deals"][0]["hands"]["P1"][2]
    more = drop(put(data, "/deals/0/aside/widow", [*widow, card]), "/deals/0/hands/P1/2")
    assert not {"SCO001"} & {*codes(verdict(more))}
    assert (codes(verdict(put(data, "/deals/0/aside/widow", [*widow, "??"])))) == ["DEA003"]
    fewer = verdict(put(data, "/deals/0/aside/widow", widow[:3]))
    assert codes(fewer) == ["DEA003"]  # the card that is left over is the one


def test_an_early_guess_bid013() -> None:
    """Nobody guesses before the last trick."""
    data = guesses((0, "own"))
    assert only(moved(data, spots(data, "announce")[0], spots(data, "play")[-1]))[:2] == ("BID013", "BA-BAS-4")


# --- play and bids --------------------------------------------------------------------------------------------------


@pytest.mark.some(24)
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "+".join(options) or "basic")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_missing_play_is_one_fault_in_every_variant_ply005(options: Data, seed: int) -> None:
    """Whoever's card it is, the Bastard's too."""
    data = dealt(seed, **options)
    plays = spots(data, "play")
    for place in plays[seed :: len(plays) // 4]:
        assert only(drop(data, f"/deals/0/events/{place}"))[0] == "PLY005"


def test_the_bastard_does_nothing_but_play_fmt012() -> None:
    """It neither bids nor scores, and in other variants it is not there; and nobody else is called so."""
    data = dealt(nuisance=True)
    assert codes(verdict(put(data, "/deals/0/events/0/by", "bastard"))) == ["FMT012"]
    assert codes(verdict(put(data, "/deals/0/dealer", "bastard"))) == ["FMT012"]
    assert "FMT012" in codes(verdict(put(data, "/options", {"mega": True})))
    named = game("bastard", "A B bastard", options={"nuisance": True}, status="stopped")
    assert codes(verdict(named)) == ["FMT013"]


def test_nuisance_without_dealer_or_names_ba_nui_1() -> None:
    """Where the Bastard sits follows from who leads; a play without a name is that of the seat in turn."""
    data = drop(dealt(nuisance=True), "/deals/0/dealer")
    told = verdict(data)
    assert codes(told) == []
    assert told.deals[0].tricks is not None
    unnamed = dealt(nuisance=True)
    for place in spots(unnamed, "play"):
        del unnamed["deals"][0]["events"][place]["by"]
    assert codes(verdict(unnamed)) == []
    assert levels(verdict(unnamed))[:4] == "pppp"


def test_nuisance_without_dealer_whose_first_card_is_the_bastards() -> None:
    """Then nothing tells beside whom it sits: that is said, and nobody is accused."""
    data = bare(drop(dealt(nuisance=True), "/deals/0/dealer"))
    (hand,) = data["deals"]
    card = hand.pop("aside")["stack"][1]
    hand |= {"status": "stopped", "events": [{"do": "play", "by": "bastard", "card": card}]}
    told = verdict(data)
    assert codes(told) == []
    assert "it is not known who sits where" in reasons(told, "L3")


@pytest.mark.parametrize(("least", "found"), [(0, []), (1, ["BID002"])])
def test_the_lowest_bid_ba_a2(least: int, found: list[str]) -> None:
    """None is a bid, unless the table says otherwise; 17 is none."""
    data = bare(dealt(bid_min=least))
    assert codes(verdict(put(data, "/deals/0/events/0/bid", 0))) == found
    assert codes(verdict(put(data, "/deals/0/events/0/bid", 17))) == ["BID002"]
    assert codes(verdict(put(data, "/deals/0/events/0/bid", "pass"))) == ["BID002"]


# --- options and deals together -------------------------------------------------------------------------------------

WRONG: list[tuple[Data, str]] = [
    ({"mega": "yes"}, "FMT010"),
    ({"mega": 1}, "FMT010"),
    ({"trump_break": True}, "FMT010"),
    ({"bid_min": 2}, "FMT010"),
    ({"bid_min": True}, "FMT010"),
    ({"sandbags": {"every": 0, "penalty": 5}}, "FMT010"),
    ({"sandbags": {"every": 5}}, "FMT010"),
    ({"game_end": {"hands": 3, "target": 100}}, "FMT010"),
    ({"game_end": 3}, "FMT010"),
    ({"nuisance_trump": "none"}, "FMT010"),
    ({"guess_pass": False, "guess_seen_card": "forbidden"}, "FMT011"),
    ({"back_end": True}, "FMT011"),
    ({"tame": True}, "FMT009"),
]


@pytest.mark.parametrize(("options", "code"), WRONG)
def test_options_that_are_refused(options: Data, code: str) -> None:
    """An unknown name or value, or what does not go together, is never passed over."""
    assert codes(verdict(game("bastard", 3, options=options, status="stopped"))) == [code]


def sheets(*hands: tuple[str, str, str, str], **options: Any) -> Data:
    """A whole Mega game of which only the sheets are left: dealer, bids, tricks and totals of each hand."""
    deals = []
    for dealer, bids, tricks, totals in hands:
        words = {"bids": bids, "tricks": tricks, "totals": totals}
        claimed = {key: dict(zip("012", map(int, text.split()), strict=True)) for key, text in words.items()}
        deals.append({"dealer": dealer, "cards": 13, "events": [], "claimed": claimed})
    return game("bastard", 3, *deals, options={"mega": True, **options}, status="complete")


TOGETHER: list[tuple[list[tuple[str, str, str, str]], Data, list[str]]] = [
    ([("0", "1 2 3", "5 4 4", "14 22 31"), ("1", "1 2 3", "5 4 4", "28 44 62")], {}, []),
    ([("0", "1 2 3", "5 4 4", "14 22 31"), ("2", "1 2 3", "5 4 4", "28 44 62")], {}, ["DEA006"]),
    ([("0", "1 2 3", "5 4 4", "14 22 31"), ("2", "1 2 3", "5 4 4", "28 44 62")], {"dealer_rotation": "any"}, []),
    ([("0", "1 2 3", "5 4 4", "14 22 31"), ("1", "1 2 3", "5 4 4", "28 44 63")], {}, ["SCO002"]),
    ([("0", "1 2 3", "5 4 4", "14 22 31")], {"game_end": {"hands": 2}}, ["SCO005"]),
    ([("0", "1 2 3", "5 4 4", "14 22 31")], {"game_end": {"target": 32}}, ["SCO005"]),
    ([("0", "1 2 3", "5 4 4", "14 22 31")], {"game_end": {"target": 31}}, []),
    ([("0", "1 2 3", "5 4 4", "14 22 31"), ("1", "1 2 3", "5 4 4", "28 44 62")], {"game_end": {"target": 31}}, ["SCO005"]),
    ([("0", "1 2 3", "5 4 4", "4 22 31"), ("1", "1 2 3", "5 4 4", "8 34 62")], {"sandbags": {"every": 4, "penalty": 10}}, []),
    ([("0", "1 2 3", "5 4 4", "-6 12 31")], {"sandbags": {"every": 2, "penalty": 10}}, []),
    ([("0", "1 2 3", "5 4 3", "14 22 30")], {}, ["TRK004"]),
]


@pytest.mark.parametrize(("hands", "options", "found"), TOGETHER)
def test_deals_together(hands: list[tuple[str, str, str, str]], options: Data, found: list[str]) -> None:
    """Dealer, totals, sandbags and the end of the game, as agreed."""
    assert codes(verdict(sheets(*hands, **options))) == found


def test_players_tricks_may_be_fewer_in_nuisance_ba_nui_5() -> None:
    """What is lacking, the Bastard took; more than 13 cannot be."""
    few = drop(sheets(("0", "1 2 3", "5 4 3", "14 22 30"), nuisance=True), "/deals/0/claimed/totals")
    assert codes(verdict(few)) == []
    assert codes(verdict(put(few, "/deals/0/claimed/tricks/0", 7))) == ["TRK004"]
    assert codes(verdict(insert_trick(few, 2))) == ["TRK004"]
    assert codes(verdict(insert_trick(few, 1))) == []


def insert_trick(data: Data, tricks: int) -> Data:
    """The record with the Bastard's tricks written down."""
    claimed = data["deals"][0]["claimed"]["tricks"]
    return put(data, "/deals/0/claimed/tricks", {**claimed, "bastard": tricks})


# --- invariants -----------------------------------------------------------------------------------------------------


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), options=st.sampled_from(VARIANTS))
def test_tricks_and_cards_add_up_ba_com_7(seed: int, options: Data) -> None:
    """Every trick is somebody's or the Bastard's; each of its 13 cards is used once."""
    data = dealt(seed, **options)
    told = verdict(data)
    result, hand = told.deals[0], data["deals"][0]
    bastards = sum(trick.winner == "bastard" for trick in result.played)
    size = 16 if not options or "ultimate" in options else 13
    assert sum((result.tricks or {}).values()) + bastards == len(result.played) == size
    shown = [e["card"] for e in hand["events"] if e["do"] == "turn" or e.get("by") == "bastard"]
    assert shown == (hand["aside"]["widow"][:3] if size == 16 else hand["aside"]["stack"])
    assert bastards == 0 or "nuisance" in options


@settings(max_examples=25, deadline=None)
@given(
    options=st.sampled_from(VARIANTS),
    turned=st.permutations(FRENCH_52.cards),
    trick=st.integers(1, 13),
    own=st.booleans(),
    cards=st.permutations(range(52)),
)
def test_ranks_are_permutations_and_the_order_of_losers_is_nothing(
    options: Data, turned: list[str], trick: int, own: bool, cards: list[int]
) -> None:
    """Every suit has its 13 cards in one order, and a trick's winner does not depend on the order after the lead."""
    assert BASTARD is not None
    composed = compose(BASTARD, {**options, "bastard_self_effect": own})[0]
    order = composed.order(Sight(tuple(turned[:13]), None, trick, 13, done=True))
    assert order is not None
    for suit in order.suits:
        inside = sorted((order.beats[card] & suit).bit_count() for card in range(52) if suit >> card & 1)
        assert inside == list(range(13))
    four = cards[:4]
    swapped = [four[0], four[3], four[1], four[2]]
    assert four[order.winner(four)] == swapped[order.winner(swapped)]


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), options=st.sampled_from(VARIANTS), events=st.integers(1, 60))
def test_a_deal_under_way_is_not_at_fault(seed: int, options: Data, events: int) -> None:
    """However much of a deal is on record, nothing is wrong with it."""
    data = bare(dealt(seed, **options))
    many = min(events, len(data["deals"][0]["events"]))
    assert codes(verdict(cut(data, many))) == []


CHANGES: list[Callable[[Data], Any]] = [
    lambda hand: hand.pop("hands"),
    lambda hand: hand.pop("aside"),
    lambda hand: hand.pop("dealer"),
    lambda hand: hand["hands"].pop("P2"),
    lambda hand: hand.pop("cards"),
]


@pytest.mark.some(40)
@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: "+".join(options) or "basic")
@pytest.mark.parametrize("change", range(len(CHANGES)))
def test_what_is_not_recorded_is_no_fault(options: Data, change: int) -> None:
    """A part that is left out leaves doubts, and no accusation."""
    data = dealt(3, **options)
    CHANGES[change](data["deals"][0])
    assert codes(verdict(data)) == []


@pytest.mark.parametrize("moving", ["ultra", "demon"])
def test_what_is_trump_in_nuisance_by_itself_says_nothing_of_ranks_that_move(moving: str) -> None:
    """With Ultra or Demon the first card's suit is trump for the whole hand, whatever that option says."""
    assert BASTARD is not None
    for more in ({}, {"nuisance": True}):
        for trick in (1, 2, 3):
            sight = Sight(("5H", "9S", "9D"), None, trick, 13, True, 3)
            kinds = ("first_card_for_hand", "first_trick_only", "every_card")
            orders = [compose(BASTARD, {moving: True, "nuisance_trump": kind, **more})[0].order(sight) for kind in kinds]
            assert [order and order.name for order in orders] == ["H"] * 3
            assert orders[0] == orders[1] == orders[2]
