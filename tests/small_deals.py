"""Random small deals for the proofs: ways to play taken from the games and put together, and deals played with faults."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from handrec.cards import FRENCH_54, Order, Pack
from handrec.findings import Rule
from handrec.game import compose
from handrec.games import find
from handrec.inference import by_game
from tests import brute
from tests.brute import Act, Deal, Hand, Laws

SEATS = "NESWB"
ARTISTS, COURT = "FMJRDCVNT", "RDCVFMJNT"
LOW_TWO, HIGH_TWO = "AKQJT98765432", "2AKQJT9876543"


@dataclass(frozen=True)
class Setting:
    """How a small deal is played: for the oracle as `laws`, for the proofs as rules and orders."""

    laws: Laws
    rules: tuple[Rule, ...]
    order: Callable[[int], Order]
    turned: tuple[str, ...] = ()
    nuisance: bool = False  # the last seat, bound by no rule, joins in from the second trick on
    settled: Callable[[int], Order] | None = None

    @property
    def pack(self) -> Pack:
        """All cards there are."""
        return self.order(1).pack


def of_game(key: str, laws: Laws, options: dict[str, Any] | None = None, nuisance: bool = False, **told: Any) -> Setting:
    """The way a game is played under some options."""
    game, wrong = compose(_found(key), options or {})
    assert not wrong
    terms = by_game(game, **told)
    return Setting(laws, terms["rules"], terms["order"], tuple(told.get("turned", ())), nuisance, terms["settled"])


def _found(key: str) -> Any:
    game = find(key)
    assert game is not None, key
    return game


def _rules(*codes: str) -> tuple[Rule, ...]:
    """Rules of different games put together, in order of precedence."""
    games = {"spades3": {"spades_broken": True}, "kbabs": {}, "batarde": {}}
    every = {rule.code: rule for key, options in games.items() for rule in compose(_found(key), options)[0].play_rules}
    return tuple(every[code] for code in codes)


def _ordered(trump: str, ranks: str) -> Order:
    """The pack of 54 with these ranks from high to low; jokers are trumps."""
    suits = [[rank + suit for rank in reversed(ranks)] + (["LJ", "BJ"] if suit == trump else []) for suit in "CDHS"]
    if trump == "NT":
        return Order.of(FRENCH_54, trump, [*suits, ["LJ", "BJ"]], 4)
    return Order.of(FRENCH_54, trump, suits, "CDHS".index(trump))


# --- the settings ---------------------------------------------------------------------------------------------------


def follow(rng: Random) -> Setting:
    if rng.random() < 0.5:
        return of_game("bugami", Laws())
    trump = rng.choice("SHDC")
    return of_game("bridge", Laws((trump,)), contract=trump)


def jokers(rng: Random) -> Setting:
    two = rng.choice(["low", "high"])
    return of_game("spades3", Laws(("S",), (LOW_TWO,), (HIGH_TWO,)), {"two_of_clubs": two})


def spades_broken(rng: Random) -> Setting:
    return of_game("spades3", Laws(("S",), (LOW_TWO,), (HIGH_TWO,), unbroken=1), {"spades_broken": True})


def big_joker(rng: Random) -> Setting:
    card = rng.choice("AKQ2") + rng.choice("SHDC")
    return of_game("kbabs", Laws((card[1],), big_joker=True), turned=[card])


def big_joker_no_trump(rng: Random) -> Setting:
    if rng.random() < 0.5:
        return of_game("kbabs", Laws(("NT",), big_joker=True), turned=[rng.choice(["LJ", "BJ"])])
    return of_game("kbabs", Laws(("NT",), big_joker=True), undealt=0)


def _batarde(rng: Random, modes: str, overruff: str, rise: str, twins: str = "", **told: Any) -> Setting:
    mode = rng.choice(modes.split())
    plain, trumps = rng.choice([(COURT, ARTISTS), ("TNJMFVCDR", "JMFRDCVNT")])
    laws = Laws((mode,), (plain,), (trumps,), twins, mode != "NT", rise if mode in "SHDC" else "always" if mode == "AT" else "")
    options = {"normal_order": plain, "trump_order": trumps, "overruff": overruff} | told.pop("options", {})
    return of_game("batarde", laws, options, contract=mode + told.pop("mark", ""), **told)


def must_rise(rng: Random) -> Setting:
    return _batarde(rng, "S H D C", "must_if_able", "always")


def overruff_free(rng: Random) -> Setting:
    return _batarde(rng, "S H D C", "free", "trumps")


def all_trumps(rng: Random) -> Setting:
    return _batarde(rng, "AT", "must_if_able", "always")


def no_trumps(rng: Random) -> Setting:
    return _batarde(rng, "NT", "must_if_able", "")


def twins(rng: Random) -> Setting:
    mark, which = rng.choice("ms"), rng.choice(["bid", "marked", "simple", "first_played", "last_played"])
    higher = {"bid": mark, "marked": "m", "simple": "s", "first_played": "first", "last_played": "last"}[which]
    overruff = rng.choice(["must_if_able", "free"])
    rise = "always" if overruff == "must_if_able" else "trumps"
    return _batarde(rng, "S H AT NT", overruff, rise, higher, mark=mark, players=5, options={"identical_cards": which})


def must_trump_only(rng: Random) -> Setting:
    trump = rng.choice("SHDC")
    laws = Laws((trump,), must_trump=True)
    return Setting(laws, _rules("REV001", "REV003"), lambda trick: _ordered(trump, LOW_TWO))


def trumps_unbroken(rng: Random) -> Setting:
    """Basic Bastard, its trump by three cards turned, and others whose trump holds for the hand."""
    turned = [rng.choice(LOW_TWO) + suit for suit in rng.choice(["SSS", "SHD", "HHC", "DSS"])]
    if rng.random() < 0.5:
        trump = turned[0][1] if len({card[1] for card in turned}) > 1 else "NT"
        options: dict[str, Any] = {"trump_break": "must_be_broken", "ultimate": rng.random() < 0.5}
        return of_game("bastard", Laws((trump,), unbroken=1), options, turned=turned)
    end, turned = rng.random() < 0.5, [turned[0], "3H", "KD", "2C", "AS"]
    options = {"trump_break": "must_be_broken", rng.choice(["ultra", "demon"]): True, "back_end": end}
    return of_game("bastard", Laws((turned[0][1],), unbroken=2 if end else 1), options, turned=turned)


def nuisance(rng: Random) -> Setting:
    """The Bastard's ranks and trumps change from trick to trick, and it plays as it likes."""
    options = {part: True for part in ("mega", rng.choice(["ultra", "demon"])) if rng.random() < 0.7} | {"nuisance": True}
    return of_game("bastard", Laws(), options, nuisance=True, turned=["7S", "KD", "2C", "AH", "3S"])


