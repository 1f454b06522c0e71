"""A replayed deal as a ruling looks at it: who played what when, whose side is whose, what was not played as it had to be."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from handrec.findings import Finding
from handrec.game import Table
from handrec.game.playing import Seen
from handrec.record import Record

#: A place in time: a deal's place in the record, and how many of its events had happened.
Time = tuple[int, int]

#: What a player did not do, by the code of the rule.
DUTIES = {
    "REV001": "did not follow suit",
    "REV002": "did not play the highest trump",
    "REV003": "did not trump",
    "REV004": "did not go higher",
    "REV005": "led a trump before trumps were broken",
    "REV009": "took back a card that could not be played",
}


def about(record: Record, index: int, number: int | None) -> int | None:
    """The place of the deal that an event means by a number, its own deal's if it names none; None if not just one has it."""
    if number is None:
        return index
    places = [place for place, deal in enumerate(record.deals) if (deal.number or place + 1) == number]
    return places[0] if len(places) == 1 else None


@dataclass(frozen=True)
class Offence:
    """A card that could not be played, and the referee's finding (None: counting alone shows it)."""

    seen: Seen
    finding: Finding | None = None

    @property
    def duty(self) -> str:
        """What the player did not do."""
        return DUTIES.get(self.finding.code if self.finding else "", "did not play as the rules demand")

    @property
    def could(self) -> tuple[str, ...]:
        """The cards held that could have been played."""
        return tuple((self.finding.facts.get("could") if self.finding else None) or ())


