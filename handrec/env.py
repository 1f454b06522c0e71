"""Any game as an environment of PettingZoo (AEC: one agent acts at a time), for programs that learn to play.

Agents are the seats. An action is a card, a bid, an announcement, or `wait`: to let be what one need not do. All that a game has
stand in one fixed list, `actions`, whose places are the numbers of the action space; the mask says which may be chosen now, by
the referee's own rules. What is chosen of several cards at once, such as cards to be passed, is chosen card by card. The cards
are dealt, and what leaves nobody a choice is done, by the environment.

What an agent observes is taken from what its seat sees (`LiveTable.as_seat`), and so holds nothing that is hidden from it: a row
of whole numbers, of which `layout` names the parts. Seats stand in it clockwise from the agent's own. The table itself, with the
record and the verdict, is `env.unwrapped.live`.

An agent's reward is what the deal scores for it, when the deal is over: nothing where no record of it could tell that, as at
bridge where nobody says who is vulnerable (`boards` free).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from random import Random
from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from handrec.dealing import usual_players
from handrec.game import Game, Table
from handrec.live import LiveTable, table
from handrec.live.sampling import Asked, asked, found, happens, most_deals, next_deal
from handrec.record import Deal
from handrec.sides import NO_SIDE, seats_of

#: What lets be what need not be done.
WAIT = "wait"

#: No number of an observation lies beyond.
MOST = 2**31 - 1


class IllegalAction(ValueError):
    """An action that may not be chosen now; the text says why."""


def env(
    game: str | Game, players: int | None = None, options: Mapping[str, Any] | None = None, *, deals: int | None = 1
) -> AECEnv[str, Any, Any]:
    """An environment of a game, in which an episode has so many deals; None for a whole game.

    Where nothing is carried from deal to deal, an episode of one deal is any deal of a game. Raises `live.CannotPlay` if there is
    no such table.
    """
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(CardGame(game, players, options, deals)))


def words(event: Mapping[str, Any]) -> frozenset[str]:
    """The actions that an event is made of: one, or a card each where it is of several; none if what it says was not heard."""
    card, count, blind = event.get("card"), event.get("count"), event.get("blind")
    if event["do"] == "bid":
        return frozenset([f"bid {event['bid']}" + " blind" * bool(blind)] if "bid" in event else ())
    if event["do"] == "announce":
        return frozenset([" ".join([event["what"], *(str(part) for part in (card, count) if part is not None)])])
    return frozenset([card] if card is not None else event.get("cards") or ())


class CardGame(AECEnv[str, Any, Any]):
    """A game as an environment, without the wrappers that find wrong use."""

    def __init__(self, game: str | Game, players: int | None, options: Mapping[str, Any] | None, deals: int | None) -> None:
        super().__init__()
        self.game, self.players, self.options, self.deals = game, players or usual_players(found(game)), options, deals
        self.chance, self.asked = Random(), Asked(None, ())
        self.silent: set[str] = set()
        self.chosen: frozenset[str] = frozenset()
        self.live = table(game, self.players, options)
        self.single = deals == 1 and not self.live.game.carries
        self.possible_agents = list(self.live.seats)
        self.agents: list[str] = []
        self.actions = _actions(self.live)
        self.number = {action: number for number, action in enumerate(self.actions)}
        self.cards = self.live.game.pack(self.players).cards
        self.layout, self.size = _layout(self.live, len(self.actions))
        self.metadata = {"name": f"handrec_{self.live.game.key}_v0", "render_modes": [], "is_parallelizable": False}
        seen = spaces.Box(-MOST, MOST, (self.size,), numpy.int32)
        mask = spaces.Box(0, 1, (len(self.actions),), numpy.int8)
        self.observation_spaces = {seat: spaces.Dict({"observation": seen, "action_mask": mask}) for seat in self.possible_agents}
        self.action_spaces = {seat: spaces.Discrete(len(self.actions)) for seat in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """A row of whole numbers, as `layout` says, and the mask of the actions."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of the `actions`."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode; there are no `options` for that."""
        if seed is not None:
            self.chance = Random(seed)
        self.live = table(self.game, self.players, self.options, status="excerpt" if self.single else None)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        number = self.chance.randint(1, most_deals(self.live)) if self.single else 1
        happens(self.live, next_deal(self.live, self.chance, number))
        self._go_on()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and what it may do; one that is not asked may only wait."""
        mask = numpy.zeros(len(self.actions), numpy.int8)
        mask[[self.number[action] for action in self._choices(agent)]] = 1
        return {"observation": self._seen(agent), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The agent whose turn it is acts. Raises `IllegalAction` if it may not do that."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        word = self.actions[int(action)]
        if word not in self._choices(agent):
            raise IllegalAction(self._why_not(agent, word))
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if word == WAIT:
            self.silent.add(agent)
            self._ask()
        else:
            self.chosen |= {word}
            done = [event for event in self.asked.events if words(vars(event)) == self.chosen]
            if done:
                happens(self.live, done[0])
                self._go_on()
        self._accumulate_rewards()
        if any(self.terminations.values()) or any(self.truncations.values()):
            self._deads_step_first()

    # --- within ---

    def _go_on(self) -> None:
        """Something has happened: ask whose decision is next."""
        self.silent = set()
        self._ask()

    def _ask(self) -> None:
        """Ask whose decision is next; do what is nobody's, and deal again when a deal is over."""
        self.chosen = frozenset()
        while True:
            due = asked(self.live, self.live.legal(), self.silent)
            if due is not None and due.seat is not None:
                self.asked, self.agent_selection = due, due.seat
                return
            if due is not None:
                happens(self.live, self.chance.choice(due.events))
            elif self._settle():
                return
            else:
                happens(self.live, next_deal(self.live, self.chance))
            self.silent = set()

    def _settle(self) -> bool:
        """A deal is over: reward everybody, and say whether the episode is over too."""
        self.asked = Asked(None, ())
        result, deals = self.live.results[-1], len(self.live.results)
        for seat in self.agents:
            self.rewards[seat] += result.scores.get(seat, 0) - result.penalties.get(seat, 0)
        over = self.live.over or deals == self.deals
        self.terminations = dict.fromkeys(self.agents, over)
        self.truncations = dict.fromkeys(self.agents, not over and deals >= (self.deals or most_deals(self.live)))
        return over or self.truncations[self.agents[0]]

    def _choices(self, agent: str) -> set[str]:
        """What an agent may do now."""
        if agent != self.asked.seat:
            return {WAIT}
        fitting = [made - self.chosen for event in self.asked.events if self.chosen <= (made := words(vars(event)))]
        return set().union(*fitting, {WAIT} if self.asked.free else ())

    def _why_not(self, agent: str, word: str) -> str:
        """Why an action may not be chosen, by the referee if it is a card."""
        if word in self.cards and self.asked.events[0].do == "play":
            answer = self.live.apply({"do": "play", "by": self.asked.events[0].by, "card": word})
            if not answer.ok:
                return f"{answer.message} [{answer.rule}]"
        return f"{agent} may not choose {word} now"

    def _seen(self, agent: str) -> Any:
        """What an agent sees, as a row of numbers."""
        view, seats = self.live.as_seat(agent), self.possible_agents
        row = numpy.zeros(self.size, numpy.int32)
        at = seats.index(agent)
        place = {seat: number for number, seat in enumerate([*seats[at:], *seats[:at], *self.live.game.extras])}
        part = {name: row[begin:end].reshape(shape) for name, (begin, end, shape) in self.layout.items()}
        cards = {name: number for number, name in enumerate(self.cards)}
        part["hand"][[cards[name] for name in view.hand]] = 1
        for seat, held in view.open.items():
            part["open"][place[seat], [cards[name] for name in held]] = 1
        for number, name in enumerate(view.turned, 1):
            part["turned"][cards[name]] = number
        for number, (seat, name) in enumerate(view.trick, 1):
            part["trick"][place[seat], cards[name]] = number
        for number, event in enumerate(view.events, 1):
            if event.get("by") is not None:
                part["said"][place[event["by"]], [self.number[word] for word in words(event) if word in self.number]] = number
        totals = view.results[-1].totals if view.results else None
        for name, numbers in (("cards", view.counts), ("tricks", view.taken), ("totals", totals or {})):
            part[name][[place[seat] for seat in numbers]] = [*numbers.values()]
        side = view.deal.get("vulnerable", "none")
        sides = (seats if side == "all" else []) if side in NO_SIDE else seats_of(side, seats)
        for name, some in (("dealer", [view.deal["dealer"]]), ("vulnerable", sides), ("turn", view.turn)):
            part[name][[place[seat] for seat in some]] = 1
        return row


def _actions(live: LiveTable) -> tuple[str, ...]:
    """All actions of a game: to wait, the cards, and all that may ever be said."""
    game, seats = live.game, live.seats
    pack, schedule = game.pack(len(seats)), game.cards(len(seats))
    largest = schedule if isinstance(schedule, int) else max(schedule)
    at = Table(game, pack, seats, 0, Deal(), 1, largest, True)
    said = [word for phase in game.phases for event in phase.all_sayable(at) for word in words(vars(event))]
    return tuple(dict.fromkeys([WAIT, *pack.cards, *said]))


def _layout(live: LiveTable, actions: int) -> tuple[dict[str, tuple[int, int, tuple[int, ...]]], int]:
    """The parts of an observation: where each begins and ends, and its shape; and how long all of it is.

    `hand`: 1 for each card of the agent's own; `open`: hands that lie open, by seat; `turned`: the cards turned up, numbered as
    they came; `trick`: the plays to the trick on the table, in the same way, by seat; `said`: what each seat has said or played,
    by the number of the event (of what was done several times, the last); `cards` that each seat holds; `tricks` that it has
    taken; `totals` of the deals before; `dealer`, `vulnerable`, `turn`: 1 for each such seat.
    """
    cards, seats = len(live.game.pack(len(live.seats))), len(live.seats) + len(live.game.extras)
    by_seat = dict.fromkeys(("cards", "tricks", "totals", "dealer", "vulnerable", "turn"), (seats,))
    shapes: dict[str, tuple[int, ...]] = {"hand": (cards,), "open": (seats, cards), "turned": (cards,), "trick": (seats, cards)}
    found, begin = {}, 0
    for name, shape in (shapes | {"said": (seats, actions)} | by_seat).items():
        found[name] = begin, begin + prod(shape), shape
        begin += prod(shape)
    return found, begin
