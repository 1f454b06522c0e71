"""The phases a deal is made of: turning up, bidding, playing to tricks, and conduct at the table.

Phases are data that a game composes; their methods replay what is recorded and write down what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from handrec.findings import PlayedTrick, Rule
from handrec.game.table import Made, Table
from handrec.game.value import Phase
from handrec.record import Announce, Bid, Claim, Contract, Play, Turn, Withdraw


@dataclass(frozen=True)
class TurnUp(Phase):
    """Cards turned face up after the deal, one if any card is left over, before the first bid."""

    place: str = "turnup"
    kinds = ("turn",)

    def open(self, table: Table) -> None:
        """A card stated to lie there counts as turned if no turning is recorded."""
        stated = (table.deal.aside or {}).get(self.place, [])
        if stated and not any(event.do == "turn" for event in table.deal.events):
            table.turned.append(stated[0])

    def take(self, table: Table, place: int, event: Turn) -> None:
        """Turn a card; it must be due, in time, and the one that lies there."""
        stated = (table.deal.aside or {}).get(self.place, [])
        if table.undealt <= 0:
            table.fault("DEA007", place, "/card", card=event.card, why="no card was left over")
            return
        if table.turned:
            table.fault("DEA007", place, "/card", card=event.card, why=f"{table.turned[0]} had been turned already")
            return
        if any(table.bids) or table.state is not None:
            table.fault("DEA007", place, "", card=event.card, why="the bidding had begun")
        if stated and "?" not in stated[0] + event.card and stated[0] != event.card:
            table.fault("DEA007", place, "/card", card=event.card, why=f"{stated[0]} lies there")
        table.turned.append(event.card)


@dataclass(frozen=True)
class Bids(Phase):
    """One bid each, in turn from the dealer's left: a number of tricks, or one of the words in `named`.

    `named` gives the value in tricks of each word, by the number of cards in a hand; None where it has none there.
    """

    named: Mapping[str, Callable[[int], int | None]] = field(default_factory=dict)
    kinds = ("bid",)

    def made(self, table: Table, event: Bid, place: int) -> Made | None:
        """The bid as the game understands it, None if the game has no such bid."""
        if isinstance(event.bid, int):
            return Made(str(event.bid), "number", event.bid, place)
        if event.bid in self.named:
            return Made(event.bid, event.bid, self.named[event.bid](table.size), place)
        return None

    def candidates(self, size: int) -> list[int | str]:
        """Every bid the game knows in a hand of this size, legal or not."""
        return [*range(size + 1), *self.named]

    def allowed(self, table: Table) -> str:
        """The bids the game knows, in words."""
        return " or ".join([f"a number from 0 to {table.size}", *self.named])

    def take(self, table: Table, place: int, event: Bid) -> None:
        """Take a bid: in turn, once, in time, and one that this seat may make."""
        seat = table.place_of[event.by]
        waiting = [] if table.eldest is None else [s for s in table.clockwise(table.eldest) if table.bids[s] is None]
        before = table.bids[seat]
        if before is not None:
            table.fault("BID005", place, seat=seat, bid=event.bid, before=before.token)
            return
        if table.state is not None:
            table.fault("BID007", place, seat=seat, bid=event.bid)
        elif waiting and seat != waiting[0]:
            table.fault("BID001", place, seat=seat, bid=event.bid, due=table.seat(waiting[0]))
        made = self.made(table, event, place)
        if made is None:
            table.fault("BID002", place, "/bid", seat=seat, bid=event.bid, allowed=self.allowed(table))
            table.bids[seat] = Made(str(event.bid), "unknown", None, place)
            return
        table.bids[seat] = made
        self._judge(table, seat, made, table.game.checks("bid"))

    def close(self, table: Table) -> None:
        """Judge what depends on all the bids, and report bids that are missing."""
        number = f"deal {table.number}"
        if not any(table.bids):
            table.doubt("L3", f"{number}: bids are not recorded")
            return
        if table.dealer is None:
            table.doubt("L3", f"{number}: the dealer is not recorded")
        done = table.state is not None or table.deal.status in ("complete", "claimed")
        for seat in range(table.count):
            made = table.bids[seat]
            if made is None and done:
                table.fault("BID006", seat=seat)
            elif made is not None and seat == table.dealer:
                self._judge(table, seat, made, table.game.checks("bids"))

    def _judge(self, table: Table, seat: int, made: Made, rules: tuple[Rule, ...]) -> None:
        for rule in rules:
            if rule.needs_hand and not table.whole[seat]:
                table.doubt("L3", f"deal {table.number}: {table.seats[seat]}'s hand is not known in full")
                continue
            view = self.view(table, seat, made)
            if rule.on == "bids" and (view.value is None or view.others is None):
                table.doubt("L3", f"deal {table.number}: not every bid is known")
                continue
            if view.value is None and not rule.needs_hand:
                continue
            assert rule.check is not None
            if rule.check(view):
                facts = {"bid": made.token, "allowed": self.allowed(table), "others": view.others, "cards": table.size}
                table.fault(rule, made.place, "/bid", seat=seat, held=table.names(table.hands[seat]), **facts)
                return

    def view(self, table: Table, seat: int, made: Made) -> Any:
        """What a bid rule sees: value and kind of the bid, the other bids' sum, the hand and the suits."""
        others = [bid.value if bid else None for other, bid in enumerate(table.bids) if other != seat]
        total = None if any(value is None for value in others) else sum(value or 0 for value in others)
        order = table.order(1)
        return SimpleNamespace(
            value=made.value,
            others=total,
            cards=table.size,
            last=seat == table.dealer,
            hand=table.hands[seat],
            suits=order.suits if order else (),
            **{word: made.kind == word for word in self.named},
        )


