"""Deeds that the laws of reneges say nothing of, such as a lead or a call out of turn: it is said whether they happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from handrec.explanations.costs import key_of, trick_given
from handrec.explanations.weighed import Weighed, Weighing, is_deed
from handrec.findings import Finding
from handrec.record import Record
from handrec.ruling.laws import Laws
from handrec.ruling.replayed import ReplayedDeal
from handrec.ruling.value import Cited, Fact, GameStanding, RevokeClaim, RevokeDates, RevokeRuling
from handrec.writing import digest


def others(weighing: Weighing, replays: Sequence[ReplayedDeal], laws: Laws) -> Iterator[Finding]:
    """The deeds of players that the referee found in a record, but for those that are reneges by the laws.

    Who leads because the table gave it the trick, though another had won it, did not lead out of turn.
    """
    reneges = {key_of(each.finding) for replay in replays for each in replay.offences(laws.duty) if each.finding is not None}
    for finding in weighing.examined[0].faults:
        if is_deed(finding) and key_of(finding) not in reneges and not trick_given(finding, weighing.of_deal(finding)):
            yield finding


def deed(record: Record, laws: Laws, replay: ReplayedDeal, finding: Finding, weighed: Weighed) -> RevokeRuling:
    """The ruling on such a deed: whether it happened, and no consequence."""
    happened = weighed.likelier == "deed"
    fault, seen = finding.fault, [each for each in replay.plays if each.place is not None and each.place == finding.event_index]
    at = replay.label(seen[0]) if seen else ""
    what = f"{finding.rule or finding.code} broken"
    return RevokeRuling(
        claim=RevokeClaim(finding.seat or "", finding.trick, replay.number, source="found", index=replay.index, what=what),
        laws=laws,
        record=record.id,
        digest=digest(record, replay.index),
        players={player.seat: player.name for player in record.players},
        verdict="upheld" if happened else "cannot be decided",
        shown=True,
        reason="these laws say nothing of what follows" if happened else weighed.words,
        facts=(Fact(finding.message, "the record", at),),
        assumed=("What was said at the table is not in the record.",),
        dates=RevokeDates(at),
        rules=(Cited(fault.id or fault.code, str(fault.citation or ""), fault.sentence),),
        steps=(),
        before=GameStanding(),
        outcomes=(),
        weighed=weighed,
    )
