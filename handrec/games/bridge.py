"""Contract bridge, the play of the cards: 13 tricks to a stated contract, declarer playing dummy's cards.

The auction and the bridge score are not refereed. Source: the Laws of Duplicate Bridge, cited by number.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from handrec import rulebook
from handrec.cards import FRENCH_52, SUITS, Order, by_suit
from handrec.findings import Citation, Work
from handrec.game import Game, Sight, Statement, Table
from handrec.phases.conduct import Conduct
from handrec.phases.contracts import Contracts
from handrec.phases.tricks import Tricks

SOURCE = Work("Laws of Duplicate Bridge", "World Bridge Federation", "edition of 2017; card play only")


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


RULES = (
    rulebook.PLAYERS.of("BR-1", law("1"), "Four players play, two against two."),
    rulebook.CARD_FOREIGN.of("BR-1", law("1"), "The pack has the usual 52 cards."),
    rulebook.HAND_SIZE.of("BR-6", law("6"), "Every player is dealt 13 cards."),
    rulebook.BID_VALUE.of(
        "BR-18",
        law("18"),
        "A contract names one to seven tricks above six and a suit or no trump, perhaps doubled or redoubled.",
        check=None,
        judged_by="the contract",
    ),
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
    Statement("BR-60", "The auction and the score are not refereed here.", law("17 to 40, 77")),
)

GAME = Game(
    key="bridge",
    title="Contract bridge (card play)",
    summary="Thirteen tricks to a contract: follow suit, highest trump wins; no auction, no score.",
    source=SOURCE,
    players=(4,),
    pack=lambda players: FRENCH_52,
    cards=lambda players: 13,
    aside=lambda players, cards: {},
    phases=(
        Contracts("a contract such as 4H, 3NTx or S", strain, (*SUITS, "NT")),
        Tricks(leader, proxy=declarer_and_dummy),
        Conduct(),
    ),
    order=order,
    rules=RULES,
    definitions=DEFINITIONS,
    partners=True,
)
