"""Games that players at the table make up: who deals, who is asked next, and what players at random or careful ones do.

`asked` says whose decision is next. Whoever may do something though it is another's turn, or nobody's, is asked first, clockwise,
and may let it be (`free`); then it is the turn of a seat that must act. What leaves nobody a choice, as the turning of a card or
a seat that no player has, is the table's own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any, NamedTuple

from handrec import games
from handrec.dealing import POLICIES, Policy, laid_out, reckon, usual_players
from handrec.game import Game
from handrec.game.value import never
from handrec.live.answers import Legal
from handrec.live.tables import CannotPlay, LiveTable, table
from handrec.record import Record
from handrec.writing import plain

#: So many deals at the latest of a game that its score ends, and of one that has no end.
MOST, ENDLESS = 100, 4


class Asked(NamedTuple):
    """Whose decision is next, what it may do, and whether it may let it be; without a seat it is the table's own."""

    seat: str | None
    events: tuple[Any, ...]
    free: bool = False


def found(game: str | Game) -> Game:
    """A game by its name, or as it is. Raises `CannotPlay` if there is none of that name."""
    known = games.find(game) if isinstance(game, str) else game
    if known is None:
        raise CannotPlay(f"no game {game} is known")
    return known


def most_deals(live: LiveTable) -> int:
    """How many deals a game has at most."""
    schedule = live.game.cards(len(live.seats))
    return len(schedule) if not isinstance(schedule, int) else ENDLESS if live.game.over is never else MOST


def next_deal(live: LiveTable, rng: Random, number: int | None = None) -> dict[str, Any]:
    """The next deal as an event, its cards dealt at random; or the deal of this number."""
    game, seats, before = live.game, live.seats, live.deal
    number = number or (1 if before is None or before.number is None else before.number + 1)
    schedule = game.cards(len(seats))
    size = schedule if isinstance(schedule, int) else schedule[(number - 1) % len(schedule)]
    dealer = rng.randrange(len(seats))
    if before is not None and before.dealer is not None and live.playing is not None:
        dealer = (seats.index(before.dealer) + (not (game.redealt and live.playing.unplayed))) % len(seats)
    return {"do": "deal", **laid_out(game, seats, number, size, dealer, rng)}


def asked(live: LiveTable, legal: Legal, silent: Collection[str] = ()) -> Asked | None:
    """Whose decision is next, `silent` having let it be since something last happened; None if the deal is over."""
    playing, extras = live.playing, live.game.extras
    if playing is None:
        return None
    own = tuple(event for event in legal.events if event.do in ("turn", "contract") or event.by in extras)
    if own:
        return Asked(None, own)
    pair = live.game.proxy(playing)
    plays_for = {} if pair is None else {playing.seats[pair[1]]: playing.seats[pair[0]]}
    by_seat: dict[str, list[Any]] = {}
    for event in legal.events:
        if event.by in legal.turn or event.do != "play":  # and not the same play by another hand
            by_seat.setdefault(event.by, []).append(event)
    for seat in live.seats:
        if seat in by_seat and seat not in legal.turn and seat not in silent:
            return Asked(seat, tuple(by_seat[seat]), True)
    for seat in legal.turn:
        return Asked(plays_for.get(seat, seat), tuple(by_seat[seat]))
    return None


def sample(
    game: str | Game,
    seed: int,
    policy: str | Policy = "random",
    *,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    deals: int | None = None,
) -> Record:
    """A game made up by players at a table, whole or its first deals; the same arguments give the same record.

    `policy` is "random" or "careful" (`handrec.dealing.players` says what these do), or a function that chooses. A game that has
    no end has four deals, one that its score ends a hundred at most. Raises `CannotPlay` if there is no such table or policy.
    """
    choose = POLICIES.get(policy) if isinstance(policy, str) else policy
    if choose is None:
        raise CannotPlay(f"no policy {policy} is known; these are: {', '.join(sorted(POLICIES))}")
    known, stated = found(game), dict(options or {})
    live = table(game, players or usual_players(known), stated)
    many, name = len(live.seats), policy if isinstance(policy, str) else policy.__name__
    rng = Random(f"{known.key} {many} {sorted(map(str, stated.items()))} {deals} {name} {seed}")
    for _ in range(deals or most_deals(live)):
        happens(live, next_deal(live, rng))
        _play(live, choose, rng)
        if live.over:
            break
    live.end(provenance={"kind": "generated", "tool": "handrec"})
    return Record.model_validate(reckon(plain(live.record) | {"id": f"{known.key}-{many}-{seed}"}, known))


def happens(live: LiveTable, event: Any) -> None:
    """An event that the table itself offered happens; that it is refused would be a fault of the program."""
    answer = live.apply(event)
    assert answer.ok, answer.message


def _play(live: LiveTable, choose: Policy, rng: Random) -> None:
    """Let the deal on the table take its course."""
    silent: set[str] = set()
    assert live.playing is not None
    while (due := asked(live, live.legal(), silent)) is not None:
        event = rng.choice(due.events) if due.seat is None else choose(live.playing, due.events, due.free, rng)
        if event is None and due.seat is not None:
            silent.add(due.seat)
            continue
        silent.clear()
        happens(live, event)
