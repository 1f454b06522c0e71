"""The table: one deal while it is replayed, and where faults and doubts are written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from handrec.cards import UNKNOWN, Order, Pack, fits, is_known
from handrec.findings import Fault, Finding, PlayedTrick, Rule
from handrec.record import Deal

if TYPE_CHECKING:
    from handrec.game.value import Game


@dataclass(frozen=True)
class Made:
    """A bid that stands: as written, its kind (`number` or the game's word), its value in tricks if it has one."""

    token: str
    kind: str
    value: int | None
    place: int
    blind: bool = False


class Table:
    """One deal while it is replayed.

    Seats are places 0 to P-1 clockwise, cards bit numbers of the pack, hands masks. `left[s]` is what seat s still holds
    of the cards known to be its own; `whole[s]` whether that is all of them; `spare[s]` how many cards it has played (or
    must have played) that cannot be told, so that as many of `left[s]` may be gone.
    """

    def __init__(
        self, game: Game, pack: Pack, seats: tuple[str, ...], index: int, deal: Deal, number: int, size: int, sized: bool
    ) -> None:
        self.game, self.pack, self.seats, self.deal = game, pack, seats, deal
        self.index, self.number, self.size, self.sized = index, number, size, sized
        self.count = len(seats)
        self.place_of = {seat: place for place, seat in enumerate(seats)}
        self.dealer = self.place_of.get(deal.dealer) if deal.dealer else None
        self.findings: list[Finding] = []
        self.doubts: dict[str, list[str]] = {}
        self.stopped: str | None = None
        self.lying: Mapping[str, Sequence[str]] = deal.aside or {}
        self.turned: list[str] = []
        self.contract: str | None = None
        self.declarer: int | None = None
        self.bids: list[Made | None] = [None] * self.count
        self.hands: list[int] = [0] * self.count
        self.whole: list[bool] = [False] * self.count
        self.spare: list[int] = [0] * self.count
        self.left: list[int] = []
        self.played_by: list[int] = [0] * self.count
        self.unnamed = False  # some plays do not say whose they are
        self.won: list[int] = [0] * self.count
        self.tricks: list[PlayedTrick] = []
        self.counted = False
        self.claimed_rest = False
        self.sips: dict[int, int] = {}
        self.trace: dict[int, tuple[int, int]] | None = None
        self.state: Any = None

    # --- what is known of the deal ---

    @property
    def eldest(self) -> int | None:
        """The seat to the dealer's left."""
        return None if self.dealer is None else (self.dealer + 1) % self.count

    @property
    def undealt(self) -> int:
        """How many cards are not dealt to a seat."""
        return len(self.pack) - self.count * self.size

    def order(self, trick: int) -> Order | None:
        """Suits and ranks as they hold in a trick, None if the record does not tell."""
        from handrec.game.value import Sight

        return self.game.order(Sight(tuple(self.turned), self.contract, trick, self.undealt))

    def clockwise(self, first: int) -> list[int]:
        """All seats in turn, beginning with `first`."""
        return [(first + step) % self.count for step in range(self.count)]

    def seat(self, place: int | None) -> str | None:
        """The name of a seat."""
        return None if place is None else self.seats[place]

    def names(self, mask: int) -> list[str]:
        """The cards of a mask, from high to low, for a finding's facts."""
        return list(self.pack.names(mask))

    def sample_play(self) -> None:
        """Make ready for a deal that is being made rather than replayed: every card and bid is yet to come."""
        self.played_by = [self.size] * self.count

    # --- writing down ---

    def fault(
        self,
        what: str | Fault,
        /,
        event: int | None = None,
        field: str = "",
        *,
        trick: int | None = None,
        seat: Any = None,
        **facts: Any,
    ) -> None:
        """Write down a finding at an event of this deal, or at a field of the deal itself."""
        fault = self.game.rule(what) if isinstance(what, str) else what
        where = f"/deals/{self.index}" + ("" if event is None else f"/events/{event}") + field
        name = self.seats[seat] if isinstance(seat, int) else seat
        self.findings.append(Finding(fault, {"seat": name, **facts}, where, self.number, trick, name))

    def compare(self, what: str | Rule, found: Any, due: Any, /, event: int | None = None, field: str = "", **facts: Any) -> bool:
        """Write down a finding if the rule says that what is found is not what is due."""
        rule = self.game.rule(what) if isinstance(what, str) else what
        assert rule.check is not None
        if not rule.check(SimpleNamespace(found=found, due=due)):
            return False
        self.fault(rule, event, field, found=found, due=due, **facts)
        return True

    def doubt(self, level: str, reason: str) -> None:
        """Write down that a level could not be checked in full, and why."""
        reasons = self.doubts.setdefault(level, [])
        if reason not in reasons:
            reasons.append(reason)

    def stop(self, reason: str) -> None:
        """Nothing after this can be verified in this deal."""
        self.stopped = reason
        for level in ("L3", "L4", "L5"):
            self.doubt(level, reason)


def dealt_hands(table: Table) -> dict[str, list[str]]:
    """The hands as the recorded order of the pack deals them; none if it or the dealer is not recorded."""
    pack, dealer = table.deal.pack, table.eldest
    hands: dict[str, list[str]] = {}
    if pack is not None and dealer is not None:
        for card, seat in zip(pack, table.game.dealing(table.count, table.size), strict=False):
            if seat < 0:
                continue
            hands.setdefault(table.seats[(dealer + seat) % table.count], []).append(card)
    return hands


def check_dealing(table: Table) -> None:
    """The hands recorded, and the card turned, are those that the recorded order of the pack gives."""
    dealt = dealt_hands(table)
    for seat, cards in (table.deal.hands or {}).items():
        if seat in dealt and table.compare("DEA008", sorted(cards), sorted(dealt[seat]), field=f"/hands/{seat}", what=seat):
            return
    turns = [(place, event.card) for place, event in enumerate(table.deal.events) if event.do == "turn"]
    for (place, card), due in zip(turns, set_aside(table), strict=False):
        if is_known(card) and table.compare("DEA008", card, due, place, "/card", what="the table"):
            return


def set_aside(table: Table) -> list[str]:
    """The cards not dealt to a seat, in the order of the recorded pack."""
    pack = table.deal.pack or []
    seats = table.game.dealing(table.count, table.size)
    return [card for card, seat in zip(pack, seats, strict=False) if seat < 0] + pack[len(seats) :]


def take_hands(table: Table) -> None:
    """Work out every seat's hand from the hands recorded, the pack's order if recorded, and the cards played.

    A hand that is not recorded is made of the cards its seat plays, as far as nobody else is recorded with them. Unknown
    cards of a hand (`??`, `?S`, `T?`) are filled with cards it plays that are not listed, where they fit.
    """
    pack, deal = table.pack, table.deal
    listed: dict[int, list[str]] = {}
    owner: dict[str, str] = {}
    for seat, cards in {**dealt_hands(table), **(deal.hands or {})}.items():
        listed[table.place_of[seat]] = cards
        owner.update(dict.fromkeys(cards, seat))
    for name, cards in (deal.aside or {}).items():
        owner.update({card: name for card in cards if card not in owner})
    for event in deal.events:
        if event.do == "turn" and event.card not in owner:
            owner[event.card] = "turned"
    played: list[list[str]] = [[] for _ in table.seats]
    for event in deal.events:
        if event.do != "play":
            continue
        if event.by is None:
            table.unnamed = True
            continue
        player = table.place_of[event.by]
        table.played_by[player] += 1
        if event.card in pack.index and owner.setdefault(event.card, event.by) == event.by:
            played[player].append(event.card)
    for place in range(table.count):
        known = {card for card in listed.get(place, ()) if card in pack.index}
        if place in listed:
            blanks = [card for card in listed[place] if not is_known(card)] + [UNKNOWN] * (table.size - len(listed[place]))
            known |= _fill(blanks, [card for card in dict.fromkeys(played[place]) if card not in known])
        else:
            known |= set(played[place])
        table.hands[place] = pack.mask(known)
        table.whole[place] = len(known) >= table.size
        table.spare[place] = max(0, len(known) - table.size)
    table.left = list(table.hands)


def _fill(blanks: list[str], cards: list[str]) -> set[str]:
    """Those of the cards that can stand for unknown cards of a hand, as many as fit (augmenting paths)."""
    taken: dict[int, str] = {}

    def assigned(card: str, tried: set[int]) -> bool:
        for blank, token in enumerate(blanks):
            if blank not in tried and fits(card, token):
                tried.add(blank)
                if blank not in taken or assigned(taken[blank], tried):
                    taken[blank] = card
                    return True
        return False

    for card in cards:
        assigned(card, set())
    return set(taken.values())


def check_cards(table: Table, due: Mapping[str, int]) -> None:
    """L2: every card of the deal in the pack, none in two places, every place of its size."""
    deal, pack = table.deal, table.pack
    places: dict[str, list[tuple[str, str]]] = {}
    groups = [(f"{place}'s hand", f"/hands/{place}", cards, table.size) for place, cards in (deal.hands or {}).items()]
    groups += [(name, f"/aside/{name}", cards, due.get(name, -1)) for name, cards in (deal.aside or {}).items()]
    for what, field, cards, size in groups:
        if size < 0:
            table.fault("PLY007", field=field, what=f"cards set aside as {what}")
            continue
        table.compare("DEA003", len(cards), size, field=field, what=what)
        for spot, card in enumerate(cards):
            if not is_known(card):
                continue
            if card not in pack.index:
                table.fault("DEA001", field=f"{field}/{spot}", card=card, meant=pack.suggest(card))
                continue
            places.setdefault(card, []).append((what, f"{field}/{spot}"))
    held = {card for _, _, cards, _ in groups for card in cards}
    aside = {card for _, field, cards, _ in groups if field.startswith("/aside") for card in cards}
    for place, event in enumerate(deal.events):
        if event.do not in ("play", "turn") or not is_known(event.card):
            continue
        if event.card not in pack.index:
            if event.card not in held:
                table.fault("DEA001", place, "/card", place=event.by, card=event.card, meant=pack.suggest(event.card))
        elif event.do == "turn" and event.card not in aside:
            places.setdefault(event.card, []).append(("the card turned", f"/events/{place}/card"))
    for card, spots in places.items():
        table.compare("DEA002", len(spots), 1, field=spots[-1][1], card=card, places=", ".join(what for what, _ in spots))
    if deal.pack is not None:
        table.compare("DEA003", len(deal.pack), len(pack), field="/pack", what="the pack")
        check_dealing(table)
    elif deal.hands is None:
        table.doubt("L2", f"deal {table.number}: hands are not recorded")
    if any(card not in pack.index and is_known(card) for card in held):
        table.stop(f"deal {table.number}: a hand holds a card that is not in the pack")


def expected_size(deal: Deal, players: int, scheduled: int | None) -> tuple[int, bool]:
    """How many cards a hand of this deal has, and whether anything in the record says so.

    Hands all of one size decide; then the number stated; then the schedule; then the hands or the plays there are.
    """
    sizes = Counter(len(cards) for cards in (deal.hands or {}).values())
    plays = sum(event.do == "play" for event in deal.events)
    if len(sizes) == 1:
        return next(iter(sizes)), True
    if deal.cards is not None:
        return deal.cards, True
    if scheduled is not None:
        return scheduled, False
    if sizes:
        return sizes.most_common(1)[0][0], True
    return max(1, -(-plays // players)), False
