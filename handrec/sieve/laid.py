"""What a script amounts to: the phases of the game take it, once, at a table without cards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

from handrec.game.playing import Playing
from handrec.game.table import Made
from handrec.phases.tricks import Tricks
from handrec.record import KINDS, Play
from handrec.sieve.codec import Codec, Foul, ScriptEvent
from handrec.sieve.shape import Shape

UNSEEN = Play(card="??")


class Laid(NamedTuple):
    """What is known of all deals of a script, dealt by the same seat; cards are told by where they stand among those shown.

    `cards` are shown; `leader` who leads first by the rules, -1 if they do not tell; `contract`; the `bids` that stand, none in
    games without; by seat what it had `said`; the cards `turned`, in order; the cards `handed` on, each with giver and taker;
    and by the places of events the `spots` of their first cards.
    """

    cards: int
    leader: int
    contract: str | None
    bids: tuple[Made, ...]
    said: tuple[dict[str, int], ...]
    turned: tuple[int, ...]
    handed: tuple[tuple[int, int, int], ...]
    spots: dict[int, int]


def lay(codec: Codec, text: str, dealer: int) -> Laid | None:
    """What the script of a deal amounts to; None if it is not in order, or says what only the referee judges."""
    shape = codec.shape
    try:
        script = codec.script(text)
    except Foul:
        return None
    cards = codec.shape.pack.cards[: script.cards]  # they stand for those shown: all different, and all of the pack
    events = script.events([UNSEEN] * shape.starts[-1], cards)
    turned, handed, spots, many = list[int](), list[tuple[int, int, int]](), dict[int, int](), 0
    for place, event in enumerate(events):
        if event is UNSEEN:
            continue
        kind: Any = KINDS[event.do]
        named = range(many, many + len(kind.cards_of(event)))
        if event.do == "turn":
            turned += named
        elif kind.moves:
            giver, taker = (codec.place_of[getattr(event, field)] for field in ("by", "to"))
            handed += [(giver, taker, spot) for spot in named]
        spots[place], many = many, named.stop
    if many != script.cards or not _turned_in_time(shape, script.parts):
        return None
    bids = _taken(codec, script.claims, events, dealer, bool(turned))
    return bids and bids._replace(cards=many, turned=tuple(turned), handed=tuple(handed), spots=spots)


def _turned_in_time(shape: Shape, parts: tuple[int | ScriptEvent, ...]) -> bool:
    """Whether as many cards are turned before each lead as are to lie open, or none at all; one that is played is turned so."""
    turned = sum(not isinstance(part, int) and part.event.do == "turn" for part in parts)
    if not turned:
        return True
    most = 1 if shape.game.extras else shape.turned
    due = {start: min(most, shape.shown(trick)) for trick, start in enumerate(shape.starts, 1)}
    found, plays, open_ = dict.fromkeys(due, -1), 0, 0
    for part in parts:
        if isinstance(part, int):
            found |= {start: open_ for start in due if plays <= start < plays + part}
            plays += part
        elif part.event.do == "turn":
            if plays not in due:
                return False
            open_ += 1
    found[shape.starts[-1]] = open_
    return found == due


def _taken(codec: Codec, claims: dict[str, Any], events: list[Any], dealer: int, turned: bool) -> Laid | None:
    shape, game, seats = codec.shape, codec.shape.game, codec.seats
    play = shape.tricks
    assert isinstance(play, Tricks)
    aside = None if turned else {name: ["??"] * many for name, many in shape.aside.items()}
    claimed = SimpleNamespace(bids=claims.get("bids"), trump=None, winners=None, tricks=None, scores=None, totals=None)
    who = None if dealer < 0 else seats[dealer]
    told: Any = SimpleNamespace(
        dealer=who, leader=None, aside=aside, events=events, claimed=claimed, status="complete", hands=None, pack=None
    )
    table = shape.table(dealer, told, seats)
    table.cardless, table.left = True, [0] * len(table.seats)
    phases = [phase for phase in game.phases if phase is not play]
    for phase in phases:
        phase.open(table)
    first, last = events.index(UNSEEN), len(events) - events[::-1].index(UNSEEN)
    for place, event in enumerate(events):
        if event is UNSEEN:
            continue
        if place > first and table.state is None:
            table.state, table.counted = _over(shape), True
        its = game.phase_of.get(event.do) or game.phase_of.get(f"announce:{getattr(event, 'what', '')}")
        if its is play and event.do == "turn":
            continue
        if its is None or its is play or its.judged_late or first < place < last:
            return None
        its.take(table, place, event)
    leader, table.state = play.leader(table), table.state or _over(shape)
    for phase in phases:
        phase.close(table)
        phase.settle(table, {}, {})
    if table.findings or table.doubts or ("bid" in game.phase_of and any(bid is None or bid.value is None for bid in table.bids)):
        return None
    bids = tuple(bid for bid in table.bids if bid is not None)
    for seat, token in (claimed.bids or {}).items():
        place = table.place_of[seat]
        if place >= len(bids) or bids[place].token != str(token):
            return None
    said = tuple({key: value for phase in phases for key, value in phase.said(table, seat).items()} for seat in range(len(seats)))
    known = all(value >= 0 or key == "guess" for each in said for key, value in each.items())
    return Laid(0, -1 if leader is None else leader, table.contract, bids, said, (), (), {}) if known else None


def _over(shape: Shape) -> Playing:
    """The play when it is over."""
    play = Playing(None)
    play.number = shape.size + 1
    return play
