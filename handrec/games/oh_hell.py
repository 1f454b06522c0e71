"""Oh Hell: bid exactly the tricks you will take, in hands that shrink to a single card and grow again.

Source: the game as it is commonly played; nobody wrote it first, and tables differ. Where they do, an option names the choice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52
from handrec.findings import Citation, Rule, Work
from handrec.game import Game, Line, Notation, Option, without_rule
from handrec.masks import pick
from handrec.phases.bids import Bids
from handrec.phases.tricks import Tricks
from handrec.phases.turn_up import TurnUp, suit_turned

SOURCE = Work("Oh Hell", "traditional", "the rules as commonly published, in our own words")
stands = partial(Citation, SOURCE)

# --- pack, hands, trump ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Ladder:
    """The cards a hand of each deal: ten at most, or as many as the pack has for all and a card to turn."""

    longest: int = 10
    form: str = "down_up"

    def __call__(self, players: int) -> tuple[int, ...]:
        """The schedule for so many players."""
        up = tuple(range(1, min(self.longest, (len(FRENCH_52) - 1) // players) + 1))
        down = up[::-1]
        return {"down_up": down + up[1:], "up_down": up + down[1:], "down": down, "up": up}[self.form]


# --- the rules ------------------------------------------------------------------------------------------------------

HOOK = Rule(
    "BID003", "bid-sum", "L3", "The dealer, who bids last, may not make the bids add up to the number of tricks.",
    "{seat} dealt and bid {bid}, which with the other bids{others} makes exactly {cards}",
    id="OH-6", citation=stands("bidding"), on="bids", check=lambda bid: bid.value + bid.others == bid.cards,
)  # fmt: skip

RULES = (
    rulebook.PLAYERS.of("OH-1", stands("players"), "Three to seven play, each for themselves."),
    rulebook.CARD_FOREIGN.of("OH-1", stands("players"), "The pack has the usual 52 cards."),
    rulebook.DEALER.of("OH-2", stands("deal"), "The deal passes to the left."),
    rulebook.DEALT_ORDER.of("OH-2", stands("deal"), "Cards are dealt one by one, clockwise from the dealer's left; the next one is turned."),
    rulebook.LADDER.of("OH-2", stands("deal"), "Hands shrink by a card each deal to a single card, and grow again."),
    rulebook.TURNED.of("OH-3", stands("trump"), "After the deal the next card of the pack is turned up, once."),
    rulebook.TRUMP.of("OH-3", stands("trump"), "The suit of the card turned is trump."),
    rulebook.BID_TURN.of("OH-4", stands("bidding"), "The dealer's left bids first, then clockwise; the dealer bids last."),
    rulebook.BID_TWICE.of("OH-4", stands("bidding")),
    rulebook.BID_MISSING.of("OH-4", stands("bidding")),
    rulebook.BID_LATE.of("OH-4", stands("bidding")),
    rulebook.BID_VALUE.of("OH-5", stands("bidding"), "A bid is a whole number from none to all the tricks of the hand."),
    HOOK,
    rulebook.FIRST_LEADER.of("OH-7", stands("play"), "The dealer's left leads to the first trick."),
    rulebook.WRONG_LEADER.of("OH-7", stands("play"), "The dealer's left leads to the first trick, the winner of each trick to the next."),
    rulebook.OUT_OF_TURN.of("OH-7", stands("play"), "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("OH-8", stands("play"), "Follow the suit led if you can; otherwise play any card."),
    rulebook.WINNER.of("OH-9", stands("play"), "The highest trump wins the trick, or else the highest card of the suit led."),
    rulebook.SHEET_BID.of("OH-10", stands("score")),
    rulebook.TOTAL.of("OH-12", stands("score"), "The points of each deal are added to the player's total."),
    rulebook.GAME_END.of("OH-12", stands("score"), "The game is over when every hand of the schedule is played."),
    rulebook.GAME_WINNER.of("OH-12", stands("score"), "The highest total wins; equal totals share."),
)  # fmt: skip

MADE = rulebook.SCORE.of("OH-10", stands("score"), "A bid made exactly scores ten points and one for each trick.")  # fmt: skip
EVERY = rulebook.SCORE.of("OH-11", stands("score", "house"), "Where the bid is missed, each trick still scores a point.")
LOST = rulebook.SCORE.of("OH-14", stands("score", "house"), "Where the bid is missed, each trick over or under it costs a point.")

EXACT = Line("made", MADE, lambda hand: pick(hand.tricks == hand.value, 10 + hand.tricks, 0))

#: What a bid that is missed scores.
MISSED = {
    "tricks": Line("missed", EVERY, lambda hand: pick(hand.tricks == hand.value, 0, hand.tricks)),
    "error": Line("missed", LOST, lambda hand: -abs(hand.tricks - hand.value)),
}


def with_ladder(game: Game, **changes: Any) -> Game:
    """The game with another schedule."""
    assert isinstance(game.cards, Ladder)
    return replace(game, cards=replace(game.cards, **changes))


OPTIONS = (
    Option(
        "longest", 10, "The cards a hand of the longest deal, where the pack has as many.", stands("deal", "house"),
        lambda game, most: with_ladder(game, longest=most),
        accepts=lambda value: type(value) is int and 1 <= value <= 17, form="a number of cards from 1 to 17", examples=(7,),
    ),
    Option(
        "ladder", "down_up", "Hands shrink and grow again, or grow and shrink, or do one of the two.", stands("deal", "house"),
        lambda game, form: with_ladder(game, form=form), choices=("down_up", "up_down", "down", "up"),
    ),
    Option(
        "hook", True, "The dealer may not make the bids add up to the tricks.", stands("bidding", "house"),
        lambda game, _: without_rule(game, "BID003"), choices=(True, False),
    ),
    Option(
        "missed", "nothing", "What a bid that is missed scores.", stands("score", "house"),
        lambda game, value: replace(game, score=(EXACT, MISSED[value])), choices=("nothing", *MISSED),
    ),
)  # fmt: skip

NOTATION = Notation(
    (
        ("turn QD", "the card turned up, which makes trump; `turn ?D` where only its suit is known"),
        ("bid N 0  E 1  S 1  W 2", "a number of tricks each, the dealer last; or `bid N: 0 1 1 2` in turn"),
        ("1 N JC 5H 5C KD", "trick 1: who led, and the cards in turn"),
        ("withdraw E 5H", "a card taken back before the next one"),
        ("claim S  N 0  E 0  S 2  W 0", "who takes how many of the tricks that are left"),
        ("tricks N 0  E 0  S 0  W 2", "the sheet; so too `winners`, `scores`, `totals`, and `claimed bids N 0  E 1`"),
    )
)

GAME = Game(
    key="oh_hell",
    title="Oh Hell",
    summary="Bid your tricks exactly, in hands from ten cards down to one and back; a card turned makes trump.",
    source=SOURCE,
    players=(3, 4, 5, 6, 7),
    pack=lambda players: FRENCH_52,
    cards=Ladder(),
    aside=lambda players, cards: {"turnup": 1, "stock": max(0, 51 - players * cards)},
    phases=(TurnUp(), Bids(), Tricks()),
    order=suit_turned,
    rules=RULES,
    score=(EXACT,),
    options=OPTIONS,
    notation=NOTATION,
)
