"""What a script amounts to: the phases of the game take it, once, at a table without cards."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, NamedTuple

from handrec.fast.plan import plan_of
from handrec.game.playing import Playing
from handrec.game.table import Made
from handrec.phases.tricks import Tricks
from handrec.record import Play
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
    cards = iter(codec.shape.pack.cards)  # they stand for those shown: all different, and all of the pack
    deal, turned, handed, spots, many = list[Any](), list[int](), list[tuple[int, int, int]](), dict[int, int](), 0
    before, after = list[tuple[int, Any]](), list[tuple[int, Any]]()
    plays = 0
    for part in script.parts:
        if isinstance(part, int):
            deal += [UNSEEN] * part
            plays += part
            continue
        if part.unknown:
            return None
        event: Any = part.made(cards)
        named = range(many, many + part.cards)
        if part.turns:
            turned += named
        elif part.hands is not None:
            giver, taker = (codec.place_of[seat] for seat in part.hands)
            handed += [(giver, taker, spot) for spot in named]
        if shape.game.phase_of.get(event.do) is not shape.tricks:
            if 0 < plays < shape.starts[-1] or (turned and not plays and shape.turning is shape.tricks):
                return None  # amid the play; or a card that is turned for the first lead was turned before
            (after if plays else before).append((len(deal), event))
        elif not part.turns:
            return None
        spots[len(deal)], many = many, named.stop
        deal.append(event)
    if not _turned_in_time(shape, script.parts, bool(turned)):
        return None
    bids = _taken(codec, script.claims, deal, dealer, bool(turned), (before, after))
    return bids and bids._replace(cards=many, turned=tuple(turned), handed=tuple(handed), spots=spots)


def _turned_in_time(shape: Shape, parts: tuple[int | ScriptEvent, ...], turned: bool) -> bool:
    """Whether as many cards are turned before each lead as are to lie open, or none at all; one that is played is turned so."""
    if not turned:
        return True
    due = shape.due
    found, plays, open_ = dict.fromkeys(due, -1), 0, 0
    for part in parts:
        if isinstance(part, int):
            found |= {start: open_ for start in due if plays <= start < plays + part}
            plays += part
        elif part.turns:
            if plays not in due:
                return False
            open_ += 1
    found[shape.starts[-1]] = open_
    return found == due


def _taken(
    codec: Codec,
    claims: dict[str, Any],
    events: list[Any],
    dealer: int,
    turned: bool,
    besides: tuple[list[tuple[int, Any]], list[tuple[int, Any]]],
) -> Laid | None:
    """What comes of what is said before and after the play, as the phases have it."""
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
    before, after = besides
    plan = plan_of(game, seats) if dealer >= 0 else None  # only where nothing is left open
    table.besides = [*before, *after]
    takers = {place: game.taking(event) for place, event in table.besides}
    if any(its is None or its.judged_late for its in takers.values()):
        return None
    laid = -1 if plan is None else plan.lay(table, [place for place, _ in table.besides])
    if laid < 0:
        table.clear()
        table.cardless, table.left = True, [0] * len(table.seats)
        for phase in game.that("open"):
            if phase is not play:
                phase.open(table)
    closing = plan.closes if plan is not None and laid >= 0 else game.that("close")
    for some in (before[max(laid, 0) :], after):
        for place, event in some:
            its = takers[place]
            assert its is not None
            its.take(table, place, event)
        table.state, table.counted = _over(shape), True
    leader = play.leader(table)
    for phase in closing:
        if phase is not play:
            phase.close(table)
    for phase in game.that("settle"):
        phase.settle(table, {}, {})
    if table.findings or table.doubts or ("bid" in game.phase_of and any(bid is None or bid.value is None for bid in table.bids)):
        return None
    bids = tuple(bid for bid in table.bids if bid is not None)
    for seat, token in (claimed.bids or {}).items():
        place = table.place_of[seat]
        if place >= len(bids) or bids[place].token != str(token):
            return None
    said = list[dict[str, int]]()
    for seat in range(len(seats)):
        heard = [phase.said(table, seat) for phase in game.that("said")]
        if None in heard:
            return None
        said.append({key: value for each in heard if each for key, value in each.items()})
    return Laid(0, -1 if leader is None else leader, table.contract, bids, tuple(said), (), (), {})


def _over(shape: Shape) -> Playing:
    """The play when it is over."""
    play = Playing(None)
    play.number = shape.size + 1
    return play
