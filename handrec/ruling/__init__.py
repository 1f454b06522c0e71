"""A dispute settled as far as a record allows: who did not play as the rules demand, since when it could be known, what follows.

`rule(record, game)` rules on every accusation of a record, on every offence in it, and says of every other deed against a rule
whether it happened; with `claims`, it rules on those. Each stands beside the slips of the pen that would explain it. The laws are
data (`handrec.ruling.laws`): those given, else those in the record's `extensions["handrec.laws"]`, else the game's own.
Scores are the referee's. Nothing here is a decision: it is an aid to whoever has to take it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from handrec import referee
from handrec.explanations.weighed import Weighing
from handrec.game import Game, compose
from handrec.record import Record
from handrec.ruling.claims import asked, of_record, placed, recorded
from handrec.ruling.deeds import deed, others
from handrec.ruling.dispute import Dispute
from handrec.ruling.knowledge import Knowledge
from handrec.ruling.laws import EXTENSION, LAWS, Laws, NoSuch, laws_of
from handrec.ruling.replayed import ReplayedDeal
from handrec.ruling.settle import settle
from handrec.ruling.value import Cited, Fact, GameStanding, Move, RevokeClaim, RevokeDates, RevokeRuling, RulingOutcome, Step

__all__ = [
    "EXTENSION",
    "LAWS",
    "Cited",
    "Fact",
    "GameStanding",
    "Laws",
    "Move",
    "NoSuch",
    "RevokeClaim",
    "RevokeDates",
    "RevokeRuling",
    "RulingOutcome",
    "Step",
    "asked",
    "laws_of",
    "rule",
]


def rule(
    record: Record,
    game: Game,
    claims: Iterable[RevokeClaim] | None = None,
    laws: str | Mapping[str, Any] | Laws | None = None,
    weighing: Weighing | None = None,
) -> tuple[RevokeRuling, ...]:
    """The rulings on claims, or on all that a record holds, by some laws.

    `game` is the record's, without options; `claims` may come from `asked(record, "E@5")`, and one that the record holds as
    an accusation is that accusation; `laws` is the name of a profile or a whole one; `weighing` is that of the record, where
    something has been weighed before. The record must be one that the referee can replay. Raises `NoSuch` for laws, deals, seats
    or tricks that there are not.
    """
    found = laws_of(record, laws)
    composed = compose(game, record.options)[0]
    replays = [ReplayedDeal(table) for table in referee.replay(record, composed, trace=True)]
    knowledge = [Knowledge(replay.table) for replay in replays]
    weighing = weighing or Weighing(record, game)
    if claims is None:
        chosen = of_record(record, replays, knowledge, found)
    else:
        chosen = [each for claim in claims for each in recorded(placed(claim, replays), record, replays, found)]
    shared: dict[int, list[Dispute]] = {}
    disputes = [Dispute(record, game, found, replays, knowledge, claim, len(chosen), shared, weighing) for claim in chosen]
    for each in disputes:
        if each.claim.source != "found" and each.offence is not None and each.offence.finding is not None:
            weighing.object(each.offence.finding)
    rulings = [settle(each) for each in disputes if each.claim.source != "found" or not each.told_before]
    for finding in others(weighing, replays, found) if claims is None else ():
        weighed = weighing.of(finding)
        if weighed is not None and weighing.is_first(finding, weighed):
            rulings.append(deed(record, found, replays[finding.deal_index or 0], finding, weighed))
    return tuple(sorted(rulings, key=lambda each: (each.claim.deal, each.claim.index or 0, each.claim.trick or 0)))
