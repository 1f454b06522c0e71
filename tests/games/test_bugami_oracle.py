"""Three-player Bugami: whole games with any options, worked out once more from the events by a second referee."""

from __future__ import annotations

from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from handrec.dealing import deal_game
from handrec.games import find
from tests.tables import Data, codes, cut, faults, insert, legal, put, swap, verdict

RANKS = "23456789TJQKA"
SUITS = "SHDC"
WHENS = ["no_tricks", "all_tricks", "all_bugs", "doublets_failed"]
TOKENS = [*SUITS, *(suit + "x2" for suit in SUITS), "turnip", "turnipx2", "NT", "Hx4", "x2", "h", "misere", 0, 7]


def some_options(chance: Random) -> Data:
    """A random value for some of the options."""
    special = [
        {"when": when, "points": chance.choice([-30, -5, 5, 50, 130]), "mode": chance.choice(["instead", "plus"])}
        for when in chance.choices(WHENS, k=chance.randint(1, 4))
    ]
    values: Data = {
        "removed_ranks": chance.sample(RANKS, 3),
        "turnip_doublets": chance.random() < 0.7,
        "double_rounding": chance.choice(["after_floor", "before_floor"]),
        "special_scores": special,
        "target": chance.choice([30, 60, 100, 150]),
        "tie": chance.choice(["shared", "play_on"]),
    }
    return {key: value for key, value in values.items() if chance.random() < 0.6}


def random_game(seed: int) -> Data:
    """A whole game, or its beginning, as plain data."""
    chance = Random(seed)
    bugami = find("bugami")
    assert bugami is not None
    numbers = [1, 2, 3] if chance.random() < 0.2 else None
    record = deal_game(bugami, 3, seed, options=some_options(chance), numbers=numbers)
    return record.model_dump(exclude_unset=True, by_alias=True, mode="json")


# --- the second referee ---------------------------------------------------------------------------------------------


def may_play(held: list[str], trick: list[Data]) -> set[str]:
    """What may be played: a card of the suit led, or without one any card."""
    same = {card for card in held if trick and card[1] == trick[0]["card"][1]}
    return same or set(held)


def tricks_of(deal: Data) -> tuple[list[tuple[str, list[str]]], dict[int, set[str]]]:
    """The tricks with their winners and cards, and what each play by its number could have been."""
    held = {seat: list(cards) for seat, cards in deal["hands"].items()}
    trick: list[Data] = []
    won, could = [], {}
    for place, event in enumerate(deal["events"]):
        if event["do"] != "play":
            continue
        could[place] = may_play(held[event["by"]], trick)
        held[event["by"]].remove(event["card"])
        trick.append(event)
        if len(trick) == 3:
            led = [play for play in trick if play["card"][1] == trick[0]["card"][1]]
            best = max(led, key=lambda play: RANKS.index(play["card"][0]))
            won.append((best["by"], [play["card"] for play in trick]))
            trick = []
    return won, could


def points(bid: str, tricks: int, bugs: int, options: Data) -> int:
    """What a player has of a deal."""
    times = 1
    if bid.startswith("turnip"):
        times *= 2
    if bid.endswith("x2"):
        times *= 2
    failed = bid.endswith("x2") and bugs > 0
    if failed or tricks == 0:
        score = 0
    elif bugs == 0:
        score = 20 * tricks * times
    elif options.get("double_rounding") == "before_floor":
        score = 10 * tricks * times // bugs
    else:
        score = 10 * tricks // bugs * times
    true = {"no_tricks": tricks == 0, "all_tricks": tricks == 13, "all_bugs": bugs == 10, "doublets_failed": failed}
    for special in options.get("special_scores", []):
        if true[special["when"]]:
            score = special["points"] + (score if special["mode"] == "plus" else 0)
    return int(score)


def sheet_of(deal: Data, options: Data) -> Data:
    """The score sheet of a deal that was played out."""
    won, _ = tricks_of(deal)
    (turnip,) = [event["card"] for event in deal["events"] if event["do"] == "turn"]
    bids = {event["by"]: event["bid"] for event in deal["events"] if event["do"] == "bid"}
    tricks = {seat: sum(winner == seat for winner, _ in won) for seat in bids}
    scores = {}
    for seat, bid in bids.items():
        suit = turnip[1] if bid.startswith("turnip") else bid[0]
        taken = [card for winner, cards in won if winner == seat for card in cards]
        taken += [turnip] if won[-1][0] == seat else []
        scores[seat] = points(bid, tricks[seat], sum(card[1] == suit for card in taken), options)
    return {"bids": bids, "winners": [winner for winner, _ in won], "tricks": tricks, "scores": scores}


def is_over(totals: dict[str, int], options: Data) -> bool:
    """Whether somebody has won, or several if they may share it."""
    high = max(totals.values())
    many = list(totals.values()).count(high)
    return high >= options.get("target", 500) and (many == 1 or options.get("tie") != "play_on")


def may_come(before: list[Data], event: Data, options: Data) -> bool:
    """Whether a bid or the turning of the card may come next, before the first card is played."""
    bidders = [said["by"] for said in before if said["do"] == "bid"]
    if event["do"] == "turn":
        return len(bidders) == 3
    known = {*SUITS, *(suit + "x2" for suit in SUITS), "turnip"} | ({"turnipx2"} if options.get("turnip_doublets") else set())
    faced = any(said["do"] == "turn" for said in before)
    return event["bid"] in known and event["by"] not in bidders and not faced


# --- comparing ------------------------------------------------------------------------------------------------------


