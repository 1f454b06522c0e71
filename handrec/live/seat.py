"""What one seat sees of a table: its own cards, what lies open, and what was said aloud."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from handrec.findings import DealResult
from handrec.game import Table
from handrec.live.answers import Legal
from handrec.record import KINDS, Bid
from handrec.writing import plain_event

if TYPE_CHECKING:
    from handrec.live.tables import LiveTable


@dataclass(frozen=True)
class SeatView:
    """What a seat sees.

    `hand` are the cards it holds, none until it has looked at them where bids can be blind; `counts` how many each seat holds,
    `open` hands that lie open, by seat, `turned` the cards turned up. `events` are those of the deal as plain values; what the
    seat did not see in them is left out: the bid of another as long as bids are secret, the cards of an exchange between others.
    `trick` are the plays of the trick on the table. `turn` are the seats that must act now, but for one that nobody else knows:
    who holds the card that must be led. `legal` is what this seat may do now. `results` are those of the deals that are over.
    """

    seat: str
    game: str
    options: dict[str, Any]
    players: tuple[str, ...]
    deal: dict[str, Any]
    hand: tuple[str, ...]
    counts: dict[str, int]
    open: dict[str, tuple[str, ...]]
    turned: tuple[str, ...]
    events: tuple[dict[str, Any], ...]
    trick: tuple[tuple[str, str], ...]
    taken: dict[str, int]
    turn: tuple[str, ...]
    legal: Legal
    results: tuple[DealResult, ...]

    def plain(self) -> dict[str, Any]:
        """The same as JSON values."""
        found = {name: value for name, value in vars(self).items() if name not in ("legal", "results")}
        totals = self.results[-1].totals if self.results else None
        return found | {"legal": self.legal.plain(), "totals": None if totals is None else dict(totals)}


#: What of a deal everybody knows when it begins.
KNOWN = ("number", "board", "dealer", "vulnerable", "cards")


def seen_by(live: LiveTable, seat: str) -> SeatView:
    """What a seat sees now. Raises KeyError if there is no such seat."""
    place, table, deal = live.seats.index(seat) if seat in live.seats else -1, live.playing, live.deal
    if place < 0:
        raise KeyError(seat)
    results = live.results
    options = dict(live.game.settings)
    if table is None or deal is None:
        return SeatView(seat, live.game.key, options, live.seats, {}, (), {}, {}, (), (), (), {}, (), live.legal(), results)
    legal = live.legal()
    faced = _open(table)
    hidden = _secret(table)
    arrived = {at for at, _, _, _ in table.handed}
    events = tuple(_seen(event, seat, hidden, at in arrived) for at, event in enumerate(deal.events))
    pair = live.game.proxy(table)
    own = {seat} | ({table.seats[pair[1]]} if pair is not None and table.seats[pair[0]] == seat else set())
    if pair is not None and table.seats[pair[1]] == seat and faced:
        own = set()  # whose hand lies open, has it played
    play = table.state
    return SeatView(
        seat=seat,
        game=live.game.key,
        options=options,
        players=live.seats,
        deal={name: value for name in KNOWN if (value := getattr(deal, name)) is not None},
        hand=() if any(phase.unseen(table, place) for phase in live.game.phases) else tuple(table.names(table.left[place])),
        counts={name: table.left[other].bit_count() for other, name in enumerate(table.seats) if table.whole[other]},
        open={table.seats[other]: tuple(table.names(table.left[other])) for other in faced},
        turned=tuple(table.turned),
        events=events,
        trick=tuple((table.seats[who], card) for who, card, _ in play.plays) if play is not None else (),
        taken={table.seats[other]: won for other, won in enumerate(table.won[: table.count])},
        turn=tuple(name for name in legal.turn if name == seat or not (hidden or _turn_unseen(table, legal))),
        legal=Legal(
            tuple(name for name in legal.turn if name in own),
            tuple(event for event in legal.events if getattr(event, "by", None) in own),
            tuple(event for event in legal.untold if getattr(event, "by", None) in own),
            legal.besides,
            legal.deal,
            legal.over,
        ),
        results=results,
    )


def _open(table: Table) -> list[int]:
    """The seats whose hands lie open: that of a dummy, when the first card has been led."""
    play, pair = table.state, table.game.proxy(table)
    led = play is not None and (bool(play.plays) or play.number > 1)
    return [pair[1]] if pair is not None and led else []


def _secret(table: Table) -> bool:
    """Whether bids have been made that nobody has heard yet."""
    phase = table.game.phase_of.get("bid")
    return phase is not None and phase.secret and any(made is None for made in table.bids)


def _turn_unseen(table: Table, legal: Legal) -> bool:
    """Whether who must act now is known to nobody else."""
    due = {event.do for event in (*legal.events, *legal.untold)}
    return any(phase.turn_unseen(table) for phase in table.game.phases if not due.isdisjoint(phase.kinds))


def _seen(event: Any, seat: str, hidden: bool, arrived: bool) -> dict[str, Any]:
    """An event without what a seat did not see of it; of cards that have not `arrived` only who gives them away knows."""
    stated, kind = plain_event(event), KINDS[event.do]
    if hidden and type(event) is Bid and event.by != seat:
        del stated["bid"]
    if kind.hides(event) and seat not in ([getattr(event, name) for name in kind.seats] if arrived else [event.by]):
        for name in kind.of("card", "cards"):
            cards = stated.pop(name, None)
            if isinstance(cards, list):
                stated["count"] = len(cards)
    return stated