@dataclass(frozen=True)
class Contracts(Phase):
    """The outcome of an auction that the record does not hold: who declares, and what is trump."""

    form: str = "a contract"
    names: Callable[[str], str | None] = str
    kinds = ("contract",)

    def take(self, table: Table, place: int, event: Contract) -> None:
        """Take the contract; the game must know its name."""
        strain = self.names(str(event.bid))
        if strain is None:
            table.fault("BID002", place, "/bid", seat=event.by, bid=event.bid, allowed=self.form)
            return
        table.contract = strain
        table.declarer = table.place_of[event.by] if event.by else None

    def close(self, table: Table) -> None:
        """Without a contract, trump is not known."""
        if table.contract is None:
            table.doubt("L3", f"deal {table.number}: the contract is not recorded")


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
        self.broken = False
        self.seen: dict[int, tuple[int, int]] = {}  # card -> seat that played it, trick
        self.view = _PlayView()


@dataclass(frozen=True)
class Tricks(Phase):
    """Playing to tricks: the leader, then clockwise, one card each; the winner leads to the next.

    `leader(table)` names who leads to the first trick, None if it is not known.
    """

    leader: Callable[[Table], int | None] = lambda table: table.eldest
    kinds = ("play", "withdraw", "claim")

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
        play.clear, play.best = True, -1
        view.lead = view.led = view.rising = 0
        view.leading, view.first, view.broken = True, play.number == 1, play.broken
        view.trumps = play.order.trumps if play.order else 0

    def _play(self, table: Table, play: _Play, place: int, event: Play) -> None:
        card = table.pack.index.get(event.card, -1)
        if play.plays and not play.waiting:
            self._settle(table, play)
        seat = table.place_of[event.by] if event.by else self._whose(table, play, card)
        if play.number > table.size or table.claimed_rest:
            table.fault("PLY006", place, trick=None, seat=seat if seat >= 0 else None, card=event.card)
            return
        if card >= 0 and play.seen.get(card, (-1, 0))[0] == seat and self._repeated(table, play, place, seat, event):
            return
        if not (play.waiting and play.waiting[0] == seat) and not self._in_turn(table, play, place, seat, event):
            return
        play.waiting.pop(0)
        held = table.left[seat]
        if card >= 0 and held >> card & 1:
            if play.order is not None:
                self._judge(table, play, place, seat, card)
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

    @staticmethod
    def _follow(play: _Play, card: int) -> None:
        """The table after a card: what is led, and what beats the best card so far."""
        order, view = play.order, play.view
        if order is None:
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
            table.doubt("L4", f"deal {table.number}: {table.seats[seat]}'s hand is not known in full")
        if legal >> card & 1:
            return
        if table.spare[seat] and self._perhaps(table, view, seat, card):
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
        if "?" in event.card:
            table.doubt("L4", f"{where}: {table.seats[seat]}'s card is not known")
        elif card >= 0:
            _, trick = play.seen.get(card, (-1, 0))
            if trick:
                table.compare(
                    "PLY002", 2, 1, place, "/card", trick=play.number, seat=seat, card=event.card, before=trick
                )
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
        due = table.seat(play.waiting[0])
        if not play.plays:
            table.fault("PLY004", place, "/by", trick=play.number, seat=seat, card=event.card, due=due)
            play.waiting = table.clockwise(seat)
            return True
        if seat in play.waiting:
            table.fault("PLY003", place, "/by", trick=play.number, seat=seat, card=event.card, due=due)
            play.waiting.remove(seat)
            play.waiting.insert(0, seat)
            return True
        table.fault("PLY003", place, "/by", trick=play.number, seat=seat, card=event.card, due=due)
        table.stop(f"deal {table.number}: nothing after trick {play.number} can be verified")
        return False

    @staticmethod
    def _whose(table: Table, play: _Play, card: int) -> int:
        """Whose card an unnamed play is: of the seat in turn, unless only another that may still play it holds it."""
        if not play.waiting:
            return -1
        due = play.waiting[0]
        listed = table.deal.hands or {}
        if card >= 0 and table.seats[due] not in listed and not any(left >> card & 1 for left in table.left):
            table.left[due] |= 1 << card
            table.hands[due] |= 1 << card
        if card < 0 or table.left[due] >> card & 1:
            return due
        return next((seat for seat in play.waiting if table.left[seat] >> card & 1), due)

    @staticmethod
    def _skipped(table: Table, place: int, due: int, seat: int, waiting: int) -> bool:
        """Whether the seat whose turn it is has no card in this trick, rather than one later in it."""
        if table.unnamed:
            return False
        if table.deal.status == "complete":
            return table.played_by[due] < table.size and table.played_by[seat] >= table.played_by[due]
        coming = [event.by for event in table.deal.events[place + 1 :] if event.do == "play"][: waiting - 1]
        return table.seats[due] not in coming

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
                facts = {"card": event.card, "could": finding.facts.get("could")}
                table.fault("REV009", place, trick=play.number, seat=seat, **facts)
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
        table.counted = (left == 0 or table.claimed_rest) and all(trick.winner for trick in table.tricks)

    @staticmethod
    def _cut_short(table: Table, play: _Play, left: int) -> None:
        missing = left * table.count - len(play.plays)
        if missing == 1 and play.plays:
            seat = play.waiting[0]
            what = f"{table.seats[seat]}'s card to trick {play.number} is missing"
            table.fault("PLY005", trick=play.number, seat=seat, what=what)
            return
        what = f"the play ends in trick {play.number} of {table.size}, {missing} cards early, though the deal is said to be complete"
        table.fault("PLY005", trick=play.number, what=what)


