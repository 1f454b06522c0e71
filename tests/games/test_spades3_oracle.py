"""Three-player Spades: dealt and random games, judged a second time by a plain reckoning of the rules."""

from __future__ import annotations

from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from handrec import check
from handrec.dealing import deal_game
from handrec.game import compose
from handrec.games import find
from handrec.record import Record
from handrec.referee import replay
from tests.dealing import any_options
from tests.games.spades3_reckoning import (
    PACK,
    SEATS,
    SPADES,
    Data,
    height,
    judged_bids,
    judged_books,
    judged_play,
    may_play,
    reckoned,
    turns_kept,
    wins,
)

GAME = find("spades3")
assert GAME is not None


# --- random games -----------------------------------------------------------------------------------------------------


def random_play(rng: Random, deal: Data, chosen: Data) -> None:
    """Play a deal out, now and then without following suit; reneges may be claimed, at once or too late."""
    held = {seat: list(cards) for seat, cards in deal["hands"].items()}
    leader = SEATS[(SEATS.index(deal["dealer"]) + 1) % 3]
    keen = {seat: rng.random() for seat in SEATS}
    faulty = rng.choice([0, 0, 0.05])
    events, earlier = deal["events"], []
    for trick_number in range(1, 14):
        trick: list[Data] = []
        place = SEATS.index(leader)
        for seat in [SEATS[(place + step) % 3] for step in range(3)]:
            due = may_play(held[seat], [play["card"] for play in trick], earlier, chosen)
            cards = sorted(due, key=lambda card: height(card, chosen))
            card = cards[-1 if rng.random() < keen[seat] else 0]
            illegal = [other for other in held[seat] if other not in due]
            if trick and illegal and rng.random() < faulty:
                card = rng.choice(illegal)
            trick.append({"do": "play", "by": seat, "card": card})
            events.append(trick[-1])
            held[seat].remove(card)
            for other in SEATS:
                if card in illegal and other != seat and rng.random() < 0.5:
                    events.append({"do": "accuse", "by": other, "of": seat, "trick": trick_number})
        earlier += [play["card"] for play in trick]
        leader = wins(trick, chosen)


def random_bids(rng: Random, deal: Data, chosen: Data, style: Data, sound: bool) -> list[Data]:
    """A bidding: looks, bids blind and open, raises and side bids, some of them not allowed unless it is to be sound."""
    have = {seat: judged_play(deal, chosen)[1].count(seat) for seat in SEATS}
    said: list[Data] = []
    for _ in range(20):
        seat = rng.choice(SEATS)
        near = have[seat] + rng.choice(style[seat])
        number = max(0, min(13, near)) if rng.random() < 0.8 else rng.randrange(14 if sound else 16)
        event: Data = {"do": "bid", "by": seat, "bid": number}
        event |= {"blind": True} if rng.random() < 0.4 else {}
        if rng.random() < 0.2:
            event = {"do": "announce", "by": seat, "what": rng.choice(["look", "bemo", "big_bemo"])}
        stand, wrong = judged_bids({**deal, "events": [*said, event]}, chosen)
        if (
            (sound and wrong)
            or len(wrong) > 1
            or (event.get("what") == "look" and stand[seat]["bid"] is not None and not stand[seat]["blind"])
        ):
            continue
        said.append(event)
        alone = chosen.get("bemo_mode") == "standalone"
        done = all(bid["bid"] is not None or (alone and bid["bemos"]) for bid in stand.values())
        if done and rng.random() < 0.6:
            return said
    return said if done else random_bids(rng, deal, chosen, style, sound)


def random_game(seed: int, sound: bool = True, most: int = 60) -> Data:
    """A game of random deals to its end, with books taken for reneges in the same or a later deal."""
    rng = Random(seed)
    chosen = any_options(GAME, rng)
    deals: list[Data] = []
    style = {seat: rng.choice([[0], [0, 0, 0, -1], [-1, -2, -3], [-1, -4, -5], [1, 0, -1], [0, 0, 2]]) for seat in SEATS}
    dealer = rng.randrange(3)
    for number in range(1, most + 1):
        pack = rng.sample(PACK, 52)
        if rng.random() < 0.15:
            rich = rng.sample(SPADES[5:], rng.randint(7, 10))
            pack = rich + [card for card in pack if card not in rich]
        turned = rng.sample(SEATS, 3)
        hands = {seat: pack[place * 13 : place * 13 + 13] for place, seat in enumerate(turned)}
        deal: Data = {"number": number, "dealer": SEATS[(dealer + number) % 3], "hands": hands}
        deal |= {"aside": {"discard": pack[39:]}, "events": []}
        random_play(rng, deal, chosen)
        deal["events"] = random_bids(rng, deal, chosen, style, sound) + deal["events"]
        deals.append(deal)
        wronged = not sound and bool(judged_books(deals, chosen)[1])
        claims = [(d, e) for d in deals for e in d["events"] if e["do"] == "accuse"]
        for d, claim in claims:
            if rng.random() < (0.7 if d is deal else 0.15):
                taken: Data = {"do": "transfer", "by": claim["by"], "of": claim["of"], "tricks": rng.randint(1, 4)}
                taken |= {"of_deal": d["number"]} if d is not deal or rng.random() < 0.3 else {}
                spot = rng.randrange(len(deal["events"]) + 1)
                deal["events"].insert(spot, taken)
                if (sound and judged_books(deals, chosen)[1]) or wronged:
                    del deal["events"][spot]
    last = reckoned(deals, chosen)[1] if sound else None
    deals = deals[:last]
    return {
        "format": "handrec",
        "version": "1.0",
        "game": "spades3",
        "options": chosen,
        "players": [{"seat": seat} for seat in SEATS],
        "status": "complete" if last else "stopped",
        "deals": deals,
    }


