"""From a claim to its ruling: was it shown, was it in time, is it exempt, what follows."""

from __future__ import annotations

from dataclasses import replace

from handrec.record import Record
from handrec.ruling import books, corrected, dates, facts
from handrec.ruling.dispute import Dispute
from handrec.ruling.laws import LAWS, Topic
from handrec.ruling.outcomes import Cause, consequences, in_short, in_words, most
from handrec.ruling.procedure import Course
from handrec.ruling.replayed import Time
from handrec.ruling.standings import side_name, standing, unfined
from handrec.ruling.value import Cited, Decision, GameStanding, RevokeDates, RevokeRuling, RulingOutcome
from handrec.writing import digest


def settle(dispute: Dispute) -> RevokeRuling:
    """The ruling on a claim."""
    claim, laws, replay = dispute.claim, dispute.laws, dispute.replay
    course = Course(dispute) if dispute.shown and dispute.offence is not None else None
    verdict, reason, cause = _decide(dispute, course)
    unfined_record = _without(dispute, cause)
    before = GameStanding() if replay is None else standing(_untaken(unfined_record, dispute), dispute.game, replay.index)
    outcomes: list[RulingOutcome] = []
    aside = list(facts.aside(dispute))
    if replay is not None and cause is not None:
        outcomes = consequences(unfined_record, dispute.game, laws, claim, cause, before)
        reason = reason or in_short(laws, outcomes)
        if cause.offence is None and outcomes:
            reason += f": {outcomes[0].words}"
    elif replay is not None and course is not None and dispute.offence is not None and course.corrected:
        both = course.corrected == "both_in_trick"
        if replay.play(claim.of, dispute.offence.seen.trick) is dispute.offence.seen:  # no other card is on record for it
            outcomes = [corrected.put_right(unfined_record, dispute.game, dispute, both, before)]
        aside = [*(words for _, words in corrected.cards(dispute, course)), *aside]
    record = dispute.record
    return RevokeRuling(
        claim=claim,
        laws=laws,
        record=record.id,
        digest=digest(record, replay.index) if replay is not None else "",
        players={player.seat: player.name for player in record.players},
        verdict=verdict,
        shown=dispute.shown,
        reason=reason,
        facts=tuple(facts.found(dispute)),
        assumed=tuple(facts.assumed(dispute, course)),
        dates=_dates(dispute),
        rules=tuple(_rules(dispute, course, cause)),
        steps=course.steps if course is not None else (),
        before=before,
        outcomes=tuple(outcomes),
        equity=_equity(dispute, course),
        aside=tuple(aside),
        profiles=_profiles(dispute) if dispute.shown and not laws.penalty and not dispute.explained else {},
        weighed=dispute.weighed,
    )


#: Why a card is put right, by the topic of the laws.
CORRECTED = {
    "unestablished": "not established: it is to be corrected",
    "both_in_trick": "both sides revoked in the trick: both are to be corrected",
    "hands_not_back": "trick twelve, and the hands not back: it is to be corrected",
}


def _decide(dispute: Dispute, course: Course | None) -> tuple[Decision, str, Cause | None]:
    """The verdict, the reason if nothing follows, and who pays if something may."""
    claim, laws, replay, offence = dispute.claim, dispute.laws, dispute.replay, dispute.offence
    if replay is None:
        return "cannot be decided", dispute.missing, None
    if dispute.shown is None:
        return "cannot be decided", "not shown by this record", None
    if offence is None or course is None:
        false = claim.source == "accusation" and laws.false_claim and claim.by is not None
        cause = Cause(replay, None, claim.by or "", claim.of, _fine(dispute)) if false else None
        return "rejected", dispute.harmless, cause
    if dispute.explained:
        return "cannot be decided", dispute.explained, None
    if course.void:
        return "rejected", "claimed too late, so nothing follows", None
    if offence.seen.withdrawn:
        allowed = laws.penalty and not laws.correctable
        return "upheld", f"taken back{', as the table allowed' if allowed else ''}: nothing follows", None
    if course.corrected:
        return "upheld", CORRECTED[course.corrected], None
    if course.exempt is not None:
        words = course.exempt.what
        return "upheld", words if course.exempt.topic == "once" else f"nothing follows: {words}", None
    if not laws.penalty:
        return "upheld", "the source names no penalty" if laws.name == "none" else "the laws name no penalty", None
    claimant = None if claim.by in replay.side(claim.of) else claim.by
    before = tuple(each.offence for each in dispute.before if each.offence is not None and Course(each).pays)
    return "upheld", "", Cause(replay, offence, claim.of, claimant, _fine(dispute), dispute.claims, before)


def _fine(dispute: Dispute) -> int | None:
    """The points that the record has taken for this already."""
    place = _fined_at(dispute)
    return None if place is None else dispute.record.deals[place[0]].events[place[1]].points  # type: ignore[union-attr]


