"""Killer Back Alley Bridge Substitute: bid your tricks exactly, with two jokers on top of trump and a ladder of hands.

Source: Bob Vesterman's page of that name, by his own account possibly misremembered. Rule ids follow its sections.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_54, SUITS, Order, by_suit
from handrec.findings import Citation, Rule, Standing, Work
from handrec.game import Game, Line, Notation, Option, Sight, Standings, Statement, highest_total, with_phase, with_rule
from handrec.masks import count, highest, pick, prefer, when
from handrec.phases.bids import Bids
from handrec.phases.conduct import Conduct
from handrec.phases.sips import Sips
from handrec.phases.tricks import Tricks
from handrec.phases.turn_up import TurnUp

SOURCE = Work(
    "Killer Back Alley Bridge Substitute",
    "Bob Vesterman",
    "vesterman.com/KillerBackAlleyBridgeSubstitute, as potentially misremembered",
    "https://vesterman.com/KillerBackAlleyBridgeSubstitute",
)


def stands(section: str, standing: Standing = "stated") -> Citation:
    """The citation of a section of the source."""
    return Citation(SOURCE, f"section {section}", standing)


# --- pack, ladder, ranks --------------------------------------------------------------------------------------------

BIG_JOKER = FRENCH_54.mask(["BJ"])


def _down(players: int) -> tuple[int, ...]:
    return tuple(range(len(FRENCH_54) // players, 0, -1))


def _up(players: int) -> tuple[int, ...]:
    return _down(players)[::-1]


@cache
def _full(players: int) -> tuple[int, ...]:
    return _down(players) + _up(players)


@cache
def _ranks(trump: str) -> Order:
    """Jokers top the trump suit; without one they are a suit of their own, and still trumps."""
    suits = [(*cards, "LJ", "BJ") if suit == trump else cards for suit, cards in zip(SUITS, by_suit(), strict=True)]
    if trump == "NT":
        return Order.of(FRENCH_54, trump, [*suits, ("LJ", "BJ")], trump=len(SUITS))
    return Order.of(FRENCH_54, trump, suits, trump=SUITS.index(trump))


def order(sight: Sight) -> Order | None:
    """The suit of the card turned is trump; no card left over, or a joker turned, is no-trump."""
    if sight.undealt <= 0:
        return _ranks("NT")
    if not sight.turned or sight.turned[0][1] not in SUITS + "J":
        return None
    suit = sight.turned[0][1]
    return _ranks("NT" if suit == "J" else suit)


def aside(players: int, cards: int) -> Mapping[str, int]:
    """One card of those left over is turned up, the others stay unseen."""
    left = len(FRENCH_54) - players * cards
    return {"turnup": min(left, 1), "stock": max(left - 1, 0)}


# --- the rules ------------------------------------------------------------------------------------------------------


def _uneven(bid: Any) -> Any:
    """A rainbow without as many cards of each of the four suits, jokers counting as trumps."""
    share = bid.cards // 4
    uneven = bid.cards < 0
    for suit in bid.suits[:4]:
        uneven = uneven | (count(bid.hand & suit) != share)
    return bid.words["rainbow"] & ((bid.cards % 4 != 0) | (bid.whole & uneven))


RULES = (
    rulebook.PLAYERS.of("KB-1.2", stands("1.2"), "One to 54 players play, each for themselves."),
    rulebook.CARD_FOREIGN.of("KB-1.3", stands("1.3"), "The pack has 54 cards: the usual 52, a Big Joker and a Little Joker."),
    rulebook.SHEET_BID.of("KB-1.4", stands("1.4"), "The scorecard shows each player's bid of each hand."),
    rulebook.TRICK_COUNT.of("KB-1.4", stands("1.4"), "The scorecard shows the tricks that each player took."),
    rulebook.TOTAL.of("KB-1.4", stands("1.4"), "The scorecard shows each player's running total, less any penalty points."),
    rulebook.DEALER.of("KB-2.1", stands("2"), "After the first hand, the player to the left of the last dealer deals."),
    rulebook.DEALT_ORDER.of("KB-2.2", stands("2"), "Cards are dealt one by one, clockwise from the dealer's left; the next one is turned."),
    rulebook.LADDER.of(
        "KB-2.3", stands("2"), "Hands begin as large as the pack allows, shrink by one card to a single card, and grow back from one."
    ),
    rulebook.GAME_END.of("KB-2.3", stands("2"), "The game is over when the ladder of hands has been climbed."),
    rulebook.TURNED.of("KB-3.1", stands("3"), "If cards are left over after the deal, the top one is turned up before the bidding."),
    rulebook.TRUMP.of("KB-3.1", stands("3"), "The suit of the card turned is trump; a joker turned, or no card left over, means no trump."),
    rulebook.BID_TURN.of("KB-4.1", stands("4.1"), "The dealer's left bids first, then clockwise; the dealer bids last."),
    rulebook.BID_TWICE.of("KB-4.1", stands("4.1")),
    rulebook.BID_MISSING.of("KB-4.1", stands("4.1")),
    rulebook.BID_LATE.of("KB-4.1", stands("4.1")),
    rulebook.BID_VALUE.of("KB-4.1", stands("4.1"), "A bid is a whole number from none to all the tricks of the hand, or board, or rainbow."),
    Rule(
        "BID004", "bid-eligibility", "L3", "A rainbow takes a hand with equally many cards of all four suits, jokers counted as trumps.",
        "{seat} bid rainbow on {cards} cards without equally many of each suit: {held}",
        id="KB-4.3", citation=stands("4.3"), on="bid", check=_uneven, needs_hand=("rainbow",),
    ),
    Rule(
        "BID003", "bid-sum", "L3", "The dealer may not bid so that all bids add up to the number of tricks, in any form of bid.",
        "{seat} dealt and bid {bid}, which with the other bids{others} makes exactly {cards}",
        id="KB-4.4", citation=stands("4.1, 4.2, 4.3"), on="bids", check=lambda bid: bid.value + bid.others == bid.cards,
    ),
    rulebook.WRONG_LEADER.of("KB-5.1", stands("5"), "The dealer's left leads to the first trick, the winner of each trick to the next."),
    rulebook.FIRST_LEADER.of("KB-5.1", stands("5"), "The dealer's left leads to the first trick."),
    rulebook.OUT_OF_TURN.of("KB-5.1", stands("5"), "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("KB-5.2", stands("5"), "Follow the suit led if you can, jokers counting as trumps; otherwise play any card."),
    Rule(
        "REV002", "big-joker", "L4", "When the Big Joker is led, everybody who has a trump plays the highest one.",
        "{seat} played {card} on the Big Joker while holding {could}",
        id="KB-5.3", citation=stands("5"), on="play",
        narrow=lambda v, legal: when(v.lead & BIG_JOKER, prefer(highest(legal & v.trumps), legal), legal),
    ),
    rulebook.WINNER.of("KB-5.7", stands("5"), "The highest trump wins, jokers above all; without a trump, the highest card of the suit led."),
    rulebook.GAME_WINNER.of("KB-7", stands("7"), "The highest total after the last hand wins; equal totals share."),
    rulebook.ACCUSATION.of("KB-5.9", stands("5"), "Whoever suspects a renege may accuse; older tricks may be looked at to settle it."),
    rulebook.RULING.of("KB-5.9", stands("5"), "An accusation is confirmed or refuted by the cards that were played."),
    rulebook.PENALTY_NOTE.of("KB-5.9", stands("5"), "Renege and false accusation may cost points: 37 are suggested, the table decides."),
    rulebook.PENALTY_SIZE.of("KB-5.9", stands("5"), "Renege and false accusation cost 37 points, if the table agreed on that."),
    rulebook.SIPS.of("KB-8.2", stands("8.2")),
)  # fmt: skip

DEFINITIONS = (
    Statement("KB-3.2", "With a trump suit both jokers belong to it; without, they are a suit of their own.", stands("3, 5")),
    Statement("KB-4.2", "Board is a bid to take every trick; it counts as the number of cards.", stands("4.2")),
    Statement("KB-4.5", "With one card each, the dealer must bid none if nobody bid, and may not bid none if one trick is bid.", stands("4.1", "inferred")),
    Statement("KB-4.6", "Alone, a player is the dealer, takes every trick, may not bid them all, and so always misses.", stands("1.2, 4.1", "inferred")),
    Statement("KB-5.4", "A Little Joker that is led is followed like any trump; nobody has to play high or low.", stands("5", "inferred")),
    Statement("KB-5.5", "On any other trump led, it is enough to follow suit.", stands("5", "inferred")),
    Statement("KB-5.6", "Who cannot follow may play any card, and need not trump.", stands("5")),
    Statement("KB-5.8", "Looking at the last trick is free; looking further back is for settling an accusation.", stands("5")),
    Statement("KB-6.4", "Bids never add up to the tricks, so somebody misses in every hand.", stands("6.4")),
    Statement("KB-8.4", "A half-game goes only down the ladder, or only up.", stands("8.4")),
    Statement("KB-8.3", "The squared scores may be the game's Cutthroat form, and linear ones the real game: the author is unsure.", stands("8.3", "uncertain")),
)  # fmt: skip

# --- the score ------------------------------------------------------------------------------------------------------


EXACT = rulebook.SCORE.of(
    "KB-6.1", stands("6.1"), "A bid made exactly scores 10 and its square; one missed costs the square of the difference."
)
BOARD = rulebook.SCORE.of("KB-6.2", stands("6.2"), "A board scores as any bid, and 25 more if made, 25 less if missed.")
RAINBOW = rulebook.SCORE.of(
    "KB-6.3", stands("6.3"), "A rainbow scores as any bid, and 20 more if made, but nothing less if missed."
)

SCORE = (
    Line("made", EXACT, lambda hand: pick(hand.tricks == hand.value, 10 + hand.value * hand.value, 0)),
    Line("missed", EXACT, lambda hand: -((hand.tricks - hand.value) * (hand.tricks - hand.value))),
    Line("board", BOARD, lambda hand: pick(hand.tricks == hand.value, 25, -25), kind="board"),
    Line("rainbow", RAINBOW, lambda hand: pick(hand.tricks == hand.value, 20, 0), kind="rainbow"),
)

LINEAR_MADE = Line("made", EXACT, lambda hand: pick(hand.tricks == hand.value, 10 + hand.value, 0))
LINEAR_MISSED = Line("missed", EXACT, lambda hand: -abs(hand.tricks - hand.value))


def exactly_37(standing: Standings) -> tuple[int, ...]:
    """Everybody with exactly 37 points wins; if nobody has, the highest total."""
    return tuple(place for place, total in enumerate(standing.totals) if total == 37) or highest_total(standing)


# --- the options ----------------------------------------------------------------------------------------------------


def _ultimate(game: Game, _: Any) -> Game:
    won = rulebook.GAME_WINNER.of(
        "KB-8.1", stands("8.1"), "Whoever ends with exactly 37 points wins; if nobody does, the highest total."
    )
    return replace(with_rule(game, won), winners=exactly_37)


def _sips(value: Any) -> bool:
    return value is None or (
        isinstance(value, dict)
        and all(re.fullmatch(r"[1-9][0-9]?", size, re.ASCII) for size in value)
        and all(type(sips) is int and 1 <= sips <= 1000 for sips in value.values())
    )


OPTIONS = (
    Option(
        "ladder", "full", "Hands go down and up again, or only down, or only up.", stands("2, 8.4"),
        lambda game, value: replace(game, cards={"down": _down, "up": _up}[value]),
        choices=("full", "down", "up"),
    ),
    Option(
        "scoring", "square", "Bids and misses count squared, or as they are.", stands("6.1, 8.3", "uncertain"),
        lambda game, _: replace(game, score=(LINEAR_MADE, LINEAR_MISSED, *game.score[2:])),
        choices=("square", "linear"),
    ),
    Option(
        "linear_miss", "linear", "With linear scoring, misses count as they are, or still squared.", stands("8.3", "house"),
        lambda game, _: replace(game, score=(game.score[0], *SCORE[1:])),
        choices=("linear", "square"),
    ),
    Option(
        "ultimate", False, "Exactly 37 points at the end win the game.", stands("8.1"), _ultimate,
        choices=(False, True),
    ),
    Option(
        "tie", "shared", "Equal totals share the game, or play off for it.", stands("7", "house"),
        lambda game, _: replace(game, tie_break=True), choices=("shared", "play_off"),
    ),
    Option(
        "renege_penalty", "as_recorded", "Penalties are of any size, or always 37 points.", stands("5"),
        lambda game, value: with_phase(game, Conduct, fixed=True), choices=("as_recorded", 37),
    ),
    Option(
        "big_joker_forces", "highest_trump", "What a led Big Joker forces from the others.", stands("5"),
        lambda game, _: game, choices=("highest_trump",),
    ),
    Option(
        "sips", None, "The sips agreed for a missed bid, by how many tricks it is missed.", stands("8.2"),
        lambda game, value: with_phase(game, Sips, agreed=value),
        accepts=_sips, form='a mapping such as {"1": 1, "2": 3}', examples=({"1": 1, "2": 3},),
    ),
)  # fmt: skip

NOTATION = Notation(
    lines=(
        (
            "turn QD",
            "the card turned up, which makes trump; `turn ?D` where only its suit is known; no line where no card is left",
        ),
        ("bid N 0  E 1  S board", "a number of tricks, `board` or `rainbow`, the dealer last; or `bid N: 0 1 board` in turn"),
        ("1 N JC 5H 5C KD", "trick 1: who led, and the cards in turn; after a card, ! for one that was doubted"),
        ("withdraw E 5H", "a card taken back before the next one"),
        ("accuse N of E trick 1", "a renege is claimed; what came of it: `ruling E upheld trick 1`, or rejected, or undecided"),
        ("penalty E 37 for renege", "points off a player's total"),
        ("sips N 2", "who drinks, and how many"),
        ("tricks N 0  E 0  S 0  W 2", "the sheet; so too `winners`, `scores`, `totals`, `trump`, and `claimed bids N 0  E 1`"),
    ),
    example="""\
