"""The Bastard family: three players, bids of tricks, and cards set aside that decide what is trump, high or low.

Source: P. D. Magnus, "Bastard". Basic and Ultimate set four cards aside; in the other variants a stack of 13, the Bastard,
turns a card for every trick. Rule ids are BA- and the section of our digest of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from handrec import rulebook
from handrec.cards import FRENCH_52, RANKS, SUITS, UNKNOWN, Order
from handrec.findings import Citation, Rule, Standing, Work
from handrec.game import Carry, Game, Line, Notation, Option, Sight, Standings, Statement, Table, with_phase, with_rule
from handrec.masks import pick
from handrec.phases.bids import Bids
from handrec.phases.conduct import Conduct
from handrec.phases.facing import Facing, after_trick, as_played, every_trick, first_three
from handrec.phases.guesses import Guesses

SOURCE = Work(
    "Bastard",
    "P. D. Magnus",
    "fecundity.com/pmagnus/bastard.html, the author's best recollection",
    "https://www.fecundity.com/pmagnus/bastard.html",
)


def stands(section: str, standing: Standing = "stated") -> Citation:
    """The citation of a section of the source."""
    return Citation(SOURCE, section, standing)


BASIC, MEGA, ULTRA, DEMON = stands("Basic Bastard"), stands("Mega Bastard"), stands("Ultra Bastard"), stands("Demon Bastard")
NUISANCE, BACK_END, ULTIMATE = stands("Nuisance Bastard"), stands("Back End Bastard"), stands("Ultimate Bastard")


def house(citation: Citation) -> Citation:
    """A section that leaves the question open, so that we had to decide."""
    return replace(citation, standing="house")


# --- trump, high and low --------------------------------------------------------------------------------------------


@cache
def _ranks(trump: str, high: str, low: str, spared: str) -> Order:
    """Aces high, but one rank above them and one below the deuces; neither in the suit that is spared."""
    moved = low + "".join(rank for rank in RANKS if rank not in high + low) + high
    suits = [[rank + suit for rank in (RANKS if suit == spared else moved)] for suit in SUITS]
    return Order.of(FRENCH_52, trump, suits, trump=SUITS.index(trump) if trump in SUITS else None)


@dataclass(frozen=True)
class TurnedRanks:
    """Trump, high and low rank in a trick, by the cards turned; a card not seen leaves open what it decides.

    Until a trick is settled, what is not yet turned is not known, and nothing depends on it.
    """

    mega: bool = False
    ultra: bool = False
    demon: bool = False
    nuisance: bool = False
    back_end: bool = False
    ultimate: bool = False
    first_rank: bool = True  # whether the rank of the first card counts in Ultra Mega and Demon Mega
    own_rank: bool = True  # whether the Bastard's own card is high or low too
    nuisance_trump: str = "first_card_for_hand"
    same_rank: str = "cancel"
    breaking: bool = False  # whether somebody has to know trump while playing

    def __call__(self, sight: Sight) -> Order | None:
        """Suits and ranks of a trick."""
        hidden = self.back_end and not sight.done
        turned = sight.turned[: sight.trick - 1] if hidden else sight.turned
        turned = tuple(card if card[0] in RANKS + "?" and card[1] in SUITS + "?" else UNKNOWN for card in turned)
        trump, high, low, spared = self._widow(turned) if self.four_aside else self._stack(turned, sight.trick)
        if hidden and not turned:
            return _ranks("NT", "", "", "")
        if (trump == "?" and (sight.done or self.breaking)) or (sight.done and "?" in high + low + spared):
            return None
        return _ranks("NT" if trump == "?" else trump, high.strip("?"), low.strip("?"), spared)

    def decided_by(self, trick: int, done: bool) -> tuple[tuple[int, ...], int]:
        """The places of the cards turned that decide, and which tricks are alike: for those who reckon many deals at once."""
        return ((0, 1, 2), 0) if self.four_aside else ((0, trick - 1), trick)

    @property
    def moved(self) -> bool:
        """Whether each card turned moves a rank up or down in its trick."""
        return self.ultra or self.demon

    @property
    def four_aside(self) -> bool:
        """Whether four cards are set aside: Basic and Ultimate."""
        return not (self.mega or self.ultra or self.demon or self.nuisance)

    @property
    def fixed(self) -> bool:
        """Whether one suit is trump for the whole hand."""
        return not self.mega and self.nuisance_trump == "first_card_for_hand"

    def _widow(self, turned: tuple[str, ...]) -> tuple[str, str, str, str]:
        """The first card's suit is trump unless all three are of it; in Ultimate the second is high and the third low."""
        first, second, third = (*turned, "??", "??", "??")[:3]
        suits = {first[1], second[1], third[1]} - {"?"}
        sure = len(suits) > 1 or "?" not in first[1] + second[1] + third[1]
        trump = "?" if not sure else "NT" if len(suits) == 1 else first[1]
        if not self.ultimate:
            return trump, "", "", ""
        high, low = second[0], third[0]
        if high == low != "?":
            high, low = high if self.same_rank == "high" else "", low if self.same_rank == "low" else ""
        return trump, high, low, ""

    def _stack(self, turned: tuple[str, ...], trick: int) -> tuple[str, str, str, str]:
        """The first card's suit is trump, or each card's for its trick; each card's rank is high, or low, in its trick."""
        first, card = (*turned, "??")[0], (*turned, *["??"] * trick)[trick - 1]
        once = self.nuisance_trump == "first_trick_only"
        trump = "NT" if once and trick > 1 else (first if self.fixed else card)[1]
        ranks = trick > 1 or (self.mega and self.first_rank)
        spared = "" if self.own_rank else card[1]
        return trump, card[0] if self.ultra and ranks else "", card[0] if self.demon and ranks else "", spared


