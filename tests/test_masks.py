"""The words that rules may use mean the same on one hand, on many at once, and written down as a formula."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy
import pytest

from handrec import masks
from handrec.fast.formula import SEEN, WRITTEN, Program

#: A pack of 62 cards at most, so that no mask is negative as an int64: none, one at either end, all, and some.
FULL = 2**62 - 1
RANDOM = Random(1)
SOME = [0, 1, 1 << 61, FULL, *(RANDOM.getrandbits(62) & RANDOM.getrandbits(62) for _ in range(40))]
#: Hand, suit led, trumps, whether trump is broken.
SIGHTS = [(hand, led, trumps, truth) for hand in SOME for led in SOME[:6] for trumps in SOME[-3:] for truth in (False, True)]

#: Every word, and what it is called with; of any hand it gives a mask or a number.
WORDS: dict[str, Callable[..., Any]] = {
    "pick": lambda hand, led, trumps, broken: masks.pick(broken, led, hand),
    "prefer": lambda hand, led, trumps, broken: masks.prefer(hand & led, trumps),
    "when": lambda hand, led, trumps, broken: masks.when(broken, led, hand),
    "when there are any": lambda hand, led, trumps, broken: masks.when(hand & led, trumps, hand),
    "highest": lambda hand, led, trumps, broken: masks.highest(hand),
    "count": lambda hand, led, trumps, broken: masks.count(hand & led),
    "signs": lambda hand, led, trumps, broken: (hand ^ led | trumps) & ~led,
    **{
        sign: lambda hand, led, trumps, broken, sign=sign: masks.pick(
            getattr(hand & trumps, f"__{sign}__")(led & trumps), hand, led
        )
        for sign in ("eq", "ne", "lt", "le", "gt", "ge")
    },
}


def traced(word: Callable[..., Any]) -> Program:
    """The word as the fast path writes it down."""
    rule: Any = SimpleNamespace(narrow=lambda view, legal: word(legal, view.led, view.trumps, view.broken))
    return Program([rule], False)


def compiled(program: Program) -> Callable[..., int]:
    """What it comes to in Python."""
    *steps, result = program.python()
    space: dict[str, Any] = {}
    exec("\n    ".join([f"def function(hand, {', '.join(SEEN)}):", *steps, f"return {result}"]), space)
    return lambda hand, led, trumps, broken: space["function"](hand, 0, led, 0, trumps, 0, broken, 0)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_means_the_same_on_every_carrier(word: str) -> None:
    """Ints, arrays of them, and a formula."""
    function, formula = WORDS[word], compiled(traced(WORDS[word]))
    due = [int(function(*sight)) for sight in SIGHTS]
    columns = [numpy.array(column) for column in zip(*SIGHTS, strict=True)]
    assert [*map(int, function(*columns))] == due
    assert [int(formula(*map(int, sight))) for sight in SIGHTS] == due
    assert len({*due}) > 1


def test_every_word_that_can_be_written_down_is_compared() -> None:
    """What formulas know is used above."""
    assert {step[0] for word in WORDS.values() for step in traced(word).steps} == {*WRITTEN}


def test_the_words_say_what_they_are_to() -> None:
    """Each on a hand of which everybody sees what is due."""
    assert masks.highest(0b0110) == 0b0100
    assert masks.highest(0) == 0
    assert masks.count(0b1011) == 3
    assert [masks.prefer(hand, 0b1000) for hand in (0, 0b0110)] == [0b1000, 0b0110]
    assert [masks.when(sight, 1, 2) for sight in (False, True, 0, 8)] == [2, 1, 2, 1]
    assert [masks.pick(truth, 1, 2) for truth in (False, True)] == [2, 1]


def test_a_table_is_read_alike_on_one_place_and_on_many() -> None:
    """Beyond its end the last number stands."""
    table = (3, 1, 4, 1, 5)
    assert [masks.entry(table, place) for place in range(8)] == [3, 1, 4, 1, 5, 5, 5, 5]
    assert [*masks.entry(table, numpy.arange(8))] == [3, 1, 4, 1, 5, 5, 5, 5]
