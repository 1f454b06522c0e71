"""A rule obeyed where it was broken: a record with one fault, and the smallest change by which the rule is kept.

Each way to mend is tried until the referee finds the rule broken no more, and nothing else wrong. Where a rule is about whole
deals or games, or about what somebody did wrong before, another deal is taken under the same options.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

from handrec import games
from handrec.dealing import deal_game
from handrec.dealing.deals import as_it_lay
from handrec.findings import Finding, Rule, Verdict
from handrec.game import Game, compose
from handrec.record import Record
from handrec.referee import check
from handrec.repair import applied, derivable
from handrec.writing import plain

Data = dict[str, Any]
#: A way in which a record may be mended, and the pointer at which it shows that the rule is kept.
Way = tuple[Data, str]


def at(data: Any, pointer: str) -> Any:
    """What stands at a JSON Pointer."""
    for part in pointer.split("/")[1:]:
        data = data[int(part)] if isinstance(data, list) else data[part]
    return data


def put(data: Data, pointer: str, value: Any) -> Data:
    """A copy of the record with another value at a pointer."""
    data = deepcopy(data)
    parent, name = pointer.rsplit("/", 1)
    holder = at(data, parent)
    holder[int(name) if isinstance(holder, list) else name] = value
    return data


def _deal_of(data: Data, pointer: str) -> Data:
    deal: Data = data["deals"][int(pointer.split("/")[2])]
    return deal


def _game(data: Data) -> Game:
    game = games.find(data["game"])
    assert game is not None
    return game


def _composed(data: Data) -> Game:
    return compose(_game(data), data.get("options", {}))[0]


# --- ways to mend ---------------------------------------------------------------------------------------------------


def due(data: Data, finding: Finding) -> Iterator[Way]:
    """What is due is written instead of what is; and if that is not enough, what follows from it too."""
    value = finding.facts["due"]
    for each in (value, int(value)) if isinstance(value, str) and value.isdigit() else (value,):
        yield put(data, finding.pointer, each), finding.pointer
    yield from as_follows(data, finding)


def as_follows(data: Data, finding: Finding) -> Iterator[Way]:
    """What follows from the rest of the record is written."""
    record = Record.model_validate(data)
    yield plain(applied(record, derivable(record, _game(data)))), finding.pointer


def other_card(data: Data, finding: Finding) -> Iterator[Way]:
    """Another card of the pack that the deal has not, where this one stands, and where the same seat plays it."""
    deal, card = _deal_of(data, finding.pointer), at(data, finding.pointer)
    for other in _missing(data, deal):
        mended = put(data, finding.pointer, other)
        for event in _deal_of(mended, finding.pointer)["events"]:
            if event.get("card") == card and event.get("by") == finding.seat:
                event["card"] = other
        yield mended, finding.pointer


def card_more(data: Data, finding: Finding) -> Iterator[Way]:
    """A card that the deal lacks is in the hand, or lies there."""
    for card in _missing(data, _deal_of(data, finding.pointer)):
        yield put(data, finding.pointer, [*at(data, finding.pointer), card]), finding.pointer


def _missing(data: Data, deal: Data) -> list[str]:
    pack = _composed(data).pack(len(data["players"])).cards
    held = {card for cards in (*deal.get("hands", {}).values(), *deal.get("aside", {}).values()) for card in cards}
    return [card for card in pack if card not in held]


def player_less(data: Data, finding: Finding) -> Iterator[Way]:
    """One player less."""
    yield put(data, finding.pointer, data["players"][:-1]), finding.pointer


def pack_as_it_lay(data: Data, finding: Finding) -> Iterator[Way]:
    """The pack is the one from which the hands come."""
    where = finding.pointer.rsplit("/", 2)[0]
    deal, seats = at(data, where), [player["seat"] for player in data["players"]]
    size = len(at(data, finding.pointer))
    dealing = _composed(data).dealt(seats, seats.index(deal["dealer"]), size)
    yield put(data, f"{where}/pack", as_it_lay(deal, seats, dealing)), finding.pointer


def share_less(data: Data, finding: Finding) -> Iterator[Way]:
    """A claim gives somebody a trick less."""
    for seat, tricks in at(data, finding.pointer).items():
        yield put(data, f"{finding.pointer}/{seat}", tricks - 1), finding.pointer


def left_out(data: Data, finding: Finding) -> Iterator[Way]:
    """What the game does not know does not happen; what does stands there."""
    mended = deepcopy(data)
    _, _, deal, _, place = finding.pointer.split("/")
    del mended["deals"][int(deal)]["events"][int(place)]
    yield mended, finding.pointer


def never_called(data: Data, finding: Finding) -> Iterator[Way]:
    """The call that is taken back is not made."""
    _, _, deal, _, place = finding.pointer.split("/")
    mended = deepcopy(data)
    del mended["deals"][int(deal)]["events"][int(place) - 1 : int(place) + 1]
    yield mended, f"/deals/{deal}/events/{int(place) - 1}"


def passes_in_front(data: Data, finding: Finding) -> Iterator[Way]:
    """The calls in front, which are passes, are written down."""
    mended, seats = deepcopy(data), [player["seat"] for player in data["players"]]
    seat, events = seats.index(finding.facts["due"]), _deal_of(mended, finding.pointer)["events"]
    while seats[seat % 4] != finding.facts["by"]:
        events.insert(seat - seats.index(finding.facts["due"]), {"do": "bid", "by": seats[seat % 4], "bid": "pass"})
        seat += 1
    yield mended, finding.pointer


def last_taken_back(data: Data, finding: Finding) -> Iterator[Way]:
    """The card that was played last is taken back, and played again."""
    _, _, deal, _, place = finding.pointer.split("/")
    mended = deepcopy(data)
    events = mended["deals"][int(deal)]["events"]
    played = events[int(place) - 1]
    events[int(place)]["card"] = played["card"]
    events.insert(int(place) + 1, dict(played))
    yield mended, f"/deals/{deal}/events/{int(place) + 1}"


def drunk(data: Data, finding: Finding) -> Iterator[Way]:
    """The drink is taken."""
    mended = deepcopy(data)
    events = at(mended, finding.pointer)["events"]
    events.append({"do": "announce", "by": finding.seat, "what": "sips", "count": finding.facts["due"]})
    yield mended, f"{finding.pointer}/events/{len(events) - 1}"


def earlier_trick(data: Data, finding: Finding) -> Iterator[Way]:
    """The claim is of another trick."""
    for trick in range(1, 14):
        yield put(data, f"{finding.pointer}/trick", trick), finding.pointer


def by_the_first(data: Data, finding: Finding) -> Iterator[Way]:
    """Books are taken by who claimed them first."""
    yield put(data, finding.pointer, finding.facts["first"]), finding.pointer


def reneged(data: Data, finding: Finding) -> Iterator[Way]:
    """Somebody does renege, and is accused before the next lead; books are taken for it where that is what was wrong."""
    for clean in _dealt(data, [1], "REV001"):
        revoke = check(Record.model_validate(clean), games.find).findings[0]
        events, place = clean["deals"][0]["events"], int(revoke.pointer.split("/")[4])
        by = next(player["seat"] for player in clean["players"] if player["seat"] != revoke.seat)
        said: list[Data] = [{"do": "accuse", "by": by, "of": revoke.seat, "trick": revoke.trick}]
        if finding.code == "CLM007":
            said.append({"do": "transfer", "by": by, "of": revoke.seat, "tricks": 1})
        end = next(spot for spot in range(place, len(events)) if _trick_over(clean, spot))
        events[end + 1 : end + 1] = said
        clean["deals"][0].pop("claimed", None)
        yield clean, f"/deals/0/events/{end + len(said)}"


def _trick_over(data: Data, spot: int) -> bool:
    plays = [event for event in data["deals"][0]["events"][: spot + 1] if event["do"] == "play"]
    return len(plays) % len(data["players"]) == 0


def _dealt(data: Data, numbers: list[int] | None, inject: str | None = None) -> Iterator[Data]:
    players, options = len(data["players"]), data.get("options")
    for seed in range(20):
        yield plain(deal_game(_game(data), players, seed, options=options, numbers=numbers, inject=inject))


def other_deal(data: Data, finding: Finding) -> Iterator[Way]:
    """The deal of the same number, with as many cards as are due."""
    for clean in _dealt(data, [finding.deal or 1]):
        yield clean, "/deals/0/cards"


def next_deal(data: Data, finding: Finding) -> Iterator[Way]:
    """Two deals that follow each other."""
    first = finding.deal - 1 if finding.deal else 1
    for clean in _dealt(data, [first, first + 1]):
        yield clean, "/deals/1/dealer"


def whole_game(data: Data, finding: Finding) -> Iterator[Way]:
    """A game that is whole."""
    for record in _dealt(data, None):
        yield record, "/deals"


WAYS: dict[str, Callable[[Data, Finding], Iterator[Way]]] = {
    "BID031": never_called,
    "BID033": passes_in_front,
    "BID032": left_out,
    "CLM001": share_less,
    "CLM002": reneged,
    "CLM006": earlier_trick,
    "CLM007": reneged,
    "CLM008": by_the_first,
    "DEA001": other_card,
    "DEA002": other_card,
    "DEA003": card_more,
    "DEA004": player_less,
    "DEA005": other_deal,
    "DEA006": next_deal,
    "DEA008": pack_as_it_lay,
    "PLY007": left_out,
    "PLY008": last_taken_back,
    "SCO005": whole_game,
    "TRK004": as_follows,
    "SCO006": drunk,
}

#: Rules that the same remark, or a revoke made for it, does not break.
REMARKS = ("REV001", "CLM002")


def kept(rule: Rule, finding: Finding, verdict: Verdict) -> bool:
    """Whether a record keeps a rule and breaks no other; an accusation is told as it is, right or wrong."""
    if rule.code == "CLM002":
        return any(each.facts.get("upheld") for each in verdict.findings)
    if any((each.code, each.rule) == (rule.code, rule.id) for each in verdict.findings):
        return False
    return all(each.severity == "info" or each.code in REMARKS for each in verdict.findings)


def mended(rule: Rule, record: Record, finding: Finding) -> tuple[Record, str]:
    """A record in which the rule is kept where it was broken, and where that shows; LookupError if there is no way to it."""
    for data, pointer in WAYS.get(rule.code, due)(plain(record), finding):
        found = Record.model_validate(data)
        if kept(rule, finding, check(found, games.find)):
            return found, pointer
    raise LookupError(f"no way to mend {rule.id} {rule.code}")


# --- in words -------------------------------------------------------------------------------------------------------


def words(record: Record, pointer: str, finding: Finding) -> str:
    """What a record says at a pointer, in a few words."""
    data, parts, facts = plain(record), pointer.split("/")[1:], finding.facts
    value = at(data, pointer)
    if parts[0] == "players":
        return f"{len(value)} players"
    if parts == ["deals"]:
        return f"{len(value)} deal{'s' * (len(value) > 1)}, and the game is complete"
    if parts[:2] == ["claimed", "winners"]:
        totals = (data["claimed"].get("totals") or data["deals"][-1]["claimed"].get("totals") or {}).items()
        best = [f"{seat} {total}" for seat, total in totals]
        return f"{' and '.join(value)} won; totals {', '.join(best)}" if len(best) < 8 else f"{' and '.join(value)} won"
    if parts[:2] == ["claimed", "totals"]:
        return f"{parts[2]}'s total is {value} in the end"
    deal = data["deals"][int(parts[1])]
    match parts[2:]:
        case ["claimed", "scores", seat]:
            return f"{seat} bid {facts['bid']}, took {facts['tricks']} and scores {value} ({facts['lines']})"
        case ["claimed", "sides", side, "score"]:
            return f"{side} has {facts['tricks']} tricks in {facts['bid']} and scores {value} ({facts['lines']})"
        case ["claimed", "totals", seat]:
            return f"{seat}'s total is {value} ({facts['sum']})"
        case ["claimed", "tricks", seat]:
            return f"{seat} took {value} tricks"
        case ["claimed", "bids", seat]:
            return f"{seat}'s bid is written down as {value}"
        case ["claimed", "trump"]:
            return f"{shown(deal)}trump is written down as {value}"
        case ["claimed", "winners"]:
            return f"{len(value)} tricks were won, by {' '.join(value)}"
        case ["claimed", "winners", trick]:
            return f"{value} won trick {int(trick) + 1} with {facts['card']}"
        case ["leader"]:
            return f"the dealer is {deal['dealer']}, the leader {value}"
        case ["dealer"] if "board" in deal:
            return f"board {deal['board']}: the dealer is {value}"
        case ["dealer"]:
            return f"the dealers of two deals are {' and '.join(each['dealer'] for each in data['deals'])}"
        case ["vulnerable"]:
            return f"board {deal['board']}: vulnerable is {value}"
        case ["number"]:
            return f"the deals are numbered {' '.join(str(each['number']) for each in data['deals'])}"
        case ["cards"]:
            return f"{value} cards a hand"
        case [("hands" | "aside") as group, name, *_]:
            cards = deal[group][name]
            held = f"{name} holds {len(cards)} cards: {' '.join(cards)}"
            return f"from the pack {' '.join(deal['pack'][:8])} … {held}" if finding.code == "DEA008" else held
    raise AssertionError(f"no words for {pointer}")


def shown(deal: Data) -> str:
    """What makes trump, as far as an event shows it."""
    turned = [event["card"] for event in deal["events"] if event["do"] == "turn"][:4]
    called = [event["bid"] for event in deal["events"] if event["do"] in ("contract", "bid")][-1:]
    called = [call for call in called if isinstance(call, str)]
    return f"{' '.join(turned)} turned, " if turned else f"after {called[0]}, " if called else ""
