"""Rules that many games share, each once: what a hand record must satisfy whatever is played.

A game takes a rule from here under its own id, citation and words (`FOLLOW_SUIT.of("KB-5.2", …)`); where it has none of
its own, the rule applies as it stands here, by the common conventions (C-1 to C-8); but whose turn it is, who leads, what may
be played and who wins a trick, every game says itself (`handrec.game.validate`). Bid rules see a bid, play rules the table
as the player saw it; a duty names the part of the replay that judges it.
"""

from __future__ import annotations

from handrec.findings import Citation, Rule, Work
from handrec.masks import prefer, when

CONVENTIONS = Work("Conventions of handrec", "", "what holds for every game unless its source says otherwise")


def _by(section: str) -> Citation:
    return Citation(CONVENTIONS, section, "house")


# --- the deal -------------------------------------------------------------------------------------------------------

CARD_FOREIGN = Rule(
    "DEA001", "card-not-in-pack", "L2", "Every card belongs to the pack of the game.",
    "{card} is no card of this game's pack (meant: {meant})",
    id="C-6a", citation=_by("C-6a"), judged_by="the count of the cards",
)  # fmt: skip
CARD_TWICE = Rule(
    "DEA002", "card-twice", "L2", "No card is in two places.",
    "{card} is in two places: {places}",
    id="C-6b", citation=_by("C-6b"), judged_by="the count of the cards",
)  # fmt: skip
HAND_SIZE = Rule(
    "DEA003", "hand-size", "L2", "Every hand, and every place for cards set aside, holds as many cards as the deal gives it.",
    "{what} holds {found} cards instead of {due}",
    id="C-6c", citation=_by("C-6c"), judged_by="the count of the cards",
)  # fmt: skip
PLAYERS = Rule(
    "DEA004", "number-of-players", "L2", "The game is for the number of players its rules name.",
    "{found} players, but the game is for {allowed}",
    id="C-6c", citation=_by("C-6c"), judged_by="the form of the record",
)  # fmt: skip
LADDER = Rule(
    "DEA005", "ladder", "L6", "Each deal of the game has the number of cards that its schedule gives.",
    "{found} cards a hand, but deal {number} of {of} has {due}",
    id="C-6c", citation=_by("C-6c"), judged_by="the deals taken together",
)  # fmt: skip
DEALER = Rule(
    "DEA006", "dealer", "L6", "The deal passes to the left after each deal.",
    "{found} dealt, but it was {due}'s turn to deal",
    id="C-6h", citation=_by("C-6h"), judged_by="the deals taken together",
)  # fmt: skip
TURNED = Rule(
    "DEA007", "turned-card", "L2", "Cards are turned up when and as often as the game says, and are those that lie there.",
    "{card} was turned: {why}",
    id="C-6c", citation=_by("C-6c"), judged_by="the turning of cards",
)  # fmt: skip
DEALT_ORDER = Rule(
    "DEA008", "dealing", "L2", "The cards go round one at a time, clockwise from the dealer's left.",
    "the recorded pack gives {what} {due}, not {found}",
    id="C-6c", citation=_by("C-6c"), judged_by="the dealing of the recorded pack",
)  # fmt: skip
TRUMP = Rule(
    "DEA009", "trump", "L2", "The trump suit is the one that the rules of the game give.",
    "trump is recorded as {found}, but it is {due}",
    id="C-6g", citation=_by("C-6g"), check=lambda trump: trump.found != trump.due,
)  # fmt: skip
NUMBER = Rule(
    "DEA010", "deal-number", "L6", "The deals of a game stand in their order, each once.",
    "deal numbered {found} stands where deal {due} is due",
    id="C-6h", citation=_by("C-6h"), judged_by="the deals taken together",
)  # fmt: skip

# --- bidding --------------------------------------------------------------------------------------------------------

BID_TURN = Rule(
    "BID001", "bid-order", "L3", "Bids are made in turn.",
    "{seat} bid {bid}, but it was {due}'s turn to bid",
    id="C-6e", citation=_by("C-6e"), judged_by="the bidding",
)  # fmt: skip
BID_VALUE = Rule(
    "BID002", "bid-value", "L3", "A bid is one that the game knows, for no more tricks than there are cards in a hand.",
    "{seat} bid {bid}, but a bid here is {allowed}",
    id="C-6e", citation=_by("C-6e"), on="bid", check=lambda v: (v.value < 0) | (v.value > v.cards),
)  # fmt: skip
BID_TWICE = Rule(
    "BID005", "bid-twice", "L3", "Each player bids once.",
    "{seat} bid {bid} after bidding {before} already; the first bid stands",
    id="C-6e", citation=_by("C-6e"), judged_by="the bidding",
)  # fmt: skip
BID_MISSING = Rule(
    "BID006", "bid-missing", "L3", "Every player bids.",
    "{seat} made no bid",
    id="C-6e", citation=_by("C-6e"), judged_by="the bidding",
)  # fmt: skip
BID_LATE = Rule(
    "BID007", "bid-late", "L3", "Bidding is over when the first card is led.",
    "{seat} bid {bid} after the first card was led",
    id="C-6e", citation=_by("C-6e"), judged_by="the bidding",
)  # fmt: skip

