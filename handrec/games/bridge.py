"""Contract bridge: an auction for the right to name trump, 13 tricks, declarer playing dummy's cards, and what a side scores by it.

A record may hold the calls, or only the contract that they came to. Source: the Laws of Duplicate Bridge, cited by number; for
rubber and Chicago, options here, the Laws of Rubber Bridge.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache, lru_cache
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52, SUITS, Order, by_suit
from handrec.findings import Citation, Rule, Standing, Work
from handrec.game import (
    Carry,
    Enclosed,
    Game,
    Line,
    Notation,
    Option,
    Sight,
    Standings,
    Statement,
    Table,
    highest_total,
    nobody,
    with_phase,
)
from handrec.phases.calls import Calls
from handrec.phases.conduct import Conduct
from handrec.phases.stakes import Stakes
from handrec.phases.tricks import Tricks
from handrec.scoring import bridge as points
from handrec.scoring.tables import table_of, tabled

SOURCE = Work("Laws of Duplicate Bridge", "World Bridge Federation", "edition of 2017")
RUBBER = Work("Laws of Rubber Bridge", "World Bridge Federation", "edition of 2014; the score")


def law(number: str) -> Citation:
    """The citation of a Law."""
    return Citation(SOURCE, f"Law {number}", "outside")


@cache
def _ranks(strain: str) -> Order:
    return Order.of(FRENCH_52, strain, by_suit(), trump=SUITS.index(strain) if strain in SUITS else None)


def order(sight: Sight) -> Order | None:
    """The strain of the contract is trump, or there is none."""
    return None if sight.contract is None else _ranks(sight.contract)


@lru_cache(1000)
def strain(contract: str) -> str | None:
    """The strain of a contract such as `4H`, `3NTx` or just `S`; None if it is no contract."""
    match = re.fullmatch(r"[1-7]?(C|D|H|S|NT|N)(?:x|xx|X|XX)?", contract)
    return None if match is None else {"N": "NT"}.get(match[1], match[1])


def leader(table: Table) -> int | None:
    """The player to the left of the declarer leads."""
    return None if table.declarer is None else (table.declarer + 1) % table.count


def declarer_and_dummy(table: Table) -> tuple[int, int] | None:
    """The declarer, who plays dummy's cards too, and dummy."""
    return None if table.declarer is None else (table.declarer, (table.declarer + 2) % table.count)


# --- the rules ------------------------------------------------------------------------------------------------------


def call(code: str, name: str, id: str, number: str, sentence: str, says: str, **changes: Any) -> Rule:
    """A rule of the auction."""
    return Rule(code, name, "L3", sentence, says, id=id, citation=law(number), judged_by="the calls", **changes)


BOARD = (
    rulebook.DEALER.of("BR-2a", law("2"), "The board's number says who deals: of boards 1 to 4 North, East, South, West, and so on.",
                       level="L2", judged_by="the heading of the board"),
    Rule(
        "DEA012", "vulnerable", "L2", "The board's number says which sides are vulnerable, board 17 like board 1.",
        "vulnerable is recorded as {found}, but on board {board} it is {due}",
        id="BR-2b", citation=law("2"), judged_by="the heading of the board",
    ),
)  # fmt: skip

