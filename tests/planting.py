"""Slips and deeds planted one at a time in dealt games, with the truth known: what a clerk does, done to a right record.

`plant(act, data, rng)` does one act to the plain data of a record with one deal, or gives False where the record has no room for
it. The acts are those of the table in `handrec.explanations.acts`, done by somebody who knows nothing of how they are read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import deepcopy
from functools import cache
from random import Random
from typing import Any

from handrec import games, referee
from handrec.dealing import CannotDeal, deal_game
from handrec.findings import Finding
from handrec.game import compose
from handrec.games.batarde import MODES
from handrec.record import Record

#: A call of La Bâtarde: number, mode, mark.
CALL = rf"([0-9]+)({'|'.join(MODES)})([ms]?)"

Data = dict[str, Any]

#: What a game is dealt with for plants: players, a deal with a good number of tricks, options.
TABLES: dict[str, list[tuple[int, int, dict[str, Any]]]] = {
    "bastard": [(3, 1, {}), (3, 1, {"mega": True}), (3, 1, {"ultra": True}), (3, 1, {"ultimate": True})],
    "batarde": [(3, 5, {}), (4, 5, {}), (5, 6, {})],
    "bridge": [(4, 1, {})],
    "bugami": [(3, 1, {})],
    "hearts": [(4, number, {}) for number in (1, 2, 3, 4)],
    "kbabs": [(3, 6, {}), (4, 3, {}), (4, 6, {}), (5, 2, {})],
    "oh_hell": [(3, 3, {}), (4, 6, {}), (5, 4, {})],
    "spades3": [(3, 1, {}), (3, 1, {"spades_broken": True})],
    "whist": [(4, 1, {})],
}


@cache
def dealt(key: str, seed: int, inject: str | None = None) -> Data | None:
    """A record of one deal as plain data, not to be changed; None if the fault to be injected does not come about."""
    players, number, options = TABLES[key][seed % len(TABLES[key])]
    try:
        record = deal_game(games.find(key), players, seed, options=options, numbers=[number], inject=inject)
    except CannotDeal:
        return None
    return record.model_dump(mode="json", exclude_unset=True, by_alias=True)


def without(data: Data, hands: bool, claims: bool) -> Data:
    """The record with hands and claims left out, if they are not wanted."""
    data = deepcopy(data)
    for deal in data["deals"]:
        deal.pop("pack", None)
        if not hands:
            deal.pop("hands", None)
            deal.pop("aside", None)
        if not claims:
            deal.pop("claimed", None)
    if not claims:
        data.pop("claimed", None)
    return data


def cut(data: Data, rng: Random) -> Data:
    """The record broken off after some whole tricks."""
    data = deepcopy(data)
    deal = data["deals"][0]
    rows = rows_of(data)
    if len(rows) < 4:
        return data
    last = rows[rng.randrange(2, len(rows) - 1)][-1]
    deal["events"] = deal["events"][: last + 1]
    deal["status"] = "stopped"
    deal.pop("claimed", None)
    data.pop("claimed", None)
    data["status"] = "excerpt"
    return data


def plays_of(data: Data) -> list[int]:
    """The places of the plays."""
    return [place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] == "play"]


def seats_of(data: Data) -> list[str]:
    """The seats that play."""
    return [player["seat"] for player in data["players"]]


def rows_of(data: Data) -> list[list[int]]:
    """The places of the plays, trick by trick."""
    plays = plays_of(data)
    many = len({data["deals"][0]["events"][place]["by"] for place in plays})
    return [plays[start : start + many] for start in range(0, len(plays), many)]


def pack_of(data: Data) -> tuple[str, ...]:
    """The pack."""
    game = compose(games.find(data["game"]), data.get("options", {}))[0]
    return game.pack(len(data["players"])).cards


ACTS: dict[str, Callable[[Data, Random], bool]] = {}


def act(function: Callable[[Data, Random], bool]) -> Callable[[Data, Random], bool]:
    """An act under its function's name."""
    ACTS[function.__name__] = function
    return function


