"""The row of a deal: a deal in order as numbers, from which it can be written down again as it was.

Most of a deal are cards: hands, what lies aside, plays. They are numbers of the pack, a byte each. What else happens (bids,
calls, announcements, the contract) is the deal's *script*: JSON in which seats are their places, a number stands for so many
plays in a row, and a card of the pack is a mark, the cards themselves being `shown`. So the same few scripts serve very many
deals: whatever hangs on a script alone, such as whether bids were in order, need be found out once.

    {"bids":{"#0":3},"events":[{"card":"*","do":"turn"},{"bid":3,"by":"#1","do":"bid"},52]}

`bids` are those claimed. Where a deal has them, it says also `"board":true`, its number being that of its board, who is
`vulnerable`, and what is claimed of `sides`, which are named `"#0+#2"`. Of one in which nobody
played, as when all have passed, plays and leaders are none. A deal that holds anything else (doubts, remarks, cards that are
not known, plays out of turn, comments) has no row.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple

from handrec.limits import MAX_EVENTS
from handrec.record import KINDS, Deal, DealClaims, Event, Play
from handrec.sides import NO_SIDE, seats_of, side_of
from handrec.sieve.shape import Shape
from handrec.versions import newer

#: What stands for an absent seat or card, and for an absent number.
NONE = 255
NOTHING = -(1 << 62)

#: The mark of a card in a script; no card is written so.
CARD = "*"

#: So many scripts, and events in them, are remembered, and of each event so many cards that it may show.
MOST_KNOWN = 20_000
MOST_SHOWN = 1000

#: What is claimed of each seat in numbers.
SHEETS = ("tricks", "scores", "totals")


class Row(NamedTuple):
    """A deal in order, S seats, E seats that play, T tricks, P plays; seats and cards are numbers, `NONE` where not stated.

    `number` of the deal, 0 not stated; `sized` whether the number of cards in a hand is stated; `dealer` and `leader`, -1 not
    stated; `hands` seat by seat in the order recorded (S*T); `aside` place by place; the `script`, and `shown` its cards;
    `leaders` who led to each trick (T), all `NONE` if plays do not say whose they are; `plays` (P), all `NONE` if nobody played;
    claimed: `trump`, `winners` (T), `tricks` (E), `scores` (S), `totals` (S), `NOTHING` not stated.
    """

    number: int
    sized: bool
    dealer: int
    leader: int
    hands: bytes
    aside: bytes
    shown: bytes
    leaders: bytes
    plays: bytes
    script: str
    trump: str | None
    winners: bytes
    tricks: tuple[int, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]


class Foul(ValueError):
    """A row that cannot be that of a deal; the message says why."""


class ScriptEvent:
    """An event of a script, `made` of the `cards` that it shows, so many; `first` if the first version has it.

    Whether it names a card that is `unknown`, and `turns` one; from whom to whom it `hands` cards.
    """

    def __init__(self, entry: dict[str, Any], names: Mapping[str, str]) -> None:
        """Raises ValueError, LookupError or TypeError if it is none."""
        kind = KINDS[entry["do"]]
        if kind.model is Play:
            raise Foul("its script has a play that says more than whose card it was")
        stated = kind.renamed(entry, names.__getitem__)
        self.marked = [name for name in kind.of("card") if stated.get(name) == CARD]
        self.lists = {name: len(stated[name]) for name in kind.of("cards") if CARD in stated.get(name, ())}
        if any(stated[name] != [CARD] * many for name, many in self.lists.items()):
            raise Foul("its script has cards that are known in part")
        sample = {**dict.fromkeys(self.marked, "AS"), **{name: ["AS"] * many for name, many in self.lists.items()}}
        event: Any = kind.model.model_validate(stated | sample)
        self.event = event
        self.first, self.cards = (
            next(newer([Deal.model_construct(events=[event])]), None) is None,
            len(self.marked) + sum(self.lists.values()),
        )
        self.unknown = not self.cards and bool(kind.cards_of(self.event))
        self.turns = entry["do"] == "turn"
        self.hands: tuple[str | None, str | None] | None = kind.between(event) if kind.moves else None
        self.known: dict[tuple[str, ...], Any] = {}

    def made(self, shown: Iterator[str]) -> Event:
        """The event with the cards that come next."""
        if not self.cards:
            return self.event  # type: ignore[no-any-return]
        cards = tuple(islice(shown, self.cards))
        if cards not in self.known:
            if len(self.known) >= MOST_SHOWN:
                self.known.clear()
            coming = iter(cards)
            filled: dict[str, Any] = {name: next(coming) for name in self.marked}
            filled |= {name: [*islice(coming, many)] for name, many in self.lists.items()}
            self.known[cards] = self.event.model_copy(update=filled)
        return self.known[cards]  # type: ignore[no-any-return]


class Script(NamedTuple):
    """What a script says: `parts` are numbers of plays and events, which show so many `cards`; and `claims` of bids and sides.

    `board` if the deal's number is its board's; who is `vulnerable`; `first` if the first version has all this.
    """

    parts: tuple[int | ScriptEvent, ...]
    cards: int
    first: bool
    claims: dict[str, Any]
    board: bool
    vulnerable: str | None

    def events(self, plays: list[Any], shown: Iterable[str]) -> list[Event]:
        """The events of a deal, whose plays and cards shown are these."""
        events: list[Event] = []
        start, cards = 0, iter(shown)
        for part in self.parts:
            if isinstance(part, int):
                events += plays[start : start + part]
                start += part
            else:
                events.append(part.made(cards))
        return events


#: What was done in a play, and with it what else is said of it: nothing, in a deal that has a row.
DONE, SAID = attrgetter("by", "card"), attrgetter("by", "card", "questioned", "trick", "unordered", "marked")


class KnownPlays(dict[tuple[Any, ...], tuple[int, int]]):
    """Seat and card of a play by what it says; `NONE` for a seat that is not stated."""

    def __init__(self, place_of: Mapping[str | None, int], number: Mapping[str, int]) -> None:
        self.place_of, self.number = {**place_of, None: NONE}, number

    def __missing__(self, said: tuple[Any, ...]) -> tuple[int, int]:
        by, card, *noted = said
        if noted != [None] * len(noted):
            raise Foul("something was noted of a play")
        self[said] = self.place_of[by], self.number[card]  # so few are right that there is room for all
        return self[said]


#: What a script says of a deal whose number is its board's; no fact by itself.
NUMBERED = '"board":true,'


class Codec:
    """Deals of one shape, at a table of certain seats, as rows and back."""

    def __init__(self, shape: Shape, seats: tuple[str, ...]) -> None:
        self.shape, self.seats = shape, seats
        self.everybody = (*seats, *shape.game.extras)
        self.place_of: dict[str | None, int] = {seat: place for place, seat in enumerate(self.everybody)}
        self.number: dict[str, int] = dict(shape.pack.index)
        self.known = KnownPlays(self.place_of, self.number)
        self.scripts: dict[str, Script] = {}
        self.entries: dict[Any, tuple[str, bytes]] = {}
        self.read: dict[str, ScriptEvent] = {}
        self.claimed: dict[str, dict[str, Any]] = {}
        self.unled, self.unplayed = bytes([NONE]) * shape.size, bytes([NONE]) * shape.starts[-1]
        self.names = {f"#{place}": seat for place, seat in enumerate(self.everybody)}
        self.words: set[str] = set()
        self.played: dict[tuple[int, int], Any] = {}
        self.kept: dict[type, Any] = {}  # what the sieve keeps of such deals, by its type

    # --- a deal as a row ---

    def row(self, deal: Deal, noted: bool = False) -> Row | None:
        """The row of a deal, None if it has none; `noted` to leave out what is no fact: comments, doubts, transcribers' notes."""
        try:
            return self._row(deal, noted)
        except (LookupError, ValueError):
            return None

    def _row(self, deal: Deal, noted: bool) -> Row | None:
        shape, place_of, number, hands = self.shape, self.place_of, self.number, deal.hands
        if deal.status != "complete" or deal.pack is not None:
            return None
        if not noted and ("status" in deal.model_fields_set or deal.comments is not None):
            return None
        if hands is None or len(hands) != shape.seats or deal.cards not in (None, shape.size):
            return None
        if any(len(hand) != shape.size for hand in hands.values()):
            return None
        claimed = deal.claimed or DealClaims()
        if deal.claimed is not None and all(value in (None, {}, []) for _, value in claimed):
            return None
        dealer = -1 if deal.dealer is None else place_of[deal.dealer]
        leader = -1 if deal.leader is None else place_of[deal.leader]
        if max(dealer, leader) >= shape.seats:
            return None
        script, shown, plays = self._script(deal, claimed, noted)
        if len(plays) != shape.starts[-1] and (plays or not deal.events or not shape.circle):
            return None
        told = [*map(self.known.__getitem__, map(DONE if noted else SAID, plays))]
        leaders = self._leaders(tuple([seat for seat, _ in told]), dealer)
        if leaders is None:
            return None
        return Row(
            deal.number or 0,
            deal.cards is not None,
            dealer,
            leader,
            bytes([number[card] for seat in self.seats for card in hands[seat]]),
            self._aside(deal),
            shown,
            leaders,
            bytes([card for _, card in told]) or self.unplayed,
            script,
            claimed.trump,
            self._winners(claimed),
            *(self._sheet(getattr(claimed, name), name) for name in SHEETS),
        )

    def _aside(self, deal: Deal) -> bytes:
        stated, found = deal.aside, b""
        if stated is not None and (not stated or not stated.keys() <= self.shape.aside.keys()):
            raise Foul("cards lie in a place that the game does not have")
        for name, many in self.shape.aside.items():
            cards = (stated or {}).get(name)
            if cards is not None and (len(cards) != many or not many):
                raise Foul(f"not every card of the {name} is recorded, or too many are")
            found += bytes([NONE]) * many if cards is None else bytes([self.number[card] for card in cards])
        return found

    def _script(self, deal: Deal, claimed: DealClaims, noted: bool) -> tuple[str, bytes, list[Any]]:
        """The script, the cards it shows, and the plays."""
        parts, plays, shown, after = list[str](), list[Any](), b"", 0
        events = deal.events
        others = [place for place, event in enumerate(events) if type(event) is not Play]
        for place in (*others, len(events)):
            if place > after:
                parts.append(str(place - after))
                plays += events[after:place]
            if place < len(events):
                text, cards = self._entry(events[place])
                parts.append(text)
                shown += cards
            after = place + 1
        first, last = "", ""
        if claimed.bids is not None:
            first = f'"bids":{_json({self._name(seat): bid for seat, bid in claimed.bids.items()})},'
        if deal.board is not None and not noted:
            if deal.board != deal.number:
                raise Foul("the deal has another number than its board")
            first += NUMBERED
        if claimed.sides is not None:
            stated = {self._side(side): each.model_dump(exclude_none=True) for side, each in claimed.sides.items()}
            last = f',"sides":{_json(stated)}'
        if deal.vulnerable is not None:
            last += f',"vulnerable":"{deal.vulnerable if deal.vulnerable in NO_SIDE else self._side(deal.vulnerable)}"'
        return f'{{{first}"events":[{",".join(parts)}]{last}}}', shown, plays

    def _name(self, seat: str) -> str:
        return f"#{self.place_of[seat]}"

    def _side(self, side: str) -> str:
        return "+".join(map(self._name, seats_of(side, self.seats)))

    def _entry(self, event: Any) -> tuple[str, bytes]:
        """How an event stands in a script, and its cards."""
        try:
            known = self.entries.get(event)
        except TypeError:  # one that holds a list or a table
            return self._written(event)
        if known is None:
            if len(self.entries) >= MOST_KNOWN:
                self.entries.clear()
            known = self.entries[event] = self._written(event)
        return known

    def _written(self, event: Any) -> tuple[str, bytes]:
        kind = KINDS[event.do]
        stated = {"do": event.do, **kind.renamed(event.model_dump(exclude_none=True, exclude_unset=True), self._name)}
        cards = b""
        for name in kind.of("card", "cards"):
            value = stated.get(name)
            if isinstance(value, str) and value in self.number:
                stated[name], cards = CARD, cards + bytes([self.number[value]])
            elif isinstance(value, list) and value and all(card in self.number for card in value):
                stated[name], cards = [CARD] * len(value), cards + bytes([self.number[card] for card in value])
        return _json(stated), cards

    def _leaders(self, seats: tuple[int, ...], dealer: int) -> bytes | None:
        """Who led to each trick, if everybody played in turn, or nothing is said of it; None if not."""
        shape = self.shape
        if NONE in seats:
            return self.unled if shape.circle and seats.count(NONE) == len(seats) else None
        if not seats:
            return self.unled
        if dealer < 0 and not shape.circle:
            return None
        ring, later = shape.rings[max(dealer, 0)]
        leaders = seats[:1] + seats[shape.seats :: shape.every]
        start, end = 0, shape.seats
        for leader in leaders:
            if leader >= len(ring) or seats[start:end] != ring[leader]:
                return None
            start, end, ring = end, end + shape.every, later
        return bytes(leaders)

    def _winners(self, claimed: DealClaims) -> bytes:
        if claimed.winners is None:
            return bytes([NONE]) * self.shape.size
        if len(claimed.winners) != self.shape.size:
            raise Foul("not every trick has a winner on the sheet")
        return bytes([self.place_of[seat] for seat in claimed.winners])

    def _sheet(self, stated: Mapping[str, int] | None, name: str) -> tuple[int, ...]:
        seats = self.everybody if name == "tricks" else self.seats
        if stated is None:
            return (NOTHING,) * len(seats)
        if not stated or not stated.keys() <= {*seats}:
            raise Foul("a claim says nothing, or is made for a seat that there is not")
        return tuple(stated.get(seat, NOTHING) for seat in seats)

    # --- a row as a deal ---

    def script(self, text: str) -> Script:
        """A script, read. Raises `Foul` if it is none."""
        if text not in self.scripts:
            if len(self.scripts) >= MOST_KNOWN:
                self.scripts.clear()
            try:
                self.scripts[text] = self._script_of(decode(text))
            except Foul:
                raise
            except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
                raise Foul("its script is none") from None
        return self.scripts[text]

    def script_with(self, key: str, text: str) -> Script | None:
        """A script that may have a key, read; None if it has not, as its text tells without being read, or if it is none."""
        if f'"{key}"' not in text and "\\" not in text:
            return None
        try:
            return self.script(text)
        except Foul:
            return None

    def _script_of(self, data: Any) -> Script:
        if not isinstance(data, dict) or not data.keys() <= {"bids", "board", "events", "sides", "vulnerable"}:
            raise Foul("its script is none")
        parts: list[int | ScriptEvent] = []
        for entry in data["events"]:
            parts.append(entry if type(entry) is int and entry > 0 else self._entry_of(entry))
        plays = sum(part for part in parts if isinstance(part, int))
        if plays not in (0, self.shape.starts[-1]):
            raise Foul("its script has not as many plays as there are")
        events = [part for part in parts if isinstance(part, ScriptEvent)]
        if plays + len(events) > MAX_EVENTS:
            raise Foul(f"its script has more than {MAX_EVENTS} events")
        claims: dict[str, Any] = {}
        if "bids" in data:
            claims["bids"] = {self.names[seat]: bid for seat, bid in data["bids"].items()}
        if "sides" in data:
            claims["sides"] = {self._side_of(side): stated for side, stated in data["sides"].items()}
        vulnerable = data.get("vulnerable")
        if vulnerable is not None and vulnerable not in NO_SIDE:
            vulnerable = self._side_of(vulnerable)
        if "board" in data and data["board"] is not True:
            raise Foul("its script has a board that is none")
        key = repr(claims)  # in which 1, 1.0 and true are not the same
        if key not in self.claimed:
            if len(self.claimed) >= MOST_KNOWN:
                self.claimed.clear()
            valid = DealClaims.model_validate(claims)
            self.claimed[key] = {name: getattr(valid, name) for name in claims}
        return Script(
            tuple(parts),
            sum(event.cards for event in events),
            all(event.first for event in events) and data.keys() <= {"bids", "events"},
            self.claimed[key],
            "board" in data,
            vulnerable,
        )

    def _side_of(self, side: str) -> str:
        """The name of a side whose seats are as a script names them."""
        return side_of([self.names[seat] for seat in side.split("+")], self.seats)

    def _entry_of(self, entry: dict[str, Any]) -> ScriptEvent:
        key = repr(entry)
        if key not in self.read:
            if len(self.read) >= MOST_KNOWN:
                self.read.clear()
            self.read[key] = ScriptEvent(entry, self.names)
        return self.read[key]

    def deal(self, row: Row) -> Deal:
        """The deal of a row, whose numbers are within their bounds. Raises `Foul` if it is none."""
        try:
            return self._deal(row)
        except LookupError:
            raise Foul("a number in it stands for nothing") from None

    def _deal(self, row: Row) -> Deal:
        shape, cards, seats = self.shape, self.shape.pack.cards, self.everybody
        script = self.script(row.script)
        if script.cards != len(row.shown):
            raise Foul("its script shows another number of cards")
        if any(isinstance(part, int) for part in script.parts) == (row.plays == self.unplayed):
            raise Foul("its script has not as many plays as there are")
        if script.board and not row.number:
            raise Foul("it has no number, which is that of its board")
        parts: dict[str, Any] = {"number": row.number} if row.number else {}
        parts |= {"board": row.number} if script.board else {}
        parts |= {} if script.vulnerable is None else {"vulnerable": script.vulnerable}
        parts |= {name: seats[place] for name, place in (("dealer", row.dealer), ("leader", row.leader)) if place >= 0}
        parts |= {"cards": shape.size} if row.sized else {}
        size = shape.size
        parts["hands"] = {
            seat: [cards[card] for card in row.hands[place * size : (place + 1) * size]] for place, seat in enumerate(self.seats)
        }
        aside, start = {}, 0
        for name, many in shape.aside.items():
            there, start = row.aside[start : start + many], start + many
            if many and there != bytes([NONE]) * many:
                aside[name] = [cards[card] for card in there]
        parts |= {"aside": aside} if aside else {}
        parts["events"] = script.events(self._plays(row), [cards[card] for card in row.shown])
        claimed: dict[str, Any] = {} if row.trump is None else {"trump": self._word(row.trump)}
        claimed |= {name: dict(stated) for name, stated in script.claims.items()}
        if row.winners != bytes([NONE]) * size:
            claimed["winners"] = [seats[seat] for seat in row.winners]
        for name in SHEETS:
            stated = {seat: number for seat, number in zip(seats, getattr(row, name), strict=False) if number != NOTHING}
            claimed |= {name: stated} if stated else {}
        parts |= {"claimed": DealClaims.model_construct(**claimed)} if claimed else {}
        return Deal.model_construct(**parts)

    def _word(self, trump: str) -> str:
        if trump not in self.words:
            if len(self.words) >= MOST_KNOWN:
                self.words.clear()
            try:
                self.words.add(DealClaims.model_validate({"trump": trump}).trump or "")
            except ValueError:
                raise Foul("its trump is no word") from None
        return trump

    def _plays(self, row: Row) -> list[Any]:
        if row.plays == self.unplayed:
            return []
        if row.leaders == self.unled:
            return [self._play(NONE, card) for card in row.plays]
        first, later = self.shape.rings[max(row.dealer, 0)]
        seats = [seat for trick, leader in enumerate(row.leaders) for seat in (later if trick else first)[leader]]
        return [self._play(seat, card) for seat, card in zip(seats, row.plays, strict=True)]

    def _play(self, seat: int, card: int) -> Any:
        key = seat, card
        if key not in self.played:
            stated: dict[str, Any] = {"card": self.shape.pack.cards[card]}
            if seat != NONE:
                stated = {"by": self.everybody[seat], **stated}
            self.played[key] = Play.model_construct(**stated)
        return self.played[key]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The object of a JSON text, in which no key may stand twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise Foul("a key in its script stands twice")
    return found


#: The value of a JSON text. ValueError if it is none, `Foul` if a key stands twice.
decode: Callable[[str], Any] = json.JSONDecoder(object_pairs_hook=_once).decode

_json = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode
