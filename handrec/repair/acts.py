"""The single mistakes that a scribe makes, undone one at a time: what a deal's record may have meant instead.

Each act is one mistake: two cards exchanged, a card misread, a play left out or written twice, a wrong name, a wrong bid.
Whether it makes the deal right is for the referee to say; `misfit` only throws out early what cannot.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Any

from handrec.findings import Finding
from handrec.game import Game
from handrec.record import KINDS
from handrec.repair.edits import ABSENT, Edit, value_at

#: A deal as plain JSON values.
Data = dict[str, Any]


@dataclass(frozen=True)
class EditSet:
    """One mistake undone: its edits, with pointers that begin at the deal; `forced` if nothing else can have stood there."""

    edits: tuple[Edit, ...]
    forced: bool = False


@dataclass(frozen=True)
class FaultyDeal:
    """A deal, the game it is of, its seats and hand size, and what was found wrong, with pointers that begin at the deal."""

    deal: Data
    game: Game
    seats: tuple[str, ...]
    size: int
    findings: tuple[tuple[str, Finding], ...]

    @cached_property
    def events(self) -> list[Data]:
        """What happened."""
        found: list[Data] = self.deal.get("events", [])
        return found

    @cached_property
    def plays(self) -> list[int]:
        """The places of the plays."""
        return [place for place, event in enumerate(self.events) if event["do"] == "play"]

    @cached_property
    def named(self) -> list[tuple[int, str, str]]:
        """The cards that events name: which event, where in the deal, and the card."""
        return list(_named(self.events))

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The pack."""
        return self.game.pack(len(self.seats)).cards

    @cached_property
    def groups(self) -> dict[str, list[str]]:
        """Hands and cards set aside, by their pointers."""
        hands, aside = self.deal.get("hands", {}), self.deal.get("aside", {})
        return {f"/hands/{seat}": cards for seat, cards in hands.items()} | {f"/aside/{key}": aside[key] for key in aside}

    @cached_property
    def aside(self) -> list[str]:
        """The cards set aside."""
        return [card for cards in self.deal.get("aside", {}).values() for card in cards]

    @cached_property
    def nowhere(self) -> list[str]:
        """The cards of the pack that neither lie anywhere nor are played or turned."""
        seen = {card for cards in self.groups.values() for card in cards} | {card for _, _, card in self.named}
        return [card for card in self.cards if card not in seen]

    @cached_property
    def hands(self) -> dict[str, list[str]]:
        """The hands that cards are played from, as far as they are recorded."""
        return _after_moves(self.deal)

    def left(self, seat: str | None) -> list[str]:
        """The cards that a seat may still have: its hand's that nobody plays, or, where that is not recorded, any."""
        hand = self.hands.get(seat or "")
        if hand is None or not _whole(hand, self.size):
            return self.nowhere + [card for card in hand or () if card in self.cards and card not in self.played]
        return [card for card in hand if card in self.cards and card not in self.played]

    @cached_property
    def played(self) -> set[str]:
        """The cards that are played."""
        return {self.events[place]["card"] for place in self.plays}


def _named(events: Sequence[Data]) -> Iterator[tuple[int, str, str]]:
    for place, event in enumerate(events):
        for field in KINDS[event["do"]].of("card", "cards"):
            where, told = f"/events/{place}/{field}", event.get(field, [])
            spots = [(where, told)] if isinstance(told, str) else [(f"{where}/{at}", card) for at, card in enumerate(told)]
            yield from ((place, *spot) for spot in spots)


def _after_moves(deal: Data) -> dict[str, list[str]]:
    """The hands that are recorded, after the cards that go from hand to hand have gone."""
    hands = {seat: [*cards] for seat, cards in deal.get("hands", {}).items()}
    moving = [event for event in deal.get("events", []) if KINDS[event["do"]].moves]
    for place, _, card in _named(moving):
        giver, taker = moving[place]["by"], moving[place]["to"]
        if card in hands.get(giver, ()):
            hands[giver].remove(card)
            hands.get(taker, []).append(card)
    return hands


def _whole(hand: Sequence[str], size: int) -> bool:
    return len(hand) == size and not any("?" in card for card in hand)