AUCTION = (
    rulebook.BID_TURN.of("BR-17", law("17, 28 to 34"), "The dealer calls first, then each player in turn, clockwise.", judged_by="the calls"),
    call(
        "BID033", "passes-left-out", "BR-17", "17", "The calls are written down from the dealer's on, passes too.",
        "the calls begin with {by}'s {bid}, and it was {due}'s turn: those in front are left out",
        severity="warning",
    ),
    rulebook.BID_VALUE.of(
        "BR-18", law("18"),
        "A contract names one to seven tricks above six and a suit or no trump, perhaps doubled or redoubled.",
        check=None, judged_by="the calls",
    ),
    call("BID023", "insufficient-bid", "BR-18", "18, 27", "A bid is higher than the last: of more tricks, or as many in a higher strain.",
         "{seat} bid {bid} over {before}, which is not enough"),
    call("BID026", "bid-above-seven", "BR-18", "38", "Nobody bids more than seven; such a bid is cancelled, and all calls after it.",
         "{seat} bid {bid}: no bid is above seven"),
    call("BID024", "inadmissible-double", "BR-19a", "19A, 35, 36", "Only the last bid is doubled, by an opponent of who made it, once.",
         "{seat} doubled over {standing}"),
    call("BID025", "inadmissible-redouble", "BR-19b", "19B, 35, 36", "Only an opponent's double of the own side's last bid is redoubled, once.",
         "{seat} redoubled over {standing}"),
    call("BID027", "call-though-barred", "BR-19c", "27B, 36B, 37, 38B", "A player who must pass passes, as when the partner took back an insufficient bid and passed.",
         "{seat} called {bid}, but had to pass"),
    call("BID031", "call-taken-back", "BR-25", "25 to 27", "A call that is taken back at once was not made.",
         "{seat} took back {bid} ({why})", severity="info"),
    call("BID032", "call-taken-back-late", "BR-25", "25", "Only the last call made can be taken back.",
         "{seat} took back {bid}, which was not the call last made"),
    call("BID030", "play-after-passes", "BR-22a", "22", "Where all four players pass, nothing is played.",
         "{seat} played {card}, but all four players had passed"),
    rulebook.BID_MISSING.of(
        "BR-22b", law("22"), "The auction is over when three players in turn pass over a bid, or all four pass, and not before.",
        says="the auction stops with {bid}, when it was {seat}'s turn to call", judged_by="the calls",
    ),
    call("BID016", "call-after-the-end", "BR-22b", "39", "After the last pass nobody calls; such a call is cancelled, and all after it.",
         "{seat} called {bid} when the auction was over"),
    call("BID028", "stated-contract", "BR-22c", "22", "The contract is the last bid, with its double or redouble.",
         "the contract is stated as {found}, but the calls came to {due}"),
    call("BID029", "stated-declarer", "BR-22c", "22, 54", "Declarer is who first named the strain of the contract for the side that made the last bid.",
         "{found} is stated as declarer, but by the calls it is {due}"),
)  # fmt: skip

RULES = (
    rulebook.PLAYERS.of("BR-1", law("1"), "Four players play, two against two."),
    rulebook.CARD_FOREIGN.of("BR-1", law("1"), "The pack has the usual 52 cards."),
    *BOARD,
    rulebook.HAND_SIZE.of("BR-6", law("6"), "Every player is dealt 13 cards."),
    *AUCTION,
    rulebook.FIRST_LEADER.of("BR-41", law("41"), "The player to the declarer's left makes the opening lead."),
    rulebook.OUT_OF_TURN.of("BR-44A", law("44"), "Each player in turn plays one card to the trick, clockwise."),
    rulebook.FOLLOW_SUIT.of("BR-44C", law("44"), "Each player follows suit if able to; otherwise any card may be played."),
    rulebook.WINNER.of(
        "BR-44E", law("44"), "The highest trump wins the trick, or, without one, the highest card of the suit led."
    ),
    rulebook.WRONG_LEADER.of("BR-44G", law("44"), "The player whose card won the trick leads to the next one."),
    rulebook.CLAIM_SUM.of("BR-68", law("68"), "A claim says how many of the tricks that are left go to each side."),
)

