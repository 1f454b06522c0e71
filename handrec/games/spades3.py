"""Three-player Spades: everybody for themselves, a dead fourth hand, spades and both jokers always trump, bids up to 13.

Source: "Spades – Three Players", by Darrin Berkley. Rule ids count through its sections. A trick is also called a book.
Winners of tricks are recorded as the cards were played; the number of tricks of each player, as it is after books have
been taken for a renege.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from handrec import rulebook
from handrec.cards import Order, Pack
from handrec.findings import Citation, Rule, Standing, Work
from handrec.game import Carry, Game, Line, Notation, Option, Sight, Standings, Statement, highest_total, with_phase, with_rule
from handrec.masks import entry, pick
from handrec.phases.books import Books, Rulings
from handrec.phases.open_bids import OpenBids
from handrec.phases.tricks import Tricks

SOURCE = Work(
    "Spades – Three Players",
    "Darrin Berkley",
    "its diagram is lost, and some of its phrases belong to a game for two",
)


def stands(section: str, standing: Standing = "stated") -> Citation:
    """The citation of a section of the source."""
    return Citation(SOURCE, section, standing)


# --- pack, deal, ranks ----------------------------------------------------------------------------------------------

CLUBS = tuple(rank + "C" for rank in "23456789TJQKA")
CLUBS_TWO_HIGH = (*CLUBS[1:], CLUBS[0])
DIAMONDS = tuple(rank + "D" for rank in "3456789TJQKA")
HEARTS = tuple(rank + "H" for rank in "3456789TJQKA")
SPADES = (*(rank + "S" for rank in "3456789TJQKA2"), "LJ", "BJ")

PACK = Pack("52 with jokers", (*CLUBS, *DIAMONDS, *HEARTS, *SPADES))
PACK_TWO_HIGH = Pack("52 with jokers, two of clubs high", (*CLUBS_TWO_HIGH, *DIAMONDS, *HEARTS, *SPADES))

RANKS = Order.of(PACK, "S", (CLUBS, DIAMONDS, HEARTS, SPADES), trump=3)
RANKS_TWO_HIGH = Order.of(PACK_TWO_HIGH, "S", (CLUBS_TWO_HIGH, DIAMONDS, HEARTS, SPADES), trump=3)


def order(sight: Sight) -> Order:
    """Spades are trump in every trick."""
    return RANKS


def order_two_high(sight: Sight) -> Order:
    """The same, with the two of clubs as the highest club."""
    return RANKS_TWO_HIGH


def aside(players: int, cards: int) -> Mapping[str, int]:
    """The fourth hand is set aside unseen."""
    return {"discard": 13}


def unplaced(seats: Sequence[str], dealer: int, cards: int) -> Sequence[int]:
    """Where the discard pile sits is not known, and so not who gets which card of the pack."""
    return ()


def placed(after: str, seats: Sequence[str], dealer: int, cards: int) -> Sequence[int]:
    """One card at a time over the players and the discard pile, which sits to the left of the player named."""
    if after not in seats:
        return ()
    spot = (seats.index(after) - dealer) % len(seats)
    return [*range(spot), -1, *range(spot, len(seats))] * cards


# --- the rules ------------------------------------------------------------------------------------------------------

RULES = (
    rulebook.PLAYERS.of("SP-1", stands("Title"), "Three players play, each for themselves."),
    rulebook.CARD_FOREIGN.of("SP-1", stands("Setup"), "The pack has 52 cards: the usual ones without the twos of hearts and diamonds, and two jokers."),
    rulebook.TRUMP.of("SP-1", stands("Setup, Play"), "Spades are always trump."),
    rulebook.HAND_SIZE.of("SP-3", stands("Setup", "inferred"), "Three players get 13 cards each, and 13 more lie unseen and dead as the discard pile."),
    rulebook.DEALT_ORDER.of("SP-4", stands("Setup", "inferred"), "Cards go one at a time, clockwise from the dealer's left, to the players and the discard pile in their places."),
    rulebook.DEALER.of("SP-5", stands("Setup", "house"), "After each hand the deal passes to the left."),
    rulebook.BID_MISSING.of("SP-6", stands("Bidding"), "Every player bids a number of tricks in every hand."),
    rulebook.BID_VALUE.of("SP-6", stands("Bidding"), "A bid is a number from none to all thirteen tricks, blind or open."),
    Rule(
        "BID018", "blind-bid", "L3", "A bid is blind if its player has not looked at the cards, and only then.",
        "{seat} bid {bid} {how} {when} at the cards",
        id="SP-6", citation=stands("Bidding"), judged_by="the bidding",
    ),
    rulebook.BID_TURN.of(
        "SP-7", stands("Bidding", "inferred"), "Open bids are made clockwise from the dealer's left, the dealer last, and blind bids before them.",
        says="{seat} bid {bid}, but {why}",
    ),
    Rule(
        "BID017", "bid-lowered", "L3", "A bid that was made may be made higher, and never lower.",
        "{seat} bid {bid} after {before}, which is no increase; the earlier bid stands",
        id="SP-9", citation=stands("Bidding"), judged_by="the bidding",
    ),
    rulebook.BID_LATE.of("SP-9", stands("Bidding"), "Bids are made and raised before the first card of the first trick."),
    rulebook.SHEET_BID.of("SP-9", stands("Bidding"), "The scorecard shows the bid that stands at the first lead, blind where it is blind, with the side bid."),
    Rule(
        "BID019", "side-bid", "L3", "A player may make one side bid, Bemo or Big Bemo, after looking and before the first card, and may raise Bemo to Big Bemo.",
        "{seat} announced {what} {why}",
        id="SP-11", citation=stands("Bidding", "outside"), judged_by="the bidding",
    ),
    rulebook.FIRST_LEADER.of("SP-12", stands("Play"), "The dealer's left leads to the first trick."),
    rulebook.WRONG_LEADER.of("SP-12", stands("Play"), "The dealer's left leads to the first trick, the winner of each trick to the next."),
    rulebook.OUT_OF_TURN.of("SP-12", stands("Play"), "Play goes clockwise from the leader, one card each, passing over the discard pile."),
    rulebook.FOLLOW_SUIT.of("SP-13", stands("Play"), "Follow the suit led if you can, jokers counting as spades; otherwise play any card."),
    rulebook.WINNER.of("SP-14", stands("Play"), "The highest spade wins, jokers above all; without a spade, the highest card of the suit led."),
    rulebook.ACCUSATION.of("SP-22", stands("Scoring"), "An opponent who notices a renege may claim it before the trick is turned over."),
    Rule(
        "CLM006", "claim-too-late", "L4", "A renege that is claimed when the trick has been turned over has no effect.",
        "{seat} claimed a renege of {of} in {when} too late: books taken on it do not count",
        id="SP-22", citation=stands("Scoring"), judged_by="the books taken for a renege",
    ),
    rulebook.TRICK_COUNT.of("SP-23", stands("Scoring"), "A player's tricks are those won by play, and those taken for reneges, less those given up."),
    Rule(
        "CLM007", "too-many-books", "L4", "For a renege that was claimed in time, up to three books are taken from the offender, who must have them.",
        "{seat} took books of {of}, {tricks} in number, without a right to them: {why}",
        id="SP-23", citation=stands("Scoring"), judged_by="the books taken for a renege",
    ),
    Rule(
        "CLM008", "not-the-claimant", "L4", "Books for a renege are taken by the player who claimed it first.",
        "{seat} took books of {of}, {tricks} in number, but it was {first} who had claimed the renege first",
        id="SP-23", citation=stands("Scoring", "house"), judged_by="the books taken for a renege",
    ),
    rulebook.RULING.of("SP-24", stands("Scoring", "inferred"), "Whether there was a renege is told by the cards that were played."),
    rulebook.TOTAL.of("SP-25", stands("Winning"), "The points of each hand are added to the player's total."),
    rulebook.GAME_END.of(
        "SP-25", stands("Winning"), "The game ends after the hand in which somebody reaches 500 points, or makes an automatic win.",
        says="{found} deals are recorded as the whole game, but by the rules it has {due}",
    ),
    rulebook.GAME_WINNER.of("SP-25", stands("Winning"), "An automatic win wins the game; else the highest total, and of equal ones the one with fewest overbooks."),
)  # fmt: skip

BROKEN_SPADES = rulebook.TRUMPS_BROKEN.of(
    "SP-12", stands("Play", "house"), "Spades are not led before one was played to an earlier trick, unless nothing else is held."
)
BLIND_RAISE = Rule(
    "BID020", "blind-bid-raised", "L3", "A blind bid is not raised by a player who has looked.",
    "{seat} bid {bid} after looking, having bid {before}; the blind bid stands",
    id="SP-10", citation=stands("Bidding", "house"), judged_by="the bidding",
)  # fmt: skip
ONE_BID = rulebook.BID_TWICE.of(
    "SP-11", stands("Bidding", "uncertain"), "A Bemo that stands for the number leaves no room for a number besides."
)

DEFINITIONS = (
    Statement("SP-2", "Both jokers are spades for every purpose, the Big Joker highest, then the Little Joker, the two and the ace.", stands("Setup")),
    Statement("SP-8", "Bids may add up to any number.", stands("Bidding", "inferred")),
    Statement("SP-10", "A blind bid raised before looking stays blind; raised after looking it becomes an open bid.", stands("Bidding", "house")),
    Statement("SP-20", "Books are transferred first; then tricks are counted, success judged, and bonuses and penalties reckoned.", stands("Scoring", "house")),
    Statement("SP-21", "An automatic win scores nothing for the bid and wins the game at once, whatever the totals.", stands("Scoring", "inferred")),
)  # fmt: skip

# --- the score ------------------------------------------------------------------------------------------------------

#: By number of tricks bid: an open bid made, a blind one made, either one failed. Where it wins the game, 0.
OPEN_MADE = (200, 150, 100, 30, 40, 50, 60, 100, 150, 200, 225, 250, 275, 0)
BLIND_MADE = (500, 300, 200, 70, 80, 90, 100, 200, 250, 300, 0, 0, 0, 0)
FAILED = (-120, -110, -100, -30, -40, -50, -60, -70, -80, -90, -100, -110, -120, -130)


def exact(hand: Any) -> Any:
    """Blind bids, and open ones of two or less, must be made exactly."""
    return hand.blind | (hand.value <= 2)


def made(hand: Any) -> Any:
    """Whether the number bid was made."""
    return pick(exact(hand), hand.tricks == hand.value, hand.tricks >= hand.value)


def numbered(hand: Any) -> Any:
    """Whether a number was bid, and not a Bemo in its place."""
    return hand.kind == "number"


def perfect(hand: Any) -> Any:
    """Exactly the number bid."""
    return numbered(hand) & (hand.tricks == hand.value)


def automatic(hand: Any) -> Any:
    """A bid that wins the game: all thirteen, or a blind ten or more, made."""
    return numbered(hand) & made(hand) & ((hand.value == 13) | (hand.blind & (hand.value >= 10)))


def base(hand: Any) -> Any:
    """The points of the bid itself."""
    won = pick(hand.blind, entry(BLIND_MADE, hand.value), entry(OPEN_MADE, hand.value))
    return pick(numbered(hand), pick(made(hand), won, entry(FAILED, hand.value)), 0)


def overtricks(hand: Any, failed: bool = False) -> Any:
    """A point for each trick over a bid that may be exceeded; with `failed`, over any bid."""
    counting = numbered(hand) & (hand.tricks > hand.value) & pick(exact(hand), failed, True)
    return pick(counting, hand.tricks - hand.value, 0)


def bemo(hand: Any) -> Any:
    """The side bids, won or lost by the first tricks as they were played."""
    return hand.bemo * pick(hand.won_bemo, 100, -50) + hand.big_bemo * pick(hand.won_big_bemo, 200, -100)


def run_bonus(hand: Any, again: int = 100) -> Any:
    """The third perfect bid in a row, and every further one; `again` is for the third of a later run."""
    third = pick(hand.rewarded, again, 100)
    return pick(perfect(hand) & (hand.run >= 2), pick(hand.run == 2, third, 50), 0)


def overbooks(hand: Any, failed: bool = False) -> Any:
    """The overtricks of the game after this hand."""
    return hand.overbooks + overtricks(hand, failed)


def overbook_penalty(hand: Any, failed: bool = False, second: int = 100, further: int = 0) -> Any:
    """What is lost when the overtricks of the game reach 10, 20, and each ten beyond."""
    before, after = hand.overbooks, overbooks(hand, failed)
    tenth = pick((before < 10) & (after >= 10), 100, 0)
    twentieth = pick((before < 20) & (after >= 20), second, 0)
    beyond = pick(after >= 30, after // 10 - pick(before >= 20, before // 10, 2), 0)
    return -(tenth + twentieth + beyond * further)


SCORE = (
    Line("bid", rulebook.SCORE.of("SP-15", stands("Bidding, Scoring"), "A bid scores by the table: blind bids, and bids of two or less, must be exact; others may be exceeded."), base),
    Line("overtricks", rulebook.SCORE.of("SP-16", stands("Scoring"), "Each trick over an open bid of three or more scores one point."), overtricks),
    Line("bemo", rulebook.SCORE.of("SP-17", stands("Scoring"), "Bemo scores 100 if its player won the first four tricks, else loses 50; Big Bemo 200 for six, or loses 100."), bemo),
    Line("perfect", rulebook.SCORE.of("SP-18", stands("Scoring"), "The third perfect bid in a row scores 100 more, each further one 50 more."), run_bonus),
    Line("overbooks", rulebook.SCORE.of("SP-19", stands("Scoring"), "When a player's overtricks in the game reach ten, 100 points are lost, and 100 again at twenty."), overbook_penalty),
)  # fmt: skip

CARRIES = (
    Carry("overbooks", overbooks, tuple(range(21))),
    Carry("run", lambda hand: pick(perfect(hand), pick(hand.run >= 3, 3, hand.run + 1), 0), tuple(range(4))),
    Carry("rewarded", lambda hand: hand.rewarded | (perfect(hand) & (hand.run >= 2)), (0,)),
    Carry("automatic", automatic, (0,)),
)


def _seats_with(standing: Standings, key: str, seats: Sequence[int], number: int) -> tuple[int, ...]:
    carried = standing.carried.get(key, (0,) * len(standing.totals))
    return tuple(seat for seat in seats if carried[seat] == number)


def winners(standing: Standings) -> tuple[int, ...]:
    """Who made an automatic win; else the highest total, and of equal ones those with the fewest overbooks."""
    top = highest_total(standing)
    count = standing.carried.get("overbooks", (0,) * len(standing.totals))
    fewest = min(count[seat] for seat in top)
    return _seats_with(standing, "automatic", range(len(standing.totals)), 1) or _seats_with(standing, "overbooks", top, fewest)


def over(standing: Standings) -> bool:
    """Somebody has 500 points, or made an automatic win."""
    return max(standing.totals) >= 500 or any(standing.carried.get("automatic", ()))


def over_untied(standing: Standings) -> bool:
    """The same, but a tie that overbooks do not settle is played on."""
    return over(standing) and len(winners(standing)) == 1


# --- the options ----------------------------------------------------------------------------------------------------


def _counting(game: Game, keys: tuple[str, ...], **choices: Any) -> Game:
    """The game with these lines of the score, and what is carried for them, reckoned otherwise."""
    score = tuple(replace(line, points=partial(line.points, **choices)) if line.key in keys else line for line in game.score)
    return replace(game, score=score)


def _failed_exact(game: Game, value: bool) -> Game:
    game = _counting(game, ("overtricks", "overbooks"), failed=value)
    return replace(game, carries=(replace(game.carries[0], step=partial(overbooks, failed=value)), *game.carries[1:]))


def _possible(game: Game, key: str, values: tuple[int, ...]) -> Game:
    """The game with other numbers that may be carried from deals not on record."""
    return replace(game, carries=tuple(replace(carry, values=values) if carry.key == key else carry for carry in game.carries))


OPTIONS = (
    Option(
        "d_hand", "dead", "What the fourth hand is: thirteen dead cards, the only reading that is supported (SP-A1).", stands("Setup", "inferred"),
        lambda game, _: game, choices=("dead",), form="dead (SP-A1: the fourth hand is never played)",
    ),
    Option(
        "d_after_seat", None, "The player to whose left the discard pile sits, needed to follow the deal of a recorded pack.", stands("Setup", "inferred"),
        lambda game, value: replace(game, placing=partial(placed, value)),
        accepts=lambda value: value is None or (isinstance(value, str) and 1 <= len(value) <= 16), form="the seat of a player",
    ),
    Option("dealer_rotation", "left", "Who deals next.", stands("Setup", "house"), lambda game, _: game, choices=("left",)),
    Option(
        "two_of_clubs", "low", "The two of clubs is the lowest club, or the highest as it is in spades.", stands("Setup", "inferred"),
        lambda game, _: replace(game, pack=lambda players: PACK_TWO_HIGH, order=order_two_high),
        choices=("low", "high"),
    ),
    Option(
        "bid_order", "clockwise_dealer_last", "Open bids are made in turn, the dealer last, or in any order.", stands("Bidding", "inferred"),
        lambda game, _: with_phase(game, OpenBids, in_turn=False), choices=("clockwise_dealer_last", "free"),
    ),
    Option(
        "blind_raise", "converts_to_open", "What a blind bid becomes when it is raised after looking.", stands("Bidding", "house"),
        lambda game, value: with_phase(with_rule(game, BLIND_RAISE) if value == "forbidden" else game, OpenBids, blind_raise=value),
        choices=("converts_to_open", "forbidden", "stays_blind"),
    ),
    Option(
        "bemo_mode", "side", "Bemo is bid beside the number, or stands for it.", stands("Bidding", "outside"),
        lambda game, _: with_phase(with_rule(game, ONE_BID), OpenBids, alone=True),
        choices=("side", "standalone"),
    ),
    Option(
        "bemo_both", False, "One player may bid Bemo and Big Bemo in the same hand.", stands("Bidding", "house"),
        lambda game, _: with_phase(game, OpenBids, both=True), choices=(False, True),
    ),
    Option(
        "spades_broken", False, "Spades must have been played before they are led.", stands("Play", "house"),
        lambda game, _: with_rule(game, BROKEN_SPADES), choices=(False, True),
    ),
    Option(
        "failed_exact_overtricks", False, "Tricks over an exact bid that failed count as overtricks.", stands("Scoring", "house"),
        _failed_exact, choices=(False, True),
    ),
    Option(
        "perfect_restart", True, "Every run of perfect bids earns 100 for its third, or only the first run of the game does.", stands("Scoring", "house"),
        lambda game, _: _possible(_counting(game, ("perfect",), again=50), "rewarded", (0, 1)),
        choices=(True, False),
    ),
    Option(
        "overtrick_penalty", "cumulative", "Twenty overtricks cost 100 more than ten, or 200 more.", stands("Scoring", "house"),
        lambda game, _: _counting(game, ("overbooks",), second=200), choices=("cumulative", "separate"),
    ),
    Option(
        "overtrick_beyond_20", "none", "Nothing is lost beyond twenty overtricks, or 100 for each further ten.", stands("Scoring", "house"),
        lambda game, _: _possible(_counting(game, ("overbooks",), further=100), "overbooks", tuple(range(30))),
        choices=("none", "per_ten"),
    ),
    Option(
        "renege_max_books", 3, "How many books a renege may cost.", stands("Scoring"), lambda game, _: game, choices=(3,),
    ),
    Option(
        "renege_books_later_hand", True, "Books may be taken in a later hand of the game, or only in the same.", stands("Scoring"),
        lambda game, _: with_phase(game, Books, later=False), choices=(True, False),
    ),
    Option(
        "tie", "shared", "Equal totals with equal overbooks share the game, or play on.", stands("Winning", "house"),
        lambda game, _: replace(game, over=over_untied), choices=("shared", "play_on"),
    ),
)  # fmt: skip

NOTATION = Notation(
    lines=(
        ("blind N 5", "a bid before looking at the cards"),
        ("look N", "who looks at the cards, and when"),
        ("bid E 4  S 5  N 6", "tricks, in turn from the dealer's left; a raise is a later bid by the same seat"),
        ("bemo N", "the side bid; so too `big_bemo N`"),
        ("1 E 3H JH AH", "trick 1: who led, and the cards in turn; jokers are BJ and LJ"),
        ("withdraw S JH", "a card taken back before the next one"),
        ("accuse N of E trick 1", "a renege is claimed, of another hand with `deal 2`"),
        ("ruling E upheld trick 1", "what came of it: upheld, rejected or undecided"),
        ("transfer N from E 2 trick 1", "books taken for a renege; of an earlier hand with `deal 2`"),
        ("claim S  N 2  E 2  S 8", "who takes how many of the tricks that are left"),
        ("tricks N 3  E 2  S 8", "the sheet; so too `winners`, `scores`, `totals`, and `claimed bids N 6  E 4  S 5`"),
    ),
    example="""\