# --- turn order and cards held --------------------------------------------------------------------------------------

NOT_HELD = Rule(
    "PLY001", "card-not-held", "L2", "A player can only play a card of the hand.",
    "{seat}'s card is written {card}, which {seat} did not hold{why}",
    id="C-6d", citation=_by("C-6d"), judged_by="the play of the cards",
)  # fmt: skip
PLAYED_TWICE = Rule(
    "PLY002", "card-played-twice", "L2", "A card is played once.",
    "{seat}'s card is written {card}, which was played to trick {before} already",
    id="C-6d", citation=_by("C-6d"), judged_by="the play of the cards",
)  # fmt: skip
OUT_OF_TURN = Rule(
    "PLY003", "out-of-turn", "L3", "The players play to a trick clockwise from its leader, one card each.",
    "{seat} played {card}, but it was {due}'s turn",
    id="C-6e", citation=_by("C-6e"), judged_by="the play of the cards",
)  # fmt: skip
WRONG_LEADER = Rule(
    "PLY004", "wrong-leader", "L3", "The player whose right it is leads to the first trick, then the winner of each trick to the next.",
    "{seat} led {card}, but the lead was {due}'s",
    id="C-6f", citation=_by("C-6f"), judged_by="the play of the cards",
)  # fmt: skip
CARD_MISSING = Rule(
    "PLY005", "card-missing", "L3", "Every player plays exactly one card to each trick, until the hands are played out.",
    "{what}",
    id="C-6e", citation=_by("C-6e"), judged_by="the play of the cards",
)  # fmt: skip
AFTER_END = Rule(
    "PLY006", "after-the-end", "L3", "Nothing is played when the hands are played out or the rest is claimed.",
    "{seat} played {card} after the play had ended",
    id="C-6e", citation=_by("C-6e"), judged_by="the play of the cards",
)  # fmt: skip
NO_SUCH_EVENT = Rule(
    "PLY007", "not-of-this-game", "L3", "Only what belongs to the game happens in it.",
    "the game has no {what}",
    id="C-6e", citation=_by("C-6e"), judged_by="the phases of the game",
)  # fmt: skip
WITHDRAWAL = Rule(
    "PLY008", "withdrawal", "L3", "Only the card last played to a trick that is not yet over can be taken back.",
    "{seat} took back {card}, which was not the card last played",
    id="C-6e", citation=_by("C-6e"), judged_by="the play of the cards",
)  # fmt: skip

# --- what must be played --------------------------------------------------------------------------------------------

FOLLOW_SUIT = Rule(
    "REV001", "revoke", "L4", "Follow the suit led if you can; otherwise play any card.",
    "{seat} played {card} on a lead of {led} while holding {could}",
    id="C-5", citation=_by("C-5"), on="play", narrow=lambda v, legal: prefer(legal & v.led, legal),
)  # fmt: skip
TAKEN_BACK = Rule(
    "REV009", "revoke-taken-back", "L4", "A card that is taken back was not played.",
    "{seat} took back {card}, which could not be played while holding {could}", severity="info",
    id="C-7", citation=_by("C-7"), judged_by="the play of the cards",
)  # fmt: skip
TRUMPS_BROKEN = Rule(
    "REV005", "trump-not-broken", "L4", "Trumps are not led before one was played to an earlier trick, unless nothing else is held.",
    "{seat} led {card} before trumps were broken while holding {could}",
    id="C-5", citation=_by("C-5"), on="play",
    narrow=lambda v, legal: when(v.leading & ~v.broken, prefer(legal & ~v.trumps, legal), legal),
)  # fmt: skip

# --- winners, tricks, scores ----------------------------------------------------------------------------------------

