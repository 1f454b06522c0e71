"""Games as environments: PettingZoo's own tests, what an agent may do and sees, what it is rewarded with."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import handrec
from handrec.game import Game
from handrec.live import CannotPlay
from tests.conftest import TOYS
from tests.dealing import GAMES, any_options

pytest.importorskip("pettingzoo", reason="PettingZoo is not installed: pip install 'handrec[env]'")

from pettingzoo.test import api_test, seed_test

from handrec.env import WAIT, CardGame, IllegalAction, env

#: What its test remarks on, and is meant: agents are called by their seats, and see a mask beside the observation.
MEANT = ("We recommend agents to be named", "Observation is not a NumPy array", "Observation space for each agent probably")


def raw(game: str | Game, **more: Any) -> CardGame:
    """An environment without its wrappers."""
    return env(game, **more).unwrapped  # type: ignore[no-any-return]


def played(world: CardGame, seed: int) -> dict[str, int]:
    """Play an episode at random, and say what each agent was rewarded with in all."""
    world.reset(seed=seed)
    rng, rewards = Random(seed), dict.fromkeys(world.possible_agents, 0)
    for agent in world.agent_iter():
        seen, _, ended, cut, _ = world.last()
        assert world.observation_space(agent).contains(seen)
        world.step(None if ended or cut else rng.choice(seen["action_mask"].nonzero()[0]))
        for each, reward in world.rewards.items():
            rewards[each] += reward
    return rewards


@pytest.mark.some(3)
@pytest.mark.filterwarnings(*(f"ignore:{words}:UserWarning" for words in MEANT))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_pettingzoos_own_tests(game: Game) -> None:
    """Of the interface, and of seeds; any warning but those that are meant is an error."""
    api_test(env(game.key), num_cycles=40)
    seed_test(lambda: env(game.key), num_cycles=40)


@pytest.mark.usefixtures("toys")
@pytest.mark.filterwarnings(*(f"ignore:{words}:UserWarning" for words in MEANT))
@pytest.mark.parametrize("key", TOYS)
def test_games_from_outside(key: str) -> None:
    """They, too; among them such as pass cards, which are chosen card by card."""
    api_test(env(key), num_cycles=20)


@pytest.mark.long
@pytest.mark.filterwarnings(*(f"ignore:{words}:UserWarning" for words in MEANT))
@pytest.mark.parametrize("deals", [1, None])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_pettingzoos_own_tests_at_length(game: Game, deals: int | None) -> None:
    """A thousand cycles, of deals and of whole games."""
    api_test(env(game.key, deals=deals), num_cycles=1000)
    seed_test(lambda: env(game.key, deals=deals), num_cycles=500)


@pytest.mark.some(12)
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_an_episode(game: Game, seed: int) -> None:
    """Under any options: whatever the mask allows is accepted and has a number; the record is clean, its points the rewards."""
    rng = Random(seed)
    players = rng.choice([many for many in game.players if many < 8])
    world = raw(game, players=players, options=any_options(game, rng), deals=rng.choice([1, 1, 2]))
    rewards = played(world, seed)
    verdict = world.live.verdict
    assert verdict.findings == ()
    points = dict.fromkeys(rewards, 0)
    for result in verdict.deals:
        for agent in points:
            points[agent] += result.scores.get(agent, 0) - result.penalties.get(agent, 0)
        assert len(result.scores) == players or world.live.game.settings.get("boards") == "free"
    assert rewards == points
    assert world.agents == []


def test_a_whole_game() -> None:
    """It ends with the game, and all rewards come to the totals."""
    world = raw("kbabs", players=9, deals=None)
    rewards = played(world, 1)
    assert world.live.over
    assert dict(world.live.verdict.totals or {}) == rewards


def test_a_game_that_has_no_end() -> None:
    """It is cut off after four deals, and so is truncated and not terminated."""
    world = raw("bridge", deals=None)
    world.reset(seed=1)
    while not any(world.truncations.values()):
        seen = world.observe(world.agent_selection)
        world.step(seen["action_mask"].nonzero()[0][0])
    assert not any(world.terminations.values())
    assert len(world.live.results) == 4


@pytest.mark.some(5)
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_what_an_agent_sees_is_what_its_seat_sees(game: Game) -> None:
    """An observation is made of `as_seat` and of nothing else at the table; the hand is in it, and no other."""
    world, rng = raw(game), Random(3)
    world.reset(seed=3)
    for _ in range(40):
        for agent in world.agents:
            seen, live = world.observe(agent)["observation"], world.live
            world.live = SimpleNamespace(as_seat=live.as_seat, game=live.game)  # type: ignore[assignment]
            assert (world.observe(agent)["observation"] == seen).all()
            world.live = live
            begin, end, _ = world.layout["hand"]
            held = [card for card, own in zip(world.cards, seen[begin:end], strict=True) if own]
            assert sorted(held) == sorted(live.as_seat(agent).hand)
        if any(world.terminations.values()):
            break
        world.step(rng.choice(world.observe(world.agent_selection)["action_mask"].nonzero()[0]))


def test_the_parts_of_an_observation() -> None:
    """After two calls of an auction, a contract, and a lead: who said and played what, whose turn it is, dummy's hand."""
    world = raw("bridge")
    world.reset(seed=5)
    dealer, *others = _clockwise(world, world.agent_selection)

    def part(agent: str, name: str) -> Any:
        begin, end, shape = world.layout[name]
        return world.observe(agent)["observation"][begin:end].reshape(shape)

    for call in ("bid 1H", "bid pass", "bid pass", "bid pass"):
        world.step(world.number[call])
    assert [part(dealer, "said")[place, world.number["bid pass"]] for place in range(4)] == [0, 2, 3, 4]
    assert part(others[2], "said")[1, world.number["bid 1H"]] == 1
    assert part(dealer, "open").sum() == 0
    assert world.agent_selection == others[0]
    lead = world.actions[world.observe(others[0])["action_mask"].nonzero()[0][0]]
    world.step(world.number[lead])
    assert part(dealer, "trick")[1, world.cards.index(lead)] == 1
    assert part(others[2], "open").sum() == 13
    assert (part(others[2], "open")[3] == part(others[1], "hand")).all()
    assert world.agent_selection == dealer  # who plays dummy's cards
    assert list(part(dealer, "cards")) == [13, 12, 13, 13]
    assert list(part(dealer, "turn")) == [0, 0, 1, 0]