DEFINITIONS = (
    Statement("BR-41D", "Declarer's partner lays down the hand; declarer plays its cards, in that seat's turn.", law("41")),
    Statement("BR-17L", "A call out of turn stands if the next player calls over it, but not if the player whose turn it was does.", law("28B, 29A")),
    Statement("BR-17P", "Three passes of which one was out of turn do not end the auction.", law("17D3, 34")),
    Statement("BR-27A", "An insufficient bid stands if the next player calls over it.", law("27A")),
    Statement("BR-27B", "Who passes in place of an insufficient bid, or tries to double in its place, bars the partner: that one must pass from then on.", law("27B2, 27B3")),
    Statement("BR-36A", "What was called over a double that could not be made is cancelled with it, if the auction goes back to who doubled.", law("36A")),
    Statement("BR-36B", "Who makes another call in place of a double or redouble that could not be made bars the partner.", law("36B")),
    Statement("BR-38B", "Who passes in place of a bid above seven must pass from then on, and so must the partner.", law("38B")),
    Statement("BR-36C", "A double that could not be made is as if it had not been made, if it is noticed after the opening lead.", law("36C")),
    Statement("BR-77", "A score is of a side; what one side scores at duplicate, the other loses.", law("77")),
)  # fmt: skip

# --- the score ------------------------------------------------------------------------------------------------------

SAYS = "{seat} is recorded with {found} points for {bid} with {tricks} tricks, but that makes {due} ({lines}){as_if}"


def scored(id: str, sentence: str, at: Citation) -> Rule:
    """The rule of a line of the score."""
    return rulebook.SCORE.of(id, at, sentence, says=SAYS)


ODD = scored("BR-77a", "Each odd trick of a contract made counts 20 in clubs and diamonds, 30 in hearts and spades, at no trump 40 for the first and 30 for each further; doubled twice that, redoubled four times.", law("77"))  # fmt: skip
OVERTRICKS = scored("BR-77b", "An overtrick counts as an odd trick, doubled 100 or vulnerable 200, redoubled twice that.", law("77"))  # fmt: skip
PREMIUM = scored("BR-77c", "A contract of 100 or more points for odd tricks is a game, 300 or vulnerable 500; one of fewer a part score, 50.", law("77"))  # fmt: skip
SLAM = scored("BR-77d", "A small slam counts 500 or vulnerable 750 more, a grand slam 1000 or 1500.", law("77"))  # fmt: skip
INSULT = scored("BR-77e", "Making a doubled contract counts 50 more, a redoubled one 100.", law("77"))  # fmt: skip
UNDERTRICKS = scored("BR-77f", "Each undertrick costs 50 or vulnerable 100; doubled the first costs 100, the second and third 200, each further 300, or vulnerable the first 200, each further 300; redoubled twice that.", law("77"))  # fmt: skip

SCORE = (
    Line("odd", ODD, points.duplicate(points.odd)),
    Line("overtricks", OVERTRICKS, points.duplicate(points.overtricks)),
    Line("game", PREMIUM, points.duplicate(points.game_premium)),
    Line("part", PREMIUM, points.duplicate(points.part_premium)),
    Line("slam", SLAM, points.duplicate(points.slam)),
    Line("insult", INSULT, points.duplicate(points.insult)),
    Line("undertricks", UNDERTRICKS, points.duplicate(points.undertricks)),
)

# --- rubber and Chicago ---------------------------------------------------------------------------------------------


def at_rubber(section: str, standing: Standing = "stated") -> Citation:
    """The citation of a part of the Laws of Rubber Bridge."""
    return Citation(RUBBER, section, standing)


def columns(vulnerable: Callable[[Any], Any], own: Line) -> tuple[Line, ...]:
    """The score where each side has a column of its own; `own` is the line that only this form has."""
    return (
        Line("odd", ODD, points.below),
        Line("overtricks", OVERTRICKS, points.of_declarer(points.overtricks, vulnerable)),
        Line("slam", SLAM, points.of_declarer(points.slam, vulnerable)),
        Line("insult", INSULT, points.of_declarer(points.insult, vulnerable)),
        Line("undertricks", UNDERTRICKS, points.of_defenders(points.undertricks, vulnerable)),
        Line("honours", scored("BR-81", "Honours count for the side that held them in one hand, whoever declares.", at_rubber("the score")), points.honours),
        own,
    )  # fmt: skip