def _other_card(data: Data, place: int, rng: Random, characters: int) -> bool:
    event = data["deals"][0]["events"][place]
    card = event["card"]
    near = [c for c in pack_of(data) if len(c) == len(card) and sum(a != b for a, b in zip(c, card, strict=True)) == characters]
    if not near:
        return False
    event["card"] = rng.choice(near)
    return True


@act
def card(data: Data, rng: Random) -> bool:
    """One character of a card played is misread."""
    return _other_card(data, rng.choice(plays_of(data)), rng, 1)


@act
def card_both(data: Data, rng: Random) -> bool:
    """Both characters of a card played are misread."""
    return _other_card(data, rng.choice(plays_of(data)), rng, 2)


@act
def play_lost(data: Data, rng: Random) -> bool:
    """A play is passed over."""
    del data["deals"][0]["events"][rng.choice(plays_of(data)[:-1])]
    return True


@act
def play_doubled(data: Data, rng: Random) -> bool:
    """A play is written twice, one after the other."""
    events = data["deals"][0]["events"]
    place = rng.choice(plays_of(data))
    events.insert(place + 1, deepcopy(events[place]))
    return True


@act
def last_row(data: Data, rng: Random) -> bool:
    """A card of the last row is not written."""
    row = rows_of(data)[-1]
    del data["deals"][0]["events"][rng.choice(row)]
    return True


@act
def row_lost(data: Data, rng: Random) -> bool:
    """A whole row is passed over."""
    row = rng.choice(rows_of(data))
    for place in reversed(row):
        del data["deals"][0]["events"][place]
    return True


@act
def name(data: Data, rng: Random) -> bool:
    """The seat at one card is misread."""
    event = data["deals"][0]["events"][rng.choice(plays_of(data))]
    event["by"] = rng.choice([seat for seat in seats_of(data) if seat != event["by"]])
    return True


def _swap(data: Data, one: int, other: int) -> bool:
    events = data["deals"][0]["events"]
    events[one]["card"], events[other]["card"] = events[other]["card"], events[one]["card"]
    return one != other


@act
def plays_in_row(data: Data, rng: Random) -> bool:
    """Two cards of a row change places."""
    return _swap(data, *rng.sample(rng.choice(rows_of(data)), 2))


@act
def plays_across(data: Data, rng: Random) -> bool:
    """Two cards of different seats and different rows change places."""
    events, rows = data["deals"][0]["events"], rows_of(data)
    if len(rows) < 2:
        return False
    one, other = (rng.choice(row) for row in rng.sample(rows, 2))
    return events[one]["by"] != events[other]["by"] and _swap(data, one, other)


@act
def own_plays_across(data: Data, rng: Random) -> bool:
    """Two cards of one seat in different rows change places."""
    events, plays = data["deals"][0]["events"], plays_of(data)
    one = rng.choice(plays)
    others = [place for place in plays if events[place]["by"] == events[one]["by"] and place != one]
    return bool(others) and _swap(data, one, rng.choice(others))


@act
def transposed(data: Data, rng: Random) -> bool:
    """A play of a row is written before or after its turn."""
    events, row = data["deals"][0]["events"], rng.choice(rows_of(data))
    one, other = rng.sample(range(len(row)), 2)
    if row[-1] - row[0] >= len(row):
        return False
    event = events.pop(row[one])
    events.insert(row[other], event)
    return True


def _slide(data: Data, row: list[int], shift: int) -> None:
    seats, events = seats_of(data), data["deals"][0]["events"]
    for place in row:
        if events[place]["by"] in seats:
            events[place]["by"] = seats[(seats.index(events[place]["by"]) + shift) % len(seats)]


@act
def rows(data: Data, rng: Random) -> bool:
    """One to four rows slide, each by its own number of columns."""
    found = rows_of(data)
    for row in rng.sample(found, min(len(found), rng.randrange(1, 5))):
        _slide(data, row, rng.randrange(1, len(seats_of(data))))
    return True


@act
def row_reversed(data: Data, rng: Random) -> bool:
    """The cards of a row are written in reverse under the seats."""
    events, row = data["deals"][0]["events"], rng.choice(rows_of(data))
    cards = [events[place]["card"] for place in row]
    for place, token in zip(row, reversed(cards), strict=True):
        events[place]["card"] = token
    return True