def _fined_at(dispute: Dispute) -> Time | None:
    """Where: for an offence, the fine that has the offence's place among the seat's; else the first after the false claim."""
    claim, offence = dispute.claim, dispute.offence
    payer, reasons = (claim.of, ("renege", None)) if offence else (claim.by, ("false_accusation",))
    fines = [
        (index, place)
        for index, deal in enumerate(dispute.record.deals)
        for place, event in enumerate(deal.events)
        if event.do == "penalty" and event.of == payer and event.reason in reasons
    ]
    if offence is None:
        return next((time for time in fines if claim.when and time > claim.when), None)
    made = [(replay.index, each.seen.place) for replay in dispute.replays for each in replay.offences(dispute.laws.duty, payer)]
    assert dispute.replay is not None
    here = (dispute.replay.index, offence.seen.place)
    order = made.index(here) if here in made else len(made)
    return fines[order] if order < len(fines) else None


def _without(dispute: Dispute, cause: Cause | None) -> Record:
    """The record without the points that were taken for this already."""
    place = _fined_at(dispute) if cause is not None and cause.fine is not None else None
    return dispute.record if place is None else unfined(dispute.record, place)


def _untaken(record: Record, dispute: Dispute) -> Record:
    """The record without the books that were taken for this already."""
    claim = dispute.claim
    for seat in [claim.by] if claim.by else [player.seat for player in record.players]:
        record = books.untaken(record, seat, claim.of, claim.index)
    return record


def _dates(dispute: Dispute) -> RevokeDates:
    replay, offence, claim = dispute.replay, dispute.offence, dispute.claim
    claimed = dates.in_words(dispute.replays, claim)
    if replay is None or claim.trick is None:
        return RevokeDates(claimed=claimed)
    seen = replay.play(claim.of, claim.trick) if offence is None else offence.seen
    happened = replay.label(seen) if seen is not None else ""
    if offence is None or seen is None:
        return RevokeDates(happened, claimed=claimed)
    since = dispute.known.since if dispute.known is not None else {}
    established = dispute.established.words if dispute.established else ""
    return RevokeDates(happened, since, established, dispute.deadline[1], claimed)


def _rules(dispute: Dispute, course: Course | None, cause: Cause | None) -> list[Cited]:
    """The rule in question, and what the laws say about it: where each step that applies stands."""
    laws, game, found = dispute.laws, dispute.game, []
    if dispute.replay is not None:
        game = dispute.replay.table.game
    broken = dispute.offence.finding.fault if dispute.offence and dispute.offence.finding else None
    duty = broken if broken and broken.code != "REV009" else game.rule("REV001")
    found.append(Cited(duty.id, str(duty.citation), duty.sentence))
    topics = ["renege"]
    if course is not None:
        act = dispute.established
        topics += [step.topic for step in course.corrections if step.applies]
        topics += [act.on if act.on in laws.paragraphs else "established"] if act and laws.correctable else []
        topics += [topic for topic, _ in corrected.cards(dispute, course)]
        topics += ["deadline"] if "deadline" not in laws.exempt else []
        topics += [step.topic for step in (*course.exemptions, *course.penalty) if step.applies]
        topics += ["unclaimed"] if dispute.claim.source == "found" else []
    elif cause is not None:
        topics += ["false_claim" if laws.at("false_claim") else "penalty"]
    for topic in topics:
        paragraph = laws.paragraphs.get(topic)  # type: ignore[call-overload]
        if paragraph is not None:
            own = {each.id: (str(each.citation), each.sentence) for each in reversed(game.rules)}
            own |= {each.id: (str(each.citation), each.sentence) for each in game.definitions}
            citation, sentence = own.get(paragraph.at, (laws.source, ""))
            found.append(Cited(paragraph.at, citation, paragraph.says or sentence))
    return list(dict.fromkeys(found))


def _equity(dispute: Dispute, course: Course | None) -> str:
    """What is left to judgement: of an established revoke, whatever the number is, and none is made up here."""
    if dispute.laws.equity == "none" or course is None or dispute.established is None:
        return ""
    applied = [step.topic for step in course.exemptions if step.applies]
    topics = [*(EQUITY[topic] for topic in applied if topic in EQUITY), "equity"]
    said = next((dispute.laws.paragraphs[topic] for topic in topics if topic in dispute.laws.paragraphs), None)
    words = "" if said is None else f"{said.at}: {said.says}".strip() + " "
    return f"{words}That is a judgement, and no part of the number. Double dummy is not computed."


#: The topics under which laws speak of equity for an exemption of its own.
EQUITY: dict[str, Topic] = {"repeat_same_suit": "equity_repeated", "both_sides": "equity_both_sides"}


def _profiles(dispute: Dispute) -> dict[str, str]:
    """What each shipped profile would give, in a few words."""
    brief = {}
    for name, laws in LAWS.items():
        if laws.penalty and not laws.games:
            other = replace(dispute, laws=laws, shared={})
            brief[name] = _in_brief(other)
    return brief


def _in_brief(dispute: Dispute) -> str:
    course = Course(dispute) if dispute.shown and dispute.offence is not None else None
    verdict, reason, cause = _decide(dispute, course)
    if cause is None or cause.offence is None:
        return reason if verdict == "upheld" else f"{verdict}: {reason}"
    of = side_name(cause.replay.side(cause.of)) if dispute.game.partners else cause.of
    parts = [in_words(penalty, dispute.laws, of, most(penalty, cause)) for penalty in dispute.laws.penalty]
    return " or ".join(parts)
