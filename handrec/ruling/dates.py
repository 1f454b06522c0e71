"""The dates of a renege: when it was established by the laws, until when it could be claimed, and when it was."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from handrec.game.playing import Seen
from handrec.ruling.laws import Deadline, Established, Laws
from handrec.ruling.replayed import ReplayedDeal, Time
from handrec.ruling.value import RevokeClaim

#: What laws mean by a moment that no record tells: the latest that it can have been.
UNRECORDED = {
    "trick_turned": "When a trick was turned is not in the record: at the latest when the next one was led.",
    "tricks_mixed": "When the tricks were mixed is not in the record: it is taken as the end of the deal.",
    "cards_cut": "When the cards were cut is not in the record: it is taken as when the next deal begins.",
}

#: Moments after the play at which attention may have been drawn, by the words that a caller says.
MOMENTS = {
    "over": "when the deal was over and the hands back",
    "next": "after both sides had called on the next deal",
    "round": "after the round",
}

#: Later than any event of a deal.
LATE = 1 << 40


@dataclass(frozen=True)
class EstablishingAct:
    """Something that establishes a renege: which of the laws' moments it is, when, and in words."""

    on: Established
    time: Time
    words: str


def acts(
    replays: Sequence[ReplayedDeal], replay: ReplayedDeal, laws: Laws, seen: Seen, claim: RevokeClaim
) -> list[EstablishingAct]:
    """All that has happened, or is said to have, by which a card played came to stand, in order of time."""
    found = [act for on in laws.establish_on for act in _establishing_acts(replays, replay, on, seen, claim)]
    return sorted(found, key=lambda act: act.time)


def _establishing_acts(
    replays: Sequence[ReplayedDeal], replay: ReplayedDeal, on: Established, seen: Seen, claim: RevokeClaim
) -> Iterator[EstablishingAct]:
    place, seat = seen.place or 0, replay.table.seats[seen.seat]
    side, here = replay.side(seat), replay.index
    events = replay.table.deal.events
    claims = [spot for spot, event in enumerate(events) if event.do == "claim" and spot > place]
    if on == "at_once":
        yield EstablishingAct(on, (here, place), f"{replay.label(seen)} (a card played stands)")
    elif on == "own_side_next":
        ours = [each for each in replay.plays if each.trick > seen.trick and replay.table.seats[each.seat] in side]
        for each in ours[:1]:
            did = "led" if replay.lead(each.trick) is each else "played"
            yield EstablishingAct(on, (here, each.place or 0), f"{replay.label(each)} ({replay.table.seats[each.seat]} {did})")
    elif on == "trick_turned":
        lead = replay.lead(seen.trick + 1)
        if lead is not None:
            yield EstablishingAct(on, (here, lead.place or 0), f"before {replay.label(lead)} (trick turned)")
        elif replay.winner(seen.trick) is not None:
            yield EstablishingAct(on, (here, len(events) - 1), "end of the deal")
    elif on == "tricks_mixed":
        if replay.table.deal.status == "complete":
            yield EstablishingAct(on, (here, len(events) - 1), "end of the deal")
    elif on in ("own_side_claims", "own_side_agrees"):
        ours_too = on == "own_side_claims"
        for spot in [spot for spot in claims if (events[spot].by in side) is ours_too][:1]:
            words = f"when {events[spot].by} claimed"
            yield EstablishingAct(on, (here, spot), words if ours_too else f"{words}, and it was agreed to")
    elif on == "claim_agreed" and any(events[spot].by not in side for spot in claims):
        called = _called(replays, replay, side)
        if called is not None:
            later = replays[called[0]]
            yield EstablishingAct(
                on, called, f"when {' or '.join(side)} called on deal {later.number} without objecting to the claim"
            )
        elif claim.noticed in ("next", "round"):
            yield EstablishingAct(on, (here + 1, 0), f"{MOMENTS[claim.noticed]}, without objecting to the claim")


def deadline(replays: Sequence[ReplayedDeal], replay: ReplayedDeal, laws: Laws, seen: Seen) -> tuple[Time | None, str]:
    """Until when it could be claimed, as the last moment that is in time (None: any on record is), and in words."""
    until: Deadline = laws.claim_deadline
    if until == "trick_turned":
        lead = replay.lead(seen.trick + 1)
        if lead is None:
            return replay.end, f"trick {seen.trick} is turned"
        return (replay.index, lead.place or 0), f"trick {seen.trick} is turned (at the latest {replay.label(lead)})"
    if until in ("tricks_mixed", "end_of_deal", "cards_cut"):
        words = {"tricks_mixed": "the tricks are mixed", "cards_cut": "the cards are cut for the next deal"}
        return replay.end, words.get(until, "the end of the deal")
    if until == "next_deal":
        called = _first_call(replays, replay, replay.others(replay.table.seats[seen.seat]))
        return called, "the other side's first call on the next deal" if replay.table.game.partners else "the next deal"
    return None, "the end of the game" if until == "end_of_game" else "any time"


def _first_call(replays: Sequence[ReplayedDeal], replay: ReplayedDeal, seats: Sequence[str]) -> Time | None:
    """Just before the first bid, contract or card of one of these seats on the next deal; its end if it has none on record."""
    for later in replays[replay.index + 1 : replay.index + 2]:
        return next(_calls(later, seats), later.end)
    return None


def _called(replays: Sequence[ReplayedDeal], replay: ReplayedDeal, seats: Sequence[str]) -> Time | None:
    """The first bid, contract or card of one of these seats on a later deal."""
    return next((time for later in replays[replay.index + 1 :] for time in _calls(later, seats)), None)


def _calls(replay: ReplayedDeal, seats: Sequence[str]) -> Iterator[Time]:
    for place, event in enumerate(replay.table.deal.events):
        if event.do in ("bid", "contract", "play") and event.by in (*seats, None):
            yield replay.index, place


def drawn(replay: ReplayedDeal, claim: RevokeClaim) -> Time:
    """When attention was drawn: if that is not known, at the end of what is on record of the deal."""
    return replay.end if claim.when is None else claim.when


def hands_back(replay: ReplayedDeal, claim: RevokeClaim) -> bool:
    """Whether all hands were back in the board by then: not as long as the deal goes on, which is all that a record tells."""
    if claim.when is None:
        return replay.over
    return claim.noticed in MOMENTS or claim.when[0] > replay.index


def late(claim: RevokeClaim, laws: Laws, until: Time | None) -> bool | None:
    """Whether a claim came too late; None if it is not known when it was made."""
    if claim.when is None:
        return None
    if claim.noticed == "round" and "round_over" in laws.exempt:
        return False  # that is an exemption of its own
    if until is None:  # no deal after this one is on record
        return laws.claim_deadline == "next_deal" and claim.noticed in ("next", "round")
    return claim.when > until


def in_words(replays: Sequence[ReplayedDeal], claim: RevokeClaim) -> str:
    """When a claim was made, in words; "" if that is not known."""
    if claim.when is None:
        return ""
    if claim.noticed in MOMENTS:
        return MOMENTS[claim.noticed]
    replay = replays[claim.when[0]]
    last = replay.last(claim.when[1])
    after = f"after {last}" if last else "before the first card"
    return after if replay.index == claim.index else f"{after} of deal {replay.number}"