@dataclass(frozen=True)
class Sips(Phase):
    """Drinks taken after a missed bid. `agreed` gives the sips due by how many tricks the bid was missed."""

    agreed: Mapping[str, int] = field(default_factory=dict)
    kinds = ("announce:sips",)

    def take(self, table: Table, place: int, event: Announce) -> None:
        """Count the sips."""
        seat = table.place_of[event.by]
        table.sips[seat] = table.sips.get(seat, 0) + (event.count or 0)

    def settle(self, table: Table, bids: Mapping[int, Made], tricks: Mapping[int, int]) -> None:
        """Whoever missed drank what was agreed, and at least one sip. A deal without any drink on record is not judged."""
        if not table.sips:
            if self.agreed:
                table.doubt("L5", f"deal {table.number}: sips are not recorded")
            return
        for seat, made in bids.items():
            if seat in tricks and made.value is not None and tricks[seat] != made.value:
                due = max(1, self.agreed.get(str(abs(tricks[seat] - made.value)), 1))
                table.compare("SCO006", table.sips.get(seat, 0), due, seat=table.seats[seat])


@dataclass(frozen=True)
class Conduct(Phase):
    """Accusations, rulings and penalties; judged when all deals are replayed, since a fault may come to light late.

    `suggested` is the usual size of a penalty; with `fixed` it is the agreed one, and another is a fault.
    """

    suggested: int | None = None
    fixed: bool = False
    kinds = ("accuse", "penalty", "ruling")
