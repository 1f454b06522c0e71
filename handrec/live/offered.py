"""What may happen next at a table, asked of the phases of its game."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Any

from handrec.cards import UNKNOWN, bits
from handrec.game import Table
from handrec.live.answers import Legal
from handrec.record import KINDS, Bid, Exchange, Play, Turn


def legal_now(table: Table, may_be: Callable[[Any], bool] | None) -> Legal:
    """All that may happen next in a deal; `may_be` tries what nobody can know, where it is given."""
    game = table.game
    besides = tuple(kind for phase in game.phases for kind in phase.anytime if game.phase_of.get(kind) is phase)
    events: list[Any] = []
    due: list[Any] = []
    for phase in game.phases:
        others, due = phase.more(table), phase.offers(table)
        # What is offered to a dealer of games may hang on cards that nobody sees; in its order among the others it tells nothing.
        events += phase.may(table) + (sorted([*due, *others], key=str) if others else due)
        if any(event.do not in phase.anytime for event in due):
            break
    else:
        due = []
    turn = tuple(dict.fromkeys(event.by for event in due if getattr(event, "by", None)))
    events += _by_proxy(table, due)
    if any(event.do == "turn" and event.card == UNKNOWN for event in due):
        cards = [table.pack.cards[card] for card in bits(table.pack.full & ~sum(table.hands))]
        unseen = [Turn(card=card) for card in cards if card not in table.turned]
        events = [event for event in events if event.do != "turn"]
        return Legal(turn, tuple(events), tuple(event for event in unseen if may_be is None or may_be(event)), besides)
    if may_be is None or all(table.whole[: table.count]):
        return Legal(turn, tuple(events), (), besides)
    return _not_known(table, turn, events, besides, may_be)


def instead_of(table: Table, event: Any) -> Legal | None:
    """What may come instead of an event that may not come now; None if it may.

    What is played once the play has begun, and what may be said at any time, is judged by what it is; so is what is passed on,
    and a bid where none is judged by all of them, for which nothing else is due first.
    """
    phase = table.game.taking(event)
    play = table.state
    amid = play is not None and bool(play.plays) and not play.over
    own = type(event) is Play and event.by not in table.game.extras  # and not a card that is turned up by playing it
    if phase is None or (own and play is not None and (amid or "turn" not in phase.kinds)):
        return None
    kind = event.do if event.do != "announce" else f"announce:{event.what}"
    if kind in phase.anytime or (type(event) is Turn and not table.lying):  # nobody has said which cards are not in the hands
        return None
    if not all(table.whole[: table.count]):
        return None
    for before in table.game.phases:
        if before is phase:
            if type(event) is Exchange or (type(event) is Bid and not table.game.checks("bids")):
                return None
            expected = phase.expects(table, event)
            parts = (phase.may, *((phase.offers,) if expected is None else ()), phase.more)
            if expected or any(_says(event, other) for part in parts for other in part(table)):
                return None
            break
        if any(due.do not in before.anytime for due in before.offers(table)):
            break
    legal = legal_now(table, None)
    return None if any(_says(event, other) for other in (*legal.events, *legal.untold)) else legal


def _by_proxy(table: Table, offered: list[Any]) -> list[Any]:
    """The same plays, where another seat makes them."""
    pair = table.game.proxy(table)
    if pair is None:
        return []
    seat, of = (table.seats[place] for place in pair)
    return [Play(by=seat, card=event.card) for event in offered if event.do == "play" and event.by == of]


def _not_known(table: Table, turn: tuple[str, ...], events: list[Any], besides: tuple[str, ...], may_be: Any) -> Legal:
    """Where hands are not known: the cards of a seat that are not, each tried."""
    play = table.state
    cards = table.pack.cards
    held = sum(table.left) | sum(1 << card for card in (play.seen if play is not None else ()))
    free = [cards[card] for card in bits(table.pack.full & ~held) if cards[card] not in table.turned]
    plays = [event for event in events if event.do == "play"]
    sure = [event for event in events if event.do != "play"]
    untold: list[Any] = []
    named = [[card for card in cards if left >> table.pack.index[card] & 1] for left in table.left[: table.count]]

    def tried(seat: int) -> list[Any]:
        """The plays of a seat that may be legal, of its own cards and of those that it may hold."""
        some = named[seat] if table.whole[seat] else named[seat] + free
        return [each for card in some if may_be(each := Play(by=table.seats[seat], card=card))]

    seat = None if not plays else table.place_of[plays[0].by]
    if play is not None:
        seat = play.waiting[0] if play.waiting and play.number <= table.size and not table.claimed_rest else None
    elif seat is None and not turn:  # whose lead it is, is tried
        leaders = [place for place in range(table.count) if tried(place)]
        seat = leaders[0] if len(leaders) == 1 else None
    if seat is not None:
        turn = turn or (table.seats[seat],)
        if not table.whole[seat]:
            untold = tried(seat)
        else:
            sure += plays or tried(seat)
    return Legal(turn, tuple(sure), tuple(untold), besides)


def _says(event: Any, other: Any) -> bool:
    """Whether two events say the same, but for what was noted of them; cards in any order."""
    if type(event) is not type(other) or getattr(event, "by", None) != getattr(other, "by", None):
        return False
    named, listed = _fields(event.do)
    return named(event) == named(other) and all(
        sorted(getattr(event, name) or ()) == sorted(getattr(other, name) or ()) for name in listed
    )


@cache
def _fields(do: str) -> tuple[Callable[[Any], Any], tuple[str, ...]]:
    """What gets the facts of an event of a kind, and its lists of cards."""
    kind = KINDS[do]
    listed = kind.of("cards")
    return attrgetter("do", *(name for name in kind.values if name not in (*kind.noted, "questioned", *listed))), listed