class ReplayedDeal:
    """One deal, replayed with its trace."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.plays: list[Seen] = list(table.trace or ())
        self.number, self.index = table.number, table.index

    @cached_property
    def labels(self) -> dict[int, str]:
        """The name of each play, by its place in `plays`: `5.2` is the second card of trick 5."""
        counted: dict[int, int] = {}
        names = {}
        for spot, seen in enumerate(self.plays):
            counted[seen.trick] = counted.get(seen.trick, 0) + 1
            names[spot] = f"{seen.trick}.{counted[seen.trick]}"
        return names

    def label(self, seen: Seen) -> str:
        """The name of a play."""
        return self.labels[next(spot for spot, each in enumerate(self.plays) if each is seen)]

    def last(self, place: int) -> str:
        """The name of the last play before an event; "" before the first."""
        before = [spot for spot, seen in enumerate(self.plays) if seen.place is not None and seen.place < place]
        return self.labels[before[-1]] if before else ""

    def play(self, seat: str, trick: int) -> Seen | None:
        """A seat's play to a trick: the card that stands, or else the one that was taken back."""
        found = [seen for seen in self.plays if self.table.seats[seen.seat] == seat and seen.trick == trick]
        return next((seen for seen in reversed(found) if not seen.withdrawn), found[-1] if found else None)

    def lead(self, trick: int) -> Seen | None:
        """The lead to a trick, if it is on record."""
        return next((seen for seen in self.plays if seen.trick == trick and seen.place is not None), None)

    def led(self, trick: int) -> int | None:
        """The suit led to a trick, as a mask of cards."""
        lead, order = self.lead(trick), self.table.order(trick)
        return None if lead is None or lead.card < 0 or order is None else order.suit[lead.card]

    def marked(self, seen: Seen) -> bool:
        """Whether the transcriber marked a card as a revoke: at the play, or in a record of 1.0 by a ruling that is nobody's."""
        if seen.place is None:
            return False
        event: Any = self.table.deal.events[seen.place]
        if getattr(event, "marked", None) == "revoke":
            return True
        return any(self.is_mark(place) for place in range(seen.place + 1, min(seen.place + 2, self.end[1])))

    def is_mark(self, place: int) -> bool:
        """Whether a ruling is the mark of a transcriber: it names nobody who ruled, and stands at the card, not accused of."""
        events = self.table.deal.events
        event, last = events[place], events[place - 1] if place else None
        if event.do != "ruling" or event.by is not None or event.verdict != "upheld" or event.of_deal is not None:
            return False
        return last is not None and last.do == "play" and last.by == event.of

    def named(self, label: str) -> Seen | None:
        """The play of this name."""
        return next((self.plays[spot] for spot, name in self.labels.items() if name == label), None)

    @property
    def over(self) -> bool:
        """Whether the record has the play to its end: the last card, or a claim."""
        last = [seen for seen in self.plays if seen.trick == self.table.size and not seen.withdrawn]
        return self.table.claimed_rest or len(last) == self.table.count

    @property
    def end(self) -> Time:
        """The end of the deal."""
        return self.index, len(self.table.deal.events)

    def winner(self, trick: int) -> str | None:
        """Who won a trick, None if it cannot be told."""
        return next((each.winner for each in self.table.tricks if each.number == trick), None)

    def side(self, seat: str) -> tuple[str, ...]:
        """The seats that play together with a seat, itself among them, clockwise."""
        table = self.table
        if not table.game.partners or table.count != 4:
            return (seat,)
        first = table.place_of[seat] % 2
        return table.seats[first], table.seats[first + 2]

    def others(self, seat: str) -> tuple[str, ...]:
        """The players that do not play together with a seat."""
        return tuple(other for other in self.table.seats[: self.table.count] if other not in self.side(seat))

    @property
    def dummy(self) -> str | None:
        """The seat whose cards another plays."""
        return self._proxy and self._proxy[1]

    @property
    def declarer(self) -> str | None:
        """The seat that plays another's cards."""
        return self._proxy and self._proxy[0]

    @cached_property
    def _proxy(self) -> tuple[str, str] | None:
        pair = self.table.game.proxy(self.table)
        return None if pair is None else (self.table.seats[pair[0]], self.table.seats[pair[1]])

    def won(self, seat: str, since: int = 1) -> int | None:
        """The tricks of a seat's side from a trick on, as they were played; None if they cannot be told."""
        table, side = self.table, self.side(seat)
        if not table.counted:
            return None
        places = [table.place_of[each] for each in side]
        early = sum(trick.winner in side for trick in table.tricks if trick.number < since)
        return sum(table.won[place] - table.moved[place] for place in places) - early

    def faced(self, seat: str, before: int) -> list[str]:
        """The penalty cards of a defender: what it had to take back of its revokes by then, and has not played since."""
        events = self.table.deal.events[:before]
        revoked = {finding.event_index for finding in self.table.findings if finding.code == "REV009"}
        taken = [
            (place, event.card)
            for place, event in enumerate(events)
            if event.do == "withdraw" and event.by == seat and event.card is not None
        ]
        if seat in (self.dummy, self.declarer):
            return []
        return [
            card
            for place, card in taken
            if place in revoked and not any(each.do == "play" and each.card == card for each in events[place:])
        ]

    def offences(self, duty: str = "any", seat: str | None = None) -> list[Offence]:
        """What was not played as it had to be, in time order: all of it, or only failures to follow suit."""
        found = []
        for finding in self.table.findings:
            if finding.code not in (("REV001", "REV009") if duty == "follow" else DUTIES):
                continue
            seen = self._seen(finding)
            if seen is not None and seat in (None, self.table.seats[seen.seat]):
                found.append(Offence(seen, finding))
        return sorted(found, key=lambda each: each.seen.place or 0)

    def _seen(self, finding: Finding) -> Seen | None:
        """The play that a finding is about; one about a card taken back stands where it was taken back."""
        place = finding.event_index or 0
        if finding.code != "REV009":
            return next((seen for seen in self.plays if seen.place == place), None)
        taken = [seen for seen in self.plays if seen.withdrawn and seen.place is not None and seen.place < place]
        return next((seen for seen in reversed(taken) if self.table.seats[seen.seat] == finding.seat), None)

    def unjudged(self, seat: str, trick: int | None) -> bool:
        """Whether the record leaves open what a seat could have played to a trick, or to any."""
        table = self.table
        place = table.place_of[seat]
        if trick is None:
            return table.stopped is not None or not self.plays or any(who == place for who, _ in table.unjudged)
        return self.play(seat, trick) is None or (place, trick) in table.unjudged