def acts(scene: FaultyDeal) -> Iterator[EditSet]:
    """Every act on a deal; if only what concerns several deals is at fault, none on what happened in this one."""
    broad = all(finding.level == "L6" for _, finding in scene.findings)
    for family in BROAD if broad else (*BROAD, *NARROW):
        yield from family(scene)


# --- what is due, and who sits where --------------------------------------------------------------------------------


def as_due(scene: FaultyDeal) -> Iterator[EditSet]:
    """What the finding says is due, at its place."""
    for where, finding in scene.findings:
        found, due = value_at(scene.deal, where), finding.facts.get("due")
        for value in due if isinstance(due, list) and not isinstance(found, list) else [due]:
            if found is not ABSENT and type(value) is type(found) and value != found:
                yield _one(where, found, value)
        if finding.code == "FMT012" and isinstance(found, str):
            yield from (_one(where, found, seat) for seat in scene.seats)
        if isinstance(found, dict) and isinstance(due, int) and isinstance(finding.facts.get("found"), int):
            more = due - finding.facts["found"]  # a sum that is wrong: any of its parts
            yield from (_one(f"{where}/{key}", number, number + more) for key, number in found.items() if number + more >= 0)
        if where.startswith("/claimed/totals/") and isinstance(due, int) and finding.seat is not None:
            score = value_at(scene.deal, f"/claimed/scores/{finding.seat}")
            if isinstance(score, int) and isinstance(found, int):
                yield _one(f"/claimed/scores/{finding.seat}", score, score + found - due)


def other_heads(scene: FaultyDeal) -> Iterator[EditSet]:
    """Another dealer or first leader."""
    for field in ("dealer", "leader"):
        found = scene.deal.get(field)
        yield from (_one(f"/{field}", found, seat) for seat in scene.seats if found is not None and seat != found)


# --- plays ----------------------------------------------------------------------------------------------------------


def other_cards(scene: FaultyDeal) -> Iterator[EditSet]:
    """Another card played, turned or guessed: one that is left."""
    for place, where, found in scene.named:
        event = scene.events[place]
        left = scene.left(event.get("by")) if event["do"] == "play" else [*scene.nowhere, *scene.aside]
        if KINDS[event["do"]].moves:
            left = scene.deal.get("hands", {}).get(event["by"], [])
        forced = len(left) == 1 and found not in scene.cards
        yield from (EditSet(_one(where, found, card).edits, forced) for card in left if card != found)


def lacking_plays(scene: FaultyDeal) -> Iterator[EditSet]:
    """A play put in."""
    if not any(finding.code.startswith(("PLY", "TRK")) for _, finding in scene.findings):
        return
    hands = scene.deal.get("hands", {})
    for seat in (*scene.seats, *scene.game.extras):
        left = scene.left(seat)
        forced = len(left) == 1 and _whole(hands.get(seat, ()), scene.size)
        for place in range(scene.plays[0] if scene.plays else len(scene.events), len(scene.events) + 1):
            for card in left:
                play = {"do": "play", "by": seat, "card": card}
                why = f"{seat} played {card} as event {place + 1}"
                yield EditSet((Edit(f"/events/{place}", ABSENT, play, "guess", "", why),), forced)


def lacking_bids(scene: FaultyDeal) -> Iterator[EditSet]:
    """A bid put in, for a seat that made none; what the sheet has first."""
    made = [event for event in scene.events if event["do"] == "bid"]
    silent = [seat for seat in scene.seats if not any(event["by"] == seat for event in made)]
    sheet = scene.deal.get("claimed", {}).get("bids", {})
    for seat in silent if any(finding.code.startswith("BID") for _, finding in scene.findings) else ():
        spoken = [*sheet.values(), *(event["bid"] for event in made)]
        values = [*([sheet[seat]] if seat in sheet else ()), *_bids(scene, spoken[0] if spoken else 0, spoken)]
        for bid, place in product(dict.fromkeys(values), range((scene.plays or [len(scene.events)])[0] + 1)):
            said, why = {"do": "bid", "by": seat, "bid": bid}, f"{seat} bid {bid} as event {place + 1}"
            yield EditSet((Edit(f"/events/{place}", ABSENT, said, "guess", "", why),))


