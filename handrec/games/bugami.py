"""Bugami for three players: everybody secretly chooses the suit to avoid; tricks score, divided by the cards of that suit in them.

Source: David Parlett's page on the three-player version. Its table of special scores is lost: a record declares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from handrec import rulebook
from handrec.cards import RANKS, SUITS, Order, Pack, by_suit
from handrec.findings import Citation, Rule, Standing, Work
from handrec.game import Game, Line, Notation, Option, Sight, Statement, highest_total, reached, with_rule, without_rule
from handrec.masks import pick
from handrec.phases.conduct import Conduct
from handrec.phases.secret_bids import BugSuits, SecretBids
from handrec.phases.tricks import Tricks

SOURCE = Work(
    "Three-player version of Bugami",
    "David Parlett",
    "Original Card Games; also called Trigami; the table of special scores is lost",
)


def says(section: str, standing: Standing = "stated") -> Citation:
    """The citation of a part of the source."""
    return Citation(SOURCE, section, standing)


# --- pack, dealing, ranks -------------------------------------------------------------------------------------------

REMOVED = ["9", "8", "7"]


@cache
def pack_without(removed: str) -> Pack:
    """The 40 cards that are left when three ranks are taken out."""
    kept = [rank for rank in RANKS if rank not in removed]
    return Pack(f"40 without {removed}", tuple(rank + suit for suit in SUITS for rank in kept))


@cache
def _ranks(removed: str) -> Order:
    kept = "".join(rank for rank in RANKS if rank not in removed)
    return Order.of(pack_without(removed), "NT", by_suit(kept))


def dealing(players: int, cards: int) -> Sequence[int]:
    """Batches of three, then four, one card to the table, then three, and three again."""
    three, four = [[seat for seat in range(players) for _ in range(batch)] for batch in (3, 4)]
    return [*three, *four, -1, *three, *three]


def without(removed: Sequence[str]) -> dict[str, Any]:
    """What becomes of a game's pack and ranks when three ranks are removed."""
    ranks = "".join(sorted(removed, key=RANKS.index, reverse=True))

    def pack(players: int) -> Pack:
        return pack_without(ranks)

    def order(sight: Sight) -> Order:
        return _ranks(ranks)

    return {"pack": pack, "order": order}


# --- the rules ------------------------------------------------------------------------------------------------------

TURNIP_DOUBLETS = Rule(
    "BID022", "turnip-with-doublets", "L3", "Turnip and Doublets cannot be bid together: Doublets is said while a bid-card is shown, Turnip shows none.",
    "{seat} bid {bid}, but Turnip and Doublets cannot be combined",
    id="BG-5", citation=says("Turnip, Doublets", "inferred"), on="bid", check=lambda bid: bid.words["turnip"] & bid.words["doublets"],
)  # fmt: skip


