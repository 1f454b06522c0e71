"""Guesses: when the play is over, each player in turn may name the card that was never seen."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from handrec.cards import is_known
from handrec.findings import Rule
from handrec.game.phase import Phase
from handrec.game.table import Table
from handrec.game.value import Perhaps
from handrec.game.views import OverView
from handrec.masks import count, pick
from handrec.record import Announce, Play, Turn


class Guessed:
    """The guesses of a deal: each, the first of each seat, who named each card first, and which guesses count.

    A guess counts if it is the first of its seat, and nobody is known to have named the card before. `last_play` is the place of
    the last card that was played.
    """

    def __init__(self) -> None:
        self.events = 0  # so many have been looked at
        self.made: list[tuple[int, Announce]] = []
        self.first: dict[int, tuple[int, str | None]] = {}
        self.named: dict[str, tuple[int, int]] = {}
        self.counting: dict[int, str] = {}
        self.last_play = -1

    @classmethod
    def of(cls, table: Table) -> Guessed:
        """Those of a table, with what has come to it since they were asked for."""
        known: Guessed | None = table.kept.get(cls)
        if known is None:
            known = table.kept[cls] = cls()
        if known.events < len(table.deal.events):
            known._look(table)
        return known

    def _look(self, table: Table) -> None:
        events, seen = table.deal.events, self.events
        self.events = len(events)
        for place in range(seen, len(events)):
            event = events[place]
            if type(event) is Play:
                self.last_play = place
            elif type(event) is Announce and event.what == "guess":
                self._take(table.place_of[event.by], place, event)

    def _take(self, seat: int, place: int, event: Announce) -> None:
        card = event.card
        if card and seat not in self.first and (not is_known(card) or all(card != each.card for _, each in self.made)):
            self.counting[seat] = card
        self.made.append((seat, event))
        self.first.setdefault(seat, (place, card))
        if card:
            self.named.setdefault(card, (place, seat))


def _shown(table: Table) -> dict[str, int]:
    """When each card was first shown: turned, or played."""
    shown: dict[str, int] = {}
    for place, event in enumerate(table.deal.events):
        if type(event) is Play or type(event) is Turn:
            shown.setdefault(event.card, place)
    return shown


@dataclass(frozen=True)
class Guesses(Phase):
    """One guess each, from the dealer's left, at card `spot` of those set aside; or none, by an announcement without card.

    `passing` whether a player may decline, `seen` whether a card may be named that its player has seen. Whoever guesses
    right, once and before all others, has the fact `guessed`.
    """

    place: str = "widow"
    spot: int = 4
    passing: bool = True
    seen: bool = True
    kinds = ("announce:guess",)

    @property
    def needs(self) -> tuple[str, ...]:
        """A rule for guesses out of turn, for those made before, and for what the table does not allow."""
        return ("BID013", "BID014") if self.passing and self.seen else ("BID013", "BID014", "BID015")

    @property
    def breakable(self) -> tuple[str, ...]:
        """All of these."""
        return self.needs

    # --- what the record tells ---

    @staticmethod
    def _made(table: Table) -> list[tuple[int, Announce]]:
        """The guesses: seats and announcements."""
        return Guessed.of(table).made

    def _hidden(self, table: Table) -> str | None:
        """The card to be guessed, None if it is neither recorded nor the only one left."""
        row = table.lying.get(self.place, ())[self.spot - 1 : self.spot]
        if row and is_known(row[0]):
            return row[0]
        turned = [card for card in table.turned if card in table.pack.index]
        rest = table.pack.full & ~(sum(table.hands) | table.pack.mask(turned))
        return table.names(rest)[0] if rest.bit_count() == 1 else None

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """Whether the guess was right; unknown if guesses, or the card, are not on record."""
        known = Guessed.of(table)
        if not (table.counted and self.passing) and not known.made:
            return {"guessed": Perhaps((0, 1))}
        guess = known.counting.get(seat)
        if guess is None:
            return {"guessed": 0}
        hidden = self._hidden(table)
        return {"guessed": int(guess == hidden) if hidden is not None and is_known(guess) else Perhaps((0, 1))}

    def said(self, table: Table, seat: int) -> dict[str, int]:
        """The place of the guess that a card is named by, -1 if there is none."""
        own = ("guess", table.seats[seat])
        made = [(place, event) for place, event in table.besides if type(event) is Announce and (event.what, event.by) == own]
        return {"guess": next((place for place, event in made if event.card), -1)}

    def facts_of(self, over: OverView, seat: int) -> dict[str, Any]:
        """Whether the guess was right, where a single card is hidden."""
        guess = over.card(over.said[seat]["guess"])
        return {"guessed": pick((guess != 0) & (count(over.hidden) != 1), -1, pick(guess & over.hidden != 0, 1, 0))}

    def notes(self, table: Table, seat: int) -> dict[str, str]:
        """The guess, and whether it was right."""
        known = Guessed.of(table)
        if seat not in known.first:
            return {}
        _, card = known.first[seat]
        right = seat in known.counting and card == self._hidden(table)
        return {"guess": f"{card} right" if right else card or "none"}

    # --- judging ---

    def take(self, table: Table, place: int, event: Announce) -> None:
        """Take a guess: when the play is over, in turn, once, and a card that may be named."""
        seat, card = table.place_of[event.by], event.card
        known = Guessed.of(table)
        own, named = known.first[seat], known.named.get(card or "")
        if own[0] < place:
            silent = [table.seats[each] for each in range(table.count) if each not in known.first]
            hint: dict[str, Any] = {"hint": f" (is it {silent[0]}'s?)"} if len(silent) == 1 else {}
            table.fault("BID014", place, seat=seat, card=card, why=f"after {own[1] or 'no guess'} already", **hint)
            return
        self._in_turn(table, place, seat, known)
        if card is None:
            if not self.passing:
                table.fault("BID015", place, seat=seat, card=card, why="everybody has to guess")
        elif not is_known(card):
            table.doubt("L3", f"deal {table.number}: {event.by}'s guess is not known")
        elif card not in table.pack.index:
            self._foreign(table, place, seat, card)
        elif named is not None and named[0] < place:
            table.fault("BID014", place, "/card", seat=seat, card=card, why=f"after {table.seats[named[1]]} had named it")
        elif not self.seen:
            self._unseen(table, place, seat, card)

    def _in_turn(self, table: Table, place: int, seat: int, known: Guessed) -> None:
        later = table.to_come(place) or known.last_play > place
        over = table.state is not None and table.state.number + table.state.over > table.size
        if later and not over and not table.stopped:
            table.fault("BID013", place, seat=seat, why="the play was not over")
            return
        if table.eldest is None:
            table.doubt("L3", f"deal {table.number}: the dealer is not recorded")
            return
        clockwise = self._order(table)
        guessers = clockwise if table.to_come(place) else known.first
        waiting = [who for who in clockwise if who in guessers and known.first.get(who, (place,))[0] >= place]
        if waiting[0] != seat:
            table.fault("BID013", place, seat=seat, why=f"it was {table.seats[waiting[0]]}'s turn")

    @staticmethod
    def _order(table: Table) -> list[int]:
        assert table.eldest is not None
        return [(table.eldest + step) % table.count for step in range(table.count)]

    @staticmethod
    def _foreign(table: Table, place: int, seat: int, card: str) -> None:
        """A card of no pack; one that stands elsewhere in the deal too has been reported there."""
        listed = [*(table.deal.hands or {}).values(), *table.lying.values()]
        if not any(card in cards for cards in listed):
            table.fault("DEA001", place, "/card", seat=seat, card=card, meant=table.pack.suggest(card))

    def _unseen(self, table: Table, place: int, seat: int, card: str) -> None:
        """The card must be one that its player has not seen: not its own, turned, or played."""
        shown = _shown(table).get(card, place) < place or card in table.turned
        if shown or table.hands[seat] >> table.pack.index[card] & 1:
            table.fault("BID015", place, "/card", seat=seat, card=card, why=f"{table.seats[seat]} had seen it")
        elif card != self._hidden(table) and not (table.whole[seat] and table.counted):
            table.doubt("L3", f"deal {table.number}: whether {table.seats[seat]} had seen {card} cannot be told")

    def close(self, table: Table) -> None:
        """Where everybody has to guess, say who did not."""
        guessers = {who for who, _ in self._made(table)}
        if self.passing or table.deal.status not in ("complete", "claimed"):
            return
        if not guessers:
            table.doubt("L3", f"deal {table.number}: guesses are not recorded")
            return
        for seat in range(table.count):
            if seat not in guessers:
                table.fault("BID015", seat=seat, card=None, why="everybody has to guess")

    # --- making a deal ---

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The guesses of the seat in turn: cards of the suit in question, or none; with `breaking`, those that break it."""
        if sum(table.won) < table.size or table.eldest is None:
            return []
        before = Guessed.of(table)
        waiting = [seat for seat in self._order(table) if seat not in before.first]
        if not waiting:
            return []
        hidden = self._hidden(table) or ""
        named = [event.card for _, event in before.made if event.card]
        suit = [card for card in table.pack.cards if card[1:2] == hidden[1:2] and card not in named]
        fair = suit if self.seen else [card for card in suit if card == hidden]
        if breaking is None:
            return self._by(table, waiting[0], fair) + (self._by(table, waiting[0], [None]) if self.passing else [])
        if breaking.code == "BID013":
            return [guess for seat in waiting[1:] for guess in self._by(table, seat, fair)]
        if breaking.code == "BID014":
            return self._by(table, waiting[0], named)
        if breaking.code == "BID015":
            wrong = [None] if self.seen else [card for card in table.names(table.hands[waiting[0]]) if card not in named]
            return self._by(table, waiting[0], wrong)
        return []

    def all_sayable(self, table: Table) -> Iterable[Any]:
        """Any card, or none."""
        return self._by(table, 0, [None, *table.pack.cards])

    def more(self, table: Table) -> list[Any]:
        """Any card that has not been named, and that its player has not seen if that is asked."""
        offered = self.offers(table)
        if not offered:
            return []
        seat, shown = table.place_of[offered[0].by], _shown(table)
        named = {event.card for _, event in self._made(table)} | {event.card for event in offered}
        cards = [card for card in table.pack.cards if card not in named]
        if not self.seen:
            own = set(table.names(table.hands[seat]))
            cards = [card for card in cards if card not in own and card not in shown and card not in table.turned]
        return self._by(table, seat, cards)

    @staticmethod
    def _by(table: Table, seat: int, cards: list[Any]) -> list[Any]:
        return [_guess(table.seats[seat], card) for card in cards]


@lru_cache(1000)
def _guess(seat: str, card: str | None) -> Announce:
    return Announce(by=seat, what="guess", card=card) if card else Announce(by=seat, what="guess")