#: Points below the line that are no game yet.
PARTS = (0, *range(20, 100, 10))
TOWARDS = (Carry("part", points.part, PARTS), Carry("their_part", points.their_part, PARTS))

RUBBER_SCORE = columns(
    points.by_games,
    Line("rubber", scored("BR-80", "Who wins two games wins the rubber, and 700 points for it, or 500 if the other side has won one.", at_rubber("the score")), points.rubber_bonus),
)  # fmt: skip
RUBBER_CARRIES = (*TOWARDS, Carry("games", points.games, (0, 1)), Carry("their_games", points.their_games, (0, 1)))

CHICAGO_SCORE = columns(
    points.by_deal,
    Line("bonus", scored("BR-82", "A game counts 300 or vulnerable 500, a part score in the fourth deal 100.", at_rubber("four-deal bridge")), points.chicago_bonus),
)  # fmt: skip
CHICAGO_CARRIES = (*TOWARDS, Carry("deal", points.deals, (0, 1, 2, 3)))


def two_games(standing: Standings) -> bool:
    """A side has won two games."""
    return max(standing.carried.get("games", (0,))) >= 2


def four_deals(standing: Standings) -> bool:
    """Four deals have been played for a contract."""
    return max(standing.carried.get("deal", (0,))) >= 4


def left_off(standing: Standings) -> tuple[int, ...]:
    """A rubber that is not finished: 300 for the only game, 100 for the only part score."""
    games, parts = (standing.carried.get(key, (0,) * len(standing.totals)) for key in ("games", "part"))
    alone = [(games[seat] > games[seat - 1], (parts[seat] > 0) & (parts[seat - 1] == 0)) for seat in range(len(games))]
    more = [0 if max(games) >= 2 else 300 * game + 100 * part for game, part in alone]
    return tuple(total + bonus for total, bonus in zip(standing.totals, more, strict=True))


# --- the options ----------------------------------------------------------------------------------------------------


def _free(game: Game, value: str) -> Game:
    """Boards whose numbers bind nobody: what differs from them is worth a word, and no more."""
    rules = tuple(replace(rule, severity="warning") if rule in BOARD else rule for rule in game.rules)
    return with_phase(replace(game, rules=rules), Calls, boards=value)


def by_scoring(game: Game, form: str) -> Game:
    """Rubber or Chicago in place of duplicate."""
    rubber = form == "rubber"
    ended = (
        "A rubber ends when a side has won two games." if rubber else "Chicago ends after four deals, besides those passed out."
    )
    rules = (
        rulebook.TOTAL.of("BR-83", at_rubber("the score"), "The points of each deal are added to those of the side."),
        rulebook.GAME_END.of("BR-84", at_rubber("the score"), ended, says="{found} deals are recorded as the whole game, but by the rules it has {due}"),
        rulebook.GAME_WINNER.of("BR-85", at_rubber("the score"), "The side with more points wins."),
        rulebook.HONOURS.of("BR-81", at_rubber("the score")),
    )  # fmt: skip
    return replace(
        with_phase(with_phase(game, Stakes, scoring=form), Calls, boards="none"),
        score=RUBBER_SCORE if rubber else CHICAGO_SCORE,
        carries=RUBBER_CARRIES if rubber else CHICAGO_CARRIES,
        over=two_games if rubber else four_deals,
        unfinished=left_off if rubber else game.unfinished,
        winners=highest_total,
        rotates=True,
        redealt=not rubber,
        rules=(*game.rules, *rules),
    )