def order(game: Game) -> TurnedRanks:
    """What decides trump and ranks in a game of this family."""
    assert isinstance(game.order, TurnedRanks)
    return game.order


# --- the seats in turn ----------------------------------------------------------------------------------------------


def with_bastard(table: Table, first: int, trick: int) -> list[int]:
    """The Bastard sits to the dealer's left, and joins in from the second trick on."""
    if table.beside is None:
        return [first]
    return [seat for seat in table.clockwise(first) if trick > 1 or seat not in table.free]


def bastard_last(table: Table, first: int, trick: int) -> list[int]:
    """The Bastard's card is turned when all the others have played, unless it leads."""
    seats = with_bastard(table, first, trick)
    return seats if first in table.free else bastard_never_leads(table, first, trick)


def bastard_never_leads(table: Table, first: int, trick: int) -> list[int]:
    """The Bastard's card is always turned last; if it took the trick before, the next player leads."""
    seats = with_bastard(table, first, trick)
    return sorted(seats, key=lambda seat: seat in table.free)


# --- the rules ------------------------------------------------------------------------------------------------------

UNTIMELY = Rule(
    "DEA011", "turned-in-time", "L3", "Cards set aside are turned when they are due.",
    "{card} {why}",
    id="BA-BAS-2", citation=BASIC, judged_by="the turning of cards",
)  # fmt: skip