def moved_events(scene: FaultyDeal) -> Iterator[EditSet]:
    """What is no play, at another time."""
    for place, event in enumerate(scene.events):
        for other in range(len(scene.events)) if event["do"] != "play" else ():
            if abs(other - place) > 1:  # its neighbours are exchanged with it already
                why = f"event {place + 1} was event {other + 1}"
                out = Edit(f"/events/{place}", event, ABSENT, "guess", "", why)
                yield EditSet((out, Edit(f"/events/{other}", ABSENT, event, "guess", "", why)))


def doubled_events(scene: FaultyDeal) -> Iterator[EditSet]:
    """An event taken out."""
    for place, event in enumerate(scene.events):
        yield EditSet((Edit(f"/events/{place}", event, ABSENT, "guess", "", f"event {place + 1} did not happen"),))


def exchanged_cards(scene: FaultyDeal) -> Iterator[EditSet]:
    """The cards of two plays exchanged, those nearest to each other first."""
    for one, other in _near(scene.plays):
        first, second = scene.events[one]["card"], scene.events[other]["card"]
        if first != second:
            why = f"the cards of events {one + 1} and {other + 1} stand in each other's place"
            yield EditSet((_to(f"/events/{one}/card", first, second, why), _to(f"/events/{other}/card", second, first, why)))


def exchanged_events(scene: FaultyDeal) -> Iterator[EditSet]:
    """Two events exchanged, those nearest to each other first."""
    for one, other in _near(range(len(scene.events))):
        first, second = scene.events[one], scene.events[other]
        plays = (first["do"] == "play") + (second["do"] == "play")
        if first != second and (plays == 0 or other - one == 1 or (plays == 2 and first.get("by") != second.get("by"))):
            why = f"events {one + 1} and {other + 1} stand in each other's place"
            yield EditSet((_to(f"/events/{one}", first, second, why), _to(f"/events/{other}", second, first, why)))


def other_names(scene: FaultyDeal) -> Iterator[EditSet]:
    """Another seat that did it, or to whom it was done."""
    for place, event in enumerate(scene.events):
        seats = (*scene.seats, *(scene.game.extras if event["do"] == "play" else ()))
        for field in KINDS[event["do"]].seats:
            if (found := event.get(field)) is not None:
                yield from (_one(f"/events/{place}/{field}", found, seat) for seat in seats if seat != found)


# --- bids and hands -------------------------------------------------------------------------------------------------


def other_bids(scene: FaultyDeal) -> Iterator[EditSet]:
    """Another bid, where it was made or on the sheet, and another count of tricks on a sheet without plays."""
    claimed = scene.deal.get("claimed", {})
    spots = {f"/events/{place}/bid": event["bid"] for place, event in enumerate(scene.events) if "bid" in event}
    spots |= {f"/claimed/bids/{seat}": bid for seat, bid in claimed.get("bids", {}).items()}
    for where, found in spots.items():
        yield from (_one(where, found, bid) for bid in _bids(scene, found, list(spots.values())) if bid != found)
    for seat, found in claimed.get("tricks", {}).items() if not scene.plays else ():
        yield from (_one(f"/claimed/tricks/{seat}", found, many) for many in range(scene.size + 1) if many != found)


def _bids(scene: FaultyDeal, found: Any, others: list[Any]) -> list[Any]:
    """What may have been bid instead: the game's words, the same with another number, any number."""
    phase = scene.game.phase_of.get("bid")
    words = [*others, *getattr(phase, "tokens", ())]
    numbers = range(scene.size + 1)
    for mode in getattr(phase, "modes", ()):
        words += [f"{number}{mode}" for number in numbers]
    for word in {str(word) for word in (found, *others)}:
        words += [re.sub("[0-9]+", str(number), word, count=1) for number in numbers if not word.isdigit()]
    return list(dict.fromkeys([*(numbers if isinstance(found, int) else ()), *words]))


