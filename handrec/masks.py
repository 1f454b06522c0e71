"""The whole arithmetic that rules may use: sets of cards as bits, choices without `if`.

Every function takes Python ints (the referee, one hand at a time), int64 arrays of any one shape (the sieve, many hands
at once), or formulas (the fast path, which writes down what a rule does to any hand) and returns the same kind. With
`& | ~` and comparisons they are all a rule needs; a rule that used `if`, `and`, `or` or `not` would mean something else on
arrays, and a formula refuses it.
"""

from __future__ import annotations

from typing import Any

#: A set of cards: an int, an int64 array of them, or a formula. `Any` because one text serves all carriers.
Mask = Any
#: A truth value: a bool, or an array of them.
Truth = Any
#: A whole number, or an array of them.
Number = Any


def pick(condition: Truth, yes: Number, no: Number) -> Number:
    """`yes` where the condition holds, `no` elsewhere."""
    if isinstance(condition, int):
        return yes if condition else no
    if hasattr(condition, "dtype"):
        import numpy

        return numpy.where(condition, yes, no)
    return condition.word("when", yes, no)


def prefer(these: Mask, those: Mask) -> Mask:
    """`these` if there are any, otherwise `those`: the rulebooks' "if able, otherwise"."""
    if isinstance(these, int):
        return these or those
    if hasattr(these, "dtype"):
        return these | those & (these - 1 >> 63)  # a shift keeps the sign, and of masks less one only none's is negative
    return these.word("prefer", those)


def when(condition: Truth | Mask, narrowed: Mask, legal: Mask) -> Mask:
    """`narrowed` where the condition holds (or the mask is not empty), `legal` elsewhere."""
    if isinstance(condition, int):
        return narrowed if condition else legal
    if hasattr(condition, "dtype"):
        return legal ^ (legal ^ narrowed) & 0 - (condition != 0)  # choosing by bits is several times quicker than by branches
    return condition.word("when", narrowed, legal)


def highest(mask: Mask) -> Mask:
    """The highest card of a mask, as a mask; 0 of 0. Packs list a suit from low to high, so the top bit is meant."""
    if isinstance(mask, int):
        return 1 << mask.bit_length() >> 1
    if hasattr(mask, "dtype"):
        for shift in (1, 2, 4, 8, 16, 32):
            mask = mask | mask >> shift
        return mask ^ mask >> 1
    return mask.word("highest")


def entry(table: tuple[int, ...], place: Number) -> Number:
    """The number that stands in a table at a place, from 0; the last one for places beyond it, as of hands too large."""
    if hasattr(place, "dtype"):
        import numpy

        return numpy.asarray(table)[numpy.minimum(place, len(table) - 1)]
    return table[min(place, len(table) - 1)]


def count(mask: Mask) -> Number:
    """How many cards a mask holds."""
    if isinstance(mask, int):
        return mask.bit_count()
    if hasattr(mask, "dtype"):
        import numpy

        return numpy.bitwise_count(mask).astype(numpy.int64)
    return mask.word("count")
