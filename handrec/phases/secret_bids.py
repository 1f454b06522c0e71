"""Bids made at the same moment, before a card that lies face down is turned; and the suit that each player must avoid.

A bid names a suit, perhaps with a promise to take none of it (`Hx2`), or leaves the suit to the card that lies there: the
bid is then that card's name. The card belongs to the last trick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from handrec.cards import SUITS, UNKNOWN
from handrec.findings import Rule
from handrec.game import Game
from handrec.game.hands import check_turned, set_aside
from handrec.game.phase import Phase
from handrec.game.planting import Data, Planting, any_deals, spots_of
from handrec.game.table import Made, Table
from handrec.game.value import Perhaps
from handrec.game.views import BidView, OverView
from handrec.masks import count, when
from handrec.phases import wrong_bids
from handrec.record import Bid, Turn

DOUBLETS = "x2"


@dataclass(frozen=True)
class SecretBids(Phase):
    """One bid each, in any order, before the card at `place` is turned; then that card, before the first lead."""

    place: str = "turnip"
    kinds = ("bid", "turn")
    needs = ("BID002", "BID021")
    breakable = ("BID021",)
    in_turn = False
    secret = True
    independent = True

    @property
    def plants(self) -> Mapping[str, Planting]:
        """Bids made again, missing, late or written down otherwise; the card turned too late."""
        again, lacking, other = Planting(wrong_bids.bid_again), Planting(wrong_bids.bids_lacking), Planting(self._other_bid)
        late = {"BID021": Planting(_bid_knowing), "DEA007": Planting(_turned_late)}
        return {"BID005": again, "BID006": lacking, "SCO004": other, **late}

    def _other_bid(self, data: Data, rng: Random, game: Game) -> bool:
        return wrong_bids.written_otherwise(next(any_deals(data, rng)), self.tokens, rng)

    @property
    def tokens(self) -> tuple[str, ...]:
        """Every bid there is, with those that only some tables allow."""
        return (*SUITS, *(suit + DOUBLETS for suit in SUITS), self.place, self.place + DOUBLETS)

    def open(self, table: Table) -> None:
        """A card stated to lie there, or dealt there, counts as turned if no turning is recorded."""
        if not table.begins and not any(event.do == "turn" for event in table.deal.events):
            table.turned += self.lying(table)[:1]

    def lying(self, table: Table) -> list[str]:
        """What the record says of the card that lies there: where it is set aside, and in the order of the pack."""
        dealt = [] if table.dealer is None else set_aside(table)[:1]
        return [*(table.deal.aside or {}).get(self.place, [])[:1], *dealt]

    # --- bids ---

    def made(self, table: Table, event: Bid, place: int) -> Made | None:
        """The bid as the game understands it, None if the game has no such bid."""
        token = str(event.bid)
        if token not in self.tokens:
            return None
        suit = token.removesuffix(DOUBLETS)
        kinds = [self.place] * (suit == self.place) + ["doublets"] * token.endswith(DOUBLETS)
        return Made(token, "_".join(kinds) or "suit", 0, place, suit=suit)

    def sayable(self, table: Table) -> Iterable[Any]:
        """The bids there are."""
        return [*(suit + more for suit in SUITS for more in ("", DOUBLETS)), self.place]

    def all_sayable(self, table: Table) -> Iterable[Any]:
        """Every bid that some tables allow."""
        return [Bid(by=table.seats[0], bid=token) for token in self.tokens]

    def allowed(self, table: Table) -> str:
        """The bids the game knows, in words."""
        return f"a suit ({', '.join(SUITS)}), a suit with Doublets (such as H{DOUBLETS}), or {self.place}"

    def take(self, table: Table, place: int, event: Bid | Turn) -> None:
        """Take a bid, or the turning of the card."""
        if event.do == "turn":
            self._turn(table, place, event)
            return
        seat = table.place_of[event.by]
        before = table.bids[seat]
        if before is not None:
            table.fault("BID005", place, seat=seat, bid=event.bid, before=before.token)
            return
        if table.state is not None:
            table.fault("BID021", place, seat=seat, bid=event.bid, after="the first card was led")
        elif table.turned and len(self._late(table)) == 1:
            table.fault("BID021", place, seat=seat, bid=event.bid, after=f"the {self.place} was faced")
        if event.blind is not None:
            table.fault("PLY007", place, "/blind", seat=seat, what="bids with or without looking")
        made = self.made(table, event, place)
        table.bids[seat] = made or Made(str(event.bid), "unknown", None, place)
        self._judge(table, seat, made, event.bid, place)

    def lay(self, table: Table, place: int) -> int:
        """Everybody bids once; then the card is turned that lies there, if that is recorded."""
        events, fair = table.deal.events, table.game.fair
        if table.dealer is None:
            return -1
        for event in events[place : place + table.count]:
            if type(event) is not Bid or event.blind is not None or table.bids[table.place_of[event.by]] is not None:
                return -1
            made = table.bids[table.place_of[event.by]] = self.made(table, event, place)
            if event.bid not in fair:
                if self._broken(table, made) is not None:
                    return -1
                table.game.add_fair(event.bid)
            place += 1
        turn, lying = events[place] if place < len(events) else None, table.lying.get(self.place)
        if not all(table.bids) or type(turn) is not Turn or turn.by is not None or (lying and lying != [turn.card]):
            return -1
        table.turned.append(turn.card)
        return place + 1

    def _judge(self, table: Table, seat: int, made: Made | None, bid: Any, place: int | None, field: str = "/bid") -> None:
        rule = self._broken(table, made)
        if rule is not None:
            table.fault(rule, place, field, seat=seat, bid=bid, allowed=self.allowed(table))

    def _broken(self, table: Table, made: Made | None) -> Rule | None:
        """The first rule that a bid breaks, None made out as a bid being no bid of the game."""
        kind = "" if made is None else made.kind
        words = {word: word in kind for word in (self.place, "doublets")}
        view = BidView(0, 0, words=words, unknown=made is None)
        return next((rule for rule in table.game.checks("bid") if rule.check is not None and rule.check(view)), None)

    def take_sheet(self, table: Table, sheet: Mapping[int, Made]) -> None:
        """Judge bids that stand only on the score sheet, as if they had been made."""
        for seat, made in sheet.items():
            table.bids[seat] = made
            self._judge(table, seat, made, made.token, None, f"/claimed/bids/{table.seats[seat]}")

    def close(self, table: Table) -> None:
        """Report bids that are missing, and what the record does not tell."""
        number = f"deal {table.number}"
        if table.dealer is None:
            table.doubt("L3", f"{number}: the dealer is not recorded")
        if not any(table.bids):
            table.doubt("L3", f"{number}: bids are not recorded")
            return
        faced = any(event.do == "turn" for event in table.deal.events)
        if faced or table.state is not None or table.deal.status in ("complete", "claimed"):
            for seat in range(table.count):
                if table.bids[seat] is None:
                    table.fault("BID006", seat=seat)

    # --- the card that lies there ---

    def lies_open(self, trick: int, size: int, undealt: int) -> int:
        """One, before the first lead."""
        return min(1, undealt)

    def _late(self, table: Table) -> list[str]:
        """The seats whose first bid comes after the card was turned, if it was."""
        bids: dict[str, int] = {}
        turned = len(table.deal.events)
        for place, event in enumerate(table.deal.events):
            if event.do == "bid":
                bids.setdefault(event.by, place)
            elif event.do == "turn":
                turned = min(turned, place)
        return [seat for seat, place in bids.items() if place > turned]

    def _turn(self, table: Table, place: int, event: Turn) -> None:
        """Turn the card: once, after the bids and before the first lead, and the one that lies there.

        Where several bids come after it, the card was turned too early; where one does, that bid was made too late.
        """
        if table.turned:
            table.fault("DEA007", place, "/card", card=event.card, why=f"{table.turned[0]} had been turned already")
            return
        table.turned.append(event.card)
        if table.state is not None:
            table.fault("DEA007", place, "", card=event.card, why="the first card had been led")
        elif len(self._late(table)) > 1:
            table.fault("DEA007", place, "", card=event.card, why="the bids had not been made")
        check_turned(table, self.place, place, event.card)

    def offers(self, table: Table, breaking: Rule | None = None) -> list[Any]:
        """The bids of those who have not bid, then the card; with `breaking`, bids that break this rule first."""
        if table.state is not None or table.turned:
            return []
        waiting = [seat for seat in range(table.count) if table.bids[seat] is None]
        if not waiting:
            return [Turn(card=card) for card in table.lying.get(self.place) or [UNKNOWN]] if breaking is None else []
        tokens: tuple[str | int, ...] = (*self.tokens, "NT", 1)
        bids = [Bid(by=table.seats[seat], bid=token) for seat in waiting for token in tokens]
        return [bid for bid in bids if self._broken(table, self.made(table, bid, -1)) is breaking]


@dataclass(frozen=True)
class BugSuits(Phase):
    """How many cards of each suit a seat took: `bugs` by suit, and under `place` those of the suit of the card there.

    That card goes to the last trick. Where the record does not tell, the score gets every number that can be.
    """

    place: str = "turnip"

    def facts(self, table: Table, seat: int) -> dict[str, Any]:
        """The cards that a seat took, by the suit that it avoided."""
        found = self._taken(table, seat)
        if all(len(numbers) == 1 for numbers in found.values()):
            return {"bugs": {suit: number for suit, (number,) in found.items()}}
        if not all(found.values()):  # the numbers contradict each other, so nothing can be told
            return {"bugs": Perhaps(())}
        most = max(map(len, found.values()))
        readings = tuple({suit: numbers[min(n, len(numbers) - 1)] for suit, numbers in found.items()} for n in range(most))
        return {"bugs": Perhaps(readings)}

    def facts_of(self, over: OverView, seat: int) -> dict[str, Any]:
        """The same of many deals, the card that lies there being the only one turned."""
        turned = over.turned[0]
        got = over.taken[seat] | when(over.winners[-1] == seat, turned, 0)
        found = {suit: count(got & over.pack.suit(suit)) for suit in SUITS}
        found[self.place] = sum(when(turned & over.pack.suit(suit), found[suit], 0) for suit in SUITS)
        return {"bugs": found}

    def notes(self, table: Table, seat: int) -> dict[str, str]:
        """The suit to be avoided where the card decided it, and how many cards of it were taken."""
        made = table.bids[seat]
        if made is None or made.kind == "unknown":
            return {}
        suits = self._suits(table) if made.suit == self.place else []
        words = {"suit": suits[0]} if len(suits) == 1 else {}
        bugs = self._taken(table, seat)[made.suit] if table.counted else ()
        return words | ({"bugs": str(bugs[0])} if len(bugs) == 1 else {})

    def _taken(self, table: Table, seat: int) -> dict[str, list[int]]:
        """How many cards of each suit a seat took, where all of them are known; else how many that can be."""
        kept: dict[int, dict[str, list[int]]] = table.kept.setdefault(BugSuits, {})
        if seat in kept:
            return kept[seat]
        suits = self._suits(table)
        if len(suits) > 1 or not table.counted or len(table.tricks) < table.size or any(table.spare):
            return self._bugs(table, seat)
        taken: dict[str | None, list[str]] = {name: [] for name in table.seats}
        for trick in table.tricks:
            taken[trick.winner] += [card[1] for _, card in trick.plays]
        taken[table.tricks[-1].winner] += suits
        for place, name in enumerate(table.seats):
            kept[place] = {suit: [taken[name].count(suit)] for suit in SUITS}
            kept[place][self.place] = kept[place][suits[0]]
        return kept[seat]

    def _suits(self, table: Table) -> list[str]:
        """The suits that the card can have: as it was turned, set aside or dealt, or of a card that no hand holds."""
        phase = table.game.phase_of["turn"]
        lying = phase.lying(table) if isinstance(phase, SecretBids) else []
        suits = {card[1] for card in (*table.turned, *lying)} & set(SUITS)
        if not suits:
            held = 0
            for hand in table.hands:
                held |= hand
            suits = {card[1] for card in table.pack.names(table.pack.full & ~held)}
        return sorted(suits or SUITS)

    def _bugs(self, table: Table, seat: int) -> dict[str, list[int]]:
        """How many cards of each suit a seat may have taken, the card at `place` included.

        Where a card is played twice, neither trick decides; and where one is doubtful, a card left over need not be played.
        """
        unsure = any(table.spare)
        doubled = table.doubled() if unsure else set[str]()
        decided = [trick for trick in table.tricks if trick.winner is not None]
        if doubled:
            decided = [trick for trick in decided if doubled.isdisjoint(card for _, card in trick.plays)]
        own = [trick for trick in decided if trick.winner == table.seats[seat]]
        open_tricks = table.size - len(decided)
        missing = self._tricks(table, seat) - len(own)
        if not 0 <= missing <= open_tricks:
            missing, open_tricks = table.size, 2 * table.size  # the numbers contradict each other, so anything can be
        last = next((trick.winner for trick in decided if trick.number == table.size), None)
        gets = {last == table.seats[seat]} if last else {missing > 0, missing == open_tricks}
        found: dict[str, set[int]] = {suit: set() for suit in (*SUITS, self.place)}
        for lies in self._suits(table):
            for suit in SUITS:
                taken, gone = _of_suit(own, suit), _of_suit(decided, suit)
                rest = max(0, table.pack.suit(suit).bit_count() - gone - (suit == lies))
                low = taken + (0 if unsure else max(0, rest - table.count * (open_tricks - missing)))
                high = taken + min(rest, table.count * missing)
                counts = {number + (got and suit == lies) for number in range(low, high + 1) for got in gets}
                found[suit] |= counts
                if suit == lies:
                    found[self.place] |= counts
        return {suit: sorted(counts) for suit, counts in found.items()}

    @staticmethod
    def _tricks(table: Table, seat: int) -> int:
        """The tricks of a seat, as played or as written down; -1 if neither tells."""
        if table.counted:
            return table.won[seat]
        claimed = (table.deal.claimed.tricks if table.deal.claimed else None) or {}
        return claimed.get(table.seats[seat], -1)


def _bid_knowing(data: Data, rng: Random, game: Game) -> bool:
    """A bid is made when the card that lay face down has been turned."""
    deal = next(any_deals(data, rng))
    event = deal["events"].pop(rng.choice(spots_of(deal, "bid")))
    deal["events"].insert(spots_of(deal, "turn")[0] + 1 + rng.randrange(2), event)
    return True


def _turned_late(data: Data, rng: Random, game: Game) -> bool:
    """The card is turned after the first lead."""
    events = next(any_deals(data, rng))["events"]
    turn = next(place for place, event in enumerate(events) if event["do"] == "turn")
    lead = next(place for place, event in enumerate(events) if event["do"] == "play")
    events.insert(lead, events.pop(turn))
    return True


def _of_suit(tricks: list[Any], suit: str) -> int:
    """How many cards of a suit lie in some tricks."""
    return sum(card[1] == suit for trick in tricks for _, card in trick.plays)
