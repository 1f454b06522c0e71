"""How a deal and a game stand, reckoned by the referee: as recorded, and with tricks moved or points taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from handrec import referee
from handrec.findings import DealResult, Finding
from handrec.game import Game
from handrec.record import Deal, DealClaims, Penalty, Record
from handrec.ruling.value import GameStanding


def standing(record: Record, game: Game, index: int) -> GameStanding:
    """How the deal at a place, and the game, stand by the referee's reckoning."""
    verdict = referee.check(record, lambda key: game)
    return summed(game, verdict.deals, verdict.findings, verdict.totals, verdict.winners, index)


def summed(
    game: Game,
    deals: Sequence[DealResult],
    findings: Sequence[Finding],
    totals: Mapping[str, int] | None,
    winners: tuple[str, ...] | None,
    index: int,
) -> GameStanding:
    """The standing that a verdict amounts to; partners' tricks are added up, and their points told once."""
    result = deals[index]
    tricks, scores = result.tricks, result.scores
    if game.partners:
        tricks, scores, totals = tricks and together(tricks), once(scores), totals and once(totals)
    ended = next((f.facts["due"] for f in findings if f.code == "SCO005" and f.pointer.startswith("/deals/")), None)
    return GameStanding(tricks, scores or None, totals if game.score else None, winners if game.score else None, ended)


def together(tricks: Mapping[str, int]) -> dict[str, int]:
    """Tricks by side: those of the seats opposite each other."""
    seats = list(tricks)
    return {side_name(seats[first::2]): sum(tricks[seat] for seat in seats[first::2]) for first in (0, 1)}


def once(points: Mapping[str, int]) -> dict[str, int]:
    """Points by side: those of each of the seats opposite each other."""
    seats = list(points)
    return {side_name(seats[first::2]): points[seats[first]] for first in range(min(2, len(seats)))}


def apart(tricks: Mapping[str, int]) -> dict[str, int]:
    """Tricks by side given to its seats, all of them to the first, since nothing hangs on which."""
    return {seat: 0 if more else number for side, number in tricks.items() for more, seat in enumerate(side.split("/"))}


def side_name(seats: Sequence[str]) -> str:
    """A seat, or two that play together, in words."""
    return "/".join(seats)


def changed(record: Record, index: int, deal: Deal) -> Record:
    """The record with another deal in a place."""
    deals = [*record.deals[:index], deal, *record.deals[index + 1 :]]
    return record.model_copy(update={"deals": deals})


def with_tricks(record: Record, index: int, tricks: Mapping[str, int]) -> Record:
    """The record with these tricks written down for a deal, and not how they were won."""
    deal = record.deals[index]
    kept = [event for event in deal.events if event.do not in ("play", "withdraw", "claim", "accuse", "transfer", "ruling")]
    claimed = DealClaims(tricks=dict(tricks))
    if deal.claimed is not None and deal.claimed.bids is not None:
        claimed = DealClaims(bids=deal.claimed.bids, tricks=dict(tricks))
    update = {"events": kept, "claimed": claimed, "status": "claimed"}
    return changed(record, index, deal.model_copy(update=update))


def with_points(record: Record, index: int, points: Mapping[str, int]) -> Record:
    """The record with points taken from totals in a deal; negative ones are given."""
    deal = record.deals[index]
    taken = [Penalty(of=seat, points=number) for seat, number in points.items()]
    return changed(record, index, deal.model_copy(update={"events": [*deal.events, *taken]}))


def unfined(record: Record, time: tuple[int, int]) -> Record:
    """The record without an event."""
    index, place = time
    deal = record.deals[index]
    return changed(record, index, deal.model_copy(update={"events": [*deal.events[:place], *deal.events[place + 1 :]]}))


def after_tricks(record: Record, game: Game, index: int, before: GameStanding, tricks: Mapping[str, int]) -> GameStanding:
    """How it stands with other numbers of tricks in a deal; no scores where they do not follow from tricks alone."""
    shown = together(tricks) if game.partners else dict(tricks)
    if not before.scores:
        return GameStanding(shown)
    own = standing(with_tricks(record, index, apart(before.tricks or {})), game, index)
    if own.scores != before.scores:
        return GameStanding(shown)
    return standing(with_tricks(record, index, tricks), game, index)
