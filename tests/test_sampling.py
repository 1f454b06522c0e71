"""Games that players at a table make up: legal, the same for the same seed, and careful players are better than others."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import handrec
from handrec import games
from handrec.dealing import POLICIES, usual_players
from handrec.game import Game, Table
from handrec.live import CannotPlay
from handrec.live.sampling import asked, next_deal
from handrec.record import Record
from tests.commands import Handrec
from tests.dealing import GAMES, any_options


def clean(record: Record) -> None:
    """Nothing is wrong with it, and play and score could be checked."""
    verdict = handrec.check(record)
    assert verdict.findings == (), record.id
    assert [level.status for level in verdict.levels[:6]] == ["passed"] * 6


@pytest.mark.some(6)
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_is_made_up_is_clean(game: Game, policy: str) -> None:
    """By the usual rules; the same seed gives the same game, and another seed another one."""
    record = handrec.sample(game.key, 1, policy, deals=2)
    clean(record)
    assert len(record.deals) == 2
    assert len(record.players) == usual_players(game)
    assert handrec.sample(game, 1, policy, deals=2) == record
    assert handrec.sample(game, 2, policy, deals=2).deals[0].hands != record.deals[0].hands


@pytest.mark.some(12)
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_under_any_options(game: Game, policy: str, seed: int) -> None:
    """With any number of players up to seven."""
    rng = Random(seed)
    players = rng.choice([many for many in game.players if many < 8])
    clean(handrec.sample(game, seed, policy, players=players, options=any_options(game, rng), deals=2))


@pytest.mark.parametrize(("key", "status"), [("kbabs", "complete"), ("bugami", "complete"), ("bridge", "stopped")])
def test_a_whole_game(key: str, status: str) -> None:
    """It goes on until it is over; where it has no end, four deals."""
    record = handrec.sample(key, 3, "careful", players=9 if key == "kbabs" else None)
    assert record.status == status
    assert handrec.check(record).ok
    assert key != "bridge" or len(record.deals) == 4


def decisions(game: Game, seed: int) -> Iterator[tuple[Table, tuple[Any, ...]]]:
    """What careful players are asked in a deal that they play, at the table as it is then."""
    table, rng = handrec.table(game, usual_players(game)), Random(seed)
    table.apply(next_deal(table, rng))
    while (due := asked(table, table.legal(), table.seats)) is not None:
        assert table.playing is not None
        if due.seat is not None:
            yield table.playing, due.events
        events = due.events if due.seat is None else [POLICIES["careful"](table.playing, due.events, False, Random(seed))]
        assert table.apply(events[0]).ok


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_a_careful_player_looks_at_no_other_hand(game: Game) -> None:
    """Whatever the others hold, it does the same."""
    for table, events in decisions(game, 5):
        choice = POLICIES["careful"](table, events, False, Random(7))
        own, left, hands = table.place_of[events[0].by], table.left, table.hands
        table.left = [held if place == own else 0 for place, held in enumerate(left)]
        table.hands = [held if place == own else 0 for place, held in enumerate(hands)]
        assert POLICIES["careful"](table, events, False, Random(7)) == choice
        table.left, table.hands = left, hands


def test_a_careful_player_wins_cheaply_or_plays_low() -> None:
    """At bridge, where all want tricks: the last takes it with the lowest card that does, and throws the lowest if none does."""
    ranks, won, lost = "23456789TJQKA", 0, 0
    for seed in range(12):
        for table, events in decisions(games.find("bridge"), seed):  # type: ignore[arg-type]
            play = table.state
            if play is None or len(play.plays) != 3 or table.contract is None:
                continue
            (_, led, _), trump = play.plays[0], table.contract[-1]

            def strength(card: str, led: str = led, trump: str = trump) -> tuple[bool, bool, int]:
                return card[1] == trump, card[1] == led[1], ranks.index(card[0])

            best = max(strength(card) for _, card, _ in play.plays)
            card = POLICIES["careful"](table, events, False, Random(seed)).card
            winning = [event.card for event in events if strength(event.card) > best]
            if winning:
                assert strength(card) == min(map(strength, winning))
            elif all(event.card[1] == card[1] for event in events):
                assert strength(card) == min(strength(event.card) for event in events)
            won, lost = won + bool(winning), lost + (not winning)
    assert won > 10
    assert lost > 10


def test_careful_players_make_more_of_their_bids() -> None:
    """Over some deals of kbabs, careful players come to much more than players at random."""

    def points(policy: str) -> int:
        verdict = handrec.check(handrec.sample("kbabs", 1, policy, players=3, deals=12))
        return sum((verdict.totals or {}).values())

    assert points("careful") > points("random") + 100


def test_a_policy_of_ones_own() -> None:
    """Any function that chooses; here one that always takes the first."""

    def first(table: Table, events: Any, free: bool, rng: Random) -> Any:
        return None if free else events[0]

    record = handrec.sample("kbabs", 1, first, deals=1)
    clean(record)
    assert {event.bid for event in record.deals[0].events if event.do == "bid"} == {0}


@pytest.mark.parametrize(
    ("game", "more", "why"),
    [
        ("kbaps", {}, "no game kbaps is known"),
        ("kbabs", {"policy": "clever"}, "no policy clever is known; these are: careful, random"),
        ("bugami", {"players": 5}, "5 players, but the game is for 3"),
        ("kbabs", {"options": {"jokers": 9}}, "jokers"),
    ],
)
def test_what_cannot_be_played(game: str, more: dict[str, Any], why: str) -> None:
    """It is said why."""
    with pytest.raises(CannotPlay, match=why):
        handrec.sample(game, 1, **more)


def test_deal_with_a_policy(handrec: Handrec) -> None:
    """Like any other games that are dealt; but no fault is planted in them."""
    code, out, _ = handrec("deal", "bugami", "--policy", "careful", "--count", "3", "--deals", "1", "--seed", "4")
    assert code == 0
    assert len(out.splitlines()) == 3
    assert handrec("check", "-", stdin=out.encode())[0] == 0
    assert handrec("deal", "bugami", "--policy", "careful", "--inject", "REV001")[0] == 2
    assert "no policy clever is known" in handrec("deal", "bugami", "--policy", "clever")[2]
