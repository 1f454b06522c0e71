"""What follows from an offence, by the laws: tricks, books or points, each choice with how it stands then."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from handrec.game import Game
from handrec.record import Record
from handrec.ruling import books
from handrec.ruling.laws import Laws, PenaltyRule
from handrec.ruling.replayed import Offence, ReplayedDeal, Time
from handrec.ruling.standings import after_tricks, side_name, standing, with_points
from handrec.ruling.value import GameStanding, Move, RevokeClaim, RulingOutcome

#: Every kind of penalty in a few words.
WORDS = {
    "books": "up to {n} {tricks} from {of}",
    "tricks": "{n} {tricks} from {of}",
    "points_off": "{n} points off {of}",
    "points_on": "{n} points to the others",
    "set": "{of}'s bid is set: it counts as missed",
    "lose_game": "{of}'s side loses the game",
    "all_points": "{of} takes every loss of the hand",
}


@dataclass(frozen=True)
class Cause:
    """Who pays for what: the offence, or none for a false claim; who pays, and to whom if it is known.

    `before` are the offences of the same side in the deal that are paid for too, and came before this one.
    """

    replay: ReplayedDeal
    offence: Offence | None
    of: str
    to: str | None
    fine: int | None = None  # what the record itself has fined for it
    claims: int = 1  # how many are ruled on together
    before: tuple[Offence, ...] = ()


def consequences(
    record: Record, game: Game, laws: Laws, claim: RevokeClaim, cause: Cause, before: GameStanding
) -> list[RulingOutcome]:
    """Everything that the laws allow to follow, without what the record has of it already; `record` is without it too."""
    penalties = laws.penalty if cause.offence is not None else laws.false_claim
    found: list[RulingOutcome] = []
    for penalty in penalties:
        if penalty.kind in ("books", "tricks"):
            found += _tricks(record, game, laws, penalty, claim, cause, before)
        elif penalty.kind in ("points_off", "points_on"):
            found += _points(record, game, laws, penalty, cause)
        else:
            found.append(RulingOutcome(in_words(penalty, laws, cause.of)))
    return found


def in_words(penalty: PenaltyRule, laws: Laws, of: str, number: int | None = None) -> str:
    """A penalty in a few words, with the number that it comes to."""
    level = " at the simple level" if penalty.kind == "lose_game" and laws.level_cap == "simple" else ""
    tricks = laws.trick if number == 1 else f"{laws.trick}s"
    return WORDS[penalty.kind].format(n="?" if number is None else number, of=of, tricks=tricks) + level


def most(penalty: PenaltyRule, cause: Cause) -> int | None:
    """How many points a penalty takes, or how many tricks it can move; None if that cannot be told from the record."""
    if penalty.kind not in ("books", "tricks"):
        return penalty.n
    if cause.offence is None:
        held = cause.replay.won(cause.of)
        return None if held is None else min(penalty.n, held)
    moved = in_the_deal(penalty, cause.replay, cause.of, cause.before)
    in_all = in_the_deal(penalty, cause.replay, cause.of, (*cause.before, cause.offence))
    return None if in_all is None or moved is None else in_all - moved


def in_the_deal(penalty: PenaltyRule, replay: ReplayedDeal, of: str, offences: Sequence[Offence]) -> int | None:
    """How many tricks of a side move for its offences together, no trick twice; None if that cannot be told.

    Each asks for `n` of the tricks that the side has won (from its own trick on, if the laws count so); if the offender won
    that trick and the laws ask for more then, that trick is one of them. Later offences choose from fewer tricks, so they
    choose first, and those that ask for a trick by name before all.
    """
    held = replay.won(of)
    if held is None:
        return None
    numbers = [trick.number for trick in replay.table.tricks if trick.winner in replay.side(of)]
    left = sorted(
        [*numbers, *[replay.table.size] * (held - len(numbers))][: max(held, 0)], reverse=True
    )  # claimed ones are the last
    moved = 0
    asked = []
    for offence in sorted(offences, key=lambda each: each.seen.trick, reverse=True):
        trick, many = offence.seen.trick, penalty.n
        if penalty.n_if_won is not None:
            winner = replay.winner(trick)
            if winner is None:
                return None
            if winner == replay.table.seats[offence.seen.seat]:
                many = penalty.n_if_won
                if trick in left:
                    left.remove(trick)
                    moved, many = moved + 1, many - 1
        asked.append((trick if penalty.cap == "won_from_revoke_on" else 0, many))
    for since, many in asked:
        mine = [trick for trick in left if trick >= since][:many]
        for trick in mine:
            left.remove(trick)
        moved += len(mine)
    return moved


def _tricks(
    record: Record, game: Game, laws: Laws, penalty: PenaltyRule, claim: RevokeClaim, cause: Cause, before: GameStanding
) -> Iterable[RulingOutcome]:
    replay = cause.replay
    side = len(replay.side(cause.of)) > 1
    takers = [cause.to] if cause.to is not None else replay.others(cause.of)[: 1 if side else None]
    transfers = "transfer" in game.phase_of
    for taker in takers:
        if penalty.kind == "books" and transfers and cause.offence is not None:
            yield from _books(claim, cause, taker, penalty.n, record, game)
            continue
        many = most(penalty, cause)
        earlier = in_the_deal(penalty, replay, cause.of, cause.before) or 0
        for number in range(many + 1) if penalty.kind == "books" and many is not None else [many]:
            yield _moved(record, game, laws.trick, cause, taker, number, earlier, before)


def _books(claim: RevokeClaim, cause: Cause, taker: str, many: int, record: Record, game: Game) -> Iterable[RulingOutcome]:
    """Books taken by transfers, as the referee allows them."""
    replay, offence = cause.replay, cause.offence
    assert offence is not None
    trick = offence.seen.trick
    if replay.won(cause.of) is None:
        return [RulingOutcome(f"{taker} may take up to {many} books: how many {cause.of} has cannot be told from this record")]
    lead = replay.lead(trick + 1)
    closed: Time = replay.end if lead is None else (replay.index, lead.place or 0)
    recorded = books.taken(record, taker, cause.of, replay.index)
    said = claim.source == "accusation"
    untaken_record = books.untaken(record, taker, cause.of, replay.index)
    ways = books.Instalments(untaken_record, game, taker, cause.of, closed, trick, many, said)
    plans, all_ = ways.plans(cause.claims)
    left_out = [] if all_ else [RulingOutcome(f"{taker} has more ways to take books than the {len(plans)} reckoned here")]
    return [*(ways.outcome(plan, recorded) for plan in plans), *left_out]


def _moved(
    record: Record, game: Game, trick: str, cause: Cause, taker: str, many: int | None, earlier: int, before: GameStanding
) -> RulingOutcome:
    """Tricks that move at once, from the offender's side to the other; `earlier` have moved for what came before."""
    replay = cause.replay
    of, by = side_name(replay.side(cause.of)), side_name(replay.side(taker))
    if many is None:
        return RulingOutcome(f"{trick}s from {of} to {by}: how many cannot be told from this record")
    said = f"{many} {trick}{'' if many == 1 else 's'} from {of} to {by}" if many else f"no {trick} moves from {of} to {by}"
    if earlier:
        said = f"{said if many else f'no more {trick}s move from {of} to {by}'}, {many + earlier} in all"
    moves = (Move(of, by, many, replay.number),)
    if before.tricks is None or replay.won(cause.of) is None:
        return RulingOutcome(said, moves)
    table, left = replay.table, many + earlier
    tricks = {seat: table.won[place] - table.moved[place] for place, seat in enumerate(table.seats[: table.count])}
    for seat in replay.side(cause.of):
        part = min(left, tricks[seat])
        tricks[seat], tricks[taker], left = tricks[seat] - part, tricks[taker] + part, left - part
    return RulingOutcome(said, moves, after=after_tricks(record, game, replay.index, before, tricks))


