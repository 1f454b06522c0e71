"""Playing to tricks while cards set aside are turned up, one by one or before the first lead; one may even be played.

The cards lie in a row, the first on top. Where the game has a seat that is no player's, its cards are those of the row:
from the second trick on each is turned up by playing it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handrec.cards import UNKNOWN, fits, is_known
from handrec.findings import Rule
from handrec.game import astray
from handrec.game.playing import Playing
from handrec.game.table import Table
from handrec.game.tricks import Tricks
from handrec.record import Turn


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
    at the end, and may be shown when the play is over and nobody guesses any more.
    """

    place: str = "stack"
    due: Callable[[int, int], int] = every_trick
    hidden: bool = False
    kinds = ("turn", "play", "withdraw", "claim")  # type: ignore[assignment]  # one kind more than at other tables

    # --- what lies there ---

    def open(self, table: Table) -> None:
        """Cards stated to lie there count as turned if no turning is recorded."""
        if not self._recorded(table):
            last = 1 if table.game.extras else self.due(table.size + 1, table.size)
            table.turned.extend(table.lying.get(self.place, ())[:last])

    @staticmethod
    def _recorded(table: Table) -> bool:
        return any(event.do == "turn" for event in table.deal.events)

    def _row(self, table: Table) -> list[str]:
        """The cards that still lie there face down, as far as they are known."""
        row = list(table.lying.get(self.place, ()))
        for card in table.turned:
            if card in row:
                row.remove(card)
            else:
                del row[:1]
        return row

    def _begun(self, table: Table) -> Playing:
        if table.state is None and table.game.extras:
            self._seat_extra(table)
        return super()._begun(table)

    def _seat_extra(self, table: Table) -> None:
        """Give the seat that no player has its place, and the cards of the row but the first."""
        seat = table.count
        if table.beside is None:
            first = next((event.by for event in table.deal.events if event.do in ("bid", "play")), None)
            leader = table.place_of.get(table.deal.leader or first or "")
            table.beside = None if leader is None or leader == seat else (leader - 1) % table.count
        table.hands[seat] |= table.pack.mask(card for card in self._row(table) if card in table.pack.index)
        table.left[seat] = table.hands[seat]
        table.quota[seat] = table.size - 1
        if table.beside is None:
            table.stop(f"deal {table.number}: the dealer is not recorded, so it is not known who sits where")

    # --- turning ---

    def take(self, table: Table, place: int, event: Any) -> None:
        """Take a card turned, or what is played; cards that were due by then must lie open."""
        if event.do == "turn":
            self._turn(table, place, event)
            return
        if event.do != "withdraw" and not table.stopped and not self._amid(table):
            self._catch_up(table, place)
        super().take(table, place, event)

    def follows(self, table: Table, play: Playing) -> bool:
        """A card that lies open only when the next trick is led is turned first."""
        return len(table.turned) >= self.due(self._next(table), table.size) and super().follows(table, play)

    @staticmethod
    def _amid(table: Table) -> bool:
        """Whether a trick has begun that is not over."""
        return table.state is not None and bool(table.state.plays) and not table.state.over

    @staticmethod
    def _next(table: Table) -> int:
        """The number of the trick that is led next, or is being played."""
        return 1 if table.state is None else int(table.state.number) + table.state.over

    def _catch_up(self, table: Table, place: int | None) -> None:
        """Cards that should lie open by now and do not: those that lie there are meant."""
        trick, missing = self._next(table), []
        due = self.due(trick, table.size)
        if place is not None and table.deal.events[place].do == "claim":
            due = min(due, trick - 1)  # nobody leads: only what decides the tricks played so far
        while len(table.turned) < due:
            card = (self._row(table) or [UNKNOWN])[0]
            if not table.game.extras or not table.turned:
                missing.append(card)
                table.overdue.append(len(table.turned))
            self._show(table, card)
        if missing and self._recorded(table):
            cards = " ".join(missing).replace(UNKNOWN, "a card")
            spot = trick if self.due(1, table.size) else trick - 1
            table.fault("DEA011", place, trick=spot, card=cards, why="it was due by then and was not turned")

    def _turn(self, table: Table, place: int, event: Turn) -> None:
        """Turn a card: in time, and the one on top."""
        if table.stopped:
            return
        play, card = table.state, event.card
        if (
            play
            and self._amid(table)
            and len(play.waiting) == 1
            and not table.overdue
            and self._lacks_play(table, play.waiting[0])
        ):
            astray.missing(table, play, place, play.waiting.pop())
        timely = not self._amid(table) and len(table.turned) < self.due(self._next(table), table.size)
        same = [card] if timely else [card, UNKNOWN]
        late = next((spot for spot in table.overdue if table.turned[spot] in same), None)
        if late is not None:  # charged when it was due
            table.overdue.remove(late)
            table.turned[late] = card
            return
        self._passed_over(table, place, card)
        row = self._row(table)
        lies = row[0] if row else None if self.place in table.lying else UNKNOWN
        again = is_known(card) and card in table.turned
        if lies is None or again:
            why = "it had been turned already" if again else "no card was left"
            table.fault("DEA007", place, "/card", card=card, why=why)
            return
        untimely = self._untimely(table, place)
        if card in table.pack.index and not fits(card, lies):
            table.fault("DEA007", place, "/card", card=card, why=f"{lies} lies there")
            shown = sum(other.do in ("turn", "play") and other.card == card for other in table.deal.events)
            self._show(table, UNKNOWN if shown > 1 else card)  # shown again, it is here that the wrong card is written
            return
        if untimely:
            table.fault("DEA011", place, trick=self._next(table) if table.state else None, card=card, why=untimely)
        self._show(table, lies if is_known(lies) and not is_known(card) else card)

    @staticmethod
    def _show(table: Table, card: str) -> None:
        """A card lies open; a seat that no player has does not hold it any more."""
        table.turned.append(card)
        if table.state is not None and table.game.extras and card in table.pack.index:
            table.hands[table.count] &= ~(1 << table.pack.index[card])
            table.left[table.count] &= ~(1 << table.pack.index[card])

    def _passed_over(self, table: Table, place: int, card: str) -> None:
        """Cards on top of this one that are not turned in time: it is they that are late or missing, not this one wrong."""
        soon = [event.card for event in self._until_play(table, place) if event.do == "turn"]
        while not self._amid(table) and len(table.turned) + len(soon) < self.due(self._next(table), table.size):
            row = self._row(table)
            if card not in row[1:] or row[0] in soon:
                return
            if not table.overdue:
                table.fault("DEA011", place, trick=self._next(table), card=row[0], why=f"it lay on top of {card}")
            table.overdue.append(len(table.turned))
            self._show(table, row[0])

    def _untimely(self, table: Table, place: int) -> str | None:
        """Why a card is not to be turned now, None if it is; a row that is ahead by what was charged is not charged again."""
        trick, ahead = self._next(table), len(table.turned) + 1
        charged = sum(finding.code == "DEA011" for finding in table.findings)
        if self._amid(table):
            return None if charged else "the trick was not over"
        if self.hidden and ahead == self.due(trick, table.size) + 1 and self._all_over(table, place):
            return None
        if ahead > self.due(trick, table.size) + charged:
            return "it was not yet to be turned"
        bids = (event.do == "bid" for event in self._until_play(table, place))
        return "somebody was still to bid" if table.state is None and any(bids) and not charged else None

    @staticmethod
    def _until_play(table: Table, place: int) -> list[Any]:
        """The events from this one on, up to the next play."""
        events = table.deal.events
        play = next((spot for spot in range(place, len(events)) if events[spot].do == "play"), len(events))
        return list(events[place:play])

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
        return sum(event.do == "play" for event in table.deal.events) < sum(table.quota)

    # --- a card that is turned up by playing it ---

    def faced(self, table: Table, play: Playing, place: int, card: str, held: bool) -> None:
        """The card on top of the row is played; it counts as turned in this trick."""
        spot = play.number - 1
        while len(table.turned) < spot:
            table.turned.append((self._row(table) or [UNKNOWN])[0])
        if len(table.turned) > spot:
            return
        row = self._row(table)
        if held and row and not fits(card, row[0]):
            table.fault("DEA007", place, "/card", trick=play.number, seat=table.count, card=card, why=f"{row[0]} lies there")
        table.turned.append(card)

    def _rather_leads(self, table: Table, play: Playing, place: int, seat: int, card: int) -> bool:
        """A card turned after this play shows that the trick ended with it."""
        row = self._row(table)
        if seat in table.free and row:
            return table.pack.cards[card] in row[1:]
        following = table.deal.events[place + 1 : place + 2]
        return not any(event.do == "turn" for event in following) and super()._rather_leads(table, play, place, seat, card)

    # --- making a deal, and its end ---

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The card that is to be turned now, or else the plays; a seat that no player has plays the top card."""
        if not self._amid(table) and len(table.turned) < self.due(self._next(table), table.size):
            row = self._row(table)
            return [Turn(card=row[0])] if row and breaking is None else []
        plays, row = super().offers(table, breaking), self._row(table)
        return [play for play in plays if table.place_of[play.by] not in table.free or play.card in row[:1]]

    def close(self, table: Table) -> None:
        """Turn what is still due, then see whether the play is whole."""
        if table.state is not None and table.deal.status == "complete" and not table.stopped and not self._amid(table):
            if not table.claimed_rest:
                self._catch_up(table, None)
        super().close(table)