@act
def rows_exchanged(data: Data, rng: Random) -> bool:
    """Two rows change places."""
    events, found = data["deals"][0]["events"], rows_of(data)
    if len(found) < 2:
        return False
    one, other = rng.sample(found, 2)
    if len(one) != len(other):
        return False
    for a, b in zip(one, other, strict=True):
        events[a], events[b] = events[b], events[a]
    return True


def _hands(data: Data) -> dict[str, list[str]]:
    found: dict[str, list[str]] = data["deals"][0].get("hands", {})
    return found


@act
def turned(data: Data, rng: Random) -> bool:
    """All hands stand one or more seats on."""
    hands, seats = _hands(data), seats_of(data)
    if len(hands) < len(seats) or len(seats) < 3:
        return False
    shift = rng.randrange(1, len(seats))
    data["deals"][0]["hands"] = {seat: hands[seats[(i + shift) % len(seats)]] for i, seat in enumerate(seats)}
    return True


@act
def hands(data: Data, rng: Random) -> bool:
    """Two hands change places."""
    found = _hands(data)
    if len(found) < 2:
        return False
    one, other = rng.sample(sorted(found), 2)
    found[one], found[other] = found[other], found[one]
    return True


@act
def hand_lacks(data: Data, rng: Random) -> bool:
    """A card of a hand is left out."""
    found = _hands(data)
    if not found:
        return False
    hand = found[rng.choice(sorted(found))]
    hand.pop(rng.randrange(len(hand)))
    return bool(hand)


@act
def hand_long(data: Data, rng: Random) -> bool:
    """A card too many stands in a hand."""
    found = _hands(data)
    if not found:
        return False
    hand = found[rng.choice(sorted(found))]
    hand.append(rng.choice([token for token in pack_of(data) if token not in hand]))
    return True


@act
def hand_card(data: Data, rng: Random) -> bool:
    """A card of a hand is misread."""
    found = _hands(data)
    if not found:
        return False
    hand = found[rng.choice(sorted(found))]
    place = rng.randrange(len(hand))
    near = [c for c in pack_of(data) if c not in hand and sum(a != b for a, b in zip(c, hand[place], strict=False)) == 1]
    if not near:
        return False
    hand[place] = rng.choice(near)
    return True


@act
def hand_given(data: Data, rng: Random) -> bool:
    """A card is given to the wrong hand."""
    found = _hands(data)
    if len(found) < 2:
        return False
    one, other = rng.sample(sorted(found), 2)
    found[other].append(found[one].pop(rng.randrange(len(found[one]))))
    return bool(found[one])


@act
def suits(data: Data, rng: Random) -> bool:
    """The suits of a hand stand in each other's places."""
    found = _hands(data)
    if not found:
        return False
    seat = rng.choice(sorted(found))
    letters = sorted({token[1] for token in pack_of(data) if token[1] in "CDHS"})
    order = letters[:]
    while order == letters:
        rng.shuffle(order)
    to = dict(zip(letters, order, strict=True))
    right = found[seat]
    wrong = [token[0] + to.get(token[1], token[1]) + token[2:] for token in right]
    found[seat] = wrong
    return {*wrong} != {*right} and {*wrong} <= {*pack_of(data)}


@act
def suit(data: Data, rng: Random) -> bool:
    """One suit of two hands changes places."""
    found = _hands(data)
    if len(found) < 2:
        return False
    one, other = rng.sample(sorted(found), 2)
    letter = rng.choice("CDHS")
    mine, theirs = ([token for token in found[seat] if token[1] == letter] for seat in (one, other))
    found[one] = [token for token in found[one] if token not in mine] + theirs
    found[other] = [token for token in found[other] if token not in theirs] + mine
    return len(mine) + len(theirs) > 2


@act
def hand_cards(data: Data, rng: Random) -> bool:
    """A card of each of two hands change places."""
    found = _hands(data)
    if len(found) < 2:
        return False
    one, other = (found[seat] for seat in rng.sample(sorted(found), 2))
    a, b = rng.randrange(len(one)), rng.randrange(len(other))
    one[a], other[b] = other[b], one[a]
    return True