RULES = (
    rulebook.PLAYERS.of("BA-1", stands("introduction"), "Exactly three play, each for themselves."),
    rulebook.CARD_FOREIGN.of("BA-2", BASIC, "The pack has the usual 52 cards."),
    rulebook.DEALER.of("BA-4", house(BASIC), "After the first hand, the player to the left of the last dealer deals."),
    rulebook.HAND_SIZE.of("BA-BAS-1", BASIC, "Everybody is dealt 16 cards, and four are set aside."),
    rulebook.LADDER.of("BA-BAS-1", BASIC, "Everybody is dealt 16 cards."),
    rulebook.BID_TURN.of("BA-5", BASIC, "The player to the dealer's left bids first, then clockwise."),
    rulebook.BID_TWICE.of("BA-5", BASIC, "Each player bids once."),
    rulebook.BID_MISSING.of("BA-5", BASIC, "Every player bids; nobody passes."),
    rulebook.BID_LATE.of("BA-5", BASIC, "Bids are made before the first card is led."),
    rulebook.BID_VALUE.of("BA-5", replace(BASIC, standing="inferred"), "A bid is a number of tricks, from none to all of the hand; the bids may add up to anything."),
    rulebook.TURNED.of("BA-BAS-3", BASIC, "The first three of the cards set aside are turned up, in their order; the fourth stays hidden until it is guessed."),
    UNTIMELY.of("BA-BAS-2", BASIC, "When all have bid, and before the first lead, the first three of the cards set aside are turned."),
    rulebook.TRUMP.of("BA-BAS-2", BASIC, "The suit of the first card turned is trump; if all three are of one suit there is no trump."),
    rulebook.FIRST_LEADER.of("BA-6", BASIC, "The player to the dealer's left leads to the first trick."),
    rulebook.WRONG_LEADER.of("BA-6", BASIC, "The winner of a trick leads to the next."),
    rulebook.OUT_OF_TURN.of("BA-6", BASIC, "Play goes clockwise from the leader, one card each."),
    rulebook.FOLLOW_SUIT.of("BA-8", BASIC, "Follow the suit led if you can; otherwise play any card, and nobody has to trump."),
    rulebook.WINNER.of("BA-9", BASIC, "The highest trump wins the trick, or, without one, the highest card of the suit led, as cards rank in that trick."),
    Rule(
        "BID013", "guess-order", "L3", "When the play is over each player may guess the fourth card set aside, from the dealer's left clockwise.",
        "{seat} guessed when {why}",
        id="BA-BAS-4", citation=BASIC, judged_by="the guessing",
    ),
    Rule(
        "BID014", "guess-repeated", "L3", "Nobody guesses twice, nor a card that another has guessed before.",
        "{seat} guessed {card} {why}",
        id="BA-BAS-4", citation=BASIC, judged_by="the guessing",
    ),
    rulebook.GAME_END.of("BA-12", house(BASIC), "The game ends after the hands, or at the points, that the table agreed on."),
    rulebook.GAME_WINNER.of("BA-12", house(BASIC), "The highest total wins; equal totals share."),
)  # fmt: skip

GUESS_DUE = Rule(
    "BID015", "guess-owed", "L3", "Everybody guesses a card.", "{seat} did not guess: {why}",
    id="BA-A3", citation=house(BASIC), judged_by="the guessing",
)  # fmt: skip
GUESS_SEEN = Rule(
    "BID015", "guess-of-a-seen-card", "L3", "A guess is of a card that its player has not seen.", "{seat} guessed {card}, but {why}",
    id="BA-A4", citation=house(BASIC), judged_by="the guessing",
)  # fmt: skip
TRUMPS_BROKEN = rulebook.TRUMPS_BROKEN.of(
    "BA-7", replace(BASIC, standing="uncertain"), "Trumps are not led before one was played to an earlier trick, unless nothing else is held."
)  # fmt: skip

DEFINITIONS = (
    Statement("BA-3", "Aces are high, deuces low, in every suit alike.", ULTRA),
    Statement("BA-7a", "Any card may be led, trumps too, unless the table has agreed that they must be broken first.", replace(BASIC, standing="uncertain")),
    Statement("BA-9a", "A high or low rank changes the order inside each suit only: it makes no card a trump.", ULTRA),
    Statement("BA-11", "Overtricks are sandbags only where the table has agreed how many of them cost how much.", replace(BASIC, standing="uncertain")),
    Statement("BA-BAS-3a", "The cards turned are out of play, and the fourth one's suit decides nothing.", BASIC),
    Statement("BA-BAS-4a", "A guess out of turn is paid if it is right; one that repeats another, or a second one, is not.", house(BASIC)),
    Statement("BA-MEG-2", "Where trump changes from trick to trick, the trump written down for a hand is that of its first trick.", house(MEGA)),
    Statement("BA-ULT-2", "In Ultra, from the second trick on, the rank of the card turned for a trick is above the aces in it.", ULTRA),
    Statement("BA-DEM-2", "In Demon, from the second trick on, the rank of the card turned for a trick is below the deuces in it.", DEMON),
    Statement("BA-NUI-5", "A trick that the Bastard takes is nobody's, so the players' tricks may be fewer than 13.", replace(NUISANCE, standing="inferred")),
    Statement("BA-NUI-6", "In Nuisance by itself the suit of the first card stays trump for the hand, unless agreed otherwise.", house(NUISANCE)),
    Statement("BA-BE-2", "Nobody's duty in play depends on cards that are not yet turned.", replace(BACK_END, standing="inferred")),
    Statement("BA-COM-1", "Mega, Ultra, Demon, Nuisance and Back End combine freely, but Ultra and Demon exclude each other, and Back End needs another.", ULTIMATE),
    Statement("BA-COM-2", "In Ultra Mega and Demon Mega each card gives trump and rank of its trick, from the first on.", replace(ULTIMATE, standing="uncertain")),
    Statement("BA-COM-3", "In Mega Nuisance the Bastard's card is played to its trick and makes trump for it.", replace(ULTIMATE, standing="inferred")),
    Statement("BA-COM-4", "In Ultra or Demon Nuisance the first card makes trump, and each later one is played and makes its rank high or low.", replace(ULTIMATE, standing="inferred")),
    Statement("BA-COM-5", "What a card of the Bastard does to its trick, it does to itself too.", house(ULTRA)),
    Statement("BA-COM-7", "In every combination one card of the Bastard is used in each of the 13 tricks.", replace(ULTIMATE, standing="inferred")),
    Statement("BA-ULTM-1", "Ultimate is dealt, bid, played, guessed and scored as Basic.", ULTIMATE),
    Statement("BA-ULTM-3", "If the second and third card turned are of one rank, it is neither high nor low.", house(ULTIMATE)),
    Statement("BA-ULTM-4", "The rank of the first card turned changes nothing.", ULTIMATE),
)  # fmt: skip

