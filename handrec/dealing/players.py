"""Who plays where games are made up: players that choose among what they may do."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from handrec.game import Table

#: Chooses one of the events that a seat may bring about, at a table of a deal; None to let it be, where it is free to.
Policy = Callable[[Table, Sequence[Any], bool, Random], Any]

#: How often a player at random does what it need not do.
_BOLD = 0.1


def at_random(table: Table, events: Sequence[Any], free: bool, rng: Random) -> Any:
    """Anything that it may do; what it need not do, one time in ten."""
    return None if free and rng.random() >= _BOLD else rng.choice(events)


def careful(table: Table, events: Sequence[Any], free: bool, rng: Random) -> Any:
    """Bids a fair share of the tricks, or what its game calls sensible, and says nothing that it need not say.

    As long as it lacks tricks of what it bid (where nobody bids tricks for itself: always), it leads high and takes a trick if it
    can, as last with the lowest card that does; else it throws the lowest. Who lacks none plays the highest card that does not
    take the trick. It looks at its own hand and at the table, and at nobody else's cards.
    """
    if free:
        return None
    plays = [event for event in events if event.do == "play"]
    if plays:
        return _card(table, plays, rng)
    bids = [event for event in events if event.do == "bid" and not event.blind]
    if not bids:
        return rng.choice(events)
    phase = table.game.taking(bids[0])
    some = (phase and phase.sensible(table, bids)) or bids
    rng.shuffle(some)
    return min(some, key=lambda bid: off_share(table, bid)) if table.game.bidding is not None else some[0]


#: Players by name.
POLICIES: dict[str, Policy] = {"random": at_random, "careful": careful}


def off_share(table: Table, event: Any) -> float:
    """How far the number of a bid, or of a call such as 3H, is from a fair share of the tricks."""
    number = re.match("[0-9]+", str(event.bid))
    return abs(int(number[0]) - table.size / table.count) if number else table.size


def _card(table: Table, plays: list[Any], rng: Random) -> Any:
    """One of the cards that may be played."""
    play = table.state
    order = None if play is None else table.order(play.number)
    if play is None or order is None:
        return rng.choice(plays)
    beats, best = order.beats, play.best
    upwards = sorted(plays, key=lambda event: -beats[table.pack.index[event.card]].bit_count())
    winning = [event for event in upwards if best < 0 or beats[best] >> table.pack.index[event.card] & 1]
    losing = [event for event in upwards if event not in winning]
    seat = table.place_of[plays[0].by]
    made = table.bids[seat] if seat < table.count else None
    if made is None or made.value is None or made.value > table.won[seat]:
        last = best >= 0 and len(play.waiting) == 1
        return (winning[0] if last else winning[-1]) if winning else losing[0]
    return losing[-1] if losing else winning[0]