RULES = (
    rulebook.PLAYERS.of("BG-1", says("Players"), "Three players play, each for themselves."),
    rulebook.CARD_FOREIGN.of("BG-1", says("the pack"), "Three whole ranks are taken out of 52 cards to bid with; the other 40 are played."),
    rulebook.HAND_SIZE.of("BG-3", says("the deal"), "Each player gets 13 cards, and one is left for the table: the turnip."),
    rulebook.DEALT_ORDER.of(
        "BG-3", says("the deal"), "From the dealer's left, cards go out in batches of three, then four, one to the table, then three, and three again."
    ),
    rulebook.DEALER.of("BG-4", says("not in the source; Bugami in general", "outside")),
    rulebook.BID_VALUE.of(
        "BG-5", says("bidding"), "A bid is a suit, a suit with Doublets, or Turnip: the suit of the card that lies on the table.", check=lambda bid: bid.unknown
    ),
    rulebook.BID_TWICE.of("BG-5", says("bidding"), "Each player makes one bid; all are made at the same moment."),
    rulebook.BID_MISSING.of("BG-5", says("bidding"), "Every player bids."),
    TURNIP_DOUBLETS,
    Rule(
        "BID021", "bid-after-the-turnip", "L3", "Bids are made before the turnip is faced, and so before the first card is led.",
        "{seat} bid {bid} after {after}",
        id="BG-5", citation=says("bidding; the turnip"), judged_by="the bidding",
    ),
    rulebook.TURNED.of("BG-6", says("the turnip"), "After the bidding and before the first lead, the card on the table is faced, once, and stays so."),
    rulebook.FIRST_LEADER.of("BG-7", says("play"), "The dealer's left leads to the first trick."),
    rulebook.WRONG_LEADER.of("BG-7", says("play"), "The winner of each trick leads to the next."),
    rulebook.OUT_OF_TURN.of("BG-7", says("play", "inferred"), "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("BG-7", says("play"), "Follow the suit led if you can; otherwise play any card."),
    rulebook.WINNER.of("BG-7", says("play"), "The highest card of the suit led wins the trick."),
    rulebook.TRUMP.of("BG-7", says("play"), "There is no trump."),
    rulebook.ends_at(500, "BG-12", says("the game")),
    rulebook.GAME_WINNER.of("BG-12", says("the game", "house"), "When the game ends, the highest total wins; equal totals share."),
)  # fmt: skip

DEFINITIONS = (
    Statement("BG-2", "Each player bids with the four cards of one removed rank, so any suit can be chosen, also one that another chose.", says("bid-cards; Bugami in general", "outside")),
    Statement("BG-8", "The turnip belongs to the winner of the last trick, and counts against that player if it is of the suit to be avoided; it wins nothing.", says("the turnip")),
    Statement("BG-11", "The table of special scores is lost; those that a record declares are scored, and no others.", says("special scores (table lost)", "uncertain")),
)  # fmt: skip

# --- the score ------------------------------------------------------------------------------------------------------

DIVIDED = rulebook.SCORE.of(
    "BG-9", says("scoring"), "A trick is worth 10, divided by the bugs taken, fractions dropped; without a bug it is worth 20."
)
DOUBLED = rulebook.SCORE.of(
    "BG-10",
    says("Turnip, Doublets"),
    "Turnip doubles the score; Doublets doubles it if no bug was taken, and scores nothing otherwise.",
)
SPECIAL = rulebook.SCORE.of(
    "BG-11",
    says("special scores (table lost)", "uncertain"),
    "Special scores count as the record declares them, in their order; they are never doubled.",
)


def bugs(hand: Any) -> Any:
    """The cards of the suit to be avoided among those taken."""
    return hand.bugs[hand.suit]


def shared_out(hand: Any, trick: int) -> Any:
    """So much for each trick, divided by the bugs, or twice as much without any."""
    return pick(bugs(hand) == 0, 2 * trick * hand.tricks, trick * hand.tricks // (bugs(hand) + (bugs(hand) == 0)))


def plain(hand: Any) -> Any:
    """What the tricks score before any doubling."""
    return shared_out(hand, 10)


def if_clean(hand: Any, times: int) -> Any:
    """So many times the plain score on top of it if no bug was taken; otherwise it is lost."""
    return pick(bugs(hand) == 0, times * plain(hand), -plain(hand))


SCORE = (
    Line("tricks", DIVIDED, plain),
    Line("turnip", DOUBLED, plain, kind="turnip"),
    Line("doublets", DOUBLED, lambda hand: if_clean(hand, 1), kind="doublets"),
    Line("turnip_doublets", DOUBLED, lambda hand: if_clean(hand, 3), kind="turnip_doublets"),
)

#: Doubling before fractions are dropped.
TURNIP_FIRST = Line("turnip", DOUBLED, lambda hand: shared_out(hand, 20) - plain(hand), kind="turnip")

#: What special scores can be given for.
OCCASIONS = {
    "no_tricks": lambda hand: hand.tricks == 0,
    "all_tricks": lambda hand: hand.tricks == hand.cards,
    "all_bugs": lambda hand: bugs(hand) == 10,
    "doublets_failed": lambda hand: ("doublets" in hand.kind) & (bugs(hand) > 0),
}


def special(place: int, score: dict[str, Any], before: tuple[Line, ...]) -> Line:
    """The line of a special score, which stands instead of the lines before it, or is added to them."""

    def points(hand: Any) -> Any:
        standing = sum(line.points(hand) for line in before if line.kind in (None, hand.kind))
        return pick(OCCASIONS[score["when"]](hand), score["points"] - (standing if score["mode"] == "instead" else 0), 0)

    return Line(f"special_{place}", SPECIAL, points)


# --- the options ----------------------------------------------------------------------------------------------------


def _three_ranks(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 3
        and all(type(rank) is str for rank in value)
        and len(set(value) & set(RANKS)) == 3
    )


def _special_scores(value: Any) -> bool:
    return isinstance(value, list) and len(value) <= 20 and all(
        isinstance(score, dict)
        and score.keys() == {"when", "points", "mode"}
        and score["when"] in tuple(OCCASIONS)
        and type(score["points"]) is int
        and abs(score["points"]) <= 1_000_000
        and score["mode"] in ("instead", "plus")
        for score in value
    )  # fmt: skip


def _before_floor(game: Game, _: Any) -> Game:
    return replace(game, score=tuple(TURNIP_FIRST if line.key == "turnip" else line for line in game.score))


def _add_special(game: Game, scores: Any) -> Game:
    for place, score in enumerate(scores, 1):
        game = replace(game, score=(*game.score, special(place, score, game.score)))
    return game


def _target(game: Game, points: int) -> Game:
    return replace(with_rule(game, rulebook.ends_at(points, "BG-12", says("the game"))), over=reached(points))


def _play_on(game: Game, _: Any) -> Game:
    over = game.over
    return replace(game, over=lambda standing: over(standing) and len(highest_total(standing)) == 1)


OPTIONS = (
    Option(
        "removed_ranks", REMOVED, "The three ranks that are taken out of the pack to bid with.", says("the pack"),
        lambda game, ranks: replace(game, **without(ranks)),
        accepts=_three_ranks, form='a list of three ranks such as ["9", "8", "7"]', examples=(["T", "9", "8"],),
    ),
    Option(
        "turnip_doublets", False, "Turnip and Doublets can be bid together: four times the score if clean, else nothing.", says("Turnip, Doublets", "house"),
        lambda game, _: without_rule(game, "BID022"),
        choices=(False, True),
    ),
    Option(
        "double_rounding", "after_floor", "A score is doubled after its fraction is dropped, or before.", says("scoring", "house"),
        _before_floor, choices=("after_floor", "before_floor"),
    ),
    Option(
        "special_scores", [], "Special scores, in their order: when, how many points, and whether instead of the score or on top of it.",
        says("special scores (table lost)", "uncertain"), _add_special, accepts=_special_scores,
        form='a list such as [{"when": "no_tricks", "points": 50, "mode": "instead"}], with when one of ' + ", ".join(OCCASIONS) + "; mode: instead or plus",
        examples=([{"when": "no_tricks", "points": 50, "mode": "instead"}, {"when": "all_tricks", "points": 100, "mode": "plus"}],),
    ),
    Option(
        "target", 500, "The points that end the game.", says("the game"), _target,
        accepts=lambda value: type(value) is int and 1 <= value <= 1_000_000, form="a number of points from 1", examples=(120,),
    ),
    Option(
        "tie", "shared", "Equal totals share the game, or play on until one is ahead.", says("the game", "house"), _play_on,
        choices=("shared", "play_on"),
    ),
)  # fmt: skip

NOTATION = Notation(
    lines=(
        (
            "bid N Sx2  S C  E turnip",
            "the suit each avoids, `x2` with Doublets, or `turnip`; in any order, before the turnip is faced",
        ),
        ("turn 6D", "the turnip is faced"),
        ("1 N AH 4H 6H", "trick 1: who led, and the cards in turn"),
        ("withdraw E 4H", "a card taken back before the next one"),
        ("accuse N of E trick 1", "a renege is claimed; what came of it: `ruling E upheld trick 1`, or rejected, or undecided"),
        ("penalty E 20 for renege", "points off a player's total"),
        ("claim N  N 2  E 3  S 6", "who takes how many of the tricks that are left"),
        ("tricks N 4  E 3  S 6", "the sheet; so too `winners`, `scores`, `totals`, and `claimed bids N Sx2  E Sx2  S C`"),
    ),
    example="""\
%hrt 1
game bugami
seats N=Ann E=Bo S=Cy
status in_progress

deal 1 dealer S
hand N AS KS 5S 4S 2S AH QH TH 3H QD 2D AC QC
hand E QS JS 3S KH 5H 4H AD 5D 3D KC TC 5C 4C
hand S TS 6S JH 6H 2H KD JD TD 4D JC 6C 3C 2C
bid N Sx2  S C  E Sx2
turn 6D
1 N AH 4H 6H
2 N KS QS 6S
3 N TH 5H JH
4 S KD 2D 5D
5 S TS 2S JS
6 E KC 2C AC
7 N QD AD 4D
8 E 4C 3C QC
9 N QH KH 2H
10 E TC JC AS
11 S JD 5S 3D
12 S 6C 3H 5C
13 S TD 4S 3S
tricks N 4  E 3  S 6
scores N 0  E 0  S 15
totals N 0  E 0  S 15
""",
)

GAME = Game(
    key="bugami",
    title="Three-player Bugami",
    summary="Choose a suit to avoid, win tricks without it: 40 cards, no trump, 500 points.",
    source=SOURCE,
    players=(3,),
    **without(REMOVED),
    cards=lambda players: 13,
    aside=lambda players, cards: {"turnip": 1},
    dealing=dealing,
    phases=(SecretBids(), Tricks(), BugSuits(), Conduct()),
    rules=RULES,
    definitions=DEFINITIONS,
    score=SCORE,
    over=reached(500),
    options=OPTIONS,
    notation=NOTATION,
)