# --- the score ------------------------------------------------------------------------------------------------------

BID = rulebook.SCORE.of("BA-10", BASIC, "A bid made scores 10 for each trick bid and 1 for each more; one missed costs 10 for each trick bid.")  # fmt: skip
GUESS = rulebook.SCORE.of("BA-BAS-5", BASIC, "Whoever guesses the fourth card scores 5 more, bid made or not.")
SANDBAGS = rulebook.SCORE.of(
    "BA-11", house(BASIC), "As often as a player's overtricks reach the number agreed, they cost the penalty agreed."
)


def _over(hand: Any) -> Any:
    """The tricks above the bid, none if it is missed."""
    return pick(hand.tricks >= hand.value, hand.tricks - hand.value, 0)


BIDS = (
    Line("made", BID, lambda hand: pick(hand.tricks >= hand.value, 10 * hand.value, 0)),
    Line("over", BID, _over),
    Line("missed", BID, lambda hand: pick(hand.tricks >= hand.value, 0, -10 * hand.value)),
)
GUESSED = Line("guess", GUESS, lambda hand: 5 * hand.guessed)


# --- the variants ---------------------------------------------------------------------------------------------------


def _guessing(game: Game, rule: Rule, **changes: Any) -> Game:
    """The game with another duty of those who guess; a game without guesses as it is."""
    if not any(isinstance(phase, Guesses) for phase in game.phases):
        return game
    return with_phase(with_rule(game, rule), Guesses, **changes)


def _without_guess(game: Game) -> Game:
    """The game without guesses, their rules and their score."""
    return replace(
        game,
        phases=tuple(phase for phase in game.phases if not isinstance(phase, Guesses)),
        rules=tuple(rule for rule in game.rules if rule.code not in ("BID013", "BID014")),
        score=BIDS,
    )


def _with_ranks(game: Game, **changes: Any) -> Game:
    """The game with another way to trump and ranks."""
    return replace(game, order=replace(order(game), **changes))


def _stacked(game: Game, *rules: Rule, **ranks: bool) -> Game:
    """The game with hands of 13 cards and a stack of 13, of which one is turned for every trick."""
    plain = with_phase(_with_ranks(_without_guess(game), **ranks), Facing, place="stack", due=every_trick, hidden=False)
    stacked = with_rule(
        plain,
        rulebook.HAND_SIZE.of("BA-STK-1", MEGA, "Everybody is dealt 13 cards, and 13 make a stack, the Bastard."),
        rulebook.LADDER.of("BA-STK-1", MEGA, "Everybody is dealt 13 cards."),
        rulebook.TURNED.of("BA-STK-1", MEGA, "For each trick the top card of the Bastard is turned."),
        *rules,
    )
    return replace(stacked, cards=lambda players: 13, aside=lambda players, cards: {"stack": 13})