WINNER = Rule(
    "TRK001", "winner", "L5", "The highest trump wins the trick, or else the highest card of the suit led.",
    "trick {trick} is recorded as won by {found}, but {due} won it with {card}",
    id="C-6g", citation=_by("C-6g"), judged_by="the count of tricks and points",
)  # fmt: skip
TRICK_COUNT = Rule(
    "TRK002", "trick-count", "L5", "A player's tricks are those that the player won.",
    "{seat} is recorded with {found} tricks, but won {due}",
    id="C-6g", citation=_by("C-6g"), judged_by="the count of tricks and points",
)  # fmt: skip
FIRST_LEADER = Rule(
    "TRK003", "first-leader", "L5", "The first leader recorded is the one whom the rules give the first lead.",
    "the first lead is recorded as {found}'s, but it was {due}'s",
    id="C-6g", citation=_by("C-6g"), judged_by="the play of the cards",
)  # fmt: skip
TRICK_SUM = Rule(
    "TRK004", "trick-sum", "L5", "All the tricks of a deal are won by somebody, none twice.",
    "the recorded tricks add up to {found} instead of {due}",
    id="C-6g", citation=_by("C-6g"), judged_by="the count of tricks and points",
)  # fmt: skip
SCORE = Rule(
    "SCO001", "hand-score", "L5", "A player's points in a deal follow from bid and tricks.",
    "{seat} is recorded with {found} points for bid {bid} and {tricks} tricks, but that makes {due} ({lines})",
    id="C-6g", citation=_by("C-6g"), judged_by="the count of tricks and points",
)  # fmt: skip
TOTAL = Rule(
    "SCO002", "total", "L6", "A total is the total before, plus the points of the deal, less penalties.",
    "{seat}'s total is recorded as {found}, but {sum} makes {due}",
    id="C-6g", citation=_by("C-6g"), judged_by="the deals taken together",
)  # fmt: skip
GAME_WINNER = Rule(
    "SCO003", "game-winner", "L6", "The highest total wins the game; equal totals share it.",
    "the game is recorded as won by {found}, but {due} won it ({totals})",
    id="C-6g", citation=_by("C-6g"), judged_by="the deals taken together",
)  # fmt: skip
SHEET_BID = Rule(
    "SCO004", "bid-on-the-sheet", "L5", "The score sheet has the bids that were made.",
    "{seat}'s bid is written down as {found}, but it was {due}",
    id="C-6g", citation=_by("C-6g"), judged_by="the count of tricks and points",
)  # fmt: skip
GAME_END = Rule(
    "SCO005", "game-end", "L6", "A game has the number of deals that its rules give.",
    "{found} deals are recorded of a game of {due} that is said to be complete",
    id="C-6g", citation=_by("C-6g"), judged_by="the deals taken together",
)  # fmt: skip


def ends_at(points: int, id: str, citation: Citation) -> Rule:
    """The rule of a game that so many points end."""
    return GAME_END.of(
        id, citation, f"The game ends with the deal after which somebody has {points} points or more.",
        says="{found} deals are recorded of a complete game; by its points it has {due}",
    )  # fmt: skip


def scores(id: str, citation: Citation, sentence: str) -> Rule:
    """A rule of the score of a game in which nobody bids."""
    says = "{seat} is recorded with {found} points for {tricks} tricks, but that makes {due} ({lines})"
    return SCORE.of(id, citation, sentence, says=says)


SIPS = Rule(
    "SCO006", "sips", "L5", "Whoever misses a bid drinks what was agreed, and at least one sip.",
    "{seat} drank {found} sips, but at least {due} were due",
    id="C-6g", citation=_by("C-6g"), judged_by="the sips",
)  # fmt: skip
HONOURS = Rule(
    "SCO007", "honours", "L5", "Honours are four of the five highest trumps in one hand, 100, or all five, 150, or four aces at no trump, 150.",
    "{seat} is recorded with {found} for honours, but the hand makes {due}",
    id="C-6g", citation=_by("C-6g"), judged_by="what is played for",
)  # fmt: skip

# --- claims, accusations, penalties ---------------------------------------------------------------------------------

CLAIM_SUM = Rule(
    "CLM001", "claim", "L5", "A claim divides exactly the tricks that are left.",
    "{seat}'s claim divides {found} tricks, but {due} were left",
    id="C-6g", citation=_by("C-6g"), judged_by="the play of the cards",
)  # fmt: skip
ACCUSATION = Rule(
    "CLM002", "accusation", "L4", "An accusation is right if the accused did not play as the rules demand.",
    "{seat} accused {of}: {outcome}", severity="info",
    id="C-7", citation=_by("C-7"), judged_by="the look back at accusations and penalties",
)  # fmt: skip
RULING = Rule(
    "CLM003", "ruling", "L4", "A ruling agrees with what the record shows.",
    "the accusation of {of} was {found}, but the record shows: {outcome}",
    id="C-7", citation=_by("C-7"), judged_by="the look back at accusations and penalties",
)  # fmt: skip
PENALTY_SIZE = Rule(
    "CLM004", "penalty-size", "L6", "A penalty is as large as the table agreed.",
    "{seat} was fined {found} points where the agreed penalty is {due}",
    id="C-6g", citation=_by("C-6g"), judged_by="the look back at accusations and penalties",
)  # fmt: skip
PENALTY_NOTE = Rule(
    "CLM005", "penalty-unusual", "L6", "A penalty of another size than suggested is the table's to decide.",
    "{seat} was fined {found} points; {due} are suggested", severity="info",
    id="C-6g", citation=_by("C-6g"), judged_by="the look back at accusations and penalties",
)  # fmt: skip

#: Every shared rule by its code.
RULES: dict[str, Rule] = {rule.code: rule for rule in tuple(globals().values()) if isinstance(rule, Rule)}