@act
def hand(data: Data, rng: Random) -> bool:
    """A hand is misprinted as a whole."""
    found = _hands(data)
    if not found:
        return False
    seat = rng.choice(sorted(found))
    right = found[seat]
    found[seat] = rng.sample(pack_of(data), len(right))
    return {*found[seat]} != {*right}


@act
def sheet(data: Data, rng: Random) -> bool:
    """A number or a winner is written wrong."""
    claimed = data["deals"][0].get("claimed", {})
    kinds = [kind for kind in ("tricks", "scores", "winners") if claimed.get(kind)]
    if not kinds:
        return False
    kind = rng.choice(kinds)
    if kind == "winners":
        place = rng.randrange(len(claimed["winners"]))
        claimed["winners"][place] = rng.choice([s for s in seats_of(data) if s != claimed["winners"][place]])
        return True
    seat = rng.choice(sorted(claimed[kind]))
    claimed[kind][seat] += rng.choice((1, 2))
    return True


@act
def call(data: Data, rng: Random) -> bool:
    """The mode of a call is misread."""
    events = data["deals"][0]["events"]
    places = [place for place, event in enumerate(events) if event["do"] == "bid" and re.fullmatch(CALL, str(event["bid"]))]
    if not places:
        return False
    event = events[rng.choice(places)]
    number, mode, mark = re.fullmatch(CALL, event["bid"]).groups()  # type: ignore[union-attr]
    event["bid"] = number + rng.choice([other for other in MODES if other != mode]) + mark
    return True


def _calls(data: Data) -> list[int]:
    return [place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] == "bid"]


@act
def call_other(data: Data, rng: Random) -> bool:
    """A call is written for another that somebody made, or a number for the next."""
    events, places = data["deals"][0]["events"], _calls(data)
    if not places:
        return False
    event = events[rng.choice(places)]
    known = [events[place]["bid"] for place in places]
    event["bid"] = event["bid"] + 1 if isinstance(event["bid"], int) else rng.choice(known)
    return True


@act
def call_lost(data: Data, rng: Random) -> bool:
    """A call is passed over."""
    places = _calls(data)
    if len(places) < 2:
        return False
    del data["deals"][0]["events"][rng.choice(places)]
    return True


@act
def call_doubled(data: Data, rng: Random) -> bool:
    """A call is written twice, one after the other."""
    events, places = data["deals"][0]["events"], _calls(data)
    if not places:
        return False
    place = rng.choice(places)
    events.insert(place + 1, deepcopy(events[place]))
    return True


@act
def call_seat(data: Data, rng: Random) -> bool:
    """A call is written under another seat's name."""
    events, places = data["deals"][0]["events"], _calls(data)
    if not places:
        return False
    event = events[rng.choice(places)]
    event["by"] = rng.choice([seat for seat in seats_of(data) if seat != event["by"]])
    return True


@act
def contract(data: Data, rng: Random) -> bool:
    """The strain of the contract, or who declares, is misread."""
    for event in data["deals"][0]["events"]:
        if event["do"] == "contract":
            if rng.randrange(2):
                event["bid"] = rng.choice([strain for strain in ("C", "D", "H", "S", "NT") if strain != event["bid"]])
            else:
                event["by"] = rng.choice([seat for seat in seats_of(data) if seat != event["by"]])
            return True
    return False


@act
def dealer(data: Data, rng: Random) -> bool:
    """The dealer is misread."""
    deal = data["deals"][0]
    if "dealer" not in deal:
        return False
    deal["dealer"] = rng.choice([seat for seat in seats_of(data) if seat != deal["dealer"]])
    return True


@act
def heading(data: Data, rng: Random) -> bool:
    """The heading of the play names another seat than the one that led."""
    deal = data["deals"][0]
    first = deal["events"][plays_of(data)[0]]["by"]
    deal["leader"] = rng.choice([seat for seat in seats_of(data) if seat != first])
    return True


@act
def turn_up(data: Data, rng: Random) -> bool:
    """A card turned is misread."""
    turned = [place for place, event in enumerate(data["deals"][0]["events"]) if event["do"] == "turn"]
    return bool(turned) and _other_card(data, rng.choice(turned), rng, 1)


