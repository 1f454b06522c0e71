"""La Bâtarde (the Bastard): bid your tricks exactly, under a trump suit, all trumps or none that an auction decides.

Source: the rulebook of the game's box, whose pictures are lost; the orders of cards and modes that they showed are
inferred. Rule ids are those of the project's digest of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from handrec import rulebook
from handrec.cards import SUITS, Order, Pack, by_suit
from handrec.findings import Citation, Rule, Standing, Work
from handrec.game import Carry, Case, Game, Line, Notation, Option, Sight, Standings, Statement, with_phase, with_rule
from handrec.masks import pick, prefer, when
from handrec.phases.auction import Auction
from handrec.phases.conduct import Conduct
from handrec.phases.tricks import Tricks

SOURCE = Work(
    "La Bâtarde: book of rules",
    "Fédération Internationale de Bâtarde Méchounée",
    "labatarde.com; the pictures of the orders of cards and suits are lost",
)


def stands(section: str, standing: Standing = "stated") -> Citation:
    """The citation of a section of the source."""
    return Citation(SOURCE, section, standing)


# --- packs, hands, ranks --------------------------------------------------------------------------------------------

#: From high to low: Roi, Dame, Cavalier, Valet, Fou, Musicien, Jongleur, chieN, chaT; and with the artists in power.
NORMAL = "RDCVFMJNT"
ARTISTS = "FMJRDCVNT"
MODES = ("AT", "S", "H", "D", "C", "NT")

ONE_PACK = Pack("36", tuple(card for suit in by_suit(NORMAL[::-1]) for card in suit))
TWO_PACKS = Pack("2x36", tuple(card + mark for card in ONE_PACK.cards for mark in "sm"))

#: The smallest and the largest hand of a rubber, by players.
HANDS = {3: (7, 12), 4: (5, 9), 5: (9, 14), 6: (7, 12), 7: (5, 10)}


def pack(players: int) -> Pack:
    """One pack for three or four, two shuffled together for more: the marked one and the simple one."""
    return ONE_PACK if players < 5 else TWO_PACKS


def marks(players: int) -> tuple[str, ...]:
    """The packs of which a call names one as the stronger, where there are two."""
    return () if players < 5 else ("m", "s")


@cache
def rubber(players: int) -> tuple[int, ...]:
    """Hands grow by one card to the largest, which is dealt twice, and shrink again."""
    low, high = HANDS[players]
    return (*range(low, high + 1), *range(high, low - 1, -1))


@cache
def _ranks(players: int, mode: str, stronger: str, normal: str, artists: str, first: bool, last: bool) -> Order:
    """Suits and ranks in a mode; `stronger` is the pack whose card stands above its twin; or the `first` or `last` played does."""
    letters = [artists if mode in ("AT", suit) else normal for suit in SUITS]
    twins = [""] if players < 5 else [*{"m", "s"} - {stronger}, stronger]
    suits = [
        [rank + suit + mark for rank in reversed(ranks) for mark in twins] for suit, ranks in zip(SUITS, letters, strict=True)
    ]
    shown = mode + ("" if first or last else stronger)
    order = Order.of(pack(players), shown, suits, trump=SUITS.index(mode) if mode in SUITS else None)
    beats = [above & ~(first << (card ^ 1)) | last << (card ^ 1) for card, above in enumerate(order.beats)]
    return replace(order, beats=tuple(beats), trumps=order.pack.full if mode == "AT" else order.trumps)


@dataclass(frozen=True)
class CalledRanks:
    """Suits and ranks by the mode that is played, and by the pack that was called the stronger."""

    normal: str = NORMAL
    artists: str = ARTISTS
    identical: str = "bid"

    def __call__(self, sight: Sight) -> Order | None:
        """The order; None while mode or stronger pack are not known."""
        if sight.contract is None:
            return None
        mode, mark = sight.contract.rstrip("ms"), sight.contract.lstrip("ATSHDCN")
        first, last = self.identical == "first_played", self.identical == "last_played"
        stronger = {"bid": mark, "marked": "m", "simple": "s"}.get(self.identical, "m")
        two = sight.players > 4
        if two and not stronger:
            return None
        return _ranks(sight.players, mode, stronger if two else "", self.normal, self.artists, two and first, two and last)


# --- the rules ------------------------------------------------------------------------------------------------------


def _too_low(call: Any) -> Any:
    """A call that imposes a mode is no higher than the number of whoever imposed the one that stands."""
    return call.imposes & ((call.value < call.proposed) | ((call.value == call.proposed) & (call.rank <= call.standing)))


def _too_low_for_all(call: Any) -> Any:
    """A call that imposes a mode is no higher than the highest number called in the one that stands."""
    return call.imposes & ((call.value < call.highest) | ((call.value == call.highest) & (call.rank <= call.standing)))


def _follow(view: Any, legal: Any) -> Any:
    """Whoever can follow does."""
    return prefer(legal & view.led, legal)


def _ruff(view: Any, legal: Any) -> Any:
    """Who cannot follow plays a trump; where all are trumps, any card."""
    return when(view.led, prefer(legal & view.led, prefer(legal & view.trumps, legal)), legal)


def _rise(view: Any, legal: Any) -> Any:
    """A trump that is played beats those before it, if one can."""
    return prefer(legal & view.trumps & view.rising, legal)


def _rise_on_trumps(view: Any, legal: Any) -> Any:
    """A trump that is played to a lead of trumps beats those before it, if one can."""
    return prefer(legal & view.led & view.trumps & view.rising, legal)


def _no_trumps(view: Any) -> Any:
    """Nothing is trump."""
    return view.trumps == 0


def _plain_led(view: Any) -> Any:
    """There is a trump suit, and another suit is led."""
    return (view.trumps != 0) & (view.trumps & view.led == 0)


def _trumps_led(view: Any) -> Any:
    """The trump suit is led."""
    return (view.trumps == view.led) & (view.led != 0)


def _all_trumps(view: Any) -> Any:
    """A suit is led where all are trumps."""
    return (view.trumps & view.led != 0) & (view.trumps != view.led)


def _other_trump(view: Any) -> bool:
    """Whether the sheet has another mode, or another pack as the stronger; it need not name the pack."""
    return view.found not in (view.due, view.due.rstrip("ms"))


OVERRUFF = MUST_RISE = Rule(
    "REV004", "must-rise", "L4", "Whoever ruffs beats the trumps played before, if able.",
    "{seat} played {card} on a lead of {led} while holding {could}",
    id="LB-25b", citation=stands("How to play the cards; summary in Bidding", "uncertain"), on="play", narrow=Case(_rise, _plain_led),
)  # fmt: skip

RULES = (
    rulebook.PLAYERS.of("LB-1", stands("The game set; Dealing the cards"), "Three to seven play at one table, each for themselves."),
    rulebook.CARD_FOREIGN.of("LB-2", stands("The game set; Dealing the cards"), "Three or four play with one pack of 36 cards, five to seven with two, a marked and a simple one."),
    rulebook.DEALER.of("LB-4", stands("Dealing the cards"), "After each hand the deal passes to the left."),
    rulebook.DEALT_ORDER.of("LB-5", stands("Dealing the cards"), "Cards are dealt one by one, clockwise from the dealer's left."),
    rulebook.LADDER.of("LB-5", stands("Dealing the cards"), "Hands grow by a card from the smallest to the largest, which is dealt twice, and shrink to the smallest again."),
    rulebook.BID_TURN.of("LB-12", stands("How to play the game; Bidding"), "The dealer's left calls first, then everybody in turn; nobody passes."),
    Rule(
        "BID002", "bid-value", "L3", "A call is a number of tricks, none to all of the hand, with a mode.",
        "{seat} bid {bid}, but a call here is {allowed}",
        id="LB-12", citation=stands("Bidding"), on="bid", check=lambda call: (call.value < 0) | (call.value > call.cards),
    ),
    Rule(
        "BID009", "auction-locked", "L3", "After a méchoune nobody changes the mode, not even with a higher call.",
        "{seat} bid {bid}, but {locker} had méchouned {standing}",
        id="LB-19", citation=stands("The méchoune"), on="bid", check=lambda call: call.imposes & call.locked,
    ),
    Rule(
        "BID010", "mark", "L3", "With two packs, a call that imposes a mode names the stronger pack, and one that approves does not change it.",
        "{seat} bid {bid}: a new mode needs a mark, and an approval keeps the mark of {standing}",
        id="LB-13", citation=stands("The Bastard with 5 or 6 players", "house"), on="bid",
        check=lambda call: (call.imposes & call.unmarked) | call.remarked,
    ),
    Rule(
        "BID008", "overcall", "L3", "To impose a mode takes more tricks than the player called who imposed the one that stands, or as many in a higher mode.",
        "{seat} bid {bid}, which is not higher than {standing}",
        id="LB-14", citation=stands("Bidding"), on="bid", check=_too_low,
    ),
    Rule(
        "BID003", "bid-sum", "L3", "The player who calls last may not make the numbers add up to the tricks of the hand.",
        "{seat} bid {bid} as the last, and so the numbers add up to {cards}",
        id="LB-17", citation=stands("Case of the last player to bid"), on="bids", check=lambda call: call.value + call.others == call.cards,
    ),
    rulebook.BID_TWICE.of("LB-16", stands("Bidding"), "Everybody has one number in the mode that is played."),
    rulebook.BID_MISSING.of(
        "LB-16", stands("Bidding"), "The auction goes on until everybody has called in the same mode.", says="{seat} {did}"
    ),
    rulebook.BID_LATE.of("LB-16", stands("Bidding"), "The auction is over when the first card is led."),
    Rule(
        "BID016", "call-after-the-end", "L3", "When everybody has called in the same mode, the auction is over.",
        "{seat} bid {bid} when everybody had called in {mode}",
        id="LB-16", citation=stands("Bidding"), judged_by="the auction",
    ),
    Rule(
        "BID011", "doubling-seat", "L3", "A hand is méchouned once.",
        "{seat} {what}, but {why}",
        id="LB-19", citation=stands("The méchoune"), judged_by="the auction", about=("mechoune again",),
    ),
    Rule(
        "BID011", "doubling-seat", "L3", "A hand is chouned once, by the player who imposed the mode that another has méchouned.",
        "{seat} {what}, but {why}",
        id="LB-21", citation=stands("The méchoune"), judged_by="the auction", about=("choune again", "choune barred"),
    ),
    Rule(
        "BID012", "doubling-time", "L3", "There is something to méchoune only when a mode is called.",
        "{seat} {what} {why}",
        id="LB-19", citation=stands("The méchoune"), judged_by="the auction", about=("mechoune early",),
    ),
    Rule(
        "BID012", "doubling-time", "L3", "Méchoune is said before the last call is made.",
        "{seat} {what} {why}",
        id="LB-20", citation=stands("The méchoune"), judged_by="the auction", about=("mechoune late",),
    ),
    Rule(
        "BID012", "doubling-time", "L3", "Choune is said after a méchoune and before the first card.",
        "{seat} {what} {why}",
        id="LB-21", citation=stands("The méchoune"), judged_by="the auction", about=("choune early", "choune late"),
    ),
    replace(rulebook.TRUMP, check=_other_trump),
    rulebook.WRONG_LEADER.of("LB-18", stands("How to play the cards"), "The dealer's left leads to the first trick, whoever imposed the mode; the winner of each trick leads to the next."),
    rulebook.FIRST_LEADER.of("LB-18", stands("How to play the cards"), "The dealer's left leads to the first trick."),
    rulebook.OUT_OF_TURN.of("LB-18", stands("How to play the cards"), "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("LB-24", stands("How to play the cards"), "Without trumps, follow the suit led if you can; otherwise play any card.", narrow=Case(_follow, _no_trumps)),
    rulebook.FOLLOW_SUIT.of("LB-25a", stands("How to play the cards"), "Follow a plain suit if you can, with any card of it: nobody has to beat anything there.", narrow=Case(_follow, _plain_led)),
    rulebook.FOLLOW_SUIT.of("LB-26", stands("How to play the cards"), "Follow a lead of trumps if you can; without a trump play any card.", narrow=Case(_follow, _trumps_led)),
    rulebook.FOLLOW_SUIT.of("LB-27", stands("How to play the cards"), "At all trumps, follow the suit led if you can; whoever cannot discards, and nothing is ruffed.", narrow=Case(_follow, _all_trumps)),
    Rule(
        "REV003", "must-trump", "L4", "Whoever cannot follow a plain suit plays a trump, a lower one too, and only without one any card.",
        "{seat} played {card} on a lead of {led} while holding {could}",
        id="LB-25b", citation=stands("How to play the cards"), on="play", narrow=_ruff,
    ),
    OVERRUFF,
    MUST_RISE.of("LB-26", stands("How to play the cards"), "On a lead of trumps, play a higher one than those before, if able.", narrow=Case(_rise, _trumps_led)),
    MUST_RISE.of("LB-27", stands("How to play the cards"), "At all trumps, play a higher card of the suit led than those before, if able.", narrow=Case(_rise, _all_trumps)),
    rulebook.WINNER.of("LB-29", stands("How to play the cards; summary in Bidding"), "The highest trump wins the trick, or else the highest card of the suit led; discards never win."),
    rulebook.GAME_WINNER.of("LB-31", stands("How to play the cards; Counting points"), "After the rubber, whoever has the fewest negative points wins; equal totals share."),
    rulebook.GAME_END.of("LB-31", stands("Dealing the cards"), "The rubber is over when all its hands are dealt."),
)  # fmt: skip

DEFINITIONS = (
    Statement("LB-3", "Counters show what was called and won; they are no part of the rules.", stands("What the counters are for")),
    Statement("LB-6", "Cards that are not dealt stay face down and out of play; none is turned up.", stands("Dealing the cards", "inferred")),
    Statement("LB-7", "A table may deal other numbers of cards, as the example with five cards for three does.", stands("Dealing the cards; Case of the last player to bid", "house")),
    Statement("LB-8", "Without trumps and in plain suits: King, Dame, Cavalier, Valet, Fool, Musician, Juggler, Dog, Cat.", stands("How to play the game", "inferred")),
    Statement("LB-9", "In trumps, and in every suit at all trumps, the artists come first: Fool, Musician, Juggler, then King, Dame, Cavalier, Valet, Dog, Cat.", stands("How to play the game", "inferred")),
    Statement("LB-10", "Of two identical cards the one of the pack named in the call is the higher, in every suit and mode.", stands("The Bastard with 5 or 6 players")),
    Statement("LB-11", "The modes are, from high to low: all trumps, spades, hearts, diamonds, clubs, no trumps.", stands("How to play the game; Bidding", "inferred")),
    Statement("LB-15", "A call that imposes a mode cancels all calls before it, and everybody else calls again.", stands("Bidding")),
    Statement("LB-22", "A hand that is méchouned counts twice, one that is chouned four times, for everybody.", stands("The méchoune; Counting points")),
    Statement("LB-23", "The leader plays any card.", stands("How to play the cards")),
    Statement("LB-28", "The stronger twin of the highest card is higher than it, and must be played; the weaker is not.", stands("The Bastard with 5 or 6 players", "inferred")),
)  # fmt: skip

# --- the score ------------------------------------------------------------------------------------------------------

MISSED = rulebook.SCORE.of(
    "LB-30",
    stands("Counting points"),
    "Every trick more or fewer than called costs a point, two after a méchoune, four after a choune.",
)


def _missed(hand: Any) -> Any:
    return abs(hand.tricks - hand.value)


SCORE = (
    Line("missed", MISSED, lambda hand: -_missed(hand)),
    Line("mechoune", MISSED, lambda hand: -pick(hand.times > 1, _missed(hand), 0)),
    Line("choune", MISSED, lambda hand: -pick(hand.times > 2, 2 * _missed(hand), 0)),
)

MOST = Carry(
    "times_most", lambda hand: pick(hand.times > hand.times_most, hand.times, hand.times_most), values=(1, 2, 4), start=1
)


def rubber_doubled(standing: Standings) -> tuple[int, ...]:
    """The totals, times two if any hand of the rubber was méchouned, times four if one was chouned."""
    times = max(standing.carried[MOST.key])
    return tuple(total * times for total in standing.totals)


# --- the options ----------------------------------------------------------------------------------------------------


def _ranked(game: Game, **changes: Any) -> Game:
    assert isinstance(game.order, CalledRanks)
    return replace(game, order=replace(game.order, **changes))


def _anagram(of: str) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and sorted(value) == sorted(of)


def _schedule(value: Any) -> bool:
    return value == "standard" or (
        isinstance(value, list) and 0 < len(value) <= 1000 and all(type(cards) is int and 1 <= cards <= 24 for cards in value)
    )


def _hierarchy(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(mode, str) for mode in value) and sorted(value) == sorted(MODES)


def _identical(game: Game, value: Any) -> Game:
    return with_phase(_ranked(game, identical=value), Auction, decides=False)


def _not_one_s_own(game: Game, _: Any) -> Game:
    own = Rule(
        "BID011", "doubling-seat", "L3", "Nobody méchounes a mode that is the player's own.",
        "{seat} {what}, but {why}",
        id="LB-20", citation=stands("The méchoune", "house"), judged_by="the auction", about=("mechoune barred",),
    )  # fmt: skip
    return replace(with_phase(game, Auction, by_imposer=False), rules=(*game.rules, own))


def _ruff_freely(game: Game, _: Any) -> Game:
    return replace(
        game,
        rules=tuple(
            replace(rule, narrow=Case(_rise_on_trumps, rule.narrow.where))
            if isinstance(rule.narrow, Case) and rule.narrow.what is _rise
            else rule
            for rule in game.rules
            if rule is not OVERRUFF
        ),
    )


def _whole_rubber(game: Game, _: Any) -> Game:
    total = rulebook.TOTAL.of(
        "LB-22", stands("The méchoune", "uncertain"), "Points are added up, and in the end all count twice, or four times, if any hand was méchouned or chouned."
    )  # fmt: skip
    return replace(game, score=SCORE[:1], carries=(MOST,), final=rubber_doubled, rules=(*game.rules, total))


OPTIONS = (
    Option(
        "deal_schedule", "standard", "The cards a hand of each deal of the rubber.", stands("Dealing the cards", "house"),
        lambda game, value: replace(game, cards=lambda players: tuple(value)),
        choices=("standard",), accepts=_schedule, form="standard, or a list of numbers of cards such as [5, 5, 5]", examples=([5, 6, 5],),
    ),
    Option(
        "normal_order", NORMAL, "The cards of plain suits and at no trumps, from high to low.", stands("How to play the game", "inferred"),
        lambda game, value: _ranked(game, normal=value),
        accepts=_anagram(NORMAL), form=f"the nine letters of {NORMAL} in any order", examples=(NORMAL[::-1],),
    ),
    Option(
        "trump_order", ARTISTS, "The cards of trumps, from high to low.", stands("How to play the game", "inferred"),
        lambda game, value: _ranked(game, artists=value),
        accepts=_anagram(NORMAL), form=f"the nine letters of {ARTISTS} in any order", examples=("JMFRDCVNT",),
    ),
    Option(
        "identical_cards", "bid", "Which of two identical cards is the higher: that of the pack in the call, the first or last played, or always the same.",
        stands("The Bastard with 5 or 6 players"), _identical,
        choices=("bid", "first_played", "last_played", "marked", "simple"),
    ),
    Option(
        "suit_hierarchy", list(MODES), "The modes from high to low.", stands("Bidding", "inferred"),
        lambda game, value: with_phase(game, Auction, modes=tuple(value)),
        accepts=_hierarchy, form=f"a list of {', '.join(MODES)} in any order", examples=(["NT", "AT", "S", "H", "D", "C"],),
    ),
    Option(
        "mark_change", "forbidden", "Whether a call in the same mode may name the other pack: not at all, or as a new mode, with more tricks.",
        stands("The Bastard with 5 or 6 players", "house"), lambda game, _: with_phase(game, Auction, remark=True),
        choices=("forbidden", "as_new_trump"),
    ),
    Option(
        "overcall_basis", "proposer", "What a new mode has to exceed: the number of whoever imposed the one that stands, or the highest called in it.",
        stands("Bidding", "uncertain"),
        lambda game, _: with_rule(game, replace(game.rule("BID008"), check=_too_low_for_all, sentence="To impose a mode takes more tricks than anybody called in the one that stands, or as many in a higher mode.")),
        choices=("proposer", "highest"),
    ),
    Option(
        "zero_impose", True, "Whether a call for no tricks may impose a mode.", stands("Bidding", "house"),
        lambda game, _: with_rule(game, replace(game.rule("BID002"), check=lambda call: (call.value < 0) | (call.value > call.cards) | (call.imposes & (call.value < 1)), sentence="A call is a number of tricks, up to all of the hand, with a mode; to impose one takes at least one trick.")),
        choices=(True, False),
    ),
    Option(
        "mechoune_by", "any", "Who may méchoune: anybody, or not the player who imposed the mode.", stands("The méchoune"),
        _not_one_s_own, choices=("any", "not_proposer"),
    ),
    Option(
        "choune_by", "proposer", "Who may choune: the player who imposed the mode, or anybody who has called in it, but not who méchouned.",
        stands("The méchoune"), lambda game, value: with_phase(game, Auction, answered_by=value), choices=("proposer", "any_bidder"),
    ),
    Option(
        "mechoune_scope", "hand", "What a méchoune doubles: the points of the hand, or in the end those of the whole rubber.",
        stands("The méchoune; Counting points", "uncertain"), _whole_rubber,
        choices=("hand", "rubber"),
    ),
    Option(
        "overruff", "must_if_able", "Whether a ruff must beat the ruff before it if able, or may be any trump.", stands("How to play the cards", "uncertain"),
        _ruff_freely, choices=("must_if_able", "free"),
    ),
    Option(
        "tie", "shared", "Equal totals share the rubber, or play off for it.", stands("Counting points", "house"),
        lambda game, _: replace(game, tie_break=True), choices=("shared", "play_off"),
    ),
)  # fmt: skip


def aside(players: int, cards: int) -> Mapping[str, int]:
    """The cards that are left over stay unseen."""
    return {"stock": len(pack(players)) - players * cards}


NOTATION = Notation(
    lines=(
        (
            "bid W 4H  N 3AT",
            "calls as they were made: tricks, then S, H, D, C, AT or NT; with two packs the mark of one too: 4Sm, 3NTs",
        ),
        ("contract AT by N", "the mode that the auction led to and who imposed it, where its calls were not written down"),
        ("mechoune W", "the auction is interrupted"),
        ("choune E", "announced before the first card"),
        ("1 E MD DD FS VD", "trick 1: who led, and the cards in turn; ranks R D V C F M and J N T, with two packs a mark: DHm"),
        ("withdraw E MD", "a card taken back before the next one"),
        ("accuse N of E trick 1", "a renege is claimed; what came of it: `ruling E upheld trick 1`, or rejected, or undecided"),
        ("penalty E 5 for renege", "points off a player's total"),
        ("claim E  N 0  E 1  S 2  W 2", "who takes how many of the tricks that are left"),
        (
            "tricks N 0  E 1  S 2  W 2",
            "the sheet; so too `winners`, `scores`, `totals`, `trump`, and `claimed bids N 3AT  E 1AT`",
        ),
    ),
    example="""\
%hrt 1
game batarde
seats N=Ann E=Bo S=Cy W=Di
status excerpt

deal 1 dealer W
hand N JS VD JD VC FC
hand E CS CH NH MD ND
hand S DH MH DD CD TC
hand W FS JH TH DC MC
bid N 1S  E 2NT  S 3H  W 4H
bid N 3AT  E 1AT  S 2AT  W 1AT
1 N VD MD DD FS
2 E CH DH JH JS
3 W TH JD NH MH
4 S CD DC FC ND
5 S TC MC VC CS
trump AT
tricks N 0  E 1  S 2  W 2
scores N -3  E 0  S 0  W -1
""",
)

GAME = Game(
    key="batarde",
    title="La Bâtarde",
    summary="Call your tricks exactly in an auction for trumps; 36 or 72 cards, artists on top in trumps, trumps must rise.",
    source=SOURCE,
    players=tuple(HANDS),
    pack=pack,
    cards=rubber,
    aside=aside,
    phases=(Auction(MODES, marks=marks), Tricks(), Conduct()),
    order=CalledRanks(),
    rules=RULES,
    definitions=DEFINITIONS,
    score=SCORE,
    options=OPTIONS,
    notation=NOTATION,
)