def found(told: Any, *families: str) -> set[tuple[int, int]]:
    """The events (deal, event) at which something of these families was found."""
    parts = [f.pointer.split("/") for f in told.findings if f.code.startswith(families)]
    return {(int(part[2]), int(part[4])) for part in parts if len(part) > 4 and part[3] == "events"}


def told_of(record: Data) -> Any:
    return check(Record.model_validate(record))


# --- both referees ----------------------------------------------------------------------------------------------------


def compare(record: Data, scored: bool) -> None:
    """Both referees find the same plays, bids and transfers at fault; where bids and books are right, the same scores."""
    told, deals, chosen = told_of(record), record["deals"], record["options"]
    bids = {(here, place) for here, deal in enumerate(deals) for place in judged_bids(deal, chosen)[1]}
    plays = {(here, place) for here, deal in enumerate(deals) for place in judged_play(deal, chosen)[2]}
    books = judged_books(deals, chosen)[1]
    until = [turns_kept(deal, chosen) for deal in deals]
    assert found(told, "BID") == bids
    assert {spot for spot in found(told, "REV") if spot[1] < until[spot[0]]} == {
        spot for spot in plays if spot[1] < until[spot[0]]
    }
    assert {(here, at) for here, at in found(told, "CLM") if deals[here]["events"][at]["do"] == "transfer"} == books
    if scored:
        rows, last, winners = reckoned(deals, chosen)
        for row, deal in zip(rows, told.deals, strict=True):
            tricks = {"winners": [trick.winner for trick in deal.played], "tricks": deal.tricks}
            assert {**tricks, "scores": deal.scores, "totals": deal.totals} == row
        assert list(told.winners or []) == winners
        assert last in (None, len(deals))
        assert not [f for f in told.findings if f.severity != "info" and f.code[:3] not in ("REV", "CLM")]


def spoiled(record: Data, seed: int) -> Data:
    """The record with one play, bid or place of an event changed, without what is claimed."""
    rng, record = Random(seed), deepcopy(record)
    for deal in record["deals"]:
        deal.pop("claimed", None)
    record.pop("claimed", None)
    events = rng.choice(record["deals"])["events"]
    plays = [place for place, event in enumerate(events) if event["do"] == "play"]
    kind = rng.randrange(4)
    if kind < 2:
        first = rng.choice(plays[:-3])
        other = rng.choice([place for place in plays if place > first and events[place]["by"] == events[first]["by"]])
        events[first]["card"], events[other]["card"] = events[other]["card"], events[first]["card"]
    elif kind == 2:
        event = rng.choice([event for event in events if event["do"] == "bid"])
        event["bid"] = rng.randrange(16)
    else:
        event = events.pop(rng.randrange(plays[0]))
        events.insert(rng.randrange(plays[3]), event)
    return record


few = settings(max_examples=12, deadline=None, derandomize=True)
seeds = given(st.integers(0, 10**9))


@few
@seeds
def test_second_referee_agrees_on_random_games(seed: int) -> None:
    """Blind bids, raises, side bids, reneges and books taken are scored alike to the end of the game."""
    compare(random_game(seed, most=8), True)


@few
@seeds
def test_second_referee_agrees_on_faulty_games(seed: int) -> None:
    """A bid that was not allowed, and books taken without a right, are found at their events and nowhere else."""
    compare(random_game(seed, False, 2), False)


def dealt(seed: int, many: int = 4) -> tuple[Data, Record]:
    """A few deals of a game dealt with random options."""
    rng = Random(seed)
    record = deal_game(GAME, 3, seed, options=any_options(GAME, rng), numbers=list(range(1, many + 1)))
    return record.model_dump(exclude_unset=True), record


@few
@seeds
def test_second_referee_agrees_on_dealt_games(seed: int) -> None:
    """What may be played, who wins and what it counts are the same for both, and what the dealer claims."""
    data, record = dealt(seed)
    compare(data, True)
    rows = reckoned(data["deals"], data["options"])[0]
    assert [{key: deal["claimed"][key] for key in rows[0]} for deal in data["deals"]] == rows
    for table, deal in zip(replay(record, compose(GAME, data["options"])[0], trace=True), data["deals"], strict=True):
        could = judged_play(deal, data["options"])[0]
        assert {seen.place: set(table.pack.names(seen.legal)) for seen in table.trace or ()} == {
            place: set(cards) for place, cards in could.items()
        }


@few
@seeds
def test_second_referee_agrees_on_spoiled_games(seed: int) -> None:
    """After one play, bid or place is changed, both find the same plays and bids at fault."""
    compare(spoiled(dealt(seed, 1)[0], seed), False)
