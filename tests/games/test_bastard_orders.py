"""The Bastard family: trump and ranks of a trick by the cards turned, in every variant, as another reads the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from handrec.cards import FRENCH_52, SUITS, Order
from handrec.game import Game, Sight, compose
from handrec.games import find
from handrec.games.bastard import order
from handrec.readings import differing
from tests.games.bastard_hands import USUAL, VARIANTS, Hand
from tests.tables import Data

#: The readings of trump and ranks, each with its values, the usual one first.
READINGS: dict[str, tuple[Any, ...]] = {
    "mega_rank_trick1": (True, False),
    "nuisance_trump": ("first_card_for_hand", "first_trick_only", "every_card"),
    "bastard_self_effect": (True, False),
    "ultimate_same_rank": ("cancel", "high", "low"),
}
WAYS = [dict(zip(READINGS, way, strict=True)) for way in product(*READINGS.values())]
of_each_variant = pytest.mark.parametrize("some", VARIANTS, ids=lambda some: "+".join(sorted(some)) or "basic")


@cache
def composed(*options: tuple[str, Any]) -> Game:
    """The game under these options."""
    bastard = find("bastard")
    assert bastard is not None
    game, problems = compose(bastard, dict(options))
    assert not problems
    return game


def ordered(options: Data, turned: tuple[str, ...], trick: int, done: bool = True) -> Order | None:
    """Suits and ranks of a trick, as the game has them."""
    found: Order | None = composed(*options.items()).order(Sight(turned, None, trick, 13, done, 3))
    return found


def shown(found: Order) -> tuple[str | None, list[list[str]]]:
    """The trump suit, and each suit's cards from the top, as an order ranks them."""

    def ranked(suit: int) -> list[str]:
        cards = [card for card in range(52) if suit >> card & 1]
        return [FRENCH_52.cards[card] for card in sorted(cards, key=lambda card: (found.beats[card] & suit).bit_count())]

    return found.name if found.trumps else None, [ranked(suit) for suit in found.suits]


def due(options: Data, turned: tuple[str, ...], trick: int) -> tuple[str | None, list[list[str]]]:
    """The same by the rules."""
    hand = Hand.__new__(Hand)
    hand.o, hand.aside, hand.stack = USUAL | options, list(turned), stacked(options)
    own = turned[trick - 1] if "nuisance" in options else None  # the Bastard's own, of which the first is not played
    suits = [[card for card in FRENCH_52.cards if card[1] == suit] for suit in SUITS]
    return hand.trump(trick), [sorted(suit, key=lambda card: -hand.height(trick, card, card == own)) for suit in suits]


def stacked(options: Data) -> bool:
    """Whether a card is turned for every trick."""
    return not options.keys().isdisjoint(("mega", "ultra", "demon", "nuisance"))


def turned_in(options: Data, trick: int, rng: Random) -> tuple[str, ...]:
    """The cards that lie open when a trick is settled; three that are set aside are of few suits and ranks."""
    if stacked(options):
        return tuple(rng.sample(FRENCH_52.cards, trick))
    return tuple(rng.sample([rank + suit for rank in "K72" for suit in "HS"], 3))


def moments(some: set[str]) -> Iterator[tuple[Data, int, tuple[str, ...], Random]]:
    """Tricks of a variant, each with the cards turned, and chance to go on with."""
    rng = Random(str(sorted(some)))
    for way, trick in product(rng.sample(WAYS, 6), (1, 2, 13)):
        options = dict.fromkeys(sorted(some), True) | way
        yield options, trick, turned_in(options, trick, rng), rng


@pytest.mark.some(6)
@of_each_variant
def test_trump_and_ranks_of_a_trick_and_what_a_card_not_seen_leaves_open(some: set[str]) -> None:
    """What the rules say; with a card not seen, what they say whichever it is, and if that differs, nothing."""
    for options, trick, turned, rng in moments(some):
        found = ordered(options, turned, trick)
        assert found is not None
        assert shown(found) == due(options, turned, trick)
        spot = rng.choice([0, len(turned) - 1])
        before, card, after = turned[:spot], turned[spot], turned[spot + 1 :]
        some_of_rank = "7?" if card[0] in "A2" else f"{card[0]}?"  # an ace made high stays where it is: that may pass for unknown
        for unseen in ("??", f"?{card[1]}", some_of_rank, "XS", "7X"):  # the last two are of no pack
            rank, suit = "??" if "X" in unseen else unseen
            can_be = [each for each in FRENCH_52.cards if rank in ("?", each[0]) and suit in ("?", each[1])]
            each = [due(options, (*before, other, *after), trick) for other in can_be]
            told = ordered(options, (*before, unseen, *after), trick)
            assert (told and shown(told)) == (each[0] if all(other == each[0] for other in each) else None)


