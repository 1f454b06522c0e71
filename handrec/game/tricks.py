"""Playing to tricks: whose turn it is, which cards may be played, who wins, and what is missing or out of place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from handrec.cards import bits
from handrec.findings import PlayedTrick, Rule
from handrec.game.table import Table
from handrec.game.value import Phase
from handrec.record import Claim, Play, Withdraw


class _PlayView:
    """What a play rule sees; every set is a mask of cards."""

    __slots__ = ("broken", "first", "hand", "lead", "leading", "led", "rising", "trumps")

    hand: int
    lead: int
    led: int
    rising: int
    trumps: int
    leading: bool
    broken: bool
    first: bool


class _Play:
    """The state of the play: the trick on the table, whose turn it is, and the view that rules get."""

    def __init__(self, leader: int | None) -> None:
        self.leader = leader
        self.waiting: list[int] = []
        self.plays: list[tuple[int, str, int]] = []  # seat, card as written, bit number (-1: unknown or not held)
        self.places: list[int] = []
        self.number = 1
        self.order: Any = None
        self.best = -1
        self.clear = True  # nothing in this trick hides who won it
        self.adrift = False  # a card is missing, and it is open from which trick
        self.broken = False
        self.seen: dict[int, tuple[int, int]] = {}  # card -> seat that played it, trick
        self.done: set[int] = set()  # events of a trick written down in the wrong order, taken in the right one
        self.view = _PlayView()


@dataclass(frozen=True)
class Tricks(Phase):
    """Playing to tricks: the leader, then clockwise, one card each; the winner leads to the next.

    `leader(table)` names who leads to the first trick, None if it is not known. `proxy(table)` is a seat and another whose
    cards it plays, as a declarer does dummy's.
    """

    leader: Callable[[Table], int | None] = lambda table: table.eldest
    proxy: Callable[[Table], tuple[int, int] | None] = lambda table: None
    kinds = ("play", "withdraw", "claim")
    breakable = ("PLY003", "PLY004")

    def take(self, table: Table, place: int, event: Play | Withdraw | Claim) -> None:
        """Take a play, a card taken back, or a claim."""
        if table.stopped:
            return
        if table.state is None:
            self._begin(table)
        play: _Play = table.state
        if event.do == "withdraw":
            self._withdraw(table, play, place, event)
        elif event.do == "claim":
            self._claim(table, play, place, event)
        else:
            self._play(table, play, place, event)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The cards that the seat in turn may play; with `breaking`, the plays that break this rule first."""
        if table.state is None:
            self._begin(table)
        play: _Play = table.state
        if play.plays and not play.waiting:
            self._settle(table, play)
        if play.number > table.size or not play.waiting:
            return []
        rules, turn, others = table.game.play_rules, play.waiting[0], play.waiting[1:]
        seats = [turn]
        if breaking is not None and breaking.narrow is None:
            wanted = breaking.code == ("PLY003" if play.plays else "PLY004")
            seats, breaking = others if wanted else [], None
        plays = []
        for seat in seats:
            hand = table.left[seat]
            legal = self.legal(rules, play.view, hand)
            for card in bits(hand if breaking else legal):
                if breaking is None or (not legal >> card & 1 and self.broken(rules, play.view, hand, card) is breaking):
                    plays.append(Play(by=table.seats[seat], card=table.pack.cards[card]))
        return plays

    def _begin(self, table: Table) -> None:
        leader = self.leader(table)
        stated = table.place_of.get(table.deal.leader) if table.deal.leader else None
        if leader is None:
            leader = stated
        elif stated is not None:
            table.compare("TRK003", table.seats[stated], table.seats[leader], field="/leader")
        play = table.state = _Play(leader)
        self._open(table, play)

    def _open(self, table: Table, play: _Play) -> None:
        """Make ready for the next trick."""
        view = play.view
        play.order = table.order(play.number)
        play.plays, play.places = [], []
        play.waiting = [] if play.leader is None else table.clockwise(play.leader)
        play.clear, play.best = not play.adrift, -1
        view.lead = view.led = view.rising = 0
        view.leading, view.first, view.broken = True, play.number == 1, play.broken
        view.trumps = play.order.trumps if play.order else 0

    def _play(self, table: Table, play: _Play, place: int, event: Play) -> None:
        if place in play.done:
            return
        card = table.pack.index.get(event.card, -1)
        if play.plays and not play.waiting:
            self._settle(table, play)
        seat = table.place_of[event.by] if event.by else self._whose(table, play, place, card)
        if (
            play.waiting
            and (seat, play.waiting[0]) == self.proxy(table)
            and card >= 0
            and table.left[play.waiting[0]] >> card & 1
        ):
            seat = play.waiting[0]
        if play.number > table.size or table.claimed_rest:
            table.fault("PLY006", place, trick=None, seat=seat if seat >= 0 else None, card=event.card)
            return
        if card >= 0 and play.seen.get(card, (-1, 0))[0] == seat and self._repeated(table, play, place, seat, event):
            return
        if not (play.waiting and play.waiting[0] == seat):
            if not self._in_turn(table, play, place, seat, event):
                return
        elif len(play.waiting) == 1 and table.played_by[seat] < table.size:
            self._last_and_short(table, play, place, seat, card)
        play.waiting.pop(0)
        held = table.left[seat]
        if card >= 0 and held >> card & 1:
            if play.order is not None and (play.clear or not play.view.leading):
                self._judge(table, play, place, seat, card)
            else:
                table.unjudged.add((seat, play.number))
            table.left[seat] = held & ~(1 << card)
        else:
            card = self._not_held(table, play, place, seat, event)
        play.plays.append((seat, event.card, card))
        play.places.append(place)
        if card >= 0:
            play.seen[card] = (seat, play.number)
            self._follow(play, card)
        else:
            play.clear = False
            if play.view.leading and not play.adrift:
                table.doubt("L4", f"deal {table.number}, trick {play.number}: it is not certain what was led")

    @staticmethod
    def _follow(play: _Play, card: int) -> None:
        """The table after a card: what is led, and what beats the best card so far."""
        order, view = play.order, play.view
        if order is None or (view.leading and not play.clear):
            return
        if play.best < 0 or order.beats[play.best] >> card & 1:
            play.best = card
        if view.leading:
            view.lead, view.led, view.leading = 1 << card, order.suit[card], False
        view.rising = order.beats[play.best]

    def _judge(self, table: Table, play: _Play, place: int, seat: int, card: int) -> None:
        """L4: was this card among those that could be played?"""
        view, hand = play.view, table.left[seat]
        legal = self.legal(table.game.play_rules, view, hand)
        if table.trace is not None:
            table.trace[place] = (hand, legal)
        if not table.whole[seat]:
            table.unjudged.add((seat, play.number))
            table.doubt("L4", f"deal {table.number}: {table.seats[seat]}'s hand is not known in full")
        if legal >> card & 1:
            return
        if table.spare[seat] and self._perhaps(table, view, seat, card):
            table.unjudged.add((seat, play.number))
            table.doubt("L4", f"deal {table.number}: it is not known which cards {table.seats[seat]} still held")
            return
        rule = self.broken(table.game.play_rules, view, hand, card)
        lead = view.lead.bit_length() - 1
        table.fault(
            rule, place, "/card", trick=play.number, seat=seat, card=table.pack.cards[card], could=table.names(legal),
            led=table.pack.cards[lead] if lead >= 0 else None, held=table.names(hand),
        )  # fmt: skip

    @staticmethod
    def legal(rules: tuple[Rule, ...], view: _PlayView, hand: int) -> int:
        """The cards of a hand that may be played."""
        view.hand = legal = hand
        for rule in rules:
            legal = rule.narrow(view, legal)  # type: ignore[misc]  # play rules are those with a narrow
        return legal

    def broken(self, rules: tuple[Rule, ...], view: _PlayView, hand: int, card: int) -> Rule:
        """The first rule after which the card is no longer among those that may be played."""
        return next(rule for place, rule in enumerate(rules) if not self.legal(rules[: place + 1], view, hand) >> card & 1)

    def _perhaps(self, table: Table, view: _PlayView, seat: int, card: int) -> bool:
        """Whether the play is legal if some card of the hand had been played before, unrecorded."""
        if table.spare[seat] > 1:
            return True
        hand, rules = table.left[seat], table.game.play_rules
        gone = (1 << other for other in range(len(table.pack)) if hand >> other & 1 and other != card)
        return any(self.legal(rules, view, hand & ~other) >> card & 1 for other in gone)

    def _not_held(self, table: Table, play: _Play, place: int, seat: int, event: Play) -> int:
        """A card that is unknown, foreign, played before, or not this seat's: it stands, but hides who wins."""
        where = f"deal {table.number}, trick {play.number}"
        card = table.pack.index.get(event.card, -1)
        table.unjudged.add((seat, play.number))
        if "?" in event.card:
            table.doubt("L4", f"{where}: {table.seats[seat]}'s card is not known")
        elif card < 0:
            meant = table.pack.suggest(event.card)
            table.fault("DEA001", place, "/card", trick=play.number, seat=seat, card=event.card, meant=meant)
        elif card >= 0:
            _, trick = play.seen.get(card, (-1, 0))
            if trick:
                table.compare("PLY002", 2, 1, place, "/card", trick=play.number, seat=seat, card=event.card, before=trick)
            elif table.whole[seat] or any(table.left[other] >> card & 1 for other in range(table.count) if other != seat):
                held = table.names(table.left[seat])
                table.fault("PLY001", place, "/card", trick=play.number, seat=seat, card=event.card, held=held)
            else:
                table.fault("PLY001", place, "/card", trick=play.number, seat=seat, card=event.card, held=["a hand without it"])
        table.spare[seat] += 1
        table.doubt("L5", f"{where}: who won it cannot be told, because {table.seats[seat]}'s card is not certain")
        return -1

    def _repeated(self, table: Table, play: _Play, place: int, seat: int, event: Play) -> bool:
        """A card its player has played already: one event too many if the seat has more plays than cards."""
        if table.played_by[seat] <= table.size:
            return False
        before = play.seen[table.pack.index[event.card]][1]
        table.compare("PLY002", 2, 1, place, "/card", trick=play.number, seat=seat, card=event.card, before=before)
        return True

    def _in_turn(self, table: Table, play: _Play, place: int, seat: int, event: Play) -> bool:
        """Somebody plays whose turn it is not: out of turn, or are cards of others missing? False: the play is void."""
        if seat < 0:
            table.stop(f"deal {table.number}, trick {play.number}: it is not known who played {event.card}")
            return False
        if play.leader is None and not play.plays:
            play.leader, play.waiting = seat, table.clockwise(seat)
            return True
        while play.waiting and play.waiting[0] != seat and self._skipped(table, place, play.waiting[0], seat, len(play.waiting)):
            self._missing(table, play, place, play.waiting.pop(0))
            if not play.waiting:
                self._settle(table, play)
        if play.leader is None and not play.plays:
            play.leader, play.waiting = seat, table.clockwise(seat)
        if play.waiting and play.waiting[0] == seat:
            return True
        due, field = table.seat(play.waiting[0]), "/by" if event.by else "/card"
        if not play.plays:
            ordered = self._wrong_order(table, play, place, event)
            if ordered:
                table.fault("PLY003", place, field, trick=play.number, seat=seat, card=event.card, due=due)
                for other, (spot, written) in ordered:
                    self._play(table, play, spot, written.model_copy(update={"by": table.seats[other]}))
                    play.done.add(spot)
                return False
            rule, first = table.game.rule("PLY004"), table.game.rule("TRK003")
            if play.number == 1 and first.citation is not None:
                rule = rule.of(first.id, first.citation, first.sentence)
            table.fault(rule, place, field, trick=play.number, seat=seat, card=event.card, due=due)
            play.waiting = table.clockwise(seat)
            return True
        table.fault("PLY003", place, field, trick=play.number, seat=seat, card=event.card, due=due)
        if seat in play.waiting:
            play.waiting.remove(seat)
            play.waiting.insert(0, seat)
            return True
        table.stop(f"deal {table.number}: nothing after trick {play.number} can be verified")
        return False

    def _wrong_order(self, table: Table, play: _Play, place: int, event: Play) -> list[tuple[int, tuple[int, Play]]]:
        """The plays of a trick in their right order, if the wrong lead is rather one written down in the wrong order.

        It is if every seat plays once, and the cards break fewer rules when led by the seat whose lead it was.
        """
        trick = [(place, event), *self._coming(table, place)][: table.count]
        seats = [self._owner(table, written) for _, written in trick]
        if sorted(seats) != list(range(table.count)) or play.order is None:
            return []
        plays = dict(zip(seats, trick, strict=True))
        right = [(seat, plays[seat]) for seat in play.waiting]
        as_written = list(zip(seats, trick, strict=True))
        out_of_turn = int(seats != table.clockwise(seats[0]))
        if self._broken_in(table, play, right) < out_of_turn + self._broken_in(table, play, as_written):
            return right
        return []

    def _broken_in(self, table: Table, play: _Play, plays: list[tuple[int, tuple[int, Play]]]) -> int:
        """How many cards of a trick break a rule if they are played in this order."""
        other = _Play(None)
        other.order = play.order
        view = other.view
        view.lead = view.led = view.rising = 0
        view.leading, view.first, view.broken, view.trumps = True, play.number == 1, play.broken, play.view.trumps
        broken = 0
        for seat, (_, event) in plays:
            card = table.pack.index.get(event.card, -1)
            if card >= 0:
                broken += not self.legal(table.game.play_rules, view, table.left[seat]) >> card & 1
                self._follow(other, card)
        return broken

    @staticmethod
    def _owner(table: Table, event: Play) -> int:
        """Whose card a play is: the seat named, or the only one that holds it; -1 if that is not known."""
        if event.by:
            return table.place_of[event.by]
        card = table.pack.index.get(event.card, -1)
        holders = [seat for seat in range(table.count) if card >= 0 and table.left[seat] >> card & 1]
        return holders[0] if len(holders) == 1 else -1

    def _whose(self, table: Table, play: _Play, place: int, card: int) -> int:
        """Whose card an unnamed play is: the seat's in turn, unless it lacks the card and the next play shows another's.

        The card is that of its holder if the next one is played by the holder's left, or by the seat in turn; if the next
        one is played by the left of the seat in turn, the card is that seat's, miswritten.
        """
        holders = [seat for seat in range(table.count) if card >= 0 and table.left[seat] >> card & 1]
        if not play.waiting:
            return holders[0] if len(holders) == 1 else -1
        due = play.waiting[0]
        if table.seats[due] not in (table.deal.hands or {}) and card >= 0 and not holders:
            table.left[due] |= 1 << card
            table.hands[due] |= 1 << card
            return due
        others = [seat for seat in holders if seat in play.waiting]
        if due in holders or not others:
            return due
        coming = self._coming(table, place)[:1]
        after = self._owner(table, coming[0][1]) if coming else -1
        return due if after == (due + 1) % table.count and after not in (others[0], due) else others[0]

    def _skipped(self, table: Table, place: int, due: int, seat: int, waiting: int) -> bool:
        """Whether the seat whose turn it is has no card in this trick, rather than one later in it."""
        if table.unnamed:
            return False
        if table.deal.status == "complete":
            return table.played_by[due] < table.size and table.played_by[seat] >= table.played_by[due]
        return table.seats[due] not in [event.by for _, event in self._coming(table, place)[: waiting - 1]]

    @staticmethod
    def _coming(table: Table, place: int) -> list[tuple[int, Play]]:
        """The plays after an event, with their places."""
        events = table.deal.events
        return [(spot, event) for spot in range(place + 1, len(events)) if (event := events[spot]).do == "play"]

    def _last_and_short(self, table: Table, play: _Play, place: int, seat: int, card: int) -> None:
        """The last seat of a trick has a card too few on record: is this its card, or its lead to the next trick?

        It is the lead if the play goes on at its left although that seat would not have won this trick either, or if the
        card is illegal here. Where both can be, the card stands in this trick, and who won it stays open.
        """
        coming = self._coming(table, place)
        if table.deal.status != "complete" or table.unnamed or not coming or card < 0 or play.order is None or not play.clear:
            return
        left = (seat + 1) % table.count
        if coming[0][1].by != table.seats[left]:
            return
        best = next((who for who, _, bit in play.plays if bit == play.best), -1)
        winner = seat if play.order.beats[play.best] >> card & 1 else best
        legal = self.legal(table.game.play_rules, play.view, table.left[seat])
        if winner in (left, seat) and legal >> card & 1:
            play.clear, play.adrift = False, True
            reason = f"deal {table.number}: a card is missing from trick {play.number} or a later one"
            table.doubt("L4", reason)
            table.doubt("L5", reason)
            return
        self._missing(table, play, place, play.waiting.pop())
        self._settle(table, play)
        play.leader, play.waiting = seat, table.clockwise(seat)

    @staticmethod
    def _missing(table: Table, play: _Play, place: int, seat: int) -> None:
        what = f"{table.seats[seat]}'s card to trick {play.number} is missing"
        table.fault("PLY005", place, trick=play.number, seat=seat, what=what)
        table.played_by[seat] += 1
        table.spare[seat] += 1
        play.clear = False
        table.doubt("L5", f"deal {table.number}, trick {play.number}: who won it cannot be told, because a card is missing")

    def _settle(self, table: Table, play: _Play) -> None:
        """The trick is over: who won it, and so who leads."""
        winner = None
        if play.clear and play.order is not None:
            winner = next(seat for seat, _, card in play.plays if card == play.best)
            table.won[winner] += 1
            if play.order.trumps:
                play.broken = play.broken or any(play.order.trumps >> card & 1 for _, _, card in play.plays)
        elif play.order is None:
            table.doubt("L4", f"deal {table.number}: trump is not known")
            table.doubt("L5", f"deal {table.number}: trump is not known")
        played = tuple((table.seats[seat], card) for seat, card, _ in play.plays)
        table.tricks.append(PlayedTrick(play.number, played, table.seat(winner)))
        play.leader = winner
        play.number += 1
        self._open(table, play)

    def _withdraw(self, table: Table, play: _Play, place: int, event: Withdraw) -> None:
        """Take back the card last played, if it is this seat's; a fault in playing it becomes a remark."""
        if not play.plays or play.plays[-1][:2] != (table.place_of[event.by], event.card):
            table.fault("PLY008", place, seat=event.by, card=event.card)
            return
        seat, _, card = play.plays.pop()
        was = f"/deals/{table.index}/events/{play.places.pop()}/"
        play.waiting.insert(0, seat)
        table.played_by[seat] -= 1
        if card >= 0:
            table.left[seat] |= 1 << card
            del play.seen[card]
        else:
            table.spare[seat] -= 1
        kept = play.plays
        play.best, play.view.leading, play.view.lead, play.view.led, play.view.rising = -1, True, 0, 0, 0
        play.clear = all(bit >= 0 for _, _, bit in kept)
        for _, _, bit in kept:
            if bit >= 0:
                self._follow(play, bit)
        for spot, finding in enumerate(table.findings):
            if finding.pointer.startswith(was) and finding.level == "L4":
                del table.findings[spot]
                could = finding.facts.get("could")
                table.fault("REV009", place, trick=play.number, seat=seat, card=event.card, could=could)
                break

    def _claim(self, table: Table, play: _Play, place: int, event: Claim) -> None:
        """Divide the tricks that are left as claimed."""
        if play.plays and not play.waiting:
            self._settle(table, play)
        left = table.size - play.number + 1
        if not table.compare("CLM001", sum(event.tricks.values()), left, place, "/tricks", seat=event.by):
            for seat, tricks in event.tricks.items():
                table.won[table.place_of[seat]] += tricks
        table.claimed_rest = True

    def close(self, table: Table) -> None:
        """The play is over: is it whole, and are the tricks counted?"""
        play: _Play | None = table.state
        where, status = f"deal {table.number}", table.deal.status
        if play is None:
            if not table.stopped:
                table.doubt("L4", f"{where}: the play is not recorded")
                table.doubt("L5", f"{where}: the play is not recorded")
            return
        if table.stopped:
            return
        if play.plays and not play.waiting:
            self._settle(table, play)
        left = table.size - play.number + 1
        if left and not table.claimed_rest:
            if status == "complete":
                self._cut_short(table, play, left)
            table.doubt("L5", f"{where}: {left} of {table.size} tricks were not played out")
        table.counted = sum(table.won) == table.size and all(trick.winner for trick in table.tricks)

    @staticmethod
    def _cut_short(table: Table, play: _Play, left: int) -> None:
        missing = left * table.count - len(play.plays)
        if missing == 1 and play.plays:
            seat = play.waiting[0]
            what = f"{table.seats[seat]}'s card to trick {play.number} is missing"
            table.fault("PLY005", trick=play.number, seat=seat, what=what)
            return
        what = (
            f"the play ends in trick {play.number} of {table.size}, {missing} cards early, though the deal is said to be complete"
        )
        table.fault("PLY005", trick=play.number, what=what)
