"""Slips in an auction of bridge, and in what is stated of the board: each single one that leaves nothing wrong with the calls.

The calls go round the table from the dealer's on, so one left out, written twice, or before its turn shows by the seats: from
there on all are off by so many. Where calls are written without names the seats are in order whatever was left out, and it shows
by the words: such an auction stops short, goes on too long, or comes to what nobody played. So the seats tell which acts of the
pen there may be. All of these come to the same: a stretch of the calls is replaced, and then everybody calls in turn. Those are
kept that leave a right auction, and one that comes to the contract stated, to whose left led, and to the trump of the sheet.

Single words can often be put right in several ways. The likeliest is tried, a pass before a word misread by a character before
any other; the others that come to the same contract are told with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from handrec.explanations.acts import ACTS, NUMBERS, STATED
from handrec.explanations.written import FEW, Events, Mark, Slip, WrittenDeal
from handrec.findings import Finding
from handrec.phases.bidding import BIDS, CALLS, DOUBLE, PASS, RANK, REDOUBLE, SEATS, came_to, right_up_to, stated_outcome
from handrec.phases.bidding import written as as_written
from handrec.phases.board import dealer_of, vulnerability, vulnerable_on
from handrec.phases.contracts import Outcome
from handrec.record import Bid, Contract, Deal, Withdraw

#: So many passes in front or at the end may be taken for granted.
PASSES = SEATS - 1

#: No auction has more calls: three passes, then every bid, each but the last with two passes, doubled, two, redoubled, and two.
LONGEST = PASSES + len(BIDS) * 9 + 1

#: Few boards are numbered higher.
BOARDS = 64


class Stretch(NamedTuple):
    """Some calls, from one up to another, replaced by these words, and how likely that is: less is likelier."""

    rank: int
    start: int
    stop: int
    words: tuple[str, ...]


class WrittenCalls:
    """The calls of a deal as they are written; places at the table are clockwise from 0."""

    def __init__(self, written: WrittenDeal) -> None:
        self.written, events = written, written.deal.events
        self.places = [place for place, event in enumerate(events) if type(event) is Bid]
        self.calls: list[Any] = [events[place] for place in self.places]
        self.words = tuple(str(call.bid) for call in self.calls)
        self.dealer: int | None = written.table.dealer

    @property
    def readable(self) -> bool:
        """Whether it can be told whose turn each call was: the dealer is known, nothing was taken back, and it is one auction."""
        back = any(type(event) is Withdraw and event.bid is not None for event in self.written.deal.events)
        return self.dealer is not None and 0 < len(self.calls) <= LONGEST + 1 and not back

    @cached_property
    def off(self) -> list[int]:
        """By how many seats each call is off from the one whose turn it was, if none is left out."""
        place_of = self.written.table.place_of
        return [(place_of[call.by] - (self.dealer or 0) - spot) % SEATS for spot, call in enumerate(self.calls)]

    @cached_property
    def right(self) -> int:
        """How many of the calls are right before one is not: no single act behind that one mends it."""
        return right_up_to(self.words)

    @cached_property
    def contracts(self) -> list[Contract]:
        """What is stated of the calls."""
        return [event for event in self.written.deal.events if type(event) is Contract]

    def turn(self, spot: int) -> str:
        """Whose turn a call is, if none is left out."""
        return self.written.table.seats[((self.dealer or 0) + spot) % SEATS]

    def stretches(self) -> Iterator[Stretch]:
        """The single acts of the pen that may have put calls made in turn under these seats."""
        off, words, last = self.off, self.words, len(self.words)
        first = next((spot for spot in range(last) if off[spot]), last)
        wrong, further = [spot for spot in range(last) if off[spot]], {*off[first:]}
        if first == last:
            yield from self._in_columns()
            return
        if wrong == [first]:
            yield Stretch(0, first, first + 1, words[first : first + 1])  # under another seat
        if len(wrong) == 2 and off[first : first + 2] == [1, SEATS - 1]:
            yield Stretch(0, first, first + 2, words[first : first + 2][::-1])  # one before the other
        if further == {SEATS - 1} and first and words[first] == words[first - 1]:
            yield Stretch(0, first, first + 1, ())  # twice
        if not first and len(further) == 1:
            yield Stretch(0, 0, 0, (PASS,) * off[0])
        if further == {1}:
            yield from self._put_in(first)

    def _in_columns(self) -> Iterator[Stretch]:
        """The acts that leave the seats in order: of single words, and where calls are written without names."""
        words, last = self.words, len(self.words)
        yield from (Stretch(1, last, last, (PASS,) * many) for many in (2, PASSES))  # taken for granted
        for spot, found in enumerate(words[: self.right + 2]):
            for word in self._between(spot, spot + 1):
                if word != found:
                    near = len(word) == len(found) and sum(a != b for a, b in zip(word, found, strict=True)) == 1
                    yield Stretch(0 if near or word == PASS else 3, spot, spot + 1, (word,))
            if spot and found == words[spot - 1]:
                yield Stretch(2, spot, spot + 1, ())
            elif spot:
                yield Stretch(2, spot - 1, spot + 1, (found, words[spot - 1]))
        for spot in range(min(last, self.right) + 1):
            yield from self._put_in(spot)

    def _put_in(self, spot: int) -> Iterator[Stretch]:
        """A call is left out."""
        return (Stretch(1 if word == PASS else 4, spot, spot, (word,)) for word in self._between(spot, spot))

    def _between(self, start: int, stop: int) -> Iterator[str]:
        """The words that may stand between some calls: no bid, or one above those before and below those after."""
        low = max((RANK[word] for word in self.words[:start] if word in RANK), default=-1)
        high = next((RANK[word] for word in self.words[stop:] if word in RANK), len(BIDS))
        yield from (PASS, DOUBLE, REDOUBLE)
        yield from BIDS[low + 1 : high]

    def undone(self, each: Stretch) -> tuple[str, ...]:
        """The words of all calls with a stretch replaced."""
        return (*self.words[: each.start], *each.words, *self.words[each.stop :])


# --- at sight ----------------------------------------------------------------------------------------------------------


def is_of_bridge(written: WrittenDeal) -> bool:
    """Whether the calls are those of bridge: of others it is not known here what they come to."""
    return getattr(written.table.game.phase_of.get("bid"), "tokens", None) == CALLS


def bears(finding: Finding) -> bool:
    """Whether calls bear on a finding: they are at fault, or what they came to is not what was led to, or trump on the sheet."""
    return finding.code.startswith(("BID", "DEA009")) or (finding.code == "PLY004" and finding.trick == 1)


def single(written: WrittenDeal) -> Iterator[Slip]:
    """One slip in the calls, after which nothing is wrong with them; of those that come to the same the likeliest first."""
    if not is_of_bridge(written) or not any(map(bears, written.findings)):
        return
    calls = WrittenCalls(written)
    if not calls.readable:
        return
    found = dict[Outcome, list[Stretch]]()
    for each in calls.stretches():
        came = came_to(calls.undone(each))
        if came is not None and _fits(written, calls, came):
            found.setdefault(came, []).append(each)
    alike = [sorted(each, key=lambda one: one.rank) for each in found.values()]
    for first, *others in sorted(alike, key=lambda each: each[0].rank):
        yield slip_of(calls, first).told_with([(ACTS["call"], described(calls, other)[0]) for other in others[:FEW]])


def misdealt(written: WrittenDeal) -> Iterator[Slip]:
    """The dealer is miswritten: all call in turn, but from another seat on; or bid and lead as if another had dealt.

    Where anything stated contradicts the calls or the board, that is told for itself.
    """
    codes, found = {finding.code for finding in written.findings}, written.deal.dealer
    if found is None:
        return
    if not is_of_bridge(written):
        yield from _begun_by_another(written, found)
    elif "BID001" in codes and codes.isdisjoint(STATED):
        calls = WrittenCalls(written)
        if calls.readable and calls.off[0] and len({*calls.off}) == 1:
            yield _dealt_by(found, calls.calls[0].by)


def _begun_by_another(written: WrittenDeal, found: str) -> Iterator[Slip]:
    """The dealer for whom the first who bid or led would have done so in turn."""
    table = written.table
    begun = [each for each in written.findings if each.code == "BID001" or (each.code == "PLY004" and each.trick == 1)]
    bids = table.game.rule("BID001") in table.game.rules  # then a wrong dealer makes bids wrong too, and not the lead alone
    first = next((each for each in begun if each.seat and each.facts.get("due")), None)
    if first is None or found not in table.place_of or (bids and begun[0].code != "BID001"):
        return
    further = table.place_of[str(first.seat)] - table.place_of[str(first.facts["due"])]
    yield _dealt_by(found, table.seats[(table.place_of[found] + further) % table.count])


def _dealt_by(found: str, due: str) -> Slip:
    """Another dealer is written down than dealt."""
    mark = Mark("/dealer", None, {"found": found, "due": due, "what": f"{found} is written down as the dealer, and was {due}"})
    return Slip(ACTS["dealer"], (mark,), f"{found} for {due} as dealer", fields={"dealer": due})


def only_calls(written: WrittenDeal) -> bool:
    """Whether one thing is found in the calls, or stated otherwise, and nothing in the play: only right auctions explain it."""
    found = [finding for finding in written.findings if finding.severity != "info"]
    of_calls = [finding for finding in found if finding.code in STATED or finding.code.startswith("BID")]
    rest = all(finding.code.startswith(NUMBERS) for finding in found if finding not in of_calls)
    return (
        is_of_bridge(written)
        and rest
        and len(of_calls) == 1
        and (calls := WrittenCalls(written)).readable
        and "?" not in calls.words
    )


def is_right(written: WrittenDeal, deal: Deal) -> bool:
    """Whether nothing is wrong with the calls of a deal of bridge, if the dealer is as in the record."""
    table, calls = written.table, [event for event in deal.events if type(event) is Bid]
    turn = table.dealer or 0
    in_turn = all(table.place_of[call.by] == (turn + spot) % SEATS for spot, call in enumerate(calls))
    return in_turn and came_to(tuple([call.bid for call in calls])) is not None


def misnumbered(written: WrittenDeal) -> Iterator[Slip]:
    """The number of the board is miswritten: of others, those whose dealer and vulnerability are as stated."""
    codes = {finding.code for finding in written.findings}
    if not is_of_bridge(written) or codes.isdisjoint(("DEA006", "DEA012")):
        return
    found = [*other_numbers(written)]
    for first in found[:1]:
        yield first.told_with([(other.act, other.words) for other in found[1 : FEW + 1]])


def other_numbers(written: WrittenDeal) -> Iterator[Slip]:
    """The number of the board written for another; those that differ by a digit come first."""
    deal, names = written.deal, written.table.seats[:SEATS]
    found = deal.board
    if found is None:
        return

    def unlike(number: int) -> tuple[bool, int]:
        one, other = str(number), str(found)
        return len(one) != len(other) or sum(a != b for a, b in zip(one, other, strict=True)) > 1, number

    for number in sorted({*range(1, BOARDS + 1)} - {found}, key=unlike):
        dealt = deal.dealer in (None, names[dealer_of(number, names)])
        if dealt and deal.vulnerable in (None, vulnerability(vulnerable_on(number, names), names)):
            what = f"board {found} is written down, and it was board {number}"
            mark = Mark("/board", None, {"found": found, "due": number, "what": what})
            yield Slip(ACTS["contract"], (mark,), f"board {number} for {found}", fields={"board": number})


def vulnerabilities(written: WrittenDeal) -> Iterator[Slip]:
    """The vulnerability written for another."""
    found, names = written.deal.vulnerable, written.table.seats[:SEATS]
    for sides in ((), (0,), (1,), (0, 1)) if found is not None else ():
        due = vulnerability(frozenset(sides), names)
        if due != found:
            mark = Mark(
                "/vulnerable", None, {"found": found, "due": due, "what": f"vulnerable is written as {found}, and was {due}"}
            )
            yield Slip(ACTS["contract"], (mark,), f"{due} for {found} as vulnerable", fields={"vulnerable": due})


def come_to(written: WrittenDeal) -> Iterator[str]:
    """The contract that the calls came to, as it is stated, if nothing is wrong with them."""
    came = came_to(WrittenCalls(written).words)
    if came is not None:
        yield as_written(came)


def _fits(written: WrittenDeal, calls: WrittenCalls, came: Outcome) -> bool:
    """Whether what the calls came to is what is stated, played, and trump on the sheet, as far as the record has these."""
    deal, table = written.deal, written.table
    declarer = None if came.declarer is None else (came.declarer + (calls.dealer or 0)) % SEATS
    for event in calls.contracts:
        stated = stated_outcome(str(event.bid))
        if stated is not None and stated._replace(declarer=None) != came._replace(declarer=None):
            return False
        if event.by is not None and declarer not in (None, table.place_of[event.by]):
            return False
    leader = next((each.seat for each in written.plays), table.place_of[deal.leader] if deal.leader else -1)
    if leader >= 0 and (declarer is None or leader != (declarer + 1) % SEATS):
        return False
    trump = deal.claimed.trump if deal.claimed else None
    return trump is None or not came.level or trump == came.strain


def slip_of(calls: WrittenCalls, each: Stretch) -> Slip:
    """A stretch of calls replaced, and everybody calling in turn, as a slip."""
    written, more = calls.written, len(each.words) - (each.stop - each.start)
    changed = dict[int, dict[str, Any]]()
    for spot, (place, was) in enumerate(zip(calls.places, calls.calls, strict=True)):
        if more and each.start <= spot < each.stop:
            continue
        inside = each.start <= spot < each.stop
        now = {
            "by": calls.turn(spot + (more if spot >= each.stop else 0)),
            "bid": each.words[spot - each.start] if inside else was.bid,
        }
        changes = {key: value for key, value in now.items() if value != getattr(was, key)}
        if changes:
            changed[place] = changes
    words, what, field = described(calls, each)
    place = calls.places[each.start] if each.start < len(calls.places) else calls.places[-1] + 1
    at = f"/events/{place}{field}" if place < len(written.deal.events) else ""
    found, due = " ".join(calls.words[each.start : each.stop]) or None, " ".join(each.words) or None
    mark = Mark(at, None, {"by": calls.turn(each.start), "found": found, "due": due, "what": what})
    if not more:
        return Slip(ACTS["call"], (mark,), words, changed=changed)
    gone = {*calls.places[each.start : each.stop]}
    events: Events = [
        (spot, event.model_copy(update=changed[spot]) if spot in changed else event)
        for spot, event in written.events()
        if spot not in gone
    ]
    new: Events = [(None, Bid(by=calls.turn(each.start + step), bid=word)) for step, word in enumerate(each.words)]
    spot = next((spot for spot, (was, _) in enumerate(events) if was is not None and was >= place), len(events))
    return Slip(ACTS["call"], (mark,), words, events=[*events[:spot], *new, *events[spot:]])


def described(calls: WrittenCalls, each: Stretch) -> tuple[str, str, str]:
    """A slip in short, as a sentence, and at which field of an event it shows."""
    turn, was = calls.turn(each.start), calls.calls[each.start : each.stop]
    if len(was) > 1:
        pair = " and ".join(f"{call.by}'s {call.bid}" for call in was)
        return f"{pair} exchanged", f"{pair} stand in each other's place", ""
    if not was and len(each.words) > 1:
        where = "in front" if not each.start else "at the end"
        return f"{len(each.words)} passes {where} left out", f"{len(each.words)} passes {where} are not written down", ""
    if not was:
        return f"{turn}'s {each.words[0]} left out", f"{turn}'s call is not written down: it was {each.words[0]}", ""
    by, found = was[0].by, was[0].bid
    if not each.words:
        return f"{by}'s {found} written twice", f"{by}'s {found} is written down twice", ""
    if each.words == (str(found),):
        return f"{turn}'s {found} written as {by}'s", f"{found} is written down as {by}'s call, and was {turn}'s", "/by"
    return f"{each.words[0]} for {by}'s {found}", f"{by}'s call is written down as {found}, and was {each.words[0]}", "/bid"