def other_lies(scene: FaultyDeal) -> Iterator[EditSet]:
    """A card of a hand, or set aside, that is another; that lies elsewhere; that was left out or is one too many."""
    spots = [(group, place, card) for group, cards in scene.groups.items() for place, card in enumerate(cards)]
    twice = Counter(card for _, _, card in spots)
    inside = set(twice)
    lost = [card for card in scene.cards if card not in inside]
    for group, place, card in spots:
        odd = card not in scene.cards or twice[card] > 1
        new = [other for other in lost if odd or card not in scene.played or other in scene.played]
        forced = len(lost) == 1 and card not in scene.cards
        yield from (EditSet(_one(f"{group}/{place}", card, other).edits, forced) for other in new)
        for spot in scene.plays if odd else ():  # the same slip in the hand and in the play
            play = scene.events[spot]
            if play["card"] == card and f"/hands/{play.get('by')}" == group:
                for other in lost:
                    edits = _one(f"{group}/{place}", card, other).edits + _one(f"/events/{spot}/card", card, other).edits
                    yield EditSet(edits, forced)
    if any(finding.code == "DEA003" for _, finding in scene.findings):
        for group, place, card in spots:
            taken = Edit(f"{group}/{place}", card, ABSENT, "guess", "", f"{card} does not lie in {group[1:]}")
            yield EditSet((taken,))
            for other in scene.groups:
                if other != group:
                    why = f"{card} lies in {other[1:]}"
                    put = Edit(f"{other}/{len(scene.groups[other])}", ABSENT, card, "guess", "", why)
                    yield EditSet((taken, put))
        for group, cards in scene.groups.items():
            for card in lost:
                why = f"{card} lies in {group[1:]}"
                yield EditSet((Edit(f"{group}/{len(cards)}", ABSENT, card, "guess", "", why),), len(lost) == 1)
    for (group, place, card), (other, spot, second) in combinations(spots, 2):
        if group != other and card != second:
            why = f"{card} and {second} lie in each other's place"
            yield EditSet((_to(f"{group}/{place}", card, second, why), _to(f"{other}/{spot}", second, card, why)))


def _near(places: Sequence[int]) -> list[tuple[int, int]]:
    return sorted(combinations(places, 2), key=lambda pair: pair[1] - pair[0])


def _one(where: str, found: Any, due: Any) -> EditSet:
    return EditSet((_to(where, found, due, f"{due} for {found}"),))


def _to(where: str, found: Any, due: Any, why: str) -> Edit:
    return Edit(where, found, due, "guess", "", why)


#: What concerns a deal among others, and what happened in it.
BROAD = (as_due, other_heads)
NARROW = (
    other_cards,
    lacking_plays,
    lacking_bids,
    doubled_events,
    other_names,
    other_bids,
    exchanged_cards,
    exchanged_events,
    other_lies,
    moved_events,
)


# --- what cannot be right -------------------------------------------------------------------------------------------


def misfit(deal: Data, game: Game, seats: tuple[str, ...], size: int) -> int:
    """How many plays do not fit hands or turns at first sight: 0 for any deal that the referee finds nothing wrong with.

    It is 0 too where the record or the game is not so simple that this can be told.
    """
    tricks = game.phase_of["play"]
    events = deal.get("events", [])
    plays = [event for event in events if event["do"] == "play"]
    named = {event.get("by") for event in plays}
    if any(event["do"] == "withdraw" for event in events):
        return 0
    if tricks.proxied and not named >= set(seats):
        return 0  # one seat's cards may be written down as played by another
    whole = deal.get("status", "complete") == "complete" and bool(plays)
    wrong = 0
    seen = all("by" in event and "?" not in event["card"] for event in plays)
    for seat, hand in _after_moves(deal).items() if seen else ():
        if seat in seats and _whole(hand, size):
            cards = [event["card"] for event in plays if event["by"] == seat]
            played, held = set(cards), set(hand)
            wrong += len(cards) - len(played) + len(played - held) + (len(held - played) if whole else 0)
    if tricks.clockwise and not game.extras and all("by" in event for event in plays):
        places = [seats.index(event["by"]) if event["by"] in seats else -1 for event in plays]
        many = len(seats)
        for start in range(0, len(places), many):
            trick = places[start : start + many]
            wrong += sum(seat != (trick[0] + step) % many for step, seat in enumerate(trick))
    return wrong
