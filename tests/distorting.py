"""Records of the known games, right and distorted, for the fuzzer: `tests.spoiling` puts them down, and spoils the bytes.

All of it is made of tables, and of nothing but a `Random`: the same seed gives the same record.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from copy import deepcopy
from random import Random
from typing import Any

from pydantic import ValidationError

from handrec import writing
from handrec.dealing import CannotDeal, deal_game
from handrec.record import KINDS, OWN, Record
from handrec.ruling.laws import LAWS
from handrec.sides import side_of
from tests import planting, sieving
from tests.dealing import FAULTS, GAMES, WHOLE, any_options, everything, some_deals

Data = dict[str, Any]
Change = Callable[[Data, Random], object]

# --- values -----------------------------------------------------------------------------------------------------------

#: Texts by which a page, a table, a terminal or a workflow would be taken over, if they came through.
TEXTS = (
    *("<b>fuzz</b>", "</script><b>fuzz</b>", "]]><b>fuzz</b>", "\x1b[31mfuzz", "\u202efuzz", "fuzz\u200b", "\x07", "\0"),
    *("::error::fuzz", "\n::error::fuzz", "%0A::error::fuzz", "=fuzz()", "+fuzz", "@fuzz", "|fuzz", "[f](javascript:fuzz)"),
    *("{trick}", "{0.__class__}", "%s%d", "\\", '"', "'", "`", "", " ", "é", "🂡", "e\u0301", "\ufeff", "\u2028", "\r\nfuzz"),
    *("x" * 1000, "x" * 1001),
)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


#: What may stand for a card, for a bid, and for anything.
CARDS = _words("? ?? ?S T? AS 10D ♠A as RS DHm XX BJ LJ")
BIDS = _words("board rainbow Hx2 turnip turnipx2 0NT 7NTxx 3H 4Sm 3NTs 2AT pass x xx X XX ? S NT 1.0 17")
WORDS = (*CARDS, *BIDS, *_words("constructor __proto__ self _ - complete stopped claimed excerpt 2026-02-31 N bastard 0 P-3"))
WORDS += ("S" * 16, "S" * 17)
NUMBERS = (0, 1, -1, 2, 3, 7, 13, 14, 52, 54, 255, 256, 257, 999, 1000, 1001, -1000, 4096, 4097, 20_000, 10**6, 10**9, -(10**9))
NUMBERS += (10**9 + 1, 2**31, 2**53 - 1, 2**53, 2**63, 2**64, 10**400)
ODD: tuple[Any, ...] = (None, True, False, 1.5, 1e300, [], {}, [[]], {"": {}}, [None], ["AS"], ["AS", "AS"], {"N": 1}, {"N": []})

#: What is announced, and why points are taken.
SAID = ("mechoune", "choune", "bemo", "big_bemo", "guess", "look", "sips", "renege", "fuzz")

FEW: dict[str, tuple[str, ...]] = {
    "verdict": ("upheld", "rejected", "undecided"),
    "marked": ("revoke", "lead"),
    "what": SAID,
    "reason": SAID,
}


def any_value(rng: Random) -> Any:
    """Any value that can stand in JSON."""
    return deepcopy(rng.choice(rng.choice((TEXTS, WORDS, NUMBERS, ODD))))


def a_seat(data: Data, rng: Random) -> str:
    """A seat of the table; now and then one that nobody has."""
    seats = [player["seat"] for player in data["players"]]
    return str(rng.choice(seats if rng.random() < 0.9 else ["ZZ", "bastard", "0", "E", "-"]))


def a_card(data: Data, rng: Random) -> str:
    """A card of the game; now and then one of another, or one that nobody saw."""
    return str(rng.choice(planting.pack_of(data) if rng.random() < 0.9 else CARDS))


#: A value of each kind that a field of an event can have.
OF: dict[str, Callable[[Data, Random], Any]] = {
    "seat": a_seat,
    "card": a_card,
    "word": lambda data, rng: rng.choice(SAID),
    "name": lambda data, rng: rng.choice(["kitty", "widow", "stack", "stock", "N"]),
    "text": lambda data, rng: rng.choice(TEXTS),
    "number": lambda data, rng: rng.choice(NUMBERS[:22]),
    "flag": lambda data, rng: rng.random() < 0.7,
    "bid": lambda data, rng: rng.choice([rng.randrange(14), rng.choice(BIDS)]),
    "cards": lambda data, rng: [a_card(data, rng) for _ in range(rng.randrange(4))],
    "shares": lambda data, rng: {a_seat(data, rng): rng.choice([0, 1, 2, 13, 1000]) for _ in range(rng.randrange(4))},
}


def a_side(data: Data, rng: Random) -> str:
    """A side of the table; now and then one that is none."""
    seats = [player["seat"] for player in data["players"]]
    return (
        side_of(rng.sample(seats, min(2, len(seats))), seats)
        if rng.random() < 0.8
        else rng.choice(["none", "all", "NX", "SN", "A+B"])
    )


def an_event(data: Data, rng: Random) -> Data:
    """Any event that the record can have."""
    do = rng.choice(OWN)
    event: Data = {"do": do}
    for name, value in KINDS[do].values.items():
        if KINDS[do].model.model_fields[name].is_required() or rng.random() < 0.4:
            event[name] = rng.choice(FEW[name]) if name in FEW else OF[value](data, rng)
    data["version"] = "1.1"
    return event


# --- distortions of a record ------------------------------------------------------------------------------------------


def a_deal(data: Data, rng: Random) -> Data:
    """One of the deals."""
    deal: Data = rng.choice(data["deals"])
    return deal


def holders(part: Any) -> list[tuple[Any, Any]]:
    """Everything that stands in plain data, as what holds it and under which key."""
    inside = list(part.items()) if isinstance(part, dict) else list(enumerate(part)) if isinstance(part, list) else []
    return [found for key, value in inside for found in [(part, key), *holders(value)]]


def drop(data: Data, rng: Random) -> None:
    """Anything is left out."""
    holder, key = rng.choice(holders(data))
    del holder[key]


def double(data: Data, rng: Random) -> None:
    """An item of a list stands twice."""
    holder, key = rng.choice([pair for pair in holders(data) if isinstance(pair[0], list)])
    holder.insert(rng.choice([key, rng.randrange(len(holder) + 1)]), deepcopy(holder[key]))


def move(data: Data, rng: Random) -> None:
    """An item of a list stands elsewhere."""
    holder, key = rng.choice([pair for pair in holders(data) if isinstance(pair[0], list)])
    item = holder.pop(key)
    holder.insert(rng.randrange(len(holder) + 1), item)


def swap(data: Data, rng: Random) -> None:
    """Any two things of a kind change places."""
    pairs = holders(data)
    one, at = rng.choice(pairs)
    other, there = rng.choice([(h, k) for h, k in pairs if type(h[k]) is type(one[at])])
    one[at], other[there] = deepcopy(other[there]), deepcopy(one[at])


def replace(data: Data, rng: Random) -> None:
    """Anything is any value."""
    holder, key = rng.choice(holders(data))
    holder[key] = any_value(rng)


def retype(data: Data, rng: Random) -> None:
    """A number is text, text a list, and so on."""
    holder, key = rng.choice(holders(data))
    holder[key] = rng.choice([str, lambda value: [value], lambda value: {"N": value}, lambda value: len(str(value))])(holder[key])


def rename(data: Data, rng: Random) -> None:
    """A field, or whose something is, has another name."""
    holder, key = rng.choice([pair for pair in holders(data) if isinstance(pair[0], dict)])
    holder[rng.choice([*WORDS, *TEXTS, *(other for part, other in holders(data) if isinstance(part, dict))])] = holder.pop(key)


def empty(data: Data, rng: Random) -> None:
    """A list, or what is by seat, has nothing in it."""
    rng.choice([holder[key] for holder, key in holders(data) if isinstance(holder[key], list | dict)]).clear()


def empty_hands(data: Data, rng: Random) -> None:
    """Some hands, or all, are empty."""
    hands = a_deal(data, rng).setdefault("hands", {})
    for player in data["players"]:
        if rng.random() < rng.choice([0.3, 1]):
            hands[player["seat"]] = []


def no_hands(data: Data, rng: Random) -> None:
    """A hand, or all, or what is set aside, is not recorded."""
    deal = a_deal(data, rng)
    what = rng.choice(["hands", "aside", "pack", "hand"])
    if what == "hand":
        del deal["hands"][rng.choice(sorted(deal["hands"]))]
    else:
        deal.pop(what)


def event(data: Data, rng: Random) -> None:
    """Something more happens."""
    events = a_deal(data, rng).setdefault("events", [])
    for _ in range(rng.choice([1, 1, 3])):
        events.insert(rng.randrange(len(events) + 1), an_event(data, rng))


def event_field(data: Data, rng: Random) -> None:
    """A field of an event has another value of its kind."""
    event = rng.choice(a_deal(data, rng)["events"])
    name, value = rng.choice(sorted(KINDS[event["do"]].values.items()))
    event[name] = rng.choice(FEW[name]) if name in FEW else OF[value](data, rng)


def unnamed(data: Data, rng: Random) -> None:
    """Plays, in all deals, do not say whose they are."""
    for deal in data["deals"]:
        for event in deal["events"]:
            if event["do"] == "play":
                event.pop("by", None)


def stranger(data: Data, rng: Random) -> None:
    """One thing that a seat did, or all of its kind, stands under a name that nobody has."""
    events = a_deal(data, rng)["events"]
    first = rng.choice([event for event in events if event.get("by")])
    name, all_ = rng.choice(["ZZ", "bastard", "0", "-"]), rng.random() < 0.5
    for event in events if all_ else [first]:
        if (event["do"], event.get("by")) == (first["do"], first["by"]):
            event["by"] = name


def stop(data: Data, rng: Random) -> None:
    """A deal breaks off, and says so or not."""
    deal = a_deal(data, rng)
    del deal["events"][rng.randrange(len(deal["events"])) :]
    deal["status"] = rng.choice(["complete", "claimed", "stopped", "in_progress"])


def option(data: Data, rng: Random) -> None:
    """An option has any value, or there is one that nobody knows."""
    game = planting.games.find(data["game"])
    assert game is not None
    key = rng.choice([*(option.key for option in game.options), "fuzz"])
    values = [value for option in game.options if option.key == key for value in option.values]
    data.setdefault("options", {})[key] = rng.choice([any_value(rng), rng.choice(values or [0])])


def other_game(data: Data, rng: Random) -> None:
    """It is another game."""
    data["game"] = rng.choice([*(game.key for game in GAMES), "fuzz"])


def players(data: Data, rng: Random) -> None:
    """More players, or fewer, or in another order."""
    table, what = data["players"], rng.randrange(4)
    if what == 0:
        table.append({"seat": rng.choice(["X", "bastard", "0", table[0]["seat"]])})
    elif what == 1:
        table.pop(rng.randrange(len(table)))
    elif what == 2:
        rng.shuffle(table)
    else:
        table += [{"seat": f"X{number}"} for number in range(rng.choice([3, 20, 60]))]


def names(data: Data, rng: Random) -> None:
    """Whoever sat there, whatever is said of it, and its id are any text."""
    for player in data["players"]:
        player["name"] = rng.choice(TEXTS)
    data["id"] = rng.choice(TEXTS)
    a_deal(data, rng)["comments"] = [{"text": rng.choice(TEXTS), "by": rng.choice(TEXTS), "event": rng.choice([1, 2, 20_000])}]
    data["provenance"] = {"source": rng.choice(TEXTS), "note": rng.choice(TEXTS)}


def claims(data: Data, rng: Random) -> None:
    """Numbers are claimed that nobody can have."""
    whose = rng.choice([data, a_deal(data, rng)])
    kind = rng.choice(
        ["totals", "winners", "sides"] if whose is data else ["trump", "bids", "winners", "tricks", "scores", "totals", "sides"]
    )
    seats = [a_seat(data, rng) for _ in range(rng.randrange(5))]
    value: Any = (
        rng.choice(BIDS) if kind == "trump" else seats if kind == "winners" else dict.fromkeys(seats, rng.choice(NUMBERS))
    )
    if kind == "sides":
        fields = ("tricks", "score", "imps", "matchpoints")
        value = {
            a_side(data, rng): {rng.choice(fields): rng.choice([*NUMBERS[:22], "2.5", "-0.10"])} for _ in range(rng.randrange(3))
        }
        data["version"] = "1.1"
    whose.setdefault("claimed", {})[kind] = value


def board(data: Data, rng: Random) -> None:
    """A deal is a board, somebody is vulnerable, a call was alerted."""
    deal = a_deal(data, rng)
    deal["board"] = rng.choice([deal.get("number", 1), *NUMBERS[:22]])
    deal["vulnerable"] = a_side(data, rng)
    deal.setdefault("comments", []).append(
        {"text": rng.choice(TEXTS), "event": rng.randrange(1, 9), "kind": rng.choice(["alert", "explanation"])}
    )
    data["version"] = "1.1"


def head(data: Data, rng: Random) -> None:
    """A number, a dealer, a leader, or how many cards there are."""
    deal, what = a_deal(data, rng), rng.choice(["number", "dealer", "leader", "cards", "status", "version"])
    if what == "version":
        data["version"] = rng.choice(["1.0", "1.1", "1.999", "1.2", "2.0"])
    elif what == "status":
        (rng.choice([data, deal]))["status"] = rng.choice(["complete", "stopped", "claimed", "in_progress", "excerpt"])
    else:
        deal[what] = a_seat(data, rng) if what in ("dealer", "leader") else rng.choice(NUMBERS[:22])


def deals(data: Data, rng: Random) -> None:
    """No deals, or one many times."""
    many = rng.choice([0, 2, 5])
    data["deals"] = [deepcopy(deal) for deal in data["deals"][:1] for _ in range(many)]


def laws(data: Data, rng: Random) -> None:
    """Laws of the house's own, in any shape, or what was mended."""
    stated = rng.choice([*LAWS, any_value(rng), {"name": "x", any_value(rng).__repr__()[:20]: any_value(rng)}])
    data.setdefault("extensions", {})[rng.choice(["handrec.laws", "handrec.fixes", "handrec.sources", "fuzz"])] = stated


