"""Hearts: pass three cards, then take no hearts and not the queen of spades; or else take them all.

Source: the game for four as it is commonly played; nobody wrote it first, and tables differ. Where they do, an option says how.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52, RANKS, Order, by_suit
from handrec.findings import Citation, Rule, Work
from handrec.game import Game, Line, Notation, Option, lowest_total, reached, with_phase, with_rule, without_rule
from handrec.masks import pick, prefer, when
from handrec.phases.passing import Passing, Taken
from handrec.phases.tricks import HolderOf, Tricks

SOURCE = Work("Hearts", "traditional", "the rules as commonly published, in our own words")
stands = partial(Citation, SOURCE)

# --- pack, ranks ----------------------------------------------------------------------------------------------------

HEARTS, CLUBS, QUEEN, DEUCE = FRENCH_52.suit("H"), FRENCH_52.suit("C"), FRENCH_52.mask(["QS"]), FRENCH_52.mask(["2C"])
WORTH = {**{f"{rank}H": 1 for rank in RANKS}, "QS": 13}


@cache
def order(breaking: int) -> Order:
    """No suit beats another; the cards marked as trumps are those by which hearts are broken."""
    return replace(Order.of(FRENCH_52, "NT", by_suit()), trumps=breaking)


# --- the rules ------------------------------------------------------------------------------------------------------

DEUCE_LED = Rule(
    "REV006", "first-lead", "L4", "The two of clubs is led to the first trick.",
    "{seat} led {card} to the first trick while holding {could}",
    id="HE-5", citation=stands("play"), on="play",
    narrow=lambda v, legal: when(v.leading & v.first, prefer(legal & DEUCE, legal), legal),
)  # fmt: skip
NO_POINTS = Rule(
    "REV007", "points-on-first-trick", "L4", "No heart and not the queen of spades is played to the first trick, unless nothing else is held.",
    "{seat} played {card} to the first trick while holding {could}",
    id="HE-8", citation=stands("play"), on="play",
    narrow=lambda v, legal: when(v.first, prefer(legal & ~(HEARTS | QUEEN), legal), legal),
)  # fmt: skip
BROKEN = rulebook.TRUMPS_BROKEN.of(
    "HE-6", stands("play"), "Hearts are not led before one was played to an earlier trick, unless nothing else is held.",
    says="{seat} led {card} before hearts were broken while holding {could}",
    narrow=lambda v, legal: when(v.leading & ~v.broken, prefer(legal & ~HEARTS, legal), legal),
)  # fmt: skip
QUEEN_SPARED = replace(BROKEN, narrow=lambda v, legal: when(v.leading & ~v.broken, when(legal & ~(HEARTS | QUEEN), legal & ~HEARTS, legal), legal))  # fmt: skip
CLUB_LED = replace(DEUCE_LED, sentence="A club is led to the first trick.", narrow=lambda v, legal: when(v.leading & v.first, prefer(legal & CLUBS, legal), legal))  # fmt: skip

RULES = (
    rulebook.PLAYERS.of("HE-1", stands("players"), "Four play, each for themselves."),
    rulebook.CARD_FOREIGN.of("HE-1", stands("players"), "The pack has the usual 52 cards."),
    rulebook.DEALER.of("HE-2", stands("deal"), "The deal passes to the left."),
    rulebook.DEALT_ORDER.of("HE-2", stands("deal"), "Cards are dealt one by one, clockwise from the dealer's left, until all are out."),
    rulebook.TRUMP.of("HE-3", stands("play"), "There is no trump."),
    Rule(
        "PLY009", "pass", "L3", "Before the play everybody passes three cards, unseen what comes: to the left, then right, then across, then none.",
        "{seat} passed {many} cards to {to}, where {due} were due",
        id="HE-4", citation=stands("passing"), judged_by="the passing of cards",
    ),
    rulebook.FIRST_LEADER.of("HE-5", stands("play"), "Whoever holds the two of clubs leads to the first trick."),
    rulebook.WRONG_LEADER.of("HE-5", stands("play"), "The winner of each trick leads to the next."),
    DEUCE_LED,
    BROKEN,
    rulebook.OUT_OF_TURN.of("HE-7", stands("play"), "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("HE-7", stands("play"), "Follow the suit led if you can; otherwise play any card."),
    NO_POINTS,
    rulebook.WINNER.of("HE-9", stands("play"), "The highest card of the suit led wins the trick."),
    rulebook.TOTAL.of("HE-12", stands("game"), "The points of each deal are added to the player's total."),
    rulebook.ends_at(100, "HE-12", stands("game")),
    rulebook.GAME_WINNER.of("HE-12", stands("game"), "When the game ends, the lowest total wins; equal totals share."),
)  # fmt: skip

TAKEN = rulebook.scores("HE-10", stands("score"), "Each heart taken scores a point, the queen of spades thirteen; points are bad.")  # fmt: skip
MOON = rulebook.scores("HE-11", stands("score"), "Whoever takes all hearts and the queen of spades scores nothing, and everybody else 26.")  # fmt: skip
JACK = rulebook.scores("HE-14", stands("score", "house"), "Whoever takes the jack of diamonds scores ten points less.")
NO_TRICKS = rulebook.scores("HE-15", stands("score", "house"), "Whoever takes no trick scores five points less, unless one took all points.")  # fmt: skip

SCORE = (
    Line("points", TAKEN, lambda hand: pick(hand.all_points, 0, hand.points)),
    Line("moon", MOON, lambda hand: pick(hand.all_points, pick(hand.points == 26, 0, 26), 0)),
)
WITH_JACK = Line("jack", JACK, lambda hand: -10 * hand.jack)
WITHOUT_TRICKS = Line("no_tricks", NO_TRICKS, lambda hand: pick(hand.all_points, 0, pick(hand.tricks == 0, -5, 0)))

#: How many seats to the left cards are passed, deal by deal.
WAYS: Mapping[str, tuple[int, ...]] = {"left_right_across_none": (1, 3, 2, 0), "left": (1,), "none": (0,)}


def also(line: Line, *phases: Taken) -> Callable[[Game, Any], Game]:
    """The game with another line of its score."""
    return lambda game, _: replace(game, score=(*game.score, line), phases=(*game.phases, *phases))


def choice(part: str, key: str, sentence: str, apply: Callable[[Game, Any], Game], *choices: Any) -> Option:
    """An option of which the first choice is the usual one."""
    return Option(key, choices[0], sentence, stands(part, "house"), apply, choices=choices)


OPTIONS = (
    choice("passing", "passing", "Which way cards are passed, deal by deal, if they are passed at all.", lambda game, way: with_phase(game, Passing, ways=WAYS[way]), *WAYS),
    choice("play", "first_lead", "Whoever holds the two of clubs leads it, or any club.", lambda game, _: with_rule(game, CLUB_LED), "two_of_clubs", "any_club"),
    choice("play", "queen_breaks", "The queen of spades breaks hearts too.", lambda game, _: replace(game, order=lambda sight: order(HEARTS | QUEEN)), False, True),
    choice("play", "queen_alone", "Whoever holds but hearts and the queen of spades must lead her while hearts are not broken, or need not.", lambda game, _: with_rule(game, QUEEN_SPARED), "led", "spared"),
    choice("play", "hearts_broken", "Hearts must be broken before they are led.", lambda game, _: without_rule(game, "REV005"), True, False),
    choice("play", "first_trick", "Whether points may be played to the first trick.", lambda game, _: without_rule(game, "REV007"), "no_points", "free"),
    choice("score", "jack_of_diamonds", "The jack of diamonds is worth ten points less to whoever takes it.", also(WITH_JACK, Taken("jack", {"JD": 1})), False, True),
    choice("score", "no_tricks", "To take no trick is worth five points less.", also(WITHOUT_TRICKS), False, True),
    Option(
        "target", 100, "The points that end the game.", stands("game", "house"), lambda game, points: replace(with_rule(game, rulebook.ends_at(points, "HE-12", stands("game"))), over=reached(points)),
        accepts=lambda value: type(value) is int and 1 <= value <= 1_000_000, form="a number of points from 1", examples=(50,),
    ),
)  # fmt: skip

NOTATION = Notation(
    (
        ("exchange N to E 9H QS 2C", "the cards that a player passes, before the first lead; `??` for those not known"),
        ("1 N 2C 5C JC 7C", "trick 1: who led, and the cards in turn"),
        ("withdraw E 5C", "a card taken back before the next one"),
        ("claim S  N 0  E 0  S 2  W 0", "who takes how many of the tricks that are left"),
        ("tricks N 4  E 0  S 2  W 7", "the sheet; so too `scores`, `totals` and `winners`"),
    )
)

GAME = Game(
    key="hearts",
    title="Hearts",
    summary="Pass three cards, then take no hearts and not the queen of spades, or all of them; lowest total wins.",
    source=SOURCE,
    players=(4,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 13,
    aside=lambda players, cards: {},
    phases=(Passing(ways=WAYS["left_right_across_none"]), Tricks(HolderOf("2C")), Taken("points", WORTH)),
    order=lambda sight: order(HEARTS),
    rules=RULES,
    score=SCORE,
    over=reached(100),
    winners=lowest_total,
    options=OPTIONS,
    notation=NOTATION,
)
