"""The Bastard family: random games, whole or changed, must be judged alike by the referee and by a second one."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from handrec.dealing import deal_game
from handrec.games import find
from tests.dealing import any_options
from tests.games.bastard_hands import SETS, USUAL, VARIANTS, Hand
from tests.tables import Data, drop, faults, legal, legal_bids, put, verdict

#: Options that change what a hand means, but not which events it has.
MEANING = {key: USUAL[key] for key in ("mega_rank_trick1", "bastard_self_effect")} | {
    "nuisance_trump": ["first_card_for_hand", "first_trick_only", "every_card"],
    "ultimate_same_rank": ["cancel", "high", "low"],
    "trump_break": ["none", "must_be_broken"],
}


def dealt(seed: int, many: int = 3) -> Data:
    """The first deals of a game of any variant, with random options; they are all of it unless more are still to come."""
    rng = Random(seed)
    game = find("bastard")
    assert game is not None
    options = any_options(game, rng, dict.fromkeys(rng.choice(VARIANTS), True))
    record = deal_game(game, 3, seed, options=options, numbers=range(1, rng.randint(1, many) + 1))
    data: Data = record.model_dump(mode="json", exclude_unset=True, by_alias=True)
    ended = len(data["deals"]) == options.get("game_end", {"hands": len(data["deals"])}).get("hands")
    return {**data, "status": "complete"} if ended else data


def bare(record: Data) -> Data:
    """The record without its score sheet, as deals out of a game."""
    for deal in range(len(record["deals"])):
        record = drop(record, f"/deals/{deal}/claimed") if "claimed" in record["deals"][deal] else record
    return {**{key: value for key, value in record.items() if key != "claimed"}, "status": "excerpt"}


def agree(record: Data) -> None:
    """Both referees find the same revokes, winners, tricks and, where they can be known, points in every deal."""
    told = verdict(record)
    for number, (deal, result) in enumerate(zip(record["deals"], told.deals, strict=True)):
        hand = Hand(record, deal)
        found = {
            f.pointer.split("/")[4]
            for f in faults(told)
            if f.code.startswith("REV") and f.pointer.startswith(f"/deals/{number}/")
        }
        assert {int(place) for place in found} == hand.revokes()
        assert [trick.winner for trick in result.played] == hand.winners
        assert result.tricks is None or {seat: result.tricks[seat] for seat in hand.won} == hand.won
        if "sandbags" not in record["options"]:
            assert result.scores == hand.points({})


examples = settings(deadline=None, max_examples=15, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
seeds = given(st.integers(0, 10**9))


@pytest.mark.parametrize(
    "parts", [some | more for some in SETS for more in (set(), {"ultimate"})], ids=lambda some: "+".join(sorted(some))
)
def test_variants_ba_com_1(parts: set[str]) -> None:
    """A set of parts is a variant, or it is refused."""
    record = put(bare(dealt(1)), "/options", dict.fromkeys(sorted(parts), True))
    refused = any(f.code in ("FMT010", "FMT011") for f in faults(verdict(record)))
    assert refused == (parts not in VARIANTS)


@examples
@seeds
def test_dealt_games_ba_10_ba_11_ba_12(seed: int) -> None:
    """Of a game played by the rules both referees work out the same winners, tricks, points, totals, end and winner."""
    record = dealt(seed)
    told = verdict(record)
    assert faults(told) == []
    end = record["options"].get("game_end")
    totals, bags, over = dict.fromkeys(told.totals or {}, 0), dict.fromkeys(("P1", "P2", "P3"), 0), False
    for deal, result in zip(record["deals"], told.deals, strict=True):
        hand = Hand(record, deal)
        assert hand.is_legal()
        assert not over
        points, claimed = hand.points(bags), deal["claimed"]
        assert claimed["winners"] == hand.winners
        assert claimed["tricks"] == hand.won
        assert claimed["bids"] == hand.bids
        assert result.scores == points
        assert claimed.get("scores", {}).items() <= points.items()
        totals = {seat: total + points[seat] for seat, total in totals.items()}
        assert dict(result.totals or {}) == totals
        assert result.order == (hand.trump(1) or "NT") or hand.o["mega"]
        over = bool(end) and bool(
            len(totals) and max(totals.values()) >= end["target"] if "target" in end else deal["number"] >= end["hands"]
        )
    assert (record["status"] == "complete") == (over or not end)
    if record["status"] == "complete":
        assert told.totals == totals
        assert told.winners == tuple(seat for seat in totals if totals[seat] == max(totals.values()))


@examples
@seeds
def test_what_may_be_played_and_bid_ba_5_ba_7_ba_8(seed: int) -> None:
    """What a player may bid and what a player may play is the same for both referees."""
    record, rng = bare(dealt(seed, 1)), Random(seed)
    hand = Hand(record, record["deals"][0])
    could = hand.could
    for place in [*rng.sample(sorted(could), 2), hand.tricks[rng.randrange(13)][0][0]]:
        assert place not in could or legal(record, place) == could[place]
    allowed = list(range(hand.o["bid_min"], hand.most + 1))
    tried: list[int | str] = [-1, 0, 1, 13, 14, 16, 17, "pass"]
    assert legal_bids(record, rng.randrange(3), tried) == [bid for bid in tried if bid in allowed]


@examples
@seeds
def test_another_card_is_played_ba_8_ba_9(seed: int) -> None:
    """Two cards of a player change places, and a bid is another: the same revokes, winners and points all the same."""
    record, rng = bare(dealt(seed)), Random(seed)
    for _ in range(rng.randint(1, 3)):
        number = rng.randrange(len(record["deals"]))
        events = record["deals"][number]["events"]
        record = put(record, f"/deals/{number}/events/{rng.randrange(3)}/bid", rng.randint(1, 13))
        seat = rng.choice(("P1", "P2", "P3"))
        first, second = rng.sample(
            [place for place, event in enumerate(events) if event["do"] == "play" and event["by"] == seat], 2
        )
        changed = put(record, f"/deals/{number}/events/{first}/card", events[second]["card"])
        record = put(changed, f"/deals/{number}/events/{second}/card", events[first]["card"])
    agree(record)


@examples
@seeds
def test_other_options_same_events_ba_com_2_ba_com_5_ba_nui_6_ba_ultm_3(seed: int) -> None:
    """The same events under other options: the same revokes, winners and points."""
    record, rng = bare(dealt(seed)), Random(seed)
    options = dict(record["options"])
    for key, values in MEANING.items():
        options[key] = rng.choice(values if isinstance(values, list) else [True, False])
    if any(options.get(part) for part in ("mega", "ultra", "demon")):
        options |= dict(zip(("mega", "ultra", "demon"), rng.choice(["100", "010", "001", "110", "101"]), strict=True))
        options |= {key: options[key] == "1" for key in ("mega", "ultra", "demon")}
    changed = put(record, "/options", options)
    if not any(f.code.startswith("FMT") for f in faults(verdict(changed))):
        agree(changed)


@examples
@seeds
def test_an_event_is_moved_ba_5_ba_6_ba_bas_2_ba_nui_3_ba_be_1(seed: int) -> None:
    """An event moved to another place is a fault, unless all is still as it should be."""
    record, rng = bare(dealt(seed, 1)), Random(seed)
    events = list(record["deals"][0]["events"])
    near = rng.random() < 0.7
    place = rng.randrange(len(events))
    moved = events.pop(place)
    events.insert(min(len(events), max(0, place + rng.choice((-2, -1, 1, 2)))) if near else rng.randrange(len(events)), moved)
    changed = put(record, "/deals/0/events", events)
    hand, found = Hand(changed, changed["deals"][0]), {f.code[:3] for f in faults(verdict(changed))}
    assert (found == set()) == hand.is_legal()
    kinds = [event["do"] for event in events]
    bids_in_turn = [event["by"] for event in events if event["do"] == "bid"] == hand.round
    if moved["do"] == "bid":
        assert ("BID" in found) == (not bids_in_turn or kinds.index("play") < len(kinds) - 1 - kinds[::-1].index("bid"))


@examples
@seeds
def test_another_guess_ba_bas_4_ba_bas_5(seed: int) -> None:
    """Whatever is guessed, the same guesses are not allowed and the same one is paid."""
    rng = Random(seed)
    options: Data = {"ultimate": rng.random() < 0.5, **rng.choice([{}, {"guess_pass": False}, {"guess_seen_card": "forbidden"}])}
    game = find("bastard")
    assert game is not None
    record = deal_game(game, 3, seed, options=options, numbers=[1]).model_dump(mode="json", exclude_unset=True, by_alias=True)
    deal = record["deals"][0]
    few = [deal["aside"]["widow"][3], deal["aside"]["widow"][1], deal["hands"]["P1"][0], None]
    for event in deal["events"][-3:]:
        event.pop("card", None)
        event |= {"card": card} if (card := rng.choice(few)) else {}
    if rng.random() < 0.3:
        deal["events"][-3:] = rng.sample(deal["events"][-3:], 3)
    hand = Hand(record, deal)
    told = verdict(bare(record))
    assert (faults(told) == []) == hand.is_legal()
    assert told.deals[0].scores == hand.points({})