%hrt 1
game spades3
seats N=Ann E=Bo S=Cy
status in_progress

deal 1 dealer N status claimed
hand N QS 9S 6S AH TH 8H 6H 3D TC 8C 7C 4C 3C
hand E KS JS KH 9H 4H 3H KD 9D 7D 4D QC JC 9C
hand S LJ 2S AS 8S 7S 5S 4S QH JH JD 8D 6D AC
bid E 4  S 5  N 6
1 E 3H JH AH
2 N 3C QC AC
3 S 6D 3D 9D
claim S  N 2  E 1  S 7
tricks N 3  E 2  S 8
scores N -60  E -40  S 53
totals N -60  E -40  S 53
""",
)

GAME = Game(
    key="spades3",
    title="Three-player Spades",
    summary="Bid your tricks, blind or open, with thirteen dead cards; spades and jokers are trump; first to 500 points.",
    source=SOURCE,
    players=(3,),
    pack=lambda players: PACK,
    cards=lambda players: 13,
    aside=aside,
    placing=unplaced,
    phases=(OpenBids(sides={"bemo": 4, "big_bemo": 6}), Tricks(), Rulings(), Books()),
    order=order,
    rules=RULES,
    definitions=DEFINITIONS,
    score=SCORE,
    carries=CARRIES,
    over=over,
    winners=winners,
    options=OPTIONS,
    notation=NOTATION,
)