OPTIONS = (
    Option(
        "boards", "duplicate", "The number of a board says who deals and who is vulnerable, or it is a number and no more.", law("2"),
        _free, choices=("duplicate", "free"),
    ),
    Option(
        "scoring", "duplicate", "How a deal is scored: by itself at duplicate, or as a part of a rubber, or of four deals of Chicago.", law("77"),
        by_scoring, choices=("duplicate", "rubber", "chicago"), variant=True,
    ),
    Option(
        "chicago", "dealer", "Which side is vulnerable in the second and the third deal of Chicago: the dealer's, or the other.", at_rubber("four-deal bridge", "house"),
        lambda game, _: with_phase(game, Stakes, others=True), choices=("dealer", "others"), requires=frozenset({"scoring"}), variant=True,
    ),
    Option(
        "match", "by_tables", "How the tables of a board are compared: by IMPs, by matchpoints, or by points in all; by_tables is IMPs where there are two, else matchpoints.", law("78"),
        lambda game, value: replace(game, winners=highest_total) if value == "total" else game, choices=("by_tables", "imps", "matchpoints", "total"),
    ),
    Option(
        "matchpoints", "two_one", "What a result beaten and an equal one count at matchpoints: two and one, or one and a half.", law("78"),
        lambda game, _: game, choices=("two_one", "one_half"),
    ),
)  # fmt: skip

NOTATION = Notation(
    lines=(
        ("deal 1 board 1 dealer N vulnerable none", "the board; vulnerable none, all, NS or EW"),
        ("bid N pass  E 2D  S X  W 4D", "calls in turn: 1C to 7NT, pass, X, XX, and ? for one that nobody wrote down"),
        ("bid N: pass 2D X 4D", "the same, from the seat with the colon on"),
        ("alert @2 weak", "what the deal's second event was said to mean; `explanation @2 weak` where nobody alerted it"),
        ("withdraw E bid 1H", "a call taken back"),
        ("contract 4D by E", "what the auction led to: 4Hx doubled, 3NTxx redoubled, pass where all passed"),
        ("1 S 2C QC 7C TC", "trick 1: who led, and the cards in turn, dummy's under dummy's seat"),
        ("withdraw E TC", "a card taken back before the next one"),
        ("accuse N of E trick 1", "a revoke is claimed; what came of it: `ruling E upheld trick 1`, or rejected, or undecided"),
        ("claim E  N 2  E 5  S 3  W 1", "who takes how many of the tricks that are left"),
        ("tricks N 4  E 3  S 3  W 3", "the sheet; so too `winners`, `trump`, and `side NS tricks 7 score 200 imps 3`"),
    ),
    example="""\
%hrt 1
game bridge
seats N=Ann E=Bo S=Cy W=Di
status excerpt

deal 1 board 1 dealer N vulnerable none status claimed
hand N AJ85.82.KJT9.754
hand E KT942.Q63.A832.T
hand S 76.JT5.64.AKJ932
hand W Q3.AK974.Q75.Q86
bid N pass  E 2D  S 3D  W 4D
bid N pass  E pass  S pass
contract 4D by E
1 S 2C QC 7C TC
2 W 9H 8H QH 5H
3 E 9S 6S 3S JS
claim N  N 3  E 2  S 3  W 2
side NS tricks 7 score 200
""",
)

GAME = Game(
    key="bridge",
    title="Contract bridge",
    summary="An auction, then thirteen tricks to a contract: follow suit, highest trump wins; scored by board, rubber or Chicago.",
    source=SOURCE,
    players=(4,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 13,
    aside=lambda players, cards: {},
    phases=(
        Calls("a contract such as 4H or 3NTx", strain, (*SUITS, "NT")),
        Tricks(leader, proxy=declarer_and_dummy),
        Stakes(),
        Conduct(),
    ),
    order=order,
    rules=RULES,
    definitions=DEFINITIONS,
    score=SCORE,
    winners=nobody,
    options=OPTIONS,
    notation=NOTATION,
    partners=True,
    rotates=False,
    enclosed=(Enclosed(lambda record: table_of(record) is not None, tabled),),
)