def _clockwise(world: CardGame, first: str) -> list[str]:
    """The agents from one on."""
    place = world.possible_agents.index(first)
    return [*world.possible_agents[place:], *world.possible_agents[:place]]


def test_what_the_mask_does_not_allow() -> None:
    """It is not done, and the reason is the referee's; the table is as it was."""
    world = raw("kbabs")
    world.reset(seed=1)
    while world.asked.events[0].do != "play":
        world.step(int(world.observe(world.agent_selection)["action_mask"].nonzero()[0][0]))
    before, agent = world.live.snapshot(), world.agent_selection
    foreign = next(card for card in world.cards if card not in world.live.as_seat(agent).hand)
    with pytest.raises(IllegalAction, match=rf"{foreign}, which {agent} did not hold .* \[C-6d\]"):
        world.step(world.number[foreign])
    with pytest.raises(IllegalAction, match=f"{agent} may not choose {WAIT} now"):
        world.step(world.number[WAIT])
    assert world.live.snapshot() == before
    assert world.agent_selection == agent


def test_what_need_not_be_done() -> None:
    """Who may double at La Bâtarde though it is another's turn is asked, and may wait."""
    world, waited = raw("batarde"), 0
    world.reset(seed=2)
    while world.asked.events[0].do != "play":
        free = world.asked.free
        assert free == bool(world.observe(world.agent_selection)["action_mask"][world.number[WAIT]])
        choices = world.observe(world.agent_selection)["action_mask"].nonzero()[0]
        world.step(world.number[WAIT] if free else int(choices[0]))
        waited += free
    assert waited
    assert not [event for event in world.live.record.deals[0].events if event.do == "announce"]


def test_actions_are_stated() -> None:
    """They are the same list for whoever asks, and hold each card once."""
    world = raw("spades3")
    assert world.actions[0] == WAIT
    assert len(set(world.actions)) == len(world.actions)
    assert {*world.cards, "bid 0", "bid 13", "bid 5 blind", "look", "bemo"} <= set(world.actions)
    assert raw("spades3").actions == world.actions


def test_what_cannot_be_played() -> None:
    """It is said why."""
    with pytest.raises(CannotPlay, match="no game kbaps is known"):
        env("kbaps")
    with pytest.raises(CannotPlay, match="5 players"):
        env("bugami", 5)


def test_the_example_of_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    """It runs as it stands, and its deal is clean."""
    page = (Path(handrec.__file__).parent / "help/python.md").read_text("utf-8")
    (example,) = re.findall(r"^```py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    exec(compile(example, "python.md", "exec"), {})
    assert re.fullmatch(r"([NESW] -?\d+\n){4}True\n", capsys.readouterr().out)
