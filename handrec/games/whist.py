"""Whist: two against two, the last card dealt makes trump, and each trick above six is a point.

Source: the game as it is commonly played; nobody wrote it first, and tables differ. Where they do, an option names the choice.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from handrec import rulebook
from handrec.cards import FRENCH_52
from handrec.findings import Citation, Work
from handrec.game import Game, Line, Notation, Option, Statement, reached, with_rule
from handrec.masks import pick
from handrec.phases.tricks import Tricks
from handrec.phases.turn_up import LastDealt, suit_turned

SOURCE = Work("Whist", "traditional", "the rules as commonly published, in our own words")
stands = partial(Citation, SOURCE)

# --- the rules ------------------------------------------------------------------------------------------------------

RULES = (
    rulebook.PLAYERS.of("WH-1", stands("players"), "Four play, those opposite each other together."),
    rulebook.CARD_FOREIGN.of("WH-1", stands("players"), "The pack has the usual 52 cards."),
    rulebook.DEALER.of("WH-2", stands("deal"), "The deal passes to the left."),
    rulebook.DEALT_ORDER.of("WH-2", stands("deal"), "Cards are dealt one by one, clockwise from the dealer's left, until all are out."),
    rulebook.TURNED.of("WH-3", stands("trump"), "The last card dealt, the dealer's own, is shown to all before the first lead."),
    rulebook.TRUMP.of("WH-3", stands("trump"), "The suit of the card shown is trump."),
    rulebook.FIRST_LEADER.of("WH-4", stands("play"), "The dealer's left leads to the first trick."),
    rulebook.WRONG_LEADER.of("WH-4", stands("play"), "The dealer's left leads to the first trick, the winner of each trick to the next."),
    rulebook.OUT_OF_TURN.of("WH-4", stands("play"), "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("WH-5", stands("play"), "Follow the suit led if you can; otherwise play any card."),
    rulebook.WINNER.of("WH-6", stands("play"), "The highest trump wins the trick, or else the highest card of the suit led."),
    rulebook.TRICK_COUNT.of("WH-7", stands("score"), "Partners count the tricks that either of them won."),
    rulebook.TOTAL.of("WH-9", stands("game"), "The points of each deal are added to those of the side."),
    rulebook.ends_at(5, "WH-9", stands("game", "house")),
    rulebook.GAME_WINNER.of("WH-9", stands("game"), "The side with more points wins."),
)  # fmt: skip

DEFINITIONS = (
    Statement("WH-10", "Nobody has to beat a card, or to trump.", stands("play")),
    Statement("WH-11", "Honours are not counted.", stands("score", "house")),
)

# --- the score ------------------------------------------------------------------------------------------------------

ODD = rulebook.scores("WH-8", stands("score"), "Each trick above six that a side takes scores it a point.")

# --- the options ----------------------------------------------------------------------------------------------------

OPTIONS = (
    Option(
        "target", 5, "The points that end the game: 5 in short whist, 7 in American, 10 in long.", stands("game", "house"),
        lambda game, points: replace(with_rule(game, rulebook.ends_at(points, "WH-9", stands("game", "house"))), over=reached(points)),
        accepts=lambda value: type(value) is int and 1 <= value <= 1_000_000, form="a number of points from 1", examples=(7, 10),
    ),
)  # fmt: skip

NOTATION = Notation(
    (
        ("turn QD", "the dealer's last card, which is shown and makes trump; `turn ?D` where only its suit is known"),
        ("1 N JC 5H 5C KD", "trick 1: who led, and the cards in turn"),
        ("withdraw E 5H", "a card taken back before the next one"),
        ("claim S  N 0  E 0  S 2  W 0", "who takes how many of the tricks that are left"),
        ("side NS tricks 8 score 2", "the sheet, by sides; so too `winners`, `tricks` and `totals` of players"),
    )
)

GAME = Game(
    key="whist",
    title="Whist",
    summary="Two against two; the last card dealt makes trump; each trick above six is a point, five points the game.",
    source=SOURCE,
    players=(4,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 13,
    aside=lambda players, cards: {},
    phases=(LastDealt(), Tricks()),
    order=suit_turned,
    rules=RULES,
    definitions=DEFINITIONS,
    score=(Line("odd", ODD, lambda hand: pick(hand.tricks > 6, hand.tricks - 6, 0)),),
    over=reached(5),
    options=OPTIONS,
    notation=NOTATION,
    partners=True,
)
