"""Which claims a record holds, and those that a caller asks about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from handrec.record import Record
from handrec.ruling.dates import LATE, MOMENTS
from handrec.ruling.knowledge import Knowledge
from handrec.ruling.laws import Laws, NoSuch
from handrec.ruling.replayed import ReplayedDeal, about
from handrec.ruling.value import RevokeClaim


def asked(record: Record, text: str, deal: int | None = None, noticed: str | None = None) -> RevokeClaim:
    """The claim that a seat did not play as it had to, written `E@5`; of the only deal of the record, or of the one numbered.

    `noticed` is when attention was drawn: `8.1` for after the first card of trick 8 of that deal, or one of `dates.MOMENTS`:
    `over`, `next`, `round`. Raises `NoSuch`.
    """
    match = re.fullmatch(r"([A-Za-z0-9_-]{1,16})@([0-9]{1,4})", text)
    if match is None:
        raise NoSuch(f"a claim is written SEAT@TRICK, such as {record.players[0].seat}@5, not {text[:40]}")
    seat, trick = match[1], int(match[2])
    seats = [player.seat for player in record.players]
    if seat not in seats:
        raise NoSuch(f"there is no seat {seat} in this record (seats: {', '.join(seats)})")
    numbers = [each.number or place + 1 for place, each in enumerate(record.deals)]
    if not numbers:
        raise NoSuch("the record has no deals")
    if deal is None and len(numbers) != 1:
        raise NoSuch(f"the record has {len(numbers)} deals: say of which one the claim is (--deal)")
    number = numbers[0] if deal is None else deal
    if number not in numbers:
        raise NoSuch(f"there is no deal {number} in this record (deals: {_spans(numbers)})")
    if noticed is not None and noticed not in MOMENTS and not re.fullmatch(r"[0-9]{1,4}\.[0-9]{1,3}", noticed):
        raise NoSuch(f"a moment is written TRICK.CARD, such as 8.1, not {noticed[:40]} (or it is {', '.join(MOMENTS)})")
    return RevokeClaim(seat, trick, number, noticed=noticed)


def placed(claim: RevokeClaim, replays: Sequence[ReplayedDeal]) -> RevokeClaim:
    """A claim with the place of its deal, and with the moment at which it was noticed as a place among the events.

    Raises `NoSuch` if there is no such moment, or if several deals have its deal's number.
    """
    if claim.index is None:
        places = [replay.index for replay in replays if replay.number == claim.deal]
        if len(places) > 1:
            raise NoSuch(f"{len(places)} deals are numbered {claim.deal}: it cannot be decided which of them is meant")
        claim = replace(claim, index=places[0] if places else None)
    if claim.index is None or claim.source == "accusation":
        return claim
    replay = replays[claim.index]
    if claim.trick is not None and not 1 <= claim.trick <= replay.table.size:
        raise NoSuch(f"there is no trick {claim.trick} in deal {claim.deal} (tricks: 1 to {replay.table.size})")
    if claim.noticed is None:
        return claim
    if claim.noticed in MOMENTS and not replay.over:
        raise NoSuch(f"deal {claim.deal} does not end on this record: say after which card it was noticed, not {claim.noticed}")
    if claim.noticed == "over":
        return replace(claim, when=replay.end)
    if claim.noticed in MOMENTS:
        return replace(claim, when=(replay.index + 1, LATE))
    seen = replay.named(claim.noticed)
    if seen is None or seen.place is None:
        raise NoSuch(f"there is no card {claim.noticed} in deal {claim.deal}")
    accused = None if claim.trick is None else replay.play(claim.of, claim.trick)
    if accused is not None and (accused.place or 0) > seen.place:
        raise NoSuch(
            f"{claim.of}'s card to trick {claim.trick} was played after {claim.noticed}: it cannot have been noticed then"
        )
    return replace(claim, when=(replay.index, seen.place + 1))


def of_record(record: Record, replays: Sequence[ReplayedDeal], knowledge: Sequence[Knowledge], laws: Laws) -> list[RevokeClaim]:
    """Every accusation of a record, every mark, and every offence that the replay found besides, in order of the deals."""
    claims = accusations(record, replays, laws)
    said = {(claim.index, claim.of, claim.trick) for claim in claims}
    claims += [mark for replay in replays for mark in _marks(replay) if (mark.index, mark.of, mark.trick) not in said]
    said = {(claim.index, claim.of, claim.trick) for claim in claims}
    for replay, known in zip(replays, knowledge, strict=True):
        found = [(replay.table.seats[each.seen.seat], each.seen.trick) for each in replay.offences(laws.duty)]
        if replay.table.unjudged and replay.plays:
            seats = replay.table.seats[: replay.table.count]
            found += [play for play in known.proved(seats) if play not in found]
        claims += [
            RevokeClaim(seat, trick, replay.number, source="found", index=replay.index)
            for seat, trick in dict.fromkeys(found)
            if (replay.index, seat, trick) not in said
        ]
    return sorted(claims, key=lambda claim: (claim.deal, claim.index or 0, claim.trick or 0))


def recorded(claim: RevokeClaim, record: Record, replays: Sequence[ReplayedDeal], laws: Laws) -> list[RevokeClaim]:
    """A claim asked about as the record has it, if it does and nothing else is said of when it was made."""
    play = (claim.index, claim.of, claim.trick)
    if claim.source != "asked" or claim.noticed is not None:
        return [claim]
    return [each for each in accusations(record, replays, laws) if (each.index, each.of, each.trick) == play] or [claim]


def accusations(record: Record, replays: Sequence[ReplayedDeal], laws: Laws) -> list[RevokeClaim]:
    """Every accusation of a record, in time order."""
    found = []
    for replay in replays:
        for place, event in enumerate(replay.table.deal.events):
            if event.do != "accuse":
                continue
            trick, index = event.trick, about(record, replay.index, event.of_deal)
            if trick is None and index is not None:
                trick = _meant(replays[index], event.of, place if index == replay.index else None, laws)
            number, when = event.of_deal or replay.number, (replay.index, place)
            found.append(RevokeClaim(event.of, trick, number, event.by, when=when, source="accusation", index=index))
    return found


def _marks(replay: ReplayedDeal) -> list[RevokeClaim]:
    """The cards that whoever wrote the record down marked as a revoke: nobody at the table need have said so."""
    return [
        RevokeClaim(replay.table.seats[seen.seat], seen.trick, replay.number, source="mark", index=replay.index)
        for seen in replay.plays
        if replay.marked(seen)
    ]


def _meant(replay: ReplayedDeal, seat: str, before: int | None, laws: Laws) -> int | None:
    """The trick that an accusation without one must mean: the one on the table if its seat offended there, else the first.

    Where only the trick on the table can be claimed, it is that one too if its seat has not offended at all.
    """
    events = len(replay.table.deal.events) if before is None else before
    made = [each.seen.trick for each in replay.offences(laws.duty, seat) if (each.seen.place or 0) < events]
    now = max((seen.trick for seen in replay.plays if (seen.place or 0) < events), default=0)
    if now in made or (not made and laws.claim_deadline == "trick_turned" and before is not None):
        return now or None
    return made[0] if made else None


def _spans(numbers: Sequence[int]) -> str:
    if numbers == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 2:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))