@of_each_variant
def test_nobody_has_to_know_what_is_not_yet_turned(some: set[str]) -> None:
    """Until a trick is settled its card in Back End decides nothing; trump of the hand is known from the second trick on."""
    for options, trick, turned, _ in moments(some):
        before = ordered(options, turned, trick, done=False)
        assert before is not None
        if "back_end" not in some:
            assert before == ordered(options, turned, trick)
            continue
        assert before == ordered(options, turned[:-1], trick, done=False)
        whole = "mega" not in some and (some & {"ultra", "demon"} or options["nuisance_trump"] == "first_card_for_hand")
        assert shown(before)[0] == (turned[0][1] if trick > 1 and whole else None)


@of_each_variant
def test_the_cards_that_are_said_to_decide_do_and_no_others(some: set[str]) -> None:
    """For those who reckon many deals at once: where the cards at these places are the same, so are suits and ranks."""
    for options, trick, turned, rng in moments(some):
        ranks = order(composed(*options.items()))
        spots, moment = ranks.decided_by(trick, True)
        assert {*spots} <= {*range(len(turned))}
        others = rng.sample([card for card in FRENCH_52.cards if card not in turned], 13)
        changed = tuple(card if spot in spots else others[spot] for spot, card in enumerate(turned))
        assert ordered(options, changed, trick) == ordered(options, turned, trick)
        for later in range(1, 14):
            if ranks.decided_by(later, True) == (spots, moment):
                assert ordered(options, (*turned, *others)[: max(3, later)], later) == ordered(options, turned, trick)


def test_where_trumps_must_be_broken_somebody_has_to_know_them() -> None:
    """Before a trick is settled too; but of a card that nobody can have seen yet nothing hangs on them."""
    for some in ({}, {"ultimate"}, {"ultra"}, {"demon"}, {"nuisance"}, {"ultra", "back_end"}):
        options = dict.fromkeys(sorted(some), True) | {"trump_break": "must_be_broken"}
        assert ordered(options, ("??", "7S", "2H"), 3, done=False) is None
        assert (ordered(options, (), 1, done=False) is None) == ("back_end" not in some)
        assert ordered(options, (), 1) is None


#: Options, and the variants in which they mean something.
MEANT: dict[str, tuple[Any, Callable[[set[str]], object]]] = {
    "mega_rank_trick1": (False, lambda some: "mega" in some and some & {"ultra", "demon"}),
    "nuisance_trump": ("every_card", lambda some: "nuisance" in some and not some & {"mega", "ultra", "demon"}),
    "back_end_nuisance_lead": ("next_player_leads", lambda some: some >= {"back_end", "nuisance"}),
    "bastard_self_effect": (False, lambda some: "nuisance" in some and some & {"ultra", "demon"}),
    "ultimate_same_rank": ("high", lambda some: "ultimate" in some),
    "ultimate_guess": (False, lambda some: "ultimate" in some),
    "trump_break": ("must_be_broken", lambda some: "mega" not in some),
    "guess_seen_card": ("forbidden", lambda some: some <= {"ultimate"}),
    "guess_pass": (False, lambda some: some <= {"ultimate"}),
}


@of_each_variant
def test_an_option_that_means_nothing_in_a_variant_changes_nothing(some: set[str]) -> None:
    """So that nobody asks whether a fault hangs on it."""
    options = dict.fromkeys(sorted(some), True)
    for key, (value, where) in MEANT.items():
        found = differing(composed(*options.items()), composed(*options.items(), (key, value)), 3)
        assert bool(found) == bool(where(some)), (key, found)


@of_each_variant
def test_the_rules_of_guessing_are_those_of_games_in_which_somebody_guesses(some: set[str]) -> None:
    """Basic and Ultimate; there alone a guess scores too."""
    game = composed(*dict.fromkeys(sorted(some), True).items())
    guessing = some <= {"ultimate"}
    assert {"BID013", "BID014"} & {rule.code for rule in game.rules} == ({"BID013", "BID014"} if guessing else set())
    assert ("guess" in {line.key for line in game.score}) == guessing
