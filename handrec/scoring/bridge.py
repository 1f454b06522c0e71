"""The score of contract bridge: what each line of it comes to, for a side, at duplicate, rubber and Chicago.

A hand is scored as its side sees it. Of the contract it shows the `level` (0: passed out), the `strain` as its place in
`STRAINS`, `risk` 1 or 2 if doubled or redoubled, and whether the side `declares` (1) or defends (-1; 0 if all passed); besides,
the `tricks` of the side. At duplicate it is `vulnerable` where the declaring side is. At rubber and Chicago that follows from
the deals before: the hand carries the `games` and the `part` score of its side, and those of the other (`their_games`,
`their_part`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from handrec.masks import entry, pick

#: From low to high.
STRAINS = ("C", "D", "H", "S", "NT")

PER_TRICK = (20, 20, 30, 30, 30)
FIRST_AT_NO_TRUMP = (0, 0, 0, 0, 10)
#: Below this many points for the odd tricks a contract is a part score.
GAME = 100

#: By level: what a slam is worth, not vulnerable and vulnerable.
SLAM = (0, 0, 0, 0, 0, 0, 500, 1000), (0, 0, 0, 0, 0, 0, 750, 1500)
#: By how many tricks a doubled contract is short, not vulnerable and vulnerable.
SHORT = (
    (0, 100, 300, *(500 + 300 * more for more in range(11))),
    (0, 200, *(500 + 300 * more for more in range(12))),
)

#: What a line comes to for the declaring side, by the hand and whether that side is vulnerable.
Part = Callable[[Any, Any], Any]


def over(hand: Any) -> Any:
    """The tricks by which the declaring side has more than it undertook, below 0 if fewer."""
    return pick(hand.declares < 0, hand.cards - hand.tricks, hand.tricks) - 6 - hand.level


def made(hand: Any) -> Any:
    """Whether the contract was made."""
    return over(hand) >= 0


def odd_tricks(hand: Any) -> Any:
    """The points of the tricks undertaken, if they were won."""
    points = entry(PER_TRICK, hand.strain) * hand.level + entry(FIRST_AT_NO_TRUMP, hand.strain)
    return pick(made(hand), points << hand.risk, 0)


def odd(hand: Any, vulnerable: Any) -> Any:
    """The odd tricks, of which each counts the same at any vulnerability."""
    return odd_tricks(hand)


def overtricks(hand: Any, vulnerable: Any) -> Any:
    """As the odd tricks if undoubled; doubled 100 each, or 200 vulnerable, redoubled twice that."""
    each = pick(hand.risk > 0, (50 << hand.risk) * (1 + vulnerable), entry(PER_TRICK, hand.strain))
    return pick(made(hand), over(hand) * each, 0)


def game_premium(hand: Any, vulnerable: Any) -> Any:
    """For a contract of a game."""
    return pick(odd_tricks(hand) >= GAME, 300 + 200 * vulnerable, 0)


def part_premium(hand: Any, vulnerable: Any) -> Any:
    """For a part score."""
    points = odd_tricks(hand)
    return pick((points > 0) & (points < GAME), 50, 0)


def slam(hand: Any, vulnerable: Any) -> Any:
    """For six odd tricks, or seven."""
    return pick(made(hand), pick(vulnerable > 0, entry(SLAM[1], hand.level), entry(SLAM[0], hand.level)), 0)


def insult(hand: Any, vulnerable: Any) -> Any:
    """For making a doubled or redoubled contract."""
    return pick(made(hand), 50 * hand.risk, 0)


def undertricks(hand: Any, vulnerable: Any) -> Any:
    """What the other side gets for the tricks short, as a loss."""
    short = pick(made(hand), 0, -over(hand))
    doubled = pick(vulnerable > 0, entry(SHORT[1], short), entry(SHORT[0], short)) * hand.risk
    return -pick(hand.risk > 0, doubled, 50 * (1 + vulnerable) * short)


# --- duplicate: what one side wins the other loses ------------------------------------------------------------------

#: What a deal comes to by itself, part by part.
DUPLICATE: tuple[Part, ...] = (odd, overtricks, game_premium, part_premium, slam, insult, undertricks)


def duplicate(part: Part) -> Callable[[Any], Any]:
    """A line of the score at duplicate."""
    return lambda hand: hand.declares * part(hand, hand.vulnerable)


# --- rubber and Chicago: each side has its own column ---------------------------------------------------------------


def below(hand: Any) -> Any:
    """What a side writes below the line."""
    return pick(hand.declares > 0, odd_tricks(hand), 0)


def their_below(hand: Any) -> Any:
    """What the other side writes below the line."""
    return pick(hand.declares < 0, odd_tricks(hand), 0)


def wins_game(hand: Any) -> Any:
    """Whether the side has 100 points below the line with this deal."""
    return (below(hand) > 0) & (hand.part + below(hand) >= GAME)


def they_win_game(hand: Any) -> Any:
    """Whether the other side has."""
    return (their_below(hand) > 0) & (hand.their_part + their_below(hand) >= GAME)


def part(hand: Any) -> Any:
    """The part score that the side carries on; a game ends those of both."""
    return pick(wins_game(hand) | they_win_game(hand), 0, hand.part + below(hand))


def their_part(hand: Any) -> Any:
    """The part score that the other side carries on."""
    return pick(wins_game(hand) | they_win_game(hand), 0, hand.their_part + their_below(hand))


def honours(hand: Any) -> Any:
    """Honours of the side, as they were announced."""
    return hand.honours


def by_games(hand: Any) -> Any:
    """At rubber, a side that has won a game is vulnerable; of the two, the one that declares is asked for."""
    return pick(pick(hand.declares < 0, hand.their_games, hand.games) > 0, 1, 0)


def by_deal(hand: Any) -> Any:
    """At Chicago nobody is vulnerable in the first deal, all in the fourth, one side in each of the others.

    That is the dealer's, or if so agreed (`others`) the other one. `dealt` whether the declaring side deals.
    """
    one = pick(hand.others > 0, 1 - hand.dealt, hand.dealt)
    return pick(hand.deal == 0, 0, pick(hand.deal >= 3, 1, one))


def of_declarer(line: Part, vulnerable: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A line that stands in the column of the declaring side."""
    return lambda hand: pick(hand.declares > 0, line(hand, vulnerable(hand)), 0)


def of_defenders(line: Part, vulnerable: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A loss that stands as a gain in the column of the other side."""
    return lambda hand: pick(hand.declares < 0, -line(hand, vulnerable(hand)), 0)


def games(hand: Any) -> Any:
    """The games that the side has won."""
    return hand.games + pick(wins_game(hand), 1, 0)


def their_games(hand: Any) -> Any:
    """The games that the other side has won."""
    return hand.their_games + pick(they_win_game(hand), 1, 0)


def rubber_bonus(hand: Any) -> Any:
    """For two games: 700 if the other side has none, else 500."""
    return pick(wins_game(hand) & (hand.games == 1), pick(hand.their_games > 0, 500, 700), 0)


def chicago_bonus(hand: Any) -> Any:
    """For a game 300, or 500 vulnerable; for a part score 100, in the fourth deal only."""
    scored = below(hand) > 0
    last = pick(scored & (hand.deal == 3), 100, 0)
    return pick(wins_game(hand), 300 + 200 * by_deal(hand), last)


def deals(hand: Any) -> Any:
    """How many deals of the four are over; one that is passed out is dealt again."""
    return hand.deal + pick(hand.level > 0, 1, 0)
