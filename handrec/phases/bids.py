"""One bid each, in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from handrec.findings import Rule
from handrec.game.phase import Phase
from handrec.game.table import UNSIZED, Made, Table
from handrec.game.views import BidView
from handrec.phases import wrong_bids
from handrec.record import Bid


class Bidders:
    """Who bids in a deal: how often each seat is named, and the seats in their turn, but for those whose bid is not on record."""

    def __init__(self, table: Table) -> None:
        self.events, self.named, in_time = len(table.deal.events), dict[str, int](), set[str]()
        for before, (place, event) in enumerate(table.besides):
            if type(event) is Bid:
                self.named[event.by] = self.named.get(event.by, 0) + 1
                if place == before:  # no card has been played
                    in_time.add(event.by)
        turns = [] if table.eldest is None else table.clockwise(table.eldest)
        self.turns = [seat for seat in turns if table.seats[seat] in in_time]

    @classmethod
    def of(cls, table: Table) -> Bidders:
        """Those of a table, which are others when events have come to it."""
        known: Bidders | None = table.kept.get(cls)
        if known is None or known.events != len(table.deal.events):
            known = table.kept[cls] = cls(table)
        return known


@dataclass(frozen=True)
class Bids(Phase):
    """One bid each, in turn from the dealer's left: a number of tricks, or one of the words in `named`.

    `named` gives the value in tricks of each word, by the number of cards in a hand; None where it has none there. `least`
    is the lowest number in words; the game's rule judges it. `promises` gives for words that promise something of the hand
    how many cards of each suit that is, by the number of cards and the suits; nothing where it cannot be kept.
    """

    named: Mapping[str, Callable[[int], int | None]] = field(default_factory=dict)
    least: int = 0
    promises: Mapping[str, Callable[[int, tuple[int, ...]], tuple[int, ...]]] = field(default_factory=dict)
    kinds = ("bid",)
    needs = ("BID002",)
    plants = wrong_bids.IN_TURN
    independent = True

    def made(self, table: Table, event: Bid, place: int) -> Made | None:
        """The bid as the game understands it, None if the game has no such bid."""
        bid = event.bid
        if isinstance(bid, int):
            return Made(str(bid), "number", bid, place)
        return Made(bid, bid, None if table.unsized else self.named[bid](table.size), place) if bid in self.named else None

    def sayable(self, table: Table) -> Iterable[Any]:
        """The bids there are."""
        return [*range(self.least, table.size + 1), *self.named]

    def allowed(self, table: Table) -> str:
        """The bids the game knows, in words."""
        return " or ".join([f"a number from {self.least} to {table.size}", *self.named])

    def take(self, table: Table, place: int, event: Bid) -> None:
        """Take a bid: in turn, once, in time, and one that this seat may make."""
        seat = self._meant(table, event)
        misnamed = table.seats[seat] != event.by
        turns = Bidders.of(table).turns
        if table.to_come(place) and table.eldest is not None:
            turns = [s for s in table.clockwise(table.eldest) if s < table.count]
        waiting = [s for s in turns if table.bids[s] is None]
        before = table.bids[seat]
        if before is not None:
            table.fault("BID005", place, seat=seat, bid=event.bid, before=before.token)
            return
        if table.state is not None:
            table.fault("BID007", place, seat=seat, bid=event.bid)
        elif misnamed or (waiting and seat != waiting[0]):
            due = seat if misnamed else waiting[0]
            table.fault("BID001", place, seat=event.by, bid=event.bid, due=table.seat(due))
        if event.blind is not None:
            table.fault("PLY007", place, "/blind", seat=seat, what="bids with or without looking")
        made = self.made(table, event, place)
        if made is None:
            table.fault("BID002", place, "/bid", seat=seat, bid=event.bid, allowed=self.allowed(table))
            table.bids[seat] = Made(str(event.bid), "unknown", None, place)
            return
        table.bids[seat] = made
        self._judge(table, seat, made, table.game.checks("bid"))

    def lay(self, table: Table, place: int) -> int:
        """Everybody bids in turn, once, and nobody breaks a rule."""
        events, count, dealer = table.deal.events, table.count, table.dealer
        if dealer is None or place + count > len(events):
            return -1
        made = None
        for step in range(1, count + 1):
            seat, event = (dealer + step) % count, events[place]
            if type(event) is not Bid or event.by != table.seats[seat] or event.blind is not None:
                return -1
            made = table.bids[seat] = self.made(table, event, place)
            if made is None or not self._fair(table, seat, made, "bid"):
                return -1
            place += 1
        return place if made is not None and self._fair(table, dealer, made, "bids") else -1

    def _fair(self, table: Table, seat: int, made: Made, moment: str) -> bool:
        """Whether a bid breaks no rule of a moment: asked once for all bids that are alike, if none is about the hand."""
        others = sum([bid.value or 0 for bid in table.bids if bid is not None]) if moment == "bids" else 0
        alike = moment, made.kind, made.value, others, table.size, seat == table.dealer
        if alike in table.game.fair:
            return True
        rules = table.game.checks(moment)
        fair = not self.broken(table, seat, made, rules)
        if fair and not table.doubts and not any(made.kind in rule.needs_hand for rule in rules):
            table.game.add_fair(alike)
        return fair

    def promised(self, table: Table, event: Bid) -> tuple[tuple[int, int], ...]:
        """So many cards of each suit, and the rest of the hand of what belongs to none of them."""
        order = table.order(1)
        if order is None or event.bid not in self.promises or table.unsized:
            return ()
        shares = tuple(zip(order.suits, self.promises[str(event.bid)](table.size, order.suits), strict=False))
        rest = table.pack.full & ~sum(suit for suit, _ in shares)
        return (*shares, (rest, table.size - sum(many for _, many in shares))) if shares else ()

    def close(self, table: Table) -> None:
        """Judge what depends on all the bids, and report bids that are missing."""
        number = f"deal {table.number}"
        if not any(table.bids):
            what = "the order of the bids is" if table.deal.claimed and table.deal.claimed.bids else "bids are"
            table.doubt("L3", f"{number}: {what} not recorded")
            return
        if table.dealer is None:
            table.doubt("L3", f"{number}: the dealer is not recorded")
            self._whoever_dealt(table, "")
        done = table.state is not None or table.deal.status in ("complete", "claimed")
        for seat in range(table.count):
            made = table.bids[seat]
            if made is None and done:
                table.fault("BID006", seat=seat)
            elif made is not None and seat == table.dealer:
                self._judge(table, seat, made, table.game.checks("bids"))

    def take_sheet(self, table: Table, sheet: Mapping[int, Made]) -> None:
        """Judge bids that stand only on the score sheet, as if they had been made."""
        for seat, made in sheet.items():
            table.bids[seat] = made
        for seat, made in sheet.items():
            last = seat == table.dealer and len(sheet) == table.count
            rules = table.game.checks("bid") + (table.game.checks("bids") if last else ())
            self._judge(table, seat, made, rules, f"/claimed/bids/{table.seats[seat]}")
        if table.dealer is None and len(sheet) == table.count:
            self._whoever_dealt(table, "/claimed/bids")

    def _whoever_dealt(self, table: Table, field: str) -> None:
        """A rule about all the bids that is broken whoever of the seats bid last, where it is not known who did."""
        bids = [(seat, made) for seat, made in enumerate(table.bids[: table.count]) if made is not None]
        rules = table.game.checks("bids") if len(bids) == table.count else ()
        for rule in rules:
            if all(rule in self.broken(table, seat, made, (rule,)) for seat, made in bids):
                facts: dict[str, Any] = {"seat": "somebody", "bid": "a number", "others": "", "cards": table.size}
                table.fault(rule, field=field, facts=facts)

    @staticmethod
    def _meant(table: Table, event: Bid) -> int:
        """Whose bid it is: the named seat's, or the one's in turn if that is named nowhere and the other more than once."""
        seat, named = table.place_of[event.by], Bidders.of(table).named
        if named.get(event.by, 0) < 2 or table.eldest is None:
            return seat
        silent = [s for s in table.clockwise(table.eldest) if s < table.count and table.bids[s] is None]
        return silent[0] if silent and table.seats[silent[0]] not in named else seat

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The bids that the seat in turn may make; with `breaking`, those that break this rule first."""
        seat = self._turn(table)
        if seat is None:
            return []
        tokens = (*range(table.size + (2 if breaking else 1)), *self.named)
        bids = [Bid(by=table.seats[seat], bid=token) for token in tokens]
        return [bid for bid in bids if self._breaks(table, seat, bid) == ([breaking] if breaking else [])]

    def expects(self, table: Table, event: Any) -> bool | None:
        """Whether a bid is one of those offered."""
        if type(event) is not Bid or event.blind is not None:
            return None
        seat = self._turn(table)
        return seat is not None and event.by == table.seats[seat] and self._breaks(table, seat, event) == []

    @staticmethod
    def _turn(table: Table) -> int | None:
        """The seat in turn to bid; None if there is none."""
        if table.eldest is None or table.state is not None:
            return None
        return next((seat for seat in table.clockwise(table.eldest) if seat < table.count and table.bids[seat] is None), None)

    def _breaks(self, table: Table, seat: int, bid: Bid) -> list[Rule] | None:
        """The rules that a bid of the seat in turn breaks; None if the game has no such bid."""
        made = self.made(table, bid, -1)
        rules = table.game.checks("bid") + (table.game.checks("bids") if seat == table.dealer else ())
        return None if made is None else self.broken(table, seat, made, rules)

    def broken(self, table: Table, seat: int, made: Made, rules: tuple[Rule, ...]) -> list[Rule]:
        """Those of the rules that a bid breaks; a rule that cannot be judged leaves a doubt."""
        if not rules:
            return []
        view, broken = self.view(table, seat, made, any(rule.on == "bids" for rule in rules)), []
        for rule in rules:
            if table.unsized and (rule.on == "bids" or made.kind in rule.needs_hand):
                table.doubt("L3", f"deal {table.number}: {UNSIZED}")
                continue
            if rule.on == "bids" and (view.value is None or view.others is None):
                table.doubt("L3", f"deal {table.number}: not every bid is known")
                continue
            if (view.value is None and made.kind not in rule.needs_hand) or (table.cardless and made.kind in rule.needs_hand):
                continue
            assert rule.check is not None
            if rule.check(view):
                broken.append(rule)
            elif made.kind in rule.needs_hand and not (view.whole and view.suits):
                table.doubt("L3", f"deal {table.number}: whether {table.seats[seat]} could bid {made.token} cannot be told")
        return broken

    def _judge(self, table: Table, seat: int, made: Made, rules: tuple[Rule, ...], field: str = "/bid") -> None:
        for rule in self.broken(table, seat, made, rules)[:1]:
            others = f" of {self.view(table, seat, made, True).others}"
            facts: dict[str, Any] = {"bid": made.token, "allowed": self.allowed(table), "others": others, "cards": table.size}
            place = made.place if made.place >= 0 else None
            table.fault(rule, place, field, seat=seat, held=table.names(table.hands[seat]), **facts)

    def view(self, table: Table, seat: int, made: Made, all_made: bool) -> BidView:
        """What a bid rule sees; the other bids only if all are made."""
        others = [bid.value if bid else None for other, bid in enumerate(table.bids) if other != seat] if all_made else [None]
        total = None if None in others else sum(value or 0 for value in others)
        order = table.order(1)
        return BidView(
            value=made.value,
            others=total,
            cards=table.size,
            last=seat == table.dealer,
            hand=table.hands[seat],
            whole=table.whole[seat],
            suits=order.suits if order else (),
            words=self._words[made.kind],
        )

    @cached_property
    def _words(self) -> Mapping[str, Mapping[str, bool]]:
        """By the kind of a bid, whether it is each of the words."""
        return {kind: {word: kind == word for word in self.named} for kind in ("number", "unknown", *self.named)}