def _points(record: Record, game: Game, laws: Laws, penalty: PenaltyRule, cause: Cause) -> Iterable[RulingOutcome]:
    """Points taken from the offender, or given to the others: as many as the laws say, or as the table took."""
    replay = cause.replay
    if penalty.kind == "points_on":
        points = dict.fromkeys(replay.others(cause.of), -penalty.n)
        yield _fined(record, game, replay.index, f"{penalty.n} points to {side_name(replay.others(cause.of))}", points)
        return
    side = replay.side(cause.of)
    fixed = any(phase.fixed for phase in replay.table.game.phases)
    free = laws.choice_of == "table" and not fixed
    how = " (suggested; the table decides)" if free else " (as agreed)" if fixed else ""
    sizes = {penalty.n: how}
    if free and cause.fine not in (None, penalty.n):
        sizes[cause.fine or 0] = " (as the table took)"
    for number, added in sizes.items():
        taken = number == cause.fine
        words = f"{number} points off {side_name(side)}{added}"
        yield _fined(record, game, replay.index, words, dict.fromkeys(side, number), taken)


def _fined(record: Record, game: Game, index: int, words: str, points: dict[str, int], taken: bool = False) -> RulingOutcome:
    after = standing(with_points(record, index, points), game, index)
    return RulingOutcome(words, points=points, after=after, taken=taken)


def in_short(laws: Laws, outcomes: Sequence[RulingOutcome]) -> str:
    """What follows, in a few words."""
    if not laws.penalty:
        return "the laws name no penalty"
    if laws.penalty[0].kind == "books":
        many = max((sum(move.tricks for move in each.moves) for each in outcomes), default=0)
        takers = sorted({move.by for each in outcomes for move in each.moves})
        if many:
            return f"up to {many} {laws.trick}s to {' or '.join(takers)}"
        reckoned = all(each.after is not None for each in outcomes)
        return f"no {laws.trick} to be taken" if reckoned else f"up to {laws.penalty[0].n} {laws.trick}s"
    first = [each.words for each in outcomes]
    if laws.choice_of == "adversaries" and len(first) > 1:
        return "the adversaries choose"
    return first[0] if first else "nothing"
