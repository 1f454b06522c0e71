"""Playing to tricks while cards set aside are turned up, one by one or before the first lead; one may even be played.

The cards lie in a row, the first on top. Where the game has a seat that is no player's, its cards are those of the row:
from the second trick on each is turned up by playing it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from handrec.cards import UNKNOWN, is_known
from handrec.findings import PlayedTrick, Rule
from handrec.game import Game
from handrec.game.hands import dealt_hands, set_aside
from handrec.game.planting import Data, Planting, any_deals, spots_of
from handrec.game.playing import Playing
from handrec.game.table import Table
from handrec.phases.tricks import Tricks
from handrec.phases.turning import FacedRow, Shown, judge
from handrec.record import Play, Turn

#: So many cards that are turned are set beside the row; there are not so many in any pack.
MOST_SHOWN = 64

BEFORE_BIDS = "somebody was still to bid"


def every_trick(trick: int, size: int) -> int:
    """One card before each trick is led."""
    return min(trick, size)


def after_trick(trick: int, size: int) -> int:
    """One card after each trick is played."""
    return trick - 1


def as_played(trick: int, size: int) -> int:
    """One card before the first trick is led; the others are played."""
    return max(1, trick - 1)


def first_three(trick: int, size: int) -> int:
    """Three cards before the first trick is led."""
    return 3


@dataclass(frozen=True)
class Facing(Tricks):
    """Playing to tricks while cards set aside are turned up.

    `place` names the cards; `due(trick, size)` is how many of them lie open before a trick is led. `hidden` cards are left
    at the end, and may be shown when the play is over and nobody guesses any more. Where the row is on record, play
    follows it, whatever was turned.
    """

    place: str = "stack"
    due: Callable[[int, int], int] = every_trick
    hidden: bool = False
    kinds = ("turn", "play", "withdraw", "claim")  # type: ignore[assignment]  # one kind more than at other tables
    needs = (*Tricks.needs, "DEA011")  # type: ignore[assignment]  # and one rule more

    @property
    def plants(self) -> Mapping[str, Planting]:
        """Cards turned in each other's place, and one turned too late."""
        return {"DEA007": Planting(_exchanged), "DEA011": Planting(_turned_late)}

    # --- what lies there ---

    def open(self, table: Table) -> None:
        """Cards stated to lie there count as turned if no turning is recorded, and at a table where one was due by now."""
        led = -(-len(table.plays[0]) // len(table.seats))
        to_come = table.begins or (table.to_come(0) and led and not self.lying_open(table, led))
        if not to_come and not self._recorded(table):
            table.turned.extend(table.lying.get(self.place, ())[: self.lying_open(table, table.size + 1)])

    def lying_open(self, table: Table, trick: int) -> int:
        """As many as are due; the first alone, where the others are played."""
        return 1 if table.game.extras else self.due(trick, table.size)

    @staticmethod
    def _recorded(table: Table) -> bool:
        return any(event.do == "turn" for _, event in table.besides)

    def _lying(self, table: Table) -> FacedRow:
        """The cards that lie there, as far as they are known: none, if there are not as many as should and turns tell."""
        if FacedRow not in table.kept:
            many = table.game.aside(table.count, table.size).get(self.place, 0)
            lying, pack = list(table.lying.get(self.place, ())), set_aside(table) if dealt_hands(table) else []
            turns = [event.card for event in table.deal.events if event.do == "turn"]
            trusted = lying if len(lying) == many or not turns else []
            if not trusted or (turns and turns == pack[: len(turns)]):
                trusted = pack or trusted  # of two that contradict each other, the one by which cards were turned
            elsewhere = {finding.facts["card"] for finding in table.findings if finding.code == "DEA002"}
            cards = [UNKNOWN if turns and card in elsewhere else card for card in trusted]
            first = next(iter(table.plays[0]), len(table.deal.events))
            bids = [place for place, event in table.besides if event.do == "bid" and place < first]
            table.kept[FacedRow] = FacedRow([*cards, *[UNKNOWN] * many][:many], pack, bids=max(bids, default=-1))
        row: FacedRow = table.kept[FacedRow]
        return row

    def begun(self, table: Table) -> Playing:
        """The play as far as it has come; with a seat that no player has, if there is one."""
        if table.state is None and table.game.extras:
            self._seat_extra(table)
        return super().begun(table)

    def _seat_extra(self, table: Table) -> None:
        """Give the seat that no player has its place, and the cards of the row but the first."""
        seat = table.count
        if table.beside is None:
            first = next((event.by for event in table.deal.events if event.do in ("bid", "play")), None)
            leader = table.place_of.get(table.deal.leader or first or "")
            table.beside = None if leader is None or leader == seat else (leader - 1) % table.count
        row = {*self._lying(table).cards[1:], *table.lying.get(self.place, ())[1:]}
        table.hands[seat] |= table.pack.mask(card for card in row if card in table.pack.index)
        table.left[seat] = table.hands[seat]
        table.quota[seat] = table.size - 1
        if table.beside is None:
            table.stop(f"deal {table.number}: the dealer is not recorded, so it is not known who sits where")

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """As many as are due."""
        return self.due(trick, size)

    # --- turning ---

    def take(self, table: Table, place: int, event: Any) -> None:
        """Take a card turned, or what is played; cards that were due by then must lie open."""
        if event.do == "turn":
            self._turn(table, place, event)
            return
        if event.do != "withdraw" and not table.stopped and not self._amid(table):
            self._catch_up(table, place)
        super().take(table, place, self._from_row(table, place, event) if table.free and event.do == "play" else event)

    def lay(self, table: Table, place: int) -> int:
        """All cards that are turned are turned before the first lead, from the top of those that lie there."""
        many, events = self.due(1, table.size), table.deal.events
        lying = table.lying.get(self.place, ())[:many]
        if table.game.extras or self.due(table.size + 1, table.size) != many or len(lying) < many:
            return -1
        if self._recorded(table):
            for card in lying:
                event = events[place] if place < len(events) else None
                if type(event) is not Turn or event.card != card or event.by is not None:
                    return -1
                place += 1
        table.turned.extend(lying)
        return place

    def ready(self, table: Table, place: int) -> int:
        """Cards that are due by now must lie open; returns the last trick that is led before another one is due."""
        self._catch_up(table, place)
        last = self._next(table)
        while last < table.size and self.due(last + 1, table.size) <= len(table.turned):
            last += 1
        return last

    @staticmethod
    def _amid(table: Table) -> bool:
        """Whether a trick has begun that is not over."""
        return table.state is not None and bool(table.state.plays) and not table.state.over

    @staticmethod
    def _next(table: Table) -> int:
        """The number of the trick that is led next, or is being played."""
        return 1 if table.state is None else int(table.state.number) + table.state.over

    def _catch_up(self, table: Table, place: int | None) -> None:
        """Turn the cards that should lie open by now, and note those that nobody has shown."""
        trick = self._next(table)
        due = self.due(trick, table.size)
        if place is not None and table.deal.events[place].do == "claim":
            due = min(due, trick - 1)  # nobody leads: only what decides the tricks played so far
        if len(table.turned) < due or (due and FacedRow in table.kept):
            row = self._lying(table)
            self._lay_open(table, due)
            for spot in range(1 if table.game.extras else due):
                if spot not in row.spots and spot not in row.overdue:
                    row.overdue[spot] = place, trick if self.due(1, table.size) else trick - 1

    def _lay_open(self, table: Table, many: int) -> None:
        """So many cards of the row lie open, seen or not."""
        row = self._lying(table).cards
        while len(table.turned) < many:
            table.turned.append(row[len(table.turned)] if len(table.turned) < len(row) else UNKNOWN)

    def _turn(self, table: Table, place: int, event: Turn) -> None:
        """Turn a card: what lies there is known, or it is this one. Whether it was the right one is judged in the end."""
        if table.stopped:
            return
        play, row, card = table.state, self._lying(table), event.card
        if len(row.shown) >= MOST_SHOWN:
            table.fault("DEA007", place, "/card", card=card, why="no card was left")
            return
        if play and self._amid(table) and len(play.waiting) == 1 and not row.late and self._lacks_play(table, play.waiting[0]):
            self.lacks(table, play, place, play.waiting.pop())
        self._see_gap(table, place, card)
        trick, amid = self._next(table), self._amid(table)
        due, spot = self.due(trick, table.size), len(table.turned)
        bid = table.to_come(place) and any(table.bids) and not all(table.bids)
        early = play is None and (bid or place < row.bids)
        if spot < due and not (amid or early or spot in row.spots) and row.at(spot) == card:
            row.show(Shown(place, card, trick, spot=spot))
            table.turned.append(card)
            return
        row.plain = False
        shown = Shown(place, card, trick, amid, why="was turned before the trick was over" if amid else "was turned too early")
        shown.why = BEFORE_BIDS if early else shown.why
        window = range(len(table.turned), 0 if amid else due)
        shown.spot = row.meant(card, window)
        shown.last = self.hidden and shown.spot == due and not amid and self._all_over(table, place)
        row.show(shown)
        if shown.spot is not None and shown.spot < len(table.turned):
            table.turned[shown.spot] = row.cards[shown.spot]
        elif window or shown.last:
            self._lay_open(table, len(table.turned) + 1)

    def _see_gap(self, table: Table, place: int, card: str) -> None:
        """The next card of the row is turned a trick too soon, and everybody has a card too few: a trick is not on record."""
        trick, spot = self._next(table), len(table.turned)
        if table.typed or self._amid(table) or not self.due(trick, table.size) <= spot < self.due(trick + 1, table.size):
            return
        row = self._lying(table)
        if not table.plays[0] or place < row.bids or row.at(spot) not in (card, UNKNOWN):
            return
        play = self.begun(table)
        self._turn_to(table, play)
        if self._skips_a_trick(table, play):
            what = f"trick {trick} is missing, or {card} is turned a trick too early and the play ends early"
            self._leave_out(table, play, place, trick + 1, what)

    def _window(self, table: Table, shown: Shown) -> range:
        """The places in the row whose cards are due at the moment at which one was shown."""
        if shown.seat is not None:
            return range(shown.trick - 1, shown.trick)
        if shown.amid or shown.why == BEFORE_BIDS:
            return range(0)
        start = self.due(shown.trick - 1, table.size) if shown.trick > 1 else 0
        return range(start, min(self.due(shown.trick, table.size), 1 if table.game.extras else table.size))

    def _all_over(self, table: Table, place: int) -> bool:
        after = table.deal.events[place + 1 :]
        return (self._next(table) > table.size or table.claimed_rest) and not any(event.do == "announce" for event in after)

    @staticmethod
    def _lacks_play(table: Table, seat: int) -> bool:
        """Whether a play of a seat is missing from the record, or of somebody if plays do not say whose they are."""
        if table.deal.status != "complete":
            return False
        if not table.unnamed:
            return table.short(seat)
        return len(table.plays[0]) < sum(table.quota)

    # --- a card that is turned up by playing it ---

    def _from_row(self, table: Table, place: int, event: Play) -> Play:
        """The play of a seat that no player has, with the card of the row that is due, if no play is missing from the record."""
        if event.by not in table.game.extras:
            return event
        trick, row = self._next(table), self._lying(table).cards
        due = row[trick - 1] if 1 < trick <= len(row) else UNKNOWN
        if event.card == due or due not in table.pack.index:
            return event
        short = not table.to_come(place) and any(map(table.short, range(len(table.seats))))
        return event if short else event.model_copy(update={"card": due})

    def faced(self, table: Table, play: Playing, place: int, card: str, held: bool) -> None:
        """The card on top of the row is played; it counts as turned in this trick."""
        row, written = self._lying(table), str(table.deal.events[place].card)  # type: ignore[union-attr]  # it is a play
        spot: int | None = play.number - 1
        if row.at(play.number - 1) != written or spot in row.spots:
            window, row.plain = range(play.number - 1, play.number), False
            spot = row.meant(written, window)
            if spot not in window and spot is not None and not is_known(row.cards[spot]):
                spot = None
        row.show(Shown(place, written, play.number, spot=spot, seat=table.count))
        self._lay_open(table, play.number)

    def _leads_next(self, table: Table, play: Playing, place: int, seat: int, card: int) -> bool:
        """A card turned after this play shows that the trick ended with it."""
        row = self._lying(table)
        if seat in table.free and is_known(row.at(play.number - 1)):
            return table.pack.cards[card] in row.cards[play.number :]
        following = table.deal.events[place + 1 : place + 2]
        return not any(event.do == "turn" for event in following) and super()._leads_next(table, play, place, seat, card)

    # --- making a deal, and its end ---

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The card that is to be turned now, or else the plays; a seat that no player has plays the top card."""
        row, many = self._lying(table), len(table.turned)
        if not self._amid(table) and many < self.due(self._next(table), table.size):
            return [Turn(card=row.at(many))] if breaking is None else []
        plays = super().offers(table, breaking)
        return [play for play in plays if table.place_of[play.by] not in table.free or play.card == row.at(self._next(table) - 1)]

    def played_out(self, table: Table) -> PlayedTrick | None:
        """The same, when the card that is turned after it lies open."""
        return None if len(table.turned) < self.due(self._next(table), table.size) else super().played_out(table)

    def close(self, table: Table) -> None:
        """Turn what is still due, then see whether the play is whole, and whether cards were turned in time."""
        if table.state is not None and not table.stopped and not table.claimed_rest and self._next(table) > table.size:
            if table.deal.status == "complete":
                self._catch_up(table, None)
        super().close(table)
        if FacedRow in table.kept:
            self._see_turning(table, self._lying(table))

    def _see_turning(self, table: Table, row: FacedRow) -> None:
        """Judge the turning, if no whole trick is missing; plays are set beside the row if none of them is missing."""
        if row.plain and not row.overdue:
            return
        if any(finding.code == "PLY005" and finding.seat is None for finding in table.findings):
            table.doubt("L3", f"deal {table.number}: whether cards were turned in time cannot be told, as tricks are missing")
            return
        if not self._recorded(table):
            row.overdue.clear()
        if table.free and table.short(table.count) and table.deal.status != "in_progress":
            row.shown = [shown for shown in row.shown if shown.seat is None]
        judge(table, row, lambda shown: self._window(table, shown))


# --- faults planted in its events ---


def _exchanged(data: Data, rng: Random, game: Game) -> bool:
    """The first two cards are turned in each other's place."""
    events = next(any_deals(data, rng))["events"]
    first, second, *_ = (event for event in events if event["do"] == "turn" or event.get("by") in game.extras)
    first["card"], second["card"] = second["card"], first["card"]
    return True


def _turned_late(data: Data, rng: Random, game: Game) -> bool:
    """A card is turned one play too late."""
    deal = next(any_deals(data, rng))
    events, plays = deal["events"], spots_of(deal, "play")
    turns = [place for place in spots_of(deal, "turn") if place < plays[-1]]
    if not turns:
        return False
    place = rng.choice(turns)
    events.insert(next(play for play in plays if play > place), events.pop(place))
    return True
