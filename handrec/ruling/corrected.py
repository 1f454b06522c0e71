"""A card put right: which card for which, who may take back what, and how the trick goes then, where that is forced.

Whoever revoked plays a card of the suit led; whoever played after that may take the card back (the other side, and then the
next of the offending side, Laws 62C1 and 62C2). Every way to do so is replayed: what is the same in all of them is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from handrec.cards import bits
from handrec.game import Game
from handrec.game.playing import Seen
from handrec.record import Record
from handrec.ruling import dates
from handrec.ruling.dispute import Dispute
from handrec.ruling.procedure import Course, partners_in_trick
from handrec.ruling.replayed import Offence, ReplayedDeal
from handrec.ruling.standings import after_tricks
from handrec.ruling.value import GameStanding, RulingOutcome

#: More ways to go on than this are not replayed; four players with a suit of thirteen have fewer.
WAYS = 10_000


def put_right(record: Record, game: Game, dispute: Dispute, both: bool, before: GameStanding) -> RulingOutcome:
    """What correcting the card makes, and with `both` the other side's in the same trick too."""
    replay, offence = dispute.replay, dispute.offence
    assert replay is not None
    assert offence is not None
    trick = offence.seen.trick
    wrong = sorted([offence, *(partners_in_trick(dispute) if both else ())], key=lambda each: each.seen.place or 0)
    said = " and ".join(_instead(replay, each) for each in wrong)
    ends = list(islice(_ends(replay, wrong), WAYS + 1))
    winners = {row[0] for row in ends}
    if not ends or len(ends) > WAYS:
        return RulingOutcome(said, put_right=True)
    if len(winners) > 1:
        return RulingOutcome(f"{said}: who wins trick {trick} hangs on what is played now", put_right=True)
    (winner,) = winners
    words = f"{said}: {winner} wins trick {trick}"
    lasts = {row[1:] for row in ends}
    if trick + 1 < replay.table.size or len(lasts) != 1 or lasts == {()}:
        return RulingOutcome(words, put_right=True)
    (last,) = lasts
    words += f", {last[0]} trick {trick + 1}"
    if before.tricks is None:
        return RulingOutcome(words, put_right=True)
    table = replay.table
    tricks = dict.fromkeys(table.seats[: table.count], 0)
    for each in table.tricks:
        if each.winner is not None and each.number < trick:
            tricks[each.winner] += 1
    for seat in (winner, last[0]):
        tricks[seat] += 1
    return RulingOutcome(words, put_right=True, after=after_tricks(record, game, replay.index, before, tricks))


def _instead(replay: ReplayedDeal, offence: Offence) -> str:
    """Which card for which."""
    seat, could = replay.table.seats[offence.seen.seat], offence.could
    if not _whole(replay, offence.seen):
        return f"{seat} plays {', '.join(could)} or another that could be played, for {offence.seen.token}"
    if len(could) < 2:
        return f"{seat} plays {could[0] if could else 'another card'} for {offence.seen.token}"
    return f"{seat} plays {', '.join(could[:-1])} or {could[-1]} for {offence.seen.token}"


def _ends(replay: ReplayedDeal, wrong: Sequence[Offence]) -> Iterator[tuple[str, ...]]:
    """Who wins the trick, and the last one after it if there is just that, in every way to go on; nothing if it is not known."""
    table, first = replay.table, wrong[0].seen
    row = [seen for seen in replay.plays if seen.trick == first.trick and (seen is first or not seen.withdrawn)]
    order = table.order(first.trick)
    plain = [rule.code for rule in table.game.play_rules] == ["REV001"]  # what may be played hangs on the lead alone
    if order is None or not plain or len(row) != table.count or any(seen.card < 0 for seen in row):
        return
    free = [seen.place is not None and seen.place >= (first.place or 0) for seen in row]
    if not all(_whole(replay, seen) for seen, may in zip(row, free, strict=True) if may):
        return
    choices = [tuple(bits(seen.legal)) if may and seen.legal else (seen.card,) for seen, may in zip(row, free, strict=True)]
    last = table.order(first.trick + 1) if first.trick + 1 == table.size else None
    two = last is not None and all(_whole(replay, seen) for seen in row)
    for cards in product(*choices):
        winner = order.winner(cards)
        seat = table.seats[row[winner].seat]
        if not two or last is None:
            yield (seat,)
            continue
        left = [next(bits(seen.hand & ~(1 << card))) for seen, card in zip(row, cards, strict=True)]
        turn = [(winner + step) % len(row) for step in range(len(row))]
        end = turn[last.winner([left[place] for place in turn])]
        yield seat, table.seats[row[end].seat]


def _whole(replay: ReplayedDeal, seen: Seen) -> bool:
    """Whether all the cards that a player held at a play are known."""
    return seen.hand.bit_count() == replay.table.size - seen.trick + 1


def cards(dispute: Dispute, course: Course) -> list[tuple[str, str]]:
    """What becomes of the cards where one is put right, each with the topic of the laws that says so."""
    replay, offence, laws = dispute.replay, dispute.offence, dispute.laws
    if replay is None or offence is None or not course.corrected or "others_withdraw" not in laws.paragraphs:
        return []
    found = []
    if replay.dummy is not None and dispute.offender not in (replay.dummy, replay.declarer):
        found.append(("penalty_card", f"{offence.seen.token} becomes a penalty card"))
    if offence.seen.withdrawn:
        return found
    drawn, place, others = dates.drawn(replay, dispute.claim), offence.seen.place or 0, replay.others(dispute.offender)
    after = [each for each in replay.plays if place < (each.place or 0) and (replay.index, each.place or 0) < drawn]
    over = course.corrected == "hands_not_back"
    if over and any(each.trick > offence.seen.trick for each in after):
        found.append(("hands_not_back", f"the cards of trick {offence.seen.trick + 1} go back to the hands"))
    after = [each for each in after if not each.withdrawn and each.trick <= offence.seen.trick + (not over)]
    wrong = {id(each.seen) for each in partners_in_trick(dispute)} if course.corrected == "both_in_trick" else set()
    after = [each for each in after if id(each) not in wrong]
    theirs = [(replay.table.seats[each.seat], each.token) for each in after if replay.table.seats[each.seat] in others]
    ours = [(replay.table.seats[each.seat], each.token) for each in after if replay.table.seats[each.seat] not in others]
    found += [("others_withdraw", f"{seat} may take back {card}") for seat, card in theirs]
    if theirs:
        found += [("own_side_withdraws", f"{seat} may take back {card}, if {theirs[0][0]} does so") for seat, card in ours[:1]]
    late = [act for act in dispute.acts if act.time >= drawn]
    if late and course.corrected == "unestablished":
        found.append(("unestablished", f"the record goes on uncorrected: {late[0].words}, by which it would be established"))
    return found