def one_deal(record: Data) -> Data:
    """The first deal of the record by itself, with nothing claimed."""
    deal = {key: value for key, value in record["deals"][0].items() if key != "claimed"}
    rest = {key: value for key, value in record.items() if key != "claimed"}
    return {**rest, "status": "excerpt", "deals": [deal]}


def blamed(record: Data, place: int, families: tuple[str, ...], deal: int = 0) -> bool:
    """Whether the referee finds such a fault at an event."""
    here = f"/deals/{deal}/events/{place}"
    found = [f for f in faults(verdict(record)) if f.code.startswith(families)]
    return any(f.pointer == here or f.pointer.startswith(here + "/") for f in found)


few = settings(deadline=None, max_examples=12, derandomize=True)
seeds = given(st.integers(0, 10**9))


@few
@seeds
def test_scores_and_end_bg_7_to_bg_12(seed: int) -> None:
    """Winners, tricks, scores, totals, the end of the game and who won it are the same for both referees."""
    record = random_game(seed)
    options = record["options"]
    totals = {player["seat"]: 0 for player in record["players"]}
    for number, deal in enumerate(record["deals"], 1):
        sheet = sheet_of(deal, options)
        assert {key: deal["claimed"][key] for key in sheet} == sheet
        totals = {seat: total + sheet["scores"][seat] for seat, total in totals.items()}
        assert deal["claimed"]["totals"] == totals
        assert is_over(totals, options) == (number == len(record["deals"]) and record["status"] == "complete")
        assert all(event["card"] in could for place, could in tricks_of(deal)[1].items() for event in [deal["events"][place]])
    best = [seat for seat, total in totals.items() if total == max(totals.values())]
    assert record["claimed"].get("winners", best) == best
    assert ("winners" in record["claimed"]) == (record["status"] == "complete")
    assert codes(verdict(record)) == []


@few
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_legal_cards_bg_7(seed: int, other: int) -> None:
    """Of any hand at any play, both referees let the same cards pass."""
    record, chance = random_game(seed), Random(other)
    record = one_deal(record)
    could = tricks_of(record["deals"][0])[1]
    for place in chance.sample(sorted(could), 4):
        assert legal(record, place) == could[place]


@few
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_revokes_bg_7(seed: int, other: int) -> None:
    """With a seat's cards played in another order, both referees find the same revokes and winners."""
    record, chance = random_game(seed), Random(other)
    record = one_deal(record)
    deal = record["deals"][0]
    first, second = chance.sample([p for p, e in enumerate(deal["events"]) if e["do"] == "play"][:39], 2)
    seat = deal["events"][first]["by"]
    second = chance.choice([p for p, e in enumerate(deal["events"]) if e["do"] == "play" and e["by"] == seat and p != first])
    for place, source in ((first, second), (second, first)):
        record = put(record, f"/deals/0/events/{place}/card", deal["events"][source]["card"])
    won, could = tricks_of(record["deals"][0])
    events: list[Any] = record["deals"][0]["events"]
    told = verdict(record)
    leaders = [events[place]["by"] for place in range(7, 43, 3)]
    sure = next((n for n, leader in enumerate(leaders, 1) if won[n - 1][0] != leader), 13)  # then the wrong seat leads
    expected = {f"/deals/0/events/{place}/card" for place in could if events[place]["card"] not in could[place]}
    found = {f.pointer for f in faults(told) if f.code.startswith("REV")}
    until = {f"/deals/0/events/{place}/card" for place in range(4 + 3 * sure)}
    assert found & until == expected & until
    assert [trick.winner for trick in told.deals[0].played][:sure] == [winner for winner, _ in won][:sure]
    if sure == 13:
        assert told.deals[0].scores == sheet_of(record["deals"][0], record["options"])["scores"]


@few
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_bids_bg_5_bg_6(seed: int, other: int) -> None:
    """Whatever is bid or faced next, and by whom, both referees agree whether it may be."""
    record, chance = random_game(seed), Random(other)
    for _ in range(4):
        place = chance.randint(0, 4)
        start = cut(one_deal(record), place)
        before = start["deals"][0]["events"]
        by, card = chance.choice(["P1", "P2", "P3"]), record["deals"][0]["aside"]["turnip"][0]
        faced = any(event["do"] == "turn" for event in before)
        event = {"do": "bid", "by": by, "bid": chance.choice(TOKENS)}
        event = {"do": "turn", "card": card} if chance.random() < 0.2 and before and not faced else event
        start["deals"][0]["events"] = [*before, event]
        fault = bool(codes(verdict(start))) if event["do"] == "turn" else blamed(start, place, ("BID", "FMT"))
        assert fault != may_come(before, event, record["options"]), event


@few
@given(st.integers(0, 10**9), st.integers(0, 10**9))
def test_moved_events_bg_5_to_bg_7(seed: int, other: int) -> None:
    """Bids may be made in any order before the card is faced; nothing else may change its place."""
    record, chance = random_game(seed), Random(other)
    record = one_deal(record)
    assert codes(verdict(swap(record, *chance.sample(range(3), 2)))) == []
    assert codes(verdict(swap(record, chance.randrange(3), 3)))
    assert codes(verdict(swap(record, 3, chance.randrange(4, 43))))
    events = record["deals"][0]["events"]
    place = chance.choice([place for place in range(4, 42) if events[place]["by"] != events[place + 1]["by"]])
    assert codes(verdict(swap(record, place, place + 1)))
    late = put(record, "/deals/0/events", events[1:])
    assert codes(verdict(insert(late, f"/deals/0/events/{chance.randrange(3, 42)}", events[0])))
