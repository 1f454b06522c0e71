"""Rules written down: what the play rules of a game do to any hand, as straight code.

A play rule's `narrow(view, legal)` may use `& | ~`, comparisons and the words of `masks`, and no `if`. So it can be called
once with formulas in place of masks, and what it does with them be written down, step by step. All rules of a game, each
applied to what the one before it left, give one program; it reads the hand, the card led and so on, and its result is the
cards that may be played. The same steps are written out as Python and as C. Nothing is said twice: the text of the rule
stays where it is, and a rule that asks a formula for a truth value cannot be traced, which is an error here.

Whoever leads sees nothing led: there `lead`, `led` and `rising` are 0 and `leading` is true, whatever the hand. A step whose
answer is known already is not written down, so the program of a lead is short, and often empty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

from handrec.findings import Rule

#: How each step is written, in Python and in C.
WRITTEN = {
    "&": ("{0} & {1}", "{0} & {1}"),
    "|": ("{0} | {1}", "{0} | {1}"),
    "^": ("{0} ^ {1}", "{0} ^ {1}"),
    "~": ("~{0}", "~{0}"),
    "==": ("{0} == {1}", "{0} == {1}"),
    "!=": ("{0} != {1}", "{0} != {1}"),
    "<": ("{0} < {1}", "{0} < {1}"),
    "<=": ("{0} <= {1}", "{0} <= {1}"),
    ">": ("{0} > {1}", "{0} > {1}"),
    ">=": ("{0} >= {1}", "{0} >= {1}"),
    "prefer": ("{0} or {1}", "{0} ? {0} : {1}"),
    "when": ("{1} if {0} else {2}", "{0} ? {1} : {2}"),
    "highest": ("1 << {0}.bit_length() >> 1", "highest({0})"),
    "count": ("{0}.bit_count()", "count({0})"),
}

#: What a play rule may look at, besides the hand.
SEEN = ("lead", "led", "rising", "trumps", "leading", "broken", "first")


class Program:
    """Steps in order, each a word of `WRITTEN` and the names of its terms; `result` names what is left of the hand."""

    def __init__(self, rules: Iterable[Rule], leading: bool) -> None:
        """Trace the rules; raises TypeError if one cannot be."""
        self.steps: dict[tuple[str, ...], str] = {}
        given = {name: Formula(self, name) for name in SEEN}
        nothing = {"lead": 0, "led": 0, "rising": 0, "leading": True} if leading else {"leading": False}
        hand = Formula(self, "hand")
        view = SimpleNamespace(**given | nothing, hand=hand)
        legal: Any = hand
        for rule in rules:
            assert rule.narrow is not None
            legal = rule.narrow(view, legal)
        self.result = str(legal)
        needed = {self.result}
        for step, name in reversed(self.steps.copy().items()):
            if name in needed:
                needed |= {*step[1:]}
            else:
                del self.steps[step]

    def put(self, word: str, *terms: Formula | int) -> Formula:
        """A step, written down once however often it is asked for."""
        step = (word, *(str(int(term)) if isinstance(term, int) else term.name for term in terms))
        return Formula(self, self.steps.setdefault(step, f"t{len(self.steps)}"))

    def uses(self, name: str) -> bool:
        """Whether the program looks at something."""
        return name == self.result or any(name in terms for _, *terms in self.steps)

    def python(self) -> list[str]:
        """The steps as lines of Python, the last of which is the result; what is needed once stands where it is needed."""
        step_of = {name: step for step, name in self.steps.items()}
        needed = Counter([self.result, *(term for _, *terms in self.steps for term in terms)])
        kept = {name for name in step_of if needed[name] > 1}

        def expression(name: str) -> str:
            return written(name) if name in step_of and name not in kept else name

        def written(name: str) -> str:
            word, *terms = step_of[name]
            return "(" + WRITTEN[word][0].format(*map(expression, terms)) + ")"

        return [*(f"{name} = {written(name)}" for name in step_of if name in kept), expression(self.result)]

    def c(self) -> list[str]:
        """The steps as assignments of C; the last gives the result."""
        steps = [f"{name} = {WRITTEN[word][1].format(*terms)}" for (word, *terms), name in self.steps.items()]
        return [*steps, f"legal = {self.result}"]


class Formula:
    """Something that a program is given or works out: it stands for a mask or a truth value that nobody knows yet."""

    __hash__ = None  # type: ignore[assignment]  # whether two formulas are equal is itself a formula

    def __init__(self, program: Program, name: str) -> None:
        self.program, self.name = program, name

    def __str__(self) -> str:
        return self.name

    def __bool__(self) -> bool:
        raise TypeError("a rule asked for a truth value, which only one hand has: it cannot be traced")

    def word(self, word: str, *others: Any) -> Any:
        """A word of `masks`, or a sign, applied to this and others."""
        return self.program.put(word, self, *others)

    def __invert__(self) -> Any:
        return self.word("~")

    def __and__(self, other: Any) -> Any:
        return 0 if isinstance(other, int) and not other else self.word("&", other)

    def __or__(self, other: Any) -> Any:
        return self.word("|", other)

    def __xor__(self, other: Any) -> Any:
        return self.word("^", other)

    __rand__, __ror__, __rxor__ = __and__, __or__, __xor__

    def __eq__(self, other: object) -> Any:
        return self.word("==", other)

    def __ne__(self, other: object) -> Any:
        return self.word("!=", other)

    def __lt__(self, other: Any) -> Any:
        return self.word("<", other)

    def __le__(self, other: Any) -> Any:
        return self.word("<=", other)

    def __gt__(self, other: Any) -> Any:
        return self.word(">", other)

    def __ge__(self, other: Any) -> Any:
        return self.word(">=", other)