%hrt 1
game kbabs
seats N=Ann E=Bo S=Cy W=Di
status excerpt

deal 12 dealer W
hand N 6H JC
hand E JH 5H
hand S 4S 5C
hand W KD 6D
turn QD
bid N 0  E 1  S 2  W 0
1 N JC 5H 5C KD
2 W 6D 6H JH! 4S
note @ Bo wanted to lead
tricks N 0  E 0  S 0  W 2
scores N 10  E -1  S -4  W -4
""",
)

GAME = Game(
    key="kbabs",
    title="Killer Back Alley Bridge Substitute",
    summary="Bid your tricks exactly; 54 cards, jokers above all trumps, hands from the largest down to one card and back.",
    source=SOURCE,
    players=tuple(range(1, 55)),
    pack=lambda players: FRENCH_54,
    cards=_full,
    aside=aside,
    phases=(
        TurnUp(),
        Bids(
            named={"board": lambda cards: cards, "rainbow": lambda cards: None if cards % 4 else cards // 4},
            promises={"rainbow": lambda cards, suits: () if cards % 4 else (cards // 4,) * 4},
        ),
        Tricks(),
        Conduct(suggested=37),
        Sips(),
    ),
    order=order,
    rules=RULES,
    definitions=DEFINITIONS,
    score=SCORE,
    winners=highest_total,
    options=OPTIONS,
    notation=NOTATION,
)  # fmt: skip
