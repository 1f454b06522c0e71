"""The dates of a renege: when it was established by the laws, until when it could be claimed, and whether it was."""

from __future__ import annotations

from collections.abc import Sequence

from handrec.game.playing import Seen
from handrec.ruling.laws import Deadline, Established, Laws
from handrec.ruling.scene import Scene, Time
from handrec.ruling.value import Claim

#: What laws mean by a moment that no record tells: the latest that it can have been.
UNRECORDED = {
    "trick_turned": "When a trick was turned is not in the record: at the latest when the next one was led.",
    "tricks_mixed": "When the tricks were mixed is not in the record: it is taken as the end of the deal.",
}


def established(scene: Scene, laws: Laws, seen: Seen) -> tuple[Time, str] | None:
    """When a card played could no longer be put right, and by whose act; None if it never came to that."""
    return _fixed(scene, laws.establish_on, seen)


def _fixed(scene: Scene, on: Established, seen: Seen) -> tuple[Time, str] | None:
    place, seat = seen.place or 0, scene.table.seats[seen.seat]
    if on == "at_once":
        return (scene.index, place), f"{scene.label(seen)} (a card played stands)"
    if on == "own_side_next":
        side = scene.side(seat)
        events = scene.table.deal.events
        claims = [spot for spot, event in enumerate(events) if event.do == "claim" and event.by in side and spot > place]
        ours = [each for each in scene.plays if each.trick > seen.trick and scene.table.seats[each.seat] in side]
        if ours and not (claims and claims[0] < (ours[0].place or 0)):
            did = "led" if scene.lead(ours[0].trick) is ours[0] else "played"
            return (scene.index, ours[0].place or 0), f"{scene.label(ours[0])} ({scene.table.seats[ours[0].seat]} {did})"
        return ((scene.index, claims[0]), f"when {events[claims[0]].by} claimed") if claims else None
    if on == "trick_turned":
        lead = scene.lead(seen.trick + 1)
        if lead is not None:
            return (scene.index, lead.place or 0), f"before {scene.label(lead)} (trick turned)"
        return (scene.end, "end of the deal") if scene.winner(seen.trick) is not None else None
    return (scene.end, "end of the deal") if scene.table.deal.status == "complete" else None


def deadline(scenes: Sequence[Scene], scene: Scene, laws: Laws, seen: Seen) -> tuple[Time | None, str]:
    """Until when it could be claimed, as the last moment that is in time (None: any on record is), and in words."""
    until: Deadline = laws.claim_deadline
    if until == "trick_turned":
        lead = scene.lead(seen.trick + 1)
        if lead is None:
            return scene.end, f"trick {seen.trick} is turned"
        return (scene.index, lead.place or 0), f"trick {seen.trick} is turned (at the latest {scene.label(lead)})"
    if until in ("tricks_mixed", "end_of_deal"):
        return scene.end, "the tricks are mixed" if until == "tricks_mixed" else "the end of the deal"
    if until == "next_deal":
        called = _called(scenes, scene, scene.others(scene.table.seats[seen.seat]))
        return called, "the other side's first call on the next deal" if scene.table.game.partners else "the next deal"
    return None, "the end of the game" if until == "end_of_game" else "any time"


def _called(scenes: Sequence[Scene], scene: Scene, others: Sequence[str]) -> Time | None:
    """Just before the first bid, contract or card of one of these seats on the next deal; its end if it has none on record."""
    for later in scenes[scene.index + 1 : scene.index + 2]:
        for place, event in enumerate(later.table.deal.events):
            if event.do in ("bid", "contract", "play") and event.by in (*others, None):
                return later.index, place
        return later.end
    return None


def late(claim: Claim, until: Time | None) -> bool | None:
    """Whether a claim came too late; None if it is not known when it was made."""
    if claim.when is None:
        return None
    return until is not None and claim.when > until


def in_words(scenes: Sequence[Scene], claim: Claim) -> str:
    """When a claim was made, in words; "" if that is not known."""
    if claim.when is None:
        return ""
    scene = scenes[claim.when[0]]
    last = scene.last(claim.when[1])
    after = f"after {last}" if last else "before the first card"
    return after if scene.index == claim.index else f"{after} of deal {scene.number}"
