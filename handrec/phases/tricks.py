"""Playing to tricks: the leader, then clockwise, one card each; who wins, and whether every card could be played."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from handrec.cards import UNKNOWN, Order, Pack, bits
from handrec.findings import PlayedTrick, Rule
from handrec.game import turn_order
from handrec.game.phase import Phase
from handrec.game.playing import (
    Playing,
    Seen,
    coming,
    in_row,
    legal_cards,
    legal_without,
    perhaps_legal_cards,
    play_of,
    rule_broken,
)
from handrec.game.table import UNSIZED, Table
from handrec.masks import pick
from handrec.record import Claim, Play, Withdraw


def clockwise(table: Table, leader: int, trick: int) -> list[int]:
    """Everybody in turn from the leader."""
    return table.clockwise(leader)


@dataclass(frozen=True)
class HolderOf:
    """Who leads first where a card tells: the seat that holds it when the play begins."""

    card: str

    def __call__(self, table: Table) -> int | None:
        """The seat that has it; None if that is not known."""
        bit = table.pack.mask([self.card])
        return next((seat for seat in range(table.count) if table.hands[seat] & bit), None)

    def of_many(self, pack: Pack, hands: Any) -> Any:
        """The same of many deals: (n,) by their hands (n, S); -1 where nobody has it."""
        held = hands & pack.mask([self.card]) != 0
        return pick(held.any(axis=1), held.argmax(axis=1), -1)


@dataclass(frozen=True)
class Tricks(Phase):
    """Playing to tricks.

    `leader(table)` is who leads to the first trick, None if not known; `HolderOf` a card where that tells. `turns(table, first,
    trick)` are the seats in their turns, `first` being the first leader, or the winner of the trick before. `proxy(table)` is a
    seat and another whose cards it plays, as a declarer does dummy's.
    """

    leader: Callable[[Table], int | None] = lambda table: table.eldest
    turns: Callable[[Table, int, int], list[int]] = clockwise
    proxy: Callable[[Table], tuple[int, int] | None] = lambda table: None
    kinds = ("play", "withdraw", "claim")
    anytime = ("withdraw", "claim")
    needs = ("PLY003", "PLY004", "TRK001")
    breakable = ("PLY003", "PLY004")

    def take(self, table: Table, place: int, event: Play | Withdraw | Claim) -> None:
        """Take a play, a card taken back, or a claim; a call that is taken back is the matter of whoever takes calls."""
        if event.do == "withdraw" and event.bid is not None:
            (table.game.phase_of.get("bid") or self).take_back(table, place, event)
            return
        if table.stopped:
            if event.do == "play" and event.trick is not None:
                self._number_unseen(table, place, event.trick)
            return
        if table.state is None and event.do == "play":
            for phase in table.game.that("before_play"):
                phase.before_play(table)
        play = self.begun(table)
        if event.do == "withdraw":
            self._withdraw(table, play, place, event)
        elif event.do == "claim":
            self._claim(table, play, place, event)
        elif place not in play.done:
            self._play(table, play, place, event)

    def apart(self, one: str, other: str) -> bool:
        """Whether who leads first hangs on one of them."""
        return isinstance(self.leader, HolderOf) and self.leader.card in (one, other)

    def turn_unseen(self, table: Table) -> bool:
        """Before the first lead, if a card tells who leads."""
        led = table.state is not None and (bool(table.state.plays) or table.state.number > 1)
        return isinstance(self.leader, HolderOf) and not led

    def begun(self, table: Table) -> Playing:
        """The play as far as it has come; it begins if it has not."""
        if table.state is not None:
            return table.state
        leader = self.leader(table)
        stated = table.place_of.get(table.deal.leader) if table.deal.leader else None
        if leader is None:
            leader = stated
        elif stated is not None:
            table.compare("TRK003", table.seats[stated], table.seats[leader], field="/leader")
        table.state = Playing(leader)
        self.begin(table, table.state)
        return table.state

    def begin(self, table: Table, play: Playing) -> None:
        """Make ready for the next trick."""
        play.open([] if play.leader is None else self.turns(table, play.leader, play.number))

    def lay(self, table: Table, place: int) -> int:
        """Nothing comes before the first lead."""
        return place

    def ready(self, table: Table, place: int) -> int:
        """Before the trick whose lead is event number `place`: see to what must lie open by then.

        Returns the number of the last trick that can be led before anything else must.
        """
        return table.size

    def _turn_to(self, table: Table, play: Playing) -> None:
        """Turn from a trick that is over to the next."""
        if play.over:
            self._settle(table, play)
        if not play.plays:
            play.look(table)

    def _play(self, table: Table, play: Playing, place: int, event: Play) -> None:
        card, begun = table.pack.index.get(event.card, -1), len(table.findings)
        if event.trick is not None:
            self._begin_row(table, play, event, event.trick)
        self._turn_to(table, play)
        if event.trick is not None and not play.plays:
            self._gap(table, play, place, event.trick)
            self._number(table, play, place, event.trick, play.number)
        if event.unordered and not play.plays:
            self._unordered(table, play, place)
        elif place in table.unsure and not play.plays:
            play.clear = False
            table.doubt("L4", f"deal {table.number}, trick {play.number}: it is not certain whose the cards are")
        seat = self._seat(table, play, place, event, card)
        if event.trick is None and not play.plays and play.leader not in (None, seat) and self._skips_a_trick(table, play):
            what = f"trick {play.number} is missing, or {table.seats[seat]} leads out of turn and the play ends early"
            self._leave_out(table, play, place, play.number + 1, what)
        if play.number > table.size or table.claimed_rest:
            table.fault("PLY006", place, seat=seat if seat >= 0 else None, card=event.card)
            return
        shown, in_turn = play.seen.get(card), bool(play.waiting) and play.waiting[0] == seat
        beyond = table.played_by[seat] > table.quota[seat] or (table.to_come(place) and not in_turn)
        if shown is not None and shown[0] == seat and beyond:
            table.fault("PLY002", place, "/card", trick=play.number, seat=seat, card=event.card, before=shown[1])
            return
        if not in_turn:
            if not self._in_turn(table, play, place, seat, event):
                return
        elif len(play.waiting) == 1 and table.short(seat) and self._leads_next(table, play, place, seat, card):
            self.lacks(table, play, place, play.waiting.pop())
            self._settle(table, play)
            play.leader, play.waiting = seat, self._led_by(table, play, seat)
        play.waiting.pop(0)
        if table.trace is not None:
            table.trace.append(play.see(place, seat, event.card, card))
        if card >= 0 and table.left[seat] >> card & 1:
            self._judge(table, play, place, seat, card)
            table.left[seat] &= ~(1 << card)
        else:
            self._not_held(table, play, place, seat, event)
            card = -1
        if seat in table.free:
            self.faced(table, play, place, event.card, card >= 0)
        play.plays.append((seat, event.card, card))
        play.places.append(place)
        play.marks.append(begun)
        if card >= 0:
            play.seen[card] = (seat, play.number)
            play.put(card)

    def _begin_row(self, table: Table, play: Playing, event: Play, number: int) -> None:
        """A typed row begins: the trick before it is over, whole or not."""
        again = event.by in [table.seats[seat] for seat, _, _ in play.plays]
        if play.plays and play.waiting and (number != play.row or again):
            while play.waiting:
                self.lacks(table, play, play.places[-1], play.waiting.pop(0))

    def _gap(self, table: Table, play: Playing, place: int, number: int) -> None:
        """A typed number is too high, and everybody has as many cards too few: the tricks before are not on record.

        It is rather the number that is wrong where the next row has the number that is due if this row is where it belongs.
        """
        first, many = play.number, number - play.number
        if many < 1 or number > table.size or not turn_order.lack(table, many):
            return
        following = next((event.trick for _, event in coming(table, place) if event.trick is not None), None)
        if following == first + 1:
            return
        what = f"trick {first} is missing" if many == 1 else f"tricks {first} to {number - 1} are missing"
        if following != number + 1 and table.deal.status != "complete":
            what += f", or the number of this row is {first} and not {number}"
        self._leave_out(table, play, place, number, what)

    def _leave_out(self, table: Table, play: Playing, place: int, number: int, what: str) -> None:
        """Go on with a later trick: those before it are not on record, whoever won them."""
        first, many = play.number, number - play.number
        table.fault("PLY005", place, trick=first, what=what)
        for trick in range(first, number):
            table.doubt("L5", f"deal {table.number}, trick {trick}: it is not on record")
        for seat in range(len(table.seats)):
            table.played_by[seat] += many
            table.spare[seat] += many
        self._perhaps_broken(table, play)
        play.leader, play.number = None, number
        self.begin(table, play)
        play.look(table)

    @staticmethod
    def _skips_a_trick(table: Table, play: Playing) -> bool:
        """Whether the cards of a trick are not on record, so that what seems to come too soon may come after it."""
        return table.deal.status == "complete" and play.number < table.size and not table.unnamed and turn_order.lack(table, 1)

    @staticmethod
    def _number(table: Table, play: Playing, place: int, number: int, due: int) -> None:
        """A typed number is that of its trick, or off by as much as one before it that was told."""
        off = play.row is not None and play.row - play.row_due == number - due
        if number != due and not off and due <= table.size and not table.claimed_rest:
            table.fault(turn_order.ROW_NUMBER, place, "/trick", trick=due, found=number, due=due)
        play.row, play.row_due = number, due

    def _number_unseen(self, table: Table, place: int, number: int) -> None:
        """Rows go on where nothing can be verified any more: their numbers are told from how many cards stand in between."""
        play = table.state = table.state or Playing(None)
        cards, events, seats = 0, table.deal.events, len(table.seats)
        for spot in reversed(range(place)):
            if (event := events[spot]).do == "play":
                cards += 1
                if event.trick is not None:
                    break
        self._number(table, play, place, number, play.row_due + (cards + seats - 1) // seats)

    @staticmethod
    def _unordered(table: Table, play: Playing, place: int) -> None:
        """A row of which it is not known who led: whose the cards are is, and nobody's is judged."""
        row = [(place, table.deal.events[place]), *(in_row(table, place) or ())]
        seats = [table.place_of[event.by] for _, event in row if event.by]
        play.waiting = [*dict.fromkeys(seats), *(seat for seat in table.ring if seat not in seats)]
        play.leader, play.clear, play.unordered = None, False, True
        where = f"deal {table.number}, trick {play.number}"
        table.doubt("L3", f"{where}: who led is not recorded")
        table.doubt("L4", f"{where}: who led is not recorded")

    @staticmethod
    def _whoever_led(play: Playing, order: Order) -> int | None:
        """The place among the plays of the card that wins whoever led, if there is one; they stand clockwise."""
        cards = [card for _, _, card in play.plays]
        if not play.unordered or -1 in cards:
            return None
        starts = range(len(cards))
        won = {(order.winner([*cards[start:], *cards[:start]]) + start) % len(cards) for start in starts}
        return won.pop() if len(won) == 1 else None

    @staticmethod
    def lacks(table: Table, play: Playing, place: int, seat: int) -> None:
        """Write down that a seat's card to this trick is not on record; of a row that may lack another's, once and of nobody."""
        if place not in table.unsure:
            what = f"{table.seats[seat]}'s card to trick {play.number} is missing"
            table.fault("PLY005", place, trick=play.number, seat=seat, what=what)
        elif not play.short:
            play.short = True
            Tricks._short(table, play, place, [seat, *play.waiting, *(each for each, _, _ in play.plays)])
        if table.trace is not None:
            table.trace.append(Seen(None, seat, play.number, UNKNOWN, -1, None))
        table.played_by[seat] += 1
        table.spare[seat] += 1
        play.clear = False
        table.doubt("L5", f"deal {table.number}, trick {play.number}: who won it cannot be told, because a card is missing")

    @staticmethod
    def _short(table: Table, play: Playing, place: int, turns: list[int]) -> None:
        """Write down that the row of a trick has fewer cards than seats have a turn, and who lacks one if the others do not."""
        row = table.unsure[place]
        named = [event.by for spot in row if (event := table.deal.events[spot]).do == "play"]
        lacking = [name for seat in turns if (name := table.seats[seat]) not in named]
        what = f"trick {play.number} has {len(row)} of {len(turns)} cards"
        if None not in named:
            lack = "lacks" if len(lacking) == 1 else "lack"
            what += f" ({' and '.join(lacking)} {lack} one if the others stand under their own seats)"
        table.fault("PLY005", row[0], trick=play.number, what=what, owner=lacking[0] if len(lacking) == 1 else None)

    def faced(self, table: Table, play: Playing, place: int, card: str, held: bool) -> None:
        """A seat that no play rule binds shows a card, one of its own if `held`."""
        return None

    def _leads_next(self, table: Table, play: Playing, place: int, seat: int, card: int) -> bool:
        """Whether the last card of a trick is rather a lead to the next, and the card of this one missing."""
        return turn_order.leads_next(table, play, place, seat, card, self.turns(table, seat, play.number + 1)[1:])

    def _led_by(self, table: Table, play: Playing, seat: int) -> list[int]:
        """The seats in their turns in this trick if a seat leads it, by right or not."""
        return [seat, *(other for other in self.turns(table, seat, play.number) if other != seat)]

    def _seat(self, table: Table, play: Playing, place: int, event: Play, card: int) -> int:
        """Who plays: the seat named, or the one it plays for, or the one that must be meant; -1 if that is not known."""
        if event.by is None:
            return turn_order.whose(table, play, place, card)
        seat = table.place_of[event.by]
        if place in table.unsure:
            turn_order.take_as(table, play, seat, card)
        due = play.waiting[0] if play.waiting else -1
        proxy = None if card < 0 or table.left[seat] >> card & 1 else self.proxy(table)
        others = proxy is not None and seat == proxy[0] and table.left[proxy[1]] >> card & 1
        if proxy is not None and others and (due == proxy[1] or self._from_wrong_hand(table, play, place, event.card)):
            return proxy[1]  # whose cards it plays
        if seat == due or card < 0 or due < 0 or not table.left[due] >> card & 1:
            return seat
        if table.to_come(place) or table.left[seat] >> card & 1:
            return seat
        facts = {"card": event.card, "due": table.seats[due]}
        table.fault("PLY003", place, "/by", trick=play.number, seat=seat, facts=facts)
        return due  # the card is that of the seat in turn: it is the name that is wrong

    @staticmethod
    def _from_wrong_hand(table: Table, play: Playing, place: int, card: str) -> bool:
        """Whether a lead of another hand's card is no slip of the pen: it is led once, and what follows is of the seats named."""
        if play.plays or play.number == 1 or sum(each.card == card for each in table.plays[1]) > 1:
            return False
        rest = [event for _, event in islice(coming(table, place), len(table.seats) - 1)]
        return all(each.by and each.card in table.names(table.left[table.place_of[each.by]]) for each in rest)

    def _judge(self, table: Table, play: Playing, place: int, seat: int, card: int) -> None:
        """L4: was this card among those that could be played?"""
        if seat in table.free:
            return
        if play.order is None or (play.view.leading and not play.clear):
            table.unjudged.add((seat, play.number))
            return
        view, hand, rules = play.view, table.left[seat], table.game.play_rules
        legal = legal_cards(rules, view, hand)
        if not play.clear:
            legal = perhaps_legal_cards(table, play, seat, legal)
        if table.trace is not None:
            table.trace[-1].hand, table.trace[-1].legal = hand, legal
        if not table.whole[seat]:
            table.unjudged.add((seat, play.number))
            table.doubt("L4", f"deal {table.number}: {table.seats[seat]}'s hand is not known in full")
        if legal >> card & 1:
            return
        if table.spare[seat] and legal_without(table, play, seat, card):
            table.unjudged.add((seat, play.number))
            table.doubt("L4", f"deal {table.number}: it is not known which cards {table.seats[seat]} still held")
            return
        if table.trace is None and table.from_fault:
            table.trace = [play.see(place, seat, table.pack.cards[card], card)]
            table.trace[-1].hand, table.trace[-1].legal = hand, legal
        rule = rule_broken(rules, view, hand, card)
        lead = table.pack.cards[view.lead.bit_length() - 1] if view.lead else None
        facts = {"card": table.pack.cards[card], "could": table.names(legal), "led": lead, "held": table.names(hand)}
        table.fault(rule, place, "/card", trick=play.number, seat=seat, facts=facts)

    def _not_held(self, table: Table, play: Playing, place: int, seat: int, event: Play) -> None:
        """A card that is unknown, foreign, played before, or not this seat's: it stands, but hides who wins."""
        where = f"deal {table.number}, trick {play.number}"
        card, name = table.pack.index.get(event.card, -1), table.seats[seat]
        _, before = play.seen.get(card, (-1, 0))
        table.unjudged.add((seat, play.number))
        if "?" in event.card:
            table.doubt("L4", f"{where}: {name}'s card is not known")
        elif card < 0:
            meant = table.pack.suggest(event.card)
            table.fault("DEA001", place, "/card", trick=play.number, seat=seat, card=event.card, meant=meant)
        elif before:
            table.fault("PLY002", place, "/card", trick=play.number, seat=seat, card=event.card, before=before)
        else:
            why = f" (held: {' '.join(table.names(table.left[seat]))})" if table.whole[seat] else _elsewhere(table, card)
            table.fault("PLY001", place, "/card", trick=play.number, seat=seat, card=event.card, why=why)
        if "?" not in event.card:
            table.doubt("L4", f"{where}: {name}'s card is not certain")
        table.spare[seat] += 1
        table.doubt("L5", f"{where}: who won it cannot be told, because {name}'s card is not certain")
        play.clear = False
        if play.view.leading and not play.adrift:
            table.doubt("L4", f"{where}: it is not certain what was led")

    def _in_turn(self, table: Table, play: Playing, place: int, seat: int, event: Play) -> bool:
        """Somebody plays whose turn it is not: find out why. False if the play has been dealt with."""
        if seat < 0:
            table.stop(f"deal {table.number}, trick {play.number}: it is not known who played {event.card}")
            return False
        while play.waiting and play.waiting[0] != seat:
            if not turn_order.skipped(table, place, play.waiting[0], seat, len(play.waiting)):
                break
            self.lacks(table, play, place, play.waiting.pop(0))
            if not play.waiting:
                self._settle(table, play)
        if play.leader is None and not play.plays:
            play.leader, play.waiting = seat, self.turns(table, seat, play.number)
        if play.waiting and play.waiting[0] == seat:
            return True
        due, field = table.seat(play.waiting[0]), "/by" if event.by else "/card"
        if not play.plays:
            return self._wrong_lead(table, play, place, seat, event, due, field)
        table.fault("PLY003", place, field, trick=play.number, seat=seat, card=event.card, due=due)
        if seat in play.waiting:
            play.waiting.remove(seat)
            play.waiting.insert(0, seat)
            return True
        table.stop(f"deal {table.number}: nothing after trick {play.number} can be verified")
        return False

    def _wrong_lead(self, table: Table, play: Playing, place: int, seat: int, event: Play, due: str | None, field: str) -> bool:
        """A lead by the wrong seat: it stands, unless it is the record that has the trick in the wrong order."""
        turns = self._led_by(table, play, seat)
        ordered = turn_order.in_order(table, play, place, event, turns)
        if ordered and play.done.isdisjoint(spot for _, (spot, _) in ordered):  # once is enough
            table.fault("PLY003", place, field, trick=play.number, seat=seat, card=event.card, due=due)
            for other, (spot, written) in ordered:
                play.done.add(spot)
                self._play(table, play, spot, written.model_copy(update={"by": table.seats[other]}))
            return False
        rule, first = table.game.rule("PLY004"), table.game.rule("TRK003")
        if play.number == 1 and first.citation is not None:
            rule = rule.of(first.id, first.citation, first.sentence)
        table.fault(rule, place, field, trick=play.number, seat=seat, card=event.card, due=due)
        play.waiting = turns
        return True

    def _settle(self, table: Table, play: Playing) -> None:
        """The trick is over: who won it, and so who leads."""
        order = table.order(play.number, done=True)
        winner = None if order is None else self._winner(play, order)
        if order is not None and winner is not None:
            mask = 0
            for _, _, card in play.plays:
                mask |= 1 << card
            table.won[winner] += 1
            play.broken = play.broken or order.trumps & mask != 0
        elif order is None:
            table.doubt("L5", f"deal {table.number}: trump is not known")
        if play.order is None:
            table.doubt("L4", f"deal {table.number}: trump is not known")
        if not play.clear:
            self._perhaps_broken(table, play)
        table.tricks.append(self._trick(table, play, winner))
        play.leader = winner
        play.number += 1
        self.begin(table, play)

    @staticmethod
    def _perhaps_broken(table: Table, play: Playing) -> None:
        """Cards of a trick are not known: they may have broken trumps, and nobody leads them too early from here on."""
        if not play.broken and any(rule.code == "REV005" for rule in table.game.rules):
            play.broken = True
            table.doubt("L4", f"deal {table.number}: it is not certain when trumps were broken")

    def _winner(self, play: Playing, order: Order) -> int | None:
        """Who won the trick to which all have played; None if that is not certain."""
        sure = self._whoever_led(play, order)
        if sure is None and not play.clear:
            return None
        cards = [card for _, _, card in play.plays]
        return play.plays[sure if sure is not None else cards.index(play.best) if order is play.order else order.winner(cards)][0]

    @staticmethod
    def _trick(table: Table, play: Playing, winner: int | None) -> PlayedTrick:
        seats = table.seats
        return PlayedTrick(play.number, tuple([(seats[seat], card) for seat, card, _ in play.plays]), table.seat(winner))

    def played_out(self, table: Table) -> PlayedTrick | None:
        """The trick to which all have played, while it lies there."""
        play: Playing | None = table.state
        if play is None or not play.over:
            return None
        order = table.order(play.number, done=True)
        return self._trick(table, play, None if order is None else self._winner(play, order))

    def _withdraw(self, table: Table, play: Playing, place: int, event: Withdraw) -> None:
        """Take back the card last played, if it is this seat's; a fault in playing it becomes a remark."""
        if not play.plays or play.plays[-1][:2] != (table.place_of[event.by], event.card):
            table.fault("PLY008", place, seat=event.by, card=event.card)
            return
        seat, _, card = play.plays.pop()
        spot, begun = play.places.pop(), play.marks.pop()
        was = f"/deals/{table.index}/events/{spot}/"
        for seen in reversed(table.trace or ()):  # it is among the last
            if seen.place == spot:
                seen.withdrawn = True
                break
        play.waiting.insert(0, seat)
        table.played_by[seat] -= 1
        if card >= 0:
            table.left[seat] |= 1 << card
            del play.seen[card]
        else:
            table.spare[seat] -= 1
        play.clear = not play.adrift and all(bit >= 0 for _, _, bit in play.plays)
        play.clear_view()
        for _, _, bit in play.plays:
            if bit >= 0:
                play.put(bit)
        for number in range(begun, len(table.findings)):
            finding = table.findings[number]
            if finding.pointer.startswith(was) and finding.level == "L4":
                could = finding.facts.get("could")
                table.fault("REV009", place, trick=play.number, seat=seat, card=event.card, could=could)
                table.findings[number] = table.findings.pop()

    def _claim(self, table: Table, play: Playing, place: int, event: Claim) -> None:
        """Divide the tricks that are left as claimed."""
        if play.over:
            self._settle(table, play)
        left = 0 if play.divided else table.size - play.number + 1
        divided = sum(event.tricks.values())
        if table.unsized and divided <= left:
            table.doubt("L3", f"deal {table.number}: {UNSIZED}")
        elif not table.compare("CLM001", divided, left, place, "/tricks", seat=event.by):
            for seat, tricks in event.tricks.items():
                table.won[table.place_of[seat]] += tricks
            play.divided = True
        table.claimed_rest = True

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The cards that the seat in turn may play; with `breaking`, the plays that break this rule first."""
        if table.state is None:
            return self._leads(table, breaking)
        play = self.begun(table)
        if play.over:
            self._settle(table, play)
        if play.number > table.size or not play.waiting:
            return []
        if not play.plays:
            play.look(table)
        seats = [play.waiting[0]]
        if breaking is not None and breaking.narrow is None:
            seats = play.waiting[1:] if breaking.code == ("PLY003" if play.plays else "PLY004") else []
            breaking = None
        return [
            play_of(table.seats[seat], table.pack.cards[card])
            for seat in seats
            for card in self._cards(table, play, seat, breaking)
        ]

    def expects(self, table: Table, event: Any) -> bool | None:
        """Whether a play is one of those offered."""
        if type(event) is not Play:
            return None
        return any(type(each) is Play and each.card == event.card and each.by == event.by for each in self.offers(table))

    def _leads(self, table: Table, breaking: Rule | None) -> list[Any]:
        """The first leads; the play has not begun by being asked for them."""
        found = len(table.findings)
        self.begun(table)
        leads = self.offers(table, breaking)
        table.state = None
        del table.findings[found:]
        return leads

    @staticmethod
    def _cards(table: Table, play: Playing, seat: int, breaking: Rule | None) -> list[int]:
        """The cards of a seat that break no rule, or this one first."""
        rules, hand = table.game.play_rules, table.left[seat]
        legal = hand if seat in table.free else legal_cards(rules, play.view, hand)
        if breaking is None:
            return [*bits(legal)]
        return [card for card in bits(hand & ~legal) if rule_broken(rules, play.view, hand, card) is breaking]

    def close(self, table: Table) -> None:
        """The play is over: is it whole, and are the tricks counted?"""
        play: Playing | None = table.state
        where = f"deal {table.number}"
        if table.stopped:
            return
        if play is None and table.unplayed:
            return
        if play is None:
            table.doubt("L4", f"{where}: the play is not recorded")
            table.doubt("L5", f"{where}: the play is not recorded")
            return
        if play.over:
            self._settle(table, play)
        left = table.size - play.number + 1
        if left and not table.claimed_rest:
            if table.deal.status == "complete":
                self._cut_short(table, play, left)
            what = UNSIZED if table.unsized else f"{left} of {table.size} tricks were not played out"
            table.doubt("L5", f"{where}: {what}")
        table.counted = sum(table.won) == table.size and all(trick.winner for trick in table.tricks)

    @staticmethod
    def _cut_short(table: Table, play: Playing, left: int) -> None:
        if left == 1 and play.plays and play.places[-1] in table.unsure:
            Tricks.lacks(table, play, play.places[-1], play.waiting.pop(0))
            return
        lacking = (left - 1) * len(table.seats) + len(play.waiting or table.ring)
        if lacking == 1 and play.plays and not (table.unnamed and not all(table.whole)):
            seat = play.waiting[0]
            what = f"{table.seats[seat]}'s card to trick {play.number} is missing"
            against = f"/deals/{table.index}/events/{play.places[-1]}"  # the last card, after which it should stand
            table.fault("PLY005", trick=play.number, seat=seat, what=what, against=against)
            return
        end = f"the play ends in trick {play.number} of {table.size}"
        early = "a card" if lacking == 1 else f"{lacking} cards"
        stated = "status" in table.deal.model_fields_set
        what = f"{end}, {early} early" + (", though the deal is said to be complete" if stated else "")
        more = {} if stated else {"hint": " (if it was left there: status stopped)"}
        table.fault("PLY005", trick=play.number, what=what, facts=more)


def _elsewhere(table: Table, card: int) -> str:
    """Where a card is, in words, for a seat whose hand is not known in full."""
    lies = next((name for name, cards in table.lying.items() if table.pack.cards[card] in cards), None)
    if lies is not None:
        return f" (it lies in {lies})"
    return next((f" (it is {table.seats[seat]}'s)" for seat, hand in enumerate(table.hands) if hand >> card & 1), "")
