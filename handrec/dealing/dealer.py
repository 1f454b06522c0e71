"""The dealer: a game in the making.

The dealer knows no game: at every moment it asks the game's phases which events may come next and picks one. A rule of
play or bidding is broken by asking for the events that break just that rule; faults of the record are planted when it is whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from handrec.dealing.faults import has_ladder, plantings, seats_for
from handrec.dealing.players import off_share
from handrec.findings import Rule
from handrec.game import Game, Phase, Standings, Table, compose
from handrec.game.hands import take_hands
from handrec.game.value import never
from handrec.record import FIRST, FORMAT, Deal, Record
from handrec.referee import check
from handrec.referee.scores import judge_deal, start
from handrec.versions import version_of

#: A game that its score ends is broken off after so many deals at the latest.
MOST_DEALS = 100

#: Faults that are planted while dealing, besides those of play rules and bid rules.
_WARPS = ("DEA005", "DEA006")


class CannotDeal(ValueError):
    """What was asked for cannot be dealt: too many players, an unknown option, a fault that cannot occur."""


def injectable(game: Game) -> tuple[str, ...]:
    """The codes of the faults that can be planted in a game, sorted."""
    bid = {rule.code for rule in game.rules if rule.on in ("bid", "bids") and "bid" in game.phase_of}
    played = {rule.code for rule in game.rules if rule.narrow}
    dealt = {"DEA005"} if has_ladder(game) else set[str]()
    dealt |= {"DEA006"} if game.rotates else set()
    return tuple(sorted({*bid, *played, *dealt, *plantings(game), *(code for phase in game.phases for code in phase.breakable)}))


def alike(game: Game) -> dict[str, Rule]:
    """The rules that can be broken each by itself though they share their code with others, as `LB-25b-REV004`."""
    planted = plantings(game)
    shared = [code for code in injectable(game) if code not in _WARPS and code not in planted and len(game.rules_of(code)) > 1]
    return {f"{rule.id}-{code}": rule for code in shared for rule in game.rules_of(code)}


def deal_game(
    game: Game,
    players: int,
    seed: int,
    *,
    options: Mapping[str, Any] | None = None,
    numbers: Sequence[int] | None = None,
    inject: str | None = None,
) -> Record:
    """A game played by the rules from a seed: whole, or only the deals numbered; with `inject`, exactly one fault in it.

    What is injected is a code; or, where several rules share it, the one meant: its id and code, as `LB-25b-REV004`. The same
    arguments give the same record. Raises `CannotDeal` with the reason if that cannot be dealt.
    """
    options = dict(options or {})
    composed, faults = compose(game, options)
    if faults:
        raise CannotDeal(f"options of {game.key}: {faults[0][1]}")
    if players not in game.players:
        low, high = min(game.players), max(game.players)
        raise CannotDeal(f"{game.title} is for {low if low == high else f'{low} to {high}'} players, not {players}")
    apart = {name.upper(): rule for name, rule in alike(composed).items()}
    known = (*injectable(composed), *apart)
    if inject is not None and (inject := inject.upper()) not in known:
        raise CannotDeal(
            f"{inject} cannot be planted in {game.key}; these can: {' '.join((*injectable(composed), *alike(composed)))}"
        )
    rng = Random(f"{game.key} {players} {sorted(map(str, options.items()))} {numbers} {inject} {seed}")
    planting = plantings(composed).get(inject or "")
    for _ in range(200):
        data = _Dealing(composed, players, rng, numbers, inject, apart.get(inject or "")).data()
        if data is None:
            continue
        data["options"] = options
        data["id"] = f"{game.key}-{players}-{seed}"
        data["provenance"] = {"kind": "generated", "tool": "handrec"}
        if planting is not None and planting.reckoned and not planting.apply(data, rng, composed):
            continue
        data = reckon(data, game)
        if planting is not None and not planting.reckoned and not planting.apply(data, rng, composed):
            continue
        record = Record.model_validate(data)
        return record.model_copy(update={"version": version_of(record.deals, record.claimed)})
    raise CannotDeal(f"{inject} does not come about with {players} players and these options")


def reckon(data: dict[str, Any], game: Game) -> dict[str, Any]:
    """The record with all that follows from it filled in under `claimed`: winners, tricks, scores, totals."""
    verdict = check(Record.model_validate(data), lambda key: game)
    for deal, result in zip(data["deals"], verdict.deals, strict=True):
        claimed: dict[str, Any] = {
            "trump": result.order,
            "bids": {seat: int(bid) if bid.isdigit() else bid for seat, bid in result.bids.items()},
            "winners": [trick.winner for trick in result.played],
            "tricks": dict(result.tricks or {}),
            "scores": result.scores,
            "totals": dict(result.totals or {}),
        }
        if result.sides:
            stated = ((side, {key: number for key, number in each._asdict().items() if number is not None})
                      for side, each in result.sides.items())  # fmt: skip
            claimed["sides"] = {side: numbers for side, numbers in stated if numbers}
            del claimed["scores"]
        if None in claimed["winners"]:
            del claimed["winners"]
        deal["claimed"] = {key: value for key, value in claimed.items() if value}
    if verdict.totals is not None and game.score:
        data["claimed"] = {"totals": dict(verdict.totals)}
        if verdict.winners is not None:
            data["claimed"]["winners"] = list(verdict.winners)
    return data


def laid_out(game: Game, seats: Sequence[str], number: int, size: int, dealer: int, rng: Random) -> dict[str, Any]:
    """A deal in which nothing has happened yet: its fields as plain values, the cards dealt at random."""
    pack = game.pack(len(seats))
    cards = rng.sample(pack.cards, len(pack))
    hands = {seat: list(pack.names(pack.mask(cards[place * size : (place + 1) * size]))) for place, seat in enumerate(seats)}
    rest, aside = cards[len(seats) * size :], {}
    for name, many in game.aside(len(seats), size).items():
        aside[name], rest = rest[:many], rest[many:]
    aside = {name: lying for name, lying in aside.items() if lying}
    data: dict[str, Any] = {"number": number, "dealer": seats[dealer], "cards": size, "hands": hands}
    for phase in game.phases:
        data |= phase.heading(number, seats)
    return data | ({"aside": aside} if aside else {})


class _Dealing:
    """One game in the making."""

    def __init__(
        self, game: Game, players: int, rng: Random, numbers: Sequence[int] | None, inject: str | None, breaking: Rule | None
    ) -> None:
        self.game, self.players, self.rng = game, players, rng
        schedule = game.cards(players)
        self.fixed = schedule if isinstance(schedule, int) else None
        self.whole = numbers is None
        self.by_score = game.over is not never and (self.whole or list(numbers or ()) == list(range(1, len(numbers or ()) + 1)))
        many = MOST_DEALS if self.by_score and self.whole else 4
        self.sizes = (schedule,) * many if isinstance(schedule, int) else schedule
        self.numbers = list(numbers or range(1, len(self.sizes) + 1))
        self.inject = inject
        self.breaking = breaking or self._rule(inject)
        self.spot = rng.choice(self.numbers[:4] if self.by_score else self.numbers)
        self.totals: list[int] | None = [0] * players
        self.carried = start(game, players, True)
        self.over = False
        self.redealt = 0  # so many deals were dealt again by the same dealer

    def _rule(self, code: str | None) -> Rule | None:
        if code is None or code in _WARPS or code in plantings(self.game):
            return None
        rules = self.game.rules_of(code)
        return self.rng.choice(rules) if len(rules) > 1 else rules[0]

    def status(self) -> str:
        """Complete if it is all there, stopped if it is the beginning, else an excerpt."""
        if self.by_score:
            return "complete" if self.over else "stopped"
        if self.whole:
            return "excerpt" if self.fixed else "complete"
        return "excerpt" if self.fixed or self.numbers != list(range(1, len(self.numbers) + 1)) else "stopped"

    def data(self) -> dict[str, Any] | None:
        """The record as plain data; None if the fault asked for did not come about."""
        first = self.rng.randrange(self.players)
        deals = []
        for number in self.numbers:
            size = self.fixed or self.sizes[(number - 1) % len(self.sizes)]
            dealer = (first + number - self.redealt) % self.players
            if number == self.spot and self.inject == "DEA005":
                size = self.rng.choice([n for n in range(1, max(self.sizes) + 1) if n != size] or [0])
                if not size:
                    return None
            if number == self.spot and self.inject == "DEA006" and self.game.rotates:
                if self.players < 2 or len(self.numbers) < 2 or number == self.numbers[0]:
                    return None
                dealer = (dealer + self.rng.randrange(1, self.players)) % self.players
            deal = self._deal(number, size, dealer, self.breaking if number == self.spot else None)
            if deal is None:
                return None
            deals.append(deal)
            if self.by_score and (self.over or self.totals is None):
                break
        if self.spot > len(deals) and self.by_score and (self.breaking is not None or self.inject in _WARPS):
            return None  # the game was over before
        return {
            "format": FORMAT,
            "version": FIRST,
            "id": "",
            "game": self.game.key,
            "options": {},
            "players": [{"seat": seat} for seat in seats_for(self.players)],
            "status": self.status(),
            "deals": deals,
        }

    def _deal(self, number: int, size: int, dealer: int, breaking: Rule | None) -> dict[str, Any] | None:
        seats, pack = seats_for(self.players), self.game.pack(self.players)
        data = laid_out(self.game, seats, number, size, dealer, self.rng)
        deal = Deal.model_validate({**data, "events": []})
        table = Table(self.game, pack, seats, 0, deal, number, size, True)
        take_hands(table)
        table.play_on()
        if breaking is not None and not self._play(table, breaking):
            return None
        if breaking is None:
            self._play(table, None)
        if table.unplayed and self.inject is not None:
            return None  # where nobody played, hardly anything can be wrong
        self.redealt += self.game.redealt and table.unplayed
        if self.by_score:
            self._score(table)
        events = [event.model_dump(exclude_unset=True) | {"do": event.do} for event in deal.events]
        return {**data, "events": [{"do": event.pop("do"), **event} for event in events]}

    def _score(self, table: Table) -> None:
        """Add up the deal's points, and see whether they end the game."""
        for phase in self.game.phases:
            phase.close(table)
        result, self.carried = judge_deal(table, self.carried)
        if self.totals is None or len(result.scores) < self.players:
            self.totals = None
            return
        points = [result.scores[seat] - result.penalties.get(seat, 0) for seat in table.seats[: self.players]]
        self.totals = [total + more for total, more in zip(self.totals, points, strict=True)]
        keys = {key for numbers in self.carried.values() for key in numbers or ()}
        carried = {key: tuple((self.carried[seat] or {}).get(key, 0) for seat in range(self.players)) for key in keys}
        self.over = self.game.over(Standings(tuple(self.totals), carried, table.number))

    def _play(self, table: Table, breaking: Rule | None) -> bool:
        """Let the deal take its course; whether the rule to be broken was broken, once."""
        chance, events = self.rng.choice([0.1, 0.3, 1.0]), table.deal.events
        while True:
            for phase in self.game.phases:
                event = None
                if breaking is not None and self.rng.random() < chance:
                    faulty = phase.offers(table, breaking)
                    if faulty:
                        event, breaking = self.rng.choice(faulty), None
                        break
                free = self._sensible(phase, table, phase.may(table))
                if free and self.rng.random() < 0.1:
                    what = self.rng.choice(free).do
                    event = self._choose([event for event in free if event.do == what], table)
                    break
                legal = self._sensible(phase, table, phase.offers(table))
                if legal:
                    event = self._choose(legal, table)
                    break
            if event is None:
                return breaking is None
            events.append(event)
            phase.take(table, len(events) - 1, event)

    def _sensible(self, phase: Phase, table: Table, events: list[Any]) -> list[Any]:
        """In a game that goes on until somebody has won, mostly those events that help to win it; else where there is no end."""
        if phase.endless:
            return phase.sensible(table, events)
        return phase.sensible(table, events) if self.by_score and self.whole and self.rng.random() < 0.95 else events

    def _choose(self, events: list[Any], table: Table) -> Any:
        """One of the events; of bids more often one near a fair share of the tricks, so that some are made."""
        if events[0].do != "bid" or self.game.bidding is None or self.rng.random() < 0.2:
            return self.rng.choice(events)
        few = self.rng.sample(events, min(3, len(events)))
        return min(few, key=lambda bid: off_share(table, bid))