def changing_ranks(rng: Random) -> Setting:
    """Must trump and must rise, with another trump suit and other ranks in every trick."""
    trumps = tuple(rng.choice(["S", "H", "D", "C", "NT"]) for _ in range(4))
    ranks = tuple(rank + LOW_TWO.replace(rank, "") if rng.random() < 0.5 else LOW_TWO.replace(rank, "") + rank for rank in "7AK2")
    laws = Laws(trumps, ranks, ranks, must_trump=True, rise="always")
    orders = [_ordered(trump, high) for trump, high in zip(trumps, ranks, strict=True)]
    return Setting(laws, _rules("REV001", "REV003", "REV004"), lambda trick: orders[min(trick, 4) - 1])


def everything_at_once(rng: Random) -> Setting:
    trump = rng.choice("SHDC")
    laws = Laws((trump,), must_trump=True, big_joker=True, rise="always", unbroken=1)
    rules = _rules("REV005", "REV001", "REV003", "REV002", "REV004")
    return Setting(laws, rules, lambda trick: _ordered(trump, LOW_TWO))


SETTINGS = (
    follow, jokers, spades_broken, big_joker, big_joker_no_trump, must_rise, overruff_free, all_trumps, no_trumps, twins,
    must_trump_only, trumps_unbroken, nuisance, changing_ranks, everything_at_once,
)  # fmt: skip


# --- random deals ---------------------------------------------------------------------------------------------------


def random_deal(rng: Random, setting: Setting) -> Deal:
    """A deal of few cards in few suits, played card by card, now and then wrongly; sometimes with other oddities."""
    count = rng.choice([2, 2, 3, 3, 3, 4, 4, 5]) if not setting.nuisance else rng.choice([3, 4])
    seats = SEATS[:count]
    most = {2: 4, 3: 4, 4: 3, 5: 2}[count]
    size = rng.randint(1, most)
    sizes = dict.fromkeys(seats, size)
    if setting.nuisance:
        size = max(size, 2)
        sizes = dict.fromkeys(seats, size) | {seats[-1]: size - 1}
    elif rng.random() < 0.1:
        sizes = {seat: rng.randint(1, most) for seat in seats}
    stock = rng.randint(0, 4)
    cards = chosen_cards(rng, setting, sum(sizes.values()) + stock)
    rest, dealt = list(cards), dict[str, Hand]()
    for seat, many in sizes.items():
        dealt[seat], rest = frozenset(rest[:many]), rest[many:]
    free = frozenset(seats[-1:]) if setting.nuisance or rng.random() < 0.1 else frozenset[str]()
    turns = (count - 1, count) if setting.nuisance else ()
    known = {seat: hand for seat, hand in dealt.items() if rng.random() < 0.8}
    deal = Deal(setting.laws, tuple(sorted(cards)), sizes, (), known, free, turns)
    deal = replace(deal, acts=played(rng, deal, dealt, rest))
    return contradicted(rng, deal) if rng.random() < 0.05 else deal