def mega(game: Game, value: Any) -> Game:
    """The suit of each card turned is trump for its trick."""
    return _stacked(
        game,
        UNTIMELY.of("BA-MEG-1", MEGA, "The top card of the Bastard is turned before each trick is led."),
        rulebook.TRUMP.of("BA-MEG-1", MEGA, "The suit of the card turned for a trick is trump for that trick."),
        mega=True,
    )


def ultra(game: Game, value: Any) -> Game:
    """The suit of the first card is trump for the hand, the rank of each later one high in its trick."""
    return _ranked(game, "BA-ULT-1", ULTRA, ultra=True)


def demon(game: Game, value: Any) -> Game:
    """As Ultra, but the rank of each card after the first is low in its trick."""
    return _ranked(game, "BA-DEM-1", DEMON, demon=True)


def _ranked(game: Game, id: str, citation: Citation, **ranks: bool) -> Game:
    if order(game).mega:
        return _with_ranks(game, **ranks)
    return _stacked(
        game,
        UNTIMELY.of(id, citation, "The top card of the Bastard is turned before each trick is led."),
        rulebook.TRUMP.of(id, citation, "The suit of the first card of the Bastard is trump for the whole hand."),
        **ranks,
    )


def nuisance(game: Game, value: Any) -> Game:
    """The Bastard has a seat, to the dealer's left, and its cards are played from the second trick on."""
    trump = game.rule("DEA009")
    if order(game).four_aside:
        trump = rulebook.TRUMP.of("BA-NUI-2", NUISANCE, "The suit of the first card of the Bastard is trump.")
    seated = _stacked(
        game,
        trump,
        UNTIMELY.of("BA-NUI-2", NUISANCE, "The first card of the Bastard is turned before the first trick is led, and is not played."),
        rulebook.TURNED.of("BA-NUI-3", NUISANCE, "In its turn the Bastard plays the top card of its stack."),
        rulebook.FIRST_LEADER.of("BA-NUI-2", NUISANCE, "The first player to the dealer's left, past the Bastard, leads to the first trick."),
        rulebook.OUT_OF_TURN.of("BA-NUI-1", NUISANCE, "The Bastard sits to the dealer's left; from the second trick on it plays in its turn, any card."),
        rulebook.WRONG_LEADER.of("BA-NUI-4", NUISANCE, "Whoever wins a trick leads to the next, the Bastard too."),
        nuisance=True,
    )  # fmt: skip
    return replace(with_phase(seated, Facing, due=as_played, turns=with_bastard), extras=("bastard",))


def back_end(game: Game, value: Any) -> Game:
    """The card of each trick is turned when all have played to it, before it is known who won."""
    turned = UNTIMELY.of("BA-BE-1", BACK_END, "The top card of the Bastard is turned when all have played to a trick.")
    rules = [turned]
    if game.extras:
        sentence = "The Bastard's card is turned when the others have played, unless the Bastard leads."
        rules.append(rulebook.OUT_OF_TURN.of("BA-COM-6", replace(ULTIMATE, standing="inferred"), sentence))
    changed = with_rule(_with_ranks(game, back_end=True), *rules)
    return with_phase(changed, Facing, due=after_trick, **({"turns": bastard_last} if game.extras else {}))


def ultimate(game: Game, value: Any) -> Game:
    """Basic, with the rank of the second card turned high and that of the third low for the whole hand."""
    trump = rulebook.TRUMP.of(
        "BA-ULTM-2", ULTIMATE, "Trump is as in Basic; the second card's rank is high and the third's low for the whole hand."
    )
    return with_rule(_with_ranks(game, ultimate=True), trump)


# --- the options ----------------------------------------------------------------------------------------------------


def _reading(name: str, where: Callable[[TurnedRanks], bool]) -> Callable[[Game, Any], Game]:
    """An option that is one of the readings of trump and ranks, in the variants `where` there is something to read."""
    return lambda game, value: _with_ranks(game, **{name: value}) if where(order(game)) else game


def _trump_break(game: Game, value: str) -> Game:
    """Trumps must be broken where one suit is trump for the whole hand."""
    if not order(game).fixed:
        return game
    return with_rule(_with_ranks(game, breaking=True), TRUMPS_BROKEN)


def _bid_min(game: Game, value: int) -> Game:
    """Nobody bids none."""
    rule = rulebook.BID_VALUE.of("BA-5", house(BASIC), "A bid is a number of tricks, from one to all of the hand.")
    least = with_rule(game, replace(rule, check=lambda v: (v.value < value) | (v.value > v.cards)))
    return with_phase(least, Bids, least=value)


