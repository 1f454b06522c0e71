"""Dealing: legal games of any kind from a seed, whole or in part, and games with exactly one fault planted.

The dealer knows no game: at every moment it asks the game's phases which events may come next and picks one. A rule of
play or bidding is broken by asking for the events that break just that rule; faults of the record are in `breaches`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from handrec.breaches import BREACHES, RECKONED
from handrec.findings import Rule
from handrec.game import Game, Table, compose
from handrec.game.hands import take_hands
from handrec.record import FORMAT, VERSION, Deal, Record
from handrec.referee import check

#: Faults that are planted while dealing, besides those of play rules and bid rules.
_WARPS = ("DEA005", "DEA006")


class CannotDeal(ValueError):
    """What was asked for cannot be dealt: too many players, an unknown option, a fault that cannot occur."""


def seats_for(players: int) -> tuple[str, ...]:
    """Seat names for a number of players: the four compass points, else P1, P2, …"""
    return ("N", "E", "S", "W") if players == 4 else tuple(f"P{place + 1}" for place in range(players))


def injectable(game: Game) -> tuple[str, ...]:
    """The codes of the faults that can be planted in a game, sorted."""
    rules = {rule.code for rule in game.rules if rule.narrow or rule.on in ("bid", "bids")}
    if "bid" not in game.phase_of:
        rules -= {"BID002"}
    codes = rules | {code for code, breach in BREACHES.items() if breach.suits(game)} | {"DEA006"}
    codes |= {code for phase in game.phases for code in phase.breakable}
    return tuple(sorted(codes | ({"DEA005"} if not isinstance(game.cards(min(game.players)), int) else set())))


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

    The same arguments give the same record. Raises `CannotDeal` with the reason if that cannot be dealt.
    """
    options = dict(options or {})
    composed, faults = compose(game, options)
    if faults:
        raise CannotDeal(f"options of {game.key}: {faults[0][1]}")
    if players not in game.players:
        raise CannotDeal(f"{game.title} is for {min(game.players)} to {max(game.players)} players, not {players}")
    if inject is not None and inject not in injectable(composed):
        raise CannotDeal(f"{inject} cannot be planted in {game.key}; these can: {' '.join(injectable(composed))}")
    rng = Random(f"{game.key} {players} {sorted(map(str, options.items()))} {numbers} {inject} {seed}")
    for _ in range(200):
        data = _Dealing(composed, players, rng, numbers, inject).data()
        if data is None:
            continue
        data["options"] = options
        data["id"] = f"{game.key}-{players}-{seed}"
        data["provenance"] = {"kind": "generated", "tool": "handrec"}
        reckoned = inject in RECKONED
        if inject in BREACHES and reckoned and not BREACHES[inject].apply(data, rng, composed):
            continue
        data = reckon(data, game)
        if inject in BREACHES and not reckoned and not BREACHES[inject].apply(data, rng, composed):
            continue
        return Record.model_validate(data)
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
        if None in claimed["winners"]:
            del claimed["winners"]
        deal["claimed"] = {key: value for key, value in claimed.items() if value}
    if verdict.totals is not None and game.score:
        data["claimed"] = {"totals": dict(verdict.totals)}
        if verdict.winners is not None:
            data["claimed"]["winners"] = list(verdict.winners)
    return data


class _Dealing:
    """One game in the making."""

    def __init__(self, game: Game, players: int, rng: Random, numbers: Sequence[int] | None, inject: str | None) -> None:
        self.game, self.players, self.rng = game, players, rng
        schedule = game.cards(players)
        self.fixed = schedule if isinstance(schedule, int) else None
        self.sizes = (schedule,) * 4 if isinstance(schedule, int) else schedule
        self.whole = numbers is None
        self.numbers = list(numbers or range(1, len(self.sizes) + 1))
        self.inject = inject
        self.breaking = self._rule(inject)
        self.spot = rng.choice(self.numbers)

    def _rule(self, code: str | None) -> Rule | None:
        if code is None or code in BREACHES or code in _WARPS:
            return None
        return self.game.rule(code)

    def status(self) -> str:
        """Complete if it is all there, stopped if it is the beginning, else an excerpt."""
        if self.whole:
            return "excerpt" if self.fixed else "complete"
        return "excerpt" if self.fixed or self.numbers != list(range(1, len(self.numbers) + 1)) else "stopped"

    def data(self) -> dict[str, Any] | None:
        """The record as plain data; None if the fault asked for did not come about."""
        first = self.rng.randrange(self.players)
        deals = []
        for number in self.numbers:
            size = self.fixed or self.sizes[(number - 1) % len(self.sizes)]
            dealer = (first + number) % self.players
            if number == self.spot and self.inject == "DEA005":
                size = self.rng.choice([n for n in range(1, max(self.sizes) + 1) if n != size] or [0])
                if not size:
                    return None
            if number == self.spot and self.inject == "DEA006":
                if self.players < 2 or len(self.numbers) < 2 or number == self.numbers[0]:
                    return None
                dealer = (dealer + self.rng.randrange(1, self.players)) % self.players
            deal = self._deal(number, size, dealer, self.breaking if number == self.spot else None)
            if deal is None:
                return None
            deals.append(deal)
        return {
            "format": FORMAT,
            "version": VERSION,
            "id": "",
            "game": self.game.key,
            "options": {},
            "players": [{"seat": seat} for seat in seats_for(self.players)],
            "status": self.status(),
            "deals": deals,
        }

    def _deal(self, number: int, size: int, dealer: int, breaking: Rule | None) -> dict[str, Any] | None:
        seats, pack = seats_for(self.players), self.game.pack(self.players)
        cards = self.rng.sample(pack.cards, len(pack))
        hands = {seat: cards[place * size : (place + 1) * size] for place, seat in enumerate(seats)}
        rest, aside = cards[self.players * size :], {}
        for name, many in self.game.aside(self.players, size).items():
            aside[name], rest = rest[:many], rest[many:]
        aside = {name: lying for name, lying in aside.items() if lying}
        data = {"number": number, "dealer": seats[dealer], "cards": size, "hands": hands}
        if aside:
            data["aside"] = aside
        deal = Deal.model_validate({**data, "events": []})
        table = Table(self.game, pack, seats, 0, deal, number, size, True)
        table.sample_play()
        take_hands(table)
        if breaking is not None and not self._play(table, breaking):
            return None
        if breaking is None:
            self._play(table, None)
        ordered = {seat: list(pack.names(pack.mask(hand))) for seat, hand in hands.items()}
        events = [event.model_dump(exclude_unset=True) | {"do": event.do} for event in deal.events]
        return {**data, "hands": ordered, "events": [{"do": event.pop("do"), **event} for event in events]}

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
                legal = phase.offers(table)
                if legal:
                    event = self._choose(legal, table)
                    break
            if event is None:
                return breaking is None
            events.append(event)
            phase.take(table, len(events) - 1, event)

    def _choose(self, events: list[Any], table: Table) -> Any:
        """One of the events; of bids more often one near a fair share of the tricks, so that some are made."""
        if events[0].do != "bid" or self.rng.random() < 0.2:
            return self.rng.choice(events)
        share = table.size / table.count
        few = self.rng.sample(events, min(3, len(events)))
        return min(few, key=lambda event: abs(event.bid - share) if isinstance(event.bid, int) else table.size)