#: Acts that can be read at sight, and how they may be told: keys of the table of acts, or codes that say the same.
TOLD: dict[str, set[str]] = {
    "card": {"card", "card-both"},
    "card_both": {"card", "card-both"},
    "play_lost": {"play-lost", "PLY005"},
    "play_doubled": {"play-doubled"},
    "last_row": {"play-lost", "PLY005"},
    "row_lost": {"play-lost", "PLY005"},
    "name": {"name"},
    "plays_in_row": {"plays-in-row"},
    "plays_across": {"plays-across"},
    "own_plays_across": {"plays-across"},
    "transposed": {"transposed"},
    "rows": {"rows"},
    "row_reversed": {"rows", "plays-in-row"},
    "rows_exchanged": {"rows-exchanged"},
    "turned": {"turned", "hands"},
    "hands": {"hands", "turned"},
    "hand_lacks": {"hand-card"},
    "hand_long": {"hand-card"},
    "hand_card": {"hand-card"},
    "hand_given": {"hand-card"},
    "suits": {"suits"},
    "suit": {"suit", "hand-cards"},
    "hand_cards": {"hand-cards"},
    "hand": {"hand"},
    "sheet": {"SCO", "TRK"},
    "call": {"call"},
    "call_other": {"call"},
    "call_lost": {"call"},
    "call_doubled": {"call"},
    "call_seat": {"call"},
    "contract": {"contract"},
    "dealer": {"dealer"},
    "heading": {"heading"},
    "turn_up": {"turn-up", "dealers-card"},
}

#: Those for which nine of ten are to be told, with the hands known.
AT_SIGHT = (
    *("rows", "row_reversed", "turned", "hands", "hand_lacks", "hand_long", "hand_card", "hand_given"),
    *("suits", "suit", "hand_cards", "play_lost", "play_doubled", "sheet", "call"),
)


def plants(key: str, act_name: str, many: int, hands: bool, claims: bool, whole: bool = True) -> Iterator[tuple[Data, Record]]:
    """So many records of a game with one act planted, and the truth that they were made of."""
    rng = Random(f"{key} {act_name} {hands} {claims} {whole}")
    made = 0
    for seed in range(many * 20):
        truth = dealt(key, seed)
        if truth is None or not plays_of(truth):
            continue
        truth = without(truth if whole else cut(truth, rng), hands, claims)
        data = deepcopy(truth)
        if not ACTS[act_name](data, rng) or data == truth:
            continue
        yield truth, Record.model_validate(data)
        made += 1
        if made == many:
            return


def spoilt(rng: Random) -> Data | None:
    """Any deal with up to four acts of the pen, with hands and claims or without, and plays with names or without; or none."""
    truth = dealt(rng.choice(sorted(TABLES)), rng.randrange(40))
    if truth is None or not plays_of(truth):
        return None
    data = without(truth, hands=rng.random() < 0.6, claims=rng.random() < 0.6)
    for act_name in rng.sample(sorted(ACTS), rng.randrange(1, 5)):
        with suppress(IndexError, ValueError):  # after other acts there may be nothing left to do it to
            ACTS[act_name](data, rng)
    for place in plays_of(data) if rng.random() < 0.2 else ():
        data["deals"][0]["events"][place].pop("by")
    return data


def deeds(key: str, many: int, hands: bool, claims: bool, whole: bool = True) -> Iterator[tuple[Finding, Record]]:
    """So many records of a game in which a player did something against a rule, each with what a record of all of it shows."""
    rng = Random(f"{key} {hands} {claims} {whole}")
    game = games.find(key)
    codes = [*sorted({rule.code for rule in game.play_rules}), "PLY004"]
    made = 0
    for seed in range(many * 20):
        code = codes[seed % len(codes)]
        data = dealt(key, seed, inject=code)
        if data is None:
            continue
        told = next(each for each in referee.check(Record.model_validate(data), games.find).faults if each.code == code)
        yield told, Record.model_validate(without(data if whole else cut(data, rng), hands, claims))
        made += 1
        if made == many:
            return