def _sandbags(game: Game, value: Mapping[str, int]) -> Game:
    """Overtricks are counted from hand to hand, and cost points as often as enough of them have come together."""
    every, penalty = value["every"], value["penalty"]
    carry = Carry("bags", lambda hand: (hand.bags + _over(hand)) % every, tuple(range(every)))
    line = Line("sandbags", SANDBAGS, lambda hand: -penalty * ((hand.bags + _over(hand)) // every))
    return replace(game, carries=(*game.carries, carry), score=(*game.score, line))


def _game_end(game: Game, value: Mapping[str, int]) -> Game:
    """The game ends after so many hands, or when somebody has so many points."""
    if "hands" in value:
        size = game.cards(3)
        assert isinstance(size, int)
        return replace(game, cards=lambda players: (size,) * value["hands"])

    def over(standing: Standings) -> bool:
        return max(standing.totals) >= value["target"]

    return replace(game, over=over)


def _numbers(value: Any, *keys: str) -> bool:
    """Whether a value is a mapping of just these keys to whole numbers of moderate size."""
    return isinstance(value, dict) and set(value) == set(keys) and all(type(n) is int and 1 <= n <= 1000 for n in value.values())


def _any_dealer(game: Game, value: str) -> Game:
    """The deal may pass to anybody."""
    rule = rulebook.DEALER.of("BA-4", house(BASIC), "Anybody may deal the next hand.")
    return replace(with_rule(game, rule), rotates=False)


WHICH = frozenset({"mega", "ultra", "demon", "nuisance"})
OFF_ON = (False, True)

OPTIONS = (
    Option("mega", False, "Each card of the Bastard makes trump for its trick.", MEGA, mega, choices=OFF_ON, variant=True),
    Option("ultra", False, "Each card of the Bastard makes its rank high for its trick.", ULTRA, ultra, choices=OFF_ON, variant=True),
    Option("demon", False, "Each card of the Bastard makes its rank low for its trick.", DEMON, demon, choices=OFF_ON, variant=True, excludes=frozenset({"ultra"})),
    Option("nuisance", False, "The Bastard has a seat, and can win tricks.", NUISANCE, nuisance, choices=OFF_ON, variant=True),
    Option("back_end", False, "The Bastard's card is turned after the trick is played.", BACK_END, back_end, choices=OFF_ON, variant=True, requires=WHICH),
    Option("ultimate", False, "The tame game: as Basic, with one rank high and one low.", ULTIMATE, ultimate, choices=OFF_ON, variant=True, excludes=WHICH | {"back_end"}),
    Option("mega_rank_trick1", True, "In Ultra Mega and Demon Mega the first card's rank counts, or not.", replace(ULTIMATE, standing="uncertain"), _reading("first_rank", lambda ranks: ranks.mega and ranks.moved), choices=(True, False)),
    Option("nuisance_trump", "first_card_for_hand", "What is trump in Nuisance by itself: the first card's suit for the hand, or for one trick, or each card's.", house(NUISANCE), _reading("nuisance_trump", lambda ranks: ranks.nuisance and not (ranks.mega or ranks.moved)), choices=("first_card_for_hand", "first_trick_only", "every_card")),
    Option("back_end_nuisance_lead", "flip_to_lead", "In Back End Nuisance the Bastard leads by turning its card, or the next player leads.", house(ULTIMATE), lambda game, value: with_phase(game, Facing, turns=bastard_never_leads) if game.extras and order(game).back_end else game, choices=("flip_to_lead", "next_player_leads")),
    Option("bastard_self_effect", True, "The Bastard's own card becomes high or low too, or not.", house(ULTRA), _reading("own_rank", lambda ranks: ranks.nuisance and ranks.moved), choices=(True, False)),
    Option("ultimate_same_rank", "cancel", "What happens to a rank that would be both high and low.", house(ULTIMATE), _reading("same_rank", lambda ranks: ranks.ultimate), choices=("cancel", "high", "low")),
    Option("ultimate_guess", True, "In Ultimate the fourth card is guessed, or not.", house(ULTIMATE), lambda game, value: _without_guess(game) if order(game).ultimate else game, choices=(True, False)),
    Option("trump_break", "none", "Trumps may be led at once, or must be broken first where one suit is trump for the hand.", replace(BASIC, standing="uncertain"), _trump_break, choices=("none", "must_be_broken")),
    Option("bid_min", 0, "The lowest bid.", house(BASIC), _bid_min, choices=(0, 1)),
    Option("guess_seen_card", "allowed", "Whether a card may be guessed that its player has seen.", house(BASIC), lambda game, value: _guessing(game, GUESS_SEEN, seen=False), choices=("allowed", "forbidden")),
    Option("guess_pass", True, "Whether a player may decline to guess.", house(BASIC), lambda game, value: _guessing(game, GUESS_DUE, passing=False), choices=(True, False), excludes=frozenset({"guess_seen_card"})),
    Option("sandbags", None, "Overtricks that cost points when enough of them have come together.", replace(BASIC, standing="uncertain"), _sandbags, accepts=lambda value: value is None or _numbers(value, "every", "penalty"), form='none, or a mapping such as {"every": 10, "penalty": 100}', examples=({"every": 3, "penalty": 20},)),
    Option("dealer_rotation", "left", "The deal passes to the left, or to anybody.", house(BASIC), _any_dealer, choices=("left", "any")),
    Option("game_end", None, "When the game ends: after so many hands, or at so many points.", house(BASIC), _game_end, accepts=lambda value: value is None or _numbers(value, "hands") or _numbers(value, "target"), form='none, {"hands": n} or {"target": points}', examples=({"hands": 3}, {"target": 40})),
)  # fmt: skip

NOTATION = Notation(
    lines=(
        ("aside widow 6D 7D QC ??", "the cards set aside in their order, W1 to W4; in some variants `aside stack`, B1 to B13"),
        ("bid N 8  E 6  S 3", "tricks, in turn from the dealer's left"),
        ("turn 6D", "a card is faced, at its time: W1 to W3 after the bids, a card of the stack at each trick"),
        ("1 N 4C KC TC", "trick 1: who led, and the cards in turn; in Nuisance the fourth hand plays too: `1 N 2D bastard 9D`"),
        ("withdraw E KC", "a card taken back before the next one"),
        ("guess N TH  E JH  S", "the card each takes W4 to be; nothing after the seat of one who declines"),
        ("accuse N of E trick 1", "a renege is claimed; what came of it: `ruling E upheld trick 1`, or rejected, or undecided"),
        ("penalty E 50 for renege", "points off a player's total"),
        ("claim N  N 6  E 4  S 6", "who takes how many of the tricks that are left"),
        ("tricks N 6  E 4  S 6", "the sheet; so too `winners`, `scores`, `totals`, `trump`, and `claimed bids N 8  E 6  S 3`"),
    ),
    example="""\
%hrt 1
game bastard
seats N=Ann E=Bo S=Cy
status excerpt

deal 1 dealer S status claimed
hand N TS 9S 7S 2S 6H 4H AD KD 9D 5D 3D 2D AC 5C 4C 2C
hand E KS QS JS 6S AH KH QH 8H 5H 8D 4D KC 9C 7C 6C 3C
hand S AS 8S 5S 4S 3S JH TH 9H 3H 2H QD JD TD JC TC 8C
aside widow 6D 7D QC 7H
bid N 8  E 6  S 3
turn 6D
turn 7D
turn QC
1 N 4C KC TC
2 E AH TH 6H
3 E 4D JD AD
claim N  N 5  E 2  S 6
guess N TH  E JH  S 6H
trump D
tricks N 6  E 4  S 6
scores N -80  E -60  S 33
""",
)

GAME = Game(
    key="bastard",
    title="Bastard",
    summary="Three players bid tricks; cards set aside make trump, and ranks high or low: 24 variants, from Basic to Ultimate.",
    source=SOURCE,
    players=(3,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 16,
    aside=lambda players, cards: {"widow": 4},
    phases=(Bids(), Facing(place="widow", due=first_three, hidden=True), Guesses(), Conduct()),
    order=TurnedRanks(),
    rules=RULES,
    definitions=DEFINITIONS,
    score=(*BIDS, GUESSED),
    options=OPTIONS,
    notation=NOTATION,
)