def chosen_cards(rng: Random, setting: Setting, many: int) -> list[str]:
    """Some cards of the pack, shuffled; of few suits, jokers and trumps rather than others."""
    trump = setting.laws.trump[0]
    suits = {trump, *rng.sample("SHDC", rng.choice([1, 2, 2, 3]))}
    wanted = [card for card in setting.pack.cards if card[1] in suits or (card[1] == "J" and rng.random() < 0.8)]
    others = [card for card in setting.pack.cards if card not in wanted]
    ranks = rng.sample(sorted({card[0] for card in wanted}), min(len({card[0] for card in wanted}), rng.randint(4, 9)))
    first = [card for card in wanted if card[0] in ranks or card[1] == "J"]
    rng.shuffle(first)
    rng.shuffle(others)
    first.sort(key=lambda card: card[1] != "J")
    cards = (first + [card for card in wanted if card not in first] + others)[:many]
    rng.shuffle(cards)
    return cards


def played(rng: Random, deal: Deal, dealt: Mapping[str, Hand], rest: Sequence[str]) -> list[Act]:
    """Random events: promises, plays, cards of the stock turned, hands laid open, cards taken back."""
    seats, acts, left, stock = list(deal.sizes), list[Act](), {seat: set(hand) for seat, hand in dealt.items()}, list(rest)
    dummy, dummy_at = (rng.choice(seats), rng.randrange(1, 8)) if rng.random() < 0.2 else ("", 0)
    stop = rng.randrange(1, 16) if rng.random() < 0.3 else 99
    honest = rng.choice([0.7, 0.85, 0.85, 0.95])
    if rng.random() < 0.4 and stock:
        acts.append(Act("turn", None, (stock.pop(),)))
    for seat in seats:
        if rng.random() < 0.08 and seat not in deal.free:
            acts.append(Act("promise", seat, promised=promise(rng, deal, dealt[seat])))
    trick, leader, broken = 1, rng.choice(seats), False
    while len(acts) < stop:
        order = [*seats[seats.index(leader) :], *seats[: seats.index(leader)]]
        if deal.length(trick) < len(seats):
            order = [seat for seat in order if seat not in deal.free]
        if any(not left[seat] for seat in order):
            break
        table = list[str]()
        for seat in order:
            if len(acts) >= stop:
                break
            legal = brute.narrowed(deal.laws, trick, table, broken, frozenset(left[seat]))[-1][1]
            if rng.random() < 0.05 and stock:
                acts.append(Act("turn", None, (stock.pop(),)))
            if rng.random() < 0.06:
                acts.append(Act("withdrawn", seat, (rng.choice(sorted(left[seat])),)))
            table.append(rng.choice(sorted(legal if rng.random() < honest else left[seat])))
            left[seat].remove(table[-1])
            acts.append(Act("play", seat, (table[-1],)))
            if dummy and len(acts) >= dummy_at and left[dummy]:
                open_cards = sorted(left[dummy])
                acts.append(Act("open", dummy, tuple(open_cards if rng.random() < 0.7 else open_cards[:1])))
                dummy = ""
        broken = broken or any(brute.is_trump(card, deal.laws.trump_in(trick)) for card in table)
        trick, leader = trick + 1, rng.choice(seats)
    return acts


def promise(rng: Random, deal: Deal, hand: Hand) -> tuple[tuple[Hand, int], ...]:
    """A promise of so many cards of some suits, true more often than not."""
    suits = sorted({brute.suit(card, deal.laws.trump[0]) for card in deal.cards})
    groups = [frozenset(card for card in deal.cards if brute.suit(card, deal.laws.trump[0]) == suit) for suit in suits]
    if rng.random() < 0.6:
        return tuple((group, len(group & hand)) for group in groups)
    meant = [rng.choice(groups) for _ in hand]
    return tuple((group, meant.count(group)) for group in groups)


def contradicted(rng: Random, deal: Deal) -> Deal:
    """The deal with a record that contradicts itself: a card shown by two, or a hand that was not dealt so."""
    acts = list(deal.acts)
    plays = [place for place, act in enumerate(acts) if act.do == "play"]
    if rng.random() < 0.3:
        seat = rng.choice(list(deal.sizes))
        sizes = dict(deal.sizes) | {seat: max(1, deal.sizes[seat] + rng.choice([-1, -1, 1]))}
        hands = {other: hand for other, hand in deal.hands.items() if len(hand) == sizes[other]}
        return deal if sum(sizes.values()) > len(deal.cards) else replace(deal, sizes=sizes, hands=hands)
    if rng.random() < 0.6 and len(plays) > 1:
        first, second = rng.sample(plays, 2)
        if acts[first].seat != acts[second].seat:
            acts[second] = replace(acts[second], cards=acts[first].cards)
        return replace(deal, acts=acts)
    if len(deal.hands) > 1:
        first_seat, second_seat = rng.sample(list(deal.hands), 2)
        a, b = sorted(deal.hands[first_seat])[0], sorted(deal.hands[second_seat])[0]
        hands = dict(deal.hands) | {first_seat: deal.hands[first_seat] - {a} | {b}}
        if rng.random() < 0.7:
            hands[second_seat] = deal.hands[second_seat] - {b} | {a}
        return replace(deal, hands=hands)
    return deal


def random_case(seed: int) -> tuple[Setting, Deal]:
    """A setting and a deal, by a number."""
    rng = Random(seed)
    setting = SETTINGS[seed % len(SETTINGS)](rng)
    return setting, random_deal(rng, setting)