#: What is done to a record; what leaves most of it standing comes more often.
CHANGES: tuple[Change, ...] = (
    *(drop, double, move, swap, replace, retype, rename, empty, empty_hands, no_hands, event, event, event_field, event_field),
    *(unnamed, stranger, stop, option, option, other_game, players, names, claims, claims, board, head, head, deals, laws),
    *(lambda data, rng: rng.choice(sieving.CHANGES)(data, a_deal(data, rng), rng) for _ in range(6)),
    *(lambda data, rng: rng.choice(list(planting.ACTS.values()))(data, rng) for _ in range(6)),
)


#: Of these, what can be done to any data.
ANYWHERE: tuple[Change, ...] = (drop, double, move, swap, replace, retype, rename, empty)


def distorted(data: Data, rng: Random, many: int, changes: Sequence[Change] = CHANGES) -> Data:
    """The record with so many changes; one for which there is no room, also after those before it, is none."""
    data = deepcopy(data)
    for _ in range(many):
        before = deepcopy(data)
        try:
            rng.choice(changes)(data, rng)
        except (LookupError, TypeError, ValueError, AttributeError, AssertionError):
            data = before
    return data


# --- records ----------------------------------------------------------------------------------------------------------


def dealt(rng: Random) -> tuple[Data, tuple[str, ...] | None]:
    """A record of any game under any options, with what must be found in it: nothing, or a fault that was planted."""
    game = rng.choice(GAMES)
    code = rng.choice([code for other, code in FAULTS if other is game and code not in WHOLE]) if rng.random() < 0.2 else None
    options = any_options(game, rng) if code is None else rng.choice(everything(game))
    few = [many for many in game.players if many < 8]
    players = rng.choice(few if rng.random() < 0.97 else game.players)
    short = isinstance(game.cards(players), int) and rng.random() < 0.05
    numbers = None if short else some_deals(game, players, options, rng, rng.choice([1, 1, 1, 2, 3]))
    seed = rng.randrange(10**6)
    try:
        record = deal_game(game, players, seed, options=options, numbers=numbers, inject=code)
    except CannotDeal:
        record, code = deal_game(game, players, seed, options=options, numbers=numbers), None
    return writing.plain(record), () if code is None else (code,)


def valid(data: Data) -> Record | None:
    """The record that plain data is, None if it is none."""
    try:
        return Record.model_validate_json(json.dumps(data))
    except (ValidationError, ValueError, RecursionError):
        return None
