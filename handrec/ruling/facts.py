"""The facts found, each with its evidence; what no record tells, and so is assumed; and what else was found."""

from __future__ import annotations

from collections.abc import Iterator

from handrec.game.playing import Seen
from handrec.record import Accuse
from handrec.ruling import dates
from handrec.ruling.dispute import Dispute
from handrec.ruling.procedure import Course
from handrec.ruling.replayed import Offence, ReplayedDeal, about
from handrec.ruling.value import Fact


def found(dispute: Dispute) -> Iterator[Fact]:
    """The facts, in the order in which they are told."""
    replay, claim = dispute.replay, dispute.claim
    if replay is None:
        yield Fact(dispute.missing, "the record")
        return
    offence = dispute.offence
    seen = offence.seen if offence else replay.play(claim.of, claim.trick) if claim.trick else None
    if seen is not None:
        yield _played(replay, seen)
    if offence is not None:
        yield from _held(replay, offence)
        yield from _counted(dispute, replay)
    elif seen is not None:
        yield from _judged(dispute, replay, seen)
    elif claim.trick:
        yield Fact(f"what {claim.of} played to trick {claim.trick} is not in this record", "the record")
    elif dispute.shown is False:
        yield Fact(f"every card that {claim.of} played in deal {replay.number} could be played", "the play")
    else:
        yield Fact(f"what {claim.of} could play in deal {replay.number} cannot be told in full", "the record")
    if seen is not None and replay.marked(seen):
        words = f"the transcriber marked {seen.token} as a {dispute.laws.revoke}: a remark, and no ruling of the table"
        yield Fact(words, "the record", replay.label(seen))
    if claim.source == "accusation" and claim.when is not None:
        for earlier in _before(dispute):
            yield Fact(f"{earlier} had accused {claim.of} of it before", "the record")
        when = dates.in_words(dispute.replays, claim)
        yield Fact(f"{claim.by} accused {claim.of} {when}", "the record", dispute.replays[claim.when[0]].last(claim.when[1]))
    yield from _done(dispute)


def _before(dispute: Dispute) -> Iterator[str]:
    """Who had made the same accusation before."""
    claim = dispute.claim
    for replay in dispute.replays:
        for place, event in enumerate(replay.table.deal.events):
            if not isinstance(event, Accuse) or claim.when is None or (replay.index, place) >= claim.when:
                continue
            same = event.of == claim.of and about(dispute.record, replay.index, event.of_deal) == claim.index
            if same and event.trick in (None, claim.trick):
                yield event.by


def _played(replay: ReplayedDeal, seen: Seen) -> Fact:
    seat, lead = replay.table.seats[seen.seat], replay.lead(seen.trick)
    winner = replay.winner(seen.trick)
    won = "" if winner is None or seen.withdrawn else " and won" if winner == seat else f"; {winner} won"
    if lead is None or lead is seen:
        return Fact(f"trick {seen.trick}: {seat} led {seen.token}{won}", "the play", replay.label(seen))
    led = f"{replay.table.seats[lead.seat]} led {lead.token}"
    taken = " and took it back" if seen.withdrawn else ""
    return Fact(f"trick {seen.trick}: {led}; {seat} played {seen.token}{taken or won}", "the play", replay.label(seen))


def _held(replay: ReplayedDeal, offence: Offence) -> Iterator[Fact]:
    seen, seat = offence.seen, replay.table.seats[offence.seen.seat]
    if offence.finding is None:
        yield Fact(f"{seat} {offence.duty}: the cards played elsewhere leave no other way", "counting", replay.label(seen))
        return
    words = f"{seat} {offence.duty} while holding {' '.join(offence.could)}"
    yield Fact(words, _evidence(replay, seat), replay.label(seen))
    later = [each for each in replay.plays if each.seat == seen.seat and each.token in offence.could and each is not seen]
    shown = [each for each in later if (each.place or 0) > (seen.place or 0) and not each.withdrawn]
    if shown:
        yield Fact(f"{seat} played {shown[0].token} to trick {shown[0].trick}", "later play", replay.label(shown[0]))


def _counted(dispute: Dispute, replay: ReplayedDeal) -> Iterator[Fact]:
    """That the table could count it out before the card itself was shown."""
    offence, since = dispute.offence, dispute.known.since.get("all") if dispute.known else None
    if offence is None or not since or offence.finding is None:
        return
    proved = replay.named(since)
    later = [each for each in replay.plays if each.token in offence.could and each.seat == offence.seen.seat]
    if proved is not None and all((each.place or 0) > (proved.place or 0) for each in later) and dispute.claim.of != replay.dummy:
        yield Fact(f"by {since} the cards that are left could not lie in any other way", "counting", since)


def _evidence(replay: ReplayedDeal, seat: str) -> str:
    """How a seat's hand is known."""
    deal = replay.table.deal
    if seat == replay.dummy:
        return "dummy"
    return "recorded hand" if seat in (deal.hands or {}) or deal.pack is not None else "later play"


def _judged(dispute: Dispute, replay: ReplayedDeal, seen: Seen) -> Iterator[Fact]:
    """Why a card was legal, or why that cannot be told."""
    table, seat = replay.table, replay.table.seats[seen.seat]
    at = replay.label(seen)
    if dispute.shown is None:
        yield Fact(f"what {seat} held then is not recorded and does not follow from the cards played", "the record", at)
        if dispute.known is not None and dispute.known.telling:
            yield Fact(f"it was a {dispute.laws.revoke} if {seat} held one of {' '.join(dispute.known.telling)}", "the rules", at)
        if dispute.known is not None and dispute.known.alone:
            yield Fact(f"if all the others played legally, {seat} did not: but that is not certain", "counting", at)
        elif dispute.known is not None and dispute.known.suspects not in ((), ((),)):
            sets = "; or ".join(" and ".join(each) for each in dispute.known.suspects)
            yield Fact(f"somebody did not play legally: {sets}", "counting")
        return
    breaches = [each for each in replay.offences("any", seat) if each.seen is seen]
    if breaches:
        yield Fact(f"{seat} {breaches[0].duty}, which is no {dispute.laws.revoke} by these laws", _evidence(replay, seat), at)
    elif seen.hand and seen.legal >> max(seen.card, 0) & 1:
        could, held = " ".join(table.names(seen.legal)), " ".join(table.names(seen.hand))
        yield Fact(
            f"{seat} held {held}; it could play {'any' if seen.legal == seen.hand else could}", _evidence(replay, seat), at
        )
    else:
        yield Fact(f"{seat}'s card could be played", "counting" if dispute.known else "the rules", at)


def _done(dispute: Dispute) -> Iterator[Fact]:
    """What the table itself did about it."""
    claim = dispute.claim
    for replay in dispute.replays:
        for place, event in enumerate(replay.table.deal.events):
            at = replay.last(place)
            where = "" if replay.index == claim.index else f" in deal {replay.number}"
            here = event.do in ("transfer", "ruling") and about(dispute.record, replay.index, event.of_deal) == claim.index
            if event.do == "transfer" and event.of == claim.of and here:
                if claim.by in (None, event.by):
                    many = f"{event.tricks} {dispute.laws.trick}{'' if event.tricks == 1 else 's'}"
                    yield Fact(f"{event.by} took {many} of {event.of}{where}", "the record", at)
            elif event.do == "penalty" and event.of in (claim.of, claim.by) and event.reason in ("renege", "false_accusation"):
                said = event.reason.replace("_", " ")
                yield Fact(f"the table took {event.points} points off {event.of} for a {said}{where}", "the record", at)
            elif event.do == "ruling" and event.of == claim.of and here:
                if event.trick in (None, claim.trick) and not replay.is_mark(place):
                    yield Fact(f"{event.by or 'the table'} ruled: {event.verdict}", "the record", at)


def assumed(dispute: Dispute, course: Course | None) -> Iterator[str]:
    """What is not in the record, and how it is taken."""
    claim, laws, replay = dispute.claim, dispute.laws, dispute.replay
    if course is not None and replay is not None:
        yield from _moments(dispute, course, replay)
        if claim.by is None and laws.penalty and laws.penalty[0].kind in ("books", "tricks"):
            if len(replay.others(claim.of)) > 1 and not dispute.game.partners:
                yield "Who claims it is not in the record: each of the others is shown."
        for moment in dict.fromkeys((*laws.establish_on, laws.claim_deadline)):
            if moment in dates.UNRECORDED:
                yield dates.UNRECORDED[moment]
        if dispute.weighed is not None and dispute.weighed.slips and dispute.weighed.slips[0].cost == 0 and not dispute.explained:
            yield "Nobody can tell it from a slip of the pen: since it is claimed, it is taken as written."
        if laws.already_decided == "stands":
            yield "Whether the game was decided before is not reckoned: if it was, its result stands."
    yield "What was said at the table is not in the record."


def _moments(dispute: Dispute, course: Course, replay: ReplayedDeal) -> Iterator[str]:
    """When attention was drawn, and what had happened by then, as far as no record tells it."""
    claim, laws, offence = dispute.claim, dispute.laws, dispute.offence
    asked = {step.topic: step for step in course.steps}
    taken_back = offence is not None and offence.seen.withdrawn
    if claim.source in ("found", "mark") and not taken_back:
        yield "Nobody claims it in this record: this is what a claim made in time would give."
    elif claim.when is None and laws.claim_deadline != "none" and not taken_back:
        back = "hands_not_back" in laws.correct and dates.hands_back(replay, claim)
        end = "taken as when the deal was over and the hands back" if back else "taken as at the end of what is on record"
        yield f"When it was noticed is not in the record: {end}, in time (--noticed 8.1 says when)."
    if course.corrected in ("unestablished", "both_in_trick") and "card_named" in laws.establish_on and not taken_back:
        yield f"Whether a card of the next trick was named is not in the record: taken as not ({laws.at('card_named')})."
    if course.corrected == "hands_not_back" and claim.when is not None:
        yield "When the four hands were back in the board is not in the record: taken as later (else say --noticed over)."
    faced = asked.get("open_card")
    if faced is not None and faced.applies is False and claim.of != replay.declarer and replay.dummy is not None:
        yield "Cards that lay face up, but for dummy's and those of revokes taken back, are not in the record: taken as none."
    if dispute.established is not None or course.corrected:
        later = claim.when is not None and claim.when[0] > replay.index
        if later and claim.noticed != "round" and "round_over" in laws.exempt:
            yield "When the round ended is not in the record: taken as later (--noticed round says that it had)."


def aside(dispute: Dispute) -> Iterator[str]:
    """What else in the same deal was not played as it had to be."""
    replay, offence = dispute.replay, dispute.offence
    for each in replay.offences() if replay is not None else ():
        if offence is None or each.seen is not offence.seen:
            seat = replay.table.seats[each.seen.seat] if replay else ""
            yield f"{seat} {each.duty} in trick {each.seen.trick} (played {each.seen.token})"
    if dispute.laws.note and dispute.shown:
        yield dispute.laws.note
